//! [`Settings`]: what code may trust. Every number is within its range, every word is an enum, every
//! home has been heard.
//!
//! The tree has the shape of the names: `trigger.recentEditMs` is `settings.trigger.recent_edit`.
//! Times have lost their unit's name, since they have a type. Where a setting says that 0 means "off"
//! or "never", so does the field. The defaults are those of the table; a group has no `Default` of its
//! own, so that there is no second set of them.
//!
//! Languages that differ are worked out when settings are resolved, not when they are asked for:
//! [`Settings::for_language`] is a look-up.

mod from_values;

use std::collections::BTreeMap;
use std::fmt;

use foretell_text::{LaneKind, TextProbability};

use crate::choice::{AheadChoice, BackEnd, LogLevel, RecallMode, SameLineMemory};
use crate::fault::SettingsFault;
use crate::raw::RawSettings;
use crate::resolve::{ResolvedValues, resolve};
use crate::setting_name::SettingTarget;
use crate::setting_origin::SettingOrigin;
use crate::setting_value::{HeaderValues, ServerUrl, SettingValue};
use crate::settings_table;
use crate::unit::Millis;

/// Every setting, and those of languages that differ.
#[derive(Clone, PartialEq)]
pub struct Settings {
    /// How much the rejection memory holds.
    pub rejections: RejectionSettings,
    /// When moving the cursor asks.
    pub trigger: TriggerSettings,
    /// When the fim lane is spared.
    pub gate: GateSettings,
    /// How long to wait before asking.
    pub pace: PaceSettings,
    /// Keeping a suggestion while it is typed.
    pub carry: CarrySettings,
    /// What is shown at once.
    pub recall: RecallSettings,
    /// How long lanes wait for each other.
    pub race: RaceSettings,
    /// Where suggestions come from.
    pub lanes: LanesSettings,
    /// The context of models.
    pub context: ContextSettings,
    /// The workspace index.
    pub index: IndexSettings,
    /// The log.
    pub log: LogSettings,
    outcome: ResolvedValues,
    languages: BTreeMap<String, Settings>,
}

impl Settings {
    /// Resolves settings from these sources, and returns everything in them that does not apply.
    ///
    /// A higher home wins, whatever the order of the sources; of two with the same home the later wins.
    pub fn resolve(sources: &[RawSettings]) -> (Self, Vec<SettingsFault>) {
        let (resolved, faults) = resolve(sources);
        let languages = resolved
            .languages
            .into_iter()
            .map(|(language, outcome)| (language, from_values::build(outcome, BTreeMap::new())));
        let languages = languages.collect();
        (from_values::build(resolved.general, languages), faults)
    }

    /// The settings for documents of a language.
    pub fn for_language(&self, id: &str) -> &Settings {
        self.languages.get(id).unwrap_or(self)
    }

    /// The settings in general, and those of each language that has its own.
    pub fn all_languages(&self) -> impl Iterator<Item = &Settings> {
        std::iter::once(self).chain(self.languages.values())
    }

    /// The languages that have settings of their own, and those.
    pub fn languages(&self) -> impl Iterator<Item = (&str, &Settings)> {
        let languages = self.languages.iter();
        languages.map(|(language, settings)| (language.as_str(), settings))
    }

    /// Where a setting comes from, the strongest source if there are several. Nothing if no setting has
    /// that name.
    pub fn origin_of(&self, name: &str) -> Option<&SettingOrigin> {
        let target = SettingTarget::of(name)?;
        let settings = match &target.language {
            Some(language) => self.for_language(language),
            None => self,
        };
        settings.outcome.origins.get(&target.setting.name)?.last()
    }

    /// Every setting in the order of the table, then what each language has of its own.
    pub fn entries(&self) -> impl Iterator<Item = CurrentSetting<'_>> {
        let general = settings_table::settings().filter_map(|setting| {
            let name = setting.name.clone();
            self.outcome.current(name, &setting.name)
        });
        let of_languages = self.languages.iter().flat_map(move |(language, settings)| {
            let own = |name: &String| {
                settings.outcome.origins.get(name) != self.outcome.origins.get(name)
            };
            settings_table::settings()
                .map(|setting| setting.name)
                .filter(own)
                .filter_map(|name| {
                    let full = format!("languages.{language}.{name}");
                    settings.outcome.current(full, &name)
                })
                .collect::<Vec<_>>()
        });
        general.chain(of_languages)
    }
}

/// Those of the table.
impl Default for Settings {
    fn default() -> Self {
        Settings::resolve(&[]).0
    }
}

/// The tree only; where it comes from has a function of its own.
impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("rejections", &self.rejections)
            .field("trigger", &self.trigger)
            .field("gate", &self.gate)
            .field("pace", &self.pace)
            .field("carry", &self.carry)
            .field("recall", &self.recall)
            .field("race", &self.race)
            .field("lanes", &self.lanes)
            .field("context", &self.context)
            .field("index", &self.index)
            .field("log", &self.log)
            .field("languages", &self.languages)
            .finish()
    }
}

/// A setting, what it is set to, and by whom.
#[derive(Clone, Debug, PartialEq)]
pub struct CurrentSetting<'a> {
    /// The whole name, with the language if it is for one.
    pub name: String,
    /// Its value, or nothing.
    pub value: Option<&'a SettingValue>,
    /// Where that comes from: one place, or several that add to each other, the weakest first.
    pub origins: &'a [SettingOrigin],
}

impl CurrentSetting<'_> {
    /// Its value, for people to see: of an address only the host, of a command only the program, of
    /// headers only the names, and of a variable nothing that does not look like the name of one. The
    /// rest may be a key.
    pub fn shown(&self) -> Option<SettingValue> {
        let (_, last) = self.name.rsplit_once('.').unwrap_or_default();
        Some(match (last, self.value?) {
            ("url", SettingValue::Text(url)) => {
                SettingValue::Text(format!("{:?}", ServerUrl::from(url.as_str())))
            }
            ("apiKeyCommand", SettingValue::Text(command)) => {
                SettingValue::Text(program_of(command))
            }
            ("apiKeyEnv", SettingValue::Text(variable)) if !is_variable(variable) => {
                SettingValue::Text(HIDDEN.to_owned())
            }
            (_, SettingValue::Headers(headers)) => {
                let mut hidden = HeaderValues::default();
                for (name, _) in headers.iter() {
                    hidden.insert(name, HIDDEN.to_owned());
                }
                SettingValue::Headers(hidden)
            }
            (_, value) => value.clone(),
        })
    }
}

/// Stands where a key may be.
const HIDDEN: &str = "***";

/// The program of a command, unless that has a key in it, too.
fn program_of(command: &str) -> String {
    match command.split_once(char::is_whitespace) {
        Some((program, _)) if !program.contains('=') => format!("{program} {HIDDEN}"),
        None if !command.contains('=') => command.to_owned(),
        _ => HIDDEN.to_owned(),
    }
}

/// Whether people call variables that. Keys have small letters.
fn is_variable(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    name.chars().all(fits)
}

impl ResolvedValues {
    fn current(&self, name: String, setting: &str) -> Option<CurrentSetting<'_>> {
        Some(CurrentSetting {
            name,
            value: self.values.get(setting),
            origins: self.origins.get(setting)?,
        })
    }
}

/// `rejections.…`: how much the rejection memory holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectionSettings {
    /// How many in one document.
    pub per_document: usize,
    /// In how many documents.
    pub documents: usize,
    /// How many in all.
    pub total: usize,
    /// After how many offers typed over a plain client's silence counts; 0: never.
    pub infer_after: usize,
}

/// `trigger.…`: when moving the cursor asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TriggerSettings {
    /// Whether it ever does.
    pub enabled: bool,
    /// How old the last edit may be.
    pub recent_edit: Millis,
    /// How long a line is left alone.
    pub same_line_cooldown: Millis,
    /// How long a rejection keeps it quiet.
    pub rejection_cooldown: Millis,
    /// Whether lines stay left alone over an edit.
    pub same_line_memory: SameLineMemory,
    /// How many moves after an edit ask at once.
    pub immediate_selections: usize,
    /// How long later moves wait; zero: not at all.
    pub selection_debounce: Millis,
    /// How old an edit anywhere may be for a switch of documents to ask; zero: off.
    pub document_switch: Millis,
    /// The longest document that is not left alone.
    pub max_lines: usize,
    /// The URI schemes of documents that are left alone.
    pub ignored_schemes: Vec<String>,
}

/// `gate.…`: when the fim lane is spared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateSettings {
    /// Whether it ever is.
    pub enabled: bool,
}

/// `pace.…`: how long to wait before asking.
#[derive(Clone, Debug, PartialEq)]
pub struct PaceSettings {
    /// The wait before anything changes it.
    pub base: Millis,
    /// The shortest; never above the longest.
    pub min: Millis,
    /// The longest.
    pub max: Millis,
    /// A wait that nothing shortens.
    pub idle: Millis,
    /// The factor of an acceptance; 1 at most.
    pub accepted_factor: f64,
    /// The factor of a rejection; 1 at least.
    pub rejected_factor: f64,
    /// How long those count; never zero.
    pub memory: Millis,
    /// Whether it follows the person's typing.
    pub rhythm: bool,
}

/// `carry.…`: keeping a suggestion while it is typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CarrySettings {
    /// Whether that is done.
    pub enabled: bool,
}

/// `recall.…`: what is shown at once, from the embedded language model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecallSettings {
    /// When it is asked.
    pub mode: RecallMode,
    /// How likely what it says must be in a pause.
    pub threshold: TextProbability,
    /// How likely what it says must be between keys.
    pub key_threshold: TextProbability,
}

/// `race.…`: how long lanes wait for each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RaceSettings {
    /// How long an answer is held for a better lane's.
    pub hold: Millis,
    /// How long the others have once fim has nothing.
    pub grace: Millis,
    /// How long an automatic request takes at most.
    pub cap: Millis,
    /// How long an explicit request takes at most.
    pub explicit_cap: Millis,
}

/// `lanes.…`: where suggestions come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanesSettings {
    /// `lanes.fim.…`
    pub fim: LaneSettings,
    /// `lanes.nextEdit.…`
    pub next_edit: LaneSettings,
    /// `lanes.fix.…`
    pub fix: LaneSettings,
}

impl LanesSettings {
    /// The settings of one lane.
    pub fn of(&self, lane: LaneKind) -> &LaneSettings {
        match lane {
            LaneKind::Fim => &self.fim,
            LaneKind::NextEdit => &self.next_edit,
            LaneKind::Fix => &self.fix,
        }
    }
}

/// `lanes.L.…`: one lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneSettings {
    /// Whether it is asked.
    pub enabled: bool,
    /// The back end.
    pub kind: BackEnd,
    /// The server's address; prints without what may be a key in it.
    pub url: Option<ServerUrl>,
    /// The model.
    pub model: Option<String>,
    /// The model for explicit requests, if another.
    pub explicit_model: Option<String>,
    /// The format's name, or `auto`; one of those that the table has for the lane.
    pub format: String,
    /// The template's name, the person's own, or `auto`.
    pub template: String,
    /// The variable with the key.
    pub api_key_env: Option<String>,
    /// The file with the key.
    pub api_key_file: Option<String>,
    /// The command that prints the key.
    pub api_key_command: Option<String>,
    /// More headers to send; prints without their values.
    pub headers: HeaderValues,
    /// Whether an unencrypted connection to another machine will do.
    pub allow_insecure: bool,
    /// Certificates to trust.
    pub ca_file: Option<String>,
    /// How many characters before the cursor are sent.
    pub max_prefix_chars: usize,
    /// How many characters after the cursor are sent.
    pub max_suffix_chars: usize,
    /// How many tokens an answer may have.
    pub max_tokens: usize,
    /// How many lines an answer may have.
    pub max_lines: usize,
    /// How long until an answer must begin.
    pub first_byte: Millis,
    /// How long reading a prompt at a new place may take.
    pub target: Millis,
    /// How long an answer may pause.
    pub idle: Millis,
    /// How many bytes an answer may have.
    pub max_bytes: usize,
    /// For which servers it works ahead of time.
    pub ahead: AheadChoice,
    /// Whether a model that has nothing at the cursor is asked about another place. Only next edits are.
    pub jump: bool,
    /// The limit of requests in a minute.
    pub requests_per_minute: Option<u64>,
    /// The limit of requests in a day.
    pub requests_per_day: Option<u64>,
    /// The limit of tokens in a day.
    pub tokens_per_day: Option<u64>,
}

impl LaneSettings {
    /// Whether its back end is another program. Text that must not leave is not sent to such a lane. All code
    /// that has settings asks here; the lane that is made of them says the same of itself.
    pub fn tells_others(&self) -> bool {
        self.kind != BackEnd::Embedded
    }
}

impl LaneSettings {
    /// Whether its model server is on this machine, where a call costs nothing but time.
    pub fn is_on_this_machine(&self) -> bool {
        let url = self.url.as_ref().filter(|_| self.tells_others());
        url.is_some_and(ServerUrl::is_on_this_machine)
    }

    /// Whether its server may be asked before anybody wants to know.
    pub fn works_ahead(&self) -> bool {
        self.tells_others()
            && match self.ahead {
                AheadChoice::Local => self.is_on_this_machine(),
                AheadChoice::Always => true,
                AheadChoice::Never => false,
            }
    }

    /// The model that is asked, by itself or because the person wants something.
    pub fn model_for(&self, is_explicit: bool) -> Option<&str> {
        let explicit = self.explicit_model.as_ref().filter(|_| is_explicit);
        explicit.or(self.model.as_ref()).map(String::as_str)
    }

    /// How a model that fills in is asked: the format, or else the template.
    pub fn fim_template(&self) -> &str {
        if self.format == "auto" {
            &self.template
        } else {
            &self.format
        }
    }

    /// Whether what the person asks for goes to another model than the rest.
    pub fn has_explicit_model(&self) -> bool {
        self.explicit_model.is_some() && self.explicit_model != self.model
    }
}

/// `context.…`: what models are told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextSettings {
    /// Whether they are told anything besides the text at the cursor.
    pub enabled: bool,
    /// How long the sources have.
    pub timeout: Millis,
    /// Globs of files that are never told of.
    pub exclude: Vec<String>,
    /// The file of an exact tokenizer.
    pub tokenizer: Option<String>,
    /// How much they are told.
    pub token_budget: TokenBudget,
    /// The sources.
    pub providers: ContextProviders,
}

/// `context.tokenBudget.…`: how much models are told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenBudget {
    /// The whole context.
    pub max_context_tokens: usize,
    /// The share of an instruction that costs nothing.
    pub reserve_for_instruction: usize,
    /// The share of a selection that costs nothing.
    pub reserve_for_selection: usize,
    /// The most a lane may ask for.
    pub reserve_for_completion: usize,
}

/// `context.providers.…`: what models are told of. In each, how many entries at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextProviders {
    /// Recent changes: `maxEdits`.
    pub history: ProviderSettings,
    /// Related code: `maxChunks`.
    pub semantic: ProviderSettings,
    /// Diagnostics: `maxDiagnostics`.
    pub diagnostics: ProviderSettings,
}

/// One source of context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderSettings {
    /// Whether it is asked.
    pub enabled: bool,
    /// How many entries it gives at most.
    pub max: usize,
}

/// `index.…`: the workspace index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexSettings {
    /// Whether there is one.
    pub enabled: bool,
    /// Where it is kept, if not in the platform's cache directory.
    pub dir: Option<String>,
    /// How many files it takes.
    pub max_files: usize,
}

/// `log.…`: the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogSettings {
    /// A file to write it to.
    pub file: Option<String>,
    /// How much it says.
    pub level: LogLevel,
}
