//! A lane whose server fails is left alone for a while, and nobody connects to it meanwhile.
//!
//! With sockets time is real, so that only short rests are waited for here. Long ones pass on a paused
//! clock, with a lane that is played.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use foretell_lanes::{Lane, LaneFault, LaneFuture, LaneRequest};
use foretell_testkit::model_server::{ConnectionEvent, ModelServer, ScriptedAnswer};
use foretell_text::{FailureKind, LaneKind};
use tokio_util::sync::CancellationToken;

use crate::desk::{Desk, PATIENT, from, resolved, settings};

/// How long the fim lane was said to rest, each time.
fn rests(desk: &Desk) -> Vec<u64> {
    let rests = desk.rests.iter().map(|(lane, millis)| {
        assert_eq!(*lane, LaneKind::Fim);
        *millis
    });
    rests.collect()
}

fn connections(server: &ModelServer) -> usize {
    let history = server.history();
    let connected = history
        .iter()
        .filter(|it| it.what == ConnectionEvent::Connected);
    connected.count()
}

#[tokio::test]
async fn after_three_failures_nobody_connects_for_a_while() {
    let server = ModelServer::start(ScriptedAnswer::status(500).header("connection", "close"));
    let mut desk = Desk::with(&settings(&format!("{PATIENT}url = {:?}\n", server.url())));
    desk.open("a.rs");
    for _ in 0..3 {
        assert!(rests(&desk).is_empty());
        desk.touch_and_ask("a.rs").await;
    }
    assert_eq!(rests(&desk), [10_000]);
    let (asked, connected) = (server.asked(), connections(&server));
    assert_eq!(asked, 3);
    let mut suggested = 0;
    for _ in 0..50 {
        let (answer, lanes) = desk.touch_and_ask("a.rs").await;
        let asked: Vec<LaneKind> = lanes.iter().map(|it| it.lane).collect();
        assert_eq!(asked, [LaneKind::NextEdit], "the others go on");
        suggested += usize::from(from(&answer) == Some(LaneKind::NextEdit));
    }
    // It has something to say whenever the change that makes a request new was taken back.
    assert_eq!(suggested, 25);
    assert_eq!((server.asked(), connections(&server)), (asked, connected));
    assert_eq!(rests(&desk), [10_000], "it is said once");
    assert_eq!(
        desk.fault(LaneKind::Fim).0,
        "server-error",
        "why stays known"
    );
}

#[tokio::test]
async fn a_server_that_says_when_to_come_back_is_left_alone_until_then() {
    let server = ModelServer::start(ScriptedAnswer::status(429).header("retry-after", "2"));
    let mut desk = Desk::with(&settings(&format!("{PATIENT}url = {:?}\n", server.url())));
    desk.open("a.rs");
    desk.touch_and_ask("a.rs").await;
    assert_eq!(rests(&desk), [2_000], "one is enough");
    for _ in 0..5 {
        desk.touch_and_ask("a.rs").await;
    }
    assert_eq!(server.asked(), 1);
    desk.pass(Duration::from_millis(2_050)).await;
    desk.touch_and_ask("a.rs").await;
    assert_eq!(server.asked(), 2);
}

/// A lane that says when to come back, or that it is broken, and counts how often it is asked.
struct Broken(Arc<AtomicUsize>, Option<u64>);

impl Lane for Broken {
    fn ask(&self, _: Arc<LaneRequest>, _: CancellationToken) -> LaneFuture {
        self.0.fetch_add(1, Ordering::SeqCst);
        let kind = match self.1 {
            Some(_) => FailureKind::TooManyRequests,
            None => FailureKind::ServerError,
        };
        let mut fault = LaneFault::new(kind, "it is played");
        fault.failure.retry_after_ms = self.1;
        Box::pin(async move { Err(fault) })
    }
}

/// How often a lane is asked and how long it rests, when somebody asks every second for as long.
async fn asked_every_second(seconds: usize, retry_after: Option<u64>) -> (Vec<usize>, Vec<u64>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&asked);
    let embedded = foretell_engine::lane_backends::by_settings();
    let lanes =
        move |lane: LaneKind, settings: &foretell_settings::settings::LaneSettings| match lane {
            LaneKind::Fim => Arc::new(Broken(Arc::clone(&counted), retry_after)) as Arc<dyn Lane>,
            _ => embedded(lane, settings),
        };
    let mut desk = Desk::of(
        resolved(&settings("url = \"http://127.0.0.1:9\"\n")),
        Arc::new(lanes),
    );
    desk.open("a.rs");
    let mut when = Vec::new();
    for second in 0..seconds {
        let before = asked.load(Ordering::SeqCst);
        desk.touch_and_ask("a.rs").await;
        if asked.load(Ordering::SeqCst) > before {
            when.push(second);
        }
        desk.pass(Duration::from_secs(1)).await;
    }
    (when, rests(&desk))
}

#[tokio::test(start_paused = true)]
async fn a_time_to_come_back_is_kept_on_the_clock() {
    let (when, rests) = asked_every_second(65, Some(30_000)).await;
    assert_eq!(rests, [30_000; 3]);
    // The clock has milliseconds, and a question takes none: 29 s and 30 s are a round apart.
    assert_eq!(when.len(), 3, "{when:?}");
    assert!(
        when.windows(2)
            .all(|two| (30..=31).contains(&(two[1] - two[0]))),
        "{when:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_lane_rests_for_longer_each_time_and_not_for_ever() {
    let (when, rests) = asked_every_second(1_500, None).await;
    assert_eq!(
        rests.get(..6),
        Some(&[10_000, 20_000, 40_000, 80_000, 160_000, 300_000][..])
    );
    assert!(rests.iter().all(|it| *it <= 300_000), "{rests:?}");
    assert_eq!(
        when.get(..3),
        Some(&[0, 1, 2][..]),
        "three failures in a row"
    );
    assert!(when[3] >= 12, "{when:?}");
}
