// TypeScript's diagnostics of a file, and its quick fixes: the server hears of
// both, and offers the fix.
import assert from "node:assert/strict";
import type { Editor } from "./support/editor";
import type { Said } from "./support/messages";
import { stories } from "./support/stories";
import { until } from "./support/until";

const story = stories({
  // An edit is recent however long TypeScript takes to say something of it.
  settings: {
    "foretell.trigger.recentEditMs": 120_000,
    // What is said at the cursor has the key, and the label of a fix elsewhere waits for that.
    "foretell.recall.mode": "off",
  },
});

const MISSPELLED = "const price = 1;\nconst sum = prise + 1;\nexport { sum };\n";

interface Told {
  uri: string;
  version: number;
  diagnostics: { message: string }[];
  fixes: {
    title: string;
    isPreferred: boolean;
    edits: { newText: string }[];
    diagnostic: { message: string };
  }[];
}

function toldOf({ message }: Said): Told {
  return message.params as unknown as Told;
}

/** Waits until the server was told of a fix with this title. */
async function untilFix(editor: Editor, title: RegExp): Promise<Told> {
  const said = await editor.messages.until(
    "foretell/didChangeDiagnostics",
    (it) => toldOf(it).fixes.some((fix) => title.test(fix.title)),
    { patienceMs: 60_000 },
  );
  return toldOf(said);
}

function kindOf({ message }: Said): number | undefined {
  return (message.params?.context as { triggerKind: number } | undefined)?.triggerKind;
}

/** The version that the server has of the text that was changed last. */
function versionOf(editor: Editor): number | undefined {
  const change = editor.messages.of("textDocument/didChange").at(-1)?.message.params;
  return (change?.textDocument as { version: number } | undefined)?.version;
}

story("a misspelled name is told with its fix, for the text as it is", async (editor) => {
  editor.write("told.ts", MISSPELLED);
  await editor.open("told.ts");
  const told = await untilFix(editor, /Change spelling/);
  assert.match(told.uri, /told\.ts$/);
  assert.match(told.diagnostics[0]?.message ?? "", /Cannot find name 'prise'/);
  const fix = told.fixes.find(({ title }) => /Change spelling/.test(title));
  assert.equal(fix?.diagnostic.message, told.diagnostics[0]?.message);
  assert.equal(fix?.isPreferred, true);
  assert.deepEqual(
    fix?.edits.map(({ newText }) => newText),
    ["price"],
  );
  // A diagnostic that is gone is reported, too.
  const since = editor.messages.now();
  await editor.goTo(2, 18);
  await editor.press("Backspace", "Backspace");
  await editor.type("ce");
  await editor.messages.until(
    "foretell/didChangeDiagnostics",
    (it) => toldOf(it).diagnostics.length === 0,
    { since, patienceMs: 60_000 },
  );
});

story("the fix of what was just typed is one Tab away", async (editor) => {
  // What was there before is not offered: that would take back what was typed.
  editor.write("fixed.ts", MISSPELLED.replace("prise", "pri"));
  await editor.open("fixed.ts", [2, 16]);
  await editor.type("se");
  await editor.messages.until(
    "foretell/didChangeDiagnostics",
    (it) => toldOf(it).version === versionOf(editor) && toldOf(it).fixes.length > 0,
    { patienceMs: 60_000 },
  );
  // The server wants to be asked where the cursor goes after an edit.
  await editor.press("ArrowLeft");
  await editor.untilLabel("Tab: accept");
  await editor.screenshot("fix");
  await editor.press("Tab");
  await until("line that is right", async () => (await editor.drawn())[1]?.includes("price"), {
    seen: () => editor.drawn(),
  });
  assert.equal(await editor.saved(), MISSPELLED.replace("prise", "price"));
});

story(
  "a line that was just written, and is not used yet, is not offered to be removed",
  async (editor) => {
    editor.write("unused.ts", "export {};\n");
    await editor.open("unused.ts");
    await editor.press("Control+End");
    await editor.type("const limit = 10;\n// later");
    await untilFix(editor, /[Rr]emove/);
    const since = editor.messages.now();
    await editor.press("ArrowUp");
    // Nor for the person who asks.
    await editor.run("Trigger Inline Suggestion");
    const answer = await until("answer to the person", () => {
      const asked = editor.messages.of("textDocument/copilotInlineEdit", since);
      const byPerson = asked.find((it) => kindOf(it) === 1);
      return byPerson && editor.messages.answered(byPerson);
    });
    assert.deepEqual(answer.message.result, { edits: [] });
    assert.equal(await editor.label(), undefined);
  },
);

story("what takes something away is a next edit for the person who asks, too", async (editor) => {
  editor.write("asked.ts", MISSPELLED);
  await editor.open("asked.ts", [2, 14]);
  await untilFix(editor, /Change spelling/);
  assert.equal(await editor.label(), undefined);
  await editor.run("Trigger Inline Suggestion");
  await editor.untilLabel("Tab: accept");
  await editor.screenshot("fix-asked");
});

story(
  "an error that TypeScript finds after the pause is mended without another key",
  async (editor) => {
    editor.write("later.ts", "const price = 1;\nexport { price };\n");
    await editor.open("later.ts");
    await editor.press("Control+End");
    await editor.type("export const sum = prise + 1;", 40);
    await editor.untilLabel("Tab: accept");
    await editor.screenshot("fix-later");
    await editor.press("Tab");
    await until("mended line", async () => (await editor.drawn())[2]?.includes("sum = price"), {
      seen: () => editor.drawn(),
    });
  },
);
