//! Where in a document the person is writing just now.
//!
//! What stands at the cursor right after a key is mostly half of something. It is finished once the cursor
//! has gone elsewhere. Editors tell of the cursor after the change that moved it, and some never do.

use foretell_text::{ByteOffset, ByteRange, Edit, OffsetBias};

/// The place at which a text is being written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum TypingPlace {
    /// Nowhere: the cursor has moved since.
    #[default]
    Nowhere,
    /// This was typed, and the cursor is where that has left it.
    In(ByteRange),
    /// The same, and the editor has said where.
    At(ByteOffset),
}

impl TypingPlace {
    /// The place at which an edit puts in its last text, in the text after it.
    pub(crate) fn of(edit: &Edit) -> Self {
        edit.replacements()
            .last()
            .map_or(TypingPlace::Nowhere, |part| {
                let start = edit.map_offset(part.range().start(), OffsetBias::Before);
                let end = ByteOffset::new(start.get().saturating_add(part.new_text().len()));
                TypingPlace::In(ByteRange::new(start, end).unwrap_or_default())
            })
    }

    /// The editor says where the cursor is. Says whether it has left the place.
    pub(crate) fn see(&mut self, cursor: Option<ByteOffset>) -> bool {
        let before = *self;
        *self = match (*self, cursor) {
            (TypingPlace::In(typed), Some(at)) if typed.touches(ByteRange::empty(at)) => {
                TypingPlace::At(at)
            }
            (TypingPlace::At(before), Some(at)) if before == at => TypingPlace::At(at),
            _ => TypingPlace::Nowhere,
        };
        before != TypingPlace::Nowhere && *self == TypingPlace::Nowhere
    }

    /// Whether a range is being typed, given where the cursor is said to be.
    pub(crate) fn is_in(self, range: ByteRange, cursor: ByteOffset) -> bool {
        let is_here = match self {
            TypingPlace::Nowhere => false,
            TypingPlace::In(typed) => typed.touches(ByteRange::empty(cursor)),
            TypingPlace::At(at) => at == cursor,
        };
        is_here && range.touches(ByteRange::empty(cursor))
    }
}
