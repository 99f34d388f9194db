//! Filling in at the cursor: what a model is told, and what becomes of what it says, without a server.

#![allow(
    clippy::unwrap_used,
    reason = "a story that does not fit is a mistake in the test"
)]

mod anything;
mod asking;
mod large;
mod stage;
mod writing;
