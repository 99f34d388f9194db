//! Escape is final: what a person has rejected is not shown again, and neither is what it was the beginning
//! of, nor its beginning.
//!
//! In these stories FIM asks a model that writes slowly, at once and without context, in an editor that asks
//! when it is told to. `late_answers` tells of answers that nobody rejects; that this holds for any session is
//! checked in `anything`.
#![allow(
    clippy::unwrap_used,
    reason = "a story that goes wrong should stop where it does"
)]

use foretell_core::RequestCause::{Automatic, Explicit};
use foretell_core::{Event, RejectionReports, RequestId, RequestKind};
use foretell_settings::{BackEnd, Millis, Settings};
use foretell_testkit::story_editor::{Editor, at_once, fim_alone, insert, replace};
use foretell_testkit::{Expect, expect};
use foretell_text::LaneKind::{Fim, NextEdit};

const TEXT: &str = "let total = \nlet b = 2;\n";
const ALL: &str = "one(\n  two,\n);";

fn fim_of_a_model(settings: &mut Settings) {
    fim_alone(settings);
    settings.lanes.fim.kind = BackEnd::LlamaCpp;
}

/// An editor that can be told to ask.
fn editor(change: impl FnOnce(&mut Settings)) -> Editor {
    let mut editor = Editor::with_settings(TEXT, change);
    editor.tell(Event::ClientConnected {
        rejections: RejectionReports::Explicit,
        asks_when_told: true,
    });
    editor.place_cursor(1, 13);
    editor
}

/// The same, and FIM was asked behind `let total = `.
fn asked() -> (Editor, RequestId) {
    let mut editor = editor(fim_of_a_model);
    let request = editor.ask();
    editor.expect_log(expect!["0ms start r1 fim"]);
    (editor, request)
}

/// The model has written so much, and goes on.
fn writes(editor: &mut Editor, request: RequestId, new_text: &str) {
    editor.lane_goes_on(request, Fim, &[insert(12, new_text)]);
}

/// The model says all that goes in where it was asked.
fn says(editor: &mut Editor, request: RequestId, new_text: &str) {
    editor.lane_answers(request, Fim, &[insert(12, new_text)]);
}

/// An editor in which the first line was shown and rejected, while the model writes on.
fn rejected_the_first_line() -> (Editor, RequestId) {
    let (mut editor, request) = asked();
    writes(editor.at(400), request, "one(");
    editor.dismiss(request);
    editor.log();
    (editor, request)
}

#[test]
fn the_first_line_of_what_was_rejected_was_shown_again() {
    let (mut editor, request) = asked();
    says(editor.at(300), request, ALL);
    editor.dismiss(request);
    editor.type_keys("x");
    let other = editor.at(10_000).ask();
    editor.lane_answers(other, Fim, &[insert(13, " + 1")]);
    editor.backspace();
    editor.log();
    let again = editor.at(20_000).ask();
    writes(editor.at(20_300), again, "one(");
    writes(editor.at(20_600), again, "one(\n  two,");
    says(editor.at(21_000), again, ALL);
    editor.expect_log(expect![[r#"
        20000ms start r3 fim
        21000ms withheld r3: previously-rejected
    "#]]);
}

#[test]
fn a_first_line_that_was_rejected_was_followed_by_two() {
    let (mut editor, request) = rejected_the_first_line();
    editor.at(600).ask();
    writes(editor.at(900), request, "one(\n  two,");
    says(editor.at(1_400), request, ALL);
    editor.expect_log(expect![[r#"
        1400ms withheld r2: previously-rejected
        1400ms remember 2: [12, 12) -> "one(\n  two,\n);"
    "#]]);
}

#[test]
fn a_first_line_that_was_rejected_came_back_whole_after_an_undo() {
    let (mut editor, request) = rejected_the_first_line();
    editor.at(500).type_keys("x");
    let other = editor.ask();
    says(editor.at(1_400), request, ALL);
    editor.lane_answers(other, Fim, &[]);
    editor.backspace();
    editor.log();
    let again = editor.at(9_000).ask();
    says(editor.at(9_400), again, ALL);
    editor.expect_log(expect![[r#"
        9000ms start r3 fim
        9400ms withheld r3: previously-rejected
        9400ms remember 2: [12, 12) -> "one(\n  two,\n);"
    "#]]);
}

#[test]
fn an_editor_that_names_the_rejected_change_means_all_of_it_too() {
    let (mut editor, request) = asked();
    writes(editor.at(400), request, "one(");
    writes(editor.at(600), request, "one(\n  two,");
    editor.reject(&insert(12, "one("));
    says(editor.at(1_400), request, ALL);
    editor.at(9_000).ask();
    editor.expect_log(expect![[r#"
        400ms answer r1: [12, 12) -> "one(" (fim)
        600ms remember 1: [12, 12) -> "one("
        1400ms remember 2: [12, 12) -> "one(\n  two,\n);"
        9000ms withheld r2: previously-rejected
    "#]]);
}

#[test]
fn a_line_that_was_rejected_when_the_rest_was_there_means_all_of_it_too() {
    let (mut editor, request) = asked();
    writes(editor.at(400), request, "one(");
    says(editor.at(1_400), request, ALL);
    // What is on the screen is the line: the editor has not asked again yet.
    editor.reject(&insert(12, "one("));
    editor.log();
    editor.at(9_000).ask();
    editor.expect_log(expect!["9000ms withheld r2: previously-rejected"]);
}

#[test]
fn typing_along_with_a_line_that_was_rejected_does_not_bring_the_rest() {
    let (mut editor, request) = rejected_the_first_line();
    editor.at(600).type_keys("on");
    editor.ask();
    writes(editor.at(900), request, "one(\n  two,");
    says(editor.at(1_400), request, ALL);
    editor.expect_log(expect![[r#"
        1400ms withheld r2: previously-rejected
        1400ms remember 2: [14, 14) -> "e(\n  two,\n);"
    "#]]);
}

#[test]
fn a_person_who_asks_after_rejecting_a_line_does_not_wait_for_the_rest_of_it() {
    let (mut editor, _) = rejected_the_first_line();
    let explicit = editor.at(600).invoke();
    says(editor.at(900), explicit, "other();");
    editor.expect_log(expect![[r#"
        600ms stop r1 fim: superseded
        600ms start r2 fim
        900ms answer r2: [12, 12) -> "other();" (fim)
    "#]]);
}

#[test]
fn a_lane_that_had_shown_nothing_was_rejected_with_the_one_that_had() {
    let mut editor = editor(|settings| {
        at_once(settings);
        settings.lanes.fix.enabled = false;
        settings.lanes.fim.kind = BackEnd::LlamaCpp;
        settings.lanes.next_edit.kind = BackEnd::OpenAi;
    });
    let inline = editor.ask();
    let edit = editor.request(Automatic, RequestKind::Edit);
    editor.lane_goes_on(inline, NextEdit, &[replace(17, 18, "c")]);
    writes(editor.at(400), inline, "one(");
    editor.dismiss(inline);
    editor.lane_answers(inline, NextEdit, &[replace(17, 18, "c")]);
    editor.at(600).cancel(edit);
    editor.expect_log(expect![[r#"
        0ms start r1 fim
        0ms start r1 next-edit
        400ms answer r1: [12, 12) -> "one(" (fim)
        400ms remember 1: [12, 12) -> "one("
        400ms answer r2: [17, 18) -> "c" (next-edit)
        600ms ignored: unknown-id
    "#]]);
}

/// The other lane still writes, and what it writes has nothing to do with it.
#[test]
fn what_was_rejected_while_another_lane_was_writing_is_no_beginning() {
    let mut editor = editor(|settings| {
        at_once(settings);
        settings.lanes.fix.enabled = false;
        settings.lanes.fim.kind = BackEnd::LlamaCpp;
        settings.lanes.next_edit.kind = BackEnd::OpenAi;
    });
    let inline = editor.ask();
    let edit = editor.request(Automatic, RequestKind::Edit);
    writes(editor.at(400), inline, "one(");
    editor.lane_answers(inline, NextEdit, &[replace(17, 18, "c")]);
    editor.dismiss(edit);
    editor.log();
    let again = editor.at(9_000).request(Explicit, RequestKind::Edit);
    editor.lane_answers(again, NextEdit, &[replace(17, 18, "count")]);
    editor.expect_log(expect![[r#"
        9000ms start r3 next-edit
        9000ms answer r3: [17, 18) -> "count" (next-edit)
    "#]]);
}

#[test]
fn a_line_that_goes_on_with_another_word_is_another_suggestion() {
    let (mut editor, request) = asked();
    says(editor.at(300), request, "items");
    editor.dismiss(request);
    editor.type_keys("x");
    let other = editor.at(10_000).ask();
    editor.lane_answers(other, Fim, &[]);
    editor.backspace();
    editor.log();
    // All of it was there when it was rejected, and this is more.
    let again = editor.at(20_000).ask();
    says(editor.at(20_300), again, "items.len();");
    editor.expect_log(expect![[r#"
        20000ms start r3 fim
        20300ms answer r3: [12, 12) -> "items.len();" (fim)
    "#]]);
}

/// An editor whose predictor is sure of a line, and whose model fills in 200 ms after the last key, in which the
/// line was shown at once behind `l`.
fn shown_at_once(line: &str) -> (Editor, RequestId) {
    let mut editor = Editor::predicting("\nlet b = 2;\n", &[(line, 800)], |settings| {
        fim_of_a_model(settings);
        settings.pace.base = Millis::new(200);
        settings.pace.min = Millis::new(200);
    });
    editor.tell(Event::ClientConnected {
        rejections: RejectionReports::Explicit,
        asks_when_told: true,
    });
    editor.at(100).type_keys("l");
    let request = editor.ask();
    editor.log();
    (editor, request)
}

/// Goes to another line, asks there, and comes back, so that the line is not quiet any more.
fn leave_and_return(editor: &mut Editor) {
    editor.place_cursor(2, 1);
    editor.ask();
    editor.place_cursor(1, 2);
    editor.after(10_000).log();
}

#[test]
fn what_was_said_at_once_came_back_longer_from_the_model_that_was_being_asked() {
    let (mut editor, request) = shown_at_once("let total = sum(");
    editor.at(400).dismiss(request);
    editor.lane_answers(
        request,
        Fim,
        &[insert(1, "et total = sum(a, b);\nreturn total;")],
    );
    editor.at(600).ask();
    editor.expect_log(expect![[r#"
        300ms start r1 fim
        400ms remember 1: [1, 1) -> "et total = sum("
        400ms remember 2: [1, 1) -> "et total = sum(a, b);\nreturn total;"
        600ms drop prediction r2 (pause): refused-here
        600ms withheld r2: previously-rejected
    "#]]);
}

#[test]
fn what_was_said_at_once_came_back_longer_from_the_model_that_was_asked_next() {
    let (mut editor, request) = shown_at_once("let total = sum(");
    editor.dismiss(request);
    editor.learn(&[]);
    leave_and_return(&mut editor);
    let again = editor.invoke();
    editor.after(100).lane_answers(
        again,
        Fim,
        &[
            insert(1, "et total = sum(a, b);"),
            insert(1, "et mean = 1;"),
        ],
    );
    editor.expect_log(expect![[r#"
        10100ms stop r2 fim: superseded
        10100ms start r3 fim
        10200ms answer r3: [1, 1) -> "et mean = 1;" (fim)
        10200ms remember 2: [1, 1) -> "et total = sum(a, b);"
    "#]]);
}

#[test]
fn what_was_said_at_once_came_back_line_by_line() {
    let (mut editor, request) = shown_at_once("let total = sum(");
    editor.at(400).dismiss(request);
    editor.ask();
    editor.lane_goes_on(request, Fim, &[insert(1, "et total = sum(a,")]);
    editor.log();
    editor.at(500).ask();
    editor.lane_goes_on(request, Fim, &[insert(1, "et total = sum(a,\n  b,")]);
    editor.expect_log(expect![[r#"
        500ms join r3 r2
        500ms withheld r2: superseded
    "#]]);
}

#[test]
fn what_was_said_at_once_came_back_longer_once_it_was_rejected_by_name_too_late() {
    let (mut editor, request) = shown_at_once("let total = sum(");
    editor.at(150).type_keys("x");
    editor.dismiss(request);
    editor.backspace();
    editor.learn(&[]);
    leave_and_return(&mut editor);
    let again = editor.invoke();
    editor
        .after(100)
        .lane_answers(again, Fim, &[insert(1, "et total = sum(a, b);")]);
    editor.expect_log(expect![[r#"
        10150ms stop r2 fim: superseded
        10150ms start r3 fim
        10250ms withheld r3: previously-rejected
        10250ms remember 2: [1, 1) -> "et total = sum(a, b);"
    "#]]);
}

#[test]
fn a_change_that_is_rejected_just_when_the_model_goes_on_with_it_is_not_asked_for() {
    let (mut editor, request) = shown_at_once("let total = sum(");
    editor.at(500);
    editor.lane_answers(request, Fim, &[insert(1, "et total = sum(a, b);")]);
    // The editor was told to ask, and has not yet: what stands there is what was said at once.
    editor.reject(&insert(1, "et total = sum("));
    editor.ask();
    editor.expect_log(expect![[r#"
        300ms start r1 fim
        500ms late r1 fim 200ms
        500ms ask 1:2 (late)
        500ms remember 1: [1, 1) -> "et total = sum("
        500ms drop prediction r2 (pause): refused-here
        500ms withheld r2: previously-rejected
    "#]]);
}

/// The predictor knows another line, and the person comes back to the place and is asked about it.
fn comes_back(editor: &mut Editor, line: &str, story: Expect) {
    editor.learn(&[(line, 900)]);
    leave_and_return(editor);
    editor.ask();
    editor.expect_log(story);
}

#[test]
fn what_was_said_at_once_was_said_again_and_ended_elsewhere() {
    let (mut editor, request) = shown_at_once("let total = sum(a, b);");
    editor.dismiss(request);
    comes_back(
        &mut editor,
        "let total = sum(",
        expect![[r#"
        10100ms predict r3 (pause)
        10100ms drop prediction r3 (pause): previously-rejected
        10100ms wait r3 298ms
    "#]],
    );
    comes_back(
        &mut editor,
        "let total = sum(a, b);",
        expect![[r#"
        20100ms predict r5 (pause)
        20100ms drop prediction r5 (pause): previously-rejected
        20100ms wait r5 297ms
    "#]],
    );
    comes_back(
        &mut editor,
        "let total = sum(a, b); // all",
        expect![[r#"
            30100ms predict r7 (pause)
            30100ms drop prediction r7 (pause): previously-rejected
            30100ms wait r7 295ms
        "#]],
    );
    // Another line is another suggestion.
    comes_back(
        &mut editor,
        "let mean = sum(a, b) / 2;",
        expect![[r#"
        40100ms predict r9 (pause)
        40100ms answer r9: [1, 1) -> "et mean = sum(a, b) / 2;" (fim, at once)
    "#]],
    );
}

#[test]
fn typing_all_that_was_said_at_once_makes_what_follows_it_welcome() {
    let (mut editor, request) = shown_at_once("let total = sum(");
    editor.dismiss(request);
    editor.learn(&[]);
    editor.at(10_000).type_keys("et total = sum(");
    let again = editor.invoke();
    editor.log();
    editor
        .after(100)
        .lane_answers(again, Fim, &[insert(16, "a, b);")]);
    editor.expect_log(expect![[
        r#"10100ms answer r2: [16, 16) -> "a, b);" (fim)"#
    ]]);
}

#[test]
fn what_was_said_at_once_and_then_asked_for_by_a_key_is_as_final() {
    let (mut editor, request) = shown_at_once("let total = sum(");
    editor.learn(&[]);
    let explicit = editor.at(400).invoke();
    editor
        .after(100)
        .lane_answers(request, Fim, &[insert(1, "et mean = 1;")]);
    editor.expect_log(expect![[r#"
        300ms start r1 fim
        500ms answer r2: [1, 1) -> "et total = sum(" (fim, carried) | [1, 1) -> "et mean = 1;" (fim)
    "#]]);
    // The first of two is what was said at once.
    editor.dismiss(explicit);
    leave_and_return(&mut editor);
    let again = editor.invoke();
    editor
        .after(100)
        .lane_answers(again, Fim, &[insert(1, "et total = sum(a, b);")]);
    editor.expect_log(expect![[r#"
        10500ms start r4 fim
        10600ms answer r4: [1, 1) -> "et mean = 1;" (fim, carried)
        10600ms remember 2: [1, 1) -> "et total = sum(a, b);"
    "#]]);
}

mod a_call_that_broke {
    //! A line was shown, and its model never says the rest.

    use super::*;

    /// The same question again, of which the model says all this time.
    fn asked_again(editor: &mut Editor, story: Expect) {
        editor.type_keys("x");
        editor.backspace();
        editor.log();
        editor.after(20_000).place_cursor(1, 13);
        let again = editor.ask();
        writes(editor.after(300), again, "one(");
        writes(editor.after(300), again, "one(\n  two,");
        says(editor.after(400), again, ALL);
        editor.expect_log(story);
    }

    #[test]
    fn a_line_that_was_rejected_once_its_server_had_stalled_came_back_longer() {
        let (mut editor, request) = asked();
        writes(editor.at(400), request, "one(");
        editor.at(5_400).lane_fails(request, Fim);
        editor.dismiss(request);
        asked_again(
            &mut editor,
            expect![[r#"
            25400ms start r2 fim
            26400ms withheld r2: previously-rejected
            26400ms remember 2: [12, 12) -> "one(\n  two,\n);"
        "#]],
        );
    }

    #[test]
    fn a_line_that_was_rejected_by_what_it_does_came_back_longer() {
        let (mut editor, request) = asked();
        writes(editor.at(400), request, "one(");
        editor.at(5_400).lane_fails(request, Fim);
        editor.reject(&insert(12, "one("));
        asked_again(
            &mut editor,
            expect![[r#"
            25400ms start r2 fim
            26400ms withheld r2: previously-rejected
            26400ms remember 2: [12, 12) -> "one(\n  two,\n);"
        "#]],
        );
    }

    #[test]
    fn a_line_that_was_rejected_once_its_call_was_replaced_came_back_longer() {
        let (mut editor, request) = asked();
        writes(editor.at(400), request, "one(");
        editor.place_cursor(2, 11);
        editor.at(600).ask();
        editor.dismiss(request);
        asked_again(
            &mut editor,
            expect![[r#"
            2400ms withheld r2: timed-out
            20600ms stop r2 fim: superseded
            20600ms start r3 fim
            21600ms withheld r3: previously-rejected
            21600ms remember 2: [12, 12) -> "one(\n  two,\n);"
        "#]],
        );
    }

    #[test]
    fn a_line_that_was_rejected_once_its_time_was_up_came_back_longer() {
        let (mut editor, request) = asked();
        writes(editor.at(400), request, "one(");
        editor.at(70_000).dismiss(request);
        asked_again(
            &mut editor,
            expect![[r#"
            90000ms start r2 fim
            91000ms withheld r2: previously-rejected
            91000ms remember 2: [12, 12) -> "one(\n  two,\n);"
        "#]],
        );
    }

    #[test]
    fn a_line_that_was_given_when_a_request_had_to_be_answered_came_back_longer() {
        let mut editor = Editor::with_settings(TEXT, fim_of_a_model);
        editor.place_cursor(1, 13);
        let request = editor.ask();
        writes(editor.at(400), request, "one(");
        editor.at(5_400).lane_fails(request, Fim);
        editor.dismiss(request);
        asked_again(
            &mut editor,
            expect![[r#"
            25400ms start r2 fim
            26400ms withheld r2: previously-rejected
            26400ms remember 2: [12, 12) -> "one(\n  two,\n);"
        "#]],
        );
    }

    #[test]
    fn a_line_whose_rejection_crossed_a_key_came_back_longer() {
        let (mut editor, request) = rejected_too_late();
        editor.at(5_400).lane_fails(request, Fim);
        editor.backspace();
        asked_again(
            &mut editor,
            expect![[r#"
            25400ms start r2 fim
            26400ms withheld r2: previously-rejected
            26400ms remember 2: [12, 12) -> "one(\n  two,\n);"
        "#]],
        );
    }

    #[test]
    fn a_line_whose_rejection_crossed_a_key_was_followed_by_the_rest() {
        let (mut editor, request) = rejected_too_late();
        editor.backspace();
        says(editor.at(1_400), request, ALL);
        editor.log();
        editor.at(9_000).ask();
        editor.expect_log(expect!["9000ms withheld r2: previously-rejected"]);
    }

    /// The first line is shown, and Escape comes after the key that has ended it.
    fn rejected_too_late() -> (Editor, RequestId) {
        let (mut editor, request) = asked();
        writes(editor.at(400), request, "one(");
        editor.at(500).type_keys("x");
        editor.dismiss(request);
        editor.log();
        (editor, request)
    }
}
