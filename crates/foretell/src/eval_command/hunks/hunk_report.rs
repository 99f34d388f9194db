//! [`HunkReport`]: the table for people and the lines for machines.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::super::plain_words;
use super::hunk_class::HunkClass;
use super::played_commit::{AskedHunk, HunkVerdict};

/// What came of repositories.
#[derive(Debug, Default)]
pub(crate) struct HunkReport {
    rows: Vec<RepositoryScore>,
}

#[derive(Clone, Debug, Default)]
struct RepositoryScore {
    name: String,
    /// In the order of [`ROWS`].
    scores: [HunkScore; 3],
    /// A line for each offer, and for each hunk that was to be foreseen.
    each: Vec<String>,
}

/// Of which hunks a row is.
const ROWS: [(&str, Option<HunkClass>); 3] = [
    ("rename", Some(HunkClass::Rename)),
    ("repeat", Some(HunkClass::Repeat)),
    ("all", None),
];

/// What was counted.
#[derive(Clone, Copy, Debug, Default)]
struct HunkScore {
    hunks: u64,
    again: u64,
    offers: u64,
    right: u64,
    later: u64,
}

impl HunkScore {
    fn count(&mut self, asked: &AskedHunk) {
        let verdict = asked.offer.as_ref().map(|offer| offer.verdict);
        self.hunks += 1;
        self.again += u64::from(asked.classed.is_again);
        self.offers += u64::from(verdict.is_some());
        self.right += u64::from(verdict == Some(HunkVerdict::Next));
        self.later += u64::from(verdict == Some(HunkVerdict::Later));
    }

    fn add(&mut self, other: &HunkScore) {
        self.hunks += other.hunks;
        self.again += other.again;
        self.offers += other.offers;
        self.right += other.right;
        self.later += other.later;
    }

    fn wrong(&self) -> u64 {
        self.offers - self.right - self.later
    }

    fn precision(&self) -> Option<f64> {
        share(self.right, self.offers)
    }

    fn precision_with_later(&self) -> Option<f64> {
        share(self.right + self.later, self.offers)
    }

    fn coverage(&self) -> Option<f64> {
        share(self.right, self.hunks)
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

impl HunkReport {
    /// Begins a repository.
    pub(super) fn begin(&mut self, name: String) {
        self.rows.push(RepositoryScore {
            name,
            ..RepositoryScore::default()
        });
    }

    /// Adds a commit of the repository that was begun last.
    pub(super) fn add(&mut self, commit: &str, hunks: Vec<AskedHunk>) {
        let Some(row) = self.rows.last_mut() else {
            return;
        };
        for asked in hunks {
            for ((_, class), score) in ROWS.iter().zip(&mut row.scores) {
                if class.is_none_or(|class| class == asked.classed.class) {
                    score.count(&asked);
                }
            }
            row.each.extend(told(commit, &asked));
        }
    }

    fn total(&self) -> [HunkScore; 3] {
        let mut total = [HunkScore::default(); 3];
        for row in &self.rows {
            total
                .iter_mut()
                .zip(&row.scores)
                .for_each(|(to, from)| to.add(from));
        }
        total
    }

    /// A line for each offer, and for each hunk that was not foreseen though it is one that could be.
    pub(crate) fn write_each(&self, out: &mut impl Write) -> io::Result<()> {
        for row in &self.rows {
            for line in &row.each {
                writeln!(out, "{}: {line}", row.name)?;
            }
        }
        Ok(())
    }

    pub(crate) fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        for row in &self.rows {
            write_object("repository", json!(row.name), &row.scores, out)?;
        }
        write_object("total", json!(true), &self.total(), out)
    }

    pub(crate) fn write_table(&self, out: &mut impl Write) -> io::Result<()> {
        write!(out, "{:<28}", "")?;
        for heading in HEADINGS {
            write!(out, "{heading:>10}")?;
        }
        writeln!(out)?;
        for row in &self.rows {
            write_rows(&row.name, &row.scores, out)?;
        }
        if self.rows.len() > 1 {
            write_rows("total", &self.total(), out)?;
        }
        write!(out, "\n{LEGEND}")
    }
}

const HEADINGS: [&str; 9] = [
    "hunks",
    "again",
    "offers",
    "right",
    "later",
    "wrong",
    "precision",
    "or later",
    "coverage",
];

const LEGEND: &str = "\
again      hunks of which an earlier one of the commit says all
right      offers that are the next hunk, or the first part of it
later      offers that are made later in the commit
precision  right of the offers; or later: right and later of the offers
coverage   right of the hunks
";

fn write_rows(name: &str, scores: &[HunkScore; 3], out: &mut impl Write) -> io::Result<()> {
    for ((class, _), score) in ROWS.iter().zip(scores) {
        write!(out, "{:<28}", format!("{name} {class}"))?;
        for count in [
            score.hunks,
            score.again,
            score.offers,
            score.right,
            score.later,
            score.wrong(),
        ] {
            write!(out, "{count:>10}")?;
        }
        let shares = [
            score.precision(),
            score.precision_with_later(),
            score.coverage(),
        ];
        for share in shares {
            let share = share.map_or("-".to_owned(), |it| format!("{it:.2}"));
            write!(out, "{share:>10}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_object(
    kind: &str,
    name: Value,
    scores: &[HunkScore; 3],
    out: &mut impl Write,
) -> io::Result<()> {
    let mut object = serde_json::Map::new();
    object.insert(kind.to_owned(), name);
    for ((class, _), score) in ROWS.iter().zip(scores) {
        let rounded = |share: Option<f64>| share.map(|it| (it * 10_000.0).round() / 10_000.0);
        let counts = json!({
            "hunks": score.hunks,
            "again": score.again,
            "offers": score.offers,
            "right": score.right,
            "later": score.later,
            "wrong": score.wrong(),
            "precision": rounded(score.precision()),
            "precisionWithLater": rounded(score.precision_with_later()),
            "coverage": rounded(score.coverage()),
        });
        object.insert((*class).to_owned(), counts);
    }
    serde_json::to_writer(&mut *out, &object)?;
    writeln!(out)
}

/// What was offered before a hunk; nothing, if rightly nothing was.
fn told(commit: &str, asked: &AskedHunk) -> Option<String> {
    let class = match asked.classed.class {
        HunkClass::Rename => "rename",
        HunkClass::Repeat => "repeat",
        HunkClass::Single => "single",
    };
    let commit = commit.get(..10).unwrap_or(commit);
    let before = format!(
        "{commit} before {}:{} ({class})",
        plain_words::escaped(&asked.path),
        asked.line
    );
    let Some(offer) = &asked.offer else {
        return asked.classed.is_again.then(|| format!("{before}: silent"));
    };
    let verdict = match offer.verdict {
        HunkVerdict::Next => "right",
        HunkVerdict::Later => "later",
        HunkVerdict::Wrong => "wrong",
    };
    Some(format!(
        "{before}: {verdict}, {}:{} {:?} -> {:?}",
        plain_words::escaped(&offer.path),
        offer.line,
        offer.old,
        offer.new
    ))
}
