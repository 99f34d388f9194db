//! `foretell/status`: how it is going: lanes, index, counts, rates, durations, memory, settings.

use foretell_engine::folders::ApplicableSettings;
use foretell_engine::indexes::IndexState;
use foretell_engine::reexports::address_of;
use foretell_settings::settings;
use foretell_text::LaneKind;

use super::initialize::PROTOCOL;
use crate::server::{Server, usage_unkept};
use foretell_journal::status_report::{
    IndexLine, SettingsFileLine, StatusReport, StatusSurroundings, status,
};
use foretell_observe::resident;

pub(crate) const METHOD: &str = "foretell/status";

pub(crate) fn answer(server: &Server) -> StatusReport {
    let surroundings = StatusSurroundings {
        version: env!("CARGO_PKG_VERSION"),
        protocol: PROTOCOL,
        address: &address,
        index: indexes(server),
        settings_files: settings_files(server),
        usage_unkept: server.engine.usage_unkept().map(usage_unkept),
        memory_bytes: resident::bytes(),
    };
    server.with_known(|journal, around| status(journal, around, surroundings))
}

fn address(lane: LaneKind, settings: &settings::LaneSettings) -> Result<String, String> {
    let address = address_of(lane, settings);
    address
        .map(|it| it.to_string())
        .map_err(|it| it.to_string())
}

fn indexes(server: &Server) -> Vec<IndexLine> {
    let all = server.environment.indexes().map(|it| it.status());
    let all = all.unwrap_or_default().into_iter();
    let told = all.map(|it| {
        let (state, contents) = match &it.state {
            // How much there is in it is told beside it.
            IndexState::Ready(contents) => ("ready".to_owned(), *contents),
            state => (state.to_string(), Default::default()),
        };
        let problem = it.problem.map(|why| format!("; {why}"));
        IndexLine {
            folder: it.folder.display().to_string(),
            state: state + &problem.unwrap_or_default(),
            files: contents.files as u64,
            chunks: contents.chunks,
            bytes: contents.bytes_on_disk,
        }
    });
    told.collect()
}

/// The files that were read, each with what is wrong in it, and what is wrong elsewhere.
fn settings_files(server: &Server) -> Vec<SettingsFileLine> {
    let read = server.environment.read();
    let sources = read.map(|it| it.loaded.sources.as_slice());
    let there = sources.unwrap_or_default().iter();
    let there = there.filter(|it| it.applies != ApplicableSettings::Absent);
    let mut faults = server.said.clone();
    let mut files: Vec<SettingsFileLine> = Vec::new();
    for source in there {
        let path = source.file.display().to_string();
        let (own, rest) = faults
            .into_iter()
            .partition(|it: &String| it.starts_with(&path));
        faults = rest;
        files.push(SettingsFileLine { path, faults: own });
    }
    if !faults.is_empty() {
        let path = "elsewhere".to_owned();
        files.push(SettingsFileLine { path, faults });
    }
    files
}
