//! Values that are given to a name which calls them a secret.
//!
//! `password = "…"` is written in as many ways as there are languages: with a type between, as an
//! argument, as an entry of a map, as a flag, a header, a query, an element. This reads how the
//! value is joined to the name, where it begins and where it ends; whether it is a secret is
//! `value`'s to say. It is apart from the table because a pattern can say how such a value begins,
//! but not where it ends: that depends on what it began with.

use std::ops::Range;

use regex::{Captures, Regex};

use super::find::{ascii, floor};
use super::rules::Strictness;
use super::seam::is_cut;
use super::value::{Setting, is_name, is_secret};

/// How far a value is followed.
const LONGEST: usize = 16 * 1024;
/// How far before a name its line is looked at.
const LONGEST_HEAD: usize = 120;

/// From behind the literal up to the value. Written so that no part of it can match much.
const JOINT: &str = r##"(?x)^
    (?P<tail>[A-Za-z0-9_-]{0,40})
    (?P<close>\\?["'`]?[\])]?)
    (?P<gap>[\ \t]{0,30})
    (?:
        # A type, as in `token: &str = "…"`.
        (?P<typed>:[\ \t]{0,4}[A-Za-z0-9_&'<>\[\]?|.,:\ ]{1,40}=)
        (?P<typed_wrap>[\ \t]{0,8}(?:[A-Za-z_.:]{1,30}\()?[bBrRuUfF@]{0,2}\#{0,3})
        (?P<typed_open>\\?["'`])
      |
        (?P<sep>:=|=>|={1,3}|!={1,2}|\?=|\|\||\?\?|:|,|\(|>|value=)?
        (?P<space>\s{0,40})
        (?:
            (?P<wrap>(?:[A-Za-z_.:]{1,30}\(\s{0,8})?[bBrRuUfF@]{0,2}\#{0,3})
            (?P<open>\\?["'`])
          |
            (?P<bare>[^\s"'`<>,;()\[\]{}|&])
        )
    )"##;

/// The start of a line of a file that takes what follows literally, up to the name.
const HEAD: &str =
    r"(?i)^[+-]?[ \t]*(?:(?:export|set|setx|env|arg|-e|--env)[ \t]+|-[ \t]+|\$env:)?[a-z0-9_.-]*$";

/// Words behind a name that make it the name of something about a secret.
const ABOUT: &[&str] = &[
    "name",
    "names",
    "count",
    "len",
    "length",
    "type",
    "types",
    "kind",
    "field",
    "fields",
    "url",
    "uri",
    "endpoint",
    "path",
    "file",
    "files",
    "dir",
    "hint",
    "label",
    "placeholder",
    "prefix",
    "suffix",
    "regex",
    "pattern",
    "policy",
    "format",
    "header",
    "headers",
    "param",
    "params",
    "input",
    "error",
    "errors",
    "message",
    "msg",
    "text",
    "title",
    "description",
    "expiry",
    "expires",
    "expiration",
    "ttl",
    "timeout",
    "index",
    "idx",
    "pos",
    "span",
    "stream",
    "tree",
    "trees",
    "limit",
    "max",
    "min",
    "size",
    "version",
    "class",
    "provider",
    "manager",
    "service",
    "store",
    "source",
    "ref",
    "selector",
    "button",
    "form",
    "valid",
    "required",
    "enabled",
    "at",
    "time",
    "date",
    "issuer",
    "audience",
    "scope",
    "alg",
    "algorithm",
    "hash",
    "digest",
    "checksum",
    "arn",
    "address",
    "contract",
    "symbol",
    "test",
    "tests",
    "example",
    "set",
    "list",
    "map",
    "for",
    "with",
    "from",
    "to",
    "is",
    "has",
    "usage",
];

/// Reads assignments.
pub(super) struct Reader {
    joint: Regex,
    head: Regex,
}

/// How a value is joined to its name.
struct Joint<'t> {
    /// What separates them.
    sep: &'t str,
    /// What closes the name.
    close: &'t str,
    /// Whether there are blanks before and behind the separator.
    is_spaced: bool,
    /// Whether there is a line end between them.
    is_broken: bool,
}

impl Reader {
    pub(super) fn new() -> Self {
        Reader {
            joint: ascii(JOINT),
            head: ascii(HEAD),
        }
    }

    /// The value that is given to a name in which `span` is the literal, if it is a secret.
    pub(super) fn read(
        &self,
        text: &str,
        span: Range<usize>,
        strictness: Strictness,
    ) -> Option<Range<usize>> {
        let rest = text.get(span.end..)?;
        // Most literals are part of another word or have nothing joined to them: that is seen here,
        // without a pattern.
        if !is_joined(text, &span) {
            return None;
        }
        let keyword = text.get(span.clone())?;
        let parts = self.joint.captures(rest)?;
        let tail = parts.name("tail")?.as_str();
        if !goes_on(keyword, tail) {
            return None;
        }
        let part = |name| parts.name(name).map_or("", |part| part.as_str());
        let joint = Joint {
            sep: if part("typed").is_empty() {
                part("sep")
            } else {
                "="
            },
            close: part("close"),
            is_spaced: !part("gap").is_empty() || !part("space").is_empty(),
            is_broken: part("space").contains('\n'),
        };
        let found = match parts.name("typed_open").or(parts.name("open")) {
            Some(open) => quoted(
                text,
                span.end + open.end(),
                open.as_str(),
                &joint,
                strictness,
            ),
            None => self.bare(text, span.clone(), &parts, &joint, strictness),
        };
        found.filter(|range| !range.is_empty())
    }

    /// A value without quotes.
    fn bare(
        &self,
        text: &str,
        span: Range<usize>,
        parts: &Captures<'_>,
        joint: &Joint<'_>,
        strictness: Strictness,
    ) -> Option<Range<usize>> {
        if joint.is_broken {
            return None;
        }
        let start = span.end + parts.name("bare")?.start();
        let rest = text.get(start..)?;
        let line_start = floor(text, span.start.saturating_sub(LONGEST_HEAD));
        let before = text.get(line_start..span.start)?;
        let head = before.rsplit('\n').next().unwrap_or_default();
        let name = head
            .trim_end_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
        let joined = name.chars().next_back();
        let own = head.get(name.len()..)?;
        let is_flag = own.starts_with("--");
        let is_line = self.head.is_match(head) && head.len() < LONGEST_HEAD;
        let is_query = matches!(joined, Some('?' | '&' | ';' | ':'))
            || matches!(joined, Some('"' | '\'' | '`')) && joint.close.is_empty();
        let to_blank = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`');
        let to_sign = |c: char| to_blank(c) || ",;&)]}<>|".contains(c);
        let value_to = |ends: &dyn Fn(char) -> bool| {
            let end = rest
                .char_indices()
                .find(|(at, c)| *at >= LONGEST || ends(*c));
            rest.get(..end.map_or(rest.len(), |(at, _)| at))
        };
        let by_blank = value_to(&to_blank)?;
        let by_sign = value_to(&to_sign)?;
        let fills_line = |value: &str| {
            let behind = rest.get(value.len()..).unwrap_or_default();
            let behind = behind.trim_start_matches([' ', '\t', '\r']);
            behind.is_empty() || behind.starts_with(['\n', '#'])
        };
        let is_plain = joint.close.is_empty();
        // What ends a sentence is no part of what it tells.
        let in_words = by_sign.trim_end_matches(['.', ':', '!', '?']);
        let goes_on = rest.get(by_sign.len()..).unwrap_or_default();
        let is_argument = goes_on.starts_with([',', ')', ']', '}', '>'])
            || goes_on.starts_with(';') && goes_on.trim_end().len() == 1;
        let is_told = is_plain
            && strictness == Strictness::Password
            && !head.contains(['(', '[', '{', '<'])
            && !is_argument;
        let (value, setting) = match joint.sep {
            // `DB_PASSWORD=…` in a shell or an environment file.
            "=" if is_line && is_plain && !joint.is_spaced && fills_line(by_blank) => {
                (by_blank, Setting::Literal)
            }
            "=" if is_query && is_plain && !joint.is_spaced => (by_sign, Setting::Literal),
            // `password: …` and `password = …` as the whole of a line.
            ":" | "=" if is_line && joint.is_spaced && fills_line(by_blank) => {
                let is_settled = !by_blank.ends_with([',', ';', '{', '(', '[']);
                (
                    by_blank,
                    if is_settled {
                        Setting::Literal
                    } else {
                        Setting::Code
                    },
                )
            }
            "=" | "" if is_flag && (joint.is_spaced || joint.sep == "=") => {
                (by_sign, Setting::Literal)
            }
            // `<password>…</password>`.
            ">" if rest
                .get(by_sign.len()..)
                .is_some_and(|rest| rest.starts_with("</")) =>
            {
                (by_sign, Setting::Literal)
            }
            // `refused for user=demo password=… by the server`, `Pwd=…;Server=…` and `password: …` in
            // a sentence. In code there is a bracket before it, or what goes on an argument list.
            "=" if is_told && !joint.is_spaced => (in_words, Setting::Literal),
            ":" if is_told && joint.is_spaced && fills_line(by_blank) => {
                (in_words, Setting::Literal)
            }
            // A header.
            ":" if is_plain => (by_sign, Setting::Code),
            "=" | ":=" | "=>" | "?=" => (by_sign, Setting::Code),
            _ => return None,
        };
        let looks_like_code = value.contains(['(', '[', '{']) || value.contains("::");
        let setting = if looks_like_code && joint.sep == ":" {
            Setting::Code
        } else {
            setting
        };
        // Without quotes, what has no digit is a name.
        let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
        let is_constant = joint.sep == "="
            && !joint.is_spaced
            && is_line
            && own
                .bytes()
                .chain(text.as_bytes()[span].iter().copied())
                .all(|b| !b.is_ascii_lowercase());
        let has_mark = value.contains(['!', '$', '^', '~', '#', '%', '+', '=']);
        let is_enough = has_digit || has_mark || is_constant || !is_name(value);
        let setting = match setting {
            Setting::Literal if is_constant => Setting::Given,
            setting => setting,
        };
        (is_enough && is_secret(value, strictness, setting)).then(|| start..start + value.len())
    }
}

/// Whether anything may be joined to a name in which `span` is the literal, at a glance.
fn is_joined(text: &str, span: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    let mut rest = bytes.get(span.end..).unwrap_or_default();
    if rest.first().is_none_or(u8::is_ascii_lowercase) {
        return false;
    }
    let is_tail = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let is_close = |byte: &u8| b"\\\"'`])".contains(byte);
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let skip = |rest: &mut &[u8], most: usize, is_part: &dyn Fn(&u8) -> bool| {
        let parts = rest.iter().take(most).take_while(|byte| is_part(byte));
        let count = parts.count();
        *rest = &rest[count..];
        count
    };
    skip(&mut rest, 40, &is_tail);
    let closed = skip(&mut rest, 3, &is_close) > 0;
    skip(&mut rest, 30, &is_blank);
    // A flag has its value behind a blank.
    let is_flag = || matches!(bytes[..span.start].last(), Some(b'-' | b'_'));
    match rest.first() {
        Some(b':' | b'=' | b'!' | b'?' | b'|' | b',' | b'(' | b'>' | b'"' | b'\'' | b'v') => true,
        Some(_) => closed || is_flag(),
        None => false,
    }
}

/// Whether the name goes on in a way that leaves it the name of a secret.
fn goes_on(keyword: &str, tail: &str) -> bool {
    // In `OPpASSIGN` there is no `pass`.
    let is_accident = |three: &[u8]| {
        three[0].is_ascii_lowercase() && three[1..].iter().all(u8::is_ascii_uppercase)
    };
    if keyword.as_bytes().windows(3).any(is_accident) {
        return false;
    }
    let Some(first) = tail.bytes().next() else {
        return true;
    };
    let is_capital = keyword.bytes().all(|byte| !byte.is_ascii_lowercase());
    let begins_word = match first {
        b'_' | b'-' | b'0'..=b'9' => true,
        first => first.is_ascii_uppercase() && !is_capital,
    };
    let mut words = Vec::new();
    let mut word = String::new();
    for c in tail.chars() {
        let is_gap = matches!(c, '_' | '-');
        if is_gap || (c.is_ascii_uppercase() && !is_capital) {
            words.push(std::mem::take(&mut word));
        }
        if !is_gap {
            word.push(c.to_ascii_lowercase());
        }
    }
    words.push(word);
    begins_word && !words.iter().any(|word| ABOUT.contains(&word.as_str()))
}

/// A value in quotes, from behind the first of them.
fn quoted(
    text: &str,
    start: usize,
    open: &str,
    joint: &Joint<'_>,
    strictness: Strictness,
) -> Option<Range<usize>> {
    let is_keyed = joint.close.contains(['"', '\'', '`']);
    let setting = match joint.sep {
        // In words, a backtick begins code: "you can pass `x=1`".
        "" if !joint.is_spaced || joint.is_broken || is_keyed || open == "`" => return None,
        "," if !is_keyed => return None,
        "" | "," | "(" | ">" | "||" | "??" | "==" | "===" | "!=" | "!==" => Setting::Beside,
        _ => Setting::Given,
    };
    let end = start + stretch(text, start, open);
    let mut value = text.get(start..end)?;
    let is_closed = text.get(end..)?.starts_with(open);
    let setting = match is_closed || !is_cut(text, end) {
        true => setting,
        false => Setting::CutOff,
    };
    // A line end at the end of a secret is not part of what makes it one.
    while let Some(shorter) = value.strip_suffix("\\n") {
        value = shorter;
    }
    is_secret(value, strictness, setting).then_some(start..end)
}

/// How many bytes there are up to a quote or the end of the line.
fn stretch(text: &str, start: usize, open: &str) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    let quote = open.chars().next_back().unwrap_or('"');
    let is_escaped_quote = open.len() > 1;
    let mut escaped = false;
    for (at, c) in rest.char_indices() {
        if c == '\n' || c == '\r' || at >= LONGEST {
            return at;
        }
        if c == quote && !escaped {
            return at;
        }
        if c == quote && is_escaped_quote {
            return at - 1;
        }
        escaped = c == '\\' && !escaped;
    }
    rest.len()
}
