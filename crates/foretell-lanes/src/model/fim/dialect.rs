//! Dialects: how each kind of server is asked to fill in the middle.
//!
//! | back end | endpoint | prompt |
//! | --- | --- | --- |
//! | `openai` | `/v1/completions` | from a template; `prompt` and `suffix` where nobody knows one |
//! | `llama-cpp` | `/infill` | `input_prefix`, `input_suffix`, and the context as `input_extra` |
//! | `ollama` | `/api/generate` | `raw` from a template; `prompt` and `suffix` where nobody knows one |
//! | `mistral` | `/v1/fim/completions` | `prompt` and `suffix` |
//!
//! `llama-cpp` and `mistral` put the prompt together themselves. A template's name still says which
//! control tokens their model has; a template of the person's own would never be used, and is refused.
//!
//! Temperature is zero: the best guess is wanted, and the same one for the same text. OpenAI, Mistral
//! and servers that follow them take four stop words and refuse a fifth, so they get the four that
//! matter most; all the others are found when the answer comes in.
//!
//! Absent on purpose: the server. A path and a body go out of here, and payloads come in.

use foretell_settings::BackEnd;
use foretell_text::FailureKind;
use serde_json::{Value, json};

use super::super::control::Controls;
use super::super::frame::{self, AnswerFrame, LLAMA_CPP_FIELDS};
use super::family::Family;
use super::prompt::FimPrompt;
use super::template::{Choice, Template};
use crate::lane::LaneFault;

/// How many stop words a server takes that says so.
const FEW_STOP_WORDS: usize = 4;

/// What the context is called where it is a file beside the document.
const CONTEXT_FILE: &str = "context.md";

/// How a server is asked, and how its answers are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialect {
    tongue: Tongue,
    controls: Controls,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Tongue {
    OpenAi(Option<Template>),
    LlamaCpp,
    Ollama(Option<Template>),
    Mistral,
}

impl Dialect {
    /// The dialect of a back end for a model (empty if none is named), with the template that the
    /// settings say. It is misconfigured if it could not be asked like that.
    pub fn of(back_end: BackEnd, model: &str, template: &str) -> Result<Dialect, LaneFault> {
        let choice = Choice::of(template, model);
        let choice = choice.map_err(|fault| misconfigured(fault.to_string()))?;
        let is_own = choice.is_own;
        let tongue = match back_end {
            BackEnd::OpenAi => Tongue::OpenAi(choice.template),
            BackEnd::Ollama => Tongue::Ollama(choice.template),
            BackEnd::LlamaCpp | BackEnd::Mistral if is_own => {
                return Err(misconfigured(
                    "this kind of server puts prefix and suffix together itself and takes no template; \
                     set the kind to openai or ollama, or the template to auto",
                ));
            }
            BackEnd::LlamaCpp => Tongue::LlamaCpp,
            BackEnd::Mistral => Tongue::Mistral,
            BackEnd::Embedded | BackEnd::OpenAiChat => {
                return Err(misconfigured(
                    "this kind of back end does not fill in at the cursor; \
                     set the kind to openai, llama-cpp, ollama or mistral",
                ));
            }
        };
        let needs_model = matches!(tongue, Tongue::Ollama(_) | Tongue::Mistral);
        if needs_model && model.trim().is_empty() {
            return Err(misconfigured(
                "this kind of server must be told which model to use; set the model",
            ));
        }
        // Whatever its model is called here, Mistral's own server has Mistral's tokens.
        let is_unnamed =
            Family::of_model(model).is_none() && matches!(template.trim(), "auto" | "");
        let controls = match (&tongue, Family::named("codestral")) {
            (Tongue::Mistral, Some(family)) if is_unnamed => family.controls(),
            _ => choice.controls,
        };
        Ok(Dialect { tongue, controls })
    }

    /// The path of the endpoint, from the server's address on.
    pub fn path(&self) -> &'static str {
        match self.tongue {
            Tongue::OpenAi(_) => "/v1/completions",
            Tongue::LlamaCpp => "/infill",
            Tongue::Ollama(_) => "/api/generate",
            Tongue::Mistral => "/v1/fim/completions",
        }
    }

    /// The control tokens of the model: its stop words, and what no prompt has in it.
    pub fn controls(&self) -> &Controls {
        &self.controls
    }

    /// What is sent, for an answer that comes piece by piece.
    pub fn body(&self, prompt: &FimPrompt, model: &str) -> Value {
        let few: Vec<_> = self.controls.words().take(FEW_STOP_WORDS).collect();
        let all: Vec<_> = self.controls.words().collect();
        let filled = |template: &Template| template.fill(prompt.filling(), &self.controls);
        let mut body = match &self.tongue {
            Tongue::OpenAi(template) => {
                let mut body = json!({
                    "max_tokens": prompt.max_tokens(),
                    "temperature": 0,
                    "stop": few,
                    "stream": true,
                    "stream_options": { "include_usage": true },
                });
                match template {
                    Some(template) => body["prompt"] = filled(template).into(),
                    None => put_apart(&mut body, prompt),
                }
                body
            }
            Tongue::LlamaCpp => json!({
                "input_prefix": prompt.named_prefix(),
                "input_suffix": prompt.suffix(),
                "input_extra": extra(prompt),
                "prompt": "",
                "n_predict": prompt.max_tokens(),
                "temperature": 0,
                "stop": all,
                "stream": true,
                "cache_prompt": true,
                "response_fields": LLAMA_CPP_FIELDS,
            }),
            Tongue::Ollama(template) => {
                let mut body = json!({
                    "stream": true,
                    "options": {
                        "num_predict": prompt.max_tokens(),
                        "stop": all,
                        "temperature": 0,
                    },
                });
                match template {
                    Some(template) => {
                        body["prompt"] = filled(template).into();
                        body["raw"] = true.into();
                    }
                    None => put_apart(&mut body, prompt),
                }
                body
            }
            Tongue::Mistral => {
                let mut body = json!({
                    "max_tokens": prompt.max_tokens(),
                    "temperature": 0,
                    "stop": few,
                    "stream": true,
                });
                put_apart(&mut body, prompt);
                body
            }
        };
        // A server with one model does not need its name.
        if !model.trim().is_empty() {
            body["model"] = model.into();
        }
        body
    }

    /// Reads one payload of an answer.
    pub fn read(&self, payload: &str) -> Result<AnswerFrame, LaneFault> {
        match self.tongue {
            Tongue::OpenAi(_) | Tongue::Mistral => frame::of_choices(payload),
            Tongue::LlamaCpp => frame::of_infill(payload),
            Tongue::Ollama(_) => frame::of_generate(payload),
        }
    }
}

/// Leaves it to the server to put prefix and suffix together.
fn put_apart(body: &mut Value, prompt: &FimPrompt) {
    body["prompt"] = prompt.headed_prefix().into();
    body["suffix"] = prompt.suffix().into();
}

/// The context, as a file beside the document.
fn extra(prompt: &FimPrompt) -> Value {
    match prompt.context().trim().is_empty() {
        true => json!([]),
        false => json!([{ "filename": CONTEXT_FILE, "text": prompt.context() }]),
    }
}

fn misconfigured(says: impl Into<std::sync::Arc<str>>) -> LaneFault {
    LaneFault::new(FailureKind::Misconfigured, says)
}
