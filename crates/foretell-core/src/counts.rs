//! The machine's counts since the beginning, for reports.

use std::collections::BTreeMap;

use foretell_text::{LaneKind, PredictionAsk};

use crate::action::{Answer, AskCause, Order};
use crate::ahead_call::AheadWork;
use crate::moment::Moment;
use crate::note::Note;
use crate::reason::Reason;
use crate::rejection_memory::ForgetCause;

/// Counts since the beginning, and how much there is now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MachineCounts {
    /// Events of every kind.
    pub events: u64,
    /// Changes of documents that were taken in.
    pub changes: u64,
    /// Events that changed nothing, by reason.
    pub ignored: BTreeMap<Reason, u64>,
    /// Milliseconds in which something happened: a gap between two events counts up to a minute.
    pub active_millis: u64,
    /// Cursor moves that were told of.
    pub selections: u64,
    /// How often the editor was told to ask, by what made it.
    pub triggers: BTreeMap<AskCause, u64>,
    /// Cursor moves at which the editor was not told to ask, by reason.
    pub quiet: BTreeMap<Reason, u64>,
    /// Requests that were made.
    pub requests: u64,
    /// Requests for which at least one lane was started.
    pub requests_started: u64,
    /// Automatic requests that ended without any lane being started for them, by reason.
    pub requests_saved: BTreeMap<Reason, u64>,
    /// Requests that took the place of an older one which asked the same.
    pub joined: u64,
    /// Lanes that were started.
    pub calls: BTreeMap<LaneKind, u64>,
    /// Lanes that would have been started and were spared, by reason.
    pub calls_spared: BTreeMap<Reason, u64>,
    /// How often the refresh gate was asked, just before a call.
    pub gate_asked: u64,
    /// How often it said no.
    pub gate_blocked: u64,
    /// Requests that were answered with something.
    pub answered: u64,
    /// Those that were answered with what the person is on the way to, without any lane.
    pub carried: u64,
    /// How often the predictor that answers at once was asked, by the moment.
    pub predictions_asked: BTreeMap<PredictionAsk, u64>,
    /// Requests that it had the answer to.
    pub answered_at_once: u64,
    /// What it had and was not shown, by reason.
    pub predictions_dropped: BTreeMap<Reason, u64>,
    /// Automatic requests that a lane had the answer to.
    pub wins: BTreeMap<LaneKind, u64>,
    /// Automatic requests that a lane was in the race for.
    pub raced: BTreeMap<LaneKind, u64>,
    /// Requests that were answered with nothing, by reason.
    pub withheld: BTreeMap<Reason, u64>,
    /// Answers of models that came when no request waited for them any more.
    pub late: u64,
    /// Calls ahead of time, by purpose.
    pub ahead: BTreeMap<AheadWork, u64>,
    /// Requests that were answered with what was asked ahead of time, or took its call over.
    pub ahead_taken: u64,
    /// How often a model that had nothing at the cursor was asked about another place; they are among the calls.
    pub second_looks: u64,
    /// How often it had something there.
    pub second_looks_found: u64,
    /// Suggestions that were shown.
    pub shown: u64,
    /// Suggestions that were accepted, whole or in part.
    pub accepted: u64,
    /// Times that the person said no.
    pub rejected: u64,
    /// Suggestions that went away without a word, or were typed over.
    pub passed_over: u64,
    /// Edits that were remembered as rejected.
    pub remembered: u64,
    /// How often a rejection fell asleep.
    pub fell_asleep: u64,
    /// How often one woke.
    pub woke: u64,
    /// Rejections that were forgotten, by cause.
    pub forgotten: BTreeMap<ForgetCause, u64>,
    /// Documents that are open now.
    pub open_documents: usize,
    /// Rejections that match now.
    pub rejections_awake: usize,
    /// Rejections that sleep now.
    pub rejections_asleep: usize,
}

/// The longest gap between two events that counts as activity, in milliseconds.
const LONGEST_GAP: u64 = 60_000;

impl MachineCounts {
    /// How many times a minute something happened, by the minutes in which anything did.
    pub fn per_active_minute(&self, times: u64) -> f64 {
        match self.active_millis {
            0 => 0.0,
            millis => times as f64 * 60_000.0 / millis as f64,
        }
    }

    /// The share of FIM calls that the refresh gate spared.
    pub fn gating_rate(&self) -> f64 {
        match self.gate_asked {
            0 => 0.0,
            asked => self.gate_blocked as f64 / asked as f64,
        }
    }

    /// Takes note of an event.
    pub(crate) fn event(&mut self, last: Option<Moment>, now: Moment) {
        self.events += 1;
        let gap = last.map_or(0, |last| now.since(last));
        self.active_millis += gap.min(LONGEST_GAP);
    }

    pub(crate) fn count_order(&mut self, order: &Order) {
        match order {
            // The auto-trigger has no part in it.
            Order::AskEditor {
                cause: AskCause::Late,
                ..
            } => {}
            Order::AskEditor { cause, .. } => *self.triggers.entry(*cause).or_default() += 1,
            Order::Predict { ask, .. } => *self.predictions_asked.entry(*ask).or_default() += 1,
            Order::StartLane { lane, .. } => *self.calls.entry(*lane).or_default() += 1,
            Order::Answer { answer, .. } => match answer {
                Answer::Candidates(_) => self.answered += 1,
                Answer::Withheld(reason) => *self.withheld.entry(*reason).or_default() += 1,
            },
            Order::AskAhead(question) => *self.ahead.entry(question.work()).or_default() += 1,
            Order::Join { .. } => self.joined += 1,
            Order::GatherContext { .. }
            | Order::CancelLane { .. }
            | Order::StopAhead { .. }
            | Order::Resync { .. }
            | Order::Release { .. }
            | Order::Rest { .. }
            | Order::CheckQuota { .. } => {}
        }
    }

    pub(crate) fn count_note(&mut self, note: &Note) {
        match note {
            Note::IgnoredEvent { reason, .. } => {
                *self.ignored.entry(*reason).or_default() += 1;
            }
            Note::Quiet { reason, .. } => {
                *self.quiet.entry(*reason).or_default() += 1;
            }
            Note::Spared { reason, .. } => {
                *self.calls_spared.entry(*reason).or_default() += 1;
            }
            Note::PredictionDropped { reason, .. } => {
                *self.predictions_dropped.entry(*reason).or_default() += 1;
            }
            Note::LooksElsewhere { .. } => self.second_looks += 1,
            // It went away without a word, too.
            Note::Late { .. } => self.late += 1,
            Note::TypedOver { .. } => self.passed_over += 1,
            Note::Remembered { .. } => self.remembered += 1,
            Note::Asleep { .. } => self.fell_asleep += 1,
            Note::Awake { .. } => self.woke += 1,
            Note::Forgotten { because, .. } => {
                *self.forgotten.entry(*because).or_default() += 1;
            }
            // The others are not counted.
            _ => {}
        }
    }
}
