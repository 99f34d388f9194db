//! Text, offsets and edits that are right in every encoding.
//!
//! Everything in Foretell stands on this crate: a suggestion at the wrong offset is worse than none,
//! and the algebra of edits decides whether a rejected suggestion is recognised after the document
//! moved on.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`offset`] | offsets and ranges, each unit a type of its own |
//! | [`text`] | [`Text`], an immutable snapshot of a document, and why it is the rope it is |
//! | [`position`] | lines, columns and UTF-16: the only code that converts |
//! | [`edit`] | [`Edit`], what changes a text, and its algebra |
//! | [`plain`] | characters that are not what they seem |
//! | [`document`], [`file_path`](mod@file_path), [`diagnostic`], [`recent_edit`], [`code_chunk`], [`context_piece`], [`lane_kind`], [`probability`], [`cursor_prediction`] | the nouns that every other crate shares |
//! | [`language`] | facts about languages: one table that every crate reads |
//! | [`code_tokens`] | code as words, marks, strings and comments, in any language |
//! | [`decode`](mod@decode) | bytes of a file as text |
//! | [`poisoned_lock`] | locks whose holder has panicked |
//! | [`glob`] | how much of a glob anybody compiles |
//!
//! ```
//! use foretell_text::{Edit, Replacement, Text, Utf16Offset};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let text = Text::from("let 😀 = 1;");
//! // An editor counts in UTF-16; from here on everything is bytes.
//! let at = text.byte_of(Utf16Offset::new(6))?;
//! let mut suggestion = Edit::from(Replacement::insertion(at, ": u8"));
//! assert_eq!(suggestion.apply(&text)?.to_string(), "let 😀: u8 = 1;");
//!
//! // The person adds a line above, and the suggestion moves along.
//! let typed = Edit::from(Replacement::insertion(Default::default(), "// why\n"));
//! let text = typed.apply(&text)?;
//! suggestion.rebase_over(&typed)?;
//! assert_eq!(suggestion.to_string(), r#"[15, 15) -> ": u8""#);
//!
//! // Another way to write the same suggestion has the same effect.
//! let line = text.line(1)?;
//! let rewritten = Edit::from(Replacement::new(line, "let 😀: u8 = 1;"));
//! assert_eq!(rewritten.effect(&text)?, suggestion.effect(&text)?);
//! # Ok(())
//! # }
//! ```
//!
//! Absent on purpose: what is open, time, people, and the types of any protocol.
//! Nothing here fails but by returning an error, and nothing panics on what it is given.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod code_chunk;
pub mod code_tokens;
pub mod context_piece;
pub mod cursor_prediction;
pub mod decode;
pub mod diagnostic;
pub mod document;
pub mod edit;
pub mod file_path;
pub mod glob;
pub mod lane_kind;
pub mod language;
pub mod offset;
pub mod plain;
pub mod poisoned_lock;
pub mod position;
pub mod probability;
pub mod recent_edit;
pub mod text;

pub use code_chunk::{ChunkKind, CodeChunk, CodeSearch, CodeSearchError, NoCode};
pub use context_piece::{ContextPiece, SECTION_SEPARATOR, ToldSection};
pub use cursor_prediction::{CodePlace, CursorPrediction, PredictionAsk};
pub use decode::{DecodeError, decode};
pub use diagnostic::{Diagnostic, DiagnosticFix, DiagnosticSeverity, FixStanding};
pub use document::{DocumentId, Language, Version};
pub use edit::carry::{CarryAgreement, ChangeElsewhere};
pub use edit::compose::ComposeError;
pub use edit::effect::Effect;
pub use edit::map::OffsetBias;
pub use edit::rebase::RebaseConflict;
pub use edit::trim::CommonEnds;
pub use edit::{Edit, EditMisfit, Replacement, ReplacementOrderError};
pub use file_path::FilePath;
pub use glob::{GlobExcess, is_wild_glob, measure_glob};
pub use lane_kind::{
    FailureKind, LaneCandidate, LaneFailure, LaneKind, LaneSpeed, PerLane, TokenUsage,
};
pub use offset::{ByteOffset, ByteRange, ReversedRange, Utf16Offset};
pub use poisoned_lock::PoisonedLock;
pub use position::{Position, PositionEncoding, PositionError};
pub use probability::TextProbability;
pub use recent_edit::{ChangeReason, EditMoment, RecentEdit, RefusedChange, edit_moments};
pub use text::{OffsetError, Text, TextUnit};
