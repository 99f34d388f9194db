//! What the server answers for itself, in words a person reads and in data a client draws.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`rejections`] | what was rejected, there and back: `foretell/rejections`, `forget`, `restore` |
//! | [`sent`] | what was sent last: `foretell/sent` |
//!
//! Each is a function from what is known to what is answered; `foretell/why` is the journal's. Absent on
//! purpose: who asks, and everything that would have to be remembered for it.

pub(crate) mod rejections;
pub(crate) mod sent;
