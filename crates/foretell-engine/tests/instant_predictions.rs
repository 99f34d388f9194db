//! The predictor that answers at once, on the loop: asked and heard in the turn in which the editor asks, and
//! told of nothing that is excluded.
#![allow(
    clippy::unwrap_used,
    reason = "a story that goes wrong should stop where it does"
)]

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use foretell_core::{
    Answer, CursorPrediction, Event, LaneCandidate, OfferedFrom, Order, Reason, RequestCause,
    RequestId, RequestKind, SuggestionRequest,
};
use foretell_engine::reexports::{Exclude, NoCode, Redactor, TokenEstimate};
use foretell_engine::{Engine, EngineSurroundings, lane_backends};
use foretell_lanes::embedded::LineModel;
use foretell_lanes::{InstantPredictor, PredictionQuestion};
use foretell_settings::Settings;
use foretell_text::{
    ByteOffset, ChangeReason, DocumentId, Edit, FilePath, Language, Replacement, Text,
    TextProbability, Version,
};

/// Says one thing wherever it is asked, and keeps what it was told.
#[derive(Clone, Default)]
struct ScriptedPredictor {
    says: String,
    told: Arc<Mutex<Vec<String>>>,
    known: BTreeSet<DocumentId>,
}

impl ScriptedPredictor {
    fn hear(&self, told: String) {
        self.told.lock().unwrap().push(told);
    }
}

impl InstantPredictor for ScriptedPredictor {
    fn open(&mut self, document: &DocumentId, _: &Language, text: &Text) {
        self.known.insert(document.clone());
        self.hear(format!("open {document} {:?}", text.to_string()));
    }

    fn change(&mut self, document: &DocumentId, _: &Text, edit: &Edit, _: ChangeReason) {
        self.hear(format!("change {document} {edit}"));
    }

    fn close(&mut self, document: &DocumentId) {
        self.known.remove(document);
        self.hear(format!("close {document}"));
    }

    fn forget(&mut self, document: &DocumentId) {
        self.known.remove(document);
        self.hear(format!("forget {document}"));
    }

    fn forget_closed(&mut self) {
        self.hear("forget closed".to_owned());
    }

    fn knows(&self, document: &DocumentId) -> bool {
        self.known.contains(document)
    }

    fn predict(&mut self, question: &PredictionQuestion<'_>) -> Option<CursorPrediction> {
        let edit = Replacement::insertion(question.at, self.says.as_str());
        Some(CursorPrediction {
            candidate: LaneCandidate::new(question.document.clone(), Edit::from(edit)),
            probability: TextProbability::CERTAIN,
        })
    }
}

/// Files are excluded whose name has this in it.
struct ByName(&'static str);

impl Exclude for ByName {
    fn excludes(&self, file: &FilePath) -> bool {
        file.as_str().contains(self.0)
    }
}

/// An engine with a predictor that says one thing.
fn engine(says: &str) -> (Engine, Arc<Mutex<Vec<String>>>) {
    let predictor = ScriptedPredictor {
        says: says.to_owned(),
        ..ScriptedPredictor::default()
    };
    let told = Arc::clone(&predictor.told);
    let engine = Engine::new(Arc::new(Settings::default()), surroundings("excluded"));
    (engine.with_predictor(Box::new(predictor)), told)
}

/// What is around an engine that is to tell nothing of files whose name says this.
fn surroundings(excluded: &'static str) -> EngineSurroundings {
    EngineSurroundings {
        lanes: lane_backends::by_settings(),
        code: Arc::new(NoCode),
        sources: Vec::new(),
        counter: Arc::new(TokenEstimate),
        redactor: Redactor::new(),
        exclude: Arc::new(ByName(excluded)),
        name: Arc::new(|document| FilePath::new(document.as_str())),
        folder: Arc::new(|_| None),
        usage: None,
        speeds: None,
        typing: None,
    }
}

fn open(engine: &mut Engine, name: &str, text: &str) {
    engine.tell(Event::DocumentOpened {
        document: DocumentId::new(name),
        language: Language::new("rust"),
        version: Version::new(1),
        text: Text::from(text),
    });
}

fn type_at(engine: &mut Engine, name: &str, at: usize, text: &str) {
    let edit = Edit::from(Replacement::insertion(ByteOffset::new(at), text));
    engine.tell(Event::DocumentChanged {
        document: DocumentId::new(name),
        version: Version::new(2),
        edits: vec![edit],
        reason: ChangeReason::Typed,
    });
}

/// What the editor is answered before the loop has turned once.
fn ask(engine: &mut Engine, name: &str, at: usize) -> Option<Answer> {
    engine.tell(Event::SuggestionRequested(SuggestionRequest {
        request: RequestId::new(1),
        document: DocumentId::new(name),
        version: None,
        at: ByteOffset::new(at),
        cause: RequestCause::Automatic,
        kind: RequestKind::Inline,
    }));
    answer_of(engine)
}

/// What the editor is answered so far.
fn answer_of(engine: &mut Engine) -> Option<Answer> {
    let orders = std::iter::from_fn(|| engine.poll_order());
    let mut answers = orders.filter_map(|placed| match placed.order {
        Order::Answer { answer, .. } => Some(answer),
        _ => None,
    });
    answers.next()
}

/// What is offered, as text; nothing, if nothing is.
fn text_of(answer: Option<Answer>) -> String {
    match answer {
        Some(Answer::Candidates(offers)) => offers[0].candidate.edit.to_string(),
        _ => String::new(),
    }
}

/// Lets the loop find out what is excluded.
async fn judge(engine: &mut Engine) {
    while engine.running() > 0 {
        engine.turn().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_that_comes_with_its_document_is_answered_when_that_may_be_learned_from() {
    let (mut engine, told) = engine(" = compute();");
    open(&mut engine, "a.rs", "let x\n");
    assert_eq!(ask(&mut engine, "a.rs", 5), None);
    assert_eq!(*told.lock().unwrap(), [""; 0]);
    while told.lock().unwrap().is_empty() {
        engine.turn().await;
    }
    let Some(Answer::Candidates(offers)) = answer_of(&mut engine) else {
        panic!("nothing was suggested");
    };
    assert_eq!(offers[0].from, OfferedFrom::AtOnce);
}

#[tokio::test(start_paused = true)]
async fn a_request_is_answered_in_the_turn_in_which_it_is_made() {
    let (mut engine, _) = engine(" = compute();");
    open(&mut engine, "a.rs", "let x\n");
    judge(&mut engine).await;
    let answer = ask(&mut engine, "a.rs", 5);
    let Some(Answer::Candidates(offers)) = answer else {
        panic!("nothing was suggested: {answer:?}");
    };
    assert_eq!(offers[0].from, OfferedFrom::AtOnce);
    assert_eq!(
        offers[0].candidate.edit.to_string(),
        r#"[5, 5) -> " = compute();""#
    );
}

#[tokio::test(start_paused = true)]
async fn a_secret_is_not_said_at_once_either() {
    let (mut engine, _) = engine("\"ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8\";");
    open(&mut engine, "a.rs", "let token = \n");
    judge(&mut engine).await;
    assert_eq!(ask(&mut engine, "a.rs", 12), None);
    let dropped = engine.core().counts().predictions_dropped;
    assert_eq!(dropped.get(&Reason::TouchesSecret), Some(&1));
}

#[tokio::test(start_paused = true)]
async fn it_learns_of_every_change() {
    let (mut engine, told) = engine("");
    open(&mut engine, "a.rs", "let x\n");
    judge(&mut engine).await;
    type_at(&mut engine, "a.rs", 5, "y");
    engine.tell(Event::DocumentClosed {
        document: DocumentId::new("a.rs"),
    });
    let told = told.lock().unwrap();
    let expected = [
        r#"open a.rs "let x\n""#,
        r#"change a.rs [5, 5) -> "y""#,
        "close a.rs",
    ];
    assert_eq!(*told, expected);
}

#[tokio::test(start_paused = true)]
async fn nothing_of_an_excluded_file_is_learned() {
    let (mut engine, told) = engine("");
    open(&mut engine, "excluded.rs", "let hidden = 1;\n");
    type_at(&mut engine, "excluded.rs", 0, "x");
    ask(&mut engine, "excluded.rs", 1);
    judge(&mut engine).await;
    type_at(&mut engine, "excluded.rs", 0, "x");
    assert_eq!(*told.lock().unwrap(), ["forget excluded.rs"]);
}

#[tokio::test(start_paused = true)]
async fn what_is_excluded_later_is_forgotten_with_what_was_typed_into_it() {
    let (mut engine, told) = engine("");
    open(&mut engine, "a.rs", "let x\n");
    open(&mut engine, "b.rs", "let z\n");
    judge(&mut engine).await;
    type_at(&mut engine, "a.rs", 5, "y");
    type_at(&mut engine, "b.rs", 5, "y");
    engine.tell(Event::DocumentClosed {
        document: DocumentId::new("b.rs"),
    });
    told.lock().unwrap().clear();
    engine.surround(surroundings("a.rs"));
    judge(&mut engine).await;
    assert_eq!(*told.lock().unwrap(), ["forget closed", "forget a.rs"]);
}

#[tokio::test(start_paused = true)]
async fn a_text_that_is_sent_as_a_whole_is_learned_as_what_changed_in_it() {
    let (mut engine, told) = engine("");
    open(&mut engine, "a.rs", "let x\nlet y\n");
    judge(&mut engine).await;
    told.lock().unwrap().clear();
    engine.tell(Event::DocumentReplaced {
        document: DocumentId::new("a.rs"),
        version: Version::new(2),
        text: Text::from("let x = 1\nlet y\n"),
        reason: ChangeReason::Typed,
    });
    assert_eq!(*told.lock().unwrap(), [r#"change a.rs [5, 5) -> " = 1""#]);
}

#[tokio::test(start_paused = true)]
async fn a_document_that_the_predictor_has_let_go_of_is_told_of_again() {
    let (mut engine, told) = engine("");
    open(&mut engine, "a.rs", "let x\n");
    judge(&mut engine).await;
    told.lock().unwrap().clear();
    engine.tell(Event::DocumentLost {
        document: DocumentId::new("a.rs"),
    });
    open(&mut engine, "a.rs", "let y\n");
    judge(&mut engine).await;
    assert_eq!(
        *told.lock().unwrap(),
        ["close a.rs", r#"open a.rs "let y\n""#]
    );
}

/// What the language model says behind each beginning of a value, below lines of which some stand there.
async fn said_behind_beginnings(lines: &str, value: &str) -> Vec<String> {
    let mut said = Vec::new();
    for end in 3..value.len() {
        let engine = Engine::new(Arc::new(Settings::default()), surroundings("excluded"));
        let mut engine = engine.with_predictor(Box::new(LineModel::default()));
        let seen = format!("fn show() {{\n    print(\"hello\");\n{lines}}}\n").repeat(4);
        let begun: String = value.chars().take(end).collect();
        let text = format!("{seen}fn show() {{\n    print(\"{begun}\n}}\n");
        open(&mut engine, "a.rs", &text);
        judge(&mut engine).await;
        let answer = text_of(ask(&mut engine, "a.rs", text.len() - 3));
        if !answer.is_empty() {
            said.push(answer);
        }
    }
    said
}

#[tokio::test(start_paused = true)]
async fn a_password_of_an_open_document_is_not_said_elsewhere_piece_by_piece() {
    let value = "hunter2-SuperSecret-9981";
    let plain = said_behind_beginnings(&format!("    let label = \"{value}\";\n"), value).await;
    assert!(
        plain.iter().any(|said| said.contains("ecret-")),
        "what is no secret is said: {plain:?}"
    );
    for lines in [
        format!("    let password = \"{value}\";\n"),
        format!("    let password =\n        \"{value}\";\n"),
        format!("    connect(host, user, password = \"{value}\", retries = 3)\n"),
    ] {
        let said = said_behind_beginnings(&lines, value).await;
        let is_part = |said: &&String| {
            ["Super", "Secret", "9981"]
                .iter()
                .any(|it| said.contains(it))
        };
        assert_eq!(said.iter().find(is_part), None, "{lines}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_line_of_a_private_key_is_not_said_elsewhere() {
    let line = "MIIEowIBAAKCAQEAzbn5aVhQmJ8kT3pRw7dYxUeHc2sLfGv9oK1jNqB4iXtZ6yMu";
    let begin = ["-----BEGIN RSA PRIVATE", "KEY-----\\n\\"].join(" ");
    let lines = format!("const KEY: &str = \"{begin}\n{line}\\n\\\n{line}\\n\\\n\";\n");
    let said = said_behind_beginnings(&lines, line).await;
    assert_eq!(said, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_password_that_was_typed_is_not_said_in_another_document() {
    let engine = Engine::new(Arc::new(Settings::default()), surroundings("excluded"));
    let mut engine = engine.with_predictor(Box::new(LineModel::default()));
    let typed = "    let password = \"hunter2-SuperSecret-9981\";\n";
    open(&mut engine, "a.rs", "fn a() {\n}\n");
    judge(&mut engine).await;
    type_at(&mut engine, "a.rs", 9, typed);
    ask(&mut engine, "a.rs", 0);
    judge(&mut engine).await;
    engine.tell(Event::DocumentClosed {
        document: DocumentId::new("a.rs"),
    });
    while engine.poll_order().is_some() {}
    open(
        &mut engine,
        "b.rs",
        "fn b() {\n    let password = \"hunt\n}\n",
    );
    judge(&mut engine).await;
    let said = text_of(ask(&mut engine, "b.rs", 33));
    assert!(!said.contains("Secret"), "{said}");
}

/// What is said in `ours`, after a marked word was typed into a document that is closed by then.
async fn said_after_typing_into(document: &str) -> String {
    let mut around = surroundings("excluded");
    around.folder = Arc::new(|document| {
        let folder = document.as_str().split_once('/');
        folder.map(|(folder, _)| folder.into())
    });
    let engine = Engine::new(Arc::new(Settings::default()), around);
    let mut engine = engine.with_predictor(Box::new(LineModel::default()));
    open(&mut engine, document, "fn a() {\n}\n");
    judge(&mut engine).await;
    let typed = "    let marked_canary = marked_canary + marked_canary;\n";
    type_at(&mut engine, document, 9, typed);
    ask(&mut engine, document, 0);
    judge(&mut engine).await;
    engine.tell(Event::DocumentClosed {
        document: DocumentId::new(document),
    });
    // The question about it has its answer.
    while engine.poll_order().is_some() {}
    open(&mut engine, "ours/b.rs", "fn b() {\n    let marked_c\n}\n");
    judge(&mut engine).await;
    text_of(ask(&mut engine, "ours/b.rs", 25))
}

#[tokio::test(start_paused = true)]
async fn what_was_typed_in_a_workspace_is_said_there_and_in_no_other() {
    let ours = said_after_typing_into("ours/a.rs").await;
    assert!(ours.contains("anary"), "{ours}");
    for foreign in ["theirs/a.rs", "a.rs"] {
        let said = said_after_typing_into(foreign).await;
        assert!(!said.contains("anary"), "{foreign}: {said}");
    }
}

/// What somebody sees who types a key every 100 ms, which are 120 words a minute.
#[derive(Debug, Default, PartialEq, Eq)]
struct TypingFrames {
    keys: usize,
    /// Texts that something was typed into which agreed, and of which the rest was gone then.
    blank: usize,
    /// Texts that appeared and were gone at the next key, which did not agree.
    brief: usize,
    /// Texts that appeared.
    appeared: usize,
}

/// Types into an engine with the language model, and asks at every key.
async fn frames_of(before: &str, typed: &str) -> TypingFrames {
    let engine = Engine::new(Arc::new(Settings::default()), surroundings("excluded"));
    let mut engine = engine.with_predictor(Box::new(LineModel::default()));
    open(&mut engine, "a.rs", before);
    judge(&mut engine).await;
    let mut frames = TypingFrames::default();
    let mut shown = String::new();
    let mut is_new = false;
    for (number, (offset, key)) in (1..).zip(typed.char_indices()) {
        tokio::time::advance(Duration::from_millis(100)).await;
        let at = ByteOffset::new(before.len() + offset);
        let edit = Edit::from(Replacement::insertion(at, key.to_string()));
        engine.tell(Event::DocumentChanged {
            document: DocumentId::new("a.rs"),
            version: Version::new(number + 1),
            edits: vec![edit],
            reason: ChangeReason::Typed,
        });
        let at = ByteOffset::new(at.get() + key.len_utf8());
        engine.tell(Event::SuggestionRequested(SuggestionRequest {
            request: RequestId::new(number.unsigned_abs()),
            document: DocumentId::new("a.rs"),
            version: None,
            at,
            cause: RequestCause::Automatic,
            kind: RequestKind::Inline,
        }));
        let mut now = String::new();
        while let Some(placed) = engine.poll_order() {
            if let Order::Answer {
                answer: Answer::Candidates(offers),
                ..
            } = placed.order
            {
                let replacement = &offers[0].candidate.edit.replacements()[0];
                assert_eq!(replacement.range().start(), at);
                now = replacement.new_text().to_owned();
            }
        }
        frames.keys += 1;
        let rest = shown.strip_prefix(key);
        match rest {
            Some("") => is_new = true,
            Some(rest) => {
                frames.blank += usize::from(!now.starts_with(rest));
                is_new = false;
            }
            None => {
                frames.brief += usize::from(is_new && !shown.is_empty());
                is_new = true;
            }
        }
        frames.appeared += usize::from(is_new && !now.is_empty());
        shown = now;
    }
    frames
}

#[tokio::test(start_paused = true)]
async fn nothing_flickers_while_a_function_is_typed_at_120_words_a_minute() {
    let before = "\
pub struct Basket {
    lines: Vec<BasketLine>,
    discount: Option<Discount>,
}

impl Basket {
    pub fn total(&self) -> Money {
        let mut total = Money::zero();
        for line in &self.lines {
            total = total.plus(line.price.times(line.count));
        }
        match &self.discount {
            Some(discount) => discount.applied_to(total),
            None => total,
        }
    }

";
    let typed = "\
    pub fn weight(&self) -> Weight {
        let mut weight = Weight::zero();
        for line in &self.lines {
            weight = weight.plus(line.weight.times(line.count));
        }
        match &self.packaging {
            Some(packaging) => weight.plus(packaging.weight),
            None => weight,
        }
    }
}
";
    let frames = frames_of(before, typed).await;
    assert_eq!(frames.blank, 0, "{frames:?}");
    assert!(frames.appeared > 5, "{frames:?}");
    assert!(frames.brief * 20 <= frames.keys, "{frames:?}");
}
