//! Which model servers run on this machine, on the ports where people leave them.
//!
//! A server is known by what it answers, not by its port: llama.cpp tells its properties, Ollama lists its models
//! in a way of its own, and the others say in their lists whose they are. Each port is asked for a few lists and
//! for nothing else, no other machine is asked, and nothing of the person's is sent. A port where nobody listens
//! costs nothing, and one that never answers two seconds.
//!
//! Absent on purpose: whether a model does what its name promises, which [`probe`](mod@super::probe) finds out.

use std::time::Duration;

use foretell_settings::Settings;
use foretell_settings::choice::BackEnd;
use foretell_settings::settings::LaneSettings;
use foretell_text::{FailureKind, LaneKind};
use serde_json::Value;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::fim::family::FimFamily;
use super::next_edit::EditDialect;
use super::probe::names;
use super::server_client::ServerClient;

/// The usual ports of llama.cpp (those of its editor plugins, and its own, old and new), Ollama, LM Studio and vLLM.
pub const USUAL_PORTS: [u16; 7] = [8012, 8013, 8080, 9931, 11434, 1234, 8000];

/// How long one list may take.
const LONGEST: Duration = Duration::from_secs(2);

/// A program that serves models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerProgram {
    /// llama.cpp's own server.
    LlamaCpp,
    /// Ollama.
    Ollama,
    /// LM Studio.
    LmStudio,
    /// vLLM.
    Vllm,
    /// Any other that lists its models as OpenAI does.
    OpenAiCompatible,
}

impl ServerProgram {
    /// What people call it.
    pub const fn name(self) -> &'static str {
        match self {
            ServerProgram::LlamaCpp => "llama.cpp",
            ServerProgram::Ollama => "Ollama",
            ServerProgram::LmStudio => "LM Studio",
            ServerProgram::Vllm => "vLLM",
            ServerProgram::OpenAiCompatible => "a server that speaks as OpenAI's does",
        }
    }

    /// The kind by which its models are asked to fill in, or in formats of their own.
    pub const fn kind(self) -> BackEnd {
        match self {
            ServerProgram::LlamaCpp => BackEnd::LlamaCpp,
            ServerProgram::Ollama => BackEnd::Ollama,
            ServerProgram::LmStudio | ServerProgram::Vllm | ServerProgram::OpenAiCompatible => {
                BackEnd::OpenAi
            }
        }
    }
}

/// A server that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalServer {
    /// The program.
    pub program: ServerProgram,
    /// Its address.
    pub url: String,
    /// The names of its models, as it lists them.
    pub models: Vec<String>,
}

/// What a model is good for, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelPurpose {
    /// It was trained for next edits, in a format of its own.
    NextEdits(&'static str),
    /// It fills in at the cursor.
    FillsIn,
    /// It turns text into numbers, and writes none.
    Embeds,
    /// Nothing more is known than that it writes.
    Chat,
}

impl ModelPurpose {
    /// The purpose of a model.
    pub fn of(model: &str) -> Self {
        if let Some(dialect) = EditDialect::of_model(model) {
            return ModelPurpose::NextEdits(dialect.name());
        }
        if model.to_ascii_lowercase().contains("embed") {
            return ModelPurpose::Embeds;
        }
        match FimFamily::of_model(model) {
            Some(_) => ModelPurpose::FillsIn,
            None => ModelPurpose::Chat,
        }
    }
}

/// What is at a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PortAnswer {
    /// Nobody listens.
    Nobody,
    /// Somebody who serves no models, or wants a key.
    Stranger,
    /// A model server.
    Server(LocalServer),
}

/// Asks each port of this machine, in the order in which they are named.
pub async fn search_ports(ports: &[u16]) -> Vec<(u16, PortAnswer)> {
    let mut asked = JoinSet::new();
    for (number, port) in ports.iter().copied().enumerate() {
        asked.spawn(async move { (number, (port, ask_port(port).await)) });
    }
    let mut answers = asked.join_all().await;
    answers.sort_by_key(|(number, _)| *number);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

/// The settings of a lane that asks a server of this machine.
pub fn lane_settings(lane: LaneKind, kind: BackEnd, url: &str, model: &str) -> LaneSettings {
    LaneSettings {
        kind,
        url: Some(url.into()),
        model: (!model.is_empty()).then(|| model.to_owned()),
        ..Settings::default().lanes.of(lane).clone()
    }
}

async fn ask_port(port: u16) -> PortAnswer {
    let url = format!("http://127.0.0.1:{port}");
    let settings = lane_settings(LaneKind::Fim, BackEnd::OpenAi, &url, "");
    let Ok(server) = ServerClient::new(LaneKind::Fim, &settings) else {
        return PortAnswer::Stranger;
    };
    let listed = match ask(&server, "/v1/models").await {
        Err(FailureKind::Refused | FailureKind::Unreachable) => return PortAnswer::Nobody,
        // It takes what it is sent, and says nothing.
        Err(FailureKind::TimedOut) => return PortAnswer::Stranger,
        listed => listed.ok(),
    };
    let of_ollama = ask(&server, "/api/tags").await.ok();
    if let Some(models) = of_ollama.as_ref().filter(|it| it.get("models").is_some()) {
        let models = names(models).unwrap_or_default();
        let program = ServerProgram::Ollama;
        return PortAnswer::Server(LocalServer {
            program,
            url,
            models,
        });
    }
    let Some(models) = listed.as_ref().and_then(names) else {
        return PortAnswer::Stranger;
    };
    let properties = ask(&server, "/props").await.ok();
    let owner = listed.as_ref().and_then(owner).unwrap_or_default();
    let program = if properties.is_some_and(|it| it.get("default_generation_settings").is_some()) {
        ServerProgram::LlamaCpp
    } else if owner == "vllm" {
        ServerProgram::Vllm
    } else if owner == "organization_owner" {
        ServerProgram::LmStudio
    } else {
        ServerProgram::OpenAiCompatible
    };
    PortAnswer::Server(LocalServer {
        program,
        url,
        models,
    })
}

/// Whose the first model of a list is.
fn owner(listed: &Value) -> Option<&str> {
    listed.get("data")?.get(0)?.get("owned_by")?.as_str()
}

async fn ask(server: &ServerClient, path: &str) -> Result<Value, FailureKind> {
    let answered = timeout(LONGEST, server.get(path)).await;
    let text = answered.map_err(|_| FailureKind::TimedOut)?;
    let text = text.map_err(|fault| fault.failure.kind)?;
    serde_json::from_str(&text).map_err(|_| FailureKind::MalformedJson)
}
