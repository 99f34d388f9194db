//! Feeds arbitrary bytes to the redactor, as a text and an answer. Run it with `cargo fuzz run redaction`;
//! what it does is in `fuzz/bodies/redaction.rs`, which a test runs too.
#![no_main]

#[path = "../bodies/redaction.rs"]
mod body;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| body::redaction(bytes));
