//! Who wins, who may speak at all, and what is shown of it.

use foretell_settings::choice::BackEnd;
use foretell_settings::{Home, RawSettings, SettingValue, Settings, SettingsFault, settings_table};
use foretell_text::LaneKind;

const FILES: [(Home, &str); 5] = [
    (Home::UserFile, "config.toml"),
    (Home::WorkspaceFile, ".foretell.toml"),
    (Home::Editor, "editor"),
    (Home::Environment, "environment"),
    (Home::Trace, "trace"),
];

/// A source that can be read.
fn source(home: Home, text: &str) -> RawSettings {
    let (_, name) = FILES
        .iter()
        .find(|(known, _)| *known == home)
        .expect("a home that has files");
    let (raw, faults) = RawSettings::from_toml(home, name, text);
    assert_eq!(faults, []);
    raw
}

fn set(assignment: &str) -> RawSettings {
    let (raw, faults) = RawSettings::from_assignment("--set", assignment);
    assert_eq!(faults, []);
    raw
}

fn resolved(sources: &[RawSettings]) -> Settings {
    let (settings, faults) = Settings::resolve(sources);
    assert_eq!(faults, []);
    settings
}

fn told(sources: &[RawSettings]) -> (Settings, Vec<String>) {
    let (settings, faults) = Settings::resolve(sources);
    (
        settings,
        faults.iter().map(SettingsFault::to_string).collect(),
    )
}

#[test]
fn each_home_beats_all_below_it_in_whatever_order_they_come() {
    let mut sources = vec![];
    let mut expected = 400;
    assert_eq!(resolved(&sources).rejections.total, expected);
    for (home, _) in FILES {
        expected += 1;
        sources.insert(0, source(home, &format!("rejections.total = {expected}")));
        assert_eq!(resolved(&sources).rejections.total, expected, "{home}");
    }
    sources.insert(0, set("rejections.total=1000"));
    let settings = resolved(&sources);
    assert_eq!(settings.rejections.total, 1000);
    assert_eq!(
        settings.origin_of("rejections.total").unwrap().to_string(),
        "--set"
    );
}

#[test]
fn of_two_assignments_the_later_wins() {
    let settings = resolved(&[set("rejections.total=1"), set("rejections.total=2")]);
    assert_eq!(settings.rejections.total, 2);
}

#[test]
fn homes_agree_on_what_only_one_of_them_says() {
    let settings = resolved(&[
        source(Home::UserFile, "[pace]\nbaseMs = 300\nminMs = 60"),
        source(Home::WorkspaceFile, "[pace]\nbaseMs = 400"),
    ]);
    assert_eq!(settings.pace.base.get(), 400);
    assert_eq!(settings.pace.min.get(), 60);
    let origin = |name| settings.origin_of(name).unwrap().to_string();
    assert_eq!(origin("pace.baseMs"), ".foretell.toml:2:1");
    assert_eq!(origin("pace.minMs"), "config.toml:3:1");
    assert_eq!(origin("pace.maxMs"), "default");
    assert_eq!(settings.origin_of("pace.medianMs"), None);
}

#[test]
fn a_value_that_does_not_fit_leaves_that_of_the_home_below() {
    let (settings, faults) = told(&[
        source(Home::UserFile, "trigger.maxLines = 500"),
        source(Home::WorkspaceFile, "trigger.maxLines = 0"),
    ]);
    assert_eq!(
        faults,
        [".foretell.toml:1:9: trigger.maxLines is 0, but must be from 1 to 1000000"]
    );
    assert_eq!(settings.trigger.max_lines, 500);
    let origin = settings.origin_of("trigger.maxLines").unwrap();
    assert_eq!(origin.home, Home::UserFile);
}

#[test]
fn a_broken_file_does_not_take_the_others_with_it() {
    let (broken, mut faults) = RawSettings::from_toml(Home::UserFile, "config.toml", "gate = [");
    let (settings, more) = Settings::resolve(&[broken, set("carry.enabled=false")]);
    faults.extend(more);
    assert_eq!(faults.len(), 1);
    assert!(settings.gate.enabled);
    assert!(!settings.carry.enabled);
}

#[test]
fn what_is_said_for_a_language_beats_every_home_that_speaks_of_all() {
    let settings = resolved(&[
        source(Home::UserFile, "languages.markdown.trigger.enabled = false"),
        set("trigger.enabled=true"),
        set("pace.baseMs=111"),
    ]);
    let markdown = settings.for_language("markdown");
    assert!(settings.trigger.enabled);
    assert!(settings.for_language("rust").trigger.enabled);
    assert!(!markdown.trigger.enabled);
    assert_eq!(markdown.pace.base.get(), 111, "the rest is as for all");
    let origin = |name| settings.origin_of(name).unwrap().to_string();
    assert_eq!(
        origin("languages.markdown.trigger.enabled"),
        "config.toml:1:28"
    );
    assert_eq!(origin("languages.markdown.pace.baseMs"), "--set");
    assert_eq!(origin("languages.rust.trigger.enabled"), "--set");
}

#[test]
fn homes_have_their_order_within_a_language_too() {
    let settings = resolved(&[
        set("languages.go.gate.enabled=true"),
        source(Home::WorkspaceFile, "languages.go.gate.enabled = false"),
    ]);
    assert!(settings.for_language("go").gate.enabled);
}

#[test]
fn languages_have_the_names_editors_give_them() {
    for id in ["c++", "c#", "objective-c", "yaml.ansible", "vue_html"] {
        let (nested, faults) = RawSettings::from_json(
            Home::Editor,
            "editor",
            &format!(r#"{{"languages": {{"{id}": {{"gate": {{"enabled": false}}}}}}}}"#),
        );
        assert_eq!(faults, []);
        assert!(!resolved(&[nested]).for_language(id).gate.enabled, "{id}");
        let settings = resolved(&[set(&format!("languages.{id}.gate.enabled=false"))]);
        assert!(!settings.for_language(id).gate.enabled, "{id}");
    }
}

#[test]
fn a_group_written_twice_is_not_a_language() {
    let (_, faults) = told(&[source(
        Home::UserFile,
        "[languages.rust.gate]\ngate.enabled = false",
    )]);
    assert_eq!(
        faults,
        [
            r#"config.toml:2:6: unknown setting "languages.rust.gate.gate.enabled"; did you mean "languages.rust.gate.enabled"?"#
        ]
    );
}

#[test]
fn a_cloned_repository_cannot_send_code_elsewhere_or_run_a_command() {
    let (settings, faults) = told(&[source(
        Home::WorkspaceFile,
        "[trigger]\nenabled = false\n[lanes.fim]\nurl = 'http://evil'\nheaders.X-A = 'b'\n\
         [languages.rust]\nlanes.fix.apiKeyCommand = 'rm'\nrace.holdMs = 1\n\
         [log]\nfile = '/etc/passwd'\n[context]\nenabled = false\n",
    )]);
    let refused = |place: &str, name: &str| {
        format!(
            ".foretell.toml:{place}: {name} is refused in a workspace file, because cloned code must \
             not decide where code is sent, what is run or what is read; set it in your own config.toml"
        )
    };
    assert_eq!(
        faults,
        [
            refused("4:1", "lanes.fim.url"),
            refused("5:9", "lanes.fim.headers.X-A"),
            refused("7:11", "languages.rust.lanes.fix.apiKeyCommand"),
            refused("10:1", "log.file"),
            refused("12:1", "context.enabled"),
        ]
    );
    assert!(!settings.trigger.enabled);
    assert_eq!(settings.for_language("rust").race.hold.get(), 1);
    assert_eq!(settings.lanes, Settings::default().lanes);
    assert_eq!(
        settings.for_language("rust").lanes,
        Settings::default().lanes
    );
}

#[test]
fn a_workspace_file_adds_exclusions_and_takes_none_away() {
    let workspace = source(
        Home::WorkspaceFile,
        "context.exclude = ['gen/**', 'mine/**']",
    );
    let user = source(Home::UserFile, "context.exclude = ['mine/**']");
    let settings = resolved(&[user.clone(), workspace.clone()]);
    assert_eq!(settings.context.exclude, ["mine/**", "gen/**"]);

    let editor = source(Home::Editor, "context.exclude = ['other/**']");
    let settings = resolved(&[user.clone(), workspace.clone(), editor]);
    assert_eq!(
        settings.context.exclude,
        ["other/**", "gen/**", "mine/**"],
        "a higher home replaces the person's, not what was added"
    );

    let emptied = source(Home::WorkspaceFile, "context.exclude = []");
    assert_eq!(
        resolved(&[user.clone(), emptied]).context.exclude,
        ["mine/**"]
    );

    let for_go = source(Home::UserFile, "languages.go.context.exclude = ['go/**']");
    let settings = resolved(&[user, workspace, for_go]);
    let go = settings.for_language("go");
    assert_eq!(go.context.exclude, ["go/**", "gen/**", "mine/**"]);
}

/// What a lane asks: kind, address, model and the ways to its key.
fn asked(lane: &foretell_settings::settings::LaneSettings) -> String {
    let url = lane.url.as_ref().map_or("-", |url| url.as_str());
    let model = lane.model.as_deref().unwrap_or("-");
    let keys = [&lane.api_key_env, &lane.api_key_file, &lane.api_key_command];
    let keys: Vec<_> = keys.into_iter().flatten().map(String::as_str).collect();
    format!("{:?} {url} {model} {}", lane.kind, keys.join(" "))
}

const ONE_MODEL: &str = "[model]\nkind = 'ollama'\nurl = 'http://127.0.0.1:11434'\nmodel = 'qwen'\n\
                         apiKeyEnv = 'MY_KEY'\nheaders.X-Team = 'ours'\nallowInsecure = true\n";

#[test]
fn one_model_is_asked_by_all_lanes() {
    let settings = resolved(&[source(Home::UserFile, ONE_MODEL)]);
    let all = "Ollama http://127.0.0.1:11434 qwen MY_KEY";
    for lane in LaneKind::ALL {
        let lane = settings.lanes.of(lane);
        assert_eq!(asked(lane), all);
        assert_eq!(lane.headers.get("X-Team"), Some("ours"));
        assert!(lane.allow_insecure);
    }
    let origin = settings.origin_of("lanes.fix.url").unwrap().to_string();
    assert_eq!(origin, "config.toml:3:1", "where a person would change it");
}

#[test]
fn what_a_lane_says_itself_wins() {
    let own = "[lanes.nextEdit]\nkind = 'embedded'\n[lanes.fix]\nkind = 'openai-chat'\nmodel = 'large'\n\
               apiKeyFile = '~/key'\nheaders.X-Team = 'theirs'\nheaders.X-Mine = '1'";
    let settings = resolved(&[source(Home::UserFile, ONE_MODEL), source(Home::Editor, own)]);
    let lanes = &settings.lanes;
    assert_eq!(asked(&lanes.next_edit), "Embedded - - ");
    assert_eq!(
        asked(&lanes.fix),
        "OpenAiChat http://127.0.0.1:11434 large ~/key",
        "of several ways to a key only its own"
    );
    let headers: Vec<_> = lanes.fix.headers.iter().collect();
    assert_eq!(headers, [("x-mine", "1"), ("x-team", "theirs")]);
}

#[test]
fn a_key_goes_to_no_other_address() {
    let own = "lanes.fim.url = 'http://elsewhere.example'";
    let settings = resolved(&[source(Home::UserFile, ONE_MODEL), source(Home::Editor, own)]);
    let fim = &settings.lanes.fim;
    assert_eq!(asked(fim), "Ollama http://elsewhere.example - ");
    assert!(fim.headers.is_empty());
    assert!(!fim.allow_insecure);
}

#[test]
fn a_server_that_cannot_serve_a_lane_leaves_it_embedded() {
    let chat = ONE_MODEL.replace("ollama", "openai-chat");
    let settings = resolved(&[source(Home::UserFile, &chat)]);
    assert_eq!(asked(&settings.lanes.fim), "Embedded - - ");
    assert_eq!(settings.lanes.next_edit.kind, BackEnd::OpenAiChat);
    let fills_in = ONE_MODEL.replace("ollama", "mistral");
    let settings = resolved(&[source(Home::UserFile, &fills_in)]);
    assert_eq!(settings.lanes.fim.kind, BackEnd::Mistral);
    assert_eq!(asked(&settings.lanes.fix), "Embedded - - ");
}

#[test]
fn a_language_may_have_a_model_of_its_own() {
    let settings = resolved(&[
        source(Home::UserFile, ONE_MODEL),
        source(Home::UserFile, "languages.rust.model.model = 'crab'"),
    ]);
    let rust = &settings.for_language("rust").lanes;
    assert_eq!(rust.fim.model.as_deref(), Some("crab"));
    assert_eq!(settings.lanes.fim.model.as_deref(), Some("qwen"));
}

#[test]
fn one_switch_is_over_everything() {
    let off = |settings: &Settings| {
        let lanes = LaneKind::ALL.map(|lane| settings.lanes.of(lane).enabled);
        (lanes, settings.trigger.enabled)
    };
    let settings = resolved(&[
        source(Home::UserFile, "languages.markdown.enabled = false"),
        source(Home::Editor, "lanes.fim.enabled = true"),
    ]);
    assert_eq!(off(settings.for_language("markdown")), ([false; 3], false));
    assert_eq!(off(&settings), ([true; 3], true));
    // What is off is not switched on by cloned code.
    let (settings, faults) = told(&[
        source(Home::UserFile, "enabled = false"),
        source(Home::WorkspaceFile, "enabled = true"),
    ]);
    assert_eq!(off(&settings), ([false; 3], false));
    assert_eq!(faults.len(), 1);
}

#[test]
fn headers_of_several_homes_are_sent_together() {
    let settings = resolved(&[
        source(
            Home::UserFile,
            "[lanes.fim.headers]\nAuthorization = 'user'\nX-User = '1'",
        ),
        set("lanes.fim.headers.authorization=line"),
        set("lanes.fim.headers.X-Line=2"),
    ]);
    let headers: Vec<_> = settings.lanes.fim.headers.iter().collect();
    assert_eq!(
        headers,
        [("authorization", "line"), ("x-line", "2"), ("x-user", "1")]
    );
    assert_eq!(settings.lanes.fim.headers.get("X-LINE"), Some("2"));
}

#[test]
fn the_shortest_wait_is_never_above_the_longest() {
    let (settings, faults) = told(&[
        source(Home::UserFile, "[pace]\nminMs = 100\nmaxMs = 500"),
        source(Home::WorkspaceFile, "[pace]\nbaseMs = 1\nminMs = 1000"),
    ]);
    assert_eq!(
        faults,
        [
            ".foretell.toml:3:1: pace.minMs is 1000, but must not be above pace.maxMs, which is 500; both stay as they were"
        ]
    );
    assert_eq!(settings.pace.min.get(), 100);
    assert_eq!(settings.pace.max.get(), 500);
    assert_eq!(settings.pace.base.get(), 1);
    let origin = settings.origin_of("pace.minMs").unwrap();
    assert_eq!(origin.to_string(), "config.toml:2:1");

    let (settings, faults) = told(&[source(Home::UserFile, "languages.go.pace.maxMs = 10")]);
    assert_eq!(
        faults,
        [
            "config.toml:1:19: languages.go.pace.minMs is 50, but must not be above languages.go.pace.maxMs, which is 10; both stay as they were"
        ]
    );
    assert_eq!(settings.for_language("go").pace, Settings::default().pace);

    // One home may say the two one after the other.
    let settings = resolved(&[set("pace.minMs=4000"), set("pace.maxMs=5000")]);
    assert_eq!(settings.pace.min.get(), 4000);
}

#[test]
fn an_empty_text_switches_an_optional_setting_off() {
    let settings = resolved(&[
        source(Home::UserFile, "log.file = 'a.log'"),
        set("log.file="),
    ]);
    assert_eq!(settings.log.file, None);
    assert_eq!(
        settings.origin_of("log.file").unwrap().home,
        Home::CommandLine
    );
}

#[test]
fn everything_can_be_shown_with_where_it_came_from() {
    let settings = resolved(&[
        source(
            Home::UserFile,
            "context.exclude = ['a']\nlanguages.go.gate.enabled = false",
        ),
        source(Home::WorkspaceFile, "context.exclude = ['b']"),
        set("lanes.fim.headers.Authorization=Bearer 1234"),
    ]);
    let shown: Vec<_> = settings
        .entries()
        .filter(|current| current.origins[0].home != Home::Default)
        .map(|current| {
            let origins: Vec<_> = current.origins.iter().map(ToString::to_string).collect();
            let value = current.value.unwrap();
            format!("{} = {value} ({})", current.name, origins.join(", "))
        })
        .collect();
    assert_eq!(
        shown,
        [
            r#"lanes.fim.headers = { authorization = "***" } (--set)"#,
            r#"context.exclude = ["a", "b"] (config.toml:1:9, .foretell.toml:1:9)"#,
            "languages.go.gate.enabled = false (config.toml:2:19)",
        ]
    );
    let rows = foretell_settings::settings_table::settings().count();
    assert_eq!(settings.entries().count(), rows + 1);
}

#[test]
fn a_secret_in_a_header_is_never_printed() {
    let raw = set("lanes.fim.headers.Authorization=Bearer hunter2");
    let settings = resolved(std::slice::from_ref(&raw));
    assert_eq!(
        settings.lanes.fim.headers.get("authorization"),
        Some("Bearer hunter2")
    );
    let entries: Vec<_> = settings.entries().collect();
    let printed = format!("{raw:?} {settings:?} {settings:#?} {entries:?}");
    assert!(!printed.contains("hunter2"));
    assert!(printed.contains(r#"{"authorization": ***}"#));
}

#[test]
fn what_may_be_a_key_is_not_shown() {
    for (name, value, shown) in [
        ("url", "https://me:key@host/key?key", "https://***@host/***"),
        ("apiKeyEnv", "EXAMPLE_KEY_2", "EXAMPLE_KEY_2"),
        ("apiKeyEnv", "sk_key", "***"),
        ("apiKeyCommand", "pass", "pass"),
        ("apiKeyCommand", "echo key", "echo ***"),
        ("apiKeyCommand", "KEY=key print", "***"),
        ("apiKeyFile", "~/key", "~/key"),
    ] {
        for prefix in ["", "languages.rust."] {
            let name = format!("{prefix}lanes.fim.{name}");
            let settings = resolved(&[set(&format!("{name}={value}"))]);
            let current = settings.entries().find(|it| it.name == name).unwrap();
            assert_eq!(current.shown(), Some(SettingValue::Text(shown.to_owned())));
        }
    }
    let settings = resolved(&[set("lanes.fim.headers.x-key=key")]);
    let mut entries = settings.entries();
    let headers = entries.find(|it| it.name == "lanes.fim.headers").unwrap();
    let shown = headers.shown().unwrap();
    assert_eq!(shown.to_string(), "{ x-key = \"***\" }");
    assert_eq!(shown.to_json().to_string(), "{\"x-key\":\"***\"}");
}

/// Whether an editor's word is taken for that of a file.
fn agree(editor: &str, file: &str) -> bool {
    let read = |home, text: &str| {
        let text = format!("{{ \"it\": {text} }}");
        let (raw, faults) = RawSettings::from_json(home, "settings.json", &text);
        assert_eq!(faults, []);
        raw
    };
    let (editor, file) = (read(Home::Editor, editor), read(Home::WorkspaceFile, file));
    editor.agrees("it", &file, "it")
}

#[test]
fn what_an_editor_says_is_compared_by_value_and_not_by_spelling() {
    for (editor, file) in [
        ("1000000", "1e6"),
        ("1000000.0", "1E+6"),
        ("1", "1.0"),
        ("0", "-0"),
        ("0", "-0.0"),
        // As an editor has it that knows only floating point.
        ("9007199254740992", "9007199254740993"),
        (
            "\"https://evil.example\"",
            "\"\\u0068ttps:\\/\\/evil.example\"",
        ),
        ("[\"a\", 1]", "[ \"\\u0061\", 1.0, ]"),
        ("true", "true // for all\n"),
        ("null", "null"),
    ] {
        assert!(agree(editor, file), "{editor} is {file}");
    }
    for (editor, file) in [
        ("1", "2"),
        ("1", "\"1\""),
        ("1", "true"),
        ("\"a\"", "\"A\""),
        ("[1]", "[1, 1]"),
        ("[1, 2]", "[2, 1]"),
        ("0", "null"),
        ("null", "false"),
    ] {
        assert!(!agree(editor, file), "{editor} is not {file}");
    }
}

#[test]
fn what_nobody_has_written_agrees_with_nothing() {
    let (raw, _) = RawSettings::from_json(Home::Editor, "editor", "{}");
    assert!(!raw.agrees("it", &raw, "it"));
}

#[test]
fn a_name_is_known_by_its_setting_whichever_language_it_is_for() {
    let general = |name: &str| settings_table::for_any_language(name).map(|(_, general)| general);
    for name in [
        "lanes.fim.url",
        "languages.rust.lanes.fim.url",
        "languages.yaml.ansible.lanes.fim.url",
    ] {
        assert_eq!(general(name).as_deref(), Some("lanes.fim.url"));
    }
    let header = general("languages.rust.lanes.fim.headers.x.y");
    assert_eq!(header.as_deref(), Some("lanes.fim.headers.x.y"));
    assert_eq!(general("lanes"), None);
}
