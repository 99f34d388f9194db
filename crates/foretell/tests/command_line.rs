//! The binary as a person meets it: what it prints, where, and with which exit status.

use std::process::{Command, Output};

fn foretell(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_foretell"))
        .args(arguments)
        .output()
        .expect("the binary under test starts")
}

#[test]
fn version_is_data_on_stdout() {
    let output = foretell(&["--version"]);
    let expected = format!("foretell {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    assert!(output.stderr.is_empty());
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn without_a_command_it_says_how_to_use_it() {
    let output = foretell(&[]);
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("Usage: foretell"));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn an_unknown_flag_is_an_error_that_says_what_to_do_next() {
    let output = foretell(&["--verison"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("--verison"), "{said}");
    assert!(said.contains("--version"), "{said}");
    assert!(said.contains("--help"), "{said}");
    assert_eq!(output.status.code(), Some(2));
}
