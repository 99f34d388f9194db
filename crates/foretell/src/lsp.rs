//! `foretell lsp`: the language server over standard input and output.
//!
//! It reads the script, if there is one, before a word is said, and gives how the session ended an
//! exit status. Everything between is `foretell-lsp`.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use foretell_lsp::{Ended, Script, serve_stdio};

use crate::failure::{Done, Failure};

/// Serve an editor over standard input and output
///
/// The exit status is 0 if the editor shut the server down before it left, and 1 if it did not
#[derive(Args)]
pub(crate) struct Lsp {
    /// Let the FIM lane say what a JSON file has it say, for tests
    #[arg(long, value_name = "FILE", hide = true)]
    script: Option<PathBuf>,
}

impl Lsp {
    pub(crate) fn run(&self) -> Result<Done, Failure> {
        let script = self.script.as_deref().map(read_script).transpose()?;
        match serve_stdio(script.unwrap_or_default())? {
            Ended::AfterShutdown => Ok(Done::Well),
            Ended::WithoutShutdown => Ok(Done::NotSo),
        }
    }
}

fn read_script(path: &Path) -> Result<Script, Failure> {
    let name = path.display().to_string();
    let json = match fs::read_to_string(path) {
        Ok(json) => json,
        Err(why) => return Err(Failure::Unreadable { name, why }),
    };
    Script::from_json(&json).map_err(|why| Failure::BadScript { name, why })
}
