//! The files that Foretell keeps: the index of the workspace, and the usage of lanes today.

use std::path::Path;
use std::time::SystemTime;

use foretell_engine::usage::{DayTime, UsageState};
use foretell_engine::{UsageFile, UserDirectories};
use foretell_index::IndexStatus;
use foretell_settings::Settings;
use foretell_text::LaneKind;
use indicatif::HumanCount;

use super::doctor_report::{DoctorFinding, FindingVerdict};
use crate::failure::CommandFailure;
use crate::index_command::ago;
use crate::workspace_index;

const INDEX: &str = "index";

/// The index of a workspace.
pub(super) fn index(root: &Path, settings: &Settings) -> DoctorFinding {
    if !settings.index.enabled {
        return DoctorFinding::new(FindingVerdict::Off, INDEX, "switched off");
    }
    let kept = match workspace_index::kept_of(root, settings) {
        Ok(Some(kept)) => kept,
        Ok(None) => {
            let says = format!("there is none of {} yet", root.display());
            let next = "It is made when a workspace is opened; or make it with foretell index";
            return DoctorFinding::new(FindingVerdict::Note, INDEX, says).next(next);
        }
        Err(failure) => return broken(failure),
    };
    match kept.status() {
        Ok(status) => of_status(&status),
        Err(why) => broken(why.into()),
    }
}

fn of_status(status: &IndexStatus) -> DoctorFinding {
    let files = match status.files {
        1 => "1 file".to_owned(),
        files => format!("{} files", HumanCount(files as u64)),
    };
    let finding = match status.built {
        Some(built) => {
            let age = SystemTime::now().duration_since(built).unwrap_or_default();
            let says = format!("{files}, brought up to date {}", ago(age));
            DoctorFinding::new(FindingVerdict::Well, INDEX, says).with("ageSeconds", age.as_secs())
        }
        None => DoctorFinding::new(
            FindingVerdict::Note,
            INDEX,
            format!("{files}, never finished"),
        )
        .next("Finish it with foretell index"),
    };
    finding.with("files", status.files)
}

fn broken(failure: CommandFailure) -> DoctorFinding {
    let says = failure.problems().join("; ");
    DoctorFinding::new(FindingVerdict::Wrong, INDEX, says)
        .next("Make it anew with foretell index --rebuild")
}

/// The usage of lanes with a limit by the day.
pub(super) fn usage(settings: &Settings) -> Vec<DoctorFinding> {
    let mut findings = Vec::new();
    let file = UserDirectories::of_platform().usage();
    for lane in LaneKind::ALL {
        let limits = settings.lanes.of(lane);
        let (requests, tokens) = (limits.requests_per_day, limits.tokens_per_day);
        if requests.is_none() && tokens.is_none() {
            continue;
        }
        let used = file.as_ref().map(|it| it.read(DayTime::now().day, lane));
        let Some(used) = used else {
            let says = "there is no place to remember it: set HOME";
            findings.push(DoctorFinding::new(FindingVerdict::Wrong, lane.name(), says));
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
        let finding = if is_over.contains(&true) {
            DoctorFinding::new(FindingVerdict::Note, lane.name(), says)
                .next("It is quiet until the day ends, at midnight UTC")
        } else {
            DoctorFinding::new(FindingVerdict::Well, lane.name(), says)
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
fn remembered(file: &UsageFile) -> Option<DoctorFinding> {
    let (says, next) = match file.state() {
        UsageState::Kept | UsageState::Absent => return None,
        UsageState::Damaged => (
            "today's usage cannot be understood".to_owned(),
            "Foretell counts anew from the next request on; if it is not a file, remove it",
        ),
        UsageState::Unreadable(why) => (
            format!("today's usage cannot be read: {why}"),
            "Make it readable; until then each process has the limits to itself",
        ),
        UsageState::Unwritable(why) => (
            format!("usage cannot be written: {why}"),
            "Make that place writable; until then each process has the limits to itself",
        ),
    };
    Some(DoctorFinding::new(FindingVerdict::Note, "counts", says).next(next))
}

/// Where everything is.
pub(super) fn places(own: Option<&Path>, settings: &Settings) -> Vec<DoctorFinding> {
    let shown = |path: &Path| path.display().to_string();
    let log = match &settings.log.file {
        Some(file) => file.clone(),
        None => "not written to a file; log.file names one".to_owned(),
    };
    let nowhere = || "nowhere: set HOME".to_owned();
    let cache = workspace_index::place(settings).ok();
    let usage = UserDirectories::of_platform().state_dir;
    [
        ("settings", own.map_or_else(nowhere, shown)),
        ("cache", cache.as_deref().map_or_else(nowhere, shown)),
        ("usage", usage.as_deref().map_or_else(nowhere, shown)),
        ("log", log),
    ]
    .map(|(about, says)| DoctorFinding::new(FindingVerdict::Plain, about, says))
    .into()
}
