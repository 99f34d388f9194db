//! The contents of an index, in numbers.
//!
//! Read from the index itself, so that it is what a search would find; the documents open in an
//! editor are not counted, since they are not on disk.

use std::collections::BTreeMap;
use std::time::SystemTime;

/// The contents of an index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexStatus {
    /// How many files can be searched.
    pub files: usize,
    /// How many chunks they are.
    pub chunks: u64,
    /// How many lines they have.
    pub lines: u64,
    /// How many files there are in each language, by its id.
    pub languages: BTreeMap<String, usize>,
    /// How many files are known not to be text.
    pub not_text: usize,
    /// How much of the disk it takes.
    pub bytes_on_disk: u64,
    /// When it was last brought up to date with the whole workspace. Nothing, if it never was.
    pub built: Option<SystemTime>,
}
