//! When to ask, on random sessions with everything in them that can go wrong.
//!
//! Events of every kind are told at moments that stand still, creep, jump by hours and lie in the
//! past; about documents that are not open, places that do not fit and requests that nobody made.
//! Beside the machine runs the plainest account of what it may do ([`watch`]), which looks at every
//! action, and a second machine that is told of events only and never that time has passed: it must
//! do the same.
//!
//! A rule that is never put to the test holds easily. So what happened is counted, and a run in which
//! nothing much did fails too.
#![allow(
    clippy::unwrap_used,
    reason = "a session that goes wrong should stop where it does"
)]

mod found;
mod session;
mod watch;

use std::cell::RefCell;
use std::sync::Arc;

use foretell_settings::{Millis, SameLineMemory, Settings};
use foretell_testkit::written_settings::settings_of;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use session::{Session, Step, Verb};
use watch::Tally;

/// Mostly sensible: somebody types, moves the cursor, and an editor asks.
const AT_WORK: [(u32, Verb); 21] = [
    (30, Verb::Type),
    (4, Verb::Undo),
    (2, Verb::ChangeOtherwise),
    (40, Verb::Select),
    (1, Verb::SelectOddly),
    (40, Verb::Ask),
    (1, Verb::AskOddly),
    (30, Verb::LaneAnswers),
    (1, Verb::LaneAnswersOddly),
    (4, Verb::LaneFails),
    (3, Verb::Cancel),
    (10, Verb::Wait),
    (4, Verb::Focus),
    (3, Verb::Open),
    (1, Verb::Close),
    (4, Verb::Diagnose),
    (4, Verb::Judge),
    (3, Verb::RejectEdit),
    (2, Verb::Settings),
    (1, Verb::Rejections),
    (1, Verb::Flood),
];

/// Everything alike, and much of it impossible.
const SENSELESS: [(u32, Verb); 24] = [
    (8, Verb::Type),
    (4, Verb::Undo),
    (4, Verb::ChangeOtherwise),
    (2, Verb::ChangeOddly),
    (8, Verb::Select),
    (8, Verb::SelectOddly),
    (10, Verb::Ask),
    (10, Verb::AskOddly),
    (6, Verb::AskAgain),
    (8, Verb::LaneAnswers),
    (6, Verb::LaneAnswersOddly),
    (4, Verb::LaneFails),
    (4, Verb::Cancel),
    (4, Verb::Wait),
    (4, Verb::Focus),
    (8, Verb::Open),
    (3, Verb::Close),
    (4, Verb::Diagnose),
    (4, Verb::Judge),
    (4, Verb::RejectEdit),
    (6, Verb::Settings),
    (3, Verb::Rejections),
    (1, Verb::Flood),
    (1, Verb::Connect),
];

/// Moments and happenings, with happenings as often as they are weighted.
fn steps(verbs: &[(u32, Verb)], count: usize) -> impl Strategy<Value = Vec<Step>> + use<> {
    let verbs: Vec<Verb> = verbs
        .iter()
        .flat_map(|(weight, verb)| std::iter::repeat_n(*verb, *weight as usize))
        .collect();
    let pause = prop_oneof![
        24 => Just(0_i64),
        20 => 1_i64..60,
        20 => 60_i64..800,
        8 => 800_i64..6_000,
        2 => select(vec![300_i64, 1_800, 4_999, 5_000, 9_999, 10_000]),
        1 => 6_000_i64..40_000,
        1 => 3_600_000_i64..100_000_000,
        1 => -90_000_000_i64..0,
    ];
    let step = (pause, select(verbs), any::<u64>());
    let step = step.prop_map(|(pause, verb, dice)| Step { pause, verb, dice });
    vec(step, 1..count)
}

/// Settings that differ in what matters here; the first are those of everybody.
fn settings() -> Vec<Arc<Settings>> {
    let changed = |change: &dyn Fn(&mut Settings)| {
        let mut settings = Settings::default();
        change(&mut settings);
        settings
    };
    let written = "
        [languages.rust.trigger]
        recentEditMs = 2000
        sameLineCooldownMs = 700
        rejectionCooldownMs = 300
        [languages.markdown]
        trigger.enabled = false
        lanes.fim.enabled = false
        gate.enabled = false
    ";
    let all = [
        Settings::default(),
        changed(&|it| it.trigger.selection_debounce = Millis::ZERO),
        changed(&|it| {
            it.trigger.document_switch = Millis::from_seconds(60);
            it.trigger.immediate_selections = 1;
            it.trigger.selection_debounce = Millis::new(1_000);
        }),
        settings_of(written),
        changed(&|it| {
            it.trigger.rejection_cooldown = Millis::new(50);
            it.trigger.same_line_cooldown = Millis::new(100);
            it.trigger.immediate_selections = 0;
            (it.pace.base, it.pace.min) = (Millis::ZERO, Millis::ZERO);
            it.pace.rhythm = false;
        }),
        changed(&|it| {
            it.trigger.same_line_memory = SameLineMemory::UntilEdit;
            it.context.enabled = false;
            it.gate.enabled = false;
            it.pace.idle = Millis::new(2_500);
        }),
        changed(&|it| {
            (it.race.cap, it.race.explicit_cap) = (Millis::ZERO, Millis::new(1));
            it.lanes.next_edit.enabled = false;
        }),
        changed(&|it| {
            it.trigger.ignored_schemes = vec!["file".to_owned()];
            it.trigger.max_lines = 3;
        }),
        changed(&|it| {
            it.trigger.enabled = false;
            it.lanes.fim.enabled = false;
            it.rejections.per_document = 1;
        }),
        changed(&|it| {
            it.lanes.fim.enabled = false;
            it.lanes.next_edit.enabled = false;
            it.lanes.fix.enabled = false;
        }),
    ];
    all.into_iter().map(Arc::new).collect()
}

/// Plays random sessions and says what happened in all of them.
fn play(verbs: &[(u32, Verb)], cases: u32, count: usize) -> Tally {
    let settings = settings();
    let tally = RefCell::new(Tally::default());
    let config = ProptestConfig::with_cases(cases);
    proptest!(config, |(steps in steps(verbs, count), first in any::<prop::sample::Index>())| {
        let mut session = Session::new(&settings, first.index(settings.len()));
        for step in &steps {
            session.happen(step);
        }
        tally.borrow_mut().add(session.end());
    });
    tally.into_inner()
}

#[test]
fn a_person_at_work_is_asked_no_more_than_the_rules_allow() {
    let tally = play(&AT_WORK, 100, 250);
    println!("{tally:?}");
    let Tally {
        asked_at_once,
        asked_late,
        started,
        cancelled,
        joined,
        offered,
        withheld,
        spared,
        ..
    } = tally;
    let least = [
        asked_at_once,
        asked_late,
        started,
        cancelled,
        joined,
        offered,
        withheld,
        spared,
    ];
    assert!(least.iter().all(|count| *count >= 10), "{tally:?}");
}

#[test]
fn an_editor_that_makes_no_sense_breaks_no_rule() {
    let tally = play(&SENSELESS, 150, 250);
    println!("{tally:?}");
    let least = [
        tally.started,
        tally.cancelled,
        tally.offered,
        tally.withheld,
        tally.ignored,
    ];
    assert!(least.iter().all(|count| *count >= 10), "{tally:?}");
}
