//! What holds for every document and every answer: no text outside of the region changes, no marker is shown,
//! and what was not reached is not deleted, however the answer is cut.

use foretell_lanes::model::answer_frame::AnswerEnd;
use foretell_lanes::{LaneAnswer, LaneFault};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::answers::says;
use crate::desk::{Desk, FORMATS};

const MARKERS: [&str; 14] = [
    "<|user_cursor|>",
    "<|cursor|>",
    "<|marker_",
    "<|file_sep|>",
    "<|endoftext|>",
    "<|code_to_edit|>",
    "<[fim-middle]>",
    "<[end▁of▁sentence]>",
    "<<<<<<< CURRENT",
    ">>>>>>> UPDATED",
    "NO_EDITS",
    "KEEP_PREVIOUS",
    "```",
    "<|current_file_content|>",
];

fn line() -> impl Strategy<Value = String> {
    let words = select(vec![
        "let x",
        "foo(a, b)",
        "}",
        "{",
        "😀 = 1",
        "👍🏽",
        "e\u{301}",
        "return 1;",
        "日本",
        "// why",
        "if a {",
        "x.y.z",
        "=",
        "None",
    ]);
    let indent = select(vec!["", "    ", "\t"]);
    let says = (indent, vec(words, 1..4))
        .prop_map(|(indent, words)| format!("{indent}{}", words.join(" ")));
    prop_oneof![5 => says, 1 => Just(String::new())]
}

/// Pieces that answers are made of.
#[derive(Clone, Debug)]
enum AnswerPiece {
    /// A line of the region.
    Old(prop::sample::Index),
    /// All lines from one on.
    OldFrom(prop::sample::Index),
    New(String),
    Marker(&'static str),
    Numbered(usize),
    Noise(String),
}

fn piece() -> impl Strategy<Value = AnswerPiece> {
    let at = any::<prop::sample::Index>;
    prop_oneof![
        4 => at().prop_map(AnswerPiece::Old),
        4 => at().prop_map(AnswerPiece::OldFrom),
        3 => line().prop_map(AnswerPiece::New),
        2 => select(MARKERS.to_vec()).prop_map(AnswerPiece::Marker),
        3 => (0_usize..5).prop_map(AnswerPiece::Numbered),
        1 => any::<String>().prop_map(AnswerPiece::Noise),
    ]
}

fn said(told: &str, pieces: &[AnswerPiece]) -> String {
    let lines: Vec<&str> = told.split('\n').collect();
    let mut said = String::new();
    for piece in pieces {
        match piece {
            AnswerPiece::Old(at) => said.push_str(&format!("{}\n", at.get(&lines))),
            AnswerPiece::OldFrom(at) => {
                let from = at.index(lines.len());
                said.push_str(&format!("{}\n", lines[from..].join("\n")));
            }
            AnswerPiece::New(line) => said.push_str(&format!("{line}\n")),
            AnswerPiece::Marker(marker) => said.push_str(&format!("{marker}\n")),
            AnswerPiece::Numbered(number) => said.push_str(&format!("<|marker_{number}|>")),
            AnswerPiece::Noise(noise) => said.push_str(noise),
        }
    }
    said
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn no_answer_does_harm(
        format in select(FORMATS.to_vec()),
        lines in vec(line(), 1..60),
        cursor in any::<prop::sample::Index>(),
        line_end in select(vec!["\n", "\r\n"]),
        pieces in vec(piece(), 0..8),
        cut in vec(any::<prop::sample::Index>(), 0..4),
        ended in select(vec![AnswerEnd::Own, AnswerEnd::Length]),
    ) {
        let at = cursor.index(lines.len());
        let mut lines = lines;
        lines[at].push('‸');
        let desk = Desk::at("src/a.rs", &lines.join(line_end));
        let Ok(question) = desk.question(format) else {
            return Ok(());
        };
        let answer = said(&question.told, &pieces);
        let placed = desk.place(format, &[&answer], ended);
        let text = &desk.request.document.text;
        for candidate in placed.iter().flat_map(|placed| &placed.candidates) {
            for part in candidate.edit.replacements() {
                prop_assert!(question.region.range.contains(part.range()));
                for marker in MARKERS {
                    prop_assert!(!part.new_text().contains(marker), "{marker} in {part:?}");
                }
            }
            let after = candidate.edit.apply(text);
            prop_assert!(after.is_ok());
            if let (Some(at), Ok(after)) = (candidate.cursor, after) {
                prop_assert!(after.check(at).is_ok(), "{at:?} is no place");
            }
        }
        // However it is cut, the same comes of it.
        let mut cuts: Vec<usize> = cut.iter().map(|cut| cut.index(answer.len() + 1)).collect();
        cuts.retain(|cut| answer.is_char_boundary(*cut));
        cuts.sort_unstable();
        let mut frames = Vec::new();
        let mut from = 0;
        for cut in cuts.into_iter().chain([answer.len()]) {
            frames.push(answer.get(from..cut).unwrap());
            from = cut;
        }
        let cut = desk.place(format, &frames, ended);
        let cursors = |placed: &Result<LaneAnswer, LaneFault>| {
            let placed = placed.iter().flat_map(|placed| &placed.candidates);
            placed.map(|candidate| candidate.cursor).collect::<Vec<_>>()
        };
        prop_assert_eq!(cursors(&placed), cursors(&cut));
        prop_assert_eq!(desk.tell(placed), desk.tell(cut));
    }

    #[test]
    fn the_cursor_goes_where_its_token_is_or_nobody_says_where(
        format in select(vec!["zeta-2.1", "zeta-2"]),
        kinds in vec(0_usize..4, 1..40),
        cursor in any::<prop::sample::Index>(),
        changed in any::<prop::sample::Index>(),
        put_in in vec(0_usize..4, 0..3),
        token in any::<prop::sample::Index>(),
    ) {
        // Many of the lines are equal.
        let line = |kind: usize| ["    step(one);", "", "    done(😀);", "}"][kind].to_owned();
        let lines: Vec<String> = kinds.into_iter().map(line).collect();
        let mut marked = lines.clone();
        marked[cursor.index(lines.len())].push('‸');
        let desk = Desk::at("src/a.rs", &marked.join("\n"));
        let question = desk.question(format).unwrap();
        let mut new: Vec<String> = question.told.split('\n').map(str::to_owned).collect();
        let place = changed.index(new.len());
        new[place] = "    changed(two);".to_owned();
        new.splice(place + 1..place + 1, put_in.into_iter().map(line));
        let mut new = new.join("\n");
        let token = token.index(new.len() + 1);
        prop_assume!(new.is_char_boundary(token));
        let plain = new.clone();
        new.insert_str(token, "<|user_cursor|>");
        let answer = says(format, &desk, &new);
        let Ok(placed) = desk.place(format, &[&answer], AnswerEnd::Own) else {
            return Ok(());
        };
        let [candidate] = &placed.candidates[..] else {
            return Ok(());
        };
        let after = candidate.edit.apply(&desk.request.document.text).unwrap().to_string();
        let start = question.region.range.start().get();
        if let Some(at) = candidate.cursor {
            let there = at.get() - start;
            let is_whole = after.get(start..).is_some_and(|it| it.starts_with(&plain));
            prop_assert!(!is_whole || there == token, "{there} and not {token} in {after:?}");
        }
    }

    #[test]
    fn an_answer_that_breaks_off_deletes_no_line(
        format in select(vec!["sweep", "sweep-v2", "mercury", "zeta-2"]),
        count in 4_usize..30,
        cursor in any::<prop::sample::Index>(),
        kept in any::<prop::sample::Index>(),
        ended in select(vec![AnswerEnd::Own, AnswerEnd::Length]),
    ) {
        let mut lines: Vec<String> = (0..count).map(|number| format!("line {number};")).collect();
        let at = cursor.index(lines.len());
        lines[at].push('‸');
        let desk = Desk::at("src/a.rs", &lines.join("\n"));
        let told = desk.question(format).unwrap().told;
        let all: Vec<&str> = told.split('\n').collect();
        let head = all[..kept.index(all.len())].join("\n");
        let placed = desk.place(format, &[&head], ended);
        for candidate in placed.iter().flat_map(|placed| &placed.candidates) {
            let after = candidate.edit.apply(&desk.request.document.text).unwrap();
            prop_assert_eq!(after.line_count(), lines.len());
        }
    }

    #[test]
    fn what_a_changed_answer_did_not_come_to_stays_and_nothing_is_remarked(
        format in select(FORMATS.to_vec()),
        count in 8_usize..40,
        cursor in any::<prop::sample::Index>(),
        kept in any::<prop::sample::Index>(),
        place in any::<prop::sample::Index>(),
        change in select(vec![HeadChange::Like, HeadChange::Unlike, HeadChange::PutIn]),
        ahead in select(vec!["", "", "", "Here is the updated code:\n"]),
        behind in select(vec!["", "\n", "\n\nThe code is already correct.\n", "\n\nI changed a line."]),
        ended in select(vec![AnswerEnd::Own, AnswerEnd::Length]),
    ) {
        let lines: Vec<String> = (0..count).map(|at| format!("step_{at}(one, two);")).collect();
        let mut marked = lines.clone();
        marked[cursor.index(count)].push('‸');
        let desk = Desk::at("src/a.rs", &marked.join("\n"));
        let told = desk.question(format).unwrap().told;
        let all: Vec<&str> = told.split('\n').collect();
        let mut head: Vec<String> = all.iter().map(|line| (*line).to_owned()).collect();
        head.truncate(kept.index(all.len()) + 1);
        let place = place.index(head.len());
        let was = head[place].clone();
        match change {
            HeadChange::Like => head[place] = was.replace("one", "first"),
            HeadChange::Unlike => head[place] = "return;".to_owned(),
            HeadChange::PutIn => {
                let new = ["let a = 1;", "let b = 2;", "let c = 3;", "let d = 4;"];
                head.splice(place + 1..place + 1, new.map(str::to_owned));
            }
        }
        // The last lines of a region may be replaced by as many that are like none of them.
        let left = all.len().saturating_sub(place + 1);
        prop_assume!(change == HeadChange::Like || left > 3);
        let marker = if format == "zeta-2.1" { "<|marker_1|>" } else { "" };
        let answer = format!("{ahead}{marker}{}{behind}", head.join("\n"));
        let placed = desk.place(format, &[&answer], ended);
        for candidate in placed.iter().flat_map(|placed| &placed.candidates) {
            let after = candidate.edit.apply(&desk.request.document.text).unwrap().to_string();
            let mut after_lines = after.lines();
            for line in &lines {
                let is_changed = *line == was && change != HeadChange::PutIn;
                prop_assert!(
                    is_changed || after_lines.any(|it| it == line),
                    "{line} is gone after {answer:?}"
                );
            }
            for remark in ["Here is", "The code is", "I changed"] {
                prop_assert!(!after.contains(remark), "{after}");
            }
        }
    }

    #[test]
    fn blocks_that_no_marker_is_about_stay(
        count in 20_usize..60,
        cursor in any::<prop::sample::Index>(),
        from in 1_usize..6,
        to in 1_usize..6,
        said in vec(line(), 0..8),
        has_own_lines in any::<bool>(),
    ) {
        let lines: Vec<String> = (0..count).map(|at| format!("step_{at}(one, two);")).collect();
        let mut marked = lines.clone();
        marked[cursor.index(count)].push('‸');
        let desk = Desk::at("src/a.rs", &marked.join("\n"));
        let prompt = desk.prompt("zeta-2.1").replace("<|user_cursor|>", "");
        let block = |from: usize, to: usize| {
            let start = prompt.split(&format!("<|marker_{from}|>")).nth(1)?;
            start.split_once(&format!("<|marker_{to}|>")).map(|(block, _)| block.to_owned())
        };
        let end = if has_own_lines { "\n" } else { "" };
        let said: String = said.iter().map(|line| format!("{line}\n")).collect();
        let answer = format!("<|marker_{from}|>{end}{said}<|marker_{to}|>{end}");
        let placed = desk.place("zeta-2.1", &[&answer], AnswerEnd::Own);
        for candidate in placed.iter().flat_map(|placed| &placed.candidates) {
            let after = candidate.edit.apply(&desk.request.document.text).unwrap().to_string();
            let replaced = block(from, to).unwrap_or_default();
            for line in &lines {
                let may_go = replaced.lines().any(|it| without_markers(it) == *line);
                prop_assert!(may_go || after.lines().any(|it| it == line), "{line} is gone");
            }
        }
    }
}

/// What is done to the head of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HeadChange {
    Like,
    Unlike,
    PutIn,
}

/// A line of a prompt without its numbered markers.
fn without_markers(line: &str) -> String {
    let mut left = line.to_owned();
    for number in 1..9 {
        left = left.replace(&format!("<|marker_{number}|>"), "");
    }
    left
}
