//! Values that are given to a name which calls them a secret.
//!
//! `password = "…"` is written in as many ways as there are languages: with a type between, as an
//! argument, as an entry of a map, as a flag, a header, a query, an element. This reads how the
//! value is joined to the name, where it begins and where it ends; whether it is a secret is
//! `value`'s to say. It is apart from the table because a pattern can say how such a value begins,
//! but not where it ends: that depends on what it began with.

use std::ops::Range;

use regex::Regex;

use super::find::{ascii, floor};
use super::rules::Strictness;
use super::seam::is_cut;
use super::value::{Setting, is_name, is_secret};
use super::words::{self, Called};

/// How far a value in quotes is followed. Another one in the same quotes begins behind its end, so
/// that this is never done twice for the same bytes.
const LONGEST: usize = 16 * 1024;
/// How much of a value without quotes is looked at to tell whether it is a secret; if it is one, all
/// of it is. Such values may lie in each other, as in `password=password=password=`.
const LONGEST_BARE: usize = 512;
/// How long a value without quotes must be to be passed over once it was refused. Shorter ones are
/// looked into for others: that is soon done.
const LEAST_PASSED_OVER: usize = 64;
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
        (?P<sep>:=|=>|<-|={1,3}|!={1,2}|\?=|\|\||\?\?|:|,|\(|>|value=)?
        # A block of YAML, as in `password: |` and a line.
        (?P<fold>[\ \t]{1,4}[|>][+-]?[\ \t]{0,4}\r?\n)?
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

/// The start of a line that gives a value to a name with nothing but a blank between them, up to the
/// name: in a Dockerfile, and in a file of logins.
const BLANK_HEAD: &str =
    r"^[+-]?[ \t]*(?:ENV[ \t]+[A-Z0-9_]*|(?:.*[ \t])?(?:login|user|account)[ \t]+[^ \t]+[ \t]+)?$";

/// What a file of logins calls a password.
const LOGIN_WORDS: &[&str] = &["password", "passwd"];

/// Ends of the names of functions that give what they are called with, as in `Some("…")`.
const MAKERS: &[&str] = &["Some", "from", "new", "String", "Str", "Secret"];

/// Reads assignments.
pub(super) struct Reader {
    joint: Regex,
    head: Regex,
    blank_head: Regex,
}

/// What came of reading an assignment.
#[derive(Default)]
pub(super) struct Reading {
    /// The value, if it is a secret.
    pub(super) secret: Option<Range<usize>>,
    /// How many bytes of a value were looked at.
    pub(super) looked_at: usize,
    /// Up to where there is nothing more to be found by the same rule.
    pub(super) refused_up_to: usize,
}

/// How a value is joined to its name.
struct Joint<'t> {
    /// What separates them.
    sep: &'t str,
    /// What the name goes on with behind the literal.
    tail: &'t str,
    /// What the value is put into, as in `Some("…")`.
    wrap: &'t str,
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
            blank_head: ascii(BLANK_HEAD),
        }
    }

    /// The value that is given to a name in which `span` is the literal.
    pub(super) fn read(&self, text: &str, span: Range<usize>, strictness: Strictness) -> Reading {
        // Most literals are part of another word or have nothing joined to them: that is seen here,
        // without a pattern.
        if !is_joined(text, &span) {
            return Reading::default();
        }
        let reading = self.joined(text, span, strictness);
        reading.unwrap_or_default()
    }

    fn joined(&self, text: &str, span: Range<usize>, strictness: Strictness) -> Option<Reading> {
        let rest = text.get(span.end..)?;
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
            tail,
            wrap: match part("typed").is_empty() {
                true => part("wrap"),
                false => part("typed_wrap"),
            },
            close: part("close"),
            is_spaced: !part("gap").is_empty() || !part("space").is_empty(),
            is_broken: part("space").contains('\n') || !part("fold").is_empty(),
        };
        match parts.name("typed_open").or(parts.name("open")) {
            Some(open) => quoted(
                text,
                &span,
                span.end + open.end(),
                open.as_str(),
                &joint,
                strictness,
            ),
            None => {
                let start = span.end + parts.name("bare")?.start();
                self.bare(text, span, start, &joint, strictness)
            }
        }
    }

    /// A value without quotes, which begins at `start`.
    fn bare(
        &self,
        text: &str,
        span: Range<usize>,
        start: usize,
        joint: &Joint<'_>,
        strictness: Strictness,
    ) -> Option<Reading> {
        let rest = text.get(start..)?;
        let name = Name::of(text, &span)?;
        let by_sign = value_up_to(rest, ends_by_sign);
        let found = match joint.is_broken {
            true => self.below(text, &span, start, joint, &name),
            false => self.beside(rest, by_sign, joint, &name, strictness),
        };
        let refused = Reading {
            secret: None,
            looked_at: by_sign.len(),
            refused_up_to: match by_sign.len() < LEAST_PASSED_OVER {
                true => 0,
                false => start + by_sign.len(),
            },
        };
        let Some((value, setting)) = found else {
            return Some(refused);
        };
        let is_line = self.is_line(&name);
        let looks_like_code = value.contains(['(', '[', '{']) || value.contains("::");
        // Without quotes, what has no digit is a name.
        let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
        let is_constant = joint.sep == "="
            && !joint.is_spaced
            && is_line
            && name
                .own
                .bytes()
                .chain(text.as_bytes()[span].iter().copied())
                .all(|b| !b.is_ascii_lowercase());
        let has_mark = value.contains(['!', '$', '^', '~', '#', '%', '+', '=']);
        let is_enough = has_digit || has_mark || is_constant || !is_name(value);
        let setting = match setting {
            _ if looks_like_code && joint.sep == ":" => Setting::Code,
            Setting::Literal if is_constant => Setting::Given,
            setting => setting,
        };
        let is_one = is_enough && is_secret(value, strictness, setting);
        let are_words = || {
            let setting = match setting {
                Setting::Code => Setting::Code,
                _ if is_line => Setting::Literal,
                _ => Setting::Beside,
            };
            words::are_secret(value, name.called(joint), strictness, setting)
        };
        if !is_one && !are_words() {
            return Some(refused);
        }
        // What was cut off to be judged belongs to it.
        let is_cut_off = value.len() >= LONGEST_BARE - 3;
        let more = rest.get(value.len()..).filter(|_| is_cut_off);
        let ends = match value.len() > by_sign.len() {
            true => ends_by_blank,
            false => ends_by_sign,
        };
        let more = more.map_or(0, |more| more.find(ends).unwrap_or(more.len()));
        let end = start + value.len() + more;
        Some(Reading {
            secret: Some(start..end),
            looked_at: end - start,
            refused_up_to: 0,
        })
    }

    /// A value on the line of its name: how far it goes and where it stands, if that is a place for one.
    fn beside<'t>(
        &self,
        rest: &'t str,
        by_sign: &'t str,
        joint: &Joint<'_>,
        name: &Name<'_>,
        strictness: Strictness,
    ) -> Option<(&'t str, Setting)> {
        let is_flag = name.own.starts_with("--");
        let is_plain = joint.close.is_empty();
        let is_line = || self.is_line(name);
        let is_query = matches!(name.joined, Some('?' | '&' | ';' | ':'))
            || matches!(name.joined, Some('"' | '\'' | '`')) && is_plain;
        // Only asked where it ends soon: a line has one start, and a blank before each separator.
        let by_blank = || value_up_to(rest, ends_by_blank);
        let fills_line = || is_filling(rest, by_blank());
        // What ends a sentence is no part of what it tells.
        let in_words = by_sign.trim_end_matches(['.', ':', '!', '?']);
        let goes_on = rest.get(by_sign.len()..).unwrap_or_default();
        let ends_text = |rest: &str| rest.len() < 4 && rest.trim_end().is_empty();
        let is_argument = goes_on.starts_with([',', ')', ']', '}', '>'])
            || goes_on.strip_prefix(';').is_some_and(ends_text);
        let is_told = is_plain
            && strictness == Strictness::Password
            && !is_within_brackets(name.head)
            && !is_argument;
        Some(match joint.sep {
            // `DB_PASSWORD=…` in a shell or an environment file.
            "=" if is_plain && !joint.is_spaced && is_line() && fills_line() => {
                (by_blank(), Setting::Literal)
            }
            "=" if is_query && is_plain && !joint.is_spaced => (by_sign, Setting::Literal),
            // `password: …` and `password = …` as the whole of a line.
            ":" | "=" if joint.is_spaced && is_line() && fills_line() => {
                match by_blank().ends_with([',', ';', '{', '(', '[']) {
                    true => (by_blank(), Setting::Code),
                    false => (by_blank(), Setting::Literal),
                }
            }
            "=" | "" if is_flag && (joint.is_spaced || joint.sep == "=") => {
                (by_sign, Setting::Literal)
            }
            // `ENV DB_PASSWORD …` and `login me password …`.
            "" if is_plain && joint.is_spaced && self.is_blank_joined(name) && fills_line() => {
                (by_blank(), Setting::Literal)
            }
            // `<password>…</password>`.
            ">" if goes_on.starts_with("</") => (by_sign, Setting::Literal),
            // `refused for user=demo password=… by the server`, `Pwd=…;Server=…` and `password: …` in
            // a sentence. In code there is a bracket before it, or what goes on an argument list.
            "=" if is_told && !joint.is_spaced => (in_words, Setting::Literal),
            ":" if is_told && joint.is_spaced && fills_line() => (in_words, Setting::Literal),
            // A header.
            ":" if is_plain => (by_sign, Setting::Code),
            "=" | ":=" | "=>" | "?=" => (by_sign, Setting::Code),
            _ => return None,
        })
    }

    /// A value on the line below its name, further in, as YAML has it: all of that line.
    fn below<'t>(
        &self,
        text: &'t str,
        span: &Range<usize>,
        start: usize,
        joint: &Joint<'_>,
        name: &Name<'_>,
    ) -> Option<(&'t str, Setting)> {
        let between = text.get(span.end..start)?;
        let indent = between.rsplit('\n').next()?;
        let is_below = between.matches('\n').count() == 1;
        let own_indent =
            name.head.len() - name.head.trim_start_matches([' ', '\t', '+', '-']).len();
        let is_key = joint.sep == ":" && !joint.close.contains([')', ']']) && self.is_line(name);
        if !is_below || !is_key || indent.len() <= own_indent {
            return None;
        }
        let rest = text.get(start..)?;
        let value = value_up_to(rest, ends_by_blank);
        let is_code = value.ends_with([',', ';', ':']) || value.contains(['(', '[', '{']);
        (is_filling(rest, value) && !is_code).then_some((value, Setting::Literal))
    }

    /// Whether nothing before a name on its line makes it code.
    fn is_line(&self, name: &Name<'_>) -> bool {
        name.head.len() < LONGEST_HEAD && self.head.is_match(name.head)
    }

    /// Whether the value of a name may follow behind a blank.
    fn is_blank_joined(&self, name: &Name<'_>) -> bool {
        let is_login = LOGIN_WORDS.contains(&name.literal);
        let is_variable = name.head.contains("ENV");
        name.head.len() < LONGEST_HEAD
            && (is_login || is_variable)
            && self.blank_head.is_match(name.head)
    }
}

/// What comes before the literal that a name is known by.
struct Name<'t> {
    /// The literal.
    literal: &'t str,
    /// Its line, up to the literal.
    head: &'t str,
    /// What of that is part of the name.
    own: &'t str,
    /// What the name follows directly.
    joined: Option<char>,
}

impl<'t> Name<'t> {
    fn of(text: &'t str, span: &Range<usize>) -> Option<Self> {
        let line_start = floor(text, span.start.saturating_sub(LONGEST_HEAD));
        let before = text.get(line_start..span.start)?;
        let head = before.rsplit('\n').next().unwrap_or_default();
        let is_own = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        let outside = head.trim_end_matches(is_own);
        Some(Name {
            literal: text.get(span.clone())?,
            head,
            own: head.get(outside.len()..)?,
            joined: outside.chars().next_back(),
        })
    }

    /// The name, without its line.
    fn called(&self, joint: &Joint<'t>) -> Called<'t> {
        Called {
            before: self.own,
            literal: self.literal,
            behind: joint.tail,
        }
    }
}

fn ends_by_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'' | '`')
}

fn ends_by_sign(c: char) -> bool {
    ends_by_blank(c) || ",;&)]}<>|".contains(c)
}

/// As much of a value without quotes as is looked at.
fn value_up_to(rest: &str, ends: fn(char) -> bool) -> &str {
    let is_end = |(at, c): &(usize, char)| at + c.len_utf8() > LONGEST_BARE || ends(*c);
    let end = rest.char_indices().find(is_end);
    rest.get(..end.map_or(rest.len(), |(at, _)| at))
        .unwrap_or_default()
}

/// Whether a value is followed by nothing on its line, or by a comment.
fn is_filling(rest: &str, value: &str) -> bool {
    let behind = rest.get(value.len()..).unwrap_or_default();
    let behind = behind.trim_start_matches([' ', '\t', '\r']);
    behind.is_empty() || behind.starts_with(['\n', '#']) || value.len() + 4 > LONGEST_BARE
}

/// Whether a bracket is open at the end of a line's start, as in a list of arguments.
fn is_within_brackets(head: &str) -> bool {
    let mut open = 0_usize;
    for c in head.chars() {
        match c {
            '(' | '[' | '{' | '<' => open += 1,
            ')' | ']' | '}' | '>' => open = open.saturating_sub(1),
            _ => {}
        }
    }
    open > 0
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
    // So have a name in a file of logins and one that begins its line.
    let is_apart = || {
        matches!(
            bytes[..span.start].last(),
            None | Some(b' ' | b'\t' | b'\n')
        )
    };
    match rest.first() {
        Some(b':' | b'=' | b'!' | b'?' | b'|' | b',' | b'(' | b'>' | b'"' | b'\'' | b'v') => true,
        Some(b'<') => rest.get(1) == Some(&b'-'),
        Some(_) => closed || is_flag() || is_apart(),
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
    span: &Range<usize>,
    start: usize,
    open: &str,
    joint: &Joint<'_>,
    strictness: Strictness,
) -> Option<Reading> {
    let is_keyed = joint.close.contains(['"', '\'', '`']);
    let setting = match joint.sep {
        // In words, a backtick begins code: "you can pass `x=1`".
        "" if !joint.is_spaced || joint.is_broken || is_keyed || open == "`" => return None,
        "," if !is_keyed => return None,
        "" | "," | "(" | ">" | "||" | "??" | "==" | "===" | "!=" | "!==" => Setting::Beside,
        ":" | "=>" => Setting::Entry,
        _ => Setting::Given,
    };
    // Three quotes instead of one.
    let is_triple = text.get(start..)?.starts_with(&open.repeat(2));
    let start = if is_triple {
        start + 2 * open.len()
    } else {
        start
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
    let are_words = || {
        // The words that a function is called with are not what it gives.
        let is_itself = match joint.wrap.split_once('(') {
            Some((maker, _)) => MAKERS.iter().any(|known| maker.ends_with(known)),
            None => true,
        };
        let called = Name::of(text, span).map(|name| name.called(joint));
        // `Kind::Password => "…"` says what is done with a kind.
        let is_arm = |called: &Called<'_>| joint.sep == "=>" && called.is_capital();
        let called = called.filter(|called| is_itself && !is_arm(called));
        called.is_some_and(|called| words::are_secret(value, called, strictness, setting))
    };
    let is_one = !value.is_empty() && (is_secret(value, strictness, setting) || are_words());
    Some(Reading {
        secret: is_one.then_some(start..end),
        looked_at: value.len(),
        refused_up_to: 0,
    })
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
