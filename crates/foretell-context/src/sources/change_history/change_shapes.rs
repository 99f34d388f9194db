//! The shapes that those who know a language recognise in lines: a name that became another, one
//! declaration, the handling of errors.
//!
//! Apart from [`describe`](mod@super::describe), which decides what is said, because these decide what is
//! there. They read words, not syntax, and each says so when it cannot tell: strings that span lines,
//! or two declarations, or a name that was perhaps a value, are no shape.

use foretell_text::language::statement_forms::{ErrorHandling, MODIFIERS};
use foretell_text::plain;

use super::line_kinds::LineForms;

/// The longest name that is quoted, in characters.
const LONGEST_NAME: usize = 80;

/// The lines that are not blank.
pub(super) fn filled(lines: &[String]) -> impl Iterator<Item = &str> {
    let lines = lines.iter().map(String::as_str);
    lines.filter(|line| !line.trim().is_empty())
}

/// The one name that differs between lines, and what it became, if it is declared in them.
pub(super) fn renamed(
    removed: &[String],
    added: &[String],
    forms: LineForms,
) -> Option<(String, String)> {
    if removed.is_empty() || removed.len() != added.len() {
        return None;
    }
    let mut pair: Option<(&str, &str)> = None;
    let mut is_declared = false;
    for (old, new) in removed.iter().zip(added) {
        let (old_words, new_words) = (words(old), words(new));
        if old_words.len() != new_words.len() {
            return None;
        }
        let mut before = "";
        let mut is_quoted = false;
        for (old, new) in old_words.into_iter().zip(new_words) {
            if old != new {
                // A word in a string or a comment is not a name.
                if is_quoted {
                    return None;
                }
                let is_the_same = pair.is_none_or(|pair| pair == (old, new));
                if !is_the_same || !is_identifier(old) || !is_identifier(new) {
                    return None;
                }
                pair = Some((old, new));
                is_declared |= declares(before, forms);
            }
            is_quoted |= matches!(old, "\"" | "'" | "`" | "#") || (before, old) == ("/", "/");
            if !old.trim().is_empty() {
                before = old;
            }
        }
    }
    let (old, new) = pair.filter(|_| is_declared)?;
    Some((old.into(), new.into()))
}

/// Whether the next word is a name that is given there.
fn declares(word: &str, forms: LineForms) -> bool {
    let binds = matches!(word, "let" | "mut" | "const" | "var" | "val");
    binds
        || forms
            .statements
            .declares
            .iter()
            .any(|(declares, _)| *declares == word)
}

/// A line as words and what is between them, one character each.
fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let end = if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (word, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        words.push(word);
        rest = behind;
    }
    words
}

fn is_word(c: char) -> bool {
    plain::is_word(c) || c == '$'
}

fn is_identifier(word: &str) -> bool {
    let is_first = |c: char| is_word(c) && !c.is_numeric();
    word.starts_with(is_first) && word.chars().nth(LONGEST_NAME).is_none()
}

/// The declaration in some lines, if it is one and they hold nothing beside it.
pub(super) fn only_declaration(
    lines: &[String],
    forms: LineForms,
) -> Option<(&'static str, String)> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let outer = filled(lines).map(indent).min()?;
    let mut found = None;
    for line in filled(lines).filter(|line| indent(line) == outer) {
        let line = line.trim();
        let is_about_next = forms.is_line_comment(line) || line.starts_with(['@', '/', '*', '#']);
        let is_end = line.starts_with(['}', ')', ']', '{']) && !line.contains(is_word);
        let is_end = is_end || matches!(line, "end" | "where");
        let is_header = line.starts_with(')') && line.ends_with(['{', ':']);
        match declared(line, forms) {
            Some(declared) if found.is_none() => found = Some(declared),
            None if found.is_none() && is_about_next => {}
            None if found.is_some() && (is_end || is_header) => {}
            _ => return None,
        }
    }
    found
}

/// The declaration on a line: what it is of, and its name.
fn declared(line: &str, forms: LineForms) -> Option<(&'static str, String)> {
    let words = words(line);
    let mut words = words.into_iter().filter(|word| !word.trim().is_empty());
    let noun = loop {
        let word = words.next()?;
        let known = forms
            .statements
            .declares
            .iter()
            .find(|(declares, _)| *declares == word);
        match known {
            Some((_, noun)) => break noun,
            None if MODIFIERS.contains(&word) => {}
            // `pub(crate)`, `extern "C"`, `export default`.
            None if matches!(word, "(" | ")" | "crate" | "super" | "\"" | "C") => {}
            None => return None,
        }
    };
    let mut name = words.next()?;
    // The receiver of a method in Go, and the star of a generator.
    if name == "(" {
        name = words.find(|word| *word == ")").and_then(|_| words.next())?;
    } else if name == "*" {
        name = words.next()?;
    }
    is_identifier(name).then(|| (*noun, name.into()))
}

/// Whether some lines handle errors.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HandlingEvidence {
    /// Neither word of it is in them.
    Nothing,
    /// They begin with it, and it has both parts.
    FromStart,
    /// Hard to tell.
    Perhaps,
}

pub(super) fn handles(
    lines: &[String],
    forms: LineForms,
    handling: ErrorHandling,
) -> HandlingEvidence {
    let code = filled(lines).filter(|line| !forms.is_line_comment(line));
    let code: Vec<&str> = code.flat_map(words).collect();
    let mut code = code.into_iter().filter(|word| !word.trim().is_empty());
    let (attempt, openers) = handling.attempt;
    let (rescue, followers) = handling.rescue;
    let has = |word: &str| filled(lines).flat_map(words).any(|it| it == word);
    if !has(attempt) && !has(rescue) {
        return HandlingEvidence::Nothing;
    }
    let begins = code.next() == Some(attempt);
    let opens = openers.is_empty() || code.next().is_some_and(|next| openers.contains(next));
    let is_rescue = |behind: &str| {
        let mut words = words(behind).into_iter();
        let is_word = words.next() == Some(rescue);
        let next = words.find(|word| !word.trim().is_empty());
        is_word && (followers.is_empty() || next.is_some_and(|next| followers.contains(next)))
    };
    // At the start of a line, or behind the end of what may fail; not in a string.
    let mut starts = filled(lines).flat_map(|line| {
        let ends = line.match_indices('}').map(|(at, _)| at + 1);
        [0].into_iter()
            .chain(ends)
            .filter_map(|at| line.split_at_checked(at))
            .filter(|(front, _)| !is_in_string(front))
            .map(|(_, behind)| behind.trim_start())
    });
    let rescues = starts.any(is_rescue);
    if begins && opens && rescues {
        HandlingEvidence::FromStart
    } else {
        HandlingEvidence::Perhaps
    }
}

/// Whether a string that began before is still open where a piece of a line ends, or may be.
fn is_in_string(front: &str) -> bool {
    let is_open = |quote: char| front.matches(quote).count() % 2 == 1;
    ['"', '\'', '`'].into_iter().any(is_open)
}
