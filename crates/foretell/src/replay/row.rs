//! One row of the report: when, where, what happened, and what came of it, in words.
//!
//! Whether a turn gets a row is decided here too. What this version does not act on has none, since
//! a long session has thousands of it; edits and checks of which nothing came are *quiet*, and may
//! be folded together.

use anstyle::{AnsiColor, Style};
use foretell_core::{Action, Answer, Event, Forgotten, Record, RejectionId, RequestId, Stirred};
use foretell_text::{ChangeReason, Edit, Text};
use foretell_trace::{Cause, Line, Outcome, Trace, Turn, What};

use super::words;

/// A row of the report.
pub(super) struct Row {
    pub(super) time: String,
    pub(super) file: String,
    pub(super) position: String,
    pub(super) deed: String,
    /// What came of it, one below the other.
    pub(super) outcomes: Vec<Said>,
}

/// Something in words, and how it is drawn.
pub(super) struct Said {
    pub(super) style: Style,
    pub(super) words: String,
}

/// What becomes of a turn in the report.
pub(super) enum Told {
    /// It is not shown.
    Hidden,
    /// An edit of which nothing came.
    QuietEdit(Row),
    /// A check that found nothing, as it should.
    QuietCheck(Row),
    /// Something worth a row of its own.
    Worth(Row),
}

impl Told {
    pub(super) fn of(turn: &Turn<'_>, trace: &Trace) -> Self {
        let acted: Vec<_> = turn
            .outcomes
            .iter()
            .filter(|outcome| !outcome.is_not_acted_on())
            .collect();
        let row = |outcomes: &[&Outcome]| Row::of(turn, outcomes, trace);
        let Cause::Line(line) = turn.cause else {
            return match acted.is_empty() {
                true => Told::Hidden,
                false => Told::Worth(row(&acted)),
            };
        };
        match (&line.what, &acted[..]) {
            (What::Event(Event::DocumentChanged { .. }), []) => Told::QuietEdit(row(&acted)),
            (What::Check(_), [check]) if is_quiet(check) => Told::QuietCheck(row(&acted)),
            (
                What::Event(
                    Event::DocumentOpened { .. }
                    | Event::DocumentClosed { .. }
                    | Event::RejectionsCleared,
                )
                | What::Settings(_),
                _,
            ) => Told::Worth(row(&acted)),
            (_, []) => Told::Hidden,
            _ => Told::Worth(row(&acted)),
        }
    }
}

fn is_quiet(outcome: &Outcome) -> bool {
    let found_nothing = matches!(
        outcome,
        Outcome::Checked {
            rejection: None,
            ..
        }
    );
    found_nothing && !outcome.differs()
}

impl Row {
    fn of(turn: &Turn<'_>, outcomes: &[&Outcome], trace: &Trace) -> Self {
        let text = turn.before.as_ref();
        let time = words::time(turn.at);
        let Cause::Line(line) = turn.cause else {
            return Row {
                time,
                file: String::new(),
                position: String::new(),
                deed: format!("timer of line {}", turn.line),
                outcomes: say_all(outcomes, None, text, trace),
            };
        };
        let file = line.document().map(words::file_name);
        Row {
            time,
            file: file.unwrap_or_default(),
            position: position(line, text).unwrap_or_default(),
            deed: deed(line, text, trace),
            outcomes: say_all(outcomes, rejected_edit(line), text, trace),
        }
    }
}

fn position(line: &Line, text: Option<&Text>) -> Option<String> {
    let edit = match &line.what {
        What::Event(Event::DocumentChanged { edits, .. }) => edits.first(),
        What::Check(check) => Some(&check.edit),
        _ => rejected_edit(line),
    };
    words::position(edit?, text?)
}

fn rejected_edit(line: &Line) -> Option<&Edit> {
    match &line.what {
        What::Event(Event::EditRejected { edit, .. }) => Some(edit),
        _ => None,
    }
}

/// What a line says happened.
fn deed(line: &Line, text: Option<&Text>, trace: &Trace) -> String {
    let event = match &line.what {
        What::Event(event) => event,
        What::Check(check) => return format!("check {}", words::edit(&check.edit, text)),
        What::Accepted { suggestion, .. } => {
            return format!("accept {}", name(suggestion.request, trace));
        }
        What::Settings(set) => {
            let names: Vec<_> = set.names().map(|(name, _)| name).collect();
            return format!("set {}", names.join(", "));
        }
        What::Expect(_) => return "expect".to_owned(),
    };
    match event {
        Event::DocumentOpened { language, text, .. } => {
            let lines = words::count(text.line_count() as u64, "line", "lines");
            format!("open {}, {lines}", words::escaped(language.as_str()))
        }
        Event::DocumentChanged { edits, reason, .. } => {
            let edits: Vec<_> = edits.iter().map(|edit| words::edit(edit, text)).collect();
            let verb = match reason {
                ChangeReason::Typed => "type",
                ChangeReason::Undo => "undo",
                ChangeReason::Redo => "redo",
                ChangeReason::Other => "change",
            };
            format!("{verb} {}", edits.join(", then "))
        }
        Event::DocumentClosed { .. } => "close".to_owned(),
        Event::DocumentFocused { .. } => "focus".to_owned(),
        Event::SelectionChanged { .. } => "select".to_owned(),
        Event::DiagnosticsChanged { diagnostics, .. } => {
            words::count(diagnostics.len() as u64, "diagnostic", "diagnostics")
        }
        Event::SuggestionRequested { request, .. } => format!("request {}", name(*request, trace)),
        Event::RequestCancelled { request } => format!("cancel {}", name(*request, trace)),
        Event::LaneAnswered { request, lane, .. } => {
            format!("{lane} answers {}", name(*request, trace))
        }
        Event::LaneFailed { request, lane, .. } => {
            format!("{lane} fails {}", name(*request, trace))
        }
        Event::SuggestionShown { suggestion } => {
            format!("show {}", name(suggestion.request, trace))
        }
        Event::SuggestionAccepted { suggestion, .. } => {
            format!("accept {}", name(suggestion.request, trace))
        }
        Event::SuggestionRejected { suggestion } => {
            format!("reject {}", name(suggestion.request, trace))
        }
        Event::SuggestionIgnored { suggestion } => {
            format!("ignore {}", name(suggestion.request, trace))
        }
        Event::EditRejected { edit, .. } => format!("reject {}", words::edit(edit, text)),
        Event::RejectionForgotten { rejection } => format!("forget #{rejection}"),
        Event::RejectionsCleared => "clear all rejections".to_owned(),
        Event::RejectionsRestored { .. } => "restore rejections".to_owned(),
        Event::ClientConnected { .. } => "connect".to_owned(),
        Event::SettingsChanged { .. } => "settings".to_owned(),
    }
}

fn name(request: RequestId, trace: &Trace) -> String {
    let request = trace.request(request);
    request.map_or_else(String::new, |request| words::escaped(&request.name))
}

/// What came of a turn. What happened to several rejections alike is said once.
fn say_all(
    outcomes: &[&Outcome],
    rejected: Option<&Edit>,
    text: Option<&Text>,
    trace: &Trace,
) -> Vec<Said> {
    outcomes
        .chunk_by(|one, next| {
            let kind = stirred(one).map(|(kind, _)| kind);
            kind.is_some() && kind == stirred(next).map(|(kind, _)| kind)
        })
        .flat_map(|alike| {
            let ids: Vec<_> = alike
                .iter()
                .filter_map(|outcome| stirred(outcome))
                .collect();
            match &ids[..] {
                [(kind, _), ..] => {
                    let ids: Vec<_> = ids.iter().map(|(_, id)| *id).collect();
                    vec![kind.said_of(&ids)]
                }
                [] => alike
                    .iter()
                    .map(|outcome| say(outcome, rejected, text, trace))
                    .collect(),
            }
        })
        .collect()
}

/// What happens to rejections without anybody asking about them.
#[derive(Clone, Copy, PartialEq)]
enum Happened {
    Asleep(Stirred),
    Awake(Stirred),
    Gone(Forgotten),
}

fn stirred(outcome: &Outcome) -> Option<(Happened, RejectionId)> {
    match outcome {
        Outcome::Action(Action::Record(record)) => match record {
            Record::Asleep { rejection, because } => Some((Happened::Asleep(*because), *rejection)),
            Record::Awake { rejection, because } => Some((Happened::Awake(*because), *rejection)),
            Record::Forgotten { rejection, because } => {
                Some((Happened::Gone(*because), *rejection))
            }
            _ => None,
        },
        _ => None,
    }
}

impl Happened {
    fn said_of(self, ids: &[RejectionId]) -> Said {
        let ids = words::rejections(ids);
        match self {
            Happened::Asleep(because) => {
                let words = format!("{ids} asleep: {}", because.words());
                Said::new(AnsiColor::Yellow, words)
            }
            Happened::Awake(because) => {
                let words = format!("{ids} awake: {}", because.words());
                Said::new(AnsiColor::Cyan, words)
            }
            Happened::Gone(because) => {
                let why = match because {
                    Forgotten::Capacity => "room was needed",
                    Forgotten::Cleared => "all were cleared",
                    Forgotten::Asked => "that was asked for",
                };
                Said::new(AnsiColor::Magenta, format!("{ids} forgotten: {why}"))
            }
        }
    }
}

fn say(outcome: &Outcome, rejected: Option<&Edit>, text: Option<&Text>, trace: &Trace) -> Said {
    match outcome {
        Outcome::Checked { rejection, .. } => {
            let said = match rejection {
                Some(id) => Said::new(AnsiColor::Green, format!("rejected by #{id}")),
                None => Said::dim("not rejected".to_owned()),
            };
            match outcome.differs() {
                true => Said::new(AnsiColor::Red, format!("{}, not as expected", said.words)),
                false => said,
            }
        }
        Outcome::Action(Action::Record(Record::Remembered {
            rejection, edit, ..
        })) => {
            let is_another_form = rejected.is_some_and(|rejected| rejected != edit);
            let form = match is_another_form {
                true => format!(", as {}", words::edit(edit, text)),
                false => String::new(),
            };
            Said::new(AnsiColor::Cyan, format!("remembered as #{rejection}{form}"))
        }
        Outcome::Action(Action::Record(Record::IgnoredEvent { reason, .. })) => {
            Said::dim(format!("ignored: {}", reason.words()))
        }
        Outcome::Action(Action::Record(Record::Quiet { reason, .. })) => {
            Said::dim(format!("the editor is not told to ask: {}", reason.words()))
        }
        Outcome::Action(Action::Record(Record::LetGo { document, reason })) => {
            let name = words::file_name(document);
            Said::new(
                AnsiColor::Magenta,
                format!("{name} let go: {}", reason.words()),
            )
        }
        // Said of several at once, elsewhere.
        Outcome::Action(Action::Record(
            Record::Asleep { .. } | Record::Awake { .. } | Record::Forgotten { .. },
        )) => Said::dim(String::new()),
        Outcome::Action(Action::AskEditor { .. }) => {
            Said::new(AnsiColor::Cyan, "the editor is told to ask".to_owned())
        }
        Outcome::Action(Action::GatherContext { request }) => {
            Said::dim(format!("gather context for {}", name(*request, trace)))
        }
        Outcome::Action(Action::StartLane { request, lane }) => Said::new(
            AnsiColor::Cyan,
            format!("start {lane} for {}", name(*request, trace)),
        ),
        Outcome::Action(Action::CancelLane {
            request,
            lane,
            reason,
        }) => {
            let name = name(*request, trace);
            Said::dim(format!("stop {lane} for {name}: {}", reason.words()))
        }
        Outcome::Action(Action::Answer {
            request, answer, ..
        }) => {
            let name = name(*request, trace);
            match answer {
                Answer::Candidates(offers) => {
                    let offers = words::count(offers.len() as u64, "suggestion", "suggestions");
                    Said::new(AnsiColor::Green, format!("answer {name}: {offers}"))
                }
                Answer::Withheld(reason) => {
                    Said::dim(format!("nothing for {name}: {}", reason.words()))
                }
            }
        }
    }
}

impl Said {
    fn new(color: AnsiColor, words: String) -> Self {
        let style = Style::new().fg_color(Some(color.into()));
        Said { style, words }
    }

    fn dim(words: String) -> Self {
        let style = Style::new().dimmed();
        Said { style, words }
    }
}
