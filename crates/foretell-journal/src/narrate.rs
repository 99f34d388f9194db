//! A decision in words: what happened, in the order it did, in one line.

use foretell_core::{AskCause, OfferedFrom, Reason, RequestCause, RequestKind};
use foretell_text::{DocumentId, LaneKind};

use crate::decision::{Came, Fault, Kept, Part, Story, Verdict, What};
use crate::explain::{Explained, Known};
use crate::last_event::Heard;
use crate::spoken::{and, count, span};
use crate::why::LaneTold;

/// A decision as it is told.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// What it was, for programs.
    pub(super) what: &'static str,
    pub(super) reason: Option<Reason>,
    /// All of it, for people.
    pub(super) words: String,
    /// Its end alone, as the answer to "why was nothing shown?".
    pub(super) answer: String,
    /// What to do about it.
    pub(super) next: Option<String>,
    pub(super) lanes: Vec<LaneTold>,
    /// The words where all that a lane broke by has been said, if one did.
    pub(super) brief: Option<Brief>,
}

/// Words for where how lanes broke was said before.
#[derive(Debug)]
pub(super) struct Brief {
    pub(super) words: String,
    /// How they broke, all of it.
    pub(super) faults: Vec<String>,
}

impl Told {
    pub(super) fn of(kept: &Kept, around: &Known<'_>) -> Self {
        let told = match &kept.what {
            What::Request(story) => return of_story(story, around),
            What::Trigger(_, cause) => plain(
                "trigger",
                match cause {
                    AskCause::Selection => {
                        "the cursor came to rest, and the editor was told to ask"
                    }
                    AskCause::DocumentSwitch => {
                        "you came from another document, and the editor was told to ask"
                    }
                },
            ),
            What::Quiet(spot, reason, misfit) => {
                let Explained { words, next } = around.quiet(&spot.document, *reason, *misfit);
                Told {
                    words: format!("the cursor moved, and nothing was asked: {words}"),
                    answer: format!("Nothing was asked: {words}"),
                    next,
                    ..because("quiet", *reason)
                }
            }
            What::Ignored(it) => {
                let Explained { words, next } = match &it.document {
                    Some(document) => around.at_all(document, it.reason, it.misfit),
                    None => Explained {
                        words: it.reason.words().to_owned(),
                        next: None,
                    },
                };
                // What is closed already is closed.
                let next = next.filter(|_| it.heard != Some(Heard::Closed));
                let said = it.heard.map_or("something that was said", Heard::words);
                Told {
                    words: format!("{said} had no effect: {words}"),
                    answer: format!(
                        "Nothing has been asked so far, and {said} had no effect: {words}"
                    ),
                    next,
                    ..because("ignored", it.reason)
                }
            }
            What::LetGo(document, reason, _) => {
                let Explained { words, next } = around.anywhere(document, *reason);
                Told {
                    words: format!("the document was let go: {words}"),
                    answer: format!("Nothing is asked about this document: {words}"),
                    next,
                    ..because("let-go", *reason)
                }
            }
            What::Resync(document, is_held) => {
                let Explained { words, next } = match is_held {
                    true => around.anywhere(document, Reason::OutOfStep),
                    false => Explained {
                        words: "there is none here".to_owned(),
                        next: Some("Close the document and open it again".to_owned()),
                    },
                };
                Told {
                    words: format!("the editor was told to send the whole text again: {words}"),
                    answer: format!("Nothing can be asked until the text has come again: {words}"),
                    next,
                    ..because("resync", Reason::OutOfStep)
                }
            }
            What::Rests(lane, millis, fault) => {
                let since = match fault.as_ref().is_none_or(Fault::was_asked) {
                    true => "it failed",
                    false => "it cannot be asked as it is set up",
                };
                let head = format!("{lane} is left alone for {}, since {since}", span(*millis));
                let all = fault.as_ref().map(|it| (it.words(), it.short()));
                Told {
                    words: match &all {
                        Some((words, _)) => format!("{head} ({words})"),
                        None => head.clone(),
                    },
                    next: Some(around.look_into(*lane, None)),
                    brief: all.map(|(words, short)| Brief {
                        words: format!("{head} ({short})"),
                        faults: vec![words],
                    }),
                    ..because("rests", Reason::LaneResting)
                }
            }
            What::Remembered(rejection, _) => plain(
                "remembered",
                format!("rejection {rejection}: this change will not be shown again"),
            ),
            What::Asleep(rejection, why) => plain(
                "asleep",
                format!("rejection {rejection} sleeps: {}", why.words()),
            ),
            What::Awake(rejection, why) => plain(
                "awake",
                format!("rejection {rejection} holds again: {}", why.words()),
            ),
            What::Forgotten(rejection, why) => plain(
                "forgotten",
                format!("rejection {rejection} is forgotten: {}", why.name()),
            ),
        };
        let words = match kept.times {
            0 | 1 => told.words,
            times => format!("{} ({times} times)", told.words),
        };
        Told { words, ..told }
    }
}

fn plain(what: &'static str, words: impl Into<String>) -> Told {
    Told {
        what,
        words: words.into(),
        ..Told::default()
    }
}

fn because(what: &'static str, reason: Reason) -> Told {
    Told {
        what,
        reason: Some(reason),
        ..Told::default()
    }
}

fn of_story(story: &Story, around: &Known<'_>) -> Told {
    let mut parts = vec![asked(story)];
    if let Some(waited) = story.waited {
        parts.push(format!("waited {} for you to pause", span(waited)));
    }
    let lanes = lanes_told(story, around);
    let mut brief = parts.clone();
    parts.extend(lanes.iter().map(|it| format!("{} {}", it.lane, it.words)));
    brief.extend(lanes.iter().map(|it| {
        let words = it.brief.as_ref().map_or(&it.words, |(brief, _)| brief);
        format!("{} {words}", it.lane)
    }));
    let (what, reason, answer, next) = match story.answer {
        None => {
            let since = span(around.now.since(story.asked));
            let short = format!("no answer yet after {since}");
            ("pending", None, (short, pending(story, around)), None)
        }
        Some((_, Came::Withheld(reason))) => {
            let Explained { words, next } = around.withheld(story, reason);
            let is_said = lanes.iter().any(|it| it.lost == Some(reason.name()));
            let short = match is_said {
                true => "nothing was shown".to_owned(),
                false if story.misfit.is_some() => format!("nothing was shown: {words}"),
                false => format!("nothing was shown: {}", reason.words()),
            };
            ("withheld", Some(reason), (short, words), next)
        }
        Some((_, Came::Suggested { count: all, .. })) if story.undrawn == all => {
            let short = match all {
                1 => "1 suggestion, which cannot be drawn at the cursor".to_owned(),
                all => format!("{all} suggestions, which cannot be drawn at the cursor"),
            };
            let words = "what was suggested cannot be drawn at the cursor, because it replaces text \
                         of several lines";
            let next = "An editor that shows next edits shows it";
            (
                "undrawn",
                None,
                (short, words.to_owned()),
                Some(next.to_owned()),
            )
        }
        Some((at, came @ Came::Suggested { from, .. })) => {
            let short = suggested(came);
            let long = match from {
                OfferedFrom::Lane => format!("{short} after {}", span(at.since(story.asked))),
                OfferedFrom::Carried | OfferedFrom::Repeated => short.clone(),
            };
            ("answered", None, (short, long), None)
        }
    };
    let (short, long) = answer;
    for parts in [&mut parts, &mut brief] {
        parts.push(short.clone());
        parts.extend(verdict(story));
    }
    let faults = lanes.iter().filter_map(|it| it.brief.as_ref());
    let faults: Vec<String> = faults.map(|(_, fault)| fault.clone()).collect();
    let answer = match story.answer {
        None => format!("Nothing is shown yet: {long}"),
        Some((_, Came::Withheld(_))) => format!("Nothing was shown: {long}"),
        Some(_) if what == "undrawn" => format!("Nothing was shown: {long}"),
        Some(_) => {
            let end = verdict(story).map_or(String::new(), |it| format!(", and {it}"));
            format!("Something was suggested: {long}{end}")
        }
    };
    Told {
        what,
        reason,
        words: parts.join("; "),
        answer,
        next,
        lanes,
        brief: (!faults.is_empty()).then(|| Brief {
            words: brief.join("; "),
            faults,
        }),
    }
}

fn asked(story: &Story) -> String {
    let who = match (story.cause, story.triggered) {
        (RequestCause::Explicit, _) => "you asked",
        (RequestCause::Automatic, None) => "the editor asked",
        (RequestCause::Automatic, Some(_)) => "the editor asked as it was told to",
    };
    let what = match story.kind {
        RequestKind::Inline => "",
        RequestKind::Edit => " for the next edit",
    };
    let again = match story.has_joined {
        true => ", for the second time",
        false => "",
    };
    format!("{who}{what}{again}")
}

/// Who is waited for.
fn pending(story: &Story, around: &Known<'_>) -> String {
    let since = span(around.now.since(story.asked));
    let running = LaneKind::ALL.into_iter();
    let running = running.filter(|lane| story.lanes[*lane as usize] == Part::Running);
    let running: Vec<String> = running.map(|lane| lane.name().to_owned()).collect();
    match running.as_slice() {
        [] => format!("it was asked for {since} ago, and no lane has been started"),
        [one] => format!("{one} has been asked, and has not answered for {since}"),
        all => format!(
            "{} have been asked, and have not answered for {since}",
            and(all)
        ),
    }
}

fn suggested(came: Came) -> String {
    let Came::Suggested {
        count: all,
        lane,
        from,
    } = came
    else {
        return String::new();
    };
    let many = count(all as u64, "suggestion", "suggestions");
    match from {
        OfferedFrom::Lane => format!("{many} from {lane}"),
        OfferedFrom::Carried => format!("{many} from {lane}, carried along with what you type"),
        OfferedFrom::Repeated => format!("{many} from {lane}, as when it was asked before"),
    }
}

fn verdict(story: &Story) -> Option<String> {
    let (at, verdict) = story.verdict?;
    let answered = story.answer.map(|(at, _)| at);
    let after = story.shown.or(answered).map_or(0, |shown| at.since(shown));
    let after = span(after);
    Some(match verdict {
        Verdict::Accepted => format!("you took it after {after}"),
        Verdict::AcceptedInPart => format!("you took a part of it after {after}"),
        Verdict::Rejected => format!("you rejected it after {after}"),
        Verdict::Ignored => format!("it went away after {after} without a word"),
        Verdict::TypedOver(1) => format!("you typed something else there after {after}"),
        Verdict::TypedOver(times) => {
            format!("you typed something else there after {after}, {times} times by now")
        }
    })
}

/// What each lane came to in a request.
pub(super) fn lanes_told(story: &Story, around: &Known<'_>) -> Vec<LaneTold> {
    let lanes = LaneKind::ALL.into_iter();
    lanes
        .filter_map(|lane| lane_told(story, lane, around))
        .collect()
}

/// What a lane came to in a request, if it was in it.
fn lane_told(story: &Story, lane: LaneKind, around: &Known<'_>) -> Option<LaneTold> {
    let told = |words: String| LaneTold {
        lane: lane.name(),
        took_ms: None,
        lost: None,
        failure: None,
        words,
        brief: None,
    };
    let lost = |reason: Reason, words: String| LaneTold {
        lost: Some(reason.name()),
        ..told(words)
    };
    Some(match &story.lanes[lane as usize] {
        Part::Idle => return None,
        Part::Running => told("is asked".to_owned()),
        Part::Held => told("has something, and better lanes are waited for".to_owned()),
        Part::Spared(reason) => {
            let words = match reason {
                // How it failed has a line of its own.
                Reason::LaneResting => around.rests(lane),
                _ => around.spared(story, lane, *reason).words,
            };
            lost(*reason, format!("was not asked: {words}"))
        }
        Part::Stopped(reason) => lost(*reason, format!("was stopped: {}", reason.words())),
        Part::Ended {
            took_ms,
            lost: reason,
            fault,
        } => {
            let took = span(*took_ms);
            let words = match reason {
                None => format!("answered after {took}"),
                Some(Reason::NothingFound) => format!("had nothing after {took}"),
                Some(Reason::LaneFailed) => match fault {
                    None => format!("failed after {took}"),
                    Some(fault) if fault.was_asked() => {
                        format!("failed after {took} ({})", fault.words())
                    }
                    Some(fault) => format!("was not asked: {}", fault.words()),
                },
                Some(Reason::TimedOut) => format!("had not answered after {took}"),
                Some(Reason::Outrun) => format!("was not needed after {took}"),
                Some(reason) => {
                    let why = around.anywhere(&story.spot.document, *reason).words;
                    format!("had nothing to show after {took}: {why}")
                }
            };
            LaneTold {
                took_ms: Some(*took_ms),
                lost: reason.map(Reason::name),
                failure: fault.as_ref().map(|fault| fault.kind.name()),
                brief: fault.as_ref().map(|fault| {
                    let short = fault.short();
                    let brief = match fault.was_asked() {
                        true => format!("failed after {took} ({short})"),
                        false => format!("was not asked ({short})"),
                    };
                    (brief, fault.words())
                }),
                ..told(words)
            }
        }
    })
}

/// What is said of a document of which nothing is known.
pub(super) fn nothing_known(document: Option<&DocumentId>, name: &str, is_open: bool) -> Told {
    let (answer, next) = match (document, is_open) {
        (None, _) => ("Nothing has been asked so far".to_owned(), None),
        (Some(_), true) => (
            format!("Nothing has been asked about {name} so far"),
            Some("Type something there, or ask by a key".to_owned()),
        ),
        (Some(_), false) => (
            format!("{name} is not open here, so that nothing is asked about it"),
            Some("Close it and open it again".to_owned()),
        ),
    };
    Told {
        answer,
        next,
        ..Told::default()
    }
}
