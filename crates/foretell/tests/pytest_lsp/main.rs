//! A client that nobody here wrote: pytest-lsp, with the types of lsprotocol, and what the server says
//! to it.
//!
//! `.ci/pytest-lsp DIRECTORY` unpacks it and prints its path; TEST_FORETELL_PYTEST_LSP says which to
//! use. The stories are in Python, beside this; each is run for itself, so that it fails by its name.
//! What was said is shown with `--nocapture`, and kept in the directory of TEST_FORETELL_TRANSCRIPTS.

#[path = "../support/client.rs"]
mod client;

use std::fs;
use std::io::Read;
use std::path::Path;
#[cfg(unix)]
use std::process::Command;
use std::process::Stdio;
#[cfg(unix)]
use std::time::Duration;

use client::{Mortal, Place};

/// Runs the stories of a file whose names have this in them.
fn tell(file: &str, story: &str) {
    let how_to_get = "`.ci/pytest-lsp DIRECTORY` gets one for it";
    let Some(program) = client::find("TEST_FORETELL_PYTEST_LSP", "", |_| false, how_to_get) else {
        return;
    };
    let stories = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pytest_lsp");
    let place = Place::new(&format!("pytest-{story}"), &["said", "report", "errors"]);
    let errors = fs::File::create(place.path().join("errors")).expect("a file for a test");
    let mut process = place
        .command(&program)
        .args(["-p", "no:cacheprovider", "--tb=short"])
        .args(["-o", "asyncio_default_fixture_loop_scope=function"])
        // What it takes for a breach of the standard.
        .args(["-W", "error::pytest_lsp.LspSpecificationWarning"])
        .arg("--rootdir")
        .arg(&stories)
        .arg(stories.join(file))
        .args(["-k", story])
        .env("TEST_FORETELL_SERVER", env!("CARGO_BIN_EXE_foretell"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(errors)
        .spawn()
        .expect("pytest starts");
    let mut reports = process.stdout.take().expect("it is piped");
    let process = Mortal::new(process);
    let mut report = String::new();
    let read = reports.read_to_string(&mut report);
    place.write("report", &report);
    assert!(
        read.is_ok() && process.succeeds(),
        "see what pytest reports"
    );
}

#[test]
#[cfg(unix)]
fn a_client_that_has_said_all_and_hangs_is_ended() {
    let hangs = Command::new("sleep")
        .arg("30")
        .stdout(Stdio::null())
        .spawn();
    let hangs = hangs.expect("sleep starts");
    assert!(!Mortal::living(hangs, Duration::from_millis(50)).succeeds());
}

#[test]
fn typed_into_typed_over_and_accepted_as_in_three_editors() {
    tell("test_session.py", "typed_into");
}

#[test]
fn what_was_rejected_is_never_seen_again() {
    tell("test_session.py", "rejected");
}

#[test]
fn what_was_typed_over_three_times_is_not_offered_again() {
    tell("test_session.py", "three_times");
}

#[test]
fn a_server_that_is_killed_is_started_anew() {
    tell("test_session.py", "killed");
}

#[test]
fn what_is_superseded_and_taken_back() {
    tell("test_session.py", "superseded");
}

#[test]
fn settings_watched_files_and_progress_as_the_standard_has_them() {
    tell("test_conformance.py", "settings");
}

#[test]
fn every_command_and_what_is_traced_as_the_standard_has_them() {
    tell("test_conformance.py", "every_command");
}

#[test]
fn nothing_is_asked_that_the_client_cannot_do() {
    tell("test_conformance.py", "cannot_do");
}
