//! The language server under stress: clients that say everything in any order, and clients that say
//! nonsense. Whatever they do, every request is answered exactly once, and the server ends.
//!
//! All of it is in one process, on a clock that stands still until nobody has anything to do, so that
//! hours of a session pass in no time. What needs the real process is in `foretell`'s own tests.
#![allow(
    clippy::panic,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "this is how a test fails, and how it says what it has done"
)]

mod interleavings;
mod ledger;
mod nonsense;
mod random;
mod steps;
