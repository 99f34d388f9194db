//! Arbitrary bytes as what a model server answers: payloads of every dialect, one on a line.
//!
//! Whatever the bytes are: nothing panics, and what is suggested fits the document.

use foretell_lanes::LaneRequest;
use foretell_lanes::model::answer_frame::{AnswerEnd, AnswerFrame};
use foretell_lanes::model::fim::PromptMemory;
use foretell_lanes::model::format::FormatChoice;
use foretell_settings::{BackEnd, Settings};
use foretell_testkit::lane_requests::{BlindRedactor, request_at, with_no_secrets};
use foretell_text::{ByteRange, Diagnostic, DiagnosticSeverity, LaneCandidate, LaneKind};

const CODE: &str =
    "fn total(cart: &Cart) -> u32 {\r\n    let größe = cart.len();\r\n    \r\n}\n\nfn 😀() {}\n";
const AT: usize = 66;

const BACK_ENDS: [BackEnd; 4] = [
    BackEnd::OpenAi,
    BackEnd::LlamaCpp,
    BackEnd::Ollama,
    BackEnd::Mistral,
];

pub(crate) fn model_answers(bytes: &[u8]) {
    let [how, rest @ ..] = bytes else {
        return;
    };
    let back_end = BACK_ENDS[usize::from(*how) % BACK_ENDS.len()];
    let said = String::from_utf8_lossy(rest);
    let request = request();
    let lane = LaneKind::ALL[usize::from(how / 4 % 3)];
    for candidate in suggested(&request, lane, back_end, &said) {
        let after = candidate.edit.apply(&request.document.text);
        assert!(after.is_ok(), "{:?} does not fit", candidate.edit);
    }
}

/// What a lane suggests, if its model says this. A line that is no payload is taken for the text of one,
/// so that the rest of the way is gone, too.
fn suggested(
    request: &LaneRequest,
    lane: LaneKind,
    back_end: BackEnd,
    said: &str,
) -> Vec<LaneCandidate> {
    let mut settings = Settings::default().lanes.of(lane).clone();
    settings.kind = back_end;
    let Ok(FormatChoice { kind, format }) =
        FormatChoice::of(lane, &settings, "qwen2.5-coder", None)
    else {
        return Vec::new();
    };
    let memory = &mut PromptMemory::default();
    let Some(mut asked) = format.prepare(request, &settings, Box::new(BlindRedactor), memory)
    else {
        return Vec::new();
    };
    let mut end = AnswerEnd::Own;
    for line in said.split_inclusive('\n') {
        let frame = kind.read(line).unwrap_or_else(|_| AnswerFrame {
            text: line.to_owned(),
            ..AnswerFrame::default()
        });
        let is_enough = asked.reader.push(&frame.text);
        end = frame.end.unwrap_or(end);
        if is_enough || frame.end.is_some() {
            break;
        }
    }
    let answer = asked.reader.finish(end);
    answer.map(|answer| answer.candidates).unwrap_or_default()
}

fn request() -> LaneRequest {
    let mut request = with_no_secrets(request_at("src/cart.rs", "rust", CODE, AT));
    request.diagnostics.push(Diagnostic {
        range: ByteRange::empty(request.at),
        severity: DiagnosticSeverity::Error,
        source: None,
        code: None,
        message: "expected expression".to_owned(),
        fixes: Vec::new(),
    });
    request
}
