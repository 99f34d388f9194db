//! A lane that keeps failing rests, and one that has had its share waits, as a person meets it.
//!
//! In most of these stories only FIM is asked, at once and without context, and the person types a
//! key before every request.
#![allow(
    clippy::unwrap_used,
    reason = "a story that goes wrong should stop where it does"
)]

use foretell_core::{Event, FailureKind, LaneFailure, RequestId, TokenUsage};
use foretell_settings::Settings;
use foretell_testkit::expect;
use foretell_testkit::story_editor::{Editor, fim_alone};
use foretell_text::LaneKind::{self, Fim, NextEdit};

const DAY: u64 = 24 * 60 * 60 * 1_000;

fn writing(change: impl FnOnce(&mut Settings)) -> Editor {
    Editor::with_settings("\n\n", |settings| {
        fim_alone(settings);
        change(settings);
    })
}

/// The person types a key, and the editor asks.
fn types_and_asks(editor: &mut Editor) -> RequestId {
    editor.type_keys("x");
    editor.ask()
}

/// The same, and the lane breaks.
fn breaks_once(editor: &mut Editor) {
    let request = types_and_asks(editor);
    editor.lane_fails(request, Fim);
}

/// An editor in which FIM rests since 0 ms, for the first time.
fn resting() -> Editor {
    let mut editor = writing(|_| {});
    for _ in 0..3 {
        breaks_once(&mut editor);
    }
    editor.log();
    editor
}

/// A server says how long it wants to be left alone, or only that it was too much.
fn told_off(editor: &mut Editor, request: RequestId, lane: LaneKind, retry_after_ms: Option<u64>) {
    editor.tell(Event::LaneFailed {
        request,
        lane,
        failure: LaneFailure {
            kind: FailureKind::TooManyRequests,
            retry_after_ms,
        },
        usage: TokenUsage::default(),
    });
}

mod breaker {
    //! Three failures in a row are enough.

    use super::*;

    #[test]
    fn the_third_failure_in_a_row_sends_it_to_rest_and_that_is_said_once() {
        let mut editor = writing(|_| {});
        for _ in 0..3 {
            breaks_once(&mut editor);
        }
        editor.at(5_000);
        types_and_asks(&mut editor);
        types_and_asks(&mut editor);
        editor.expect_log(expect![[r#"
            0ms start r1 fim
            0ms withheld r1: lane-failed
            0ms start r2 fim
            0ms withheld r2: lane-failed
            0ms start r3 fim
            0ms rest fim 10000ms
            0ms withheld r3: lane-failed
            5000ms spare r4 fim: lane-resting
            5000ms withheld r4: lane-resting
            5000ms spare r5 fim: lane-resting
            5000ms withheld r5: lane-resting
        "#]]);
    }

    #[test]
    fn it_wakes_after_ten_seconds() {
        let mut editor = resting();
        types_and_asks(editor.at(9_999));
        types_and_asks(editor.at(10_000));
        editor.expect_log(expect![[r#"
            9999ms spare r4 fim: lane-resting
            9999ms withheld r4: lane-resting
            10000ms start r5 fim
        "#]]);
    }

    #[test]
    fn it_rests_twice_as_long_when_it_fails_again() {
        let mut editor = resting();
        breaks_once(editor.at(10_000));
        types_and_asks(editor.at(29_999));
        breaks_once(editor.at(30_000));
        editor.expect_log(expect![[r#"
            10000ms start r4 fim
            10000ms rest fim 20000ms
            10000ms withheld r4: lane-failed
            29999ms spare r5 fim: lane-resting
            29999ms withheld r5: lane-resting
            30000ms start r6 fim
            30000ms rest fim 40000ms
            30000ms withheld r6: lane-failed
        "#]]);
    }

    #[test]
    fn it_never_rests_for_more_than_five_minutes() {
        let mut editor = resting();
        for _ in 0..8 {
            breaks_once(editor.after(300_000));
        }
        let log = editor.log();
        let mut rests = log.iter().filter(|line| line.contains("rest fim"));
        let last = rests.next_back().unwrap();
        assert_eq!(last, "2400000ms rest fim 300000ms");
    }

    #[test]
    fn one_answer_and_all_is_forgiven() {
        let mut editor = resting();
        let request = types_and_asks(editor.at(10_000));
        editor.lane_answers(request, Fim, &[]);
        breaks_once(&mut editor);
        breaks_once(&mut editor);
        types_and_asks(&mut editor);
        assert_eq!(editor.log().last().unwrap(), "10000ms start r7 fim");
        editor.lane_fails(RequestId::new(7), Fim);
        editor.expect_log(expect![[r#"
            10000ms rest fim 10000ms
            10000ms withheld r7: lane-failed
        "#]]);
    }

    #[test]
    fn failures_with_an_answer_in_between_are_not_in_a_row() {
        let mut editor = writing(|_| {});
        for _ in 0..3 {
            breaks_once(&mut editor);
            breaks_once(&mut editor);
            let request = types_and_asks(&mut editor);
            editor.lane_answers(request, Fim, &[]);
        }
        let log = editor.log();
        assert!(!log.iter().any(|line| line.contains("rest")), "{log:?}");
    }

    #[test]
    fn calls_that_were_made_before_it_rested_do_not_make_it_rest_longer() {
        let mut editor = writing(|_| {});
        let mut asked = Vec::new();
        for number in 0..5 {
            editor.go_to(&format!("file:///{number}.ts"), "\n").focus();
            asked.push(types_and_asks(&mut editor));
        }
        editor.log();
        for request in asked {
            editor.lane_fails(request, Fim);
        }
        let log = editor.log();
        let rests: Vec<_> = log.iter().filter(|line| line.contains("rest")).collect();
        assert_eq!(rests, ["0ms rest fim 10000ms"]);
    }

    #[test]
    fn an_older_call_that_is_answered_does_not_wake_it() {
        let mut editor = writing(|_| {});
        let older = types_and_asks(&mut editor);
        editor.go_to("file:///other.ts", "\n").focus();
        for start in [100, 200, 300] {
            breaks_once(editor.at(start));
        }
        editor.at(400).lane_answers(older, Fim, &[]);
        editor.log();
        types_and_asks(editor.at(500));
        breaks_once(editor.at(10_300));
        editor.expect_log(expect![[r#"
            500ms spare r5 fim: lane-resting
            500ms withheld r5: lane-resting
            10300ms start r6 fim
            10300ms withheld r6: lane-failed
        "#]]);
    }

    #[test]
    fn what_the_person_asks_for_is_not_asked_of_it_either() {
        let mut editor = resting();
        editor.invoke();
        editor.expect_log(expect![[r#"
            0ms spare r4 fim: lane-resting
            0ms withheld r4: lane-resting
        "#]]);
    }

    #[test]
    fn a_lane_that_is_stopped_has_not_failed() {
        let mut editor = writing(|_| {});
        for _ in 0..5 {
            let request = types_and_asks(&mut editor);
            editor.cancel(request);
        }
        types_and_asks(&mut editor);
        assert_eq!(editor.log().last().unwrap(), "0ms start r6 fim");
    }

    #[test]
    fn the_other_lanes_go_on() {
        let mut editor = writing(|settings| settings.lanes.next_edit.enabled = true);
        for _ in 0..3 {
            breaks_once(&mut editor);
        }
        editor.log();
        let request = types_and_asks(editor.at(500));
        editor.at(600).lane_suggests(request, NextEdit, "?");
        editor.expect_log(expect![[r#"
            500ms withheld r3: superseded
            500ms spare r4 fim: lane-resting
            500ms stop r3 next-edit: superseded
            500ms start r4 next-edit
            600ms answer r4: [4, 4) -> "?" (next-edit)
        "#]]);
    }

    #[test]
    fn while_it_rests_the_others_have_a_second_from_the_start() {
        let mut editor = writing(|settings| settings.lanes.next_edit.enabled = true);
        for _ in 0..3 {
            breaks_once(&mut editor);
        }
        types_and_asks(editor.at(5_000));
        editor.at(9_000);
        let log = editor.log();
        assert_eq!(log.last().unwrap(), "6000ms withheld r4: timed-out");
    }

    #[test]
    fn it_rests_no_longer_once_it_is_set_up_otherwise() {
        let mut editor = resting();
        editor.set(|settings| settings.lanes.next_edit.max_tokens = 99);
        types_and_asks(&mut editor);
        editor.expect_log(expect![[r#"
            0ms spare r4 fim: lane-resting
            0ms withheld r4: lane-resting
        "#]]);
        editor.set(|settings| settings.lanes.fim.url = Some("http://127.0.0.1:8080".into()));
        editor.log();
        types_and_asks(&mut editor);
        editor.expect_log(expect!["0ms start r5 fim"]);
    }
}

mod told {
    //! A server that says it was too much is left alone as long as it says.

    use super::*;

    #[test]
    fn it_rests_at_the_first_time_and_for_that_long() {
        let mut editor = writing(|_| {});
        let request = types_and_asks(&mut editor);
        told_off(&mut editor, request, Fim, Some(2_500));
        types_and_asks(editor.at(2_499));
        types_and_asks(editor.at(2_500));
        editor.expect_log(expect![[r#"
            0ms start r1 fim
            0ms rest fim 2500ms
            0ms withheld r1: lane-failed
            2499ms spare r2 fim: lane-resting
            2499ms withheld r2: lane-resting
            2500ms start r3 fim
        "#]]);
    }

    #[test]
    fn it_rests_for_ten_seconds_if_it_does_not_say() {
        let mut editor = writing(|_| {});
        let request = types_and_asks(&mut editor);
        told_off(&mut editor, request, Fim, None);
        editor.expect_log(expect![[r#"
            0ms start r1 fim
            0ms rest fim 10000ms
            0ms withheld r1: lane-failed
        "#]]);
    }

    #[test]
    fn a_shorter_time_does_not_end_a_longer_rest() {
        let mut editor = writing(|_| {});
        let first = types_and_asks(&mut editor);
        editor.go_to("file:///other.ts", "\n").focus();
        let second = types_and_asks(&mut editor);
        told_off(&mut editor, first, Fim, Some(60_000));
        told_off(&mut editor, second, Fim, Some(1_000));
        editor.log();
        types_and_asks(editor.at(59_999));
        types_and_asks(editor.at(60_000));
        editor.expect_log(expect![[r#"
            59999ms spare r3 fim: lane-resting
            59999ms withheld r3: lane-resting
            60000ms start r4 fim
        "#]]);
    }

    #[test]
    fn an_older_call_that_is_answered_does_not_cut_it_short() {
        let mut editor = writing(|_| {});
        let older = types_and_asks(&mut editor);
        editor.go_to("file:///other.ts", "\n").focus();
        let newer = types_and_asks(editor.at(100));
        told_off(editor.at(200), newer, Fim, Some(60_000));
        editor.at(300).lane_answers(older, Fim, &[]);
        editor.log();
        types_and_asks(editor.at(400));
        types_and_asks(editor.at(60_199));
        types_and_asks(editor.at(60_200));
        editor.expect_log(expect![[r#"
            400ms spare r3 fim: lane-resting
            400ms withheld r3: lane-resting
            60199ms spare r4 fim: lane-resting
            60199ms withheld r4: lane-resting
            60200ms start r5 fim
        "#]]);
    }

    #[test]
    fn a_server_that_asks_for_no_time_at_all_rests_after_the_third_failure() {
        let mut editor = writing(|_| {});
        for start in [0, 0, 0, 9_999, 10_000, 30_000] {
            let request = types_and_asks(editor.at(start));
            editor.tell(Event::LaneFailed {
                request,
                lane: Fim,
                failure: LaneFailure {
                    kind: FailureKind::ServerError,
                    retry_after_ms: Some(0),
                },
                usage: TokenUsage::default(),
            });
        }
        let log = editor.log();
        let rests: Vec<_> = log.iter().filter(|line| line.contains(" rest ")).collect();
        assert_eq!(
            rests,
            [
                "0ms rest fim 10000ms",
                "10000ms rest fim 20000ms",
                "30000ms rest fim 40000ms",
            ]
        );
    }

    #[test]
    fn of_what_it_asks_for_and_its_own_rest_the_longer_counts() {
        let mut editor = writing(|_| {});
        for (start, asked_for) in [(0, 1), (1, 5_000), (5_001, 5_000), (15_001, 60_000)] {
            let request = types_and_asks(editor.at(start));
            told_off(&mut editor, request, Fim, Some(asked_for));
        }
        let log = editor.log();
        let rests: Vec<_> = log.iter().filter(|line| line.contains(" rest ")).collect();
        assert_eq!(
            rests,
            [
                "0ms rest fim 1ms",
                "1ms rest fim 5000ms",
                "5001ms rest fim 10000ms",
                "15001ms rest fim 60000ms",
            ]
        );
    }

    #[test]
    fn the_other_lanes_go_on() {
        let mut editor = writing(|settings| settings.lanes.next_edit.enabled = true);
        let request = types_and_asks(&mut editor);
        told_off(&mut editor, request, NextEdit, Some(60_000));
        editor.lane_suggests(request, Fim, "!");
        editor.type_keys("y");
        editor.log();
        editor.ask();
        editor.expect_log(expect![[r#"
            0ms spare r2 next-edit: lane-resting
            0ms start r2 fim
        "#]]);
    }
}

mod limits {
    //! Once what the person allows is used up, nothing more is begun.

    use super::*;

    /// A request whose lane finds nothing and uses up so many tokens.
    fn uses(editor: &mut Editor, prompt_tokens: u64, completion_tokens: u64) {
        let request = types_and_asks(editor);
        used(editor, request, prompt_tokens, completion_tokens);
    }

    fn used(editor: &mut Editor, request: RequestId, prompt_tokens: u64, completion_tokens: u64) {
        editor.tell(Event::LaneAnswered {
            request,
            lane: Fim,
            candidates: Vec::new(),
            usage: TokenUsage {
                prompt_tokens,
                completion_tokens,
                read_tokens: None,
            },
            withheld: 0,
        });
    }

    #[test]
    fn so_many_requests_a_minute() {
        let mut editor = writing(|settings| settings.lanes.fim.requests_per_minute = Some(2));
        uses(&mut editor, 0, 0);
        uses(editor.at(20_000), 0, 0);
        editor.log();
        types_and_asks(editor.at(59_999));
        types_and_asks(editor.at(60_000));
        types_and_asks(editor.at(61_000));
        editor.expect_log(expect![[r#"
            59999ms spare r3 fim: over-limit
            59999ms check quota fim
            59999ms withheld r3: over-limit
            60000ms start r4 fim
            61000ms withheld r4: superseded
            61000ms spare r5 fim: over-limit
            61000ms check quota fim
            61000ms withheld r5: over-limit
        "#]]);
    }

    #[test]
    fn so_many_requests_a_day() {
        let mut editor = writing(|settings| settings.lanes.fim.requests_per_day = Some(2));
        uses(&mut editor, 0, 0);
        uses(editor.at(DAY / 2), 0, 0);
        editor.log();
        types_and_asks(editor.at(DAY - 1));
        types_and_asks(editor.at(DAY));
        editor.expect_log(expect![[r#"
            86399999ms spare r3 fim: over-limit
            86399999ms check quota fim
            86399999ms withheld r3: over-limit
            86400000ms start r4 fim
        "#]]);
    }

    #[test]
    fn so_many_tokens_a_day() {
        let mut editor = writing(|settings| settings.lanes.fim.tokens_per_day = Some(100));
        uses(&mut editor, 60, 39);
        uses(editor.at(1_000), 1, 0);
        editor.log();
        types_and_asks(editor.at(2_000));
        types_and_asks(editor.at(DAY));
        editor.expect_log(expect![[r#"
            2000ms spare r3 fim: over-limit
            2000ms check quota fim
            2000ms withheld r3: over-limit
            86400000ms start r4 fim
        "#]]);
    }

    #[test]
    fn the_tokens_of_an_answer_that_crossed_with_the_order_to_stop_count() {
        let mut editor = writing(|settings| settings.lanes.fim.tokens_per_day = Some(100));
        let request = types_and_asks(&mut editor);
        editor.cancel(request);
        used(&mut editor, request, 60, 40);
        types_and_asks(editor.at(1_000));
        editor.expect_log(expect![[r#"
            0ms start r1 fim
            0ms stop r1 fim: cancelled
            0ms withheld r1: cancelled
            0ms ignored: unknown-id
            1000ms spare r2 fim: over-limit
            1000ms check quota fim
            1000ms withheld r2: over-limit
        "#]]);
    }

    #[test]
    fn a_call_that_failed_or_was_stopped_counts() {
        let mut editor = writing(|settings| settings.lanes.fim.requests_per_day = Some(2));
        breaks_once(&mut editor);
        let request = types_and_asks(&mut editor);
        editor.cancel(request);
        editor.log();
        types_and_asks(&mut editor);
        editor.expect_log(expect![[r#"
            0ms spare r3 fim: over-limit
            0ms check quota fim
            0ms withheld r3: over-limit
        "#]]);
    }

    #[test]
    fn the_other_lanes_go_on() {
        let mut editor = writing(|settings| {
            settings.lanes.next_edit.enabled = true;
            settings.lanes.fim.requests_per_day = Some(0);
        });
        types_and_asks(&mut editor);
        editor.expect_log(expect![[r#"
            0ms spare r1 fim: over-limit
            0ms check quota fim
            0ms start r1 next-edit
        "#]]);
    }

    #[test]
    fn nor_may_the_person_go_over_them_by_asking() {
        let mut editor = writing(|settings| settings.lanes.fim.requests_per_day = Some(0));
        editor.invoke();
        editor.expect_log(expect![[r#"
            0ms spare r1 fim: over-limit
            0ms check quota fim
            0ms withheld r1: over-limit
        "#]]);
    }

    #[test]
    fn what_was_used_up_before_a_restart_counts_on_that_day() {
        let mut editor = writing(|settings| settings.lanes.fim.requests_per_day = Some(3));
        editor.tell(Event::UsageKnown {
            lane: Fim,
            day: 0,
            requests: 2,
            tokens: 0,
        });
        types_and_asks(&mut editor);
        types_and_asks(&mut editor);
        editor.at(DAY);
        types_and_asks(&mut editor);
        editor.expect_log(expect![[r#"
            0ms start r1 fim
            0ms withheld r1: superseded
            0ms spare r2 fim: over-limit
            0ms check quota fim
            0ms withheld r2: over-limit
            1800ms stop r1 fim: timed-out
            86400000ms start r3 fim
        "#]]);
    }

    #[test]
    fn the_tokens_of_an_answer_that_failed_count() {
        let mut editor = writing(|settings| settings.lanes.fim.tokens_per_day = Some(100));
        let request = types_and_asks(&mut editor);
        editor.tell(Event::LaneFailed {
            request,
            lane: Fim,
            failure: LaneFailure {
                kind: FailureKind::Unplaced,
                retry_after_ms: None,
            },
            usage: TokenUsage {
                prompt_tokens: 60,
                completion_tokens: 40,
                read_tokens: None,
            },
        });
        editor.log();
        types_and_asks(&mut editor);
        assert_eq!(
            editor.log()[..2],
            ["0ms spare r2 fim: over-limit", "0ms check quota fim"]
        );
    }

    #[test]
    fn a_day_that_began_while_the_machine_slept_is_a_new_one() {
        let mut editor = writing(|settings| settings.lanes.fim.requests_per_day = Some(1));
        let known = |day, requests| Event::UsageKnown {
            lane: Fim,
            day,
            requests,
            tokens: 0,
        };
        uses(&mut editor, 0, 0);
        editor.tell(known(1, 0));
        uses(&mut editor, 0, 0);
        // What is still heard of the day before does not count any more.
        editor.tell(known(0, 9));
        editor.log();
        types_and_asks(&mut editor);
        assert_eq!(
            editor.log()[..2],
            ["0ms spare r3 fim: over-limit", "0ms check quota fim"]
        );
        editor.at(2 * DAY);
        types_and_asks(&mut editor);
        editor.expect_log(expect!["172800000ms start r4 fim"]);
    }

    #[test]
    fn a_higher_limit_holds_from_then_on() {
        let mut editor = writing(|settings| settings.lanes.fim.requests_per_day = Some(1));
        uses(&mut editor, 0, 0);
        editor.set(|settings| settings.lanes.fim.requests_per_day = Some(2));
        editor.log();
        types_and_asks(&mut editor);
        editor.expect_log(expect!["0ms start r2 fim"]);
    }
}
