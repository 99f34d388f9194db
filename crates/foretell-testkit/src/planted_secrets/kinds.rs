//! The kinds of secrets: what the tables list, in one form, with who may look at each.

use super::forms::SecretForm;
use super::random::SeededRandom;
use super::reserve::RESERVE;
use super::tables::{OPEN, SecretTables};
use super::{CaseHalf, SecretClass, hash};

/// The name of the form of a kind that has only one.
pub(super) const ITS_OWN: &str = "its own";
/// How many kinds in a hundred of each class are held out.
const HELD_OUT: usize = 35;

/// How a kind of secret is made.
#[derive(Clone, Debug)]
pub(super) struct SecretKind {
    pub(super) label: String,
    pub(super) half: CaseHalf,
    pub(super) source: KindSource,
}

/// The source of a kind.
#[derive(Clone, Copy, Debug)]
pub(super) enum KindSource {
    /// A shape that tells itself, and the variable it usually stands in.
    ByForm(&'static str, &'static str),
    /// A shape that its variable tells.
    ByName(&'static str, &'static str),
    /// A name for what people choose.
    Chosen(&'static str),
    /// A name for what machines make.
    Made(&'static str),
    /// A form that needs no name.
    Carrier(&'static SecretForm),
    /// A shape that nothing names.
    Unnamed(&'static str),
    /// Something with a form of its own: its language, and what makes it.
    Whole(&'static str, fn(&mut SeededRandom) -> String),
    /// A stand-in: its language and text.
    StandIn(&'static str, &'static str),
}

/// The kinds of a class. Of their labels in the order of a hash, which is none, the first are held out.
pub(super) fn kinds_of(class: SecretClass) -> Vec<SecretKind> {
    let mut kinds = listed(class, &OPEN, CaseHalf::Tuning);
    let mut labels: Vec<String> = kinds.iter().map(|kind| kind.label.clone()).collect();
    labels.sort_by_key(|label| hash(&format!("{} {label}", class.label())));
    labels.dedup();
    labels.truncate((labels.len() * HELD_OUT).div_ceil(100));
    for kind in kinds.iter_mut().filter(|kind| labels.contains(&kind.label)) {
        kind.half = CaseHalf::HeldOut;
    }
    kinds
}

/// The kinds of a class in the reserve.
pub(super) fn reserve_kinds_of(class: SecretClass) -> Vec<SecretKind> {
    listed(class, &RESERVE, CaseHalf::Reserve)
}

/// The kinds of a class as the tables list them.
fn listed(class: SecretClass, tables: &SecretTables, half: CaseHalf) -> Vec<SecretKind> {
    let kind = |label: &str, source| SecretKind {
        label: label.to_owned(),
        half,
        source,
    };
    match class {
        SecretClass::ServiceToken => {
            let by_form = tables
                .told_by_form
                .iter()
                .map(|(label, name, shape)| kind(label, KindSource::ByForm(name, shape)));
            let by_name = tables
                .told_by_name
                .iter()
                .map(|(label, name, shape)| kind(label, KindSource::ByName(name, shape)));
            by_form.chain(by_name).collect()
        }
        SecretClass::PrivateKey => tables
            .keys
            .iter()
            .map(|(label, language, make)| kind(label, KindSource::Whole(language, *make)))
            .collect(),
        SecretClass::NamedSecret => {
            let people = tables
                .of_people
                .iter()
                .map(|name| kind(name, KindSource::Chosen(name)));
            let machines = tables
                .of_machines
                .iter()
                .map(|name| kind(name, KindSource::Made(name)));
            let languages = tables
                .of_languages
                .iter()
                .map(|(label, name)| kind(label, KindSource::Chosen(name)));
            let carriers = tables.carriers.iter().map(|form| {
                let label = format!("{} ({})", form.label, form.language);
                kind(&label, KindSource::Carrier(form))
            });
            people
                .chain(machines)
                .chain(languages)
                .chain(carriers)
                .collect()
        }
        SecretClass::UnnamedString => tables
            .unnamed
            .iter()
            .map(|(label, shape)| kind(label, KindSource::Unnamed(shape)))
            .collect(),
        SecretClass::UnnamedHex => tables
            .unnamed_hex
            .iter()
            .map(|(label, shape)| kind(label, KindSource::Unnamed(shape)))
            .collect(),
        SecretClass::Encoded => tables
            .encoded
            .iter()
            .map(|(label, language, make)| kind(label, KindSource::Whole(language, *make)))
            .collect(),
        SecretClass::NotASecret => tables
            .stand_ins
            .iter()
            .map(|(label, language, text)| kind(label, KindSource::StandIn(language, text)))
            .collect(),
    }
}
