//! [`Replay`]: drives a [`Core`] through a trace, on a virtual clock.
//!
//! Time is what the lines say. Timers that are due fire before the line of the same moment, and
//! after the last line they run out. Every line and every timer is a [`Turn`], with what came of
//! it, so that whoever reads along sees also the lines of which nothing came. Between turns the
//! machine is as it was right after the last one: its texts are those that the outcomes are about.
//!
//! A replay can play what a trace does not have: an editor that asks as real ones do
//! ([`Requests::Typing`]), and lanes that answer ([`Lanes::Nothing`], [`Lanes::Asked`]). What they do
//! happens in turns of its own, at the moment of what made them do it.
//!
//! A timer is set by the line of the request or the cursor move that it is about.

mod blame;
mod play;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use foretell_core::{
    Action, Answer, Candidate, Core, Event, Fact, Moment, Note, Offer, Order, RejectionId,
    RejectionReports, RequestCause, RequestId, RequestKind, Spot, SuggestionId, Usage,
};
use foretell_settings::{Fault, RawSettings, Settings};
use foretell_text::{ByteOffset, ChangeReason, DocumentId, Edit, LaneKind, Replacement, Text};

use crate::summary::Summary;
use crate::trace::{Line, Request, Trace, What};
use blame::Blame;
pub use play::{Client, Lanes, Play, Requests};

/// A trace that is being replayed.
#[derive(Debug)]
pub struct Replay<'t> {
    trace: &'t Trace,
    play: Play<'t>,
    core: Core,
    next: usize,
    now: Moment,
    /// What all settings are after each line that sets some, in their order.
    settings: VecDeque<Arc<Settings>>,
    blame: Blame,
    /// Turns that have happened and were not fetched yet.
    ready: VecDeque<Turn<'t>>,
    /// Requests that the editor makes at this very moment, with the line that made it.
    asking: VecDeque<(usize, Asks)>,
    /// Lanes that will answer, in the order in which they were started.
    answering: VecDeque<Answers>,
    /// Every request by number: those of the trace, then those that were played.
    requests: Vec<Request>,
    played: u64,
    /// The requests that the trace names, by name.
    names: BTreeMap<&'t str, usize>,
    /// What the trace itself answers.
    answered: BTreeSet<(RequestId, LaneKind)>,
    /// What was suggested, for counting how much of it is accepted.
    offers: BTreeMap<RequestId, Vec<Offer>>,
    summary: Summary,
}

/// One thing that happened, and what came of it.
#[derive(Clone, Debug)]
pub struct Turn<'t> {
    /// When.
    pub at: Moment,
    /// The number of the line that caused it; for a timer, of the line that set it.
    pub line: usize,
    /// What happened.
    pub cause: Cause<'t>,
    /// The text before, of the document that the line is about.
    pub before: Option<Text>,
    /// What came of it, in order.
    pub outcomes: Vec<Outcome>,
}

/// What happened.
#[derive(Clone, Debug)]
pub enum Cause<'t> {
    /// A line of the trace.
    Line(&'t Line),
    /// A timer of the machine.
    Timer,
    /// The editor that is played asks.
    Asks(Asks),
    /// A lane that is played answers.
    Answers(Answers),
}

/// A request of the editor that is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asks {
    /// By which number.
    pub request: RequestId,
    /// In which document.
    pub document: DocumentId,
    /// Where.
    pub at: ByteOffset,
}

/// An answer of a lane that is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answers {
    /// When.
    pub at: Moment,
    /// To which request.
    pub request: RequestId,
    /// Which lane.
    pub lane: LaneKind,
    /// What it suggests, the best first.
    pub candidates: Vec<Candidate>,
}

/// Something that came of a line or a timer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
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

impl Outcome {
    /// The same as a fact, if it is one of the machine's.
    pub fn fact(&self) -> Option<Fact<'_>> {
        match self {
            Outcome::Order(order) => Some(Fact::Order(order)),
            Outcome::Note(note) => Some(Fact::Note(note)),
            Outcome::Checked { .. } => None,
        }
    }

    /// Whether a check came out otherwise than the trace expects.
    pub fn differs(&self) -> bool {
        match self {
            Outcome::Order(_) | Outcome::Note(_) => false,
            Outcome::Checked {
                rejection,
                expected,
            } => expected.is_some_and(|expected| expected != rejection.is_some()),
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
        play: Play<'t>,
    ) -> Result<Self, Vec<Fault>> {
        let mut sources = sources.to_vec();
        let at_first = resolve(&sources)?;
        let mut settings = VecDeque::new();
        for line in &trace.lines {
            if let What::Settings(set) = &line.what {
                sources.push(set.clone());
                settings.push_back(resolve(&sources)?);
            }
        }
        let mut core = Core::new(at_first);
        if play.client == Client::Plain {
            let rejections = RejectionReports::Inferred;
            core.handle(Moment::default(), Event::ClientConnected { rejections });
        }
        Ok(Replay {
            trace,
            play,
            core,
            next: 0,
            now: Moment::default(),
            settings,
            blame: Blame::default(),
            ready: VecDeque::new(),
            asking: VecDeque::new(),
            answering: VecDeque::new(),
            requests: trace.requests.clone(),
            played: 0,
            names: named(trace),
            answered: answered(trace),
            offers: BTreeMap::new(),
            summary: Summary::default(),
        })
    }

    /// Lets the next thing happen, until there is nothing more.
    pub fn advance(&mut self) -> Option<Turn<'t>> {
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

    /// What a request is called, and what it is about.
    pub fn request(&self, id: RequestId) -> Option<&Request> {
        let index = usize::try_from(id.get()).ok()?;
        self.requests.get(index)
    }

    /// What was counted so far.
    pub fn summary(&self) -> Summary {
        Summary {
            counts: self.core.counts(),
            ..self.summary.clone()
        }
    }

    /// Lets the next thing happen, which is told in one turn or, where a timer was set by several
    /// lines, in several.
    fn happen(&mut self) -> Option<Vec<Turn<'t>>> {
        if let Some((line, asks)) = self.asking.pop_front() {
            return Some(vec![self.ask(line, asks)]);
        }
        let untold = |line: &&Line| !self.play.client.tells(&line.what);
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
    fn note(&mut self, turn: &Turn<'t>) {
        self.summary.count(turn);
        self.blame.note(turn);
        for outcome in &turn.outcomes {
            match outcome {
                Outcome::Order(Order::AskEditor { spot, .. }) => {
                    self.expect_request(turn.line, &spot.document, spot.at);
                }
                Outcome::Order(Order::StartLane {
                    request,
                    lane,
                    spot,
                }) => self.expect_answer(turn.at, (*request, *lane), spot),
                Outcome::Order(Order::CancelLane { request, lane, .. }) => {
                    let stopped = |it: &Answers| (it.request, it.lane) == (*request, *lane);
                    self.answering.retain(|answer| !stopped(answer));
                }
                Outcome::Order(_) | Outcome::Note(_) | Outcome::Checked { .. } => {}
            }
        }
        if let Cause::Line(line) = &turn.cause {
            if let What::Event(Event::DocumentChanged {
                document,
                edits,
                reason: ChangeReason::Typed,
                ..
            }) = &line.what
            {
                if let Some(at) = edits.last().and_then(end_of_last_insertion) {
                    self.expect_request(line.number, document, at);
                }
            }
        }
    }

    fn expect_request(&mut self, line: usize, document: &DocumentId, at: ByteOffset) {
        let is_open = self.core.text(document).is_some();
        if self.play.requests == Requests::Typing && is_open {
            let asks = Asks {
                request: self.name_next(document),
                document: document.clone(),
                at,
            };
            self.asking.push_back((line, asks));
        }
    }

    fn expect_answer(&mut self, now: Moment, (request, lane): (RequestId, LaneKind), spot: &Spot) {
        if self.answered.contains(&(request, lane)) {
            return;
        }
        // The answer is to the text as it is now, whatever becomes of it until the answer is there.
        let (latency, candidates) = match self.play.lanes {
            Lanes::Recorded => return,
            Lanes::Nothing { latency } => (latency, Vec::new()),
            Lanes::Asked { by, latency } => (latency, by.answer(&self.core, now, lane, spot)),
        };
        self.answering.push_back(Answers {
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
                    self.requests.push(Request { name, document });
                    self.requests.len() - 1
                }
            };
            return RequestId::new(index as u64);
        }
    }

    fn ask(&mut self, line: usize, asks: Asks) -> Turn<'t> {
        let before = self.core.text(&asks.document).cloned();
        let event = Event::SuggestionRequested {
            request: asks.request,
            document: asks.document.clone(),
            version: None,
            at: asks.at,
            cause: RequestCause::Automatic,
            kind: RequestKind::Inline,
        };
        Turn {
            at: self.now,
            line,
            cause: Cause::Asks(asks),
            before,
            outcomes: self.tell(event),
        }
    }

    fn answer(&mut self, answers: Answers) -> Turn<'t> {
        self.now = self.now.max(answers.at);
        let Answers { request, lane, .. } = answers;
        let event = Event::LaneAnswered {
            request,
            lane,
            candidates: answers.candidates.clone(),
            usage: Usage::default(),
            withheld: 0,
        };
        Turn {
            at: self.now,
            line: self.blame.request(request).unwrap_or_default(),
            cause: Cause::Answers(answers),
            before: None,
            outcomes: self.tell(event),
        }
    }

    fn fire(&mut self, due: Moment) -> Vec<Turn<'t>> {
        // A timer that should have fired already fires now.
        self.now = self.now.max(due);
        self.core.handle_timeout(self.now);
        let mut turns: Vec<Turn<'t>> = Vec::new();
        // What says nothing of its own timer belongs to what follows.
        let mut held = Vec::new();
        for outcome in self.outcomes() {
            let line = self.blame.timer(&outcome);
            held.push(outcome);
            let Some(line) = line else {
                continue;
            };
            match turns.last_mut() {
                Some(turn) if turn.line == line => turn.outcomes.append(&mut held),
                _ => turns.push(Turn {
                    at: self.now,
                    line,
                    cause: Cause::Timer,
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

    fn play(&mut self, line: &'t Line) -> Turn<'t> {
        self.now = line.at;
        let document = line.document();
        let before = document.and_then(|document| self.core.text(document).cloned());
        let outcomes = match &line.what {
            What::Event(event) => self.tell(self.play.client.says(event)),
            What::Accepted { suggestion, length } => {
                let length = length.map(|units| self.bytes_accepted(*suggestion, units));
                let suggestion = *suggestion;
                self.tell(Event::SuggestionAccepted { suggestion, length })
            }
            What::Settings(_) => match self.settings.pop_front() {
                Some(settings) => self.tell(Event::SettingsChanged { settings }),
                None => Vec::new(),
            },
            What::Check(check) => vec![Outcome::Checked {
                rejection: self.core.is_rejected(&check.document, &check.edit),
                expected: check.expect,
            }],
            What::Expect(_) => Vec::new(),
        };
        Turn {
            at: line.at,
            line: line.number,
            cause: Cause::Line(line),
            before,
            outcomes,
        }
    }

    fn tell(&mut self, event: Event) -> Vec<Outcome> {
        self.core.handle(self.now, event);
        self.outcomes()
    }

    fn outcomes(&mut self) -> Vec<Outcome> {
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
            outcomes.push(match action {
                Action::Order(order) => Outcome::Order(order),
                Action::Note(note) => Outcome::Note(note),
            });
        }
        outcomes
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
        What::Event(
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

fn resolve(sources: &[RawSettings]) -> Result<Arc<Settings>, Vec<Fault>> {
    let (settings, faults) = Settings::resolve(sources);
    match faults.is_empty() {
        true => Ok(Arc::new(settings)),
        false => Err(faults),
    }
}
