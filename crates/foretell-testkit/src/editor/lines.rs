//! What the machine wants, as short lines that a story can quote.
//!
//! | line | meaning |
//! | --- | --- |
//! | `0ms ask 2:1 (selection)` | the editor is told to ask, on line 2 |
//! | `0ms quiet: same-line-cooldown` | the cursor moved, and it is not |
//! | `0ms gather r1` | context is collected for a request |
//! | `0ms wait r1 250ms` | a request waits for a pause |
//! | `0ms join r2 r1` | a request takes the place of one that asked the same |
//! | `80ms start r2 fim`, `80ms stop r1 fim: superseded` | a lane |
//! | `80ms spare r2 fim: unchanged-text` | a lane that is not started |
//! | `90ms answer r2: [4, 4) -> "x" (fim)` | candidates, by lane; `(fim, repeated)` if from before |
//! | `90ms withheld r1: superseded` | no candidates |
//! | `90ms ignored: unknown-id` | an event that changed nothing |
//!
//! What is about another document than the one that is looked at ends with `in` and its name.

use foretell_core::{Action, Answer, AskCause, Core, Moment, Note, Offer, OfferedFrom};
use foretell_text::{DocumentId, Encoding};

/// The line of an action.
pub(super) fn of(now: Moment, action: &Action, core: &Core, here: &DocumentId) -> String {
    let place = |document: &DocumentId| match document == here {
        true => String::new(),
        false => format!(" in {document}"),
    };
    let said = match action {
        Action::AskEditor { spot, cause } => {
            let text = core
                .text(&spot.document)
                .expect("only open documents are asked about");
            let position = text.position_of(spot.at, Encoding::Utf8);
            let position = position.expect("a place of the text as it is");
            let cause = match cause {
                AskCause::Selection => "selection",
                AskCause::DocumentSwitch => "document-switch",
            };
            format!("ask {position} ({cause}){}", place(&spot.document))
        }
        Action::GatherContext { request, .. } => format!("gather r{}", request.get()),
        Action::StartLane { request, lane, .. } => format!("start r{} {lane}", request.get()),
        Action::CancelLane {
            request,
            lane,
            reason,
        } => format!("stop r{} {lane}: {reason}", request.get()),
        Action::Answer {
            request, answer, ..
        } => match answer {
            Answer::Withheld(reason) => format!("withheld r{}: {reason}", request.get()),
            Answer::Candidates(offers) => {
                let offers: Vec<_> = offers.iter().map(|it| offer(it, place)).collect();
                format!("answer r{}: {}", request.get(), offers.join(" | "))
            }
        },
        Action::Resync { document } => format!("resync{}", place(document)),
        Action::Note(record) => match record {
            Note::IgnoredEvent { document, reason } => {
                let place = document.as_ref().map(place).unwrap_or_default();
                format!("ignored: {reason}{place}")
            }
            Note::Quiet { document, reason } => format!("quiet: {reason}{}", place(document)),
            Note::Waits { request, millis } => format!("wait r{} {millis}ms", request.get()),
            Note::Joined { request, older } => {
                format!("join r{} r{}", request.get(), older.get())
            }
            Note::Spared {
                request,
                lane,
                reason,
            } => format!("spare r{} {lane}: {reason}", request.get()),
            Note::Held { request, lane } => format!("hold r{} {lane}", request.get()),
            Note::Rests { lane, millis } => format!("rest {lane} {millis}ms"),
            Note::LetGo { document, reason } => format!("let go: {reason}{}", place(document)),
            Note::TypedOver {
                suggestion,
                document,
                times,
            } => format!(
                "typed over r{}.{} {times}x{}",
                suggestion.request.get(),
                suggestion.candidate,
                place(document)
            ),
            Note::Remembered {
                rejection,
                document,
                edit,
            } => format!("remember {rejection}: {edit}{}", place(document)),
            Note::Asleep { rejection, .. } => format!("asleep {rejection}"),
            Note::Awake { rejection, .. } => format!("awake {rejection}"),
            Note::Forgotten { rejection, .. } => format!("forget {rejection}"),
        },
    };
    format!("{}ms {said}", now.millis())
}

fn offer(offer: &Offer, place: impl Fn(&DocumentId) -> String) -> String {
    let from = match offer.from {
        OfferedFrom::Lane => "",
        OfferedFrom::Carried => ", carried",
        OfferedFrom::Repeated => ", repeated",
    };
    let (candidate, lane) = (&offer.candidate, offer.lane);
    format!(
        "{} ({lane}{from}){}",
        candidate.edit,
        place(&candidate.document)
    )
}
