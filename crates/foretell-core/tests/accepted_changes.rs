//! Which of the latest changes were suggested to the person: models for next edits are told so.
#![allow(
    clippy::unwrap_used,
    reason = "a story that goes wrong should stop where it does"
)]

use foretell_core::RequestCause::Automatic;
use foretell_core::{RequestId, RequestKind};
use foretell_testkit::story_editor::{Editor, at_once, insert, replace};
use foretell_text::LaneKind::NextEdit;

const TEXT: &str = "let total = 1;\nshow(sum);\n\n\n\n\n\n\n\n\n\n\nend();\n";

/// An editor that shows a next edit in the second line.
fn offered() -> (Editor, RequestId) {
    let mut editor = Editor::with_settings(TEXT, |settings| {
        at_once(settings);
        settings.lanes.fim.enabled = false;
        settings.lanes.fix.enabled = false;
    });
    editor.saves_at_once = true;
    editor.place_cursor(1, 5);
    let request = editor.request(Automatic, RequestKind::Edit);
    editor.lane_answers(request, NextEdit, &[replace(20, 23, "total")]);
    assert_eq!(editor.last_offers().len(), 1);
    (editor, request)
}

/// The person takes it: it is put in, and then they are said to have taken it.
fn take(editor: &mut Editor, request: RequestId) {
    editor.edit(replace(20, 23, "total"));
    editor.accept(request);
}

/// Which of the latest changes were suggestions, the latest first.
fn suggested(editor: &Editor) -> Vec<bool> {
    editor
        .recent_edits()
        .iter()
        .map(|it| it.is_accepted)
        .collect()
}

#[test]
fn a_suggestion_that_was_taken_is_told_from_what_the_person_wrote() {
    let (mut editor, request) = offered();
    editor.at(2_000).edit(insert(36, "// "));
    editor.at(4_000);
    take(&mut editor, request);
    assert_eq!(suggested(&editor), [true, false]);
}

#[test]
fn who_goes_on_with_it_has_written_some_of_it() {
    let (mut editor, request) = offered();
    take(&mut editor, request);
    assert_eq!(suggested(&editor), [true]);
    editor.at(300).edit(insert(25, "_of_all"));
    assert_eq!(suggested(&editor), [false]);
}

#[test]
fn what_was_typed_a_moment_ago_makes_it_the_persons() {
    let (mut editor, request) = offered();
    editor.edit(insert(26, " "));
    take(&mut editor, request);
    assert_eq!(suggested(&editor), [false]);
}

#[test]
fn a_suggestion_that_is_said_to_be_taken_before_it_is_put_in_marks_nothing_else() {
    let (mut editor, request) = offered();
    editor.at(2_000).edit(insert(36, "// "));
    editor.at(4_000).accept(request);
    editor.edit(replace(20, 23, "total"));
    assert_eq!(suggested(&editor), [false, false]);
}

#[test]
fn what_is_told_twice_is_counted_once() {
    let (mut editor, request) = offered();
    editor.edit(insert(26, " "));
    take(&mut editor, request);
    editor.accept(request);
    editor.accept(request);
    assert_eq!(suggested(&editor), [false]);
}
