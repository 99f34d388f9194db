//! Whether the text here is the editor's: losing it, asking for it, getting it whole, and the end.
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on is a failed test"
)]

use foretell_core::{Event, Moment, Reason};
use foretell_testkit::expect;
use foretell_testkit::story_editor::{Editor, insert};
use foretell_text::{ChangeReason, DocumentId, LaneKind, Text, Version};

fn lost(editor: &mut Editor) {
    let document = editor.document.clone();
    editor.tell(Event::DocumentLost { document });
}

/// The editor sends the whole text, as some do at every change.
fn sends_all(editor: &mut Editor, text: &str, reason: ChangeReason) {
    let document = editor.document.clone();
    let version = editor.core.version(&document).unwrap_or_default();
    editor.tell(Event::DocumentReplaced {
        document,
        version: Version::new(version.get() + 1),
        text: Text::from(text),
        reason,
    });
}

#[test]
fn a_text_that_is_lost_is_asked_for_once() {
    let mut editor = Editor::with("let x");
    lost(&mut editor);
    lost(&mut editor);
    editor.type_at(0, "a");
    editor.ask();
    editor.expect_log(expect![[r#"
        0ms ignored: out-of-step
        0ms resync
        0ms ignored: out-of-step
        0ms ignored: out-of-step
        0ms withheld r1: out-of-step
    "#]]);
}

#[test]
fn the_whole_text_puts_it_right() {
    let mut editor = Editor::with("let x");
    lost(&mut editor);
    sends_all(&mut editor, "let xy", ChangeReason::Other);
    editor.log();
    assert_eq!(editor.text(), "let xy");
    editor.ask();
    assert!(!editor.log().iter().any(|line| line.contains("withheld")));
    lost(&mut editor);
    assert!(editor.log().contains(&"0ms resync".to_owned()), "again");
}

#[test]
fn an_editor_that_always_sends_all_is_carried_like_any_other() {
    let mut editor = Editor::with("fn ma");
    editor.place_cursor(1, 6);
    let request = editor.invoke();
    editor.lane_suggests(request, LaneKind::Fim, "in() {}");
    editor.lane_answers(request, LaneKind::NextEdit, &[]);
    editor.log();
    sends_all(&mut editor, "fn mai", ChangeReason::Typed);
    editor.place_cursor(1, 7);
    editor.at(50).ask();
    editor.expect_log(expect![[
        r#"50ms answer r2: [6, 6) -> "n() {}" (fim, carried)"#
    ]]);
    let changed = editor
        .core
        .recent_edits(Moment::from_millis(50), &editor.document);
    assert_eq!(changed.len(), 1, "it is something the person typed");
    assert_eq!(&*changed[0].new_text, "i");
}

#[test]
fn an_undo_that_comes_as_a_whole_text_is_an_undo() {
    let mut editor = Editor::with("a");
    sends_all(&mut editor, "ab", ChangeReason::Typed);
    sends_all(&mut editor, "a", ChangeReason::Undo);
    let changed = editor
        .core
        .recent_edits(Moment::from_millis(50), &editor.document);
    assert_eq!(changed, []);
}

#[test]
fn what_was_rejected_is_found_again_after_the_text_was_lost() {
    let mut editor = Editor::with("let x");
    editor.reject(&insert(5, " = 1"));
    lost(&mut editor);
    sends_all(&mut editor, "// why\nlet x", ChangeReason::Other);
    assert!(editor.rejects(&insert(12, " = 1")));
}

#[test]
fn a_document_that_was_let_go_is_asked_for_when_the_person_comes_back() {
    let mut editor = Editor::with("first");
    let first = editor.document.clone();
    for number in 0..200 {
        editor.go_to(&format!("file:///{number}.ts"), "");
    }
    editor.log();
    editor.document = first;
    editor.focus();
    editor.focus();
    editor.edits(vec![insert(0, "x")], ChangeReason::Typed);
    editor.expect_log(expect![[r#"
        0ms ignored: unknown-document
        0ms resync
        0ms ignored: unknown-document
        0ms ignored: unknown-document
    "#]]);
    editor.open("first again");
    editor.log();
    editor.ask();
    assert!(!editor.log().iter().any(|line| line.contains("withheld")));
}

#[test]
fn a_whole_text_of_a_document_nobody_opened_has_no_language() {
    let mut editor = Editor::with("");
    editor.document = DocumentId::new("file:///never-opened.ts");
    sends_all(&mut editor, "let x", ChangeReason::Typed);
    editor.expect_log(expect![[r#"
        0ms ignored: unknown-document
        0ms resync
    "#]]);
}

#[test]
fn everything_is_answered_and_stopped_at_the_end() {
    let mut editor = Editor::with("let x");
    editor.place_cursor(1, 6);
    editor.invoke();
    editor.log();
    editor.at(100).tell(Event::ShuttingDown);
    editor.expect_log(expect![[r#"
        100ms withheld r1: shutting-down
        100ms stop r1 fim: shutting-down
        100ms stop r1 next-edit: shutting-down
    "#]]);
    editor.type_at(5, "y");
    editor.rest();
    editor.invoke();
    let reason = Reason::ShuttingDown;
    assert_eq!(
        editor.log(),
        [
            format!("100ms quiet: {reason}"),
            format!("100ms withheld r2: {reason}"),
        ]
    );
    assert_eq!(editor.core.poll_timeout(), None, "nothing is waited for");
}
