//! Where the cursor goes once a suggestion is accepted, as a model has said: it stays true while the person types.
//!
//! In these stories next edits ask a model, at once and without context. The model makes `sum` of the second line
//! `total`, and wants the cursor behind the bracket of the new text.
#![allow(
    clippy::unwrap_used,
    reason = "a story that goes wrong should stop where it does"
)]

use foretell_core::RequestCause::Automatic;
use foretell_core::{Event, RequestId, RequestKind, TokenUsage};
use foretell_settings::{BackEnd, ServerUrl};
use foretell_testkit::story_editor::{Editor, at_once, delete, insert, replace};
use foretell_text::LaneKind::NextEdit;
use foretell_text::{ByteOffset, ChangeReason, Edit, LaneCandidate};

const TEXT: &str = "let total = 1;\nshow(sum);\nend();\n";
/// Where `sum` is, and the place behind `show(` in the text that is suggested.
const SUM: (usize, usize) = (20, 23);
const THERE: usize = 20;

fn editor() -> Editor {
    let mut editor = Editor::with_settings(TEXT, |settings| {
        at_once(settings);
        settings.lanes.fim.enabled = false;
        settings.lanes.fix.enabled = false;
        settings.lanes.next_edit.kind = BackEnd::OpenAi;
        settings.lanes.next_edit.url = Some(ServerUrl::from("https://models.example"));
    });
    editor.place_cursor(1, 5);
    editor
}

fn ask(editor: &mut Editor) -> RequestId {
    editor.request(Automatic, RequestKind::Edit)
}

/// The model answers with an edit and a place.
fn answers(editor: &mut Editor, request: RequestId, edit: Edit, cursor: usize) {
    let document = editor.document.clone();
    editor.tell(Event::LaneAnswered {
        request,
        lane: NextEdit,
        candidates: vec![LaneCandidate {
            cursor: Some(ByteOffset::new(cursor)),
            ..LaneCandidate::new(document, edit)
        }],
        usage: TokenUsage::default(),
        withheld: 0,
    });
}

/// An editor that shows the suggestion.
fn offered() -> Editor {
    let mut editor = editor();
    let request = ask(&mut editor);
    answers(&mut editor, request, replace(SUM.0, SUM.1, "total"), THERE);
    editor
}

/// The text that is suggested, with `‸` where the cursor goes.
fn led_to(editor: &Editor) -> String {
    let [offer] = editor.last_offers() else {
        return "nothing".to_owned();
    };
    let text = editor.core.text(&editor.document).unwrap();
    let mut led_to = offer.candidate.edit.apply(text).unwrap().to_string();
    if let Some(at) = offer.candidate.cursor {
        led_to.insert(at.get(), '‸');
    }
    led_to
}

/// The same for the next question.
fn asked(editor: &mut Editor) -> String {
    ask(editor);
    led_to(editor)
}

#[test]
fn the_place_comes_with_the_suggestion() {
    assert_eq!(
        led_to(&offered()),
        "let total = 1;\nshow(‸total);\nend();\n"
    );
}

#[test]
fn what_is_typed_above_moves_it() {
    let mut editor = offered();
    editor.at(2_000).edit(insert(0, "// A remark.\n"));
    assert_eq!(
        asked(&mut editor),
        "// A remark.\nlet total = 1;\nshow(‸total);\nend();\n"
    );
}

#[test]
fn what_is_typed_below_leaves_it() {
    let mut editor = offered();
    editor.at(2_000).edit(insert(26, "more();\n"));
    assert_eq!(
        asked(&mut editor),
        "let total = 1;\nshow(‸total);\nmore();\nend();\n"
    );
}

/// An editor that shows a longer suggestion, which leads to its last bracket.
fn offered_longer() -> Editor {
    let mut editor = editor();
    let request = ask(&mut editor);
    answers(&mut editor, request, insert(24, ".unwrap().max(0)"), 39);
    assert_eq!(
        led_to(&editor),
        "let total = 1;\nshow(sum).unwrap().max(0‸);\nend();\n"
    );
    editor
}

#[test]
fn who_is_on_the_way_is_still_led_there() {
    let mut editor = offered_longer();
    let all = led_to(&editor);
    for (typed, key) in ".unwrap()".char_indices() {
        editor.edit(insert(24 + typed, &key.to_string()));
        assert_eq!(asked(&mut editor), all, "{typed}");
    }
    editor.at(4_000).edit(insert(0, "//\n"));
    assert_eq!(asked(&mut editor), "//\n".to_owned() + &all);
}

#[test]
fn who_comes_back_to_the_way_is_led_there() {
    let mut editor = offered_longer();
    let all = led_to(&editor);
    editor.edit(insert(24, ".x"));
    editor.edits(vec![delete(25, 26)], ChangeReason::Typed);
    assert_eq!(asked(&mut editor), all);
}

#[test]
fn a_place_outside_of_the_text_is_forgotten() {
    let mut editor = editor();
    let request = ask(&mut editor);
    answers(&mut editor, request, replace(SUM.0, SUM.1, "total"), 10_000);
    editor.at(2_000).edit(insert(0, "//\n"));
    assert_eq!(
        asked(&mut editor),
        "//\nlet total = 1;\nshow(total);\nend();\n"
    );
}
