//! A page: everything at one moment, in Prometheus' text format.
//!
//! It is made where it is served, from a [`Snapshot`] that the loop has handed over and from what was
//! tallied, so that the loop spends no more on it than it takes to copy some numbers.

use std::collections::BTreeMap;

use foretell_core::{AskCause, Counts, Reason};
use foretell_engine::indexes::Contents;
use foretell_text::LaneKind;
use prometheus::core::Collector;
use prometheus::{CounterVec, GaugeVec, Opts, Registry, TextEncoder};

use super::table::{Kind, metric};
use super::tally::{Tally, seconds};
use crate::methods::initialize::PROTOCOL;

pub(super) const SELECTION: &str = "selection";
pub(super) const DOCUMENT_SWITCH: &str = "document-switch";
pub(super) const AWAKE: &str = "awake";
pub(super) const ASLEEP: &str = "asleep";

/// What the loop knows at one moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Snapshot {
    pub(crate) counts: Counts,
    /// Triggers whose suggestion was rejected at once.
    pub(crate) rejected_at_once: u64,
    /// Which lanes are left alone, by their number.
    pub(crate) rests: [bool; LaneKind::ALL.len()],
    /// Folders that may have an index, and what is in all of those together.
    pub(crate) folders: usize,
    pub(crate) index: Contents,
    /// Messages that could not be read.
    pub(crate) unreadable: u64,
}

/// The page of a moment. `memory` is what the process takes, if that is known.
pub(super) fn page(
    snapshot: &Snapshot,
    tally: &Tally,
    memory: Option<u64>,
) -> prometheus::Result<String> {
    let page = Page(Registry::new());
    let Snapshot { counts, index, .. } = snapshot;
    page.when_to_ask(snapshot)?;
    page.requests(counts)?;
    page.lanes(snapshot)?;
    page.person(counts)?;
    page.one(
        "foretell_messages_unreadable_total",
        snapshot.unreadable as f64,
    )?;
    page.one("foretell_documents_open", counts.open_documents as f64)?;
    page.one("foretell_index_folders", snapshot.folders as f64)?;
    page.one("foretell_index_files", index.files as f64)?;
    page.one("foretell_index_chunks", index.chunks as f64)?;
    page.one("foretell_index_bytes", index.bytes_on_disk as f64)?;
    let protocol = PROTOCOL.to_string();
    let build: [&str; 2] = [env!("CARGO_PKG_VERSION"), &protocol];
    page.put("foretell_build_info", [(build, 1.0)])?;
    page.one("process_start_time_seconds", tally.began())?;
    if let Some(memory) = memory {
        page.one("process_resident_memory_bytes", memory as f64)?;
    }
    let mut families = page.0.gather();
    families.extend(tally.gather());
    families.sort_by(|one, other| one.name().cmp(other.name()));
    TextEncoder::new().encode_to_string(&families)
}

/// What is on a page besides what is tallied.
struct Page(Registry);

impl Page {
    fn when_to_ask(&self, snapshot: &Snapshot) -> prometheus::Result<()> {
        let counts = &snapshot.counts;
        self.one("foretell_events_total", counts.events as f64)?;
        self.reasons("foretell_events_ignored_total", &counts.ignored)?;
        let active = seconds(counts.active_millis);
        self.one("foretell_active_seconds_total", active)?;
        self.one("foretell_document_changes_total", counts.changes as f64)?;
        self.one("foretell_cursor_moves_total", counts.selections as f64)?;
        let triggers = [AskCause::Selection, AskCause::DocumentSwitch].map(|cause| {
            let name = match cause {
                AskCause::Selection => SELECTION,
                AskCause::DocumentSwitch => DOCUMENT_SWITCH,
            };
            let times = counts.triggers.get(&cause).copied().unwrap_or(0);
            ([name], times as f64)
        });
        self.put("foretell_triggers_total", triggers)?;
        let at_once = snapshot.rejected_at_once as f64;
        self.one("foretell_triggers_rejected_at_once_total", at_once)?;
        self.reasons("foretell_quiet_total", &counts.quiet)
    }

    fn requests(&self, counts: &Counts) -> prometheus::Result<()> {
        self.one("foretell_requests_total", counts.requests as f64)?;
        let started = counts.requests_started as f64;
        self.one("foretell_requests_started_total", started)?;
        self.reasons("foretell_requests_saved_total", &counts.requests_saved)?;
        self.one("foretell_requests_joined_total", counts.joined as f64)?;
        self.one("foretell_requests_answered_total", counts.answered as f64)?;
        self.one("foretell_requests_carried_total", counts.carried as f64)?;
        self.reasons("foretell_requests_withheld_total", &counts.withheld)?;
        self.one("foretell_gate_asked_total", counts.gate_asked as f64)?;
        self.one("foretell_gate_blocked_total", counts.gate_blocked as f64)
    }

    fn lanes(&self, snapshot: &Snapshot) -> prometheus::Result<()> {
        let counts = &snapshot.counts;
        let by_lane = |name: &str, counted: &BTreeMap<LaneKind, u64>| {
            let number = |it: LaneKind| counted.get(&it).copied().unwrap_or(0) as f64;
            self.put(name, LaneKind::ALL.map(|it| ([it.name()], number(it))))
        };
        by_lane("foretell_lane_calls_total", &counts.calls)?;
        by_lane("foretell_lane_raced_total", &counts.raced)?;
        by_lane("foretell_lane_wins_total", &counts.wins)?;
        self.reasons("foretell_lane_calls_spared_total", &counts.calls_spared)?;
        let rests = |it: LaneKind| f64::from(u8::from(snapshot.rests[it as usize]));
        let rests = LaneKind::ALL.map(|it| ([it.name()], rests(it)));
        self.put("foretell_lane_resting", rests)
    }

    fn person(&self, counts: &Counts) -> prometheus::Result<()> {
        for (name, number) in [
            ("foretell_suggestions_shown_total", counts.shown),
            ("foretell_suggestions_accepted_total", counts.accepted),
            ("foretell_suggestions_rejected_total", counts.rejected),
            ("foretell_suggestions_passed_over_total", counts.passed_over),
            ("foretell_rejections_remembered_total", counts.remembered),
            ("foretell_rejections_fell_asleep_total", counts.fell_asleep),
            ("foretell_rejections_woke_total", counts.woke),
        ] {
            self.one(name, number as f64)?;
        }
        let forgotten = counts.forgotten.iter();
        let forgotten = forgotten.map(|(cause, times)| ([cause.name()], *times as f64));
        self.put("foretell_rejections_forgotten_total", forgotten)?;
        let rejections = [
            ([AWAKE], counts.rejections_awake as f64),
            ([ASLEEP], counts.rejections_asleep as f64),
        ];
        self.put("foretell_rejections", rejections)
    }

    fn one(&self, name: &str, number: f64) -> prometheus::Result<()> {
        self.put(name, [([], number)])
    }

    /// Reasons that there were; which ones there could be is another question for each metric.
    fn reasons(&self, name: &str, counted: &BTreeMap<Reason, u64>) -> prometheus::Result<()> {
        let rows = counted.iter();
        self.put(
            name,
            rows.map(|(reason, times)| ([reason.name()], *times as f64)),
        )
    }

    fn put<'a, const N: usize>(
        &self,
        name: &str,
        rows: impl IntoIterator<Item = ([&'a str; N], f64)>,
    ) -> prometheus::Result<()> {
        let metric = metric(name);
        let labels: Vec<&str> = metric.labels.iter().map(|it| it.name).collect();
        let opts = Opts::new(metric.name, metric.help);
        let family: Box<dyn Collector> = match metric.kind {
            Kind::Gauge => {
                let family = GaugeVec::new(opts, &labels)?;
                for (values, number) in rows {
                    family.get_metric_with_label_values(&values)?.set(number);
                }
                Box::new(family)
            }
            Kind::Histogram => {
                let why = "histograms are tallied".to_owned();
                return Err(prometheus::Error::Msg(why));
            }
            Kind::Counter => {
                let family = CounterVec::new(opts, &labels)?;
                for (values, number) in rows {
                    family.get_metric_with_label_values(&values)?.inc_by(number);
                }
                Box::new(family)
            }
        };
        self.0.register(family)
    }
}
