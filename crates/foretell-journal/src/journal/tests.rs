//! The answers to "why was nothing shown?", in whole texts, and the cost of being able to give them.

mod failing;
mod misfits;

use foretell_core::{Event, RequestCause};
use foretell_settings::Home;
use foretell_text::{DocumentId, LaneKind};

use super::{MOST, MOST_BYTES};
use crate::stage::{BEGAN, JournalStage};

const CODE: &str = "const x = 1\nconst y = \n";
/// Behind `const y = `.
const HERE: usize = 22;
const REFUSED: &str = "nobody listens at http://127.0.0.1:8080; is the model server running?";

#[track_caller]
fn assert_reads(stage: &JournalStage, expected: &str) {
    assert_eq!(stage.text(), expected, "\n{}", stage.text());
}

#[test]
fn nothing_has_happened() {
    let stage = JournalStage::with("", CODE);
    assert_reads(
        &stage,
        "Nothing has been asked about cart.ts so far.\n\
         Type something there, or ask by a key.\n",
    );
}

#[test]
fn a_document_that_nobody_opened() {
    let mut stage = JournalStage::with("", CODE);
    stage.document = DocumentId::new("file:///src/other.ts");
    assert_reads(
        &stage,
        "other.ts is not open here, so that nothing is asked about it.\n\
         Close it and open it again.\n",
    );
}

#[test]
fn a_suggestion_was_rejected_and_it_stays_quiet() {
    let mut stage = JournalStage::with("", CODE);
    stage.at(1_000).type_at(HERE, "2");
    stage.at(1_010).move_to(HERE + 1);
    stage.at(1_020);
    let request = stage.ask(HERE + 1);
    stage.at(1_160);
    stage.lane_suggests(request, LaneKind::Fim, Some((HERE + 1, "3")));
    stage.show(request);
    stage.at(2_000).reject(request);
    stage.at(3_500).type_at(HERE + 1, "4");
    stage.at(3_501).move_to(HERE + 2);
    stage.at(3_600).move_to(HERE + 1);
    stage.at(4_000);
    assert_reads(
        &stage,
        "Nothing was asked: something was rejected a moment ago (trigger.rejectionCooldownMs is 5 s).\n\
         \n\
         The latest decisions, newest first:\n\
         - 400 ms ago, cart.ts:2:12: the cursor moved, and nothing was asked: something was rejected a moment ago (trigger.rejectionCooldownMs is 5 s) (2 times)\n\
         - 500 ms ago, cart.ts: rejection 1 sleeps: something else was typed there\n\
         - 2 s ago, cart.ts:2:12: rejection 1: this change will not be shown again\n\
         - 2 s ago, cart.ts:2:12: the editor asked as it was told to; fim answered after 140 ms; 1 suggestion from fim; you rejected it after 840 ms\n\
         - 2.9 s ago, cart.ts:2:12: the cursor came to rest, and the editor was told to ask\n",
    );
}

#[test]
fn a_next_edit_elsewhere_is_not_told_as_nothing() {
    let at_once = "[pace]\nbaseMs = 0\nminMs = 0\nrhythm = false\n[context]\nenabled = false\n";
    let mut stage = JournalStage::plainly(at_once, CODE);
    stage.at(1_000);
    let next = stage.ask_edit(HERE);
    let inline = stage.ask(HERE);
    stage.at(1_080);
    stage.lane_suggests(next, LaneKind::NextEdit, Some((0, "// rounded\n")));
    stage.lane_suggests(next, LaneKind::Fim, None);
    stage.at(1_090);
    stage.lane_suggests(inline, LaneKind::NextEdit, None);
    stage.lane_suggests(inline, LaneKind::Fim, None);
    stage.at(3_000);
    let text = stage.text();
    assert!(text.starts_with("Something was suggested: "), "{text}");
    // At another place it is.
    stage.ask(HERE - 1);
    stage.at(4_000);
    let text = stage.text();
    assert!(!text.starts_with("Something was suggested: "), "{text}");
}

#[test]
fn the_text_is_the_one_that_was_asked_about() {
    let mut stage = JournalStage::with("", CODE);
    stage.at(1_000);
    let request = stage.ask(HERE);
    stage.at(1_080);
    stage.lane_suggests(request, LaneKind::Fim, None);
    stage.at(1_500).ask(HERE - 1);
    stage.at(1_600);
    assert_reads(
        &stage,
        "Nothing was shown: the text is the one a model was asked about last.\n\
         Change something, ask by a key, or set gate.enabled to false.\n\
         \n\
         The latest decisions, newest first:\n\
         - 100 ms ago, cart.ts:2:10: the editor asked; fim was not asked: the text is the one a model was asked about last; nothing was shown\n\
         - 520 ms ago, cart.ts:2:11: the editor asked; fim had nothing after 80 ms; nothing was shown\n",
    );
}

#[test]
fn a_suggestion_is_carried_along_and_taken() {
    let mut stage = JournalStage::with("", CODE);
    stage.at(1_000);
    let request = stage.ask(HERE);
    stage.at(1_200);
    stage.lane_suggests(request, LaneKind::Fim, Some((HERE, "42;")));
    stage.at(1_300).type_at(HERE, "4");
    let carried = stage.ask(HERE + 1);
    stage.show(carried);
    stage.at(2_500).accept(carried);
    stage.at(3_000);
    assert_reads(
        &stage,
        "Something was suggested: 1 suggestion from fim, carried along with what you type, and you took it after 1.2 s.\n\
         \n\
         The latest decisions, newest first:\n\
         - 500 ms ago, cart.ts:2:12: the editor asked; 1 suggestion from fim, carried along with what you type; you took it after 1.2 s\n\
         - 1.8 s ago, cart.ts:2:11: the editor asked; fim answered after 200 ms; 1 suggestion from fim\n",
    );
}

#[test]
fn an_excluded_document() {
    let server = "[lanes.fim]\nkind = \"llama-cpp\"\nurl = \"http://127.0.0.1:8080\"";
    let mut stage = JournalStage::with(server, CODE);
    let document = stage.document.clone();
    stage.tell(Event::ExclusionKnown {
        document,
        is_excluded: true,
    });
    stage.excluded = Some("the glob \"src/**\" means it".into());
    stage.at(1_000).request(HERE, RequestCause::Explicit);
    stage.at(1_100);
    assert_reads(
        &stage,
        "Nothing was shown: fim was not asked: the document must not be sent anywhere, since the glob \"src/**\" means it.\n\
         \n\
         The latest decisions, newest first:\n\
         - 100 ms ago, cart.ts:2:11: you asked; fim was not asked: the document must not be sent anywhere, since the glob \"src/**\" means it; nothing was shown\n",
    );
}

#[test]
fn settings_that_may_be_somebody_elses() {
    let server = "[lanes.fim]\nkind = \"llama-cpp\"\nurl = \"http://127.0.0.1:8080\"";
    let mut stage = JournalStage::with(server, CODE);
    stage.tell(Event::ContestKnown { is_contested: true });
    stage.contested = Some("a workspace may not set \"lanes.fim.url\"".to_owned());
    for moment in 1..=5 {
        stage.at(moment * 1_000);
        stage.request(HERE, RequestCause::Explicit);
    }
    stage.at(5_100);
    let why = stage.why(1);
    let answer = why.text.lines().next();
    // However often that is: it does not rest, and the person is not sent to look at the server.
    assert_eq!(
        answer,
        Some(
            "Nothing was shown: fim was not asked: your settings may not be yours: a workspace may \
             not set \"lanes.fim.url\"."
        )
    );
    assert_eq!(why.decisions[0].reason, Some("contested-settings"));
    assert_eq!(why.decisions[0].next, None);
}

#[test]
fn a_limit_is_reached() {
    let mut stage = JournalStage::with("[lanes.fim]\nrequestsPerDay = 1", CODE);
    stage.at(1_000);
    let request = stage.ask(HERE);
    stage.lane_suggests(request, LaneKind::Fim, None);
    stage.at(2_000).type_at(HERE, "4");
    stage.ask(HERE + 1);
    stage.at(2_500);
    assert_reads(
        &stage,
        "Nothing was shown: fim was not asked: its limit of 1 is reached until midnight UTC (lanes.fim.requestsPerDay, set in config.toml:2:1).\n\
         Wait, or raise lanes.fim.requestsPerDay.\n\
         \n\
         The latest decisions, newest first:\n\
         - 500 ms ago, cart.ts:2:12: the editor asked; fim was not asked: its limit of 1 is reached until midnight UTC (lanes.fim.requestsPerDay, set in config.toml:2:1); nothing was shown\n\
         - 1.5 s ago, cart.ts:2:11: the editor asked; fim had nothing after 0 ms; nothing was shown\n",
    );
}

#[test]
fn settings_switch_it_off() {
    let mut stage = JournalStage::plainly("[trigger]\nenabled = false", CODE);
    stage.at(1_000).type_at(HERE, "4");
    stage.move_to(HERE + 1);
    stage.at(1_100);
    assert_reads(
        &stage,
        "Nothing was asked: the auto-trigger is off (trigger.enabled is false, set in config.toml:2:1).\n\
         Set trigger.enabled to true, or ask by a key.\n\
         \n\
         The latest decisions, newest first:\n\
         - 100 ms ago, cart.ts:2:12: the cursor moved, and nothing was asked: the auto-trigger is off (trigger.enabled is false, set in config.toml:2:1)\n",
    );
    let off = "[lanes]\nfim.enabled = false\nnextEdit.enabled = false\nfix.enabled = false";
    let mut stage = JournalStage::plainly(off, CODE);
    stage.at(1_000).ask(HERE);
    assert_reads(
        &stage,
        "Nothing was shown: every lane is off (lanes.fim.enabled is false, set in config.toml:2:5; lanes.nextEdit.enabled is false, set in config.toml:3:10; lanes.fix.enabled is false, set in config.toml:4:5).\n\
         Set one of them to true if it is wanted.\n\
         \n\
         The latest decisions, newest first:\n\
         - just now, cart.ts:2:11: the editor asked; nothing was shown: a setting switches it off\n",
    );
}

#[test]
fn some_lanes_are_off_and_the_others_have_nothing_to_do() {
    let homes = [
        (
            Home::Editor,
            "editor",
            "[lanes]\nfim.enabled = false\nnextEdit.enabled = false",
        ),
        (
            Home::CommandLine,
            "--set",
            "[lanes]\nnextEdit.enabled = false",
        ),
    ];
    let mut stage = JournalStage::set_up(&homes, CODE);
    stage.at(1_000).ask(HERE);
    assert_reads(
        &stage,
        "Nothing was shown: no lane has anything to do here, and fim and next-edit are off (lanes.fim.enabled is false, set by the editor; lanes.nextEdit.enabled is false, set on the command line).\n\
         Set one of them to true if it is wanted.\n\
         \n\
         The latest decisions, newest first:\n\
         - just now, cart.ts:2:11: the editor asked; nothing was shown: no lane has anything to do here\n",
    );
    let mut stage = JournalStage::set_up(&homes[..1], CODE);
    stage.at(1_000).ask(HERE);
    let together = "fim and next-edit are off (lanes.fim.enabled and lanes.nextEdit.enabled are false, \
                    set by the editor)";
    assert!(stage.text().contains(together), "{}", stage.text());
}

#[test]
fn the_answer_is_data_too() {
    let mut stage = JournalStage::with("", CODE);
    stage.at(1_000);
    let request = stage.ask(HERE);
    stage.at(1_012);
    stage.lane_fails(request, LaneKind::Fim, REFUSED);
    stage.at(1_500);
    let why = serde_json::to_value(stage.why(1)).unwrap();
    let decision = &why["decisions"][0];
    let expected = serde_json::json!({
        "ago": 488,
        "at": BEGAN + 1_012,
        "uri": "file:///src/cart.ts",
        "line": 2,
        "column": 11,
        "what": "withheld",
        "reason": "lane-failed",
        "words": decision["words"],
        "next": "Look into it with foretell doctor",
        "times": 1,
        "lanes": [{
            "lane": "fim",
            "tookMs": 12,
            "lost": "lane-failed",
            "failure": "refused",
            "words": format!("failed after 12 ms ({REFUSED})"),
        }],
    });
    assert_eq!(*decision, expected);
}

#[test]
fn what_is_kept_is_bounded_and_quotes_no_document() {
    let mut stage = JournalStage::with("", "let hunter2 = 1\n");
    for number in 0..2_000_u64 {
        stage.at(1_000 * number);
        let name = "n".repeat((number % 50) as usize * 100);
        stage.open(&format!("file:///{name}/{}.ts", number % 300), "hunter2\n");
        stage.type_at(0, "hunter2");
        stage.move_to(1);
        let request = stage.ask(0);
        match number % 3 {
            0 => stage.lane_suggests(request, LaneKind::Fim, Some((0, "hunter2"))),
            1 => stage.lane_fails(request, LaneKind::Fim, &"é".repeat(5_000)),
            _ => {}
        }
        stage.reject(request);
        let journal = &stage.journal;
        assert!(journal.kept.len() <= MOST);
        assert!(journal.weight <= MOST_BYTES);
        let weight: usize = journal.kept.iter().map(|kept| kept.weight()).sum();
        assert_eq!(weight, journal.weight, "what is let go is let go of");
    }
    let why = stage.around(|journal, around| journal.why(None, usize::MAX, around));
    assert!(why.decisions.len() > 20, "{}", why.decisions.len());
    let all = serde_json::to_string(&why).unwrap() + &format!("{:?}", stage.journal);
    assert!(!all.contains("hunter2"));
}

#[test]
fn a_name_that_is_larger_than_all_there_is_room_for_is_not_kept() {
    let mut stage = JournalStage::with("", CODE);
    stage.open(&"u".repeat(MOST_BYTES + 1), "");
    stage.ask(0);
    assert_eq!((stage.journal.kept.len(), stage.journal.weight), (0, 0));
}

#[test]
fn names_of_files_do_nothing_to_a_terminal() {
    let mut stage = JournalStage::with("", CODE);
    stage.open("file:///a%1b[31m/b\u{202e}%0a.ts", CODE);
    stage.ask(0);
    stage.at(5_000);
    let text = stage.text();
    let is_odd = |c: char| c != '\n' && foretell_text::plain::is_odd(c);
    assert!(!text.contains(is_odd), "{text:?}");
}
