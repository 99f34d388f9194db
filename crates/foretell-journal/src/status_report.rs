//! How it is going: `foretell/status`.
//!
//! Everything known of lanes, index, counts, rates and durations at one moment, as data, and as one screen
//! for a person: first what is wrong, then the rest. Of a model server there is scheme, host and port; a
//! key is in nothing that this is made from.
//!
//! Lanes are shown as they are set up in general. A language may have others, which are named.

mod status_screen;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use foretell_core::{LaneUsage, MachineCounts, Moment, Reason};
use foretell_settings::choice::BackEnd;
use foretell_settings::settings;
use foretell_text::{LaneKind, LaneSpeed, TokenUsage};
use serde::Serialize;

use crate::decision::FaultWords;
use crate::explain::{WhyContext, contested_words};
use crate::journal::Journal;
use crate::measures::{DurationSpread, JournalMeasures};
use crate::origin::whence;
use crate::spoken::one_line;

/// How long somebody has to be at work for a rate by the minute to tell a person anything.
const MINUTE: u64 = 60_000;

/// Everything besides the machine and the journal that the status needs. The caller brings it.
pub struct StatusSurroundings<'a> {
    /// The version of the program.
    pub version: &'static str,
    /// The number of our own protocol.
    pub protocol: u32,
    /// Where the server of a lane is, by its settings, or what is wrong with them.
    pub address: &'a dyn Fn(LaneKind, &settings::LaneSettings) -> Result<String, String>,
    /// The indexes of folders.
    pub index: Vec<IndexLine>,
    /// The files of settings that were read.
    pub settings_files: Vec<SettingsFileLine>,
    /// Why limits by the day cannot be kept, if they cannot.
    pub usage_unkept: Option<String>,
    /// How much memory the process takes, if that is known.
    pub memory_bytes: Option<u64>,
}

/// How it is going.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StatusReport {
    pub(crate) version: &'static str,
    pub(crate) protocol: u32,
    pub(crate) lanes: Vec<LaneStatus>,
    pub(crate) index: Vec<IndexLine>,
    pub(crate) counts: CountLines,
    pub(crate) rates: StatusRates,
    pub(crate) measures: DurationLines,
    /// Why limits by the day cannot be kept, if they cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) usage_unkept: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) memory_bytes: Option<u64>,
    pub(crate) settings_files: Vec<SettingsFileLine>,
    /// One screen, for people.
    pub text: String,
}

/// How a lane is doing.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LaneStatus {
    pub(crate) lane: &'static str,
    pub(crate) enabled: bool,
    /// The kind of its back end: `embedded`, or a kind of server.
    pub(crate) kind: &'static str,
    /// Where the server is: scheme, host and port.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) host: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
    /// The home of the setting that made it so, such as `editor`, unless all are defaults.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) set_by: Option<String>,
    /// The same, for people.
    #[serde(skip)]
    pub(crate) whence: Option<String>,
    /// The fault of its settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) misconfigured: Option<String>,
    /// For how many more milliseconds it is left alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rests_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fault: Option<FaultLine>,
    /// The hint if it fails.
    #[serde(skip)]
    pub(crate) look_into: String,
    pub(crate) calls: u64,
    pub(crate) answers: u64,
    pub(crate) failures: u64,
    /// Calls that took longer than they had.
    pub(crate) late: u64,
    pub(crate) durations: DurationSpread,
    /// Automatic requests that it was in the race for, and those that it won.
    pub(crate) raced: u64,
    pub(crate) wins: u64,
    pub(crate) used: QuotaUse,
    /// The tokens that its server says it took, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tokens: Option<TokenLines>,
    /// The languages that have other settings for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) other_in: Vec<String>,
}

/// How a lane broke when it was last asked.
#[derive(Debug, Serialize)]
pub struct FaultLine {
    pub(crate) kind: &'static str,
    pub(crate) words: String,
    /// Whether anybody was asked before.
    #[serde(skip)]
    pub(crate) was_asked: bool,
}

/// A server's tokens, and how fast it is.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TokenLines {
    /// Those of prompts.
    pub(crate) prompt: u64,
    /// Those of prompts that it had to read anew, if it says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) read: Option<u64>,
    /// Those of answers.
    pub(crate) written: u64,
    /// How many it reads in a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reads_per_second: Option<u32>,
    /// How many it writes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) writes_per_second: Option<u32>,
}

/// A lane's use, and its limits.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct QuotaUse {
    pub(crate) requests_last_minute: u64,
    pub(crate) requests_today: u64,
    pub(crate) tokens_today: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) requests_per_minute: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) requests_per_day: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tokens_per_day: Option<u64>,
}

/// The index of one folder.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct IndexLine {
    /// Which folder.
    pub folder: String,
    /// Such as `ready` or `reading, 120 of 900 files`.
    pub state: String,
    /// How many files are in it.
    pub files: u64,
    /// How many chunks.
    pub chunks: u64,
    /// How much of the disk it takes.
    pub bytes: u64,
}

/// A file of settings that was read.
#[derive(Clone, Debug, Serialize)]
pub struct SettingsFileLine {
    /// Where it is.
    pub path: String,
    /// Everything in it that does not apply, and why.
    pub faults: Vec<String>,
}

/// Counts since the beginning.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CountLines {
    pub(crate) events: u64,
    pub(crate) changes: u64,
    pub(crate) triggers: u64,
    pub(crate) quiet: BTreeMap<&'static str, u64>,
    pub(crate) requests: u64,
    pub(crate) answered: u64,
    pub(crate) carried: u64,
    pub(crate) withheld: BTreeMap<&'static str, u64>,
    pub(crate) spared: BTreeMap<&'static str, u64>,
    /// Calls ahead of time, by purpose.
    pub(crate) ahead: BTreeMap<&'static str, u64>,
    /// Requests that were answered with what they said.
    pub(crate) ahead_taken: u64,
    /// What they took, which is in no lane's calls or tokens.
    pub(crate) ahead_tokens: u64,
    /// Calls of a model that had nothing at the cursor, about another place.
    pub(crate) second_looks: u64,
    /// Those of them that had something there.
    pub(crate) second_looks_found: u64,
    pub(crate) shown: u64,
    pub(crate) accepted: u64,
    pub(crate) rejected: u64,
    pub(crate) ignored: u64,
    pub(crate) open_documents: usize,
    pub(crate) rejections_awake: usize,
    pub(crate) rejections_asleep: usize,
}

/// Rates; nothing where there is nothing to divide by.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StatusRates {
    /// By the minutes in which anything happened.
    pub(crate) triggers_per_minute: Option<f64>,
    /// Whether those are minutes, and not a few seconds.
    #[serde(skip)]
    pub(crate) has_minutes: bool,
    /// The share of fim calls that the refresh gate spared.
    pub(crate) gating: Option<f64>,
    /// Rejected of shown.
    pub(crate) rejection: Option<f64>,
    /// Triggers whose suggestion was rejected within two seconds of being shown, of all triggers.
    pub(crate) rejected_within2s: Option<f64>,
}

/// Durations.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DurationLines {
    /// From the editor being told to ask to a suggestion; to be under a second.
    pub(crate) trigger_to_suggestion: DurationSpread,
    /// From the editor asking by itself to a suggestion.
    pub(crate) editor_to_suggestion: DurationSpread,
    /// Requests by what they were answered with.
    pub(crate) carried: DurationSpread,
    pub(crate) repeated: DurationSpread,
    pub(crate) at_once: DurationSpread,
    pub(crate) lane: DurationSpread,
    pub(crate) withheld: DurationSpread,
}

/// How it is going, now.
pub fn status(
    journal: &Journal,
    around: &WhyContext<'_>,
    surroundings: StatusSurroundings<'_>,
) -> StatusReport {
    let measures = &journal.numbers().measures;
    let counts = around.core.counts();
    let lanes = LaneKind::ALL.into_iter();
    let lanes = lanes.map(|lane| {
        let usage = journal.numbers().tokens(lane);
        lane_status(
            lane,
            &counts,
            (measures, usage),
            around,
            surroundings.address,
        )
    });
    let mut status = StatusReport {
        version: surroundings.version,
        protocol: surroundings.protocol,
        lanes: lanes.collect(),
        index: surroundings.index,
        rates: rates(&counts, measures),
        counts: counts_told(&counts, journal.numbers().ahead_tokens()),
        measures: DurationLines {
            trigger_to_suggestion: measures.from_trigger.spread(),
            editor_to_suggestion: measures.from_editor.spread(),
            carried: measures.carried.spread(),
            repeated: measures.repeated.spread(),
            at_once: measures.at_once.spread(),
            lane: measures.lane.spread(),
            withheld: measures.withheld.spread(),
        },
        usage_unkept: surroundings.usage_unkept,
        memory_bytes: surroundings.memory_bytes,
        settings_files: surroundings.settings_files,
        text: String::new(),
    };
    status.text = status_screen::of(&status);
    status
}

fn lane_status(
    lane: LaneKind,
    counts: &MachineCounts,
    (measures, usage): (&JournalMeasures, TokenUsage),
    around: &WhyContext<'_>,
    address: &dyn Fn(LaneKind, &settings::LaneSettings) -> Result<String, String>,
) -> LaneStatus {
    let settings = around.settings.lanes.of(lane);
    let is_server = settings.tells_others();
    let address = is_server.then(|| address(lane, settings));
    let (host, misconfigured) = match address {
        None => (None, None),
        Some(Ok(address)) => (Some(address), None),
        Some(Err(wrong)) => (None, Some(one_line(wrong))),
    };
    let contested = around.contested.filter(|_| is_server);
    let contested = contested.map(contested_words);
    let misconfigured = contested.or(misconfigured);
    let fault = (around.fault)(lane).map(FaultWords::from);
    let origin = around.lane_origin(lane);
    let measured = measures.of(lane);
    let number = |counted: &BTreeMap<LaneKind, u64>| counted.get(&lane).copied().unwrap_or(0);
    let speed = around.core.speed(lane).unwrap_or_default();
    let tokens = TokenLines {
        prompt: usage.prompt_tokens,
        read: usage.read_tokens,
        written: usage.completion_tokens,
        reads_per_second: speed.read,
        writes_per_second: speed.written,
    };
    let is_known = usage != TokenUsage::default() || speed != LaneSpeed::default();
    LaneStatus {
        lane: lane.name(),
        enabled: settings.enabled,
        kind: kind_name(settings.kind),
        host,
        model: settings.model.as_ref().filter(|_| is_server).map(one_line),
        set_by: origin.map(|it| it.home.to_string()),
        whence: origin.and_then(whence),
        misconfigured,
        rests_ms: rests_ms(around.now, lane, around),
        fault: fault.map(|it| FaultLine {
            kind: it.kind.name(),
            words: it.words(),
            was_asked: it.was_asked(),
        }),
        look_into: around.look_into(lane, None),
        calls: number(&counts.calls),
        answers: measured.answers,
        failures: measured.failures,
        late: measured.late,
        durations: measured.durations.spread(),
        raced: number(&counts.raced),
        wins: number(&counts.wins),
        used: used_told(around.core.used(around.now, lane), settings),
        tokens: (is_server && is_known).then_some(tokens),
        other_in: other_in(lane, around),
    }
}

fn rests_ms(now: Moment, lane: LaneKind, around: &WhyContext<'_>) -> Option<u64> {
    let until = around.core.rests_until(now, lane)?;
    Some(until.since(now))
}

/// The languages in which a lane is set up otherwise.
fn other_in(lane: LaneKind, around: &WhyContext<'_>) -> Vec<String> {
    let all = around.settings.entries();
    let named = all.filter_map(|it| {
        let (language, _) = it.name.strip_prefix("languages.")?.split_once('.')?;
        Some(language.to_owned())
    });
    let mut languages: Vec<String> = named.collect();
    languages.dedup();
    let general = around.settings.lanes.of(lane);
    languages.retain(|it| around.settings.for_language(it).lanes.of(lane) != general);
    languages.iter().map(one_line).collect()
}

fn used_told(used: LaneUsage, limits: &settings::LaneSettings) -> QuotaUse {
    QuotaUse {
        requests_last_minute: used.requests_last_minute,
        requests_today: used.requests_today,
        tokens_today: used.tokens_today,
        requests_per_minute: limits.requests_per_minute,
        requests_per_day: limits.requests_per_day,
        tokens_per_day: limits.tokens_per_day,
    }
}

fn counts_told(counts: &MachineCounts, ahead_tokens: u64) -> CountLines {
    let ahead = counts.ahead.iter();
    let named = |counted: &BTreeMap<Reason, u64>| {
        let named = counted
            .iter()
            .map(|(reason, times)| (reason.name(), *times));
        named.collect()
    };
    CountLines {
        events: counts.events,
        changes: counts.changes,
        triggers: counts.triggers.values().sum(),
        quiet: named(&counts.quiet),
        requests: counts.requests,
        answered: counts.answered,
        carried: counts.carried,
        withheld: named(&counts.withheld),
        spared: named(&counts.calls_spared),
        ahead: ahead.map(|(work, times)| (work.name(), *times)).collect(),
        ahead_taken: counts.ahead_taken,
        ahead_tokens,
        second_looks: counts.second_looks,
        second_looks_found: counts.second_looks_found,
        shown: counts.shown,
        accepted: counts.accepted,
        rejected: counts.rejected,
        ignored: counts.passed_over,
        open_documents: counts.open_documents,
        rejections_awake: counts.rejections_awake,
        rejections_asleep: counts.rejections_asleep,
    }
}

fn rates(counts: &MachineCounts, measures: &JournalMeasures) -> StatusRates {
    let triggers: u64 = counts.triggers.values().sum();
    let share = |some: u64, all: u64| (all > 0).then(|| some as f64 / all as f64);
    let is_any = counts.active_millis > 0;
    StatusRates {
        triggers_per_minute: is_any.then(|| counts.per_active_minute(triggers)),
        has_minutes: counts.active_millis >= MINUTE,
        gating: (counts.gate_asked > 0).then(|| counts.gating_rate()),
        rejection: share(counts.rejected, counts.shown),
        rejected_within2s: share(measures.rejected_at_once, triggers),
    }
}

fn kind_name(kind: BackEnd) -> &'static str {
    let named = BackEnd::CHOICES.into_iter().find(|(_, it)| *it == kind);
    named.map_or("", |(name, _)| name)
}
