//! Secrets that nothing names, and secrets that are encoded.
//!
//! Hexadecimal digits are kinds of their own among the first: nobody can tell them from a digest by
//! themselves, and what is not caught there is no surprise.

use super::encoding::{base64, base64_url, hex, percent};
use super::random::SeededRandom;
use super::secret_shape::{BEGIN, END};

/// Unnamed strings of 32 letters and more: kind, shape.
pub(super) const UNNAMED: &[(&str, &str)] = &[
    ("base62 of 32", "[w]{32}"),
    ("base62 of 36", "[w]{36}"),
    ("base62 of 40", "[w]{40}"),
    ("base62 of 48", "[w]{48}"),
    ("base62 of 64", "[w]{64}"),
    ("base64 of 32 bytes", "[b]{43}="),
    ("base64 of 48 bytes", "[b]{64}"),
    ("base64 of 64 bytes", "[b]{86}=="),
    ("base64 of 24 bytes", "[b]{32}"),
    ("base64 of 30 bytes", "[b]{40}"),
    ("base64url of 32 bytes", "[s]{43}"),
    ("base64url of 36", "[s]{36}"),
    ("base64url of 64", "[s]{64}"),
    ("lower case and digits of 40", "[L]{40}"),
    ("lower case and digits of 32", "[L]{32}"),
    ("upper case and digits of 40", "[U]{40}"),
    ("base32 of 32", "[2]{32}"),
    ("base58 of 44", "[5]{44}"),
    ("prefixed base62", "acme_[w]{40}"),
    ("prefixed live key", "acme-live-[s]{43}"),
    ("dotted pair", "[s]{22}.[s]{43}"),
    ("number and base62", "[d]{9}:[w]{35}"),
    (
        "with punctuation of 32",
        "[=abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789!@#%^*_+~-]{32}",
    ),
];

/// Hexadecimal digits that nothing names.
pub(super) const UNNAMED_HEX: &[(&str, &str)] = &[
    ("hex of 32", "[x]{32}"),
    ("hex of 40", "[x]{40}"),
    ("hex of 64", "[x]{64}"),
    ("upper case hex of 64", "[X]{64}"),
];

/// How a secret is encoded: kind, language, and what makes a line of it.
pub(super) type EncodedKind = (&'static str, &'static str, fn(&mut SeededRandom) -> String);

#[rustfmt::skip]
pub(super) const ENCODED: &[EncodedKind] = &[
    ("base64 of user and password in a header", "http", |random| {
        format!("Authorization: Basic {}\n", hidden(&base64(pair(random).as_bytes())))
    }),
    ("base64 of user and password in code", "javascript", |random| {
        format!("const auth = \"{}\";\n", hidden(&base64(pair(random).as_bytes())))
    }),
    ("base64 of user and password for docker", "json", |random| {
        format!("{{\"auths\": {{\"registry.example.com\": {{\"auth\": \"{}\"}}}}}}\n", hidden(&base64(pair(random).as_bytes())))
    }),
    ("base64 of user and password for npm", "ini", |random| {
        format!("//npm.example.com/:_auth={}\n", hidden(&base64(pair(random).as_bytes())))
    }),
    ("kubernetes secret data", "kubernetes", |random| {
        format!("apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  password: {}\n", hidden(&base64(strong(random).as_bytes())))
    }),
    ("kubernetes secret data without a telling name", "kubernetes", |random| {
        format!("kind: Secret\nmetadata:\n  name: web\ntype: Opaque\ndata:\n  web.conf: {}\n", hidden(&base64(strong(random).as_bytes())))
    }),
    ("base64 of a configuration with a secret", "env", |random| {
        let inside = format!("{{\"user\":\"deploy\",\"password\":\"{}\"}}", strong(random));
        format!("CONFIG_B64={}\n", hidden(&base64(inside.as_bytes())))
    }),
    ("base64 of a token", "python", |random| {
        let token = format!("gh{}_{}", "p", random.letters(WORD, 36));
        format!("data = base64.b64decode(\"{}\")\n", hidden(&base64(token.as_bytes())))
    }),
    ("base64url of a configuration", "typescript", |random| {
        let inside = format!("{{\"client_secret\":\"{}\"}}", strong(random));
        format!("const state = \"{}\";\n", hidden(&base64_url(inside.as_bytes())))
    }),
    ("hex of a password", "go", |random| {
        format!("\tpassword, _ := hex.DecodeString(\"{}\")\n", hidden(&hex(strong(random).as_bytes())))
    }),
    ("hex of a token", "python", |random| {
        let token = format!("sk_{}_{}", "live", random.letters(WORD, 24));
        format!("raw = bytes.fromhex(\"{}\")\n", hidden(&hex(token.as_bytes())))
    }),
    ("percent-encoded in an address", "env", |random| {
        format!("DATABASE_URL=postgres://deploy:{}@db1/app\n", hidden(&percent(&odd(random))))
    }),
    ("percent-encoded in a query", "javascript", |random| {
        format!("fetch(\"https://api.example.com/v1?password={}&x=1\");\n", hidden(&percent(&odd(random))))
    }),
    ("hexadecimal escapes", "python", |random| {
        let escaped: String = strong(random).bytes().map(|byte| format!("\\x{byte:02x}")).collect();
        format!("password = \"{}\"\n", hidden(&escaped))
    }),
    ("unicode escapes", "javascript", |random| {
        let escaped: String = strong(random).bytes().map(|byte| format!("\\u{byte:04x}")).collect();
        format!("const apiKey = \"{}\";\n", hidden(&escaped))
    }),
    ("octal escapes", "c", |random| {
        let escaped: String = strong(random).bytes().map(|byte| format!("\\{byte:03o}")).collect();
        format!("static const char password[] = \"{}\";\n", hidden(&escaped))
    }),
    ("token with one escaped letter", "javascript", |random| {
        let escaped = format!("gh\\u0070_{}", random.letters(WORD, 36));
        format!("const githubToken = \"{}\";\n", hidden(&escaped))
    }),
    ("entities", "xml", |random| {
        let escaped: String = strong(random).bytes().map(|byte| format!("&#{byte};")).collect();
        format!("  <password>{}</password>\n", hidden(&escaped))
    }),
    ("quoted printable", "log", |random| {
        format!("Your password=3D{} is valid for one day=\n", hidden(&strong(random)))
    }),
    ("bytes in an array", "rust", |random| {
        let bytes: Vec<_> = random.bytes(32).iter().map(|byte| format!("0x{byte:02x}")).collect();
        format!("const SECRET_KEY: [u8; 32] = [{}];\n", hidden(&bytes.join(", ")))
    }),
    ("decimal bytes in an array", "json", |random| {
        let bytes: Vec<_> = random.bytes(64).iter().map(ToString::to_string).collect();
        format!("  \"secretKey\": [{}],\n", hidden(&bytes.join(",")))
    }),
    ("base64 of a key file", "yaml", |random| {
        let bytes = random.bytes(300);
        format!("  keystore: {}\n", hidden(&base64(&bytes)))
    }),
    ("base64 in wrapped lines", "yaml", |random| {
        let all = base64(&random.bytes(480));
        let lines: Vec<_> = all.as_bytes().chunks(64).map(|line| hidden(&String::from_utf8_lossy(line))).collect();
        format!("  keystore: |\n    {}\n", lines.join("\n    "))
    }),
    ("data address of a secret", "html", |random| {
        let inside = format!("{{\"token\":\"{}\"}}", strong(random));
        format!("<a href=\"data:application/json;base64,{}\">settings</a>\n", hidden(&base64(inside.as_bytes())))
    }),
];

pub(super) const WORD: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

pub(super) fn hidden(text: &str) -> String {
    format!("{BEGIN}{text}{END}")
}

pub(super) fn strong(random: &mut SeededRandom) -> String {
    let count = random.between(16, 28);
    random.letters(WORD, count)
}

pub(super) fn pair(random: &mut SeededRandom) -> String {
    format!("deploy:{}", strong(random))
}

/// A password with letters that an address cannot have.
fn odd(random: &mut SeededRandom) -> String {
    format!(
        "{}@{}/{}#1",
        random.letters(WORD, 5),
        random.letters(WORD, 5),
        random.letters(WORD, 5)
    )
}
