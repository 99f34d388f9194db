//! `foretell doctor`: whether everything is as it should be, and what to do where it is not.
//!
//! It looks at what the other commands and the language server would use, in the same way: settings,
//! lanes and their servers, the index, and what is kept where. Servers are asked a tiny question, all
//! of them at once, and those on this machine one of real size. It changes nothing.
//!
//! | part | what it is |
//! | --- | --- |
//! | `settings_checks` | settings: who sets them, and what does not apply |
//! | `lane_checks` | lanes, and the servers that answer for them |
//! | `speed_checks` | how fast those are, and how long to wait for them |
//! | `kept_files` | what is kept: the index, what was used up, and where everything is |
//! | `doctor_report` | what was found, for people and for machines |

mod doctor_report;
mod kept_files;
pub(crate) mod lane_checks;
mod settings_checks;
mod speed_checks;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use self::doctor_report::DoctorReport;
use self::settings_checks::SettingsSources;
use self::speed_checks::MeasuredServers;
use crate::failure::{CommandFailure, CommandOutcome, real_directory};
use crate::given_settings::GivenSettings;

/// Find out what is wrong, and what to do about it
///
/// Checks the settings, sends the model servers a tiny test request, measures those on this machine with a
/// prompt of real size (made-up code, about 1,200 tokens), and says where files are kept. The
/// exit status is 0 if all is well, or 1 if something is wrong, or 2 if the check itself failed
#[derive(Args)]
pub(crate) struct DoctorCommand {
    /// A directory of the workspace; the current one by default
    #[arg(value_name = "DIRECTORY", default_value = ".")]
    directory: PathBuf,

    #[command(flatten)]
    settings: GivenSettings,

    /// Measure model servers elsewhere, too, which may bill about 3,000 tokens each
    #[arg(long)]
    measure: bool,

    /// Print JSON for a bug report, without keys and code
    #[arg(long)]
    json: bool,
}

impl DoctorCommand {
    pub(crate) fn run(&self) -> Result<CommandOutcome, CommandFailure> {
        let directory = real_directory(&self.directory)?;
        let sources = SettingsSources::of(&directory, &self.settings)?;
        let report = DoctorReport {
            settings: sources.findings,
            lanes: lane_checks::findings(&sources.settings, self.measured())?,
            index: vec![kept_files::index(&sources.root, &sources.settings)],
            usage: kept_files::usage(&sources.settings),
            places: kept_files::places(sources.own.as_deref(), &sources.settings),
        };
        match self.print(&report) {
            // The reader of the output has seen enough, but may still ask how it ended.
            Err(why) if why.kind() == io::ErrorKind::BrokenPipe => {}
            printed => printed?,
        }
        if report.is_well() {
            Ok(CommandOutcome::Well)
        } else {
            Ok(CommandOutcome::NotSo)
        }
    }

    fn measured(&self) -> MeasuredServers {
        if self.measure {
            MeasuredServers::All
        } else {
            MeasuredServers::Local
        }
    }

    fn print(&self, report: &DoctorReport) -> io::Result<()> {
        if self.json {
            return report.write_json(&mut io::stdout().lock());
        }
        let mut out = anstream::stdout().lock();
        report.write(&mut out)?;
        out.flush()
    }
}
