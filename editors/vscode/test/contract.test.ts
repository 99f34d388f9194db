// Rules of docs/editor-client.md that no other test is about: what is told in which order, and what is
// never shown or logged.
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { KEYS } from "./support/code-server";
import type { Editor } from "./support/editor";
import { kindOf } from "./support/insisting";
import type { Said } from "./support/messages";
import { stories } from "./support/stories";
import { until } from "./support/until";

const story = stories({
  serverArguments: (server) =>
    server.script([{ after: "const sum = ", insert: "unmistakable * count;", delayMs: 30 }]),
});

async function offered(editor: Editor, name: string): Promise<void> {
  editor.write(name, "");
  await editor.open(name);
  await editor.type("const sum = ");
  await editor.untilGhost("unmistakable * count;");
}

/** The methods of what the client said of a document, each run of the same one once. */
function toldOf(editor: Editor, name: string): string[] {
  const of = editor.messages.all().filter(({ from, message }) => {
    const { uri } = (message.params?.textDocument ?? {}) as { uri?: string };
    return from === "client" && uri?.endsWith(name);
  });
  const methods = of.map(({ message }) => message.method ?? "");
  return methods.filter((it, at) => it !== methods[at - 1]);
}

function versionOf({ message }: Said): unknown {
  return (message.params?.textDocument as { version?: number } | undefined)?.version;
}

story("a document is told in order, from its opening to its end", async (editor) => {
  editor.write("first.ts", "");
  editor.write("second.ts", "");
  await editor.open("first.ts");
  // In a comment, where VS Code opens no list instead.
  await editor.type("// a");
  const asked = await editor.messages.until("textDocument/inlineCompletion", (it) =>
    isDeepStrictEqual(it.message.params?.position, { line: 0, character: 4 }),
  );
  assert.equal(kindOf(asked), 2);
  const change = editor.messages.around(asked, "textDocument/didChange").before.at(-1);
  assert.ok(change !== undefined, "the change is told before it is asked about");
  await editor.press("Home");
  const start = { line: 0, character: 0 };
  const moved = await editor.messages.until(
    "foretell/didChangeSelection",
    (it) =>
      isDeepStrictEqual(it.message.params?.selections, [{ start, end: start }]) &&
      versionOf(it) === versionOf(change),
  );
  assert.ok(editor.messages.around(change, "foretell/didChangeSelection").behind.includes(moved));
  await editor.saved();
  await editor.press(KEYS.revertAndClose);
  await editor.messages.until("textDocument/didClose");
  await editor.open("second.ts");
  await editor.messages.until("foretell/didFocus", ({ message }) =>
    JSON.stringify(message.params).includes("second.ts"),
  );
  const told = toldOf(editor, "first.ts");
  assert.equal(told[0], "textDocument/didOpen");
  assert.equal(told.at(-1), "textDocument/didClose");
  for (const method of ["foretell/didFocus", "textDocument/didSave"]) {
    assert.ok(told.includes(method), `${method} in ${told}`);
  }
});

story("accepting is one undo, which is told as such just before its change", async (editor) => {
  await offered(editor, "undone.ts");
  await editor.press("Tab");
  await editor.untilNoGhost();
  for (const [key, reason, text] of [
    ["Control+Z", "undo", "const sum = "],
    ["Control+Y", "redo", "const sum = unmistakable * count;"],
  ] as const) {
    const since = editor.messages.now();
    await editor.press(key);
    await until(
      "text after it",
      async () => (await editor.drawn())[0]?.trimEnd() === text.trimEnd(),
    );
    const change = await editor.messages.until("textDocument/didChange", () => true, { since });
    // Of what is said of changes: a question may fall between.
    const changes = ["foretell/willChange", "textDocument/didChange"];
    const before = editor.messages
      .all(since)
      .filter(({ from, message }) => from === "client" && changes.includes(message.method ?? ""));
    const announced = before[before.indexOf(change) - 1];
    assert.equal(announced?.message.method, "foretell/willChange");
    assert.equal(announced?.message.params?.reason, reason);
    assert.equal(versionOf(announced), versionOf(change));
  }
});

story("an answer for a place that the cursor has left is not shown", async (editor) => {
  editor.write("late.ts", "");
  await editor.open("late.ts");
  const there = { line: 0, character: "const sum = ".length };
  const late = await editor.server.silent(async () => {
    await editor.type("const sum = ");
    const asked = await editor.messages.until("textDocument/inlineCompletion", (it) =>
      isDeepStrictEqual(it.message.params?.position, there),
    );
    await editor.press("Home");
    await editor.untilCursor(1, 1);
    return asked;
  });
  await editor.messages.answer(late);
  await editor.frame();
  assert.equal(await editor.ghost(), "");
  assert.deepEqual(editor.messages.of("foretell/didShow"), []);
});

story("the whole text is told when the server asks for it", async (editor) => {
  editor.write("lost.ts", "const count = 2;\n");
  await editor.open("lost.ts");
  const opened = await editor.messages.until("textDocument/didOpen");
  const { uri } = (opened.message.params?.textDocument ?? {}) as { uri?: string };
  const nowhere = { line: 99, character: 0 };
  await editor.server.hears({
    method: "textDocument/didChange",
    params: {
      textDocument: { uri, version: 2 },
      contentChanges: [{ range: { start: nowhere, end: nowhere }, text: "x" }],
    },
  });
  const resync = await editor.messages.until("foretell/resync");
  await until("whole text behind it", () =>
    editor.messages
      .around(resync, "textDocument/didChange")
      .behind.find(({ message }) =>
        isDeepStrictEqual(message.params?.contentChanges, [{ text: "const count = 2;\n" }]),
      ),
  );
  await editor.press("Control+End");
  await editor.type("const sum = ");
  await editor.untilGhost("unmistakable * count;");
});

story("no text is in the log", async (editor) => {
  await offered(editor, "logged.ts");
  await editor.press("Tab");
  await editor.untilNoGhost();
  await editor.saved();
  const logs = editor.logged();
  assert.ok(logs.join("").includes("foretell"), "there is a log");
  for (const text of logs) {
    assert.ok(!text.includes("unmistakable"), text);
  }
});
