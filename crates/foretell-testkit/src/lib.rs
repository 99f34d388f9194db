//! The tools that Foretell's tests and benchmarks share. A dev-dependency only: nothing that is shipped may
//! reach it.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`story_editor`] | an editor with one person in it, driving the machine |
//! | [`events`] | arbitrary bytes as events: the body of a fuzz target and of the long session |
//! | [`hostile_pieces`] | texts that take long to read for secrets |
//! | `lane_requests` | requests to a lane, and redactors to go with them; behind the feature `lanes` |
//! | [`string_model`] | the plainest possible implementation of text and edits, to compare with |
//! | `model_server` | a model server that does what a script says; behind a feature of that name |
//! | [`nonsense`] | a language client that says nonsense, as bytes |
//! | [`planted_secrets`] | secrets in files that look like people's own: what redaction is measured with |
//! | [`standing_promises`] | what a machine keeps in every session, whoever drives it |
//! | [`strategies`] | random texts and edits, with everything in them that goes wrong |
//! | [`torture`] | arbitrary bytes as edits and positions: the body of a fuzz target |
//! | [`vectors`] | recorded inputs and outputs of the reference implementation |
//! | [`written_settings`] | settings as a person writes them |
#![allow(
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test that is wrong about its own input should stop at once and say where"
)]

pub mod events;
pub mod hostile_pieces;
#[cfg(feature = "lanes")]
pub mod lane_requests;
#[cfg(feature = "model-server")]
pub mod model_server;
pub mod nonsense;
pub mod planted_secrets;
pub mod standing_promises;
pub mod story_editor;
pub mod strategies;
pub mod string_model;
pub mod torture;
pub mod vectors;
pub mod written_settings;

/// A text that a test compares with, and that `UPDATE_EXPECT=1 cargo test` writes anew where it stands.
pub use expect_test::{Expect, expect};
