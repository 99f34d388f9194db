//! An answer as an edit: put in at the cursor, with secrets where marks were.
//!
//! Editors close brackets and quotes as they are opened, and models write them again. So where an
//! answer ends with what stands behind the cursor, the edit covers that instead of doubling it; but
//! only if the answer closes all it opens without it, since `foo(|)` with `bar()` wants both. Where the
//! first of several lines ends with the whole rest of the cursor's line, that is covered too.
//!
//! Lines end as the document's do. An answer that brings a mark of a secret is withheld, since nothing
//! that is only put in can have one.

use foretell_text::{ByteOffset, ByteRange, Edit, LaneCandidate, Replacement, Text};

use super::brackets::is_balanced;
use super::prompt::around;
use crate::lane::LaneAnswer;
use crate::lane_redaction::SecretMarks;
use crate::lane_request::LaneRequest;

/// The answer of a lane whose model wrote a text: one candidate, or none if there is nothing to suggest
/// or it would touch a secret.
pub fn answer(request: &LaneRequest, text: &str, marks: &dyn SecretMarks) -> LaneAnswer {
    if text.trim().is_empty() {
        return LaneAnswer::default();
    }
    match marks.restore("", text) {
        Some(restored) => LaneAnswer {
            candidates: candidate(request, &restored).into_iter().collect(),
            ..LaneAnswer::default()
        },
        None => LaneAnswer {
            withheld: 1,
            ..LaneAnswer::default()
        },
    }
}

fn candidate(request: &LaneRequest, text: &str) -> Option<LaneCandidate> {
    let document = &request.document;
    let at = request.at;
    document.text.check(at).ok()?;
    let (_, rest) = around(&document.text, at);
    let covered = covered(text, &rest);
    // Nothing but what is there already.
    if text.len() == covered {
        return None;
    }
    let end = ByteOffset::new(at.get() + covered);
    let range = ByteRange::new(at, end).ok()?;
    let text = match line_end(&document.text, at) {
        "\n" => text.to_owned(),
        end => text.replace('\n', end),
    };
    Some(LaneCandidate::new(
        document.id.clone(),
        Edit::from(Replacement::new(range, text)),
    ))
}

/// How many bytes of the rest of the cursor's line an answer has in it already.
fn covered(text: &str, rest: &str) -> usize {
    let rest = rest.trim_end();
    let ends_with = |text: &str, part: &str| {
        let without = text.strip_suffix(part);
        without.is_some_and(|without| is_complete(without, part))
    };
    let mut parts: Vec<_> = rest
        .char_indices()
        .map(|(at, c)| at + c.len_utf8())
        .collect();
    parts.reverse();
    for length in parts {
        let part = rest.get(..length).unwrap_or_default();
        // Part of a rest that says something is the beginning of something else.
        let is_whole = length == rest.len();
        if (is_whole || closes(part)) && ends_with(text, part) {
            return length;
        }
    }
    let first = text.split_once('\n').map(|(first, _)| first.trim_end());
    match first {
        Some(first) if !rest.is_empty() && ends_with(first, rest) => rest.len(),
        _ => 0,
    }
}

fn closes(part: &str) -> bool {
    part.chars().all(|c| ")]}>\"'`;,:".contains(c))
}

/// Whether a text is whole without a part that ended it.
fn is_complete(text: &str, part: &str) -> bool {
    let is_paired = |quote: char| text.matches(quote).count() % 2 == 0;
    let quotes = ['"', '\'', '`'];
    let mut quotes = quotes.into_iter().filter(|quote| part.contains(*quote));
    is_balanced(text) && quotes.all(is_paired)
}

/// How the cursor's line ends, or the one before if it is the last.
fn line_end(text: &Text, at: ByteOffset) -> &'static str {
    let Ok(line) = text.line_at(at) else {
        return "\n";
    };
    let byte = |offset: Option<usize>| {
        let start = ByteOffset::new(offset?);
        let end = ByteOffset::new(start.get() + 1);
        let read = text.read(ByteRange::new(start, end).ok()?).ok()?;
        read.bytes().next()
    };
    let end = line.end().get();
    let start = line.start().get();
    let pair = match byte(Some(end)) {
        Some(first) => (Some(first), byte(Some(end + 1))),
        None => match byte(start.checked_sub(1)) {
            Some(b'\n') => (byte(start.checked_sub(2)), Some(b'\n')),
            last => (last, None),
        },
    };
    match pair {
        (Some(b'\r'), Some(b'\n')) => "\r\n",
        (Some(b'\r'), _) => "\r",
        _ => "\n",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_editor_closed_is_covered() {
        for (text, rest, length) in [
            ("a)", ")", 1),
            ("a);", ");", 2),
            ("a)", ");", 1),
            ("hello\")", "\")", 2),
            ("bar())", ")", 1),
            ("a, b)", ", b)", 4),
            ("() => {\n  x\n})", ")", 1),
            ("a);\nb();", ");", 2),
            ("x)", ")  ", 1),
        ] {
            assert_eq!(covered(text, rest), length, "{text:?} {rest:?}");
        }
    }

    #[test]
    fn what_the_answer_needs_itself_is_not() {
        for (text, rest) in [
            ("bar()", ")"),
            ("\"a\"", "\""),
            ("a", ")"),
            ("a", ""),
            ("a)\nb", ");"),
            ("xs[0]", "]"),
            ("é", "é́)"),
        ] {
            assert_eq!(covered(text, rest), 0, "{text:?} {rest:?}");
        }
    }

    #[test]
    fn lines_end_as_the_documents_do() {
        let end = |text: &str, at| line_end(&Text::from(text), ByteOffset::new(at));
        assert_eq!(end("a\r\nb", 0), "\r\n");
        assert_eq!(end("a\r\nb", 3), "\r\n");
        assert_eq!(end("a\rb", 0), "\r");
        assert_eq!(end("a\nb", 2), "\n");
        assert_eq!(end("a\nb\r\n", 0), "\n");
        assert_eq!(end("", 0), "\n");
        assert_eq!(end("é", 2), "\n");
        assert_eq!(end("a", 99), "\n");
    }
}
