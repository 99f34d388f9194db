//! A change in words.
//!
//! A pure function of the lines before, the lines after and the language. Shapes are tried in order,
//! and the first that fits is what the change is called:
//!
//! | shape | words |
//! | --- | --- |
//! | only white space differs | ``Changed the spacing of 2 lines`` |
//! | one name that is declared there differs, everywhere in the same way | ``Renamed `a` to `b` `` |
//! | every line is an import | ``Added import``, ``Removed 2 imports``, ``Changed import`` |
//! | every line is a comment | ``Added comment``, ``Removed comment``, ``Changed comment`` |
//! | one function or type, and nothing beside it | ``Added function `x` ``, ``Removed class `X` `` |
//! | it begins with error handling, and there was none | ``Added error handling with try/catch block`` |
//! | it began with error handling, and there is none | ``Removed error handling with try/catch block`` |
//! | lines were only added, or only removed | ``Added 2 lines``, ``Removed 1 line`` |
//! | characters were only removed | ``Removed part of 1 line`` |
//! | as many lines as before | ``Changed 1 line`` |
//! | anything else | ``Replaced 1 line with 3 lines`` |
//!
//! The words are never wrong: a model believes them. A shape that might be another is left to the
//! plain ones further down. Names are quoted only where they are declared, never values, which
//! might be secrets that the redactor would know by what stands before them.

use foretell_text::Language;
use foretell_text::plain::plural;

use super::change_shapes::{HandlingEvidence, filled, handles, only_declaration, renamed};
use super::line_kinds::LineForms;
use crate::sources::code_fence;

/// A change in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeDescription {
    /// Which of its sides shows it.
    pub kind: ChangeKind,
    /// Its words.
    pub words: String,
}

/// A kind of change, as far as showing it is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// It only adds: what is there now shows it.
    Addition,
    /// It only takes away: what was there before shows it.
    Removal,
    /// It puts one thing in another's place: what is there now shows it.
    Replacement,
    /// It moves what was there.
    Spacing,
}

/// Describes a change from some lines to others. Neither is to begin or end with a blank line,
/// and both are not to be empty.
pub fn describe(removed: &[String], added: &[String], language: &Language) -> ChangeDescription {
    let kind = kind(removed, added);
    if kind == ChangeKind::Spacing {
        let lines = plural(removed.len().max(added.len()), "line", "lines");
        let words = format!("Changed the spacing of {lines}");
        return ChangeDescription { kind, words };
    }
    let meaning = LineForms::of(language).and_then(|forms| meaning(removed, added, forms));
    match meaning {
        Some(words) => {
            // What it means now is seen in what is there now, even if it is only shorter.
            let kind = match added {
                [] => ChangeKind::Removal,
                _ if removed.is_empty() => ChangeKind::Addition,
                _ => ChangeKind::Replacement,
            };
            ChangeDescription { kind, words }
        }
        None => {
            let words = plain(removed, added, kind);
            ChangeDescription { kind, words }
        }
    }
}

fn kind(removed: &[String], added: &[String]) -> ChangeKind {
    let (old, new) = (removed.join("\n"), added.join("\n"));
    let solid = |text: &str| -> String { text.split_whitespace().collect() };
    if removed.is_empty() {
        ChangeKind::Addition
    } else if added.is_empty() {
        ChangeKind::Removal
    } else if solid(&old) == solid(&new) {
        ChangeKind::Spacing
    } else if is_left_of(&new, &old) {
        ChangeKind::Removal
    } else {
        ChangeKind::Replacement
    }
}

/// Whether a text is another without one stretch of it.
fn is_left_of(left: &str, whole: &str) -> bool {
    let same = |(a, b): &(char, char)| a == b;
    let front = left.chars().zip(whole.chars()).take_while(same).count();
    let back = left.chars().rev().zip(whole.chars().rev());
    let back = back.take_while(same).count();
    let (short, long) = (left.chars().count(), whole.chars().count());
    short < long && front + back >= short
}

/// Describes a change by counting.
fn plain(removed: &[String], added: &[String], kind: ChangeKind) -> String {
    let (before, after) = (removed.len(), added.len());
    match (before, after) {
        (0, _) => format!("Added {}", plural(after, "line", "lines")),
        (_, 0) => format!("Removed {}", plural(before, "line", "lines")),
        _ if kind == ChangeKind::Removal => {
            format!("Removed part of {}", plural(before, "line", "lines"))
        }
        _ if before == after => format!("Changed {}", plural(after, "line", "lines")),
        _ => {
            let (before, after) = (
                plural(before, "line", "lines"),
                plural(after, "line", "lines"),
            );
            format!("Replaced {before} with {after}")
        }
    }
}

/// Describes a change by the rules of its language.
fn meaning(removed: &[String], added: &[String], forms: LineForms) -> Option<String> {
    if let Some((old, new)) = renamed(removed, added, forms) {
        let (old, new) = (code_fence::inline(&old), code_fence::inline(&new));
        return Some(format!("Renamed {old} to {new}"));
    }
    let (verb, sides): (_, &[&[String]]) = match (removed, added) {
        ([], added) => ("Added", &[added]),
        (removed, []) => ("Removed", &[removed]),
        (removed, added) => ("Changed", &[removed, added]),
    };
    if sides.iter().all(|lines| are_imports(lines, forms)) {
        let count = sides.iter().map(|lines| filled(lines).count()).max()?;
        return Some(match count {
            1 => format!("{verb} import"),
            _ => format!("{verb} {count} imports"),
        });
    }
    if sides.iter().all(|lines| forms.are_comments(lines)) {
        return Some(format!("{verb} comment"));
    }
    if let [lines] = sides {
        if let Some((noun, name)) = only_declaration(lines, forms) {
            return Some(format!("{verb} {noun} {}", code_fence::inline(&name)));
        }
    }
    let handling = forms.statements.handles?;
    let [before, after] = [removed, added].map(|lines| handles(lines, forms, handling));
    let name = handling.name;
    match (before, after) {
        (HandlingEvidence::Nothing, HandlingEvidence::FromStart) => {
            Some(format!("Added error handling with {name} block"))
        }
        (HandlingEvidence::FromStart, HandlingEvidence::Nothing) => {
            Some(format!("Removed error handling with {name} block"))
        }
        _ => None,
    }
}

fn are_imports(lines: &[String], forms: LineForms) -> bool {
    filled(lines).all(|line| forms.is_import(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(language: &str, removed: &str, added: &str) -> String {
        let lines = |text: &str| text.lines().map(Into::into).collect::<Vec<String>>();
        describe(&lines(removed), &lines(added), &Language::new(language)).words
    }

    fn added(language: &str, lines: &str) -> String {
        described(language, "", lines)
    }

    #[test]
    fn names_that_are_declared_are_renamed() {
        let rust = |removed, added| described("rust", removed, added);
        assert_eq!(rust("let a = 1;", "let b = 1;"), "Renamed `a` to `b`");
        let (old, new) = ("fn a() {\n    a()\n}", "fn b() {\n    b()\n}");
        assert_eq!(rust(old, new), "Renamed `a` to `b`");
        // Another value is not another name, and might be a secret.
        assert_eq!(rust("let a = x;", "let a = y;"), "Changed 1 line");
        let (old, new) = ("password = \"let a\"", "password = \"let b\"");
        assert_eq!(rust(old, new), "Changed 1 line");
        assert_eq!(rust("// let a", "// let b"), "Changed comment");
        assert_eq!(rust("let a = a2;", "let b = b2;"), "Changed 1 line");
        assert_eq!(rust("let a = 1;", "let 2 = 1;"), "Changed 1 line");
        // Shorter, but what is there now is what is shown.
        let lines = |text: &str| [text.to_owned()];
        let (old, new) = (lines("let total = 1;"), lines("let tot = 1;"));
        let shorter = describe(&old, &new, &Language::new("rust"));
        let words = "Renamed `total` to `tot`".into();
        let kind = ChangeKind::Replacement;
        assert_eq!(shorter, ChangeDescription { kind, words });
    }

    #[test]
    fn imports_and_comments_are_called_so() {
        assert_eq!(added("rust", "use std::fmt;"), "Added import");
        assert_eq!(
            added("python", "import os\nfrom a import b"),
            "Added 2 imports"
        );
        assert_eq!(
            added("typescript", "import { a } from './a';"),
            "Added import"
        );
        assert_eq!(described("go", "import \"fmt\"", ""), "Removed import");
        assert_eq!(
            described("c", "#include <a.h>", "#include <b.h>"),
            "Changed import"
        );
        assert_eq!(added("rust", "// Why.\n// And how."), "Added comment");
        assert_eq!(added("java", "/**\n * Why.\n */"), "Added comment");
        assert_eq!(described("yaml", "# a", "# b"), "Changed comment");
        // These look like it, and are not.
        assert_eq!(
            added("python", "from here on we\nimport the goods"),
            "Added 2 lines"
        );
        assert_eq!(added("java", "/* a */ b();"), "Added 1 line");
        assert_eq!(added("c", "/* not closed"), "Added 1 line");
        assert_eq!(added("markdown", "# A heading"), "Added 1 line");
        assert_eq!(added("typescript", "import {"), "Added 1 line");
    }

    #[test]
    fn one_function_or_type_is_called_by_its_name() {
        let rust = "/// Says so.\n#[inline]\npub(crate) fn says(&self) -> bool {\n    true\n}";
        assert_eq!(added("rust", rust), "Added function `says`");
        let python = "    @property\n    async def name(self):\n        return 1";
        assert_eq!(added("python", python), "Added function `name`");
        assert_eq!(
            added("go", "func (s *Server) Run() {\n}"),
            "Added function `Run`"
        );
        let class = "export default class Client {\n  a() {}\n}";
        assert_eq!(described("typescript", class, ""), "Removed class `Client`");
        assert_eq!(
            added("javascript", "function* all() {\n}"),
            "Added function `all`"
        );
        let two = "fn a() {}\nfn b() {}";
        assert_eq!(added("rust", two), "Added 2 lines");
        assert_eq!(added("rust", "fn a() {}\na();"), "Added 2 lines");
        assert_eq!(added("plaintext", "function of time"), "Added 1 line");
    }

    #[test]
    fn error_handling_is_called_so() {
        let words = "Added error handling with try/catch block";
        assert_eq!(
            added("typescript", "try { ... } catch (error) { ... }"),
            words
        );
        let wrapped = "try {\n  call();\n} catch {\n  give_up();\n}";
        assert_eq!(described("javascript", "call();", wrapped), words);
        let removed = "Removed error handling with try/catch block";
        assert_eq!(described("javascript", wrapped, "call();"), removed);
        let python = "try:\n    call()\nexcept OSError:\n    pass";
        assert_eq!(
            added("python", python),
            "Added error handling with try/except block"
        );
        // These look like it, and are not, or were there before.
        assert_eq!(added("typescript", "try_to(catch_it);"), "Added 1 line");
        assert_eq!(added("typescript", "say('try { } catch');"), "Added 1 line");
        let quoted = "try { say('} catch (it)'); } finally { }";
        assert_eq!(added("typescript", quoted), "Added 1 line");
        assert_eq!(added("typescript", "// try { } catch"), "Added comment");
        assert_eq!(added("plaintext", "try { } catch (it)"), "Added 1 line");
        let again = "try { a() } catch { c() }";
        let plain = "Changed 1 line";
        assert_eq!(
            described("typescript", "try { a() } catch { b() }", again),
            plain
        );
    }

    #[test]
    fn anything_else_is_counted() {
        assert_eq!(added("x", "a\n\nb"), "Added 3 lines");
        assert_eq!(described("x", "a\nb\nc", ""), "Removed 3 lines");
        assert_eq!(described("x", "a b c", "a c"), "Removed part of 1 line");
        assert_eq!(described("x", "a\nb", "c\nd"), "Changed 2 lines");
        assert_eq!(
            described("x", "a", "b\nc\nd"),
            "Replaced 1 line with 3 lines"
        );
        assert_eq!(
            described("x", "a\nb", "  a\n  b"),
            "Changed the spacing of 2 lines"
        );
    }
}
