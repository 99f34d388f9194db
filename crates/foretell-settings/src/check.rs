//! Whether what was written fits its setting: the one door from [`WrittenValue`] to [`SettingValue`].

use crate::fault::SettingsProblem;
use crate::raw::WrittenValue;
use crate::setting::SettingKind;
use crate::setting_name::SettingTarget;
use crate::setting_value::SettingValue;

/// How the setting ends that names a variable, which people take for the place of what is in it.
const VARIABLE: &str = ".apiKeyEnv";
/// How long the name of a variable may be.
const LONGEST_VARIABLE: usize = 128;

/// The value of a setting, checked; nothing where an optional one is switched off.
pub(crate) fn check(
    target: &SettingTarget,
    written: &WrittenValue,
) -> Result<Option<SettingValue>, SettingsProblem> {
    let wrong_kind = || SettingsProblem::WrongKind {
        name: target.name(),
        found: in_words(written),
        wanted: target.setting.kind.in_words(),
    };
    let value = match (target.setting.kind, written) {
        (SettingKind::Headers, _) => return check_header(target, written).map(Some),
        (SettingKind::Switch, WrittenValue::Switch(on)) => SettingValue::Switch(*on),
        (SettingKind::Whole { min, max, .. } | SettingKind::Limit { min, max, .. }, number) => {
            let number = number.as_number().ok_or_else(wrong_kind)?;
            SettingValue::Whole(number.whole_within(min, max, target)?)
        }
        (SettingKind::Factor { min, max }, number) => {
            let number = number.as_number().ok_or_else(wrong_kind)?;
            SettingValue::Number(number.within(min, max, target)?)
        }
        (SettingKind::OptionalText, WrittenValue::Text(text)) if text.is_empty() => {
            return Ok(None);
        }
        (SettingKind::OptionalText, WrittenValue::Text(text))
            if target.setting.name.ends_with(VARIABLE) && !may_be_a_variable(text) =>
        {
            return Err(SettingsProblem::VariableName {
                name: target.name(),
            });
        }
        (SettingKind::Text | SettingKind::OptionalText, WrittenValue::Text(text)) => {
            SettingValue::Text(text.clone())
        }
        (SettingKind::Texts, WrittenValue::List(items)) => {
            let texts = items.iter().map(WrittenValue::as_text);
            SettingValue::Texts(texts.collect::<Option<_>>().ok_or_else(wrong_kind)?)
        }
        (SettingKind::Choice(words), WrittenValue::Text(text))
            if words.contains(&text.as_str()) =>
        {
            SettingValue::Text(text.clone())
        }
        (SettingKind::Choice(_), WrittenValue::Text(text)) => {
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
fn check_header(
    target: &SettingTarget,
    written: &WrittenValue,
) -> Result<SettingValue, SettingsProblem> {
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
    Ok(SettingValue::Text(says))
}

/// Whether a shell could set a variable of that name.
fn may_be_a_variable(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let begins = !text.starts_with(|c: char| c.is_ascii_digit());
    begins && text.len() <= LONGEST_VARIABLE && text.chars().all(fits)
}

impl WrittenValue {
    fn as_text(&self) -> Option<String> {
        match self {
            WrittenValue::Text(text) => Some(text.clone()),
            _ => None,
        }
    }

    fn as_number(&self) -> Option<WrittenNumber> {
        match self {
            WrittenValue::Whole(number) => Some(WrittenNumber::Whole(*number)),
            WrittenValue::Number(number) => Some(WrittenNumber::Any(*number)),
            _ => None,
        }
    }
}

#[derive(Clone, Copy)]
enum WrittenNumber {
    Whole(i128),
    Any(f64),
}

impl WrittenNumber {
    /// The number, if it is whole and within bounds. JSON does not tell 5 from 5.0, so neither do we.
    fn whole_within(
        self,
        min: u64,
        max: u64,
        target: &SettingTarget,
    ) -> Result<u64, SettingsProblem> {
        let number = match self {
            WrittenNumber::Whole(number) => number,
            // A conversion of a number that is too large stops at the largest.
            WrittenNumber::Any(number) if number.fract() == 0.0 || number.is_infinite() => {
                number as i128
            }
            WrittenNumber::Any(number) => {
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
            WrittenNumber::Whole(number) => number as f64,
            WrittenNumber::Any(number) => number,
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
            WrittenNumber::Whole(number) => number.to_string(),
            WrittenNumber::Any(number) if number == f64::INFINITY => "too large".to_owned(),
            WrittenNumber::Any(number) if number == f64::NEG_INFINITY => "too small".to_owned(),
            WrittenNumber::Any(number) if number.is_nan() => "not a number".to_owned(),
            WrittenNumber::Any(number) => number.to_string(),
        };
        SettingsProblem::OutOfRange {
            name: target.name(),
            found,
            min: min.to_string(),
            max: max.to_string(),
        }
    }
}

/// The written value, for a sentence that goes "is …, but must be". It does not repeat a text, which
/// may be a secret in the wrong place.
fn in_words(written: &WrittenValue) -> String {
    match written {
        WrittenValue::Switch(on) => on.to_string(),
        WrittenValue::Whole(_) | WrittenValue::Number(_) => "a number".to_owned(),
        WrittenValue::Text(_) => "a text".to_owned(),
        WrittenValue::Table => "a table".to_owned(),
        WrittenValue::Date => "a date".to_owned(),
        WrittenValue::List(items) => match items
            .iter()
            .find(|item| !matches!(item, WrittenValue::Text(_)))
        {
            Some(item) => format!("a list with {} in it", in_words(item)),
            None => "a list".to_owned(),
        },
    }
}
