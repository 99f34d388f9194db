//! What a person did last, as far as it tells when they go on: which key, and where in the text.
//!
//! After a letter in the middle of a word the next key nearly always follows at once; after the last
//! word of a line, a deletion or a paste it often does not. [`PersonStroke`] is what was done, and
//! [`StrokePlace`] adds what stands to the right of the cursor, how long the word to its left is and
//! whether the stroke itself came after a silence. A closer typed over one that the editor put in is a key
//! like any other, however the editor tells of it.
//!
//! Absent on purpose: which letter it was, and every other word of the text.

use foretell_text::{ByteOffset, ByteRange, Edit, Replacement, Text};

/// How long a word is told apart, in characters.
const LONGEST_WORD: usize = 4;

/// How many bytes to the left of the cursor are looked at for that.
const LEFT: usize = LONGEST_WORD * 4;

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

/// What stands to the right of the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RightNeighbor {
    LineEnd,
    Word,
    Closer,
    Other,
}

/// A stroke, and where it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StrokePlace {
    pub(crate) stroke: PersonStroke,
    right: RightNeighbor,
    /// How long the word to the left is, as far as that is told apart.
    word: usize,
    /// Whether the stroke came after a silence.
    pub(crate) after_silence: bool,
}

impl StrokePlace {
    /// How many places are told apart.
    pub(crate) const COUNT: usize = PersonStroke::COUNT * Self::PER_STROKE;

    /// How many of them each stroke has.
    pub(crate) const PER_STROKE: usize = RightNeighbor::ALL.len() * Self::PER_NEIGHBOR;

    /// How many of them each stroke has before one kind of neighbor.
    pub(crate) const PER_NEIGHBOR: usize = (LONGEST_WORD + 1) * 2;

    /// The place of an edit of the person's.
    pub(crate) fn of(edit: &Edit, before: &Text, after: &Text) -> Self {
        let stroke = PersonStroke::of(edit, before);
        let Some(at) = end_of_only(edit) else {
            return Self::of_stroke(stroke);
        };
        let place = StrokePlace {
            right: RightNeighbor::at(after, at),
            ..Self::of_stroke(stroke)
        };
        match stroke {
            PersonStroke::Word | PersonStroke::Deletion => StrokePlace {
                word: word_before(after, at),
                ..place
            },
            _ => place,
        }
    }

    /// The place of a closer that was typed over one that was there.
    pub(crate) fn of_closer(text: &Text, at: ByteOffset) -> Self {
        StrokePlace {
            right: RightNeighbor::at(text, at),
            ..Self::of_stroke(PersonStroke::Sign)
        }
    }

    /// A stroke of which nothing is known of the place.
    pub(crate) fn of_stroke(stroke: PersonStroke) -> Self {
        StrokePlace {
            stroke,
            right: RightNeighbor::Other,
            word: 0,
            after_silence: false,
        }
    }

    /// Its number among all, from which the coarser ones follow.
    pub(crate) fn index(self) -> usize {
        let neighbor = self.stroke as usize * RightNeighbor::ALL.len() + self.right as usize;
        let word = neighbor * (LONGEST_WORD + 1) + self.word;
        word * 2 + usize::from(self.after_silence)
    }

    /// The place of a number.
    pub(crate) fn of_index(index: usize) -> Option<Self> {
        let stroke = *PersonStroke::ALL.get(index / Self::PER_STROKE)?;
        let right = index % Self::PER_STROKE / Self::PER_NEIGHBOR;
        Some(StrokePlace {
            stroke,
            right: *RightNeighbor::ALL.get(right)?,
            word: index % Self::PER_NEIGHBOR / 2,
            after_silence: index % 2 == 1,
        })
    }

    /// Its name where it is kept.
    pub(crate) fn name(self) -> String {
        let (stroke, right) = (self.stroke.name(), self.right.name());
        let tempo = if self.after_silence { ".slow" } else { "" };
        format!("{stroke}.{right}.{}{tempo}", self.word)
    }
}

impl PersonStroke {
    pub(crate) const ALL: [PersonStroke; 8] = [
        PersonStroke::Word,
        PersonStroke::Blank,
        PersonStroke::End,
        PersonStroke::Deletion,
        PersonStroke::Block,
        PersonStroke::Opener,
        PersonStroke::Sign,
        PersonStroke::Move,
    ];
    pub(crate) const COUNT: usize = Self::ALL.len();

    /// Returns the stroke that an edit of the person's is.
    pub(crate) fn of(edit: &Edit, before: &Text) -> Self {
        let [first, others @ ..] = edit.replacements() else {
            return PersonStroke::Block;
        };
        // At several cursors it is the same key.
        let is_same = |it: &Replacement| it.new_text() == first.new_text();
        if !others.iter().all(is_same) {
            return PersonStroke::Block;
        }
        let (new_text, adds_only) = (first.new_text(), first.range().is_empty());
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
            (Some(key), None) if adds_only || is_typed_over(first, before, key) => {
                PersonStroke::of_key(key)
            }
            _ => PersonStroke::Block,
        }
    }

    fn of_key(key: char) -> Self {
        match key {
            '.' | ';' => PersonStroke::End,
            '(' | '[' | '{' | '<' | '"' | '\'' | '`' => PersonStroke::Opener,
            _ if is_of_word(key) => PersonStroke::Word,
            _ if key.is_whitespace() => PersonStroke::Blank,
            _ => PersonStroke::Sign,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            PersonStroke::Word => "word",
            PersonStroke::Blank => "blank",
            PersonStroke::End => "end",
            PersonStroke::Deletion => "deletion",
            PersonStroke::Block => "block",
            PersonStroke::Opener => "opener",
            PersonStroke::Sign => "sign",
            PersonStroke::Move => "move",
        }
    }
}

impl RightNeighbor {
    const ALL: [RightNeighbor; 4] = [
        RightNeighbor::LineEnd,
        RightNeighbor::Word,
        RightNeighbor::Closer,
        RightNeighbor::Other,
    ];

    fn at(text: &Text, at: ByteOffset) -> Self {
        match character_at(text, at) {
            None | Some('\n' | '\r') => RightNeighbor::LineEnd,
            Some(next) if is_of_word(next) => RightNeighbor::Word,
            Some(next) if is_closer(next) || matches!(next, ';' | ',') => RightNeighbor::Closer,
            Some(_) => RightNeighbor::Other,
        }
    }

    fn name(self) -> &'static str {
        match self {
            RightNeighbor::LineEnd => "line-end",
            RightNeighbor::Word => "word",
            RightNeighbor::Closer => "closer",
            RightNeighbor::Other => "other",
        }
    }
}

/// Whether a cursor that was at one offset and is at another has passed a single closer, as it does
/// when the person types one that the editor has put in.
pub(crate) fn is_over_closer(text: &Text, from: ByteOffset, to: ByteOffset) -> bool {
    to.get() == from.get().saturating_add(1) && character_at(text, from).is_some_and(is_closer)
}

/// The end of what an edit with a single replacement puts in, in the text after it.
pub(crate) fn end_of_only(edit: &Edit) -> Option<ByteOffset> {
    let [only] = edit.replacements() else {
        return None;
    };
    let start = only.range().start().get();
    Some(ByteOffset::new(start.saturating_add(only.new_text().len())))
}

fn character_at(text: &Text, at: ByteOffset) -> Option<char> {
    let end = text.floor(at.get().saturating_add(4));
    let range = ByteRange::new(at, end).ok()?;
    text.read(range).ok()?.chars().next()
}

/// How long the word before an offset is, as far as that is told apart.
fn word_before(text: &Text, at: ByteOffset) -> usize {
    let start = text.floor(at.get().saturating_sub(LEFT));
    let left = ByteRange::new(start, at).ok();
    let left = left.and_then(|left| text.read(left).ok());
    let word = left.iter().flat_map(|left| left.chars().rev());
    word.take(LONGEST_WORD)
        .take_while(|it| is_of_word(*it))
        .count()
}

/// Whether a part of an edit puts a character where it was already, as some editors tell of a closer that is typed over.
fn is_typed_over(part: &Replacement, before: &Text, key: char) -> bool {
    let old = before.read(part.range());
    is_closer(key) && old.is_ok_and(|old| old == part.new_text())
}

fn is_of_word(character: char) -> bool {
    matches!(character, '_' | '$') || character.is_alphanumeric()
}

fn is_closer(character: char) -> bool {
    matches!(character, ')' | ']' | '}' | '>' | '"' | '\'' | '`')
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

    const TEXT: &str = "call(name)\n";

    fn typed(new_text: &str) -> PersonStroke {
        let edit = Replacement::insertion(ByteOffset::ZERO, new_text).into();
        PersonStroke::of(&edit, &Text::from(TEXT))
    }

    fn over(start: usize, end: usize, new_text: &str) -> PersonStroke {
        let range = ByteRange::new(ByteOffset::new(start), ByteOffset::new(end)).unwrap();
        let edit = Replacement::new(range, new_text).into();
        PersonStroke::of(&edit, &Text::from(TEXT))
    }

    fn place(at: usize, new_text: &str) -> String {
        let edit = Edit::from(Replacement::insertion(ByteOffset::new(at), new_text));
        let before = Text::from(TEXT);
        let after = edit.apply(&before).unwrap();
        StrokePlace::of(&edit, &before, &after).name()
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
        assert_eq!(over(0, 4, ""), PersonStroke::Deletion);
        assert_eq!(over(0, 4, "x"), PersonStroke::Block);
    }

    #[test]
    fn a_closer_typed_over_one_that_was_there_is_a_key() {
        assert_eq!(over(9, 10, ")"), PersonStroke::Sign);
        assert_eq!(over(9, 10, "]"), PersonStroke::Block);
        assert_eq!(over(0, 1, "c"), PersonStroke::Block);
        let (text, closer) = (Text::from(TEXT), ByteOffset::new(9));
        assert!(is_over_closer(&text, closer, ByteOffset::new(10)));
        assert!(!is_over_closer(&text, closer, ByteOffset::new(11)));
        assert!(!is_over_closer(&text, ByteOffset::new(8), closer));
    }

    #[test]
    fn the_place_is_what_stands_around_the_cursor() {
        assert_eq!(place(10, "x"), "word.line-end.1");
        assert_eq!(place(4, "s"), "word.other.4");
        assert_eq!(place(2, "é"), "word.word.3");
        assert_eq!(place(9, "x"), "word.closer.4");
        assert_eq!(place(11, " "), "blank.line-end.0");
    }

    #[test]
    fn every_place_has_a_number_of_its_own() {
        let mut names = std::collections::BTreeSet::new();
        for index in 0..StrokePlace::COUNT {
            let place = StrokePlace::of_index(index).unwrap();
            assert_eq!(place.index(), index);
            assert!(names.insert(place.name()));
        }
        assert_eq!(StrokePlace::of_index(StrokePlace::COUNT), None);
    }
}
