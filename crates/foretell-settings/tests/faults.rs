//! What a person is told, word for word, about what they wrote, and that the rest still applies.

use foretell_settings::{
    Home, RawSettings, SettingOrigin, Settings, SettingsFault, SettingsProblem, SourcePlace,
};

/// What came of one source: the settings, and everything said about it.
fn told((raw, mut faults): (RawSettings, Vec<SettingsFault>)) -> (Settings, Vec<String>) {
    let (settings, more) = Settings::resolve(&[raw]);
    faults.extend(more);
    (
        settings,
        faults.iter().map(SettingsFault::to_string).collect(),
    )
}

fn toml(text: &str) -> (Settings, Vec<String>) {
    told(RawSettings::from_toml(Home::UserFile, "config.toml", text))
}

fn json(text: &str) -> (Settings, Vec<String>) {
    told(RawSettings::from_json(Home::Editor, "settings.json", text))
}

fn set(assignment: &str) -> (Settings, Vec<String>) {
    told(RawSettings::from_assignment("--set", assignment))
}

#[test]
fn a_slip_of_the_hand_is_told_with_the_name_that_was_meant() {
    let (settings, faults) = toml("[triger]\nenabled = false\n[gate]\nenabled = false\n");
    assert_eq!(
        faults,
        [r#"config.toml:2:1: unknown setting "triger.enabled"; did you mean "trigger.enabled"?"#]
    );
    assert!(settings.trigger.enabled);
    assert!(!settings.gate.enabled, "the rest of the file applies");

    let (settings, faults) =
        json("{\n  \"triger.enabled\": false,\n  \"gate\": {\"enabled\": false}\n}");
    assert_eq!(
        faults,
        [r#"settings.json:2:3: unknown setting "triger.enabled"; did you mean "trigger.enabled"?"#]
    );
    assert!(!settings.gate.enabled);

    let (_, faults) = set("triger.enabled=false");
    assert_eq!(
        faults,
        [r#"--set: unknown setting "triger.enabled"; did you mean "trigger.enabled"?"#]
    );
}

#[test]
fn a_format_is_one_of_those_of_its_lane() {
    let (settings, faults) =
        toml("lanes.fim.format = \"qwen\"\nlanes.nextEdit.format = \"qwen\"\n");
    assert_eq!(
        faults,
        [
            r#"config.toml:2:16: lanes.nextEdit.format is "qwen", but must be "auto", "rewrite", "zeta-2.1", "zeta-2", "sweep", "sweep-v2" or "mercury""#
        ]
    );
    assert_eq!(settings.lanes.fim.fim_template(), "qwen");
    assert_eq!(settings.lanes.next_edit.format, "auto");
    let (settings, faults) = toml("lanes.fim.template = \"glm\"\nlanes.fim.format = \"rewrite\"\n");
    assert!(
        faults[0].starts_with("config.toml:2:11: lanes.fim.format is \"rewrite\", but must be")
    );
    assert_eq!(settings.lanes.fim.fim_template(), "glm", "format is auto");
}

#[test]
fn names_as_other_tools_write_them_are_understood_well_enough_to_correct() {
    let meant = |name: &str| {
        let (_, faults) = set(&format!("{name}=1"));
        let (_, meant) = faults[0].split_once("did you mean ").unwrap_or_default();
        meant.to_owned()
    };
    assert_eq!(
        meant("trigger.recent_edit_ms"),
        r#""trigger.recentEditMs"?"#
    );
    assert_eq!(
        meant("Trigger.Recent-Edit-Ms"),
        r#""trigger.recentEditMs"?"#
    );
    assert_eq!(meant("lanes.next-edit.model"), r#""lanes.nextEdit.model"?"#);
    assert_eq!(meant("trigger.recentEdit"), r#""trigger.recentEditMs"?"#);
    assert_eq!(meant("log.leve"), r#""log.level"?"#);
    assert_eq!(
        meant("languages.rust.triger.enabled"),
        r#""languages.rust.trigger.enabled"?"#
    );
    assert_eq!(
        meant("langauges.rust.trigger.enabled"),
        r#""languages.rust.trigger.enabled"?"#
    );
}

#[test]
fn nothing_is_suggested_for_a_name_like_no_other() {
    let (_, faults) = set("colour=blue");
    assert_eq!(faults, [r#"--set: unknown setting "colour""#]);
    let (_, faults) = set(&format!("{}=1", "trigger.".repeat(100_000)));
    assert!(faults[0].ends_with("trigger.\""), "no time is spent on it");
}

#[test]
fn a_name_cannot_paint_on_the_terminal() {
    let (_, faults) = json(r#"{"\u001b[31mred": 1, "languages.\u001b[0m.trigger.enabled": false}"#);
    assert_eq!(
        faults,
        [
            r#"settings.json:1:2: unknown setting "\u{1b}[31mred""#,
            r#"settings.json:1:22: unknown setting "languages.\u{1b}[0m.trigger.enabled""#,
        ]
    );
}

#[test]
fn columns_count_characters_whatever_they_are_made_of() {
    let (_, faults) = toml("# 😀\r\ntrigger = { \"é😀\" = 1, maxLines = 0 }");
    assert_eq!(
        faults,
        [
            r#"config.toml:2:13: unknown setting "trigger.é😀""#,
            "config.toml:2:23: trigger.maxLines is 0, but must be from 1 to 1000000",
        ]
    );
    let (_, faults) =
        json("/* 😀 */ {\"é\": /* ü */ 1,\r\n \"log.file\": \"😀\", \"trigger.maxLines\": 0}");
    assert_eq!(
        faults,
        [
            r#"settings.json:1:10: unknown setting "é""#,
            "settings.json:2:19: trigger.maxLines is 0, but must be from 1 to 1000000",
        ]
    );
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_text() {
    let (settings, faults) = toml("\u{feff}gate.enabled = false\nx = 1");
    assert_eq!(faults, [r#"config.toml:2:1: unknown setting "x""#]);
    assert!(!settings.gate.enabled);
    let (settings, faults) = json("\u{feff}{\"x\": 1, \"gate.enabled\": false}");
    assert_eq!(faults, [r#"settings.json:1:2: unknown setting "x""#]);
    assert!(!settings.gate.enabled);
}

#[test]
fn a_value_of_the_wrong_kind_is_told_in_words() {
    let (settings, faults) = toml(
        "log.level = 3\nlog.file = true\npace.rhythm = 1\npace.acceptedFactor = 'fast'\n\
         trigger.maxLines = 1.5\ntrigger.recentEditMs = 2026-01-01\ncontext.exclude = 'a'\n\
         trigger.ignoredSchemes = ['git', 7]\ntrigger.sameLineMemory = 'forever'\n\
         lanes.fim.headers = 'Bearer 1234'\nlanes.fim.model = {}",
    );
    assert_eq!(
        faults,
        [
            r#"config.toml:1:5: log.level is a number, but must be "off", "error", "warn", "info", "debug" or "trace""#,
            "config.toml:2:5: log.file is true, but must be a text",
            "config.toml:3:6: pace.rhythm is a number, but must be true or false",
            "config.toml:4:6: pace.acceptedFactor is a text, but must be a number",
            "config.toml:5:9: trigger.maxLines is 1.5, but must be a whole number",
            "config.toml:6:9: trigger.recentEditMs is a date, but must be a whole number",
            "config.toml:7:9: context.exclude is a text, but must be a list of texts",
            "config.toml:8:9: trigger.ignoredSchemes is a list with a number in it, but must be a list of texts",
            r#"config.toml:9:9: trigger.sameLineMemory is "forever", but must be "keep" or "until-edit""#,
            "config.toml:10:11: lanes.fim.headers is a text, but must be a table of texts",
            "config.toml:11:11: lanes.fim.model is a table, but must be a text",
        ]
    );
    assert_eq!(settings, Settings::default());

    let (_, faults) = json(r#"{"trigger": {"maxLines": "many"}, "context.exclude": [["a"], {}]}"#);
    assert_eq!(
        faults,
        [
            "settings.json:1:14: trigger.maxLines is a text, but must be a whole number",
            "settings.json:1:35: context.exclude is a list with a list in it, but must be a list of texts",
        ]
    );
}

#[test]
fn a_number_out_of_range_is_told_with_the_range() {
    let (settings, faults) = toml(
        "[trigger]\nmaxLines = 0\nimmediateSelections = -1\n[pace]\nbaseMs = 600001\n\
         rejectedFactor = 0.5\nacceptedFactor = nan\nidleMs = 99999999999999999999999999999999999999999\n",
    );
    assert_eq!(
        faults,
        [
            "config.toml:2:1: trigger.maxLines is 0, but must be from 1 to 1000000",
            "config.toml:3:1: trigger.immediateSelections is -1, but must be from 0 to 1000",
            "config.toml:5:1: pace.baseMs is 600001, but must be from 0 to 600000",
            "config.toml:6:1: pace.rejectedFactor is 0.5, but must be from 1 to 10",
            "config.toml:7:1: pace.acceptedFactor is not a number, but must be from 0.1 to 1",
            "config.toml:8:1: pace.idleMs is too large, but must be from 0 to 600000",
        ]
    );
    assert_eq!(settings, Settings::default());
    let (_, faults) = json(r#"{"languages": {"rust": {"pace.baseMs": 1e300}}}"#);
    assert!(
        faults[0].starts_with("settings.json:1:25: languages.rust.pace.baseMs is 1000"),
        "{faults:?}"
    );
}

#[test]
fn json_and_people_write_whole_numbers_with_a_point() {
    let (settings, faults) =
        json(r#"{"pace.baseMs": 5e2, "pace.minMs": 60.0, "pace.rejectedFactor": 2}"#);
    assert!(faults.is_empty());
    assert_eq!(settings.pace.base.get(), 500);
    assert_eq!(settings.pace.min.get(), 60);
    assert_eq!(settings.pace.rejected_factor, 2.0);
}

#[test]
fn what_stands_twice_is_told_and_the_first_holds() {
    let (settings, faults) = toml("[rejections]\ntotal = 1\ntotal = 2\ndocuments = 3\n");
    assert_eq!(
        faults,
        [r#"config.toml:3:1: duplicate key "total"; the first value holds"#]
    );
    assert_eq!(settings.rejections.total, 1);
    assert_eq!(
        settings.rejections.documents, 3,
        "the rest of the file applies"
    );

    let (settings, faults) = toml("[gate]\nenabled = false\n[gate]\nenabled = true\n");
    assert_eq!(
        faults,
        [
            r#"config.toml:3:2: duplicate key "gate"; the first value holds"#,
            r#"config.toml:4:1: duplicate key "enabled"; the first value holds"#,
        ]
    );
    assert!(!settings.gate.enabled);

    let (settings, faults) = toml("gate.enabled = false\n\"gate.enabled\" = true\n");
    assert_eq!(
        faults,
        [r#"config.toml:2:1: duplicate key "gate.enabled"; the first value holds"#]
    );
    assert!(!settings.gate.enabled);

    let (settings, faults) = json("{\"gate.enabled\": false,\n \"gate\": {\"enabled\": true}}");
    assert_eq!(
        faults,
        [r#"settings.json:2:11: duplicate key "gate.enabled"; the first value holds"#]
    );
    assert!(!settings.gate.enabled);
}

#[test]
fn a_text_that_cannot_be_read_sets_nothing() {
    let (settings, faults) = toml("gate.enabled = false\n# é\ncarry = {enabled = \n");
    assert_eq!(faults.len(), 1);
    assert!(
        faults[0].starts_with("config.toml:3:") && faults[0].contains(": not valid TOML: "),
        "{faults:?}"
    );
    assert!(faults[0].ends_with("; nothing in it applies until that is corrected"));
    assert_eq!(settings, Settings::default());

    let (settings, faults) = json("{\"gate.enabled\": false,\n \"é\": tru}");
    assert_eq!(
        faults,
        [
            "settings.json:2:10: not valid JSON: expected ident; nothing in it applies until that is corrected"
        ]
    );
    assert_eq!(settings, Settings::default());
}

#[test]
fn json_that_is_not_settings_is_told_where_it_goes_wrong() {
    let told = |text: &str| {
        let (_, faults) = json(text);
        let said = faults.join(" | ");
        said.replace("; nothing in it applies until that is corrected", "")
    };
    assert_eq!(
        told("[1]"),
        "settings.json:1:1: not valid JSON: settings are an object, in braces"
    );
    assert_eq!(
        told("{} {}"),
        "settings.json:1:4: not valid JSON: trailing characters"
    );
    assert_eq!(
        told("{,}"),
        "settings.json:1:2: not valid JSON: key must be a string"
    );
    assert_eq!(
        told("{'a': 1}"),
        "settings.json:1:2: not valid JSON: key must be a string"
    );
    assert_eq!(
        told("{\"a\": [1,,]}"),
        "settings.json:1:10: not valid JSON: expected value"
    );
    assert_eq!(
        told("{} /* é"),
        "settings.json:1:4: not valid JSON: trailing characters"
    );
    assert_eq!(
        told("{\"é\": {\"a\": \"\\ud800\"}}"),
        "settings.json:1:20: not valid JSON: unexpected end of hex escape"
    );
    let deep = "{\"a\":".repeat(10_000) + "1" + &"}".repeat(10_000);
    assert_eq!(
        told(&deep),
        "settings.json:1:322: not valid JSON: objects are nested more than 64 deep"
    );
}

#[test]
fn json_has_comments_and_trailing_commas_where_editors_have_them() {
    let text = "// mine\n{\n  \"$schema\": \"x\", /* why\n not */ \"log.file\": \"a//b,]\\\"/*\",\n\
                  \"context.exclude\": [\"a\", \"b\" , // c\n ],\n}\n// end";
    let (settings, faults) = json(text);
    assert!(faults.is_empty(), "{faults:?}");
    assert_eq!(settings.log.file.as_deref(), Some("a//b,]\"/*"));
    assert_eq!(settings.context.exclude, ["a", "b"]);
}

#[test]
fn an_editor_with_nothing_to_say_says_nothing() {
    for text in ["", " \n", "// nothing\n", "null", "{}", "{\"trigger\": {}}"] {
        assert_eq!(json(text), (Settings::default(), vec![]), "{text}");
    }
    let (settings, faults) = json(r#"{"log": {"file": null, "level": "debug"}, "nonsense": null}"#);
    assert!(faults.is_empty());
    assert_eq!(settings.log.file, None);
}

#[test]
fn a_group_is_not_a_setting() {
    let (_, faults) = toml(
        "trigger = false\nlanguages.rust = true\n[lanes]\nfim = 'ollama'\n[[pace]]\nbaseMs = 1",
    );
    assert_eq!(
        faults,
        [
            r#"config.toml:1:1: "trigger" is a group of settings; set one of them, such as "trigger.enabled""#,
            r#"config.toml:2:11: "languages.rust" is a group of settings; set one of them, such as "languages.rust.trigger.enabled""#,
            r#"config.toml:4:1: "lanes.fim" is a group of settings; set one of them, such as "lanes.fim.enabled""#,
            r#"config.toml:5:3: "pace" is a group of settings; set one of them, such as "pace.baseMs""#,
        ]
    );
    let (settings, faults) =
        toml("[trigger]\n[languages.rust]\n[languages.rust.pace]\n[lanes.fim.headers]\n");
    assert_eq!(
        (settings, faults),
        (Settings::default(), vec![]),
        "an empty group is nothing"
    );
}

#[test]
fn an_assignment_is_read_as_its_setting_wants_it() {
    let (settings, _) = set("lanes.fim.model=7");
    assert_eq!(settings.lanes.fim.model.as_deref(), Some("7"));
    let (settings, _) = set("lanes.fim.model = \"7 b\"");
    assert_eq!(settings.lanes.fim.model.as_deref(), Some("7 b"));
    let (settings, _) = set("lanes.fim.apiKeyCommand=pass show a=b");
    assert_eq!(
        settings.lanes.fim.api_key_command.as_deref(),
        Some("pass show a=b")
    );
    let (settings, _) = set("context.exclude=['*.key', \"b\"]");
    assert_eq!(settings.context.exclude, ["*.key", "b"]);
    let (settings, _) = set("trigger.maxLines=1_000");
    assert_eq!(settings.trigger.max_lines, 1_000);

    let (_, faults) = set("trigger.enabled=yes");
    assert_eq!(
        faults,
        ["--set: trigger.enabled is a text, but must be true or false"]
    );
    let (_, faults) = set("trigger.enabled");
    assert_eq!(
        faults,
        [r#"--set: "trigger.enabled" sets nothing; write a setting as name=value"#]
    );
    let (_, faults) = set("=1");
    assert_eq!(faults, [r#"--set: unknown setting """#]);
}

#[test]
fn a_line_of_a_trace_is_the_place_of_all_that_is_in_it() {
    let origin = SettingOrigin {
        home: Home::Trace,
        source: "session.jsonl".to_owned(),
        place: Some(SourcePlace {
            line: 12,
            column: 1,
        }),
    };
    let set =
        r#"{"rejections.perDocument": 400, "rejections.totl": 400, "lanes.fim.url": "http://x"}"#;
    let (settings, faults) = told(RawSettings::from_json_within(&origin, set));
    assert_eq!(
        faults,
        [
            r#"session.jsonl:12:1: unknown setting "rejections.totl"; did you mean "rejections.total"?"#,
            "session.jsonl:12:1: lanes.fim.url is refused in a trace, because somebody else's session \
             must not decide where code is sent, what is run or which files are used; set it with --set",
        ]
    );
    assert_eq!(settings.rejections.per_document, 400);
    assert_eq!(settings.origin_of("rejections.perDocument"), Some(&origin));
}

#[test]
fn headers_that_cannot_be_sent_are_refused_without_being_repeated() {
    let (settings, faults) = toml(
        "[lanes.fim.headers]\nX-Team = 'core'\n'x y' = 'secret1'\nAuthorization = \"secret2\\r\\nX: y\"\nx = 3\n'' = 'secret3'\n",
    );
    assert_eq!(
        faults,
        [
            r#"config.toml:3:1: "lanes.fim.headers.x y" does not end in the name of a header; use letters, digits and hyphens"#,
            "config.toml:4:1: lanes.fim.headers.Authorization has a line break or a control character in it, which a header cannot carry",
            "config.toml:5:1: lanes.fim.headers.x is a number, but must be a text",
            r#"config.toml:6:1: "lanes.fim.headers." does not end in the name of a header; use letters, digits and hyphens"#,
        ]
    );
    let headers: Vec<_> = settings.lanes.fim.headers.iter().collect();
    assert_eq!(headers, [("x-team", "core")]);
}

#[test]
fn a_name_cannot_drive_a_terminal() {
    let written = "[lanes.fim.headers]\n\"\\u001b[31mX\" = \"y\"\n";
    let (raw, mut faults) = RawSettings::from_toml(Home::WorkspaceFile, "config.toml", written);
    faults.extend(Settings::resolve(&[raw]).1);
    assert!(!faults.is_empty());
    for fault in faults {
        assert!(!fault.to_string().contains('\u{1b}'), "{fault:?}");
    }
}

/// To some editors the line ends there, and what looks like a comment to others is a setting.
#[test]
fn nothing_hides_in_a_comment_behind_a_rare_end_of_a_line() {
    for end in ['\u{2028}', '\u{2029}'] {
        let text = format!("{{ // on{end}\"trigger.enabled\": false\n}}");
        let (raw, faults) = RawSettings::from_json(Home::Editor, "settings.json", &text);
        assert_eq!(raw.names().count(), 0);
        assert!(matches!(faults[0].problem, SettingsProblem::Syntax { .. }));
    }
}

#[test]
fn what_cannot_name_a_variable_is_refused_and_not_repeated() {
    let long = "K".repeat(129);
    for value in ["sk-live-51Hx", "1KEY", "a b", "$KEY", "schlüssel", &long] {
        let text = format!("lanes.fim.apiKeyEnv = '{value}'");
        let (raw, faults) = RawSettings::from_toml(Home::UserFile, "config.toml", &text);
        assert_eq!(faults, []);
        let (settings, faults) = Settings::resolve(&[raw]);
        assert_eq!(settings.lanes.fim.api_key_env, None);
        let said: Vec<_> = faults.iter().map(ToString::to_string).collect();
        let expected = "config.toml:1:11: lanes.fim.apiKeyEnv is not the name of a variable: those have \
             letters, digits and underscores; put the key itself into the variable";
        assert_eq!(said, [expected]);
    }
}

#[test]
fn a_key_in_a_file_is_told_where_it_belongs() {
    let text = "[lanes.fim]\napi_key = 'sk-live-51Hx'\n";
    let (raw, _) = RawSettings::from_toml(Home::UserFile, "config.toml", text);
    let (_, faults) = Settings::resolve(&[raw]);
    let said: Vec<_> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 1);
    assert!(said[0].contains("never set a key itself"), "{said:?}");
    assert!(!said[0].contains("51Hx"), "{said:?}");
}
