//! How each server wants to be asked, and how its answer comes.
//!
//! | back end | path | what is sent |
//! | --- | --- | --- |
//! | `openai-chat` | `/v1/chat/completions` | two messages |
//! | `ollama` | `/api/generate` | the same as `system` and `prompt`: the model's own template makes turns of them |
//! | `openai` | `/v1/completions` | one text that the model goes on with, its last line an open fence |
//! | `llama-cpp` | `/completion` | the same |
//!
//! A frame of a stream and an answer that comes at once are read alike. What a model thinks, where
//! the server tells it apart (`reasoning_content`, `reasoning`, `thinking`), is not part of an answer.
//!
//! Absent on purpose: the network, and whether a model does what it is asked. Mistral's
//! fill-in-the-middle endpoint cannot be asked for this; Mistral's chat is `openai-chat`.

use std::fmt;

use foretell_settings::BackEnd;
use serde_json::{Value, json};

use super::super::frame::{self, AnswerFrame, LLAMA_CPP_FIELDS};
use super::question::Question;
use crate::lane::LaneFault;

/// A way to be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// OpenAI's chat.
    Chat,
    /// OpenAI's completions.
    Completions,
    /// llama.cpp's completion.
    LlamaCpp,
    /// Ollama's generate.
    Ollama,
}

/// What is said to a server.
#[derive(Clone, PartialEq, Eq)]
pub enum Talk {
    /// Two turns: what is wanted, and what it is about.
    Turns {
        /// What is wanted.
        system: String,
        /// What it is about.
        user: String,
    },
    /// One text that is to be gone on with.
    Text(String),
}

impl Dialect {
    /// How a back end is asked, if it can be.
    pub fn of(back_end: BackEnd) -> Option<Dialect> {
        match back_end {
            BackEnd::OpenAiChat => Some(Dialect::Chat),
            BackEnd::OpenAi => Some(Dialect::Completions),
            BackEnd::LlamaCpp => Some(Dialect::LlamaCpp),
            BackEnd::Ollama => Some(Dialect::Ollama),
            BackEnd::Embedded | BackEnd::Mistral => None,
        }
    }

    /// Where it is asked, behind the server's address.
    pub fn path(self) -> &'static str {
        match self {
            Dialect::Chat => "/v1/chat/completions",
            Dialect::Completions => "/v1/completions",
            Dialect::LlamaCpp => "/completion",
            Dialect::Ollama => "/api/generate",
        }
    }

    /// Whether the answer goes on behind [`Question::opening`].
    pub fn goes_on(self) -> bool {
        match self {
            Dialect::Chat | Dialect::Ollama => false,
            Dialect::Completions | Dialect::LlamaCpp => true,
        }
    }

    /// What is said.
    pub fn talk(self, question: &Question) -> Talk {
        let Question {
            system,
            user,
            opening,
            ..
        } = question;
        match self.goes_on() {
            true => Talk::Text(format!("{system}\n{user}{opening}")),
            false => Talk::Turns {
                system: system.clone(),
                user: user.clone(),
            },
        }
    }

    /// The request's body, for an answer of so many tokens that is streamed.
    pub fn body(self, question: &Question, model: &str, max_tokens: usize) -> Value {
        // Where a fence is open, its end is the end; elsewhere that would be its beginning.
        let stop = format!("\n{}", question.quotes.fence);
        let mut body = match (self, self.talk(question)) {
            (Dialect::Ollama, Talk::Turns { system, user }) => json!({
                "system": system,
                "prompt": user,
                "options": { "temperature": 0, "num_predict": max_tokens },
            }),
            (_, Talk::Turns { system, user }) => json!({
                "messages": [
                    { "role": "system", "content": system },
                    { "role": "user", "content": user },
                ],
                "max_tokens": max_tokens,
                "temperature": 0,
                "stream_options": { "include_usage": true },
            }),
            (Dialect::LlamaCpp, Talk::Text(prompt)) => json!({
                "prompt": prompt,
                "n_predict": max_tokens,
                "temperature": 0,
                "cache_prompt": true,
                "response_fields": LLAMA_CPP_FIELDS,
                "stop": [stop],
            }),
            (_, Talk::Text(prompt)) => json!({
                "prompt": prompt,
                "max_tokens": max_tokens,
                "temperature": 0,
                "stop": [stop],
                "stream_options": { "include_usage": true },
            }),
        };
        body["stream"] = json!(true);
        if !model.is_empty() {
            body["model"] = json!(model);
        }
        body
    }

    /// What a payload says, or how it says that something is wrong.
    pub fn read(self, payload: &str) -> Result<AnswerFrame, LaneFault> {
        match self {
            Dialect::Chat | Dialect::Completions => frame::of_choices(payload),
            Dialect::LlamaCpp => frame::of_infill(payload),
            Dialect::Ollama => frame::of_generate(payload),
        }
    }
}

/// How long: what people write does not belong in a log.
impl fmt::Debug for Talk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Talk::Turns { system, user } => {
                write!(f, "Turns({} bytes, {} bytes)", system.len(), user.len())
            }
            Talk::Text(text) => write!(f, "Text({} bytes)", text.len()),
        }
    }
}
