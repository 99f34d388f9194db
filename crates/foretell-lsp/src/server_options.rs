//! The options that a server is started with.

use foretell_engine::UserDirectories;
use foretell_engine::reexports::Redactor;
use foretell_settings::RawSettings;

use crate::lane_script::LaneScript;
use foretell_observe::Log;
use foretell_observe::MetricsAddress;
use foretell_observe::NewRecording;

/// What answers at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PredictorChoice {
    /// Nothing does.
    #[default]
    Nothing,
    /// The language model that learns from what is open and what is typed.
    LineModel,
}

/// The choices of the caller that starts a server, besides those of files and the client. The default
/// is a server that knows no directory of a person's and was told nothing. There is one for each
/// server: two cannot record to one file.
#[derive(Debug, Default)]
pub struct ServerOptions {
    /// Where the person's own things are.
    pub places: UserDirectories,
    /// Settings of the environment and the command line.
    pub given: Vec<RawSettings>,
    /// Their faults, in words, for the client.
    pub faults: Vec<String>,
    /// The FIM lane's answers in tests; with none, settings choose the lane.
    pub script: Option<LaneScript>,
    /// What answers at once, beside the lanes. Not beside a script, which says all there is.
    pub predictor: PredictorChoice,
    /// Takes secrets out of everything that leaves. Several servers may share one, since its rules
    /// take a while to make.
    pub redactor: Redactor,
    /// The log of the process, if it has one that is ours.
    pub log: Option<Log>,
    /// Where metrics are to be read while it runs, if anywhere.
    pub metrics: Option<MetricsAddress>,
    /// Where the session is recorded, if it is.
    pub recording: Option<NewRecording>,
}
