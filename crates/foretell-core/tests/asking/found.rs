//! What the random sessions found, each as the story of what the person would have seen.

use foretell_core::{
    Event, LaneCandidate, RequestCause, RequestId, RequestKind, SuggestionRequest, TokenUsage,
};
use foretell_settings::Millis;
use foretell_testkit::story_editor::{Editor, insert};
use foretell_text::{ByteOffset, ChangeReason, DocumentId, LaneKind};

const TEST: &str = "file:///test.ts";
const OTHER: &str = "file:///other.ts";

/// An editor that was asked, explicitly, in one document and whose next-edit lane suggests something
/// in another.
fn suggested_elsewhere() -> (Editor, RequestId) {
    let mut editor = Editor::with("one\n");
    editor.go_to(OTHER, "two\n").go_to(TEST, "");
    let request = editor.request(RequestCause::Explicit, RequestKind::Edit);
    editor.log();
    (editor, request)
}

fn answers_elsewhere(editor: &mut Editor, request: RequestId) {
    editor.tell(Event::LaneAnswered {
        request,
        lane: LaneKind::NextEdit,
        candidates: vec![LaneCandidate::new(DocumentId::new(OTHER), insert(3, "!"))],
        usage: TokenUsage::default(),
        withheld: 0,
    });
}

#[test]
fn what_was_suggested_in_another_file_came_back_after_something_was_typed_there() {
    let (mut editor, request) = suggested_elsewhere();
    answers_elsewhere(&mut editor, request);
    editor.go_to(OTHER, "").type_at(0, "// ");
    editor.dismiss(request);
    assert!(editor.rejects(&insert(6, "!")));
    assert!(!editor.rejects(&insert(3, "!")));
}

#[test]
fn what_was_suggested_in_another_file_was_rejected_in_whatever_was_opened_there_next() {
    let (mut editor, request) = suggested_elsewhere();
    answers_elsewhere(&mut editor, request);
    editor.go_to(OTHER, "").close();
    editor.open("something else\n");
    editor.dismiss(request);
    assert!(!editor.rejects(&insert(3, "!")));
}

#[test]
fn something_was_suggested_in_a_file_whose_text_was_not_known() {
    let (mut editor, request) = suggested_elsewhere();
    editor.go_to(OTHER, "");
    editor.edits(vec![insert(500, "x")], ChangeReason::Typed);
    editor.go_to(TEST, "").log();
    answers_elsewhere(&mut editor, request);
    assert_eq!(editor.log(), ["0ms withheld r1: out-of-step"]);
}

#[test]
fn the_editor_was_told_to_ask_where_the_cursor_had_been_before_a_key() {
    let mut editor = Editor::with("a\nb\nc\nd\ne\n");
    editor.type_at(0, "x");
    for line in 2..5 {
        editor.move_to(line, 1);
    }
    editor.log();
    editor.set(|settings| settings.trigger.ignored_schemes.push("file".to_owned()));
    editor.at(100).type_at(0, "y");
    editor.at(1_000);
    assert_eq!(editor.log(), ["100ms quiet: ignored-document"]);
}

#[test]
fn the_editor_was_told_to_ask_while_a_rejection_was_to_keep_it_quiet() {
    let mut editor = Editor::with("a\nb\nc\nd\ne\n");
    editor.set(|settings| settings.trigger.rejection_cooldown = Millis::new(50));
    editor.reject(&insert(0, "z"));
    editor.at(100).type_at(0, "x");
    for line in 2..5 {
        editor.move_to(line, 1);
    }
    editor.log();
    editor.set(|settings| settings.trigger.rejection_cooldown = Millis::new(5_000));
    editor.at(200).move_to(1, 1);
    editor.at(1_000);
    let quiet = "200ms quiet: rejection-cooldown";
    assert_eq!(editor.log(), [quiet, quiet]);
}

#[test]
fn two_requests_of_one_name_got_each_others_answers() {
    let mut editor = Editor::with("one\n");
    let older = editor.invoke();
    editor.at(10).type_at(0, "x");
    // At another text, so the lanes of the older go on while this one waits.
    editor.ask();
    editor.log();
    editor.go_to(OTHER, "two\n");
    editor.tell(Event::SuggestionRequested(SuggestionRequest {
        request: older,
        document: editor.document.clone(),
        version: None,
        at: ByteOffset::ZERO,
        cause: RequestCause::Explicit,
        kind: RequestKind::Inline,
    }));
    assert_eq!(editor.log(), ["10ms withheld r1: already-asked"]);
}
