//! A person in an editor that reports no rejections: what they type over again and again goes away,
//! and nothing else does.
#![allow(
    clippy::unwrap_used,
    reason = "a story that goes wrong should stop where it does"
)]

use foretell_core::{Event, RejectionReports, RequestCause, RequestId, RequestKind};
use foretell_settings::Settings;
use foretell_testkit::story_editor::{Editor, delete, fim_alone, insert};
use foretell_text::{ChangeReason, LaneKind};

/// An editor that says nothing of rejections.
fn plain(text: &str) -> Editor {
    plain_with(text, |_| {})
}

fn plain_with(text: &str, change: impl FnOnce(&mut Settings)) -> Editor {
    let mut editor = Editor::with_settings(text, |settings| {
        fim_alone(settings);
        change(settings);
    });
    connect(&mut editor, RejectionReports::Inferred);
    editor
}

fn connect(editor: &mut Editor, rejections: RejectionReports) {
    editor.tell(Event::ClientConnected {
        rejections,
        asks_when_told: false,
    });
}

/// Somebody asks at the cursor, and FIM suggests this: by which request, and whether it is offered.
fn offered(editor: &mut Editor, new_text: &str) -> (RequestId, bool) {
    editor.after(10_000);
    let before = editor.core.counts().answered;
    // By a key, so that FIM is asked whatever the gate thinks of it.
    let request = editor.invoke();
    editor.lane_suggests(request, LaneKind::Fim, new_text);
    (request, editor.core.counts().answered > before)
}

/// Offers something, and types something else in its place, which is deleted again.
fn type_over(editor: &mut Editor, new_text: &str, keys: &str) {
    let (_, is_offered) = offered(editor, new_text);
    assert!(is_offered, "nothing to type over");
    editor.type_keys(keys);
    for _ in keys.chars() {
        editor.backspace();
    }
}

#[test]
fn what_is_typed_over_three_times_is_not_offered_again() {
    let mut editor = plain("let x");
    editor.place_cursor(1, 6);
    for times in 1..=3 {
        type_over(&mut editor, " = 1;", "y");
        assert_eq!(editor.core.counts().passed_over, times);
    }
    assert!(editor.rejects(&insert(5, " = 1;")));
    assert!(!offered(&mut editor, " = 1;").1, "it came back");
    assert!(offered(&mut editor, " = 2;").1, "another is welcome");
}

#[test]
fn nobody_has_said_no() {
    let mut editor = plain("let x");
    editor.place_cursor(1, 6);
    for _ in 0..3 {
        type_over(&mut editor, " = 1;", "y");
    }
    let counts = editor.core.counts();
    assert_eq!((counts.rejected, counts.remembered), (0, 1));
    // No cooldown: a cursor that moves after an edit still asks.
    editor.after(20);
    editor.type_keys("!");
    editor.log();
    editor.rest();
    let log = editor.log().join("\n");
    assert!(log.contains("ask"), "{log}");
}

#[test]
fn an_editor_that_reports_rejections_is_taken_at_its_word() {
    let mut editor = plain("let x");
    connect(&mut editor, RejectionReports::Explicit);
    editor.place_cursor(1, 6);
    for _ in 0..9 {
        type_over(&mut editor, " = 1;", "y");
    }
    assert!(offered(&mut editor, " = 1;").1);
    assert_eq!(editor.core.counts().passed_over, 0);
}

#[test]
fn a_setting_says_how_often_and_nought_is_never() {
    let mut editor = plain_with("let x", |settings| settings.rejections.infer_after = 1);
    editor.place_cursor(1, 6);
    type_over(&mut editor, " = 1;", "y");
    assert!(!offered(&mut editor, " = 1;").1);

    let mut editor = plain_with("let x", |settings| settings.rejections.infer_after = 0);
    editor.place_cursor(1, 6);
    for _ in 0..9 {
        type_over(&mut editor, " = 1;", "y");
    }
    assert!(offered(&mut editor, " = 1;").1);
    assert_eq!(editor.core.counts().passed_over, 9, "ignored, all the same");
}

#[test]
fn the_same_change_elsewhere_is_another() {
    let mut editor = plain("let x\nlet x");
    for line in [1, 2, 1, 2] {
        editor.place_cursor(line, 6);
        type_over(&mut editor, " = 1;", "y");
    }
    editor.place_cursor(1, 6);
    assert!(offered(&mut editor, " = 1;").1, "twice at each place");
}

#[test]
fn its_place_may_move() {
    let mut editor = plain("let x");
    editor.place_cursor(1, 6);
    for line in 2..=4 {
        type_over(&mut editor, " = 1;", "y");
        editor.edit(insert(0, "// above\n"));
        editor.place_cursor(line, 6);
    }
    assert!(!offered(&mut editor, " = 1;").1);
}

#[test]
fn moving_on_deleting_and_typing_elsewhere_say_nothing() {
    let mut editor = plain("let x\n");
    for _ in 0..9 {
        editor.place_cursor(1, 6);
        assert!(offered(&mut editor, " = 1;").1);
        // On the next line.
        editor.type_at(6, "//");
        editor.edit(delete(6, 8));
        editor.place_cursor(1, 6);
        assert!(offered(&mut editor, " = 1;").1);
        // What stands before it, and back by undo.
        editor.backspace();
        editor.undo();
    }
    assert_eq!(editor.core.counts().passed_over, 0);
    editor.place_cursor(1, 6);
    assert!(offered(&mut editor, " = 1;").1);
}

#[test]
fn what_is_undone_was_not_typed() {
    let mut editor = plain("let x");
    editor.place_cursor(1, 6);
    editor.edits(vec![insert(5, "y")], ChangeReason::Other);
    for _ in 0..9 {
        editor.edits(vec![delete(5, 6)], ChangeReason::Undo);
        assert!(offered(&mut editor, " = 1;").1);
        editor.edits(vec![insert(5, "y")], ChangeReason::Redo);
    }
    assert_eq!(editor.core.counts().passed_over, 0);
}

#[test]
fn who_types_into_it_and_leaves_has_typed_over_it_once() {
    let mut editor = plain("let x");
    editor.place_cursor(1, 6);
    assert!(offered(&mut editor, " = 1;").1);
    for key in [" ", "=", " "] {
        editor.type_keys(key);
        editor.ask();
    }
    editor.type_keys("2");
    assert_eq!(editor.core.counts().passed_over, 1);
    editor.type_keys("345");
    assert_eq!(editor.core.counts().passed_over, 1, "it was gone already");
}

#[test]
fn what_the_person_types_out_themselves_begins_anew() {
    let mut editor = plain("let x");
    editor.place_cursor(1, 6);
    for _ in 0..3 {
        type_over(&mut editor, " = 1;", "y");
        type_over(&mut editor, " = 1;", "y");
        assert!(offered(&mut editor, " = 1;").1);
        editor.type_keys(" = 1;");
        for _ in 0..5 {
            editor.backspace();
        }
    }
    assert!(offered(&mut editor, " = 1;").1, "it was wanted three times");
}

#[test]
fn what_is_taken_was_not_typed_over_however_the_editor_writes_it() {
    let mut editor = plain_with("let x", |settings| settings.rejections.infer_after = 1);
    editor.place_cursor(1, 6);
    for _ in 0..5 {
        let (request, is_offered) = offered(&mut editor, " = 1;");
        assert!(is_offered, "taken, and gone all the same");
        // The editor indents what it puts in, and then tells that it was taken.
        editor.edit(insert(5, "  = 1;"));
        editor.accept(request);
        editor.edit(delete(5, 11));
    }
    assert_eq!(editor.core.counts().remembered, 5, "and forgotten again");
    assert_eq!(editor.core.rejections().len(), 0);
}

#[test]
fn only_what_is_drawn_was_typed_over() {
    let mut editor = plain("let x");
    editor.place_cursor(1, 6);
    for _ in 0..4 {
        editor.after(10_000);
        let request = editor.request(RequestCause::Explicit, RequestKind::Inline);
        let edits = [insert(5, " = 1;"), insert(5, " = 2;")];
        editor.lane_answers(request, LaneKind::Fim, &edits);
        editor.type_keys("y");
        editor.backspace();
    }
    assert!(editor.rejects(&insert(5, " = 1;")));
    // From the fourth time on it is the first of the answer.
    assert_eq!(editor.core.counts().remembered, 1);
    assert!(!editor.rejects(&insert(5, " = 2;")));
}

#[test]
fn who_clears_what_is_rejected_begins_anew() {
    let mut editor = plain("let x");
    editor.place_cursor(1, 6);
    for _ in 0..2 {
        type_over(&mut editor, " = 1;", "y");
    }
    editor.tell(Event::RejectionsCleared);
    for _ in 0..2 {
        type_over(&mut editor, " = 1;", "y");
    }
    assert!(offered(&mut editor, " = 1;").1);
}

#[test]
fn closing_and_opening_a_document_does_not_begin_anew() {
    let mut editor = plain("let x");
    for _ in 0..3 {
        editor.place_cursor(1, 6);
        type_over(&mut editor, " = 1;", "y");
        let text = editor.close();
        editor.open(&text);
    }
    editor.place_cursor(1, 6);
    assert!(!offered(&mut editor, " = 1;").1);
}

#[test]
fn an_editor_that_sends_whole_texts_is_understood() {
    let mut editor = plain("let x");
    editor.place_cursor(1, 6);
    for _ in 0..3 {
        assert!(offered(&mut editor, " = 1;").1);
        for text in ["let xy", "let x"] {
            editor.tell(Event::DocumentReplaced {
                document: editor.document.clone(),
                version: editor.core.version(&editor.document).unwrap(),
                text: text.into(),
                reason: ChangeReason::Typed,
            });
        }
    }
    assert!(editor.rejects(&insert(5, " = 1;")));
}

#[test]
fn a_key_counts_once_however_often_the_same_was_offered() {
    let mut editor = plain_with("let x", |settings| {
        settings.lanes.next_edit.enabled = true;
    });
    editor.place_cursor(1, 6);
    for times in 1..=2 {
        editor.after(10_000);
        for kind in [RequestKind::Inline, RequestKind::Edit] {
            let request = editor.request(RequestCause::Explicit, kind);
            editor.lane_suggests(request, LaneKind::Fim, " = 1;");
            editor.lane_suggests(request, LaneKind::NextEdit, " = 1;");
        }
        editor.type_keys("y");
        editor.backspace();
        assert_eq!(editor.core.counts().passed_over, times);
    }
    assert!(!editor.rejects(&insert(5, " = 1;")), "typed over twice");
}

#[test]
fn what_is_taken_begins_anew_also_if_the_editor_says_so_first() {
    let mut editor = plain("let x");
    editor.place_cursor(1, 6);
    for _ in 0..3 {
        type_over(&mut editor, " = 1;", "y");
        type_over(&mut editor, " = 1;", "y");
        let (request, is_offered) = offered(&mut editor, " = 1;");
        assert!(is_offered);
        editor.accept(request);
        editor.edit(insert(5, " = 1;"));
        editor.edit(delete(5, 10));
    }
    assert_eq!(editor.core.counts().remembered, 0);
}

#[test]
fn who_writes_it_and_more_at_once_has_not_typed_over_it() {
    let mut editor = plain("let x");
    editor.place_cursor(1, 6);
    for _ in 0..4 {
        let (_, is_offered) = offered(&mut editor, " = foo()");
        assert!(is_offered, "it was wanted");
        editor.edit(insert(5, " = foo();"));
        editor.edit(delete(5, 14));
    }
    assert_eq!(editor.core.counts().passed_over, 0);
}

#[test]
fn an_editor_that_says_so_itself_is_not_counted_twice() {
    let mut editor = plain("let x");
    editor.place_cursor(1, 6);
    let (request, _) = offered(&mut editor, " = 1;");
    editor.type_keys("y");
    editor.pass_over(request);
    assert_eq!(editor.core.counts().passed_over, 1);
}
