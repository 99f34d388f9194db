//! Whether a value looks like a secret, or like what people write in place of one.
//!
//! Names say what a value is for, not whether it is there: `password = get_password()`,
//! `"token": "identifier"` and `API_KEY=<your-key>` are ordinary code. So a value is asked whether it
//! stands for another one, whether it is made of words, and whether a machine could have made it.
//! Where this is in doubt about a password, it is one; where it is in doubt about a token, a machine
//! would have made something longer.

use super::joined_words;
use super::secret_name::SecretName;
use super::secret_rule::ValueStrictness;
use super::stand_in::{
    is_contract, is_named, is_no_stand_in, is_pattern, is_placeholder, is_word_for_password,
    names_a_secret,
};

/// Words of messages about passwords, in small letters: passphrases have none of them.
#[rustfmt::skip]
const MESSAGES: &[&str] = &[
    "are", "be", "blank", "can", "can't", "cannot", "characters", "click", "do", "does", "doesn't",
    "don't", "enter", "failed", "forgot", "has", "have", "if", "incorrect", "invalid", "is",
    "isn't", "key", "least", "login", "log", "match", "mismatch", "missing", "must", "not",
    "please", "required", "should", "sign", "that", "this", "too", "use", "using", "was", "will",
    "wrong", "you", "your", "value", "field", "error", "expected", "optional", "default", "set",
    "string", "user", "sent", "when", "which", "new", "old", "current", "confirm", "change",
    "reset", "hidden", "text", "no", "token", "same", "again", "traffic", "type", "via", "mode",
];

/// Those of them that a passphrase of so many words may have as well, as in `all your base belong to us`.
const OF_SENTENCES: &[&str] = &[
    "are", "be", "can", "do", "does", "has", "have", "if", "is", "no", "not", "old", "new", "that",
    "this", "was", "will", "you", "your", "when", "which", "key", "again",
];

/// Words that texts for people have and passphrases do not, in small letters.
#[rustfmt::skip]
pub(super) const SAID: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "can", "cannot", "de", "der", "do",
    "does", "el", "enter", "for", "from", "has", "have", "if", "in", "incorrect", "invalid", "is",
    "it", "key", "la", "le", "log", "login", "missing", "must", "new", "no", "not", "of", "old",
    "on", "or", "please", "required", "should", "sign", "that", "the", "this", "to", "use", "using",
    "was", "will", "with", "wrong", "you", "your",
];

/// Whether it is made of words and small numbers, as names, paths and versions are.
pub(super) fn is_name(value: &str) -> bool {
    /// How many digits a number in a name has at the most.
    const MOST_DIGITS: usize = 4;
    /// How many letters of a name without a gap there are at the most.
    const MOST_LETTERS: usize = 40;
    let mut parts = value.split(|c: char| !c.is_alphanumeric());
    !is_jumble(value)
        && parts.all(|part| {
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

/// Whether it changes between small and capital letters more often than paths of names do, which are as long.
fn is_jumble(value: &str) -> bool {
    /// Shorter ones have too few changes to tell.
    const LEAST: usize = 24;
    let rises = value
        .as_bytes()
        .windows(2)
        .filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    value.len() >= LEAST && rises.count() * 5 > letters
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
pub(super) enum ValuePlace {
    /// In quotes, and given to exactly that name.
    Given,
    /// In quotes, as an entry with that name: texts for people are written like this as well.
    Entry,
    /// In quotes, beside that name.
    Beside,
    /// Encoded, so that people cannot read it.
    Encoded,
    /// Without quotes, as the value of a line of data.
    Data,
    /// Without quotes, where a program or a file takes it literally.
    Literal,
    /// Without quotes, where it may be code.
    Code,
    /// In quotes that are not closed, since the text is cut off.
    CutOff,
}

/// Whether a literal that is given to a name is a secret.
pub(super) fn is_given(
    value: &str,
    name: &SecretName<'_>,
    strictness: ValueStrictness,
    setting: ValuePlace,
) -> bool {
    let is_believed = is_believed(name, strictness, setting);
    // A value that is called a secret so plainly may be as short and as plain as a password.
    let strictness = if is_believed {
        ValueStrictness::Password
    } else {
        strictness
    };
    if is_believed && is_strong(value) && !is_pattern(value) {
        return true;
    }
    let is_label = setting == ValuePlace::Entry && is_word_for_password(value);
    let is_address = strictness == ValueStrictness::Random && is_contract(value);
    let stands_for_another =
        name.is_spelled_by(value) || is_pattern(value) || is_label || is_address;
    !value.is_empty()
        && !stands_for_another
        && (is_secret(value, strictness, setting)
            || joined_words::are_secret(value, name, strictness, setting)
            || is_believed && is_no_stand_in(value, setting))
}

/// Whether a value without quotes that is given to a name is a secret.
pub(super) fn is_bare(
    value: &str,
    name: &SecretName<'_>,
    strictness: ValueStrictness,
    setting: ValuePlace,
) -> bool {
    if setting == ValuePlace::Encoded {
        return true;
    }
    let is_believed = is_believed(name, strictness, setting);
    if is_believed && setting != ValuePlace::Code && is_strong(value) {
        return true;
    }
    // Without quotes, what has no digit is a name.
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let has_mark = value.contains(['!', '$', '^', '~', '#', '%', '+', '=']);
    let is_constant = setting == ValuePlace::Data && name.is_constant();
    let is_phrase = setting == ValuePlace::Data && value.contains(' ');
    let is_enough = has_digit || has_mark || is_constant || is_phrase || !is_name(value);
    let of_words = match setting {
        ValuePlace::Literal => ValuePlace::Literal,
        ValuePlace::Data | ValuePlace::Code => setting,
        _ => ValuePlace::Beside,
    };
    is_enough && is_secret(value, strictness, setting)
        || joined_words::are_secret(value, name, strictness, of_words)
        || is_believed && is_no_stand_in(value, setting)
}

/// Whether whatever is given to a name there is a secret, unless it stands for one. A mere `secret` is the
/// name of one in a cluster as well, where entries stand.
fn is_believed(name: &SecretName<'_>, strictness: ValueStrictness, setting: ValuePlace) -> bool {
    let is_mere = name.literal.eq_ignore_ascii_case("secret")
        && name.before.is_empty()
        && name.behind.is_empty();
    let is_given = setting == ValuePlace::Given || name.is_constant() || name.is_of_login;
    name.is_believed(strictness) && (!is_mere || is_given)
}

/// Whether a machine made it for people to type: long, of letters, digits and signs, and no code.
fn is_strong(value: &str) -> bool {
    const LEAST: usize = 8;
    const LEAST_KINDS: usize = 3;
    let has = |is_kind: fn(&u8) -> bool| usize::from(value.as_bytes().iter().any(is_kind));
    let kinds = has(u8::is_ascii_lowercase)
        + has(u8::is_ascii_uppercase)
        + has(u8::is_ascii_digit)
        + has(u8::is_ascii_punctuation);
    let is_plain = !value.chars().any(|c| c.is_whitespace() || c.is_control());
    // A call, a path of names, a template, an address.
    let head = value.split(['(', '[', '{', '<']).next().unwrap_or_default();
    let is_call =
        head.len() < value.len() && is_name(head) && value.ends_with([')', ']', '}', '>', ';'])
            || value.contains("()");
    // The signs that a label ends with do not make it a password.
    let inside = value.trim_end_matches([':', '?', '!', '.', '*']);
    let signs = inside.bytes().filter(u8::is_ascii_punctuation).count();
    let is_joint = |byte: u8| byte.is_ascii_alphanumeric() || b"._-/:".contains(&byte);
    let inside = inside.trim_end_matches([',', ';', ')']);
    let is_words = is_name(value) && (signs == 0 || inside.bytes().all(is_joint));
    let is_template = [
        ("${", "}"),
        ("{{", "}}"),
        ("$(", ")"),
        ("#{", "}"),
        ("%(", ")s"),
        ("<", ">"),
        ("[redacted-", "]"),
    ]
    .iter()
    .any(|(open, close)| {
        value
            .to_ascii_lowercase()
            .find(open)
            .is_some_and(|at| value.get(at..).is_some_and(|rest| rest.contains(close)))
    });
    is_plain
        && value.len() >= LEAST
        && kinds >= LEAST_KINDS
        && signs > 0
        && !is_call
        && !is_words
        && !is_template
        && !value.contains("://")
        && !is_placeholder(value)
}

/// Whether a value is a secret. What costs least is asked first.
pub(super) fn is_secret(value: &str, strictness: ValueStrictness, setting: ValuePlace) -> bool {
    if value.len() < 4 {
        return false;
    }
    if value.chars().any(char::is_whitespace) {
        let is_one = strictness == ValueStrictness::Password && is_passphrase(value, setting);
        return is_one && !is_placeholder(value);
    }
    let is_piece = || setting == ValuePlace::CutOff && value.len() >= 6 && !is_small_word(value);
    let is_believed = match strictness {
        ValueStrictness::Random => is_random(value, setting),
        ValueStrictness::Password => is_password(value, setting) || is_random(value, setting),
    };
    (is_believed || is_piece()) && !value.contains("://") && !is_placeholder(value)
}

/// Whether words are a passphrase rather than a text for people.
fn is_passphrase(value: &str, setting: ValuePlace) -> bool {
    /// How many words a passphrase has at the least where texts for people stand as well.
    const LEAST_OF_ENTRY: usize = 3;
    /// How many words are taken for a passphrase although each begins with a capital letter.
    const LEAST_OF_TITLE: usize = 4;
    /// More than these are a text.
    const MOST: usize = 12;
    let is_cut_off = setting == ValuePlace::CutOff;
    let value = if is_cut_off {
        value.trim_end_matches([' ', '.', '…'])
    } else {
        value
    };
    let count = value.split(' ').count();
    let is_enough = match setting {
        ValuePlace::Given | ValuePlace::CutOff => count >= 2,
        ValuePlace::Entry | ValuePlace::Data => count >= LEAST_OF_ENTRY && value.is_ascii(),
        _ => false,
    };
    let is_capital = |word: &&str| word.starts_with(char::is_uppercase);
    let capitals = value.split(' ').filter(is_capital).count();
    let is_title = capitals == count && count >= LEAST_OF_TITLE;
    // Written as a sentence is.
    let is_unsaid = || {
        count > LEAST_OF_TITLE
            && !value
                .split(' ')
                .any(|word| SAID.contains(&word.to_ascii_lowercase().as_str()))
    };
    let is_begun = capitals == 1
        && count >= LEAST_OF_TITLE
        && value.starts_with(char::is_uppercase)
        && (setting == ValuePlace::Given || is_unsaid());
    let is_inside = |c: char| c.is_alphanumeric() || matches!(c, '-' | '\'' | '!');
    // A message begins with a capital letter more often than not, and a short one says little else.
    let is_long = count >= LEAST_OF_TITLE && capitals == 0;
    let is_word = |word: &str| {
        let small = word.to_ascii_lowercase();
        let is_said = MESSAGES.contains(&small.as_str())
            && !(is_long && OF_SENTENCES.contains(&small.as_str()));
        word.chars().all(is_inside) && !is_said
    };
    is_enough
        && count <= MOST
        && (capitals == 0 || is_title || is_begun)
        && value.split(' ').all(is_word)
        && (!value.ends_with('!') || setting == ValuePlace::Given)
        && !names_a_secret(value)
}

fn is_small_word(value: &str) -> bool {
    value
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'-' | b' '))
}

/// Whether a machine could have made it.
fn is_random(value: &str, setting: ValuePlace) -> bool {
    let least = if setting == ValuePlace::Code { 16 } else { 8 };
    let looks_like_code = || value.contains(['(', '[', '{', ')', '\\']) || value.contains("::");
    let is_code = || setting == ValuePlace::Code && (looks_like_code() || switches(value) < 4);
    let is_numeric = || {
        let is_word = value.len() <= "0x0123456789abcdef".len();
        value.bytes().all(|b| !b.is_ascii_alphabetic()) || value.starts_with("0x") && is_word
    };
    let is_constant = || {
        setting == ValuePlace::Code
            && value.contains('_')
            && value
                .bytes()
                .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
    };
    let is_made = || !is_name(value) || is_hex(value);
    value.len() >= least
        && has_variety(value)
        && !is_code()
        && !is_constant()
        && is_made()
        && !is_numeric()
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
fn is_password(value: &str, setting: ValuePlace) -> bool {
    /// As people make them up when they must.
    const MARKS: &[char] = &['!', '@', '$', '%', '^', '&', '*', '?', '~', '#', '+', '='];
    let is_given = matches!(setting, ValuePlace::Given | ValuePlace::Entry);
    if is_named(value) {
        return false;
    }
    let least = if is_given { 5 } else { 6 };
    if setting == ValuePlace::Code || value.len() < least {
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
    // `Banana.1982` is none.
    let is_capital = value.starts_with(|c: char| c.is_ascii_uppercase());
    let is_dotted = || {
        value.contains('.')
            && is_name(value)
            && !(is_capital && has_digit)
            && !is_numbered_pair(value)
    };
    let is_path = || value.starts_with('-') || value.contains('/') || is_dotted();
    let is_named = || !has_digit && names_a_secret(value) && is_name(value);
    (is_odd || is_plain_password(value, setting)) && !is_path() && !is_named()
}

/// Whether it is two words with a dot between them and a number of two digits or more, as in `anna.berg73`.
fn is_numbered_pair(value: &str) -> bool {
    let letters = value.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_word = |word: &str| {
        (3..=12).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    let mut words = letters.split('.');
    value.len() >= letters.len() + 2 && letters.matches('.').count() == 1 && words.all(is_word)
}

/// Whether it is a word or a number such as people take for a password.
fn is_plain_password(value: &str, setting: ValuePlace) -> bool {
    const LENGTHS: std::ops::RangeInclusive<usize> = 6..=20;
    let all = |is_kind: fn(char) -> bool| value.chars().all(is_kind);
    // A value that is written like a word is one, where texts for people stand.
    let is_word = match setting {
        ValuePlace::Given => all(char::is_alphabetic) && !is_camel_case(value),
        ValuePlace::Entry => all(|c| c.is_ascii_lowercase()) || all(|c| c.is_ascii_uppercase()),
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
    let is_token = || is_secret(part, ValueStrictness::Random, ValuePlace::Literal);
    let is_piece = || is_cut_off && part.bytes().any(|byte| !byte.is_ascii_lowercase());
    if is_placeholder(part) {
        return false;
    }
    (is_basic() && is_name_and_password(part)) || is_token() || is_piece()
}

/// Whether it is base64 of a name, a colon and a password.
pub(super) fn is_name_and_password(encoded: &str) -> bool {
    let decoded = decoded(encoded);
    let is_readable = decoded
        .iter()
        .all(|byte| byte.is_ascii_graphic() || *byte == b' ');
    is_readable && decoded.contains(&b':')
}

/// Decodes base64, as far as it is base64: groups of four characters.
pub(super) fn decoded(encoded: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    };
    let digits: Vec<u32> = encoded.bytes().map_while(digit).map(u32::from).collect();
    let fours = digits.chunks_exact(4).flat_map(|four| {
        let bits = four.iter().fold(0, |bits, digit| bits << 6 | digit);
        [bits >> 16, bits >> 8, bits].map(|byte| (byte & 0xff) as u8)
    });
    fours.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ValuePlace::{Code, Entry, Given, Literal};
    use ValueStrictness::{Password, Random};

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
