//! A server on this machine answers one question at a time, and first the one that the person waits for.
//!
//! In these stories FIM and next edits ask models, at once and without context, mostly of one server on this
//! machine. A server elsewhere is asked everything at once.
#![allow(
    clippy::unwrap_used,
    reason = "a story that goes wrong should stop where it does"
)]

use foretell_core::RequestCause::{Automatic, Explicit};
use foretell_core::{Event, RequestId, RequestKind};
use foretell_settings::{BackEnd, Millis, ServerUrl, Settings};
use foretell_testkit::expect;
use foretell_testkit::story_editor::{Editor, at_once, insert, replace};
use foretell_text::LaneKind::{Fim, NextEdit};
use foretell_text::LaneSpeed;

const TEXT: &str = "let total = \nlet b = 2;\n";
const OTHER: &str = "file:///other.ts";

fn two_models(fim: &str, next_edit: &str) -> impl FnOnce(&mut Settings) {
    let urls = [fim, next_edit].map(ServerUrl::from);
    move |settings| {
        at_once(settings);
        let [fim, next_edit] = urls;
        settings.lanes.fix.enabled = false;
        settings.lanes.fim.kind = BackEnd::LlamaCpp;
        settings.lanes.fim.url = Some(fim);
        settings.lanes.next_edit.kind = BackEnd::OpenAi;
        settings.lanes.next_edit.url = Some(next_edit);
    }
}

/// An editor whose models are at these addresses.
fn editor_with(fim: &str, next_edit: &str) -> Editor {
    let mut editor = Editor::with_settings(TEXT, two_models(fim, next_edit));
    editor.place_cursor(1, 13);
    editor
}

/// An editor whose models are on one server.
fn editor() -> Editor {
    editor_with("http://localhost:8080", "http://localhost:8080")
}

#[test]
fn what_goes_in_at_the_cursor_comes_first() {
    let mut editor = editor();
    let request = editor.ask();
    editor
        .at(300)
        .lane_answers(request, Fim, &[insert(12, "1")]);
    editor.expect_log(expect![[r#"
        0ms start r1 fim
        300ms spare r1 next-edit: outrun
        300ms answer r1: [12, 12) -> "1" (fim)
    "#]]);
}

#[test]
fn the_next_edit_is_asked_for_when_nothing_goes_in() {
    let mut editor = editor();
    let request = editor.ask();
    editor.at(300).lane_answers(request, Fim, &[]);
    let edit = replace(4, 9, "sum");
    editor.at(700).lane_answers(request, NextEdit, &[edit]);
    assert_eq!(editor.last_reports().len(), 2);
    assert_eq!(editor.last_reports()[1].took_ms, 400);
    editor.expect_log(expect![[r#"
        0ms start r1 fim
        300ms start r1 next-edit
        700ms answer r1: [4, 9) -> "sum" (next-edit)
    "#]]);
}

#[test]
fn the_next_edit_is_asked_for_when_the_server_fails_the_first_time() {
    let mut editor = editor();
    let request = editor.ask();
    editor.at(300).lane_fails(request, Fim);
    editor.expect_log(expect![[r#"
        0ms start r1 fim
        300ms start r1 next-edit
    "#]]);
}

#[test]
fn a_model_that_needs_longer_is_not_asked_something_else_meanwhile() {
    let mut editor = editor();
    let request = editor.ask();
    editor
        .at(2_500)
        .lane_answers(request, Fim, &[insert(12, "1")]);
    editor.ask();
    editor.expect_log(expect![[r#"
        0ms start r1 fim
        1800ms spare r1 next-edit: timed-out
        1800ms withheld r1: timed-out
        2500ms late r1 fim 2500ms
        2500ms ask 1:13 (late)
        2500ms answer r2: [12, 12) -> "1" (fim, repeated)
    "#]]);
}

#[test]
fn a_person_who_types_on_does_not_wait_for_the_next_edit() {
    let mut editor = editor();
    let request = editor.ask();
    editor.at(300).lane_answers(request, Fim, &[]);
    editor.at(500).type_keys("i");
    let request = editor.ask();
    editor.at(900).lane_answers(request, Fim, &[]);
    editor.expect_log(expect![[r#"
        0ms start r1 fim
        300ms start r1 next-edit
        500ms withheld r1: superseded
        500ms stop r1 next-edit: superseded
        500ms start r2 fim
        900ms start r2 next-edit
    "#]]);
}

#[test]
fn typing_along_waits_for_one_call_and_not_for_two() {
    let mut editor = editor();
    let request = editor.ask();
    editor.at(300).type_keys("i");
    editor.ask();
    editor
        .at(600)
        .lane_answers(request, Fim, &[insert(12, "items")]);
    editor.expect_log(expect![[r#"
        0ms start r1 fim
        300ms withheld r1: superseded
        600ms spare r2 next-edit: outrun
        600ms answer r2: [13, 13) -> "tems" (fim)
    "#]]);
}

#[test]
fn a_next_edit_that_an_editor_asks_for_waits_its_turn() {
    let mut editor = editor();
    let inline = editor.ask();
    let edit = editor.at(100).request(Automatic, RequestKind::Edit);
    editor.at(400).lane_answers(inline, Fim, &[insert(12, "1")]);
    let change = replace(17, 18, "c");
    editor.at(900).lane_answers(edit, NextEdit, &[change]);
    editor.expect_log(expect![[r#"
        0ms start r1 fim
        400ms spare r1 next-edit: outrun
        400ms answer r1: [12, 12) -> "1" (fim)
        400ms start r2 next-edit
        900ms answer r2: [17, 18) -> "c" (next-edit)
        900ms look-ahead a1 fim at 13
    "#]]);
}

#[test]
fn what_a_person_asks_for_is_asked_of_one_model_after_the_other() {
    let mut editor = editor();
    let request = editor.invoke();
    editor
        .at(400)
        .lane_answers(request, Fim, &[insert(12, "1")]);
    let edit = replace(4, 9, "sum");
    editor.at(3_000).lane_answers(request, NextEdit, &[edit]);
    editor.expect_log(expect![[r#"
        0ms start r1 fim
        400ms start r1 next-edit
        3000ms answer r1: [12, 12) -> "1" (fim) | [4, 9) -> "sum" (next-edit)
    "#]]);
}

#[test]
fn another_document_waits_until_the_call_is_of_no_use() {
    let mut editor = editor();
    editor.ask();
    editor.at(1_000).go_to(OTHER, "let a = \n");
    editor.place_cursor(1, 9);
    editor.ask();
    editor.at(1_799).log();
    editor.at(1_800);
    editor.expect_log(expect![[r#"
        1800ms spare r1 next-edit: timed-out
        1800ms withheld r1: timed-out
        1800ms stop r1 fim: superseded
        1800ms start r2 fim
    "#]]);
}

#[test]
fn a_lane_that_may_not_be_asked_any_more_does_not_keep_a_request_waiting() {
    let mut editor = editor();
    let request = editor.ask();
    editor.set(|settings| settings.lanes.next_edit.requests_per_day = Some(0));
    editor.at(300).lane_answers(request, Fim, &[]);
    editor.expect_log(expect![[r#"
        0ms start r1 fim
        0ms spare r1 next-edit: over-limit
        300ms withheld r1: nothing-found
    "#]]);
}

#[test]
fn two_servers_on_this_machine_are_asked_at_once() {
    let mut editor = editor_with("http://localhost:8080", "http://localhost:8081");
    editor.ask();
    editor.expect_log(expect![[r#"
        0ms start r1 fim
        0ms start r1 next-edit
    "#]]);
}

#[test]
fn a_server_elsewhere_is_asked_everything_at_once() {
    let mut editor = editor_with("https://models.example", "https://models.example");
    editor.ask();
    editor.expect_log(expect![[r#"
        0ms start r1 fim
        0ms start r1 next-edit
    "#]]);
}

#[test]
fn a_server_is_one_by_whatever_name_of_this_machine_it_goes() {
    for other in [
        "http://127.0.0.1:8080/v1",
        "http://[::1]:8080",
        "HTTP://LOCALHOST:8080/",
    ] {
        let mut editor = editor_with("http://localhost:8080", other);
        editor.ask();
        assert_eq!(editor.log(), ["0ms start r1 fim"], "{other}");
    }
}

/// An editor whose next edit was asked for by an editor that has its answer, for which it was too slow.
fn next_edit_nobody_awaits() -> (Editor, RequestId) {
    let mut editor = editor();
    let edit = editor.request(Automatic, RequestKind::Edit);
    editor.at(2_000);
    editor.expect_log(expect![[r#"
        0ms start r1 next-edit
        1000ms withheld r1: timed-out
    "#]]);
    (editor, edit)
}

#[test]
fn what_goes_in_did_not_come_until_a_next_edit_was_there_that_nobody_awaited() {
    let (mut editor, _) = next_edit_nobody_awaits();
    let request = editor.ask();
    editor
        .at(2_300)
        .lane_answers(request, Fim, &[insert(12, "1")]);
    editor.expect_log(expect![[r#"
        2000ms stop r1 next-edit: superseded
        2000ms start r2 fim
        2300ms spare r2 next-edit: outrun
        2300ms answer r2: [12, 12) -> "1" (fim)
    "#]]);
}

#[test]
fn a_next_edit_that_is_being_written_is_waited_for() {
    let (mut editor, edit) = next_edit_nobody_awaits();
    editor.lane_goes_on(edit, NextEdit, &[]);
    editor.ask();
    editor.at(3_000).lane_answers(edit, NextEdit, &[]);
    editor.expect_log(expect!["3000ms start r2 fim"]);
}

#[test]
fn a_person_who_asks_by_a_key_waits_for_nothing_that_nobody_awaits() {
    let (mut editor, edit) = next_edit_nobody_awaits();
    editor.lane_goes_on(edit, NextEdit, &[]);
    let request = editor.invoke();
    editor
        .at(2_300)
        .lane_answers(request, Fim, &[insert(12, "1")]);
    editor.expect_log(expect![[r#"
        2000ms stop r1 next-edit: superseded
        2000ms start r2 fim
        2300ms start r2 next-edit
    "#]]);
}

#[test]
fn a_person_who_asks_for_a_next_edit_does_not_wait_for_what_goes_in_either() {
    let mut editor = editor();
    editor.ask();
    editor.at(2_000);
    editor.log();
    editor.request(Explicit, RequestKind::Edit);
    editor.expect_log(expect![[r#"
        2000ms stop r1 fim: superseded
        2000ms start r2 next-edit
    "#]]);
}

#[test]
fn a_next_edit_that_somebody_awaits_is_waited_for() {
    let mut editor = editor();
    editor.request(Automatic, RequestKind::Edit);
    editor.at(500).ask();
    editor.at(1_000);
    editor.expect_log(expect![[r#"
        0ms start r1 next-edit
        1000ms withheld r1: timed-out
    "#]]);
}

#[test]
fn a_model_that_turned_out_to_be_slow_was_asked_once_the_server_was_free() {
    let mut editor = editor();
    let request = editor.ask();
    editor.tell(Event::LaneSpeedKnown {
        lane: NextEdit,
        speed: LaneSpeed {
            read: Some(100),
            written: Some(20),
            repeats_region: true,
        },
    });
    editor.at(300).lane_answers(request, Fim, &[]);
    editor.expect_log(expect![[r#"
        0ms start r1 fim
        0ms spare r1 next-edit: model-too-slow
        300ms withheld r1: nothing-found
    "#]]);
}

/// The same with a predictor that is sure of a line, and models that are asked 200 ms after the last key.
fn predicting(fim: &str, next_edit: &str) -> Editor {
    let mut editor = Editor::predicting(TEXT, &[("let total = sum(a, b);", 800)], |settings| {
        two_models(fim, next_edit)(settings);
        settings.pace.base = Millis::new(200);
        settings.pace.min = Millis::new(200);
    });
    editor.place_cursor(1, 13);
    editor
}

const HERE: &str = "http://localhost:8080";

#[test]
fn after_what_was_said_at_once_the_model_waits_for_the_next_edit() {
    let mut editor = predicting(HERE, HERE);
    editor.type_keys("s");
    let edit = editor.request(Automatic, RequestKind::Edit);
    // The next edit is being asked for when something is said at once.
    editor.after(300);
    let request = editor.ask();
    editor.after(500);
    editor.lane_answers(edit, NextEdit, &[]);
    editor.after(100);
    editor.lane_answers(request, Fim, &[insert(13, "um(a, b);\nuse(total);")]);
    editor.expect_log(expect![[r#"
        0ms start r1 next-edit
        300ms predict r2 (pause)
        300ms answer r2: [13, 13) -> "um(a, b);" (fim, at once)
        800ms withheld r1: nothing-found
        800ms start r2 fim
        900ms late r2 fim 100ms
        900ms ask 1:14 (late)
    "#]]);
}

#[test]
fn typing_on_after_that_makes_the_next_edit_give_way() {
    let mut editor = predicting(HERE, HERE);
    editor.type_keys("s");
    let edit = editor.request(Automatic, RequestKind::Edit);
    editor.after(300).ask();
    editor.after(50).type_keys("u");
    editor.ask();
    editor.after(500);
    editor.lane_answers(edit, NextEdit, &[]);
    editor.expect_log(expect![[r#"
        0ms start r1 next-edit
        300ms predict r2 (pause)
        300ms answer r2: [13, 13) -> "um(a, b);" (fim, at once)
        350ms answer r3: [14, 14) -> "m(a, b);" (fim, carried)
        550ms stop r1 next-edit: superseded
        550ms withheld r1: superseded
        550ms start r3 fim
        850ms ignored: unknown-id
    "#]]);
}

#[test]
fn typing_something_else_takes_the_waiting_question_back() {
    let mut editor = predicting(HERE, HERE);
    editor.type_keys("s");
    let edit = editor.request(Automatic, RequestKind::Edit);
    editor.after(300).ask();
    editor.after(300).type_keys("x");
    editor.lane_answers(edit, NextEdit, &[]);
    editor.after(1_000);
    editor.expect_log(expect![[r#"
        0ms start r1 next-edit
        300ms predict r2 (pause)
        300ms answer r2: [13, 13) -> "um(a, b);" (fim, at once)
        600ms withheld r1: overtaken
    "#]]);
}

#[test]
fn a_server_elsewhere_is_asked_both_after_what_was_said_at_once() {
    let there = "https://models.example";
    let mut editor = predicting(there, there);
    editor.type_keys("s");
    editor.request(Automatic, RequestKind::Edit);
    editor.after(300).ask();
    editor.after(500);
    editor.expect_log(expect![[r#"
        0ms start r1 next-edit
        300ms predict r2 (pause)
        300ms answer r2: [13, 13) -> "um(a, b);" (fim, at once)
        500ms start r2 fim
    "#]]);
}

#[test]
fn the_next_edit_waits_for_the_model_after_what_was_said_at_once() {
    let mut editor = predicting(HERE, HERE);
    editor.type_keys("s");
    let request = editor.ask();
    editor.after(250);
    editor.request(Automatic, RequestKind::Edit);
    editor.after(300);
    editor.lane_answers(request, Fim, &[]);
    editor.expect_log(expect![[r#"
        0ms predict r1 (key)
        0ms answer r1: [13, 13) -> "um(a, b);" (fim, at once)
        200ms start r1 fim
        250ms wait r2 200ms
        550ms start r2 next-edit
    "#]]);
}

#[test]
fn after_what_was_said_at_once_the_model_does_not_wait_for_what_nobody_awaits() {
    let mut editor = predicting(HERE, HERE);
    editor.type_keys("s");
    editor.request(Automatic, RequestKind::Edit);
    editor.after(2_000).ask();
    editor.after(500);
    editor.expect_log(expect![[r#"
        0ms start r1 next-edit
        1000ms withheld r1: timed-out
        2000ms predict r2 (pause)
        2000ms answer r2: [13, 13) -> "um(a, b);" (fim, at once)
        2200ms stop r1 next-edit: superseded
        2200ms start r2 fim
    "#]]);
}
