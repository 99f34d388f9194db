//! The table as a JSON Schema, draft 2020-12, by which editors check a settings file and complete
//! names in it.
//!
//! It describes settings as people write them: groups in groups. The settings of each group are
//! written once and referred to twice, for all languages and for one.
//! [`Settings::resolve`](crate::Settings::resolve) checks the rest: which home a file is, and settings
//! that must agree with each other.

use serde_json::{Map, Value as Json, json};

use crate::group::SettingGroup;
use crate::setting::{Setting, SettingKind};
use crate::setting_value::SettingValue;

/// The JSON Schema of a settings file.
pub fn schema() -> Json {
    let definitions: Map<_, _> = SettingGroup::ALL
        .into_iter()
        .map(|group| (group.name.to_owned(), of_group(group)))
        .collect();
    let references: Map<_, _> = SettingGroup::ALL
        .into_iter()
        .map(|group| {
            let definition = format!("#/$defs/{}", group.name);
            (group.name.to_owned(), json!({ "$ref": definition }))
        })
        .collect();
    let mut all = references.clone();
    let of_languages = json!({
        "description": "Settings for one language, by its identifier; they beat those for all.",
        "type": "object",
        "additionalProperties": object(references),
    });
    all.insert("languages".to_owned(), of_languages);
    // A file may say which schema it has.
    all.insert("$schema".to_owned(), json!({ "type": "string" }));
    let mut schema = object(all);
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("Settings of Foretell");
    schema["$defs"] = Json::Object(definitions);
    schema
}

fn of_group(group: SettingGroup) -> Json {
    let mut whole = object(Map::new());
    whole["description"] = json!(group.meaning);
    for setting in group.settings() {
        let name = setting.name.clone();
        let path: Vec<_> = name.split('.').skip(1).collect();
        insert(&mut whole, &path, of_setting(&setting));
    }
    whole
}

/// Puts a schema where a path leads, with an object for each group on the way.
fn insert(within: &mut Json, path: &[&str], schema: Json) {
    let Some((first, rest)) = path.split_first() else {
        *within = schema;
        return;
    };
    let Some(properties) = within["properties"].as_object_mut() else {
        return;
    };
    let inner = properties
        .entry(*first)
        .or_insert_with(|| object(Map::new()));
    insert(inner, rest, schema);
}

fn object(properties: Map<String, Json>) -> Json {
    json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    })
}

pub(crate) fn of_setting(setting: &Setting) -> Json {
    let mut schema = match setting.kind {
        SettingKind::Switch => json!({ "type": "boolean" }),
        SettingKind::Whole { min, max, .. } | SettingKind::Limit { min, max, .. } => {
            json!({ "type": "integer", "minimum": min, "maximum": max })
        }
        SettingKind::Factor { min, max } => {
            json!({ "type": "number", "minimum": min, "maximum": max })
        }
        SettingKind::Text | SettingKind::OptionalText => json!({ "type": "string" }),
        SettingKind::Texts => json!({ "type": "array", "items": { "type": "string" } }),
        SettingKind::Choice(words) => json!({ "type": "string", "enum": words }),
        SettingKind::Headers => json!({
            "type": "object",
            "propertyNames": { "pattern": "^[-0-9A-Za-z!#$%&'*+.^_`|~]+$" },
            "additionalProperties": { "type": "string" },
        }),
    };
    schema["description"] = json!(match setting.unit() {
        Some(unit) => format!("{} Unit: {unit}.", setting.meaning),
        None => setting.meaning.to_owned(),
    });
    if let Some(default) = &setting.default {
        schema["default"] = default.to_json();
    }
    schema
}

impl SettingValue {
    /// As JSON has it. Headers say what they say: to print it, ask for what may be shown first.
    pub fn to_json(&self) -> Json {
        match self {
            SettingValue::Switch(on) => json!(on),
            SettingValue::Whole(number) => json!(number),
            SettingValue::Number(number) => json!(number),
            SettingValue::Text(text) => json!(text),
            SettingValue::Texts(texts) => json!(texts),
            SettingValue::Headers(headers) => headers
                .iter()
                .map(|(name, says)| (name.to_owned(), json!(says)))
                .collect::<Map<_, _>>()
                .into(),
        }
    }
}
