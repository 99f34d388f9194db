//! A command that prints a key: run by the shell, told nothing, and not for long.
//!
//! It leads a group of processes, so that one that hangs is ended with everything it started. One that
//! ends by itself may leave something running, such as the agent of a password manager, which has the
//! pipe open for as long as it runs: so it is the command's end that is waited for, not the pipe's. Its
//! output may be a key, so that none of it is ever repeated.

use std::pin::pin;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use futures_util::future::{Either, select};
use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

use super::{ApiKey, LaneSettingName, MOST_BYTES, PATIENCE, no_key};
use crate::lane::LaneFault;

/// How long to look for what a command printed that has ended: it is in the pipe already.
const TIME_TO_READ: Duration = Duration::from_millis(20);

/// The key that a command prints.
pub(super) async fn key(setting: LaneSettingName, command: &str) -> Result<ApiKey, LaneFault> {
    let says = |why: &str| {
        no_key(format!(
            "the command of {setting}.apiKeyCommand {why}: run it in a terminal to see what it says"
        ))
    };
    let started = in_shell(command).spawn();
    let child = started.map_err(|error| says(&format!("cannot be started ({})", error.kind())))?;
    let mut running = KeyCommand(Some(child));
    match timeout(PATIENCE, running.output()).await {
        Err(_) => Err(says("did not end in 5 seconds and was stopped")),
        Ok(Err(error)) => Err(says(&format!("cannot be heard ({})", error.kind()))),
        Ok(Ok(CommandOutput::TooMuch)) => Err(says("prints more than 64 KB and was stopped")),
        Ok(Ok(CommandOutput::All(status, _))) if !status.success() => {
            Err(says(&format!("failed ({status})")))
        }
        Ok(Ok(CommandOutput::All(_, text))) => {
            ApiKey::of(&text).map_err(|why| says(&format!("prints a first line that {why}")))
        }
    }
}

/// A command for the shell, which is told nothing and says what it has to say to us alone.
fn in_shell(command: &str) -> Command {
    #[cfg(unix)]
    let mut shell = {
        let mut shell = Command::new("/bin/sh");
        shell.arg("-c").arg(command).process_group(0);
        shell
    };
    #[cfg(not(unix))]
    let mut shell = {
        let mut shell = Command::new("cmd");
        shell.arg("/C").arg(command);
        shell
    };
    shell
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    shell
}

/// A command that runs. Dropping it ends it, and everything it started; once it has ended by itself,
/// what it left running on purpose is left alone.
struct KeyCommand(Option<Child>);

/// The output of a command.
enum CommandOutput {
    All(ExitStatus, Vec<u8>),
    TooMuch,
}

impl KeyCommand {
    async fn output(&mut self) -> std::io::Result<CommandOutput> {
        let Some(child) = &mut self.0 else {
            return Ok(CommandOutput::TooMuch);
        };
        let Some(mut stdout) = child.stdout.take() else {
            return Ok(CommandOutput::TooMuch);
        };
        let mut line = Vec::new();
        let heard = hear(&mut stdout, &mut line);
        let status = match select(pin!(child.wait()), pin!(heard)).await {
            Either::Left((status, _)) => status?,
            Either::Right((too_much, _)) => return too_much,
        };
        self.0 = None;
        match timeout(TIME_TO_READ, first_line(&mut stdout, &mut line)).await {
            Ok(Ok(OutputLine::TooLong)) => Ok(CommandOutput::TooMuch),
            _ => Ok(CommandOutput::All(status, line)),
        }
    }
}

/// Reads the first line, and then on without keeping anything: whoever prints more and finds the pipe
/// closed would fail. It comes to an end only if there is too much to be a line.
async fn hear(stdout: &mut ChildStdout, line: &mut Vec<u8>) -> std::io::Result<CommandOutput> {
    if let OutputLine::TooLong = first_line(stdout, line).await? {
        return Ok(CommandOutput::TooMuch);
    }
    let mut dropped = Vec::new();
    while stdout.read_buf(&mut dropped).await? > 0 {
        dropped.clear();
    }
    std::future::pending().await
}

/// How reading a line ended.
enum OutputLine {
    /// With a line end, or with the pipe.
    Whole,
    TooLong,
}

/// Reads up to the first line end, with what came along with it. Giving up loses nothing.
async fn first_line(stdout: &mut ChildStdout, line: &mut Vec<u8>) -> std::io::Result<OutputLine> {
    while !line.contains(&b'\n') {
        if line.len() as u64 > MOST_BYTES {
            return Ok(OutputLine::TooLong);
        }
        if stdout.read_buf(line).await? == 0 {
            break;
        }
    }
    Ok(OutputLine::Whole)
}

impl Drop for KeyCommand {
    fn drop(&mut self) {
        let Some(child) = &mut self.0 else {
            return;
        };
        // The group goes first: its number is free for others once its leader has been waited for.
        #[cfg(unix)]
        if let Some(group) = child.id().and_then(group) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = child.start_kill();
    }
}

/// The group that a command leads: it has the number of its leader.
#[cfg(unix)]
fn group(leader: u32) -> Option<rustix::process::Pid> {
    rustix::process::Pid::from_raw(i32::try_from(leader).ok()?)
}
