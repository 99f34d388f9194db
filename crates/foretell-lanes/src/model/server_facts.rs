//! What a server says of itself: which model it has, what its tokens are, and how many prompts of what
//! length it keeps.
//!
//! llama.cpp answers such questions without a model's help. They are asked before the first prompt:
//! `/props` names the model, counts the slots and says how long a prompt may be, and where the name says nothing, `/tokenize` tells which of
//! the tokens that families are known by are tokens of this model. No word of a document is in them.
//!
//! A server can be started again with another model while nobody looks. So the facts are good for a minute,
//! and the first prompt after that asks again.
//!
//! A call that failed may have failed because of that, so the next prompt asks again, too. Nothing ever fails
//! because of the facts. What a server does not say is not known. Where it could not be asked
//! just now, what it said before holds, and the next prompt asks again.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use foretell_text::{FailureKind, LaneKind, PoisonedLock};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::fim::PromptServer;
use super::fim::family::FimFamily;
use super::next_edit::EditDialect;
use super::server_client::ServerClient;
use crate::lane::LaneFault;

/// How long a prompt waits for each of the answers.
const LONGEST: Duration = Duration::from_millis(1_000);
/// How long what a server says of itself is taken for true.
const GOOD_FOR: Duration = Duration::from_secs(60);
/// How long a server is not asked again that could not say it: a prompt wants to know more than once, and a
/// server that loads its model is sent the next prompt after a second.
const NOT_AGAIN_FOR: Duration = Duration::from_millis(500);
/// The shortest context that is believed: nobody could use a model with less, and some servers say 0.
const LEAST_CONTEXT: usize = 256;

/// What is known of a server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServerFacts {
    /// The family of its model.
    pub family: Option<&'static FimFamily>,
    /// How its model was taught to be asked for edits.
    pub dialect: Option<&'static EditDialect>,
    /// How many prompts it keeps.
    pub slots: Option<usize>,
    /// How many tokens a prompt and its answer may have.
    pub context_tokens: Option<usize>,
    /// A fingerprint of its model's name.
    pub model: Option<u64>,
}

impl ServerFacts {
    /// What prompts depend on.
    pub(super) fn for_prompts(&self) -> PromptServer {
        PromptServer {
            family: self.family,
            context_tokens: self.context_tokens,
        }
    }

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

/// Facts that are asked for when they are first needed, and again when they are old.
#[derive(Default)]
pub(super) struct AskedFacts(Mutex<Option<DatedFacts>>);

#[derive(Clone, Copy)]
struct DatedFacts {
    facts: ServerFacts,
    good_until: Instant,
}

impl AskedFacts {
    /// The facts as they were last known, without asking.
    pub(super) fn known(&self) -> ServerFacts {
        let known = *self.0.lock().unpoison();
        known.map(|known| known.facts).unwrap_or_default()
    }

    /// Takes in why a server refused a prompt: it may say how long its context is, and is asked anew what
    /// it is.
    pub(super) fn hear_refusal(&self, fault: &LaneFault, now: Instant) {
        if fault.failure.kind != FailureKind::ClientError || !fault.says.contains("context") {
            return;
        }
        let mut known = self.0.lock().unpoison();
        let facts = known.map(|known| known.facts).unwrap_or_default();
        *known = Some(DatedFacts {
            facts: ServerFacts {
                context_tokens: context_of_refusal(&fault.says).or(facts.context_tokens),
                ..facts
            },
            good_until: now,
        });
    }

    /// The facts, asked for if they are not known now. The tokens of the model are asked about where that
    /// matters.
    pub(super) async fn get(
        &self,
        server: &ServerClient,
        wish: FactsWish,
        now: Instant,
    ) -> ServerFacts {
        let known = *self.0.lock().unpoison();
        if let Some(known) = known.filter(|known| now < known.good_until) {
            return known.facts;
        }
        let asked = Instant::now();
        let (facts, lifetime) = match ask(server, wish).await {
            Ok(facts) => {
                // What it refused is as good as what it says.
                let refused = known.and_then(|known| known.facts.context_tokens);
                let context_tokens = facts.context_tokens.or(refused);
                let facts = ServerFacts {
                    context_tokens,
                    ..facts
                };
                (facts, GOOD_FOR)
            }
            // It is loading, or busy, or gone.
            Err(NotNow) => (known.map(|it| it.facts).unwrap_or_default(), NOT_AGAIN_FOR),
        };
        let good_until = now + asked.elapsed() + lifetime;
        *self.0.lock().unpoison() = Some(DatedFacts { facts, good_until });
        facts
    }

    /// A call has failed: the next prompt asks again.
    pub(super) fn doubt(&self, now: Instant) {
        if let Some(known) = &mut *self.0.lock().unpoison() {
            known.good_until = known.good_until.min(now);
        }
    }
}

/// The server could not be asked.
struct NotNow;

/// What is wanted of the facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FactsWish {
    /// All of them.
    All,
    /// How long a prompt may be.
    Room,
}

async fn ask(server: &ServerClient, wish: FactsWish) -> Result<ServerFacts, NotNow> {
    let Some(props) = answer_of(server.get("/props")).await? else {
        return match wish {
            FactsWish::All => Ok(ServerFacts::default()),
            FactsWish::Room => listed_room(server).await,
        };
    };
    let count = |pointer: &str| {
        let count = props.pointer(pointer).and_then(Value::as_u64)?;
        usize::try_from(count).ok()
    };
    let names = ["model_alias", "model_path"];
    let names = names.into_iter().filter_map(|it| props.get(it)?.as_str());
    let called = [props.get("model_alias"), props.get("model_path")];
    let dialect = names.clone().find_map(EditDialect::of_model);
    let family = match names.clone().find_map(FimFamily::of_model) {
        Some(family) => Some(family),
        None if wish == FactsWish::Room => None,
        None => family_by_tokens(server).await?,
    };
    Ok(ServerFacts {
        family,
        dialect,
        slots: count("/total_slots"),
        context_tokens: count("/default_generation_settings/n_ctx")
            .filter(|tokens| *tokens >= LEAST_CONTEXT),
        model: fingerprint(called.into_iter().flatten().filter_map(Value::as_str)),
    })
}

/// How long a prompt may be, as vLLM's list of models says it.
async fn listed_room(server: &ServerClient) -> Result<ServerFacts, NotNow> {
    let listed = answer_of(server.get("/v1/models")).await?;
    let models = listed.as_ref().and_then(|it| it.get("data")?.as_array());
    let models = models.map_or(&[][..], Vec::as_slice);
    let room = |model: &Value| usize::try_from(model.get("max_model_len")?.as_u64()?).ok();
    // Of several, the shortest holds for all.
    let shortest = models.iter().filter_map(room).min();
    Ok(ServerFacts {
        context_tokens: shortest.filter(|tokens| *tokens >= LEAST_CONTEXT),
        ..ServerFacts::default()
    })
}

/// The length of a context in the words of a server that refuses a prompt because of it.
fn context_of_refusal(says: &str) -> Option<usize> {
    let told = ["context size (", "context size of ", "context length is "];
    let mut told = told
        .into_iter()
        .filter_map(|words| says.split_once(words).map(|(_, rest)| rest));
    let rest = told.next()?;
    let digits = rest.find(|c: char| !c.is_ascii_digit());
    let number = rest.get(..digits.unwrap_or(rest.len()))?;
    let tokens: usize = number.parse().ok()?;
    (tokens >= LEAST_CONTEXT).then_some(tokens)
}

/// A number that is another one for other names. It is kept in files, so that it must stay what it is: the
/// hash of Fowler, Noll and Vo.
fn fingerprint<'n>(names: impl Iterator<Item = &'n str>) -> Option<u64> {
    let mut hash = None;
    for byte in names.flat_map(|name| name.bytes().chain([0])) {
        let before: u64 = hash.unwrap_or(0xcbf2_9ce4_8422_2325);
        hash = Some((before ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    }
    hash
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

#[cfg(test)]
mod tests {
    use foretell_testkit::model_server::{ModelServer, ScriptedAnswer};
    use foretell_testkit::written_settings::lane_settings_of;

    use super::*;

    /// A server whose model is another each time it is asked, and which cannot be asked the third time.
    fn changing_server() -> ModelServer {
        ModelServer::start_with(|number, _| match number {
            0 => ScriptedAnswer::json(r#"{"model_alias": "qwen2.5-coder", "total_slots": 4}"#),
            1 => ScriptedAnswer::json(r#"{"model_alias": "codestral", "total_slots": 1}"#),
            _ => ScriptedAnswer::status(503),
        })
    }

    #[test]
    fn a_refusal_says_how_long_a_prompt_may_be() {
        for (says, tokens) in [
            (
                "request (3000 tokens) exceeds the available context size (2048 tokens)",
                Some(2_048),
            ),
            (
                "This model's maximum context length is 4096 tokens. However",
                Some(4_096),
            ),
            ("the context size is exceeded", None),
            ("exceeds the available context size (0 tokens)", None),
            ("context size (99999999999999999999999999", None),
            ("context size (", None),
        ] {
            assert_eq!(context_of_refusal(says), tokens, "{says}");
        }
    }

    #[tokio::test]
    async fn a_server_that_was_started_again_with_another_model_is_asked_as_that_one() {
        let server = changing_server();
        let lines = format!("kind = \"llama-cpp\"\nurl = {:?}", server.url());
        let settings = lane_settings_of(LaneKind::Fim, &lines);
        let client = ServerClient::new(LaneKind::Fim, &settings).unwrap();
        let (asked, start) = (AskedFacts::default(), Instant::now());
        let mut told = Vec::new();
        for tenths in [0, 590, 800, 1_600, 1_604, 1_700] {
            let now = start + Duration::from_millis(tenths * 100);
            let slots = asked.get(&client, FactsWish::All, now).await.slots.unwrap();
            let requests = server.requests().len();
            told.push(format!("{tenths}: {slots} slots, {requests} requests"));
        }
        let expected = [
            "0: 4 slots, 1 requests",
            "590: 4 slots, 1 requests",
            "800: 1 slots, 2 requests",
            // It cannot say it just now, and is left alone for a moment.
            "1600: 1 slots, 3 requests",
            "1604: 1 slots, 3 requests",
            "1700: 1 slots, 4 requests",
        ];
        assert_eq!(told, expected);
    }
}
