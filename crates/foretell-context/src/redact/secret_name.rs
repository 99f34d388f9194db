//! Names: whether one calls its value a secret.
//!
//! A name is found by a word in it that secrets are called by. That is not enough: `tokenizer` is no
//! token, `password_field` is not a password but something about one, and a lexer's `next_token` has no
//! secret. This reads the whole name around the word, and says whether it is the name of a secret, and
//! how sure that is. It is apart from `assignment` because it looks at the name alone, and from `secret_value`
//! because it never looks at the value.

use std::ops::Range;

use super::secret_finder::floor;
use super::secret_rule::ValueStrictness;
use super::secret_words::is_english;
use super::service_rules::SERVICE_NAMES;

/// How far before its word a name and its line are looked at.
const LONGEST_HEAD: usize = 120;
/// How much of a name there is behind its word at the most.
const LONGEST_BEHIND: usize = 40;
/// A word of as many letters is no part of another word by chance.
const LEAST_TELLING: usize = 6;

/// Words that are joined to a short word without a gap, in small letters: `dbpass`, `PGPASSWORD`.
const JOINED: &[&str] = &[
    "admin", "api", "app", "auth", "db", "dbs", "dom", "ftp", "imap", "jwt", "key", "ldap",
    "login", "mail", "mongo", "my", "mysql", "new", "old", "pg", "redis", "require", "root", "sa",
    "smtp", "sql", "ssh", "store", "sudo", "svc", "sys", "test", "the", "user", "usr", "vpn",
    "web", "wifi",
];

/// Words behind the word of a secret that make it a name of something about one, in small letters.
#[rustfmt::skip]
const ABOUT: &[&str] = &[
    "name", "names", "count", "len", "length", "type", "types", "kind", "field", "fields", "url",
    "uri", "endpoint", "path", "file", "files", "filename", "dir", "hint", "label", "placeholder",
    "prefix", "suffix", "regex", "pattern", "policy", "format", "header", "headers", "param",
    "params", "input", "error", "errors", "message", "msg", "text", "title", "description",
    "expiry", "expires", "expiration", "ttl", "timeout", "index", "idx", "pos", "span", "stream",
    "tree", "trees", "limit", "max", "min", "size", "version", "class", "provider", "manager",
    "service", "store", "source", "ref", "selector", "button", "form", "valid", "validator",
    "required", "enabled", "at", "time", "date", "issuer", "audience", "scope", "alg", "algorithm",
    "hash", "digest", "checksum", "arn", "address", "contract", "symbol", "test", "tests",
    "example", "set", "list", "map", "for", "with", "from", "to", "is", "has", "usage", "strength",
    "rules", "icon", "column", "attr", "attribute", "property", "option", "flag", "arg", "env",
    "var", "variable", "id", "ids", "authentication", "handler", "callback", "hasher", "encoder",
    "util", "utils", "cmd", "command", "mode", "state", "status", "change", "changed", "reset",
    "confirm", "help", "info", "locator", "xpath", "element", "style", "css",
];

/// Words behind the word of a secret that leave it one, in small letters.
#[rustfmt::skip]
const NEUTRAL: &[&str] = &[
    "salt", "or", "key", "confirmation", "value", "string", "str", "default", "plain", "plaintext",
    "raw", "old", "new", "prod", "production", "dev", "staging", "live", "main", "primary",
    "secondary", "backup", "local", "v1", "v2", "b64", "base64", "encoded", "again", "repeat",
    "acceso", "admin", "root", "db", "base", "master",
];

/// Words before `pass` that make it one of a compiler, a renderer or a test, in small letters.
#[rustfmt::skip]
const OF_PASSES: &[&str] = &[
    "render", "shader", "first", "second", "third", "opt", "optimization", "llvm", "compile",
    "compiler", "function", "module", "loop", "analysis", "lower", "lowering", "transform", "gpu",
    "compute", "depth", "shadow", "color", "base", "pre", "post", "single", "multi", "one", "two",
    "next", "last", "current", "final", "by", "all", "sub", "high", "low", "band", "boarding", "no",
    "tests", "should", "must", "can", "will", "did", "this", "each", "main", "initial", "codegen",
    "ir", "pipeline", "frame", "light", "geometry", "effect", "frontend", "backend", "expected",
    "result", "status", "default", "new", "old", "is", "the", "a", "sky", "draw", "bloom", "blur",
    "copy", "clear", "query", "validation", "error", "type",
];

/// Words before `key` that make it one which lets somebody in, in small letters.
#[rustfmt::skip]
const OF_KEYS: &[&str] = &[
    "access", "account", "admin", "aes", "api", "apikey", "app", "application", "auth", "bot",
    "browser", "cipher", "client", "consumer", "cookie", "crypto", "decryption", "deploy",
    "deployment", "dev", "developer", "encrypt", "encryption", "environment", "function", "hmac",
    "ingest", "insert", "instrumentation", "integration", "jwt", "licence", "license", "live",
    "management", "master", "merchant", "org", "organization", "pass", "personal", "private",
    "preshared", "prod", "production", "project", "proxy", "read", "recovery", "relay", "root",
    "sdk", "secret", "security", "send", "server", "service", "session", "shared", "sign",
    "signing", "smtp", "ssh", "staging", "storage", "subscription", "team", "user", "vault",
    "verification", "webhook", "write",
];

/// Words in a name that make it one of something that is done with a secret or is true of one, in small
/// letters.
#[rustfmt::skip]
const DONE: &[&str] = &[
    "remove", "delete", "clear", "generate", "hash", "compare", "match", "encrypt", "decrypt",
    "find", "describe", "bad", "change", "class", "confirm", "create", "design", "empty", "enter",
    "expired", "forgot", "forgotten", "get", "has", "hide", "icon", "icons", "incorrect", "invalid",
    "is", "label", "lost", "missing", "need", "needs", "no", "recover", "remember", "require",
    "requires", "reset", "set", "show", "style", "toggle", "update", "use", "verify", "weak",
    "with", "without", "wrong", "on", "if", "check", "validate", "type", "field", "input", "error",
    "errors",
];

/// A name in which a word calls its value a secret.
#[derive(Clone, Copy)]
pub(super) struct SecretName<'t> {
    /// The part of it before that word.
    pub(super) before: &'t str,
    /// The word.
    pub(super) literal: &'t str,
    /// The part of it behind the word.
    pub(super) behind: &'t str,
    /// Its line, up to the word.
    pub(super) head: &'t str,
    /// The character that the name follows directly.
    pub(super) joined: Option<char>,
    /// Whether somebody is named beside it, as in `login: …` and `secret: …`. Only asked where the word
    /// alone tells too little.
    pub(super) is_of_login: bool,
}

impl<'t> SecretName<'t> {
    /// The name of a value that stands where a password belongs.
    pub(super) const PASSWORD: SecretName<'static> = SecretName {
        before: "",
        literal: "password",
        behind: "",
        head: "",
        joined: None,
        is_of_login: false,
    };

    /// The name in which `span` is the word, if it is the name of a secret.
    pub(super) fn read(text: &'t str, span: &Range<usize>) -> Option<Self> {
        let literal = text.get(span.clone())?;
        let behind = behind(text, span.end);
        if !goes_on(literal, behind) {
            return None;
        }
        let start = floor(text, span.start.saturating_sub(LONGEST_HEAD));
        let head = text.get(start..span.start)?;
        let head = head.rsplit('\n').next().unwrap_or_default();
        let is_own = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '$');
        let outside = head.trim_end_matches(is_own);
        let name = SecretName {
            before: head.get(outside.len()..)?,
            literal,
            behind,
            head,
            joined: outside.chars().next_back(),
            is_of_login: false,
        };
        let is_key = literal.eq_ignore_ascii_case("key");
        let is_of_service = |word: &String| SERVICE_NAMES.binary_search(&word.as_str()).is_ok();
        let lets_in = || {
            let last = name.words().last();
            last.is_some_and(|word| OF_KEYS.contains(&word.as_str()))
                || name.words().any(|word| is_of_service(&word))
                || words(behind) == ["bytes"]
        };
        if is_key && !lets_in() || !name.begins_word() {
            return None;
        }
        let is_mere = name.before.is_empty()
            && behind.is_empty()
            && ["pass", "secret"].contains(&literal.to_ascii_lowercase().as_str());
        Some(SecretName {
            // `'#pass'` is the field of a page.
            is_of_login: is_mere && (name.joined == Some('#') || is_among_logins(text, span)),
            ..name
        })
    }

    /// Whether the word is one by itself, or the end of what people write together.
    fn begins_word(&self) -> bool {
        let Some(last) = self
            .before
            .chars()
            .next_back()
            .filter(|c| c.is_alphabetic())
        else {
            return true;
        };
        // There are no gaps in scripts that have none between words either.
        if !last.is_ascii() || !self.literal.is_ascii() {
            return true;
        }
        let first = self.literal.chars().next().unwrap_or_default();
        if !first.is_alphanumeric() || last.is_lowercase() && first.is_uppercase() {
            return true;
        }
        let letters = self
            .before
            .trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let joined = self.before.get(letters.len()..).unwrap_or_default();
        // In `dbUserpass` it is joined to `User`.
        let joined = joined
            .rfind(|c: char| c.is_ascii_uppercase())
            .filter(|_| !first.is_uppercase())
            .and_then(|at| joined.get(at..))
            .unwrap_or(joined);
        self.literal.len() >= LEAST_TELLING
            || JOINED.contains(&joined.to_ascii_lowercase().as_str())
            || self.literal.eq_ignore_ascii_case("token")
            || self.literal.eq_ignore_ascii_case("key")
    }

    /// Whether it begins with a capital letter.
    pub(super) fn is_capital(&self) -> bool {
        let mut name = self.before.chars().chain(self.literal.chars());
        name.next().is_some_and(char::is_uppercase)
    }

    /// Whether it has no small letter.
    pub(super) fn is_constant(&self) -> bool {
        // Of `Context.SECURITY_CREDENTIALS` the last part.
        let before = self.before.rsplit('.').next().unwrap_or_default();
        let bytes = before.bytes().chain(self.literal.bytes());
        bytes
            .chain(self.behind.bytes())
            .all(|byte| !byte.is_ascii_lowercase())
    }

    /// The words before the one that calls it a secret, in small letters.
    pub(super) fn words(&self) -> impl Iterator<Item = String> + use<> {
        words(self.before).into_iter()
    }

    /// Whether it is the name of a secret, and of nothing that is done with one.
    pub(super) fn is_of_secret(&self) -> bool {
        let is_neutral = |word: &String| {
            NEUTRAL.contains(&word.as_str())
                || word.bytes().all(|b| b.is_ascii_digit())
                || !word.is_ascii()
        };
        let is_last = words(self.behind).iter().all(is_neutral);
        // A server is told to ask for it.
        let is_asked_for = self.before.ends_with("--require");
        is_last && (is_asked_for || !self.words().any(|word| DONE.contains(&word.as_str())))
    }

    /// Whether any literal that is given to it is a secret, unless it stands for one. Names that lexers,
    /// compilers and clusters have as well are not believed as much.
    pub(super) fn is_believed(&self, strictness: ValueStrictness) -> bool {
        let word = self.literal.to_ascii_lowercase();
        let last = self.words().last();
        if !self.is_of_secret() {
            return false;
        }
        match strictness {
            // `pass` alone is a pass of a compiler.
            ValueStrictness::Password if word == "pass" => {
                self.is_constant()
                    || self.is_of_login
                    || last.is_some_and(|last| !OF_PASSES.contains(&last.as_str()))
            }
            ValueStrictness::Password => true,
            // A secret of a cluster is called by its name.
            ValueStrictness::Random if word == "secret" => last.is_none_or(|last| {
                ![
                    "the", "existing", "k8s", "kube", "tls", "pull", "image", "a", "my", "ca",
                ]
                .contains(&last.as_str())
            }),
            // `SECRET_KEY`.
            ValueStrictness::Random if word == "credentials" => {
                self.is_constant() && last.is_some_and(|last| last == "security")
            }
            ValueStrictness::Random if word == "key" => last.is_some_and(|last| last == "secret"),
            // Nothing else is called that.
            ValueStrictness::Random => [
                "salt", "pepper", "secret", "segret", "geheim", "tajn", "cookie",
            ]
            .iter()
            .any(|part| word.contains(part)),
        }
    }

    /// Whether a value is only the name again.
    pub(super) fn is_spelled_by(&self, value: &str) -> bool {
        let letters = |text: &str| {
            let letters = text.chars().filter(|c| c.is_alphanumeric());
            letters.flat_map(char::to_lowercase).collect::<String>()
        };
        let value = letters(value);
        !value.is_empty() && value == letters(&[self.before, self.literal, self.behind].concat())
    }
}

/// Whether the name of somebody or of a machine is given a value on the same line as a word, or on one of
/// the lines around it.
fn is_among_logins(text: &str, span: &Range<usize>) -> bool {
    const FARTHEST: usize = 120;
    const WORDS: &[&str] = &["user", "username", "login", "uid", "email", "ipaddr"];
    let start = floor(text, span.start.saturating_sub(FARTHEST));
    let end = floor(text, span.end.saturating_add(FARTHEST));
    let around = text.get(start..end).unwrap_or_default();
    WORDS.iter().any(|word| {
        around.match_indices(word).any(|(at, _)| {
            let behind = around.get(at + word.len()..).unwrap_or_default();
            let behind = behind
                .trim_start_matches(['"', '\''])
                .trim_start_matches(' ');
            let value = behind.strip_prefix([':', '=']).map(str::trim_start);
            // A type in place of a value is a declaration.
            value.is_some_and(|value| {
                !value.starts_with(['=', ':', '>']) && !value.starts_with("str")
            })
        })
    })
}

/// The words of a part of a name, in small letters.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for c in name.chars() {
        let is_gap = !c.is_alphanumeric();
        if is_gap || was_small && c.is_uppercase() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| !is_gap) {
            word.extend(c.to_lowercase());
        }
        was_small = c.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The part of a name behind its word.
fn behind(text: &str, start: usize) -> &str {
    let rest = text.get(start..).unwrap_or_default();
    let is_own = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let is_end = |(at, c): &(usize, char)| *at >= LONGEST_BEHIND || !is_own(*c);
    let end = rest.char_indices().find(is_end);
    let own = rest.get(..end.map_or(rest.len(), |(at, _)| at));
    // An arrow is none of it.
    own.unwrap_or_default().trim_end_matches('-')
}

/// Whether a name goes on behind its word in a way that leaves it the name of a secret.
fn goes_on(literal: &str, behind: &str) -> bool {
    // In `OPpASSIGN` there is no `pass`.
    let is_accident = |three: &[u8]| {
        three[0].is_ascii_lowercase() && three[1..].iter().all(u8::is_ascii_uppercase)
    };
    if literal.as_bytes().windows(3).any(is_accident) {
        return false;
    }
    let Some(first) = behind.chars().next() else {
        return true;
    };
    let small = literal.to_ascii_lowercase();
    let is_capital = !literal.chars().any(char::is_lowercase);
    // Words of other languages have endings.
    let is_ending = !is_english(&small)
        && words(behind)
            .first()
            .is_some_and(|word| word.chars().count() <= 3);
    let begins_word = match first {
        '_' | '-' | '0'..='9' => true,
        first => first.is_uppercase() && !is_capital || is_ending,
    };
    let spread = if is_capital {
        behind.to_ascii_lowercase()
    } else {
        behind.to_owned()
    };
    begins_word
        && !words(&spread)
            .iter()
            .any(|word| ABOUT.contains(&word.as_str()))
}
