//! Brackets: which ones a text leaves open.
//!
//! Read line by line and without a grammar: what stands between two quotes of a line does not count, a
//! quote that has no partner on its line is none (a lifetime, an apostrophe), and strings over several
//! lines are not known. That is wrong now and then, and costs an answer that ends a line too early or
//! too late.

/// How many brackets are open behind a line, if so many were before. One that closes what was never
/// opened does not count.
pub(super) fn open_after(line: &str, open: usize) -> usize {
    let (_, open) = walk(line, open);
    open
}

/// Whether a text closes all that it opens, and nothing else.
pub(super) fn is_balanced(text: &str) -> bool {
    let mut open = 0;
    for line in text.split('\n') {
        let (excess, now) = walk(line, open);
        if excess > 0 {
            return false;
        }
        open = now;
    }
    open == 0
}

/// How many brackets a line closes that were not open, and how many are open behind it.
fn walk(line: &str, mut open: usize) -> (usize, usize) {
    let mut excess = 0;
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        match c {
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => match open.checked_sub(1) {
                Some(left) => open = left,
                None => excess += 1,
            },
            '"' | '\'' | '`' => rest = behind_quote(rest, c).unwrap_or(rest),
            _ => {}
        }
    }
    (excess, open)
}

/// The text behind the quote that ends a string.
fn behind_quote(text: &str, quote: char) -> Option<&str> {
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            c if c == quote => return text.get(at + c.len_utf8()..),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_of_a_line_are_counted() {
        for (line, open) in [
            ("", 0),
            ("foo(bar[0], {", 2),
            ("} else {", 1),
            ("})", 0),
            ("print(\")((\")", 0),
            ("'\\'(' + (", 1),
            ("fn f<'a>(x: &'a str) {", 1),
            ("don't (", 1),
            ("`${(`{", 1),
        ] {
            assert_eq!(open_after(line, 0), open, "{line}");
        }
        assert_eq!(open_after("}}", 3), 1);
    }

    #[test]
    fn a_balanced_text_closes_what_it_opens() {
        for text in ["", "a", "f(x)", "f(\n  x\n)", "\")\""] {
            assert!(is_balanced(text), "{text}");
        }
        for text in ["(", ")", "f(x", ")(", "f(\n"] {
            assert!(!is_balanced(text), "{text}");
        }
    }
}
