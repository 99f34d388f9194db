//! Arbitrary bytes as what a model server answers: payloads of every dialect, one on a line.
//!
//! Whatever the bytes are: nothing panics, what is suggested fits the document, the cursor goes to a place in it, and no marker of a model for
//! next edits is in it. Nor is a line deleted by one that says the first lines of the document and then breaks off.

use foretell_lanes::LaneRequest;
use foretell_lanes::model::answer_frame::{AnswerEnd, AnswerFrame};
use foretell_lanes::model::fim::PromptMemory;
use foretell_lanes::model::format::FormatChoice;
use foretell_lanes::model::server_facts::ServerFacts;
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

/// How models that edit are asked, and the back end of those that have one of their own.
const EDIT_FORMATS: [(&str, Option<BackEnd>); 6] = [
    ("rewrite", None),
    ("zeta-2.1", None),
    ("zeta-2", None),
    ("sweep", None),
    ("sweep-v2", None),
    ("mercury", Some(BackEnd::Mercury)),
];

/// Words that no suggestion of such a model has in it.
const MARKERS: [&str; 7] = [
    "<|user_cursor|>",
    "<|cursor|>",
    "<|marker_",
    "<|file_sep|>",
    ">>>>>>> UPDATED",
    "NO_EDITS",
    "<|code_to_edit|>",
];

pub(crate) fn model_answers(bytes: &[u8]) {
    let [how, rest @ ..] = bytes else {
        return;
    };
    let back_end = BACK_ENDS[usize::from(*how) % BACK_ENDS.len()];
    let said = String::from_utf8_lossy(rest);
    let request = request();
    let lane = LaneKind::ALL[usize::from(how / 4 % 3)];
    let (format, own) = EDIT_FORMATS[usize::from(how / 12) % EDIT_FORMATS.len()];
    let back_end = own.filter(|_| lane != LaneKind::Fim).unwrap_or(back_end);
    let is_half = lane != LaneKind::Fim && own.is_none() && format.starts_with("sweep");
    if is_half && is_head(&said) {
        let kept = suggested(&request, lane, back_end, format, &said);
        assert!(kept.is_empty(), "{kept:?} of what the document has");
    }
    for candidate in suggested(&request, lane, back_end, format, &said) {
        let after = candidate.edit.apply(&request.document.text);
        assert!(after.is_ok(), "{:?} does not fit", candidate.edit);
        let place = after.ok().zip(candidate.cursor);
        let is_place = place.is_none_or(|(after, at)| after.check(at).is_ok());
        assert!(
            is_place,
            "the cursor goes nowhere after {:?}",
            candidate.edit
        );
        let mut parts = candidate.edit.replacements().iter();
        let is_marked = parts.any(|part| MARKERS.iter().any(|it| part.new_text().contains(it)));
        let is_trained = lane != LaneKind::Fim && format != "rewrite";
        assert!(
            !is_trained || !is_marked,
            "{:?} has a marker",
            candidate.edit
        );
    }
}

/// Whether an answer says lines of the document from the first on, and nothing else.
fn is_head(said: &str) -> bool {
    let code = CODE.replace("\r\n", "\n");
    said.ends_with('\n') && code.starts_with(said)
}

/// What a lane suggests, if its model says this. A line that is no payload is taken for the text of one,
/// so that the rest of the way is gone, too.
fn suggested(
    request: &LaneRequest,
    lane: LaneKind,
    back_end: BackEnd,
    format: &str,
    said: &str,
) -> Vec<LaneCandidate> {
    let mut settings = Settings::default().lanes.of(lane).clone();
    settings.kind = back_end;
    if lane != LaneKind::Fim {
        settings.format = format.to_owned();
    }
    let Ok(FormatChoice { kind, format }) =
        FormatChoice::of(lane, &settings, "qwen2.5-coder", &ServerFacts::default())
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
