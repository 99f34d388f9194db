//! [`RecordedText`]: a text as a recording has it, which is the text itself or its shape, through all edits.
//!
//! In a shape every character keeps its substitute for as long as it stands, whatever happens before it
//! in its word. So a word may consist of *pieces*: what is put in goes on from the piece to its left,
//! and what stands to its right is a piece of its own from then on, remembered by a [`WordCut`]: where it
//! begins, and behind which beginning of a word it was written. When what came between is gone again
//! the pieces fit, and the cut is forgotten.
//!
//! Of what is replaced, the characters that stay at both ends are the same characters. So typing,
//! deleting, undoing, completing from a list and replacing a whole line by the same with something in
//! it all lead to the same shape.
//!
//! The shape is a function of the text and its cuts, which a debug build checks in tests.

use std::borrow::Cow;
use std::sync::Arc;

use foretell_text::{ByteOffset, ByteRange, Edit, Replacement, Text};

use super::cuts::{WordCut, WordCuts};
use super::{ShapeKey, WordBeginning, is_word};

/// How much is read at once to find where a word begins, in bytes.
const STRIDE: usize = 64;

/// How words are written down.
#[derive(Debug)]
pub(crate) enum WordRecording {
    /// As they are.
    Whole,
    /// As substitutes.
    Shape(ShapeKey),
}

/// A text, and its shape if that is what is recorded.
#[derive(Clone, Debug)]
pub(crate) struct RecordedText {
    text: Text,
    shape: Option<TextShape>,
}

#[derive(Clone, Debug)]
struct TextShape {
    text: Text,
    cuts: Arc<WordCuts>,
}

/// A stretch of a text and what is recorded to take its place.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RecordedChange<'e> {
    pub(crate) range: ByteRange,
    pub(crate) new_text: Cow<'e, str>,
}

impl RecordedChange<'_> {
    /// The same, kept for longer than what it is of.
    pub(crate) fn owned(self) -> RecordedChange<'static> {
        RecordedChange {
            range: self.range,
            new_text: Cow::Owned(self.new_text.into_owned()),
        }
    }
}

impl RecordedText {
    pub(crate) fn new(text: &Text, words: &WordRecording) -> Self {
        let shape = match words {
            WordRecording::Whole => None,
            WordRecording::Shape(key) => Some(TextShape {
                text: Text::from(key.text(&text.to_string()).as_str()),
                cuts: Arc::default(),
            }),
        };
        RecordedText {
            text: text.clone(),
            shape,
        }
    }

    /// The text itself.
    pub(crate) fn text(&self) -> &Text {
        &self.text
    }

    /// The text as it is recorded.
    pub(crate) fn written(&self) -> &Text {
        self.shape.as_ref().map_or(&self.text, |shape| &shape.text)
    }

    /// Makes an edit, and says how it is recorded; nothing, and nothing is done, if it does not fit.
    pub(crate) fn edit<'e>(
        &mut self,
        edit: &'e Edit,
        words: &WordRecording,
    ) -> Option<Vec<RecordedChange<'e>>> {
        let text = edit.apply(&self.text).ok()?;
        let WordRecording::Shape(key) = words else {
            self.text = text;
            let written = edit.replacements().iter().map(|it| RecordedChange {
                range: it.range(),
                new_text: Cow::Borrowed(it.new_text()),
            });
            return Some(written.collect());
        };
        let mut written = Vec::new();
        // An insertion moves everything behind it.
        let (mut grown, mut shrunk) = (0, 0);
        for replacement in edit.replacements() {
            let range = replacement.range();
            let here = |offset: ByteOffset| ByteOffset::new(offset.get() + grown - shrunk);
            let moved = ByteRange::new(here(range.start()), here(range.end())).ok()?;
            let new_text = self.replace(moved, replacement.new_text(), key)?;
            grown += new_text.len();
            shrunk += range.len();
            let new_text = Cow::Owned(new_text);
            written.push(RecordedChange { range, new_text });
        }
        Some(written)
    }

    /// The same text sent again, or another: what both have in common stays as it is.
    pub(crate) fn replaced(&self, text: &Text, words: &WordRecording) -> RecordedText {
        let WordRecording::Shape(key) = words else {
            return RecordedText::new(text, words);
        };
        if self.text == *text {
            return self.clone();
        }
        let mut after = self.clone();
        let all = ByteRange::new(ByteOffset::ZERO, self.text.end()).unwrap_or_default();
        match after.replace(all, &text.to_string(), key) {
            Some(_) => after,
            None => RecordedText::new(text, words),
        }
    }

    /// Replaces a range of the text and of its shape, and says what is put into the shape.
    fn replace(&mut self, range: ByteRange, new_text: &str, key: &ShapeKey) -> Option<String> {
        let length = self.text.end().get();
        let old = self.text.read(range).ok()?;
        let (front, back) = common_ends(&old, new_text);
        let (start, end) = (range.start().get() + front, range.end().get() - back);
        let middle = new_text.get(front..new_text.len() - back)?;

        let shape = self.shape.as_mut()?;
        WordCuts::open_at(&mut shape.cuts, start, length);
        let shape = self.shape.as_ref()?;
        let left = shape.cuts.last_before();
        let before = self.beginning_at(start, left, key);
        let (substitute, reached) = key.continued(before, middle);
        let near = shape.cuts.last_up_to(end, length).or(left);
        let right = self.own_beginning(end, near, key);

        let kept_front = ByteRange::new(range.start(), ByteOffset::new(start)).ok()?;
        let kept_back = ByteRange::new(ByteOffset::new(end), range.end()).ok()?;
        let written = [
            &shape.text.read(kept_front).ok()?,
            substitute.as_str(),
            &shape.text.read(kept_back).ok()?,
        ]
        .concat();

        let place = ByteRange::new(ByteOffset::new(start), ByteOffset::new(end)).ok()?;
        let text = Edit::from(Replacement::new(place, middle)).apply(&self.text);
        let drawn = Edit::from(Replacement::new(place, substitute)).apply(&shape.text);
        let (text, drawn) = (text.ok()?, drawn.ok()?);
        let cut = right.filter(|right| *right != reached);
        let shape = self.shape.as_mut()?;
        WordCuts::replace(&mut shape.cuts, end, length, cut);
        shape.text = drawn;
        self.text = text;
        Some(written)
    }

    /// The beginning of a word that whatever is put in at a place goes on behind, by the last cut
    /// before that.
    fn beginning_at(&self, at: usize, cut: Option<WordCut>, key: &ShapeKey) -> WordBeginning {
        let run = self.run_before(at, cut.map_or(0, |cut| cut.at));
        let begins = at - run.len();
        let cut = cut.filter(|cut| cut.at == begins && !run.is_empty());
        let begun = cut.map_or(WordBeginning::NONE, |cut| cut.behind);
        run.chars().fold(begun, |begun, c| begun.and(key, c))
    }

    /// The beginning that the character at a place is written behind, if that belongs to a word, by the
    /// last cut before or at that place.
    fn own_beginning(
        &self,
        at: usize,
        cut: Option<WordCut>,
        key: &ShapeKey,
    ) -> Option<WordBeginning> {
        if !self.is_word_at(at) {
            return None;
        }
        match cut {
            Some(cut) if cut.at == at => Some(cut.behind),
            cut => Some(self.beginning_at(at, cut, key)),
        }
    }

    fn is_word_at(&self, at: usize) -> bool {
        let end = (at + 1..=at + 4).find_map(|end| {
            let range = ByteRange::new(ByteOffset::new(at), ByteOffset::new(end)).ok()?;
            self.text.read(range).ok()
        });
        end.is_some_and(|found| found.chars().next().is_some_and(is_word))
    }

    /// The characters of a word right before a place, as far as they are behind another.
    fn run_before(&self, at: usize, least: usize) -> String {
        let mut run = String::new();
        let mut end = at;
        while end > least {
            let start = self.text.floor(end.saturating_sub(STRIDE)).get().max(least);
            let range = ByteRange::new(ByteOffset::new(start), ByteOffset::new(end));
            let piece = range.ok().and_then(|range| self.text.read(range).ok());
            let piece = piece.unwrap_or_default();
            let word = piece.trim_end_matches(is_word).len();
            run.insert_str(0, piece.get(word..).unwrap_or_default());
            if word > 0 || piece.is_empty() {
                break;
            }
            end = start;
        }
        run
    }

    /// Checks what every edit keeps.
    #[cfg(test)]
    pub(crate) fn assert_invariants(&self, words: &WordRecording) {
        let (Some(shape), WordRecording::Shape(key)) = (&self.shape, words) else {
            return;
        };
        let text = self.text.to_string();
        let mut cuts = shape.cuts.all(text.len()).into_iter().peekable();
        let (mut begun, mut expected) = (WordBeginning::NONE, String::new());
        for (at, c) in text.char_indices() {
            if let Some(cut) = cuts.next_if(|cut| cut.at == at) {
                assert!(is_word(c), "a cut where no word is");
                assert_ne!(begun, cut.behind, "a cut that says nothing");
                begun = cut.behind;
            }
            let (substitute, next) = key.continued(begun, &c.to_string());
            expected.push_str(&substitute);
            begun = next;
        }
        assert_eq!(cuts.next(), None, "cuts in order, and in the text");
        assert_eq!(shape.text.to_string(), expected);
    }
}

/// How many bytes two texts have in common at the front, and then at the back.
fn common_ends(one: &str, other: &str) -> (usize, usize) {
    let same = |(a, b): &(char, char)| a == b;
    let front = one.chars().zip(other.chars()).take_while(same);
    let front: usize = front.map(|(c, _)| c.len_utf8()).sum();
    let one = one.get(front..).unwrap_or_default();
    let other = other.get(front..).unwrap_or_default();
    let back = one.chars().rev().zip(other.chars().rev()).take_while(same);
    (front, back.map(|(c, _)| c.len_utf8()).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> WordRecording {
        let mix = |number: u64| {
            let mixed = (number ^ (number >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ (mixed >> 29)
        };
        WordRecording::Shape(ShapeKey::new(move |one, other| mix(mix(one ^ 99) ^ other)))
    }

    /// A sheet after edits: where, how much is taken out, and what is put in.
    fn after(text: &str, edits: &[(usize, usize, &str)]) -> RecordedText {
        let words = words();
        let mut sheet = RecordedText::new(&Text::from(text), &words);
        for (at, delete, insert) in edits {
            let range = ByteRange::new(ByteOffset::new(*at), ByteOffset::new(at + delete));
            let edit = Edit::from(Replacement::new(range.unwrap(), *insert));
            let mut next = sheet.clone();
            let written = next.edit(&edit, &words).unwrap();
            assert_eq!(written[0].new_text.len(), insert.len());
            let told = Replacement::new(written[0].range, written[0].new_text.as_ref());
            let told = Edit::from(told).apply(sheet.written()).unwrap();
            assert!(told == *next.written(), "what is told leads there");
            next.assert_invariants(&words);
            sheet = next;
        }
        sheet
    }

    fn shape(text: &str, edits: &[(usize, usize, &str)]) -> String {
        after(text, edits).written().to_string()
    }

    #[test]
    fn typing_letter_by_letter_is_putting_in_the_whole() {
        let whole = shape("let ;", &[(4, 0, "größe2")]);
        let mut typed = vec![];
        let mut at = 4;
        for letter in ["g", "r", "ö", "ß", "e", "2"] {
            typed.push((at, 0, letter));
            at += letter.len();
        }
        assert_eq!(shape("let ;", &typed), whole);
        assert_eq!(shape("let größe2;", &[]), whole);
        assert_eq!(shape("let g;", &[(4, 1, "größe2")]), whole, "from a list");
        assert_eq!(shape("let g;", &[(0, 6, "let größe2;")]), whole, "the line");
    }

    #[test]
    fn what_stands_behind_keeps_its_substitute() {
        let before = shape("foobar", &[]);
        let split = shape("foobar", &[(3, 0, "x y")]);
        assert_eq!(split.get(..3), before.get(..3));
        assert_eq!(split.get(6..), before.get(3..));
        let joined = shape("foo bar", &[(3, 1, "")]);
        let apart = shape("foo bar", &[]);
        assert_eq!(joined, apart.replace(' ', ""));
        assert_ne!(joined, before, "the limit that the docs name");
    }

    #[test]
    fn what_is_undone_leads_back() {
        let before = after("let foobar = 1;", &[]);
        let edits = [
            (6, 0, "x"),
            (7, 0, " y"),
            (7, 2, ""),
            (6, 1, ""),
            (4, 3, ""),
            (4, 0, "foo"),
            (5, 4, ""),
            (5, 0, "oo"),
            (7, 0, "ba"),
        ];
        let undone = after("let foobar = 1;", &edits);
        assert!(undone.text() == before.text());
        assert!(undone.written() == before.written());
    }

    #[test]
    fn a_text_that_is_sent_again_is_the_same() {
        let words = words();
        let sheet = after("foo bar", &[(3, 1, ""), (4, 0, "é")]);
        let again = sheet.replaced(sheet.text(), &words);
        assert!(again.written() == sheet.written());
        let other = sheet.replaced(&Text::from("foobéar and more\r\n"), &words);
        other.assert_invariants(&words);
        assert_eq!(other.written().end(), other.text().end());
    }

    #[test]
    fn anything_that_is_typed_keeps_shape_and_text_in_step() {
        let words = words();
        let pieces = [
            "a", "foo", " ", "é", "😀", "\r\n", "", "e\u{301}", "A1", "_", "x y",
        ];
        let mut random = 7_u64;
        let mut below = |bound: usize| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (random >> 33) as usize % bound
        };
        let mut sheet = RecordedText::new(&Text::from("fn größe(a: u8) {}\n"), &words);
        for _ in 0..3_000 {
            let text = sheet.text().to_string();
            let mut places: Vec<usize> = text.char_indices().map(|it| it.0).collect();
            places.push(text.len());
            let start = below(places.len());
            let end = (start + below(4)).min(places.len() - 1);
            let range =
                ByteRange::new(ByteOffset::new(places[start]), ByteOffset::new(places[end]));
            let piece = if text.len() > 80 {
                ""
            } else {
                pieces[below(pieces.len())]
            };
            let edit = Edit::from(Replacement::new(range.unwrap(), piece));
            let inverse = edit.inverse(sheet.text()).unwrap();
            let mut next = sheet.clone();
            let written = next.edit(&edit, &words).unwrap();
            next.assert_invariants(&words);
            let told = Replacement::new(written[0].range, written[0].new_text.as_ref());
            assert!(Edit::from(told).apply(sheet.written()).unwrap() == *next.written());
            if below(3) == 0 {
                let mut back = next.clone();
                back.edit(&inverse, &words).unwrap();
                back.assert_invariants(&words);
                assert!(back.text() == sheet.text());
            }
            sheet = next;
        }
    }

    /// Many places, changed from the front in one edit and from the back in one edit each, as editors
    /// do when all of something is replaced.
    #[test]
    fn replacing_all_leads_to_the_same_from_either_end() {
        let words = words();
        let text = Text::from("foobar fooé\n".repeat(200).as_str());
        let starts: Vec<usize> = (0..400).map(|it| it / 2 * 13 + it % 2 * 7).collect();
        let change = |at: &usize| {
            let range = ByteRange::new(ByteOffset::new(*at), ByteOffset::new(at + 3));
            Replacement::new(range.unwrap(), "x")
        };
        let mut once = RecordedText::new(&text, &words);
        let edit = Edit::new(starts.iter().map(change).collect()).unwrap();
        let written = once.edit(&edit, &words).unwrap();
        assert_eq!(written.len(), 400);
        once.assert_invariants(&words);

        let mut each = RecordedText::new(&text, &words);
        for at in starts.iter().rev() {
            each.edit(&change(at).into(), &words).unwrap();
        }
        each.assert_invariants(&words);
        assert!(each.written() == once.written());
        let cuts = |sheet: &RecordedText| Arc::clone(&sheet.shape.as_ref().unwrap().cuts);
        let length = each.text().end().get();
        assert_eq!(cuts(&each).all(length).len(), 400);

        // Typing on at one place needs no other list, also in the middle of a word.
        let insertion = |at, text: &str| Replacement::insertion(ByteOffset::new(at), text).into();
        each.edit(&insertion(3, "y"), &words).unwrap();
        let mut typed = each.clone();
        for at in 4..9 {
            typed.edit(&insertion(at, "z"), &words).unwrap();
            typed.assert_invariants(&words);
        }
        assert!(Arc::ptr_eq(&cuts(&typed), &cuts(&each)));
    }

    #[test]
    fn an_edit_that_does_not_fit_changes_nothing() {
        let words = words();
        let before = after("fooé bar", &[(1, 0, "x")]);
        let parts = [(1, 2, "y"), (5, 6, "z")].map(|(start, end, text)| {
            let range = ByteRange::new(ByteOffset::new(start), ByteOffset::new(end));
            Replacement::new(range.unwrap(), text)
        });
        let mut sheet = before.clone();
        let edit = Edit::new(parts.to_vec()).unwrap();
        assert!(sheet.edit(&edit, &words).is_none());
        sheet.assert_invariants(&words);
        assert!(sheet.text() == before.text() && sheet.written() == before.written());
    }
}
