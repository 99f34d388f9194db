//! Values without quotes, where a file or a program takes what follows a name literally.
//!
//! `password: sunshine` in YAML is a secret, and `password: string` in TypeScript is a type. Nothing is
//! known of the language of a text, so this looks at the line: whether it begins with the name, whether the
//! value fills the rest of it, what separates the two, and what stands around it.

use super::assignment::AssignmentReading;
use super::secret_name::SecretName;
use super::secret_rule::ValueStrictness;
use super::secret_value::{ValuePlace, is_bare};
use super::value_joint::{TableColumn, ValueJoint};

/// How much of a value is looked at to tell whether it is a secret; if it is one, all of it is. Such
/// values may lie in each other, as in `password=password=password=`.
const LONGEST: usize = 512;
/// How long a value must be to be passed over once it was refused. Shorter ones are looked into for
/// others: that is soon done.
const LEAST_PASSED_OVER: usize = 64;
/// How far before a name its line is looked at.
const LONGEST_HEAD: usize = 120;
/// How far on both sides of a line its neighbours are looked at.
const NEIGHBOURHOOD: usize = 240;

/// Words before a name on a line that gives it a value, in small letters.
#[rustfmt::skip]
const GIVERS: &[&str] = &[
    "export", "set", "setx", "env", "arg", "-e", "--env", "--build-arg", "-", "local", "declare",
    "readonly", "?",
];

/// Signs that a line of code has and a line of data has not.
const OF_CODE: &[&str] = &[
    "(", "};", "=>", "->", "&&", "||", "==", "#include", "self.", "this.",
];

/// Words that a line of code begins with, or has behind a blank.
#[rustfmt::skip]
const WORDS_OF_CODE: &[&str] = &[
    "def", "class", "import", "function", "return", "let", "const", "var", "fn", "struct",
    "interface", "type", "enum", "if", "else", "for", "while", "public", "private", "static",
    "package", "use", "val", "impl", "message", "async", "await",
];

/// Types, which are given to a name in code where data would have a value, in small letters.
#[rustfmt::skip]
const TYPES: &[&str] = &[
    "str", "string", "int", "integer", "number", "bool", "boolean", "float", "double", "bytes",
    "any", "object", "text", "date", "datetime", "uuid", "null", "none", "optional", "list", "dict",
    "array", "char", "varchar", "void", "unknown", "never", "symbol", "secretstr", "email", "url",
    "json", "blob", "timestamp", "long", "short", "byte", "decimal", "undefined",
];

/// Reads a value without quotes.
pub(super) fn read(
    text: &str,
    name: &SecretName<'_>,
    joint: &ValueJoint<'_>,
    strictness: ValueStrictness,
    reading: &mut AssignmentReading,
) {
    let start = joint.value;
    let rest = text.get(start..).unwrap_or_default();
    if rest.starts_with(|c: char| ends_by_sign(c) || c == '(' || c == '[' || c == '{') {
        return;
    }
    let by_sign = value_up_to(rest, ends_by_sign);
    reading.looked_at += by_sign.len();
    let found = if joint.is_broken {
        below(text, start, joint, name)
    } else {
        beside(text, start, joint, name, strictness)
    };
    let secret = found.and_then(|(value, setting)| {
        let setting = adjusted(setting, value, joint, name);
        let is_one = is_bare(value, name, strictness, setting);
        is_one.then(|| start..start + value.len() + more(rest, value, by_sign))
    });
    match secret {
        Some(secret) => reading.secrets.push(secret),
        None if by_sign.len() >= LEAST_PASSED_OVER && !by_sign.starts_with("${") => {
            reading.refused_up_to = start + by_sign.len();
        }
        None => {}
    }
}

/// Reads a cell of a table.
pub(super) fn read_cell(
    text: &str,
    start: usize,
    column: &TableColumn,
    name: &SecretName<'_>,
    strictness: ValueStrictness,
    reading: &mut AssignmentReading,
) {
    let rest = text.get(start..).unwrap_or_default();
    let value = match column.between {
        ',' => value_up_to(rest, ends_by_sign),
        between => {
            let cell = value_up_to(rest, |c| matches!(c, '\n' | '\r'));
            cell.split(between).next().unwrap_or_default().trim_end()
        }
    };
    // Words below a mere `password` say how one is asked for.
    let setting = if column.between != '|' || column.has_users {
        ValuePlace::Data
    } else {
        ValuePlace::Literal
    };
    if is_bare(value, name, strictness, setting) {
        reading.secrets.push(start..start + value.len());
    }
}

/// How a value stands there that looks like code, or is given to a constant.
fn adjusted(
    setting: ValuePlace,
    value: &str,
    joint: &ValueJoint<'_>,
    name: &SecretName<'_>,
) -> ValuePlace {
    let looks_like_code = value.contains(['(', '[', '{']) || value.contains("::");
    let is_constant = joint.sep == "=" && !joint.is_spaced && is_line(name) && name.is_constant();
    match setting {
        _ if looks_like_code && (joint.sep == ":" || joint.is_spaced) => ValuePlace::Code,
        ValuePlace::Literal if is_constant => ValuePlace::Data,
        setting => setting,
    }
}

/// How much of a value was cut off to be judged, and belongs to it.
fn more(rest: &str, value: &str, by_sign: &str) -> usize {
    if value.len() < LONGEST - 3 {
        return 0;
    }
    let more = rest.get(value.len()..).unwrap_or_default();
    let ends = if value.len() > by_sign.len() {
        ends_by_blank
    } else {
        ends_by_sign
    };
    more.find(ends).unwrap_or(more.len())
}

/// A value on the line of its name: how far it goes and where it stands, if that is a place for one.
fn beside<'t>(
    text: &'t str,
    start: usize,
    joint: &ValueJoint<'_>,
    name: &SecretName<'_>,
    strictness: ValueStrictness,
) -> Option<(&'t str, ValuePlace)> {
    let rest = text.get(start..)?;
    let by_sign = value_up_to(rest, ends_by_sign);
    let is_flag = name.before.starts_with('-') && name.joined.is_none_or(char::is_whitespace);
    let is_plain = joint.close.is_empty();
    let is_query = matches!(name.joined, Some('?' | '&' | ';' | ':'))
        || matches!(name.joined, Some('"' | '\'' | '`')) && is_plain;
    // Only asked where it ends soon: a line has one start, and a blank before each separator.
    let by_blank = || value_up_to(rest, ends_by_blank);
    let fills_line = || is_filling(rest, by_blank());
    // The sign that ends a sentence is no part of the value.
    let in_words = by_sign.trim_end_matches(['.', ':', '!', '?']);
    let goes_on = rest.get(by_sign.len()..).unwrap_or_default();
    let ends_text = |rest: &str| rest.len() < 4 && rest.trim_end().is_empty();
    let is_argument = goes_on.starts_with([',', ')', ']', '}', '>'])
        || goes_on.strip_prefix(';').is_some_and(ends_text);
    let is_told = is_plain && !is_within_brackets(name.head) && !is_argument;
    let in_data = || {
        if is_data(text, start, joint) {
            ValuePlace::Data
        } else {
            ValuePlace::Literal
        }
    };
    if joint.is_half {
        let value = if fills_line() && !by_blank().contains('<') {
            by_blank()
        } else {
            by_sign
        };
        return Some((value, ValuePlace::Data));
    }
    // More than a word, as a line of data has it.
    let near = rest.get(..super::secret_finder::floor(rest, LONGEST))?;
    let line = near
        .split(['\n', '\r'])
        .next()
        .unwrap_or_default()
        .trim_end();
    let is_phrase = strictness == ValueStrictness::Password
        && line.len() < near.len()
        && line.contains(' ')
        && !line.contains(['#', '"', '\'', '<', '{', '(', ';']);
    let is_connection =
        || is_among_pairs(name, near.get(by_sign.len()..).unwrap_or_default(), line);
    Some(match joint.sep {
        ":" | "=" | ":="
            if is_phrase && joint.is_spaced && is_line(name) && is_data(text, start, joint) =>
        {
            (line, ValuePlace::Data)
        }
        // `Server=…;Password=…;`.
        "=" if is_plain && !joint.is_spaced && is_connection() => {
            let ends = match name.joined {
                Some(';') => |c: char| ends_by_blank(c) || c == ';',
                Some('&' | '?') => |c: char| ends_by_blank(c) || c == '&',
                _ => ends_by_sign,
            };
            (value_up_to(rest, ends), ValuePlace::Data)
        }
        // All that is in quotes, as in `-d 'password=…'`.
        "=" if is_plain && !joint.is_spaced && is_quoted_whole(name, goes_on) => {
            (by_sign, ValuePlace::Data)
        }
        // The last word of a command.
        "=" if is_plain && !joint.is_spaced && is_of_command(name) && fills_line() => {
            (by_blank(), ValuePlace::Data)
        }
        // `DB_PASSWORD=…` in a shell or an environment file.
        "=" if is_plain && !joint.is_spaced && is_line(name) && fills_line() => {
            (by_blank(), in_data())
        }
        // `--from-literal=password=…`.
        "=" if !joint.is_spaced && name.joined == Some('=') && name.head.contains("--") => {
            (by_sign, ValuePlace::Data)
        }
        "=" if is_query && is_plain && !joint.is_spaced => (by_sign, ValuePlace::Literal),
        // `password: …` and `password = …` as the whole of a line.
        ":" | "=" | ":=" | "?=" if joint.is_spaced && is_line(name) && fills_line() => {
            if by_blank().ends_with([',', ';', '{', '(', '[']) {
                (by_blank(), ValuePlace::Code)
            } else if joint.sep == "?=" {
                // Nothing but a makefile has that.
                (by_blank(), ValuePlace::Data)
            } else {
                (by_blank(), in_data())
            }
        }
        // An entry of a flow of YAML.
        ":" if joint.is_spaced
            && is_plain
            && is_within_flow(name.head)
            && goes_on.trim_start_matches(' ').starts_with([',', '}']) =>
        {
            (by_sign, ValuePlace::Data)
        }
        "=" | ""
            if is_flag
                && (joint.is_spaced || joint.sep == "=")
                && !by_sign.starts_with("pass:") =>
        {
            (by_sign, ValuePlace::Data)
        }
        // `ENV DB_PASSWORD …` and `login me password …`.
        "" if is_plain && joint.is_spaced && is_blank_joined(name) && fills_line() => {
            (by_blank(), ValuePlace::Data)
        }
        // `<password>…</password>`.
        ">" if goes_on.starts_with("</") => (by_sign, ValuePlace::Data),
        ">" => {
            let inside = near.get(..near.find("</")?)?;
            if inside.starts_with("&#") && !inside.contains(' ') {
                return Some((inside, ValuePlace::Encoded));
            }
            (!inside.contains('\n')).then_some((inside, ValuePlace::Data))?
        }
        // `refused for user=demo password=… by the server`, `Pwd=…;Server=…` and `password: …` in
        // a sentence. In code there is a bracket before it, or what goes on an argument list.
        "=" if is_told && !joint.is_spaced && name.is_constant() => (in_words, ValuePlace::Data),
        "=" if is_told && !joint.is_spaced => (in_words, ValuePlace::Literal),
        ":" if strictness == ValueStrictness::Password
            && is_told
            && joint.is_spaced
            && fills_line() =>
        {
            (in_words, ValuePlace::Literal)
        }
        "|" if name.head.trim_start().starts_with('|') => (by_sign, ValuePlace::Literal),
        // `${db.password:…}`.
        ":" if !joint.is_spaced && goes_on.starts_with('}') && name.head.contains("${") => {
            (by_sign, ValuePlace::Data)
        }
        // `the client_secret (…)`.
        "(" if joint.is_spaced && goes_on.starts_with(')') => (by_sign, ValuePlace::Literal),
        // `${DB_PASSWORD:-…}`.
        ":-" | ":=" if goes_on.starts_with('}') => (by_sign, ValuePlace::Data),
        // `the password is …`.
        "is" | "e.g." | "was" if is_plain => (in_words, ValuePlace::Literal),
        // A header.
        ":" if is_plain => (by_sign, ValuePlace::Code),
        "=" | ":=" | "=>" | "?=" | "||=" | "??=" => (by_sign, ValuePlace::Code),
        _ => return None,
    })
}

/// Whether a name begins what is in quotes, and its value ends it.
fn is_quoted_whole(name: &SecretName<'_>, goes_on: &str) -> bool {
    let quote = name.joined.filter(|c| matches!(c, '"' | '\'' | '`'));
    quote.is_some_and(|quote| goes_on.starts_with(quote))
}

/// Whether a name follows the words of a command.
fn is_of_command(name: &SecretName<'_>) -> bool {
    let outside = name
        .head
        .get(..name.head.len() - name.before.len())
        .unwrap_or_default();
    let is_word = |word: &str| {
        word.chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_./:+$@".contains(c))
    };
    let mut words = outside.split_whitespace();
    let is_command = words
        .next()
        .is_some_and(|word| word.starts_with(|c: char| c.is_ascii_lowercase() || c == '.'));
    name.joined == Some(' ')
        && is_command
        && outside.split_whitespace().count() >= 2
        && outside.split_whitespace().all(is_word)
}

/// Whether a name stands among others that have values, as in `Server=…;Password=…;`, `host=… password=…`
/// and `user=…&password=…`. In code there are brackets around them.
fn is_among_pairs(name: &SecretName<'_>, goes_on: &str, line: &str) -> bool {
    let outside = name
        .head
        .get(..name.head.len() - name.before.len())
        .unwrap_or_default();
    let inside = outside.rsplit(['"', '\'', '`']).next().unwrap_or_default();
    let is_text = inside.len() < outside.len() || !is_within_brackets(outside);
    let before = inside.trim_end_matches([';', '&', ' ', '?', ',']);
    let last = before
        .rsplit([';', '&', ' ', '?', ','])
        .next()
        .unwrap_or_default();
    let is_pair = |pair: &str| {
        pair.split_once('=')
            .is_some_and(|(name, value)| !name.is_empty() && !value.is_empty())
    };
    let is_joined = matches!(name.joined, Some(';' | '&' | ' ' | '?' | ','));
    let is_followed = || {
        let next = goes_on
            .trim_start_matches([';', '&', ' '])
            .split([';', '&', ' ', '"', '\''])
            .next();
        goes_on.starts_with([';', '&', ' ']) && line.contains('=') && next.is_some_and(is_pair)
    };
    is_text && !inside.contains(['{', '(']) && (is_joined && is_pair(last) || is_followed())
}

/// A value on the line below its name, further in, as YAML and XML have it: all of that line.
fn below<'t>(
    text: &'t str,
    start: usize,
    joint: &ValueJoint<'_>,
    name: &SecretName<'_>,
) -> Option<(&'t str, ValuePlace)> {
    let before = text.get(..start)?;
    let indent = before.len() - before.trim_end_matches([' ', '\t']).len();
    let name_line = before.trim_end_matches(char::is_whitespace);
    let is_below = before.get(name_line.len()..)?.matches('\n').count() == 1;
    let own_indent = name.head.len() - name.head.trim_start_matches([' ', '\t', '+', '-']).len();
    let is_key = joint.sep == ":" && !joint.close.contains([')', ']']) && is_line(name);
    let is_element = joint.sep == ">" && name.head.trim_start().starts_with('<');
    if !is_below || !(is_key || is_element) || indent <= own_indent {
        return None;
    }
    let rest = text.get(start..)?;
    let value = value_up_to(rest, ends_by_blank);
    let is_code = value.ends_with([',', ';', ':']) || value.contains(['(', '[', '{', '<']);
    (is_filling(rest, value) && !is_code).then_some((value, ValuePlace::Data))
}

/// Whether nothing before a name on its line makes it code.
fn is_line(name: &SecretName<'_>) -> bool {
    if name.head.len() >= LONGEST_HEAD {
        return false;
    }
    let head = name.head.trim_start_matches(['+', '-']).trim_start();
    let head = if head.len() < name.before.len() {
        name.before
    } else {
        head
    };
    let own = head.strip_suffix(name.before).unwrap_or(head).trim_end();
    let own = own.trim_end_matches("$env:").trim_end_matches("$Env:");
    // Markdown puts names in bold.
    let own = own.trim_end_matches('*');
    own.split_whitespace()
        .all(|word| GIVERS.contains(&word.to_ascii_lowercase().as_str()))
}

/// Whether the value of a name may follow behind a blank: in a Dockerfile, and in a file of logins.
fn is_blank_joined(name: &SecretName<'_>) -> bool {
    let head = name.head.trim_start_matches(['+', '-']).trim_start();
    let own = head.strip_suffix(name.before).unwrap_or(head);
    let mut words = own.split_whitespace().rev();
    let (last, before) = (words.next(), words.next());
    let is_login_word = |word: Option<&str>| {
        word.is_some_and(|word| ["login", "user", "account", "neighbor"].contains(&word))
    };
    let is_login =
        matches!(name.before, "" | "insecure-") && ["password", "passwd"].contains(&name.literal);
    // `info@example.net pass …`.
    let is_mailbox = name.before.is_empty()
        && ["password", "passwd", "pass", "pw"].contains(&name.literal)
        && last.is_some_and(|word| word.contains('@') && word.contains('.'));
    // `d-i passwd/root-password password …`.
    let is_answer = name.before.is_empty()
        && own.starts_with("d-i ")
        && last.is_some_and(|word| word.contains('/'));
    let is_set = || {
        let mut words = own.split_whitespace();
        let is_setter = words
            .next()
            .map(str::to_ascii_lowercase)
            .is_some_and(|word| matches!(&*word, "set" | "setenv" | "setx" | "fastcgi_param"));
        is_setter && name.is_constant() && words.all(|word| word.starts_with('-'))
    };
    let is_variable = last.is_some_and(|word| matches!(word, "ENV" | "ARG")) && before.is_none()
        || is_set()
        || last.is_none()
            && (name.is_constant() && !name.before.is_empty() || name.before == "require");
    name.head.len() < LONGEST_HEAD
        && (is_variable
            || is_mailbox
            || is_answer
            || is_login && (last.is_none() || is_login_word(before)))
}

/// Whether a line stands among lines of data: none of its neighbours has what code has.
fn is_data(text: &str, start: usize, joint: &ValueJoint<'_>) -> bool {
    let first = super::secret_finder::floor(text, start.saturating_sub(NEIGHBOURHOOD));
    let last = super::secret_finder::floor(text, start.saturating_add(NEIGHBOURHOOD));
    let around = text.get(first..last).unwrap_or_default();
    let at = start - first;
    let mut line_start = 0;
    let mut neighbours = 0;
    for line in around.split_inclusive('\n') {
        let range = line_start..line_start + line.len();
        line_start += line.len();
        // What is cut off at either end, and the line itself.
        let is_cut =
            range.start == 0 && first > 0 || range.end == around.len() && last < text.len();
        let line = line.trim();
        if range.contains(&at) || is_cut || line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        let value = line
            .split([':', '='])
            .nth(1)
            .map(|value| value.trim().to_ascii_lowercase());
        let is_typed =
            value.is_some_and(|value| TYPES.contains(&value.trim_end_matches([',', ';', '?'])));
        let is_code = OF_CODE.iter().any(|sign| line.contains(sign))
            || line
                .split_whitespace()
                .any(|word| WORDS_OF_CODE.contains(&word))
            || line.ends_with([';', '{', '}', ',']) && !is_flow(line);
        if is_typed || is_code {
            return false;
        }
        neighbours += 1;
    }
    // One line by itself is taken for data only where code would not write it.
    neighbours > 0 || joint.sep == ":" || !joint.is_spaced
}

/// Whether a line is an entry of YAML with a flow in it, which ends as code does.
fn is_flow(line: &str) -> bool {
    let behind = line
        .strip_prefix("- ")
        .or_else(|| Some(line.split_once(": ")?.1));
    behind.is_some_and(|flow| flow.starts_with('{') && flow.ends_with('}'))
}

fn ends_by_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'' | '`')
}

fn ends_by_sign(c: char) -> bool {
    ends_by_blank(c) || ",;&)]}<>|".contains(c)
}

/// As much of a value without quotes as is looked at.
fn value_up_to(rest: &str, ends: fn(char) -> bool) -> &str {
    let is_end = |(at, c): &(usize, char)| at + c.len_utf8() > LONGEST || ends(*c);
    let end = rest.char_indices().find(is_end);
    rest.get(..end.map_or(rest.len(), |(at, _)| at))
        .unwrap_or_default()
}

/// Whether a value is followed by nothing on its line, or by a comment.
fn is_filling(rest: &str, value: &str) -> bool {
    let behind = rest.get(value.len()..).unwrap_or_default();
    let behind = behind.trim_start_matches([' ', '\t', '\r', '\\']);
    behind.is_empty()
        || behind.starts_with(['\n', '#', '`'])
        || behind.starts_with("*/")
        || behind.starts_with("-->")
        || value.len() + 4 > LONGEST
}

/// Whether a bracket is open at the end of a line's start, as in a list of arguments.
fn is_within_brackets(head: &str) -> bool {
    depth(head, ['(', '[', '{', '<'], [')', ']', '}', '>']) > 0
}

/// Whether a bracket is open that a flow of YAML has, and no other.
fn is_within_flow(head: &str) -> bool {
    let is_code = head.contains(['(', ';', '<', '$', '=', '"']) || head.contains("return");
    !is_code && depth(head, ['{'; 4], ['}'; 4]) > 0
}

fn depth(head: &str, opens: [char; 4], closes: [char; 4]) -> usize {
    let mut open = 0_usize;
    for c in head.chars() {
        if opens.contains(&c) {
            open += 1;
        } else if closes.contains(&c) {
            open = open.saturating_sub(1);
        }
    }
    open
}
