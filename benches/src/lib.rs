//! What Foretell's benchmarks share: timing in turns, a table a person can read, and documents.
//!
//! A benchmark here compares. What is measured and the plain thing it is compared with take turns
//! within one run, so that a noisy machine disturbs both alike, and the table shows their ratio. A
//! time by itself says more about the machine than about the code.
#![allow(
    clippy::print_stdout,
    reason = "a benchmark is a program whose output is its table"
)]

use std::path::{Path, PathBuf};

pub mod documents;
pub mod machine;
pub mod sources;
pub mod table;
pub mod timing;

/// Where recorded sessions are, if there are any.
pub fn traces() -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/traces");
    std::env::var_os("TEST_FORETELL_TRACES").map_or(beside, PathBuf::from)
}

/// The binary to measure: the one in the release directory, or in `TEST_FORETELL_BINARY`.
pub fn binary() -> Option<PathBuf> {
    if let Some(given) = std::env::var_os("TEST_FORETELL_BINARY") {
        return Some(PathBuf::from(given));
    }
    // This program is in `deps` beside it.
    let this = std::env::current_exe().ok()?;
    let beside = this.parent()?.parent()?.join("foretell");
    beside.is_file().then_some(beside)
}

/// Whether a measurement is asked for. `cargo test --benches` starts benchmarks too.
pub fn is_wanted() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}
