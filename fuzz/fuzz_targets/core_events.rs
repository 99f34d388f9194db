//! Feeds arbitrary bytes to the machine, as events. Run it with `cargo fuzz run core_events`; what it
//! does is in `foretell_testkit::events`, which the tests run too.
#![no_main]

use foretell_testkit::events;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| events::core_events(bytes));
