// Waits for something to become true, and says what was waited for if it does not.
//
// It is the only place of the tests that lets time pass. There is no plain sleep, because a test that
// sleeps is slow on a fast machine and wrong on a slow one.

/** Long enough for two busy cores; nothing that works takes it. */
export const PATIENCE_MS = 45_000;

/**
 * Looks until there is something to see: anything but `undefined`, `null` and `false`.
 *
 * `seen` is asked when it took too long, for what there was instead.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  options: { patienceMs?: number; seen?: () => unknown } = {},
): Promise<Exclude<T, undefined | null | false>> {
  const patience = options.patienceMs ?? PATIENCE_MS;
  const end = Date.now() + patience;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) {
      return found as Exclude<T, undefined | null | false>;
    }
    if (Date.now() > end) {
      const instead = options.seen === undefined ? "" : `; there is ${await told(options.seen)}`;
      throw new Error(`after ${patience} ms there is no ${what}${instead}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function told(seen: () => unknown): Promise<string> {
  return JSON.stringify(await seen())?.slice(0, 2_000) ?? "nothing";
}

/** The result of `work`, or an error if it takes longer than it may. */
export async function within<T>(limitMs: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
