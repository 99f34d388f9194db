//! Random texts and edits for property tests.
//!
//! The alphabet is small, so that repeats, and with them slides and near misses, come up often; and
//! it holds what breaks offset code: characters of one to four bytes, surrogate pairs, combining
//! marks, joiners, every line end, NUL, a byte order mark, and characters that share bytes with
//! others.

use std::ops::RangeInclusive;

use foretell_text::{ByteRange, Edit, Replacement};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::string_model::{boundaries, range};

/// The pieces that texts are made of.
const ALPHABET: [&str; 22] = [
    "a",
    "a",
    "b",
    "}",
    " ",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "\0",
    "é",
    "ĩ",
    "e\u{301}",
    "中",
    "丣",
    "😀",
    "😁",
    "👨\u{200d}👩",
    "🇩🇪",
    "\u{feff}",
    "\u{2028}",
];

/// A text of up to so many pieces of the alphabet; the empty one too.
pub fn text(pieces: usize) -> impl Strategy<Value = String> {
    vec(select(&ALPHABET[..]), 0..=pieces).prop_map(|pieces| pieces.concat())
}

/// An edit that fits a text, of up to three replacements, which may touch.
pub fn edit_of(text: &str) -> impl Strategy<Value = Edit> + use<> {
    edit_of_size(text, 0..=3)
}

/// An edit that fits a text, of one replacement.
pub fn single_edit_of(text: &str) -> impl Strategy<Value = Edit> + use<> {
    edit_of_size(text, 1..=1)
}

fn edit_of_size(text: &str, sizes: RangeInclusive<usize>) -> impl Strategy<Value = Edit> + use<> {
    let old_text = text.to_owned();
    let places = boundaries(text);
    sizes
        .prop_flat_map(move |size| {
            let ends = vec(select(places.clone()), 2 * size);
            let new_texts = vec(new_text(&old_text), size);
            (ends, new_texts)
        })
        .prop_map(|(mut ends, new_texts)| {
            ends.sort();
            let replacements = ends
                .chunks(2)
                .zip(new_texts)
                .map(|(ends, new_text)| Replacement::new(between(ends), new_text))
                .collect();
            Edit::new(replacements).expect("sorted")
        })
}

/// Text to put in: random, none, or a piece of the text itself, so that edits have no effect, slide
/// and echo often enough to matter.
fn new_text(old_text: &str) -> impl Strategy<Value = String> + use<> {
    let old_text = old_text.to_owned();
    let places = boundaries(&old_text);
    let piece = vec(select(places), 2).prop_map(move |mut ends| {
        ends.sort();
        let piece = between(&ends);
        old_text[piece.start().get()..piece.end().get()].to_owned()
    });
    prop_oneof![3 => text(4), 1 => Just(String::new()), 2 => piece]
}

/// A text and two edits of it.
pub fn text_and_two_edits() -> impl Strategy<Value = (String, Edit, Edit)> {
    text(12).prop_flat_map(|text| {
        let edits = (edit_of(&text), edit_of(&text));
        (Just(text), edits).prop_map(|(text, (a, b))| (text, a, b))
    })
}

fn between(ends: &[foretell_text::ByteOffset]) -> ByteRange {
    range(ends[0].get(), ends[1].get())
}
