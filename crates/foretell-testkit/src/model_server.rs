//! A model server that does what a script says, and everything wrong that real ones do.
//!
//! It speaks HTTP/1.1 by hand, since a library would not let it misbehave, on a port of its own at
//! 127.0.0.1, in a thread of its own: tests with and without a runtime use it alike, and a test whose
//! clock is virtual does not stop it. It writes down what happens to it, in order. Dropping it ends
//! its thread and closes everything it has open.
//!
//! ```
//! # use foretell_testkit::model_server::{ScriptedAnswer, ModelServer};
//! let server = ModelServer::start(ScriptedAnswer::events([r#"{"content":"hello"}"#]));
//! assert!(server.url().starts_with("http://127.0.0.1:"));
//! assert!(server.requests().is_empty());
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | [`ScriptedAnswer`] | what is played to a request, with all that can be wrong with it |
//! | [`TestCertificate`] | a certificate without a signature, for a server with encryption |
//! | [`ConnectionEvent`] | what happened, when, and on which connection |
//! | [`fill_in`] | what a server of llama.cpp's fills in by a script; `examples/model_server.rs` runs it |
//! | [`said_text`] | what a model says, as each kind of server says it |
//! | `exchange` | a connection: requests are read, answers played |
//!
//! Absent on purpose: models, and HTTP/2.

mod certificate;
mod exchange;
pub mod fill_in;
pub mod said_text;
mod scripted_answer;
mod server_history;

use std::mem;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

pub use certificate::TestCertificate;
pub use scripted_answer::{AnswerEnding, ScriptedAnswer};
pub use server_history::{ConnectionEvent, HistoryEntry, ReceivedRequest};

use server_history::ServerHistory;

/// A server that runs.
pub struct ModelServer {
    at: SocketAddr,
    scheme: &'static str,
    history: Arc<ServerHistory>,
    /// Ends it.
    running: Option<(watch::Sender<bool>, JoinHandle<()>)>,
}

impl ModelServer {
    /// Starts one that answers every request alike.
    pub fn start(answer: ScriptedAnswer) -> Self {
        Self::start_with(move |_, _| answer.clone())
    }

    /// Starts one that answers one request after the other, and from the last answer on alike.
    pub fn start_in_turn(answers: impl IntoIterator<Item = ScriptedAnswer>) -> Self {
        let answers: Vec<ScriptedAnswer> = answers.into_iter().collect();
        assert!(!answers.is_empty(), "a server needs an answer");
        Self::start_with(move |number, _| answers[number.min(answers.len() - 1)].clone())
    }

    /// Starts one that makes up an answer, knowing how many requests there were before.
    pub fn start_with(
        script: impl Fn(usize, &ReceivedRequest) -> ScriptedAnswer + Send + Sync + 'static,
    ) -> Self {
        Self::run(Arc::new(script), None)
    }

    /// Starts one with encryption, that answers every request alike.
    pub fn start_encrypted(answer: ScriptedAnswer, certificate: &TestCertificate) -> Self {
        let script = Arc::new(move |_: usize, _: &ReceivedRequest| answer.clone());
        Self::run(script, Some(certificate.acceptor()))
    }

    /// An address that refuses every connection.
    ///
    /// Its port stays taken for as long as the tests run, by a socket that never listens: a port that
    /// is given back may be the next server's.
    pub fn refusing() -> String {
        let socket = TcpSocket::new_v4().expect("a socket");
        let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        socket.bind(any).expect("a port on loopback");
        let at = socket.local_addr().expect("the port it got");
        mem::forget(socket);
        format!("http://{at}")
    }

    /// Its address, without a path: `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("{}://{}", self.scheme, self.at)
    }

    /// Where it listens.
    pub fn port(&self) -> u16 {
        self.at.port()
    }

    /// Every request that it got, in order.
    pub fn requests(&self) -> Vec<ReceivedRequest> {
        self.history.requests()
    }

    /// Everything that happened to it, in order.
    pub fn history(&self) -> Vec<HistoryEntry> {
        self.history.entries()
    }

    /// How many requests it got.
    pub fn asked(&self) -> usize {
        self.history.asked()
    }

    /// Forgets what happened, but for how often it was asked and what is open: in a long test, what is
    /// remembered would look like a leak.
    pub fn forget(&self) {
        self.history.forget();
    }

    /// How many connections are open on its side.
    pub fn open_connections(&self) -> usize {
        self.history.open()
    }

    /// Waits until something has happened, and says whether it has within a minute.
    pub async fn until(&self, has_happened: impl Fn(&[HistoryEntry]) -> bool) -> bool {
        let waiting = self.history.until(has_happened);
        tokio::time::timeout(Duration::from_secs(60), waiting)
            .await
            .is_ok()
    }

    /// Ends it: it listens no more, and every connection is closed.
    pub fn shut_down(&mut self) {
        if let Some((stop, thread)) = self.running.take() {
            stop.send_replace(true);
            let ended = thread.join();
            if !std::thread::panicking() {
                ended.unwrap();
            }
        }
    }

    fn run(script: Arc<Script>, encryption: Option<TlsAcceptor>) -> Self {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        listener.set_nonblocking(true).unwrap();
        let at = listener.local_addr().unwrap();
        let scheme = if encryption.is_some() {
            "https"
        } else {
            "http"
        };
        let history = Arc::new(ServerHistory::default());
        let (stop, mut stopped) = watch::channel(false);
        let seen = Arc::clone(&history);
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async move {
                let listener = TcpListener::from_std(listener).unwrap();
                let serving = serve(listener, script, encryption, seen);
                tokio::select! {
                    () = serving => {}
                    _ = stopped.wait_for(|stop| *stop) => {}
                }
            });
        });
        ModelServer {
            at,
            scheme,
            history,
            running: Some((stop, thread)),
        }
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.shut_down();
    }
}

/// The answer to the request with a number.
type Script = dyn Fn(usize, &ReceivedRequest) -> ScriptedAnswer + Send + Sync;

async fn serve(
    listener: TcpListener,
    script: Arc<Script>,
    encryption: Option<TlsAcceptor>,
    history: Arc<ServerHistory>,
) {
    // They end with this, and so with the server.
    let mut connections = JoinSet::new();
    for number in 0.. {
        let stream = loop {
            tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => break stream,
                    // As when there are too many of them: others will be closed.
                    Err(_) => tokio::time::sleep(Duration::from_millis(1)).await,
                },
                Some(_) = connections.join_next() => {}
            }
        };
        let _ = stream.set_nodelay(true);
        history.note(number, ConnectionEvent::Connected);
        let (script, history) = (Arc::clone(&script), Arc::clone(&history));
        let encryption = encryption.clone();
        connections.spawn(async move {
            let how = match encryption {
                None => exchange::converse(stream, number, &*script, &history).await,
                Some(encryption) => match encryption.accept(stream).await {
                    Ok(stream) => exchange::converse(stream, number, &*script, &history).await,
                    Err(_) => ConnectionEvent::ClosedByClient,
                },
            };
            history.note(number, how);
        });
    }
}
