//! Next edits and fixes by chat, without a server: what is told, and what becomes of answers.
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on says so by breaking"
)]

mod answers;
mod fragments;
mod frames;
mod patches;
mod properties;
mod questions;
mod secrecy;
mod stage;
