//! Feeds arbitrary bytes to the server, as messages of an editor. Run it with `cargo fuzz run lsp_messages`;
//! what it does is in `fuzz/bodies/lsp_messages.rs`, which a test runs too.
#![no_main]

#[path = "../bodies/lsp_messages.rs"]
mod body;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| body::lsp_messages(bytes));
