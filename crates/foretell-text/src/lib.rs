//! Text, offsets and edits that are right in every encoding.
//!
//! Everything in Foretell stands on this crate: a suggestion at the wrong offset is worse than none,
//! and the algebra of edits decides whether a rejected suggestion is recognised after the document
//! moved on.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`offset`] | offsets and ranges, each unit a type of its own |
//! | [`text`] | [`Text`], an immutable snapshot of a document |
//! | [`position`] | lines, columns and UTF-16: the only code that converts |
//! | [`edit`] | [`Edit`], what changes a text, and its algebra |
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod edit;
pub mod offset;
pub mod position;
pub mod text;

pub use edit::carry::Agreement;
pub use edit::effect::Effect;
pub use edit::map::Bias;
pub use edit::{ComposeError, Conflict, DoesNotFit, Edit, OutOfOrder, Replacement};
pub use offset::{ByteOffset, ByteRange, ReversedRange, Utf16Offset};
pub use position::{Encoding, Position, PositionError};
pub use text::{OffsetError, Text, Unit};
