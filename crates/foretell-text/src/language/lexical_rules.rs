//! How comments and strings are written, by families of languages.
//!
//! Rules that miss something cost a predictor a little care; rules that have too much make code look
//! like a string. A doubtful entry is left out.

/// How some languages write comments and strings.
#[derive(Debug)]
pub struct LexicalRules {
    /// The openers of comments that end with their line.
    pub line: &'static [&'static str],
    /// The openers and closers of comments that do not.
    pub block: &'static [(&'static str, &'static str)],
    /// Whether such comments nest.
    pub nested: bool,
    /// Whether a comment's single mark is one only after space: `$#` and `a#b` are not comments.
    pub line_after_space: bool,
    /// The quotes of strings; the longer first.
    pub quotes: &'static [StringQuote],
    /// Letters that strings may begin with.
    pub prefixes: &'static [StringPrefix],
    /// Whether `'` is for characters and lifetimes.
    pub lifetimes: bool,
    /// Whether `$` may be in a word.
    pub dollar_in_words: bool,
}

/// How a string is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StringQuote {
    /// The mark that begins it.
    pub open: &'static str,
    /// The mark that ends it.
    pub close: &'static str,
    /// How many hashes stand after what closes it.
    pub hashes: usize,
    /// Whether it may go on over line breaks.
    pub lines: bool,
    /// Whether a backslash takes the next character's meaning away.
    pub escapes: bool,
    /// The opener of code in it.
    pub hole: Option<CodeHole>,
}

/// How code is written in a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeHole {
    /// The mark that begins it.
    pub open: &'static str,
    /// The bracket that ends it.
    pub close: u8,
}

impl CodeHole {
    /// The bracket that it opens with, which may be nested in it.
    pub fn inner(self) -> u8 {
        self.open.bytes().next_back().unwrap_or_default()
    }
}

/// Letters before a quote that change what is between the quotes.
#[derive(Debug)]
pub struct StringPrefix {
    /// The letters.
    pub word: &'static str,
    /// Whether a backslash is a backslash.
    pub raw: bool,
    /// Whether hashes may stand before the quote, and then after it too.
    pub hashes: bool,
    /// The opener of code in it.
    pub hole: Option<CodeHole>,
}

impl LexicalRules {
    /// The rules of a text of which nothing is known: it has neither strings nor comments.
    pub const NONE: LexicalRules = LexicalRules {
        line: &[],
        block: &[],
        nested: false,
        line_after_space: false,
        quotes: &[],
        prefixes: &[],
        lifetimes: false,
        dollar_in_words: false,
    };

    /// The quote that stands there.
    pub fn quote_at(&self, text: &[u8], at: usize) -> Option<&'static StringQuote> {
        let rest = text.get(at..)?;
        let mut quotes = self.quotes.iter();
        quotes.find(|quote| rest.starts_with(quote.open.as_bytes()))
    }
}

/// Comments and strings as in C.
pub(super) const C: LexicalRules = LexicalRules {
    line: &["//"],
    block: &[("/*", "*/")],
    quotes: &[on_a_line("\""), on_a_line("'")],
    ..LexicalRules::NONE
};

/// Comments as in a shell.
const HASH: LexicalRules = LexicalRules {
    line: &["#"],
    quotes: &[on_a_line("\""), on_a_line("'")],
    ..LexicalRules::NONE
};

pub(super) const RUST: LexicalRules = LexicalRules {
    nested: true,
    quotes: &[over_lines("\""), on_a_line("'")],
    prefixes: &[
        hashed("r"),
        hashed("br"),
        hashed("cr"),
        plain("b"),
        plain("c"),
    ],
    lifetimes: true,
    ..C
};

/// JavaScript, and what is written like it.
pub(super) const SCRIPT: LexicalRules = LexicalRules {
    block: &[("/*", "*/"), ("<!--", "-->")],
    quotes: &[
        on_a_line("\""),
        on_a_line("'"),
        with_code(over_lines("`"), "${", b'}'),
    ],
    dollar_in_words: true,
    ..C
};

pub(super) const PYTHON: LexicalRules = LexicalRules {
    quotes: &[
        over_lines("\"\"\""),
        over_lines("'''"),
        on_a_line("\""),
        on_a_line("'"),
    ],
    prefixes: &[
        raw("r"),
        plain("b"),
        plain("u"),
        raw("rb"),
        raw("br"),
        coded("f"),
        coded("fr"),
        coded("rf"),
        coded("t"),
    ],
    ..HASH
};

pub(super) const JSON: LexicalRules = LexicalRules {
    quotes: &[on_a_line("\"")],
    ..LexicalRules::NONE
};

pub(super) const CPP: LexicalRules = LexicalRules {
    prefixes: &[plain("L"), plain("u"), plain("U"), plain("u8")],
    ..C
};

pub(super) const GO: LexicalRules = LexicalRules {
    quotes: &[on_a_line("\""), on_a_line("'"), verbatim("`")],
    ..C
};

pub(super) const JAVA: LexicalRules = LexicalRules {
    quotes: &[over_lines("\"\"\""), on_a_line("\""), on_a_line("'")],
    ..C
};

pub(super) const KOTLIN: LexicalRules = LexicalRules {
    nested: true,
    quotes: &[
        with_code(over_lines("\"\"\""), "${", b'}'),
        with_code(on_a_line("\""), "${", b'}'),
        on_a_line("'"),
    ],
    ..C
};

pub(super) const SCALA: LexicalRules = LexicalRules {
    nested: true,
    quotes: &[over_lines("\"\"\""), on_a_line("\""), on_a_line("'")],
    prefixes: &[scala("s"), scala("f"), scala("raw")],
    ..C
};

pub(super) const DART: LexicalRules = LexicalRules {
    nested: true,
    quotes: &[
        with_code(over_lines("\"\"\""), "${", b'}'),
        with_code(over_lines("'''"), "${", b'}'),
        with_code(on_a_line("\""), "${", b'}'),
        with_code(on_a_line("'"), "${", b'}'),
    ],
    prefixes: &[raw("r")],
    ..C
};

pub(super) const SWIFT: LexicalRules = LexicalRules {
    nested: true,
    quotes: &[
        with_code(over_lines("\"\"\""), "\\(", b')'),
        with_code(on_a_line("\""), "\\(", b')'),
    ],
    ..C
};

pub(super) const CSHARP: LexicalRules = LexicalRules {
    quotes: &[
        with_code(closed_by(over_lines("$\"\"\""), "\"\"\""), "{", b'}'),
        over_lines("\"\"\""),
        with_code(closed_by(verbatim("$@\""), "\""), "{", b'}'),
        with_code(closed_by(verbatim("@$\""), "\""), "{", b'}'),
        closed_by(verbatim("@\""), "\""),
        with_code(closed_by(on_a_line("$\""), "\""), "{", b'}'),
        on_a_line("\""),
        on_a_line("'"),
    ],
    ..C
};

pub(super) const PHP: LexicalRules = LexicalRules {
    line: &["//", "#"],
    quotes: &[with_code(over_lines("\""), "{$", b'}'), over_lines("'")],
    ..C
};

pub(super) const CSS: LexicalRules = LexicalRules { line: &[], ..C };

/// HTML, XML and templates.
pub(super) const MARKUP: LexicalRules = LexicalRules {
    block: &[("<!--", "-->")],
    quotes: &[on_a_line("\"")],
    ..LexicalRules::NONE
};

pub(super) const RUBY: LexicalRules = LexicalRules {
    quotes: &[with_code(over_lines("\""), "#{", b'}'), over_lines("'")],
    ..HASH
};

/// Shells.
pub(super) const SHELL: LexicalRules = LexicalRules {
    line_after_space: true,
    quotes: &[over_lines("\""), verbatim("'")],
    ..HASH
};

pub(super) const POWERSHELL: LexicalRules = LexicalRules {
    block: &[("<#", "#>")],
    quotes: &[over_lines("\""), verbatim("'")],
    ..HASH
};

pub(super) const TOML: LexicalRules = LexicalRules {
    quotes: &[
        over_lines("\"\"\""),
        verbatim("'''"),
        on_a_line("\""),
        on_a_line("'"),
    ],
    ..HASH
};

/// Settings, build files, and languages of which no more is known than their comments.
pub(super) const CONFIGURATION: LexicalRules = LexicalRules {
    line_after_space: true,
    ..HASH
};

pub(super) const TERRAFORM: LexicalRules = LexicalRules {
    line: &["#", "//"],
    block: &[("/*", "*/")],
    quotes: &[with_code(on_a_line("\""), "${", b'}')],
    ..LexicalRules::NONE
};

/// SQL, and what comments like it.
pub(super) const SQL: LexicalRules = LexicalRules {
    line: &["--"],
    block: &[("/*", "*/")],
    quotes: &[verbatim("'"), verbatim("\"")],
    ..LexicalRules::NONE
};

pub(super) const LUA: LexicalRules = LexicalRules {
    line: &["--"],
    block: &[("--[[", "]]")],
    quotes: &[
        closed_by(verbatim("[["), "]]"),
        on_a_line("\""),
        on_a_line("'"),
    ],
    ..LexicalRules::NONE
};

pub(super) const HASKELL: LexicalRules = LexicalRules {
    line: &["--"],
    block: &[("{-", "-}")],
    nested: true,
    quotes: &[on_a_line("\"")],
    ..LexicalRules::NONE
};

/// OCaml and its kin.
pub(super) const ML: LexicalRules = LexicalRules {
    line: &["//"],
    block: &[("(*", "*)")],
    nested: true,
    quotes: &[over_lines("\"")],
    ..LexicalRules::NONE
};

/// Lisp and its kin.
pub(super) const LISP: LexicalRules = LexicalRules {
    line: &[";"],
    quotes: &[over_lines("\"")],
    ..LexicalRules::NONE
};

/// Languages whose comments begin with `%`.
pub(super) const PERCENT: LexicalRules = LexicalRules {
    line: &["%"],
    ..LexicalRules::NONE
};

const fn on_a_line(open: &'static str) -> StringQuote {
    StringQuote {
        open,
        close: open,
        hashes: 0,
        lines: false,
        escapes: true,
        hole: None,
    }
}

const fn over_lines(open: &'static str) -> StringQuote {
    StringQuote {
        lines: true,
        ..on_a_line(open)
    }
}

const fn verbatim(open: &'static str) -> StringQuote {
    StringQuote {
        escapes: false,
        ..over_lines(open)
    }
}

const fn closed_by(quote: StringQuote, close: &'static str) -> StringQuote {
    StringQuote { close, ..quote }
}

const fn with_code(quote: StringQuote, open: &'static str, close: u8) -> StringQuote {
    StringQuote {
        hole: Some(CodeHole { open, close }),
        ..quote
    }
}

const fn plain(word: &'static str) -> StringPrefix {
    StringPrefix {
        word,
        raw: false,
        hashes: false,
        hole: None,
    }
}

const fn raw(word: &'static str) -> StringPrefix {
    StringPrefix {
        raw: true,
        ..plain(word)
    }
}

const fn hashed(word: &'static str) -> StringPrefix {
    StringPrefix {
        hashes: true,
        ..raw(word)
    }
}

const fn coded(word: &'static str) -> StringPrefix {
    StringPrefix {
        hole: Some(CodeHole {
            open: "{",
            close: b'}',
        }),
        ..plain(word)
    }
}

const fn scala(word: &'static str) -> StringPrefix {
    StringPrefix {
        hole: Some(CodeHole {
            open: "${",
            close: b'}',
        }),
        ..plain(word)
    }
}
