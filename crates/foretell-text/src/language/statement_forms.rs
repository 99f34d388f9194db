//! How imports, declarations and error handling begin in a language.
//!
//! It knows how statements begin and nothing more: a parser knows syntax. A change in a language without
//! such forms is described by its number of lines.

/// How some languages write things.
#[derive(Debug)]
pub struct StatementForms {
    /// How imports begin, and how one on a single line ends.
    pub imports: &'static [(&'static str, &'static str)],
    /// The words that declare something, and what it is.
    pub declares: &'static [(&'static str, &'static str)],
    /// The words of error handling.
    pub handles: Option<ErrorHandling>,
}

/// How errors are handled.
#[derive(Clone, Copy, Debug)]
pub struct ErrorHandling {
    /// The word before what may fail, and what may stand behind that word, if not anything.
    pub attempt: (&'static str, &'static str),
    /// The word before what is done then, and what may stand behind that word, if not anything.
    pub rescue: (&'static str, &'static str),
    /// Its name among people.
    pub name: &'static str,
}

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

pub(super) const JAVASCRIPT: StatementForms = StatementForms {
    imports: &[("import ", "'"), ("import ", "\"")],
    declares: &[("function", "function"), ("class", "class")],
    handles: TRY_CATCH,
};

pub(super) const TYPESCRIPT: StatementForms = StatementForms {
    imports: &[("import ", "'"), ("import ", "\"")],
    declares: &[
        ("function", "function"),
        ("class", "class"),
        ("enum", "enum"),
        ("interface", "interface"),
        ("type", "type"),
    ],
    handles: TRY_CATCH,
};

pub(super) const RUST: StatementForms = StatementForms {
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
};

pub(super) const PYTHON: StatementForms = StatementForms {
    imports: &[("import ", ""), ("from ", "")],
    declares: &[("def", "function"), ("class", "class")],
    handles: Some(ErrorHandling {
        attempt: ("try", ":"),
        rescue: ("except", ""),
        name: "try/except",
    }),
};

pub(super) const GO: StatementForms = StatementForms {
    imports: &[("import ", "\"")],
    declares: &[("func", "function"), ("type", "type")],
    handles: None,
};

pub(super) const JAVA: StatementForms = StatementForms {
    imports: &[("import ", "")],
    declares: &[
        ("class", "class"),
        ("enum", "enum"),
        ("interface", "interface"),
    ],
    handles: TRY_CATCH,
};

pub(super) const KOTLIN: StatementForms = StatementForms {
    imports: &[("import ", "")],
    declares: &[
        ("fun", "function"),
        ("def", "function"),
        ("class", "class"),
        ("interface", "interface"),
        ("trait", "trait"),
    ],
    handles: TRY_CATCH,
};

pub(super) const SWIFT: StatementForms = StatementForms {
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
};

pub(super) const CSHARP: StatementForms = StatementForms {
    imports: &[],
    declares: &[
        ("class", "class"),
        ("struct", "struct"),
        ("enum", "enum"),
        ("interface", "interface"),
    ],
    handles: TRY_CATCH,
};

pub(super) const C: StatementForms = StatementForms {
    imports: &[("#include ", "\""), ("#include ", ">")],
    // A struct may be a declaration, a parameter or a return type.
    declares: &[],
    handles: TRY_CATCH,
};

pub(super) const PHP: StatementForms = StatementForms {
    imports: &[],
    declares: &[
        ("function", "function"),
        ("class", "class"),
        ("interface", "interface"),
    ],
    handles: TRY_CATCH,
};

pub(super) const RUBY: StatementForms = StatementForms {
    imports: &[("require ", "'"), ("require ", "\"")],
    declares: &[("def", "function"), ("class", "class")],
    handles: Some(ErrorHandling {
        attempt: ("begin", ""),
        rescue: ("rescue", ""),
        name: "begin/rescue",
    }),
};

/// Of languages whose comments alone are recognised.
pub(super) const NONE: StatementForms = StatementForms {
    imports: &[],
    declares: &[],
    handles: None,
};
