//! What a replay prints for machines: every byte of it.
#![allow(
    clippy::unwrap_used,
    reason = "a test that is wrong about its own input should stop at once and say where"
)]

use foretell_core::{Core, Moment, Spot};
use foretell_settings::{Home, RawSettings};
use foretell_text::{Edit, LaneCandidate, LaneKind, Replacement, Text};
use foretell_trace::{
    JsonLines, LaneAnswerer, LaneSource, Replay, ReplayOptions, RequestSource, Trace,
};
use serde_json::Value;

const SESSION: &str = r#"{"foretell":"trace","version":1,"offsets":"utf-16","license":"MIT"}
{"t":0,"event":"open","doc":"file:///ä.rs","language":"rust","text":"// 😀\nfn größe() {}\n"}
{"t":5,"event":"select","doc":"file:///ä.rs","selections":[[6,6]]}
{"t":10,"event":"reject-edit","doc":"file:///ä.rs","edit":{"at":16,"delete":0,"insert":" -> 'ü'"}}
{"t":11,"event":"reject-edit","doc":"file:///ä.rs","edit":{"at":6,"delete":2,"insert":"fn"}}
{"t":12,"event":"check","doc":"file:///ä.rs","edit":{"at":6,"delete":13,"insert":"fn größe() -> 'ü' {}"},"expect":true}
{"t":13,"event":"check","doc":"file:///ä.rs","edit":{"at":15,"delete":0,"insert":" -> 'ü'"},"expect":false}
{"t":20,"event":"edit","doc":"file:///ä.rs","changes":[{"at":3,"delete":2,"insert":"😀😀"},{"at":16,"delete":0,"insert":"x"}]}
{"t":21,"event":"edit","doc":"file:///ä.rs","changes":[{"at":18,"delete":1,"insert":""}],"reason":"undo"}
{"t":22,"event":"check","doc":"file:///ä.rs","edit":{"at":18,"delete":0,"insert":" -> 'ü'"}}
{"t":25,"event":"request","id":"e1","doc":"file:///ä.rs","at":18,"cause":"explicit","kind":"edit"}
{"t":26,"event":"cancel","id":"e1"}
{"t":30,"event":"settings","set":{"rejections.perDocument":1}}
{"t":31,"event":"reject-edit","doc":"file:///ä.rs","edit":{"at":0,"delete":8,"insert":""}}
{"t":32,"event":"reject-edit","doc":"file:///b.rs","edit":{"at":0,"delete":8,"insert":""}}
{"t":40,"event":"clear"}
{"t":50,"event":"close","doc":"file:///ä.rs"}
"#;

fn printed(trace: &Trace, sources: &[RawSettings]) -> String {
    played(trace, sources, ReplayOptions::default())
}

fn played(trace: &Trace, sources: &[RawSettings], play: ReplayOptions<'_>) -> String {
    let mut replay = Replay::new(trace, sources, play).unwrap();
    let json = JsonLines::of(trace.offsets());
    let mut out = Vec::new();
    while let Some(turn) = replay.advance() {
        json.write_turn(&turn, &replay, &mut out).unwrap();
        replay.core().assert_invariants();
    }
    json.write_summary(&replay.summary(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn read(trace: &str) -> Trace {
    Trace::read("t.jsonl", trace.as_bytes()).unwrap()
}

#[test]
fn every_action_is_a_line_that_names_its_cause() {
    let expected = r#"{"t":5,"n":3,"action":"quiet","doc":"file:///ä.rs","reason":"no-recent-edit"}
{"t":10,"n":4,"action":"remembered","rejection":1,"edit":{"at":16,"delete":0,"insert":" -> 'ü'"}}
{"t":11,"n":5,"action":"ignored-event","reason":"no-effect"}
{"t":12,"n":6,"action":"checked","rejected":true,"rejection":1}
{"t":13,"n":7,"action":"checked","rejected":false}
{"t":20,"n":8,"action":"asleep","rejection":1}
{"t":21,"n":9,"action":"awake","rejection":1}
{"t":22,"n":10,"action":"checked","rejected":true,"rejection":1}
{"t":25,"n":11,"action":"gather","id":"e1"}
{"t":25,"n":11,"action":"start","id":"e1","lane":"next-edit"}
{"t":26,"n":12,"action":"stop","id":"e1","lane":"next-edit","reason":"cancelled"}
{"t":26,"n":12,"action":"answer","id":"e1","withheld":"cancelled"}
{"t":31,"n":14,"action":"remembered","rejection":2,"edit":{"at":0,"delete":8,"insert":""}}
{"t":31,"n":14,"action":"forgotten","rejection":1,"reason":"capacity"}
{"t":32,"n":15,"action":"ignored-event","reason":"unknown-document"}
{"t":40,"n":16,"action":"forgotten","rejection":2,"reason":"cleared"}
{"action":"summary","events":16,"activeMs":50,"edits":2,"timers":0,"selections":1,"triggers":{},"triggersPerMinute":0.0,"quiet":{"no-recent-edit":1},"requests":1,"requestsStarted":1,"requestsStartedPerMinute":1200.0,"requestsSaved":{},"joined":0,"pauses":0,"pausesServed":0,"pausesServedSoon":0,"medianWaitMs":0,"calls":{"next-edit":1},"fimCallsWithoutGate":0,"gateAsked":0,"gateBlocked":0,"gatingRate":0.0,"answered":0,"carried":0,"raced":{},"wins":{},"withheld":{"cancelled":1},"checks":3,"rejected":2,"remembered":2,"fellAsleep":1,"woke":1,"forgotten":{"capacity":1,"cleared":1},"ignored":{"no-effect":1,"unknown-document":1},"awake":0,"asleep":0,"openDocuments":0}
"#;
    assert_eq!(printed(&read(SESSION), &[]), expected);
}

const TYPING: &str = r#"{"foretell":"trace","version":1,"offsets":"utf-16"}
{"t":0,"event":"open","doc":"file:///a.rs","language":"rust","text":"// 😀\nfn a() {\n}\n"}
{"t":0,"event":"settings","set":{"pace.rhythm":false}}
{"t":500,"event":"request","id":"e2","doc":"file:///a.rs","at":0,"cause":"automatic"}
{"t":1000,"event":"edit","doc":"file:///a.rs","changes":[{"at":3,"delete":2,"insert":"é"},{"at":14,"delete":0,"insert":"\nx"}]}
{"t":1100,"event":"select","doc":"file:///a.rs","selections":[[15,15]]}
{"t":1300,"event":"lane","id":"e1","lane":"fim","candidates":[{"doc":"file:///a.rs","changes":[{"at":15,"delete":0,"insert":"()"}]}]}
{"t":1400,"event":"select","doc":"file:///a.rs","selections":[[0,0]]}
{"t":1410,"event":"select","doc":"file:///a.rs","selections":[[6,6]]}
{"t":1500,"event":"select","doc":"file:///a.rs","selections":[[16,16]]}
{"t":1510,"event":"edit","doc":"file:///a.rs","changes":[{"at":0,"delete":1,"insert":""}],"reason":"other"}
{"t":1520,"event":"edit","doc":"file:///b.rs","changes":[{"at":0,"delete":0,"insert":"x"}]}
"#;

#[test]
fn an_editor_that_is_played_asks_after_every_typed_edit_and_when_it_is_told_to() {
    let play = ReplayOptions {
        requests: RequestSource::Typing,
        lanes: LaneSource::Recorded,
        ..ReplayOptions::default()
    };
    let printed = played(&read(TYPING), &[], play);
    let (actions, summary) = printed.split_at(printed.rfind("{\"action\":\"summary\"").unwrap());
    // The first request in a document does not wait. The name e2 is taken. What the trace answers
    // for e1 is that request's; its change is too young for a next edit. The time of e3 would be up at 3450, but the text has moved on.
    let expected = r#"{"t":500,"n":4,"action":"gather","id":"e2"}
{"t":500,"n":4,"action":"start","id":"e2","lane":"fim"}
{"t":500,"n":4,"action":"start","id":"e2","lane":"next-edit"}
{"t":1000,"n":5,"action":"answer","id":"e2","withheld":"superseded"}
{"t":1000,"n":5,"action":"gather","id":"e1"}
{"t":1100,"n":6,"action":"quiet","doc":"file:///a.rs","reason":"same-line-cooldown"}
{"t":1250,"n":5,"action":"stop","id":"e2","lane":"fim","reason":"superseded"}
{"t":1250,"n":5,"action":"stop","id":"e2","lane":"next-edit","reason":"superseded"}
{"t":1250,"n":5,"action":"start","id":"e1","lane":"fim"}
{"t":1300,"n":7,"action":"answer","id":"e1","candidates":[{"changes":[{"at":15,"delete":0,"insert":"()"}],"lane":"fim","from":"lane"}]}
{"t":1400,"n":8,"action":"ask","doc":"file:///a.rs","at":0,"cause":"selection"}
{"t":1400,"n":8,"action":"gather","id":"e3"}
{"t":1410,"n":9,"action":"ask","doc":"file:///a.rs","at":6,"cause":"selection"}
{"t":1410,"n":9,"action":"answer","id":"e3","withheld":"superseded"}
{"t":1410,"n":9,"action":"gather","id":"e4"}
{"t":1510,"n":11,"action":"quiet","doc":"file:///a.rs","reason":"overtaken"}
{"t":1520,"n":12,"action":"ignored-event","reason":"unknown-document"}
{"t":1660,"n":9,"action":"answer","id":"e4","withheld":"overtaken"}
"#;
    assert_eq!(actions, expected);
    for counted in [
        r#""activeMs":1520"#,
        r#""triggers":{"selection":2}"#,
        r#""requests":4,"requestsStarted":2,"#,
        r#""pauses":0,"pausesServed":0,"pausesServedSoon":0,"medianWaitMs":0,"#,
        r#""calls":{"fim":2,"next-edit":1},"fimCallsWithoutGate":2,"gateAsked":2,"gateBlocked":0"#,
    ] {
        assert!(summary.contains(counted), "{counted} in {summary}");
    }
}

#[test]
fn lanes_that_are_played_answer_after_their_time() {
    let play = ReplayOptions {
        requests: RequestSource::Typing,
        lanes: LaneSource::Nothing { latency: 700 },
        ..ReplayOptions::default()
    };
    let printed = played(&read(TYPING), &[], play);
    // It was asked at 500 by line 4, and is stopped before its time; the trace itself answers the
    // next one.
    assert!(!printed.contains(r#""t":1200,"#), "{printed}");
    assert!(printed.contains(r#""action":"answer","id":"e1","candidates""#));
    let quicker = LaneSource::Nothing { latency: 40 };
    let printed = played(
        &read(TYPING),
        &[],
        ReplayOptions {
            lanes: quicker,
            ..play
        },
    );
    let nothing = r#"{"t":540,"n":4,"action":"answer","id":"e2","withheld":"nothing-found"}"#;
    assert!(printed.contains(nothing), "{printed}");
    // What the trace answers itself is left to it.
    let recorded = r#"{"t":1300,"n":7,"action":"answer","id":"e1","candidates""#;
    assert!(printed.contains(recorded), "{printed}");
}

/// A lane that says what stands on the line, and when it was asked.
#[derive(Debug)]
struct Echo;

impl LaneAnswerer for Echo {
    fn answer(&self, core: &Core, now: Moment, lane: LaneKind, spot: &Spot) -> Vec<LaneCandidate> {
        assert_eq!(core.version(&spot.document), Some(spot.version));
        let text = core.text(&spot.document).unwrap();
        let line = text.line_at(spot.at).unwrap();
        let says = format!("{}@{}", text.read(line).unwrap().trim(), now.millis());
        let candidate = LaneCandidate::new(
            spot.document.clone(),
            Edit::from(Replacement::insertion(spot.at, says)),
        );
        match lane {
            LaneKind::Fim => vec![candidate],
            LaneKind::NextEdit | LaneKind::Fix => Vec::new(),
        }
    }
}

const ECHO: &str = r#"{"foretell":"trace","version":1,"offsets":"utf-16"}
{"t":0,"event":"open","doc":"file:///a.rs","language":"rust","text":"é\nlet 😀\n"}
{"t":500,"event":"request","id":"a","doc":"file:///a.rs","at":8,"cause":"explicit"}
{"t":600,"event":"edit","doc":"file:///a.rs","changes":[{"at":0,"delete":1,"insert":"// é"}],"reason":"other"}
{"t":610,"event":"request","id":"c","doc":"file:///a.rs","at":11,"cause":"automatic"}
{"t":2000,"event":"request","id":"b","doc":"file:///a.rs","at":4,"cause":"explicit"}
{"t":2100,"event":"lane","id":"b","lane":"fim","candidates":[]}
"#;

#[test]
fn a_lane_that_is_asked_answers_the_text_at_its_start_after_its_time() {
    let lanes = LaneSource::Asked {
        by: &Echo,
        latency: 300,
    };
    let play = ReplayOptions {
        lanes,
        ..ReplayOptions::default()
    };
    let trace = read(ECHO);
    let first = played(&trace, &[], play);
    // What it says of the text before the formatter still fits, and serves who asks by then.
    let said = r#"{"t":800,"n":3,"action":"answer","id":"c","candidates":[{"changes":[{"at":11,"delete":0,"insert":"let 😀@500"}],"lane":"fim","from":"carried"}]}"#;
    assert!(first.contains(said), "{first}");
    // What the trace answers itself is left to it.
    let nothing = r#"{"t":2300,"n":6,"action":"answer","id":"b","withheld":"nothing-found"}"#;
    assert!(first.contains(nothing), "{first}");
    assert_eq!(first, played(&trace, &[], play));
}

#[test]
fn a_cursor_that_comes_to_rest_asks_for_the_line_that_moved_it() {
    let lines: Vec<&str> = TYPING.lines().take(10).collect();
    let printed = printed(&read(&lines.join("\n")), &[]);
    let rests =
        r#"{"t":1800,"n":10,"action":"ask","doc":"file:///a.rs","at":16,"cause":"selection"}"#;
    assert!(printed.contains(rests), "{printed}");
}

#[test]
fn two_replays_print_the_same_bytes() {
    let trace = read(SESSION);
    assert_eq!(printed(&trace, &[]), printed(&trace, &[]));
    assert_eq!(printed(&trace, &[]), printed(&read(SESSION), &[]));
}

#[test]
fn the_same_session_in_bytes_prints_the_same_but_for_offsets() {
    let in_units = read(SESSION);
    let in_bytes = read(&in_bytes(SESSION));
    let (units, bytes) = (printed(&in_units, &[]), printed(&in_bytes, &[]));
    assert_ne!(units, bytes);
    assert!(
        bytes.contains(r#""edit":{"at":20,"delete":0,"insert":" -> 'ü'"}"#),
        "{bytes}"
    );
    assert!(
        bytes.contains(r#""edit":{"at":0,"delete":12,"insert":""}"#),
        "{bytes}"
    );
    assert_eq!(without_offsets(&units), without_offsets(&bytes));
}

#[test]
fn settings_from_elsewhere_win_or_lose_by_where_they_come_from() {
    let trace = read(SESSION);
    let (line, _) = RawSettings::from_assignment("--set", "rejections.perDocument=7");
    assert!(!printed(&trace, &[line]).contains("capacity"));
    let file = "rejections.perDocument = 7";
    let (file, _) = RawSettings::from_toml(Home::UserFile, "config.toml", file);
    assert!(printed(&trace, &[file]).contains("capacity"));
}

#[test]
fn settings_that_contradict_those_of_the_trace_are_found_before_anything_is_replayed() {
    let trace = read(
        "{\"foretell\":\"trace\",\"version\":1,\"offsets\":\"utf-8\"}\n\
         {\"t\":0,\"event\":\"settings\",\"set\":{\"pace.minMs\":900}}\n",
    );
    let (line, _) = RawSettings::from_assignment("--set", "pace.maxMs=800");
    let faults = Replay::new(&trace, &[line], ReplayOptions::default()).unwrap_err();
    let said = faults[0].to_string();
    assert!(
        said.starts_with(
            "--set: pace.minMs is 900, but must not be above pace.maxMs, which is 800"
        ),
        "{said}"
    );
}

#[test]
fn an_empty_trace_is_a_summary() {
    let trace = read(r#"{"foretell":"trace","version":1,"offsets":"utf-8"}"#);
    let printed = printed(&trace, &[]);
    assert!(printed.starts_with(r#"{"action":"summary","events":0,"#));
    assert_eq!(printed.lines().count(), 1);
}

#[test]
fn a_turn_has_the_text_before_and_the_machine_the_text_after() {
    let trace = read(SESSION);
    let mut replay = Replay::new(&trace, &[], ReplayOptions::default()).unwrap();
    let document = trace.lines()[0].document().unwrap();
    let mut texts = Vec::new();
    while let Some(turn) = replay.advance() {
        texts.extend(turn.before.map(|before: Text| before.to_string()));
    }
    assert_eq!(texts.first().unwrap(), "// 😀\nfn größe() {}\n");
    assert_eq!(texts.last().unwrap(), "// 😀😀\nfn größe() {}\n");
    assert!(replay.core().text(document).is_none());
}

#[test]
fn a_damaged_trace_is_refused_or_replayed_to_its_end() {
    let whole = SESSION.as_bytes();
    let mut refused = 0;
    for at in 0..whole.len() {
        let without = [&whole[..at], &whole[at + 1..]].concat();
        let doubled = [&whole[..=at], &whole[at..]].concat();
        for damaged in [&whole[..at], &without, &doubled] {
            match Trace::read("t.jsonl", damaged) {
                Ok(trace) => assert!(printed(&trace, &[]).ends_with("}\n")),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > whole.len());
}

/// A trace with every offset counted in bytes, found with nothing but strings.
fn in_bytes(trace: &str) -> String {
    let mut text = String::new();
    let mut lines = Vec::new();
    for line in trace.lines() {
        let mut line: Value = serde_json::from_str(line).unwrap();
        if line["offsets"] == "utf-16" {
            line["offsets"] = "utf-8".into();
        }
        if line["event"] == "open" {
            text = line["text"].as_str().unwrap().to_owned();
        }
        let is_open = line["doc"] == "file:///ä.rs";
        if is_open && line.get("at").is_some() {
            line["at"] = bytes(&text, &line["at"]).into();
        }
        if is_open && line.get("edit").is_some() {
            to_bytes(&text, &mut line["edit"]);
        }
        for selection in line["selections"].as_array_mut().into_iter().flatten() {
            for end in selection.as_array_mut().unwrap() {
                *end = bytes(&text, end).into();
            }
        }
        let before = text.clone();
        for change in line["changes"].as_array_mut().into_iter().flatten().rev() {
            to_bytes(&before, change);
            let at = change["at"].as_u64().unwrap() as usize;
            let end = at + change["delete"].as_u64().unwrap() as usize;
            text.replace_range(at..end, change["insert"].as_str().unwrap());
        }
        lines.push(line.to_string());
    }
    lines.join("\n")
}

fn to_bytes(text: &str, change: &mut Value) {
    let end = change["at"].as_u64().unwrap() + change["delete"].as_u64().unwrap();
    let (start, end) = (bytes(text, &change["at"]), bytes(text, &end.into()));
    change["at"] = start.into();
    change["delete"] = (end - start).into();
}

fn bytes(text: &str, units: &Value) -> usize {
    let units = units.as_u64().unwrap() as usize;
    let utf16: Vec<u16> = text.encode_utf16().take(units).collect();
    String::from_utf16(&utf16).unwrap().len()
}

fn without_offsets(printed: &str) -> Vec<Value> {
    let mut lines: Vec<Value> = printed
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for line in &mut lines {
        if let Some(edit) = line.get_mut("edit").and_then(Value::as_object_mut) {
            edit.remove("at");
            edit.remove("delete");
        }
    }
    lines
}

#[test]
fn numbers_beyond_all_are_survived() {
    let most = u64::MAX;
    let trace = format!(
        r#"{{"foretell":"trace","version":1,"offsets":"utf-8"}}
{{"t":0,"event":"edit","doc":"file:///unknown","changes":[{{"at":0,"delete":0,"insert":"x"}},{{"at":{most},"delete":0,"insert":"y"}}]}}
{{"t":0,"event":"used","lane":"fim","day":0,"requests":{most},"tokens":{most}}}
{{"t":0,"event":"open","doc":"file:///a","language":"rust","text":"let x"}}
{{"t":0,"event":"request","id":1,"doc":"file:///a","at":5,"cause":"explicit"}}
{{"t":9,"event":"lane","id":1,"lane":"fim","candidates":[],"usage":{{"promptTokens":{most},"completionTokens":{most}}}}}
"#
    );
    let printed = printed(&read(&trace), &[]);
    assert!(printed.contains(r#""action":"start""#), "{printed}");
}
