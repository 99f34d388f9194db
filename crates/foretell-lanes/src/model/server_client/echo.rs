//! What a server repeats of what it was told, found in its words however it is written there: as it
//! is, in other capitals, or as base64, percent escapes or hexadecimal numbers.
//!
//! A reading is the words as one such writing would have them, each unit with the place it was read
//! from. Where [`STRETCH`] units in a row were sent, spaces aside, what they were read from goes.
//!
//! Absent on purpose: ciphers, and one writing inside of another. A server that wants to give away what
//! it was told has other ways; this is about those that quote without thinking.

use std::ops::Range;

/// How many characters in a row are no coincidence.
const STRETCH: usize = 12;

/// One unit of a reading: what it says, in small letters, and where in the words.
struct EchoUnit {
    says: Vec<u8>,
    at: Range<usize>,
}

/// A sent text as it is searched: in small letters and without spaces.
pub(super) fn searchable(sent: &str) -> String {
    let letters = sent.chars().filter(|c| !c.is_whitespace());
    letters.flat_map(char::to_lowercase).collect()
}

/// Words without the stretches of them that were sent; `secrets` were sent too, and are looked for in
/// other writings only. Both are [`searchable`].
pub(super) fn without_echoes(words: &str, sent: &str, secrets: &str) -> String {
    let mut is_echo = vec![false; words.len()];
    let plain = plain(words);
    for stretch in plain.windows(STRETCH) {
        mark(&mut is_echo, stretch, &[sent]);
    }
    for reading in other_writings(words) {
        // What is read as it stands has been looked at.
        let stretches = reading.windows(STRETCH);
        for stretch in stretches.filter(|it| place_of(it).len() > STRETCH) {
            mark(&mut is_echo, stretch, &[sent, secrets]);
        }
    }
    let mut kept = String::new();
    for (at, c) in words.char_indices() {
        if !is_echo[at] {
            kept.push(c);
        } else if !kept.ends_with('…') {
            kept.push('…');
        }
    }
    kept
}

/// Marks what a stretch was read from, if it was sent.
fn mark(is_echo: &mut [bool], stretch: &[EchoUnit], sent: &[&str]) {
    let says: Vec<u8> = stretch
        .iter()
        .flat_map(|unit| &unit.says)
        .copied()
        .collect();
    let is_in = |sent: &&str| memchr::memmem::find(sent.as_bytes(), &says).is_some();
    if sent.iter().any(is_in) {
        is_echo[place_of(stretch)].fill(true);
    }
}

/// Where a stretch was read, with the spaces in it.
fn place_of(stretch: &[EchoUnit]) -> Range<usize> {
    let start = stretch.first().map_or(0, |unit| unit.at.start);
    start..stretch.last().map_or(start, |unit| unit.at.end)
}

/// The words as they are.
fn plain(words: &str) -> Vec<EchoUnit> {
    let letters = words.char_indices().filter(|(_, c)| !c.is_whitespace());
    let unit = |(at, c): (usize, char)| EchoUnit {
        says: c.to_lowercase().to_string().into_bytes(),
        at: at..at + c.len_utf8(),
    };
    letters.map(unit).collect()
}

/// The words as they would be in each of the writings, from each place where one could begin.
fn other_writings(words: &str) -> Vec<Vec<EchoUnit>> {
    let letters: Vec<(usize, u8)> = words.bytes().enumerate().collect();
    let letters: Vec<_> = letters
        .into_iter()
        .filter(|(_, byte)| !byte.is_ascii_whitespace())
        .collect();
    // In an address a space is a plus, and in a path it is not.
    let mut readings = vec![percent(&letters, false), percent(&letters, true)];
    for run in runs(&letters, |byte| sextet(byte).is_some()) {
        readings.extend((0..4).filter_map(|skipped| Some(packed(run.get(skipped..)?, 6, sextet))));
    }
    // As they stand, and with what dumps and escapes have between them: `69:6e`, `0x69, 0x6e`, `\u0069`, `&#x69;`.
    let apart = without_signs(&letters);
    for letters in [&letters, &apart] {
        for run in runs(letters, |byte| nibble(byte).is_some()) {
            let packed = |skipped| Some(packed(run.get(skipped..)?, 4, nibble));
            readings.extend((0..2).filter_map(packed));
        }
    }
    readings
}

/// The characters without what stands before and between hexadecimal numbers.
fn without_signs(letters: &[(usize, u8)]) -> Vec<(usize, u8)> {
    const SIGNS: &[&[u8]] = &[
        b"\\u00", b"\\u{", b"\\x", b"0x", b"&#x", b":", b",", b"-", b";", b"}",
    ];
    let mut kept = Vec::new();
    let mut rest = letters;
    while let [first, behind @ ..] = rest {
        let begins = |sign: &&&[u8]| {
            let here = rest.iter().map(|(_, byte)| byte.to_ascii_lowercase());
            here.take(sign.len()).eq(sign.iter().copied())
        };
        if let Some(sign) = SIGNS.iter().find(begins) {
            rest = &rest[sign.len()..];
            continue;
        }
        kept.push(*first);
        rest = behind;
    }
    kept
}

/// The stretches of characters that a writing has.
fn runs(letters: &[(usize, u8)], is_of_it: impl Fn(u8) -> bool) -> Vec<&[(usize, u8)]> {
    let runs = letters.split(|(_, byte)| !is_of_it(*byte));
    runs.filter(|run| run.len() >= STRETCH).collect()
}

/// Decodes percent escapes; other characters stand for themselves.
fn percent(letters: &[(usize, u8)], is_plus_space: bool) -> Vec<EchoUnit> {
    let mut units = Vec::new();
    let mut rest = letters;
    while let [(at, byte), behind @ ..] = rest {
        let escaped = match behind {
            [(_, high), (end, low), ..] if *byte == b'%' => {
                let (high, low) = (nibble(*high), nibble(*low));
                high.zip(low).map(|(high, low)| (high << 4 | low, *end))
            }
            _ => None,
        };
        let (byte, end, length) = match escaped {
            Some((byte, end)) => (byte, end, 3),
            None => (*byte, *at, 1),
        };
        let is_space = byte.is_ascii_whitespace() || byte == b'+' && length == 1 && is_plus_space;
        if !is_space {
            units.push(unit(byte, *at..end + 1));
        }
        rest = &rest[length..];
    }
    units
}

/// Decodes characters that carry a few bits each.
fn packed(run: &[(usize, u8)], bits: u32, value: impl Fn(u8) -> Option<u8>) -> Vec<EchoUnit> {
    let mut units = Vec::new();
    let (mut gathered, mut count, mut start) = (0_u32, 0, None);
    for (at, byte) in run {
        let Some(value) = value(*byte) else {
            continue;
        };
        gathered = gathered << bits | u32::from(value);
        count += bits;
        let begun = *start.get_or_insert(*at);
        if count >= 8 {
            count -= 8;
            let byte = (gathered >> count) as u8;
            gathered &= (1 << count) - 1;
            if !byte.is_ascii_whitespace() {
                units.push(unit(byte, begun..at + 1));
            }
            start = (count > 0).then_some(*at);
        }
    }
    units
}

fn unit(byte: u8, at: Range<usize>) -> EchoUnit {
    let says = vec![byte.to_ascii_lowercase()];
    EchoUnit { says, at }
}

/// The value of a character of base64, in either alphabet.
fn sextet(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

fn nibble(byte: u8) -> Option<u8> {
    let digit = char::from(byte).to_digit(16)?;
    u8::try_from(digit).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SENT: &str = "fn salary(person: &Person) -> Euro { // für Größe und Länge";

    fn left(words: &str) -> String {
        without_echoes(
            words,
            &searchable(SENT),
            &searchable("sk-recognisable-0123456789"),
        )
    }

    #[test]
    fn capitals_hide_nothing() {
        assert_eq!(
            left("CANNOT READ FN SALARY(PERSON: &PERSON) -> HERE"),
            "CANNOT READ … HERE"
        );
        assert_eq!(
            left("Cannot Read Fn Salary(Person: & here"),
            "Cannot Read … here"
        );
    }

    #[test]
    fn base64_hides_nothing_wherever_it_begins() {
        // "fn salary(person: &Person) -> Euro {", with nothing, `a` and `ab` before it.
        for encoded in [
            "Zm4gc2FsYXJ5KHBlcnNvbjogJlBlcnNvbikgLT4gRXVybyB7",
            "YWZuIHNhbGFyeShwZXJzb246ICZQZXJzb24pIC0+IEV1cm8gew==",
            "YWJmbiBzYWxhcnkocGVyc29uOiAmUGVyc29uKSAtPiBFdXJvIHs=",
            "YWJmbiBzYWxhcnkocGVyc29uOiAmUGVyc29u\nKSAtPiBFdXJvIHs",
        ] {
            let words = left(&format!("cannot read {encoded}"));
            assert!(words.starts_with("cannot read "), "{words}");
            assert!(words.len() < 30, "{words}");
        }
        // The key, "sk-recognisable-0123456789".
        assert_eq!(left("key c2stcmVjb2duaXNhYmxlLTAxMjM0NTY3ODk"), "key …");
    }

    #[test]
    fn escapes_hide_nothing() {
        let path = "at /?q=fn%20salary%28person%3A%20%26Person%29%20-%3e%20Euro";
        assert_eq!(left(path), "at /?q=…");
        assert_eq!(left("q=fn+salary%28person%3A+%26Person%29!"), "q=…!");
        assert_eq!(left("f%C3%BCr%20Gr%C3%B6%C3%9Fe%20und; no"), "…; no");
        // "fn salary(person" as numbers.
        assert_eq!(left("0x666e2073616c61727928706572736f6e"), "0x…");
        let apart = |before: &str, behind: &str| -> String {
            let letters = "fn salary(person: &Person".bytes();
            letters
                .map(|byte| format!("{before}{byte:02x}{behind}"))
                .collect()
        };
        for (before, behind) in [
            ("", ":"),
            ("0x", ", "),
            ("\\x", ""),
            ("\\u00", ""),
            ("&#x", ";"),
            ("", "-"),
        ] {
            let words = left(&format!("cannot read {}", apart(before, behind)));
            assert!(words.len() < 30, "{words}");
        }
    }

    #[test]
    fn what_was_not_sent_stays() {
        for words in [
            "model 'tiny' not found, try pulling it first",
            "100% of 3+4 % 2, %zz %",
            "c29tZXRoaW5nIGVsc2UgdGhhdCBpcyBsb25n 0123456789abcdef0123456789abcdef",
            "größe 🦀 \u{1b}[31m",
            "",
        ] {
            assert_eq!(left(words), words);
        }
    }
}
