//! Shapes of secrets: what a kind of token is made of, in a small language, and values of a shape.
//!
//! | in a shape | is |
//! | --- | --- |
//! | `[w]{20}`, `[w]{20,40}` | letters of an alphabet (see [`alphabet`]), so many of them |
//! | `[=abc]{2}` | letters of those named |
//! | `<uuid>`, `<jwt>` … | what a function makes (see [`made`]) |
//! | `‹…›` | the part that is secret, when not all of it is |
//!
//! Everything else stands for itself. No token is written out anywhere in this project, so that
//! nobody who looks for leaks finds one.

use super::encoding::{base62_crc32, base64, base64_url, hex};
use super::random::SeededRandom;

/// Where a secret begins in a text that is being made: a character that stands in no source.
pub(super) const BEGIN: char = '\u{e000}';
/// Where it ends.
pub(super) const END: char = '\u{e001}';

/// The characters that a letter between brackets stands for.
fn alphabet(name: &str) -> &str {
    match name {
        "w" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
        "a" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
        "x" => "0123456789abcdef",
        "X" => "0123456789ABCDEF",
        "d" => "0123456789",
        "u" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "U" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
        "l" => "abcdefghijklmnopqrstuvwxyz",
        "L" => "abcdefghijklmnopqrstuvwxyz0123456789",
        "b" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
        "s" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
        "2" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
        "5" => "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
        "c" => "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
        named => named.strip_prefix('=').unwrap_or(named),
    }
}

/// Makes a value by a function of shapes.
fn made(name: &str, random: &mut SeededRandom) -> String {
    match name {
        "uuid" => uuid(random),
        "jwt" => jwt(random),
        // Thirty letters and their checksum.
        "checked" => {
            let body = random.letters(alphabet("w"), 30);
            let sum = base62_crc32(&body);
            body + &sum
        }
        "checked-hex" => {
            let body = random.letters(alphabet("w"), 32);
            let sum = hex(&super::encoding::crc32(body.as_bytes()).to_be_bytes());
            format!("{body}_{sum}")
        }
        // The number of a bot is in its token, in base64.
        "snowflake" => {
            let number = format!("1{}", random.letters(alphabet("d"), 17));
            base64_url(number.as_bytes())
        }
        "json" => {
            let count = random.between(60, 160);
            let inside = format!(
                "{{\"iat\":17{},\"k\":\"{}\"}}",
                random.letters(alphabet("d"), 8),
                random.letters(alphabet("w"), count)
            );
            base64(inside.as_bytes())
        }
        "grafana" => {
            let inside = format!(
                "{{\"k\":\"{}\",\"n\":\"deploy\",\"id\":1}}",
                random.letters(alphabet("w"), 32)
            );
            base64(inside.as_bytes())
        }
        "stack" => {
            let inside = format!(
                "{{\"o\":\"{}\",\"n\":\"stack-hl-write\",\"k\":\"{}\",\"m\":{{\"r\":\"eu\"}}}}",
                random.letters(alphabet("d"), 6),
                random.letters(alphabet("w"), 24)
            );
            base64(inside.as_bytes())
        }
        "mapbox" => {
            let inside = format!(
                "{{\"u\":\"acme\",\"a\":\"c{}\"}}",
                random.letters(alphabet("L"), 24)
            );
            base64_url(inside.as_bytes())
        }
        "extended-key" => extended_key(random),
        "wallet-key" => {
            let mut bytes = vec![0x80];
            bytes.extend(random.bytes(32));
            bytes.push(1);
            super::encoding::base58_check(&bytes)
        }
        "basic" => {
            let pair = format!("deploy:{}", random.letters(alphabet("w"), 16));
            base64(pair.as_bytes())
        }
        unknown => panic!("no function <{unknown}> of shapes"),
    }
}

/// A value of a shape, with [`BEGIN`] and [`END`] around what is secret of it.
pub(super) fn value(shape: &str, random: &mut SeededRandom) -> String {
    let mut made_value = String::new();
    let mut rest = shape;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        match first {
            '[' => {
                let (name, behind) = after.split_once(']').expect("a bracket is closed");
                let behind = behind.strip_prefix('{').expect("an alphabet has a count");
                let (count, behind) = behind.split_once('}').expect("a count is closed");
                let (least, most) = count.split_once(',').unwrap_or((count, count));
                let least = least.parse().expect("a count is a number");
                let count = random.between(least, most.parse().expect("a count is a number"));
                made_value += &random.letters(alphabet(name), count);
                rest = behind;
            }
            '<' => {
                let (name, behind) = after.split_once('>').expect("a function is closed");
                made_value += &made(name, random);
                rest = behind;
            }
            _ => {
                made_value.push(match first {
                    '‹' => BEGIN,
                    '›' => END,
                    other => other,
                });
                rest = after;
            }
        }
    }
    if !made_value.contains(BEGIN) {
        made_value = format!("{BEGIN}{made_value}{END}");
    }
    made_value
}

/// A random identifier.
pub(super) fn uuid(random: &mut SeededRandom) -> String {
    let mut bytes = random.bytes(16);
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let all = hex(&bytes);
    format!(
        "{}-{}-{}-{}-{}",
        &all[..8],
        &all[8..12],
        &all[12..16],
        &all[16..20],
        &all[20..]
    )
}

/// A signed token with a header and claims that can be read.
fn jwt(random: &mut SeededRandom) -> String {
    let header = random.one_of(&[
        "{\"alg\":\"HS256\",\"typ\":\"JWT\"}",
        "{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":\"2024-01\"}",
        "{\"typ\":\"JWT\",\"alg\":\"ES256\"}",
    ]);
    let claims = format!(
        "{{\"sub\":\"{}\",\"role\":\"admin\",\"iat\":17{}}}",
        uuid(random),
        random.letters(alphabet("d"), 8)
    );
    let signature = random.letters(alphabet("s"), 43);
    format!(
        "{}.{}.{signature}",
        base64_url(header.as_bytes()),
        base64_url(claims.as_bytes())
    )
}

/// A hierarchical wallet's private key, with its checksum.
fn extended_key(random: &mut SeededRandom) -> String {
    let mut bytes = vec![0x04, 0x88, 0xad, 0xe4, 0];
    bytes.extend([0; 8]);
    bytes.extend(random.bytes(32));
    bytes.push(0);
    bytes.extend(random.bytes(32));
    super::encoding::base58_check(&bytes)
}
