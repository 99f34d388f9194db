//! A real Neovim, driven like a person would: keys go in, and what it shows and hears is looked at.
//!
//! It runs without a screen and listens on a socket. Keys and questions are sent by other, short
//! processes of the same Neovim. Keys are taken when it gets to them, so whoever types says which
//! line is to be seen afterwards, and waits until it is.
#![expect(clippy::panic, reason = "this is how a test fails")]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_secs(30);

/// Where it listens, in its directory. With a slash, or Neovim takes it for a name.
const SOCKET: &str = "./socket";

/// Who asks.
#[derive(Clone, Copy)]
pub(crate) enum Asks {
    /// The person.
    Invoked = 1,
    /// The editor.
    Automatic = 2,
}

pub(crate) struct Neovim {
    program: PathBuf,
    directory: PathBuf,
    process: Child,
}

impl Neovim {
    /// A Neovim with a file open and the server attached, or nothing where there is no Neovim.
    pub(crate) fn start(name: &str, text: &str, script: &Value) -> Option<Self> {
        let program = find()?;
        // In a short place: the path of a socket has little room.
        let directory = env::temp_dir().join(format!("foretell-{name}-{}", std::process::id()));
        fs::create_dir_all(&directory).expect("a directory for a test can be made");
        let file = directory.join("main.rs");
        fs::write(&file, text).expect("a file for a test can be written");
        let script_file = directory.join("script.json");
        fs::write(&script_file, script.to_string()).expect("a file for a test can be written");

        let process = Command::new(&program)
            .args(["--clean", "--headless", "-n", "--listen", SOCKET, "-S"])
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/neovim/client.lua"))
            .arg(file)
            .current_dir(&directory)
            .env("XDG_STATE_HOME", &directory)
            .env("NVIM_LOG_FILE", directory.join("log"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("Neovim starts");
        let mut neovim = Neovim {
            program,
            directory,
            process,
        };
        neovim.wait_until(|neovim| neovim.remote("--remote-expr", "1").is_ok());
        let binary = env!("CARGO_BIN_EXE_foretell");
        let script_file = script_file.to_str().expect("a path in text");
        let server = json!([binary, "lsp", "--script", script_file]);
        assert_eq!(neovim.call("start", &[server]), "utf-16");
        Some(neovim)
    }

    /// Types keys, and sees a line come of it.
    pub(crate) fn types(&mut self, keys: &str, line: &str) {
        self.remote("--remote-send", keys).expect("keys are taken");
        self.wait_until(|neovim| neovim.call("line", &[]) == line);
    }

    /// Asks for suggestions at the cursor.
    pub(crate) fn asks(&mut self, who: Asks) -> Vec<Value> {
        let answer = self.call("ask", &[json!(who as u32)]);
        let items = answer["result"]["items"].as_array();
        items
            .unwrap_or_else(|| panic!("suggestions, not {answer}"))
            .clone()
    }

    /// What is suggested at the cursor.
    pub(crate) fn sees(&mut self, who: Asks) -> Vec<String> {
        let texts = self.asks(who);
        let texts = texts.iter().map(|item| item["insertText"].as_str());
        texts.map(|text| text.expect("a text").to_owned()).collect()
    }

    /// Calls a function of the client, and gets what it says.
    pub(crate) fn call(&mut self, function: &str, arguments: &[Value]) -> Value {
        let lua = format!("Foretell.{function}(unpack(vim.json.decode(_A)))");
        let arguments = Value::from(arguments).to_string();
        let expression = format!("luaeval({}, {})", vim_string(&lua), vim_string(&arguments));
        let said = self.remote("--remote-expr", &expression);
        let said = said.unwrap_or_else(|why| panic!("{function}: {why}"));
        serde_json::from_str(&said).unwrap_or_else(|_| panic!("{function} said {said}"))
    }

    /// Looks again and again until something is so.
    pub(crate) fn wait_until(&mut self, mut is_so: impl FnMut(&mut Self) -> bool) {
        let begun = Instant::now();
        // Each look is a process of its own, so this does not spin.
        while !is_so(self) {
            assert!(begun.elapsed() < PATIENCE, "it never became so");
        }
    }

    /// Lets another process of Neovim speak with this one.
    fn remote(&self, what: &str, argument: &str) -> Result<String, String> {
        let output = Command::new(&self.program)
            .args(["--server", SOCKET, what, argument])
            .current_dir(&self.directory)
            .stdin(Stdio::null())
            .output()
            .expect("Neovim starts");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        match output.status.success() {
            true => Ok(said),
            false => Err(said + &String::from_utf8_lossy(&output.stderr)),
        }
    }
}

impl Drop for Neovim {
    fn drop(&mut self) {
        // If these fail there is nothing left that could be done.
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.directory);
    }
}

/// The Neovim to test with: the one of TEST_FORETELL_NVIM, which must be there, or else of PATH.
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn find() -> Option<PathBuf> {
    if let Some(named) = env::var_os("TEST_FORETELL_NVIM").filter(|named| !named.is_empty()) {
        return Some(PathBuf::from(named));
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let mut programs = env::split_paths(&path).map(|directory| directory.join("nvim"));
    let found = programs.find(|program| program.is_file());
    let found = found.filter(|program| is_new_enough(program));
    if found.is_none() {
        eprintln!(
            "skipped: no Neovim 0.10; `.ci/neovim DIRECTORY` gets one for TEST_FORETELL_NVIM"
        );
    }
    found
}

fn is_new_enough(program: &Path) -> bool {
    let ask = r#"lua io.stdout:write(vim.fn.has("nvim-0.10"))"#;
    let output = Command::new(program)
        .args(["--clean", "--headless", "-c", ask, "-c", "q"])
        .stdin(Stdio::null())
        .output();
    output.is_ok_and(|output| output.stdout == b"1")
}

fn vim_string(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
