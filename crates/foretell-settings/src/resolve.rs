//! From what was written in every home to what each setting is, and where that comes from.
//!
//! First everything is checked, in the order it was written, and what does not fit becomes a fault and
//! is gone. Then homes are applied one on the other, the weakest first, so that a value which was
//! refused leaves that of the next lower home. Then each language gets a copy of the outcome, on which
//! what was said for that language is applied in the same way; that is why `languages.ID.x` beats `x`
//! from any home.
//!
//! Settings that must agree with each other are looked at after each home as a whole: a home that makes
//! them contradict each other has no say in either.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::check;
use crate::fault::{SettingsFault, SettingsProblem};
use crate::raw::{RawSettings, WrittenSetting, WrittenValue};
use crate::setting::HomePermission;
use crate::setting_name::{NameMeaning, SettingTarget, lane_of_key};
use crate::setting_origin::{Home, SettingOrigin};
use crate::setting_value::{HeaderValues, ServerUrl, SettingValue};
use crate::settings_table;
use crate::shared_model;

/// The values of all settings, for all languages and for each that differs.
pub(crate) struct ResolvedSettings {
    pub(crate) general: ResolvedValues,
    pub(crate) languages: BTreeMap<String, ResolvedValues>,
}

/// The value and origin of every setting, by name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ResolvedValues {
    /// Optional settings that are not set are absent.
    pub(crate) values: BTreeMap<String, SettingValue>,
    /// Several where homes add to each other, the weakest first; never none.
    pub(crate) origins: BTreeMap<String, Vec<SettingOrigin>>,
}

pub(crate) fn resolve(raws: &[RawSettings]) -> (ResolvedSettings, Vec<SettingsFault>) {
    let mut faults = Vec::new();
    let mut changes = Vec::new();
    for raw in raws {
        for entry in raw.entries() {
            match SettingChange::of(raw.home(), entry) {
                Ok(change) => changes.extend(change),
                Err(problem) => faults.push(SettingsFault {
                    origin: entry.origin.clone(),
                    problem,
                }),
            }
        }
    }

    let mut general = ValueLayers::of_defaults();
    general.apply(&changes, None, &mut faults);
    let mut languages = BTreeMap::new();
    let named: BTreeSet<_> = changes
        .iter()
        .filter_map(|change| change.language.as_ref())
        .collect();
    for language in named {
        let mut layers = general.clone();
        layers.apply(&changes, Some(language), &mut faults);
        languages.insert(language.clone(), layers.finish());
    }
    let general = general.finish();
    (ResolvedSettings { general, languages }, faults)
}

/// Something that was written and may be done.
struct SettingChange {
    home: Home,
    language: Option<String>,
    name: String,
    put: PutValue,
    origin: SettingOrigin,
}

enum PutValue {
    Value(Option<SettingValue>),
    Added(Vec<String>),
    Header { name: String, says: String },
}

impl SettingChange {
    /// The change that an entry asks for; nothing, if it is an empty group.
    fn of(home: Home, entry: &WrittenSetting) -> Result<Option<Self>, SettingsProblem> {
        let is_empty_table = entry.written == WrittenValue::Table;
        let target = match NameMeaning::by(&entry.name) {
            NameMeaning::Setting(target) => target,
            NameMeaning::Group { .. } if is_empty_table => return Ok(None),
            NameMeaning::Group { example } => {
                let name = entry.name.clone();
                return Err(SettingsProblem::Group { name, example });
            }
            NameMeaning::Nothing { nearest } => {
                let name = entry.name.clone();
                return Err(match lane_of_key(&name) {
                    Some(lane) => SettingsProblem::KeyItself {
                        lane: lane.to_owned(),
                    },
                    None => SettingsProblem::Unknown { name, nearest },
                });
            }
        };
        let permission = target.setting.homes.permission(home);
        let is_address = target.setting.name.ends_with(".url");
        let is_stand_in = home == Home::Trace && is_address && is_stand_in(&entry.written);
        if permission == HomePermission::Refused && !is_stand_in {
            let name = target.name();
            return Err(SettingsProblem::Refused { name, home });
        }
        let no_headers = matches!(target.setting.default, Some(SettingValue::Headers(_)))
            && target.header.is_none()
            && is_empty_table;
        if no_headers {
            return Ok(None);
        }
        let value = check(&target, &entry.written)?;
        let SettingTarget {
            language,
            setting,
            header,
        } = target;
        let put = match (header, value) {
            (Some(name), Some(SettingValue::Text(says))) => PutValue::Header { name, says },
            (_, Some(SettingValue::Texts(texts))) if permission == HomePermission::Add => {
                PutValue::Added(texts)
            }
            (_, value) => PutValue::Value(value),
        };
        Ok(Some(SettingChange {
            home,
            language,
            name: setting.name,
            put,
            origin: entry.origin.clone(),
        }))
    }
}

/// Whether a value is an address that nothing answers.
fn is_stand_in(written: &WrittenValue) -> bool {
    matches!(written, WrittenValue::Text(text) if ServerUrl::from(text.as_str()).is_stand_in())
}

/// An outcome in the making.
#[derive(Clone)]
struct ValueLayers {
    outcome: ResolvedValues,
    /// Texts that are added in the end, so that no home and no language can set them aside.
    added: Vec<(String, Vec<String>, SettingOrigin)>,
}

impl ValueLayers {
    fn of_defaults() -> Self {
        let mut values = BTreeMap::new();
        let mut origins = BTreeMap::new();
        for setting in settings_table::settings() {
            origins.insert(setting.name.clone(), vec![SettingOrigin::of_defaults()]);
            if let Some(default) = setting.default {
                values.insert(setting.name, default);
            }
        }
        ValueLayers {
            outcome: ResolvedValues { values, origins },
            added: Vec::new(),
        }
    }

    /// Applies what was said for all languages, or for one.
    fn apply(
        &mut self,
        changes: &[SettingChange],
        language: Option<&String>,
        faults: &mut Vec<SettingsFault>,
    ) {
        for home in Home::ALL {
            let layer: Vec<_> = changes
                .iter()
                .filter(|change| change.home == home && change.language.as_ref() == language)
                .collect();
            if layer.is_empty() {
                continue;
            }
            let before = self.outcome.clone();
            for change in &layer {
                self.put(change);
            }
            for (low, high) in settings_table::ORDERED_PAIRS {
                faults.extend(self.keep_in_order(low, high, language, &layer, &before));
            }
        }
    }

    fn put(&mut self, change: &SettingChange) {
        let SettingChange { name, origin, .. } = change;
        let ResolvedValues { values, origins } = &mut self.outcome;
        match &change.put {
            PutValue::Value(value) => {
                match value {
                    Some(value) => values.insert(name.clone(), value.clone()),
                    None => values.remove(name),
                };
                origins.insert(name.clone(), vec![origin.clone()]);
            }
            PutValue::Header { name: header, says } => {
                let value = values
                    .entry(name.clone())
                    .or_insert_with(|| SettingValue::Headers(HeaderValues::default()));
                if let SettingValue::Headers(headers) = value {
                    headers.insert(header, says.clone());
                }
                add_origin(origins.entry(name.clone()).or_default(), origin);
            }
            PutValue::Added(texts) => {
                self.added
                    .push((name.clone(), texts.clone(), origin.clone()));
            }
        }
    }

    /// Takes back what a home said of two settings if the first is now above the second.
    fn keep_in_order(
        &mut self,
        low: &str,
        high: &str,
        language: Option<&String>,
        layer: &[&SettingChange],
        before: &ResolvedValues,
    ) -> Option<SettingsFault> {
        let number = |name: &str| match self.outcome.values.get(name) {
            Some(SettingValue::Whole(number)) => Some(*number),
            _ => None,
        };
        let (low_value, high_value) = (number(low)?, number(high)?);
        if low_value <= high_value {
            return None;
        }
        let said = |name| layer.iter().rev().find(|change| change.name == name);
        let culprit = said(low).or_else(|| said(high))?;
        for name in [low, high] {
            self.outcome.take_back(name, before);
        }
        let full = |name: &str| match language {
            Some(language) => format!("languages.{language}.{name}"),
            None => name.to_owned(),
        };
        Some(SettingsFault {
            origin: culprit.origin.clone(),
            problem: SettingsProblem::Reversed {
                low: full(low),
                low_value: low_value.to_string(),
                high: full(high),
                high_value: high_value.to_string(),
            },
        })
    }

    fn finish(self) -> ResolvedValues {
        let ResolvedValues {
            mut values,
            mut origins,
        } = self.outcome;
        for (name, texts, origin) in self.added {
            if let Some(SettingValue::Texts(all)) = values.get_mut(&name) {
                for text in texts {
                    if !all.contains(&text) {
                        all.push(text);
                    }
                }
            }
            add_origin(origins.entry(name).or_default(), &origin);
        }
        let mut resolved = ResolvedValues { values, origins };
        shared_model::share(&mut resolved);
        resolved
    }
}

impl ResolvedValues {
    fn take_back(&mut self, name: &str, before: &ResolvedValues) {
        if let Some(value) = before.values.get(name) {
            self.values.insert(name.to_owned(), value.clone());
        }
        if let Some(origins) = before.origins.get(name) {
            self.origins.insert(name.to_owned(), origins.clone());
        }
    }
}

/// Something that somebody said is no longer a default.
fn add_origin(origins: &mut Vec<SettingOrigin>, origin: &SettingOrigin) {
    origins.retain(|known| known.home != Home::Default);
    origins.push(origin.clone());
}
