//! The `foretell` binary: the command line.
//!
//! It decides nothing about suggestions. Each command has a file of its own, which brings together
//! the crates that do the work; what went wrong becomes words in [`failure`] and nowhere else.

mod clean_command;
mod complete_command;
mod completions_command;
mod config_command;
mod context_command;
mod daily_limits;
mod doctor_command;
mod embedded_answerer;
mod environment;
mod eval_command;
mod failure;
mod given_settings;
mod index_command;
mod lsp_command;
mod man_command;
mod replay_command;
mod setup_command;
mod train_command;
mod workspace_index;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Suggest code when you pause, from a model server or from none, and say why
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Clean(clean_command::CleanCommand),
    Complete(complete_command::CompleteCommand),
    Completions(completions_command::CompletionsCommand),
    Config(config_command::ConfigCommand),
    Context(context_command::ContextCommand),
    Doctor(doctor_command::DoctorCommand),
    Eval(eval_command::EvalCommand),
    Index(index_command::IndexCommand),
    Lsp(lsp_command::LspCommand),
    Man(man_command::ManCommand),
    Replay(replay_command::ReplayCommand),
    Setup(setup_command::SetupCommand),
    #[command(hide = true)]
    Train(train_command::TrainCommand),
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
        Command::Setup(setup) => setup.run(),
        Command::Train(train) => train.run(),
    };
    match done {
        Ok(found) => found.into(),
        Err(failure) => failure.explain(),
    }
}
