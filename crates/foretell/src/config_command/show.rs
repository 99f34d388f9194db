//! `foretell config show`: what every setting is, and where that comes from.
//!
//! Faults are told before that, and never end the command: the person wants to see the rest.
//! Possible keys are not shown. The names in the JSON are a promise.

use std::io::{self, Write};
use std::path::PathBuf;

use anstyle::Style;
use clap::Args;
use foretell_engine::{FileWorkspaces, OwnFile, UserDirectories};
use foretell_settings::settings::CurrentSetting;
use foretell_settings::{Home, RawSettings, SettingOrigin, Settings};
use serde::Serialize;

use crate::doctor_command::lane_checks;
use crate::environment;
use crate::failure::{CommandFailure, CommandOutcome, real_directory, visible, warn};
use crate::given_settings::{GivenSettings, in_workspace};

/// How wide the values are that stand in a column; longer ones push the rest of their line aside.
const VALUE: usize = 24;

/// Print every setting, its value, and where that comes from
///
/// Reads your own config.toml, the workspace's .foretell.toml, the environment and --set. Faults go to
/// standard error. The exit status is 0, or 1 if no setting has such a name
#[derive(Args)]
pub(crate) struct ShowCommand {
    /// Print only settings whose names begin with this, such as lanes.fim
    #[arg(value_name = "NAME")]
    name: Option<String>,

    /// A directory of the workspace; the current one by default
    #[arg(long, value_name = "DIRECTORY", default_value = ".")]
    workspace: PathBuf,

    #[command(flatten)]
    settings: GivenSettings,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl ShowCommand {
    pub(crate) fn run(&self) -> Result<CommandOutcome, CommandFailure> {
        let (settings, problems) = self.resolve()?;
        problems.iter().for_each(warn);
        let all: Vec<_> = settings.entries().collect();
        let shown = match &self.name {
            Some(name) => named(all, name),
            None => all,
        };
        if shown.is_empty() {
            let name = self.name.as_deref().unwrap_or_default();
            warn(format!(
                "no setting begins with {name:?}; foretell config show prints all of them"
            ));
            return Ok(CommandOutcome::NotSo);
        }
        if self.json {
            write_json(&shown, &problems)?
        } else {
            write(&shown)?
        }
        Ok(CommandOutcome::Well)
    }

    /// The settings that apply, and everything that does not.
    fn resolve(&self) -> Result<(Settings, Vec<String>), CommandFailure> {
        let directory = real_directory(&self.workspace)?;
        let given = self.settings.read()?;
        let mut problems = Vec::new();
        let own = match self.settings.file() {
            Some(_) => None,
            None => read_own(&mut problems),
        };
        let (variables, faults) = environment::read();
        let sources = own.into_iter().chain([variables]).chain(given);
        let sources: Vec<_> = sources.collect();
        let faults = faults.into_iter().chain(environment::unfit(&sources));
        let of_environment: Vec<_> = faults.map(visible).collect();
        let here = std::env::current_dir().unwrap_or_default();
        let settings = match FileWorkspaces::of_directory(&directory, &here) {
            Ok(workspaces) => {
                problems.extend(workspaces.faults.iter().map(visible));
                let (settings, faults) = in_workspace(&workspaces, sources);
                problems.extend(faults.iter().map(visible));
                settings
            }
            Err(why) => {
                problems.extend(CommandFailure::from(why).problems());
                Settings::resolve(&sources).0
            }
        };
        problems.extend(of_environment);
        problems.extend(lane_checks::misconfigured(&settings).iter().map(visible));
        Ok((settings, problems))
    }
}

fn read_own(problems: &mut Vec<String>) -> Option<RawSettings> {
    let own = OwnFile::read(&UserDirectories::of_platform());
    problems.extend(own.problems());
    match own {
        OwnFile::Read { settings, .. } => Some(settings),
        _ => None,
    }
}

/// Those of a group or with one name; if there are none, all that begin with those letters.
fn named<'s>(mut all: Vec<CurrentSetting<'s>>, name: &str) -> Vec<CurrentSetting<'s>> {
    let begins = |it: &CurrentSetting<'_>, with: &str| {
        let start = it.name.get(..with.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(with))
    };
    let group = format!("{}.", name.trim_end_matches('.'));
    let is_meant =
        |it: &CurrentSetting<'_>| it.name.eq_ignore_ascii_case(name) || begins(it, &group);
    if all.iter().any(is_meant) {
        all.retain(is_meant)
    } else {
        all.retain(|it| begins(it, name))
    }
    all
}

/// One line for each: those that somebody set stand out.
fn write(shown: &[CurrentSetting<'_>]) -> io::Result<()> {
    let names = shown.iter().map(|it| it.name.chars().count());
    let width = names.max().unwrap_or_default();
    let mut out = anstream::stdout().lock();
    for current in shown {
        let is_default = current.origins.iter().all(|it| it.home == Home::Default);
        let (what, origin) = if is_default {
            (Style::new(), Style::new().dimmed())
        } else {
            (Style::new().bold(), Style::new())
        };
        let value = match current.shown() {
            Some(value) => visible(value),
            None => "unset".to_owned(),
        };
        let origins: Vec<_> = current.origins.iter().map(visible).collect();
        writeln!(
            out,
            "{what}{:<width$}  {value:<VALUE$}{what:#}  {origin}{}{origin:#}",
            visible(&current.name),
            origins.join(", ")
        )?;
    }
    out.flush()
}

#[derive(Serialize)]
struct SettingsReport<'a> {
    /// Faults, in words.
    problems: &'a [String],
    settings: Vec<SettingJson<'a>>,
}

#[derive(Serialize)]
struct SettingJson<'a> {
    name: &'a str,
    /// Its value, or null.
    value: Option<serde_json::Value>,
    /// Where that comes from, the strongest last.
    origins: Vec<OriginJson<'a>>,
}

#[derive(Serialize)]
struct OriginJson<'a> {
    home: String,
    /// The file, the variable or the flag.
    source: &'a str,
    line: Option<usize>,
    column: Option<usize>,
}

impl<'a> OriginJson<'a> {
    fn of(origin: &'a SettingOrigin) -> Self {
        OriginJson {
            home: origin.home.to_string(),
            source: &origin.source,
            line: origin.place.map(|it| it.line),
            column: origin.place.map(|it| it.column),
        }
    }
}

fn write_json(shown: &[CurrentSetting<'_>], problems: &[String]) -> io::Result<()> {
    let settings = shown.iter().map(|current| SettingJson {
        name: &current.name,
        value: current.shown().map(|it| it.to_json()),
        origins: current.origins.iter().map(OriginJson::of).collect(),
    });
    let report = SettingsReport {
        problems,
        settings: settings.collect(),
    };
    let mut out = io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, &report)?;
    writeln!(out)
}
