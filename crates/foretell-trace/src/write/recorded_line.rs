//! A line of a recording, with its fields in the order of the format.

use std::borrow::Cow;
use std::ops::Not;

use foretell_core::GapRow;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::shape::recorded_text::RecordedChange;

/// The first line.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct HeaderFields<'a> {
    pub(super) foretell: &'static str,
    pub(super) version: u64,
    pub(super) offsets: &'static str,
    /// `whole` or `shape`.
    pub(super) recorded: &'static str,
    pub(super) by: &'a str,
}

/// Every other line.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LineFields<'a> {
    pub(super) t: u64,
    pub(super) event: &'static str,
    /// Whether the editor reports rejections.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reports: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<u64>,
    /// The number of a call ahead of time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) call: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) lane: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) doc: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) language: Option<Cow<'a, str>>,
    /// The name of a text that what was given back belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) digest: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) restored: Vec<Vec<ChangeFields<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) changes: Option<Vec<ChangeFields<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) edits: Option<Vec<Vec<ChangeFields<'a>>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) selections: Option<Vec<RangeEnds>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ranges: Option<Vec<RangeEnds>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) items: Option<Vec<DiagnosticFields<'a>>>,
    /// `null` for a place that the text does not have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<Option<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cause: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Not::not")]
    pub(super) out_of_step: bool,
    #[serde(skip_serializing_if = "Not::not")]
    pub(super) asks_when_told: bool,
    #[serde(skip_serializing_if = "Not::not")]
    pub(super) goes_on: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) candidates: Option<Vec<CandidateFields<'a>>>,
    /// In thousandths.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) probability: Option<u16>,
    /// What is put in, and how much of the text behind it that replaces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) insert: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) delete: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) failure: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) retry_after_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) usage: Option<UsageFields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) withheld: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) candidate: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) length: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rejection: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rejections: Option<Vec<RestoredFields<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) excluded: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) paused: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) contested: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) day: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) requests: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) read: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) written: Option<u32>,
    #[serde(skip_serializing_if = "Not::not")]
    pub(super) repeats_region: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) places: Option<Vec<PlaceFields>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) spots: Option<Vec<SpotFields<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) set: Option<Map<String, Value>>,
}

impl LineFields<'_> {
    pub(super) fn of(event: &'static str) -> Self {
        LineFields {
            event,
            ..LineFields::default()
        }
    }
}

/// Both ends of a range.
pub(super) type RangeEnds = [Option<usize>; 2];

/// One change.
#[derive(Serialize)]
pub(super) struct ChangeFields<'a> {
    at: usize,
    delete: usize,
    insert: Cow<'a, str>,
}

impl<'a> From<RecordedChange<'a>> for ChangeFields<'a> {
    fn from(written: RecordedChange<'a>) -> Self {
        ChangeFields {
            at: written.range.start().get(),
            delete: written.range.len(),
            insert: written.new_text,
        }
    }
}

/// A diagnostic.
#[derive(Serialize)]
pub(super) struct DiagnosticFields<'a> {
    pub(super) at: Option<usize>,
    pub(super) len: usize,
    pub(super) severity: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) code: Option<Cow<'a, str>>,
    pub(super) message: Cow<'a, str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) fixes: Vec<FixFields<'a>>,
}

/// A quick fix of a diagnostic.
#[derive(Serialize)]
pub(super) struct FixFields<'a> {
    pub(super) title: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) standing: Option<&'static str>,
    pub(super) changes: Vec<ChangeFields<'a>>,
}

/// Something that a lane suggests.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CandidateFields<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) doc: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) changes: Option<Vec<ChangeFields<'a>>>,
    #[serde(skip_serializing_if = "Not::not")]
    pub(super) out_of_step: bool,
}

/// The tokens that a lane used up.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct UsageFields {
    pub(super) prompt_tokens: u64,
    pub(super) completion_tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) read_tokens: Option<u64>,
}

/// A rejection that is given back.
#[derive(Serialize)]
pub(super) struct RestoredFields<'a> {
    pub(super) doc: Cow<'a, str>,
    pub(super) changes: Vec<ChangeFields<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
    #[serde(skip_serializing_if = "Not::not")]
    pub(super) asleep: bool,
}

/// A place of a document; nothing where its text has no such place.
#[derive(Serialize)]
pub(super) struct SpotFields<'a> {
    pub(super) doc: Cow<'a, str>,
    pub(super) at: Option<usize>,
}

/// A place between keys, and how many gaps of each length there were.
#[derive(Serialize)]
pub(super) struct PlaceFields {
    pub(super) place: String,
    pub(super) gaps: GapRow,
}
