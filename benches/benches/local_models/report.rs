//! What came of a session, in figures.

use std::time::{Duration, Instant};

use crate::desk::Screen;
use crate::ledger::{Call, CallEnd};

/// The figures of one client in one session.
pub(crate) struct Figures {
    pub(crate) pauses: usize,
    /// In how many of them something was on the screen.
    pub(crate) seen: usize,
    /// From the last key to the text, where there was one.
    pub(crate) wait: Option<Duration>,
    pub(crate) shown: usize,
    pub(crate) calls: usize,
    /// How many of them had their turn.
    pub(crate) begun: usize,
    /// How many were given up before there was a word, and how many at some word.
    pub(crate) given_up: usize,
    pub(crate) cut_short: usize,
    pub(crate) refused: usize,
    pub(crate) prompt: usize,
    pub(crate) read: usize,
    pub(crate) written: usize,
    pub(crate) late: usize,
}

impl Figures {
    pub(crate) fn of(screen: &Screen, calls: &[Call]) -> Self {
        let pauses = &screen.pauses;
        let mut waits: Vec<Duration> = pauses.iter().filter_map(|it| it.seen_after).collect();
        waits.sort();
        let count = |is: fn(&Call) -> bool| calls.iter().filter(|it| is(it)).count();
        Figures {
            pauses: pauses.len(),
            seen: waits.len(),
            wait: waits.get(waits.len() / 2).copied(),
            shown: screen.shown,
            calls: calls.len(),
            begun: count(|it| it.end != CallEnd::LeftWhileWaiting),
            given_up: count(|it| it.end.is_given_up()),
            cut_short: count(|it| it.end == CallEnd::LeftWhileWriting),
            refused: count(|it| it.end == CallEnd::Refused),
            prompt: calls.iter().map(|it| it.prompt).sum(),
            read: calls.iter().map(|it| it.read).sum(),
            written: calls.iter().map(|it| it.written).sum(),
            late: count(|it| it.was_late),
        }
    }

    /// How many tokens are read in a call that has its turn, on average.
    pub(crate) fn read_per_call(&self) -> f64 {
        self.read as f64 / self.begun.max(1) as f64
    }

    pub(crate) fn heading() -> String {
        format!(
            "{:<9} {:<7} {:<10} {:>7} {:>8} {:>6} {:>6} {:>8} {:>6} {:>8} {:>9} {:>6} {:>10} {:>10}",
            "session",
            "speed",
            "client",
            "pauses",
            "wait",
            "shown",
            "calls",
            "given up",
            "cut",
            "read",
            "read/call",
            "anew",
            "read/shown",
            "paid/shown"
        )
    }

    pub(crate) fn row(&self, session: &str, speed: &str, client: &str) -> String {
        let wait = self.wait.map(|it| format!("{:.2} s", it.as_secs_f64()));
        let pauses = match self.pauses {
            0 => "-".to_owned(),
            pauses => format!("{}/{pauses}", self.seen),
        };
        let of_shown = |tokens: usize| match self.shown {
            0 => "-".to_owned(),
            shown => format!("{:.0}", tokens as f64 / shown as f64),
        };
        format!(
            "{session:<9} {speed:<7} {client:<10} {:>7} {:>8} {:>6} {:>6} {:>8} {:>6} {:>8} {:>9.0} {:>5.0}% {:>10} {:>10}",
            pauses,
            wait.unwrap_or_else(|| "-".to_owned()),
            self.shown,
            self.calls,
            self.given_up,
            self.cut_short,
            self.read,
            self.read_per_call(),
            self.read as f64 / self.prompt.max(1) as f64 * 100.0,
            of_shown(self.read),
            of_shown(self.prompt + self.written),
        )
    }
}

/// Every call, one to a line.
pub(crate) fn calls(calls: &[Call], start: Instant) -> String {
    let seconds = |it: Instant| (it - start).as_secs_f64();
    let lines = calls.iter().map(|call| {
        format!(
            "  {:>8.2} s  began {:>8.2}  ended {:>8.2}  prompt {:>5}  read {:>5}  written {:>4}  {:?}{}\n",
            seconds(call.came_in),
            seconds(call.began),
            seconds(call.ended),
            call.prompt,
            call.read,
            call.written,
            call.end,
            if call.was_late { ", late" } else { "" },
        )
    });
    lines.collect()
}
