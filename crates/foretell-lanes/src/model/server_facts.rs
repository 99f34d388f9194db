//! What a server says of itself: which model it has, what its tokens are, and how many prompts it keeps.
//!
//! llama.cpp answers such questions without a model's help. They are asked before the first prompt,
//! and once: `/props` names the model and counts the slots, and where the name says nothing, `/tokenize`
//! tells which of the tokens that families are known by are tokens of this model. No word of a document
//! is in them.
//!
//! Nothing ever fails because of them. What a server does not say is not known, and where it could not
//! be asked just now, it is asked again with the next prompt.

use std::sync::Mutex;
use std::time::Duration;

use foretell_text::{FailureKind, LaneKind, PoisonedLock};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::fim::family::FimFamily;
use super::server_client::ServerClient;
use crate::lane::LaneFault;

/// How long a prompt waits for each of the answers.
const LONGEST: Duration = Duration::from_millis(1_000);

/// What is known of a server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServerFacts {
    /// The family of its model.
    pub family: Option<&'static FimFamily>,
    /// How many prompts it keeps.
    pub slots: Option<usize>,
}

impl ServerFacts {
    /// The slot of a lane, if there are several: what one lane asks does not take the place of what
    /// another has asked.
    pub fn slot(&self, lane: LaneKind) -> Option<usize> {
        let number = match lane {
            LaneKind::Fim => 0,
            LaneKind::NextEdit => 1,
            LaneKind::Fix => 2,
        };
        let slots = self.slots.filter(|slots| *slots > 1)?;
        Some(number.min(slots - 1))
    }
}

/// Facts that are asked for when they are first needed.
#[derive(Default)]
pub(super) struct AskedFacts(Mutex<Option<ServerFacts>>);

impl AskedFacts {
    /// The facts, asked for if they are not known.
    pub(super) async fn get(&self, server: &ServerClient) -> ServerFacts {
        let known = *self.0.lock().unpoison();
        if let Some(facts) = known {
            return facts;
        }
        match ask(server).await {
            Ok(facts) => *self.0.lock().unpoison().insert(facts),
            // It is loading, or busy, or gone.
            Err(NotNow) => ServerFacts::default(),
        }
    }
}

/// The server could not be asked.
struct NotNow;

async fn ask(server: &ServerClient) -> Result<ServerFacts, NotNow> {
    let Some(props) = answer_of(server.get("/props")).await? else {
        return Ok(ServerFacts::default());
    };
    let slots = props.get("total_slots").and_then(Value::as_u64);
    let slots = slots.and_then(|slots| usize::try_from(slots).ok());
    let names = ["model_alias", "model_path"];
    let mut names = names.into_iter().filter_map(|it| props.get(it)?.as_str());
    let family = match names.find_map(FimFamily::of_model) {
        Some(family) => Some(family),
        None => family_by_tokens(server).await?,
    };
    Ok(ServerFacts { family, slots })
}

/// The family of the model by its tokens.
async fn family_by_tokens(server: &ServerClient) -> Result<Option<&'static FimFamily>, NotNow> {
    let question = json!({
        "content": FimFamily::telling_tokens().join("\n"),
        "parse_special": true,
        "with_pieces": true,
    });
    let answer = answer_of(server.post_for_text("/tokenize", &question)).await?;
    let tokens = answer.as_ref().and_then(|it| it.get("tokens")?.as_array());
    let tokens = tokens.map_or(&[][..], Vec::as_slice);
    let pieces: Vec<&str> = tokens
        .iter()
        .filter_map(|token| token.get("piece")?.as_str())
        .collect();
    Ok(FimFamily::of_tokens(|token| pieces.contains(&token)))
}

/// What a server answers; nothing if it has no answer to that and never will.
async fn answer_of(
    asking: impl Future<Output = Result<String, LaneFault>>,
) -> Result<Option<Value>, NotNow> {
    match timeout(LONGEST, asking).await {
        Ok(Ok(said)) => Ok(serde_json::from_str(&said).ok()),
        Ok(Err(fault)) if fault.failure.kind == FailureKind::ClientError => Ok(None),
        Ok(Err(_)) | Err(_) => Err(NotNow),
    }
}
