//! Random strings that nothing around them calls a secret.
//!
//! A key of a service whose tokens have no form of their own looks like noise: letters of both sizes and
//! digits in no order. So do many things that are public, and most of what is here is about those: hashes
//! and ids are hexadecimal, which this leaves alone; data is longer; what a certificate, an image or a public
//! key begins with is known; and what a line calls a digest or a signature is one.
//!
//! It looks at every 24th byte of a text and no further where that is not part of a word, so that ordinary
//! text costs next to nothing.

use std::ops::Range;

use super::secret_finder::floor;
use super::secret_value::{self, is_name};
use super::stand_in::is_placeholder;

/// How long a random string is at the least to be told from a word.
const LEAST: usize = 32;
/// How long a token with a prefix of its own is at the least.
const LEAST_PREFIXED: usize = 24;
/// How long it is at the most: a longer one is data.
const MOST: usize = 200;
/// How much before a string is looked at for what it is called.
const LONGEST_HEAD: usize = 100;
/// How many of a text are secrets: where there are more, they are data that somebody collected.
pub(super) const MOST_OF_TEXT: usize = 12;

/// Names of things that are random and public, in small letters.
#[rustfmt::skip]
const PUBLIC: &[&str] = &[
    "sha", "hash", "integrity", "checksum", "digest", "fingerprint", "public", "pubkey", "pub_key",
    "cert", "signature", "base64,", "data:", "nonce", "ssh-", "commit", "etag", "mappings",
    "\"kid\"", "x5", "h1:", "script-src", "md5", "crc", "thumbprint", "revision", "abcdef",
    "alphabet", "charset", "url(", "href=", "src=", "vector", "ciphertext", "encoded", "uuid",
    "guid", "assert", "http", "wasm", "mangled", "_zn", "sig_", "\"sig\"", "\"n\"", "\"x\"",
    "\"y\"", "proof", "merkle", "address", "did:", "ipfs", "cid",
];

/// Beginnings of data of known kinds, in base64.
const DATA: &[&str] = &[
    "0x", "sha", "MII", "AAAA", "iVBOR", "R0lGOD", "/9j/", "PHN2", "PD94", "UEsDB", "H4sI",
    "AGFzbQ", "d09GM", "T2dn", "JVBER", "UklGR", "ABCD", "Qm", "bafy", "_ZN", "_R",
];

/// The stretches of a text that are long enough to be random, or to stand for something else.
pub(super) fn runs(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let bytes = text.as_bytes();
    let mut from = 0;
    let mut at = LEAST_PREFIXED - 1;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            if !IS_PART[usize::from(bytes[at])] {
                at += LEAST_PREFIXED;
                continue;
            }
            let is_part = |byte: &&u8| IS_PART[usize::from(**byte)];
            let start = at - bytes[from..at].iter().rev().take_while(is_part).count();
            let end = at + bytes[at..].iter().take_while(is_part).count();
            from = end;
            at = end + LEAST_PREFIXED;
            if end - start >= LEAST_PREFIXED {
                return Some(start..end);
            }
        }
        None
    })
    .map(move |range| whole(bytes, range))
}

/// A stretch without dots at its ends, with its padding, and with what bots put before it.
fn whole(bytes: &[u8], range: Range<usize>) -> Range<usize> {
    let is_dot = |byte: &&u8| **byte == b'.';
    let inside = &bytes[range.clone()];
    let start = range.start + inside.iter().take_while(is_dot).count();
    let end = (range.end - inside.iter().rev().take_while(is_dot).count()).max(start);
    let padding = bytes[end..]
        .iter()
        .take(2)
        .take_while(|byte| **byte == b'=');
    let end = end + padding.count();
    start - number_before(&bytes[..start])..end
}

/// Decodes base64 or hexadecimal digits, where they stand for text.
pub(super) fn decoded(text: &str, range: &Range<usize>) -> Option<String> {
    /// A shorter text has no secret, and a longer one is a file.
    const LENGTHS: Range<usize> = 12..4_000;
    if !LENGTHS.contains(&(range.len() / 2)) {
        return None;
    }
    let value = text.get(range.clone())?;
    // Most are names, which is seen at their beginning.
    let begins = |bytes: &[u8]| {
        !bytes.is_empty()
            && bytes
                .iter()
                .all(|byte| byte.is_ascii_graphic() || b" \n".contains(byte))
    };
    let is_hex = value.bytes().take(12).all(|byte| byte.is_ascii_hexdigit());
    let head = value.get(..12)?;
    let is_encoded = begins(&secret_value::decoded(head)) || is_hex && begins(&from_hex(head)?);
    if !is_encoded {
        return None;
    }
    let bytes = from_hex(value).unwrap_or_else(|| secret_value::decoded(value));
    let text = String::from_utf8(bytes).ok()?;
    let is_text = text.len() >= LENGTHS.start && text.chars().all(|c| !c.is_control() || c == '\n');
    is_text.then_some(text)
}

/// Decodes hexadecimal digits.
fn from_hex(value: &str) -> Option<Vec<u8>> {
    let pairs = value.as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    (value.len() % 2 == 0).then(|| pairs.map(byte).collect())?
}

/// How many bytes a number and a colon have that stand before something, if they do.
fn number_before(bytes: &[u8]) -> usize {
    let Some(before) = bytes.strip_suffix(b":") else {
        return 0;
    };
    let digits = before
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    if (6..=10).contains(&digits) {
        digits + 1
    } else {
        0
    }
}

/// Of every byte, whether random strings have it.
const IS_PART: [bool; 256] = {
    let mut is_part = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let sign = matches!(byte as u8, b'+' | b'/' | b'_' | b'-' | b'.');
        is_part[byte] = (byte as u8).is_ascii_alphanumeric() || sign;
        byte += 1;
    }
    is_part
};

/// Whether it is random, and nothing says that it is public.
pub(super) fn is_secret(text: &str, range: &Range<usize>) -> bool {
    if !(LEAST_PREFIXED..=MOST).contains(&range.len()) {
        return false;
    }
    if let Some(value) = text.get(range.clone()).filter(|value| is_prefixed(value)) {
        return stands_alone(text, range)
            && !is_public(text, value, range.start)
            && !is_placeholder(value);
    }
    if range.len() < LEAST {
        return false;
    }
    let Some(value) = text.get(range.clone()) else {
        return false;
    };
    is_random(value)
        && stands_alone(text, range)
        && !is_public(text, value, range.start)
        && !is_name(value)
        && !is_line_of_data(text, range)
        && !is_readable(value)
        && !is_placeholder(value)
}

/// Whether it is one of the tokens that services make now: a short name, a sign, and something random.
fn is_prefixed(value: &str) -> bool {
    /// Beginnings of digests and of names of things, which no service gives its tokens.
    const NO_SERVICES: &[&str] = &[
        "sha", "sha1", "sha256", "sha512", "md5", "crc", "hash", "id", "uuid", "v1", "v2", "test",
        "git", "commit", "build", "chunk",
    ];
    /// How long the name may be.
    const LONGEST_NAME: usize = 20;
    let Some(at) = value
        .rfind(['_', '-'])
        .filter(|at| (2..=LONGEST_NAME).contains(at))
    else {
        return false;
    };
    let (name, body) = (
        value.get(..at).unwrap_or_default(),
        value.get(at + 1..).unwrap_or_default(),
    );
    let mut parts = name.split(['_', '-']);
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && parts.all(|part| {
            (2..=10).contains(&part.len())
                && part.bytes().all(|b| b.is_ascii_alphanumeric())
                && !NO_SERVICES.contains(&part)
        });
    let is_hex = body.len() >= 32
        && body
            .bytes()
            .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
        && value.as_bytes().get(at) == Some(&b'_');
    let is_plain = body.bytes().all(|b| b.is_ascii_alphanumeric());
    let digits = body.bytes().filter(u8::is_ascii_digit).count();
    let is_mixed = body.len() >= 30 && digits >= 2 && is_random(body);
    is_name && is_plain && (is_hex || is_mixed)
}

/// Whether letters of both sizes and digits take turns as they do by chance.
fn is_random(value: &str) -> bool {
    /// Of a hundred pairs of characters; by chance it is 62, in the names of code up to 30.
    const LEAST_TURNS: usize = 36;
    const SURE_TURNS: usize = 44;
    /// How many small letters stand in a row by chance.
    const MOST_LETTERS: usize = 7;
    let kind = |byte: u8| match byte {
        b'0'..=b'9' => 0,
        b'a'..=b'z' => 1,
        b'A'..=b'Z' => 2,
        _ => 3,
    };
    let body = value.trim_end_matches('=');
    let mut counts = [0_usize; 4];
    for byte in body.bytes() {
        counts[kind(byte)] += 1;
    }
    let turns = body
        .as_bytes()
        .windows(2)
        .filter(|pair| kind(pair[0]) != kind(pair[1]))
        .count();
    let [digits, small, capital, signs] = counts;
    // In capital letters and digits alone.
    if small == 0 && signs == 0 {
        let is_hex = body.bytes().all(|byte| byte.is_ascii_hexdigit());
        return digits >= 3 && capital >= 12 && turns >= 6 && !is_hex;
    }
    // In small letters and digits alone.
    if capital == 0 && signs == 0 {
        let is_hex = body.bytes().all(|byte| byte.is_ascii_hexdigit());
        return digits >= 4
            && small >= 12
            && turns * 5 >= body.len()
            && longest_word(body) <= MOST_LETTERS + 2
            && !is_hex;
    }
    // Where turns are so many that no name has them, a letter in a row more or less says nothing.
    let is_sure = turns * 100 >= body.len() * SURE_TURNS;
    let (least_digits, most_letters) = if is_sure {
        (1, MOST_LETTERS + body.len() / 16)
    } else {
        (2, MOST_LETTERS)
    };
    // Where there are as many signs, it is words with signs between them.
    digits >= least_digits
        && small >= 4
        && capital >= 4
        && signs <= 4 + body.len() / 16
        && longest_word(body) <= most_letters
        && turns * 100 >= body.len() * LEAST_TURNS
}

/// How many small letters there are in a row.
fn longest_word(value: &str) -> usize {
    let words = value.split(|c: char| !c.is_ascii_lowercase());
    words.map(str::len).max().unwrap_or_default()
}

/// Whether it is text in base64, or what else is readable.
fn is_readable(value: &str) -> bool {
    let decoded = secret_value::decoded(value);
    let is_text =
        |byte: &&u8| byte.is_ascii_graphic() || matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
    decoded.iter().filter(is_text).count() * 10 >= decoded.len() * 9
}

/// Whether it stands next to a line of data.
fn is_line_of_data(text: &str, range: &Range<usize>) -> bool {
    const LEAST_OF_LINE: usize = 56;
    let is_like = |line: &str| {
        let runs = line.split(|c: char| !c.is_ascii() || !IS_PART[c as usize]);
        runs.map(str::len)
            .max()
            .is_some_and(|run| run >= LEAST_OF_LINE)
    };
    let from = floor(text, range.start.saturating_sub(4 * MOST));
    let before = text
        .get(from..range.start)
        .unwrap_or_default()
        .rsplit('\n')
        .nth(1);
    let to = floor(text, range.end.saturating_add(4 * MOST));
    let behind = text
        .get(range.end..to)
        .unwrap_or_default()
        .split('\n')
        .nth(1);
    before.is_some_and(is_like) || behind.is_some_and(is_like)
}

/// Beginnings of lines of code that no command has.
const WORDS_OF_CODE: &[&str] = &[
    "from", "import", "use", "export", "package", "class", "type", "const", "let", "return",
    "raise", "def", "fn", "new", "static", "public", "private", "case", "throw", "var", "val",
    "func", "struct", "enum", "impl",
];

/// Whether it is a literal, an argument or a value by itself.
fn stands_alone(text: &str, range: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    let before = range.start.checked_sub(1).map(|at| bytes[at]);
    let behind = bytes.get(range.end).copied();
    let opens =
        before.is_none_or(|byte| byte.is_ascii_whitespace() || b"\"'`:(,[>=".contains(&byte));
    let closes =
        behind.is_none_or(|byte| byte.is_ascii_whitespace() || b"\"'`,;)]<\\".contains(&byte));
    // Names of code have dots between them, and stand in no quotes.
    let is_quoted = before.is_some_and(|byte| b"\"'`".contains(&byte));
    if !is_quoted
        && bytes[range.clone()].contains(&b'.')
        && !text.get(..range.start).unwrap_or_default().ends_with("# ")
    {
        return false;
    }
    // Without quotes it is a name of code, or a line of data, unless something is put before it.
    let head = text.get(floor(text, range.start.saturating_sub(8))..range.start);
    let head = head.unwrap_or_default().trim_end_matches([' ', '\t']);
    let is_given = before.is_some_and(|byte| b"\"'`".contains(&byte))
        || head.ends_with(['=', ':', '#', '/', '*', '-', '>', '(', ',']);
    // In a command, other words stand before it.
    let is_argument = || {
        let line = text
            .get(floor(text, range.start.saturating_sub(4 * LONGEST_HEAD))..range.start)
            .unwrap_or_default()
            .rsplit('\n')
            .next()
            .unwrap_or_default();
        let first = line.split_whitespace().next().unwrap_or_default();
        let is_command = first
            .starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '/' | '$'))
            && !WORDS_OF_CODE.contains(&first);
        is_command
            && line.ends_with(' ')
            && !line.contains(['(', '=', ';', '{'])
            && behind.is_none_or(|byte| byte.is_ascii_whitespace())
    };
    opens && closes && (is_given || is_argument())
}

/// Whether something says that it is no secret.
fn is_public(text: &str, value: &str, start: usize) -> bool {
    let is_path = value.contains('/') && value.contains('.') || value.contains("//");
    let is_file = value
        .rsplit_once('.')
        .is_some_and(|(_, end)| end.len() <= 5);
    let is_key = text.get(start + value.len()..).is_some_and(|behind| {
        let behind = behind.strip_prefix(['"', '\'']).unwrap_or_default();
        behind.trim_start_matches(' ').starts_with(':')
    });
    if DATA.iter().any(|known| value.starts_with(known)) || is_path || is_file || is_key {
        return true;
    }
    let head = text
        .get(floor(text, start.saturating_sub(LONGEST_HEAD))..start)
        .unwrap_or_default();
    let line = head
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    PUBLIC.iter().any(|known| line.contains(known))
}
