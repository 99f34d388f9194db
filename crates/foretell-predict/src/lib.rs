//! A small language model that learns from a person's own code, and says how the line goes on.
//!
//! There is no download, no network and no file: it knows what is open and what was typed, and a set of
//! weights that says how much is given on which kind of likeness.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`predictor`] | [`Predictor`], told of documents and asked at a cursor |
//! | [`prediction`] | [`PredictedLine`] and [`Prediction`], what comes next and how much of it is said |
//! | `line_lexer`, `token_vocabulary` | a line as tokens, and tokens as numbers |
//! | `line_contexts` | in which respects two places are alike |
//! | `successor_table`, `learned_line` | what came after each context, and how a line is learned and forgotten |
//! | `document_lines`, `pending_lines` | a document, and what of it is still to be learned |
//! | `typed_lines`, `nearby_tokens` | the other scopes: the session, the code around |
//! | [`workspace_array`], [`array_writer`], [`workspace_scope`] | the code of the workspace, sorted, how it is made, and what it says |
//! | `token_mixer`, `mixer_weights` | what all contexts say together |
//! | `mixer_training` | what weights are made from, and how |
//! | `said_probability` | how often what was said came true |
//! | `fixed_point` | logarithms and powers in whole numbers |
//!
//! Kept: what it answers follows from what it was told and in which order, to the bit, on every machine.
//! What is deleted is forgotten at once. Memory is bounded, and so is the time of a question.
//!
//! Absent on purpose: a clock, files, the network, and any rule about when a suggestion is shown.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod array_writer;
mod document_lines;
mod fixed_point;
mod learned_line;
mod line_contexts;
mod line_lexer;
mod mixer_training;
mod mixer_weights;
mod nearby_tokens;
mod pending_lines;
pub mod prediction;
pub mod predictor;
mod said_probability;
mod successor_table;
mod token_mixer;
mod token_vocabulary;
mod typed_lines;
pub mod workspace_array;
pub mod workspace_scope;

pub use array_writer::{WorkspaceArrayBuilder, WorkspaceArrayWriter};
pub use document_lines::LineScreen;
pub use mixer_training::TrainingExamples;
pub use prediction::{Likelihood, PredictedLine, Prediction};
pub use predictor::{Predictor, is_right};
pub use typed_lines::DocumentHome;
pub use workspace_array::WorkspaceArray;
pub use workspace_scope::WorkspacePart;
