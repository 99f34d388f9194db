//! Whatever is written, nothing panics, and what comes out can be trusted.

use foretell_settings::settings_table;
use foretell_settings::{Home, RawSettings, SettingKind, SettingValue, Settings};
use proptest::prelude::*;

/// Pieces that make a text look like settings often enough to get past the parsers.
fn piece() -> impl Strategy<Value = String> {
    let names: Vec<_> = settings_table::settings()
        .map(|setting| setting.name)
        .collect();
    let words = [
        "{",
        "}",
        "[",
        "]",
        "[[",
        "]]",
        ":",
        ",",
        "=",
        ".",
        "\"",
        "'",
        "\"\"\"",
        "'''",
        "\\",
        "\\u",
        "d800",
        "//",
        "/*",
        "*/",
        "#",
        "\n",
        "\r\n",
        "\r",
        " ",
        "\t",
        "true",
        "false",
        "null",
        "0",
        "-1",
        "1e9",
        "0.5",
        "nan",
        "inf",
        "0x1F",
        "1979-05-27",
        "\"a\"",
        "\"gate\"",
        "\"enabled\"",
        "trigger",
        "enabled",
        "languages",
        "rust",
        "lanes",
        "fim",
        "headers",
        "X-A",
        "é",
        "😀",
        "e\u{301}",
        "\u{feff}",
        "\u{0}",
    ];
    prop_oneof![
        4 => proptest::sample::select(words.to_vec()).prop_map(str::to_owned),
        2 => proptest::sample::select(names),
        1 => any::<String>(),
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::collection::vec(piece(), 0..40).prop_map(|pieces| pieces.concat()),
        contradictions(),
    ]
}

/// Files whose lines are right one by one, and contradict each other in every way that TOML has.
fn contradictions() -> impl Strategy<Value = String> {
    let lines = [
        "[gate]",
        "[[gate]]",
        "[gate.enabled]",
        "[[gate.enabled]]",
        "[languages.rust.gate]",
        "gate = 1",
        "gate = []",
        "gate = {}",
        "gate = { enabled = false, enabled = true }",
        "gate = { enabled.x = 1, enabled = 2 }",
        "gate.enabled = false",
        "gate.enabled.x = 1",
        "\"gate.enabled\" = true",
        "enabled = true",
        "enabled.x = 1",
        "\"\" = 1",
    ];
    proptest::collection::vec(proptest::sample::select(lines.to_vec()), 0..8)
        .prop_map(|lines| lines.join("\n"))
}

/// Lines that are settings, right and wrong, of all homes.
fn line() -> impl Strategy<Value = String> {
    let names: Vec<_> = settings_table::settings()
        .map(|setting| setting.name)
        .collect();
    let value = prop_oneof![
        any::<bool>().prop_map(|on| on.to_string()),
        (-10_i64..2_000_000).prop_map(|number| number.to_string()),
        (-1.0..12.0_f64).prop_map(|number| format!("{number:?}")),
        Just("'text'".to_owned()),
        Just("['a', 'b']".to_owned()),
        Just("'keep'".to_owned()),
    ];
    let language = prop_oneof![Just(""), Just("languages.rust."), Just("languages.go.")];
    (language, proptest::sample::select(names), value)
        .prop_map(|(language, name, value)| format!("{language}{name}={value}"))
}

/// Every value is of its setting's kind and within its range, and no pair is reversed.
fn assert_trustworthy(settings: &Settings) {
    for current in settings.entries() {
        let is_row =
            |name: &str| current.name == name || current.name.ends_with(&format!(".{name}"));
        let setting = settings_table::settings()
            .find(|setting| is_row(&setting.name))
            .expect("a row of the table");
        assert!(!current.origins.is_empty());
        let fits = match (setting.kind, current.value) {
            (SettingKind::Switch, Some(SettingValue::Switch(_))) => true,
            (SettingKind::Whole { min, max, .. }, Some(SettingValue::Whole(number))) => {
                (min..=max).contains(number)
            }
            (SettingKind::Limit { min, max, .. }, Some(SettingValue::Whole(number))) => {
                (min..=max).contains(number)
            }
            (SettingKind::Factor { min, max }, Some(SettingValue::Number(number))) => {
                (min..=max).contains(number)
            }
            (SettingKind::Text, Some(SettingValue::Text(_))) => true,
            (SettingKind::OptionalText, Some(SettingValue::Text(text))) => !text.is_empty(),
            (SettingKind::Choice(words), Some(SettingValue::Text(word))) => {
                words.contains(&word.as_str())
            }
            (SettingKind::Texts, Some(SettingValue::Texts(_))) => true,
            (SettingKind::Headers, Some(SettingValue::Headers(_))) => true,
            (SettingKind::OptionalText | SettingKind::Limit { .. }, None) => true,
            _ => false,
        };
        assert!(fits, "{} = {:?}", current.name, current.value);
    }
    for language in ["rust", "go", "other"] {
        let pace = &settings.for_language(language).pace;
        assert!(pace.min <= pace.max);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn no_text_is_too_strange(text in text(), home in proptest::sample::select(&Home::ALL[1..])) {
            let (as_toml, toml_faults) = RawSettings::from_toml(home, "a", &text);
            let (as_json, json_faults) = RawSettings::from_json(home, "a", &text);
            let (as_line, line_faults) = RawSettings::from_assignment("--set", &text);
            let (settings, faults) = Settings::resolve(&[as_toml, as_json, as_line]);
            assert_trustworthy(&settings);
            let all = [toml_faults, json_faults, line_faults, faults].concat();
            for place in all.iter().filter_map(|fault| fault.origin.place) {
                let lines: Vec<_> = text.split('\n').collect();
                prop_assert!(place.line <= lines.len());
                prop_assert!(place.column <= lines[place.line - 1].chars().count() + 1);
            }
    }

    #[test]
    fn comments_and_trailing_commas_change_nothing(
        texts in proptest::collection::vec("[a-z\"\\\\/*,é😀]{0,6}", 0..4),
        comment in prop_oneof![Just("/* }],é \n */"), Just("// \"😀\n"), Just(" ")],
    ) {
        let quoted: Vec<_> = texts.iter().map(|text| format!("{text:?}")).collect();
        let comma = if texts.is_empty() { "" } else { "," };
        let list = quoted.join(&format!("{comment},{comment}"));
        let text = format!(
            "{comment}{{{comment}\"context.exclude\"{comment}:[{comment}{list}{comma}{comment}]{comment},}}{comment}"
        );
        let (raw, faults) = RawSettings::from_json(Home::Editor, "editor", &text);
        prop_assert_eq!(faults, []);
        prop_assert_eq!(Settings::resolve(&[raw]).0.context.exclude, texts);
    }

    #[test]
    fn sources_apply_line_by_line(lines in proptest::collection::vec((line(), 1..Home::ALL.len()), 0..30)) {
        let sources: Vec<_> = lines
            .iter()
            .map(|(line, home)| RawSettings::from_toml(Home::ALL[*home], "a", line).0)
            .collect();
        let (settings, _) = Settings::resolve(&sources);
        assert_trustworthy(&settings);
        // Homes have an order of their own, whatever that of the sources.
        let mut sorted = sources.clone();
        sorted.sort_by_key(RawSettings::home);
        prop_assert_eq!(&Settings::resolve(&sorted).0, &settings);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_variable_is_too_strange(
        variables in proptest::collection::vec((proptest::collection::vec(piece(), 0..8), text()), 0..4),
    ) {
        let variables = variables
            .into_iter()
            .map(|(pieces, value)| (format!("FORETELL_{}", pieces.join("_")), value));
        let (raw, faults) = RawSettings::from_environment(variables);
        prop_assert!(faults.iter().all(|fault| fault.origin.home == Home::Environment));
        assert_trustworthy(&Settings::resolve(&[raw]).0);
    }

    #[test]
    fn nothing_in_a_workspace_file_sets_what_it_may_not(
        text in prop_oneof![text(), proptest::collection::vec(line(), 0..20).prop_map(|it| it.join("\n"))],
    ) {
        let (raw, _) = RawSettings::from_toml(Home::WorkspaceFile, ".foretell.toml", &text);
        let (settings, _) = Settings::resolve(&[raw]);
        for current in settings.entries() {
            let groups = [
                "trigger.",
                "pace.",
                "gate.",
                "carry.",
                "recall.",
                "race.",
                "rejections.",
            ];
            let name = match current.name.strip_prefix("languages.") {
                Some(rest) => rest.split_once('.').map_or(rest, |(_, name)| name),
                None => &current.name,
            };
            let is_open = groups.iter().any(|group| name.contains(group)) || name.ends_with("context.exclude");
            let is_default = current.origins.iter().all(|it| it.home == Home::Default);
            prop_assert!(is_open || is_default, "{}", current.name);
        }
    }
}
