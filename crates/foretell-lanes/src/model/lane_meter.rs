//! What a lane knows of its server's speed, and what follows: the size of its prompts, and how far the one is
//! that is being read.
//!
//! Each call is measured by a [`CallMeter`]. What it says goes into the book that lanes share, which has the
//! speed of every server.
//!
//! Absent on purpose: whether a lane is asked at all, which the machine decides.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use foretell_settings::settings;
use foretell_text::{LaneKind, PoisonedLock, TokenUsage};

use super::answer_frame::AnswerFrame;
use super::format::{CHARS_PER_TOKEN, PromptText};
use super::prompt_room::{
    PromptRoom, RoomFacts, SteadySize, makes_longer, tokens_to_read, tokens_to_write,
};
use super::reading_board::{PromptReading, ReadingBoard, ReadingNote};
use super::server_client::address_of;
use super::server_facts::ServerFacts;
use super::server_speed::{ServerSpeed, SpeedBook, SpeedKey, SpeedSample};
use super::speed_clock::{SpeedClock, shared};

/// How much of a prompt may stand in the one before if reading it is to say how fast the server reads, in
/// thousandths.
const MOST_SHARED: usize = 200;

/// How many tokens a second a server reads that is not slow: half as much again as it is given time for.
const NOT_SLOW: f64 = 75.0;

/// The speed of a lane's server.
#[derive(Default)]
pub(super) struct LaneMeter {
    book: Arc<SpeedBook>,
    board: ReadingBoard,
    sizes: Mutex<LaneSizes>,
    /// The last prompt that was sent. It is never told.
    last: Mutex<Option<PromptText>>,
    /// What the last call that was heard came to.
    figures: Mutex<CallFigures>,
    /// Whether prompts are as long as the settings let them, however slow the server is.
    is_measuring: bool,
}

/// What a call came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CallFigures {
    pub(super) sample: SpeedSample,
    pub(super) first_word: Option<Duration>,
    /// How many tokens the server reads at once.
    pub(super) batch: Option<u64>,
    /// Whether how fast it read follows from nothing but the time until its first word.
    pub(super) reads_by_clock: bool,
}

/// The sizes of prompts and answers, for each model that a lane may ask.
#[derive(Default)]
struct LaneSizes {
    typing: ModelSizes,
    person: ModelSizes,
}

impl LaneSizes {
    fn of(&mut self, asks: MeteredLane<'_>) -> &mut ModelSizes {
        if asks.has_own_model() {
            &mut self.person
        } else {
            &mut self.typing
        }
    }
}

#[derive(Clone, Copy, Default)]
struct ModelSizes {
    read: SteadySize,
    written: SteadySize,
}

/// Who asks for a prompt, and which server.
#[derive(Clone, Copy)]
pub(super) struct MeteredLane<'s> {
    pub(super) lane: LaneKind,
    pub(super) settings: &'s settings::LaneSettings,
    pub(super) is_explicit: bool,
}

impl MeteredLane<'_> {
    /// The name of the server and its model in the book; nothing if its settings name none.
    fn key(self, facts: ServerFacts) -> Option<SpeedKey> {
        let address = address_of(self.lane, self.settings).ok()?;
        let model = self.settings.model_for(self.is_explicit);
        let model = model.unwrap_or_default();
        Some(SpeedKey {
            server: format!("{address} {model}").trim_end().to_owned(),
            model: facts.model,
        })
    }

    fn has_own_model(self) -> bool {
        self.is_explicit && self.settings.has_explicit_model()
    }
}

impl LaneMeter {
    /// The meter of a lane that shares a book with others.
    pub(super) fn new(book: Arc<SpeedBook>) -> Self {
        LaneMeter {
            book,
            ..LaneMeter::default()
        }
    }

    /// A meter for measuring a server, whose prompts are not sized by what is known.
    pub(super) fn measuring() -> Self {
        LaneMeter {
            is_measuring: true,
            ..LaneMeter::default()
        }
    }

    /// What the last call came to; nothing of one before counts.
    pub(super) fn take_figures(&self) -> CallFigures {
        std::mem::take(&mut self.figures.lock().unpoison())
    }

    /// How fast the server is, as far as that is known.
    pub(super) fn speed(&self, asks: MeteredLane<'_>, facts: ServerFacts) -> ServerSpeed {
        let key = asks.key(facts);
        key.map_or(ServerSpeed::default(), |key| self.book.speed(&key))
    }

    /// How large the next prompt may be; nothing if nothing limits it.
    pub(super) fn room(&self, asks: MeteredLane<'_>, facts: ServerFacts) -> Option<PromptRoom> {
        let (room, sizes) = self.room_and_sizes(asks, facts);
        let mut kept = self.sizes.lock().unpoison();
        *kept.of(asks) = sizes;
        room
    }

    /// The same of a prompt that is not sent: the next one is as large as it would have been without it.
    pub(super) fn room_unsent(
        &self,
        asks: MeteredLane<'_>,
        facts: ServerFacts,
    ) -> Option<PromptRoom> {
        self.room_and_sizes(asks, facts).0
    }

    fn room_and_sizes(
        &self,
        asks: MeteredLane<'_>,
        facts: ServerFacts,
    ) -> (Option<PromptRoom>, ModelSizes) {
        let MeteredLane { lane, settings, .. } = asks;
        let speed = self.speed(asks, facts);
        let mut sizes = *self.sizes.lock().unpoison().of(asks);
        let is_sized = !self.is_measuring;
        let to_read = tokens_to_read(lane, settings, speed).filter(|_| is_sized);
        let to_write = tokens_to_write(lane, settings, speed).filter(|_| is_sized);
        let read_tokens = sizes.read.step(to_read);
        let written_tokens = sizes.written.step(to_write);
        let facts = RoomFacts {
            lane,
            context_tokens: facts.context_tokens,
            read_tokens,
            written_tokens,
        };
        (PromptRoom::of(facts, settings), sizes)
    }

    /// Begins to measure a call with a prompt.
    pub(super) fn begin(
        &self,
        asks: MeteredLane<'_>,
        prompt: &PromptText,
        speed: ServerSpeed,
    ) -> CallMeter<'_> {
        let is_near = asks.settings.is_on_this_machine();
        let now = Instant::now();
        let last = self.last.lock().unpoison().replace(prompt.clone());
        let shared = shared(last.as_ref(), prompt);
        let length = prompt.len() / CHARS_PER_TOKEN;
        let new = length.saturating_mul(1_000 - shared.min(1_000)) / 1_000;
        let new = u64::try_from(new).unwrap_or(u64::MAX);
        CallMeter {
            clock: SpeedClock::begin(now, (shared <= MOST_SHARED).then_some(new), is_near),
            note: self.board.begin(now, Some(new), speed.read),
            read: speed.read,
        }
    }

    /// Learns what a call says of the server. A speed that follows from nothing but the time until its first
    /// word is the least that it may have, since some of that time passes for a short prompt, too: such a
    /// speed makes prompts longer and never shorter. Shorter ones would seem to be read more slowly, and
    /// become shorter still.
    pub(super) fn learn(&self, asks: MeteredLane<'_>, facts: ServerFacts, figures: CallFigures) {
        if let Some(key) = asks.key(facts) {
            let mut sample = figures.sample;
            if figures.reads_by_clock {
                let known = self.book.speed(&key).read;
                let is_more = |speed: &f64| {
                    known.is_none_or(|known| *speed >= known)
                        && makes_longer(asks.lane, asks.settings, *speed)
                };
                sample.read = sample.read.filter(is_more);
            }
            self.book.learn(&key, sample);
        }
        *self.figures.lock().unpoison() = figures;
    }

    /// How far the prompt is that is being read.
    pub(super) fn reading(&self) -> Option<PromptReading> {
        self.board.read(Instant::now())
    }
}

/// Measures one call, and tells how far it is. Dropping it ends that.
pub(super) struct CallMeter<'b> {
    clock: SpeedClock,
    note: ReadingNote<'b>,
    /// How fast the server reads, as far as that was known before.
    read: Option<f64>,
}

impl CallMeter<'_> {
    pub(super) fn hear(&mut self, now: Instant, frame: &AnswerFrame) {
        self.clock.hear(now, frame);
        self.note.hear(now, frame);
    }

    /// For how many tokens a server that is not slow is to be given time to read, given what is left: one that
    /// is known to be slow, or is seen to be, says nothing for as much longer.
    pub(super) fn tokens_to_wait_for(&self, frame: &AnswerFrame) -> Option<u64> {
        let tokens = frame.tokens_to_read()?;
        let speeds = self.read.into_iter().chain(self.clock.reads());
        let slowest = speeds.reduce(f64::min);
        let longer = slowest.map_or(1.0, |read| (NOT_SLOW / read).max(1.0));
        // A speed is a bounded number.
        Some((tokens as f64 * longer) as u64)
    }

    /// What it came to, given what the server says that it took.
    pub(super) fn figures(&self, told: Option<TokenUsage>) -> CallFigures {
        CallFigures {
            sample: self.clock.sample(told),
            reads_by_clock: self.clock.reads_by_clock(told),
            first_word: self.clock.first_word(),
            batch: self.clock.batch(),
        }
    }
}
