//! The signs and words that join a value to its name.
//!
//! A separator, with a type before it or a block of YAML behind it; the other half of a pair (`name: NAME` and
//! `value: …`, in either order); or the place of a column in `(name, password) VALUES (…)`. It is apart from
//! `assignment` because it says only where a value begins, and never looks at one.

use std::ops::Range;

use super::secret_finder::floor;
use super::secret_name::SecretName;
use super::string_literal::StringLiteral;

/// How far behind a name its value is looked for, literals aside.
pub(super) const FARTHEST: usize = 300;

/// Names of the other half of a pair whose first half is a name, in small letters.
#[rustfmt::skip]
const HALVES: &[&str] = &[
    "string", "envdefault", "body", "value", "default", "content", "plaintext", "stringvalue",
    "secretvalue", "val", "defaultvalue",
];

/// How a value is joined to its name.
pub(super) struct ValueJoint<'t> {
    /// Their separator.
    pub(super) sep: &'t str,
    /// The sign that closes the name.
    pub(super) close: &'t str,
    /// Whether there are blanks before or behind the separator.
    pub(super) is_spaced: bool,
    /// Whether there is a line end between them.
    pub(super) is_broken: bool,
    /// Whether it is the other half of a pair.
    pub(super) is_half: bool,
    /// Where the value begins.
    pub(super) value: usize,
}

impl<'t> ValueJoint<'t> {
    /// Reads how a value is joined to the name that ends here.
    pub(super) fn read(text: &'t str, start: usize) -> Option<Self> {
        let mut at = start;
        let close = take(text, &mut at, 4, |c| {
            matches!(c, '\\' | '"' | '\'' | '`' | ']' | ')' | '*')
        });
        // The attributes of an element, as in `<Pass encoding="base64">`.
        if let Some(end) = behind_attributes(text, start, at) {
            at = end;
        }
        let gap = take(text, &mut at, 30, is_blank);
        let mut is_spaced = !gap.is_empty();
        let mut sep = separator(text, at);
        // Signs as wide as the letters of Chinese.
        if text.get(at..)?.starts_with(['：', '＝']) {
            sep = ":";
            at += '：'.len_utf8() - sep.len();
            is_spaced = true;
        }
        // The next cell of a table of Markdown.
        if sep.is_empty() && is_spaced && text.get(at..)?.starts_with("| ") {
            sep = "|";
        }
        let typed = match sep {
            "" => behind_type(text, at),
            ":" => behind_type(text, at + 1),
            _ => None,
        };
        if let Some(equals) = typed {
            at = equals;
            sep = separator(text, at);
        }
        at += sep.len();
        // Languages without gaps between words have none behind a colon either.
        let is_wide = text
            .get(..start)?
            .chars()
            .next_back()
            .is_some_and(|last| !last.is_ascii() && !last.is_lowercase());
        is_spaced |= sep == ":" && is_wide;
        if let Some(value) = behind_label(text, at).filter(|_| sep.is_empty() && is_spaced) {
            sep = if text.get(at..value)?.trim_end().ends_with(':') {
                ":"
            } else {
                "is"
            };
            at = value;
        }
        if let Some(value) = behind_value_word(text, at).filter(|_| sep.is_empty()) {
            at = value;
            sep = "=";
        }
        if let Some(value) = behind_getter(text, at).filter(|_| matches!(sep, "" | ":")) {
            at = value;
            sep = "=";
        }
        // `password, err := …`.
        if let Some(value) = behind_others(text, at).filter(|_| sep == ",") {
            at = value;
            sep = "=";
        }
        // Markdown puts the name in bold.
        if sep == ":" {
            take(text, &mut at, 2, |c| c == '*');
        }
        // A block of YAML, as in `password: |` and a line.
        let is_folded = sep == ":" && {
            let mut end = at;
            let blanks = take(text, &mut end, 4, is_blank);
            let sign = take(text, &mut end, 2, |c| matches!(c, '|' | '>' | '+' | '-'));
            take(text, &mut end, 4, is_blank);
            let is_block = !blanks.is_empty()
                && sign.starts_with(['|', '>'])
                && text.get(end..)?.starts_with(['\r', '\n']);
            if is_block {
                at = end;
            }
            is_block
        };
        let space = take(text, &mut at, 40, char::is_whitespace);
        // An anchor or a tag of YAML.
        if sep == ":" && text.get(at..)?.starts_with(['&', '!']) {
            let mut end = at;
            take(text, &mut end, 30, |c| {
                c.is_alphanumeric() || matches!(c, '&' | '!' | '_' | '-')
            });
            if !take(text, &mut end, 4, is_blank).is_empty() {
                at = end;
            }
        }
        is_spaced |= !space.is_empty();
        Some(ValueJoint {
            sep,
            close,
            is_spaced,
            is_broken: is_folded || space.contains('\n'),
            is_half: false,
            value: at,
        })
    }
}

pub(super) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t')
}

/// The characters from here on that are of a kind, and no more than so many bytes of them.
pub(super) fn take<'t>(
    text: &'t str,
    at: &mut usize,
    most: usize,
    is_kind: impl Fn(char) -> bool,
) -> &'t str {
    let rest = text.get(*at..).unwrap_or_default();
    let is_end = |(end, c): &(usize, char)| end + c.len_utf8() > most || !is_kind(*c);
    let end = rest
        .char_indices()
        .find(is_end)
        .map_or(rest.len(), |(end, _)| end);
    *at += end;
    rest.get(..end).unwrap_or_default()
}

/// Separators of a name and its value, the longest first.
const SEPARATORS: &[&str] = &[
    "!==", "===", ":-", "||=", "??=", "<<<", ":=", "=>", "<-", "==", "!=", "?=", "+=", ".=", "||",
    "??", "=", ":", ",", "(", ">",
];

/// The calls by which tests type into the field that was named.
const FILLING: &[&str] = &[
    ".fill(",
    ".type(",
    ".sendKeys(",
    ".send_keys(",
    ".setValue(",
    ".set(",
    ".equals(",
    ", with: ",
];

/// The calls that say what is taken where the value that was named is missing.
const FALLBACKS: &[&str] = &[
    ".unwrap_or(",
    ".unwrap_or_else(|_| ",
    ".unwrap_or_else(|| ",
    ".orElse(",
    ".or_else(",
    ".getOrElse(",
    ".getOrElse { ",
];

fn separator(text: &str, at: usize) -> &'static str {
    let rest = text.get(at..).unwrap_or_default();
    // A path is no assignment.
    if rest.starts_with("::") {
        return "";
    }
    // `the password is …`.
    if let Some(word) = ["is ", "e.g. ", "was ", "to ", "or ", "with ", "as "]
        .iter()
        .find(|word| rest.starts_with(**word))
    {
        return word.trim_end();
    }
    // `std::string password{"…"}`.
    if rest.starts_with("{\"") {
        return "{";
    }
    // `getByLabel("Password").fill("…")`.
    let calls = FILLING.iter().chain(FALLBACKS);
    if let Some(call) = calls.into_iter().find(|call| rest.starts_with(**call)) {
        return call;
    }
    let found = SEPARATORS.iter().find(|sep| rest.starts_with(**sep));
    found.copied().unwrap_or_default()
}

/// Where the value begins behind what else is given one, as in `password, err := …`.
fn behind_others(text: &str, start: usize) -> Option<usize> {
    let rest = text
        .get(start..floor(text, start.saturating_add(16)))?
        .trim_start();
    let behind = ["_", "err", "ok"]
        .iter()
        .find_map(|other| rest.strip_prefix(other))?
        .trim_start();
    let value = behind
        .strip_prefix(":=")
        .or_else(|| behind.strip_prefix("= "))?;
    let read = text
        .get(start..floor(text, start.saturating_add(16)))?
        .len();
    Some(start + read - value.len())
}

/// Where an element's opening ends whose name began with `<` and ended at `at`.
fn behind_attributes(text: &str, start: usize, at: usize) -> Option<usize> {
    const LONGEST: usize = 100;
    let before = text.get(floor(text, start.saturating_sub(60))..start)?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '.');
    before
        .trim_end_matches(is_name)
        .ends_with('<')
        .then_some(())?;
    let rest = text.get(at..floor(text, at.saturating_add(LONGEST)))?;
    let end = rest.find(['>', '<', '\n'])?;
    (rest.starts_with(' ') && rest.get(end..)?.starts_with('>')).then_some(at + end)
}

/// Where the `=` is behind a type, as in `token: &str = "…"`, `pass[] = "…"`, `var password string = "…"`
/// and `Password { get; set; } = "…"`.
fn behind_type(text: &str, start: usize) -> Option<usize> {
    const LONGEST: usize = 48;
    let rest = text.get(start..floor(text, start.saturating_add(LONGEST)))?;
    let is_type = |c: char| c.is_ascii_alphanumeric() || "_&'<>[]?|.,:*;{}() ".contains(c);
    let end = rest.find(|c: char| !is_type(c))?;
    let kind = rest.get(..end)?;
    let is_plain = rest.get(end..)?.starts_with('=')
        && !rest.get(end..)?.starts_with("==")
        && !rest.get(end..)?.starts_with("=>");
    // In `password: ab=cd` the sign is part of the value.
    let behind = rest.get(end + 1..).unwrap_or_default();
    let is_apart = kind.ends_with([' ', '>', ']', '}', ')'])
        || behind.is_empty()
        || behind.starts_with(|c: char| c.is_whitespace() || "\"'`@bru$&".contains(c));
    let is_plain = is_plain && is_apart && !kind.trim_start().starts_with('\'');
    // A length, as in `NVARCHAR(64)`, and no call.
    let is_plain = is_plain
        && kind
            .split('(')
            .skip(1)
            .all(|length| length.starts_with(|c: char| c.is_ascii_digit()));
    // A body is one of accessors.
    let is_body = !kind.contains(['{', ';']) || kind.contains("get") || kind.contains('[');
    // `password, name = "…"` gives a value to another name.
    let words = kind.split([' ', ',']).filter(|word| !word.is_empty());
    let is_one = words.count() <= 2 || kind.contains(['<', '{', '|']);
    (is_plain && is_body && is_one).then_some(start + end)
}

/// Where the value is behind more words of a label, as in `Password for the test server: …`. It must
/// be all that follows on its line.
fn behind_label(text: &str, start: usize) -> Option<usize> {
    const LONGEST: usize = 48;
    const LONGEST_VALUE: usize = 80;
    const MOST_WORDS: usize = 5;
    let rest = text.get(start..floor(text, start.saturating_add(LONGEST)))?;
    let is_label = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '\'' | '(' | ')' | '-');
    let (words, value) = if let Some((words, value)) = rest.split_once(" is ") {
        (words, value)
    } else {
        rest.split_once(": ")?
    };
    words.chars().all(is_label).then_some(())?;
    let is_begun = words.starts_with(char::is_alphabetic);
    let at = start + rest.len() - value.len();
    let line = text.get(at..floor(text, at.saturating_add(LONGEST_VALUE)))?;
    let line = line.split(['\n', '\r']).next()?.trim_end();
    let is_one = !line.is_empty() && !line.contains([' ', '(', '"', ',', ';']);
    (is_begun && is_one && words.split(' ').count() <= MOST_WORDS).then_some(at)
}

/// Where the literal is behind a type and a word, as in `WS-PASSWORD PIC X(40) VALUE "…"` and
/// `lv_password TYPE string VALUE '…'`.
fn behind_value_word(text: &str, start: usize) -> Option<usize> {
    const LONGEST: usize = 60;
    let rest = text.get(start..floor(text, start.saturating_add(LONGEST)))?;
    let starts = |word: &str| {
        rest.get(..word.len())
            .is_some_and(|it| it.eq_ignore_ascii_case(word))
    };
    ["pic ", "type ", "like ", "picture "]
        .into_iter()
        .any(starts)
        .then_some(())?;
    let quote = rest.find(['"', '\''])?;
    let kind = rest.get(..quote)?.trim_end();
    let is_type = |c: char| c.is_ascii_alphanumeric() || "()_- ".contains(c);
    let word = kind.rsplit(' ').next()?;
    (word.eq_ignore_ascii_case("value") && kind.chars().all(is_type)).then_some(start + quote)
}

/// Where the literal is that a property gives, as in `password: String { return "…" }` and
/// `Password { get { return "…"; } }`.
fn behind_getter(text: &str, start: usize) -> Option<usize> {
    const LONGEST: usize = 80;
    let rest = text.get(start..floor(text, start.saturating_add(LONGEST)))?;
    let open = rest.find('{').filter(|open| *open < 32)?;
    let is_type = |c: char| c.is_ascii_alphanumeric() || "_?<>.[] ".contains(c);
    rest.get(..open)?.chars().all(is_type).then_some(())?;
    let mut body = rest.get(open + 1..)?;
    let mut is_getter = false;
    for part in ["get", "=>", "{", "return"] {
        let shorter = body.trim_start().strip_prefix(part);
        is_getter |= shorter.is_some();
        body = shorter.unwrap_or(body);
    }
    let value = body.trim_start();
    (is_getter && value.starts_with(['"', '\''])).then(|| start + rest.len() - value.len())
}

/// Where the value is of a pair whose first half is a name, as in `name: NAME` and `value: …`.
pub(super) fn other_half(text: &str, start: usize, name: &SecretName<'_>) -> Option<usize> {
    /// Names of the first half.
    const FIRST: &[&str] = &[
        "env", "set", "put", "name", "key", "variable", "\"name\"", "id", "property",
    ];
    let head = name.head.get(..name.head.len() - name.before.len())?;
    let head = head.trim_end_matches(|c: char| {
        c.is_whitespace() || matches!(c, '"' | '\'' | ':' | '=' | '\\' | '/' | '@' | '>')
    });
    let first = head.rsplit(|c: char| !c.is_ascii_alphanumeric()).next()?;
    let is_first = FIRST.iter().any(|known| first.eq_ignore_ascii_case(known))
        || head.rsplit(' ').nth(1) == Some("--name");
    // A name that has a block of its own: `password:`, then `type: string`, then `default: …`.
    let rest = text.get(start..floor(text, start.saturating_add(FARTHEST)))?;
    let opens_block = rest.starts_with(":\n")
        || rest.starts_with(":\r\n")
        || rest.trim_start_matches(['"', '\'']).starts_with(": {")
        || rest.starts_with(" {\n");
    // `<Password>`, then `<Value>…</Value>`.
    let opens_element = rest.starts_with(">\n") || rest.starts_with(">\r\n");
    if !is_first {
        let is_inside = |half: &usize| {
            let between = text.get(start..*half).unwrap_or_default();
            (opens_block || opens_element && !between.contains("</"))
                && is_inside_block(text, name, start, *half)
        };
        return (opens_block || opens_element)
            .then(|| half_behind(text, start).filter(is_inside))
            .flatten();
    }
    half_behind(text, start).or_else(|| half_before(text, start, name))
}

/// Whether a half is in the block that a name opens: on its line, or on lines further in.
fn is_inside_block(text: &str, name: &SecretName<'_>, start: usize, half: usize) -> bool {
    let between = text.get(start..half).unwrap_or_default();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let own = indent(name.head);
    between
        .lines()
        .skip(1)
        .filter(|line| !line.trim().is_empty())
        .all(|line| indent(line) > own)
}

/// Where the other half of a pair is before its name, as in `value: …` and `name: NAME`.
fn half_before(text: &str, end: usize, name: &SecretName<'_>) -> Option<usize> {
    const FARTHEST_BACK: usize = 160;
    let name_start = end.checked_sub(name.before.len() + name.literal.len() + name.behind.len())?;
    let from = floor(text, name_start.saturating_sub(FARTHEST_BACK));
    let before = text.get(from..name_start)?;
    let at = before.rfind("value")?;
    let between = before.get(at + 5..)?;
    // In the same entry or element, and with nothing else between.
    let is_near = between.matches('\n').count() <= 1
        && !between.contains(['}', '>', '<'])
        && !between.contains("\n- ");
    let mut value = from + at + 5;
    take(text, &mut value, 3, |c| matches!(c, '"' | '\'' | '\\'));
    take(text, &mut value, 8, is_blank);
    let sign = take(text, &mut value, 1, |c| matches!(c, ':' | '='));
    take(text, &mut value, 20, is_blank);
    (is_near && !sign.is_empty()).then_some(value)
}

/// Where the other half of a pair is behind its name.
fn half_behind(text: &str, start: usize) -> Option<usize> {
    let rest = text.get(start..floor(text, start.saturating_add(FARTHEST)))?;
    let mut at = 0;
    // Behind a sign or a line end, up to the end of the block.
    for (found, _) in rest.match_indices(|c: char| {
        c.is_whitespace() || matches!(c, ',' | '"' | '\'' | '{' | '>' | '<')
    }) {
        if rest.get(at..found)?.contains(['}', ')']) {
            return None;
        }
        at = found;
        let mut end = start + found + 1;
        // `--name … --value …`.
        let is_flag = !take(text, &mut end, 2, |c| c == '-').is_empty();
        let word = take(text, &mut end, 16, |c| {
            c.is_ascii_alphanumeric() || c == '_'
        });
        let is_half = HALVES.iter().any(|half| word.eq_ignore_ascii_case(half));
        // `<stringProp name="Argument.value">…`.
        if let Some(value) = behind_value_attribute(text, end).filter(|_| word == "name") {
            return Some(value);
        }
        if !is_half
            && matches!(
                word.to_ascii_lowercase().as_str(),
                "name" | "key" | "valuefrom"
            )
        {
            return None;
        }
        if is_half {
            take(text, &mut end, 3, |c| matches!(c, '"' | '\'' | '\\'));
            take(text, &mut end, 8, is_blank);
            let sign = take(text, &mut end, 2, |c| matches!(c, ':' | '=' | '>'));
            take(text, &mut end, 20, is_blank);
            if !sign.is_empty() || is_flag {
                return Some(end);
            }
        }
    }
    None
}

/// Where an element's text begins whose attribute ends here, if that calls it a value.
fn behind_value_attribute(text: &str, at: usize) -> Option<usize> {
    const LONGEST: usize = 40;
    let rest = text.get(at..floor(text, at.saturating_add(LONGEST)))?;
    let called = rest.strip_prefix("=\"")?;
    let end = called.find('"')?;
    let is_value = called.get(..end)?.ends_with(".value");
    (is_value && called.get(end..)?.starts_with("\">")).then_some(at + 2 + end + 2)
}

/// The cells below a name, in a table.
pub(super) struct TableColumn {
    /// Where each begins.
    pub(super) cells: Vec<usize>,
    /// The separator of the cells of a row.
    pub(super) between: char,
    /// Whether another column says who the passwords are of.
    pub(super) has_users: bool,
    /// Whether what has no quotes is the name of something.
    pub(super) is_code: bool,
}

/// Where the cells below a name are, in a table with commas, semicolons, tabs or bars between its cells.
pub(super) fn cells_below(text: &str, span: &Range<usize>, start: usize) -> Option<TableColumn> {
    const LONGEST: usize = 300;
    /// How far the rows are followed.
    const LONGEST_TABLE: usize = 4_000;
    const BETWEEN: [char; 4] = [',', '\t', ';', '|'];
    // Most names are none of a table, which is seen right behind them.
    let next = text.get(start..)?.trim_start_matches(' ');
    next.starts_with([',', '\t', '\n', '\r', '"', ';', '|'])
        .then_some(())?;
    let from = floor(text, span.start.saturating_sub(LONGEST));
    let head = text.get(from..span.start)?.rsplit('\n').next()?;
    let rest = text.get(start..floor(text, start.saturating_add(LONGEST_TABLE)))?;
    let tail = rest.get(..rest.find('\n').filter(|len| *len < LONGEST)? + 1)?;
    let between = tail
        .trim_start_matches(' ')
        .chars()
        .next()
        .filter(|c| BETWEEN.contains(c));
    let between = between.or_else(|| head.chars().rfind(|c| BETWEEN.contains(c)))?;
    let is_header = |part: &str| {
        let signs = match between {
            '|' => "_- \"\r\n*`/()",
            ';' => "_-\"\r\n",
            _ => "_- \"\r\n",
        };
        part.chars()
            .all(|c| c.is_alphanumeric() || c == between || signs.contains(c))
    };
    let column = head.matches(between).count();
    let count = column + tail.matches(between).count();
    // A table of bars has one at both ends; a type that is one of several has one before each.
    let least = if between == '|' { 2 } else { 1 };
    (count >= least && is_header(head) && is_header(tail)).then_some(())?;
    let mut at = start + tail.len();
    let mut cells = Vec::new();
    for row in rest.get(tail.len()..)?.split_inclusive('\n') {
        if row.matches(between).count() != count {
            break;
        }
        // The line below the header of a table of Markdown has nothing in it.
        let is_ruler = between == '|' && row.chars().all(|c| "|-:+ \r\n".contains(c));
        let before = row.split(between).take(column).map(|cell| cell.len() + 1);
        let mut cell = at + before.sum::<usize>();
        // Names that a call is given below each other have commas as well, and blanks before them.
        if between != ',' {
            take(text, &mut cell, 40, |c| c == ' ');
        }
        if !is_ruler {
            cells.push(cell);
        }
        at += row.len();
    }
    let header = [head, tail].concat().to_lowercase();
    let has_users = ["user", "login", "name", "mail", "account", "utente"]
        .iter()
        .any(|word| header.contains(word));
    (!cells.is_empty()).then_some(TableColumn {
        cells,
        between,
        has_users,
        is_code: false,
    })
}

/// Where the values are of a name in the head of a test that is run with rows of them, as in
/// `parametrize("user, password", [("…", "…"), …])`.
pub(super) fn rows_below(text: &str, span: &Range<usize>, start: usize) -> Option<Vec<usize>> {
    const FARTHEST_BACK: usize = 160;
    const MOST_ROWS: usize = 16;
    let before = text.get(floor(text, span.start.saturating_sub(FARTHEST_BACK))..span.start)?;
    let call = before.rfind("parametrize(")?;
    let names = before.get(call..)?;
    let is_name = |c: char| c.is_alphanumeric() || c.is_whitespace() || "_\"',([])".contains(c);
    names.chars().all(is_name).then_some(())?;
    let column = names.matches(',').count();
    let rest = text.get(start..floor(text, start.saturating_add(FARTHEST)))?;
    let open = rest.find('[')?;
    rest.get(..open)?.chars().all(is_name).then_some(())?;
    let mut at = start + open + 1;
    let mut values = Vec::new();
    for _ in 0..MOST_ROWS {
        take(text, &mut at, 60, |c| {
            c.is_whitespace() || c.is_alphabetic() || matches!(c, ',' | '.')
        });
        if !text.get(at..)?.starts_with(['(', '[']) {
            break;
        }
        let Some(value) = column_of(text, at + 1, column) else {
            break;
        };
        values.push(value);
        at = value;
        skip_value(text, &mut at);
        take(text, &mut at, 200, |c| !matches!(c, ')' | ']' | '\n'));
        take(text, &mut at, 1, |c| matches!(c, ')' | ']'));
    }
    Some(values)
}

/// Where the value of a column is, as in `(name, password) VALUES ('…', '…')`.
pub(super) fn listed_values(text: &str, span: &Range<usize>, start: usize) -> Option<Vec<usize>> {
    /// How many rows are looked at.
    const MOST_ROWS: usize = 32;
    const FARTHEST_BACK: usize = 200;
    let rest = text.get(start..floor(text, start.saturating_add(FARTHEST)))?;
    if !rest
        .trim_start_matches(['"', '`', ']', '\''])
        .trim_start()
        .starts_with([',', ')'])
    {
        return None;
    }
    let close = rest.find(')')?;
    let behind = rest.get(close + 1..)?.trim_start();
    let is_list = behind
        .get(..6)
        .is_some_and(|word| word.eq_ignore_ascii_case("values"));
    let values = behind.get(6..).filter(|_| is_list)?.find('(')?;
    let head = text.get(floor(text, span.start.saturating_sub(FARTHEST_BACK))..span.start)?;
    let column = head.get(head.rfind('(')?..)?.matches(',').count();
    let mut at = start + rest.len() - behind.len() + 6 + values + 1;
    let mut values = Vec::new();
    for _ in 0..MOST_ROWS {
        let Some(value) = column_of(text, at, column) else {
            break;
        };
        values.push(value);
        // Up to the next row.
        at = value;
        skip_value(text, &mut at);
        take(text, &mut at, 200, |c| !matches!(c, ')' | '\n'));
        let rest = text.get(at..)?.strip_prefix(')').map(str::trim_start);
        let next = rest
            .and_then(|rest| rest.strip_prefix(','))
            .map(str::trim_start);
        let Some(row) = next.and_then(|rest| rest.strip_prefix('(')) else {
            break;
        };
        at = text.len() - row.len();
    }
    Some(values)
}

/// Where the value of a column begins in a row.
fn column_of(text: &str, mut at: usize, column: usize) -> Option<usize> {
    for _ in 0..column {
        skip_value(text, &mut at);
        text.get(at..)?.starts_with(',').then_some(())?;
        at += 1;
    }
    take(text, &mut at, 20, char::is_whitespace);
    Some(at)
}

/// Goes past a value, which may be a literal with a comma in it.
fn skip_value(text: &str, at: &mut usize) {
    take(text, at, 20, char::is_whitespace);
    if let Some(literal) = StringLiteral::read(text, *at) {
        *at = literal.end;
    }
    take(text, at, 80, |c| !matches!(c, ',' | ')' | '\n'));
}
