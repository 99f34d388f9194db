//! Environment variables as a home of settings.

use foretell_settings::{Home, RawSettings, Settings, SettingsFault};

/// What these variables set, and what is said of those that do not.
fn read(variables: &[(&str, &str)]) -> (Settings, Vec<String>) {
    let owned = variables
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let (raw, mut faults) = RawSettings::from_environment(owned);
    assert_eq!(raw.home(), Home::Environment);
    let (settings, more) = Settings::resolve(&[raw]);
    faults.extend(more);
    (
        settings,
        faults.iter().map(SettingsFault::to_string).collect(),
    )
}

#[test]
fn letters_count_and_neither_case_nor_dots_nor_underscores() {
    for variable in [
        "FORETELL_TRIGGER_RECENT_EDIT_MS",
        "FORETELL_TRIGGER_RECENTEDITMS",
        "FORETELL_trigger_recentEditMs",
        "FORETELL_trigger.recentEditMs",
        "foretell_trigger_recent_edit_ms",
    ] {
        let (settings, faults) = read(&[(variable, "4711")]);
        assert_eq!(faults, [""; 0]);
        assert_eq!(settings.trigger.recent_edit.get(), 4711, "{variable}");
        let origin = settings.origin_of("trigger.recentEditMs").unwrap();
        assert_eq!(
            (origin.home, origin.to_string()),
            (Home::Environment, variable.to_owned())
        );
    }
}

#[test]
fn values_are_written_as_on_the_command_line() {
    let (settings, faults) = read(&[
        ("FORETELL_LANES_FIM_URL", "http://127.0.0.1:8080"),
        ("FORETELL_LANES_FIM_MODEL", "7"),
        ("FORETELL_LANES_NEXT_EDIT_MODEL", "\"quoted\""),
        ("FORETELL_LANES_FIX_ENABLED", " false "),
        ("FORETELL_CONTEXT_EXCLUDE", "[\"private/**\"]"),
        ("FORETELL_LANES_FIM_REQUESTS_PER_DAY", "10"),
    ]);
    assert_eq!(faults, [""; 0]);
    let fim = &settings.lanes.fim;
    assert_eq!(fim.url.as_ref().unwrap().as_str(), "http://127.0.0.1:8080");
    assert_eq!(fim.model.as_deref(), Some("7"));
    assert_eq!(fim.requests_per_day, Some(10));
    assert_eq!(settings.lanes.next_edit.model.as_deref(), Some("quoted"));
    assert!(!settings.lanes.fix.enabled);
    assert_eq!(settings.context.exclude, ["private/**"]);
}

#[test]
fn a_language_ends_at_the_next_underscore() {
    let (settings, faults) = read(&[
        ("FORETELL_LANGUAGES_RUST_TRIGGER_ENABLED", "false"),
        ("FORETELL_LANGUAGES_Python_LANES_FIM_HEADERS_X_TEAM", "red"),
    ]);
    assert_eq!(faults, [""; 0]);
    assert!(!settings.for_language("rust").trigger.enabled);
    assert!(settings.for_language("python").trigger.enabled);
    let headers = &settings.for_language("python").lanes.fim.headers;
    assert_eq!(headers.get("x-team"), Some("red"));
    assert!(settings.lanes.fim.headers.is_empty());
}

#[test]
fn in_the_name_of_a_header_an_underscore_is_a_hyphen() {
    let (settings, faults) = read(&[
        ("FORETELL_LANES_FIM_HEADERS_X_TEAM", "blue"),
        ("FORETELL_LANES_NEXTEDIT_HEADERS_AUTHORIZATION", "Basic 42"),
    ]);
    assert_eq!(faults, [""; 0]);
    assert_eq!(settings.lanes.fim.headers.get("X-Team"), Some("blue"));
    let headers = &settings.lanes.next_edit.headers;
    assert_eq!(headers.get("authorization"), Some("Basic 42"));
}

#[test]
fn an_empty_variable_sets_nothing_and_others_are_not_ours() {
    let (settings, faults) = read(&[
        ("FORETELL_TRIGGER_ENABLED", ""),
        ("FORETELL_LANES_FIM_URL", "  "),
        ("FORETELL_NOTHING_AT_ALL", ""),
        ("PATH", "/bin"),
        ("TEST_FORETELL_TRACES", "traces"),
        ("FORETELLER_X", "1"),
        ("FORETELL", "1"),
        ("FÖRETELL_X", "1"),
    ]);
    assert_eq!(faults, [""; 0]);
    assert_eq!(settings, Settings::default());
}

#[test]
fn a_variable_that_names_nothing_is_told_with_the_nearest_one() {
    for (variable, said) in [
        (
            "FORETELL_TRIGER_ENABLED",
            "; did you mean \"FORETELL_TRIGGER_ENABLED\"?",
        ),
        (
            "FORETELL_LANES_NEXT_EDITS_MAX_TOKENS",
            "; did you mean \"FORETELL_LANES_NEXT_EDIT_MAX_TOKENS\"?",
        ),
        (
            "FORETELL_LANGUAGE_RUST_TRIGGER_ENABLE",
            "; did you mean \"FORETELL_LANGUAGES_RUST_TRIGGER_ENABLED\"?",
        ),
        (
            "FORETELL_TRIGGER",
            "; did you mean \"FORETELL_TRIGGER_ENABLED\"?",
        ),
        ("FORETELL_SOMETHING_ELSE_ENTIRELY", ""),
        ("FORETELL_", ""),
        ("FORETELL_LANGUAGES_RUST", ""),
    ] {
        let (settings, faults) = read(&[(variable, "true")]);
        let said = format!("{variable}: names no setting, so it sets nothing{said}");
        assert_eq!(faults, [said]);
        assert_eq!(settings, Settings::default());
    }
}

#[test]
fn a_key_itself_is_never_a_setting() {
    for (variable, lane) in [
        ("FORETELL_LANES_FIM_API_KEY", "lanes.fim"),
        ("FORETELL_LANES_NEXTEDIT_APIKEY", "lanes.nextEdit"),
        (
            "FORETELL_LANGUAGES_RUST_LANES_FIX_API_KEY",
            "languages.rust.lanes.fix",
        ),
    ] {
        let (settings, faults) = read(&[(variable, "sk-live-51Hx")]);
        let said = format!(
            "{variable}: never set a key itself; put it into a variable and name that in \
             {lane}.apiKeyEnv, or into a file and name that in {lane}.apiKeyFile"
        );
        assert_eq!(faults, [said]);
        assert_eq!(settings, Settings::default());
    }
}

#[test]
fn what_does_not_fit_is_told_and_the_rest_applies() {
    let (settings, faults) = read(&[
        ("FORETELL_PACE_BASE_MS", "soon"),
        ("FORETELL_GATE_ENABLED", "false"),
        ("FORETELL_LANES_FIM_HEADERS", "x"),
        ("FORETELL_LANES_FIM_HEADERS_X TEAM", "x"),
    ]);
    assert_eq!(
        faults,
        [
            "FORETELL_LANES_FIM_HEADERS: lanes.fim.headers is a text, but must be a table of texts",
            "FORETELL_LANES_FIM_HEADERS_X TEAM: \"lanes.fim.headers.x team\" does not end in the name of a \
             header; use letters, digits and hyphens",
            "FORETELL_PACE_BASE_MS: pace.baseMs is a text, but must be a whole number",
        ]
    );
    assert!(!settings.gate.enabled);
}

#[test]
fn of_two_variables_for_one_setting_the_first_by_name_holds() {
    let two = [
        ("FORETELL_PACE_BASE_MS", "2"),
        ("FORETELL_PACE_BASEMS", "1"),
    ];
    let said = "FORETELL_PACE_BASE_MS: duplicate key \"pace.baseMs\"; the first value holds";
    let (settings, faults) = read(&two);
    assert_eq!(settings.pace.base.get(), 1);
    assert_eq!(faults, [said]);
}

#[test]
fn a_name_as_long_as_they_come_is_read_in_no_time() {
    let long = format!("FORETELL_{}", "LANES_FIM_".repeat(20_000));
    let (_, faults) = read(&[(&long, "1")]);
    assert_eq!(faults.len(), 1);
}
