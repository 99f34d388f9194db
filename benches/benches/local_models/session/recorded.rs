//! A session that was recorded, typed again at the speed at which it was typed.
//!
//! Long pauses are shortened, since nobody learns anything from them. Only what was typed is played: where
//! the person looked in between is passed over, as if they had rested where they typed last. So all clients
//! are asked at the same places, whichever movements their editors would tell them of.

use std::time::Duration;

use foretell_core::{Event, Moment};
use foretell_text::{ByteOffset, Edit, OffsetBias, Text};
use foretell_trace::{LineContent, Trace};

use super::{OpenedDocument, Session, Step, StepKind, TypedChange};

/// How long the longest pause is.
const LONGEST: Duration = Duration::from_secs(5);

/// Where the editor puts the cursor after a change is told within so many milliseconds.
const WITH_THE_CHANGE: u64 = 20;

/// The session of a trace.
pub(crate) fn session(trace: &Trace) -> Session {
    let mut steps: Vec<Step> = Vec::new();
    let mut clock = Clock::default();
    let mut last_key = None;
    for line in trace.lines() {
        match &line.what {
            LineContent::Event(Event::DocumentOpened {
                document,
                language,
                text,
                ..
            }) => steps.push(Step {
                at: clock.played,
                what: StepKind::Open(OpenedDocument {
                    path: path(document.as_str()),
                    language: language.as_str().to_owned(),
                    text: Text::to_string(text),
                }),
            }),
            LineContent::Event(Event::DocumentChanged {
                document, edits, ..
            }) => {
                let change = TypedChange {
                    path: path(document.as_str()),
                    edits: edits.clone(),
                    cursor: end_of(edits),
                };
                last_key = Some(line.at);
                steps.push(Step {
                    at: clock.at(line.at),
                    what: StepKind::Type(change),
                });
            }
            LineContent::Event(Event::SelectionChanged {
                document,
                selections,
                ..
            }) => {
                let is_with_it = last_key
                    .is_some_and(|key| since(key, line.at).as_millis() <= WITH_THE_CHANGE.into());
                let typed = steps.last_mut().map(|it| &mut it.what);
                if let (true, Some(StepKind::Type(change)), [selection, ..]) =
                    (is_with_it, typed, &selections[..])
                    && change.path == path(document.as_str())
                {
                    change.cursor = selection.end().get();
                }
            }
            _ => (),
        }
    }
    Session {
        name: "recorded",
        steps,
        end: clock.played + LONGEST,
    }
}

/// A clock that runs on through short pauses and is stopped in long ones. It looks at keys only.
#[derive(Default)]
struct Clock {
    recorded: Option<Moment>,
    played: Duration,
}

impl Clock {
    fn at(&mut self, recorded: Moment) -> Duration {
        let before = self.recorded.replace(recorded).unwrap_or(recorded);
        self.played += since(before, recorded).min(LONGEST);
        self.played
    }
}

fn since(before: Moment, after: Moment) -> Duration {
    Duration::from_millis(after.since(before))
}

/// A document's path below whatever folder it was in.
fn path(uri: &str) -> String {
    let path = uri.strip_prefix("file:///").unwrap_or(uri);
    let (_, below) = path.split_once('/').unwrap_or(("", path));
    below.to_owned()
}

/// Where an editor that says nothing has its cursor: behind what was typed last.
fn end_of(edits: &[Edit]) -> usize {
    let last = edits.last();
    let place = last.and_then(|edit| {
        let start = edit.replacements().first()?.range();
        Some(edit.map_offset(ByteOffset::new(start.end().get()), OffsetBias::After))
    });
    place.map_or(0, ByteOffset::get)
}
