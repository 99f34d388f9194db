//! Feeds arbitrary bytes to text and edits, as edits and positions. Run it with
//! `cargo fuzz run text_and_edits`; what it does is in `foretell_testkit::torture`, which the tests
//! run too.
#![no_main]

use foretell_testkit::torture;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| torture::text_and_edits(bytes));
