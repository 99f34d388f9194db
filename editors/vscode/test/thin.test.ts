// That the client decides nothing: what would let it wait, choose or try again is not in it.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PACKAGE } from "./support/places";

const SOURCES = join(PACKAGE, "src");

function filesWith(pattern: RegExp): string[] {
  const files = readdirSync(SOURCES).filter((name) => name.endsWith(".ts"));
  return files.filter((name) => pattern.test(readFileSync(join(SOURCES, name), "utf8"))).sort();
}

test("there are no timers but for drawing: a next edit that is in doubt, and the end of an hour", () => {
  assert.deepEqual(filesWith(/setTimeout|setInterval|setImmediate/), [
    "nextEdits.ts",
    "pause.ts",
    "status.ts",
  ]);
});

test("only what is written for it asks the server for suggestions", () => {
  assert.deepEqual(filesWith(/copilotInlineEdit/), ["nextEdits.ts", "protocol.ts"]);
  assert.deepEqual(filesWith(/inlineSuggest\.trigger/), ["ghost.ts"]);
});
