//! Every recorded session of the reference implementation, as a test of its own: its rejection
//! collector ([`rejections`]) and its auto-trigger ([`trigger`]).
//!
//! Shown as dots unless a name is asked for: `cargo test --test conformance -- flood`.
#![allow(
    clippy::print_stdout,
    reason = "a test harness tells the person what it is about to run"
)]

#[path = "conformance/rejections.rs"]
mod rejections;
#[path = "conformance/trigger.rs"]
mod trigger;

use std::path::Path;

use foretell_testkit::vectors;
use libtest_mimic::Arguments;
use serde::de::DeserializeOwned;

fn main() {
    let mut arguments = Arguments::from_args();
    let plain = arguments.filter.is_none() && arguments.format.is_none() && !arguments.list;
    arguments.quiet |= plain;

    let (mut trials, triggers) = (rejections::trials(), trigger::trials());
    if plain {
        // The last of each counts the others.
        println!("rejection_sessions: {} sessions", trials.len() - 1);
        println!("trigger_sessions: {} sessions", triggers.len() - 1);
    }
    trials.extend(triggers);
    libtest_mimic::run(&arguments, trials).exit();
}

/// The sessions of a file.
fn sessions<S: DeserializeOwned>(file: &str) -> Vec<S> {
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    vectors::read(&vectors.join(file).with_extension("json"))
}
