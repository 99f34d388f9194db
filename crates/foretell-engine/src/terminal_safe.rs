//! Names and words of others, made fit to be shown: they cannot do anything to a terminal, and stay in
//! their line.
//!
//! Separate because everything that says something to a person needs it, and one place must know what
//! is harmful.

use std::error::Error;
use std::fmt::Display;

pub use foretell_text::plain::one_line as visible;

/// An error with all that is behind it, in one line unless it says more itself.
pub fn with_causes(error: &dyn Error) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(why) = cause {
        words = format!("{words}: {why}");
        cause = why.source();
    }
    words
}

/// Several things that are wrong, in one line.
pub(crate) fn in_one_line(problems: &[impl Display]) -> String {
    let problems: Vec<_> = problems.iter().map(visible).collect();
    problems.join("; ")
}
