//! Repeat: stories of somebody who changes something, and of what is offered next.
#![allow(
    clippy::unwrap_used,
    reason = "a test may stop at what it did not expect"
)]

mod changes;
mod elsewhere;
mod going_on;
mod imports;
mod names;
mod story;
mod templates;
mod whole_lines;
