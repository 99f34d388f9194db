//! The answer to "why was nothing shown here?": `foretell/why`.
//!
//! The first sentence is the answer, and what to do where there is something to do; behind it are the
//! latest decisions, one in a line, the newest first. The answer is the end of the last request. A
//! silence of the auto-trigger is the answer only if the last request was long before: editors tell of
//! every cursor move, so that there is one after nearly every request, and it explains nothing. A client
//! that asks for both kinds of suggestions at a place asks twice: if one of them was answered with
//! something, nothing is missing, whichever ended last.

use foretell_core::{Reason, RejectionId, RequestId};
use foretell_text::DocumentId;
use serde::Serialize;

use crate::decision::{DecisionKind, KeptDecision, RequestOutcome, RequestStory};
use crate::journal::Journal;
use crate::narrate::{BriefWords, Narration, lanes_told, nothing_known};
use crate::spoken::{short_name, span};

use crate::explain::WhyContext;

/// How long before a silence of the auto-trigger a request still is the answer, in milliseconds.
const SOON: u64 = 1_000;

/// Anything within so many milliseconds is told without its age.
const NOW: u64 = 100;

/// The latest decisions, newest first.
#[derive(Debug, Serialize)]
pub struct WhyReport {
    pub(crate) decisions: Vec<DecisionLine>,
    /// All of it, for people.
    pub text: String,
}

/// One decision. Lines and columns are counted from one, columns in UTF-16.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DecisionLine {
    /// How many milliseconds ago.
    pub(crate) ago: u64,
    /// When, in milliseconds since 1970.
    pub(crate) at: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uri: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) column: Option<u32>,
    pub(crate) what: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<&'static str>,
    pub(crate) words: String,
    /// The hint, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next: Option<String>,
    /// How often in a row.
    pub(crate) times: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) lanes: Vec<LaneLine>,
    #[serde(skip)]
    brief: Option<BriefWords>,
}

/// A lane's part in a request.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LaneLine {
    pub(crate) lane: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) took_ms: Option<u64>,
    /// Why nothing of it was shown, unless something was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lost: Option<&'static str>,
    /// How it broke.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) failure: Option<&'static str>,
    pub(crate) words: String,
    /// The words where how it broke has been said, and all of that.
    #[serde(skip)]
    pub(super) brief: Option<(String, String)>,
}

/// The answer to a request, as it is told while it happens.
#[derive(Debug)]
pub struct AnswerWords {
    /// Why nothing was shown, if nothing was.
    pub why: Option<String>,
    /// Each lane's part.
    pub lanes: Vec<String>,
}

impl Journal {
    /// The latest decisions about a document, or about all, at most so many.
    pub fn why(
        &self,
        filter: Option<&DocumentId>,
        limit: usize,
        around: &WhyContext<'_>,
    ) -> WhyReport {
        let mut all: Vec<&KeptDecision> = self
            .kept
            .iter()
            .filter(|kept| filter.is_none_or(|wanted| self.is_about(kept, wanted)))
            .collect();
        // The newest of what happened in the same millisecond is what happened last.
        all.reverse();
        all.sort_by_key(|kept| std::cmp::Reverse(kept.when()));
        let answer = self.answer_of(&all, filter, around);
        all.truncate(limit);
        let decisions: Vec<DecisionLine> = all
            .into_iter()
            .map(|kept| self.decision(kept, around))
            .collect();
        let text = text(&answer, &decisions);
        WhyReport { decisions, text }
    }

    /// The answer to a request, in the words of [`Journal::why`], if it is still known.
    pub fn answered(&self, request: RequestId, around: &WhyContext<'_>) -> Option<AnswerWords> {
        let story = self.story(request)?;
        let why = match story.answer {
            Some((_, RequestOutcome::Withheld(reason))) => {
                Some(around.withheld(story, reason).words)
            }
            _ => None,
        };
        let lanes = lanes_told(story, around).into_iter().map(|it| {
            let is_said = |fault: &String| why.as_ref().is_some_and(|why| why.contains(fault));
            let brief = it.brief.filter(|(_, fault)| is_said(fault));
            format!("{} {}", it.lane, brief.map_or(it.words, |(brief, _)| brief))
        });
        Some(AnswerWords {
            lanes: lanes.collect(),
            why,
        })
    }

    fn is_about(&self, kept: &KeptDecision, wanted: &DocumentId) -> bool {
        self.about(kept).is_none_or(|document| document == wanted)
            && !matches!(&kept.what, DecisionKind::Ignored(it) if it.document.is_none())
    }

    /// The document that a decision is about. A rest of a lane is about all.
    fn about<'a>(&'a self, kept: &'a KeptDecision) -> Option<&'a DocumentId> {
        let of = |rejection: &RejectionId| self.document_of(*rejection);
        match &kept.what {
            DecisionKind::Asleep(rejection, _) | DecisionKind::Awake(rejection, _) => of(rejection),
            DecisionKind::Forgotten(rejection, _) => of(rejection),
            _ => kept.document(),
        }
    }

    /// The decision that answers the question, told.
    fn answer_of(
        &self,
        all: &[&KeptDecision],
        filter: Option<&DocumentId>,
        around: &WhyContext<'_>,
    ) -> Narration {
        let is_open = |document: &DocumentId| around.core.text(document).is_some();
        let name = filter.map_or(String::new(), short_name);
        let is_here = filter.is_none_or(is_open);
        let is_let_go =
            |kept: &&&KeptDecision| matches!(kept.what, DecisionKind::LetGo(_, _, false));
        let let_go = all.iter().find(is_let_go);
        let chosen = if is_here {
            chosen(all)
        } else {
            let_go.copied()
        };
        match chosen {
            Some(kept) => Narration::of(kept, around),
            None => nothing_known(filter, &name, is_here),
        }
    }

    fn decision(&self, kept: &KeptDecision, around: &WhyContext<'_>) -> DecisionLine {
        let told = Narration::of(kept, around);
        let ago = around.now.since(kept.when());
        let place = kept.place();
        DecisionLine {
            ago,
            at: around.clock.saturating_sub(ago),
            uri: self.about(kept).map(|it| it.as_str().to_owned()),
            line: place.map(|place| place.line),
            column: place.map(|place| place.column),
            what: told.what,
            reason: told.reason.map(Reason::name),
            words: told.words,
            next: told.next,
            times: kept.times,
            lanes: told.lanes,
            brief: told.brief,
        }
    }
}

/// The decision that answers the question, of all of them, the newest first.
fn chosen<'a>(all: &[&'a KeptDecision]) -> Option<&'a KeptDecision> {
    let find = |is_it: &dyn Fn(&KeptDecision) -> bool| all.iter().copied().find(|kept| is_it(kept));
    // Requests that were superseded or cancelled say nothing of why.
    let request = find(&|kept| match &kept.what {
        DecisionKind::Request(story) => !matches!(
            story.answer,
            Some((
                _,
                RequestOutcome::Withheld(Reason::Superseded | Reason::Cancelled)
            ))
        ),
        _ => false,
    });
    let request = request.map(|last| find(&|kept| fills_in(kept, last)).unwrap_or(last));
    let silence = find(&|kept| {
        matches!(
            kept.what,
            DecisionKind::Quiet(..) | DecisionKind::LetGo(..) | DecisionKind::Resync(..)
        )
    });
    match (request, silence) {
        (Some(request), Some(silence)) => {
            let is_trigger = matches!(silence.what, DecisionKind::Quiet(..));
            let allowed = if is_trigger { SOON } else { 0 };
            let is_older = silence.when().since(request.when()) > allowed;
            Some(if is_older { silence } else { request })
        }
        (one, other) => one.or(other).or_else(|| {
            find(&|kept| match &kept.what {
                DecisionKind::Request(_) => true,
                DecisionKind::Ignored(it) => it.document.is_some(),
                _ => false,
            })
        }),
    }
}

/// Whether something was suggested to a request of the other kind, at the same place and time, where the
/// last one came to nothing.
fn fills_in(kept: &KeptDecision, last: &KeptDecision) -> bool {
    let (DecisionKind::Request(story), DecisionKind::Request(last)) = (&kept.what, &last.what)
    else {
        return false;
    };
    let apart = last
        .asked
        .since(story.asked)
        .max(story.asked.since(last.asked));
    let is_beside = story.kind != last.kind && story.spot == last.spot && apart <= SOON;
    let came_to_something = |story: &RequestStory| match story.answer {
        Some((_, RequestOutcome::Suggested { count, .. })) => count > story.undrawn,
        Some((_, RequestOutcome::Withheld(_))) | None => false,
    };
    is_beside && came_to_something(story) && !came_to_something(last)
}

fn text(answer: &Narration, decisions: &[DecisionLine]) -> String {
    let mut text = format!("{}.\n", answer.answer);
    if let Some(next) = &answer.next {
        text.push_str(&format!("{next}.\n"));
    }
    if !decisions.is_empty() {
        text.push_str("\nThe latest decisions, newest first:\n");
    }
    for decision in decisions {
        let document = decision.uri.as_deref().map(DocumentId::new);
        let name = document.map(|document| short_name(&document));
        let place = decision.line.zip(decision.column);
        let place = place.map_or(String::new(), |(line, column)| format!(":{line}:{column}"));
        let name = name.map_or(String::new(), |name| format!(", {name}{place}"));
        let ago = match decision.ago {
            0..NOW => "just now".to_owned(),
            ago => format!("{} ago", span(ago)),
        };
        // How a lane broke is long, and said once.
        let is_said = |fault: &String| text.contains(fault.as_str());
        let brief = decision.brief.as_ref();
        let brief = brief.filter(|it| it.faults.iter().all(is_said));
        let words = brief.map_or(&decision.words, |it| &it.words);
        text.push_str(&format!("- {ago}{name}: {words}\n"));
    }
    text
}
