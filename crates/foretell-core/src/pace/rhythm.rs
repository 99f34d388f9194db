//! Rhythm: what the person's own typing says of whether a pause has begun.
//!
//! People type in bursts. Most gaps between two keys are short; a gap of more than a fifth of a
//! second is a *silence*, and a silence of more than a second is a *pause*, the moment for a
//! suggestion. How many silences become pauses depends on what was typed last: after a letter few
//! do, after a line or a deletion many. So for every kind of [`PersonStroke`] the silences after it and
//! those that became pauses are counted, the latest counting most, and the wait is the base divided
//! by the odds that this silence becomes a pause:
//!
//! `wait = base x (even odds / odds)`, within 100 to 800 ms
//!
//! Where a pause is likely the lanes start early, and where it is not the next key nearly always
//! comes before them. The counts begin with what is usual ([`PersonStroke::usual_share`]): shares that
//! four recorded sessions of different people have in common, rounded and never fitted to one.

use foretell_text::Edit;

use crate::moment::Moment;

/// The gap after which people have fallen silent, in milliseconds.
const SILENCE: u64 = 200;
/// The gap after which they pause, in milliseconds.
const PAUSE: u64 = 1_000;

/// How many silences what is usual is worth.
const USUAL_WEIGHT: f64 = 8.0;
/// The weight of an observation when the next one is made: about ten count.
const FADING: f64 = 0.9;
/// The share of silences that become pauses at which the wait is the base.
const EVEN_SHARE: f64 = 0.4;
/// No share is taken to be certain.
const SUREST: f64 = 0.98;

/// The shortest and the longest wait, in milliseconds, unless the base itself lies beyond.
const SHORTEST: f64 = 100.0;
const LONGEST: f64 = 800.0;

/// The person's last action, as far as it tells what comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PersonStroke {
    /// A letter, a digit or an underscore: a word in the making.
    Word,
    /// A blank.
    Blank,
    /// The end of a line or a statement, or a dot.
    End,
    /// Something was deleted.
    Deletion,
    /// Much at once: a paste, a completion, a snippet.
    Block,
    /// An opening bracket or quotation mark.
    Opener,
    /// Any other character.
    Sign,
    /// The cursor moved, and nothing was typed.
    Move,
}

/// The rhythm of the person's typing.
#[derive(Debug, Default)]
pub(crate) struct Rhythm {
    last_key: Option<(PersonStroke, Moment)>,
    /// The last move of the cursor since that key.
    last_move: Option<Moment>,
    tallies: [SilenceTally; PersonStroke::COUNT],
}

/// The silences after one kind of stroke, and those that became pauses, fading.
#[derive(Clone, Copy, Debug, Default)]
struct SilenceTally {
    silences: f64,
    pauses: f64,
}

impl Rhythm {
    /// Takes note of what the person does.
    pub(crate) fn feel(&mut self, now: Moment, stroke: PersonStroke) {
        let moved = self.last_move.take();
        if let Some(then) = moved {
            self.observe(PersonStroke::Move, now.since(then));
        }
        if stroke == PersonStroke::Move {
            self.last_move = Some(now);
            return;
        }
        let key = self.last_key.replace((stroke, now));
        // Where the cursor moved in between, the person went on to something else, and the silence
        // says nothing of the key.
        if let Some((key, then)) = key.filter(|_| moved.is_none()) {
            self.observe(key, now.since(then));
        }
    }

    /// How long a request that is made now waits, in milliseconds.
    pub(crate) fn wait(&self, now: Moment, base: f64) -> f64 {
        let moved = self.last_move.map(|then| (PersonStroke::Move, then));
        let Some((stroke, then)) = moved.or(self.last_key) else {
            return base;
        };
        let tally = self.tallies[stroke as usize];
        let usual = stroke.usual_share() * USUAL_WEIGHT;
        let share = (tally.pauses + usual) / (tally.silences + USUAL_WEIGHT);
        let wait = base * odds(EVEN_SHARE) / odds(share.min(SUREST));
        // The silence so far need not be waited for again.
        let remains = wait - now.since(then) as f64;
        remains.clamp(SHORTEST.min(base), LONGEST.max(base))
    }

    fn observe(&mut self, stroke: PersonStroke, gap: u64) {
        if gap <= SILENCE {
            return;
        }
        let tally = &mut self.tallies[stroke as usize];
        let is_pause = if gap > PAUSE { 1.0 } else { 0.0 };
        tally.silences = tally.silences * FADING + 1.0;
        tally.pauses = tally.pauses * FADING + is_pause;
    }
}

fn odds(share: f64) -> f64 {
    share / (1.0 - share)
}

impl PersonStroke {
    const COUNT: usize = 8;

    /// Returns the stroke that an edit of the person's is.
    pub(crate) fn of(edit: &Edit) -> Self {
        let [only] = edit.replacements() else {
            return PersonStroke::Block;
        };
        let (new_text, adds_only) = (only.new_text(), only.range().is_empty());
        let mut characters = new_text.chars();
        match (characters.next(), characters.next()) {
            (None, _) => PersonStroke::Deletion,
            _ if new_text.contains(['\n', '\r']) => {
                if new_text.trim().is_empty() {
                    PersonStroke::End
                } else {
                    PersonStroke::Block
                }
            }
            (Some(opener), Some(_)) if adds_only && is_pair(opener, new_text) => {
                PersonStroke::Opener
            }
            (Some(key), None) if adds_only => PersonStroke::of_key(key),
            _ => PersonStroke::Block,
        }
    }

    fn of_key(key: char) -> Self {
        match key {
            '.' | ';' => PersonStroke::End,
            '(' | '[' | '{' | '<' | '"' | '\'' | '`' => PersonStroke::Opener,
            '_' | '$' => PersonStroke::Word,
            _ if key.is_alphanumeric() => PersonStroke::Word,
            _ if key.is_whitespace() => PersonStroke::Blank,
            _ => PersonStroke::Sign,
        }
    }

    /// The share of silences that become pauses, in general.
    const fn usual_share(self) -> f64 {
        match self {
            PersonStroke::Word | PersonStroke::Blank => 0.2,
            PersonStroke::Opener => 0.3,
            PersonStroke::Deletion | PersonStroke::Sign | PersonStroke::Move => 0.35,
            PersonStroke::End => 0.5,
            PersonStroke::Block => 0.6,
        }
    }
}

/// Whether an editor has added the closer of what was opened.
fn is_pair(opener: char, new_text: &str) -> bool {
    let mut characters = new_text.chars().skip(1);
    let closer = match opener {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        '"' | '\'' | '`' => opener,
        _ => return false,
    };
    characters.next() == Some(closer) && characters.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use foretell_text::{ByteOffset, ByteRange, Replacement};

    fn typed(new_text: &str) -> PersonStroke {
        PersonStroke::of(&Replacement::insertion(ByteOffset::ZERO, new_text).into())
    }

    fn over_a_word(new_text: &str) -> PersonStroke {
        let word = ByteRange::new(ByteOffset::ZERO, ByteOffset::new(4)).unwrap();
        PersonStroke::of(&Replacement::new(word, new_text).into())
    }

    #[test]
    fn strokes_are_told_apart() {
        assert_eq!(["a", "é", "7", "_"].map(typed), [PersonStroke::Word; 4]);
        assert_eq!([" ", "\t"].map(typed), [PersonStroke::Blank; 2]);
        assert_eq!(
            [".", ";", "\n", "\r\n    "].map(typed),
            [PersonStroke::End; 4]
        );
        assert_eq!(
            ["{", "()", "''", "\""].map(typed),
            [PersonStroke::Opener; 4]
        );
        assert_eq!(["=", ")", "}", ","].map(typed), [PersonStroke::Sign; 4]);
        assert_eq!(["value", "a\nb", "(]"].map(typed), [PersonStroke::Block; 3]);
        assert_eq!(over_a_word(""), PersonStroke::Deletion);
        assert_eq!(over_a_word("x"), PersonStroke::Block);
    }

    /// The wait right after a key.
    fn wait_after(stroke: PersonStroke) -> f64 {
        let mut rhythm = Rhythm::default();
        rhythm.feel(Moment::from_millis(1_000), stroke);
        rhythm.wait(Moment::from_millis(1_000), 250.0)
    }

    #[test]
    fn the_likelier_a_pause_the_shorter_the_wait() {
        let strokes = [
            PersonStroke::Block,
            PersonStroke::End,
            PersonStroke::Deletion,
            PersonStroke::Opener,
            PersonStroke::Word,
        ];
        let waits = strokes.map(wait_after);
        assert!(waits.is_sorted(), "{waits:?}");
        assert!(waits[0] < 250.0 && waits[4] > 500.0, "{waits:?}");
    }

    #[test]
    fn a_person_who_stops_after_words_is_served_earlier_after_words() {
        let mut rhythm = Rhythm::default();
        let mut now = 0;
        let before = wait_after(PersonStroke::Word);
        for _ in 0..20 {
            rhythm.feel(Moment::from_millis(now), PersonStroke::Word);
            now += 1_500;
        }
        rhythm.feel(Moment::from_millis(now), PersonStroke::Word);
        let after = rhythm.wait(Moment::from_millis(now), 250.0);
        assert!(after < before / 3.0, "{after} of {before}");
    }

    #[test]
    fn silence_that_has_passed_is_not_waited_for_again() {
        let mut rhythm = Rhythm::default();
        rhythm.feel(Moment::from_millis(0), PersonStroke::Opener);
        let at_once = rhythm.wait(Moment::from_millis(0), 250.0);
        let later = rhythm.wait(Moment::from_millis(120), 250.0);
        assert_eq!(later, at_once - 120.0);
        assert_eq!(rhythm.wait(Moment::from_millis(9_000), 250.0), SHORTEST);
    }

    #[test]
    fn a_base_beyond_the_bounds_is_what_the_person_wants() {
        let mut rhythm = Rhythm::default();
        rhythm.feel(Moment::from_millis(0), PersonStroke::Word);
        assert_eq!(rhythm.wait(Moment::from_millis(0), 2_000.0), 2_000.0);
        rhythm.feel(Moment::from_millis(0), PersonStroke::Block);
        assert_eq!(rhythm.wait(Moment::from_millis(0), 20.0), 20.0);
    }
}
