//! One row for each language, in the order of their identifiers.
//!
//! A column that is not named keeps its default, which is in [`text`]. The order is for searching, and
//! a test looks after it.

use super::lexical_rules as rules;
use super::statement_forms as forms;
use super::{CommentStyle, LanguageFacts, LanguageGrammar, LexicalRules, StatementForms};

#[rustfmt::skip]
pub(super) const TABLE: &[LanguageFacts] = &[
    code("ada", &rules::SQL),
    code("agda", &rules::HASKELL),
    text("applescript").comment(line("--")),
    text("asciidoc").files(&["adoc", "asciidoc"]),
    text("asm").files(&["asm", "s"]).comment(line(";")),
    code("astro", &rules::SCRIPT).source(&["astro"]).comment(block("<!--", "-->")),
    text("awk").files(&["awk"]),
    code("bash", &rules::SHELL).well_known(),
    text("bat").files(&["bat", "cmd"]).comment(line("REM")).well_known(),
    code("bazel", &rules::PYTHON),
    code("bibtex", &rules::PERCENT).files(&["bib"]),
    code("c", &rules::C).source(&["c"]).grammar(LanguageGrammar::C).statements(&forms::C).kin("c").well_known(),
    code("clojure", &rules::LISP).source(&["clj", "cljs"]).files(&["cljc"]).well_known(),
    code("cmake", &rules::CONFIGURATION).files(&["cmake"]),
    code("coffeescript", &rules::CONFIGURATION).files(&["coffee"]),
    text("coq").comment(block("(*", "*)")),
    code("cpp", &rules::CPP).source(&["cpp", "cc", "cxx", "h", "hpp", "hh", "hxx"]).files(&["c++", "h++", "ipp", "inl", "tpp"]).grammar(LanguageGrammar::Cpp).statements(&forms::C).kin("c").well_known(),
    code("crystal", &rules::RUBY).files(&["cr"]),
    code("csharp", &rules::CSHARP).source(&["cs"]).statements(&forms::CSHARP).well_known(),
    code("css", &rules::CSS).source(&["css"]).well_known(),
    text("csv").files(&["csv"]),
    code("cuda-cpp", &rules::CPP).files(&["cu", "cuh"]).kin("c"),
    code("cython", &rules::PYTHON),
    code("d", &rules::CPP).files(&["d"]),
    code("dart", &rules::DART).source(&["dart"]).statements(&forms::KOTLIN).well_known(),
    text("diff").files(&["diff", "patch"]).well_known(),
    code("dockercompose", &rules::CONFIGURATION),
    code("dockerfile", &rules::CONFIGURATION).files(&["dockerfile"]).statements(&forms::NONE).well_known(),
    code("elisp", &rules::LISP),
    code("elixir", &rules::RUBY).source(&["ex", "exs"]).well_known(),
    code("elm", &rules::HASKELL).source(&["elm"]),
    code("erlang", &rules::PERCENT).source(&["erl", "hrl"]).well_known(),
    code("fish", &rules::SHELL).files(&["fish"]),
    text("fortran").files(&["f", "f90", "f95"]).comment(line("!")),
    code("fsharp", &rules::ML).source(&["fs"]).files(&["fsi", "fsx"]).well_known(),
    code("gdscript", &rules::PYTHON),
    text("git-commit").well_known(),
    text("git-rebase").well_known(),
    text("gleam").files(&["gleam"]),
    code("glsl", &rules::C).files(&["glsl", "vert", "frag"]),
    code("go", &rules::GO).source(&["go"]).grammar(LanguageGrammar::Go).statements(&forms::GO).well_known(),
    code("gomod", &rules::GO),
    code("gradle", &rules::KOTLIN),
    code("graphql", &rules::CONFIGURATION).source(&["graphql"]).files(&["gql"]),
    code("groovy", &rules::KOTLIN).source(&["gradle", "groovy"]).statements(&forms::JAVA).well_known(),
    text("haml").files(&["haml"]),
    code("handlebars", &rules::MARKUP).files(&["hbs"]),
    code("haskell", &rules::HASKELL).source(&["hs"]).well_known(),
    code("hcl", &rules::TERRAFORM).files(&["hcl"]),
    code("hlsl", &rules::C).files(&["hlsl"]),
    code("html", &rules::MARKUP).source(&["html"]).files(&["htm"]).well_known(),
    code("idris", &rules::HASKELL),
    code("ini", &rules::CONFIGURATION).files(&["cfg", "conf", "ini"]).comment(line(";")).well_known(),
    text("jade").files(&["pug", "jade"]),
    code("java", &rules::JAVA).source(&["java"]).grammar(LanguageGrammar::Java).statements(&forms::JAVA).well_known(),
    code("javascript", &rules::SCRIPT).source(&["js", "mjs", "cjs"]).grammar(LanguageGrammar::JavaScript).statements(&forms::JAVASCRIPT).kin("javascript").well_known(),
    code("javascriptreact", &rules::SCRIPT).source(&["jsx"]).grammar(LanguageGrammar::JavaScript).statements(&forms::JAVASCRIPT).kin("javascript").fence("jsx").well_known(),
    code("json", &rules::JSON).files(&["json"]).comment(line("//")).well_known(),
    code("json5", &rules::C).files(&["json5"]),
    code("jsonc", &rules::C).files(&["jsonc"]).well_known(),
    text("jsonl").files(&["jsonl", "ndjson"]),
    code("julia", &rules::CONFIGURATION).source(&["jl"]).well_known(),
    code("kotlin", &rules::KOTLIN).source(&["kt", "kts"]).statements(&forms::KOTLIN).well_known(),
    code("latex", &rules::PERCENT).files(&["tex"]).well_known(),
    code("less", &rules::C).source(&["less"]).well_known(),
    code("lisp", &rules::LISP).files(&["lisp", "lsp"]),
    code("lua", &rules::LUA).source(&["lua"]).well_known(),
    code("makefile", &rules::CONFIGURATION).files(&["mk"]).statements(&forms::NONE).well_known(),
    text("markdown").files(&["md", "markdown"]).comment(block("<!--", "-->")).well_known(),
    code("matlab", &rules::PERCENT),
    text("mdx").files(&["mdx"]).comment(block("<!--", "-->")),
    code("mojo", &rules::PYTHON),
    code("mysql", &rules::SQL),
    code("nim", &rules::CONFIGURATION).source(&["nim"]),
    code("nix", &rules::TERRAFORM).files(&["nix"]),
    text("nushell").files(&["nu"]),
    code("objective-c", &rules::C).source(&["m"]).kin("c").fence("objectivec").well_known(),
    code("objective-cpp", &rules::CPP).source(&["mm"]).kin("c").fence("objectivec"),
    code("ocaml", &rules::ML).source(&["ml", "mli"]).comment(block("(*", "*)")),
    text("odin").files(&["odin"]),
    text("org").files(&["org"]),
    code("pascal", &rules::ML).files(&["pas"]),
    code("perl", &rules::CONFIGURATION).source(&["pl", "pm"]).well_known(),
    code("php", &rules::PHP).source(&["php"]).statements(&forms::PHP).well_known(),
    // Templates of Ruby are source code too, and editors do not agree what to call them.
    text("plaintext").source(&["erb"]).fence("text").well_known(),
    code("plsql", &rules::SQL),
    code("postgres", &rules::SQL),
    code("powershell", &rules::POWERSHELL).files(&["ps1", "psm1"]).well_known(),
    code("prolog", &rules::PERCENT),
    code("properties", &rules::CONFIGURATION).files(&["properties"]),
    code("proto", &rules::C).source(&["proto"]),
    code("proto3", &rules::C),
    code("protobuf", &rules::C),
    code("purescript", &rules::HASKELL),
    code("python", &rules::PYTHON).source(&["py", "pyi"]).files(&["pyw"]).grammar(LanguageGrammar::Python).statements(&forms::PYTHON).well_known(),
    code("r", &rules::CONFIGURATION).source(&["r"]).statements(&forms::NONE).well_known(),
    code("racket", &rules::LISP).files(&["rkt"]),
    code("razor", &rules::MARKUP),
    text("restructuredtext").files(&["rst"]),
    code("ruby", &rules::RUBY).source(&["rb"]).statements(&forms::RUBY).well_known(),
    code("rust", &rules::RUST).source(&["rs"]).grammar(LanguageGrammar::Rust).statements(&forms::RUST).well_known(),
    code("sass", &rules::C).source(&["sass"]),
    code("scala", &rules::SCALA).source(&["scala"]).files(&["sbt"]).statements(&forms::KOTLIN).well_known(),
    code("scheme", &rules::LISP).files(&["scm"]),
    code("scss", &rules::C).source(&["scss"]).well_known(),
    code("sh", &rules::SHELL).well_known(),
    code("shellscript", &rules::SHELL).files(&["sh", "bash", "zsh"]).statements(&forms::NONE).fence("sh").well_known(),
    code("sml", &rules::ML).comment(block("(*", "*)")),
    code("solidity", &rules::C).source(&["sol"]),
    code("sql", &rules::SQL).files(&["sql"]).well_known(),
    code("starlark", &rules::PYTHON).files(&["bzl", "star"]),
    code("stylus", &rules::C),
    code("svelte", &rules::SCRIPT).source(&["svelte"]).comment(block("<!--", "-->")).kin("javascript").well_known(),
    code("svg", &rules::MARKUP),
    code("swift", &rules::SWIFT).source(&["swift"]).statements(&forms::SWIFT).well_known(),
    code("systemverilog", &rules::C).files(&["sv", "svh"]),
    code("tcl", &rules::CONFIGURATION).files(&["tcl"]),
    code("terraform", &rules::TERRAFORM).files(&["tf"]),
    code("tex", &rules::PERCENT),
    text("text").well_known(),
    code("thrift", &rules::C),
    code("toml", &rules::TOML).files(&["toml"]).statements(&forms::NONE).well_known(),
    text("twig").files(&["twig"]),
    code("typescript", &rules::SCRIPT).source(&["ts", "mts", "cts"]).grammar(LanguageGrammar::TypeScript).statements(&forms::TYPESCRIPT).kin("javascript").well_known(),
    code("typescriptreact", &rules::SCRIPT).source(&["tsx"]).grammar(LanguageGrammar::Tsx).statements(&forms::TYPESCRIPT).kin("javascript").fence("tsx").well_known(),
    code("v", &rules::GO),
    text("vb").source(&["vb"]).comment(line("'")),
    code("verilog", &rules::C).files(&["v"]),
    code("vhdl", &rules::SQL).files(&["vhd", "vhdl"]),
    text("vim").comment(line("\"")),
    text("viml").files(&["vim"]).comment(line("\"")),
    code("vue", &rules::SCRIPT).source(&["vue"]).comment(block("<!--", "-->")).kin("javascript").well_known(),
    code("wgsl", &rules::C).files(&["wgsl"]),
    code("xml", &rules::MARKUP).files(&["xml", "xsd", "xsl", "svg", "plist"]).well_known(),
    code("xsl", &rules::MARKUP),
    code("yaml", &rules::CONFIGURATION).files(&["yml", "yaml"]).statements(&forms::NONE).well_known(),
    code("zig", &rules::C).source(&["zig"]).well_known(),
    code("zsh", &rules::SHELL),
];

/// The facts about a language of which no row says more.
pub(super) const UNKNOWN: LanguageFacts = text("");

/// A language of which nothing is known but its name.
const fn text(id: &'static str) -> LanguageFacts {
    LanguageFacts {
        id,
        source_endings: &[],
        other_endings: &[],
        rules: None,
        comment: None,
        statements: None,
        grammar: LanguageGrammar::Unparsed,
        fence: id,
        kin: id,
        is_well_known: false,
    }
}

/// A language whose comments and strings are known.
const fn code(id: &'static str, rules: &'static LexicalRules) -> LanguageFacts {
    LanguageFacts {
        rules: Some(rules),
        ..text(id)
    }
}

/// The columns.
impl LanguageFacts {
    const fn source(self, source_endings: &'static [&'static str]) -> Self {
        LanguageFacts {
            source_endings,
            ..self
        }
    }

    const fn files(self, other_endings: &'static [&'static str]) -> Self {
        LanguageFacts {
            other_endings,
            ..self
        }
    }

    const fn comment(self, style: CommentStyle) -> Self {
        LanguageFacts {
            comment: Some(style),
            ..self
        }
    }

    const fn statements(self, forms: &'static StatementForms) -> Self {
        LanguageFacts {
            statements: Some(forms),
            ..self
        }
    }

    const fn grammar(self, grammar: LanguageGrammar) -> Self {
        LanguageFacts { grammar, ..self }
    }

    const fn fence(self, fence: &'static str) -> Self {
        LanguageFacts { fence, ..self }
    }

    const fn kin(self, kin: &'static str) -> Self {
        LanguageFacts { kin, ..self }
    }

    const fn well_known(self) -> Self {
        LanguageFacts {
            is_well_known: true,
            ..self
        }
    }
}

const fn line(mark: &'static str) -> CommentStyle {
    CommentStyle::Line(mark)
}

const fn block(open: &'static str, close: &'static str) -> CommentStyle {
    CommentStyle::Block(open, close)
}
