//! `--verify`: the checks of a trace that come out otherwise than it expects.

use std::io::{self, Write};

use foretell_text::ByteRange;
use foretell_trace::{Cause, Outcome, Summary, Trace, Turn, What};

use super::words;
use crate::failure::Done;

/// Looks at every turn and keeps what differs.
pub(super) struct Verifier<'t> {
    trace: &'t Trace,
    differing: Vec<String>,
}

impl<'t> Verifier<'t> {
    pub(super) fn new(trace: &'t Trace) -> Self {
        Verifier {
            trace,
            differing: Vec::new(),
        }
    }

    pub(super) fn look_at(&mut self, turn: &Turn<'_>) {
        let differing = turn.outcomes.iter().filter(|outcome| outcome.differs());
        for outcome in differing {
            let told = self.tell(turn, outcome);
            self.differing.extend(told);
        }
    }

    pub(super) fn verdict(&self) -> Done {
        match self.differing.is_empty() {
            true => Done::Well,
            false => Done::NotSo,
        }
    }

    pub(super) fn write(&self, summary: &Summary, out: &mut impl Write) -> io::Result<()> {
        for told in &self.differing {
            writeln!(out, "{told}")?;
        }
        let checks = words::count(summary.expected, "check", "checks");
        match (summary.expected, summary.differing) {
            (0, _) => writeln!(out, "nothing to verify: no check says what it expects"),
            (_, 0) => writeln!(out, "{checks}, all as expected"),
            (_, 1) => writeln!(out, "{checks}, of which 1 differs"),
            (_, differing) => writeln!(out, "{checks}, of which {differing} differ"),
        }
    }

    fn tell(&self, turn: &Turn<'_>, outcome: &Outcome) -> Option<String> {
        let (Cause::Line(line), Outcome::Checked { rejection, .. }) = (&turn.cause, outcome) else {
            return None;
        };
        let What::Check(check) = &line.what else {
            return None;
        };
        let text = turn.before.as_ref();
        let edit = words::edit(&check.edit, text);
        let start = check.edit.span().map(ByteRange::start);
        let place = start
            .zip(text)
            .and_then(|(at, text)| words::place(at, text));
        let place = place.unwrap_or_else(|| "a document that is not open".to_owned());
        let differs = match rejection {
            Some(id) => format!("expected not rejected, got rejected by #{id}"),
            None => "expected rejected, got not rejected".to_owned(),
        };
        let (source, number) = (self.trace.source(), line.number);
        Some(format!("{source}:{number}: {differs}: {edit} at {place}"))
    }
}
