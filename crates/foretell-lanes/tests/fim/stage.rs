//! A document with a cursor, somebody who keeps its secrets, and a model to ask.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use foretell_lanes::model::answer_frame::AnswerEnd;
use foretell_lanes::model::fim::{FimAnswer, FimFormat, FimPrompt, PromptMemory, candidate};
use foretell_lanes::model::server_kind::ModelMessage;
use foretell_lanes::{LaneAnswer, LaneContext, LaneRequest, SecretMarks};
use foretell_settings::{BackEnd, Settings, settings};
use foretell_testkit::lane_requests::request_at;
use foretell_text::ContextPiece;
use serde_json::Value;

/// What is secret on this stage: this word, and digits behind it.
pub(crate) const SECRET: &str = "hunter";

/// Redacts as the redactor does, but knows one kind of secret.
#[derive(Default)]
pub(crate) struct Keeper {
    secrets: Vec<String>,
}

impl SecretMarks for Keeper {
    fn redact_part(&mut self, whole: &str, part: Range<usize>) -> String {
        let mut told = String::new();
        let mut at = part.start;
        for (start, _) in whole.match_indices(SECRET) {
            let rest = &whole.as_bytes()[start + SECRET.len()..];
            let digits = rest.iter().take_while(|it| it.is_ascii_digit()).count();
            let end = (start + SECRET.len() + digits).min(part.end);
            let start = start.max(at);
            if start >= end {
                continue;
            }
            told.push_str(whole.get(at..start).unwrap_or_default());
            let secret = whole.get(start..end).unwrap_or_default().to_owned();
            let known = self.secrets.iter().position(|it| *it == secret);
            let number = known.unwrap_or_else(|| {
                self.secrets.push(secret);
                self.secrets.len() - 1
            });
            told.push_str(&format!("[REDACTED-{}]", number + 1));
            at = end;
        }
        told.push_str(whole.get(at..part.end).unwrap_or_default());
        told
    }

    fn restore(&self, told: &str, answer: &str) -> Option<String> {
        assert_eq!(told, "", "what is put in replaces nothing");
        (!answer.contains("[REDACTED-")).then(|| answer.to_owned())
    }
}

/// Everything that a question takes.
pub(crate) struct Stage {
    pub(crate) request: LaneRequest,
    pub(crate) settings: settings::LaneSettings,
    pub(crate) format: FimFormat,
    pub(crate) model: &'static str,
}

/// All of it, unlike a request: what fails is to be seen.
impl fmt::Debug for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stage")
            .field("text", &self.request.document.text.to_string())
            .field("at", &self.request.at)
            .field("language", &self.request.document.language)
            .field("model", &self.model)
            .field("kind", &self.format.kind())
            .field("before", &self.settings.max_prefix_chars)
            .field("behind", &self.settings.max_suffix_chars)
            .field("lines", &self.settings.max_lines)
            .finish_non_exhaustive()
    }
}

impl Stage {
    /// With the cursor at `|`.
    pub(crate) fn of(story: &str) -> Stage {
        let (before, after) = story.split_once('|').unwrap();
        Stage::at(&[before, after].concat(), before.len())
    }

    pub(crate) fn at(text: &str, at: usize) -> Stage {
        Stage {
            request: request_at("src/a.ts", "typescript", text, at),
            settings: Settings::default().lanes.fim,
            format: FimFormat::of(BackEnd::OpenAi, "qwen2.5-coder", "auto").unwrap(),
            model: "qwen2.5-coder",
        }
    }

    pub(crate) fn asking(mut self, back_end: BackEnd, model: &'static str) -> Stage {
        self.format = FimFormat::of(back_end, model, "auto").unwrap();
        self.model = model;
        self
    }

    pub(crate) fn knowing(mut self, context: &str) -> Stage {
        self.request.context = Arc::new(LaneContext::of_markdown(context));
        self
    }

    /// With code of other files, each a path and a text.
    pub(crate) fn beside(mut self, pieces: &[(&str, &str)]) -> Stage {
        let pieces = pieces.iter().map(|(path, text)| ContextPiece {
            path: (*path).into(),
            text: (*text).into(),
        });
        self.request.context = Arc::new(LaneContext::of_pieces(pieces));
        self
    }

    pub(crate) fn within(mut self, before: usize, behind: usize) -> Stage {
        self.settings.max_prefix_chars = before;
        self.settings.max_suffix_chars = behind;
        self
    }

    pub(crate) fn prompt(&self) -> FimPrompt {
        self.next_prompt(&mut PromptMemory::default())
    }

    /// The prompt, if others came before it.
    pub(crate) fn next_prompt(&self, memory: &mut PromptMemory) -> FimPrompt {
        let marks = &mut Keeper::default();
        let (request, settings) = (&self.request, &self.settings);
        self.format.told(request, settings, marks, memory)
    }

    pub(crate) fn body(&self) -> Value {
        self.message(self.model).body
    }

    pub(crate) fn message(&self, model: &str) -> ModelMessage {
        let prompt = self.format.prompt(&self.prompt(), &self.settings);
        self.format.kind().message(prompt, model).unwrap()
    }

    /// What is kept of an answer that comes in these pieces, and whether that was enough.
    pub(crate) fn kept<'a>(
        &self,
        pieces: impl IntoIterator<Item = &'a str>,
        end: AnswerEnd,
    ) -> (String, bool) {
        let mut ending = FimAnswer::new(&self.prompt(), &self.settings, self.format.controls());
        let mut is_enough = false;
        for piece in pieces {
            is_enough = ending.push(piece);
        }
        (ending.finish(end), is_enough)
    }

    pub(crate) fn answer(&self, text: &str) -> LaneAnswer {
        candidate::answer(&self.request, text, &Keeper::default())
    }

    /// The document after an answer.
    pub(crate) fn written(&self, text: &str) -> String {
        let (kept, _) = self.kept([text], AnswerEnd::Own);
        let answer = self.answer(&kept);
        let text = &self.request.document.text;
        match answer.candidates.first() {
            Some(candidate) => candidate.edit.apply(text).unwrap().to_string(),
            None => "nothing".to_owned(),
        }
    }
}
