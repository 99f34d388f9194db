//! Plain words and characters: what may be in a word, and what is not what it seems. Some characters do
//! something instead of standing for themselves, some cannot be seen, and some of those hide what is
//! written.
//!
//! Separate because everything that shows a text of others needs it, and so does the judge of what a
//! model wrote; there must be one answer to what is harmful. The tables are ranges of Unicode; what is
//! listed is what it calls *default ignorable*, the marks of direction, and three blanks that are letters
//! or symbols to it.
//!
//! Absent on purpose: letters that look like other letters, which people write in their languages.

use std::fmt::Display;

/// How many tags say which flag it is: a country, a part of it, and the end.
const TAGS_OF_FLAG: i32 = 7;

/// Whether a character does something instead of standing for itself: it moves the cursor of a terminal,
/// begins a line, or turns the direction of a text around.
pub fn is_odd(c: char) -> bool {
    let marks_direction = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}');
    c.is_control() || breaks(c) || marks_direction || turns(c)
}

/// Whether a character begins a line for some programs, and not for others.
fn breaks(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}')
}

/// Whether a character is drawn upon the one before it, so that by itself it is nothing.
pub fn is_combining(c: char) -> bool {
    matches!(
        c,
        '\u{300}'..='\u{36f}'
            | '\u{483}'..='\u{489}'
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{fe20}'..='\u{fe2f}'
    )
}

/// A text of others in one line that cannot do anything to a terminal: each odd character becomes
/// `U+FFFD`, so that the text is wrong but visibly so.
pub fn one_line(written: impl Display) -> String {
    let plain = |c: char| if is_odd(c) { '\u{fffd}' } else { c };
    written.to_string().chars().map(plain).collect()
}

/// Whether a character may be in a word. Marks that combine with a letter are part of it.
pub fn is_word(character: char) -> bool {
    match character {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => true,
        '\0'..='\u{7f}' => false,
        // Letters that whole texts are made of, since looking them up takes its time.
        'а'..='я' | 'А'..='Я' | 'α'..='ω' | 'ぁ'..='ゖ' | 'ァ'..='ヺ' => true,
        '\u{4e00}'..='\u{9fff}' | '가'..='힣' => true,
        '\u{300}'..='\u{36f}' => true,
        _ => character.is_alphanumeric(),
    }
}

/// A number of things: `1 file`, `2 files`.
pub fn plural<N: Display + PartialEq + From<u8>>(number: N, one: &str, many: &str) -> String {
    let noun = if number == N::from(1) { one } else { many };
    format!("{number} {noun}")
}

/// Whether nothing is drawn for a character although it is no white space.
pub fn is_invisible(c: char) -> bool {
    let is_control = c.is_control() && !c.is_whitespace();
    is_control
        || is_hangul_filler(c)
        || matches!(
            c,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                // Braille without a dot.
                | '\u{2800}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{fff0}'..='\u{fffc}'
                | '\u{70f}'
                | '\u{fdd0}'..='\u{fdef}'
                | '\u{1107f}'
                | '\u{13430}'..='\u{1345f}'
                | '\u{16fe4}'
                | '\u{1d159}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// Whether a text has something in it that people cannot see and a program can: what turns the
/// direction around, letters without a shape, which are names in some languages, tags, which spell a
/// text of their own, and invisible characters in a row, which can.
///
/// One alone is how many languages and emoji are written, and hides nothing.
pub fn hides_text(text: &str) -> bool {
    let mut before = None;
    let mut tags_of_flag = 0;
    text.chars().any(|c| {
        let last = before.replace(c);
        if is_tag(c) {
            // The flags of some countries are a black flag, and which one.
            tags_of_flag -= 1;
            return tags_of_flag < 0;
        }
        tags_of_flag = if c == '\u{1f3f4}' { TAGS_OF_FLAG } else { 0 };
        let is_in_row = last.is_some_and(hides_in_row) && hides_in_row(c);
        // An emoji that is made of others: the first as a picture, joined with the next.
        let is_joined = last == Some('\u{fe0f}') && c == '\u{200d}';
        turns(c) || breaks(c) || is_hangul_filler(c) || is_in_row && !is_joined
    })
}

/// Whether a character turns the direction of a text around.
fn turns(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn is_hangul_filler(c: char) -> bool {
    matches!(c, '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}')
}

fn is_tag(c: char) -> bool {
    matches!(c, '\u{e0000}'..='\u{e007f}')
}

/// Blanks of Braille are pictures in a row, and a control is noise of its own.
fn hides_in_row(c: char) -> bool {
    is_invisible(c) && c != '\u{2800}' && !c.is_control()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_is_plain() {
        for text in [
            "größe, 名前, 이름, نام",
            "می\u{200c}خواهم",
            "क्\u{200d}ष",
            "❤\u{fe0f}\u{200d}🔥 👩\u{200d}💻 ☎\u{fe0f}",
            "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
            "葛\u{e0100}",
            "⠋\u{2800}\u{2800}⠙",
            "\u{feff}#!/bin/sh",
            "ab\u{ad}cd\u{200b}ef",
            "\ta\r\n",
        ] {
            assert!(!hides_text(text), "{text:?}");
        }
    }

    #[test]
    fn what_is_written_to_be_overlooked_is_found() {
        for text in [
            "if admin { \u{202e}} \u{2066}// only admins\u{2069}",
            "let \u{3164} = load();",
            "fo\u{2028}o();",
            "run(\u{ffa0})",
            "hello\u{e0068}\u{e0069}",
            "🏴 \u{e0067}",
            "🏴\u{e0061}\u{e0062}\u{e0063}\u{e0064}\u{e0065}\u{e0066}\u{e0067}\u{e0068}",
            "a\u{fe00}\u{fe01}\u{fe02}",
            "a\u{e0100}\u{e0101}",
            "\u{200b}\u{200c}\u{200b}",
        ] {
            assert!(hides_text(text), "{text:?}");
        }
    }

    #[test]
    fn what_moves_a_cursor_or_turns_a_line_is_odd() {
        for c in "\u{1b}\n\u{9b}\u{2028}\u{2029}\u{202e}\u{2066}\u{200e}\u{200f}\u{61c}".chars() {
            assert!(is_odd(c), "{c:?}");
        }
        assert!(!"größe 😀\u{200d}".contains(is_odd));
    }

    #[test]
    fn what_would_move_the_cursor_or_turn_the_text_is_replaced() {
        assert_eq!(one_line("a\u{1b}[2Jb\nc"), "a\u{fffd}[2Jb\u{fffd}c");
        assert_eq!(one_line("x\u{202e}txt.exe"), "x\u{fffd}txt.exe");
        assert_eq!(one_line("größe 😀"), "größe 😀");
    }

    #[test]
    fn one_thing_is_not_many() {
        let counted = [0_usize, 1, 2].map(|it| plural(it, "entry", "entries"));
        assert_eq!(counted, ["0 entries", "1 entry", "2 entries"]);
    }

    #[test]
    fn white_space_is_not_invisible_and_letters_are_seen() {
        assert!(!"a é 😀 名\t\n\u{a0}\u{3000}".contains(is_invisible));
        let unseen =
            "\u{ad}\u{115f}\u{200b}\u{2800}\u{3164}\u{fe0f}\u{feff}\u{e0041}\u{e0100}\u{7}";
        assert!(unseen.chars().all(is_invisible));
    }
}
