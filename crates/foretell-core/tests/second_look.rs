//! The second look: a model that has nothing at the cursor is asked once more, about another place.
//!
//! In these stories next edits ask a model, at once and without context; the fix lane is off unless a story says
//! otherwise. Where else the model may be asked is told by the driver, right before the answer.
#![allow(
    clippy::unwrap_used,
    reason = "a story that goes wrong should stop where it does"
)]

use std::cell::Cell;
use std::collections::BTreeSet;

use foretell_core::RequestCause::{Automatic, Explicit};
use foretell_core::{EditPlace, Event, RequestId, RequestKind, TokenUsage};
use foretell_settings::{BackEnd, ServerUrl, Settings};
use foretell_testkit::expect;
use foretell_testkit::story_editor::{Editor, at_once, insert, replace};
use foretell_testkit::written_settings::settings_of;
use foretell_text::LaneKind::{self, Fim, Fix, NextEdit};
use foretell_text::{ByteOffset, DocumentId, Edit, LaneCandidate};
use proptest::collection::vec;
use proptest::prelude::*;

/// The cursor is on its first line; the same name stands far below.
const TEXT: &str = "let total = 1;\n\n\n\nshow(sum);\nshow(sum);\n";
/// Where it stands.
const BELOW: usize = 23;
const OTHER: &str = "file:///other.ts";

fn models(settings: &mut Settings) {
    at_once(settings);
    settings.lanes.fim.enabled = false;
    settings.lanes.fix.enabled = false;
    settings.lanes.next_edit.kind = BackEnd::OpenAi;
    settings.lanes.next_edit.url = Some(ServerUrl::from("https://models.example"));
}

fn editor_with(change: impl FnOnce(&mut Settings)) -> Editor {
    let mut editor = Editor::with_settings(TEXT, |settings| {
        models(settings);
        change(settings);
    });
    editor.place_cursor(1, 5);
    editor
}

fn editor() -> Editor {
    editor_with(|_| {})
}

/// The editor asks for the next edit.
fn ask(editor: &mut Editor) -> RequestId {
    editor.request(Automatic, RequestKind::Edit)
}

/// An editor whose model has nothing at the cursor after 300 ms, where something is to be found below.
fn looking_below() -> (Editor, RequestId) {
    let mut editor = editor();
    let request = ask(&mut editor);
    editor.at(300).lane_has_nothing(request, NextEdit, &[BELOW]);
    (editor, request)
}

/// An editor with another document open.
fn with_other() -> Editor {
    let mut editor = editor();
    let here = editor.document.clone();
    editor.go_to(OTHER, "show(sum);\n");
    editor.go_to(here.as_str(), TEXT);
    editor.place_cursor(1, 5);
    editor.log();
    editor
}

fn exclude_other(editor: &mut Editor) {
    editor.tell(Event::ExclusionKnown {
        document: DocumentId::new(OTHER),
        is_excluded: true,
    });
}

/// A lane comes back with nothing, and the only other place is in another document.
fn tell_other(editor: &mut Editor, request: RequestId, uri: &str) {
    editor.tell(Event::PlacesFound {
        request,
        lane: NextEdit,
        places: vec![EditPlace {
            document: DocumentId::new(uri),
            at: ByteOffset::new(5),
        }],
    });
    editor.lane_answers(request, NextEdit, &[]);
}

#[test]
fn a_model_that_has_nothing_at_the_cursor_rewrites_another_place() {
    let (mut editor, request) = looking_below();
    let edit = replace(BELOW, BELOW + 3, "total");
    editor.at(700).lane_answers(request, NextEdit, &[edit]);
    let counts = editor.core.counts();
    assert_eq!((counts.second_looks, counts.second_looks_found), (1, 1));
    assert_eq!(counts.calls[&NextEdit], 2);
    editor.expect_log(expect![[r#"
        0ms start r1 next-edit
        300ms look elsewhere r1 next-edit at 23
        300ms start r1 next-edit
        700ms answer r1: [23, 26) -> "total" (next-edit)
    "#]]);
}

#[test]
fn it_is_looked_no_further_than_once() {
    let (mut editor, request) = looking_below();
    editor
        .at(600)
        .lane_has_nothing(request, NextEdit, &[BELOW + 11]);
    // The cursor goes elsewhere, and nothing has changed.
    editor.place_cursor(3, 1);
    let request = ask(&mut editor);
    editor.at(900).lane_has_nothing(request, NextEdit, &[BELOW]);
    // After a change there is something new to look for.
    editor.at(1_500).type_keys("x");
    let request = ask(&mut editor);
    editor
        .at(1_800)
        .lane_has_nothing(request, NextEdit, &[BELOW]);
    assert_eq!(editor.core.counts().second_looks_found, 0);
    editor.expect_log(expect![[r#"
        0ms start r1 next-edit
        300ms look elsewhere r1 next-edit at 23
        300ms start r1 next-edit
        600ms withheld r1: nothing-found
        600ms start r2 next-edit
        900ms withheld r2: nothing-found
        1500ms start r3 next-edit
        1800ms look elsewhere r3 next-edit at 23
        1800ms start r3 next-edit
    "#]]);
}

#[test]
fn who_asks_by_a_key_is_looked_for_again() {
    let (mut editor, request) = looking_below();
    editor.at(600).lane_answers(request, NextEdit, &[]);
    let request = editor.request(Explicit, RequestKind::Edit);
    editor.at(900).lane_has_nothing(request, NextEdit, &[BELOW]);
    editor.expect_log(expect![[r#"
        0ms start r1 next-edit
        300ms look elsewhere r1 next-edit at 23
        300ms start r1 next-edit
        600ms withheld r1: nothing-found
        600ms start r2 next-edit
        900ms look elsewhere r2 next-edit at 23
        900ms start r2 next-edit
    "#]]);
}

#[test]
fn nothing_is_looked_for_where_a_setting_says_no() {
    let mut editor = editor_with(|settings| settings.lanes.next_edit.jump = false);
    let request = ask(&mut editor);
    editor.at(300).lane_has_nothing(request, NextEdit, &[BELOW]);
    editor.expect_log(expect![[r#"
        0ms start r1 next-edit
        300ms withheld r1: nothing-found
    "#]]);
}

#[test]
fn a_model_that_failed_is_not_asked_about_another_place() {
    let mut editor = editor();
    let request = ask(&mut editor);
    editor.at(300).places_found(request, NextEdit, &[BELOW]);
    editor.lane_fails(request, NextEdit);
    editor.expect_log(expect![[r#"
        0ms start r1 next-edit
        300ms withheld r1: lane-failed
    "#]]);
}

#[test]
fn what_was_rejected_before_is_no_reason_to_look_further() {
    let mut editor = editor();
    let edit = replace(4, 9, "sum");
    editor.reject(&edit);
    let request = ask(&mut editor);
    editor.at(300).places_found(request, NextEdit, &[BELOW]);
    editor.lane_answers(request, NextEdit, &[edit]);
    editor.expect_log(expect![[r#"
        0ms remember 1: [4, 9) -> "sum"
        0ms start r1 next-edit
        300ms withheld r1: previously-rejected
    "#]]);
}

#[test]
fn who_has_said_no_meanwhile_is_left_in_peace() {
    let mut editor = editor();
    let request = ask(&mut editor);
    editor.at(200).reject(&replace(4, 9, "sum"));
    editor.at(300).lane_has_nothing(request, NextEdit, &[BELOW]);
    editor.expect_log(expect![[r#"
        0ms start r1 next-edit
        200ms remember 1: [4, 9) -> "sum"
        300ms withheld r1: nothing-found
    "#]]);
}

#[test]
fn what_is_rejected_there_is_not_shown() {
    let mut editor = editor();
    let edit = replace(BELOW, BELOW + 3, "total");
    editor.reject(&edit);
    editor.at(100);
    let request = ask(&mut editor);
    editor.at(300).lane_has_nothing(request, NextEdit, &[BELOW]);
    editor.at(500).lane_answers(request, NextEdit, &[edit]);
    editor.expect_log(expect![[r#"
        0ms remember 1: [23, 26) -> "total"
        100ms start r1 next-edit
        300ms look elsewhere r1 next-edit at 23
        300ms start r1 next-edit
        500ms withheld r1: previously-rejected
    "#]]);
}

#[test]
fn a_request_that_is_over_looks_nowhere_else() {
    let mut editor = editor();
    let request = ask(&mut editor);
    editor.at(100).cancel(request);
    editor.at(300).lane_has_nothing(request, NextEdit, &[BELOW]);
    editor.at(5_000).type_keys("x");
    let request = ask(&mut editor);
    editor
        .at(7_500)
        .lane_has_nothing(request, NextEdit, &[BELOW]);
    editor.expect_log(expect![[r#"
        0ms start r1 next-edit
        100ms withheld r1: cancelled
        5000ms start r2 next-edit
        6000ms withheld r2: timed-out
    "#]]);
}

#[test]
fn a_person_who_types_on_stops_the_second_look() {
    let (mut editor, _) = looking_below();
    editor.place_cursor(3, 1);
    editor.at(400).type_keys("x");
    ask(&mut editor);
    editor.expect_log(expect![[r#"
        0ms start r1 next-edit
        300ms look elsewhere r1 next-edit at 23
        300ms start r1 next-edit
        400ms withheld r1: superseded
        400ms stop r1 next-edit: superseded
        400ms start r2 next-edit
    "#]]);
}

#[test]
fn a_second_look_that_takes_too_long_is_offered_late() {
    let (mut editor, request) = looking_below();
    let edit = replace(BELOW, BELOW + 3, "total");
    editor.at(2_500).lane_answers(request, NextEdit, &[edit]);
    ask(&mut editor);
    editor.expect_log(expect![[r#"
        0ms start r1 next-edit
        300ms look elsewhere r1 next-edit at 23
        300ms start r1 next-edit
        1000ms withheld r1: timed-out
        2500ms late r1 next-edit 2200ms
        2500ms ask 1:5 (late)
        2500ms answer r2: [23, 26) -> "total" (next-edit, repeated)
    "#]]);
}

#[test]
fn what_is_drawn_at_the_cursor_does_not_wait_for_another_place() {
    let mut editor = editor();
    let inline = editor.ask();
    let request = ask(&mut editor);
    editor.at(300).lane_has_nothing(inline, NextEdit, &[BELOW]);
    let edit = replace(BELOW, BELOW + 3, "total");
    editor.at(700).lane_answers(request, NextEdit, &[edit]);
    editor.expect_log(expect![[r#"
        0ms start r1 next-edit
        300ms withheld r1: nothing-found
        300ms look elsewhere r2 next-edit at 23
        300ms start r2 next-edit
        700ms answer r2: [23, 26) -> "total" (next-edit)
    "#]]);
}

#[test]
fn a_lane_that_has_something_spares_the_second_look() {
    let mut editor = editor_with(|settings| settings.lanes.fix.enabled = true);
    editor.diagnose(4, 9);
    editor.at(1_000);
    let request = ask(&mut editor);
    editor.at(1_050);
    editor.lane_answers(request, Fix, &[replace(4, 9, "sum")]);
    editor.lane_has_nothing(request, NextEdit, &[BELOW]);
    editor.expect_log(expect![[r#"
        1000ms start r1 next-edit
        1000ms start r1 fix
        1050ms hold r1 fix
        1050ms answer r1: [4, 9) -> "sum" (fix)
    "#]]);
}

#[test]
fn a_lane_that_waits_for_the_same_server_goes_first() {
    let mut editor = editor_with(|settings| {
        let server = Some(ServerUrl::from("http://localhost:8080"));
        settings.lanes.fix.enabled = true;
        settings.lanes.fix.kind = BackEnd::OpenAi;
        settings.lanes.fix.url = server.clone();
        settings.lanes.next_edit.url = server;
    });
    editor.diagnose(4, 9);
    editor.at(1_000);
    let request = ask(&mut editor);
    editor
        .at(1_300)
        .lane_has_nothing(request, NextEdit, &[BELOW]);
    editor.at(1_500).lane_answers(request, Fix, &[]);
    editor.expect_log(expect![[r#"
        1000ms start r1 next-edit
        1300ms start r1 fix
        1500ms withheld r1: nothing-found
    "#]]);
}

#[test]
fn a_lane_over_its_limit_is_not_asked_a_second_time() {
    let mut editor = editor_with(|settings| {
        settings.lanes.next_edit.requests_per_minute = Some(1);
    });
    let request = ask(&mut editor);
    editor.at(300).lane_has_nothing(request, NextEdit, &[BELOW]);
    editor.expect_log(expect![[r#"
        0ms start r1 next-edit
        300ms withheld r1: nothing-found
    "#]]);
}

#[test]
fn a_second_look_that_fails_counts_as_a_failure() {
    let (mut editor, request) = looking_below();
    editor.at(400).lane_fails(request, NextEdit);
    assert_eq!(editor.last_reports()[0].lost.unwrap().name(), "lane-failed");
    editor.expect_log(expect![[r#"
        0ms start r1 next-edit
        300ms look elsewhere r1 next-edit at 23
        300ms start r1 next-edit
        400ms withheld r1: lane-failed
    "#]]);
}

#[test]
fn another_open_document_may_be_looked_at() {
    let mut editor = with_other();
    let request = ask(&mut editor);
    editor.at(300);
    tell_other(&mut editor, request, OTHER);
    let candidate = LaneCandidate::new(DocumentId::new(OTHER), replace(5, 8, "total"));
    editor.at(500).tell(Event::LaneAnswered {
        request,
        lane: NextEdit,
        candidates: vec![candidate],
        usage: TokenUsage::default(),
        withheld: 0,
    });
    editor.expect_log(expect![[r#"
        0ms start r1 next-edit
        300ms look elsewhere r1 next-edit at 5 in file:///other.ts
        300ms start r1 next-edit
        500ms answer r1: [5, 8) -> "total" (next-edit) in file:///other.ts
    "#]]);
}

#[test]
fn nothing_is_asked_about_a_closed_or_an_excluded_document() {
    let mut editor = with_other();
    let request = ask(&mut editor);
    editor.at(300);
    tell_other(&mut editor, request, "file:///closed.ts");
    exclude_other(&mut editor);
    editor.at(1_000).type_keys("x");
    let request = ask(&mut editor);
    editor.at(1_300);
    tell_other(&mut editor, request, OTHER);
    editor.expect_log(expect![[r#"
        0ms start r1 next-edit
        300ms withheld r1: nothing-found
        1000ms start r2 next-edit
        1300ms withheld r2: nothing-found
    "#]]);
}

#[test]
fn a_second_look_ends_when_its_document_is_excluded() {
    let mut editor = with_other();
    let request = ask(&mut editor);
    editor.at(300);
    tell_other(&mut editor, request, OTHER);
    editor.at(400);
    exclude_other(&mut editor);
    editor.expect_log(expect![[r#"
        0ms start r1 next-edit
        300ms look elsewhere r1 next-edit at 5 in file:///other.ts
        300ms start r1 next-edit
        400ms stop r1 next-edit: excluded-document
        400ms withheld r1: excluded-document
    "#]]);
}

#[test]
fn a_document_with_another_model_is_not_looked_at() {
    let mut editor = editor_with(|settings| {
        *settings = settings_of(
            "pace = { baseMs = 0, minMs = 0, rhythm = false }
             context.enabled = false
             [lanes]
             fim.enabled = false
             fix.enabled = false
             nextEdit = { kind = 'openai', url = 'https://models.example', model = 'm' }
             [languages.python.lanes.nextEdit]
             url = 'https://others.example'",
        );
    });
    let here = editor.document.clone();
    editor.go_to("file:///other.py", "show(sum);\n");
    editor.go_to(here.as_str(), TEXT);
    editor.place_cursor(1, 5);
    let request = ask(&mut editor);
    editor.at(300);
    tell_other(&mut editor, request, "file:///other.py");
    editor.expect_log(expect![[r#"
        0ms start r1 next-edit
        300ms withheld r1: nothing-found
    "#]]);
}

#[test]
fn places_that_were_told_before_a_change_are_none() {
    let mut editor = editor();
    let request = ask(&mut editor);
    editor.at(300).places_found(request, NextEdit, &[BELOW]);
    editor.edit(insert(0, "x"));
    editor.lane_answers(request, NextEdit, &[]);
    editor.lane_has_nothing(RequestId::new(77), Fim, &[BELOW]);
    editor.expect_log(expect![[r#"
        0ms start r1 next-edit
        300ms withheld r1: overtaken
        300ms ignored: unknown-id
        300ms ignored: unknown-id
    "#]]);
}

/// Something that happens in a random session.
#[derive(Clone, Debug)]
enum Happening {
    Type,
    MoveTo(u32),
    Ask(RequestKind),
    Answer {
        call: usize,
        edits: Vec<Edit>,
        at: usize,
    },
    Fail(usize),
    Cancel,
    Reject,
    Wait(u64),
}

fn happening() -> impl Strategy<Value = Happening> {
    let edits = prop_oneof![4 => Just(Vec::new()), 1 => Just(vec![insert(0, "y")])];
    let answer = (0_usize..3, edits, 0_usize..60);
    prop_oneof![
        3 => Just(Happening::Type),
        3 => (1_u32..6).prop_map(Happening::MoveTo),
        6 => Just(Happening::Ask(RequestKind::Edit)),
        3 => Just(Happening::Ask(RequestKind::Inline)),
        10 => answer.prop_map(|(call, edits, at)| Happening::Answer { call, edits, at }),
        1 => (0_usize..3).prop_map(Happening::Fail),
        1 => Just(Happening::Cancel),
        1 => Just(Happening::Reject),
        4 => (1_u64..3_000).prop_map(Happening::Wait),
    ]
}

/// The calls that run, by what the log says of them.
fn note_calls(lines: &[String], running: &mut BTreeSet<(u64, LaneKind)>) {
    for line in lines {
        let words: Vec<&str> = line.split([' ', ':']).collect();
        if let [_, verb @ ("start" | "stop"), request, lane, ..] = words[..] {
            let request = request.trim_start_matches('r').parse().unwrap_or_default();
            // The others are calls ahead of time.
            let Some(lane) = LaneKind::from_name(lane) else {
                continue;
            };
            match verb {
                "start" => running.insert((request, lane)),
                _ => running.remove(&(request, lane)),
            };
        }
    }
}

#[test]
fn in_one_pause_there_is_one_second_look_at_most() {
    let all = Cell::new(0);
    let config = ProptestConfig::with_cases(400);
    proptest!(config, |(happenings in vec(happening(), 1..60), is_local in any::<bool>())| {
        all.set(all.get() + looks_of(happenings, is_local)?);
    });
    assert!(
        all.get() >= 100,
        "a rule that is put to the test {} times",
        all.get()
    );
}

/// Plays a session and returns how many second looks there were.
fn looks_of(happenings: Vec<Happening>, is_local: bool) -> Result<usize, TestCaseError> {
    let url = if is_local {
        "http://localhost:8080"
    } else {
        "https://models.example"
    };
    let mut editor = editor_with(|settings| {
        let lanes = &mut settings.lanes;
        for lane in [&mut lanes.fim, &mut lanes.next_edit, &mut lanes.fix] {
            lane.enabled = true;
            lane.kind = BackEnd::OpenAi;
            lane.url = Some(ServerUrl::from(url));
        }
    });
    editor.diagnose(4, 9);
    let mut running = BTreeSet::new();
    let (mut all, mut in_pause) = (0, 0);
    let mut last = None;
    for happening in happenings {
        let is_change = matches!(happening, Happening::Type);
        let calls: Vec<(u64, LaneKind)> = running.iter().copied().collect();
        let call = |which: usize| calls.get(which % calls.len().max(1)).copied();
        match happening {
            Happening::Type => editor.type_keys("x"),
            Happening::MoveTo(line) => editor.move_to(line, 1),
            Happening::Ask(kind) => last = Some(editor.request(Automatic, kind)),
            Happening::Answer {
                call: which,
                edits,
                at,
            } => {
                if let Some((request, lane)) = call(which) {
                    running.remove(&(request, lane));
                    let request = RequestId::new(request);
                    editor.places_found(request, lane, &[at]);
                    editor.lane_answers(request, lane, &edits);
                }
            }
            Happening::Fail(which) => {
                if let Some((request, lane)) = call(which) {
                    running.remove(&(request, lane));
                    editor.lane_fails(RequestId::new(request), lane);
                }
            }
            Happening::Cancel => last.into_iter().for_each(|request| editor.cancel(request)),
            Happening::Reject => editor.reject(&insert(0, "z")),
            Happening::Wait(millis) => {
                editor.after(millis);
            }
        }
        let lines = editor.log();
        note_calls(&lines, &mut running);
        let looks = lines.iter().filter(|line| line.contains("look elsewhere"));
        let looks = looks.count();
        (all, in_pause) = (all + looks, in_pause + looks);
        prop_assert!(in_pause <= 1, "{lines:?}");
        if is_change {
            in_pause = 0;
        }
    }
    Ok(all)
}
