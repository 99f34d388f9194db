//! From checked values by name to the typed tree.
//!
//! Every name of the table is read here exactly once, which is how the table and the tree stay the
//! same thing: a name that the table lacks, or has with another kind, fails every test there is. That
//! is also the only reason why the `expect`s can be: nothing a person wrote gets here unchecked.

use std::collections::BTreeMap;

use foretell_text::{LaneKind, TextProbability};

use super::{
    CarrySettings, ContextProviders, ContextSettings, GateSettings, IndexSettings, LaneSettings,
    LanesSettings, LogSettings, PaceSettings, ProviderSettings, RaceSettings, RecallSettings,
    RejectionSettings, Settings, TokenBudget, TriggerSettings,
};
use crate::choice::{AheadChoice, BackEnd, LogLevel, RecallMode, SameLineMemory};
use crate::resolve::ResolvedValues;
use crate::setting_value::{HeaderValues, ServerUrl, SettingValue};
use crate::settings_table;
use crate::unit::Millis;

pub(super) fn build(outcome: ResolvedValues, languages: BTreeMap<String, Settings>) -> Settings {
    let values = CheckedValues {
        by_name: &outcome.values,
        prefix: "",
    };
    Settings {
        rejections: RejectionSettings {
            per_document: values.count("rejections.perDocument"),
            documents: values.count("rejections.documents"),
            total: values.count("rejections.total"),
            infer_after: values.count("rejections.inferAfter"),
        },
        trigger: trigger(&values),
        gate: GateSettings {
            enabled: values.switch("gate.enabled"),
        },
        pace: PaceSettings {
            base: values.millis("pace.baseMs"),
            min: values.millis("pace.minMs"),
            max: values.millis("pace.maxMs"),
            idle: values.millis("pace.idleMs"),
            accepted_factor: values.factor("pace.acceptedFactor"),
            rejected_factor: values.factor("pace.rejectedFactor"),
            memory: Millis::from_minutes(values.whole("pace.memoryMinutes")),
            rhythm: values.switch("pace.rhythm"),
        },
        carry: CarrySettings {
            enabled: values.switch("carry.enabled"),
        },
        recall: RecallSettings {
            mode: values.choice("recall.mode", &RecallMode::CHOICES),
            threshold: values.probability("recall.threshold"),
            key_threshold: values.probability("recall.keyThreshold"),
        },
        race: RaceSettings {
            hold: values.millis("race.holdMs"),
            grace: values.millis("race.graceMs"),
            cap: values.millis("race.capMs"),
            explicit_cap: values.millis("race.explicitCapMs"),
        },
        lanes: LanesSettings {
            fim: lane(&values, LaneKind::Fim),
            next_edit: lane(&values, LaneKind::NextEdit),
            fix: lane(&values, LaneKind::Fix),
        },
        context: context(&values),
        index: IndexSettings {
            enabled: values.switch("index.enabled"),
            dir: values.optional_text("index.dir"),
            max_files: values.count("index.maxFiles"),
        },
        log: LogSettings {
            file: values.optional_text("log.file"),
            level: values.choice("log.level", &LogLevel::CHOICES),
        },
        outcome,
        languages,
    }
}

fn trigger(values: &CheckedValues<'_>) -> TriggerSettings {
    TriggerSettings {
        enabled: values.switch("enabled") && values.switch("trigger.enabled"),
        recent_edit: values.millis("trigger.recentEditMs"),
        same_line_cooldown: values.millis("trigger.sameLineCooldownMs"),
        rejection_cooldown: values.millis("trigger.rejectionCooldownMs"),
        same_line_memory: values.choice("trigger.sameLineMemory", &SameLineMemory::CHOICES),
        immediate_selections: values.count("trigger.immediateSelections"),
        selection_debounce: values.millis("trigger.selectionDebounceMs"),
        document_switch: Millis::from_seconds(values.whole("trigger.documentSwitchSeconds")),
        max_lines: values.count("trigger.maxLines"),
        ignored_schemes: values.texts("trigger.ignoredSchemes"),
    }
}

fn lane(values: &CheckedValues<'_>, lane: LaneKind) -> LaneSettings {
    // The one switch for everything is over that of each lane.
    let is_on = values.switch("enabled");
    // The reserve for an answer is the most that one may have.
    let reserve = values.count("context.tokenBudget.reserveForCompletion");
    let values = CheckedValues {
        by_name: values.by_name,
        prefix: settings_table::lane_prefix(lane),
    };
    LaneSettings {
        enabled: is_on && values.switch("enabled"),
        kind: values.choice("kind", &BackEnd::CHOICES),
        url: values.optional_text("url").map(ServerUrl::from),
        model: values.optional_text("model"),
        explicit_model: values.optional_text("explicitModel"),
        format: values.text("format"),
        template: values.text("template"),
        api_key_env: values.optional_text("apiKeyEnv"),
        api_key_file: values.optional_text("apiKeyFile"),
        api_key_command: values.optional_text("apiKeyCommand"),
        headers: values.headers("headers"),
        allow_insecure: values.switch("allowInsecure"),
        ca_file: values.optional_text("caFile"),
        max_prefix_chars: values.count("maxPrefixChars"),
        max_suffix_chars: values.count("maxSuffixChars"),
        max_tokens: values.count("maxTokens").min(reserve),
        max_lines: values.count("maxLines"),
        first_byte: values.millis("firstByteMs"),
        target: values.millis("targetMs"),
        idle: values.millis("idleMs"),
        max_bytes: values.count("maxBytes"),
        ahead: values.choice("ahead", &AheadChoice::CHOICES),
        jump: values.switch("jump"),
        requests_per_minute: values.limit("requestsPerMinute"),
        requests_per_day: values.limit("requestsPerDay"),
        tokens_per_day: values.limit("tokensPerDay"),
    }
}

fn context(values: &CheckedValues<'_>) -> ContextSettings {
    let provider = |name: &str, max: &str| ProviderSettings {
        enabled: values.switch(&format!("context.providers.{name}.enabled")),
        max: values.count(&format!("context.providers.{name}.{max}")),
    };
    let budget = |name: &str| values.count(&format!("context.tokenBudget.{name}"));
    ContextSettings {
        enabled: values.switch("context.enabled"),
        timeout: values.millis("context.timeoutMs"),
        exclude: values.texts("context.exclude"),
        tokenizer: values.optional_text("context.tokenizer"),
        token_budget: TokenBudget {
            max_context_tokens: budget("maxContextTokens"),
            reserve_for_instruction: budget("reserveForInstruction"),
            reserve_for_selection: budget("reserveForSelection"),
            reserve_for_completion: budget("reserveForCompletion"),
        },
        providers: ContextProviders {
            history: provider("history", "maxEdits"),
            semantic: provider("semantic", "maxChunks"),
            diagnostics: provider("diagnostics", "maxDiagnostics"),
        },
    }
}

const HAS_A_DEFAULT: &str = "the table has this setting, of this kind, with a default";

/// Checked values, to be read by the kind the table gives them.
struct CheckedValues<'a> {
    by_name: &'a BTreeMap<String, SettingValue>,
    prefix: &'a str,
}

impl CheckedValues<'_> {
    fn switch(&self, name: &str) -> bool {
        let on = |value: &SettingValue| match value {
            SettingValue::Switch(on) => Some(*on),
            _ => None,
        };
        self.get(name).and_then(on).expect(HAS_A_DEFAULT)
    }

    fn whole(&self, name: &str) -> u64 {
        self.limit(name).expect(HAS_A_DEFAULT)
    }

    /// A number that counts what is in memory, and so fits: the table's ranges see to that.
    fn count(&self, name: &str) -> usize {
        usize::try_from(self.whole(name)).unwrap_or(usize::MAX)
    }

    fn millis(&self, name: &str) -> Millis {
        Millis::new(self.whole(name))
    }

    fn limit(&self, name: &str) -> Option<u64> {
        match self.get(name)? {
            SettingValue::Whole(number) => Some(*number),
            _ => None,
        }
    }

    fn factor(&self, name: &str) -> f64 {
        let number = |value: &SettingValue| match value {
            SettingValue::Number(number) => Some(*number),
            _ => None,
        };
        self.get(name).and_then(number).expect(HAS_A_DEFAULT)
    }

    fn probability(&self, name: &str) -> TextProbability {
        TextProbability::from_share(self.factor(name))
    }

    fn text(&self, name: &str) -> String {
        self.optional_text(name).expect(HAS_A_DEFAULT)
    }

    fn optional_text(&self, name: &str) -> Option<String> {
        match self.get(name)? {
            SettingValue::Text(text) => Some(text.clone()),
            _ => None,
        }
    }

    fn texts(&self, name: &str) -> Vec<String> {
        let texts = |value: &SettingValue| match value {
            SettingValue::Texts(texts) => Some(texts.clone()),
            _ => None,
        };
        self.get(name).and_then(texts).expect(HAS_A_DEFAULT)
    }

    fn choice<T: Copy>(&self, name: &str, choices: &[(&str, T)]) -> T {
        let word = self.text(name);
        let chosen = choices.iter().find(|(known, _)| *known == word);
        chosen.map(|(_, choice)| *choice).expect(HAS_A_DEFAULT)
    }

    fn headers(&self, name: &str) -> HeaderValues {
        let headers = |value: &SettingValue| match value {
            SettingValue::Headers(headers) => Some(headers.clone()),
            _ => None,
        };
        self.get(name).and_then(headers).expect(HAS_A_DEFAULT)
    }

    fn get(&self, name: &str) -> Option<&SettingValue> {
        self.by_name.get(&format!("{}{name}", self.prefix))
    }
}
