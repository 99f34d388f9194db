//! How much of a prompt a server has room for: in its context, and in the time that a person waits.
//!
//! - **The context.** A server refuses a prompt that is longer than its context, and would refuse every other
//!   one, too: the lane would fail and rest for a reason that only its log names.
//! - **The time.** A prompt at a new place is read whole. A server that reads 150 tokens a second gets one that
//!   it reads within `targetMs`, but never less than what is needed to make sense of the place. A fast one
//!   gets everything. One that was never asked begins with a prompt of moderate length, if it is on this
//!   machine.
//!
//! The text around the cursor gets at most three quarters of the room, as much less on both sides, and what
//! else is told gets what is left; pieces and sections that do not fit are left out from the end. An answer
//! is made shorter in the same way. Where nothing is known, nothing changes.
//!
//! A prompt that is cut elsewhere is read anew, so that the size changes only when the speed has changed by
//! half ([`SteadySize`]).
//!
//! Tokens are estimated: three characters each, which code in Latin letters never reaches on average. A text
//! in other scripts may still be refused.
//!
//! Absent on purpose: how the speed is known, and servers.

use std::sync::Arc;
use std::time::Duration;

use foretell_settings::settings;
use foretell_text::{LaneKind, ToldSection};

use super::fim::KeptLimits;
use super::format::CHARS_PER_TOKEN;
use super::server_speed::ServerSpeed;
use crate::lane_context::LaneContext;
use crate::lane_request::LaneRequest;

/// How many tokens a prompt has besides texts: control tokens, and the names of files.
const BESIDES: usize = 64;
/// The same of one that says what is to be done, and what is reported.
const BESIDES_OF_TASK: usize = 640;
/// How many characters a change takes besides its texts: the rest of its lines, and where it was.
const BESIDES_OF_CHANGE: usize = 160;

/// The least that is told however slow a server is, in tokens: the item around the cursor.
const LEAST_TOLD: usize = 300;
/// The same where a region is to be rewritten.
const LEAST_TOLD_OF_TASK: usize = 600;
/// What a server on this machine is told of which no speed is known.
const FIRST_TOLD: usize = 1_000;
/// How many times as long as in time a prompt may take that a server keeps, should it have to be read anew.
const TIMES_KEPT: usize = 2;
/// The shortest answer that is asked for, in tokens: a few lines, or a region.
const LEAST_ANSWER: usize = 48;
const LEAST_ANSWER_OF_TASK: usize = 256;
/// A size stays until another one is so much larger or smaller, in percent.
const STEADY_PERCENT: usize = 150;

/// The facts that a room follows from.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoomFacts {
    pub(super) lane: LaneKind,
    /// How many tokens prompt and answer may have, if the server says so.
    pub(super) context_tokens: Option<usize>,
    /// How many tokens are to be read at a new place, if that is limited.
    pub(super) read_tokens: Option<usize>,
    /// How many are to be written.
    pub(super) written_tokens: Option<usize>,
}

/// The room of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PromptRoom {
    /// How many characters fit into the context.
    fitting: usize,
    /// How many are read in time.
    timely: usize,
    /// How many of those are about the place, however few there are.
    least: usize,
    /// How many tokens an answer may have.
    answer_tokens: usize,
    is_task: bool,
}

/// How many tokens are to be read by a server at most; nothing if there is no limit.
pub(super) fn tokens_to_read(
    lane: LaneKind,
    settings: &settings::LaneSettings,
    speed: ServerSpeed,
) -> Option<usize> {
    let least = if lane == LaneKind::Fim {
        LEAST_TOLD
    } else {
        LEAST_TOLD_OF_TASK
    };
    match speed.read {
        Some(speed) => Some(tokens_within(speed, settings).max(least)),
        None => settings.is_on_this_machine().then_some(FIRST_TOLD),
    }
}

/// Whether a server of a speed gets longer prompts than one of which nothing is known.
pub(super) fn makes_longer(lane: LaneKind, settings: &settings::LaneSettings, speed: f64) -> bool {
    let speed = ServerSpeed {
        read: Some(speed),
        written: None,
    };
    tokens_to_read(lane, settings, speed).is_none_or(|tokens| tokens > FIRST_TOLD)
}

/// How many tokens are to be written at most.
pub(super) fn tokens_to_write(
    lane: LaneKind,
    settings: &settings::LaneSettings,
    speed: ServerSpeed,
) -> Option<usize> {
    let least = if lane == LaneKind::Fim {
        LEAST_ANSWER
    } else {
        LEAST_ANSWER_OF_TASK
    };
    let written = speed.written?;
    Some(tokens_within(written, settings).max(least))
}

fn tokens_within(speed: f64, settings: &settings::LaneSettings) -> usize {
    let target = Duration::from_millis(settings.target.get());
    // A speed is believable and a time bounded, so that this is, too.
    (speed * target.as_secs_f64()) as usize
}

/// A size that stays until another one is much larger or smaller.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SteadySize(Option<usize>);

impl SteadySize {
    /// The size, given the one that is wanted now.
    pub(super) fn step(&mut self, wanted: Option<usize>) -> Option<usize> {
        let is_near = |one: usize, other: usize| {
            one.saturating_mul(100) < other.saturating_mul(STEADY_PERCENT)
        };
        let stays = match (self.0, wanted) {
            (Some(now), Some(wanted)) => is_near(now, wanted) && is_near(wanted, now),
            _ => false,
        };
        if !stays {
            self.0 = wanted;
        }
        self.0
    }
}

impl PromptRoom {
    /// The room by some facts; nothing if nothing limits it.
    pub(super) fn of(facts: RoomFacts, settings: &settings::LaneSettings) -> Option<PromptRoom> {
        let RoomFacts {
            lane,
            context_tokens,
            read_tokens,
            written_tokens,
        } = facts;
        if context_tokens.is_none() && read_tokens.is_none() && written_tokens.is_none() {
            return None;
        }
        let is_task = lane != LaneKind::Fim;
        let mut answer_tokens = settings.max_tokens;
        answer_tokens = answer_tokens.min(written_tokens.unwrap_or(usize::MAX));
        answer_tokens = answer_tokens.min(context_tokens.map_or(usize::MAX, |it| it / 4));
        let besides = if is_task { BESIDES_OF_TASK } else { BESIDES };
        let fitting = context_tokens.map_or(usize::MAX, |tokens| {
            tokens.saturating_sub(answer_tokens + besides)
        });
        let chars = |tokens: usize| tokens.saturating_mul(CHARS_PER_TOKEN);
        Some(PromptRoom {
            fitting: chars(fitting),
            timely: chars(read_tokens.unwrap_or(usize::MAX)),
            least: chars(if is_task {
                LEAST_TOLD_OF_TASK
            } else {
                LEAST_TOLD
            }),
            answer_tokens,
            is_task,
        })
    }

    /// How many tokens of text fit into the context.
    pub(super) fn tokens_that_fit(self) -> usize {
        self.fitting / CHARS_PER_TOKEN
    }

    /// The settings with limits that fit.
    pub(super) fn limit(self, settings: &settings::LaneSettings) -> settings::LaneSettings {
        let most = most_of(self.text_that_fits()).min(grown(self.text_in_time()));
        let limits = window_within(settings, most);
        settings::LaneSettings {
            max_prefix_chars: limits.before,
            max_suffix_chars: limits.behind,
            max_tokens: self.answer_tokens,
            ..settings.clone()
        }
    }

    /// How much of the text around the cursor may be told again of what a server keeps. That takes no time, until
    /// somebody else has asked the server something and all of it is read anew, once.
    pub(super) fn limit_of_kept(self, settings: &settings::LaneSettings) -> KeptLimits {
        let in_time = self.text_in_time().saturating_mul(TIMES_KEPT);
        window_within(settings, most_of(self.text_that_fits()).min(grown(in_time)))
    }

    /// The request with what fits beside a text with these limits, or with those of what is kept; nothing if all
    /// of it does.
    pub(super) fn fit(
        self,
        limited: &settings::LaneSettings,
        kept: Option<KeptLimits>,
        request: &LaneRequest,
    ) -> Option<LaneRequest> {
        let asked = limited
            .max_prefix_chars
            .saturating_add(limited.max_suffix_chars);
        let kept = kept.map_or(0, |kept| kept.before.saturating_add(kept.behind));
        let most = grown(asked.max(kept));
        let fitting = self.text_that_fits().saturating_sub(most);
        let left = fitting.min(self.timely.saturating_sub(asked));
        let context = fitting_context(left, &request.context);
        let changes = self.changes(request);
        if context.is_none() && changes.is_none() {
            return None;
        }
        let mut fits = changes.unwrap_or_else(|| request.clone());
        if let Some(context) = context {
            fits.context = Arc::new(context);
        }
        Some(fits)
    }

    /// How many characters may be told that are not recent changes.
    fn text_that_fits(self) -> usize {
        self.fitting.saturating_sub(self.changes_that_fit())
    }

    /// How many characters of recent changes may be told, where they are told at all.
    fn changes_that_fit(self) -> usize {
        if self.is_task && self.fitting != usize::MAX {
            self.fitting / 3
        } else {
            0
        }
    }

    /// How many characters around the cursor are read in time.
    fn text_in_time(self) -> usize {
        let least = self.least.min(self.timely);
        most_of(self.timely).max(least)
    }

    /// The request with fewer recent changes, if they are too many for a short context.
    fn changes(self, request: &LaneRequest) -> Option<LaneRequest> {
        if !self.is_task || self.fitting == usize::MAX {
            return None;
        }
        let documents = std::iter::once(&request.document).chain(&request.others);
        let edits = documents.flat_map(|document| &document.edits);
        let length = |edit: &foretell_text::RecentEdit| {
            edit.old_text.len() + edit.new_text.len() + BESIDES_OF_CHANGE
        };
        let all: usize = edits.map(length).sum();
        let mut left = self.changes_that_fit();
        if all <= left {
            return None;
        }
        let mut fits = request.clone();
        let documents = std::iter::once(&mut fits.document).chain(&mut fits.others);
        for document in documents {
            document.edits.retain(|edit| {
                let rest = left.checked_sub(length(edit));
                left = rest.unwrap_or(0);
                rest.is_some()
            });
        }
        Some(fits)
    }
}

/// What of a context fits; nothing if all of it does. A lane tells it as pieces or in Markdown.
fn fitting_context(left: usize, context: &LaneContext) -> Option<LaneContext> {
    let length = |text: &str| text.encode_utf16().count();
    let (mut for_pieces, mut for_markdown) = (left, left);
    let (mut is_full, mut is_cut) = (false, false);
    let mut sections: Vec<ToldSection> = context.sections.to_vec();
    for section in &mut sections {
        section.pieces.retain(|piece| {
            let needed = length(&piece.path) + length(&piece.text);
            is_full |= needed > for_pieces;
            for_pieces = for_pieces.saturating_sub(needed);
            !is_full
        });
        let needed = length(&section.markdown);
        is_cut |= needed > for_markdown;
        for_markdown = for_markdown.saturating_sub(needed);
        if is_cut {
            section.markdown = Arc::default();
        }
    }
    // Pieces are told as a section that says something.
    sections.retain(|section| !section.markdown.is_empty() || !section.pieces.is_empty());
    (is_full || is_cut).then(|| LaneContext {
        sections: Arc::from(sections),
        ..context.clone()
    })
}

/// Three quarters.
fn most_of(chars: usize) -> usize {
    chars / 4 * 3
}

/// How far a text of a length grows before its prompt is cut anew.
fn grown(chars: usize) -> usize {
    chars.saturating_add(chars / 4)
}

/// The limits of settings, made smaller until all that they let be told has so many characters.
fn window_within(settings: &settings::LaneSettings, most: usize) -> KeptLimits {
    let wanted = window_chars(settings);
    let fit = |limit: usize| {
        if wanted <= most {
            limit
        } else {
            // In u128, since a limit may be anything.
            let share = limit as u128 * most as u128 / wanted as u128;
            usize::try_from(share).unwrap_or(limit)
        }
    };
    KeptLimits {
        before: fit(settings.max_prefix_chars),
        behind: fit(settings.max_suffix_chars),
    }
}

/// How many characters around the cursor are told at most.
fn window_chars(settings: &settings::LaneSettings) -> usize {
    let limits = settings
        .max_prefix_chars
        .saturating_add(settings.max_suffix_chars);
    grown(limits)
}

#[cfg(test)]
mod tests {
    use foretell_settings::Settings;
    use foretell_testkit::written_settings::lane_settings_of;
    use foretell_text::{ByteRange, ChangeReason, ContextPiece, RecentEdit};

    use super::*;
    use crate::lane_request::OpenDocument;

    fn facts(context_tokens: Option<usize>, read_tokens: Option<usize>) -> RoomFacts {
        RoomFacts {
            lane: LaneKind::Fim,
            context_tokens,
            read_tokens,
            written_tokens: None,
        }
    }

    fn fitted(context_tokens: usize) -> settings::LaneSettings {
        let settings = Settings::default().lanes.fim;
        let room = PromptRoom::of(facts(Some(context_tokens), None), &settings);
        room.unwrap().limit(&settings)
    }

    fn request() -> LaneRequest {
        let document = OpenDocument::new("a.py", "python", "");
        LaneRequest::new(document, foretell_text::ByteOffset::ZERO)
    }

    #[test]
    fn a_server_with_room_enough_is_told_everything() {
        assert_eq!(fitted(32_768), Settings::default().lanes.fim);
        let settings = Settings::default().lanes.fim;
        assert_eq!(PromptRoom::of(facts(None, None), &settings), None);
    }

    #[test]
    fn prompt_and_answer_fit_into_any_context() {
        for tokens in [0, 1, 64, 100, 512, 2_048, 4_096, 8_192, usize::MAX] {
            let limited = fitted(tokens);
            let needed = window_chars(&limited) / CHARS_PER_TOKEN + limited.max_tokens;
            assert!(needed <= tokens, "{tokens}: {limited:?}");
        }
        let limited = fitted(2_048);
        let most = Settings::default().lanes.fim;
        assert!(limited.max_prefix_chars > most.max_prefix_chars / 3);
    }

    #[test]
    fn code_of_other_files_gets_what_is_left_in_its_order() {
        let piece = |path: &str, length: usize| ContextPiece {
            path: path.into(),
            text: "x".repeat(length).into(),
        };
        let context = LaneContext::of_pieces([piece("a", 300), piece("b", 900), piece("c", 10)]);
        let request = LaneRequest {
            context: Arc::new(context),
            ..request()
        };
        let settings = Settings::default().lanes.fim;
        let told = |tokens: usize| {
            let room = PromptRoom::of(facts(Some(tokens), None), &settings).unwrap();
            let fits = room.fit(&room.limit(&settings), None, &request);
            let paths = fits.map(|it| {
                let pieces = it.context.pieces();
                pieces.map(|piece| piece.path.to_string()).collect()
            });
            paths.unwrap_or_else(|| "all".to_owned())
        };
        assert_eq!(told(32_768), "all");
        assert_eq!(told(1_024), "a");
        assert_eq!(told(200), "");
    }

    #[test]
    fn a_slow_server_reads_a_prompt_in_time_and_a_fast_one_gets_everything() {
        let settings = lane_settings_of(LaneKind::Fim, "kind = \"llama-cpp\"");
        let told = |read: f64| {
            let speed = ServerSpeed {
                read: Some(read),
                written: None,
            };
            let tokens = tokens_to_read(LaneKind::Fim, &settings, speed);
            let limited = PromptRoom::of(facts(None, tokens), &settings).unwrap();
            let limited = limited.limit(&settings);
            (limited.max_prefix_chars + limited.max_suffix_chars) / CHARS_PER_TOKEN
        };
        // Never less than the item around the cursor.
        assert_eq!(told(1.0), LEAST_TOLD);
        assert_eq!(told(150.0), LEAST_TOLD);
        // Three quarters of what is read in 1.5 s.
        assert_eq!(told(600.0), 674);
        assert_eq!(told(1_500.0), 1_686);
        assert_eq!(told(5_000.0), 8_000 / CHARS_PER_TOKEN);
    }

    #[test]
    fn an_answer_is_as_long_as_can_be_written_in_time() {
        let settings = lane_settings_of(LaneKind::Fim, "kind = \"llama-cpp\"");
        let asked = |written: f64, lane: LaneKind| {
            let speed = ServerSpeed {
                read: None,
                written: Some(written),
            };
            tokens_to_write(lane, &settings, speed).unwrap()
        };
        assert_eq!(asked(20.0, LaneKind::Fim), LEAST_ANSWER);
        assert_eq!(asked(80.0, LaneKind::Fim), 120);
        assert_eq!(asked(80.0, LaneKind::NextEdit), LEAST_ANSWER_OF_TASK);
    }

    #[test]
    fn a_server_on_this_machine_begins_with_a_moderate_prompt() {
        let tokens = |lines: &str| {
            let settings = lane_settings_of(LaneKind::Fim, lines);
            tokens_to_read(LaneKind::Fim, &settings, ServerSpeed::default())
        };
        let local = "kind = \"llama-cpp\"\nurl = \"http://127.0.0.1:8012\"";
        assert_eq!(tokens(local), Some(FIRST_TOLD));
        let hosted = "kind = \"openai\"\nurl = \"https://models.example.com\"";
        assert_eq!(tokens(hosted), None);
    }

    #[test]
    fn a_prompt_does_not_change_its_size_at_every_call() {
        let mut size = SteadySize::default();
        let mut told = Vec::new();
        for wanted in [300, 320, 440, 460, 400, 310, 306, 305, 5_000, 4_000] {
            told.push(size.step(Some(wanted)).unwrap());
        }
        assert_eq!(told, [300, 300, 300, 460, 460, 460, 306, 306, 5_000, 5_000]);
        assert_eq!(size.step(None), None);
    }

    #[test]
    fn a_chat_with_a_short_context_is_told_less_of_everything() {
        let settings = lane_settings_of(LaneKind::NextEdit, "kind = \"openai-chat\"");
        let room = RoomFacts {
            lane: LaneKind::NextEdit,
            ..facts(Some(2_048), None)
        };
        let room = PromptRoom::of(room, &settings).unwrap();
        let edit = |length: usize| RecentEdit {
            made_at: None,
            range: ByteRange::empty(foretell_text::ByteOffset::ZERO),
            old_text: "".into(),
            new_text: "y".repeat(length).into(),
            reason: ChangeReason::Typed,
            is_accepted: false,
            age_ms: 1,
            is_finished: true,
        };
        let mut request = request();
        request.document.edits = vec![edit(10), edit(5_000), edit(20)];
        request.context = Arc::new(LaneContext::of_markdown("z".repeat(9_000)));
        let limited = room.limit(&settings);
        let fits = room.fit(&limited, None, &request).unwrap();
        assert_eq!(fits.document.edits.len(), 1);
        assert_eq!(fits.context.markdown(), "");
        let text = window_chars(&limited) + room.changes_that_fit();
        let tokens = text / CHARS_PER_TOKEN + BESIDES_OF_TASK + limited.max_tokens;
        assert!(tokens <= 2_048, "{tokens}");
        assert!(limited.max_prefix_chars > 500, "{limited:?}");
    }
}
