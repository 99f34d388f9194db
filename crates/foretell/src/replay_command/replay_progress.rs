//! How far a replay is, on a terminal, for traces that take a moment.
//!
//! A bar on standard error would be drawn into a report that goes to the same terminal, and there
//! the report itself shows how far it is. So there is a bar only where the output goes elsewhere,
//! or comes in the end.

use std::io::{self, IsTerminal};

use foretell_trace::{ReplayTurn, Trace, TurnCause};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Fewer lines than this are over before a person could read the bar.
const LONG: usize = 100_000;

/// The bar counts in steps of so many lines, so that counting costs nothing.
const STEP: u64 = 1024;

pub(super) struct ReplayProgress {
    bar: ProgressBar,
}

impl ReplayProgress {
    /// For output that is written all along: a bar if it is not written to the terminal.
    pub(super) fn beside_a_pipe(trace: &Trace) -> Self {
        if io::stdout().is_terminal() {
            ReplayProgress {
                bar: ProgressBar::hidden(),
            }
        } else {
            Self::before_the_output(trace)
        }
    }

    /// For output that comes in the end.
    pub(super) fn before_the_output(trace: &Trace) -> Self {
        let lines = trace.lines().len();
        if lines < LONG || !io::stderr().is_terminal() {
            return ReplayProgress {
                bar: ProgressBar::hidden(),
            };
        }
        let bar = ProgressBar::with_draw_target(Some(lines as u64), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("replaying [{bar:40}] {percent}% {eta} left");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        ReplayProgress {
            bar: bar.with_style(style.progress_chars("=> ")),
        }
    }

    pub(super) fn follow(&self, turn: &ReplayTurn<'_>) {
        let TurnCause::Line(line) = turn.cause else {
            return;
        };
        let done = line.number as u64;
        if done.is_multiple_of(STEP) {
            self.bar.set_position(done);
        }
    }

    /// Takes the bar away.
    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}
