//! Decisions and their reasons: the story of every request, in words and as numbers.
//!
//! A machine decides once. Everything that is told of that afterwards (to a person who asks why nothing was
//! shown, on a screen that says how it is going, to a scraper of numbers) is told from here, so that it is
//! said in one place and in the same words.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`journal`] | the observer: the latest decisions, bounded |
//! | `decision`, `last_event` | what is kept of a decision, and of what had no effect |
//! | [`why_report`] | the answer to "why was nothing shown here?" |
//! | `explain` | the one place that turns a reason into a sentence, and says what to do next |
//! | `narrate`, `fault_words` | a decision in one line; how a lane broke |
//! | [`sentence`] | a fact as a sentence, where decisions are printed as they were made |
//! | `origin` | where settings were made, and whether the doctor sees that |
//! | [`numbers`], `measures` | the book: everything that is counted, and the last durations |
//! | [`status_report`] | how it is going, as data and as one screen |
//! | [`spoken`] | times, names and lists as people read them |
//!
//! Facts go in, in the order in which they happen ([`foretell_core::Observer`]); nothing is put into words
//! before a caller asks. The caller brings what only it knows: the clock of people, the settings, how
//! lanes broke and what excludes a document ([`WhyContext`]).
//!
//! Absent on purpose: clocks, files, protocols and the text of documents. A journal decides nothing, and
//! whether there is one changes nothing that is decided.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod decision;
mod explain;
mod fault_words;
pub mod journal;
mod last_event;
mod measures;
mod narrate;
pub mod numbers;
mod origin;
pub mod sentence;
pub mod spoken;
#[cfg(test)]
mod stage;
pub mod status_report;
pub mod why_report;

pub use decision::{FaultWords, LineColumn};
pub use explain::{WhyContext, contested_words};
pub use journal::Journal;
pub use numbers::{BookMoment, IndexNumbers, NumberBook, NumberRow, metrics_reference};
