//! The clock of one call: what its frames say of the server's speed, checked against the time they took.
//!
//! | what is known | reading is | writing is |
//! | --- | --- | --- |
//! | timings of the server that the clock does not contradict | as they say | as they say |
//! | how far it has read, as it reads | from there to the first word | by the clock, a token for each frame |
//! | neither, on this machine, and nearly all of the prompt is new | from the request to the first word | by the clock |
//! | neither, elsewhere | not known | by the clock, if the server counts |
//!
//! A server's timings leave out what a request waited for, so they are the better ones. They are not believed
//! where they claim a time that has not passed, no time at all, or so little of the time that passed that
//! something else must be true. Servers that say nothing keep some of a prompt, too: what reading took is
//! known by the clock only if the last prompt was a different one.
//!
//! What passes until the first word of a server elsewhere is the way there and a queue: it is as long for a
//! short prompt as for a long one, so that it says nothing of reading.
//!
//! It is pure but for the moments that it is handed.

use std::time::{Duration, Instant};

use foretell_text::TokenUsage;

use super::answer_frame::{AnswerFrame, ReadingProgress, ServerTimings};
use super::format::PromptText;
use super::server_speed::{SpeedSample, tokens_per_second};

/// How many tokens have to be read for a sample: fewer take as long as many do.
const LEAST_READ: u64 = 128;
/// How many have to be written.
const LEAST_WRITTEN: u64 = 8;
/// The shortest time that is told by our own clock.
const SHORTEST: Duration = Duration::from_millis(50);
/// How much longer than the clock a server may say that something took, in percent and besides.
const MORE_PERCENT: u32 = 125;
const MORE: Duration = Duration::from_millis(50);
/// How many times as long as a server says something may have taken by the clock, which may include waiting
/// for others, and how long it may take in any case.
const TIMES_LONGER: u32 = 10;
const LONGER: Duration = Duration::from_millis(500);

/// A call as it is heard.
#[derive(Debug)]
pub(super) struct SpeedClock {
    sent: Instant,
    /// How many tokens the server has to read anew, by our own estimate, where that is known.
    new_tokens: Option<u64>,
    /// Whether the server is on this machine, so that little else passes while it reads.
    is_near: bool,
    first_progress: Option<(Instant, ReadingProgress)>,
    first_text: Option<Instant>,
    last_text: Instant,
    last_frame: Instant,
    /// How many pieces of text have come, each of which is about a token.
    pieces: u64,
    timings: Option<ServerTimings>,
    batch: BatchSteps,
}

/// How a server goes on with a prompt.
#[derive(Clone, Copy, Debug, Default)]
struct BatchSteps {
    /// How far it was when it said so last.
    last: Option<u64>,
    /// How many tokens it read at once, if more followed.
    step: Option<u64>,
}

impl BatchSteps {
    fn hear(&mut self, reading: ReadingProgress) {
        let step = self
            .last
            .and_then(|last| reading.read_tokens.checked_sub(last));
        let is_last = reading.read_tokens >= reading.all_tokens;
        self.step = step.filter(|step| *step > 0 && !is_last).max(self.step);
        self.last = Some(reading.read_tokens);
    }
}

impl SpeedClock {
    /// A call that is sent now.
    pub(super) fn begin(now: Instant, new_tokens: Option<u64>, is_near: bool) -> Self {
        SpeedClock {
            sent: now,
            new_tokens,
            is_near,
            first_progress: None,
            first_text: None,
            last_text: now,
            last_frame: now,
            pieces: 0,
            timings: None,
            batch: BatchSteps::default(),
        }
    }

    /// How long it took until the first word, if there was one.
    pub(super) fn first_word(&self) -> Option<Duration> {
        let first_text = self.first_text?;
        Some(first_text.saturating_duration_since(self.sent))
    }

    /// How many tokens the server reads at once, if it said so.
    pub(super) fn batch(&self) -> Option<u64> {
        self.batch.step
    }

    /// How fast the server reads the prompt, waiting included, by how far it says it is.
    pub(super) fn reads(&self) -> Option<f64> {
        let (_, first) = self.first_progress?;
        let read = self.batch.last?.checked_sub(first.cached_tokens)?;
        read_in(read, self.last_frame.saturating_duration_since(self.sent))
    }

    /// Takes a frame in.
    pub(super) fn hear(&mut self, now: Instant, frame: &AnswerFrame) {
        if let Some(reading) = frame.reading {
            self.first_progress.get_or_insert((now, reading));
            self.batch.hear(reading);
        }
        self.last_frame = now;
        self.timings = frame.timings.or(self.timings);
        if !frame.text.is_empty() {
            self.first_text.get_or_insert(now);
            self.last_text = now;
            self.pieces += 1;
        }
    }

    /// What the call says of the server's speed, given what it says that the call took.
    pub(super) fn sample(&self, told: Option<TokenUsage>) -> SpeedSample {
        let told_new = told.and_then(|told| told.read_tokens);
        let read = self.read_as_told(told_new);
        SpeedSample {
            read: read.unwrap_or_else(|| self.read_by_clock(told_new)),
            written: self.written(told),
        }
    }

    /// Whether how fast the server read would follow from nothing but the time until its first word.
    pub(super) fn reads_by_clock(&self, told: Option<TokenUsage>) -> bool {
        let told_new = told.and_then(|told| told.read_tokens);
        self.read_as_told(told_new).is_none()
    }

    /// How fast it read by what the server says, if it says something that can be; the speed is nothing
    /// where that is not enough to tell.
    fn read_as_told(&self, told_new: Option<u64>) -> Option<Option<f64>> {
        // A server that only reads says nothing until it has read.
        let read_by = self.first_text.unwrap_or(self.last_frame);
        let progress = self.first_progress.map(|(at, reading)| {
            let left = reading.all_tokens.saturating_sub(reading.read_tokens);
            let has_read = reading.read_tokens > reading.cached_tokens;
            let passed = read_by.saturating_duration_since(at);
            (left, passed, has_read)
        });
        // From where the server begins to read, nothing of what passes is waiting.
        let reading = progress.filter(|(_, _, has_read)| !has_read);
        let whole = read_by.saturating_duration_since(self.sent);
        let passed = reading.map_or(whole, |(_, passed, _)| passed);
        if let Some(timings) = self.timings {
            let is_known =
                self.new_tokens.is_some() || told_new.is_some() || timings.is_of_new_tokens;
            if let Some(speed) = believed(timings.read_tokens, timings.reading, passed) {
                let is_enough = is_known && timings.read_tokens >= LEAST_READ;
                return Some(is_enough.then_some(speed));
            }
        }
        let (left, passed, _) = progress.filter(|_| self.first_text.is_some())?;
        Some(read_in(left, passed))
    }

    /// How fast it read by the time until its first word, if that is the time of reading.
    fn read_by_clock(&self, told_new: Option<u64>) -> Option<f64> {
        let first_word = self.first_word().filter(|_| self.is_near)?;
        // None that is read is nothing that was measured.
        let told_new = told_new.filter(|tokens| *tokens > 0);
        read_in(told_new.or(self.new_tokens)?, first_word)
    }

    fn written(&self, told: Option<TokenUsage>) -> Option<f64> {
        let passed = self.last_text.saturating_duration_since(self.first_text?);
        if let Some(timings) = self.timings {
            let whole = self.last_text.saturating_duration_since(self.sent);
            // The first word is there when the prompt has been read.
            let claimed = timings.writing <= longest(whole);
            let speed = believed(timings.written_tokens, timings.writing, passed);
            if let Some(speed) = speed.filter(|_| claimed) {
                return (timings.written_tokens >= LEAST_WRITTEN).then_some(speed);
            }
        }
        let tokens = self.tokens_after_first(told)?;
        let speed = tokens_per_second(tokens, passed.max(SHORTEST));
        speed.filter(|_| tokens >= LEAST_WRITTEN)
    }

    /// How many tokens came after the first piece. A server elsewhere may send many of them in one piece.
    fn tokens_after_first(&self, told: Option<TokenUsage>) -> Option<u64> {
        let after = self.pieces.saturating_sub(1);
        let told = told.map_or(0, |told| told.completion_tokens);
        if told > 0 {
            told.saturating_mul(after).checked_div(self.pieces)
        } else {
            self.is_near.then_some(after)
        }
    }
}

/// The speed of reading so much in a time, if it is enough to tell.
fn read_in(tokens: u64, passed: Duration) -> Option<f64> {
    // So little time is that of the way there as much as of reading.
    let speed = tokens_per_second(tokens, passed.max(SHORTEST));
    speed.filter(|_| tokens >= LEAST_READ)
}

/// The speed that a server claims, unless the clock says that it is wrong.
fn believed(tokens: u64, claimed: Duration, passed: Duration) -> Option<f64> {
    let is_possible = claimed <= longest(passed);
    let is_likely = passed <= claimed.saturating_mul(TIMES_LONGER).max(LONGER);
    let speed = tokens_per_second(tokens, claimed);
    speed.filter(|_| is_possible && is_likely)
}

/// The longest that something may be said to have taken in a time.
fn longest(passed: Duration) -> Duration {
    passed.saturating_mul(MORE_PERCENT) / 100 + MORE
}

/// How much of a prompt stands in the one before, in thousandths, from the beginning on.
pub(super) fn shared(last: Option<&PromptText>, now: &PromptText) -> usize {
    let parts = parts(now);
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let Some(last) = last.filter(|_| length > 0) else {
        return 0;
    };
    let mut same = 0;
    for (part, last) in parts.iter().zip(self::parts(last)) {
        let bytes = part.bytes().zip(last.bytes());
        let count = bytes.take_while(|(one, other)| one == other).count();
        same += count;
        if count < part.len() {
            break;
        }
    }
    same.saturating_mul(1_000) / length
}

fn parts(text: &PromptText) -> [&str; 3] {
    match text {
        PromptText::Continue(text) | PromptText::Edit(text) => [text, "", ""],
        PromptText::FillIn {
            prefix,
            typed,
            suffix,
            ..
        } => [prefix, typed, suffix],
        PromptText::Chat { system, user } => [system, user, ""],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn text(text: &str) -> AnswerFrame {
        AnswerFrame {
            text: text.to_owned(),
            ..AnswerFrame::default()
        }
    }

    /// What is learned of a server that begins to write after a second a token each 50 ms, and claims this.
    fn claims(timings: Option<ServerTimings>) -> SpeedSample {
        let start = Instant::now();
        let mut clock = SpeedClock::begin(start, Some(1_000), true);
        for piece in 0..21 {
            let now = start + ms(1_000 + piece * 50);
            let frame = AnswerFrame {
                timings,
                ..text("x")
            };
            clock.hear(now, &frame);
        }
        clock.sample(None)
    }

    fn timings(read: (u64, Duration), written: (u64, Duration)) -> Option<ServerTimings> {
        Some(ServerTimings {
            cached_tokens: 0,
            read_tokens: read.0,
            reading: read.1,
            written_tokens: written.0,
            writing: written.1,
            is_of_new_tokens: true,
        })
    }

    const BY_THE_CLOCK: SpeedSample = SpeedSample {
        read: Some(1_000.0),
        written: Some(20.0),
    };

    #[test]
    fn a_server_that_says_nothing_is_measured_by_the_clock() {
        assert_eq!(claims(None), BY_THE_CLOCK);
    }

    #[test]
    fn a_server_that_says_what_can_be_is_believed() {
        let told = claims(timings((900, ms(600)), (21, ms(1_000))));
        let expected = SpeedSample {
            read: Some(1_500.0),
            written: Some(21.0),
        };
        assert_eq!(told, expected);
    }

    #[test]
    fn a_server_that_says_nonsense_is_measured_by_the_clock() {
        for nonsense in [
            timings((0, Duration::ZERO), (0, Duration::ZERO)),
            timings((900, Duration::ZERO), (21, Duration::ZERO)),
            timings((900, Duration::MAX), (21, Duration::MAX)),
            // Longer than it took.
            timings((900, ms(60_000)), (21, ms(60_000))),
            // A machine that nobody has.
            timings(
                (900, Duration::from_nanos(1)),
                (21, Duration::from_nanos(1)),
            ),
            timings((u64::MAX, ms(900)), (u64::MAX, ms(900))),
            // Far less than it took.
            timings((900, ms(9)), (21, ms(9))),
        ] {
            assert_eq!(claims(nonsense), BY_THE_CLOCK, "{nonsense:?}");
        }
    }

    #[test]
    fn how_fast_a_server_reads_is_seen_while_it_does() {
        let start = Instant::now();
        let mut clock = SpeedClock::begin(start, None, true);
        let mut reads = |after: Duration, read_tokens: u64| {
            let reading = ReadingProgress {
                all_tokens: 1_100,
                cached_tokens: 100,
                read_tokens,
            };
            let frame = AnswerFrame {
                reading: Some(reading),
                ..AnswerFrame::default()
            };
            clock.hear(start + after, &frame);
            clock.reads()
        };
        assert_eq!(reads(ms(100), 100), None);
        assert_eq!(reads(ms(20_000), 340), Some(12.0));
        assert_eq!(reads(ms(40_000), 580), Some(12.0));
        // What cannot be is not believed.
        assert_eq!(reads(ms(41_000), 3), None);
    }

    #[test]
    fn what_was_waited_for_is_not_reading() {
        let start = Instant::now();
        let mut clock = SpeedClock::begin(start, None, true);
        let frame = AnswerFrame {
            reading: Some(ReadingProgress {
                all_tokens: 1_500,
                cached_tokens: 500,
                read_tokens: 500,
            }),
            ..AnswerFrame::default()
        };
        // Another client was first.
        clock.hear(start + ms(8_000), &frame);
        clock.hear(start + ms(10_000), &text("x"));
        assert_eq!(clock.sample(None).read, Some(500.0));
    }

    #[test]
    fn what_the_server_may_have_kept_says_nothing_of_its_speed() {
        let start = Instant::now();
        let mut clock = SpeedClock::begin(start, None, true);
        clock.hear(start + ms(40), &text("x"));
        assert_eq!(clock.sample(None).read, None);
        assert_eq!(clock.sample(read_anew(18)).read, None);
        assert_eq!(clock.sample(read_anew(200)).read, Some(4_000.0));
    }

    fn read_anew(tokens: u64) -> Option<TokenUsage> {
        Some(TokenUsage {
            read_tokens: Some(tokens),
            ..TokenUsage::default()
        })
    }

    #[test]
    fn the_way_to_a_hosted_server_and_its_queue_are_not_reading() {
        for (is_near, expected) in [(true, Some(2_000.0)), (false, None)] {
            let start = Instant::now();
            let mut clock = SpeedClock::begin(start, Some(4_000), is_near);
            clock.hear(start + ms(2_000), &text("x"));
            let told = read_anew(4_000);
            assert_eq!(clock.sample(told).read, expected);
            assert!(clock.reads_by_clock(told));
        }
    }

    #[test]
    fn a_hosted_model_that_sends_forty_tokens_in_a_piece_is_not_slow() {
        let start = Instant::now();
        let mut clock = SpeedClock::begin(start, None, false);
        for piece in 0..11 {
            clock.hear(start + ms(1_000 + piece * 200), &text("forty tokens"));
        }
        let told = |completion_tokens| {
            Some(TokenUsage {
                completion_tokens,
                ..TokenUsage::default()
            })
        };
        assert_eq!(clock.sample(told(440)).written, Some(200.0));
        // It was closed before it counted.
        assert_eq!(clock.sample(None).written, None);
        assert_eq!(clock.sample(told(u64::MAX)).written, None);
    }

    #[test]
    fn a_prompt_is_new_as_far_as_it_differs_from_the_last() {
        let go_on = |text: &str| PromptText::Continue(text.to_owned());
        assert_eq!(shared(None, &go_on("abcd")), 0);
        assert_eq!(shared(Some(&go_on("abxx")), &go_on("abcd")), 500);
        assert_eq!(shared(Some(&go_on("abcd")), &go_on("abcd")), 1_000);
        let chat = |user: &str| PromptText::Chat {
            system: "same".to_owned(),
            user: user.to_owned(),
        };
        assert_eq!(shared(Some(&chat("1234")), &chat("5678")), 500);
    }
}
