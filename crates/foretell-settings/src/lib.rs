//! Every setting, and what the sources of settings say of them.
//!
//! Names, defaults, ranges and homes are a table; the texts of files and messages go in, and settings
//! that code may trust come out, together with everything in those texts that does not apply and why.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`settings_table`] | every setting, in one table |
//! | [`setting`] | what the table knows of one: kind, range, homes |
//! | [`group`] | what the settings of a group have to do with each other |
//! | [`raw`] | [`RawSettings`], what was written, as TOML, JSON, an assignment or a variable |
//! | [`settings`] | [`Settings`], what code may trust |
//! | [`fault`] | [`SettingsFault`], what does not apply and why |
//! | [`setting_origin`] | where a setting comes from, and who wins |
//! | [`settings_reference`](mod@settings_reference), [`json_schema`](mod@json_schema), [`settings_template`](mod@settings_template) | the table as a page, a JSON Schema and a file to begin with |
//! | [`vscode`] | the table as the settings of the extension for VS Code |
//! | [`setting_value`], [`choice`], [`unit`](mod@unit) | what settings are made of |
//!
//! ```
//! use foretell_settings::{Home, RawSettings, Settings};
//!
//! let file = "[trigger]\nenabled = false\nrecentEditsMs = 5000\n";
//! let (user, _) = RawSettings::from_toml(Home::UserFile, "config.toml", file);
//! let (line, _) = RawSettings::from_assignment("--set", "languages.rust.trigger.enabled=true");
//!
//! let (settings, faults) = Settings::resolve(&[user, line]);
//! assert!(!settings.trigger.enabled);
//! assert!(settings.for_language("rust").trigger.enabled);
//! assert_eq!(settings.trigger.recent_edit.get(), 10_000);
//! assert_eq!(
//!     faults[0].to_string(),
//!     r#"config.toml:3:1: unknown setting "trigger.recentEditsMs"; did you mean "trigger.recentEditMs"?"#
//! );
//! ```
//!
//! Absent on purpose: files, the environment and command lines themselves, and watching any of them
//! for changes; the caller hands over their text. Keys of model servers are absent too: there
//! are settings for where a key is, and none for a key.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod check;
pub mod choice;
pub mod fault;
pub mod group;
pub mod json_schema;
pub mod raw;
mod resolve;
pub mod setting;
mod setting_name;
pub mod setting_origin;
pub mod setting_value;
pub mod settings;
pub mod settings_reference;
pub mod settings_table;
pub mod settings_template;
mod shared_model;
pub mod unit;
mod variable;
pub mod vscode;

pub use choice::{AheadChoice, BackEnd, LogLevel, RecallMode, SameLineMemory};
pub use fault::{SettingsFault, SettingsFormat, SettingsProblem};
pub use group::SettingGroup;
pub use raw::RawSettings;
pub use setting::{HomePermission, HomeRule, Setting, SettingKind};
pub use setting_origin::{Home, SettingOrigin, SourcePlace};
pub use setting_value::{HeaderValues, ServerUrl, SettingValue, names_this_machine};
pub use settings::{CurrentSetting, Settings};
pub use unit::{Millis, SettingUnit};
