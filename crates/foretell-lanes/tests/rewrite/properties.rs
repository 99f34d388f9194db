//! What holds for every document and every answer.

use foretell_lanes::model::answer_frame::AnswerEnd;
use foretell_lanes::model::server_kind::ServerKind;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::stage::Stage;

/// Lines as documents have them.
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
        "`tick`",
        "// why",
        "if a {",
        "<b>",
        "x.y.z",
        "\"a  b\"",
    ]);
    let indent = select(vec!["", "  ", "    ", "\t"]);
    let says = (indent, vec(words, 1..4))
        .prop_map(|(indent, words)| format!("{indent}{}", words.join(" ")));
    prop_oneof![6 => says, 1 => Just(String::new())]
}

/// What is done to one line.
#[derive(Clone, Debug)]
enum Change {
    Word(Index),
    Replace(Index),
    Insert(Index),
    Delete(Index),
}

fn change() -> impl Strategy<Value = Change> {
    let at = any::<Index>;
    prop_oneof![
        at().prop_map(Change::Word),
        at().prop_map(Change::Replace),
        at().prop_map(Change::Insert),
        at().prop_map(Change::Delete),
    ]
}

/// How an answer is wrapped.
#[derive(Clone, Copy, Debug)]
enum Wrap {
    Fence,
    LongFence,
    Tildes,
    Prose,
    MarkersInside,
    Markers,
    LineEnds,
    NoLineEnd,
    MoreLineEnds,
    Unclosed,
    Deeper,
    LessDeep,
    Thought,
    Bare,
    OldFirst,
}

const WRAPS: [Wrap; 15] = [
    Wrap::Fence,
    Wrap::LongFence,
    Wrap::Tildes,
    Wrap::Prose,
    Wrap::MarkersInside,
    Wrap::Markers,
    Wrap::LineEnds,
    Wrap::NoLineEnd,
    Wrap::MoreLineEnds,
    Wrap::Unclosed,
    Wrap::Deeper,
    Wrap::LessDeep,
    Wrap::Thought,
    Wrap::Bare,
    Wrap::OldFirst,
];

/// Lines with something before each that is not blank.
fn moved(lines: &[String], by: impl Fn(&str) -> String) -> String {
    let moved = lines.iter().map(|line| {
        if line.trim().is_empty() {
            line.clone()
        } else {
            by(line)
        }
    });
    moved.collect::<Vec<_>>().join("\n")
}

impl Wrap {
    fn around(self, old: &[String], new: &[String], base: &str) -> String {
        let (old_lines, new_lines) = (old, new);
        let (old, new) = (old.join("\n"), new.join("\n"));
        match self {
            Wrap::Fence => format!("```rust\n{new}\n```\n"),
            Wrap::LongFence => format!("`````\n{new}\n`````"),
            Wrap::Tildes => format!("~~~\n{new}\n~~~\n"),
            Wrap::Prose => format!("Here it is:\n```\n{new}\n```\nI did what you asked for.\n"),
            Wrap::MarkersInside => {
                format!("```\n>>> REGION STARTS\n{new}\n<<< REGION ENDS\n```\nDone.\n")
            }
            Wrap::Markers => format!(">>> REGION STARTS\n{new}\n<<< REGION ENDS\n"),
            Wrap::LineEnds => format!("```\n{new}\n```\n").replace('\n', "\r\n"),
            Wrap::NoLineEnd => format!("\n```\n{new}\n```"),
            Wrap::MoreLineEnds => format!("```\n\n\n{new}\n\n\n```\n\n"),
            Wrap::Unclosed => format!("```\n{new}\n"),
            Wrap::Deeper => {
                let new = moved(new_lines, |line| format!("      {line}"));
                format!("- so:\n  ```\n{new}\n  ```\n")
            }
            Wrap::LessDeep => {
                let shorter = |line: &str| line.strip_prefix(base).unwrap().to_owned();
                format!("```\n{}\n```\n", moved(new_lines, shorter))
            }
            Wrap::Thought => format!("<think>\nHm.\n```\n{old}\n```\n</think>\n\n```\n{new}\n```"),
            Wrap::Bare => new,
            Wrap::OldFirst => {
                assert!(!old_lines.is_empty());
                format!("It was:\n```\n{old}\n```\nIt is:\n```\n{new}\n```\n")
            }
        }
    }
}

/// A document, what it is to be, and how that is said.
#[derive(Clone, Debug)]
struct Play {
    old: Vec<String>,
    new: Vec<String>,
    base: &'static str,
    line_end: &'static str,
    last_end: bool,
    cursor: Index,
    wrap: Wrap,
    kind: ServerKind,
}

impl Play {
    fn text(&self, lines: &[String]) -> String {
        let mut text = lines.join(self.line_end);
        if self.last_end {
            text.push_str(self.line_end);
        }
        text
    }

    fn stage(&self) -> Stage {
        let old = self.text(&self.old);
        let places: Vec<usize> = (0..=old.len())
            .filter(|at| old.is_char_boundary(*at))
            .filter(|at| old.get(..*at).unwrap().matches(self.line_end).count() <= 10)
            .collect();
        let mut stage = Stage::of(&old, *self.cursor.get(&places));
        stage.kind = self.kind;
        stage
    }
}

fn play() -> impl Strategy<Value = Play> {
    let base = select(vec!["", "    ", "\t"]);
    let line_end = select(vec!["\n", "\r\n", "\r"]);
    let shape = (base, line_end, any::<bool>(), any::<Index>());
    let wrap = select(WRAPS.to_vec());
    let kind = select(vec![ServerKind::OpenAiChat, ServerKind::Ollama]);
    let lines = (vec(line(), 5..13), vec(change(), 0..4));
    (lines, shape, wrap, kind).prop_map(|((body, changes), shape, wrap, kind)| {
        let (base, line_end, last_end, cursor) = shape;
        let mut old = vec!["fn start(of: &Everything) {".to_owned()];
        old.extend(body);
        // Something that stays, so that it is known what it is about.
        old.push("let that = stays + as_it_is;".to_owned());
        old.push("} // and here it ends".to_owned());
        for line in &mut old {
            if !line.is_empty() {
                line.insert_str(0, base);
            }
        }
        let mut new = old.clone();
        for (number, change) in changes.iter().enumerate() {
            apply(&mut new, change, &format!("{base}new{number}"));
        }
        Play {
            old,
            new,
            base,
            line_end,
            last_end,
            cursor,
            wrap,
            kind,
        }
    })
}

/// Changes one line between the first and the last two.
fn apply(lines: &mut Vec<String>, change: &Change, fresh: &str) {
    let says: Vec<usize> = (1..lines.len() - 2)
        .filter(|at| !lines[*at].trim().is_empty())
        .collect();
    if says.is_empty() {
        return;
    }
    match change {
        Change::Word(at) => {
            let line = &mut lines[*at.get(&says)];
            line.push_str(fresh.trim());
        }
        Change::Replace(at) => lines[*at.get(&says)] = format!("{fresh}(1);"),
        Change::Insert(at) => lines.insert(*at.get(&says), format!("{fresh}(2);")),
        Change::Delete(at) => {
            lines.remove(*at.get(&says));
        }
    }
}

/// What is left to compare: blank lines may stay where they were.
fn said(text: &str) -> Vec<&str> {
    let lines = text.split(['\n', '\r']);
    lines.filter(|line| !line.trim().is_empty()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn all_suggestions_together_make_the_region_what_it_is_to_be(play in play()) {
        let stage = play.stage();
        let answer = play.wrap.around(&play.old, &play.new, play.base);
        let placed = stage.place(&answer, AnswerEnd::Own).unwrap();
        let (old, new) = (play.text(&play.old), play.text(&play.new));
        let after = stage.applied(&placed.candidates);
        prop_assert_eq!(said(&after), said(&new));
        prop_assert_eq!(placed.candidates.is_empty(), said(&old) == said(&new));
        // Every line end is one of the document's.
        prop_assert_eq!(after.replace(play.line_end, "").contains(['\n', '\r']), false);
        prop_assert_eq!(after.ends_with(play.line_end), play.last_end);
    }

    #[test]
    fn it_does_not_matter_how_an_answer_is_cut_into_frames(
        play in play(),
        cuts in vec(any::<Index>(), 0..40),
    ) {
        let stage = play.stage();
        let answer = play.wrap.around(&play.old, &play.new, play.base);
        let places: Vec<usize> =
            (0..=answer.len()).filter(|at| answer.is_char_boundary(*at)).collect();
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| *cut.get(&places)).collect();
        cuts.extend([0, answer.len()]);
        cuts.sort_unstable();
        let frames: Vec<&str> =
            cuts.windows(2).map(|cut| answer.get(cut[0]..cut[1]).unwrap()).collect();
        let question = stage.question().unwrap();
        let heard = stage.listen(&question, &frames, AnswerEnd::Own);
        prop_assert_eq!(&heard, &stage.listen(&question, &[&answer], AnswerEnd::Own));
        let letters: Vec<String> = answer.chars().map(String::from).collect();
        let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
        prop_assert_eq!(heard, stage.listen(&question, &letters, AnswerEnd::Own));
        prop_assert_eq!(
            stage.place_frames(&frames, AnswerEnd::Own),
            stage.place(&answer, AnswerEnd::Own)
        );
    }

    #[test]
    fn no_answer_breaks_it_or_edits_outside_of_the_region(
        document in vec(prop_oneof![line(), Just("```".to_owned()), Just("~~~~".to_owned())], 0..60),
        line_end in select(vec!["\n", "\r\n", "\r"]),
        cursor in any::<Index>(),
        parts in vec(part(), 0..30),
        most_prefix in 0usize..400,
        kind in select(vec![ServerKind::OpenAiChat, ServerKind::OpenAi]),
        end in select(vec![AnswerEnd::Own, AnswerEnd::Length]),
    ) {
        let text = document.join(line_end);
        let places: Vec<usize> =
            (0..=text.len()).filter(|at| text.is_char_boundary(*at)).collect();
        let mut stage = Stage::of(&text, *cursor.get(&places));
        stage.settings.max_prefix_chars = most_prefix;
        stage.kind = kind;
        let Ok(question) = stage.question() else {
            return Ok(());
        };
        let told: Vec<&str> = question.told.split('\n').collect();
        let answer: String = parts.iter().map(|part| part.say(&told)).collect();
        if let Ok(placed) = stage.place(&answer, end) {
            for candidate in &placed.candidates {
                let span = candidate.edit.span().unwrap();
                prop_assert!(question.region.range.contains(span));
                let after = candidate.edit.apply(&stage.request.document.text);
                prop_assert!(after.is_ok());
            }
            stage.applied(&placed.candidates);
        }
    }

    #[test]
    fn no_frame_breaks_it(frame in "\\PC{0,40}", key in select(KEYS.to_vec())) {
        for kind in [ServerKind::OpenAiChat, ServerKind::OpenAi, ServerKind::LlamaCpp, ServerKind::Ollama] {
            let _ = kind.read(&frame);
            let quoted = serde_json::Value::from(frame.as_str());
            let _ = kind.read(&format!("{{{key:?}:{quoted}}}"));
            let _ = kind.read(&format!("{{\"choices\":[{{{key:?}:{quoted}}}]}}"));
            let _ = kind.read(&format!("{{\"choices\":[{{\"delta\":{{{key:?}:{quoted}}}}}]}}"));
        }
    }
}

const KEYS: [&str; 8] = [
    "choices", "delta", "message", "content", "usage", "error", "response", "done",
];

/// A part of an answer that may be anything.
#[derive(Clone, Debug)]
enum Part {
    Told(Index, Index),
    Says(String),
}

impl Part {
    fn say(&self, told: &[&str]) -> String {
        match self {
            Part::Told(from, to) => {
                let (from, to) = (from.index(told.len()), to.index(told.len()));
                let mut lines = told[from.min(to)..=from.max(to)].join("\n");
                lines.push('\n');
                lines
            }
            Part::Says(text) => text.clone(),
        }
    }
}

fn part() -> impl Strategy<Value = Part> {
    let signs = select(vec![
        "```\n",
        "```rust\n",
        "````\n",
        "~~~\n",
        "```",
        "\n",
        "\r",
        "\r\n",
        "    ",
        "<think>",
        "</think>",
        ">>> REGION STARTS\n",
        "<<< REGION ENDS\n",
        "// ...\n",
        "...\n",
        "Sure, that is it.\n",
        "[REDACTED-1]",
        "😀",
        "\u{301}",
    ]);
    prop_oneof![
        3 => (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Part::Told(from, to)),
        3 => signs.prop_map(|sign| Part::Says(sign.to_owned())),
        1 => "\\PC{0,20}".prop_map(Part::Says),
        1 => line().prop_map(Part::Says),
    ]
}
