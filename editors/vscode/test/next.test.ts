// Next edits, from the embedded lane: a rename is carried through a file, and Tab is never stolen.
import assert from "node:assert/strict";
import type { Editor } from "./support/editor";
import { stories } from "./support/stories";
import { until } from "./support/until";

const NEAT = `const neat = 1;
function twice() {
  return neat + neat;
}
console.log(neat);
export { neat };
`;

const ROUNDED = NEAT.replaceAll("neat", "rounded");

const story = stories({
  settings: {
    "foretell.trigger.rejectionCooldownMs": 0,
    // An edit is recent however long a busy machine takes until the cursor is moved.
    "foretell.trigger.recentEditMs": 120_000,
    // One story types what another has typed, and that is not what is to be said at the cursor.
    "foretell.recall.mode": "off",
  },
});

async function untilNoLabel(editor: Editor): Promise<void> {
  await until("end of the label", async () => (await editor.label()) === undefined, {
    seen: () => editor.decorations(),
  });
}

/** Renames `neat` in the first line, all at once as by pasting. */
async function renamed(editor: Editor, name: string, text = NEAT): Promise<void> {
  editor.write(name, text);
  await editor.open(name, [1, 7]);
  await editor.press("Control+Shift+ArrowRight");
  await editor.page.keyboard.insertText("rounded");
  await editor.untilLabel("line 3");
}

story("rename one, and Tab walks through the others", async (editor) => {
  editor.write("rename.ts", NEAT);
  await editor.open("rename.ts", [1, 7]);
  await editor.press("Control+Shift+ArrowRight");
  await editor.type("rounded", 90);
  await editor.untilLabel("Tab: next edit, line 3: neat → rounded");
  await editor.screenshot("next-1-offered");
  await editor.press("Tab");
  await editor.untilLabel("accept");
  await editor.untilCursor(3, 10);
  await editor.screenshot("next-2-there");
  await editor.press("Tab");
  const accepted = await editor.messages.until("foretell/didAccept");
  // The server is asked anew where Tab has gone, and may say the same by another name.
  const shown = editor.messages.around(accepted, "foretell/didShow").before.at(-1);
  assert.deepEqual(accepted.message.params, shown?.message.params);
  await editor.untilLabel("lines 5–6");
  await editor.screenshot("next-3-and-on");
  await editor.press("Tab");
  await editor.untilLabel("accept");
  await editor.press("Tab");
  // One Tab too many is no Tab in the code.
  await editor.press("Tab");
  await editor.untilLabel("no more next edits");
  await editor.screenshot("next-4-done");
  await untilNoLabel(editor);
  assert.equal(await editor.saved(), ROUNDED);
});

story("the label of a line that ends out of sight stands on one that does not", async (editor) => {
  const long = `${"long ".repeat(60)}`;
  await renamed(editor, "long.ts", NEAT.replace(";", `; // ${long}`));
  await editor.untilLabel("↑ ⇥ Tab: next edit, line 3");
  await editor.screenshot("next-long-line");
});

story(
  "a name that is typed with a pause in the middle is carried as it is in the end",
  async (editor) => {
    editor.write("slowly.ts", NEAT);
    await editor.open("slowly.ts", [1, 7]);
    await editor.press("Control+Shift+ArrowRight");
    await editor.type("rou", 60);
    await editor.untilLabel("neat → rou");
    await editor.type("nded", 60);
    await editor.untilLabel("neat → rounded");
  },
);

story("what VS Code cannot draw at the cursor is a next edit all the same", async (editor) => {
  await renamed(editor, "replaced.ts");
  const since = editor.messages.now();
  await editor.press("Tab");
  // The same is the answer to who asks for ghost text there.
  await until("answer at the cursor", () =>
    editor.messages.of("textDocument/inlineCompletion", since).find((it) => {
      const { items } = (editor.messages.answered(it)?.message.result ?? {}) as {
        items?: unknown[];
      };
      return items !== undefined && items.length > 0;
    }),
  );
  await editor.untilLabel("Tab: accept");
  await editor.press("Tab");
  await until(
    "changed line",
    async () => (await editor.drawn())[2] === "  return rounded + rounded;",
    {
      seen: () => editor.drawn(),
    },
  );
});

story("Escape rejects it, and it does not come back", async (editor) => {
  await renamed(editor, "rejected.ts");
  await editor.press("Escape");
  await untilNoLabel(editor);
  await editor.messages.until("foretell/didReject");
  const since = editor.messages.now();
  await editor.press("End", "Enter");
  await editor.type("// more", 60);
  const asked = await until("answered question", () => {
    const last = editor.messages.of("textDocument/copilotInlineEdit", since).at(-1);
    const isLast = JSON.stringify(last?.message.params?.position) === '{"line":1,"character":7}';
    return isLast && last !== undefined && editor.messages.answered(last);
  });
  assert.deepEqual(asked.message.result, { edits: [] });
  assert.equal(await editor.label(), undefined);
});

story("Escape where nothing is drawn rejects nothing", async (editor) => {
  await renamed(editor, "elsewhere.ts");
  await editor.run("Foretell: Why Was Nothing Shown?");
  await until("words", async () => (await editor.drawn()).join("\n").includes("decisions"));
  await editor.press("Escape");
  await editor.open("elsewhere.ts");
  await editor.untilLabel("line 3");
  assert.deepEqual(editor.messages.of("foretell/didReject"), []);
});

story("Tab indents in leading white space", async (editor) => {
  await renamed(editor, "indent.ts");
  await editor.goTo(3, 1);
  await until("label that leaves Tab alone", async () => {
    const said = await editor.label();
    return said?.includes("next edit") === true && !said.includes("Tab");
  });
  await editor.screenshot("next-indent");
  await editor.press("Tab");
  await until("indented line", async () => (await editor.drawn())[2]?.startsWith("    return"), {
    seen: () => editor.drawn(),
  });
  assert.deepEqual(editor.messages.of("foretell/didAccept"), []);
});

story("Tab is Tab when nothing is offered", async (editor) => {
  editor.write("nothing.ts", "let x = 1;\n");
  await editor.open("nothing.ts", [1, 6]);
  await editor.press("Tab");
  await until("Tab in the text", async () => /let x\s+ = 1;/.test((await editor.drawn())[0] ?? ""));
});

story("Tab belongs to the popup while it is open", async (editor) => {
  await renamed(editor, "popup.ts", `${NEAT}\nconsole.\n`);
  await editor.goTo(8, 9);
  await editor.untilLabel("Tab: next edit");
  await editor.press("Control+Space");
  const popup = editor.page.locator(".suggest-widget.visible .monaco-list-row.focused");
  await popup.waitFor();
  await editor.screenshot("next-popup");
  await editor.press("Tab");
  await popup.waitFor({ state: "hidden" });
  await until(
    "item of the popup",
    async () => /^console\.\w+$/.test((await editor.drawn())[7] ?? ""),
    {
      seen: () => editor.drawn(),
    },
  );
  assert.deepEqual(editor.messages.of("foretell/didAccept"), []);
});

story("what was moved by typing above is still the right place", async (editor) => {
  await renamed(editor, "moved.ts");
  await editor.goTo(2, 1);
  await editor.type("// one\n// two\n", 30);
  await editor.untilLabel("line 5");
  await editor.goTo(4, 3);
  await editor.untilLabel("Tab: next edit, line 5");
  await editor.press("Tab");
  await editor.untilLabel("accept");
  await editor.press("Tab");
  await until(
    "changed line",
    async () => (await editor.drawn())[4] === "  return rounded + rounded;",
    {
      seen: () => editor.drawn(),
    },
  );
});

story(
  "a next edit in another file is one Tab away, and the label names the file",
  async (editor) => {
    editor.write("shape.ts", "export function neat(x: number) {\n  return x;\n}\n");
    editor.write("uses.ts", 'import { neat } from "./shape";\n\nconsole.log(neat(1));\n');
    await editor.open("uses.ts", [3, 1]);
    await editor.open("shape.ts", [1, 17]);
    await editor.press("Control+Shift+ArrowRight");
    await editor.page.keyboard.insertText("rounded");
    await editor.untilLabel("Tab: next edit, uses.ts:1: neat → rounded");
    await editor.screenshot("next-other-file");
    await editor.press("Tab");
    await editor.untilLabel("accept");
    await editor.untilCursor(1, 10);
    await editor.press("Tab");
    await editor.untilLabel("line 3");
  },
);

story(
  "who types on is not brought to another file for what they had typed before",
  async (editor) => {
    editor.write("half.ts", "export function neat(x: number) {\n  return x;\n}\n");
    editor.write("whole.ts", 'import { neat } from "./half";\n');
    await editor.open("whole.ts");
    await editor.open("half.ts", [1, 17]);
    await editor.press("Control+Shift+ArrowRight");
    await editor.page.keyboard.insertText("roun");
    await editor.untilLabel("Tab: next edit, whole.ts:1: neat → roun");
    await editor.server.silent(async () => {
      await editor.page.keyboard.insertText("ded");
      await untilNoLabel(editor);
      await editor.press("Tab");
      await until("Tab in the text", async () =>
        /^export function rounded\s+\(x/.test((await editor.drawn())[0] ?? ""),
      );
    });
  },
);

story("Tab twice at once goes there and accepts", async (editor) => {
  await renamed(editor, "twice.ts", NEAT.replace("return neat + neat", "neat + neat"));
  await editor.press("Tab", "Tab");
  await until("changed line", async () => (await editor.drawn())[2] === "  rounded + rounded;", {
    seen: () => editor.drawn(),
  });
});

story("emoji and CRLF: the edit is where it is drawn", async (editor) => {
  const text = NEAT.replace("neat + neat", '"😀" + neat').replaceAll("\n", "\r\n");
  await renamed(editor, "smile.ts", text);
  await editor.press("Tab");
  await editor.untilLabel("accept");
  await editor.screenshot("next-emoji");
  await editor.press("Tab");
  await editor.untilLabel("lines 5–6");
  await editor.press("Tab");
  await editor.untilLabel("accept");
  await editor.press("Tab");
  await untilNoLabel(editor);
  assert.equal(await editor.saved(), text.replaceAll("neat", "rounded"));
});

story("an undo of the rename takes the suggestion away", async (editor) => {
  await renamed(editor, "undone.ts");
  await editor.press("Control+Z");
  await untilNoLabel(editor);
  assert.equal(await editor.saved(), NEAT);
});
