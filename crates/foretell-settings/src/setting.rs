//! [`Setting`]: all there is to know about one setting, apart from what it is set to.
//!
//! The rows of the [`table`](crate::settings_table) become these. Documentation, the JSON Schema and editors'
//! own lists of settings are made from them, so everything that any of those needs is public here.
//!
//! Which homes may set a setting is decided here too, and by refusing: a group that is not listed
//! is closed to workspace files, and a text that is not listed is closed to traces.

use crate::setting_origin::Home;
use crate::setting_value::{HeaderValues, SettingValue};
use crate::unit::SettingUnit;
use crate::variable;

/// One setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Its dotted name.
    pub name: String,
    /// The kind of its values.
    pub kind: SettingKind,
    /// Its default, or nothing.
    pub default: Option<SettingValue>,
    /// Its effect, in a sentence.
    pub meaning: &'static str,
    /// The homes that may set it.
    pub homes: HomeRule,
}

impl Setting {
    /// The environment variable that sets it.
    pub fn variable(&self) -> String {
        variable::of(&self.name)
    }

    /// The unit of its number, if it is one.
    pub fn unit(&self) -> Option<SettingUnit> {
        match self.kind {
            SettingKind::Whole { unit, .. } | SettingKind::Limit { unit, .. } => Some(unit),
            SettingKind::Factor { .. } => Some(SettingUnit::Times),
            _ => None,
        }
    }
}

/// The kind of a setting's values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingKind {
    /// On or off.
    Switch,
    /// A whole number.
    Whole {
        /// The smallest.
        min: u64,
        /// The largest.
        max: u64,
        /// Its unit.
        unit: SettingUnit,
    },
    /// A whole number, or nothing for no limit. It is never 0, which people read both ways.
    Limit {
        /// The smallest.
        min: u64,
        /// The largest.
        max: u64,
        /// Its unit.
        unit: SettingUnit,
    },
    /// A number that something is multiplied by.
    Factor {
        /// The smallest.
        min: f64,
        /// The largest.
        max: f64,
    },
    /// A text.
    Text,
    /// A text, or nothing; an empty text is nothing.
    OptionalText,
    /// A list of texts.
    Texts,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Texts by name. Each is a name of its own, below the setting's, and homes merge one by one.
    Headers,
}

impl SettingKind {
    /// The kind in words, for a sentence that goes "but must be".
    pub fn in_words(self) -> String {
        match self {
            SettingKind::Switch => "true or false".to_owned(),
            SettingKind::Whole { .. } | SettingKind::Limit { .. } => "a whole number".to_owned(),
            SettingKind::Factor { .. } => "a number".to_owned(),
            SettingKind::Text | SettingKind::OptionalText => "a text".to_owned(),
            SettingKind::Texts => "a list of texts".to_owned(),
            SettingKind::Choice(words) => one_of(words),
            SettingKind::Headers => "a table of texts".to_owned(),
        }
    }

    /// All that it can be set to, for a list of settings: `from 0 to 600000 milliseconds`.
    pub fn range_in_words(self) -> String {
        match self {
            SettingKind::Whole { min, max, unit } | SettingKind::Limit { min, max, unit } => {
                format!("from {min} to {max} {unit}")
            }
            SettingKind::Factor { min, max } => format!("from {min:?} to {max:?}"),
            kind => kind.in_words(),
        }
    }

    /// Whether what is written on a command line is taken as it stands.
    pub(crate) fn is_text(self) -> bool {
        matches!(
            self,
            SettingKind::Text
                | SettingKind::OptionalText
                | SettingKind::Choice(_)
                | SettingKind::Headers
        )
    }
}

/// The homes that may set a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HomeRule {
    /// Every home.
    Every,
    /// Every home of the person's; a workspace file and a trace can only add to what those say.
    EveryByAdding,
    /// Every home but a workspace file.
    AllButWorkspace,
    /// The person's own homes: neither a workspace file nor a trace.
    Persons,
}

/// The permission of a home for a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HomePermission {
    /// Say what it is.
    Set,
    /// Add to it.
    Add,
    /// Nothing.
    Refused,
}

impl HomeRule {
    /// The permission of a home.
    pub const fn permission(self, home: Home) -> HomePermission {
        match self {
            HomeRule::Every => HomePermission::Set,
            _ if home.is_the_persons() => HomePermission::Set,
            HomeRule::EveryByAdding => HomePermission::Add,
            HomeRule::AllButWorkspace if !matches!(home, Home::WorkspaceFile) => {
                HomePermission::Set
            }
            HomeRule::AllButWorkspace | HomeRule::Persons => HomePermission::Refused,
        }
    }

    /// The homes of the setting with this name and kind.
    pub(crate) fn of(name: &str, kind: SettingKind) -> Self {
        /// All that a workspace file may set: they decide when Foretell speaks, and nothing else.
        const OPEN_GROUPS: [&str; 7] = [
            "trigger",
            "pace",
            "gate",
            "carry",
            "recall",
            "race",
            "rejections",
        ];
        /// Texts that name neither a place, nor a file, nor a command, nor a secret.
        const HARMLESS_TEXTS: [&str; 3] = ["model", "explicitModel", "template"];

        let (group, _) = name.split_once('.').unwrap_or((name, ""));
        let (_, last) = name.rsplit_once('.').unwrap_or(("", name));
        let is_text = matches!(
            kind,
            SettingKind::Text | SettingKind::OptionalText | SettingKind::Headers
        );
        let reaches_out = is_text && !HARMLESS_TEXTS.contains(&last);
        if OPEN_GROUPS.contains(&group) {
            HomeRule::Every
        } else if name == "context.exclude" {
            HomeRule::EveryByAdding
        } else if reaches_out || last == "allowInsecure" {
            HomeRule::Persons
        } else {
            HomeRule::AllButWorkspace
        }
    }
}

/// A row of the table, in a form that a constant can have.
#[derive(Clone, Copy)]
pub(crate) struct SettingRow {
    pub(crate) name: &'static str,
    pub(crate) kind: SettingKind,
    pub(crate) default: DefaultValue,
    pub(crate) meaning: &'static str,
}

/// A default, in a form that a constant can have.
#[derive(Clone, Copy)]
pub(crate) enum DefaultValue {
    Nothing,
    Switch(bool),
    Whole(u64),
    Number(f64),
    Text(&'static str),
    Texts(&'static [&'static str]),
    NoHeaders,
}

impl SettingRow {
    /// The setting of this row, under its own name or a lane's.
    pub(crate) fn setting(self, name: String) -> Setting {
        let default = match self.default {
            DefaultValue::Nothing => None,
            DefaultValue::Switch(on) => Some(SettingValue::Switch(on)),
            DefaultValue::Whole(number) => Some(SettingValue::Whole(number)),
            DefaultValue::Number(number) => Some(SettingValue::Number(number)),
            DefaultValue::Text(text) => Some(SettingValue::Text(text.to_owned())),
            DefaultValue::Texts(texts) => Some(SettingValue::Texts(
                texts.iter().copied().map(str::to_owned).collect(),
            )),
            DefaultValue::NoHeaders => Some(SettingValue::Headers(HeaderValues::default())),
        };
        Setting {
            homes: HomeRule::of(&name, self.kind),
            name,
            kind: self.kind,
            default,
            meaning: self.meaning,
        }
    }
}

/// `"a", "b" or "c"`
fn one_of(words: &[&str]) -> String {
    let quoted: Vec<_> = words.iter().map(|word| format!("{word:?}")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
