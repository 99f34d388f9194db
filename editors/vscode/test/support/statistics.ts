// Medians, and how sure one can be of them.
//
// The resamples are drawn by a seed, so that the same measurements always print the same interval.

export function quantile(values: number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (sorted.length - 1) * part;
  const low = sorted[Math.floor(at)];
  const high = sorted[Math.ceil(at)];
  if (low === undefined || high === undefined)
    throw new Error("there is nothing to take a quantile of");
  return low + (high - low) * (at - Math.floor(at));
}

export function median(values: number[]): number {
  return quantile(values, 0.5);
}

/** The 95 % interval of the median, by resampling ten thousand times. */
export function intervalOfMedian(values: number[], seed = 1): [low: number, high: number] {
  const random = mulberry32(seed);
  const medians = Array.from({ length: 10_000 }, () =>
    median(values.map(() => values[Math.floor(random() * values.length)] ?? 0)),
  );
  return [quantile(medians, 0.025), quantile(medians, 0.975)];
}

/** A small generator of numbers from 0 to 1 that is good enough to pick samples. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
