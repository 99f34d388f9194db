//! Which lanes a request needs: those to start, and those whose call for this very place is known.
//!
//! A lane is asked if settings enable it and it suits the kind of request: FIM suggests what is drawn at
//! the cursor, and fix needs a fault near it ([`wanted_fixes`]) and a person who has stopped typing. Then:
//!
//! - A call that runs for this text and place is shared, unless the person asks and has set another model
//!   for that or has rejected what it has said so far, or a better lane needs its server ([`server_queue`]).
//!   The answer of a call that has ended is used again, unless the person asks.
//! - The refresh gate spares FIM, and no other lane, while the text is that of its last call. What the
//!   person asks for passes it.
//! - A lane that rests, or has used up its quota, is not called. If it rests only because it was too
//!   slow for automatic requests, the person may still ask it.
//! - A lane whose model would need half a minute to rewrite a region is not asked automatically.
//! - An embedded lane for next edits answers from what the person did, so that it is not asked automatically
//!   while they are in the middle of it.
//! - For an excluded document, only lanes are asked that send nothing elsewhere. The same holds for every
//!   document while settings may come from a repository, since those may name the model server.

use foretell_settings::Settings;
use foretell_text::{DocumentId, LaneKind};

use super::RequestContext;
use super::document_requests::{AnsweredPlace, DocumentRequests, LaneCall, RaceRunner};
use super::server_queue::share_server;
use crate::documents::Document;
use crate::event::{RequestCause, RequestKind};
use crate::moment::Moment;
use crate::pace::CallPrice;
use crate::reason::Reason;
use crate::wanted_fixes::{FixQuestion, wanted_fixes};

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
            // Of one server, what goes in at the cursor is asked first.
            let makes_way = |call: &LaneCall| {
                let mut first = lanes.to_start.iter();
                let is_awaited = of_document.is_raced_by_other(lane, question.kind);
                let is_useless =
                    call.place != *question.place || !is_awaited && call.gives_way(question.cause);
                call.deadline().is_some()
                    && is_useless
                    && first.any(|first| share_server(settings, *first, lane))
            };
            let here = here.filter(|call| !makes_way(call));
            let has_better = settings.lanes.of(lane).has_explicit_model() && !is_automatic;
            let here = here.filter(|call| {
                let is_of_lesser_model = has_better && call.cause == RequestCause::Automatic;
                let is_refused =
                    !is_automatic && call.is_rejected_so_far(document, lane, question.open, around);
                !call.is_overtaken && !is_of_lesser_model && !is_refused
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
                LaneKind::Fix => is_fix_needed(question, start, around),
            };
            let objection = || {
                let is_early = is_automatic
                    && follows_edits(lane, settings)
                    && !is_finished_by(start, question.open);
                if is_early {
                    return Some(Reason::UnfinishedEdit);
                }
                objection(lane, question.cause, question.open, around)
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

    /// How long a next edit is to wait because a fix is among what may be offered, and the person has typed a
    /// moment ago: nobody asks again when that is over.
    pub(super) fn wait_for_fix(&self, question: LaneQuestion<'_>, now: Moment) -> u64 {
        let is_awaited = question.cause == RequestCause::Automatic
            && question.kind == RequestKind::Edit
            && self.to_start.contains(&LaneKind::Fix);
        let typed = question.open.typed.filter(|_| is_awaited);
        typed.map_or(0, |typed| TYPING.saturating_sub(now.since(typed)))
    }

    /// The same without what concerns other lanes.
    pub(super) fn only(&self, lane: LaneKind) -> Self {
        let is_it = |it: &&LaneKind| **it == lane;
        let spared = self.spared.iter().filter(|(it, _)| *it == lane);
        EligibleLanes {
            to_start: self.to_start.iter().filter(is_it).copied().collect(),
            known: self.known.iter().filter(is_it).copied().collect(),
            spared: spared.copied().collect(),
            gate: self.gate.filter(|_| lane == LaneKind::Fim),
            is_any_enabled: self.is_any_enabled,
        }
    }

    /// From when on all of them may be asked, if that is free since they are part of this process.
    pub(super) fn free_from(&self, settings: &Settings, open: &Document) -> Option<Moment> {
        let from = |lane: LaneKind| {
            if settings.lanes.of(lane).tells_others() {
                return None;
            }
            let at_once = Moment::from_millis(0);
            match lane {
                LaneKind::NextEdit => open.history.finished_from(&open.text),
                LaneKind::Fim => Some(at_once),
                LaneKind::Fix => Some(open.typed.map_or(at_once, |typed| typed.after(TYPING))),
            }
        };
        let moments: Option<Vec<Moment>> = self.to_start.iter().map(|lane| from(*lane)).collect();
        moments?.into_iter().max()
    }

    /// What asking costs: the most of what each of the models costs that would be asked.
    pub(super) fn price(&self, settings: &Settings, around: &RequestContext<'_>) -> CallPrice {
        let models = self.to_start.iter().copied();
        let models = models.filter(|lane| settings.lanes.of(*lane).tells_others());
        let prices = models.map(|lane| {
            let speed = around.lane_health.speeds.of(lane);
            let speed = speed.filter(|_| settings.lanes.of(lane).is_on_this_machine());
            speed.map_or(CallPrice::USUAL, CallPrice::at_speed)
        });
        let dearer = |one: CallPrice, other| if other > one { other } else { one };
        prices.reduce(dearer).unwrap_or(CallPrice::USUAL)
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
                is_queued: false,
                so_far: Vec::new(),
            })
        });
        let started = self.to_start.iter().map(|lane| RaceRunner {
            lane: *lane,
            since: now,
            end: None,
            is_repeated: false,
            is_shared: false,
            is_queued: false,
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

/// Why a lane must not be called for a document now, if it must not.
pub(super) fn objection(
    lane: LaneKind,
    cause: RequestCause,
    open: &Document,
    around: &RequestContext<'_>,
) -> Option<Reason> {
    let of_language = around.settings_of(open);
    let settings = of_language.lanes.of(lane);
    let tells = settings.tells_others();
    let health = &*around.lane_health;
    let slow = || {
        let general = around.settings;
        let slow = health
            .speeds
            .objection(around.now, lane, general, of_language);
        slow.filter(|_| cause == RequestCause::Automatic)
    };
    if !settings.enabled {
        Some(Reason::Disabled)
    } else if tells && around.is_contested {
        Some(Reason::ContestedSettings)
    } else if tells && open.is_excluded {
        Some(Reason::ExcludedDocument)
    } else {
        let unwell = health.objection(around.now, lane, settings);
        unwell.or_else(slow)
    }
}

/// Whether a lane knows of nothing but what the person did, and is part of this process.
fn follows_edits(lane: LaneKind, settings: &Settings) -> bool {
    lane == LaneKind::NextEdit && !settings.lanes.of(lane).tells_others()
}

/// Whether the person's latest change is finished when lanes start, or may be while that is not certain.
fn is_finished_by(start: Option<Moment>, open: &Document) -> bool {
    let finished = open.history.finished_from(&open.text);
    finished.is_some_and(|finished| start.is_none_or(|start| finished <= start))
}

fn suits(lane: LaneKind, kind: RequestKind) -> bool {
    match lane {
        // It knows of nothing but the cursor.
        LaneKind::Fim => kind == RequestKind::Inline,
        LaneKind::NextEdit | LaneKind::Fix => true,
    }
}

/// Whether a fault near the cursor is to be mended, and the person has stopped typing.
fn is_fix_needed(
    question: LaneQuestion<'_>,
    start: Option<Moment>,
    around: &RequestContext<'_>,
) -> bool {
    let LaneQuestion {
        place,
        open,
        cause,
        kind,
    } = question;
    let is_typing = start
        .zip(open.typed)
        .is_some_and(|(start, typed)| start.since(typed) < TYPING);
    if is_typing || open.diagnostics.is_empty() || place.text != open.text {
        return false;
    }
    let wanted = wanted_fixes(FixQuestion {
        open,
        at: place.at,
        cause,
        kind,
        trials: around.fix_trials,
    });
    wanted.into_iter().next().is_some()
}
