//! `foretell index`: makes the index of a workspace, brings it up to date, and says what is in it.
//!
//! The one that a language server keeps is the same: whoever comes first writes it, and the other
//! finds what was written.

mod report;

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use clap::Args;
use foretell_index::{Index, Origin, Outcome};
use foretell_settings::{RawSettings, Settings};

use self::report::{About, Built};
use crate::code::{self, Bar};
use crate::failure::{Done, Failure};
use crate::settings::GivenSettings;
use crate::workspace::Workspaces;

/// Index a workspace, so that code that has to do with a place can be found
///
/// Reads only what changed since the last time. The exit status is 0, or 1 if --status finds no
/// index, or 2 if something cannot be read or written
#[derive(Args)]
pub(crate) struct IndexCommand {
    /// A directory of the workspace; the current one by default
    #[arg(value_name = "DIRECTORY", default_value = ".")]
    directory: PathBuf,

    /// Say what is in the index, and change nothing
    #[arg(long, conflicts_with = "rebuild")]
    status: bool,

    /// Throw the index away first
    #[arg(long)]
    rebuild: bool,

    /// Keep files that match a glob out; may be given several times
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,

    #[command(flatten)]
    settings: GivenSettings,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl IndexCommand {
    pub(crate) fn run(&self) -> Result<Done, Failure> {
        let directory = self.directory.canonicalize();
        let directory = directory.map_err(|why| Failure::Unreadable {
            name: self.directory.display().to_string(),
            why,
        })?;
        let given = self.settings.read()?;
        let workspaces = Workspaces::of_directory(&directory)?;
        workspaces.warn();
        let settings = self.resolve(&workspaces, given);
        let excluded = Arc::new(workspaces.excluded(&settings.context.exclude)?);
        if self.status && !code::is_kept(&workspaces.root, &settings)? {
            return self.print_absent(&workspaces);
        }
        let index = code::open(&workspaces, &settings, &excluded)?;
        let done = match self.status {
            true => self.print_status(&workspaces, &index)?,
            false => self.build(&workspaces, &index)?,
        };
        Ok(done)
    }

    fn resolve(&self, workspaces: &Workspaces, given: Vec<RawSettings>) -> Settings {
        let mut sources = vec![workspaces.settings.clone()];
        sources.extend(given);
        // What is wrong with them has been said.
        let (mut settings, _) = Settings::resolve(&sources);
        settings
            .context
            .exclude
            .extend(self.exclude.iter().cloned());
        settings
    }

    /// Brings the index up to date, and says what came of it.
    fn build(&self, workspaces: &Workspaces, index: &Index) -> Result<Done, Failure> {
        if self.rebuild {
            index.rebuild()?;
        }
        let flag = interrupted()?;
        let bar = Bar::new();
        let is_stopped = || flag.load(Ordering::Relaxed);
        let updated = index.update(&|progress| bar.follow(progress), &is_stopped);
        bar.end();
        let report = updated?;
        let about = About::of(workspaces, index)?;
        if report.outcome == Outcome::Stopped {
            let kept = match about.status.files {
                0 => "Nothing is kept; run it again to begin anew".to_owned(),
                files => format!("{files} files are kept; run it again to go on"),
            };
            return Err(Failure::Interrupted { kept });
        }
        let built = Built { about, report };
        let mut out = BufWriter::new(io::stdout().lock());
        match self.json {
            true => built.write_json(&mut out)?,
            false => built.write(&mut out)?,
        }
        out.flush()?;
        Ok(Done::Well)
    }

    fn print_status(&self, workspaces: &Workspaces, index: &Index) -> Result<Done, Failure> {
        let about = About::of(workspaces, index)?;
        let mut out = BufWriter::new(io::stdout().lock());
        match self.json {
            true => about.write_json(&mut out)?,
            false => about.write(&mut out)?,
        }
        out.flush()?;
        match index.origin() {
            Origin::Existing => Ok(Done::Well),
            Origin::New | Origin::Rebuilt { .. } => Ok(Done::NotSo),
        }
    }

    fn print_absent(&self, workspaces: &Workspaces) -> Result<Done, Failure> {
        if self.json {
            writeln!(io::stdout().lock(), "null")?;
            return Ok(Done::NotSo);
        }
        let root = workspaces.root.display();
        let mut talk = anstream::stderr().lock();
        writeln!(talk, "There is no index of {root}")?;
        writeln!(talk, "Make one with foretell index")?;
        Ok(Done::NotSo)
    }
}

/// A flag that is raised when the person interrupts the command. Interrupted again, it ends at once.
fn interrupted() -> Result<Arc<AtomicBool>, Failure> {
    let flag = Arc::new(AtomicBool::new(false));
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_io().build().map_err(Failure::Unstartable)?;
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
