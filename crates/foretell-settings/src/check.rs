//! Whether what was written fits its setting: the one door from [`Written`] to [`Value`].

use crate::fault::SettingsProblem;
use crate::raw::Written;
use crate::setting::Kind;
use crate::setting_name::SettingTarget;
use crate::setting_value::Value;

/// How the setting ends that names a variable, which people take for the place of what is in it.
const VARIABLE: &str = ".apiKeyEnv";
/// How long the name of a variable may be.
const LONGEST_VARIABLE: usize = 128;

/// What a setting is to be; nothing where an optional one is switched off.
pub(crate) fn check(
    target: &SettingTarget,
    written: &Written,
) -> Result<Option<Value>, SettingsProblem> {
    let wrong_kind = || SettingsProblem::WrongKind {
        name: target.name(),
        found: in_words(written),
        wanted: target.setting.kind.in_words(),
    };
    let value = match (target.setting.kind, written) {
        (Kind::Headers, _) => return check_header(target, written).map(Some),
        (Kind::Switch, Written::Switch(on)) => Value::Switch(*on),
        (Kind::Whole { min, max, .. } | Kind::Limit { min, max, .. }, number) => {
            let number = number.as_number().ok_or_else(wrong_kind)?;
            Value::Whole(number.whole_within(min, max, target)?)
        }
        (Kind::Factor { min, max }, number) => {
            let number = number.as_number().ok_or_else(wrong_kind)?;
            Value::Number(number.within(min, max, target)?)
        }
        (Kind::OptionalText, Written::Text(text)) if text.is_empty() => return Ok(None),
        (Kind::OptionalText, Written::Text(text))
            if target.setting.name.ends_with(VARIABLE) && !may_be_a_variable(text) =>
        {
            return Err(SettingsProblem::VariableName {
                name: target.name(),
            });
        }
        (Kind::Text | Kind::OptionalText, Written::Text(text)) => Value::Text(text.clone()),
        (Kind::Texts, Written::List(items)) => {
            let texts = items.iter().map(Written::as_text);
            Value::Texts(texts.collect::<Option<_>>().ok_or_else(wrong_kind)?)
        }
        (Kind::Choice(words), Written::Text(text)) if words.contains(&text.as_str()) => {
            Value::Text(text.clone())
        }
        (Kind::Choice(_), Written::Text(text)) => {
            return Err(SettingsProblem::WrongKind {
                name: target.name(),
                found: format!("{text:?}"),
                wanted: target.setting.kind.in_words(),
            });
        }
        _ => return Err(wrong_kind()),
    };
    Ok(Some(value))
}

/// A header's name and what it says must be fit to send: a line break would begin another header.
fn check_header(target: &SettingTarget, written: &Written) -> Result<Value, SettingsProblem> {
    let wrong_kind = |wanted: &str| SettingsProblem::WrongKind {
        name: target.name(),
        found: in_words(written),
        wanted: wanted.to_owned(),
    };
    let Some(header) = &target.header else {
        return Err(wrong_kind(&target.setting.kind.in_words()));
    };
    let in_names = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    if header.is_empty() || !header.chars().all(in_names) {
        return Err(SettingsProblem::HeaderName {
            name: target.name(),
        });
    }
    let Some(says) = written.as_text() else {
        return Err(wrong_kind("a text"));
    };
    if says.chars().any(char::is_control) {
        return Err(SettingsProblem::HeaderValue {
            name: target.name(),
        });
    }
    Ok(Value::Text(says))
}

/// Whether a shell could set a variable of that name.
fn may_be_a_variable(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let begins = !text.starts_with(|c: char| c.is_ascii_digit());
    begins && text.len() <= LONGEST_VARIABLE && text.chars().all(fits)
}

impl Written {
    fn as_text(&self) -> Option<String> {
        match self {
            Written::Text(text) => Some(text.clone()),
            _ => None,
        }
    }

    fn as_number(&self) -> Option<Number> {
        match self {
            Written::Whole(number) => Some(Number::Whole(*number)),
            Written::Number(number) => Some(Number::Any(*number)),
            _ => None,
        }
    }
}

#[derive(Clone, Copy)]
enum Number {
    Whole(i128),
    Any(f64),
}

impl Number {
    /// The number, if it is whole and within bounds. JSON does not tell 5 from 5.0, so neither do we.
    fn whole_within(
        self,
        min: u64,
        max: u64,
        target: &SettingTarget,
    ) -> Result<u64, SettingsProblem> {
        let number = match self {
            Number::Whole(number) => number,
            // A conversion of a number that is too large stops at the largest.
            Number::Any(number) if number.fract() == 0.0 || number.is_infinite() => number as i128,
            Number::Any(number) => {
                return Err(SettingsProblem::WrongKind {
                    name: target.name(),
                    found: number.to_string(),
                    wanted: target.setting.kind.in_words(),
                });
            }
        };
        u64::try_from(number)
            .ok()
            .filter(|number| (min..=max).contains(number))
            .ok_or_else(|| self.out_of_range(min, max, target))
    }

    /// The number, if it is within bounds, which what is not a number never is.
    fn within(self, min: f64, max: f64, target: &SettingTarget) -> Result<f64, SettingsProblem> {
        let number = match self {
            Number::Whole(number) => number as f64,
            Number::Any(number) => number,
        };
        if !(min..=max).contains(&number) {
            return Err(self.out_of_range(min, max, target));
        }
        Ok(number)
    }

    fn out_of_range(
        self,
        min: impl ToString,
        max: impl ToString,
        target: &SettingTarget,
    ) -> SettingsProblem {
        let found = match self {
            Number::Whole(number) => number.to_string(),
            Number::Any(number) if number == f64::INFINITY => "too large".to_owned(),
            Number::Any(number) if number == f64::NEG_INFINITY => "too small".to_owned(),
            Number::Any(number) if number.is_nan() => "not a number".to_owned(),
            Number::Any(number) => number.to_string(),
        };
        SettingsProblem::OutOfRange {
            name: target.name(),
            found,
            min: min.to_string(),
            max: max.to_string(),
        }
    }
}

/// What was written, for a sentence that goes "is …, but must be". It does not repeat a text, which may
/// be a secret in the wrong place.
fn in_words(written: &Written) -> String {
    match written {
        Written::Switch(on) => on.to_string(),
        Written::Whole(_) | Written::Number(_) => "a number".to_owned(),
        Written::Text(_) => "a text".to_owned(),
        Written::Table => "a table".to_owned(),
        Written::Date => "a date".to_owned(),
        Written::List(items) => match items.iter().find(|item| !matches!(item, Written::Text(_))) {
            Some(item) => format!("a list with {} in it", in_words(item)),
            None => "a list".to_owned(),
        },
    }
}
