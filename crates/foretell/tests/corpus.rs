//! What fuzzing has found, and what it begins with: every input of `fuzz/corpus`, through the same code
//! that the fuzz targets run, so that a mistake that was found once stays found without a fuzzer.
#![allow(
    clippy::panic,
    clippy::print_stdout,
    reason = "a test tells which input it is about, and this is how it fails"
)]

#[path = "../../../fuzz/bodies/chunking.rs"]
mod chunking;
#[path = "../../../fuzz/bodies/lsp_messages.rs"]
mod lsp_messages;
#[path = "../../../fuzz/bodies/model_answers.rs"]
mod model_answers;
#[path = "../../../fuzz/bodies/model_streams.rs"]
mod model_streams;
#[path = "../../../fuzz/bodies/redaction.rs"]
mod redaction;
#[path = "../../../fuzz/bodies/settings_files.rs"]
mod settings_files;
#[path = "../../../fuzz/bodies/traces.rs"]
mod traces;

use std::collections::BTreeSet;
use std::fs;
use std::panic::{RefUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use foretell_testkit::{events, torture};

/// The directory of the fuzz targets.
fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// The names in a directory.
fn names(directory: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(directory).unwrap_or_else(|why| panic!("{directory:?}: {why}"));
    let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    entries
        .map(|entry| name(entry.expect("an entry")))
        .collect()
}

/// Runs every input of a target.
fn replay(target: &str, body: impl Fn(&[u8]) + RefUnwindSafe) {
    let corpus = fuzz().join("corpus").join(target);
    let inputs = names(&corpus);
    assert!(!inputs.is_empty(), "{target} has something to begin with");
    for input in &inputs {
        let bytes = fs::read(corpus.join(input)).expect("a file");
        let outcome = catch_unwind(|| body(&bytes));
        assert!(
            outcome.is_ok(),
            "fuzz/corpus/{target}/{input} breaks a rule"
        );
    }
    println!("{target}: {} inputs", inputs.len());
}

#[test]
fn text_and_edits_keep_their_rules() {
    replay("text_and_edits", torture::text_and_edits);
}

#[test]
fn the_machine_keeps_its_rules() {
    replay("core_events", events::core_events);
}

#[test]
fn the_redactor_keeps_its_rules() {
    replay("redaction", redaction::redaction);
}

#[test]
fn settings_keep_their_rules() {
    replay("settings_files", settings_files::settings_files);
}

#[test]
fn recorded_sessions_keep_their_rules() {
    replay("traces", traces::traces);
}

#[test]
fn files_of_a_workspace_are_cut_by_the_rules() {
    replay("chunking", chunking::chunking);
}

#[test]
fn answers_of_models_keep_their_rules() {
    replay("model_answers", model_answers::model_answers);
}

#[test]
fn messages_of_editors_are_answered_by_the_rules() {
    replay("lsp_messages", lsp_messages::lsp_messages);
}

#[test]
fn streams_of_model_servers_keep_their_rules() {
    replay("model_streams", model_streams::model_streams);
}

#[test]
fn every_target_has_its_inputs() {
    let targets = names(&fuzz().join("fuzz_targets"));
    let targets = targets
        .iter()
        .map(|it| it.trim_end_matches(".rs").to_owned());
    let replayed = BTreeSet::from(
        [
            "chunking",
            "core_events",
            "lsp_messages",
            "model_answers",
            "model_streams",
            "redaction",
            "settings_files",
            "text_and_edits",
            "traces",
        ]
        .map(str::to_owned),
    );
    assert_eq!(targets.collect::<BTreeSet<_>>(), replayed);
    assert_eq!(names(&fuzz().join("corpus")), replayed);
}
