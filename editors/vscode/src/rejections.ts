// A mirror of what is rejected, so that it outlives the server.
//
// The server keeps rejections in memory and ties each to the text it belongs to. So the list is asked
// for again whenever one came or went, and while there are any, right behind every change of a text: what
// is given back to the next server fits the text it is given, whenever the last one died.
//
// The list quotes the person's code. It is kept in VS Code's own storage for this workspace, where VS
// Code keeps its backups and local history too, so that a reloaded window knows what was rejected.
import { isDeepStrictEqual } from "node:util";
import type { Disposable, Memento } from "vscode";
import type { Rejection, RejectionsTold } from "./protocol";
import type { Server } from "./server";

const KEY = "rejections";

export class Rejections implements Disposable {
  #list: readonly Rejection[];
  /** Whether this server was given back what is known: before, its own list would wipe ours out. */
  #isRestored = false;
  #asking: Promise<void> | undefined;
  #askedNext: Promise<void> | undefined;
  readonly #listening: Disposable;

  constructor(
    private readonly server: Server,
    private readonly memento: Memento,
  ) {
    this.#list = memento.get<readonly Rejection[]>(KEY, []);
    this.#listening = server.onDidChange((life) => {
      this.#isRestored = false;
      if (life.kind === "running") void this.#restore();
    });
  }

  dispose(): void {
    this.#listening.dispose();
  }

  /** Everything that is rejected, as the server says it. */
  async all(): Promise<readonly Rejection[]> {
    await this.refresh();
    return this.#list;
  }

  /** Forgets one, or all. */
  async forget(id: number | "all"): Promise<void> {
    const params = id === "all" ? { all: true } : { id };
    const left = await this.server.request<RejectionsTold>("foretell/forget", params);
    if (left !== undefined) this.#keep(left);
  }

  /** Brings the mirror up to date, if there is anything in it that could have moved. */
  follow(): void {
    if (this.#list.length > 0) void this.refresh();
  }

  /**
   * Brings the mirror up to date: done is when the server has answered a question that was asked from now
   * on. One is under way at a time, and those who come meanwhile share the next.
   */
  refresh(): Promise<void> {
    if (this.#asking !== undefined) {
      this.#askedNext ??= this.#asking.then(() => {
        this.#askedNext = undefined;
        return this.refresh();
      });
      return this.#askedNext;
    }
    this.#asking = this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(): Promise<void> {
    if (!this.#isRestored) return;
    const told = await this.server.request<RejectionsTold>("foretell/rejections", {});
    if (told !== undefined && this.#isRestored) this.#keep(told);
  }

  async #restore(): Promise<void> {
    const { life } = this.server;
    const list = this.#list;
    const restored =
      list.length === 0 || (await this.server.request("foretell/restore", { rejections: list }));
    // Rejections that the server refused are kept until a server takes them.
    if (!restored || life !== this.server.life) return;
    this.#isRestored = true;
    await this.refresh();
  }

  #keep({ rejections }: RejectionsTold): void {
    if (isDeepStrictEqual(rejections, this.#list)) return;
    this.#list = rejections;
    void this.memento.update(KEY, rejections);
  }
}
