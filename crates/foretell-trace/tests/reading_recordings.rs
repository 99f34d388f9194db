//! What recordings have and traces written by hand seldom do: how each line is read, and what is said of
//! one that is wrong.

use foretell_core::{Core, Event, RejectionReports, TextDigest, TokenUsage};
use foretell_testkit::string_model::range;
use foretell_text::{Edit, LaneKind, Text};
use foretell_trace::{LineContent, Replay, ReplayOptions, Trace, TurnOutcome};

const HEADER: &str =
    r#"{"foretell":"trace","version":1,"offsets":"utf-16","recorded":"whole","by":"9.9"}"#;
const OPEN: &str = r#"{"t":5,"event":"open","doc":"a","language":"rust","text":"let 😀 = 1;"}"#;

fn trace(lines: &[&str]) -> Result<Trace, String> {
    let all = [&[HEADER, OPEN], lines].concat().join("\n");
    Trace::read("t.jsonl", all.as_bytes()).map_err(|why| why.to_string())
}

/// What the last of some lines tells the machine.
fn told(lines: &[&str]) -> Event {
    let trace = trace(lines).expect("a trace");
    match &trace.lines().last().expect("a line").what {
        LineContent::Event(event) => event.clone(),
        other => unreachable!("{other:?}"),
    }
}

/// What is said of a line that is wrong.
fn said_of(line: &str) -> String {
    trace(&[line]).err().unwrap_or_default()
}

/// What the machine does at the last of some lines.
fn done(lines: &[&str]) -> Vec<String> {
    let trace = trace(lines).expect("a trace");
    let mut replay =
        Replay::new(&trace, &[], ReplayOptions::default()).expect("settings that apply");
    let mut last = Vec::new();
    while let Some(turn) = replay.advance() {
        if turn.line == lines.len() + 2 {
            let actions = turn.outcomes.iter().map(|outcome| match outcome {
                TurnOutcome::Order(order) => format!("{order:?}"),
                TurnOutcome::Note(note) => format!("{note:?}"),
                TurnOutcome::Checked { .. } => "checked".to_owned(),
            });
            last.extend(actions);
        }
    }
    last
}

#[test]
fn an_editor_connects() {
    let event = told(&[r#"{"t":6,"event":"connect","reports":"inferred"}"#]);
    let Event::ClientConnected { rejections, .. } = event else {
        unreachable!("{event:?}");
    };
    assert_eq!(rejections, RejectionReports::Inferred);
    assert_eq!(
        said_of(r#"{"t":6,"event":"connect","reports":"never"}"#),
        "t.jsonl:3: `reports` is \"never\", but must be one of explicit, inferred"
    );
    assert_eq!(
        said_of(r#"{"t":6,"event":"connect"}"#),
        "t.jsonl:3: `reports` is missing"
    );
}

#[test]
fn an_edit_is_one_or_several_or_the_whole_text() {
    let event = told(&[
        r#"{"t":6,"event":"edit","doc":"a","edits":[[{"at":6,"delete":0,"insert":"é"}],[{"at":7,"delete":0,"insert":"x"}]]}"#,
    ]);
    let Event::DocumentChanged { edits, .. } = event else {
        unreachable!("{event:?}");
    };
    let places: Vec<_> = edits.iter().filter_map(Edit::span).collect();
    assert_eq!(
        places,
        [range(8, 8), range(10, 10)],
        "each in the text after the one before"
    );

    let event = told(&[r#"{"t":6,"event":"edit","doc":"a","text":"new","reason":"undo"}"#]);
    let Event::DocumentReplaced { text, .. } = event else {
        unreachable!("{event:?}");
    };
    assert!(text == *"new");
    // It is the text that later places are in.
    assert_eq!(
        trace(&[
            r#"{"t":6,"event":"edit","doc":"a","text":"new"}"#,
            r#"{"t":6,"event":"select","doc":"a","selections":[[4,4]]}"#,
        ])
        .err()
        .unwrap_or_default(),
        "t.jsonl:4: `selections[0][0]` does not fit the text: UTF-16 offset 4 is past the end of a \
         text of 3 UTF-16 units"
    );
    assert_eq!(
        said_of(r#"{"t":6,"event":"edit","doc":"a"}"#),
        "t.jsonl:3: `changes` is missing"
    );
    assert_eq!(
        said_of(r#"{"t":6,"event":"edit","doc":"a","changes":[],"text":""}"#),
        "t.jsonl:3: only one of changes, edits, text can be there: each says all of it"
    );
    assert_eq!(
        said_of(
            r#"{"t":6,"event":"edit","doc":"a","edits":[[],[{"at":99,"delete":0,"insert":""}]]}"#
        ),
        "t.jsonl:3: `edits[1][0].at` does not fit the text: UTF-16 offset 99 is past the end of a \
         text of 11 UTF-16 units"
    );
}

#[test]
fn a_document_that_is_lost_stays_so_until_its_text_is_sent() {
    let lose = r#"{"t":6,"event":"lose","doc":"a"}"#;
    let nothing = r#"{"t":7,"event":"edit","doc":"a","changes":[]}"#;
    let ask = r#"{"t":8,"event":"request","id":1,"doc":"a","at":0,"cause":"explicit"}"#;
    let whole = r#"{"t":8,"event":"edit","doc":"a","text":"let 😀 = 2;"}"#;
    assert!(done(&[lose])[1].contains("Resync"));
    assert!(done(&[lose, nothing])[0].contains("OutOfStep"));
    assert!(done(&[lose, nothing, ask])[0].contains("OutOfStep"));
    assert!(!done(&[lose, nothing, whole, ask])[0].contains("OutOfStep"));
    let misfit = r#"{"t":6,"event":"edit","doc":"a","changes":[],"outOfStep":true}"#;
    assert!(
        done(&[misfit])[1].contains("Resync"),
        "{:?}",
        done(&[misfit])
    );
    assert_eq!(
        said_of(r#"{"t":6,"event":"lose"}"#),
        "t.jsonl:3: `doc` is missing"
    );
}

#[test]
fn an_editor_may_be_out_of_step() {
    let out_of_step = [
        r#"{"t":6,"event":"request","id":1,"doc":"a","at":0,"cause":"explicit","outOfStep":true}"#,
        r#"{"t":6,"event":"request","id":1,"doc":"a","at":null,"cause":"explicit"}"#,
        r#"{"t":6,"event":"select","doc":"a","selections":[],"outOfStep":true}"#,
        r#"{"t":6,"event":"diagnostics","doc":"a","items":[],"outOfStep":true}"#,
        r#"{"t":6,"event":"secrets","doc":"a","ranges":[],"outOfStep":true}"#,
        r#"{"t":6,"event":"reject-edit","doc":"a","outOfStep":true}"#,
    ];
    for line in out_of_step {
        let done = done(&[line]);
        assert!(
            done.iter().any(|it| it.contains("OutOfStep")),
            "{line}: {done:?}"
        );
    }
    assert_eq!(
        said_of(r#"{"t":6,"event":"select","doc":"a","selections":[],"outOfStep":1}"#),
        "t.jsonl:3: `outOfStep` is a whole number, but must be true or false"
    );
}

#[test]
fn what_a_lane_used_up_and_kept_back_is_read() {
    let event = told(&[
        r#"{"t":6,"event":"lane","id":1,"lane":"fim","candidates":[{"doc":"a","outOfStep":true}],"usage":{"promptTokens":7,"completionTokens":2,"readTokens":5},"withheld":3}"#,
    ]);
    let Event::LaneAnswered {
        usage,
        withheld,
        candidates,
        ..
    } = event
    else {
        unreachable!("{event:?}");
    };
    let expected = TokenUsage {
        prompt_tokens: 7,
        completion_tokens: 2,
        read_tokens: Some(5),
    };
    assert_eq!((usage, withheld), (expected, 3));
    assert!(candidates[0].edit.apply(&Text::from("any text")).is_err());
    assert_eq!(
        said_of(
            r#"{"t":6,"event":"lane","id":1,"lane":"fim","candidates":[],"usage":{"promptTokens":7}}"#
        ),
        "t.jsonl:3: `usage.completionTokens` is missing"
    );
    assert_eq!(
        said_of(r#"{"t":6,"event":"lane","id":1,"lane":"fim","candidates":[],"withheld":"two"}"#),
        "t.jsonl:3: `withheld` is a text, but must be a whole number from 0 on"
    );
}

#[test]
fn what_the_engine_finds_out_is_read() {
    let event = told(&[r#"{"t":6,"event":"secrets","doc":"a","ranges":[[4,6]]}"#]);
    let Event::SecretsFound { ranges, .. } = event else {
        unreachable!("{event:?}");
    };
    assert_eq!(ranges, [range(4, 8)]);
    assert_eq!(
        said_of(r#"{"t":6,"event":"secrets","doc":"a","ranges":[[5,6]]}"#),
        "t.jsonl:3: `ranges[0][0]` does not fit the text: UTF-16 offset 5 is inside the character at \
         bytes [4, 8)"
    );
    let event = told(&[r#"{"t":6,"event":"excluded","doc":"a","excluded":true}"#]);
    assert!(matches!(
        event,
        Event::ExclusionKnown {
            is_excluded: true,
            ..
        }
    ));
    assert_eq!(
        said_of(r#"{"t":6,"event":"excluded","doc":"a"}"#),
        "t.jsonl:3: `excluded` is missing"
    );
    let event = told(&[r#"{"t":6,"event":"paused","doc":"a","paused":true}"#]);
    assert!(matches!(
        event,
        Event::DocumentPaused {
            is_paused: true,
            ..
        }
    ));
    let event = told(&[r#"{"t":6,"event":"contested","contested":false}"#]);
    assert!(matches!(
        event,
        Event::ContestKnown {
            is_contested: false
        }
    ));
    assert_eq!(
        said_of(r#"{"t":6,"event":"contested","contested":null}"#),
        "t.jsonl:3: `contested` is null, but must be true or false"
    );
    let event = told(&[r#"{"t":6,"event":"used","lane":"fix","day":1,"requests":2,"tokens":3}"#]);
    let Event::UsageKnown {
        lane,
        day,
        requests,
        tokens,
    } = event
    else {
        unreachable!("{event:?}");
    };
    assert_eq!((lane, day, requests, tokens), (LaneKind::Fix, 1, 2, 3));
    assert_eq!(
        said_of(r#"{"t":6,"event":"used","lane":"fox","day":1,"requests":2,"tokens":3}"#),
        "t.jsonl:3: `lane` is \"fox\", but must be one of fim, next-edit, fix"
    );
    assert_eq!(
        said_of(r#"{"t":6,"event":"used","lane":"fix","day":-1,"requests":2,"tokens":3}"#),
        "t.jsonl:3: `day` is a negative number, but must be a whole number from 0 on"
    );
    assert!(matches!(
        told(&[r#"{"t":6,"event":"shutdown"}"#]),
        Event::ShuttingDown
    ));
    let event = told(&[r#"{"t":6,"event":"forget","rejection":4}"#]);
    let Event::RejectionForgotten { rejection } = event else {
        unreachable!("{event:?}");
    };
    assert_eq!(rejection.get(), 4);
    assert_eq!(
        said_of(r#"{"t":6,"event":"forget"}"#),
        "t.jsonl:3: `rejection` is missing"
    );
}

#[test]
fn what_is_given_back_belongs_to_a_text_by_digest_or_by_name() {
    let digest = TextDigest::of(&Text::from("abc"));
    let restore = format!(
        r##"{{"t":6,"event":"restore","rejections":[
            {{"doc":"b","changes":[{{"at":3,"delete":0,"insert":"d"}}],"text":"{digest}"}},
            {{"doc":"a","changes":[{{"at":0,"delete":0,"insert":"d"}}],"text":"now"}},
            {{"doc":"b","changes":[{{"at":3,"delete":0,"insert":"d"}}],"text":"#1","asleep":true}},
            {{"doc":"b","changes":[{{"at":1,"delete":0,"insert":"d"}}],"text":"#2"}},
            {{"doc":"b","changes":[{{"at":9,"delete":0,"insert":"d"}}]}}]}}"##
    );
    let restore = restore.replace("\n            ", "");
    let open = r##"{"t":7,"event":"open","doc":"b","language":"rust","text":"xyz","digest":"#1","restored":[[{"at":2,"delete":0,"insert":"q"}]]}"##;
    let trace = trace(&[&restore, open]).expect("a trace");
    let LineContent::Event(Event::RejectionsRestored { rejections }) = &trace.lines()[1].what
    else {
        unreachable!("it is the second line");
    };
    let texts: Vec<_> = rejections.iter().map(|it| it.text).collect();
    let held = TextDigest::of(&Text::from("let 😀 = 1;"));
    assert_eq!(
        texts[..3],
        [
            Some(digest),
            Some(held),
            Some(TextDigest::of(&Text::from("xyz")))
        ]
    );
    assert!(
        texts[3].is_some_and(|it| it.length() == usize::MAX),
        "a text that never comes"
    );
    assert_eq!(texts[4], None);
    assert_eq!(
        rejections[2].edit.to_string(),
        "[2, 2) -> \"q\"",
        "in the words of that text"
    );
    assert!(rejections[2].asleep && !rejections[1].asleep);

    let wrong = r#"{"t":6,"event":"restore","rejections":[{"doc":"a","changes":[],"text":"abc"}]}"#;
    assert_eq!(
        said_of(wrong),
        "t.jsonl:3: `rejections[0].text` is not a digest: it looks like \
         12-00112233445566778899aabbccddeeff"
    );
    assert_eq!(
        said_of(r#"{"t":6,"event":"restore","rejections":[{"doc":"a"}]}"#),
        "t.jsonl:3: `rejections[0].changes` is missing"
    );
}

#[test]
fn several_changes_may_be_rejected_at_once() {
    let both = r#"{"t":6,"event":"reject-edit","doc":"a","changes":[{"at":0,"delete":3,"insert":"var"},{"at":9,"delete":1,"insert":"2"}]}"#;
    let trace = trace(&[both]).expect("a trace");
    let mut replay =
        Replay::new(&trace, &[], ReplayOptions::default()).expect("settings that apply");
    while replay.advance().is_some() {}
    assert_eq!(
        Core::rejections(replay.core())[0].edit.replacements().len(),
        2
    );
}
