//! The reserve: kinds, forms and stand-ins for when the open ones have been looked at.
//!
//! It was written after them and without a look at the rules, and nothing in it is in the open tables (a test
//! compares). Whoever writes rules does not read this directory; what it says is a rate by class. Once its misses
//! have been looked at, it is spent, and wants a successor.

use super::tables::SecretTables;

mod forms;
mod hidden;
mod names;
mod places;
mod private_keys;
mod service_tokens;
mod stand_ins;
mod surroundings;

pub(super) use surroundings::{comment_of, pieces, takes_any_letter};

/// The tables of its cases.
pub(super) const RESERVE: SecretTables = SecretTables {
    told_by_form: service_tokens::TOLD_BY_FORM,
    told_by_name: service_tokens::TOLD_BY_NAME,
    keys: private_keys::KEYS,
    of_people: names::OF_PEOPLE,
    of_machines: names::OF_MACHINES,
    of_languages: names::OF_LANGUAGES,
    chosen: names::CHOSEN,
    phrases: names::PHRASES,
    assignments: forms::ASSIGNMENTS,
    carriers: places::CARRIERS,
    neutral: places::NEUTRAL,
    unnamed: hidden::UNNAMED,
    unnamed_hex: hidden::UNNAMED_HEX,
    encoded: hidden::ENCODED,
    stand_ins: stand_ins::STAND_INS,
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::planted_secrets::tables::OPEN;
    use crate::planted_secrets::{CaseHalf, SecretClass, cases, reserve_cases};

    /// Everything of a set's tables that the other set may not have.
    fn entries(tables: &SecretTables) -> Vec<String> {
        let forms = [tables.assignments, tables.carriers, tables.neutral];
        let forms = forms
            .into_iter()
            .flatten()
            .map(|form| form.template.to_owned());
        let tokens = [tables.told_by_form, tables.told_by_name]
            .into_iter()
            .flatten();
        let labels = tokens.map(|(label, ..)| format!("token {label}"));
        let keys = tables.keys.iter().map(|(label, ..)| format!("key {label}"));
        let encoded = tables
            .encoded
            .iter()
            .map(|(label, ..)| format!("encoded {label}"));
        let unnamed = [tables.unnamed, tables.unnamed_hex].into_iter().flatten();
        let shapes = tables
            .told_by_form
            .iter()
            .map(|(_, _, shape)| format!("shape {shape}"));
        let words = [tables.chosen, tables.phrases].into_iter().flatten();
        forms
            .chain(labels)
            .chain(shapes)
            .chain(keys)
            .chain(encoded)
            .chain(unnamed.map(|(_, shape)| format!("unnamed {shape}")))
            .chain(words.map(|word| format!("word {}", word.to_lowercase())))
            .chain(tables.stand_ins.iter().map(|(.., text)| (*text).to_owned()))
            .collect()
    }

    #[test]
    fn nothing_of_the_reserve_is_in_the_open_tables() {
        let open: BTreeSet<String> = entries(&OPEN).into_iter().collect();
        let reserve = entries(&RESERVE);
        let shared: Vec<_> = reserve
            .iter()
            .filter(|entry| open.contains(*entry))
            .collect();
        assert!(shared.is_empty(), "{shared:?}");
        let distinct: BTreeSet<&String> = reserve.iter().collect();
        assert_eq!(distinct.len(), reserve.len());
    }

    #[test]
    fn most_names_of_the_reserve_are_new() {
        for (own, open) in [
            (RESERVE.of_people, OPEN.of_people),
            (RESERVE.of_machines, OPEN.of_machines),
        ] {
            let new = own.iter().filter(|name| !open.contains(name)).count();
            assert!(new * 10 >= own.len() * 7, "{new} of {}", own.len());
        }
    }

    #[test]
    fn the_reserve_is_only_had_by_asking_for_it() {
        let is_reserve =
            |case: &crate::planted_secrets::PlantedCase| case.half == CaseHalf::Reserve;
        assert!(reserve_cases(1, 500).iter().all(is_reserve));
        assert!(!cases(1, 500).iter().any(is_reserve));
    }

    #[test]
    fn every_secret_of_the_reserve_is_where_the_case_says() {
        let parts = [
            "$snake", "$camel", "$Pascal", "$kebab", "$SCREAM", "$value", "$head", "$tail",
        ];
        for case in reserve_cases(1, 6_000) {
            assert!(
                !parts.iter().any(|part| case.text.contains(part)),
                "{case:?}"
            );
            let is_none = case.class == SecretClass::NotASecret;
            assert_eq!(case.secrets.is_empty(), is_none, "{case:?}");
            for range in &case.secrets {
                let secret = case
                    .text
                    .get(range.clone())
                    .expect("a range is within its text");
                assert!(!secret.is_empty() && !secret.contains('\n'), "{case:?}");
                assert_eq!(secret.trim_end(), secret, "{case:?}");
            }
        }
    }
}
