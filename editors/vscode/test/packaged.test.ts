// The package as people install it, with the server that is inside: no settings, no model, nothing on
// PATH. It is only tried where TEST_FORETELL_VSIX names one.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { stories } from "./support/stories";
import { BOX } from "./support/texts";

/** PATH without what has the program, which is in the package. */
const PATH = (process.env.PATH ?? "")
  .split(delimiter)
  .filter((directory) => !existsSync(join(directory, "foretell")))
  .join(delimiter);

if (process.env.TEST_FORETELL_VSIX === undefined) {
  const skip = "no package: name one that `npm run package` made in TEST_FORETELL_VSIX";
  test("what is installed suggests something", { skip }, () => {});
} else {
  const story = stories({
    settings: { "foretell.server.path": "" },
    environment: { PATH, VSCODE_CLI: "1" },
    waitForServer: false,
  });

  story("what is installed suggests something, without any setting", async (editor) => {
    editor.write("box.ts", BOX);
    await editor.open("box.ts", [6, 22]);
    await editor.untilStatus("quiet");
    await editor.type(" ");
    await editor.untilGhost("height;");
    await editor.screenshot("packaged");
    await editor.press("Tab");
    await editor.untilNoGhost();
    assert.equal(await editor.saved(), BOX.replace("height =", "height = height;"));
    assert.deepEqual(await editor.notificationsSeen(), []);
  });
}
