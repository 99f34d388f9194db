//! Things that cross on their way: a rejection and the next key, an answer and a change elsewhere, a
//! request and the one it joins. Nothing is lost by it, and nothing is shown where it is not meant.

use foretell_core::{
    Event, LaneCandidate, RequestCause, RequestId, RequestKind, SuggestionId, TokenUsage,
};
use foretell_settings::{Millis, Settings};
use foretell_testkit::expect;
use foretell_testkit::story_editor::{Editor, at_once, delete, fim_alone, insert, replace};
use foretell_text::LaneKind::{Fim, Fix, NextEdit};
use foretell_text::{ByteOffset, ByteRange, ChangeReason, DocumentId, Edit};

fn next_edit_alone(settings: &mut Settings) {
    at_once(settings);
    settings.lanes.fim.enabled = false;
    settings.lanes.fix.enabled = false;
}

/// An editor whose cursor is behind the first line's `a`.
fn behind_a(change: fn(&mut Settings)) -> Editor {
    let mut editor = Editor::with_settings("a\n", change);
    editor.place_cursor(1, 2);
    editor
}

fn dismiss(editor: &mut Editor, request: RequestId, candidate: usize) {
    editor.tell(Event::SuggestionRejected {
        suggestion: SuggestionId { request, candidate },
    });
}

fn has(log: &[String], words: &str) -> bool {
    log.iter().any(|line| line.contains(words))
}

mod rejections {
    use super::*;

    #[test]
    fn escape_pressed_after_a_wrong_key_counts_once_the_key_is_taken_back() {
        let mut editor = behind_a(fim_alone);
        let request = editor.ask();
        editor.lane_suggests(request, Fim, "bc()");
        editor.type_keys("x");
        editor.dismiss(request);
        editor.log();
        editor.backspace();
        editor.expect_log(expect!["0ms awake 1"]);
        assert!(editor.rejects(&insert(1, "bc()")));
        editor.ask();
        editor.expect_log(expect!["0ms withheld r2: previously-rejected"]);
    }

    #[test]
    fn every_candidate_of_an_answer_can_be_rejected() {
        let mut editor = behind_a(fim_alone);
        let request = editor.invoke();
        let many: Vec<Edit> = (0..10).map(|n| insert(1, &format!("n{n}"))).collect();
        editor.lane_answers(request, Fim, &many);
        let log = editor.log();
        assert!(has(&log, "n7") && !has(&log, "n8"), "as many as are held");
        dismiss(&mut editor, request, 7);
        assert!(editor.rejects(&many[7]));
    }

    #[test]
    fn one_that_crosses_a_shorter_answer_is_for_what_the_person_saw() {
        let mut editor = behind_a(fim_alone);
        let first = editor.ask();
        editor.lane_answers(first, Fim, &[insert(1, "bar()"), insert(1, "foo()")]);
        editor.type_keys("f");
        let second = editor.ask();
        assert!(has(&editor.log(), "answer r2: [2, 2) -> \"oo()\""));
        dismiss(&mut editor, first, 1);
        assert!(editor.rejects(&insert(2, "oo()")));
        dismiss(&mut editor, first, 0);
        editor.backspace();
        assert!(editor.rejects(&insert(1, "bar()")), "it was on the screen");
        dismiss(&mut editor, second, 1);
        assert!(has(&editor.log(), "ignored: unknown-id"), "there was one");
    }
}

mod next_edits {
    use super::*;

    #[test]
    fn rejecting_the_last_takes_nothing_from_what_is_waited_for() {
        let mut editor = behind_a(at_once);
        editor.diagnose(0, 1);
        let first = editor.request(RequestCause::Automatic, RequestKind::Edit);
        editor.lane_answers(first, NextEdit, &[insert(0, "b"), insert(0, "c")]);
        editor.type_keys("x");
        editor.diagnose(0, 1);
        editor.at(1_000);
        let second = editor.request(RequestCause::Explicit, RequestKind::Edit);
        editor.lane_answers(second, NextEdit, &[insert(0, "d")]);
        assert!(!has(&editor.log(), "answer r2"), "fix is still running");
        editor.dismiss(first);
        editor.lane_answers(second, Fix, &[]);
        assert!(has(&editor.log(), "answer r2: [0, 0) -> \"d\" (next-edit)"));
    }
}

mod other_documents {
    use super::*;

    const HERE: &str = "file:///a.ts";
    const THERE: &str = "file:///b.ts";

    /// Two documents, the cursor in the first.
    fn two() -> Editor {
        let mut editor = Editor::with_settings("", next_edit_alone);
        editor.go_to(THERE, "one two\n");
        editor.go_to(HERE, "aaa\n").place_cursor(1, 4);
        editor.log();
        editor
    }

    fn ask(editor: &mut Editor) -> RequestId {
        editor.request(RequestCause::Automatic, RequestKind::Edit)
    }

    /// The lane changes `two` to `2`, which is in the other document.
    fn answers(editor: &mut Editor, request: RequestId) {
        editor.tell(Event::LaneAnswered {
            request,
            lane: NextEdit,
            candidates: vec![LaneCandidate::new(
                DocumentId::new(THERE),
                replace(4, 7, "2"),
            )],
            usage: TokenUsage::default(),
            withheld: 0,
        });
    }

    fn type_there(editor: &mut Editor) {
        let here = std::mem::replace(&mut editor.document, DocumentId::new(THERE));
        editor.type_at(0, "XXXX");
        editor.document = here;
        editor.place_cursor(1, 4);
    }

    /// Changes the other document, and leaves the cursor in this one.
    fn in_the_other(editor: &mut Editor, edit: Edit, reason: ChangeReason) {
        let here = std::mem::replace(&mut editor.document, DocumentId::new(THERE));
        editor.edits(vec![edit], reason);
        editor.document = here;
        editor.place_cursor(1, 4);
    }

    #[test]
    fn what_a_lane_says_of_a_text_that_has_changed_since_is_overtaken() {
        let mut editor = two();
        let request = ask(&mut editor);
        type_there(&mut editor);
        editor.log();
        answers(&mut editor, request);
        editor.expect_log(expect!["0ms withheld r1: overtaken"]);
    }

    #[test]
    fn what_was_answered_moves_with_it() {
        let mut editor = two();
        let request = ask(&mut editor);
        answers(&mut editor, request);
        type_there(&mut editor);
        editor.log();
        ask(&mut editor);
        editor.expect_log(expect![[
            r#"0ms answer r2: [8, 11) -> "2" (next-edit, carried) in file:///b.ts"#
        ]]);
    }

    #[test]
    fn what_was_answered_goes_with_a_change_that_is_undone_here() {
        let mut editor = two();
        editor.type_keys("b");
        let request = ask(&mut editor);
        answers(&mut editor, request);
        editor.undo();
        editor.log();
        ask(&mut editor);
        editor.expect_log(expect!["0ms start r2 next-edit"]);
    }

    #[test]
    fn what_was_answered_here_goes_with_a_change_that_is_undone_there() {
        let mut editor = two();
        type_there(&mut editor);
        let request = ask(&mut editor);
        editor.lane_answers(request, NextEdit, &[replace(0, 1, "c")]);
        in_the_other(&mut editor, delete(0, 4), ChangeReason::Undo);
        editor.log();
        ask(&mut editor);
        editor.expect_log(expect!["0ms start r2 next-edit"]);
    }

    #[test]
    fn nor_is_it_offered_once_that_is_typed_back_by_hand() {
        for pause in [0, 5_000] {
            let mut editor = two();
            type_there(&mut editor);
            let request = ask(&mut editor);
            editor.lane_answers(request, NextEdit, &[replace(0, 1, "c")]);
            editor.after(pause);
            in_the_other(&mut editor, delete(0, 4), ChangeReason::Typed);
            editor.log();
            ask(&mut editor);
            assert_eq!(editor.log(), [format!("{pause}ms start r2 next-edit")]);
        }
    }

    #[test]
    fn what_comes_after_an_undo_there_is_overtaken_and_asked_for_anew() {
        let mut editor = two();
        type_there(&mut editor);
        let request = ask(&mut editor);
        in_the_other(&mut editor, delete(0, 4), ChangeReason::Undo);
        editor.log();
        editor.lane_answers(request, NextEdit, &[replace(0, 1, "c")]);
        editor.expect_log(expect!["0ms withheld r1: overtaken"]);
        ask(&mut editor);
        editor.expect_log(expect!["0ms start r2 next-edit"]);
    }

    #[test]
    fn what_is_said_of_that_document_is_overtaken_by_an_undo_here() {
        let mut editor = two();
        editor.type_keys("b");
        let request = ask(&mut editor);
        editor.undo();
        editor.log();
        answers(&mut editor, request);
        editor.expect_log(expect!["0ms withheld r1: overtaken"]);
    }

    #[test]
    fn nobody_waits_for_it_who_asks_after_the_undo() {
        let mut editor = two();
        type_there(&mut editor);
        ask(&mut editor);
        in_the_other(&mut editor, delete(0, 4), ChangeReason::Undo);
        editor.log();
        editor.request(RequestCause::Explicit, RequestKind::Edit);
        editor.expect_log(expect![[r#"
            0ms join r2 r1
            0ms withheld r1: superseded
            0ms stop r1 next-edit: superseded
            0ms start r2 next-edit
        "#]]);
    }

    #[test]
    fn a_change_elsewhere_takes_nothing_away_here() {
        let mut editor = two();
        let request = ask(&mut editor);
        type_there(&mut editor);
        editor.log();
        editor.lane_answers(request, NextEdit, &[insert(3, "b")]);
        assert!(has(&editor.log(), "answer r1: [3, 3) -> \"b\""));
    }
}

mod answers {
    use super::*;

    #[test]
    fn one_that_came_while_the_cursor_was_away_for_a_moment_is_carried() {
        let mut editor = Editor::with_settings("foo bar\n", fim_alone);
        editor.place_cursor(1, 8);
        let request = editor.ask();
        editor.place_cursor(1, 7);
        editor.ask();
        editor.place_cursor(1, 8);
        editor.lane_suggests(request, Fim, "(a, b)");
        editor.type_keys("(");
        editor.log();
        editor.ask();
        editor.expect_log(expect![[
            r#"0ms answer r3: [8, 8) -> "a, b)" (fim, carried)"#
        ]]);
    }

    #[test]
    fn one_that_comes_late_is_not_for_who_asked_about_another_text() {
        let mut editor = Editor::with_settings("é\n", |settings| {
            fim_alone(settings);
            settings.pace.base = Millis::new(500);
            settings.pace.min = Millis::new(500);
        });
        editor.place_cursor(1, 3);
        let request = editor.invoke();
        editor.type_keys("x");
        editor.ask();
        // The last key is taken back, and what waits asks about the text before that.
        editor.backspace();
        editor.type_keys("y");
        editor.log();
        editor.lane_answers(request, Fim, &[insert(2, "yz")]);
        let log = editor.log();
        assert!(!has(&log, "answer r2"), "{log:?}");
        editor.ask();
        assert!(has(&editor.log(), "answer r3: [3, 3) -> \"z\""));
    }

    #[test]
    fn one_that_comes_after_more_than_is_kept_is_overtaken() {
        let mut editor = Editor::with_settings("abc\n", |settings| {
            fim_alone(settings);
            settings.pace.base = Millis::new(500);
            settings.pace.min = Millis::new(500);
        });
        editor.place_cursor(1, 4);
        let request = editor.invoke();
        let long = "abcdefghij".repeat(30);
        editor.type_keys("a");
        editor.ask();
        for key in long.chars().skip(1).take(260) {
            editor.type_keys(&key.to_string());
        }
        editor.log();
        editor.lane_answers(request, Fim, &[insert(3, &long)]);
        editor.expect_log(expect!["0ms ignored: overtaken"]);
    }

    #[test]
    fn the_same_change_is_offered_once_however_it_is_written() {
        let mut editor = Editor::with_settings("abc\n", at_once);
        editor.place_cursor(1, 4);
        let request = editor.invoke();
        editor.lane_answers(request, Fim, &[insert(3, "def")]);
        let rewritten = [replace(0, 3, "abcdef"), insert(3, "def"), insert(3, "ghi")];
        editor.lane_answers(request, NextEdit, &rewritten);
        let log = editor.log();
        let answer = log.last().expect("it is answered");
        assert_eq!(
            answer,
            "0ms answer r1: [3, 3) -> \"def\" (fim) | [3, 3) -> \"ghi\" (next-edit)"
        );
    }
}

mod requests {
    use super::*;

    #[test]
    fn one_that_starts_a_lane_by_joining_has_its_context() {
        let mut editor = Editor::with_settings("abc\n", |settings| {
            at_once(settings);
            settings.context.enabled = true;
        });
        editor.place_cursor(1, 4);
        let request = editor.ask();
        editor.lane_answers(request, Fim, &[]);
        editor.lane_answers(request, NextEdit, &[]);
        // The gate spares FIM at another place of the same text, and the other lane runs.
        editor.place_cursor(1, 3);
        editor.ask();
        editor.log();
        editor.invoke();
        let log = editor.log();
        let gathered = log.iter().position(|line| line.contains("gather r3"));
        let started = log.iter().position(|line| line.contains("start r3 fim"));
        assert!(gathered.is_some() && gathered < started, "{log:?}");
    }
}

mod secrets {
    use super::*;

    #[test]
    fn what_is_secret_stays_so_when_the_text_is_sent_again() {
        let mut editor = Editor::with_settings("key = hunter2\n", fim_alone);
        let range = |start, end| {
            ByteRange::new(ByteOffset::new(start), ByteOffset::new(end)).expect("a range")
        };
        let document = editor.document.clone();
        let version = editor.core.version(&document).expect("it is open");
        editor.tell(Event::SecretsFound {
            document,
            version,
            ranges: vec![range(6, 13)],
        });
        for (text, column) in [("key = hunter2\n", 14), ("// why\nkey = hunter2\n", 14)] {
            editor.open(text);
            let line = u32::try_from(text.lines().count()).expect("a few");
            editor.place_cursor(line, column);
            editor.log();
            let request = editor.invoke();
            editor.lane_suggests(request, Fim, "xyz");
            let log = editor.log();
            assert!(has(&log, "touches-secret"), "{log:?}");
        }
    }
}
