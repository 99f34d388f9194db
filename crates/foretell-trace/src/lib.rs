//! Recorded sessions: what happened and when, read, and run through the machine again.
//!
//! People attach a trace to a report of something odd; tests and benchmarks run on them. A trace is
//! read as a whole before anything of it is replayed, so that a broken one is refused and never
//! half replayed. Replaying is on a virtual clock: it takes as long as the machine takes, and two
//! replays give the same bytes.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`trace`] | [`Trace`], a recorded session as values |
//! | [`read`] | from JSON Lines to a `Trace`, or a [`TraceReadError`] that names the line |
//! | [`write`](mod@write) | [`TraceWriter`], from what the machine is told to JSON Lines |
//! | [`shape`] | a recording without the words |
//! | [`replay`] | [`Replay`], which drives a [`Core`](foretell_core::Core) through a trace |
//! | [`evaluation`] | how often lanes foresee what the person did next |
//! | [`answerer`] | [`LaneAnswerer`], who answers for a lane in a replay and is scored |
//! | [`summary`], [`pacing`] | [`ReplaySummary`], what is counted on the way |
//! | [`json_lines`] | [`JsonLines`], what the machine did, for other machines |
//!
//! ```
//! use foretell_trace::{JsonLines, Replay, ReplayOptions, Trace};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let lines = r#"
//! {"foretell":"trace","version":1,"offsets":"utf-16"}
//! {"t":0,"event":"open","doc":"file:///a.ts","language":"typescript","text":"let 😀 = 1;"}
//! {"t":10,"event":"reject-edit","doc":"file:///a.ts","edit":{"at":6,"delete":0,"insert":": u8"}}
//! {"t":20,"event":"edit","doc":"file:///a.ts","changes":[{"at":0,"delete":0,"insert":"// why\n"}]}
//! {"t":30,"event":"check","doc":"file:///a.ts","edit":{"at":13,"delete":0,"insert":": u8"}}
//! "#;
//! let trace = Trace::read("a.jsonl", lines.trim_start().as_bytes())?;
//! let mut replay = Replay::new(&trace, &[], ReplayOptions::default()).map_err(|faults| faults[0].to_string())?;
//! let json = JsonLines::of(trace.offsets());
//! let mut out = Vec::new();
//! while let Some(turn) = replay.advance() {
//!     json.write_turn(&turn, &replay, &mut out)?;
//! }
//! assert_eq!(
//!     String::from_utf8(out)?,
//!     concat!(
//!         r#"{"t":10,"n":3,"action":"remembered","rejection":1,"#,
//!         r#""edit":{"at":6,"delete":0,"insert":": u8"}}"#,
//!         "\n",
//!         r#"{"t":30,"n":5,"action":"checked","rejected":true,"rejection":1}"#,
//!         "\n",
//!     )
//! );
//! # Ok(())
//! # }
//! ```
//!
//! Absent on purpose: files, a real clock, and words for people; the binary has those.
//! Nothing here decides anything: that is the machine's business.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod answerer;
pub mod evaluation;
pub mod json_lines;
pub mod pacing;
pub mod read;
pub mod replay;
pub mod shape;
pub mod summary;
pub mod trace;
pub mod write;

pub use answerer::LaneAnswerer;
pub use evaluation::{
    AnswerVerdict, EvalScore, EvalScores, LaneChoice, ScoredAnswer, ScoredQuestion,
    TraceEvaluation, eval,
};
pub use json_lines::JsonLines;
pub use pacing::ReplayPacing;
pub use read::problem::{TraceProblem, TraceReadError};
pub use replay::{
    ClientKind, LaneSource, PlayedAnswer, PlayedRequest, Replay, ReplayOptions, ReplayTurn,
    RequestSource, TurnCause, TurnOutcome,
};
pub use shape::ShapeKey;
pub use summary::ReplaySummary;
pub use trace::{
    EditCheck, ExpectedEdit, ExpectedRank, LineContent, NamedRequest, OffsetUnit, Trace, TraceLine,
};
pub use write::TraceWriter;
