//! Whatever the document, the place, the answer, and the frames it comes in.

use foretell_lanes::model::answer_frame::AnswerEnd;
use foretell_lanes::model::fim::FimFormat;
use foretell_lanes::model::server_kind::ServerKind;
use foretell_settings::BackEnd;
use foretell_text::{ByteOffset, FilePath, Language};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::stage::{SECRET, Stage};

/// What documents and answers are made of: code, and everything that means something somewhere.
const PIECES: [&str; 46] = [
    "a",
    "é",
    "😀",
    "e\u{301}",
    "\u{feff}",
    "\u{2028}",
    "\0",
    " ",
    "  ",
    "\t",
    "\n",
    "\n",
    "\n  ",
    "\r\n",
    "\r",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    "`",
    ";",
    ",",
    "else",
    "end",
    "});",
    "foo(bar)",
    "return x;",
    "```",
    "```rust\n",
    "hunter",
    "hunter42",
    "<|fim_",
    "prefix|>",
    "<|fim_prefix|>",
    "<fim_middle>",
    "<|endoftext|>",
    "<PRE>",
    "[SUFFIX]",
    "</s>",
    "[REDACTED-1]",
    "-->",
    "<",
];

const MODELS: [&str; 11] = [
    "qwen2.5-coder",
    "codegemma",
    "granite-4",
    "starcoder2",
    "stable-code",
    "codellama",
    "deepseek-coder",
    "codestral",
    "glm-4",
    "seed-coder",
    "my-model",
];

const BACK_ENDS: [BackEnd; 4] = [
    BackEnd::OpenAi,
    BackEnd::LlamaCpp,
    BackEnd::Ollama,
    BackEnd::Mistral,
];

fn text(pieces: usize) -> impl Strategy<Value = String> {
    vec(select(&PIECES[..]), 0..=pieces).prop_map(|pieces| pieces.concat())
}

/// A document, a place in it that need not fit, and how much may be told on each side.
fn stage() -> impl Strategy<Value = Stage> {
    let place = (
        text(60),
        any::<prop::sample::Index>(),
        0..40_usize,
        0..40_usize,
    );
    let asked = (
        select(&MODELS[..]),
        select(&BACK_ENDS[..]),
        text(8),
        text(3),
    );
    let languages = select(&["rust", "html", "css", "python", "markdown", "ocaml", ""][..]);
    (place, asked, languages, 1..6_usize, 1..30_usize).prop_map(
        |(
            (text, at, before, behind),
            (model, back_end, context, path),
            language,
            lines,
            tokens,
        )| {
            let at = at.index(text.len() + 3);
            let stage = Stage::at(&text, at).asking(back_end, model);
            let stage = stage.beside(&[(path.as_str(), context.as_str())]);
            let mut stage = stage.within(before, behind);
            stage.request.document.language = Language::new(language);
            stage.request.document.file = FilePath::new(path);
            stage.settings.max_lines = lines;
            stage.settings.max_tokens = tokens;
            stage
        },
    )
}

/// A text in pieces that begin and end anywhere.
fn split<'a>(text: &'a str, cuts: &[prop::sample::Index]) -> Vec<&'a str> {
    let mut ends: Vec<_> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
    ends.push(text.len());
    ends.sort_unstable();
    let mut pieces = Vec::new();
    let mut start = 0;
    for end in ends {
        if let Some(piece) = text.get(start..end) {
            pieces.push(piece);
            start = end;
        }
    }
    pieces
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn an_answer_is_the_same_however_it_comes(
        stage in stage(),
        answer in text(40),
        cuts in vec(any::<prop::sample::Index>(), 0..12),
        end in select(&[AnswerEnd::Own, AnswerEnd::Length][..]),
    ) {
        let whole = stage.kept([answer.as_str()], end);
        prop_assert_eq!(&stage.kept(split(&answer, &cuts), end), &whole);
        let letters: Vec<_> = answer.split_inclusive(|_: char| true).collect();
        prop_assert_eq!(&stage.kept(letters.iter().copied(), end), &whole);
        // What comes after it was enough changes nothing.
        if whole.1 {
            prop_assert_eq!(&stage.kept([answer.as_str(), "x\n}<|endoftext|>"], end), &whole);
            let enough = (1..=letters.len()).find(|count| stage.kept(letters[..*count].iter().copied(), end).1);
            let early = stage.kept(letters[..enough.unwrap()].iter().copied(), AnswerEnd::Length);
            prop_assert_eq!(&early, &whole);
        }
    }

    #[test]
    fn an_answer_keeps_its_bounds(
        stage in stage(),
        answer in text(60),
        end in select(&[AnswerEnd::Own, AnswerEnd::Length][..]),
    ) {
        let (kept, _) = stage.kept([answer.as_str()], end);
        for word in stage.format.controls().words() {
            prop_assert!(!kept.contains(word), "{} in {:?}", word, kept);
        }
        prop_assert!(kept.trim_start().lines().count() <= stage.settings.max_lines);
        prop_assert!(kept.chars().count() <= 8 * stage.settings.max_tokens);
        prop_assert!(!kept.contains('\r'));
        prop_assert!(kept.is_empty() || !kept.trim().is_empty());
        let answered = stage.answer(&kept);
        prop_assert!(answered.candidates.len() + answered.withheld <= 1);
        for candidate in &answered.candidates {
            let text = &stage.request.document.text;
            prop_assert!(candidate.edit.apply(text).is_ok());
        }
    }

    #[test]
    fn what_is_told_keeps_its_bounds(stage in stage()) {
        let prompt = stage.prompt();
        // A prompt that stays may grow by a quarter before it is cut anew.
        let most = |limit: usize| limit + limit / 4;
        let before = [prompt.prefix(), prompt.typed()].concat();
        prop_assert!(before.encode_utf16().count() <= most(stage.settings.max_prefix_chars));
        prop_assert!(prompt.suffix().encode_utf16().count() <= most(stage.settings.max_suffix_chars));
        for told in [&*before, prompt.suffix()] {
            prop_assert!(!told.contains(SECRET), "{:?}", told);
        }
        let body = stage.body();
        let templated = body.get("suffix").is_none() && body.get("input_suffix").is_none();
        let own_words = empty_prompt(&stage, prompt.pieces().len());
        for field in ["prompt", "suffix", "input_prefix", "input_suffix"] {
            let Some(told) = body.get(field).and_then(|it| it.as_str()) else { continue };
            for word in stage.format.controls().words() {
                let own = if templated { own_words.matches(word).count() } else { 0 };
                prop_assert_eq!(told.matches(word).count(), own, "{} in {:?}", word, told);
            }
        }
    }

    #[test]
    fn what_is_told_is_whole_lines(story in "[ab\r\n😀]{0,60}", at in any::<prop::sample::Index>(), most in 0..20_usize) {
        let at = at.index(story.len() + 1);
        let Some((before, behind)) = story.split_at_checked(at) else { return Ok(()) };
        let stage = Stage::at(&story, at).within(most, most);
        let prompt = stage.prompt();
        let told = [prompt.prefix(), prompt.typed()].concat();
        prop_assert!(before.ends_with(&told));
        prop_assert!(behind.starts_with(prompt.suffix()));
        let text = &stage.request.document.text;
        let begins_line = |at: usize| text.line_at(ByteOffset::new(at)).is_ok_and(|line| line.start().get() == at);
        let start = at - told.len();
        let own_line = !told.contains(['\r', '\n']) && !before.is_empty();
        prop_assert!(begins_line(start) || own_line);
        let end = at + prompt.suffix().len();
        let own_line = !prompt.suffix().contains(['\r', '\n']) && !behind.is_empty();
        prop_assert!(begins_line(end) || end == story.len() || own_line);
    }

    #[test]
    fn every_payload_is_read_or_refused(payload in any::<String>(), fields in vec(select(&[
        r#""choices":[{"text":"a"}]"#, r#""choices":[]"#, r#""choices":null"#, r#""content":"b""#, r#""content":[]"#,
        r#""response":null"#, r#""response":"c""#, r#""stop":true"#, r#""done":true"#, r#""usage":{"prompt_tokens":-1}"#,
        r#""error":"no""#, r#""error":null"#, r#""tokens_evaluated":1e99"#, r#""eval_count":18446744073709551615"#,
    ][..]), 0..5)) {
        let object = format!("{{{}}}", fields.join(","));
        for back_end in BACK_ENDS {
            let kind = ServerKind::of(back_end).unwrap();
            let _ = kind.read(&payload);
            let _ = kind.read(&object);
        }
    }

    #[test]
    fn every_setting_is_a_template_or_says_why_not(setting in text(10), model in any::<String>()) {
        for setting in [setting.clone(), format!("{setting}{{prefix}}{setting}")] {
            for back_end in BACK_ENDS {
                if let Err(fault) = FimFormat::of(back_end, &model, &setting) {
                    prop_assert!(!fault.says.is_empty());
                }
            }
        }
    }
}

/// What a template says when there is nothing to fill in but so many pieces of other files.
fn empty_prompt(stage: &Stage, pieces: usize) -> String {
    let mut empty = Stage::at("", 0).beside(&vec![("", "x"); pieces]);
    empty.format = stage.format.clone();
    empty.request.document.file = FilePath::new("");
    let body = empty.body();
    body["prompt"].as_str().unwrap().to_owned()
}
