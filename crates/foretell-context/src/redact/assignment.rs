//! Values that are given to a name which calls them a secret: one grammar for all languages.
//!
//! `password = "…"` is written in as many ways as there are languages: with a type between, as an
//! argument, as an entry of a map, as a flag, a header, a query, an element. All of them are a name, what
//! joins a value to it, and the value. This reads what joins them; then
//!
//! - an *expression*, and every literal in it that its value can come from: of `a ?? "…"`, of
//!   `flag ? "…" : "…"`, of `get("NAME", "…")` the second, of `"…" + "…"` both, judged as one; or
//! - a *bare* value, where a file or a program takes what follows literally (`bare_value`).
//!
//! Whether a value is a secret is `secret_value`'s to say. It is no table of patterns because a pattern can say
//! how such a value begins, but not where it ends: that depends on what it began with. Every step reads a
//! bounded way, so that names which lie in each other's values cost no more than their length.

use std::ops::Range;

use super::bare_value;
use super::secret_finder::floor;
use super::secret_name::SecretName;
use super::secret_rule::ValueStrictness;
use super::secret_value::{ValuePlace, is_given};
use super::string_literal::StringLiteral;
use super::value_expression::{OpenBracket, ValueExpression};
use super::value_joint::{
    TableColumn, ValueJoint, cells_below, listed_values, other_half, rows_below,
};

/// How many parts of an expression are looked at.
const MOST_PARTS: usize = 24;
/// How many parts of the second of a pair are looked at: `default="…"` has three.
const MOST_OF_PAIR: usize = 3;
/// How many letters words of other languages may end with.
const LONGEST_ENDING: usize = 3;

/// The result of reading an assignment.
#[derive(Default)]
pub(super) struct AssignmentReading {
    /// The values that are secrets.
    pub(super) secrets: Vec<Range<usize>>,
    /// How many bytes of values were looked at.
    pub(super) looked_at: usize,
    /// Up to where there is nothing more to be found by the same rule.
    pub(super) refused_up_to: usize,
}

/// The values that are given to a name in which `span` is the word.
pub(super) fn read(
    text: &str,
    span: &Range<usize>,
    strictness: ValueStrictness,
) -> AssignmentReading {
    // Most words are part of another one or have nothing joined to them: that is seen here, cheaply.
    if !is_joined(text, span) {
        return AssignmentReading::default();
    }
    let Some(name) = SecretName::read(text, span) else {
        return read_collection(text, span, strictness);
    };
    let start = span.end + name.behind.len();
    let mut reading = AssignmentReading::default();
    if let Some(value) = other_half(text, start, &name) {
        let joint = ValueJoint {
            sep: "=",
            close: "",
            is_spaced: true,
            is_broken: false,
            is_half: true,
            value,
        };
        read_value(text, &name, &joint, strictness, &mut reading);
    } else if let Some(joint) = ValueJoint::read(text, start) {
        read_value(text, &name, &joint, strictness, &mut reading);
    }
    let is_told = !reading.secrets.is_empty();
    let in_rows = |cells: Vec<usize>, is_code: bool| TableColumn {
        cells,
        between: ',',
        has_users: true,
        is_code,
    };
    let listed = || {
        let values = listed_values(text, span, start).map(|cells| in_rows(cells, false));
        values
            .or_else(|| rows_below(text, span, start).map(|cells| in_rows(cells, true)))
            .or_else(|| cells_below(text, span, start))
    };
    if let Some(column) = (!is_told).then(listed).flatten() {
        for value in &column.cells {
            let found = reading.secrets.len();
            let mut expression = ValueExpression::new(text, *value, ValuePlace::Given);
            expression.judge(&name, strictness, 1, &mut reading);
            if !expression.has_literal && !column.is_code {
                bare_value::read_cell(text, *value, &column, &name, strictness, &mut reading);
            }
            // Names in the rows of a table are no headers of another one, where the rows are values.
            if reading.secrets.len() > found {
                reading.refused_up_to = *value;
            }
        }
    }
    reading
}

/// The values of a collection, as in `passwords = map[string]string{"me": "…"}` and `passwords: ["…", "…"]`.
fn read_collection(
    text: &str,
    span: &Range<usize>,
    strictness: ValueStrictness,
) -> AssignmentReading {
    /// How far from its name a collection opens, and how far it is followed.
    const FARTHEST: usize = 60;
    const LONGEST: usize = 2_000;
    let mut reading = AssignmentReading::default();
    let rest = text.get(span.end..floor(text, span.end.saturating_add(LONGEST)));
    let rest = rest.unwrap_or_default();
    let is_plural = rest.strip_prefix('s').is_some_and(|behind| {
        let behind = behind.trim_start_matches(['"', '\'']).trim_start();
        behind.starts_with([':', '=']) && !behind.starts_with("==")
    });
    let is_opening = |at: &usize| {
        let between = rest.get(1..*at).unwrap_or_default();
        let is_type = |c: char| c.is_ascii_alphanumeric() || " :=<>[],\"'_\n".contains(c);
        *at < FARTHEST && between.chars().all(is_type)
    };
    let open = rest.find('{').filter(is_opening);
    let open = open.or_else(|| rest.find('[').filter(is_opening));
    let Some(open) = open.filter(|_| is_plural && strictness == ValueStrictness::Password) else {
        return reading;
    };
    let mut at = span.end + open + 1;
    let end = span.end + rest.len();
    while at < end {
        let Some(literal) = StringLiteral::read(text, at) else {
            let next = text.get(at..).and_then(|rest| rest.chars().next());
            if next.is_none_or(|c| matches!(c, '}' | ']' | ';' | '(')) {
                break;
            }
            at += next.map_or(1, char::len_utf8);
            continue;
        };
        at = literal.end;
        let behind = text.get(at..).unwrap_or_default().trim_start();
        let is_key = behind.starts_with(':') || behind.starts_with("=>");
        let value = text.get(literal.inside.clone()).unwrap_or_default();
        reading.looked_at += value.len();
        if !is_key && is_given(value, &SecretName::PASSWORD, strictness, ValuePlace::Entry) {
            reading.secrets.push(literal.inside);
        }
    }
    reading.refused_up_to = at.min(end);
    reading
}

fn read_value(
    text: &str,
    name: &SecretName<'_>,
    joint: &ValueJoint<'_>,
    strictness: ValueStrictness,
    reading: &mut AssignmentReading,
) {
    let is_keyed = joint.close.contains(['"', '\'', '`']);
    // The argument of a setter is a secret, whatever else is done with one.
    let name = &if joint.sep == "(" && is_called(name) {
        SecretName {
            before: "",
            ..*name
        }
    } else {
        *name
    };
    let setting = match joint.sep {
        "," if !is_keyed && is_copied(name) => Some(ValuePlace::Given),
        // `setopt(handle, CURLOPT_PASSWORD, "…")` and `set :deploy_password, "…"`.
        "," if !is_keyed
            && (strictness == ValueStrictness::Password || name.is_believed(strictness))
            && is_option(name) =>
        {
            Some(ValuePlace::Entry)
        }
        // `{password, "…"}` and `(password, "…")` in languages that have such pairs.
        "," if !is_keyed
            && name
                .head
                .trim_end_matches(|c: char| c.is_alphanumeric() || c == '_')
                .ends_with('{') =>
        {
            Some(ValuePlace::Entry)
        }
        "," if !is_keyed => None,
        // In a list of names, the next one is another name.
        "," if !is_first(name) && name.before.is_empty() && name.literal.len() < 5 => None,
        "," if name.before.starts_with("--") => Some(ValuePlace::Entry),
        // `options('Username', '…', 'Password', '…', 'Timeout', 30)`.
        "," if is_behind_user(name) => Some(ValuePlace::Entry),
        "," if !is_first(name) && !is_last(text, name, joint.value) => Some(ValuePlace::Beside),
        // `Kind::Password => "…"` says what is done with a kind.
        "=>" if name.is_capital() && !is_keyed && !name.is_constant() => Some(if is_typed(name) {
            ValuePlace::Given
        } else {
            ValuePlace::Beside
        }),
        "" if !joint.is_spaced || joint.is_broken || is_keyed => None,
        // `--secret-string '…'`, `X-Internal-Secret "…"` and `(def session-secret "…")`.
        "" if strictness == ValueStrictness::Random
            && name.is_believed(strictness)
            && (name.before.contains('-') || name.head.trim_start().starts_with("(def")) =>
        {
            Some(ValuePlace::Given)
        }
        // `WITH PASSWORD '…'`.
        // In words, `pass` is what is done with something.
        "" if name.before.is_empty() && name.literal == "pass" => None,
        "" if strictness == ValueStrictness::Password => Some(ValuePlace::Entry),
        "(" if name.before.is_empty() => Some(ValuePlace::Given),
        "," => Some(ValuePlace::Entry),
        "==" | "===" if strictness == ValueStrictness::Password => Some(ValuePlace::Given),
        ">" if text
            .get(joint.value..)
            .is_some_and(|rest| rest.starts_with("<![CDATA[")) =>
        {
            Some(ValuePlace::Given)
        }
        "" | "(" | ">" | "|" | "==" | "===" | "!=" | "!==" | "is" | "e.g." | "was" => {
            Some(ValuePlace::Beside)
        }
        ":" | "=>" => Some(ValuePlace::Entry),
        "to" | "or" | "with" | "as" if is_keyed => Some(ValuePlace::Entry),
        // `changed the password to '…'`.
        "to" if strictness == ValueStrictness::Password
            && name.literal.len() > 4
            && name.is_of_secret() =>
        {
            Some(ValuePlace::Entry)
        }
        "to" | "or" | "with" | "as" => None,
        _ => Some(ValuePlace::Given),
    };
    if let Some(block) = block_of_data(text, joint.value).filter(|_| setting.is_some()) {
        reading.looked_at += block.len();
        reading.refused_up_to = block.end;
        reading.secrets.push(block);
        return;
    }
    if let (Some(value), Some(_)) = (default_of_template(text, joint.value), setting) {
        let mut expression = ValueExpression::new(text, value, ValuePlace::Given);
        return expression.judge(name, strictness, 1, reading);
    }
    if let Some(list) = list_of_chars(text, joint.value).filter(|_| setting.is_some()) {
        reading.secrets.push(list);
        return;
    }
    // `user.password ? "…" : "…"` asks for one, and gives something else.
    let is_question = joint.sep.is_empty()
        && text
            .get(joint.value..)
            .is_some_and(|rest| rest.starts_with('?'));
    if let Some(setting) = setting.filter(|_| !is_question) {
        let mut expression = ValueExpression::new(text, joint.value, setting);
        expression.ends_at_colon = matches!(joint.sep, ":" | "," | "");
        expression.allows_list = name.is_of_secret();
        expression.skips = names_before(name)
            .filter(|_| matches!(joint.sep, "=" | ":="))
            .unwrap_or(0);
        // In words, a backtick begins code: "you can pass `x=1`".
        expression.refuses_backticks = matches!(joint.sep, "" | "to");
        let head = name.head.trim_start();
        expression.remark = ["//", "#", "*", "--"]
            .into_iter()
            .find(|sign| head.starts_with(sign));
        if joint.sep == "(" {
            expression.open.push(OpenBracket::Setter);
        }
        let most = if joint.sep == "," {
            MOST_OF_PAIR
        } else {
            MOST_PARTS
        };
        expression.judge(name, strictness, most, reading);
        if expression.has_literal {
            return;
        }
    }
    if let Some(list) = list_of_bytes(text, joint.value) {
        reading.secrets.push(list);
        return;
    }
    bare_value::read(text, name, joint, strictness, reading);
}

/// Lines of base64 that are given to a name, in quotes, in pieces that are put together, or as they are: a key, or
/// a file that is kept in code.
fn block_of_data(text: &str, start: usize) -> Option<Range<usize>> {
    const LONGEST: usize = 64 << 10;
    /// The separator before the first line, and between two.
    const LONGEST_GAP: usize = 60;
    /// How long the first line is, and the others are, at the least.
    const LEAST_FIRST: usize = 40;
    const LEAST: usize = 16;
    let bytes = text.as_bytes();
    let end = start.saturating_add(LONGEST).min(bytes.len());
    let is_data = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=_-".contains(byte);
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`+(\\,|>".contains(byte);
    let run = |from: usize, is_kind: &dyn Fn(&u8) -> bool| {
        let run = bytes.get(from..end).unwrap_or_default().iter();
        from + run.take_while(|byte| is_kind(byte)).count()
    };
    // A document in place begins below its first line.
    let near = text.get(start..floor(text, start.saturating_add(LONGEST_GAP)))?;
    let line = near.split('\n').next().filter(|line| line.contains("<<"));
    let mut at = start + line.map_or(0, str::len);
    let is_mixed = |line: &[u8]| {
        let has = |is_kind: fn(&u8) -> bool| line.iter().any(is_kind);
        has(u8::is_ascii_digit) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase)
    };
    let mut block: Option<Range<usize>> = None;
    let mut lines = 0;
    loop {
        let from = run(at, &is_between);
        let gap = bytes.get(at..from)?;
        let to = run(from, &is_data);
        let least = if lines == 0 { LEAST_FIRST } else { LEAST };
        let is_below = lines == 0 || gap.contains(&b'\n');
        // The name on the next line is no data: something is given to it.
        let behind = bytes.get(to..).unwrap_or_default();
        let behind = behind.strip_prefix(b"\"").unwrap_or(behind);
        let behind = behind.strip_prefix(b"'").unwrap_or(behind);
        let ends = matches!(
            behind.first(),
            None | Some(b'\n' | b'\r' | b'+' | b'\\' | b',' | b')' | b';' | b'`' | b'"' | b'\'')
        ) || behind.starts_with(b" +")
            || behind.starts_with(b" \\");
        let is_line = gap.len() <= LONGEST_GAP && to - from >= least && is_below && ends;
        // A line that does not begin like data is not followed to its end.
        if !is_line || !is_mixed(bytes.get(from..to)?) {
            break;
        }
        let first = block.map_or(from, |block| block.start);
        block = Some(first..to);
        lines += 1;
        at = to;
    }
    block.filter(|_| lines > 1)
}

/// Where the literal begins that a template has by default, as in `{{ .Values.password | default "…" }}`.
fn default_of_template(text: &str, start: usize) -> Option<usize> {
    const LONGEST: usize = 200;
    let rest = text.get(start..floor(text, start.saturating_add(LONGEST)))?;
    let line = rest.split('\n').next()?;
    line.trim_start_matches(['"', '\''])
        .starts_with("{{")
        .then_some(())?;
    let default = line.find("default")? + "default".len();
    let behind = line.get(default..)?;
    let literal = behind.len() - behind.trim_start_matches([' ', '(']).len();
    Some(start + default + literal)
}

/// The numbers of a list, if they are as many as the bytes of a key.
fn list_of_bytes(text: &str, start: usize) -> Option<Range<usize>> {
    const LEAST: usize = 16;
    const LONGEST: usize = 64 << 10;
    let rest = text.get(start..floor(text, start.saturating_add(LONGEST)))?;
    // Most values are none: that is seen at their beginning.
    let head = rest.get(..floor(rest, 24))?;
    head.find(['[', '{', '('])
        .and_then(|at| head.get(at..)?.find(|c: char| c.is_ascii_digit()))?;
    let is_call = |c: char| c.is_ascii_alphanumeric() || "_.&[]();:!<> ".contains(c);
    let open = rest.find(['[', '{', '('])?;
    // `[u8; 32]` and `new byte[]` are none.
    let open = rest
        .get(open..)?
        .find(|c: char| c.is_ascii_digit())
        .filter(|at| *at < 24)?
        + open;
    rest.get(..open)?
        .trim_end_matches(['{', '[', '('])
        .chars()
        .all(|c| is_call(c) || c == '{')
        .then_some(())?;
    let is_inside = |c: char| c.is_ascii_hexdigit() || c == 'x' || c == ',' || c.is_whitespace();
    let inside = rest.get(open..)?;
    let len = inside.find(|c: char| !is_inside(c)).unwrap_or(inside.len());
    let inside = inside
        .get(..len)?
        .trim_end_matches(|c: char| c == ',' || c.is_whitespace());
    (inside.split(',').count() >= LEAST).then(|| start + open..start + open + inside.len())
}

/// The characters of a list, as in `{ 'a', 'b', … }`, if they are as many as those of a password.
fn list_of_chars(text: &str, start: usize) -> Option<Range<usize>> {
    const LEAST: usize = 6;
    const MOST: usize = 128;
    let rest = text.get(start..floor(text, start.saturating_add(LEAST * MOST)))?;
    let inside = rest.strip_prefix(['{', '['])?.trim_start();
    let open = start + rest.len() - inside.len();
    let (mut at, mut count) = (open, 0);
    let mut end = open;
    while count < MOST {
        let quoted = text.get(at..)?.strip_prefix('\'')?;
        let len = quoted.get(1..)?.find('\'')? + 1;
        (len <= 4).then_some(())?;
        at += len + 2;
        end = at;
        count += 1;
        let behind = text.get(at..)?;
        let next = behind.strip_prefix(',').map(str::trim_start);
        let Some(next) = next.filter(|next| next.starts_with('\'')) else {
            break;
        };
        at += behind.len() - next.len();
    }
    (count >= LEAST).then_some(open..end)
}

/// How many names are given a value before this one, as in `user, password = "…", "…"`.
fn names_before(name: &SecretName<'_>) -> Option<usize> {
    let outside = name.head.get(..name.head.len() - name.before.len())?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ' ' | ',' | '$');
    let names = outside.trim_start();
    // A comma that nothing stands before goes with the line above.
    let is_list = names.trim_end().ends_with(',') && !names.starts_with(',');
    (is_list && names.chars().all(is_name)).then(|| names.matches(',').count())
}

/// Whether a name in quotes is the first of a pair, as in `define('DB_PASSWORD', '…')`.
fn is_first(name: &SecretName<'_>) -> bool {
    let outside = name.head.get(..name.head.len() - name.before.len());
    let outside = outside
        .unwrap_or_default()
        .trim_end_matches(['"', '\'', '`', ':', 'b', 'u', 'r']);
    let outside = outside.trim_end_matches(['-', ' ']);
    // A page finds a field by these signs.
    let outside = outside.trim_end_matches('#');
    let outside = ["[name=", "[id=", "[type="]
        .iter()
        .find_map(|by| outside.strip_suffix(by))
        .unwrap_or(outside)
        .trim_end_matches(|c: char| c.is_ascii_lowercase())
        .trim_end_matches(['"', '\'', '`']);
    let is_looked_up = || {
        ["get", "default", "pop("]
            .iter()
            .any(|word| outside.contains(word))
    };
    outside.is_empty() || outside.ends_with(['(', '[', '{']) || is_looked_up()
}

/// Whether a name in quotes stands behind that of a user and what it is, as options do that are pairs.
fn is_behind_user(name: &SecretName<'_>) -> bool {
    let outside = name.head.get(..name.head.len() - name.before.len());
    let mut parts = outside.unwrap_or_default().rsplit(',').skip(1);
    let _value = parts.next();
    let first = parts.next().unwrap_or_default();
    let first = first
        .rsplit(['(', '[', '{'])
        .next()
        .unwrap_or_default()
        .trim();
    let word = first.trim_matches(['"', '\'', '`']);
    word.len() + 2 == first.len()
        && ["user", "username", "login", "uid", "email"]
            .contains(&word.to_ascii_lowercase().as_str())
}

/// Whether a literal is the last thing that something is called with: a pair ends with its second half,
/// and a mere list of names does not.
fn is_last(text: &str, name: &SecretName<'_>, at: usize) -> bool {
    let end = StringLiteral::read(text, at).map(|literal| literal.end);
    let behind = end.and_then(|end| text.get(end..)).unwrap_or_default();
    let called = name.head.rfind('(').and_then(|open| name.head.get(..open));
    let is_call =
        called.is_some_and(|called| called.ends_with(|c: char| c.is_alphanumeric() || c == '_'));
    is_call && behind.trim_start().starts_with([')', '}'])
}

/// Whether a value is copied to a name or compared with it, as in `strcpy(password, "…")`.
fn is_copied(name: &SecretName<'_>) -> bool {
    const CALLS: &[&str] = &[
        "cpy", "cat", "printf", "assert", "equal", "eq!", "eq", "compare", "cmp", "verify",
        "check", "expect", "digest", "equals", "compare", "hash",
    ];
    let outside = name
        .head
        .get(..name.head.len() - name.before.len())
        .unwrap_or_default();
    let outside = outside.trim_end_matches(|c: char| c.is_alphanumeric() || "_.->&* ".contains(c));
    let called = outside.strip_suffix('(').map(str::to_ascii_lowercase);
    called.is_some_and(|called| CALLS.iter().any(|call| called.ends_with(call)))
}

/// Whether a name is the constant or the symbol that a function is given before its value.
fn is_option(name: &SecretName<'_>) -> bool {
    let outside = name.head.get(..name.head.len() - name.before.len());
    let outside = outside.unwrap_or_default().trim_end();
    let is_argument = outside.ends_with([',', '(']);
    let is_defined = outside.ends_with("define(");
    is_argument && name.is_constant() && (is_defined || !name.before.is_empty())
        || outside.ends_with(" :")
}

/// Whether a type stands before a name, as in `private string Password => "…"`.
fn is_typed(name: &SecretName<'_>) -> bool {
    let outside = name.head.get(..name.head.len() - name.before.len());
    let word = outside.unwrap_or_default().split_whitespace().next_back();
    word.is_some_and(|word| word.eq_ignore_ascii_case("string"))
}

/// Whether a function of that name is given a secret, as in `set_password("…")`.
fn is_called(name: &SecretName<'_>) -> bool {
    let mut words = name.words();
    let is_method = name.before.contains('.') && name.is_of_secret();
    is_method
        || words.any(|word| {
            matches!(
                word.as_str(),
                "set" | "with" | "add" | "update" | "change" | "put"
            )
        })
}

/// Whether anything may be joined to a name in which `span` is the word, at a glance.
fn is_joined(text: &str, span: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    let mut rest = bytes.get(span.end..).unwrap_or_default();
    let ending = rest.iter().take_while(|byte| byte.is_ascii_lowercase());
    if rest.is_empty() || ending.take(LONGEST_ENDING + 1).count() > LONGEST_ENDING {
        return false;
    }
    let is_tail = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let is_close = |byte: &u8| b"\\\"'`])*".contains(byte);
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let skip = |rest: &mut &[u8], most: usize, is_part: &dyn Fn(&u8) -> bool| {
        let parts = rest.iter().take(most).take_while(|byte| is_part(byte));
        let count = parts.count();
        *rest = &rest[count..];
        count
    };
    skip(&mut rest, 40, &is_tail);
    let closed = skip(&mut rest, 4, &is_close) > 0;
    skip(&mut rest, 30, &is_blank);
    // A flag has its value behind a blank.
    let is_flag = || {
        let before = bytes[..span.start].iter().rev();
        let mut before = before.skip_while(|byte| byte.is_ascii_lowercase()).take(1);
        before.all(|byte| matches!(byte, b'-' | b'_')) || bytes[..span.start].ends_with(b"require")
    };
    // So have a name in a file of logins and one that begins its line.
    let is_apart = || {
        matches!(
            bytes[..span.start].last(),
            None | Some(b' ' | b'\t' | b'\n' | b'_')
        )
    };
    let is_told = || {
        [
            b"is ".as_slice(),
            b"was ",
            b"e.g.",
            b"or ",
            b"to '",
            b"to \"",
        ]
        .iter()
        .any(|word| rest.starts_with(word))
    };
    match rest.first() {
        Some(
            b':' | b'=' | b'!' | b'?' | b'|' | b',' | b'(' | b'>' | b'"' | b'\'' | b'v' | b'['
            | b'{' | b'+' | b'.' | b'\n' | b'\r' | 0xEF,
        ) => true,
        // A cell of a table.
        Some(b';') => rest.get(1).is_some_and(u8::is_ascii_alphanumeric),
        // `<name>password</name>` and `local password <const> = …`.
        Some(b'<') => matches!(rest.get(1), Some(b'-' | b'<' | b'/' | b'c')),
        Some(_) => {
            closed
                || is_flag()
                || is_apart()
                || is_told()
                || rest.iter().take(24).any(|byte| *byte == b'=')
        }
        None => false,
    }
}
