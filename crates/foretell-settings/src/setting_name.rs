//! The meaning of a dotted name: a setting, perhaps for one language, perhaps one header; a group; or
//! nothing, and then what it looks most like.
//!
//! Language identifiers may have dots in them (`yaml.ansible`), so the identifier is the shortest that
//! leaves the name of a setting. After a dot it cannot have the name of a group, or else a group
//! written twice (`languages.rust.gate.gate.enabled`) would be a language that does not exist.

use crate::group::SettingGroup;
use crate::setting::{Setting, SettingKind};
use crate::settings_table;

pub(crate) const LANGUAGES: &str = "languages.";

/// The longest name that is compared with those of the table, in characters. Beyond it is no slip of
/// the hand, and comparing takes time.
const LONGEST_SLIP: usize = 100;

/// The meaning of a name.
pub(crate) enum NameMeaning {
    Setting(SettingTarget),
    Group { example: String },
    Nothing { nearest: Option<String> },
}

/// A setting, as a name picks it out.
pub(crate) struct SettingTarget {
    /// The language it is for, or all.
    pub(crate) language: Option<String>,
    pub(crate) setting: Setting,
    /// Which header, where the setting is one of headers.
    pub(crate) header: Option<String>,
}

impl NameMeaning {
    pub(crate) fn by(name: &str) -> Self {
        if let Some(target) = SettingTarget::of(name) {
            return NameMeaning::Setting(target);
        }
        match example_of_group(name) {
            Some(example) => NameMeaning::Group { example },
            None => NameMeaning::Nothing {
                nearest: nearest(name),
            },
        }
    }
}

impl SettingTarget {
    pub(crate) fn of(name: &str) -> Option<Self> {
        if let Some((setting, header)) = find(name) {
            return Some(SettingTarget {
                language: None,
                setting,
                header,
            });
        }
        let rest = name.strip_prefix(LANGUAGES)?;
        let (language, (setting, header)) = rest.match_indices('.').find_map(|(dot, _)| {
            let (language, dotted) = rest.split_at_checked(dot)?;
            Some((language, find(dotted.strip_prefix('.')?)?))
        })?;
        // A slip in the name of a group is not the switch of a language that nobody has.
        let is_slip =
            !setting.name.contains('.') && language.split('.').skip(1).any(is_nearly_group);
        (is_language(language) && !is_slip).then(|| SettingTarget {
            language: Some(language.to_owned()),
            setting,
            header,
        })
    }

    /// The whole name, as the table spells it.
    pub(crate) fn name(&self) -> String {
        let mut name = String::new();
        if let Some(language) = &self.language {
            name = format!("{LANGUAGES}{language}.");
        }
        name.push_str(&self.setting.name);
        if let Some(header) = &self.header {
            name.push('.');
            name.push_str(header);
        }
        name
    }
}

/// The setting of a name without a language, and the header if it names one.
fn find(name: &str) -> Option<(Setting, Option<String>)> {
    if let Some(setting) = settings_table::setting(name) {
        return Some((setting, None));
    }
    let (before, header) = name.split_once(".headers.")?;
    let setting = settings_table::setting(&format!("{before}.headers"))?;
    (setting.kind == SettingKind::Headers).then(|| (setting, Some(header.to_owned())))
}

/// The group of the lane that a key itself was to be set for, by a name that no setting has.
pub(crate) fn lane_of_key(name: &str) -> Option<&str> {
    let (lane, last) = name.rsplit_once('.')?;
    let is_lane = || SettingTarget::of(&format!("{lane}.apiKeyEnv")).is_some();
    (plain(last) == "apikey" && is_lane()).then_some(lane)
}

/// Whether editors could call a language that, and it can be printed as it is.
fn is_language(id: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || "+-_#".contains(c);
    let is_part = |part: &str| !part.is_empty() && part.chars().all(fits);
    id.split('.').all(is_part) && !id.split('.').skip(1).any(is_group)
}

fn is_group(part: &str) -> bool {
    settings_table::names().any(|(of_lane, setting)| {
        let name = if of_lane.is_empty() { setting } else { of_lane };
        name.split('.').next() == Some(part)
    })
}

/// Whether somebody may have meant a group by that.
fn is_nearly_group(part: &str) -> bool {
    let groups = SettingGroup::ALL
        .iter()
        .map(|group| (plain(group.name), group.name.to_owned()));
    nearest_of(&plain(part), groups).is_some()
}

/// A setting in a group, or nothing if the name is not a group's.
fn example_of_group(name: &str) -> Option<String> {
    let in_group = |group: &str| {
        let start = format!("{group}.");
        settings_table::names()
            .map(|(of_lane, setting)| format!("{of_lane}{setting}"))
            .find(|name| name.starts_with(&start))
    };
    if let Some(example) = in_group(name) {
        return Some(example);
    }
    if name == "languages" {
        return Some(format!("{LANGUAGES}rust.trigger.enabled"));
    }
    let rest = name.strip_prefix(LANGUAGES)?;
    let (language, group) = rest.split_once('.').unwrap_or((rest, ""));
    if !is_language(language) {
        return None;
    }
    let example = match group {
        "" => "trigger.enabled".to_owned(),
        group => in_group(group)?,
    };
    Some(format!("{LANGUAGES}{language}.{example}"))
}

/// The name of a setting that looks like this one, if there is one.
///
/// Case, hyphens and underscores do not count, since people write names as other tools have them.
/// Apart from those, one slip in five characters is forgiven. Among equals the first of the table
/// wins.
fn nearest(name: &str) -> Option<String> {
    let prefix = language_prefix(name).unwrap_or_default();
    let candidates = settings_table::names().map(|(of_lane, setting)| {
        let candidate = format!("{prefix}{of_lane}{setting}");
        (plain(&candidate), candidate)
    });
    nearest_of(&plain(name), candidates)
}

/// The candidate whose plain form looks like what was written, if one does.
pub(crate) fn nearest_of(
    written: &str,
    candidates: impl Iterator<Item = (String, String)>,
) -> Option<String> {
    let length = written.chars().count();
    if length > LONGEST_SLIP {
        return None;
    }
    let forgiven = (length / 5).max(1);
    candidates
        .filter_map(|(spelt, candidate)| {
            // Lengths that are further apart need no comparison.
            let is_near = spelt.chars().count().abs_diff(length) <= forgiven;
            is_near.then(|| (strsim::osa_distance(written, &spelt), candidate))
        })
        .filter(|(distance, _)| *distance <= forgiven)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// `languages.ID.`, if the name begins with what could be meant for that.
fn language_prefix(name: &str) -> Option<String> {
    let (first, rest) = name.split_once('.')?;
    let (language, _) = rest.split_once('.')?;
    let meant = strsim::osa_distance(&plain(first), "languages") <= 2 && is_language(language);
    meant.then(|| format!("{LANGUAGES}{language}."))
}

fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '-' | '_'))
        .flat_map(char::to_lowercase)
        .collect()
}
