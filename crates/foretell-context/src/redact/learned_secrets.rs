//! Secrets that are known before they are met: those of whole documents.
//!
//! A document says what is secret in it by what stands around it: the name that a value is given to,
//! the first line of a key. What is told of it is often less: a diagnostic quotes a value without its
//! name, a change shows the middle of a key. So the documents are read whole, and what was found in
//! them is looked for in everything that is told, line by line where it has several.
//!
//! Messages quote values in their own way: cut off, in capitals, with escapes put in or taken out, in pieces.
//! So in a text that is as short as a message, a few characters in a row of what no text has are enough.
//!
//! A word is looked for only in quotes: somebody's password may be an ordinary word, and the word is
//! not secret where it is used as one. What a document uses as a name is not learned from it at all.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::secret_finder::{SecretMatch, floor, is_used_as_name, is_worth_repeating};

/// How many pieces are kept; the rest of a document that has more is a list of secrets, which is
/// recognised by itself.
const MOST: usize = 512;
/// A line of a secret that is shorter could stand anywhere.
const LEAST_LINE: usize = 16;
/// A piece that is written as no word is, and is no shorter, is found wherever it stands.
const LEAST_ODD: usize = 8;
/// A word in quotes that is shorter could stand anywhere.
const LEAST_WORD: usize = 5;

/// A text that is longer is no message.
const LONGEST_MESSAGE: usize = 600;
/// A message quotes only the beginning of a longer value, and that is known by itself.
const LONGEST_QUOTED: usize = 256;
/// As many characters in a row are no coincidence.
const LEAST_PART: usize = 8;

/// Secrets that were found in documents.
#[derive(Clone, Default)]
pub struct LearnedSecrets {
    pieces: Vec<Arc<str>>,
}

/// How many: a secret is not printed.
impl fmt::Debug for LearnedSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("LearnedSecrets");
        shown.field("pieces", &self.pieces.len()).finish()
    }
}

impl LearnedSecrets {
    /// Takes note of a secret of a document.
    pub(super) fn add(&mut self, secret: &str) {
        // Where a key is in a string, its lines end with two characters.
        let lines = secret.split(['\n', '\r']).flat_map(|it| it.split("\\n"));
        let is_one_line = lines.clone().nth(1).is_none();
        let least = if is_one_line { LEAST_WORD } else { LEAST_LINE };
        for line in lines {
            let piece = line.trim_matches([' ', '\t', '"', '\'', '+', ',', '|', '\\']);
            let is_news = !self.pieces.iter().any(|known| **known == *piece);
            if piece.len() >= least && is_news && self.pieces.len() < MOST {
                self.pieces.push(piece.into());
            }
        }
    }

    /// Forgets the names that a document uses: a quote of it would find them everywhere.
    pub(super) fn forget_names(&mut self, document: &str) {
        self.pieces
            .retain(|piece| !is_used_as_name(document, piece));
    }

    /// Adds what others have learned.
    pub(super) fn extend(&mut self, others: LearnedSecrets) {
        for piece in others.pieces {
            self.add(&piece);
        }
    }

    /// Whether a stretch of a line has any of it in it.
    pub fn is_any_in(&self, line: &str, stretch: Range<usize>) -> bool {
        let found = self.find(line).into_iter().map(|it| it.range);
        let mut found = found.filter(|it| it.start < stretch.end && stretch.start < it.end);
        found.next().is_some()
    }

    /// Where any of it stands in a text.
    pub(super) fn find(&self, text: &str) -> Vec<SecretMatch> {
        let mut found = self.find_whole(text);
        if text.len() <= LONGEST_MESSAGE {
            found.extend(self.find_parts(text));
        }
        found
    }

    /// Where parts of it stand in a message, however they are written.
    fn find_parts(&self, text: &str) -> Vec<SecretMatch> {
        let small = text.to_ascii_lowercase();
        let pieces = self.pieces.iter();
        let pieces = pieces.filter(|piece| is_odd(piece) || is_worth_repeating(piece));
        let pieces = pieces.filter(|piece| piece.len() <= LONGEST_QUOTED);
        let writings: Vec<String> = pieces.flat_map(|piece| writings(piece)).collect();
        let parts: BTreeSet<&[u8]> = writings
            .iter()
            .flat_map(|piece| piece.as_bytes().windows(LEAST_PART))
            .collect();
        // Letters alone are a word that people use as well.
        let is_word = |part: &[u8]| part.iter().all(u8::is_ascii_alphabetic);
        let has_gap = |part: &[u8]| part.iter().any(u8::is_ascii_whitespace) || is_word(part);
        let mut found: Vec<SecretMatch> = Vec::new();
        for (start, part) in small.as_bytes().windows(LEAST_PART).enumerate() {
            if has_gap(part) || !parts.contains(part) {
                continue;
            }
            let range = word_around(text, start..start + LEAST_PART);
            if found.last().is_none_or(|last| last.range != range) {
                let kind = "known from its document";
                found.push(SecretMatch { kind, range });
            }
        }
        found
    }

    fn find_whole(&self, text: &str) -> Vec<SecretMatch> {
        let places = self.pieces.iter().flat_map(|piece| {
            let is_plain = is_odd(piece) || is_worth_repeating(piece) || piece.len() >= LEAST_LINE;
            let places = text.match_indices(&**piece).map(|(start, _)| start);
            places.filter_map(move |start| {
                let range = start..start + piece.len();
                let is_told = is_plain || is_quoted(text, &range);
                is_told.then_some(SecretMatch {
                    kind: "known from its document",
                    range,
                })
            })
        });
        places.collect()
    }
}

/// A secret as it may be written elsewhere, in small letters: as it is, and without escapes of addresses, pages
/// and strings.
fn writings(piece: &str) -> Vec<String> {
    let mut writings = vec![piece.to_ascii_lowercase()];
    if piece.contains('%') {
        writings.push(without_percent(piece).to_ascii_lowercase());
    }
    if piece.contains('\\') {
        writings.push(piece.replace('\\', "").to_ascii_lowercase());
    }
    if piece.contains(['&', '<', '>', '"']) {
        let signs = [
            ("&amp;", "&"),
            ("&lt;", "<"),
            ("&gt;", ">"),
            ("&quot;", "\""),
        ];
        let plain = signs
            .iter()
            .fold(piece.to_owned(), |text, (from, to)| text.replace(from, to));
        let escaped = signs
            .iter()
            .fold(piece.to_owned(), |text, (to, from)| text.replace(from, to));
        writings.extend([plain, escaped].map(|it| it.to_ascii_lowercase()));
    }
    writings
}

/// A text with what its percent escapes stand for.
fn without_percent(text: &str) -> String {
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        let digits = behind
            .get(..2)
            .and_then(|two| std::str::from_utf8(two).ok());
        let byte = digits
            .filter(|_| *first == b'%')
            .and_then(|two| u8::from_str_radix(two, 16).ok());
        plain.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &behind[2..] } else { behind };
    }
    String::from_utf8_lossy(&plain).into_owned()
}

/// A stretch with what is joined to it on both sides.
fn word_around(text: &str, range: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let is_joined =
        |c: char| !c.is_whitespace() && !is_quote(c) && !matches!(c, ',' | ';' | '(' | ')');
    let before = text.get(..floor(text, range.start)).unwrap_or_default();
    // The signs that join a value to its name are no part of it.
    let start = before
        .trim_end_matches(|c: char| is_joined(c) && !matches!(c, '=' | ':'))
        .len();
    let from = floor(text, range.end);
    let behind = text.get(from..).unwrap_or_default();
    let end = text.len() - behind.trim_start_matches(is_joined).len();
    start..end.max(from)
}

/// Whether it is written as no word of a text for people is.
fn is_odd(piece: &str) -> bool {
    let has_inner = |is_kind: fn(char) -> bool| piece.chars().skip(1).any(is_kind);
    let is_sign = |c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_' | '.' | ' ' | '\'');
    piece.len() >= LEAST_ODD
        && (has_inner(char::is_uppercase) && has_inner(char::is_lowercase) || has_inner(is_sign))
}

/// Whether a stretch of a text is all that is in some quotes.
fn is_quoted(text: &str, range: &std::ops::Range<usize>) -> bool {
    let before = text
        .get(..range.start)
        .and_then(|it| it.chars().next_back());
    let behind = text.get(range.end..).and_then(|it| it.chars().next());
    let is_quote = |c: char| is_quote(c) || c == '\\';
    before.is_some_and(is_quote) && behind.is_some_and(is_quote)
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '`' | '‘' | '’' | '“' | '”')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(secret: &str, text: &str) -> Vec<String> {
        let mut learned = LearnedSecrets::default();
        learned.add(secret);
        let found = super::super::secret_finder::merged(learned.find(text)).into_iter();
        found
            .map(|found| text.get(found.range).unwrap_or_default().to_owned())
            .collect()
    }

    #[test]
    fn a_value_is_known_without_its_name() {
        let message = "Type '\"hunter2hunter2\"' is not assignable";
        assert_eq!(found("hunter2hunter2", message), ["hunter2hunter2"]);
    }

    #[test]
    fn a_word_is_secret_only_in_quotes() {
        assert_eq!(found("letmein", "letmein in"), [] as [&str; 0]);
        assert_eq!(found("letmein", "not 'letmein'"), ["letmein"]);
    }

    #[test]
    fn what_no_text_has_is_known_without_quotes() {
        let message = "cannot find BlueMonkey in this scope";
        assert_eq!(found("BlueMonkey", message), ["BlueMonkey"]);
        assert_eq!(found("p@ssword!", "near p@ssword! it ends"), ["p@ssword!"]);
        assert_eq!(found("Liverpool", "near Liverpool"), [] as [&str; 0]);
    }

    #[test]
    fn a_message_hides_no_secret_by_how_it_quotes_it() {
        for (secret, message, kept) in [
            ("hunter2-Xk9fQ2vL7p", "got value hunter2-Xk9…", "got value "),
            (
                "Zqumpm08hsE8JNq2",
                "expected \"Zqumpm08hsE8JN...\" here",
                "expected \"\" here",
            ),
            (
                "p4ss%3Aw0rd%2Fx",
                "cannot reach bob:p4ss:w0rd/x at all",
                "cannot reach bob: at all",
            ),
            (
                "Tr0ub4dor&3xyz",
                "TR0UB4DOR&3XYZ is not allowed",
                " is not allowed",
            ),
            ("Tr0ub4dor&3xyz", "saw Tr0ub4dor&amp;3xyz", "saw "),
            (
                "mellon-Gate-4242",
                "\"mellon-Gat\" + \"e-4242\" is odd",
                "\"\" + \"e-4242\" is odd",
            ),
        ] {
            let mut learned = LearnedSecrets::default();
            learned.add(secret);
            let mut left = message.to_owned();
            for one in super::super::secret_finder::merged(learned.find(message))
                .iter()
                .rev()
            {
                left.replace_range(one.range.clone(), "");
            }
            assert_eq!(left, kept, "{secret}");
        }
        // Words that a secret is made of stay words.
        assert_eq!(found("Database2024!", "no database here"), [] as [&str; 0]);
        assert_eq!(
            found("Password123", "the password is missing"),
            [] as [&str; 0]
        );
        // Words of people are not looked for in part.
        assert_eq!(
            found("correcthorse", "the horse is correct"),
            [] as [&str; 0]
        );
    }

    #[test]
    fn a_key_is_known_by_each_of_its_lines() {
        let (first, second) = ("MIIEvQIBADANBgkqhkiG", "xQ7VJTUt9Us8cKjMIIEv");
        for between in ["\n", "\r\n", "\\n\" +\n    \""] {
            let key = [first, second].join(between);
            assert_eq!(found(&key, &format!("+ {second}")), [second]);
        }
    }
}
