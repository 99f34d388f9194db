//! `foretell eval --live`: every next edit that somebody would have been shown, and what became of it.
//!
//! | module | what it is |
//! | --- | --- |
//! | `drawn_edits` | what is on the screen while a session is played, and when |
//! | `offer_fate` | what became of one next edit: done next, later, or never |
//! | `typed_session` | a commit as a session: somebody types it, key by key |
//! | `live_report` | a line for each next edit, the table and the JSON |

mod drawn_edits;
mod live_report;
mod offer_fate;
mod typed_session;

use std::io;

use foretell_settings::SettingsFault;
use foretell_trace::{LaneSource, Replay, ReplayOptions, RequestSource, Trace};

use super::git_history::RepositoryHistory;
use super::typing::{self, HistoryPart, HistorySpan};
use crate::embedded_answerer::EmbeddedAnswerer;
use drawn_edits::DrawnEdits;
pub(super) use live_report::LiveReport;
use live_report::PlayedSession;
use typed_session::TypedRepository;

/// Plays a recorded session.
pub(super) fn play(trace: &Trace) -> Result<PlayedSession, Vec<SettingsFault>> {
    let answerer = EmbeddedAnswerer::default();
    let options = ReplayOptions {
        requests: RequestSource::Everything,
        lanes: LaneSource::Asked {
            by: &answerer,
            latency: 0,
        },
        ..ReplayOptions::default()
    };
    let mut replay = Replay::new(trace, &[], options)?;
    let mut drawn = DrawnEdits::default();
    while let Some(turn) = replay.advance() {
        drawn.follow(&turn, replay.core());
    }
    Ok(PlayedSession {
        name: trace.source().to_owned(),
        active_millis: replay.summary().counts.active_millis,
        offers: drawn.finish(replay.core()),
    })
}

/// Types one of so many commits of a repository, each as a session.
pub(super) fn type_repository(
    span: HistorySpan<'_>,
    every: usize,
    report: &mut LiveReport,
) -> io::Result<()> {
    let is_wanted = &typing::is_typed;
    let history = RepositoryHistory::read(span.repository, span.since, span.until, is_wanted)?;
    let is_typed = typing::typed_commits(history.commits.len(), every, HistoryPart::Asked);
    let mut repository = TypedRepository::new(&history.base);
    let name = typing::repository_name(span.repository);
    report.begin("repository", name);
    for (at, commit) in history.commits.iter().enumerate() {
        if is_typed(at)
            && let Some(trace) = repository.session(commit)
        {
            // Such a session sets nothing that could be at fault.
            report.extend(play(&trace).ok());
        }
        repository.put(commit);
    }
    Ok(())
}
