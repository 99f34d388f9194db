//! Next edits follow from what was changed last, and only until the person goes on with that.
//!
//! In these stories only the next edit is asked for, at once and without context. `neat` stands at
//! four places, and the person changes the first: a line such as `0ms start r2 next-edit` says that
//! what was offered at the others is let go and the lane asked again.

use foretell_core::RequestCause::Automatic;
use foretell_core::{Event, RequestId, RequestKind, SuggestionId};
use foretell_settings::{Millis, Settings};
use foretell_testkit::expect;
use foretell_testkit::story_editor::{Editor, delete, fim_alone, insert, replace};
use foretell_text::LaneKind::NextEdit;
use foretell_text::{ChangeReason, Edit, Replacement};

const TEXT: &str = "let neat = 1;\nuse(neat);\nlog(neat);\nend(neat);\n";

/// Where the other three stand, once the first has become a name of so many letters.
fn others(letters: usize) -> [usize; 3] {
    [14 + letters, 25 + letters, 36 + letters]
}

fn next_edit_alone(settings: &mut Settings) {
    fim_alone(settings);
    settings.lanes.fim.enabled = false;
    settings.lanes.next_edit.enabled = true;
}

/// An editor in which the first `neat` is replaced, key by key.
fn renamed_to(name: &str) -> Editor {
    let mut editor = Editor::with_settings(TEXT, next_edit_alone);
    editor.edit(delete(4, 8));
    editor.type_at(4, name);
    editor
}

/// The lane makes the others what the first is.
fn answers(editor: &mut Editor, request: RequestId, name: &str) {
    let edits = others(name.len()).map(|at| replace(at, at + 4, name));
    editor.lane_answers(request, NextEdit, &edits);
}

/// The same, asked for and answered at once.
fn offered(name: &str) -> Editor {
    let mut editor = renamed_to(name);
    let request = editor.request(Automatic, RequestKind::Edit);
    answers(&mut editor, request, name);
    editor.log();
    editor
}

/// What the editor is told when it asks for a next edit, without the time.
fn asks(editor: &mut Editor) -> String {
    editor.log();
    editor.request(Automatic, RequestKind::Edit);
    let log = editor.log().join("; ");
    let words = log.split_once("ms ").map(|(_, words)| words.to_owned());
    words.unwrap_or(log)
}

/// What an answer says that is carried.
fn carried(request: u64, name: &str, places: &[usize]) -> String {
    let one = |at: &usize| format!("[{at}, {}) -> {name:?} (next-edit, carried)", at + 4);
    let all: Vec<_> = places.iter().map(one).collect();
    format!("answer r{request}: {}", all.join(" | "))
}

#[test]
fn a_rename_with_a_pause_in_the_middle_of_the_word() {
    // Within the burst, and after it.
    for pause in [0, 300, 5_000] {
        let mut editor = offered("rou");
        editor.after(pause).type_keys("n");
        assert_eq!(asks(&mut editor), "start r2 next-edit");
        editor.type_keys("ded");
        editor.log();
        let request = editor.request(Automatic, RequestKind::Edit);
        answers(&mut editor, request, "rounded");
        // What was offered for the whole of it stays.
        editor.place_cursor(2, 1);
        let all = carried(4, "rounded", &others(7));
        assert_eq!(asks(&mut editor), all, "{pause} ms");
    }
}

#[test]
fn what_was_let_go_does_not_come_back_by_itself() {
    let mut editor = offered("rou");
    editor.type_keys("n");
    editor.after(5_000).type_at(13, " ");
    assert_eq!(asks(&mut editor), "start r2 next-edit");
}

#[test]
fn deleting_a_letter_of_it() {
    let mut editor = offered("tidyy");
    editor.after(5_000).backspace();
    assert_eq!(asks(&mut editor), "start r2 next-edit");
}

#[test]
fn going_back_to_its_first_letter() {
    let mut editor = offered("rounded");
    editor.after(5_000).edit(replace(4, 5, "R"));
    assert_eq!(asks(&mut editor), "start r2 next-edit");
}

#[test]
fn going_back_to_its_first_letter_which_another_burst_wrote() {
    let mut editor = renamed_to("rou");
    editor.after(5_000).type_keys("nded");
    let request = editor.request(Automatic, RequestKind::Edit);
    answers(&mut editor, request, "rounded");
    editor.after(5_000).edit(replace(4, 5, "R"));
    assert_eq!(asks(&mut editor), "start r2 next-edit");
}

#[test]
fn an_argument_that_gets_longer_and_one_that_was_taken_out() {
    let calls = "f(a);\nf(a);\n";
    let mut editor = Editor::with_settings(calls, next_edit_alone);
    editor.type_at(3, ", b");
    let request = editor.request(Automatic, RequestKind::Edit);
    editor.lane_answers(request, NextEdit, &[insert(12, ", b")]);
    editor.after(2_000).type_keys("c");
    assert_eq!(asks(&mut editor), "start r2 next-edit");

    let mut editor = Editor::with_settings("f(ab, cd);\nf(ab, cd);\n", next_edit_alone);
    editor.edit(delete(6, 8));
    let request = editor.request(Automatic, RequestKind::Edit);
    editor.lane_answers(request, NextEdit, &[delete(15, 17)]);
    editor.after(2_000).edit(delete(4, 6));
    assert_eq!(asks(&mut editor), "start r2 next-edit");
}

#[test]
fn what_is_written_again_as_it_was_is_not_gone_on_with() {
    let mut editor = offered("tidy");
    editor.edit(replace(0, 12, "let tidy = 1"));
    assert_eq!(asks(&mut editor), carried(2, "tidy", &others(4)));
}

mod elsewhere {
    //! A change at another place leaves them.

    use super::*;

    #[test]
    fn typing_on_the_same_line_and_below() {
        // Close enough in time to be one entry of the history, and not.
        for pause in [0, 5_000] {
            let mut editor = offered("tidy");
            editor.after(pause).type_at(13, " // one");
            let moved = others(4 + 7);
            assert_eq!(asks(&mut editor), carried(2, "tidy", &moved));
            let last = editor.text().len();
            editor.after(pause).type_at(last, "more();");
            assert_eq!(asks(&mut editor), carried(3, "tidy", &moved));
        }
    }

    #[test]
    fn coming_back_from_there() {
        for pause in [0, 5_000] {
            let mut editor = offered("rou");
            editor.after(pause).type_at(12, " // one");
            editor.after(pause).type_at(7, "nded");
            assert_eq!(asks(&mut editor), "start r2 next-edit", "{pause} ms");
        }
    }

    #[test]
    fn what_was_done_by_a_formatter_meanwhile_is_not_the_latest() {
        let mut editor = renamed_to("rou");
        let end = editor.text().len();
        editor.edits(vec![insert(end, "\n")], ChangeReason::Other);
        editor.place_cursor(1, 8);
        let request = editor.request(Automatic, RequestKind::Edit);
        answers(&mut editor, request, "rou");
        editor.after(5_000).type_keys("nded");
        assert_eq!(asks(&mut editor), "start r2 next-edit");
    }

    #[test]
    fn several_cursors_around_them() {
        let mut editor = offered("rou");
        let end = editor.text().len();
        let both = [(7, "nded"), (end, "// nded")].map(|(at, new_text)| {
            let place = foretell_text::ByteOffset::new(at);
            Replacement::insertion(place, new_text)
        });
        editor.edit(Edit::new(both.to_vec()).expect("they are in order"));
        assert_eq!(asks(&mut editor), "start r2 next-edit");
    }
}

mod accepting {
    //! One of them is taken, and the others stay.

    use super::*;

    fn takes(editor: &mut Editor, request: u64, candidate: usize) {
        let request = RequestId::new(request);
        editor.tell(Event::SuggestionAccepted {
            suggestion: SuggestionId { request, candidate },
            length: None,
        });
    }

    #[test]
    fn one_after_the_other() {
        for pause in [0, 5_000] {
            let mut editor = offered("tidy");
            let [one, two, three] = others(4);
            takes(editor.after(pause), 1, 0);
            editor.edit(replace(one, one + 4, "tidy"));
            assert_eq!(asks(&mut editor), carried(2, "tidy", &[two, three]));
            takes(editor.after(pause), 2, 0);
            editor.edit(replace(two, two + 4, "tidy"));
            assert_eq!(asks(&mut editor), carried(3, "tidy", &[three]));
        }
    }

    #[test]
    fn the_last_first() {
        let mut editor = offered("tidy");
        let [one, two, three] = others(4);
        editor.edit(replace(three, three + 4, "tidy"));
        takes(&mut editor, 1, 2);
        assert_eq!(asks(&mut editor), carried(2, "tidy", &[one, two]));
        editor.edit(replace(one, one + 4, "tidy"));
        takes(&mut editor, 2, 0);
        assert_eq!(asks(&mut editor), carried(3, "tidy", &[two]));
    }
}

mod untouched {
    //! What it is not about.

    use super::*;

    #[test]
    fn what_was_rejected_stays_so() {
        let mut editor = offered("rou");
        editor.dismiss(RequestId::new(1));
        editor.type_keys("nded");
        let [one, ..] = others(7);
        assert!(editor.rejects(&replace(one, one + 4, "rou")));
        assert!(!editor.rejects(&replace(one, one + 4, "rounded")));
    }

    #[test]
    fn what_was_let_go_can_be_rejected() {
        let mut editor = offered("rou");
        editor.type_keys("nded");
        editor.dismiss(RequestId::new(1));
        let [one, ..] = others(7);
        assert!(editor.rejects(&replace(one, one + 4, "rou")));
    }

    #[test]
    fn what_the_person_types_into() {
        let mut editor = renamed_to("rou");
        let request = editor.request(Automatic, RequestKind::Edit);
        editor.lane_answers(request, NextEdit, &[insert(7, "nded")]);
        editor.type_keys("n");
        assert_eq!(
            asks(&mut editor),
            r#"answer r2: [8, 8) -> "ded" (next-edit, carried)"#
        );
    }
}

mod late {
    //! A lane that was asked before and answers after.

    use super::*;

    /// The lane works on `rou` since 0 ms for r1, and whoever asks next waits.
    fn asked() -> Editor {
        let mut editor = renamed_to("rou");
        editor.set(|settings| settings.pace.idle = Millis::new(250));
        editor.request(Automatic, RequestKind::Edit);
        editor.log();
        editor
    }

    #[test]
    fn it_is_overtaken_by_the_rest_of_the_word() {
        let mut editor = asked();
        editor.at(100).type_keys("nded");
        editor.request(Automatic, RequestKind::Edit);
        answers(&mut editor, RequestId::new(1), "rou");
        editor.at(2_000);
        let log = editor.log();
        let is_said = |words: &str| log.iter().any(|line| line.ends_with(words));
        assert!(is_said("ignored: overtaken"), "{log:?}");
        assert!(is_said("start r2 next-edit"), "{log:?}");
    }

    #[test]
    fn it_is_overtaken_also_for_who_still_waits_for_it() {
        let mut editor = asked();
        editor.at(100).type_keys("nded");
        answers(&mut editor, RequestId::new(1), "rou");
        editor.expect_log(expect!["100ms withheld r1: overtaken"]);
        // Nor is it kept for whoever asks next.
        assert_eq!(asks(editor.at(5_000)), "wait r2 250ms");
    }

    #[test]
    fn it_is_carried_over_what_was_typed_elsewhere() {
        let mut editor = asked();
        editor.at(100).type_at(12, "!");
        editor.request(Automatic, RequestKind::Edit);
        answers(&mut editor, RequestId::new(1), "rou");
        let log = editor.log().join("; ");
        assert!(log.contains(&carried(2, "rou", &others(4))), "{log}");
    }
}

mod other_documents {
    //! What follows from a change of another document.

    use super::*;
    use foretell_core::LaneCandidate;
    use foretell_text::{DocumentId, TokenUsage};

    const THERE: &str = "file:///there.ts";

    /// The person has begun to rename here, and looks at another document.
    fn gone_there() -> (Editor, DocumentId) {
        let mut editor = renamed_to("rou");
        let here = editor.document.clone();
        editor.go_to(THERE, "neat();\n").place_cursor(1, 1);
        editor.log();
        (editor, here)
    }

    fn goes_on(editor: &mut Editor, here: &DocumentId) {
        let there = std::mem::replace(&mut editor.document, here.clone());
        editor.after(100).type_at(7, "nded");
        editor.document = there;
        editor.place_cursor(1, 1);
    }

    #[test]
    fn what_was_answered_there_is_let_go() {
        let (mut editor, here) = gone_there();
        let request = editor.request(Automatic, RequestKind::Edit);
        editor.lane_answers(request, NextEdit, &[replace(0, 4, "rou")]);
        goes_on(&mut editor, &here);
        assert_eq!(asks(&mut editor), "start r2 next-edit");
    }

    #[test]
    fn what_comes_there_is_overtaken() {
        let (mut editor, here) = gone_there();
        let request = editor.request(Automatic, RequestKind::Edit);
        goes_on(&mut editor, &here);
        editor.log();
        editor.lane_answers(request, NextEdit, &[replace(0, 4, "rou")]);
        editor.expect_log(expect!["100ms withheld r1: overtaken"]);
        assert_eq!(asks(&mut editor), "start r2 next-edit");
    }

    #[test]
    fn what_was_answered_here_about_it_is_let_go() {
        let (mut editor, here) = gone_there();
        let there = std::mem::replace(&mut editor.document, here);
        editor.place_cursor(1, 8);
        let request = editor.request(Automatic, RequestKind::Edit);
        editor.tell(Event::LaneAnswered {
            request,
            lane: NextEdit,
            candidates: vec![LaneCandidate::new(there, replace(0, 4, "rou"))],
            usage: TokenUsage::default(),
            withheld: 0,
        });
        editor.after(2_000).type_keys("nded");
        assert_eq!(asks(&mut editor), "start r2 next-edit");
    }
}
