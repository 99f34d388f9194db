//! The scripts that unpack what tests need: what they leave alone, and where they look. And the one that
//! plays a newcomer: what it types, and what it has.
//!
//! Nothing is fetched. The programs that would fetch it are in the way of the real ones, and fail.
#![cfg(target_os = "linux")]
#![allow(
    clippy::print_stdout,
    reason = "what is left out is said where tests speak"
)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

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
            if path.is_dir() {
                unread.push(path)
            } else {
                let text = fs::read_to_string(&path).expect("text");
                found.push((path.strip_prefix(below).expect("below").to_owned(), text));
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

#[test]
fn a_newcomer_types_what_the_readme_says_and_has_little_else() {
    let readme = "# A thing\n\n```sh\nnot this\n```\n\n## Try it\n\n```sh\necho \"$HOME\"; ls ~\n```\n\n\
        ```text\nwhat it prints\n```\n\n```sh\ncat README.md; env\n```\n\n## Install\n\n```sh\nnor this\n```\n";
    let Some(repository) = committed(readme) else {
        return;
    };
    let said = newcomer(repository.path(), &[]).expect("both commands end well");
    assert!(said.contains("$ cat README.md; env\n# A thing\n"), "{said}");
    for number in 1..=2 {
        let done = format!("the README's command {number}: done after ");
        assert!(said.contains(&done), "{said}");
    }
    let home = std::env::var("HOME").unwrap_or_default();
    assert!(!said.contains(&format!("HOME={home}\n")), "{said}");
    assert!(!said.contains("CARGO_"), "{said}");

    let said = newcomer(repository.path(), &["--only", "1"]).expect("it ends well");
    assert!(!said.contains("command 2"), "{said}");
}

#[test]
fn a_newcomer_whose_command_fails_says_which() {
    let readme = "## Try it\n\n```sh\ntrue\n```\n\n```sh\nno-such-program\n```\n";
    let Some(repository) = committed(readme) else {
        return;
    };
    let said = newcomer(repository.path(), &[]).expect_err("the second fails");
    assert!(
        said.contains("the README's command 2 failed with status 127"),
        "{said}"
    );
    let Some(repository) = committed("## Try it\n\n```sh\ntrue\n```\n") else {
        return;
    };
    let said = newcomer(repository.path(), &[]).expect_err("there is one too few");
    assert!(
        said.contains("README.md has 1 commands under 'Try it'"),
        "{said}"
    );
}

/// A repository with a README, where there is git.
fn committed(readme: &str) -> Option<TempDir> {
    let repository = directory();
    fs::write(repository.path().join("README.md"), readme).expect("a file can be written");
    let who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    let steps: [&[&str]; 3] = [
        &["init", "-q"],
        &["add", "."],
        &["commit", "-q", "-m", "all"],
    ];
    for step in steps {
        let git = Command::new("git")
            .current_dir(repository.path())
            .args(who)
            .args(step)
            .output();
        let Ok(git) = git else {
            println!("left out: there is no git");
            return None;
        };
        assert!(git.status.success(), "{git:?}");
    }
    Some(repository)
}

/// What the newcomer's script prints, or what is wrong.
fn newcomer(repository: &Path, more: &[&str]) -> Result<String, String> {
    let output = Command::new(script("newcomer"))
        .arg("--from")
        .arg(repository)
        .args(more)
        .output()
        .expect("the script runs");
    said(&output)
}

/// What was printed, if it ended well, and otherwise what is wrong.
fn said(output: &Output) -> Result<String, String> {
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
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
    said(&output)
}
