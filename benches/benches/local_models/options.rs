//! What the command line asks for.

use std::path::PathBuf;

use crate::client::foretell::{GivingUp, ModelKind};
use crate::session::typed::TypedPlace;
use crate::speed::Speed;

pub(crate) const USAGE: &str = "\
usage: cargo bench -p foretell-benches --bench local_models -- [OPTION]...

  --session SESSION       typed (22 lines typed into the middle of a file of 700), typed-end (near its
                          end) or the path of a recorded one; may be repeated [default: typed]
  --speed SPEED           laptop (150 tokens a second read, 20 written), gpu (1500, 80), full, or
                          READ/WRITTEN; may be repeated [default: laptop and gpu]
  --client NAME           foretell or llama.vim; may be repeated [default: both]
  --editor vscode|neovim  take requests back, or let them be superseded [default: vscode]
  --kind llama-cpp|openai how Foretell asks [default: llama-cpp]
  --host NAME             give Foretell the server by this name of 127.0.0.1, which it takes for another
                          machine's: what is paid is then what a hosted server would bill
  --selections            tell Foretell where the cursor is, as its own extensions do
  --workspace             give Foretell a workspace on the disk, with an index
  --set NAME=VALUE        a setting of Foretell's; may be repeated
  --cache-reuse N         let the server use what it has read at another place of a prompt, in pieces
                          of N tokens or more; 0 is never, which is what it does when nobody says
                          anything [default: 256, which both clients' manuals say]
  --calls                 print every call
  --short                 play the session as fast as Foretell answers, and count tokens only
  --limit N               with --short: fail if more than N tokens are read in a call, on average";

/// A client by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClientName {
    Foretell,
    LlamaVim,
}

impl ClientName {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            ClientName::Foretell => "foretell",
            ClientName::LlamaVim => "llama.vim",
        }
    }
}

/// Which session is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SessionName {
    Typed(TypedPlace),
    Trace(PathBuf),
}

/// What is measured.
pub(crate) struct Options {
    pub(crate) sessions: Vec<SessionName>,
    pub(crate) speeds: Vec<Speed>,
    pub(crate) clients: Vec<ClientName>,
    pub(crate) giving_up: GivingUp,
    pub(crate) kind: ModelKind,
    /// By which name Foretell is given the server, if by any.
    pub(crate) host: Option<String>,
    pub(crate) tells_selections: bool,
    pub(crate) has_workspace: bool,
    pub(crate) settings: Vec<String>,
    pub(crate) cache_reuse: u32,
    pub(crate) prints_calls: bool,
    pub(crate) is_short: bool,
    pub(crate) limit: Option<f64>,
}

impl Options {
    /// Reads the command line, without the program's name.
    pub(crate) fn read(arguments: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options = Options {
            sessions: Vec::new(),
            speeds: Vec::new(),
            clients: Vec::new(),
            giving_up: GivingUp::Cancel,
            kind: ModelKind::LlamaCpp,
            host: None,
            tells_selections: false,
            has_workspace: false,
            settings: Vec::new(),
            cache_reuse: 256,
            prints_calls: false,
            is_short: false,
            limit: None,
        };
        let mut arguments = arguments;
        while let Some(flag) = arguments.next() {
            let mut value = || {
                let value = arguments.next();
                value.ok_or_else(|| format!("{flag} wants a value\n\n{USAGE}"))
            };
            match flag.as_str() {
                // Cargo's own.
                "--bench" => (),
                "--session" => options.sessions.push(match value()?.as_str() {
                    "typed" => SessionName::Typed(TypedPlace::Middle),
                    "typed-end" => SessionName::Typed(TypedPlace::NearEnd),
                    path => SessionName::Trace(PathBuf::from(path)),
                }),
                "--speed" => {
                    let value = value()?;
                    let speed = Speed::from_name(&value);
                    options
                        .speeds
                        .push(speed.ok_or_else(|| unknown(&flag, &value))?);
                }
                "--client" => options.clients.push(match value()?.as_str() {
                    "foretell" => ClientName::Foretell,
                    "llama.vim" => ClientName::LlamaVim,
                    other => return Err(unknown(&flag, other)),
                }),
                "--editor" => {
                    options.giving_up = match value()?.as_str() {
                        "vscode" => GivingUp::Cancel,
                        "neovim" => GivingUp::Supersede,
                        other => return Err(unknown(&flag, other)),
                    }
                }
                "--kind" => {
                    options.kind = match value()?.as_str() {
                        "llama-cpp" => ModelKind::LlamaCpp,
                        "openai" => ModelKind::OpenAi,
                        other => return Err(unknown(&flag, other)),
                    }
                }
                "--host" => options.host = Some(value()?),
                "--selections" => options.tells_selections = true,
                "--workspace" => options.has_workspace = true,
                "--set" => options.settings.push(value()?),
                "--cache-reuse" => {
                    let value = value()?;
                    let number = value.parse();
                    options.cache_reuse = number.map_err(|_| unknown(&flag, &value))?;
                }
                "--calls" => options.prints_calls = true,
                "--short" => options.is_short = true,
                "--limit" => {
                    let value = value()?;
                    let number = value.parse();
                    options.limit = Some(number.map_err(|_| unknown(&flag, &value))?);
                }
                other => return Err(format!("there is no {other}\n\n{USAGE}")),
            }
        }
        options.fill_in();
        Ok(options)
    }

    fn fill_in(&mut self) {
        if self.is_short {
            self.speeds = vec![Speed::Full];
        }
        if self.sessions.is_empty() {
            self.sessions.push(SessionName::Typed(TypedPlace::Middle));
        }
        if self.speeds.is_empty() {
            self.speeds.extend([Speed::Laptop, Speed::Gpu]);
        }
        if self.clients.is_empty() {
            self.clients.push(ClientName::Foretell);
            if !self.is_short {
                self.clients.push(ClientName::LlamaVim);
            }
        }
    }
}

fn unknown(flag: &str, value: &str) -> String {
    format!("{flag} cannot be {value}\n\n{USAGE}")
}
