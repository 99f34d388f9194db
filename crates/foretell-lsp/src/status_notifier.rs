//! How the server is doing, for clients that show it: ours by `foretell/didChangeStatus`, if they follow
//! that, and Copilot's by what they know.
//!
//! They are told of each change, after every message and every result. A status bar must not blink:
//! that a request waits for a pause is not told, nor that an embedded lane runs, which takes less than
//! a millisecond. A fault that only the person can put right is told until the lane has answered or is
//! set up otherwise, although it is tried again in between.
//!
//! Where a model server reads a long prompt, what is left of that is told once a second, and only when the model
//! has been asked for a second: what is over at once is nothing to look at.
//!
//! Absent on purpose: showing anything to the person, and deciding which lane is left alone, which the
//! machine does.

use std::time::Duration;

use foretell_core::FailureKind;
use foretell_engine::reexports::PromptReading;
use foretell_journal::contested_words;
use foretell_journal::spoken::with_commas;
use foretell_text::LaneKind;
use tokio::time::Instant;

use crate::server::{Server, SessionStage};
use crate::wire_types::{DidChangeStatus, ReadingLine, StatusKind};

pub(crate) const METHOD: &str = "foretell/didChangeStatus";

/// The status as the client knows it.
#[derive(Debug, Default)]
pub(crate) struct StatusNotifier {
    /// Whether it may be told something: it has said `initialized`.
    is_ready: bool,
    /// The last status it was told, by our own notification.
    told: Option<DidChangeStatus>,
    /// Since when a model is being asked.
    asking_since: Option<Instant>,
}

impl StatusNotifier {
    /// From now on the client may be told something.
    pub(crate) fn ready(&mut self) {
        self.is_ready = true;
    }
}

/// How a lane comes to be asked again that is left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RestEnd {
    /// By itself.
    Passes,
    /// When the person has put its settings or its key right.
    IsThePersons,
}

/// How long a model must have been asked for it to be told how far its server is.
const LONG: Duration = Duration::from_secs(1);
/// To how many tokens what is left is rounded.
const ROUNDED: u64 = 100;

impl ReadingLine {
    /// For the person: what the server does, and how long it will.
    fn words(self) -> String {
        let tokens = with_commas(self.tokens);
        match self.seconds {
            Some(seconds) => format!("reading {tokens} tokens, about {seconds} s"),
            None => format!("reading {tokens} tokens"),
        }
    }
}

impl Server {
    /// Tells the client how the server is doing, if it wants to know and that is news.
    pub(crate) fn tell_status(&mut self) {
        if self.stage != SessionStage::Running || !self.status_notifier.is_ready {
            return;
        }
        if self.copilot.is_one() {
            self.tell_copilot();
        }
        if !self.abilities.follows_status {
            return;
        }
        let is_asking = self.engine.is_asking_model();
        let since = self.status_notifier.asking_since;
        self.status_notifier.asking_since = is_asking.then(|| since.unwrap_or_else(Instant::now));
        let status = self.status_now();
        if self.status_notifier.told.as_ref() != Some(&status) {
            self.notify(METHOD, &status);
            self.status_notifier.told = Some(status);
        }
    }

    /// When there is something to tell though nothing happens: a lane has rested for long enough.
    pub(crate) fn status_changes_at(&self) -> Option<Instant> {
        let told = self.status_notifier.told.as_ref()?;
        if told.kind == StatusKind::Working {
            return self.reading_changes_at();
        }
        if told.kind != StatusKind::Resting {
            return None;
        }
        let now = self.engine.now();
        let rests = LaneKind::ALL.map(|it| self.core().rests_until(now, it));
        let first = rests.into_iter().flatten().min()?;
        Some(Instant::now() + Duration::from_millis(first.since(now)))
    }

    /// The next full second since a model has been asked, while its server reads.
    fn reading_changes_at(&self) -> Option<Instant> {
        let since = self.status_notifier.asking_since?;
        self.engine.reading()?;
        let seconds = since.elapsed().as_secs() + 1;
        Some(since + Duration::from_secs(seconds))
    }

    /// How far a model server is with a prompt, if that takes long. What was told holds until a second is
    /// over.
    fn reading_now(&self) -> Option<ReadingLine> {
        let since = self.status_notifier.asking_since?;
        if since.elapsed() < LONG {
            return None;
        }
        let PromptReading { tokens, takes } = self.engine.reading()?;
        Some(ReadingLine {
            tokens: tokens.div_ceil(ROUNDED) * ROUNDED,
            seconds: takes.map(|takes| takes.as_secs_f64().round().max(1.0) as u64),
        })
    }

    /// Why a lane is left alone, in words, if it is.
    pub(crate) fn rest_of(&self, lane: LaneKind) -> Option<(RestEnd, String)> {
        self.core().rests_until(self.engine.now(), lane)?;
        let rest = if self.is_the_persons(lane) {
            RestEnd::IsThePersons
        } else {
            RestEnd::Passes
        };
        let words = format!("{lane} is left alone: {}", self.why_it_rests(lane));
        Some((rest, words))
    }

    /// A fault that needs the person comes first, and a model that is being asked last.
    fn status_now(&self) -> DidChangeStatus {
        let of = |kind, message| DidChangeStatus {
            kind,
            message,
            reading: None,
        };
        if let Some(why) = self.environment.contested() {
            return of(StatusKind::Error, contested_words(why));
        }
        let settings = self.engine.settings();
        let mut lanes = LaneKind::ALL.into_iter();
        let wrong = lanes.find(|it| settings.lanes.of(*it).enabled && self.is_the_persons(*it));
        if let Some(lane) = wrong {
            let why = self.why_it_rests(lane);
            return of(StatusKind::Error, format!("{lane} cannot be asked: {why}"));
        }
        let rests = LaneKind::ALL.into_iter().find_map(|it| self.rest_of(it));
        match rests {
            Some((RestEnd::Passes, words)) => of(StatusKind::Resting, words),
            Some((RestEnd::IsThePersons, words)) => of(StatusKind::Error, words),
            None if self.engine.is_asking_model() => match self.reading_now() {
                Some(reading) => DidChangeStatus {
                    reading: Some(reading),
                    ..of(StatusKind::Working, reading.words())
                },
                None => of(StatusKind::Working, "a model is being asked".to_owned()),
            },
            None => of(StatusKind::Quiet, String::new()),
        }
    }

    /// Whether a lane broke in a way that only the person can put right, and has not answered since.
    fn is_the_persons(&self, lane: LaneKind) -> bool {
        let kind = self.engine.fault(lane).map(|it| it.failure.kind);
        let persons = [FailureKind::NoKey, FailureKind::Misconfigured];
        kind.is_some_and(|it| persons.contains(&it))
    }
}
