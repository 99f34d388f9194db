//! The text as it grows, section by section, within its budget.
//!
//! The one rule: what is on the page has been counted as one text, and is within the budget. A
//! section is written behind it and counted with it; if that is too much, what can be kept of the
//! section is looked for in the room that is left, and counted with the page again before it stays.
//! So a counter may be as odd as it likes, and the budget holds.
//!
//! A page is written in this form: `## Heading`, an empty line, the entries, one newline; between two
//! sections an empty line, `---`, and another. Every fence that an entry opens is closed at the
//! entry's end, even if the source did not: what follows must not become code.
//!
//! Absent on purpose: what is excluded, and what a secret looks like. An entry is redacted here, as a
//! whole and before anything else is done with it, because only here it is known which of them may
//! be needed.

use std::borrow::Cow;

use foretell_text::ByteRange;

use super::{cut, fit_search, open_fence};
use crate::count::CountTokens;
use crate::section::{Entry, Section, Spacing};

/// What stands between two sections, of which each ends with a newline.
const SEPARATOR: &str = "\n---\n\n";
/// What a section ends with of which something is missing.
const TRUNCATED: &str = "\n\n... (truncated)\n";
/// With no more than this many tokens left, a section that does not fit is not begun.
const TOO_FEW: usize = 100;
/// How many bytes of text a token is expected to have. Only the first guess depends on it.
const USUAL_BYTES: usize = 4;

/// Takes the secrets out of a text.
pub(super) type Redact<'a> = dyn for<'t> FnMut(&'t str, &[ByteRange]) -> Cow<'t, str> + 'a;

/// What is written so far.
pub(super) struct BudgetedPage<'a> {
    text: String,
    tokens: usize,
    budget: usize,
    counter: &'a dyn CountTokens,
    is_full: bool,
}

/// How much of a section is on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// All of it.
    Whole,
    /// So many entries; if it is one, perhaps a part of it.
    Front(usize),
    /// None of it.
    Nothing,
}

impl<'a> BudgetedPage<'a> {
    /// An empty page that is expected to have so many bytes, if its budget allows.
    pub(super) fn new(budget: usize, counter: &'a dyn CountTokens, bytes: usize) -> Self {
        let allowed = budget.saturating_mul(2 * USUAL_BYTES);
        BudgetedPage {
            text: String::with_capacity(bytes.min(allowed)),
            tokens: 0,
            budget,
            counter,
            is_full: budget == 0,
        }
    }

    /// How many tokens are on it.
    pub(super) fn tokens(&self) -> usize {
        self.tokens
    }

    /// What is on it.
    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// Writes some entries of a section, or what fits of them. Once something did not fit, nothing
    /// more is written.
    pub(super) fn take(
        &mut self,
        section: &Section,
        entries: &[Entry],
        redact: &mut Redact<'_>,
    ) -> Taken {
        if self.is_full {
            return Taken::Nothing;
        }
        let start = self.text.len();
        let draft = Draft::write(self, section, entries, redact);
        let is_all = draft.ends.len() == entries.len();
        if is_all {
            self.text.push('\n');
            if let Some(tokens) = self.counter.count_within(&self.text, self.budget) {
                self.tokens = tokens;
                return Taken::Whole;
            }
        }
        self.is_full = true;
        let written = self.text.split_off(start);
        self.keep_front(&written, &draft, entries.len())
    }

    /// Writes what there is room for of a section that does not fit.
    fn keep_front(&mut self, written: &str, draft: &Draft, entries: usize) -> Taken {
        let mut room = self.budget - self.tokens;
        if room <= TOO_FEW {
            return Taken::Nothing;
        }
        // What fits in the room may still not fit on the page, as counts do not add up. Then it is
        // tried with a little less room, and less and less carefully.
        let mut less = 1;
        while room > 0 {
            let Some((front, included)) = draft.front(written, entries, room, self.counter) else {
                return Taken::Nothing;
            };
            let before = self.text.len();
            self.text.push_str(&front);
            if let Some(tokens) = self.counter.count_within(&self.text, self.budget) {
                self.tokens = tokens;
                return Taken::Front(included);
            }
            self.text.truncate(before);
            room = room.saturating_sub(less);
            less *= 2;
        }
        Taken::Nothing
    }
}

/// Where the parts are of a section that was just written, as distances from its start, the
/// separator before it included.
struct Draft {
    /// Where the first entry begins.
    heading_end: usize,
    /// Where it ends, before a fence is closed that it leaves open.
    first_end: usize,
    /// Where each entry ends. The last ones are missing if it is clear that they are too much.
    ends: Vec<usize>,
}

impl Draft {
    /// Writes a section to the end of a page, without its last newline.
    fn write(
        page: &mut BudgetedPage<'_>,
        section: &Section,
        entries: &[Entry],
        redact: &mut Redact<'_>,
    ) -> Self {
        let text = &mut page.text;
        let start = text.len();
        if start > 0 {
            text.push_str(SEPARATOR);
        }
        write_heading(text, &redact(&section.heading, &[]));
        let heading_end = text.len() - start;
        let mut first_end = heading_end;
        let mut ends = Vec::with_capacity(entries.len());
        for entry in entries {
            let redacted = redact(&entry.text, &entry.secrets);
            if !ends.is_empty() {
                text.push_str(match section.spacing {
                    Spacing::Lines => "\n",
                    Spacing::Paragraphs => "\n\n",
                });
            }
            let entry = without_blank_ends(&redacted);
            text.push_str(entry);
            if ends.is_empty() {
                first_end = text.len() - start;
            }
            if let Some(fence) = open_fence::open_at_end(entry) {
                fence.close(text);
            }
            ends.push(text.len() - start);
            if page.counter.fewest(text.len()) > page.budget {
                break;
            }
        }
        Draft {
            heading_end,
            first_end,
            ends,
        }
    }

    /// The most whole entries that fit in some room; if there are none, what fits of the first.
    fn front(
        &self,
        written: &str,
        entries: usize,
        room: usize,
        counter: &dyn CountTokens,
    ) -> Option<(String, usize)> {
        let whole = |count: usize| {
            let end = self.ends.get(count.checked_sub(1)?)?;
            Some(format!("{}{TRUNCATED}", written.get(..*end)?))
        };
        let most = self.ends.len().min(entries.saturating_sub(1));
        let count = fit_search::largest(room, 1, most, |count| {
            counter.count_within(&whole(count)?, room)
        });
        match whole(count) {
            Some(front) => Some((front, count)),
            None => Some((self.cut_first(written, room, counter)?, 1)),
        }
    }

    /// The heading and what fits of the first entry.
    fn cut_first(&self, written: &str, room: usize, counter: &dyn CountTokens) -> Option<String> {
        let heading = written.get(..self.heading_end)?;
        let entry = written.get(self.heading_end..self.first_end)?;
        let front_of = |kept: &str| {
            let mut front = format!("{heading}{kept}");
            if let Some(fence) = open_fence::open_at_end(kept) {
                fence.close(&mut front);
            }
            front.push_str(TRUNCATED);
            front
        };
        // Many places lead to the same cut, which is counted once.
        let (mut fits, mut too_long) = ((0, 0), usize::MAX);
        let first = room.saturating_mul(USUAL_BYTES);
        let at = fit_search::largest(room, first, entry.len().saturating_sub(1), |at| {
            let kept = cut::front(entry, at);
            if kept.len() == fits.0 {
                return Some(fits.1);
            }
            let within = (kept.len() < too_long)
                .then(|| counter.count_within(&front_of(kept), room))
                .flatten();
            match within {
                Some(tokens) => fits = (kept.len(), tokens),
                None => too_long = kept.len(),
            }
            within
        });
        let kept = cut::front(entry, at);
        (!kept.is_empty()).then(|| front_of(kept))
    }
}

/// A heading is one line, whatever it is made of; an entry is told of without one if there is none.
fn write_heading(text: &mut String, heading: &str) {
    let mut words = heading.split_whitespace().peekable();
    if words.peek().is_none() {
        return;
    }
    text.push_str("##");
    for word in words {
        text.push(' ');
        text.push_str(word);
    }
    text.push_str("\n\n");
}

/// A text without empty lines before it and blanks behind it; the indent of its first line stays.
fn without_blank_ends(text: &str) -> &str {
    let text = text.trim_end();
    let blank = text.len() - text.trim_start().len();
    let line_start = open_fence::start_of_line(text.as_bytes(), blank);
    text.get(line_start..).unwrap_or(text)
}
