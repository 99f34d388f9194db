//! Code as words, numbers, strings, comments, marks and space, in any language.
//!
//! The predictors compare code by its words and their neighbours, and must not take a word in a
//! comment for one in code. That needs no grammar: how comments, strings and characters are written
//! is all that differs, and [`LexicalRules`] has it.
//!
//! Kept: the tokens cover the text without gaps and without overlaps, none is empty, and each starts
//! and ends between characters. A string or a comment is one token over all its lines, except that
//! code in a template (`${x}`) is code. A line break is a token of its own. The time is linear in the
//! text.
//!
//! Code that is being written is seldom whole: a string without an end ends with its line.
//!
//! Absent on purpose: keywords, types, and anything else that would need a grammar. Regular
//! expressions and here-documents are read as code, which is seldom wrong for more than a line.

mod token_scan;

use std::ops::Range;

use crate::document::Language;
use crate::language::LexicalRules;

use token_scan::TokenScanner;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TokenKind {
    /// An identifier or a keyword; a lifetime, with its quote.
    Word,
    /// It starts with a digit.
    Number,
    /// A string or a character, with its quotes.
    Text,
    /// A comment, with its marks.
    Comment,
    /// One character of anything else.
    Mark,
    /// Blanks, or one line break.
    Space,
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeToken {
    /// Its kind.
    pub kind: TokenKind,
    /// Where it is.
    pub bytes: Range<usize>,
}

impl CodeToken {
    /// Its text.
    pub fn of<'text>(&self, text: &'text str) -> &'text str {
        text.get(self.bytes.clone()).unwrap_or_default()
    }
}

/// Tells the tokens of a text in a language, one by one: few need them all at once, and there are many.
/// An unknown language has neither strings nor comments.
pub fn each_token(language: &Language, text: &str, tell: impl FnMut(CodeToken)) {
    TokenScanner::new(language.facts().rules(), text, 0, tell).all();
}

/// The words, numbers, marks and spaces of a piece of a text, whatever it is: what a string or a
/// comment is made of. Where they are is told for the whole text.
pub fn pieces(text: &str, bytes: Range<usize>) -> Vec<CodeToken> {
    let mut pieces = Vec::new();
    each_piece(text, bytes, |piece| pieces.push(piece));
    pieces
}

/// Tells the same pieces one by one.
pub fn each_piece(text: &str, bytes: Range<usize>, tell: impl FnMut(CodeToken)) {
    let upto = text.get(..bytes.end).unwrap_or_default();
    if bytes.start <= upto.len() && upto.is_char_boundary(bytes.start) {
        TokenScanner::new(&LexicalRules::NONE, upto, bytes.start, tell).all();
    }
}

/// Whether it is known how a language writes its strings and comments; if not, it may be prose.
pub fn is_known(language: &Language) -> bool {
    language.facts().has_rules()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plain::is_word;
    use proptest::prelude::*;

    fn tokens(language: &Language, text: &str) -> Vec<CodeToken> {
        let mut tokens = Vec::new();
        each_token(language, text, |token| tokens.push(token));
        tokens
    }

    /// The tokens but for spaces, each with the letter of its kind.
    fn read(language: &str, text: &str) -> String {
        let found = tokens(&Language::new(language), text);
        let told = found.iter().filter(|token| token.kind != TokenKind::Space);
        let told = told.map(|token| {
            let kind = match token.kind {
                TokenKind::Word => "w",
                TokenKind::Number => "n",
                TokenKind::Text => "t",
                TokenKind::Comment => "c",
                TokenKind::Mark => "m",
                TokenKind::Space => "s",
            };
            format!("{kind}:{}", token.of(text).replace('\n', "⏎"))
        });
        told.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn words_numbers_and_marks_are_told_apart() {
        assert_eq!(read("rust", "a.b0 + 1.5e3"), "w:a m:. w:b0 m:+ n:1.5e3");
        assert_eq!(read("rust", "0..n"), "n:0 m:. m:. w:n");
        assert_eq!(read("rust", "größe😀=x"), "w:größe m:😀 m:= w:x");
    }

    #[test]
    fn a_lifetime_is_a_word_and_a_character_is_a_text() {
        assert_eq!(read("rust", "&'a str"), "m:& w:'a w:str");
        assert_eq!(
            read("rust", r"['a', '\'', '\u{1F600}', '\n']"),
            r"m:[ t:'a' m:, t:'\'' m:, t:'\u{1F600}' m:, t:'\n' m:]"
        );
        assert_eq!(read("rust", "'"), "m:'");
    }

    #[test]
    fn comments_nest_where_the_language_lets_them() {
        assert_eq!(
            read("rust", "/* a /* b */ c */ d"),
            "c:/* a /* b */ c */ w:d"
        );
        assert_eq!(read("c", "/* a /* b */ c"), "c:/* a /* b */ w:c");
        assert_eq!(read("python", "a # b\nc"), "w:a c:# b w:c");
    }

    #[test]
    fn strings_may_be_raw_and_over_lines() {
        assert_eq!(read("rust", r###"r#"a"b"# c"###), r###"t:r#"a"b"# w:c"###);
        assert_eq!(read("rust", "\"a\nb\" c"), "t:\"a⏎b\" w:c");
        assert_eq!(read("python", "'''a\n'b''' c"), "t:'''a⏎'b''' w:c");
        assert_eq!(read("python", r"r'\' b"), r"t:r'\' w:b");
        assert_eq!(read("csharp", r#"@"\" a"#), r#"t:@"\" w:a"#);
        assert_eq!(read("lua", "[[a\nb]] c"), "t:[[a⏎b]] w:c");
    }

    #[test]
    fn code_in_a_template_is_code() {
        assert_eq!(
            read("typescript", "`a ${f({b})} c` d"),
            "t:`a  m:$ m:{ w:f m:( m:{ w:b m:} m:) m:} t: c` w:d"
        );
        assert_eq!(
            read("python", "f'{{a}} {b}' c"),
            "t:f'{{a}}  m:{ w:b m:} t:' w:c"
        );
    }

    #[test]
    fn a_string_that_nobody_closes_ends_with_its_line() {
        assert_eq!(read("rust", "f(\"a\nb"), "w:f m:( t:\"a w:b");
        assert_eq!(read("javascript", "'a\nb"), "t:'a w:b");
        assert_eq!(read("python", "f'{a\nb"), "t:f' m:{ w:a w:b");
    }

    #[test]
    fn an_apostrophe_in_a_word_is_no_quote() {
        assert_eq!(read("yaml", "it's a"), "w:it m:' w:s w:a");
        assert_eq!(read("cpp", "1'000 'a'"), "n:1 m:' n:000 t:'a'");
    }

    #[test]
    fn a_language_that_nobody_knows_is_words_and_marks() {
        assert_eq!(
            read("klingon", "a \"b\" // c"),
            "w:a m:\" w:b m:\" m:/ m:/ w:c"
        );
    }

    #[test]
    fn a_string_is_made_of_pieces() {
        let text = "x = \"a-b é\"";
        let found = pieces(text, 4..text.len());
        let words = found.iter().filter(|piece| piece.kind == TokenKind::Word);
        assert_eq!(
            words.map(|piece| piece.of(text)).collect::<Vec<_>>(),
            ["a", "b", "é"]
        );
        assert!(pieces("é", 1..2).is_empty());
    }

    #[test]
    fn letters_are_letters_in_any_script() {
        for character in ('\0'..=char::MAX).filter(|it| !('\u{300}'..='\u{36f}').contains(it)) {
            let is_letter = character.is_alphanumeric() || character == '_';
            assert_eq!(is_word(character), is_letter, "{character:?}");
        }
        assert!(is_word('\u{301}'));
    }

    const LANGUAGES: [&str; 9] = [
        "rust",
        "typescript",
        "python",
        "csharp",
        "lua",
        "shellscript",
        "haskell",
        "swift",
        "?",
    ];

    proptest! {
        #[test]
        fn tokens_cover_any_text_without_gaps(
            text in r#"([a-f0-9 \r\n"'`#$/*\\{}()\[\]@<!.=_é😀\u{301}-]|r#"|\$\{|"""|\\\()*"#,
            language in prop::sample::select(&LANGUAGES[..]),
        ) {
            let mut at = 0;
            for token in tokens(&Language::new(language), &text) {
                prop_assert_eq!(token.bytes.start, at);
                prop_assert!(token.bytes.end > at && text.is_char_boundary(token.bytes.end));
                at = token.bytes.end;
            }
            prop_assert_eq!(at, text.len());
        }
    }
}
