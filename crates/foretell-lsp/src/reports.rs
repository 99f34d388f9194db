//! Answers of the server about itself, in words a person reads and in data a client draws.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`rejection_report`] | what was rejected, there and back: `foretell/rejections`, `forget`, `restore` |
//! | [`sent_report`] | what was sent last: `foretell/sent` |
//!
//! Each is a function from what is known to what is answered; `foretell/why` is the journal's. Absent on
//! purpose: who asks, and everything that would have to be remembered for it.

pub(crate) mod rejection_report;
pub(crate) mod sent_report;
