//! How fast a model server is with a prompt of real size, and how long a person waits for it.
//!
//! A server that answers a question of two lines in a second may need ten for every real one. So it is asked
//! about made-up code of about 1,200 tokens, twice: the first prompt is one that it cannot have read before,
//! the second is the same with some more typed, as while a person types at a place. Nothing of the person's is in
//! it.
//!
//! What a server does not say and what does not follow from its answers is left out. It may be billed for the
//! tokens, so that the caller decides which servers are asked.
//!
//! Absent on purpose: whether the server is there and does what it should, which a probe has found out before.

use std::sync::Arc;
use std::time::Duration;

use foretell_settings::choice::BackEnd;
use foretell_settings::settings;
use foretell_text::{
    ByteOffset, ByteRange, Diagnostic, DiagnosticSeverity, FailureKind, LaneKind, TokenUsage,
};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::ModelLane;
use super::lane_meter::CallFigures;
use super::probe::NoSecrets;
use super::prompt_room::{PromptRoom, RoomFacts, tokens_to_read};
use super::server_client::ServerClient;
use super::server_facts::FactsWish;
use super::server_speed::ServerSpeed;
use crate::lane::{LaneFault, ProgressSink};
use crate::lane_request::{LaneRequest, OpenDocument};

/// How many made-up functions there are before the cursor and behind it. Each has about 50 tokens.
const BEFORE: usize = 18;
const BEHIND: usize = 6;
/// How many tokens are asked for: enough to see how fast they come.
const MOST_TOKENS: usize = 48;
/// How long one of the two questions may take.
const LONGEST: Duration = Duration::from_secs(60);
/// How long a question about what a server is may take.
const LONGEST_FACT: Duration = Duration::from_secs(2);
/// How many characters a token has, about, where the server does not count.
const CHARS_PER_TOKEN: usize = 3;

/// What was measured. What is not known is missing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ServerMeasure {
    /// How many tokens the prompt had.
    pub prompt_tokens: Option<u64>,
    /// How fast it reads and writes.
    pub speed: ServerSpeed,
    /// How many prompts it keeps.
    pub slots: Option<usize>,
    /// How many tokens it reads at once.
    pub batch: Option<u64>,
    /// How many tokens a prompt and its answer may have.
    pub context_tokens: Option<usize>,
    /// How long until the first word of an answer at a new place, for a prompt as long as they are sent to
    /// a server of this speed, and how many tokens that has.
    pub cold: Option<(Duration, u64)>,
    /// How long until the first word while typing there.
    pub warm: Option<Duration>,
}

/// Measures the server of a lane. The number is to be another one each time: it makes the prompt a new one.
pub async fn measure(
    lane: LaneKind,
    settings: &settings::LaneSettings,
    number: u64,
) -> Result<ServerMeasure, LaneFault> {
    let wide = settings::LaneSettings {
        max_tokens: MOST_TOKENS,
        max_lines: MOST_TOKENS,
        ..settings.clone()
    };
    let probe = SpeedProbe {
        model: ModelLane::measuring(lane, &wide),
    };
    let (cold, usage) = probe.ask(&question(number, "")).await?;
    // A server that breaks now has been measured half.
    let warm = probe.ask(&question(number, "    total = rate")).await;
    let warm = warm.map(|(figures, _)| figures).unwrap_or_default();
    let speed = ServerSpeed {
        read: cold.sample.read,
        written: cold.sample.written.or(warm.sample.written),
    };
    let told = told_facts(&probe.model, &wide).await;
    let prompt_tokens = (usage.prompt_tokens > 0).then_some(usage.prompt_tokens);
    Ok(ServerMeasure {
        prompt_tokens,
        speed,
        batch: cold.batch.or(told.batch),
        slots: told.slots,
        context_tokens: told.context_tokens,
        cold: cold_wait(lane, settings, speed, told.context_tokens),
        warm: warm.first_word,
    })
}

/// How long a prompt takes that is as long as they are sent to a server of a speed with a context.
fn cold_wait(
    lane: LaneKind,
    settings: &settings::LaneSettings,
    speed: ServerSpeed,
    context_tokens: Option<usize>,
) -> Option<(Duration, u64)> {
    let read = speed.read?;
    let chars = settings
        .max_prefix_chars
        .saturating_add(settings.max_suffix_chars);
    let most = chars / CHARS_PER_TOKEN;
    let tokens = tokens_to_read(lane, settings, speed).map_or(most, |tokens| tokens.min(most));
    let facts = RoomFacts {
        lane,
        context_tokens,
        read_tokens: None,
        written_tokens: None,
    };
    let room = PromptRoom::of(facts, settings);
    let tokens = room.map_or(tokens, |room| tokens.min(room.tokens_that_fit()));
    let wait = Duration::try_from_secs_f64(tokens as f64 / read).ok()?;
    Some((wait, u64::try_from(tokens).ok()?))
}

struct SpeedProbe {
    model: ModelLane,
}

impl SpeedProbe {
    /// Asks once, and gives what the call came to. An answer that cannot be used is one all the same.
    async fn ask(&self, question: &LaneRequest) -> Result<(CallFigures, TokenUsage), LaneFault> {
        let silent: ProgressSink = Arc::new(|_| ());
        let answered = timeout(LONGEST, self.model.answer(question, &silent)).await;
        let answered = answered.unwrap_or_else(|_| {
            let says = "no answer to a prompt of real size came to its end within a minute";
            Err(LaneFault::new(FailureKind::Stalled, says))
        });
        let figures = self.model.0.meter.take_figures();
        match answered {
            Ok(answer) => Ok((figures, answer.usage)),
            Err(fault) if figures.first_word.is_some() => Ok((figures, fault.usage)),
            Err(fault) => Err(fault),
        }
    }
}

/// What a server says of itself besides.
#[derive(Default)]
struct ToldFacts {
    slots: Option<usize>,
    batch: Option<u64>,
    context_tokens: Option<usize>,
}

async fn told_facts(model: &ModelLane, settings: &settings::LaneSettings) -> ToldFacts {
    let Ok(server) = model.0.server().await else {
        return ToldFacts::default();
    };
    match settings.kind {
        BackEnd::Ollama => ollama_facts(&server, settings).await,
        BackEnd::Mistral | BackEnd::Mercury | BackEnd::Embedded => ToldFacts::default(),
        BackEnd::OpenAi | BackEnd::LlamaCpp | BackEnd::OpenAiChat => {
            let now = std::time::Instant::now();
            let facts = model.0.facts.get(&server, FactsWish::Room, now).await;
            ToldFacts {
                slots: facts.slots,
                batch: None,
                context_tokens: facts.context_tokens,
            }
        }
    }
}

/// How long a prompt may be as Ollama has loaded its model, or else as the model lets it.
async fn ollama_facts(server: &ServerClient, settings: &settings::LaneSettings) -> ToldFacts {
    let Some(model) = settings.model_for(false) else {
        return ToldFacts::default();
    };
    let count = |value: &Value| usize::try_from(value.as_u64()?).ok();
    let running = fact(server.get("/api/ps")).await;
    let models = running.as_ref().and_then(|it| it.get("models")?.as_array());
    let mut models = models.into_iter().flatten();
    let is_it = |it: &&Value| {
        let name = it.get("name").or_else(|| it.get("model"));
        name.and_then(Value::as_str)
            .is_some_and(|name| name == model || name.strip_suffix(":latest") == Some(model))
    };
    let loaded = models
        .find(is_it)
        .and_then(|it| count(it.get("context_length")?));
    let context_tokens = match loaded {
        Some(loaded) => Some(loaded),
        None => {
            let question = json!({ "model": model });
            let shown = fact(server.post_for_text("/api/show", &question)).await;
            let info = shown
                .as_ref()
                .and_then(|it| it.get("model_info")?.as_object());
            let mut fields = info.into_iter().flatten();
            let longest = fields.find(|(name, _)| name.ends_with(".context_length"));
            longest.and_then(|(_, length)| count(length))
        }
    };
    ToldFacts {
        context_tokens: context_tokens.filter(|tokens| *tokens > 0),
        ..ToldFacts::default()
    }
}

async fn fact(asking: impl Future<Output = Result<String, LaneFault>>) -> Option<Value> {
    let said = timeout(LONGEST_FACT, asking).await.ok()?.ok()?;
    serde_json::from_str(&said).ok()
}

/// A question about code that nobody has, with the cursor in the middle of it.
fn question(number: u64, typed: &str) -> LaneRequest {
    let function = |index: usize| {
        format!(
            "def order_{number}_{index}(items, rate):\n    total = 0\n    for item in items:\n        \
             total += item.price * rate + {index}\n    return total - {index}\n\n\n"
        )
    };
    let before: String = (0..BEFORE).map(function).collect();
    let behind: String = (BEFORE..BEFORE + BEHIND).map(function).collect();
    let begun = format!("{before}def summary_{number}(items, rate):\n{typed}");
    let at = ByteOffset::new(begun.len());
    let text = format!("{begun}\n\n\n{behind}");
    let document = OpenDocument::new("orders.py", "python", &text);
    LaneRequest {
        diagnostics: vec![Diagnostic {
            range: ByteRange::empty(at),
            severity: DiagnosticSeverity::Error,
            source: None,
            code: None,
            message: "expected an indented block".to_owned(),
            fixes: Vec::new(),
        }],
        redact: Arc::new(NoSecrets),
        ..LaneRequest::new(document, at)
    }
}

#[cfg(test)]
mod tests {
    use foretell_testkit::written_settings::lane_settings_of;

    use super::*;

    #[test]
    fn the_code_has_the_size_of_a_real_prompt_and_is_another_each_time() {
        let text = |number: u64| question(number, "").document.text.to_string();
        let tokens = text(7).len() / CHARS_PER_TOKEN;
        assert!((1_000..1_800).contains(&tokens), "{tokens}");
        let (one, other) = (text(1), text(2));
        let same = one.bytes().zip(other.bytes());
        assert!(same.take_while(|(one, other)| one == other).count() < 20);
    }

    #[test]
    fn the_wait_is_that_for_the_prompts_which_such_a_server_gets() {
        let settings = lane_settings_of(LaneKind::Fim, "kind = \"llama-cpp\"");
        let wait_in = |read: f64, context_tokens: Option<usize>| {
            let speed = ServerSpeed {
                read: Some(read),
                written: None,
            };
            let (wait, tokens) =
                cold_wait(LaneKind::Fim, &settings, speed, context_tokens).unwrap();
            (wait.as_millis(), tokens)
        };
        let wait = |read: f64| wait_in(read, None);
        assert_eq!(wait(150.0), (2_000, 300));
        assert_eq!(wait(1_000.0), (1_500, 1_500));
        assert_eq!(wait(10_000.0), (266, 2_666));
        assert_eq!(wait_in(10_000.0, Some(32_768)), (266, 2_666));
        // A quarter of a short context is for the answer, and some of it for the names of files.
        assert_eq!(wait_in(10_000.0, Some(512)), (32, 320));
        assert_eq!(
            cold_wait(LaneKind::Fim, &settings, ServerSpeed::default(), None),
            None
        );
    }
}
