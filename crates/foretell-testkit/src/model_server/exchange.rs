//! A connection: requests are read, and answers played to them, until one side closes it.
//!
//! The other side is listened to all the time, also while nothing is said: that it has gone is worth
//! knowing at the moment it goes.

use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::Script;
use super::scripted_answer::AnswerStep;
use super::server_history::{ConnectionEvent, ReceivedRequest, ServerHistory};

/// More than any test asks for.
const MOST_REQUEST: usize = 64 * 1024 * 1024;
/// How much is read at once: enough that a benchmark of a client does not measure this.
const AT_ONCE: usize = 64 * 1024;

/// Talks until the connection is closed, and says by whom.
pub(super) async fn converse<S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    number: usize,
    script: &Script,
    history: &ServerHistory,
) -> ConnectionEvent {
    let mut talk = ExchangeStream {
        stream,
        heard: Vec::new(),
    };
    loop {
        let Some(request) = talk.hear().await else {
            return ConnectionEvent::ClosedByClient;
        };
        let answer = script(history.asked(), &request);
        history.note(number, ConnectionEvent::Asked(request));
        for step in answer.steps() {
            let is_there = match step {
                AnswerStep::Send(bytes) => talk.say(&bytes).await,
                AnswerStep::Wait(time) => talk.wait(Some(time)).await,
                AnswerStep::Silence => talk.wait(None).await,
                AnswerStep::Repeat(bytes) => {
                    while talk.say(&bytes).await {}
                    false
                }
                AnswerStep::Close => {
                    history.note(number, ConnectionEvent::Answered);
                    let _ = talk.stream.shutdown().await;
                    return ConnectionEvent::ClosedByServer;
                }
            };
            if !is_there {
                return ConnectionEvent::ClosedByClient;
            }
        }
        history.note(number, ConnectionEvent::Answered);
    }
}

struct ExchangeStream<S> {
    stream: S,
    /// Bytes that have come in and were not understood yet.
    heard: Vec<u8>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> ExchangeStream<S> {
    /// The next request; nothing if the other side has gone.
    async fn hear(&mut self) -> Option<ReceivedRequest> {
        loop {
            if let Some((request, length)) = parse(&self.heard) {
                self.heard.drain(..length);
                return Some(request);
            }
            if !self.listen().await {
                return None;
            }
        }
    }

    /// Says something; false if the other side has gone.
    async fn say(&mut self, bytes: &[u8]) -> bool {
        let said = self.stream.write_all(bytes).await;
        said.is_ok() && self.stream.flush().await.is_ok()
    }

    /// Waits for a time, or for ever; false as soon as the other side has gone.
    async fn wait(&mut self, time: Option<Duration>) -> bool {
        let over = async {
            match time {
                Some(time) => tokio::time::sleep(time).await,
                None => std::future::pending().await,
            }
        };
        tokio::pin!(over);
        loop {
            tokio::select! {
                () = &mut over => return true,
                is_there = self.listen() => if !is_there {
                    return false;
                },
            }
        }
    }

    async fn listen(&mut self) -> bool {
        self.heard.reserve(AT_ONCE);
        let read = self.stream.read_buf(&mut self.heard).await;
        assert!(self.heard.len() < MOST_REQUEST, "a request has no end");
        matches!(read, Ok(1..))
    }
}

/// A request and how long it is, if all of it is there.
fn parse(heard: &[u8]) -> Option<(ReceivedRequest, usize)> {
    let head = heard.windows(4).position(|four| four == b"\r\n\r\n")?;
    let text = String::from_utf8_lossy(&heard[..head]).into_owned();
    let mut lines = text.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let mut request = ReceivedRequest {
        method: first.next()?.to_owned(),
        path: first.next()?.to_owned(),
        ..ReceivedRequest::default()
    };
    for line in lines {
        let (name, says) = line.split_once(':')?;
        let header = (name.to_ascii_lowercase(), says.trim().to_owned());
        request.headers.push(header);
    }
    let length = request.header("content-length").map(str::parse::<usize>);
    let end = head + 4 + length.and_then(Result::ok).unwrap_or(0);
    request.body = heard.get(head + 4..end)?.to_vec();
    Some((request, end))
}
