//! How imports, declarations and error handling begin in a language.
//!
//! It knows how statements begin and nothing more: a parser knows syntax. A change in a language without
//! such forms is described by its number of lines.

use crate::document::Language;

/// How some languages write things.
pub struct StatementForms {
    /// The identifiers of the languages.
    languages: &'static [&'static str],
    /// What makes the rest of a line a comment.
    pub line_comment: Option<&'static str>,
    /// What a comment of many lines begins and ends with.
    pub block_comment: Option<(&'static str, &'static str)>,
    /// What imports begin with, and what one on a single line ends with.
    pub imports: &'static [(&'static str, &'static str)],
    /// The words that declare something, and what it is.
    pub declares: &'static [(&'static str, &'static str)],
    /// The words of error handling.
    pub handles: Option<ErrorHandling>,
}

/// How errors are handled.
#[derive(Clone, Copy)]
pub struct ErrorHandling {
    /// The word before what may fail, and what may stand behind that word, if not anything.
    pub attempt: (&'static str, &'static str),
    /// The word before what is done then, and what may stand behind that word, if not anything.
    pub rescue: (&'static str, &'static str),
    /// What people call it.
    pub name: &'static str,
}

const SLASHES: Option<&str> = Some("//");
const STARS: Option<(&str, &str)> = Some(("/*", "*/"));
const TRY_CATCH: Option<ErrorHandling> = Some(ErrorHandling {
    attempt: ("try", "{("),
    rescue: ("catch", "({"),
    name: "try/catch",
});

/// Words that may stand before one that declares something.
pub const MODIFIERS: [&str; 24] = [
    "abstract",
    "async",
    "const",
    "data",
    "declare",
    "default",
    "export",
    "extern",
    "final",
    "inline",
    "internal",
    "open",
    "override",
    "partial",
    "private",
    "protected",
    "pub",
    "public",
    "readonly",
    "sealed",
    "static",
    "suspend",
    "unsafe",
    "virtual",
];

const FORMS: &[StatementForms] = &[
    StatementForms {
        languages: &["javascript", "javascriptreact"],
        line_comment: SLASHES,
        block_comment: STARS,
        imports: &[("import ", "'"), ("import ", "\"")],
        declares: &[("function", "function"), ("class", "class")],
        handles: TRY_CATCH,
    },
    StatementForms {
        languages: &["typescript", "typescriptreact"],
        line_comment: SLASHES,
        block_comment: STARS,
        imports: &[("import ", "'"), ("import ", "\"")],
        declares: &[
            ("function", "function"),
            ("class", "class"),
            ("enum", "enum"),
            ("interface", "interface"),
            ("type", "type"),
        ],
        handles: TRY_CATCH,
    },
    StatementForms {
        languages: &["rust"],
        line_comment: SLASHES,
        block_comment: STARS,
        imports: &[
            ("use ", ""),
            ("pub use ", ""),
            ("pub use ", ""),
            ("pub(super) use ", ""),
        ],
        declares: &[
            ("fn", "function"),
            ("struct", "struct"),
            ("enum", "enum"),
            ("trait", "trait"),
            ("type", "type"),
        ],
        handles: None,
    },
    StatementForms {
        languages: &["python"],
        line_comment: Some("#"),
        block_comment: None,
        imports: &[("import ", ""), ("from ", "")],
        declares: &[("def", "function"), ("class", "class")],
        handles: Some(ErrorHandling {
            attempt: ("try", ":"),
            rescue: ("except", ""),
            name: "try/except",
        }),
    },
    StatementForms {
        languages: &["go"],
        line_comment: SLASHES,
        block_comment: STARS,
        imports: &[("import ", "\"")],
        declares: &[("func", "function"), ("type", "type")],
        handles: None,
    },
    StatementForms {
        languages: &["java", "groovy"],
        line_comment: SLASHES,
        block_comment: STARS,
        imports: &[("import ", "")],
        declares: &[
            ("class", "class"),
            ("enum", "enum"),
            ("interface", "interface"),
        ],
        handles: TRY_CATCH,
    },
    StatementForms {
        languages: &["kotlin", "scala", "dart"],
        line_comment: SLASHES,
        block_comment: STARS,
        imports: &[("import ", "")],
        declares: &[
            ("fun", "function"),
            ("def", "function"),
            ("class", "class"),
            ("interface", "interface"),
            ("trait", "trait"),
        ],
        handles: TRY_CATCH,
    },
    StatementForms {
        languages: &["swift"],
        line_comment: SLASHES,
        block_comment: STARS,
        imports: &[("import ", "")],
        declares: &[
            ("func", "function"),
            ("class", "class"),
            ("struct", "struct"),
            ("enum", "enum"),
        ],
        handles: Some(ErrorHandling {
            attempt: ("do", "{"),
            rescue: ("catch", "({"),
            name: "do/catch",
        }),
    },
    StatementForms {
        languages: &["csharp"],
        line_comment: SLASHES,
        block_comment: STARS,
        imports: &[],
        declares: &[
            ("class", "class"),
            ("struct", "struct"),
            ("enum", "enum"),
            ("interface", "interface"),
        ],
        handles: TRY_CATCH,
    },
    StatementForms {
        languages: &["c", "cpp"],
        line_comment: SLASHES,
        block_comment: STARS,
        imports: &[("#include ", "\""), ("#include ", ">")],
        // A struct may be a declaration, a parameter or a return type.
        declares: &[],
        handles: TRY_CATCH,
    },
    StatementForms {
        languages: &["php"],
        line_comment: SLASHES,
        block_comment: STARS,
        imports: &[],
        declares: &[
            ("function", "function"),
            ("class", "class"),
            ("interface", "interface"),
        ],
        handles: TRY_CATCH,
    },
    StatementForms {
        languages: &["ruby"],
        line_comment: Some("#"),
        block_comment: None,
        imports: &[("require ", "'"), ("require ", "\"")],
        declares: &[("def", "function"), ("class", "class")],
        handles: Some(ErrorHandling {
            attempt: ("begin", ""),
            rescue: ("rescue", ""),
            name: "begin/rescue",
        }),
    },
    StatementForms {
        languages: &["shellscript", "yaml", "toml", "makefile", "dockerfile", "r"],
        line_comment: Some("#"),
        block_comment: None,
        imports: &[],
        declares: &[],
        handles: None,
    },
];

impl StatementForms {
    /// The forms of a language, if they are known.
    pub fn of(language: &Language) -> Option<&'static StatementForms> {
        let id = language.as_str();
        FORMS.iter().find(|forms| forms.languages.contains(&id))
    }
}
