//! Feeds arbitrary bytes to model lanes, as the body of an answer. Run it with `cargo fuzz run model_streams`;
//! what it does is in `fuzz/bodies/model_streams.rs`, which a test runs too.
#![no_main]

#[path = "../bodies/model_streams.rs"]
mod body;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| body::model_streams(bytes));
