//! [`DrawnEdits`]: what is on the screen while a session is played, and when.
//!
//! It draws as the extension for VS Code does: the first next edit of the latest answer, until another
//! answer says something else. A change of the text puts it in doubt, and what is in doubt goes after
//! 120 ms unless it is said again. An edit that is said again is the same offer.
//!
//! Absent on purpose: ghost text, which would hide a next edit on the very line.

use foretell_core::{Answer, Core, Event, Moment, Order, RequestId, RequestKind};
use foretell_text::{ByteOffset, ByteRange, ChangeReason, DocumentId, Edit, Replacement, Text};
use foretell_trace::{LineContent, ReplayTurn, TurnCause, TurnOutcome};

use super::offer_fate::{FollowedOffer, OfferVerdict, line_of, lines};

/// How long what is drawn may be in doubt, in milliseconds.
const IN_DOUBT: u64 = 120;
/// Who does nothing for so long has come to rest.
const REST: u64 = 1_000;
/// Longer gaps count as this: nobody is there.
const LONGEST_GAP: u64 = 60_000;

/// What is on the screen, and all that was.
#[derive(Debug, Default)]
pub(super) struct DrawnEdits {
    offers: Vec<FollowedOffer>,
    /// Which is drawn, and until when, if it is in doubt.
    drawn: Option<usize>,
    doubted_until: Option<Moment>,
    /// The latest request for a next edit.
    asked: Option<RequestId>,
    cursor: Option<(DocumentId, ByteOffset)>,
    last_change: Option<PersonChange>,
    now: Moment,
}

/// Where the person changed something last.
#[derive(Clone, Debug)]
struct PersonChange {
    at: Moment,
    document: DocumentId,
    line: u32,
}

impl DrawnEdits {
    /// Takes note of a turn, right after which the machine is as given.
    pub(super) fn follow(&mut self, turn: &ReplayTurn<'_>, core: &Core) {
        self.pass(turn.at);
        match &turn.cause {
            TurnCause::Line(line) => {
                if let LineContent::Event(event) = &line.what {
                    self.event(event, turn.before.as_ref(), core);
                }
            }
            TurnCause::Asks(asks) if asks.kind == RequestKind::Edit => {
                self.asked = Some(asks.request);
            }
            TurnCause::Asks(_) | TurnCause::Answers(_) | TurnCause::Timer => {}
        }
        for outcome in &turn.outcomes {
            if let TurnOutcome::Order(Order::Answer {
                request, answer, ..
            }) = outcome
                && self.asked == Some(*request)
            {
                self.answered(answer, core);
            }
        }
    }

    /// All that were shown, and what became of each.
    pub(super) fn finish(mut self, core: &Core) -> Vec<FollowedOffer> {
        self.judge(|document| core.text(document));
        for offer in &mut self.offers {
            offer.verdict.get_or_insert(OfferVerdict::Never);
        }
        self.offers
    }

    /// Lets time go by.
    fn pass(&mut self, until: Moment) {
        if let Some(doubted) = self.doubted_until.filter(|doubted| *doubted <= until) {
            self.stand(doubted);
            self.drawn = None;
            self.doubted_until = None;
        }
        self.stand(until);
    }

    fn stand(&mut self, until: Moment) {
        let gap = until.since(self.now).min(LONGEST_GAP);
        if let Some(offer) = self.drawn.and_then(|index| self.offers.get_mut(index)) {
            offer.stood += gap;
        }
        self.now = self.now.max(until);
    }

    fn event(&mut self, event: &Event, before: Option<&Text>, core: &Core) {
        match event {
            Event::DocumentChanged {
                document,
                edits,
                reason,
                ..
            } => {
                let mut text = before.cloned();
                for edit in edits {
                    let Some(held) = text else {
                        return;
                    };
                    self.change(document, &held, edit, *reason, core);
                    text = edit.apply(&held).ok();
                }
                self.doubt();
            }
            Event::DocumentReplaced {
                document,
                text,
                reason,
                ..
            } => {
                if let Some(held) = before {
                    let whole = ByteRange::new(ByteOffset::ZERO, held.end()).unwrap_or_default();
                    let edit = Edit::from(Replacement::new(whole, text.to_string()));
                    let edit = edit.trimmed(held).unwrap_or(edit);
                    self.change(document, held, &edit, *reason, core);
                    self.doubt();
                }
            }
            Event::SelectionChanged {
                document,
                selections,
                ..
            } => {
                if let Some(first) = selections.first() {
                    self.cursor = Some((document.clone(), first.end()));
                }
            }
            Event::DocumentClosed { document } => {
                self.cursor.take_if(|(id, _)| id == document);
                let drawn = self.drawn.and_then(|index| self.offers.get(index));
                if drawn.is_some_and(|offer| offer.document == *document) {
                    self.drawn = None;
                }
            }
            _ => {}
        }
    }

    fn change(
        &mut self,
        document: &DocumentId,
        before: &Text,
        edit: &Edit,
        reason: ChangeReason,
        core: &Core,
    ) {
        let Some(span) = edit.span() else {
            return;
        };
        let now = self.now;
        if reason != ChangeReason::Other {
            let line = line_of(before, span.start());
            let goes_on = self.last_change.as_ref().is_some_and(|last| {
                last.document == *document && last.line == line && now.since(last.at) < REST
            });
            if !goes_on {
                self.judge(|other| {
                    if other == document {
                        Some(before)
                    } else {
                        core.text(other)
                    }
                });
            }
            for offer in &mut self.offers {
                offer.person_changes(now, document, edit);
            }
            self.cursor = ends_at(edit).map(|at| (document.clone(), at));
            // A line end that is typed leads to another line.
            let line = edit.apply(before).ok().zip(ends_at(edit));
            self.last_change = line.map(|(after, at)| PersonChange {
                at: now,
                document: document.clone(),
                line: line_of(&after, at),
            });
        }
        for offer in &mut self.offers {
            offer.follow(document, edit);
        }
    }

    fn judge<'t>(&mut self, text_of: impl Fn(&DocumentId) -> Option<&'t Text>) {
        for offer in &mut self.offers {
            let text = text_of(&offer.document);
            offer.judge(self.now, text);
        }
    }

    fn doubt(&mut self) {
        if self.drawn.is_some() && self.doubted_until.is_none() {
            self.doubted_until = Some(self.now.after(IN_DOUBT));
        }
    }

    fn answered(&mut self, answer: &Answer, core: &Core) {
        self.doubted_until = None;
        self.drawn = None;
        let Answer::Candidates(offers) = answer else {
            return;
        };
        let candidate = offers.first().map(|offer| &offer.candidate);
        let Some((candidate, text)) = candidate.and_then(|it| Some((it, core.text(&it.document)?)))
        else {
            return;
        };
        let known = self
            .offers
            .iter()
            .rposition(|it| it.is_same(candidate, text));
        if known.is_some() {
            self.drawn = known;
            return;
        }
        let here = self.cursor.as_ref().and_then(|(document, at)| {
            let text = core.text(document)?;
            let line = line_of(text, *at);
            Some((document.clone(), lines(text, line, line)?))
        });
        if let Some(offer) = FollowedOffer::new(self.now, candidate, text, here) {
            self.offers.push(offer);
            self.drawn = Some(self.offers.len() - 1);
        }
    }
}

/// Where the cursor is after an edit: behind what was put in last.
fn ends_at(edit: &Edit) -> Option<ByteOffset> {
    let (last, before) = edit.replacements().split_last()?;
    let start = before.iter().fold(last.range().start().get(), |at, it| {
        (at + it.new_text().len()).saturating_sub(it.range().len())
    });
    Some(ByteOffset::new(start + last.new_text().len()))
}
