//! From JSON Lines to a [`Trace`]: the header, the lines one after the other, and their times.
//!
//! The module `event_reader` reads the events; here is what all lines have in common. Blank lines are
//! skipped and counted. Unknown fields are ignored, so that a trace can carry its source and its licence.
//! The first thing that is wrong ends the reading, and there is no trace then.

pub(crate) mod event_reader;
mod line_fields;
pub mod problem;
pub(crate) mod restored_texts;
mod trace_documents;

use foretell_core::Moment;
use serde_json::Value;

use crate::trace::{OffsetUnit, Trace, TraceLine};
use event_reader::EventReader;
use line_fields::LineObject;
use problem::{TraceProblem, TraceReadError};

const VERSION: u64 = 1;

impl Trace {
    /// Reads a trace; `source` is what errors call it.
    pub fn read(source: &str, bytes: &[u8]) -> Result<Trace, TraceReadError> {
        let at_line = |line: usize| {
            move |problem| TraceReadError {
                trace: source.to_owned(),
                line,
                problem,
            }
        };
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let good = bytes.get(..error.valid_up_to()).unwrap_or_default();
            let breaks = good.iter().filter(|byte| **byte == b'\n').count();
            at_line(breaks + 1)(TraceProblem::NotUtf8)
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);

        let mut numbered = (1..).zip(text.lines());
        let header = numbered.next().map_or("", |(_, line)| line);
        let (offsets, class) = read_header(header).map_err(at_line(1))?;

        let mut reader = EventReader::new(source, offsets);
        let mut lines = Vec::new();
        let mut now = 0;
        for (number, line) in numbered {
            if line.trim().is_empty() {
                continue;
            }
            let line = read_line(&mut reader, number, line, &mut now);
            lines.push(line.map_err(at_line(number))?);
        }
        Ok(Trace {
            source: source.to_owned(),
            offsets,
            class,
            requests: reader.finish(&mut lines),
            lines,
        })
    }
}

/// The unit of a trace's offsets, and its class if it says.
fn read_header(line: &str) -> Result<(OffsetUnit, Option<String>), TraceProblem> {
    if line.trim().is_empty() {
        return Err(TraceProblem::NoHeader);
    }
    let value = parse(line)?;
    let header = LineObject::of_line(&value)?;
    let is_header = header
        .optional("foretell")
        .is_some_and(|field| field.text() == Ok("trace"));
    if !is_header {
        return Err(TraceProblem::NoHeader);
    }
    let version = header.required("version")?;
    if version.whole() != Ok(VERSION) {
        let found = version.json();
        return Err(TraceProblem::Version { found });
    }
    let offsets = header.required("offsets")?.word(OffsetUnit::NAMES)?;
    let class = header.optional("class").map(|field| field.text());
    Ok((offsets, class.transpose()?.map(str::to_owned)))
}

fn read_line(
    reader: &mut EventReader,
    number: usize,
    line: &str,
    now: &mut u64,
) -> Result<TraceLine, TraceProblem> {
    let value = parse(line)?;
    let line = LineObject::of_line(&value)?;
    let found = line.whole("t")?;
    if found < *now {
        let before = *now;
        return Err(TraceProblem::TimeRunsBackwards { found, before });
    }
    *now = found;
    Ok(TraceLine {
        number,
        at: Moment::from_millis(found),
        what: reader.read(number, line)?,
    })
}

fn parse(line: &str) -> Result<Value, TraceProblem> {
    serde_json::from_str(line).map_err(|error| {
        let place = format!(" at line {} column {}", error.line(), error.column());
        let message = error.to_string();
        TraceProblem::NotJson {
            message: message.strip_suffix(&place).unwrap_or(&message).to_owned(),
            column: error.column(),
        }
    })
}
