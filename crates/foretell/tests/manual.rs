//! What packagers ask of the binary: completions for shells, and the manual.

#[path = "support/workspace.rs"]
mod workspace;

use std::fs;
use std::process::Command;

use crate::workspace::Workspace;

#[test]
fn completions_are_scripts_of_their_shells() {
    let workspace = Workspace::new(&[]);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ended = workspace.run("completions", &[shell]);
        assert_eq!((ended.stderr.as_str(), ended.status), ("", Some(0)));
        for word in ["foretell", "config", "schema"] {
            assert!(ended.stdout.contains(word), "{shell}: {word}");
        }
        let script = workspace.write(shell, ended.stdout.as_bytes());
        // What is not on this machine cannot judge.
        if let ("bash" | "zsh" | "fish", Ok(output)) =
            (shell, Command::new(shell).arg("-n").arg(&script).output())
        {
            assert!(output.status.success(), "{shell}: {output:?}");
        }
    }
    assert_eq!(workspace.run("completions", &["csh"]).status, Some(2));
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let workspace = Workspace::new(&[]);
    let ended = workspace.run("man", &["--dir", "pages/man1"]);
    assert_eq!(
        (ended.stdout.as_str(), ended.stderr.as_str()),
        ("wrote pages/man1\n", "")
    );
    let pages = workspace.path().join("pages/man1");
    for name in [
        "foretell",
        "foretell-lsp",
        "foretell-config",
        "foretell-config-show",
    ] {
        assert!(pages.join(format!("{name}.1")).is_file(), "{name}");
    }
    let first = fs::read_to_string(pages.join("foretell.1")).unwrap();
    assert_eq!(workspace.run("man", &[]).stdout, first);
    assert!(first.contains("foretell\\-config(1)"));
    assert!(first.contains(".SH ENVIRONMENT"));
    for page in fs::read_dir(&pages).unwrap() {
        let page = page.unwrap().path();
        let mut groff = Command::new("groff");
        groff.args(["-man", "-ww", "-z", "-Tutf8"]).arg(&page);
        // What is not on this machine cannot judge.
        if let Ok(output) = groff.output() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(said, "", "{}", page.display());
        }
    }
}
