//! A histogram: how many of all durations were at most so long.
//!
//! The last thousand durations say how it is going now. Somebody who scrapes numbers every few seconds
//! wants to add up all of them, which is what this is for.

/// Counted durations, in seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    bounds: &'static [f64],
    /// How many were at most as long as each bound and longer than the one before it.
    counts: Vec<u64>,
    count: u64,
    sum: f64,
}

impl Histogram {
    /// One that nothing was counted in. Bounds ascend.
    pub fn new(bounds: &'static [f64]) -> Self {
        Histogram {
            bounds,
            counts: vec![0; bounds.len()],
            count: 0,
            sum: 0.0,
        }
    }

    /// Counts a duration.
    pub fn add(&mut self, seconds: f64) {
        let place = self.bounds.iter().position(|bound| seconds <= *bound);
        if let Some(count) = place.and_then(|it| self.counts.get_mut(it)) {
            *count += 1;
        }
        self.count += 1;
        self.sum += seconds;
    }

    /// Each bound, and how many were at most as long.
    pub fn cumulative(&self) -> impl Iterator<Item = (f64, u64)> {
        let counts = self.counts.iter().scan(0, |all, count| {
            *all += count;
            Some(*all)
        });
        self.bounds.iter().copied().zip(counts)
    }

    /// How many there were.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// How long all of them together were.
    pub fn sum(&self) -> f64 {
        self.sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bound_counts_all_that_are_at_most_as_long() {
        let mut histogram = Histogram::new(&[0.1, 1.0]);
        [0.05, 0.1, 0.5, 7.0]
            .into_iter()
            .for_each(|it| histogram.add(it));
        let cumulative: Vec<_> = histogram.cumulative().collect();
        assert_eq!(cumulative, [(0.1, 2), (1.0, 3)]);
        assert_eq!((histogram.count(), histogram.sum()), (4, 7.65));
    }
}
