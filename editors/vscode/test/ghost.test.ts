// Ghost text, from the first key to what never comes back. The FIM lane follows a script, so that it
// would say the same again wherever it is asked; everything else is as people have it.
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { KEYS } from "./support/code-server";
import type { Editor } from "./support/editor";
import { blanks, misfits } from "./support/frames";
import { insisted, kindOf } from "./support/insisting";
import type { Said } from "./support/messages";
import { stories } from "./support/stories";
import { until } from "./support/until";

const SUM = "const sum = price * count;";

const BOX = "{\n  width: 1,\n  height: 2,\n};";

const story = stories({
  settings: {
    // Requests after a rejection are sent at once here, so that stories need not wait.
    "foretell.trigger.rejectionCooldownMs": 0,
    // An edit is recent however long a busy machine takes until the cursor is moved.
    "foretell.trigger.recentEditMs": 120_000,
  },
  serverArguments: (server) =>
    server.script([
      { after: "const sum = ", insert: "price * count;", delayMs: 30 },
      { after: "const box = ", insert: BOX, delayMs: 30 },
      { after: "const call = ", insert: "send(first, second);", delayMs: 30 },
      { after: "// 😀 smile: ", insert: "and 👍🏽 and 😀 é", delayMs: 30 },
      { after: "const second = ", insert: "first + 1;", delayMs: 30 },
    ]),
});

/** Types the beginning of a line at the end of the file, and waits for the rest of it. */
async function offered(editor: Editor, typed: string, ghost: string): Promise<void> {
  await editor.press("Control+End");
  await editor.type(typed);
  await editor.untilGhost(ghost);
}

story("what is typed into stays and shrinks, without a blank frame", async (editor) => {
  editor.write("typed.ts", "const price = 1;\nconst count = 2;\n");
  await editor.open("typed.ts");
  await offered(editor, "const sum = ", "price * count;");
  await editor.screenshot("ghost-1-offered");
  const states = await editor.recorded(async () => {
    await editor.type("price * ", 90);
    await editor.untilGhost("count;");
    await editor.type("count", 25);
    await editor.untilGhost(";");
  });
  await editor.screenshot("ghost-2-typed-into");
  assert.deepEqual(blanks(states, SUM), []);
  assert.deepEqual(misfits(states, SUM), []);
  await editor.press("Tab");
  await editor.untilNoGhost();
  assert.equal(await editor.saved(), `const price = 1;\nconst count = 2;\n${SUM}`);
});

story("what is accepted, and what is shown, is told", async (editor) => {
  editor.write("accepted.ts", "");
  await editor.open("accepted.ts");
  await offered(editor, "const box = ", BOX);
  await editor.screenshot("ghost-several-lines");
  await editor.press("Tab");
  const accepted = await editor.messages.until("foretell/didAccept");
  const shown = editor.messages.around(accepted, "foretell/didShow").before.at(-1);
  assert.deepEqual(accepted.message.params, shown?.message.params);
  assert.equal(await editor.saved(), `const box = ${BOX}`);
  assert.deepEqual(editor.messages.of("foretell/didIgnore"), []);
  assert.deepEqual(editor.messages.of("foretell/didReject"), []);
});

story("a bracket that VS Code closes by itself is no blank frame either", async (editor) => {
  editor.write("closed.ts", "");
  await editor.open("closed.ts");
  await offered(editor, "const call = ", "send(first, second);");
  const states = await editor.recorded(async () => {
    await editor.type("send(first, se", 90);
    await editor.untilGhost("cond;");
  });
  assert.deepEqual(
    states.filter(({ painted, ghost }) => painted && ghost === ""),
    [],
  );
  await editor.press("Tab");
  await editor.untilNoGhost();
  assert.equal(await editor.saved(), "const call = send(first, second);");
});

story("a word that is taken is told with its length, and the rest stays", async (editor) => {
  editor.write("word.ts", "");
  await editor.open("word.ts");
  await offered(editor, "const sum = ", "price * count;");
  await editor.press("Control+ArrowRight");
  const accepted = await editor.messages.until("foretell/didAccept");
  assert.equal(accepted.message.params?.acceptedLength, "price".length);
  await editor.untilGhost(" * count;");
  await editor.press(KEYS.acceptLine);
  await editor.untilNoGhost();
  assert.equal(await editor.saved(), SUM);
});

story("what is typed over is ignored, and not rejected", async (editor) => {
  editor.write("over.ts", "");
  await editor.open("over.ts");
  await offered(editor, "const sum = ", "price * count;");
  await editor.type("12;");
  await editor.untilNoGhost();
  await editor.messages.until("foretell/didIgnore");
  assert.deepEqual(editor.messages.of("foretell/didReject"), []);
});

story("Escape is final: not back after moving away, editing above, or an undo", async (editor) => {
  editor.write("final.ts", "const price = 1;\nconst count = 2;\n");
  await editor.open("final.ts");
  await offered(editor, "const sum = ", "price * count;");
  await editor.press("Escape");
  await editor.untilNoGhost();
  await editor.messages.until("foretell/didReject");
  await editor.screenshot("ghost-3-rejected");
  assert.deepEqual(await insisted(editor), []);

  await editor.goTo(1, 1);
  await editor.goTo(3, 13);
  assert.deepEqual(await insisted(editor), []);

  await editor.goTo(1, 1);
  await editor.type("// prices\n");
  await editor.goTo(4, 13);
  assert.deepEqual(await insisted(editor), []);

  await editor.press("Backspace");
  await editor.press("Control+Z");
  await editor.messages.until("foretell/willChange", (it) => it.message.params?.reason === "undo");
  await editor.untilCursor(4, 13);
  assert.deepEqual(await insisted(editor), []);
  assert.equal(await editor.ghost(), "");
  // It was the rejection: elsewhere the same is offered.
  await editor.press("Control+End", "Enter");
  await offered(editor, "const sum = ", "price * count;");
});

story("Escape without ghost text is VS Code's", async (editor) => {
  editor.write("plain.ts", "let a = 1;\n");
  await editor.open("plain.ts", [1, 5]);
  await editor.press("Shift+ArrowRight");
  await editor.press("Escape");
  await editor.type("b");
  // A message of Escape would come before that.
  await editor.messages.until("textDocument/didChange");
  assert.equal(await editor.saved(), "let ab = 1;\n");
  assert.deepEqual(editor.messages.of("foretell/didReject"), []);
});

story("what follows a trigger of the server is automatic", async (editor) => {
  editor.write("trigger.ts", "const price = 1;\nconst count = 2;\n\n\n");
  await editor.open("trigger.ts", [3, 1]);
  await editor.type("x");
  const typed = await editor.messages.until("textDocument/inlineCompletion");
  await editor.messages.answer(typed);
  const since = editor.messages.now();
  await editor.press("ArrowUp");
  const trigger = await editor.messages.until("foretell/trigger", () => true, { since });
  const place = trigger.message.params?.position;
  for (const method of ["textDocument/inlineCompletion", "textDocument/copilotInlineEdit"]) {
    const isThere = (it: Said) => isDeepStrictEqual(it.message.params?.position, place);
    const request = await until(`${method} behind the trigger`, () =>
      editor.messages.around(trigger, method).behind.find(isThere),
    );
    assert.equal(kindOf(request), 2);
  }
  // One that the person makes is theirs all the same.
  await insisted(editor);
});

story("emoji and CRLF: columns are the editor's, and line ends stay", async (editor) => {
  editor.write("smile.ts", "// 😀 first\r\n");
  await editor.open("smile.ts");
  await offered(editor, "// 😀 smile: ", "and 👍🏽 and 😀 é");
  const states = await editor.recorded(async () => {
    await editor.type("and ", 90);
    await editor.untilGhost("👍🏽 and 😀 é");
  });
  await editor.screenshot("ghost-emoji");
  assert.deepEqual(blanks(states, "// 😀 smile: and 👍🏽 and 😀 é"), []);
  // It is put in as by an input method, not typed.
  await editor.page.keyboard.insertText("👍🏽");
  await editor.untilGhost(" and 😀 é");
  await editor.press("Tab");
  await editor.untilNoGhost();
  // VS Code puts the cursor one short for every emoji. The next line of a comment is a comment.
  await editor.press("End", "Enter", "Shift+Home", "Delete");
  await offered(editor, "const box = ", BOX);
  await editor.press("Tab");
  await editor.untilNoGhost();
  const box = BOX.replaceAll("\n", "\r\n");
  const smile = "// 😀 smile: and 👍🏽 and 😀 é";
  assert.equal(await editor.saved(), `// 😀 first\r\n${smile}\r\nconst box = ${box}`);
});

story(
  "two files: each has its own, and a rejection in one is none in the other",
  async (editor) => {
    editor.write("left.ts", "");
    editor.write("right.ts", "");
    await editor.open("left.ts");
    await offered(editor, "const second = ", "first + 1;");
    await editor.press("Escape");
    await editor.messages.until("foretell/didReject");
    await editor.open("right.ts");
    await offered(editor, "const second = ", "first + 1;");
    await editor.open("left.ts", [1, 16]);
    assert.deepEqual(await insisted(editor), []);
    assert.equal(await editor.ghost(), "");
  },
);

story(
  "a killed server is started again, says nothing, and still knows what was rejected",
  async (editor) => {
    editor.write("killed.ts", "const price = 1;\n");
    await editor.open("killed.ts");
    await offered(editor, "const sum = ", "price * count;");
    await editor.press("Escape");
    await editor.messages.until("foretell/didReject");
    await editor.goTo(1, 1);
    // The rejection moves with the text.
    const before = editor.messages.now();
    await editor.type("\n");
    const moved = await editor.messages.until("textDocument/didChange", () => true, {
      since: before,
    });
    await until("list of rejections behind the change", () => {
      const asked = editor.messages.around(moved, "foretell/rejections").behind;
      return asked.find((it) => editor.messages.answered(it));
    });
    for (const _ of [1, 2]) {
      const known = editor.messages.runs().filter(({ pid }) => pid !== undefined).length;
      const since = editor.messages.now();
      await editor.server.kill();
      await editor.server.next(known);
      const restored = await editor.messages.until("foretell/restore", () => true, { since });
      assert.deepEqual((await editor.messages.answer(restored)).error, undefined);
      await editor.goTo(3, 13);
      assert.deepEqual(await insisted(editor), []);
    }
    assert.deepEqual(await editor.notificationsSeen(), []);
    await editor.press("Control+End", "Enter");
    await offered(editor, "const second = ", "first + 1;");
  },
);

story("ghost text goes with the server that it came from", async (editor) => {
  editor.write("gone.ts", "");
  await editor.open("gone.ts");
  await offered(editor, "const sum = ", "price * count;");
  const known = editor.messages.runs().filter(({ pid }) => pid !== undefined).length;
  const since = editor.messages.now();
  await editor.server.kill();
  await editor.untilNoGhost();
  await editor.server.next(known);
  await editor.messages.until("initialized", () => true, { since });
  const before = editor.messages.now();
  await editor.press("Escape", "ArrowLeft");
  const there = { line: 0, character: "const sum =".length };
  const isThere = ({ message }: Said) =>
    isDeepStrictEqual(message.params?.selections, [{ start: there, end: there }]);
  // Messages of these keys would come before the place that they lead to.
  await editor.messages.until("foretell/didChangeSelection", isThere, { since: before });
  for (const what of ["didReject", "didIgnore", "didAccept"]) {
    assert.deepEqual(editor.messages.of(`foretell/${what}`, since), []);
  }
});
