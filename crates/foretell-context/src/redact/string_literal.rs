//! Literals of all languages: where a text in quotes begins and ends.
//!
//! It is apart from `assignment` because it knows nothing of names. A literal that is not closed on its
//! line ends with the line; where the text is cut off, that is said.

use std::ops::Range;

use super::seam::is_cut;

/// How far a literal on one line is followed. Another one in the same quotes begins behind its end, so that
/// this is never done twice for the same bytes.
const LONGEST: usize = 16 * 1024;
/// How far a literal of several lines is followed. Such ones may lie in each other where they are not closed.
const LONGEST_OF_LINES: usize = 2 * 1024;
/// How many signs a literal may begin with before its quotes: `b`, `r#`, `@$`, `N`.
const MOST_SIGNS: usize = 5;

/// A text in quotes.
pub(super) struct StringLiteral {
    /// The text in the quotes.
    pub(super) inside: Range<usize>,
    /// Where the text goes on behind it.
    pub(super) end: usize,
    /// Whether it is in backticks.
    pub(super) is_backtick: bool,
    /// Whether the text is cut off within it.
    pub(super) is_cut_off: bool,
}

/// Openers and closers of literals of several lines.
const LONG: &[(&str, &str)] = &[
    ("\"\"\"", "\"\"\""),
    ("'''", "'''"),
    ("<![CDATA[", "]]>"),
    ("[[", "]]"),
];

impl StringLiteral {
    /// The literal that begins here, if one does.
    pub(super) fn read(text: &str, at: usize) -> Option<Self> {
        let rest = text.get(at..)?;
        if let Some(heredoc) = heredoc(text, at) {
            return Some(heredoc);
        }
        let is_sign = |byte: &u8| b"bBrRuUfFnNLlcC@$#q".contains(byte);
        let signs = rest
            .bytes()
            .take(MOST_SIGNS)
            .take_while(|byte| is_sign(byte));
        let start = at + signs.count();
        let rest = text.get(start..)?;
        for (open, close) in LONG {
            if let Some(inside) = rest.strip_prefix(open) {
                // Lua's brackets begin nothing else than a literal at once.
                if *open == "[[" && start != at {
                    return None;
                }
                return long(text, text.len() - inside.len(), close);
            }
        }
        // A binary of Erlang's.
        if let Some(inside) = rest.strip_prefix("<<\"") {
            return long(text, text.len() - inside.len(), "\"");
        }
        if let Some(inside) = rest.strip_prefix("{|") {
            return long(text, text.len() - inside.len(), "|}");
        }
        if let Some(percent) = percent(text, at) {
            return Some(percent);
        }
        let open = if rest.starts_with('\\') { 2 } else { 1 };
        let open = rest.get(..open)?;
        let quote = open
            .chars()
            .next_back()
            .filter(|c| matches!(c, '"' | '\'' | '`'))?;
        let mut start = start + open.len();
        // C++ has another bracket in its raw ones.
        let is_raw = text.get(at..start)?.contains(['R']) && text.get(start..)?.starts_with('(');
        if is_raw {
            start += 1;
        }
        let len = stretch(text, start, open);
        let end = start + len;
        let is_closed = text.get(end..)?.starts_with(open);
        let inside = if is_raw {
            start..end.saturating_sub(1).max(start)
        } else {
            start..end
        };
        Some(StringLiteral {
            inside,
            end: if is_closed { end + open.len() } else { end },
            is_backtick: quote == '`',
            is_cut_off: !is_closed && is_cut(text, end),
        })
    }
}

/// A literal of several lines, from behind what opens it.
fn long(text: &str, start: usize, close: &str) -> Option<StringLiteral> {
    let rest = text.get(start..)?;
    let near = rest.get(..super::secret_finder::floor(rest, LONGEST_OF_LINES))?;
    let len = near.find(close);
    // One that nothing closes is none, unless the text is cut off in it.
    if len.is_none() && near.len() < rest.len() {
        return None;
    }
    let inside = trimmed(text, start..start + len.unwrap_or(near.len()));
    Some(StringLiteral {
        inside,
        end: start + len.map_or(near.len(), |len| len + close.len()),
        is_backtick: false,
        is_cut_off: len.is_none(),
    })
}

/// A literal of Ruby's, as in `%q(…)`.
fn percent(text: &str, at: usize) -> Option<StringLiteral> {
    let rest = text.get(at..)?;
    let perl = || rest.strip_prefix("qq").or_else(|| rest.strip_prefix('q'));
    let inside = rest
        .strip_prefix("%q")
        .or_else(|| rest.strip_prefix("%Q"))
        .or_else(perl)?;
    let close = match inside.chars().next()? {
        '(' => ")",
        '[' => "]",
        '{' => "}",
        '|' => "|",
        _ => return None,
    };
    long(text, text.len() - inside.len() + 1, close)
}

/// A document in place, as in `<<~EOS` and lines up to one that is `EOS`.
fn heredoc(text: &str, at: usize) -> Option<StringLiteral> {
    let rest = text.get(at..)?.strip_prefix("<<")?;
    let rest = rest.trim_start_matches(['<', '~', '-', ' ']);
    let rest = rest.trim_start_matches(['"', '\'']);
    let label = rest
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .next()?;
    let is_label = label.len() >= 2 && label.bytes().all(|byte| !byte.is_ascii_lowercase());
    let body = rest.find('\n').filter(|_| is_label)? + 1;
    let start = text.len() - rest.len() + body;
    let rest = text.get(start..)?;
    let rest = rest.get(..super::secret_finder::floor(rest, LONGEST_OF_LINES))?;
    let len = rest.find(label)?;
    Some(StringLiteral {
        inside: trimmed(text, start..start + len),
        end: start + len,
        is_backtick: false,
        is_cut_off: false,
    })
}

/// A range without the blanks at its ends.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inside = text.get(range.clone()).unwrap_or_default();
    let start = range.start + inside.len() - inside.trim_start().len();
    start..start + inside.trim().len()
}

/// How many bytes there are up to a quote or the end of the line.
fn stretch(text: &str, start: usize, open: &str) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    let quote = open.chars().next_back().unwrap_or('"');
    let is_escaped_quote = open.len() > 1;
    let mut escaped = false;
    let mut is_doubled = false;
    for (at, c) in rest.char_indices() {
        if c == '\n' || c == '\r' || at >= LONGEST {
            return at;
        }
        if std::mem::take(&mut is_doubled) {
            continue;
        }
        if c == quote && !escaped {
            // SQL writes a quote in a literal twice.
            let behind = rest.get(at + 1..).unwrap_or_default();
            let goes_on = |c: char| c.is_alphanumeric();
            is_doubled = quote == '\''
                && at > 0
                && behind.starts_with('\'')
                && behind.get(1..).is_some_and(|it| it.starts_with(goes_on));
            if !is_doubled {
                return at;
            }
        }
        if c == quote && is_escaped_quote {
            return at - 1;
        }
        escaped = c == '\\' && !escaped;
    }
    rest.len()
}
