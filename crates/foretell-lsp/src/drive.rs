//! The loop: waits for the client, for what the engine has begun, and for what the server itself has
//! begun, whichever comes first.
//!
//! One task, this one, owns everything. Threads at the far ends of two channels read and write
//! messages. Both are bounded: a client that says more than can be heard waits, and one that stopped
//! listening long ago is gone.

use std::future::pending;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use lsp_server::Message;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::{Instant, sleep_until};

use crate::server::Server;
use crate::server_options::ServerOptions;

/// How many messages of the client wait to be heard.
const UNHEARD: usize = 256;

/// How many messages to the client wait to be read. At some thousands a second this is seconds of
/// unread answers.
const UNREAD: usize = 8 << 10;

/// How long the first word after `initialize` waits for the files that settings are in. A disk that
/// takes longer than this hangs, and then nothing is told to any model until it has answered.
const FIRST_LOAD: Duration = Duration::from_millis(200);

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    /// As it should: `shutdown` was said.
    AfterShutdown,
    /// The client said `exit`, or went away, before it said `shutdown`.
    WithoutShutdown,
}

/// The server's end of a connection.
#[derive(Debug)]
pub struct ServerConnection {
    /// Messages from the client.
    pub hears: Receiver<Message>,
    /// Messages to the client.
    pub tells: Sender<Message>,
    /// How often what came from it could not be read.
    pub unreadable: Arc<AtomicU64>,
}

impl ServerConnection {
    /// Both ends of a new one, the server's first.
    pub fn pair() -> (ServerConnection, ClientConnection) {
        let (says, hears) = channel(UNHEARD);
        let (tells, reads) = channel(UNREAD);
        let connection = ServerConnection {
            hears,
            tells,
            unreadable: Arc::default(),
        };
        (connection, ClientConnection { says, reads })
    }
}

/// The client's end of a connection.
#[derive(Debug)]
pub struct ClientConnection {
    /// Messages to the server.
    pub says: Sender<Message>,
    /// Messages from the server.
    pub reads: Receiver<Message>,
}

/// Serves one client until it says `exit` or goes away. Runs on a runtime with time and the network.
pub async fn serve(connection: ServerConnection, start: ServerOptions) -> SessionEnd {
    serve_until(connection, start, pending()).await
}

/// The same, or until somebody else wants it to end, which is an end like that of the client: what it
/// has said by then is still heard.
pub(crate) async fn serve_until(
    mut connection: ServerConnection,
    start: ServerOptions,
    stop: impl Future<Output = ()>,
) -> SessionEnd {
    let mut stop = pin!(stop);
    let mut server = Server::new(start, Arc::clone(&connection.unreadable));
    let mut patience = None;
    let ended = loop {
        server.perform_all();
        flush(&mut server, &connection);
        if let Some(ended) = server.ended() {
            break ended;
        }
        if server.is_first_load() {
            let until = *patience.get_or_insert_with(|| Instant::now() + FIRST_LOAD);
            if Instant::now() < until {
                tokio::select! {
                    () = server.turn() => {}
                    // Slow files apply from when they have been read.
                    () = sleep_until(until) => {}
                }
                continue;
            }
        }
        tokio::select! {
            biased;
            () = &mut stop => {
                let unheard = std::iter::from_fn(|| connection.hears.try_recv().ok());
                unheard.take(UNHEARD).for_each(|message| server.handle(message));
                server.gone();
            }
            message = connection.hears.recv() => match message {
                Some(message) => {
                    server.wait_for_settings(&message).await;
                    server.handle(message);
                }
                None => server.gone(),
            },
            () = server.turn() => {}
        }
    };
    // A client that still listens gets every answer before the server waits for anything.
    server.begin_to_end();
    flush(&mut server, &connection);
    server.end().await;
    ended
}

/// Tells the client what there is to tell.
fn flush(server: &mut Server, connection: &ServerConnection) {
    while let Some(message) = server.poll_message() {
        // No room: it does not listen any more, or never did.
        if connection.tells.try_send(message).is_err() {
            server.gone();
        }
    }
}
