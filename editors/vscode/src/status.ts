// The status bar item: how Foretell is doing, in one sign and, on pointing at it, in words.
//
// It shows the server's last report, whether the server runs, and what the person has paused; the last
// two win. That a model is asked is shown when it has taken a moment: a status bar must not blink at every pause.
//
// Its words grow while a long prompt is read. It stands left of all that is on the right of the status bar, so
// that nothing else moves when they do.
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

/** How long a model is asked until that is shown. */
const NOTICEABLE_MS = 250;

/** More than extensions give their items, as a rule: the highest is leftmost. */
const PRIORITY = 1_000_000;

export class Status implements Disposable {
  readonly #item: StatusBarItem;
  readonly #listening: Disposable;
  #said: ServerStatus = QUIET;
  #noticeable: NodeJS.Timeout | undefined;

  constructor(
    private readonly server: Server,
    private readonly pause: Pause,
  ) {
    this.#item = window.createStatusBarItem("foretell", StatusBarAlignment.Right, PRIORITY);
    this.#item.name = "Foretell";
    this.#item.command = "foretell.menu";
    this.#listening = Disposable.from(
      server.onDidChange(() => this.#show(QUIET)),
      pause.onDidChange(() => this.#draw()),
      window.onDidChangeActiveTextEditor(() => this.#draw()),
    );
    this.#draw();
    this.#item.show();
  }

  /** The server's report of itself. */
  said(status: ServerStatus): void {
    clearTimeout(this.#noticeable);
    if (status.kind === "working" && this.#said.kind !== "working") {
      this.#noticeable = setTimeout(() => this.#show(status), NOTICEABLE_MS);
    } else {
      this.#show(status);
    }
  }

  dispose(): void {
    clearTimeout(this.#noticeable);
    this.#listening.dispose();
    this.#item.dispose();
  }

  #show(status: ServerStatus): void {
    clearTimeout(this.#noticeable);
    this.#said = status;
    this.#draw();
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
