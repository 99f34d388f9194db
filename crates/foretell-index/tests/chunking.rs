//! What texts become: per language a table of pieces, and what must hold for any text whatever.
#![allow(
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test may be blunt"
)]

use foretell_index::chunking::{self, Chunker, MOST_BYTES, MOST_LINES, TextPiece};
use foretell_text::ChunkKind;
use foretell_text::language::LanguageGrammar;
use proptest::prelude::*;

#[path = "chunking/harmful.rs"]
mod harmful;

const RUST: &str = include_str!("chunking/rust.rs");
const TYPESCRIPT: &str = include_str!("chunking/typescript.ts");
const TSX: &str = include_str!("chunking/tsx.tsx");
const JAVASCRIPT: &str = include_str!("chunking/javascript.js");
const PYTHON: &str = include_str!("chunking/python.py");
const GO: &str = include_str!("chunking/go.go");
const JAVA: &str = include_str!("chunking/java.java");
const C: &str = include_str!("chunking/c.c");
const CPP: &str = include_str!("chunking/cpp.cpp");

const FIXTURES: [(LanguageGrammar, &str); 9] = [
    (LanguageGrammar::Rust, RUST),
    (LanguageGrammar::TypeScript, TYPESCRIPT),
    (LanguageGrammar::Tsx, TSX),
    (LanguageGrammar::JavaScript, JAVASCRIPT),
    (LanguageGrammar::Python, PYTHON),
    (LanguageGrammar::Go, GO),
    (LanguageGrammar::Java, JAVA),
    (LanguageGrammar::C, C),
    (LanguageGrammar::Cpp, CPP),
];

/// The pieces of a text, one on a line: lines, kind, name.
fn table(grammar: LanguageGrammar, text: &str) -> String {
    let pieces = chunking::pieces(grammar, text);
    assert_invariants(text, &pieces);
    let row = |piece: &TextPiece| {
        let (first, last) = (piece.lines.start(), piece.lines.end());
        let name = piece.name.as_deref().unwrap_or("-");
        format!("{first}-{last} {} {name}\n", piece.kind.name())
    };
    pieces.iter().map(row).collect()
}

/// What must hold for the pieces of any text.
fn assert_invariants(text: &str, pieces: &[TextPiece]) {
    let mut last_byte = 0;
    let mut last_line = 0;
    for piece in pieces {
        let (first, last) = (*piece.lines.start(), *piece.lines.end());
        assert!(
            first > last_line && first <= last,
            "{piece:?}: lines in order"
        );
        assert!(piece.bytes.start >= last_byte, "{piece:?}: bytes in order");
        (last_byte, last_line) = (piece.bytes.end, last);
        let said = text.get(piece.bytes.clone()).expect("on characters");
        let before = text[..piece.bytes.start].trim_start_matches('\u{feff}');
        assert_eq!(line_ends(before) + 1, first, "{piece:?}: begins a line");
        let is_line_start = before.is_empty() || before.ends_with(['\n', '\r']);
        assert!(is_line_start && !(before.ends_with('\r') && said.starts_with('\n')));
        let is_line_end = said.ends_with(['\n', '\r']) || piece.bytes.end == text.len();
        assert!(is_line_end, "{piece:?}: ends a line");
        let open = usize::from(!said.ends_with(['\n', '\r']));
        assert_eq!(
            line_ends(said) + open,
            last - first + 1,
            "{piece:?}: as many lines"
        );
        assert!(!said.trim().is_empty(), "{piece:?}: says something");
        assert!(
            last - first < MOST_LINES && said.len() <= MOST_BYTES,
            "{piece:?}: bounded"
        );
    }
}

fn line_ends(text: &str) -> usize {
    let halves = text.matches("\r\n").count();
    text.matches(['\n', '\r']).count() - halves
}

/// A table as it is written in a test.
fn unindented(table: &str) -> String {
    let rows = table.lines().map(str::trim).filter(|row| !row.is_empty());
    rows.map(|row| format!("{row}\n")).collect()
}

#[test]
fn rust_becomes_its_items() {
    let expected = "
        1-11 item -
        13-18 type Entry
        20-24 type Entry
        26-30 type Cache
        32-39 method new
        41-51 method read
        53-53 item LIMIT
        55-71 method tick
        73-76 method len
        78-82 method old
        84-87 method is_empty
        89-95 method forget
        98-100 type Source
        102-106 item entry
        108-108 function warm
        110-117 function what_was_read_is_kept
    ";
    assert_eq!(table(LanguageGrammar::Rust, RUST), unindented(expected));
}

#[test]
fn typescript_becomes_its_functions_types_and_methods() {
    let expected = "
        1-5 item -
        7-11 type Outcome
        13-16 type Method
        18-22 function apiRequest
        24-31 function withRetry
        33-36 type Session
        38-41 method constructor
        43-53 method open
        55-66 method handle
        68-70 method size
        72-78 method opened
        80-86 method closed
        88-92 method reopen
        94-96 method dispose
        99-101 item -
        103-106 function helper
    ";
    assert_eq!(
        table(LanguageGrammar::TypeScript, TYPESCRIPT),
        unindented(expected)
    );
}

#[test]
fn components_are_functions() {
    let expected = "
        1-3 item Props
        5-13 function List
        15-18 function App
    ";
    assert_eq!(table(LanguageGrammar::Tsx, TSX), unindented(expected));
}

#[test]
fn functions_that_are_values_have_the_name_they_are_given() {
    let expected = "
        1-5 item -
        7-13 function readSettings
        15-18 function numbers
        20-24 function walk
        26-28 function push
        30-35 type Queue
        37-45 item -
    ";
    assert_eq!(
        table(LanguageGrammar::JavaScript, JAVASCRIPT),
        unindented(expected)
    );
}

#[test]
fn decorators_and_comments_belong_to_what_follows() {
    let expected = "
        1-7 item -
        8-11 item DEFAULTS
        14-20 function read_settings
        23-25 function watch
        28-31 type Point
        34-38 type Session
        40-44 method __init__
        46-48 method size
        50-58 method parse
        60-70 method open
        72-78 type Failed
        80-84 method close
        86-87 method __len__
        89-90 method __contains__
        92-97 method close_all
        100-101 block -
    ";
    assert_eq!(table(LanguageGrammar::Python, PYTHON), unindented(expected));
}

#[test]
fn go_has_methods_outside_of_types() {
    let expected = "
        1-10 item -
        12-15 item Most
        17-21 type Cache
        23-25 type Source
        27-27 item Name
        29-32 function New
        34-42 method Read
        44-50 function Map
    ";
    assert_eq!(table(LanguageGrammar::Go, GO), unindented(expected));
}

#[test]
fn a_long_class_is_cut_into_its_methods_and_inner_types() {
    let expected = "
        1-4 block -
        6-10 type Cache
        12-15 method Cache
        17-25 method load
        27-29 method size
        31-40 method forget
        42-48 type State
        50-61 type Builder
        63-67 type Pair
        70-72 type Source
    ";
    assert_eq!(table(LanguageGrammar::Java, JAVA), unindented(expected));
}

#[test]
fn c_is_found_behind_its_preprocessor() {
    let expected = "
        1-6 item -
        8-11 type entry
        13-16 type cache_t
        18-18 item compare
        20-28 function cache_find
        31-34 function cache_dump
        36-38 function cache_dump
        41-44 function main
    ";
    assert_eq!(table(LanguageGrammar::C, C), unindented(expected));
}

#[test]
fn templates_namespaces_and_operators_are_seen_through() {
    let expected = "
        1-5 item -
        7-17 function larger
        21-24 type Entry
        26-26 item Entries
        28-31 type Cache
        32-32 method Cache
        34-34 method ~Cache
        36-44 method read
        46-48 method operator==
        50-55 method each
        57-70 method tick
        72-79 method forget
        81-85 method take
        87-93 type Cache
        95-97 method print
        99-101 function cache_open
    ";
    assert_eq!(table(LanguageGrammar::Cpp, CPP), unindented(expected));
}

#[test]
fn what_has_no_grammar_is_cut_at_blank_lines() {
    let paragraph = "one line\nand another\n\n";
    assert_eq!(
        table(LanguageGrammar::Unparsed, &paragraph.repeat(2)),
        "1-5 block -\n"
    );
    let pieces = chunking::pieces(LanguageGrammar::Unparsed, &paragraph.repeat(50));
    assert_eq!(pieces.len(), 4, "gathered up to some forty lines");
    assert_eq!(table(LanguageGrammar::Unparsed, ""), "");
    assert_eq!(table(LanguageGrammar::Unparsed, "\n \n{}\n"), "");
}

#[test]
fn what_does_not_parse_is_cut_at_blank_lines() {
    let prose = "Dear reader, this is no code; it is (a letter.\n\nYours \"ever\n".repeat(30);
    for grammar in LanguageGrammar::PARSED {
        let pieces = chunking::pieces(grammar, &prose);
        assert_invariants(&prose, &pieces);
        let is_block = |piece: &TextPiece| piece.kind == ChunkKind::Block;
        assert!(
            pieces.len() >= 2 && pieces.iter().all(is_block),
            "{grammar:?} {pieces:?}"
        );
    }
}

#[test]
fn a_function_that_is_being_written_does_not_hide_the_others() {
    let broken = RUST.replacen(
        "    pub fn new(source: &'a T) -> Self {",
        "    pub fn new(source",
        1,
    );
    let names: Vec<_> = chunking::pieces(LanguageGrammar::Rust, &broken)
        .into_iter()
        .filter_map(|piece| piece.name)
        .collect();
    assert!(names.iter().any(|name| name == "warm"), "{names:?}");
    assert!(names.iter().any(|name| name == "tick"), "{names:?}");
}

#[test]
fn a_long_function_becomes_parts_that_have_its_name() {
    let statement =
        "    let total = first + second;\n    if total > 3 {\n        more();\n    }\n\n";
    let text = format!("/// Adds.\nfn add() {{\n{}}}\n", statement.repeat(60));
    let pieces = chunking::pieces(LanguageGrammar::Rust, &text);
    assert_invariants(&text, &pieces);
    assert!((3..=5).contains(&pieces.len()), "{pieces:?}");
    for piece in &pieces {
        assert_eq!(
            (piece.kind, piece.name.as_deref()),
            (ChunkKind::Function, Some("add"))
        );
    }
    let begins = |piece: &&TextPiece| text[piece.bytes.clone()].starts_with("    let total");
    let whole = pieces.iter().skip(1).filter(begins).count();
    assert_eq!(whole, pieces.len() - 1, "parts begin with a statement");
}

#[test]
fn line_ends_and_a_byte_order_mark_change_nothing() {
    for (grammar, text) in FIXTURES {
        let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        assert_eq!(
            table(grammar, &windows),
            table(grammar, text),
            "{grammar:?}"
        );
    }
}

#[test]
fn a_line_of_a_megabyte_is_in_no_piece() {
    let line = "x = [1, 2, 3];".repeat(80_000);
    for grammar in LanguageGrammar::PARSED {
        let text = format!("{line}\nint after;\n");
        let pieces = chunking::pieces(grammar, &text);
        assert_invariants(&text, &pieces);
        assert_eq!(pieces.len(), 1, "{grammar:?}");
    }
}

#[test]
fn no_text_overflows_the_stack_or_takes_for_ever() {
    // A thread with a small stack, as editors' helpers often have.
    let thread = std::thread::Builder::new().stack_size(512 << 10);
    let cut = || {
        let mut chunker = Chunker::new();
        for text in harmful::texts(4_000) {
            for grammar in LanguageGrammar::PARSED {
                let pieces = chunker.pieces(grammar, &text);
                assert_invariants(&text, &pieces);
            }
        }
    };
    thread.spawn(cut).unwrap().join().unwrap();
}

#[test]
fn a_parser_that_was_stopped_reads_the_next_text_from_its_start() {
    let mut chunker = Chunker::new();
    for text in harmful::texts(2_000) {
        chunker.pieces(LanguageGrammar::Rust, &text);
        assert_eq!(
            chunker.pieces(LanguageGrammar::Rust, RUST),
            chunking::pieces(LanguageGrammar::Rust, RUST)
        );
    }
}

/// What comes into texts.
const PARTS: &[&str] = &[
    "",
    "{",
    "}",
    "(",
    ")",
    "\"",
    "'",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    "\0",
    "🦀",
    "e\u{301}",
    "//",
    "/*",
    "*/",
    "#",
    "fn x() {}",
    "class A {",
    "\u{feff}",
    "    ",
    "\t",
    ";",
    "def f():\n",
];

/// What is put into a text: where, how much of it goes, what comes.
fn change() -> impl Strategy<Value = (prop::sample::Index, usize, &'static str)> {
    let parts = prop::sample::select(PARTS);
    (any::<prop::sample::Index>(), 0..60_usize, parts)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 96,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn pieces_of_any_text_are_whole_lines_in_order(
        which in 0..FIXTURES.len(),
        read_as in 0..FIXTURES.len() * 8,
        changes in prop::collection::vec(change(), 0..12),
    ) {
        let (grammar, fixture) = FIXTURES[which];
        // Now and then it is read as what it is not.
        let grammar = FIXTURES.get(read_as).map_or(grammar, |(other, _)| *other);
        let mut text = fixture.to_owned();
        for (at, gone, comes) in changes {
            let on_character = |mut at: usize| {
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                at
            };
            let start = on_character(at.index(text.len() + 1));
            let end = on_character((start + gone).min(text.len())).max(start);
            text.replace_range(start..end, comes);
        }
        assert_invariants(&text, &chunking::pieces(grammar, &text));
    }
}
