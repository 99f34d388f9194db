//! `foretell eval`, started with some arguments, and what came of it. Shared by the tests of its modes.

use std::process::{Command, Stdio};

/// A run that has ended.
pub(crate) struct EndedRun {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) status: Option<i32>,
}

/// Starts `foretell eval`, with nothing to read, and waits for its end.
pub(crate) fn eval(arguments: &[&str]) -> EndedRun {
    let output = Command::new(env!("CARGO_BIN_EXE_foretell"))
        .arg("eval")
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the binary under test starts");
    EndedRun {
        stdout: String::from_utf8(output.stdout).expect("text"),
        stderr: String::from_utf8(output.stderr).expect("text"),
        status: output.status.code(),
    }
}
