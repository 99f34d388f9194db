//! `foretell completions`: what makes a shell complete our commands, made from the command line
//! itself.

use std::io::{self, Write};

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::CommandLine;
use crate::failure::{CommandFailure, CommandOutcome};

/// Print shell completions for foretell
///
/// For bash: foretell completions bash > ~/.local/share/bash-completion/completions/foretell
#[derive(Args)]
pub(crate) struct CompletionsCommand {
    /// The shell
    shell: Shell,
}

impl CompletionsCommand {
    pub(crate) fn run(&self) -> Result<CommandOutcome, CommandFailure> {
        let mut command = CommandLine::command();
        let name = command.get_name().to_owned();
        // It does not take no for an answer, so that it writes where there is always room.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, name, &mut script);
        io::stdout().lock().write_all(&script)?;
        Ok(CommandOutcome::Well)
    }
}
