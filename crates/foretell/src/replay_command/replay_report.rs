//! The report for a person: a timeline of what happened and what came of it, and a summary.
//!
//! Rows are written as they come, in columns whose widths are known beforehand; what is wider
//! pushes the rest to the right. A stretch of quiet rows is shown as it is while it is short, and
//! as one line otherwise. Colours are taken out further down, where the output is no terminal or
//! the person wants none.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::io::{self, Write};

use anstyle::Style;
use foretell_core::{AskCause, Moment, Reason};
use foretell_journal::sentence::forget_words;
use foretell_text::LaneKind;
use foretell_trace::{Replay, ReplaySummary, ReplayTurn, Trace, TraceLine};

use super::plain_words;
use super::report_row::{QuietTurn, ReportRow, StyledWords, TurnDisplay};

const POSITION: usize = 8;
const DEED: usize = 42;

/// The longest stretch of quiet rows that is not folded.
const SHORT: usize = 6;

/// A report in the making.
pub(super) struct ReplayReport<W> {
    out: W,
    /// The widths of the columns with the times and the names of files.
    time: usize,
    file: usize,
    /// The moment of the first line, from which times are counted: in a recording moments are counted
    /// from midnight on.
    began: Moment,
    has_begun: bool,
    stretch: QuietStretch,
}

/// A stretch of which nothing came.
#[derive(Default)]
struct QuietStretch {
    /// The first few.
    rows: Vec<ReportRow>,
    counts: BTreeMap<QuietTurn, u64>,
}

impl<W: Write> ReplayReport<W> {
    pub(super) fn new(trace: &Trace, out: W) -> Self {
        let documents: BTreeSet<_> = trace.lines().iter().flat_map(TraceLine::document).collect();
        let names = documents.into_iter().map(plain_words::file_name);
        let file = names.map(|name| name.chars().count()).max();
        let began = trace.lines().first().map(|line| line.at);
        let began = began.unwrap_or_default();
        let end = trace.lines().last();
        let end = end.map(|line| plain_words::time(line.at.since(began)).len());
        ReplayReport {
            out,
            time: end.unwrap_or_default(),
            file: file.unwrap_or_default(),
            began,
            has_begun: false,
            stretch: QuietStretch::default(),
        }
    }

    /// Takes what came of a turn.
    pub(super) fn take(&mut self, turn: &ReplayTurn<'_>, replay: &Replay<'_>) -> io::Result<()> {
        match TurnDisplay::of(turn, replay) {
            TurnDisplay::Hidden => Ok(()),
            TurnDisplay::Quiet(quiet, row) => {
                *self.stretch.counts.entry(quiet).or_default() += 1;
                // Of a stretch that will be folded, only the beginning is needed.
                if self.stretch.rows.len() <= SHORT {
                    self.stretch.rows.push(row);
                }
                Ok(())
            }
            TurnDisplay::Worth(row) => {
                self.end_stretch()?;
                self.write_row(&row)
            }
        }
    }

    /// Writes what is left, and the summary.
    pub(super) fn finish(mut self, summary: &ReplaySummary, end: Moment) -> io::Result<()> {
        self.end_stretch()?;
        if self.has_begun {
            writeln!(self.out)?;
        }
        for (name, lines) in told(summary, end.since(self.began)) {
            let mut name = name;
            for line in lines {
                let bold = Style::new().bold();
                writeln!(self.out, "{bold}{name:<12}{bold:#}{line}")?;
                name = "";
            }
        }
        self.out.flush()
    }

    fn end_stretch(&mut self) -> io::Result<()> {
        let QuietStretch { mut rows, counts } = std::mem::take(&mut self.stretch);
        if rows.len() > SHORT {
            rows.truncate(1);
            for row in &mut rows {
                row.file = String::new();
                row.position = String::new();
                row.deed = folded(&counts);
                row.outcomes = Vec::new();
            }
        }
        rows.iter().try_for_each(|row| self.write_row(row))
    }

    fn write_row(&mut self, row: &ReportRow) -> io::Result<()> {
        self.has_begun = true;
        let dim = Style::new().dimmed();
        let ReportRow {
            time,
            file,
            position,
            deed,
            outcomes,
        } = row;
        let time = plain_words::time(time.since(self.began));
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

fn write_said(out: &mut impl Write, said: &StyledWords) -> io::Result<()> {
    let StyledWords { style, words } = said;
    writeln!(out, "{style}{words}{style:#}")
}

/// `… 12 edits, 9 requests that waited, 4 moves: 3 something is selected, 1 nothing was edited
/// lately`
fn folded(counts: &BTreeMap<QuietTurn, u64>) -> String {
    let mut parts = Vec::new();
    let mut moves = Vec::new();
    for (quiet, count) in counts {
        let part = match quiet {
            QuietTurn::Edit => plain_words::count(*count, "edit", "edits"),
            QuietTurn::Check => {
                let checks = plain_words::count(*count, "check", "checks");
                format!("{checks}, none rejected")
            }
            QuietTurn::Request => {
                plain_words::count(*count, "request that waited", "requests that waited")
            }
            QuietTurn::Rests => plain_words::count(*count, "move not at rest", "moves not at rest"),
            QuietTurn::Move(reason) => {
                moves.push((*count, reason.words()));
                continue;
            }
        };
        parts.push(part);
    }
    if !moves.is_empty() {
        let all = moves.iter().map(|(count, _)| count).sum::<u64>();
        let reasons: Vec<_> = moves.iter().map(|(n, why)| format!("{n} {why}")).collect();
        let moves = plain_words::count(all, "quiet move", "quiet moves");
        parts.push(format!("{moves} ({})", reasons.join(", ")));
    }
    format!("… {}", parts.join(", "))
}

/// A part of the summary: its name, and its lines.
type SummaryPart = (&'static str, Vec<String>);

/// The summary.
fn told(summary: &ReplaySummary, lasted: u64) -> Vec<SummaryPart> {
    let counts = &summary.counts;
    let mut told = vec![(
        "events",
        vec![format!(
            "{} in {} ({:.1} active minutes): {}, {}",
            summary.events,
            plain_words::time(lasted),
            counts.active_millis as f64 / 60_000.0,
            plain_words::count(counts.changes, "edit", "edits"),
            plain_words::count(counts.selections, "cursor move", "cursor moves"),
        )],
    )];
    if counts.selections > 0 {
        told.push(told_of_triggers(summary));
        told.extend(by_reason("quiet", &counts.quiet, Reason::words));
    }
    if counts.requests > 0 {
        told.extend(told_of_requests(summary));
    }
    if summary.checks > 0 {
        let not = summary.checks - summary.rejected;
        let mut lines = vec![format!(
            "{}: {} rejected, {not} not",
            summary.checks, summary.rejected
        )];
        if summary.differing > 0 {
            let differing = plain_words::count(summary.differing, "is", "are");
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
    let because = |why| format!("because {}", forget_words(why));
    told.extend(by_reason("forgotten", &counts.forgotten, because));
    told.extend(by_reason("ignored", &counts.ignored, Reason::words));
    told
}

fn told_of_triggers(summary: &ReplaySummary) -> SummaryPart {
    let counts = &summary.counts;
    let all = counts.triggers.values().sum();
    let mut line = format!("{all}, {:.1} a minute", counts.per_active_minute(all));
    if let Some(switches) = counts.triggers.get(&AskCause::DocumentSwitch) {
        line += &format!(", {switches} of them by a switch of documents");
    }
    ("triggers", vec![line])
}

fn told_of_requests(summary: &ReplaySummary) -> Vec<SummaryPart> {
    let (counts, pacing) = (&summary.counts, &summary.pacing);
    let per_minute = |times| format!("{:.1} a minute", counts.per_active_minute(times));
    let started = counts.requests_started;
    let requests = vec![
        format!(
            "{}, {started} of which started a lane ({})",
            counts.requests,
            per_minute(started)
        ),
        format!(
            "{} answered with something, {} of them with what was left, {} with nothing",
            counts.answered,
            counts.carried,
            counts.withheld.values().sum::<u64>()
        ),
    ];
    let mut told = vec![("requests", requests)];

    let (pauses, served) = (pacing.pauses(), pacing.served());
    let mut lines = vec![match pauses {
        0 => "none of more than a second".to_owned(),
        _ => {
            let share = |served: u64| plain_words::percent(served as f64 / pauses as f64);
            let (at_all, soon) = (share(served), share(pacing.served_soon()));
            format!(
                "{pauses} of more than a second, {at_all} served after the last key, {soon} within 500 ms"
            )
        }
    }];
    lines.extend(
        pacing
            .median_wait()
            .map(|wait| format!("the median wait of a request is {wait} ms")),
    );
    lines.extend(
        pacing
            .mean_after_key()
            .map(|mean| format!("lanes start {mean} ms after the last key, on average")),
    );
    told.push(("pauses", lines));

    let of_lane = |(lane, calls): (&LaneKind, &u64)| {
        let without = match lane {
            LaneKind::Fim => format!("; {} without the gate", calls + counts.gate_blocked),
            LaneKind::NextEdit | LaneKind::Fix => String::new(),
        };
        format!("{calls} {lane} ({}{without})", per_minute(*calls))
    };
    told.push(("calls", counts.calls.iter().map(of_lane).collect()));
    if counts.gate_asked > 0 {
        told.push((
            "gate",
            vec![format!(
                "{} of {} automatic fim calls spared: the gating rate is {}",
                counts.gate_blocked,
                counts.gate_asked,
                plain_words::percent(counts.gating_rate())
            )],
        ));
    }
    let won = |(lane, raced): (&LaneKind, &u64)| {
        let wins = counts.wins.get(lane).copied().unwrap_or_default();
        format!("{lane} won {wins} of {raced}")
    };
    if !counts.raced.is_empty() {
        told.push(("races", counts.raced.iter().map(won).collect()));
    }
    let saved = by_reason("saved", &counts.requests_saved, Reason::words);
    told.extend(saved);
    if counts.joined > 0 {
        let joined = plain_words::count(counts.joined, "request", "requests");
        let line = format!("{joined} took the place of one that asked the same");
        told.push(("joined", vec![line]));
    }
    told.extend(by_reason("withheld", &counts.withheld, Reason::words));
    told
}

fn by_reason<K: Copy, W: Display>(
    name: &'static str,
    counted: &BTreeMap<K, u64>,
    words: impl Fn(K) -> W,
) -> Option<SummaryPart> {
    let line = |(key, count): (&K, &u64)| format!("{count} {}", words(*key));
    let lines: Vec<_> = counted.iter().map(line).collect();
    (!lines.is_empty()).then_some((name, lines))
}
