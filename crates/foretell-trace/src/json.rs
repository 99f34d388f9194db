//! [`JsonLines`]: what the machine did, as one line of JSON for each action, for other machines.
//!
//! Offsets are counted as in the trace, each in the text as it is after the turn, which is the text
//! that the machine had before it when it decided. What the format has no row for is left out. The
//! fields are in the order of the format, and so two replays print the same bytes.

use std::collections::BTreeMap;
use std::io;

use foretell_core::{
    Action, Answer, AskCause, Core, Forgotten, Offer, OfferedFrom, Reason, Record, RequestId,
};
use foretell_text::{ByteOffset, DocumentId, Edit, Replacement, Text};
use serde::Serialize;

use crate::replay::{Outcome, Turn};
use crate::summary::Summary;
use crate::trace::{Offsets, Trace};

/// Writes the outcomes of a replay.
#[derive(Clone, Copy, Debug)]
pub struct JsonLines<'t> {
    trace: &'t Trace,
}

impl<'t> JsonLines<'t> {
    /// For the replay of a trace.
    pub fn of(trace: &'t Trace) -> Self {
        JsonLines { trace }
    }

    /// Writes what came of a turn; `core` is the machine right after it.
    pub fn write_turn(
        &self,
        turn: &Turn<'_>,
        core: &Core,
        out: &mut impl io::Write,
    ) -> io::Result<()> {
        for outcome in &turn.outcomes {
            let row = match outcome {
                Outcome::Action(action) => self.action(action, core),
                Outcome::Checked { rejection, .. } => Some(Row {
                    rejected: Some(rejection.is_some()),
                    rejection: rejection.map(|id| id.get()),
                    ..Row::of("checked")
                }),
            };
            if let Some(row) = row {
                let (t, n) = (turn.at.millis(), turn.line);
                write_line(&Row { t, n, ..row }, out)?;
            }
        }
        Ok(())
    }

    /// Writes the last line: the counts.
    pub fn write_summary(&self, summary: &Summary, out: &mut impl io::Write) -> io::Result<()> {
        write_line(&Counted::of(summary), out)
    }

    fn action<'a>(&'a self, action: &'a Action, core: &Core) -> Option<Row<'a>> {
        Some(match action {
            Action::AskEditor {
                document,
                at,
                cause,
            } => Row {
                doc: Some(document.as_str()),
                at: Some(self.in_text(document, core).number(*at)),
                cause: Some(match cause {
                    AskCause::Selection => "selection",
                    AskCause::DocumentSwitch => "document-switch",
                }),
                ..Row::of("ask")
            },
            Action::GatherContext { request } => Row {
                id: self.name(*request),
                ..Row::of("gather")
            },
            Action::StartLane { request, lane } => Row {
                id: self.name(*request),
                lane: Some(lane.name()),
                ..Row::of("start")
            },
            Action::CancelLane {
                request,
                lane,
                reason,
            } => Row {
                id: self.name(*request),
                lane: Some(lane.name()),
                reason: Some(reason.name()),
                ..Row::of("stop")
            },
            Action::Answer {
                request, answer, ..
            } => {
                let (candidates, withheld) = match answer {
                    Answer::Candidates(offers) => {
                        let candidate = |offer| self.candidate(*request, offer, core);
                        (Some(offers.iter().map(candidate).collect()), None)
                    }
                    Answer::Withheld(reason) => (None, Some(reason.name())),
                };
                Row {
                    id: self.name(*request),
                    candidates,
                    withheld,
                    ..Row::of("answer")
                }
            }
            Action::Record(record) => return self.record(record, core),
        })
    }

    fn record<'a>(&'a self, record: &'a Record, core: &Core) -> Option<Row<'a>> {
        Some(match record {
            Record::IgnoredEvent { reason, .. } => Row {
                reason: Some(reason.name()),
                ..Row::of("ignored-event")
            },
            Record::Quiet { document, reason } => Row {
                doc: Some(document.as_str()),
                reason: Some(reason.name()),
                ..Row::of("quiet")
            },
            Record::LetGo { .. } => return None,
            Record::Remembered {
                rejection,
                document,
                edit,
            } => {
                let mut changes = self.in_text(document, core).changes(edit);
                let only = changes.len() == 1;
                Row {
                    rejection: Some(rejection.get()),
                    edit: only.then(|| changes.pop()).flatten(),
                    changes: (!only).then_some(changes),
                    ..Row::of("remembered")
                }
            }
            Record::Asleep { rejection, .. } => Row {
                rejection: Some(rejection.get()),
                ..Row::of("asleep")
            },
            Record::Awake { rejection, .. } => Row {
                rejection: Some(rejection.get()),
                ..Row::of("awake")
            },
            Record::Forgotten { rejection, because } => Row {
                rejection: Some(rejection.get()),
                reason: Some(because.name()),
                ..Row::of("forgotten")
            },
        })
    }

    fn candidate<'a>(&self, request: RequestId, offer: &'a Offer, core: &Core) -> Candidate<'a> {
        let document = &offer.candidate.document;
        let asked = self.trace.request(request);
        let asked = asked.and_then(|request| request.document.as_ref());
        Candidate {
            doc: (asked != Some(document)).then(|| document.as_str()),
            changes: self.in_text(document, core).changes(&offer.candidate.edit),
            lane: offer.lane.name(),
            from: match offer.from {
                OfferedFrom::Lane => "lane",
                OfferedFrom::Carried => "carried",
                OfferedFrom::Repeated => "repeated",
            },
        }
    }

    fn name(&self, request: RequestId) -> Option<&str> {
        let request = self.trace.request(request);
        request.map(|request| request.name.as_str())
    }

    fn in_text<'c>(&self, document: &DocumentId, core: &'c Core) -> InText<'c> {
        InText {
            offsets: self.trace.offsets(),
            text: core.text(document),
        }
    }
}

/// Counts places in a text as the trace does. In the text of a document that is gone, and there
/// only, places are bytes.
struct InText<'c> {
    offsets: Offsets,
    text: Option<&'c Text>,
}

impl InText<'_> {
    fn number(&self, place: ByteOffset) -> usize {
        let number = self.text.map(|text| self.offsets.number(text, place));
        number.and_then(Result::ok).unwrap_or(place.get())
    }

    fn changes<'a>(&self, edit: &'a Edit) -> Vec<Change<'a>> {
        let change = |replacement: &'a Replacement| {
            let at = self.number(replacement.range().start());
            Change {
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

/// A line of the output: the fields of all actions, of which each has a few, in the order of the
/// format.
#[derive(Default, Serialize)]
struct Row<'a> {
    t: u64,
    n: usize,
    action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    doc: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lane: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    candidates: Option<Vec<Candidate<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    withheld: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rejected: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rejection: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    edit: Option<Change<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Vec<Change<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

impl Row<'_> {
    fn of(action: &'static str) -> Self {
        Row {
            action,
            ..Row::default()
        }
    }
}

#[derive(Serialize)]
struct Candidate<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    doc: Option<&'a str>,
    changes: Vec<Change<'a>>,
    lane: &'static str,
    from: &'static str,
}

#[derive(Serialize)]
struct Change<'a> {
    at: usize,
    delete: usize,
    insert: &'a str,
}

/// The last line.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Counted {
    action: &'static str,
    events: u64,
    edits: u64,
    timers: u64,
    answered: u64,
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

impl Counted {
    fn of(summary: &Summary) -> Self {
        let counts = &summary.counts;
        Counted {
            action: "summary",
            events: summary.events,
            edits: counts.changes,
            timers: summary.timers,
            answered: summary.answered,
            withheld: by_name(&summary.withheld, Reason::name),
            checks: summary.checks,
            rejected: summary.rejected,
            remembered: counts.remembered,
            fell_asleep: counts.fell_asleep,
            woke: counts.woke,
            forgotten: by_name(&counts.forgotten, Forgotten::name),
            ignored: by_name(&counts.ignored, Reason::name),
            awake: counts.rejections_awake,
            asleep: counts.rejections_asleep,
            open_documents: counts.open_documents,
        }
    }
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
