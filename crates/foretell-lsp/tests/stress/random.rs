//! Numbers that look random and are the same for a seed.

/// The sequence of a seed.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        // Seeds that differ in one bit are to have sequences that differ in all.
        let mixed = (seed ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mut random = Random(mixed | 1);
        random.below(2);
        random
    }

    /// The next number below a bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        // The upper bits are the better ones.
        ((self.0 >> 11) % bound as u64) as usize
    }

    /// Whether something happens that does once in so many times.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of several.
    pub(crate) fn one_of<T: Clone>(&mut self, several: &[T]) -> T {
        let which = self.below(several.len());
        several[which].clone()
    }
}
