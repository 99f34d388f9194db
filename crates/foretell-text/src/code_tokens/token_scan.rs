//! The walk through a text that finds its tokens.
//!
//! It looks at bytes, since all that begins or ends a string or a comment is ASCII, and at characters
//! only where a byte is not. It never goes back: what has no end is looked for once, and remembered.

use crate::language::{CodeHole, LexicalRules, StringQuote};
use crate::plain::is_word;

use super::{CodeToken, TokenKind};

/// A walk through a text.
pub(super) struct TokenScanner<'text, Tell> {
    rules: &'static LexicalRules,
    text: &'text str,
    bytes: &'text [u8],
    at: usize,
    /// Whether something other than a mark may begin with a byte.
    opens: [bool; 128],
    /// The strings whose code we are in, the innermost last.
    holes: Vec<OpenString>,
    /// Quotes that are not closed in the rest of the text: they are not looked for again.
    unclosed: Vec<StringQuote>,
    /// The last token: what it is, and where it ends.
    last: Option<(TokenKind, usize)>,
    tell: Tell,
}

/// A string that was left for the code in it.
struct OpenString {
    quote: StringQuote,
    hole: CodeHole,
    /// How many brackets of the hole's kind are open in it.
    depth: usize,
}

/// How a part of a string ended.
enum StringEnd {
    Closed(usize),
    Hole(usize, CodeHole),
    Line(usize),
    Nowhere,
}

impl<'text, Tell: FnMut(CodeToken)> TokenScanner<'text, Tell> {
    /// A walk that begins at an offset between two characters, and tells each token.
    pub(super) fn new(
        rules: &'static LexicalRules,
        text: &'text str,
        at: usize,
        tell: Tell,
    ) -> Self {
        let mut opens = [false; 128];
        let comments = rules
            .line
            .iter()
            .chain(rules.block.iter().map(|(open, _)| open));
        let quotes = rules.quotes.iter().map(|quote| &quote.open);
        for mark in comments.chain(quotes) {
            if let Some(open) = mark
                .bytes()
                .next()
                .and_then(|byte| opens.get_mut(usize::from(byte)))
            {
                *open = true;
            }
        }
        TokenScanner {
            rules,
            text,
            bytes: text.as_bytes(),
            at,
            opens,
            holes: Vec::new(),
            unclosed: Vec::new(),
            last: None,
            tell,
        }
    }

    /// Walks to the end.
    pub(super) fn all(mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            self.next(byte);
        }
    }

    fn next(&mut self, byte: u8) {
        let at = self.at;
        match byte {
            b' ' | b'\t' | b'\x0b' | b'\x0c' => {
                let end = self.while_byte(at + 1, |byte| matches!(byte, b' ' | b'\t'));
                self.push(TokenKind::Space, end);
            }
            b'\n' => self.line_break(1),
            b'\r' if self.bytes.get(at + 1) == Some(&b'\n') => self.line_break(2),
            b'\r' => self.line_break(1),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(),
            b'$' if self.rules.dollar_in_words => self.word(),
            b'0'..=b'9' => self.number(),
            0..=127 => self.mark(byte),
            _ => match self.character(at) {
                Some(character) if is_word(character) => self.word(),
                Some(character) if character.is_whitespace() => {
                    self.push(TokenKind::Space, at + character.len_utf8());
                }
                Some(character) => self.push(TokenKind::Mark, at + character.len_utf8()),
                // The walk is always between characters.
                None => self.at = self.bytes.len(),
            },
        }
    }

    fn push(&mut self, kind: TokenKind, end: usize) {
        let bytes = self.at..end;
        (self.tell)(CodeToken { kind, bytes });
        self.last = Some((kind, end));
        self.at = end;
    }

    /// A string of one line ends here, even if we are in its code.
    fn line_break(&mut self, len: usize) {
        while self.holes.last().is_some_and(|open| !open.quote.lines) {
            self.holes.pop();
        }
        self.push(TokenKind::Space, self.at + len);
    }

    fn word(&mut self) {
        let end = self.end_of_word(self.at + 1);
        if end - self.at <= 3 && self.string_with_prefix(end) {
            return;
        }
        self.push(TokenKind::Word, end);
    }

    fn number(&mut self) {
        let mut end = self.end_of_word(self.at);
        let is_digit = |at: usize| self.bytes.get(at).is_some_and(u8::is_ascii_digit);
        if self.bytes.get(end) == Some(&b'.') && is_digit(end + 1) {
            end = self.end_of_word(end + 1);
        }
        self.push(TokenKind::Number, end);
    }

    /// Anything that starts with an ASCII character that no word starts with.
    fn mark(&mut self, byte: u8) {
        if self.opens[usize::from(byte)] && (self.comment() || self.string()) {
            return;
        }
        let end = self.at + 1;
        let Some(open) = self.holes.last_mut() else {
            return self.push(TokenKind::Mark, end);
        };
        if byte == open.hole.inner() {
            open.depth += 1;
        } else if byte == open.hole.close && open.depth > 0 {
            open.depth -= 1;
        } else if byte == open.hole.close {
            self.push(TokenKind::Mark, end);
            if let Some(OpenString { quote, .. }) = self.holes.pop() {
                self.rest_of_string(self.at, quote);
            }
            return;
        }
        self.push(TokenKind::Mark, end);
    }

    fn comment(&mut self) -> bool {
        for (open, close) in self.rules.block {
            if self.starts(self.at, open) {
                let end = self.end_of_block(open, close);
                self.push(TokenKind::Comment, end);
                return true;
            }
        }
        let after_space = self.last.is_none_or(|(kind, _)| kind == TokenKind::Space);
        let marks = self.rules.line.iter();
        let mut found =
            marks.filter(|mark| !self.rules.line_after_space || after_space || mark.len() > 1);
        if !found.any(|mark| self.starts(self.at, mark)) {
            return false;
        }
        let end = self.end_of_line(self.at);
        self.push(TokenKind::Comment, end);
        true
    }

    fn string(&mut self) -> bool {
        if self.rules.lifetimes && self.starts(self.at, "'") {
            self.character_or_lifetime();
            return true;
        }
        let Some(quote) = self.rules.quote_at(self.bytes, self.at) else {
            return false;
        };
        // The apostrophe of `it's`, `foldl'` and `1'000`.
        let is_joined = self.last.is_some_and(|(kind, end)| {
            end == self.at && matches!(kind, TokenKind::Word | TokenKind::Number)
        });
        if is_joined && quote.open == "'" {
            return false;
        }
        self.rest_of_string(self.at + quote.open.len(), *quote);
        true
    }

    /// A string that begins with the letters up to `quoted`, such as `r"` or `f'`.
    fn string_with_prefix(&mut self, quoted: usize) -> bool {
        let Some(word) = self.text.get(self.at..quoted) else {
            return false;
        };
        let mut prefixes = self.rules.prefixes.iter();
        let Some(prefix) = prefixes.find(|prefix| prefix.word.eq_ignore_ascii_case(word)) else {
            return false;
        };
        let mut hashes = quoted;
        if prefix.hashes {
            hashes = self.while_byte(quoted, |byte| byte == b'#');
        }
        let Some(quote) = self.rules.quote_at(self.bytes, hashes) else {
            return false;
        };
        let quote = StringQuote {
            hashes: hashes - quoted,
            escapes: quote.escapes && !prefix.raw,
            hole: prefix.hole,
            ..*quote
        };
        self.rest_of_string(hashes + quote.open.len(), quote);
        true
    }

    /// The string that goes on at `from`, to its end or to the code in it. One without an end stops
    /// with its line.
    fn rest_of_string(&mut self, from: usize, quote: StringQuote) {
        let end = if self.unclosed.contains(&quote) {
            StringEnd::Nowhere
        } else {
            self.end_of_string(from, quote)
        };
        let to = match end {
            StringEnd::Closed(end) | StringEnd::Hole(end, _) | StringEnd::Line(end) => end,
            StringEnd::Nowhere => self.end_of_line(from.min(self.bytes.len())),
        };
        if to > self.at {
            self.push(TokenKind::Text, to);
        }
        match end {
            StringEnd::Hole(_, hole) => {
                for _ in hole.open.bytes() {
                    self.push(TokenKind::Mark, self.at + 1);
                }
                let depth = 0;
                self.holes.push(OpenString { quote, hole, depth });
            }
            StringEnd::Nowhere => self.unclosed.push(quote),
            StringEnd::Closed(_) | StringEnd::Line(_) => {}
        }
    }

    fn end_of_string(&self, from: usize, quote: StringQuote) -> StringEnd {
        let mut at = from;
        let first_of = |mark: &str| mark.bytes().next().unwrap_or_default();
        let close = first_of(quote.close);
        let open = quote.hole.map_or(close, |hole| first_of(hole.open));
        while let Some(&byte) = self.bytes.get(at) {
            // Nearly all bytes are none of these.
            if byte != close && byte != open && !matches!(byte, b'\\' | b'\n' | b'\r') {
                at += 1;
                continue;
            }
            if self.starts(at, quote.close) {
                let end = at + quote.close.len();
                let hashes = self.bytes.get(end..).unwrap_or_default().iter();
                let is_hash = |byte: &&u8| **byte == b'#';
                if hashes.take(quote.hashes).take_while(is_hash).count() == quote.hashes {
                    return StringEnd::Closed(end + quote.hashes);
                }
            }
            if let Some(hole) = quote.hole.filter(|hole| self.starts(at, hole.open)) {
                // `{{` is a brace where `{` begins code.
                if hole.open.len() > 1 || !self.starts(at + 1, hole.open) {
                    return StringEnd::Hole(at, hole);
                }
                at += 1;
            }
            if is_line_break(byte) && !quote.lines {
                return StringEnd::Line(at);
            }
            let is_escape = byte == b'\\' && quote.escapes;
            let next = self.bytes.get(at + 1);
            let takes_next = is_escape && next.is_some_and(|next| !is_line_break(*next));
            at += if takes_next { 2 } else { 1 };
        }
        if quote.lines {
            StringEnd::Nowhere
        } else {
            StringEnd::Line(self.bytes.len())
        }
    }

    /// `'a'`, `'\''` and `'a`.
    fn character_or_lifetime(&mut self) {
        let first = self.at + 1;
        if self.bytes.get(first) == Some(&b'\\') {
            let mut end = first + 1 + self.len_at(first + 1);
            end = self.while_byte(end, |byte| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'{' | b'}' | b'_')
            });
            let end = end.min(self.bytes.len());
            let closed = usize::from(self.bytes.get(end) == Some(&b'\''));
            return self.push(TokenKind::Text, end + closed);
        }
        let second = first + self.len_at(first);
        let is_line = matches!(self.bytes.get(first), Some(b'\n' | b'\r' | b'\'') | None);
        if !is_line && self.bytes.get(second) == Some(&b'\'') {
            return self.push(TokenKind::Text, second + 1);
        }
        let end = self.end_of_word(first);
        let kind = if end > first {
            TokenKind::Word
        } else {
            TokenKind::Mark
        };
        self.push(kind, end);
    }

    fn end_of_block(&self, open: &str, close: &str) -> usize {
        let (mut at, mut depth) = (self.at + open.len(), 1_usize);
        let first = close.as_bytes().first();
        while let Some(byte) = self.bytes.get(at) {
            if Some(byte) == first && self.starts(at, close) {
                at += close.len();
                depth -= 1;
                if depth == 0 {
                    return at;
                }
            } else if self.rules.nested && self.starts(at, open) {
                at += open.len();
                depth += 1;
            } else {
                at += 1;
            }
        }
        self.bytes.len()
    }

    fn end_of_word(&self, from: usize) -> usize {
        let mut at = from;
        // The first byte of a word may be the first of several of a character.
        while !self.text.is_char_boundary(at) {
            at += 1;
        }
        while let Some(&byte) = self.bytes.get(at) {
            let is_plain = byte.is_ascii_alphanumeric() || byte == b'_';
            if is_plain || (byte == b'$' && self.rules.dollar_in_words) {
                at += 1;
            } else if byte < 128 {
                break;
            } else {
                match self.character(at) {
                    Some(character) if is_word(character) => at += character.len_utf8(),
                    _ => break,
                }
            }
        }
        at
    }

    fn end_of_line(&self, from: usize) -> usize {
        self.while_byte(from, |byte| !is_line_break(byte))
    }

    fn while_byte(&self, from: usize, is_more: impl Fn(u8) -> bool) -> usize {
        let rest = self.bytes.get(from..).unwrap_or_default();
        let len = rest.iter().position(|&byte| !is_more(byte));
        from + len.unwrap_or(rest.len())
    }

    fn starts(&self, at: usize, with: &str) -> bool {
        self.bytes
            .get(at..)
            .is_some_and(|rest| rest.starts_with(with.as_bytes()))
    }

    fn character(&self, at: usize) -> Option<char> {
        self.text.get(at..)?.chars().next()
    }

    /// How long the character there is; at the end, nothing.
    fn len_at(&self, at: usize) -> usize {
        self.character(at).map_or(0, char::len_utf8)
    }
}

fn is_line_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}
