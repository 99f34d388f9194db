//! [`Fact`]: anything that happened, was ordered, noticed or measured, for observers of a machine.
//!
//! A journal, a recorder and metrics all want to know the same things. They see facts, each with its
//! moment, and none of them can answer one: orders are carried out by the driver of the
//! machine, whether it is observed or not.
//!
//! A fact prints as one short line, in which stories and tests quote it:
//!
//! | line | meaning |
//! | --- | --- |
//! | `ask 12 (selection) in file:///a.ts` | the editor is told to ask, at byte 12 |
//! | `quiet: same-line-cooldown in file:///a.ts` | the cursor moved, and it is not |
//! | `gather r1` | context is collected for a request |
//! | `wait r1 250ms` | a request waits for a pause |
//! | `join r2 r1` | a request takes the place of one that asked the same |
//! | `start r2 fim`, `stop r1 fim: superseded` | a lane |
//! | `warm a1 fim at 12 in file:///a.ts`, `look-ahead a2 …` | a call ahead of time |
//! | `stop a1: superseded`, `start r2 fim by a2` | it is stopped, or becomes a request's |
//! | `look elsewhere r2 next-edit at 90 in …` | a model had nothing at the cursor, and is asked about another place |
//! | `spare r2 fim: unchanged-text` | a lane that is not started |
//! | `answer r2: [4, 4) -> "x" (fim) in file:///a.ts` | candidates, by lane; `(fim, repeated)` if from before |
//! | `withheld r1: superseded` | no candidates |
//! | `ignored: unknown-id` | an event that changed nothing |
//!
//! Lines of answers and rejections quote what is suggested, so that they belong in no log.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use foretell_text::{
    ChangeReason, CursorPrediction, DocumentId, FailureKind, LaneKind, TokenUsage,
};

use crate::action::{Action, Answer, Offer, OfferedFrom, Order, Spot};
use crate::ahead_call::{AheadOutcome, AheadWork};
use crate::event::{Event, RequestId, SuggestionId, SuggestionRequest};
use crate::machine::Core;
use crate::moment::Moment;
use crate::note::Note;
use crate::reason::Reason;

/// Something that happened, was ordered, noticed or measured.
#[derive(Clone, Copy, Debug)]
pub enum Fact<'a> {
    /// The machine is about to be told this.
    Event(&'a Event),
    /// The machine has ordered this.
    Order(&'a Order),
    /// The machine has noticed or decided this.
    Note(&'a Note),
    /// The driver, which carries out orders, has measured this.
    Measurement(&'a Measurement),
}

impl<'a> From<&'a Action> for Fact<'a> {
    fn from(action: &'a Action) -> Self {
        match action {
            Action::Order(order) => Fact::Order(order),
            Action::Note(note) => Fact::Note(note),
        }
    }
}

/// An observer sees every fact, in the order in which they happen.
///
/// It is called on the task that owns the machine, and must not take long.
pub trait Observer: Send {
    /// Sees a fact. Of an event, the machine has not heard yet; orders and notes are its latest.
    fn saw(&mut self, at: Moment, fact: Fact<'_>, scene: &FactScene<'_>);
}

/// The surroundings of a fact.
#[derive(Clone, Copy)]
pub struct FactScene<'a> {
    /// The machine.
    pub core: &'a Core,
    /// How a lane broke when it was last asked, unless it has answered since.
    pub fault: &'a dyn Fn(LaneKind) -> Option<FaultReport>,
}

impl<'a> FactScene<'a> {
    /// A machine whose lanes never say how they broke.
    pub fn of(core: &'a Core) -> Self {
        FactScene {
            core,
            fault: &|_| None,
        }
    }
}

/// How a lane broke.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultReport {
    /// In which way.
    pub kind: FailureKind,
    /// In words for people: its server's may be among them.
    pub says: Arc<str>,
}

/// A measurement of the driver's: how long something took, and how it ended.
///
/// The machine reports a race when it is over, in whole milliseconds of its own clock. A measurement is
/// made as it happens, by a clock that is finer. It has no name and no text in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measurement {
    /// A context was gathered, however much is in it. One that was cancelled is not measured.
    Context {
        /// From the beginning to the finished text.
        took: Duration,
    },
    /// A lane came back.
    Lane {
        /// The lane.
        lane: LaneKind,
        /// How long it was asked, without what had to be known before; nothing, if it never was.
        took: Option<Duration>,
        /// Whether it answered, or how it broke.
        came: Result<(), FailureKind>,
        /// The tokens that it says it took.
        usage: TokenUsage,
    },
    /// A call ahead of time came back or was stopped.
    Ahead {
        /// Its purpose.
        work: AheadWork,
        /// Whether it ended well, or how it broke; nothing, if it was stopped.
        came: Option<Result<(), FailureKind>>,
        /// The tokens that it says it took.
        usage: TokenUsage,
    },
    /// A lane was stopped before it came back.
    Stopped {
        /// The lane.
        lane: LaneKind,
        /// The reason.
        reason: Reason,
    },
    /// A request was answered.
    Answered {
        /// The request.
        request: RequestId,
        /// From the moment it was asked.
        took: Duration,
        /// Where the first suggestion came from, or why there is none.
        with: Result<OfferedFrom, Reason>,
    },
    /// Some suggestions of an answer were left out, because an editor draws only what replaces text of
    /// one line.
    Undrawn {
        /// To which request.
        request: RequestId,
        /// How many.
        count: usize,
    },
}

impl fmt::Display for Fact<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fact::Event(event) => write_event(event, f),
            Fact::Order(order) => write_order(order, f),
            Fact::Note(note) => write_note(note, f),
            Fact::Measurement(measurement) => write_measurement(measurement, f),
        }
    }
}

fn write_order(order: &Order, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match order {
        Order::AskEditor { spot, cause } => {
            let cause = cause.name();
            write!(f, "ask {} ({cause}) in {}", spot.at, spot.document)
        }
        Order::Predict { request, ask, .. } => {
            write!(f, "predict {} ({})", RequestTag(*request), ask.name())
        }
        Order::GatherContext { request, .. } => write!(f, "gather {}", RequestTag(*request)),
        Order::StartLane {
            request,
            lane,
            ahead,
            ..
        } => {
            write!(f, "start {} {lane}", RequestTag(*request))?;
            ahead.map_or(Ok(()), |call| write!(f, " by a{}", call.get()))
        }
        Order::AskAhead(question) => write!(
            f,
            "{} a{} {} at {} in {}",
            question.work().name(),
            question.call.get(),
            question.lane,
            question.at,
            question.spot.document
        ),
        Order::StopAhead { call, reason } => write!(f, "stop a{}: {reason}", call.get()),
        Order::CancelLane {
            request,
            lane,
            reason,
        } => write!(f, "stop {} {lane}: {reason}", RequestTag(*request)),
        Order::Answer {
            request, answer, ..
        } => match answer {
            Answer::Withheld(reason) => write!(f, "withheld {}: {reason}", RequestTag(*request)),
            Answer::Candidates(offers) => {
                write!(f, "answer {}: ", RequestTag(*request))?;
                offers.iter().enumerate().try_for_each(|(index, offer)| {
                    f.write_str(if index == 0 { "" } else { " | " })?;
                    write_offer(offer, f)
                })
            }
        },
        Order::Resync { document } => write!(f, "resync in {document}"),
        Order::Join { request, older } => {
            write!(f, "join {} {}", RequestTag(*request), RequestTag(*older))
        }
        Order::Release { document, reason } => write!(f, "let go: {reason} in {document}"),
        Order::Rest { lane, millis } => write!(f, "rest {lane} {millis}ms"),
        Order::CheckQuota { lane } => write!(f, "check quota {lane}"),
    }
}

fn write_offer(offer: &Offer, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let from = match offer.from {
        OfferedFrom::Lane => "",
        OfferedFrom::Carried => ", carried",
        OfferedFrom::Repeated => ", repeated",
        OfferedFrom::AtOnce => ", at once",
    };
    let (candidate, lane) = (&offer.candidate, offer.lane);
    write!(
        f,
        "{} ({lane}{from}) in {}",
        candidate.edit, candidate.document
    )
}

fn write_note(note: &Note, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match note {
        Note::IgnoredEvent { document, reason } => match document {
            Some(document) => write!(f, "ignored: {reason} in {document}"),
            None => write!(f, "ignored: {reason}"),
        },
        Note::Quiet { document, reason } => write!(f, "quiet: {reason} in {document}"),
        Note::Waits { request, millis } => write!(f, "wait {} {millis}ms", RequestTag(*request)),
        Note::Spared {
            request,
            lane,
            reason,
        } => write!(f, "spare {} {lane}: {reason}", RequestTag(*request)),
        Note::PredictionDropped {
            request,
            ask,
            reason,
        } => write!(
            f,
            "drop prediction {} ({}): {reason}",
            RequestTag(*request),
            ask.name()
        ),
        Note::AskedAhead { request, lane } => {
            write!(f, "asked {lane} ahead for {}", RequestTag(*request))
        }
        Note::LooksElsewhere {
            request,
            lane,
            spot,
        } => {
            let (request, Spot { document, at, .. }) = (RequestTag(*request), spot);
            write!(f, "look elsewhere {request} {lane} at {at} in {document}")
        }
        Note::Late {
            request,
            lane,
            millis,
        } => write!(f, "late {} {lane} {millis}ms", RequestTag(*request)),
        Note::Held { request, lane } => write!(f, "hold {} {lane}", RequestTag(*request)),
        Note::TypedOver {
            suggestion,
            document,
            times,
        } => write!(
            f,
            "typed over {} {times}x in {document}",
            SuggestionTag(*suggestion)
        ),
        Note::Remembered {
            rejection,
            document,
            edit,
        } => write!(f, "remember {rejection}: {edit} in {document}"),
        Note::Asleep { rejection, .. } => write!(f, "asleep {rejection}"),
        Note::Awake { rejection, .. } => write!(f, "awake {rejection}"),
        Note::Forgotten { rejection, .. } => write!(f, "forget {rejection}"),
    }
}

fn write_measurement(measurement: &Measurement, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match measurement {
        Measurement::Context { took } => write!(f, "context took {took:?}"),
        Measurement::Lane {
            lane, took, came, ..
        } => {
            write!(f, "{lane} came back")?;
            if let Some(took) = took {
                write!(f, " after {took:?}")?;
            }
            came.or_else(|failure| write!(f, ": {}", failure.name()))
        }
        Measurement::Ahead { work, came, .. } => match came {
            Some(Ok(())) => write!(f, "{} came back", work.name()),
            Some(Err(failure)) => write!(f, "{} came back: {}", work.name(), failure.name()),
            None => write!(f, "{} was stopped", work.name()),
        },
        Measurement::Stopped { lane, reason } => write!(f, "{lane} was stopped: {reason}"),
        Measurement::Answered { request, took, .. } => {
            write!(f, "{} took {took:?}", RequestTag(*request))
        }
        Measurement::Undrawn { request, count } => {
            write!(f, "{} has {count} undrawn", RequestTag(*request))
        }
    }
}

fn write_event(event: &Event, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let about = |f: &mut fmt::Formatter<'_>, what: &str, document: &DocumentId| {
        write!(f, "told: {what} in {document}")
    };
    match event {
        Event::ClientConnected { rejections, .. } => write!(f, "told: connected, {rejections:?}"),
        Event::DocumentOpened { document, .. } => about(f, "opened", document),
        Event::DocumentChanged {
            document, reason, ..
        } => match reason {
            ChangeReason::Typed => about(f, "typed", document),
            ChangeReason::Undo => about(f, "undone", document),
            ChangeReason::Redo => about(f, "redone", document),
            ChangeReason::Other => about(f, "changed", document),
        },
        Event::DocumentReplaced { document, .. } => about(f, "replaced", document),
        Event::DocumentLost { document } => about(f, "lost", document),
        Event::DocumentClosed { document } => about(f, "closed", document),
        Event::DocumentFocused { document } => about(f, "focused", document),
        Event::DocumentSaved { document } => about(f, "saved", document),
        Event::SelectionChanged { document, .. } => about(f, "moved", document),
        Event::DiagnosticsChanged { document, .. } => about(f, "diagnostics", document),
        Event::SecretsFound {
            document, ranges, ..
        } => write!(f, "told: {} secrets in {document}", ranges.len()),
        Event::DocumentPaused {
            document,
            is_paused,
        } => {
            if *is_paused {
                about(f, "paused", document)
            } else {
                about(f, "goes on", document)
            }
        }
        Event::ExclusionKnown {
            document,
            is_excluded,
        } => {
            if *is_excluded {
                about(f, "excluded", document)
            } else {
                about(f, "not excluded", document)
            }
        }
        Event::ContestKnown { is_contested } => write!(f, "told: contested {is_contested}"),
        Event::UsageKnown { lane, requests, .. } => write!(f, "told: {lane} used {requests}"),
        Event::LaneSpeedKnown { lane, speed } => {
            write!(f, "told: speed of {lane}")?;
            let parts = [("reads", speed.read), ("writes", speed.written)];
            parts.into_iter().try_for_each(|(what, speed)| match speed {
                Some(speed) => write!(f, ", {what} {speed}"),
                None => Ok(()),
            })
        }
        Event::TypingGapsKnown { gaps } => write!(f, "told: {} gaps between keys", gaps.count()),
        Event::SuggestionRequested(SuggestionRequest {
            request,
            document,
            at,
            ..
        }) => write!(
            f,
            "told: asked {} at {at} in {document}",
            RequestTag(*request)
        ),
        Event::RequestCancelled { request } => {
            write!(f, "told: cancelled {}", RequestTag(*request))
        }
        Event::PlacesFound {
            request,
            lane,
            places,
        } => {
            let (many, request) = (places.len(), RequestTag(*request));
            write!(f, "told: {many} places besides for {lane} of {request}")
        }
        Event::LaneProgressed { request, lane, .. } => {
            write!(f, "told: {lane} goes on with {}", RequestTag(*request))
        }
        Event::LaneReading { request, lane } => {
            write!(f, "told: {lane} reads on for {}", RequestTag(*request))
        }
        Event::Predicted {
            request,
            prediction,
            ..
        } => match prediction {
            Some(CursorPrediction { probability, .. }) => {
                write!(f, "told: predicted {} {probability}", RequestTag(*request))
            }
            None => write!(f, "told: nothing predicted {}", RequestTag(*request)),
        },
        Event::LaneAnswered {
            request,
            lane,
            candidates,
            ..
        } => {
            let many = candidates.len();
            write!(f, "told: {lane} has {many} for {}", RequestTag(*request))
        }
        Event::LaneFailed {
            request,
            lane,
            failure,
            ..
        } => {
            let kind = failure.kind.name();
            write!(
                f,
                "told: {lane} failed for {}: {kind}",
                RequestTag(*request)
            )
        }
        Event::AheadEnded { call, outcome, .. } => {
            let how = match outcome {
                AheadOutcome::Answered(Some(_)) => "has 1",
                AheadOutcome::Answered(None) => "has ended",
                AheadOutcome::Failed(failure) => failure.kind.name(),
            };
            write!(f, "told: a{} {how}", call.get())
        }
        Event::SuggestionShown { suggestion } => {
            write!(f, "told: shown {}", SuggestionTag(*suggestion))
        }
        Event::SuggestionAccepted { suggestion, .. } => {
            write!(f, "told: accepted {}", SuggestionTag(*suggestion))
        }
        Event::SuggestionRejected { suggestion } => {
            write!(f, "told: rejected {}", SuggestionTag(*suggestion))
        }
        Event::SuggestionIgnored { suggestion } => {
            write!(f, "told: ignored {}", SuggestionTag(*suggestion))
        }
        Event::EditRejected { document, .. } => about(f, "rejected an edit", document),
        Event::RejectionForgotten { rejection } => write!(f, "told: forget {rejection}"),
        Event::RejectionsCleared => f.write_str("told: forget all rejections"),
        Event::RejectionsRestored { rejections } => {
            write!(f, "told: {} rejections restored", rejections.len())
        }
        Event::SettingsChanged { .. } => f.write_str("told: settings"),
        Event::ShuttingDown => f.write_str("told: shutting down"),
    }
}

/// A request in short: `r1`.
struct RequestTag(RequestId);

impl fmt::Display for RequestTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}", self.0.get())
    }
}

/// A suggestion in short: `r1.0`.
struct SuggestionTag(SuggestionId);

impl fmt::Display for SuggestionTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", RequestTag(self.0.request), self.0.candidate)
    }
}
