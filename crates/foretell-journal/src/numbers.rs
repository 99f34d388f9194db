//! [`NumberBook`]: the one book of numbers, which the journal keeps as it observes.
//!
//! The numbers that the machine counts itself are in its [`MachineCounts`]; all others are counted here, once:
//! messages, what lanes came to, and how long everything takes. [`NumberBook::rows`] gives all of it at one
//! moment, each number with its name, its help and its labels, as the table has them. Metrics walk the rows;
//! the status and the reports of a replay take theirs from the same counts.
//!
//! Absent on purpose: clocks, and names. No label has anything that a person chose.

pub mod class;
pub mod histogram;
mod reference;
pub mod table;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use foretell_core::{
    AheadWork, AskCause, Fact, MachineCounts, Measurement, Note, OfferedFrom, Reason,
};
use foretell_text::{FailureKind, LaneKind, LaneSpeed, PerLane, PredictionAsk, TokenUsage};

use self::class::{HeardClass, RefusalClass, ToldClass, WorkClass};
use self::histogram::Histogram;
pub use self::reference::metrics_reference;
use self::table::{METRICS, MetricFacts, metric};
use crate::measures::JournalMeasures;

/// Bounds for work in the loop, in seconds: tens of microseconds, and at worst what a person notices.
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
/// A lane or a request: a predictor answers in microseconds, a model in seconds; a race ends after 1.8 s, and
/// one that the person made after 10 s.
const ASKED: &[f64] = &[
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4,
    0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0,
];

pub(crate) const AWAKE: &str = "awake";
pub(crate) const ASLEEP: &str = "asleep";
/// Which way tokens went.
pub(crate) const PROMPT: &str = "prompt";
pub(crate) const COMPLETION: &str = "completion";
/// Tokens of prompts that servers say they had to read anew, and what a server is fast at.
pub(crate) const READ: &str = "read";
pub(crate) const WRITTEN: &str = "written";

/// The source of a request's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnswerOutcome {
    Carried,
    Repeated,
    AtOnce,
    Lane,
    Withheld,
}

impl AnswerOutcome {
    pub(crate) const ALL: [AnswerOutcome; 5] = [
        AnswerOutcome::Carried,
        AnswerOutcome::Repeated,
        AnswerOutcome::AtOnce,
        AnswerOutcome::Lane,
        AnswerOutcome::Withheld,
    ];

    /// Nothing, if it says nothing about how long answers take.
    fn of(with: Result<OfferedFrom, Reason>) -> Option<Self> {
        match with {
            Ok(OfferedFrom::Carried) => Some(AnswerOutcome::Carried),
            Ok(OfferedFrom::Repeated) => Some(AnswerOutcome::Repeated),
            Ok(OfferedFrom::AtOnce) => Some(AnswerOutcome::AtOnce),
            Ok(OfferedFrom::Lane) => Some(AnswerOutcome::Lane),
            Err(Reason::Superseded | Reason::Cancelled | Reason::ShuttingDown) => None,
            Err(_) => Some(AnswerOutcome::Withheld),
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            AnswerOutcome::Carried => "carried",
            AnswerOutcome::Repeated => "repeated",
            AnswerOutcome::AtOnce => "at-once",
            AnswerOutcome::Lane => "lane",
            AnswerOutcome::Withheld => "withheld",
        }
    }
}

/// Everything that is counted besides what the machine counts.
#[derive(Debug)]
pub struct NumberBook {
    /// The last durations, and how things went.
    pub(crate) measures: JournalMeasures,
    handling: [Histogram; WorkClass::ALL.len()],
    heard: [u64; HeardClass::ALL.len()],
    told: [u64; ToldClass::ALL.len()],
    refused: [u64; RefusalClass::ALL.len()],
    wait: Histogram,
    context: Histogram,
    lanes: PerLane<Histogram>,
    answers: PerLane<u64>,
    failures: BTreeMap<(LaneKind, FailureKind), u64>,
    stopped: BTreeMap<(LaneKind, Reason), u64>,
    usage: PerLane<TokenUsage>,
    /// What was used ahead of time, which is in no lane's.
    ahead: BTreeMap<AheadWork, TokenUsage>,
    requests: [Histogram; AnswerOutcome::ALL.len()],
}

impl Default for NumberBook {
    fn default() -> Self {
        NumberBook {
            measures: JournalMeasures::default(),
            handling: [(); WorkClass::ALL.len()].map(|()| Histogram::new(HANDLING)),
            heard: [0; HeardClass::ALL.len()],
            told: [0; ToldClass::ALL.len()],
            refused: [0; RefusalClass::ALL.len()],
            wait: Histogram::new(WAIT),
            context: Histogram::new(CONTEXT),
            lanes: PerLane::of(|_| Histogram::new(ASKED)),
            answers: PerLane::default(),
            failures: BTreeMap::new(),
            stopped: BTreeMap::new(),
            usage: PerLane::default(),
            ahead: BTreeMap::new(),
            requests: [(); AnswerOutcome::ALL.len()].map(|()| Histogram::new(ASKED)),
        }
    }
}

/// Everything besides the book that the numbers of a moment need. The caller brings it.
#[derive(Clone, Debug, Default)]
pub struct BookMoment {
    /// The machine's own counts.
    pub counts: MachineCounts,
    /// Which lanes are left alone, by their number.
    pub rests: PerLane<bool>,
    /// How fast their servers are, as far as that is known.
    pub speeds: PerLane<Option<LaneSpeed>>,
    /// Folders that may have an index, and what is in all of those together.
    pub index: IndexNumbers,
    /// Messages that could not be read.
    pub unreadable: u64,
    /// The version of the program.
    pub version: &'static str,
    /// The number of its own protocol.
    pub protocol: u32,
    /// When the server began, in seconds since 1970.
    pub began: f64,
}

/// How much is indexed.
#[derive(Clone, Copy, Debug, Default)]
pub struct IndexNumbers {
    /// Folders that may have an index.
    pub folders: usize,
    /// Files in all indexes together.
    pub files: usize,
    /// Chunks in them.
    pub chunks: u64,
    /// Their size on disk.
    pub bytes: u64,
}

/// A metric, and its numbers at one moment.
#[derive(Clone, Debug)]
pub struct NumberRow {
    /// Its name, its kind, its labels and what it means.
    pub metric: &'static MetricFacts,
    /// Its numbers.
    pub samples: Vec<NumberSample>,
}

/// A number, with a value for each label of its metric.
#[derive(Clone, Debug)]
pub struct NumberSample {
    /// The values of its labels, in the order of the metric.
    pub labels: Vec<Cow<'static, str>>,
    /// The number.
    pub value: SampleValue,
}

/// One number, or durations.
#[derive(Clone, Debug)]
pub enum SampleValue {
    /// One number.
    Number(f64),
    /// Durations.
    Durations(Histogram),
}

/// The tokens of a usage, each way, as far as there are any.
fn used(usage: TokenUsage) -> impl Iterator<Item = (&'static str, u64)> {
    let all = [
        (PROMPT, usage.prompt_tokens),
        (COMPLETION, usage.completion_tokens),
        (READ, usage.read_tokens.unwrap_or(0)),
    ];
    all.into_iter().filter(|(_, tokens)| *tokens > 0)
}

fn add_usage(all: &mut TokenUsage, usage: TokenUsage) {
    all.prompt_tokens = all.prompt_tokens.saturating_add(usage.prompt_tokens);
    all.completion_tokens = all
        .completion_tokens
        .saturating_add(usage.completion_tokens);
    if let Some(read) = usage.read_tokens {
        let before = all.read_tokens.unwrap_or(0);
        all.read_tokens = Some(before.saturating_add(read));
    }
}

impl NumberRow {
    /// How much memory the process takes, which the caller measures at that moment.
    pub fn memory(bytes: u64) -> Self {
        row("process_resident_memory_bytes", [([], bytes)])
    }
}

impl NumberBook {
    /// Takes note of a fact.
    pub fn saw(&mut self, fact: Fact<'_>) {
        match fact {
            Fact::Note(Note::Waits { millis, .. }) => self.wait.add(seconds(*millis)),
            Fact::Measurement(measurement) => self.measured(*measurement),
            Fact::Event(_) | Fact::Order(_) | Fact::Note(_) => {}
        }
    }

    fn measured(&mut self, measurement: Measurement) {
        match measurement {
            Measurement::Context { took } => self.context.add(took.as_secs_f64()),
            Measurement::Lane {
                lane,
                took,
                came,
                usage,
            } => {
                if let Some(took) = took {
                    self.lanes[lane].add(took.as_secs_f64());
                }
                match came {
                    Ok(()) => self.answers[lane] += 1,
                    Err(kind) => *self.failures.entry((lane, kind)).or_default() += 1,
                }
                add_usage(&mut self.usage[lane], usage);
            }
            Measurement::Ahead { work, usage, .. } => {
                add_usage(self.ahead.entry(work).or_default(), usage);
            }
            Measurement::Stopped { lane, reason } => {
                *self.stopped.entry((lane, reason)).or_default() += 1;
            }
            Measurement::Answered { took, with, .. } => {
                if let Some(outcome) = AnswerOutcome::of(with) {
                    self.requests[outcome as usize].add(took.as_secs_f64());
                }
            }
            Measurement::Undrawn { .. } => {}
        }
    }

    /// How many tokens calls ahead of time took, with those that servers had read before.
    pub(crate) fn ahead_tokens(&self) -> u64 {
        let used = self.ahead.values();
        used.map(|it| it.prompt_tokens.saturating_add(it.completion_tokens))
            .fold(0, u64::saturating_add)
    }

    /// The editor said something.
    pub fn heard(&mut self, class: HeardClass) {
        self.heard[class as usize] += 1;
    }

    /// The loop was busy with something that the editor said.
    pub fn handled(&mut self, class: HeardClass, took: Duration) {
        self.handling[WorkClass::of(class) as usize].add(took.as_secs_f64());
    }

    /// The editor is told something.
    pub fn told(&mut self, class: ToldClass) {
        self.told[class as usize] += 1;
    }

    /// A message of the editor's was refused.
    pub fn refused(&mut self, class: RefusalClass) {
        self.refused[class as usize] += 1;
    }

    /// Every number at one moment, in the order of the table.
    pub fn rows(&self, moment: &BookMoment) -> Vec<NumberRow> {
        let mut rows = self.own_rows();
        rows.extend(rows_of(&moment.counts));
        rows.extend(rows_around(moment));
        rows.push(row(
            "foretell_triggers_rejected_at_once_total",
            [([], self.measures.rejected_at_once)],
        ));
        let place = |row: &NumberRow| METRICS.iter().position(|it| it.name == row.metric.name);
        rows.sort_by_key(place);
        rows
    }

    /// The tokens that a lane's server says it took.
    pub(crate) fn tokens(&self, lane: LaneKind) -> TokenUsage {
        self.usage[lane]
    }

    fn own_rows(&self) -> Vec<NumberRow> {
        let directions = |lane: LaneKind| {
            let used = used(self.usage[lane]);
            used.map(move |(direction, tokens)| ([lane.name(), direction], tokens))
        };
        let ahead = self.ahead.iter().flat_map(|(work, usage)| {
            used(*usage).map(|(direction, tokens)| ([work.name(), direction], tokens))
        });
        let failures = self.failures.iter();
        let failures = failures.map(|((lane, kind), times)| ([lane.name(), kind.name()], *times));
        let stopped = self.stopped.iter();
        let stopped = stopped.map(|((lane, why), times)| ([lane.name(), why.name()], *times));
        vec![
            row("foretell_ahead_tokens_total", ahead),
            durations(
                "foretell_message_handling_seconds",
                WorkClass::ALL
                    .map(WorkClass::name)
                    .into_iter()
                    .zip(&self.handling),
            ),
            duration("foretell_pace_wait_seconds", &self.wait),
            duration("foretell_context_seconds", &self.context),
            durations(
                "foretell_lane_seconds",
                LaneKind::ALL
                    .map(LaneKind::name)
                    .into_iter()
                    .zip(self.lanes.values()),
            ),
            durations(
                "foretell_request_seconds",
                AnswerOutcome::ALL
                    .map(AnswerOutcome::name)
                    .into_iter()
                    .zip(&self.requests),
            ),
            duration(
                "foretell_trigger_to_suggestion_seconds",
                self.measures.from_trigger.all(),
            ),
            duration(
                "foretell_editor_to_suggestion_seconds",
                self.measures.from_editor.all(),
            ),
            row(
                "foretell_messages_heard_total",
                HeardClass::ALL.map(|it| ([it.name()], self.heard[it as usize])),
            ),
            row(
                "foretell_messages_told_total",
                ToldClass::ALL.map(|it| ([it.name()], self.told[it as usize])),
            ),
            row(
                "foretell_messages_refused_total",
                RefusalClass::ALL.map(|it| ([it.name()], self.refused[it as usize])),
            ),
            row(
                "foretell_lane_answers_total",
                LaneKind::ALL.map(|it| ([it.name()], self.answers[it])),
            ),
            row("foretell_lane_failures_total", failures),
            row("foretell_lane_stopped_total", stopped),
            row(
                "foretell_lane_tokens_total",
                LaneKind::ALL.into_iter().flat_map(directions),
            ),
        ]
    }
}

/// The rows of the machine's own counts.
fn rows_of(counts: &MachineCounts) -> Vec<NumberRow> {
    let triggers = [
        AskCause::Selection,
        AskCause::DocumentSwitch,
        AskCause::Diagnostics,
    ]
    .map(|cause| {
        (
            [cause.name()],
            counts.triggers.get(&cause).copied().unwrap_or(0),
        )
    });
    let predictions = PredictionAsk::ALL.map(|ask| {
        let asked = counts.predictions_asked.get(&ask);
        ([ask.name()], asked.copied().unwrap_or(0))
    });
    let forgotten = counts.forgotten.iter();
    let forgotten = forgotten.map(|(cause, times)| ([cause.name()], *times));
    let rejections = [
        ([AWAKE], counts.rejections_awake as u64),
        ([ASLEEP], counts.rejections_asleep as u64),
    ];
    let mut rows = vec![
        NumberRow {
            metric: metric("foretell_active_seconds_total"),
            samples: vec![NumberSample {
                labels: Vec::new(),
                value: SampleValue::Number(seconds(counts.active_millis)),
            }],
        },
        row("foretell_triggers_total", triggers),
        row("foretell_rejections_forgotten_total", forgotten),
        row("foretell_rejections", rejections),
        by_reason("foretell_events_ignored_total", &counts.ignored),
        by_reason("foretell_quiet_total", &counts.quiet),
        by_reason("foretell_requests_saved_total", &counts.requests_saved),
        row("foretell_predictions_asked_total", predictions),
        by_reason(
            "foretell_predictions_dropped_total",
            &counts.predictions_dropped,
        ),
        by_reason("foretell_requests_withheld_total", &counts.withheld),
        by_reason("foretell_lane_calls_spared_total", &counts.calls_spared),
        row(
            "foretell_ahead_calls_total",
            counts
                .ahead
                .iter()
                .map(|(work, times)| ([work.name()], *times)),
        ),
        row("foretell_ahead_taken_total", [([], counts.ahead_taken)]),
        row("foretell_second_looks_total", [([], counts.second_looks)]),
        row(
            "foretell_second_looks_found_total",
            [([], counts.second_looks_found)],
        ),
        by_lane("foretell_lane_calls_total", &counts.calls),
        by_lane("foretell_lane_raced_total", &counts.raced),
        by_lane("foretell_lane_wins_total", &counts.wins),
    ];
    let plain = [
        ("foretell_events_total", counts.events),
        ("foretell_document_changes_total", counts.changes),
        ("foretell_cursor_moves_total", counts.selections),
        ("foretell_requests_total", counts.requests),
        ("foretell_requests_started_total", counts.requests_started),
        ("foretell_requests_joined_total", counts.joined),
        ("foretell_requests_answered_total", counts.answered),
        ("foretell_requests_carried_total", counts.carried),
        (
            "foretell_requests_answered_at_once_total",
            counts.answered_at_once,
        ),
        ("foretell_gate_asked_total", counts.gate_asked),
        ("foretell_gate_blocked_total", counts.gate_blocked),
        ("foretell_suggestions_shown_total", counts.shown),
        ("foretell_suggestions_accepted_total", counts.accepted),
        ("foretell_suggestions_rejected_total", counts.rejected),
        ("foretell_suggestions_passed_over_total", counts.passed_over),
        ("foretell_rejections_remembered_total", counts.remembered),
        ("foretell_rejections_fell_asleep_total", counts.fell_asleep),
        ("foretell_rejections_woke_total", counts.woke),
        ("foretell_documents_open", counts.open_documents as u64),
    ];
    rows.extend(plain.map(|(name, number)| row(name, [([], number)])));
    rows
}

/// The rows that the caller brings.
fn rows_around(moment: &BookMoment) -> Vec<NumberRow> {
    let rests = |lane: LaneKind| u64::from(moment.rests[lane]);
    let speeds = LaneKind::ALL.into_iter().filter_map(|lane| {
        let speed = moment.speeds[lane]?;
        let both = [(READ, speed.read), (WRITTEN, speed.written)];
        let known = both.into_iter().filter_map(move |(direction, speed)| {
            Some(([lane.name(), direction], u64::from(speed?)))
        });
        Some(known)
    });
    let index = &moment.index;
    let build = [moment.version.into(), moment.protocol.to_string().into()];
    let number = |number: f64| SampleValue::Number(number);
    vec![
        row(
            "foretell_lane_resting",
            LaneKind::ALL.map(|it| ([it.name()], rests(it))),
        ),
        row("foretell_lane_tokens_per_second", speeds.flatten()),
        row(
            "foretell_messages_unreadable_total",
            [([], moment.unreadable)],
        ),
        row("foretell_index_folders", [([], index.folders as u64)]),
        row("foretell_index_files", [([], index.files as u64)]),
        row("foretell_index_chunks", [([], index.chunks)]),
        row("foretell_index_bytes", [([], index.bytes)]),
        NumberRow {
            metric: metric("foretell_build_info"),
            samples: vec![NumberSample {
                labels: build.into(),
                value: number(1.0),
            }],
        },
        NumberRow {
            metric: metric("process_start_time_seconds"),
            samples: vec![NumberSample {
                labels: Vec::new(),
                value: number(moment.began),
            }],
        },
    ]
}

fn row<const N: usize>(
    name: &str,
    numbers: impl IntoIterator<Item = ([&'static str; N], u64)>,
) -> NumberRow {
    let samples = numbers.into_iter().map(|(labels, number)| NumberSample {
        labels: labels.map(Cow::Borrowed).into(),
        value: SampleValue::Number(number as f64),
    });
    NumberRow {
        metric: metric(name),
        samples: samples.collect(),
    }
}

/// Reasons that there were; which ones there could be is another question for each metric.
fn by_reason(name: &str, counted: &BTreeMap<Reason, u64>) -> NumberRow {
    row(
        name,
        counted.iter().map(|(why, times)| ([why.name()], *times)),
    )
}

fn by_lane(name: &str, counted: &BTreeMap<LaneKind, u64>) -> NumberRow {
    let number = |it: LaneKind| counted.get(&it).copied().unwrap_or(0);
    row(name, LaneKind::ALL.map(|it| ([it.name()], number(it))))
}

fn duration(name: &str, histogram: &Histogram) -> NumberRow {
    NumberRow {
        metric: metric(name),
        samples: vec![NumberSample {
            labels: Vec::new(),
            value: SampleValue::Durations(histogram.clone()),
        }],
    }
}

fn durations<'a>(
    name: &str,
    all: impl Iterator<Item = (&'static str, &'a Histogram)>,
) -> NumberRow {
    let samples = all.map(|(label, histogram)| NumberSample {
        labels: vec![label.into()],
        value: SampleValue::Durations(histogram.clone()),
    });
    NumberRow {
        metric: metric(name),
        samples: samples.collect(),
    }
}

/// Milliseconds in the unit of every metric.
pub fn seconds(millis: u64) -> f64 {
    millis as f64 / 1e3
}
