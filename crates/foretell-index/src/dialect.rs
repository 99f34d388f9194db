//! What a file is written in, as far as it matters for cutting it into pieces.
//!
//! A dialect is one grammar. TypeScript and TSX are two, since `<T>x` is a cast in the one and a tag
//! in the other; a header that ends in `.h` is C++ here, whose grammar reads nearly all of C too.
//! Whatever has no grammar is [`Dialect::Other`], and is cut at blank lines.
//!
//! A file on disk is known by its name, an open document by what its editor says; what a chunk is
//! said to be written in is the editor's word for it, so that both look the same.
//!
//! Absent on purpose: grammars, which are in `chunking`, and guessing from what a file says.

use foretell_text::Language;

/// What a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dialect {
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
    /// Something without a grammar.
    Other,
}

impl Dialect {
    /// All that have a grammar.
    pub const PARSED: [Dialect; 9] = [
        Dialect::Rust,
        Dialect::TypeScript,
        Dialect::Tsx,
        Dialect::JavaScript,
        Dialect::Python,
        Dialect::Go,
        Dialect::Java,
        Dialect::C,
        Dialect::Cpp,
    ];

    /// What a file of this name, or at this path, is written in.
    pub fn of_file(name: &str) -> Dialect {
        let ending = ending(name).to_ascii_lowercase();
        let is_known = |(_, endings, _): &&Row| endings.contains(&&*ending);
        TABLE
            .iter()
            .find(is_known)
            .map_or(Dialect::Other, |row| row.0)
    }

    /// What an editor means by the identifier of a language.
    pub fn of_language(language: &Language) -> Dialect {
        let id = language.as_str();
        let is_known = |(_, _, ids): &&Row| ids.contains(&id);
        TABLE
            .iter()
            .find(is_known)
            .map_or(Dialect::Other, |row| row.0)
    }

    /// The identifier that editors use, if there is one for all files of this dialect.
    pub fn id(self) -> Option<&'static str> {
        let row = TABLE.iter().find(|(dialect, _, _)| *dialect == self);
        row.and_then(|(_, _, ids)| ids.first().copied())
    }
}

/// The language that an editor would call a file of this name: plain text, if the name does not end in
/// a way that is known.
pub fn language_of_file(name: &str) -> Language {
    let ending = ending(name).to_ascii_lowercase();
    let is_tagged = matches!(&*ending, "jsx");
    match Dialect::of_file(name).id() {
        Some(_) if is_tagged => Language::new("javascriptreact"),
        Some(id) => Language::new(id),
        None => {
            let other = OTHERS
                .iter()
                .find(|(endings, _)| endings.contains(&&*ending));
            Language::new(other.map_or(PLAIN, |(_, id)| id))
        }
    }
}

/// A dialect, how names of its files end, and what editors call it, the usual name first.
type Row = (Dialect, &'static [&'static str], &'static [&'static str]);

const TABLE: [Row; 9] = [
    (Dialect::Rust, &["rs"], &["rust"]),
    (Dialect::TypeScript, &["ts", "mts", "cts"], &["typescript"]),
    (Dialect::Tsx, &["tsx"], &["typescriptreact"]),
    (
        Dialect::JavaScript,
        &["js", "mjs", "cjs", "jsx"],
        &["javascript", "javascriptreact"],
    ),
    (Dialect::Python, &["py", "pyi", "pyw"], &["python"]),
    (Dialect::Go, &["go"], &["go"]),
    (Dialect::Java, &["java"], &["java"]),
    (Dialect::C, &["c"], &["c"]),
    (
        Dialect::Cpp,
        &[
            "cpp", "cc", "cxx", "c++", "h", "hpp", "hh", "hxx", "h++", "ipp", "inl", "tpp",
        ],
        &["cpp"],
    ),
];

/// What editors call a text of which nobody knows more.
const PLAIN: &str = "plaintext";

/// What editors call files that have no grammar here, by how their names end.
const OTHERS: [(&[&str], &str); 91] = [
    (&["adoc", "asciidoc"], "asciidoc"),
    (&["asm", "s"], "asm"),
    (&["astro"], "astro"),
    (&["awk"], "awk"),
    (&["bat", "cmd"], "bat"),
    (&["bib"], "bibtex"),
    (&["bzl", "star"], "starlark"),
    (&["cfg", "conf", "ini"], "ini"),
    (&["clj", "cljs", "cljc"], "clojure"),
    (&["cmake"], "cmake"),
    (&["coffee"], "coffeescript"),
    (&["cr"], "crystal"),
    (&["cs"], "csharp"),
    (&["css"], "css"),
    (&["csv"], "csv"),
    (&["cu", "cuh"], "cuda-cpp"),
    (&["d"], "d"),
    (&["dart"], "dart"),
    (&["diff", "patch"], "diff"),
    (&["dockerfile"], "dockerfile"),
    (&["elm"], "elm"),
    (&["erl", "hrl"], "erlang"),
    (&["ex", "exs"], "elixir"),
    (&["f", "f90", "f95"], "fortran"),
    (&["fish"], "fish"),
    (&["fs", "fsi", "fsx"], "fsharp"),
    (&["gleam"], "gleam"),
    (&["glsl", "vert", "frag"], "glsl"),
    (&["gradle", "groovy"], "groovy"),
    (&["graphql", "gql"], "graphql"),
    (&["haml"], "haml"),
    (&["hbs"], "handlebars"),
    (&["hcl"], "hcl"),
    (&["hlsl"], "hlsl"),
    (&["hs"], "haskell"),
    (&["htm", "html"], "html"),
    (&["jl"], "julia"),
    (&["json"], "json"),
    (&["json5"], "json5"),
    (&["jsonc"], "jsonc"),
    (&["jsonl", "ndjson"], "jsonl"),
    (&["kt", "kts"], "kotlin"),
    (&["less"], "less"),
    (&["lisp", "lsp"], "lisp"),
    (&["lua"], "lua"),
    (&["m"], "objective-c"),
    (&["md", "markdown"], "markdown"),
    (&["mdx"], "mdx"),
    (&["mk"], "makefile"),
    (&["ml", "mli"], "ocaml"),
    (&["mm"], "objective-cpp"),
    (&["nim"], "nim"),
    (&["nix"], "nix"),
    (&["nu"], "nushell"),
    (&["odin"], "odin"),
    (&["org"], "org"),
    (&["pas"], "pascal"),
    (&["php"], "php"),
    (&["pl", "pm"], "perl"),
    (&["properties"], "properties"),
    (&["proto"], "proto"),
    (&["ps1", "psm1"], "powershell"),
    (&["pug", "jade"], "jade"),
    (&["r"], "r"),
    (&["rb"], "ruby"),
    (&["rkt"], "racket"),
    (&["rst"], "restructuredtext"),
    (&["sass"], "sass"),
    (&["scala", "sbt"], "scala"),
    (&["scm"], "scheme"),
    (&["scss"], "scss"),
    (&["sh", "bash", "zsh"], "shellscript"),
    (&["sol"], "solidity"),
    (&["sql"], "sql"),
    (&["sv", "svh"], "systemverilog"),
    (&["svelte"], "svelte"),
    (&["swift"], "swift"),
    (&["tcl"], "tcl"),
    (&["tex"], "latex"),
    (&["tf"], "terraform"),
    (&["toml"], "toml"),
    (&["twig"], "twig"),
    (&["v"], "verilog"),
    (&["vb"], "vb"),
    (&["vhd", "vhdl"], "vhdl"),
    (&["vim"], "viml"),
    (&["vue"], "vue"),
    (&["wgsl"], "wgsl"),
    (&["xml", "xsd", "xsl", "svg", "plist"], "xml"),
    (&["yml", "yaml"], "yaml"),
    (&["zig"], "zig"),
];

/// What follows the last full stop of a file's name. A name that begins with its only full stop has
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
    fn a_file_is_known_by_how_its_name_ends_in_any_case() {
        let dialects = [
            "src/lib.rs",
            "a.d.ts",
            "App.TSX",
            "x.mjs",
            "s.py",
            "m.go",
            "M.java",
        ];
        let dialects = dialects.map(Dialect::of_file);
        let expected = [
            Dialect::Rust,
            Dialect::TypeScript,
            Dialect::Tsx,
            Dialect::JavaScript,
            Dialect::Python,
            Dialect::Go,
            Dialect::Java,
        ];
        assert_eq!(dialects, expected);
        assert_eq!(Dialect::of_file("main.c"), Dialect::C);
        assert_eq!(Dialect::of_file("main.h"), Dialect::Cpp);
        for other in ["Makefile", ".rs", "notes.md", "", "dir.rs/file", "rs"] {
            assert_eq!(Dialect::of_file(other), Dialect::Other, "{other}");
        }
    }

    #[test]
    fn what_an_editor_calls_it_leads_back_to_the_dialect() {
        for dialect in Dialect::PARSED {
            let id = dialect.id().unwrap();
            assert_eq!(Dialect::of_language(&Language::new(id)), dialect);
        }
        let tagged = Language::new("javascriptreact");
        assert_eq!(Dialect::of_language(&tagged), Dialect::JavaScript);
        assert_eq!(
            Dialect::of_language(&Language::new("cobol")),
            Dialect::Other
        );
        assert_eq!(Dialect::Other.id(), None);
    }

    #[test]
    fn every_file_has_a_language() {
        let names = [
            "a.rs",
            "a.jsx",
            "README.md",
            "LICENSE",
            "build.zig",
            "ci.YML",
            "lib.rs.orig",
            "a.\u{1b}[31mred",
        ];
        let languages = names.map(|name| language_of_file(name).to_string());
        assert_eq!(
            languages,
            [
                "rust",
                "javascriptreact",
                "markdown",
                "plaintext",
                "zig",
                "yaml",
                "plaintext",
                "plaintext"
            ]
        );
    }
}
