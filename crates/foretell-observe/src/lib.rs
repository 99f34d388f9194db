//! The output of a server for others: numbers to scrape, a recording to replay, a log to read.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`metrics`] | the book of numbers over HTTP, to this machine only |
//! | [`record`] | a session written to a file, as a trace |
//! | [`log`] | what is said while it runs, to standard error and to a file |
//! | [`resident`] | how much memory the process takes |
//!
//! Each has a thread of its own, so that a disk that hangs or a scraper that never reads takes nothing from
//! the loop. It is a crate because of what it depends on: an HTTP server, files, and traces, which neither the
//! engine nor the protocol need.
//!
//! Absent on purpose: what is counted and what is written, which are the journal's and the trace's, and every
//! protocol of editors.

pub mod log;
pub mod metrics;
pub mod record;
pub mod resident;

pub use log::Log;
pub use metrics::{MetricsAddress, MetricsAddressError};
pub use record::{NewRecording, RecordError, RecordedContent};
