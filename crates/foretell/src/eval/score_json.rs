//! `--json`: one object per class, and a last line with the totals.
//!
//! Names are part of the product: whoever compares two versions reads these lines. A share of nothing
//! is `null`, and so is the class of traces that have none.

use std::io::{self, Write};

use foretell_text::LaneKind;
use foretell_trace::eval::score::Class;
use foretell_trace::{Score, Scores};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Writes all scores.
pub(super) fn write(
    scores: &Scores,
    simplest: Option<&Scores>,
    out: &mut impl Write,
) -> io::Result<()> {
    for (class, score) in &scores.classes {
        let object = Object {
            head: Head::Class(class),
            score,
            simplest: simplest.and_then(|it| it.classes.get(class)),
        };
        write_line(&object, out)?;
    }
    let total = Object {
        head: Head::Total(scores),
        score: &scores.total,
        simplest: simplest.map(|it| &it.total),
    };
    write_line(&total, out)
}

fn write_line(object: &Object<'_>, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, object)?;
    writeln!(out)
}

/// A line.
struct Object<'a> {
    head: Head<'a>,
    score: &'a Score,
    simplest: Option<&'a Score>,
}

/// What a line is about.
enum Head<'a> {
    Class(&'a Class),
    Total(&'a Scores),
}

/// A score by itself.
struct Alone<'a>(&'a Score);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match &self.head {
            Head::Class(Class::Named(name)) => map.serialize_entry("class", name)?,
            Head::Class(Class::Unnamed) => map.serialize_entry("class", &None::<&str>)?,
            Head::Total(_) => map.serialize_entry("total", &true)?,
        }
        write_fields(self.score, &mut map)?;
        if let Head::Total(scores) = &self.head {
            map.serialize_entry("lanes", &Lanes(scores))?;
        }
        if let Some(simplest) = self.simplest {
            map.serialize_entry("simplest", &Alone(simplest))?;
        }
        map.end()
    }
}

impl Serialize for Alone<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        write_fields(self.0, &mut map)?;
        map.end()
    }
}

/// The scores of lanes by name.
struct Lanes<'a>(&'a Scores);

impl Serialize for Lanes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let lanes = self.0.lanes.iter();
        serializer.collect_map(lanes.map(|(lane, score)| (LaneKind::name(*lane), Alone(score))))
    }
}

fn write_fields<M: SerializeMap>(score: &Score, map: &mut M) -> Result<(), M::Error> {
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
