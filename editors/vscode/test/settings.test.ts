// Settings: only those that are set are told, and a repository cannot set what it must not.
import assert from "node:assert/strict";
import type { Editor } from "./support/editor";
import type { Message } from "./support/messages";
import { stories } from "./support/stories";
import { until } from "./support/until";

const story = stories({ settings: { "foretell.pace.baseMs": 130 } });

/** The answers to what the server asked about settings, the latest last. */
function told(editor: Editor): unknown[] {
  const asked = editor.messages.of("workspace/configuration", 0);
  const answers = asked.map((it) => editor.messages.answered(it)?.message as Message | undefined);
  return answers.map((it) => (it?.result as unknown[] | undefined)?.[0]);
}

async function untilTold(editor: Editor, tree: object): Promise<void> {
  const wanted = JSON.stringify(tree);
  await until(`settings ${wanted}`, () => JSON.stringify(told(editor).at(-1)) === wanted, {
    seen: () => told(editor),
  });
}

story("only what was set is told", async (editor) => {
  await untilTold(editor, { pace: { baseMs: 130 } });
});

story("what is set later is told then, and what is not any more is not", async (editor) => {
  editor.set({ "foretell.pace.baseMs": 140, "foretell.gate.enabled": false });
  await until("both settings", () => {
    const last = told(editor).at(-1) as { pace?: { baseMs?: number }; gate?: object } | undefined;
    return last?.pace?.baseMs === 140 && JSON.stringify(last.gate) === '{"enabled":false}';
  });
  editor.set({});
  await untilTold(editor, { pace: { baseMs: 130 } });
});

story("a repository may turn itself down, and not send code elsewhere", async (editor) => {
  const runs = editor.messages.runs().length;
  const elsewhere = "http://127.0.0.1:9/elsewhere";
  editor.write(
    ".vscode/settings.json",
    JSON.stringify({
      "foretell.server.path": "/bin/false",
      "foretell.server.arguments": ["--record", "/tmp/never"],
      "foretell.lanes.fim.kind": "llama-cpp",
      "foretell.lanes.fim.url": elsewhere,
      "foretell.languages": { typescript: { "lanes.fim.url": elsewhere } },
      "foretell.trigger.enabled": false,
    }),
  );
  await until("word of the workspace", () => JSON.stringify(told(editor)).includes("trigger"));
  await untilTold(editor, { trigger: { enabled: false }, pace: { baseMs: 130 } });
  assert.equal(editor.messages.runs().length, runs);

  await editor.reload();
  await until("server of the next window", () => editor.messages.runs().length > runs);
  await editor.untilStatus("quiet");
  await untilTold(editor, { trigger: { enabled: false }, pace: { baseMs: 130 } });
  assert.ok(!JSON.stringify(editor.messages.all(0)).includes(elsewhere));
  assert.deepEqual(await editor.notificationsSeen(), []);
});
