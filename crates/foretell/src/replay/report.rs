//! The report for a person: a timeline of what happened and what came of it, and a summary.
//!
//! Rows are written as they come, in columns whose widths are known beforehand; what is wider
//! pushes the rest to the right. A stretch of quiet rows is shown as it is while it is short, and
//! as one line otherwise. Colours are taken out further down, where the output is no terminal or
//! the person wants none.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use anstyle::Style;
use foretell_core::{Forgotten, Moment, Reason};
use foretell_trace::{Line, Summary, Trace, Turn};

use super::row::{Row, Said, Told};
use super::words;

const POSITION: usize = 8;
const DEED: usize = 42;

/// The longest stretch of quiet rows that is not folded.
const SHORT: usize = 3;

/// A report in the making.
pub(super) struct Report<'t, W> {
    trace: &'t Trace,
    out: W,
    /// The widths of the columns with the times and the names of files.
    time: usize,
    file: usize,
    has_begun: bool,
    quiet: Quiet,
}

/// A stretch of which nothing came.
#[derive(Default)]
struct Quiet {
    /// The first few.
    rows: Vec<Row>,
    edits: u64,
    checks: u64,
}

impl<'t, W: Write> Report<'t, W> {
    pub(super) fn new(trace: &'t Trace, out: W) -> Self {
        let documents: BTreeSet<_> = trace.lines().iter().flat_map(Line::document).collect();
        let names = documents.into_iter().map(words::file_name);
        let file = names.map(|name| name.chars().count()).max();
        let end = trace.lines().last().map(|line| words::time(line.at).len());
        Report {
            trace,
            out,
            time: end.unwrap_or_default(),
            file: file.unwrap_or_default(),
            has_begun: false,
            quiet: Quiet::default(),
        }
    }

    /// Takes what came of a turn.
    pub(super) fn take(&mut self, turn: &Turn<'_>) -> io::Result<()> {
        match Told::of(turn, self.trace) {
            Told::Hidden => Ok(()),
            Told::QuietEdit(row) => {
                self.quiet.edits += 1;
                self.hold(row);
                Ok(())
            }
            Told::QuietCheck(row) => {
                self.quiet.checks += 1;
                self.hold(row);
                Ok(())
            }
            Told::Worth(row) => {
                self.end_quiet()?;
                self.write_row(&row)
            }
        }
    }

    /// Writes what is left, and the summary.
    pub(super) fn finish(mut self, summary: &Summary, end: Moment) -> io::Result<()> {
        self.end_quiet()?;
        if self.has_begun {
            writeln!(self.out)?;
        }
        for (name, lines) in told(summary, end) {
            let mut name = name;
            for line in lines {
                let bold = Style::new().bold();
                writeln!(self.out, "{bold}{name:<12}{bold:#}{line}")?;
                name = "";
            }
        }
        self.out.flush()
    }

    fn hold(&mut self, row: Row) {
        // Of a stretch that will be folded, only the beginning is needed.
        if self.quiet.rows.len() <= SHORT {
            self.quiet.rows.push(row);
        }
    }

    fn end_quiet(&mut self) -> io::Result<()> {
        let Quiet {
            mut rows,
            edits,
            checks,
        } = std::mem::take(&mut self.quiet);
        if rows.len() > SHORT {
            rows.truncate(1);
            for row in &mut rows {
                row.file = String::new();
                row.position = String::new();
                row.deed = folded(edits, checks);
                row.outcomes = Vec::new();
            }
        }
        rows.iter().try_for_each(|row| self.write_row(row))
    }

    fn write_row(&mut self, row: &Row) -> io::Result<()> {
        self.has_begun = true;
        let dim = Style::new().dimmed();
        let Row {
            time,
            file,
            position,
            deed,
            outcomes,
        } = row;
        let (time_width, file_width) = (self.time, self.file);
        write!(self.out, "{dim}{time:>time_width$}{dim:#}  ")?;
        write!(self.out, "{file:<file_width$} {position:<POSITION$}")?;
        let Some((first, more)) = outcomes.split_first() else {
            return writeln!(self.out, "  {deed}");
        };
        write!(self.out, "  {deed:<DEED$}  ")?;
        write_said(&mut self.out, first)?;
        for said in more {
            let indent = time_width + 2 + file_width + 1 + POSITION + 2 + DEED + 2;
            write!(self.out, "{:indent$}", "")?;
            write_said(&mut self.out, said)?;
        }
        Ok(())
    }
}

fn write_said(out: &mut impl Write, said: &Said) -> io::Result<()> {
    let Said { style, words } = said;
    writeln!(out, "{style}{words}{style:#}")
}

/// `… 12 edits, 3 checks, none rejected`
fn folded(edits: u64, checks: u64) -> String {
    let edits = (edits > 0).then(|| words::count(edits, "edit", "edits"));
    let checks = (checks > 0).then(|| {
        let checks = words::count(checks, "check", "checks");
        format!("{checks}, none rejected")
    });
    let both: Vec<_> = edits.into_iter().chain(checks).collect();
    format!("… {}", both.join(", "))
}

/// The summary: names, and lines for each.
fn told(summary: &Summary, end: Moment) -> Vec<(&'static str, Vec<String>)> {
    let counts = &summary.counts;
    let events = format!(
        "{} in {}: {}, {} not acted on",
        summary.events,
        words::time(end),
        words::count(counts.changes, "edit", "edits"),
        summary.not_acted_on(),
    );
    let mut told = vec![("events", vec![events])];
    if summary.checks > 0 {
        let not = summary.checks - summary.rejected;
        let mut lines = vec![format!(
            "{}: {} rejected, {not} not",
            summary.checks, summary.rejected
        )];
        if summary.differing > 0 {
            let differing = words::count(summary.differing, "is", "are");
            lines.push(format!("{differing} not as expected"));
        }
        told.push(("checks", lines));
    }
    let rejections = vec![
        format!(
            "{} remembered, {} fell asleep, {} woke",
            counts.remembered, counts.fell_asleep, counts.woke
        ),
        format!(
            "{} awake and {} asleep in the end",
            counts.rejections_awake, counts.rejections_asleep
        ),
    ];
    told.push(("rejections", rejections));
    told.extend(by_reason("forgotten", &counts.forgotten, |why| match why {
        Forgotten::Capacity => "because room was needed",
        Forgotten::Cleared => "because all were cleared",
        Forgotten::Asked => "because that was asked for",
    }));
    let acted_on = |counted: &BTreeMap<Reason, u64>| {
        let mut counted = counted.clone();
        counted.remove(&Reason::NotActedOn);
        counted
    };
    told.extend(by_reason(
        "ignored",
        &acted_on(&counts.ignored),
        Reason::words,
    ));
    told.extend(by_reason(
        "withheld",
        &acted_on(&summary.withheld),
        Reason::words,
    ));
    told
}

fn by_reason<K: Copy>(
    name: &'static str,
    counted: &BTreeMap<K, u64>,
    words: impl Fn(K) -> &'static str,
) -> Option<(&'static str, Vec<String>)> {
    let line = |(key, count): (&K, &u64)| format!("{count} {}", words(*key));
    let lines: Vec<_> = counted.iter().map(line).collect();
    (!lines.is_empty()).then_some((name, lines))
}
