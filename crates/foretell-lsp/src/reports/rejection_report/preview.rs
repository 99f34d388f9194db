//! A rejection as a person sees it in a list: the file, the line, and what the change was, in one line.
//!
//! A change is kept as short as can be: of `width` that becomes `breadth` it is that `wi`
//! becomes `brea`. People read words, so that the words it begins and ends in are shown whole, as long
//! as their text is there.

use foretell_core::{Core, StoredRejection};
use foretell_text::plain::is_odd;
use foretell_text::{ByteOffset, ByteRange, Replacement, Text};

use foretell_journal::LineColumn;
use foretell_journal::spoken::short_name;

/// How long the change is at most, in characters.
pub(super) const LONGEST: usize = 80;

/// How far the rest of a word is looked for, in bytes.
const MARGIN: usize = 160;

/// The file, the line if its text is the open one, and the change.
pub(super) fn of(stored: &StoredRejection, core: &Core) -> String {
    let file = short_name(&stored.document);
    // One that sleeps belongs to a text that is not there.
    let text = core.text(&stored.document).filter(|_| !stored.asleep);
    let span = stored.edit.span();
    let place = text
        .zip(span)
        .and_then(|(text, span)| LineColumn::of(text, span.start()));
    let place = place.map_or(String::new(), |place| format!(":{}", place.line));
    let mut changes = stored.edit.replacements().iter().map(|it| {
        let old = text.and_then(|text| text.read(it.range()).ok());
        match text.zip(old) {
            Some((text, old)) => whole_words(text, it, &old),
            None => change(it.range().len(), it.new_text(), None),
        }
    });
    let first = changes.next().unwrap_or("nothing".to_owned());
    let change = match changes.len() {
        0 => cut(&first, LONGEST),
        more => {
            let more = format!(" and {more} more");
            cut(&first, LONGEST - more.chars().count()) + &more
        }
    };
    let sleeps = if stored.asleep { " (asleep)" } else { "" };
    format!("{file}{place}  {change}{sleeps}")
}

/// A change with the rest of the words that it begins and ends in.
fn whole_words(text: &Text, replacement: &Replacement, old: &str) -> String {
    let (range, new) = (replacement.range(), replacement.new_text());
    // The new text says more than the word that it is put into, if there is no room for both.
    if range.is_empty() && new.len() > LONGEST / 2 {
        return change(0, new, None);
    }
    let begins = |it: &str| it.starts_with(is_of_word);
    let ends = |it: &str| it.ends_with(is_of_word);
    let (mut before, mut behind) = (String::new(), String::new());
    if begins(old) || begins(new) {
        let near = near(text, range.start(), |at| at.saturating_sub(MARGIN));
        let word: Vec<char> = near
            .chars()
            .rev()
            .take_while(|it| is_of_word(*it))
            .collect();
        before = word.into_iter().rev().collect();
    }
    if ends(old) || ends(new) {
        let near = near(text, range.end(), |at| at.saturating_add(MARGIN));
        behind = near.chars().take_while(|it| is_of_word(*it)).collect();
    }
    // A long text is cut later; here it must not be copied whole.
    let cut_short = |it: &str| it.chars().take(LONGEST + 1).collect::<String>();
    let whole = |it: &str| format!("{before}{}{behind}", cut_short(it));
    change(
        before.len() + range.len() + behind.len(),
        &whole(new),
        Some(&whole(old)),
    )
}

/// The text between an offset and another that is about as far away as asked.
fn near(text: &Text, at: ByteOffset, other: impl Fn(usize) -> usize) -> String {
    let other = other(at.get()).min(text.end().get());
    // A character has at most four bytes, so that one of these is where one begins.
    let mut others = (other.saturating_sub(3)..=other).rev().map(ByteOffset::new);
    let other = others.find(|it| text.check(*it).is_ok()).unwrap_or(at);
    let range = ByteRange::new(at.min(other), at.max(other));
    let read = range.ok().and_then(|range| text.read(range).ok());
    read.unwrap_or_default().into_owned()
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// How many bytes become a new text, and what they are if that is known.
fn change(length: usize, new: &str, old: Option<&str>) -> String {
    let is_deletion = new.is_empty();
    let new = cut(&quoted(new), LONGEST);
    match (length == 0, old) {
        (true, _) => format!("puts in {new}"),
        (false, Some(old)) if is_deletion => format!("takes out {}", quoted(old)),
        (false, None) if is_deletion => format!("takes out {length} bytes"),
        (false, Some(old)) => {
            let old = cut(&quoted(old), LONGEST / 2 - 4);
            format!("{old} becomes {new}")
        }
        (false, None) => format!("{length} bytes become {new}"),
    }
}

/// A text in one line, between quotes.
fn quoted(text: &str) -> String {
    let shown = text.chars().take(LONGEST + 1).map(|c| match c {
        '\n' => '⏎',
        '\t' => '⇥',
        '\r' => '␍',
        c if is_odd(c) => '\u{fffd}',
        c => c,
    });
    let shown: String = shown.collect();
    format!("“{shown}”")
}

/// The beginning of a text, with a mark where it is cut.
fn cut(text: &str, longest: usize) -> String {
    if text.chars().count() > longest {
        let kept: String = text.chars().take(longest - 1).collect();
        format!("{kept}…")
    } else {
        text.to_owned()
    }
}
