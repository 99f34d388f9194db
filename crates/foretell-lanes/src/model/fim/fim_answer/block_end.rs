//! The end of a block, told from indentation and brackets.
//!
//! The level of the cursor's line is the base; on a blank line it is that of the first line of the
//! answer. The block is over
//! - where a line begins left of the base;
//! - where a line begins at the base after lines that were deeper, or after brackets that the answer
//!   opened were closed there: the block that was opened is done;
//! - at a blank line, where the base is the left margin and nothing was opened: nothing can be left of
//!   that.
//!
//! It is never over while a bracket that the answer opened is open. A line at the base that closes the
//! block belongs to it, as does one that goes on with it (`else`, `catch`, `.then(…)`); a line left of
//! the base that closes the block around the cursor belongs to the answer if the document does not
//! close it on its next line, and is its last. A line that is the document's next line is a repetition.
//!
//! The first character of a line often says enough, so that the rest of it is not waited for.

use super::LineVerdict;
use crate::model::fim::brackets::open_after;

/// How many columns a tab stands for.
const TAB: usize = 4;

/// Words that a block goes on with at its own level.
const GOING_ON: [&str; 9] = [
    "else", "elif", "elsif", "elseif", "except", "catch", "finally", "rescue", "ensure",
];
/// How a line begins that continues the one before.
const CHAINING: [&str; 4] = [".", "?.", "&&", "||"];
/// Words that close a block.
const CLOSING_WORDS: [&str; 4] = ["end", "fi", "done", "esac"];
/// Signs that close a block.
const CLOSING: [&str; 5] = [")", "]", "}", "</", "{/"];

/// A block that an answer writes.
pub(super) struct BlockEnd {
    /// The cursor's line up to the cursor.
    before: String,
    /// The next line of the document that is not blank.
    next: Option<String>,
    base: Option<usize>,
    /// How many brackets of the answer are open.
    open: usize,
    /// Whether a line was deeper than the base.
    is_deep: bool,
    /// Whether what was opened is closed.
    is_closed: bool,
}

/// Whether a line at the base or left of it is part of the block.
enum BlockPart {
    GoesOn,
    Closes,
    No,
}

impl BlockEnd {
    /// At the end of a line, or on a blank one.
    pub(super) fn new(before: &str, next: Option<&str>) -> BlockEnd {
        BlockEnd {
            before: before.to_owned(),
            next: next.map(str::to_owned),
            base: None,
            open: 0,
            is_deep: false,
            is_closed: false,
        }
    }

    /// Whether the block is over before a line, as far as its first character says.
    pub(super) fn is_over_at(&self, beginning: &str) -> bool {
        let first = beginning.trim_start();
        let begins = |words: &[&str]| words.iter().any(|word| word.starts_with(first));
        let may_belong = begins(&GOING_ON) || begins(&CHAINING) || begins(&CLOSING_WORDS);
        let may_belong = may_belong || begins(&CLOSING) || first == "`";
        self.open == 0 && self.is_outside(width(beginning)) && !may_belong
    }

    /// Judges a whole line of the answer.
    pub(super) fn judge(&mut self, line: &str, is_first: bool, is_begun: bool) -> LineVerdict {
        let whole = if is_first {
            [&*self.before, line].concat()
        } else {
            line.to_owned()
        };
        if whole.trim().is_empty() {
            let is_paragraph = self.base == Some(0) && !self.is_deep;
            let is_over = self.open == 0 && is_begun && (self.is_closed || is_paragraph);
            return if is_over {
                LineVerdict::EndBefore
            } else {
                LineVerdict::Keep
            };
        }
        let column = width(&whole);
        let was_open = self.open > 0;
        // A blank rest of the cursor's line is not what the document has below it.
        let says_something = !line.trim().is_empty();
        if !was_open && says_something && self.repeats(&whole) {
            return LineVerdict::EndBefore;
        }
        let base = *self.base.get_or_insert_with(|| {
            if is_first {
                column
            } else {
                // The answer began with a blank line on a blank line.
                match width(&self.before) {
                    0 => column,
                    base => base,
                }
            }
        });
        if !was_open && !is_first && self.is_outside(column) {
            return self.judge_outside(line, column, base);
        }
        self.open = open_after(line, self.open);
        self.is_deep |= column > base;
        self.is_closed = was_open && self.open == 0 && column <= base;
        LineVerdict::Keep
    }

    fn judge_outside(&mut self, line: &str, column: usize, base: usize) -> LineVerdict {
        let part = self.part(line.trim(), column, base);
        if matches!(part, BlockPart::No) {
            return LineVerdict::EndBefore;
        }
        self.open = open_after(line, self.open);
        self.is_closed = matches!(part, BlockPart::Closes) && self.open == 0;
        self.is_deep |= matches!(part, BlockPart::GoesOn);
        if column < base && self.open == 0 {
            LineVerdict::KeepAsLast
        } else {
            LineVerdict::Keep
        }
    }

    /// Whether a line that begins at a column is not inside of the block.
    fn is_outside(&self, column: usize) -> bool {
        let has_opened = self.is_deep || self.is_closed;
        self.base
            .is_some_and(|base| column < base || (has_opened && column == base))
    }

    fn part(&self, line: &str, column: usize, base: usize) -> BlockPart {
        let begins = |words: &[&str]| words.iter().any(|word| line.starts_with(word));
        let word: String = line.chars().take_while(|c| c.is_alphanumeric()).collect();
        let goes_on = GOING_ON.contains(&&*word) || (self.is_closed && begins(&CHAINING));
        if goes_on && column == base {
            return BlockPart::GoesOn;
        }
        let closes = begins(&CLOSING) || CLOSING_WORDS.contains(&&*word);
        let is_needed = if column == base {
            !self.is_closed
        } else {
            true
        };
        if closes && is_needed && !self.document_closes(column) {
            BlockPart::Closes
        } else {
            BlockPart::No
        }
    }

    /// Whether the document's next line closes a block at a column.
    fn document_closes(&self, column: usize) -> bool {
        self.next.as_deref().is_some_and(|next| {
            let begins = |word: &&str| next.trim_start().starts_with(*word);
            let closes = CLOSING.iter().any(begins) || CLOSING_WORDS.iter().any(begins);
            closes && width(next) == column
        })
    }

    fn repeats(&self, line: &str) -> bool {
        self.next.as_deref() == Some(line.trim_end())
    }
}

/// The column at which a line begins.
fn width(line: &str) -> usize {
    let blank = line.chars().take_while(|c| c.is_whitespace());
    let columns = blank.map(|c| match c {
        '\t' => TAB,
        _ => 1,
    });
    columns.sum()
}
