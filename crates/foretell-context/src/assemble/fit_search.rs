//! How much of something fits, found without looking at much more than that.
//!
//! Counting may be slow, and what is counted may be many times too long. So the search begins near
//! where the answer should be, doubles while it knows no limit, and then goes to where the answer
//! would be if tokens were spread evenly, and to the middle, in turns. Where more of something may
//! have fewer tokens, what is found need not be the most there is, but it is always something that
//! was measured and fits.

/// The largest number from 1 to `most` that fits in `room` tokens; 0 if none was found. `measure`
/// says how many tokens a number takes, unless they are too many.
pub(super) fn largest(
    room: usize,
    first: usize,
    most: usize,
    mut measure: impl FnMut(usize) -> Option<usize>,
) -> usize {
    let (mut fits, mut used) = (0, 0);
    let mut too_much = most.saturating_add(1);
    let mut next = first;
    let mut is_middle_next = false;
    while too_much - fits > 1 {
        let probe = next.clamp(fits + 1, too_much - 1);
        match measure(probe) {
            Some(tokens) if tokens >= room => return probe,
            Some(tokens) => (fits, used) = (probe, tokens),
            None => too_much = probe,
        }
        let middle = fits + (too_much - fits) / 2;
        let doubled = fits.saturating_mul(2).max(first);
        let even = fits.saturating_mul(room) / used.max(1);
        next = if is_middle_next || used == 0 {
            middle.min(doubled)
        } else {
            even
        };
        is_middle_next = !is_middle_next;
    }
    fits
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result, and how often it was measured.
    fn found(
        first: usize,
        most: usize,
        tokens: impl Fn(usize) -> usize,
        room: usize,
    ) -> (usize, usize) {
        let mut measured = 0;
        let largest = largest(room, first, most, |number| {
            measured += 1;
            Some(tokens(number)).filter(|tokens| *tokens <= room)
        });
        (largest, measured)
    }

    #[test]
    fn the_largest_that_fits_is_found_in_a_few_steps() {
        let ends: Vec<usize> = vec![0, 1, 7, 100, 7_900, 8_000, 199_999, 200_000];
        for end in ends {
            let (largest, measured) = found(8_000, 200_000, |n| usize::from(n > end) * 9, 8);
            assert_eq!(largest, end);
            assert!(measured <= 40, "{end}: {measured} steps");
        }
        let (largest, measured) = found(8_000, 200_000, |n| n / 4 + 30, 2_000);
        assert!((7_880..=7_883).contains(&largest), "{largest}");
        assert!(measured <= 8, "{measured} steps");
    }

    #[test]
    fn nothing_much_larger_than_what_fits_is_measured() {
        let mut longest = 0;
        largest(2_000, 8_000, 200_000, |number| {
            longest = longest.max(number);
            Some(number / 10).filter(|tokens| *tokens <= 2_000)
        });
        assert!(longest < 41_000, "{longest}");
    }

    #[test]
    fn there_may_be_nothing_to_find() {
        assert_eq!(found(1, 0, |n| n, 5).0, 0);
        assert_eq!(found(1, 9, |_| 6, 5).0, 0);
        assert_eq!(found(0, usize::MAX, |_| 0, 0).0, 1);
    }
}
