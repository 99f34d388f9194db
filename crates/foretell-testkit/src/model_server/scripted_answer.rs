//! Scripted answers. An answer begins as a good one; each further word makes it worse.

use std::time::Duration;

/// An answer: its payloads, their framing, and its end.
#[derive(Clone, Debug)]
pub struct ScriptedAnswer {
    status: u16,
    headers: Vec<(String, String)>,
    content_type: Option<String>,
    framing: AnswerFraming,
    pieces: Vec<Vec<u8>>,
    before: Duration,
    between: Duration,
    ending: AnswerEnding,
}

/// How an answer ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerEnding {
    /// As it should; the connection stays open for the next request.
    Good,
    /// As it should, but this much after the last piece.
    Late(Duration),
    /// As it should, and the connection is closed.
    Closed,
    /// With silence, until the client closes the connection.
    Silence,
    /// In the middle of a chunk or before the length that was said: the connection is closed there.
    Cut,
    /// With a chunk whose size is no number.
    BadChunk,
    /// Never: this is repeated until the client closes the connection.
    Endless(Vec<u8>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AnswerFraming {
    /// Nothing is said, not even a head.
    Mute,
    Chunks,
    Length,
    UntilClosed,
    /// The pieces are everything there is, head and all.
    Raw,
}

/// One thing that a connection does.
#[derive(Clone, Debug)]
pub(super) enum AnswerStep {
    Send(Vec<u8>),
    Wait(Duration),
    Silence,
    Close,
    Repeat(Vec<u8>),
}

impl ScriptedAnswer {
    /// A stream of events, each with one of these as its data, and `[DONE]` after them.
    pub fn events<T: AsRef<[u8]>>(data: impl IntoIterator<Item = T>) -> Self {
        let mut answer = Self::events_without_done(data);
        answer.pieces.push(b"data: [DONE]\n\n".to_vec());
        answer
    }

    /// A stream of events that just ends.
    pub fn events_without_done<T: AsRef<[u8]>>(data: impl IntoIterator<Item = T>) -> Self {
        let event = |data: T| [b"data: ", data.as_ref(), b"\n\n"].concat();
        Self::chunks("text/event-stream", data.into_iter().map(event))
    }

    /// A stream of lines.
    pub fn lines<T: AsRef<[u8]>>(lines: impl IntoIterator<Item = T>) -> Self {
        let line = |line: T| [line.as_ref(), b"\n"].concat();
        Self::chunks("application/x-ndjson", lines.into_iter().map(line))
    }

    /// One body of JSON.
    pub fn json(body: impl AsRef<[u8]>) -> Self {
        Self::status(200).body(body)
    }

    /// A status, with nothing more to say.
    pub fn status(status: u16) -> Self {
        ScriptedAnswer {
            status,
            headers: Vec::new(),
            content_type: Some("application/json".to_owned()),
            framing: AnswerFraming::Length,
            pieces: Vec::new(),
            before: Duration::ZERO,
            between: Duration::ZERO,
            ending: AnswerEnding::Good,
        }
    }

    /// Nothing at all, not even a head: the connection stays open and mute.
    pub fn silence() -> Self {
        let mut answer = Self::status(200);
        answer.framing = AnswerFraming::Mute;
        answer.then(AnswerEnding::Silence)
    }

    /// The connection is closed without a word.
    pub fn hang_up() -> Self {
        let mut answer = Self::status(200);
        answer.framing = AnswerFraming::Mute;
        answer.then(AnswerEnding::Closed)
    }

    /// These bytes instead of HTTP, and the connection is closed.
    pub fn raw(bytes: impl AsRef<[u8]>) -> Self {
        let mut answer = Self::status(200).body(bytes);
        answer.framing = AnswerFraming::Raw;
        answer.then(AnswerEnding::Closed)
    }

    /// With a body.
    pub fn body(mut self, body: impl AsRef<[u8]>) -> Self {
        self.pieces = vec![body.as_ref().to_vec()];
        self
    }

    /// With a header.
    pub fn header(mut self, name: &str, says: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), says.into()));
        self
    }

    /// With another content type than is right, or none if it is empty.
    pub fn content_type(mut self, says: &str) -> Self {
        self.content_type = (!says.is_empty()).then(|| says.to_owned());
        self
    }

    /// After a time.
    pub fn after(mut self, time: Duration) -> Self {
        self.before = time;
        self
    }

    /// With a time between pieces.
    pub fn every(mut self, time: Duration) -> Self {
        self.between = time;
        self
    }

    /// In chunks of so many bytes, wherever that is in a frame or a character.
    pub fn in_pieces_of(mut self, bytes: usize) -> Self {
        self.framing = AnswerFraming::Chunks;
        let all = self.pieces.concat();
        self.pieces = all.chunks(bytes).map(<[u8]>::to_vec).collect();
        self
    }

    /// Without saying how long it is: it ends when the connection does.
    pub fn until_closed(mut self) -> Self {
        self.framing = AnswerFraming::UntilClosed;
        match self.ending {
            AnswerEnding::Good => self.then(AnswerEnding::Closed),
            _ => self,
        }
    }

    /// With another ending.
    pub fn then(mut self, ending: AnswerEnding) -> Self {
        self.ending = ending;
        self
    }

    fn chunks(content_type: &str, pieces: impl Iterator<Item = Vec<u8>>) -> Self {
        let mut answer = Self::status(200).content_type(content_type);
        answer.framing = AnswerFraming::Chunks;
        answer.pieces = pieces.collect();
        answer
    }

    /// The steps, one after the other.
    pub(super) fn steps(&self) -> Vec<AnswerStep> {
        let mut steps = Vec::new();
        if !self.before.is_zero() {
            steps.push(AnswerStep::Wait(self.before));
        }
        if !matches!(self.framing, AnswerFraming::Mute | AnswerFraming::Raw) {
            steps.push(AnswerStep::Send(self.head()));
        }
        for (number, piece) in self.pieces.iter().enumerate() {
            if number > 0 && !self.between.is_zero() {
                steps.push(AnswerStep::Wait(self.between));
            }
            steps.push(AnswerStep::Send(self.framed(piece)));
        }
        let is_chunked = self.framing == AnswerFraming::Chunks;
        let last = || AnswerStep::Send(b"0\r\n\r\n".to_vec());
        match &self.ending {
            AnswerEnding::Good if is_chunked => steps.push(last()),
            AnswerEnding::Good => {}
            AnswerEnding::Late(time) => {
                steps.push(AnswerStep::Wait(*time));
                steps.extend(is_chunked.then(last));
            }
            AnswerEnding::Closed if is_chunked => steps.extend([last(), AnswerStep::Close]),
            AnswerEnding::Closed => steps.push(AnswerStep::Close),
            AnswerEnding::Silence => steps.push(AnswerStep::Silence),
            AnswerEnding::Cut if is_chunked => {
                let half = AnswerStep::Send(b"40\r\ndata: {\"half\":".to_vec());
                steps.extend([half, AnswerStep::Close]);
            }
            AnswerEnding::Cut => steps.push(AnswerStep::Close),
            AnswerEnding::BadChunk => {
                steps.extend([
                    AnswerStep::Send(b"many\r\nbytes\r\n".to_vec()),
                    AnswerStep::Close,
                ]);
            }
            AnswerEnding::Endless(bytes) => steps.push(AnswerStep::Repeat(self.framed(bytes))),
        }
        steps
    }

    fn framed(&self, piece: &[u8]) -> Vec<u8> {
        match self.framing {
            // An empty one would be the end.
            AnswerFraming::Chunks if piece.is_empty() => Vec::new(),
            AnswerFraming::Chunks => {
                let size = format!("{:x}\r\n", piece.len());
                [size.as_bytes(), piece, b"\r\n"].concat()
            }
            _ => piece.to_vec(),
        }
    }

    fn head(&self) -> Vec<u8> {
        let mut head = format!("HTTP/1.1 {} as scripted\r\n", self.status);
        if let Some(content_type) = &self.content_type {
            head.push_str(&format!("content-type: {content_type}\r\n"));
        }
        for (name, says) in &self.headers {
            head.push_str(&format!("{name}: {says}\r\n"));
        }
        let length: usize = self.pieces.iter().map(Vec::len).sum();
        match (self.framing, &self.ending) {
            (AnswerFraming::Chunks, _) => head.push_str("transfer-encoding: chunked\r\n"),
            // More than will come.
            (
                AnswerFraming::Length,
                AnswerEnding::Cut | AnswerEnding::Silence | AnswerEnding::Endless(_),
            ) => {
                head.push_str("content-length: 1000000000\r\n");
            }
            (AnswerFraming::Length, _) => head.push_str(&format!("content-length: {length}\r\n")),
            _ => head.push_str("connection: close\r\n"),
        }
        head.push_str("\r\n");
        head.into_bytes()
    }
}
