//! What prompts were made of, so that the next one can be made of the same.
//!
//! A server that reads 150 tokens a second needs seconds for a prompt, and reads anew only from the
//! first byte that differs from the last one. So a prompt is made once for a place and kept: context,
//! prefix and suffix. While the person goes on typing there, each question repeats it byte for byte,
//! and what was typed since follows at its end. Where the text around it is another, the prompt is made
//! anew, as much like the last one as can be (`window_bounds`).
//!
//! The context is frozen with it. It is taken anew when the person has left the place (another
//! document, another item of this one) or has rested for some seconds, and then only if there is
//! something new in it: a piece that is not needed any more does less harm than reading everything
//! behind it again. Pieces that stay keep their order and their bytes, and new ones are put behind them. Code that stands in the prompt anyway is no
//! piece of it, and neither is any piece where none was gathered for this request or where the rules
//! have changed since which say what may be told.
//!
//! Everything is redacted for every question all the same. What is kept stands for what the redactor
//! says of the text now, and only the numbers of marks may differ: an answer that brings a mark is
//! withheld whatever its number.
//!
//! The memory is that of one server as it is. When the server says something else of itself (another
//! model, another context) the memory starts anew: pieces that were kept have no control tokens of the old
//! model, and were made to fit the old context.
//!
//! It is pure: no clock (how long a rest was is told by the latest change), no I/O. The model lane has
//! one behind a lock, which is never held while something is waited for.

use std::fmt;

use foretell_text::{ByteOffset, ContextPiece, DocumentId, TokenUsage};

use super::family::FimFamily;
use super::text_window::MARK;
use super::window_bounds::{FrozenWindow, KeptLimits, WindowBounds, WindowLimits, WindowMove};
use crate::lane_redaction::SecretMarks;
use crate::lane_request::LaneRequest;

/// How many prompts are kept: a few documents that somebody goes to and fro between, for two models.
const MOST_KEPT: usize = 8;
/// After how long without a change the context is taken anew, in milliseconds.
const REST_MS: u64 = 10_000;

/// The latest prompts of a lane, at most one for each document and model.
#[derive(Clone, Default)]
pub struct PromptMemory {
    /// The latest last.
    kept: Vec<FrozenPrompt>,
    /// What was known of the server when they were made.
    server: PromptServer,
    /// Whether the server had most of a prompt already that was the one before again.
    is_kept: bool,
    /// Whether the last prompt was that.
    was_repeated: bool,
    /// How much of what it keeps may be told again.
    limits: Option<KeptLimits>,
}

/// What the server says of itself, as far as prompts depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PromptServer {
    /// The family of its model.
    pub family: Option<&'static FimFamily>,
    /// How many tokens a prompt and its answer may have.
    pub context_tokens: Option<usize>,
}

/// Which prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PromptKey {
    pub(super) document: DocumentId,
    pub(super) model: String,
}

/// A prompt, and what it was made of.
#[derive(Clone)]
struct FrozenPrompt {
    key: PromptKey,
    window: FrozenWindow,
    parts: PromptParts,
    /// Under which rules the context was gathered.
    rules: u64,
}

/// What a prompt says, without secrets and control tokens.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct PromptParts {
    pub(super) pieces: Vec<ContextPiece>,
    pub(super) prefix: String,
    pub(super) suffix: String,
}

/// Where the next prompt is made, and how much of the last one it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct PromptPlan {
    pub(super) bounds: WindowBounds,
    moved: WindowMove,
    context: ContextPlan,
}

/// What becomes of the last prompt's context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ContextPlan {
    /// It stays.
    Stays,
    /// It stays unless there is something new.
    StaysIfNothingIsNew,
    /// It is taken anew.
    IsTaken,
}

impl PromptMemory {
    /// Starts anew if the server is not the one that the last prompts were made for.
    pub fn turn_to(&mut self, server: PromptServer) {
        if self.server != server {
            *self = PromptMemory {
                server,
                ..PromptMemory::default()
            };
        }
    }

    /// How much may be told again of what a server keeps, if that may be more than of what it has to read.
    pub fn let_grow(&mut self, limits: Option<KeptLimits>) {
        self.limits = limits;
    }

    /// Learns from a call whether the server keeps what it has read. A prompt that is another one is read anew by
    /// every server.
    pub fn learn(&mut self, usage: TokenUsage) {
        if let Some(read) = usage.read_tokens.filter(|_| self.was_repeated) {
            self.is_kept = read.saturating_mul(4) < usage.prompt_tokens;
        }
    }

    /// How much may be told again, if the server keeps it.
    pub(super) fn kept_limits(&self) -> Option<KeptLimits> {
        self.limits.filter(|_| self.is_kept)
    }

    /// Plans the prompt of a request.
    pub(super) fn plan(
        &self,
        key: &PromptKey,
        request: &LaneRequest,
        at: ByteOffset,
        limits: WindowLimits,
    ) -> PromptPlan {
        let text = &request.document.text;
        let last = self.last(key);
        let window = last.map(|last| &last.window);
        let (bounds, moved) = WindowBounds::around(text, at, limits, window);
        let latest = self.kept.last().map(|latest| &latest.key.document);
        let was_elsewhere = latest != Some(&key.document);
        let latest = request.document.edits.iter().map(|edit| edit.age_ms).min();
        let has_rested = latest.is_some_and(|age| age >= REST_MS);
        let is_left = match moved {
            WindowMove::Same => false,
            WindowMove::Nearby => window.is_none_or(|window| window.is_left(text, &bounds)),
            WindowMove::Elsewhere => true,
        };
        // What was gathered under other rules may be what they forbid.
        let is_allowed = last.is_some_and(|last| last.rules == request.context.rules);
        let context = if was_elsewhere || !is_allowed || moved == WindowMove::Elsewhere {
            // All of the prompt is read anew.
            ContextPlan::IsTaken
        } else if has_rested || is_left {
            ContextPlan::StaysIfNothingIsNew
        } else {
            ContextPlan::Stays
        };
        PromptPlan {
            bounds,
            moved,
            context,
        }
    }

    /// What is told, given what a request says now, and remembers it.
    pub(super) fn freeze(
        &mut self,
        key: PromptKey,
        plan: PromptPlan,
        request: &LaneRequest,
        now: PromptParts,
        marks: &mut dyn SecretMarks,
    ) -> PromptParts {
        let position = self.kept.iter().position(|it| it.key == key);
        let last = position.map(|position| self.kept.remove(position));
        self.was_repeated = last.is_some() && plan.moved == WindowMove::Same;
        let parts = match &last {
            Some(last) => PromptParts {
                pieces: last.pieces(plan, request, now.pieces, marks),
                prefix: with_old_beginning(&last.parts.prefix, now.prefix),
                suffix: with_old_beginning(&last.parts.suffix, now.suffix),
            },
            None => now,
        };
        let window = match last {
            // Nothing is moved by what is typed, not even what an item is.
            Some(last) if plan.moved == WindowMove::Same => last.window,
            _ => FrozenWindow::of(&request.document.text, &plan.bounds),
        };
        self.kept.push(FrozenPrompt {
            key,
            window,
            parts: parts.clone(),
            rules: request.context.rules,
        });
        let too_many = self.kept.len().saturating_sub(MOST_KEPT);
        self.kept.drain(..too_many);
        parts
    }

    fn last(&self, key: &PromptKey) -> Option<&FrozenPrompt> {
        self.kept.iter().find(|it| it.key == *key)
    }
}

impl FrozenPrompt {
    /// The pieces of the next prompt.
    fn pieces(
        &self,
        plan: PromptPlan,
        request: &LaneRequest,
        now: Vec<ContextPiece>,
        marks: &mut dyn SecretMarks,
    ) -> Vec<ContextPiece> {
        let old = &self.parts.pieces;
        let is_new = |piece: &&ContextPiece| !old.iter().any(|old| is_alike(old, piece));
        let stays = match plan.context {
            ContextPlan::Stays => true,
            ContextPlan::StaysIfNothingIsNew => !now.iter().any(|piece| is_new(&piece)),
            ContextPlan::IsTaken => false,
        };
        if stays && request.context.is_told() {
            // What was no secret then may be one now.
            let mut is_told = |text: &str| length_of_old(&marks.redact(text), text).is_some();
            let told = old.iter().filter(|piece| is_told(&piece.text));
            return told.cloned().collect();
        }
        let is_found = |old: &&ContextPiece| now.iter().any(|piece| is_alike(old, piece));
        let found = old.iter().filter(is_found);
        found.chain(now.iter().filter(is_new)).cloned().collect()
    }
}

/// How many there are: what they say is somebody's text.
impl fmt::Debug for PromptMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PromptMemory")
            .field("kept", &self.kept.len())
            .finish()
    }
}

fn is_alike(one: &ContextPiece, other: &ContextPiece) -> bool {
    one.path == other.path && length_of_old(&other.text, &one.text) == Some(other.text.len())
}

/// A text whose beginning is written as it was, if that is the same but for the numbers of marks.
fn with_old_beginning(old: &str, new: String) -> String {
    match length_of_old(&new, old) {
        Some(length) => [old, new.get(length..).unwrap_or_default()].concat(),
        None => new,
    }
}

/// How much of a text is an older one, but for the numbers of marks, if it begins with that.
fn length_of_old(new: &str, old: &str) -> Option<usize> {
    let (mut rest, mut old) = (new, old);
    while let Some(mark) = old.find(MARK) {
        let (head, behind) = old.split_at_checked(mark + MARK.len())?;
        let digit = |c: char| c.is_ascii_digit();
        rest = rest.strip_prefix(head)?.trim_start_matches(digit);
        old = behind.trim_start_matches(digit);
    }
    let rest = rest.strip_prefix(old)?;
    Some(new.len() - rest.len())
}
