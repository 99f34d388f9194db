//! Whether words that are joined to each other are a secret, as in `password = "blue-monkey"`.
//!
//! It is apart from `secret_value` because words tell less than what a machine made: classes of a page, keys
//! of texts, columns, commands and services are called by words with hyphens and underscores between
//! them as well. So more is asked of the name, which must end with what calls it a secret and may not
//! speak of something that is done with one, and of every single word: none may name a secret, say
//! that this stands for one, or belong to a page or a text for people.
//!
//! Absent on purpose: single words, which `secret_value` judges; words with dots or slashes between them,
//! which are paths, files and keys; and names that end with a mere `pass`, which compilers and
//! renderers have many of. It never looks at more than a bounded length.
//!
//! The rates alone do not need it (1 of 5,550 planted named secrets is caught only here, at no mark in 2 million
//! lines): it is here for `correct-horse-battery-staple`, which the generator plants too seldom to count.

use super::secret_name::SecretName;
use super::secret_rule::ValueStrictness;
use super::secret_value::{SAID, ValuePlace};
use super::stand_in::is_said;

/// How long joined words are, in bytes.
const LENGTHS: std::ops::RangeInclusive<usize> = 7..=96;
/// How many words a password has at the least where it is given to its name.
const LEAST_GIVEN: usize = 2;
/// How many words there are at the least where less is known of where they stand, or where a machine
/// would have made something else.
const LEAST_IN_DOUBT: usize = 3;
/// How many words there are at the least where a text for people would stand as well.
const LEAST_WITH_BLANKS: usize = 4;
/// More words than these are a text.
const MOST: usize = 12;
/// A word of fewer letters is part of a name, as in `x-api-version`.
const LEAST_LETTERS: usize = 3;

/// Words that call a value a secret, but are given words of other things too often, in small letters.
const NOT_CALLED: &[&str] = &["pass", "credential", "key-data"];

/// Words that a secret is called by where services are set up, in small letters: no person made up a
/// token of them.
#[rustfmt::skip]
const OF_SERVICES: &[&str] = &[
    "api", "app", "cert", "cluster", "dev", "prod", "production", "server", "service", "ssl",
    "staging", "tls",
];

/// Parts of words that only the name of a secret has, in small letters. The shorter ones of `secret_words` are
/// parts of other words too: there is a `key` in `monkey`.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "password", "passwd", "passphrase", "passcode", "pwd", "secret", "token", "apikey",
    "credential", "username",
];

/// Whether joined words are a secret. What costs least is asked first.
pub(super) fn are_secret(
    value: &str,
    called: &SecretName<'_>,
    strictness: ValueStrictness,
    setting: ValuePlace,
) -> bool {
    // A text that is cut off ends with these.
    let value = value.trim_end_matches(['.', '…']);
    if !LENGTHS.contains(&value.len()) {
        return false;
    }
    let joint = value.chars().find(|c| !c.is_alphanumeric());
    let least = joint.and_then(|joint| least_words(joint, strictness, setting));
    let (Some(joint), Some(least)) = (joint, least) else {
        return false;
    };
    // The last word may be cut off.
    let may_end_early = matches!(
        setting,
        ValuePlace::Literal | ValuePlace::Data | ValuePlace::CutOff
    );
    let last = value.split(joint).count() - 1;
    let are_words = || {
        let mut words = value.split(joint).enumerate();
        words.all(|(at, word)| is_word(word) || at == last && may_end_early && is_piece(word))
    };
    let is_constant = || joint == '_' && !value.chars().any(char::is_lowercase);
    let is_enough = || {
        let is_begun = |word: &str| word.is_empty() && may_end_early;
        let counts = |word: &&str| word.chars().any(char::is_alphabetic) || is_begun(word);
        value.split(joint).filter(counts).count() >= least
    };
    last < MOST
        && are_words()
        && is_enough()
        && !is_constant()
        && called.is_of_secret()
        && (!called.literal.eq_ignore_ascii_case("key")
            || called.words().last().is_some_and(|last| last == "api"))
        && (called.is_of_login
            || !NOT_CALLED.contains(&called.literal.to_ascii_lowercase().as_str()))
        && !repeats(value.split(joint), called, strictness)
}

/// How many words with this between them are a secret there, if they can be one.
fn least_words(joint: char, strictness: ValueStrictness, setting: ValuePlace) -> Option<usize> {
    use ValuePlace::{Beside, CutOff, Data, Entry, Given, Literal};
    use ValueStrictness::{Password, Random};
    match (strictness, setting, joint) {
        (Password, Given | Entry | CutOff, '-' | '_') => Some(LEAST_GIVEN),
        // Without quotes, underscores join the words of a variable.
        (Password, Literal | Data, '-') => Some(LEAST_GIVEN),
        (Password, Beside, '-') => Some(LEAST_IN_DOUBT),
        // An entry that is called a token or a secret has the name of one more often than the thing:
        // a colour of a theme, a secret of a cluster.
        (Random, Given | CutOff, '-') => Some(LEAST_IN_DOUBT),
        (Random, Given | CutOff, ' ') => Some(LEAST_WITH_BLANKS),
        _ => None,
    }
}

/// Whether it may be a word of a secret, written as words are, with a number behind it or not.
fn is_word(word: &str) -> bool {
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_number = letters.is_empty() && !word.is_empty();
    let all = |is_kind: fn(char) -> bool| letters.chars().all(is_kind);
    // Where capital and small letters take turns, it is the name of a type or of a variable.
    let is_even = letters.chars().skip(1).all(char::is_lowercase) || all(char::is_uppercase);
    let is_long_enough = letters.chars().count() >= LEAST_LETTERS;
    let is_of_letters = is_long_enough && is_even && all(char::is_alphabetic);
    is_number || is_of_letters && is_silent(&letters.to_lowercase())
}

/// Whether it may be the beginning of a word, or of none yet.
fn is_piece(word: &str) -> bool {
    word.chars().all(char::is_alphanumeric) && is_silent(&word.to_lowercase())
}

/// Whether a word in small letters says nothing of what it is for.
fn is_silent(word: &str) -> bool {
    !is_said(word)
        && !SAID.contains(&word)
        && (!word.ends_with("pass") || word == "compass")
        && !NAMES.iter().any(|name| word.contains(name))
}

/// Whether a value only says what it is called. A token has no word of that, a password at least one
/// that is not.
fn repeats<'v>(
    mut words: impl Iterator<Item = &'v str>,
    called: &SecretName<'_>,
    strictness: ValueStrictness,
) -> bool {
    let name: Vec<_> = called.words().collect();
    let is_of_name = |word: &str| name.contains(&word.to_lowercase());
    let is_of_service = |word: &str| OF_SERVICES.contains(&word.to_lowercase().as_str());
    match strictness {
        ValueStrictness::Random => words.any(|word| is_of_name(word) || is_of_service(word)),
        ValueStrictness::Password => words.all(is_of_name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ValuePlace::{Beside, Code, CutOff, Entry, Given, Literal};
    use ValueStrictness::{Password, Random};

    fn called<'t>(before: &'t str, literal: &'t str) -> SecretName<'t> {
        SecretName {
            before,
            literal,
            ..SecretName::PASSWORD
        }
    }

    fn is_password(value: &str, setting: ValuePlace) -> bool {
        are_secret(value, &SecretName::PASSWORD, Password, setting)
    }

    #[test]
    fn two_joined_words_are_a_password_where_they_are_given() {
        for value in [
            "blue-monkey",
            "blue_monkey",
            "Blue-Monkey",
            "BLUE-MONKEY",
            "correct-horse-battery-staple",
            "grünes-haus",
            "monkey-7-tree",
        ] {
            assert!(is_password(value, Given), "{value}");
            assert!(is_password(value, Entry), "{value}");
        }
        assert!(is_password("correct-hor", CutOff));
        assert!(is_password("correct-", CutOff));
        assert!(is_password("correct-horse", Literal));
        assert!(is_password("correct-horse...", Literal));
        assert!(is_password("correct-horse-battery", Beside));
        assert!(!is_password("correct-horse", Beside));
        assert!(!is_password("correct_horse_battery", Literal));
        assert!(!is_password("correct-horse-battery", Code));
    }

    #[test]
    fn words_that_say_what_they_are_for_are_no_secret() {
        for value in [
            "current-password",
            "forgot-password",
            "access-token",
            "your-password-here",
            "change-me",
            "example-value",
            "test-pass",
            "main-dbpass",
            "admin-key",
            "DB_MAIN",
            "form-control",
            "lock-closed-outline",
            "not-empty",
            "up-to-date",
            "x-amz-date",
            "camelCase-name",
            "case-sensitive",
            "2024-01-02",
            "-unknown",
            "blue--monkey",
            "blue-monkey/tree",
            "blue-monkey.txt",
            "monkey",
            "",
        ] {
            assert!(!is_password(value, Given), "{value}");
        }
        assert!(!is_password(&"blue-".repeat(40), CutOff));
    }

    #[test]
    fn a_token_of_words_has_three_of_them() {
        let is_token = |before, value| are_secret(value, &called(before, "token"), Random, Given);
        assert!(is_token("", "correct-horse-battery"));
        assert!(is_token("", "correct horse battery staple"));
        assert!(!is_token("", "generic-lib"));
        assert!(!is_token("", "send_initial_metadata"));
        assert!(!is_token("SEND_INITIAL_", "send-initial-metadata"));
        assert!(!is_token("", "prod-east-main"));
        assert!(!is_token("", "Term operand"));
        let entry = are_secret("blue-sky-night", &called("", "token"), Random, Entry);
        assert!(!entry);
    }

    #[test]
    fn the_name_must_be_one_of_a_secret_and_of_nothing_else() {
        let is_given = |called: SecretName<'_>| are_secret("blue-monkey", &called, Password, Given);
        assert!(is_given(called("db_", "password")));
        assert!(is_given(called("db", "Password")));
        assert!(is_given(called("", "PASSWD")));
        for (before, literal) in [
            ("forgot_", "password"),
            ("showIcon", "Password"),
            ("reset-", "password"),
            ("render_", "pass"),
        ] {
            assert!(!is_given(called(before, literal)), "{before}{literal}");
        }
        let numbered = SecretName {
            behind: "_2",
            ..SecretName::PASSWORD
        };
        assert!(is_given(numbered));
        let other = SecretName {
            behind: "_rules",
            ..SecretName::PASSWORD
        };
        assert!(!is_given(other));
    }
}
