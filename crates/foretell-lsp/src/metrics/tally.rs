//! [`Tally`]: what is counted only because somebody wants metrics: messages, what lanes came to, and
//! how long everything takes.
//!
//! The loop counts and whoever serves a page reads, at the same time and without a lock that either
//! could hold: all numbers are atomic. Where a label is one of few, its counters are found beforehand.
//!
//! Absent on purpose: what the machine counts anyway. That is taken from it when a page is made.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use foretell_core::{Fact, Measurement, Moment, Note, Observer, OfferedFrom, Reason, Scene};
use foretell_text::LaneKind;
use lsp_server::Message;
use prometheus::core::Collector;
use prometheus::proto::MetricFamily;
use prometheus::{
    Histogram, HistogramOpts, HistogramTimer, HistogramVec, IntCounter, IntCounterVec, Opts,
    Registry,
};

use super::class::{Heard, Refused, Told, Work};
use super::table::metric;
use crate::dispatch::Refusal;

/// What is handled in the loop, in seconds: tens of microseconds, and at worst what a person notices.
const HANDLING: &[f64] = &[
    0.000_01, 0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025,
    0.05, 0.1, 0.25, 1.0,
];
/// The pace's wait, which is between 50 ms and 3 s unless settings say otherwise.
const WAIT: &[f64] = &[
    0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0,
];
/// A context, which has half a second by default.
const CONTEXT: &[f64] = &[
    0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0,
];
/// A lane: a predictor answers in microseconds, a model in seconds.
const LANE: &[f64] = &[
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4,
    0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0,
];
/// A request: carried it takes less than a millisecond, a race ends after 1.8 s, and one that the
/// person made after 10 s.
const REQUEST: &[f64] = &[
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4,
    0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0,
];
/// A suggestion, by a clock of whole milliseconds; the aim is under a second.
const SUGGESTION: &[f64] = &[
    0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0, 1.25, 1.5,
    2.0, 3.0,
];

/// Which way tokens went.
pub(super) const PROMPT: &str = "prompt";
pub(super) const COMPLETION: &str = "completion";

/// What a request was answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Carried,
    Repeated,
    Lane,
    Withheld,
}

impl Outcome {
    pub(super) const ALL: [Outcome; 4] = [
        Outcome::Carried,
        Outcome::Repeated,
        Outcome::Lane,
        Outcome::Withheld,
    ];

    /// Nothing, if it says nothing about how long answers take.
    fn of(with: Result<OfferedFrom, Reason>) -> Option<Self> {
        match with {
            Ok(OfferedFrom::Carried) => Some(Outcome::Carried),
            Ok(OfferedFrom::Repeated) => Some(Outcome::Repeated),
            Ok(OfferedFrom::Lane) => Some(Outcome::Lane),
            Err(Reason::Superseded | Reason::Cancelled | Reason::ShuttingDown) => None,
            Err(_) => Some(Outcome::Withheld),
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Outcome::Carried => "carried",
            Outcome::Repeated => "repeated",
            Outcome::Lane => "lane",
            Outcome::Withheld => "withheld",
        }
    }
}

/// What was counted and measured for metrics.
pub(crate) struct Tally {
    registry: Registry,
    began: f64,
    handling: [Histogram; Work::ALL.len()],
    heard: [IntCounter; Heard::ALL.len()],
    told: [IntCounter; Told::ALL.len()],
    refused: [IntCounter; Refused::ALL.len()],
    wait: Histogram,
    context: Histogram,
    lanes: [Histogram; LaneKind::ALL.len()],
    answers: [IntCounter; LaneKind::ALL.len()],
    failures: IntCounterVec,
    stopped: IntCounterVec,
    tokens: IntCounterVec,
    requests: [Histogram; Outcome::ALL.len()],
    from_trigger: Histogram,
    from_editor: Histogram,
}

impl Tally {
    /// Nothing is counted yet.
    pub(crate) fn new() -> Self {
        let registry = Registry::new();
        let began = SystemTime::now().duration_since(UNIX_EPOCH);
        let counters = |name| registered(&registry, counters(name));
        let histograms = |name, buckets| registered(&registry, histograms(name, buckets));
        let histogram = |name, buckets| histograms(name, buckets).with_label_values::<&str>(&[]);
        let handling = histograms("foretell_message_handling_seconds", HANDLING);
        let heard = counters("foretell_messages_heard_total");
        let told = counters("foretell_messages_told_total");
        let refused = counters("foretell_messages_refused_total");
        let lanes = histograms("foretell_lane_seconds", LANE);
        let answers = counters("foretell_lane_answers_total");
        let requests = histograms("foretell_request_seconds", REQUEST);
        Tally {
            began: began.unwrap_or_default().as_secs_f64(),
            handling: Work::ALL.map(|it| handling.with_label_values(&[it.name()])),
            heard: Heard::ALL.map(|it| heard.with_label_values(&[it.name()])),
            told: Told::ALL.map(|it| told.with_label_values(&[it.name()])),
            refused: Refused::ALL.map(|it| refused.with_label_values(&[it.name()])),
            wait: histogram("foretell_pace_wait_seconds", WAIT),
            context: histogram("foretell_context_seconds", CONTEXT),
            lanes: LaneKind::ALL.map(|it| lanes.with_label_values(&[it.name()])),
            answers: LaneKind::ALL.map(|it| answers.with_label_values(&[it.name()])),
            failures: counters("foretell_lane_failures_total"),
            stopped: counters("foretell_lane_stopped_total"),
            tokens: counters("foretell_lane_tokens_total"),
            requests: Outcome::ALL.map(|it| requests.with_label_values(&[it.name()])),
            from_trigger: histogram("foretell_trigger_to_suggestion_seconds", SUGGESTION),
            from_editor: histogram("foretell_editor_to_suggestion_seconds", SUGGESTION),
            registry,
        }
    }

    /// When the server began, in seconds since 1970.
    pub(super) fn began(&self) -> f64 {
        self.began
    }

    pub(super) fn gather(&self) -> Vec<MetricFamily> {
        self.registry.gather()
    }

    /// The editor said something. How long that takes is measured until what is returned is dropped.
    pub(crate) fn hear(&self, message: &Message) -> HistogramTimer {
        let heard = Heard::of(message);
        self.heard[heard as usize].inc();
        self.handling[Work::of(heard) as usize].start_timer()
    }

    /// The editor is told something.
    pub(crate) fn tell(&self, message: &Message) {
        self.told[Told::of(message) as usize].inc();
    }

    /// What the editor said is not done.
    pub(crate) fn refuse(&self, refusal: &Refusal) {
        self.refused[Refused::of(refusal) as usize].inc();
    }

    /// The engine has done something.
    pub(super) fn measure(&self, measurement: Measurement) {
        match measurement {
            Measurement::Context { took } => self.context.observe(took.as_secs_f64()),
            Measurement::Lane {
                lane,
                took,
                came,
                usage,
            } => {
                if let Some(took) = took {
                    self.lanes[lane as usize].observe(took.as_secs_f64());
                }
                match came {
                    Ok(()) => self.answers[lane as usize].inc(),
                    Err(kind) => {
                        let labels = [lane.name(), kind.name()];
                        self.failures.with_label_values(&labels).inc();
                    }
                }
                let directions = [
                    (PROMPT, usage.prompt_tokens),
                    (COMPLETION, usage.completion_tokens),
                ];
                for (direction, tokens) in directions.into_iter().filter(|it| it.1 > 0) {
                    let labels = [lane.name(), direction];
                    self.tokens.with_label_values(&labels).inc_by(tokens);
                }
            }
            Measurement::Stopped { lane, reason } => {
                let labels = [lane.name(), reason.name()];
                self.stopped.with_label_values(&labels).inc();
            }
            Measurement::Answered { took, with, .. } => {
                if let Some(outcome) = Outcome::of(with) {
                    self.requests[outcome as usize].observe(took.as_secs_f64());
                }
            }
            Measurement::Undrawn { .. } => {}
        }
    }

    /// Where suggestions are measured that the editor was told to ask for.
    pub(crate) fn triggered(&self) -> Histogram {
        self.from_trigger.clone()
    }

    /// Where suggestions are measured that the editor asked for by itself.
    pub(crate) fn unprompted(&self) -> Histogram {
        self.from_editor.clone()
    }
}

/// The tally as an observer.
pub(crate) struct Tallying(pub(crate) Arc<Tally>);

impl Observer for Tallying {
    fn saw(&mut self, _: Moment, fact: Fact<'_>, _: &Scene<'_>) {
        match fact {
            Fact::Note(Note::Waits { millis, .. }) => self.0.wait.observe(seconds(*millis)),
            Fact::Measurement(measurement) => self.0.measure(*measurement),
            Fact::Event(_) | Fact::Order(_) | Fact::Note(_) => {}
        }
    }
}

/// Milliseconds in the unit of every metric.
pub(crate) fn seconds(millis: u64) -> f64 {
    millis as f64 / 1e3
}

/// A family that a registry knows of.
fn registered<T: Collector + Clone + 'static>(registry: &Registry, family: T) -> T {
    let known = registry.register(Box::new(family.clone()));
    known.expect("no name is in the table twice");
    family
}

fn counters(name: &str) -> IntCounterVec {
    let metric = metric(name);
    let labels: Vec<&str> = metric.labels.iter().map(|it| it.name).collect();
    let opts = Opts::new(metric.name, metric.help);
    IntCounterVec::new(opts, &labels).expect("the names in the table are names")
}

fn histograms(name: &str, buckets: &[f64]) -> HistogramVec {
    let metric = metric(name);
    let labels: Vec<&str> = metric.labels.iter().map(|it| it.name).collect();
    let opts = HistogramOpts::new(metric.name, metric.help).buckets(buckets.to_vec());
    HistogramVec::new(opts, &labels).expect("the names in the table are names, and buckets ascend")
}
