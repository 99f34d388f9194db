//! Settings that are one of a few words, each as an enum.
//!
//! The words beside the variants are part of the product; the table, the faults and the reading of
//! settings all take them from here, so a variant without a word, or a word without a variant, cannot
//! be written.

use foretell_text::LaneKind;

/// How long a line on which the auto-trigger asked is left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SameLineMemory {
    /// For the whole cooldown, whatever is edited in between.
    Keep,
    /// For the cooldown, or until the next edit.
    UntilEdit,
}

impl SameLineMemory {
    /// Every choice and its word.
    pub const CHOICES: [(&'static str, SameLineMemory); 2] = [
        ("keep", SameLineMemory::Keep),
        ("until-edit", SameLineMemory::UntilEdit),
    ];
    pub(crate) const WORDS: [&'static str; 2] = words(&Self::CHOICES);
}

/// The back end of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BackEnd {
    /// The predictor that comes with Foretell: no server, no network.
    Embedded,
    /// A server with OpenAI's completions endpoint.
    OpenAi,
    /// A llama.cpp server, by its infill endpoint.
    LlamaCpp,
    /// An Ollama server.
    Ollama,
    /// A server with Mistral's fill-in-the-middle endpoint.
    Mistral,
    /// A server with OpenAI's chat endpoint.
    OpenAiChat,
    /// Inception's server for edits.
    Mercury,
}

impl BackEnd {
    /// Every choice and its word.
    pub const CHOICES: [(&'static str, BackEnd); 7] = [
        ("embedded", BackEnd::Embedded),
        ("openai", BackEnd::OpenAi),
        ("llama-cpp", BackEnd::LlamaCpp),
        ("ollama", BackEnd::Ollama),
        ("mistral", BackEnd::Mistral),
        ("openai-chat", BackEnd::OpenAiChat),
        ("mercury", BackEnd::Mercury),
    ];
    pub(crate) const WORDS: [&'static str; 7] = words(&Self::CHOICES);

    /// Whether it can be asked for what a lane suggests: chat does not fill in at the cursor, and what only fills
    /// in does not edit; what was taught next edits alone knows no diagnostics.
    pub const fn serves(self, lane: LaneKind) -> bool {
        match lane {
            LaneKind::Fim => !matches!(self, BackEnd::OpenAiChat | BackEnd::Mercury),
            LaneKind::NextEdit => !matches!(self, BackEnd::Mistral),
            LaneKind::Fix => !matches!(self, BackEnd::Mistral | BackEnd::Mercury),
        }
    }
}

/// For which servers a lane works ahead of time: before anything is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AheadChoice {
    /// For those on this machine, where it costs nothing but time.
    Local,
    /// For all of them.
    Always,
    /// For none.
    Never,
}

impl AheadChoice {
    /// Every choice and its word.
    pub const CHOICES: [(&'static str, AheadChoice); 3] = [
        ("local", AheadChoice::Local),
        ("always", AheadChoice::Always),
        ("never", AheadChoice::Never),
    ];
    pub(crate) const WORDS: [&'static str; 3] = words(&Self::CHOICES);
}

/// The words of `lanes.fim.format`: how a model that fills in is asked. Each but `auto` is a family of
/// models.
pub const FIM_FORMATS: [&str; 13] = [
    "auto",
    "starcoder2",
    "starcoder",
    "stable-code",
    "qwen",
    "codegemma",
    "granite",
    "codellama",
    "deepseek",
    "codestral",
    "glm",
    "seed-coder",
    "mellum",
];

/// The words of `lanes.nextEdit.format` and `lanes.fix.format`: how a model that edits is asked.
pub const EDIT_FORMATS: [&str; 7] = [
    "auto", "rewrite", "zeta-2.1", "zeta-2", "sweep", "sweep-v2", "mercury",
];

/// When the embedded language model is asked without anybody asking for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecallMode {
    /// At every key, and once more in a pause if it had nothing.
    Keys,
    /// In pauses only.
    Pauses,
    /// Never.
    Off,
}

impl RecallMode {
    /// Every choice and its word.
    pub const CHOICES: [(&'static str, RecallMode); 3] = [
        ("keys", RecallMode::Keys),
        ("pauses", RecallMode::Pauses),
        ("off", RecallMode::Off),
    ];
    pub(crate) const WORDS: [&'static str; 3] = words(&Self::CHOICES);
}

/// How much the log says; each level includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LogLevel {
    /// Nothing.
    Off,
    /// Failures.
    Error,
    /// Faults that were dealt with.
    Warn,
    /// Facts for the person.
    Info,
    /// Facts for developers.
    Debug,
    /// Everything but what documents say.
    Trace,
}

impl LogLevel {
    /// Every choice and its word.
    pub const CHOICES: [(&'static str, LogLevel); 6] = [
        ("off", LogLevel::Off),
        ("error", LogLevel::Error),
        ("warn", LogLevel::Warn),
        ("info", LogLevel::Info),
        ("debug", LogLevel::Debug),
        ("trace", LogLevel::Trace),
    ];
    pub(crate) const WORDS: [&'static str; 6] = words(&Self::CHOICES);
}

/// The words of some choices, for the table.
const fn words<T: Copy, const N: usize>(choices: &[(&'static str, T); N]) -> [&'static str; N] {
    let mut words = [""; N];
    let mut index = 0;
    while index < N {
        words[index] = choices[index].0;
        index += 1;
    }
    words
}
