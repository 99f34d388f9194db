//! The table: every setting, and the only place where one is made.
//!
//! A row has the name, the default, the range and its unit, and the meaning. Lanes have the same
//! settings each, so their rows are written once and exist three times, but for `format`, which has
//! other words for each lane. [`settings`] walks over all of
//! them in the order a person reads them in.
//!
//! To add a setting, add a row here and a field in [`settings`](crate::settings); the tests say what
//! else it takes. The homes that may set it follow from the name and kind, in
//! [`HomeRule`](crate::HomeRule).

use std::ops::RangeInclusive;

use foretell_text::LaneKind;

use crate::choice::{
    AheadChoice, BackEnd, EDIT_FORMATS, FIM_FORMATS, LogLevel, RecallMode, SameLineMemory,
};
use crate::setting::{DefaultValue, Setting, SettingKind, SettingRow};
use crate::setting_name::SettingTarget;
use crate::unit::SettingUnit;

/// The longest time that a setting in milliseconds can ask for: ten minutes.
const LONGEST_MS: u64 = 600_000;

/// Settings of which the first must not be above the second.
pub(crate) const ORDERED_PAIRS: [(&str, &str); 1] = [("pace.minMs", "pace.maxMs")];

/// Every setting, in the order of the table.
pub fn settings() -> impl Iterator<Item = Setting> {
    rows().map(|(of_lane, row)| row.setting(format!("{of_lane}{}", row.name)))
}

/// The setting of a name, without a language in front of it.
pub fn setting(name: &str) -> Option<Setting> {
    let (_, row) = rows().find(|(of_lane, row)| name.strip_prefix(of_lane) == Some(row.name))?;
    Some(row.setting(name.to_owned()))
}

/// The setting that a name picks out, which may have a language in front of it, and the name without
/// that.
pub fn for_any_language(name: &str) -> Option<(Setting, String)> {
    let target = SettingTarget::of(name)?;
    let general = SettingTarget {
        language: None,
        ..target
    };
    let name = general.name();
    Some((general.setting, name))
}

/// Every name, in two parts: what a lane's begin with, or nothing, and the rest.
pub(crate) fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    rows().map(|(of_lane, row)| (of_lane, row.name))
}

/// Every row, those of lanes once for each.
fn rows() -> impl Iterator<Item = (&'static str, &'static SettingRow)> {
    let general = |rows: &'static [SettingRow]| rows.iter().map(|row| ("", row));
    let of_lanes = LaneKind::ALL
        .into_iter()
        .flat_map(|lane| lane_rows(lane).map(move |row| (lane_prefix(lane), row)));
    // A model for all lanes is named as a lane's own is.
    let of_model = lane_rows(LaneKind::Fim)
        .filter(|row| OF_MODEL.contains(&row.name))
        .map(|row| (MODEL_PREFIX, row));
    general(BEFORE_LANES)
        .chain(of_model)
        .chain(of_lanes)
        .chain(general(AFTER_LANES))
}

/// The rows of one lane.
fn lane_rows(lane: LaneKind) -> impl Iterator<Item = &'static SettingRow> {
    let format = match lane {
        LaneKind::Fim => &FIM_FORMAT,
        LaneKind::NextEdit | LaneKind::Fix => &EDIT_FORMAT,
    };
    LANE_MODEL
        .iter()
        .chain(std::iter::once(format))
        .chain(LANE_SERVER)
}

/// The prefix of the settings of the model that all lanes use which name none of their own.
pub(crate) const MODEL_PREFIX: &str = "model.";

/// What is said of that model: which it is, where, and how its server is reached.
const OF_MODEL: [&str; 9] = [
    "kind",
    "url",
    "model",
    "apiKeyEnv",
    "apiKeyFile",
    "apiKeyCommand",
    "headers",
    "allowInsecure",
    "caFile",
];

/// The prefix of a lane's settings.
pub(crate) const fn lane_prefix(lane: LaneKind) -> &'static str {
    match lane {
        LaneKind::Fim => "lanes.fim.",
        LaneKind::NextEdit => "lanes.nextEdit.",
        LaneKind::Fix => "lanes.fix.",
    }
}

const BEFORE_LANES: &[SettingRow] = &[
    switch(
        "enabled",
        true,
        "Whether Foretell suggests anything; for one language, languages.ID.enabled.",
    ),
    count(
        "rejections.perDocument",
        20,
        0..=10_000,
        SettingUnit::Rejections,
        "How many rejected suggestions are remembered in one document.",
    ),
    count(
        "rejections.documents",
        20,
        0..=10_000,
        SettingUnit::Documents,
        "In how many documents rejected suggestions are remembered.",
    ),
    count(
        "rejections.total",
        400,
        0..=10_000,
        SettingUnit::Rejections,
        "How many rejected suggestions are remembered in all documents together.",
    ),
    count(
        "rejections.inferAfter",
        3,
        0..=1_000,
        SettingUnit::Offers,
        "How often a suggestion is offered and typed over before it counts as rejected, in an editor that does not report rejections; 0 is never.",
    ),
    switch(
        "trigger.enabled",
        true,
        "Whether moving the cursor after an edit may ask for a suggestion.",
    ),
    time(
        "trigger.recentEditMs",
        10_000,
        "How long after an edit of a document a move of the cursor may ask there.",
    ),
    time(
        "trigger.sameLineCooldownMs",
        5_000,
        "How long a line is left alone after a move of the cursor asked there.",
    ),
    time(
        "trigger.rejectionCooldownMs",
        5_000,
        "How long after a suggestion was rejected no move of the cursor asks, and nothing else is offered late on its line.",
    ),
    choice(
        "trigger.sameLineMemory",
        "keep",
        &SameLineMemory::WORDS,
        "Whether a line stays left alone when the document is edited meanwhile.",
    ),
    count(
        "trigger.immediateSelections",
        2,
        0..=1_000,
        SettingUnit::Selections,
        "How many moves of the cursor after an edit may ask at once; later ones wait for it to rest.",
    ),
    time(
        "trigger.selectionDebounceMs",
        300,
        "How long the cursor must rest before a later move asks; 0 is not at all.",
    ),
    count(
        "trigger.documentSwitchSeconds",
        0,
        0..=3_600,
        SettingUnit::Seconds,
        "How recent an edit anywhere must be for a switch to another document to ask; 0 is never.",
    ),
    count(
        "trigger.maxLines",
        10_000,
        1..=1_000_000,
        SettingUnit::Lines,
        "The longest document in which moving the cursor asks.",
    ),
    texts(
        "trigger.ignoredSchemes",
        &[
            "output",
            "git",
            "debug",
            "vscode-scm",
            "comment",
            "walkThrough",
        ],
        "The URI schemes of documents that get a suggestion only when the person asks for it.",
    ),
    switch(
        "gate.enabled",
        true,
        "Whether the fim lane is spared when the text has not changed since it was last asked.",
    ),
    time(
        "pace.baseMs",
        250,
        "The wait before a lane starts, before what is known of the person's typing and taste changes it.",
    ),
    time("pace.minMs", 50, "The shortest adaptive wait."),
    time("pace.maxMs", 3_000, "The longest adaptive wait."),
    time("pace.idleMs", 0, "A wait that nothing shortens."),
    factor(
        "pace.acceptedFactor",
        0.8,
        0.1..=1.0,
        "What the wait is multiplied by for a suggestion that was just accepted.",
    ),
    factor(
        "pace.rejectedFactor",
        1.5,
        1.0..=10.0,
        "What the wait is multiplied by for a suggestion that was just rejected.",
    ),
    count(
        "pace.memoryMinutes",
        10,
        1..=1_440,
        SettingUnit::Minutes,
        "How long an acceptance or a rejection counts, less and less.",
    ),
    switch(
        "pace.rhythm",
        true,
        "Whether the wait follows the rhythm of the person's typing.",
    ),
    switch(
        "carry.enabled",
        true,
        "Whether a suggestion stays while the person types into it.",
    ),
    choice(
        "recall.mode",
        "keys",
        &RecallMode::WORDS,
        "When what was learned from your own code suggests how the line goes on: at every key, in pauses only, or never.",
    ),
    factor(
        "recall.threshold",
        0.6,
        0.0..=1.0,
        "How likely such a suggestion must be to be shown once you have paused.",
    ),
    factor(
        "recall.keyThreshold",
        0.7,
        0.0..=1.0,
        "How likely such a suggestion must be to be shown between two keys.",
    ),
    time(
        "race.holdMs",
        150,
        "How long an answer is held for a lane of higher priority.",
    ),
    time(
        "race.graceMs",
        1_000,
        "How long the other lanes have once the fim lane has nothing.",
    ),
    limited_time(
        "race.capMs",
        1_800,
        "How long lanes have for a request that was made automatically.",
    ),
    limited_time(
        "race.explicitCapMs",
        10_000,
        "How long lanes have for a request that the person made.",
    ),
];

/// The settings of one lane, without the name of the lane: which model is asked.
const LANE_MODEL: &[SettingRow] = &[
    switch("enabled", true, "Whether the lane is asked at all."),
    choice(
        "kind",
        "embedded",
        &BackEnd::WORDS,
        "What answers: the predictor that comes with Foretell, or a kind of model server.",
    ),
    optional_text(
        "url",
        "The address of the model server, without the path of the endpoint.",
    ),
    optional_text("model", "The model to ask for."),
    optional_text(
        "explicitModel",
        "The model to ask for when the person asked; without it, the same as ever.",
    ),
];

/// How the model of the lane that fills in is asked.
const FIM_FORMAT: SettingRow = choice(
    "format",
    "auto",
    &FIM_FORMATS,
    "The format that the model was trained on; auto goes by template, and that by the model's name.",
);

/// How the model of a lane that edits is asked.
const EDIT_FORMAT: SettingRow = choice(
    "format",
    "auto",
    &EDIT_FORMATS,
    "The format that the model was trained on; auto goes by the model's name.",
);

/// The settings of one lane, without the name of the lane: how its server is asked.
const LANE_SERVER: &[SettingRow] = &[
    text(
        "template",
        "auto",
        "How prefix and suffix become a prompt: a template's name, the person's own with {prefix} and {suffix}, or auto to go by the model's name.",
    ),
    optional_text(
        "apiKeyEnv",
        "The name of the environment variable that holds the key of the model server.",
    ),
    optional_text(
        "apiKeyFile",
        "The file that holds the key of the model server.",
    ),
    optional_text(
        "apiKeyCommand",
        "The command that prints the key of the model server.",
    ),
    headers(
        "headers",
        "Headers to send with every request to the model server.",
    ),
    switch(
        "allowInsecure",
        false,
        "Whether code and keys may be sent unencrypted to another machine.",
    ),
    optional_text(
        "caFile",
        "A file with certificates to trust besides the system's.",
    ),
    count(
        "maxPrefixChars",
        6_000,
        0..=1_000_000,
        SettingUnit::Characters,
        "How much of the document before the cursor is sent, and up to a quarter more where a prompt goes on.",
    ),
    count(
        "maxSuffixChars",
        2_000,
        0..=1_000_000,
        SettingUnit::Characters,
        "How much of the document after the cursor is sent, and up to a quarter more where a prompt goes on.",
    ),
    count(
        "maxTokens",
        256,
        1..=100_000,
        SettingUnit::Tokens,
        "How long an answer the model may give; at the default, one that was trained for next edits may give 1000 tokens, which its region takes.",
    ),
    count(
        "maxLines",
        20,
        1..=10_000,
        SettingUnit::Lines,
        "After how many lines an answer is cut.",
    ),
    limited_time(
        "firstByteMs",
        5_000,
        "How long the model server may be silent until its answer begins; saying how far it has read is not silence.",
    ),
    limited_time(
        "targetMs",
        1_500,
        "How long reading a prompt at a new place may take: a slow server gets a shorter prompt.",
    ),
    limited_time(
        "idleMs",
        2_000,
        "How long the model server may pause within an answer.",
    ),
    count(
        "maxBytes",
        65_536,
        1..=67_108_864,
        SettingUnit::Bytes,
        "How large an answer may be before it counts as a failure.",
    ),
    choice(
        "ahead",
        "local",
        &AheadChoice::WORDS,
        "Which servers read prompts before anything is asked, and are asked what follows a suggestion: local are those on this machine, and only fim works ahead.",
    ),
    switch(
        "jump",
        true,
        "Whether a model that has nothing at the cursor is asked once more, about another place: where the last change fits too, or something is wrong; only nextEdit does that.",
    ),
    limit(
        "requestsPerMinute",
        100_000,
        SettingUnit::RequestsPerMinute,
        "How many requests the lane may make in a minute; unset is no limit.",
    ),
    limit(
        "requestsPerDay",
        10_000_000,
        SettingUnit::RequestsPerDay,
        "How many requests the lane may make in a day; unset is no limit.",
    ),
    limit(
        "tokensPerDay",
        1_000_000_000_000,
        SettingUnit::TokensPerDay,
        "How many tokens the lane may use in a day; unset is no limit.",
    ),
];

const AFTER_LANES: &[SettingRow] = &[
    switch(
        "context.enabled",
        true,
        "Whether models are told more than the text around the cursor.",
    ),
    time(
        "context.timeoutMs",
        500,
        "How long the sources of context have; a late one contributes nothing.",
    ),
    texts(
        "context.exclude",
        &[],
        "Globs of files that are never indexed or sent, besides those that look secret: from each folder of the workspace, and whole paths (/ or ~/) anywhere; outside of a workspace the end of a path is enough.",
    ),
    optional_text(
        "context.tokenizer",
        "The file of an exact tokenizer; without it, a token is taken as 4 UTF-16 units.",
    ),
    tokens(
        "context.tokenBudget.maxContextTokens",
        2_000,
        0,
        "How long the context may be.",
    ),
    tokens(
        "context.tokenBudget.reserveForInstruction",
        500,
        0,
        "How long an instruction may be before it is taken from the context.",
    ),
    tokens(
        "context.tokenBudget.reserveForSelection",
        1_000,
        0,
        "How long a selection may be before it is taken from the context.",
    ),
    tokens(
        "context.tokenBudget.reserveForCompletion",
        1_000,
        1,
        "The most that a lane's maxTokens can be.",
    ),
    switch(
        "context.providers.history.enabled",
        true,
        "Whether recent changes are part of the context.",
    ),
    count(
        "context.providers.history.maxEdits",
        3,
        0..=1_000,
        SettingUnit::Edits,
        "How many recent changes are part of the context.",
    ),
    switch(
        "context.providers.semantic.enabled",
        true,
        "Whether related code of the workspace is part of the context.",
    ),
    count(
        "context.providers.semantic.maxChunks",
        3,
        0..=1_000,
        SettingUnit::Chunks,
        "How many pieces of related code are part of the context.",
    ),
    switch(
        "context.providers.diagnostics.enabled",
        true,
        "Whether diagnostics are part of the context.",
    ),
    count(
        "context.providers.diagnostics.maxDiagnostics",
        5,
        0..=1_000,
        SettingUnit::Diagnostics,
        "How many diagnostics are part of the context.",
    ),
    switch(
        "index.enabled",
        true,
        "Whether the workspace is indexed, so that related code can be found.",
    ),
    optional_text(
        "index.dir",
        "Where indexes are kept, as a whole path or from ~/; unset is the platform's cache directory.",
    ),
    count(
        "index.maxFiles",
        200_000,
        0..=10_000_000,
        SettingUnit::Files,
        "How many files are indexed at most.",
    ),
    optional_text(
        "log.file",
        "A file to write the log to, besides the standard error.",
    ),
    choice(
        "log.level",
        "info",
        &LogLevel::WORDS,
        "How much the log says; what documents say is in it at no level.",
    ),
];

const fn switch(name: &'static str, default: bool, meaning: &'static str) -> SettingRow {
    SettingRow {
        name,
        kind: SettingKind::Switch,
        default: DefaultValue::Switch(default),
        meaning,
    }
}

const fn count(
    name: &'static str,
    default: u64,
    range: RangeInclusive<u64>,
    unit: SettingUnit,
    meaning: &'static str,
) -> SettingRow {
    SettingRow {
        name,
        kind: SettingKind::Whole {
            min: *range.start(),
            max: *range.end(),
            unit,
        },
        default: DefaultValue::Whole(default),
        meaning,
    }
}

const fn time(name: &'static str, default: u64, meaning: &'static str) -> SettingRow {
    count(
        name,
        default,
        0..=LONGEST_MS,
        SettingUnit::Milliseconds,
        meaning,
    )
}

/// A time that cannot be 0, because nothing could ever be done in it.
const fn limited_time(name: &'static str, default: u64, meaning: &'static str) -> SettingRow {
    count(
        name,
        default,
        1..=LONGEST_MS,
        SettingUnit::Milliseconds,
        meaning,
    )
}

const fn tokens(name: &'static str, default: u64, min: u64, meaning: &'static str) -> SettingRow {
    count(name, default, min..=1_000_000, SettingUnit::Tokens, meaning)
}

const fn limit(
    name: &'static str,
    max: u64,
    unit: SettingUnit,
    meaning: &'static str,
) -> SettingRow {
    SettingRow {
        name,
        kind: SettingKind::Limit { min: 1, max, unit },
        default: DefaultValue::Nothing,
        meaning,
    }
}

const fn factor(
    name: &'static str,
    default: f64,
    range: RangeInclusive<f64>,
    meaning: &'static str,
) -> SettingRow {
    SettingRow {
        name,
        kind: SettingKind::Factor {
            min: *range.start(),
            max: *range.end(),
        },
        default: DefaultValue::Number(default),
        meaning,
    }
}

const fn text(name: &'static str, default: &'static str, meaning: &'static str) -> SettingRow {
    SettingRow {
        name,
        kind: SettingKind::Text,
        default: DefaultValue::Text(default),
        meaning,
    }
}

const fn optional_text(name: &'static str, meaning: &'static str) -> SettingRow {
    SettingRow {
        name,
        kind: SettingKind::OptionalText,
        default: DefaultValue::Nothing,
        meaning,
    }
}

const fn texts(
    name: &'static str,
    default: &'static [&'static str],
    meaning: &'static str,
) -> SettingRow {
    SettingRow {
        name,
        kind: SettingKind::Texts,
        default: DefaultValue::Texts(default),
        meaning,
    }
}

const fn choice(
    name: &'static str,
    default: &'static str,
    words: &'static [&'static str],
    meaning: &'static str,
) -> SettingRow {
    SettingRow {
        name,
        kind: SettingKind::Choice(words),
        default: DefaultValue::Text(default),
        meaning,
    }
}

const fn headers(name: &'static str, meaning: &'static str) -> SettingRow {
    SettingRow {
        name,
        kind: SettingKind::Headers,
        default: DefaultValue::NoHeaders,
        meaning,
    }
}
