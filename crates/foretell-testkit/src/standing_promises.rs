//! What a machine keeps in every session, whoever drives it, as the simplest model has it.
//!
//! - A server on this machine is asked one thing at a time.
//! - What was said at once and rejected is no beginning of what is shown, and what is said at once is no beginning
//!   of what was rejected, for as long as the text is the same.
//!
//! It hears every event before the machine does, and every action. Where it cannot be sure what the machine
//! knows by then, as after a change of settings, it forgets what it knew.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use foretell_core::{
    Action, Answer, Core, Event, LaneCandidate, Note, Offer, OfferedFrom, Order, RejectionId,
    RequestId, Spot, SuggestionId,
};
use foretell_settings::{ServerUrl, Settings};
use foretell_text::{ByteRange, DocumentId, Edit, LaneKind, Text};

use crate::string_model;

/// How much is kept in mind of what was said at once, and of what was rejected.
const KEPT: usize = 16;

/// Holds a machine to its promises.
pub struct StandingPromises {
    settings: Arc<Settings>,
    /// The calls that run, and the server on this machine that each is for.
    calls: BTreeMap<(RequestId, LaneKind), Option<ServerUrl>>,
    /// What was said at once, by every name that it was answered by.
    said: VecDeque<SaidAtOnce>,
    /// What was said at once of what is being rejected: the texts that it would have made.
    rejecting: Vec<Text>,
    rejected: VecDeque<RejectedResult>,
}

/// A suggestion that was said at once.
struct SaidAtOnce {
    name: SuggestionId,
    document: DocumentId,
    /// The text after accepting it.
    after: Text,
    /// Whether it is what the machine has answered last, as far as that is certain.
    is_latest: bool,
}

/// The result of a rejected edit of a text that has not changed since.
struct RejectedResult {
    rejection: RejectionId,
    document: DocumentId,
    after: Text,
    /// Where it writes, in the result.
    written: Option<ByteRange>,
    was_said_at_once: bool,
}

impl StandingPromises {
    /// The promises of a machine that was made with these settings.
    pub fn new(settings: Arc<Settings>) -> Self {
        StandingPromises {
            settings,
            calls: BTreeMap::new(),
            said: VecDeque::new(),
            rejecting: Vec::new(),
            rejected: VecDeque::new(),
        }
    }

    /// Takes note of what the machine is told next.
    pub fn told(&mut self, event: &Event) {
        self.rejecting.clear();
        match event {
            Event::SettingsChanged { settings } => {
                self.settings = Arc::clone(settings);
                self.calls.values_mut().for_each(|server| *server = None);
            }
            Event::LaneAnswered { request, lane, .. } => {
                self.calls.remove(&(*request, *lane));
                // It may take the place of what was said at once.
                self.outdate();
            }
            Event::LaneFailed { request, lane, .. } => {
                self.calls.remove(&(*request, *lane));
            }
            Event::LaneProgressed { .. } | Event::SuggestionAccepted { .. } => self.outdate(),
            Event::SuggestionRejected { suggestion } => {
                let said = self.said.iter().filter(|said| said.name == *suggestion);
                self.rejecting = said.map(|said| said.after.clone()).collect();
            }
            Event::EditRejected { document, .. } => {
                let here = self.said.iter().filter(|said| said.document == *document);
                let latest = here.filter(|said| said.is_latest);
                self.rejecting = latest.map(|said| said.after.clone()).collect();
            }
            Event::DocumentOpened { document, .. }
            | Event::DocumentReplaced { document, .. }
            | Event::DocumentLost { document }
            | Event::DocumentClosed { document } => {
                self.said.retain(|said| said.document != *document);
                self.rejected.retain(|it| it.document != *document);
            }
            Event::DocumentChanged { document, .. } => {
                self.outdate();
                self.rejected.retain(|it| it.document != *document);
            }
            _ => {}
        }
    }

    /// Takes note of what it does.
    pub fn heard(&mut self, action: &Action, core: &Core) {
        match action {
            Action::Order(order) => self.ordered(order, core),
            Action::Note(note) => self.noted(note, core),
        }
    }

    fn ordered(&mut self, order: &Order, core: &Core) {
        match order {
            Order::StartLane {
                request,
                lane,
                spot,
                ..
            } => {
                let server = self.server_of(*lane, spot, core);
                self.assert_free(server.as_ref(), *lane);
                self.calls.insert((*request, *lane), server);
            }
            Order::AskAhead(question) => {
                let server = self.server_of(question.lane, &question.spot, core);
                self.assert_free(server.as_ref(), question.lane);
            }
            Order::CancelLane { request, lane, .. } => {
                self.calls.remove(&(*request, *lane));
            }
            Order::Answer {
                request,
                answer: Answer::Candidates(offers),
                ..
            } => {
                for (candidate, offer) in offers.iter().enumerate() {
                    let request = *request;
                    self.offered(SuggestionId { request, candidate }, offer, core);
                }
            }
            Order::Release { document, .. } => {
                self.said.retain(|said| said.document != *document);
                self.rejected.retain(|it| it.document != *document);
            }
            _ => {}
        }
    }

    fn noted(&mut self, note: &Note, core: &Core) {
        match note {
            Note::Late { .. } => self.outdate(),
            Note::Remembered {
                rejection,
                document,
                edit,
            } => {
                let Some(Ok(after)) = core.text(document).map(|text| edit.apply(text)) else {
                    return;
                };
                let rejected = RejectedResult {
                    rejection: *rejection,
                    document: document.clone(),
                    was_said_at_once: self.rejecting.contains(&after),
                    after,
                    written: written_by(edit),
                };
                keep(&mut self.rejected, rejected);
            }
            Note::Forgotten { rejection, .. } | Note::Asleep { rejection, .. } => {
                self.rejected.retain(|it| it.rejection != *rejection);
            }
            _ => {}
        }
    }

    /// Checks a suggestion that is shown, and takes note of it if it was said at once.
    fn offered(&mut self, name: SuggestionId, offer: &Offer, core: &Core) {
        let LaneCandidate { document, edit, .. } = &offer.candidate;
        let Some(Ok(after)) = core.text(document).map(|text| edit.apply(text)) else {
            return;
        };
        let is_at_once = offer.from == OfferedFrom::AtOnce;
        for rejected in self.rejected.iter().filter(|it| it.document == *document) {
            let rejection = rejected.rejection;
            let goes_on = rejected.was_said_at_once && rejected.begins(edit, &after);
            assert!(!goes_on, "{edit:?} goes on with {rejection:?}");
            let is_begun = is_at_once && rejected.is_begun_by(edit, &after);
            assert!(!is_begun, "{edit:?} begins {rejection:?}");
        }
        // What is carried may be what was said at once, or the rest of it.
        let is_carried = offer.from == OfferedFrom::Carried && offer.lane == LaneKind::Fim;
        let mut said = self.said.iter();
        let was_said = said.any(|said| said.document == *document && said.after == after);
        if is_at_once || is_carried && was_said {
            let said = SaidAtOnce {
                name,
                document: document.clone(),
                after,
                is_latest: name.candidate == 0,
            };
            keep(&mut self.said, said);
        } else {
            self.outdate();
        }
    }

    /// Nothing is certain any more of what was answered last.
    fn outdate(&mut self) {
        for said in &mut self.said {
            said.is_latest = false;
        }
    }

    /// The server on this machine that a lane asks about a document.
    fn server_of(&self, lane: LaneKind, spot: &Spot, core: &Core) -> Option<ServerUrl> {
        let language = core.language(&spot.document)?;
        let settings = self.settings.for_language(language.as_str());
        let lane = settings.lanes.of(lane);
        lane.url.clone().filter(|_| lane.is_on_this_machine())
    }

    fn assert_free(&self, server: Option<&ServerUrl>, lane: LaneKind) {
        let Some(server) = server else {
            return;
        };
        let mut calls = self.calls.iter();
        let busy = calls.find(|(_, theirs)| theirs.as_ref() == Some(server));
        assert!(
            busy.is_none(),
            "{lane} is asked of a server beside {busy:?}"
        );
    }
}

impl RejectedResult {
    /// Whether another edit of the same text writes this and then more, given its result.
    fn begins(&self, edit: &Edit, after: &Text) -> bool {
        let written = self.written.zip(written_by(edit));
        written.is_some_and(|(ours, theirs)| writes_first(&self.after, ours, after, theirs))
    }

    /// The other way round.
    fn is_begun_by(&self, edit: &Edit, after: &Text) -> bool {
        let written = self.written.zip(written_by(edit));
        written.is_some_and(|(ours, theirs)| writes_first(after, theirs, &self.after, ours))
    }
}

/// Where an edit of one place writes, in its result.
pub(crate) fn written_by(edit: &Edit) -> Option<ByteRange> {
    let [only] = edit.replacements() else {
        return None;
    };
    let start = only.range().start().get();
    Some(string_model::range(start, start + only.new_text().len()))
}

/// Whether a text, up to the end of what was written into it, is the beginning of another, and both were written
/// into at one place.
pub(crate) fn writes_first(one: &Text, written: ByteRange, other: &Text, more: ByteRange) -> bool {
    let is_one_place = written.start() < more.end() && more.start() < written.end();
    let (one, other) = (one.to_string(), other.to_string());
    let head = &one[..written.end().get()];
    is_one_place && written.end() <= more.end() && other.starts_with(head)
}

/// Keeps the last few.
fn keep<T>(kept: &mut VecDeque<T>, one: T) {
    if kept.len() == KEPT {
        kept.pop_front();
    }
    kept.push_back(one);
}
