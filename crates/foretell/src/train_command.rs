//! `foretell train`: makes the weights of the embedded language model from repositories.
//!
//! For those who work on Foretell: what is shipped was made by it. The same repositories and revisions
//! give the same bytes. What is written are numbers only; no text of a repository is in them.

use std::fs;
use std::path::PathBuf;

use clap::Args;

use crate::eval_command::typing::{self, HistorySpan};
use crate::failure::{CommandFailure, CommandOutcome};

/// Make the weights of the embedded language model from the history of repositories
///
/// Their commits are typed, the weights are made from what was asked by then, and a part of the commits is
/// typed again to find out what comes true. It takes hours for large repositories; --every types a part
#[derive(Args)]
pub(crate) struct TrainCommand {
    /// The repositories
    #[arg(required = true, value_name = "REPOSITORY")]
    repositories: Vec<PathBuf>,

    /// The revision to begin with, or a date (2019-07-01): the last commit before it
    #[arg(long, value_name = "REV")]
    since: String,

    /// The last revision, or a date
    #[arg(long, value_name = "REV")]
    until: String,

    /// Type one of so many commits, in two stretches
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    every: u16,

    /// The file to write
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
}

impl TrainCommand {
    pub(crate) fn run(&self) -> Result<CommandOutcome, CommandFailure> {
        let (since, until) = (self.since.as_str(), self.until.as_str());
        let span = |repository| HistorySpan {
            repository,
            since,
            until,
        };
        let spans: Vec<HistorySpan<'_>> = self
            .repositories
            .iter()
            .map(|it| span(it.as_path()))
            .collect();
        let weights =
            typing::train(&spans, usize::from(self.every)).map_err(CommandFailure::NoHistory)?;
        fs::write(&self.output, weights)?;
        Ok(CommandOutcome::Well)
    }
}
