//! The status as one screen for a person: what is wrong first, with what to do about it, then how
//! everything is.

use super::{LaneStatus, StatusReport, TokenLines};
use crate::measures::DurationSpread;
use crate::spoken::{bytes, count, one_line, per_cent, span};

pub(super) fn of(status: &StatusReport) -> String {
    let mut screen = vec![format!(
        "Foretell {} (protocol {})",
        status.version, status.protocol
    )];
    let wrong = wrong(status);
    if !wrong.is_empty() {
        screen.push(String::new());
        screen.extend(wrong);
    }
    screen.push(String::new());
    screen.push("Lanes".to_owned());
    screen.extend(status.lanes.iter().map(lane));
    screen.push(String::new());
    screen.push("Index".to_owned());
    if status.index.is_empty() {
        screen.push("  no folder is open".to_owned());
    }
    screen.extend(status.index.iter().map(|it| {
        let (files, chunks) = (it.files, it.chunks);
        let files = count(files, "file", "files");
        let chunks = count(chunks, "chunk", "chunks");
        let (folder, state) = (one_line(&it.folder), one_line(&it.state));
        format!(
            "  {folder}: {state}; {files}, {chunks}, {}",
            bytes(it.bytes)
        )
    }));
    screen.push(String::new());
    screen.extend(since_the_start(status));
    screen.push(String::new());
    screen.extend(settings(status));
    screen.join("\n") + "\n"
}

/// Everything that a person should do something about.
fn wrong(status: &StatusReport) -> Vec<String> {
    let mut wrong = Vec::new();
    for lane in status.lanes.iter().filter(|it| it.enabled) {
        let name = lane.lane;
        if let Some(why) = &lane.misconfigured {
            wrong.push(format!("! {name} cannot be asked: {why}"));
            continue;
        }
        let rests = lane
            .rests_ms
            .map(|it| format!(", and rests for another {}", span(it)));
        let rests = rests.unwrap_or_default();
        if let Some(fault) = &lane.fault {
            let what = if fault.was_asked {
                "failed"
            } else {
                "cannot be asked"
            };
            wrong.push(format!("! {name} {what}{rests}: {}", fault.words));
            wrong.push(format!("  {}", lane.look_into));
        }
        let used = &lane.used;
        let limits = [
            (
                "requests a minute",
                used.requests_last_minute,
                used.requests_per_minute,
            ),
            ("requests a day", used.requests_today, used.requests_per_day),
            ("tokens a day", used.tokens_today, used.tokens_per_day),
        ];
        for (what, used, limit) in limits {
            if let Some(limit) = limit.filter(|limit| used >= *limit) {
                wrong.push(format!("! {name} has reached its limit of {limit} {what}"));
            }
        }
    }
    let unkept = status.usage_unkept.iter();
    wrong.extend(unkept.map(|why| format!("! {}", one_line(why))));
    for file in &status.settings_files {
        let faults = file.faults.iter();
        wrong.extend(faults.map(|it| format!("! {}", one_line(it))));
    }
    wrong
}

fn lane(lane: &LaneStatus) -> String {
    let name = lane.lane;
    let whence = lane.whence.as_ref();
    let whence = whence.map_or(String::new(), |it| format!(", {it}"));
    if !lane.enabled {
        return format!("  {name:<9}  off{whence}");
    }
    let who = match (&lane.host, &lane.model) {
        (Some(host), Some(model)) => format!("{} at {host}, {model}", lane.kind),
        (Some(host), None) => format!("{} at {host}", lane.kind),
        (None, _) => lane.kind.to_owned(),
    };
    let who = who + &whence;
    let mut parts = vec![who, count(lane.calls, "call", "calls")];
    if lane.failures > 0 {
        parts.push(format!("{} failed", lane.failures));
    }
    if lane.late > 0 {
        parts.push(format!("{} too late", lane.late));
    }
    parts.extend(halves(lane.durations));
    if lane.raced > 0 {
        parts.push(format!("won {} of {}", lane.wins, lane.raced));
    }
    let used = &lane.used;
    if let Some(limit) = used.requests_per_day {
        parts.push(format!("{} of {limit} requests today", used.requests_today));
    }
    if let Some(limit) = used.tokens_per_day {
        parts.push(format!("{} of {limit} tokens today", used.tokens_today));
    }
    parts.extend(lane.tokens.and_then(tokens));
    if !lane.other_in.is_empty() {
        parts.push(format!("set up otherwise for {}", lane.other_in.join(", ")));
    }
    format!("  {name:<9}  {}", parts.join("; "))
}

/// What a server has read and written, and how fast it does.
fn tokens(tokens: TokenLines) -> Option<String> {
    let mut words = Vec::new();
    if tokens.prompt > 0 {
        let (prompt, written) = (tokens.prompt, tokens.written);
        let anew = tokens
            .read
            .map(|read| format!(", {read} of them read anew"));
        words.push(format!(
            "{prompt} tokens of prompts{}, {written} written",
            anew.unwrap_or_default()
        ));
    }
    let speed = [
        tokens
            .reads_per_second
            .map(|speed| format!("reads {speed}")),
        tokens
            .writes_per_second
            .map(|speed| format!("writes {speed}")),
    ];
    let speed: Vec<String> = speed.into_iter().flatten().collect();
    if !speed.is_empty() {
        words.push(format!("{} tokens a second", speed.join(" and ")));
    }
    (!words.is_empty()).then(|| words.join("; "))
}

fn since_the_start(status: &StatusReport) -> Vec<String> {
    let (counts, rates, measures) = (&status.counts, &status.rates, &status.measures);
    let share = |share: Option<f64>| share.map_or("nothing yet".to_owned(), per_cent);
    let took = |spread: DurationSpread| halves(spread).unwrap_or("nothing yet".to_owned());
    let rate = rates.triggers_per_minute.filter(|_| rates.has_minutes);
    let rate = rate.map_or(String::new(), |it| format!(", {it:.1} in an active minute"));
    let mut lines = vec![
        "Since the start".to_owned(),
        format!(
            "  {} of {} answered with something, {} of them carried along",
            counts.answered,
            count(counts.requests, "request", "requests"),
            counts.carried
        ),
        format!(
            "  {} shown, {} accepted, {} rejected, {} went away",
            counts.shown, counts.accepted, counts.rejected, counts.ignored
        ),
        format!("  {}{rate}", count(counts.triggers, "trigger", "triggers")),
        format!("  spared by the gate: {}", share(rates.gating)),
        format!("  rejected of shown: {}", share(rates.rejection)),
        format!(
            "  triggers rejected within 2 s: {}",
            share(rates.rejected_within2s)
        ),
        format!(
            "  trigger to suggestion: {} (aim: under 1 s)",
            took(measures.trigger_to_suggestion)
        ),
        format!(
            "  editor asks to suggestion: {}",
            took(measures.editor_to_suggestion)
        ),
    ];
    let calls = counts.ahead.values().sum::<u64>();
    if calls > 0 {
        lines.push(format!(
            "  ahead of time: {}, {} taken up; {}",
            count(calls, "call", "calls"),
            counts.ahead_taken,
            count(counts.ahead_tokens, "token", "tokens"),
        ));
    }
    if counts.second_looks > 0 {
        lines.push(format!(
            "  asked about another place: {}, {} with something",
            count(counts.second_looks, "time", "times"),
            counts.second_looks_found,
        ));
    }
    if let Some(memory) = status.memory_bytes {
        lines.push(format!("  memory: {}", bytes(memory)));
    }
    lines
}

fn settings(status: &StatusReport) -> Vec<String> {
    let mut lines = vec!["Settings".to_owned()];
    if status.settings_files.is_empty() {
        lines.push("  no file".to_owned());
    }
    lines.extend(status.settings_files.iter().map(|file| {
        let path = one_line(&file.path);
        match file.faults.len() as u64 {
            0 => format!("  {path}"),
            faults => format!("  {path}: {}", count(faults, "fault", "faults")),
        }
    }));
    lines
}

/// Half of them and nearly all of them took at most so long.
fn halves(spread: DurationSpread) -> Option<String> {
    let (half, most) = spread.p50_ms.zip(spread.p95_ms)?;
    let (half, most) = (span(half.into()), span(most.into()));
    Some(format!("half within {half}, 95 % within {most}"))
}
