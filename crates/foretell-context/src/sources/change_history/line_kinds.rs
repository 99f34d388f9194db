//! Which lines are imports and which are comments, by the forms of their language.
//!
//! It reads lines, not syntax: a parser knows more, and is not needed for a remark on a change.

use foretell_text::Language;
use foretell_text::language::{LexicalRules, StatementForms};

/// How lines of a language begin.
#[derive(Clone, Copy)]
pub(super) struct LineForms {
    pub(super) rules: &'static LexicalRules,
    pub(super) statements: &'static StatementForms,
}

impl LineForms {
    /// The forms of a language, if they are known.
    pub(super) fn of(language: &Language) -> Option<LineForms> {
        let facts = language.facts();
        let rules = facts.rules();
        let forms = |statements| LineForms { rules, statements };
        facts.statements.map(forms)
    }

    /// Whether a line is an import, all of it.
    pub(super) fn is_import(self, line: &str) -> bool {
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
        !is_open
            && is_whole
            && !statement.contains(';')
            && self.statements.imports.iter().any(is_one)
    }

    /// Whether lines are comments, all of them, apart from blank ones.
    pub(super) fn are_comments(self, lines: &[String]) -> bool {
        let mut inside: Option<&str> = None;
        for line in lines.iter().map(|line| line.trim()) {
            let rest = match (inside, self.rules.block.first()) {
                (Some(_), _) => Some(line),
                (None, Some((start, end))) => {
                    let rest = line.strip_prefix(*start);
                    inside = rest.map(|_| *end);
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
    pub(super) fn is_line_comment(self, line: &str) -> bool {
        let is_comment = |start: &&str| line.trim_start().starts_with(start);
        // `#!` is one to no one but a shell, and to the kernel it is not.
        self.rules.line.first().is_some_and(is_comment) && !line.starts_with("#!")
    }
}

/// Whether it is the name of what is imported, and perhaps another name for it.
fn is_name(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    matches!(words[..], [_] | ["static", _] | [_, "as", _])
}
