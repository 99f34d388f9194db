//! Arbitrary bytes as the body of a model server's answer: events, lines or one payload, however they
//! are cut on their way.
//!
//! Unlike `model_answers`, which begins with payloads, this goes all the way: over a socket, through
//! HTTP, and through the framing. Whatever the bytes are: nothing panics, the lane answers or fails, and
//! every suggestion fits the document.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use foretell_lanes::Lane;
use foretell_lanes::model::ModelLane;
use foretell_testkit::lane_requests::{request_at, with_no_secrets};
use foretell_testkit::written_settings::lane_settings_of;
use foretell_text::LaneKind;
use tokio_util::sync::CancellationToken;

const CODE: &str = "fn total(cart: &Cart) -> u32 {\r\n    let größe = \r\n}\n\nfn 😀() {}\n";
const AT: usize = 50;

const KINDS: [&str; 4] = ["openai", "llama-cpp", "ollama", "mistral"];
const CONTENT_TYPES: [&str; 4] = [
    "text/event-stream",
    "application/x-ndjson",
    "application/json",
    "text/plain",
];

pub(crate) fn model_streams(bytes: &[u8]) {
    let [how, piece, body @ ..] = bytes else {
        return;
    };
    let kind = KINDS[usize::from(how % 4)];
    let content_type = CONTENT_TYPES[usize::from(how / 4 % 4)];
    let lane = [LaneKind::Fim, LaneKind::NextEdit][usize::from(how / 16 % 2)];
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("its number").port();
    let request = with_no_secrets(request_at("src/cart.rs", "rust", CODE, AT));
    let text = request.document.text.clone();
    let answer = thread::scope(|scope| {
        scope.spawn(|| {
            let (stream, _) = listener.accept()?;
            answer_with(stream, content_type, body, usize::from(*piece) + 1)
        });
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        let settings = format!(
            "kind = {kind:?}\nmodel = \"qwen2.5-coder\"\nurl = \"http://127.0.0.1:{port}\""
        );
        let model = ModelLane::new(lane, &lane_settings_of(lane, &settings));
        let answer = runtime.block_on(model.ask(Arc::new(request), CancellationToken::new()));
        // In case it was not asked at all.
        drop(TcpStream::connect(("127.0.0.1", port)));
        answer
    });
    for candidate in answer.map(|answer| answer.candidates).unwrap_or_default() {
        let after = candidate.edit.apply(&text);
        assert!(after.is_ok(), "{:?} does not fit", candidate.edit);
    }
}

/// Reads a request to its end, and answers it with a body in pieces.
fn answer_with(stream: TcpStream, kind: &str, body: &[u8], piece: usize) -> io::Result<()> {
    let mut input = BufReader::new(stream.try_clone()?);
    let mut length = 0;
    loop {
        let mut line = String::new();
        input.read_line(&mut line)?;
        let line = line.trim().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(number) = line.strip_prefix("content-length:") {
            length = number.trim().parse().unwrap_or(0);
        }
    }
    io::copy(&mut input.take(length), &mut io::sink())?;
    let mut output = stream;
    write!(
        output,
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nConnection: close\r\n\r\n"
    )?;
    for piece in body.chunks(piece) {
        output.write_all(piece)?;
    }
    Ok(())
}
