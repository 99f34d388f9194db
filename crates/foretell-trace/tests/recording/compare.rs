//! A session told to a machine, and the same session recorded, read back and replayed: what the machine
//! did both times, in a form that can be compared.
//!
//! A trace numbers requests and versions itself, so both are left out of account: requests are called by
//! their names, and versions are all the same. Of a shape, texts are compared by their lengths.

use std::sync::Arc;

use foretell_core::{Answer, Core, Event, Fact, Moment, Note, Offer, Order, RequestId, Spot};
use foretell_settings::Settings;
use foretell_text::{DocumentId, Edit, Replacement};
use foretell_trace::{Replay, ReplayOptions, ShapeKey, Trace, TraceWriter};

/// What happened, and when.
pub(crate) type Told = Vec<(Moment, Event)>;

/// How much of texts is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Texts {
    Whole,
    Shape,
}

/// What a machine does when it is told all that, with all timers run out at the end.
pub(crate) fn done(settings: &Arc<Settings>, told: &Told, texts: Texts) -> Vec<String> {
    let mut core = Core::new(Arc::clone(settings));
    let mut all = Vec::new();
    for (now, event) in told {
        core.handle(*now, event.clone());
        while let Some(action) = core.poll_action() {
            all.push(said(Fact::from(&action), texts, &|request| {
                request.get().to_string()
            }));
        }
    }
    while let Some(due) = core.poll_timeout() {
        core.handle_timeout(due);
        while let Some(action) = core.poll_action() {
            all.push(said(Fact::from(&action), texts, &|request| {
                request.get().to_string()
            }));
        }
    }
    all
}

/// The lines of a recording.
pub(crate) fn recorded(mut writer: TraceWriter, settings: &Settings, told: &Told) -> String {
    let mut out = Vec::new();
    let first = told.first().map_or(Moment::default(), |(now, _)| *now);
    writer.begin("test", first, settings, &mut out);
    for (now, event) in told {
        writer.write(*now, event, &mut out);
    }
    String::from_utf8(out).expect("text")
}

/// What a machine does when a recording is replayed.
pub(crate) fn replayed(lines: &str, texts: Texts) -> Vec<String> {
    let trace = match Trace::read("recorded.jsonl", lines.as_bytes()) {
        Ok(trace) => trace,
        Err(why) => {
            let line = lines.lines().nth(why.line - 1).unwrap_or_default();
            unreachable!("{why} in {line}");
        }
    };
    let mut replay =
        Replay::new(&trace, &[], ReplayOptions::default()).expect("settings that apply");
    let mut all = Vec::new();
    while let Some(turn) = replay.advance() {
        for outcome in &turn.outcomes {
            if let Some(fact) = outcome.fact() {
                all.push(said(fact, texts, &|request| {
                    let request = trace.request(request).expect("it has a name");
                    request.name.clone()
                }));
            }
        }
    }
    all
}

/// A key for tests, by a number.
pub(crate) fn key(seed: u64) -> ShapeKey {
    let mix = |number: u64| {
        let mixed = (number ^ (number >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        mixed ^ (mixed >> 32)
    };
    ShapeKey::new(move |one, other| mix(mix(mix(seed) ^ one) ^ other.rotate_left(17)))
}

/// Fails at the first action that differs. A replay leaves out calls ahead of time, which belong to no line of
/// the trace.
pub(crate) fn assert_same(expected: &[String], found: &[String], lines: &str) {
    let (expected, found) = (without_calls(expected), without_calls(found));
    let differs = expected.iter().zip(&found).position(|(a, b)| a != b);
    let at = differs.unwrap_or(expected.len().min(found.len()));
    let around = |all: &[String]| all[at.saturating_sub(4)..(at + 3).min(all.len())].join("\n");
    assert!(
        expected == found,
        "{} and {} actions, which differ from {at} on:\n{}\n-- replayed:\n{}\n-- of:\n{}",
        expected.len(),
        found.len(),
        around(&expected),
        around(&found),
        lines.chars().take(6_000).collect::<String>(),
    );
}

fn without_calls(actions: &[String]) -> Vec<String> {
    let is_call = |it: &str| {
        let mut works = ["warm", "look-ahead", "stop ahead"].into_iter();
        works.any(|work| it.starts_with(work))
    };
    let others = actions.iter().filter(|it| !is_call(it));
    others.cloned().collect()
}

fn said(fact: Fact<'_>, texts: Texts, name: &dyn Fn(RequestId) -> String) -> String {
    let spot = |spot: &Spot| format!("{} {}", document(&spot.document, texts), spot.at.get());
    let order = match fact {
        Fact::Order(order) => order,
        Fact::Note(note) => return noted_as(note, texts, name),
        Fact::Event(_) | Fact::Measurement(_) => return fact.to_string(),
    };
    match order {
        Order::AskEditor { spot: at, cause } => format!("ask {} {cause:?}", spot(at)),
        Order::Predict {
            request,
            spot: at,
            ask,
            threshold,
        } => format!(
            "predict {} {} {} {threshold}",
            name(*request),
            spot(at),
            ask.name()
        ),
        Order::GatherContext { request, spot: at } => {
            format!("gather {} {}", name(*request), spot(at))
        }
        Order::StartLane {
            request,
            lane,
            spot: at,
            ..
        } => format!("start {lane} {} {}", name(*request), spot(at)),
        Order::AskAhead(question) => format!(
            "{} {} {} {}",
            question.work().name(),
            question.call.get(),
            spot(&question.spot),
            question.at
        ),
        Order::StopAhead { call, reason } => format!("stop ahead {} {reason}", call.get()),
        Order::CancelLane {
            request,
            lane,
            reason,
        } => format!("stop {lane} {} {reason}", name(*request)),
        Order::Answer {
            request, answer, ..
        } => match answer {
            Answer::Withheld(reason) => format!("answer {} {reason}", name(*request)),
            Answer::Candidates(offers) => {
                let offers: Vec<_> = offers.iter().map(|it| offered(it, texts)).collect();
                format!("answer {} {}", name(*request), offers.join(" | "))
            }
        },
        Order::Resync { document: it } => format!("resync {}", document(it, texts)),
        Order::Join { request, older } => format!("joined {} {}", name(*request), name(*older)),
        Order::Rest { lane, millis } => format!("rests {lane} {millis}"),
        Order::Release {
            document: it,
            reason,
        } => format!("let go {} {reason}", document(it, texts)),
        Order::CheckQuota { lane } => format!("check quota {lane}"),
    }
}

fn noted_as(note: &Note, texts: Texts, name: &dyn Fn(RequestId) -> String) -> String {
    match note {
        Note::IgnoredEvent { reason, .. } => format!("ignored {reason}"),
        Note::Quiet {
            document: it,
            reason,
        } => format!("quiet {} {reason}", document(it, texts)),
        Note::Waits { request, millis } => format!("waits {} {millis}", name(*request)),
        Note::Spared {
            request,
            lane,
            reason,
        } => format!("spared {} {lane} {reason}", name(*request)),
        Note::PredictionDropped {
            request,
            ask,
            reason,
        } => format!("dropped {} {} {reason}", name(*request), ask.name()),
        Note::Held { request, lane } => format!("held {} {lane}", name(*request)),
        Note::AskedAhead { request, lane } => format!("asked ahead {} {lane}", name(*request)),
        Note::LooksElsewhere {
            request,
            lane,
            spot,
        } => {
            let at = spot.at;
            let about = document(&spot.document, texts);
            format!("looks elsewhere {} {lane} {at} {about}", name(*request))
        }
        Note::Late {
            request,
            lane,
            millis,
        } => format!("late {} {lane} {millis}", name(*request)),
        Note::TypedOver {
            suggestion,
            document: it,
            times,
        } => format!(
            "typed over {}.{} {} {times}",
            name(suggestion.request),
            suggestion.candidate,
            document(it, texts)
        ),
        Note::Remembered {
            rejection,
            document: it,
            edit: of,
        } => format!(
            "remembered {rejection} {} {}",
            document(it, texts),
            edit(of, texts)
        ),
        Note::Asleep { rejection, because } => format!("asleep {rejection} {because:?}"),
        Note::Awake { rejection, because } => format!("awake {rejection} {because:?}"),
        Note::Forgotten { rejection, because } => format!("forgotten {rejection} {because:?}"),
    }
}

fn offered(offer: &Offer, texts: Texts) -> String {
    let document = document(&offer.candidate.document, texts);
    let edit = edit(&offer.candidate.edit, texts);
    format!("{document} {edit} {} {:?}", offer.lane, offer.from)
}

fn edit(edit: &Edit, texts: Texts) -> String {
    let part = |it: &Replacement| match texts {
        Texts::Whole => it.to_string(),
        Texts::Shape => format!("{} -> {}", it.range(), it.new_text().len()),
    };
    let parts: Vec<_> = edit.replacements().iter().map(part).collect();
    parts.join(", ")
}

fn document(document: &DocumentId, texts: Texts) -> String {
    match texts {
        Texts::Whole => document.to_string(),
        Texts::Shape => document.scheme().unwrap_or_default().to_owned(),
    }
}
