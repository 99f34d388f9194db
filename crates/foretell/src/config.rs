//! `foretell config`: the settings as a person meets them.
//!
//! | part | what it is |
//! | --- | --- |
//! | `show` | what every setting is, and where that comes from |
//! | `init` | a file to begin with |
//!
//! It changes nothing but the file that `init` makes. What settings there are and what they mean is
//! `foretell-settings`.

mod init;
mod show;

use std::io::{self, Write};

use clap::{Args, Subcommand};

use crate::failure::{Done, Failure};

/// Show settings and where they come from, describe them, or make a file to begin with
#[derive(Args)]
pub(crate) struct Config {
    #[command(subcommand)]
    command: ConfigCommand,
}

#[derive(Subcommand)]
enum ConfigCommand {
    Show(show::Show),
    /// Print the JSON Schema of a settings file, for editors that check one
    Schema,
    Init(init::Init),
}

impl Config {
    pub(crate) fn run(&self) -> Result<Done, Failure> {
        match &self.command {
            ConfigCommand::Show(show) => show.run(),
            ConfigCommand::Schema => {
                let schema = foretell_settings::json_schema::schema();
                writeln!(io::stdout().lock(), "{schema:#}")?;
                Ok(Done::Well)
            }
            ConfigCommand::Init(init) => init.run(),
        }
    }
}
