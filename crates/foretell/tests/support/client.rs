//! What tests with other people's clients have in common: finding the client, a place that is theirs
//! alone, an end for what hangs, and what was said.
//!
//! A client that is looked for is named by a variable, and then must be there; or else it is the one
//! of PATH, if that is new enough. Where there is none the test says so and is left out.
//!
//! Nobody's own settings are read, nothing is kept anywhere but in the test's directory, and no
//! client outlives its test: it is killed when the test ends, however that ends, and when it has
//! taken too long. The server ends with its client.
#![allow(dead_code, reason = "not every client needs everything")]
#![allow(clippy::panic, reason = "this is how a test fails")]
#![allow(
    clippy::print_stdout,
    reason = "what was said is there to be read, and is shown when a test fails"
)]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// How long a session may take: far longer than it does, on any machine.
pub(crate) const DEADLINE: Duration = Duration::from_secs(120);

/// How long a test waits for something that must become so.
const PATIENCE: Duration = Duration::from_secs(60);

/// How soon a process that is at its end is looked at again.
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// Where what was said is kept, if anywhere: a file for each test.
const TRANSCRIPTS: &str = "TEST_FORETELL_TRANSCRIPTS";

/// Who asks.
#[derive(Clone, Copy)]
pub(crate) enum Asks {
    /// The person.
    Invoked = 1,
    /// The editor.
    Automatic = 2,
}

/// The suggestions that a result has. It must be a list of them, and never null.
pub(crate) fn items_of(result: &Value) -> Vec<Value> {
    let items = result["items"].as_array();
    let items = items.unwrap_or_else(|| panic!("suggestions, not {result}"));
    items.clone()
}

/// What suggestions would put in.
pub(crate) fn texts_of(items: &[Value]) -> Vec<String> {
    let texts = items.iter().map(|item| item["insertText"].as_str());
    texts.map(|text| text.expect("a text").to_owned()).collect()
}

/// The program to test with: the one that a variable names, or else one of PATH that will do.
pub(crate) fn find(
    variable: &str,
    name: &str,
    will_do: fn(&Path) -> bool,
    how_to_get: &str,
) -> Option<PathBuf> {
    if let Some(named) = env::var_os(variable).filter(|named| !named.is_empty()) {
        return Some(PathBuf::from(named));
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let mut programs = env::split_paths(&path).map(|directory| directory.join(name));
    let found = programs.find(|program| program.is_file());
    let found = found.filter(|program| will_do(program));
    if found.is_none() {
        println!("left out: {variable} is not set; {how_to_get}");
    }
    found
}

/// A directory for one test, gone when it ends, and what is said in it.
pub(crate) struct Place {
    name: String,
    directory: TempDir,
    /// Every file in which a client writes what it says and hears, and what goes wrong.
    logs: Vec<&'static str>,
}

impl Place {
    pub(crate) fn new(name: &str, logs: &[&'static str]) -> Self {
        // Short, because the path of a socket has little room.
        let directory = tempfile::Builder::new().prefix("foretell-").tempdir();
        Place {
            name: name.to_owned(),
            directory: directory.expect("a directory for a test can be made"),
            logs: logs.to_vec(),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn write(&self, name: &str, content: &str) -> PathBuf {
        let file = self.path().join(name);
        let parent = file.parent().expect("it is in a directory");
        fs::create_dir_all(parent).expect("a directory for a test can be made");
        fs::write(&file, content).expect("a file for a test can be written");
        file
    }

    /// A program that runs here, with nobody's own settings.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.path());
        let homes = [
            ("HOME", "home"),
            ("XDG_CONFIG_HOME", "home/config"),
            ("XDG_CACHE_HOME", "home/cache"),
            ("XDG_STATE_HOME", "home/state"),
            ("XDG_DATA_HOME", "home/data"),
            ("XDG_RUNTIME_DIR", "home/run"),
        ];
        for (variable, home) in homes {
            let home = self.path().join(home);
            fs::create_dir_all(&home).expect("a directory for a test can be made");
            command.env(variable, home);
        }
        command.env("LC_ALL", "C.UTF-8");
        for (name, _) in env::vars_os() {
            if name
                .to_string_lossy()
                .to_uppercase()
                .starts_with("FORETELL_")
            {
                command.env_remove(&name);
            }
        }
        command
    }
}

impl Drop for Place {
    /// Shows what was said, which is seen if the test fails or asks for it, and keeps it if wanted.
    fn drop(&mut self) {
        let mut said = String::new();
        for log in &self.logs {
            let text = fs::read(self.path().join(log)).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            said += &format!("== {}: {log}\n{text}\n", self.name);
        }
        println!("{said}");
        if let Some(kept) = env::var_os(TRANSCRIPTS).filter(|kept| !kept.is_empty()) {
            let kept = PathBuf::from(kept).join(format!("{}.txt", self.name));
            fs::write(&kept, said).expect("TEST_FORETELL_TRANSCRIPTS is a directory");
        }
    }
}

/// A process that ends when this does, or when it has taken too long.
pub(crate) struct Mortal {
    process: Arc<Mutex<Child>>,
    /// Dropping it tells the watch that nobody waits any more.
    _ended: Sender<()>,
}

impl Mortal {
    pub(crate) fn new(process: Child) -> Self {
        Mortal::living(process, DEADLINE)
    }

    /// One that may take so long.
    pub(crate) fn living(process: Child, at_most: Duration) -> Self {
        let process = Arc::new(Mutex::new(process));
        let (ended, is_ended) = channel();
        let watched = Arc::clone(&process);
        thread::spawn(move || watch(&watched, &is_ended, at_most));
        Mortal {
            process,
            _ended: ended,
        }
    }

    /// Whether it ends well. It is to be at its end: having closed its output, say.
    ///
    /// It is looked at again and again, because whoever waits for it holds it, and the watch could not
    /// end it then.
    pub(crate) fn succeeds(&self) -> bool {
        loop {
            match lock(&self.process).try_wait() {
                Ok(Some(status)) => return status.success(),
                Ok(None) => {}
                Err(_) => return false,
            }
            thread::sleep(LOOK_AGAIN);
        }
    }

    pub(crate) fn kill(&self) {
        end(&self.process);
    }
}

impl Drop for Mortal {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Ends a process whose time is up.
fn watch(process: &Mutex<Child>, is_ended: &Receiver<()>, at_most: Duration) {
    if is_ended.recv_timeout(at_most) == Err(RecvTimeoutError::Timeout) {
        println!("the client took longer than {at_most:?}, and was ended");
        end(process);
    }
}

fn end(process: &Mutex<Child>) {
    let mut process = lock(process);
    // If these fail it has ended by itself.
    let _ = process.kill();
    let _ = process.wait();
}

fn lock(process: &Mutex<Child>) -> std::sync::MutexGuard<'_, Child> {
    process.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Looks again and again until something is so. Each look is to take a moment of its own.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "it never became so: {what}");
    }
}

/// Whether a process is there.
pub(crate) fn is_alive(process: u64) -> bool {
    let asked = Command::new("kill")
        .args(["-0", &process.to_string()])
        .stderr(Stdio::null())
        .status();
    asked.is_ok_and(|status| status.success())
}
