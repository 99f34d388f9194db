//! The scripts that unpack what tests need: what they leave alone, and where they look.
//!
//! Nothing is fetched. The programs that would fetch it are in the way of the real ones, and fail.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../.ci")
        .join(name)
}

fn directory() -> TempDir {
    tempfile::tempdir().expect("a directory for a test can be made")
}

/// Every file below a directory, by its path from there, with what it says.
fn files(below: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut unread = vec![below.to_owned()];
    while let Some(directory) = unread.pop() {
        for entry in fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("a file").path();
            match path.is_dir() {
                true => unread.push(path),
                false => {
                    let text = fs::read_to_string(&path).expect("text");
                    found.push((path.strip_prefix(below).expect("below").to_owned(), text));
                }
            }
        }
    }
    found.sort();
    found
}

#[test]
fn what_a_person_has_in_the_directory_they_name_stays_there() {
    let programs = directory();
    for name in ["apt-get", "rustup"] {
        let program = programs.path().join(name);
        fs::write(&program, "#!/bin/sh\nexit 1\n").expect("a file can be written");
        let all = fs::Permissions::from_mode(0o755);
        fs::set_permissions(&program, all).expect("it is ours");
    }
    let path = format!("{}:/usr/bin:/bin", programs.path().display());
    for (name, rest) in [
        ("emacs", vec![]),
        ("neovim", vec![]),
        ("msrv", vec!["1.85", "--version"]),
    ] {
        let home = directory();
        fs::create_dir(home.path().join("bin")).expect("a directory");
        for file in ["letter", "bin/tool"] {
            fs::write(home.path().join(file), "mine").expect("a file can be written");
        }
        let before = files(home.path());
        // It may find what it looks for elsewhere, or fail: on the way there is nothing to be had.
        Command::new(script(name))
            .arg(home.path())
            .args(rest)
            .env("PATH", &path)
            .output()
            .expect("the script runs");
        assert_eq!(files(home.path()), before, ".ci/{name}");
    }
}

#[test]
fn a_place_that_somebody_else_has_made_is_not_taken() {
    let home = directory();
    let place = home.path().join("emacs-bookworm");
    fs::create_dir(&place).expect("a directory");
    fs::write(place.join("notes"), "mine").expect("a file can be written");
    let said = bash(r#"begin_making "$1" && put_into "$1" false"#, &[&place]);
    assert!(said.is_err(), "{said:?}");
    assert_eq!(files(home.path()).len(), 1);
    // One that was made here is made anew.
    fs::write(place.join("unpacked-for-foretell"), "").expect("a file can be written");
    let said = bash(r#"begin_making "$1" && put_into "$1" false"#, &[&place]);
    assert_eq!(said, Ok(String::new()));
    assert!(!place.join("notes").exists());
    assert_eq!(files(home.path()).len(), 1, "nothing is left beside it");
}

#[test]
fn the_first_address_of_a_package_source_is_one() {
    let home = directory();
    let (newer, older) = (home.path().join("newer"), home.path().join("older"));
    let first = || {
        let said = bash(r#"first_source "$1" "$2""#, &[&newer, &older]);
        said.expect("it ends well").trim_end().to_owned()
    };
    assert_eq!(first(), "", "there is none");
    fs::write(
        &older,
        "# deb x y\ndeb [signed-by=k] http://old/debian s main\n",
    )
    .expect("a file");
    assert_eq!(first(), "http://old/debian");
    let written = "Types: deb\nURIs: http://a/debian http://b/debian\n\nURIs: http://c/debian\n";
    fs::write(&newer, written).expect("a file");
    assert_eq!(first(), "http://a/debian");
    fs::write(&newer, "URIs:\thttp://a/debian\n").expect("a file");
    assert_eq!(first(), "http://a/debian");
}

/// What bash says when it runs something with the parts that scripts share, or what is wrong.
fn bash(run: &str, arguments: &[&Path]) -> Result<String, String> {
    let shared = script("debian.sh");
    let run = format!("set -euo pipefail; . '{}'; {run}", shared.display());
    let output = Command::new("bash")
        .args(["-c", &run, "bash"])
        .args(arguments)
        .output()
        .expect("bash runs");
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}
