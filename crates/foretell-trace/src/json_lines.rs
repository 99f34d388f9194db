//! [`JsonLines`]: what the machine did, as one line of JSON for each action, for other machines.
//!
//! Offsets are counted as in the trace, each in the text as it is after the turn, which is the text
//! that the machine had before it when it decided. Actions that the format has no row for are left out. The
//! fields are in the order of the format, and so two replays print the same bytes.

use std::collections::BTreeMap;
use std::io;

use foretell_core::{
    Answer, AskCause, ForgetCause, Note, Offer, OfferedFrom, Order, Reason, RequestId,
};
use foretell_text::{ByteOffset, DocumentId, Edit, LaneKind, Replacement, Text};
use serde::Serialize;

use crate::replay::{Replay, ReplayTurn, TurnOutcome};
use crate::summary::ReplaySummary;
use crate::trace::OffsetUnit;

/// Writes the outcomes of a replay.
#[derive(Clone, Copy, Debug)]
pub struct JsonLines {
    offsets: OffsetUnit,
}

impl JsonLines {
    /// Counting places as a trace does.
    pub fn of(offsets: OffsetUnit) -> Self {
        JsonLines { offsets }
    }

    /// Writes what came of a turn; `replay` is as it is right after it.
    pub fn write_turn(
        &self,
        turn: &ReplayTurn<'_>,
        replay: &Replay<'_>,
        out: &mut impl io::Write,
    ) -> io::Result<()> {
        for outcome in &turn.outcomes {
            let action = match outcome {
                TurnOutcome::Order(order) => self.order(order, replay),
                TurnOutcome::Note(note) => self.note(note, replay),
                TurnOutcome::Checked { rejection, .. } => Some(ActionFields::Checked {
                    rejected: rejection.is_some(),
                    rejection: rejection.map(|id| id.get()),
                }),
            };
            if let Some(action) = action {
                let (t, n) = (turn.at.millis(), turn.line);
                write_line(&ActionLine { t, n, action }, out)?;
            }
        }
        Ok(())
    }

    /// Writes the last line: the counts.
    pub fn write_summary(
        &self,
        summary: &ReplaySummary,
        out: &mut impl io::Write,
    ) -> io::Result<()> {
        write_line(&SummaryFields::of(summary), out)
    }

    fn order<'a>(&self, order: &'a Order, replay: &'a Replay<'_>) -> Option<ActionFields<'a>> {
        Some(match order {
            Order::AskEditor { spot, cause } => ActionFields::Ask {
                doc: spot.document.as_str(),
                at: self.in_text(&spot.document, replay).number(spot.at),
                cause: cause.name(),
            },
            Order::GatherContext { request, .. } => ActionFields::Gather {
                id: name(*request, replay),
            },
            Order::StartLane { request, lane, .. } => ActionFields::Start {
                id: name(*request, replay),
                lane: lane.name(),
            },
            Order::CancelLane {
                request,
                lane,
                reason,
            } => ActionFields::Stop {
                id: name(*request, replay),
                lane: lane.name(),
                reason: reason.name(),
            },
            Order::Answer {
                request, answer, ..
            } => {
                let (candidates, withheld) = match answer {
                    Answer::Candidates(offers) => {
                        let candidate = |offer| self.candidate(*request, offer, replay);
                        (Some(offers.iter().map(candidate).collect()), None)
                    }
                    Answer::Withheld(reason) => (None, Some(reason.name())),
                };
                ActionFields::Answer {
                    id: name(*request, replay),
                    candidates,
                    withheld,
                }
            }
            Order::Predict { .. }
            | Order::AskAhead(_)
            | Order::StopAhead { .. }
            | Order::Resync { .. }
            | Order::Join { .. }
            | Order::Release { .. }
            | Order::Rest { .. }
            | Order::CheckQuota { .. } => return None,
        })
    }

    fn note<'a>(&self, note: &'a Note, replay: &'a Replay<'_>) -> Option<ActionFields<'a>> {
        Some(match note {
            Note::IgnoredEvent { reason, .. } => ActionFields::IgnoredEvent {
                reason: reason.name(),
            },
            Note::Quiet { document, reason } => ActionFields::Quiet {
                doc: document.as_str(),
                reason: reason.name(),
            },
            Note::TypedOver {
                suggestion, times, ..
            } => ActionFields::TypedOver {
                id: name(suggestion.request, replay),
                candidate: Some(suggestion.candidate).filter(|place| *place > 0),
                times: *times,
            },
            Note::Remembered {
                rejection,
                document,
                edit,
            } => {
                let mut changes = self.in_text(document, replay).changes(edit);
                let only = changes.len() == 1;
                ActionFields::Remembered {
                    rejection: rejection.get(),
                    edit: only.then(|| changes.pop()).flatten(),
                    changes: (!only).then_some(changes),
                }
            }
            Note::Asleep { rejection, .. } => ActionFields::Asleep {
                rejection: rejection.get(),
            },
            Note::Awake { rejection, .. } => ActionFields::Awake {
                rejection: rejection.get(),
            },
            Note::Forgotten { rejection, because } => ActionFields::Forgotten {
                rejection: rejection.get(),
                reason: because.name(),
            },
            // The format has no row for the others.
            _ => return None,
        })
    }

    fn candidate<'a>(
        &self,
        request: RequestId,
        offer: &'a Offer,
        replay: &Replay<'_>,
    ) -> OfferFields<'a> {
        let document = &offer.candidate.document;
        let asked = replay.request(request);
        let asked = asked.and_then(|request| request.document.as_ref());
        OfferFields {
            doc: (asked != Some(document)).then(|| document.as_str()),
            changes: self
                .in_text(document, replay)
                .changes(&offer.candidate.edit),
            lane: offer.lane.name(),
            from: match offer.from {
                OfferedFrom::Lane => "lane",
                OfferedFrom::Carried => "carried",
                OfferedFrom::Repeated => "repeated",
                OfferedFrom::AtOnce => "at-once",
            },
        }
    }

    fn in_text<'c>(&self, document: &DocumentId, replay: &'c Replay<'_>) -> InText<'c> {
        InText {
            offsets: self.offsets,
            text: replay.core().text(document),
        }
    }
}

fn name<'a>(request: RequestId, replay: &'a Replay<'_>) -> Option<&'a str> {
    let request = replay.request(request);
    request.map(|request| request.name.as_str())
}

/// Counts places in a text as the trace does. In the text of a document that is gone, and there
/// only, places are bytes.
struct InText<'c> {
    offsets: OffsetUnit,
    text: Option<&'c Text>,
}

impl InText<'_> {
    fn number(&self, place: ByteOffset) -> usize {
        let number = self.text.map(|text| self.offsets.number(text, place));
        number.and_then(Result::ok).unwrap_or(place.get())
    }

    fn changes<'a>(&self, edit: &'a Edit) -> Vec<EditFields<'a>> {
        let change = |replacement: &'a Replacement| {
            let at = self.number(replacement.range().start());
            EditFields {
                at,
                delete: self.number(replacement.range().end()).saturating_sub(at),
                insert: replacement.new_text(),
            }
        };
        edit.replacements().iter().map(change).collect()
    }
}

fn write_line(line: &impl Serialize, out: &mut impl io::Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}

/// A line of the output, with its fields in the order of the format.
#[derive(Serialize)]
struct ActionLine<'a> {
    t: u64,
    n: usize,
    #[serde(flatten)]
    action: ActionFields<'a>,
}

/// An action. The id of a request that the trace does not name is left out.
#[derive(Serialize)]
#[serde(tag = "action", rename_all = "kebab-case")]
enum ActionFields<'a> {
    Ask {
        doc: &'a str,
        at: usize,
        cause: &'static str,
    },
    Quiet {
        doc: &'a str,
        reason: &'static str,
    },
    Gather {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<&'a str>,
    },
    Start {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<&'a str>,
        lane: &'static str,
    },
    Stop {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<&'a str>,
        lane: &'static str,
        reason: &'static str,
    },
    Answer {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        candidates: Option<Vec<OfferFields<'a>>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        withheld: Option<&'static str>,
    },
    TypedOver {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        candidate: Option<usize>,
        times: usize,
    },
    Checked {
        rejected: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        rejection: Option<u64>,
    },
    Remembered {
        rejection: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        edit: Option<EditFields<'a>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        changes: Option<Vec<EditFields<'a>>>,
    },
    Asleep {
        rejection: u64,
    },
    Awake {
        rejection: u64,
    },
    Forgotten {
        rejection: u64,
        reason: &'static str,
    },
    IgnoredEvent {
        reason: &'static str,
    },
}

#[derive(Serialize)]
struct OfferFields<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    doc: Option<&'a str>,
    changes: Vec<EditFields<'a>>,
    lane: &'static str,
    from: &'static str,
}

#[derive(Serialize)]
struct EditFields<'a> {
    at: usize,
    delete: usize,
    insert: &'a str,
}

/// The last line.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SummaryFields {
    action: &'static str,
    events: u64,
    active_ms: u64,
    edits: u64,
    timers: u64,
    selections: u64,
    triggers: BTreeMap<&'static str, u64>,
    triggers_per_minute: f64,
    quiet: BTreeMap<&'static str, u64>,
    requests: u64,
    requests_started: u64,
    requests_started_per_minute: f64,
    requests_saved: BTreeMap<&'static str, u64>,
    joined: u64,
    pauses: u64,
    pauses_served: u64,
    pauses_served_soon: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    median_wait_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_after_key_ms: Option<u64>,
    calls: BTreeMap<&'static str, u64>,
    fim_calls_without_gate: u64,
    gate_asked: u64,
    gate_blocked: u64,
    gating_rate: f64,
    answered: u64,
    carried: u64,
    raced: BTreeMap<&'static str, u64>,
    wins: BTreeMap<&'static str, u64>,
    withheld: BTreeMap<&'static str, u64>,
    checks: u64,
    rejected: u64,
    remembered: u64,
    fell_asleep: u64,
    woke: u64,
    forgotten: BTreeMap<&'static str, u64>,
    ignored: BTreeMap<&'static str, u64>,
    awake: usize,
    asleep: usize,
    open_documents: usize,
}

impl SummaryFields {
    fn of(summary: &ReplaySummary) -> Self {
        let (counts, pacing) = (&summary.counts, &summary.pacing);
        let triggers = counts.triggers.values().sum();
        let fim = counts.calls.get(&LaneKind::Fim).copied();
        let fim = fim.unwrap_or_default();
        SummaryFields {
            action: "summary",
            events: summary.events,
            active_ms: counts.active_millis,
            edits: counts.changes,
            timers: summary.timers,
            selections: counts.selections,
            triggers: by_name(&counts.triggers, AskCause::name),
            triggers_per_minute: rounded(counts.per_active_minute(triggers)),
            quiet: by_name(&counts.quiet, Reason::name),
            requests: counts.requests,
            requests_started: counts.requests_started,
            requests_started_per_minute: rounded(counts.per_active_minute(counts.requests_started)),
            requests_saved: by_name(&counts.requests_saved, Reason::name),
            joined: counts.joined,
            pauses: pacing.pauses(),
            pauses_served: pacing.served(),
            pauses_served_soon: pacing.served_soon(),
            median_wait_ms: pacing.median_wait(),
            mean_after_key_ms: pacing.mean_after_key(),
            calls: by_name(&counts.calls, LaneKind::name),
            fim_calls_without_gate: fim + counts.gate_blocked,
            gate_asked: counts.gate_asked,
            gate_blocked: counts.gate_blocked,
            gating_rate: rounded(counts.gating_rate()),
            answered: counts.answered,
            carried: counts.carried,
            raced: by_name(&counts.raced, LaneKind::name),
            wins: by_name(&counts.wins, LaneKind::name),
            withheld: by_name(&counts.withheld, Reason::name),
            checks: summary.checks,
            rejected: summary.rejected,
            remembered: counts.remembered,
            fell_asleep: counts.fell_asleep,
            woke: counts.woke,
            forgotten: by_name(&counts.forgotten, ForgetCause::name),
            ignored: by_name(&counts.ignored, Reason::name),
            awake: counts.rejections_awake,
            asleep: counts.rejections_asleep,
            open_documents: counts.open_documents,
        }
    }
}

/// To two places, which is as much as such figures mean.
fn rounded(figure: f64) -> f64 {
    (figure * 100.0).round() / 100.0
}

fn by_name<K: Copy>(
    counted: &BTreeMap<K, u64>,
    name: impl Fn(K) -> &'static str,
) -> BTreeMap<&'static str, u64> {
    counted
        .iter()
        .map(|(key, count)| (name(*key), *count))
        .collect()
}
