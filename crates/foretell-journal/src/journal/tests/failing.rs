//! The words for lanes that fail, are too slow or cannot be asked.

use foretell_core::{Event, FailureKind, RequestCause};
use foretell_settings::Home;
use foretell_text::{LaneKind, LaneSpeed};

use super::{CODE, HERE, REFUSED, assert_reads};
use crate::stage::{FIM_ALONE, JournalStage};

#[test]
fn a_lane_fails_until_it_rests() {
    let mut stage = JournalStage::with("", CODE);
    for number in 0..4 {
        stage.at(1_000 + 1_000 * number);
        stage.type_at(HERE, "4");
        let request = stage.ask(HERE + 1);
        stage.at(1_012 + 1_000 * number);
        if number < 3 {
            stage.lane_fails(request, LaneKind::Fim, REFUSED);
        }
        if number == 0 {
            assert_reads(
                &stage,
                "Nothing was shown: fim failed: nobody listens at http://127.0.0.1:8080; is the model server running?.\n\
         Look into it with foretell doctor.\n\
         \n\
         The latest decisions, newest first:\n\
         - just now, cart.ts:2:12: the editor asked; fim failed after 12 ms (refused); nothing was shown\n",
            );
        }
    }
    assert_reads(
        &stage,
        "Nothing was shown: fim was not asked: it rests for another 9 s after it failed (nobody listens at http://127.0.0.1:8080; is the model server running?).\n\
         Look into it with foretell doctor.\n\
         \n\
         The latest decisions, newest first:\n\
         - just now, cart.ts:2:12: the editor asked; fim was not asked: it rests for another 9 s after it failed; nothing was shown\n\
         - 1 s ago: fim is left alone for 10 s, since it failed (refused)\n\
         - 1 s ago, cart.ts:2:12: the editor asked; fim failed after 12 ms (refused); nothing was shown\n\
         - 2 s ago, cart.ts:2:12: the editor asked; fim failed after 12 ms (refused); nothing was shown\n\
         - 3 s ago, cart.ts:2:12: the editor asked; fim failed after 12 ms (refused); nothing was shown\n",
    );
}

#[test]
fn how_a_lane_broke_is_said_once_and_the_cause_first() {
    let mut stage = JournalStage::with("", CODE);
    let broke = "http://127.0.0.1:8080 is broken itself: see what the model server logs (status 500); \
                 it says: out of memory";
    let kind = FailureKind::ServerError;
    stage.at(1_000);
    let request = stage.ask(HERE);
    stage.at(1_037);
    stage.lane_fails_by(request, LaneKind::Fim, kind, broke);
    stage.at(2_000);
    assert_reads(
        &stage,
        "Nothing was shown: fim failed: http://127.0.0.1:8080 answered with status 500 and is broken itself: see what the model server logs; it says: “out of memory”.\n\
         Look into it with foretell doctor.\n\
         \n\
         The latest decisions, newest first:\n\
         - 963 ms ago, cart.ts:2:11: the editor asked; fim failed after 37 ms (status 500); nothing was shown\n",
    );
    // What is above is not about what happened before.
    let request = stage.request(HERE, RequestCause::Explicit);
    stage.lane_suggests(request, LaneKind::Fim, None);
    let text = stage.text();
    let long =
        "fim failed after 37 ms (http://127.0.0.1:8080 answered with status 500 and is broken";
    assert!(text.contains(long), "{text}");
}

#[test]
fn a_lane_that_cannot_be_asked() {
    let mut stage = JournalStage::with("[lanes.fim]\nkind = \"openai\"", CODE);
    let kind = FailureKind::Misconfigured;
    let says = "lanes.fim.url is needed: write it like http://127.0.0.1:8080";
    for number in 0..4 {
        stage.at(1_000 * number);
        let request = stage.request(HERE, RequestCause::Explicit);
        stage.at(1_000 * number + 18);
        if number < 3 {
            stage.lane_fails_by(request, LaneKind::Fim, kind, says);
        }
        if number == 0 {
            assert_reads(
                &stage,
                "Nothing was shown: fim was not asked: lanes.fim.url is needed: write it like http://127.0.0.1:8080.\n\
         Look into it with foretell doctor.\n\
         \n\
         The latest decisions, newest first:\n\
         - just now, cart.ts:2:11: you asked; fim was not asked (misconfigured); nothing was shown\n",
            );
        }
    }
    let why = stage.why(2);
    let expected = "Nothing was shown: fim was not asked: it rests for another 9 s since it cannot be \
                    asked as it is set up (lanes.fim.url is needed: ";
    assert!(why.text.starts_with(expected), "{}", why.text);
    let rests =
        "fim is left alone for 10 s, since it cannot be asked as it is set up (misconfigured)";
    assert!(why.text.contains(rests), "{}", why.text);
}

#[test]
fn the_doctor_is_not_sent_for_what_it_does_not_see() {
    let server = "[lanes.fim]\nkind = \"openai\"\nurl = \"http://127.0.0.1:8080\"";
    let look = |home: Home| {
        let homes = [
            (Home::UserFile, "config.toml", FIM_ALONE),
            (home, "SOURCE", server),
        ];
        let mut stage = JournalStage::set_up(&homes, CODE);
        let request = stage.at(1_000).ask(HERE);
        stage.lane_fails(request, LaneKind::Fim, REFUSED);
        stage.text().lines().nth(1).unwrap().to_owned()
    };
    for home in [Home::UserFile, Home::Environment] {
        assert_eq!(look(home), "Look into it with foretell doctor.");
    }
    assert_eq!(
        look(Home::Editor),
        "Look at lanes.fim.url in the editor's settings, which foretell doctor does not see."
    );
    assert_eq!(
        look(Home::CommandLine),
        "Look at lanes.fim.url in how the server was started, which foretell doctor does not see."
    );
}

#[test]
fn a_model_that_is_too_slow() {
    let mut stage = JournalStage::with("", CODE);
    stage.at(1_000).ask(HERE);
    stage.at(1_400);
    assert_reads(
        &stage,
        "Nothing is shown yet: fim has been asked, and has not answered for 400 ms.\n\
         \n\
         The latest decisions, newest first:\n\
         - 400 ms ago, cart.ts:2:11: the editor asked; fim is asked; no answer yet after 400 ms\n",
    );
    stage.at(5_000);
    assert_reads(
        &stage,
        "Nothing was shown: fim did not answer in time (race.capMs is 1.8 s).\n\
         Look into it with foretell doctor, or raise race.capMs.\n\
         \n\
         The latest decisions, newest first:\n\
         - 2.2 s ago, cart.ts:2:11: the editor asked; fim had not answered after 1.8 s; nothing was shown\n",
    );
}

#[test]
fn a_model_that_answers_when_the_editor_no_longer_waits() {
    let mut stage = JournalStage::with(SLOW_MODEL, CODE);
    let request = stage.at(1_000).ask(HERE);
    stage.at(3_400);
    assert_reads(
        &stage,
        "Nothing was shown: fim is still being asked, 2.4 s so far; what it says will be shown when it \
         comes (race.capMs is 1.8 s).\n\
         \n\
         The latest decisions, newest first:\n\
         - 600 ms ago, cart.ts:2:11: the editor asked; fim had not answered after 1.8 s; nothing was shown\n",
    );
    stage
        .at(4_100)
        .lane_suggests(request, LaneKind::Fim, Some((HERE, "total")));
    assert_reads(
        &stage,
        "Nothing was shown: fim answered after 3.1 s, longer than the editor waits (race.capMs is 1.8 s); \
         what it said is shown when you pause there.\n\
         \n\
         The latest decisions, newest first:\n\
         - just now, cart.ts:2:11: a model has answered late, and the editor was told to ask\n\
         - 1.3 s ago, cart.ts:2:11: the editor asked; fim answered late, after 3.1 s; nothing was shown\n",
    );
}

#[test]
fn a_model_that_a_request_waited_for_with_an_older_one() {
    let mut stage = JournalStage::with(SLOW_MODEL, CODE);
    let request = stage.at(1_000).ask(HERE);
    stage.at(1_500).type_at(HERE, "t");
    stage.ask(HERE + 1);
    stage.at(4_000);
    assert_begins(
        &stage,
        "Nothing was shown: fim is still being asked, 3 s so far; what it says will be shown when it \
         comes (race.capMs is 1.8 s).\n",
    );
    stage
        .at(4_100)
        .lane_suggests(request, LaneKind::Fim, Some((HERE, "total")));
    assert_begins(
        &stage,
        "Nothing was shown: fim answered after 3.1 s, longer than the editor waits (race.capMs is 1.8 s); \
         what it said is shown when you pause there.\n",
    );
}

#[test]
fn a_model_that_falls_silent_is_told_by_its_fault_and_not_by_the_cap() {
    let mut stage = JournalStage::with(SLOW_MODEL, CODE);
    let request = stage.at(1_000).ask(HERE);
    let says = "http://127.0.0.1:8012 did not begin to answer in time: raise lanes.fim.firstByteMs if \
                the model is slow";
    stage
        .at(6_000)
        .lane_fails_by(request, LaneKind::Fim, FailureKind::TimedOut, says);
    assert_reads(
        &stage,
        "Nothing was shown: fim did not answer in time (race.capMs is 1.8 s), and then failed: \
         http://127.0.0.1:8012 did not begin to answer in time: raise lanes.fim.firstByteMs if the model \
         is slow.\n\
         Look into it with foretell doctor.\n\
         \n\
         The latest decisions, newest first:\n\
         - 3.2 s ago, cart.ts:2:11: the editor asked; fim had not answered after 1.8 s; nothing was shown\n",
    );
}

#[test]
fn a_model_that_writes_too_slowly_is_not_asked_while_you_type() {
    let mut stage = JournalStage::plainly(SLOW_CHAT, CODE);
    let speed = LaneSpeed {
        read: Some(150),
        written: Some(20),
        repeats_region: true,
    };
    let lane = LaneKind::NextEdit;
    stage.tell(Event::LaneSpeedKnown { lane, speed });
    stage.at(1_000).ask(HERE);
    assert_reads(
        &stage,
        "Nothing was shown: next-edit was not asked: its model writes 20 tokens a second, and rewriting \
         takes hundreds of tokens, so that it is not asked while you type.\n\
         Ask by a key, or set lanes.nextEdit.kind to \"embedded\", which needs no model.\n\
         \n\
         The latest decisions, newest first:\n\
         - just now, cart.ts:2:11: the editor asked; next-edit was not asked: its model writes 20 tokens a \
         second, and rewriting takes hundreds of tokens, so that it is not asked while you type; nothing \
         was shown\n",
    );
}

/// Settings with a model for next edits alone.
const SLOW_CHAT: &str = "pace.baseMs = 0\npace.minMs = 0\npace.rhythm = false\n\
                         context.enabled = false\nlanes.fim.enabled = false\nlanes.fix.enabled = false\n\
                         lanes.nextEdit.kind = 'openai-chat'\n\
                         lanes.nextEdit.url = 'http://127.0.0.1:8012'";

/// Settings with a model that fills in.
const SLOW_MODEL: &str = "lanes.fim.kind = 'llama-cpp'\nlanes.fim.url = 'http://127.0.0.1:8012'";

/// Compares the beginning of what is said.
fn assert_begins(stage: &JournalStage, expected: &str) {
    let text = stage.text();
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn a_server_that_is_busy_with_another_document() {
    let mut stage = JournalStage::with(SLOW_MODEL, CODE);
    stage.at(1_000).request(HERE, RequestCause::Explicit);
    stage.open("file:///src/other.ts", CODE);
    stage.at(1_500).ask(HERE);
    stage.at(4_000);
    assert_reads(
        &stage,
        "Nothing was shown: fim was not asked: its server was busy with another question (race.capMs is \
         1.8 s).\n\
         Ask again when that is answered.\n\
         \n\
         The latest decisions, newest first:\n\
         - 700 ms ago, other.ts:2:11: the editor asked; fim was not asked: its server was busy with another \
         question; nothing was shown\n",
    );
}

#[test]
fn both_limits_of_a_day_are_reached() {
    let limits = "lanes.fim.requestsPerDay = 1\nlanes.fim.tokensPerDay = 50";
    let mut stage = JournalStage::with(&format!("{SLOW_MODEL}\n{limits}"), CODE);
    let request = stage.at(1_000).ask(HERE);
    stage.at(1_100).lane_suggests(request, LaneKind::Fim, None);
    stage.at(2_000).type_at(HERE, "x");
    stage.ask(HERE + 1);
    assert_begins(
        &stage,
        "Nothing was shown: fim was not asked: its limit of 1 is reached until midnight UTC \
         (lanes.fim.requestsPerDay, set in config.toml:3:11) and its limit of 50 is reached until midnight \
         UTC (lanes.fim.tokensPerDay, set in config.toml:4:11).\n\
         Wait, or raise lanes.fim.requestsPerDay and lanes.fim.tokensPerDay.\n",
    );
}
