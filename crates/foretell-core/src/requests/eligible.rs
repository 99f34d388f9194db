//! Which lanes a request needs: those to start, and those whose call for this very place is known.
//!
//! A lane is asked if settings enable it and it suits the kind of request: FIM suggests what is drawn at
//! the cursor, and fix needs a diagnostic on the cursor's line and a person who has stopped typing. Then:
//!
//! - A call that runs for this text and place is shared, unless the person asks and has set another model
//!   for that. The answer of a call that has ended is used again, unless the person asks.
//! - The refresh gate spares FIM, and no other lane, while the text is that of its last call. What the
//!   person asks for passes it.
//! - A lane that rests, or has used up its quota, is not called. If it rests only because it was too
//!   slow for automatic requests, the person may still ask it.
//! - For an excluded document, only lanes are asked that send nothing elsewhere. The same holds for every
//!   document while settings may come from a repository, since those may name the model server.

use foretell_settings::Settings;
use foretell_text::{DocumentId, LaneKind};

use super::RequestContext;
use super::document_requests::{AnsweredPlace, DocumentRequests, RaceRunner};
use crate::documents::Document;
use crate::event::{RequestCause, RequestKind};
use crate::moment::Moment;
use crate::reason::Reason;

/// How long the person must not have typed for the fix lane to be asked, in milliseconds.
const TYPING: u64 = 500;

/// The question of a request.
#[derive(Clone, Copy)]
pub(super) struct LaneQuestion<'a> {
    pub(super) cause: RequestCause,
    pub(super) kind: RequestKind,
    pub(super) place: &'a AnsweredPlace,
    pub(super) open: &'a Document,
}

/// The lanes that a request needs.
#[derive(Debug, Default)]
pub(super) struct EligibleLanes {
    pub(super) to_start: Vec<LaneKind>,
    /// Those with a call for this place.
    known: Vec<LaneKind>,
    /// Those that would have been started, and why they are not.
    pub(super) spared: Vec<(LaneKind, Reason)>,
    /// The verdict of the refresh gate, if it was asked.
    pub(super) gate: Option<GatedLane>,
    is_any_enabled: bool,
}

/// The verdict of the refresh gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GatedLane {
    Passed,
    Blocked,
}

impl EligibleLanes {
    /// The lanes of a question. While it is not certain when lanes would start, `start` is nothing,
    /// and it counts whether a lane may be needed.
    pub(super) fn of(
        document: &DocumentId,
        question: LaneQuestion<'_>,
        start: Option<Moment>,
        of_document: &DocumentRequests,
        around: &RequestContext<'_>,
    ) -> Self {
        let settings = around.settings_of(question.open);
        let mut lanes = EligibleLanes::default();
        for lane in LaneKind::ALL {
            if !settings.lanes.of(lane).enabled || !suits(lane, question.kind) {
                continue;
            }
            lanes.is_any_enabled = true;
            let is_automatic = question.cause == RequestCause::Automatic;
            let here = of_document.call(lane).filter(|call| {
                call.place == *question.place || call.leads_to(question.place, question.open)
            });
            let has_better = settings.lanes.of(lane).has_explicit_model() && !is_automatic;
            let here = here.filter(|call| {
                let is_of_lesser_model = has_better && call.cause == RequestCause::Automatic;
                !call.is_overtaken && !is_of_lesser_model
            });
            if here.is_some_and(|call| is_automatic || call.deadline().is_some()) {
                lanes.known.push(lane);
                continue;
            }
            let is_needed = match lane {
                LaneKind::Fim if is_automatic && settings.gate.enabled => {
                    // A call that is still under way blocks nobody.
                    let is_blocked = around.gate.blocks(document, &question.open.text)
                        && !of_document.is_awaiting_model(lane);
                    lanes.gate = Some(if is_blocked {
                        GatedLane::Blocked
                    } else {
                        GatedLane::Passed
                    });
                    !is_blocked
                }
                LaneKind::Fim | LaneKind::NextEdit => true,
                LaneKind::Fix => is_fix_needed(question, start),
            };
            let objection = || {
                let settings = settings.lanes.of(lane);
                let tells = settings.tells_others();
                if tells && around.is_contested {
                    Some(Reason::ContestedSettings)
                } else if tells && question.open.is_excluded {
                    Some(Reason::ExcludedDocument)
                } else {
                    around.lane_health.objection(around.now, lane, settings)
                }
            };
            match is_needed.then(objection) {
                Some(None) => lanes.to_start.push(lane),
                Some(Some(reason)) => lanes.spared.push((lane, reason)),
                None if lanes.gate == Some(GatedLane::Blocked) && lane == LaneKind::Fim => {
                    lanes.spared.push((lane, Reason::UnchangedText));
                }
                None => {}
            }
        }
        lanes
    }

    /// Whether every model that would be asked is on this machine and answers at once.
    pub(super) fn are_cheap(&self, settings: &Settings, around: &RequestContext<'_>) -> bool {
        let models = self.to_start.iter().copied();
        let mut models = models.filter(|lane| settings.lanes.of(*lane).tells_others());
        let is_cheap = |lane: LaneKind| {
            settings.lanes.of(lane).is_on_this_machine() && around.lane_health.is_quick(lane)
        };
        models.next().is_some_and(is_cheap) && models.all(is_cheap)
    }

    /// All of them in the race, in order of priority.
    pub(super) fn runners(&self, of_document: &DocumentRequests, now: Moment) -> Vec<RaceRunner> {
        let known = self.known.iter().filter_map(|lane| {
            let call = of_document.call(*lane)?;
            let is_repeated = call.deadline().is_none();
            Some(RaceRunner {
                lane: *lane,
                // An answer that is there already took no time.
                since: if is_repeated { now } else { call.started },
                end: is_repeated.then_some((now, None)),
                is_repeated,
                is_shared: !is_repeated,
                so_far: Vec::new(),
            })
        });
        let started = self.to_start.iter().map(|lane| RaceRunner {
            lane: *lane,
            since: now,
            end: None,
            is_repeated: false,
            is_shared: false,
            so_far: Vec::new(),
        });
        let mut runners: Vec<_> = known.chain(started).collect();
        runners.sort_by_key(|runner| runner.lane);
        runners
    }

    /// Why there is nothing to say if no lane is needed.
    pub(super) fn without_any(&self) -> Reason {
        match (self.spared.first(), self.is_any_enabled) {
            (_, false) => Reason::Disabled,
            (Some((_, reason)), true) => *reason,
            (None, true) => Reason::NothingToAsk,
        }
    }
}

fn suits(lane: LaneKind, kind: RequestKind) -> bool {
    match lane {
        // It knows of nothing but the cursor.
        LaneKind::Fim => kind == RequestKind::Inline,
        LaneKind::NextEdit | LaneKind::Fix => true,
    }
}

/// Whether there is a diagnostic on the cursor's line, and the person has stopped typing.
fn is_fix_needed(question: LaneQuestion<'_>, start: Option<Moment>) -> bool {
    let LaneQuestion { place, open, .. } = question;
    let is_typing = start
        .zip(open.typed)
        .is_some_and(|(start, typed)| start.since(typed) < TYPING);
    if is_typing || open.diagnostics.is_empty() {
        return false;
    }
    let line = place.text.line_at(place.at);
    let mut diagnostics = open.diagnostics.iter();
    line.is_ok_and(|line| diagnostics.any(|diagnostic| diagnostic.range.touches(line)))
}
