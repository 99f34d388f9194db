//! Other code as comments: what a model is told besides the document, in the document's own language.
//!
//! A model that continues a file reads what stands above it as part of the file, so Markdown above
//! code would make it write Markdown. Each line becomes a comment; where a language has none that end
//! with their line, all of it becomes one comment, whose end no line of the text can write.
//!
//! The path of the file comes last, right above the code, as people write it there. Marks of secrets
//! stay as they are.

use foretell_text::language::CommentStyle;
use foretell_text::plain::one_line;
use foretell_text::{ContextPiece, Language};

/// A text as comments of a language, each line ended with LF; nothing for a blank text.
pub(super) fn commented(language: &Language, text: &str) -> String {
    if text.trim().is_empty() {
        return String::new();
    }
    let text = text.trim_end();
    match language.facts().comment_style() {
        CommentStyle::Line(mark) => {
            let mut comments = String::with_capacity(text.len() + text.len() / 8);
            for line in text.replace("\r\n", "\n").split(ends_line) {
                comments.push_str(mark);
                if !line.is_empty() {
                    comments.push(' ');
                    comments.push_str(line);
                }
                comments.push('\n');
            }
            comments
        }
        CommentStyle::Block(open, close) => {
            let text = text.replace("\r\n", "\n").replace('\r', "\n");
            let text = parted(&parted(&text, close), open);
            // HTML knows a second way to end one.
            let text = text.replace("--!>", "-- !>");
            format!("{open}\n{text}\n{close}\n")
        }
    }
}

/// Pieces of other files as comments of a language, each under the path of its file.
pub(super) fn pieces(language: &Language, pieces: &[ContextPiece]) -> String {
    let piece = |piece: &ContextPiece| {
        let path = path_line(language, &piece.path);
        [path, commented(language, &piece.text)].concat()
    };
    pieces.iter().map(piece).collect()
}

/// The comment that says which file it is; nothing if it has no name.
pub(super) fn path_line(language: &Language, path: &str) -> String {
    let one_line = one_line(path);
    if one_line.trim().is_empty() {
        return String::new();
    }
    match language.facts().comment_style() {
        CommentStyle::Line(mark) => format!("{mark} path: {one_line}\n"),
        CommentStyle::Block(open, close) => {
            let one_line = parted(&one_line, close).replace("--!>", "-- !>");
            format!("{open} path: {one_line} {close}\n")
        }
    }
}

/// A text in which a mark stands nowhere: a blank parts its last character from the others.
fn parted(text: &str, mark: &str) -> String {
    let last = mark.chars().next_back().map_or(0, char::len_utf8);
    let (head, tail) = mark
        .split_at_checked(mark.len() - last)
        .unwrap_or((mark, ""));
    text.replace(mark, &format!("{head} {tail}"))
}

/// Every way in which some language ends a line.
fn ends_line(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(language: &str, text: &str) -> String {
        commented(&Language::new(language), text)
    }

    #[test]
    fn every_line_is_a_comment() {
        let text = "## Diagnostics\n\n- [REDACTED-1]\r\nx\ry\u{2028}z\n\n";
        let comments = "// ## Diagnostics\n//\n// - [REDACTED-1]\n// x\n// y\n// z\n";
        assert_eq!(told("rust", text), comments);
        assert_eq!(told("python", "a\nb"), "# a\n# b\n");
        assert_eq!(told("sql", "a"), "-- a\n");
        assert_eq!(told("never heard of", "a"), "# a\n");
    }

    #[test]
    fn nothing_stays_nothing() {
        assert_eq!(told("rust", " \n\r\n"), "");
        assert_eq!(path_line(&Language::new("rust"), "  "), "");
    }

    #[test]
    fn a_text_cannot_end_the_comment_it_is_in() {
        let html = told("html", "a --> b\n--!> c");
        assert_eq!(html, "<!--\na -- > b\n-- !> c\n-->\n");
        assert_eq!(told("css", "a */ b"), "/*\na * / b\n*/\n");
        assert_eq!(told("ocaml", "(* *)"), "(*\n( * * )\n*)\n");
        let path = path_line(&Language::new("html"), "a-->b\n.html");
        assert_eq!(path, "<!-- path: a-- >b\u{fffd}.html -->\n");
    }

    #[test]
    fn the_path_is_one_comment() {
        let path = path_line(&Language::new("typescript"), "src/a.ts");
        assert_eq!(path, "// path: src/a.ts\n");
    }
}
