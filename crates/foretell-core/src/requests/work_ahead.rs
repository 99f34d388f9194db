//! Work ahead of time: what a model on the person's own machine does before it is asked.
//!
//! - *Warming*: the prompt of the place where the person is gets read, without an answer, so that the first
//!   question there is one about its end only. It is done when the person has come to a document and their
//!   cursor rests. Where the model is quick, it is done as well when the cursor has come to rest far from
//!   the last prompt soon after an edit, and when the person has rested for so long that the context is
//!   gathered anew. Where it is slow, what it has read of the last place is worth more than a guess at
//!   the next.
//! - *Looking ahead*: while a suggestion of FIM is shown, the model is asked about the text as it would be
//!   after accepting it, once. The answer is kept like any other (`kept_answers`), so that whether it may be
//!   shown is decided when somebody asks. A person who rejects the suggestion has it forgotten. Who has not
//!   come to any of the last texts that were looked at (of a slow model, to the last one) is left alone,
//!   until they come to what a suggestion leads to: by accepting it, or by typing it.
//!
//! There is at most one such call. It gives way to every question: it is not begun while a request waits or
//! a model is being asked, and it is stopped right before a model is. If it is the very question that
//! a request asks, it becomes that request's call instead. It is also stopped when it has become useless, and
//! when its document or its lane may not be asked any more.
//!
//! It passes what a question passes: what is excluded, contested or switched off is not told, a lane that
//! rests is left alone, and every call counts for the limits, of which the second half is kept for questions.
//! But a failure does not count for the lane, since nobody was waiting: it only ends all work ahead of time
//! until the model has answered a question.
//!
//! While a server loads its model, the prompt is tried again every few seconds. Once it was read, the editor is
//! told to ask where a question had no answer because of that, if the person is still there.
//!
//! Absent on purpose: lanes other than FIM, which are asked seldom and about what has just changed.

use std::collections::BTreeMap;

use foretell_settings::settings::LaneSettings;
use foretell_text::{
    ByteOffset, ByteRange, DocumentId, Edit, FailureKind, LaneCandidate, LaneKind,
    PositionEncoding, Replacement, Text, TokenUsage,
};

use super::carried::CarriedOffer;
use super::document_requests::{AnsweredPlace, RequestStage};
use super::late_calls::patience;
use super::{RequestContext, Requests, spot};
use crate::action::{AskCause, Order};
use crate::ahead_call::{AheadAnswer, AheadCallId, AheadOutcome, AheadQuestion, AheadWork};
use crate::documents::{Document, TextSync};
use crate::event::{RequestCause, RequestKind};
use crate::moment::Moment;
use crate::note::Note;
use crate::reason::Reason;
use crate::trigger;

/// How long the cursor rests in a document that the person has come to, in milliseconds.
const AFTER_COMING: u64 = 300;
/// How long it rests where it has gone within a document.
const AFTER_MOVING: u64 = 1_000;
/// How many lines that is away from the last prompt.
const FAR: u32 = 20;
/// How soon after an edit: those who only read are left alone.
const LATELY: u64 = 60_000;
/// How long the person has rested when the context is gathered anew. Lanes take that for ten seconds.
const AFTER_RESTING: u64 = 10_000;
/// How long a suggestion is shown before it is looked beyond: while somebody types, most are gone sooner.
const AFTER_SHOWING: u64 = 200;
/// How many suggestions in a row are looked beyond that the person does not take, where the model is quick.
const MOST_IN_VAIN: u32 = 3;
/// How long a server is left alone that loads its model, and how often it is tried again.
const WHILE_LOADING: u64 = 5_000;
const MOST_TRIES: u32 = 24;

/// What is done ahead of time, and what is to be.
#[derive(Debug, Default)]
pub(super) struct AheadPlan {
    /// How many calls were made.
    made: u64,
    running: Option<AheadCall>,
    /// Where cursors were seen last, by document.
    cursors: BTreeMap<DocumentId, AnsweredPlace>,
    /// The document that the person has come to.
    here: Option<DocumentId>,
    /// When a prompt is to be read.
    warm: Option<DueWarming>,
    /// The place of the prompt that was read last.
    read: Option<(DocumentId, AnsweredPlace)>,
    /// The edit after which the person was last expected to rest.
    rest_after: Option<Moment>,
    shown: Option<ShownSuggestion>,
    /// How many suggestions were looked beyond since the person last came to the text that one leads to.
    in_vain: u32,
    /// Whether a call has failed, and no model has answered since.
    has_failed: bool,
    /// How often a server was tried that loads its model.
    tries: u32,
    /// Where a question had no answer because of that.
    unanswered: Option<(DocumentId, AnsweredPlace)>,
    /// Whether settings have changed since the call that runs was made.
    is_outdated: bool,
}

/// A call ahead of time that runs.
#[derive(Debug)]
struct AheadCall {
    call: AheadCallId,
    work: AheadWork,
    document: DocumentId,
    /// The text that it is about, and the place in it.
    place: AnsweredPlace,
    started: Moment,
    deadline: Moment,
    /// How many changes there were of any document.
    changes: u64,
}

/// A call ahead of time that somebody asks in earnest now.
#[derive(Clone, Copy, Debug)]
pub(super) struct TakenCall {
    pub(super) call: AheadCallId,
    /// When it began.
    pub(super) started: Moment,
}

/// A prompt that is to be read.
#[derive(Clone, Copy, Debug)]
struct DueWarming {
    at: Moment,
    cause: WarmCause,
    /// Whether its moment has passed, and it waits for a question to end or a cursor to be known.
    is_held: bool,
}

/// Why a prompt is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WarmCause {
    Coming,
    Moving,
    Resting,
}

/// A suggestion that is shown, as far as it is looked beyond.
#[derive(Debug)]
struct ShownSuggestion {
    document: DocumentId,
    /// The text that it is shown in, and what it does there.
    before: Text,
    edit: Edit,
    /// The text after accepting it, and where the cursor is then.
    after: AnsweredPlace,
    /// Whether what follows it is known because it was asked ahead of time.
    is_answered: bool,
    /// When it is looked beyond; nothing, once it was.
    due: Option<Moment>,
    /// Whether that moment has passed, and a question has to end first.
    is_held: bool,
}

impl DueWarming {
    fn new(at: Moment, cause: WarmCause) -> Self {
        DueWarming {
            at,
            cause,
            is_held: false,
        }
    }
}

impl AheadPlan {
    /// When something is due next.
    pub(super) fn next_timeout(&self) -> Option<Moment> {
        let running = self.running.as_ref().map(|call| call.deadline);
        let warm = self.warm.filter(|warm| !warm.is_held).map(|warm| warm.at);
        let shown = self.shown.as_ref().filter(|shown| !shown.is_held);
        let shown = shown.and_then(|shown| shown.due);
        running.into_iter().chain(warm).chain(shown).min()
    }

    /// A model has answered a question: the server is well.
    pub(super) fn trust(&mut self, lane: LaneKind) {
        if lane == LaneKind::Fim {
            (self.has_failed, self.tries) = (false, 0);
            self.unanswered = None;
        }
    }

    /// Settings have changed, so that the call that runs may be to another server than is named now.
    pub(super) fn outdate(&mut self) {
        self.is_outdated = true;
        (self.has_failed, self.tries) = (false, 0);
    }

    /// The document is closed, or its text is lost.
    pub(super) fn lose(&mut self, document: &DocumentId) {
        self.cursors.remove(document);
        if self.here.as_ref() == Some(document) {
            (self.here, self.warm) = (None, None);
        }
        if self
            .shown
            .as_ref()
            .is_some_and(|it| it.document == *document)
        {
            self.shown = None;
        }
        self.read.take_if(|(it, _)| it == document);
        self.unanswered.take_if(|(it, _)| it == document);
    }

    /// Checks what every event keeps.
    pub(super) fn assert_invariants(&self, is_open: impl Fn(&DocumentId) -> bool) {
        assert!(self.cursors.keys().all(&is_open), "cursors of what is open");
        let running = self.running.iter().map(|call| &call.document);
        let shown = self.shown.iter().map(|shown| &shown.document);
        let read = self.read.iter().chain(&self.unanswered);
        let read = read.map(|(document, _)| document);
        let mut all = running.chain(shown).chain(read);
        assert!(all.all(is_open), "nothing is asked ahead of what is closed");
    }
}

impl Requests {
    /// Takes note of where the cursor is.
    pub(crate) fn saw_cursor(
        &mut self,
        document: &DocumentId,
        at: ByteOffset,
        around: &RequestContext<'_>,
    ) {
        let now = around.now;
        let Some(open) = around.documents.get(document) else {
            return;
        };
        let is_lost = open.step == TextSync::Lost || open.text.check(at).is_err();
        if is_lost || !may_work_ahead(open, around) {
            return;
        }
        let text = open.text.clone();
        let place = AnsweredPlace { at, text };
        let known = self.ahead.cursors.get(document);
        if known.is_some_and(|known| known.at == at && known.text == place.text) {
            return;
        }
        let is_far = self.ahead.read.as_ref().is_none_or(|(read_in, read)| {
            read_in != document || line_of(&place).abs_diff(line_of(read)) >= FAR
        });
        let was_edited = open.typed.is_some_and(|typed| now.since(typed) <= LATELY);
        self.ahead.cursors.insert(document.clone(), place);
        if self.ahead.here.as_ref() != Some(document) {
            // It is dealt with when it is known that the person is there.
            return;
        }
        match &mut self.ahead.warm {
            Some(warm) if warm.cause != WarmCause::Resting => {
                let wait = match warm.cause {
                    WarmCause::Moving => AFTER_MOVING,
                    WarmCause::Coming | WarmCause::Resting => AFTER_COMING,
                };
                *warm = DueWarming::new(now.after(wait), warm.cause);
            }
            warm if is_far && was_edited => {
                let due = now.after(AFTER_MOVING);
                *warm = Some(DueWarming::new(due, WarmCause::Moving));
            }
            _ => {}
        }
    }

    /// Begins and ends what is done ahead of time, after something has happened.
    pub(crate) fn work_ahead(&mut self, around: &mut RequestContext<'_>) {
        if around.is_ending {
            self.stop_ahead(Reason::ShuttingDown, around);
            (self.ahead.warm, self.ahead.shown) = (None, None);
            return;
        }
        self.notice_here(around);
        self.notice_shown(around);
        self.end_useless_call(around);
        let now = around.now;
        let is_due = |due: Moment| due <= now;
        let shown = self.ahead.shown.as_ref().and_then(|shown| shown.due);
        let warm = self.ahead.warm.map(|warm| warm.at);
        let is_any_due = shown.is_some_and(is_due) || warm.is_some_and(is_due);
        if !is_any_due {
            return;
        }
        if self.ahead.running.is_none() && !self.is_busy(around) {
            if shown.is_some_and(is_due) {
                self.look_ahead(around);
            }
            if self.ahead.running.is_none() && warm.is_some_and(is_due) {
                self.warm_up(around);
            }
        }
        // The rest waits for the next event: there is no moment at which it will be possible.
        if let Some(warm) = self.ahead.warm.as_mut().filter(|warm| warm.at <= now) {
            warm.is_held = true;
        }
        if let Some(shown) = &mut self.ahead.shown {
            shown.is_held = shown.due.is_some_and(is_due);
        }
    }

    /// Takes note of the document that the person is in, and of how long they have rested.
    fn notice_here(&mut self, around: &RequestContext<'_>) {
        let here = around.focus.here();
        if self.ahead.here.as_ref() != here {
            self.ahead.here = here.cloned();
            (self.ahead.warm, self.ahead.rest_after) = (None, None);
            if let Some(open) = here.and_then(|here| around.documents.get(here)) {
                self.ahead.rest_after = open.typed;
                let read = self.ahead.read.as_ref();
                // They may have come there by asking.
                let is_read =
                    read.is_some_and(|(it, place)| here == Some(it) && place.text == open.text);
                if may_work_ahead(open, around) && !is_read {
                    let due = around.now.after(AFTER_COMING);
                    self.ahead.warm = Some(DueWarming::new(due, WarmCause::Coming));
                }
            }
        }
        let Some(open) = here.and_then(|here| around.documents.get(here)) else {
            return;
        };
        let is_news = open.typed.is_some() && self.ahead.rest_after != open.typed;
        if is_news && may_work_ahead(open, around) {
            self.ahead.rest_after = open.typed;
            let is_coming = |warm: &DueWarming| warm.cause == WarmCause::Coming;
            if around.lane_health.is_quick(LaneKind::Fim)
                && !self.ahead.warm.as_ref().is_some_and(is_coming)
            {
                let due = around.now.after(AFTER_RESTING);
                self.ahead.warm = Some(DueWarming::new(due, WarmCause::Resting));
            }
        }
    }

    /// Takes note of the suggestion that is shown where the person is.
    fn notice_shown(&mut self, around: &RequestContext<'_>) {
        let Some((document, before, edit)) = self.shown_here(around) else {
            // Once it is accepted, what follows it is about the text as it is.
            let is_reached = self.ahead.shown.as_ref().is_some_and(|shown| {
                around.documents.text(&shown.document) == Some(&shown.after.text)
            });
            if is_reached {
                self.ahead.in_vain = 0;
            } else {
                self.ahead.shown = None;
            }
            return;
        };
        // Most events leave it as it is, and its text after accepting it need not be made again.
        let is_same = |known: &ShownSuggestion| {
            known.document == document && known.before == before && known.edit == edit
        };
        if self.ahead.shown.as_ref().is_some_and(is_same) {
            return;
        }
        let Some(after) = place_after(&before, &edit) else {
            self.ahead.shown = None;
            return;
        };
        let known = self.ahead.shown.as_mut();
        if let Some(known) =
            known.filter(|known| known.document == document && known.after == after)
        {
            (known.before, known.edit) = (before, edit);
            return;
        }
        let most_in_vain = if around.lane_health.is_quick(LaneKind::Fim) {
            MOST_IN_VAIN
        } else {
            1
        };
        let is_needless = self.ahead.in_vain >= most_in_vain
            || self.kept.find(&document, &after.text, after.at).is_some();
        self.ahead.shown = Some(ShownSuggestion {
            document,
            before,
            edit,
            after,
            is_answered: false,
            due: (!is_needless).then(|| around.now.after(AFTER_SHOWING)),
            is_held: false,
        });
    }

    /// What FIM suggests where the person is, and the text that is in, if it may be looked beyond.
    fn shown_here(&self, around: &RequestContext<'_>) -> Option<(DocumentId, Text, Edit)> {
        let here = around.focus.here()?;
        let open = around.documents.get(here)?;
        let is_long = open.text.line_count() > around.settings_of(open).trigger.max_lines;
        if open.step == TextSync::Lost || is_long || !may_work_ahead(open, around) {
            return None;
        }
        let edit = self.shown_in(here)?.clone();
        Some((here.clone(), open.text.clone(), edit))
    }

    /// What is left of the suggestion of FIM's model that is drawn at the cursor of a document. What was said at
    /// once is not looked beyond: the model is asked about the place itself first.
    fn shown_in(&self, document: &DocumentId) -> Option<&Edit> {
        let carried = self
            .by_document
            .get(document)?
            .carried(RequestKind::Inline)?;
        let is_of_model = |it: &&CarriedOffer| it.lane == LaneKind::Fim && !it.is_prediction();
        let drawn = carried.drawn().filter(is_of_model)?;
        let left = drawn.left().filter(|_| drawn.document == *document)?;
        (!left.is_nothing()).then_some(left)
    }

    /// Whether somebody waits for an answer, or a model is being asked.
    fn is_busy(&self, around: &RequestContext<'_>) -> bool {
        let tells_others = |(_, lane): &(_, LaneKind), document: &DocumentId| {
            let open = around.documents.get(document);
            open.is_some_and(|open| around.settings_of(open).lanes.of(*lane).tells_others())
        };
        let mut running = self.running.iter();
        !self.pending.is_empty() || running.any(|(call, document)| tells_others(call, document))
    }

    /// Why a document may not be asked about ahead of time, if it may not.
    fn ahead_objection(
        &self,
        document: &DocumentId,
        around: &RequestContext<'_>,
    ) -> Option<Reason> {
        let Some(open) = around.documents.get(document) else {
            return Some(Reason::UnknownDocument);
        };
        let triggers = &around.settings_of(open).trigger;
        if around.is_ending {
            Some(Reason::ShuttingDown)
        } else if open.is_paused {
            Some(Reason::Paused)
        } else if !may_work_ahead(open, around) {
            Some(Reason::Disabled)
        } else if open.step == TextSync::Lost {
            Some(Reason::OutOfStep)
        } else if around.is_contested {
            Some(Reason::ContestedSettings)
        } else if open.is_excluded {
            Some(Reason::ExcludedDocument)
        } else if trigger::is_ignored(document, triggers) {
            Some(Reason::IgnoredDocument)
        } else {
            (open.text.line_count() > triggers.max_lines).then_some(Reason::TooManyLines)
        }
    }

    /// Stops the call that runs if it has had its time, is of no use any more, or must not be.
    fn end_useless_call(&mut self, around: &mut RequestContext<'_>) {
        let is_outdated = std::mem::take(&mut self.ahead.is_outdated);
        let Some(call) = &self.ahead.running else {
            return;
        };
        let text = around.documents.text(&call.document);
        let is_useful = match call.work {
            AheadWork::Warm => around.focus.here() == Some(&call.document),
            AheadWork::LookAhead => {
                let shown = self.ahead.shown.as_ref();
                text == Some(&call.place.text) || shown.is_some_and(|it| it.after == call.place)
            }
        };
        let reason = if let Some(reason) = self.ahead_objection(&call.document, around) {
            reason
        } else if is_outdated {
            Reason::Disabled
        } else if call.deadline <= around.now {
            self.ahead.has_failed = true;
            Reason::TimedOut
        } else if !is_useful {
            Reason::Overtaken
        } else {
            return;
        };
        self.stop_ahead(reason, around);
    }

    /// Stops the call that runs, if one does.
    fn stop_ahead(&mut self, reason: Reason, around: &mut RequestContext<'_>) {
        if let Some(AheadCall { call, .. }) = self.ahead.running.take() {
            around.outbox.put(Order::StopAhead { call, reason });
        }
    }

    /// Makes way for a model that is asked now. If it is what is being asked already, that call is taken
    /// over: it is named.
    pub(super) fn make_way_ahead(
        &mut self,
        document: &DocumentId,
        lane: LaneKind,
        cause: RequestCause,
        place: &AnsweredPlace,
        around: &mut RequestContext<'_>,
    ) -> Option<TakenCall> {
        let settings = around.documents.get(document);
        let settings = settings.map(|open| around.settings_of(open).lanes.of(lane));
        if !settings.is_some_and(LaneSettings::tells_others) {
            return None;
        }
        if lane == LaneKind::Fim {
            self.ahead.read = Some((document.clone(), place.clone()));
            let is_resting = |warm: &DueWarming| warm.cause == WarmCause::Resting;
            self.ahead.warm = self.ahead.warm.filter(is_resting);
        }
        let is_another_model = cause == RequestCause::Explicit
            && settings.is_some_and(LaneSettings::has_explicit_model);
        let is_it = |call: &AheadCall| {
            lane == LaneKind::Fim
                && call.work == AheadWork::LookAhead
                && call.document == *document
                && call.place == *place
                && !is_another_model
        };
        let running = self.ahead.running.take_if(|call| is_it(call));
        if running.is_none() {
            self.stop_ahead(Reason::Superseded, around);
        }
        around.outbox.counts.ahead_taken += u64::from(running.is_some());
        running.map(|AheadCall { call, started, .. }| TakenCall { call, started })
    }

    /// Reads the prompt of the place where the person is.
    fn warm_up(&mut self, around: &mut RequestContext<'_>) {
        let Some(warm) = self.ahead.warm else {
            return;
        };
        let is_slow =
            warm.cause != WarmCause::Coming && !around.lane_health.is_quick(LaneKind::Fim);
        let here = around.focus.here();
        let Some((here, open)) = here.and_then(|it| Some((it, around.documents.get(it)?))) else {
            return;
        };
        let here = here.clone();
        let asked = self.by_document.get(&here);
        let asked = asked.and_then(|of_document| of_document.cursor.as_ref());
        let mut seen = self.ahead.cursors.get(&here).into_iter().chain(asked);
        let place = seen.rfind(|place| place.text == open.text).cloned();
        let Some(place) = place else {
            // It waits until the editor says where the cursor is.
            return;
        };
        self.ahead.warm = None;
        if !is_slow {
            self.ask_ahead(&here, place, None, around);
        }
    }

    /// Asks what follows the suggestion that is shown.
    fn look_ahead(&mut self, around: &mut RequestContext<'_>) {
        let Some(shown) = &mut self.ahead.shown else {
            return;
        };
        shown.due = None;
        let (document, after) = (shown.document.clone(), shown.after.clone());
        // It is not needed once the text is that: then it is asked about in earnest.
        if let Some(edit) = self.shown_in(&document).cloned() {
            self.ahead.in_vain = self.ahead.in_vain.saturating_add(1);
            self.ask_ahead(&document, after, Some(edit), around);
        }
    }

    fn ask_ahead(
        &mut self,
        document: &DocumentId,
        place: AnsweredPlace,
        accepted: Option<Edit>,
        around: &mut RequestContext<'_>,
    ) {
        let lane = LaneKind::Fim;
        let Some(open) = around.documents.get(document) else {
            return;
        };
        let settings = around.settings_of(open);
        let of_lane = settings.lanes.of(lane);
        let is_refused = self.ahead.has_failed
            || self.ahead_objection(document, around).is_some()
            || around
                .lane_health
                .objection(around.now, lane, &with_half_the_limits(of_lane))
                .is_some();
        if is_refused {
            return;
        }
        self.ahead.made += 1;
        let call = AheadCallId::new(self.ahead.made);
        let start = match accepted.as_ref().and_then(Edit::span) {
            Some(span) => span.start(),
            None => place.at,
        };
        let question = AheadQuestion {
            call,
            lane,
            spot: spot(document, open, start),
            at: place.at,
            accepted,
            has_context: settings.context.enabled
                && open.text.line_count() <= settings.trigger.max_lines,
        };
        let work = question.work();
        if work == AheadWork::Warm {
            self.ahead.read = Some((document.clone(), place.clone()));
        }
        self.ahead.running = Some(AheadCall {
            call,
            work,
            document: document.clone(),
            place,
            started: around.now,
            deadline: around.now.after(patience(of_lane, 0)),
            changes: around.documents.changes(),
        });
        around.lane_health.called(around.now, lane);
        around.outbox.put(Order::AskAhead(question));
    }

    /// A call ahead of time has ended.
    pub(crate) fn ahead_ended(
        &mut self,
        call: AheadCallId,
        outcome: AheadOutcome,
        usage: TokenUsage,
        around: &mut RequestContext<'_>,
    ) {
        // It is paid for, also if it was stopped meanwhile.
        around.lane_health.used(around.now, LaneKind::Fim, usage);
        let ended = self.ahead.running.take_if(|it| it.call == call);
        let Some(ended) = ended else {
            return around.outbox.ignore(None, Reason::UnknownId);
        };
        match outcome {
            AheadOutcome::Answered(answer) => {
                self.ahead.tries = 0;
                if ended.work == AheadWork::Warm {
                    self.ask_again(around);
                }
                if let Some(answer) = answer.filter(|_| ended.work == AheadWork::LookAhead) {
                    self.keep_ahead(&ended, &answer, around);
                }
            }
            AheadOutcome::Failed(failure) if failure.kind == FailureKind::Loading => {
                if ended.work == AheadWork::Warm {
                    self.try_again(&ended.document, around);
                }
            }
            AheadOutcome::Failed(failure) if failure.kind == FailureKind::Untold => {}
            AheadOutcome::Failed(_) => self.ahead.has_failed = true,
        }
    }

    /// A question had no answer because the server loads its model.
    pub(super) fn wait_for_model(
        &mut self,
        document: &DocumentId,
        place: AnsweredPlace,
        around: &RequestContext<'_>,
    ) {
        let open = around.documents.get(document);
        if open.is_some_and(|open| may_work_ahead(open, around)) {
            self.ahead.unanswered = Some((document.clone(), place));
            self.try_again(document, around);
        }
    }

    /// Tries later on to have a prompt read by a server that loads its model.
    fn try_again(&mut self, document: &DocumentId, around: &RequestContext<'_>) {
        self.ahead.tries += 1;
        let is_here = around.focus.here() == Some(document);
        if is_here && self.ahead.tries < MOST_TRIES {
            let due = around.now.after(WHILE_LOADING);
            self.ahead.warm = Some(DueWarming::new(due, WarmCause::Coming));
        }
    }

    /// Tells the editor to ask where a question had no answer because the server had no model yet, if the person
    /// is still there.
    fn ask_again(&mut self, around: &mut RequestContext<'_>) {
        let Some((document, place)) = self.ahead.unanswered.take() else {
            return;
        };
        let open = around.documents.get(&document);
        let of_document = self.by_document.get(&document);
        let Some((open, of_document)) = open.zip(of_document) else {
            return;
        };
        let is_there = of_document.cursor.as_ref() == Some(&place) && place.text == open.text;
        if is_there && of_document.pending(RequestKind::Inline).is_none() {
            let spot = spot(&document, open, place.at);
            let cause = AskCause::Late;
            around.outbox.put(Order::AskEditor { spot, cause });
        }
    }

    /// Keeps what follows a suggestion, and answers the request that waits for it.
    fn keep_ahead(
        &mut self,
        ended: &AheadCall,
        answer: &AheadAnswer,
        around: &mut RequestContext<'_>,
    ) {
        let AheadCall {
            document, place, ..
        } = ended;
        let end = ByteOffset::new(place.at.get().saturating_add(answer.covered));
        let Ok(range) = ByteRange::new(place.at, end) else {
            return;
        };
        let candidate = LaneCandidate::new(
            document.clone(),
            Edit::from(Replacement::new(range, &*answer.new_text)),
        );
        // It may use a name that another document no longer has.
        let is_outdated = around.documents.has_other_changed(document, ended.changes);
        if is_outdated || candidate.edit.apply(&place.text).is_err() {
            return;
        }
        self.kept.keep(&candidate, &place.text, place.at);
        let shown = self.ahead.shown.as_mut();
        if let Some(shown) = shown.filter(|shown| shown.after == *place) {
            shown.is_answered = true;
        }
        let kind = RequestKind::Inline;
        let pending = self
            .by_document
            .get(document)
            .and_then(|it| it.pending(kind));
        let is_waiting = pending.is_some_and(|pending| {
            matches!(pending.stage, RequestStage::Waiting { .. })
                && pending.cause == RequestCause::Automatic
                && pending.place == *place
        });
        if is_waiting && self.recall(document, kind, around) {
            self.start(document, kind, around);
            self.rearm(document);
        }
    }

    /// Says that a request is answered with what was asked ahead of time, if it is.
    pub(super) fn note_ahead(
        &self,
        document: &DocumentId,
        place: &AnsweredPlace,
        around: &mut RequestContext<'_>,
    ) {
        let shown = self.ahead.shown.as_ref();
        let is_it = shown
            .is_some_and(|it| it.is_answered && it.document == *document && it.after == *place);
        let pending = self.by_document.get(document);
        let pending = pending.and_then(|it| it.pending(RequestKind::Inline));
        if let Some(pending) = pending.filter(|_| is_it) {
            around.outbox.counts.ahead_taken += 1;
            around.outbox.note(Note::AskedAhead {
                request: pending.request,
                lane: LaneKind::Fim,
            });
        }
    }

    /// The person has rejected something in a document: what would follow it is not wanted either.
    pub(super) fn forget_ahead(&mut self, document: &DocumentId) {
        let shown = self
            .ahead
            .shown
            .take_if(|shown| shown.document == *document);
        if let Some(ShownSuggestion { after, .. }) = shown {
            self.kept.forget_place(document, &after.text, after.at);
        }
    }
}

/// Whether the lane of a document works ahead of time at all, whatever it could be asked now.
fn may_work_ahead(open: &Document, around: &RequestContext<'_>) -> bool {
    let lane = around.settings_of(open).lanes.of(LaneKind::Fim);
    lane.enabled && lane.works_ahead()
}

/// Half of each limit is for questions.
fn with_half_the_limits(lane: &LaneSettings) -> LaneSettings {
    let half = |limit: Option<u64>| limit.map(|limit| limit / 2);
    LaneSettings {
        requests_per_minute: half(lane.requests_per_minute),
        requests_per_day: half(lane.requests_per_day),
        tokens_per_day: half(lane.tokens_per_day),
        ..lane.clone()
    }
}

/// The text after an edit of one place, and the place behind what that writes.
fn place_after(before: &Text, edit: &Edit) -> Option<AnsweredPlace> {
    let [replacement] = edit.replacements() else {
        return None;
    };
    let end = replacement.range().start().get() + replacement.new_text().len();
    Some(AnsweredPlace {
        at: ByteOffset::new(end),
        text: edit.apply(before).ok()?,
    })
}

fn line_of(place: &AnsweredPlace) -> u32 {
    let text: &Text = &place.text;
    let position = text.position_of(place.at, PositionEncoding::Utf8);
    position.map_or(0, |position| position.line)
}
