//! How comments and strings are written, by families of languages.
//!
//! A table and nothing else, so that a language is added by a line. What a family has too little of
//! costs a predictor a little care; what it has too much of makes code look like a string, so a
//! doubtful entry is left out.

use crate::document::Language;

/// Languages that write comments and strings alike.
#[derive(Debug)]
pub struct LexicalRules {
    ids: &'static [&'static str],
    /// What begins a comment that ends with its line.
    pub line: &'static [&'static str],
    /// What begins and ends a comment that does not.
    pub block: &'static [(&'static str, &'static str)],
    /// Whether such comments nest.
    pub nested: bool,
    /// Whether a comment's single mark is one only after space: `$#` and `a#b` are not comments.
    pub line_after_space: bool,
    /// What a string may be in; the longer first.
    pub quotes: &'static [StringQuote],
    /// What a string may begin with.
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
    /// What begins code in it.
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
    /// What begins code in it.
    pub hole: Option<CodeHole>,
}

impl LexicalRules {
    /// The family of a language.
    pub fn of(language: &Language) -> &'static LexicalRules {
        let id = language.as_str();
        let mut families = FAMILIES.iter();
        let found = families.find(|family| family.ids.contains(&id));
        found.unwrap_or(&UNKNOWN)
    }

    /// One without strings and comments.
    pub fn unknown() -> &'static LexicalRules {
        &UNKNOWN
    }

    /// Whether it is known how its languages are written.
    pub fn is_known(&self) -> bool {
        !self.ids.is_empty()
    }

    /// The quote that stands there.
    pub fn quote_at(&self, text: &[u8], at: usize) -> Option<&'static StringQuote> {
        let rest = text.get(at..)?;
        let mut quotes = self.quotes.iter();
        quotes.find(|quote| rest.starts_with(quote.open.as_bytes()))
    }
}

const UNKNOWN: LexicalRules = LexicalRules {
    ids: &[],
    line: &[],
    block: &[],
    nested: false,
    line_after_space: false,
    quotes: &[],
    prefixes: &[],
    lifetimes: false,
    dollar_in_words: false,
};

/// Comments and strings as in C.
const C: LexicalRules = LexicalRules {
    line: &["//"],
    block: &[("/*", "*/")],
    quotes: &[on_a_line("\""), on_a_line("'")],
    ..UNKNOWN
};

/// Comments as in a shell.
const HASH: LexicalRules = LexicalRules {
    line: &["#"],
    quotes: &[on_a_line("\""), on_a_line("'")],
    ..UNKNOWN
};

const FAMILIES: &[LexicalRules] = &[
    LexicalRules {
        ids: &["rust"],
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
    },
    LexicalRules {
        ids: &[
            "javascript",
            "javascriptreact",
            "typescript",
            "typescriptreact",
            "vue",
            "svelte",
            "astro",
        ],
        block: &[("/*", "*/"), ("<!--", "-->")],
        quotes: &[
            on_a_line("\""),
            on_a_line("'"),
            with_code(over_lines("`"), "${", b'}'),
        ],
        dollar_in_words: true,
        ..C
    },
    LexicalRules {
        ids: &["python", "starlark", "bazel", "cython", "gdscript", "mojo"],
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
    },
    LexicalRules {
        ids: &[
            "c",
            "objective-c",
            "glsl",
            "hlsl",
            "wgsl",
            "protobuf",
            "proto",
            "proto3",
            "thrift",
            "zig",
            "solidity",
            "verilog",
            "systemverilog",
            "jsonc",
            "json5",
        ],
        ..C
    },
    LexicalRules {
        ids: &["json"],
        quotes: &[on_a_line("\"")],
        ..UNKNOWN
    },
    LexicalRules {
        ids: &["cpp", "objective-cpp", "cuda-cpp", "d"],
        prefixes: &[plain("L"), plain("u"), plain("U"), plain("u8")],
        ..C
    },
    LexicalRules {
        ids: &["go", "v", "gomod"],
        quotes: &[on_a_line("\""), on_a_line("'"), verbatim("`")],
        ..C
    },
    LexicalRules {
        ids: &["java"],
        quotes: &[over_lines("\"\"\""), on_a_line("\""), on_a_line("'")],
        ..C
    },
    LexicalRules {
        ids: &["kotlin", "groovy", "gradle"],
        nested: true,
        quotes: &[
            with_code(over_lines("\"\"\""), "${", b'}'),
            with_code(on_a_line("\""), "${", b'}'),
            on_a_line("'"),
        ],
        ..C
    },
    LexicalRules {
        ids: &["scala"],
        nested: true,
        quotes: &[over_lines("\"\"\""), on_a_line("\""), on_a_line("'")],
        prefixes: &[scala("s"), scala("f"), scala("raw")],
        ..C
    },
    LexicalRules {
        ids: &["dart"],
        nested: true,
        quotes: &[
            with_code(over_lines("\"\"\""), "${", b'}'),
            with_code(over_lines("'''"), "${", b'}'),
            with_code(on_a_line("\""), "${", b'}'),
            with_code(on_a_line("'"), "${", b'}'),
        ],
        prefixes: &[raw("r")],
        ..C
    },
    LexicalRules {
        ids: &["swift"],
        nested: true,
        quotes: &[
            with_code(over_lines("\"\"\""), "\\(", b')'),
            with_code(on_a_line("\""), "\\(", b')'),
        ],
        ..C
    },
    LexicalRules {
        ids: &["csharp"],
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
    },
    LexicalRules {
        ids: &["php"],
        line: &["//", "#"],
        quotes: &[with_code(over_lines("\""), "{$", b'}'), over_lines("'")],
        ..C
    },
    LexicalRules {
        ids: &["css"],
        line: &[],
        ..C
    },
    LexicalRules {
        ids: &["scss", "less", "sass", "stylus"],
        ..C
    },
    LexicalRules {
        ids: &["html", "xml", "xsl", "svg", "handlebars", "razor"],
        block: &[("<!--", "-->")],
        quotes: &[on_a_line("\"")],
        ..UNKNOWN
    },
    LexicalRules {
        ids: &["ruby", "crystal", "elixir"],
        quotes: &[with_code(over_lines("\""), "#{", b'}'), over_lines("'")],
        ..HASH
    },
    LexicalRules {
        ids: &["shellscript", "bash", "sh", "zsh", "fish"],
        line_after_space: true,
        quotes: &[over_lines("\""), verbatim("'")],
        ..HASH
    },
    LexicalRules {
        ids: &["powershell"],
        block: &[("<#", "#>")],
        quotes: &[over_lines("\""), verbatim("'")],
        ..HASH
    },
    LexicalRules {
        ids: &["toml"],
        quotes: &[
            over_lines("\"\"\""),
            verbatim("'''"),
            on_a_line("\""),
            on_a_line("'"),
        ],
        ..HASH
    },
    LexicalRules {
        ids: &[
            "yaml",
            "dockercompose",
            "dockerfile",
            "makefile",
            "cmake",
            "ini",
            "properties",
            "r",
            "perl",
            "julia",
            "graphql",
            "tcl",
            "nim",
            "coffeescript",
        ],
        line_after_space: true,
        ..HASH
    },
    LexicalRules {
        ids: &["terraform", "hcl", "nix"],
        line: &["//", "#"],
        block: &[("/*", "*/")],
        quotes: &[with_code(on_a_line("\""), "${", b'}')],
        ..UNKNOWN
    },
    LexicalRules {
        ids: &["sql", "plsql", "postgres", "mysql", "ada", "vhdl"],
        line: &["--"],
        block: &[("/*", "*/")],
        quotes: &[verbatim("'"), verbatim("\"")],
        ..UNKNOWN
    },
    LexicalRules {
        ids: &["lua"],
        line: &["--"],
        block: &[("--[[", "]]")],
        quotes: &[
            closed_by(verbatim("[["), "]]"),
            on_a_line("\""),
            on_a_line("'"),
        ],
        ..UNKNOWN
    },
    LexicalRules {
        ids: &["haskell", "elm", "purescript", "idris", "agda"],
        line: &["--"],
        block: &[("{-", "-}")],
        nested: true,
        quotes: &[on_a_line("\"")],
        ..UNKNOWN
    },
    LexicalRules {
        ids: &["ocaml", "fsharp", "sml", "pascal"],
        line: &["//"],
        block: &[("(*", "*)")],
        nested: true,
        quotes: &[over_lines("\"")],
        ..UNKNOWN
    },
    LexicalRules {
        ids: &["clojure", "lisp", "scheme", "racket", "elisp"],
        line: &[";"],
        quotes: &[over_lines("\"")],
        ..UNKNOWN
    },
    LexicalRules {
        ids: &["erlang", "latex", "tex", "bibtex", "matlab", "prolog"],
        line: &["%"],
        ..UNKNOWN
    },
];

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
