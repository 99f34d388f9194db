// VS Code as a person has it: types, presses keys, opens files, and looks.
//
// Everything goes through the page, by keys and by what is drawn; no API of VS Code is used, because what
// works there need not work for a person. Everything has a deadline. What the extension says to the
// server is in `messages`; tests that share an editor are in `stories.ts`.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import { CodeServer, KEYS, type Setup, write } from "./code-server";
import { type State, startRecorder, stopRecorder } from "./frames";
import type { Messages } from "./messages";
import { type Decoration, installEyes, type StatusItem } from "./page";
import { CHROMIUM, extensionUnderTest } from "./places";
import { StandIn } from "./stand-in";
import { PATIENCE_MS, until, within } from "./until";

/** No network, and no more processes than it needs. */
const BROWSER_ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
];

const SIZE = { width: 1280, height: 800 };

export interface EditorSetup extends Omit<Setup, "extension"> {
  /** The extension, which is the one under test unless it is said; `null` is none. */
  extension?: string | null;
  /** Further arguments for the server. */
  serverArguments?: (standIn: StandIn) => string[];
  size?: { width: number; height: number };
}

export class Editor {
  private file = "";
  private isSetOtherwise = false;

  private constructor(
    readonly server: StandIn,
    private readonly code: CodeServer,
    private readonly browser: Browser,
    readonly page: Page,
    private readonly settings: Record<string, unknown>,
  ) {}

  static async start(setup: EditorSetup = {}): Promise<Editor> {
    const directory = CodeServer.directory();
    const server = new StandIn(join(directory, "server"));
    const { extension = extensionUnderTest(), serverArguments, ...rest } = setup;
    const settings = {
      "foretell.server.path": server.program,
      "foretell.server.arguments": serverArguments?.(server) ?? [],
      ...setup.settings,
    };
    const code = await CodeServer.start(directory, {
      ...rest,
      settings,
      ...(extension === null ? {} : { extension }),
    });
    let browser: Browser | undefined;
    try {
      browser = await chromium.launch({ executablePath: CHROMIUM, args: BROWSER_ARGUMENTS });
      const page = await browser.newPage({ viewport: setup.size ?? SIZE });
      page.setDefaultTimeout(PATIENCE_MS);
      await page.addInitScript(installEyes);
      const editor = new Editor(server, code, browser, page, settings);
      await editor.load();
      return editor;
    } catch (error) {
      await browser?.close();
      await code.stop();
      throw error;
    }
  }

  /** Ends the browser, VS Code, the extension and the server. */
  async stop(): Promise<void> {
    try {
      await within(PATIENCE_MS, "the end of Chromium", this.browser.close());
    } finally {
      await this.code.stop();
    }
  }

  get messages(): Messages {
    return this.server.messages;
  }

  /** The folder that is open. */
  get workspace(): string {
    return this.code.workspace;
  }

  // Acts of a person.

  /** Opens the window anew: extensions and the server are started anew with it. */
  async load(): Promise<void> {
    const folder = encodeURIComponent(this.workspace);
    await this.page.goto(`${this.code.address}/?folder=${folder}`, { timeout: 60_000 });
    await this.untilLoaded();
  }

  /** Reloads the window as a person does: VS Code writes down first what it and extensions know. */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent("load", { timeout: 60_000 });
    await this.press(KEYS.reload);
    await loaded;
    await this.untilLoaded();
  }

  /** Writes a file of the workspace, as another program would; gives its path. */
  write(name: string, text: string): string {
    return write(this.workspace, name, text);
  }

  /** Sets more than there was at the start, or otherwise, until the next time; all is Foretell's. */
  set(settings: Record<string, unknown>): void {
    const ours = Object.entries(this.settings).filter(([name]) => name.startsWith("foretell."));
    this.code.setMachine({ ...Object.fromEntries(ours), ...settings });
    this.isSetOtherwise = Object.keys(settings).length > 0;
  }

  /** Opens a file by its name in the workspace, or by its path, and waits until one can type. */
  async open(name: string, place?: [line: number, column: number]): Promise<void> {
    await this.show(name);
    await this.untilShown();
    await this.untilFocused();
    await this.untilIdle();
    if (place !== undefined) await this.goTo(...place);
  }

  /** Waits until VS Code has made the parts of an editor that it puts off, of which ghost text is one. */
  private async untilIdle(): Promise<void> {
    await this.page.evaluate(async () => {
      // What it puts off it does in idle moments, and puts off again what does not fit into one.
      for (let moments = 0; moments < 4; moments += 1) {
        await new Promise((idle) => requestIdleCallback(idle, { timeout: 6_000 }));
      }
    });
  }

  /** Opens a file of any kind, and waits for its tab. */
  async show(name: string): Promise<void> {
    this.file = isAbsolute(name) ? name : join(this.workspace, name);
    const row = this.page.locator(".quick-input-list .monaco-list-row.focused");
    const input = await this.ask("Control+P");
    await input.fill(this.file);
    const file = this.file.split("/").at(-1) ?? "";
    await row.filter({ hasText: file }).first().waitFor();
    await this.confirm(input);
    await this.page.locator(".tab.active", { hasText: file }).first().waitFor();
  }

  /** Moves the cursor; both count from 1. */
  async goTo(line: number, column: number): Promise<void> {
    const input = await this.ask("Control+G");
    await input.fill(`:${line}:${column}`);
    await this.confirm(input);
    await this.untilCursor(line, column);
  }

  /** Types key by key; a line end is the Enter key. */
  async type(text: string, delay = 40): Promise<void> {
    await this.page.keyboard.type(text, { delay });
  }

  /** Presses keys, one after the other: `Escape`, `Tab`, `Control+Z`. */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Runs a command by the palette; `label` is all of what stands there. */
  async run(label: string): Promise<void> {
    const input = await this.ask("F1");
    await input.fill(`>${label}`);
    // The label is followed by the keys of the command.
    const row = this.page.locator(".quick-input-list .monaco-list-row.focused");
    await until(
      `command '${label}'`,
      async () => {
        if ((await row.count()) === 0) return false;
        const found = (await row.first().getAttribute("aria-label")) ?? "";
        return found === label || found.startsWith(`${label}, `);
      },
      { seen: () => this.choices() },
    );
    await this.confirm(input);
  }

  /** Clicks an item of the status bar. */
  async clickStatus(id: string): Promise<void> {
    await this.page.locator(`.statusbar-item[id="${id}"] a`).first().click();
  }

  /** Picks a row of the list that is open, by its text. */
  async choose(text: string): Promise<void> {
    await this.page
      .locator(".quick-input-list .monaco-list-row", { hasText: text })
      .first()
      .click();
  }

  /** Presses a button of a message that is on the screen. */
  async answer(button: string): Promise<void> {
    await this.page.locator(".notification-toast .monaco-button", { hasText: button }).click();
  }

  // Sights of a person.

  /** Waits until what was done is on the screen: drawn in the next frame, painted before the one after. */
  async frame(): Promise<void> {
    await this.page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
  }

  /** The lines of the text on the screen, without ghost text. */
  async drawn(): Promise<string[]> {
    await this.frame();
    return this.page.evaluate(() => window.foretellEyes.lines());
  }

  /** Saves, and gives what is in the file then. */
  async saved(): Promise<string> {
    const before = statSync(this.file, { bigint: true });
    await this.press("Control+S");
    const clean = async () => (await this.page.locator(".tab.active.dirty").count()) === 0;
    // A file that has no changes is written all the same.
    await until("file that was written", async () => {
      const now = statSync(this.file, { bigint: true });
      return now.mtimeNs !== before.mtimeNs && (await clean());
    });
    return readFileSync(this.file, "utf8");
  }

  async ghost(): Promise<string> {
    await this.frame();
    return this.page.evaluate(() => window.foretellEyes.ghost());
  }

  /** Waits for ghost text, of this wording if it is given. */
  async untilGhost(wanted?: string): Promise<string> {
    return until(
      wanted === undefined ? "ghost text" : `ghost text ${JSON.stringify(wanted)}`,
      async () => {
        const ghost = await this.ghost();
        return (wanted === undefined ? ghost !== "" : ghost === wanted) && ghost;
      },
      { seen: async () => ({ ghost: await this.ghost(), said: this.messages.counts() }) },
    );
  }

  async untilNoGhost(): Promise<void> {
    await until("end of the ghost text", async () => (await this.ghost()) === "", {
      seen: () => this.ghost(),
    });
  }

  /** Watches every frame while something is done. */
  async recorded(act: () => Promise<void>): Promise<State[]> {
    await this.page.evaluate(startRecorder);
    await act();
    await this.frame();
    const { states, frames } = await this.page.evaluate(stopRecorder);
    if (frames === 0) throw new Error("no frame was painted while it was recorded");
    return states;
  }

  async decorations(): Promise<Decoration[]> {
    return this.page.evaluate(() => window.foretellEyes.decorations());
  }

  /** The label of a next edit at the cursor; nothing if there is none. */
  async label(): Promise<string | undefined> {
    const found = (await this.decorations()).find(({ after }) => /next edit|Tab: /.test(after));
    return found?.after;
  }

  /** Waits for a label that has this in it. */
  async untilLabel(part: string): Promise<void> {
    await until(`label '${part}'`, async () => (await this.label())?.includes(part) === true, {
      seen: async () => ({ label: await this.label(), said: this.messages.counts() }),
    });
  }

  /** The messages that are on the screen. */
  async notifications(): Promise<string[]> {
    return this.page.evaluate(() => window.foretellEyes.notifications());
  }

  /** Every message that was on the screen since the window was opened, or since `tidy`. */
  async notificationsSeen(): Promise<string[]> {
    return this.page.evaluate(() => window.foretellEyes.seen);
  }

  async untilNotification(part: string): Promise<string> {
    const seen = () => this.notificationsSeen();
    return until(
      `message that says '${part}'`,
      async () => (await seen()).find((said) => said.includes(part)),
      { seen },
    );
  }

  /** The items of the status bar whose ids begin so. */
  async status(prefix = "foretell."): Promise<StatusItem[]> {
    const items = await this.page.evaluate(() => window.foretellEyes.statusItems());
    return items.filter(({ id }) => id.startsWith(prefix));
  }

  /** Waits until Foretell's item says this, to a screen reader or by pointing at it. */
  async untilStatus(part: string): Promise<StatusItem> {
    return until(
      `status '${part}'`,
      async () => (await this.status()).find(({ label }) => label.includes(part)),
      { seen: () => this.status() },
    );
  }

  /** The rows of the list that is open: the palette, a choice, files. */
  async choices(): Promise<string[]> {
    const rows = this.page.locator(".quick-input-list .monaco-list-row");
    return rows.evaluateAll((rows) => rows.map((row) => row.getAttribute("aria-label") ?? ""));
  }

  /** Where the cursor is, as the status bar says; columns count as it counts them. */
  async cursor(): Promise<{ line: number; column: number } | undefined> {
    const items = await this.status("status.editor.selection");
    const found = /Ln (\d+), Col (\d+)/.exec(items[0]?.text ?? "");
    return found === null ? undefined : { line: Number(found[1]), column: Number(found[2]) };
  }

  /** Waits until the cursor is there: the status bar is drawn a while after it has moved. */
  async untilCursor(line: number, column: number): Promise<void> {
    await until(
      `cursor at ${line}:${column}`,
      async () => {
        const at = await this.cursor();
        return at?.line === line && at.column === column;
      },
      { seen: () => this.cursor() },
    );
  }

  /**
   * Waits until the editor has the text of the file that was opened: its tab is there earlier, and what is
   * typed until then goes into the file that was open before.
   */
  private async untilShown(): Promise<void> {
    const shown = () => this.page.evaluate(() => window.foretellEyes.document());
    await until(`text of ${this.file}`, async () => (await shown())?.endsWith(this.file), {
      seen: shown,
    });
  }

  /** Waits until what is typed goes into an editor. */
  async untilFocused(): Promise<void> {
    await until("editor that has the focus", () =>
      this.page.evaluate(() => window.foretellEyes.editor()?.classList.contains("focused")),
    );
  }

  /** The titles of the open tabs. */
  async tabs(): Promise<string[]> {
    const tabs = this.page.locator(".tab");
    return tabs.evaluateAll((tabs) =>
      tabs.map((tab) => tab.getAttribute("data-resource-name") ?? ""),
    );
  }

  /** Keeps a picture of the window under this name, and gives its path. */
  async screenshot(name: string): Promise<string> {
    const path = join(screenshots(), `${name}.png`);
    // Messages and lists fade in; what turns, turns for ever.
    await this.page.evaluate(() => {
      const fading = document.getAnimations().filter((it) => {
        return it.effect?.getComputedTiming().iterations !== Infinity;
      });
      return Promise.allSettled(fading.map((it) => it.finished)).then(() => undefined);
    });
    await until("messages that are all there", async () => {
      const fading = ".notification-toast:not(.notification-fade-in-done)";
      return (await this.page.locator(fading).count()) === 0;
    });
    await this.page.screenshot({ path });
    return path;
  }

  /** The log of the extension and its server. */
  logged(): string[] {
    return this.code.logged();
  }

  // Between two tests.

  /** Closes all files without saving, takes messages away, and forgets what was set and said so far. */
  async tidy(): Promise<void> {
    await this.press("Escape", "Escape");
    // A story that failed may have left the document that is open paused, or everything.
    const isPaused = (await this.status()).some(({ label }) => label.includes("paused"));
    if (isPaused) await this.run("Foretell: Resume");
    const tabs = this.page.locator(".tab");
    await until("end of all tabs", async () => {
      const open = await tabs.count();
      if (open === 0) return true;
      await this.press(KEYS.revertAndClose);
      const closed = async () => (await tabs.count()) < open;
      // A key that was lost is pressed again.
      await until("closed tab", closed, { patienceMs: 3_000 }).catch(() => undefined);
      return false;
    });
    await this.press(KEYS.clearNotifications);
    await until("end of all messages", async () => (await this.notifications()).length === 0);
    await this.page.evaluate(() => {
      window.foretellEyes.seen.length = 0;
    });
    this.server.order({});
    if (this.isSetOtherwise) this.set({});
    // A rejection by the Escape above is told before the end of its document.
    await until("end of all documents", () => this.server.documents().length === 0, {
      seen: () => this.server.documents(),
    });
    this.messages.forget();
  }

  /** Keeps what helps to find out what went wrong, and gives the directory. */
  async keep(name: string): Promise<string> {
    const parent = process.env.TEST_FORETELL_TRANSCRIPTS ?? join(tmpdir(), "foretell-vscode-kept");
    mkdirSync(parent, { recursive: true });
    const directory = mkdtempSync(join(parent, `${name.replace(/\W+/g, "-").slice(0, 60)}-`));
    await this.page
      .screenshot({ path: join(directory, "screen.png"), timeout: 5_000 })
      .catch((error) => console.error(`no screenshot: ${error}`));
    if (existsSync(this.server.transcript)) {
      cpSync(this.server.transcript, join(directory, "messages.jsonl"));
    }
    this.code.keepLogs(directory);
    return directory;
  }

  private async untilLoaded(): Promise<void> {
    await this.page.locator(".monaco-workbench .statusbar").waitFor({ timeout: 60_000 });
    await this.page.locator(".explorer-folders-view").first().waitFor({ timeout: 60_000 });
  }

  /**
   * Presses Enter in the input of a list, and waits until that is gone and whatever had the focus before
   * has it again, or until the list asks for something else. Keys typed sooner are lost.
   */
  private async confirm(input: Locator): Promise<void> {
    const asked = await input.inputValue();
    await input.press("Enter");
    await until("end of the list", () =>
      this.page.evaluate((asked) => {
        const list = document.querySelector<HTMLElement>(".quick-input-widget");
        if (list === null) return true;
        if (list.style.display !== "none") return list.querySelector("input")?.value !== asked;
        if (window.foretellEyes.editor() === null) return true;
        const focused = document.activeElement;
        return focused !== null && focused !== document.body && !list.contains(focused);
      }, asked),
    );
  }

  /** Opens a list by a key, and gives its input once that is ready to be filled. */
  private async ask(key: string): Promise<Locator> {
    await this.press(key);
    const input = this.page.locator(".quick-input-widget:not([style*='display: none']) input");
    await input.first().waitFor();
    return input.first();
  }
}

let made: string | undefined;

function screenshots(): string {
  made ??=
    process.env.TEST_FORETELL_SCREENSHOTS ?? mkdtempSync(join(tmpdir(), "foretell-screens-"));
  mkdirSync(made, { recursive: true });
  return made;
}
