//! The `foretell` binary: the command line.
//!
//! It decides nothing about suggestions. Each command has a file of its own, which brings together
//! the crates that do the work; what went wrong becomes words in [`failure`] and nowhere else.

mod clean;
mod complete;
mod completions;
mod config;
mod context;
mod daily_limits;
mod doctor;
mod embedded_answerer;
mod environment;
mod eval;
mod failure;
mod given_settings;
mod index;
mod lsp;
mod man;
mod replay;
mod workspace_index;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Decide when to ask for a suggestion, what to tell the model, which answer to show, and what
/// never to show again
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Clean(clean::CleanCommand),
    Complete(complete::CompleteCommand),
    Completions(completions::CompletionsCommand),
    Config(config::ConfigCommand),
    Context(context::ContextCommand),
    Doctor(doctor::DoctorCommand),
    Eval(eval::EvalCommand),
    Index(index::IndexCommand),
    Lsp(lsp::LspCommand),
    Man(man::ManCommand),
    Replay(replay::ReplayCommand),
}

fn main() -> ExitCode {
    // The message of a panic may quote a document, so that only its place is printed.
    std::panic::set_hook(Box::new(|panic| failure::say_where(panic.location())));
    let done = match CommandLine::parse().command {
        Command::Clean(clean) => clean.run(),
        Command::Complete(complete) => complete.run(),
        Command::Completions(completions) => completions.run(),
        Command::Config(config) => config.run(),
        Command::Context(context) => context.run(),
        Command::Doctor(doctor) => doctor.run(),
        Command::Eval(eval) => eval.run(),
        Command::Index(index) => index.run(),
        Command::Lsp(lsp) => lsp.run(),
        Command::Man(man) => man.run(),
        Command::Replay(replay) => replay.run(),
    };
    match done {
        Ok(found) => found.into(),
        Err(failure) => failure.explain(),
    }
}
