//! The words that a text is searched by: its names, whole and taken apart.
//!
//! A name is a run of letters, digits and underscores. It counts as a whole and as the words it is
//! made of, all in lower case, so that `getHTTPResponse2` and `get_http_response` meet:
//!
//! ```
//! use foretell_index::name_words::words;
//!
//! let found: Vec<_> = words("getHTTPResponse2").collect();
//! assert_eq!(found, ["gethttpresponse2", "get", "http", "response"]);
//! ```
//!
//! Both what is indexed and what is asked goes through here; they must, or nothing would be found.
//!
//! - The whole is written without underscores, so that the conventions of languages do not matter.
//! - Numbers, and words of one letter, are not searched by: they are everywhere, and tell nothing.
//!   A digit does count in the whole, which is what tells `utf8` from `utf16`.
//! - A run longer than [`LONGEST_RUN`] is data, and one longer than [`LONGEST_WORD`] counts only by
//!   what it is made of, so no word is longer than that.
//!
//! Absent on purpose: words that are left out because they are common. How often a word is found
//! anywhere says that better, and a keyword of one language is a name in another.

use std::borrow::Cow;
use std::ops::Range;

/// How long a word may be, in bytes of the text. A letter may be longer in lower case than it was.
pub const LONGEST_WORD: usize = 64;
/// How long a run may be that is taken apart, in bytes.
pub const LONGEST_RUN: usize = 128;

/// The words of a text, in order, each name before what it is made of.
pub fn words(text: &str) -> NameWords<'_> {
    NameWords {
        text,
        at: 0,
        run: 0..0,
    }
}

/// The words of a text. As an iterator it lends what is in lower case anyway; [`NameWords::read`] never
/// allocates once the given string is long enough.
#[derive(Clone)]
pub struct NameWords<'a> {
    text: &'a str,
    /// Where the next run is looked for.
    at: usize,
    /// The rest of the run.
    run: Range<usize>,
}

impl<'a> NameWords<'a> {
    /// Writes the next word over a string and says where in the text it is.
    pub fn read(&mut self, word: &mut String) -> Option<Range<usize>> {
        let found = self.find()?;
        word.clear();
        lower(self.text.get(found.clone()).unwrap_or_default(), word);
        Some(found)
    }

    /// The next name or part of one.
    fn find(&mut self) -> Option<Range<usize>> {
        loop {
            while !self.run.is_empty() {
                let part = next_part(self.text.as_bytes(), self.run.clone());
                self.run.start = part.end;
                let is_short = part.len() <= LONGEST_WORD;
                if is_short && is_telling(self.text.get(part.clone()).unwrap_or_default()) {
                    return Some(part);
                }
            }
            let run = next_run(self.text, self.at)?;
            self.at = run.end;
            let bytes = self.text.as_bytes();
            let is_number = bytes.get(run.start).is_some_and(u8::is_ascii_digit);
            if run.len() > LONGEST_RUN || is_number {
                continue;
            }
            let name = trimmed(bytes, run);
            let is_one_word = next_part(bytes, name.clone()) == name;
            if !is_one_word {
                self.run = name.clone();
            }
            let is_short = name.len() <= LONGEST_WORD;
            if is_short && is_telling(self.text.get(name.clone()).unwrap_or_default()) {
                return Some(name);
            }
        }
    }
}

impl<'a> Iterator for NameWords<'a> {
    type Item = Cow<'a, str>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.find()?;
        let word = self.text.get(found).unwrap_or_default();
        let is_lower = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        if word.bytes().all(is_lower) {
            return Some(Cow::Borrowed(word));
        }
        let mut lowered = String::with_capacity(word.len());
        lower(word, &mut lowered);
        Some(Cow::Owned(lowered))
    }
}

/// The next run of letters, digits and underscores at or after a place.
fn next_run(text: &str, from: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut start = from;
    while let Some(step) = bytes.get(start).map(|byte| in_run(text, start, *byte)) {
        match step {
            RunStep::In(_) => break,
            RunStep::Out(len) => start += len,
        }
    }
    let mut end = start;
    while let Some(byte) = bytes.get(end) {
        match in_run(text, end, *byte) {
            RunStep::In(len) => end += len,
            RunStep::Out(_) => break,
        }
    }
    (start < end).then_some(start..end)
}

/// Whether the character at a place belongs to a run, and how many bytes it has.
enum RunStep {
    In(usize),
    Out(usize),
}

fn in_run(text: &str, at: usize, byte: u8) -> RunStep {
    if byte.is_ascii() {
        return if byte.is_ascii_alphanumeric() || byte == b'_' {
            RunStep::In(1)
        } else {
            RunStep::Out(1)
        };
    }
    let rest = text.get(at..).unwrap_or_default();
    match rest.chars().next() {
        Some(c) if c.is_alphanumeric() => RunStep::In(c.len_utf8()),
        Some(c) => RunStep::Out(c.len_utf8()),
        None => RunStep::Out(1),
    }
}

/// A run without underscores around it.
fn trimmed(bytes: &[u8], run: Range<usize>) -> Range<usize> {
    let is_bare = |at: &usize| bytes.get(*at) != Some(&b'_');
    let start = run.clone().find(is_bare).unwrap_or(run.end);
    let end = (start..run.end)
        .rfind(is_bare)
        .map_or(start, |last| last + 1);
    start..end
}

/// The class of a byte in a name. Letters beyond ASCII stay together: which of them begin a word
/// differs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ByteClass {
    Upper,
    Letter,
    Digit,
    Underscore,
}

const fn class(byte: u8) -> ByteClass {
    match byte {
        b'_' => ByteClass::Underscore,
        b'0'..=b'9' => ByteClass::Digit,
        b'A'..=b'Z' => ByteClass::Upper,
        _ => ByteClass::Letter,
    }
}

/// The first word of a part of a name, with what stands before the next. It ends where the kind of
/// character changes, so always between two characters.
fn next_part(bytes: &[u8], name: Range<usize>) -> Range<usize> {
    let at = |index: usize| {
        bytes
            .get(index)
            .copied()
            .map_or(ByteClass::Underscore, class)
    };
    let is_underscore = |index: &usize| at(*index) == ByteClass::Underscore;
    let start = name.clone().find(|index| !is_underscore(index));
    let start = start.unwrap_or(name.end);
    let mut end = start + 1;
    while end < name.end {
        let ends = match (at(end - 1), at(end)) {
            (_, ByteClass::Underscore) => true,
            (ByteClass::Digit, next) => next != ByteClass::Digit,
            (_, ByteClass::Digit) => true,
            (ByteClass::Letter, ByteClass::Upper) => true,
            // `HTTPResponse`: the last capital belongs to what follows.
            (ByteClass::Upper, ByteClass::Upper) => {
                let next = if end + 1 < name.end {
                    at(end + 1)
                } else {
                    ByteClass::Upper
                };
                next == ByteClass::Letter
            }
            (ByteClass::Upper, ByteClass::Letter) | (ByteClass::Letter, ByteClass::Letter) => false,
            (ByteClass::Underscore, _) => false,
        };
        if ends {
            break;
        }
        end += 1;
    }
    start..end.min(name.end)
}

/// Whether a word says anything: it has a letter, and another character.
fn is_telling(word: &str) -> bool {
    let has_letter = word
        .bytes()
        .any(|byte| !byte.is_ascii_digit() && byte != b'_');
    has_letter && (word.len() > 4 || word.chars().nth(1).is_some())
}

/// Writes a word in lower case and without underscores.
fn lower(word: &str, onto: &mut String) {
    if word.is_ascii() {
        let letters = word.bytes().filter(|byte| *byte != b'_');
        onto.extend(letters.map(|byte| char::from(byte.to_ascii_lowercase())));
    } else {
        let letters = word.chars().filter(|c| *c != '_');
        onto.extend(letters.flat_map(char::to_lowercase));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(text: &str) -> String {
        words(text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_name_is_found_whole_and_by_what_it_is_made_of() {
        assert_eq!(of("apiRequest"), "apirequest api request");
        assert_eq!(of("api_request"), "apirequest api request");
        assert_eq!(of("API_REQUEST"), "apirequest api request");
        assert_eq!(of("HTTPServer"), "httpserver http server");
        assert_eq!(of("parseJSON"), "parsejson parse json");
        assert_eq!(of("__init__"), "init");
        assert_eq!(of("render(self)"), "render self");
    }

    #[test]
    fn digits_are_part_of_the_whole_and_of_nothing_else() {
        assert_eq!(of("utf8"), "utf8 utf");
        assert_eq!(of("sha256sum"), "sha256sum sha sum");
        assert_eq!(of("u8 x2y"), "u8 x2y");
        assert_eq!(of("0x1f 123 1_000u64 42px"), "");
    }

    #[test]
    fn what_is_everywhere_tells_nothing() {
        assert_eq!(of("a + b_c - _ - __"), "bc");
        assert_eq!(of(""), "");
        assert_eq!(of("\0\n {}"), "");
    }

    #[test]
    fn letters_of_every_script_are_letters() {
        assert_eq!(of("größeÄndern"), "größeändern");
        assert_eq!(of("合計 = ΜΈΓΕΘΟΣ😀x9"), "合計 μέγεθοσ x9");
        assert_eq!(of("höhe_berechnen"), "höheberechnen höhe berechnen");
    }

    #[test]
    fn data_is_not_searched_by_and_a_long_name_only_by_its_words() {
        assert_eq!(of(&"Ab3".repeat(1_000)), "");
        assert_eq!(of(&"x".repeat(65)), "");
        let long = "a_test_that_says_in_very_many_words_what_a_person_saw_on_a_monday_morning";
        let found = of(long);
        assert!(found.starts_with("test that says in very"), "{found}");
    }

    #[test]
    fn a_long_text_is_read_in_time_that_grows_with_its_length() {
        let long = "_".repeat(1 << 20) + &"aB".repeat(1 << 20);
        assert_eq!(of(&long), "");
    }

    proptest! {
        #[test]
        fn words_are_bounded_and_the_same_by_either_way(text in "[a-zA-Z0-9_ äß合İ\u{301}😀\\n.]{0,200}") {
            let mut reader = words(&text);
            let mut word = String::new();
            let mut read = Vec::new();
            while let Some(place) = reader.read(&mut word) {
                prop_assert!(text.get(place.clone()).is_some());
                prop_assert!(place.len() <= LONGEST_WORD && !word.is_empty());
                read.push(word.clone());
            }
            let told: Vec<_> = words(&text).map(Cow::into_owned).collect();
            prop_assert_eq!(read, told);
        }
    }
}
