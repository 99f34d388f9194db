// Next edits of a model that knows what the person does next, as people have it: at an address, in its own format.
import assert from "node:assert/strict";
import { after } from "node:test";
import type { Editor } from "./support/editor";
import { ModelServer } from "./support/model-server";
import { stories } from "./support/stories";
import { until } from "./support/until";

/** A function, and its calls: the second one is further away. */
const LOAD = `function load(path: string) {
  return read(path);
}

const config = load("config");
`;

let server: ModelServer | undefined;
after(() => server?.stop());

const story = stories(async () => {
  server = await ModelServer.start([
    // Who gives the function a mode wants it used, and then to say which mode.
    { after: ", mode: string", replace: "read(path)", insert: "read(path, mode)" },
    {
      after: ", mode: string",
      replace: 'load("config")',
      insert: 'load("config", "<|user_cursor|>")',
    },
  ]);
  return {
    settings: {
      "foretell.lanes.nextEdit.kind": "llama-cpp",
      "foretell.lanes.nextEdit.url": server.url,
      "foretell.lanes.nextEdit.model": "zeta-2",
      "foretell.lanes.fim.enabled": false,
      "foretell.lanes.fix.enabled": false,
      "foretell.trigger.rejectionCooldownMs": 0,
      "foretell.recall.mode": "off",
    },
  };
});

async function untilText(editor: Editor, text: string): Promise<void> {
  const words = text.split("\n");
  await until(
    "text",
    async () => {
      const drawn = await editor.drawn();
      return words.every((line, index) => (drawn[index] ?? "") === line);
    },
    { seen: () => editor.drawn() },
  );
}

story("a parameter is used, and the cursor goes where its value is missing", async (editor) => {
  editor.write("load.ts", LOAD);
  await editor.open("load.ts", [1, 27]);
  await editor.type(", mode: string", 60);
  await editor.untilLabel("line 2");
  await editor.screenshot("next-model-1-offered");
  await editor.press("Tab");
  await editor.untilLabel("accept");
  await editor.press("Tab");
  await editor.untilLabel("line 5");
  await editor.screenshot("next-model-2-and-on");
  await editor.press("Tab");
  await editor.untilLabel("accept");
  await editor.press("Tab");
  const accepted = LOAD.replace("string)", "string, mode: string)")
    .replace("read(path)", "read(path, mode)")
    .replace('"config")', '"config", "")');
  await untilText(editor, accepted);
  // Between the quotes, where the model says that it goes on.
  await editor.untilCursor(5, 32);
  await editor.screenshot("next-model-3-led-there");
  await editor.type("fast");
  assert.equal(await editor.saved(), accepted.replace('""', '"fast"'));
});
