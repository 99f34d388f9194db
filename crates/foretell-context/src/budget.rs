//! How many tokens a context may have.
//!
//! Short instructions and selections cost nothing: they have a reserve. What they take beyond it is
//! taken from the context, down to nothing. Absent on purpose: what a model may answer with, which is
//! a lane's ceiling and not part of what it is told.

use foretell_settings::settings::TokenBudget;

use crate::token_count::CountTokens;

/// How many tokens there are for a context, beside an instruction and a selection.
pub fn available(
    budget: &TokenBudget,
    counter: &dyn CountTokens,
    instruction: &str,
    selection: &str,
) -> usize {
    let most = budget.max_context_tokens;
    let left = most.saturating_sub(beyond(
        counter,
        instruction,
        budget.reserve_for_instruction,
        most,
    ));
    left.saturating_sub(beyond(
        counter,
        selection,
        budget.reserve_for_selection,
        left,
    ))
}

/// How many tokens a text takes beyond its reserve, counted up to `most`: what is longer leaves
/// nothing, however long it is.
fn beyond(counter: &dyn CountTokens, text: &str, reserve: usize, most: usize) -> usize {
    let limit = reserve.saturating_add(most);
    counter
        .count_within(text, limit)
        .unwrap_or(limit)
        .saturating_sub(reserve)
}

#[cfg(test)]
mod tests {
    use foretell_settings::Settings;

    use super::*;
    use crate::token_count::TokenEstimate;

    fn left(instruction: usize, selection: usize) -> usize {
        let budget = &Settings::default().context.token_budget;
        let text = |tokens: usize| "four".repeat(tokens);
        available(budget, &TokenEstimate, &text(instruction), &text(selection))
    }

    #[test]
    fn small_instructions_and_selections_cost_nothing() {
        assert_eq!(left(0, 0), 2_000);
        assert_eq!(left(500, 1_000), 2_000);
    }

    #[test]
    fn what_is_beyond_a_reserve_is_taken_from_the_context() {
        assert_eq!(left(501, 0), 1_999);
        assert_eq!(left(0, 1_300), 1_700);
        assert_eq!(left(600, 1_300), 1_600);
    }

    #[test]
    fn an_unused_reserve_is_not_for_the_other() {
        assert_eq!(left(0, 1_500), 1_500);
    }

    #[test]
    fn there_is_never_less_than_nothing() {
        assert_eq!(left(2_500, 0), 0);
        assert_eq!(left(0, 3_001), 0);
        assert_eq!(left(100_000, 100_000), 0);
    }

    #[test]
    fn the_largest_settings_do_not_overflow() {
        let budget = TokenBudget {
            max_context_tokens: usize::MAX,
            reserve_for_instruction: usize::MAX,
            reserve_for_selection: usize::MAX,
            reserve_for_completion: usize::MAX,
        };
        let left = available(&budget, &TokenEstimate, "rename it", "fn main() {}");
        assert_eq!(left, usize::MAX);
    }
}
