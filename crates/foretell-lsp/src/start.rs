//! What a server is started with.

use foretell_engine::Places;
use foretell_engine::reexports::Redactor;
use foretell_settings::RawSettings;

use crate::script::Script;
use foretell_observe::Log;
use foretell_observe::MetricsAddress;
use foretell_observe::Recording;

/// What whoever starts a server has decided, besides what files and the client say. The default is a
/// server that knows no directory of a person's and was told nothing. There is one for each server: two
/// cannot record to one file.
#[derive(Debug, Default)]
pub struct Start {
    /// Where the person's own things are.
    pub places: Places,
    /// Settings of the environment and the command line.
    pub given: Vec<RawSettings>,
    /// What in those does not apply, in words, to be said to the client.
    pub faults: Vec<String>,
    /// What the FIM lane says, in tests; nothing is what settings say.
    pub script: Option<Script>,
    /// Who takes secrets out of what leaves. Several servers may share one, since its rules take a
    /// while to make.
    pub redactor: Redactor,
    /// The log of the process, if it has one that is ours.
    pub log: Option<Log>,
    /// Where metrics are to be read while it runs, if anywhere.
    pub metrics: Option<MetricsAddress>,
    /// Where the session is recorded, if it is.
    pub recording: Option<Recording>,
}
