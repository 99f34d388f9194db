//! Where suggestions come from.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`lane`] | [`Lane`], what is asked for a suggestion, and how |
//! | [`instant_predictor`] | [`InstantPredictor`], what answers at once, and how it is asked |
//! | [`lane_request`] | [`LaneRequest`], everything a lane may know |
//! | [`lane_context`] | what is told besides documents |
//! | [`lane_redaction`] | how secrets are kept from everybody else |
//! | [`embedded`] | lanes that need no model: repeat, recall and quick fix |
//! | [`other_places`] | where else a model could be asked |
//! | [`model`] | lanes that ask a model server |
//!
//! Mechanism, no policy: a lane never waits, retries or chooses on its own account. When it is asked,
//! which of its answers is shown, and when it is left alone is decided elsewhere.
//!
//! Absent on purpose: what else is asked at the same time, what the person rejected (but for what makes
//! a lane more careful), files and the workspace: the request brings the code to look at.

pub mod embedded;
pub mod instant_predictor;
pub mod lane;
pub mod lane_context;
pub mod lane_redaction;
pub mod lane_request;
pub mod model;
pub mod other_places;

pub use foretell_text::{CodeSearch, NoCode};
pub use instant_predictor::{DocumentHome, InstantPredictor, LineScreen, PredictionQuestion};
pub use lane::{
    Lane, LaneAnswer, LaneFault, LaneFuture, LaneProgress, ProgressSink, PromptReading,
};
pub use lane_context::LaneContext;
pub use lane_redaction::{BlankRedaction, Redact, SecretMarks};
pub use lane_request::{LaneRequest, OpenDocument, QuestionPurpose};
pub use other_places::OtherPlace;
