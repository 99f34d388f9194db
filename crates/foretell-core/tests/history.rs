//! What the person changed lately, and what they took back or did not want, as the lanes and the
//! context will be told.

use foretell_core::{Event, Moment};
use foretell_testkit::story_editor::{Editor, delete, insert, replace};
use foretell_text::{ByteOffset, ByteRange, ChangeReason, DocumentId, Edit, Replacement};

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

fn refused(editor: &Editor) -> Vec<(String, String)> {
    let refused = editor.core.refused(&editor.document);
    let refused = refused.iter();
    refused
        .map(|it| (it.old_text.to_string(), it.new_text.to_string()))
        .collect()
}

#[test]
fn a_burst_that_was_undone_whole_was_refused() {
    let mut editor = Editor::with("let value = 1;\n");
    at(&mut editor, 0, delete(4, 9), ChangeReason::Typed);
    at(&mut editor, 200, insert(4, "total"), ChangeReason::Typed);
    assert_eq!(refused(&editor), pairs(&[]));
    at(&mut editor, 5_000, delete(4, 9), ChangeReason::Undo);
    assert_eq!(refused(&editor), pairs(&[]), "half of it is still there");
    at(&mut editor, 5_100, insert(4, "value"), ChangeReason::Undo);
    assert_eq!(recent(&editor), pairs(&[]));
    assert_eq!(refused(&editor), pairs(&[("value", "total")]), "once");
}

#[test]
fn a_step_that_was_redone_in_between_changes_nothing_about_it() {
    let mut editor = Editor::with("neat = 1;\n");
    at(&mut editor, 0, replace(0, 4, "t"), ChangeReason::Typed);
    at(&mut editor, 200, insert(1, "idy"), ChangeReason::Typed);
    at(&mut editor, 3_000, delete(1, 4), ChangeReason::Undo);
    at(&mut editor, 3_500, insert(1, "idy"), ChangeReason::Redo);
    at(&mut editor, 4_000, delete(1, 4), ChangeReason::Undo);
    at(
        &mut editor,
        4_100,
        replace(0, 1, "neat"),
        ChangeReason::Undo,
    );
    assert_eq!(refused(&editor), pairs(&[("neat", "tidy")]));
}

#[test]
fn what_was_typed_after_half_an_undo_is_what_is_refused() {
    let mut editor = Editor::with("neat = 1;\n");
    at(&mut editor, 0, replace(0, 4, "t"), ChangeReason::Typed);
    at(&mut editor, 200, insert(1, "idy"), ChangeReason::Typed);
    at(&mut editor, 500, delete(1, 4), ChangeReason::Undo);
    at(&mut editor, 800, insert(1, "rim"), ChangeReason::Typed);
    at(&mut editor, 3_000, delete(1, 4), ChangeReason::Undo);
    at(
        &mut editor,
        3_100,
        replace(0, 1, "neat"),
        ChangeReason::Undo,
    );
    assert_eq!(refused(&editor), pairs(&[("neat", "trim")]));
}

#[test]
fn what_was_typed_back_by_hand_was_made_all_the_same() {
    let mut editor = Editor::with("neat = 1;\n");
    at(&mut editor, 0, replace(0, 4, "tidy"), ChangeReason::Typed);
    at(&mut editor, 3_000, delete(0, 4), ChangeReason::Typed);
    at(&mut editor, 3_200, insert(0, "neat"), ChangeReason::Typed);
    let both = pairs(&[("tidy", "neat"), ("neat", "tidy")]);
    assert_eq!(recent(&editor), both);
    assert_eq!(refused(&editor), pairs(&[]));
}

#[test]
fn what_was_changed_at_several_cursors_is_refused_in_one_piece() {
    let mut editor = Editor::with("a b a\n");
    let both = |new_text| {
        let word = |start| {
            let end = ByteOffset::new(start + 1);
            let range = ByteRange::new(ByteOffset::new(start), end).expect("a range");
            Replacement::new(range, new_text)
        };
        Edit::new(vec![word(0), word(4)]).expect("two places")
    };
    at(&mut editor, 0, both("x"), ChangeReason::Typed);
    at(&mut editor, 3_000, both("a"), ChangeReason::Undo);
    assert_eq!(refused(&editor), pairs(&[("a b a", "x b x")]));
}

#[test]
fn what_was_undone_in_one_step_is_refused_as_it_was() {
    let mut editor = Editor::with("let value = 1;\n");
    at(&mut editor, 0, replace(4, 9, "total"), ChangeReason::Typed);
    at(
        &mut editor,
        3_000,
        replace(4, 9, "value"),
        ChangeReason::Undo,
    );
    assert_eq!(refused(&editor), pairs(&[("value", "total")]));
    at(
        &mut editor,
        6_000,
        replace(4, 9, "total"),
        ChangeReason::Redo,
    );
    assert_eq!(recent(&editor), pairs(&[("value", "total")]));
}

#[test]
fn a_rejected_edit_is_refused_where_it_stands_now() {
    let mut editor = Editor::with("a = one;\nb = two;\n");
    editor.reject(&replace(4, 7, "1"));
    editor.reject(&replace(13, 16, "2"));
    assert_eq!(refused(&editor), pairs(&[("two", "2"), ("one", "1")]));
    editor.type_at(0, "// 😀\n");
    assert_eq!(refused(&editor), pairs(&[("two", "2"), ("one", "1")]));
    // One that sleeps is about a text that is not there.
    editor.edit(replace(13, 17, "x"));
    assert_eq!(refused(&editor).len(), 1);
}

#[test]
fn nothing_was_refused_in_a_document_that_nobody_opened() {
    let editor = Editor::with("a");
    let elsewhere = DocumentId::new("file:///elsewhere.ts");
    assert_eq!(editor.core.refused(&elsewhere), []);
}

#[test]
fn only_the_last_few_that_were_taken_back_are_kept() {
    let mut editor = Editor::with("x\n");
    for index in 0..20 {
        let word = format!("w{index}");
        let length = word.len();
        let typed = replace(0, 1, &word);
        at(&mut editor, 10_000 * index, typed, ChangeReason::Typed);
        let undone = replace(0, length, "x");
        at(
            &mut editor,
            10_000 * index + 5_000,
            undone,
            ChangeReason::Undo,
        );
    }
    let kept = refused(&editor);
    assert_eq!(kept.len(), 8);
    assert_eq!(kept[0], ("x".to_owned(), "w19".to_owned()));
}

#[test]
fn open_documents_come_in_the_order_in_which_they_were_looked_at() {
    let names = |editor: &Editor| -> Vec<String> {
        let open = editor.core.open_documents().into_iter();
        open.map(|id| id.as_str().replace("file:///", "")).collect()
    };
    let mut editor = Editor::with("a");
    editor.go_to("file:///b.ts", "b");
    editor.go_to("file:///c.ts", "c");
    assert_eq!(names(&editor), ["c.ts", "b.ts", "test.ts"]);
    let document = DocumentId::new("file:///test.ts");
    editor.tell(Event::DocumentFocused { document });
    assert_eq!(names(&editor), ["test.ts", "c.ts", "b.ts"]);
    // What is not known any more is told to nobody.
    let document = DocumentId::new("file:///c.ts");
    editor.tell(Event::DocumentLost { document });
    assert_eq!(names(&editor), ["test.ts", "b.ts"]);
}
