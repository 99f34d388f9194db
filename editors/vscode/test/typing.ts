// A benchmark, not a test: whether typing is slowed.
//
// `npm run bench` types the same text in two VS Codes, one with Foretell and one without any extension,
// in pairs and in turns, so that what else the machine does falls on both. For each key it takes the
// time until its character is in a painted frame, and for a burst of keys, typed as fast as the page
// takes them, the time per key. It prints and judges nothing: times depend on the machine.
//
// `npm run bench -- --with none` compares VS Code with itself, which shows how much is noise;
// `--with FOLDER` takes another extension; `--pairs N` more or fewer pairs.
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { keysSeen, startClock, stopClock } from "./support/clock";
import { Editor, type EditorSetup } from "./support/editor";
import { extensionUnderTest } from "./support/places";
import { intervalOfMedian, median, quantile } from "./support/statistics";
import { until } from "./support/until";

/** The text above the typed line, from which the embedded lane guesses how that goes on. */
const ABOVE = `impl Shape {
    fn grow(&mut self, width: u32, height: u32, depth: u32, weight: u32) {
        self.width = self.width + width;
        self.height = self.height + height;
        self.depth = self.depth + depth;
`;
const BELOW = "\n    }\n}\n";
/** Typed at a steady rate, with a pause in between, in which a suggestion may come. */
const STEADY = ["        self.weight = ", "self.weight + weight;"] as const;
const PAUSE_MS = 1_000;
/** Milliseconds between two keys: fast for a person, and no multiple of a frame. */
const RATE_MS = 71;
const BURST = "let total = self.width + self.height + self.depth + self.weight;";

const SETTINGS = { "editor.autoClosingBrackets": "never", "editor.autoIndent": "none" };

const KEYS = STEADY.join("").length;

interface Round {
  /** For each key of the steady part. */
  keys: number[];
  /** For each key of the burst, on average. */
  burst: number;
  ghost: boolean;
}

async function typed(editor: Editor, name: string): Promise<Round> {
  editor.write(name, ABOVE + BELOW);
  await editor.open(name, [ABOVE.split("\n").length, 1]);
  await editor.page.evaluate(startClock);
  const [before, behind] = STEADY;
  await editor.type(before, RATE_MS);
  await editor.page.waitForTimeout(PAUSE_MS);
  await editor.type(behind, RATE_MS);
  await seen(editor, KEYS);
  const steady = await editor.page.evaluate(stopClock);
  // A suggestion that is still there would make the burst another text.
  await editor.press("Escape", "Enter");
  await until("empty line", () =>
    editor.page.evaluate(() => window.foretellEyes.cursorLine() === ""),
  );
  await editor.page.evaluate(startClock);
  const began = performance.now();
  await editor.type(BURST, 0);
  await seen(editor, BURST.length);
  const took = performance.now() - began;
  await editor.page.evaluate(stopClock);
  await editor.tidy();
  return { keys: steady.tookMs, burst: took / BURST.length, ghost: steady.withGhost > 0 };
}

async function seen(editor: Editor, keys: number): Promise<void> {
  await until(
    "last key on the screen",
    async () => (await editor.page.evaluate(keysSeen)) === keys,
    {
      seen: () => editor.page.evaluate(keysSeen),
    },
  );
}

function row(name: string, values: number[]): string {
  const numbers = [0.5, 0.95].map((part) => quantile(values, part).toFixed(2).padStart(8));
  return `${name.padEnd(24)} ${numbers.join(" ")}`;
}

function difference(name: string, pairs: [withIt: number, without: number][]): string {
  const values = pairs.map(([withIt, without]) => withIt - without);
  const [low, high] = intervalOfMedian(values).map((bound) => bound.toFixed(2));
  return `${name}: ${median(values).toFixed(2)} ms (95 % interval ${low} to ${high} ms)`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { with: { type: "string" }, pairs: { type: "string", default: "20" } },
  });
  const extension = values.with === "none" ? null : (values.with ?? extensionUnderTest());
  const pairs = Number(values.pairs);
  console.log(
    `load before: ${loadavg()
      .map((load) => load.toFixed(2))
      .join(" ")}`,
  );

  const setup: EditorSetup = { settings: SETTINGS };
  const editors = [await Editor.start({ ...setup, extension })];
  try {
    editors.push(await Editor.start({ ...setup, extension: null }));
    const [withIt, without] = editors as [Editor, Editor];
    const rounds: [Round, Round][] = [];
    // The first ones compile what all later ones run.
    for (const editor of editors) await typed(editor, "warm.rs");
    for (let pair = 0; pair < pairs; pair += 1) {
      const name = `pair${pair}.rs`;
      if (pair % 2 === 0) {
        const first = await typed(withIt, name);
        rounds.push([first, await typed(without, name)]);
      } else {
        const first = await typed(without, name);
        rounds.push([await typed(withIt, name), first]);
      }
    }
    report(rounds, extension ?? "no extension");
  } finally {
    for (const editor of editors) await editor.stop();
  }
}

function report(rounds: [Round, Round][], extension: string): void {
  const drawn = rounds.filter(([withIt]) => withIt.ghost).length;
  console.log(
    `${rounds.length} pairs of ${KEYS} keys, one each ${RATE_MS} ms, and ${BURST.length} in a burst`,
  );
  console.log(`with: ${extension}; ghost text was drawn in ${drawn} of ${rounds.length} rounds`);
  console.log(`${"ms".padEnd(24)} ${"p50".padStart(8)} ${"p95".padStart(8)}`);
  console.log(
    row(
      "a key, with",
      rounds.flatMap(([withIt]) => withIt.keys),
    ),
  );
  console.log(
    row(
      "a key, without",
      rounds.flatMap(([, without]) => without.keys),
    ),
  );
  console.log(
    row(
      "a key in a burst, with",
      rounds.map(([withIt]) => withIt.burst),
    ),
  );
  console.log(
    row(
      "a key in a burst, without",
      rounds.map(([, without]) => without.burst),
    ),
  );
  console.log(
    difference(
      "median difference of a key",
      rounds.map(([withIt, without]) => [median(withIt.keys), median(without.keys)]),
    ),
  );
  console.log(
    difference(
      "median difference of a key in a burst",
      rounds.map(([withIt, without]) => [withIt.burst, without.burst]),
    ),
  );
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
