//! [`Core`]: the machine. Events and the time go in, actions come out.
//!
//! It has four verbs and no clock. The same events at the same moments give the same actions, so a
//! recorded session replays to the byte. It cannot fail: an event that does not make sense becomes a
//! note with a reason.

mod diagnosing;
mod following;
mod untyped_change;

use std::sync::Arc;

use foretell_settings::Settings;
use foretell_text::{
    ByteOffset, ByteRange, Diagnostic, DocumentId, Edit, LaneCandidate, LaneKind, LaneSpeed,
    Language, RecentEdit, RefusedChange, Text, Version,
};

use crate::action::Action;
use crate::counts::MachineCounts;
use crate::documents::{Document, Documents, TextSync};
use crate::editor_focus::EditorFocus;
use crate::event::{Event, RequestCause, RequestId, SuggestionId, SuggestionRequest};
use crate::fix_trials::FixTrials;
use crate::gate::Gate;
use crate::inferred_rejections::TypedOverOffers;
use crate::lane_health::{LaneHealth, LaneUsage};
use crate::moment::Moment;
use crate::note::Note;
use crate::outbox::Outbox;
use crate::pace::typing_gaps::{TypingGaps, UsualGaps};
use crate::pace::{Pace, SuggestionVerdict};
use crate::reason::Reason;
use crate::rejection_memory::{
    RejectedExtent, RejectionId, RejectionMemory, RejectionOutcome, StoredRejection,
};
use crate::requests::{LaneCandidates, RequestContext, Requests};
use crate::target::Target;
use crate::trigger::{self, SelectionChange, Trigger};

/// Decides. See the [crate] for how to drive it.
#[derive(Debug)]
pub struct Core {
    settings: Arc<Settings>,
    documents: Documents,
    rejections: RejectionMemory,
    trigger: Trigger,
    gate: Gate,
    lane_health: LaneHealth,
    pace: Pace,
    focus: EditorFocus,
    fix_trials: FixTrials,
    requests: Requests,
    typed_over: TypedOverOffers,
    outbox: Outbox,
    /// The latest moment it knows of.
    now: Option<Moment>,
    /// When something happened last.
    told: Option<Moment>,
    /// Whether nothing is begun any more.
    is_ending: bool,
    /// Whether the settings may be a repository's word.
    is_contested: bool,
    /// Whether its driver has a predictor that answers at once.
    has_predictor: bool,
}

impl Core {
    /// A machine to which nothing has happened.
    pub fn new(settings: Arc<Settings>) -> Self {
        Core {
            documents: Documents::default(),
            rejections: RejectionMemory::new(settings.rejections.clone()),
            trigger: Trigger::default(),
            gate: Gate::default(),
            lane_health: LaneHealth::default(),
            pace: Pace::new(UsualGaps::default()),
            focus: EditorFocus::default(),
            fix_trials: FixTrials::default(),
            requests: Requests::default(),
            typed_over: TypedOverOffers::default(),
            outbox: Outbox::default(),
            now: None,
            told: None,
            is_ending: false,
            is_contested: false,
            has_predictor: false,
            settings,
        }
    }

    /// The same for a driver that has a predictor which answers at once: it is ordered to ask it
    /// ([`Order::Predict`](crate::Order::Predict)), and tells what it says before anything else.
    pub fn with_predictor(self) -> Self {
        Core {
            has_predictor: true,
            ..self
        }
    }

    /// The same for people who type as `usual` says.
    pub fn with_usual_gaps(self, usual: UsualGaps) -> Self {
        Core {
            pace: Pace::new(usual),
            ..self
        }
    }

    /// Tells it that something happened.
    ///
    /// Timeouts that were due by then happen first, also if the driver did not call in time. Time never
    /// runs backwards here: an earlier moment than the last counts as the last.
    pub fn handle(&mut self, now: Moment, event: Event) {
        self.handle_timeout(now);
        let now = self.at_least(now);
        self.outbox.counts.event(self.told.replace(now), now);
        self.take_note(now, event);
        self.start_queued(now);
        let (requests, mut around) = self.parts(now);
        requests.work_ahead(&mut around);
        // No later moment comes, at which what the event waits for would be due.
        if now == Moment::LAST {
            self.handle_timeout(now);
        }
    }

    /// Does what follows from an event at once.
    fn take_note(&mut self, now: Moment, event: Event) {
        match event {
            Event::DocumentOpened {
                document,
                language,
                version,
                text,
            } => self.open(now, &document, language, version, text),
            Event::DocumentChanged {
                document,
                version,
                edits,
                reason,
            } => self.change(now, &document, version, &edits, reason),
            Event::DocumentReplaced {
                document,
                version,
                text,
                reason,
            } => match self.language(&document).cloned() {
                Some(language) => {
                    self.replace(now, &document, &text, reason);
                    self.hold(now, &document, language, version, text);
                }
                None => self.miss(&document),
            },
            Event::DocumentLost { document } => match self.documents.get(&document) {
                Some(open) if open.step == TextSync::InStep => self.lose_step(now, &document),
                Some(_) => self.outbox.ignore(Some(&document), Reason::OutOfStep),
                None => self.miss(&document),
            },
            Event::DocumentClosed { document } => self.close(now, &document),
            Event::DocumentFocused { document } => match self.documents.touch(&document) {
                Some(_) => self.look_at(&document),
                None => self.miss(&document),
            },
            Event::DocumentSaved { document } => match self.documents.touch(&document) {
                Some(open) => open.history.finish(),
                None => self.outbox.ignore(Some(&document), Reason::UnknownDocument),
            },
            Event::DiagnosticsChanged {
                document,
                version,
                diagnostics,
            } => self.diagnose(now, &document, version, diagnostics),
            Event::SecretsFound {
                document,
                version,
                ranges,
            } => match self.documents.touch(&document) {
                Some(open) if version != open.version => {
                    self.outbox.ignore(Some(&document), Reason::OutOfStep);
                }
                Some(open) => open.secrets = ranges,
                None => self.outbox.ignore(Some(&document), Reason::UnknownDocument),
            },
            Event::ExclusionKnown {
                document,
                is_excluded,
            } => self.exclude(now, &document, is_excluded),
            Event::DocumentPaused {
                document,
                is_paused,
            } => self.pause(now, &document, is_paused),
            Event::ContestKnown { is_contested } => self.contest(now, is_contested),
            Event::UsageKnown {
                lane,
                day,
                requests,
                tokens,
            } => self.lane_health.known(now, lane, day, requests, tokens),
            Event::LaneSpeedKnown { lane, speed } => {
                self.lane_health.speeds.learn(now, lane, speed);
            }
            Event::TypingGapsKnown { gaps } => self.pace.take_over(&gaps),
            Event::SelectionChanged {
                document,
                version,
                selections,
            } => self.select(now, &document, version, &selections),
            Event::SuggestionRequested(asked) => self.request(now, &asked),
            Event::RequestCancelled { request } => {
                let (requests, mut around) = self.parts(now);
                requests.cancel(request, &mut around);
            }
            Event::LaneAnswered {
                request,
                lane,
                candidates,
                usage,
                withheld,
            } => {
                let (requests, mut around) = self.parts(now);
                let found = LaneCandidates {
                    candidates,
                    withheld,
                };
                let refused = requests.lane_answered(request, lane, found, usage, &mut around);
                if let Some(LaneCandidate { document, edit, .. }) = refused {
                    self.reject(&document, &edit, RejectedExtent::Whole);
                }
            }
            Event::Predicted {
                request,
                prediction,
                withheld,
            } => {
                let (requests, mut around) = self.parts(now);
                requests.predicted(request, prediction, withheld, &mut around);
            }
            Event::PlacesFound {
                request,
                lane,
                places,
            } => {
                let (requests, mut around) = self.parts(now);
                requests.places_found(request, lane, places, &mut around);
            }
            Event::LaneProgressed {
                request,
                lane,
                candidates,
            } => {
                let (requests, mut around) = self.parts(now);
                requests.lane_progressed(request, lane, candidates, &mut around);
            }
            Event::LaneReading { request, lane } => {
                let (requests, mut around) = self.parts(now);
                requests.lane_reads_on(request, lane, &mut around);
            }
            Event::LaneFailed {
                request,
                lane,
                failure,
                usage,
            } => {
                let (requests, mut around) = self.parts(now);
                requests.lane_failed(request, lane, failure, usage, &mut around);
            }
            Event::AheadEnded {
                call,
                outcome,
                usage,
            } => {
                let (requests, mut around) = self.parts(now);
                requests.ahead_ended(call, outcome, usage, &mut around);
            }
            Event::SuggestionShown { suggestion } => {
                let is_known = self.expect_known(suggestion);
                self.outbox.counts.shown += u64::from(is_known);
            }
            Event::SuggestionAccepted { suggestion, length } => {
                self.take_back_inference(suggestion);
                self.note_accepted(suggestion, length);
                self.try_fix(suggestion);
                // Some editors tell twice of what was taken whole.
                let is_news = self.expect_known(suggestion)
                    && (length.is_some() || self.requests.end_suggestion(suggestion));
                self.documents.finish_edits();
                if is_news {
                    self.outbox.counts.accepted += 1;
                    self.pace.judged(now, SuggestionVerdict::Accepted);
                }
            }
            Event::SuggestionRejected { suggestion } => self.reject_suggestion(now, suggestion),
            Event::SuggestionIgnored { suggestion } => {
                let is_known = self.expect_known(suggestion);
                let name = self.requests.latest_name(suggestion);
                let is_news = name.is_some_and(|name| !self.typed_over.has_counted(name));
                self.outbox.counts.passed_over += u64::from(is_known && is_news);
            }
            Event::EditRejected { document, edit } => {
                self.says_no(now);
                let text = self.documents.text(&document);
                let extent = text.map_or(RejectedExtent::Whole, |text| {
                    self.requests.refuse_edit(now, &document, text, &edit)
                });
                self.reject(&document, &edit, extent);
            }
            Event::RejectionForgotten { rejection } => {
                if !self.rejections.forget(rejection, &mut self.outbox) {
                    self.outbox.ignore(None, Reason::UnknownId);
                }
            }
            Event::RejectionsCleared => {
                self.rejections.clear(&mut self.outbox);
                self.typed_over.clear();
            }
            Event::RejectionsRestored { rejections } => {
                let text_of = |document: &DocumentId| self.documents.text(document);
                let room_of =
                    |document: &DocumentId| room(&self.settings, &self.documents, document);
                self.rejections
                    .restore(&rejections, text_of, room_of, &mut self.outbox);
            }
            Event::SettingsChanged { settings } => {
                let room_of = |document: &DocumentId| room(&settings, &self.documents, document);
                let capacity = settings.rejections.clone();
                self.rejections
                    .set_capacity(capacity, room_of, &mut self.outbox);
                for lane in LaneKind::ALL {
                    let now = settings.all_languages().map(|it| it.lanes.of(lane));
                    let before = self.settings.all_languages();
                    if now.ne(before.map(|it| it.lanes.of(lane))) {
                        self.lane_health.forgive(lane);
                        self.requests.forget_kept();
                    }
                }
                self.settings = settings;
            }
            Event::ShuttingDown => {
                self.is_ending = true;
                self.trigger.stop(Reason::ShuttingDown, &mut self.outbox);
                let (requests, mut around) = self.parts(now);
                requests.stop(Reason::ShuttingDown, &mut around);
            }
            Event::ClientConnected {
                rejections,
                asks_when_told,
            } => {
                self.typed_over.connect(rejections);
                self.requests.connect(asks_when_told);
            }
        }
    }

    /// Tells it that time has passed. Calling early or again does no harm.
    pub fn handle_timeout(&mut self, now: Moment) {
        let now = self.at_least(now);
        self.now = Some(now);
        loop {
            let (trigger, requests) = (self.trigger.next_timeout(), self.requests.next_timeout());
            let Some(due) = trigger.into_iter().chain(requests).min() else {
                return;
            };
            if due > now {
                return;
            }
            // One moment after the other, so that the order is that of the moments however late
            // this call comes.
            if trigger == Some(due) {
                // Settings may be others than when the cursor moved.
                let objection = |document: &DocumentId, at| {
                    let Some(open) = self.documents.get(document) else {
                        return Some(Reason::UnknownDocument);
                    };
                    let settings = self.settings.for_language(open.language.as_str());
                    let standing =
                        trigger::standing_objection(document, &open.text, &settings.trigger);
                    let is_asked = self.requests.is_asked(document, &open.text, at);
                    standing.or(is_asked.then_some(Reason::AlreadyAsked))
                };
                let version_of = |document: &DocumentId| self.documents.version(document);
                self.trigger
                    .handle_timeout(due, objection, version_of, &mut self.outbox);
            }
            if requests == Some(due) {
                let (requests, mut around) = self.parts(due);
                requests.handle_timeout(&mut around);
                self.start_queued(due);
            }
        }
    }

    /// Returns the next order or note, until there are none left.
    pub fn poll_action(&mut self) -> Option<Action> {
        self.outbox.take()
    }

    /// When it wants to be told the time again.
    pub fn poll_timeout(&self) -> Option<Moment> {
        let timeouts = [self.trigger.next_timeout(), self.requests.next_timeout()];
        timeouts.into_iter().flatten().min()
    }

    /// The rejection that an edit of a document matches: it must not be shown.
    pub fn is_rejected(&self, document: &DocumentId, edit: &Edit) -> Option<RejectionId> {
        let open = self.documents.get(document)?;
        match open.step {
            TextSync::InStep => self.rejections.find(document, &open.text, edit),
            TextSync::Lost => None,
        }
    }

    /// Whether the person has rejected something on the line of a place.
    pub fn is_rejected_on_line(&self, document: &DocumentId, at: ByteOffset) -> bool {
        let open = self.documents.get(document);
        let line = open.and_then(|open| open.text.line_at(at).ok());
        line.is_some_and(|line| {
            let mut awake = self.rejections.awake(document);
            awake.any(|edit| {
                edit.replacements()
                    .iter()
                    .any(|it| it.range().touches(line))
            })
        })
    }

    /// Whether a suggestion is one of the last that were answered, so that something can be said of it
    /// by its name.
    pub fn knows(&self, suggestion: SuggestionId) -> bool {
        self.requests.suggestion(suggestion).is_some()
    }

    /// Everything that is rejected, the first first.
    pub fn rejections(&self) -> Vec<StoredRejection> {
        self.rejections
            .list(|document| self.documents.text(document))
    }

    /// Returns the rejections of a document: those that are awake, and those that sleep.
    pub fn rejections_of(&self, document: &DocumentId) -> (Vec<RejectionId>, Vec<RejectionId>) {
        self.rejections.of(document)
    }

    /// Whether a rejection was inferred from offers that were typed over again and again.
    pub fn is_inferred(&self, rejection: RejectionId) -> bool {
        self.typed_over.has_inferred(rejection)
    }

    /// The open documents that are in step, the one looked at last first.
    pub fn open_documents(&self) -> Vec<&DocumentId> {
        let mut all = self.documents.by_look();
        let is_in_step = |id: &DocumentId| {
            let open = self.documents.get(id);
            open.is_some_and(|open| open.step == TextSync::InStep)
        };
        all.retain(|id| is_in_step(id));
        all
    }

    /// Returns the changes of a document that the person undid or rejected, the latest first.
    pub fn refused(&self, document: &DocumentId) -> Vec<RefusedChange> {
        let Some(open) = self.documents.get(document) else {
            return Vec::new();
        };
        let mut refused: Vec<RefusedChange> = open.history.taken_back().cloned().collect();
        for rejected in self.rejections.awake(document) {
            for replacement in rejected.replacements() {
                let old = open.text.read(replacement.range());
                refused.extend(old.ok().map(|old| RefusedChange {
                    old_text: old.into(),
                    new_text: replacement.new_text().into(),
                }));
            }
        }
        refused
    }

    /// The text of an open document.
    pub fn text(&self, document: &DocumentId) -> Option<&Text> {
        self.documents.text(document)
    }

    /// The language of an open document.
    pub fn language(&self, document: &DocumentId) -> Option<&Language> {
        self.documents.get(document).map(|open| &open.language)
    }

    /// Which text of an open document is held.
    pub fn version(&self, document: &DocumentId) -> Option<Version> {
        self.documents.version(document)
    }

    /// Whether the settings may be a repository's word, so that no model is asked.
    pub fn is_contested(&self) -> bool {
        self.is_contested
    }

    /// The diagnostics of an open document.
    pub fn diagnostics(&self, document: &DocumentId) -> &[Diagnostic] {
        let open = self.documents.get(document);
        open.map_or(&[], |open| &open.diagnostics)
    }

    /// The latest changes in a document, the latest first.
    pub fn recent_edits(&self, now: Moment, document: &DocumentId) -> Vec<RecentEdit> {
        let open = self.documents.get(document);
        open.map_or(Vec::new(), |open| open.history.recent(now, &open.text))
    }

    /// Since when a lane is being asked for a request, if it still is.
    pub fn asked_since(&self, request: RequestId, lane: LaneKind) -> Option<Moment> {
        self.requests.asked_since(request, lane)
    }

    /// Until when a lane is left alone because it failed, if it is.
    pub fn rests_until(&self, now: Moment, lane: LaneKind) -> Option<Moment> {
        self.lane_health.rests_until(now, lane)
    }

    /// How fast a lane's server is, as far as that is known.
    pub fn speed(&self, lane: LaneKind) -> Option<LaneSpeed> {
        self.lane_health.speeds.of(lane)
    }

    /// The gaps between the person's keys, to be kept until another day.
    pub fn typing_gaps(&self) -> TypingGaps {
        self.pace.to_keep()
    }

    /// Returns a lane's usage.
    pub fn used(&self, now: Moment, lane: LaneKind) -> LaneUsage {
        self.lane_health.used_up(now, lane)
    }

    /// Returns the counts since the beginning.
    pub fn counts(&self) -> MachineCounts {
        let (awake, asleep) = self.rejections.counts();
        MachineCounts {
            open_documents: self.documents.len(),
            rejections_awake: awake,
            rejections_asleep: asleep,
            ..self.outbox.counts.clone()
        }
    }

    /// Checks what every event keeps; for tests, after each of their steps.
    ///
    /// # Panics
    /// If the machine is broken.
    pub fn assert_invariants(&self) {
        assert!(self.documents.len() <= crate::documents::MOST_DOCUMENTS);
        let text_of = |document: &DocumentId| self.documents.text(document);
        self.rejections.assert_invariants(text_of);
        self.typed_over.assert_invariants(text_of);
        let is_open = |document: &DocumentId| self.documents.get(document).is_some();
        self.trigger.assert_invariants(is_open);
        self.gate.assert_invariants(is_open);
        self.requests
            .assert_invariants(|document| self.documents.text(document));
    }

    /// A moment, or the last if that is later.
    fn at_least(&self, now: Moment) -> Moment {
        self.now.map_or(now, |last| last.max(now))
    }

    /// The requests, and what they need of the rest.
    fn parts(&mut self, now: Moment) -> (&mut Requests, RequestContext<'_>) {
        let around = RequestContext {
            now,
            settings: &self.settings,
            is_ending: self.is_ending,
            is_contested: self.is_contested,
            has_predictor: self.has_predictor,
            documents: &self.documents,
            rejections: &self.rejections,
            gate: &mut self.gate,
            lane_health: &mut self.lane_health,
            pace: &mut self.pace,
            focus: &mut self.focus,
            fix_trials: &self.fix_trials,
            outbox: &mut self.outbox,
        };
        (&mut self.requests, around)
    }

    /// Starts what has waited for a server that has nothing else to do any more.
    fn start_queued(&mut self, now: Moment) {
        let (requests, mut around) = self.parts(now);
        requests.start_queued(&mut around);
    }

    fn select(
        &mut self,
        now: Moment,
        document: &DocumentId,
        version: Option<Version>,
        selections: &[ByteRange],
    ) {
        self.outbox.counts.selections += 1;
        if self.is_ending {
            let (document, reason) = (document.clone(), Reason::ShuttingDown);
            return self.outbox.note(Note::Quiet { document, reason });
        }
        let is_known = self.documents.get(document).is_some();
        let cursor = match selections {
            [selection] if selection.is_empty() => Some(selection.start()),
            _ => None,
        };
        self.requests.cursor_moved(document, cursor);
        if let Some(open) = self.documents.touch(document) {
            let to = cursor.map(|cursor| (&open.text, cursor));
            if std::mem::take(&mut open.is_changed) {
                self.pace.followed(document, cursor);
            } else {
                self.pace.moved(now, document, to);
            }
            if version.is_none_or(|it| it == open.version) {
                open.history.leave_lines(&open.text, selections);
                let is_finished = open.typing.see(cursor);
                open.cursor = cursor;
                if is_finished {
                    self.finish_typing(document);
                }
            }
        }
        if is_known {
            self.look_at(document);
        }
        let is_of_now = version.is_none_or(|it| self.documents.version(document) == Some(it));
        if let Some(at) = cursor.filter(|_| is_of_now) {
            let (requests, around) = self.parts(now);
            requests.saw_cursor(document, at, &around);
        }
        let open = self.documents.get(document);
        let language = open.map(|open| open.language.as_str());
        let settings = language.map_or(&*self.settings, |it| self.settings.for_language(it));
        let selected = SelectionChange {
            now,
            document,
            open,
            settings: &settings.trigger,
            version,
            selections,
        };
        let is_asked = |at| {
            let text = open.map(|open| &open.text);
            text.is_some_and(|text| self.requests.is_asked(document, text, at))
        };
        self.trigger.select(selected, is_asked, &mut self.outbox);
    }

    /// The person is seen in a document.
    fn look_at(&mut self, document: &DocumentId) {
        // Output that is looked at in passing is not where they work.
        let language = self.language(document).map(Language::as_str);
        let settings = self.settings.for_language(language.unwrap_or_default());
        if trigger::is_ignored(document, &settings.trigger) {
            return;
        }
        if let Some(left) = self.focus.seen_in(document) {
            self.requests.left(&left, &mut self.gate);
        }
    }

    fn request(&mut self, now: Moment, asked: &SuggestionRequest) {
        if self.documents.touch(&asked.document).is_some() {
            if let Some(left) = self.focus.asks_in(&asked.document) {
                self.requests.left(&left, &mut self.gate);
            }
        }
        self.want(&asked.document);
        let open = self.documents.get(&asked.document);
        let is_of_now = |open: &Document| asked.version.is_none_or(|it| it == open.version);
        let open = open.filter(|open| open.step == TextSync::InStep && is_of_now(open));
        if let Some(open) = open.filter(|_| asked.cause == RequestCause::Automatic) {
            self.trigger
                .asked(now, &asked.document, &open.text, asked.at);
        }
        let (requests, mut around) = self.parts(now);
        requests.ask(asked, &mut around);
    }

    /// Whether a suggestion is one of the last; if not, that is recorded.
    fn expect_known(&mut self, suggestion: SuggestionId) -> bool {
        let is_known = self.knows(suggestion);
        if !is_known {
            self.outbox.ignore(None, Reason::UnknownId);
        }
        is_known
    }

    fn reject_suggestion(&mut self, now: Moment, suggestion: SuggestionId) {
        // Whatever it was about, the person has said no.
        self.says_no(now);
        let known = self.requests.suggestion(suggestion).cloned();
        self.requests.refuse(now, suggestion);
        let Some(held) = known else {
            return self.outbox.ignore(None, Reason::UnknownId);
        };
        let extent = held.extent();
        match (held.left(), held.target()) {
            (Some(edit), _) => self.reject(&held.document, edit, extent),
            // They have left its way before this came, and may return to it.
            (None, Some(target)) => self.reject_lost(&held.document, target.clone(), extent),
            (None, None) => self.outbox.ignore(Some(&held.document), Reason::Overtaken),
        }
    }

    /// The person has taken a suggestion, also if the text looked as if it had been typed over,
    /// from which a rejection was inferred.
    fn take_back_inference(&mut self, suggestion: SuggestionId) {
        let Some(name) = self.requests.latest_name(suggestion) else {
            return;
        };
        let held = self.requests.suggestion(suggestion);
        let left = held.and_then(|held| {
            let text = self.documents.text(&held.document)?;
            Some((&held.document, text, held.left()?))
        });
        if let Some(rejection) = self.typed_over.accepted(name, left) {
            self.rejections.forget(rejection, &mut self.outbox);
        }
    }

    fn says_no(&mut self, now: Moment) {
        self.outbox.counts.rejected += 1;
        self.requests.stay_here(now);
        self.documents.finish_edits();
        self.trigger.reject(now, &mut self.outbox);
        self.pace.judged(now, SuggestionVerdict::Rejected);
    }

    fn reject_lost(&mut self, document: &DocumentId, target: Target, extent: RejectedExtent) {
        let Some(open) = self.documents.get(document) else {
            return self.outbox.ignore(Some(document), Reason::UnknownDocument);
        };
        let room = room(&self.settings, &self.documents, document);
        let (lost, outbox) = ((target, extent), &mut self.outbox);
        self.rejections
            .reject_lost(document, room, &open.text, lost, None, outbox);
    }

    fn reject(&mut self, document: &DocumentId, edit: &Edit, extent: RejectedExtent) {
        let Some(open) = self.documents.get(document) else {
            return self.outbox.ignore(Some(document), Reason::UnknownDocument);
        };
        if open.step == TextSync::Lost {
            return self.outbox.ignore(Some(document), Reason::OutOfStep);
        }
        let room = room(&self.settings, &self.documents, document);
        let kept = self
            .rejections
            .reject(document, room, &open.text, edit, &mut self.outbox);
        let trimmed = edit.trimmed(&open.text).unwrap_or_default();
        let is_beginning = extent == RejectedExtent::Beginning
            || self.requests.is_beginning(document, open, &trimmed);
        if is_beginning {
            self.rejections
                .mark_beginning(document, &open.text, &trimmed);
        }
        let nothing_new = match kept {
            RejectionOutcome::New => return,
            RejectionOutcome::Already => Reason::PreviouslyRejected,
            RejectionOutcome::NoEffect => Reason::NoEffect,
            RejectionOutcome::DoesNotFit => Reason::OutOfStep,
        };
        self.outbox.ignore(Some(document), nothing_new);
    }
}

/// How many rejections a document may have: languages may have settings of their own.
fn room(settings: &Settings, documents: &Documents, document: &DocumentId) -> usize {
    let language = documents.get(document).map(|open| open.language.as_str());
    let settings = language.map_or(settings, |language| settings.for_language(language));
    settings.rejections.per_document
}
