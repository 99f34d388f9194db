//! A document, a cursor, and a model that answers as it is told to.

use foretell_lanes::model::answer_frame::AnswerEnd;
use foretell_lanes::model::format::{AnswerReader, ModelPrompt};
use foretell_lanes::model::rewrite::{EditTask, QuestionRefusal, RewriteFormat, RewriteQuestion};
use foretell_lanes::model::server_kind::ServerKind;
use foretell_lanes::{LaneAnswer, LaneFault, LaneRequest};
use foretell_settings::{Settings, settings};
use foretell_testkit::lane_requests::{OneSecret, request_at};
use foretell_text::{Edit, LaneCandidate, Replacement};

/// Somebody at a cursor.
pub(crate) struct Stage {
    pub(crate) request: LaneRequest,
    pub(crate) settings: settings::LaneSettings,
    pub(crate) task: EditTask,
    pub(crate) kind: ServerKind,
}

impl Stage {
    /// A text with `‸` for the cursor.
    pub(crate) fn at(text: &str) -> Stage {
        let at = text.find('‸').unwrap();
        Stage::of(&text.replace('‸', ""), at)
    }

    pub(crate) fn of(text: &str, at: usize) -> Stage {
        let mut settings = Settings::default().lanes.next_edit;
        settings.max_tokens = 4_000;
        Stage {
            request: request_at("src/cart.rs", "rust", text, at),
            settings,
            task: EditTask::NextEdit,
            kind: ServerKind::OpenAiChat,
        }
    }

    pub(crate) fn question(&self) -> Result<RewriteQuestion, QuestionRefusal> {
        RewriteQuestion::of(&self.request, self.task, &self.settings, &mut OneSecret)
    }

    /// What becomes of an answer that comes at once.
    pub(crate) fn place(&self, answer: &str, end: AnswerEnd) -> Result<LaneAnswer, LaneFault> {
        self.place_frames(&[answer], end)
    }

    /// What becomes of an answer that comes in frames.
    pub(crate) fn place_frames(
        &self,
        frames: &[&str],
        end: AnswerEnd,
    ) -> Result<LaneAnswer, LaneFault> {
        let question = self.question().unwrap();
        let mut reader = self
            .format()
            .reader(question, &self.request, Box::new(OneSecret));
        let is_enough = frames.iter().any(|frame| reader.push(frame));
        let end = if is_enough { AnswerEnd::Own } else { end };
        Box::new(reader).finish(end)
    }

    /// How the model is asked.
    pub(crate) fn format(&self) -> RewriteFormat {
        RewriteFormat::of(self.task, self.kind).unwrap()
    }

    /// What it is told.
    pub(crate) fn prompt(&self, question: &RewriteQuestion, max_tokens: usize) -> ModelPrompt {
        let settings = settings::LaneSettings {
            max_tokens,
            ..self.settings.clone()
        };
        self.format().prompt(question, &settings)
    }

    /// What is heard of an answer, and how it ends: if it is enough, nobody hears the end.
    pub(crate) fn listen(
        &self,
        question: &RewriteQuestion,
        frames: &[&str],
        end: AnswerEnd,
    ) -> (String, AnswerEnd) {
        let marks = Box::new(OneSecret);
        let mut reader = self.format().reader(question.clone(), &self.request, marks);
        let is_enough = frames.iter().any(|frame| reader.push(frame));
        let end = if is_enough { AnswerEnd::Own } else { end };
        (reader.heard().to_owned(), end)
    }

    /// The text after all that an answer suggests, or what else comes of it.
    pub(crate) fn answered(&self, answer: &str) -> String {
        self.tell(self.place(answer, AnswerEnd::Own))
    }

    pub(crate) fn tell(&self, placed: Result<LaneAnswer, LaneFault>) -> String {
        let placed = match placed {
            Ok(placed) => placed,
            Err(fault) => return format!("{}: {fault}", fault.failure.kind.name()),
        };
        match placed.candidates.as_slice() {
            [] if placed.withheld > 0 => format!("withheld {}", placed.withheld),
            [] => "nothing".to_owned(),
            candidates => self.applied(candidates),
        }
    }

    /// The text after all of these at once.
    pub(crate) fn applied(&self, candidates: &[LaneCandidate]) -> String {
        let edits = candidates.iter().flat_map(|it| it.edit.replacements());
        let mut edits: Vec<Replacement> = edits.cloned().collect();
        edits.sort_by_key(|it| it.range().start());
        let text = &self.request.document.text;
        Edit::new(edits).unwrap().apply(text).unwrap().to_string()
    }

    /// Each suggestion by itself, as the edit it is.
    pub(crate) fn edits(&self, answer: &str) -> Vec<String> {
        let placed = self.place(answer, AnswerEnd::Own).unwrap();
        let edits = placed.candidates.iter();
        edits.map(|it| it.edit.to_string()).collect()
    }
}
