//! Answers at once, as a person meets them who types: no wait, no flicker, and a model as the next step up.
//!
//! In these stories a predictor knows some lines, each with how likely it is that a line which begins so goes
//! on so, in thousandths. The editor asks at every key.
#![allow(
    clippy::unwrap_used,
    reason = "a story that goes wrong should stop where it does"
)]

use foretell_core::RequestCause::Automatic;
use foretell_core::{PredictionAsk, RequestId, RequestKind};
use foretell_settings::{BackEnd, Home, Millis, RawSettings, RecallMode, Settings};
use foretell_testkit::expect;
use foretell_testkit::story_editor::{Editor, fim_alone, insert, replace};
use foretell_text::DocumentId;
use foretell_text::LaneKind::Fim;

/// A line, and the line below it.
const TEXT: &str = "\nlet b = 2;\n";
const LINE: &str = "let total = sum(a, b);";

/// Nothing but the predictor has anything to say.
fn predictor_alone(settings: &mut Settings) {
    fim_alone(settings);
    settings.lanes.next_edit.enabled = false;
}

/// A model fills in, too, 200 ms after the last key.
fn with_a_model(settings: &mut Settings) {
    predictor_alone(settings);
    settings.lanes.fim.kind = BackEnd::LlamaCpp;
    settings.pace.base = Millis::new(200);
    settings.pace.min = Millis::new(200);
}

/// Types a text with a question after every key, 100 ms apart. Returns the last question.
fn type_and_ask(editor: &mut Editor, keys: &str) -> RequestId {
    let mut request = None;
    for key in keys.chars() {
        editor.after(100).type_keys(&key.to_string());
        request = Some(editor.ask());
    }
    request.unwrap()
}

/// An editor at the first line, whose predictor is sure of `LINE`.
fn sure(change: impl FnOnce(&mut Settings)) -> Editor {
    let mut editor = Editor::predicting(TEXT, &[(LINE, 800)], |settings| {
        predictor_alone(settings);
        change(settings);
    });
    editor.log();
    editor
}

#[test]
fn what_is_likely_is_shown_at_the_key_and_stays_while_it_is_typed() {
    let mut editor = sure(|_| {});
    type_and_ask(&mut editor, "let");
    editor.expect_log(expect![[r#"
        100ms predict r1 (key)
        100ms answer r1: [1, 1) -> "et total = sum(a, b);" (fim, at once)
        200ms answer r2: [2, 2) -> "t total = sum(a, b);" (fim, carried)
        300ms answer r3: [3, 3) -> " total = sum(a, b);" (fim, carried)
    "#]]);
}

#[test]
fn what_is_not_likely_enough_between_keys_is_shown_in_a_pause() {
    let mut editor = sure(|_| {});
    editor.learn(&[(LINE, 650)]);
    type_and_ask(&mut editor, "le");
    editor.after(1_000);
    editor.expect_log(expect![[r#"
        100ms predict r1 (key)
        100ms drop prediction r1 (key): unsure
        100ms start r1 fim
        200ms withheld r1: superseded
        200ms predict r2 (key)
        200ms drop prediction r2 (key): unsure
        200ms stop r1 fim: superseded
        200ms start r2 fim
        500ms predict r2 (pause)
        500ms stop r2 fim: outrun
        500ms answer r2: [2, 2) -> "t total = sum(a, b);" (fim, at once)
    "#]]);
}

#[test]
fn what_is_not_likely_enough_is_never_shown() {
    let mut editor = sure(|_| {});
    editor.learn(&[(LINE, 590)]);
    type_and_ask(&mut editor, "l");
    editor.after(1_000);
    editor.expect_log(expect![[r#"
        100ms predict r1 (key)
        100ms drop prediction r1 (key): unsure
        100ms start r1 fim
        400ms predict r1 (pause)
        400ms drop prediction r1 (pause): unsure
    "#]]);
}

#[test]
fn in_pauses_only_nothing_comes_between_keys() {
    let mut editor = sure(|it| it.recall.mode = RecallMode::Pauses);
    type_and_ask(&mut editor, "le");
    editor.after(1_000);
    editor.expect_log(expect![[r#"
        100ms start r1 fim
        200ms withheld r1: superseded
        200ms stop r1 fim: superseded
        200ms start r2 fim
        500ms predict r2 (pause)
        500ms stop r2 fim: outrun
        500ms answer r2: [2, 2) -> "t total = sum(a, b);" (fim, at once)
    "#]]);
}

#[test]
fn switched_off_it_is_never_asked() {
    let mut editor = sure(|it| it.recall.mode = RecallMode::Off);
    editor.learn(&[(LINE, 1_000)]);
    type_and_ask(&mut editor, "l");
    editor.after(1_000);
    editor.expect_log(expect!["100ms start r1 fim"]);
}

#[test]
fn a_language_can_have_it_in_pauses_only() {
    let written = "[languages.typescript.recall]\nmode = \"pauses\"\n";
    let (raw, _) = RawSettings::from_toml(Home::UserFile, "settings.toml", written);
    let (settings, faults) = Settings::resolve(&[raw]);
    assert_eq!(faults, []);
    let mut editor = sure(|it| *it = settings);
    type_and_ask(&mut editor, "le");
    assert_eq!(
        editor
            .core
            .counts()
            .predictions_asked
            .get(&PredictionAsk::Key),
        None
    );
    editor.document = DocumentId::new("file:///test.py");
    editor.open("\n");
    editor.place_cursor(1, 1);
    type_and_ask(&mut editor, "l");
    assert_eq!(
        editor.core.counts().predictions_asked[&PredictionAsk::Key],
        1
    );
}

#[test]
fn a_few_characters_are_not_worth_a_look() {
    let mut editor = sure(|_| {});
    editor.learn(&[("let it", 900)]);
    editor.type_keys("let");
    editor.ask();
    editor.expect_log(expect![[r#"
        0ms predict r1 (key)
        0ms drop prediction r1 (key): too-short
        0ms start r1 fim
    "#]]);
    editor.learn(&[("let its", 900)]);
    editor.move_to(2, 1);
    editor.ask();
    editor.move_to(1, 4);
    editor.log();
    editor.ask();
    editor.expect_log(expect![[r#"
        0ms withheld r2: superseded
        0ms predict r3 (key)
        0ms answer r3: [3, 3) -> " its" (fim, at once)
    "#]]);
}

#[test]
fn after_escape_the_line_is_quiet() {
    let mut editor = sure(|_| {});
    let request = type_and_ask(&mut editor, "le");
    editor.dismiss(request);
    editor.learn(&[("let other = 1 + 2;", 900)]);
    editor.log();
    type_and_ask(&mut editor, "t ");
    editor.after(1_000);
    editor.expect_log(expect![[r#"
        300ms drop prediction r3 (key): refused-here
        300ms start r3 fim
        400ms withheld r3: superseded
        400ms drop prediction r4 (key): refused-here
        400ms stop r3 fim: superseded
        400ms start r4 fim
    "#]]);
    // On the next line it speaks again.
    editor.edit(insert(4, "\n"));
    type_and_ask(&mut editor, "l");
    editor.expect_log(expect![[r#"
        1400ms asleep 1
        1500ms withheld r4: superseded
        1500ms predict r5 (key)
        1500ms answer r5: [6, 6) -> "et other = 1 + 2;" (fim, at once)
    "#]]);
}

#[test]
fn right_after_escape_nothing_else_popped_up() {
    let mut editor = sure(with_a_model);
    let request = type_and_ask(&mut editor, "l");
    editor.after(300).dismiss(request);
    editor.log();
    editor.after(1_100);
    editor.lane_suggests(request, Fim, "et mean = 1;");
    // Whoever asks gets it.
    editor.after(100).ask();
    editor.expect_log(expect![[r#"
        1500ms late r1 fim 1200ms
        1600ms answer r2: [1, 1) -> "et mean = 1;" (fim, repeated)
    "#]]);
}

#[test]
fn some_seconds_after_escape_another_suggestion_may_come() {
    let mut editor = sure(with_a_model);
    let request = type_and_ask(&mut editor, "l");
    editor.after(300).dismiss(request);
    editor.log();
    editor.after(5_000);
    editor.lane_suggests(request, Fim, "et mean = 1;");
    editor.expect_log(expect![[r#"
        5400ms late r1 fim 5100ms
        5400ms ask 1:2 (late)
    "#]]);
}

#[test]
fn what_was_just_deleted_is_not_offered() {
    let mut editor = sure(|_| {});
    editor.learn(&[("let height = 2;", 900)]);
    editor.edit(insert(0, "let height"));
    editor.place_cursor(1, 11);
    editor.after(100).ask();
    for _ in 0.."height".len() {
        editor.after(100).backspace();
        editor.ask();
    }
    editor.log();
    // Nothing at the place itself, and not the rest of it at the next key.
    editor.after(100).ask();
    type_and_ask(&mut editor, "h");
    editor.expect_log(expect![[r#"
        800ms join r8 r7
        800ms withheld r7: superseded
        900ms withheld r8: superseded
        900ms predict r9 (key)
        900ms drop prediction r9 (key): just-deleted
        900ms stop r7 fim: superseded
        900ms start r9 fim
    "#]]);
    // Once they have written it again, it is what they want.
    type_and_ask(&mut editor, "eight");
    editor.expect_log(expect![[r#"
        1000ms withheld r9: superseded
        1000ms predict r10 (key)
        1000ms drop prediction r10 (key): just-deleted
        1000ms stop r9 fim: superseded
        1000ms start r10 fim
        1100ms withheld r10: superseded
        1100ms predict r11 (key)
        1100ms drop prediction r11 (key): just-deleted
        1100ms stop r10 fim: superseded
        1100ms start r11 fim
        1200ms withheld r11: superseded
        1200ms predict r12 (key)
        1200ms drop prediction r12 (key): just-deleted
        1200ms stop r11 fim: superseded
        1200ms start r12 fim
        1300ms withheld r12: superseded
        1300ms predict r13 (key)
        1300ms drop prediction r13 (key): just-deleted
        1300ms stop r12 fim: superseded
        1300ms start r13 fim
        1400ms withheld r13: superseded
        1400ms answer r14: [10, 10) -> " = 2;" (fim, carried)
    "#]]);
}

#[test]
fn after_a_slip_of_the_finger_it_speaks_at_the_next_key() {
    let mut editor = sure(|_| {});
    type_and_ask(&mut editor, "x");
    editor.backspace();
    editor.after(100).ask();
    type_and_ask(&mut editor, "l");
    editor.expect_log(expect![[r#"
        100ms predict r1 (key)
        100ms start r1 fim
        200ms withheld r1: superseded
        200ms drop prediction r2 (key): just-deleted
        200ms stop r1 fim: superseded
        200ms start r2 fim
        300ms withheld r2: superseded
        300ms predict r3 (key)
        300ms answer r3: [1, 1) -> "et total = sum(a, b);" (fim, at once)
    "#]]);
}

#[test]
fn a_model_is_still_asked_in_the_pause_and_goes_on_where_the_prediction_ends() {
    let mut editor = sure(with_a_model);
    let request = type_and_ask(&mut editor, "le");
    editor.after(500);
    editor.lane_suggests(request, Fim, "t total = sum(a, b);\nreturn total;");
    editor.ask();
    editor.expect_log(expect![[r#"
        100ms predict r1 (key)
        100ms answer r1: [1, 1) -> "et total = sum(a, b);" (fim, at once)
        200ms answer r2: [2, 2) -> "t total = sum(a, b);" (fim, carried)
        400ms start r2 fim
        700ms late r2 fim 300ms
        700ms ask 1:3 (late)
        700ms answer r3: [2, 2) -> "t total = sum(a, b);\nreturn total;" (fim, repeated)
    "#]]);
}

#[test]
fn a_model_that_contradicts_takes_the_place_of_a_prediction_in_a_pause() {
    let mut editor = sure(with_a_model);
    let request = type_and_ask(&mut editor, "l");
    editor.after(500);
    editor.lane_suggests(request, Fim, "et mean = 1;");
    editor.ask();
    editor.expect_log(expect![[r#"
        100ms predict r1 (key)
        100ms answer r1: [1, 1) -> "et total = sum(a, b);" (fim, at once)
        300ms start r1 fim
        600ms late r1 fim 300ms
        600ms ask 1:2 (late)
        600ms answer r2: [1, 1) -> "et mean = 1;" (fim, repeated)
    "#]]);
}

#[test]
fn a_model_that_contradicts_waits_for_a_pause() {
    let mut editor = sure(with_a_model);
    let request = type_and_ask(&mut editor, "l");
    editor.after(250);
    editor.lane_suggests(request, Fim, "et mean = 1;");
    editor.after(49);
    editor.expect_log(expect![[r#"
        100ms predict r1 (key)
        100ms answer r1: [1, 1) -> "et total = sum(a, b);" (fim, at once)
        300ms start r1 fim
    "#]]);
    editor.after(1);
    editor.ask();
    editor.expect_log(expect![[r#"
        400ms late r1 fim 100ms
        400ms ask 1:2 (late)
        400ms answer r2: [1, 1) -> "et mean = 1;" (fim, repeated)
    "#]]);
}

#[test]
fn what_is_typed_into_is_not_replaced_by_a_text_that_begins_alike() {
    let mut editor = sure(with_a_model);
    let request = type_and_ask(&mut editor, "le");
    editor.after(1_000);
    editor.lane_suggests(request, Fim, "t mean = 1;");
    editor.ask();
    editor.expect_log(expect![[r#"
        100ms predict r1 (key)
        100ms answer r1: [1, 1) -> "et total = sum(a, b);" (fim, at once)
        200ms answer r2: [2, 2) -> "t total = sum(a, b);" (fim, carried)
        400ms start r2 fim
        1200ms answer r3: [2, 2) -> "t total = sum(a, b);" (fim, carried)
    "#]]);
}

#[test]
fn what_is_typed_into_gives_way_to_a_text_that_begins_otherwise() {
    let mut editor = sure(with_a_model);
    let request = type_and_ask(&mut editor, "le");
    editor.after(1_000);
    editor.lane_suggests(request, Fim, "nd(1);");
    editor.ask();
    editor.expect_log(expect![[r#"
        100ms predict r1 (key)
        100ms answer r1: [1, 1) -> "et total = sum(a, b);" (fim, at once)
        200ms answer r2: [2, 2) -> "t total = sum(a, b);" (fim, carried)
        400ms start r2 fim
        1200ms late r2 fim 800ms
        1200ms ask 1:3 (late)
        1200ms answer r3: [2, 2) -> "nd(1);" (fim, repeated)
    "#]]);
}

#[test]
fn a_call_goes_on_while_the_person_types_into_the_prediction() {
    let mut editor = sure(with_a_model);
    let request = type_and_ask(&mut editor, "l");
    editor.after(250);
    type_and_ask(&mut editor, "et ");
    editor.lane_answers(
        request,
        Fim,
        &[insert(1, "et total = sum(a, b);\nreturn total;")],
    );
    editor.ask();
    editor.expect_log(expect![[r#"
        100ms predict r1 (key)
        100ms answer r1: [1, 1) -> "et total = sum(a, b);" (fim, at once)
        300ms start r1 fim
        450ms answer r2: [2, 2) -> "t total = sum(a, b);" (fim, carried)
        550ms answer r3: [3, 3) -> " total = sum(a, b);" (fim, carried)
        650ms answer r4: [4, 4) -> "total = sum(a, b);" (fim, carried)
        650ms late r1 fim 350ms
        650ms ask 1:5 (late)
        650ms answer r5: [4, 4) -> "total = sum(a, b);\nreturn total;" (fim, repeated)
    "#]]);
}

#[test]
fn typing_something_else_asks_the_model_anew() {
    let mut editor = sure(with_a_model);
    type_and_ask(&mut editor, "l");
    editor.after(250);
    type_and_ask(&mut editor, "x");
    editor.after(1_000);
    editor.expect_log(expect![[r#"
        100ms predict r1 (key)
        100ms answer r1: [1, 1) -> "et total = sum(a, b);" (fim, at once)
        300ms start r1 fim
        450ms predict r2 (key)
        750ms predict r2 (pause)
    "#]]);
}

#[test]
fn a_model_is_not_asked_where_the_person_types_on() {
    let mut editor = sure(with_a_model);
    type_and_ask(&mut editor, "let total = sum(a, b)");
    let counts = editor.core.counts();
    assert_eq!(counts.calls.get(&Fim), None);
    assert_eq!((counts.gate_asked, counts.gate_blocked), (0, 0));
    assert_eq!(counts.answered_at_once + counts.carried, 21);
    assert_eq!(counts.predictions_asked[&PredictionAsk::Key], 1);
}

#[test]
fn the_gate_counts_what_costs_something() {
    let mut editor = sure(with_a_model);
    type_and_ask(&mut editor, "l");
    editor.after(1_000);
    assert_eq!(editor.core.counts().gate_asked, 1);
    assert_eq!(editor.core.counts().calls[&Fim], 1);
}

#[test]
fn no_context_is_gathered_for_what_is_said_at_once() {
    let mut editor = sure(|it| {
        with_a_model(it);
        it.context.enabled = true;
    });
    type_and_ask(&mut editor, "let t");
    let log = editor.log().concat();
    assert!(!log.contains("gather"), "{log}");
    editor.after(1_000);
    let log = editor.log().concat();
    assert!(log.contains("gather r5"), "{log}");
}

#[test]
fn who_asks_by_a_key_asks_the_lanes() {
    let mut editor = sure(|_| {});
    editor.type_keys("l");
    editor.invoke();
    editor.expect_log(expect!["0ms start r1 fim"]);
}

#[test]
fn next_edits_are_not_predicted() {
    let mut editor = sure(|_| {});
    editor.type_keys("l");
    editor.request(Automatic, RequestKind::Edit);
    editor.expect_log(expect!["0ms withheld r1: disabled"]);
}

#[test]
fn what_was_rejected_is_not_said_at_once_either() {
    let mut editor = sure(|_| {});
    editor.type_keys("le");
    editor.reject(&insert(2, "t total = sum(a, b);"));
    // On another line and back, so that the line is not quiet any more.
    editor.place_cursor(2, 1);
    editor.ask();
    editor.place_cursor(1, 3);
    editor.log();
    editor.after(50).ask();
    editor.expect_log(expect![[r#"
        50ms withheld r1: superseded
        50ms predict r2 (key)
        50ms drop prediction r2 (key): previously-rejected
        50ms spare r2 fim: unchanged-text
    "#]]);
}

#[test]
fn with_nothing_else_to_wait_for_a_request_ends_after_the_pause() {
    let mut editor = sure(|it| it.lanes.fim.kind = BackEnd::LlamaCpp);
    editor.learn(&[]);
    editor.set(|it| it.lanes.fim.requests_per_day = Some(1));
    type_and_ask(&mut editor, "l");
    editor.after(1_000);
    editor.expect_log(expect![[r#"
        100ms predict r1 (key)
        100ms start r1 fim
        400ms predict r1 (pause)
    "#]]);
}

#[test]
fn a_place_that_was_asked_about_at_once_is_not_asked_about_again() {
    let mut editor = sure(|it| it.trigger.same_line_cooldown = Millis::ZERO);
    type_and_ask(&mut editor, "l");
    editor.rest();
    editor.expect_log(expect![[r#"
        100ms predict r1 (key)
        100ms answer r1: [1, 1) -> "et total = sum(a, b);" (fim, at once)
        100ms quiet: already-asked
    "#]]);
}

#[test]
fn what_the_model_says_of_it_does_not_shorten_what_is_shown() {
    let mut editor = sure(with_a_model);
    let request = type_and_ask(&mut editor, "l");
    editor.after(500);
    editor.lane_suggests(request, Fim, "et total = sum(");
    editor.ask();
    editor.expect_log(expect![[r#"
        100ms predict r1 (key)
        100ms answer r1: [1, 1) -> "et total = sum(a, b);" (fim, at once)
        300ms start r1 fim
        600ms answer r2: [1, 1) -> "et total = sum(a, b);" (fim, carried)
    "#]]);
}

#[test]
fn there_is_nothing_new_to_ask_for_when_the_model_says_the_same() {
    let mut editor = sure(with_a_model);
    let request = type_and_ask(&mut editor, "l");
    editor.after(250);
    editor.lane_suggests(request, Fim, "et total = sum(a, b);");
    // In the pause neither.
    editor.after(500);
    editor.expect_log(expect![[r#"
        100ms predict r1 (key)
        100ms answer r1: [1, 1) -> "et total = sum(a, b);" (fim, at once)
        300ms start r1 fim
    "#]]);
}

#[test]
fn what_the_model_says_of_it_does_not_shorten_what_is_typed_into() {
    let mut editor = sure(with_a_model);
    let request = type_and_ask(&mut editor, "l");
    editor.after(250);
    type_and_ask(&mut editor, "et ");
    editor.lane_answers(request, Fim, &[insert(1, "et total = sum(")]);
    editor.after(1_000).ask();
    editor.expect_log(expect![[r#"
        100ms predict r1 (key)
        100ms answer r1: [1, 1) -> "et total = sum(a, b);" (fim, at once)
        300ms start r1 fim
        450ms answer r2: [2, 2) -> "t total = sum(a, b);" (fim, carried)
        550ms answer r3: [3, 3) -> " total = sum(a, b);" (fim, carried)
        650ms answer r4: [4, 4) -> "total = sum(a, b);" (fim, carried)
        1650ms answer r5: [4, 4) -> "total = sum(a, b);" (fim, carried)
    "#]]);
}

#[test]
fn what_is_for_a_pause_is_not_lost_when_the_lanes_have_nothing() {
    let mut editor = sure(|_| {});
    editor.learn(&[(LINE, 650)]);
    let request = type_and_ask(&mut editor, "l");
    editor.lane_answers(request, Fim, &[]);
    editor.after(1_000);
    editor.expect_log(expect![[r#"
        100ms predict r1 (key)
        100ms drop prediction r1 (key): unsure
        100ms start r1 fim
        400ms predict r1 (pause)
        400ms answer r1: [1, 1) -> "et total = sum(a, b);" (fim, at once)
    "#]]);
}

#[test]
fn in_pauses_only_it_is_not_lost_when_the_lanes_have_nothing_either() {
    let mut editor = sure(|it| it.recall.mode = RecallMode::Pauses);
    let request = type_and_ask(&mut editor, "l");
    editor.after(100).lane_answers(request, Fim, &[]);
    editor.after(1_000);
    editor.expect_log(expect![[r#"
        100ms start r1 fim
        400ms predict r1 (pause)
        400ms answer r1: [1, 1) -> "et total = sum(a, b);" (fim, at once)
    "#]]);
}

#[test]
fn what_is_for_a_pause_is_not_lost_when_no_model_may_be_asked() {
    let mut editor = sure(with_a_model);
    editor.set(|it| it.lanes.fim.requests_per_day = Some(0));
    editor.learn(&[(LINE, 650)]);
    type_and_ask(&mut editor, "l");
    editor.after(1_000);
    editor.expect_log(expect![[r#"
        100ms predict r1 (key)
        100ms drop prediction r1 (key): unsure
        100ms spare r1 fim: over-limit
        100ms check quota fim
        400ms predict r1 (pause)
        400ms answer r1: [1, 1) -> "et total = sum(a, b);" (fim, at once)
        600ms spare r1 fim: over-limit
        600ms check quota fim
    "#]]);
}

#[test]
fn a_driver_that_never_says_what_it_has_for_a_pause_holds_nothing_up_for_long() {
    let mut editor = sure(|it| it.recall.mode = RecallMode::Pauses);
    editor.is_predictor_silent = true;
    let request = type_and_ask(&mut editor, "l");
    editor.after(100).lane_answers(request, Fim, &[]);
    editor.after(1_000);
    editor.expect_log(expect![[r#"
        100ms start r1 fim
        400ms predict r1 (pause)
        500ms withheld r1: nothing-found
    "#]]);
}

#[test]
fn saying_no_to_something_elsewhere_does_not_end_the_quiet_of_a_line() {
    let mut editor = sure(|_| {});
    let request = type_and_ask(&mut editor, "l");
    editor.dismiss(request);
    editor.learn(&[("let other = 1 + 2;", 900)]);
    // A next edit on the line below.
    editor.reject(&replace(10, 11, "c"));
    editor.log();
    type_and_ask(&mut editor, "e");
    editor.expect_log(expect![[r#"
        200ms drop prediction r2 (key): refused-here
        200ms start r2 fim
    "#]]);
}

#[test]
fn saying_no_to_something_elsewhere_leaves_the_model_its_question() {
    let mut editor = sure(with_a_model);
    type_and_ask(&mut editor, "l");
    editor.reject(&replace(10, 11, "c"));
    editor.after(1_000);
    editor.expect_log(expect![[r#"
        100ms predict r1 (key)
        100ms answer r1: [1, 1) -> "et total = sum(a, b);" (fim, at once)
        100ms remember 1: [10, 11) -> "c"
        300ms start r1 fim
    "#]]);
}
