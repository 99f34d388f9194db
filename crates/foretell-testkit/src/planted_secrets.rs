//! Secrets planted in files that look like people's own, by the thousand: what redaction is measured with.
//!
//! A case follows from a seed and its number: a kind of secret, a form that gives it to a name (or does not), a
//! place in a file and a disguise. Whoever writes rules of redaction looks at misses of the tuning half only:
//! a fixed third of the kinds and of the forms is held out, so that a rate is no memory of the cases. The
//! tables here were written from what services publish and people write, without a look at the rules. The
//! reserve is for when both halves have been looked at: other kinds in other forms, which nobody tunes on and
//! which no gate counts.
//!
//! | module | what it is |
//! | --- | --- |
//! | `service_tokens` | tokens of known services and their published shapes |
//! | `private_keys` | keys in blocks, and in what people make of blocks |
//! | `names` | names of secrets, words for them in other languages, and what people choose |
//! | `forms` | how each language gives a value to a name |
//! | `hidden` | what nothing names, and what is encoded |
//! | `stand_ins` | what looks like a secret and is none |
//! | `surroundings` | ordinary code to stand in |
//! | `reserve` | all of these tables once more, with nothing in them that is in the others |
//! | `tables` | which tables a set of cases is made from |
//! | `kinds` | what all these tables list, and what is held out |
//! | `lines`, `scene` | a secret in its form; its place and its disguise |
//! | `secret_shape`, `encoding`, `random` | what values are made with |
//!
//! Absent on purpose: a real secret, and anything that knows how redaction works.

use std::ops::Range;

mod encoding;
mod forms;
mod hidden;
mod kinds;
mod lines;
mod names;
mod private_keys;
mod random;
mod reserve;
mod scene;
mod secret_shape;
mod service_tokens;
mod stand_ins;
mod surroundings;
mod tables;

use kinds::{ITS_OWN, SecretKind, kinds_of, reserve_kinds_of};
use random::SeededRandom;
use reserve::RESERVE;
use secret_shape::{BEGIN, END};
use tables::{OPEN, SecretTables};

/// The class of a secret: the trait that it is told by.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum SecretClass {
    /// A token of a known service.
    ServiceToken,
    /// A private key.
    PrivateKey,
    /// A value that is given to a name, or stands where a password stands.
    NamedSecret,
    /// A random string of 32 letters or more that nothing names.
    UnnamedString,
    /// Hexadecimal digits that nothing names: they look like a digest.
    UnnamedHex,
    /// Encoded, so that neither its form nor its letters are to be seen.
    Encoded,
    /// No secret at all: a mark here is a false one.
    NotASecret,
}

impl SecretClass {
    /// All of them, in the order of tables, with their share of the cases.
    pub const SHARES: [(Self, usize); 7] = [
        (Self::ServiceToken, 35),
        (Self::PrivateKey, 8),
        (Self::NamedSecret, 37),
        (Self::UnnamedString, 8),
        (Self::UnnamedHex, 2),
        (Self::Encoded, 10),
        (Self::NotASecret, 20),
    ];

    /// Its name in tables.
    pub fn label(self) -> &'static str {
        match self {
            Self::ServiceToken => "token of a known service",
            Self::PrivateKey => "private key",
            Self::NamedSecret => "named secret",
            Self::UnnamedString => "unnamed high entropy",
            Self::UnnamedHex => "unnamed hex",
            Self::Encoded => "encoded",
            Self::NotASecret => "not a secret",
        }
    }
}

/// The half that a case is in: it says who may look at it.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum CaseHalf {
    /// Whoever writes rules.
    Tuning,
    /// Only whoever counts.
    HeldOut,
    /// Nobody while rules are being written: it is neither half, and only asked for by name.
    Reserve,
}

/// The fate of a planted secret.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SecretFate {
    /// Nothing of it is left.
    Whole,
    /// Up to three letters are left at an end.
    Remainder,
    /// More is left, or something in its middle.
    Left,
}

/// A file with a secret in it, or with what looks like one.
#[derive(Clone, Debug)]
pub struct PlantedCase {
    /// The trait that the secret is told by.
    pub class: SecretClass,
    /// Its kind.
    pub kind: String,
    /// How it is written down.
    pub form: String,
    /// The language of the file.
    pub language: &'static str,
    /// Where in the file it stands.
    pub place: &'static str,
    /// Its disguise.
    pub disguise: &'static str,
    /// The half it is in.
    pub half: CaseHalf,
    /// The file.
    pub text: String,
    /// Where the secret is, in pieces that are on one line each. Empty when it is none.
    pub secrets: Vec<Range<usize>>,
}

impl PlantedCase {
    /// How much of the secret marks on these ranges leave.
    pub fn fate(&self, marks: &[Range<usize>]) -> SecretFate {
        let mut fate = SecretFate::Whole;
        for secret in &self.secrets {
            let is_marked = |at: usize| marks.iter().any(|mark| mark.contains(&at));
            let kept: Vec<bool> = self.text[secret.clone()]
                .char_indices()
                .map(|(at, _)| !is_marked(secret.start + at))
                .collect();
            let front = kept.iter().take_while(|kept| **kept).count();
            let back = kept.iter().rev().take_while(|kept| **kept).count();
            let all = kept.iter().filter(|kept| **kept).count();
            if all == 0 {
                continue;
            }
            let is_at_ends = all == front + back && front < 4 && back < 4;
            if !is_at_ends || all * 2 > kept.len() {
                return SecretFate::Left;
            }
            fate = SecretFate::Remainder;
        }
        fate
    }
}

/// So many cases of secrets that follow from a seed, and a fifth as many stand-ins.
pub fn cases(seed: u64, count: usize) -> Vec<PlantedCase> {
    made_cases(seed, count, &OPEN, kinds_of)
}

/// As many cases of the reserve.
pub fn reserve_cases(seed: u64, count: usize) -> Vec<PlantedCase> {
    made_cases(seed, count, &RESERVE, reserve_kinds_of)
}

fn made_cases(
    seed: u64,
    count: usize,
    tables: &SecretTables,
    kinds_of: fn(SecretClass) -> Vec<SecretKind>,
) -> Vec<PlantedCase> {
    let mut all = Vec::new();
    for (class, share) in SecretClass::SHARES {
        let kinds = kinds_of(class);
        let begin = SeededRandom::new(seed ^ hash(class.label())).below(kinds.len());
        for number in 0..(count * share).div_ceil(100) {
            let kind = &kinds[(begin + number) % kinds.len()];
            let own_seed = hash(&format!("{seed} {} {number}", class.label()));
            all.push(planted(
                class,
                kind,
                tables,
                &mut SeededRandom::new(own_seed),
            ));
        }
    }
    all
}

/// How many kinds of secrets there are, without the stand-ins.
pub fn kinds() -> usize {
    number_of(kinds_of)
}

/// How many there are in the reserve.
pub fn reserve_kinds() -> usize {
    number_of(reserve_kinds_of)
}

fn number_of(kinds_of: fn(SecretClass) -> Vec<SecretKind>) -> usize {
    let of_class = |(class, _): (SecretClass, usize)| match class {
        SecretClass::NotASecret => 0,
        class => kinds_of(class).len(),
    };
    SecretClass::SHARES.into_iter().map(of_class).sum()
}

/// The kinds of a class, with who may look at them.
pub fn kinds_by_half(class: SecretClass) -> Vec<(String, CaseHalf)> {
    let kinds = kinds_of(class);
    kinds
        .into_iter()
        .map(|kind| (kind.label, kind.half))
        .collect()
}

/// One case of a kind.
fn planted(
    class: SecretClass,
    kind: &SecretKind,
    tables: &SecretTables,
    random: &mut SeededRandom,
) -> PlantedCase {
    let (snippet, form_label) = lines::snippet(kind.source, tables, random);
    let scene = scene::stage(snippet, random);
    let form_half = if form_label != ITS_OWN && hash(&format!("form {form_label}")) % 3 == 0 {
        CaseHalf::HeldOut
    } else {
        CaseHalf::Tuning
    };
    let half = kind.half.max(form_half);
    let (text, secrets) = unmarked(&scene.text);
    PlantedCase {
        class,
        kind: kind.label.clone(),
        form: form_label,
        language: scene.language,
        place: scene.place,
        disguise: scene.disguise,
        half,
        text,
        secrets,
    }
}

/// A fixed number for a text, with every bit mixed: FNV-1a and one round of the generator.
fn hash(text: &str) -> u64 {
    let folded = text.bytes().fold(0xcbf2_9ce4_8422_2325, |sum: u64, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    SeededRandom::new(folded).next()
}

/// A text without the characters that say where the secret is, and where it is: pieces within lines.
fn unmarked(marked: &str) -> (String, Vec<Range<usize>>) {
    let mut text = String::new();
    let mut secrets = Vec::new();
    let mut began = None;
    for character in marked.chars() {
        match character {
            BEGIN => began = Some(text.len()),
            END => secrets.extend(began.take().map(|start| start..text.len())),
            '\n' | '\r' => {
                if let Some(start) = began {
                    secrets.push(start..text.len());
                    began = Some(text.len() + 1);
                }
                text.push(character);
            }
            _ => text.push(character),
        }
    }
    secrets.retain(|range| !range.is_empty());
    (text, secrets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_cases() {
        let texts =
            |seed| -> Vec<String> { cases(seed, 300).into_iter().map(|one| one.text).collect() };
        assert_eq!(texts(7), texts(7));
        assert_ne!(texts(7), texts(8));
    }

    #[test]
    fn every_secret_is_where_the_case_says() {
        for case in cases(1, 6_000) {
            assert!(!case.text.contains([BEGIN, END]), "{case:?}");
            assert!(!case.text.contains("$value"), "{case:?}");
            assert_eq!(
                case.secrets.is_empty(),
                case.class == SecretClass::NotASecret,
                "{case:?}"
            );
            for range in &case.secrets {
                assert!(case.text.get(range.clone()).is_some(), "{case:?}");
            }
        }
    }

    #[test]
    fn a_third_of_each_class_is_held_out() {
        for (class, _) in SecretClass::SHARES {
            let kinds = kinds_by_half(class);
            let held_out = kinds.iter().filter(|(_, half)| *half == CaseHalf::HeldOut);
            let percent = held_out.count() * 100 / kinds.len();
            assert!(
                (20..=50).contains(&percent),
                "{}: {percent} %",
                class.label()
            );
        }
        assert!(kinds() >= 250, "{}", kinds());
    }

    #[test]
    fn a_secret_is_caught_when_nothing_of_it_is_left() {
        let mut case = cases(1, 1).remove(0);
        case.text = "x = 'abcdefghijkl'".to_owned();
        case.secrets.clear();
        case.secrets.push(5..17);
        // Twice the same range, because one by itself looks like a slip of the pen.
        let fate = |mark: Range<usize>| case.fate(&[mark.clone(), mark]);
        assert_eq!(fate(5..17), SecretFate::Whole);
        assert_eq!(case.fate(&[0..9, 9..18]), SecretFate::Whole);
        assert_eq!(fate(8..17), SecretFate::Remainder);
        assert_eq!(fate(9..17), SecretFate::Left);
        assert_eq!(case.fate(&[5..10, 11..17]), SecretFate::Left);
        assert_eq!(case.fate(&[]), SecretFate::Left);
    }
}
