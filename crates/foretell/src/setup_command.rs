//! `foretell setup`: from nothing to a model, without reading.
//!
//! It looks for model servers on this machine, says what their models are good for, tries and measures those that are
//! to answer, proposes an arrangement in words, and writes it once the person agrees. Up to there nothing has
//! changed, and no word of the person's has been sent anywhere: what a server is measured with is made up.
//!
//! | part | what it is |
//! | --- | --- |
//! | `arrangement` | which model for which lane, and why not, from what was found and measured |
//! | `settings_edit` | that in the person's own settings file, with its comments, and back again |
//!
//! Absent on purpose: servers elsewhere, which need a key and a page of docs, and starting a server.

mod arrangement;
mod settings_edit;

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::thread::available_parallelism;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use foretell_engine::UserDirectories;
use foretell_lanes::model::probe::{self, FillQuality, PROBED};
use foretell_lanes::model::server_search::{
    LocalServer, ModelPurpose, PortAnswer, USUAL_PORTS, lane_settings, search_ports,
};
use foretell_lanes::model::speed_probe::measure;
use foretell_text::LaneKind;
use tokio::runtime::Runtime;

use self::arrangement::{Arrangement, ChosenModel, MeasuredModel};
use crate::failure::{CommandFailure, CommandOutcome, visible};

/// How many models are tried for what goes in at the cursor.
const MOST_TRIED: usize = 3;

/// Find a model server on this machine, and use it
///
/// Looks for llama.cpp, Ollama, LM Studio and vLLM on their usual ports of this machine and of no other,
/// measures a model with made-up code, proposes which model answers for what, and writes that into your own
/// settings file once you agree. The exit status is 0 if a model is set up, or 1 if none was found or you
/// declined, or 2 if it failed
#[derive(Args)]
pub(crate) struct SetupCommand {
    /// Agree to everything
    #[arg(long)]
    yes: bool,

    /// Look at this port instead of the usual ones; may be given several times
    #[arg(long, value_name = "PORT")]
    port: Vec<u16>,

    /// Take this model for what goes in at the cursor
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,

    /// Write this file instead of your own config.toml
    #[arg(long, value_name = "FILE")]
    path: Option<PathBuf>,

    /// Take back what the last setup wrote
    #[arg(long, conflicts_with_all = ["yes", "port", "model"])]
    undo: bool,
}

impl SetupCommand {
    pub(crate) fn run(&self) -> Result<CommandOutcome, CommandFailure> {
        let path = self.path.clone();
        let path = path.or_else(|| UserDirectories::of_platform().config_file);
        let path = path.ok_or(CommandFailure::NoPlaceForSettings)?;
        let mut out = anstream::stdout().lock();
        if self.undo {
            let undone = settings_edit::undo(&path)?;
            writeln!(out, "{}", visible(undone))?;
            return Ok(CommandOutcome::Well);
        }
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().build();
        let runtime = runtime.map_err(CommandFailure::Unstartable)?;
        let outcome = self.set_up(&path, &runtime, &mut out);
        // A server that hangs is not waited for.
        runtime.shutdown_background();
        outcome
    }

    fn set_up(
        &self,
        path: &std::path::Path,
        runtime: &Runtime,
        out: &mut impl Write,
    ) -> Result<CommandOutcome, CommandFailure> {
        let ports: &[u16] = if self.port.is_empty() {
            &USUAL_PORTS
        } else {
            &self.port
        };
        let servers = self.find(ports, runtime, out)?;
        if servers.is_empty() {
            return Ok(CommandOutcome::NotSo);
        }
        writeln!(out, "{}", machine())?;
        let fills_in = arrangement::to_fill_in(&servers, self.model.as_deref());
        if let Some(asked) = self.model.as_deref().filter(|_| fills_in.is_empty()) {
            writeln!(
                out,
                "\nNo server has a model {}; give one of those above.",
                visible(asked)
            )?;
            return Ok(CommandOutcome::NotSo);
        }
        let edits = arrangement::to_edit(&servers);
        let question = "Try and measure them with made-up code, nothing of yours";
        let is_any = !fills_in.is_empty() || edits.is_some();
        if is_any && !self.agrees(question, out)? {
            return Ok(CommandOutcome::NotSo);
        }
        let fills_in = best(fills_in, runtime, out)?;
        let edits = edits.map(|it| try_out(LaneKind::NextEdit, it, runtime, out));
        let arranged = Arrangement::of(fills_in, edits.transpose()?.flatten());
        writeln!(out, "\n{}", arranged.words())?;
        if arranged.lanes.is_empty() {
            return Ok(CommandOutcome::NotSo);
        }
        let file = visible(path.display());
        writeln!(out, "In {file}:\n{}", arranged.toml())?;
        if !self.agrees("Write that", out)? {
            return Ok(CommandOutcome::NotSo);
        }
        settings_edit::write(path, &arranged.lanes)?;
        writeln!(
            out,
            "Wrote {file}. A running editor takes it at once; foretell setup --undo takes it back."
        )?;
        Ok(CommandOutcome::Well)
    }

    /// The servers that answer, which are told of as they are found.
    fn find(
        &self,
        ports: &[u16],
        runtime: &Runtime,
        out: &mut impl Write,
    ) -> Result<Vec<LocalServer>, CommandFailure> {
        let named: Vec<String> = ports.iter().map(u16::to_string).collect();
        writeln!(out, "Looking at this machine, ports {}.", named.join(", "))?;
        let mut servers = Vec::new();
        for (port, answer) in runtime.block_on(search_ports(ports)) {
            match answer {
                PortAnswer::Nobody => {}
                PortAnswer::Stranger => writeln!(
                    out,
                    "\nPort {port}: something answers that lists no models without a key."
                )?,
                PortAnswer::Server(server) => {
                    writeln!(out, "\n{} at {}", server.program.name(), server.url)?;
                    for model in &server.models {
                        let (name, good_for) = (visible(model), purpose(model));
                        writeln!(out, "  {name}  {good_for}")?;
                    }
                    if server.models.is_empty() {
                        writeln!(out, "  It has no model yet.")?;
                    }
                    servers.push(server);
                }
            }
        }
        if servers.is_empty() {
            writeln!(
                out,
                "\nNo model server answers. Foretell works without one. To have one, install llama.cpp and type\n\
                 \n  llama-server --fim-qwen-1.5b-default --host 127.0.0.1 --port 8012\n\
                 \nand then foretell setup again. It needs about 2 GB of memory."
            )?;
        }
        Ok(servers)
    }

    /// Whether the person agrees; where nobody can be asked, nobody does.
    fn agrees(&self, question: &str, out: &mut impl Write) -> Result<bool, CommandFailure> {
        if self.yes {
            return Ok(true);
        }
        if !io::stdin().is_terminal() {
            writeln!(out, "\n{question}? Nobody can be asked here; --yes agrees.")?;
            return Ok(false);
        }
        write!(out, "\n{question}? [Y/n] ")?;
        out.flush()?;
        let mut answer = String::new();
        let read = io::stdin().lock().read_line(&mut answer)?;
        let answer = answer.trim().to_ascii_lowercase();
        Ok(read > 0 && matches!(answer.as_str(), "" | "y" | "yes"))
    }
}

/// Of a few models the first that fills in what belongs there, or else the first that fills in at all. Each may take
/// minutes to load, so that not all are tried.
fn best(
    models: Vec<ChosenModel>,
    runtime: &Runtime,
    out: &mut impl Write,
) -> Result<Option<MeasuredModel>, CommandFailure> {
    let mut best = None;
    for chosen in models.into_iter().take(MOST_TRIED) {
        match try_out(LaneKind::Fim, chosen, runtime, out)? {
            Some(tried) if tried.is_fitting => return Ok(Some(tried)),
            tried => best = best.or(tried),
        }
    }
    Ok(best)
}

/// A model that answers for a lane, with its speed; nothing if it does not, or fills nothing in.
fn try_out(
    lane: LaneKind,
    chosen: ChosenModel,
    runtime: &Runtime,
    out: &mut impl Write,
) -> Result<Option<MeasuredModel>, CommandFailure> {
    let name = visible(chosen.shown());
    let settings = lane_settings(lane, chosen.kind, &chosen.url, &chosen.model);
    writeln!(
        out,
        "\nTrying {name}; the first answer may take as long as it takes to load it."
    )?;
    out.flush()?;
    let probed = runtime.block_on(probe::probe(lane, &settings));
    let Some(probed) = probed.into_iter().next() else {
        return Ok(None);
    };
    if let Err(fault) = &probed.answered {
        writeln!(out, "It cannot be used: {fault}")?;
        return Ok(None);
    }
    // A next edit takes more tokens than it is tried with.
    if lane == LaneKind::Fim {
        let (before, behind) = PROBED;
        let behind = behind.trim_end().replace('\n', "\n  ");
        let Some(wrote) = &probed.wrote else {
            writeln!(out, "It answers, but suggests nothing.")?;
            return Ok(None);
        };
        let shown = format!("{before}[{}]{behind}", visible(wrote));
        writeln!(out, "Its first suggestion, in brackets:\n\n  {shown}\n")?;
    }
    let speed = runtime.block_on(measure(lane, &settings, number()));
    let speed = speed.map(|it| it.speed.in_whole_numbers()).ok();
    Ok(Some(MeasuredModel {
        is_fitting: probed.filled == FillQuality::Fitting,
        reads: speed.and_then(|it| it.read),
        writes: speed.and_then(|it| it.written),
        chosen,
    }))
}

/// Another one each time, so that no server has read the prompt before.
fn number() -> u64 {
    let passed = SystemTime::now().duration_since(UNIX_EPOCH);
    u64::from(passed.unwrap_or_default().subsec_nanos())
}

fn purpose(model: &str) -> String {
    match ModelPurpose::of(model) {
        ModelPurpose::NextEdits(format) => format!("next edits, in the format {format}"),
        ModelPurpose::FillsIn => "fills in at the cursor".to_owned(),
        ModelPurpose::Embeds => "only turns text into numbers".to_owned(),
        ModelPurpose::Chat => "chat, as far as its name says".to_owned(),
    }
}

/// `2 processors, 24 GB of memory`
fn machine() -> String {
    let processors = available_parallelism().map_or(1, usize::from);
    let processors = match processors {
        1 => "1 processor".to_owned(),
        more => format!("{more} processors"),
    };
    match memory_gigabytes() {
        Some(memory) => format!("\nThis machine: {processors}, {memory} GB of memory."),
        None => format!("\nThis machine: {processors}."),
    }
}

/// The memory of the machine, where the system says it in a file.
fn memory_gigabytes() -> Option<u64> {
    let told = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = told
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes.div_ceil(1024 * 1024))
}
