//! Times, names and lists as people read them.
//!
//! Text that others have written (names of files, a server's words) stays in its line and does nothing to a
//! terminal or to the direction of the text around it.

use foretell_text::DocumentId;
pub use foretell_text::plain::{one_line, plural as count};
use percent_encoding::percent_decode_str;

/// How long a name is at most, in characters.
const LONGEST_NAME: usize = 60;

/// A time in milliseconds: `80 ms`, `1.2 s`, `5 s`, `12 min`, `3 h`.
pub fn span(millis: u64) -> String {
    const SECOND: u64 = 1_000;
    const MINUTE: u64 = 60 * SECOND;
    const HOUR: u64 = 60 * MINUTE;
    match millis {
        0..SECOND => format!("{millis} ms"),
        _ if millis < 10 * SECOND && millis % SECOND >= 100 => {
            format!("{}.{} s", millis / SECOND, millis % SECOND / 100)
        }
        _ if millis < MINUTE => format!("{} s", millis / SECOND),
        _ if millis < HOUR => format!("{} min", millis / MINUTE),
        _ => format!("{} h", millis / HOUR),
    }
}

/// A number of bytes: `512 bytes`, `14 KB`, `2.5 MB`.
pub fn bytes(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{} KB", bytes / 1_000),
        _ if bytes < 10_000_000 => {
            format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000)
        }
        _ => format!("{} MB", bytes / 1_000_000),
    }
}

/// A number in groups of three digits: `1,200`.
pub fn with_commas(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A share of all, in per cent.
pub fn per_cent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// `a`, `a and b`, `a, b and c`.
pub fn and(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [all @ .., last] => format!("{} and {last}", all.join(", ")),
    }
}

/// The name of a document's file, without the way to it.
pub fn short_name(document: &DocumentId) -> String {
    let uri = document.as_str().trim_end_matches('/');
    let last = uri.rsplit('/').next().unwrap_or(uri);
    let name = one_line(percent_decode_str(last).decode_utf8_lossy());
    if name.chars().count() > LONGEST_NAME {
        let kept: String = name.chars().take(LONGEST_NAME - 1).collect();
        format!("{kept}…")
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_as_long_as_they_need_to_be() {
        let spans = [0, 999, 1_000, 1_250, 9_999, 10_500, 60_000, 7_200_000].map(span);
        let expected = [
            "0 ms", "999 ms", "1 s", "1.2 s", "9.9 s", "10 s", "1 min", "2 h",
        ];
        assert_eq!(spans, expected);
    }

    #[test]
    fn sizes_are_round() {
        let sizes = [0, 999, 14_400, 2_560_000, 123_000_000].map(bytes);
        assert_eq!(sizes, ["0 bytes", "999 bytes", "14 KB", "2.5 MB", "123 MB"]);
    }

    #[test]
    fn a_document_is_called_by_its_file() {
        let name = |uri: &str| short_name(&DocumentId::new(uri));
        assert_eq!(name("file:///c%3A/a%20b/m%C3%A4in.rs"), "mäin.rs");
        assert_eq!(name("untitled:Untitled-1"), "untitled:Untitled-1");
        assert_eq!(name("file:///a/100%"), "100%");
        assert_eq!(name("file:///%1B%5B31m%ff"), "\u{fffd}[31m\u{fffd}");
        assert_eq!(name(&"x".repeat(1_000)).chars().count(), LONGEST_NAME);
        assert_eq!(name(""), "");
    }
}
