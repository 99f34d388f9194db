//! How many planted secrets are caught, of each class: what is promised, measured on cases that were not
//! written for the rules.
//!
//! The seed is fixed, so that a change is stopped by what it did. `TEST_FORETELL_SEED` gives another one, which
//! is printed when a rate is too low. Kinds and cases that are missed are printed by
//! `cargo bench -p foretell-context --bench redaction_rates`.

use std::ops::Range;

use foretell_context::Redactor;
use foretell_testkit::planted_secrets::{CaseHalf, PlantedCase, SecretClass, SecretFate, cases};

/// How many secrets are planted.
const CASES: usize = 5_000;
/// The seed, unless another is given.
const SEED: u64 = 24;
/// What share of a class is caught at least. Hexadecimal digits that nothing names are not promised.
const AT_LEAST: [(SecretClass, f64); 4] = [
    (SecretClass::ServiceToken, 0.98),
    (SecretClass::PrivateKey, 1.0),
    (SecretClass::NamedSecret, 0.95),
    (SecretClass::UnnamedString, 0.80),
];
/// What share of stand-ins is marked at most.
const STAND_INS_AT_MOST: f64 = 0.02;

#[test]
fn planted_secrets_are_caught_and_stand_ins_are_left() {
    let seed = std::env::var("TEST_FORETELL_SEED")
        .ok()
        .map_or(SEED, |seed| {
            seed.parse().expect("TEST_FORETELL_SEED is a number")
        });
    let redactor = Redactor::new();
    let cases = cases(seed, CASES);
    let mut too_low = Vec::new();
    for (class, at_least) in AT_LEAST {
        let of_class: Vec<_> = cases.iter().filter(|case| case.class == class).collect();
        let missed: Vec<_> = of_class
            .iter()
            .filter(|case| is_missed(&redactor, case))
            .collect();
        let rate = 1.0 - missed.len() as f64 / of_class.len() as f64;
        if rate < at_least {
            let label = class.label();
            too_low.push(format!("{label}: {rate:.4} caught, {at_least} promised"));
            too_low.extend(missed.iter().filter_map(|case| shown(case)).take(5));
        }
    }
    let stand_ins: Vec<_> = cases
        .iter()
        .filter(|case| case.class == SecretClass::NotASecret)
        .collect();
    let marked = stand_ins
        .iter()
        .filter(|case| !marks(&redactor, &case.text).is_empty());
    let rate = marked.count() as f64 / stand_ins.len() as f64;
    if rate > STAND_INS_AT_MOST {
        too_low.push(format!(
            "stand-ins: {rate:.4} marked, at most {STAND_INS_AT_MOST}"
        ));
    }
    assert!(
        too_low.is_empty(),
        "TEST_FORETELL_SEED={seed}\n{}",
        too_low.join("\n")
    );
}

/// Whether something of the secret is left: by the ranges, or in the text that is told.
fn is_missed(redactor: &Redactor, case: &PlantedCase) -> bool {
    let mut redaction = redactor.begin();
    let told = redaction.redact(&case.text);
    let is_told = |range: &Range<usize>| {
        let secret = case.text.get(range.clone()).unwrap_or_default();
        // A shorter one may be a word of the file, too.
        secret.len() >= 20 && told.contains(secret)
    };
    case.fate(&marks(redactor, &case.text)) == SecretFate::Left || case.secrets.iter().any(is_told)
}

fn marks(redactor: &Redactor, text: &str) -> Vec<Range<usize>> {
    let ranges = redactor.ranges(text).into_iter();
    ranges
        .map(|range| range.start().get()..range.end().get())
        .collect()
}

/// What was missed, when whoever writes rules may know.
fn shown(case: &PlantedCase) -> Option<String> {
    let secret = case.secrets.first()?;
    let is_shown = case.half == CaseHalf::Tuning;
    let before = case.text.get(..secret.start)?.lines().next_back()?;
    let line = case.text.get(secret.clone())?;
    is_shown.then(|| format!("  {} ({}): {before}{line}", case.kind, case.form))
}
