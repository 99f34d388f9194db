// The other tests rely on this, in VS Code without any extension: that what is read is what is there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { blanks, misfits, type State } from "./support/frames";
import { stories } from "./support/stories";

const story = stories({ extension: null, waitForServer: false });

story("what is typed is drawn, and is what is saved", async (editor) => {
  editor.write("one.txt", "first\n\nlast\n");
  await editor.open("one.txt", [2, 1]);
  await editor.type("a  wide gap 😀 é");
  assert.deepEqual(await editor.drawn(), ["first", "a  wide gap 😀 é", "last", ""]);
  assert.equal(await editor.saved(), "first\na  wide gap 😀 é\nlast\n");
  await editor.press("Control+Z");
  assert.notEqual(await editor.saved(), "first\na  wide gap 😀 é\nlast\n");
});

story("line ends stay what they are", async (editor) => {
  editor.write("two.txt", "first\r\nlast\r\n");
  await editor.open("two.txt", [1, 6]);
  await editor.type("\nsecond");
  assert.equal(await editor.saved(), "first\r\nsecond\r\nlast\r\n");
});

story("a story begins with nothing open, and saves nothing of the one before", async (editor) => {
  assert.deepEqual(await editor.tabs(), []);
  const path = editor.write("folder/three.txt", "kept\n");
  await editor.open("folder/three.txt");
  await editor.type("lost ");
  await editor.tidy();
  assert.deepEqual(await editor.tabs(), []);
  await editor.open(path);
  assert.equal((await editor.drawn())[0], "kept");
});

story("every key is seen in a painted frame of its own", async (editor) => {
  editor.write("four.txt", "");
  await editor.open("four.txt");
  const states = await editor.recorded(async () => {
    for (const key of "abc") {
      await editor.type(key);
      await editor.frame();
    }
  });
  const painted = states.filter((state) => state.painted).map(({ line }) => line);
  assert.deepEqual(
    painted.filter((line) => line !== ""),
    ["a", "ab", "abc"],
  );
});

story("commands are run by their names, and the tab says what is open", async (editor) => {
  editor.write("five.txt", "one\ntwo\n");
  await editor.open("five.txt", [2, 2]);
  await editor.run("Transform to Uppercase");
  assert.equal(await editor.saved(), "one\nTWO\n");
  assert.deepEqual(await editor.tabs(), ["five.txt"]);
});

function painted(line: string, ghost: string, isPainted = true): State {
  return { at: 0, painted: isPainted, line, ghost };
}

test("a blank frame is found, and one that nobody saw is none", () => {
  const steady = [painted("to", "tal"), painted("tot", "al"), painted("total", "")];
  assert.deepEqual(blanks(steady, "total"), []);
  assert.deepEqual(misfits(steady, "total"), []);
  const blank = painted("tot", "");
  assert.deepEqual(blanks([painted("to", "tal"), blank, painted("tot", "al")], "total"), [blank]);
  const unseen = painted("tot", "", false);
  assert.deepEqual(blanks([painted("to", "tal"), unseen, painted("tot", "al")], "total"), []);
  const shifted = painted("tot", "tal");
  assert.deepEqual(misfits([painted("to", "tal"), shifted], "total"), [shifted]);
});

test("ghost text that never came is not taken for steady", () => {
  assert.throws(() => blanks([painted("to", "")], "total"), /no ghost text at all/);
});
