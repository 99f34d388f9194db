//! Marks: what stands in a text in place of a secret.
//!
//! A mark is `[REDACTED-` and a number and `]`, and only in that form: models change capitals, add
//! zeros and stop in the middle, and what comes back like that stands for nothing. The same reading
//! finds marks in documents, where they are the person's own words and are redacted like a secret,
//! so that every mark in a redacted text is one of ours.

use std::ops::Range;

/// The beginning of every mark.
const OPENING: &str = "[REDACTED-";
/// How much of that counts as a mark that is cut off, at the end of a text.
const LEAST_OF_CUT: usize = "[REDA".len();

/// How many characters before a mark say where it stands.
const LONGEST_LEAD: usize = 32;

/// Something that is a mark or looks like one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MarkSpan {
    /// Its number, unless it only looks like one.
    pub(super) number: Option<usize>,
    /// Where it stands.
    pub(super) range: Range<usize>,
}

/// The mark with a number.
pub(super) fn written(number: usize) -> String {
    format!("{OPENING}{number}]")
}

/// All marks of a text, and all that looks like one.
pub(super) fn marks(text: &str) -> impl Iterator<Item = MarkSpan> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let bracket = memchr::memchr(b'[', text.as_bytes().get(at..)?)?;
            let start = at + bracket;
            at = start + 1;
            if let Some(mark) = mark_at(text, start) {
                at = mark.range.end;
                return Some(mark);
            }
        }
    })
}

/// The text directly before a mark on its line, without blanks: the name that a secret is given to.
pub(super) fn lead(text: &str, start: usize) -> String {
    let before = text.get(..start).unwrap_or_default().chars().rev();
    let line = before.take_while(|c| !matches!(c, '\n' | '\r'));
    let lead: Vec<char> = line
        .filter(|c| !c.is_whitespace())
        .take(LONGEST_LEAD)
        .collect();
    lead.into_iter().rev().collect()
}

fn mark_at(text: &str, start: usize) -> Option<MarkSpan> {
    let rest = text.as_bytes().get(start..)?;
    let opening = OPENING.as_bytes();
    let same = rest.iter().zip(opening);
    let same = same.take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
    if same < opening.len() {
        let is_cut_off = same == rest.len() && same >= LEAST_OF_CUT;
        return is_cut_off.then_some(MarkSpan {
            number: None,
            range: start..text.len(),
        });
    }
    let digits = rest.get(same..)?;
    let digits = digits
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let is_closed = rest.get(same + digits) == Some(&b']');
    let end = start + same + digits + usize::from(is_closed);
    let written_digits = text.get(start + same..start + same + digits)?;
    let number = written_digits.parse().ok();
    let is_exact = |number: &usize| *number > 0 && text.get(start..end) == Some(&written(*number));
    Some(MarkSpan {
        number: number.filter(is_exact),
        range: start..end,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> Vec<Option<usize>> {
        marks(text).map(|mark| mark.number).collect()
    }

    #[test]
    fn a_mark_is_read_as_it_is_written() {
        let text = format!("a{}b{}", written(1), written(23));
        assert_eq!(numbers(&text), [Some(1), Some(23)]);
    }

    #[test]
    fn a_mark_stands_behind_the_words_of_its_line() {
        let before = |text: &str| lead(text, text.len());
        assert_eq!(before("a = 1\n\tpassword = \""), "password=\"");
        assert_eq!(before("é: "), "é:");
        assert_eq!(before(&"ab ".repeat(40)), "ab".repeat(16));
        assert_eq!(before("a\r\n"), "");
    }

    #[test]
    fn what_looks_like_a_mark_stands_for_nothing() {
        for text in [
            "[REDACTED-]",
            "[REDACTED-01]",
            "[REDACTED-0]",
            "[redacted-1]",
            "[REDACTED-1",
            "[REDACTED-x]",
            "[REDACTED-99999999999999999999]",
            "[REDACT",
            "[[REDACTED-",
            "[REDACTED-1 ]",
        ] {
            assert_eq!(numbers(text), [None], "{text}");
        }
    }

    #[test]
    fn other_brackets_are_no_marks() {
        for text in [
            "[REDACTED]",
            "[1]",
            "colors[RED",
            "[",
            "REDACTED-1",
            "[REDACT ED-1]",
            "[é",
        ] {
            assert_eq!(numbers(text), [], "{text}");
        }
    }
}
