//! The table of what is usual: how often each gap follows each kind of stroke.
//!
//! It is what four recorded sessions of public data sets have in common, each of which weighs the same: two in which
//! TypeScript was written, and two of prose in Markdown, as `cargo bench --bench pace` prints it. With the same
//! table of three of them, the fourth is served as well. Nothing in it was fitted by hand.

use super::person_stroke::PersonStroke;
use super::typing_gaps::GAP_STEPS;

/// Of ten thousand gaps, those up to 50 ms, up to 100 ms and so on, and at last those of more than a second.
#[rustfmt::skip]
pub(super) const ROWS: [[u16; GAP_STEPS]; PersonStroke::COUNT] = [
    // Word
    [454, 1381, 1138, 491, 241, 87, 46, 60, 46, 47, 38, 30, 21, 23, 15, 29, 11, 9, 9, 6, 190],
    // Blank
    [20, 10, 132, 194, 135, 62, 46, 32, 30, 16, 13, 16, 16, 16, 5, 7, 4, 5, 7, 5, 111],
    // End
    [27, 15, 54, 37, 20, 11, 8, 8, 9, 6, 5, 5, 12, 5, 5, 11, 6, 11, 1, 3, 158],
    // Deletion
    [71, 20, 94, 122, 82, 49, 40, 17, 24, 15, 8, 7, 11, 5, 7, 12, 3, 5, 16, 2, 167],
    // Block
    [371, 52, 27, 35, 27, 23, 9, 9, 8, 2, 11, 5, 2, 11, 5, 1, 3, 18, 13, 1, 180],
    // Opener
    [5, 4, 16, 22, 19, 18, 10, 3, 11, 11, 3, 3, 2, 1, 3, 1, 1, 1, 0, 2, 41],
    // Sign
    [31, 22, 59, 57, 30, 16, 6, 9, 5, 12, 3, 4, 5, 10, 1, 4, 2, 0, 1, 2, 61],
    // Move
    [421, 114, 134, 188, 131, 103, 67, 76, 77, 43, 17, 41, 37, 23, 38, 15, 13, 27, 22, 16, 618],
];
