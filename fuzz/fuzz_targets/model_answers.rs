//! Feeds arbitrary bytes to model lanes, as what a server answers. Run it with `cargo fuzz run model_answers`;
//! what it does is in `fuzz/bodies/model_answers.rs`, which a test runs too.
#![no_main]

#[path = "../bodies/model_answers.rs"]
mod body;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| body::model_answers(bytes));
