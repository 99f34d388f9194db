//! How fast servers read and write: learned from calls, shared by the lanes that ask them, and kept.
//!
//! A [`SpeedBook`] has an entry for each server and model. It is a file's content as well
//! ([`SpeedBook::to_json`]): whoever opens the book reads and writes that file, where there is one. What is in
//! a file is checked like everything that comes from outside, and a file that is damaged is an empty book.
//!
//! Every call is a sample ([`SpeedSample`]), and the speed is the middle one of the last few. One call that
//! shared its server with another client changes nothing by that, a server that is slower from now on is
//! noticed after three, and so is one that has recovered.
//!
//! A server is known by its address without a path and by the name that settings have for its model. What the
//! server itself calls its model is kept as a fingerprint: with another model it is another server. No key
//! is in that, and no word of a document.
//!
//! Absent on purpose: files, clocks, and what follows from a speed.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;
use std::time::Duration;

use foretell_text::{LaneSpeed, PoisonedLock};
use serde::{Deserialize, Serialize};

/// The version of the book as a text. Another one is not read.
const VERSION: u32 = 1;
/// How many servers are remembered.
const MOST_SERVERS: usize = 64;
/// Of how many calls the middle one counts.
const MOST_SAMPLES: usize = 5;
/// The slowest and the fastest that is believed, in tokens a second.
const SLOWEST: f64 = 0.5;
const FASTEST: f64 = 200_000.0;

/// How fast a server reads and writes, in tokens a second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ServerSpeed {
    /// How many tokens of a prompt it reads in a second, if that is known.
    pub read: Option<f64>,
    /// How many tokens it writes.
    pub written: Option<f64>,
}

impl ServerSpeed {
    /// The same as the machine is told.
    pub fn in_whole_numbers(self) -> LaneSpeed {
        // A speed is a bounded number.
        let whole = |speed: Option<f64>| speed.map(|speed| speed.round() as u32);
        LaneSpeed {
            read: whole(self.read),
            written: whole(self.written),
            repeats_region: false,
        }
    }
}

/// What one call says of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpeedSample {
    /// How fast it read, if it read enough to tell.
    pub read: Option<f64>,
    /// How fast it wrote.
    pub written: Option<f64>,
}

/// Whether a speed is one that a machine may have.
pub(super) fn is_believable(tokens_per_second: f64) -> bool {
    (SLOWEST..=FASTEST).contains(&tokens_per_second)
}

/// A number of tokens in a time, as tokens a second, if a machine may be that fast.
pub fn tokens_per_second(tokens: u64, took: Duration) -> Option<f64> {
    let tokens = u32::try_from(tokens).ok().filter(|tokens| *tokens > 0)?;
    let seconds = took.as_secs_f64();
    let speed = f64::from(tokens) / seconds;
    (seconds > 0.0 && is_believable(speed)).then_some(speed)
}

/// The speeds of servers. Shared by lanes; the lock is held for a moment and never while anything is waited
/// for.
#[derive(Debug, Default)]
pub struct SpeedBook(Mutex<BookContents>);

#[derive(Debug, Default)]
struct BookContents {
    /// The server that was asked last is the last.
    servers: Vec<(String, SpeedMeter)>,
    /// Whether there is something in it that [`SpeedBook::take_change`] has not given.
    is_changed: bool,
}

/// The book as a text.
#[derive(Serialize, Deserialize)]
struct WrittenBook {
    version: u32,
    servers: BTreeMap<String, WrittenSpeed>,
}

/// A server in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct WrittenSpeed {
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    read: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<f64>,
}

/// Which server with which model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpeedKey {
    /// The server, and what the person calls its model.
    pub server: String,
    /// A fingerprint of what the server calls it, where that is known.
    pub model: Option<u64>,
}

/// The speed of one server.
#[derive(Debug, Default)]
struct SpeedMeter {
    /// Whether a call was measured since the book was opened.
    is_measured: bool,
    model: Option<u64>,
    read: RateMeter,
    written: RateMeter,
}

/// The last samples, the latest last.
#[derive(Debug, Default)]
struct RateMeter(VecDeque<f64>);

impl RateMeter {
    fn add(&mut self, sample: Option<f64>) -> bool {
        let Some(sample) = sample.filter(|it| is_believable(*it)) else {
            return false;
        };
        if self.0.len() == MOST_SAMPLES {
            self.0.pop_front();
        }
        self.0.push_back(sample);
        true
    }

    /// The middle one; of two, the faster: a server is slowed down by others more often than hurried.
    fn middle(&self) -> Option<f64> {
        let mut sorted: Vec<f64> = self.0.iter().copied().collect();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied()
    }
}

impl SpeedMeter {
    /// Whether it may be another model that was measured.
    fn is_of_another(&self, key: &SpeedKey) -> bool {
        let models = self.model.zip(key.model);
        models.is_some_and(|(known, asked)| known != asked)
    }

    fn speed(&self) -> ServerSpeed {
        ServerSpeed {
            read: self.read.middle(),
            written: self.written.middle(),
        }
    }
}

impl SpeedBook {
    /// The book that a text is; an empty one if it is none.
    pub fn from_json(text: &str) -> Self {
        let book = SpeedBook::default();
        for (server, speed) in written(text) {
            let WrittenSpeed {
                model,
                read,
                written,
            } = speed;
            book.learn(&SpeedKey { server, model }, SpeedSample { read, written });
        }
        book.take_change();
        for (_, meter) in &mut book.0.lock().unpoison().servers {
            meter.is_measured = false;
        }
        book
    }

    /// The book as a text, with what another one says: several programs may keep theirs in one file. Of
    /// servers that were measured since this book was opened, this one is right, and of others that one.
    pub fn to_json(&self, other: &str) -> String {
        let contents = self.0.lock().unpoison();
        let of_book = |is_measured: bool| {
            let meters = contents.servers.iter();
            let meters = meters.filter(move |(_, meter)| meter.is_measured == is_measured);
            meters.map(|(server, meter)| {
                let ServerSpeed { read, written } = meter.speed();
                let model = meter.model;
                let written = WrittenSpeed {
                    model,
                    read,
                    written,
                };
                (server.clone(), written)
            })
        };
        let measured: BTreeMap<String, WrittenSpeed> = of_book(true).collect();
        let mut servers: BTreeMap<String, WrittenSpeed> = of_book(false).collect();
        servers.extend(written(other));
        servers.retain(|server, _| !measured.contains_key(server));
        let too_many = (servers.len() + measured.len()).saturating_sub(MOST_SERVERS);
        for _ in 0..too_many {
            servers.pop_first();
        }
        servers.extend(measured);
        let version = VERSION;
        // Numbers and texts can be written.
        serde_json::to_string(&WrittenBook { version, servers }).unwrap_or_default()
    }

    /// How fast a server is, as far as that is known.
    pub fn speed(&self, key: &SpeedKey) -> ServerSpeed {
        let contents = self.0.lock().unpoison();
        let known = contents.servers.iter().find(|(it, _)| *it == key.server);
        let meter = known.map(|(_, meter)| meter);
        let meter = meter.filter(|meter| !meter.is_of_another(key));
        meter.map_or(ServerSpeed::default(), SpeedMeter::speed)
    }

    /// Learns what a call says of a server.
    pub fn learn(&self, key: &SpeedKey, sample: SpeedSample) {
        let mut contents = self.0.lock().unpoison();
        let contents = &mut *contents;
        let known = contents
            .servers
            .iter()
            .position(|(it, _)| *it == key.server);
        let (name, mut meter) = match known {
            Some(known) => contents.servers.remove(known),
            None => (key.server.clone(), SpeedMeter::default()),
        };
        if meter.is_of_another(key) {
            meter = SpeedMeter::default();
        }
        meter.model = key.model.or(meter.model);
        let is_news = [
            meter.read.add(sample.read),
            meter.written.add(sample.written),
        ];
        if is_news.contains(&true) {
            meter.is_measured = true;
            contents.is_changed = true;
        } else if known.is_none() {
            return;
        }
        contents.servers.push((name, meter));
        let too_many = contents.servers.len().saturating_sub(MOST_SERVERS);
        contents.servers.drain(..too_many);
    }

    /// Whether [`SpeedBook::take_change`] has something to give.
    pub fn has_change(&self) -> bool {
        self.0.lock().unpoison().is_changed
    }

    /// Whether something was learned since this was asked last.
    pub fn take_change(&self) -> bool {
        std::mem::take(&mut self.0.lock().unpoison().is_changed)
    }
}

/// What a text says of servers; nothing if it is no book.
fn written(text: &str) -> impl Iterator<Item = (String, WrittenSpeed)> {
    let read: Option<WrittenBook> = serde_json::from_str(text).ok();
    let read = read.filter(|book| book.version == VERSION);
    let servers = read.map(|book| book.servers).unwrap_or_default();
    let believed = |speed: Option<f64>| speed.filter(|it| is_believable(*it));
    servers.into_iter().map(move |(server, speed)| {
        let speed = WrittenSpeed {
            read: believed(speed.read),
            written: believed(speed.written),
            ..speed
        };
        (server, speed)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(server: &str) -> SpeedKey {
        SpeedKey {
            server: server.to_owned(),
            model: None,
        }
    }

    fn learned(samples: impl IntoIterator<Item = f64>) -> Option<f64> {
        let book = SpeedBook::default();
        for read in samples {
            let read = Some(read);
            let written = None;
            book.learn(&key("server"), SpeedSample { read, written });
        }
        book.speed(&key("server")).read
    }

    #[test]
    fn one_call_that_shared_its_server_changes_nothing() {
        assert_eq!(learned([]), None);
        assert_eq!(learned([150.0]), Some(150.0));
        assert_eq!(learned([150.0, 150.0, 20.0, 150.0]), Some(150.0));
        assert_eq!(learned([150.0, 151.0, 20.0, 21.0, 149.0]), Some(149.0));
    }

    #[test]
    fn a_server_that_another_client_slowed_down_recovers() {
        let busy = [20.0; 8];
        assert_eq!(learned(busy), Some(20.0));
        let after = busy.into_iter().chain([150.0, 150.0]);
        assert_eq!(learned(after.clone()), Some(20.0));
        assert_eq!(learned(after.chain([150.0])), Some(150.0));
    }

    #[test]
    fn nonsense_is_not_learned() {
        let nonsense = [
            0.0,
            -1.0,
            f64::NAN,
            f64::INFINITY,
            1e300,
            1e-300,
            f64::MIN_POSITIVE,
        ];
        assert_eq!(learned(nonsense), None);
        assert_eq!(learned(nonsense.into_iter().chain([99.0])), Some(99.0));
        let speed = tokens_per_second;
        assert_eq!(speed(0, Duration::from_secs(1)), None);
        assert_eq!(speed(100, Duration::ZERO), None);
        assert_eq!(speed(u64::MAX, Duration::from_secs(1)), None);
        assert_eq!(speed(1, Duration::MAX), None);
        assert_eq!(speed(100, Duration::from_secs(2)), Some(50.0));
    }

    #[test]
    fn a_book_outlives_its_program_beside_those_of_others() {
        let book = SpeedBook::default();
        let sample = SpeedSample {
            read: Some(150.0),
            written: None,
        };
        book.learn(&key("http://127.0.0.1:8012 small"), sample);
        assert!(book.take_change());
        assert!(!book.take_change());
        let other = r#"{"version":1,"servers":{"another":{"read":9.5,"written":2.0}}}"#;
        let text = book.to_json(other);
        let read = SpeedBook::from_json(&text);
        assert!(!read.take_change(), "what was read is no news");
        assert_eq!(
            read.speed(&key("http://127.0.0.1:8012 small")).read,
            Some(150.0)
        );
        assert_eq!(read.speed(&key("another")).written, Some(2.0));
    }

    #[test]
    fn another_process_that_measured_a_server_last_is_right() {
        let sample = |read: f64| SpeedSample {
            read: Some(read),
            written: None,
        };
        let first = SpeedBook::default();
        first.learn(&key("shared"), sample(100.0));
        let text = first.to_json("");
        let (one, other) = (SpeedBook::from_json(&text), SpeedBook::from_json(&text));
        for _ in 0..3 {
            other.learn(&key("shared"), sample(900.0));
        }
        one.learn(&key("own"), sample(50.0));
        let both = SpeedBook::from_json(&one.to_json(&other.to_json(&text)));
        assert_eq!(both.speed(&key("shared")).read, Some(900.0));
        assert_eq!(both.speed(&key("own")).read, Some(50.0));
    }

    #[test]
    fn servers_of_two_books_are_counted_once() {
        let sample = SpeedSample {
            read: Some(100.0),
            written: None,
        };
        let book = SpeedBook::default();
        for number in 0..40 {
            book.learn(&key(&format!("a{number}")), sample);
        }
        let other = SpeedBook::from_json(&book.to_json(""));
        for number in 0..24 {
            other.learn(&key(&format!("0{number}")), sample);
        }
        let text = book.to_json(&other.to_json(""));
        assert_eq!(text.matches("read").count(), MOST_SERVERS);
    }

    #[test]
    fn another_model_on_the_same_server_is_measured_anew() {
        let book = SpeedBook::default();
        let with = |model: Option<u64>| SpeedKey {
            model,
            ..key("server")
        };
        let sample = |read: f64| SpeedSample {
            read: Some(read),
            written: None,
        };
        book.learn(&with(Some(1)), sample(100.0));
        let book = SpeedBook::from_json(&book.to_json(""));
        // Before the server was asked which model it has, it is taken for the one that it had.
        assert_eq!(book.speed(&with(None)).read, Some(100.0));
        assert_eq!(book.speed(&with(Some(2))).read, None);
        book.learn(&with(Some(2)), sample(900.0));
        assert_eq!(book.speed(&with(None)).read, Some(900.0));
        assert_eq!(book.speed(&with(Some(1))).read, None);
    }

    #[test]
    fn a_damaged_book_is_begun_anew() {
        for text in [
            "",
            "{",
            "[]",
            "\u{0}",
            r#"{"version":2,"servers":{"it":{"read":9.5}}}"#,
            r#"{"version":1,"servers":{"it":{"read":-9.5,"written":1e300}}}"#,
            r#"{"version":1,"servers":{"it":{"read":"fast"}}}"#,
            r#"{"version":1,"servers":{"it":{}}}"#,
        ] {
            let speed = SpeedBook::from_json(text).speed(&key("it"));
            assert_eq!(speed, ServerSpeed::default(), "{text}");
        }
    }

    #[test]
    fn the_servers_that_were_asked_long_ago_are_forgotten() {
        let book = SpeedBook::default();
        let sample = SpeedSample {
            read: Some(100.0),
            written: Some(10.0),
        };
        for number in 0..MOST_SERVERS * 2 {
            book.learn(&key(&number.to_string()), sample);
        }
        assert_eq!(book.speed(&key("0")), ServerSpeed::default());
        let text = book.to_json("");
        let again = SpeedBook::from_json(&text).to_json(&text);
        assert_eq!(text, again);
        assert_eq!(text.matches("read").count(), MOST_SERVERS);
    }
}
