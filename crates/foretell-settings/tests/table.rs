//! The table is what the specification says, agrees with itself, and agrees with the typed tree.

use foretell_settings::settings_table::{setting, settings};
use foretell_settings::{
    BackEnd, Home, HomePermission, HomeRule, LogLevel, Millis, RawSettings, SameLineMemory,
    Setting, SettingKind, SettingUnit, SettingValue, Settings,
};

/// What a value can be changed to, as it stands in a TOML file.
fn another(setting: &Setting) -> String {
    match (setting.kind, &setting.default) {
        (SettingKind::Switch, Some(SettingValue::Switch(on))) => (!on).to_string(),
        (SettingKind::Whole { min, max, .. }, Some(SettingValue::Whole(number))) => {
            let other = if *number == max { min } else { number + 1 };
            other.to_string()
        }
        (SettingKind::Limit { min, .. }, None) => min.to_string(),
        (SettingKind::Factor { .. }, Some(SettingValue::Number(_))) => "1.0".to_owned(),
        (SettingKind::Text | SettingKind::OptionalText, _) => {
            if setting.name.ends_with("apiKeyEnv") {
                "\"SOMETHING_ELSE\"".to_owned()
            } else {
                "\"something else\"".to_owned()
            }
        }
        (SettingKind::Texts, Some(SettingValue::Texts(_))) => "[\"one\", \"two\"]".to_owned(),
        (SettingKind::Choice(words), Some(SettingValue::Text(word))) => {
            let other = words.iter().find(|other| *other != word);
            format!("{:?}", other.expect("a choice has two words"))
        }
        (SettingKind::Headers, Some(SettingValue::Headers(_))) => "{ X-One = \"1\" }".to_owned(),
        // Something that no setting takes, so that whoever tries it fails.
        (kind, default) => format!("\"{default:?} is no default of {kind:?}\""),
    }
}

fn as_json(toml: &str) -> String {
    toml.replace("X-One = ", "\"X-One\": ")
}

/// Settings from one source without faults.
fn accepted((raw, faults): (RawSettings, Vec<foretell_settings::SettingsFault>)) -> Settings {
    assert_eq!(faults, []);
    let (settings, faults) = Settings::resolve(&[raw]);
    assert_eq!(faults, []);
    settings
}

#[test]
fn defaults_are_those_of_the_specification() {
    let settings = Settings::default();
    let shown: Vec<_> = settings
        .entries()
        .filter_map(|current| Some(format!("{} = {}", current.name, current.value?)))
        .filter(|line| !line.starts_with("lanes.nextEdit.") && !line.starts_with("lanes.fix."))
        .collect();
    let expected = r#"
enabled = true
rejections.perDocument = 20
rejections.documents = 20
rejections.total = 400
rejections.inferAfter = 3
trigger.enabled = true
trigger.recentEditMs = 10000
trigger.sameLineCooldownMs = 5000
trigger.rejectionCooldownMs = 5000
trigger.sameLineMemory = "keep"
trigger.immediateSelections = 2
trigger.selectionDebounceMs = 300
trigger.documentSwitchSeconds = 0
trigger.maxLines = 10000
trigger.ignoredSchemes = ["output", "git", "debug", "vscode-scm", "comment", "walkThrough"]
gate.enabled = true
pace.baseMs = 250
pace.minMs = 50
pace.maxMs = 3000
pace.idleMs = 0
pace.acceptedFactor = 0.8
pace.rejectedFactor = 1.5
pace.memoryMinutes = 10
pace.rhythm = true
carry.enabled = true
recall.mode = "keys"
recall.threshold = 0.6
recall.keyThreshold = 0.7
race.holdMs = 150
race.graceMs = 1000
race.capMs = 1800
race.explicitCapMs = 10000
model.kind = "embedded"
model.headers = {}
model.allowInsecure = false
lanes.fim.enabled = true
lanes.fim.kind = "embedded"
lanes.fim.format = "auto"
lanes.fim.template = "auto"
lanes.fim.headers = {}
lanes.fim.allowInsecure = false
lanes.fim.maxPrefixChars = 6000
lanes.fim.maxSuffixChars = 2000
lanes.fim.maxTokens = 256
lanes.fim.maxLines = 20
lanes.fim.firstByteMs = 5000
lanes.fim.targetMs = 1500
lanes.fim.idleMs = 2000
lanes.fim.maxBytes = 65536
lanes.fim.ahead = "local"
lanes.fim.jump = true
context.enabled = true
context.timeoutMs = 500
context.exclude = []
context.tokenBudget.maxContextTokens = 2000
context.tokenBudget.reserveForInstruction = 500
context.tokenBudget.reserveForSelection = 1000
context.tokenBudget.reserveForCompletion = 1000
context.providers.history.enabled = true
context.providers.history.maxEdits = 3
context.providers.semantic.enabled = true
context.providers.semantic.maxChunks = 3
context.providers.diagnostics.enabled = true
context.providers.diagnostics.maxDiagnostics = 5
index.enabled = true
index.maxFiles = 200000
log.level = "info"
"#;
    assert_eq!(shown.join("\n"), expected.trim());
}

#[test]
fn some_settings_are_nothing_until_they_are_set() {
    let settings = Settings::default();
    let unset: Vec<_> = settings
        .entries()
        .filter(|current| current.value.is_none())
        .map(|current| current.name)
        .filter(|name| !name.starts_with("lanes.nextEdit.") && !name.starts_with("lanes.fix."))
        .collect();
    assert_eq!(
        unset,
        [
            "model.url",
            "model.model",
            "model.apiKeyEnv",
            "model.apiKeyFile",
            "model.apiKeyCommand",
            "model.caFile",
            "lanes.fim.url",
            "lanes.fim.model",
            "lanes.fim.explicitModel",
            "lanes.fim.apiKeyEnv",
            "lanes.fim.apiKeyFile",
            "lanes.fim.apiKeyCommand",
            "lanes.fim.caFile",
            "lanes.fim.requestsPerMinute",
            "lanes.fim.requestsPerDay",
            "lanes.fim.tokensPerDay",
            "context.tokenizer",
            "index.dir",
            "log.file",
        ]
    );
}

#[test]
fn the_tree_has_the_units_and_words_of_the_table() {
    let settings = Settings::default();
    assert_eq!(settings.trigger.recent_edit, Millis::new(10_000));
    assert_eq!(settings.trigger.same_line_memory, SameLineMemory::Keep);
    assert!(settings.trigger.document_switch.is_zero());
    assert_eq!(settings.pace.memory, Millis::new(600_000));
    assert_eq!(settings.lanes.fix.kind, BackEnd::Embedded);
    assert_eq!(settings.lanes.fim.requests_per_day, None);
    assert_eq!(settings.log.level, LogLevel::Info);

    let later = "trigger.documentSwitchSeconds = 20\npace.memoryMinutes = 2";
    let settings = accepted(RawSettings::from_toml(Home::UserFile, "config.toml", later));
    assert_eq!(settings.trigger.document_switch, Millis::new(20_000));
    assert_eq!(settings.pace.memory, Millis::new(120_000));
}

#[test]
fn every_lane_has_the_same_settings() {
    let of_lane = |prefix: &str| -> Vec<_> {
        settings()
            .filter_map(|setting| Some(setting.name.strip_prefix(prefix)?.to_owned()))
            .collect()
    };
    let fim = of_lane("lanes.fim.");
    assert_eq!(fim.len(), 26);
    assert_eq!(of_lane("lanes.nextEdit."), fim);
    assert_eq!(of_lane("lanes.fix."), fim);
}

#[test]
fn a_name_finds_its_row_and_stands_once() {
    let mut names: Vec<_> = settings().map(|setting| setting.name).collect();
    for name in &names {
        assert_eq!(setting(name).unwrap().name, *name);
    }
    let all = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), all);
    assert!(setting("lanes.next-edit.model").is_none());
    assert!(setting("lanes.fim").is_none());
}

#[test]
fn every_default_can_be_written_as_it_is_shown() {
    for current in Settings::default().entries() {
        let Some(value) = current.value else { continue };
        let line = format!("{} = {value}", current.name);
        let settings = accepted(RawSettings::from_toml(Home::UserFile, "config.toml", &line));
        assert_eq!(
            format!("{settings:?}"),
            format!("{:?}", Settings::default()),
            "{line}"
        );
    }
}

#[test]
fn both_ends_of_every_range_are_accepted_and_nothing_beyond() {
    // pace.minMs and pace.maxMs also bound each other, which has a test of its own.
    let bounded = |name: &str| name == "pace.minMs" || name == "pace.maxMs";
    for setting in settings().filter(|setting| !bounded(&setting.name)) {
        let (inside, outside) = match setting.kind {
            SettingKind::Whole { min, max, .. } | SettingKind::Limit { min, max, .. } => (
                [min.to_string(), max.to_string()],
                [(i128::from(min) - 1).to_string(), (max + 1).to_string()],
            ),
            SettingKind::Factor { min, max } => (
                [min.to_string(), max.to_string()],
                [(min - 0.01).to_string(), (max + 0.01).to_string()],
            ),
            _ => continue,
        };
        for number in inside {
            let line = format!("{}={number}", setting.name);
            accepted(RawSettings::from_assignment("--set", &line));
        }
        for number in outside {
            let line = format!("{}={number}", setting.name);
            let (raw, _) = RawSettings::from_assignment("--set", &line);
            let (settings, faults) = Settings::resolve(&[raw]);
            assert_eq!(faults.len(), 1, "{line}");
            assert_eq!(settings, Settings::default(), "{line}");
        }
    }
}

#[test]
fn every_setting_can_be_set_in_every_way_and_reaches_the_tree() {
    let defaults = format!("{:?}", Settings::default());
    for setting in settings() {
        let (name, value) = (&setting.name, another(&setting));
        let toml = format!("{name} = {value}");
        let from_toml = accepted(RawSettings::from_toml(Home::UserFile, "config.toml", &toml));
        // What else is said of a model for all lanes is nothing without its kind.
        if !name.starts_with("model.") || name == "model.kind" {
            assert_ne!(format!("{from_toml:?}"), defaults, "{toml}");
        }

        let json = format!("{{\"{name}\": {}}}", as_json(&value));
        let from_json = accepted(RawSettings::from_json(Home::Editor, "settings.json", &json));
        assert_eq!(format!("{from_json:?}"), format!("{from_toml:?}"), "{json}");

        let nested = name.split('.').rev().fold(as_json(&value), |inner, key| {
            format!("{{\"{key}\": {inner}}}")
        });
        let from_nested = accepted(RawSettings::from_json(Home::Editor, "a.json", &nested));
        assert_eq!(
            format!("{from_nested:?}"),
            format!("{from_toml:?}"),
            "{nested}"
        );

        let assignment = match setting.kind {
            SettingKind::Headers => format!("{name}.X-One=1"),
            _ => format!("{name}={value}"),
        };
        let from_line = accepted(RawSettings::from_assignment("--set", &assignment));
        assert_eq!(
            format!("{from_line:?}"),
            format!("{from_toml:?}"),
            "{assignment}"
        );

        let language = format!("languages.rust.{toml}");
        let for_rust = accepted(RawSettings::from_toml(
            Home::UserFile,
            "config.toml",
            &language,
        ));
        let rust = format!("{:?}", for_rust.for_language("rust"));
        assert_eq!(rust, format!("{from_toml:?}"), "{language}");
        assert_eq!(
            format!("{:?}", for_rust.for_language("python").trigger),
            format!("{:?}", Settings::default().trigger)
        );
    }
}

#[test]
fn every_row_says_what_it_means_in_a_sentence() {
    for setting in settings() {
        let meaning = setting.meaning;
        let first = meaning.chars().next().unwrap();
        assert!(first.is_uppercase() && meaning.ends_with('.'), "{meaning}");
        assert_eq!(meaning.matches(". ").count(), 0, "{meaning}");
    }
}

#[test]
fn the_unit_is_in_the_name_where_a_time_is_meant() {
    for setting in settings() {
        let suffix = match setting.unit() {
            Some(SettingUnit::Milliseconds) => "Ms",
            Some(SettingUnit::Seconds) => "Seconds",
            Some(SettingUnit::Minutes) => "Minutes",
            _ => continue,
        };
        assert!(setting.name.ends_with(suffix), "{}", setting.name);
    }
}

#[test]
fn a_workspace_file_may_decide_when_to_speak_and_nothing_else() {
    let open: Vec<_> = settings()
        .filter(|setting| setting.homes.permission(Home::WorkspaceFile) != HomePermission::Refused)
        .map(|setting| setting.name)
        .collect();
    let allowed = [
        "trigger.",
        "pace.",
        "gate.",
        "carry.",
        "recall.",
        "race.",
        "rejections.",
    ];
    for name in &open {
        let is_allowed = allowed.iter().any(|group| name.starts_with(group));
        assert!(is_allowed || name == "context.exclude", "{name}");
    }
    assert_eq!(open.len(), 32);
    assert_eq!(
        setting("context.exclude").unwrap().homes,
        HomeRule::EveryByAdding
    );
}

#[test]
fn a_trace_may_name_neither_a_place_nor_a_file_nor_a_command() {
    let closed: Vec<_> = settings()
        .filter(|setting| setting.homes == HomeRule::Persons)
        .map(|setting| setting.name)
        .filter(|name| !name.starts_with("lanes.nextEdit.") && !name.starts_with("lanes.fix."))
        .collect();
    assert_eq!(
        closed,
        [
            "model.url",
            "model.apiKeyEnv",
            "model.apiKeyFile",
            "model.apiKeyCommand",
            "model.headers",
            "model.allowInsecure",
            "model.caFile",
            "lanes.fim.url",
            "lanes.fim.apiKeyEnv",
            "lanes.fim.apiKeyFile",
            "lanes.fim.apiKeyCommand",
            "lanes.fim.headers",
            "lanes.fim.allowInsecure",
            "lanes.fim.caFile",
            "context.tokenizer",
            "index.dir",
            "log.file",
        ]
    );
}
