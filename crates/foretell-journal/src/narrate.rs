//! A decision in words: what happened, in the order it did, in one line.

use foretell_core::{AheadWork, AskCause, OfferedFrom, Reason, RequestCause, RequestKind};
use foretell_text::{DocumentId, LaneKind};

use crate::decision::{
    DecisionKind, FaultWords, KeptDecision, LanePart, PersonVerdict, RequestOutcome, RequestStory,
};
use crate::explain::{Explanation, WhyContext};
use crate::last_event::EventWords;
use crate::spoken::{and, count, one_line, short_name, span};
use crate::why_report::LaneLine;

/// A decision as it is told.
#[derive(Debug, Default)]
pub(super) struct Narration {
    /// Its kind, for programs.
    pub(super) what: &'static str,
    pub(super) reason: Option<Reason>,
    /// All of it, for people.
    pub(super) words: String,
    /// Its end alone, as the answer to "why was nothing shown?".
    pub(super) answer: String,
    /// The hint, if there is one.
    pub(super) next: Option<String>,
    pub(super) lanes: Vec<LaneLine>,
    /// Shorter words, if a lane broke: for where it has been said before how.
    pub(super) brief: Option<BriefWords>,
}

/// The words of a decision without how lanes broke, for where that was said before.
#[derive(Debug)]
pub(super) struct BriefWords {
    pub(super) words: String,
    /// How they broke, all of it.
    pub(super) faults: Vec<String>,
}

impl Narration {
    pub(super) fn of(kept: &KeptDecision, around: &WhyContext<'_>) -> Self {
        let told = match &kept.what {
            DecisionKind::Request(story) => return of_story(story, around),
            DecisionKind::Trigger(_, cause) => plain(
                "trigger",
                match cause {
                    AskCause::Selection => {
                        "the cursor came to rest, and the editor was told to ask"
                    }
                    AskCause::DocumentSwitch => {
                        "you came from another document, and the editor was told to ask"
                    }
                    AskCause::Late => "a model has answered late, and the editor was told to ask",
                    AskCause::Diagnostics => {
                        "a compiler has something else to say here, and the editor was told to ask"
                    }
                },
            ),
            DecisionKind::Ahead(_, AheadWork::Warm) => plain(
                "warm",
                "the model was let read the prompt of this place before anybody asked",
            ),
            DecisionKind::Ahead(_, AheadWork::LookAhead) => plain(
                "look-ahead",
                "the model was asked what follows the suggestion that is shown, ahead of time",
            ),
            DecisionKind::Quiet(spot, reason, misfit) => {
                let Explanation { words, next } = around.quiet(&spot.document, *reason, *misfit);
                Narration {
                    words: format!("the cursor moved, and nothing was asked: {words}"),
                    answer: format!("Nothing was asked: {words}"),
                    next,
                    ..because("quiet", *reason)
                }
            }
            DecisionKind::Ignored(it) => {
                let Explanation { words, next } = match &it.document {
                    Some(document) => around.at_all(document, it.reason, it.misfit),
                    None => Explanation {
                        words: it.reason.words().to_owned(),
                        next: None,
                    },
                };
                // A closed document cannot be closed again.
                let next = next.filter(|_| it.heard != Some(EventWords::Closed));
                let said = it
                    .heard
                    .map_or("something that was said", EventWords::words);
                Narration {
                    words: format!("{said} had no effect: {words}"),
                    answer: format!(
                        "Nothing has been asked so far, and {said} had no effect: {words}"
                    ),
                    next,
                    ..because("ignored", it.reason)
                }
            }
            DecisionKind::LetGo(document, reason, _) => {
                let Explanation { words, next } = around.anywhere(document, *reason);
                Narration {
                    words: format!("the document was let go: {words}"),
                    answer: format!("Nothing is asked about this document: {words}"),
                    next,
                    ..because("let-go", *reason)
                }
            }
            DecisionKind::Resync(document, is_held) => {
                let Explanation { words, next } = if *is_held {
                    around.anywhere(document, Reason::OutOfStep)
                } else {
                    Explanation {
                        words: "there is none here".to_owned(),
                        next: Some("Close the document and open it again".to_owned()),
                    }
                };
                Narration {
                    words: format!("the editor was told to send the whole text again: {words}"),
                    answer: format!("Nothing can be asked until the text has come again: {words}"),
                    next,
                    ..because("resync", Reason::OutOfStep)
                }
            }
            DecisionKind::Rests(lane, millis, fault) => {
                let since = if fault.as_ref().is_none_or(FaultWords::was_asked) {
                    "it failed"
                } else {
                    "it cannot be asked as it is set up"
                };
                let head = format!("{lane} is left alone for {}, since {since}", span(*millis));
                let all = fault.as_ref().map(|it| (it.words(), it.short()));
                Narration {
                    words: match &all {
                        Some((words, _)) => format!("{head} ({words})"),
                        None => head.clone(),
                    },
                    next: Some(around.look_into(*lane, None)),
                    brief: all.map(|(words, short)| BriefWords {
                        words: format!("{head} ({short})"),
                        faults: vec![words],
                    }),
                    ..because("rests", Reason::LaneResting)
                }
            }
            DecisionKind::Remembered(rejection, _) => plain(
                "remembered",
                format!("rejection {rejection}: this change will not be shown again"),
            ),
            DecisionKind::Asleep(rejection, why) => plain(
                "asleep",
                format!("rejection {rejection} sleeps: {}", why.words()),
            ),
            DecisionKind::Awake(rejection, why) => plain(
                "awake",
                format!("rejection {rejection} holds again: {}", why.words()),
            ),
            DecisionKind::Forgotten(rejection, why) => plain(
                "forgotten",
                format!("rejection {rejection} is forgotten: {}", why.name()),
            ),
        };
        let words = match kept.times {
            0 | 1 => told.words,
            times => format!("{} ({times} times)", told.words),
        };
        Narration { words, ..told }
    }
}

fn plain(what: &'static str, words: impl Into<String>) -> Narration {
    Narration {
        what,
        words: words.into(),
        ..Narration::default()
    }
}

fn because(what: &'static str, reason: Reason) -> Narration {
    Narration {
        what,
        reason: Some(reason),
        ..Narration::default()
    }
}

fn of_story(story: &RequestStory, around: &WhyContext<'_>) -> Narration {
    let mut parts = vec![asked(story)];
    if let Some(waited) = story.waited {
        parts.push(format!("waited {} for you to pause", span(waited)));
    }
    if let Some(reason) = story.unshown {
        let why = reason.words();
        parts.push(format!(
            "what was learned from your own code was not shown: {why}"
        ));
    }
    parts.extend(looked_elsewhere(story));
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
        Some((_, RequestOutcome::Withheld(reason))) => {
            let Explanation { words, next } = around.withheld(story, reason);
            let is_said = lanes.iter().any(|it| it.lost == Some(reason.name()));
            let short = if is_said {
                "nothing was shown".to_owned()
            } else if story.misfit.is_some() {
                format!("nothing was shown: {words}")
            } else {
                format!("nothing was shown: {}", reason.words())
            };
            ("withheld", Some(reason), (short, words), next)
        }
        Some((_, RequestOutcome::Suggested { count: all, .. })) if story.undrawn == all => {
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
        Some((at, came @ RequestOutcome::Suggested { from, .. })) => {
            let source =
                (from == OfferedFrom::AtOnce).then(|| (around.learned_from)(story.request));
            let source = source.flatten().map_or(String::new(), |place| {
                format!(
                    ", as in line {} of {}",
                    place.line,
                    one_line(place.file.as_str())
                )
            });
            let short = suggested(came) + &source;
            let long = match from {
                OfferedFrom::Lane => format!("{short} after {}", span(at.since(story.asked))),
                OfferedFrom::Carried | OfferedFrom::Repeated | OfferedFrom::AtOnce => short.clone(),
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
        Some((_, RequestOutcome::Withheld(_))) => format!("Nothing was shown: {long}"),
        Some(_) if what == "undrawn" => format!("Nothing was shown: {long}"),
        Some(_) => {
            let end = verdict(story).map_or(String::new(), |it| format!(", and {it}"));
            format!("Something was suggested: {long}{end}")
        }
    };
    Narration {
        what,
        reason,
        words: parts.join("; "),
        answer,
        next,
        lanes,
        brief: (!faults.is_empty()).then(|| BriefWords {
            words: brief.join("; "),
            faults,
        }),
    }
}

fn asked(story: &RequestStory) -> String {
    let who = match (story.cause, story.triggered) {
        (RequestCause::Explicit, _) => "you asked",
        (RequestCause::Automatic, None) => "the editor asked",
        (RequestCause::Automatic, Some(_)) => "the editor asked as it was told to",
    };
    let what = match story.kind {
        RequestKind::Inline => "",
        RequestKind::Edit => " for the next edit",
    };
    let again = if story.has_joined {
        ", for the second time"
    } else {
        ""
    };
    format!("{who}{what}{again}")
}

/// Where else a model was asked, if it was.
fn looked_elsewhere(story: &RequestStory) -> Option<String> {
    let elsewhere = story.looked_at.as_ref()?;
    let lane = LaneKind::NextEdit;
    let line = elsewhere
        .place
        .map_or(String::new(), |place| format!(" about line {}", place.line));
    let document = if elsewhere.document == story.spot.document {
        String::new()
    } else {
        format!(" of {}", short_name(&elsewhere.document))
    };
    Some(format!(
        "{lane} had nothing at the cursor, and was asked once more,{line}{document}"
    ))
}

/// The lanes that a request waits for.
fn pending(story: &RequestStory, around: &WhyContext<'_>) -> String {
    let since = span(around.now.since(story.asked));
    let running = LaneKind::ALL.into_iter();
    let running = running.filter(|lane| story.lanes[*lane] == LanePart::Running);
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

fn suggested(came: RequestOutcome) -> String {
    let RequestOutcome::Suggested {
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
        OfferedFrom::AtOnce => format!("{many} at once, learned from your own code"),
    }
}

fn verdict(story: &RequestStory) -> Option<String> {
    let (at, verdict) = story.verdict?;
    let answered = story.answer.map(|(at, _)| at);
    let after = story.shown.or(answered).map_or(0, |shown| at.since(shown));
    let after = span(after);
    Some(match verdict {
        PersonVerdict::Accepted => format!("you took it after {after}"),
        PersonVerdict::AcceptedInPart => format!("you took a part of it after {after}"),
        PersonVerdict::Rejected => format!("you rejected it after {after}"),
        PersonVerdict::Ignored => format!("it went away after {after} without a word"),
        PersonVerdict::TypedOver(1) => format!("you typed something else there after {after}"),
        PersonVerdict::TypedOver(times) => {
            format!("you typed something else there after {after}, {times} times by now")
        }
    })
}

/// Each lane's part in a request.
pub(super) fn lanes_told(story: &RequestStory, around: &WhyContext<'_>) -> Vec<LaneLine> {
    let lanes = LaneKind::ALL.into_iter();
    lanes
        .filter_map(|lane| lane_told(story, lane, around))
        .collect()
}

/// A lane's part in a request, if it had one.
fn lane_told(story: &RequestStory, lane: LaneKind, around: &WhyContext<'_>) -> Option<LaneLine> {
    let told = |words: String| LaneLine {
        lane: lane.name(),
        took_ms: None,
        lost: None,
        failure: None,
        words,
        brief: None,
    };
    let lost = |reason: Reason, words: String| LaneLine {
        lost: Some(reason.name()),
        ..told(words)
    };
    Some(match &story.lanes[lane] {
        LanePart::Idle => return None,
        LanePart::Ahead => told("was asked ahead of time".to_owned()),
        LanePart::Running => told("is asked".to_owned()),
        LanePart::Held => told("has something, and better lanes are waited for".to_owned()),
        LanePart::Spared(reason) => {
            let words = match reason {
                // How it failed has a line of its own.
                Reason::LaneResting => around.rests(lane),
                _ => around.spared(story, lane, *reason).words,
            };
            lost(*reason, format!("was not asked: {words}"))
        }
        LanePart::Late { took_ms } => LaneLine {
            took_ms: Some(*took_ms),
            lost: Some(Reason::TimedOut.name()),
            ..told(format!("answered late, after {}", span(*took_ms)))
        },
        LanePart::Stopped(reason) => lost(*reason, format!("was stopped: {}", reason.words())),
        LanePart::Ended {
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
            LaneLine {
                took_ms: Some(*took_ms),
                lost: reason.map(Reason::name),
                failure: fault.as_ref().map(|fault| fault.kind.name()),
                brief: fault.as_ref().map(|fault| {
                    let short = fault.short();
                    let brief = if fault.was_asked() {
                        format!("failed after {took} ({short})")
                    } else {
                        format!("was not asked ({short})")
                    };
                    (brief, fault.words())
                }),
                ..told(words)
            }
        }
    })
}

/// The answer for a document of which nothing is known.
pub(super) fn nothing_known(document: Option<&DocumentId>, name: &str, is_open: bool) -> Narration {
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
    Narration {
        answer,
        next,
        ..Narration::default()
    }
}
