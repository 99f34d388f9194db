// Measures in the page how long a key takes: from the event to the frame in which its character is there.
//
// It is for the benchmark; what was typed must be one line without brackets and quotes, because each
// key has to be one character more.

interface Clock {
  tookMs: number[];
  /** In how many frames there was ghost text. */
  withGhost: number;
  stop(): void;
}

declare global {
  interface Window {
    foretellClock?: Clock;
  }
}

/** Runs in the page, and refers to nothing outside itself but the eyes. */
export function startClock(): void {
  window.foretellClock?.stop();
  const length = () => (window.foretellEyes.cursorLine() ?? "").length;
  const before = length();
  const pressed: number[] = [];
  // The event has the time at which the browser got the key, however late the page hears of it.
  const press = (event: KeyboardEvent) => {
    if (event.key.length === 1) pressed.push(event.timeStamp);
  };
  window.addEventListener("keydown", press, true);
  const stopPainted = window.foretellEyes.everyPaint(() => {
    const now = performance.now();
    const typed = Math.min(length() - before, pressed.length);
    while (clock.tookMs.length < typed) {
      clock.tookMs.push(now - (pressed[clock.tookMs.length] ?? now));
    }
    if (window.foretellEyes.ghost() !== "") clock.withGhost += 1;
  });
  const clock: Clock = {
    tookMs: [],
    withGhost: 0,
    stop: () => {
      window.removeEventListener("keydown", press, true);
      stopPainted();
    },
  };
  window.foretellClock = clock;
}

/** Runs in the page: how many keys are there so far. */
export function keysSeen(): number {
  return window.foretellClock?.tookMs.length ?? 0;
}

/** Runs in the page. */
export function stopClock(): { tookMs: number[]; withGhost: number } {
  const clock = window.foretellClock;
  if (clock === undefined) throw new Error("nothing is measured");
  clock.stop();
  delete window.foretellClock;
  return { tookMs: clock.tookMs, withGhost: clock.withGhost };
}
