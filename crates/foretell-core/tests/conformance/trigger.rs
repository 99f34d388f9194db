//! Every recorded session of the reference's auto-trigger.
//!
//! The machine asks at the very moments at which the reference does, and at no other. The sessions
//! were recorded with a memory of lines that every edit clears, without a wait for later moves unless
//! they say so, and with the trigger on a switch of documents off.

use std::sync::Arc;

use foretell_core::{Action, Core, Event, Moment, Order};
use foretell_settings::{Millis, SameLineMemory, Settings};
use foretell_testkit::story_editor::{delete, insert};
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, DocumentId, Language, Position, PositionEncoding, Text,
    Version,
};
use libtest_mimic::{Failed, Trial};
use serde::Deserialize;

use crate::sessions;

/// How many sessions there are, and how often the reference asks in them.
const SESSIONS: usize = 286;
const TRIGGERS: usize = 4_424;

/// Enough of a text for every place that a session goes to.
const LINES: usize = 300;
const COLUMNS: usize = 60;

/// A test for every session, and one that none is missing.
pub(crate) fn trials() -> Vec<Trial> {
    let sessions: Vec<Session> = sessions("trigger_sessions");
    let triggers = sessions.iter().map(|session| session.triggers().len());
    let counted = (sessions.len(), triggers.sum::<usize>());
    let mut trials: Vec<Trial> = sessions
        .into_iter()
        .enumerate()
        .map(|(index, session)| {
            let name = format!("trigger_sessions::{index:03}_{}", session.kind);
            Trial::test(name, move || session.play())
        })
        .collect();
    trials.push(Trial::test("trigger_sessions::all_are_here", move || {
        if counted == (SESSIONS, TRIGGERS) {
            return Ok(());
        }
        let (sessions, triggers) = counted;
        Err(Failed::from(format!(
            "{sessions} sessions with {triggers} triggers"
        )))
    }));
    trials
}

#[derive(Deserialize)]
struct Session {
    kind: String,
    init: Beginning,
    docs: Vec<File>,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Beginning {
    /// Before the session begins.
    last_rejection: u64,
}

#[derive(Deserialize)]
struct File {
    uri: String,
    /// Whether the reference does not know it.
    #[serde(default)]
    ignored: bool,
}

#[derive(Deserialize)]
struct Step {
    t: u64,
    #[serde(flatten)]
    happening: Happening,
    /// When the reference asks, some of it before the step.
    events: Vec<Asked>,
}

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "camelCase")]
enum Happening {
    DocChange {
        uri: String,
        reason: Option<String>,
    },
    #[serde(rename_all = "camelCase")]
    SelectionChange {
        uri: String,
        line: u32,
        col: u32,
        end_line: Option<u32>,
        end_col: Option<u32>,
        n_selections: Option<usize>,
    },
    SetLastRejection,
    SetConfig {
        key: String,
        value: u64,
    },
    Advance,
}

#[derive(Deserialize)]
struct Asked {
    t: u64,
}

/// The machine, and when it has told the editor to ask.
struct Player {
    core: Core,
    settings: Settings,
    version: i64,
    asked: Vec<u64>,
}

impl Session {
    /// When the reference asks.
    fn triggers(&self) -> Vec<u64> {
        let asked = self.steps.iter().flat_map(|step| &step.events);
        asked.map(|asked| asked.t).collect()
    }

    fn play(&self) -> Result<(), Failed> {
        let mut player = Player::new();
        let beginning = self.init.last_rejection;
        for file in self.docs.iter().filter(|file| !file.ignored) {
            player.open(beginning, &file.uri);
        }
        player.reject(beginning);
        for (index, step) in self.steps.iter().enumerate() {
            player.pass_time(step.t);
            player
                .step(step)
                .map_err(|wrong| format!("step {index}: {wrong}"))?;
            player.core.assert_invariants();
        }
        player.pass_time(u64::MAX);
        let expected = self.triggers();
        if player.asked == expected {
            return Ok(());
        }
        let differs = |(ours, theirs): (&u64, &u64)| ours != theirs;
        let pairs = player.asked.iter().zip(&expected);
        let first = pairs.map(differs).position(|differs| differs);
        let first = first.unwrap_or_else(|| expected.len().min(player.asked.len()));
        Err(Failed::from(format!(
            "trigger {first} of {}: ours at {:?}, the reference's at {:?}",
            expected.len(),
            player.asked.get(first),
            expected.get(first),
        )))
    }
}

impl Player {
    fn new() -> Self {
        let mut settings = Settings::default();
        settings.trigger.same_line_memory = SameLineMemory::UntilEdit;
        settings.trigger.selection_debounce = Millis::ZERO;
        settings.trigger.document_switch = Millis::ZERO;
        Player {
            core: Core::new(Arc::new(settings.clone())),
            settings,
            version: 0,
            asked: Vec::new(),
        }
    }

    fn open(&mut self, now: u64, uri: &str) {
        let text = format!("{}\n", "x".repeat(COLUMNS)).repeat(LINES);
        let opened = Event::DocumentOpened {
            document: DocumentId::new(uri),
            language: Language::new("plaintext"),
            version: Version::new(self.version),
            text: Text::from(text.as_str()),
        };
        self.tell(now, opened);
    }

    fn step(&mut self, step: &Step) -> Result<(), String> {
        let now = step.t;
        match &step.happening {
            Happening::DocChange { uri, reason } => {
                let reason = match reason.as_deref() {
                    None => ChangeReason::Typed,
                    Some("undo") => ChangeReason::Undo,
                    Some("redo") => ChangeReason::Redo,
                    Some(other) => return Err(format!("a change by {other}")),
                };
                self.change(now, DocumentId::new(uri.as_str()), reason);
            }
            Happening::SelectionChange {
                uri,
                line,
                col,
                end_line,
                end_col,
                n_selections,
            } => {
                let start = Position::new(*line, *col);
                let end = Position::new(end_line.unwrap_or(*line), end_col.unwrap_or(*col));
                let document = DocumentId::new(uri.as_str());
                let selections = self.selections(&document, start, end)?;
                self.tell(
                    now,
                    Event::SelectionChanged {
                        document,
                        version: None,
                        selections: selections.repeat(n_selections.unwrap_or(1)),
                    },
                );
            }
            Happening::SetLastRejection => self.reject(now),
            Happening::SetConfig { key, value } => {
                if key != "debounceOnSelectionChange" {
                    return Err(format!("a setting of {key}"));
                }
                self.settings.trigger.selection_debounce = Millis::new(*value);
                let settings = Arc::new(self.settings.clone());
                self.tell(now, Event::SettingsChanged { settings });
            }
            Happening::Advance => {}
        }
        Ok(())
    }

    /// One character comes to the end of the text, or goes from there: no line moves.
    fn change(&mut self, now: u64, document: DocumentId, reason: ChangeReason) {
        self.version += 1;
        let whole = LINES * (COLUMNS + 1);
        let end = self.core.text(&document).map(|text| text.end().get());
        let edit = match end.filter(|end| *end > whole) {
            Some(end) => delete(end - 1, end),
            None => insert(end.unwrap_or(whole), "x"),
        };
        let changed = Event::DocumentChanged {
            document,
            version: Version::new(self.version),
            edits: vec![edit],
            reason,
        };
        self.tell(now, changed);
    }

    /// What is selected. Of a document that is not open only the number matters.
    fn selections(
        &self,
        document: &DocumentId,
        start: Position,
        end: Position,
    ) -> Result<Vec<ByteRange>, String> {
        let Some(text) = self.core.text(document) else {
            return Ok(vec![ByteRange::empty(ByteOffset::ZERO)]);
        };
        let offset = |position| text.offset_at(position, PositionEncoding::Utf8);
        let start = offset(start).map_err(|error| error.to_string())?;
        let end = offset(end).map_err(|error| error.to_string())?;
        let range = ByteRange::new(start, end).map_err(|error| error.to_string())?;
        Ok(vec![range])
    }

    /// The person rejects something; what does not matter here.
    fn reject(&mut self, now: u64) {
        let rejected = Event::EditRejected {
            document: DocumentId::new("file:///w/a.ts"),
            edit: insert(0, "rejected"),
        };
        self.tell(now, rejected);
    }

    /// Lets what is due happen at its time.
    fn pass_time(&mut self, now: u64) {
        while let Some(due) = self.core.poll_timeout() {
            if due.millis() > now {
                return;
            }
            self.core.handle_timeout(due);
            self.listen(due.millis());
        }
    }

    fn tell(&mut self, now: u64, event: Event) {
        self.core.handle(Moment::from_millis(now), event);
        self.listen(now);
    }

    fn listen(&mut self, now: u64) {
        while let Some(action) = self.core.poll_action() {
            if matches!(action, Action::Order(Order::AskEditor { .. })) {
                self.asked.push(now);
            }
        }
    }
}
