//! The bytes of an answer as they come in: never more than a limit, and never without an end.
//!
//! The part that is too much is dropped as it comes, with the connection, so that an answer costs no more
//! memory than it may have. Nothing is lost when a [`ResponseBody::chunk`] is given up half way: the next one
//! goes on from there.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use foretell_text::FailureKind;
use futures_util::stream::{BoxStream, StreamExt, try_unfold};
use reqwest::{Response, Version, header};
use tokio::time::{Instant, timeout_at};

use super::connection_faults;
use super::server_address::ServerAddress;
use crate::lane::LaneFault;

/// How long a server may take for a token of a prompt that it says it reads. Servers read in batches of
/// up to 2,048 and say nothing in between.
const MS_PER_TOKEN: u64 = 20;

/// How much and how long a body may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BodyBounds {
    /// How many bytes it may have.
    pub(super) most: usize,
    /// When it must have begun.
    pub(super) begins_by: Instant,
    /// How long it may pause.
    pub(super) idle: Duration,
    /// How long it may pause while all it says is that the prompt is being read, besides what reading
    /// takes.
    pub(super) while_reading: Duration,
}

/// How long a body may pause because all that it has said so far is that the prompt is being read, if
/// that is so. Clones share it: who understands a body is not who waits for it.
#[derive(Clone, Debug, Default)]
pub(super) struct ReadingPatience(Arc<AtomicU64>);

impl ReadingPatience {
    /// So many tokens are still to be read; nothing if other things were said.
    pub(super) fn expect(&self, tokens: Option<u64>) {
        let ms = tokens.map_or(0, |tokens| {
            tokens.saturating_add(1).saturating_mul(MS_PER_TOKEN)
        });
        self.0.store(ms, Ordering::Relaxed);
    }

    /// What is granted besides the time until an answer must have begun.
    fn get(&self) -> Option<Duration> {
        let ms = self.0.load(Ordering::Relaxed);
        (ms > 0).then(|| Duration::from_millis(ms))
    }
}

/// The body of an answer.
pub(super) struct ResponseBody {
    response: Response,
    address: ServerAddress,
    bounds: BodyBounds,
    taken: usize,
    /// Bytes that were looked at and not taken.
    waiting: Option<Bytes>,
    reading: ReadingPatience,
}

impl ResponseBody {
    /// The body of an answer whose head has come.
    pub(super) fn new(response: Response, address: ServerAddress, mut bounds: BodyBounds) -> Self {
        // However late the head was, what follows may take as long as any pause.
        bounds.begins_by = bounds.begins_by.max(Instant::now() + bounds.idle);
        ResponseBody {
            response,
            address,
            bounds,
            taken: 0,
            waiting: None,
            reading: ReadingPatience::default(),
        }
    }

    /// Lets somebody say how much of the prompt is still to be read.
    pub(super) fn reading(&self) -> ReadingPatience {
        self.reading.clone()
    }

    /// Its media type, such as `text/event-stream`, in lower case; empty if there is none.
    pub(super) fn media_type(&self) -> String {
        let says = self.response.headers().get(header::CONTENT_TYPE);
        let says = says.and_then(|says| says.to_str().ok()).unwrap_or_default();
        let kind = says.split(';').next().unwrap_or_default();
        kind.trim().to_ascii_lowercase()
    }

    /// Whether its end can be told from a connection that broke: it says how long it is, or comes in
    /// chunks of which one is the last.
    pub(super) fn says_its_end(&self) -> bool {
        let headers = self.response.headers();
        self.response.version() >= Version::HTTP_2
            || headers.contains_key(header::CONTENT_LENGTH)
            || headers.contains_key(header::TRANSFER_ENCODING)
    }

    /// The server that it comes from.
    pub(super) fn address(&self) -> &ServerAddress {
        &self.address
    }

    /// Its first byte that is no space; nothing if it has none.
    pub(super) async fn first_byte(&mut self) -> Result<Option<u8>, LaneFault> {
        loop {
            let Some(chunk) = self.chunk().await? else {
                return Ok(None);
            };
            let blank = chunk.iter().take_while(|byte| byte.is_ascii_whitespace());
            let text = chunk.slice(blank.count()..);
            if let Some(first) = text.first().copied() {
                self.waiting = Some(text);
                return Ok(Some(first));
            }
        }
    }

    /// The next bytes, as soon as some have come; nothing at the end.
    pub(super) async fn chunk(&mut self) -> Result<Option<Bytes>, LaneFault> {
        if let Some(waiting) = self.waiting.take() {
            return Ok(Some(waiting));
        }
        let reading = self.reading.get();
        let has_begun = self.taken > 0 && reading.is_none();
        let by = match reading {
            Some(reading) => Instant::now() + self.bounds.while_reading + reading,
            None if has_begun => Instant::now() + self.bounds.idle,
            None => self.bounds.begins_by,
        };
        let address = &self.address;
        let chunk = match timeout_at(by, self.response.chunk()).await {
            Ok(chunk) => chunk.map_err(|error| connection_faults::of(&error, address))?,
            Err(_) if has_begun => {
                let idle = self.bounds.idle.as_millis();
                let says = format!(
                    "{address} fell silent for {idle} ms in the middle of its answer: raise \
                     {}.idleMs if the model is slow",
                    address.setting
                );
                return Err(LaneFault::new(FailureKind::Stalled, says));
            }
            Err(_) => return Err(too_late(address)),
        };
        let Some(chunk) = chunk else {
            return Ok(None);
        };
        self.taken = self.taken.saturating_add(chunk.len());
        if self.taken > self.bounds.most {
            let says = format!(
                "{address} answers with more than {setting}.maxBytes allows: raise it if that is right",
                setting = address.setting
            );
            return Err(LaneFault::new(FailureKind::TooLarge, says));
        }
        Ok(Some(chunk))
    }

    /// All of it as a stream.
    pub(super) fn stream(self) -> BoxStream<'static, Result<Bytes, LaneFault>> {
        let next = |mut body: ResponseBody| async move {
            let chunk = body.chunk().await?;
            Ok(chunk.map(|chunk| (chunk, body)))
        };
        try_unfold(self, next).boxed()
    }

    /// Its beginning, up to about so many bytes, put into `said` as it comes: whoever gives up
    /// waiting has what has come.
    pub(super) async fn beginning(&mut self, most: usize, said: &mut Vec<u8>) {
        while said.len() < most
            && let Ok(Some(chunk)) = self.chunk().await
        {
            said.extend_from_slice(&chunk);
        }
        said.truncate(most);
    }

    /// All that is left of it at once.
    pub(super) async fn rest(&mut self) -> Result<Vec<u8>, LaneFault> {
        let mut all = Vec::new();
        while let Some(chunk) = self.chunk().await? {
            all.extend_from_slice(&chunk);
        }
        Ok(all)
    }
}

/// An answer did not begin in time.
pub(super) fn too_late(address: &ServerAddress) -> LaneFault {
    let says = format!(
        "{address} did not begin to answer in time: raise {}.firstByteMs if the model is slow",
        address.setting
    );
    LaneFault::new(FailureKind::TimedOut, says)
}
