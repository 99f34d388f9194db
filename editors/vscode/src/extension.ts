// Foretell in VS Code: a thin client of `foretell lsp`.
//
// It tells the server what happens, draws what it answers, and tells it what became of that. When to
// ask, what to show and what never to show again is decided there; here are no timers but for drawing,
// and nothing is filtered.
//
// | file | what it is |
// | --- | --- |
// | `server.ts`, `program.ts`, `client.ts` | the server's life |
// | `following.ts`, `diagnostics.ts` | what the server hears besides the text |
// | `ghost.ts` | ghost text: Escape, and what became of a suggestion |
// | `nextEdits.ts`, `drawing.ts` | next edits: Tab, Escape, and how they look |
// | `rejections.ts` | the mirror of what is rejected |
// | `status.ts`, `menu.ts`, `pause.ts` | what the person sees and can order |
// | `settings.ts`, `protocol.ts` | what was set, and the messages' shapes |
import { type ExtensionContext, window, workspace } from "vscode";
import {
  DidChangeConfigurationNotification,
  type LanguageClientOptions,
} from "vscode-languageclient/node";
import type { QuietClient } from "./client";
import { Diagnostics } from "./diagnostics";
import { FOLLOWED, Following, followedEditor } from "./following";
import { GhostText } from "./ghost";
import { Menu } from "./menu";
import { NextEdits } from "./nextEdits";
import { Pause } from "./pause";
import type { Resync, ServerStatus, Trigger } from "./protocol";
import { Rejections } from "./rejections";
import { Server } from "./server";
import { keepLog } from "./serverLog";
import { explicitSettings } from "./settings";
import { Status } from "./status";

let server: Server | undefined;

export function activate(context: ExtensionContext): void {
  const log = window.createOutputChannel("Foretell", { log: true });
  const running = new Server(context, log, options, prepare);
  server = running;
  const pause = new Pause(context.workspaceState);
  const rejections = new Rejections(running, context.workspaceState);
  const following = new Following(running, pause);
  const diagnostics = new Diagnostics(running);
  const ghost = new GhostText(
    running,
    following,
    pause,
    rejections,
    context.extension.id,
    () => nextEdits.draw(),
    () => nextEdits.askForPerson(),
  );
  const nextEdits = new NextEdits(running, following, pause, rejections, () => ghost.isOffered);
  const status = new Status(running, pause);
  const menu = new Menu(running, pause, rejections, log);

  function options(): LanguageClientOptions {
    return {
      documentSelector: FOLLOWED,
      outputChannel: log,
      stdioOptions: { stdout: () => undefined, stderr: (said) => keepLog(said, log) },
      middleware: {
        didChange: following.didChange,
        provideInlineCompletionItems: ghost.provide,
        workspace: {
          configuration: ({ items }) => items.map(() => explicitSettings(context.extension)),
          // It only says that something changed: the server asks what.
          didChangeConfiguration: async () =>
            running.notify(DidChangeConfigurationNotification.method, { settings: null }),
        },
      },
    };
  }

  function prepare(client: QuietClient): void {
    client.onNotification("foretell/trigger", (it: Trigger) => obey(it));
    client.onNotification("foretell/resync", (it: Resync) => following.resync(it));
    client.onNotification("foretell/didChangeStatus", (it: ServerStatus) => status.said(it));
  }

  function obey({ textDocument: { uri, version }, cause }: Trigger): void {
    const editor = followedEditor();
    const document = editor?.document;
    if (document?.uri.toString() !== uri || document.version !== version || editor === undefined)
      return;
    void ghost.trigger(editor, { isLate: cause === "late" });
    void nextEdits.ask(editor);
  }

  context.subscriptions.push(
    log,
    running,
    pause,
    rejections,
    following,
    diagnostics,
    ghost,
    nextEdits,
    status,
    menu,
    following.onDidTellChange(() => rejections.follow()),
    running.onDidChange(({ kind }) => {
      if (kind !== "running") return;
      following.look();
      diagnostics.tell();
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("foretell.server")) void running.follow();
    }),
  );
  // Not awaited: until an extension is activated none of its commands is run, and a server that
  // never answers is just what people need the log for.
  void running.start();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
