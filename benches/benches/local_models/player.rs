//! Plays a session to a client, and looks at the screen.

use std::time::{Duration, Instant};

use tokio::time::sleep_until;

use crate::client::Client;
use crate::desk::{Desk, Screen};
use crate::ledger::Ledger;
use crate::session::{PAUSE, Session, StepKind};

/// How fast a session is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tempo {
    /// As it was typed.
    Real,
    /// As fast as the client can answer: keys at once, and each pause until nothing is asked any more.
    Hurried,
}

/// Between two keys in a hurry: enough for the client to be told of each by itself.
const HURRIED_KEY: Duration = Duration::from_millis(2);
/// How long the model has to be left alone until nothing more is expected.
const QUIET: Duration = Duration::from_millis(100);
/// How long a hurried pause is at most.
const LONGEST_HURRIED_PAUSE: Duration = Duration::from_secs(5);

/// Plays a session from its beginning to its end.
pub(crate) async fn play<C: Client>(
    session: &Session,
    tempo: Tempo,
    client: &mut C,
    ledger: &Ledger,
) -> Screen {
    let mut player = Player {
        desk: Desk::default(),
        screen: Screen::new(),
        ledger,
    };
    let start = Instant::now();
    let ends = session.steps.iter().skip(1).map(|it| it.at);
    for (step, next) in session.steps.iter().zip(ends.chain([session.end])) {
        match &step.what {
            StepKind::Open(opened) => {
                player.desk.open(opened);
                client.open(&player.desk, opened);
            }
            StepKind::Type(change) => {
                let changes = player.desk.change(change);
                let now = Instant::now();
                player.screen.press(now, change);
                let drawn = client.change(&player.desk, &changes);
                if let Some(drawn) = drawn {
                    player.screen.draw(now, &player.desk, drawn);
                }
            }
        }
        let pause = next - step.at;
        match tempo {
            Tempo::Real => player.look(client, start + next).await,
            Tempo::Hurried if pause > PAUSE => player.wait_for_quiet(client).await,
            Tempo::Hurried => player.look(client, Instant::now() + HURRIED_KEY).await,
        }
    }
    player.screen.end_pause(Instant::now());
    player.screen
}

struct Player<'a> {
    desk: Desk,
    screen: Screen,
    ledger: &'a Ledger,
}

impl Player<'_> {
    /// Looks at the screen until a moment.
    async fn look<C: Client>(&mut self, client: &mut C, until: Instant) {
        loop {
            tokio::select! {
                () = sleep_until(until.into()) => return,
                change = client.hear(&self.desk) => {
                    if let Some(change) = change {
                        self.screen.draw(Instant::now(), &self.desk, change);
                    }
                }
            }
        }
    }

    /// Looks at it until the client has answered and the model has been left alone for a while.
    async fn wait_for_quiet<C: Client>(&mut self, client: &mut C) {
        let give_up = Instant::now() + LONGEST_HURRIED_PAUSE;
        let mut quiet_since = Instant::now();
        while Instant::now() < give_up {
            self.look(client, Instant::now() + HURRIED_KEY).await;
            if client.is_waiting() || self.ledger.is_busy() {
                quiet_since = Instant::now();
            }
            if quiet_since.elapsed() > QUIET {
                return;
            }
        }
    }
}
