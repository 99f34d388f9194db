//! Who counts, besides the estimate.

use foretell_context::CountTokens;

/// Takes the longest word it knows, again and again, and single characters otherwise. What it
/// counts for two texts is not what it counts for both in one, and a longer text may be fewer
/// tokens: `(truncated` is three, `(truncated)` is one.
pub(super) struct Greedy;

const KNOWN: [&str; 12] = [
    "\n\n... (truncated)",
    "(truncated)",
    "\n---\n\n## ",
    "\n\n",
    "```",
    "truncat",
    "ed",
    "    ",
    "let value = compute",
    "שלום",
    "合計",
    "xxxxxxxx",
];

impl CountTokens for Greedy {
    fn count(&self, text: &str) -> usize {
        let mut rest = text;
        let mut tokens = 0;
        while let Some(first) = rest.chars().next() {
            let known = KNOWN.iter().filter(|known| rest.starts_with(**known));
            let longest = known.map(|known| known.len()).max();
            rest = &rest[longest.unwrap_or(first.len_utf8())..];
            tokens += 1;
        }
        tokens
    }
}

/// About as many as the estimate, but up to twice as many, by no rule that anyone could guess.
pub(super) struct Odd;

impl CountTokens for Odd {
    fn count(&self, text: &str) -> usize {
        let mixed = text.bytes().fold(text.len(), |mixed, byte| {
            mixed.wrapping_mul(31).wrapping_add(usize::from(byte))
        });
        let tokens = text.len().div_ceil(4);
        tokens + mixed % (tokens + 1)
    }
}
