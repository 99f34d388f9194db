//! Feeds arbitrary bytes to settings, as files, messages and variables. Run it with `cargo fuzz run settings_files`;
//! what it does is in `fuzz/bodies/settings_files.rs`, which a test runs too.
#![no_main]

#[path = "../bodies/settings_files.rs"]
mod body;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| body::settings_files(bytes));
