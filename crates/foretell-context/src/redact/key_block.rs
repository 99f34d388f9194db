//! Private keys in blocks of lines, between `-----BEGIN` and `-----END`.
//!
//! They are apart from the other rules because a block is known by its lines rather than by its
//! characters, may lack either end, and stands in code as often as by itself: in string literals
//! with `\n` in them, in pieces that are added up, behind comment signs. A block is taken as a whole
//! with both its lines, and up to the end of the text if nothing ends it. A line that only begins a
//! block, as in the code of every parser of such blocks, is no secret: what follows must look like
//! a key.

use std::ops::Range;

use super::seam::{is_cut, resumed};
use super::secret_rule::TokenAlphabet;

/// How many characters in a row are taken for part of a key.
const LEAST_OF_LINE: usize = 16;
/// How many are taken for one although they have no digit.
const LEAST_WITHOUT_DIGIT: usize = 40;
/// How many are where the text is cut off.
const LEAST_OF_CUT: usize = 4;
/// How long what a block calls itself is at the most.
const LONGEST_LABEL: usize = 60;

/// The block that begins with this `-----BEGIN `.
pub(super) fn from_start(text: &str, span: Range<usize>) -> Option<Range<usize>> {
    let body = behind_label(text, span.end)?;
    if !is_key_at(text, body) {
        return None;
    }
    let rest = text.get(body..)?;
    let end = rest.find("-----END").map(|end| {
        let end = body + end + "-----END".len();
        // The label of the last line, as far as it is there.
        behind_dashes(text, end).unwrap_or(end)
    });
    Some(span.start..end.unwrap_or(text.len()))
}

/// The rest of a block that ends with this `-----END `, if its beginning is not there.
pub(super) fn up_to_end(text: &str, span: Range<usize>) -> Option<Range<usize>> {
    let end = behind_label(text, span.end)?;
    let bytes = text.as_bytes();
    let mut start = span.start;
    let mut at = span.start;
    loop {
        loop {
            at = match &bytes[..at] {
                [.., b'\\', b'n' | b'r' | b't'] => at - 2,
                [.., byte] if is_filler(*byte) => at - 1,
                _ => break,
            };
        }
        // An `n` that is part of `\n` counts with the characters behind it.
        let has = |at: usize| at > 0 && is_body(bytes[at - 1]);
        let run_end = at;
        while has(at) {
            at -= 1;
        }
        let run = run_end - at;
        let is_last_line = start == span.start && run >= LEAST_OF_CUT;
        let is_first_line = at == 0 && run > 0;
        if run < LEAST_OF_LINE && !is_last_line && !is_first_line {
            break;
        }
        start = at;
    }
    // The last line alone may be anything, unless it is all that is left; a key has one that is long.
    let kept = text.get(start..span.start)?;
    let is_left =
        start == 0 && kept.len() > LEAST_OF_CUT && (kept.contains('\n') || kept.contains("\\n"));
    let is_key = kept
        .split(|c: char| !c.is_ascii() || !is_body(c as u8))
        .any(|run| run.len() >= LEAST_OF_LINE && run.bytes().any(|byte| byte.is_ascii_digit()));
    (is_key || is_left).then_some(start..end)
}

/// Where the line of a private key ends whose label begins here.
fn behind_label(text: &str, start: usize) -> Option<usize> {
    let end = behind_dashes(text, start)?;
    let label = text.get(start..end)?;
    (label.contains("PRIVATE KEY") || label.contains("SECRET KEY")).then_some(end)
}

/// Where the dashes end that end a label.
fn behind_dashes(text: &str, start: usize) -> Option<usize> {
    let label = text.as_bytes().get(start..)?;
    let is_label = |byte: &u8| byte.is_ascii_uppercase() || matches!(byte, b' ' | b'0'..=b'9');
    let len = label.iter().take(LONGEST_LABEL).take_while(|b| is_label(b));
    let len = len.count();
    let dashes = label.get(len..)?;
    dashes.starts_with(b"-----").then_some(start + len + 5)
}

/// Whether a key begins here, behind what may stand between two lines of it.
fn is_key_at(text: &str, mut at: usize) -> bool {
    /// Beginnings of keys that are not keys themselves.
    const HEADERS: [&str; 5] = ["Proc-Type:", "DEK-Info:", "Version:", "Comment:", "Hash:"];
    let bytes = text.as_bytes();
    while at < bytes.len() {
        let rest = &bytes[at..];
        at = match rest {
            [b'\\', b'n' | b'r' | b't', ..] => at + 2,
            [b'/', b'/', ..] => at + 2,
            [b'\r' | b'\n', ..] => resumed(text, at).unwrap_or(at + 1),
            [byte, ..] if is_filler(*byte) => at + 1,
            _ => break,
        };
    }
    let rest = text.get(at..).unwrap_or_default();
    if HEADERS.iter().any(|header| rest.starts_with(header)) {
        return true;
    }
    let run = rest.bytes().take_while(|byte| is_body(*byte)).count();
    let body = rest.get(..run).unwrap_or_default();
    let has_digit = body
        .bytes()
        .any(|b| b.is_ascii_digit() || matches!(b, b'+' | b'/'));
    let is_line = run >= LEAST_OF_LINE && has_digit || run >= LEAST_WITHOUT_DIGIT;
    is_line || run >= LEAST_OF_CUT && is_cut(text, at + run)
}

fn is_body(byte: u8) -> bool {
    byte != b'%' && TokenAlphabet::Base64.has(byte)
}

/// Separators of two lines of a key, in code.
fn is_filler(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b"\"'`\\+,.*#|>()".contains(&byte)
}

#[cfg(test)]
mod tests {
    use crate::redact::Redactor;

    const LINE: &str = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";

    fn redacted(text: &str) -> String {
        let redactor = Redactor::default();
        let mut redaction = redactor.begin();
        redaction.redact(text).into_owned()
    }

    /// In pieces, so that this file is not taken for a leak.
    fn block(body: &str) -> String {
        format!(
            "-----BEGIN {0} KEY-----{body}-----END {0} KEY-----",
            "PRIVATE"
        )
    }

    #[test]
    fn a_block_goes_with_both_its_lines() {
        let text = format!("a\n{}\nb", block(&format!("\n{LINE}\n{LINE}\n")));
        assert_eq!(redacted(&text), "a\n[REDACTED-1]\nb");
        let text = format!("\"{}\\n\";", block(&format!("\\n{LINE}\\n")));
        assert_eq!(redacted(&text), "\"[REDACTED-1]\\n\";");
        let text = block(&format!("\\n\" +\n    \"{LINE}\\n\" +\n    \""));
        assert_eq!(redacted(&text), "[REDACTED-1]");
    }

    #[test]
    fn a_block_without_an_end_goes_to_the_end() {
        let whole = block(&format!("\n{LINE}\n"));
        let (open, _) = whole.split_once("-----END").unwrap();
        assert_eq!(redacted(&format!("a {open}")), "a [REDACTED-1]");
        let (cut, _) = whole.split_once("vQIB").unwrap();
        assert_eq!(redacted(&format!("a {cut}")), "a [REDACTED-1]");
    }

    #[test]
    fn a_block_without_a_beginning_goes_from_its_first_line() {
        let whole = block(&format!("\n{LINE}\n{LINE}\nabc=\n"));
        let (_, tail) = whole.split_once("vQIB").unwrap();
        assert_eq!(redacted(tail), "[REDACTED-1]");
        let after = format!("fn main() {{}}\n{tail}\nrest");
        assert_eq!(redacted(&after), "fn main() {}\n[REDACTED-1]\nrest");
    }

    #[test]
    fn code_about_blocks_is_no_secret() {
        let begin = format!("-----BEGIN {} KEY-----", "PRIVATE");
        let end = format!("-----END {} KEY-----", "PRIVATE");
        for text in [
            format!("if line == \"{begin}\" {{ start(line); }}\nlet body = read_the_lines_of();"),
            format!("const BEGIN: &str = \"{begin}\";\nconst END: &str = \"{end}\";"),
            format!("(b\"{begin}\", Kind::PrivateKeyOfSomebody),"),
            format!("A block ends with {end}"),
            "-----BEGIN CERTIFICATE-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n".to_owned(),
        ] {
            assert_eq!(redacted(&text), text);
        }
    }
}
