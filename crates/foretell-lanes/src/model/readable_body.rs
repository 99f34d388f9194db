//! A JSON body as people read it: nothing left out, and nothing that does something to a terminal.
//!
//! A text of several lines is shown as such, each behind a bar, and everything else as JSON has it. So
//! what stands behind the bars, joined by line breaks, is the text, but for characters that would do
//! something to a terminal, which are shown by their numbers.
//!
//! It stands apart since what would be sent and what was sent are shown by different programs, and are
//! to look the same.

use std::fmt::Write as _;

use foretell_text::plain::is_odd;
use serde_json::Value;

/// A value in lines of its own, each so deep.
pub fn readable(value: &Value, depth: usize) -> String {
    let mut out = String::new();
    write_value(&mut out, value, depth);
    out
}

fn write_value(out: &mut String, value: &Value, depth: usize) {
    let indent = "  ".repeat(depth);
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (name, value) in fields {
                out.push_str(&indent);
                out.push_str(&in_a_line(&Value::from(name.as_str())));
                out.push(':');
                write_behind(out, value, depth);
            }
        }
        Value::Array(items) if items.iter().any(is_long) => {
            for item in items {
                out.push_str(&indent);
                out.push('-');
                write_behind(out, item, depth);
            }
        }
        one => {
            out.push_str(&indent);
            out.push_str(&in_a_line(one));
            out.push('\n');
        }
    }
}

/// A value behind its name: on the same line, or below.
fn write_behind(out: &mut String, value: &Value, depth: usize) {
    match value {
        Value::String(text) if text.contains('\n') => {
            out.push('\n');
            let indent = "  ".repeat(depth + 1);
            for line in text.split('\n') {
                out.push_str(&indent);
                out.push_str("| ");
                line.chars().for_each(|c| write_seen(out, c));
                out.push('\n');
            }
        }
        value if is_long(value) => {
            out.push('\n');
            write_value(out, value, depth + 1);
        }
        value => {
            out.push(' ');
            out.push_str(&in_a_line(value));
            out.push('\n');
        }
    }
}

/// Whether a value is better in lines of its own.
fn is_long(value: &Value) -> bool {
    match value {
        Value::Object(fields) => !fields.is_empty(),
        Value::Array(items) => items.iter().any(is_long),
        _ => false,
    }
}

/// A value as JSON, with nothing in it that does something to a terminal.
fn in_a_line(value: &Value) -> String {
    let mut line = String::new();
    for c in value.to_string().chars() {
        if is_odd(c) {
            // All of them are in the first plane.
            _ = write!(line, "\\u{:04x}", u32::from(c))
        } else {
            line.push(c)
        }
    }
    line
}

fn write_seen(out: &mut String, c: char) {
    match c {
        '\t' => out.push('\t'),
        c if is_odd(c) => _ = write!(out, "<U+{:04X}>", u32::from(c)),
        c => out.push(c),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(value: &Value) -> String {
        readable(value, 0)
    }

    #[test]
    fn a_text_of_several_lines_is_shown_in_lines() {
        let body = json!({"a": "one\n\ttwo\r\n", "b": ["\n", "x"], "c": {}, "d": true});
        let expected = "\"a\":\n  | one\n  | \ttwo<U+000D>\n  | \n\
            \"b\": [\"\\n\",\"x\"]\n\"c\": {}\n\"d\": true\n";
        assert_eq!(shown(&body), expected);
    }

    #[test]
    fn messages_are_a_list() {
        let body = json!([{"content": "a\nb", "role": "user"}]);
        let expected = "-\n  \"content\":\n    | a\n    | b\n  \"role\": \"user\"\n";
        assert_eq!(shown(&body), expected);
    }

    #[test]
    fn nothing_reaches_the_terminal_as_an_order() {
        let body = json!({"\u{9b}": "\u{202e}a", "b": "\u{1b}[31m\n\u{9b}"});
        let said = shown(&body);
        assert!(!said.chars().any(|c| c != '\n' && is_odd(c)), "{said:?}");
    }
}
