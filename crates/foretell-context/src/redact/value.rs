//! Whether a value looks like a secret, or like what people write in place of one.
//!
//! Names say what a value is for, not whether it is there: `password = get_password()`,
//! `"token": "identifier"` and `API_KEY=<your-key>` are ordinary code. So a value is asked whether it
//! stands for another one, whether it is made of words, and whether a machine could have made it.
//! Where this is in doubt about a password, it is one; where it is in doubt about a token, a machine
//! would have made something longer.

use super::rules::Strictness;

/// What people write in place of a secret, in small letters: anywhere in it.
const STAND_INS: &[&str] = &[
    "your",
    "changeme",
    "change_me",
    "change-me",
    "replace",
    "placeholder",
    "redacted",
    "dummy",
    "insert",
    "example",
    "sample",
    "enter_",
    "xxxx",
    "****",
    "....",
    "todo",
    "fixme",
    "not_set",
    "notset",
    "undefined",
    "<",
    "{{",
    "${",
    "#{",
    "$(",
    "%(",
    "%s",
    "&lt;",
    "[redacted-",
    "__",
    "my_",
    "my-",
    "test_token",
    "testtoken",
    "fake",
];

/// What people write in place of a secret, in small letters: all of it.
const WORDS: &[&str] = &[
    "string",
    "str",
    "required",
    "optional",
    "text",
    "hidden",
    "input",
    "boolean",
    "number",
    "object",
    "null",
    "none",
    "true",
    "false",
    "varchar",
    "default",
    "plain",
    "prompt",
    "basic",
    "bearer",
    "visible",
    "invalid",
    "missing",
    "incorrect",
    "wrong",
    "empty",
    "valid",
    "login",
    "logout",
    "email",
    "username",
    "keyring",
    "keychain",
    "public",
    "private",
    "manual",
    "static",
    "random",
    "ignore",
    "ignored",
    "disabled",
    "enabled",
    "current",
    "confirm",
    "forgot",
    "reset",
    "update",
    "change",
    "create",
    "delete",
    "remove",
    "credentials",
    "credential",
    "confirmation",
    "question",
    "answer",
    "unknown",
    "nullable",
    "interactive",
    "environment",
    "stdin",
    "never",
    "always",
    "kennwort",
    "contrasena",
    "wachtwoord",
    "senha",
    "utf8",
    "base64",
    "sha256",
    "sha512",
    "sha1",
    "md5",
    "ed25519",
    "x25519",
    "secp256k1",
    "hs256",
    "rs256",
    "es256",
    "oauth2",
    "int32",
    "int64",
    "uint8",
    "uint32",
    "uint64",
    "float32",
    "float64",
    "argon2",
    "bcrypt",
    "pbkdf2",
    "password",
    "passwd",
    "pass",
    "pwd",
    "secret",
    "token",
    "key",
    "postgres",
    "mysql",
    "guest",
    "aes256",
    "u8",
    "u16",
    "u32",
    "u64",
    "i32",
    "i64",
    "usize",
    "a1b2c3",
];

/// Parts of words that only a name for a secret has.
const NAMES: &[&str] = &[
    "pass", "pwd", "secret", "token", "apikey", "api_key", "user",
];

/// Whether it stands for a value that is elsewhere.
pub(super) fn is_placeholder(value: &str) -> bool {
    let small = value.to_ascii_lowercase();
    let stands_in = || STAND_INS.iter().any(|part| small.contains(part));
    let is_word = || WORDS.contains(&small.as_str());
    let is_dull = || {
        let mut chars = small.chars();
        let first = chars.next();
        chars.all(|c| Some(c) == first)
    };
    is_reference(value) || is_dull() || is_word() || stands_in()
}

/// Whether it is `$name`, `%name%`, `{name}`, `@name`, `:name`, `#name`, `&name`, `*name` or `env:name`.
fn is_reference(value: &str) -> bool {
    let is_name = |name: &str| {
        let is_inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
        let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        starts && name.chars().all(is_inside)
    };
    let bare = value.trim_start_matches(['$', '@', ':', '#', '&', '*', '%', '.', '-', '!']);
    if bare.len() < value.len() {
        let bare = bare.trim_end_matches('%');
        let has_digits = bare.bytes().any(|byte| byte.is_ascii_digit());
        return is_name(bare) && (!has_digits || value.starts_with('$'));
    }
    let inside = |open, close| {
        let inside = value.strip_prefix(open)?;
        inside.strip_suffix(close)
    };
    inside('{', '}').or(inside('<', '>')).is_some() || value.starts_with("env:")
}

/// Whether it is made of words and small numbers, as names, paths and versions are.
pub(super) fn is_name(value: &str) -> bool {
    /// How many digits a number in a name has at the most.
    const MOST_DIGITS: usize = 4;
    /// How many letters of a name without a gap there are at the most.
    const MOST_LETTERS: usize = 40;
    let mut parts = value.split(|c: char| !c.is_alphanumeric());
    parts.all(|part| {
        let is_digit = |c: char| c.is_ascii_digit();
        let mut letters = part.split(is_digit).filter(|run| !run.is_empty());
        let runs = letters.clone().count();
        let is_word = |run: &str| (2..=MOST_LETTERS).contains(&run.len()) && !is_jumbled(run);
        // One letter and a number is a name too, as in `v2`.
        let are_words = match runs {
            0 => true,
            1 => letters.all(|run| run.len() == 1 || is_word(run)),
            2 => letters.all(is_word),
            _ => false,
        };
        let digits = part.split(|c: char| !is_digit(c));
        are_words && digits.max_by_key(|run| run.len()).unwrap_or_default().len() <= MOST_DIGITS
    })
}

/// Whether letters change between small and capital ones more often than names do.
fn is_jumbled(letters: &str) -> bool {
    /// Shorter ones have too few changes to tell.
    const LEAST: usize = 8;
    let bytes = letters.as_bytes();
    let rises = bytes
        .windows(2)
        .filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
        .count();
    let drops = bytes
        .windows(3)
        .filter(|three| {
            three[..2].iter().all(u8::is_ascii_uppercase) && three[2].is_ascii_lowercase()
        })
        .count();
    letters.len() >= LEAST && (rises + drops) * 4 > letters.len()
}

/// How much is known of where a value stands.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Setting {
    /// In quotes, and given to exactly that name.
    Given,
    /// In quotes, beside that name.
    Beside,
    /// Without quotes, where a program or a file takes it literally.
    Literal,
    /// Without quotes, where it may be code.
    Code,
    /// In quotes that are not closed, since the text is cut off.
    CutOff,
}

/// Whether a value is a secret.
pub(super) fn is_secret(value: &str, strictness: Strictness, setting: Setting) -> bool {
    let has_blank = value.chars().any(char::is_whitespace);
    if has_blank || value.len() < 4 || is_placeholder(value) || value.contains("://") {
        return false;
    }
    if setting == Setting::CutOff && value.len() >= 6 && !is_small_word(value) {
        return true;
    }
    match strictness {
        Strictness::Random => is_random(value, setting),
        Strictness::Password => is_random(value, setting) || is_password(value, setting),
    }
}

fn is_small_word(value: &str) -> bool {
    value
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'-' | b' '))
}

/// Whether a machine could have made it.
fn is_random(value: &str, setting: Setting) -> bool {
    let least = if setting == Setting::Code { 16 } else { 8 };
    let looks_like_code = value.contains(['(', '[', '{', ')', '\\']) || value.contains("::");
    let different = {
        let mut bytes = value.as_bytes().to_vec();
        bytes.sort_unstable();
        bytes.dedup();
        bytes.len()
    };
    let is_code = setting == Setting::Code && (looks_like_code || switches(value) < 4);
    let is_numeric = || {
        let is_word = value.len() <= "0x0123456789abcdef".len();
        value.bytes().all(|b| !b.is_ascii_alphabetic()) || value.starts_with("0x") && is_word
    };
    value.len() >= least && different >= 5 && !is_code && !is_name(value) && !is_numeric()
}

/// How often letters and digits take turns: names in code have few digits, all in one place.
fn switches(value: &str) -> usize {
    let bytes = value.as_bytes().windows(2);
    let is_switch = |pair: &&[u8]| pair[0].is_ascii_digit() != pair[1].is_ascii_digit();
    bytes.filter(is_switch).count()
}

/// Whether a person could have made it up as a password.
fn is_password(value: &str, setting: Setting) -> bool {
    /// As people make them up when they must.
    const MARKS: &[char] = &['!', '@', '$', '%', '^', '&', '*', '?', '~', '#', '+', '='];
    let small = value.to_ascii_lowercase();
    let is_call = value.contains(['(', '[', '{', '|', '\\', ',']) || value.contains("::");
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let has_letter = value.bytes().any(|byte| byte.is_ascii_alphabetic());
    let is_sentence = value.ends_with(['?', ':', '.', '!']) && !has_digit;
    let has_mark = value.contains(MARKS) && !is_sentence;
    let is_path =
        value.starts_with('-') || value.contains('/') || value.contains('.') && is_name(value);
    let is_named = NAMES.iter().any(|name| small.contains(name)) && is_name(value);
    let least = if setting == Setting::Given { 5 } else { 6 };
    let is_odd = has_letter && (has_digit || has_mark) || has_digit && has_mark;
    let plain = || is_plain_password(value) && setting == Setting::Given;
    match setting {
        Setting::Code => false,
        _ if is_call && setting != Setting::Given => false,
        _ => value.len() >= least && !is_path && !is_named && (is_odd || plain()),
    }
}

/// Whether it is a word such as people take for a password.
fn is_plain_password(value: &str) -> bool {
    let is_word = value.bytes().all(|byte| byte.is_ascii_lowercase());
    is_word && (6..=20).contains(&value.len())
}

/// Whether what follows the name of a scheme is what it lets in by.
pub(super) fn is_authorization(part: &str, rest: &str) -> bool {
    let is_basic = || {
        let scheme = rest.split(part).next().unwrap_or_default();
        scheme.to_ascii_lowercase().contains("basic")
    };
    let is_cut_off = rest.len() <= rest.find(part).unwrap_or_default() + part.len() + 2;
    let is_token = || is_secret(part, Strictness::Random, Setting::Literal);
    let is_piece = || is_cut_off && part.bytes().any(|byte| !byte.is_ascii_lowercase());
    if is_placeholder(part) {
        return false;
    }
    (is_basic() && is_name_and_password(part)) || is_token() || is_piece()
}

/// Whether it is base64 of a name, a colon and a password.
fn is_name_and_password(encoded: &str) -> bool {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<u32> = encoded.bytes().map_while(digit).map(u32::from).collect();
    let decoded: Vec<u8> = digits
        .chunks_exact(4)
        .flat_map(|four| {
            let bits = four.iter().fold(0, |bits, digit| bits << 6 | digit);
            [bits >> 16, bits >> 8, bits].map(|byte| (byte & 0xff) as u8)
        })
        .collect();
    let is_readable = decoded
        .iter()
        .all(|byte| byte.is_ascii_graphic() || *byte == b' ');
    is_readable && decoded.contains(&b':')
}

#[cfg(test)]
mod tests {
    use super::*;
    use Setting::{Code, Given, Literal};
    use Strictness::{Password, Random};

    #[test]
    fn what_stands_for_a_value_is_none() {
        for value in [
            "$PASSWORD",
            "${PASSWORD}",
            "%PASSWORD%",
            "<your-key>",
            "{{ secret }}",
            "changeme",
            "xxxxxxxxxxxx",
            "********",
            "password",
            "env:DB_PASSWORD",
            ":password",
            "@password",
            "{password}",
            "[REDACTED-1]",
            "#password-field",
            "None",
            "your_api_key_here_123",
        ] {
            assert!(!is_secret(value, Password, Given), "{value}");
        }
    }

    #[test]
    fn passwords_are_what_people_make_up() {
        for value in [
            "hunter2",
            "P@ssw0rd!",
            "letmein",
            "s3cr3t",
            "Tr0ub4dor&3",
            "aVeryL0ngOne",
        ] {
            assert!(is_secret(value, Password, Given), "{value}");
        }
        for value in [
            "Password",
            "string",
            "user.password",
            "Enter password",
            "Password:",
            "abc",
        ] {
            assert!(!is_secret(value, Password, Given), "{value}");
        }
    }

    #[test]
    fn tokens_look_random() {
        for value in [
            "a8f5f167f44f4964",
            "wJalrXUtnFEMIK7MDENGbPxRfiCY",
            "0b5f-99aa-4e21",
        ] {
            assert!(is_secret(value, Random, Given), "{value}");
        }
        for value in [
            "identifier",
            "comment.line",
            "utf8",
            "level-3",
            "GetTokenFor2Users",
            "1.2.3",
        ] {
            assert!(!is_secret(value, Random, Given), "{value}");
        }
    }

    #[test]
    fn code_is_no_value() {
        for value in [
            "get_password()",
            "String",
            "u64",
            "self.token2",
            "Vec<u8>",
            "x25519",
        ] {
            assert!(!is_secret(value, Password, Code), "{value}");
        }
        assert!(is_secret("hunter2", Password, Literal));
    }

    #[test]
    fn a_name_and_a_password_in_base64_are_known() {
        assert!(is_name_and_password("dXNlcjpwYXNz"));
        assert!(!is_name_and_password("authentication"));
    }
}
