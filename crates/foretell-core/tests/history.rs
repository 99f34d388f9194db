//! What the person changed lately, as the lanes and the context will be told.

use foretell_core::Moment;
use foretell_testkit::editor::{Editor, delete, insert, replace};
use foretell_text::{ChangeReason, Edit};

fn at(editor: &mut Editor, millis: u64, edit: Edit, reason: ChangeReason) {
    editor.edits_at(Moment::from_millis(millis), vec![edit], reason);
}

fn recent(editor: &Editor) -> Vec<(String, String)> {
    let now = Moment::from_millis(100_000);
    let edits = editor.core.recent_edits(now, &editor.document);
    edits
        .iter()
        .map(|edit| (edit.old_text.to_string(), edit.new_text.to_string()))
        .collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = expected
        .iter()
        .map(|(old, new)| ((*old).into(), (*new).into()));
    owned.collect()
}

#[test]
fn a_burst_of_typing_is_one_entry() {
    let mut editor = Editor::with("let value = 1;\n");
    at(&mut editor, 0, delete(4, 9), ChangeReason::Typed);
    for (index, key) in ["t", "o", "t", "a", "l"].into_iter().enumerate() {
        let millis = 200 * (index as u64 + 1);
        at(
            &mut editor,
            millis,
            insert(4 + index, key),
            ChangeReason::Typed,
        );
    }
    // Trimmed: both words end with the same letters or not at all.
    assert_eq!(recent(&editor), pairs(&[("value", "total")]));
}

#[test]
fn a_pause_or_another_place_starts_a_new_entry() {
    let mut editor = Editor::with(&"line\n".repeat(40));
    at(&mut editor, 0, insert(0, "a"), ChangeReason::Typed);
    at(&mut editor, 5_000, insert(6, "b"), ChangeReason::Typed);
    at(&mut editor, 5_100, insert(150, "c"), ChangeReason::Typed);
    assert_eq!(recent(&editor), pairs(&[("", "c"), ("", "b"), ("", "a")]));
}

#[test]
fn undone_edits_disappear() {
    let mut editor = Editor::with("abc\n");
    at(&mut editor, 0, insert(3, "d"), ChangeReason::Typed);
    at(&mut editor, 5_000, insert(0, "x"), ChangeReason::Typed);
    at(&mut editor, 9_000, delete(0, 1), ChangeReason::Undo);
    assert_eq!(recent(&editor), pairs(&[("", "d")]));
    at(&mut editor, 9_100, delete(3, 4), ChangeReason::Undo);
    assert_eq!(recent(&editor), pairs(&[]));
}

#[test]
fn a_second_change_of_the_same_place_keeps_the_first_apart() {
    let mut editor = Editor::with("x = 1\n");
    at(&mut editor, 0, replace(4, 5, "2"), ChangeReason::Typed);
    at(&mut editor, 5_000, replace(4, 5, "3"), ChangeReason::Typed);
    assert_eq!(recent(&editor), pairs(&[("2", "3"), ("1", "2")]));
    at(&mut editor, 6_000, replace(4, 5, "2"), ChangeReason::Undo);
    at(&mut editor, 6_100, replace(4, 5, "1"), ChangeReason::Undo);
    assert_eq!(recent(&editor), pairs(&[]));
}

#[test]
fn a_formatter_is_not_the_person() {
    let mut editor = Editor::with("a  b\n");
    at(&mut editor, 0, insert(4, "c"), ChangeReason::Typed);
    at(&mut editor, 10, delete(1, 2), ChangeReason::Other);
    assert_eq!(recent(&editor), pairs(&[(" ", ""), ("", "c")]));
}

#[test]
fn what_was_undone_and_redone_is_an_entry_again() {
    let mut editor = Editor::with("abc\n");
    at(&mut editor, 0, insert(3, "d"), ChangeReason::Typed);
    at(&mut editor, 2_000, delete(3, 4), ChangeReason::Undo);
    at(&mut editor, 4_000, insert(3, "d"), ChangeReason::Redo);
    assert_eq!(recent(&editor), pairs(&[("", "d")]));
}
