//! [`LiveReport`]: a line for each next edit, the table for people and the JSON for machines.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::super::plain_words;
use super::offer_fate::{FollowedOffer, OfferVerdict};

/// A session that was played.
#[derive(Debug)]
pub(crate) struct PlayedSession {
    pub(super) name: String,
    /// Gaps count up to a minute.
    pub(super) active_millis: u64,
    pub(super) offers: Vec<FollowedOffer>,
}

/// What came of sessions, or of the commits of repositories.
#[derive(Debug, Default)]
pub(crate) struct LiveReport {
    rows: Vec<LiveRow>,
}

#[derive(Debug)]
struct LiveRow {
    kind: &'static str,
    name: String,
    score: LiveScore,
    /// A line for each next edit.
    each: Vec<String>,
}

/// What was counted.
#[derive(Clone, Debug, Default)]
struct LiveScore {
    active_millis: u64,
    next: u64,
    later: u64,
    /// How long each wrong one stood.
    wrong: Vec<u64>,
    /// Wrong ones on the line that the person was on.
    wrong_on_their_line: u64,
}

impl LiveScore {
    fn add(&mut self, other: &LiveScore) {
        self.active_millis += other.active_millis;
        self.next += other.next;
        self.later += other.later;
        self.wrong.extend(&other.wrong);
        self.wrong_on_their_line += other.wrong_on_their_line;
    }

    fn offers(&self) -> u64 {
        self.next + self.later + self.wrong.len() as u64
    }

    fn minutes(&self) -> f64 {
        self.active_millis as f64 / 60_000.0
    }

    fn a_minute(&self, count: u64) -> Option<f64> {
        (self.active_millis > 0).then(|| count as f64 / self.minutes())
    }

    fn share(&self, count: u64) -> Option<f64> {
        (self.offers() > 0).then(|| count as f64 / self.offers() as f64)
    }

    /// The median of how long wrong ones stood, and the longest, in seconds.
    fn stood(&self) -> Option<[f64; 2]> {
        let mut sorted = self.wrong.clone();
        sorted.sort_unstable();
        let median = sorted.get(sorted.len() / 2)?;
        Some([*median, *sorted.last()?].map(|millis| millis as f64 / 1_000.0))
    }

    /// Next, next or later, offers a minute, wrong ones in five minutes.
    fn figures(&self) -> [Option<f64>; 4] {
        [
            self.share(self.next),
            self.share(self.next + self.later),
            self.a_minute(self.offers()),
            self.a_minute(self.wrong.len() as u64).map(|it| 5.0 * it),
        ]
    }
}

impl LiveReport {
    /// Begins a session, or a repository.
    pub(crate) fn begin(&mut self, kind: &'static str, name: String) {
        self.rows.push(LiveRow {
            kind,
            name,
            score: LiveScore::default(),
            each: Vec::new(),
        });
    }

    /// Adds a session to what was begun last.
    pub(crate) fn extend(&mut self, played: Option<PlayedSession>) {
        let (Some(played), Some(row)) = (played, self.rows.last_mut()) else {
            return;
        };
        let mut score = LiveScore {
            active_millis: played.active_millis,
            ..LiveScore::default()
        };
        for offer in &played.offers {
            match offer.verdict {
                Some(OfferVerdict::Next) => score.next += 1,
                Some(OfferVerdict::Later) => score.later += 1,
                Some(OfferVerdict::Never) | None => {
                    score.wrong.push(offer.stood);
                    score.wrong_on_their_line += u64::from(offer.is_on_their_line);
                }
            }
            row.each.push(told(&played.name, offer));
        }
        row.score.add(&score);
    }

    /// Adds a session by itself.
    pub(crate) fn add(&mut self, played: PlayedSession) {
        let name = played.name.rsplit('/').next().unwrap_or_default();
        let name = name.strip_suffix(".jsonl").unwrap_or(name).to_owned();
        self.begin("session", name);
        self.extend(Some(played));
    }

    fn total(&self) -> LiveScore {
        let mut total = LiveScore::default();
        self.rows.iter().for_each(|row| total.add(&row.score));
        total
    }

    pub(crate) fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        for row in &self.rows {
            write_object(row.kind, json!(row.name), &row.score, out)?;
        }
        write_object("total", json!(true), &self.total(), out)
    }

    pub(crate) fn write_table(&self, out: &mut impl Write) -> io::Result<()> {
        for line in self.rows.iter().flat_map(|row| &row.each) {
            writeln!(out, "{line}")?;
        }
        write!(out, "\n{:<40}", "")?;
        for (heading, width) in HEADINGS {
            write!(out, "{heading:>width$}")?;
        }
        writeln!(out)?;
        for row in &self.rows {
            write_row(&plain_words::escaped(&row.name), &row.score, out)?;
        }
        if self.rows.len() > 1 {
            write_row("total", &self.total(), out)?;
        }
        write!(out, "\n{LEGEND}")
    }
}

const HEADINGS: [(&str, usize); 11] = [
    ("minutes", 9),
    ("offers", 8),
    ("next", 7),
    ("later", 7),
    ("wrong", 7),
    ("on line", 9),
    ("next share", 12),
    ("right share", 13),
    ("a minute", 10),
    ("wrong in 5", 12),
    ("wrong stood", 15),
];

const LEGEND: &str = "\
minutes      active ones: gaps count up to a minute
next         offers that the person did next; later: within ten minutes
on line      wrong ones on the line that the person was on
right share  next and later of the offers
wrong in 5   wrong ones in five active minutes
wrong stood  for how many seconds: the median, and the longest
";

fn write_row(name: &str, score: &LiveScore, out: &mut impl Write) -> io::Result<()> {
    let [next, right, a_minute, wrong] = score.figures();
    let figure = |it: Option<f64>| it.map_or("-".to_owned(), |it| format!("{it:.2}"));
    let stood = score.stood();
    let cells = [
        format!("{:.1}", score.minutes()),
        score.offers().to_string(),
        score.next.to_string(),
        score.later.to_string(),
        score.wrong.len().to_string(),
        score.wrong_on_their_line.to_string(),
        figure(next),
        figure(right),
        figure(a_minute),
        figure(wrong),
        stood.map_or("-".to_owned(), |[median, longest]| {
            format!("{median:.1} / {longest:.0}")
        }),
    ];
    write!(out, "{name:<40}")?;
    for (cell, (_, width)) in cells.iter().zip(HEADINGS) {
        write!(out, "{cell:>width$}")?;
    }
    writeln!(out)
}

fn write_object(
    kind: &str,
    name: Value,
    score: &LiveScore,
    out: &mut impl Write,
) -> io::Result<()> {
    let rounded = |it: f64| (it * 10_000.0).round() / 10_000.0;
    let [next, right, a_minute, wrong] = score.figures().map(|it| it.map(rounded));
    let stood = score.stood().map(|it| it.map(rounded));
    let mut object = Map::new();
    object.insert(kind.to_owned(), name);
    for (name, value) in [
        ("activeMinutes", json!(rounded(score.minutes()))),
        ("offers", json!(score.offers())),
        ("next", json!(score.next)),
        ("later", json!(score.later)),
        ("wrong", json!(score.wrong.len())),
        ("wrongOnTheirLine", json!(score.wrong_on_their_line)),
        ("nextShare", json!(next)),
        ("rightShare", json!(right)),
        ("offersPerMinute", json!(a_minute)),
        ("wrongPerFiveMinutes", json!(wrong)),
        ("wrongStoodMedianSeconds", json!(stood.map(|it| it[0]))),
        ("wrongStoodLongestSeconds", json!(stood.map(|it| it[1]))),
    ] {
        object.insert(name.to_owned(), value);
    }
    serde_json::to_writer(&mut *out, &object)?;
    writeln!(out)
}

/// When, where, what, and what became of it.
fn told(session: &str, offer: &FollowedOffer) -> String {
    let verdict = match (offer.verdict, offer.done_after) {
        (Some(OfferVerdict::Next), Some(after)) => format!("done next, after {}", seconds(after)),
        (Some(OfferVerdict::Later), Some(after)) => format!("done later, after {}", seconds(after)),
        _ => "never done".to_owned(),
    };
    let their_line = if offer.is_on_their_line {
        ", on their line"
    } else {
        ""
    };
    format!(
        "{} {} {}:{} {:?} -> {:?}: {verdict}, stood {}{their_line}",
        plain_words::escaped(session),
        plain_words::time(offer.shown.millis()),
        plain_words::file_name(&offer.document),
        offer.line,
        offer.old,
        offer.new,
        seconds(offer.stood),
    )
}

fn seconds(millis: u64) -> String {
    format!("{:.1} s", millis as f64 / 1_000.0)
}
