//! [`Setting`]: all there is to know about one setting, apart from what it is set to.
//!
//! The rows of the [`table`](crate::settings_table) become these. Documentation, the JSON Schema and editors'
//! own lists of settings are made from them, so everything that any of those needs is public here.
//!
//! Which homes may set a setting is decided here too, and by refusing: a group that is not listed
//! is closed to workspace files, and a text that is not listed is closed to traces.

use crate::setting_origin::Home;
use crate::setting_value::{Headers, Value};
use crate::unit::Unit;
use crate::variable;

/// One setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Its dotted name.
    pub name: String,
    /// What it can be set to.
    pub kind: Kind,
    /// Its default, or nothing.
    pub default: Option<Value>,
    /// What it does, in a sentence.
    pub meaning: &'static str,
    /// What may set it.
    pub homes: Homes,
}

impl Setting {
    /// The environment variable that sets it.
    pub fn variable(&self) -> String {
        variable::of(&self.name)
    }

    /// What its number counts, if it is one.
    pub fn unit(&self) -> Option<Unit> {
        match self.kind {
            Kind::Whole { unit, .. } | Kind::Limit { unit, .. } => Some(unit),
            Kind::Factor { .. } => Some(Unit::Times),
            _ => None,
        }
    }
}

/// What a setting can be set to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// On or off.
    Switch,
    /// A whole number.
    Whole {
        /// The smallest.
        min: u64,
        /// The largest.
        max: u64,
        /// What it counts.
        unit: Unit,
    },
    /// A whole number, or nothing for no limit. It is never 0, which people read both ways.
    Limit {
        /// The smallest.
        min: u64,
        /// The largest.
        max: u64,
        /// What it counts.
        unit: Unit,
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

impl Kind {
    /// What a value of this kind is, for a sentence that goes "but must be".
    pub fn in_words(self) -> String {
        match self {
            Kind::Switch => "true or false".to_owned(),
            Kind::Whole { .. } | Kind::Limit { .. } => "a whole number".to_owned(),
            Kind::Factor { .. } => "a number".to_owned(),
            Kind::Text | Kind::OptionalText => "a text".to_owned(),
            Kind::Texts => "a list of texts".to_owned(),
            Kind::Choice(words) => one_of(words),
            Kind::Headers => "a table of texts".to_owned(),
        }
    }

    /// All that it can be set to, for a list of settings: `from 0 to 600000 milliseconds`.
    pub fn range_in_words(self) -> String {
        match self {
            Kind::Whole { min, max, unit } | Kind::Limit { min, max, unit } => {
                format!("from {min} to {max} {unit}")
            }
            Kind::Factor { min, max } => format!("from {min:?} to {max:?}"),
            kind => kind.in_words(),
        }
    }

    /// Whether what is written on a command line is taken as it stands.
    pub(crate) fn is_text(self) -> bool {
        matches!(
            self,
            Kind::Text | Kind::OptionalText | Kind::Choice(_) | Kind::Headers
        )
    }
}

/// What may set a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Homes {
    /// Every home.
    Every,
    /// Every home of the person's; a workspace file and a trace can only add to what those say.
    EveryByAdding,
    /// Every home but a workspace file.
    AllButWorkspace,
    /// The person's own homes: neither a workspace file nor a trace.
    Persons,
}

/// What a home may do to a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// Say what it is.
    Set,
    /// Add to it.
    Add,
    /// Nothing.
    Refused,
}

impl Homes {
    /// What a home may do.
    pub const fn permission(self, home: Home) -> Permission {
        match self {
            Homes::Every => Permission::Set,
            _ if home.is_the_persons() => Permission::Set,
            Homes::EveryByAdding => Permission::Add,
            Homes::AllButWorkspace if !matches!(home, Home::WorkspaceFile) => Permission::Set,
            Homes::AllButWorkspace | Homes::Persons => Permission::Refused,
        }
    }

    /// The homes of the setting with this name and kind.
    pub(crate) fn of(name: &str, kind: Kind) -> Self {
        /// All that a workspace file may set: they decide when Foretell speaks, and nothing else.
        const OPEN_GROUPS: [&str; 6] = ["trigger", "pace", "gate", "carry", "race", "rejections"];
        /// Texts that name neither a place, nor a file, nor a command, nor a secret.
        const HARMLESS_TEXTS: [&str; 3] = ["model", "explicitModel", "template"];

        let (group, _) = name.split_once('.').unwrap_or((name, ""));
        let (_, last) = name.rsplit_once('.').unwrap_or(("", name));
        let is_text = matches!(kind, Kind::Text | Kind::OptionalText | Kind::Headers);
        let reaches_out = is_text && !HARMLESS_TEXTS.contains(&last);
        if OPEN_GROUPS.contains(&group) {
            Homes::Every
        } else if name == "context.exclude" {
            Homes::EveryByAdding
        } else if reaches_out || last == "allowInsecure" {
            Homes::Persons
        } else {
            Homes::AllButWorkspace
        }
    }
}

/// A row of the table, in a form that a constant can have.
#[derive(Clone, Copy)]
pub(crate) struct SettingRow {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) default: Preset,
    pub(crate) meaning: &'static str,
}

/// A default, in a form that a constant can have.
#[derive(Clone, Copy)]
pub(crate) enum Preset {
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
            Preset::Nothing => None,
            Preset::Switch(on) => Some(Value::Switch(on)),
            Preset::Whole(number) => Some(Value::Whole(number)),
            Preset::Number(number) => Some(Value::Number(number)),
            Preset::Text(text) => Some(Value::Text(text.to_owned())),
            Preset::Texts(texts) => Some(Value::Texts(
                texts.iter().copied().map(str::to_owned).collect(),
            )),
            Preset::NoHeaders => Some(Value::Headers(Headers::default())),
        };
        Setting {
            homes: Homes::of(&name, self.kind),
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
