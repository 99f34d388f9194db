//! Where exactly the person wrote for one entry of the history.
//!
//! An entry joins what was changed within a few lines, and its window reaches over all that lies in
//! between. Whether the person *goes on* with the entry is asked of the stretches themselves: each is
//! what was changed without a gap, with the words that it begins and ends in, since a person who goes back
//! to the first letter of a name goes on with the name. A stretch knows when it was begun, so that
//! those who looked before that are not taken to have seen it.
//!
//! Only places are kept here, no texts.

use foretell_text::{ByteOffset, ByteRange, Edit, Text};

use crate::window::{ChangeStep, Window};

/// How many stretches of an entry are kept.
const MOST_STRETCHES: usize = 8;

/// How far the end of a word is looked for, in bytes: longer than any name.
const LONGEST_WORD: usize = 128;

/// The stretches of one entry, the one changed last at the end.
#[derive(Clone, Debug, Default)]
pub(super) struct WrittenStretches(Vec<WrittenStretch>);

#[derive(Clone, Copy, Debug)]
struct WrittenStretch {
    /// In the text now.
    place: ByteRange,
    /// How many changes there were of any document before it.
    number: u64,
}

impl WrittenStretches {
    /// Takes in a change of the entry itself.
    pub(super) fn take_in(&mut self, step: &ChangeStep, number: u64) {
        let window = Window::of(step);
        let changed = window.undone();
        let mut written = WrittenStretch {
            place: with_words(window.now(), &step.after),
            number,
        };
        self.0.retain_mut(|stretch| {
            let is_apart = !stretch.place.touches(changed);
            stretch.follow(step);
            if !is_apart {
                written.place = around(written.place, stretch.place);
                written.number = written.number.min(stretch.number);
            }
            is_apart
        });
        if self.0.is_empty() {
            // Most entries have only one, and there are many entries.
            self.0.reserve_exact(1);
        }
        self.0.push(written);
        if self.0.len() > MOST_STRETCHES {
            self.0.remove(0);
        }
    }

    /// Moves with a change that another entry has.
    pub(super) fn follow(&mut self, step: &ChangeStep) {
        self.0.iter_mut().for_each(|stretch| stretch.follow(step));
    }

    /// How many changes there were before the first stretch that a trimmed edit touches, if it
    /// touches any.
    pub(super) fn touched_by(&self, edit: &Edit) -> Option<u64> {
        let is_touched = |stretch: &&WrittenStretch| {
            let mut parts = edit.replacements().iter();
            parts.any(|part| stretch.place.touches(part.range()))
        };
        let touched = self.0.iter().filter(is_touched);
        touched.map(|stretch| stretch.number).min()
    }
}

impl WrittenStretch {
    fn follow(&mut self, step: &ChangeStep) {
        // Most changes are made behind it.
        if step.replacement.range().start() <= self.place.end() {
            self.place = step.edit().map_range(self.place);
        }
    }
}

/// A place with the words that it begins and ends in.
fn with_words(place: ByteRange, text: &Text) -> ByteRange {
    let from = text.floor(place.start().get().saturating_sub(LONGEST_WORD));
    let to = text.floor(place.end().get().saturating_add(LONGEST_WORD));
    let read = |start, end| {
        let range = ByteRange::new(start, end).ok();
        let read = range.and_then(|range| text.read(range).ok());
        read.unwrap_or_default()
    };
    let is_inside = |c: &char| c.is_alphanumeric() || *c == '_';
    let length = |letters: &mut dyn Iterator<Item = char>| {
        let letters = letters.take_while(is_inside);
        letters.map(char::len_utf8).sum::<usize>()
    };
    let front = length(&mut read(from, place.start()).chars().rev());
    let back = length(&mut read(place.end(), to).chars());
    let start = place.start().get().saturating_sub(front);
    let end = place.end().get().saturating_add(back);
    ByteRange::new(ByteOffset::new(start), ByteOffset::new(end)).unwrap_or(place)
}

/// The smallest place with both in it.
fn around(one: ByteRange, other: ByteRange) -> ByteRange {
    let start = one.start().min(other.start());
    ByteRange::new(start, one.end().max(other.end())).unwrap_or(one)
}
