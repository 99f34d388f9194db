//! What compilers and linters say of a document, and what follows from it.
//!
//! Faults are found after the pause in which the person might have been helped. So what comes to the lines
//! around the cursor has the editor ask, as a move of the cursor would: pace, gate and cooldowns are as they
//! are. A fix of which the fault is gone is withdrawn by having the editor ask, too.

use foretell_text::{ByteOffset, ByteRange, Diagnostic, DocumentId, PositionEncoding, Version};

use super::Core;
use crate::action::{AskCause, Order, Spot};
use crate::event::{RequestCause, RequestKind, SuggestionId};
use crate::moment::Moment;
use crate::reason::Reason;
use crate::trigger::SelectionChange;
use crate::wanted_fixes::{FixQuestion, wanted_fixes};

impl Core {
    /// Takes what compilers say of a document now.
    pub(super) fn diagnose(
        &mut self,
        now: Moment,
        document: &DocumentId,
        version: Option<Version>,
        diagnostics: Vec<Diagnostic>,
    ) {
        let Some(open) = self.documents.touch(document) else {
            return self.outbox.ignore(Some(document), Reason::UnknownDocument);
        };
        // Late ones are about places that have moved; there will be others.
        if version.is_some_and(|version| version != open.version) {
            return self.outbox.ignore(Some(document), Reason::OutOfStep);
        }
        let is_news = open.diagnostics != diagnostics;
        let lines = open.diagnosed.renew(&open.text, &diagnostics);
        open.diagnose(diagnostics);
        let errors = open.errors;
        self.fix_trials.hear(document, errors);
        self.trigger.give_turns(document, &lines);
        if is_news {
            self.serve(now, document, &lines);
        }
    }

    /// The faults near a place that are to be mended, each with the fix that would be offered, if it has any.
    pub fn wanted_fixes(
        &self,
        document: &DocumentId,
        at: ByteOffset,
        cause: RequestCause,
    ) -> Vec<Diagnostic> {
        let Some(open) = self.documents.get(document) else {
            return Vec::new();
        };
        let wanted = wanted_fixes(FixQuestion {
            open,
            at,
            cause,
            kind: RequestKind::Edit,
            trials: &self.fix_trials,
        });
        wanted.collect()
    }

    /// The person has taken a suggestion: if it is a fix, it is known soon whether it was one.
    pub(super) fn try_fix(&mut self, suggestion: SuggestionId) {
        let Some(held) = self.requests.suggestion(suggestion) else {
            return;
        };
        let errors = self.documents.get(&held.document).map(|open| open.errors);
        if let Some((origin, errors)) = held.origin().zip(errors) {
            let (document, kind) = (held.document.clone(), origin.kind.clone());
            self.fix_trials.begin(document, kind, errors);
        }
    }

    /// What was being typed is finished: of its faults nobody has heard yet, whenever they were found.
    pub(super) fn finish_typing(&mut self, document: &DocumentId) {
        let open = self.documents.get(document);
        let Some((open, at)) = open.and_then(|open| Some((open, open.cursor?))) else {
            return;
        };
        let mut wanted = wanted_fixes(FixQuestion {
            open,
            at,
            cause: RequestCause::Automatic,
            kind: RequestKind::Edit,
            trials: &self.fix_trials,
        });
        let place = open.text.position_of(at, PositionEncoding::Utf8);
        let has_fix = wanted.any(|it| !it.fixes.is_empty());
        if let Some(place) = place.ok().filter(|_| has_fix) {
            self.trigger.give_turns(document, &[place.line]);
        }
    }

    /// Has the editor ask if a fix came to the lines around the cursor, or is gone from the screen.
    fn serve(&mut self, now: Moment, document: &DocumentId, lines: &[u32]) {
        let Some(open) = self.documents.get(document) else {
            return;
        };
        let was_offered = self.requests.diagnosed(document, &open.diagnostics);
        let is_here = self.focus.here() == Some(document);
        let Some(at) = open.cursor.filter(|_| is_here && !self.is_ending) else {
            return;
        };
        if was_offered {
            let spot = Spot {
                document: document.clone(),
                version: open.version,
                at,
            };
            let cause = AskCause::Diagnostics;
            return self.outbox.put(Order::AskEditor { spot, cause });
        }
        let place = open.text.position_of(at, PositionEncoding::Utf8);
        let Some(line) = place.ok().map(|place| place.line) else {
            return;
        };
        let mut wanted = wanted_fixes(FixQuestion {
            open,
            at,
            cause: RequestCause::Automatic,
            kind: RequestKind::Edit,
            trials: &self.fix_trials,
        });
        if lines.is_empty() || wanted.next().is_none() {
            return;
        }
        drop(wanted);
        let settings = self.settings.for_language(open.language.as_str());
        let told = SelectionChange {
            now,
            document,
            open: Some(open),
            settings: &settings.trigger,
            version: None,
            selections: &[ByteRange::empty(at)],
        };
        // What waits for its pause will see it.
        let is_asked = |at| self.requests.is_pending(document, &open.text, at);
        self.trigger.give_turns(document, &[line]);
        self.trigger.news(told, is_asked, &mut self.outbox);
    }
}
