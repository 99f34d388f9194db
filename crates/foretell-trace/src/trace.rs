//! [`Trace`]: a recorded session as values, in bytes and ready to be replayed.
//!
//! Most lines are an [`Event`] as the machine takes it. The others are for the replay: a check
//! is a question, settings depend on what else is set, and how much of a suggestion was accepted
//! can only be counted in bytes once it is known what was suggested.

use foretell_core::{Event, Moment, RequestId, SuggestionId, SuggestionRequest};
use foretell_settings::RawSettings;
use foretell_text::{ByteOffset, DocumentId, Edit, OffsetError, Text, Utf16Offset};

/// A recorded session. [`Trace::read`] makes one.
#[derive(Clone, Debug)]
pub struct Trace {
    pub(crate) source: String,
    pub(crate) offsets: OffsetUnit,
    pub(crate) class: Option<String>,
    pub(crate) lines: Vec<TraceLine>,
    /// By number.
    pub(crate) requests: Vec<NamedRequest>,
}

impl Trace {
    /// Its name, as its reader was told.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The unit of its offsets.
    pub fn offsets(&self) -> OffsetUnit {
        self.offsets
    }

    /// The kind of example, where its header says so.
    pub fn class(&self) -> Option<&str> {
        self.class.as_deref()
    }

    /// Its lines, in order.
    pub fn lines(&self) -> &[TraceLine] {
        &self.lines
    }

    /// The name of a request, and its document.
    pub fn request(&self, id: RequestId) -> Option<&NamedRequest> {
        let index = usize::try_from(id.get()).ok()?;
        self.requests.get(index)
    }
}

/// A line of a trace.
#[derive(Clone, Debug)]
pub struct TraceLine {
    /// Its number in the trace, counted from 1; the header is line 1.
    pub number: usize,
    /// When it happened.
    pub at: Moment,
    /// Its content.
    pub what: LineContent,
}

impl TraceLine {
    /// The document it is about, if it is about one.
    pub fn document(&self) -> Option<&DocumentId> {
        match &self.what {
            LineContent::Event(
                Event::DocumentOpened { document, .. }
                | Event::DocumentChanged { document, .. }
                | Event::DocumentReplaced { document, .. }
                | Event::DocumentLost { document }
                | Event::DocumentClosed { document }
                | Event::DocumentFocused { document }
                | Event::DocumentSaved { document }
                | Event::SelectionChanged { document, .. }
                | Event::SecretsFound { document, .. }
                | Event::ExclusionKnown { document, .. }
                | Event::DocumentPaused { document, .. }
                | Event::DiagnosticsChanged { document, .. }
                | Event::SuggestionRequested(SuggestionRequest { document, .. })
                | Event::EditRejected { document, .. },
            )
            | LineContent::Check(EditCheck { document, .. })
            | LineContent::Expect(ExpectedEdit { document, .. }) => Some(document),
            LineContent::Event(_) | LineContent::Accepted { .. } | LineContent::Settings(_) => None,
        }
    }
}

/// The content of a line.
#[derive(Clone, Debug)]
pub enum LineContent {
    /// Something the machine is told.
    Event(Event),
    /// The person took a suggestion.
    Accepted {
        /// Which.
        suggestion: SuggestionId,
        /// How much of it, if not all, in what the trace counts.
        length: Option<usize>,
    },
    /// Whether an edit is rejected is asked.
    Check(EditCheck),
    /// Settings, those that are not named staying as they are.
    Settings(RawSettings),
    /// The person's next edit; a replay does nothing with it.
    Expect(ExpectedEdit),
}

/// A question whether an edit is rejected.
#[derive(Clone, Debug)]
pub struct EditCheck {
    /// In which document.
    pub document: DocumentId,
    /// The edit that would be suggested.
    pub edit: Edit,
    /// Whether it should be rejected, where the trace says so.
    pub expect: Option<bool>,
}

/// The person's next edit, or an opinion on suggesting it.
#[derive(Clone, Debug)]
pub struct ExpectedEdit {
    /// In which document.
    pub document: DocumentId,
    /// The edit; `None` if nothing should be suggested.
    pub edit: Option<Edit>,
    /// How good a suggestion it is.
    pub rank: ExpectedRank,
}

/// How good a suggestion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExpectedRank {
    /// The person did it.
    User,
    /// The author of the trace wants it.
    Expected,
    /// It is what was committed in the end.
    Commit,
    /// It is the next thing to do.
    NextEdit,
    /// It is one of the things to do.
    Valid,
    /// It is wrong.
    Bad,
}

impl ExpectedRank {
    /// All of them, with the names that traces give them.
    pub(crate) const NAMES: [(&'static str, ExpectedRank); 6] = [
        ("user", ExpectedRank::User),
        ("expected", ExpectedRank::Expected),
        ("commit", ExpectedRank::Commit),
        ("nextEdit", ExpectedRank::NextEdit),
        ("valid", ExpectedRank::Valid),
        ("bad", ExpectedRank::Bad),
    ];

    /// As it is written in traces.
    pub fn name(self) -> &'static str {
        let named = ExpectedRank::NAMES
            .into_iter()
            .find(|(_, rank)| *rank == self);
        named.map_or("", |(name, _)| name)
    }

    /// Whether suggesting it is right.
    pub const fn is_right(self) -> bool {
        !matches!(self, ExpectedRank::Bad)
    }
}

/// A request that a trace names.
#[derive(Clone, Debug)]
pub struct NamedRequest {
    /// Its name in the trace.
    pub name: String,
    /// Which document it is about, unless the trace never says.
    pub document: Option<DocumentId>,
}

/// The unit of a trace's offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffsetUnit {
    /// Code units of UTF-16, as editors count.
    Utf16,
    /// Bytes of UTF-8.
    Utf8,
}

impl OffsetUnit {
    pub(crate) const NAMES: [(&'static str, OffsetUnit); 2] =
        [("utf-16", OffsetUnit::Utf16), ("utf-8", OffsetUnit::Utf8)];

    /// The place in a text that a trace means by a number.
    pub(crate) fn place(self, text: &Text, number: usize) -> Result<ByteOffset, OffsetError> {
        match self {
            OffsetUnit::Utf16 => text.byte_of(Utf16Offset::new(number)),
            OffsetUnit::Utf8 => {
                let offset = ByteOffset::new(number);
                text.check(offset).map(|()| offset)
            }
        }
    }

    /// The number that a trace has for a place in a text.
    pub(crate) fn number(self, text: &Text, place: ByteOffset) -> Result<usize, OffsetError> {
        match self {
            OffsetUnit::Utf16 => text.utf16_of(place).map(Utf16Offset::get),
            OffsetUnit::Utf8 => Ok(place.get()),
        }
    }

    /// How many bytes the first so many units of a text are. A count that ends within a character
    /// takes all of it.
    pub(crate) fn bytes_of(self, text: &str, units: usize) -> usize {
        let mut counted = 0;
        text.chars()
            .take_while(|c| {
                let is_within = counted < units;
                counted += match self {
                    OffsetUnit::Utf16 => c.len_utf16(),
                    OffsetUnit::Utf8 => c.len_utf8(),
                };
                is_within
            })
            .map(char::len_utf8)
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_what_was_accepted_is_counted_in_the_unit_of_the_trace() {
        let text = "a😀é";
        let utf16: Vec<usize> = (0..=5)
            .map(|units| OffsetUnit::Utf16.bytes_of(text, units))
            .collect();
        assert_eq!(utf16, [0, 1, 5, 5, 7, 7]);
        let utf8: Vec<usize> = [0, 1, 5, 7, 9]
            .map(|units| OffsetUnit::Utf8.bytes_of(text, units))
            .to_vec();
        assert_eq!(utf8, [0, 1, 5, 7, 7]);
    }
}
