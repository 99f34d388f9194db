//! Prompts of a typing session: how much of each has to be read anew.
//!
//! A server reads from the first byte that differs from the last prompt. A session is played key by
//! key, or piece by piece, with a question after each, and tells of every question how long the prompt
//! is and how many bytes at its end are other than before.
#![allow(
    clippy::string_slice,
    reason = "every place of a session is between characters"
)]

use std::fmt::Write as _;
use std::sync::Arc;

use foretell_lanes::LaneContext;
use foretell_lanes::model::fim::{FimPrompt, KeptLimits, PromptMemory};
use foretell_settings::BackEnd;
use foretell_text::{ByteRange, ChangeReason, DocumentId, RecentEdit, Text, TokenUsage};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::stage::Stage;

/// Somebody who types, and a model that is asked.
struct Session {
    stage: Stage,
    memory: PromptMemory,
    last: String,
}

impl Session {
    fn of(story: &str) -> Session {
        Session::with(Stage::of(story))
    }

    fn with(stage: Stage) -> Session {
        Session {
            stage,
            memory: PromptMemory::default(),
            last: String::new(),
        }
    }

    fn text(&self) -> String {
        self.stage.request.document.text.to_string()
    }

    fn at(&self) -> usize {
        self.stage.request.at.get()
    }

    /// Puts another text in, with the cursor at a place of it.
    fn set(&mut self, text: &str, at: usize) {
        self.stage.request.document.text = Text::from(text);
        self.stage.request.at = foretell_text::ByteOffset::new(at);
    }

    /// Types at the cursor; `<` takes a character back.
    fn types(&mut self, keys: &str) {
        for key in keys.chars() {
            let (mut text, at) = (self.text(), self.at());
            if key == '<' {
                let before = text[..at].char_indices().next_back();
                let start = before.map_or(0, |(start, _)| start);
                text.replace_range(start..at, "");
                self.set(&text, start);
            } else {
                text.insert(at, key);
                self.set(&text, at + key.len_utf8());
            }
        }
    }

    /// Goes to a place, named by what stands behind it.
    fn goes_to(&mut self, place: &str) {
        let text = self.text();
        self.set(&text, text.find(place).unwrap());
    }

    fn told(&mut self) -> FimPrompt {
        self.stage.next_prompt(&mut self.memory)
    }

    /// Asks, and says how long the prompt is and how much of it is other than the last one.
    fn asks(&mut self) -> (usize, usize) {
        let told = self.told();
        let prompt = self.stage.format.prompt(&told, &self.stage.settings);
        let message = self.stage.format.kind().message(prompt, "m").unwrap();
        let prompt = message.body["prompt"].as_str().unwrap().to_owned();
        let alike = prompt.bytes().zip(self.last.bytes());
        let alike = alike.take_while(|(new, old)| new == old).count();
        let lengths = (prompt.len(), prompt.len() - alike);
        self.last = prompt;
        lengths
    }
}

/// A file that is larger than a prompt.
fn large() -> String {
    let item = |number: usize| {
        format!("function f{number}(a) {{\n  const b = a + {number};\n  return b;\n}}\n\n")
    };
    (0..400).map(item).collect()
}

#[test]
fn while_lines_are_typed_only_what_was_typed_is_read() {
    let file = large().replace("f200(a) {\n", "f200(a) {\n|");
    let mut session = Session::of(&file);
    let mut said = String::new();
    session.asks();
    for line in [
        "  const total = a.map((it) => it.price);\n",
        "  if (total > 10) {\n",
        "    return total;\n",
        "  }\n",
    ] {
        for word in line.split_inclusive(' ') {
            session.types(word);
            let (length, anew) = session.asks();
            assert!(anew <= word.len(), "{anew} for {word:?}");
            _ = write!(said, "{}/{length} ", anew);
        }
    }
    println!("bytes read anew of each prompt: {said}");
}

#[test]
fn what_is_taken_back_and_typed_anew_is_all_that_is_read() {
    let mut session = Session::of("a();\nconst b = foo|;\nc();\n");
    session.asks();
    session.types("<<<bar");
    let (_, anew) = session.asks();
    assert_eq!(anew, 3);
    session.types("<<<<<<<<<<<<<let");
    let (_, anew) = session.asks();
    assert_eq!(anew, 3);
    // Beyond the start of the line it is another place.
    session.types("<<<<");
    let told = session.told();
    assert_eq!((told.prefix(), told.typed()), ("", "a();"));
}

#[test]
fn what_an_editor_closes_by_itself_is_nothing_new() {
    let mut session = Session::of("a();\n|\nc();\n");
    session.types("foo");
    session.asks();
    for (typed, closers) in [
        ("(", ")"),
        ("\"", "\")"),
        ("x\"", ")"),
        (")", ""),
        (";", ""),
    ] {
        session.types(typed);
        let (text, at) = (session.text(), session.at());
        let line_end = at + text[at..].find('\n').unwrap();
        session.set(
            &format!("{}{closers}{}", &text[..at], &text[line_end..]),
            at,
        );
        let (_, anew) = session.asks();
        assert_eq!(anew, typed.len(), "{typed}");
    }
    let told = session.told();
    assert_eq!(told.typed(), "foo(\"x\");");
    assert_eq!(told.suffix(), "\nc();\n");
}

#[test]
fn a_bracket_that_something_stands_behind_is_told() {
    for (story, suffix) in [
        ("f(|) + 1", ") + 1"),
        ("f(|)", ""),
        ("f(|);\n", ";\n"),
        ("f(| )\n", "\n"),
        ("f(|a)\n", "a)\n"),
        ("x = |;\n", ";\n"),
        ("x |\n", "\n"),
    ] {
        assert_eq!(Session::of(story).told().suffix(), suffix, "{story}");
    }
}

#[test]
fn the_beginning_of_a_prompt_moves_in_steps() {
    let file = format!("{}|", large());
    let mut session = Session::of(&file);
    session.asks();
    let mut moved = 0;
    let mut starts = Vec::new();
    for number in 0..300 {
        session.types(&format!("const value{number} = {number};\n"));
        session.asks();
        let told = session.told();
        let start = told.prefix().lines().next().unwrap().to_owned();
        if starts.last() != Some(&start) {
            starts.push(start);
            moved += 1;
        }
    }
    println!("began at {starts:?}");
    // 7,000 characters were typed, of which each step takes a quarter of 6,000.
    assert!((4..=8).contains(&moved), "{moved}");
    for start in &starts[..3] {
        assert!(
            start.starts_with("function") || start.starts_with("const"),
            "{start}"
        );
    }
}

/// Somebody types many lines at the end of a large file, to a server that has so many of a hundred tokens of each
/// prompt to read anew. Returns how long the longest prompt was before the cursor, and how often its beginning
/// moved.
fn typed_to_a_server_that_reads(percent: u64) -> (usize, usize) {
    let file = format!("{}|", large());
    let mut session = Session::of(&file);
    session.memory.let_grow(Some(KeptLimits {
        before: 12_000,
        behind: 4_000,
    }));
    let (mut longest, mut moved) = (0, 0);
    let mut last = String::new();
    for number in 0..300 {
        session.types(&format!("const value{number} = {number};\n"));
        session.asks();
        session.memory.learn(TokenUsage {
            prompt_tokens: 100,
            completion_tokens: 1,
            read_tokens: Some(percent),
        });
        let told = session.told();
        let start = told.prefix().lines().next().unwrap().to_owned();
        moved += usize::from(start != last);
        last = start;
        longest = longest.max(told.prefix().len() + told.typed().len());
    }
    (longest, moved)
}

#[test]
fn what_a_server_keeps_is_told_again_for_longer_and_what_it_drops_is_not() {
    let (longest, moved) = typed_to_a_server_that_reads(5);
    assert!(moved <= 2, "{moved}");
    assert!((7_500..=15_000).contains(&longest), "{longest}");
    let (longest, moved) = typed_to_a_server_that_reads(100);
    assert!((4..=8).contains(&moved), "{moved}");
    assert!(longest <= 7_500, "{longest}");
}

#[test]
fn what_stands_behind_the_cursor_stays_when_it_turns_out_that_the_server_keeps_it() {
    let (before, behind) = (large(), large());
    let mut session = Session::of(&format!("{before}\n|\n{behind}"));
    // The first prompt is longer than those of a server that is known to be slow.
    session.asks();
    session.stage.settings.max_prefix_chars = 600;
    session.stage.settings.max_suffix_chars = 200;
    session.memory.let_grow(Some(KeptLimits {
        before: 1_200,
        behind: 400,
    }));
    session.asks();
    let suffix = session.told().suffix().to_owned();
    assert!(suffix.len() <= 250, "{}", suffix.len());
    for percent in [5, 5, 90, 90, 5, 5] {
        session.types("let a = 1;\n");
        session.asks();
        assert_eq!(session.told().suffix(), suffix);
        session.memory.learn(TokenUsage {
            prompt_tokens: 100,
            completion_tokens: 1,
            read_tokens: Some(percent),
        });
    }
}

#[test]
fn another_place_of_the_same_file_begins_alike() {
    let file = large().replace("f200(a) {\n", "f200(a) {\n|");
    let mut session = Session::of(&file);
    session.asks();
    session.goes_to("const b = a + 203;");
    let (length, anew) = session.asks();
    // The functions between are more prefix, and all that stands behind is read anew.
    assert!(anew < length / 2, "{anew} of {length}");
    // Far away there is nothing in common but the path.
    session.goes_to("const b = a + 20;");
    let (length, anew) = session.asks();
    assert!(anew > length - 50, "{anew} of {length}");
}

#[test]
fn a_change_above_the_prompt_changes_nothing() {
    let file = large().replace("f200(a) {\n", "f200(a) {\n|");
    let mut session = Session::of(&file);
    session.asks();
    session.types("  x");
    let (text, at) = (session.text(), session.at());
    let import = "import { y } from 'y';\n";
    session.set(&format!("{import}{text}"), at + import.len());
    assert_eq!(session.asks().1, 3);
}

#[test]
fn a_change_below_the_cursor_is_read_from_there_on() {
    let mut session = Session::of("a();\nb|\nc();\nd();\n");
    session.asks();
    session.types("2");
    let text = session.text().replace("d()", "e()");
    let at = session.at();
    session.set(&text, at);
    let (_, anew) = session.asks();
    assert_eq!(anew, "e();\n<|fim_middle|>b2".len());
}

#[test]
fn nothing_is_typed_for_ever() {
    let mut session = Session::of("a();\n|\nc();\n");
    session.asks();
    session.types(&"x = 1;\n".repeat(200));
    assert_eq!(session.asks().1, 1_400);
    session.types(&"y = 2;\n".repeat(20));
    let told = session.told();
    assert_eq!(told.typed(), "");
    assert!(told.prefix().ends_with("y = 2;\n"));
}

#[test]
fn a_very_long_line_is_cut_where_the_cursor_was() {
    let mut session = Session::of(&format!("a();\n{}|b\n", "x".repeat(5_000)));
    session.asks();
    session.types("yz");
    assert_eq!(session.asks().1, 2);
    assert_eq!(session.told().typed(), "yz");
}

#[test]
fn a_secret_that_comes_about_by_typing_is_a_mark_on_both_sides() {
    let mut session = Session::of(&format!("{}hunt|\n", "x".repeat(2_000)));
    assert!(session.told().prefix().ends_with("xhunt"));
    session.types("er42");
    let told = session.told();
    assert!(told.prefix().ends_with("x[REDACTED-2]"));
    assert_eq!(told.typed(), "[REDACTED-3]");
}

#[test]
fn marks_keep_their_numbers() {
    let mut session = Session::of("a = hunter1\n|\n");
    let first = session.told().prefix().to_owned();
    // Another secret is met first now.
    let text = session.text().replace("\n\n", "\n\nb = hunter2\n");
    let at = session.at();
    session.set(&text, at);
    session.types("c = hunter3");
    assert_eq!(session.told().prefix(), first);
}

/// The pieces of a context by their paths.
fn pieces(told: &FimPrompt) -> String {
    let paths: Vec<&str> = told.pieces().iter().map(|piece| &*piece.path).collect();
    paths.join(" ")
}

impl Session {
    fn knows(&mut self, names: &[&str]) {
        let pieces: Vec<(String, String)> = names
            .iter()
            .map(|name| ((*name).to_owned(), format!("let {name} = 1;")))
            .collect();
        let pieces: Vec<(&str, &str)> = pieces.iter().map(|(a, b)| (&**a, &**b)).collect();
        let stage = std::mem::replace(&mut self.stage, Stage::at("", 0));
        self.stage = stage.beside(&pieces);
    }

    fn pauses(&mut self, age_ms: u64) {
        self.stage.request.document.edits = vec![RecentEdit {
            made_at: None,
            range: ByteRange::default(),
            old_text: Arc::default(),
            new_text: Arc::default(),
            reason: ChangeReason::Typed,
            is_accepted: false,
            age_ms,
            is_finished: true,
        }];
    }
}

#[test]
fn the_context_stays_while_somebody_types_at_a_place() {
    let mut session = Session::of("fn a() {\n  |\n}\n\nfn b() {\n  two\n}\n");
    session.knows(&["one", "two", "three"]);
    assert_eq!(pieces(&session.told()), "one two three");
    session.types("x");
    session.knows(&["four", "three"]);
    session.pauses(300);
    assert_eq!(pieces(&session.told()), "one two three");
    // A rest, after which those that stay come first.
    session.pauses(60_000);
    assert_eq!(pieces(&session.told()), "three four");
    // One that is not needed any more is not worth reading all of it again.
    session.knows(&["three"]);
    assert_eq!(pieces(&session.told()), "three four");
    // Another item of the same file.
    session.pauses(300);
    session.knows(&["five", "four"]);
    session.goes_to("two\n}");
    assert_eq!(pieces(&session.told()), "four five");
}

#[test]
fn the_context_is_taken_anew_where_somebody_comes_from_another_file() {
    let mut session = Session::of("fn a() {\n  |\n}\n");
    session.knows(&["one"]);
    session.told();
    let here = session.stage.request.document.id.clone();
    session.stage.request.document.id = DocumentId::new("file:///elsewhere");
    session.told();
    session.stage.request.document.id = here;
    session.knows(&["two", "one"]);
    assert_eq!(pieces(&session.told()), "one two");
}

#[test]
fn context_that_may_not_be_told_any_more_is_not() {
    let mut session = Session::of("fn a() {\n  |\n}\n");
    session.knows(&["one", "two"]);
    session.told();
    // A source that is late takes nothing away, and one that is off does.
    let late = LaneContext {
        is_late: true,
        ..LaneContext::default()
    };
    session.stage.request.context = Arc::new(late.clone());
    assert_eq!(pieces(&session.told()), "one two");
    session.stage.request.context = Arc::new(LaneContext { rules: 1, ..late });
    assert_eq!(pieces(&session.told()), "");
    session.knows(&["one", "two"]);
    session.told();
    session.stage.request.context = Arc::default();
    assert_eq!(pieces(&session.told()), "");
}

#[test]
fn what_stands_in_the_prompt_is_no_context() {
    let mut session = Session::of("fn a() {\n  let one = 1;\n  |\n}\n");
    session.knows(&["one", "two"]);
    assert_eq!(pieces(&session.told()), "two");
}

/// Marks are longer than what they stand for, so that what was typed may be too long to be told whole.
#[test]
fn nothing_is_left_out_in_the_middle_where_marks_make_the_typed_text_too_long() {
    let stage = Stage::of("a {\n|\nb\n").within(16, 0);
    let mut session = Session::with(stage);
    session.told();
    session.types("(a(hunter42\n  foo");
    let told = session.told();
    assert_eq!([told.prefix(), told.typed()].concat(), "  foo");
}

/// Some editors say that the cursor is between the two characters that end a line.
#[test]
fn nothing_is_told_of_a_long_line_whose_end_the_cursor_parts() {
    let stage = Stage::of("a long line\r|\nb\n").within(1, 0);
    let told = stage.prompt();
    assert_eq!([told.prefix(), told.typed()].concat(), "");
}

#[test]
fn two_models_of_a_lane_have_a_prompt_each() {
    let mut session = Session::of("a();\nb|\n");
    session.stage.settings.model = Some("small".into());
    session.stage.settings.explicit_model = Some("large".into());
    session.told();
    session.types("2\nc");
    session.stage.request.is_explicit = true;
    assert_eq!(session.told().typed(), "c");
    session.stage.request.is_explicit = false;
    assert_eq!(session.told().typed(), "b2\nc");
}

/// What somebody does next.
#[derive(Clone, Debug)]
enum Step {
    Type(String),
    TakeBack(usize),
    GoTo(prop::sample::Index),
    Change(prop::sample::Index, String),
}

fn step() -> impl Strategy<Value = Step> {
    let words = vec(
        select(
            &[
                "a", "é", "😀", " ", "\n", "\r\n", "(", ")", "{", "}", "\"", ";", "foo",
                "hunter42", "\n  ",
            ][..],
        ),
        1..6,
    );
    let words = words.prop_map(|words| words.concat());
    prop_oneof![
        6 => words.clone().prop_map(Step::Type),
        2 => (1..5_usize).prop_map(Step::TakeBack),
        1 => any::<prop::sample::Index>().prop_map(Step::GoTo),
        1 => (any::<prop::sample::Index>(), words).prop_map(|(at, text)| Step::Change(at, text)),
    ]
}

fn boundary(text: &str, at: usize) -> usize {
    (0..=at)
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Nothing of the document is lost, nothing is told twice, and nothing is told that a prompt made
    /// anew would not tell: before the cursor it is the end of the document up to there, and behind it
    /// the beginning of what stands there, but for what only closes.
    #[test]
    fn a_prompt_always_says_what_the_document_says(
        story in "[ab(){}\"\r\n😀]{0,80}",
        at in any::<prop::sample::Index>(),
        steps in vec(step(), 1..12),
        limits in (0..120_usize, 0..60_usize),
        model in select(&["qwen2.5-coder", "codestral", "granite4", "my-model"][..]),
    ) {
        let at = boundary(&story, at.index(story.len() + 1));
        let stage = Stage::at(&story, at).asking(BackEnd::OpenAi, model).within(limits.0, limits.1);
        let mut session = Session::with(stage);
        for step in steps {
            let (mut text, at) = (session.text(), session.at());
            match step {
                Step::Type(words) => {
                    text.insert_str(at, &words);
                    session.set(&text, at + words.len());
                }
                Step::TakeBack(count) => {
                    let start = text[..at].char_indices().rev().nth(count - 1);
                    let start = start.map_or(0, |(start, _)| start);
                    text.replace_range(start..at, "");
                    session.set(&text, start);
                }
                Step::GoTo(place) => {
                    let at = boundary(&text, place.index(text.len() + 1));
                    session.set(&text, at);
                }
                Step::Change(place, words) => {
                    let place = boundary(&text, place.index(text.len() + 1));
                    text.insert_str(place, &words);
                    session.set(&text, if place <= at { at + words.len() } else { at });
                }
            }
            let plain = |text: &str| text.replace("hunter42", "[R]");
            let told = session.told();
            let (text, at) = (session.text(), session.at());
            let marks = |text: &str| {
                let mut text = text.to_owned();
                for number in 1..10 {
                    text = text.replace(&format!("[REDACTED-{number}]"), "[R]");
                }
                text
            };
            // Secrets that the session has cut in two are another story.
            let is_whole = |text: &str| {
                let rest = plain(text).replace("[R]", "");
                !rest.contains("hunter") && !rest.contains(['4', '2'])
            };
            if !is_whole(&text) || !is_whole(&text[..at]) || !is_whole(&text[at..]) {
                continue;
            }
            let before = marks(&[told.prefix(), told.typed()].concat());
            prop_assert!(plain(&text[..at]).ends_with(&before), "{:?} of {:?}", before, text);
            let cold = marks(&{
                let cold = session.stage.prompt();
                [cold.prefix(), cold.typed()].concat()
            });
            // The one that stays may begin earlier or later, but ends alike.
            let shorter = before.len().min(cold.len());
            let end = |text: &str| text.get(text.len() - shorter..).map(str::to_owned);
            prop_assert_eq!(end(&before), end(&cold));
            let most = limits.0 + limits.0 / 4;
            prop_assert!(before.encode_utf16().count() <= most + 8 * before.matches("[R]").count());
            let behind = marks(told.suffix());
            let rest = plain(&text[at..]);
            let closers = rest.len() - rest.trim_start_matches(|c: char| ")]}\"'` \r".contains(c)).len();
            let mut skipped = (0..=closers).filter_map(|skipped| rest.get(skipped..));
            prop_assert!(skipped.any(|rest| rest.starts_with(&behind)), "{:?} of {:?}", behind, rest);
        }
    }
}
