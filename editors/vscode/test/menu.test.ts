// The status bar item and what is behind it: why, what was sent, what is rejected, and pauses.
import assert from "node:assert/strict";
import { after } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { KEYS } from "./support/code-server";
import type { Editor } from "./support/editor";
import { insistedInNewWindow } from "./support/insisting";
import { ModelServer } from "./support/model-server";
import { stories } from "./support/stories";
import { until } from "./support/until";

const ITEM = "foretell.foretell.foretell";

let model: ModelServer | undefined;
after(() => model?.stop());

const story = stories(async () => {
  model = await ModelServer.start([
    // Slow enough to be seen at it on a busy machine, too.
    { after: "const slow = ", insert: "1000;", delayMs: 10_000 },
    { after: "const sum = ", insert: "price;" },
  ]);
  return {
    settings: {
      "foretell.lanes.fim.kind": "llama-cpp",
      "foretell.lanes.fim.url": model.url,
      "foretell.trigger.rejectionCooldownMs": 0,
      // A model that is slow to be seen at it is not given up, on a busy machine either.
      "foretell.race.capMs": 20_000,
      "foretell.lanes.fim.firstByteMs": 20_000,
    },
  };
});

async function offered(editor: Editor, typed = "const sum = ", ghost = "price;"): Promise<void> {
  await editor.press("Control+End");
  await editor.type(typed);
  await editor.untilGhost(ghost);
}

/** Types what would be suggested upon, and waits until the server has heard it. */
async function typedInVain(editor: Editor): Promise<void> {
  const since = editor.messages.now();
  await editor.press("Control+End");
  await editor.type("const sum = ");
  await until("keys that the server has heard of", () => isHeard(editor, "const sum = ", since), {
    seen: () => editor.messages.counts(since),
  });
  // By its name, because a window that was just opened may not have all its keys yet.
  await editor.run("Trigger Inline Suggestion");
  // A request before the cursor moves would have been passed on before.
  const asked = editor.messages.now();
  await editor.press("ArrowLeft", "ArrowRight");
  await until("moves that the server has heard of", () => {
    return editor.messages.of("foretell/didChangeSelection", asked).length >= 2;
  });
  assert.equal(await editor.ghost(), "");
  const { "textDocument/inlineCompletion": ghosts, "textDocument/copilotInlineEdit": edits } =
    editor.messages.counts(since);
  assert.deepEqual({ ghosts, edits }, { ghosts: undefined, edits: undefined });
}

/** Whether the server was told of a text that was typed, and that the cursor is behind it. */
function isHeard(editor: Editor, text: string, since: number): boolean {
  const changes = editor.messages
    .of("textDocument/didChange", since)
    .flatMap(({ message }) => message.params?.contentChanges as Change[]);
  const last = changes.at(-1);
  // A line end in front of it may be told late.
  const all = changes.map((it) => it.text).join("");
  if (last === undefined || !all.endsWith(text)) return false;
  const { line, character } = last.range.start;
  const behind = { line, character: character + last.text.length };
  return editor.messages.of("foretell/didChangeSelection", since).some(({ message }) => {
    return isDeepStrictEqual(message.params?.selections, [{ start: behind, end: behind }]);
  });
}

interface Change {
  text: string;
  range: { start: { line: number; character: number } };
}

/** Opens the menu by the status bar item, and chooses. */
async function choose(editor: Editor, label: string): Promise<void> {
  await editor.clickStatus(ITEM);
  await editor.choose(label);
}

/** Chooses what is done at once: the menu is gone then, and one can type. */
async function order(editor: Editor, label: string): Promise<void> {
  await choose(editor, label);
  await until("editor that has the focus", () =>
    editor.page.evaluate(() => {
      const list = document.querySelector<HTMLElement>(".quick-input-widget");
      const isFocused = window.foretellEyes.editor()?.classList.contains("focused");
      return list?.style.display === "none" && isFocused;
    }),
  );
}

/** Waits for a report, and for what it is to say. */
async function untilReport(editor: Editor, title: string, words: RegExp): Promise<void> {
  await editor.page.locator(".tab.active", { hasText: title }).first().waitFor();
  const read = async () => (await editor.drawn()).join("\n");
  await until(`report that says ${words}`, async () => words.test(await read()), { seen: read });
}

story("quiet, then working while a model is asked, then quiet", async (editor) => {
  await editor.untilStatus("quiet");
  editor.write("slow.ts", "");
  await editor.open("slow.ts");
  await editor.type("const slow = ");
  await editor.untilStatus("asking the model");
  await editor.screenshot("menu-working");
  await editor.untilGhost("1000;");
  await editor.untilStatus("quiet");
  await editor.press("Tab");
});

story("the menu says what there is, and answers", async (editor) => {
  editor.write("menu.ts", "const price = 1;\n");
  await editor.open("menu.ts");
  await offered(editor);
  await editor.press("Tab");
  await editor.clickStatus(ITEM);
  await until("menu", async () => (await editor.choices()).length >= 10, {
    seen: () => editor.choices(),
  });
  await editor.screenshot("menu-open");
  await editor.choose("Why was nothing shown?");
  await untilReport(editor, "Why was nothing shown", /menu\.ts/);
  await editor.screenshot("menu-why");
  await editor.type("x");
  assert.ok(!(await editor.drawn()).join("\n").startsWith("x"));

  await order(editor, "What was sent?");
  await untilReport(editor, "What was sent", /infill/);
  await editor.screenshot("menu-sent");

  await order(editor, "Status");
  await untilReport(editor, "Status", /fim/);
  await editor.screenshot("menu-status");
  assert.deepEqual(editor.messages.of("textDocument/didOpen").length, 1);
});

story("what is rejected is listed; what is forgotten may come again", async (editor) => {
  editor.write("one.ts", "");
  editor.write("two.ts", "");
  for (const name of ["one.ts", "two.ts"]) {
    await editor.open(name);
    await offered(editor);
    const since = editor.messages.now();
    await editor.press("Escape");
    await editor.messages.until("foretell/didReject", () => true, { since });
    await editor.untilNoGhost();
  }
  await choose(editor, "Rejected suggestions");
  const rows = () => editor.choices();
  await until("two rejections and all of them", async () => (await rows()).length === 3, {
    seen: rows,
  });
  await editor.screenshot("menu-rejected");
  const first = editor.page.locator(".quick-input-list .monaco-list-row", { hasText: "two.ts" });
  await first.first().hover();
  await first.first().locator(".codicon-trash").last().click();
  await until("one rejection and all of them", async () => (await rows()).length === 2, {
    seen: rows,
  });
  await editor.press("Escape");
  await editor.open("two.ts");
  await editor.press("Control+End", KEYS.askForSuggestion);
  await editor.untilGhost("price;");
  await editor.press("Tab");

  await choose(editor, "Rejected suggestions");
  await editor.choose("Forget all of them");
  await until("nothing", async () => (await rows()).join().includes("Nothing is rejected"), {
    seen: rows,
  });
  await editor.press("Escape");
  await editor.open("one.ts");
  await editor.press("Control+End", KEYS.askForSuggestion);
  await editor.untilGhost("price;");
  await editor.press("Tab");
});

story("a pause for this file, which outlives the window", async (editor) => {
  editor.write("paused.ts", "");
  editor.write("other.ts", "");
  await editor.open("paused.ts");
  await offered(editor);
  await editor.press(KEYS.pauseFile);
  await editor.untilNoGhost();
  await editor.untilStatus("paused for this file");
  await editor.messages.until(
    "foretell/didPause",
    ({ message }) => message.params?.paused === true,
  );
  await editor.press("Enter");
  await typedInVain(editor);
  await editor.screenshot("menu-paused");
  await editor.open("other.ts");
  await editor.untilStatus("quiet");
  await offered(editor);
  await editor.press("Tab");
  await editor.saved();
  await editor.open("paused.ts");
  await editor.saved();

  await editor.reload();
  await editor.open("paused.ts");
  await editor.untilStatus("paused for this file");
  await editor.press("Control+End", "Enter");
  await typedInVain(editor);
  await order(editor, "Why was nothing shown?");
  await untilReport(editor, "Why was nothing shown", /paused for this file/);
  await editor.open("paused.ts");
  await order(editor, "Resume");
  await editor.untilStatus("quiet");
  await editor.press("Enter");
  await offered(editor);
  await editor.press("Tab");
});

story("a pause for a language, and for an hour", async (editor) => {
  editor.write("language.ts", "");
  editor.write("language.txt", "");
  await editor.open("language.ts");
  await order(editor, "Pause for typescript");
  await editor.untilStatus("paused for typescript");
  await typedInVain(editor);
  await editor.open("language.txt");
  await editor.untilStatus("quiet");
  await offered(editor);
  await editor.press("Tab");
  await editor.open("language.ts");
  await editor.run("Foretell: Resume");
  await editor.untilStatus("quiet");

  await editor.run("Foretell: Pause for an Hour");
  await editor.untilStatus("paused until");
  await typedInVain(editor);
  await editor.open("language.txt");
  await editor.press("Enter");
  await typedInVain(editor);
  await order(editor, "Resume");
  await editor.untilStatus("quiet");
  await editor.press("Enter");
  await offered(editor);
  await editor.press("Tab");
});

story("a rejection outlives the window", async (editor) => {
  editor.write("kept.ts", "");
  await editor.open("kept.ts");
  await offered(editor);
  await editor.press("Escape");
  await editor.untilNoGhost();
  const rejected = await editor.messages.until("foretell/didReject");
  await until("list of rejections", () => {
    const asked = editor.messages.around(rejected, "foretell/rejections").behind;
    return asked.find((it) => editor.messages.answered(it));
  });
  await editor.saved();
  const since = editor.messages.now();
  await editor.reload();
  await editor.messages.until("foretell/restore", () => true, { since });
  await editor.open("kept.ts");
  await editor.press("Control+End");
  assert.deepEqual(await insistedInNewWindow(editor, since), []);
});
