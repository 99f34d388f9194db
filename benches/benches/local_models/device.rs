//! The one machine that all calls share: it answers them one after the other, as fast as it is said to be.
//!
//! The server behind it is real and much faster. It says by its own count how many tokens of a prompt it
//! read anew; the answer is held back until the played machine would have read as many, and then let go
//! token by token.
//!
//! A client that leaves while its prompt is read does not free the machine: a batch is not interrupted, so
//! it is busy until the batch ends (2048 tokens, which most prompts are shorter than). One that leaves
//! while the answer is written frees it at the next token. One that leaves before its turn costs nothing.
//!
//! Two things differ from a server that is really slow. By the time a client leaves, the real one may have
//! read beyond the batch, and written beyond the token, that the played one was at: prompts of more than
//! a batch find more of themselves kept than they should. And calls that would share a batch, in several
//! slots, wait for each other here.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use hyper::body::Bytes;
use hyper::{Method, StatusCode};
use serde_json::Value;
use tokio::sync::mpsc;

use crate::answer_event::{AnswerEvent, ClientWishes, PromptTokens};
use crate::http::{HttpAnswer, HttpError};
use crate::ledger::{Call, CallEnd, Ledger};
use crate::speed::Speed;

/// How many tokens the server reads at a time, unless it is told otherwise.
const BATCH: usize = 2048;

/// How much slower than played a call may be before it counts as late.
const LATE: Duration = Duration::from_millis(50);

/// A call that waits for its turn.
pub(crate) struct PendingCall {
    pub(crate) came_in: Instant,
    pub(crate) path: String,
    pub(crate) body: Value,
    /// Where the answer goes; closed when the client has left.
    pub(crate) answer: mpsc::Sender<AnswerPart>,
}

/// A part of what a client gets.
pub(crate) enum AnswerPart {
    /// The first: what kind of answer it is.
    Head(StatusCode, &'static str),
    Bytes(Bytes),
}

/// The machine.
pub(crate) struct Device {
    pub(crate) server: SocketAddr,
    pub(crate) speed: Speed,
    /// How long a piece has to be that the server has read elsewhere in a prompt, to be moved; 0 is never.
    pub(crate) cache_reuse: u32,
    pub(crate) ledger: Ledger,
}

impl Device {
    /// Answers calls as they come.
    pub(crate) async fn work(self, mut waiting: mpsc::UnboundedReceiver<PendingCall>) {
        while let Some(mut pending) = waiting.recv().await {
            let began = Instant::now();
            let mut work = DeviceWork {
                speed: self.speed,
                began,
                prompt: PromptTokens::default(),
                read: 0,
                written: 0,
                was_late: false,
            };
            let end = if pending.answer.is_closed() {
                CallEnd::LeftWhileWaiting
            } else {
                pending.body["n_cache_reuse"] = self.cache_reuse.into();
                let ended = work.answer(self.server, &mut pending).await;
                ended.unwrap_or(CallEnd::Refused)
            };
            self.ledger.end(Call {
                came_in: pending.came_in,
                began,
                ended: Instant::now(),
                prompt: work.prompt.read + work.prompt.kept,
                read: work.read,
                written: work.written,
                end,
                was_late: work.was_late,
            });
        }
    }
}

/// The machine at one call.
struct DeviceWork {
    speed: Speed,
    began: Instant,
    prompt: PromptTokens,
    read: usize,
    written: usize,
    was_late: bool,
}

impl DeviceWork {
    async fn answer(
        &mut self,
        server: SocketAddr,
        pending: &mut PendingCall,
    ) -> Result<CallEnd, HttpError> {
        let client = &pending.answer;
        let wishes = ClientWishes::take(&mut pending.body).ok_or("not an object")?;
        let body = pending.body.to_string().into();
        let answer = HttpAnswer::to(server, Method::POST, &pending.path, body).await?;
        let status = answer.head.status();
        if status != StatusCode::OK {
            let _ = client
                .send(AnswerPart::Head(status, "application/json"))
                .await;
            let _ = client.send(AnswerPart::Bytes(answer.whole().await?)).await;
            return Ok(CallEnd::Refused);
        }

        let mut stream = EventStream::new(answer);
        let mut is_begun = false;
        let mut said = String::new();
        let mut is_out_of_time = false;
        while let Some(mut event) = stream.next().await? {
            if let Some(prompt) = event.prompt() {
                self.prompt = prompt;
            }
            let moment = match event.progress() {
                Some(read) => self.speed.reading(read),
                None if is_out_of_time => self.writing_took(self.written),
                None => self.writing_took(event.written()),
            };
            if !self.wait(self.began + moment, client).await {
                return self.stop(&mut stream).await;
            }
            if event.progress().is_none() {
                self.read = self.prompt.read;
                match is_out_of_time {
                    true => event.stop_after(self.written),
                    false => self.written = self.written.max(event.written()),
                }
            }
            // What is left of an answer whose time is over is passed over, but for its end.
            if is_out_of_time && !event.is_last() {
                continue;
            }
            if !is_out_of_time {
                said.push_str(event.text());
                let took = self.speed.writing(self.written).as_millis() as u64;
                let is_over = |longest| took > longest && said.contains('\n');
                is_out_of_time = wishes.longest_writing.is_some_and(is_over);
            }
            if !wishes.wants_stream {
                if event.is_last() {
                    event.say_all(&said);
                    let json = event.for_client(self.speed, &wishes).to_string();
                    let _ = client
                        .send(AnswerPart::Head(status, "application/json"))
                        .await;
                    let _ = client.send(AnswerPart::Bytes(json.into())).await;
                }
                continue;
            }
            if !is_begun {
                is_begun = true;
                let _ = client
                    .send(AnswerPart::Head(status, "text/event-stream"))
                    .await;
            }
            let json = event.for_client(self.speed, &wishes);
            let line = format!("data: {json}\n\n");
            let _ = client.send(AnswerPart::Bytes(line.into())).await;
        }
        if stream.has_end_mark && wishes.wants_stream {
            let mark = Bytes::from("data: [DONE]\n\n");
            let _ = client.send(AnswerPart::Bytes(mark)).await;
        }
        Ok(CallEnd::Answered)
    }

    /// From the beginning until so many tokens are written.
    fn writing_took(&self, written: usize) -> Duration {
        self.speed.reading(self.prompt.read) + self.speed.writing(written)
    }

    /// Waits for a moment, unless the client leaves before it.
    async fn wait(&mut self, moment: Instant, client: &mpsc::Sender<AnswerPart>) -> bool {
        if self.speed != Speed::Full {
            self.was_late |= Instant::now() > moment + LATE;
        }
        tokio::select! {
            biased;
            () = client.closed() => false,
            () = tokio::time::sleep_until(moment.into()) => true,
        }
    }

    /// The client has left. The machine may have to go on for a while.
    async fn stop(&mut self, stream: &mut EventStream) -> Result<CallEnd, HttpError> {
        let now = Instant::now();
        // How long the prompt is may not be known yet.
        while self.prompt.read + self.prompt.kept == 0 {
            let event = stream.next().await?.ok_or("no tokens were counted")?;
            self.prompt = event.prompt().unwrap_or_default();
        }
        if now > self.began + self.speed.reading(self.prompt.read) {
            self.read = self.prompt.read;
            return Ok(CallEnd::LeftWhileWriting);
        }
        self.read = self.speed.read_by(self.began, now, self.prompt.read, BATCH);
        let busy_until = self.began + self.speed.reading(self.read);
        tokio::time::sleep_until(busy_until.into()).await;
        Ok(CallEnd::LeftWhileReading)
    }
}

/// The events of an answer.
struct EventStream {
    answer: HttpAnswer,
    unread: Vec<u8>,
    /// Whether the mark was there with which some dialects end.
    has_end_mark: bool,
}

impl EventStream {
    fn new(answer: HttpAnswer) -> Self {
        EventStream {
            answer,
            unread: Vec::new(),
            has_end_mark: false,
        }
    }

    async fn next(&mut self) -> Result<Option<AnswerEvent>, HttpError> {
        loop {
            if let Some(end) = self.unread.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.unread.drain(..=end).collect();
                match line.trim_ascii().strip_prefix(b"data: ") {
                    Some(b"[DONE]") => self.has_end_mark = true,
                    Some(json) => return Ok(Some(AnswerEvent::new(serde_json::from_slice(json)?))),
                    None => (),
                }
                continue;
            }
            match self.answer.next().await? {
                Some(bytes) => self.unread.extend(bytes),
                None => return Ok(None),
            }
        }
    }
}
