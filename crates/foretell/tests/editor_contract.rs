//! The contract of an editor client, held against the tests that it names.
//!
//! Each rule of `docs/editor-client.md` has a number, and a row of its last table names the tests that
//! hold VS Code's and Neovim's client to it. The editors run those tests; this one sees that every rule
//! has some in both, and that they exist.
#![allow(
    clippy::unwrap_used,
    reason = "a page that cannot be read fails the test"
)]

#[path = "support/markdown.rs"]
mod markdown;

use std::fs;

use crate::markdown::{Page, root};

/// Where the tests of each client are, in the order of the columns.
const CLIENTS: [&str; 2] = ["editors/vscode/test", "editors/nvim/test"];

#[test]
fn every_rule_is_held_by_a_test_in_each_client() {
    let page = Page::read("docs/editor-client.md").text;
    let (rules, table) = page.split_once("## How our clients are checked").unwrap();
    let rules: Vec<u32> = rules.lines().filter_map(rule).collect();
    assert!(rules.len() > 20, "{rules:?}");
    assert!(rules.is_sorted(), "{rules:?}");

    let mut held: Vec<u32> = Vec::new();
    for row in table.lines().filter(|it| it.starts_with("| ")).skip(2) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        assert_eq!(cells.len(), 1 + CLIENTS.len(), "{row}");
        held.extend(
            cells[0]
                .split(',')
                .map(|it| it.trim().parse::<u32>().unwrap()),
        );
        for (directory, cell) in CLIENTS.iter().zip(&cells[1..]) {
            let tests = tests(cell);
            assert!(!tests.is_empty(), "no test in {directory}: {row}");
            for (file, name) in tests {
                let path = root().join(directory).join(file);
                let text = fs::read_to_string(&path).unwrap_or_default();
                assert!(
                    declares(&text, name),
                    "{directory}/{file} has no test '{name}'"
                );
            }
        }
    }
    held.sort_unstable();
    assert_eq!(held, rules);
}

/// The number of a rule, which begins an item of a list or a row of a table.
fn rule(line: &str) -> Option<u32> {
    let item = line.split_once(". ").map(|(number, _)| number);
    let row = line.strip_prefix("| ").and_then(|it| it.split(" |").next());
    row.or(item)?.parse().ok()
}

/// The tests of a cell, each with its file: `` `file`: *name*; *name*; `file`: *name* ``.
fn tests(cell: &str) -> Vec<(&str, &str)> {
    let pieces: Vec<&str> = cell.split('`').skip(1).collect();
    let mut found = Vec::new();
    for piece in pieces.chunks_exact(2) {
        let names = piece[1].split('*').skip(1).step_by(2);
        found.extend(names.map(|it| (piece[0], it)));
    }
    found
}

/// Whether a file declares a test whose name begins so; names may be put together, as `key .. ' is final'`.
fn declares(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let is_quote = |c: char| c.is_whitespace() || "'\"`".contains(c);
        let (before, named) = text.split_at(at);
        let before = before.trim_end_matches(is_quote);
        let behind = named.strip_prefix(name).unwrap_or_default();
        let ends_word = !behind.starts_with(char::is_alphanumeric);
        ends_word && (before.ends_with('(') || before.ends_with("(key .."))
    })
}
