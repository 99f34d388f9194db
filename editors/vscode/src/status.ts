// The status bar item: how Foretell is doing, in one sign and, on pointing at it, in words.
//
// It shows the server's last report, whether the server runs, and what the person has paused; the last
// two win.
import {
  Disposable,
  MarkdownString,
  StatusBarAlignment,
  type StatusBarItem,
  ThemeColor,
  window,
} from "vscode";
import { isFollowed } from "./following";
import type { Pause } from "./pause";
import type { ServerStatus } from "./protocol";
import type { Server } from "./server";

const QUIET: ServerStatus = { kind: "quiet", message: "" };

export class Status implements Disposable {
  readonly #item: StatusBarItem;
  readonly #listening: Disposable;
  #said: ServerStatus = QUIET;

  constructor(
    private readonly server: Server,
    private readonly pause: Pause,
  ) {
    this.#item = window.createStatusBarItem("foretell", StatusBarAlignment.Right, 100);
    this.#item.name = "Foretell";
    this.#item.command = "foretell.menu";
    this.#listening = Disposable.from(
      server.onDidChange(() => {
        this.#said = QUIET;
        this.#draw();
      }),
      pause.onDidChange(() => this.#draw()),
      window.onDidChangeActiveTextEditor(() => this.#draw()),
    );
    this.#draw();
    this.#item.show();
  }

  /** The server's report of itself. */
  said(status: ServerStatus): void {
    this.#said = status;
    this.#draw();
  }

  dispose(): void {
    this.#listening.dispose();
    this.#item.dispose();
  }

  #draw(): void {
    const { sign, words, isError, name } = this.#now();
    this.#item.text = `${sign} ${name ?? "Foretell"}`;
    this.#item.tooltip = new MarkdownString().appendText(`Foretell: ${words}`);
    this.#item.backgroundColor = isError
      ? new ThemeColor("statusBarItem.errorBackground")
      : undefined;
    this.#item.accessibilityInformation = { label: `Foretell: ${words}`, role: "button" };
  }

  #now(): { sign: string; words: string; isError?: boolean; name?: string } {
    const life = this.server.state;
    const document = window.activeTextEditor?.document;
    switch (life.kind) {
      case "down":
        return { sign: "$(error)", words: life.why, isError: true };
      case "stopped":
      case "starting":
        return { sign: "$(loading~spin)", words: "starting; the server has not answered yet" };
    }
    const paused = this.pause.reason(document);
    if (paused !== undefined) return { sign: "$(debug-pause)", words: `paused ${paused}` };
    const { kind, message, reading } = this.#said;
    switch (kind) {
      case "error":
        return { sign: "$(error)", words: message, isError: true };
      case "resting":
        return { sign: "$(coffee)", words: message };
      case "working":
        return reading === undefined
          ? { sign: "$(loading~spin)", words: "asking the model" }
          : { sign: "$(loading~spin)", words: message, name: message };
    }
    const isLeftAlone = document !== undefined && !isFollowed(document);
    const words = isLeftAlone ? "quiet; documents of this kind are left alone" : "quiet";
    return { sign: "$(telescope)", words };
  }
}
