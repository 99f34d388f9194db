//! What is said of a trace that cannot be read: which line, and what is wrong with it.

use foretell_core::{Event, SuggestionRequest};
use foretell_text::ByteOffset;
use foretell_trace::{LineContent, Trace};

const HEADER: &str = r#"{"foretell":"trace","version":1,"offsets":"utf-16"}"#;
const OPEN: &str = r#"{"t":5,"event":"open","doc":"a","language":"rust","text":"let 😀 = 1;"}"#;

/// What is said of a trace in which a document is open, with one more line.
fn said_of(line: &str) -> String {
    let trace = [HEADER, OPEN, line].join("\n");
    said_of_all(&trace)
}

fn said_of_all(trace: &str) -> String {
    match Trace::read("t.jsonl", trace.as_bytes()) {
        Ok(_) => "fine".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_header_may_say_which_class_a_trace_is_of() {
    let header = |class: &str| {
        let start = r#"{"foretell":"trace","version":1,"offsets":"utf-16""#;
        format!("{start}{class}}}")
    };
    let class_of = |class: &str| {
        let trace = Trace::read("t.jsonl", header(class).as_bytes());
        trace.ok().and_then(|it| it.class().map(str::to_owned))
    };
    assert_eq!(class_of(r#","class":"rename""#).as_deref(), Some("rename"));
    assert_eq!(class_of(""), None);
    let odd = said_of_all(&header(r#","class":7"#));
    assert!(odd.starts_with("t.jsonl:1: `class` is "), "{odd}");
}

#[test]
fn a_trace_begins_with_its_header() {
    let not_a_trace = r#"t.jsonl:1: not a trace: the first line must be its header, such as {"foretell":"trace","version":1,"offsets":"utf-16"}"#;
    assert_eq!(said_of_all(""), not_a_trace);
    assert_eq!(said_of_all("\n{}"), not_a_trace);
    assert_eq!(said_of_all(r#"{"foretell":"trail"}"#), not_a_trace);
    assert_eq!(said_of_all(OPEN), not_a_trace);
    assert_eq!(
        said_of_all("# notes"),
        "t.jsonl:1: not JSON: expected value, at column 1"
    );
    assert_eq!(
        said_of_all(r#"{"foretell":"trace","version":2,"offsets":"utf-16"}"#),
        "t.jsonl:1: version 2 of the format is not supported; this is for version 1"
    );
    assert_eq!(
        said_of_all(r#"{"foretell":"trace","version":1}"#),
        "t.jsonl:1: `offsets` is missing"
    );
    assert_eq!(
        said_of_all(r#"{"foretell":"trace","version":1,"offsets":"utf-32"}"#),
        r#"t.jsonl:1: `offsets` is "utf-32", but must be one of utf-16, utf-8"#
    );
}

#[test]
fn a_line_that_is_no_event_is_named() {
    assert_eq!(
        said_of(r#"{"t":5,"event":"#),
        "t.jsonl:3: not JSON: EOF while parsing a value, at column 15"
    );
    assert_eq!(
        said_of("[]"),
        "t.jsonl:3: a list where an object is expected: every line is one, in braces"
    );
    assert_eq!(said_of(r#"{"event":"clear"}"#), "t.jsonl:3: `t` is missing");
    assert_eq!(
        said_of(r#"{"t":-1,"event":"clear"}"#),
        "t.jsonl:3: `t` is a negative number, but must be a whole number from 0 on"
    );
    assert_eq!(said_of(r#"{"t":6}"#), "t.jsonl:3: `event` is missing");
    assert_eq!(
        said_of(r#"{"t":6,"event":"explode"}"#),
        "t.jsonl:3: unknown event \"explode\"; there are open, edit, select, focus, save, close, \
         diagnostics, request, cancel, lane, predict, show, accept, reject, ignore, reject-edit, check, \
         clear, settings, expect, connect, lose, forget, restore, secrets, excluded, paused, contested, used, ahead, speed, \
         typing-gaps, shutdown"
    );
}

#[test]
fn time_never_runs_backwards() {
    assert_eq!(said_of(r#"{"t":5,"event":"clear"}"#), "fine");
    assert_eq!(
        said_of(r#"{"t":4,"event":"clear"}"#),
        "t.jsonl:3: time runs backwards: `t` is 4 after 5"
    );
}

#[test]
fn a_missing_field_and_one_of_the_wrong_kind_are_named_with_their_place() {
    assert_eq!(
        said_of(r#"{"t":6,"event":"focus"}"#),
        "t.jsonl:3: `doc` is missing"
    );
    assert_eq!(
        said_of(r#"{"t":6,"event":"focus","doc":7}"#),
        "t.jsonl:3: `doc` is a whole number, but must be a text"
    );
    assert_eq!(
        said_of(
            r#"{"t":6,"event":"edit","doc":"a","changes":[{"at":0,"delete":0,"insert":""},{"at":1,"insert":"x"}]}"#
        ),
        "t.jsonl:3: `changes[1].delete` is missing"
    );
    assert_eq!(
        said_of(
            r#"{"t":6,"event":"edit","doc":"a","changes":[{"at":"0","delete":0,"insert":""}]}"#
        ),
        "t.jsonl:3: `changes[0].at` is a text, but must be a whole number from 0 on"
    );
    assert_eq!(
        said_of(r#"{"t":6,"event":"select","doc":"a","selections":[[0,0],[1]]}"#),
        "t.jsonl:3: `selections[1]` is a list, but must be a list of two offsets"
    );
    assert_eq!(
        said_of(r#"{"t":6,"event":"edit","doc":"a","changes":[],"reason":"typd"}"#),
        r#"t.jsonl:3: `reason` is "typd", but must be one of typed, undo, redo, other"#
    );
    assert_eq!(
        said_of(
            r#"{"t":6,"event":"diagnostics","doc":"a","items":[{"at":0,"len":3,"severity":"error","message":"m","fixes":[{"title":"t","changes":null}]}]}"#
        ),
        "t.jsonl:3: `items[0].fixes[0].changes` is null, but must be a list"
    );
}

#[test]
fn an_offset_must_be_a_place_in_the_text_as_it_is_at_that_line() {
    assert_eq!(
        said_of(r#"{"t":6,"event":"check","doc":"a","edit":{"at":12,"delete":0,"insert":"x"}}"#),
        "t.jsonl:3: `edit.at` does not fit the text: UTF-16 offset 12 is past the end of a text of \
         11 UTF-16 units"
    );
    assert_eq!(
        said_of(r#"{"t":6,"event":"check","doc":"a","edit":{"at":5,"delete":0,"insert":"x"}}"#),
        "t.jsonl:3: `edit.at` does not fit the text: UTF-16 offset 5 is inside the character at \
         bytes [4, 8)"
    );
    assert_eq!(
        said_of(r#"{"t":6,"event":"check","doc":"a","edit":{"at":4,"delete":1,"insert":"x"}}"#),
        "t.jsonl:3: `edit.delete` does not fit the text: UTF-16 offset 5 is inside the character at \
         bytes [4, 8)"
    );
    let shortened = [
        r#"{"t":6,"event":"edit","doc":"a","changes":[{"at":3,"delete":8,"insert":""}]}"#,
        r#"{"t":6,"event":"request","id":"e1","doc":"a","at":4,"cause":"explicit"}"#,
    ];
    assert_eq!(
        said_of(&shortened.join("\n")),
        "t.jsonl:4: `at` does not fit the text: UTF-16 offset 4 is past the end of a text of 3 \
         UTF-16 units"
    );
    let bytes = r#"{"foretell":"trace","version":1,"offsets":"utf-8"}"#;
    let inside = r#"{"t":6,"event":"select","doc":"a","selections":[[0,7]]}"#;
    assert_eq!(
        said_of_all(&[bytes, OPEN, inside].join("\n")),
        "t.jsonl:3: `selections[0][1]` does not fit the text: byte offset 7 is inside the character \
         at bytes [4, 8)"
    );
}

#[test]
fn changes_are_sorted_and_do_not_overlap() {
    let changes = |changes: &str| {
        said_of(&format!(
            r#"{{"t":6,"event":"edit","doc":"a","changes":[{changes}]}}"#
        ))
    };
    let wrong = "t.jsonl:3: `changes[1]` begins before the end of the change before it; sort them \
                 and merge overlaps";
    let (first, second) = (
        r#"{"at":0,"delete":2,"insert":"x"}"#,
        r#"{"at":1,"delete":0,"insert":"y"}"#,
    );
    assert_eq!(changes(&[first, second].join(",")), wrong);
    assert_eq!(changes(&[second, first].join(",")), wrong);
    let touching = r#"{"at":2,"delete":0,"insert":"y"}"#;
    assert_eq!(changes(&[first, touching].join(",")), "fine");
}

#[test]
fn settings_of_a_trace_are_checked_where_they_stand() {
    assert_eq!(
        said_of(r#"{"t":6,"event":"settings","set":{"rejections.totl":5}}"#),
        r#"t.jsonl:3: unknown setting "rejections.totl"; did you mean "rejections.total"?"#
    );
    assert_eq!(
        said_of(r#"{"t":6,"event":"settings","set":{"rejections.total":-5}}"#),
        "t.jsonl:3: rejections.total is -5, but must be from 0 to 10000"
    );
    assert_eq!(
        said_of(r#"{"t":6,"event":"settings","set":["rejections.total"]}"#),
        "t.jsonl:3: `set` is a list, but must be an object"
    );
}

#[test]
fn a_lane_answers_or_fails() {
    let asked = r#"{"t":6,"event":"request","id":"e1","doc":"a","at":0,"cause":"automatic"}"#;
    let said = |lane: &str| {
        let lane = format!(r#"{{"t":6,"event":"lane","id":"e1","lane":"fim"{lane}}}"#);
        said_of(&[asked, &lane].join("\n"))
    };
    assert_eq!(said(r#","candidates":[]"#), "fine");
    assert_eq!(said(r#","failure":"timed-out","retryAfterMs":5"#), "fine");
    assert_eq!(
        said(""),
        "t.jsonl:4: `candidates` or `failure` is missing: a lane does one of both"
    );
    assert_eq!(
        said(r#","candidates":[],"failure":"cut""#),
        "t.jsonl:4: `candidates` and `failure` are both there: a lane does one of both"
    );
    assert!(said(r#","failure":"tired""#).starts_with(r#"t.jsonl:4: `failure` is "tired", but"#));
    assert_eq!(
        said_of(r#"{"t":6,"event":"lane","id":"e9","lane":"fix","candidates":[{"changes":[]}]}"#),
        "t.jsonl:3: `candidates[0].doc` is missing, and no `request` line of that id says which \
         document is meant"
    );
}

#[test]
fn a_lane_answers_the_text_that_it_was_asked_about() {
    let trace = [
        HEADER,
        OPEN,
        r#"{"t":6,"event":"request","id":"e1","doc":"a","at":11,"cause":"automatic"}"#,
        r#"{"t":7,"event":"edit","doc":"a","changes":[{"at":0,"delete":11,"insert":""}]}"#,
        r#"{"t":8,"event":"lane","id":"e1","lane":"fim","candidates":[{"changes":[{"at":11,"delete":0,"insert":"x"}]}]}"#,
    ];
    let trace = Trace::read("t.jsonl", trace.join("\n").as_bytes()).unwrap();
    let LineContent::Event(Event::LaneAnswered { candidates, .. }) = &trace.lines()[3].what else {
        panic!("not an answer");
    };
    let at = candidates[0].edit.span().unwrap().start();
    assert_eq!(at, ByteOffset::new(13));
}

#[test]
fn bytes_that_are_no_text_are_named_by_their_line() {
    let mut bytes = [HEADER, OPEN, ""].join("\n").into_bytes();
    bytes.extend(b"{\"t\":6,\"event\":\"\xff\"}");
    let error = Trace::read("t.jsonl", &bytes).unwrap_err();
    assert_eq!(error.to_string(), "t.jsonl:3: not UTF-8");
}

#[test]
fn blank_lines_windows_line_ends_a_byte_order_mark_and_unknown_fields_do_no_harm() {
    let trace = format!(
        "\u{feff}{HEADER}\r\n\r\n{OPEN}\r\n \r\n{{\"t\":5,\"event\":\"clear\",\"why\":{{}}}}\r\n"
    );
    let trace = Trace::read("t.jsonl", trace.as_bytes()).unwrap();
    let numbers: Vec<_> = trace.lines().iter().map(|line| line.number).collect();
    assert_eq!(numbers, [3, 5]);
}

#[test]
fn of_a_document_that_is_not_open_everything_is_taken_at_its_word() {
    for line in [
        r#"{"t":6,"event":"reject-edit","doc":"b","edit":{"at":99,"delete":9,"insert":"x"}}"#,
        r#"{"t":6,"event":"edit","doc":"b","changes":[{"at":99,"delete":9,"insert":"x"}]}"#,
        r#"{"t":6,"event":"check","doc":"b","edit":{"at":18446744073709551615,"delete":9,"insert":""}}"#,
    ] {
        assert_eq!(said_of(line), "fine", "{line}");
    }
}

#[test]
fn a_trace_cannot_drive_a_terminal() {
    let header = "{\"foretell\":\"trace\",\"version\":\"\\u009b31m\\u007f\",\"offsets\":\"utf-8\"}";
    let error = Trace::read("t.jsonl", header.as_bytes()).unwrap_err();
    assert!(!error.to_string().chars().any(char::is_control), "{error}");
}

#[test]
fn a_request_may_be_named_by_a_number() {
    let trace = [
        r#"{"foretell":"trace","version":1,"offsets":"utf-8"}"#,
        r#"{"t":0,"event":"open","doc":"file:///a","language":"x","text":"a"}"#,
        r#"{"t":1,"event":"request","id":7,"doc":"file:///a","at":0,"cause":"explicit"}"#,
        r#"{"t":2,"event":"cancel","id":7}"#,
    ]
    .join("\n");
    let trace = Trace::read("t.jsonl", trace.as_bytes()).unwrap();
    let names: Vec<_> = trace
        .lines()
        .iter()
        .filter_map(|line| match &line.what {
            LineContent::Event(Event::SuggestionRequested(SuggestionRequest {
                request, ..
            }))
            | LineContent::Event(Event::RequestCancelled { request }) => trace.request(*request),
            _ => None,
        })
        .map(|request| request.name.as_str())
        .collect();
    assert_eq!(names, ["7", "7"]);
}
