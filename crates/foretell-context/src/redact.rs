//! Secrets become marks, and marks secrets again.
//!
//! Everything that leaves passes here first, before it is cut. A [`Redactor`] knows what secrets look
//! like; a [`Redaction`] is one request: it numbers the secrets in the order in which they are met,
//! keeps them, and gives a secret that is met again the mark that it has. What a model answers comes
//! back the same way: each mark of the text that it was told must be in the answer, as often as it
//! was told, and no other. So accepting an answer never loses a secret, never copies one, and never
//! leaves a mark in a document.
//!
//! | module | what it is |
//! | --- | --- |
//! | `rules` | the table of what secrets look like |
//! | `find` | one scan for all of them |
//! | `assignment` | values given to names that call them a secret |
//! | `value` | whether a value looks like a secret |
//! | `block` | private keys in blocks of lines |
//! | `seam` | where a text is cut off or interrupted |
//! | `mark` | what stands in place of a secret |
//!
//! A document may have words in it that look like a mark. They are redacted like a secret, so that
//! they come back as they were. No secret is ever printed: not by `Debug`, not in an error.

mod assignment;
mod block;
mod find;
mod mark;
mod rules;
mod seam;
mod value;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use foretell_text::{ByteOffset, ByteRange};

use find::{Finder, Match, is_worth_repeating, merged};
use mark::marks;

/// How many secrets of a request are looked for in its later texts where nothing calls them one.
const MOST_REPEATED: usize = 64;

/// Finds secrets. Made once, since that takes a while; clones share it. What it found for one
/// request is a [`Redaction`].
#[derive(Clone)]
pub struct Redactor {
    finder: Arc<Finder>,
}

impl Redactor {
    /// Makes the rules ready.
    pub fn new() -> Self {
        Redactor {
            finder: Arc::new(Finder::new()),
        }
    }

    /// Begins a request: its marks are numbered from 1.
    pub fn begin(&self) -> Redaction<'_> {
        Redaction {
            redactor: self,
            secrets: Vec::new(),
            numbers: BTreeMap::new(),
        }
    }

    /// The secrets of a text, in their order: they do not overlap, and begin and end between
    /// characters.
    pub fn secrets(&self, text: &str) -> Vec<SecretRange> {
        let found = self.finder.find(text).into_iter();
        found.filter_map(SecretRange::of).collect()
    }

    /// Where the secrets of a text are: the ranges that nothing may be suggested for.
    pub fn ranges(&self, text: &str) -> Vec<ByteRange> {
        let secrets = self.secrets(text).into_iter();
        secrets.map(|secret| secret.range).collect()
    }
}

impl Default for Redactor {
    fn default() -> Self {
        Redactor::new()
    }
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redactor").finish_non_exhaustive()
    }
}

/// Where a secret is, and what kind of secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecretRange {
    /// What kind of secret it is, in words; of several that overlap, the first.
    pub kind: &'static str,
    /// Where it is.
    pub range: ByteRange,
}

impl SecretRange {
    fn of(found: Match) -> Option<Self> {
        let start = ByteOffset::new(found.range.start);
        let end = ByteOffset::new(found.range.end);
        Some(SecretRange {
            kind: found.kind,
            range: ByteRange::new(start, end).ok()?,
        })
    }
}

/// The secrets of one request, each with its mark.
pub struct Redaction<'a> {
    redactor: &'a Redactor,
    /// In the order of their marks.
    secrets: Vec<Secret>,
    numbers: BTreeMap<Arc<str>, usize>,
}

/// What a mark stands for.
struct Secret(Arc<str>);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl fmt::Debug for Redaction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Redaction");
        shown.field("secrets", &self.secrets.len()).finish()
    }
}

impl Redaction<'_> {
    /// A text with every secret replaced by its mark.
    pub fn redact<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let mut found = self.redactor.finder.find(text);
        let known = self.known(text);
        let literal = marks(text).map(|mark| Match {
            kind: "mark",
            range: mark.range,
        });
        let before = found.len();
        found.extend(known.into_iter().chain(literal));
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        if found.len() > before {
            found = merged(found);
        }
        let mut redacted = String::with_capacity(text.len());
        let mut at = 0;
        for Match { range, .. } in found {
            redacted.push_str(text.get(at..range.start).unwrap_or_default());
            let number = self.number(text.get(range.clone()).unwrap_or_default());
            redacted.push_str(&mark::written(number));
            at = range.end;
        }
        redacted.push_str(text.get(at..).unwrap_or_default());
        Cow::Owned(redacted)
    }

    /// What a model wrote in place of `told` (a text that was redacted before; empty where it only
    /// puts something in), with the marks turned back into what they stood for.
    pub fn restore(&self, told: &str, answer: &str) -> Result<String, MarkFault> {
        let mut left: BTreeMap<usize, usize> = BTreeMap::new();
        for number in marks(told).filter_map(|mark| mark.number) {
            *left.entry(number).or_default() += 1;
        }
        let mut restored = String::with_capacity(answer.len());
        let mut at = 0;
        for mark in marks(answer) {
            let invented = MarkFault::Invented {
                at: mark.range.start,
            };
            let number = mark.number.ok_or(invented)?;
            let Secret(secret) = self.secrets.get(number - 1).ok_or(invented)?;
            match left.get_mut(&number) {
                Some(count) if *count > 0 => *count -= 1,
                _ => return Err(MarkFault::Doubled(number)),
            }
            restored.push_str(answer.get(at..mark.range.start).unwrap_or_default());
            restored.push_str(secret);
            at = mark.range.end;
        }
        restored.push_str(answer.get(at..).unwrap_or_default());
        let dropped = left.into_iter().find(|(_, count)| *count > 0);
        dropped.map_or(Ok(restored), |(number, _)| Err(MarkFault::Dropped(number)))
    }

    /// How many different secrets it has met.
    pub fn len(&self) -> usize {
        self.secrets.len()
    }

    /// Whether it has met none.
    pub fn is_empty(&self) -> bool {
        self.secrets.is_empty()
    }

    /// Where secrets that it has met before stand in a text.
    fn known(&self, text: &str) -> Vec<Match> {
        let known = self.secrets.iter().map(|Secret(secret)| &**secret);
        let known = known.filter(|secret| is_worth_repeating(secret));
        let places = known.take(MOST_REPEATED).flat_map(|secret| {
            text.match_indices(secret).map(|(start, secret)| Match {
                kind: "met before",
                range: start..start + secret.len(),
            })
        });
        places.collect()
    }

    fn number(&mut self, secret: &str) -> usize {
        if let Some(number) = self.numbers.get(secret) {
            return *number;
        }
        let secret: Arc<str> = secret.into();
        self.secrets.push(Secret(Arc::clone(&secret)));
        let number = self.secrets.len();
        self.numbers.insert(secret, number);
        number
    }
}

/// Why marks cannot be turned back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MarkFault {
    /// A secret would be lost.
    #[error("mark {0} is missing")]
    Dropped(usize),
    /// A secret would be written twice, or where it was not.
    #[error("mark {0} appears more often than it should")]
    Doubled(usize),
    /// What looks like a mark is none, or none of this request.
    #[error("what looks like a mark at byte {at} stands for nothing")]
    Invented {
        /// Where it stands in the answer.
        at: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In pieces, so that nobody takes this file for a leak.
    fn token(letter: char) -> String {
        format!("ghp_{}", letter.to_string().repeat(35) + "1")
    }

    #[test]
    fn a_secret_gets_its_mark_again() {
        let redactor = Redactor::new();
        let mut redaction = redactor.begin();
        let (a, b) = (token('a'), token('b'));
        let redacted = redaction.redact(&format!("{a} {b} {a}")).into_owned();
        assert_eq!(redacted, "[REDACTED-1] [REDACTED-2] [REDACTED-1]");
        assert_eq!(redaction.redact(&b), "[REDACTED-2]");
        assert_eq!(redaction.len(), 2);
        assert!(matches!(
            redaction.redact("nothing"),
            Cow::Borrowed("nothing")
        ));
    }

    #[test]
    fn marks_must_come_back_as_they_were() {
        let redactor = Redactor::new();
        let mut redaction = redactor.begin();
        let (a, b) = (token('a'), token('b'));
        let told = redaction.redact(&format!("{a} {b}")).into_owned();
        let restore = |answer: &str| redaction.restore(&told, answer);
        assert_eq!(
            restore("f([REDACTED-2], [REDACTED-1])"),
            Ok(format!("f({b}, {a})"))
        );
        assert_eq!(restore("[REDACTED-1]"), Err(MarkFault::Dropped(2)));
        let doubled = "[REDACTED-1] [REDACTED-2] [REDACTED-1]";
        assert_eq!(restore(doubled), Err(MarkFault::Doubled(1)));
        let invented = |at| Err(MarkFault::Invented { at });
        assert_eq!(restore("[REDACTED-3]"), invented(0));
        for malformed in [
            "[REDACTED-]",
            "[REDACTED-01]",
            "[redacted-1]",
            "[REDACTED-1",
            "[REDACTE",
        ] {
            assert_eq!(
                restore(&format!("{told} {malformed}")),
                invented(told.len() + 1)
            );
        }
        assert_eq!(
            redaction.restore("", "[REDACTED-1]"),
            Err(MarkFault::Doubled(1))
        );
        assert_eq!(redaction.restore("", "plain"), Ok("plain".to_owned()));
    }

    #[test]
    fn words_that_look_like_a_mark_stay_what_they_are() {
        let redactor = Redactor::new();
        let mut redaction = redactor.begin();
        let text = format!("[REDACTED-7] {} [redacted-1] [REDACTED-", token('a'));
        let told = redaction.redact(&text).into_owned();
        assert_eq!(told, "[REDACTED-1] [REDACTED-2] [REDACTED-3] [REDACTED-4]");
        assert_eq!(redaction.restore(&told, &told), Ok(text));
    }

    #[test]
    fn a_secret_is_known_again_where_nothing_tells() {
        let redactor = Redactor::new();
        let mut redaction = redactor.begin();
        redaction.redact("password = \"hunter2hunter2\"");
        assert_eq!(redaction.redact("say hunter2hunter2"), "say [REDACTED-1]");
    }

    #[test]
    fn nothing_prints_a_secret() {
        let redactor = Redactor::new();
        let mut redaction = redactor.begin();
        redaction.redact(&token('a'));
        assert_eq!(format!("{redaction:?}"), "Redaction { secrets: 1 }");
        assert_eq!(format!("{:?}", redaction.secrets), "[***]");
    }
}
