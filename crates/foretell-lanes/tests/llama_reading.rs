//! How much of its prompts a real llama.cpp server has to read anew while somebody types.
//!
//! The server is the program that `TEST_FORETELL_LLAMA` names, which `.ci/llama` unpacks; where it is
//! not set, these tests say that they were left out. The model says noise, so what is looked at is what
//! the server counts.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at what it did not expect, and tells what it took or that it was left out"
)]

use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use foretell_lanes::model::ModelLane;
use foretell_lanes::{
    Lane, LaneContext, LaneRequest, NoCode, OpenDocument, QuestionPurpose, Redact, SecretMarks,
};
use foretell_settings::{Home, RawSettings, Settings};
use foretell_text::{
    ByteOffset, ContextPiece, DocumentId, FilePath, LaneKind, Language, Text, TokenUsage,
};
use tokio_util::sync::CancellationToken;

const VARIABLE: &str = "TEST_FORETELL_LLAMA";

/// A server that runs until this is dropped.
struct Llama {
    process: Child,
    url: String,
}

impl Llama {
    /// Starts one; nothing where there is none to start.
    fn start() -> Option<Llama> {
        let Some(program) = std::env::var_os(VARIABLE) else {
            println!("left out: {VARIABLE} is not set; see .ci/llama");
            return None;
        };
        // It ends when its input does, and so with this process however that ends.
        let started = Command::new(program)
            .args(["fim", "0"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut process = started.expect("the program that was named starts");
        let said = process.stdout.take().expect("it is piped");
        let mut url = String::new();
        let read = BufReader::new(said).read_line(&mut url);
        assert!(read.is_ok_and(|read| read > 0), "the server did not begin");
        let url = url.trim().to_owned();
        Some(Llama { process, url })
    }
}

impl Drop for Llama {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

/// Sees no secrets.
#[derive(Clone, Copy)]
struct Open;

impl Redact for Open {
    fn begin(&self) -> Box<dyn SecretMarks> {
        Box::new(Open)
    }
}

impl SecretMarks for Open {
    fn redact_part(&mut self, whole: &str, part: Range<usize>) -> String {
        whole.get(part).unwrap_or_default().to_owned()
    }

    fn restore(&self, _: &str, answer: &str) -> Option<String> {
        Some(answer.to_owned())
    }
}

fn file() -> String {
    let item = |number: usize| {
        format!(
            "def item_{number}(order):\n    price = order.price * {number}\n    return price\n\n\n"
        )
    };
    (0..120).map(item).collect()
}

/// What somebody types between two functions, a word at a time.
const TYPED: &str = "def total(orders, rate):
    result = 0
    for order in orders:
        price = item_3(order)
        if price > rate:
            result += price * rate
        else:
            result += price
    return result
";

fn request(text: &str, at: usize, words: usize) -> LaneRequest {
    let piece = |number: usize| ContextPiece {
        path: format!("shop/orders_{number}.py").into(),
        text: format!("class Order{number}:\n    price = {number}").into(),
    };
    // What is found besides is something else at every word.
    let pieces = [1, 2, 100 + words].map(piece);
    LaneRequest {
        document: OpenDocument {
            id: DocumentId::new("file:///shop.py"),
            file: FilePath::new("shop.py"),
            language: Language::new("python"),
            text: Text::from(text),
            edits: Vec::new(),
        },
        at: ByteOffset::new(at),
        others: Vec::new(),
        diagnostics: Vec::new(),
        refused: Vec::new(),
        code: Arc::new(NoCode),
        context: Arc::new(LaneContext::of_pieces(pieces)),
        redact: Arc::new(Open),
        is_explicit: false,
        counts_unfinished: false,
        purpose: QuestionPurpose::Suggest,
    }
}

fn lane(llama: &Llama, lines: &str) -> ModelLane {
    let url = &llama.url;
    let written = format!(
        "[lanes.fim]\nurl = {url:?}\nmaxTokens = 4\nfirstByteMs = 60000\nidleMs = 30000\n{lines}"
    );
    let (raw, faults) = RawSettings::from_toml(Home::UserFile, "config.toml", &written);
    assert!(faults.is_empty(), "{faults:?}");
    let (settings, faults) = Settings::resolve(&[raw]);
    assert!(faults.is_empty(), "{faults:?}");
    ModelLane::new(LaneKind::Fim, &settings.lanes.fim)
}

async fn usage(lane: &ModelLane, request: LaneRequest) -> TokenUsage {
    let answered = lane.ask(Arc::new(request), CancellationToken::new()).await;
    // Noise may have characters in it that no text has.
    match answered {
        Ok(answer) => answer.usage,
        Err(fault) => fault.usage,
    }
}

/// Of each question while the text is typed: how long the prompt was, and how much of it was read
/// anew.
async fn typed(llama: &Llama, lines: &str) -> Vec<(u64, u64)> {
    let lane = lane(llama, lines);
    let file = file();
    let (above, below) = file.split_at(file.find("def item_60").unwrap());
    let mut asked = Vec::new();
    let mut so_far = String::new();
    for (words, word) in TYPED.split_inclusive([' ', '\n']).enumerate() {
        so_far.push_str(word);
        if word.trim().is_empty() {
            continue;
        }
        let text = format!("{above}{so_far}\n\n{below}");
        let at = above.len() + so_far.len();
        let used = usage(&lane, request(&text, at, words)).await;
        let read = used.read_tokens.expect("the server counts");
        asked.push((used.prompt_tokens, read));
    }
    asked
}

fn told(what: &str, asked: &[(u64, u64)]) -> (u64, u64) {
    let (first, rest) = asked.split_first().unwrap();
    let all: u64 = rest.iter().map(|(prompt, _)| prompt).sum();
    let read: u64 = rest.iter().map(|(_, read)| read).sum();
    let count = u64::try_from(rest.len()).unwrap();
    println!(
        "{what}: {} of {} tokens read for the first prompt, then {} of {} for each of {count}",
        first.1,
        first.0,
        read / count,
        all / count
    );
    (read / count, all / count)
}

#[tokio::test]
async fn while_somebody_types_a_server_reads_what_is_typed_and_nothing_else() {
    let Some(llama) = Llama::start() else {
        return;
    };
    let asked = typed(&llama, "kind = \"llama-cpp\"").await;
    println!("{asked:?}");
    let (read, all) = told("the model is known by its tokens", &asked);
    assert!(all > 2_000, "a token is a byte here: {all}");
    assert!(
        read < 30,
        "{read} tokens of {all} are read anew for each word"
    );
    // The same over another path, which has no slots.
    let openai = "kind = \"openai\"\nmodel = \"tiny-fim\"\nformat = \"qwen\"";
    told("as OpenAI's", &typed(&llama, openai).await);
    // A prompt that follows the cursor, as templates of the person's own have it.
    let own = "<|fim_prefix|>{prefix}<|fim_suffix|>{suffix}<|fim_middle|>";
    let own = format!("kind = \"openai\"\ntemplate = {own:?}");
    let (following, _) = told("one that follows the cursor", &typed(&llama, &own).await);
    assert!(following > 10 * read, "{following} are more than {read}");
}

#[tokio::test]
async fn the_first_question_reads_a_few_tokens_once_the_prompt_was_read_ahead_of_time() {
    let Some(llama) = Llama::start() else {
        return;
    };
    let file = file();
    let (above, below) = file.split_at(file.find("def item_60").unwrap());
    let at = |typed: &str| {
        (
            format!("{above}{typed}\n\n{below}"),
            above.len() + typed.len(),
        )
    };
    for lines in [
        "kind = \"llama-cpp\"",
        "kind = \"openai\"\nmodel = \"tiny-fim\"\nformat = \"qwen\"",
    ] {
        let lane = lane(&llama, lines);
        let (text, cursor) = at("");
        let warm = LaneRequest {
            purpose: QuestionPurpose::Warm,
            ..request(&text, cursor, 0)
        };
        let warmed = usage(&lane, warm).await;
        let (text, cursor) = at("def total(");
        let asked = usage(&lane, request(&text, cursor, 1)).await;
        let read = asked.read_tokens.unwrap();
        println!("{lines}: {warmed:?} ahead of time, then {asked:?}");
        assert!(read < 30, "{read} of {} are read anew", asked.prompt_tokens);
        assert!(warmed.completion_tokens <= 1, "{warmed:?}");
        // What follows a suggestion is the same prompt, and goes on.
        let (text, cursor) = at("def total(orders):\n    return 0\n");
        let beyond = LaneRequest {
            purpose: QuestionPurpose::LookAhead,
            ..request(&text, cursor, 2)
        };
        let beyond = usage(&lane, beyond).await.read_tokens.unwrap();
        assert!(beyond < 60, "{beyond} are read anew to look ahead");
    }
}
