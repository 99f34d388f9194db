//! Fill-in-the-middle as a format: a prompt from a template, and where its answer ends.
//!
//! | server | prompt |
//! | --- | --- |
//! | writes the prompt itself (`llama-cpp`, `mistral`) | prefix and suffix, and the context as a file where it takes some |
//! | any other, and a template is known | one text |
//! | any other, and none is known | prefix and suffix |
//!
//! A template's name says which control tokens a model has, also where the server writes the prompt. A
//! template of the person's own would never be used there, and is refused.

use foretell_settings::{BackEnd, settings};
use foretell_text::FailureKind;

use super::candidate;
use super::family::FimFamily;
use super::fim_answer::FimAnswer;
use super::fim_template::{FimTemplate, TemplateChoice};
use super::prompt::FimPrompt;
use crate::lane::{LaneAnswer, LaneFault};
use crate::lane_redaction::Marks;
use crate::lane_request::LaneRequest;
use crate::model::answer_frame::AnswerEnd;
use crate::model::control_tokens::ControlTokens;
use crate::model::format::{
    AnswerReader, FormattedRequest, ModelPrompt, PromptFile, PromptFormat, PromptStyle, PromptText,
};
use crate::model::server_kind::ServerKind;

/// The name of the context where it is a file beside the document.
const CONTEXT_FILE: &str = "context.md";

/// How a model fills in the middle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FimFormat {
    kind: ServerKind,
    /// How the prompt is written; nothing if the server does it.
    template: Option<FimTemplate>,
    controls: ControlTokens,
}

impl FimFormat {
    /// The format for a back end and a model (empty if none is named), with the template that the
    /// settings say. The lane is misconfigured if its server cannot be asked like that.
    pub fn of(back_end: BackEnd, model: &str, template: &str) -> Result<FimFormat, LaneFault> {
        let choice = TemplateChoice::of(template, model);
        let choice = choice.map_err(|fault| misconfigured(fault.to_string()))?;
        let fills_in = |kind: &ServerKind| kind.path(PromptStyle::FillIn).is_some();
        let Some(kind) = ServerKind::of(back_end).filter(fills_in) else {
            return Err(misconfigured(
                "this kind of back end does not fill in at the cursor; \
                 set the kind to openai, llama-cpp, ollama or mistral",
            ));
        };
        if choice.is_own && kind.knows_template() {
            return Err(misconfigured(
                "this kind of server puts prefix and suffix together itself and takes no template; \
                 set the kind to openai or ollama, or the template to auto",
            ));
        }
        if kind.needs_model() && model.trim().is_empty() {
            return Err(misconfigured(
                "this kind of server must be told which model to use; set the model",
            ));
        }
        // Whatever its model is called here, Mistral's own server has Mistral's tokens.
        let is_unknown_mistral = kind == ServerKind::Mistral && choice.template.is_none();
        let mistral = FimFamily::named("codestral").filter(|_| is_unknown_mistral);
        Ok(FimFormat {
            kind,
            controls: mistral.map_or(choice.controls, FimFamily::controls),
            template: choice.template.filter(|_| !kind.knows_template()),
        })
    }

    /// The kind of the server.
    pub fn kind(&self) -> ServerKind {
        self.kind
    }

    /// The control tokens of the model: its stop words, and what no prompt has in it.
    pub fn controls(&self) -> &ControlTokens {
        &self.controls
    }

    /// The prompt for a request.
    pub fn prompt(&self, told: &FimPrompt, max_tokens: usize) -> ModelPrompt {
        let suffix = || told.suffix().to_owned();
        let text = match &self.template {
            Some(template) => PromptText::Continue(template.fill(told.filling(), &self.controls)),
            None if self.kind.takes_files() => PromptText::FillIn {
                prefix: told.named_prefix(),
                suffix: suffix(),
                files: context_file(told.context()).into_iter().collect(),
            },
            None => PromptText::FillIn {
                prefix: told.headed_prefix(),
                suffix: suffix(),
                files: Vec::new(),
            },
        };
        ModelPrompt {
            text,
            stop_words: self.controls.words().map(str::to_owned).collect(),
            max_tokens,
        }
    }
}

impl PromptFormat for FimFormat {
    fn prepare<'r>(
        &self,
        request: &'r LaneRequest,
        settings: &settings::Lane,
        mut marks: Box<dyn Marks>,
    ) -> Option<FormattedRequest<'r>> {
        let told = FimPrompt::new(request, settings, &self.controls, &mut *marks);
        Some(FormattedRequest {
            prompt: self.prompt(&told, settings.max_tokens),
            reader: Box::new(FimReader {
                ending: FimAnswer::new(&told, settings, &self.controls),
                request,
                marks,
            }),
        })
    }
}

/// Puts an answer in at the cursor.
struct FimReader<'r> {
    ending: FimAnswer,
    request: &'r LaneRequest,
    marks: Box<dyn Marks>,
}

impl AnswerReader for FimReader<'_> {
    fn push(&mut self, piece: &str) -> bool {
        self.ending.push(piece)
    }

    fn finish(self: Box<Self>, end: AnswerEnd) -> Result<LaneAnswer, LaneFault> {
        let text = self.ending.finish(end);
        Ok(candidate::answer(self.request, &text, &*self.marks))
    }
}

fn context_file(context: &str) -> Option<PromptFile> {
    let text = context.to_owned();
    (!context.trim().is_empty()).then_some(PromptFile {
        name: CONTEXT_FILE,
        text,
    })
}

fn misconfigured(says: impl Into<std::sync::Arc<str>>) -> LaneFault {
    LaneFault::new(FailureKind::Misconfigured, says)
}
