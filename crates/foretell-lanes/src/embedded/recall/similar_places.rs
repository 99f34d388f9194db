//! Places that look like ours, and how each of them goes on.
//!
//! A place is a line that begins as ours does up to the cursor, word for word; within
//! [`NEAR`] lines of the cursor names may differ where they stand for each other. Where our line is
//! blank, it is a line that has the same lines above it. How many lines above a place are also the
//! same, up to [`MOST_ABOVE`], tells how much it has in common with ours.

use super::line_words::{LineWord, words};
use super::name_mapping::{NameDifferences, NameMapping, are_alike, is_name};
use foretell_text::code_tokens::TokenKind;
use foretell_text::plain::is_word;

/// Within how many lines of ours names may differ.
const NEAR: usize = 60;
/// How many lines above are compared.
pub(super) const MOST_ABOVE: usize = 3;
/// How many words a line may have before the cursor, and behind it: one with more is a list.
const MOST_WORDS: usize = 50;
/// How many places are looked at closely on a page, the nearest.
const MOST_PLACES: usize = 200;
/// How many blank lines are passed over to find one that says something.
const MOST_BLANK: usize = 4;

/// Where the cursor is: a line, what it says before the cursor, and the lines above.
pub(super) struct RecallPoint<'t> {
    /// The line's number on its page.
    pub(super) line: usize,
    /// Its text before the cursor.
    pub(super) before: &'t str,
    /// The words before the cursor, without one that is still being written.
    pub(super) words: Vec<LineWord<'t>>,
    /// A word that the cursor is at the end of.
    pub(super) unfinished: Option<LineWord<'t>>,
    /// Whether that word is also written elsewhere, and so may be all of it.
    is_known: bool,
    /// The lines above that say something, the nearest first, without the blanks around them.
    above: Vec<&'t str>,
}

/// Another place.
pub(super) struct SimilarPlace<'t> {
    /// On which of the pages.
    pub(super) page: usize,
    /// The line's number on its page.
    pub(super) line: usize,
    /// How our line would go on.
    pub(super) rest: String,
    /// How many lines above are the same.
    pub(super) above: usize,
    /// How many names differ before the cursor.
    pub(super) different: usize,
    /// Which names stand for which.
    pub(super) names: NameMapping<'t>,
}

impl<'t> RecallPoint<'t> {
    /// The place on a line of a page, with what stands on the line before it.
    pub(super) fn new(text: &str, page: &[&'t str], line: usize, before: &'t str) -> Self {
        let mut said = words(before);
        let is_in_word = before.ends_with(is_word);
        let unfinished = match said.last() {
            Some(last) if is_in_word && last.kind == TokenKind::Word => said.pop(),
            _ => None,
        };
        let is_known = unfinished.is_some_and(|word| is_said_twice(word.says, text));
        RecallPoint {
            line,
            before,
            words: said,
            unfinished,
            is_known,
            above: above(page, line).collect(),
        }
    }

    /// Whether nothing is on the line yet.
    pub(super) fn is_blank(&self) -> bool {
        self.words.is_empty() && self.unfinished.is_none()
    }

    /// Whether something is missing at the cursor, whatever stands behind it: it is in a word that
    /// is not known, or behind a mark that asks for more.
    pub(super) fn is_open(&self) -> bool {
        match (&self.unfinished, self.words.last()) {
            (Some(_), _) => !self.is_known,
            (None, Some(last)) => {
                last.kind == TokenKind::Mark && ![")", "]", "}"].contains(&last.says)
            }
            (None, None) => false,
        }
    }

    /// Whether our line would say what the next line says if it went on so.
    pub(super) fn is_next(&self, rest: &str, pages: &[Vec<&str>]) -> bool {
        let below = pages.first().and_then(|lines| lines.get(self.line + 1..));
        let mut below = below.unwrap_or_default().iter().map(|line| line.trim());
        let next = below.find(|line| !line.is_empty());
        let start = next.and_then(|next| next.strip_suffix(rest.trim_end()));
        start.is_some_and(|start| start.trim_end() == self.before.trim())
    }

    /// Whether there is nothing new in how a place goes on: all of it follows from names that are
    /// known.
    pub(super) fn follows(&self, place: &SimilarPlace<'t>, pages: &[Vec<&'t str>]) -> bool {
        let line = pages
            .get(place.page)
            .and_then(|lines| lines.get(place.line));
        let theirs = words(line.map_or("", |line| line.trim()));
        let completes_word = self.unfinished.is_some_and(|ours| {
            let their = theirs.get(self.words.len());
            their.is_some_and(|their| {
                their.says.len() > ours.says.len() && their.says.starts_with(ours.says)
            })
        });
        let rest = theirs.get(self.len()..);
        !completes_word && rest.is_some_and(|rest| place.names.tell(rest))
    }

    /// How many words are before the cursor.
    pub(super) fn len(&self) -> usize {
        self.words.len() + usize::from(self.unfinished.is_some())
    }

    /// The places on a page that look like ours.
    pub(super) fn places(&self, page: usize, lines: &[&'t str]) -> Vec<SimilarPlace<'t>> {
        if self.words.len() > MOST_WORDS {
            return Vec::new();
        }
        let is_near = |at: usize| page == 0 && at.abs_diff(self.line) <= NEAR;
        let mut found = if self.is_blank() {
            self.below_the_same(lines)
        } else {
            let begins = |at: &usize| {
                let line = lines.get(*at).copied().unwrap_or_default();
                is_near(*at) || begins_alike(line, self.before)
            };
            (0..lines.len()).filter(begins).collect()
        };
        found.retain(|at| page != 0 || *at != self.line);
        found.sort_by_key(|at| at.abs_diff(self.line));
        found.truncate(MOST_PLACES);
        let places = found.into_iter().filter_map(|at| {
            let differ = if is_near(at) {
                NameDifferences::WhereMapped
            } else {
                NameDifferences::Never
            };
            if self.is_blank() {
                self.below(page, lines, at)
            } else {
                self.along(page, lines, at, differ)
            }
        });
        places.collect()
    }

    /// The lines that say something below one that says the same as the nearest above ours.
    fn below_the_same(&self, lines: &[&'t str]) -> Vec<usize> {
        let Some(nearest) = self.above.first() else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let mut is_below = false;
        for (at, line) in lines.iter().enumerate() {
            let line = line.trim();
            if line.is_empty() {
                continue;
            }
            if is_below {
                found.push(at);
            }
            is_below = line == *nearest;
        }
        found
    }

    /// A line that begins as ours does.
    fn along(
        &self,
        page: usize,
        lines: &[&'t str],
        at: usize,
        differ: NameDifferences,
    ) -> Option<SimilarPlace<'t>> {
        let theirs = words(lines.get(at)?.trim());
        let mut names = NameMapping::default();
        if !names.align(&self.words, &theirs, differ) {
            return None;
        }
        let mut rest = theirs.get(self.words.len()..)?;
        if rest.len() > MOST_WORDS {
            return None;
        }
        let mut written = String::new();
        if let Some(ours) = &self.unfinished {
            let (their, later) = rest.split_first()?;
            rest = later;
            match their.says.strip_prefix(ours.says) {
                Some(end) if their.kind == TokenKind::Word => written.push_str(end),
                _ => {
                    let is_prose = self.words.last().is_some_and(is_name);
                    let may_differ =
                        differ == NameDifferences::WhereMapped && self.is_known && !is_prose;
                    let is_same = may_differ && are_alike(ours, their);
                    if !is_same || !names.pair(their.says, ours.says) {
                        return None;
                    }
                }
            }
        }
        let different = names.different();
        let above = self.align_above(lines, at, &mut names, differ);
        names.write(rest, &mut written);
        if self.unfinished.is_none() && self.before.ends_with([' ', '\t']) {
            written = written.trim_start().to_owned();
        }
        Some(SimilarPlace {
            page,
            line: at,
            rest: written,
            above,
            different,
            names,
        })
    }

    /// A line that stands below the same lines as ours.
    fn below(&self, page: usize, lines: &[&'t str], at: usize) -> Option<SimilarPlace<'t>> {
        let mut names = NameMapping::default();
        let above = self.align_above(lines, at, &mut names, NameDifferences::Never);
        // What stands below our own lines is what follows the cursor.
        let between = lines.get(self.line..at);
        let follows_ours = between.is_some_and(|lines| lines.iter().all(|it| it.trim().is_empty()));
        let is_own = page == 0 && follows_ours;
        let line = lines.get(at)?.trim();
        (above > 0 && !is_own).then(|| SimilarPlace {
            page,
            line: at,
            rest: line.to_owned(),
            above,
            different: 0,
            names,
        })
    }

    /// How many lines above a line are the same as above ours.
    fn align_above(
        &self,
        lines: &[&'t str],
        at: usize,
        names: &mut NameMapping<'t>,
        differ: NameDifferences,
    ) -> usize {
        let mut same = 0;
        for (ours, theirs) in self.above.iter().zip(above(lines, at)) {
            if *ours != theirs {
                if differ == NameDifferences::Never {
                    break;
                }
                let (ours, theirs) = (words(ours), words(theirs));
                let mut with = names.clone();
                if ours.len() != theirs.len() || !with.align(&ours, &theirs, differ) {
                    break;
                }
                *names = with;
            }
            same += 1;
        }
        same
    }
}

/// The lines above a line that say something, the nearest first.
fn above<'t>(lines: &[&'t str], line: usize) -> impl Iterator<Item = &'t str> {
    let upper = lines.get(..line).unwrap_or_default().iter().rev();
    let near = upper.take(MOST_ABOVE * (MOST_BLANK + 1));
    let said = near.map(|line| line.trim()).filter(|line| !line.is_empty());
    said.take(MOST_ABOVE)
}

/// Whether a line may begin as a prefix does: its characters do, whatever the blanks between them.
fn begins_alike(line: &str, prefix: &str) -> bool {
    let mut line = line.bytes().filter(|byte| !byte.is_ascii_whitespace());
    let mut prefix = prefix.bytes().filter(|byte| !byte.is_ascii_whitespace());
    prefix.all(|byte| line.next() == Some(byte))
}

/// Whether a word is written twice in a text, as a whole: once is where it is being written.
fn is_said_twice(word: &str, text: &str) -> bool {
    let places = text.match_indices(word).filter(|(at, _)| {
        let before = text.get(..*at).unwrap_or_default();
        let after = text.get(at + word.len()..).unwrap_or_default();
        !before.ends_with(is_word) && !after.starts_with(is_word)
    });
    places.take(2).count() == 2
}
