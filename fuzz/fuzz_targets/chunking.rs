//! Feeds arbitrary bytes to the index, as files of a workspace. Run it with `cargo fuzz run chunking`;
//! what it does is in `fuzz/bodies/chunking.rs`, which a test runs too.
#![no_main]

#[path = "../bodies/chunking.rs"]
mod body;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| body::chunking(bytes));
