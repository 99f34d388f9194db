//! Server kinds: where each is asked, what it is sent, and what its answer says.
//!
//! | kind | continue | fill in | chat |
//! | --- | --- | --- | --- |
//! | `openai` | `/v1/completions` | the same, with `suffix` | |
//! | `llama-cpp` | `/completion` | `/infill` | |
//! | `ollama` | `/api/generate`, `raw` | the same, with `suffix` | the same, with `system` |
//! | `mistral` | | `/v1/fim/completions` | |
//! | `openai-chat` | | | `/v1/chat/completions` |
//! | `mercury` | | | |
//!
//! A prompt of one message that asks for an edit goes to `/v1/edit/completions` of `mercury`, and as the only
//! message of a chat to `openai-chat`.
//!
//! A kind is only a transport: a [`ModelPrompt`] becomes a path and a body, and a payload of the answer
//! becomes an [`AnswerFrame`], whether it is one of a stream or the whole answer. Kinds differ in the
//! [`PromptStyle`]s they take, and a format chooses among those.
//!
//! Servers on a person's own machine keep what they have read of a prompt, and read the next one from
//! the first token that differs. llama.cpp does so per slot, so that each lane has one of its own where
//! there are several; Ollama loads its model anew for a prompt with another size of context, so that
//! every prompt of a lane asks for the same.
//!
//! Temperature is zero: the best guess is wanted, and the same one for the same text. OpenAI, Mistral
//! and servers that follow them take four stop words and refuse a fifth, so they get the first four;
//! readers find all others when the answer comes in.
//!
//! Absent on purpose: the network, and what is asked.

use std::fmt;

use foretell_settings::BackEnd;
use foretell_text::FailureKind;
use serde_json::{Value, json};

use super::answer_frame::{self, AnswerFrame, LLAMA_CPP_FIELDS};
use super::format::{GapHints, ModelPrompt, PromptFile, PromptStyle, PromptText};
use crate::lane::LaneFault;

/// How many stop words a server takes that says so.
const FEW_STOP_WORDS: usize = 4;

/// How long llama.cpp may write once it has ended a line, in milliseconds. Nobody waits longer for
/// more lines.
const LONGEST_WRITING_MS: u64 = 3_000;

/// How long Ollama keeps a model in memory that nobody asks for anything.
const KEEP_ALIVE: &str = "30m";

/// A kind of model server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerKind {
    /// OpenAI's completions.
    OpenAi,
    /// llama.cpp.
    LlamaCpp,
    /// Ollama.
    Ollama,
    /// Mistral's fill-in-the-middle.
    Mistral,
    /// OpenAI's chat.
    OpenAiChat,
    /// Inception's edits.
    Mercury,
}

/// A request to a model server.
#[derive(Clone, PartialEq)]
pub struct ModelMessage {
    /// The path of the endpoint, behind the server's address.
    pub path: &'static str,
    /// The body.
    pub body: Value,
}

impl ServerKind {
    /// The kind of a back end; nothing for the one that is no server.
    pub fn of(back_end: BackEnd) -> Option<ServerKind> {
        match back_end {
            BackEnd::Embedded => None,
            BackEnd::OpenAi => Some(ServerKind::OpenAi),
            BackEnd::LlamaCpp => Some(ServerKind::LlamaCpp),
            BackEnd::Ollama => Some(ServerKind::Ollama),
            BackEnd::Mistral => Some(ServerKind::Mistral),
            BackEnd::OpenAiChat => Some(ServerKind::OpenAiChat),
            BackEnd::Mercury => Some(ServerKind::Mercury),
        }
    }

    /// The endpoint for prompts of a style; nothing if the kind takes none.
    pub fn path(self, style: PromptStyle) -> Option<&'static str> {
        match (self, style) {
            (ServerKind::OpenAi, PromptStyle::Continue | PromptStyle::FillIn) => {
                Some("/v1/completions")
            }
            (ServerKind::LlamaCpp, PromptStyle::Continue) => Some("/completion"),
            (ServerKind::LlamaCpp, PromptStyle::FillIn) => Some("/infill"),
            (
                ServerKind::Ollama,
                PromptStyle::Continue | PromptStyle::FillIn | PromptStyle::Chat,
            ) => Some("/api/generate"),
            (ServerKind::Mistral, PromptStyle::FillIn) => Some("/v1/fim/completions"),
            (ServerKind::OpenAiChat, PromptStyle::Chat | PromptStyle::Edit) => {
                Some("/v1/chat/completions")
            }
            (ServerKind::Mercury, PromptStyle::Edit) => Some("/v1/edit/completions"),
            (ServerKind::OpenAi | ServerKind::LlamaCpp, PromptStyle::Chat | PromptStyle::Edit)
            | (
                ServerKind::Mistral,
                PromptStyle::Continue | PromptStyle::Chat | PromptStyle::Edit,
            )
            | (ServerKind::OpenAiChat, PromptStyle::Continue | PromptStyle::FillIn)
            | (
                ServerKind::Mercury,
                PromptStyle::Continue | PromptStyle::FillIn | PromptStyle::Chat,
            )
            | (ServerKind::Ollama, PromptStyle::Edit) => None,
        }
    }

    /// Whether the server knows how its model fills in, and is best left to write the prompt.
    pub fn knows_template(self) -> bool {
        matches!(self, ServerKind::LlamaCpp | ServerKind::Mistral)
    }

    /// Whether the server says which model it has, what its tokens are and how many slots there are.
    pub fn tells_facts(self) -> bool {
        self == ServerKind::LlamaCpp
    }

    /// Whether the server takes files beside a prefix and a suffix.
    pub fn takes_files(self) -> bool {
        self == ServerKind::LlamaCpp
    }

    /// Whether the server may keep what it has read of a prompt, so that the next one is read sooner.
    pub fn keeps_prompts(self) -> bool {
        self != ServerKind::Mistral
    }

    /// How many tokens the server must be asked for so that it reads a prompt. llama.cpp takes zero for
    /// that very wish, Ollama for no limit, and others refuse it.
    pub fn least_answer(self) -> usize {
        match self {
            ServerKind::LlamaCpp => 0,
            ServerKind::OpenAi
            | ServerKind::Ollama
            | ServerKind::Mistral
            | ServerKind::Mercury
            | ServerKind::OpenAiChat => 1,
        }
    }

    /// Whether the server must be told which model to use.
    pub fn needs_model(self) -> bool {
        matches!(
            self,
            ServerKind::Ollama | ServerKind::Mistral | ServerKind::Mercury
        )
    }

    /// Where the server lists its models.
    pub fn models_path(self) -> &'static str {
        match self {
            ServerKind::Ollama => "/api/tags",
            _ => "/v1/models",
        }
    }

    /// The request for a prompt and a model, which may be empty. Its answer is streamed.
    pub fn message(self, prompt: ModelPrompt, model: &str) -> Result<ModelMessage, LaneFault> {
        let path = self.path(prompt.text.style()).ok_or_else(|| {
            LaneFault::new(
                FailureKind::Misconfigured,
                "this kind of server cannot be asked in this format; set another kind or format",
            )
        })?;
        let body = self.body(prompt, model);
        Ok(ModelMessage { path, body })
    }

    fn body(self, prompt: ModelPrompt, model: &str) -> Value {
        let ModelPrompt {
            text,
            stop_words,
            max_tokens,
            gap,
            room,
            slot,
        } = prompt;
        let is_raw = matches!(text, PromptText::Continue(_));
        let mut body = self.said(text);
        let mut stop = stop_words;
        match self {
            ServerKind::OpenAi | ServerKind::OpenAiChat | ServerKind::Mistral => {
                body["max_tokens"] = max_tokens.into();
                body["temperature"] = 0.into();
                if self != ServerKind::Mistral {
                    body["stream_options"] = json!({ "include_usage": true });
                }
                stop.truncate(FEW_STOP_WORDS);
                put_stop_words(&mut body, stop);
            }
            ServerKind::Mercury => {
                body["max_tokens"] = max_tokens.into();
                body["temperature"] = 0.into();
                stop.truncate(FEW_STOP_WORDS);
                put_stop_words(&mut body, stop);
            }
            ServerKind::LlamaCpp => {
                body["n_predict"] = max_tokens.into();
                body["temperature"] = 0.into();
                body["cache_prompt"] = true.into();
                body["return_progress"] = true.into();
                body["timings_per_token"] = true.into();
                body["response_fields"] = json!(LLAMA_CPP_FIELDS);
                if let Some(slot) = slot {
                    body["id_slot"] = slot.into();
                }
                if let Some(GapHints { indent }) = gap {
                    body["n_indent"] = indent.into();
                    body["t_max_predict_ms"] = LONGEST_WRITING_MS.into();
                }
                put_stop_words(&mut body, stop);
            }
            ServerKind::Ollama => {
                let mut options = json!({ "num_predict": max_tokens, "temperature": 0 });
                options["num_ctx"] = room.into();
                put_stop_words(&mut options, stop);
                body["options"] = options;
                body["keep_alive"] = KEEP_ALIVE.into();
                if is_raw {
                    body["raw"] = true.into();
                }
            }
        }
        // It answers at once.
        if self != ServerKind::Mercury {
            body["stream"] = true.into();
        }
        // A server with one model does not need its name.
        if !model.trim().is_empty() {
            body["model"] = model.into();
        }
        body
    }

    /// The fields that say what is asked.
    fn said(self, text: PromptText) -> Value {
        match text {
            PromptText::Continue(text) => json!({ "prompt": text }),
            PromptText::FillIn {
                prefix,
                typed,
                suffix,
                files,
            } if self.takes_files() => json!({
                "input_prefix": prefix,
                "input_suffix": suffix,
                "input_extra": files.iter().map(extra).collect::<Vec<_>>(),
                "prompt": typed,
            }),
            PromptText::FillIn {
                prefix,
                typed,
                suffix,
                ..
            } => {
                json!({ "prompt": prefix + &typed, "suffix": suffix })
            }
            PromptText::Chat { system, user } if self == ServerKind::Ollama => {
                json!({ "system": system, "prompt": user })
            }
            PromptText::Edit(text) => json!({
                "messages": [{ "role": "user", "content": text }],
            }),
            PromptText::Chat { system, user } => json!({
                "messages": [
                    { "role": "system", "content": system },
                    { "role": "user", "content": user },
                ],
            }),
        }
    }

    /// Reads one payload of an answer. The model's thoughts, where the server tells them apart
    /// (`reasoning_content`, `reasoning`, `thinking`), are no part of it.
    pub fn read(self, payload: &str) -> Result<AnswerFrame, LaneFault> {
        match self {
            ServerKind::OpenAi
            | ServerKind::OpenAiChat
            | ServerKind::Mistral
            | ServerKind::Mercury => answer_frame::of_choices(payload),
            ServerKind::LlamaCpp => answer_frame::of_infill(payload),
            ServerKind::Ollama => answer_frame::of_generate(payload),
        }
    }
}

fn extra(file: &PromptFile) -> Value {
    json!({ "filename": *file.name, "text": *file.text })
}

fn put_stop_words(body: &mut Value, words: Vec<String>) {
    if !words.is_empty() {
        body["stop"] = words.into();
    }
}

/// Prints where it goes: the body may be private.
impl fmt::Debug for ModelMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("ModelMessage");
        shown.field("path", &self.path).finish_non_exhaustive()
    }
}
