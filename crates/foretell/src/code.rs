//! The index of a workspace, for every command that needs it: where it is kept, bringing it up to
//! date, and a bar that shows how far that is.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use etcetera::BaseStrategy;
use foretell_context::sources::semantic::FindChunks;
use foretell_engine::ExcludedFiles;
use foretell_engine::code::{WorkspaceCode, index_options};
use foretell_engine::source::NoIndex;
use foretell_index::{Index, Progress, UpdateError, directory_for, kept_in};
use foretell_settings::Settings;
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::failure::{Failure, warn, with_causes};
use crate::workspace::Workspaces;

/// Where all indexes are kept: where the person says, or in their cache directory.
pub(crate) fn place(settings: &Settings) -> Result<PathBuf, Failure> {
    if let Some(directory) = &settings.index.dir {
        return Ok(PathBuf::from(directory));
    }
    let native = etcetera::base_strategy::choose_native_strategy();
    let native = native.map_err(|_| Failure::Nowhere)?;
    Ok(native.cache_dir().join("foretell").join("index"))
}

/// The index of a workspace as it is on disk.
pub(crate) fn open(
    workspaces: &Workspaces,
    settings: &Settings,
    excluded: &Arc<ExcludedFiles>,
) -> Result<Index, Failure> {
    let root = &workspaces.root;
    let directory = directory_for(&place(settings)?, root);
    let most_files = settings.index.max_files;
    let options = index_options(root, directory, most_files, Arc::clone(excluded) as _);
    Ok(Index::open(options)?)
}

/// Whether there is an index of a workspace.
pub(crate) fn is_kept(root: &Path, settings: &Settings) -> Result<bool, Failure> {
    let all = place(settings)?;
    let directory = directory_for(&all, root);
    Ok(kept_in(&all).iter().any(|it| it.directory == directory))
}

/// The code of a workspace, brought up to date; or why there is none.
///
/// What is no workspace is indexed only if the person asked for that once: it may be their home.
pub(crate) fn of_workspace(
    workspaces: &Workspaces,
    settings: &Settings,
    excluded: &Arc<ExcludedFiles>,
    bar: &Bar,
) -> Result<Arc<dyn FindChunks>, NoIndex> {
    if !settings.index.enabled || !settings.context.providers.semantic.enabled {
        return Err(NoIndex::SwitchedOff);
    }
    let is_known = || is_kept(&workspaces.root, settings).is_ok_and(|it| it);
    if !workspaces.is_one && !is_known() {
        return Err(NoIndex::NoWorkspace);
    }
    let index = open(workspaces, settings, excluded).map_err(|failure| {
        if let Failure::Index(error) = &failure {
            warn_of(error);
        }
        NoIndex::Unusable
    })?;
    let updated = index.update(&|progress| bar.follow(progress), &|| false);
    bar.end();
    if let Err(error) = updated {
        warn_of(&error);
    }
    Ok(Arc::new(WorkspaceCode::new(Arc::new(index))))
}

/// What was kept before is still found.
fn warn_of(error: &UpdateError) {
    let error = with_causes(error);
    warn(format!("related code may be missing: {error}"));
}

/// How far an update is, on a terminal.
pub(crate) struct Bar {
    bar: ProgressBar,
}

impl Bar {
    pub(crate) fn new() -> Self {
        let bar = match io::stderr().is_terminal() {
            true => ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()),
            false => ProgressBar::hidden(),
        };
        Bar {
            bar: bar.with_style(style("indexing {spinner} {pos} of {msg} or more files")),
        }
    }

    pub(crate) fn follow(&self, progress: Progress) {
        match progress.is_all_found {
            true if self.bar.length().is_none() => {
                self.bar.set_length(progress.found as u64);
                let known = "indexing [{bar:40}] {pos} of {len} files, {msg} lines, {eta} left";
                self.bar.set_style(style(known));
            }
            true => self.bar.set_message(HumanCount(progress.lines).to_string()),
            false => self.bar.set_message(progress.found.to_string()),
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
