//! The table held against what is served; and the port, which is open to every program on the machine,
//! whatever that says.
//!
//! These are about sockets. No test waits for time to pass: each waits for what must come.

use std::collections::BTreeSet;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use foretell_core::{AheadWork, Fact, ForgetCause, Measurement, Reason};
use foretell_text::{FailureKind, LaneKind, LaneSpeed, PredictionAsk, TokenUsage};

use foretell_journal::numbers::table::{METRICS, MetricKind};
use foretell_journal::{BookMoment, NumberBook};

use super::listen::MetricsListener;
use super::*;

/// Far longer than anything here takes, on any machine.
const LONG: Duration = Duration::from_secs(30);

/// A port, and a loop behind it that answers at once.
struct TestPort {
    listening: Option<MetricsListener>,
    answers: Option<JoinHandle<usize>>,
}

impl TestPort {
    fn open() -> Self {
        let (ask, mut asks) = mpsc::channel::<ScrapeRequest>(1);
        let answers = thread::spawn(move || {
            let mut answered = 0;
            while let Some(ask) = asks.blocking_recv() {
                ask.answer(NumberBook::default().rows(&BookMoment::default()));
                answered += 1;
            }
            answered
        });
        TestPort {
            listening: Some(listening(ask)),
            answers: Some(answers),
        }
    }

    fn at(&self) -> SocketAddr {
        self.listening.as_ref().map(MetricsListener::at).unwrap()
    }

    /// Everything that is answered to some bytes.
    fn say(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        stream.write_all(bytes).unwrap();
        read_all(&mut stream)
    }

    fn get(&self, path: &str) -> String {
        self.say(format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.at()).as_bytes())
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.at()).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        stream
    }

    /// Ends it, and says how often the loop was asked.
    fn close(mut self) -> usize {
        self.listening = None;
        self.answers.take().unwrap().join().unwrap()
    }
}

fn listening(ask: mpsc::Sender<ScrapeRequest>) -> MetricsListener {
    let any: MetricsAddress = "127.0.0.1:0".parse().unwrap();
    MetricsListener::begin(any.socket(), ask).unwrap()
}

/// Reads until the other side closes the connection, also if it is reset.
fn read_all(stream: &mut TcpStream) -> String {
    let mut all = Vec::new();
    if let Err(why) = stream.read_to_end(&mut all) {
        assert_eq!(why.kind(), ErrorKind::ConnectionReset, "{why}");
    }
    String::from_utf8(all).unwrap()
}

#[test]
fn metrics_are_served_in_the_text_format() {
    let port = TestPort::open();
    let answer = port.get("/metrics");
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
    let format = "content-type: text/plain; version=0.0.4";
    assert!(head.lines().any(|it| it.starts_with(format)), "{head}");
    assert!(body.contains("\nforetell_requests_total 0\n"), "{body}");
    assert!(body.ends_with('\n'));
    assert_eq!(port.close(), 1);
}

#[test]
fn everything_else_is_refused_and_costs_the_loop_nothing() {
    let port = TestPort::open();
    let host = format!("Host: {}\r\n\r\n", port.at());
    for (said, expected) in [
        ("GET / HTTP/1.1\r\n", "404"),
        ("GET /metrics/ HTTP/1.1\r\n", "404"),
        ("GET /../metrics HTTP/1.1\r\n", "404"),
        ("POST /metrics HTTP/1.1\r\nContent-Length: 0\r\n", "405"),
        ("DELETE /metrics HTTP/1.1\r\n", "405"),
        ("OPTIONS /metrics HTTP/1.1\r\nOrigin: http://a\r\n", "405"),
        ("GARBAGE\r\n", "400"),
        ("GET /metrics HTTP/9.9\r\n", ""),
        ("\u{16}\u{3}\u{1}\u{2}", "400"),
    ] {
        let answer = port.say(format!("{said}{host}").as_bytes());
        let status = format!("HTTP/1.1 {expected}");
        assert!(
            answer.starts_with(&status) || expected.is_empty(),
            "{said:?}: {answer}"
        );
        assert!(!answer.contains("foretell_requests_total"), "{said:?}");
        let is_readable = answer.to_lowercase().contains("access-control-allow");
        assert!(!is_readable, "no web page may read it: {answer}");
    }
    assert!(port.get("/").contains("/metrics"), "it says where to go");
    assert_eq!(port.close(), 0);
}

#[test]
fn a_web_page_with_a_name_of_its_own_for_this_machine_reads_nothing() {
    let port = TestPort::open();
    let ours = port.at().port();
    for host in [
        "Host: rebound.example.org\r\n".to_owned(),
        format!("Host: rebound.example.org:{ours}\r\n"),
        format!("Host: 127.0.0.1.example.org:{ours}\r\n"),
        format!("Host: 10.0.0.1:{ours}\r\n"),
        "Host: \r\n".to_owned(),
        "Host: ]\r\n".to_owned(),
        String::new(),
    ] {
        let answer = port.say(format!("GET /metrics HTTP/1.1\r\n{host}\r\n").as_bytes());
        assert!(answer.starts_with("HTTP/1.1 403"), "{host}: {answer}");
    }
    let whole = format!("GET http://a.example/metrics HTTP/1.1\r\nHost: 127.0.0.1:{ours}\r\n\r\n");
    let answer = port.say(whole.as_bytes());
    assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    for host in ["localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:9"] {
        let said = format!("GET /metrics HTTP/1.1\r\nHost: {host}\r\n\r\n");
        let answer = port.say(said.as_bytes());
        assert!(answer.starts_with("HTTP/1.1 200"), "{host}: {answer}");
    }
    assert_eq!(port.close(), 4);
}

#[test]
fn a_head_has_no_body() {
    let port = TestPort::open();
    let said = format!("HEAD /metrics HTTP/1.1\r\nHost: {}\r\n\r\n", port.at());
    let answer = port.say(said.as_bytes());
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200 OK"), "{head}");
    assert!(head.contains("content-length: "), "{head}");
    assert_eq!(body, "");
}

#[test]
fn those_who_say_nothing_or_read_nothing_are_cut_off_and_others_are_served() {
    let port = TestPort::open();
    // Some more than are let in at once; one has begun to speak, and one will not listen.
    let mut silent: Vec<TcpStream> = (0..100).map(|_| port.connect()).collect();
    silent[0].write_all(b"GET /metrics HT").unwrap();
    let said = format!("GET /metrics HTTP/1.1\r\nHost: {}\r\n\r\n", port.at());
    silent[1].write_all(said.as_bytes()).unwrap();
    let answer = port.get("/metrics");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert_eq!(read_all(&mut silent[2]), "", "it was closed");
    drop(silent);
    assert!(port.get("/metrics").starts_with("HTTP/1.1 200"));
}

#[test]
fn many_come_and_go() {
    let port = TestPort::open();
    for round in 0..1_000 {
        let stream = port.connect();
        match round % 3 {
            0 => drop(stream),
            1 => stream.shutdown(Shutdown::Write).unwrap(),
            _ => (&stream).write_all(&[round as u8; 200]).unwrap_or_default(),
        }
    }
    assert!(port.get("/metrics").starts_with("HTTP/1.1 200"));
}

#[test]
fn a_request_that_never_ends_is_not_kept() {
    let port = TestPort::open();
    let mut stream = port.connect();
    let line = [b'a'; 1 << 10];
    stream
        .write_all(b"GET /metrics HTTP/1.1\r\nHost: ")
        .unwrap();
    // It is closed before all of it is read.
    let written = (0..1 << 16).take_while(|_| stream.write_all(&line).is_ok());
    assert!(written.count() < 1 << 16);
}

#[test]
fn a_loop_that_is_busy_is_not_waited_for() {
    let (ask, _never_read) = mpsc::channel(1);
    let port = TestPort {
        listening: Some(listening(ask)),
        answers: None,
    };
    for _ in 0..2 {
        let answer = port.get("/metrics");
        assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
    }
}

#[test]
fn the_port_is_free_again_when_the_session_has_ended() {
    let port = TestPort::open();
    let at = port.at();
    let mut open = port.connect();
    let ended = Instant::now();
    port.close();
    assert_eq!(read_all(&mut open), "", "who is connected is let go");
    // The port is closed; the system may still have taken in what was in its queue.
    while TcpStream::connect(at).is_ok() {
        assert!(ended.elapsed() < LONG);
    }
    assert!(std::net::TcpListener::bind(at).is_ok());
}

#[test]
fn a_port_that_is_in_use_is_said_with_what_to_do() {
    let port = TestPort::open();
    let taken = port.at().to_string().parse().unwrap();
    let Err(why) = MetricsServer::begin(taken) else {
        unreachable!("two cannot have one port");
    };
    let words = why.to_string();
    assert!(words.contains(&port.at().to_string()), "{words}");
    assert!(words.contains("in use"), "{words}");
    assert!(words.ends_with("or port 0 for any that is free"), "{words}");
}

/// A page on which there is something of everything.
fn full_page() -> String {
    let mut moment = BookMoment::default();
    let counts = &mut moment.counts;
    for reasons in [
        &mut counts.ignored,
        &mut counts.quiet,
        &mut counts.requests_saved,
        &mut counts.predictions_dropped,
        &mut counts.withheld,
        &mut counts.calls_spared,
    ] {
        reasons.insert(Reason::TimedOut, 2);
    }
    counts.forgotten.insert(ForgetCause::Capacity, 1);
    counts.ahead.insert(AheadWork::Warm, 1);
    counts.predictions_asked.insert(PredictionAsk::Key, 1);
    moment.speeds[LaneKind::Fim] = Some(LaneSpeed {
        read: Some(150),
        written: Some(20),
        repeats_region: false,
    });
    let mut book = NumberBook::default();
    let (lane, usage) = (
        LaneKind::Fim,
        TokenUsage {
            prompt_tokens: 7,
            completion_tokens: 1,
            read_tokens: None,
        },
    );
    book.saw(Fact::Measurement(&Measurement::Lane {
        lane,
        took: None,
        came: Err(FailureKind::Cut),
        usage,
    }));
    book.saw(Fact::Measurement(&Measurement::Ahead {
        work: AheadWork::Warm,
        came: None,
        usage,
    }));
    let reason = Reason::TimedOut;
    book.saw(Fact::Measurement(&Measurement::Stopped { lane, reason }));
    let mut rows = book.rows(&moment);
    rows.push(NumberRow::memory(1));
    text_format::page(rows)
}

#[test]
fn what_is_served_is_what_the_table_says() {
    let page = full_page();
    let kinds: BTreeSet<(&str, &str)> = page
        .lines()
        .filter_map(|it| it.strip_prefix("# TYPE ")?.split_once(' '))
        .collect();
    let expected = METRICS.iter().map(|it| {
        let kind = match it.kind {
            MetricKind::Counter => "counter",
            MetricKind::Gauge => "gauge",
            MetricKind::Histogram => "histogram",
        };
        (it.name, kind)
    });
    assert_eq!(kinds, expected.collect());
    assert!(page.contains("foretell_lane_failures_total{failure=\"cut\",lane=\"fim\"} 1\n"));
    assert!(page.contains("foretell_lane_tokens_total{direction=\"prompt\",lane=\"fim\"} 7\n"));
    assert!(page.contains("foretell_requests_saved_total{reason=\"timed-out\"} 2\n"));
}
