//! `foretell config init`: makes a settings file in which everything is commented out.
//!
//! It is written beside its place and moved there, so that it is there whole or not at all, and never
//! over a file that somebody has written, unless they say so.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use foretell_engine::UserDirectories;
use foretell_index::make_private_directory;
use tempfile::NamedTempFile;

use crate::failure::{CommandFailure, CommandOutcome, visible};

/// Make a settings file with everything in it commented out
///
/// It goes where your own settings are read from. If there is a file already, it stays and the exit
/// status is 2, unless you give --force
#[derive(Args)]
pub(crate) struct InitCommand {
    /// Write this file instead of your own config.toml
    #[arg(long, value_name = "FILE")]
    path: Option<PathBuf>,

    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

impl InitCommand {
    pub(crate) fn run(&self) -> Result<CommandOutcome, CommandFailure> {
        let path = self.path.clone();
        let path = path.or_else(|| UserDirectories::of_platform().config_file);
        let path = path.ok_or(CommandFailure::NoPlaceForSettings)?;
        let name = path.display().to_string();
        if !self.force && fs::symlink_metadata(&path).is_ok() {
            return Err(CommandFailure::AlreadyThere { name });
        }
        let not_written = |why| CommandFailure::NotWritten {
            name: name.clone(),
            why,
        };
        // Where it is a link to a file, that file is meant.
        let path = fs::canonicalize(&path).unwrap_or(path);
        let file = beside(&path).map_err(not_written)?;
        let moved = if self.force {
            file.persist(&path)
        } else {
            file.persist_noclobber(&path)
        };
        moved.map_err(|moved| match moved.error.kind() {
            // Somebody else made one meanwhile.
            io::ErrorKind::AlreadyExists => CommandFailure::AlreadyThere { name: name.clone() },
            _ => not_written(moved.error),
        })?;
        writeln!(io::stdout().lock(), "wrote {}", visible(name))?;
        Ok(CommandOutcome::Well)
    }
}

/// All of it in a file of the same directory, which is gone if anything fails.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    make_private_directory(directory)?;
    let mut file = NamedTempFile::new_in(directory)?;
    file.write_all(foretell_settings::settings_template::template().as_bytes())?;
    file.as_file().sync_all()?;
    Ok(file)
}
