//! Feeds arbitrary bytes to replays, as recorded sessions. Run it with `cargo fuzz run traces`;
//! what it does is in `fuzz/bodies/traces.rs`, which a test runs too.
#![no_main]

#[path = "../bodies/traces.rs"]
mod body;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| body::traces(bytes));
