//! `foretell config`: the settings as a person meets them.
//!
//! | part | what it is |
//! | --- | --- |
//! | `show` | what every setting is, and where that comes from |
//! | `init` | a file to begin with |
//!
//! It changes nothing but the file that `init` makes. The settings and their meaning are in
//! `foretell-settings`.

mod init;
mod show;

use std::io::{self, Write};

use clap::{Args, Subcommand};

use crate::failure::{CommandFailure, CommandOutcome};

/// Show settings and where they come from, describe them, or make a settings file
#[derive(Args)]
pub(crate) struct ConfigCommand {
    #[command(subcommand)]
    command: ConfigSubcommand,
}

#[derive(Subcommand)]
enum ConfigSubcommand {
    Show(show::ShowCommand),
    /// Print the JSON Schema of a settings file, for editors that check one
    Schema,
    Init(init::InitCommand),
}

impl ConfigCommand {
    pub(crate) fn run(&self) -> Result<CommandOutcome, CommandFailure> {
        match &self.command {
            ConfigSubcommand::Show(show) => show.run(),
            ConfigSubcommand::Schema => {
                let schema = foretell_settings::json_schema::schema();
                writeln!(io::stdout().lock(), "{schema:#}")?;
                Ok(CommandOutcome::Well)
            }
            ConfigSubcommand::Init(init) => init.run(),
        }
    }
}
