//! The editor's settings: with `initialize`, when they change, or when it is asked.
//!
//! Absent on purpose: whose word that is, which the engine decides.

use foretell_settings::{Home, RawSettings, SettingOrigin};
use serde_json::{Map, Value};

use crate::methods::did_change_configuration::{SECTION, is_ours};

/// Settings that a client of Copilot's sends beside its own options, if it does. Those options are not
/// settings.
pub(crate) fn settings_of_copilot(says: &Value) -> Option<RawSettings> {
    let said = says.as_object()?.iter();
    let ours = said.filter(|(name, _)| is_ours(name));
    let ours: Map<String, Value> = ours.map(|(name, it)| (name.clone(), it.clone())).collect();
    if ours.is_empty() {
        None
    } else {
        settings(&Value::Object(ours))
    }
}

/// The settings that an editor sends, if it sends any.
pub(crate) fn settings(says: &Value) -> Option<RawSettings> {
    // Editors that have sections send ours in one.
    let says = says.get(SECTION).unwrap_or(says);
    if says.is_null() {
        return None;
    }
    let origin = SettingOrigin {
        home: Home::Editor,
        source: "editor".to_owned(),
        place: None,
    };
    // JSON that was read before cannot be malformed, and has no key twice.
    Some(RawSettings::from_json_within(&origin, &says.to_string()).0)
}
