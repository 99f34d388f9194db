//! Answers that come late, as a person with a slow model meets them.
//!
//! In these stories FIM asks a model, at once and without context. A request is answered after 1,800 ms at
//! most; the model takes as long as the story says.
#![allow(
    clippy::unwrap_used,
    reason = "a story that goes wrong should stop where it does"
)]

use foretell_core::RequestCause::Automatic;
use foretell_core::{
    Event, Fact, FailureKind, LaneFailure, Moment, RejectionReports, RequestId, RequestKind,
    TokenUsage,
};
use foretell_settings::{BackEnd, Millis, Settings};
use foretell_testkit::expect;
use foretell_testkit::story_editor::{Editor, fim_alone, insert, replace};
use foretell_text::LaneKind::Fim;

const TEXT: &str = "let total = \nlet b = 2;\n";

fn fim_of_a_model(settings: &mut Settings) {
    fim_alone(settings);
    settings.lanes.fim.kind = BackEnd::LlamaCpp;
}

/// An editor with a model that was asked at 0 ms behind `let total = `.
fn asked() -> (Editor, RequestId) {
    let mut editor = Editor::with_settings(TEXT, fim_of_a_model);
    editor.place_cursor(1, 13);
    let request = editor.ask();
    editor.expect_log(expect!["0ms start r1 fim"]);
    (editor, request)
}

/// The model says what goes in where it was asked.
fn says(editor: &mut Editor, request: RequestId, new_text: &str) {
    editor.lane_answers(request, Fim, &[insert(12, new_text)]);
}

#[test]
fn a_person_who_waits_sees_what_a_slow_model_says() {
    let (mut editor, request) = asked();
    editor.at(3_000);
    says(&mut editor, request, "items.len();");
    editor.ask();
    editor.expect_log(expect![[r#"
        1800ms withheld r1: timed-out
        3000ms late r1 fim 3000ms
        3000ms ask 1:13 (late)
        3000ms answer r2: [12, 12) -> "items.len();" (fim, repeated)
    "#]]);
}

#[test]
fn cancelling_a_request_leaves_its_call() {
    let (mut editor, request) = asked();
    editor.at(100).cancel(request);
    editor.at(400);
    says(&mut editor, request, "items.len();");
    editor.expect_log(expect![[r#"
        100ms withheld r1: cancelled
        400ms late r1 fim 400ms
        400ms ask 1:13 (late)
    "#]]);
}

#[test]
fn typing_on_waits_for_the_call_that_runs() {
    let (mut editor, request) = asked();
    editor.at(500).type_keys("it");
    editor.ask();
    editor.at(900).type_keys("e");
    editor.ask();
    editor.at(1_200);
    says(&mut editor, request, "items.len();");
    editor.expect_log(expect![[r#"
        500ms withheld r1: superseded
        900ms withheld r2: superseded
        1200ms answer r3: [15, 15) -> "ms.len();" (fim)
    "#]]);
}

#[test]
fn a_hundred_keys_later_it_is_still_waited_for() {
    let (mut editor, request) = asked();
    let long = "abcdefghij".repeat(20);
    for (index, key) in long.chars().take(100).enumerate() {
        editor
            .at(80 * (index as u64 + 1))
            .type_keys(&key.to_string());
        editor.ask();
    }
    editor.log();
    says(&mut editor, request, &long);
    let answer = editor.log().concat();
    assert!(answer.starts_with("8000ms answer r101"), "{answer}");
}

#[test]
fn typing_something_else_starts_over_when_the_model_has_answered() {
    let (mut editor, request) = asked();
    editor.at(500).type_keys("x");
    editor.ask();
    editor.at(1_200);
    says(&mut editor, request, "items.len();");
    editor.expect_log(expect![[r#"
        500ms withheld r1: superseded
        1200ms start r2 fim
    "#]]);
}

#[test]
fn a_model_that_had_nothing_to_say_is_asked_again_further_on() {
    let (mut editor, request) = asked();
    editor.at(500).type_keys("x");
    editor.ask();
    editor.at(1_200).lane_answers(request, Fim, &[]);
    editor.expect_log(expect![[r#"
        500ms withheld r1: superseded
        1200ms start r2 fim
    "#]]);
}

#[test]
fn a_bracket_that_the_editor_closes_is_on_the_way() {
    let (mut editor, request) = asked();
    editor.at(500).type_keys("f");
    editor.edit(insert(13, "()"));
    editor.place_cursor(1, 15);
    editor.ask();
    editor.at(700);
    says(&mut editor, request, "f(a, b)");
    editor.expect_log(expect![[r#"
        500ms withheld r1: superseded
        700ms answer r2: [14, 14) -> "a, b" (fim)
    "#]]);
}

#[test]
fn a_request_elsewhere_replaces_the_call() {
    let (mut editor, _) = asked();
    editor.at(500).place_cursor(2, 11);
    editor.ask();
    editor.expect_log(expect![[r#"
        500ms withheld r1: superseded
        500ms stop r1 fim: superseded
        500ms start r2 fim
    "#]]);
}

#[test]
fn a_change_elsewhere_is_off_the_way() {
    let (mut editor, _) = asked();
    editor.at(500).edit(replace(17, 18, "c"));
    editor.ask();
    editor.expect_log(expect![[r#"
        500ms withheld r1: superseded
        500ms stop r1 fim: superseded
        500ms start r2 fim
    "#]]);
}

#[test]
fn the_server_is_freed_when_another_document_needs_it() {
    let (mut editor, _) = asked();
    editor.at(2_000).go_to("file:///other.ts", "let a = \n");
    editor.place_cursor(1, 9);
    editor.ask();
    editor.expect_log(expect![[r#"
        1800ms withheld r1: timed-out
        2000ms stop r1 fim: superseded
        2000ms start r2 fim
    "#]]);
}

#[test]
fn nobody_is_told_to_ask_where_the_person_is_no_longer() {
    let (mut editor, request) = asked();
    editor.at(2_000).move_to(2, 3);
    editor.log();
    editor.at(3_000);
    says(&mut editor, request, "items.len();");
    editor.expect_log(expect!["3000ms late r1 fim 3000ms"]);
}

#[test]
fn what_was_rejected_does_not_come_late() {
    let (mut editor, request) = asked();
    editor.at(2_000).reject(&insert(12, "items.len();"));
    editor.log();
    editor.at(9_000);
    says(&mut editor, request, "items.len();");
    editor.ask();
    editor.expect_log(expect![[r#"
        9000ms late r1 fim 9000ms
        9000ms withheld r2: previously-rejected
    "#]]);
}

#[test]
fn a_call_that_never_comes_back_is_given_up() {
    let (mut editor, _) = asked();
    editor.at(70_000);
    editor.expect_log(expect![[r#"
        1800ms withheld r1: timed-out
        65000ms stop r1 fim: timed-out
    "#]]);
}

#[test]
fn a_server_that_never_comes_back_rests_after_three() {
    let mut editor = Editor::with_settings(TEXT, fim_of_a_model);
    editor.place_cursor(1, 13);
    for number in 0..3 {
        editor.at(number * 70_000).ask();
    }
    editor.at(210_000);
    editor.log();
    editor.at(213_000).ask();
    editor.expect_log(expect![[r#"
        213000ms spare r4 fim: lane-resting
        213000ms withheld r4: lane-resting
    "#]]);
}

#[test]
fn a_server_that_reads_on_is_not_given_up() {
    let (mut editor, request) = asked();
    for batch in 1..=8 {
        editor.at(11_000 * batch).lane_reads_on(request, Fim);
    }
    editor.log();
    says(&mut editor, request, "items.len();");
    editor.expect_log(expect![[r#"
        88000ms late r1 fim 88000ms
        88000ms ask 1:13 (late)
    "#]]);
}

#[test]
fn a_server_that_stops_reading_is_given_up() {
    let (mut editor, request) = asked();
    editor.at(50_000).lane_reads_on(request, Fim);
    editor.at(200_000);
    editor.expect_log(expect![[r#"
        1800ms withheld r1: timed-out
        115000ms stop r1 fim: timed-out
    "#]]);
}

#[test]
fn where_nothing_is_carried_a_late_answer_is_told_all_the_same() {
    let mut editor = Editor::with_settings(TEXT, |settings| {
        fim_of_a_model(settings);
        settings.carry.enabled = false;
    });
    editor.place_cursor(1, 13);
    let request = editor.ask();
    editor.at(3_000);
    says(&mut editor, request, "items.len();");
    editor.ask();
    editor.expect_log(expect![[r#"
        0ms start r1 fim
        1800ms withheld r1: timed-out
        3000ms late r1 fim 3000ms
        3000ms ask 1:13 (late)
        3000ms answer r2: [12, 12) -> "items.len();" (fim, repeated)
    "#]]);
}

#[test]
fn a_server_that_hangs_rests_after_three() {
    let mut editor = Editor::with_settings(TEXT, fim_of_a_model);
    editor.place_cursor(1, 13);
    for number in 0..3 {
        let request = editor.at(number * 10_000).ask();
        editor.at(number * 10_000 + 5_000).lane_fails(request, Fim);
    }
    editor.log();
    editor.ask();
    editor.expect_log(expect![[r#"
        25000ms spare r4 fim: lane-resting
        25000ms withheld r4: lane-resting
    "#]]);
}

#[test]
fn coming_back_to_a_text_costs_no_call() {
    let (mut editor, request) = asked();
    editor.at(300);
    says(&mut editor, request, "items.len();");
    editor.type_keys("x");
    let other = editor.at(5_000).ask();
    editor.lane_answers(other, Fim, &[insert(13, " + 1")]);
    editor.log();
    editor.at(6_000).backspace();
    editor.ask();
    editor.expect_log(expect![[
        r#"6000ms answer r3: [12, 12) -> "items.len();" (fim, repeated)"#
    ]]);
}

#[test]
fn what_is_kept_and_was_rejected_stays_rejected() {
    let (mut editor, request) = asked();
    editor.at(300);
    says(&mut editor, request, "items.len();");
    editor.dismiss(request);
    editor.type_keys("x");
    editor.at(20_000).backspace();
    editor.log();
    editor.request(Automatic, RequestKind::Inline);
    editor.expect_log(expect!["20000ms withheld r2: previously-rejected"]);
}

#[test]
fn another_model_has_not_said_what_the_last_one_did() {
    let (mut editor, request) = asked();
    editor.at(300);
    says(&mut editor, request, "items.len();");
    editor.type_keys("x");
    let other = editor.ask();
    editor.lane_answers(other, Fim, &[insert(13, " + 1")]);
    editor.set(|settings| settings.lanes.fim.model = Some("another".to_owned()));
    editor.at(9_000).backspace();
    editor.log();
    editor.ask();
    editor.expect_log(expect!["9000ms start r3 fim"]);
}

#[test]
fn what_was_kept_used_a_name_that_another_file_had_changed_meanwhile() {
    let (mut editor, request) = asked();
    editor.at(300);
    says(&mut editor, request, "items.len();");
    editor.type_keys("x");
    let other = editor.at(5_000).ask();
    editor.lane_answers(other, Fim, &[insert(13, " + 1")]);
    editor.at(6_000).go_to("file:///items.ts", "items\n");
    editor.type_at(5, "_of");
    editor.go_to("file:///test.ts", "").place_cursor(1, 14);
    editor.backspace();
    editor.log();
    editor.at(7_000).ask();
    editor.expect_log(expect!["7000ms start r3 fim"]);
}

#[test]
fn what_is_kept_of_a_document_goes_when_nothing_may_be_told_of_it() {
    let (mut editor, request) = asked();
    editor.at(300);
    says(&mut editor, request, "items.len();");
    editor.type_keys("x");
    let other = editor.at(5_000).ask();
    editor.lane_answers(other, Fim, &[insert(13, " + 1")]);
    let document = editor.document.clone();
    editor.tell(Event::ExclusionKnown {
        document,
        is_excluded: true,
    });
    editor.backspace();
    editor.log();
    editor.at(6_000).ask();
    editor.expect_log(expect![[r#"
        6000ms spare r3 fim: excluded-document
        6000ms withheld r3: excluded-document
    "#]]);
}

#[test]
fn an_answer_that_came_while_the_cursor_was_elsewhere_kept_the_model_from_being_asked_there() {
    let mut editor = Editor::with_settings(TEXT, |settings| {
        fim_of_a_model(settings);
        settings.pace.base = Millis::new(400);
    });
    editor.place_cursor(1, 13);
    let request = editor.ask();
    editor.at(500).type_keys("it");
    editor.place_cursor(2, 11);
    editor.ask();
    editor.at(600);
    says(&mut editor, request, "items.len();");
    editor.at(2_000);
    editor.expect_log(expect![[r#"
        0ms start r1 fim
        500ms withheld r1: superseded
        500ms wait r2 400ms
        900ms start r2 fim
    "#]]);
}

#[test]
fn a_machine_that_slept_for_a_day_hears_nothing_of_the_call_it_had_made() {
    const DAY: u64 = 24 * 60 * 60 * 1_000;
    let (mut editor, request) = asked();
    // Time stands still for the process, and is then a day later all at once.
    let answered = |request| Event::LaneAnswered {
        request,
        lane: Fim,
        candidates: Vec::new(),
        usage: TokenUsage::default(),
        withheld: 0,
    };
    editor
        .core
        .handle(Moment::from_millis(DAY), answered(request));
    // A clock that is set back is not followed: the next event is no earlier than this one.
    editor
        .core
        .handle(Moment::from_millis(5), answered(request));
    editor.core.assert_invariants();
    let said = std::iter::from_fn(|| editor.core.poll_action());
    let said: Vec<String> = said.map(|action| Fact::from(&action).to_string()).collect();
    expect![[r#"
        withheld r1: timed-out
        stop r1 fim: timed-out
        ignored: unknown-id
        ignored: unknown-id"#]]
    .assert_eq(&said.join("\n"));
    assert_eq!(editor.core.poll_timeout(), None);
}

#[test]
fn a_server_that_loads_its_model_for_a_minute_is_waited_for() {
    let mut editor = Editor::with_settings(TEXT, fim_of_a_model);
    editor.place_cursor(1, 13);
    for second in 0..30 {
        let request = editor.at(2_000 * second).ask();
        editor.tell(Event::LaneFailed {
            request,
            lane: Fim,
            failure: LaneFailure {
                kind: FailureKind::Loading,
                retry_after_ms: None,
            },
            usage: TokenUsage::default(),
        });
        // It is left alone for a second, not for longer each time.
        editor.at(2_000 * second + 500).ask();
    }
    editor.log();
    let request = editor.at(60_000).ask();
    says(&mut editor, request, "items.len();");
    editor.expect_log(expect![[r#"
        60000ms start r61 fim
        60000ms answer r61: [12, 12) -> "items.len();" (fim)
    "#]]);
}

mod line_by_line {
    //! A model writes slowly, and its first line stands long before its last.

    use super::*;

    /// The same as `asked`, in an editor that asks when it is told to.
    fn asked_in_an_editor_that_can_be_told() -> (Editor, RequestId) {
        let mut editor = Editor::with_settings(TEXT, fim_of_a_model);
        editor.tell(Event::ClientConnected {
            rejections: RejectionReports::Explicit,
            asks_when_told: true,
        });
        editor.place_cursor(1, 13);
        let request = editor.ask();
        editor.expect_log(expect!["0ms start r1 fim"]);
        (editor, request)
    }

    /// The model has written so much, and goes on.
    fn writes(editor: &mut Editor, request: RequestId, new_text: &str) {
        editor.lane_goes_on(request, Fim, &[insert(12, new_text)]);
    }

    #[test]
    fn the_first_line_is_shown_at_once_and_the_rest_when_it_is_there() {
        let (mut editor, request) = asked_in_an_editor_that_can_be_told();
        writes(editor.at(400), request, "one(");
        writes(editor.at(900), request, "one(\n  two,");
        says(editor.at(1_400), request, "one(\n  two,\n);");
        editor.ask();
        editor.expect_log(expect![[r#"
            400ms answer r1: [12, 12) -> "one(" (fim)
            1400ms late r1 fim 1400ms
            1400ms ask 1:13 (late)
            1400ms answer r2: [12, 12) -> "one(\n  two,\n);" (fim, repeated)
        "#]]);
    }

    #[test]
    fn a_first_line_that_comes_when_nobody_asks_any_more_does_not_wait_for_the_last() {
        let (mut editor, request) = asked_in_an_editor_that_can_be_told();
        writes(editor.at(3_000), request, "one(");
        editor.ask();
        writes(editor.at(3_400), request, "one(\n  two,");
        says(editor.at(6_000), request, "one(\n  two,\n);");
        editor.ask();
        editor.expect_log(expect![[r#"
            1800ms withheld r1: timed-out
            3000ms ask 1:13 (late)
            3000ms answer r2: [12, 12) -> "one(" (fim)
            6000ms late r1 fim 6000ms
            6000ms ask 1:13 (late)
            6000ms answer r3: [12, 12) -> "one(\n  two,\n);" (fim, repeated)
        "#]]);
    }

    #[test]
    fn a_first_line_that_was_rejected_before_is_not_asked_for() {
        let (mut editor, request) = asked_in_an_editor_that_can_be_told();
        writes(editor.at(400), request, "one(");
        editor.dismiss(request);
        says(editor.at(1_400), request, "one(two);");
        let request = editor.at(9_000).invoke();
        writes(editor.at(30_000), request, "one(");
        editor.expect_log(expect![[r#"
            400ms answer r1: [12, 12) -> "one(" (fim)
            400ms remember 1: [12, 12) -> "one("
            1400ms remember 2: [12, 12) -> "one(two);"
            9000ms start r2 fim
            19000ms withheld r2: timed-out
        "#]]);
    }

    #[test]
    fn a_client_that_cannot_be_told_gets_what_there_is_when_its_time_is_up() {
        let (mut editor, request) = asked();
        writes(editor.at(400), request, "one(");
        writes(editor.at(900), request, "one(\n  two,");
        says(editor.at(2_400), request, "one(\n  two,\n);");
        editor.ask();
        editor.expect_log(expect![[r#"
            1800ms answer r1: [12, 12) -> "one(\n  two," (fim)
            2400ms late r1 fim 2400ms
            2400ms ask 1:13 (late)
            2400ms answer r2: [12, 12) -> "one(\n  two,\n);" (fim, repeated)
        "#]]);
    }

    #[test]
    fn typing_along_with_a_line_that_is_shown_keeps_it() {
        let (mut editor, request) = asked_in_an_editor_that_can_be_told();
        writes(editor.at(400), request, "one(");
        editor.at(600).type_keys("on");
        editor.ask();
        says(editor.at(1_400), request, "one(\n  two,\n);");
        editor.ask();
        editor.expect_log(expect![[r#"
            400ms answer r1: [12, 12) -> "one(" (fim)
            600ms answer r2: [14, 14) -> "e(" (fim, carried)
            1400ms late r1 fim 1400ms
            1400ms ask 1:15 (late)
            1400ms answer r3: [14, 14) -> "e(\n  two,\n);" (fim, repeated)
        "#]]);
    }

    #[test]
    fn a_model_that_contradicts_the_person_is_given_up_at_once() {
        let (mut editor, request) = asked();
        editor.at(300).type_keys("x");
        editor.ask();
        writes(editor.at(400), request, "one(");
        editor.expect_log(expect![[r#"
            300ms withheld r1: superseded
            400ms stop r1 fim: overtaken
            400ms start r2 fim
        "#]]);
    }

    #[test]
    fn a_model_does_not_go_on_with_a_line_that_was_rejected() {
        let (mut editor, request) = asked_in_an_editor_that_can_be_told();
        writes(editor.at(400), request, "one(");
        editor.dismiss(request);
        says(editor.at(1_400), request, "one(\n  two,\n);");
        editor.at(9_000).ask();
        editor.expect_log(expect![[r#"
            400ms answer r1: [12, 12) -> "one(" (fim)
            400ms remember 1: [12, 12) -> "one("
            1400ms remember 2: [12, 12) -> "one(\n  two,\n);"
            9000ms withheld r2: previously-rejected
        "#]]);
    }

    #[test]
    fn a_first_line_that_was_taken_is_gone_on_with() {
        let (mut editor, request) = asked_in_an_editor_that_can_be_told();
        writes(editor.at(400), request, "one(");
        editor.at(600).accept(request);
        editor.type_keys("one(");
        says(editor.at(1_400), request, "one(\n  two,\n);");
        editor.ask();
        editor.expect_log(expect![[r#"
            400ms answer r1: [12, 12) -> "one(" (fim)
            1400ms late r1 fim 1400ms
            1400ms answer r2: [16, 16) -> "\n  two,\n);" (fim, repeated)
        "#]]);
    }
}
