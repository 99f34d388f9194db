//! Filters: suggestions that must not be shown, whatever lane they come from.
//!
//! A suggestion has to change something that a person would see, where they would see it, and must
//! not put in what already stands there. Whether it was rejected before is asked last, of the
//! memory that knows; whether it touches a secret, of the ranges that were found.

use foretell_text::plain::{is_combining, is_invisible};
use foretell_text::{ByteOffset, ByteRange, Edit, PositionEncoding, Replacement, Text};

use crate::event::RequestKind;
use crate::reason::Reason;

/// How much white space a line may have around what it says.
const WIDEST_INDENT: usize = 512;

/// The scene that a suggestion is judged in.
#[derive(Clone, Copy)]
pub(crate) struct FilterScene<'a> {
    /// The text that it changes.
    pub(crate) text: &'a Text,
    /// The kind of suggestion that is wanted.
    pub(crate) kind: RequestKind,
    /// Where the cursor is, if it is in that text.
    pub(crate) cursor: Option<CursorPosition>,
    /// The secrets in that text.
    pub(crate) secrets: &'a [ByteRange],
}

/// Where the cursor is in a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CursorPosition {
    at: ByteOffset,
    /// The first line below that says something, if nothing is on the cursor's own.
    below: Option<u32>,
}

impl CursorPosition {
    /// The cursor at a place of a text. Found out once for all suggestions there.
    pub(crate) fn of(at: ByteOffset, text: &Text) -> Self {
        let line = text.position_of(at, PositionEncoding::Utf8).ok();
        let line = line.map(|position| position.line);
        let blank = line.filter(|line| is_line(text, *line, ""));
        let below = blank.map(|line| {
            if is_line(text, line + 1, "") {
                line + 2
            } else {
                line + 1
            }
        });
        CursorPosition { at, below }
    }
}

/// Whether a suggestion may be shown, as far as its own text goes.
pub(crate) fn judge(edit: &Edit, scene: FilterScene<'_>) -> Result<(), Reason> {
    let text = scene.text;
    let given = edit;
    let edit = &edit.trimmed(text).map_err(|_| Reason::OutOfStep)?;
    // One replacement that is trimmed has an effect; several may cancel out.
    let has_effect = match edit.replacements() {
        [] => false,
        [_] => true,
        _ => edit.effect(text).is_ok_and(|effect| !effect.is_nothing()),
    };
    if !has_effect {
        return Err(Reason::NoEffect);
    }
    if is_unseen(edit, text) {
        return Err(Reason::WhitespaceOnly);
    }
    let is_inline = scene.kind == RequestKind::Inline;
    let cursor = scene.cursor.map(|cursor| cursor.at);
    if is_inline && !is_on_line_of(edit, cursor, text) {
        return Err(Reason::Elsewhere);
    }
    if scene
        .cursor
        .is_some_and(|cursor| is_echo(given, cursor, text))
    {
        return Err(Reason::EchoesSuffix);
    }
    let mut parts = edit.replacements().iter().map(Replacement::range);
    let is_secret = |part: ByteRange| scene.secrets.iter().any(|secret| secret.touches(part));
    if parts.any(is_secret) {
        Err(Reason::TouchesSecret)
    } else {
        Ok(())
    }
}

/// Whether all that it puts in and takes out is white space, or invisible characters. Taking some
/// of those out is what a person may well want.
fn is_unseen(edit: &Edit, text: &Text) -> bool {
    edit.replacements().iter().all(|part| {
        let old = text.read(part.range()).unwrap_or_default();
        let new = part.new_text();
        let is_seen = |c: &char| !c.is_whitespace() && !is_invisible(*c);
        let unseen = |text: &str| text.chars().filter(|c| is_invisible(*c)).count();
        let is_same = old.chars().filter(is_seen).eq(new.chars().filter(is_seen));
        // Accents with nothing to stand upon.
        let are_accents = old.is_empty() && new.chars().all(|c| is_combining(c) || !is_seen(&c));
        is_same && unseen(new) >= unseen(&old) || are_accents
    })
}

/// An insertion as it is written at the cursor, if it can be written there with the same effect:
/// that is where a person looks, and where an editor can draw it.
pub(crate) fn written_at(cursor: ByteOffset, edit: &Edit, text: &Text) -> Option<Edit> {
    let [only] = edit.replacements() else {
        return None;
    };
    let start = only.range().start();
    if !only.range().is_empty() || start == cursor {
        return None;
    }
    let starts = edit.effect(text).ok()?.starts(text)?;
    if !starts.contains(ByteRange::empty(cursor)) {
        return None;
    }
    // The part that it slides over comes off one end and goes on at the other.
    let (start, at) = (start.get(), cursor.get());
    let new_text = only.new_text();
    let slid = start.abs_diff(at) % new_text.len();
    let cut = if at > start {
        slid
    } else {
        (new_text.len() - slid) % new_text.len()
    };
    let (front, back) = new_text.split_at_checked(cut)?;
    let turned = Edit::from(Replacement::insertion(cursor, [back, front].concat()));
    // The text slid over is that of the insertion, so this holds; it is cheap to be sure.
    (turned.apply(text) == edit.apply(text)).then_some(turned)
}

/// Whether any part of it is on the cursor's line as it is written.
pub(crate) fn is_on_line_of(edit: &Edit, cursor: Option<ByteOffset>, text: &Text) -> bool {
    let Some(cursor) = cursor else {
        return false;
    };
    let mut parts = edit.replacements().iter().map(Replacement::range);
    // Most are at the cursor itself, and need no line, unless it is inside of a line end.
    let here = ByteRange::empty(cursor);
    if parts.clone().any(|part| part.touches(here)) && !is_within_line_end(cursor, text) {
        return true;
    }
    let line = text.line_at(cursor);
    line.is_ok_and(|line| parts.any(|part| part.touches(line)))
}

/// Whether a place is between the two characters of one line end.
fn is_within_line_end(at: ByteOffset, text: &Text) -> bool {
    let start = ByteOffset::new(at.get().saturating_sub(1));
    let end = ByteOffset::new(at.get().saturating_add(1));
    let around = ByteRange::new(start, end).unwrap_or_default();
    text.read(around).is_ok_and(|around| around == "\r\n")
}

/// Whether it puts in at the cursor what follows there anyway: right behind it, or as whole lines
/// below. An edit that replaces something means what it says, also if that is one more of the same.
fn is_echo(edit: &Edit, cursor: CursorPosition, text: &Text) -> bool {
    let [only] = edit.replacements() else {
        return false;
    };
    let is_at = only.range() == ByteRange::empty(cursor.at);
    let is_here = || is_at || written_at(cursor.at, edit, text).is_some();
    let follows_below = |below| follows_below(only.new_text(), below, text);
    (follows(only.new_text(), cursor.at, text) || cursor.below.is_some_and(follows_below))
        && only.range().is_empty()
        && is_here()
}

/// Whether a text stands right behind the cursor.
fn follows(new_text: &str, cursor: ByteOffset, text: &Text) -> bool {
    let end = ByteOffset::new(cursor.get().saturating_add(new_text.len()));
    let following = ByteRange::new(cursor, end).unwrap_or_default();
    text.read(following).is_ok_and(|it| it == new_text)
}

/// Whether a text stands in whole lines from one on. A closing bracket is no echo of the next one, so
/// that it has to have a word in it.
fn follows_below(new_text: &str, first: u32, text: &Text) -> bool {
    let new_text = new_text.trim();
    let mut lines = new_text.lines().zip(first..);
    new_text.contains(char::is_alphanumeric)
        && lines.all(|(new, line)| is_line(text, line, new.trim()))
}

/// Whether a line says something, white space around it aside.
fn is_line(text: &Text, line: u32, wanted: &str) -> bool {
    // One that is much longer says something else, and need not be read.
    let range = text.line(line).ok();
    let range = range.filter(|range| range.len() <= wanted.len() + WIDEST_INDENT);
    let found = range.and_then(|range| text.read(range).ok());
    found.is_some_and(|found| found.trim() == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "call(first, )\n    next()\n\nsecret = hunter2\n";

    fn judged(edit: Edit) -> Result<(), Reason> {
        judged_as(RequestKind::Inline, edit)
    }

    /// With the cursor behind `first, `.
    fn judged_as(kind: RequestKind, edit: Edit) -> Result<(), Reason> {
        let text = Text::from(TEXT);
        let secret = range(35, 42);
        let scene = FilterScene {
            text: &text,
            kind,
            cursor: Some(CursorPosition::of(ByteOffset::new(12), &text)),
            secrets: &[secret],
        };
        judge(&edit, scene)
    }

    fn range(start: usize, end: usize) -> ByteRange {
        ByteRange::new(ByteOffset::new(start), ByteOffset::new(end)).unwrap()
    }

    fn put(start: usize, end: usize, new_text: &str) -> Edit {
        Replacement::new(range(start, end), new_text).into()
    }

    #[test]
    fn what_changes_something_at_the_cursor_may_be_shown() {
        assert_eq!(judged(put(12, 12, "second")), Ok(()));
        assert_eq!(judged(put(5, 10, "a")), Ok(()));
        assert_eq!(judged(put(12, 13, "second)\n")), Ok(()));
    }

    #[test]
    fn what_changes_nothing_may_not() {
        assert_eq!(judged(put(5, 10, "first")), Err(Reason::NoEffect));
        assert_eq!(judged(Edit::empty()), Err(Reason::NoEffect));
        assert_eq!(judged(put(12, 12, "\n  ")), Err(Reason::WhitespaceOnly));
        assert_eq!(judged(put(10, 12, ",")), Err(Reason::WhitespaceOnly));
        assert_eq!(judged(put(10, 13, ",\n)")), Err(Reason::WhitespaceOnly));
    }

    #[test]
    fn what_nobody_would_see_may_not() {
        for unseen in [
            "\u{200b}",
            "\u{301}\u{20d0}",
            "\u{13430}\u{1d159}",
            "\u{ad}\u{ad}",
            "\u{e0068}\u{e0069}",
            " \u{3164}\n\u{115f}",
            "\u{2800}",
            "\u{fe0f}",
            "\u{202e}\u{2069}",
            "\u{feff}\u{2060}\u{7}",
        ] {
            let withheld = Err(Reason::WhitespaceOnly);
            assert_eq!(judged(put(12, 12, unseen)), withheld, "{unseen:?}");
            let within = format!("fi{unseen}rst");
            assert_eq!(judged(put(5, 10, &within)), withheld, "{unseen:?}");
        }
        assert_eq!(judged(put(12, 12, "\u{1f469}\u{200d}\u{1f4bb}")), Ok(()));
    }

    #[test]
    fn what_nobody_would_see_may_be_taken_out() {
        let text = Text::from("a\u{200b}b\n");
        let scene = FilterScene {
            text: &text,
            kind: RequestKind::Edit,
            cursor: None,
            secrets: &[],
        };
        assert_eq!(judge(&put(1, 4, ""), scene), Ok(()));
        assert_eq!(judge(&put(0, 5, "ab"), scene), Ok(()));
        let another = judge(&put(1, 4, "\u{200c}"), scene);
        assert_eq!(another, Err(Reason::WhitespaceOnly));
    }

    #[test]
    fn what_follows_anyway_is_not_put_in_again() {
        assert_eq!(judged(put(12, 12, ")")), Err(Reason::EchoesSuffix));
        assert_eq!(
            judged(put(12, 12, ")\n    next()")),
            Err(Reason::EchoesSuffix)
        );
        assert_eq!(judged(put(12, 12, "))")), Ok(()));
        assert_eq!(judged(put(5, 5, "first, ")), Ok(()), "not at the cursor");
    }

    #[test]
    fn what_replaces_something_may_double_it() {
        assert_eq!(judged(put(5, 13, "first, ))")), Ok(()));
        let text = Text::from("if (a = b)");
        for kind in [RequestKind::Inline, RequestKind::Edit] {
            let scene = FilterScene {
                text: &text,
                kind,
                cursor: Some(CursorPosition::of(ByteOffset::new(7), &text)),
                secrets: &[],
            };
            assert_eq!(judge(&put(6, 7, "=="), scene), Ok(()));
        }
    }

    #[test]
    fn lines_that_follow_are_not_put_in_above() {
        let judged = |text: &str, at: usize, new_text: &str| {
            let text = Text::from(text);
            let scene = FilterScene {
                text: &text,
                kind: RequestKind::Inline,
                cursor: Some(CursorPosition::of(ByteOffset::new(at), &text)),
                secrets: &[],
            };
            judge(&put(at, at, new_text), scene)
        };
        let echo = Err(Reason::EchoesSuffix);
        let code = "fn f() {\n    \n    foo();\n    bar();\n}\n";
        assert_eq!(judged(code, 13, "foo();"), echo);
        assert_eq!(judged(code, 13, "foo();\n    bar();\n"), echo);
        assert_eq!(judged("\r\n\r\nfoo();\r\n", 0, "foo();"), echo);
        assert_eq!(judged(code, 13, "foo"), Ok(()), "no whole line");
        assert_eq!(judged(code, 13, "foo();\n    baz();"), Ok(()));
        assert_eq!(judged("x = \nfoo()\n", 4, "foo()"), Ok(()), "of its own");
        let open = "fn f() {\n    if x {\n        y();\n    \n}\n";
        assert_eq!(judged(open, 37, "}"), Ok(()), "a bracket is no echo");
    }

    #[test]
    fn what_could_be_written_at_the_cursor_is() {
        let text = Text::from("a\n\nb");
        let cursor = ByteOffset::new(2);
        let above = Edit::from(Replacement::insertion(ByteOffset::new(1), "\nlet"));
        let here = written_at(cursor, &above, &text).unwrap();
        assert_eq!(here, Replacement::insertion(cursor, "let\n").into());
        assert_eq!(here.apply(&text), above.apply(&text));
        let back = written_at(ByteOffset::new(1), &here, &text);
        assert_eq!(back, Some(above));
        let scene = FilterScene {
            text: &text,
            kind: RequestKind::Inline,
            cursor: Some(CursorPosition::of(cursor, &text)),
            secrets: &[],
        };
        assert_eq!(judge(&here, scene), Ok(()));
        let elsewhere = Edit::from(Replacement::insertion(ByteOffset::new(3), "x"));
        assert_eq!(written_at(cursor, &elsewhere, &text), None);
    }

    #[test]
    fn inline_is_on_the_line_of_the_cursor() {
        let below = || put(18, 22, "after");
        assert_eq!(judged(below()), Err(Reason::Elsewhere));
        assert_eq!(judged_as(RequestKind::Edit, below()), Ok(()));
    }

    #[test]
    fn a_secret_is_not_touched() {
        let touch = |edit| judged_as(RequestKind::Edit, edit);
        assert_eq!(touch(put(35, 42, "*")), Err(Reason::TouchesSecret));
        assert_eq!(touch(put(42, 42, "3")), Err(Reason::TouchesSecret));
        assert_eq!(touch(put(26, 32, "password")), Ok(()));
    }

    #[test]
    fn what_does_not_fit_is_no_suggestion() {
        assert_eq!(judged(put(900, 901, "x")), Err(Reason::OutOfStep));
    }
}
