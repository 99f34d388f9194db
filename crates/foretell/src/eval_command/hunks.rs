//! `foretell eval --hunks`: how often the embedded next edits foresee the next hunk of a commit.
//!
//! | module | what it is |
//! | --- | --- |
//! | `played_commit` | a commit, made hunk by hunk in a machine that is asked before each |
//! | `hunk_class` | which hunks are renames, and which say the same again |
//! | `hunk_report` | the table and the JSON |

mod hunk_class;
mod hunk_report;
mod played_commit;

use std::io;

use super::commit_files::{CommitFiles, added_lines};
use super::git_history::RepositoryHistory;
use super::typing::{HistorySpan, MOST_LINES, is_typed, repository_name};
use crate::embedded_answerer::EmbeddedAnswerer;
pub(super) use hunk_report::HunkReport;
use played_commit::PlayedCommit;

/// Makes the commits of repositories, one after the other.
pub(super) fn score_repositories(spans: &[HistorySpan<'_>]) -> io::Result<HunkReport> {
    let mut report = HunkReport::default();
    let answerer = EmbeddedAnswerer::default();
    for span in spans {
        let history = RepositoryHistory::read(span.repository, span.since, span.until, &is_typed)?;
        let mut files = CommitFiles::new(&history.base);
        report.begin(repository_name(span.repository));
        for commit in &history.commits {
            if added_lines(commit) <= MOST_LINES {
                let played = PlayedCommit::new(commit, &files);
                report.add(&commit.name, played.asked(&answerer));
            }
            files.put(commit);
        }
    }
    Ok(report)
}
