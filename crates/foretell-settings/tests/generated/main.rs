//! What is made from the table: the page for people, the JSON Schema, a file to begin with, and VS Code's
//! settings.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a schema that is not one fails the test"
)]

mod vscode;

use std::path::Path;

use foretell_settings::json_schema::schema;
use foretell_settings::settings_reference::reference;
use foretell_settings::settings_table::settings;
use foretell_settings::settings_template::template;
use foretell_settings::{Home, RawSettings, SettingGroup, SettingKind, Settings};
use serde_json::{Value as Json, json};

/// Whether files are to be written instead of compared.
const WRITE: &str = "TEST_FORETELL_WRITE";

#[test]
fn the_page_about_settings_is_that_of_the_table() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/settings.md");
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&page, reference()).unwrap();
    }
    let written = std::fs::read_to_string(&page).unwrap_or_default();
    assert!(
        written.replace("\r\n", "\n") == reference(),
        "docs/settings.md is not what the table says; make it anew with \
         .ci/generate"
    );
}

#[test]
fn the_page_names_every_setting_and_stays_a_table() {
    let page = reference();
    for setting in settings() {
        let name = setting.name;
        let of_any_lane = match name.split('.').collect::<Vec<_>>().as_slice() {
            ["lanes", _, rest @ ..] => format!("lanes.L.{}", rest.join(".")),
            _ => name,
        };
        let rows = page.matches(&format!("| `{of_any_lane}` |")).count();
        assert_eq!(rows, 1, "{of_any_lane}");
    }
    for row in page.lines().filter(|line| line.starts_with("| `")) {
        let columns = row.matches('|').count() - 1;
        assert!(matches!(columns, 2 | 5), "{row}");
    }
}

#[test]
fn a_file_to_begin_with_changes_nothing() {
    let file = template();
    let (raw, faults) = RawSettings::from_toml(Home::UserFile, "config.toml", &file);
    assert_eq!(faults, []);
    assert_eq!(raw.names().count(), 0);
    assert_eq!(Settings::resolve(&[raw]), (Settings::default(), Vec::new()));
}

/// The settings of the file, each as the line it becomes when it is uncommented.
fn uncommented() -> Vec<String> {
    let file = template();
    let lines = file.lines().filter_map(|line| line.strip_prefix('#'));
    let settings = lines.filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()));
    settings.map(str::to_owned).collect()
}

#[test]
fn a_file_to_begin_with_has_every_setting_and_all_of_it_can_be_uncommented() {
    let lines = uncommented();
    let names: Vec<_> = lines.iter().filter_map(|it| it.split(' ').next()).collect();
    let all: Vec<_> = settings().map(|setting| setting.name).collect();
    assert_eq!(names, all);

    let (raw, faults) = RawSettings::from_toml(Home::UserFile, "config.toml", &lines.join("\n"));
    assert_eq!(faults, []);
    let (settings, faults) = Settings::resolve(&[raw]);
    assert_eq!(faults, []);
    for current in settings.entries() {
        let is_limit = current.name.contains("PerMinute") || current.name.contains("PerDay");
        let default = Settings::default();
        let default = default
            .entries()
            .find(|it| it.name == current.name)
            .and_then(|it| it.value.cloned());
        assert_eq!(
            current.value.cloned() == default,
            !is_limit,
            "{}",
            current.name
        );
    }
}

#[test]
fn any_line_of_a_file_to_begin_with_works_on_its_own() {
    for line in uncommented() {
        let (raw, faults) = RawSettings::from_toml(Home::UserFile, "config.toml", &line);
        assert_eq!(faults, [], "{line}");
        assert_eq!(Settings::resolve(&[raw]).1, [], "{line}");
    }
}

#[test]
fn what_is_copied_from_elsewhere_can_stand_at_the_end_of_that_file() {
    let file = format!("{}\n[lanes.fim]\nmodel = 'a'\n", template());
    let (raw, faults) = RawSettings::from_toml(Home::UserFile, "config.toml", &file);
    assert_eq!(faults, []);
    let (settings, faults) = Settings::resolve(&[raw]);
    assert_eq!(faults, []);
    assert_eq!(settings.lanes.fim.model.as_deref(), Some("a"));
}

/// Whether a document keeps to a schema, as far as ours says anything; what it says and this does not
/// know is a failure of the test.
fn keeps_to(document: &Json, schema: &Json, whole: &Json) -> bool {
    let rules = schema.as_object().expect("a schema is an object");
    rules.iter().all(|(rule, says)| match rule.as_str() {
        "$ref" => {
            let path = says.as_str().and_then(|it| it.strip_prefix('#')).unwrap();
            keeps_to(document, whole.pointer(path).unwrap(), whole)
        }
        "type" => match says.as_str().unwrap() {
            "object" => document.is_object(),
            "array" => document.is_array(),
            "string" => document.is_string(),
            "boolean" => document.is_boolean(),
            "integer" => document.as_f64().is_some_and(|it| it.fract() == 0.0),
            "number" => document.is_number(),
            other => panic!("a type {other}"),
        },
        "enum" => says.as_array().unwrap().contains(document),
        "minimum" => document.as_f64() >= says.as_f64(),
        "maximum" => document.as_f64() <= says.as_f64(),
        "items" => {
            let mut items = document.as_array().into_iter().flatten();
            items.all(|item| keeps_to(item, says, whole))
        }
        "properties" => {
            let mut known = says.as_object().unwrap().iter();
            known.all(|(name, schema)| match document.get(name) {
                Some(inner) => keeps_to(inner, schema, whole),
                None => true,
            })
        }
        "additionalProperties" => {
            let known = schema.get("properties");
            let is_known = |name: &str| known.is_some_and(|it| it.get(name).is_some());
            let mut inner = document.as_object().into_iter().flatten();
            inner.all(|(name, inner)| {
                is_known(name) || says != &json!(false) && keeps_to(inner, says, whole)
            })
        }
        "propertyNames" => {
            let mut names = document.as_object().into_iter().flatten();
            names.all(|(name, _)| !name.is_empty() && !name.contains([' ', ':', '\n']))
        }
        "$schema" | "$defs" | "title" | "description" | "default" => true,
        other => panic!("a rule {other}"),
    })
}

fn is_valid(document: &Json, schema: &Json) -> bool {
    keeps_to(document, schema, schema)
}

/// A document with one setting in it, as files have it.
fn nested(name: &str, value: Json) -> Json {
    name.split('.')
        .rev()
        .fold(value, |inner, key| json!({ key: inner }))
}

/// Whether a source with this document has no fault, by what resolves settings.
fn is_accepted(document: &Json) -> bool {
    let text = document.to_string();
    let (raw, faults) = RawSettings::from_json(Home::UserFile, "a.json", &text);
    faults.is_empty() && Settings::resolve(&[raw]).1.is_empty()
}

#[test]
fn the_schema_accepts_what_is_accepted_and_nothing_else() {
    let schema = schema();
    let values = [
        json!(true),
        json!(0),
        json!(1),
        json!(2.5),
        json!(1.0),
        json!(-1),
        json!(600_000),
        json!(1e15),
        json!(""),
        json!("keep"),
        json!("ollama"),
        json!(["a"]),
        json!([1]),
        json!({}),
        json!({ "X-Team": "blue" }),
        json!({ "X Team": "blue" }),
        json!({ "X-Team": 1 }),
    ];
    // pace.minMs and pace.maxMs also bound each other, which no schema can say.
    let bounded = |name: &str| name == "pace.minMs" || name == "pace.maxMs";
    for setting in settings().filter(|setting| !bounded(&setting.name)) {
        for value in &values {
            for name in [&setting.name, &format!("languages.rust.{}", setting.name)] {
                let document = nested(name, value.clone());
                assert_eq!(
                    is_valid(&document, &schema),
                    is_accepted(&document),
                    "{document}"
                );
            }
        }
    }
}

#[test]
fn the_schema_knows_no_other_names() {
    let schema = schema();
    for document in [
        json!({ "trigger": { "enable": true } }),
        json!({ "triggers": {} }),
        json!({ "lanes": { "other": {} } }),
        json!({ "lanes": { "fim": { "uri": "http://host" } } }),
        json!({ "languages": { "rust": { "languages": {} } } }),
        json!({ "context": { "providers": { "history": { "maxChunks": 1 } } } }),
        json!([]),
    ] {
        assert!(!is_valid(&document, &schema), "{document}");
    }
    let named = json!({ "$schema": "https://example.org" });
    assert!(is_valid(&named, &schema));
}

#[test]
fn the_schema_says_of_every_setting_what_the_table_does() {
    let schema = schema();
    assert_eq!(
        schema["$schema"],
        "https://json-schema.org/draft/2020-12/schema"
    );
    for group in SettingGroup::ALL {
        for setting in group.settings() {
            let path = setting.name.replace('.', "/properties/");
            let said = schema.pointer(&format!("/$defs/{path}")).unwrap();
            let description = said["description"].as_str().unwrap();
            assert!(description.starts_with(setting.meaning), "{description}");
            if let Some(unit) = setting.unit() {
                assert!(description.ends_with(&format!("Unit: {unit}.")));
            }
            let default = setting.default.map(|default| default.to_json());
            assert_eq!(said.get("default").cloned(), default, "{}", setting.name);
            if let SettingKind::Choice(words) = setting.kind {
                assert_eq!(said["enum"], json!(words));
            }
        }
    }
}
