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
use crate::raw::{Entry, RawSettings, Written};
use crate::setting::Permission;
use crate::setting_name::{Meant, SettingTarget, lane_of_key};
use crate::setting_origin::{Home, Origin};
use crate::setting_value::{Headers, Value};
use crate::settings_table;

/// What every setting is, for all languages and for each that differs.
pub(crate) struct Resolved {
    pub(crate) general: ResolvedValues,
    pub(crate) languages: BTreeMap<String, ResolvedValues>,
}

/// What every setting is and where that comes from, by name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ResolvedValues {
    /// Optional settings that are not set are absent.
    pub(crate) values: BTreeMap<String, Value>,
    /// Several where homes add to each other, the weakest first; never none.
    pub(crate) origins: BTreeMap<String, Vec<Origin>>,
}

pub(crate) fn resolve(raws: &[RawSettings]) -> (Resolved, Vec<SettingsFault>) {
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

    let mut general = Layers::of_defaults();
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
    (Resolved { general, languages }, faults)
}

/// Something that was written and may be done.
struct SettingChange {
    home: Home,
    language: Option<String>,
    name: String,
    put: Put,
    origin: Origin,
}

enum Put {
    Value(Option<Value>),
    Added(Vec<String>),
    Header { name: String, says: String },
}

impl SettingChange {
    /// What an entry asks for: nothing, if it is a group with nothing in it.
    fn of(home: Home, entry: &Entry) -> Result<Option<Self>, SettingsProblem> {
        let is_empty_table = entry.written == Written::Table;
        let target = match Meant::by(&entry.name) {
            Meant::Setting(target) => target,
            Meant::Group { .. } if is_empty_table => return Ok(None),
            Meant::Group { example } => {
                let name = entry.name.clone();
                return Err(SettingsProblem::Group { name, example });
            }
            Meant::Nothing { nearest } => {
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
        if permission == Permission::Refused {
            let name = target.name();
            return Err(SettingsProblem::Refused { name, home });
        }
        let no_headers = matches!(target.setting.default, Some(Value::Headers(_)))
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
            (Some(name), Some(Value::Text(says))) => Put::Header { name, says },
            (_, Some(Value::Texts(texts))) if permission == Permission::Add => Put::Added(texts),
            (_, value) => Put::Value(value),
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

/// An outcome in the making.
#[derive(Clone)]
struct Layers {
    outcome: ResolvedValues,
    /// What is added in the end, so that no home and no language can set it aside.
    added: Vec<(String, Vec<String>, Origin)>,
}

impl Layers {
    fn of_defaults() -> Self {
        let mut values = BTreeMap::new();
        let mut origins = BTreeMap::new();
        for setting in settings_table::settings() {
            origins.insert(setting.name.clone(), vec![Origin::of_defaults()]);
            if let Some(default) = setting.default {
                values.insert(setting.name, default);
            }
        }
        Layers {
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
            Put::Value(value) => {
                match value {
                    Some(value) => values.insert(name.clone(), value.clone()),
                    None => values.remove(name),
                };
                origins.insert(name.clone(), vec![origin.clone()]);
            }
            Put::Header { name: header, says } => {
                let value = values
                    .entry(name.clone())
                    .or_insert_with(|| Value::Headers(Headers::default()));
                if let Value::Headers(headers) = value {
                    headers.insert(header, says.clone());
                }
                add_origin(origins.entry(name.clone()).or_default(), origin);
            }
            Put::Added(texts) => {
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
            Some(Value::Whole(number)) => Some(*number),
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
            if let Some(Value::Texts(all)) = values.get_mut(&name) {
                for text in texts {
                    if !all.contains(&text) {
                        all.push(text);
                    }
                }
            }
            add_origin(origins.entry(name).or_default(), &origin);
        }
        ResolvedValues { values, origins }
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
fn add_origin(origins: &mut Vec<Origin>, origin: &Origin) {
    origins.retain(|known| known.home != Home::Default);
    origins.push(origin.clone());
}
