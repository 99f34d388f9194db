//! The settings in the manifest of the extension for VS Code: the first group is the extension's own,
//! the others are those of the table.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use foretell_settings::settings_table::settings;
use foretell_settings::vscode::configuration;
use foretell_settings::{Home, HomePermission, RawSettings, SettingValue, Settings};
use serde_json::value::RawValue;
use serde_json::{Value as Json, json};

use crate::WRITE;

/// What a setting's name begins with in VS Code.
const SECTION: &str = "foretell.";

fn manifest() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../editors/vscode/package.json")
}

/// The groups of settings in the manifest, the extension's own first.
fn groups() -> Vec<Json> {
    let text = fs::read_to_string(manifest()).unwrap();
    let manifest: Json = serde_json::from_str(&text).unwrap();
    let groups = &manifest["contributes"]["configuration"];
    groups.as_array().expect("a list of groups").clone()
}

/// Every setting in the manifest, as VS Code is told of it.
fn properties() -> BTreeMap<String, Json> {
    let groups = groups();
    let properties = groups.iter().filter_map(|it| it["properties"].as_object());
    let properties = properties.flatten();
    let all: Vec<_> = properties
        .map(|(name, it)| (name.clone(), it.clone()))
        .collect();
    let named: BTreeMap<_, _> = all.iter().cloned().collect();
    assert_eq!(named.len(), all.len(), "no setting is in two groups");
    named
}

/// The manifest with other groups behind the extension's own. All the rest of it stays as it is.
fn with_groups(manifest: &str, groups: &Json) -> String {
    type Object<'a> = BTreeMap<String, &'a RawValue>;
    let whole: Object<'_> = serde_json::from_str(manifest).unwrap();
    let contributes: Object<'_> = serde_json::from_str(whole["contributes"].get()).unwrap();
    let before = contributes["configuration"].get();
    let own: Vec<&RawValue> = serde_json::from_str(before).unwrap();
    let mut after = format!("[\n      {}", own[0].get());
    for group in groups.as_array().unwrap() {
        let group = serde_json::to_string_pretty(group).unwrap();
        after.push_str(&format!(",\n{group}").replace('\n', "\n      "));
    }
    after.push_str("\n    ]");
    manifest.replacen(before, &after, 1)
}

#[test]
fn the_settings_of_the_extension_are_those_of_the_table() {
    if std::env::var_os(WRITE).is_some() {
        let before = fs::read_to_string(manifest()).unwrap();
        // At once: other tests read it.
        let new = manifest().with_extension("new");
        fs::write(&new, with_groups(&before, &configuration())).unwrap();
        fs::rename(new, manifest()).unwrap();
    }
    assert!(
        groups()[1..] == *configuration().as_array().unwrap(),
        "editors/vscode/package.json does not have the settings of the table; put them in with \
         {WRITE}=1 cargo test -p foretell-settings --test generated"
    );
}

#[test]
fn the_rest_of_the_manifest_stays_as_it_is() {
    let own = "{ \"title\":\t\"Server\" }";
    let manifest = |groups: &str| {
        let contributes = format!("\"configuration\": {groups}, \"commands\": [ ]");
        format!("{{\n  \"a\":1,\n  \"contributes\": {{ {contributes} }},\r\n  \"z\": {{}} }}\n")
    };
    let groups = json!([{ "title": "Trigger" }]);
    let expected =
        format!("[\n      {own},\n      {{\n        \"title\": \"Trigger\"\n      }}\n    ]");
    let expected = manifest(&expected);
    for before in [format!("[{own}]"), format!("[{own}, {{}}, {{}}]")] {
        let written = with_groups(&manifest(&before), &groups);
        assert_eq!(written, expected);
    }
    assert_eq!(with_groups(&expected, &groups), expected, "once is enough");
}

#[test]
fn what_a_workspace_must_not_set_has_the_scope_of_the_machine() {
    let properties = properties();
    for setting in settings() {
        let property = &properties[&format!("{SECTION}{}", setting.name)];
        let may_set = setting.homes.permission(Home::WorkspaceFile) == HomePermission::Set;
        let expected = if may_set { "window" } else { "machine" };
        assert_eq!(property["scope"], expected, "{}", setting.name);
    }
    // Besides those of the table there is nothing that a workspace may say.
    let is_in_table = |name: &str| settings().any(|it| name == format!("{SECTION}{}", it.name));
    let others = properties.iter().filter(|(name, _)| !is_in_table(name));
    let open = others.filter(|(_, it)| it["scope"] != "machine");
    let open: Vec<_> = open.map(|(name, _)| name.as_str()).collect();
    assert_eq!(open, [""; 0]);
    for own in ["languages", "server.path", "server.arguments"] {
        assert!(properties.contains_key(&format!("{SECTION}{own}")), "{own}");
    }
}

/// What comes of what VS Code sends, in which the server finds no fault.
fn sent(tree: &Json) -> Settings {
    let (raw, faults) = RawSettings::from_json(Home::Editor, "editor", &tree.to_string());
    assert_eq!(faults, [], "{tree}");
    let (settings, faults) = Settings::resolve(&[raw]);
    assert_eq!(faults, [], "{tree}");
    settings
}

/// What every setting is, wherever it comes from.
fn values(settings: &Settings) -> Vec<(String, Option<SettingValue>)> {
    let all = settings.entries();
    all.map(|it| (it.name.to_string(), it.value.cloned()))
        .collect()
}

#[test]
fn every_default_is_what_the_server_has_without_it() {
    let properties = properties();
    let expected = values(&Settings::default());
    for setting in settings() {
        let property = &properties[&format!("{SECTION}{}", setting.name)];
        let default = property.get("default").expect("a default");
        let tree = json!({ setting.name.as_str(): default });
        assert_eq!(values(&sent(&tree)), expected, "{tree}");
    }
    let none = &properties["foretell.languages"]["default"];
    let tree = json!({ "languages": none });
    assert_eq!(values(&sent(&tree)), expected);
}

#[test]
fn what_is_set_for_a_language_has_whole_names() {
    let properties = properties();
    let of_language = &properties["foretell.languages"]["additionalProperties"];
    let known = of_language["properties"].as_object().unwrap();
    assert_eq!(known.len(), settings().count());
    for setting in settings() {
        let general = &properties[&format!("{SECTION}{}", setting.name)];
        assert_eq!(known[&setting.name]["description"], general["description"]);
        let value = general["default"].clone();
        sent(&json!({ "languages": { "rust": { setting.name: value } } }));
    }
    let quiet = json!({ "languages": { "markdown": { "trigger.enabled": false } } });
    let settings = sent(&quiet);
    assert!(!settings.for_language("markdown").trigger.enabled);
    assert!(settings.for_language("rust").trigger.enabled);
}
