//! The bytes of an answer as they come in: never more than a limit, and never without an end.
//!
//! What is too much is dropped as it comes, with the connection, so that an answer costs no more
//! memory than it may have. Nothing is lost when a [`ResponseBody::chunk`] is given up half way: the next one
//! goes on from there.

use std::time::Duration;

use bytes::Bytes;
use foretell_text::FailureKind;
use futures_util::stream::{BoxStream, StreamExt, try_unfold};
use reqwest::{Response, Version, header};
use tokio::time::{Instant, timeout_at};

use super::connection_faults;
use super::server_address::ServerAddress;
use crate::lane::LaneFault;

/// How much and how long a body may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BodyBounds {
    /// How many bytes it may have.
    pub(super) most: usize,
    /// When it must have begun.
    pub(super) begins_by: Instant,
    /// How long it may pause.
    pub(super) idle: Duration,
}

/// The body of an answer.
pub(super) struct ResponseBody {
    response: Response,
    address: ServerAddress,
    bounds: BodyBounds,
    taken: usize,
    /// Bytes that were looked at and not taken.
    waiting: Option<Bytes>,
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
        }
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

    /// Whose it is.
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
        let has_begun = self.taken > 0;
        let by = if has_begun {
            Instant::now() + self.bounds.idle
        } else {
            self.bounds.begins_by
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
