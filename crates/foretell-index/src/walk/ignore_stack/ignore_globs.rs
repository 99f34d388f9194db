//! The globs of one ignore file, compiled, and those that were left out.
//!
//! Every line is measured first ([`foretell_text::glob`]), and there is room for so many globs in a
//! file, and in all files that a directory is below of.

use std::path::Path;

use foretell_text::glob::{
    MOST_GLOBS_IN_A_FILE, MOST_GLOBS_TO_THE_LETTER, MOST_WILD_GLOBS_IN_A_FILE, cost_of_glob,
};
use foretell_text::{DecodeError, is_wild_glob, measure_glob};
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::build_progress::FileFault;

/// How many globs there may be in all ignore files that hold for a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GlobBudget {
    /// Of any kind.
    all: usize,
    /// With wildcards.
    wild: usize,
}

impl Default for GlobBudget {
    fn default() -> Self {
        GlobBudget {
            all: 2 * MOST_GLOBS_IN_A_FILE,
            wild: 2 * MOST_WILD_GLOBS_IN_A_FILE + MOST_GLOBS_TO_THE_LETTER,
        }
    }
}

impl GlobBudget {
    /// The rest of it below an ignore file.
    pub(super) fn without(self, globs: &IgnoreGlobs) -> Self {
        GlobBudget {
            all: self.all.saturating_sub(globs.used.all),
            wild: self.wild.saturating_sub(globs.used.wild),
        }
    }

    /// How much of it a single file may take.
    fn of_a_file(self) -> Self {
        GlobBudget {
            all: self.all.min(MOST_GLOBS_IN_A_FILE),
            wild: self.wild.min(MOST_WILD_GLOBS_IN_A_FILE),
        }
    }

    /// The same for one that is followed to the letter, where every glob costs as much as a wildcard.
    fn to_the_letter(self) -> Self {
        let most = self.wild.min(MOST_GLOBS_TO_THE_LETTER);
        GlobBudget {
            all: most,
            wild: most,
        }
    }
}

/// The globs of an ignore file.
#[derive(Debug)]
pub(super) struct IgnoreGlobs {
    text: Vec<u8>,
    room: GlobBudget,
    used: GlobBudget,
    rules: Gitignore,
    left_out: Option<String>,
}

/// Why a line does not count.
struct LeftOut {
    line: usize,
    why: String,
}

impl IgnoreGlobs {
    /// As git has it: a line that is no glob says nothing. One that costs too much does not count.
    pub(super) fn as_far_as_possible(directory: &Path, text: Vec<u8>, room: GlobBudget) -> Self {
        let mut left_out = Vec::new();
        let (rules, used) = {
            let text = String::from_utf8_lossy(&text);
            let mut builder = GitignoreBuilder::new(directory);
            let mut take = |line: &str| builder.add_line(None, line).map(drop);
            let used = take_lines(&text, room.of_a_file(), &mut take, |fault| {
                left_out.extend(fault.excess());
                Ok::<_, std::convert::Infallible>(())
            });
            let used = used.unwrap_or_else(|never| match never {});
            (builder.build(), used)
        };
        let rules = rules.unwrap_or_else(|why| {
            let why = format!("none of its globs counts: {why}");
            left_out.insert(0, LeftOut { line: 0, why });
            Gitignore::empty()
        });
        IgnoreGlobs {
            text,
            room,
            used,
            rules,
            left_out: in_words(&left_out),
        }
    }

    /// To the letter, or not at all: what is left out would be told. A line just like those of
    /// `.gitignore`, but nothing in it depends on case, since a disk may not either.
    pub(super) fn to_the_letter(
        directory: &Path,
        text: Vec<u8>,
        room: GlobBudget,
    ) -> Result<Self, FileFault> {
        let unclear = |why: String| FileFault::Unreadable { why };
        let used;
        let rules = {
            let written = std::str::from_utf8(&text);
            let written = written.map_err(|why| {
                let good = text.iter().take(why.valid_up_to());
                let line = 1 + good.filter(|byte| **byte == b'\n').count();
                DecodeError::NotUtf8 { line }
            })?;
            let mut builder = GitignoreBuilder::new(directory);
            // Neither fails.
            drop(builder.case_insensitive(true));
            builder.allow_unclosed_class(false);
            let mut take = |line: &str| builder.add_line(None, line).map(drop);
            let taken = take_lines(written, room.to_the_letter(), &mut take, |fault| {
                let LeftOut { line, why } = fault.any();
                Err(unclear(format!("line {line}: {why}")))
            })?;
            used = GlobBudget {
                all: taken.all,
                wild: taken.all,
            };
            builder.build().map_err(|why| unclear(why.to_string()))?
        };
        Ok(IgnoreGlobs {
            text,
            room,
            used,
            rules,
            left_out: None,
        })
    }

    /// Whether this is what a text compiles to where there is so much room.
    pub(super) fn is_of(&self, text: &[u8], room: GlobBudget) -> bool {
        self.text == text && self.room == room
    }

    /// The file's verdict on a path below its directory.
    pub(super) fn matched(
        &self,
        path: &Path,
        is_directory: bool,
    ) -> ignore::Match<&ignore::gitignore::Glob> {
        self.rules.matched(path, is_directory)
    }

    /// The lines that do not count, in words.
    pub(super) fn left_out(&self) -> Option<&str> {
        self.left_out.as_deref()
    }

    /// How much it takes to keep, in globs with wildcards.
    pub(super) fn weight(&self) -> usize {
        1 + self.used.wild + self.used.all / 32
    }
}

/// A line that does not count.
enum BadLine {
    /// It costs too much.
    Excess(LeftOut),
    /// It is no glob.
    NoGlob(LeftOut),
}

impl BadLine {
    fn excess(self) -> Option<LeftOut> {
        match self {
            BadLine::Excess(it) => Some(it),
            BadLine::NoGlob(_) => None,
        }
    }

    fn any(self) -> LeftOut {
        match self {
            BadLine::Excess(it) | BadLine::NoGlob(it) => it,
        }
    }
}

/// Takes the lines of an ignore file that there is room for; says of the others why they do not count.
fn take_lines<E>(
    text: &str,
    left: GlobBudget,
    take: &mut dyn FnMut(&str) -> Result<(), ignore::Error>,
    mut leave_out: impl FnMut(BadLine) -> Result<(), E>,
) -> Result<GlobBudget, E> {
    let mut used = GlobBudget { all: 0, wild: 0 };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (number, line) in text.lines().enumerate() {
        if line.starts_with('#') || line.trim().is_empty() {
            continue;
        }
        let bad = |why: String| LeftOut {
            line: number + 1,
            why,
        };
        if let Err(why) = measure_glob(line) {
            leave_out(BadLine::Excess(bad(why.to_string())))?;
            continue;
        }
        let cost = cost_of_glob(line);
        let is_wild = is_wild_glob(line);
        if used.all + cost > left.all || (is_wild && used.wild + cost > left.wild) {
            let why = "there are too many globs in this file, or in those above".to_owned();
            leave_out(BadLine::Excess(bad(why)))?;
            continue;
        }
        match take(line) {
            Ok(()) => {
                used.all += cost;
                used.wild += if is_wild { cost } else { 0 };
            }
            Err(why) => leave_out(BadLine::NoGlob(bad(why.to_string())))?,
        }
    }
    Ok(used)
}

/// Lines that do not count, in words: the first, and how many more.
fn in_words(left_out: &[LeftOut]) -> Option<String> {
    let LeftOut { line, why } = left_out.first()?;
    let mut words = match line {
        0 => why.clone(),
        _ => format!("line {line} does not count: {why}"),
    };
    match left_out.len() - 1 {
        0 => {}
        1 => words.push_str("; nor does another one"),
        more => words.push_str(&format!("; nor do {more} others")),
    }
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn globs(text: &str) -> IgnoreGlobs {
        IgnoreGlobs::as_far_as_possible(Path::new("/w"), text.into(), GlobBudget::default())
    }

    fn ignores(globs: &IgnoreGlobs, path: &str) -> bool {
        globs
            .matched(&Path::new("/w").join(path), false)
            .is_ignore()
    }

    #[test]
    fn a_line_that_costs_too_much_does_not_count_and_the_others_do() {
        let globs = globs(&format!("*.o\n# c\n\n{}\nb*\n", "{a,".repeat(16_000)));
        assert!(ignores(&globs, "x/a.o") && ignores(&globs, "x/b.rs"));
        assert!(!ignores(&globs, "x/c.rs"));
        let said = "line 4 does not count: it is longer than 1024 bytes";
        assert_eq!(globs.left_out(), Some(said));
    }

    #[test]
    fn there_is_room_for_so_many_and_no_more() {
        let lines: Vec<String> = (0..MOST_WILD_GLOBS_IN_A_FILE + 3)
            .map(|it| format!("a{it}z*.rs"))
            .collect();
        let globs = globs(&lines.join("\n"));
        assert!(ignores(&globs, "a999z.rs") && !ignores(&globs, "a1000z.rs"));
        let said = "line 1001 does not count: there are too many globs in this file, or in those \
                    above; nor do 2 others";
        assert_eq!(globs.left_out(), Some(said));
        let left = GlobBudget::default().without(&globs);
        assert_eq!(
            left.wild,
            GlobBudget::default().wild - MOST_WILD_GLOBS_IN_A_FILE
        );
        assert!(globs.is_of(&globs.text, GlobBudget::default()));
        assert!(!globs.is_of(&globs.text, left));
    }

    #[test]
    fn what_keeps_secrets_is_followed_to_the_letter_or_not_at_all() {
        let to_the_letter = |text: &[u8]| {
            let globs =
                IgnoreGlobs::to_the_letter(Path::new("/w"), text.to_vec(), GlobBudget::default());
            globs.map_err(|why| why.to_string())
        };
        let globs = to_the_letter(b"Secret.txt\n").unwrap();
        assert!(ignores(&globs, "a/SECRET.TXT"));
        let why = |text: &[u8]| to_the_letter(text).unwrap_err();
        let deep = format!("a\n{}", "{a,".repeat(20));
        assert_eq!(
            why(deep.as_bytes()),
            "it cannot be read: line 2: it has more than 8 braces within each other"
        );
        assert!(why(b"a\n[b\n").starts_with("it cannot be read: line 2: "));
        assert_eq!(why(b"a\nb\xff\n"), "line 2 is not UTF-8");
    }
}
