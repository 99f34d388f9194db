//! A client that says nonsense: messages of a language client, sound ones and broken ones, as bytes.
//!
//! A seed says what comes. Of every piece the right reading is known, so
//! that a test can tell an answer that is missing from one that is not owed. Texts are written here by
//! hand and not by a library, which would not let them be wrong.
//!
//! | kind | what is wrong |
//! | --- | --- |
//! | [`NonsenseKind::Sound`] | nothing in the message; documents may be unknown, ranges outside, versions old |
//! | [`NonsenseKind::Mutated`] | one field is missing, of another type, too large, too deep, too long or half a character |
//! | [`NonsenseKind::NoMessage`] | JSON, and no message |
//! | [`NonsenseKind::NotJson`] | no JSON: half a body, nested too deep, not even text |
//! | [`NonsenseKind::BrokenHeader`] | a header that says no length |
//! | [`NonsenseKind::WrongLength`] | a header that says too little or too much |
//!
//! Absent on purpose: `shutdown` and `exit`, which are for the test that runs the session.

use std::fmt::Write;

mod message_shapes;

use self::message_shapes::{METHODS, ValueShape};

/// The fault of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NonsenseKind {
    /// Nothing.
    Sound,
    /// One of its fields.
    Mutated,
    /// It is JSON, and no message.
    NoMessage,
    /// It is not JSON.
    NotJson,
    /// Its header does not say how long it is.
    BrokenHeader,
    /// Its header says wrongly how long it is.
    WrongLength,
}

/// The right reading of a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpectedReading {
    /// A request with this id, as JSON has it, which is owed an answer.
    Request(String),
    /// A notification or a response, to which nothing is answered.
    Other,
    /// Something that cannot be read.
    Unreadable,
}

/// Messages without end.
#[derive(Clone, Debug)]
pub struct NonsenseClient {
    state: u64,
    asked: i32,
    version: i32,
    /// How many values are written before one is not as it should be.
    until: Option<usize>,
    /// Whether what was put there can be read.
    is_readable: bool,
}

/// Values that are of no type that anybody wants, and whether they can be read.
const JUNK: [(&str, bool); 20] = [
    ("null", true),
    ("true", true),
    ("-1", true),
    ("0.5", true),
    ("1e308", true),
    ("4294967296", true),
    ("-2147483649", true),
    ("18446744073709551615", true),
    ("99999999999999999999999999", true),
    ("\"\"", true),
    ("\"\\u0000\"", true),
    ("\"file:///%ff%00\"", true),
    ("\"\\ud83d\\ude00\\r\"", true),
    ("[]", true),
    ("{}", true),
    ("[{\"uri\":[]}]", true),
    ("{\"uri\":\"file:///a.rs\",\"version\":null}", true),
    ("1e400", false),
    ("\"\u{1}\"", false),
    ("01", false),
];

/// JSON that is no message.
const NO_MESSAGES: [&str; 10] = [
    "[]",
    "{}",
    "null",
    "1",
    "\"method\"",
    "[{\"id\":1,\"method\":\"shutdown\"}]",
    "{\"id\":1}",
    "{\"method\":7}",
    "{\"id\":1,\"error\":{\"code\":\"x\"}}",
    // A number that no request may have: a server that takes it for a notification never answers it.
    "{\"id\":3000000000,\"method\":\"stress/unknown\"}",
];

/// A message that is as it should be, and to which nothing is answered.
const SOUND: &[u8] = b"{\"jsonrpc\":\"2.0\",\"method\":\"stress/ignored\"}";

const NOT_JSON: [&[u8]; 6] = [
    b"",
    b"{\"id\":1,\"method\":\"stress/unknown\"",
    b"{'id':1}",
    b"\xff\xfe{}",
    b"{\"method\":\"\xc3\x28\"}",
    b"nonsense",
];

const BROKEN_HEADERS: [&str; 6] = [
    "Content-Length 2\r\n\r\n{}",
    "Content-Length: -2\r\n\r\n{}",
    "Content-Length: 99999999999999999999999\r\n\r\n{}",
    "Content-Length: two\r\nX: y\r\n\r\n{}",
    "\r\n",
    ": : :\n\nrest",
];

impl NonsenseClient {
    /// The messages of a seed.
    pub fn new(seed: u64) -> Self {
        let mixed = (seed ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        NonsenseClient {
            state: mixed | 1,
            asked: 0,
            version: 0,
            until: None,
            is_readable: true,
        }
    }

    /// Writes the next piece behind others, and says what it is and what must be read of it, in order.
    pub fn write(&mut self, onto: &mut Vec<u8>) -> (NonsenseKind, Vec<ExpectedReading>) {
        match self.below(64) {
            0..20 => {
                self.until = None;
                self.message(onto)
            }
            20..56 => {
                self.until = Some(self.below(7));
                self.message(onto)
            }
            56 => {
                let body = NO_MESSAGES[self.below(NO_MESSAGES.len())];
                frame(onto, body.as_bytes());
                (NonsenseKind::NoMessage, vec![ExpectedReading::Unreadable])
            }
            57..59 => {
                let body = NOT_JSON[self.below(NOT_JSON.len())];
                frame(onto, body);
                (NonsenseKind::NotJson, vec![ExpectedReading::Unreadable])
            }
            59..62 => {
                let broken = BROKEN_HEADERS[self.below(BROKEN_HEADERS.len())];
                onto.extend_from_slice(broken.as_bytes());
                // The rest of it stands in front of the next header, which is still found.
                frame(onto, SOUND);
                (
                    NonsenseKind::BrokenHeader,
                    vec![ExpectedReading::Unreadable, ExpectedReading::Other],
                )
            }
            _ => self.wrong_length(onto),
        }
    }

    /// A message whose length is too small or too large. What is too large takes the header of another
    /// message with it, which is lost. The one behind is found again.
    fn wrong_length(&mut self, onto: &mut Vec<u8>) -> (NonsenseKind, Vec<ExpectedReading>) {
        let by = 1 + self.below(9);
        let is_short = self.below(2) == 0;
        let length = if is_short {
            SOUND.len() - by
        } else {
            SOUND.len() + by
        };
        onto.extend_from_slice(format!("Content-Length: {length}\r\n\r\n").as_bytes());
        onto.extend_from_slice(SOUND);
        let mut reads = vec![ExpectedReading::Unreadable];
        if !is_short {
            frame(onto, SOUND);
            reads.push(ExpectedReading::Unreadable);
        }
        frame(onto, SOUND);
        reads.push(ExpectedReading::Other);
        (NonsenseKind::WrongLength, reads)
    }

    /// A message of one of the methods there are, or of one that there is not.
    fn message(&mut self, onto: &mut Vec<u8>) -> (NonsenseKind, Vec<ExpectedReading>) {
        let may_mutate = self.until.is_some();
        self.is_readable = true;
        let (method, is_request, params) = loop {
            let known = &METHODS[self.below(METHODS.len())];
            // Some cost much, and are no more likely to break than others.
            if !known.is_rare || self.below(64) == 0 {
                break (known.method, known.is_request, &known.params);
            }
        };
        let mut body = String::with_capacity(256);
        body.push_str("{\"jsonrpc\":\"2.0\"");
        let id = is_request.then(|| self.id());
        if let Some(id) = &id {
            let _ = write!(body, ",\"id\":{id}");
        }
        let _ = write!(body, ",\"method\":\"{method}\",\"params\":");
        self.value(params, &mut body);
        body.push('}');
        frame(onto, body.as_bytes());
        let kind = match (self.is_readable, may_mutate && self.until.is_none()) {
            (false, _) => NonsenseKind::NotJson,
            (true, true) => NonsenseKind::Mutated,
            (true, false) => NonsenseKind::Sound,
        };
        let reads = match (self.is_readable, id) {
            (false, _) => ExpectedReading::Unreadable,
            (true, Some(id)) => ExpectedReading::Request(id),
            (true, None) => ExpectedReading::Other,
        };
        (kind, vec![reads])
    }

    fn value(&mut self, shape: &ValueShape, onto: &mut String) {
        if self.take_turn() {
            return self.junk(onto);
        }
        match shape {
            ValueShape::Object(fields) => {
                onto.push('{');
                let mut is_first = true;
                for (name, shape) in *fields {
                    // One in three that is not as it should be is not there at all.
                    if self.until == Some(0) && self.below(3) == 0 {
                        self.until = None;
                        continue;
                    }
                    if !std::mem::take(&mut is_first) {
                        onto.push(',');
                    }
                    let _ = write!(onto, "\"{name}\":");
                    self.value(shape, onto);
                }
                onto.push('}');
            }
            ValueShape::List(shape) => {
                onto.push('[');
                for number in 0..self.below(3) {
                    if number > 0 {
                        onto.push(',');
                    }
                    self.value(shape, onto);
                }
                onto.push(']');
            }
            ValueShape::Uri => {
                let which = self.below(6);
                let _ = match which {
                    0 => write!(onto, "\"untitled:{}\"", self.below(4)),
                    1 => write!(onto, "\"file:///stress/{}.py\"", self.below(400)),
                    _ => write!(onto, "\"file:///stress/main.rs\""),
                };
            }
            ValueShape::Version => {
                self.version = self.version.wrapping_add(1);
                let version = match self.below(12) {
                    0 => self.version - self.below(20) as i32,
                    _ => self.version,
                };
                let _ = write!(onto, "{version}");
            }
            ValueShape::Number => {
                let number = match self.below(16) {
                    0 => self.below(1 << 31),
                    1 => self.below(200),
                    _ => self.below(6),
                };
                let _ = write!(onto, "{number}");
            }
            ValueShape::Text => {
                let texts = [
                    "x",
                    "let x",
                    "\\n",
                    "😀",
                    "",
                    "\\r\\n",
                    "größe",
                    "\\ud83d\\ude00",
                ];
                let _ = write!(onto, "\"{}\"", texts[self.below(texts.len())]);
            }
            ValueShape::Id => {
                let id = self.id();
                onto.push_str(&id);
            }
            ValueShape::Word(words) => {
                let _ = write!(onto, "\"{}\"", words[self.below(words.len())]);
            }
            ValueShape::Either(values) => onto.push_str(values[self.below(values.len())]),
        }
    }

    /// Counts the next value, and returns whether it is the one that is to be wrong.
    fn take_turn(&mut self) -> bool {
        let until = self.until.take();
        self.until = until.and_then(|it| it.checked_sub(1));
        until == Some(0)
    }

    fn junk(&mut self, onto: &mut String) {
        match self.below(JUNK.len() + 4) {
            0 => {
                let _ = write!(onto, "\"{}\"", "long ".repeat(400));
            }
            1 => nest(60, onto),
            2 => {
                nest(200, onto);
                self.is_readable = false;
            }
            // Half a character, which editors send that think in UTF-16.
            3 => onto.push_str("\"\\ud83d\""),
            which => {
                let (junk, is_readable) = JUNK[which - 4];
                onto.push_str(junk);
                self.is_readable = is_readable;
            }
        }
    }

    /// The name of a request: mostly a new number, sometimes a word or an old one.
    fn id(&mut self) -> String {
        match self.below(16) {
            0 => format!("\"{}\"", self.below(50)),
            1 => self.below(50).to_string(),
            2 => (-(self.below(50) as i32)).to_string(),
            3 => i32::MAX.to_string(),
            _ => {
                self.asked += 1;
                self.asked.to_string()
            }
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        ((self.state >> 11) % bound as u64) as usize
    }
}

/// Lists within lists.
fn nest(depth: usize, onto: &mut String) {
    onto.extend(std::iter::repeat_n('[', depth));
    onto.extend(std::iter::repeat_n(']', depth));
}

/// A body behind its header.
pub fn frame(onto: &mut Vec<u8>, body: &[u8]) {
    onto.extend_from_slice(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes());
    onto.extend_from_slice(body);
}
