//! A million messages, most of them wrong: none breaks the server, and every request that can be read
//! is answered.

use std::collections::BTreeMap;
use std::time::Duration;

use foretell_lsp::stdio::read_messages;
use foretell_lsp::{LaneScript, ServerConnection, ServerOptions, SessionEnd, serve};
use foretell_testkit::nonsense::{ExpectedReading, NonsenseClient, NonsenseKind};
use lsp_server::{Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use tokio::runtime::Builder;
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::time::sleep;

/// How many messages each of the tests sends, and in how many sessions.
const MESSAGES: usize = 250_000;
const SESSIONS: usize = 5;
/// How many are written before they are read.
const BATCH: usize = 500;
/// How long after the last word everything has been answered: longer than any lane may think.
const SETTLED: Duration = Duration::from_secs(10 * 60);

/// What may be answered besides a result: not known, malformed, said at the wrong time, taken back.
const CODES: [i32; 4] = [-32601, -32602, -32600, -32800];

const SCRIPT: &str = r#"[{"after": "let x", "insert": " = 1;"}]"#;

#[test]
fn nothing_breaks_and_nothing_is_stuck_in_the_first_quarter_of_a_million_messages() {
    send_all(0);
}

#[test]
fn nothing_breaks_and_nothing_is_stuck_in_the_second_quarter_of_a_million_messages() {
    send_all(1);
}

#[test]
fn nothing_breaks_and_nothing_is_stuck_in_the_third_quarter_of_a_million_messages() {
    send_all(2);
}

#[test]
fn nothing_breaks_and_nothing_is_stuck_in_the_last_quarter_of_a_million_messages() {
    send_all(3);
}

fn send_all(seed: u64) {
    let mut nonsense = NonsenseClient::new(seed);
    let mut sent = BTreeMap::new();
    for number in 0..SESSIONS {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build()
            .expect("a runtime");
        let (far, near) = ServerConnection::pair();
        let start = ServerOptions {
            script: Some(LaneScript::from_json(SCRIPT).expect("a script")),
            ..ServerOptions::default()
        };
        let client = Sending {
            says: near.says,
            reads: near.reads,
            owed: BTreeMap::new(),
        };
        let client = client.session(&mut nonsense, &mut sent);
        let (ended, ()) = runtime.block_on(async { tokio::join!(serve(far, start), client) });
        assert_eq!(
            ended,
            SessionEnd::AfterShutdown,
            "seed {seed}, session {number}"
        );
    }
    println!("seed {seed}: {sent:?}");
    assert_eq!(sent.values().sum::<usize>(), MESSAGES);
}

/// A client, and the answers it is owed.
struct Sending {
    says: Sender<Message>,
    reads: Receiver<Message>,
    owed: BTreeMap<RequestId, usize>,
}

impl Sending {
    async fn session(
        mut self,
        nonsense: &mut NonsenseClient,
        sent: &mut BTreeMap<NonsenseKind, usize>,
    ) {
        self.ask(
            RequestId::from(-1),
            "initialize",
            json!({ "capabilities": {} }),
        )
        .await;
        for _ in 0..MESSAGES / SESSIONS / BATCH {
            self.batch(nonsense, sent).await;
        }
        sleep(SETTLED).await;
        self.listen();
        assert!(self.owed.is_empty(), "stuck: {:?}", self.owed);
        self.ask(RequestId::from(-1), "shutdown", Value::Null).await;
        self.say(Notification::new("exit".to_owned(), Value::Null))
            .await;
        while let Some(message) = self.reads.recv().await {
            self.hear(message);
        }
        assert!(self.owed.is_empty(), "never answered: {:?}", self.owed);
    }

    /// Sends some messages through whoever reads bytes.
    async fn batch(
        &mut self,
        nonsense: &mut NonsenseClient,
        sent: &mut BTreeMap<NonsenseKind, usize>,
    ) {
        let (mut bytes, mut expected) = (Vec::new(), Vec::new());
        for _ in 0..BATCH {
            let (kind, reads) = nonsense.write(&mut bytes);
            *sent.entry(kind).or_default() += 1;
            expected.extend(reads);
        }
        let (mut read, mut messages) = (Vec::new(), Vec::new());
        read_messages(&mut bytes.as_slice(), |message| {
            read.push(match &message {
                Ok(Message::Request(request)) => {
                    let id = serde_json::to_string(&request.id);
                    ExpectedReading::Request(id.expect("a name"))
                }
                Ok(_) => ExpectedReading::Other,
                Err(_) => ExpectedReading::Unreadable,
            });
            messages.extend(message);
            true
        });
        let differs = read.iter().zip(&expected).position(|(read, it)| read != it);
        if let Some(at) = differs.or((read.len() != expected.len()).then_some(0)) {
            let text = String::from_utf8_lossy(&bytes);
            panic!(
                "{:?} at {at} and not {:?} of {text}",
                read.get(at),
                expected.get(at)
            );
        }
        for message in messages {
            if let Message::Request(request) = &message {
                *self.owed.entry(request.id.clone()).or_default() += 1;
            }
            self.say(message).await;
            self.listen();
        }
    }

    async fn ask(&mut self, id: RequestId, method: &str, params: Value) {
        *self.owed.entry(id.clone()).or_default() += 1;
        self.say(Request::new(id, method.to_owned(), params)).await;
    }

    async fn say(&mut self, message: impl Into<Message>) {
        let said = self.says.send(message.into()).await;
        said.expect("the server never breaks");
    }

    fn listen(&mut self) {
        while let Ok(message) = self.reads.try_recv() {
            self.hear(message);
        }
    }

    fn hear(&mut self, message: Message) {
        let Message::Response(response) = message else {
            return;
        };
        let id = response.id;
        if let Err(error) = response.response_result {
            assert!(CODES.contains(&error.code), "{id}: {error:?}");
        }
        let owed = self.owed.get_mut(&id);
        let owed = owed.unwrap_or_else(|| panic!("nobody asked {id}"));
        *owed -= 1;
        if *owed == 0 {
            self.owed.remove(&id);
        }
    }
}
