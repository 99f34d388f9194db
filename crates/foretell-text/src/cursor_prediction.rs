//! [`CursorPrediction`]: what a predictor that answers at once thinks is typed next, and [`PredictionAsk`],
//! the moment it is asked in; [`CodePlace`], where it was learned.
//!
//! Absent on purpose: how it comes to think so, and whether that is enough to be shown.

use crate::file_path::FilePath;
use crate::lane_kind::LaneCandidate;
use crate::probability::TextProbability;

/// A text that may be typed next, as the change that writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CursorPrediction {
    /// The change.
    pub candidate: LaneCandidate,
    /// How likely all of it is what the person types next.
    pub probability: TextProbability,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodePlace {
    /// The name of the file, in its workspace.
    pub file: FilePath,
    /// The number of the line, from 1.
    pub line: usize,
}

/// The moment in which a predictor is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PredictionAsk {
    /// Between two keys: the person is about to type the next one.
    Key,
    /// In a pause.
    Pause,
}

impl PredictionAsk {
    /// Both.
    pub const ALL: [PredictionAsk; 2] = [PredictionAsk::Key, PredictionAsk::Pause];

    /// Its name in traces and figures.
    pub const fn name(self) -> &'static str {
        match self {
            PredictionAsk::Key => "key",
            PredictionAsk::Pause => "pause",
        }
    }
}
