//! `--json`: one object per class, and a last line with the totals.
//!
//! Names are part of the product: people compare versions by these lines. A share of nothing
//! is `null`, and so is the class of traces that have none.

use std::io::{self, Write};

use foretell_text::LaneKind;
use foretell_trace::evaluation::score::TraceClass;
use foretell_trace::{EvalScore, EvalScores};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Writes all scores.
pub(super) fn write(
    scores: &EvalScores,
    simplest: Option<&EvalScores>,
    out: &mut impl Write,
) -> io::Result<()> {
    for (class, score) in &scores.classes {
        let object = ScoreObject {
            head: ScoreHead::Class(class),
            score,
            simplest: simplest.and_then(|it| it.classes.get(class)),
        };
        write_line(&object, out)?;
    }
    let total = ScoreObject {
        head: ScoreHead::Total(scores),
        score: &scores.total,
        simplest: simplest.map(|it| &it.total),
    };
    write_line(&total, out)
}

fn write_line(object: &ScoreObject<'_>, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, object)?;
    writeln!(out)
}

/// A line.
struct ScoreObject<'a> {
    head: ScoreHead<'a>,
    score: &'a EvalScore,
    simplest: Option<&'a EvalScore>,
}

/// The subject of a line.
enum ScoreHead<'a> {
    Class(&'a TraceClass),
    Total(&'a EvalScores),
}

/// A score by itself.
struct PlainScore<'a>(&'a EvalScore);

impl Serialize for ScoreObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match &self.head {
            ScoreHead::Class(TraceClass::Named(name)) => map.serialize_entry("class", name)?,
            ScoreHead::Class(TraceClass::Unnamed) => map.serialize_entry("class", &None::<&str>)?,
            ScoreHead::Total(_) => map.serialize_entry("total", &true)?,
        }
        write_fields(self.score, &mut map)?;
        if let ScoreHead::Total(scores) = &self.head {
            map.serialize_entry("lanes", &LaneScores(scores))?;
        }
        if let Some(simplest) = self.simplest {
            map.serialize_entry("simplest", &PlainScore(simplest))?;
        }
        map.end()
    }
}

impl Serialize for PlainScore<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        write_fields(self.0, &mut map)?;
        map.end()
    }
}

/// The scores of lanes by name.
struct LaneScores<'a>(&'a EvalScores);

impl Serialize for LaneScores<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let lanes = self.0.lanes.iter();
        serializer
            .collect_map(lanes.map(|(lane, score)| (LaneKind::name(*lane), PlainScore(score))))
    }
}

fn write_fields<M: SerializeMap>(score: &EvalScore, map: &mut M) -> Result<(), M::Error> {
    let counts = [
        ("asked", score.asked),
        ("spoke", score.spoke),
        ("right", score.right),
        ("rightlySilent", score.rightly_silent),
        ("firstLineRight", score.first_line),
        ("placeRight", score.place),
        ("typed", score.typed),
    ];
    for (name, count) in counts {
        map.serialize_entry(name, &count)?;
    }
    let shares = [
        ("precision", score.precision()),
        ("coverage", score.coverage()),
        ("firstLinePrecision", score.first_line_right()),
        ("placePrecision", score.place_right()),
        ("keysSavedPer100", score.keys_saved()),
        (
            "firstLineKeysSavedPer100",
            score.keys_saved_by_first_lines(),
        ),
    ];
    for (name, share) in shares {
        map.serialize_entry(name, &share.map(rounded))?;
    }
    Ok(())
}

/// Four places are more than any number of traces is good for.
fn rounded(share: f64) -> f64 {
    (share * 10_000.0).round() / 10_000.0
}
