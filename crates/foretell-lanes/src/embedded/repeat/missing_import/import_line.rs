//! An import, as it is written in the languages whose imports say which names they bring.
//!
//! Rust, Python, JavaScript and TypeScript, Go, Java and Kotlin. In C and its kin an include does not
//! say what it brings, so that nothing is known of those.
//!
//! Read are imports that begin a line; in Go also those in a list. What cannot be read is passed over:
//! an import that is half written, one in the middle of other code, one with an asterisk.

use foretell_text::Language;
use foretell_text::plain::is_word;

/// How much of a document is read, in bytes: imports stand in front.
const MOST_TEXT: usize = 65_536;
/// How many lines an import may have.
const MOST_LINES: usize = 40;
/// How many trees of names may be within each other.
const MOST_LEVELS: usize = 4;
/// How long an import may be, in bytes.
const LONGEST: usize = 2_000;

/// An import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ImportLine<'text> {
    /// Where its first line starts, and where its last ends, without the line break.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Its text, without the blanks around.
    pub(super) says: &'text str,
    /// What it brings, each with the path it is at.
    pub(super) brings: Vec<BroughtName>,
}

/// A name that an import brings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BroughtName {
    /// As it is called here.
    pub(super) name: String,
    /// The module it comes from.
    pub(super) path: String,
    /// What it is called there.
    pub(super) member: String,
}

impl BroughtName {
    fn new(name: &str, path: &str, member: &str) -> BroughtName {
        let [name, path, member] = [name, path, member].map(str::to_owned);
        BroughtName { name, path, member }
    }
}

/// How a language writes its imports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ImportStyle {
    Rust,
    Python,
    Script,
    Go,
    Java,
}

impl ImportStyle {
    /// That of a language, if it is known.
    pub(super) fn of(language: &Language) -> Option<ImportStyle> {
        match language.as_str() {
            "rust" => Some(ImportStyle::Rust),
            "python" => Some(ImportStyle::Python),
            "javascript" | "javascriptreact" | "typescript" | "typescriptreact" => {
                Some(ImportStyle::Script)
            }
            "go" => Some(ImportStyle::Go),
            "java" | "kotlin" => Some(ImportStyle::Java),
            _ => None,
        }
    }

    /// The mark between the parts of a path.
    pub(super) fn divider(self) -> &'static str {
        match self {
            ImportStyle::Rust => "::",
            ImportStyle::Python | ImportStyle::Java => ".",
            ImportStyle::Script | ImportStyle::Go => "/",
        }
    }

    /// Whether several names of one module stand in one import.
    pub(super) fn gathers(self) -> bool {
        matches!(
            self,
            ImportStyle::Rust | ImportStyle::Python | ImportStyle::Script
        )
    }
}

/// The imports of a text, in order.
pub(super) fn imports(style: ImportStyle, text: &str) -> Vec<ImportLine<'_>> {
    let mut most = text.len().min(MOST_TEXT);
    while !text.is_char_boundary(most) {
        most -= 1;
    }
    let text = text.get(..most).unwrap_or_default();
    let mut found = Vec::new();
    let mut lines = lines(text).peekable();
    let mut is_in_list = false;
    while let Some((start, line)) = lines.next() {
        if style == ImportStyle::Go {
            is_in_list = match line.trim() {
                "import (" => true,
                ")" => false,
                _ => is_in_list,
            };
        }
        let is_in_front = line.starts_with(is_word);
        if !(is_in_front || is_in_list) || !begins(style, line.trim(), is_in_list) {
            continue;
        }
        let mut end = start + line.len();
        for _ in 0..MOST_LINES {
            let so_far = text.get(start..end).unwrap_or_default();
            if depth(so_far) <= 0 || end - start > LONGEST {
                break;
            }
            let Some((at, line)) = lines.next() else {
                break;
            };
            end = at + line.len();
        }
        let says = text.get(start..end).unwrap_or_default().trim();
        if says.len() <= LONGEST && depth(says) == 0 {
            let brings = brings(style, says).unwrap_or_default();
            found.push(ImportLine {
                start,
                end,
                says,
                brings,
            });
        }
    }
    found
}

/// The lines of a text, each with where it starts, without line breaks.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let at = start;
        start += line.len();
        (at, line.trim_end_matches(['\n', '\r']))
    })
}

fn begins(style: ImportStyle, line: &str, is_in_list: bool) -> bool {
    let has = |word: &str| {
        let rest = line.strip_prefix(word);
        rest.is_some_and(|rest| rest.starts_with([' ', '{', '\'', '"', '*']))
    };
    match style {
        ImportStyle::Rust => has("use"),
        ImportStyle::Python => has("import") || has("from"),
        ImportStyle::Script => has("import") || (has("const") && line.contains(" = require(")),
        ImportStyle::Go if is_in_list => line.ends_with('"'),
        ImportStyle::Go => has("import") && line.ends_with('"'),
        ImportStyle::Java => has("import"),
    }
}

/// How many brackets are left open.
fn depth(text: &str) -> i32 {
    text.bytes().fold(0, |depth, byte| match byte {
        b'(' | b'{' => depth + 1,
        b')' | b'}' => depth - 1,
        _ => depth,
    })
}

/// What an import brings; nothing if it cannot be read.
fn brings(style: ImportStyle, says: &str) -> Option<Vec<BroughtName>> {
    let mut found = Vec::new();
    match style {
        ImportStyle::Rust => {
            let tree = says.strip_prefix("use")?.trim().strip_suffix(';')?;
            of_rust("", tree.trim(), 0, &mut found)?;
        }
        ImportStyle::Python => of_python(says, &mut found)?,
        ImportStyle::Script => of_script(says, &mut found)?,
        ImportStyle::Go => of_go(says, &mut found)?,
        ImportStyle::Java => of_java(says, &mut found)?,
    }
    found.retain(|it| is_name(&it.name));
    Some(found)
}

/// The names of a tree as Rust has them: `a::{b::C, d as e}`.
fn of_rust(prefix: &str, tree: &str, level: usize, found: &mut Vec<BroughtName>) -> Option<()> {
    if let Some((head, group)) = tree.split_once('{') {
        let head = head.trim().strip_suffix("::")?.trim();
        let group = group.trim_end().strip_suffix('}')?;
        let path = joined(prefix, head);
        if level > MOST_LEVELS {
            return None;
        }
        return parts(group).try_for_each(|item| of_rust(&path, item, level + 1, found));
    }
    let (path, alias) = split_as(tree);
    // The module itself.
    let whole = match path {
        "self" => prefix.to_owned(),
        _ => joined(prefix, path),
    };
    let (module, member) = whole.rsplit_once("::")?;
    found.push(BroughtName::new(alias.unwrap_or(member), module, member));
    Some(())
}

fn joined(prefix: &str, path: &str) -> String {
    match (prefix.is_empty(), path.is_empty()) {
        (true, _) => path.to_owned(),
        (_, true) => prefix.to_owned(),
        _ => [prefix, "::", path].concat(),
    }
}

fn of_python(says: &str, found: &mut Vec<BroughtName>) -> Option<()> {
    let says = says.split('#').next().unwrap_or_default().trim();
    if let Some(rest) = says.strip_prefix("from") {
        let (module, names) = rest.trim().split_once(" import")?;
        let names = names.trim().trim_start_matches('(').trim_end_matches(')');
        for item in parts(names) {
            let (member, name) = split_as(item);
            let name = name.unwrap_or(member);
            found.push(BroughtName::new(name, module.trim(), member));
        }
        return Some(());
    }
    for item in parts(says.strip_prefix("import")?) {
        let (module, name) = split_as(item);
        // `import a.b` brings `a`, and not all of it.
        if name.is_some() || !module.contains('.') {
            found.push(BroughtName::new(name.unwrap_or(module), module, ""));
        }
    }
    Some(())
}

fn of_script(says: &str, found: &mut Vec<BroughtName>) -> Option<()> {
    let quoted = |text: &str| -> Option<String> {
        let text = text.trim().trim_end_matches(';').trim_end();
        let quote = text.chars().next().filter(|it| matches!(it, '\'' | '"'))?;
        let path = text.strip_prefix(quote)?.strip_suffix(quote)?;
        (!path.contains(quote)).then(|| path.to_owned())
    };
    let (names, path) = match says.strip_prefix("const") {
        Some(rest) => {
            let (names, call) = rest.split_once(" = require(")?;
            let call = call.trim().trim_end_matches(';').strip_suffix(')')?;
            (names, quoted(call)?)
        }
        None => {
            let (names, path) = says.strip_prefix("import")?.rsplit_once(" from ")?;
            (names, quoted(path)?)
        }
    };
    let names = names.trim();
    let names = names.strip_prefix("type ").unwrap_or(names).trim();
    let (alone, group) = match names.split_once('{') {
        Some((alone, group)) => (alone, group.trim_end().strip_suffix('}')?),
        None => (names, ""),
    };
    for item in parts(alone) {
        let all = item.strip_prefix('*').map(str::trim_start);
        let all = all.and_then(|rest| rest.strip_prefix("as "));
        let member = if all.is_some() { "*" } else { "default" };
        found.push(BroughtName::new(all.unwrap_or(item).trim(), &path, member));
    }
    for item in parts(group) {
        let item = item.strip_prefix("type ").unwrap_or(item);
        let (member, name) = split_as(item);
        found.push(BroughtName::new(name.unwrap_or(member), &path, member));
    }
    Some(())
}

fn of_go(says: &str, found: &mut Vec<BroughtName>) -> Option<()> {
    let says = says.strip_prefix("import").unwrap_or(says).trim();
    let (alias, path) = says.strip_suffix('"')?.split_once('"')?;
    let is_version = |part: &&str| {
        let digits = part.strip_prefix('v').unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let last = path.rsplit('/').find(|part| !is_version(part))?;
    let last = last.split_once(".v").map_or(last, |(name, _)| name);
    let name = if alias.is_empty() { last } else { alias };
    found.push(BroughtName::new(name.trim(), path, ""));
    Some(())
}

fn of_java(says: &str, found: &mut Vec<BroughtName>) -> Option<()> {
    let path = says.strip_prefix("import")?.trim().trim_end_matches(';');
    let path = path.strip_prefix("static ").unwrap_or(path).trim();
    let (path, name) = split_as(path);
    let (module, member) = path.rsplit_once('.')?;
    found.push(BroughtName::new(name.unwrap_or(member), module, member));
    Some(())
}

/// What is between the commas, but for those in brackets.
fn parts(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    let parts = list.split(move |character| {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        character == ',' && depth == 0
    });
    parts.map(str::trim).filter(|part| !part.is_empty())
}

/// Something, and what it is called here.
fn split_as(item: &str) -> (&str, Option<&str>) {
    match item.split_once(" as ") {
        Some((item, name)) => (item.trim(), Some(name.trim())),
        None => (item.trim(), None),
    }
}

fn is_name(name: &str) -> bool {
    let is_begun = name.starts_with(|first: char| is_word(first) && !first.is_numeric());
    is_begun && name != "_" && name.chars().all(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a text imports: `name = path member`.
    fn tell(style: ImportStyle, text: &str) -> Vec<String> {
        let all = imports(style, text).into_iter().flat_map(|it| it.brings);
        let tell = |it: BroughtName| format!("{} = {} {}", it.name, it.path, it.member);
        all.map(tell).collect()
    }

    #[test]
    fn rust_brings_names_by_trees() {
        let text =
            "use a::b;\nuse c::{d::{E, f as g},\n    h::*,\n};\n    use i::J;\nuse k;\nuse l::\n";
        let told = ["b = a b", "E = c::d E", "g = c::d f"];
        assert_eq!(tell(ImportStyle::Rust, text), told);
        let text = "use a::c::{self, h};\n";
        assert_eq!(tell(ImportStyle::Rust, text), ["c = a c", "h = a::c h"]);
    }

    #[test]
    fn python_brings_names_and_modules() {
        let text = "import os\nimport a.b\nimport numpy as np\nfrom .x import (\n    One,\n    Two as Three,\n)\n";
        let told = ["os = os ", "np = numpy ", "One = .x One", "Three = .x Two"];
        assert_eq!(tell(ImportStyle::Python, text), told);
    }

    #[test]
    fn scripts_bring_names_in_braces_and_without() {
        let text = "import a, { b as c } from 'x'\r\nimport * as d from \"./y\";\r\nimport type { E } from '../z';\r\nimport 'side';\r\nconst f = require('f');\r\n";
        let told = [
            "a = x default",
            "c = x b",
            "d = ./y *",
            "E = ../z E",
            "f = f default",
        ];
        assert_eq!(tell(ImportStyle::Script, text), told);
    }

    #[test]
    fn go_brings_packages() {
        let text = "package a\n\nimport (\n\t\"fmt\"\n\tx \"b/c\"\n\t_ \"d\"\n\t\"e/f/v2\"\n)\n\nvar s = \"fmt\"\n";
        let told = ["fmt = fmt ", "x = b/c ", "f = e/f/v2 "];
        assert_eq!(tell(ImportStyle::Go, text), told);
    }

    #[test]
    fn java_brings_types_and_their_members() {
        let text = "import a.b.C;\nimport static d.E.f;\nimport g.*;\n";
        assert_eq!(tell(ImportStyle::Java, text), ["C = a.b C", "f = d.E f"]);
    }

    #[test]
    fn what_cannot_be_read_is_passed_over() {
        for text in [
            "use a::{b",
            "use ;",
            "use a::{{{{{{{b}}}}}}};",
            "use é\u{301}::{b",
        ] {
            assert_eq!(tell(ImportStyle::Rust, text), [""; 0]);
        }
        assert_eq!(tell(ImportStyle::Script, "import x from 'a'b';"), [""; 0]);
        assert_eq!(tell(ImportStyle::Go, "import \"\n\"\"\n"), [""; 0]);
    }
}
