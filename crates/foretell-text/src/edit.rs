//! [`Replacement`] and [`Edit`]: what changes a text, as a value.
//!
//! An `Edit` is a list of replacements, sorted and disjoint, all in the coordinates of the text
//! before. That order is checked once, when it is built, and every operation keeps it. Replacements
//! may touch, and several insertions may share an offset; they then go in the order of the list.
//!
//! An edit does not know its text. Operations that need one take it, and answer [`EditMisfit`] when
//! the edit reaches past its end or into the middle of a character. Operations that need none are
//! total: any edits at all, made for any texts, give a value and never a panic.
//!
//! The operations have a file each, since each is an algorithm with laws of its own: [`compose`],
//! [`rebase`], [`trim`], [`effect`], [`map`], [`carry`]. Time, documents and people are absent: an
//! edit that was suggested and one that was typed are the same thing here.

mod agreeing_ends;
pub mod carry;
pub mod compose;
pub mod effect;
pub mod map;
pub mod rebase;
pub mod trim;

use std::fmt;
use std::sync::Arc;

use crate::offset::{ByteOffset, ByteRange};
use crate::text::{OffsetError, Text};

/// One stretch of a text and what takes its place.
///
/// Cloning it does not copy the new text: an edit is remembered, recorded and answered in several
/// places.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Replacement {
    range: ByteRange,
    new_text: Arc<str>,
}

impl Replacement {
    /// Puts `new_text` in the place of `range`.
    pub fn new(range: ByteRange, new_text: impl Into<Arc<str>>) -> Self {
        Replacement {
            range,
            new_text: new_text.into(),
        }
    }

    /// Puts `new_text` at an offset and removes nothing.
    pub fn insertion(at: ByteOffset, new_text: impl Into<Arc<str>>) -> Self {
        Replacement::new(ByteRange::empty(at), new_text)
    }

    /// Removes `range` and puts nothing in its place.
    pub fn deletion(range: ByteRange) -> Self {
        Replacement::new(range, "")
    }

    /// The range that is replaced, in the text before.
    pub fn range(&self) -> ByteRange {
        self.range
    }

    /// The text that takes its place.
    pub fn new_text(&self) -> &str {
        &self.new_text
    }

    /// Whether it neither removes nor inserts.
    pub fn is_nothing(&self) -> bool {
        self.range.is_empty() && self.new_text.is_empty()
    }
}

/// `[7, 7) -> ": number"`
impl fmt::Display for Replacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {:?}", self.range, self.new_text)
    }
}

/// Where it is and how long the new text: what people type does not belong in a log.
impl fmt::Debug for Replacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {} bytes", self.range, self.new_text.len())
    }
}

/// A change of a text: replacements, sorted and disjoint, in the coordinates of the text before.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edit {
    replacements: Vec<Replacement>,
}

impl Edit {
    /// The edit that makes these replacements at once, or an error if they are not in order or
    /// overlap.
    pub fn new(replacements: Vec<Replacement>) -> Result<Self, ReplacementOrderError> {
        for (index, pair) in replacements.windows(2).enumerate() {
            let (before, after) = (pair[0].range, pair[1].range);
            if before.end() > after.start() {
                return Err(ReplacementOrderError {
                    index: index + 1,
                    before,
                    after,
                });
            }
        }
        Ok(Edit { replacements })
    }

    /// The edit that changes nothing.
    pub const fn empty() -> Self {
        Edit {
            replacements: Vec::new(),
        }
    }

    /// Its replacements, in order.
    pub fn replacements(&self) -> &[Replacement] {
        &self.replacements
    }

    /// Whether it has no replacements that remove or insert anything. One that replaces text by the
    /// same text is not nothing; see [`Edit::effect`] for that.
    pub fn is_nothing(&self) -> bool {
        self.replacements.iter().all(Replacement::is_nothing)
    }

    /// The text after this edit.
    pub fn apply(&self, text: &Text) -> Result<Text, EditMisfit> {
        let places = self.fit(text)?;
        let mut rope = text.rope().clone();
        // From the back, so that what comes before stays where it is.
        for (replacement, (start, end)) in self.replacements.iter().zip(places).rev() {
            if start < end {
                rope.remove(start..end);
            }
            if !replacement.new_text.is_empty() {
                rope.insert(start, &replacement.new_text);
            }
        }
        Ok(Text::from_rope(rope))
    }

    /// The edit that takes the text after this edit back to `text`.
    pub fn inverse(&self, text: &Text) -> Result<Edit, EditMisfit> {
        self.check(text)?;
        let mut shift = map::OffsetShift::default();
        let replacements = self
            .replacements
            .iter()
            .map(|replacement| {
                let start = shift.offset(replacement.range.start().get());
                shift.pass(replacement);
                let range = ByteRange::ordered(start, start + replacement.new_text.len());
                Replacement::new(range, text.read_checked(replacement.range))
            })
            .collect();
        Ok(Edit { replacements })
    }

    /// Makes this an edit of a text in which what was at `from` is at `to`: for one that lies behind
    /// a change, for working on a piece of a text, and for taking what came of it back to the whole.
    pub fn relocate(&mut self, from: ByteOffset, to: ByteOffset) {
        let at = |offset: ByteOffset| {
            let behind = offset.get().saturating_sub(from.get());
            behind.saturating_add(to.get())
        };
        for replacement in &mut self.replacements {
            let (start, end) = (replacement.range.start(), replacement.range.end());
            replacement.range = ByteRange::ordered(at(start), at(end));
        }
    }

    /// The same edit in such a text.
    pub fn relocated(&self, from: ByteOffset, to: ByteOffset) -> Edit {
        let mut edit = self.clone();
        edit.relocate(from, to);
        edit
    }

    /// From the start of its first replacement to the end of its last; nothing for an empty edit.
    pub fn span(&self) -> Option<ByteRange> {
        let (first, last) = (self.replacements.first()?, self.replacements.last()?);
        let (start, end) = (first.range.start().get(), last.range.end().get());
        Some(ByteRange::ordered(start, end))
    }

    /// Says no unless every replacement fits the text.
    fn check(&self, text: &Text) -> Result<(), EditMisfit> {
        for (index, replacement) in self.replacements.iter().enumerate() {
            text.check_range(replacement.range)
                .map_err(|source| EditMisfit::at(index, replacement, source))?;
        }
        Ok(())
    }

    /// The ranges of all replacements in characters, which is how the rope counts.
    fn fit(&self, text: &Text) -> Result<Vec<(usize, usize)>, EditMisfit> {
        let place = |range: ByteRange| {
            let start = text.chars_before(range.start())?;
            let end = if range.is_empty() {
                start
            } else {
                text.chars_before(range.end())?
            };
            Ok((start, end))
        };
        self.replacements
            .iter()
            .enumerate()
            .map(|(index, replacement)| {
                place(replacement.range)
                    .map_err(|source| EditMisfit::at(index, replacement, source))
            })
            .collect()
    }

    /// For the algebra, which has counted: sorted and disjoint.
    fn ordered(replacements: Vec<Replacement>) -> Self {
        let edit = Edit { replacements };
        edit.assert_invariants();
        edit
    }

    /// Checks in debug builds what every operation keeps: sorted and disjoint.
    fn assert_invariants(&self) {
        debug_assert!(
            self.replacements
                .windows(2)
                .all(|pair| pair[0].range.end() <= pair[1].range.start()),
            "replacements out of order: {self}"
        );
    }
}

impl From<Replacement> for Edit {
    fn from(replacement: Replacement) -> Self {
        Edit {
            replacements: vec![replacement],
        }
    }
}

/// `[7, 7) -> ": number"`, several separated by commas, or `nothing`.
impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, rest)) = self.replacements.split_first() else {
            return f.write_str("nothing");
        };
        write!(f, "{first}")?;
        rest.iter()
            .try_for_each(|replacement| write!(f, ", {replacement}"))
    }
}

/// An edit was to be built of replacements that are not sorted, or that overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("replacement {index} of the edit is at {after}, but the one before it is at {before}")]
pub struct ReplacementOrderError {
    /// The place in the list of the first one that is wrong, counted from zero.
    pub index: usize,
    /// The range of the one before it.
    pub before: ByteRange,
    /// Its own range.
    pub after: ByteRange,
}

/// An edit was used on a text that does not have the places it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("replacement {index} of the edit, at {range}, does not fit the text")]
pub struct EditMisfit {
    /// The place in the list of the first one that does not fit, counted from zero.
    pub index: usize,
    /// Its range.
    pub range: ByteRange,
    /// Which offset does not fit, and what the text is.
    pub source: OffsetError,
}

impl EditMisfit {
    fn at(index: usize, replacement: &Replacement, source: OffsetError) -> Self {
        EditMisfit {
            index,
            range: replacement.range,
            source,
        }
    }
}
