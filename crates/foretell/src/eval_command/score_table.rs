//! The table for people: by class with the simplest rule under each, by lane, and in total.
//!
//! Shares of few questions look more certain than they are, so the three that decide something come
//! with an interval.

use std::io::{self, Write};

use foretell_trace::evaluation::score::TraceClass;
use foretell_trace::{EvalScore, EvalScores};

use super::plain_words;

const SIMPLEST: &str = "  the simplest rule";

const HEADINGS: [&str; 10] = [
    "asked",
    "spoke",
    "right",
    "precision",
    "coverage",
    "first line",
    "place",
    "silent",
    "keys",
    "1st line",
];

/// How wide each column is; the names of rows come first.
const NAME: usize = 20;
const WIDTHS: [usize; 10] = [7, 7, 7, 18, 18, 18, 7, 8, 8, 10];

const LEGEND: &str = "\
precision   right of those that spoke: the same effect as what the person did
coverage    right of all that were asked, and silent where nothing was to be said
first line  of those that spoke, the first changed line ends up as the person's did
place       of those that spoke, within 8 lines of where the person went on
silent      how often nothing was to be said, and nothing was
keys        characters of right answers, less one each, per 100 typed
1st line    the same for first lines that are right
(…)         where the share lies with 95 % certainty, after Wilson
";

/// Writes all scores.
pub(super) fn write(
    traces: usize,
    scores: &EvalScores,
    simplest: Option<&EvalScores>,
    out: &mut impl Write,
) -> io::Result<()> {
    let traces = plain_words::count(traces as u64, "trace", "traces");
    let questions = plain_words::count(scores.total.asked, "question", "questions");
    writeln!(out, "{traces}, {questions}")?;
    if scores.total.asked == 0 {
        let why = "nothing is expected in them, and nobody pauses for more than a second";
        return writeln!(out, "nothing was asked: {why}");
    }
    writeln!(out)?;
    write_row("", HEADINGS.map(str::to_owned), out)?;
    for (class, score) in &scores.classes {
        let name = match class {
            TraceClass::Named(name) => plain_words::escaped(name),
            TraceClass::Unnamed => "(no class)".to_owned(),
        };
        write_score(&name, score, out)?;
        if let Some(score) = simplest.and_then(|it| it.classes.get(class)) {
            write_score(SIMPLEST, score, out)?;
        }
    }
    writeln!(out)?;
    for (lane, score) in &scores.lanes {
        write_score(lane.name(), score, out)?;
    }
    writeln!(out)?;
    write_score("total", &scores.total, out)?;
    if let Some(simplest) = simplest {
        write_score(SIMPLEST, &simplest.total, out)?;
    }
    write!(out, "\n{LEGEND}")
}

fn write_score(name: &str, score: &EvalScore, out: &mut impl Write) -> io::Result<()> {
    let figure = |value: Option<f64>| value.map_or("-".to_owned(), |it| format!("{it:.2}"));
    let cells = [
        score.asked.to_string(),
        score.spoke.to_string(),
        score.right.to_string(),
        with_interval(score.right, score.spoke),
        with_interval(score.right + score.rightly_silent, score.asked),
        with_interval(score.first_line, score.spoke),
        figure(score.place_right()),
        score.rightly_silent.to_string(),
        figure(score.keys_saved()),
        figure(score.keys_saved_by_first_lines()),
    ];
    write_row(name, cells, out)
}

fn write_row(name: &str, cells: [String; 10], out: &mut impl Write) -> io::Result<()> {
    write!(out, "{name:<NAME$}")?;
    for (cell, width) in cells.iter().zip(WIDTHS) {
        write!(out, "{cell:>width$}")?;
    }
    writeln!(out)
}

/// A share, and between which two it lies with 95 % certainty.
fn with_interval(part: u64, whole: u64) -> String {
    match interval(part, whole) {
        Some((low, share, high)) => format!("{share:.2} ({low:.2}–{high:.2})"),
        None => "-".to_owned(),
    }
}

/// The score interval of Wilson around a share.
fn interval(part: u64, whole: u64) -> Option<(f64, f64, f64)> {
    if whole == 0 {
        return None;
    }
    let (n, z) = (whole as f64, 1.96_f64);
    let share = part as f64 / n;
    let centre = share + z * z / (2.0 * n);
    let spread = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    let low = ((centre - spread) / scale).max(0.0);
    let high = ((centre + spread) / scale).min(1.0);
    Some((low, share, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_questions_make_a_wide_interval_that_stays_a_share() {
        assert_eq!(with_interval(0, 0), "-");
        assert_eq!(with_interval(0, 1), "0.00 (0.00–0.79)");
        assert_eq!(with_interval(5, 10), "0.50 (0.24–0.76)");
        assert_eq!(with_interval(500, 1000), "0.50 (0.47–0.53)");
        assert_eq!(with_interval(1, 1), "1.00 (0.21–1.00)");
    }
}
