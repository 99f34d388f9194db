//! When a change is finished, so that the person is shown what follows from it, and which changes are nobody's.
#![allow(
    clippy::unwrap_used,
    reason = "a story that goes wrong should stop where it does"
)]

use foretell_core::{Event, Moment, RequestCause, RequestKind};
use foretell_settings::Settings;
use foretell_testkit::expect;
use foretell_testkit::story_editor::{Editor, delete, insert, replace};
use foretell_text::{ByteRange, ChangeReason, Edit};

const TEXT: &str = "let value = 1;\nuse(value);\nlet rest = 2;\n";

/// Only next edits are asked, and no context is gathered.
fn next_edits(settings: &mut Settings) {
    settings.context.enabled = false;
    settings.lanes.fim.enabled = false;
    settings.lanes.fix.enabled = false;
}

/// Somebody who has asked once, so that nothing is the first of its document.
fn editor() -> Editor {
    let mut editor = Editor::with_settings(TEXT, next_edits);
    editor.saves_at_once = false;
    let first = editor.request(RequestCause::Automatic, RequestKind::Edit);
    editor.cancel(first);
    editor.log();
    editor
}

fn ask(editor: &mut Editor) {
    editor.request(RequestCause::Automatic, RequestKind::Edit);
}

fn is_finished(editor: &Editor, millis: u64) -> bool {
    let now = Moment::from_millis(millis);
    let edits = editor.core.recent_edits(now, &editor.document);
    edits.first().is_some_and(|edit| edit.is_finished)
}

#[test]
fn a_next_edit_is_asked_when_the_person_pauses() {
    let mut editor = editor();
    editor.edit(replace(4, 9, "sum"));
    ask(&mut editor);
    editor.expect_log(expect!["0ms wait r2 1000ms"]);
    editor.at(1_000);
    editor.expect_log(expect!["1000ms start r2 next-edit"]);
}

#[test]
fn a_next_edit_is_asked_at_once_when_the_person_has_gone_to_another_line() {
    let mut editor = editor();
    editor.edit(replace(4, 9, "sum"));
    editor.at(100).move_to(1, 3);
    assert!(!is_finished(&editor, 100), "it is the same line");
    editor.move_to(2, 3);
    assert!(is_finished(&editor, 100));
    editor.log();
    ask(&mut editor);
    editor.expect_log(expect!["100ms start r2 next-edit"]);
}

#[test]
fn nothing_is_asked_in_the_middle_of_an_expression() {
    let mut editor = editor();
    editor.edit(insert(25, "."));
    editor.at(5_000);
    editor.edit(insert(14, "\nlet more ="));
    editor.at(9_000);
    ask(&mut editor);
    editor.expect_log(expect![[r#"
        9000ms spare r2 next-edit: unfinished-edit
        9000ms withheld r2: unfinished-edit
    "#]]);
}

#[test]
fn a_save_and_a_no_finish_a_change() {
    let mut editor = editor();
    editor.edit(replace(4, 9, "sum"));
    assert!(!is_finished(&editor, 0));
    let document = editor.document.clone();
    editor.tell(Event::DocumentSaved { document });
    assert!(is_finished(&editor, 0));
    editor.at(10).edit(insert(7, "s"));
    assert!(!is_finished(&editor, 10), "it is gone on with");
    editor.reject(&insert(8, "x"));
    assert!(is_finished(&editor, 10));
}

#[test]
fn typing_on_another_line_leaves_the_one_before() {
    let mut editor = editor();
    editor.edit(replace(4, 9, "sum"));
    editor.at(2_000).edit(insert(20, "x"));
    let now = Moment::from_millis(2_000);
    let edits = editor.core.recent_edits(now, &editor.document);
    let finished: Vec<bool> = edits.iter().map(|edit| edit.is_finished).collect();
    assert_eq!(finished, [false, true]);
}

#[test]
fn a_line_break_ends_the_line_that_it_is_typed_behind() {
    let mut editor = editor();
    editor.edit(insert(14, "\nmore.\n"));
    editor.select(&[ByteRange::empty(foretell_text::ByteOffset::new(17))]);
    assert!(!is_finished(&editor, 0));
    editor.select(&[ByteRange::empty(foretell_text::ByteOffset::new(21))]);
    assert!(is_finished(&editor, 0));
}

#[test]
fn what_a_formatter_or_a_rename_did_without_a_word_is_not_typed() {
    let reason_of = |edits: Vec<Edit>| {
        let mut editor = editor();
        editor.edits(edits, ChangeReason::Typed);
        let now = Moment::from_millis(0);
        let edits = editor.core.recent_edits(now, &editor.document);
        edits.first().unwrap().reason
    };
    // From the last to the first, as editors tell them.
    let renamed = vec![replace(19, 24, "sum"), replace(4, 9, "sum")];
    assert_eq!(reason_of(renamed), ChangeReason::Other);
    let formatted = vec![delete(24, 25), insert(13, ",")];
    assert_eq!(reason_of(formatted), ChangeReason::Other);
    let with_two_cursors = vec![insert(24, "s"), insert(9, "s")];
    assert_eq!(reason_of(with_two_cursors), ChangeReason::Typed);
}

#[test]
fn a_line_that_was_left_half_written_holds_up_nothing_that_is_done_elsewhere_a_moment_later() {
    let mut editor = editor();
    editor.edit(insert(TEXT.len(), "let sum =\n"));
    editor.at(300).move_to(1, 5);
    editor.at(400).edit(replace(4, 9, "sum"));
    editor.log();
    ask(&mut editor);
    editor.at(5_000);
    editor.expect_log(expect![[r#"
        400ms wait r2 1000ms
        1400ms start r2 next-edit
        2400ms stop r2 next-edit: timed-out
        2400ms withheld r2: timed-out
    "#]]);
}
