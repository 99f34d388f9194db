//! [`Replay`]: drives a [`Core`] through a trace, on a virtual clock.
//!
//! Time is what the lines say. Timers that are due fire before the line of the same moment, and
//! after the last line they run out. Every line and every timer is a [`ReplayTurn`], with what came of
//! it, so that a reader sees also the lines of which nothing came. Between turns the
//! machine is as it was right after the last one: its texts are those that the outcomes are about.
//!
//! A replay can play what a trace does not have: an editor that asks as real ones do
//! ([`RequestSource::Typing`], [`RequestSource::Everything`]), and lanes that answer ([`LaneSource::Nothing`], [`LaneSource::Asked`]). Their
//! turns are separate, at the moment of what made them act.
//!
//! A timer is set by the line of the request or the cursor move that it is about.

mod blame;
mod play;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use foretell_core::{
    Action, Answer, Core, Event, Fact, LaneCandidate, Moment, Note, Offer, Order, Reason,
    RejectionId, RejectionReports, RequestCause, RequestId, RequestKind, Spot, SuggestionId,
    SuggestionRequest, TokenUsage,
};
use foretell_settings::{RawSettings, Settings, SettingsFault};
use foretell_text::{
    ByteOffset, ChangeReason, DocumentId, Edit, LaneKind, PredictionAsk, Replacement, Text,
    TextProbability,
};

use crate::summary::ReplaySummary;
use crate::trace::{LineContent, NamedRequest, Trace, TraceLine};
use blame::BlamedLines;
pub use play::{ClientKind, LaneSource, ReplayOptions, RequestSource};

/// A trace that is being replayed.
#[derive(Debug)]
pub struct Replay<'t> {
    trace: &'t Trace,
    play: ReplayOptions<'t>,
    core: Core,
    next: usize,
    now: Moment,
    /// All settings after each line that sets some, in their order.
    settings: VecDeque<Arc<Settings>>,
    blame: BlamedLines,
    /// Turns that have happened and were not fetched yet.
    ready: VecDeque<ReplayTurn<'t>>,
    /// Requests that the editor makes at this very moment, with the line that made it.
    asking: VecDeque<(usize, PlayedRequest)>,
    /// Lanes that will answer, in the order in which they were started.
    answering: VecDeque<PlayedAnswer>,
    /// Every request by number: those of the trace, then those that were played.
    requests: Vec<NamedRequest>,
    played: u64,
    /// The requests that the trace names, by name.
    names: BTreeMap<&'t str, usize>,
    /// The requests that the trace itself answers.
    answered: BTreeSet<(RequestId, LaneKind)>,
    /// The suggestions, for counting how much of them is accepted.
    offers: BTreeMap<RequestId, Vec<Offer>>,
    summary: ReplaySummary,
}

/// One thing that happened, and what came of it.
#[derive(Clone, Debug)]
pub struct ReplayTurn<'t> {
    /// When.
    pub at: Moment,
    /// The number of the line that caused it; for a timer, of the line that set it.
    pub line: usize,
    /// The cause.
    pub cause: TurnCause<'t>,
    /// The text before, of the document that the line is about.
    pub before: Option<Text>,
    /// The outcomes, in order.
    pub outcomes: Vec<TurnOutcome>,
}

/// The cause of a turn.
#[derive(Clone, Debug)]
pub enum TurnCause<'t> {
    /// A line of the trace.
    Line(&'t TraceLine),
    /// A timer of the machine.
    Timer,
    /// The editor that is played asks.
    Asks(PlayedRequest),
    /// A lane that is played answers.
    Answers(PlayedAnswer),
}

/// A request of the editor that is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedRequest {
    /// By which number.
    pub request: RequestId,
    /// In which document.
    pub document: DocumentId,
    /// Where.
    pub at: ByteOffset,
    /// The kind of suggestion that it is for.
    pub kind: RequestKind,
}

/// An answer of a lane that is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedAnswer {
    /// When.
    pub at: Moment,
    /// To which request.
    pub request: RequestId,
    /// Which lane.
    pub lane: LaneKind,
    /// Its suggestions, the best first.
    pub candidates: Vec<LaneCandidate>,
}

/// Something that came of a line or a timer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnOutcome {
    /// The machine wants something done.
    Order(Order),
    /// The machine wants something known.
    Note(Note),
    /// The machine was asked whether an edit is rejected.
    Checked {
        /// The rejection it matches, if it is.
        rejection: Option<RejectionId>,
        /// Whether it should be, where the trace says so.
        expected: Option<bool>,
    },
}

impl TurnOutcome {
    /// The same as a fact, if it is one of the machine's.
    pub fn fact(&self) -> Option<Fact<'_>> {
        match self {
            TurnOutcome::Order(order) => Some(Fact::Order(order)),
            TurnOutcome::Note(note) => Some(Fact::Note(note)),
            TurnOutcome::Checked { .. } => None,
        }
    }

    /// Whether a check came out otherwise than the trace expects.
    pub fn differs(&self) -> bool {
        match self {
            TurnOutcome::Order(_) | TurnOutcome::Note(_) => false,
            TurnOutcome::Checked {
                rejection,
                expected,
            } => expected.is_some_and(|expected| expected != rejection.is_some()),
        }
    }

    /// Whether it came of a cursor move itself, and not of the move before, which that one replaced.
    pub fn is_about_this_move(&self) -> bool {
        match self {
            TurnOutcome::Order(order) => matches!(order, Order::AskEditor { .. }),
            TurnOutcome::Note(Note::Quiet { reason, .. }) => *reason != Reason::Superseded,
            TurnOutcome::Note(_) | TurnOutcome::Checked { .. } => false,
        }
    }
}

impl<'t> Replay<'t> {
    /// A replay with settings from elsewhere, on which those in the trace build.
    ///
    /// Every fault is found here, also where the settings of the trace and those from elsewhere
    /// contradict each other, so that no replay ends in the middle.
    pub fn new(
        trace: &'t Trace,
        sources: &[RawSettings],
        play: ReplayOptions<'t>,
    ) -> Result<Self, Vec<SettingsFault>> {
        let mut sources = sources.to_vec();
        let at_first = resolve(&sources)?;
        let mut settings = VecDeque::new();
        for line in &trace.lines {
            if let LineContent::Settings(set) = &line.what {
                sources.push(set.clone());
                settings.push_back(resolve(&sources)?);
            }
        }
        let mut core = Core::new(at_first);
        let is_prediction =
            |line: &TraceLine| matches!(line.what, LineContent::Event(Event::Predicted { .. }));
        let has_predictor = match play.lanes {
            LaneSource::Asked { by, .. } => by.has_predictor(),
            LaneSource::Recorded | LaneSource::Nothing { .. } => false,
        };
        if has_predictor || trace.lines.iter().any(is_prediction) {
            core = core.with_predictor();
        }
        if let Some(usual) = play.usual_gaps {
            core = core.with_usual_gaps(usual.clone());
        }
        if play.client == ClientKind::Plain {
            let rejections = RejectionReports::Inferred;
            let connected = Event::ClientConnected {
                rejections,
                asks_when_told: false,
            };
            core.handle(Moment::default(), connected);
        }
        Ok(Replay {
            trace,
            play,
            core,
            next: 0,
            now: Moment::default(),
            settings,
            blame: BlamedLines::default(),
            ready: VecDeque::new(),
            asking: VecDeque::new(),
            answering: VecDeque::new(),
            requests: trace.requests.clone(),
            played: 0,
            names: named(trace),
            answered: answered(trace),
            offers: BTreeMap::new(),
            summary: ReplaySummary::default(),
        })
    }

    /// Lets the next thing happen, until there is nothing more.
    pub fn advance(&mut self) -> Option<ReplayTurn<'t>> {
        while self.ready.is_empty() {
            let turns = self.happen()?;
            for turn in turns {
                self.note(&turn);
                self.ready.push_back(turn);
            }
        }
        self.ready.pop_front()
    }

    /// The machine, as it is now.
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// The moment it is now.
    pub fn now(&self) -> Moment {
        self.now
    }

    /// The name of a request, and its document.
    pub fn request(&self, id: RequestId) -> Option<&NamedRequest> {
        let index = usize::try_from(id.get()).ok()?;
        self.requests.get(index)
    }

    /// The counts so far.
    pub fn summary(&self) -> ReplaySummary {
        ReplaySummary {
            counts: self.core.counts(),
            ..self.summary.clone()
        }
    }

    /// Lets the next thing happen, which is told in one turn or, where a timer was set by several
    /// lines, in several.
    fn happen(&mut self) -> Option<Vec<ReplayTurn<'t>>> {
        if let Some((line, asks)) = self.asking.pop_front() {
            return Some(vec![self.ask(line, asks)]);
        }
        let untold = |line: &&TraceLine| !self.play.client.tells(&line.what);
        while self.trace.lines.get(self.next).filter(untold).is_some() {
            self.next += 1;
        }
        let line = self.trace.lines.get(self.next);
        let is_before_it = |due: &Moment| line.is_none_or(|line| *due <= line.at);
        let timer = self.core.poll_timeout().filter(is_before_it);
        let answer = self.answering.front().map(|answer| answer.at);
        let answer = answer.filter(is_before_it);
        let answer = answer.filter(|at| timer.is_none_or(|timer| *at <= timer));
        if let Some(answer) = answer.and_then(|_| self.answering.pop_front()) {
            return Some(vec![self.answer(answer)]);
        }
        match (timer, line) {
            (Some(due), _) => Some(self.fire(due)),
            (None, Some(line)) => {
                self.next += 1;
                Some(vec![self.play(line)])
            }
            (None, None) => None,
        }
    }

    /// Takes note of a turn, and of what others do because of it.
    fn note(&mut self, turn: &ReplayTurn<'t>) {
        self.summary.count(turn);
        self.blame.note(turn);
        for outcome in &turn.outcomes {
            match outcome {
                TurnOutcome::Order(Order::AskEditor { spot, .. }) => {
                    for kind in [RequestKind::Inline, RequestKind::Edit] {
                        self.expect_request(turn.line, &spot.document, spot.at, kind);
                    }
                }
                TurnOutcome::Order(Order::StartLane {
                    request,
                    lane,
                    spot,
                    ..
                }) => self.expect_answer(turn.at, *request, *lane, spot),
                TurnOutcome::Order(Order::CancelLane { request, lane, .. }) => {
                    let stopped = |it: &PlayedAnswer| (it.request, it.lane) == (*request, *lane);
                    self.answering.retain(|answer| !stopped(answer));
                }
                TurnOutcome::Order(_) | TurnOutcome::Note(_) | TurnOutcome::Checked { .. } => {}
            }
        }
        if let TurnCause::Line(line) = &turn.cause {
            if let LineContent::Event(Event::DocumentChanged {
                document,
                edits,
                reason,
                ..
            }) = &line.what
            {
                if let Some(at) = edits.last().and_then(end_of_last_insertion) {
                    self.expect_request(line.number, document, at, RequestKind::Edit);
                    if *reason == ChangeReason::Typed {
                        self.expect_request(line.number, document, at, RequestKind::Inline);
                    }
                }
            }
        }
    }

    fn expect_request(
        &mut self,
        line: usize,
        document: &DocumentId,
        at: ByteOffset,
        kind: RequestKind,
    ) {
        let is_open = self.core.text(document).is_some();
        if self.play.requests.asks(kind) && is_open {
            let asks = PlayedRequest {
                request: self.name_next(document),
                document: document.clone(),
                at,
                kind,
            };
            self.asking.push_back((line, asks));
        }
    }

    fn expect_answer(&mut self, now: Moment, request: RequestId, lane: LaneKind, spot: &Spot) {
        if self.answered.contains(&(request, lane)) {
            return;
        }
        // The answer is to the text as it is now, whatever becomes of it until the answer is there.
        let (latency, candidates) = match self.play.lanes {
            LaneSource::Recorded => return,
            LaneSource::Nothing { latency } => (latency, Vec::new()),
            LaneSource::Asked { by, latency } => (latency, by.answer(&self.core, now, lane, spot)),
        };
        self.answering.push_back(PlayedAnswer {
            at: now.after(latency),
            request,
            lane,
            candidates,
        });
    }

    /// The number of the next request that is played: `e1`, `e2` and so on. A name that the trace
    /// answers is that request's; one that the trace itself asks by is left out.
    fn name_next(&mut self, document: &DocumentId) -> RequestId {
        loop {
            self.played += 1;
            let name = format!("e{}", self.played);
            let document = Some(document.clone());
            let known = self.names.get(name.as_str()).copied();
            let asks_itself = |index: &usize| {
                let known = self.trace.requests.get(*index);
                known.is_some_and(|known| known.document.is_some())
            };
            let index = match known {
                Some(index) if asks_itself(&index) => continue,
                Some(index) => {
                    if let Some(request) = self.requests.get_mut(index) {
                        request.document = document;
                    }
                    index
                }
                None => {
                    self.requests.push(NamedRequest { name, document });
                    self.requests.len() - 1
                }
            };
            return RequestId::new(index as u64);
        }
    }

    fn ask(&mut self, line: usize, asks: PlayedRequest) -> ReplayTurn<'t> {
        let before = self.core.text(&asks.document).cloned();
        let event = Event::SuggestionRequested(SuggestionRequest {
            request: asks.request,
            document: asks.document.clone(),
            version: None,
            at: asks.at,
            cause: RequestCause::Automatic,
            kind: asks.kind,
        });
        ReplayTurn {
            at: self.now,
            line,
            cause: TurnCause::Asks(asks),
            before,
            outcomes: self.tell(event),
        }
    }

    fn answer(&mut self, answers: PlayedAnswer) -> ReplayTurn<'t> {
        self.now = self.now.max(answers.at);
        let PlayedAnswer { request, lane, .. } = answers;
        let event = Event::LaneAnswered {
            request,
            lane,
            candidates: answers.candidates.clone(),
            usage: TokenUsage::default(),
            withheld: 0,
        };
        ReplayTurn {
            at: self.now,
            line: self.blame.request(request).unwrap_or_default(),
            cause: TurnCause::Answers(answers),
            before: None,
            outcomes: self.tell(event),
        }
    }

    fn fire(&mut self, due: Moment) -> Vec<ReplayTurn<'t>> {
        // A timer that should have fired already fires now.
        self.now = self.now.max(due);
        self.core.handle_timeout(self.now);
        let mut turns: Vec<ReplayTurn<'t>> = Vec::new();
        // An action that says nothing of its timer belongs to the one that follows.
        let mut held = Vec::new();
        for outcome in self.outcomes() {
            let line = self.blame.timer(&outcome);
            held.push(outcome);
            let Some(line) = line else {
                continue;
            };
            match turns.last_mut() {
                Some(turn) if turn.line == line => turn.outcomes.append(&mut held),
                _ => turns.push(ReplayTurn {
                    at: self.now,
                    line,
                    cause: TurnCause::Timer,
                    before: None,
                    outcomes: std::mem::take(&mut held),
                }),
            }
        }
        if let Some(turn) = turns.last_mut() {
            turn.outcomes.append(&mut held);
        }
        turns
    }

    fn play(&mut self, line: &'t TraceLine) -> ReplayTurn<'t> {
        self.now = line.at;
        let document = line.document();
        let before = document.and_then(|document| self.core.text(document).cloned());
        let outcomes = match &line.what {
            LineContent::Event(event) => self.tell(self.play.client.says(event)),
            LineContent::Accepted { suggestion, length } => {
                let length = length.map(|units| self.bytes_accepted(*suggestion, units));
                let suggestion = *suggestion;
                self.tell(Event::SuggestionAccepted { suggestion, length })
            }
            LineContent::Settings(_) => match self.settings.pop_front() {
                Some(settings) => self.tell(Event::SettingsChanged { settings }),
                None => Vec::new(),
            },
            LineContent::Check(check) => vec![TurnOutcome::Checked {
                rejection: self.core.is_rejected(&check.document, &check.edit),
                expected: check.expect,
            }],
            LineContent::Expect(_) => Vec::new(),
        };
        ReplayTurn {
            at: line.at,
            line: line.number,
            cause: TurnCause::Line(line),
            before,
            outcomes,
        }
    }

    fn tell(&mut self, event: Event) -> Vec<TurnOutcome> {
        let by = match self.play.lanes {
            LaneSource::Asked { by, .. } => Some(by),
            LaneSource::Recorded | LaneSource::Nothing { .. } => None,
        };
        if let Some(by) = by {
            by.before(&self.core, &event);
        }
        self.core.handle(self.now, event);
        if let Some(by) = by {
            by.after(&self.core);
        }
        self.outcomes()
    }

    fn outcomes(&mut self) -> Vec<TurnOutcome> {
        let mut outcomes = Vec::new();
        while let Some(action) = self.core.poll_action() {
            if let Action::Order(Order::Answer {
                request,
                answer: Answer::Candidates(offers),
                ..
            }) = &action
            {
                self.offers.insert(*request, offers.clone());
            }
            if let (Action::Order(order), LaneSource::Asked { by, .. }) = (&action, self.play.lanes)
            {
                by.ordered(order);
            }
            if let Action::Order(Order::Predict {
                request,
                spot,
                ask,
                threshold,
            }) = &action
            {
                self.predict(*request, spot, *ask, *threshold);
            }
            outcomes.push(match action {
                Action::Order(order) => TurnOutcome::Order(order),
                Action::Note(note) => TurnOutcome::Note(note),
            });
        }
        outcomes
    }

    /// Tells what the predictor that answers at once says, in the turn in which it is asked.
    fn predict(
        &mut self,
        request: RequestId,
        spot: &Spot,
        ask: PredictionAsk,
        threshold: TextProbability,
    ) {
        let LaneSource::Asked { by, .. } = self.play.lanes else {
            return;
        };
        if !by.has_predictor() {
            return;
        }
        let prediction = by.predict(&self.core, spot, ask, threshold);
        self.core.handle(
            self.now,
            Event::Predicted {
                request,
                prediction,
                withheld: 0,
            },
        );
    }

    /// How many bytes of a suggestion were accepted. Of one that was never made nothing is known,
    /// and the machine will say so.
    fn bytes_accepted(&self, suggestion: SuggestionId, units: usize) -> usize {
        let offers = self.offers.get(&suggestion.request);
        let offer = offers.and_then(|offers| offers.get(suggestion.candidate));
        offer.map_or(units, |offer| {
            let replacements = offer.candidate.edit.replacements();
            let text: String = replacements.iter().map(Replacement::new_text).collect();
            self.trace.offsets.bytes_of(&text, units)
        })
    }
}

fn named(trace: &Trace) -> BTreeMap<&str, usize> {
    let requests = trace.requests.iter().enumerate();
    requests
        .map(|(index, request)| (request.name.as_str(), index))
        .collect()
}

/// Which lanes a trace answers for, and for which requests.
fn answered(trace: &Trace) -> BTreeSet<(RequestId, LaneKind)> {
    let answers = trace.lines.iter().filter_map(|line| match &line.what {
        LineContent::Event(
            Event::LaneAnswered { request, lane, .. } | Event::LaneFailed { request, lane, .. },
        ) => Some((*request, *lane)),
        _ => None,
    });
    answers.collect()
}

/// Where a cursor stands after an edit: behind what was put in last, in the text after it.
pub(crate) fn end_of_last_insertion(edit: &Edit) -> Option<ByteOffset> {
    let (last, before) = edit.replacements().split_last()?;
    let start = before.iter().fold(last.range().start().get(), |at, it| {
        at.saturating_add(it.new_text().len())
            .saturating_sub(it.range().len())
    });
    Some(ByteOffset::new(start.saturating_add(last.new_text().len())))
}

fn resolve(sources: &[RawSettings]) -> Result<Arc<Settings>, Vec<SettingsFault>> {
    let (settings, faults) = Settings::resolve(sources);
    if faults.is_empty() {
        Ok(Arc::new(settings))
    } else {
        Err(faults)
    }
}
