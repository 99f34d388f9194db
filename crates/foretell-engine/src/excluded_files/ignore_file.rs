//! `.foretellignore` files and their rules.
//!
//! They are in the format of `.gitignore` and hold for their directory and all below, in any case. A
//! `!` takes back what stands above it in the same file, and nothing else. One that is there and
//! cannot be read or understood excludes everything below it, since it is unknown what it was to keep;
//! a link to nowhere is one of those. So is one that would cost too much to follow, by itself or with
//! those of the directories above.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use foretell_text::glob::{LONGEST_TO_THE_LETTER, MOST_GLOBS_TO_THE_LETTER, cost_of_glob};
use foretell_text::measure_glob;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::exclusion_rule::ExclusionRule;
use super::stat_cache::StatCache;
use crate::read_text::{ReadError, is_absent, read_text_of_workspace};

/// The name of the files that people exclude files with.
pub const IGNORE_FILE: &str = ".foretellignore";

/// How much the ignore files of all directories that a file is in may say, in bytes.
const MOST_IN_A_ROW: usize = 4 * LONGEST_TO_THE_LETTER as usize;

/// The ignore files of a disk, as far as they were asked for.
#[derive(Debug)]
pub(super) struct DiskIgnoreFiles {
    kept: StatCache<ParsedIgnoreFile>,
}

impl Default for DiskIgnoreFiles {
    fn default() -> Self {
        // A short line compiles to more than it says.
        let weigh = |it: &ParsedIgnoreFile| it.text.len() + 32 * it.rules.len();
        DiskIgnoreFiles {
            kept: StatCache::weighed(weigh),
        }
    }
}

/// The lines of such a file, and their meaning.
#[derive(Debug)]
struct ParsedIgnoreFile {
    text: String,
    rules: Gitignore,
}

impl DiskIgnoreFiles {
    /// The rule for a path in the ignore files of all directories that it is in. From the top down:
    /// what a file further up keeps, no other gives away.
    pub(super) fn rule_for(&self, now: SystemTime, path: &Path) -> Option<ExclusionRule> {
        let directories: Vec<&Path> = path.ancestors().skip(1).collect();
        let mut from_the_top = directories.into_iter().rev();
        let mut said = 0;
        from_the_top.find_map(|directory| {
            let below = path.strip_prefix(directory).ok()?;
            self.rule_in(now, directory, below, &mut said)
        })
    }

    /// Returns the rule of a directory's ignore file for a path below it; with how much those further up have
    /// said.
    fn rule_in(
        &self,
        now: SystemTime,
        directory: &Path,
        below: &Path,
        said: &mut usize,
    ) -> Option<ExclusionRule> {
        let path = directory.join(IGNORE_FILE);
        let file = || path.display().to_string();
        let written = match fs::symlink_metadata(&path) {
            Ok(_) => self
                .kept
                .get(now, &path, |before| read(directory, &path, before)),
            Err(why) if is_absent(&why) => return None,
            Err(why) => Err(IgnoreFileDoubt::from(why)),
        };
        let rules = match &written {
            Ok(written) => {
                *said += written.text.len();
                if *said > MOST_IN_A_ROW {
                    let why = format!(
                        "with those of the directories above it has more than {} KiB",
                        MOST_IN_A_ROW >> 10
                    );
                    return Some(ExclusionRule::Unclear { file: file(), why });
                }
                &written.rules
            }
            Err(IgnoreFileDoubt(why)) => {
                let why = why.clone();
                return Some(ExclusionRule::Unclear { file: file(), why });
            }
        };
        let is_directory = directory.join(below).is_dir();
        match rules.matched_path_or_any_parents(below, is_directory) {
            ignore::Match::Ignore(glob) => Some(ExclusionRule::Line {
                file: file(),
                line: glob.original().to_owned(),
            }),
            ignore::Match::None | ignore::Match::Whitelist(_) => None,
        }
    }
}

/// Why it is unknown what an ignore file says, in words.
struct IgnoreFileDoubt(String);

impl From<io::Error> for IgnoreFileDoubt {
    fn from(why: io::Error) -> Self {
        IgnoreFileDoubt(why.to_string())
    }
}

impl From<ReadError> for IgnoreFileDoubt {
    fn from(error: ReadError) -> Self {
        IgnoreFileDoubt(error.why.to_string())
    }
}

impl From<ignore::Error> for IgnoreFileDoubt {
    fn from(why: ignore::Error) -> Self {
        IgnoreFileDoubt(why.to_string())
    }
}

/// Reads an ignore file. One that says the same as before is not compiled again, which takes far
/// longer than reading it.
fn read(
    directory: &Path,
    path: &Path,
    before: Option<Arc<ParsedIgnoreFile>>,
) -> Result<Arc<ParsedIgnoreFile>, IgnoreFileDoubt> {
    let text = read_text_of_workspace(path, LONGEST_TO_THE_LETTER)?;
    if let Some(same) = before.filter(|before| before.text == text) {
        return Ok(same);
    }
    let mut rules = GitignoreBuilder::new(directory);
    // In any case: a disk that does not tell them apart finds the file under all of them.
    rules.case_insensitive(true)?;
    // Git takes such a line for one that matches nothing; here it was to keep something.
    rules.allow_unclosed_class(false);
    let lines = text.lines().enumerate();
    let says = |line: &str| !line.starts_with('#') && !line.trim().is_empty();
    let mut cost = 0;
    for (number, line) in lines.filter(|(_, line)| says(line)) {
        let at = |why: &dyn fmt::Display| IgnoreFileDoubt(format!("line {}: {why}", number + 1));
        cost += cost_of_glob(line);
        if cost > MOST_GLOBS_TO_THE_LETTER {
            let why = format!("there are more than {MOST_GLOBS_TO_THE_LETTER} globs, or long ones");
            return Err(at(&why));
        }
        measure_glob(line).map_err(|why| at(&why))?;
        rules.add_line(None, line).map_err(|why| at(&why))?;
    }
    let rules = rules.build()?;
    Ok(Arc::new(ParsedIgnoreFile { text, rules }))
}
