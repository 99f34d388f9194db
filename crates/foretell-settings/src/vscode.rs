//! The table as VS Code's settings: the groups of `contributes.configuration` in the manifest of the
//! extension (`editors/vscode/package.json`), which a test compares with this.
//!
//! What VS Code cannot say, the server does when it hears a value: what is wrong with a pair of settings,
//! or with a name in a language's. The settings of a lane have a group for each lane, and those of
//! languages are one object, since their names are not known before.
//!
//! - A setting has scope `window` if a workspace file may set it, because the server asks for one tree
//!   for all folders. Every other has scope `machine`: what a repository has in `.vscode/settings.json`
//!   would otherwise arrive as the person's word. One that a workspace file may only add to is among
//!   those, because in VS Code it could take away.
//! - A text without a default is an empty one, which is the same to us; VS Code has no box for a text
//!   that may be `null`. A limit without a default is `null`.
//!
//! Absent on purpose: the extension's own settings, which stand before these and are written by hand.

use foretell_text::LaneKind;
use serde_json::{Map, Value as Json, json};

use crate::group::SettingGroup;
use crate::json_schema::of_setting;
use crate::setting::{HomePermission, Setting, SettingKind};
use crate::setting_origin::Home;
use crate::setting_value::SettingValue;
use crate::settings_table::{lane_prefix, settings};

/// The group of what is set for a language.
const LANGUAGES: &str = "languages";

/// The groups of settings in the extension's manifest, without the extension's own, as a list. Groups
/// count from 1, so that those can be the first.
pub fn configuration() -> Json {
    // A person who opens the page looks for their model first, and for the pace last.
    let of_group = |group: &SettingGroup| (title(group.name), properties(group.settings()));
    let (of_model, others): (Vec<_>, Vec<_>) = SettingGroup::ALL
        .iter()
        .filter(|group| group.name != "lanes")
        .partition(|group| group.name == "model");
    let of_model = of_model.into_iter().map(of_group);
    let mut groups: Vec<_> = of_model.chain(LaneKind::ALL.map(of_lane)).collect();
    groups.extend(others.into_iter().map(of_group));
    let languages = Map::from_iter([(format!("foretell.{LANGUAGES}"), of_languages())]);
    groups.push((title(LANGUAGES), languages));
    let numbered = groups.into_iter().zip(1_usize..);
    let groups = numbered.map(|((title, properties), order)| {
        json!({ "title": title, "order": order, "properties": properties })
    });
    let mut groups = Json::Array(groups.collect());
    // Whether objects have an order depends on who else is built.
    groups.sort_all_objects();
    groups
}

fn of_lane(lane: LaneKind) -> (String, Map<String, Json>) {
    let prefix = lane_prefix(lane);
    let settings = settings().filter(|it| it.name.starts_with(prefix));
    (format!("Lane: {}", lane.name()), properties(settings))
}

/// `Trigger`
fn title(group: &str) -> String {
    let mut letters = group.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Settings by name, in the order of the table.
fn properties(settings: impl Iterator<Item = Setting>) -> Map<String, Json> {
    let numbered = settings.zip(1_usize..);
    let named = numbered.map(|(setting, order)| {
        let mut property = described(&setting);
        property["default"] = match (&setting.default, setting.kind) {
            (Some(SettingValue::Number(number)), _) => without_point(*number),
            (Some(default), _) => default.to_json(),
            (None, SettingKind::OptionalText) => json!(""),
            (None, _) => Json::Null,
        };
        if property["default"].is_null() {
            property["type"] = json!([property["type"], "null"]);
        }
        property["scope"] = json!(scope(&setting));
        property["order"] = json!(order);
        (format!("foretell.{}", setting.name), property)
    });
    named.collect()
}

fn scope(setting: &Setting) -> &'static str {
    match setting.homes.permission(Home::WorkspaceFile) {
        HomePermission::Set => "window",
        HomePermission::Add | HomePermission::Refused => "machine",
    }
}

/// The values and the meaning of a setting, without its default.
fn described(setting: &Setting) -> Json {
    let mut property = of_setting(setting);
    if let Some(property) = property.as_object_mut() {
        property.remove("default");
    }
    if let SettingKind::Factor { min, max } = setting.kind {
        property["minimum"] = without_point(min);
        property["maximum"] = without_point(max);
    }
    property
}

/// Every setting once more, for one language. They have whole names there, so that what is known of them
/// is shown beside each. In a workspace none of it can be set, as some of it may not be.
fn of_languages() -> Json {
    let named: Map<_, _> = settings()
        .map(|setting| (setting.name.clone(), described(&setting)))
        .collect();
    json!({
        "type": "object",
        "description": "Settings for one language, by its identifier; they beat those for all. For instance { \"markdown\": { \"enabled\": false } }.",
        "additionalProperties": {
            "type": "object",
            "properties": named,
            "additionalProperties": false,
        },
        "default": {},
        "scope": "machine",
        "order": 1,
    })
}

/// A number as JavaScript writes it, which knows no 1.0: npm writes the file, too.
fn without_point(number: f64) -> Json {
    number.to_string().parse().unwrap_or(Json::Null)
}
