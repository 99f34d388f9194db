//! Filling in at the cursor: what a model is told, and what becomes of what it says, without a server.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a story that does not fit is a mistake in the test, and what it took is worth seeing"
)]

mod anything;
mod asking;
mod large;
mod stage;
mod staying;
mod writing;
