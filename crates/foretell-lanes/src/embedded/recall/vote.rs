//! How similar places agree on how a line goes on.
//!
//! How many places it takes was chosen by cutting lines of source code somewhere and asking how they
//! go on: with fewer than below, the answer was too often wrong. Recorded sessions cannot tell how
//! good the choice is, since recall speaks too seldom in the pauses that they are asked in.
//!
//! | what is the same | places it takes |
//! | --- | --- |
//! | one word | three |
//! | two words | two |
//! | three words, and the line above | one |
//! | three words, but for names | three, or two with the line above |
//! | six words, but for names | two |
//! | six words, perhaps but for names, and nothing new follows | one |
//! | two lines above, and nothing on the line yet | two |
//! | three lines above, and nothing on the line yet | one |
//!
//! Nothing new follows where all that would be added is marks, words of the language and names that
//! stand for some of ours: there is no choice in it.

use std::collections::BTreeMap;

use super::opened_block;
use super::similar_places::{MOST_ABOVE, RecallPoint, SimilarPlace};

/// The share of places that must agree, in percent.
const AGREEMENT: usize = 80;
/// How many characters must be new: it takes a look and a key to accept them.
const FEWEST: usize = 3;
/// How many words a long prefix has.
const LONG: usize = 6;

/// A continuation that the places agree on.
pub(super) struct RecallChoice {
    /// The rest of our line.
    pub(super) rest: String,
    /// The lines below it, relative to the indent of ours.
    pub(super) block: Vec<String>,
}

/// Finds what the places agree on, if they do.
pub(super) fn choose<'t>(
    here: &RecallPoint<'t>,
    places: &[SimilarPlace<'t>],
    pages: &[Vec<&'t str>],
    after: &str,
) -> Option<RecallChoice> {
    // What is closed already is whole, unless it was closed for them to write something in it.
    if !after.trim().is_empty() && !here.is_open() {
        return None;
    }
    let (rest, agreeing) = agreed(here, places, pages)?;
    let is_worth_it = written(rest) >= written(after) + FEWEST;
    if !is_worth_it || !ends_with(rest, after) || here.is_next(rest, pages) {
        return None;
    }
    let block = if after.trim().is_empty() {
        opened_block::agreed(here, &agreeing, pages)
    } else {
        Vec::new()
    };
    Some(RecallChoice {
        rest: rest.to_owned(),
        block,
    })
}

/// The continuation that enough places agree on, and those places. The longest match wins: places that
/// are the same name for name come before others, and those with more lines in common before those with
/// fewer.
fn agreed<'p, 't>(
    here: &RecallPoint<'t>,
    places: &'p [SimilarPlace<'t>],
    pages: &[Vec<&'t str>],
) -> Option<(&'p str, Vec<&'p SimilarPlace<'t>>)> {
    let exact: Vec<&SimilarPlace<'_>> = places.iter().filter(|it| it.different == 0).collect();
    let all: Vec<&SimilarPlace<'_>> = match exact.len() {
        ..2 => places.iter().collect(),
        _ => exact,
    };
    for above in (0..=MOST_ABOVE).rev() {
        let same = all.iter().copied().filter(|place| place.above >= above);
        let same: Vec<&SimilarPlace<'_>> = same.collect();
        // A single place does not outvote those that have less in common with ours.
        if same.len() < 2 && above > 0 {
            continue;
        }
        let mut by_rest: BTreeMap<&str, Vec<&SimilarPlace<'_>>> = BTreeMap::new();
        for place in &same {
            by_rest
                .entry(place.rest.trim_end())
                .or_default()
                .push(place);
        }
        let (rest, agreeing) = by_rest.into_iter().max_by_key(|(_, places)| places.len())?;
        if agreeing.len() * 100 < same.len() * AGREEMENT {
            return None;
        }
        if is_enough(here, &agreeing, pages) {
            return Some((rest, agreeing));
        }
    }
    None
}

/// Whether it is enough that these places agree.
fn is_enough<'t>(
    here: &RecallPoint<'t>,
    places: &[&SimilarPlace<'t>],
    pages: &[Vec<&'t str>],
) -> bool {
    let above = places.iter().map(|place| place.above).min().unwrap_or(0);
    let count = places.len();
    if here.is_blank() {
        return match above {
            MOST_ABOVE.. => true,
            2 => count >= 2,
            _ => false,
        };
    }
    let is_exact = places.iter().any(|place| place.different == 0);
    let follows = || places.iter().all(|place| here.follows(place, pages));
    match (is_exact, here.len()) {
        (true, LONG..) => count >= 2 || above >= 1 || follows(),
        (true, 3..) => count >= 2 || above >= 1,
        (true, 2) => count >= 2,
        (true, 1) => count >= 3,
        (false, LONG..) => count >= 2 || follows(),
        (false, 3..) => count >= 3 || (count >= 2 && above >= 1),
        _ => false,
    }
}

/// How many characters of a text are not blank.
fn written(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}

/// Whether a continuation ends with what stands behind the cursor already, perhaps with more in
/// between: what an editor has closed by itself.
fn ends_with(rest: &str, after: &str) -> bool {
    let mut rest = rest.chars().rev();
    let mut closers = after.chars().rev().filter(|c| !c.is_whitespace());
    closers.all(|closer| rest.any(|c| c == closer))
}
