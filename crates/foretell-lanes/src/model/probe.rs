//! Whether a model server is there, has the model, and does what it is there for.
//!
//! A probe asks as the lane itself would, about two lines of our own, for a few tokens. It says how
//! long that took, and what is wrong in the words that the lane would use. What belongs at the cursor
//! is told by the second of these lines only, so that a model that fills in can be told from one that
//! just goes on.
//!
//! Nothing is waited for twice. The list of models goes first, and with it the key is read; the
//! question follows when the list is there, or after a moment that is longer than any list should take.
//! A key that is not to be had, or a server that cannot be reached, is the end of it. Whatever a server
//! does, each question has an end.

use std::ops::Range;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use foretell_settings::choice::BackEnd;
use foretell_settings::settings;
use foretell_text::{ByteOffset, ByteRange, Diagnostic, DiagnosticSeverity, FailureKind, LaneKind};
use futures_util::future::join;
use serde_json::Value;
use tokio::time::{Instant, timeout};

use super::ModelLane;
use super::fim::family::FimFamily;
use super::next_edit::EditDialect;
use super::server_kind::ServerKind;
use crate::lane::{LaneAnswer, LaneFault, ProgressSink};
use crate::lane_redaction::{Redact, SecretMarks};
use crate::lane_request::{LaneRequest, OpenDocument};

/// How many tokens are asked for: enough to see that some come.
const MOST_TOKENS: usize = 16;

/// The code that is asked about: before the cursor, and behind it.
pub const PROBED: (&str, &str) = (BEFORE, BEHIND);
const BEFORE: &str = "def area(";
const BEHIND: &str = "):\n    return width * height\n";
/// Words that belong there, as only the code behind the cursor tells.
const BELONGS: [&str; 2] = ["width", "height"];

/// How much longer than until its first byte a question may take. Servers that send signs of life and
/// no answer would be listened to for ever.
const LONGEST: Duration = Duration::from_secs(10);
/// How long the list of models has before the question is asked as well. Password managers take a
/// second or two to give a key, which is not the time of the server.
const HEAD_START: Duration = Duration::from_secs(2);

/// The result of a question.
#[derive(Clone, Debug)]
pub struct ProbeResult {
    /// The asker of the question.
    pub asker: ProbeAsker,
    /// Which model was asked, if one is named.
    pub model: Option<String>,
    /// Whether that one is among those that the server has; nothing if it does not say.
    pub has_model: Option<ModelListing>,
    /// How the model was taught to be asked for edits, by the name in the settings, or else by those that the
    /// server lists.
    pub dialect: Option<&'static EditDialect>,
    /// How long an answer took, or what went wrong.
    pub answered: Result<Duration, LaneFault>,
    /// How good the answer was. A lane that rewrites needs more tokens than a probe asks for, so that
    /// this says something of lanes that fill in only.
    pub filled: FillQuality,
    /// What it wrote between [`PROBED`], if anything.
    pub wrote: Option<String>,
    /// Whether what stands behind the cursor was sent as it is, for the server to put together, which
    /// many servers at that endpoint do not do.
    pub may_ignore_suffix: bool,
}

/// The occasion on which a question is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeAsker {
    /// It is asked while a person types.
    Typing,
    /// A person, who may have another model for that.
    Person,
}

/// How well the model filled in at the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FillQuality {
    /// It wrote what belongs there.
    Fitting,
    /// It wrote something else.
    Anything,
    /// Nothing that could be suggested.
    Nothing,
}

/// Whether a server has a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelListing {
    /// It has.
    Yes,
    /// It has others.
    No {
        /// Which ones, as it names them.
        others: Vec<String>,
    },
}

/// Asks the server of a lane, once for each model that is named and once if none is.
pub async fn probe(lane: LaneKind, settings: &settings::LaneSettings) -> Vec<ProbeResult> {
    let settings = settings::LaneSettings {
        max_tokens: settings.max_tokens.min(MOST_TOKENS),
        ..settings.clone()
    };
    let probing = ProbeRun {
        model: ModelLane::new(lane, &settings),
        settings,
    };
    let mut askers = probing.askers().into_iter();
    let first = askers.next().unwrap_or(ProbeAsker::Typing);
    // Where no question can be asked, no list of models is asked for either.
    if let Err(fault) = probing.model.explain(&question(first)) {
        return vec![probing.asked(first, Err(fault))];
    }
    let mut listing = pin!(probing.list());
    let (listed, asked) = match timeout(HEAD_START, listing.as_mut()).await {
        Ok(Err(fault)) if is_closed(&fault) => (None, probing.asked(first, Err(fault))),
        Ok(listed) => (listed.ok(), probing.ask(first).await),
        Err(_) => {
            let listing = timeout(probing.first_byte(), listing);
            let (listed, asked) = join(listing, probing.ask(first)).await;
            (listed.ok().and_then(Result::ok), asked)
        }
    };
    let mut all = vec![asked];
    for asker in askers {
        let mut faults = all.iter().filter_map(|it| it.answered.as_ref().err());
        if !faults.any(is_everybodys) {
            all.push(probing.ask(asker).await);
        }
    }
    let listed = listed.and_then(|it| names(&serde_json::from_str(&it).ok()?));
    for asked in &mut all {
        asked.has_model = has_model(listed.as_deref(), asked.model.as_deref());
        let named = asked.model.as_deref().into_iter();
        let mut names = named.chain(listed.iter().flatten().map(String::as_str));
        asked.dialect = match asked.model {
            Some(_) => names.next().and_then(EditDialect::of_model),
            None => names.find_map(EditDialect::of_model),
        };
    }
    all
}

/// A lane that is asked a few tiny questions.
struct ProbeRun {
    model: ModelLane,
    settings: settings::LaneSettings,
}

impl ProbeRun {
    /// The askers: one for each model that is named.
    fn askers(&self) -> Vec<ProbeAsker> {
        let settings = &self.settings;
        let must_name = ServerKind::of(settings.kind).is_some_and(ServerKind::needs_model);
        if !settings.has_explicit_model() {
            vec![ProbeAsker::Typing]
        } else if settings.model.is_none() && must_name {
            // These have no model of their own choice, so that typing asks for nothing.
            vec![ProbeAsker::Person]
        } else {
            vec![ProbeAsker::Typing, ProbeAsker::Person]
        }
    }

    async fn ask(&self, asker: ProbeAsker) -> ProbeResult {
        let question = question(asker);
        let began = Instant::now();
        let patience = self.first_byte() + LONGEST;
        let silent: ProgressSink = Arc::new(|_| ());
        let answered = match timeout(patience, self.model.answer(&question, &silent)).await {
            Ok(answered) => answered,
            Err(_) => Err(self.endless(patience).await),
        };
        self.asked(asker, answered.map(|answer| (began.elapsed(), answer)))
            .unless_unplaced(began)
    }

    fn asked(
        &self,
        asker: ProbeAsker,
        answered: Result<(Duration, LaneAnswer), LaneFault>,
    ) -> ProbeResult {
        let settings = &self.settings;
        let model = settings.model_for(asker == ProbeAsker::Person);
        let is_unknown = matches!(settings.fim_template().trim(), "auto" | "")
            && model.and_then(FimFamily::of_model).is_none();
        let answered_text = answered.as_ref().ok().and_then(|(_, answer)| wrote(answer));
        let filled = match &answered_text {
            Some(text) if BELONGS.iter().all(|it| text.contains(it)) => FillQuality::Fitting,
            Some(_) => FillQuality::Anything,
            None => FillQuality::Nothing,
        };
        ProbeResult {
            asker,
            model: model.map(str::to_owned),
            has_model: None,
            dialect: None,
            answered: answered.map(|(took, _)| took),
            filled,
            wrote: answered_text,
            may_ignore_suffix: settings.kind == BackEnd::OpenAi && is_unknown,
        }
    }

    /// The fault of an answer that does not come to an end.
    async fn endless(&self, patience: Duration) -> LaneFault {
        let server = self.model.0.server().await;
        let whom = server.map_or_else(|_| "the server".to_owned(), |it| it.address().to_string());
        let says = format!(
            "{whom} has not come to the end of an answer of {} tokens within {} s: see what the \
             model server logs",
            self.settings.max_tokens,
            patience.as_secs()
        );
        LaneFault::new(FailureKind::Stalled, says)
    }

    /// The server's list of models, as it writes it.
    async fn list(&self) -> Result<String, LaneFault> {
        let kind = ServerKind::of(self.settings.kind);
        let path = kind.map_or("/v1/models", ServerKind::models_path);
        self.model.0.server().await?.get(path).await
    }

    fn first_byte(&self) -> Duration {
        Duration::from_millis(self.settings.first_byte.get())
    }
}

impl ProbeResult {
    /// It spoke all the same if that could not be placed: a few tokens are not much to place.
    fn unless_unplaced(self, began: Instant) -> Self {
        let answered = match self.answered {
            Err(fault) if fault.failure.kind == FailureKind::Unplaced => Ok(began.elapsed()),
            answered => answered,
        };
        ProbeResult { answered, ..self }
    }
}

/// The text of the first suggestion.
fn wrote(answer: &LaneAnswer) -> Option<String> {
    let written = answer.candidates.first()?.edit.replacements().iter();
    Some(written.map(|it| it.new_text()).collect())
}

/// Whether the server cannot be reached, whatever is asked.
fn is_closed(fault: &LaneFault) -> bool {
    use FailureKind::{NoKey, Refused, Tls, Unreachable};
    [NoKey, Refused, Tls, Unreachable].contains(&fault.failure.kind)
}

/// Whether asking another model would come to the same, and perhaps take as long.
fn is_everybodys(fault: &LaneFault) -> bool {
    use FailureKind::{Stalled, TimedOut, TooManyRequests};
    is_closed(fault) || [Stalled, TimedOut, TooManyRequests].contains(&fault.failure.kind)
}

/// Whether a model is in a list, if both are known.
fn has_model(listed: Option<&[String]>, model: Option<&str>) -> Option<ModelListing> {
    let (listed, model) = (listed?, model?);
    Some(if listed.iter().any(|it| is_same(it, model)) {
        ModelListing::Yes
    } else {
        ModelListing::No {
            others: listed.to_vec(),
        }
    })
}

/// The models of a list, as OpenAI's and Ollama's servers write it.
pub(super) fn names(listed: &Value) -> Option<Vec<String>> {
    let list = listed.get("data").or_else(|| listed.get("models"))?;
    let named = |model: &Value| {
        let name = model.get("id").or_else(|| model.get("name"))?;
        name.as_str().map(str::to_owned)
    };
    Some(list.as_array()?.iter().filter_map(named).collect())
}

/// Whether a listed model is the one that is named: Ollama lists the tag that people leave out.
fn is_same(listed: &str, named: &str) -> bool {
    listed == named || listed.strip_suffix(":latest") == Some(named)
}

fn question(asker: ProbeAsker) -> LaneRequest {
    let at = ByteOffset::new(BEFORE.len());
    let document = OpenDocument::new("probe.py", "python", &[BEFORE, BEHIND].concat());
    LaneRequest {
        diagnostics: vec![Diagnostic {
            range: ByteRange::empty(at),
            severity: DiagnosticSeverity::Error,
            source: None,
            code: None,
            message: "width and height are not defined".to_owned(),
            fixes: Vec::new(),
        }],
        redact: Arc::new(NoSecrets),
        is_explicit: asker == ProbeAsker::Person,
        ..LaneRequest::new(document, at)
    }
}

/// For two lines that have no secrets in them.
#[derive(Clone, Copy)]
pub(super) struct NoSecrets;

impl Redact for NoSecrets {
    fn begin(&self) -> Box<dyn SecretMarks> {
        Box::new(NoSecrets)
    }
}

impl SecretMarks for NoSecrets {
    fn redact_part(&mut self, whole: &str, part: Range<usize>) -> String {
        whole.get(part).unwrap_or_default().to_owned()
    }

    fn restore(&self, _: &str, answer: &str) -> Option<String> {
        Some(answer.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn models_are_listed_in_two_ways() {
        let openai = json!({ "data": [{ "id": "one" }, { "id": "two" }, {}] });
        assert_eq!(names(&openai), Some(vec!["one".into(), "two".into()]));
        let ollama = json!({ "models": [{ "name": "three:latest" }] });
        assert_eq!(names(&ollama), Some(vec!["three:latest".into()]));
        assert_eq!(names(&json!({ "data": 3 })), None);
        assert_eq!(names(&json!([])), None);
    }

    #[test]
    fn a_tag_that_means_the_latest_need_not_be_named() {
        assert!(is_same("three:latest", "three"));
        assert!(is_same("three:7b", "three:7b"));
        assert!(!is_same("three:7b", "three"));
        assert!(!is_same("three", "three:latest"));
    }
}
