//! Numbers that several files carry, and that a release must not forget in one of them: the version, the
//! number of the protocol, and the oldest Rust and VS Code that are promised.
//!
//! RELEASING.md says where they are changed. What the server itself says is held against docs/lsp.md by
//! `transcript`, so that the page stands for the server here.
#![allow(
    clippy::unwrap_used,
    reason = "a file that is not as it should be fails the test"
)]

#[path = "support/markdown.rs"]
mod markdown;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::markdown::{Page, pages, root};

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap()
}

fn json(name: &str) -> Value {
    serde_json::from_str(&read(name)).unwrap()
}

#[test]
fn the_extension_has_the_version_of_its_server() {
    let lock = json("editors/vscode/package-lock.json");
    assert_eq!(json("editors/vscode/package.json")["version"], VERSION);
    assert_eq!(lock["version"], VERSION);
    assert_eq!(lock["packages"][""]["version"], VERSION);
}

#[test]
fn changes_are_listed_under_this_version_or_none_yet() {
    let changes = read("CHANGELOG.md");
    let mut headings = changes.lines().filter_map(|it| it.strip_prefix("## "));
    assert_eq!(headings.next(), Some("What a version promises"));
    let latest = headings.next().unwrap();
    assert!(
        latest == "Unreleased" || latest.starts_with(VERSION),
        "{latest}"
    );

    let of_extension = read("editors/vscode/CHANGELOG.md");
    let mut headings = of_extension.lines().filter_map(|it| it.strip_prefix("## "));
    assert!(headings.next().unwrap().starts_with(VERSION));
}

#[test]
fn pages_speak_of_this_version() {
    let mut spoken = 0;
    for page in pages()
        .iter()
        .filter(|it| !it.name.ends_with("CHANGELOG.md"))
    {
        for before in ["Version ", "Foretell ", "foretell-", " v"] {
            for behind in page.text.split(before).skip(1) {
                let number = version_at_start(behind);
                spoken += usize::from(number.is_some());
                assert_eq!(
                    number.unwrap_or(VERSION),
                    VERSION,
                    "{}: {before}",
                    page.name
                );
            }
        }
    }
    assert!(spoken > 2, "nothing was found to compare");
}

/// Three numbers with dots between, if a text begins with them.
fn version_at_start(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
    let (number, _) = text.split_at(end.unwrap_or(text.len()));
    let number = number.trim_end_matches('.');
    (number.split('.').count() == 3 && !number.starts_with('.')).then_some(number)
}

#[test]
fn clients_and_the_page_of_the_protocol_have_one_number() {
    let page = Page::read("docs/lsp.md").text;
    let (_, told) = page.split_once("The number of this protocol is ").unwrap();
    let (number, _) = told.split_once('.').unwrap();
    assert!(page.contains(&format!(
        "\"name\": \"foretell\", \"protocol\": {number} }}"
    )));
    let client = read("editors/vscode/src/protocol.ts");
    assert!(client.contains(&format!("export const PROTOCOL = {number};\n")));

    // The plugin for Neovim, wherever it keeps the number.
    let plugin = root().join("editors/nvim");
    let texts = lua(&plugin)
        .into_iter()
        .map(|it| fs::read_to_string(it).unwrap());
    let texts: Vec<_> = texts.collect();
    let numbers = texts
        .iter()
        .flat_map(|it| it.lines().filter_map(protocol_set_in));
    let numbers: Vec<_> = numbers.collect();
    assert!(
        !plugin.exists() || !numbers.is_empty(),
        "the plugin names no number"
    );
    assert!(numbers.iter().all(|it| *it == number), "{numbers:?}");
}

/// The number that a line of Lua gives to something called protocol.
fn protocol_set_in(line: &str) -> Option<&str> {
    let (name, value) = line.split_once('=')?;
    let name = name.trim().rsplit([' ', '.']).next()?;
    let value = value.trim().trim_end_matches(',');
    let is_number = !value.is_empty() && value.chars().all(|c| c.is_ascii_digit());
    (name.eq_ignore_ascii_case("protocol") && is_number).then_some(value)
}

/// The files of a plugin, if there is one.
fn lua(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(directory) else {
        return Vec::new();
    };
    let paths = entries.map(|it| it.unwrap().path());
    let found = paths.flat_map(|path| {
        if path.is_dir() {
            lua(&path)
        } else {
            vec![path]
        }
    });
    let is_lua = |path: &PathBuf| path.extension().is_some_and(|it| it == "lua");
    found.filter(is_lua).collect()
}

#[test]
fn pages_promise_what_the_packages_do() {
    let rust = env!("CARGO_PKG_RUST_VERSION");
    for name in ["README.md", "docs/install.md"] {
        let promise = format!("a stable Rust, {rust} or newer, and a C compiler");
        assert!(read(name).contains(&promise), "{name}: {promise}");
    }
    let editor = &json("editors/vscode/package.json")["engines"]["vscode"];
    let editor = editor.as_str().unwrap().trim_start_matches('^');
    let (editor, _) = editor.rsplit_once('.').unwrap();
    for name in ["README.md", "docs/editors/vscode.md"] {
        assert!(
            read(name).contains(&format!("{editor} or newer")),
            "{name}: {editor}"
        );
    }
}
