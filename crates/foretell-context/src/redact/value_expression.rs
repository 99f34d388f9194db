//! Expressions: the literals that a value can come from.
//!
//! Of `a ?? "…"`, of `flag ? "…" : "…"`, of `get("NAME", "…")` the second, of `"…" + "…"` both, judged as one.
//! It knows no language: it passes over names, brackets and signs as all languages have them, and ends where
//! it meets anything else. It reads a bounded number of parts, and a bounded way.

use super::assignment::AssignmentReading;
use super::secret_name::SecretName;
use super::secret_rule::ValueStrictness;
use super::secret_value::{ValuePlace, is_given};
use super::string_literal::StringLiteral;
use super::value_joint::{FARTHEST, is_blank, take};

/// How many brackets may lie in each other.
const MOST_BRACKETS: usize = 4;

/// Ends of the names of functions that give what they are called with, as in `Some("…")`.
#[rustfmt::skip]
const MAKERS: &[&str] = &[
    "Some", "from", "new", "String", "str", "Str", "Secret", "SecretString", "SecretStr", "byte",
    "bytes", "Bytes", "encode", "b64decode", "Buffer.from", "to_string", "into", "Ok", "Just",
    "stringPtr", "ptr", "quote", "S", "SecureString", "toCharArray", "string", "char", "Value",
    "Literal", "literal", "Text", "pure", "constant", "Lit",
];

/// Names of functions that are called with the name of what they give, in small letters, and with
/// what they give if there is none.
#[rustfmt::skip]
const LOOKUPS: &[&str] = &[
    "get", "getenv", "env", "environ", "lookup", "fetch", "config", "getorelse", "getordefault",
    "lookupenv", "getproperty", "setting", "param", "coalesce", "nvl", "ifnull", "isnull",
    "default", "variable", "fallback", "or", "unwrap_or", "unwrap_or_else", "orelse", "getstring",
    "getvar", "envor", "read",
];

/// A bracket that is open in an expression.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum OpenBracket {
    /// Of what gives what is in it.
    Plain,
    /// Of what is called with a secret, and perhaps with more.
    Setter,
    /// Of what puts its arguments together.
    Concat,
    /// Of a function that gives something else.
    Call,
    /// Of one that is called with a name, and gives what it is called with behind that if there is none.
    Lookup { has_name: bool },
}

/// An expression that a value comes from.
pub(super) struct ValueExpression<'t> {
    text: &'t str,
    at: usize,
    setting: ValuePlace,
    pub(super) open: Vec<OpenBracket>,
    pub(super) has_literal: bool,
    pub(super) refuses_backticks: bool,
    has_question: bool,
    /// Whether a name stands right before: a literal does not follow one.
    is_behind_word: bool,
    /// Whether the name of a default stands right before.
    is_behind_default: bool,
    /// Whether a colon behind a literal makes it the name of something else.
    pub(super) ends_at_colon: bool,
    /// Whether the values of a list are values of the name.
    pub(super) allows_list: bool,
    /// How many values are those of other names.
    pub(super) skips: usize,
    /// The sign that each line begins with, such as `//`, if the name stands in a comment.
    pub(super) remark: Option<&'static str>,
}

impl<'t> ValueExpression<'t> {
    pub(super) fn new(text: &'t str, at: usize, setting: ValuePlace) -> Self {
        ValueExpression {
            text,
            at,
            setting,
            open: Vec::new(),
            has_literal: false,
            refuses_backticks: false,
            has_question: false,
            is_behind_word: false,
            is_behind_default: false,
            ends_at_colon: false,
            allows_list: true,
            skips: 0,
            remark: None,
        }
    }

    /// Judges the literals of the expression, `most` of its parts at the most.
    pub(super) fn judge(
        &mut self,
        name: &SecretName<'_>,
        strictness: ValueStrictness,
        most: usize,
        reading: &mut AssignmentReading,
    ) {
        let mut pieces: Vec<StringLiteral> = Vec::new();
        let mut read = 0;
        for _ in 0..most {
            self.skip(is_blank);
            let literal = self.literal();
            if literal.is_some() && self.is_behind_word {
                break;
            }
            if let Some(literal) = literal {
                read += literal.inside.len();
                self.at = literal.end;
                self.has_literal = true;
                // A literal before a colon is the name of something else.
                if self.ends_at_colon
                    && !self.has_question
                    && self.rest().trim_start_matches([' ', '\t']).starts_with(':')
                {
                    break;
                }
                if self.takes_literal() {
                    pieces.push(literal);
                }
            } else {
                let start = self.at;
                let is_joined = self.is_joined_to_next();
                if !is_joined {
                    self.settle(&mut pieces, name, strictness, reading);
                }
                if !self.pass() {
                    break;
                }
                read += self.at - start;
            }
            if read > FARTHEST && pieces.is_empty() {
                break;
            }
        }
        self.settle(&mut pieces, name, strictness, reading);
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip(&mut self, is_kind: impl Fn(char) -> bool) -> &'t str {
        take(self.text, &mut self.at, 60, is_kind)
    }

    fn literal(&self) -> Option<StringLiteral> {
        let literal = StringLiteral::read(self.text, self.at)?;
        (!literal.is_backtick || !self.refuses_backticks).then_some(literal)
    }

    /// Whether the value may come from a literal that stands here. Takes note of the name that something
    /// is looked up by.
    fn takes_literal(&mut self) -> bool {
        match self.open.last_mut() {
            Some(OpenBracket::Lookup { has_name }) => std::mem::replace(has_name, true),
            _ => self.skips == 0,
        }
    }

    /// Whether the next literal is put together with the last one.
    fn is_joined_to_next(&self) -> bool {
        let rest = self.rest().trim_start();
        let rest = self
            .remark
            .and_then(|sign| rest.strip_prefix(sign))
            .unwrap_or(rest)
            .trim_start();
        let is_concat = self.open.last() == Some(&OpenBracket::Concat) && rest.starts_with(',');
        is_concat
            || rest.starts_with(['+', '"', '\''])
            || rest.starts_with("..")
            || rest.starts_with(". ")
            || rest.starts_with("<>")
            || rest.starts_with('\\')
    }

    /// Passes over a part of the expression that is no literal; whether it goes on.
    fn pass(&mut self) -> bool {
        self.is_behind_word = false;
        let is_behind_default = std::mem::take(&mut self.is_behind_default);
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return false;
        };
        match first {
            '(' => return self.opens(OpenBracket::Plain),
            // The list of an entry has the values that it may have, more often than those it has.
            '[' if self.setting != ValuePlace::Entry && self.allows_list => {
                return self.opens(OpenBracket::Plain);
            }
            ')' | ']' | '}' if !self.open.is_empty() || first != '}' => {
                self.at += 1;
                return self.open.pop().is_some();
            }
            ',' => {
                self.at += 1;
                self.skip(char::is_whitespace);
                // A name that is looked up may be no literal.
                if let Some(OpenBracket::Lookup { has_name }) = self.open.last_mut() {
                    *has_name = true;
                }
                let is_skipped = self.open.is_empty() && self.skips > 0;
                self.skips -= usize::from(is_skipped);
                return is_skipped || !self.open.is_empty();
            }
            '\n' | '\r' => return self.goes_on_below(),
            // The default of a name, as in `default="…"`.
            '=' | ':' if is_behind_default => self.at += 1,
            // A body that gives a literal, and what a closure is called with.
            '{' if rest
                .get(1..)
                .is_some_and(|it| it.trim_start().starts_with(['"', '\''])) =>
            {
                return self.opens(OpenBracket::Plain);
            }
            '|' if !rest.starts_with("||") => {
                let end = rest
                    .get(1..)
                    .and_then(|it| it.find('|'))
                    .filter(|end| *end < 20);
                let Some(end) = end else {
                    return false;
                };
                self.at += end + 2;
            }
            '?' if rest.starts_with("??") || rest.starts_with("?:") => self.at += 2,
            '?' => {
                self.at += 1;
                self.has_question = true;
            }
            ':' if self.has_question => self.at += 1,
            '|' if rest.starts_with("||") => self.at += 2,
            // Perl writes `//` for `??`.
            '/' if rest.starts_with("// '") || rest.starts_with("// \"") => self.at += 2,
            '\\' if rest.starts_with("\\\n") || rest.starts_with("\\\r") => {
                self.at += 1;
                self.goes_on_below();
                return true;
            }
            '+' | '&' | '*' | '!' | '.' | '-' | '~' => {
                self.at += 1;
                if self.has_literal || first == '+' {
                    self.skip(char::is_whitespace);
                }
            }
            c if c.is_alphabetic() || matches!(c, '_' | '$' | '@') => return self.word(),
            _ => return false,
        }
        self.skip(char::is_whitespace);
        true
    }

    fn opens(&mut self, bracket: OpenBracket) -> bool {
        self.at += 1;
        self.open.push(bracket);
        self.skip_lines();
        self.open.len() <= MOST_BRACKETS
    }

    /// Passes over blanks, ends of lines, and what the lines of a remark begin with.
    fn skip_lines(&mut self) {
        let passed = self.skip(char::is_whitespace);
        if let Some(sign) = self
            .remark
            .filter(|sign| passed.contains('\n') && self.rest().starts_with(sign))
        {
            self.at += sign.len();
            self.skip(char::is_whitespace);
        }
    }

    /// Passes over a name, and what it is called with begins behind it.
    fn word(&mut self) -> bool {
        let word = self.skip(|c| c.is_alphanumeric() || "_.$:@?!>-".contains(c));
        let is_template = self.rest().starts_with("<");
        if is_template {
            let end = self.rest().find('>').filter(|end| *end < 40);
            self.at += end.map_or(0, |end| end + 1);
        }
        let word = word.trim_end_matches([':', '?', '!']);
        if self.rest().starts_with('(') {
            let last = word.rsplit(['.', ':', '>']).next().unwrap_or_default();
            let is_maker = MAKERS.iter().any(|known| word.ends_with(known));
            let small = last.to_ascii_lowercase();
            let is_lookup = LOOKUPS.contains(&small.as_str())
                || small.contains("env")
                || small.starts_with("get");
            let bracket = if is_lookup {
                // A function that replaces a missing value is called with nothing else.
                let has_name = small == "default"
                    || small.contains("or")
                        && !small.starts_with("get")
                        && !small.starts_with("env");
                OpenBracket::Lookup { has_name }
            } else if last.eq_ignore_ascii_case("concat") {
                OpenBracket::Concat
            } else if is_maker {
                OpenBracket::Plain
            } else {
                OpenBracket::Call
            };
            return self.opens(bracket);
        }
        if self.rest().starts_with('[') {
            // The name of an entry stands between the brackets.
            let end = self.rest().find(']').filter(|end| *end < 60);
            self.at += end.map_or(0, |end| end + 1);
        }
        const WORDS: &[&str] = &[
            "new", "or", "and", "if", "else", "await", "return", "not", "in", "unless", "then",
            "As", "String",
        ];
        self.is_behind_word = !WORDS.contains(&word);
        self.is_behind_default = [
            "with",
            "default",
            "fallback",
            "value",
            "initial",
            "defaultValue",
            "other",
        ]
        .contains(&word);
        !word.is_empty()
    }

    /// Whether the expression goes on below the end of a line, which is passed.
    fn goes_on_below(&mut self) -> bool {
        let below = self.rest().trim_start();
        let below = self
            .remark
            .and_then(|sign| below.strip_prefix(sign))
            .unwrap_or(below)
            .trim_start();
        let is_operator = ["+", "||", "??", "?", ": ", ".", "\"", "'", "or "]
            .iter()
            .any(|sign| below.starts_with(sign));
        let goes_on = !self.open.is_empty()
            || is_operator && self.has_literal
            || is_operator && !below.starts_with(['"', '\'', '.']);
        self.skip_lines();
        goes_on
    }

    /// Judges literals that are put together, as one.
    fn settle(
        &mut self,
        pieces: &mut Vec<StringLiteral>,
        name: &SecretName<'_>,
        strictness: ValueStrictness,
        reading: &mut AssignmentReading,
    ) {
        let Some(first) = pieces.first() else {
            return;
        };
        let setting = match self.open.last() {
            _ if pieces.iter().any(|piece| piece.is_cut_off) => ValuePlace::CutOff,
            Some(OpenBracket::Call) => ValuePlace::Beside,
            // With more than one argument, nobody knows which it is.
            Some(OpenBracket::Setter) if !is_last_argument(self.rest()) => ValuePlace::Beside,
            _ => self.setting,
        };
        let inside =
            |piece: &StringLiteral| self.text.get(piece.inside.clone()).unwrap_or_default();
        let joined;
        let mut value = inside(first);
        if pieces.len() > 1 {
            joined = pieces.iter().map(inside).collect::<String>();
            value = &joined;
        }
        reading.looked_at += value.len();
        // JSON writes letters of other languages like this.
        let unescaped;
        if value.contains("\\u") || value.contains("\\x") {
            unescaped = without_escapes(value);
            value = &unescaped;
        }
        // A line end at the end of a secret is not part of what makes it one.
        while let Some(shorter) = value.strip_suffix("\\n") {
            value = shorter;
        }
        if is_given(value, name, strictness, setting) {
            reading
                .secrets
                .extend(pieces.iter().map(|piece| piece.inside.clone()));
        }
        pieces.clear();
    }
}

/// Whether nothing else is given to a call behind a literal, as in `set("…".getBytes())`.
fn is_last_argument(rest: &str) -> bool {
    const LONGEST: usize = 24;
    let rest = rest.trim_start();
    let made = rest.strip_prefix('.').and_then(|made| {
        let open = made.find('(').filter(|open| *open < LONGEST)?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        made.get(..open)?.chars().all(is_name).then_some(())?;
        made.get(open + 1..)?.trim_start().strip_prefix(')')
    });
    made.unwrap_or(rest).trim_start().starts_with(')')
}

/// A value with the characters that `\u` and four digits stand for, or `\x` and two.
fn without_escapes(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest.find('\\') {
        text.push_str(rest.get(..at).unwrap_or_default());
        let escape = rest.get(at..).unwrap_or_default();
        let digits = match escape.as_bytes().get(1) {
            Some(b'u') => 4,
            Some(b'x') => 2,
            _ => 0,
        };
        let code = escape.get(2..2 + digits).filter(|_| digits > 0);
        let code = code.and_then(|code| u32::from_str_radix(code, 16).ok());
        if let Some(c) = code.and_then(char::from_u32) {
            text.push(c);
            rest = escape.get(2 + digits..).unwrap_or_default();
        } else {
            text.push('\\');
            rest = escape.get(1..).unwrap_or_default();
        }
    }
    text + rest
}
