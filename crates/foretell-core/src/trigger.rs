//! The auto-trigger: whether a move of the cursor makes the editor ask.
//!
//! A move is worth asking about when the person has just edited this document and has not just
//! rejected something, and when this line was not asked about a moment ago. Every move that is not
//! is recorded with the first reason against it, in the order of [`Trigger::select`]. All limits are
//! half-open: a cooldown of 5000 ms is over at exactly 5000 ms.
//!
//! The trigger remembers, per document: when it was edited last, which lines were asked about and
//! when, and how many moves since the last edit got as far as asking. The first few ask at once;
//! later ones wait for the cursor to rest, and each replaces the one before. Remembered lines move
//! with the text ([`asked_lines`]), so that a new line above does not make an old line look new.
//!
//! An editor that asks by itself, as most do at every key, has had the line's turn: a move within
//! that line asks again only when the cooldown is over, or when a diagnostic that has a fix has come to
//! the line since, in the text as it is.
//!
//! Absent on purpose: what is asked, and of whom. The cooldowns do not concern requests that the editor
//! makes by itself.

mod asked_lines;

use std::collections::BTreeMap;

use foretell_settings::{SameLineMemory, settings};
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, DocumentId, OffsetBias, PositionEncoding, Text, Version,
};

use crate::action::{AskCause, Order, Spot};
use crate::documents::{Document, TextSync};
use crate::moment::Moment;
use crate::note::Note;
use crate::outbox::Outbox;
use crate::reason::Reason;
use crate::window::TextChange;
use asked_lines::AskedLines;

/// When moving the cursor makes the editor ask.
#[derive(Debug, Default)]
pub(crate) struct Trigger {
    memories: BTreeMap<DocumentId, LineMemory>,
    /// Moves that wait for the cursor to rest.
    waiting: BTreeMap<DocumentId, WaitingMove>,
    /// When any document was edited last.
    edited: Option<Moment>,
    /// When the person rejected something last, wherever that was.
    rejected: Option<Moment>,
    /// Where the cursor moved last.
    last: Option<DocumentId>,
}

/// The memory of one document.
#[derive(Debug, Default)]
struct LineMemory {
    /// When it was edited last, until a move within the rejection cooldown.
    edited: Option<Moment>,
    lines: AskedLines,
    /// How many moves got as far as asking since then.
    passed: usize,
}

#[derive(Debug)]
struct WaitingMove {
    due: Moment,
    at: ByteOffset,
    cause: AskCause,
}

/// A move of the cursor, or of several.
#[derive(Clone, Copy)]
pub(crate) struct SelectionChange<'a> {
    pub(crate) now: Moment,
    pub(crate) document: &'a DocumentId,
    /// The document as it is, if it is open.
    pub(crate) open: Option<&'a Document>,
    /// Its language's settings.
    pub(crate) settings: &'a settings::TriggerSettings,
    /// The text that the editor means, if it says.
    pub(crate) version: Option<Version>,
    pub(crate) selections: &'a [ByteRange],
}

impl Trigger {
    /// Takes note of an edit of a text.
    pub(crate) fn edit(
        &mut self,
        now: Moment,
        document: &DocumentId,
        change: TextChange<'_>,
        settings: &settings::TriggerSettings,
        outbox: &mut Outbox,
    ) {
        let TextChange {
            before,
            edit,
            reason,
            ..
        } = change;
        // Editors tell of changes without any, when a file is saved for instance.
        if edit.is_nothing() {
            return;
        }
        if is_ignored(document, settings) {
            // It may not have been when something was remembered of it.
            if let Some(memory) = self.memories.get_mut(document) {
                memory.lines.follow(before, edit);
            }
            return self.give_up(document, Reason::IgnoredDocument, outbox);
        }
        if matches!(reason, ChangeReason::Undo | ChangeReason::Redo) {
            if let Some(memory) = self.memories.get_mut(document) {
                memory.lines.follow(before, edit);
            }
            if let Some(waiting) = self.waiting.get_mut(document) {
                waiting.at = edit.map_offset(waiting.at, OffsetBias::After);
            }
            return;
        }
        self.edited = Some(now);
        let memory = self.memories.entry(document.clone()).or_default();
        memory.edited = Some(now);
        memory.passed = 0;
        match settings.same_line_memory {
            SameLineMemory::Keep => memory.lines.follow(before, edit),
            SameLineMemory::UntilEdit => memory.lines = AskedLines::default(),
        }
        self.give_up(document, Reason::Overtaken, outbox);
    }

    /// Takes note that an editor asks about a place by itself: its line has had its turn.
    pub(crate) fn asked(
        &mut self,
        now: Moment,
        document: &DocumentId,
        text: &Text,
        at: ByteOffset,
    ) {
        let memory = self.memories.get_mut(document);
        let place = text.position_of(at, PositionEncoding::Utf8);
        if let (Some(memory), Ok(place)) = (memory, place) {
            memory.lines.remember(now, place.line);
        }
    }

    /// Takes note that there is something new to say of some lines: their turn is still to come.
    pub(crate) fn give_turns(&mut self, document: &DocumentId, lines: &[u32]) {
        if let Some(memory) = self.memories.get_mut(document) {
            lines.iter().for_each(|line| memory.lines.forget(*line));
        }
    }

    /// Takes note that the person rejected something.
    pub(crate) fn reject(&mut self, now: Moment, outbox: &mut Outbox) {
        self.rejected = Some(now);
        self.stop(Reason::RejectionCooldown, outbox);
    }

    /// Lets go of everything that waits.
    pub(crate) fn stop(&mut self, reason: Reason, outbox: &mut Outbox) {
        while let Some((document, _)) = self.waiting.pop_first() {
            outbox.note(Note::Quiet { document, reason });
        }
    }

    /// Lets go of what waits in a document whose text is no longer known: its place means nothing.
    pub(crate) fn lose_step(&mut self, document: &DocumentId, outbox: &mut Outbox) {
        self.give_up(document, Reason::OutOfStep, outbox);
    }

    /// Forgets a document that is no longer open.
    pub(crate) fn close(&mut self, document: &DocumentId, outbox: &mut Outbox) {
        self.forget(document, Reason::UnknownDocument, outbox);
    }

    /// Decides about a move of the cursor. `is_asked` says whether there is a request for a place
    /// of the document's text already.
    pub(crate) fn select(
        &mut self,
        selected: SelectionChange<'_>,
        is_asked: impl Fn(ByteOffset) -> bool,
        outbox: &mut Outbox,
    ) {
        match self.judge(selected, is_asked, outbox) {
            Ok((at, cause)) => self.ask(selected, at, cause, outbox),
            Err(reason) => {
                let document = selected.document.clone();
                outbox.note(Note::Quiet { document, reason });
            }
        }
    }

    /// The same for a cursor that stays where it is: there is something new to say of its lines.
    pub(crate) fn news(
        &mut self,
        told: SelectionChange<'_>,
        is_asked: impl Fn(ByteOffset) -> bool,
        outbox: &mut Outbox,
    ) {
        if let Ok((at, _)) = self.judge(told, is_asked, outbox) {
            self.ask(told, at, AskCause::Diagnostics, outbox);
        }
    }

    fn ask(
        &mut self,
        selected: SelectionChange<'_>,
        at: ByteOffset,
        cause: AskCause,
        outbox: &mut Outbox,
    ) {
        let document = selected.document.clone();
        let SelectionChange { now, settings, .. } = selected;
        let memory = self.memories.entry(document.clone()).or_default();
        memory.passed += 1;
        let is_at_once =
            settings.selection_debounce.is_zero() || memory.passed <= settings.immediate_selections;
        if is_at_once {
            let version = selected.open.map(|open| open.version).unwrap_or_default();
            let spot = Spot {
                document,
                version,
                at,
            };
            return outbox.put(Order::AskEditor { spot, cause });
        }
        self.give_up(&document, Reason::Superseded, outbox);
        let due = now.after(settings.selection_debounce.get());
        self.waiting
            .insert(document, WaitingMove { due, at, cause });
    }

    /// When the next move that waits has waited long enough.
    pub(crate) fn next_timeout(&self) -> Option<Moment> {
        self.waiting.values().map(|waiting| waiting.due).min()
    }

    /// Asks for the moves that have waited long enough.
    pub(crate) fn handle_timeout(
        &mut self,
        now: Moment,
        objection: impl Fn(&DocumentId, ByteOffset) -> Option<Reason>,
        version_of: impl Fn(&DocumentId) -> Option<Version>,
        outbox: &mut Outbox,
    ) {
        while let Some(document) = self.first_due(now) {
            let Some(WaitingMove { at, cause, .. }) = self.waiting.remove(&document) else {
                return;
            };
            match objection(&document, at) {
                Some(reason) => outbox.note(Note::Quiet { document, reason }),
                None => {
                    let version = version_of(&document).unwrap_or_default();
                    let spot = Spot {
                        document,
                        version,
                        at,
                    };
                    outbox.put(Order::AskEditor { spot, cause });
                }
            }
        }
    }

    /// Checks what every event keeps.
    pub(crate) fn assert_invariants(&self, is_open: impl Fn(&DocumentId) -> bool) {
        assert!(self.memories.keys().all(&is_open), "only what is open");
        assert!(self.waiting.keys().all(&is_open), "only what is open waits");
        let lines = self.memories.values().map(|memory| memory.lines.len());
        assert!(lines.max().unwrap_or_default() <= asked_lines::MOST_LINES);
    }

    /// Where to ask, or the first reason against it.
    fn judge(
        &mut self,
        selected: SelectionChange<'_>,
        is_asked: impl Fn(ByteOffset) -> bool,
        outbox: &mut Outbox,
    ) -> Result<(ByteOffset, AskCause), Reason> {
        let SelectionChange {
            now,
            document,
            open,
            settings,
            version,
            selections,
        } = selected;
        if is_ignored(document, settings) {
            return Err(Reason::IgnoredDocument);
        }
        let open = open.ok_or(Reason::UnknownDocument)?;
        // Offsets in another text say nothing of this one.
        let is_another = version.is_some_and(|version| version != open.version);
        if open.step == TextSync::Lost || is_another {
            return Err(Reason::OutOfStep);
        }
        let has_moved_here = self.last.as_ref().is_some_and(|last| last != document);
        if self.last.as_ref() != Some(document) {
            self.last = Some(document.clone());
        }
        if !settings.enabled {
            return Err(Reason::Disabled);
        }
        let [selection] = selections else {
            return Err(Reason::MultipleCursors);
        };
        if !selection.is_empty() {
            return Err(Reason::SelectionNotEmpty);
        }
        if open.text.line_count() > settings.max_lines {
            return Err(Reason::TooManyLines);
        }
        let is_cooling =
            |since: Option<Moment>, limit: u64| since.is_some_and(|since| now.since(since) < limit);
        if is_cooling(self.rejected, settings.rejection_cooldown.get()) {
            // Something waits if the settings were others when it began to.
            self.forget(document, Reason::RejectionCooldown, outbox);
            return Err(Reason::RejectionCooldown);
        }
        let at = selection.start();
        let place = open.text.position_of(at, PositionEncoding::Utf8);
        let line = place.map_err(|_| Reason::OutOfStep)?.line;

        let edited = self.memories.get(document).and_then(|memory| memory.edited);
        let cause = match edited {
            Some(edited) if now.since(edited) < settings.recent_edit.get() => AskCause::Selection,
            Some(_) => return Err(Reason::NoRecentEdit),
            None if has_moved_here && is_cooling(self.edited, settings.document_switch.get()) => {
                AskCause::DocumentSwitch
            }
            None => return Err(Reason::NoRecentEdit),
        };
        let memory = self.memories.get(document);
        let asked = memory.and_then(|memory| memory.lines.get(line));
        if is_cooling(asked, settings.same_line_cooldown.get()) {
            return Err(Reason::SameLineCooldown);
        }
        if is_asked(at) {
            return Err(Reason::AlreadyAsked);
        }
        let memory = self.memories.entry(document.clone()).or_default();
        memory.lines.remember(now, line);
        Ok((at, cause))
    }

    /// The document of the waiting move that is due first.
    fn first_due(&self, now: Moment) -> Option<DocumentId> {
        let due = self.waiting.iter().filter(|(_, it)| it.due <= now);
        let first = due.min_by_key(|(_, waiting)| waiting.due)?;
        Some(first.0.clone())
    }

    /// Forgets all about a document, and what waits in it.
    fn forget(&mut self, document: &DocumentId, reason: Reason, outbox: &mut Outbox) {
        self.memories.remove(document);
        self.give_up(document, reason, outbox);
    }

    /// Lets go of a move that waits in a document.
    fn give_up(&mut self, document: &DocumentId, reason: Reason, outbox: &mut Outbox) {
        if let Some((document, _)) = self.waiting.remove_entry(document) {
            outbox.note(Note::Quiet { document, reason });
        }
    }
}

/// Why nothing is asked about a document now, whatever the cursor does in it.
pub(crate) fn standing_objection(
    document: &DocumentId,
    text: &Text,
    settings: &settings::TriggerSettings,
) -> Option<Reason> {
    if is_ignored(document, settings) {
        return Some(Reason::IgnoredDocument);
    }
    if !settings.enabled {
        return Some(Reason::Disabled);
    }
    (text.line_count() > settings.max_lines).then_some(Reason::TooManyLines)
}

/// Whether documents of this kind are left alone unless the person asks.
pub(crate) fn is_ignored(document: &DocumentId, settings: &settings::TriggerSettings) -> bool {
    let scheme = document.scheme();
    scheme.is_some_and(|scheme| settings.ignored_schemes.iter().any(|it| it == scheme))
}
