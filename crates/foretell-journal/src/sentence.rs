//! A fact as a sentence, for commands that print decisions one below the other as they were made.
//!
//! `foretell replay` prints [`sentence`]s, `foretell complete --why` prints [`lane_line`]s. The caller names
//! requests, files and edits: a trace has names for requests that the machine does not know.
//!
//! Absent on purpose: colours. A sentence has a tone, and the caller chooses how that looks.

use foretell_core::{
    Answer, Fact, ForgetCause, LaneReport, Note, Offer, OfferedFrom, Order, RequestId, SleepCause,
};
use foretell_text::{DocumentId, Edit, LaneKind};

use crate::spoken::count;

/// The caller's names for requests, files and edits.
pub trait FactNames {
    /// A request.
    fn request(&self, request: RequestId) -> String;
    /// The file of a document.
    fn file(&self, document: &DocumentId) -> String;
    /// The first suggestion of an answer, and where it is, behind how many there are.
    fn offer(&self, offer: &Offer, request: RequestId) -> String;
    /// The remembered edit, if it is not the one that the person has just rejected.
    fn other_form(&self, edit: &Edit) -> Option<String>;
}

/// The tone of a sentence, by which a caller chooses how it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SentenceTone {
    /// Something begins.
    Begins,
    /// There is something to show.
    Shows,
    /// Something is held back.
    HoldsBack,
    /// Something is gone.
    Goes,
    /// Something is wrong.
    Fails,
    /// Nothing that a person would see.
    Quiet,
}

/// A fact in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactSentence {
    /// Its tone.
    pub tone: SentenceTone,
    /// The words.
    pub words: String,
}

impl FactSentence {
    fn new(tone: SentenceTone, words: impl Into<String>) -> Self {
        let words = words.into();
        FactSentence { tone, words }
    }

    fn quiet(words: impl Into<String>) -> Self {
        FactSentence::new(SentenceTone::Quiet, words)
    }
}

/// The sentence of a fact, unless it goes without saying or is said of several at once.
pub fn sentence(fact: Fact<'_>, names: &dyn FactNames) -> Option<FactSentence> {
    match fact {
        Fact::Order(order) => of_order(order, names),
        Fact::Note(note) => of_note(note, names),
        Fact::Event(_) | Fact::Measurement(_) => None,
    }
}

fn of_order(order: &Order, names: &dyn FactNames) -> Option<FactSentence> {
    let name = |request: &RequestId| names.request(*request);
    Some(match order {
        Order::Predict { .. }
        | Order::GatherContext { .. }
        | Order::StartLane { .. }
        | Order::AskAhead(_)
        | Order::StopAhead { .. }
        | Order::CheckQuota { .. } => return None,
        Order::AskEditor { .. } => {
            FactSentence::new(SentenceTone::Begins, "the editor is told to ask")
        }
        Order::Resync { .. } => FactSentence::quiet("the editor is told to send the whole text"),
        Order::Join { request, older } => FactSentence::quiet(format!(
            "{} takes the place of {}",
            name(request),
            name(older)
        )),
        Order::Rest { lane, millis } => FactSentence::new(
            SentenceTone::Fails,
            format!("{lane} is left alone for {millis} ms: it has failed"),
        ),
        Order::Release { document, reason } => FactSentence::new(
            SentenceTone::Goes,
            format!("{} let go: {}", names.file(document), reason.words()),
        ),
        Order::CancelLane {
            request,
            lane,
            reason,
        } => {
            let name = name(request);
            FactSentence::quiet(format!("stop {lane} for {name}: {}", reason.words()))
        }
        Order::Answer {
            request, answer, ..
        } => match answer {
            Answer::Candidates(offers) => FactSentence::new(
                SentenceTone::Shows,
                format!(
                    "answer {}: {}",
                    name(request),
                    offered(offers, *request, names)
                ),
            ),
            Answer::Withheld(reason) => {
                FactSentence::quiet(format!("nothing for {}: {}", name(request), reason.words()))
            }
        },
    })
}

/// How many suggestions there are, how they came about, and the first of them.
fn offered(offers: &[Offer], request: RequestId, names: &dyn FactNames) -> String {
    let many = count(offers.len() as u64, "suggestion", "suggestions");
    let all = |from| offers.iter().all(|offer| offer.from == from);
    let how = if all(OfferedFrom::Repeated) {
        ", the same as before, without a call"
    } else if all(OfferedFrom::Carried) {
        ", what is left of it, without a call"
    } else if all(OfferedFrom::AtOnce) {
        ", at once, without a call"
    } else {
        ""
    };
    let first = offers.first().map(|it| names.offer(it, request));
    format!("{many}{how}{}", first.unwrap_or_default())
}

fn of_note(note: &Note, names: &dyn FactNames) -> Option<FactSentence> {
    let name = |request: &RequestId| names.request(*request);
    Some(match note {
        Note::Asleep { .. } | Note::Awake { .. } | Note::Forgotten { .. } => return None,
        Note::Remembered {
            rejection, edit, ..
        } => {
            let form = names.other_form(edit);
            let form = form.map_or(String::new(), |it| format!(", as {it}"));
            let words = format!("remembered as #{rejection}{form}");
            FactSentence::new(SentenceTone::Begins, words)
        }
        Note::TypedOver {
            suggestion, times, ..
        } => {
            let times = match times {
                1 => String::new(),
                times => format!(", {times} times by now"),
            };
            let name = name(&suggestion.request);
            FactSentence::quiet(format!("what {name} was answered is typed over{times}"))
        }
        Note::IgnoredEvent { reason, .. } => {
            FactSentence::quiet(format!("ignored: {}", reason.words()))
        }
        Note::Quiet { reason, .. } => FactSentence::quiet(format!("not asked: {}", reason.words())),
        Note::Waits { request, millis } => {
            FactSentence::quiet(format!("{} waits {millis} ms for a pause", name(request)))
        }
        Note::Spared {
            request,
            lane,
            reason,
        } => FactSentence::new(
            SentenceTone::HoldsBack,
            format!("no {lane} for {}: {}", name(request), reason.words()),
        ),
        Note::PredictionDropped {
            request, reason, ..
        } => FactSentence::new(
            SentenceTone::HoldsBack,
            format!("nothing at once for {}: {}", name(request), reason.words()),
        ),
        Note::AskedAhead { request, lane } => FactSentence::quiet(format!(
            "{lane} was asked ahead of time for {}",
            name(request)
        )),
        Note::LooksElsewhere { request, lane, .. } => FactSentence::new(
            SentenceTone::Begins,
            format!(
                "{lane} has nothing at the cursor for {}, and is asked about another place",
                name(request)
            ),
        ),
        Note::Late {
            request,
            lane,
            millis,
        } => FactSentence::quiet(format!(
            "{lane} has answered {} after {millis} ms, which is late",
            name(request)
        )),
        Note::Held { request, lane } => FactSentence::new(
            SentenceTone::HoldsBack,
            format!(
                "{lane} has something for {}, held for a better lane",
                name(request)
            ),
        ),
    })
}

/// Lanes that were started for one request.
pub fn started(lanes: &[LaneKind], request: RequestId, names: &dyn FactNames) -> FactSentence {
    let lanes: Vec<&str> = lanes.iter().map(|lane| lane.name()).collect();
    let words = format!("start {} for {}", lanes.join(", "), names.request(request));
    FactSentence::new(SentenceTone::Begins, words)
}

/// Changes of rejections that happen by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RejectionChange {
    /// They match nothing for the time being.
    Sleep(SleepCause),
    /// They match again.
    Wake(SleepCause),
    /// They are gone for good.
    Forget(ForgetCause),
}

impl RejectionChange {
    /// The sentence of some rejections, which are called by a name together.
    pub fn sentence(self, rejections: &str) -> FactSentence {
        match self {
            RejectionChange::Sleep(because) => FactSentence::new(
                SentenceTone::HoldsBack,
                format!("{rejections} asleep: {}", because.words()),
            ),
            RejectionChange::Wake(because) => FactSentence::new(
                SentenceTone::Begins,
                format!("{rejections} awake: {}", because.words()),
            ),
            RejectionChange::Forget(because) => {
                let words = format!("{rejections} forgotten: {}", forget_words(because));
                FactSentence::new(SentenceTone::Goes, words)
            }
        }
    }
}

/// Why a rejection was forgotten, to go on behind "because".
pub const fn forget_words(because: ForgetCause) -> &'static str {
    match because {
        ForgetCause::Capacity => "room was needed",
        ForgetCause::Cleared => "all were cleared",
        ForgetCause::Asked => "that was asked for",
    }
}

/// A fact about a lane, in a line of its own, where only one request is asked.
pub fn lane_line(fact: Fact<'_>) -> Option<String> {
    match fact {
        Fact::Order(Order::StartLane { lane, .. }) => Some(format!("{lane}: asked")),
        Fact::Order(Order::CancelLane { lane, reason, .. }) => {
            Some(format!("{lane}: stopped, {}", reason.words()))
        }
        Fact::Note(Note::Waits { millis, .. }) => Some(format!("waits {millis} ms")),
        Fact::Event(_) | Fact::Order(_) | Fact::Note(_) | Fact::Measurement(_) => None,
    }
}

/// A lane's result in a race, in a line of its own.
pub fn race_line(report: &LaneReport) -> String {
    let LaneReport {
        lane,
        took_ms,
        lost,
    } = report;
    match lost {
        None => format!("{lane}: won after {took_ms} ms"),
        Some(reason) => format!("{lane}: {} ({took_ms} ms)", reason.words()),
    }
}
