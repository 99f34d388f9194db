//! The tables that a set of cases is made from, in one hand.
//!
//! There are two sets: the open one, which tuning and held-out cases come from, and the reserve. No table is in
//! both, so that nothing of the reserve can be learned from the open cases.

use super::forms::{ASSIGNMENTS, CARRIERS, NEUTRAL, SecretForm};
use super::hidden::{ENCODED, EncodedKind, UNNAMED, UNNAMED_HEX};
use super::names::{CHOSEN, OF_LANGUAGES, OF_MACHINES, OF_PEOPLE, PHRASES};
use super::private_keys::{KEYS, KeyKind};
use super::service_tokens::{TOLD_BY_FORM, TOLD_BY_NAME};
use super::stand_ins::STAND_INS;

/// A kind of token: what it is called, the variable it usually stands in, its shape.
pub(super) type TokenKind = (&'static str, &'static str, &'static str);
/// A value that is no secret: kind, language, text.
pub(super) type StandIn = (&'static str, &'static str, &'static str);

/// The tables that a set of cases is made from.
#[derive(Debug)]
pub(super) struct SecretTables {
    pub(super) told_by_form: &'static [TokenKind],
    pub(super) told_by_name: &'static [TokenKind],
    pub(super) keys: &'static [KeyKind],
    pub(super) of_people: &'static [&'static str],
    pub(super) of_machines: &'static [&'static str],
    /// Words for a password in other languages, with what they are called in tables.
    pub(super) of_languages: &'static [(&'static str, &'static str)],
    pub(super) chosen: &'static [&'static str],
    pub(super) phrases: &'static [&'static str],
    pub(super) assignments: &'static [SecretForm],
    pub(super) carriers: &'static [SecretForm],
    pub(super) neutral: &'static [SecretForm],
    /// Kind and shape.
    pub(super) unnamed: &'static [(&'static str, &'static str)],
    pub(super) unnamed_hex: &'static [(&'static str, &'static str)],
    pub(super) encoded: &'static [EncodedKind],
    pub(super) stand_ins: &'static [StandIn],
}

/// The tables of tuning and held-out cases.
pub(super) const OPEN: SecretTables = SecretTables {
    told_by_form: TOLD_BY_FORM,
    told_by_name: TOLD_BY_NAME,
    keys: KEYS,
    of_people: OF_PEOPLE,
    of_machines: OF_MACHINES,
    of_languages: OF_LANGUAGES,
    chosen: CHOSEN,
    phrases: PHRASES,
    assignments: ASSIGNMENTS,
    carriers: CARRIERS,
    neutral: NEUTRAL,
    unnamed: UNNAMED,
    unnamed_hex: UNNAMED_HEX,
    encoded: ENCODED,
    stand_ins: STAND_INS,
};
