//! An answer, from its first payload to the one after which no more is needed.
//!
//! It is over when its reader has enough, which closes the connection, or when the server says so. An
//! answer that just stops was cut, unless its length was known.
//!
//! Servers tell the usage at the end, if at all. Of an answer that was closed before, it is estimated:
//! by the bytes that were sent, and by the payloads that came, each of which is about a token. That is
//! close enough for limits, which is what it is for.
//!
//! While it comes, it is told what of it is certain, and that it goes on.

use std::time::{Duration, Instant};

use foretell_text::{FailureKind, TokenUsage};
use serde_json::Value;
use tokio::time::timeout;

use super::answer_frame::{AnswerEnd, AnswerFrame};
use super::format::AnswerReader;
use super::lane_meter::{CallFigures, CallMeter};
use super::server_client::ServerReply;
use super::server_kind::ServerKind;
use crate::lane::{LaneFault, LaneProgress};

/// How long a server has to say what an answer took, once it has said the answer. Servers that count
/// say it in the same breath, so that it has come already or comes with the next packet. Those that
/// do not count must not keep back an answer that is there: this is less than anybody sees.
const TIME_TO_COUNT: Duration = Duration::from_millis(2);

/// How long an answer goes on before that is told again.
const BETWEEN_BEATS: Duration = Duration::from_secs(1);

/// How many bytes of what is sent are a token, about.
const BYTES_PER_TOKEN: usize = 4;

/// Counts the usage of an answer, and how fast it comes.
pub(super) struct UsageCounter<'b> {
    estimate: TokenUsage,
    told: Option<TokenUsage>,
    meter: CallMeter<'b>,
}

impl<'b> UsageCounter<'b> {
    /// Begins with what is sent.
    pub(super) fn begin(body: &Value, meter: CallMeter<'b>) -> Self {
        let tokens = length(body).div_ceil(BYTES_PER_TOKEN);
        UsageCounter {
            estimate: TokenUsage {
                prompt_tokens: u64::try_from(tokens).unwrap_or(u64::MAX),
                completion_tokens: 0,
                read_tokens: None,
            },
            told: None,
            meter,
        }
    }

    /// What the answer says of the server's speed so far.
    pub(super) fn figures(&self) -> CallFigures {
        self.meter.figures(self.told)
    }

    /// The usage that the server told, or else an estimate.
    pub(super) fn usage(&self) -> TokenUsage {
        self.told.unwrap_or(self.estimate)
    }

    fn add(&mut self, frame: &AnswerFrame) {
        self.meter.hear(Instant::now(), frame);
        self.estimate.completion_tokens += u64::from(!frame.text.is_empty());
        self.hear(frame.usage);
    }

    fn hear(&mut self, told: Option<TokenUsage>) {
        self.told = told.filter(|it| *it != TokenUsage::default()).or(self.told);
    }
}

/// How long all texts of a body are.
fn length(body: &Value) -> usize {
    match body {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(length).sum(),
        Value::Object(fields) => fields.values().map(length).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}

/// Feeds an answer to its reader until that has enough, or it is over. Returns how it ended.
pub(super) async fn hear(
    mut reply: ServerReply,
    kind: ServerKind,
    reader: &mut dyn AnswerReader,
    counted: &mut UsageCounter<'_>,
    progress: &(dyn Fn(LaneProgress) + Sync),
) -> Result<AnswerEnd, LaneFault> {
    let mut told = 0;
    let mut pulse = AnswerPulse::default();
    while let Some(payload) = reply.next().await? {
        let frame = match kind.read(&payload) {
            Ok(frame) => frame,
            Err(fault) => {
                counted.hear(Some(fault.usage));
                return Err(reply.own(fault, &payload));
            }
        };
        counted.add(&frame);
        // A server that says how far it has read is not silent.
        reply.expect_reading(counted.meter.tokens_to_wait_for(&frame));
        if reader.push(&frame.text) {
            return Ok(AnswerEnd::Own);
        }
        let beat = pulse.beat(Instant::now(), &frame);
        if reader.certain_bytes() > told {
            told = reader.certain_bytes();
            progress(LaneProgress::Writing(reader.so_far()));
        } else if let Some(beat) = beat {
            progress(beat);
        }
        if let Some(end) = frame.end {
            count(reply, kind, counted).await;
            return Ok(end);
        }
    }
    if reply.is_complete() {
        Ok(AnswerEnd::Own)
    } else {
        Err(LaneFault::new(
            FailureKind::Cut,
            "the answer stops in the middle: see what the model server logs",
        ))
    }
}

/// Tells now and then that an answer goes on, so that nobody takes it for one that hangs.
#[derive(Debug, Default)]
struct AnswerPulse {
    /// When it was told last.
    told: Option<Instant>,
    /// How many tokens of the prompt were read by then.
    read: u64,
    has_written: bool,
}

impl AnswerPulse {
    /// What there is to tell of the answer now that a frame has come: its first text at once, anything else once a
    /// second. A server that says again how far it was has not gone on.
    fn beat(&mut self, now: Instant, frame: &AnswerFrame) -> Option<LaneProgress> {
        let is_first = !frame.text.is_empty() && !self.has_written;
        let is_soon = self.told.is_some_and(|told| now - told < BETWEEN_BEATS);
        let beat = if !frame.text.is_empty() {
            (is_first || !is_soon).then(|| LaneProgress::Writing(Vec::new()))
        } else {
            let reading = frame.reading.filter(|_| !self.has_written && !is_soon)?;
            let goes_on = reading.read_tokens > self.read.max(reading.cached_tokens);
            self.read = self.read.max(reading.read_tokens);
            goes_on.then_some(LaneProgress::Reading)
        };
        self.has_written |= is_first;
        if beat.is_some() {
            self.told = Some(now);
        }
        beat
    }
}

/// Waits a moment for what an answer took that has been said.
async fn count(mut reply: ServerReply, kind: ServerKind, counted: &mut UsageCounter<'_>) {
    let rest = async {
        while counted.told.is_none() {
            // Whatever goes wrong now, the answer is there.
            let Ok(Some(payload)) = reply.next().await else {
                return;
            };
            let Ok(frame) = kind.read(&payload) else {
                return;
            };
            counted.add(&frame);
        }
    };
    let _ = timeout(TIME_TO_COUNT, rest).await;
    reply.finish();
}
