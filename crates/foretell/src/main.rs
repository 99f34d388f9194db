//! The `foretell` binary: the command line, and the one place where errors become words.
//!
//! It holds no behaviour of its own. Commands arrive here together with the crates that do their
//! work; so far it can say which version it is.

use clap::Parser;

/// Decide when to ask for a suggestion, what to tell the model, which answer to show, and what
/// never to show again
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct CommandLine {}

fn main() {
    let CommandLine {} = CommandLine::parse();
}
