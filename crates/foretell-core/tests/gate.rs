//! No model is told the same text twice: the refresh gate as a person meets it.
//!
//! In most of these stories only FIM is asked, at once and without context, so that a line such as
//! `0ms start r1 fim` is a call that somebody pays for and `0ms spare r2 fim: unchanged-text` is one
//! that nobody does.

use foretell_core::RequestKind::{Edit, Inline};
use foretell_core::{Reason, RequestCause, RequestId};
use foretell_settings::{Millis, Settings};
use foretell_testkit::expect;
use foretell_testkit::story_editor::{self, Editor, insert, replace};
use foretell_text::{ChangeReason, LaneKind};

/// Only FIM is asked, at once and without context.
fn fim_alone(settings: &mut Settings) {
    // What is carried needs no call, and these stories are about calls.
    settings.carry.enabled = false;
    story_editor::fim_alone(settings);
}

/// A file of 120 empty lines, and the cursor on line 10.
fn empty_lines(change: impl FnOnce(&mut Settings)) -> Editor {
    let mut editor = Editor::with_settings(&"\n".repeat(119), |settings| {
        fim_alone(settings);
        change(settings);
    });
    editor.place_cursor(10, 1);
    editor
}

/// The same with `def` on line 10, a call about it that runs since 0 ms, and the cursor behind it.
fn def_is_asked(change: impl FnOnce(&mut Settings)) -> (Editor, RequestId) {
    let mut editor = empty_lines(change);
    editor.edit(insert(9, "def"));
    let request = editor.ask();
    editor.expect_log(expect!["0ms start r1 fim"]);
    (editor, request)
}

/// The same once the call was answered.
fn def_is_completed() -> Editor {
    let (mut editor, request) = def_is_asked(|_| {});
    editor.lane_suggests(request, LaneKind::Fim, " main():");
    editor.expect_log(expect![[r#"0ms answer r1: [12, 12) -> " main():" (fim)"#]]);
    editor
}

/// The editor asks about another place of the same text.
fn ask_on(editor: &mut Editor, line: u32) -> RequestId {
    editor.place_cursor(line, 1);
    editor.ask()
}

/// How many calls of FIM there were.
fn calls(editor: &Editor) -> u64 {
    let calls = editor.core.counts().calls;
    calls.get(&LaneKind::Fim).copied().unwrap_or_default()
}

mod seed {
    //! The test plan of the gate's design, and its edge cases.

    use super::*;

    #[test]
    fn test_1_moving_the_cursor_makes_no_call() {
        let mut editor = def_is_completed();
        ask_on(&mut editor, 11);
        ask_on(&mut editor, 12);
        editor.expect_log(expect![[r#"
            0ms spare r2 fim: unchanged-text
            0ms withheld r2: unchanged-text
            0ms spare r3 fim: unchanged-text
            0ms withheld r3: unchanged-text
        "#]]);
        assert_eq!(calls(&editor), 1);
    }

    #[test]
    fn test_2_every_change_of_the_text_makes_one() {
        let mut editor = def_is_completed();
        for key in [" ", "m"] {
            editor.type_keys(key);
            let request = editor.ask();
            editor.lane_answers(request, LaneKind::Fim, &[]);
        }
        editor.expect_log(expect![[r#"
            0ms start r2 fim
            0ms withheld r2: nothing-found
            0ms start r3 fim
            0ms withheld r3: nothing-found
        "#]]);
        assert_eq!(calls(&editor), 3);
    }

    #[test]
    fn test_3_another_file_forgets_the_first() {
        let mut editor = def_is_completed();
        editor.go_to("file:///another.ts", "\n\n").focus();
        let request = ask_on(&mut editor, 2);
        editor.lane_answers(request, LaneKind::Fim, &[]);
        editor.go_to("file:///test.ts", "").focus();
        ask_on(&mut editor, 11);
        editor.expect_log(expect![[r#"
            0ms start r2 fim
            0ms withheld r2: nothing-found
            0ms start r3 fim
        "#]]);
    }

    #[test]
    fn test_4_clicking_with_the_mouse_makes_no_call() {
        let mut editor = def_is_completed();
        for line in [25, 40] {
            editor.move_to(line, 1);
            editor.ask();
        }
        assert_eq!(calls(&editor), 1);
        assert_eq!(editor.core.counts().gate_blocked, 2);
    }

    #[test]
    fn test_5_jumping_to_a_line_makes_no_call() {
        let mut editor = def_is_completed();
        ask_on(&mut editor, 100);
        editor.expect_log(expect![[r#"
            0ms spare r2 fim: unchanged-text
            0ms withheld r2: unchanged-text
        "#]]);
    }

    /// The caches are the lane's own: what does not reach the lane does not reach them.
    #[test]
    fn test_6_what_is_blocked_does_not_get_as_far_as_the_caches() {
        let mut editor = def_is_completed();
        editor.backspace();
        let request = editor.ask();
        editor.lane_answers(request, LaneKind::Fim, &[]);
        ask_on(&mut editor, 50);
        editor.type_at(11, "f");
        editor.ask();
        editor.expect_log(expect![[r#"
            0ms start r2 fim
            0ms withheld r2: nothing-found
            0ms spare r3 fim: unchanged-text
            0ms withheld r3: unchanged-text
            0ms start r4 fim
        "#]]);
    }

    #[test]
    fn case_1_a_file_changed_by_another_program_may_be_asked_about() {
        let mut editor = def_is_completed();
        editor.open("something else\n");
        ask_on(&mut editor, 1);
        editor.expect_log(expect!["0ms start r2 fim"]);
    }

    #[test]
    fn case_2_undo_changes_the_text() {
        let mut editor = def_is_completed();
        editor.undo();
        editor.ask();
        editor.expect_log(expect!["0ms start r2 fim"]);
    }

    #[test]
    fn case_3_of_several_cursors_one_is_asked_about() {
        let mut editor = empty_lines(|_| {});
        editor.edit(insert(9, "def"));
        for line in [10, 20, 30] {
            ask_on(&mut editor, line);
        }
        editor.expect_log(expect![[r#"
            0ms start r1 fim
            0ms withheld r1: superseded
            0ms spare r2 fim: unchanged-text
            0ms withheld r2: unchanged-text
            0ms spare r3 fim: unchanged-text
            0ms withheld r3: unchanged-text
        "#]]);
    }

    #[test]
    fn case_4_a_file_read_in_another_encoding_is_another_text() {
        let mut editor = Editor::with_settings("Gr\u{c3}\u{bc}n\n", fim_alone);
        let request = editor.ask();
        editor.lane_answers(request, LaneKind::Fim, &[]);
        editor.open("Grün\n");
        editor.ask();
        assert_eq!(calls(&editor), 2);
    }
}

mod fim_only {
    //! The other lanes depend on the cursor, so they are asked again.

    use super::*;

    #[test]
    fn a_move_may_still_ask_for_the_next_edit() {
        let mut editor = def_is_completed();
        editor.set(|settings| settings.lanes.next_edit.enabled = true);
        ask_on(&mut editor, 11);
        editor.expect_log(expect![[r#"
            0ms spare r2 fim: unchanged-text
            0ms start r2 next-edit
        "#]]);
    }

    #[test]
    fn a_move_to_a_mistake_may_still_ask_how_to_fix_it() {
        let mut editor = def_is_completed();
        editor.set(|settings| settings.lanes.fix.enabled = true);
        editor.diagnose(13, 13);
        editor.at(1_000);
        ask_on(&mut editor, 11);
        editor.expect_log(expect![[r#"
            1000ms spare r2 fim: unchanged-text
            1000ms start r2 fix
        "#]]);
    }

    #[test]
    fn a_request_for_the_next_edit_does_not_come_to_the_gate() {
        let mut editor = def_is_completed();
        editor.set(|settings| settings.lanes.next_edit.enabled = true);
        editor.place_cursor(11, 1);
        editor.request(RequestCause::Automatic, Edit);
        editor.expect_log(expect!["0ms start r2 next-edit"]);
        assert_eq!(editor.core.counts().gate_asked, 1);
    }

    #[test]
    fn the_next_edit_does_not_block_fim() {
        let mut editor = empty_lines(|settings| {
            settings.lanes.next_edit.enabled = true;
        });
        let request = editor.request(RequestCause::Automatic, Edit);
        editor.lane_answers(request, LaneKind::NextEdit, &[]);
        editor.log();
        ask_on(&mut editor, 11);
        editor.expect_log(expect![[r#"
            0ms start r2 fim
            0ms start r2 next-edit
        "#]]);
    }
}

mod really_sent {
    //! Only a call that was made, and may still be answered, blocks another.

    use super::*;

    fn waits(settings: &mut Settings) {
        settings.pace.base = Millis::new(250);
    }

    #[test]
    fn a_request_that_only_waited_blocks_nothing() {
        let (mut editor, request) = def_is_asked(waits);
        editor.lane_answers(request, LaneKind::Fim, &[]);
        editor.type_keys(" ");
        editor.ask();
        editor.at(100);
        ask_on(&mut editor, 11);
        editor.at(1_000);
        editor.expect_log(expect![[r#"
            0ms withheld r1: nothing-found
            0ms wait r2 250ms
            100ms withheld r2: superseded
            100ms wait r3 250ms
            350ms start r3 fim
        "#]]);
    }

    #[test]
    fn a_request_that_was_cancelled_while_it_waited_blocks_nothing() {
        let (mut editor, request) = def_is_asked(waits);
        editor.lane_answers(request, LaneKind::Fim, &[]);
        editor.type_keys(" ");
        let second = editor.ask();
        editor.cancel(second);
        editor.log();
        ask_on(&mut editor, 11);
        editor.at(250);
        editor.expect_log(expect![[r#"
            0ms wait r3 250ms
            250ms start r3 fim
        "#]]);
    }

    #[test]
    fn a_call_blocks_while_it_runs() {
        let (mut editor, _) = def_is_asked(|_| {});
        ask_on(&mut editor, 11);
        editor.expect_log(expect![[r#"
            0ms withheld r1: superseded
            0ms spare r2 fim: unchanged-text
            0ms withheld r2: unchanged-text
        "#]]);
    }

    #[test]
    fn moving_the_cursor_does_not_stop_it_and_whoever_comes_back_gets_its_answer() {
        let (mut editor, first) = def_is_asked(|_| {});
        editor.at(100);
        ask_on(&mut editor, 11);
        editor.at(200);
        ask_on(&mut editor, 12);
        editor.at(500).place_cursor(10, 4);
        editor.lane_suggests(first, LaneKind::Fim, " main():");
        editor.at(600).ask();
        editor.expect_log(expect![[r#"
            100ms withheld r1: superseded
            100ms spare r2 fim: unchanged-text
            100ms withheld r2: unchanged-text
            200ms spare r3 fim: unchanged-text
            200ms withheld r3: unchanged-text
            600ms answer r4: [12, 12) -> " main():" (fim, repeated)
        "#]]);
        assert_eq!(calls(&editor), 1);
    }

    #[test]
    fn a_call_that_failed_blocks_nothing() {
        let (mut editor, request) = def_is_asked(|_| {});
        editor.lane_fails(request, LaneKind::Fim);
        ask_on(&mut editor, 11);
        editor.expect_log(expect![[r#"
            0ms withheld r1: lane-failed
            0ms start r2 fim
        "#]]);
    }

    #[test]
    fn a_call_that_was_cancelled_blocks_nothing() {
        let (mut editor, request) = def_is_asked(|_| {});
        editor.cancel(request);
        ask_on(&mut editor, 11);
        editor.expect_log(expect![[r#"
            0ms stop r1 fim: cancelled
            0ms withheld r1: cancelled
            0ms start r2 fim
        "#]]);
    }

    #[test]
    fn a_call_that_timed_out_blocks_nothing() {
        let (mut editor, _) = def_is_asked(|_| {});
        editor.at(1_800);
        ask_on(&mut editor, 11);
        editor.expect_log(expect![[r#"
            1800ms stop r1 fim: timed-out
            1800ms withheld r1: timed-out
            1800ms start r2 fim
        "#]]);
    }

    #[test]
    fn a_call_that_nobody_waited_for_and_that_timed_out_blocks_nothing() {
        let (mut editor, _) = def_is_asked(|_| {});
        ask_on(&mut editor, 11);
        editor.log();
        editor.at(1_800);
        ask_on(&mut editor, 12);
        editor.expect_log(expect![[r#"
            1800ms stop r1 fim: timed-out
            1800ms start r3 fim
        "#]]);
    }

    #[test]
    fn a_call_that_failed_may_be_made_again_at_the_same_place() {
        let (mut editor, request) = def_is_asked(|_| {});
        editor.lane_fails(request, LaneKind::Fim);
        editor.ask();
        editor.expect_log(expect![[r#"
            0ms withheld r1: lane-failed
            0ms start r2 fim
        "#]]);
    }

    #[test]
    fn a_call_that_found_nothing_was_answered_and_blocks() {
        let (mut editor, request) = def_is_asked(|_| {});
        editor.lane_answers(request, LaneKind::Fim, &[]);
        editor.log();
        ask_on(&mut editor, 11);
        editor.expect_log(expect![[r#"
            0ms spare r2 fim: unchanged-text
            0ms withheld r2: unchanged-text
        "#]]);
    }
}

mod explicit {
    //! What the person asks for passes.

    use super::*;

    #[test]
    fn elsewhere_in_the_same_text() {
        let mut editor = def_is_completed();
        editor.place_cursor(11, 1);
        editor.invoke();
        editor.expect_log(expect!["0ms start r2 fim"]);
    }

    #[test]
    fn at_the_same_place_again() {
        let mut editor = def_is_completed();
        editor.invoke();
        editor.expect_log(expect!["0ms start r2 fim"]);
        assert_eq!(editor.core.counts().gate_asked, 1);
    }

    #[test]
    fn and_counts_for_the_next_that_the_editor_makes() {
        let mut editor = def_is_completed();
        editor.type_keys(" ");
        let request = editor.invoke();
        editor.lane_answers(request, LaneKind::Fim, &[]);
        editor.log();
        ask_on(&mut editor, 11);
        editor.expect_log(expect![[r#"
            0ms spare r3 fim: unchanged-text
            0ms withheld r3: unchanged-text
        "#]]);
    }
}

mod same_place {
    //! The same text and the same position have the same answer.

    use super::*;

    #[test]
    fn the_last_answer_is_given_again() {
        let mut editor = def_is_completed();
        editor.at(1_000).ask();
        editor.expect_log(expect![[
            r#"1000ms answer r2: [12, 12) -> " main():" (fim, repeated)"#
        ]]);
        assert_eq!(calls(&editor), 1);
    }

    #[test]
    fn also_after_looking_elsewhere() {
        let mut editor = def_is_completed();
        ask_on(&mut editor, 11);
        editor.log();
        editor.place_cursor(10, 4);
        editor.ask();
        editor.expect_log(expect![[
            r#"0ms answer r3: [12, 12) -> " main():" (fim, repeated)"#
        ]]);
    }

    #[test]
    fn nothing_is_an_answer_too() {
        let (mut editor, request) = def_is_asked(|_| {});
        editor.lane_answers(request, LaneKind::Fim, &[]);
        editor.ask();
        editor.expect_log(expect![[r#"
            0ms withheld r1: nothing-found
            0ms withheld r2: nothing-found
        "#]]);
        assert_eq!(calls(&editor), 1);
    }

    #[test]
    fn what_was_rejected_since_is_not() {
        let mut editor = def_is_completed();
        editor.dismiss(RequestId::new(1));
        editor.log();
        editor.ask();
        editor.expect_log(expect!["0ms withheld r2: previously-rejected"]);
        assert_eq!(calls(&editor), 1);
    }

    #[test]
    fn while_it_runs_there_is_one_call_however_often_is_asked() {
        let (mut editor, request) = def_is_asked(|_| {});
        editor.ask();
        editor.ask();
        editor.lane_suggests(request, LaneKind::Fim, " main():");
        editor.expect_log(expect![[r#"
            0ms join r2 r1
            0ms withheld r1: superseded
            0ms join r3 r2
            0ms withheld r2: superseded
            0ms answer r3: [12, 12) -> " main():" (fim)
        "#]]);
        assert_eq!(calls(&editor), 1);
    }

    #[test]
    fn also_when_a_move_came_in_between() {
        let (mut editor, request) = def_is_asked(|_| {});
        ask_on(&mut editor, 11);
        editor.log();
        editor.place_cursor(10, 4);
        editor.ask();
        editor.lane_suggests(request, LaneKind::Fim, " main():");
        editor.expect_log(expect![[r#"0ms answer r3: [12, 12) -> " main():" (fim)"#]]);
        assert_eq!(calls(&editor), 1);
    }
}

mod unchanged {
    //! What counts as the same text.

    use super::*;

    #[test]
    fn a_key_that_is_deleted_again_changes_nothing() {
        let mut editor = def_is_completed();
        editor.type_keys("x");
        editor.backspace();
        ask_on(&mut editor, 11);
        editor.expect_log(expect![[r#"
            0ms spare r2 fim: unchanged-text
            0ms withheld r2: unchanged-text
        "#]]);
    }

    #[test]
    fn also_if_it_was_asked_about_and_not_waited_for() {
        let (mut editor, request) = def_is_asked(|settings| {
            settings.pace.base = Millis::new(250);
        });
        editor.lane_answers(request, LaneKind::Fim, &[]);
        editor.type_keys("x");
        editor.ask();
        editor.at(100).backspace();
        editor.log();
        ask_on(&mut editor, 11);
        editor.expect_log(expect![[r#"
            100ms withheld r2: superseded
            100ms spare r3 fim: unchanged-text
            100ms withheld r3: unchanged-text
        "#]]);
    }

    #[test]
    fn text_that_is_typed_again_is_asked_about_if_something_else_was_meanwhile() {
        let mut editor = def_is_completed();
        editor.type_keys("x");
        let request = editor.ask();
        editor.lane_answers(request, LaneKind::Fim, &[]);
        editor.backspace();
        editor.log();
        editor.ask();
        editor.expect_log(expect!["0ms start r3 fim"]);
    }

    #[test]
    fn another_text_of_the_same_length_is_another_text() {
        let mut editor = def_is_completed();
        editor.edit(replace(9, 12, "fed"));
        ask_on(&mut editor, 11);
        editor.expect_log(expect!["0ms start r2 fim"]);
    }

    #[test]
    fn the_whole_text_sent_again_is_the_same_text() {
        let mut editor = def_is_completed();
        let text = editor.text();
        editor.open(&text);
        ask_on(&mut editor, 11);
        editor.expect_log(expect![[r#"
            0ms spare r2 fim: unchanged-text
            0ms withheld r2: unchanged-text
        "#]]);
    }
}

mod forgetting {
    //! Leaving a document forgets its text.

    use super::*;

    #[test]
    fn a_look_at_the_output_is_not_leaving() {
        let mut editor = def_is_completed();
        editor.focus();
        editor.go_to("output:tasks", "done\n").focus();
        editor.go_to("file:///test.ts", "").focus();
        ask_on(&mut editor, 20);
        assert_eq!(calls(&editor), 1, "{:?}", editor.log());
    }

    #[test]
    fn a_cursor_seen_in_another_document_is_a_switch() {
        let mut editor = def_is_completed();
        editor.go_to("file:///another.ts", "\n\n").move_to(2, 1);
        editor.go_to("file:///test.ts", "").move_to(10, 4);
        editor.log();
        editor.ask();
        editor.expect_log(expect!["0ms start r2 fim"]);
    }

    #[test]
    fn an_editor_that_tells_nothing_of_the_sort_switches_by_asking() {
        let mut editor = def_is_completed();
        editor.go_to("file:///another.ts", "\n\n");
        editor.ask();
        editor.go_to("file:///test.ts", "");
        editor.log();
        ask_on(&mut editor, 11);
        editor.expect_log(expect!["0ms start r3 fim"]);
    }

    #[test]
    fn a_request_about_a_document_in_the_background_is_no_switch() {
        let mut editor = def_is_completed();
        editor.focus();
        editor.go_to("file:///another.ts", "\n\n");
        editor.ask();
        editor.go_to("file:///test.ts", "");
        editor.log();
        ask_on(&mut editor, 11);
        editor.expect_log(expect![[r#"
            0ms spare r3 fim: unchanged-text
            0ms withheld r3: unchanged-text
        "#]]);
    }

    #[test]
    fn closing_and_opening_it_again() {
        let mut editor = def_is_completed();
        let text = editor.close();
        editor.open(&text);
        editor.place_cursor(10, 4);
        editor.ask();
        editor.expect_log(expect!["0ms start r2 fim"]);
    }

    #[test]
    fn a_document_that_fell_out_of_step_and_was_sent_again() {
        let mut editor = def_is_completed();
        let text = editor.text();
        editor.edits(vec![insert(9_999, "x")], ChangeReason::Typed);
        editor.open(&text);
        editor.log();
        ask_on(&mut editor, 11);
        editor.expect_log(expect!["0ms start r2 fim"]);
    }
}

mod spared {
    //! What is saved is counted.

    use super::*;

    #[test]
    fn a_blocked_request_gathers_no_context_and_does_not_wait() {
        let (mut editor, request) = def_is_asked(|_| {});
        editor.lane_answers(request, LaneKind::Fim, &[]);
        editor.set(|settings| {
            settings.context.enabled = true;
            settings.pace.base = Millis::new(250);
        });
        editor.log();
        ask_on(&mut editor, 11);
        editor.at(60_000);
        editor.expect_log(expect![[r#"
            0ms spare r2 fim: unchanged-text
            0ms withheld r2: unchanged-text
        "#]]);
    }

    #[test]
    fn the_gating_rate_is_the_share_of_calls_that_were_not_made() {
        let mut editor = def_is_completed();
        assert_eq!(editor.core.counts().gating_rate(), 0.0);
        for line in [11, 12, 13] {
            ask_on(&mut editor, line);
        }
        let counts = editor.core.counts();
        assert_eq!((counts.gate_asked, counts.gate_blocked), (4, 3));
        assert_eq!(counts.gating_rate(), 0.75);
        assert_eq!(counts.calls_spared[&Reason::UnchangedText], 3);
        assert_eq!(counts.requests_saved[&Reason::UnchangedText], 3);
        assert_eq!(counts.withheld[&Reason::UnchangedText], 3);
    }

    #[test]
    fn a_request_that_was_asked_before_does_not_come_to_the_gate() {
        let mut editor = def_is_completed();
        editor.ask();
        editor.request(RequestCause::Explicit, Inline);
        assert_eq!(editor.core.counts().gate_asked, 1);
    }

    #[test]
    fn without_the_gate_every_place_is_asked_about() {
        let mut editor = def_is_completed();
        editor.set(|settings| settings.gate.enabled = false);
        ask_on(&mut editor, 11);
        editor.expect_log(expect!["0ms start r2 fim"]);
        assert_eq!(editor.core.counts().gate_blocked, 0);
    }
}
