//! What imports, comments, functions and error handling look like in which language.
//!
//! A table, by the identifiers editors use. It knows how statements begin and nothing more: whoever
//! needs syntax asks a parser, and a language that is missing here is described by counting lines.

use foretell_text::Language;

/// How some languages write things.
pub(crate) struct Grammar {
    /// The identifiers of the languages.
    languages: &'static [&'static str],
    /// What makes the rest of a line a comment.
    pub(crate) line_comment: Option<&'static str>,
    /// What a comment of many lines begins and ends with.
    pub(crate) block_comment: Option<(&'static str, &'static str)>,
    /// What imports begin with, and what one on a single line ends with.
    pub(crate) imports: &'static [(&'static str, &'static str)],
    /// The words that declare something, and what it is.
    pub(crate) declares: &'static [(&'static str, &'static str)],
    /// The words of error handling.
    pub(crate) handles: Option<Handling>,
}

/// How errors are handled.
#[derive(Clone, Copy)]
pub(crate) struct Handling {
    /// The word before what may fail, and what may stand behind that word, if not anything.
    pub(crate) attempt: (&'static str, &'static str),
    /// The word before what is done then, and what may stand behind that word, if not anything.
    pub(crate) rescue: (&'static str, &'static str),
    /// What people call it.
    pub(crate) name: &'static str,
}

const SLASHES: Option<&str> = Some("//");
const STARS: Option<(&str, &str)> = Some(("/*", "*/"));
const TRY_CATCH: Option<Handling> = Some(Handling {
    attempt: ("try", "{("),
    rescue: ("catch", "({"),
    name: "try/catch",
});

/// Words that may stand before one that declares something.
pub(crate) const MODIFIERS: [&str; 24] = [
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

const GRAMMARS: &[Grammar] = &[
    Grammar {
        languages: &["javascript", "javascriptreact"],
        line_comment: SLASHES,
        block_comment: STARS,
        imports: &[("import ", "'"), ("import ", "\"")],
        declares: &[("function", "function"), ("class", "class")],
        handles: TRY_CATCH,
    },
    Grammar {
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
    Grammar {
        languages: &["rust"],
        line_comment: SLASHES,
        block_comment: STARS,
        imports: &[
            ("use ", ""),
            ("pub use ", ""),
            ("pub(crate) use ", ""),
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
    Grammar {
        languages: &["python"],
        line_comment: Some("#"),
        block_comment: None,
        imports: &[("import ", ""), ("from ", "")],
        declares: &[("def", "function"), ("class", "class")],
        handles: Some(Handling {
            attempt: ("try", ":"),
            rescue: ("except", ""),
            name: "try/except",
        }),
    },
    Grammar {
        languages: &["go"],
        line_comment: SLASHES,
        block_comment: STARS,
        imports: &[("import ", "\"")],
        declares: &[("func", "function"), ("type", "type")],
        handles: None,
    },
    Grammar {
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
    Grammar {
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
    Grammar {
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
        handles: Some(Handling {
            attempt: ("do", "{"),
            rescue: ("catch", "({"),
            name: "do/catch",
        }),
    },
    Grammar {
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
    Grammar {
        languages: &["c", "cpp"],
        line_comment: SLASHES,
        block_comment: STARS,
        imports: &[("#include ", "\""), ("#include ", ">")],
        // A struct may be a declaration, a parameter or a return type.
        declares: &[],
        handles: TRY_CATCH,
    },
    Grammar {
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
    Grammar {
        languages: &["ruby"],
        line_comment: Some("#"),
        block_comment: None,
        imports: &[("require ", "'"), ("require ", "\"")],
        declares: &[("def", "function"), ("class", "class")],
        handles: Some(Handling {
            attempt: ("begin", ""),
            rescue: ("rescue", ""),
            name: "begin/rescue",
        }),
    },
    Grammar {
        languages: &["shellscript", "yaml", "toml", "makefile", "dockerfile", "r"],
        line_comment: Some("#"),
        block_comment: None,
        imports: &[],
        declares: &[],
        handles: None,
    },
];

/// How a language writes things, if that is known.
pub(crate) fn of(language: &Language) -> Option<&'static Grammar> {
    let id = language.as_str();
    GRAMMARS
        .iter()
        .find(|grammar| grammar.languages.contains(&id))
}

impl Grammar {
    /// Whether a line is an import, all of it.
    pub(crate) fn is_import(&self, line: &str) -> bool {
        let line = line.trim();
        let statement = line.strip_suffix(';').unwrap_or(line);
        let is_open = statement.ends_with(['(', '{', ',', '\\', '=']);
        let is_one = |(start, end): &(&str, &str)| {
            let rest = statement.strip_prefix(start);
            rest.is_some_and(|rest| !rest.is_empty() && rest.ends_with(end))
        };
        // Words that begin an import begin lines of prose too.
        let is_whole = match (
            statement.strip_prefix("from "),
            statement.strip_prefix("import "),
        ) {
            (Some(rest), _) => rest
                .split_once(" import ")
                .is_some_and(|(from, _)| is_name(from)),
            (None, Some(rest)) => rest.ends_with(['\'', '"']) || rest.split(',').all(is_name),
            (None, None) => true,
        };
        !is_open && is_whole && !statement.contains(';') && self.imports.iter().any(is_one)
    }

    /// Whether lines are comments, all of them, apart from blank ones.
    pub(crate) fn are_comments(&self, lines: &[String]) -> bool {
        let mut inside: Option<&str> = None;
        for line in lines.iter().map(|line| line.trim()) {
            let rest = match (inside, self.block_comment) {
                (Some(_), _) => Some(line),
                (None, Some((start, end))) => {
                    let rest = line.strip_prefix(start);
                    inside = rest.map(|_| end);
                    rest
                }
                (None, None) => None,
            };
            if let (Some(rest), Some(end)) = (rest, inside) {
                match rest.split_once(end) {
                    Some((_, behind)) if !behind.trim().is_empty() => return false,
                    Some(_) => inside = None,
                    None => {}
                }
            } else if !line.is_empty() && !self.is_line_comment(line) {
                return false;
            }
        }
        inside.is_none() && lines.iter().any(|line| !line.trim().is_empty())
    }

    /// Whether a line is a comment from its start.
    pub(crate) fn is_line_comment(&self, line: &str) -> bool {
        let is_comment = |start| line.trim_start().starts_with(start);
        // `#!` is one to no one but a shell, and to the kernel it is not.
        self.line_comment.is_some_and(is_comment) && !line.starts_with("#!")
    }
}

/// Whether it is the name of what is imported, and perhaps another name for it.
fn is_name(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    matches!(words[..], [_] | ["static", _] | [_, "as", _])
}
