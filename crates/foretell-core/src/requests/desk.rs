//! What is on the desk for one document: the requests that wait for an answer, the calls that lanes
//! were started with, and what was answered last.
//!
//! There is at most one unanswered request of each kind, since a newer one takes the place of an
//! older. There is at most one call of each lane, and requests of both kinds share it: what counts
//! is the place a call was made for. A call that was answered stays until the next one of its lane,
//! so that the same question is not put twice.

use foretell_text::{Agreement, ByteOffset, DocumentId, Edit, Elsewhere, LaneKind, Text};

use crate::action::Offer;
use crate::event::{Candidate, RequestCause, RequestId, RequestKind, SuggestionId};
use crate::moment::Moment;
use crate::reason::Reason;

/// Everything that is going on for a document.
#[derive(Debug, Default)]
pub(super) struct Desk {
    inline: Option<Pending>,
    edit: Option<Pending>,
    calls: [Option<Call>; LaneKind::ALL.len()],
    /// What was answered last, by kind.
    given_inline: Option<Given>,
    given_edit: Option<Given>,
    /// The moment that its alarm is set to.
    pub(super) alarm: Option<Moment>,
}

/// A text and a place in it: what a question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    // First, because it is compared first.
    pub(super) at: ByteOffset,
    pub(super) text: Text,
}

/// A request without an answer.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) request: RequestId,
    pub(super) kind: RequestKind,
    pub(super) cause: RequestCause,
    pub(super) place: Place,
    pub(super) stage: Stage,
    /// Whether a lane was started for it.
    pub(super) has_started: bool,
}

#[derive(Debug)]
pub(super) enum Stage {
    /// Until the person pauses.
    Waiting { until: Moment },
    /// For its lanes to end.
    Racing(Race),
}

/// The lanes that a request waits for.
#[derive(Debug)]
pub(super) struct Race {
    /// In order of priority.
    pub(super) runners: Vec<Runner>,
    /// When it has waited long enough for them.
    pub(super) until: Moment,
}

/// A lane in the race for one request.
#[derive(Debug)]
pub(super) struct Runner {
    pub(super) lane: LaneKind,
    pub(super) since: Moment,
    /// When it ended, and why without candidates if so.
    pub(super) end: Option<(Moment, Option<Reason>)>,
    /// Whether its answer was there before the request was.
    pub(super) is_repeated: bool,
}

/// A lane that was started.
#[derive(Debug)]
pub(super) struct Call {
    /// In whose name.
    pub(super) request: RequestId,
    pub(super) place: Place,
    pub(super) started: Moment,
    pub(super) state: CallState,
}

#[derive(Debug)]
pub(super) enum CallState {
    Running { deadline: Moment },
    Answered(Vec<Candidate>),
}

/// What was answered, and what has become of it as the text changed.
#[derive(Debug)]
pub(super) struct Given {
    request: RequestId,
    offers: Vec<(DocumentId, Option<Edit>)>,
}

impl Desk {
    pub(super) fn pending(&self, kind: RequestKind) -> Option<&Pending> {
        match kind {
            RequestKind::Inline => self.inline.as_ref(),
            RequestKind::Edit => self.edit.as_ref(),
        }
    }

    pub(super) fn pending_mut(&mut self, kind: RequestKind) -> &mut Option<Pending> {
        match kind {
            RequestKind::Inline => &mut self.inline,
            RequestKind::Edit => &mut self.edit,
        }
    }

    /// Those that are there, in a fixed order.
    pub(super) fn all_pending(&self) -> impl Iterator<Item = &Pending> {
        self.inline.iter().chain(&self.edit)
    }

    pub(super) fn call(&self, lane: LaneKind) -> Option<&Call> {
        self.calls[lane as usize].as_ref()
    }

    pub(super) fn call_mut(&mut self, lane: LaneKind) -> &mut Option<Call> {
        &mut self.calls[lane as usize]
    }

    /// Whether there is a question about a place already: a request that has no answer yet, or a
    /// call that was answered.
    pub(super) fn is_asked(&self, text: &Text, at: ByteOffset) -> bool {
        let is_here = |place: &Place| place.at == at && place.text == *text;
        let is_pending = self.all_pending().any(|pending| is_here(&pending.place));
        is_pending || self.calls.iter().flatten().any(|call| is_here(&call.place))
    }

    /// When something is due next.
    pub(super) fn next_timeout(&self) -> Option<Moment> {
        let requests = self.all_pending().map(|pending| match &pending.stage {
            Stage::Waiting { until } | Stage::Racing(Race { until, .. }) => *until,
        });
        let calls = self.calls.iter().flatten().filter_map(Call::deadline);
        requests.chain(calls).min()
    }

    /// The kind of request that has waited long enough, for a pause or for its lanes.
    pub(super) fn due_request(&self, now: Moment) -> Option<RequestKind> {
        let due = self.all_pending().find(|pending| match &pending.stage {
            Stage::Waiting { until } | Stage::Racing(Race { until, .. }) => *until <= now,
        });
        due.map(|pending| pending.kind)
    }

    /// The lane whose time is up.
    pub(super) fn due_call(&self, now: Moment) -> Option<LaneKind> {
        LaneKind::ALL.into_iter().find(|lane| {
            let deadline = self.call(*lane).and_then(Call::deadline);
            deadline.is_some_and(|deadline| deadline <= now)
        })
    }

    /// Whether a request races on the call of a lane.
    pub(super) fn is_raced(&self, lane: LaneKind) -> bool {
        let runners = self.all_pending().flat_map(|pending| match &pending.stage {
            Stage::Waiting { .. } => &[][..],
            Stage::Racing(race) => &race.runners[..],
        });
        let mut running = runners.filter(|runner| runner.end.is_none());
        running.any(|runner| runner.lane == lane)
    }

    /// Forgets the answer of a lane, if it has one.
    pub(super) fn forget_answer(&mut self, lane: LaneKind) {
        let call = self.call_mut(lane);
        if call.as_ref().is_some_and(|call| call.deadline().is_none()) {
            *call = None;
        }
    }

    /// Takes note of an answer that is given.
    pub(super) fn give(&mut self, kind: RequestKind, request: RequestId, offers: &[Offer]) {
        let offers = offers.iter().map(|offer| {
            let Candidate { document, edit } = &offer.candidate;
            (document.clone(), Some(edit.clone()))
        });
        let given = Some(Given {
            request,
            offers: offers.collect(),
        });
        match kind {
            RequestKind::Inline => self.given_inline = given,
            RequestKind::Edit => self.given_edit = given,
        }
    }

    /// What is left of a suggestion, if there was such a one: its document, and its edit unless the
    /// person has left its way.
    pub(super) fn suggestion(
        &self,
        suggestion: SuggestionId,
    ) -> Option<&(DocumentId, Option<Edit>)> {
        let mut given = self.given_inline.iter().chain(&self.given_edit);
        let given = given.find(|given| given.request == suggestion.request)?;
        given.offers.get(suggestion.candidate)
    }

    /// The requests that were answered last.
    pub(super) fn given(&self) -> impl Iterator<Item = RequestId> {
        let given = self.given_inline.iter().chain(&self.given_edit);
        given.map(|given| given.request)
    }

    /// The other documents that what is left of the last answers is about.
    pub(super) fn others_than<'a>(
        &'a self,
        asked_in: &'a DocumentId,
    ) -> impl Iterator<Item = &'a DocumentId> {
        let given = self.given_inline.iter().chain(&self.given_edit);
        let offers = given.flat_map(|given| &given.offers);
        let left = offers.filter(|(_, edit)| edit.is_some());
        left.map(|(of, _)| of).filter(move |of| *of != asked_in)
    }

    /// Lets go of what was answered about a document whose text is no longer known.
    pub(super) fn lose(&mut self, document: &DocumentId) {
        let given = self.given_inline.iter_mut().chain(&mut self.given_edit);
        let offers = given.flat_map(|given| given.offers.iter_mut());
        for (_, edit) in offers.filter(|(of, _)| of == document) {
            *edit = None;
        }
    }

    /// Carries what was answered over a change of a document.
    pub(super) fn follow(&mut self, document: &DocumentId, before: &Text, change: &Edit) {
        let given = self.given_inline.iter_mut().chain(&mut self.given_edit);
        let offers = given.flat_map(|given| given.offers.iter_mut());
        for (_, edit) in offers.filter(|(of, _)| of == document) {
            let (agreement, elsewhere) = (Agreement::Lenient, Elsewhere::Moves);
            let carried = edit
                .take()
                .map(|edit| edit.carried_over(before, change, agreement, elsewhere));
            *edit = carried.and_then(Result::ok).flatten();
        }
    }
}

impl Pending {
    /// Whether the answer of a lane was there before it was.
    pub(super) fn has_repeated(&self) -> bool {
        match &self.stage {
            Stage::Waiting { .. } => false,
            Stage::Racing(race) => race.runners.iter().any(|runner| runner.is_repeated),
        }
    }
}

impl Race {
    /// Ends a lane, unless it is not in the race any more.
    pub(super) fn end(&mut self, lane: LaneKind, now: Moment, reason: Option<Reason>) -> bool {
        let mut running = self.runners.iter_mut().filter(|it| it.end.is_none());
        match running.find(|runner| runner.lane == lane) {
            Some(runner) => {
                runner.end = Some((now, reason));
                true
            }
            None => false,
        }
    }
}

impl Call {
    /// When its time is up, while it runs.
    pub(super) fn deadline(&self) -> Option<Moment> {
        match self.state {
            CallState::Running { deadline } => Some(deadline),
            CallState::Answered(_) => None,
        }
    }

    /// What it suggests, once it has answered.
    pub(super) fn candidates(&self) -> Option<&[Candidate]> {
        match &self.state {
            CallState::Running { .. } => None,
            CallState::Answered(candidates) => Some(candidates),
        }
    }
}
