//! Suggestions that take back what the person has just done, as a person meets them.
#![allow(
    clippy::unwrap_used,
    reason = "a story that goes wrong should stop where it does"
)]

use foretell_core::{RequestCause, RequestKind};
use foretell_testkit::expect;
use foretell_testkit::story_editor::{self, Editor, delete, insert, replace};
use foretell_text::Edit;
use foretell_text::LaneKind::{Fim, Fix, NextEdit};

const TEXT: &str = "let sum = 0;\nlog(sum);\nreturn sum;\n";

fn editor() -> Editor {
    Editor::with_settings(TEXT, |settings| {
        story_editor::at_once(settings);
        settings.lanes.fix.enabled = false;
    })
}

/// What becomes of a next edit that is suggested now.
fn suggested(editor: &mut Editor, edits: &[Edit]) -> String {
    let request = editor.request(RequestCause::Explicit, RequestKind::Edit);
    editor.log();
    editor.lane_answers(request, NextEdit, edits);
    let said = editor.log().pop().unwrap();
    said.split(": ").last().unwrap_or_default().to_owned()
}

#[test]
fn a_word_that_was_changed_is_not_changed_back() {
    let mut editor = editor();
    editor.edit(replace(4, 7, "total"));
    editor.after(5_000);
    assert_eq!(
        suggested(&mut editor, &[replace(4, 9, "sum")]),
        "takes-back"
    );
    // However it is written.
    let line = replace(0, 14, "let sum = 0;");
    assert_eq!(suggested(&mut editor, &[line]), "takes-back");
    let said = suggested(&mut editor, &[replace(19, 22, "total")]);
    assert_eq!(said, r#"[19, 22) -> "total" (next-edit)"#);
}

#[test]
fn a_line_that_was_deleted_does_not_come_back() {
    let mut editor = editor();
    editor.edit(delete(13, 23));
    editor.after(5_000);
    assert_eq!(
        suggested(&mut editor, &[insert(13, "log(sum);\n")]),
        "takes-back"
    );
    assert_eq!(
        suggested(&mut editor, &[insert(12, "\nlog(sum);")]),
        "takes-back"
    );
    let said = suggested(&mut editor, &[insert(13, "log(all);\n")]);
    assert_eq!(said, "[13, 13) -> \"log(all);\\n\" (next-edit)");
}

#[test]
fn a_line_that_was_put_in_does_not_go() {
    let mut editor = editor();
    editor.edit(insert(13, "check();\n"));
    editor.after(5_000);
    assert_eq!(suggested(&mut editor, &[delete(13, 22)]), "takes-back");
    let said = suggested(&mut editor, &[replace(13, 18, "assert")]);
    assert_eq!(said, r#"[13, 18) -> "assert" (next-edit)"#);
}

#[test]
fn an_older_change_is_not_taken_back_either() {
    let mut editor = editor();
    editor.edit(replace(4, 7, "total"));
    editor.after(5_000);
    editor.edit(replace(19, 22, "total"));
    editor.after(5_000);
    assert_eq!(
        suggested(&mut editor, &[replace(4, 9, "sum")]),
        "takes-back"
    );
    let both = Edit::new(
        [replace(4, 9, "sum"), replace(19, 24, "sum")]
            .iter()
            .flat_map(|edit| edit.replacements().to_vec())
            .collect(),
    );
    assert_eq!(suggested(&mut editor, &[both.unwrap()]), "takes-back");
}

#[test]
fn what_the_person_undid_is_not_suggested_again() {
    let mut editor = editor();
    editor.edit(replace(4, 7, "total"));
    editor.after(5_000);
    editor.undo();
    editor.after(5_000);
    assert_eq!(
        suggested(&mut editor, &[replace(4, 7, "total")]),
        "takes-back"
    );
    let said = suggested(&mut editor, &[replace(4, 7, "all")]);
    assert_eq!(said, r#"[4, 7) -> "all" (next-edit)"#);
    // Until something else is done there.
    editor.edit(replace(4, 7, "x"));
    editor.after(5_000);
    let said = suggested(&mut editor, &[replace(4, 5, "total")]);
    assert_eq!(said, r#"[4, 5) -> "total" (next-edit)"#);
}

#[test]
fn it_moves_with_what_is_typed_elsewhere() {
    let mut editor = editor();
    editor.edit(replace(17, 20, "total"));
    editor.after(5_000);
    editor.edit(insert(0, "// sums\n"));
    editor.after(5_000);
    assert_eq!(
        suggested(&mut editor, &[replace(25, 30, "sum")]),
        "takes-back"
    );
}

#[test]
fn every_lane_is_held_to_it() {
    let mut editor = Editor::with_settings(TEXT, |settings| {
        story_editor::at_once(settings);
        settings.lanes.next_edit.enabled = false;
    });
    editor.edit(delete(17, 20));
    editor.after(5_000);
    editor.place_cursor(2, 5);
    let request = editor.ask();
    editor.log();
    editor.lane_suggests(request, Fim, "sum");
    editor.expect_log(expect!["5000ms withheld r1: takes-back"]);
    editor.diagnose(13, 20);
    editor.after(5_000);
    let request = editor.request(RequestCause::Explicit, RequestKind::Edit);
    editor.log();
    editor.lane_answers(request, Fix, &[insert(17, "sum")]);
    assert!(editor.log().pop().unwrap().ends_with("takes-back"));
}

#[test]
fn lines_that_were_deleted_one_by_one_do_not_come_back_at_once() {
    let mut editor = editor();
    editor.edit(delete(13, 23));
    editor.after(5_000);
    editor.edit(delete(13, 25));
    editor.after(5_000);
    let both = insert(13, "log(sum);\nreturn sum;\n");
    assert_eq!(suggested(&mut editor, &[both]), "takes-back");
    let one = insert(13, "log(sum);\n");
    assert_eq!(suggested(&mut editor, &[one]), "takes-back");
}

#[test]
fn a_word_that_was_changed_twice_is_not_what_it_was_first() {
    let mut editor = editor();
    editor.edit(replace(4, 7, "total"));
    editor.after(5_000);
    editor.edit(replace(4, 9, "amount"));
    editor.after(5_000);
    assert_eq!(
        suggested(&mut editor, &[replace(4, 10, "sum")]),
        "takes-back"
    );
}

#[test]
fn two_of_three_lines_that_were_deleted_do_not_come_back() {
    let mut editor = editor();
    editor.edit(delete(0, 35));
    editor.after(5_000);
    let two = insert(0, "let sum = 0;\nlog(sum);\n");
    assert_eq!(suggested(&mut editor, &[two]), "takes-back");
}
