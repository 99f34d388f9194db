//! Names and words of others, made fit to be shown: they cannot do anything to a terminal, and stay in
//! their line.
//!
//! Separate because everything that says something to a person needs it, and one place must know what
//! is harmful.

use std::error::Error;
use std::fmt::Display;

use foretell_text::plain::is_odd;

/// A name that cannot do anything to a terminal, and stays in its line.
pub fn visible(name: impl Display) -> String {
    let plain = |c: char| if is_odd(c) { '\u{fffd}' } else { c };
    name.to_string().chars().map(plain).collect()
}

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

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn what_would_move_the_cursor_or_turn_the_text_is_replaced() {
        assert_eq!(visible("a\u{1b}[2Jb\nc"), "a\u{fffd}[2Jb\u{fffd}c");
        assert_eq!(visible("x\u{202e}txt.exe"), "x\u{fffd}txt.exe");
        assert_eq!(visible("größe 😀"), "größe 😀");
    }
}
