//! Messages as they are on a pipe: a header with the length, an empty line, and the body.
#![allow(dead_code, reason = "not every test both says and hears")]

use std::io::{BufRead, Write};

use serde_json::Value;

/// Says something, which need not be JSON.
pub(crate) fn say(input: &mut impl Write, body: &str) {
    write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("it is read");
    input.flush().expect("it is read");
}

/// The next message.
pub(crate) fn hear(output: &mut impl BufRead) -> Value {
    hear_any(output).expect("a message")
}

/// The next message, or nothing at the end.
pub(crate) fn hear_any(output: &mut impl BufRead) -> Option<Value> {
    let mut header = String::new();
    output.read_line(&mut header).expect("text");
    let length = header.trim().strip_prefix("Content-Length: ")?;
    let mut body = vec![0; length.parse().expect("a length")];
    output.read_line(&mut header).expect("an empty line");
    output.read_exact(&mut body).expect("a body");
    Some(serde_json::from_slice(&body).expect("JSON"))
}
