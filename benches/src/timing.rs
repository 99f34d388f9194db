//! Timing things in turns.
//!
//! Each contestant runs in batches long enough for the clock to resolve; the batches alternate for
//! several rounds, and the median of a contestant's rounds counts. The spread between the quartiles
//! is kept, because it tells how quiet the machine was.

use std::time::{Duration, Instant};

/// How often each contestant has its turn.
const ROUNDS: usize = 15;
/// How long one turn should take at least.
const TURN: Duration = Duration::from_millis(4);

/// What one operation costs.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// The median of the rounds, in nanoseconds.
    pub nanos: f64,
    /// The distance of the quartiles, as a share of the median.
    pub spread: f64,
}

/// Runs every contestant in turns and says what each costs, in the same order. One call of a
/// contestant counts as one operation.
pub fn in_turns<const N: usize>(mut contestants: [&mut dyn FnMut(); N]) -> [Cost; N] {
    let batches = contestants
        .each_mut()
        .map(|contestant| batch_for(*contestant));
    let mut rounds: [Vec<f64>; N] = std::array::from_fn(|_| Vec::with_capacity(ROUNDS));
    for _ in 0..ROUNDS {
        for (index, contestant) in contestants.iter_mut().enumerate() {
            let elapsed = time(*contestant, batches[index]);
            rounds[index].push(elapsed.as_nanos() as f64 / batches[index] as f64);
        }
    }
    rounds.map(|mut nanos| {
        nanos.sort_by(f64::total_cmp);
        let quartile = |quarter: usize| nanos[(ROUNDS - 1) * quarter / 4];
        Cost {
            nanos: quartile(2),
            spread: (quartile(3) - quartile(1)) / quartile(2),
        }
    })
}

/// How many operations fill a turn.
fn batch_for(contestant: &mut dyn FnMut()) -> u32 {
    let mut batch = 1;
    loop {
        let elapsed = time(contestant, batch);
        if elapsed >= TURN || batch >= 1 << 24 {
            return batch;
        }
        batch *= 2;
    }
}

fn time(contestant: &mut dyn FnMut(), batch: u32) -> Duration {
    let start = Instant::now();
    for _ in 0..batch {
        contestant();
    }
    start.elapsed()
}
