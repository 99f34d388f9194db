//! Two edits one after the other, as one.
//!
//! The earlier edit leads from a first text to a second, the later from the second to a third; the
//! composed one from the first to the third. No text is needed: what the later edit leaves of the
//! earlier one's insertions is in the earlier edit, and what it removes of the first text is a range.
//!
//! Both lists are walked together, in the coordinates of the second text, in *clusters*: runs of
//! earlier insertions and later ranges that overlap or touch. Every byte of a cluster's span belongs
//! to one of the two, so a cluster becomes one replacement, and what lies between clusters is
//! unchanged.

use super::map::OffsetShift;
use super::{Edit, Replacement};
use crate::offset::{ByteOffset, ByteRange};

/// Two edits were to be composed, but there is no text that both were made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ComposeError {
    /// The later one cuts a character that the earlier one inserts.
    #[error("byte offset {asked} of the later edit is inside a character that the earlier inserts")]
    CutsCharacter {
        /// The offset, in the text between the two edits.
        asked: ByteOffset,
    },
    /// One of them reaches further than a text can be long.
    #[error("byte offset {asked} is past the end of the longest text there can be")]
    BeyondAnyText {
        /// The offset.
        asked: ByteOffset,
    },
}

impl Edit {
    /// This edit and then `later`, which is made for the text after this one.
    pub fn compose(&self, later: &Edit) -> Result<Edit, ComposeError> {
        self.check_reach()?;
        later.check_reach()?;
        let mut composed = Vec::new();
        let mut earlier = WrittenRange::all(self).peekable();
        let mut later = later.replacements.iter().peekable();
        let mut shift = OffsetShift::default();
        loop {
            let mut cluster = EditCluster::default();
            while let Some(side) = cluster.next_side(earlier.peek(), later.peek().copied()) {
                match side {
                    EditSide::Earlier => cluster.earlier.extend(earlier.next()),
                    EditSide::Later => cluster.later.extend(later.next()),
                }
                cluster.cover();
            }
            let Some(span) = cluster.span else {
                return Ok(Edit::ordered(composed));
            };
            let start = shift.back(span.start().get());
            for written in &cluster.earlier {
                shift.pass(written.by);
            }
            let end = shift.back(span.end().get());
            let replacement =
                Replacement::new(ByteRange::ordered(start, end), cluster.new_text(span)?);
            if !replacement.is_nothing() {
                composed.push(replacement);
            }
        }
    }

    /// Says no to offsets so large that counting from them could overflow.
    fn check_reach(&self) -> Result<(), ComposeError> {
        let asked = self
            .replacements
            .last()
            .map_or(ByteOffset::ZERO, |last| last.range.end());
        if asked.get() > isize::MAX as usize {
            return Err(ComposeError::BeyondAnyText { asked });
        }
        Ok(())
    }
}

/// A replacement of the earlier edit and the range it has written in the second text.
#[derive(Clone, Copy)]
struct WrittenRange<'a> {
    by: &'a Replacement,
    range: ByteRange,
}

impl<'a> WrittenRange<'a> {
    fn all(edit: &'a Edit) -> impl Iterator<Item = WrittenRange<'a>> {
        let mut shift = OffsetShift::default();
        edit.replacements.iter().map(move |by| {
            let start = shift.offset(by.range.start().get());
            shift.pass(by);
            let end = start.saturating_add(by.new_text.len());
            WrittenRange {
                by,
                range: ByteRange::ordered(start, end),
            }
        })
    }

    /// The text that this has written in a range of the second text.
    fn text_in(&self, range: ByteRange) -> Result<&'a str, ComposeError> {
        let from = self.range.start().get();
        let within = |offset: ByteOffset| offset.clamp(self.range.start(), self.range.end());
        let (start, end) = (within(range.start()), within(range.end()));
        self.by
            .new_text
            .get(start.get() - from..end.get() - from)
            .ok_or_else(|| {
                let cut = [start, end]
                    .into_iter()
                    .find(|at| !self.by.new_text.is_char_boundary(at.get() - from));
                ComposeError::CutsCharacter {
                    asked: cut.unwrap_or(start),
                }
            })
    }
}

#[derive(Clone, Copy)]
enum EditSide {
    Earlier,
    Later,
}

/// Replacements of both edits that overlap or touch, in the coordinates of the second text.
#[derive(Default)]
struct EditCluster<'a> {
    earlier: Vec<WrittenRange<'a>>,
    later: Vec<&'a Replacement>,
    span: Option<ByteRange>,
}

impl<'a> EditCluster<'a> {
    /// Which list has the next replacement of this cluster, if one has.
    fn next_side(
        &self,
        earlier: Option<&WrittenRange<'a>>,
        later: Option<&Replacement>,
    ) -> Option<EditSide> {
        let joins = |range: ByteRange| self.span.is_none_or(|span| span.touches(range));
        let earlier = earlier.map(|written| written.range);
        let later = later.map(|replacement| replacement.range);
        match (earlier, later) {
            (Some(earlier), Some(later)) if later.start() < earlier.start() => {
                joins(later).then_some(EditSide::Later)
            }
            (Some(earlier), _) => joins(earlier).then_some(EditSide::Earlier),
            (None, Some(later)) => joins(later).then_some(EditSide::Later),
            (None, None) => None,
        }
    }

    /// Widens the span to what was added last.
    fn cover(&mut self) {
        let ranges = [
            self.earlier.last().map(|written| written.range),
            self.later.last().map(|replacement| replacement.range),
        ];
        for range in ranges.into_iter().flatten() {
            let span = self.span.unwrap_or(range);
            self.span = Some(ByteRange::ordered(
                span.start().min(range.start()).get(),
                span.end().max(range.end()).get(),
            ));
        }
    }

    /// The text in the place of the span after the later edit.
    fn new_text(&self, span: ByteRange) -> Result<String, ComposeError> {
        let mut new_text = String::new();
        let mut earlier = &self.earlier[..];
        let mut done = span.start();
        for later in &self.later {
            keep(&mut new_text, &mut earlier, done, later.range.start())?;
            new_text.push_str(&later.new_text);
            done = later.range.end();
        }
        keep(&mut new_text, &mut earlier, done, span.end())?;
        Ok(new_text)
    }
}

/// Adds what the earlier edit wrote between two offsets, where the later one leaves it, and passes
/// what lies before.
fn keep(
    new_text: &mut String,
    earlier: &mut &[WrittenRange<'_>],
    start: ByteOffset,
    end: ByteOffset,
) -> Result<(), ComposeError> {
    while let Some((written, rest)) = earlier.split_first() {
        if end <= written.range.start() {
            break;
        }
        if let Ok(kept) = ByteRange::new(start.max(written.range.start()), end) {
            new_text.push_str(written.text_in(kept)?);
        }
        if end < written.range.end() {
            break;
        }
        *earlier = rest;
    }
    Ok(())
}
