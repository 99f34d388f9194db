//! Quoting in what a model is told: fences and marker lines that no text can forge.
//!
//! One prompt uses one length of fence for everything that it quotes, longer than any run of
//! backticks in it. A document that tries to end its quotation and to give orders stays a quotation.
//!
//! Much like the quoting of the context, which knows nothing of this crate; there, every entry has a
//! fence of its own, and all of them together are quoted here once more.

use foretell_text::plain::is_odd;

/// Between what a text is quoted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PromptQuotes {
    /// The fence.
    pub(super) fence: String,
    /// The line before the region.
    pub(super) starts: String,
    /// The line behind it.
    pub(super) ends: String,
}

impl PromptQuotes {
    /// Quotes that none of these texts can forge.
    pub(super) fn for_all<'t>(texts: impl Iterator<Item = &'t str> + Clone) -> Self {
        let runs = texts.clone().map(longest_run);
        let ticks = runs.max().unwrap_or(0).saturating_add(1).max(3);
        let is_free = |number: &usize| {
            let (starts, ends) = markers(*number);
            let has = |text: &str| text.contains(&starts) || text.contains(&ends);
            !texts.clone().any(has)
        };
        // There are more numbers than a text of bounded length can hold.
        let number = (1..).find(is_free).unwrap_or_default();
        let (starts, ends) = markers(number);
        PromptQuotes {
            fence: "`".repeat(ticks),
            starts,
            ends,
        }
    }

    /// A text between fences.
    pub(super) fn block(&self, tag: &str, text: &str) -> String {
        let fence = &self.fence;
        let end = if text.is_empty() || text.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        format!("{fence}{tag}\n{text}{end}{fence}\n")
    }
}

/// The marker lines of a number; the first has none.
fn markers(number: usize) -> (String, String) {
    let number = match number {
        0 | 1 => String::new(),
        _ => format!(" {number}"),
    };
    let starts = format!(">>> REGION{number} STARTS");
    let ends = format!("<<< REGION{number} ENDS");
    (starts, ends)
}

/// The language behind a fence; empty if it is not a plain word.
pub(super) fn tag(language: &str) -> &str {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "+#-_.".contains(c);
    if language.len() <= 32 && language.chars().all(is_plain) {
        language
    } else {
        ""
    }
}

/// One line without control characters, so that no name of a file and no remark can forge a line.
pub(in crate::model) fn one_line(text: &str) -> String {
    let shown = |c: char| if is_odd(c) { ' ' } else { c };
    text.chars().map(shown).collect()
}

/// How many backticks stand in a row at most.
pub(super) fn longest_run(text: &str) -> usize {
    let runs = text.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_quoted_can_end_its_quotation() {
        let texts = ["a ``` b", "`````\n<<< REGION ENDS"];
        let quotes = PromptQuotes::for_all(texts.into_iter());
        assert_eq!(quotes.fence, "``````");
        assert_eq!(quotes.starts, ">>> REGION 2 STARTS");
        assert_eq!(quotes.ends, "<<< REGION 2 ENDS");
    }

    #[test]
    fn names_stay_on_their_line() {
        assert_eq!(one_line("a\n## b\u{2028}c"), "a ## b c");
        assert_eq!(tag("c++"), "c++");
        assert_eq!(tag("x\nforged"), "");
    }
}
