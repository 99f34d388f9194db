//! The second look: a model that has nothing at the cursor is asked once more, about another place.
//!
//! A model for next edits sees the lines around one place and rewrites those. What follows from the last
//! change is often further away than that: the other uses of a name, a line that no longer compiles. The
//! driver knows such places and tells them right before the answer of a lane ([`Event::PlacesFound`]). Whether
//! one of them is asked about, and which, is decided here. A second look is made
//!
//! - if a model was asked for the next edit and had nothing at all: not if it failed, and not if what it had may
//!   not be shown;
//! - while a request for next edits waits for that very call, at the text that it was made for, and no other lane
//!   has something: a request that was superseded, cancelled or answered looks nowhere else, and nobody who has
//!   said no meanwhile is looked further for;
//! - once between two changes of documents, which is once in a pause. What the person asks for looks once for
//!   each time that they ask. A second look is never followed by a third;
//! - at the first place that is in an open document in step, which a model may be told of and which has the same
//!   settings of the lane;
//! - if the lane may be called at all, by its limits and its health, and if its server has nothing else to do: a
//!   lane that is queued goes first, and then there is no second look. It is never queued itself.
//!
//! It is a call like any other: it takes the place of the first in its race, it is counted, and it may be stopped,
//! come late and fail. The question that it answers is that of the first: what comes next, at this cursor. What it
//! finds passes the filters of every suggestion. What is drawn only at the cursor does not wait for it.
//!
//! Absent on purpose: where such places come from.
//!
//! [`Event::PlacesFound`]: crate::Event::PlacesFound

use foretell_text::{DocumentId, LaneKind};

use super::document_requests::{CallState, LaneCall, PendingRequest};
use super::eligible::objection;
use super::lane_calls::LaneCaller;
use super::{RequestContext, Requests, cap, gather, spot};
use crate::action::Spot;
use crate::documents::TextSync;
use crate::event::{EditPlace, RequestCause, RequestId, RequestKind};
use crate::moment::Moment;
use crate::note::Note;
use crate::reason::Reason;
use crate::trigger;

/// How many places are kept in mind.
const MOST_PLACES: usize = 8;

/// What second looks need to know.
#[derive(Debug, Default)]
pub(super) struct SecondLooks {
    /// The places that were told last.
    told: Option<ToldPlaces>,
    /// How many changes of documents there were when one was made last.
    made_at: Option<u64>,
    /// When the person said no last.
    refused: Option<Moment>,
}

/// The places that a lane may be asked about.
#[derive(Debug)]
struct ToldPlaces {
    request: RequestId,
    lane: LaneKind,
    places: Vec<EditPlace>,
    /// How many changes of documents there were when they were told.
    all_changes: u64,
}

impl SecondLooks {
    /// Returns the places that were told for a call, if no text has changed since.
    pub(super) fn take_places(
        &mut self,
        request: RequestId,
        lane: LaneKind,
        around: &RequestContext<'_>,
    ) -> Vec<EditPlace> {
        let is_of_it = |told: &mut ToldPlaces| (told.request, told.lane) == (request, lane);
        let told = self.told.take_if(is_of_it);
        let told = told.filter(|told| told.all_changes == around.documents.changes());
        told.map_or(Vec::new(), |told| told.places)
    }
}

impl LaneCall {
    /// Whether a second look of it is about a document, while it runs.
    fn looks_at(&self, document: &DocumentId) -> bool {
        let is_there = |spot: &Spot| spot.document == *document;
        self.deadline().is_some() && self.second_look.as_ref().is_some_and(is_there)
    }
}

impl Requests {
    /// Takes note of the places that a lane may be asked about.
    pub(crate) fn places_found(
        &mut self,
        request: RequestId,
        lane: LaneKind,
        mut places: Vec<EditPlace>,
        around: &mut RequestContext<'_>,
    ) {
        if !self.running.contains_key(&(request, lane)) {
            return around.outbox.ignore(None, Reason::UnknownId);
        }
        places.truncate(MOST_PLACES);
        self.second_looks.told = Some(ToldPlaces {
            request,
            lane,
            places,
            all_changes: around.documents.changes(),
        });
    }

    /// The person has said no: nothing else is looked for in their stead.
    pub(crate) fn stay_here(&mut self, now: Moment) {
        self.second_looks.refused = Some(now);
    }

    /// Asks a lane that has just answered about another place, if it should be. Returns whether it is.
    pub(super) fn look_elsewhere(
        &mut self,
        document: &DocumentId,
        lane: LaneKind,
        places: &[EditPlace],
        around: &mut RequestContext<'_>,
    ) -> bool {
        let kind = RequestKind::Edit;
        let Some(look) = self.second_look(document, lane, places, around) else {
            return false;
        };
        // It may be elsewhere, where this one draws nothing.
        self.end_runner(document, lane, RequestKind::Inline, None, around);
        let of_document = self.by_document.get(document);
        let pending = of_document.and_then(|of_document| of_document.pending(kind));
        let about = around.documents.get(&look.document);
        let Some((pending, about)) = pending.zip(about) else {
            return false;
        };
        let (request, cause, place) = (pending.request, pending.cause, pending.place.clone());
        self.second_looks.made_at = Some(around.documents.changes());
        around.outbox.note(Note::LooksElsewhere {
            request,
            lane,
            spot: look.clone(),
        });
        gather(request, look.clone(), about, around);
        let caller = LaneCaller {
            request,
            kind,
            cause,
            place: &place,
            cap: cap(cause, around.settings_of(about)),
        };
        self.make_call(document, lane, caller, Some(look), around);
        true
    }

    /// Stops the second looks at a document, of which a model must not be told.
    pub(super) fn stop_looking_at(
        &mut self,
        document: &DocumentId,
        reason: Reason,
        around: &mut RequestContext<'_>,
    ) {
        let lane = LaneKind::NextEdit;
        let all = self.by_document.iter();
        let looking = all.filter(|(_, it)| it.call(lane).is_some_and(|it| it.looks_at(document)));
        let looking: Vec<DocumentId> = looking.map(|(asked_in, _)| asked_in.clone()).collect();
        for asked_in in looking {
            self.stop_call(&asked_in, lane, reason, around);
            self.end_runners(&asked_in, lane, Some(reason), around);
            self.rearm(&asked_in);
        }
    }

    /// Where the second look of a lane goes that has just answered, if one is to be made.
    fn second_look(
        &self,
        document: &DocumentId,
        lane: LaneKind,
        places: &[EditPlace],
        around: &RequestContext<'_>,
    ) -> Option<Spot> {
        let open = around.documents.get(document)?;
        let of_document = self.by_document.get(document)?;
        let call = of_document.call(lane)?;
        let pending = of_document.pending(RequestKind::Edit)?;
        let settings = around.settings_of(open);
        if lane != LaneKind::NextEdit || !settings.lanes.of(lane).jump || around.is_ending {
            return None;
        }
        let is_awaited = pending.awaits(lane)
            && pending.place == call.place
            && pending.place.text == open.text
            && pending.ends.is_none_or(|ends| ends > around.now);
        if !is_awaited || !has_nothing(call) || !self.may_look_again(call, pending, around) {
            return None;
        }
        let is_beaten = self.has_more_than(document, RequestKind::Edit, lane, around);
        if is_beaten
            || self.has_queued
            || !self.is_server_free(document, lane, pending.cause, around)
        {
            return None;
        }
        let is_automatic = pending.cause == RequestCause::Automatic;
        places.iter().find_map(|place| {
            let EditPlace { document, at } = place;
            let about = around.documents.get(document)?;
            let theirs = around.settings_of(about);
            let is_fitting = about.step == TextSync::InStep
                && about.text.check(*at).is_ok()
                && theirs.lanes.of(lane) == settings.lanes.of(lane)
                && objection(lane, pending.cause, about, around).is_none()
                && !(is_automatic && trigger::is_ignored(document, &theirs.trigger));
            is_fitting.then(|| spot(document, about, *at))
        })
    }

    /// Whether a pause has seen no second look yet, and the person has not said no since the first.
    fn may_look_again(
        &self,
        call: &LaneCall,
        pending: &PendingRequest,
        around: &RequestContext<'_>,
    ) -> bool {
        let looks = &self.second_looks;
        let is_refused = looks.refused.is_some_and(|refused| refused >= call.started);
        let has_looked = looks.made_at == Some(around.documents.changes());
        let is_explicit = pending.cause == RequestCause::Explicit;
        !is_refused && (!has_looked || is_explicit)
    }
}

/// Whether a call to a model has ended with nothing, and was no second look.
fn has_nothing(call: &LaneCall) -> bool {
    let is_nothing = match &call.state {
        CallState::Answered(found) => found.candidates.is_empty() && found.withheld == 0,
        CallState::Running { .. } | CallState::Refused => false,
    };
    is_nothing && call.is_patient && call.so_far.is_empty() && call.second_look.is_none()
}
