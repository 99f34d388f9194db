//! Facts about languages, for every crate that needs one.
//!
//! | module | what it has |
//! | --- | --- |
//! | [`lexical_rules`] | how comments and strings are written |

pub mod lexical_rules;

pub use lexical_rules::{CodeHole, LexicalRules, StringPrefix, StringQuote};
