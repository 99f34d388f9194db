//! What has been counted since the beginning, for reports.

use std::collections::BTreeMap;

use crate::action::Record;
use crate::reason::Reason;
use crate::rejections::Forgotten;

/// Counts since the beginning, and how much there is now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Events of every kind.
    pub events: u64,
    /// Changes of documents that were taken in.
    pub changes: u64,
    /// Events that changed nothing, by reason.
    pub ignored: BTreeMap<Reason, u64>,
    /// Cursor moves at which the editor was not told to ask, by reason.
    pub quiet: BTreeMap<Reason, u64>,
    /// Edits that were remembered as rejected.
    pub remembered: u64,
    /// How often a rejection fell asleep.
    pub fell_asleep: u64,
    /// How often one woke.
    pub woke: u64,
    /// Rejections that were forgotten, by cause.
    pub forgotten: BTreeMap<Forgotten, u64>,
    /// Documents that are open now.
    pub open_documents: usize,
    /// Rejections that match now.
    pub rejections_awake: usize,
    /// Rejections that sleep now.
    pub rejections_asleep: usize,
}

impl Counts {
    pub(crate) fn count(&mut self, record: &Record) {
        match record {
            Record::IgnoredEvent { reason, .. } => {
                *self.ignored.entry(*reason).or_default() += 1;
            }
            Record::Quiet { reason, .. } => {
                *self.quiet.entry(*reason).or_default() += 1;
            }
            Record::LetGo { .. } => {}
            Record::Remembered { .. } => self.remembered += 1,
            Record::Asleep { .. } => self.fell_asleep += 1,
            Record::Awake { .. } => self.woke += 1,
            Record::Forgotten { because, .. } => {
                *self.forgotten.entry(*because).or_default() += 1;
            }
        }
    }
}
