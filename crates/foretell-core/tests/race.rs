//! Who answers, and when: the race between lanes as a person meets it.
//!
//! In these stories something is wrong on the cursor's line, so that all three lanes start at 0 ms
//! and their answers come when the story says. Nothing waits before that, and no context is gathered.
#![allow(
    clippy::unwrap_used,
    reason = "a story that goes wrong should stop where it does"
)]

use foretell_core::{LaneReport, Reason, RequestCause, RequestId, RequestKind};
use foretell_settings::{Millis, Settings};
use foretell_testkit::expect;
use foretell_testkit::story_editor::{Editor, at_once, insert, replace};
use foretell_text::LaneKind::{self, Fim, Fix, NextEdit};

const TEXT: &str = "let a = 1;\nlet b = 2;\n";

/// An editor with a mistake on the line of the cursor, which is behind `let a = 1;`.
fn with_a_mistake(change: impl FnOnce(&mut Settings)) -> Editor {
    let mut editor = Editor::with_settings(TEXT, |settings| {
        at_once(settings);
        change(settings);
    });
    editor.place_cursor(1, 11);
    editor.diagnose(4, 5);
    editor
}

/// All three lanes run since 0 ms for a request that the editor made.
fn racing() -> (Editor, RequestId) {
    let mut editor = with_a_mistake(|_| {});
    let request = editor.ask();
    expect_all_started(&mut editor);
    (editor, request)
}

/// The same for one that the person made.
fn racing_explicitly() -> (Editor, RequestId) {
    let mut editor = with_a_mistake(|_| {});
    let request = editor.invoke();
    expect_all_started(&mut editor);
    (editor, request)
}

fn expect_all_started(editor: &mut Editor) {
    editor.expect_log(expect![[r#"
        0ms start r1 fim
        0ms start r1 next-edit
        0ms start r1 fix
    "#]]);
}

/// The fix lane renames `a`.
fn fixes(editor: &mut Editor, request: RequestId) {
    editor.lane_answers(request, Fix, &[replace(4, 5, "c")]);
}

fn finds_nothing(editor: &mut Editor, request: RequestId, lane: LaneKind) {
    editor.lane_answers(request, lane, &[]);
}

fn report(lane: LaneKind, took_ms: u64, lost: Option<Reason>) -> LaneReport {
    LaneReport {
        lane,
        took_ms,
        lost,
    }
}

mod first {
    //! The first answer wins, and one of a lesser lane is held for a moment.

    use super::*;

    #[test]
    fn a_fast_fim_wins_at_once() {
        let (mut editor, request) = racing();
        editor.at(80).lane_suggests(request, Fim, "!");
        editor.expect_log(expect![[r#"
            80ms stop r1 next-edit: outrun
            80ms stop r1 fix: outrun
            80ms answer r1: [10, 10) -> "!" (fim)
        "#]]);
    }

    #[test]
    fn a_fix_that_comes_first_is_held_and_shown_when_the_hold_is_over() {
        let (mut editor, request) = racing();
        fixes(editor.at(20), request);
        editor.at(169);
        editor.expect_log(expect!["20ms hold r1 fix"]);
        editor.at(170);
        editor.expect_log(expect![[r#"
            170ms stop r1 fim: outrun
            170ms stop r1 next-edit: outrun
            170ms answer r1: [4, 5) -> "c" (fix)
        "#]]);
    }

    #[test]
    fn a_fim_that_comes_while_a_fix_is_held_wins() {
        let (mut editor, request) = racing();
        fixes(editor.at(20), request);
        editor.at(169).lane_suggests(request, Fim, "!");
        editor.expect_log(expect![[r#"
            20ms hold r1 fix
            169ms stop r1 next-edit: outrun
            169ms answer r1: [10, 10) -> "!" (fim)
        "#]]);
    }

    #[test]
    fn a_next_edit_is_held_for_fim_but_not_for_fix() {
        let (mut editor, request) = racing();
        editor.at(20).lane_suggests(request, NextEdit, "?");
        finds_nothing(editor.at(60), request, Fim);
        editor.expect_log(expect![[r#"
            20ms hold r1 next-edit
            60ms stop r1 fix: outrun
            60ms answer r1: [10, 10) -> "?" (next-edit)
        "#]]);
    }

    #[test]
    fn a_fix_is_held_for_the_next_edit_too() {
        let (mut editor, request) = racing();
        fixes(editor.at(20), request);
        finds_nothing(editor.at(60), request, Fim);
        editor.expect_log(expect!["20ms hold r1 fix"]);
        editor.at(100).lane_suggests(request, NextEdit, "?");
        editor.expect_log(expect![[r#"100ms answer r1: [10, 10) -> "?" (next-edit)"#]]);
    }

    #[test]
    fn of_two_that_are_held_the_better_lane_is_shown() {
        let (mut editor, request) = racing();
        fixes(editor.at(20), request);
        editor.at(100).lane_suggests(request, NextEdit, "?");
        editor.at(1_000);
        editor.expect_log(expect![[r#"
            20ms hold r1 fix
            100ms hold r1 next-edit
            170ms stop r1 fim: outrun
            170ms answer r1: [10, 10) -> "?" (next-edit)
        "#]]);
    }

    #[test]
    fn a_fim_that_breaks_is_not_waited_for() {
        let (mut editor, request) = racing();
        editor.at(20).lane_suggests(request, NextEdit, "?");
        editor.at(30).lane_fails(request, Fim);
        editor.expect_log(expect![[r#"
            20ms hold r1 next-edit
            30ms stop r1 fix: outrun
            30ms answer r1: [10, 10) -> "?" (next-edit)
        "#]]);
    }

    #[test]
    fn the_hold_is_a_setting() {
        for (hold, shown_at) in [(0, 20), (400, 420)] {
            let mut editor = with_a_mistake(|settings| {
                settings.race.hold = Millis::new(hold);
            });
            let request = editor.ask();
            editor.log();
            fixes(editor.at(20), request);
            editor.at(2_000);
            let answer = format!(r#"{shown_at}ms answer r1: [4, 5) -> "c" (fix)"#);
            assert_eq!(editor.log().last(), Some(&answer));
        }
    }

    #[test]
    fn a_hold_does_not_go_beyond_the_cap() {
        let (mut editor, request) = racing();
        fixes(editor.at(1_750), request);
        editor.at(5_000);
        editor.expect_log(expect![[r#"
            1750ms hold r1 fix
            1800ms stop r1 fim: timed-out
            1800ms stop r1 next-edit: timed-out
            1800ms answer r1: [4, 5) -> "c" (fix)
        "#]]);
    }
}

mod grace {
    //! Without FIM the others have a second.

    use super::*;

    #[test]
    fn a_fix_within_it_wins() {
        let (mut editor, request) = racing();
        finds_nothing(editor.at(300), request, Fim);
        finds_nothing(editor.at(400), request, NextEdit);
        fixes(editor.at(1_299), request);
        editor.expect_log(expect![[r#"1299ms answer r1: [4, 5) -> "c" (fix)"#]]);
    }

    #[test]
    fn a_fix_that_is_held_for_the_next_edit_is_shown_when_the_grace_is_over() {
        let (mut editor, request) = racing();
        finds_nothing(editor.at(300), request, Fim);
        fixes(editor.at(1_250), request);
        editor.at(5_000);
        editor.expect_log(expect![[r#"
            1250ms hold r1 fix
            1300ms stop r1 next-edit: timed-out
            1300ms answer r1: [4, 5) -> "c" (fix)
        "#]]);
    }

    #[test]
    fn nothing_within_it_is_the_end() {
        let (mut editor, request) = racing();
        finds_nothing(editor.at(300), request, Fim);
        editor.at(1_299);
        assert!(editor.log().is_empty());
        editor.at(5_000);
        editor.expect_log(expect![[r#"
            1300ms stop r1 next-edit: timed-out
            1300ms stop r1 fix: timed-out
            1300ms withheld r1: timed-out
        "#]]);
    }

    #[test]
    fn a_fim_that_fails_has_found_nothing() {
        let (mut editor, request) = racing();
        editor.at(200).lane_fails(request, Fim);
        editor.at(5_000);
        editor.expect_log(expect![[r#"
            1200ms stop r1 next-edit: timed-out
            1200ms stop r1 fix: timed-out
            1200ms withheld r1: lane-failed
        "#]]);
    }

    #[test]
    fn a_fim_that_says_what_was_rejected_has_found_nothing() {
        let mut editor = with_a_mistake(|_| {});
        editor.reject(&insert(10, "!"));
        let request = editor.ask();
        editor.log();
        editor.at(100).lane_suggests(request, Fim, "!");
        assert!(editor.log().is_empty(), "the race goes on");
        editor.at(5_000);
        editor.expect_log(expect![[r#"
            1100ms stop r1 next-edit: timed-out
            1100ms stop r1 fix: timed-out
            1100ms withheld r1: timed-out
        "#]]);
    }

    #[test]
    fn it_does_not_go_beyond_the_cap() {
        let (mut editor, request) = racing();
        finds_nothing(editor.at(1_500), request, Fim);
        editor.at(5_000);
        assert_eq!(
            editor.log().last().unwrap(),
            "1800ms withheld r1: timed-out"
        );
    }

    #[test]
    fn it_begins_at_the_start_where_fim_is_switched_off() {
        let mut editor = with_a_mistake(|settings| settings.lanes.fim.enabled = false);
        editor.ask();
        editor.at(5_000);
        editor.expect_log(expect![[r#"
            0ms start r1 next-edit
            0ms start r1 fix
            1000ms stop r1 next-edit: timed-out
            1000ms stop r1 fix: timed-out
            1000ms withheld r1: timed-out
        "#]]);
    }

    #[test]
    fn it_begins_at_the_start_where_the_gate_spares_fim() {
        let mut editor = with_a_mistake(|_| {});
        let first = editor.ask();
        for lane in LaneKind::ALL {
            finds_nothing(&mut editor, first, lane);
        }
        editor.log();
        editor.at(2_000).place_cursor(1, 1);
        editor.ask();
        editor.at(5_000);
        editor.expect_log(expect![[r#"
            2000ms spare r2 fim: unchanged-text
            2000ms start r2 next-edit
            2000ms start r2 fix
            3000ms stop r2 next-edit: timed-out
            3000ms stop r2 fix: timed-out
            3000ms withheld r2: timed-out
        "#]]);
    }

    #[test]
    fn it_begins_at_the_start_for_the_next_edit_which_fim_knows_nothing_of() {
        let mut editor = with_a_mistake(|_| {});
        editor.request(RequestCause::Automatic, RequestKind::Edit);
        editor.at(5_000);
        let log = editor.log();
        assert_eq!(log.last().unwrap(), "1000ms withheld r1: timed-out");
    }

    #[test]
    fn it_is_a_setting() {
        let mut editor = with_a_mistake(|settings| settings.race.grace = Millis::new(50));
        let request = editor.ask();
        finds_nothing(editor.at(100), request, Fim);
        editor.at(5_000);
        let log = editor.log();
        assert_eq!(log.last().unwrap(), "150ms withheld r1: timed-out");
    }
}

mod ends {
    //! How a race ends without a winner.

    use super::*;

    #[test]
    fn nothing_is_waited_for_beyond_the_cap() {
        let (mut editor, _) = racing();
        editor.at(1_799);
        assert!(editor.log().is_empty());
        editor.at(5_000);
        editor.expect_log(expect![[r#"
            1800ms stop r1 fim: timed-out
            1800ms stop r1 next-edit: timed-out
            1800ms stop r1 fix: timed-out
            1800ms withheld r1: timed-out
        "#]]);
    }

    #[test]
    fn all_have_come_back_with_nothing() {
        let (mut editor, request) = racing();
        for (at, lane) in [(10, Fix), (20, Fim), (30, NextEdit)] {
            finds_nothing(editor.at(at), request, lane);
        }
        editor.expect_log(expect!["30ms withheld r1: nothing-found"]);
    }

    #[test]
    fn the_editor_no_longer_wants_to_know_although_an_answer_is_held() {
        let (mut editor, request) = racing();
        fixes(editor.at(20), request);
        editor.at(50).cancel(request);
        editor.at(5_000);
        editor.expect_log(expect![[r#"
            20ms hold r1 fix
            50ms stop r1 fim: cancelled
            50ms stop r1 next-edit: cancelled
            50ms withheld r1: cancelled
        "#]]);
    }

    #[test]
    fn what_was_rejected_is_no_answer_and_the_next_one_is() {
        let mut editor = with_a_mistake(|_| {});
        editor.reject(&insert(10, "!"));
        editor.reject(&insert(10, "?"));
        let request = editor.ask();
        editor.log();
        editor.at(10).lane_suggests(request, Fim, "!");
        editor.at(20).lane_suggests(request, NextEdit, "?");
        fixes(editor.at(30), request);
        editor.expect_log(expect![[r#"30ms answer r1: [4, 5) -> "c" (fix)"#]]);
        assert_eq!(
            editor.last_reports(),
            [
                report(Fim, 10, Some(Reason::PreviouslyRejected)),
                report(NextEdit, 20, Some(Reason::PreviouslyRejected)),
                report(Fix, 30, None),
            ]
        );
    }

    #[test]
    fn what_is_rejected_while_it_is_held_is_not_shown() {
        let (mut editor, request) = racing();
        fixes(editor.at(20), request);
        editor.at(50).reject(&replace(4, 5, "c"));
        editor.log();
        editor.at(200).lane_suggests(request, Fim, "!");
        editor.expect_log(expect![[r#"
            200ms stop r1 next-edit: outrun
            200ms answer r1: [10, 10) -> "!" (fim)
        "#]]);
    }
}

mod explicit {
    //! What the person asks for waits for everybody.

    use super::*;

    #[test]
    fn it_is_answered_with_everything_when_the_last_lane_has_ended() {
        let (mut editor, request) = racing_explicitly();
        editor.at(50).lane_suggests(request, Fim, "!");
        fixes(editor.at(2_500), request);
        assert!(editor.log().is_empty());
        editor.at(9_000).lane_suggests(request, NextEdit, "?");
        assert_eq!(
            editor.log(),
            [concat!(
                r#"9000ms answer r1: [10, 10) -> "!" (fim) | "#,
                r#"[10, 10) -> "?" (next-edit) | [4, 5) -> "c" (fix)"#
            )]
        );
        assert_eq!(
            editor.last_reports(),
            [
                report(Fim, 50, None),
                report(NextEdit, 9_000, None),
                report(Fix, 2_500, None),
            ]
        );
    }

    #[test]
    fn a_lane_that_does_not_come_back_is_waited_for_ten_seconds() {
        let (mut editor, request) = racing_explicitly();
        editor.at(50).lane_suggests(request, Fim, "!");
        editor.at(60).lane_fails(request, NextEdit);
        editor.at(9_999);
        assert!(editor.log().is_empty());
        editor.at(60_000);
        editor.expect_log(expect![[r#"
            10000ms stop r1 fix: timed-out
            10000ms answer r1: [10, 10) -> "!" (fim)
        "#]]);
        assert_eq!(
            editor.last_reports(),
            [
                report(Fim, 50, None),
                report(NextEdit, 60, Some(Reason::LaneFailed)),
                report(Fix, 10_000, Some(Reason::TimedOut)),
            ]
        );
    }

    #[test]
    fn it_is_in_nobodys_favour() {
        let (mut editor, request) = racing_explicitly();
        for lane in LaneKind::ALL {
            editor.lane_suggests(request, lane, "!");
        }
        let counts = editor.core.counts();
        assert!(counts.wins.is_empty() && counts.raced.is_empty());
    }
}

mod two_kinds {
    //! An editor that asks for both has both answered, from the same calls.

    use super::*;

    fn both() -> (Editor, RequestId) {
        let mut editor = with_a_mistake(|_| {});
        let inline = editor.ask();
        editor.request(RequestCause::Automatic, RequestKind::Edit);
        expect_all_started(&mut editor);
        (editor, inline)
    }

    #[test]
    fn fim_answers_one_and_the_other_goes_on() {
        let (mut editor, inline) = both();
        editor.at(100).lane_suggests(inline, Fim, "!");
        editor.at(200).lane_suggests(inline, NextEdit, "?");
        editor.expect_log(expect![[r#"
            100ms answer r1: [10, 10) -> "!" (fim)
            200ms stop r1 fix: outrun
            200ms answer r2: [10, 10) -> "?" (next-edit)
        "#]]);
    }

    #[test]
    fn what_lies_elsewhere_answers_only_the_next_edit() {
        let (mut editor, inline) = both();
        let elsewhere = replace(15, 16, "c");
        editor.at(100).lane_answers(inline, NextEdit, &[elsewhere]);
        fixes(editor.at(120), inline);
        editor.at(5_000);
        editor.expect_log(expect![[r#"
            100ms answer r2: [15, 16) -> "c" (next-edit)
            120ms hold r1 fix
            270ms stop r1 fim: outrun
            270ms answer r1: [4, 5) -> "c" (fix)
        "#]]);
        assert_eq!(
            editor.last_reports(),
            [
                report(Fim, 270, Some(Reason::Outrun)),
                report(NextEdit, 100, Some(Reason::Elsewhere)),
                report(Fix, 120, None),
            ]
        );
    }

    #[test]
    fn each_has_its_own_bounds() {
        let (mut editor, _) = both();
        editor.at(5_000);
        editor.expect_log(expect![[r#"
            1000ms withheld r2: timed-out
            1800ms stop r1 fim: timed-out
            1800ms stop r1 next-edit: timed-out
            1800ms stop r1 fix: timed-out
            1800ms withheld r1: timed-out
        "#]]);
    }

    #[test]
    fn taking_one_back_leaves_the_other() {
        let (mut editor, inline) = both();
        editor.at(50).cancel(inline);
        editor.at(100).lane_suggests(inline, NextEdit, "?");
        editor.expect_log(expect![[r#"
            50ms stop r1 fim: cancelled
            50ms withheld r1: cancelled
            100ms stop r1 fix: outrun
            100ms answer r2: [10, 10) -> "?" (next-edit)
        "#]]);
    }
}

mod reports {
    //! Every answer says how each lane did, and who wins is counted.

    use super::*;

    #[test]
    fn they_say_who_lost_and_why() {
        let (mut editor, request) = racing();
        editor.at(30).lane_fails(request, Fim);
        fixes(editor.at(40), request);
        editor.at(5_000);
        assert_eq!(
            editor.last_reports(),
            [
                report(Fim, 30, Some(Reason::LaneFailed)),
                report(NextEdit, 190, Some(Reason::Outrun)),
                report(Fix, 40, None),
            ]
        );
    }

    #[test]
    fn they_say_so_also_of_an_answer_that_was_there_and_lost() {
        let (mut editor, request) = racing();
        fixes(editor.at(20), request);
        editor.at(90).lane_suggests(request, Fim, "!");
        assert_eq!(
            editor.last_reports(),
            [
                report(Fim, 90, None),
                report(NextEdit, 90, Some(Reason::Outrun)),
                report(Fix, 20, Some(Reason::Outrun)),
            ]
        );
    }

    #[test]
    fn they_say_so_also_if_nobody_won() {
        let (mut editor, request) = racing();
        finds_nothing(editor.at(100), request, Fim);
        editor.at(5_000);
        assert_eq!(
            editor.last_reports(),
            [
                report(Fim, 100, Some(Reason::NothingFound)),
                report(NextEdit, 1_100, Some(Reason::TimedOut)),
                report(Fix, 1_100, Some(Reason::TimedOut)),
            ]
        );
    }

    #[test]
    fn win_rates_are_counted() {
        let (mut editor, first) = racing();
        editor.lane_suggests(first, Fim, "!");
        editor.after(1_000).type_keys("x");
        let second = editor.after(1_000).ask();
        editor.lane_answers(second, Fim, &[]);
        editor.lane_suggests(second, NextEdit, "?");
        editor.after(1_000).type_keys("y");
        let third = editor.after(1_000).ask();
        for lane in LaneKind::ALL {
            finds_nothing(&mut editor, third, lane);
        }
        let counts = editor.core.counts();
        let wins: Vec<_> = counts.wins.into_iter().collect();
        assert_eq!(wins, [(Fim, 1), (NextEdit, 1)]);
        let raced: Vec<_> = counts.raced.into_iter().collect();
        assert_eq!(raced, [(Fim, 3), (NextEdit, 3), (Fix, 3)]);
    }

    #[test]
    fn an_answer_that_was_there_before_is_no_race() {
        let (mut editor, request) = racing();
        editor.lane_suggests(request, Fim, "!");
        editor.ask();
        let counts = editor.core.counts();
        assert_eq!(counts.answered, 2);
        assert_eq!(counts.wins.values().sum::<u64>(), 1);
        assert_eq!(counts.raced.values().sum::<u64>(), 3);
    }
}
