//! Environment variables as names of settings: `FORETELL_LANES_FIM_URL` is `lanes.fim.url`.
//!
//! A shell allows neither dots nor, by habit, small letters, so letters are compared without case, and
//! dots and underscores not at all; a test shows that no two settings become one by that. Two names
//! end in what is not the table's: a language's identifier ends at the next underscore and is in small
//! letters, and in the name of a header an underscore stands for a hyphen. Languages and headers with
//! other characters have to be set elsewhere.
//!
//! Absent on purpose: the environment itself, and the values.

use crate::setting::SettingKind;
use crate::setting_name::{LANGUAGES, SettingTarget, nearest_of};
use crate::settings_table;

/// The prefix of our variables.
const PREFIX: &str = "FORETELL_";

const GROUP_OF_LANGUAGES: &str = "languages";

/// The meaning of a variable of ours.
pub(crate) enum VariableMeaning {
    /// A setting, by its dotted name.
    Setting(String),
    /// None, and it looks as if there were a key in it, for the lane of this group.
    Key { lane: String },
    /// None; perhaps this variable was meant.
    Nothing { nearest: Option<String> },
}

impl VariableMeaning {
    /// The meaning of a variable; nothing, unless its name begins as ours do.
    pub(crate) fn by(variable: &str) -> Option<Self> {
        let rest = without_prefix(variable)?;
        let setting = dotted(rest).filter(|name| SettingTarget::of(name).is_some());
        Some(match setting {
            Some(name) => VariableMeaning::Setting(name),
            None => VariableMeaning::unknown(rest),
        })
    }
}

impl VariableMeaning {
    fn unknown(rest: &str) -> Self {
        // It is the beginning of those that say where a key is.
        let with_place = dotted(&format!("{rest}_env"));
        let lane = with_place
            .as_deref()
            .and_then(|it| it.strip_suffix(".apiKeyEnv"));
        match lane {
            Some(lane) => VariableMeaning::Key {
                lane: lane.to_owned(),
            },
            None => VariableMeaning::Nothing {
                nearest: nearest(rest),
            },
        }
    }
}

/// The variable for a setting, in the spelling that is easiest to read: `FORETELL_PACE_BASE_MS`.
pub(crate) fn of(setting: &str) -> String {
    let mut variable = PREFIX.to_owned();
    for c in setting.chars() {
        match c {
            '.' => variable.push('_'),
            c => {
                if c.is_ascii_uppercase() {
                    variable.push('_');
                }
                variable.push(c.to_ascii_uppercase());
            }
        }
    }
    variable
}

fn without_prefix(variable: &str) -> Option<&str> {
    let (start, rest) = variable.split_at_checked(PREFIX.len())?;
    start.eq_ignore_ascii_case(PREFIX).then_some(rest)
}

/// The dotted name, as far as one can be made out.
fn dotted(rest: &str) -> Option<String> {
    match of_language(rest) {
        Some((group, language, rest)) if group.eq_ignore_ascii_case(GROUP_OF_LANGUAGES) => {
            let language = language.to_lowercase();
            Some(format!("{LANGUAGES}{language}.{}", without_language(rest)?))
        }
        _ => without_language(rest),
    }
}

fn without_language(rest: &str) -> Option<String> {
    let written = plain(rest);
    settings()
        .find(|name| plain(name) == written)
        .or_else(|| header(rest))
}

/// The dotted name of one header.
fn header(rest: &str) -> Option<String> {
    settings_table::settings()
        .filter(|setting| setting.kind == SettingKind::Headers)
        .find_map(|setting| {
            let header = behind(rest, &plain(&setting.name))?.strip_prefix('_')?;
            let header = header.to_lowercase().replace('_', "-");
            Some(format!("{}.{header}", setting.name))
        })
}

/// The rest behind a plain name.
fn behind<'r>(rest: &'r str, plain_name: &str) -> Option<&'r str> {
    let mut wanted = plain_name.chars().peekable();
    for (at, c) in rest.char_indices() {
        match wanted.peek() {
            None => return rest.get(at..),
            Some(_) if is_separator(c) => {}
            Some(next) if *next == c.to_ascii_lowercase() => {
                wanted.next();
            }
            Some(_) => return None,
        }
    }
    None
}

fn settings() -> impl Iterator<Item = String> {
    settings_table::names().map(|(of_lane, setting)| format!("{of_lane}{setting}"))
}

/// Splits a name into `LANGUAGES`, a language, and the rest.
fn of_language(rest: &str) -> Option<(&str, &str, &str)> {
    let (group, behind) = rest.split_once('_')?;
    let (language, rest) = behind.split_once('_')?;
    Some((group, language, rest))
}

/// The variable that looks like this one, or, for a group, the first in it.
fn nearest(rest: &str) -> Option<String> {
    let prefix = match of_language(rest) {
        Some((group, language, _)) if is_almost_languages(group) => {
            format!("{LANGUAGES}{}.", language.to_lowercase())
        }
        _ => String::new(),
    };
    let candidates = || settings().map(|name| format!("{prefix}{name}"));
    let written = plain(rest);
    let nearest = nearest_of(&written, candidates().map(|name| (plain(&name), name)));
    nearest
        .or_else(|| {
            let group = format!("{PREFIX}{}_", rest.to_ascii_uppercase());
            candidates().find(|name| of(name).starts_with(&group))
        })
        .map(|name| of(&name))
}

fn is_almost_languages(group: &str) -> bool {
    strsim::osa_distance(&plain(group), GROUP_OF_LANGUAGES) <= 2
}

fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| !is_separator(*c))
        .flat_map(char::to_lowercase)
        .collect()
}

fn is_separator(c: char) -> bool {
    matches!(c, '.' | '_')
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_two_settings_have_the_same_variable() {
        let all: BTreeSet<_> = settings().map(|name| plain(&name)).collect();
        assert_eq!(all.len(), settings().count());
        let languages = |name: &String| name.starts_with(GROUP_OF_LANGUAGES);
        assert!(!all.iter().any(languages), "they would hide a language's");
        // A header's variable begins with that of the headers.
        for headers in settings().filter(|name| name.ends_with(".headers")) {
            let begin = plain(&headers);
            let begun = all.iter().filter(|name| name.starts_with(&begin));
            assert_eq!(begun.count(), 1, "{headers}");
        }
    }

    #[test]
    fn every_setting_is_found_by_the_variable_that_is_shown_for_it() {
        for name in settings() {
            let variable = of(&name);
            let Some(VariableMeaning::Setting(found)) = VariableMeaning::by(&variable) else {
                panic!("{variable} names nothing");
            };
            assert_eq!(found, name);
        }
    }
}
