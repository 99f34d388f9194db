//! The loop: waits for a message or for the time, whichever comes first.
//!
//! This is the only code with a clock. One thread, this one, owns everything; who reads and writes
//! messages are others, at the far ends of the connection.

use std::time::{Duration, Instant};

use foretell_core::Moment;
use lsp_server::Connection;

use crate::script::Script;
use crate::server::Server;

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// As it should: `shutdown` was said.
    AfterShutdown,
    /// The client said `exit`, or went away, before it said `shutdown`.
    WithoutShutdown,
}

/// Serves one client until it says `exit` or goes away.
pub fn serve(connection: &Connection, script: Script) -> Ended {
    let mut server = Server::new(script);
    let clock = Clock(Instant::now());
    loop {
        while let Some(message) = server.poll_message() {
            if connection.sender.send(message).is_err() {
                return server.ended_by_silence();
            }
        }
        if let Some(ended) = server.ended() {
            return ended;
        }
        let wait = server.poll_timeout().map(|due| clock.until(due));
        let received = match wait {
            Some(wait) => connection.receiver.recv_timeout(wait),
            None => connection.receiver.recv().map_err(Into::into),
        };
        match received {
            Ok(message) => server.handle(clock.now(), message),
            Err(nothing) if nothing.is_timeout() => server.handle_timeout(clock.now()),
            Err(_) => return server.ended_by_silence(),
        }
    }
}

/// Tells the time, which begins with the session and never runs backwards.
struct Clock(Instant);

impl Clock {
    fn now(&self) -> Moment {
        let millis = self.0.elapsed().as_millis();
        Moment::from_millis(u64::try_from(millis).unwrap_or(u64::MAX))
    }

    /// How long it is until a moment, rounded so that it has come when the wait is over.
    fn until(&self, due: Moment) -> Duration {
        Duration::from_millis(due.millis()).saturating_sub(self.0.elapsed())
    }
}
