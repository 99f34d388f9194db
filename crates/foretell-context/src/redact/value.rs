//! Whether a value looks like a secret, or like what people write in place of one.
//!
//! Names say what a value is for, not whether it is there: `password = get_password()`,
//! `"token": "identifier"` and `API_KEY=<your-key>` are ordinary code. So a value is asked whether it
//! stands for another one, whether it is made of words, and whether a machine could have made it.
//! Where this is in doubt about a password, it is one; where it is in doubt about a token, a machine
//! would have made something longer.

use super::rules::Strictness;

/// What opens the name of a value that a program puts in: wherever it stands, there is no secret yet.
const TEMPLATES: &[&str] = &["{{", "${", "#{", "$(", "%(", "&lt;", "[redacted-"];

/// What people write in place of a secret, in small letters: anywhere in it, if the rest of it is
/// made of words. A random text has each of them now and then.
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
    "%s",
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
    "utf-8",
    "utf-16",
    "latin1",
    "latin-1",
    "scram-sha-256",
];

/// Parts of words that only a name for a secret has.
const NAMES: &[&str] = &[
    "pass", "pwd", "secret", "token", "apikey", "api_key", "user",
];

/// Words that texts for people have and passphrases do not, in small letters.
pub(super) const SAID: &[&str] = &[
    "a",
    "an",
    "and",
    "are",
    "as",
    "at",
    "be",
    "but",
    "by",
    "can",
    "cannot",
    "de",
    "der",
    "do",
    "does",
    "el",
    "enter",
    "for",
    "from",
    "has",
    "have",
    "if",
    "in",
    "incorrect",
    "invalid",
    "is",
    "it",
    "key",
    "la",
    "le",
    "log",
    "login",
    "missing",
    "must",
    "new",
    "no",
    "not",
    "of",
    "old",
    "on",
    "or",
    "please",
    "required",
    "should",
    "sign",
    "that",
    "the",
    "this",
    "to",
    "use",
    "using",
    "was",
    "will",
    "with",
    "wrong",
    "you",
    "your",
];

/// Whether it stands for a value that is elsewhere.
pub(super) fn is_placeholder(value: &str) -> bool {
    let mut chars = value.chars();
    let first = chars.next();
    if chars.all(|c| Some(c) == first) || is_reference(value) {
        return true;
    }
    let small = value.to_ascii_lowercase();
    WORDS.contains(&small.as_str())
        || TEMPLATES.iter().any(|part| small.contains(part))
        || STAND_INS.iter().any(|part| stands_in(value, &small, part))
}

/// Whether a part of a value says that all of it stands for another one. `small` is the value in
/// small letters.
fn stands_in(value: &str, small: &str, part: &str) -> bool {
    /// What people put into passwords and not between words.
    const MARKS: &[char] = &['!', '@', '$', '^', '&', '~', '#', '+', '='];
    let mut at = 0;
    let mut is_there = false;
    for (start, part) in small.match_indices(part) {
        is_there = true;
        if !are_words(value.get(at..start).unwrap_or_default()) {
            return false;
        }
        at = start + part.len();
    }
    is_there && are_words(value.get(at..).unwrap_or_default()) && !value.contains(MARKS)
}

/// Whether it is made of words, each with a small number behind it at the most.
fn are_words(value: &str) -> bool {
    let mut parts = value.split(|c: char| !c.is_alphanumeric());
    let is_word = |part: &str| {
        let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
        letters.bytes().all(|byte| !byte.is_ascii_digit())
    };
    parts.all(is_word) && is_name(value)
}

/// Whether it is `$name`, `%name%`, `{name}`, `<name>`, `__name__`, `@name`, `:name`, `#name`, `&name`,
/// `*name` or `env:name`.
fn is_reference(value: &str) -> bool {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let starts = |name: &str| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let is_variable = |name: &str| starts(name) && name.chars().all(is_inside);
    let bare = value.trim_start_matches(['$', '@', ':', '#', '&', '*', '%', '.', '-', '!']);
    if bare.len() < value.len() {
        let bare = bare.trim_end_matches('%');
        let has_digits = bare.bytes().any(|byte| byte.is_ascii_digit());
        return is_variable(bare) && (!has_digits || value.starts_with('$') && is_numbered(bare));
    }
    let inside = |open, close| {
        let inside = value.strip_prefix(open)?;
        inside.strip_suffix(close)
    };
    let is_blank_form = inside("{", "}").or(inside("<", ">")).or(inside("__", "__"));
    is_blank_form.is_some() || value.starts_with("env:")
}

/// Whether a name with digits is one that people give to variables: `PASSWORD2`, `db_pass_1`,
/// `dbPassword1`, and not `Winter2024`.
fn is_numbered(name: &str) -> bool {
    let has = |is_kind: fn(&u8) -> bool| name.as_bytes().iter().any(is_kind);
    let is_mixed = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    is_name(name) && (!is_mixed || name.contains('_') || names_a_secret(name))
}

/// Whether a word in it is one that names of secrets have.
fn names_a_secret(value: &str) -> bool {
    let small = value.to_ascii_lowercase();
    NAMES.iter().any(|name| small.contains(name))
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
    /// In quotes, as an entry with that name: texts for people are written like this as well.
    Entry,
    /// In quotes, beside that name.
    Beside,
    /// Without quotes, where a program or a file takes it literally.
    Literal,
    /// Without quotes, where it may be code.
    Code,
    /// In quotes that are not closed, since the text is cut off.
    CutOff,
}

/// Whether a value is a secret. What costs least is asked first.
pub(super) fn is_secret(value: &str, strictness: Strictness, setting: Setting) -> bool {
    if value.len() < 4 {
        return false;
    }
    if value.chars().any(char::is_whitespace) {
        let is_one = strictness == Strictness::Password && is_passphrase(value, setting);
        return is_one && !is_placeholder(value);
    }
    let is_piece = || setting == Setting::CutOff && value.len() >= 6 && !is_small_word(value);
    let is_believed = match strictness {
        Strictness::Random => is_random(value, setting),
        Strictness::Password => is_password(value, setting) || is_random(value, setting),
    };
    (is_believed || is_piece()) && !value.contains("://") && !is_placeholder(value)
}

/// Whether words are a passphrase rather than a text for people.
fn is_passphrase(value: &str, setting: Setting) -> bool {
    /// How many words a passphrase has at the least where texts for people stand as well.
    const LEAST_OF_ENTRY: usize = 3;
    /// How many words are taken for a passphrase although each begins with a capital letter.
    const LEAST_OF_TITLE: usize = 4;
    /// More than these are a text.
    const MOST: usize = 12;
    let is_cut_off = setting == Setting::CutOff;
    let value = match is_cut_off {
        true => value.trim_end_matches([' ', '.', '…']),
        false => value,
    };
    let count = value.split(' ').count();
    let is_enough = match setting {
        Setting::Given | Setting::CutOff => count >= 2,
        Setting::Entry => count >= LEAST_OF_ENTRY && value.is_ascii(),
        _ => false,
    };
    let is_capital = |word: &&str| word.starts_with(char::is_uppercase);
    let capitals = value.split(' ').filter(is_capital).count();
    let is_title = capitals == count && count >= LEAST_OF_TITLE;
    let is_inside = |c: char| c.is_alphanumeric() || matches!(c, '-' | '\'' | '!');
    let is_word = |(index, word): (usize, &str)| {
        let is_whole = !is_cut_off || index + 1 < count;
        let is_long_enough = word.chars().count() > 2 || !is_whole;
        let is_said = || SAID.contains(&word.to_ascii_lowercase().as_str());
        is_long_enough && word.chars().all(is_inside) && !is_said()
    };
    is_enough
        && count <= MOST
        && (capitals == 0 || is_title)
        && value.split(' ').enumerate().all(is_word)
        && !value.ends_with('!')
        && !names_a_secret(value)
}

fn is_small_word(value: &str) -> bool {
    value
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'-' | b' '))
}

/// Whether a machine could have made it.
fn is_random(value: &str, setting: Setting) -> bool {
    let least = if setting == Setting::Code { 16 } else { 8 };
    let looks_like_code = || value.contains(['(', '[', '{', ')', '\\']) || value.contains("::");
    let is_code = || setting == Setting::Code && (looks_like_code() || switches(value) < 4);
    let is_numeric = || {
        let is_word = value.len() <= "0x0123456789abcdef".len();
        value.bytes().all(|b| !b.is_ascii_alphabetic()) || value.starts_with("0x") && is_word
    };
    let is_made = || !is_name(value) || is_hex(value);
    value.len() >= least && has_variety(value) && !is_code() && is_made() && !is_numeric()
}

/// Whether it is a number of a machine although it reads like words, as in `deadbeefcafebabe1234`.
fn is_hex(value: &str) -> bool {
    /// No word has as many letters of those alone.
    const LEAST: usize = 16;
    value.len() >= LEAST && value.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Whether it has more different characters than patterns and rulers have.
fn has_variety(value: &str) -> bool {
    const LEAST: usize = 5;
    let mut seen = Vec::with_capacity(LEAST);
    for byte in value.bytes() {
        if !seen.contains(&byte) {
            seen.push(byte);
        }
        if seen.len() == LEAST {
            return true;
        }
    }
    false
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
    let is_given = matches!(setting, Setting::Given | Setting::Entry);
    let least = if is_given { 5 } else { 6 };
    if setting == Setting::Code || value.len() < least {
        return false;
    }
    let is_call = || value.contains(['(', '[', '{', '|', '\\', ',']) || value.contains("::");
    if !is_given && is_call() {
        return false;
    }
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let has_letter = value.chars().any(char::is_alphabetic);
    let is_sentence = value.ends_with(['?', ':', '.', '!']) && !has_digit;
    let has_mark = value.contains(MARKS) && !is_sentence;
    let is_odd = has_letter && (has_digit || has_mark) || has_digit && has_mark;
    let is_path =
        || value.starts_with('-') || value.contains('/') || value.contains('.') && is_name(value);
    let is_named = || !has_digit && names_a_secret(value) && is_name(value);
    (is_odd || is_plain_password(value, setting)) && !is_path() && !is_named()
}

/// Whether it is a word or a number such as people take for a password.
fn is_plain_password(value: &str, setting: Setting) -> bool {
    const LENGTHS: std::ops::RangeInclusive<usize> = 6..=20;
    let all = |is_kind: fn(char) -> bool| value.chars().all(is_kind);
    // What is written like a word of a text for people is one, where such texts stand.
    let is_word = match setting {
        Setting::Given => all(char::is_alphabetic) && !is_camel_case(value),
        Setting::Entry => all(|c| c.is_ascii_lowercase()) || all(|c| c.is_ascii_uppercase()),
        _ => return false,
    };
    LENGTHS.contains(&value.chars().count()) && (is_word || all(|c| c.is_ascii_digit()))
}

/// Whether a capital letter follows a small one, as in the names of code.
fn is_camel_case(value: &str) -> bool {
    let next = value.chars().skip(1);
    let mut pairs = value.chars().zip(next);
    pairs.any(|(one, next)| one.is_lowercase() && next.is_uppercase())
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
    use Setting::{Code, Entry, Given, Literal};
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
            "Password123",
            "my_S3cr3tP4ss!",
            "p<4ss!9xQzz",
            "correct horse battery staple",
            "Correct Horse Battery Staple",
            "83749201",
            "LETMEINNOW",
            "Correcthorse",
            "contraseña",
            "пароль123",
            "$Winter2024",
        ] {
            assert!(is_secret(value, Password, Given), "{value}");
        }
        for value in [
            "Password",
            "string",
            "user.password",
            "Enter password",
            "Password:",
            "Enter it again",
            "the password of a user",
            "Sign In",
            "InvalidCredentials",
            "$dbPassword1",
            "12345",
            "abc",
        ] {
            assert!(!is_secret(value, Password, Given), "{value}");
        }
    }

    #[test]
    fn entries_may_be_texts_for_people() {
        for value in ["Contraseña", "Kennwort", "contraseña nueva", "New one"] {
            assert!(!is_secret(value, Password, Entry), "{value}");
        }
        for value in [
            "letmein",
            "hunter2",
            "LETMEIN",
            "correct horse battery staple",
        ] {
            assert!(is_secret(value, Password, Entry), "{value}");
        }
    }

    #[test]
    fn a_word_that_stands_in_does_so_among_words() {
        for value in ["your-api-key", "EXAMPLE_TOKEN_1", "sk-xxxxxxxxxxxx"] {
            assert!(is_placeholder(value), "{value}");
        }
        for value in [
            "Zk9-your-8fjQ2kd92kd0",
            "your!Dog#77",
            "q9T2fakeVx0LkE7pZ4s",
        ] {
            assert!(!is_placeholder(value), "{value}");
        }
    }

    #[test]
    fn tokens_look_random() {
        for value in [
            "a8f5f167f44f4964",
            "wJalrXUtnFEMIK7MDENGbPxRfiCY",
            "0b5f-99aa-4e21",
            "deadbeefcafebabe1234",
            "DEADBEEFCAFEBABE",
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
            "deadbeef",
            "aaaaaaaaaaaaaaaa",
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
