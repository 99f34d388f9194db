//! The documents of a trace while it is read: their texts, so that every offset is checked against
//! the text as it is at that line, and converted to bytes once.
//!
//! A document that is not open has no text. Lines about it are taken at their word, a unit for
//! a byte: the machine will turn the line away, and nothing is ever counted in it.

use std::collections::BTreeMap;

use foretell_text::{
    ByteOffset, ByteRange, DocumentId, Edit, OffsetError, Replacement, Text, Version,
};

use super::line_fields::{FieldPath, LineField};
use super::problem::TraceProblem;
use crate::trace::OffsetUnit;

/// A place that no text has, with room behind it to count on.
const NOWHERE: ByteOffset = ByteOffset::new(usize::MAX / 2);

/// An edit that fits no text.
pub(super) fn nowhere() -> Edit {
    Replacement::insertion(NOWHERE, "?").into()
}

/// Every document that was named so far.
pub(super) struct TraceDocuments {
    offsets: OffsetUnit,
    by_uri: BTreeMap<String, TraceDocument>,
}

pub(super) struct TraceDocument {
    pub(super) id: DocumentId,
    /// While it is open.
    pub(super) text: Option<Text>,
    version: i64,
    /// Whether the machine no longer follows it, until its whole text is sent again.
    is_lost: bool,
}

impl TraceDocuments {
    pub(super) fn new(offsets: OffsetUnit) -> Self {
        TraceDocuments {
            offsets,
            by_uri: BTreeMap::new(),
        }
    }

    /// The document of a URI, which need not be open.
    pub(super) fn named(&mut self, uri: &str) -> &mut TraceDocument {
        if !self.by_uri.contains_key(uri) {
            let document = TraceDocument {
                id: DocumentId::new(uri),
                text: None,
                version: 0,
                is_lost: false,
            };
            self.by_uri.insert(uri.to_owned(), document);
        }
        self.by_uri
            .get_mut(uri)
            .expect("a document that was just put there")
    }

    /// The text of a document, if it is open.
    pub(super) fn text(&self, document: &DocumentId) -> Option<&Text> {
        self.by_uri.get(document.as_str())?.text.as_ref()
    }

    /// A place in a text; `null` is one that it does not have.
    pub(super) fn place(
        &self,
        text: Option<&Text>,
        field: &LineField<'_>,
    ) -> Result<ByteOffset, TraceProblem> {
        if field.is_null() {
            return Ok(NOWHERE);
        }
        self.fit(text, field.count()?, field.path())
    }

    /// From `at`, and as much as `length` says, in an object.
    pub(super) fn range(
        &self,
        text: Option<&Text>,
        at: &LineField<'_>,
        length: &LineField<'_>,
    ) -> Result<ByteRange, TraceProblem> {
        let start = self.place(text, at)?;
        let length_here = length.count()?;
        if length_here == 0 {
            return Ok(ByteRange::empty(start));
        }
        let end = at.count()?.saturating_add(length_here);
        let end = self.fit(text, end, length.path())?;
        Ok(ordered(start, end))
    }

    /// Two places in either order: a selection may be made backwards.
    pub(super) fn selection(
        &self,
        text: Option<&Text>,
        field: &LineField<'_>,
    ) -> Result<ByteRange, TraceProblem> {
        let mut ends = field.items()?;
        match (ends.next(), ends.next(), ends.len()) {
            (Some(anchor), Some(cursor), 0) => {
                let (anchor, cursor) = (self.place(text, &anchor)?, self.place(text, &cursor)?);
                Ok(ordered(anchor, cursor))
            }
            _ => Err(field.wrong("a list of two offsets")),
        }
    }

    /// One change.
    pub(super) fn change(
        &self,
        text: Option<&Text>,
        field: &LineField<'_>,
    ) -> Result<Replacement, TraceProblem> {
        let change = field.object()?;
        let (at, delete) = (change.required("at")?, change.required("delete")?);
        let range = self.range(text, &at, &delete)?;
        Ok(Replacement::new(range, change.text("insert")?))
    }

    /// A list of changes.
    pub(super) fn changes(
        &self,
        text: Option<&Text>,
        field: &LineField<'_>,
    ) -> Result<Edit, TraceProblem> {
        let changes: Result<Vec<_>, _> = field
            .items()?
            .map(|change| self.change(text, &change))
            .collect();
        Edit::new(changes?).map_err(|wrong| TraceProblem::OutOfOrder {
            field: format!("{}[{}]", field.path(), wrong.index),
        })
    }

    fn fit(
        &self,
        text: Option<&Text>,
        number: usize,
        path: &FieldPath<'_>,
    ) -> Result<ByteOffset, TraceProblem> {
        let Some(text) = text else {
            return Ok(ByteOffset::new(number));
        };
        let place = self.offsets.place(text, number);
        place.map_err(|why: OffsetError| TraceProblem::DoesNotFit {
            field: path.to_string(),
            why,
        })
    }
}

impl TraceDocument {
    /// Takes note of a new text, or that there is none, and gives the version it has by that.
    pub(super) fn becomes(&mut self, text: Option<Text>) -> Version {
        self.version += 1;
        self.text = text;
        self.is_lost = false;
        self.version()
    }

    /// The same for a text that follows from the one before, which the machine only takes note of
    /// while it is in step.
    pub(super) fn changes_to(&mut self, text: Option<Text>) -> Version {
        if self.is_lost {
            self.version()
        } else {
            self.becomes(text)
        }
    }

    /// Takes note that the machine follows it no further than to a text.
    pub(super) fn mark_lost(&mut self, text: Option<Text>) -> Version {
        if !self.is_lost {
            self.is_lost = text.is_some();
            self.text = text;
        }
        self.version()
    }

    /// Which text the machine holds.
    pub(super) fn version(&self) -> Version {
        Version::new(self.version)
    }
}

fn ordered(one: ByteOffset, other: ByteOffset) -> ByteRange {
    ByteRange::new(one.min(other), one.max(other)).unwrap_or_default()
}
