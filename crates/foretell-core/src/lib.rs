//! Decides: events and the time go in, actions come out.
//!
//! This is the part of Foretell that has opinions, and nothing else: it has no clock, no thread, no
//! file and no network. An editor, a language server or a replayed session tells [`Core`] what
//! happened and when, and does what it says. The same events at the same moments give the same
//! actions, to the byte.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`event`] | what happened |
//! | [`action`] | orders: what to do |
//! | [`note`] | notes: the decisions, for observers |
//! | [`reason`] | causes: why nothing was shown, asked or done |
//! | [`rejection_memory`] | what the person rejected, and must not see again |
//! | `trigger`, `gate`, `pace` | when to ask: after which cursor moves, for which texts, how soon |
//! | `requests` | from the editor's question to its one answer |
//! | [`fact`] | all of these as one, for observers |
//! | [`moment`], [`digest`], [`counts`] | time, texts known again, and what was counted |
//!
//! Four verbs drive it: [`handle`](Core::handle) tells it what happened,
//! [`poll_action`](Core::poll_action) says what to do until there is nothing more,
//! [`poll_timeout`](Core::poll_timeout) says when to wake it, and
//! [`handle_timeout`](Core::handle_timeout) wakes it.
//!
//! ```
//! use std::sync::Arc;
//!
//! use foretell_core::{Core, Event, Moment};
//! use foretell_settings::Settings;
//! use foretell_text::{ByteOffset, DocumentId, Edit, Language, Replacement, Text, Version};
//!
//! let mut core = Core::new(Arc::new(Settings::default()));
//! let document = DocumentId::new("file:///main.ts");
//! let suggestion = Edit::from(Replacement::insertion(ByteOffset::new(7), ": number"));
//!
//! core.handle(Moment::from_millis(0), Event::DocumentOpened {
//!     document: document.clone(),
//!     language: Language::new("typescript"),
//!     version: Version::new(1),
//!     text: Text::from("const x = 1"),
//! });
//! // The person presses Escape.
//! core.handle(Moment::from_millis(900), Event::EditRejected {
//!     document: document.clone(),
//!     edit: suggestion.clone(),
//! });
//! while let Some(_action) = core.poll_action() {}
//!
//! assert!(core.is_rejected(&document, &suggestion).is_some());
//! ```
//!
//! Absent on purpose: where suggestions come from, what a model is told, and how anything is drawn.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod action;
pub mod ahead_call;
pub mod counts;
mod diagnosed_places;
pub mod digest;
mod documents;
mod edit_history;
mod editor_focus;
pub mod event;
pub mod fact;
mod filters;
mod fix_origin;
mod fix_standing;
mod fix_trials;
mod gate;
mod inferred_rejections;
mod lane_health;
mod lane_speeds;
mod machine;
pub mod moment;
pub mod note;
mod outbox;
mod pace;
pub mod reason;
mod recent_changes;
pub mod rejection_memory;
mod requests;
mod takes_back;
mod target;
mod trigger;
mod typing_place;
mod wanted_fixes;
mod window;

pub use action::{Action, Answer, AskCause, LaneReport, Offer, OfferedFrom, Order, Spot};
pub use ahead_call::{AheadAnswer, AheadCallId, AheadOutcome, AheadQuestion, AheadWork};
pub use counts::MachineCounts;
pub use digest::TextDigest;
pub use event::{
    EditPlace, Event, RejectionReports, RequestCause, RequestId, RequestKind, SuggestionId,
    SuggestionRequest,
};
pub use fact::{Fact, FactScene, FaultReport, Measurement, Observer};
pub use fix_standing::fix_standing;
pub use foretell_text::{
    CursorPrediction, FailureKind, LaneCandidate, LaneFailure, LaneSpeed, PredictionAsk, TokenUsage,
};
pub use lane_health::LaneUsage;
pub use machine::Core;
pub use moment::Moment;
pub use note::Note;
pub use pace::typing_gaps::{GAP_STEPS, GapRow, TypingGaps, UsualGaps};
pub use reason::Reason;
pub use rejection_memory::{ForgetCause, RejectionId, SleepCause, StoredRejection};

/// The guide for editor authors is a test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/embedding.md")]
struct EmbeddingGuide;
