//! What differs between two texts, word by word, and whether a third is on the way from one to the other.
//!
//! Separate because hunks are told apart by it, and because next edits are judged by it in hunks and in
//! sessions: who offers the first of two changes that somebody makes in a line is right, and no comparison
//! of whole texts would say so.
//!
//! Kept: a text is on the way if doing it and then the rest changes no more words than going straight. So
//! nothing is on the way that has to be taken back, and half a word never is.

use std::ops::Range;

use foretell_text::plain::is_word;
use foretell_text::{ByteOffset, ByteRange, Edit, Replacement};
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// How many pairs of words are compared at most; longer runs differ as a whole.
const MOST_PAIRS: usize = 16_000_000;

/// Words that became others, as stretches of both texts in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WordChange {
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
}

/// The words of a text, its runs of blanks, its line ends, and each other character by itself.
pub(super) fn words(text: &str) -> Vec<&str> {
    let (mut words, mut rest) = (Vec::new(), text);
    let is_blank = |c: char| matches!(c, ' ' | '\t');
    while let Some(first) = rest.chars().next() {
        let end = match first {
            _ if is_word(first) => rest.find(|c| !is_word(c)),
            _ if is_blank(first) => rest.find(|c| !is_blank(c)),
            _ => Some(first.len_utf8()),
        };
        let (word, next) = rest.split_at(end.unwrap_or(rest.len()));
        words.push(word);
        rest = next;
    }
    words
}

/// What differs, in order. Where most does, it is one change from the first word to the last.
pub(super) fn changes(old: &str, new: &str) -> Vec<WordChange> {
    let (before, [old, new]) = without_common_lines([old, new]);
    let (old_words, new_words) = (words(old), words(new));
    let (old_at, new_at) = (starts(&old_words), starts(&new_words));
    let mut found = changed_words(&old_words, &new_words);
    let changed = |side: fn(&(Range<usize>, Range<usize>)) -> usize| found.iter().map(side).sum();
    let (gone, put): (usize, usize) = (changed(|it| it.0.len()), changed(|it| it.1.len()));
    let is_rewritten = gone * 2 > old_words.len() && put * 2 > new_words.len();
    if let (true, Some(first), Some(last)) = (is_rewritten, found.first(), found.last()) {
        found = vec![(first.0.start..last.0.end, first.1.start..last.1.end)];
    }
    let in_bytes =
        |of: &[usize], words: Range<usize>| before + of[words.start]..before + of[words.end];
    let found = found.into_iter().map(|(old, new)| WordChange {
        old: in_bytes(&old_at, old),
        new: in_bytes(&new_at, new),
    });
    found.collect()
}

/// The words that differ, as one edit; nothing, if none does.
pub(super) fn edit_between(old: &str, new: &str) -> Option<Edit> {
    let changes = changes(old, new).into_iter();
    let replacements = changes.filter_map(|change| {
        let (start, end) = (change.old.start, change.old.end);
        let range = ByteRange::new(ByteOffset::new(start), ByteOffset::new(end)).ok()?;
        Some(Replacement::new(range, new.get(change.new)?))
    });
    let edit = Edit::new(replacements.collect()).ok()?;
    (!edit.is_nothing()).then_some(edit)
}

/// Whether an offered text is what a text becomes, or lies between the two.
pub(super) fn is_on_the_way(now: &str, offered: &str, wanted: &str) -> bool {
    let (_, [now, offered, wanted]) = without_common_lines([now, offered, wanted]);
    is_between(&words(now), &words(offered), &words(wanted))
}

/// Whether an offered text is on the way, and does what comes first on it. Blanks do not come first:
/// formatters put them there.
pub(super) fn is_first_on_the_way(now: &str, offered: &str, wanted: &str) -> bool {
    let (_, [now, offered, wanted]) = without_common_lines([now, offered, wanted]);
    let all = [words(now), words(offered), words(wanted)];
    let [now, offered, wanted] = &all;
    let [bare_now, bare_offered, bare_wanted] = all.clone().map(without_blanks);
    common_words(&bare_now, &bare_offered) == common_words(&bare_now, &bare_wanted)
        && is_between(now, offered, wanted)
}

/// Words without blanks and line ends.
pub(super) fn without_blanks(mut words: Vec<&str>) -> Vec<&str> {
    words.retain(|word| !word.trim().is_empty());
    words
}

fn is_between(now: &[&str], offered: &[&str], wanted: &[&str]) -> bool {
    let done = distance(now, offered);
    done > 0 && done + distance(offered, wanted) == distance(now, wanted)
}

/// How many words go and come.
fn distance(old: &[&str], new: &[&str]) -> usize {
    let found = changed_words(old, new);
    found.iter().map(|it| it.0.len() + it.1.len()).sum()
}

/// The runs of words that differ.
pub(super) fn changed_words(old: &[&str], new: &[&str]) -> Vec<(Range<usize>, Range<usize>)> {
    let head = common_words(old, new);
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let ends = old_rest.iter().rev().zip(new_rest.iter().rev());
    let tail = ends.take_while(|(a, b)| a == b).count();
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    if head == old_end && head == new_end {
        return Vec::new();
    }
    if (old_end - head).saturating_mul(new_end - head) > MOST_PAIRS {
        return vec![(head..old_end, head..new_end)];
    }
    let ops = capture_diff_slices(Algorithm::Myers, &old[head..old_end], &new[head..new_end]);
    let differs = ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    let from_head = |range: Range<usize>| range.start + head..range.end + head;
    differs
        .map(|op| (from_head(op.old_range()), from_head(op.new_range())))
        .collect()
}

fn common_words(a: &[&str], b: &[&str]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// Where each word starts, and where the last ends.
fn starts(words: &[&str]) -> Vec<usize> {
    let ends = words.iter().scan(0, |at, word| {
        *at += word.len();
        Some(*at)
    });
    std::iter::once(0).chain(ends).collect()
}

/// Texts without the lines at both ends that are the same in all, and how many bytes those at the start are.
fn without_common_lines<const N: usize>(texts: [&str; N]) -> (usize, [&str; N]) {
    let lines = texts.map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let least = lines.iter().map(Vec::len).min().unwrap_or_default();
    let is_common = |line: &dyn Fn(&[&str]) -> Option<usize>| {
        let mut all = lines.iter().map(|it| line(it).and_then(|at| it.get(at)));
        let first = all.next().flatten();
        all.all(|other| other == first)
    };
    let head = (0..least)
        .take_while(|at| is_common(&|_| Some(*at)))
        .count();
    let from_end = (1..=least - head).take_while(|at| is_common(&|it| it.len().checked_sub(*at)));
    let tail = from_end.count();
    let length = |lines: &[&str]| lines.iter().map(|line| line.len()).sum::<usize>();
    let before = lines.first().map_or(0, |lines| length(&lines[..head]));
    let after = lines.first().map_or(0, |it| length(&it[it.len() - tail..]));
    let rest = texts.map(|text| text.get(before..text.len() - after).unwrap_or_default());
    (before, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_falls_into_words_blanks_and_signs() {
        assert_eq!(
            words("a_1 +=  b;\n"),
            ["a_1", " ", "+", "=", "  ", "b", ";", "\n"]
        );
    }

    #[test]
    fn what_differs_is_told_by_words() {
        let (old, new) = ("let one = two + one;", "let first = two + first;");
        let told: Vec<_> = changes(old, new)
            .into_iter()
            .map(|it| (old.get(it.old).unwrap(), new.get(it.new).unwrap()))
            .collect();
        assert_eq!(told, [("one", "first"), ("one", "first")]);
    }

    #[test]
    fn one_of_two_changes_is_on_the_way_and_the_first_is_first() {
        let (now, wanted) = ("x\na b c d\ny\n", "x\na B c D\ny\n");
        assert!(is_first_on_the_way(now, "x\na B c d\ny\n", wanted));
        assert!(is_first_on_the_way(now, wanted, wanted));
        assert!(is_on_the_way(now, "x\na b c D\ny\n", wanted));
        assert!(!is_first_on_the_way(now, "x\na b c D\ny\n", wanted));
    }

    #[test]
    fn what_has_to_be_taken_back_is_not_on_the_way() {
        let (now, wanted) = ("a b c\n", "a B c\n");
        for wrong in ["a b c\n", "a X c\n", "a B C\n", "a b\n", "a B c c\n"] {
            assert!(!is_on_the_way(now, wrong, wanted), "{wrong}");
        }
    }

    #[test]
    fn a_line_that_is_wrapped_anew_does_not_come_first() {
        let (now, offered) = ("x = a\n  .b(c)\n  .d();\n", "x = a\n  .b(C)\n  .d();\n");
        assert!(is_first_on_the_way(now, offered, "x = a.b(C).d();\n"));
    }

    #[test]
    fn half_a_word_is_not_on_the_way() {
        assert!(!is_on_the_way("\n", "total\n", "total_amount\n"));
    }
}
