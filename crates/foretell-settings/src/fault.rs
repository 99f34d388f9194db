//! [`SettingsFault`]: what is wrong with what was written, where, and what to do about it.
//!
//! A fault is data, not the end: everything without one still applies. The words are here and nowhere
//! else. Unchecked names are printed escaped, and nothing prints what a header says or what may
//! be a key.

use crate::setting_origin::{Home, SettingOrigin};

/// Something that was written and does not apply.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{origin}: {problem}")]
pub struct SettingsFault {
    /// Where it was written.
    pub origin: SettingOrigin,
    /// The problem.
    pub problem: SettingsProblem,
}

/// A problem of something that was written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SettingsProblem {
    /// The text cannot be read, so nothing in it applies.
    #[error("not valid {format}: {message}; nothing in it applies until that is corrected")]
    Syntax {
        /// The format it was read as.
        format: SettingsFormat,
        /// The parser's message.
        message: String,
    },
    /// An assignment without an equals sign.
    #[error("{text:?} sets nothing; write a setting as name=value")]
    NotAnAssignment {
        /// The text as written.
        text: String,
    },
    /// The same setting twice in one source.
    #[error("duplicate key {name:?}; the first value holds")]
    Duplicate {
        /// The setting's name, or, in a TOML file, the part of it that was written again.
        name: String,
    },
    /// No setting is called that.
    #[error("unknown setting {name:?}{}", did_you_mean(.nearest.as_deref()))]
    Unknown {
        /// The name as written.
        name: String,
        /// The name that looks most like it, if one does.
        nearest: Option<String>,
    },
    /// No setting has that environment variable.
    #[error("names no setting, so it sets nothing{}", did_you_mean(.nearest.as_deref()))]
    UnknownVariable {
        /// The variable that looks most like it, if one does.
        nearest: Option<String>,
    },
    /// A key where only the place of one can stand.
    #[error(
        "never set a key itself; put it into a variable and name that in {lane}.apiKeyEnv, or into a \
         file and name that in {lane}.apiKeyFile"
    )]
    KeyItself {
        /// The group of the lane that it was meant for.
        lane: String,
    },
    /// A text that cannot be the name of a variable, and may be a key.
    #[error(
        "{} is not the name of a variable: those have letters, digits and underscores; put the key \
         itself into the variable",
        .name.escape_debug()
    )]
    VariableName {
        /// The setting.
        name: String,
    },
    /// An environment variable that is not a text.
    #[error("is not valid UTF-8, so it sets nothing; write that setting into config.toml")]
    NotUnicode,
    /// A group of settings was set to something.
    #[error("{name:?} is a group of settings; set one of them, such as {example:?}")]
    Group {
        /// The name of the group.
        name: String,
        /// A setting in it.
        example: String,
    },
    /// A value of another kind than the setting's.
    #[error("{} is {found}, but must be {wanted}", .name.escape_debug())]
    WrongKind {
        /// The setting.
        name: String,
        /// The written value, in words.
        found: String,
        /// The values it takes, in words.
        wanted: String,
    },
    /// A number beyond the setting's range.
    #[error("{} is {found}, but must be from {min} to {max}", .name.escape_debug())]
    OutOfRange {
        /// The setting.
        name: String,
        /// The number that was written.
        found: String,
        /// The smallest number it takes.
        min: String,
        /// The largest number it takes.
        max: String,
    },
    /// Two settings that contradict each other, and so do not apply, neither of them.
    #[error(
        "{low} is {low_value}, but must not be above {high}, which is {high_value}; both stay as they were"
    )]
    Reversed {
        /// The setting that must be the lower one.
        low: String,
        /// Its would-be value.
        low_value: String,
        /// The setting that must be the higher one.
        high: String,
        /// Its would-be value.
        high_value: String,
    },
    /// A setting that this home may not set.
    #[error("{} is refused in a {home}, {}", .name.escape_debug(), why_refused(*.home))]
    Refused {
        /// The setting.
        name: String,
        /// The home that tried.
        home: Home,
    },
    /// A header with a name that HTTP does not know how to send.
    #[error("{name:?} does not end in the name of a header; use letters, digits and hyphens")]
    HeaderName {
        /// The whole name of the setting.
        name: String,
    },
    /// A header that says something HTTP does not know how to send.
    #[error(
        "{} has a line break or a control character in it, which a header cannot carry",
        .name.escape_debug()
    )]
    HeaderValue {
        /// The whole name of the setting.
        name: String,
    },
}

/// How settings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingsFormat {
    /// As files have them.
    Toml,
    /// As editors and traces have them.
    Json,
}

impl std::fmt::Display for SettingsFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            SettingsFormat::Toml => "TOML",
            SettingsFormat::Json => "JSON",
        })
    }
}

fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!("; did you mean {name:?}?"))
}

fn why_refused(home: Home) -> &'static str {
    match home {
        Home::Trace => {
            "because somebody else's session must not decide where code is sent, what is run or \
             which files are used; set it with --set"
        }
        _ => {
            "because cloned code must not decide where code is sent, what is run or what is read; \
             set it in your own config.toml"
        }
    }
}
