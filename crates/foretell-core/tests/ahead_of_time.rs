//! Work ahead of time, as a person with a model on their own machine meets it.
//!
//! In these stories FIM asks a model, at once and without context, at an address of this machine unless the
//! story says otherwise.
#![allow(
    clippy::unwrap_used,
    reason = "a story that goes wrong should stop where it does"
)]

use foretell_core::{
    AheadAnswer, AheadCallId, AheadOutcome, Event, FailureKind, LaneFailure, RequestId, TokenUsage,
};
use foretell_settings::{AheadChoice, BackEnd, Millis, ServerUrl, Settings};
use foretell_testkit::expect;
use foretell_testkit::story_editor::{Editor, fim_alone, insert};
use foretell_text::DocumentId;
use foretell_text::LaneKind::Fim;

const TEXT: &str = "let total = \nlet b = 2;\n";
const OTHER: &str = "file:///other.ts";

fn local_model(settings: &mut Settings) {
    fim_alone(settings);
    settings.lanes.fim.kind = BackEnd::LlamaCpp;
    settings.lanes.fim.url = Some(ServerUrl::from("http://127.0.0.1:8080"));
}

fn ends(editor: &mut Editor, call: u64, outcome: AheadOutcome) {
    editor.tell(Event::AheadEnded {
        call: AheadCallId::new(call),
        outcome,
        usage: TokenUsage {
            prompt_tokens: 10,
            ..TokenUsage::default()
        },
    });
}

fn says_ahead(editor: &mut Editor, call: u64, new_text: &str) {
    let (new_text, covered) = (new_text.into(), 0);
    let answer = AheadAnswer { new_text, covered };
    ends(editor, call, AheadOutcome::Answered(Some(answer)));
}

fn fails_ahead(editor: &mut Editor, call: u64, kind: FailureKind) {
    let retry_after_ms = None;
    let failure = LaneFailure {
        kind,
        retry_after_ms,
    };
    ends(editor, call, AheadOutcome::Failed(failure));
}

/// An editor with a suggestion on the screen, `1;` behind `let total = `, since 100 ms.
fn shown() -> (Editor, RequestId) {
    let mut editor = Editor::with_settings(TEXT, local_model);
    editor.place_cursor(1, 13);
    let request = editor.ask();
    editor.at(100);
    editor.lane_suggests(request, Fim, "1;");
    editor.log();
    (editor, request)
}

/// The person takes the suggestion, and the editor asks again.
fn accept(editor: &mut Editor, request: RequestId) -> RequestId {
    editor.type_at(12, "");
    editor.edit(insert(12, "1;"));
    editor.accept(request);
    editor.ask()
}

#[test]
fn the_prompt_of_a_document_is_read_when_somebody_comes_to_it() {
    let mut editor = Editor::with_settings(TEXT, local_model);
    editor.focus();
    editor.at(100).move_to(1, 13);
    editor.at(1_000);
    ends(&mut editor, 1, AheadOutcome::Answered(None));
    editor.at(30_000).rest();
    editor.at(60_000);
    editor.expect_log(expect![[r#"
        100ms quiet: no-recent-edit
        400ms warm a1 fim at 12
        30000ms quiet: no-recent-edit
    "#]]);
    let counts = editor.core.counts();
    assert_eq!(counts.calls.len(), 0, "no lane was started");
}

#[test]
fn a_cursor_that_does_not_rest_has_nothing_read() {
    let mut editor = Editor::with_settings(TEXT, local_model);
    for step in 0..10_u32 {
        editor.at(u64::from(step) * 200).move_to(1, 1 + step);
    }
    editor.expect_log(expect![[r#"
        0ms quiet: no-recent-edit
        200ms quiet: no-recent-edit
        400ms quiet: no-recent-edit
        600ms quiet: no-recent-edit
        800ms quiet: no-recent-edit
        1000ms quiet: no-recent-edit
        1200ms quiet: no-recent-edit
        1400ms quiet: no-recent-edit
        1600ms quiet: no-recent-edit
        1800ms quiet: no-recent-edit
    "#]]);
}

#[test]
fn a_question_stops_what_is_done_ahead_of_time() {
    let mut editor = Editor::with_settings(TEXT, local_model);
    editor.move_to(1, 13);
    editor.at(400).ask();
    editor.expect_log(expect![[r#"
        0ms quiet: no-recent-edit
        300ms warm a1 fim at 12
        400ms stop a1: superseded
        400ms start r1 fim
    "#]]);
}

#[test]
fn leaving_a_document_stops_reading_its_prompt() {
    let mut editor = Editor::with_settings(TEXT, local_model);
    editor.move_to(1, 13);
    editor.at(400).go_to(OTHER, TEXT).move_to(2, 1);
    editor.at(900);
    editor.expect_log(expect![[r#"
        0ms quiet: no-recent-edit
        300ms warm a1 fim at 12
        400ms quiet: no-recent-edit
        400ms stop a1: overtaken
        700ms warm a2 fim at 13
    "#]]);
}

#[test]
fn only_servers_on_this_machine_are_asked_ahead_of_time_unless_told_otherwise() {
    let mut asked = Vec::new();
    for url in [
        "http://127.0.0.1:8080",
        "http://127.1.2.3",
        "http://[::1]:1",
        "http://localhost:1/v1",
        "http://localhost.example.org",
        "https://models.example.org",
        "http://192.168.0.2:8080",
        "http://0.0.0.0:8080",
    ] {
        for ahead in [AheadChoice::Local, AheadChoice::Always, AheadChoice::Never] {
            let mut editor = Editor::with_settings(TEXT, |settings| {
                local_model(settings);
                settings.lanes.fim.url = Some(ServerUrl::from(url));
                settings.lanes.fim.ahead = ahead;
            });
            editor.move_to(1, 13);
            let request = editor.at(1_000).ask();
            editor.at(2_000);
            editor.lane_suggests(request, Fim, "1;");
            editor.at(5_000);
            let ahead_of_time = editor.core.counts().ahead.values().sum::<u64>();
            if ahead_of_time > 0 {
                asked.push(format!("{url} {ahead:?}: {ahead_of_time}"));
            }
        }
    }
    let expected = expect![[r#"
        http://127.0.0.1:8080 Local: 2
        http://127.0.0.1:8080 Always: 2
        http://127.1.2.3 Local: 2
        http://127.1.2.3 Always: 2
        http://[::1]:1 Local: 2
        http://[::1]:1 Always: 2
        http://localhost:1/v1 Local: 2
        http://localhost:1/v1 Always: 2
        http://localhost.example.org Always: 2
        https://models.example.org Always: 2
        http://192.168.0.2:8080 Always: 2
        http://0.0.0.0:8080 Always: 2"#]];
    expected.assert_eq(&asked.join("\n"));
}

#[test]
fn what_follows_a_suggestion_is_there_when_it_is_accepted() {
    let (mut editor, request) = shown();
    editor.at(500);
    says_ahead(&mut editor, 1, "\nlet a = 1;");
    editor.at(900);
    let next = accept(&mut editor, request);
    editor.at(1_500);
    says_ahead(&mut editor, 2, "\nlet c = 3;");
    editor.at(1_600);
    editor.type_at(14, "");
    editor.edit(insert(14, "\nlet a = 1;"));
    editor.accept(next);
    editor.ask();
    editor.expect_log(expect![[r#"
        300ms look-ahead a1 fim at 14
        900ms asked fim ahead for r2
        900ms answer r2: [14, 14) -> "\nlet a = 1;" (fim, repeated)
        1100ms look-ahead a2 fim at 25
        1600ms asked fim ahead for r3
        1600ms answer r3: [25, 25) -> "\nlet c = 3;" (fim, repeated)
    "#]]);
    assert_eq!(editor.core.counts().ahead_taken, 2);
}

#[test]
fn what_was_said_at_once_is_not_looked_beyond_before_the_model_was_asked_there() {
    let known = [("let total = sum(a, b);", 800)];
    let mut editor = Editor::predicting(TEXT, &known, |settings| {
        local_model(settings);
        settings.pace.base = Millis::new(1_000);
        settings.pace.min = Millis::new(1_000);
    });
    editor.place_cursor(1, 13);
    editor.type_keys("s");
    editor.log();
    let request = editor.ask();
    editor.at(2_000);
    editor.lane_suggests(request, Fim, "um(a, b);\nuse(total);");
    editor.ask();
    editor.at(3_000);
    editor.expect_log(expect![[r#"
        0ms predict r1 (key)
        0ms answer r1: [13, 13) -> "um(a, b);" (fim, at once)
        300ms warm a1 fim at 13
        1000ms stop a1: superseded
        1000ms start r1 fim
        2000ms late r1 fim 1000ms
        2000ms ask 1:14 (late)
        2000ms answer r2: [13, 13) -> "um(a, b);\nuse(total);" (fim, repeated)
        2200ms look-ahead a2 fim at 34
    "#]]);
}

#[test]
fn what_was_asked_ahead_used_a_name_that_another_file_had_changed_meanwhile() {
    let (mut editor, request) = shown();
    editor.at(500).go_to(OTHER, "items\n");
    editor.type_at(5, "_of");
    editor.go_to("file:///test.ts", "").place_cursor(1, 13);
    says_ahead(&mut editor, 1, "\nlet a = items;");
    editor.log();
    editor.at(900);
    accept(&mut editor, request);
    editor.expect_log(expect!["900ms start r2 fim"]);
}

#[test]
fn accepting_while_it_is_asked_takes_the_call_over() {
    let (mut editor, request) = shown();
    editor.at(500);
    let next = accept(&mut editor, request);
    editor.at(600);
    editor.lane_suggests(next, Fim, "\nlet a = 1;");
    editor.expect_log(expect![[r#"
        300ms look-ahead a1 fim at 14
        500ms start r2 fim by a1
        600ms answer r2: [14, 14) -> "\nlet a = 1;" (fim)
    "#]]);
}

#[test]
fn typing_into_a_suggestion_looks_beyond_it_once() {
    let (mut editor, _) = shown();
    editor.at(500);
    says_ahead(&mut editor, 1, "\nlet a = 1;");
    editor.type_at(12, "1");
    editor.ask();
    editor.at(2_000).type_keys(";");
    editor.ask();
    editor.at(5_000);
    editor.expect_log(expect![[r#"
        300ms look-ahead a1 fim at 14
        500ms answer r2: [13, 13) -> ";" (fim, carried)
        2000ms asked fim ahead for r3
        2000ms answer r3: [14, 14) -> "\nlet a = 1;" (fim, repeated)
        2200ms look-ahead a2 fim at 25
    "#]]);
}

/// The person types something else and is suggested `a;` there. Says whether it is looked beyond.
fn is_looked_beyond(editor: &mut Editor) -> bool {
    editor.type_keys("b;\nlet b = ");
    let request = editor.ask();
    editor.after(100);
    editor.lane_suggests(request, Fim, "a;");
    editor.log();
    editor.after(1_000);
    editor.log().join("\n").contains("look-ahead")
}

#[test]
fn who_takes_nothing_has_nothing_asked_that_would_follow_it() {
    let mut editor = Editor::with_settings(TEXT, local_model);
    editor.place_cursor(1, 13);
    let not_taken: Vec<bool> = (0..5).map(|_| is_looked_beyond(&mut editor)).collect();
    assert_eq!(not_taken, [true, true, true, false, false]);
    editor.type_keys("a;");
    assert!(is_looked_beyond(&mut editor), "something was taken");
}

#[test]
fn typing_something_else_ends_it() {
    let (mut editor, _) = shown();
    editor.at(500).type_at(12, "x");
    editor.expect_log(expect![[r#"
        300ms look-ahead a1 fim at 14
        500ms stop a1: overtaken
    "#]]);
}

#[test]
fn a_rejected_suggestion_has_nothing_that_follows_it() {
    let (mut editor, request) = shown();
    editor.at(400).dismiss(request);
    editor.log();
    editor.at(500).type_at(12, "1;");
    editor.ask();
    editor.expect_log(expect!["500ms start r2 fim"]);
}

#[test]
fn what_follows_a_suggestion_is_forgotten_when_that_is_rejected() {
    let (mut editor, request) = shown();
    editor.at(500);
    says_ahead(&mut editor, 1, "\nlet a = 1;");
    editor.at(600).dismiss(request);
    editor.log();
    editor.at(700).type_at(12, "1;");
    editor.ask();
    editor.expect_log(expect!["700ms start r2 fim"]);
}

#[test]
fn what_was_rejected_does_not_come_back_by_looking_ahead() {
    let (mut editor, request) = shown();
    editor.edit(insert(12, "1;"));
    editor.reject(&insert(14, "\nlet a = 1;"));
    editor.undo();
    editor.place_cursor(1, 13);
    editor.ask();
    editor.at(900);
    says_ahead(&mut editor, 1, "\nlet a = 1;");
    editor.log();
    accept(&mut editor, request);
    editor.expect_log(expect!["900ms start r3 fim"]);
}

#[test]
fn a_failure_that_nobody_waited_for_does_not_let_the_lane_rest() {
    let mut editor = Editor::with_settings(TEXT, local_model);
    for (index, document) in ["a", "b", "c", "d", "e"].iter().enumerate() {
        let name = format!("file:///{document}.ts");
        editor
            .at(index as u64 * 1_000)
            .go_to(&name, TEXT)
            .move_to(1, 13);
        editor.after(500);
        if index == 0 {
            fails_ahead(&mut editor, 1, FailureKind::Unreachable);
        }
    }
    let request = editor.ask();
    editor.lane_suggests(request, Fim, "1;");
    editor.after(300);
    editor.expect_log(expect![[r#"
        0ms quiet: no-recent-edit
        300ms warm a1 fim at 12
        1000ms quiet: no-recent-edit
        2000ms quiet: no-recent-edit
        3000ms quiet: no-recent-edit
        4000ms quiet: no-recent-edit
        4500ms start r1 fim
        4500ms answer r1: [12, 12) -> "1;" (fim)
        4700ms look-ahead a2 fim at 14
    "#]]);
}

#[test]
fn a_server_that_loads_its_model_is_warmed_when_it_has() {
    let mut editor = Editor::with_settings(TEXT, local_model);
    editor.move_to(1, 13);
    editor.at(400);
    fails_ahead(&mut editor, 1, FailureKind::Loading);
    editor.at(10_000);
    editor.expect_log(expect![[r#"
        0ms quiet: no-recent-edit
        300ms warm a1 fim at 12
        5400ms warm a2 fim at 12
    "#]]);
}

/// An editor that asked while the server was loading its model.
fn asked_too_early() -> Editor {
    let mut editor = Editor::with_settings(TEXT, local_model);
    editor.place_cursor(1, 13);
    let request = editor.ask();
    editor.tell(Event::LaneFailed {
        request,
        lane: Fim,
        failure: LaneFailure {
            kind: FailureKind::Loading,
            retry_after_ms: None,
        },
        usage: TokenUsage::default(),
    });
    for call in 1..=12 {
        editor.after(5_000);
        fails_ahead(&mut editor, call, FailureKind::Loading);
    }
    editor.log();
    editor
}

#[test]
fn a_person_who_waits_for_a_server_to_load_its_model_is_asked_about_when_it_has() {
    let mut editor = asked_too_early();
    editor.at(65_100);
    ends(&mut editor, 13, AheadOutcome::Answered(None));
    editor.ask();
    editor.expect_log(expect![[r#"
        65000ms warm a13 fim at 12
        65100ms ask 1:13 (late)
        65100ms start r2 fim
    "#]]);
}

#[test]
fn a_person_who_has_gone_on_meanwhile_is_not() {
    let mut editor = asked_too_early();
    editor.move_to(2, 3);
    editor.log();
    editor.at(65_100);
    ends(&mut editor, 13, AheadOutcome::Answered(None));
    editor.expect_log(expect!["60300ms warm a13 fim at 15"]);
}

#[test]
fn a_call_ahead_of_time_has_as_much_patience_as_any() {
    let mut editor = Editor::with_settings(TEXT, local_model);
    editor.move_to(1, 13);
    editor.at(200_000);
    editor.expect_log(expect![[r#"
        0ms quiet: no-recent-edit
        300ms warm a1 fim at 12
        65300ms stop a1: timed-out
    "#]]);
}

#[test]
fn half_of_a_limit_is_kept_for_questions() {
    let mut editor = Editor::with_settings(TEXT, |settings| {
        local_model(settings);
        settings.lanes.fim.requests_per_minute = Some(4);
    });
    for (index, document) in ["a", "b", "c", "d"].iter().enumerate() {
        let name = format!("file:///{document}.ts");
        editor
            .at(index as u64 * 1_000)
            .go_to(&name, TEXT)
            .move_to(1, 13);
        editor.after(500);
        ends(&mut editor, index as u64 + 1, AheadOutcome::Answered(None));
    }
    editor.ask();
    editor.expect_log(expect![[r#"
        0ms quiet: no-recent-edit
        300ms warm a1 fim at 12
        1000ms quiet: no-recent-edit
        1300ms warm a2 fim at 12
        2000ms quiet: no-recent-edit
        2500ms ignored: unknown-id
        3000ms quiet: no-recent-edit
        3500ms ignored: unknown-id
        3500ms start r1 fim
    "#]]);
}

#[test]
fn nothing_is_asked_ahead_of_time_where_the_person_pauses() {
    let mut editor = Editor::with_settings(TEXT, local_model);
    editor.move_to(1, 13);
    let document = editor.document.clone();
    editor.at(400).tell(Event::DocumentPaused {
        document,
        is_paused: true,
    });
    editor.go_to(OTHER, TEXT);
    let document = editor.document.clone();
    editor.tell(Event::DocumentPaused {
        document,
        is_paused: true,
    });
    editor.move_to(2, 1);
    editor.at(20_000);
    editor.expect_log(expect![[r#"
        0ms quiet: no-recent-edit
        300ms warm a1 fim at 12
        400ms stop a1: paused
        400ms quiet: no-recent-edit
    "#]]);
}

#[test]
fn nothing_is_asked_ahead_of_what_must_not_be_told() {
    let excluded = |document: &DocumentId| Event::ExclusionKnown {
        document: document.clone(),
        is_excluded: true,
    };
    let mut editor = Editor::with_settings(TEXT, local_model);
    editor.move_to(1, 13);
    editor.at(400);
    let document = editor.document.clone();
    editor.tell(excluded(&document));
    editor.at(500).go_to(OTHER, TEXT).move_to(2, 1);
    editor.at(900);
    editor.tell(Event::ContestKnown { is_contested: true });
    editor.at(1_000).go_to("output:///log", TEXT).move_to(2, 1);
    editor.at(5_000);
    editor.expect_log(expect![[r#"
        0ms quiet: no-recent-edit
        300ms warm a1 fim at 12
        400ms stop a1: excluded-document
        500ms quiet: no-recent-edit
        800ms warm a2 fim at 13
        900ms stop a2: contested-settings
        1000ms quiet: ignored-document
    "#]]);
}

#[test]
fn switching_it_off_stops_it() {
    let mut editor = Editor::with_settings(TEXT, local_model);
    editor.move_to(1, 13);
    editor.at(400);
    editor.set(|settings| settings.lanes.fim.ahead = AheadChoice::Never);
    editor.at(5_000);
    editor.expect_log(expect![[r#"
        0ms quiet: no-recent-edit
        300ms warm a1 fim at 12
        400ms stop a1: disabled
    "#]]);
}

#[test]
fn the_end_of_the_process_ends_it() {
    let mut editor = Editor::with_settings(TEXT, local_model);
    editor.move_to(1, 13);
    editor.at(400).tell(Event::ShuttingDown);
    editor.expect_log(expect![[r#"
        0ms quiet: no-recent-edit
        300ms warm a1 fim at 12
        400ms stop a1: shutting-down
    "#]]);
    assert_eq!(editor.core.poll_timeout(), None);
}

#[test]
fn an_end_that_crosses_the_order_to_stop_is_counted_and_nothing_else() {
    let (mut editor, _) = shown();
    editor.at(500).type_at(12, "x");
    says_ahead(&mut editor, 1, "\nlet a = 1;");
    editor.expect_log(expect![[r#"
        300ms look-ahead a1 fim at 14
        500ms stop a1: overtaken
        500ms ignored: unknown-id
    "#]]);
    let used = editor
        .core
        .used(foretell_core::Moment::from_millis(500), Fim);
    assert_eq!((used.requests_today, used.tokens_today), (2, 10));
}

#[test]
fn without_a_model_nothing_is_due() {
    let mut editor = Editor::with_settings(TEXT, fim_alone);
    editor.move_to(1, 13);
    editor.type_keys("1");
    assert_eq!(editor.core.poll_timeout(), None);
}
