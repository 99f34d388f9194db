//! `foretell clean`: removes what Foretell keeps on disk and makes anew: the indexes of workspaces, and how
//! the person types.
//!
//! Only what an index is made of is deleted, and only in directories that are named like those of
//! indexes, whatever directory the settings name; everything else stays, and so does an index that
//! another process is writing or has open, where it would only be made anew.

use std::fs;
use std::io::{self, Write};

use clap::Args;
use foretell_engine::UserDirectories;
use foretell_settings::Settings;
use indicatif::HumanBytes;

use crate::failure::{CommandFailure, CommandOutcome, visible, warn, with_causes};
use crate::given_settings::GivenSettings;
use crate::workspace_index;

/// Remove what Foretell keeps on disk: the indexes of all workspaces, and how you type
///
/// They are rebuilt when needed, and how you type is learned anew. Your settings and today's usage counts stay. The exit status is 0, or 1
/// if one could not be removed, or 2 if the settings cannot be read
#[derive(Args)]
pub(crate) struct CleanCommand {
    /// List what would be removed, and remove nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    settings: GivenSettings,
}

impl CleanCommand {
    pub(crate) fn run(&self) -> Result<CommandOutcome, CommandFailure> {
        let (settings, _) = Settings::resolve(&self.settings.with_own()?);
        let all = workspace_index::place(&settings)?;
        let kept = foretell_index::kept_in(&all);
        let mut out = io::stdout().lock();
        let mut done = self.forget_typing(&mut out)?;
        if kept.is_empty() {
            writeln!(out, "nothing is kept in {}", visible(all.display()))?;
            return Ok(done);
        }
        for index in kept {
            let of = index.workspace.as_ref().unwrap_or(&index.directory);
            let (of, size) = (visible(of.display()), HumanBytes(index.bytes));
            if index.is_open() {
                warn(format!(
                    "the index of {of} stays: a server has it open; close that editor and try again"
                ));
                done = CommandOutcome::NotSo;
                continue;
            }
            let what = if self.dry_run {
                "would remove"
            } else {
                match index.remove() {
                    Ok(()) => "removed",
                    Err(why) => {
                        let why = visible(with_causes(&why));
                        warn(format!("the index of {of} stays: {why}"));
                        done = CommandOutcome::NotSo;
                        continue;
                    }
                }
            };
            writeln!(out, "{what} the index of {of} ({size})")?;
        }
        if !self.dry_run {
            // They stay if there is anything else in them.
            let _ = fs::remove_dir(&all);
            if settings.index.dir.is_none() {
                let _ = all.parent().map(fs::remove_dir);
            }
        }
        Ok(done)
    }

    /// Removes how the person types.
    fn forget_typing(&self, out: &mut impl Write) -> Result<CommandOutcome, CommandFailure> {
        let places = UserDirectories::of_platform();
        let Some(file) = places.typing().filter(|file| file.path().exists()) else {
            return Ok(CommandOutcome::Well);
        };
        let path = visible(file.path().display());
        if self.dry_run {
            writeln!(out, "would remove how you type ({path})")?;
            return Ok(CommandOutcome::Well);
        }
        match file.forget() {
            Ok(_) => {
                writeln!(out, "removed how you type ({path})")?;
                Ok(CommandOutcome::Well)
            }
            Err(why) => {
                let why = visible(with_causes(&why));
                warn(format!("how you type stays in {path}: {why}"));
                Ok(CommandOutcome::NotSo)
            }
        }
    }
}
