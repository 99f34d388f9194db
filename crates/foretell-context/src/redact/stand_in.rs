//! Stand-ins: the values that people write in place of a secret.
//!
//! `${PASSWORD}`, `<your-key>`, `changeme`, the name of a variable, of a file or of the field itself: names say
//! what a value is for, not whether it is there. It is apart from `secret_value` because it says what is *no* secret,
//! and is mostly a table.

use super::secret_value::{ValuePlace, is_name};
use super::secret_words::password_words;

/// Openers of the name of a value that a program puts in: wherever one stands, there is no secret yet.
const TEMPLATES: &[&str] = &["{{", "${", "#{", "$(", "%(", "&lt;", "[redacted-"];

/// Parts of what people write in place of a secret, in small letters: anywhere in it, if the rest of it is
/// made of words. A random text has each of them now and then.
#[rustfmt::skip]
const STAND_INS: &[&str] = &[
    "your", "changeme", "change_me", "change-me", "replace", "placeholder", "redacted", "dummy",
    "insert", "example", "sample", "enter_", "xxxx", "****", "....", "todo", "fixme", "not_set",
    "notset", "undefined", "%s", "test_token", "testtoken", "fake",
];

/// Words that people write in place of a secret, in small letters: all of it. A password may be made of
/// such a word and others. Of the words for a password only the most common are here: whoever chooses
/// `nenosiri` has chosen a password.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "string", "str", "required", "optional", "text", "hidden", "input", "boolean", "number",
    "object", "null", "none", "true", "false", "varchar", "default", "plain", "prompt", "basic",
    "bearer", "visible", "invalid", "missing", "incorrect", "wrong", "empty", "valid", "login",
    "logout", "email", "username", "keyring", "keychain", "public", "private", "manual", "static",
    "random", "ignore", "ignored", "disabled", "enabled", "current", "confirm", "forgot", "reset",
    "update", "change", "create", "delete", "remove", "confirmation", "question", "answer",
    "unknown", "nullable", "interactive", "environment", "stdin", "never", "always",
    "palavra-passe", "utf8", "base64", "sha256", "sha512", "sha1", "md5", "ed25519", "x25519",
    "secp256k1", "hs256", "rs256", "es256", "oauth2", "int32", "int64", "uint8", "uint32", "uint64",
    "float32", "float64", "argon2", "bcrypt", "pbkdf2", "token", "key", "postgres", "mysql",
    "guest", "aes256", "u8", "u16", "u32", "u64", "i32", "i64", "usize", "a1b2c3", "utf-8",
    "utf-16", "latin1", "latin-1", "scram-sha-256", "sha256_crypt", "sha512_crypt", "md5_crypt",
    "pbkdf2_sha256", "pass", "passwd", "password", "pwd", "secret", "credential", "credentials",
    "adgangskode", "clave", "contrasena", "contrasenya", "geslo", "haslo", "heslo", "jelszo",
    "kennwort", "losenord", "lozinka", "parola", "parool", "passord", "passwort", "salasana", "senha",
    "sifre", "wachtwoord",
];

/// Words that say of joined words that they are no password, wherever one of them stands, in small letters:
/// `test-me` stands in for a password, `auth-header` says what one is for, and `btn-outline` styles a page.
#[rustfmt::skip]
const PART_WORDS: &[&str] = &[
    "any", "bar", "baz", "change", "changed", "changeme", "default", "demo", "dummy", "example",
    "fake", "foo", "here", "insert", "mock", "none", "null", "optional", "placeholder", "redacted",
    "replace", "sample", "some", "test", "testing", "tests", "todo", "undefined", "unset", "value",
    "xxx", "xxxx", "auth", "base64", "based", "bearer", "config", "confirm", "confirmation", "cred",
    "creds", "current", "database", "encoded", "encrypted", "env", "error", "expired", "file",
    "forgot", "generated", "grant", "hash", "hashed", "header", "hidden", "insensitive", "key",
    "keys", "length", "name", "oauth", "only", "pass", "plain", "plaintext", "prompt", "protected",
    "reset", "sensitive", "sha", "type", "update", "user", "users", "variable", "verify", "border",
    "btn", "button", "character", "color", "container", "control", "eye", "field", "font", "form",
    "group", "icon", "input", "label", "lock", "modal", "outline", "page", "screen", "shield",
    "string", "tag", "text", "unexpected", "view",
];

/// How many words a sentence has.
const LEAST_OF_SENTENCE: usize = 5;

/// Parts of words that only a name for a secret has, or that of the person it belongs to: a value with one
/// of them says what it is. It is shorter than `secret_words`, of which most are whole words that a value may
/// have by chance.
const NAMES: &[&str] = &[
    "pass", "pwd", "secret", "token", "apikey", "api_key", "user",
];

/// Whether it stands for a value that is elsewhere.
pub(super) fn is_placeholder(value: &str) -> bool {
    let mut chars = value.chars();
    let first = chars.next();
    if chars.all(|c| Some(c) == first) || is_reference(value) {
        return true;
    }
    let mut small = value.to_ascii_lowercase();
    // In as many words, `your` asks for nothing: `all your base belong to us`.
    if small.contains(" your ") && small.split(' ').count() >= LEAST_OF_SENTENCE {
        small = small.replace(" your ", " ");
    }
    WORDS.contains(&small.as_str()) || TEMPLATES.iter().any(|part| small.contains(part)) || {
        let value = if small.len() == value.len() {
            value
        } else {
            &small
        };
        STAND_INS.iter().any(|part| stands_in(value, &small, part))
    }
}

/// Whether a part of a value says that all of it stands for another one. `small` is the value in
/// small letters.
fn stands_in(value: &str, small: &str, part: &str) -> bool {
    /// Signs that people put into passwords and not between words.
    const MARKS: &[char] = &['!', '@', '$', '^', '&', '~', '#', '+', '='];
    let mut at = 0;
    let mut is_there = false;
    for (start, part) in small.match_indices(part) {
        // `your` is no part of `Yourself`, and `fake` none of `fakedragon`.
        let goes_on = |c: char| c.is_ascii_lowercase();
        let behind = value.get(start + part.len()..).unwrap_or_default();
        if part.ends_with(goes_on)
            && part != "xxxx"
            && behind.starts_with(goes_on)
            && !STAND_INS.iter().any(|other| {
                small
                    .get(start..)
                    .is_some_and(|rest| other.len() > part.len() && rest.starts_with(other))
            })
        {
            let word = small.get(start..).unwrap_or_default();
            let word = word
                .split(|c: char| !c.is_ascii_alphabetic())
                .next()
                .unwrap_or_default();
            let rest = word.get(part.len()..).unwrap_or_default();
            // Words that are written together, as in `yourpassword`.
            if !names_a_secret(rest)
                && ![
                    "d", "s", "me", "here", "key", "text", "value", "name", "app", "api", "data",
                    "id",
                ]
                .contains(&rest)
                && !rest.starts_with("key")
                && !rest.starts_with("api")
            {
                return false;
            }
        }
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
    // `[username[:password]@]`, as usage texts have it.
    let optional = value.trim_matches(['[', ']', '(', ')']);
    if optional.len() < value.len() && is_variable(optional) && names_a_secret(optional) {
        return true;
    }
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
    // Where a secret is kept, and not the secret.
    let is_kept = ["env:", "arn:", "vault:", "secretsmanager:", "ssm:"]
        .iter()
        .any(|place| value.starts_with(place));
    is_blank_form.is_some() || is_kept
}

/// Whether a name with digits is one that people give to variables: `PASSWORD2`, `db_pass_1`,
/// `dbPassword1`, and not `Winter2024`.
fn is_numbered(name: &str) -> bool {
    let has = |is_kind: fn(&u8) -> bool| name.as_bytes().iter().any(is_kind);
    let is_mixed = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    is_name(name) && (!is_mixed || name.contains('_') || names_a_secret(name))
}

/// Whether a word in it is one that names of secrets have.
pub(super) fn names_a_secret(value: &str) -> bool {
    /// Words that have one of them by chance, in small letters.
    const OTHERS: &[&str] = &["compass", "passion", "passenger", "passage", "passport"];
    let mut small = value.to_ascii_lowercase();
    if small.contains("pass") {
        for other in OTHERS {
            small = small.replace(other, "");
        }
    }
    NAMES.iter().any(|name| small.contains(name))
}

/// Whether a word in small letters is written in place of a secret, or belongs to what is around one.
pub(super) fn is_said(word: &str) -> bool {
    PART_WORDS.contains(&word)
}

/// Whether it is what a password is called, in any of the languages that are known: a label has that.
pub(super) fn is_word_for_password(value: &str) -> bool {
    /// Words that are too much like others to be looked for, in small letters.
    const OTHERS: &[&str] = &[
        "pasfhocal",
        "wachtwurd",
        "palavra-passe",
        "parole",
        "facal-faire",
        "pasword",
        "kennung",
    ];
    let small = value.to_lowercase();
    OTHERS.contains(&small.as_str()) || password_words().any(|word| word == small)
}

/// Whether it is a regular expression, or a format.
pub(super) fn is_pattern(value: &str) -> bool {
    let is_time = value.len() >= 10
        && value.contains('-')
        && value
            .bytes()
            .all(|b| b.is_ascii_digit() || b"-:.TZ+".contains(&b));
    if is_time || value.starts_with("data:") || value.starts_with('+') && value.ends_with(')') {
        return true;
    }
    const SIGNS: &[&str] = &[
        "[^", "(?", "\\d", "\\w", "\\s", "\\x", "[a-z", "[A-Z", "[0-9", ".*", "{0}", "%d", "{}",
    ];
    SIGNS.iter().any(|sign| value.contains(sign))
}

/// Whether it is the address of a contract: what a token of a chain is called by.
pub(super) fn is_contract(value: &str) -> bool {
    let digits = value.strip_prefix("0x");
    digits.is_some_and(|digits| digits.len() == 40 && digits.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// Whether nothing says that a value which a believed name is given stands for another one: what people
/// take for a password is a word more often than not.
pub(super) fn is_no_stand_in(value: &str, setting: ValuePlace) -> bool {
    const LENGTHS: std::ops::RangeInclusive<usize> = 4..=128;
    let is_of_texts = matches!(setting, ValuePlace::Entry | ValuePlace::Data);
    if !matches!(
        setting,
        ValuePlace::Given | ValuePlace::Entry | ValuePlace::Data
    ) || !LENGTHS.contains(&value.chars().count())
        || value.chars().any(|c| c.is_whitespace() || c.is_control())
        || value.contains("://")
        || is_placeholder(value)
    {
        return false;
    }
    let small = value.to_lowercase();
    let is_constant = value.contains('_') && !value.chars().any(char::is_lowercase);
    let is_number = value.starts_with("0x");
    let is_file =
        value.starts_with(['/', '.', '~', '-']) || FILES.iter().any(|end| small.ends_with(end));
    let is_code = value.contains(['(', ')', '{', '}', '<', '>', '[', ']', '|', ',', ';'])
        || value.contains("::")
        || value.ends_with(':');
    let parts = small.split(|c: char| !c.is_alphanumeric());
    let has_said = parts.clone().any(is_said) || is_said(&small);
    let has_digit = value.chars().any(|c| c.is_ascii_digit());
    // A value that is written like a label is one, where labels stand.
    let is_label = is_of_texts && !has_digit && !value.is_ascii();
    let is_path = !has_digit
        && value.contains(['.', '/'])
        && is_name(value)
        && !value.split('.').all(is_title)
        && !is_pair_of_words(value);
    !is_constant
        && !is_number
        && !is_file
        && !is_code
        && !has_said
        && !is_label
        && !is_path
        && !is_named(value)
}

/// Ends of the names of files.
const FILES: &[&str] = &[
    ".txt", ".pem", ".key", ".json", ".html", ".xml", ".yml", ".yaml", ".php", ".js", ".ts", ".py",
    ".md", ".svg", ".png", ".vue",
];

/// Whether it is two words with a dot between them, as in `violet.sky`, and no part of a program or an address.
fn is_pair_of_words(value: &str) -> bool {
    /// Ends of addresses and beginnings of keys, in small letters.
    const OTHERS: &[&str] = &[
        "com", "org", "net", "dev", "app", "local", "www", "self", "this", "env", "config", "auth",
        "form", "error", "errors", "login", "label", "field", "data", "props", "params",
        "settings", "account", "common", "page", "text", "title", "type", "input", "request",
        "response", "args", "options", "state", "process", "value", "name", "vault", "spring",
        "server", "client", "body", "new", "old", "current", "confirm", "reset", "repeat",
        "invalid", "required", "message",
    ];
    let is_word = |word: &str| {
        (3..=12).contains(&word.len())
            && word.bytes().all(|byte| byte.is_ascii_lowercase())
            && !OTHERS.contains(&word)
            && !names_a_secret(word)
    };
    value
        .split_once('.')
        .is_some_and(|(one, other)| is_word(one) && is_word(other))
}

/// Whether it is a word of which only the first letter is a capital.
fn is_title(value: &str) -> bool {
    let mut chars = value.chars();
    chars.next().is_some_and(char::is_uppercase) && chars.all(|c| c.is_lowercase())
}

/// Whether it says what it is: `password1`, `db_secret`, `myNewToken`.
pub(super) fn is_named(value: &str) -> bool {
    let letters = value.trim_end_matches(|c: char| c.is_ascii_digit());
    if value.len() - letters.len() > 1 || !names_a_secret(letters) {
        return false;
    }
    let parts = super::secret_name::words(letters);
    let is_naming = |word: &String| names_a_secret(word) || CALLING.contains(&word.as_str());
    parts.iter().all(is_naming)
}

/// Words that names of secrets have beside the one that calls them so, in small letters.
#[rustfmt::skip]
const CALLING: &[&str] = &[
    "my", "the", "your", "new", "old", "db", "admin", "test", "app", "api", "root", "main",
    "default", "some", "super", "a", "value", "here", "client", "access", "auth", "key", "keys",
    "current", "confirm", "repeat", "reset", "forgot", "field", "input", "form", "hash", "invalid",
    "valid", "name", "id", "session", "refresh", "csrf", "bearer", "x", "word", "code", "login",
    "change", "update", "credentials", "credential", "bad", "wrong", "empty", "no", "use", "with",
    "without", "type", "show", "hide", "enter", "set", "get", "is", "has", "encrypted", "required",
    "example", "sample", "dummy", "fake", "mysql", "postgres", "redis", "one", "time", "shared",
    "private", "public", "based", "grant",
];
