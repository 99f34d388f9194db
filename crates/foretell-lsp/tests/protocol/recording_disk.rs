//! Sessions that are recorded to disks that hang, or tell what they are given.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

use foretell_lsp::{ClientConnection, ServerConnection, ServerOptions, SessionEnd, serve};
use foretell_observe::record::{NewRecording, RecordDisk, RecordedContent};
use lsp_server::{Message, Notification, Request};
use serde_json::{Value, json};

/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_secs(30);

/// A disk that writes when it is let, and tells what.
#[derive(Debug)]
struct Watched {
    /// Each says whether there is room. When nobody is there to say it any more there is.
    lets: Mutex<Receiver<bool>>,
    tells: Sender<String>,
}

impl Write for Watched {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let has_room = self
            .lets
            .get_mut()
            .expect("no test panics here")
            .recv()
            .unwrap_or(true);
        if !has_room {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let text = String::from_utf8(bytes.to_vec()).expect("traces are text");
        let _ = self.tells.send(text);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl RecordDisk for Watched {
    fn cut(&mut self, _: u64) -> io::Result<()> {
        Ok(())
    }
}

/// A recording, who lets its disk write, and what that tells until it is not needed any more.
fn recording() -> (NewRecording, Sender<bool>, Receiver<String>) {
    let (opens, lets) = mpsc::channel();
    let (tells, told) = mpsc::channel();
    let lets = Mutex::new(lets);
    let path = PathBuf::from("session.jsonl");
    let recording = NewRecording::on(path, Watched { lets, tells }, RecordedContent::Whole);
    (recording, opens, told)
}

/// All that is told until there is no more.
fn all(told: &Receiver<String>) -> String {
    let mut lines = String::new();
    loop {
        match told.recv_timeout(PATIENCE) {
            Ok(more) => lines.push_str(&more),
            Err(mpsc::RecvTimeoutError::Disconnected) => return lines,
            Err(mpsc::RecvTimeoutError::Timeout) => unreachable!("it goes on behind {lines}"),
        }
    }
}

/// What a client says.
async fn say(client: &ClientConnection, message: impl Into<Message>) {
    client.says.send(message.into()).await.expect("it listens");
}

#[tokio::test]
async fn the_last_lines_are_written_when_the_client_says_shutdown() {
    let (recording, room, told) = recording();
    drop(room);
    let (inside, mut client) = ServerConnection::pair();
    let start = ServerOptions {
        recording: Some(recording),
        ..ServerOptions::default()
    };
    let client = async move {
        let params = json!({ "capabilities": {} });
        say(
            &client,
            Request::new(1.into(), "initialize".to_owned(), params),
        )
        .await;
        let shutdown = Request::new(2.into(), "shutdown".to_owned(), Value::Null);
        say(&client, shutdown).await;
        loop {
            match client.reads.recv().await.expect("an answer") {
                Message::Response(answer) if answer.id == 2.into() => break,
                _ => {}
            }
        }
        // An editor may kill the server from here on.
        let lines = all(&told);
        assert!(lines.ends_with("\"event\":\"shutdown\"}\n"), "{lines}");
        say(&client, Notification::new("exit".to_owned(), Value::Null)).await;
    };
    let (ended, ()) = tokio::join!(serve(inside, start), client);
    assert_eq!(ended, SessionEnd::AfterShutdown);
}

#[tokio::test(start_paused = true)]
async fn a_session_on_a_disk_that_hangs_ends_all_the_same() {
    let (recording, room, _told) = recording();
    let (inside, client) = ServerConnection::pair();
    let start = ServerOptions {
        recording: Some(recording),
        ..ServerOptions::default()
    };
    drop(client);
    assert_eq!(serve(inside, start).await, SessionEnd::WithoutShutdown);
    drop(room);
}
