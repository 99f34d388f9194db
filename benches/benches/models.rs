//! What Foretell adds to a model's own latency.
//!
//! `cargo bench --bench models`. A server on this machine notes when a request has come in whole, and
//! when the last byte of its answer has gone out. Between the editor's request and the first of these,
//! and between the second and the answer, all time is ours, and the loopback's. A plain socket that
//! sends as many bytes and reads the same answer takes turns with it: what that takes is nobody's to
//! save.
//!
//! Nothing waits for the person to pause, and no context is gathered. The aim is around 1 ms for both
//! together at the 99th percentile on 50 KB, and 2 ms on 5 MB.
//!
//! Last comes how long it takes until a server that hangs sees its connection closed, once its answer is of
//! no use any more. The aim is 10 ms.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark is a program whose output is its table, and stops where it is wrong"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use foretell_benches::documents::document;
use foretell_benches::table::duration;
use foretell_context::{Exclude, Redactor, TokenEstimate};
use foretell_core::{
    Answer, Event, Order, RequestCause, RequestId, RequestKind, SuggestionRequest,
};
use foretell_engine::{Engine, EngineSurroundings, lane_backends};
use foretell_lanes::NoCode;
use foretell_settings::Settings;
use foretell_settings::choice::{AheadChoice, BackEnd};
use foretell_text::{
    ByteOffset, ChangeReason, DocumentId, Edit, FilePath, Language, Replacement, Text, Version,
};

const ROUNDS: usize = 2_000;
const WARM_UP: usize = 100;
const GIVEN_UP: usize = 500;

/// What the server answers: one piece and its end, at once.
const ANSWER: &str = "data: {\"choices\":[{\"text\":\"first, second\",\"finish_reason\":null}]}\n\n\
data: {\"choices\":[{\"text\":\"\",\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":2}}\n\n\
data: [DONE]\n\n";

fn main() {
    if !foretell_benches::is_wanted() {
        return;
    }
    println!(
        "{:<28} {:>10} {:>10} {:>10} {:>10} {:>8}",
        "", "median", "95th", "99th", "worst", "ratio"
    );
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_all().build().unwrap();
    for (name, bytes, aim) in [("50 KB", 50_000, 1e6), ("5 MB", 5_000_000, 2e6)] {
        let taken = runtime.block_on(measure(bytes));
        println!("{name}");
        let plain = print("  a plain socket", taken.plain, None);
        print("  to the socket", taken.there, None);
        print("  from the last byte", taken.back, None);
        let ours = print("  both together", taken.both, Some(plain));
        println!(
            "  the aim is {} at the 99th percentile: {}\n",
            duration(aim),
            if ours <= aim { "met" } else { "missed" }
        );
    }
    println!("giving up");
    let closed = print("  until it is closed", runtime.block_on(give_up()), None);
    println!(
        "  the aim is {} at the 99th percentile: {}\n",
        duration(1e7),
        if closed <= 1e7 { "met" } else { "missed" }
    );
    println!("{ROUNDS} rounds each, {GIVEN_UP} given up");
}

/// Nanoseconds of every round.
#[derive(Default)]
struct Taken {
    plain: Vec<f64>,
    there: Vec<f64>,
    back: Vec<f64>,
    both: Vec<f64>,
}

async fn measure(bytes: usize) -> Taken {
    let (address, noted) = serve();
    let mut desk = Desk::new(&address, &document(bytes));
    let mut taken = Taken::default();
    let mut sent = 0;
    let mut plain = TcpStream::connect(&address).unwrap();
    plain.set_nodelay(true).unwrap();
    for round in 0..WARM_UP + ROUNDS {
        desk.type_key();
        let began = Instant::now();
        let ended = desk.ask().await;
        let Noted {
            came_in,
            gone_out,
            length,
        } = noted.recv_timeout(Duration::from_secs(5)).unwrap();
        sent = length.max(sent);
        let there = came_in.saturating_duration_since(began);
        let back = ended.saturating_duration_since(gone_out);

        let began = Instant::now();
        let ended = ask_plainly(&mut plain, sent);
        let note = noted.recv_timeout(Duration::from_secs(5)).unwrap();
        let by_hand = note.came_in.saturating_duration_since(began)
            + ended.saturating_duration_since(note.gone_out);
        if round >= WARM_UP {
            let nanoseconds = |it: Duration| it.as_secs_f64() * 1e9;
            taken.there.push(nanoseconds(there));
            taken.back.push(nanoseconds(back));
            taken.both.push(nanoseconds(there + back));
            taken.plain.push(nanoseconds(by_hand));
        }
    }
    taken
}

/// How long a server that hangs has to wait until nobody listens any more: the person has changed something
/// off the way to its answer, and asks anew.
async fn give_up() -> Vec<f64> {
    let (address, noted) = hang();
    let mut desk = Desk::new(&address, &document(50_000));
    let mut taken = Vec::new();
    desk.request();
    until(&mut desk, &noted, |it| matches!(it, Watched::CameIn)).await;
    for _ in 0..GIVEN_UP {
        desk.type_at_the_beginning();
        let began = Instant::now();
        desk.request();
        // The next question may be there before the last connection is closed.
        let (mut closed, mut has_come) = (None, false);
        until(&mut desk, &noted, |it| {
            match it {
                Watched::CameIn => has_come = true,
                Watched::Closed(at) => closed = Some(at),
            }
            has_come && closed.is_some()
        })
        .await;
        let closed = closed.unwrap();
        taken.push(closed.saturating_duration_since(began).as_secs_f64() * 1e9);
    }
    taken
}

/// Lets the engine run until the server has seen something.
async fn until(desk: &mut Desk, noted: &Receiver<Watched>, mut is_it: impl FnMut(Watched) -> bool) {
    loop {
        let _ = tokio::time::timeout(Duration::from_millis(1), desk.engine.turn()).await;
        while desk.engine.poll_order().is_some() {}
        if noted.try_iter().any(&mut is_it) {
            return;
        }
    }
}

/// What a server that hangs sees.
enum Watched {
    CameIn,
    Closed(Instant),
}

/// A server that reads requests and says nothing. It notes when one has come in, and when its
/// connection was closed.
fn hang() -> (String, Receiver<Watched>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (note, noted) = mpsc::channel();
    thread::spawn(move || {
        for connection in listener.incoming() {
            let (mut connection, note) = (connection.unwrap(), note.clone());
            thread::spawn(move || {
                let mut some = [0; 64 << 10];
                let mut is_in = false;
                while let Ok(read @ 1..) = connection.read(&mut some) {
                    if some[..read].starts_with(b"GET ") {
                        connection.write_all(NOT_FOUND).unwrap();
                    } else if !std::mem::replace(&mut is_in, true) {
                        let _ = note.send(Watched::CameIn);
                    }
                }
                if is_in {
                    let _ = note.send(Watched::Closed(Instant::now()));
                }
            });
        }
    });
    (address, noted)
}

/// Prints a row, and gives its 99th percentile.
fn print(name: &str, mut taken: Vec<f64>, beside: Option<f64>) -> f64 {
    taken.sort_by(f64::total_cmp);
    let at = |share: f64| taken[((taken.len() - 1) as f64 * share) as usize];
    let ratio = beside.map_or(String::new(), |it| format!("{:.1}", at(0.99) / it));
    println!(
        "{name:<28} {:>10} {:>10} {:>10} {:>10} {ratio:>8}",
        duration(at(0.5)),
        duration(at(0.95)),
        duration(at(0.99)),
        duration(at(1.0)),
    );
    at(0.99)
}

/// Nothing is kept back.
struct NothingExcluded;

impl Exclude for NothingExcluded {
    fn excludes(&self, _: &FilePath) -> bool {
        false
    }
}

/// An editor with one document.
struct Desk {
    engine: Engine,
    document: DocumentId,
    at: usize,
    version: i64,
    requests: u64,
}

impl Desk {
    fn new(address: &str, text: &str) -> Self {
        let mut settings = Settings::default();
        settings.context.enabled = false;
        settings.lanes.next_edit.enabled = false;
        settings.lanes.fix.enabled = false;
        let fim = &mut settings.lanes.fim;
        fim.kind = BackEnd::OpenAi;
        fim.url = Some(format!("http://{address}").into());
        fim.model = Some("qwen2.5-coder".to_owned());
        // What is asked ahead of time is not what is measured.
        fim.ahead = AheadChoice::Never;
        let surroundings = EngineSurroundings {
            lanes: lane_backends::by_settings(),
            code: Arc::new(NoCode),
            sources: Vec::new(),
            counter: Arc::new(TokenEstimate),
            redactor: Redactor::new(),
            exclude: Arc::new(NothingExcluded),
            name: Arc::new(|document| FilePath::new(document.as_str())),
            folder: Arc::new(|_| None),
            usage: None,
            speeds: None,
            typing: None,
        };
        let mut engine = Engine::new(Arc::new(settings), surroundings);
        let document = DocumentId::new("file:///a.ts");
        engine.tell(Event::DocumentOpened {
            document: document.clone(),
            language: Language::new("typescript"),
            version: Version::new(0),
            text: Text::from(text),
        });
        let middle = text.len() / 2;
        let line = text.get(..middle).unwrap().rfind('\n').unwrap();
        Desk {
            engine,
            document,
            at: line,
            version: 0,
            requests: 0,
        }
    }

    fn type_key(&mut self) {
        let key = match self.version % 40 {
            39 => "\n",
            _ => "x",
        };
        self.put_in(self.at, key);
    }

    fn type_at_the_beginning(&mut self) {
        self.put_in(0, "x");
    }

    fn put_in(&mut self, at: usize, key: &str) {
        self.version += 1;
        self.at += key.len();
        let at = ByteOffset::new(at);
        self.engine.tell(Event::DocumentChanged {
            document: self.document.clone(),
            version: Version::new(self.version),
            edits: vec![Edit::from(Replacement::insertion(at, key))],
            reason: ChangeReason::Typed,
        });
        while self.engine.poll_order().is_some() {}
    }

    fn request(&mut self) {
        self.requests += 1;
        self.engine
            .tell(Event::SuggestionRequested(SuggestionRequest {
                request: RequestId::new(self.requests),
                document: self.document.clone(),
                version: None,
                at: ByteOffset::new(self.at),
                cause: RequestCause::Explicit,
                kind: RequestKind::Inline,
            }));
    }

    /// Asks, and waits for the answer.
    async fn ask(&mut self) -> Instant {
        self.request();
        loop {
            while let Some(placed) = self.engine.poll_order() {
                if let Order::Answer { answer, .. } = placed.order {
                    let ended = Instant::now();
                    assert!(matches!(answer, Answer::Candidates(_)), "{answer:?}");
                    return ended;
                }
            }
            self.engine.turn().await;
        }
    }
}

/// What the server noted of a request.
struct Noted {
    came_in: Instant,
    gone_out: Instant,
    length: usize,
}

/// A server that answers everything alike, at once, and notes when.
fn serve() -> (String, Receiver<Noted>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (note, noted) = mpsc::channel();
    thread::spawn(move || {
        for connection in listener.incoming() {
            let note = note.clone();
            thread::spawn(move || answer_all(connection.unwrap(), &note));
        }
    });
    (address, noted)
}

/// A server is asked what it is before it is asked anything else. It does not say.
const NOT_FOUND: &[u8] = b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n";

fn answer_all(connection: TcpStream, note: &Sender<Noted>) {
    connection.set_nodelay(true).unwrap();
    let mut reader = BufReader::new(connection);
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";
    let answer = format!("{head}content-length: {}\r\n\r\n{ANSWER}", ANSWER.len());
    loop {
        let mut length = 0;
        let mut is_question = false;
        let mut line = String::new();
        loop {
            line.clear();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            is_question |= line.starts_with("POST ");
            let name = "content-length:";
            if let Some(says) = line.to_ascii_lowercase().strip_prefix(name) {
                length = says.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        if !is_question {
            reader.get_mut().write_all(NOT_FOUND).unwrap();
            continue;
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let came_in = Instant::now();
        reader.get_mut().write_all(answer.as_bytes()).unwrap();
        let gone_out = Instant::now();
        let _ = note.send(Noted {
            came_in,
            gone_out,
            length,
        });
    }
}

/// Sends so many bytes and reads the answer, with nothing in between.
fn ask_plainly(connection: &mut TcpStream, length: usize) -> Instant {
    let head = format!("POST / HTTP/1.1\r\ncontent-length: {length}\r\n\r\n");
    let mut request = head.into_bytes();
    request.resize(request.len() + length, b'x');
    connection.write_all(&request).unwrap();
    let mut answer = Vec::new();
    let mut some = [0; 4096];
    while !answer.ends_with(b"[DONE]\n\n") {
        let read = connection.read(&mut some).unwrap();
        answer.extend_from_slice(&some[..read]);
    }
    Instant::now()
}
