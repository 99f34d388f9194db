//! How far a server has read the prompt of a call: written while the call is heard, read by whoever shows it.
//!
//! A server that says how far it is is believed. Of one that does not, it is known how much of the prompt is
//! new and how fast it read before, so that the rest can be told by the clock. Where its speed is not known
//! either, nothing is told, and neither is the end of a prompt.
//!
//! It is about the call that has begun last: one that was given up may end after that.
//!
//! Absent on purpose: words for people, and when to show it.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use foretell_text::PoisonedLock;

use super::answer_frame::AnswerFrame;

/// How many tokens have to be left for them to be told.
const LEAST: u64 = 50;

/// A prompt that is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PromptReading {
    /// How many tokens are still to be read.
    pub tokens: u64,
    /// How long that will take, if the server's speed is known.
    pub takes: Option<Duration>,
}

/// Where it is written. It is empty while nothing is read.
#[derive(Debug, Default)]
pub(super) struct ReadingBoard(Mutex<LatestReading>);

/// The reading of the call that has begun last.
#[derive(Debug, Default)]
struct LatestReading {
    /// How many calls have begun.
    begun: u64,
    entry: Option<BoardEntry>,
}

#[derive(Clone, Copy, Debug)]
struct BoardEntry {
    at: Instant,
    tokens: u64,
    speed: Option<f64>,
}

/// Empties the board when the call is over, however it ends.
pub(super) struct ReadingNote<'b> {
    board: &'b ReadingBoard,
    /// The number of its call.
    number: u64,
}

impl Drop for ReadingNote<'_> {
    fn drop(&mut self) {
        self.write(|entry| *entry = None);
    }
}

impl ReadingBoard {
    /// A call is sent whose prompt has so many new tokens, if that is known.
    pub(super) fn begin(
        &self,
        now: Instant,
        tokens: Option<u64>,
        speed: Option<f64>,
    ) -> ReadingNote<'_> {
        let known = tokens.filter(|_| speed.is_some());
        let entry = known.map(|tokens| BoardEntry {
            at: now,
            tokens,
            speed,
        });
        let mut latest = self.0.lock().unpoison();
        latest.begun += 1;
        latest.entry = entry;
        ReadingNote {
            board: self,
            number: latest.begun,
        }
    }

    /// How much is still to be read.
    pub(super) fn read(&self, now: Instant) -> Option<PromptReading> {
        let BoardEntry { at, tokens, speed } = self.0.lock().unpoison().entry?;
        let passed = now.saturating_duration_since(at);
        // The speed is a bounded number.
        let read = speed.map_or(0, |speed| (passed.as_secs_f64() * speed) as u64);
        let tokens = tokens.saturating_sub(read);
        let takes = speed.map(|speed| tokens as f64 / speed);
        let takes = takes.and_then(|takes| Duration::try_from_secs_f64(takes).ok());
        (tokens >= LEAST).then_some(PromptReading { tokens, takes })
    }
}

impl ReadingNote<'_> {
    /// Takes a frame of the answer in.
    pub(super) fn hear(&self, now: Instant, frame: &AnswerFrame) {
        self.write(|entry| {
            if !frame.text.is_empty() || frame.is_last() {
                *entry = None;
            } else if let Some(tokens) = frame.tokens_to_read() {
                let speed = entry.and_then(|entry| entry.speed);
                *entry = Some(BoardEntry {
                    at: now,
                    tokens,
                    speed,
                });
            }
        });
    }

    /// Writes on the board, unless another call has begun.
    fn write(&self, change: impl FnOnce(&mut Option<BoardEntry>)) {
        let mut latest = self.board.0.lock().unpoison();
        if latest.begun == self.number {
            change(&mut latest.entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::answer_frame::ReadingProgress;

    fn told(reading: Option<PromptReading>) -> Option<(u64, Option<u64>)> {
        let seconds = |takes: Duration| takes.as_secs();
        reading.map(|it| (it.tokens, it.takes.map(seconds)))
    }

    #[test]
    fn what_is_left_is_told_until_the_first_word() {
        let (board, start) = (ReadingBoard::default(), Instant::now());
        let after = |seconds: u64| start + Duration::from_secs(seconds);
        let note = board.begin(start, Some(1_200), Some(300.0));
        assert_eq!(told(board.read(start)), Some((1_200, Some(4))));
        assert_eq!(told(board.read(after(2))), Some((600, Some(2))));
        assert_eq!(told(board.read(after(9))), None);
        let frame = AnswerFrame {
            reading: Some(ReadingProgress {
                all_tokens: 1_200,
                cached_tokens: 0,
                read_tokens: 300,
            }),
            ..AnswerFrame::default()
        };
        note.hear(after(3), &frame);
        assert_eq!(told(board.read(after(3))), Some((900, Some(3))));
        let frame = AnswerFrame {
            text: "x".to_owned(),
            ..AnswerFrame::default()
        };
        note.hear(after(4), &frame);
        assert_eq!(told(board.read(after(4))), None);
    }

    #[test]
    fn a_call_that_is_given_up_leaves_the_next_alone() {
        let (board, start) = (ReadingBoard::default(), Instant::now());
        let older = board.begin(start, Some(1_200), Some(300.0));
        let newer = board.begin(start, Some(600), Some(300.0));
        // It hears its last frame, and ends, when the next has begun.
        let frame = AnswerFrame {
            text: "x".to_owned(),
            ..AnswerFrame::default()
        };
        older.hear(start, &frame);
        assert_eq!(told(board.read(start)), Some((600, Some(2))));
        drop(older);
        assert_eq!(told(board.read(start)), Some((600, Some(2))));
        drop(newer);
        assert_eq!(told(board.read(start)), None);
    }

    #[test]
    fn a_call_that_is_given_up_leaves_nothing() {
        let (board, start) = (ReadingBoard::default(), Instant::now());
        let note = board.begin(start, Some(1_200), Some(300.0));
        assert_eq!(told(board.read(start)), Some((1_200, Some(4))));
        drop(note);
        assert_eq!(told(board.read(start)), None);
        let _note = board.begin(start, Some(1_200), None);
        assert_eq!(told(board.read(start)), None, "nobody knows how long");
    }
}
