//! A model that writes too slowly to rewrite a region while somebody types, as a person meets it.

use foretell_core::Event;
use foretell_settings::{BackEnd, Settings};
use foretell_testkit::expect;
use foretell_testkit::story_editor::{Editor, at_once};
use foretell_text::LaneKind::{Fim, NextEdit};
use foretell_text::{LaneKind, LaneSpeed};

const MINUTE: u64 = 60_000;

/// An editor with a chat model for next edits, which is asked at once.
fn chatting() -> Editor {
    Editor::with_settings("\n\n", |settings| {
        set_up(settings);
        settings.lanes.next_edit.kind = BackEnd::OpenAiChat;
    })
}

fn set_up(settings: &mut Settings) {
    at_once(settings);
    settings.lanes.fim.enabled = false;
    settings.lanes.fix.enabled = false;
}

fn writes(editor: &mut Editor, lane: LaneKind, written: u32, repeats_region: bool) {
    let speed = LaneSpeed {
        read: Some(150),
        written: Some(written),
        repeats_region,
    };
    editor.tell(Event::LaneSpeedKnown { lane, speed });
}

fn types_and_asks(editor: &mut Editor) {
    editor.type_keys("x");
    editor.ask();
}

#[test]
fn a_slow_chat_model_is_asked_only_when_the_person_asks() {
    let mut editor = chatting();
    writes(&mut editor, NextEdit, 20, true);
    types_and_asks(&mut editor);
    editor.type_keys("y");
    editor.invoke();
    editor.expect_log(expect![[r#"
        0ms spare r1 next-edit: model-too-slow
        0ms withheld r1: model-too-slow
        0ms start r2 next-edit
    "#]]);
}

#[test]
fn a_model_that_is_fast_enough_or_says_little_is_asked() {
    for (written, repeats_region) in [(60, true), (20, false)] {
        let mut editor = chatting();
        writes(&mut editor, NextEdit, written, repeats_region);
        types_and_asks(&mut editor);
        editor.expect_log(expect!["0ms start r1 next-edit"]);
    }
}

#[test]
fn a_lane_without_a_model_is_asked_whatever_was_measured() {
    let mut editor = Editor::with_settings("\n\n", set_up);
    writes(&mut editor, NextEdit, 20, true);
    types_and_asks(&mut editor);
    editor.expect_log(expect!["0ms start r1 next-edit"]);
}

#[test]
fn the_speed_of_one_lane_says_nothing_of_another() {
    let mut editor = chatting();
    writes(&mut editor, Fim, 20, true);
    types_and_asks(&mut editor);
    editor.expect_log(expect!["0ms start r1 next-edit"]);
}

#[test]
fn a_server_that_has_recovered_is_asked_again() {
    let mut editor = chatting();
    writes(&mut editor, NextEdit, 20, true);
    editor.at(10 * MINUTE - 1);
    types_and_asks(&mut editor);
    // Nobody has measured it since.
    editor.at(10 * MINUTE);
    types_and_asks(&mut editor);
    writes(&mut editor, NextEdit, 90, true);
    types_and_asks(&mut editor);
    editor.expect_log(expect![[r#"
        599999ms spare r1 next-edit: model-too-slow
        599999ms withheld r1: model-too-slow
        600000ms start r2 next-edit
        600000ms withheld r2: superseded
    "#]]);
}

#[test]
fn a_slow_model_is_not_asked_at_every_pause_after_a_try_that_was_stopped() {
    let mut editor = chatting();
    writes(&mut editor, NextEdit, 20, true);
    editor.at(10 * MINUTE);
    editor.type_keys("x");
    let tried = editor.ask();
    editor.cancel(tried);
    // What others read of the same server says nothing of how it writes.
    let speed = LaneSpeed {
        read: Some(200),
        written: Some(20),
        repeats_region: true,
    };
    let lane = NextEdit;
    editor.at(20 * MINUTE - 1);
    editor.tell(Event::LaneSpeedKnown { lane, speed });
    types_and_asks(&mut editor);
    editor.at(20 * MINUTE);
    types_and_asks(&mut editor);
    editor.expect_log(expect![[r#"
        600000ms start r1 next-edit
        600000ms withheld r1: cancelled
        665000ms stop r1 next-edit: timed-out
        1199999ms spare r2 next-edit: model-too-slow
        1199999ms withheld r2: model-too-slow
        1200000ms start r3 next-edit
    "#]]);
}

#[test]
fn a_lane_that_is_set_up_otherwise_is_another_one() {
    let mut editor = chatting();
    writes(&mut editor, NextEdit, 20, true);
    editor.set(|settings| settings.lanes.next_edit.model = Some("faster".to_owned()));
    types_and_asks(&mut editor);
    editor.expect_log(expect!["0ms start r1 next-edit"]);
}
