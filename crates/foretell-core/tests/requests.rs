//! From the editor's question to its one answer, as a person meets it.
//!
//! The wait is a fixed 250 ms in most of these stories, and no context is gathered, so that their
//! lines are about lanes. The first request in a document does not wait.
#![allow(
    clippy::unwrap_used,
    reason = "a story that goes wrong should stop where it does"
)]

use foretell_core::{
    Event, LaneCandidate, LaneReport, Reason, RequestCause, RequestId, RequestKind,
    SuggestionRequest, TokenUsage,
};
use foretell_settings::choice::BackEnd;
use foretell_settings::{Millis, Settings};
use foretell_testkit::expect;
use foretell_testkit::story_editor::{self, Editor, delete, insert, replace};
use foretell_text::{ByteOffset, ChangeReason, DocumentId, Edit, LaneKind, Version};

use LaneKind::{Fim, Fix, NextEdit};
use RequestCause::{Automatic, Explicit};

const TEXT: &str = "let a = 1;\nlet b = 2;\n";

/// The wait is fixed, and no context is gathered.
fn plainly(settings: &mut Settings) {
    settings.pace.rhythm = false;
    // Lanes that answer at once do not wait for the pace.
    settings.pace.idle = Millis::new(250);
    settings.context.enabled = false;
}

/// An editor in which nothing was asked yet, so that the first request does not wait.
fn fresh() -> Editor {
    fresh_with(|_| {})
}

fn fresh_with(change: impl FnOnce(&mut Settings)) -> Editor {
    let mut editor = Editor::with_settings(TEXT, |settings| {
        plainly(settings);
        change(settings);
    });
    editor.place_cursor(1, 11);
    editor
}

/// An editor in which r1 was asked and taken back, so that the next request waits.
fn settled() -> Editor {
    settled_with(|_| {})
}

fn settled_with(change: impl FnOnce(&mut Settings)) -> Editor {
    let mut editor = fresh_with(change);
    let first = editor.ask();
    editor.cancel(first);
    editor.log();
    editor
}

/// An editor in which the lanes of r1 run since 0 ms.
fn racing() -> (Editor, RequestId) {
    let mut editor = fresh();
    let request = editor.ask();
    editor.expect_log(expect![[r#"
        0ms start r1 fim
        0ms start r1 next-edit
    "#]]);
    (editor, request)
}

/// The same for a request that the person made.
fn racing_explicitly() -> (Editor, RequestId) {
    let mut editor = fresh();
    let request = editor.invoke();
    editor.expect_log(expect![[r#"
        0ms start r1 fim
        0ms start r1 next-edit
    "#]]);
    (editor, request)
}

mod arrival {
    //! What happens first.

    use super::*;

    #[test]
    fn context_is_gathered_before_the_wait_so_that_it_is_there_in_time() {
        let mut editor = settled_with(|settings| settings.context.enabled = true);
        editor.ask();
        editor.at(1_000);
        editor.expect_log(expect![[r#"
            0ms gather r2
            0ms wait r2 250ms
            250ms start r2 fim
            250ms start r2 next-edit
        "#]]);
    }

    #[test]
    fn a_very_long_document_is_answered_without_context() {
        for (lines, expected) in [
            (10_000, vec!["0ms gather r1", "0ms start r1 fim"]),
            (10_001, vec!["0ms start r1 fim"]),
        ] {
            let mut editor = Editor::with_settings(&"\n".repeat(lines - 1), |settings| {
                settings.lanes.next_edit.enabled = false;
            });
            editor.ask();
            assert_eq!(editor.log(), expected);
        }
    }

    #[test]
    fn a_person_who_wants_no_context_has_none() {
        let mut editor = Editor::with_settings(TEXT, |settings| {
            settings.context.enabled = false;
        });
        editor.ask();
        editor.expect_log(expect![[r#"
            0ms start r1 fim
            0ms start r1 next-edit
        "#]]);
    }

    #[test]
    fn a_request_that_is_taken_back_while_it_waits_starts_nothing() {
        let mut editor = settled();
        let request = editor.ask();
        editor.at(100).cancel(request);
        editor.at(10_000);
        editor.expect_log(expect![[r#"
            0ms wait r2 250ms
            100ms withheld r2: cancelled
        "#]]);
    }

    #[test]
    fn a_request_that_is_taken_back_while_its_lanes_run_stops_them() {
        let (mut editor, request) = racing();
        editor.at(100).cancel(request);
        editor.expect_log(expect![[r#"
            100ms stop r1 fim: cancelled
            100ms stop r1 next-edit: cancelled
            100ms withheld r1: cancelled
        "#]]);
    }

    #[test]
    fn every_request_is_counted_once() {
        let mut editor = settled();
        let request = editor.ask();
        editor.at(250);
        editor.lane_suggests(request, Fim, "!");
        editor.ask();
        let counts = editor.core.counts();
        assert_eq!((counts.requests, counts.requests_started), (3, 2));
        assert_eq!(
            (counts.answered, counts.withheld[&Reason::Cancelled]),
            (2, 1)
        );
        assert_eq!(counts.requests_saved[&Reason::AlreadyAsked], 1);
        assert_eq!((counts.calls[&Fim], counts.calls[&NextEdit]), (2, 2));
    }
}

mod pace {
    //! How long a request waits.

    use super::*;

    /// How long the next request waits.
    fn wait(editor: &mut Editor) -> u64 {
        editor.log();
        let request = editor.ask();
        let log = editor.log();
        editor.cancel(request);
        let waits = log.iter().find_map(|line| {
            let (_, wait) = line.split_once("ms wait ")?;
            let millis = wait.split_once(' ')?.1.strip_suffix("ms")?;
            millis.parse().ok()
        });
        waits.unwrap_or_default()
    }

    /// An editor in which the person has been offered something.
    fn offered() -> (Editor, RequestId) {
        let mut editor = fresh();
        let request = editor.ask();
        editor.lane_suggests(request, Fim, "!");
        editor.type_keys("x");
        (editor, request)
    }

    #[test]
    fn what_the_person_asks_for_does_not_wait() {
        let mut editor = settled();
        editor.invoke();
        editor.expect_log(expect![[r#"
            0ms start r2 fim
            0ms start r2 next-edit
        "#]]);
    }

    #[test]
    fn nor_does_the_first_in_a_file_that_the_person_looks_at() {
        let mut editor = settled();
        assert_eq!(wait(&mut editor), 250);
        editor.go_to("file:///other.ts", TEXT).focus();
        assert_eq!(wait(&mut editor), 0);
        assert_eq!(wait(&mut editor), 250);
        editor.go_to("file:///test.ts", "").focus();
        assert_eq!(wait(&mut editor), 0);
    }

    #[test]
    fn nor_the_first_in_a_file_that_the_cursor_is_seen_in() {
        let mut editor = settled();
        editor.go_to("file:///other.ts", TEXT).move_to(2, 1);
        assert_eq!(wait(&mut editor), 0);
        editor.move_to(1, 1);
        assert_eq!(wait(&mut editor), 250);
    }

    #[test]
    fn nor_in_an_editor_that_tells_of_neither() {
        let mut editor = settled();
        editor.go_to("file:///other.ts", TEXT);
        assert_eq!(wait(&mut editor), 0);
        assert_eq!(wait(&mut editor), 250);
        editor.go_to("file:///test.ts", "");
        assert_eq!(wait(&mut editor), 0);
    }

    #[test]
    fn a_request_in_the_background_waits() {
        let mut editor = settled();
        editor.focus();
        editor.go_to("file:///other.ts", TEXT);
        assert_eq!(wait(&mut editor), 250);
    }

    #[test]
    fn the_wait_is_a_setting() {
        let mut editor = settled_with(|settings| settings.pace.base = Millis::new(400));
        editor.set(|settings| settings.pace.idle = Millis::ZERO);
        assert_eq!(wait(&mut editor), 400);
        editor.set(|settings| settings.pace.max = Millis::new(300));
        assert_eq!(wait(&mut editor), 300);
        editor.set(|settings| {
            settings.pace.base = Millis::new(10);
            settings.pace.min = Millis::new(70);
        });
        assert_eq!(wait(&mut editor), 70);
    }

    #[test]
    fn nothing_shortens_the_idle_wait() {
        let (mut editor, request) = offered();
        editor.set(|settings| settings.pace.idle = Millis::new(700));
        editor.accept(request);
        assert_eq!(wait(&mut editor), 700);
        editor.set(|settings| settings.pace.idle = Millis::new(100));
        assert_eq!(wait(&mut editor), 200);
    }

    #[test]
    fn accepting_shortens_it() {
        let (mut editor, request) = offered();
        editor.set(|settings| settings.pace.idle = Millis::ZERO);
        editor.accept(request);
        assert_eq!(wait(&mut editor), 200);
    }

    #[test]
    fn rejecting_lengthens_it() {
        let (mut editor, request) = offered();
        editor.dismiss(request);
        assert_eq!(wait(&mut editor), 375);
        editor.reject(&insert(0, "// "));
        assert_eq!(wait(&mut editor), 563);
    }

    #[test]
    fn ignoring_does_neither() {
        let (mut editor, request) = offered();
        editor.pass_over(request);
        assert_eq!(wait(&mut editor), 250);
    }

    #[test]
    fn what_was_rejected_long_ago_no_longer_counts() {
        let (mut editor, request) = offered();
        editor.dismiss(request);
        editor.at(300_000);
        let later = wait(&mut editor);
        assert!(250 < later && later < 375, "{later}");
        editor.at(600_001);
        assert_eq!(wait(&mut editor), 250);
    }

    #[test]
    fn the_rhythm_waits_longer_within_a_word_than_after_a_line() {
        let mut editor = settled_with(|settings| settings.pace.rhythm = true);
        editor.type_keys("w");
        let word = wait(&mut editor);
        editor.type_keys("\n");
        let line = wait(&mut editor);
        assert!(line < word, "{line} after a line, {word} within a word");
    }

    #[test]
    fn the_rhythm_tells_a_move_from_the_cursor_of_a_key() {
        let mut editor = settled_with(|settings| settings.pace.rhythm = true);
        editor.rest();
        wait(&mut editor);
        editor.type_keys("w");
        let typed = wait(&mut editor);
        // Editors tell of the cursor after every key.
        editor.rest();
        assert_eq!(wait(&mut editor), typed);
        editor.move_to(2, 1);
        let moved = wait(&mut editor);
        assert!(moved < typed, "{moved} after a move, {typed} after a key");
    }

    #[test]
    fn without_the_rhythm_it_does_not_matter_what_is_typed() {
        let mut editor = settled();
        for key in ["w", "\n", ".", "("] {
            editor.type_keys(key);
            assert_eq!(wait(&mut editor), 250, "after {key:?}");
        }
    }
}

mod joining {
    //! A newer request that asks the same takes over what the older has come to.

    use super::*;

    #[test]
    fn one_that_waits_has_waited_as_long() {
        let mut editor = settled();
        editor.ask();
        editor.at(200).ask();
        editor.at(250);
        editor.expect_log(expect![[r#"
            0ms wait r2 250ms
            200ms join r3 r2
            200ms withheld r2: superseded
            250ms start r3 fim
            250ms start r3 next-edit
        "#]]);
        assert_eq!(editor.core.counts().joined, 1);
    }

    #[test]
    fn who_asks_for_a_better_model_does_not_get_what_the_lesser_one_says() {
        let mut editor = Editor::with_settings("\n", |settings| {
            story_editor::fim_alone(settings);
            settings.lanes.fim.kind = BackEnd::OpenAi;
            settings.lanes.fim.model = Some("small".into());
            settings.lanes.fim.explicit_model = Some("large".into());
        });
        editor.ask();
        editor.at(100).invoke();
        editor.expect_log(expect![[r#"
            0ms start r1 fim
            100ms join r2 r1
            100ms withheld r1: superseded
            100ms stop r1 fim: superseded
            100ms start r2 fim
        "#]]);
    }

    #[test]
    fn one_whose_lanes_run_gets_what_they_answer() {
        let (mut editor, first) = racing();
        editor.at(100).ask();
        editor.at(300);
        editor.lane_suggests(first, Fim, "!");
        editor.expect_log(expect![[r#"
            100ms join r2 r1
            100ms withheld r1: superseded
            300ms stop r1 next-edit: outrun
            300ms answer r2: [10, 10) -> "!" (fim)
        "#]]);
    }

    #[test]
    fn what_it_joins_has_no_more_time_than_before() {
        let (mut editor, _) = racing();
        editor.at(1_000).ask();
        editor.log();
        editor.at(5_000);
        editor.expect_log(expect![[r#"
            1800ms stop r1 fim: timed-out
            1800ms stop r1 next-edit: timed-out
            1800ms withheld r2: timed-out
        "#]]);
    }

    #[test]
    fn a_person_who_asks_ends_the_wait() {
        let mut editor = settled();
        editor.ask();
        editor.at(100).invoke();
        editor.expect_log(expect![[r#"
            0ms wait r2 250ms
            100ms join r3 r2
            100ms withheld r2: superseded
            100ms start r3 fim
            100ms start r3 next-edit
        "#]]);
    }

    #[test]
    fn a_person_who_asks_shares_the_calls_that_run_and_gets_everything() {
        let (mut editor, first) = racing();
        editor.at(100).invoke();
        editor.lane_suggests(first, Fim, "!");
        editor.lane_suggests(first, NextEdit, "?");
        editor.expect_log(expect![[r#"
            100ms join r2 r1
            100ms withheld r1: superseded
            100ms answer r2: [10, 10) -> "!" (fim) | [10, 10) -> "?" (next-edit)
        "#]]);
    }

    #[test]
    fn a_person_who_asks_has_more_time() {
        let (mut editor, _) = racing();
        editor.at(100).invoke();
        editor.log();
        editor.at(60_000);
        editor.expect_log(expect![[r#"
            10100ms stop r1 fim: timed-out
            10100ms stop r1 next-edit: timed-out
            10100ms withheld r2: timed-out
        "#]]);
    }

    #[test]
    fn what_a_person_asked_for_stays_that() {
        let (mut editor, first) = racing_explicitly();
        editor.ask();
        editor.lane_suggests(first, Fim, "!");
        editor.log();
        editor.lane_suggests(first, NextEdit, "?");
        editor.expect_log(expect![[
            r#"0ms answer r2: [10, 10) -> "!" (fim) | [10, 10) -> "?" (next-edit)"#
        ]]);
    }
}

mod superseding {
    //! A newer request about something else takes the older's place.

    use super::*;

    #[test]
    fn one_that_waits_is_answered_and_the_newer_waits_anew() {
        let mut editor = settled();
        editor.ask();
        editor.at(80).type_keys("x");
        editor.ask();
        editor.at(1_000);
        editor.expect_log(expect![[r#"
            0ms wait r2 250ms
            80ms withheld r2: superseded
            80ms wait r3 250ms
            330ms start r3 fim
            330ms start r3 next-edit
        "#]]);
    }

    #[test]
    fn lanes_that_run_go_on_until_the_newer_starts_its_own() {
        let (mut editor, _) = racing();
        editor.at(100).type_keys("x");
        editor.ask();
        editor.at(350);
        editor.expect_log(expect![[r#"
            100ms withheld r1: superseded
            100ms wait r2 250ms
            350ms stop r1 fim: superseded
            350ms stop r1 next-edit: superseded
            350ms start r2 fim
            350ms start r2 next-edit
        "#]]);
    }

    #[test]
    fn a_lane_that_comes_back_before_that_need_not_be_stopped() {
        let (mut editor, first) = racing();
        editor.at(100).type_keys("x");
        editor.ask();
        editor.at(200);
        editor.lane_answers(first, Fim, &[]);
        editor.lane_fails(first, NextEdit);
        editor.at(350);
        editor.expect_log(expect![[r#"
            100ms withheld r1: superseded
            100ms wait r2 250ms
            350ms start r2 fim
            350ms start r2 next-edit
        "#]]);
    }

    #[test]
    fn a_newer_that_starts_none_leaves_them_running() {
        let (mut editor, first) = racing();
        editor.lane_suggests(first, Fim, "!");
        editor.place_cursor(2, 1);
        editor.ask();
        editor.at(250);
        editor.log();
        editor.place_cursor(1, 11);
        editor.ask();
        editor.at(60_000);
        editor.expect_log(expect![[r#"
            250ms withheld r2: superseded
            250ms answer r3: [10, 10) -> "!" (fim, repeated)
            2050ms stop r2 next-edit: timed-out
        "#]]);
    }

    #[test]
    fn a_request_about_another_document_does_not() {
        let (mut editor, first) = racing();
        editor.go_to("file:///other.ts", TEXT);
        let second = editor.ask();
        editor.lane_answers(second, Fim, &[insert(0, "?")]);
        editor.log();
        editor.go_to("file:///test.ts", TEXT);
        editor.lane_answers(first, Fim, &[insert(0, "!")]);
        editor.expect_log(expect![[r#"
            0ms stop r1 next-edit: outrun
            0ms answer r1: [0, 0) -> "!" (fim)
        "#]]);
    }

    #[test]
    fn a_request_of_another_kind_does_not() {
        let mut editor = settled();
        editor.ask();
        editor.place_cursor(2, 1);
        editor.request(Automatic, RequestKind::Edit);
        editor.expect_log(expect![[r#"
            0ms wait r2 250ms
            0ms wait r3 250ms
        "#]]);
    }

    #[test]
    fn the_newer_of_another_kind_takes_the_calls_it_needs() {
        let (mut editor, first) = racing();
        editor.at(100).type_keys("x");
        editor.request(Automatic, RequestKind::Edit);
        editor.at(350);
        editor.expect_log(expect![[r#"
            100ms wait r2 250ms
            350ms stop r1 fim: superseded
            350ms stop r1 next-edit: superseded
            350ms withheld r1: superseded
            350ms start r2 next-edit
        "#]]);
        editor.lane_answers(first, Fim, &[]);
        editor.expect_log(expect!["350ms ignored: unknown-id"]);
    }

    #[test]
    fn whoever_asks_again_where_a_call_was_taken_does_not_join_what_is_left() {
        let (mut editor, _) = racing();
        editor.place_cursor(2, 1);
        editor.request(Explicit, RequestKind::Edit);
        editor.log();
        editor.place_cursor(1, 1);
        editor.ask();
        editor.expect_log(expect![[r#"
            0ms withheld r1: superseded
            0ms wait r3 250ms
        "#]]);
    }
}

mod never_begun {
    //! What never begins disturbs nobody.

    use super::*;

    #[test]
    fn a_person_who_asked_in_the_output_is_answered_whatever_the_editor_asks() {
        let mut editor = fresh();
        editor.go_to("output:tasks", "done\n");
        let first = editor.invoke();
        editor.ask();
        editor.lane_answers(first, NextEdit, &[]);
        editor.lane_suggests(first, Fim, "!");
        let log = editor.log();
        let answers = log.iter().filter(|line| line.contains("answer r1"));
        assert_eq!(answers.count(), 1, "{log:#?}");
        assert!(
            log.iter()
                .any(|line| line.contains("withheld r2: ignored-document"))
        );
    }
}

mod lanes {
    //! Which lanes are asked.

    use super::*;

    /// Everything at once, with a mistake in the middle of line 1.
    fn with_a_mistake() -> Editor {
        let mut editor = fresh_with(|settings| {
            settings.pace.base = Millis::ZERO;
            settings.pace.min = Millis::ZERO;
        });
        editor.diagnose(4, 5);
        editor.log();
        editor
    }

    #[test]
    fn fix_is_asked_about_a_mistake_on_the_line() {
        let mut editor = with_a_mistake();
        editor.ask();
        editor.expect_log(expect![[r#"
            0ms start r1 fim
            0ms start r1 next-edit
            0ms start r1 fix
        "#]]);
    }

    #[test]
    fn fix_is_not_asked_about_a_mistake_elsewhere() {
        let mut editor = with_a_mistake();
        editor.place_cursor(2, 1);
        editor.ask();
        editor.expect_log(expect![[r#"
            0ms start r1 fim
            0ms start r1 next-edit
        "#]]);
    }

    #[test]
    fn fix_is_not_asked_while_the_person_types() {
        let mut editor = with_a_mistake();
        editor.set(|settings| settings.pace.idle = Millis::ZERO);
        editor.type_keys("x");
        editor.at(499).ask();
        editor.expect_log(expect![[r#"
            499ms start r1 fim
            499ms start r1 next-edit
        "#]]);
        editor.type_keys("y");
        editor.at(999).ask();
        editor.expect_log(expect![[r#"
            999ms withheld r1: superseded
            999ms stop r1 fim: superseded
            999ms stop r1 next-edit: superseded
            999ms start r2 fim
            999ms start r2 next-edit
            999ms start r2 fix
        "#]]);
    }

    #[test]
    fn a_request_for_the_next_edit_waits_until_the_mistake_that_was_just_typed_may_be_mended() {
        let mut editor = with_a_mistake();
        editor.type_keys("x");
        editor.at(100).request(Automatic, RequestKind::Edit);
        editor.at(500);
        editor.expect_log(expect![[r#"
            100ms wait r1 400ms
            500ms start r1 next-edit
            500ms start r1 fix
        "#]]);
    }

    #[test]
    fn what_counts_is_the_moment_at_which_lanes_start() {
        for (wait, expected) in [
            (499, "499ms withheld r2: nothing-to-ask"),
            (500, "500ms start r2 fix"),
        ] {
            let mut editor = settled_with(|settings| {
                settings.lanes.fim.enabled = false;
                settings.lanes.next_edit.enabled = false;
                settings.pace.base = Millis::new(wait);
            });
            editor.type_keys("x");
            editor.diagnose(4, 5);
            editor.ask();
            editor.at(500);
            let log = editor.log();
            assert_eq!(log.last().unwrap(), expected);
        }
    }

    #[test]
    fn a_request_for_the_next_edit_does_not_ask_fim() {
        let mut editor = with_a_mistake();
        editor.request(Automatic, RequestKind::Edit);
        editor.expect_log(expect![[r#"
            0ms start r1 next-edit
            0ms start r1 fix
        "#]]);
    }

    #[test]
    fn both_kinds_share_the_calls_at_one_place() {
        let (mut editor, first) = racing();
        let second = editor.request(Explicit, RequestKind::Edit);
        assert!(editor.log().is_empty());
        editor.lane_answers(first, Fim, &[]);
        editor.lane_suggests(first, NextEdit, "?");
        editor.expect_log(expect![[r#"
            0ms answer r1: [10, 10) -> "?" (next-edit)
            0ms answer r2: [10, 10) -> "?" (next-edit)
        "#]]);
        editor.lane_answers(second, NextEdit, &[]);
        editor.expect_log(expect!["0ms ignored: unknown-id"]);
    }

    #[test]
    fn a_call_that_another_request_still_needs_is_not_stopped() {
        let (mut editor, first) = racing();
        editor.request(Explicit, RequestKind::Edit);
        editor.lane_suggests(first, Fim, "!");
        editor.expect_log(expect![[r#"0ms answer r1: [10, 10) -> "!" (fim)"#]]);
        editor.lane_suggests(first, NextEdit, "?");
        editor.expect_log(expect![[r#"0ms answer r2: [10, 10) -> "?" (next-edit)"#]]);
    }

    #[test]
    fn a_request_that_shares_a_call_later_does_not_make_the_first_wait_longer() {
        for cause in [Automatic, Explicit] {
            let mut editor = settled();
            editor.request(Automatic, RequestKind::Edit);
            editor.at(1_000).request(cause, RequestKind::Inline);
            editor.at(1_300);
            let log = editor.log();
            let first = log.iter().find(|line| line.contains("withheld r2"));
            let first = first.map(String::as_str);
            assert_eq!(first, Some("1250ms withheld r2: timed-out"), "{log:#?}");
        }
    }

    #[test]
    fn what_is_answered_meanwhile_is_not_waited_for() {
        let (mut editor, first) = racing();
        editor.lane_answers(first, NextEdit, &[]);
        editor.at(50).place_cursor(2, 11);
        editor.ask();
        editor.at(300);
        editor.at(400).place_cursor(1, 11);
        editor.ask();
        editor.log();
        editor.at(450).lane_suggests(first, Fim, "!");
        editor.at(2_000);
        let log = editor.log();
        let served = r#"450ms answer r3: [10, 10) -> "!" (fim, repeated)"#;
        assert!(log.iter().any(|line| line == served), "{log:#?}");
        assert!(
            !log.iter().any(|line| line.contains("start r3")),
            "{log:#?}"
        );
    }

    #[test]
    fn a_lane_that_is_switched_off_is_not_asked() {
        let mut editor = fresh_with(|settings| settings.lanes.fim.enabled = false);
        editor.ask();
        editor.expect_log(expect!["0ms start r1 next-edit"]);
    }

    #[test]
    fn with_every_lane_switched_off_the_person_is_told_so() {
        let mut editor = fresh_with(|settings| {
            settings.lanes.fim.enabled = false;
            settings.lanes.next_edit.enabled = false;
            settings.lanes.fix.enabled = false;
        });
        editor.ask();
        editor.invoke();
        editor.expect_log(expect![[r#"
            0ms withheld r1: disabled
            0ms withheld r2: disabled
        "#]]);
    }

    #[test]
    fn fim_alone_has_no_next_edit() {
        let mut editor = fresh_with(|settings| {
            settings.lanes.next_edit.enabled = false;
            settings.lanes.fix.enabled = false;
        });
        editor.request(Automatic, RequestKind::Edit);
        editor.expect_log(expect!["0ms withheld r1: disabled"]);
    }

    #[test]
    fn fix_alone_has_nothing_to_say_where_nothing_is_wrong() {
        let mut editor = fresh_with(|settings| {
            settings.lanes.fim.enabled = false;
            settings.lanes.next_edit.enabled = false;
        });
        editor.ask();
        editor.expect_log(expect!["0ms withheld r1: nothing-to-ask"]);
    }
}

mod race {
    //! Which answer is given.

    use super::*;

    #[test]
    fn fim_wins_as_soon_as_it_is_there_and_the_others_are_stopped() {
        let (mut editor, request) = racing();
        editor.at(300);
        editor.lane_suggests(request, Fim, "!");
        editor.expect_log(expect![[r#"
            300ms stop r1 next-edit: outrun
            300ms answer r1: [10, 10) -> "!" (fim)
        "#]]);
        let report = |lane, lost| LaneReport {
            lane,
            took_ms: 300,
            lost,
        };
        assert_eq!(
            editor.last_reports(),
            [report(Fim, None), report(NextEdit, Some(Reason::Outrun))]
        );
    }

    #[test]
    fn fim_wins_over_a_next_edit_that_was_a_little_earlier() {
        let (mut editor, request) = racing();
        editor.at(100);
        editor.lane_suggests(request, NextEdit, "?");
        editor.at(120);
        editor.lane_suggests(request, Fim, "!");
        editor.expect_log(expect![[r#"
            100ms hold r1 next-edit
            120ms answer r1: [10, 10) -> "!" (fim)
        "#]]);
    }

    #[test]
    fn the_next_edit_wins_when_fim_has_nothing() {
        let (mut editor, request) = racing();
        editor.at(100);
        editor.lane_suggests(request, NextEdit, "?");
        editor.at(120);
        editor.lane_answers(request, Fim, &[]);
        editor.expect_log(expect![[r#"
            100ms hold r1 next-edit
            120ms answer r1: [10, 10) -> "?" (next-edit)
        "#]]);
        let lost: Vec<_> = editor.last_reports().iter().map(|it| it.lost).collect();
        assert_eq!(lost, [Some(Reason::NothingFound), None]);
    }

    #[test]
    fn a_lane_that_fails_has_nothing() {
        let (mut editor, request) = racing();
        editor.lane_fails(request, Fim);
        editor.lane_suggests(request, NextEdit, "?");
        editor.expect_log(expect![[r#"0ms answer r1: [10, 10) -> "?" (next-edit)"#]]);
    }

    #[test]
    fn fix_wins_when_nobody_else_has_anything() {
        let mut editor = fresh();
        editor.diagnose(4, 5);
        let request = editor.ask();
        editor.log();
        editor.lane_answers(request, Fix, &[replace(4, 5, "c")]);
        editor.lane_answers(request, Fim, &[]);
        editor.lane_answers(request, NextEdit, &[]);
        editor.expect_log(expect![[r#"
            0ms hold r1 fix
            0ms answer r1: [4, 5) -> "c" (fix)
        "#]]);
    }

    #[test]
    fn when_nobody_has_anything_that_is_the_answer() {
        let (mut editor, request) = racing();
        editor.lane_answers(request, Fim, &[]);
        editor.lane_answers(request, NextEdit, &[]);
        editor.expect_log(expect!["0ms withheld r1: nothing-found"]);
    }

    #[test]
    fn a_failure_does_not_look_like_nothing() {
        let (mut editor, request) = racing();
        editor.lane_fails(request, Fim);
        editor.lane_answers(request, NextEdit, &[]);
        editor.expect_log(expect!["0ms withheld r1: lane-failed"]);
    }

    #[test]
    fn a_person_who_asks_gets_everything_in_order() {
        let (mut editor, request) = racing_explicitly();
        editor.lane_suggests(request, NextEdit, "?");
        editor.at(5_000);
        assert!(editor.log().is_empty());
        editor.lane_answers(request, Fim, &[insert(10, "!"), insert(10, "!!")]);
        assert_eq!(
            editor.log(),
            [concat!(
                r#"5000ms answer r1: [10, 10) -> "!" (fim) | [10, 10) -> "!!" (fim)"#,
                r#" | [10, 10) -> "?" (next-edit)"#
            )]
        );
    }
}

mod time_is_up {
    //! Nothing is waited for for ever.

    use super::*;

    #[test]
    fn an_automatic_request_has_1800_ms() {
        let (mut editor, _) = racing();
        editor.at(60_000);
        editor.expect_log(expect![[r#"
            1800ms stop r1 fim: timed-out
            1800ms stop r1 next-edit: timed-out
            1800ms withheld r1: timed-out
        "#]]);
    }

    #[test]
    fn the_wait_before_does_not_count() {
        let mut editor = settled();
        editor.ask();
        editor.at(60_000);
        let log = editor.log();
        assert_eq!(log.last().unwrap(), "2050ms withheld r2: timed-out");
    }

    #[test]
    fn an_explicit_request_has_ten_seconds() {
        let (mut editor, _) = racing_explicitly();
        editor.at(60_000);
        editor.expect_log(expect![[r#"
            10000ms stop r1 fim: timed-out
            10000ms stop r1 next-edit: timed-out
            10000ms withheld r1: timed-out
        "#]]);
    }

    #[test]
    fn both_are_settings() {
        let mut editor = fresh_with(|settings| {
            settings.race.cap = Millis::new(100);
            settings.race.explicit_cap = Millis::new(300);
            settings.lanes.next_edit.enabled = false;
        });
        editor.ask();
        editor.at(100).invoke();
        editor.at(60_000);
        editor.expect_log(expect![[r#"
            0ms start r1 fim
            100ms stop r1 fim: timed-out
            100ms withheld r1: timed-out
            100ms start r2 fim
            400ms stop r2 fim: timed-out
            400ms withheld r2: timed-out
        "#]]);
    }

    #[test]
    fn what_is_there_by_then_is_answered() {
        let (mut editor, request) = racing_explicitly();
        editor.lane_suggests(request, NextEdit, "?");
        editor.at(60_000);
        editor.expect_log(expect![[r#"
            10000ms stop r1 fim: timed-out
            10000ms answer r1: [10, 10) -> "?" (next-edit)
        "#]]);
    }

    #[test]
    fn a_lane_that_comes_back_too_late_is_turned_away() {
        let (mut editor, request) = racing();
        editor.at(1_800);
        editor.log();
        editor.lane_suggests(request, Fim, "!");
        editor.lane_fails(request, NextEdit);
        assert_eq!(editor.log(), ["1800ms ignored: unknown-id"; 2]);
    }
}

mod turned_away {
    //! What is answered with nothing at once, and what is not answered at all.

    use super::*;

    #[test]
    fn a_document_that_is_not_open() {
        let mut editor = fresh();
        editor.document = DocumentId::new("file:///never-opened.ts");
        editor.ask();
        editor.invoke();
        editor.expect_log(expect![[r#"
            0ms resync
            0ms withheld r1: unknown-document
            0ms withheld r2: unknown-document
        "#]]);
    }

    #[test]
    fn a_document_that_is_out_of_step() {
        let mut editor = fresh();
        editor.edits(vec![delete(500, 600)], ChangeReason::Typed);
        editor.log();
        editor.place_cursor(1, 1);
        editor.ask();
        editor.invoke();
        editor.open(TEXT);
        editor.ask();
        editor.expect_log(expect![[r#"
            0ms withheld r1: out-of-step
            0ms withheld r2: out-of-step
            0ms start r3 fim
            0ms start r3 next-edit
        "#]]);
    }

    /// A request with numbers of its own.
    fn request(editor: &Editor, number: u64, version: i64, at: usize) -> Event {
        Event::SuggestionRequested(SuggestionRequest {
            request: RequestId::new(number),
            document: editor.document.clone(),
            version: Some(Version::new(version)),
            at: ByteOffset::new(at),
            cause: Automatic,
            kind: RequestKind::Inline,
        })
    }

    #[test]
    fn another_version_of_the_text() {
        let mut editor = fresh();
        editor.tell(request(&editor, 7, 12, 0));
        editor.expect_log(expect!["0ms withheld r7: out-of-step"]);
    }

    #[test]
    fn a_place_that_is_not_there() {
        let mut editor = Editor::with("é\n");
        editor.tell(request(&editor, 7, 0, 500));
        editor.tell(request(&editor, 8, 0, 1));
        editor.expect_log(expect![[r#"
            0ms withheld r7: out-of-step
            0ms withheld r8: out-of-step
        "#]]);
    }

    #[test]
    fn the_output_pane_unless_the_person_asks() {
        let mut editor = fresh();
        editor.go_to("output:log", TEXT);
        editor.ask();
        editor.invoke();
        editor.expect_log(expect![[r#"
            0ms withheld r1: ignored-document
            0ms start r2 fim
            0ms start r2 next-edit
        "#]]);
    }

    #[test]
    fn a_number_that_has_no_answer_yet() {
        let mut editor = fresh();
        editor.tell(request(&editor, 7, 0, 0));
        editor.log();
        editor.tell(request(&editor, 7, 0, 5));
        editor.expect_log(expect!["0ms ignored: already-asked"]);
        editor.lane_answers(RequestId::new(7), Fim, &[insert(0, "!")]);
        editor.expect_log(expect![[r#"
            0ms stop r7 next-edit: outrun
            0ms answer r7: [0, 0) -> "!" (fim)
        "#]]);
    }

    #[test]
    fn what_nobody_asked() {
        let mut editor = fresh();
        let unknown = RequestId::new(99);
        editor.cancel(unknown);
        editor.lane_answers(unknown, Fim, &[]);
        editor.lane_fails(unknown, Fix);
        editor.accept(unknown);
        editor.dismiss(unknown);
        editor.pass_over(unknown);
        assert_eq!(editor.log(), ["0ms ignored: unknown-id"; 6]);
    }

    #[test]
    fn a_lane_that_answers_twice() {
        let (mut editor, request) = racing();
        editor.lane_answers(request, Fim, &[]);
        editor.lane_suggests(request, Fim, "!");
        editor.expect_log(expect!["0ms ignored: unknown-id"]);
    }

    #[test]
    fn a_request_that_was_answered_and_is_taken_back() {
        let (mut editor, request) = racing();
        editor.lane_suggests(request, Fim, "!");
        editor.log();
        editor.cancel(request);
        editor.expect_log(expect!["0ms ignored: unknown-id"]);
    }
}

mod ending {
    //! Whatever happens to a document, nothing that was asked of it stays without an answer.

    use super::*;

    /// Both kinds are asked at different places, and the first has lanes that run.
    fn two_are_asked() -> Editor {
        let (mut editor, _) = racing();
        editor.place_cursor(2, 1);
        editor.request(Automatic, RequestKind::Edit);
        editor.expect_log(expect!["0ms wait r2 250ms"]);
        editor
    }

    #[test]
    fn closing_it() {
        let mut editor = two_are_asked();
        editor.at(100).close();
        editor.at(60_000);
        editor.expect_log(expect![[r#"
            100ms withheld r1: unknown-document
            100ms withheld r2: unknown-document
            100ms stop r1 fim: unknown-document
            100ms stop r1 next-edit: unknown-document
        "#]]);
    }

    #[test]
    fn falling_out_of_step() {
        let mut editor = two_are_asked();
        editor
            .at(100)
            .edits(vec![delete(500, 600)], ChangeReason::Typed);
        editor.at(60_000);
        editor.expect_log(expect![[r#"
            100ms ignored: out-of-step
            100ms resync
            100ms withheld r1: out-of-step
            100ms withheld r2: out-of-step
            100ms stop r1 fim: out-of-step
            100ms stop r1 next-edit: out-of-step
        "#]]);
    }

    #[test]
    fn being_let_go_because_too_many_are_open() {
        let mut editor = two_are_asked();
        for number in 0..200 {
            editor.go_to(&format!("file:///{number}.ts"), "");
        }
        editor.expect_log(expect![[r#"
            0ms withheld r1: unknown-document
            0ms withheld r2: unknown-document
            0ms stop r1 fim: unknown-document
            0ms stop r1 next-edit: unknown-document
            0ms let go: too-many-documents in file:///test.ts
        "#]]);
    }
}

mod filters {
    //! What a lane suggests and nobody is shown.

    use super::*;

    #[test]
    fn what_the_person_rejected_before() {
        let mut editor = fresh();
        editor.reject(&insert(10, "!"));
        let request = editor.ask();
        editor.log();
        editor.lane_suggests(request, Fim, "!");
        editor.lane_answers(request, NextEdit, &[]);
        editor.expect_log(expect!["0ms withheld r1: previously-rejected"]);
    }

    #[test]
    fn what_was_rejected_counts_as_no_answer_and_the_race_goes_on() {
        let mut editor = fresh();
        editor.reject(&insert(10, "!"));
        let request = editor.ask();
        editor.log();
        // The same change in other words.
        editor.lane_answers(request, Fim, &[replace(9, 10, ";!")]);
        editor.lane_suggests(request, NextEdit, "?");
        editor.expect_log(expect![[r#"0ms answer r1: [10, 10) -> "?" (next-edit)"#]]);
    }

    #[test]
    fn the_others_of_the_same_lane_are_shown() {
        let mut editor = fresh();
        editor.reject(&insert(10, "!"));
        let request = editor.invoke();
        editor.log();
        editor.lane_answers(request, Fim, &[insert(10, "!"), insert(10, "!!")]);
        editor.lane_fails(request, NextEdit);
        editor.expect_log(expect![[r#"0ms answer r1: [10, 10) -> "!!" (fim)"#]]);
    }

    #[test]
    fn what_would_change_nothing() {
        let (mut editor, request) = racing();
        editor.lane_answers(request, Fim, &[replace(0, 3, "let"), Edit::default()]);
        editor.lane_answers(request, NextEdit, &[]);
        editor.expect_log(expect!["0ms withheld r1: no-effect"]);
    }

    #[test]
    fn what_does_not_fit_the_text() {
        let (mut editor, request) = racing();
        editor.lane_answers(request, Fim, &[insert(500, "!")]);
        editor.lane_answers(request, NextEdit, &[]);
        editor.expect_log(expect!["0ms withheld r1: out-of-step"]);
    }

    #[test]
    fn what_is_about_a_document_that_is_not_open() {
        let (mut editor, request) = racing();
        editor.lane_answers(request, Fim, &[]);
        editor.tell(Event::LaneAnswered {
            request,
            lane: NextEdit,
            candidates: vec![LaneCandidate::new(
                DocumentId::new("file:///never-opened.ts"),
                insert(0, "!"),
            )],
            usage: TokenUsage::default(),
            withheld: 0,
        });
        editor.expect_log(expect!["0ms withheld r1: unknown-document"]);
    }

    #[test]
    fn what_comes_when_the_text_has_moved_on() {
        let (mut editor, request) = racing();
        editor.at(100).type_keys("x");
        editor.lane_answers(request, Fim, &[insert(0, "!")]);
        editor.lane_answers(request, NextEdit, &[insert(0, "?")]);
        editor.expect_log(expect!["100ms withheld r1: overtaken"]);
    }

    #[test]
    fn what_was_asked_about_a_text_that_moved_on_meanwhile() {
        let mut editor = settled();
        editor.ask();
        editor.at(100).type_keys("x");
        editor.at(60_000);
        editor.expect_log(expect![[r#"
            0ms wait r2 250ms
            250ms withheld r2: overtaken
        "#]]);
    }

    #[test]
    fn a_text_that_came_back_has_not_moved_on() {
        let mut editor = settled();
        editor.ask();
        editor.at(100).type_keys("x");
        editor.backspace();
        editor.at(250);
        editor.expect_log(expect![[r#"
            0ms wait r2 250ms
            250ms start r2 fim
            250ms start r2 next-edit
        "#]]);
    }
}
