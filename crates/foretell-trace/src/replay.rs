//! [`Replay`]: drives a [`Core`] through a trace, on a virtual clock.
//!
//! Time is what the lines say. Timers that are due fire before the line of the same moment, and
//! after the last line they run out. Every line and every timer is a [`Turn`], with what came of
//! it, so that whoever reads along sees also the lines of which nothing came. Between turns the
//! machine is as it was right after the last one: its texts are those that the outcomes are about.
//!
//! The machine says when it wants to be told the time, not which of its timers that is. A timer is
//! taken to have been set by the line after which its moment was the next for the first time.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use foretell_core::{
    Action, Answer, Core, Event, Moment, Offer, Reason, Record, RejectionId, RequestId,
    SuggestionId,
};
use foretell_settings::{Fault, RawSettings, Settings};
use foretell_text::{Replacement, Text};

use crate::summary::Summary;
use crate::trace::{Line, Trace, What};

/// A trace that is being replayed.
#[derive(Debug)]
pub struct Replay<'t> {
    trace: &'t Trace,
    core: Core,
    next: usize,
    now: Moment,
    /// What all settings are after each line that sets some, in their order.
    settings: VecDeque<Arc<Settings>>,
    /// The line that set the timer of a moment.
    timers: BTreeMap<Moment, usize>,
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
#[derive(Clone, Copy, Debug)]
pub enum Cause<'t> {
    /// A line of the trace.
    Line(&'t Line),
    /// A timer of the machine.
    Timer,
}

/// Something that came of a line or a timer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The machine wants something done or known.
    Action(Action),
    /// The machine was asked whether an edit is rejected.
    Checked {
        /// The rejection it matches, if it is.
        rejection: Option<RejectionId>,
        /// Whether it should be, where the trace says so.
        expected: Option<bool>,
    },
}

impl Outcome {
    /// Whether a check came out otherwise than the trace expects.
    pub fn differs(&self) -> bool {
        match self {
            Outcome::Action(_) => false,
            Outcome::Checked {
                rejection,
                expected,
            } => expected.is_some_and(|expected| expected != rejection.is_some()),
        }
    }

    /// Whether it says no more than that this version does not act on something.
    pub fn is_not_acted_on(&self) -> bool {
        matches!(
            self,
            Outcome::Action(
                Action::Record(Record::IgnoredEvent {
                    reason: Reason::NotActedOn,
                    ..
                }) | Action::Answer {
                    answer: Answer::Withheld(Reason::NotActedOn),
                    ..
                }
            )
        )
    }
}

impl<'t> Replay<'t> {
    /// A replay with settings from elsewhere, on which those in the trace build.
    ///
    /// Every fault is found here, also where the settings of the trace and those from elsewhere
    /// contradict each other, so that no replay ends in the middle.
    pub fn new(trace: &'t Trace, sources: &[RawSettings]) -> Result<Self, Vec<Fault>> {
        let mut sources = sources.to_vec();
        let at_first = resolve(&sources)?;
        let mut settings = VecDeque::new();
        for line in &trace.lines {
            if let What::Settings(set) = &line.what {
                sources.push(set.clone());
                settings.push_back(resolve(&sources)?);
            }
        }
        Ok(Replay {
            trace,
            core: Core::new(at_first),
            next: 0,
            now: Moment::default(),
            settings,
            timers: BTreeMap::new(),
            offers: BTreeMap::new(),
            summary: Summary::default(),
        })
    }

    /// Lets the next thing happen, until there is nothing more.
    pub fn advance(&mut self) -> Option<Turn<'t>> {
        let line = self.trace.lines.get(self.next);
        let due = self.core.poll_timeout();
        let due = due.filter(|due| line.is_none_or(|line| *due <= line.at));
        let turn = match (due, line) {
            (Some(due), _) => self.fire(due),
            (None, Some(line)) => {
                self.next += 1;
                self.play(line)
            }
            (None, None) => return None,
        };
        if let Some(timer) = self.core.poll_timeout() {
            self.timers.entry(timer).or_insert(turn.line);
        }
        self.summary.count(&turn);
        Some(turn)
    }

    /// The machine, as it is now.
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// The moment it is now.
    pub fn now(&self) -> Moment {
        self.now
    }

    /// What was counted so far.
    pub fn summary(&self) -> Summary {
        Summary {
            counts: self.core.counts(),
            ..self.summary.clone()
        }
    }

    fn fire(&mut self, due: Moment) -> Turn<'t> {
        // A timer that should have fired already fires now.
        self.now = self.now.max(due);
        self.core.handle_timeout(self.now);
        let line = self.timers.get(&due).copied().unwrap_or_default();
        self.timers.retain(|moment, _| *moment > due);
        Turn {
            at: self.now,
            line,
            cause: Cause::Timer,
            before: None,
            outcomes: self.outcomes(),
        }
    }

    fn play(&mut self, line: &'t Line) -> Turn<'t> {
        self.now = line.at;
        let document = line.document();
        let before = document.and_then(|document| self.core.text(document).cloned());
        let outcomes = match &line.what {
            What::Event(event) => self.tell(event.clone()),
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
            if let Action::Answer {
                request,
                answer: Answer::Candidates(offers),
                ..
            } = &action
            {
                self.offers.insert(*request, offers.clone());
            }
            outcomes.push(Outcome::Action(action));
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

fn resolve(sources: &[RawSettings]) -> Result<Arc<Settings>, Vec<Fault>> {
    let (settings, faults) = Settings::resolve(sources);
    match faults.is_empty() {
        true => Ok(Arc::new(settings)),
        false => Err(faults),
    }
}
