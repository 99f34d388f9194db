//! The query: what the person wants and has selected, or else the names around the cursor.
//!
//! Names are taken from the line of the cursor, then from those next to it, and so on outwards, each
//! name once and without words that most languages have in common. They are not taken apart: how
//! `apiRequest` is made of words is known to the search. Strings and comments count too,
//! since what they name is often what is meant.
//!
//! However long the file and its lines, the query is short and quickly made.

use std::collections::BTreeSet;
use std::fmt;

use foretell_text::language::common_words::is_vague;
use foretell_text::plain::is_word;
use foretell_text::{ByteOffset, ByteRange, FilePath, Language};

use super::AROUND;
use crate::context_request::ContextRequest;

/// How many names are asked for, and how many characters one may have.
const MOST_NAMES: usize = 32;
const LONGEST_NAME: usize = 64;
/// How many bytes of a line are looked at on either side of where one looks.
const MOST_OF_A_LINE: usize = 512;
/// How many characters of an instruction and of a selection are asked for.
const MOST_WORDS: usize = 2_000;

/// A search for code in a workspace.
#[derive(Clone, PartialEq, Eq)]
pub struct CodeQuery {
    /// The words, the most telling first.
    pub text: String,
    /// The file it is for.
    pub file: FilePath,
    /// The language of that.
    pub language: Language,
}

impl CodeQuery {
    /// The query for a place, if there is anything to go by.
    pub fn of(request: &ContextRequest) -> Option<CodeQuery> {
        let selected = request.selected();
        let asked = [&*request.instruction, &*selected].map(start);
        let asked = asked.map(str::trim).join("\n");
        let text = match asked.trim() {
            "" => names(request).join(" "),
            asked => asked.to_owned(),
        };
        (!text.is_empty()).then(|| CodeQuery {
            text,
            file: request.file.clone(),
            language: request.language.clone(),
        })
    }
}

/// How long: what people want and write does not belong in a log.
impl fmt::Debug for CodeQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Query({} bytes for {})", self.text.len(), self.file)
    }
}

/// As much of a text as is asked for.
fn start(text: &str) -> &str {
    let end = text.char_indices().nth(MOST_WORDS);
    let end = end.map_or(text.len(), |(end, _)| end);
    text.split_at_checked(end).unwrap_or_default().0
}

/// The names around the cursor, the nearest lines first.
fn names(request: &ContextRequest) -> Vec<String> {
    let here = request.lines();
    let above = (1..=AROUND).map(|away| here.start().checked_sub(away));
    let below = (1..=AROUND).map(|away| here.end().checked_add(away));
    let around = above.zip(below).flat_map(|(above, below)| [above, below]);
    let lines = here.clone().take(1).chain(around.flatten());
    let mut seen = BTreeSet::new();
    let mut names = Vec::new();
    for line in lines {
        let text = near(request, line);
        let words = text.split(|c: char| !is_word(c));
        for name in words.filter(|word| is_telling(word)) {
            if names.len() >= MOST_NAMES {
                return names;
            }
            if seen.insert(name.to_owned()) {
                names.push(name.to_owned());
            }
        }
    }
    names
}

/// A line, or, if it is very long, what is next to the cursor if that is on it, and else its start.
fn near(request: &ContextRequest, line: u32) -> String {
    let text = &request.text;
    let Ok(whole) = text.line(line) else {
        return String::new();
    };
    let cursor = ByteRange::empty(request.cursor);
    let at = if whole.contains(cursor) {
        request.cursor.get()
    } else {
        whole.start().get()
    };
    let start = ByteOffset::new(at.saturating_sub(MOST_OF_A_LINE)).max(whole.start());
    let end = ByteOffset::new(at.saturating_add(MOST_OF_A_LINE)).min(whole.end());
    let (start, end) = (text.floor(start.get()), text.floor(end.get()));
    let range = ByteRange::new(start, end).unwrap_or_default();
    text.read(range).map_or_else(|_| String::new(), Into::into)
}

/// Whether a word is a name worth looking for.
fn is_telling(word: &str) -> bool {
    let is_name = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let is_long_enough = word.len() > 1 && word.contains(char::is_alphabetic);
    let is_short_enough = word.chars().nth(LONGEST_NAME).is_none();
    is_name && is_long_enough && is_short_enough && !is_vague(&word.to_lowercase())
}
