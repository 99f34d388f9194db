//! Fill-in-the-middle as a format: a prompt from a template, and where its answer ends.
//!
//! | server | prompt |
//! | --- | --- |
//! | any that continues, and the family is known | one text, with what was typed behind its last token |
//! | the same, with a template of the person's own | one text, as the template has it |
//! | `llama-cpp`, and no family is known | prefix and suffix, and other code as files |
//! | any other, and no family is known | prefix and suffix, and other code as comments |
//! | `mistral`, which writes the prompt itself | the same |
//!
//! A family is known by the template's name, by the model's, or by what the server says of its model. A
//! template of the person's own is refused where the server may write the prompt.
//!
//! All prompts stay the same from one question to the next but for their ends, apart from those of a
//! template of the person's own and of `mistral`.

use foretell_settings::{BackEnd, settings};
use foretell_text::{FailureKind, LaneCandidate};

use super::candidate;
use super::family::FimFamily;
use super::fim_answer::FimAnswer;
use super::fim_template::{FimTemplate, KnownTemplate, TemplateChoice, family_prompt};
use super::prompt::FimPrompt;
use super::prompt_memory::PromptMemory;
use crate::lane::{LaneAnswer, LaneFault};
use crate::lane_redaction::SecretMarks;
use crate::lane_request::LaneRequest;
use crate::model::answer_frame::AnswerEnd;
use crate::model::control_tokens::ControlTokens;
use crate::model::format::{
    AnswerReader, FormattedRequest, GapHints, ModelPrompt, PromptFile, PromptFormat, PromptStyle,
    PromptText,
};
use crate::model::server_kind::ServerKind;

/// By how many blanks the end of a block may stand left of what is in it, where it is indented by
/// blanks.
const INDENT_WIDTH: usize = 4;

/// How a model fills in the middle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FimFormat {
    kind: ServerKind,
    style: FimStyle,
    controls: ControlTokens,
}

/// How prompts are written.
#[derive(Clone, Debug, PartialEq, Eq)]
enum FimStyle {
    /// As a family was trained.
    Family(&'static FimFamily),
    /// By a template of the person's own.
    Own(FimTemplate),
    /// In parts, which the server puts together.
    Parts,
    /// In parts that follow the cursor, for servers that keep nothing of a prompt.
    FollowingParts,
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
        let is_own = matches!(choice.template, KnownTemplate::Own(_));
        if is_own && kind.knows_template() {
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
        let is_unknown = choice.template == KnownTemplate::Unknown;
        let is_unknown_mistral = kind == ServerKind::Mistral && is_unknown;
        let mistral = FimFamily::named("codestral").filter(|_| is_unknown_mistral);
        let style = match choice.template {
            _ if kind == ServerKind::Mistral => FimStyle::FollowingParts,
            KnownTemplate::Family(family) => FimStyle::Family(family),
            KnownTemplate::Own(template) => FimStyle::Own(template),
            KnownTemplate::Unknown => FimStyle::Parts,
        };
        Ok(FimFormat {
            kind,
            style,
            controls: mistral.map_or(choice.controls, FimFamily::controls),
        })
    }

    /// The format for the family that a server says its model is of. What the settings say counts
    /// more.
    pub fn with_family(self, family: Option<&'static FimFamily>) -> FimFormat {
        match family {
            Some(family) if self.style == FimStyle::Parts => FimFormat {
                kind: self.kind,
                style: FimStyle::Family(family),
                controls: family.controls(),
            },
            _ => self,
        }
    }

    /// The kind of the server.
    pub fn kind(&self) -> ServerKind {
        self.kind
    }

    /// The control tokens of the model: its stop words, and what no prompt has in it.
    pub fn controls(&self) -> &ControlTokens {
        &self.controls
    }

    /// What is told for a request, given what the last prompts were made of.
    pub fn told(
        &self,
        request: &LaneRequest,
        settings: &settings::LaneSettings,
        marks: &mut dyn SecretMarks,
        memory: &mut PromptMemory,
    ) -> FimPrompt {
        let controls = &self.controls;
        match self.style {
            FimStyle::Family(_) | FimStyle::Parts => {
                let model = settings.model_for(request.is_explicit).unwrap_or_default();
                FimPrompt::staying(request, settings, model, controls, marks, memory)
            }
            FimStyle::Own(_) | FimStyle::FollowingParts => {
                FimPrompt::following(request, settings, controls, marks)
            }
        }
    }

    /// The prompt that tells it.
    pub fn prompt(&self, told: &FimPrompt, settings: &settings::LaneSettings) -> ModelPrompt {
        let (filling, controls) = (told.filling(), &self.controls);
        let fill_in = |prefix: String, files: Vec<PromptFile>| PromptText::FillIn {
            prefix,
            typed: told.typed().to_owned(),
            suffix: told.suffix().to_owned(),
            files,
        };
        let text = match &self.style {
            FimStyle::Family(family) => {
                PromptText::Continue(family_prompt(family, filling, controls))
            }
            FimStyle::Own(template) => PromptText::Continue(template.fill(filling, controls)),
            FimStyle::Parts if self.kind.takes_files() => {
                let files = told.pieces().iter().map(PromptFile::of);
                fill_in(told.named_prefix(), files.collect())
            }
            FimStyle::Parts | FimStyle::FollowingParts => fill_in(told.headed_prefix(), Vec::new()),
        };
        ModelPrompt {
            stop_words: controls.words().map(str::to_owned).collect(),
            gap: Some(GapHints {
                indent: least_indent(told),
            }),
            ..ModelPrompt::new(text, settings)
        }
    }
}

/// How far a line must be indented to be part of an answer: the block around the cursor may be closed
/// by it.
fn least_indent(told: &FimPrompt) -> usize {
    let (blanks, is_tabs) = told.indent();
    blanks.saturating_sub(if is_tabs { 1 } else { INDENT_WIDTH })
}

impl PromptFormat for FimFormat {
    fn prepare<'r>(
        &self,
        request: &'r LaneRequest,
        settings: &settings::LaneSettings,
        mut marks: Box<dyn SecretMarks>,
        memory: &mut PromptMemory,
    ) -> Option<FormattedRequest<'r>> {
        let told = self.told(request, settings, &mut *marks, memory);
        Some(FormattedRequest {
            prompt: self.prompt(&told, settings),
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
    marks: Box<dyn SecretMarks>,
}

impl AnswerReader for FimReader<'_> {
    fn push(&mut self, piece: &str) -> bool {
        self.ending.push(piece)
    }

    fn certain_bytes(&self) -> usize {
        self.ending.certain().len()
    }

    fn so_far(&self) -> Vec<LaneCandidate> {
        candidate::answer(self.request, self.ending.certain(), &*self.marks).candidates
    }

    fn finish(self: Box<Self>, end: AnswerEnd) -> Result<LaneAnswer, LaneFault> {
        let text = self.ending.finish(end);
        Ok(candidate::answer(self.request, &text, &*self.marks))
    }
}

fn misconfigured(says: impl Into<std::sync::Arc<str>>) -> LaneFault {
    LaneFault::new(FailureKind::Misconfigured, says)
}
