//! Messages over standard input and output.
//!
//! One thread reads and one writes; the loop is between them. `lsp-server` has such a pair too, but
//! its reader ends with the first message that is not JSON, and asks for as much memory as a header
//! says. This one answers what cannot be read with the error that LSP prescribes, and goes on: after
//! a body it is known where the next message begins, and after a broken header it looks for the next
//! line that ends like one.

use std::io::{self, BufRead, Read, Write};
use std::thread;

use lsp_server::{Connection, ErrorCode, Message};

use crate::drive::{Ended, serve};
use crate::script::Script;

/// Serves the client at standard input and output until it says `exit` or closes its end.
pub fn serve_stdio(script: Script) -> io::Result<Ended> {
    let (inside, outside) = Connection::memory();
    let Connection { sender, receiver } = outside;
    // Nobody waits for this one: it may wait for a client that never says another word.
    thread::Builder::new()
        .name("read".to_owned())
        .spawn(move || {
            read_all(&mut io::stdin().lock(), |read| match read {
                Ok(message) => sender.send(message).is_ok(),
                Err(unreadable) => unreadable.answer(&mut io::stdout().lock()).is_ok(),
            })
        })?;
    let writer = thread::Builder::new()
        .name("write".to_owned())
        .spawn(move || {
            let mut messages = receiver.into_iter();
            messages.try_for_each(|message| message.write(&mut io::stdout().lock()))
        })?;
    let ended = serve(&inside, script);
    drop(inside);
    match writer.join() {
        // A client that does not listen any more has gone away, which is an end like any other.
        Ok(_) => Ok(ended),
        Err(_) => Err(io::Error::other("the writer broke")),
    }
}

/// Reads messages until there are no more, or nobody takes them.
fn read_all(input: &mut impl BufRead, mut take: impl FnMut(Result<Message, Unreadable>) -> bool) {
    while let Ok(Some(read)) = read_body(input) {
        let message = read.and_then(|body| {
            let value: serde_json::Value =
                serde_json::from_slice(&body).map_err(|_| Unreadable::NotJson)?;
            serde_json::from_value(value).map_err(|_| Unreadable::NoMessage)
        });
        if !take(message) {
            return;
        }
    }
}

/// What the next message says, or nothing at the end.
fn read_body(input: &mut impl BufRead) -> io::Result<Option<Result<Vec<u8>, Unreadable>>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_ascii();
        if line.is_empty() {
            break;
        }
        length = length_in(line).or(length);
    }
    let Some(length) = length else {
        return Ok(Some(Err(Unreadable::NoLength)));
    };
    let mut body = Vec::new();
    let read = input.take(length).read_to_end(&mut body)?;
    match read as u64 == length {
        true => Ok(Some(Ok(body))),
        false => Ok(None),
    }
}

/// The length in a header line. What stands before the name is what is left of a message whose own
/// header could not be read.
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
enum Unreadable {
    #[error("a message without a length")]
    NoLength,
    #[error("a message that is not JSON")]
    NotJson,
    #[error("neither a request nor a notification nor a response")]
    NoMessage,
}

impl Unreadable {
    /// Says so; nobody knows whose answer it is, so it has no name.
    fn answer(self, output: &mut impl Write) -> io::Result<()> {
        let code = match self {
            Unreadable::NoLength | Unreadable::NotJson => ErrorCode::ParseError,
            Unreadable::NoMessage => ErrorCode::InvalidRequest,
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

    /// What is read of an input: methods, or what is wrong.
    fn read(input: &str) -> Vec<Result<String, Unreadable>> {
        let mut found = Vec::new();
        read_all(&mut input.as_bytes(), |read| {
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
            Unreadable::NotJson,
            Unreadable::NoMessage,
            Unreadable::NoMessage,
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
            let expected = [Err(Unreadable::NoLength), Ok("next".to_owned())];
            assert_eq!(read(&(broken.to_owned() + &next)), expected, "{broken}");
        }
    }

    #[test]
    fn a_length_that_nothing_has_costs_nothing() {
        assert_eq!(read("Content-Length: 999999999999999\r\n\r\n{}"), []);
    }

    #[test]
    fn what_cannot_be_read_is_answered_without_a_name() {
        let mut output = Vec::new();
        Unreadable::NotJson.answer(&mut output).unwrap();
        let output = String::from_utf8(output).unwrap();
        let (_, body) = output.split_once("\r\n\r\n").unwrap();
        let body: serde_json::Value = serde_json::from_str(body).unwrap();
        assert_eq!(body["id"], serde_json::Value::Null);
        assert_eq!(body["error"]["code"], -32700);
    }
}
