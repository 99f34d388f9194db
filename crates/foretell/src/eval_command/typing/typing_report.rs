//! The table for people and the lines for machines, and how certain the figures are.
//!
//! Commits differ more than keys do, so certainty is estimated by drawing commits again and again, with
//! the same draws every time.

use std::collections::BTreeMap;
use std::io::{self, Write};

use foretell_predict::Likelihood;
use serde_json::{Map, Value, json};

use super::key_simulation::{KeyCounts, KeySimulation};
use super::typing_evaluation::{CountedSuggestions, TypingScore, UnitCounts};

/// How often commits are drawn.
const DRAWS: usize = 500;

/// What came of repositories or sessions.
#[derive(Debug, Default)]
pub(crate) struct TypingReport {
    /// What it is, its name, and its score.
    rows: Vec<(&'static str, String, TypingScore)>,
}

/// Between which two a figure lies with 95 % certainty.
#[derive(Clone, Copy, Debug)]
struct FigureInterval {
    low: f64,
    high: f64,
}

impl TypingReport {
    pub(crate) fn add(&mut self, kind: &'static str, name: String, score: TypingScore) {
        self.rows.push((kind, name, score));
    }

    fn total(&self) -> TypingScore {
        let mut total = TypingScore::default();
        for (_, _, score) in &self.rows {
            add(&mut total.model, &score.model);
            for (name, counted) in &score.baselines {
                match total.baselines.iter_mut().find(|(known, _)| known == name) {
                    Some((_, known)) => add(known, counted),
                    None => total.baselines.push((name, counted.clone())),
                }
            }
            for (threshold, counted) in &score.curve {
                match total.curve.iter_mut().find(|(known, _)| known == threshold) {
                    Some((_, known)) => add(known, counted),
                    None => total.curve.push((*threshold, counted.clone())),
                }
            }
            total.units.extend(score.units.iter().cloned());
            total.times.extend(&score.times);
        }
        total
    }

    pub(crate) fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        for (kind, name, score) in &self.rows {
            let mut object = Map::new();
            object.insert((*kind).to_owned(), json!(name));
            write_object(object, score, out)?;
        }
        let mut object = Map::new();
        object.insert("total".to_owned(), json!(true));
        if let Some((_, name, _)) = self.worst() {
            object.insert("worst".to_owned(), json!(name));
        }
        write_object(object, &self.total(), out)
    }

    /// The one in which least is saved.
    fn worst(&self) -> Option<&(&'static str, String, TypingScore)> {
        let saved =
            |row: &&(_, _, TypingScore)| row.2.model.all.counts.saved_of_100().unwrap_or(f64::MAX);
        self.rows
            .iter()
            .min_by(|a, b| saved(a).total_cmp(&saved(b)))
    }

    pub(crate) fn write_table(&self, out: &mut impl Write) -> io::Result<()> {
        let headings = [
            "typed", "asked", "shown", "right", "saved", "accepted", "novel", "p50 ms", "p99 ms",
        ];
        write!(out, "{:<20}", "")?;
        for (heading, width) in headings.iter().zip(WIDTHS) {
            write!(out, "{heading:>width$}")?;
        }
        writeln!(out)?;
        for (_, name, score) in &self.rows {
            write_rows(name, score, out)?;
        }
        let total = self.total();
        if self.rows.len() > 1 {
            write_rows("total", &total, out)?;
        }
        if let Some((_, name, _)) = self.worst().filter(|_| self.rows.len() > 1) {
            writeln!(out, "\nleast is saved in {name}")?;
        }
        writeln!(
            out,
            "\nsaved where so many of a hundred shown are accepted:"
        )?;
        write!(out, "{:<20}", "")?;
        for accepted in ACCEPTED {
            write!(out, "{:>8.0}", 100.0 * accepted)?;
        }
        writeln!(out, "{:>15}", "novel, 60")?;
        let rows = self
            .rows
            .iter()
            .map(|(_, name, score)| (name.as_str(), score));
        let several = self.rows.len() > 1;
        for (name, score) in rows.chain(several.then_some(("total", &total))) {
            write!(out, "{name:<20}")?;
            for accepted in ACCEPTED {
                let saved = saved_at(accepted, score, |counted| &counted.all);
                write!(out, "{:>8}", figure(saved, 1))?;
            }
            let novel = saved_at(0.6, score, |counted| &counted.novel);
            writeln!(out, "{:>15}", figure(novel, 1))?;
        }
        let tenths: Vec<String> = tenths(&total.model.all)
            .map(|[said, was, _]| format!("{said:.2} → {was:.2}"))
            .collect();
        writeln!(out, "\nsaid → true: {}", tenths.join(", "))?;
        write!(out, "\n{LEGEND}")
    }
}

const WIDTHS: [usize; 9] = [10, 10, 9, 9, 18, 19, 14, 9, 9];

/// At which shares of accepted suggestions the table says what is saved.
const ACCEPTED: [f64; 5] = [0.55, 0.6, 0.65, 0.7, 0.75];

const LEGEND: &str = "\
typed     characters; the blank at the start of a line comes with its line break
saved     characters of right suggestions, less one each, of 100 typed
accepted  right of those shown: all of it was typed next
novel     the same two for lines that stand nowhere else
(…)       where the figure lies with 95 % certainty, drawing commits anew
";

fn add(to: &mut CountedSuggestions, from: &CountedSuggestions) {
    for (to, from) in [(&mut to.all, &from.all), (&mut to.novel, &from.novel)] {
        to.counts.add(&from.counts);
        for (to, from) in to.tenths.iter_mut().zip(&from.tenths) {
            *to = (to.0 + from.0, to.1 + from.1, to.2 + from.2);
        }
    }
}

fn write_object(
    mut object: Map<String, Value>,
    score: &TypingScore,
    out: &mut impl Write,
) -> io::Result<()> {
    object.append(&mut counts(&score.model.all.counts));
    object.insert(
        "novel".to_owned(),
        Value::Object(counts(&score.model.novel.counts)),
    );
    let tenths =
        tenths(&score.model.all).map(|[said, was, count]| json!([said, was, count as u64]));
    object.insert("tenths".to_owned(), Value::Array(tenths.collect()));
    object.insert("curve".to_owned(), curve(score));
    let at_accepted = ACCEPTED.map(|accepted| {
        let saved = saved_at(accepted, score, |counted| &counted.all);
        let novel = saved_at(accepted, score, |counted| &counted.novel);
        json!([accepted, saved.map(rounded), novel.map(rounded)])
    });
    object.insert("savedAt".to_owned(), json!(at_accepted));
    let times = sorted(&score.times);
    object.insert("p50Ms".to_owned(), json!(rounded(percentile(&times, 0.5))));
    object.insert("p99Ms".to_owned(), json!(rounded(percentile(&times, 0.99))));
    let (saved, accepted) = intervals(&score.units);
    for (name, interval) in [("savedInterval", saved), ("acceptedInterval", accepted)] {
        let interval = interval.map(|it| [rounded(it.low), rounded(it.high)]);
        object.insert(name.to_owned(), json!(interval));
    }
    let baselines: BTreeMap<&str, Value> = score
        .baselines
        .iter()
        .map(|(name, counted)| {
            let counts = &counted.all.counts;
            let (saved, accepted) = (
                counts.saved_of_100().map(rounded),
                counts.accepted().map(rounded),
            );
            (*name, json!({ "saved": saved, "accepted": accepted }))
        })
        .collect();
    object.insert("baselines".to_owned(), json!(baselines));
    serde_json::to_writer(&mut *out, &object)?;
    writeln!(out)
}

/// What is saved at the threshold at which so many of those shown are accepted, between two of those that
/// were tried; what the lowest saves, if even that accepts more.
fn saved_at(
    accepted: f64,
    score: &TypingScore,
    of: impl Fn(&CountedSuggestions) -> &KeySimulation,
) -> Option<f64> {
    let points = score.curve.iter().filter_map(|(_, counted)| {
        let counts = &of(counted).counts;
        Some((counts.accepted()?, counts.saved_of_100()?))
    });
    let mut before: Option<(f64, f64)> = None;
    for (at, saved) in points {
        if at >= accepted {
            let Some((low, more)) = before else {
                return Some(saved);
            };
            let share = (accepted - low) / (at - low).max(f64::EPSILON);
            return Some(more + (saved - more) * share);
        }
        before = Some((at, saved));
    }
    None
}

/// For each threshold what is saved and accepted, in all and of novel lines.
fn curve(score: &TypingScore) -> Value {
    let row = |(threshold, counted): &(Likelihood, CountedSuggestions)| {
        let figures = |counts: &KeyCounts| {
            [
                counts.saved_of_100().map(rounded),
                counts.accepted().map(rounded),
            ]
        };
        let said = f64::from(threshold.thousandths()) / 1000.0;
        let (all, novel) = (&counted.all.counts, &counted.novel.counts);
        json!([said, figures(all), figures(novel)])
    };
    Value::Array(score.curve.iter().map(row).collect())
}

fn counts(counts: &KeyCounts) -> Map<String, Value> {
    let mut object = Map::new();
    for (name, count) in [
        ("typed", counts.typed),
        ("asked", counts.asked),
        ("shown", counts.shown),
        ("right", counts.right),
    ] {
        object.insert(name.to_owned(), json!(count));
    }
    object.insert(
        "saved".to_owned(),
        json!(counts.saved_of_100().map(rounded)),
    );
    object.insert("accepted".to_owned(), json!(counts.accepted().map(rounded)));
    object
}

/// What was said, what was true, and how often, for each tenth in which something was said.
fn tenths(simulation: &KeySimulation) -> impl Iterator<Item = [f64; 3]> {
    let some = simulation.tenths.iter().filter(|(_, _, count)| *count > 0);
    some.map(|(said, right, count)| {
        let all = *count as f64;
        [
            rounded(*said as f64 / 1000.0 / all),
            rounded(*right as f64 / all),
            all,
        ]
    })
}

fn write_rows(name: &str, score: &TypingScore, out: &mut impl Write) -> io::Result<()> {
    let counts = &score.model.all.counts;
    let novel = &score.model.novel.counts;
    let times = sorted(&score.times);
    let (saved, accepted) = intervals(&score.units);
    let novel = format!(
        "{} / {}",
        figure(novel.saved_of_100(), 1),
        figure(novel.accepted(), 2)
    );
    let cells = [
        counts.typed.to_string(),
        counts.asked.to_string(),
        counts.shown.to_string(),
        counts.right.to_string(),
        with_interval(counts.saved_of_100(), saved, 1),
        with_interval(counts.accepted(), accepted, 2),
        novel,
        format!("{:.3}", percentile(&times, 0.5)),
        format!("{:.3}", percentile(&times, 0.99)),
    ];
    write!(out, "{name:<20}")?;
    for (cell, width) in cells.iter().zip(WIDTHS) {
        write!(out, "{cell:>width$}")?;
    }
    writeln!(out)?;
    for (name, counted) in &score.baselines {
        let counts = &counted.all.counts;
        let novel = &counted.novel.counts;
        let novel = format!(
            "{} / {}",
            figure(novel.saved_of_100(), 1),
            figure(novel.accepted(), 2)
        );
        let name = format!("  {name}");
        let cells = [
            "",
            &counts.asked.to_string(),
            &counts.shown.to_string(),
            &counts.right.to_string(),
            &figure(counts.saved_of_100(), 1),
            &figure(counts.accepted(), 2),
            &novel,
        ]
        .map(str::to_owned);
        write!(out, "{name:<20}")?;
        for (cell, width) in cells.iter().zip(WIDTHS) {
            write!(out, "{cell:>width$}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn figure(figure: Option<f64>, places: usize) -> String {
    figure.map_or("-".to_owned(), |it| format!("{it:.places$}"))
}

fn with_interval(value: Option<f64>, interval: Option<FigureInterval>, places: usize) -> String {
    match (value, interval) {
        (Some(value), Some(it)) => format!(
            "{value:.places$} ({:.places$}–{:.places$})",
            it.low, it.high
        ),
        (value, _) => figure(value, places),
    }
}

/// Of what is saved, and of what is accepted.
fn intervals(units: &[UnitCounts]) -> (Option<FigureInterval>, Option<FigureInterval>) {
    if units.len() < 2 {
        return (None, None);
    }
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let (mut saved, mut accepted) = (Vec::with_capacity(DRAWS), Vec::with_capacity(DRAWS));
    for _ in 0..DRAWS {
        let mut drawn = KeyCounts::default();
        for _ in 0..units.len() {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let at = ((state >> 33) as usize) % units.len();
            drawn.add(&units[at].model);
        }
        saved.extend(drawn.saved_of_100());
        accepted.extend(drawn.accepted());
    }
    (interval(saved), interval(accepted))
}

fn interval(mut figures: Vec<f64>) -> Option<FigureInterval> {
    figures.sort_by(f64::total_cmp);
    let at = |share: f64| {
        figures
            .get((figures.len() as f64 * share) as usize)
            .copied()
    };
    Some(FigureInterval {
        low: at(0.025)?,
        high: at(0.975)?,
    })
}

fn sorted(times: &[u64]) -> Vec<u64> {
    let mut times = times.to_vec();
    times.sort_unstable();
    times
}

/// In milliseconds.
fn percentile(sorted: &[u64], share: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    let at = (last as f64 * share).round() as usize;
    sorted.get(at).map_or(0.0, |time| *time as f64 / 1e6)
}

fn rounded(figure: f64) -> f64 {
    (figure * 10_000.0).round() / 10_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alike_commits_leave_no_doubt_and_unlike_ones_do() {
        let unit = |saved| UnitCounts {
            model: KeyCounts {
                typed: 100,
                asked: 100,
                shown: 10,
                right: 5,
                saved,
            },
        };
        let (sure, _) = intervals(&vec![unit(40); 20]);
        let sure = sure.unwrap();
        assert_eq!((sure.low, sure.high), (40.0, 40.0));
        let (unsure, _) = intervals(&[vec![unit(0); 10], vec![unit(80); 10]].concat());
        let unsure = unsure.unwrap();
        assert!(unsure.low < 30.0 && unsure.high > 50.0, "{unsure:?}");
    }
}
