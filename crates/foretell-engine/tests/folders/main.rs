//! The folders of an editor: whose settings apply, what is excluded, and what is said of what is wrong.
//!
//! | module | what it is about |
//! | --- | --- |
//! | `machine` | a machine with folders |
//! | `applying` | whose settings apply |
//! | `excluding` | what is excluded |
//! | `wrong` | what is wrong in settings |
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod applying;
mod excluding;
mod machine;
mod wrong;
