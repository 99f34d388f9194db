//! Arbitrary bytes as what a model server answers: payloads of every dialect, one on a line.
//!
//! Whatever the bytes are: nothing panics, and what is suggested fits the document.

use std::ops::Range;
use std::sync::Arc;

use foretell_lanes::model::chat::{self, ChatEnding, Question, Want};
use foretell_lanes::model::fim::{self, Ending, FimPrompt};
use foretell_lanes::model::frame::{AnswerEnd, AnswerFrame};
use foretell_lanes::{LaneFault, LaneRequest, Marks, NoCode, OpenDocument, Redact};
use foretell_settings::{BackEnd, Settings};
use foretell_text::{
    ByteOffset, ByteRange, Candidate, Diagnostic, DocumentId, FilePath, Language, Severity, Text,
    Usage,
};

const CODE: &str =
    "fn total(cart: &Cart) -> u32 {\r\n    let größe = cart.len();\r\n    \r\n}\n\nfn 😀() {}\n";
const AT: usize = 66;

const BACK_ENDS: [BackEnd; 4] = [
    BackEnd::OpenAi,
    BackEnd::LlamaCpp,
    BackEnd::Ollama,
    BackEnd::Mistral,
];

/// Knows no secret.
struct Open;

impl Redact for Open {
    fn begin(&self) -> Box<dyn Marks> {
        Box::new(Open)
    }
}

impl Marks for Open {
    fn redact_part(&mut self, whole: &str, part: Range<usize>) -> String {
        whole.get(part).unwrap_or_default().to_owned()
    }

    fn restore(&self, _: &str, answer: &str) -> Option<String> {
        Some(answer.to_owned())
    }
}

pub(crate) fn model_answers(bytes: &[u8]) {
    let [how, rest @ ..] = bytes else {
        return;
    };
    let back_end = BACK_ENDS[usize::from(*how) % BACK_ENDS.len()];
    let said = String::from_utf8_lossy(rest);
    let request = request();
    let candidates = match how / 4 % 3 {
        0 => filled_in(&request, back_end, &said),
        1 => rewritten(&request, Want::NextEdit, back_end, &said),
        _ => rewritten(&request, Want::Fix, back_end, &said),
    };
    for candidate in candidates {
        let after = candidate.edit.apply(&request.document.text);
        assert!(after.is_ok(), "{:?} does not fit", candidate.edit);
    }
}

fn filled_in(request: &LaneRequest, back_end: BackEnd, said: &str) -> Vec<Candidate> {
    let settings = Settings::default().lanes.fim;
    let Ok(dialect) = fim::Dialect::of(back_end, "qwen2.5-coder", "auto") else {
        return Vec::new();
    };
    let prompt = FimPrompt::new(request, &settings, &dialect, &mut Open);
    let mut ending = Ending::new(&prompt, &settings, &dialect);
    let end = heard(
        said,
        |payload| dialect.read(payload),
        |text| ending.push(text),
    );
    let text = ending.finish(end);
    fim::candidate::answer(request, &text, &Open, Usage::default()).candidates
}

fn rewritten(request: &LaneRequest, want: Want, back_end: BackEnd, said: &str) -> Vec<Candidate> {
    let settings = Settings::default().lanes.next_edit;
    let dialect = chat::Dialect::of(back_end);
    let question = Question::of(request, want, &settings, &mut Open);
    let Some((dialect, question)) = dialect.zip(question.ok()) else {
        return Vec::new();
    };
    let mut ending = ChatEnding::new(&question, dialect);
    let end = heard(
        said,
        |payload| dialect.read(payload),
        |text| ending.push(text),
    );
    let text = ending.finish();
    let placed = chat::place(&question, request, dialect, &text, end, &Open);
    placed.map(|placed| placed.candidates).unwrap_or_default()
}

/// Hears payloads until one ends the text, or enough was heard. A line that is none is taken for the
/// text of one, so that the rest of the way is gone, too.
fn heard(
    said: &str,
    read: impl Fn(&str) -> Result<AnswerFrame, LaneFault>,
    mut take: impl FnMut(&str) -> bool,
) -> AnswerEnd {
    for line in said.split_inclusive('\n') {
        let frame = read(line).unwrap_or_else(|_| AnswerFrame {
            text: line.to_owned(),
            ..AnswerFrame::default()
        });
        let is_enough = take(&frame.text);
        if let Some(end) = frame.end {
            return end;
        }
        if is_enough {
            return AnswerEnd::Own;
        }
    }
    AnswerEnd::Own
}

fn request() -> LaneRequest {
    let at = ByteOffset::new(AT);
    LaneRequest {
        document: OpenDocument {
            id: DocumentId::new("file:///cart.rs"),
            file: FilePath::new("src/cart.rs"),
            language: Language::new("rust"),
            text: Text::from(CODE),
            edits: Vec::new(),
        },
        at,
        others: Vec::new(),
        diagnostics: vec![Diagnostic {
            range: ByteRange::empty(at),
            severity: Severity::Error,
            source: None,
            code: None,
            message: "expected expression".to_owned(),
            fixes: Vec::new(),
        }],
        refused: Vec::new(),
        code: Arc::new(NoCode),
        context: Arc::default(),
        redact: Arc::new(Open),
        is_explicit: false,
    }
}
