//! Arbitrary bytes as a file of a workspace, cut into pieces and words.
//!
//! Whatever the bytes are: nothing panics, pieces are in order, between characters and not too long, and
//! so are words.

use std::cell::RefCell;

use foretell_index::chunking::{Chunker, MOST_BYTES};
use foretell_index::name_words::words;
use foretell_text::language::LanguageFacts;

const FILES: [&str; 11] = [
    "a.rs", "a.ts", "a.tsx", "a.js", "a.py", "a.go", "a.java", "a.c", "a.cpp", "a.h", "a.txt",
];

thread_local! {
    static CHUNKER: RefCell<Chunker> = RefCell::new(Chunker::new());
}

pub(crate) fn chunking(bytes: &[u8]) {
    let [which, rest @ ..] = bytes else {
        return;
    };
    let grammar = LanguageFacts::of_file(FILES[usize::from(*which) % FILES.len()]).grammar;
    let text = String::from_utf8_lossy(rest);
    let pieces = CHUNKER.with_borrow_mut(|chunker| chunker.pieces(grammar, &text));
    let (mut byte, mut line) = (0, 0);
    for piece in &pieces {
        assert!(
            piece.bytes.start >= byte && *piece.lines.start() > line,
            "in order: {piece:?}"
        );
        assert!(
            text.get(piece.bytes.clone()).is_some(),
            "between characters: {piece:?}"
        );
        assert!(piece.bytes.len() <= MOST_BYTES, "not too long: {piece:?}");
        (byte, line) = (piece.bytes.end, *piece.lines.end());
    }
    let mut found = words(&text);
    let (mut word, mut start) = (String::new(), 0);
    while let Some(range) = found.read(&mut word) {
        assert!(
            range.start <= range.end && range.end <= text.len(),
            "{range:?}"
        );
        assert!(
            text.get(range.clone()).is_some(),
            "between characters: {range:?}"
        );
        // A name comes before what it is made of.
        assert!(start <= range.start, "in order: {range:?}");
        start = range.start;
    }
}
