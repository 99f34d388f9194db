//! An answer, one JSON payload after the other, however the server frames them.
//!
//! | framing | who | a payload is |
//! | --- | --- | --- |
//! | events | most, streamed | the data of an event; `[DONE]` is the end |
//! | lines | Ollama, streamed | a line |
//! | one | all, not streamed | the whole body |
//!
//! The content type says which, and where it does not fit the first byte, that does: a proxy may have
//! lost it, and servers are careless with it. Payloads are not looked into here.
//!
//! Dropping a [`ServerReply`] closes its connection at once, unless all of the answer has come in, or as
//! good as all: then it is kept for the next request.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use foretell_text::FailureKind;
use futures_util::stream::{BoxStream, StreamExt};
use sse_stream::SseByteStream;

use super::RequestSecrets;
use super::body::{ReadingPatience, ResponseBody};
use super::body_lines::BodyLines;
use super::server_address::ServerAddress;
use crate::lane::LaneFault;

/// How long the end of an answer may take once it has said everything. Some servers send it a little
/// later, and a connection that is closed before it has to be made anew.
const TIME_TO_END: Duration = Duration::from_millis(50);

/// The answer of a server.
pub struct ServerReply {
    address: ServerAddress,
    asked: RequestSecrets,
    framing: ReplyFraming,
    reading: ReadingPatience,
    says_its_end: bool,
    has_spoken: bool,
    is_complete: bool,
}

enum ReplyFraming {
    /// Nothing has come in yet.
    Unknown(ResponseBody),
    Events(EventStream),
    Lines(BodyLines),
    Over,
    Failed(LaneFault),
}

type EventStream = SseByteStream<BoxStream<'static, Result<Bytes, LaneFault>>>;

impl ServerReply {
    pub(super) fn new(body: ResponseBody, asked: RequestSecrets) -> Self {
        ServerReply {
            asked,
            address: body.address().clone(),
            says_its_end: body.says_its_end(),
            reading: body.reading(),
            framing: ReplyFraming::Unknown(body),
            has_spoken: false,
            is_complete: false,
        }
    }

    /// The next payload, which ought to be JSON; nothing at the end. An answer without any payload is
    /// [`FailureKind::Empty`]. After a failure there is nothing but that failure.
    ///
    /// A call that is given up half way loses nothing.
    pub async fn next(&mut self) -> Result<Option<String>, LaneFault> {
        let payload = match self.payload().await {
            Ok(None) if !self.has_spoken => Err(self.fault(
                FailureKind::Empty,
                "answers with nothing: see what the model server logs",
            )),
            payload => payload,
        };
        match &payload {
            Ok(Some(_)) => self.has_spoken = true,
            Ok(None) => self.framing = ReplyFraming::Over,
            Err(fault) => self.framing = ReplyFraming::Failed(fault.clone()),
        }
        payload
    }

    /// Whether the end that [`ServerReply::next`] came to is one: the server said `[DONE]`, or what it sent
    /// is as long as it said. Where neither was said, an answer may have been cut, which only those
    /// can tell who know what its last payload looks like.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Says that all that has come so far is that the server still has so many tokens to read: then the
    /// next payload has as long as the first one had, and what it takes to read them. Nothing if other
    /// things have come.
    pub fn expect_reading(&self, tokens: Option<u64>) {
        self.reading.expect(tokens);
    }

    /// A fault that a payload is, with the server's own words for it, if there are any that can be
    /// repeated.
    pub fn own(&self, fault: LaneFault, payload: &str) -> LaneFault {
        let Some(words) = self.asked.words(payload) else {
            return fault;
        };
        let says = format!("{}; it says: {words}", fault.says);
        LaneFault {
            says: says.into(),
            ..fault
        }
    }

    /// Call it after the last payload: the connection is kept for the next request if the answer ends
    /// soon.
    pub fn finish(mut self) {
        self.take_in_rest();
    }

    /// Waits for the end of an answer that has said everything, in the background.
    fn take_in_rest(&mut self) {
        let rest = std::mem::replace(&mut self.framing, ReplyFraming::Over);
        let waiting = async move {
            match rest {
                ReplyFraming::Events(mut events) => while let Some(Ok(_)) = events.next().await {},
                ReplyFraming::Lines(mut lines) => while let Ok(Some(_)) = lines.next().await {},
                ReplyFraming::Unknown(_) | ReplyFraming::Over | ReplyFraming::Failed(_) => {}
            }
        };
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(tokio::time::timeout(TIME_TO_END, waiting));
        }
    }

    async fn payload(&mut self) -> Result<Option<String>, LaneFault> {
        if let ReplyFraming::Unknown(body) = &mut self.framing {
            let first = body.first_byte().await?;
            self.decide(first)?;
        }
        let payload = match &mut self.framing {
            ReplyFraming::Events(events) => match next_data(events).await {
                Ok(EventData::Payload(payload)) => Some(payload),
                Ok(EventData::Done) => {
                    self.is_complete = true;
                    self.take_in_rest();
                    return Ok(None);
                }
                Ok(EventData::End) => None,
                Err(EventFault::Fault(fault)) => return Err(fault),
                Err(EventFault::Text) => return Err(self.not_text()),
            },
            ReplyFraming::Lines(lines) => match lines.next().await? {
                Some(line) => {
                    let text = String::from_utf8(line);
                    Some(text.map_err(|_| self.not_text())?)
                }
                None => None,
            },
            ReplyFraming::Failed(fault) => return Err(fault.clone()),
            ReplyFraming::Unknown(_) | ReplyFraming::Over => return Ok(None),
        };
        self.is_complete |= payload.is_none() && self.says_its_end;
        Ok(payload)
    }

    /// Chooses a framing for a body that begins with this.
    fn decide(&mut self, first: Option<u8>) -> Result<(), LaneFault> {
        let ReplyFraming::Unknown(body) = std::mem::replace(&mut self.framing, ReplyFraming::Over)
        else {
            return Ok(());
        };
        let Some(first) = first else {
            return Ok(());
        };
        let media_type = body.media_type();
        let is_lines = ["ndjson", "jsonl", "json-lines"]
            .iter()
            .any(|name| media_type.ends_with(name));
        let is_json = is_lines || media_type.ends_with("json");
        let is_events = media_type == "text/event-stream";
        self.framing = match first {
            b'{' | b'[' => ReplyFraming::Lines(BodyLines::new(body, is_lines)),
            // Fields of events and comments begin with these, and no JSON does.
            b'd' | b'e' | b'i' | b'r' | b':' => {
                ReplyFraming::Events(SseByteStream::new(body.stream()))
            }
            _ if is_events => ReplyFraming::Events(SseByteStream::new(body.stream())),
            _ if is_json => ReplyFraming::Lines(BodyLines::new(body, is_lines)),
            _ => {
                return Err(self.fault(
                    FailureKind::MalformedStream,
                    "answers with neither events nor JSON: check that its address is a model \
                     server's",
                ));
            }
        };
        Ok(())
    }

    fn not_text(&self) -> LaneFault {
        self.fault(
            FailureKind::MalformedStream,
            "answers with bytes that are not UTF-8: see what the model server logs",
        )
    }

    fn fault(&self, kind: FailureKind, says: &str) -> LaneFault {
        LaneFault::new(kind, format!("{} {says}", self.address))
    }
}

/// From whom, and how far it is: what a model says belongs in no log.
impl fmt::Debug for ServerReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerReply")
            .field("address", &self.address)
            .field("has_spoken", &self.has_spoken)
            .field("is_complete", &self.is_complete)
            .finish_non_exhaustive()
    }
}

/// The data of an event.
enum EventData {
    Payload(String),
    Done,
    End,
}

/// Why there is no next event.
enum EventFault {
    Fault(LaneFault),
    Text,
}

async fn next_data(events: &mut EventStream) -> Result<EventData, EventFault> {
    while let Some(event) = events.next().await {
        let event = event.map_err(|error| match error {
            sse_stream::Error::Body(cause) => match cause.downcast::<LaneFault>() {
                Ok(fault) => EventFault::Fault(*fault),
                Err(_) => EventFault::Text,
            },
            _ => EventFault::Text,
        })?;
        match event.data {
            Some(data) if data.trim() == "[DONE]" => return Ok(EventData::Done),
            Some(data) if !data.trim().is_empty() => return Ok(EventData::Payload(data)),
            // Names and numbers of events, and data that keeps a connection open.
            _ => {}
        }
    }
    Ok(EventData::End)
}
