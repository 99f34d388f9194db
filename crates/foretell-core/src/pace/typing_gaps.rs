//! The gaps between a person's keys, counted by what was typed and where: what is usual, and their own.
//!
//! A *gap* is the time from a stroke to the next key, counted in steps of fifty milliseconds up to a
//! second; everything longer is a pause. They are counted for ever narrower [places](StrokePlace): for all
//! keys, for a kind of stroke, for that before what stands to the right of the cursor, after how long a
//! word, and whether the stroke itself came after a silence. How likely each gap is at a place is what
//! was counted there, and where little was, what the next wider place says. At the two widest, what is usual
//! ([`UsualGaps`]) counts as a few hundred gaps of the person's own, so that a stranger is served well
//! from the first key and the person's own rhythm has taken over within minutes.
//!
//! Old gaps fade: a place that is full forgets half of what it knows. What was kept from another day
//! counts as no more than a thousand gaps, so that somebody else's history does no harm for long.
//!
//! Absent on purpose: letters and words. What is kept says how fast somebody types, and not what.

use std::collections::BTreeMap;

use super::person_stroke::{PersonStroke, StrokePlace};
use super::usual_gaps;

/// How many milliseconds are one step.
pub(crate) const STEP: u64 = 50;

/// How many steps are told apart; the last is everything longer.
pub const GAP_STEPS: usize = 21;

/// How many gaps a place knows before it forgets half of them.
const FULL: u32 = 2_000;

/// How many gaps of another day count.
const MOST_KEPT: u64 = 1_000;

/// How many gaps of the next wider place count at a place.
const WIDER_WEIGHT: f64 = 20.0;

/// How many of the person's gaps the table of what is usual is worth.
const USUAL_WEIGHT: f64 = 300.0;

/// The widths of place, the widest first: by how many of the narrowest it has.
const WIDTHS: [usize; 5] = [
    StrokePlace::COUNT,
    StrokePlace::PER_STROKE,
    StrokePlace::PER_NEIGHBOR,
    2,
    1,
];

/// Gaps by their length, from the shortest.
pub type GapRow = [u16; GAP_STEPS];

/// The gaps of a person, as they are kept from day to day.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypingGaps {
    rows: BTreeMap<usize, GapRow>,
}

/// The gaps that are usual, by kind of stroke.
#[derive(Clone, Debug, PartialEq)]
pub struct UsualGaps {
    /// How often each gap is, of all gaps between keys.
    all: [f64; GAP_STEPS],
    /// The same for each kind of stroke.
    by_stroke: [[f64; GAP_STEPS]; PersonStroke::COUNT],
}

/// How likely each gap is.
pub(super) type GapChances = [f64; GAP_STEPS];

/// The gaps at one place.
#[derive(Clone, Debug, Default)]
struct PlaceGaps {
    row: GapRow,
    total: u32,
}

/// What is counted of a person, and what is usual.
#[derive(Debug)]
pub(super) struct GapTable {
    usual: UsualGaps,
    /// Their own, for each width of place.
    own: [Vec<PlaceGaps>; WIDTHS.len()],
}

impl TypingGaps {
    /// Each place that something is known of, by its name, with its gaps.
    pub fn rows(&self) -> impl Iterator<Item = (String, &GapRow)> {
        let rows = self.rows.iter();
        rows.filter_map(|(index, row)| Some((StrokePlace::of_index(*index)?.name(), row)))
    }

    /// Gaps that were kept by the names of their places. Places that are not known are left out.
    pub fn from_rows<'r>(rows: impl IntoIterator<Item = (&'r str, GapRow)>) -> Self {
        let places = (0..StrokePlace::COUNT).filter_map(StrokePlace::of_index);
        let places: BTreeMap<String, usize> =
            places.map(|place| (place.name(), place.index())).collect();
        let rows = rows.into_iter();
        let known = rows.filter_map(|(name, row)| Some((*places.get(name)?, row)));
        TypingGaps {
            rows: known
                .filter(|(_, row)| row.iter().any(|count| *count > 0))
                .collect(),
        }
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How many gaps there are.
    pub fn count(&self) -> u64 {
        self.rows
            .values()
            .flatten()
            .map(|count| u64::from(*count))
            .sum()
    }
}

impl UsualGaps {
    /// What is usual among people, each of whom weighs the same.
    pub fn among<'p>(people: impl IntoIterator<Item = &'p TypingGaps>) -> Self {
        let mut by_stroke = [[0.0; GAP_STEPS]; PersonStroke::COUNT];
        for person in people {
            let all = person.count().max(1) as f64;
            for (index, row) in &person.rows {
                let usual = by_stroke.get_mut(index / StrokePlace::PER_STROKE);
                for (usual, count) in usual.into_iter().flatten().zip(row) {
                    *usual += f64::from(*count) / all;
                }
            }
        }
        Self::of_shares(by_stroke)
    }

    /// How often each gap is after each kind of stroke, of ten thousand gaps.
    pub fn rows(&self) -> impl Iterator<Item = (&'static str, [u16; GAP_STEPS])> {
        let strokes = PersonStroke::ALL.into_iter().zip(&self.by_stroke);
        // A share is no more than one.
        strokes.map(|(stroke, row)| (stroke.name(), row.map(|it| (it * 10_000.0).round() as u16)))
    }

    /// From how often each gap is after each kind of stroke, whatever they add up to.
    fn of_shares(by_stroke: [[f64; GAP_STEPS]; PersonStroke::COUNT]) -> Self {
        let sum: f64 = by_stroke.iter().flatten().sum();
        let by_stroke = by_stroke.map(|row| row.map(|share| share / sum.max(f64::MIN_POSITIVE)));
        let mut all = [0.0; GAP_STEPS];
        for stroke in PersonStroke::ALL {
            if stroke != PersonStroke::Move {
                let row = by_stroke[stroke as usize];
                all.iter_mut()
                    .zip(row)
                    .for_each(|(all, share)| *all += share);
            }
        }
        let typed: f64 = all.iter().sum();
        UsualGaps {
            all: all.map(|share| share / typed.max(f64::MIN_POSITIVE)),
            by_stroke,
        }
    }
}

impl Default for UsualGaps {
    fn default() -> Self {
        Self::of_shares(usual_gaps::ROWS.map(|row| row.map(f64::from)))
    }
}

impl GapTable {
    /// A table with which nobody's own gaps are counted yet.
    pub(super) fn new(usual: UsualGaps) -> Self {
        let own = WIDTHS.map(|width| vec![PlaceGaps::default(); StrokePlace::COUNT / width]);
        GapTable { usual, own }
    }

    /// Takes note of a gap.
    pub(super) fn count(&mut self, place: StrokePlace, gap: u64) {
        let step = step_of(gap);
        self.count_many(place, |row| row[step] += 1);
    }

    /// Takes over what was kept, in the place of what was counted.
    pub(super) fn take_over(&mut self, kept: &TypingGaps) {
        self.own = Self::new(self.usual.clone()).own;
        let all = kept.count().max(MOST_KEPT);
        for (index, kept) in &kept.rows {
            let Some(place) = StrokePlace::of_index(*index) else {
                continue;
            };
            self.count_many(place, |row| {
                for (row, kept) in row.iter_mut().zip(kept) {
                    let share = (u64::from(*kept) * MOST_KEPT + all / 2) / all;
                    *row = row.saturating_add(u16::try_from(share).unwrap_or(u16::MAX));
                }
            });
        }
    }

    /// What is to be kept.
    pub(super) fn to_keep(&self) -> TypingGaps {
        let narrowest = self.own.last().into_iter().flatten().enumerate();
        let known = narrowest.filter(|(_, gaps)| gaps.total > 0);
        TypingGaps {
            rows: known.map(|(index, gaps)| (index, gaps.row)).collect(),
        }
    }

    /// How likely each gap is after a stroke.
    pub(super) fn chances(&self, place: StrokePlace) -> GapChances {
        let mut chances = self.usual.all;
        for (depth, (width, own)) in WIDTHS.iter().zip(&self.own).enumerate() {
            let Some(gaps) = own.get(place.index() / width) else {
                continue;
            };
            let usual = match depth {
                0 => Some(&self.usual.all),
                1 => self.usual.by_stroke.get(place.stroke as usize),
                _ => None,
            };
            let of_usual = usual.map_or(0.0, |usual| usual.iter().sum::<f64>() * USUAL_WEIGHT);
            let all = f64::from(gaps.total) + of_usual + WIDER_WEIGHT;
            for (step, chance) in chances.iter_mut().enumerate() {
                let of_usual = usual.map_or(0.0, |usual| usual[step] * USUAL_WEIGHT);
                let counted = f64::from(gaps.row[step]) + of_usual;
                *chance = (counted + *chance * WIDER_WEIGHT) / all;
            }
        }
        chances
    }

    fn count_many(&mut self, place: StrokePlace, count: impl Fn(&mut GapRow)) {
        for (depth, (width, own)) in WIDTHS.iter().zip(&mut self.own).enumerate() {
            // Moving the cursor is no typing.
            let is_typing = place.stroke != PersonStroke::Move;
            if let Some(gaps) = own
                .get_mut(place.index() / width)
                .filter(|_| depth > 0 || is_typing)
            {
                count(&mut gaps.row);
                gaps.settle();
            }
        }
    }
}

impl PlaceGaps {
    /// Counts anew how many there are, and forgets half of them if they are too many.
    fn settle(&mut self) {
        let sum = |row: &GapRow| row.iter().map(|count| u32::from(*count)).sum();
        self.total = sum(&self.row);
        while self.total > FULL {
            self.row.iter_mut().for_each(|count| *count /= 2);
            self.total = sum(&self.row);
        }
    }
}

/// The step that a gap belongs to.
fn step_of(gap: u64) -> usize {
    let step = gap.saturating_sub(1) / STEP;
    usize::try_from(step).map_or(GAP_STEPS - 1, |step| step.min(GAP_STEPS - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word() -> StrokePlace {
        StrokePlace::of_stroke(PersonStroke::Word)
    }

    fn table() -> GapTable {
        GapTable::new(UsualGaps::default())
    }

    #[test]
    fn chances_are_of_a_hundred_percent_wherever_something_is_typed() {
        let mut table = table();
        (0..500).for_each(|gap| table.count(word(), gap * 7));
        for index in 0..StrokePlace::COUNT {
            let chances = table.chances(StrokePlace::of_index(index).unwrap());
            let sum: f64 = chances.iter().sum();
            assert!((sum - 1.0).abs() < 1e-9, "{sum}");
            assert!(chances.iter().all(|chance| *chance >= 0.0));
        }
    }

    #[test]
    fn gaps_are_counted_in_steps_up_to_a_second() {
        let steps = [0, 1, 50, 51, 1_000, 1_001, u64::MAX].map(step_of);
        assert_eq!(steps, [0, 0, 0, 1, 19, 20, 20]);
    }

    #[test]
    fn what_is_old_fades_and_nothing_overflows() {
        let mut table = table();
        (0..100_000).for_each(|_| table.count(word(), 120));
        assert!(table.to_keep().count() <= u64::from(FULL));
        (0..4_000).for_each(|_| table.count(word(), 5_000));
        let chances = table.chances(word());
        assert!(chances[GAP_STEPS - 1] > 0.8, "{chances:?}");
    }

    #[test]
    fn what_was_kept_is_taken_over_in_part() {
        let mut before = table();
        (0..1_500).for_each(|_| before.count(word(), 120));
        (0..500).for_each(|_| before.count(word(), 5_000));
        let mut after = table();
        after.count(word(), 300);
        after.take_over(&before.to_keep());
        let kept = after.to_keep();
        assert!((950..=1_050).contains(&kept.count()), "{}", kept.count());
        let pauses = |table: &GapTable| table.chances(word())[GAP_STEPS - 1];
        assert!((pauses(&after) - pauses(&before)).abs() < 0.05);
    }

    #[test]
    fn counts_that_nobody_can_have_typed_do_no_harm() {
        let hostile = TypingGaps::from_rows([("word.other.0", [u16::MAX; GAP_STEPS])]);
        let mut table = table();
        table.take_over(&hostile);
        assert!(table.to_keep().count() <= u64::from(FULL));
    }

    #[test]
    fn each_person_weighs_the_same() {
        let of = |gap: u64, times: u64| {
            let mut table = table();
            (0..times).for_each(|_| table.count(word(), gap));
            table.to_keep()
        };
        let usual = UsualGaps::among(&[of(120, 1_000), of(5_000, 10)]);
        let (_, row) = usual.rows().next().unwrap();
        assert_eq!((row[2], row[GAP_STEPS - 1]), (5_000, 5_000));
    }
}
