//! Facts about languages: one table that every crate reads.
//!
//! A new language is one row of `table`, and a grammar in `foretell-index` where there is one. A
//! language without a row is treated as text: it has no strings and no comments, and is cut at blank
//! lines.
//!
//! | module | what it has |
//! | --- | --- |
//! | `language_table` | the rows |
//! | [`lexical_rules`] | how comments and strings are written, by families of languages |
//! | [`statement_forms`] | how imports, declarations and error handling begin |
//! | [`common_words`] | words that say little in any language |
//!
//! Absent on purpose: grammars, and guessing a language from what a file says.

pub mod common_words;
mod language_table;
pub mod lexical_rules;
pub mod statement_forms;

use crate::document::Language;

pub use lexical_rules::{CodeHole, LexicalRules, StringPrefix, StringQuote};
pub use statement_forms::{ErrorHandling, StatementForms};

/// The identifier that editors give to a text of no known language.
const PLAIN: &str = "plaintext";

/// The longest identifier that is quoted, in bytes: no language is called more than that.
const LONGEST_NAME: usize = 32;

/// All that is known about a language.
#[derive(Debug)]
pub struct LanguageFacts {
    /// The identifier that editors use.
    id: &'static str,
    /// How names of its source files end, in small letters. Such a file holds code, even where the rest
    /// of its name looks like a secret's. Scripts of shells are not among them: people export their
    /// passwords there. Nor are documents and dumps.
    source_endings: &'static [&'static str],
    /// How names of its other files end.
    other_endings: &'static [&'static str],
    /// How its comments and strings are written, if that is known.
    rules: Option<&'static LexicalRules>,
    /// How a comment is best written, if not as the first of the rules.
    comment: Option<CommentStyle>,
    /// How its statements begin, if that is known.
    pub statements: Option<&'static StatementForms>,
    /// The grammar that reads it.
    pub grammar: LanguageGrammar,
    /// Its name in Markdown.
    fence: &'static str,
    /// The language that it is written like: code of one may be an example for the other.
    kin: &'static str,
    /// Whether so many people use it that it tells nothing about a person.
    pub is_well_known: bool,
}

/// How a comment is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentStyle {
    /// Behind a mark, up to the end of the line.
    Line(&'static str),
    /// Between two marks.
    Block(&'static str, &'static str),
}

/// Which grammar reads a file.
///
/// TypeScript and TSX are two, since `<T>x` is a cast in the one and a tag in the other. A header that
/// ends in `.h` is C++ here, whose grammar reads nearly all of C too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LanguageGrammar {
    /// Rust.
    Rust,
    /// TypeScript without tags.
    TypeScript,
    /// TypeScript with tags.
    Tsx,
    /// JavaScript, with or without tags.
    JavaScript,
    /// Python.
    Python,
    /// Go.
    Go,
    /// Java.
    Java,
    /// C.
    C,
    /// C++, and headers that may be either.
    Cpp,
    /// None: the file is cut at blank lines.
    Unparsed,
}

impl LanguageGrammar {
    /// All that there are.
    pub const PARSED: [LanguageGrammar; 9] = [
        LanguageGrammar::Rust,
        LanguageGrammar::TypeScript,
        LanguageGrammar::Tsx,
        LanguageGrammar::JavaScript,
        LanguageGrammar::Python,
        LanguageGrammar::Go,
        LanguageGrammar::Java,
        LanguageGrammar::C,
        LanguageGrammar::Cpp,
    ];
}

impl LanguageFacts {
    /// The facts about the language of an identifier.
    pub fn of(id: &str) -> &'static LanguageFacts {
        let found = language_table::TABLE.binary_search_by_key(&id, |row| row.id);
        found.map_or(&language_table::UNKNOWN, |at| &language_table::TABLE[at])
    }

    /// The facts about the language of a file, by how its name ends.
    pub fn of_file(name: &str) -> &'static LanguageFacts {
        let ending = ending(name).to_ascii_lowercase();
        let has_ending = |row: &&LanguageFacts| {
            let mut endings = row.source_endings.iter().chain(row.other_endings);
            endings.any(|known| *known == ending)
        };
        let row = language_table::TABLE.iter().find(has_ending);
        row.unwrap_or(&language_table::UNKNOWN)
    }

    /// How its comments and strings are written. A language of which that is not known has neither.
    pub fn rules(&self) -> &'static LexicalRules {
        self.rules.unwrap_or(&LexicalRules::NONE)
    }

    /// Whether it is known how it writes comments and strings; if not, it may be prose.
    pub fn has_rules(&self) -> bool {
        self.rules.is_some()
    }

    /// How a comment is best written: up to the end of the line where it can be. A language without
    /// rules gets `#`, which more languages share than any other mark and models read as a comment
    /// anywhere.
    pub fn comment_style(&self) -> CommentStyle {
        let LexicalRules { line, block, .. } = self.rules();
        match (self.comment, line, block) {
            (Some(style), _, _) => style,
            (None, [mark, ..], _) => CommentStyle::Line(mark),
            (None, [], [(open, close), ..]) => CommentStyle::Block(open, close),
            (None, [], []) => CommentStyle::Line("#"),
        }
    }
}

/// Whether a file whose name ends like this, in small letters, is source code.
pub fn is_source_ending(ending: &str) -> bool {
    let mut rows = language_table::TABLE.iter();
    rows.any(|row| row.source_endings.contains(&ending))
}

impl Language {
    /// The language that an editor would call a file of this name: plain text, if the name does not end
    /// in a way that is known.
    pub fn of_file(name: &str) -> Language {
        match LanguageFacts::of_file(name).id {
            "" => Language::new(PLAIN),
            id => Language::new(id),
        }
    }

    /// All that is known about it.
    pub fn facts(&self) -> &'static LanguageFacts {
        LanguageFacts::of(self.as_str())
    }

    /// Its name in Markdown; empty if its identifier is not a plain word.
    pub fn fence_name(&self) -> &str {
        match self.facts().fence {
            "" => self.plain_id(),
            known => known,
        }
    }

    /// Its identifier, which may come from anywhere: nothing, if that is not a plain word.
    fn plain_id(&self) -> &str {
        let id = self.as_str();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "+#-_.".contains(c);
        if id.len() <= LONGEST_NAME && id.chars().all(is_plain) {
            id
        } else {
            ""
        }
    }

    /// Whether another language is written so much alike that its code is an example for this one.
    pub fn is_like(&self, other: &Language) -> bool {
        let kin = self.facts().kin;
        self == other || (!kin.is_empty() && kin == other.facts().kin)
    }
}

/// The part of a file's name behind its last full stop. A name that begins with its only full stop has
/// no ending.
fn ending(name: &str) -> &str {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => ending,
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_one_row_and_every_ending_one_language() {
        let rows = language_table::TABLE;
        assert!(rows.is_sorted_by(|first, next| first.id < next.id));
        let endings = rows
            .iter()
            .flat_map(|row| [row.source_endings, row.other_endings]);
        let mut endings: Vec<&str> = endings.flatten().copied().collect();
        assert!(endings.iter().all(|it| *it == it.to_ascii_lowercase()));
        endings.sort_unstable();
        assert!(endings.is_sorted_by(|first, next| first < next));
        let kin = |row: &LanguageFacts| rows.iter().any(|other| other.id == row.kin);
        assert!(rows.iter().all(kin));
    }

    #[test]
    fn a_file_is_known_by_how_its_name_ends_in_any_case() {
        for (name, id) in [
            ("src/lib.rs", "rust"),
            ("a.d.ts", "typescript"),
            ("App.TSX", "typescriptreact"),
            ("a.jsx", "javascriptreact"),
            ("main.h", "cpp"),
            ("README.md", "markdown"),
            ("build.zig", "zig"),
            ("ci.YML", "yaml"),
            ("LICENSE", "plaintext"),
            (".rs", "plaintext"),
            ("rs", "plaintext"),
            ("dir.rs/file", "plaintext"),
            ("lib.rs.orig", "plaintext"),
            ("a.\u{1b}[31mred", "plaintext"),
            ("", "plaintext"),
        ] {
            assert_eq!(Language::of_file(name).as_str(), id, "{name}");
        }
    }

    #[test]
    fn every_grammar_reads_a_language() {
        for grammar in LanguageGrammar::PARSED {
            assert!(
                language_table::TABLE
                    .iter()
                    .any(|row| row.grammar == grammar)
            );
        }
        let of_file = |name| LanguageFacts::of_file(name).grammar;
        assert_eq!(of_file("a.jsx"), LanguageGrammar::JavaScript);
        assert_eq!(of_file("main.h"), LanguageGrammar::Cpp);
        assert_eq!(of_file("notes.md"), LanguageGrammar::Unparsed);
        let cobol = Language::new("cobol");
        assert_eq!(cobol.facts().grammar, LanguageGrammar::Unparsed);
    }

    #[test]
    fn comments_are_written_up_to_the_end_of_a_line_where_they_can_be() {
        let style = |id: &str| Language::new(id).facts().comment_style();
        assert_eq!(style("rust"), CommentStyle::Line("//"));
        assert_eq!(style("terraform"), CommentStyle::Line("#"));
        assert_eq!(style("css"), CommentStyle::Block("/*", "*/"));
        assert_eq!(style("vue"), CommentStyle::Block("<!--", "-->"));
        assert_eq!(style("never heard of"), CommentStyle::Line("#"));
    }

    #[test]
    fn languages_are_like_their_kin_and_like_themselves() {
        let is_like = |one: &str, other: &str| Language::new(one).is_like(&Language::new(other));
        assert!(is_like("vue", "typescript") && is_like("c", "cpp"));
        assert!(is_like("cobol", "cobol"));
        assert!(!is_like("cobol", "algol") && !is_like("rust", "go"));
    }

    #[test]
    fn a_fence_names_a_language_by_a_plain_word() {
        let name = |id: &str| Language::new(id).fence_name().to_owned();
        assert_eq!(name("typescriptreact"), "tsx");
        assert_eq!(name("c++"), "c++");
        assert_eq!(name("x\nforged"), "");
        assert_eq!(name(&"x".repeat(33)), "");
    }

    #[test]
    fn scripts_of_shells_are_no_source_code() {
        assert!(is_source_ending("rs") && is_source_ending("erb"));
        assert!(!is_source_ending("sh") && !is_source_ending("md"));
    }
}
