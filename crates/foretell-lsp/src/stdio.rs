//! Messages over standard input and output.
//!
//! One thread reads, one writes and one hands over to it; the loop is between them. `lsp-server` has
//! such a pair too, but its reader ends with the first message that is not JSON, and asks for as much
//! memory as a header says. This one answers what cannot be read with the error that LSP prescribes,
//! and goes on: after a body it is known where the next message begins, and after a broken header it
//! looks for the next line that ends like one.
//!
//! The pipes themselves are taken away from standard input and output first (`pipes`): nothing else in
//! the process, and no file of a workspace by a link to `/dev/stdin`, reads or writes what is said.

mod pipes;

#[cfg(unix)]
use std::future::poll_fn;
use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
#[cfg(unix)]
use std::task::Poll;
use std::thread;
use std::time::Duration;

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::mpsc;

use crate::drive::{ClientConnection, ServerConnection, SessionEnd, serve_until};
use crate::server_options::ServerOptions;

/// The longest message that is read, in bytes: far more than any document that is worth having open.
const LARGEST: u64 = 256 << 20;

/// How much of a header is read as one line, in bytes.
const LONGEST_LINE: u64 = 64 << 10;

/// How long the end waits for a client that takes no piece of what it was told last. One that takes them,
/// one after the other, is waited for until it has everything: a busy machine may keep it from reading for a
/// good while, and a message that is cut is no message.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long the end waits for the log.
const LOG_PATIENCE: Duration = Duration::from_millis(100);

/// How much is written at once, in bytes: a client that reads is seen to read that often.
const PIECE: usize = 4 << 10;

/// Serves the client at standard input and output until it says `exit` or closes its end. From then on
/// the process has neither: both are empty.
pub fn serve_stdio(start: ServerOptions) -> io::Result<SessionEnd> {
    let (mut input, output) = pipes::take()?;
    let (inside, ClientConnection { says, mut reads }) = ServerConnection::pair();
    let (writes, mut written) = mpsc::channel(UNWRITTEN);
    let answers = writes.clone();
    let unread = Arc::clone(&inside.unreadable);
    // This thread is never joined: it may wait for a client that never says another word.
    thread::Builder::new()
        .name("read".to_owned())
        .spawn(move || {
            read_messages(&mut input, |read| match read {
                Ok(message) => says.blocking_send(message).is_ok(),
                // If there is no room for it, the client has not read for long and is as good as gone.
                Err(unreadable) => {
                    unread.fetch_add(1, Ordering::Relaxed);
                    answers
                        .try_send(WriterMessage::Unreadable(unreadable))
                        .is_ok()
                }
            })
        })?;
    thread::Builder::new()
        .name("tell".to_owned())
        .spawn(move || {
            while let Some(message) = reads.blocking_recv() {
                if writes
                    .blocking_send(WriterMessage::Message(message))
                    .is_err()
                {
                    return;
                }
            }
            // The thread that reads the input may hold the writer.
            drop(writes.blocking_send(WriterMessage::End));
        })?;
    let (ends, end) = sync_channel(1);
    let taken = Arc::new(AtomicU64::new(0));
    let pieces = Arc::clone(&taken);
    thread::Builder::new()
        .name("write".to_owned())
        .spawn(move || {
            let ended = write_all(&mut PieceCounter { output, pieces }, &mut written);
            drop(ends.send(ended));
        })?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let log = start.log.clone();
    let ended = runtime.block_on(async { serve_until(inside, start, told_to_end()).await });
    // A disk that hangs, or a command that a key is to come from, is not waited for.
    runtime.shutdown_background();
    // A client that does not listen any more has gone away, which is an end like any other.
    wait_for_writer(&end, &taken, PATIENCE);
    if let Some(log) = log {
        log.flush(LOG_PATIENCE);
    }
    Ok(ended)
}

/// Waits until everything is written, for as long as the client takes any of it.
fn wait_for_writer(end: &Receiver<io::Result<()>>, taken: &AtomicU64, patience: Duration) {
    let mut before = taken.load(Ordering::Relaxed);
    while let Err(RecvTimeoutError::Timeout) = end.recv_timeout(patience) {
        let now = taken.load(Ordering::Relaxed);
        if now == before {
            return;
        }
        before = now;
    }
}

/// An output that counts the pieces that were taken off it.
struct PieceCounter<W> {
    output: W,
    pieces: Arc<AtomicU64>,
}

impl<W: Write> Write for PieceCounter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let piece = bytes.get(..PIECE).unwrap_or(bytes);
        let written = self.output.write(piece)?;
        self.pieces.fetch_add(1, Ordering::Relaxed);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()?;
        self.pieces.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

/// Waits for a signal to end: editors do not always say so in words.
#[cfg(unix)]
async fn told_to_end() {
    use tokio::signal::unix::{SignalKind, signal};

    let kinds = [
        SignalKind::terminate(),
        SignalKind::interrupt(),
        SignalKind::hangup(),
    ];
    // One that cannot be listened to ends the process, as it would have.
    let mut signals: Vec<_> = kinds.into_iter().filter_map(|it| signal(it).ok()).collect();
    poll_fn(|context| {
        let mut told = signals.iter_mut().map(|it| it.poll_recv(context));
        if told.any(|it| it.is_ready()) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
}

#[cfg(not(unix))]
async fn told_to_end() {
    std::future::pending().await
}

/// How many messages wait for the writer. Unreadable messages are answered before a sender could be
/// told to wait.
const UNWRITTEN: usize = 4 << 10;

/// A job for the writer.
enum WriterMessage {
    Message(Message),
    Unreadable(MessageFault),
    /// Nothing more.
    End,
}

fn write_all(
    output: &mut impl Write,
    written: &mut mpsc::Receiver<WriterMessage>,
) -> io::Result<()> {
    while let Some(next) = written.blocking_recv() {
        match next {
            WriterMessage::Message(message) => message.write(output)?,
            WriterMessage::Unreadable(unreadable) => unreadable.answer(output)?,
            WriterMessage::End => break,
        }
    }
    Ok(())
}

/// Reads messages until there are no more, or the receiver is gone.
pub fn read_messages(
    input: &mut impl BufRead,
    mut take: impl FnMut(Result<Message, MessageFault>) -> bool,
) {
    while let Ok(Some(read)) = read_body(input) {
        let message = read.and_then(|body| {
            let value = serde_json::from_slice(&body);
            let value = value.or_else(|_| serde_json::from_slice(&mended(body)));
            message_of(value.map_err(|_| MessageFault::NotJson)?)
        });
        let is_taken = message.transpose().is_none_or(&mut take);
        if !is_taken {
            return;
        }
    }
}

/// A body in which no escape is half a surrogate pair. Editors that keep text in UTF-16 can split a
/// character, and send the halves. Each becomes a character that is as long in UTF-16, so that the
/// places behind it stay where they are.
fn mended(mut body: Vec<u8>) -> Vec<u8> {
    let unit = |body: &[u8], at: usize| {
        let digits = body.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let mut at = 0;
    while let Some(byte) = body.get(at) {
        at += match (byte, unit(&body, at), unit(&body, at + 6)) {
            (b'\\', Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (b'\\', Some(0xd800..=0xdfff), _) => {
                body.splice(at + 2..at + 6, *b"fffd");
                6
            }
            // Whatever else is escaped is not the beginning of an escape.
            (b'\\', _, _) => 2,
            _ => 1,
        };
    }
    body
}

/// Reads a value as a message. Returns nothing for an answer without an id, which is passed over: if both
/// sides answered each other's answers, they would never stop.
fn message_of(value: Value) -> Result<Option<Message>, MessageFault> {
    let Value::Object(mut said) = value else {
        return Err(MessageFault::NoMessage);
    };
    let is_answer = said.contains_key("result") || said.contains_key("error");
    // A client that gave it an id waits for an answer, and not every id is one that an answer can
    // have.
    let id = said.get("id").filter(|it| !it.is_null());
    let id: Option<RequestId> = id
        .map(RequestId::deserialize)
        .transpose()
        .map_err(|_| MessageFault::NoMessage)?;
    let params = said.remove("params").unwrap_or_default();
    match (said.remove("method"), id) {
        (Some(Value::String(method)), Some(id)) => Ok(Some(Request { id, method, params }.into())),
        (Some(Value::String(method)), None) => Ok(Some(Notification { method, params }.into())),
        (None, Some(_)) => {
            let answer = serde_json::from_value::<Response>(Value::Object(said));
            let answer = answer.map_err(|_| MessageFault::NoMessage)?;
            Ok(Some(answer.into()))
        }
        (None, None) if is_answer => Ok(None),
        (Some(_) | None, _) => Err(MessageFault::NoMessage),
    }
}

/// The body of the next message, or nothing at the end.
fn read_body(input: &mut impl BufRead) -> io::Result<Option<Result<Vec<u8>, MessageFault>>> {
    let mut length = None;
    // A line may be longer than what is read at once, and then its rest is no line of its own.
    let mut is_begun = false;
    loop {
        let mut line = Vec::new();
        if input.take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let is_rest = std::mem::replace(&mut is_begun, !line.ends_with(b"\n"));
        let line = line.trim_ascii();
        if line.is_empty() && !is_rest {
            break;
        }
        length = length_in(line).or(length);
    }
    let Some(length) = length.filter(|it| *it <= LARGEST) else {
        return Ok(Some(Err(MessageFault::NoLength)));
    };
    let mut body = Vec::new();
    let read = input.take(length).read_to_end(&mut body)?;
    if read as u64 == length {
        Ok(Some(Ok(body)))
    } else {
        Ok(None)
    }
}

/// The length in a header line. Text before the name is left over from a message whose own header
/// could not be read.
fn length_in(line: &[u8]) -> Option<u64> {
    const NAME: &[u8] = b"content-length:";
    let mut windows = line.windows(NAME.len());
    let at = windows.rposition(|window| window.eq_ignore_ascii_case(NAME))?;
    let (_, length) = line.split_at(at + NAME.len());
    let length = std::str::from_utf8(length.trim_ascii()).ok()?;
    length.parse().ok()
}

/// Something that is not a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageFault {
    /// Its header does not say how long it is, or says something absurd.
    #[error("a message without a length that makes sense")]
    NoLength,
    /// It is not JSON, or nested too deeply.
    #[error("a message that is not JSON")]
    NotJson,
    /// It is JSON of another kind, or named as no request can be.
    #[error("neither a request nor a notification nor a response")]
    NoMessage,
}

impl MessageFault {
    /// Answers with the fault, without an id, since the request's is unknown.
    fn answer(self, output: &mut impl Write) -> io::Result<()> {
        let code = match self {
            MessageFault::NoLength | MessageFault::NotJson => ErrorCode::ParseError,
            MessageFault::NoMessage => ErrorCode::InvalidRequest,
        };
        let error = serde_json::json!({ "code": code as i32, "message": self.to_string() });
        let body = serde_json::json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string();
        write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())?;
        output.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The messages of an input: methods, or faults.
    fn read(input: &str) -> Vec<Result<String, MessageFault>> {
        let mut found = Vec::new();
        read_messages(&mut input.as_bytes(), |read| {
            found.push(read.map(|message| match message {
                Message::Request(request) => request.method,
                Message::Notification(notification) => notification.method,
                Message::Response(response) => response.id.to_string(),
            }));
            true
        });
        found
    }

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn a_message_of_any_length_is_written_piece_by_piece_and_whole() {
        let pieces = Arc::default();
        let mut output = PieceCounter {
            output: Vec::new(),
            pieces: Arc::clone(&pieces),
        };
        let said = vec![b'a'; 3 * PIECE + 1];
        output.write_all(&said).unwrap();
        assert!(output.output == said);
        assert_eq!(pieces.load(Ordering::Relaxed), 4);
    }

    #[test]
    fn a_client_that_takes_nothing_is_not_waited_for_for_ever() {
        let (_writer, end) = sync_channel(1);
        wait_for_writer(&end, &AtomicU64::new(7), Duration::from_millis(1));
    }

    #[test]
    fn messages_are_read_one_after_the_other() {
        let body = r#"{"jsonrpc":"2.0","method":"größe"}"#;
        let typed = "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n".to_owned();
        let input = framed(body) + &typed + &framed(body);
        assert_eq!(
            read(&input),
            [Ok("größe".to_owned()), Ok("größe".to_owned())]
        );
    }

    #[test]
    fn what_is_not_json_is_said_and_the_next_is_read() {
        let next = framed(r#"{"id":1,"method":"next"}"#);
        let input = framed("{{{") + &framed("[1]") + &framed("{}") + &next;
        let wrong = [
            MessageFault::NotJson,
            MessageFault::NoMessage,
            MessageFault::NoMessage,
        ];
        let mut expected: Vec<_> = wrong.map(Err).into();
        expected.push(Ok("next".to_owned()));
        assert_eq!(read(&input), expected);
    }

    #[test]
    fn after_a_broken_header_the_next_message_is_found() {
        let next = framed(r#"{"id":1,"method":"next"}"#);
        let broken = [
            "Content-Length 2\r\n\r\n{}",
            "Content-Length: -2\r\n\r\n{}",
            "\r\n{}",
        ];
        for broken in broken {
            let expected = [Err(MessageFault::NoLength), Ok("next".to_owned())];
            assert_eq!(read(&(broken.to_owned() + &next)), expected, "{broken}");
        }
    }

    #[test]
    fn half_a_character_costs_no_message() {
        let mend = |body: &str| String::from_utf8(mended(body.into())).unwrap();
        for whole in [
            "",
            "\\",
            r"\ud83d\ude00",
            r"\\ud83d",
            r"\u00e9\n",
            r"\ud8",
            "größe",
        ] {
            assert_eq!(mend(whole), whole);
        }
        assert_eq!(mend(r"a\ud83d!"), r"a\ufffd!");
        assert_eq!(
            mend(r"\ude00\ud83d\ud83d\ude00"),
            r"\ufffd\ufffd\ud83d\ude00"
        );
        let half = framed(r#"{"method":"m","params":["\ud83d"]}"#);
        assert_eq!(read(&half), [Ok("m".to_owned())]);
    }

    #[test]
    fn a_name_that_no_answer_can_have_is_refused() {
        let input =
            framed(r#"{"id":3000000000,"method":"m"}"#) + &framed(r#"{"id":{},"method":"m"}"#);
        assert_eq!(
            read(&input),
            [Err(MessageFault::NoMessage), Err(MessageFault::NoMessage)]
        );
        let nameless = framed(r#"{"id":null,"method":"m"}"#);
        assert_eq!(read(&nameless), [Ok("m".to_owned())]);
    }

    #[test]
    fn an_answer_to_nothing_is_not_answered() {
        let input = framed(r#"{"id":null,"error":{"code":-32700,"message":"what?"}}"#)
            + &framed(r#"{"result":null}"#)
            + &framed(r#"{"id":1,"method":"next"}"#);
        assert_eq!(read(&input), [Ok("next".to_owned())]);
    }

    #[test]
    fn a_length_that_nothing_has_costs_nothing() {
        let next = framed(r#"{"id":1,"method":"next"}"#);
        let absurd = "Content-Length: 999999999999999\r\n\r\n{}".to_owned() + &next;
        let expected = [Err(MessageFault::NoLength), Ok("next".to_owned())];
        assert_eq!(read(&absurd), expected);
        let cut = format!("Content-Length: {}\r\n\r\n{{}}", LARGEST);
        assert_eq!(read(&cut), [], "the client is gone in the middle of it");
    }

    #[test]
    fn a_line_that_never_ends_is_not_kept() {
        let next = framed(r#"{"id":1,"method":"next"}"#);
        let endless = "x".repeat(1 << 20) + "\r\n\r\n" + &next;
        let expected = [Err(MessageFault::NoLength), Ok("next".to_owned())];
        assert_eq!(read(&endless), expected);
    }

    #[test]
    fn what_cannot_be_read_is_answered_without_a_name() {
        let mut output = Vec::new();
        MessageFault::NotJson.answer(&mut output).unwrap();
        let output = String::from_utf8(output).unwrap();
        let (_, body) = output.split_once("\r\n\r\n").unwrap();
        let body: serde_json::Value = serde_json::from_str(body).unwrap();
        assert_eq!(body["id"], serde_json::Value::Null);
        assert_eq!(body["error"]["code"], -32700);
    }
}
