//! Next edits and fixes, by models that were trained for them.
//!
//! Each was taught one form of prompt and answers in one way; asked in another way they are poor. What they have in
//! common is a region of the document that comes back changed, and the latest changes as the reason for it.
//!
//! | part | what it is |
//! | --- | --- |
//! | [`edit_dialect`] | what a form is, as data |
//! | `zeta`, `sweep`, `mercury` | the forms, each with where it was published |
//! | `region_growth` | which lines are told, and which of them are to be changed |
//! | `told_document` | those lines without secrets, and how they were before the latest change |
//! | `told_changes` | the latest changes |
//! | `marker_blocks` | where numbered markers cut a region |
//! | [`next_edit_prompt`] | the prompt, from all of these |
//! | [`next_edit_reader`] | the answer while it comes |
//! | `line_follower` | up to which line an answer has come, and whether the rest is clear |
//! | `whole_answer`, `marked_answer` | what an answer says the region is to be |
//! | `window_answer` | whether that is to be trusted |
//! | `answer_cursor` | where it says that the cursor goes |
//! | `slots` | templates |
//!
//! The format of any model that follows instructions is [`rewrite`](mod@super::rewrite), which has the
//! machinery that makes edits of a region that came back.
//!
//! Absent on purpose: the network, time, and which of the suggestions is shown.

mod answer_cursor;
pub mod edit_dialect;
mod line_follower;
mod marked_answer;
mod marker_blocks;
mod mercury;
pub mod next_edit_prompt;
pub mod next_edit_reader;
mod region_growth;
mod slots;
mod sweep;
mod told_changes;
mod told_document;
mod whole_answer;
mod window_answer;
mod zeta;

use foretell_settings::settings;
use foretell_text::FailureKind;

pub use self::edit_dialect::EditDialect;
pub use self::next_edit_prompt::NextEditPrompt;
pub use self::next_edit_reader::NextEditReader;

use super::fim::PromptMemory;
use super::format::{FormattedRequest, ModelPrompt, PromptFormat, PromptStyle, PromptText};
use super::rewrite::{EditTask, QuestionRefusal};
use super::server_kind::ServerKind;
use crate::lane::LaneFault;
use crate::lane_redaction::SecretMarks;
use crate::lane_request::LaneRequest;

/// The format of a dialect.
#[derive(Clone, Copy, Debug)]
pub struct NextEditFormat {
    dialect: &'static EditDialect,
    task: EditTask,
}

impl NextEditFormat {
    /// The format for a kind of server. The lane is misconfigured if that takes no such prompt, or if the
    /// models were not taught what a diagnostic is.
    pub fn of(
        dialect: &'static EditDialect,
        task: EditTask,
        kind: ServerKind,
    ) -> Result<NextEditFormat, LaneFault> {
        let misconfigured = |says: String| LaneFault::new(FailureKind::Misconfigured, says);
        if kind.path(dialect.style).is_none() {
            let kinds = match dialect.style {
                PromptStyle::Edit => "mercury or openai-chat",
                _ => "openai, llama-cpp or ollama",
            };
            return Err(misconfigured(format!(
                "this kind of server cannot be asked in the format {}; set the kind to {kinds}",
                dialect.name
            )));
        }
        if task == EditTask::Fix && dialect.diagnostics.is_none() {
            return Err(misconfigured(format!(
                "the format {} has no room for a diagnostic; set lanes.fix to another model, or back \
                 to embedded",
                dialect.name
            )));
        }
        Ok(NextEditFormat { dialect, task })
    }

    /// What is told for a request, or why nothing is.
    pub fn question(
        &self,
        request: &LaneRequest,
        settings: &settings::LaneSettings,
        marks: &mut dyn SecretMarks,
    ) -> Result<NextEditPrompt, QuestionRefusal> {
        NextEditPrompt::of(request, self.task, self.dialect, settings, marks)
    }

    /// The prompt that tells it.
    pub fn prompt(
        &self,
        question: &NextEditPrompt,
        settings: &settings::LaneSettings,
    ) -> ModelPrompt {
        let text = question.text.clone();
        let text = match self.dialect.style {
            PromptStyle::Edit => PromptText::Edit(text),
            _ => PromptText::Continue(text),
        };
        ModelPrompt {
            stop_words: question.stop_words().map(str::to_owned).collect(),
            ..ModelPrompt::new(text, settings)
        }
    }

    /// The reader for an answer to a question.
    pub fn reader(
        self,
        question: NextEditPrompt,
        request: &LaneRequest,
        marks: Box<dyn SecretMarks>,
    ) -> NextEditReader<'_> {
        NextEditReader::new(question, request, marks)
    }
}

impl PromptFormat for NextEditFormat {
    fn prepare<'r>(
        &self,
        request: &'r LaneRequest,
        settings: &settings::LaneSettings,
        mut marks: Box<dyn SecretMarks>,
        _: &mut PromptMemory,
    ) -> Option<FormattedRequest<'r>> {
        let question = self.question(request, settings, &mut *marks).ok()?;
        Some(FormattedRequest {
            prompt: self.prompt(&question, settings),
            reader: Box::new(self.reader(question, request, marks)),
        })
    }

    fn refusal(
        &self,
        request: &LaneRequest,
        settings: &settings::LaneSettings,
        marks: &mut dyn SecretMarks,
    ) -> Option<QuestionRefusal> {
        self.question(request, settings, marks).err()
    }
}
