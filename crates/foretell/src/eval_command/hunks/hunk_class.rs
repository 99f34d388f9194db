//! [`HunkClass`]: which hunks of a commit are renames, and which do again what another does.
//!
//! A hunk is told by the words that it replaces, without blanks: two hunks that replace the same words by
//! the same are the same change, wherever they stand and how often they do it. This looks at
//! the commit only, never at what is offered.

use std::collections::{BTreeMap, BTreeSet};

use foretell_text::plain::is_word;

use super::super::git_history::PatchHunk;
use super::super::word_difference;

/// What a hunk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HunkClass {
    /// It makes one name another and nothing else, and the commit does so at least twice.
    Rename,
    /// At least one other hunk of the commit makes the same change.
    Repeat,
    /// The commit does not do that again.
    Single,
}

/// What a hunk is, and whether it could be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClassedHunk {
    pub(super) class: HunkClass,
    /// An earlier hunk of the commit replaces the same words.
    pub(super) is_again: bool,
}

/// Words that go, and the words that come in their place.
type ReplacedWords = (String, String);

/// The classes of the hunks of a commit, in their order.
pub(super) fn classes(hunks: &[&PatchHunk]) -> Vec<ClassedHunk> {
    let replaced: Vec<Vec<ReplacedWords>> = hunks.iter().map(|hunk| replaced(hunk)).collect();
    let kinds: Vec<BTreeSet<&ReplacedWords>> =
        replaced.iter().map(|all| all.iter().collect()).collect();
    let (mut words, mut changes) = (BTreeMap::new(), BTreeMap::new());
    for one in replaced.iter().flatten() {
        *words.entry(one).or_insert(0) += 1;
    }
    for kind in &kinds {
        *changes.entry(kind).or_insert(0) += 1;
    }
    let class = |kind: &BTreeSet<&ReplacedWords>| {
        let mut all = kind.iter();
        match (all.next(), all.next()) {
            (Some(one), None) if is_rename(one) && words.get(*one) > Some(&1) => HunkClass::Rename,
            (Some(_), _) if changes.get(kind) > Some(&1) => HunkClass::Repeat,
            _ => HunkClass::Single,
        }
    };
    let mut made = BTreeSet::new();
    let classed = kinds.iter().map(|kind| {
        let is_again = !kind.is_empty() && kind.iter().all(|one| made.contains(one));
        made.extend(kind.iter().copied());
        ClassedHunk {
            class: class(kind),
            is_again,
        }
    });
    classed.collect()
}

fn is_rename((old, new): &ReplacedWords) -> bool {
    let is_name = |text: &str| {
        text.chars().all(is_word) && text.chars().next().is_some_and(|c| !c.is_numeric())
    };
    is_name(old) && is_name(new)
}

fn replaced(hunk: &PatchHunk) -> Vec<ReplacedWords> {
    let (old, new) = (bare(&hunk.old), bare(&hunk.new));
    let changes = word_difference::changed_words(&old, &new).into_iter();
    let told = |words: &[&str]| words.join("\u{1f}");
    changes
        .map(|(gone, put)| (told(&old[gone]), told(&new[put])))
        .collect()
}

/// The words of lines, without blanks.
fn bare(lines: &[String]) -> Vec<&str> {
    let words = lines.iter().flat_map(|line| word_difference::words(line));
    word_difference::without_blanks(words.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hunk(old: &[&str], new: &[&str]) -> PatchHunk {
        let lines = |all: &[&str]| all.iter().map(|it| (*it).to_owned()).collect();
        PatchHunk {
            at: 0,
            old: lines(old),
            new: lines(new),
        }
    }

    fn classes_of(hunks: &[PatchHunk]) -> Vec<HunkClass> {
        let classed = classes(&hunks.iter().collect::<Vec<_>>());
        classed.into_iter().map(|it| it.class).collect()
    }

    #[test]
    fn a_name_that_becomes_another_twice_is_a_rename() {
        let hunks = [
            hunk(&["let a = one;"], &["let a = two;"]),
            hunk(&["f(one, one);"], &["f(two, two);"]),
            hunk(&["let b = 1;"], &["let b = 2;"]),
        ];
        let found = [HunkClass::Rename, HunkClass::Rename, HunkClass::Single];
        assert_eq!(classes_of(&hunks), found);
    }

    #[test]
    fn the_same_line_put_in_twice_is_a_repeat_and_a_blank_one_is_not() {
        let hunks = [
            hunk(&[], &["    log();"]),
            hunk(&[], &["  log();"]),
            hunk(&[], &[""]),
            hunk(&[], &["  "]),
        ];
        use HunkClass::{Repeat, Single};
        assert_eq!(classes_of(&hunks), [Repeat, Repeat, Single, Single]);
    }

    #[test]
    fn a_name_replaced_once_is_no_rename() {
        let hunks = [hunk(&["a(one)"], &["a(two)"]), hunk(&["x"], &["y"])];
        assert_eq!(classes_of(&hunks), [HunkClass::Single, HunkClass::Single]);
    }
}
