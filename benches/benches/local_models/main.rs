//! Local models as the person feels them: editing sessions played in real time against a real llama.cpp
//! server, by Foretell and by a client that behaves as llama.vim does, one after the other in one run.
//!
//! `cargo build --release -p foretell`, then `cargo bench -p foretell-benches --bench local_models --
//! --speed laptop --session typed`; `--help` lists the rest. `TEST_FORETELL_LLAMA` names the program that
//! `.ci/llama DIRECTORY` prints; the binary is the one in the release directory, or in
//! `TEST_FORETELL_BINARY`.
//!
//! ```text
//! session ─keys─▶ player ─▶ client ─HTTP─▶ proxy ─▶ device ─▶ llama.cpp
//!                   │          │                       │
//!                   └─ screen ◀┘                       └─▶ ledger
//! ```
//!
//! | module | what it is |
//! | --- | --- |
//! | [`session`] | what is typed and when: a recorded trace, or 22 lines that are made up |
//! | [`player`] | presses the keys at their times |
//! | [`desk`] | the documents, and the screen: what is on it in each pause |
//! | [`client`] | who asks: Foretell by its pipes, or what llama.vim does |
//! | [`proxy`], [`device`] | the server, slowed to the speed of a machine by the tokens that it really read |
//! | [`ledger`], [`report`] | what was asked, and the table |
//!
//! The model has the tokenizer of Qwen2.5-Coder and random weights (`.ci/qwen_fim_model.py`): how much of a
//! prompt the server has to read anew is real, and what it says is noise. So nothing here says how good a
//! suggestion is, and hardly any is typed into; what is measured is whether there was time for one.
//!
//! A pause is more than a second without a key. Something was on the screen in it if the client's answer
//! for the text as it was then came in time, or if what was shown before still fitted.
//!
//! `--short` plays the typed session as fast as the client answers, and counts tokens, which do not depend
//! on how busy the machine is: with `--limit`, for the gate.
#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a benchmark is a program whose output is its table"
)]

mod answer_event;
mod client;
mod desk;
mod device;
mod http;
mod ledger;
mod llama;
mod options;
mod player;
mod proxy;
mod report;
mod session;
mod speed;
mod workspace;

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use foretell_trace::Trace;

use self::client::Client;
use self::client::foretell::{ForetellClient, ForetellSetup};
use self::client::llama_vim::LlamaVimClient;
use self::http::HttpError;
use self::llama::Llama;
use self::options::{ClientName, Options, SessionName};
use self::player::{Tempo, play};
use self::proxy::Proxy;
use self::report::Figures;
use self::session::{Session, recorded, typed};
use self::speed::Speed;

const LLAMA: &str = "TEST_FORETELL_LLAMA";

fn main() -> ExitCode {
    if !foretell_benches::is_wanted() {
        return ExitCode::SUCCESS;
    }
    if env::args().any(|it| it == "--help") {
        println!("{}", options::USAGE);
        return ExitCode::SUCCESS;
    }
    let done = Options::read(env::args().skip(1)).map_err(HttpError::from);
    let done = done.and_then(|options| {
        let runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = { runtime }.enable_all().build()?;
        runtime.block_on(measure(&options))
    });
    match done {
        Ok(exit_code) => exit_code,
        Err(why) => {
            println!("{why}");
            ExitCode::from(2)
        }
    }
}

async fn measure(options: &Options) -> Result<ExitCode, HttpError> {
    let Some(program) = env::var_os(LLAMA).map(PathBuf::from) else {
        println!("left out: {LLAMA} is not set; .ci/llama DIRECTORY prints what to set it to");
        return Ok(ExitCode::SUCCESS);
    };
    let mut exit_code = ExitCode::SUCCESS;
    let mut late = 0;
    println!("{}", Figures::heading());
    for name in &options.sessions {
        let session = read_session(name)?;
        let length = session.end.as_secs();
        println!("{}: {length} s, {} pauses", session.name, session.pauses());
        for &speed in &options.speeds {
            for &client in &options.clients {
                let played = PlayedRun {
                    options,
                    program: &program,
                    session: &session,
                    speed,
                };
                let figures = played.run(client).await?;
                let row = figures.row(session.name, &speed.name(), client.as_str());
                println!("{row}");
                late += figures.late;
                if figures.refused > 0 {
                    println!("  the server refused {} calls", figures.refused);
                }
                if let Some(why) = complaint(options, &figures) {
                    println!("  {why}");
                    exit_code = ExitCode::FAILURE;
                }
            }
        }
    }
    println!(
        "\npauses: over 1 s, in which something was on the screen; wait: from the last key to the text, \
         median; shown: suggestions, each once; given up: calls that the client left before it had a word; \
         cut: later; read: prompt tokens read anew; anew: what share of all prompts that is; paid: tokens of prompts and answers; calls that never had their turn are in neither"
    );
    if late > 0 {
        println!(
            "{late} calls took longer than they should have: this machine is too busy for their times"
        );
    }
    Ok(exit_code)
}

/// What the gate cannot let pass.
fn complaint(options: &Options, figures: &Figures) -> Option<String> {
    if figures.calls == 0 {
        return Some("the model was never asked".to_owned());
    }
    let (limit, mean) = (options.limit?, figures.read_per_call());
    let is_over = mean > limit;
    is_over.then(|| format!("{mean:.0} tokens are read in a call on average, more than {limit:.0}"))
}

fn read_session(name: &SessionName) -> Result<Session, HttpError> {
    match name {
        SessionName::Typed(place) => Ok(typed::session(*place)),
        SessionName::Trace(path) => {
            let bytes = std::fs::read(path).map_err(|why| format!("{}: {why}", path.display()))?;
            let trace = Trace::read(&path.display().to_string(), &bytes)?;
            Ok(recorded::session(&trace))
        }
    }
}

/// A session at a speed, with a server that has never been asked.
struct PlayedRun<'a> {
    options: &'a Options,
    program: &'a std::path::Path,
    session: &'a Session,
    speed: Speed,
}

impl PlayedRun<'_> {
    async fn run(&self, client: ClientName) -> Result<Figures, HttpError> {
        let llama = Llama::start(self.program)?;
        let proxy = Proxy::start(llama.address, self.speed, self.options.cache_reuse).await?;
        match client {
            ClientName::LlamaVim => {
                let client = LlamaVimClient::start(proxy.address);
                Ok(self.play(client, &proxy).await)
            }
            ClientName::Foretell => {
                let home = tempfile::tempdir()?;
                let setup = self.setup(home.path()).await?;
                let client = ForetellClient::start(&setup, proxy.address).await;
                Ok(self.play(client, &proxy).await)
            }
        }
    }

    async fn setup(&self, home: &std::path::Path) -> Result<ForetellSetup, HttpError> {
        let options = self.options;
        let binary = foretell_benches::binary();
        let setup = ForetellSetup {
            binary: binary.ok_or("there is no server: cargo build --release -p foretell")?,
            home: home.to_owned(),
            folder: options.has_workspace.then(|| home.join("workspace")),
            giving_up: options.giving_up,
            kind: options.kind,
            host: options.host.clone(),
            tells_selections: options.tells_selections,
            settings: options.settings.clone(),
        };
        if let Some(folder) = &setup.folder {
            workspace::write(folder, self.session)?;
            workspace::index(&setup, folder).await?;
        }
        Ok(setup)
    }

    async fn play<C: Client>(&self, mut client: C, proxy: &Proxy) -> Figures {
        let tempo = match self.options.is_short {
            true => Tempo::Hurried,
            false => Tempo::Real,
        };
        let start = Instant::now();
        let mut screen = play(self.session, tempo, &mut client, &proxy.ledger).await;
        client.leave().await;
        if tempo == Tempo::Hurried {
            // They are as long as the client made them.
            screen.pauses.clear();
        }
        let calls = proxy.ledger.calls();
        if self.options.prints_calls {
            print!("{}", report::calls(&calls, start));
        }
        Figures::of(&screen, &calls)
    }
}
