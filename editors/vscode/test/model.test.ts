// Ghost text from a model server at an address, as people have it: how often it is asked, and that it is
// left alone when it is down.
import assert from "node:assert/strict";
import { after } from "node:test";
import type { Editor } from "./support/editor";
import { insisted } from "./support/insisting";
import type { Said } from "./support/messages";
import { ModelServer } from "./support/model-server";
import { stories } from "./support/stories";
import { until } from "./support/until";

/** How long the server waits for the next key at least, before it asks the model. */
const SHORTEST_WAIT_MS = 200;

let server: ModelServer | undefined;
after(() => server?.stop());

const story = stories(async () => {
  server = await ModelServer.start([
    { after: "const sum = ", insert: "price * count;", delayMs: 30 },
    { after: "const slow = ", insert: "worth + waiting;", delayMs: 3_000 },
    // A laptop reads 150 tokens a second.
    { after: "const brief = ", insert: "known;", readTokens: 150, delayMs: 1_000 },
    { after: "const large = ", insert: "worth + reading;", readTokens: 900, delayMs: 6_000 },
  ]);
  return {
    settings: {
      "foretell.lanes.fim.kind": "llama-cpp",
      "foretell.lanes.fim.url": server.url,
      // How often it is asked ahead of time is not what these stories are about.
      "foretell.lanes.fim.ahead": "never",
      "foretell.trigger.rejectionCooldownMs": 0,
      "foretell.pace.minMs": SHORTEST_WAIT_MS,
    },
  };
});

/** The requests for a text so far. */
function asked(): string[] {
  return server?.requests().filter((it) => it.startsWith("POST")) ?? [];
}

async function offered(editor: Editor, name: string): Promise<void> {
  editor.write(name, "");
  await editor.open(name);
  await editor.type("const sum = ");
  await editor.untilGhost("price * count;");
}

story("the model is asked at a pause, and not at every key", async (editor) => {
  const before = asked().length;
  await offered(editor, "pause.ts");
  await editor.screenshot("model-offered");
  const during = asked().slice(before);
  // A busy machine may pause where the person did not. Behind the last key there always is a pause.
  const times = editor.messages.of("textDocument/didChange").map(({ at }) => at);
  const pauses = times.filter((at, index) => at - (times[index - 1] ?? at) >= SHORTEST_WAIT_MS);
  assert.ok(during.length <= pauses.length + 1, `${during.join("\n")}\n${times}`);
  assert.match(during.at(-1) ?? "", /const sum = /);
  await editor.press("Tab");
  assert.equal(await editor.saved(), "const sum = price * count;");
});

story("typing into what is suggested asks nobody", async (editor) => {
  await offered(editor, "into.ts");
  const before = asked();
  await editor.type("price * ");
  await editor.untilGhost("count;");
  await editor.type("coun");
  await editor.untilGhost("t;");
  assert.deepEqual(asked(), before);
  await editor.press("Tab");
  assert.equal(await editor.saved(), "const sum = price * count;");
});

story("after Escape the model may say it again, and nobody sees it", async (editor) => {
  await offered(editor, "escape.ts");
  await editor.press("Escape");
  await editor.untilNoGhost();
  await editor.messages.until("foretell/didReject");
  assert.deepEqual(await insisted(editor), []);
  await editor.goTo(1, 1);
  await editor.goTo(1, 13);
  assert.deepEqual(await insisted(editor), []);
  assert.equal(await editor.ghost(), "");
  assert.deepEqual(await editor.notificationsSeen(), []);
});

/** Whether a message says that a model has answered late. */
function isLate(it: Said): boolean {
  return it.message.params?.cause === "late";
}

story("a person who waits sees what a model says that needs three seconds", async (editor) => {
  editor.write("late.ts", "");
  await editor.open("late.ts");
  const since = editor.messages.now();
  await editor.type("const slow = ");
  await editor.untilGhost("worth + waiting;");
  await editor.messages.until("foretell/trigger", isLate, { since });
  await editor.screenshot("model-late");
  await editor.press("Tab");
  assert.equal(await editor.saved(), "const slow = worth + waiting;");
});

story("a person who waits for a long prompt sees how much of it is to be read", async (editor) => {
  editor.write("long.ts", "");
  await editor.open("long.ts");
  // From now on it is known how fast the model reads.
  await editor.type("const brief = ");
  await editor.untilGhost("known;");
  await editor.press("Tab", "Enter");
  const since = editor.messages.now();
  await editor.type("const large = ");
  const reading = await editor.untilStatus("reading ");
  assert.match(reading.label, /^Foretell: reading \d00 tokens, about \d s$/);
  assert.ok(reading.text.endsWith(reading.label.replace("Foretell: ", "")), reading.text);
  assert.equal(reading.kind, "plain");
  await editor.screenshot("model-reading");
  await editor.untilGhost("worth + reading;");
  await until("status without it", async () =>
    (await editor.status()).every(({ label }) => !label.includes("reading")),
  );
  const statuses = editor.messages.of("foretell/didChangeStatus", since);
  const told = statuses.flatMap((it) => {
    const left = /^reading (\d+) /.exec(`${it.message.params?.message}`)?.[1];
    return left === undefined ? [] : Number(left);
  });
  const shrinking = told.toSorted((one, other) => other - one);
  assert.deepEqual(told, shrinking, "what is left only shrinks");
  await editor.screenshot("model-has-read");
  await editor.press("Tab");
  assert.equal(await editor.saved(), "const brief = known;\nconst large = worth + reading;");
});

story("a model that is down is left alone, and next edits go on", async (editor) => {
  // The model server is down from now on.
  await server?.stop();
  editor.write("down.ts", "const neat = 1;\nconsole.log(neat);\n\n");
  await editor.open("down.ts");
  await editor.press("Control+End");
  await until("rest", async () => {
    await editor.type("const sum = ");
    assert.deepEqual(await insisted(editor), []);
    await editor.press("Enter");
    return (await editor.status()).some(({ label }) => label.includes("fim is left alone"));
  });
  const [item] = await editor.status();
  assert.equal(item?.kind, "plain");
  await editor.screenshot("model-resting");
  await editor.goTo(1, 7);
  await editor.press("Control+Shift+ArrowRight");
  await editor.page.keyboard.insertText("rounded");
  await until(
    "next edit",
    async () => (await editor.decorations()).some(({ after }) => after.includes("line 2")),
    { seen: () => editor.decorations() },
  );
  await editor.screenshot("model-resting-next-edit");
  assert.deepEqual(await editor.notificationsSeen(), []);
});
