//! A real Neovim, driven like a person would: keys go in, and what it shows and hears is looked at.
//!
//! It runs without a screen and listens on a socket. Keys and questions are sent by other, short
//! processes of the same Neovim. Keys are taken when it gets to them, so whoever types says which
//! line is to be seen afterwards, and waits until it is.
#![expect(clippy::panic, reason = "this is how a test fails")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::client::{self, Asks, Mortal, Place};

/// Where it listens, in its directory. With a slash, or Neovim takes it for a name.
const SOCKET: &str = "./socket";

pub(crate) struct Neovim {
    program: PathBuf,
    server: Value,
    process: Mortal,
    place: Place,
}

impl Neovim {
    /// A Neovim with a file open and the server attached, with a client that says all that ours say,
    /// or nothing where there is no Neovim.
    pub(crate) fn start(name: &str, text: &str, script: &Value) -> Option<Self> {
        let mut neovim = Neovim::launch(name, text, script, "client.lua")?;
        let server = neovim.server.clone();
        assert_eq!(neovim.call("start", &[server]), "utf-16");
        Some(neovim)
    }

    /// The same with nothing but what Neovim has itself, and columns that count this.
    pub(crate) fn start_plain(
        name: &str,
        text: &str,
        script: &Value,
        encoding: &str,
    ) -> Option<Self> {
        let mut neovim = Neovim::launch(name, text, script, "plain.lua")?;
        neovim.starts_a_server(encoding);
        Some(neovim)
    }

    /// Has Neovim start a server, or use the one that it has; says which client that is.
    pub(crate) fn starts_a_server(&mut self, encoding: &str) -> Value {
        let server = self.server.clone();
        let started = self.call("start", &[server, json!(encoding)]);
        assert_eq!(started["encoding"], encoding);
        started["id"].clone()
    }

    fn launch(name: &str, text: &str, script: &Value, client: &str) -> Option<Self> {
        let program = find()?;
        let place = Place::new(
            &format!("neovim-{name}"),
            &["home/state/nvim/lsp.log", "log"],
        );
        let file = place.write("main.rs", text);
        let script_file = place.write("script.json", &script.to_string());
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/neovim");
        let process = place
            .command(&program)
            .args(["--clean", "--headless", "-n", "--listen", SOCKET, "-S"])
            .arg(sources.join(client))
            .arg(file)
            .env("NVIM_LOG_FILE", place.path().join("log"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("Neovim starts");
        let binary = env!("CARGO_BIN_EXE_foretell");
        let script_file = script_file.to_str().expect("a path in text");
        let mut neovim = Neovim {
            program,
            server: json!([binary, "lsp", "--script", script_file]),
            process: Mortal::new(process),
            place,
        };
        neovim.wait_until(|neovim| neovim.remote("--remote-expr", "1").is_ok());
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
        client::items_of(&answer["result"])
    }

    /// What is suggested at the cursor.
    pub(crate) fn sees(&mut self, who: Asks) -> Vec<String> {
        client::texts_of(&self.asks(who))
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

    /// Looks again and again until something is so. Each look is a process, so this does not spin.
    pub(crate) fn wait_until(&mut self, mut is_so: impl FnMut(&mut Self) -> bool) {
        client::wait_until("in Neovim", || is_so(self));
    }

    /// Ends Neovim without a word.
    pub(crate) fn kill(&self) {
        self.process.kill();
    }

    /// Lets another process of Neovim speak with this one.
    fn remote(&self, what: &str, argument: &str) -> Result<String, String> {
        let output = self
            .place
            .command(&self.program)
            .args(["--server", SOCKET, what, argument])
            .stdin(Stdio::null())
            .output()
            .expect("Neovim starts");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.success() {
            Ok(said)
        } else {
            Err(said + &String::from_utf8_lossy(&output.stderr))
        }
    }
}

/// The Neovim to test with: the one of TEST_FORETELL_NVIM, which must be there, or else of PATH.
fn find() -> Option<PathBuf> {
    let how_to_get = "`.ci/neovim DIRECTORY` gets a Neovim 0.10 for it";
    client::find("TEST_FORETELL_NVIM", "nvim", is_new_enough, how_to_get)
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
