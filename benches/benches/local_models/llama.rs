//! The real llama.cpp server, started for one run.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A server that runs until this is dropped.
pub(crate) struct Llama {
    process: Child,
    pub(crate) address: SocketAddr,
}

impl Llama {
    /// Starts the model that counts as Qwen2.5-Coder does, by the program that `.ci/llama` made.
    pub(crate) fn start(program: &Path) -> Result<Llama, String> {
        // It ends when its input does, and so with this process however that ends.
        let started = Command::new(program)
            .args(["qwen", "0"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut process = started.map_err(|why| format!("{}: {why}", program.display()))?;
        let said = process.stdout.take().expect("it is piped");
        let mut line = String::new();
        let _ = BufReader::new(said).read_line(&mut line);
        let address = line.trim().strip_prefix("http://");
        let address = address.and_then(|it| it.parse().ok());
        let address = address
            .ok_or_else(|| format!("{} did not begin: run .ci/llama again", program.display()))?;
        Ok(Llama { process, address })
    }
}

impl Drop for Llama {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}
