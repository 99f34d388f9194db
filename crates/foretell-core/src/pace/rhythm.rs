//! Rhythm: what the person's own typing says of how long to wait for the next key.
//!
//! A call that is made between two keys is made in vain, and one that is made late in a pause keeps the
//! person waiting. For every stroke it is known how likely each gap after it is ([`typing_gaps`]), from
//! what is usual and from the person's own typing. So the wait is the one that costs least:
//!
//! `chance of no key until then x price of a call + chance of a pause x wait`
//!
//! among all from 50 to 800 ms, or to a second where a call is dear. The price is the base, and what the server makes of it: the longer a person is
//! ready to wait, the dearer is a call. Where a pause is likely the lanes start early, and where it is not they start when nearly
//! all keys that were still to come have come.
//!
//! A gap ends with the next key. A cursor move does not end it: who looks around before they go on has
//! paused. Once a lane was started after the last key, nobody waits for the next: moves of the cursor
//! that follow wait until it has come to rest.
//!
//! [`typing_gaps`]: super::typing_gaps

use crate::moment::Moment;

use super::call_price::CallPrice;
use super::person_stroke::{PersonStroke, StrokePlace};
use super::typing_gaps::{GAP_STEPS, GapTable, STEP, TypingGaps, UsualGaps};

/// The gap after which people have fallen silent, in milliseconds.
const SILENCE: u64 = 200;

/// How much waiting a call is worth: so much of the base.
const PRICE: f64 = 0.8;

/// By how much a call is dearer when one was made since the last key.
const SERVED_PRICE: f64 = 4.0;

/// The shortest and the longest wait, in milliseconds, unless the base itself lies beyond.
const SHORTEST: u64 = 50;
const LONGEST: u64 = 800;

/// The longest where a call is dear: after that it is certain that this is a pause.
const LONGEST_OF_DEAR: u64 = 1_000;

/// The rhythm of the person's typing.
#[derive(Debug)]
pub(super) struct Rhythm {
    last_key: Option<(StrokePlace, Moment)>,
    /// The last move of the cursor since that key.
    last_move: Option<Moment>,
    /// Whether a lane was started since the last key.
    is_served: bool,
    gaps: GapTable,
}

impl Rhythm {
    pub(super) fn new(usual: UsualGaps) -> Self {
        Rhythm {
            last_key: None,
            last_move: None,
            is_served: false,
            gaps: GapTable::new(usual),
        }
    }

    /// Takes note of a key.
    pub(super) fn typed(&mut self, now: Moment, mut place: StrokePlace) {
        self.end_move(now);
        if let Some((key, then)) = self.last_key {
            let gap = now.since(then);
            self.gaps.count(key, gap);
            place.after_silence = gap > SILENCE;
        }
        self.last_key = Some((place, now));
        self.is_served = false;
    }

    /// Takes note of a move of the cursor.
    pub(super) fn moved(&mut self, now: Moment) {
        self.end_move(now);
        self.last_move = Some(now);
    }

    /// A lane was started.
    pub(super) fn served(&mut self) {
        self.is_served = true;
    }

    /// Takes over the gaps that were kept of the person.
    pub(super) fn take_over(&mut self, kept: &TypingGaps) {
        self.gaps.take_over(kept);
    }

    /// The gaps of the person that are to be kept.
    pub(super) fn to_keep(&self) -> TypingGaps {
        self.gaps.to_keep()
    }

    /// How long a request that is made now waits, in milliseconds, given what its calls cost.
    pub(super) fn wait(&self, now: Moment, base: u64, price: CallPrice) -> u64 {
        let moved = StrokePlace::of_stroke(PersonStroke::Move);
        let moved = self.last_move.map(|then| (moved, then));
        let is_beyond = base <= SHORTEST || base >= LONGEST;
        let Some((place, then)) = moved.or(self.last_key).filter(|_| !is_beyond) else {
            return base;
        };
        let is_passing = moved.is_some() && self.is_served;
        let served = if is_passing { SERVED_PRICE } else { 1.0 };
        let cost = price.of(base as f64 * PRICE * served);
        // The silence so far need not be waited for again.
        let so_far = now.since(then);
        let longest = if price.is_high() {
            LONGEST_OF_DEAR
        } else {
            LONGEST
        };
        let wait = cheapest(&self.gaps.chances(place), cost, longest);
        wait.saturating_sub(so_far).max(SHORTEST)
    }

    fn end_move(&mut self, now: Moment) {
        if let Some(then) = self.last_move.take() {
            let moved = StrokePlace::of_stroke(PersonStroke::Move);
            self.gaps.count(moved, now.since(then));
        }
    }
}

/// The wait that costs least, in milliseconds.
fn cheapest(chances: &[f64; GAP_STEPS], price: f64, longest: u64) -> u64 {
    let pause = chances[GAP_STEPS - 1];
    let (mut goes_on, mut best) = (1.0, (f64::INFINITY, longest));
    for (wait, chance) in (1..).map(|step| step * STEP).zip(chances) {
        goes_on -= chance;
        if wait > longest {
            break;
        }
        let cost = goes_on * price + pause * wait as f64;
        if cost < best.0 {
            best = (cost, wait);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use foretell_text::LaneSpeed;

    use super::*;

    const BASE: u64 = 250;

    fn at(millis: u64) -> Moment {
        Moment::from_millis(millis)
    }

    /// A person who makes one stroke again and again, after gaps of that length.
    fn typing(stroke: PersonStroke, gap: u64) -> (Rhythm, u64) {
        let mut rhythm = Rhythm::new(UsualGaps::default());
        let mut now = 0;
        for _ in 0..60 {
            now += gap;
            rhythm.typed(at(now), StrokePlace::of_stroke(stroke));
        }
        (rhythm, now)
    }

    fn wait_after(stroke: PersonStroke) -> u64 {
        let (rhythm, now) = typing(stroke, 0);
        rhythm.wait(at(now), BASE, CallPrice::USUAL)
    }

    #[test]
    fn the_likelier_a_pause_the_shorter_the_wait() {
        let wait = |stroke| {
            let mut rhythm = Rhythm::new(UsualGaps::default());
            rhythm.typed(at(0), StrokePlace::of_stroke(stroke));
            rhythm.wait(at(0), BASE, CallPrice::USUAL)
        };
        assert!(wait(PersonStroke::End) < wait(PersonStroke::Blank));
        assert!(wait(PersonStroke::End) < wait(PersonStroke::Word));
    }

    #[test]
    fn a_person_who_stops_after_words_is_served_earlier_after_words() {
        let (stopping, now) = typing(PersonStroke::Word, 1_500);
        let served = stopping.wait(at(now), BASE, CallPrice::USUAL);
        assert!(served <= 100, "{served}");
        let (going_on, now) = typing(PersonStroke::Word, 240);
        assert!(going_on.wait(at(now), BASE, CallPrice::USUAL) >= 250);
    }

    #[test]
    fn silence_that_has_passed_is_not_waited_for_again() {
        let (rhythm, now) = typing(PersonStroke::Blank, 240);
        let at_once = rhythm.wait(at(now), BASE, CallPrice::USUAL);
        assert_eq!(
            rhythm.wait(at(now + 60), BASE, CallPrice::USUAL),
            at_once - 60
        );
        assert_eq!(
            rhythm.wait(at(now + 9_000), BASE, CallPrice::USUAL),
            SHORTEST
        );
    }

    #[test]
    fn a_silence_that_a_cursor_move_ends_counts_until_the_next_key() {
        let (mut rhythm, now) = typing(PersonStroke::Word, 240);
        let before = rhythm.gaps.to_keep().count();
        rhythm.moved(at(now + 300));
        rhythm.typed(at(now + 1_500), StrokePlace::of_stroke(PersonStroke::Word));
        // The gap between the keys, and the one after the move.
        assert_eq!(rhythm.gaps.to_keep().count(), before + 2);
        let pauses = |rhythm: &Rhythm| {
            let place = StrokePlace::of_stroke(PersonStroke::Word);
            rhythm.gaps.chances(place)[GAP_STEPS - 1]
        };
        assert!(pauses(&rhythm) > pauses(&typing(PersonStroke::Word, 240).0));
    }

    #[test]
    fn moves_wait_for_longer_once_the_pause_is_served() {
        let (mut rhythm, now) = typing(PersonStroke::Word, 240);
        rhythm.moved(at(now + 300));
        let unserved = rhythm.wait(at(now + 300), BASE, CallPrice::USUAL);
        rhythm.served();
        assert!(rhythm.wait(at(now + 300), BASE, CallPrice::USUAL) > unserved);
    }

    #[test]
    fn a_slow_server_is_asked_later_and_a_fast_one_sooner_where_a_pause_is_not_certain() {
        let mut rhythm = Rhythm::new(UsualGaps::default());
        // Every fourth key comes after three quarters of a second, and every eighth after more than two.
        let mut now = 0;
        for key in 0..400_u64 {
            now += match key % 8 {
                0 => 2_500,
                3 | 6 => 750,
                _ => 150,
            };
            rhythm.typed(at(now), StrokePlace::of_stroke(PersonStroke::Word));
        }
        let wait = |read: u32, written: u32| {
            let speed = LaneSpeed {
                read: Some(read),
                written: Some(written),
                repeats_region: false,
            };
            rhythm.wait(at(now), BASE, CallPrice::at_speed(speed))
        };
        let (laptop, card) = (wait(150, 20), wait(1_500, 80));
        let usual = rhythm.wait(at(now), BASE, CallPrice::USUAL);
        assert!(card <= usual && usual < laptop, "{card}, {usual}, {laptop}");
        assert!((750..=LONGEST_OF_DEAR).contains(&laptop), "{laptop}");
    }

    #[test]
    fn a_base_beyond_the_bounds_is_what_the_person_wants() {
        let (rhythm, now) = typing(PersonStroke::Word, 240);
        assert_eq!(rhythm.wait(at(now), 2_000, CallPrice::USUAL), 2_000);
        assert_eq!(rhythm.wait(at(now), 20, CallPrice::USUAL), 20);
    }

    #[test]
    fn a_clock_that_stands_still_gives_a_wait_within_the_bounds() {
        for stroke in PersonStroke::ALL {
            let wait = wait_after(stroke);
            assert!((SHORTEST..=LONGEST).contains(&wait), "{stroke:?}: {wait}");
        }
    }
}
