//! Which lines are to be rewritten, and which are shown around them.
//!
//! A region is whole lines around the cursor, without the line end of its last one: an answer may
//! then end with a line end or not, and no edit of it ever reaches the next line. It grows in turn
//! below and above, up to fifteen and ten lines, as long as
//! - what is before and behind the cursor stays within `maxPrefixChars` and `maxSuffixChars`, and
//! - an answer can repeat it within `maxTokens`: an answer that is always cut is of no use. A token is
//!   taken for two characters, fewer than it usually is in code, so that there is room
//!   for what is added.
//!
//! What the region leaves of `maxPrefixChars` and `maxSuffixChars` is for lines around it that are
//! only shown. No line is ever split: where the cursor's own line is too long, there is no region.
//!
//! Characters are counted in UTF-16 units, which the text knows without being read, so that a line
//! of megabytes costs nothing.

use foretell_settings::settings;
use foretell_text::{ByteOffset, ByteRange, PositionEncoding, Text};

/// How many lines above the cursor's are to be rewritten at most.
const MOST_ABOVE: u32 = 10;
/// How many lines below it.
const MOST_BELOW: u32 = 15;
/// How many lines are shown on either side besides, at most.
const MOST_SHOWN: u32 = 200;
/// How many characters an answer has for a token.
const CHARS_PER_TOKEN: usize = 2;

/// The lines to rewrite and those around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditRegion {
    /// The lines to rewrite, without the last one's line end.
    pub range: ByteRange,
    /// Its first line, counted from zero.
    pub first_line: u32,
    /// Where the lines begin that are shown before it; they end where it begins.
    pub shown_from: ByteOffset,
    /// Where the lines begin that are shown behind it, and where they end.
    pub shown_behind: ByteRange,
}

impl EditRegion {
    /// The lines around an offset, unless its own line is too long or it is no place in the text.
    pub fn around(
        text: &Text,
        at: ByteOffset,
        settings: &settings::LaneSettings,
    ) -> Option<EditRegion> {
        let (most_prefix, most_suffix) = (settings.max_prefix_chars, settings.max_suffix_chars);
        let room = settings.max_tokens.saturating_mul(CHARS_PER_TOKEN);
        let line = text.position_of(at, PositionEncoding::Utf8).ok()?.line;
        let own = text.line(line).ok()?;
        // It may be between the two halves of a line end.
        let at = at.min(own.end());
        let (mut start, mut end) = (own.start(), own.end());
        let fits = |start: ByteOffset, end: ByteOffset| {
            let prefix = chars(text, start, at)?;
            let suffix = chars(text, at, end)?;
            let is_within = prefix <= most_prefix && suffix <= most_suffix;
            (is_within && prefix + suffix <= room).then_some(())
        };
        fits(start, end)?;
        let (mut first, mut last) = (line, line);
        let (mut goes_up, mut goes_down) = (true, true);
        while goes_up || goes_down {
            if goes_down {
                let below = next_line(text, last).filter(|_| last - line < MOST_BELOW);
                let grown = below.filter(|below| fits(start, below.end()).is_some());
                goes_down = grown.is_some();
                if let Some(grown) = grown {
                    (last, end) = (last + 1, grown.end());
                }
            }
            if goes_up {
                let above = last_line(text, first).filter(|_| line - first < MOST_ABOVE);
                let grown = above.filter(|above| fits(above.start(), end).is_some());
                goes_up = grown.is_some();
                if let Some(grown) = grown {
                    (first, start) = (first - 1, grown.start());
                }
            }
        }
        let mut shown_from = start;
        let mut top = first;
        while let Some(above) = last_line(text, top).filter(|_| first - top < MOST_SHOWN) {
            if chars(text, above.start(), at)? > most_prefix {
                break;
            }
            (top, shown_from) = (top - 1, above.start());
        }
        let behind = next_line(text, last).map_or(text.end(), ByteRange::start);
        let mut shown_to = behind;
        let mut bottom = last;
        while let Some(below) = next_line(text, bottom).filter(|_| bottom - last < MOST_SHOWN) {
            if chars(text, at, below.end())? > most_suffix {
                break;
            }
            (bottom, shown_to) = (bottom + 1, below.end());
        }
        Some(EditRegion {
            range: ByteRange::new(start, end).ok()?,
            first_line: first,
            shown_from,
            shown_behind: ByteRange::new(behind, shown_to).ok()?,
        })
    }

    /// The lines that are shown before it, with their line ends.
    pub fn before(&self) -> ByteRange {
        let before = ByteRange::new(self.shown_from, self.range.start());
        before.unwrap_or(ByteRange::empty(self.range.start()))
    }
}

fn next_line(text: &Text, line: u32) -> Option<ByteRange> {
    text.line(line.checked_add(1)?).ok()
}

fn last_line(text: &Text, line: u32) -> Option<ByteRange> {
    text.line(line.checked_sub(1)?).ok()
}

fn chars(text: &Text, from: ByteOffset, to: ByteOffset) -> Option<usize> {
    let (from, to) = (text.utf16_of(from).ok()?, text.utf16_of(to).ok()?);
    Some(to.get().saturating_sub(from.get()))
}

#[cfg(test)]
mod tests {
    use foretell_settings::Settings;

    use super::*;

    fn settings(change: impl Fn(&mut settings::LaneSettings)) -> settings::LaneSettings {
        let mut lane = Settings::default().lanes.next_edit;
        lane.max_tokens = 4_000;
        change(&mut lane);
        lane
    }

    fn numbered(count: usize) -> String {
        (1..=count).map(|number| format!("{number}\n")).collect()
    }

    /// The region around the first place that says so, and what is shown on either side.
    fn around(text: &str, place: &str, lane: &settings::LaneSettings) -> Option<[String; 3]> {
        let at = ByteOffset::new(text.find(place).unwrap());
        let text = Text::from(text);
        let region = EditRegion::around(&text, at, lane)?;
        let parts = [region.before(), region.range, region.shown_behind];
        Some(parts.map(|part| text.read(part).unwrap().into_owned()))
    }

    #[test]
    fn it_is_ten_lines_above_and_fifteen_below() {
        let text = numbered(100);
        let [before, region, behind] = around(&text, "50\n", &settings(|_| ())).unwrap();
        let lines: Vec<&str> = region.split('\n').collect();
        assert_eq!((lines[0], lines[25], lines.len()), ("40", "65", 26));
        assert!(before.starts_with("1\n2\n") && before.ends_with("\n39\n"));
        assert!(behind.starts_with("66\n") && behind.ends_with("\n100\n"));
        assert_eq!([before, region, "\n".to_owned(), behind].concat(), text);
    }

    #[test]
    fn it_stays_within_what_may_be_sent_and_never_splits_a_line() {
        let text = "aaaa\nbbbb\ncc|cc\ndddd\neeee\n";
        let lane = settings(|lane| (lane.max_prefix_chars, lane.max_suffix_chars) = (7, 8));
        let [before, region, behind] = around(text, "|", &lane).unwrap();
        let told = [before.as_str(), region.as_str(), behind.as_str()];
        assert_eq!(told, ["", "bbbb\ncc|cc\ndddd", ""]);
    }

    #[test]
    fn it_is_no_more_than_an_answer_may_say() {
        let text = numbered(9_000);
        let lane = settings(|lane| lane.max_tokens = 20);
        let [before, region, behind] = around(&text, "5000\n", &lane).unwrap();
        assert!(region.len() <= 40 && region.len() > 30, "{region:?}");
        assert!(!before.is_empty() && !behind.is_empty());
    }

    #[test]
    fn a_line_that_is_too_long_has_no_region() {
        let long = "x".repeat(5 << 20);
        assert_eq!(around(&long, "x", &settings(|_| ())), None);
        // Nor is it drawn in from beside.
        let beside = format!("{long}\n|\n{long}");
        let [before, region, behind] = around(&beside, "|", &settings(|_| ())).unwrap();
        let told = [before.as_str(), region.as_str(), behind.as_str()];
        assert_eq!(told, ["", "|", ""]);
    }

    #[test]
    fn the_empty_text_and_its_end_have_one() {
        let lane = settings(|_| ());
        let at = |text: &str, at: usize| {
            EditRegion::around(&Text::from(text), ByteOffset::new(at), &lane)
                .map(|it| it.range.len())
        };
        assert_eq!(at("", 0), Some(0));
        assert_eq!(at("a\r\n", 2), Some(3), "between CR and LF");
        assert_eq!(at("a\r\n", 3), Some(3));
        assert_eq!(at("a", 2), None, "that is no place in the text");
        assert_eq!(at("é", 1), None, "nor is that");
    }
}
