//! The index of a workspace, for every command that needs it: bringing it up to date, and a bar that
//! shows how far that is.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use foretell_engine::context_source::NoIndex;
use foretell_engine::reexports::Redactor;
use foretell_engine::workspace_code::{WorkspaceCode, index_options};
use foretell_engine::{ExcludedFiles, FileWorkspaces, UserDirectories};
use foretell_index::{
    BuildOutcome, BuildProgress, BuildReport, Index, KeptIndex, StoreOrigin, directory_for, kept_at,
};
use foretell_settings::Settings;
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::failure::{CommandFailure, warn};

/// Where all indexes are kept.
pub(crate) fn place(settings: &Settings) -> Result<PathBuf, CommandFailure> {
    Ok(UserDirectories::of_platform().indexes(settings)?)
}

/// The index of a workspace as it is on disk.
pub(crate) fn open(
    workspaces: &FileWorkspaces,
    settings: &Settings,
    excluded: &Arc<ExcludedFiles>,
) -> Result<Index, CommandFailure> {
    let root = &workspaces.root;
    let directory = directory_for(&place(settings)?, root);
    let most_files = settings.index.max_files;
    let options = index_options(
        root,
        directory,
        most_files,
        Arc::clone(excluded),
        Redactor::new(),
    );
    Ok(Index::open(options)?)
}

/// The kept index of a workspace, which may be damaged.
pub(crate) fn kept_of(
    root: &Path,
    settings: &Settings,
) -> Result<Option<KeptIndex>, CommandFailure> {
    Ok(kept_at(&directory_for(&place(settings)?, root)))
}

/// The code of a workspace, brought up to date; or why there is none.
///
/// A directory that is no workspace is indexed only if the person asked for that once: it may be their home.
pub(crate) fn of_workspace(
    workspaces: &FileWorkspaces,
    settings: &Settings,
    excluded: &Arc<ExcludedFiles>,
) -> Result<Arc<WorkspaceCode>, NoIndex> {
    if !settings.index.enabled || !settings.context.providers.semantic.enabled {
        return Err(NoIndex::SwitchedOff);
    }
    let is_known = || kept_of(&workspaces.root, settings).is_ok_and(|it| it.is_some());
    if !workspaces.is_one && !is_known() {
        return Err(NoIndex::NoWorkspace);
    }
    let index = open(workspaces, settings, excluded).map_err(|failure| {
        warn_of(failure);
        NoIndex::Unusable
    })?;
    let bar = UpdateBar::new();
    let updated = index.update(&|progress| bar.follow(progress), &|| false);
    bar.end();
    match updated {
        Ok(report) => {
            if let Some(why) = made_anew(&index, &report) {
                warn(format!("the index was made anew: {why}"));
            }
            let is_begun = report.outcome == BuildOutcome::WrittenByAnother && !index.was_built();
            if is_begun {
                warn("related code may be missing: another Foretell has yet to finish the index");
            }
        }
        Err(error) => warn_of(error.into()),
    }
    Ok(Arc::new(WorkspaceCode::new(Arc::new(index))))
}

/// Why what was kept had to be thrown away, if it had to: when it was opened, or in an update.
pub(crate) fn made_anew(index: &Index, report: &BuildReport) -> Option<String> {
    match index.origin() {
        StoreOrigin::Rebuilt { why } => Some(why.clone()),
        StoreOrigin::Existing | StoreOrigin::New => report.rebuilt.clone(),
    }
}

/// The index of before is still searched.
fn warn_of(failure: CommandFailure) {
    for problem in failure.problems() {
        warn(format!("related code may be missing: {problem}"));
    }
}

/// How far an update is, on a terminal.
pub(crate) struct UpdateBar {
    bar: ProgressBar,
}

impl UpdateBar {
    pub(crate) fn new() -> Self {
        let bar = if io::stderr().is_terminal() {
            ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
        } else {
            ProgressBar::hidden()
        };
        UpdateBar {
            bar: bar.with_style(style("indexing {spinner} {pos} of {msg} or more files")),
        }
    }

    pub(crate) fn follow(&self, progress: BuildProgress) {
        if !progress.is_all_found {
            self.bar.set_message(progress.found.to_string());
        } else if self.bar.length().is_none() {
            self.bar.set_length(progress.found as u64);
            let known = "indexing [{bar:40}] {pos} of {len} files, {msg} lines, {eta} left";
            self.bar.set_style(style(known));
        } else {
            self.bar.set_message(HumanCount(progress.lines).to_string());
        }
        self.bar.set_position(progress.done as u64);
    }

    /// Takes the bar away.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    style.progress_chars("=> ")
}
