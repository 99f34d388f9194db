//! What is kept: the index of the workspace, what lanes have used up today, and where all that is.

use std::path::Path;
use std::time::SystemTime;

use foretell_engine::usage::{Today, UsageState};
use foretell_engine::{Places, UsageFile};
use foretell_index::IndexStatus;
use foretell_settings::Settings;
use foretell_text::LaneKind;
use indicatif::HumanCount;

use super::report::{Finding, Verdict};
use crate::code;
use crate::failure::Failure;
use crate::index::ago;

const INDEX: &str = "index";

/// The index of a workspace.
pub(super) fn index(root: &Path, settings: &Settings) -> Finding {
    if !settings.index.enabled {
        return Finding::new(Verdict::Off, INDEX, "switched off");
    }
    let kept = match code::kept_of(root, settings) {
        Ok(Some(kept)) => kept,
        Ok(None) => {
            let says = format!("there is none of {} yet", root.display());
            let next = "It is made when a workspace is opened; or make it with foretell index";
            return Finding::new(Verdict::Note, INDEX, says).next(next);
        }
        Err(failure) => return broken(failure),
    };
    match kept.status() {
        Ok(status) => of_status(&status),
        Err(why) => broken(why.into()),
    }
}

fn of_status(status: &IndexStatus) -> Finding {
    let files = match status.files {
        1 => "1 file".to_owned(),
        files => format!("{} files", HumanCount(files as u64)),
    };
    let finding = match status.built {
        Some(built) => {
            let age = SystemTime::now().duration_since(built).unwrap_or_default();
            let says = format!("{files}, brought up to date {}", ago(age));
            Finding::new(Verdict::Well, INDEX, says).with("ageSeconds", age.as_secs())
        }
        None => Finding::new(Verdict::Note, INDEX, format!("{files}, never finished"))
            .next("Finish it with foretell index"),
    };
    finding.with("files", status.files)
}

fn broken(failure: Failure) -> Finding {
    let says = failure.problems().join("; ");
    Finding::new(Verdict::Wrong, INDEX, says).next("Make it anew with foretell index --rebuild")
}

/// What lanes with a limit by the day have used up.
pub(super) fn usage(settings: &Settings) -> Vec<Finding> {
    let mut findings = Vec::new();
    let file = Places::of_platform().usage();
    for lane in LaneKind::ALL {
        let limits = settings.lanes.of(lane);
        let (requests, tokens) = (limits.requests_per_day, limits.tokens_per_day);
        if requests.is_none() && tokens.is_none() {
            continue;
        }
        let used = file.as_ref().map(|it| it.read(Today::now().day, lane));
        let Some(used) = used else {
            let says = "there is no place to remember it: set HOME";
            findings.push(Finding::new(Verdict::Wrong, lane.name(), says));
            continue;
        };
        let counted = [
            (used.requests, requests, "requests"),
            (used.tokens, tokens, "tokens"),
        ];
        let counted = counted.iter().filter_map(|(used, limit, what)| {
            let limit = (*limit)?;
            let says = format!("{} of {} {what}", HumanCount(*used), HumanCount(limit));
            Some((says, *used >= limit))
        });
        let (says, is_over): (Vec<_>, Vec<_>) = counted.unzip();
        let says = format!("{} today", says.join(", "));
        let finding = match is_over.contains(&true) {
            true => Finding::new(Verdict::Note, lane.name(), says)
                .next("It is quiet until the day ends, at midnight UTC"),
            false => Finding::new(Verdict::Well, lane.name(), says),
        };
        let finding = finding.with("requests", used.requests);
        findings.push(finding.with("tokens", used.tokens));
    }
    if let Some(file) = file.filter(|_| !findings.is_empty()) {
        findings.extend(remembered(&file));
    }
    findings
}

/// How well it is remembered, if not as it should be: the machine goes on counting by itself.
fn remembered(file: &UsageFile) -> Option<Finding> {
    let (says, next) = match file.state() {
        UsageState::Kept | UsageState::Absent => return None,
        UsageState::Damaged => (
            "what was used up today cannot be understood".to_owned(),
            "It is counted anew from the next request on; remove what is there if it is not a file",
        ),
        UsageState::Unreadable(why) => (
            format!("what was used up today cannot be read: {why}"),
            "Until you may read it, each process counts for itself, and limits are for each",
        ),
        UsageState::Unwritable(why) => (
            format!("what is used up cannot be written down: {why}"),
            "Until you may write there, each process counts for itself, and limits are for each",
        ),
    };
    Some(Finding::new(Verdict::Note, "counts", says).next(next))
}

/// Where everything is.
pub(super) fn places(own: Option<&Path>, settings: &Settings) -> Vec<Finding> {
    let shown = |path: &Path| path.display().to_string();
    let log = match &settings.log.file {
        Some(file) => file.clone(),
        None => "not written to a file; log.file names one".to_owned(),
    };
    let nowhere = || "nowhere: set HOME".to_owned();
    let cache = code::place(settings).ok();
    let usage = Places::of_platform().state_dir;
    [
        ("settings", own.map_or_else(nowhere, shown)),
        ("cache", cache.as_deref().map_or_else(nowhere, shown)),
        ("usage", usage.as_deref().map_or_else(nowhere, shown)),
        ("log", log),
    ]
    .map(|(about, says)| Finding::new(Verdict::Plain, about, says))
    .into()
}
