//! Which commands a page has, what is typed for each, and which of them may be.

use crate::markdown::Piece;

/// Programs by which a command is known within a sentence.
const PROGRAMS: &[&str] = &[
    "apt-get",
    "cargo",
    "code",
    "curl",
    "foretell",
    "git",
    "hx",
    "lms",
    "llama-server",
    "mkdir",
    "node",
    "npm",
    "npx",
    "nvim",
    "ollama",
    "pip",
    "printf",
    "rm",
    "rustup",
    "ssh",
    "strace",
    "vllm",
];

/// The commands of the binary, which sentences about it name without it.
pub(crate) const OWN: &[&str] = &[
    "clean",
    "complete",
    "completions",
    "config",
    "context",
    "doctor",
    "eval",
    "index",
    "lsp",
    "man",
    "replay",
    "setup",
    "help",
];

/// The commands in a piece of a page.
pub(crate) fn commands(piece: Piece<'_>) -> Vec<String> {
    match piece {
        Piece::Block { format: "sh", text } => {
            let lines = text.lines().map(str::trim).filter(|it| !it.is_empty());
            lines.map(str::to_owned).collect()
        }
        Piece::Block { .. } => Vec::new(),
        Piece::Quoted(words) if is_command(words) => vec![words.to_owned()],
        Piece::Quoted(_) => Vec::new(),
    }
}

/// Whether somebody could type that: it begins with a program, or is one of this repository.
fn is_command(words: &str) -> bool {
    let is_variable = |it: &&str| {
        let name = it.split_once('=').map_or("", |(name, _)| name);
        !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == '_')
    };
    let mut words = words.split_whitespace().skip_while(is_variable);
    let (program, next) = (words.next().unwrap_or_default(), words.next());
    match next {
        Some(_) => {
            PROGRAMS.contains(&program) || program.starts_with(".ci/") || is_short(program, next)
        }
        None => [".ci/run", ".ci/generate", ".ci/newcomer"].contains(&program),
    }
}

/// Whether it is a command of ours with the program left out, as in `complete --why`.
fn is_short(command: &str, next: Option<&str>) -> bool {
    OWN.contains(&command) && next.is_some_and(|it| it.starts_with('-'))
}

/// What is really typed: without building, with a program where that was left out, and with something in
/// the place of what pages leave to whoever reads them.
pub(crate) fn as_typed(command: &str) -> String {
    let command = match command.strip_prefix("cargo run --release -- ") {
        Some(rest) => format!("foretell {rest}"),
        None if is_short(command.split(' ').next().unwrap_or_default(), Some("-")) => {
            format!("foretell {command}")
        }
        None => command.to_owned(),
    };
    if !command.starts_with("foretell ") {
        return command;
    }
    let place = "examples/complete/settings.ts:18";
    let mut filled = command
        .replace("FILE:LINE", place)
        .replace("NAME=VALUE", "pace.baseMs=250")
        .replace(":PORT", ":0")
        .replace("FILES", "examples")
        .replace("FILE", "session.jsonl");
    let lacks = |part: &str| !filled.contains(part);
    let missing = match filled.split(' ').nth(1) {
        Some("complete" | "context") if lacks(":") => place,
        Some("replay") if lacks(".jsonl") => "examples/first-session.jsonl",
        Some("eval") if lacks("examples") => "examples",
        Some("completions") if lacks("completions ") => "bash",
        Some("lsp") if filled.ends_with("--metrics") => "127.0.0.1:0",
        Some("lsp") if filled.ends_with("--record") || filled.ends_with("--record-shape") => {
            "session.jsonl"
        }
        _ => return filled,
    };
    filled.push(' ');
    filled.push_str(missing);
    filled
}

/// Whether it is ours, and does nothing but with files below the home and the clone. Everything else is
/// not typed before somebody has thought about it.
pub(crate) fn is_harmless(command: &str) -> bool {
    if command == ".ci/run --list" {
        return true;
    }
    let is_outside = |it: &str| it.starts_with('/') && it != "/dev/stdin" || it.contains("..");
    let reaches_out = command.split_whitespace().any(is_outside);
    if reaches_out || command.contains([';', '`']) || command.contains("$(") {
        return false;
    }
    let parts = command.split("&&").flat_map(|it| it.split('|'));
    let mut programs = parts.map(|it| it.split_whitespace().next().unwrap_or_default());
    programs.all(|it| ["foretell", "install", "mkdir", "printf", "rm"].contains(&it))
}
