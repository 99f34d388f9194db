// The server is missing, is another one, or keeps dying: one message at most, and typing goes on.
import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import type { Editor } from "./support/editor";
import { stories } from "./support/stories";
import { until } from "./support/until";

/** A directory that is on PATH, and has nothing in it at first. */
const onPath = mkdtempSync(join(tmpdir(), "foretell-path-"));
after(() => rmSync(onPath, { recursive: true }));

const story = stories({
  // VS Code takes PATH from a login shell, unless it was started from one.
  environment: { PATH: `${onPath}:${process.env.PATH}`, VSCODE_CLI: "1" },
  serverArguments: (server) => server.script([{ after: "const sum = ", insert: "price;" }]),
});

/** Only this is on the screen, and what is typed is saved. */
async function oneMessage(editor: Editor, said: string | undefined): Promise<void> {
  if (said !== undefined) await editor.untilNotification(said);
  editor.write("typed.ts", "");
  await editor.open("typed.ts");
  await editor.type("let a = 1;\n");
  assert.equal(await editor.saved(), "let a = 1;\n");
  assert.equal((await editor.notificationsSeen()).length, said === undefined ? 0 : 1);
}

/** All is well with a server that was started since: something is suggested, and nothing more is said. */
async function works(editor: Editor, since: number): Promise<void> {
  const before = await editor.notificationsSeen();
  await untilStarted(editor, since);
  editor.write("works.ts", "");
  await editor.open("works.ts");
  await editor.type("const sum = ");
  await editor.untilGhost("price;");
  // The next story's Escape would reject a suggestion left standing.
  await editor.press("Tab");
  await editor.untilNoGhost();
  assert.deepEqual(await editor.notificationsSeen(), before);
}

/** Waits for a server that was started since: what the status bar says may be of the one before. */
async function untilStarted(editor: Editor, since: number): Promise<void> {
  await editor.messages.until("initialized", () => true, { since });
  await editor.untilStatus("quiet");
}

/** How many servers were started. */
function starts(editor: Editor): number {
  return editor.messages.runs().length;
}

/** Waits until all started programs have ended. */
async function untilNobodyRuns(editor: Editor): Promise<void> {
  await until("end of all servers", () => editor.messages.runs().every(({ ended }) => ended), {
    seen: () => editor.messages.runs(),
  });
}

story("settings name a program that is not there", async (editor) => {
  editor.set({ "foretell.server.path": "/nowhere/foretell" });
  await oneMessage(editor, "names /nowhere/foretell, which is not there or cannot be run");
  const item = await editor.untilStatus("/nowhere/foretell");
  assert.equal(item.kind, "error");
  await editor.screenshot("trouble-no-program");
  await untilNobodyRuns(editor);
  const since = editor.messages.now();
  editor.set({});
  await works(editor, since);
});

story("there is no program on PATH, and then there is", async (editor) => {
  editor.set({ "foretell.server.path": "" });
  await oneMessage(editor, "there is no program foretell on PATH");
  symlinkSync(editor.server.program, join(onPath, "foretell"));
  const since = editor.messages.now();
  await editor.run("Foretell: Restart Server");
  await works(editor, since);
  const before = starts(editor);
  editor.set({});
  await until("server that settings name", () => starts(editor) > before);
});

story("a program of another protocol", async (editor) => {
  editor.server.order({ protocol: 7 });
  const before = starts(editor);
  await editor.run("Foretell: Restart Server");
  await oneMessage(editor, "speaks protocol 7, and this extension speaks 1: update the extension");
  assert.equal((await editor.untilStatus("protocol 7")).kind, "error");
  await untilNobodyRuns(editor);
  assert.equal(starts(editor), before + 1);
  editor.server.order({});
  const since = editor.messages.now();
  await editor.run("Foretell: Restart Server");
  await works(editor, since);
});

story("a server that ends as soon as it is started", async (editor) => {
  editor.server.order({ exitAtStart: 3 });
  const before = starts(editor);
  await editor.run("Foretell: Restart Server");
  await oneMessage(editor, "ended 5 times within three minutes");
  assert.equal((await editor.untilStatus("ended 5 times")).kind, "error");
  assert.equal(starts(editor), before + 5);
  await editor.screenshot("trouble-crashes");
  editor.server.order({});
  const since = editor.messages.now();
  await editor.answer("Start Again");
  await works(editor, since);
  assert.equal(starts(editor), before + 6);
});

story("a server that is killed again and again", async (editor) => {
  let since = editor.messages.now();
  await editor.run("Foretell: Restart Server");
  for (let deaths = 1; deaths < 5; deaths++) {
    await untilStarted(editor, since);
    since = editor.messages.now();
    await editor.server.kill();
  }
  await works(editor, since);
  assert.deepEqual(await editor.notificationsSeen(), []);
  await editor.server.kill();
  await oneMessage(editor, "ended 5 times within three minutes");
  await untilNobodyRuns(editor);
  since = editor.messages.now();
  await editor.answer("Start Again");
  await works(editor, since);
});

for (const [what, program, mode, said] of [
  ["that says nothing and ends", "exit 0", 0o755, "ended 5 times"],
  ["that gives back what it gets", "exec cat", 0o755, "ended 5 times"],
  ["that says something else and waits", "echo hello; exec tail -f /dev/null", 0o755, undefined],
  ["that may not be run", "exit 0", 0o644, "which is not there or cannot be run"],
] as const) {
  story(`a program ${what}`, async (editor) => {
    const pids = join(editor.workspace, "pids");
    const path = editor.write("program", `#!/bin/sh\necho $$ >> ${pids}\n${program}\n`);
    chmodSync(path, mode);
    editor.set({ "foretell.server.path": path });
    if (said === undefined) await until("program that runs", () => existsSync(pids));
    await oneMessage(editor, said);
    const since = editor.messages.now();
    editor.set({});
    await works(editor, since);
    await until("end of all that was started", () => running(pids).length === 0);
    rmSync(pids, { force: true });
  });
}

story("a program that never answers, from the start on", async (editor) => {
  const path = editor.write("mute", "#!/bin/sh\nexec tail -f /dev/null\n");
  chmodSync(path, 0o755);
  editor.set({ "foretell.server.path": path });
  await editor.reload();
  await editor.untilStatus("has not answered yet");
  await editor.run("Foretell: Menu");
  await until("menu", async () => (await editor.choices()).some((it) => it.includes("Restart")), {
    seen: () => editor.choices(),
  });
  await editor.press("Escape");
  assert.deepEqual(await editor.notificationsSeen(), []);
  const since = editor.messages.now();
  editor.set({});
  await works(editor, since);
});

/** The processes of a list that still run. */
function running(pids: string): string[] {
  const all = existsSync(pids) ? readFileSync(pids, "utf8").trim().split("\n") : [];
  return all.filter((pid) => {
    try {
      // A zombie does not run either.
      return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
    } catch {
      return false;
    }
  });
}

for (const [what, path] of [
  ["words that may be run", "words"],
  ["a directory", "folder"],
] as const) {
  story(`the program is ${what}`, async (editor) => {
    chmodSync(editor.write("words", "These are words.\n"), 0o755);
    mkdirSync(join(editor.workspace, "folder"), { recursive: true });
    editor.set({ "foretell.server.path": join(editor.workspace, path) });
    await oneMessage(editor, path === "words" ? "ended 5 times" : "cannot be run");
    const since = editor.messages.now();
    editor.set({});
    await works(editor, since);
  });
}
