//! How much of a prompt a server has room for, where it says how long its context is.
//!
//! A server refuses a prompt that is longer than its context, and would refuse every other one, too: the
//! lane would fail and rest for a reason that only its log names. So the text around the cursor gets at most
//! three quarters of the room, as much less on both sides, and the code of other files what is left; pieces
//! that do not fit are left out from the end. Where a server says nothing, or has room enough, nothing
//! changes.
//!
//! Tokens are estimated: three characters each, which code in Latin letters never reaches on average. A text
//! in other scripts may still be refused.

use std::sync::Arc;

use foretell_settings::settings;
use foretell_text::ToldSection;

use super::format::CHARS_PER_TOKEN;
use crate::lane_context::LaneContext;

/// How many tokens a prompt has besides texts: control tokens, and the names of files.
const BESIDES: usize = 64;

/// The room of a server, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ContextRoom {
    chars: usize,
    /// How many tokens an answer may have.
    answer_tokens: usize,
}

impl ContextRoom {
    /// The room in a context of so many tokens.
    pub(super) fn of(context_tokens: usize, settings: &settings::LaneSettings) -> ContextRoom {
        let answer_tokens = settings.max_tokens.min(context_tokens / 4);
        let tokens = context_tokens.saturating_sub(answer_tokens + BESIDES);
        ContextRoom {
            chars: tokens.saturating_mul(CHARS_PER_TOKEN),
            answer_tokens,
        }
    }

    /// The settings with limits that fit.
    pub(super) fn limit(self, settings: &settings::LaneSettings) -> settings::LaneSettings {
        let wanted = window_chars(settings);
        let most = self.chars / 4 * 3;
        let fit = |limit: usize| {
            if wanted <= most {
                limit
            } else {
                // In u128, since a limit may be anything.
                let share = limit as u128 * most as u128 / wanted as u128;
                usize::try_from(share).unwrap_or(limit)
            }
        };
        settings::LaneSettings {
            max_prefix_chars: fit(settings.max_prefix_chars),
            max_suffix_chars: fit(settings.max_suffix_chars),
            max_tokens: self.answer_tokens,
            ..settings.clone()
        }
    }

    /// The code that fits beside a text with these limits; nothing if all of it does.
    pub(super) fn context(
        self,
        limited: &settings::LaneSettings,
        context: &LaneContext,
    ) -> Option<LaneContext> {
        let length = |text: &str| text.encode_utf16().count();
        let mut left = self.chars.saturating_sub(window_chars(limited));
        let mut is_full = false;
        let mut sections: Vec<ToldSection> = context.sections.to_vec();
        for section in &mut sections {
            section.pieces.retain(|piece| {
                let needed = length(&piece.path) + length(&piece.text);
                is_full |= needed > left;
                left = left.saturating_sub(needed);
                !is_full
            });
        }
        is_full.then(|| LaneContext {
            sections: Arc::from(sections),
            ..context.clone()
        })
    }
}

/// How many characters around the cursor are told at most: a prompt grows by a quarter before it is cut
/// anew.
fn window_chars(settings: &settings::LaneSettings) -> usize {
    let limits = settings
        .max_prefix_chars
        .saturating_add(settings.max_suffix_chars);
    limits.saturating_add(limits / 4)
}

#[cfg(test)]
mod tests {
    use foretell_settings::Settings;
    use foretell_text::ContextPiece;

    use super::*;

    fn fitted(context_tokens: usize) -> settings::LaneSettings {
        let settings = Settings::default().lanes.fim;
        ContextRoom::of(context_tokens, &settings).limit(&settings)
    }

    #[test]
    fn a_server_with_room_enough_is_told_everything() {
        assert_eq!(fitted(32_768), Settings::default().lanes.fim);
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
        let settings = Settings::default().lanes.fim;
        let told = |tokens: usize| {
            let room = ContextRoom::of(tokens, &settings);
            let fits = room.context(&room.limit(&settings), &context);
            let paths = fits.map(|it| it.pieces().map(|piece| piece.path.to_string()).collect());
            paths.unwrap_or_else(|| "all".to_owned())
        };
        assert_eq!(told(32_768), "all");
        assert_eq!(told(1_024), "a");
        assert_eq!(told(200), "");
    }
}
