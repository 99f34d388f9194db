// The person's questions and orders: the menu behind the status bar item, and the same as commands.
//
// The server's text for people is shown as it is, in a read-only document that the server is not told of.
import {
  commands,
  Disposable,
  EventEmitter,
  type LogOutputChannel,
  languages,
  type QuickPickItem,
  QuickPickItemKind,
  type TextDocument,
  type TextDocumentContentProvider,
  ThemeIcon,
  Uri,
  window,
  workspace,
} from "vscode";
import { followedEditor } from "./following";
import type { Pause } from "./pause";
import type { Rejection, Told } from "./protocol";
import type { Rejections } from "./rejections";
import type { Server } from "./server";

const SCHEME = "foretell";
const NO_ANSWER = "The server could not say. Its log may: run the command Foretell: Show Log.\n";
const NOT_RUNNING =
  "Foretell's server does not run. Its log says why: run the command Foretell: Show Log.\n";

interface Choice extends QuickPickItem {
  readonly run?: () => unknown;
}

export class Menu implements Disposable, TextDocumentContentProvider {
  readonly #reports = new Map<string, string>();
  readonly #changed = new EventEmitter<Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #registered: Disposable;

  constructor(
    private readonly server: Server,
    private readonly pause: Pause,
    private readonly rejections: Rejections,
    private readonly log: LogOutputChannel,
  ) {
    const command = (name: string, run: () => unknown) =>
      commands.registerCommand(`foretell.${name}`, run);
    this.#registered = Disposable.from(
      workspace.registerTextDocumentContentProvider(SCHEME, this),
      command("menu", () => this.#choose()),
      command("showWhy", () => this.#why()),
      command("showSent", () => this.#report("What was sent", "foretell/sent")),
      command("showStatus", () => this.#report("Status", "foretell/status")),
      command("showRejections", () => this.#rejected()),
      command("pauseFile", () => withDocument((it) => pause.pauseFile(it))),
      command("pauseLanguage", () => withDocument((it) => pause.pauseLanguage(it))),
      command("pauseHour", () => pause.pauseHour()),
      command("resume", () => pause.resume(followedEditor()?.document)),
      command("restart", () => server.restart()),
      command("showLog", () => log.show()),
      command("openSettings", () =>
        commands.executeCommand("workbench.action.openSettings", "@ext:foretell.foretell"),
      ),
    );
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.#reports.get(uri.toString()) ?? "";
  }

  dispose(): void {
    this.#registered.dispose();
    this.#changed.dispose();
  }

  async #choose(): Promise<void> {
    const document = followedEditor()?.document;
    const run = (name: string) => () => commands.executeCommand(`foretell.${name}`);
    const paused = this.pause.reason(document);
    const pausing: Choice[] =
      paused === undefined
        ? [
            ...(document === undefined
              ? []
              : [
                  { label: "$(debug-pause) Pause for this file", run: run("pauseFile") },
                  {
                    label: `$(debug-pause) Pause for ${document.languageId}`,
                    run: run("pauseLanguage"),
                  },
                ]),
            { label: "$(debug-pause) Pause for an hour", run: run("pauseHour") },
          ]
        : [{ label: "$(play) Resume", description: `paused ${paused}`, run: run("resume") }];
    const between: Choice = { label: "", kind: QuickPickItemKind.Separator };
    const choice = await window.showQuickPick<Choice>(
      [
        { label: "$(question) Why was nothing shown?", run: run("showWhy") },
        { label: "$(cloud-upload) What was sent?", run: run("showSent") },
        { label: "$(circle-slash) Rejected suggestions", run: run("showRejections") },
        { label: "$(pulse) Status", run: run("showStatus") },
        between,
        ...pausing,
        between,
        { label: "$(gear) Settings", run: run("openSettings") },
        { label: "$(output) Log", run: () => this.log.show() },
        { label: "$(refresh) Restart the server", run: run("restart") },
      ],
      { title: "Foretell", placeHolder: "What do you want to know, or to change?" },
    );
    // A click on the status bar item took the focus, and VS Code does not give it back.
    await commands.executeCommand("workbench.action.focusActiveEditorGroup");
    await choice?.run?.();
  }

  async #why(): Promise<void> {
    const document = followedEditor()?.document;
    const paused = this.pause.reason(document);
    const told = await this.server.request<Told>(
      "foretell/why",
      document === undefined ? {} : { textDocument: { uri: document.uri.toString() } },
    );
    const before =
      paused === undefined ? "" : `Foretell is paused ${paused}: nothing is asked.\n\n`;
    await this.#show("Why was nothing shown", before + this.#words(told));
  }

  async #report(title: string, method: string): Promise<void> {
    const told = await this.server.request<Told>(method, {});
    await this.#show(title, this.#words(told));
  }

  #words(told: Told | undefined): string {
    return told?.text ?? (this.server.client === undefined ? NOT_RUNNING : NO_ANSWER);
  }

  async #show(title: string, text: string): Promise<void> {
    const uri = Uri.from({ scheme: SCHEME, path: `/${title}.txt` });
    this.#reports.set(uri.toString(), text);
    this.#changed.fire(uri);
    const document = await workspace.openTextDocument(uri);
    // Its lines are long, and are wrapped: package.json has that for this language.
    await languages.setTextDocumentLanguage(document, "foretell-report");
    await window.showTextDocument(document, { preview: true });
  }

  /** Lists what is rejected; a click on the bin forgets one, and it may be suggested again. */
  async #rejected(): Promise<void> {
    interface Listed extends QuickPickItem {
      readonly forgets: number | "all" | undefined;
    }
    const bin = { iconPath: new ThemeIcon("trash"), tooltip: "Forget: it may be suggested again" };
    const pick = window.createQuickPick<Listed>();
    pick.title = "Rejected suggestions";
    pick.placeholder = "Choose one to forget it: it may then be suggested again";
    pick.matchOnDescription = true;
    const fill = (all: readonly Rejection[]) => {
      const one = (it: Rejection): Listed => ({
        label: it.text,
        buttons: [bin],
        forgets: it.id,
      });
      const every: Listed = { label: "$(trash) Forget all of them", forgets: "all" };
      const none: Listed = { label: "Nothing is rejected.", forgets: undefined };
      const listed = new Map(all.map((it) => [it.id, it]));
      pick.items = all.length === 0 ? [none] : [...[...listed.values()].map(one), every];
    };
    const forget = async (listed: Listed | undefined) => {
      if (listed?.forgets === undefined) return;
      pick.busy = true;
      await this.rejections.forget(listed.forgets);
      fill(await this.rejections.all());
      pick.busy = false;
    };
    pick.onDidTriggerItemButton(({ item }) => forget(item));
    pick.onDidAccept(() => forget(pick.selectedItems[0]));
    pick.onDidHide(() => pick.dispose());
    pick.busy = true;
    pick.show();
    fill(await this.rejections.all());
    pick.busy = false;
  }
}

function withDocument(run: (document: TextDocument) => void): void {
  const document = followedEditor()?.document;
  if (document !== undefined) run(document);
}
