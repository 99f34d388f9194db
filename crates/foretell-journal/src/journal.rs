//! [`Journal`]: the latest decisions, to answer why something was shown or nothing was.
//!
//! It observes every fact, each event just before the machine hears of it, and keeps of each what is worth a
//! line: bounded in number and in bytes, the oldest going first. All facts about one request are one story,
//! which grows until the person has made up their mind about its answer; silences that repeat themselves, as
//! every key does, are counted.
//!
//! Nothing is put into words until somebody asks, so that listening costs about as much as a few
//! reference counts. Absent on purpose: the text of documents and suggestions, and clocks.

#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use foretell_core::{
    Answer, Core, Event, Fact, FactScene, LaneReport, Measurement, Moment, Note, Observer, Order,
    Reason, RejectionId, RequestCause, RequestId, SuggestionId, SuggestionRequest,
};
use foretell_text::{ByteOffset, DocumentId, LaneKind, PerLane, Version};

use crate::decision::{
    DecisionKind, DecisionPlace, FaultWords, IgnoredDecision, KeptDecision, LanePart, LineColumn,
    PersonVerdict, RequestOutcome, RequestStory, TextMisfit,
};
use crate::last_event::LastEvent;
use crate::measures::JournalMeasures;
use crate::numbers::NumberBook;

/// How many decisions are kept.
const MOST: usize = 512;
/// How many bytes they take at most, about.
const MOST_BYTES: usize = 256 << 10;
/// How many triggers wait for the request that is to follow, and for how long, in milliseconds.
const MOST_TRIGGERS: usize = 16;
const TRIGGER_WAITS: u64 = 2_000;

/// The latest decisions.
#[derive(Debug, Default)]
pub struct Journal {
    pub(crate) kept: VecDeque<KeptDecision>,
    weight: usize,
    /// Where the cursor moved last.
    selected: Option<(DecisionPlace, Option<TextMisfit>)>,
    /// The last event, and why it does not fit.
    last: Option<(LastEvent, Option<TextMisfit>)>,
    /// Where the editor was told to ask and has not yet.
    triggers: VecDeque<(DocumentId, Moment)>,
    numbers: NumberBook,
}

impl Journal {
    /// The numbers that were counted on the way.
    pub fn numbers(&self) -> &NumberBook {
        &self.numbers
    }

    /// The numbers, to count what only the server sees.
    pub fn numbers_mut(&mut self) -> &mut NumberBook {
        &mut self.numbers
    }
}

impl Observer for Journal {
    fn saw(&mut self, at: Moment, fact: Fact<'_>, scene: &FactScene<'_>) {
        self.numbers.saw(fact);
        match fact {
            Fact::Event(event) => self.saw_event(at, event, scene.core),
            Fact::Order(order) => self.saw_order(at, order, scene),
            Fact::Note(note) => self.saw_note(at, note, scene.core),
            Fact::Measurement(Measurement::Undrawn { request, count }) => {
                self.change(*request, |story, _| story.undrawn = *count);
            }
            Fact::Measurement(_) => {}
        }
    }
}

impl Journal {
    /// Sees what the machine is about to be told. The machine holds the text that the event is about.
    fn saw_event(&mut self, now: Moment, event: &Event, core: &Core) {
        self.last = LastEvent::of(now, event).map(|last| (last, None));
        match event {
            Event::SelectionChanged {
                document,
                version,
                selections,
            } => {
                let at = selections.first().map(|it| it.start());
                let misfit = self.misfit(document, *version, at, core);
                self.selected = Some((spot(document, at, core), misfit));
            }
            Event::DocumentOpened { document, .. } | Event::DocumentClosed { document } => {
                for kept in &mut self.kept {
                    match &mut kept.what {
                        DecisionKind::LetGo(it, _, is_over) if it == document => *is_over = true,
                        _ => {}
                    }
                }
            }
            Event::DiagnosticsChanged {
                document, version, ..
            } => {
                let misfit = self.misfit(document, *version, None, core);
                self.last.iter_mut().for_each(|it| it.1 = misfit);
            }
            Event::SuggestionRequested(SuggestionRequest {
                request,
                document,
                version,
                at,
                cause,
                kind,
            }) => {
                let triggered = match cause {
                    RequestCause::Automatic => self.take_trigger(now, document),
                    RequestCause::Explicit => None,
                };
                let story = RequestStory {
                    request: *request,
                    spot: spot(document, Some(*at), core),
                    cause: *cause,
                    kind: *kind,
                    asked: now,
                    triggered,
                    misfit: self.misfit(document, *version, Some(*at), core),
                    waited: None,
                    unshown: None,
                    looked_at: None,
                    has_joined: false,
                    lanes: PerLane::of(|_| LanePart::Idle),
                    answer: None,
                    undrawn: 0,
                    shown: None,
                    verdict: None,
                };
                self.keep(now, DecisionKind::Request(Box::new(story)));
            }
            Event::SuggestionShown { suggestion } => {
                self.change(suggestion.request, |story, _| {
                    story.shown.get_or_insert(now);
                });
            }
            Event::SuggestionAccepted { suggestion, length } => {
                let verdict = match length {
                    Some(_) => PersonVerdict::AcceptedInPart,
                    None => PersonVerdict::Accepted,
                };
                self.judge(now, *suggestion, verdict);
            }
            Event::SuggestionRejected { suggestion } => {
                self.judge(now, *suggestion, PersonVerdict::Rejected);
            }
            Event::SuggestionIgnored { suggestion } => {
                self.judge(now, *suggestion, PersonVerdict::Ignored);
            }
            _ => {}
        }
    }

    /// Sees an order of the machine.
    fn saw_order(&mut self, now: Moment, order: &Order, scene: &FactScene<'_>) {
        let core = scene.core;
        let fault = |lane| (scene.fault)(lane).map(FaultWords::from);
        match order {
            Order::AskEditor { spot: ask, cause } => {
                self.put_trigger(now, &ask.document);
                let is_held = core.version(&ask.document) == Some(ask.version);
                let spot = spot(&ask.document, is_held.then_some(ask.at), core);
                self.keep(now, DecisionKind::Trigger(spot, *cause));
            }
            Order::StartLane { request, lane, .. } => self.part(*request, *lane, |part| {
                *part = LanePart::Running;
            }),
            Order::AskAhead(question) => {
                let spot = spot(&question.spot.document, Some(question.spot.at), core);
                self.keep(now, DecisionKind::Ahead(spot, question.work()));
            }
            Order::CancelLane {
                request,
                lane,
                reason,
            } => self.part(*request, *lane, |part| {
                if matches!(part, LanePart::Running | LanePart::Held) {
                    *part = LanePart::Stopped(*reason);
                }
            }),
            Order::Answer {
                request,
                answer,
                lanes,
            } => self.answer(now, *request, answer, (lanes, &fault)),
            Order::Resync { document } => {
                let is_held = core.text(document).is_some();
                self.keep(now, DecisionKind::Resync(document.clone(), is_held));
            }
            Order::Join { request, older } => {
                let triggered = self.story(*older).and_then(|story| story.triggered);
                self.change(*request, |story, _| {
                    story.has_joined = true;
                    story.triggered = story.triggered.or(triggered);
                });
            }
            Order::Rest { lane, millis } => {
                self.keep(now, DecisionKind::Rests(*lane, *millis, fault(*lane)));
            }
            Order::Release { document, reason } => {
                self.keep(now, DecisionKind::LetGo(document.clone(), *reason, false));
            }
            Order::Predict { .. }
            | Order::GatherContext { .. }
            | Order::StopAhead { .. }
            | Order::CheckQuota { .. } => {}
        }
    }

    fn saw_note(&mut self, now: Moment, note: &Note, core: &Core) {
        let what = match note {
            Note::IgnoredEvent { document, reason } => {
                let last = self.last.as_ref();
                let last = last.and_then(|(last, misfit)| {
                    let heard = last.is_it(now, document.as_ref(), *reason)?;
                    Some((heard, *misfit))
                });
                DecisionKind::Ignored(Box::new(IgnoredDecision {
                    document: document.clone(),
                    reason: *reason,
                    heard: last.map(|(heard, _)| heard),
                    misfit: last.and_then(|(_, misfit)| misfit),
                }))
            }
            Note::Quiet { document, reason } => {
                let selected = self.selected.as_ref();
                let selected = selected.filter(|(spot, _)| spot.document == *document);
                let spot = DecisionPlace {
                    document: document.clone(),
                    place: selected.and_then(|(spot, _)| spot.place),
                };
                DecisionKind::Quiet(spot, *reason, selected.and_then(|(_, misfit)| *misfit))
            }
            Note::Waits { request, millis } => {
                return self.change(*request, |story, _| story.waited = Some(*millis));
            }
            Note::Spared {
                request,
                lane,
                reason,
            } => return self.part(*request, *lane, |part| *part = LanePart::Spared(*reason)),
            Note::PredictionDropped {
                request, reason, ..
            } => {
                return self.change(*request, |story, _| story.unshown = Some(*reason));
            }
            Note::Held { request, lane } => {
                return self.part(*request, *lane, |part| *part = LanePart::Held);
            }
            Note::AskedAhead { request, lane } => {
                return self.part(*request, *lane, |part| *part = LanePart::Ahead);
            }
            Note::LooksElsewhere {
                request,
                spot: elsewhere,
                ..
            } => {
                let place = spot(&elsewhere.document, Some(elsewhere.at), core);
                return self.change(*request, |story, _| story.looked_at = Some(place));
            }
            Note::Late {
                request,
                lane,
                millis,
            } => {
                let took_ms = *millis;
                return self.part(*request, *lane, |part| *part = LanePart::Late { took_ms });
            }
            Note::TypedOver {
                suggestion, times, ..
            } => return self.judge(now, *suggestion, PersonVerdict::TypedOver(*times)),
            Note::Remembered {
                rejection,
                document,
                edit,
            } => {
                let at = edit.span().map(|span| span.start());
                DecisionKind::Remembered(*rejection, spot(document, at, core))
            }
            Note::Asleep { rejection, because } => DecisionKind::Asleep(*rejection, *because),
            Note::Awake { rejection, because } => DecisionKind::Awake(*rejection, *because),
            Note::Forgotten { rejection, because } => DecisionKind::Forgotten(*rejection, *because),
        };
        self.keep(now, what);
    }

    fn answer(
        &mut self,
        now: Moment,
        request: RequestId,
        answer: &Answer,
        (lanes, fault): (&[LaneReport], &dyn Fn(LaneKind) -> Option<FaultWords>),
    ) {
        let came = match answer {
            Answer::Candidates(offers) => match offers.first() {
                Some(first) => RequestOutcome::Suggested {
                    count: offers.len(),
                    lane: first.lane,
                    from: first.from,
                },
                None => RequestOutcome::Withheld(Reason::NothingFound),
            },
            Answer::Withheld(reason) => RequestOutcome::Withheld(*reason),
        };
        self.change(request, |story, measures| {
            for report in lanes {
                let has_failed = report.lost == Some(Reason::LaneFailed);
                measures.lane(report);
                story.lanes[report.lane] = LanePart::Ended {
                    took_ms: report.took_ms,
                    lost: report.lost,
                    fault: has_failed.then(|| fault(report.lane)).flatten(),
                };
            }
            story.answer = Some((now, came));
            measures.answered(now, story, came);
        });
    }

    /// The person has made up their mind. Going away says nothing after anything else was said.
    fn judge(&mut self, now: Moment, suggestion: SuggestionId, verdict: PersonVerdict) {
        self.change(suggestion.request, |story, measures| {
            let is_silent = matches!(
                verdict,
                PersonVerdict::Ignored | PersonVerdict::TypedOver(_)
            );
            if is_silent && story.verdict.is_some() {
                return;
            }
            if verdict == PersonVerdict::Rejected {
                measures.rejected(now, story);
            }
            story.verdict = Some((now, verdict));
        });
    }

    fn part(&mut self, request: RequestId, lane: LaneKind, change: impl FnOnce(&mut LanePart)) {
        self.change(request, |story, _| {
            change(&mut story.lanes[lane]);
        });
    }

    /// Goes on with the story of a request, if it is still kept.
    fn change(
        &mut self,
        request: RequestId,
        change: impl FnOnce(&mut RequestStory, &mut JournalMeasures),
    ) {
        // Nearly always it is one of the last.
        for kept in self.kept.iter_mut().rev() {
            let before = kept.weight();
            match &mut kept.what {
                DecisionKind::Request(story) if story.request == request => {
                    change(story, &mut self.numbers.measures);
                }
                _ => continue,
            }
            self.weight = self.weight.saturating_sub(before) + kept.weight();
            return self.make_room();
        }
    }

    /// How something about a document does not fit what is held of it, if that is known.
    fn misfit(
        &self,
        document: &DocumentId,
        version: Option<Version>,
        at: Option<ByteOffset>,
        core: &Core,
    ) -> Option<TextMisfit> {
        let Some(text) = core.text(document) else {
            let mut let_go = self.kept.iter().filter_map(|kept| match &kept.what {
                DecisionKind::LetGo(it, _, is_over) => Some((it, is_over)),
                _ => None,
            });
            let is_it = let_go.any(|(it, is_over)| it == document && !is_over);
            return is_it.then_some(TextMisfit::LetGo);
        };
        let is_another = version.is_some_and(|it| core.version(document) != Some(it));
        let is_outside = at.is_some_and(|at| text.check(at).is_err());
        let misfit = match (is_another, is_outside) {
            (true, _) => TextMisfit::AnotherVersion,
            (false, true) => TextMisfit::Outside,
            (false, false) => return None,
        };
        // Where the text itself is not the editor's, that is why.
        let is_in_step = core.open_documents().contains(&document);
        is_in_step.then_some(misfit)
    }

    pub(crate) fn story(&self, request: RequestId) -> Option<&RequestStory> {
        let stories = self.kept.iter().rev().filter_map(|kept| match &kept.what {
            DecisionKind::Request(story) => Some(&**story),
            _ => None,
        });
        stories.into_iter().find(|story| story.request == request)
    }

    /// The document of a rejection, if it was made lately.
    pub(crate) fn document_of(&self, rejection: RejectionId) -> Option<&DocumentId> {
        self.kept.iter().rev().find_map(|kept| match &kept.what {
            DecisionKind::Remembered(it, spot) if *it == rejection => Some(&spot.document),
            _ => None,
        })
    }

    fn keep(&mut self, now: Moment, what: DecisionKind) {
        if let Some(last) = self.kept.back_mut().filter(|last| last.is_same(&what)) {
            last.times = last.times.saturating_add(1);
            last.at = now;
            last.what = what;
            return;
        }
        let kept = KeptDecision::new(now, what);
        self.weight += kept.weight();
        self.kept.push_back(kept);
        self.make_room();
    }

    fn make_room(&mut self) {
        while self.kept.len() > MOST || self.weight > MOST_BYTES {
            let Some(oldest) = self.kept.pop_front() else {
                return;
            };
            self.weight = self.weight.saturating_sub(oldest.weight());
        }
    }

    /// Takes note that the editor was told to ask.
    fn put_trigger(&mut self, now: Moment, document: &DocumentId) {
        self.triggers.retain(|(it, _)| it != document);
        self.triggers.push_back((document.clone(), now));
        if self.triggers.len() > MOST_TRIGGERS {
            self.triggers.pop_front();
        }
    }

    /// When the editor was told to ask, if it asks for that now.
    fn take_trigger(&mut self, now: Moment, document: &DocumentId) -> Option<Moment> {
        let waiting = self.triggers.iter().position(|(it, _)| it == document)?;
        let (_, told) = self.triggers.remove(waiting)?;
        (now.since(told) < TRIGGER_WAITS).then_some(told)
    }
}

fn spot(document: &DocumentId, at: Option<ByteOffset>, core: &Core) -> DecisionPlace {
    let text = core.text(document);
    let place = text.zip(at).and_then(|(text, at)| LineColumn::of(text, at));
    DecisionPlace {
        document: document.clone(),
        place,
    }
}
