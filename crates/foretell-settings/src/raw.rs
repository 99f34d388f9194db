//! [`RawSettings`]: what was written, and where, and nothing yet about whether it makes sense.
//!
//! Every way of writing ends in the same list of dotted names, in the order of the source: TOML, JSON
//! with comments, assignments on a command line, and environment variables. Tables and dotted keys are
//! the same thing, also when the dots are inside quotes. A text that cannot be read gives nothing but
//! its fault; a key that stands twice gives its fault and keeps what was set first, whatever the format
//! would say.
//!
//! Whether a name is a setting's and a value fits it is asked later, all homes together, by
//! [`Settings::resolve`](crate::Settings::resolve). A value may be a secret in the wrong place, so
//! `Debug` shows names only.

mod json_text;
mod toml_text;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::fault::{SettingsFault, SettingsFormat, SettingsProblem};
use crate::setting_name::SettingTarget;
use crate::setting_origin::{Home, PlaceIndex, SettingOrigin, SourcePlace};
use crate::variable::VariableMeaning;

/// Settings as one source has them.
#[derive(Clone)]
pub struct RawSettings {
    home: Home,
    entries: Vec<WrittenSetting>,
    /// Names that were set to null, which sets nothing.
    unset: Vec<(String, SettingOrigin)>,
}

/// One setting as it was written.
#[derive(Clone)]
pub(crate) struct WrittenSetting {
    pub(crate) name: String,
    pub(crate) written: WrittenValue,
    pub(crate) origin: SettingOrigin,
}

/// A value as it was written.
#[derive(Clone, PartialEq)]
pub(crate) enum WrittenValue {
    Switch(bool),
    Whole(i128),
    /// Any other number, and those too large for the variant above.
    Number(f64),
    Text(String),
    List(Vec<WrittenValue>),
    /// A table where it is not a group: empty, or in a list.
    Table,
    Date,
}

impl WrittenValue {
    /// Whether it is the same value, however it was written: an editor that reads `1e6` sends
    /// `1000000`, and one that knows only floating point rounds what is longer.
    fn is_same(&self, other: &WrittenValue) -> bool {
        if let (Some(number), Some(others)) = (self.number(), other.number()) {
            return number == others;
        }
        match (self, other) {
            (WrittenValue::List(items), WrittenValue::List(others)) => {
                let mut pairs = items.iter().zip(others);
                items.len() == others.len() && pairs.all(|(it, other)| it.is_same(other))
            }
            _ => self == other,
        }
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "what it loses an editor has lost before"
    )]
    fn number(&self) -> Option<f64> {
        match self {
            WrittenValue::Whole(number) => Some(*number as f64),
            WrittenValue::Number(number) => Some(*number),
            _ => None,
        }
    }
}

impl WrittenSetting {
    /// A value from a place where quoting twice is a burden: as TOML has it, or else as a text.
    fn assigned(name: &str, value: &str, origin: SettingOrigin) -> Self {
        let value = value.trim();
        let is_text = SettingTarget::of(name).is_some_and(|target| target.setting.kind.is_text());
        let written = match toml_text::read_value(value) {
            Some(WrittenValue::Text(text)) => WrittenValue::Text(text),
            Some(written) if !is_text => written,
            _ => WrittenValue::Text(value.to_owned()),
        };
        WrittenSetting {
            name: name.to_owned(),
            written,
            origin,
        }
    }
}

impl RawSettings {
    /// Reads a TOML file.
    pub fn from_toml(home: Home, source: &str, text: &str) -> (Self, Vec<SettingsFault>) {
        let text = without_byte_order_mark(text);
        let places = PlaceIndex::of(text);
        let origin = |at| origin(home, source, Some(places.at(at)));
        Self::collect(home, SettingsFormat::Toml, toml_text::read(text), origin)
    }

    /// Reads a JSON file as editors have them, with comments and trailing commas.
    ///
    /// `null` sets nothing, because editors send it for what is not set.
    pub fn from_json(home: Home, source: &str, text: &str) -> (Self, Vec<SettingsFault>) {
        let text = without_byte_order_mark(text);
        let places = PlaceIndex::of(text);
        let origin = |at| origin(home, source, Some(places.at(at)));
        Self::collect(home, SettingsFormat::Json, json_text::read(text), origin)
    }

    /// Reads JSON that is part of something larger, such as a message or a line of a trace: all of it
    /// has the origin of that.
    pub fn from_json_within(origin: &SettingOrigin, text: &str) -> (Self, Vec<SettingsFault>) {
        let everywhere = |_| origin.clone();
        Self::collect(
            origin.home,
            SettingsFormat::Json,
            json_text::read(text),
            everywhere,
        )
    }

    /// Reads `name=value` from a command line, where `source` is the name of the option.
    ///
    /// The value is read as TOML has it, or else as a text, so that a person need not quote twice. For
    /// a setting that is a text it is that text, even if it looks like a number.
    pub fn from_assignment(source: &str, assignment: &str) -> (Self, Vec<SettingsFault>) {
        let home = Home::CommandLine;
        let origin = origin(home, source, None);
        let Some((name, value)) = assignment.split_once('=') else {
            let text = assignment.to_owned();
            let problem = SettingsProblem::NotAnAssignment { text };
            return (Self::nothing(home), vec![SettingsFault { origin, problem }]);
        };
        let mut settings = Self::nothing(home);
        settings
            .entries
            .push(WrittenSetting::assigned(name.trim(), value, origin));
        (settings, Vec::new())
    }

    /// Reads the variables of an environment whose names begin with `FORETELL_`, each as an assignment
    /// to the setting it names; an empty one sets nothing.
    ///
    /// They come in no order, so that of two for the same setting the first by name holds.
    pub fn from_environment(
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> (Self, Vec<SettingsFault>) {
        let home = Home::Environment;
        let variables: BTreeMap<String, String> = variables.into_iter().collect();
        let mut entries: Vec<WrittenSetting> = Vec::new();
        let mut faults = Vec::new();
        for (variable, value) in variables {
            let Some(named) = VariableMeaning::by(&variable) else {
                continue;
            };
            if value.trim().is_empty() {
                continue;
            }
            let origin = origin(home, &variable, None);
            let problem = match named {
                VariableMeaning::Nothing { nearest } => {
                    SettingsProblem::UnknownVariable { nearest }
                }
                VariableMeaning::Key { lane } => SettingsProblem::KeyItself { lane },
                VariableMeaning::Setting(name)
                    if entries.iter().any(|entry| entry.name == name) =>
                {
                    SettingsProblem::Duplicate { name }
                }
                VariableMeaning::Setting(name) => {
                    entries.push(WrittenSetting::assigned(&name, &value, origin));
                    continue;
                }
            };
            faults.push(SettingsFault { origin, problem });
        }
        let settings = RawSettings {
            entries,
            ..Self::nothing(home)
        };
        (settings, faults)
    }

    /// Whether a variable of that name is one of ours, so that [`from_environment`](Self::from_environment)
    /// would read it.
    pub fn is_variable(name: &str) -> bool {
        VariableMeaning::by(name).is_some()
    }

    /// Their home.
    pub fn home(&self) -> Home {
        self.home
    }

    /// Every name that was written, in the order of the source, and where.
    pub fn names(&self) -> impl Iterator<Item = (&str, &SettingOrigin)> {
        self.entries
            .iter()
            .map(|entry| (entry.name.as_str(), &entry.origin))
    }

    /// Every name that was written to be `null`, which sets nothing but may have taken back what
    /// somebody else had set.
    pub fn unset(&self) -> impl Iterator<Item = (&str, &SettingOrigin)> {
        self.unset
            .iter()
            .map(|(name, origin)| (name.as_str(), origin))
    }

    /// Whether it says the same under a name as another does under another: the same value, however it
    /// is written, or both that there is none.
    pub fn agrees(&self, name: &str, other: &RawSettings, others_name: &str) -> bool {
        let is_unset = |it: &RawSettings, name: &str| it.unset().any(|(unset, _)| unset == name);
        let value = |it: &RawSettings, name: &str| {
            let entry = it.entries.iter().find(|entry| entry.name == name);
            entry.map(|entry| entry.written.clone())
        };
        match (value(self, name), value(other, others_name)) {
            (Some(ours), Some(theirs)) => ours.is_same(&theirs),
            _ => is_unset(self, name) && is_unset(other, others_name),
        }
    }

    /// The same without some of the names.
    #[must_use]
    pub fn without(&self, is_unwanted: impl Fn(&str) -> bool) -> Self {
        let entries = self
            .entries
            .iter()
            .filter(|entry| !is_unwanted(&entry.name));
        RawSettings {
            entries: entries.cloned().collect(),
            ..self.clone()
        }
    }

    pub(crate) fn entries(&self) -> &[WrittenSetting] {
        &self.entries
    }

    fn nothing(home: Home) -> Self {
        RawSettings {
            home,
            entries: Vec::new(),
            unset: Vec::new(),
        }
    }

    fn collect(
        home: Home,
        format: SettingsFormat,
        reading: Result<TextReading, ReadingFault>,
        origin: impl Fn(usize) -> SettingOrigin,
    ) -> (Self, Vec<SettingsFault>) {
        let mut reading = match reading.and_then(|reading| reading.bounded(home, format)) {
            Ok(reading) => reading,
            Err(ReadingFault { at, message }) => {
                let problem = SettingsProblem::Syntax { format, message };
                let origin = origin(at);
                return (Self::nothing(home), vec![SettingsFault { origin, problem }]);
            }
        };
        reading.found.sort_by_key(|found| found.at);
        let mut entries = Vec::new();
        let mut seen = BTreeSet::new();
        for FoundEntry { name, at, written } in reading.found {
            if seen.insert(name.clone()) {
                let origin = origin(at);
                entries.push(WrittenSetting {
                    name,
                    written,
                    origin,
                });
            } else {
                reading.repeated.push(RepeatedKey { name, at });
            }
        }
        reading.repeated.sort_by_key(|repeated| repeated.at);
        let duplicate = |RepeatedKey { name, at }| SettingsFault {
            origin: origin(at),
            problem: SettingsProblem::Duplicate { name },
        };
        let faults = reading.repeated.into_iter().map(duplicate).collect();
        let unset = reading.unset.into_iter();
        let unset = unset.map(|(name, at)| (name, origin(at))).collect();
        let settings = RawSettings {
            home,
            entries,
            unset,
        };
        (settings, faults)
    }
}

/// Names only: a value may be a secret.
impl fmt::Debug for RawSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.names().map(|(name, _)| name).collect();
        f.debug_struct("RawSettings")
            .field("home", &self.home)
            .field("names", &names)
            .finish()
    }
}

/// The entries of a text.
struct TextReading {
    found: Vec<FoundEntry>,
    /// Keys that the format does not allow twice, and so did not give.
    repeated: Vec<RepeatedKey>,
    /// Names that are null, and where.
    unset: Vec<(String, usize)>,
}

impl TextReading {
    /// Refuses what sets more than anybody writes: strangers write the settings of a workspace, and each name
    /// that is none of ours would be told of.
    fn bounded(self, home: Home, format: SettingsFormat) -> Result<Self, ReadingFault> {
        const MOST: usize = 2_000;
        let count = self.found.len() + self.repeated.len() + self.unset.len();
        // An editor's JSON has its own settings in it as well.
        if home != Home::WorkspaceFile || format != SettingsFormat::Toml || count <= MOST {
            return Ok(self);
        }
        let message = format!("it sets {count} things, and at most {MOST} are read");
        Err(ReadingFault { at: 0, message })
    }
}

struct FoundEntry {
    name: String,
    at: usize,
    written: WrittenValue,
}

struct RepeatedKey {
    name: String,
    at: usize,
}

/// Why a text cannot be read.
struct ReadingFault {
    at: usize,
    message: String,
}

/// The name of a key within a group.
fn dotted(group: &str, key: &str) -> String {
    if group.is_empty() {
        return key.to_owned();
    }
    format!("{group}.{key}")
}

fn origin(home: Home, source: &str, place: Option<SourcePlace>) -> SettingOrigin {
    SettingOrigin {
        home,
        source: source.to_owned(),
        place,
    }
}

/// Some editors begin a file with a mark that is no part of its text.
fn without_byte_order_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
