//! The seam for model formats.
//!
//! Models are trained on one way to be asked each. A [`PromptFormat`] is such a way: it turns a request
//! into a [`ModelPrompt`] and gives the [`AnswerReader`] that understands the answer. A
//! [`ServerKind`] carries both and knows neither; [`ModelLane`](super::ModelLane) puts them together.
//!
//! | format | lanes | where |
//! | --- | --- | --- |
//! | the FIM families | `fim` | a row each in `fim/family.rs` |
//! | `rewrite` | `nextEdit`, `fix` | [`rewrite`](mod@super::rewrite) |
//! | the forms of models for next edits | `nextEdit`, some `fix` | a row each in files below [`next_edit`](mod@super::next_edit) |
//!
//! `lanes.L.format` names one, and `auto` goes by the model's name. For `fim`, `template` is another
//! name of the setting, which also takes a template of the person's own. A format for next edits is a
//! row in a file of its own, unless it is read in a way that no other is.
//!
//! Absent on purpose: the network, and everything that a server kind knows.

use std::fmt;
use std::sync::Arc;

use foretell_settings::{Settings, settings};
use foretell_text::{ContextPiece, LaneCandidate, LaneKind};

use super::answer_frame::AnswerEnd;
use super::fim::{FimFormat, PromptMemory};
use super::next_edit::{EditDialect, NextEditFormat};
use super::rewrite::{EditTask, QuestionRefusal, RewriteFormat, cannot_rewrite};
use super::server_facts::ServerFacts;
use super::server_kind::ServerKind;
use crate::lane::{LaneAnswer, LaneFault};
use crate::lane_redaction::SecretMarks;
use crate::lane_request::LaneRequest;

/// A way to ask models and to understand them.
pub trait PromptFormat {
    /// The prompt for a request and its reader; nothing if there is nothing to ask. All text of
    /// documents in it passes `marks`. `memory` has what the last prompts were made of, for formats
    /// whose prompts stay the same but for their ends.
    fn prepare<'r>(
        &self,
        request: &'r LaneRequest,
        settings: &settings::LaneSettings,
        marks: Box<dyn SecretMarks>,
        memory: &mut PromptMemory,
    ) -> Option<FormattedRequest<'r>>;

    /// Whether an answer repeats a whole region, which takes hundreds of tokens.
    fn repeats_region(&self) -> bool {
        false
    }

    /// Why there is nothing to ask, if there is not and more is known of it.
    fn refusal(
        &self,
        _request: &LaneRequest,
        _settings: &settings::LaneSettings,
        _marks: &mut dyn SecretMarks,
    ) -> Option<QuestionRefusal> {
        None
    }
}

/// A prompt, and the reader for its answer.
pub struct FormattedRequest<'r> {
    /// The prompt.
    pub prompt: ModelPrompt,
    /// The reader for its answer.
    pub reader: Box<dyn AnswerReader + 'r>,
}

/// Understands an answer that comes in pieces, however it is cut into them.
pub trait AnswerReader: Send {
    /// Takes a piece in. Returns whether that is enough: then nothing more is read.
    fn push(&mut self, piece: &str) -> bool;

    /// How many bytes of the answer will not change any more, whatever comes.
    fn certain_bytes(&self) -> usize {
        0
    }

    /// The suggestions that those make.
    fn so_far(&self) -> Vec<LaneCandidate> {
        Vec::new()
    }

    /// The answer, given why no more of it came. The usage is not known here.
    fn finish(self: Box<Self>, end: AnswerEnd) -> Result<LaneAnswer, LaneFault>;
}

/// A prompt in one of the styles of [`PromptText`], of which every server kind takes some.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelPrompt {
    /// The text.
    pub text: PromptText,
    /// Words that end the answer, the most telling first.
    pub stop_words: Vec<String>,
    /// How long the answer may be.
    pub max_tokens: usize,
    /// Of a prompt that fills a gap in a text, what servers may stop at.
    pub gap: Option<GapHints>,
    /// How many tokens all prompts of the lane and their answers have room in: the same for each.
    pub room: usize,
    /// The slot of a server that keeps what the lane's last prompt said.
    pub slot: Option<usize>,
}

impl ModelPrompt {
    /// A prompt with these words, of which nothing else is known.
    pub fn new(text: PromptText, settings: &settings::LaneSettings) -> Self {
        ModelPrompt {
            text,
            stop_words: Vec::new(),
            max_tokens: settings.max_tokens,
            gap: None,
            room: room(settings),
            slot: None,
        }
    }
}

/// What is known of a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GapHints {
    /// A line with fewer blanks ahead of it is certainly no part of the answer.
    pub indent: usize,
}

/// How many characters a token of code has, at the least on average.
pub(super) const CHARS_PER_TOKEN: usize = 3;
/// How many tokens of context there may be besides, and how long an answer usually is.
const ROOM_BESIDES: usize = 2_560;
/// The least room, which every model has.
const LEAST_ROOM: usize = 4_096;

/// How many tokens the prompts of a lane have room in. A power of two, so that lanes with nearly the
/// same settings agree on it.
pub(super) fn room(settings: &settings::LaneSettings) -> usize {
    let chars = settings
        .max_prefix_chars
        .saturating_add(settings.max_suffix_chars);
    // A prompt grows by a quarter before it is cut anew.
    let tokens = (chars.saturating_add(chars / 4) / CHARS_PER_TOKEN).saturating_add(ROOM_BESIDES);
    tokens.next_power_of_two().max(LEAST_ROOM)
}

/// The text of a prompt, by style.
#[derive(Clone, PartialEq, Eq)]
pub enum PromptText {
    /// One text that the model goes on with.
    Continue(String),
    /// The text around a gap; the server puts them together.
    FillIn {
        /// The text before the gap, up to a place that stays from one prompt to the next.
        prefix: String,
        /// The text from there to the gap.
        typed: String,
        /// The text behind it.
        suffix: String,
        /// Files beside it, for servers that take some.
        files: Vec<PromptFile>,
    },
    /// Two messages, for models that were taught to take turns.
    Chat {
        /// The task.
        system: String,
        /// The code that it is about.
        user: String,
    },
    /// One message, for models that were taught to edit.
    Edit(String),
}

/// A file beside a prompt.
#[derive(Clone, PartialEq, Eq)]
pub struct PromptFile {
    /// Its name.
    pub name: Arc<str>,
    /// Its text.
    pub text: Arc<str>,
}

impl PromptFile {
    /// A piece of the context as a file.
    pub fn of(piece: &ContextPiece) -> PromptFile {
        PromptFile {
            name: Arc::clone(&piece.path),
            text: Arc::clone(&piece.text),
        }
    }
}

/// Which [`PromptText`] a prompt is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptStyle {
    /// [`PromptText::Continue`].
    Continue,
    /// [`PromptText::FillIn`].
    FillIn,
    /// [`PromptText::Chat`].
    Chat,
    /// [`PromptText::Edit`].
    Edit,
}

impl PromptText {
    /// How long it is, in bytes.
    #[expect(clippy::len_without_is_empty, reason = "none is empty")]
    pub fn len(&self) -> usize {
        match self {
            PromptText::Continue(text) | PromptText::Edit(text) => text.len(),
            PromptText::FillIn {
                prefix,
                typed,
                suffix,
                files,
            } => {
                let files: usize = files.iter().map(|it| it.name.len() + it.text.len()).sum();
                prefix.len() + typed.len() + suffix.len() + files
            }
            PromptText::Chat { system, user } => system.len() + user.len(),
        }
    }

    /// Its style.
    pub fn style(&self) -> PromptStyle {
        match self {
            PromptText::Continue(_) => PromptStyle::Continue,
            PromptText::FillIn { .. } => PromptStyle::FillIn,
            PromptText::Chat { .. } => PromptStyle::Chat,
            PromptText::Edit(_) => PromptStyle::Edit,
        }
    }
}

/// Prints the style: the prompt may be private.
impl fmt::Debug for PromptText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.style().fmt(f)
    }
}

/// How the model of a lane is asked.
pub struct FormatChoice {
    /// The kind of its server.
    pub kind: ServerKind,
    /// The format.
    pub format: Box<dyn PromptFormat>,
}

impl FormatChoice {
    /// The format of a lane for a model, which may be empty, given what its server says of it. The lane is misconfigured if its server cannot be asked like that.
    pub fn of(
        lane: LaneKind,
        settings: &settings::LaneSettings,
        model: &str,
        facts: &ServerFacts,
    ) -> Result<Self, LaneFault> {
        let task = match lane {
            LaneKind::Fim => {
                let format = FimFormat::of(settings.kind, model, settings.fim_template())?;
                let format = format.with_family(facts.family);
                return Ok(FormatChoice {
                    kind: format.kind(),
                    format: Box::new(format),
                });
            }
            LaneKind::NextEdit => EditTask::NextEdit,
            LaneKind::Fix => EditTask::Fix,
        };
        let kind = ServerKind::of(settings.kind).ok_or_else(cannot_rewrite)?;
        let format: Box<dyn PromptFormat> = match edit_dialect(settings, model, kind, facts.dialect)
        {
            Some(dialect) => Box::new(NextEditFormat::of(dialect, task, kind)?),
            // Of all models, those with no format of their own follow instructions.
            None => Box::new(RewriteFormat::of(task, kind)?),
        };
        Ok(FormatChoice { kind, format })
    }
}

/// The form in which a model is asked for edits, if it has one of its own: the one that is named, the one
/// that goes with its server or its name, or what its server says it is called.
pub fn edit_dialect(
    settings: &settings::LaneSettings,
    model: &str,
    kind: ServerKind,
    told: Option<&'static EditDialect>,
) -> Option<&'static EditDialect> {
    if settings.format != AUTO_FORMAT {
        return EditDialect::named(&settings.format);
    }
    if kind == ServerKind::Mercury {
        return EditDialect::named("mercury");
    }
    EditDialect::of_model(model).or_else(|| told.filter(|_| model.trim().is_empty()))
}

/// The name of the format in which a lane asks its model for edits.
pub fn edit_format_name(
    settings: &settings::LaneSettings,
    model: &str,
    told: Option<&'static EditDialect>,
) -> &'static str {
    let kind = ServerKind::of(settings.kind);
    let dialect = kind.and_then(|kind| edit_dialect(settings, model, kind, told));
    dialect.map_or("rewrite", EditDialect::name)
}

/// The settings of a lane, with as long an answer as the format of its model repeats where nobody says how long it may
/// be.
pub(super) fn with_room_for_region(
    lane: LaneKind,
    settings: &settings::LaneSettings,
) -> settings::LaneSettings {
    let mut settings = settings.clone();
    let model = settings.model_for(false).unwrap_or_default();
    let kind = ServerKind::of(settings.kind).filter(|_| lane != LaneKind::Fim);
    let dialect = kind.and_then(|kind| edit_dialect(&settings, model, kind, None));
    let usual = Settings::default().lanes.of(lane).max_tokens;
    if let Some(dialect) = dialect.filter(|_| settings.max_tokens == usual) {
        settings.max_tokens = dialect.answer_tokens;
    }
    settings
}

/// The word by which a format is chosen by the model's name.
const AUTO_FORMAT: &str = "auto";

#[cfg(test)]
mod tests {
    use foretell_settings::{Settings, choice};
    use foretell_text::LaneKind;

    use super::FormatChoice;
    use crate::model::fim::family::FimFamily;
    use crate::model::next_edit::edit_dialect::DIALECTS;
    use crate::model::server_facts::ServerFacts;

    #[test]
    fn the_settings_know_which_server_serves_which_lane() {
        let servers = choice::BackEnd::CHOICES.into_iter().skip(1);
        for (word, kind) in servers {
            for lane in LaneKind::ALL {
                let mut settings = Settings::default().lanes.of(lane).clone();
                settings.kind = kind;
                let format = FormatChoice::of(lane, &settings, "any", &ServerFacts::default());
                assert_eq!(kind.serves(lane), format.is_ok(), "{word} {lane}");
            }
        }
    }

    #[test]
    fn the_settings_name_every_format_and_no_other() {
        let fim: Vec<_> = std::iter::once("auto").chain(FimFamily::names()).collect();
        assert_eq!(choice::FIM_FORMATS.as_slice(), fim);
        let dialects = DIALECTS.iter().map(|dialect| dialect.name());
        let edit: Vec<_> = ["auto", "rewrite"].into_iter().chain(dialects).collect();
        assert_eq!(choice::EDIT_FORMATS.as_slice(), edit);
    }
}
