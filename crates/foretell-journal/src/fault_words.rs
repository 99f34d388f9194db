//! How a lane broke, in words: the cause first, then what its server says itself.
//!
//! A lane says what happened, with the status of a server's answer behind it and the server's own words
//! at the end. Put into a sentence of ours that would be three voices in one another, so that it is taken
//! apart here: `http://127.0.0.1:8080 answered with status 500 and is broken itself: …; it says: “…”`.
//! Where it has been said already, its short name is enough.

use foretell_core::FailureKind;

use crate::decision::FaultWords;
use crate::spoken::one_line;

/// Introductions to the server's own words, and to a status.
const THEIRS: &str = "; it says: ";
const STATUS: &str = " (status ";

impl FaultWords {
    /// All of it, in one line.
    pub fn words(&self) -> String {
        let said = one_line(&self.says);
        let (ours, theirs) = match said.split_once(THEIRS) {
            Some((ours, theirs)) => (ours, Some(theirs)),
            None => (&*said, None),
        };
        let ours = match (status(ours), ours.split_once(' ')) {
            (Some((status, before, behind)), Some((address, _))) => {
                let happened = before.strip_prefix(address).unwrap_or(before);
                format!("{address} answered with status {status} and{happened}{behind}")
            }
            _ => ours.to_owned(),
        };
        match theirs {
            Some(theirs) => format!("{ours}{THEIRS}“{theirs}”"),
            None => ours,
        }
    }

    /// Its name, where all of it has been said.
    pub(super) fn short(&self) -> String {
        match status(&self.says) {
            Some((status, ..)) => format!("status {status}"),
            None => self.kind.name().to_owned(),
        }
    }

    /// Whether anybody was asked before it broke.
    pub(crate) fn was_asked(&self) -> bool {
        !matches!(
            self.kind,
            FailureKind::Misconfigured | FailureKind::NoKey | FailureKind::Untold
        )
    }
}

/// The status of a server's answer, and what is said before and behind it.
fn status(says: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = says.split_once(STATUS)?;
    let (status, behind) = rest.split_once(')')?;
    let is_one = status.len() == 3 && status.bytes().all(|it| it.is_ascii_digit());
    is_one.then_some((status, before, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cause_and_the_status_come_first() {
        let words = |says: &str| FaultWords::new(FailureKind::ServerError, says).words();
        let said = "http://127.0.0.1:8080 is broken itself: see its log (status 500); it says: oh \
                    (status 7)";
        let expected = "http://127.0.0.1:8080 answered with status 500 and is broken itself: see \
                        its log; it says: “oh (status 7)”";
        assert_eq!(words(said), expected);
        let said = "http://h has had too many requests: wait (status 429); it wants to be left alone \
                    for 7 s";
        let expected = "http://h answered with status 429 and has had too many requests: wait; it \
                        wants to be left alone for 7 s";
        assert_eq!(words(said), expected);
        for plain in [
            "",
            "it panicked",
            "nobody listens at http://h: start it",
            "a (status x)",
        ] {
            assert_eq!(words(plain), plain);
        }
    }

    #[test]
    fn a_short_name_is_a_status_or_a_kind() {
        let short = |says: &str| FaultWords::new(FailureKind::ClientError, says).short();
        assert_eq!(
            short("http://h wants a key: name one (status 401)"),
            "status 401"
        );
        assert_eq!(short("it is odd"), "client-error");
    }
}
