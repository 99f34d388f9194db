//! The lanes that were started, and when they come back.
//!
//! A lane gets the text and the place as they are when it starts, thinks for as long as its script
//! says, and answers about that text, whatever has become of it. The FIM lane speaks by the script;
//! the others have nothing to say, at once.
//!
//! Absent on purpose: threads and timers. Time is told, and whoever waits asks when the next one is
//! due.

use std::collections::BTreeMap;

use foretell_core::{Candidate, Event, Moment, RequestId, Spot, Usage};
use foretell_text::{Edit, LaneKind, Replacement, Text};

use crate::script::Script;

/// What runs.
#[derive(Debug, Default)]
pub(crate) struct Lanes {
    script: Script,
    running: BTreeMap<(RequestId, LaneKind), Answer>,
}

/// What a lane will say, and when.
#[derive(Debug)]
struct Answer {
    due: Moment,
    candidates: Vec<Candidate>,
}

impl Lanes {
    pub(crate) fn new(script: Script) -> Self {
        Lanes {
            script,
            running: BTreeMap::new(),
        }
    }

    pub(crate) fn start(
        &mut self,
        now: Moment,
        call: (RequestId, LaneKind),
        spot: &Spot,
        text: &Text,
    ) {
        let (_, lane) = call;
        let entry = match lane {
            LaneKind::Fim => self.script.entry_at(text, spot.at),
            LaneKind::NextEdit | LaneKind::Fix => None,
        };
        let candidates = entry.map(|entry| Candidate {
            document: spot.document.clone(),
            edit: Edit::from(Replacement::insertion(spot.at, entry.insert.as_str())),
        });
        let answer = Answer {
            due: now.after(entry.map_or(0, |entry| entry.delay_ms)),
            candidates: candidates.into_iter().collect(),
        };
        self.running.insert(call, answer);
    }

    pub(crate) fn cancel(&mut self, call: (RequestId, LaneKind)) {
        self.running.remove(&call);
    }

    /// When the next one comes back.
    pub(crate) fn poll_timeout(&self) -> Option<Moment> {
        self.running.values().map(|answer| answer.due).min()
    }

    /// The first that has come back by now, and when it did.
    pub(crate) fn poll_answer(&mut self, now: Moment) -> Option<(Moment, Event)> {
        let running = self.running.iter();
        let (call, _) = running
            .filter(|(_, answer)| answer.due <= now)
            .min_by_key(|(_, answer)| answer.due)?;
        let (request, lane) = *call;
        let Answer { due, candidates } = self.running.remove(&(request, lane))?;
        let event = Event::LaneAnswered {
            request,
            lane,
            candidates,
            usage: Usage::default(),
            withheld: 0,
        };
        Some((due, event))
    }
}
