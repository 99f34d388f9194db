//! A text's digest: enough to know the same text again after the text itself was let go.

use std::fmt;

use foretell_text::Text;
use xxhash_rust::xxh3::Xxh3;

/// 128 bits and the length of a text. Stable: editors keep it across restarts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextDigest {
    len: usize,
    hash: u128,
}

impl TextDigest {
    /// The digest of a text.
    pub fn of(text: &Text) -> Self {
        let mut hash = Xxh3::new();
        for chunk in text.chunks() {
            hash.update(chunk.as_bytes());
        }
        TextDigest {
            len: text.end().get(),
            hash: hash.digest128(),
        }
    }

    /// How long the text was, in bytes.
    pub fn length(&self) -> usize {
        self.len
    }

    /// Whether a text could be the one, judged by its length alone.
    pub(crate) fn could_be(&self, text: &Text) -> bool {
        self.len == text.end().get()
    }

    /// Reads what [`Display`](fmt::Display) writes.
    pub fn parse(written: &str) -> Option<Self> {
        let (len, hash) = written.split_once('-')?;
        Some(TextDigest {
            len: len.parse().ok()?,
            hash: u128::from_str_radix(hash, 16).ok()?,
        })
    }
}

impl fmt::Display for TextDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:032x}", self.len, self.hash)
    }
}
