//! `foretell man`: the manual, made from the command line itself.
//!
//! The page of the whole is printed; packagers get it and one for each command, in a directory.
//! Parts without a flag stand at the end of the first: files, variables and the exit status.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use foretell_engine::workspace::SETTINGS_FILE;

use crate::CommandLine;
use crate::failure::{CommandFailure, CommandOutcome, visible};

/// Print the manual page, or write those of all commands
///
/// To read it: foretell man | man -l -
#[derive(Args)]
pub(crate) struct ManCommand {
    /// Write foretell.1 and a page for each command into a directory
    #[arg(long, value_name = "DIRECTORY")]
    dir: Option<PathBuf>,
}

impl ManCommand {
    pub(crate) fn run(&self) -> Result<CommandOutcome, CommandFailure> {
        // Each command has a page instead.
        let mut command = CommandLine::command().disable_help_subcommand(true);
        command.build();
        let Some(directory) = &self.dir else {
            io::stdout().lock().write_all(&whole(&command)?)?;
            return Ok(CommandOutcome::Well);
        };
        write_all(&command, directory).map_err(|why| CommandFailure::NotWritten {
            name: directory.display().to_string(),
            why,
        })?;
        let directory = visible(directory.display());
        writeln!(io::stdout().lock(), "wrote {directory}")?;
        Ok(CommandOutcome::Well)
    }
}

fn write_all(command: &Command, directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    fs::write(
        directory.join(page(command).get_filename()),
        whole(command)?,
    )?;
    write_below(command, directory)
}

fn write_below(command: &Command, directory: &Path) -> io::Result<()> {
    for command in command.get_subcommands().filter(|it| !it.is_hide_set()) {
        page(command).generate_to(directory)?;
        write_below(command, directory)?;
    }
    Ok(())
}

fn page(command: &Command) -> Man {
    let source = format!("foretell {}", env!("CARGO_PKG_VERSION"));
    Man::new(command.clone()).source(source).manual("Foretell")
}

/// The page of the whole, with what is in no flag.
fn whole(command: &Command) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    page(command).render(&mut text)?;
    let mut more = Roff::new();
    section(
        &mut more,
        "FILES",
        &[
            (
                "config.toml",
                "Your own settings, in the directory foretell of the platform's config directory. \
                 foretell doctor says where that is, and foretell config init makes one",
            ),
            (
                SETTINGS_FILE,
                "The settings of a workspace: when to suggest, and what to exclude",
            ),
            (
                ".foretellignore",
                "Files of a workspace that are never sent, in the format of .gitignore",
            ),
        ],
    );
    section(
        &mut more,
        "ENVIRONMENT",
        &[
            (
                "FORETELL_NAME",
                "Sets a setting: FORETELL_PACE_BASE_MS is pace.baseMs. It beats files, and --set \
                 beats it",
            ),
            ("NO_COLOR", "Prints without colours"),
        ],
    );
    section(
        &mut more,
        "EXIT STATUS",
        &[
            ("0", "Done"),
            ("1", "Nothing found, or something is wrong"),
            ("2", "It failed, and standard error says why"),
        ],
    );
    more.to_writer(&mut text)?;
    Ok(text)
}

fn section(roff: &mut Roff, title: &str, entries: &[(&str, &str)]) {
    roff.control("SH", [title]);
    for (name, meaning) in entries {
        roff.control("TP", []);
        roff.text([roman(*name)]);
        roff.text([roman(*meaning)]);
    }
}
