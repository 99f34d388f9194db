//! One row of the report: when, where, what happened, and what came of it, in words.
//!
//! Whether a turn gets a row is decided here too. A turn that changes nothing a person would see is
//! *quiet*, and may be folded together: edits, cursor moves at which nothing was asked, requests
//! that wait, and checks that found nothing.

use anstyle::{AnsiColor, Style};
use foretell_core::{
    Answer, Event, LaneCandidate, Moment, Note, Offer, Order, Reason, RejectionId,
    RejectionReports, RequestId, Spot, SuggestionRequest,
};
use foretell_journal::sentence::{self, FactNames, FactSentence, RejectionChange, SentenceTone};
use foretell_text::{ByteOffset, ByteRange, ChangeReason, DocumentId, Edit, LaneKind, Text};
use foretell_trace::{
    LineContent, PlayedAnswer, Replay, ReplayTurn, TraceLine, TurnCause, TurnOutcome,
};

use super::plain_words;

/// How many settings are named.
const MOST_NAMES: usize = 12;

/// A row of the report.
pub(super) struct ReportRow {
    pub(super) time: Moment,
    pub(super) file: String,
    pub(super) position: String,
    pub(super) deed: String,
    /// The outcomes, one below the other.
    pub(super) outcomes: Vec<StyledWords>,
}

/// Something in words, and how it is drawn.
pub(super) struct StyledWords {
    pub(super) style: Style,
    pub(super) words: String,
}

/// How a turn appears in the report.
pub(super) enum TurnDisplay {
    /// It is not shown.
    Hidden,
    /// Nothing that a person would see came of it.
    Quiet(QuietTurn, ReportRow),
    /// Something worth a row of its own.
    Worth(ReportRow),
}

/// The kinds of quiet turns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum QuietTurn {
    /// An edit.
    Edit,
    /// A check that found nothing, as it should.
    Check,
    /// A move of the cursor at which nothing was asked.
    Move(Reason),
    /// A move of the cursor that waits for it to rest.
    Rests,
    /// A request that waits.
    Request,
}

impl TurnDisplay {
    pub(super) fn of(turn: &ReplayTurn<'_>, replay: &Replay<'_>) -> Self {
        let row = || ReportRow::of(turn, replay);
        let outcomes = &turn.outcomes[..];
        let line = match &turn.cause {
            TurnCause::Line(line) => line,
            TurnCause::Asks(_) if outcomes.iter().all(is_patience) => {
                return TurnDisplay::Quiet(QuietTurn::Request, row());
            }
            TurnCause::Timer | TurnCause::Answers(_) if outcomes.is_empty() => {
                return TurnDisplay::Hidden;
            }
            TurnCause::Timer | TurnCause::Asks(_) | TurnCause::Answers(_) => {
                return TurnDisplay::Worth(row());
            }
        };
        match (&line.what, outcomes) {
            (
                LineContent::Event(Event::DocumentChanged { .. } | Event::DocumentReplaced { .. }),
                [],
            ) => TurnDisplay::Quiet(QuietTurn::Edit, row()),
            (LineContent::Check(_), [check]) if is_quiet(check) => {
                TurnDisplay::Quiet(QuietTurn::Check, row())
            }
            (LineContent::Event(Event::SelectionChanged { .. }), outcomes) => match outcomes {
                [] => TurnDisplay::Quiet(QuietTurn::Rests, row()),
                // The move before gives way to this one.
                [
                    TurnOutcome::Note(Note::Quiet {
                        reason: Reason::Superseded,
                        ..
                    }),
                ] => TurnDisplay::Quiet(QuietTurn::Rests, row()),
                [TurnOutcome::Note(Note::Quiet { reason, .. })] => {
                    TurnDisplay::Quiet(QuietTurn::Move(*reason), row())
                }
                _ => TurnDisplay::Worth(row()),
            },
            (
                LineContent::Event(
                    Event::DocumentOpened { .. }
                    | Event::DocumentClosed { .. }
                    | Event::RejectionsCleared,
                )
                | LineContent::Settings(_),
                _,
            ) => TurnDisplay::Worth(row()),
            (_, []) => TurnDisplay::Hidden,
            _ => TurnDisplay::Worth(row()),
        }
    }
}

/// Whether something is what always happens when somebody types on: the last request gives way to
/// the next, which waits.
fn is_patience(outcome: &TurnOutcome) -> bool {
    matches!(
        outcome,
        TurnOutcome::Order(
            Order::GatherContext { .. }
                | Order::Answer {
                    answer: Answer::Withheld(Reason::Superseded),
                    ..
                }
                | Order::Join { .. }
                | Order::AskAhead(_)
                | Order::StopAhead { .. }
        ) | TurnOutcome::Note(Note::Waits { .. })
    )
}

fn is_quiet(outcome: &TurnOutcome) -> bool {
    let found_nothing = matches!(
        outcome,
        TurnOutcome::Checked {
            rejection: None,
            ..
        }
    );
    found_nothing && !outcome.differs()
}

impl ReportRow {
    fn of(turn: &ReplayTurn<'_>, replay: &Replay<'_>) -> Self {
        let text = turn.before.as_ref();
        let (file, position, deed, rejected) = match &turn.cause {
            TurnCause::Line(line) => (
                line.document().map(plain_words::file_name),
                position(line, text),
                deed(line, text, replay),
                rejected_edit(line),
            ),
            TurnCause::Asks(asks) => (
                Some(plain_words::file_name(&asks.document)),
                text.and_then(|text| plain_words::place(asks.at, text)),
                format!("the editor asks: {}", name(asks.request, replay)),
                None,
            ),
            TurnCause::Answers(answers) => (
                file_of(answers.request, replay),
                None,
                lane_says(answers, replay),
                None,
            ),
            TurnCause::Timer => {
                let (file, deed) = timer(turn, replay);
                (file, None, deed, None)
            }
        };
        let mut outcomes = say_all(&turn.outcomes, rejected, text, replay);
        if is_move(&turn.cause) && !turn.outcomes.iter().any(TurnOutcome::is_about_this_move) {
            let is_newer = !outcomes.is_empty();
            outcomes.clear();
            let words = if is_newer {
                "waits for the cursor to rest, and the move before does not ask"
            } else {
                "waits for the cursor to rest"
            };
            outcomes.push(StyledWords::dim(words.to_owned()));
        }
        ReportRow {
            time: turn.at,
            file: file.unwrap_or_default(),
            position: position.unwrap_or_default(),
            deed,
            outcomes,
        }
    }
}

/// The answer of a played lane.
fn lane_says(answers: &PlayedAnswer, replay: &Replay<'_>) -> String {
    let (lane, request) = (answers.lane, name(answers.request, replay));
    match answers.candidates.len() {
        0 => format!("{lane} has nothing for {request}"),
        _ => format!("{lane} answers {request}"),
    }
}

fn is_move(cause: &TurnCause<'_>) -> bool {
    match cause {
        TurnCause::Line(line) => matches!(
            line.what,
            LineContent::Event(Event::SelectionChanged { .. })
        ),
        TurnCause::Timer | TurnCause::Asks(_) | TurnCause::Answers(_) => false,
    }
}

/// Where a timer is about something, and what its time has come for.
fn timer(turn: &ReplayTurn<'_>, replay: &Replay<'_>) -> (Option<String>, String) {
    let told = turn.outcomes.iter().find_map(|outcome| match outcome {
        TurnOutcome::Order(
            Order::Predict { request, .. }
            | Order::StartLane { request, .. }
            | Order::Answer { request, .. },
        )
        | TurnOutcome::Note(Note::Spared { request, .. }) => {
            let deed = format!("{} has waited", name(*request, replay));
            Some((file_of(*request, replay), deed))
        }
        TurnOutcome::Order(Order::CancelLane {
            request,
            reason: Reason::TimedOut,
            ..
        }) => {
            let deed = format!("the time of {} is up", name(*request, replay));
            Some((file_of(*request, replay), deed))
        }
        TurnOutcome::Order(Order::AskEditor {
            spot: Spot { document, .. },
            ..
        })
        | TurnOutcome::Note(Note::Quiet { document, .. }) => {
            let deed = "the cursor rests".to_owned();
            Some((Some(plain_words::file_name(document)), deed))
        }
        _ => None,
    });
    told.unwrap_or_else(|| (None, format!("timer of line {}", turn.line)))
}

fn file_of(request: RequestId, replay: &Replay<'_>) -> Option<String> {
    let document = replay.request(request)?.document.as_ref();
    document.map(plain_words::file_name)
}

fn position(line: &TraceLine, text: Option<&Text>) -> Option<String> {
    let at: ByteOffset = match &line.what {
        LineContent::Event(Event::DocumentChanged { edits, .. }) => edits.first()?.span()?.start(),
        LineContent::Event(Event::SelectionChanged { selections, .. }) => {
            selections.first()?.start()
        }
        LineContent::Event(Event::SuggestionRequested(SuggestionRequest { at, .. })) => *at,
        LineContent::Check(check) => check.edit.span()?.start(),
        _ => rejected_edit(line)?.span()?.start(),
    };
    plain_words::place(at, text?)
}

fn rejected_edit(line: &TraceLine) -> Option<&Edit> {
    match &line.what {
        LineContent::Event(Event::EditRejected { edit, .. }) => Some(edit),
        _ => None,
    }
}

/// The event of a line, in words.
fn deed(line: &TraceLine, text: Option<&Text>, replay: &Replay<'_>) -> String {
    let event = match &line.what {
        LineContent::Event(event) => event,
        LineContent::Check(check) => {
            return format!("check {}", plain_words::edit(&check.edit, text));
        }
        LineContent::Accepted { suggestion, .. } => {
            return format!("accept {}", name(suggestion.request, replay));
        }
        LineContent::Settings(set) => {
            let names: Vec<_> = set.names().map(|(name, _)| name).collect();
            return if names.len() > MOST_NAMES {
                // A recording begins with all of them.
                format!("set {} settings", names.len())
            } else {
                format!("set {}", names.join(", "))
            };
        }
        LineContent::Expect(_) => return "expect".to_owned(),
    };
    match event {
        Event::DocumentOpened { language, text, .. } => {
            let lines = plain_words::count(text.line_count() as u64, "line", "lines");
            format!("open {}, {lines}", plain_words::escaped(language.as_str()))
        }
        Event::DocumentChanged { edits, reason, .. } => {
            let edits: Vec<_> = edits
                .iter()
                .map(|edit| plain_words::edit(edit, text))
                .collect();
            let verb = match reason {
                ChangeReason::Typed => "type",
                ChangeReason::Undo => "undo",
                ChangeReason::Redo => "redo",
                ChangeReason::Other => "change",
            };
            format!("{verb} {}", edits.join(", then "))
        }
        Event::DocumentReplaced { text, .. } => {
            let lines = plain_words::count(text.line_count() as u64, "line", "lines");
            format!("whole text, {lines}")
        }
        Event::DocumentLost { .. } => "lose the text".to_owned(),
        Event::ShuttingDown => "shut down".to_owned(),
        Event::DocumentClosed { .. } => "close".to_owned(),
        Event::DocumentFocused { .. } => "focus".to_owned(),
        Event::DocumentSaved { .. } => "save".to_owned(),
        Event::SecretsFound { ranges, .. } => {
            plain_words::count(ranges.len() as u64, "secret", "secrets")
        }
        Event::ExclusionKnown { is_excluded, .. } => {
            if *is_excluded {
                "excluded".to_owned()
            } else {
                "not excluded".to_owned()
            }
        }
        Event::DocumentPaused { is_paused, .. } => {
            if *is_paused {
                "paused".to_owned()
            } else {
                "not paused".to_owned()
            }
        }
        Event::ContestKnown { is_contested } => {
            if *is_contested {
                "settings contested".to_owned()
            } else {
                "settings not contested".to_owned()
            }
        }
        Event::UsageKnown { lane, requests, .. } => {
            let requests = plain_words::count(*requests, "request", "requests");
            format!("{lane} had {requests} today")
        }
        Event::LaneSpeedKnown { lane, speed } => match speed.written {
            Some(written) => format!("{lane} writes {written} tokens a second"),
            None => format!("how fast {lane} writes is not known"),
        },
        Event::TypingGapsKnown { gaps } => {
            let gaps = plain_words::count(gaps.count(), "gap", "gaps");
            format!("{gaps} between keys are known")
        }
        Event::SelectionChanged { selections, .. } => match &selections[..] {
            [only] if only.is_empty() => "move".to_owned(),
            [only] => format!("select {} bytes", only.len()),
            several => plain_words::count(several.len() as u64, "selection", "selections"),
        },
        Event::DiagnosticsChanged { diagnostics, .. } => {
            plain_words::count(diagnostics.len() as u64, "diagnostic", "diagnostics")
        }
        Event::SuggestionRequested(SuggestionRequest { request, .. }) => {
            format!("request {}", name(*request, replay))
        }
        Event::RequestCancelled { request } => format!("cancel {}", name(*request, replay)),
        Event::LaneAnswered { request, lane, .. } => {
            format!("{lane} answers {}", name(*request, replay))
        }
        Event::Predicted { request, .. } => format!("prediction for {}", name(*request, replay)),
        Event::PlacesFound { request, lane, .. } => {
            format!("places besides, for {lane} of {}", name(*request, replay))
        }
        Event::LaneProgressed { request, lane, .. } => {
            format!("{lane} goes on with {}", name(*request, replay))
        }
        Event::LaneReading { request, lane } => {
            format!("{lane} reads on for {}", name(*request, replay))
        }
        Event::LaneFailed { request, lane, .. } => {
            format!("{lane} fails {}", name(*request, replay))
        }
        Event::AheadEnded { .. } => "a call ahead of time ends".to_owned(),
        Event::SuggestionShown { suggestion } => {
            format!("show {}", name(suggestion.request, replay))
        }
        Event::SuggestionAccepted { suggestion, .. } => {
            format!("accept {}", name(suggestion.request, replay))
        }
        Event::SuggestionRejected { suggestion } => {
            format!("reject {}", name(suggestion.request, replay))
        }
        Event::SuggestionIgnored { suggestion } => {
            format!("ignore {}", name(suggestion.request, replay))
        }
        Event::EditRejected { edit, .. } => format!("reject {}", plain_words::edit(edit, text)),
        Event::RejectionForgotten { rejection } => format!("forget #{rejection}"),
        Event::RejectionsCleared => "clear all rejections".to_owned(),
        Event::RejectionsRestored { rejections } => {
            let many = rejections.len() as u64;
            format!(
                "restore {}",
                plain_words::count(many, "rejection", "rejections")
            )
        }
        Event::ClientConnected { rejections, .. } => match rejections {
            RejectionReports::Explicit => "connect".to_owned(),
            RejectionReports::Inferred => "connect, rejections are inferred".to_owned(),
        },
        Event::SettingsChanged { .. } => "settings".to_owned(),
    }
}

fn name(request: RequestId, replay: &Replay<'_>) -> String {
    let request = replay.request(request);
    request.map_or_else(String::new, |request| plain_words::escaped(&request.name))
}

/// The outcomes of a turn. Those that several rejections or lanes share are said once.
fn say_all(
    outcomes: &[TurnOutcome],
    rejected: Option<&Edit>,
    text: Option<&Text>,
    replay: &Replay<'_>,
) -> Vec<StyledWords> {
    let names = ReplayNames {
        rejected,
        text,
        replay,
    };
    outcomes
        .chunk_by(|one, next| {
            let kind = stirred(one).map(|(kind, _)| kind);
            let is_stirred_alike = kind.is_some() && kind == stirred(next).map(|(kind, _)| kind);
            let started = started(one).map(|(request, _)| request);
            let is_started_alike =
                started.is_some() && started == self::started(next).map(|(request, _)| request);
            is_stirred_alike || is_started_alike
        })
        .flat_map(|alike| {
            let ids: Vec<_> = alike.iter().filter_map(stirred).collect();
            let lanes: Vec<_> = alike.iter().filter_map(started).collect();
            match (&ids[..], &lanes[..]) {
                ([(change, _), ..], _) => {
                    let ids: Vec<_> = ids.iter().map(|(_, id)| *id).collect();
                    vec![StyledWords::of(
                        change.sentence(&plain_words::rejections(&ids)),
                    )]
                }
                (_, [(request, _), ..]) => {
                    let lanes: Vec<_> = lanes.iter().map(|(_, lane)| *lane).collect();
                    vec![StyledWords::of(sentence::started(&lanes, *request, &names))]
                }
                ([], []) => alike
                    .iter()
                    .filter_map(|outcome| say(outcome, &names))
                    .collect(),
            }
        })
        .collect()
}

fn started(outcome: &TurnOutcome) -> Option<(RequestId, LaneKind)> {
    match outcome {
        TurnOutcome::Order(Order::StartLane { request, lane, .. }) => Some((*request, *lane)),
        _ => None,
    }
}

fn stirred(outcome: &TurnOutcome) -> Option<(RejectionChange, RejectionId)> {
    match outcome {
        TurnOutcome::Note(note) => match note {
            Note::Asleep { rejection, because } => {
                Some((RejectionChange::Sleep(*because), *rejection))
            }
            Note::Awake { rejection, because } => {
                Some((RejectionChange::Wake(*because), *rejection))
            }
            Note::Forgotten { rejection, because } => {
                Some((RejectionChange::Forget(*because), *rejection))
            }
            _ => None,
        },
        TurnOutcome::Order(_) | TurnOutcome::Checked { .. } => None,
    }
}

/// An outcome in words, unless it goes without saying or is said of several at once.
fn say(outcome: &TurnOutcome, names: &ReplayNames<'_>) -> Option<StyledWords> {
    let TurnOutcome::Checked { rejection, .. } = outcome else {
        return sentence::sentence(outcome.fact()?, names).map(StyledWords::of);
    };
    let said = match rejection {
        Some(id) => StyledWords::new(AnsiColor::Green, format!("rejected by #{id}")),
        None => StyledWords::dim("not rejected".to_owned()),
    };
    Some(if outcome.differs() {
        StyledWords::new(AnsiColor::Red, format!("{}, not as expected", said.words))
    } else {
        said
    })
}

/// The names of things in a replay.
struct ReplayNames<'a> {
    /// The edit that the person has just rejected.
    rejected: Option<&'a Edit>,
    /// The text before, of the document that the line is about.
    text: Option<&'a Text>,
    replay: &'a Replay<'a>,
}

impl FactNames for ReplayNames<'_> {
    fn request(&self, request: RequestId) -> String {
        name(request, self.replay)
    }

    fn file(&self, document: &DocumentId) -> String {
        plain_words::file_name(document)
    }

    fn offer(&self, offer: &Offer, request: RequestId) -> String {
        offered(offer, request, self.replay)
    }

    fn other_form(&self, edit: &Edit) -> Option<String> {
        let is_another_form = self.rejected.is_some_and(|rejected| rejected != edit);
        is_another_form.then(|| plain_words::edit(edit, self.text))
    }
}

/// The offered edit and its place; with the document if that is another than the cursor's.
fn offered(offer: &Offer, request: RequestId, replay: &Replay<'_>) -> String {
    let LaneCandidate { document, edit, .. } = &offer.candidate;
    let is_held = replay.core().version(document) == Some(offer.version);
    let text = replay.core().text(document).filter(|_| is_held);
    let start = edit.span().map(ByteRange::start).zip(text);
    let place = start.and_then(|(at, text)| plain_words::place(at, text));
    let asked_in = replay.request(request).and_then(|it| it.document.as_ref());
    let file = (asked_in != Some(document)).then(|| plain_words::file_name(document));
    let at: Vec<String> = file.into_iter().chain(place).collect();
    let at = if at.is_empty() {
        String::new()
    } else {
        format!(" at {}", at.join(" "))
    };
    format!(": {}{at}", plain_words::edit(edit, text))
}

impl StyledWords {
    fn of(sentence: FactSentence) -> Self {
        let color = match sentence.tone {
            SentenceTone::Begins => AnsiColor::Cyan,
            SentenceTone::Shows => AnsiColor::Green,
            SentenceTone::HoldsBack => AnsiColor::Yellow,
            SentenceTone::Goes => AnsiColor::Magenta,
            SentenceTone::Fails => AnsiColor::Red,
            SentenceTone::Quiet => return StyledWords::dim(sentence.words),
        };
        StyledWords::new(color, sentence.words)
    }

    fn new(color: AnsiColor, words: String) -> Self {
        let style = Style::new().fg_color(Some(color.into()));
        StyledWords { style, words }
    }

    fn dim(words: String) -> Self {
        let style = Style::new().dimmed();
        StyledWords { style, words }
    }
}
