//! The language server as an editor meets it: what is said, and what comes back, word for word.

mod answering;
mod at_once;
mod client;
mod contexts;
mod copilot;
mod documents;
mod inferred;
mod lifecycle;
mod model_edits;
mod native;
mod progress;
mod recording;
mod recording_disk;
mod settings;
mod status;
mod suggestions;
mod triggers;
