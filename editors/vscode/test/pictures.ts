// Makes the pictures of the documentation: `npm run pictures` writes them into docs/editors/vscode.
//
// They are what the tests see: the real editor with the real server and the embedded lanes, no model,
// in a window that is small enough to be read on a page. The stories of the tests keep more of them.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { Editor } from "./support/editor";
import { PACKAGE } from "./support/places";
import { BOX } from "./support/texts";
import { until } from "./support/until";

const PICTURES = resolve(PACKAGE, "../../docs/editors/vscode");

const NEAT = `const neat = 1;

export function twice(): number {
  return neat + neat;
}

console.log(neat);
`;

const SETTINGS = {
  "workbench.colorTheme": "Default Dark Modern",
  "workbench.activityBar.location": "hidden",
  "breadcrumbs.enabled": false,
  "window.commandCenter": false,
  "editor.fontSize": 15,
  "editor.lineHeight": 24,
  "editor.scrollBeyondLastLine": false,
  "editor.overviewRulerBorder": false,
  // Lists fade in otherwise.
  "workbench.reduceMotion": "on",
  "workbench.layoutControl.enabled": false,
};

async function take(editor: Editor, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await editor.page.screenshot({ path: join(PICTURES, `${name}.png`) });
  console.log(name);
}

async function takeAll(editor: Editor): Promise<void> {
  await editor.run("View: Close Primary Side Bar");
  editor.write("box.ts", BOX);
  await editor.open("box.ts", [6, 22]);
  await editor.untilStatus("quiet");
  await editor.type(" ");
  await editor.untilGhost("height;");
  await take(editor, "ghost-text");
  await editor.type("he", 120);
  await editor.untilGhost("ight;");
  await take(editor, "typed-into");
  await editor.press("Escape");
  await editor.untilNoGhost();
  await editor.messages.until("foretell/didReject");
  await editor.clickStatus("foretell.foretell.foretell");
  await editor.choose("Rejected suggestions");
  await until("list of rejections", async () =>
    (await editor.choices()).some((it) => it.includes("box.ts")),
  );
  await take(editor, "rejected");
  await editor.press("Escape");

  await editor.tidy();
  editor.write("neat.ts", NEAT);
  await editor.open("neat.ts", [1, 7]);
  await editor.press("Control+Shift+ArrowRight");
  await editor.type("rounded", 90);
  await editor.untilLabel("Tab: next edit, line 4: neat → rounded");
  await take(editor, "next-edit");
  await editor.press("Tab");
  await editor.untilLabel("Tab: accept");
  await take(editor, "next-edit-there");
  await editor.press("Tab");
  await editor.untilLabel("Tab: next edit, line 7");
  await take(editor, "next-edit-on");

  await editor.clickStatus("foretell.foretell.foretell");
  await until("menu", async () => (await editor.choices()).length > 5);
  await take(editor, "menu");
  await editor.choose("Why was nothing shown?");
  await until("words", async () => (await editor.drawn()).join("\n").includes("decisions"), {
    seen: () => editor.drawn(),
  });
  await take(editor, "why");
}

async function main(): Promise<void> {
  const editor = await Editor.start({ settings: SETTINGS, size: { width: 860, height: 360 } });
  try {
    await editor.messages.until("initialized");
    await takeAll(editor);
  } finally {
    await editor.stop();
  }
}

void main();
