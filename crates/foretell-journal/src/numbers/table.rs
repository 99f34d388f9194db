//! Every metric: its name, its kind, its labels and what it means.
//!
//! The page that is served and the page for people (`docs/metrics.md`) are both made from this, and a
//! test compares. A label has one of the values that are listed here, and no other: nothing that
//! anybody typed, named or configured can become one.

use foretell_core::{AheadWork, AskCause, ForgetCause, Reason};
use foretell_text::{FailureKind, LaneKind, PredictionAsk};

use super::class::{HeardClass, RefusalClass, ToldClass, WorkClass};
use super::{ASLEEP, AWAKE, AnswerOutcome, COMPLETION, PROMPT, READ, WRITTEN};

/// A metric.
#[derive(Debug)]
pub struct MetricFacts {
    /// Its name.
    pub name: &'static str,
    /// How its numbers behave.
    pub kind: MetricKind,
    /// The labels of its numbers.
    pub labels: &'static [&'static MetricLabel],
    /// Its meaning, in a sentence.
    pub help: &'static str,
}

/// How the numbers of a metric behave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricKind {
    /// It only grows.
    Counter,
    /// It comes and goes.
    Gauge,
    /// Durations.
    Histogram,
}

/// A label, and all values that it can have.
#[derive(Debug)]
pub struct MetricLabel {
    /// Its name.
    pub name: &'static str,
    /// Which one it is, where several have the same name.
    pub of: &'static str,
    /// None, if it is a number that comes with the program.
    pub values: fn() -> Vec<&'static str>,
}

const LANE: MetricLabel = label("lane", "", || LaneKind::ALL.map(LaneKind::name).to_vec());
const REASON: MetricLabel = label("reason", "", || Reason::ALL.map(Reason::name).to_vec());
const FAILURE: MetricLabel = label("failure", "", || {
    FailureKind::ALL.map(FailureKind::name).to_vec()
});
const HEARD: MetricLabel = label("class", "of what was heard", || {
    HeardClass::ALL.map(HeardClass::name).to_vec()
});
const TOLD: MetricLabel = label("class", "of what was told", || {
    ToldClass::ALL.map(ToldClass::name).to_vec()
});
const REFUSED: MetricLabel = label("why", "", || {
    RefusalClass::ALL.map(RefusalClass::name).to_vec()
});
const WORK: MetricLabel = label("kind", "", || WorkClass::ALL.map(WorkClass::name).to_vec());
const CAUSE: MetricLabel = label("cause", "of a trigger", || {
    vec![
        AskCause::Selection.name(),
        AskCause::DocumentSwitch.name(),
        AskCause::Diagnostics.name(),
    ]
});
const MOMENT: MetricLabel = label("moment", "", || {
    PredictionAsk::ALL.map(PredictionAsk::name).to_vec()
});
const FORGOTTEN: MetricLabel = label("cause", "of forgetting", || {
    let all = [
        ForgetCause::Capacity,
        ForgetCause::Cleared,
        ForgetCause::Asked,
    ];
    all.map(ForgetCause::name).to_vec()
});
const AHEAD: MetricLabel = label("work", "", || AheadWork::ALL.map(AheadWork::name).to_vec());
const TOKENS: MetricLabel = label("direction", "", || vec![PROMPT, COMPLETION, READ]);
const SPEEDS: MetricLabel = label("direction", "of a speed", || vec![READ, WRITTEN]);
const OUTCOME: MetricLabel = label("outcome", "", || {
    AnswerOutcome::ALL.map(AnswerOutcome::name).to_vec()
});
const STATE: MetricLabel = label("state", "", || vec![AWAKE, ASLEEP]);
const VERSION: MetricLabel = label("version", "", Vec::new);
const PROTOCOL_NUMBER: MetricLabel = label("protocol", "", Vec::new);

const fn label(
    name: &'static str,
    of: &'static str,
    values: fn() -> Vec<&'static str>,
) -> MetricLabel {
    MetricLabel { name, of, values }
}

const fn counter(
    name: &'static str,
    labels: &'static [&'static MetricLabel],
    help: &'static str,
) -> MetricFacts {
    MetricFacts {
        name,
        kind: MetricKind::Counter,
        labels,
        help,
    }
}

const fn gauge(
    name: &'static str,
    labels: &'static [&'static MetricLabel],
    help: &'static str,
) -> MetricFacts {
    MetricFacts {
        name,
        kind: MetricKind::Gauge,
        labels,
        help,
    }
}

const fn histogram(
    name: &'static str,
    labels: &'static [&'static MetricLabel],
    help: &'static str,
) -> MetricFacts {
    MetricFacts {
        name,
        kind: MetricKind::Histogram,
        labels,
        help,
    }
}

/// The metric of a name.
pub(crate) fn metric(name: &str) -> &'static MetricFacts {
    let mut all = METRICS.iter();
    all.find(|it| it.name == name)
        .expect("only metrics of the table are made")
}

/// All of them, in the order in which people read about them.
pub const METRICS: &[MetricFacts] = &[
    // The cost of a keystroke, stage by stage.
    histogram(
        "foretell_message_handling_seconds",
        &[&WORK],
        "How long the loop was busy with one message of the editor",
    ),
    histogram(
        "foretell_pace_wait_seconds",
        &[],
        "How long requests were to wait for the person to pause, in whole milliseconds",
    ),
    histogram(
        "foretell_context_seconds",
        &[],
        "How long it took to gather what a model may see; only where a lane asks a model",
    ),
    histogram(
        "foretell_lane_seconds",
        &[&LANE],
        "How long lanes were asked that came back, with an answer or a failure",
    ),
    histogram(
        "foretell_request_seconds",
        &[&OUTCOME],
        "From a request to its answer, without those that were superseded or cancelled",
    ),
    histogram(
        "foretell_trigger_to_suggestion_seconds",
        &[],
        "From telling the editor to ask to a suggestion, in whole milliseconds",
    ),
    histogram(
        "foretell_editor_to_suggestion_seconds",
        &[],
        "From the editor asking by itself to a suggestion, in whole milliseconds",
    ),
    // Messages.
    counter(
        "foretell_messages_heard_total",
        &[&HEARD],
        "Messages of the editor that could be read",
    ),
    counter(
        "foretell_messages_unreadable_total",
        &[],
        "What came from the editor and was no message: not JSON, or without a length",
    ),
    counter(
        "foretell_messages_told_total",
        &[&TOLD],
        "Messages to the editor",
    ),
    counter(
        "foretell_messages_refused_total",
        &[&REFUSED],
        "Messages of the editor that could be read and not be acted on",
    ),
    // When to ask.
    counter(
        "foretell_events_total",
        &[],
        "Events that the machine was told",
    ),
    counter(
        "foretell_events_ignored_total",
        &[&REASON],
        "Events that changed nothing",
    ),
    counter(
        "foretell_active_seconds_total",
        &[],
        "Time in which something happened; a gap between two events counts up to a minute",
    ),
    counter(
        "foretell_document_changes_total",
        &[],
        "Changes of documents that were taken in",
    ),
    counter(
        "foretell_cursor_moves_total",
        &[],
        "Cursor moves that were told of",
    ),
    counter(
        "foretell_triggers_total",
        &[&CAUSE],
        "Times that the editor was told to ask",
    ),
    counter(
        "foretell_triggers_rejected_at_once_total",
        &[],
        "Triggers whose suggestion was rejected within two seconds of being shown",
    ),
    counter(
        "foretell_quiet_total",
        &[&REASON],
        "Cursor moves at which the editor was not told to ask",
    ),
    // Requests.
    counter("foretell_requests_total", &[], "Requests for a suggestion"),
    counter(
        "foretell_requests_started_total",
        &[],
        "Requests for which at least one lane was started",
    ),
    counter(
        "foretell_requests_saved_total",
        &[&REASON],
        "Automatic requests that ended without any lane being started",
    ),
    counter(
        "foretell_requests_joined_total",
        &[],
        "Requests that took the place of an older one which asked the same",
    ),
    counter(
        "foretell_requests_answered_total",
        &[],
        "Requests that were answered with something",
    ),
    counter(
        "foretell_requests_carried_total",
        &[],
        "Requests that were answered with what the person is on the way to, without any lane",
    ),
    counter(
        "foretell_requests_answered_at_once_total",
        &[],
        "Requests that were answered at once with what was learned from the person's own code, before pace and gate",
    ),
    counter(
        "foretell_predictions_asked_total",
        &[&MOMENT],
        "Times that what was learned from the person's own code was asked, at a key or in a pause",
    ),
    counter(
        "foretell_predictions_dropped_total",
        &[&REASON],
        "Times that what was learned from the person's own code had something that was not shown",
    ),
    counter(
        "foretell_requests_withheld_total",
        &[&REASON],
        "Requests that were answered with nothing",
    ),
    counter(
        "foretell_gate_asked_total",
        &[],
        "Times that the refresh gate was asked, just before a call",
    ),
    counter(
        "foretell_gate_blocked_total",
        &[],
        "Times that the refresh gate said no",
    ),
    // Lanes.
    counter(
        "foretell_lane_calls_total",
        &[&LANE],
        "Lanes that were started: each answers, fails, is stopped or still runs",
    ),
    counter(
        "foretell_lane_answers_total",
        &[&LANE],
        "Lanes that came back with an answer, also if there was nothing to suggest",
    ),
    counter(
        "foretell_lane_failures_total",
        &[&LANE, &FAILURE],
        "Lanes that broke",
    ),
    counter(
        "foretell_lane_stopped_total",
        &[&LANE, &REASON],
        "Lanes that were stopped before they came back; those that were late as timed-out",
    ),
    counter(
        "foretell_lane_calls_spared_total",
        &[&REASON],
        "Lanes that would have been started and were not",
    ),
    counter(
        "foretell_lane_raced_total",
        &[&LANE],
        "Automatic requests that a lane was in the race for",
    ),
    counter(
        "foretell_lane_wins_total",
        &[&LANE],
        "Automatic requests that a lane had the answer to",
    ),
    counter(
        "foretell_lane_tokens_total",
        &[&LANE, &TOKENS],
        "Tokens that model servers say they took: of prompts, of those read anew (`read`), and of answers",
    ),
    gauge(
        "foretell_lane_tokens_per_second",
        &[&LANE, &SPEEDS],
        "How fast a lane's model server reads and writes, as far as it has been measured",
    ),
    counter(
        "foretell_ahead_calls_total",
        &[&AHEAD],
        "Calls ahead of time: prompts that were read before anybody asked, and suggestions that were looked beyond",
    ),
    counter(
        "foretell_ahead_tokens_total",
        &[&AHEAD, &TOKENS],
        "Tokens that model servers say calls ahead of time took; they are not among those of lanes",
    ),
    counter(
        "foretell_ahead_taken_total",
        &[],
        "Requests that were answered with what was asked ahead of time, or took its call over",
    ),
    counter(
        "foretell_second_looks_total",
        &[],
        "Calls of a model that had nothing at the cursor, about another place; they are among those of its lane",
    ),
    counter(
        "foretell_second_looks_found_total",
        &[],
        "Of these, those that had something there",
    ),
    gauge(
        "foretell_lane_resting",
        &[&LANE],
        "Whether a lane is left alone for a while, because it failed or was told to",
    ),
    // The person's verdicts.
    counter(
        "foretell_suggestions_shown_total",
        &[],
        "Suggestions that were shown",
    ),
    counter(
        "foretell_suggestions_accepted_total",
        &[],
        "Suggestions that were accepted, whole or in part",
    ),
    counter(
        "foretell_suggestions_rejected_total",
        &[],
        "Times that the person said no",
    ),
    counter(
        "foretell_suggestions_passed_over_total",
        &[],
        "Suggestions that went away without a word",
    ),
    counter(
        "foretell_rejections_remembered_total",
        &[],
        "Edits that were remembered as rejected",
    ),
    counter(
        "foretell_rejections_fell_asleep_total",
        &[],
        "Times that a rejection fell asleep",
    ),
    counter(
        "foretell_rejections_woke_total",
        &[],
        "Times that a rejection woke",
    ),
    counter(
        "foretell_rejections_forgotten_total",
        &[&FORGOTTEN],
        "Rejections that were forgotten",
    ),
    gauge(
        "foretell_rejections",
        &[&STATE],
        "Rejections that are remembered now",
    ),
    // Totals as of now.
    gauge(
        "foretell_documents_open",
        &[],
        "Documents that are open now",
    ),
    gauge(
        "foretell_index_folders",
        &[],
        "Folders that the editor has open and that may have an index",
    ),
    gauge(
        "foretell_index_files",
        &[],
        "Files in the indexes, as of when each was last up to date",
    ),
    gauge(
        "foretell_index_chunks",
        &[],
        "Chunks in the indexes, as of when each was last up to date",
    ),
    gauge(
        "foretell_index_bytes",
        &[],
        "What the indexes take of the disk, as of when each was last up to date",
    ),
    gauge(
        "foretell_build_info",
        &[&VERSION, &PROTOCOL_NUMBER],
        "Always 1, with the version of the program and the number of its own protocol",
    ),
    gauge(
        "process_start_time_seconds",
        &[],
        "When the server began, in seconds since 1970",
    ),
    gauge(
        "process_resident_memory_bytes",
        &[],
        "Memory that the process takes; only on Linux",
    ),
];
