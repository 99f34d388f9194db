//! What the sources found.

use std::time::Duration;

use foretell_context::{ContextEntry, ContextSection, EntrySpacing, FoundSections, SourceFinding};
use foretell_text::FilePath;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

const PIECES: [&str; 56] = [
    "word",
    "let value = compute();",
    "    ",
    " ",
    "\n",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    "é",
    "e\u{301}\u{323}",
    "👩‍👩‍👧",
    "🇩🇪🇫🇷",
    "👍🏽",
    "🎉",
    "שלום עולם",
    "مرحبا",
    "合計が上限",
    "한국어",
    "नमस्ते",
    "\u{200d}",
    "\u{fe0f}",
    "a\u{300}\u{301}\u{302}",
    "\u{feff}",
    "\n```rust\n",
    "\n```\n",
    "\n````md\n",
    "\n````\n",
    "\n~~~\n",
    "\n~~~~ x\n",
    "\n   ```\n",
    "\n    ```\n",
    "```",
    "`",
    "~",
    "\n```inline``` code\n",
    "\r```\r",
    "\r\n```\r\n",
    "\n## Heading inside\n",
    "\n# Another one\n",
    "\n####### seven\n",
    "\n#hashtag\n",
    "## ",
    "#",
    "[REDACTED-12]",
    "[REDACTED-3]",
    "[REDACTED-",
    "[",
    "]",
    "---",
    "\n---\n\n",
    "... (truncated)",
    "\t",
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "\u{0}",
];

/// Pieces one after the other, sometimes many times, so that there is something to cut.
fn text() -> impl Strategy<Value = String> {
    let pieces = vec(select(PIECES.to_vec()), 0..40);
    let times = prop_oneof![4 => Just(1_usize), 2 => 1..8_usize, 1 => 1..60_usize];
    (pieces, times).prop_map(|(pieces, times)| pieces.concat().repeat(times))
}

/// One long line: what is cut is not kept whole lines, but a line.
fn line() -> impl Strategy<Value = String> {
    let within = |piece: &&str| !piece.contains(['\n', '\r']);
    let pieces: Vec<_> = PIECES.iter().copied().filter(within).collect();
    let before = select(vec!["", "\n", "```\n", "~~~~md\n"]);
    (before, vec(select(pieces), 1..9), 40..120_usize)
        .prop_map(|(before, pieces, times)| format!("{before}{}", pieces.concat().repeat(times)))
}

fn entry() -> impl Strategy<Value = ContextEntry> {
    let file = select(vec![None, Some("src/lib.rs"), Some("secret.pem")]);
    (file, prop_oneof![2 => text(), 1 => line()]).prop_map(|(file, text)| ContextEntry {
        code: None,
        file: file.map(FilePath::new),
        text,
        secrets: Vec::new(),
    })
}

fn section() -> impl Strategy<Value = FoundSections> {
    let long = "long ".repeat(90);
    let headings = [
        "Diagnostics",
        "Recent Changes",
        "Two\nlines",
        "合計",
        " ",
        &long,
    ];
    let heading = select(headings.map(str::to_owned).to_vec());
    let spacing = select(vec![EntrySpacing::Lines, EntrySpacing::Paragraphs]);
    (heading, vec(entry(), 0..7), spacing).prop_map(|(heading, entries, spacing)| {
        FoundSections::Section(ContextSection {
            heading,
            entries,
            spacing,
        })
    })
}

pub(super) fn findings() -> impl Strategy<Value = Vec<SourceFinding>> {
    let found = prop_oneof![9 => section(), 1 => Just(FoundSections::Late), 1 => Just(FoundSections::Nothing)];
    let finding = |found| SourceFinding {
        source: "any",
        found,
        took: Duration::ZERO,
    };
    vec(found.prop_map(finding), 0..5)
}

pub(super) fn budget() -> impl Strategy<Value = usize> {
    let named = select(vec![0, 1, 100, 101, 2_000, usize::MAX]);
    prop_oneof![named, 0..3_000_usize, 101..400_usize]
}
