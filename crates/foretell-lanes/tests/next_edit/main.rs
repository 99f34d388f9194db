//! Models for next edits, without a server: what each is told to the byte, and what becomes of answers.
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on says so by breaking"
)]

mod answers;
mod broken_answers;
mod cursor_after;
mod desk;
mod golden_prompts;
mod larger_prompts;
mod no_answer_does_harm;
mod reached;
mod server_choice;
