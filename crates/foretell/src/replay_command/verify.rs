//! `--verify`: the checks of a trace that come out otherwise than it expects.

use std::io::{self, Write};

use foretell_text::ByteRange;
use foretell_trace::{LineContent, ReplaySummary, ReplayTurn, Trace, TurnCause, TurnOutcome};

use super::plain_words;
use crate::failure::CommandOutcome;

/// Looks at every turn and keeps what differs.
pub(super) struct CheckVerifier<'t> {
    trace: &'t Trace,
    differing: Vec<String>,
}

impl<'t> CheckVerifier<'t> {
    pub(super) fn new(trace: &'t Trace) -> Self {
        CheckVerifier {
            trace,
            differing: Vec::new(),
        }
    }

    pub(super) fn look_at(&mut self, turn: &ReplayTurn<'_>) {
        let differing = turn.outcomes.iter().filter(|outcome| outcome.differs());
        for outcome in differing {
            let told = self.tell(turn, outcome);
            self.differing.extend(told);
        }
    }

    pub(super) fn verdict(&self) -> CommandOutcome {
        if self.differing.is_empty() {
            CommandOutcome::Well
        } else {
            CommandOutcome::NotSo
        }
    }

    pub(super) fn write(&self, summary: &ReplaySummary, out: &mut impl Write) -> io::Result<()> {
        for told in &self.differing {
            writeln!(out, "{told}")?;
        }
        let checks = plain_words::count(summary.expected, "check", "checks");
        match (summary.expected, summary.differing) {
            (0, _) => writeln!(out, "nothing to verify: no check says what it expects"),
            (_, 0) => writeln!(out, "{checks}, all as expected"),
            (_, 1) => writeln!(out, "{checks}, of which 1 differs"),
            (_, differing) => writeln!(out, "{checks}, of which {differing} differ"),
        }
    }

    fn tell(&self, turn: &ReplayTurn<'_>, outcome: &TurnOutcome) -> Option<String> {
        let (TurnCause::Line(line), TurnOutcome::Checked { rejection, .. }) =
            (&turn.cause, outcome)
        else {
            return None;
        };
        let LineContent::Check(check) = &line.what else {
            return None;
        };
        let text = turn.before.as_ref();
        let edit = plain_words::edit(&check.edit, text);
        let start = check.edit.span().map(ByteRange::start);
        let place = start
            .zip(text)
            .and_then(|(at, text)| plain_words::place(at, text));
        let place = place.unwrap_or_else(|| "a document that is not open".to_owned());
        let differs = match rejection {
            Some(id) => format!("expected not rejected, got rejected by #{id}"),
            None => "expected rejected, got not rejected".to_owned(),
        };
        let (source, number) = (self.trace.source(), line.number);
        Some(format!("{source}:{number}: {differs}: {edit} at {place}"))
    }
}
