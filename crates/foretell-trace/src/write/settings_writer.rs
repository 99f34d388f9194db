//! Settings as a recording has them: all that the machine looks at, and nothing else.
//!
//! They are written in full every time, because a replay begins with other ones. Never written are
//! addresses, headers, keys and where those come from, paths, and the names of models. That something
//! of a lane is another than before counts all the same, since a lane that rests is then tried again:
//! each lane has a name in the place of its model's that stands for all of it. Which lanes share a server,
//! and whether that is on this machine, decides how they take turns: a stand-in address says that much of
//! each. A limit that is taken
//! away becomes the largest there may be, and a language that has no settings of its own any more has
//! those of all.

use std::collections::BTreeSet;

use foretell_settings::settings::LaneSettings;
use foretell_settings::{
    AheadChoice, BackEnd, SameLineMemory, ServerUrl, SettingKind, Settings, settings_table,
};
use foretell_text::LaneKind;
use serde_json::{Map, Value};

use super::recorded_names::RecordedNames;
use super::word_for;

/// The settings that were written so far.
#[derive(Debug, Default)]
pub(super) struct SettingsWriter {
    lanes: Vec<LaneSettings>,
    /// Addresses of servers, in the order in which they were met.
    servers: Vec<ServerUrl>,
    languages: BTreeSet<String>,
    /// Limits that were set at some time.
    limits: BTreeSet<String>,
}

impl SettingsWriter {
    /// All that the machine looks at, by the names of settings.
    pub(super) fn write(
        &mut self,
        settings: &Settings,
        names: &mut RecordedNames,
    ) -> Map<String, Value> {
        let mut set = Map::new();
        self.write_one("", settings, names, &mut set);
        let general = set.clone();
        let named = settings.languages().map(|(language, _)| language);
        let all = named.map(str::to_owned).chain(self.languages.clone());
        for language in all.collect::<BTreeSet<String>>() {
            let mut own = Map::new();
            let prefix = format!("languages.{}.", names.language(&language));
            let settings = settings.for_language(&language);
            self.write_one(&prefix, settings, names, &mut own);
            // Settings that are those of all languages need not be written the first time.
            let is_first = self.languages.insert(language);
            let is_common = |(name, value): &(String, Value)| {
                let plain = name.strip_prefix(&prefix).unwrap_or(name);
                is_first && general.get(plain) == Some(value)
            };
            set.extend(own.into_iter().filter(|it| !is_common(it)));
        }
        set
    }

    fn write_one(
        &mut self,
        prefix: &str,
        settings: &Settings,
        names: &mut RecordedNames,
        set: &mut Map<String, Value>,
    ) {
        let mut put = |name: &str, value: Value| drop(set.insert(format!("{prefix}{name}"), value));
        let rejections = &settings.rejections;
        put("rejections.perDocument", rejections.per_document.into());
        put("rejections.documents", rejections.documents.into());
        put("rejections.total", rejections.total.into());
        put("rejections.inferAfter", rejections.infer_after.into());
        let trigger = &settings.trigger;
        let schemes = trigger.ignored_schemes.iter();
        let schemes: Vec<_> = schemes.map(|it| names.scheme(it).into_owned()).collect();
        put("trigger.enabled", trigger.enabled.into());
        put("trigger.recentEditMs", trigger.recent_edit.get().into());
        let cooldown = trigger.same_line_cooldown.get();
        put("trigger.sameLineCooldownMs", cooldown.into());
        let cooldown = trigger.rejection_cooldown.get();
        put("trigger.rejectionCooldownMs", cooldown.into());
        let memory = word_for(&SameLineMemory::CHOICES, trigger.same_line_memory);
        put("trigger.sameLineMemory", memory.into());
        let selections = trigger.immediate_selections;
        put("trigger.immediateSelections", selections.into());
        let debounce = trigger.selection_debounce.get();
        put("trigger.selectionDebounceMs", debounce.into());
        let switch = trigger.document_switch.get() / 1_000;
        put("trigger.documentSwitchSeconds", switch.into());
        put("trigger.maxLines", trigger.max_lines.into());
        put("trigger.ignoredSchemes", schemes.into());
        put("gate.enabled", settings.gate.enabled.into());
        let pace = &settings.pace;
        put("pace.baseMs", pace.base.get().into());
        put("pace.minMs", pace.min.get().into());
        put("pace.maxMs", pace.max.get().into());
        put("pace.idleMs", pace.idle.get().into());
        put("pace.acceptedFactor", pace.accepted_factor.into());
        put("pace.rejectedFactor", pace.rejected_factor.into());
        put("pace.memoryMinutes", (pace.memory.get() / 60_000).into());
        put("pace.rhythm", pace.rhythm.into());
        put("carry.enabled", settings.carry.enabled.into());
        let race = &settings.race;
        put("race.holdMs", race.hold.get().into());
        put("race.graceMs", race.grace.get().into());
        put("race.capMs", race.cap.get().into());
        put("race.explicitCapMs", race.explicit_cap.get().into());
        put("context.enabled", settings.context.enabled.into());
        for kind in LaneKind::ALL {
            let lane = settings.lanes.of(kind);
            let group = match kind {
                LaneKind::Fim => "lanes.fim",
                LaneKind::NextEdit => "lanes.nextEdit",
                LaneKind::Fix => "lanes.fix",
            };
            self.write_lane(&format!("{prefix}{group}"), lane, set);
        }
    }

    fn write_lane(&mut self, group: &str, lane: &LaneSettings, set: &mut Map<String, Value>) {
        let mut put = |name: &str, value: Value| drop(set.insert(format!("{group}.{name}"), value));
        let known = self.lanes.iter().position(|known| known == lane);
        let number = known.unwrap_or_else(|| {
            self.lanes.push(lane.clone());
            self.lanes.len() - 1
        });
        put("enabled", lane.enabled.into());
        put("kind", word_for(&BackEnd::CHOICES, lane.kind).into());
        put("model", format!("model-{number}").into());
        put("firstByteMs", lane.first_byte.get().into());
        if lane.tells_others() {
            let url = stand_in(&mut self.servers, lane.url.as_ref());
            put("url", url.as_str().into());
            put("ahead", word_for(&AheadChoice::CHOICES, lane.ahead).into());
        }
        if group.ends_with(".nextEdit") {
            put("jump", lane.jump.into());
        }
        let explicit = if lane.has_explicit_model() {
            format!("explicit-{number}")
        } else {
            String::new()
        };
        put("explicitModel", explicit.into());
        let limits = [
            ("requestsPerMinute", lane.requests_per_minute),
            ("requestsPerDay", lane.requests_per_day),
            ("tokensPerDay", lane.tokens_per_day),
        ];
        for (name, limit) in limits {
            let full = format!("{group}.{name}");
            match limit {
                Some(limit) => {
                    put(name, limit.into());
                    self.limits.insert(full);
                }
                None if self.limits.contains(&full) => put(name, largest(&full).into()),
                None => {}
            }
        }
    }
}

/// An address that says of a server which one it is, and whether it is on this machine. A lane that has
/// none is like others that have none.
fn stand_in(servers: &mut Vec<ServerUrl>, url: Option<&ServerUrl>) -> ServerUrl {
    let Some(url) = url else {
        return ServerUrl::stand_in(0, false);
    };
    let known = servers.iter().position(|known| known.is_same_server(url));
    let number = known.unwrap_or_else(|| {
        servers.push(url.clone());
        servers.len() - 1
    });
    ServerUrl::stand_in(number + 1, url.is_on_this_machine())
}

/// The largest that a limit may be.
fn largest(name: &str) -> u64 {
    let setting = settings_table::for_any_language(name);
    match setting.map(|(setting, _)| setting.kind) {
        Some(SettingKind::Limit { max, .. }) => max,
        _ => u64::MAX,
    }
}
