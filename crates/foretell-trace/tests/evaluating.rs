//! What is asked when a trace is scored, what would be right, and what an answer is worth.
#![allow(
    clippy::unwrap_used,
    reason = "a test that is wrong about its own input should stop at once and say where"
)]

use std::fmt;

use foretell_core::{Core, Moment, Spot};
use foretell_text::{
    ByteOffset, ByteRange, DocumentId, Edit, LaneCandidate, LaneKind, Replacement,
};
use foretell_trace::evaluation::score::TraceClass;
use foretell_trace::{
    AnswerVerdict, EvalScore, EvalScores, LaneAnswerer, LaneChoice, ScoredQuestion, Trace,
    TraceEvaluation, eval,
};

/// Says the same edit of the cursor's document whenever a lane is asked.
struct Says(Option<Edit>);

impl LaneAnswerer for Says {
    fn answer(&self, core: &Core, _: Moment, _: LaneKind, spot: &Spot) -> Vec<LaneCandidate> {
        assert_eq!(core.version(&spot.document), Some(spot.version));
        let candidate = |edit: &Edit| LaneCandidate::new(spot.document.clone(), edit.clone());
        self.0.iter().map(candidate).collect()
    }
}

impl fmt::Debug for Says {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Says")
    }
}

fn replace(start: usize, end: usize, new_text: &str) -> Edit {
    let range = ByteRange::new(ByteOffset::new(start), ByteOffset::new(end)).unwrap();
    Edit::from(Replacement::new(range, new_text))
}

fn trace(header: &str, lines: &[&str]) -> Trace {
    let header = format!(r#"{{"foretell":"trace","version":1,"offsets":"utf-16"{header}}}"#);
    let text = [&[header.as_str()], lines].concat().join("\n");
    Trace::read("t.jsonl", text.as_bytes()).unwrap()
}

fn asked(lines: &[&str], which: LaneChoice, says: Option<Edit>) -> TraceEvaluation {
    eval(&trace("", lines), which, &Says(says)).unwrap()
}

/// What one lane that says something is worth, where something is asked once.
fn verdict(lines: &[&str], says: Option<Edit>) -> AnswerVerdict {
    let found = asked(lines, LaneChoice::Only(LaneKind::NextEdit), says);
    let [only] = &found.asked[..] else {
        unreachable!("{} questions", found.asked.len());
    };
    only.answers[0].verdict
}

/// Where things are asked, and what is expected there, each as one line.
fn questions(lines: &[&str]) -> Vec<String> {
    let found = asked(lines, LaneChoice::Only(LaneKind::Fim), None);
    found.asked.iter().map(told).collect()
}

fn told(asked: &ScoredQuestion) -> String {
    let expected = asked.expected.iter().map(|expect| match &expect.edit {
        Some(edit) => {
            let parts = edit.replacements().iter();
            let parts = parts.map(|it| format!("{} {:?}", it.range(), it.new_text()));
            parts.collect::<Vec<_>>().join(" and ")
        }
        None => "nothing".to_owned(),
    });
    let expected: Vec<String> = expected.collect();
    let (line, now, at) = (asked.line, asked.now.millis(), asked.at);
    format!("line {line}, {now} ms, at {at}: {}", expected.join(" or "))
}

const OPEN: &str =
    r#"{"t":0,"event":"open","doc":"file:///a.rs","language":"rust","text":"ab\nab\nab\n"}"#;

fn edit(t: u64, at: usize, delete: usize, insert: &str) -> String {
    edit_because(t, (at, delete, insert), "typed")
}

fn edit_because(t: u64, (at, delete, insert): (usize, usize, &str), reason: &str) -> String {
    let change = format!(r#"{{"at":{at},"delete":{delete},"insert":"{insert}"}}"#);
    format!(
        r#"{{"t":{t},"event":"edit","doc":"file:///a.rs","changes":[{change}],"reason":"{reason}"}}"#
    )
}

fn expect(at: usize, delete: usize, insert: &str, rank: &str) -> String {
    let change = format!(r#"{{"at":{at},"delete":{delete},"insert":"{insert}"}}"#);
    format!(
        r#"{{"t":9000,"event":"expect","doc":"file:///a.rs","changes":[{change}],"rank":"{rank}"}}"#
    )
}

const NOTHING: &str =
    r#"{"t":9000,"event":"expect","doc":"file:///a.rs","changes":null,"rank":"valid"}"#;

mod where_the_trace_says_what_to_expect {
    use super::*;

    #[test]
    fn it_is_asked_once_with_the_cursor_where_the_person_put_it_last() {
        let typed = edit(2000, 0, 2, "x");
        let selected =
            r#"{"t":2010,"event":"select","doc":"file:///a.rs","selections":[[2,4],[7,7]]}"#;
        let first = expect(2, 2, "x", "user");
        let found = questions(&[OPEN, &typed, selected, &first]);
        assert_eq!(found, ["line 4, 10000 ms, at 4: [2, 4) \"x\""]);
        let found = questions(&[OPEN, selected.replace("2010", "1").as_str(), &typed, &first]);
        assert_eq!(found, ["line 4, 10000 ms, at 1: [2, 4) \"x\""]);
        assert_eq!(questions(&[OPEN, &first]).len(), 1);
    }

    #[test]
    fn an_answer_is_right_if_it_has_the_same_effect() {
        let lines = [OPEN, &edit(0, 0, 2, "x"), &expect(2, 2, "x", "commit")];
        let right = verdict(&lines, Some(replace(1, 4, "\nx")));
        assert!(right.spoke && right.right && right.first_line && right.place);
        let wrong = verdict(&lines, Some(replace(5, 7, "x")));
        assert!(wrong.spoke && !wrong.right && !wrong.first_line && wrong.place);
        let silent = verdict(&lines, None);
        assert_eq!(silent, AnswerVerdict::default());
    }

    #[test]
    fn several_lines_are_alternatives_and_bad_ones_are_wrong() {
        let (valid, bad) = (expect(5, 2, "x", "valid"), expect(2, 2, "", "bad"));
        let lines = [OPEN, &edit(0, 0, 2, "x"), &bad, &valid, NOTHING];
        assert!(verdict(&lines, Some(replace(5, 7, "x"))).right);
        assert!(!verdict(&lines, Some(replace(2, 4, ""))).right);
        assert!(verdict(&lines, None).right);
        assert!(!verdict(&lines[..4], None).right);
    }

    #[test]
    fn who_speaks_where_nothing_was_to_be_said_is_wrong() {
        let lines = [OPEN, &edit(0, 0, 2, "x"), NOTHING];
        let spoke = verdict(&lines, Some(replace(2, 4, "x")));
        assert!(spoke.spoke && !spoke.right);
    }

    #[test]
    fn what_does_nothing_or_does_not_fit_has_spoken() {
        let lines = [OPEN, &edit(0, 0, 2, "x"), &expect(2, 2, "x", "user")];
        for odd in [replace(2, 4, "ab"), replace(2, 400, "x")] {
            let odd = verdict(&lines, Some(odd));
            assert!(odd.spoke && !odd.right && !odd.place);
        }
    }

    #[test]
    fn only_lanes_that_know_of_other_places_are_asked() {
        let lines = [OPEN, &edit(0, 0, 2, "x"), &expect(2, 2, "x", "user")];
        let found = asked(&lines, LaneChoice::All, None);
        let lanes: Vec<LaneKind> = found.asked[0].answers.iter().map(|it| it.lane).collect();
        assert_eq!(lanes, [LaneKind::NextEdit, LaneKind::Fix]);
    }

    #[test]
    fn a_trace_may_ask_again_later() {
        let (first, second) = (expect(2, 2, "x", "user"), expect(3, 0, "y", "user"));
        let (later, last) = (edit(9000, 2, 2, "x"), edit(9000, 3, 0, "y"));
        let found = questions(&[OPEN, &first, &second, &later, &second, &last]);
        let expected = [
            "line 2, 10000 ms, at 0: [2, 4) \"x\" or [3, 3) \"y\"",
            "line 5, 10000 ms, at 3: [3, 3) \"y\"",
        ];
        assert_eq!(found, expected);
    }
}

mod where_it_does_not {
    use super::*;

    #[test]
    fn every_pause_asks_for_the_burst_that_ends_it() {
        let lines = [
            OPEN,
            &edit(0, 2, 0, "c"),
            &edit(1000, 3, 0, "d"),
            &edit(2001, 4, 0, "e"),
            &edit(2100, 5, 0, "f"),
            &edit(7100, 4, 1, ""),
            &edit(12_101, 0, 0, "g"),
        ];
        let expected = [
            "line 4, 2000 ms, at 4: [4, 4) \"f\"",
            "line 6, 3100 ms, at 6: [4, 5) \"\"",
            "line 7, 8100 ms, at 4: [0, 0) \"g\"",
        ];
        assert_eq!(questions(&lines), expected);
    }

    #[test]
    fn where_the_person_went_in_the_pause_is_known() {
        let moved = r#"{"t":1500,"event":"select","doc":"file:///a.rs","selections":[[5,5]]}"#;
        let lines = [OPEN, &edit(0, 2, 0, "c"), moved, &edit(1600, 5, 0, "d")];
        assert_eq!(questions(&lines), ["line 4, 1500 ms, at 5: [5, 5) \"d\""]);
    }

    #[test]
    fn another_place_or_another_document_ends_a_burst() {
        let lines = "x\\n".repeat(30);
        let open = OPEN.replace("ab\\nab\\nab\\n", &lines);
        let other = OPEN.replace("a.rs", "b.rs");
        let there = edit(3200, 0, 0, "c").replace("a.rs", "b.rs");
        let found = questions(&[
            &open,
            &other,
            &edit(0, 0, 0, "a"),
            &edit(3000, 1, 0, "b"),
            &edit(3100, 3 + 2 * 8, 0, "n"),
            &there,
            &edit(3300, 1, 0, "z"),
            &edit(6000, 1, 0, "y"),
            &edit(6100, 22 + 2 * 9, 0, "f"),
        ]);
        // Eight lines further down is still here.
        let expected = [
            "line 4, 1000 ms, at 1: [1, 1) \"b\" and [18, 18) \"n\"",
            "line 8, 4300 ms, at 2: [1, 1) \"y\"",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_formatters_do_is_neither_a_pause_nor_expected() {
        let lines = [
            OPEN,
            &edit(0, 9, 0, "c"),
            &edit_because(3000, (0, 1, ""), "other"),
            &edit(6000, 9, 0, "d"),
            &edit_because(6010, (0, 1, ""), "other"),
            &edit(6020, 9, 0, "e"),
        ];
        assert_eq!(questions(&lines), ["line 4, 3000 ms, at 9: [9, 9) \"d\""]);
    }

    #[test]
    fn a_burst_that_came_to_nothing_says_that_nothing_was_to_be_said() {
        let lines = [
            OPEN,
            &edit(0, 2, 0, "c"),
            &edit(3000, 3, 0, "d"),
            &edit_because(3500, (3, 1, ""), "undo"),
        ];
        assert_eq!(questions(&lines), ["line 3, 1000 ms, at 3: nothing"]);
    }

    #[test]
    fn all_lanes_are_asked_and_the_first_that_speaks_counts() {
        let lines = [OPEN, &edit(0, 2, 0, "c"), &edit(3000, 3, 0, "d")];
        let found = asked(&lines, LaneChoice::All, Some(replace(3, 3, "d")));
        let lanes: Vec<LaneKind> = found.asked[0].answers.iter().map(|it| it.lane).collect();
        assert_eq!(lanes, LaneKind::ALL);
        let shown = found.asked[0].shown().unwrap();
        assert!(shown.lane == LaneKind::Fim && shown.verdict.right);
    }

    #[test]
    fn a_document_that_is_closed_or_opened_anew_ends_what_was_begun_in_it() {
        let close = r#"{"t":3100,"event":"close","doc":"file:///a.rs"}"#;
        let open = OPEN.replace("\"t\":0", "\"t\":3200");
        let lines = [
            OPEN,
            &edit(0, 2, 0, "c"),
            &edit(3000, 3, 0, "d"),
            close,
            &open,
            &edit(3300, 0, 0, "e"),
            &edit(6000, 1, 0, "😀"),
            &edit(9000, 3, 0, "!"),
        ];
        let expected = [
            "line 3, 1000 ms, at 3: [3, 3) \"d\"",
            "line 7, 4300 ms, at 1: [1, 1) \"😀!\"",
            "line 8, 7000 ms, at 5: [5, 5) \"!\"",
        ];
        assert_eq!(questions(&lines), expected);
    }
}

mod what_an_answer_is_worth {
    use super::*;

    #[test]
    fn the_first_line_is_right_if_it_ends_up_as_it_should_whatever_follows() {
        let open = OPEN.replace("ab\\nab\\nab\\n", "fn a() {\\n    \\n}\\n");
        let typed = edit(0, 8, 1, "\\n");
        let next = expect(13, 0, "let b = 1;\\n    c();", "user");
        let lines = [open.as_str(), &typed, &next];
        let half = verdict(&lines, Some(replace(13, 13, "let b = 1;\n    d();")));
        assert!(half.first_line && half.place && !half.right);
        assert_eq!((half.saved, half.saved_by_first_line), (0, 9));
        let less = verdict(&lines, Some(replace(13, 13, "let b = 1;")));
        assert!(less.first_line && !less.right);
        let other = verdict(&lines, Some(replace(13, 13, "let b")));
        assert!(!other.first_line && other.place);
        let all = verdict(&lines, Some(replace(13, 13, "let b = 1;\n    c();")));
        assert_eq!((all.right, all.saved), (true, 18));
    }

    #[test]
    fn what_stands_between_the_parts_of_an_answer_saves_no_keys() {
        let open = OPEN.replace("ab\\nab\\nab\\n", "old + 100000 + old\\n");
        let next = expect(0, 18, "newer + 100000 + newer", "user");
        let parts = [(0, 3), (15, 18)].map(|(start, end)| {
            let both = ByteRange::new(ByteOffset::new(start), ByteOffset::new(end));
            Replacement::new(both.unwrap(), "newer")
        });
        let both = Edit::new(parts.to_vec()).unwrap();
        let found = verdict(&[open.as_str(), &next], Some(both));
        assert!(found.right && found.first_line);
        assert_eq!((found.saved, found.saved_by_first_line), (9, 9));
    }

    #[test]
    fn a_new_line_is_the_line_that_changes_however_it_is_written() {
        let lines = [OPEN, &edit(0, 0, 0, "x"), &expect(3, 0, "\\nnew", "user")];
        assert!(verdict(&lines, Some(replace(4, 4, "new\n"))).right);
        let more = verdict(&lines, Some(replace(4, 4, "new\nmore\n")));
        assert!(more.first_line && !more.right);
        // The line above stays as it is, and that is not enough.
        assert!(!verdict(&lines, Some(replace(4, 4, "old\n"))).first_line);
    }

    #[test]
    fn the_first_line_is_right_also_where_the_person_changed_something_above_as_well() {
        let lines = [
            OPEN,
            &edit(0, 8, 0, "c"),
            &edit(3000, 9, 0, "d"),
            &edit(3100, 0, 0, "use x;\\n"),
            &edit(3200, 17, 0, "\\nlast"),
        ];
        let right = verdict(&lines, Some(replace(9, 9, "d")));
        assert!(right.first_line && right.place && !right.right);
        let new_line = verdict(&lines, Some(replace(9, 9, "d\nlast")));
        assert!(new_line.first_line && !new_line.right);
        assert!(!verdict(&lines, Some(replace(9, 9, "e"))).first_line);
    }

    #[test]
    fn nine_lines_away_is_another_place() {
        let open = OPEN.replace("ab\\nab\\nab\\n", &"x\\n".repeat(30));
        let lines = [open.as_str(), &expect(0, 1, "y", "user")];
        assert!(verdict(&lines, Some(replace(16, 17, "y"))).place);
        assert!(!verdict(&lines, Some(replace(18, 19, "y"))).place);
    }

    #[test]
    fn line_ends_alone_are_no_line() {
        let open = OPEN.replace("ab\\nab\\nab\\n", "a\\r\\nb\\r\\n");
        let lines = [open.as_str(), &expect(1, 2, "\\n", "user")];
        let right = verdict(&lines, Some(replace(1, 3, "\n")));
        assert!(right.right);
    }
}

#[test]
fn scores_add_up_by_class_by_lane_and_in_total() {
    let session = [OPEN, &edit(0, 2, 0, "c"), &edit(3000, 3, 0, "defg")];
    let example = [OPEN, &edit(0, 2, 0, "c"), NOTHING];
    let mut scores = EvalScores::default();
    for (header, lines) in [("", &session), (r#","class":"rename""#, &example)] {
        let trace = trace(header, lines);
        let says = Says(trace.class().is_none().then(|| replace(3, 3, "defg")));
        let found = eval(&trace, LaneChoice::All, &says).unwrap();
        scores.add(trace.class(), &found);
    }
    let named = TraceClass::Named("rename".to_owned());
    let classes: Vec<&TraceClass> = scores.classes.keys().collect();
    assert_eq!(classes, [&named, &TraceClass::Unnamed]);
    let right = EvalScore {
        asked: 1,
        spoke: 1,
        right: 1,
        first_line: 1,
        place: 1,
        saved: 3,
        saved_by_first_line: 3,
        typed: 5,
        ..EvalScore::default()
    };
    assert_eq!(scores.classes[&TraceClass::Unnamed], right);
    assert_eq!(scores.lanes[&LaneKind::Fim], right);
    let silent = &scores.classes[&named];
    assert_eq!(
        (silent.asked, silent.spoke, silent.rightly_silent),
        (1, 0, 1)
    );
    assert_eq!((silent.precision(), silent.coverage()), (None, Some(1.0)));
    let total = &scores.total;
    assert_eq!((total.asked, total.precision()), (2, Some(1.0)));
    assert_eq!(
        (total.coverage(), total.keys_saved()),
        (Some(1.0), Some(60.0))
    );
    assert_eq!(scores.lanes[&LaneKind::NextEdit].asked, 2);
}

#[test]
fn nothing_is_asked_where_there_is_nothing_to_compare_with() {
    assert_eq!(questions(&[]).len(), 0);
    assert_eq!(questions(&[OPEN]).len(), 0);
    assert_eq!(questions(&[OPEN, &edit(5000, 0, 0, "a")]).len(), 0);
}

#[test]
fn a_document_that_nobody_opened_is_not_asked_about() {
    let elsewhere = DocumentId::new("file:///b.rs");
    let selected =
        format!(r#"{{"t":1500,"event":"select","doc":"{elsewhere}","selections":[[0,0]]}}"#);
    let found = asked(
        &[OPEN, &edit(0, 2, 0, "c"), &selected, &edit(3000, 3, 0, "d")],
        LaneChoice::All,
        None,
    );
    assert_eq!(found.asked.len(), 0);
}
