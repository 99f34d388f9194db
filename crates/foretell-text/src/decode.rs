//! Bytes of a file as text, or what they are instead.
//!
//! Absent on purpose: guessing encodings. A text in another one than UTF-8 would be quoted wrongly.

/// So far into a file a zero byte says that it is not text.
const BINARY_WITHIN: usize = 8 << 10;

/// Why bytes are no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// They are binary.
    #[error("it is binary, not text")]
    Binary,
    /// They are a text in another encoding, or a broken one.
    #[error("line {line} is not UTF-8")]
    NotUtf8 {
        /// The first line that is not UTF-8, counted from one.
        line: usize,
    },
}

/// The text of bytes, without the mark that some editors put first.
pub fn decode(bytes: Vec<u8>) -> Result<String, DecodeError> {
    let is_utf16 = matches!(bytes.get(..2), Some([0xff, 0xfe] | [0xfe, 0xff]));
    if !is_utf16 && bytes.iter().take(BINARY_WITHIN).any(|byte| *byte == 0) {
        return Err(DecodeError::Binary);
    }
    match String::from_utf8(bytes) {
        Ok(mut text) => {
            if text.starts_with('\u{feff}') {
                text.drain(..'\u{feff}'.len_utf8());
            }
            Ok(text)
        }
        Err(broken) => {
            let good = broken.utf8_error().valid_up_to();
            let before = broken.as_bytes().iter().take(good);
            let line = 1 + before.filter(|byte| **byte == b'\n').count();
            Err(DecodeError::NotUtf8 { line })
        }
    }
}
