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
//! Beside the text there is the code that its entries quote, piece by piece, of every entry that is
//! there whole. A piece says nothing that the text does not say.
//!
//! Absent on purpose: what is excluded, and what a secret looks like. An entry is redacted here, as a
//! whole and before anything else is done with it, because only here it is known which of them may
//! be needed.

use std::borrow::Cow;

use foretell_text::{ByteOffset, ByteRange, ContextPiece, SECTION_SEPARATOR, ToldSection};

use super::{cut, fit_search, open_fence};
use crate::context_section::{ContextEntry, ContextSection, EntrySpacing};
use crate::token_count::CountTokens;

/// The end of a section of which something is missing.
const TRUNCATED: &str = "\n\n... (truncated)\n";
/// With no more than this many tokens left, a section that does not fit is not begun.
const TOO_FEW: usize = 100;
/// How many bytes of text a token is expected to have. Only the first guess depends on it.
const USUAL_BYTES: usize = 4;

/// Takes the secrets out of a text.
pub(super) type TextRedaction<'a> = dyn for<'t> FnMut(&'t str, &[ByteRange]) -> Cow<'t, str> + 'a;

/// The text that is written so far.
pub(super) struct BudgetedPage<'a> {
    text: String,
    sections: Vec<ToldSection>,
    tokens: usize,
    budget: usize,
    counter: &'a dyn CountTokens,
    is_full: bool,
}

/// How much of a section is on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SectionPortion {
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
            sections: Vec::new(),
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

    /// What is on it, and the same by sections.
    pub(super) fn into_parts(self) -> (String, Vec<ToldSection>) {
        (self.text, self.sections)
    }

    /// Writes some entries of a source's section, or what fits of them. Once something did not fit,
    /// nothing more is written.
    pub(super) fn take(
        &mut self,
        source: &'static str,
        section: &ContextSection,
        entries: &[ContextEntry],
        redact: &mut TextRedaction<'_>,
    ) -> SectionPortion {
        if self.is_full {
            return SectionPortion::Nothing;
        }
        let start = self.text.len();
        let mut draft = SectionDraft::write(self, section, entries, redact);
        let pieces = std::mem::take(&mut draft.pieces);
        let is_all = draft.ends.len() == entries.len();
        if is_all {
            self.text.push('\n');
            if let Some(tokens) = self.counter.count_within(&self.text, self.budget) {
                self.tokens = tokens;
                self.note(source, start, pieces);
                return SectionPortion::Whole;
            }
        }
        self.is_full = true;
        let written = self.text.split_off(start);
        let Some(front) = self.keep_front(&written, &draft, entries.len()) else {
            return SectionPortion::Nothing;
        };
        let pieces = pieces.into_iter().take(front.whole).collect();
        self.note(source, start, pieces);
        SectionPortion::Front(front.included)
    }

    /// Takes note of a section that is on the page from a place on.
    fn note(&mut self, source: &'static str, start: usize, pieces: Vec<Option<ContextPiece>>) {
        let written = self.text.get(start..).unwrap_or_default();
        let markdown = written.strip_prefix(SECTION_SEPARATOR);
        self.sections.push(ToldSection {
            source,
            markdown: markdown.filter(|_| start > 0).unwrap_or(written).into(),
            pieces: pieces.into_iter().flatten().collect(),
        });
    }

    /// Writes what there is room for of a section that does not fit.
    fn keep_front(
        &mut self,
        written: &str,
        draft: &SectionDraft,
        entries: usize,
    ) -> Option<SectionFront> {
        let mut room = self.budget - self.tokens;
        if room <= TOO_FEW {
            return None;
        }
        // A text that fits in the room may still not fit on the page, as counts do not add up. Then it is
        // tried with a little less room, and less and less carefully.
        let mut less = 1;
        while room > 0 {
            let front = draft.front(written, entries, room, self.counter)?;
            let before = self.text.len();
            self.text.push_str(&front.text);
            if let Some(tokens) = self.counter.count_within(&self.text, self.budget) {
                self.tokens = tokens;
                return Some(front);
            }
            self.text.truncate(before);
            room = room.saturating_sub(less);
            less *= 2;
        }
        None
    }
}

/// The front of a section.
struct SectionFront {
    text: String,
    /// How many entries it has something of.
    included: usize,
    /// How many it has whole.
    whole: usize,
}

/// Where the parts are of a section that was just written, as distances from its start, the
/// separator before it included.
struct SectionDraft {
    /// Where the first entry begins.
    heading_end: usize,
    /// Where it ends, before a fence is closed that it leaves open.
    first_end: usize,
    /// Where each entry ends. The last ones are missing if it is clear that they are too much.
    ends: Vec<usize>,
    /// The code of each entry, if it quotes some.
    pieces: Vec<Option<ContextPiece>>,
}

impl SectionDraft {
    /// Writes a section to the end of a page, without its last newline.
    fn write(
        page: &mut BudgetedPage<'_>,
        section: &ContextSection,
        entries: &[ContextEntry],
        redact: &mut TextRedaction<'_>,
    ) -> Self {
        let text = &mut page.text;
        let start = text.len();
        if start > 0 {
            text.push_str(SECTION_SEPARATOR);
        }
        write_heading(text, &redact(&section.heading, &[]));
        let heading_end = text.len() - start;
        let mut first_end = heading_end;
        let mut ends = Vec::with_capacity(entries.len());
        let mut pieces = Vec::with_capacity(entries.len());
        for entry in entries {
            let redacted = redact(&entry.text, &entry.secrets);
            pieces.push(piece(entry, &redacted, redact));
            if !ends.is_empty() {
                text.push_str(match section.spacing {
                    EntrySpacing::Lines => "\n",
                    EntrySpacing::Paragraphs => "\n\n",
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
        SectionDraft {
            heading_end,
            first_end,
            ends,
            pieces,
        }
    }

    /// The most whole entries that fit in some room; if there are none, what fits of the first.
    fn front(
        &self,
        written: &str,
        entries: usize,
        room: usize,
        counter: &dyn CountTokens,
    ) -> Option<SectionFront> {
        let whole = |count: usize| {
            let end = self.ends.get(count.checked_sub(1)?)?;
            Some(format!("{}{TRUNCATED}", written.get(..*end)?))
        };
        let most = self.ends.len().min(entries.saturating_sub(1));
        let count = fit_search::largest(room, 1, most, |count| {
            counter.count_within(&whole(count)?, room)
        });
        Some(match whole(count) {
            Some(text) => SectionFront {
                text,
                included: count,
                whole: count,
            },
            None => SectionFront {
                text: self.cut_first(written, room, counter)?,
                included: 1,
                whole: 0,
            },
        })
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

/// The code that an entry quotes, without secrets. It is left out if it would say more than the entry
/// does, in which more can be seen of what is secret.
fn piece(
    entry: &ContextEntry,
    redacted: &str,
    redact: &mut TextRedaction<'_>,
) -> Option<ContextPiece> {
    let (file, code) = (entry.file.as_ref()?, entry.code?);
    let (start, end) = (code.start().get(), code.end().get());
    let quoted = entry.text.get(start..end)?;
    let text = if *redacted == *entry.text {
        quoted.into()
    } else {
        let within = entry.secrets.iter().filter_map(|secret| {
            let place = |at: ByteOffset| ByteOffset::new(at.get().clamp(start, end) - start);
            let range = ByteRange::new(place(secret.start()), place(secret.end())).ok()?;
            (!range.is_empty()).then_some(range)
        });
        let within: Vec<ByteRange> = within.collect();
        redact(quoted, &within)
    };
    redacted.contains(&*text).then(|| ContextPiece {
        path: redact(&file.told(), &[]).into(),
        text: text.into(),
    })
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
