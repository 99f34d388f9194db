//! `foretell index`: makes the index of a workspace, brings it up to date, and says what is in it.
//!
//! The one that a language server keeps is the same: the first process writes it, and this command
//! waits until it is its turn, since it is done only when the index is as the workspace is.

mod index_report;

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use clap::Args;
use foretell_engine::{FileWorkspaces, UserDirectories};
use foretell_index::{BuildOutcome, BuildReport, Index, KeptIndex};

pub(crate) use self::index_report::ago;
use self::index_report::{IndexContents, IndexUpdate};
use crate::failure::{CommandFailure, CommandOutcome, real_directory, visible, warn};
use crate::given_settings::{GivenSettings, in_workspace};
use crate::workspace_index::{self, UpdateBar};

/// How often it is tried again while another process writes.
const TRY_EVERY: Duration = Duration::from_millis(100);

/// Index a workspace, so that related code can be found
///
/// Reads only what has changed, and waits while another Foretell writes the index. The exit status is 0,
/// or 1 if --status finds no index, or 2 if something cannot be read or written, or 130 if you interrupt
/// it, which keeps what was read by then
#[derive(Args)]
pub(crate) struct IndexCommand {
    /// A directory of the workspace; the current one by default
    #[arg(value_name = "DIRECTORY", default_value = ".")]
    directory: PathBuf,

    /// Show what is in the index, and change nothing
    #[arg(long, conflicts_with = "rebuild")]
    status: bool,

    /// Remove the index first
    #[arg(long)]
    rebuild: bool,

    /// Leave out files that match a glob; may be given several times
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,

    #[command(flatten)]
    settings: GivenSettings,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl IndexCommand {
    pub(crate) fn run(&self) -> Result<CommandOutcome, CommandFailure> {
        let directory = real_directory(&self.directory)?;
        let given = self.settings.with_own()?;
        let here = std::env::current_dir().unwrap_or_default();
        let workspaces = FileWorkspaces::of_directory(&directory, &here)?;
        workspaces.faults.iter().map(visible).for_each(warn);
        let (settings, faults) = in_workspace(&workspaces, given);
        faults.iter().map(visible).for_each(warn);
        let globs = [&settings.context.exclude[..], &self.exclude].concat();
        let home = UserDirectories::of_platform().home;
        let excluded = Arc::new(workspaces.excluded(&globs, home.as_deref())?);
        let kept = workspace_index::kept_of(&workspaces.root, &settings)?;
        match kept {
            Some(kept) if self.status => return self.print_status(&workspaces, &kept),
            None if self.status => return self.print_absent(&workspaces),
            // Before it is opened, which may be what cannot be done.
            Some(kept) if self.rebuild => kept.remove()?,
            _ => {}
        }
        let index = workspace_index::open(&workspaces, &settings, &excluded)?;
        self.build(&workspaces, &index)
    }

    /// Brings the index up to date, and says what came of it.
    fn build(
        &self,
        workspaces: &FileWorkspaces,
        index: &Index,
    ) -> Result<CommandOutcome, CommandFailure> {
        let report = update(index)?;
        let about = IndexContents::of(workspaces, index, &report)?;
        if report.outcome != BuildOutcome::Finished {
            let kept = match about.status.files {
                0 => "Nothing is kept; run it again to begin anew".to_owned(),
                files => format!("{files} files are kept; run it again to go on"),
            };
            return Err(CommandFailure::Interrupted { kept });
        }
        let built = IndexUpdate { about, report };
        let mut out = BufWriter::new(io::stdout().lock());
        if self.json {
            built.write_json(&mut out)?
        } else {
            built.write(&mut out)?
        }
        out.flush()?;
        Ok(CommandOutcome::Well)
    }

    fn print_status(
        &self,
        workspaces: &FileWorkspaces,
        kept: &KeptIndex,
    ) -> Result<CommandOutcome, CommandFailure> {
        let about = IndexContents::of_kept(workspaces, kept)?;
        let mut out = BufWriter::new(io::stdout().lock());
        if self.json {
            about.write_json(&mut out)?
        } else {
            about.write(&mut out)?
        }
        out.flush()?;
        Ok(CommandOutcome::Well)
    }

    fn print_absent(&self, workspaces: &FileWorkspaces) -> Result<CommandOutcome, CommandFailure> {
        if self.json {
            writeln!(io::stdout().lock(), "null")?;
            return Ok(CommandOutcome::NotSo);
        }
        let root = visible(workspaces.root.display());
        let mut talk = anstream::stderr().lock();
        writeln!(talk, "There is no index of {root}")?;
        writeln!(talk, "Make one with foretell index")?;
        Ok(CommandOutcome::NotSo)
    }
}

/// Brings an index up to date, as soon as no other process writes it; unless the person interrupts it.
fn update(index: &Index) -> Result<BuildReport, CommandFailure> {
    let flag = interrupted()?;
    let is_stopped = || flag.load(Ordering::Relaxed);
    let mut is_told = false;
    loop {
        let bar = UpdateBar::new();
        let updated = index.update(&|progress| bar.follow(progress), &is_stopped);
        bar.end();
        let report = updated?;
        if report.outcome != BuildOutcome::WrittenByAnother || is_stopped() {
            return Ok(report);
        }
        if !is_told {
            let mut talk = anstream::stderr().lock();
            writeln!(
                talk,
                "Another Foretell is writing the index; waiting for it"
            )?;
            is_told = true;
        }
        thread::sleep(TRY_EVERY);
    }
}

/// A flag that is raised when the person interrupts the command. Interrupted again, it ends at once.
fn interrupted() -> Result<Arc<AtomicBool>, CommandFailure> {
    let flag = Arc::new(AtomicBool::new(false));
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime
        .enable_io()
        .build()
        .map_err(CommandFailure::Unstartable)?;
    let raised = Arc::clone(&flag);
    let listen = async move {
        // Where it cannot be heard, the system ends the command, which does no harm either.
        while tokio::signal::ctrl_c().await.is_ok() {
            if raised.swap(true, Ordering::Relaxed) {
                process::exit(130);
            }
        }
    };
    // It ends with the process.
    thread::spawn(move || runtime.block_on(listen));
    Ok(flag)
}
