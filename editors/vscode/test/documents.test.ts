// Documents of all kinds: those that get suggestions get them, and the others are left alone.
import assert from "node:assert/strict";
import type { Editor } from "./support/editor";
import { stories } from "./support/stories";
import { until } from "./support/until";

const story = stories({
  settings: { "files.readonlyInclude": { "**/locked.ts": true } },
  serverArguments: (server) => server.script([{ after: "const sum = ", insert: "price;" }]),
});

/** Everything that the server was told of a document, by what its address contains. */
function toldOf(editor: Editor, part: string): string[] {
  const all = editor.messages.all().filter(({ from }) => from === "client");
  return all
    .filter(({ message }) => JSON.stringify(message.params ?? {}).includes(part))
    .map(({ message }) => message.method ?? "");
}

/** How VS Code addresses what was saved of a file that is compared with it. */
const SAVED_SIDE = "showModifications:";

/** All that the server was told to have been put into texts. */
function typed(editor: Editor, since?: number): string {
  const changes = editor.messages.of("textDocument/didChange", since).flatMap(({ message }) => {
    return message.params?.contentChanges as { text: string }[];
  });
  return changes.map(({ text }) => text).join("");
}

async function offered(editor: Editor): Promise<void> {
  await editor.type("const sum = ");
  await editor.untilGhost("price;");
  await editor.press("Tab");
  await editor.untilNoGhost();
}

story("a file that may not be changed", async (editor) => {
  editor.write("locked.ts", "const sum = \nconst sum = 1;\n");
  await editor.open("locked.ts", [1, 13]);
  await editor.type("x");
  assert.equal((await editor.drawn())[0], "const sum = ");
  await editor.goTo(2, 1);
  await editor.goTo(1, 13);
  assert.equal(await editor.ghost(), "");
  assert.deepEqual(await editor.decorations(), []);
  await editor.press("Escape", "Tab");
  assert.deepEqual(await editor.notificationsSeen(), []);
  editor.write("open.ts", "");
  await editor.open("open.ts");
  await offered(editor);
  await until("what was accepted, told", () => typed(editor) === "const sum = price;", {
    seen: () => typed(editor),
  });
  // By now all that could have been told of the first file is there.
  assert.ok(!toldOf(editor, "locked.ts").includes("textDocument/didChange"));
  assert.deepEqual(editor.messages.of("foretell/didReject"), []);
});

story("a new document that is no file yet", async (editor) => {
  await editor.press("Control+Alt+N");
  await editor.page.locator(".tab.active", { hasText: "Untitled-1" }).first().waitFor();
  await editor.untilFocused();
  await offered(editor);
  assert.equal((await editor.drawn())[0], "const sum = price;");
  assert.deepEqual(await editor.notificationsSeen(), []);
});

type Side = "original" | "modified";

async function untilFocused(editor: Editor, side: Side): Promise<void> {
  const focused = `.monaco-diff-editor .editor.${side} .monaco-editor.focused`;
  await editor.page.locator(focused).waitFor();
}

/** Puts the cursor at the end of one side of a comparison. */
async function goToSide(editor: Editor, side: Side): Promise<void> {
  const lines = editor.page.locator(`.monaco-diff-editor .editor.${side} .view-lines`).first();
  await lines.click();
  await untilFocused(editor, side);
  await editor.press("Control+End");
}

story("a file and what was saved of it, side by side", async (editor) => {
  editor.write("changed.ts", "const price = 1;\n");
  await editor.open("changed.ts");
  await editor.type("let a = 1;\n");
  await editor.run("File: Compare Active File with Saved");
  // It takes the focus when it is there, also after a click meanwhile.
  await untilFocused(editor, "modified");
  await goToSide(editor, "original");
  await editor.untilStatus("left alone");
  const since = editor.messages.now();
  await editor.type("const sum = ");
  await editor.press("Escape");
  assert.deepEqual(await editor.drawn(), ["const price = 1;", ""]);
  await goToSide(editor, "modified");
  await offered(editor);
  assert.deepEqual(await editor.drawn(), ["let a = 1;", "const price = 1;", "const sum = price;"]);
  await editor.screenshot("documents-compared");
  // Messages of the other side come later, so all earlier ones are there.
  assert.deepEqual(toldOf(editor, SAVED_SIDE), []);
  assert.equal(typed(editor, since), "const sum = price;");
  assert.deepEqual(editor.messages.of("foretell/didReject"), []);
  assert.deepEqual(await editor.notificationsSeen(), []);
});

story("two files side by side: each is one, and can be changed", async (editor) => {
  editor.write("left.ts", "const price = 1;\n\n");
  editor.write("right.ts", "const price = 2;\n\n");
  await editor.open("right.ts");
  await editor.open("left.ts");
  await editor.run("File: Compare Active File With...");
  await editor.choose("right.ts");
  await untilFocused(editor, "modified");
  for (const [side, name] of [
    ["original", "left.ts"],
    ["modified", "right.ts"],
  ] as const) {
    await goToSide(editor, side);
    await offered(editor);
    const last = editor.messages.of("textDocument/didChange").at(-1)?.message.params;
    assert.ok(JSON.stringify(last).includes(name));
  }
  assert.deepEqual(await editor.notificationsSeen(), []);
});

story("a cell of a notebook is typed in, and the server hears nothing of it", async (editor) => {
  const cells = [
    {
      cell_type: "code",
      execution_count: null,
      id: "a",
      metadata: {},
      outputs: [],
      source: ["price = 1"],
    },
  ];
  const notebook = { cells, metadata: {}, nbformat: 4, nbformat_minor: 5 };
  editor.write("book.ipynb", JSON.stringify(notebook));
  await editor.show("book.ipynb");
  const cell = editor.page.locator(
    ".notebook-editor .cell .view-lines, .notebookOverlay .view-lines",
  );
  await cell.first().click();
  await editor.page.locator(".notebookOverlay .cell .monaco-editor.focused").waitFor();
  await editor.press("Control+End", "Enter");
  await editor.type("const sum = ");
  await until("cell with what was typed", async () =>
    (await cell.first().textContent())?.includes("sum"),
  );
  await editor.press("Escape", "Tab");
  await editor.screenshot("documents-notebook");
  await editor.untilStatus("left alone");
  assert.equal(await editor.ghost(), "");
  assert.deepEqual(toldOf(editor, "book.ipynb"), []);
  assert.deepEqual(toldOf(editor, "sum"), []);
  assert.deepEqual(await editor.notificationsSeen(), []);
});

for (const [name, end] of [
  ["large.ts", "Control+Home"],
  ["large.txt", "Control+End"],
] as const) {
  // Not at the end of source code: VS Code colours ghost text, and all that is in front of it before.
  story(`${name}, a file of five megabytes`, async (editor) => {
    const line = "export const value = { width: 1, height: 2, depth: 3 };\n";
    const text = line.repeat(Math.ceil((5 * 1024 * 1024) / line.length));
    editor.write(name, text);
    await editor.open(name);
    await editor.press(end);
    await editor.type("let a = 1;\n\n");
    await editor.press("ArrowUp");
    await offered(editor);
    const typed = "let a = 1;\nconst sum = price;\n";
    assert.equal(await editor.saved(), end === "Control+Home" ? typed + text : text + typed);
    assert.deepEqual(editor.messages.of("foretell/resync"), []);
    assert.deepEqual(await editor.notificationsSeen(), []);
  });
}
