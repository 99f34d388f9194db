// The server's life: found, started, checked, started again when it dies, given up when it keeps dying.
//
// Each life is a client of its own, because a language client that failed to start cannot be started
// again, and so that nothing of a dead server is left. Whatever goes wrong is in the log; the person
// gets one message, when nothing more can be done without them, and the status bar says the rest.
//
// Absent on purpose: waiting. A server that died is started at once, and one that dies again and again
// not at all.
import { isDeepStrictEqual } from "node:util";
import {
  commands,
  type Disposable,
  EventEmitter,
  type ExtensionContext,
  type LogOutputChannel,
  Uri,
  window,
  workspace,
} from "vscode";
import {
  CloseAction,
  ErrorAction,
  type LanguageClientOptions,
  State,
} from "vscode-languageclient/node";
import { QuietClient } from "./client";
import { findProgram } from "./program";
import { PROTOCOL } from "./protocol";

/** So many deaths within so long, and it is left alone. */
const MOST_DEATHS = 5;
const WITHIN_MS = 3 * 60 * 1000;

/** How the server is, as far as that is known without asking it. */
export type Life =
  | { readonly kind: "starting" | "running" | "stopped" }
  /** It does not run and will not by itself; `why` says what to do. */
  | { readonly kind: "down"; readonly why: string };

export class Server implements Disposable {
  #life: Life = { kind: "stopped" };
  #client: QuietClient | undefined;
  #lives = 0;
  /** The last trouble that the person was told of, unless it is over. */
  #told: Trouble | undefined;
  #deaths: number[] = [];
  /** The settings at the last start. */
  #wanted: Wanted | undefined;
  /** Counts orders to start and to stop, so that one that was overtaken is known to be. */
  #order = 0;
  /** Done when all that was ended is gone: two at a time would be in each other's way. */
  #ending: Promise<void> = Promise.resolve();
  readonly #changed = new EventEmitter<Life>();
  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly context: ExtensionContext,
    private readonly log: LogOutputChannel,
    private readonly options: () => LanguageClientOptions,
    /** Prepares a client before it is started. */
    private readonly prepare: (client: QuietClient) => void,
  ) {}

  /** How it is. */
  get state(): Life {
    return this.#life;
  }

  /** Counts servers: what one of them has named, the next knows nothing of, or something else by. */
  get life(): number {
    return this.#lives;
  }

  /** The client, if the server runs. */
  get client(): QuietClient | undefined {
    return this.#life.kind === "running" ? this.#client : undefined;
  }

  /** Notifies the server. Without a server the message is lost: the next server starts anew. */
  notify(method: string, params: object): void {
    this.client?.sendNotification(method, params).catch((fault: unknown) => {
      this.log.debug(`${method} was not sent: ${fault}`);
    });
  }

  /** Asks the server; returns nothing if no server runs, or it fails. */
  async request<R>(method: string, params: object): Promise<R | undefined> {
    try {
      return await this.client?.sendRequest<R>(method, params);
    } catch (fault) {
      this.log.debug(`${method} was not answered: ${fault}`);
      return undefined;
    }
  }

  /** Starts it, if it does not run. */
  async start(): Promise<void> {
    if (this.#life.kind === "running" || this.#life.kind === "starting") return;
    const mine = ++this.#order;
    this.#be({ kind: "starting" });
    await this.#ending;
    const { path, args: more } = wanted();
    this.#wanted = { path, args: more };
    const program = await findProgram(path, this.context.extensionPath);
    if (mine !== this.#order) return;
    if (program.found === undefined) {
      this.#giveUp(program.named === undefined ? "missing" : "misnamed", missing(program.named));
      return;
    }
    const command = program.found;
    const args = ["lsp", ...more];
    this.log.info(`starting ${command} ${args.join(" ")}`);
    const client = new QuietClient({ command, args }, { ...this.options(), ...this.#quiet() });
    this.#client = client;
    this.#lives += 1;
    this.prepare(client);
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Stopped || newState === State.StartFailed) this.#ended(client);
    });
    try {
      await client.start();
    } catch (fault) {
      // The state has changed as well, and that is where it is dealt with.
      this.log.error(`the server did not start: ${fault}`);
      return;
    }
    if (client !== this.#client) return;
    const info = client.initializeResult?.serverInfo as
      | { protocol?: unknown; version?: string }
      | undefined;
    if (info?.protocol !== PROTOCOL) {
      this.#client = undefined;
      await this.#end(client);
      if (mine !== this.#order) return;
      this.#giveUp("misfit", misfit(command, info?.protocol));
      return;
    }
    this.log.info(`the server is foretell ${info.version}`);
    this.#told = undefined;
    this.#be({ kind: "running" });
  }

  /** Ends it in order, if it runs. */
  async stop(): Promise<void> {
    this.#order += 1;
    const client = this.#client;
    this.#client = undefined;
    this.#be({ kind: "stopped" });
    await this.#end(client);
  }

  /** Begins anew, because the person wants it: what was said may be said again. */
  async restart(): Promise<void> {
    this.#told = undefined;
    await this.#startAnew();
  }

  async #startAnew(): Promise<void> {
    this.#deaths = [];
    await this.stop();
    await this.start();
  }

  /** Starts another one if settings want another one; some change and mean the same. */
  async follow(): Promise<void> {
    if (!isDeepStrictEqual(wanted(), this.#wanted)) await this.#startAnew();
  }

  dispose(): void {
    void this.stop();
    this.#changed.dispose();
  }

  #end(client: QuietClient | undefined): Promise<void> {
    const ended = client?.end();
    this.#ending = this.#ending.then(() => ended);
    return this.#ending;
  }

  #quiet(): LanguageClientOptions {
    return {
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => ({ action: CloseAction.DoNotRestart, handled: true }),
      },
      initializationFailedHandler: () => false,
    };
  }

  #ended(client: QuietClient): void {
    if (client !== this.#client) return;
    this.#client = undefined;
    void this.#end(client);
    this.#be({ kind: "stopped" });
    const now = Date.now();
    this.#deaths = [...this.#deaths.filter((at) => now - at < WITHIN_MS), now];
    if (this.#deaths.length < MOST_DEATHS) {
      this.log.warn("the server ended, and is started again");
      void this.start();
      return;
    }
    const why = `Foretell's server ended ${MOST_DEATHS} times within three minutes, and is not started again. The log has what it said.`;
    this.#giveUp("dying", why);
  }

  #giveUp(trouble: Trouble, why: string): void {
    this.#be({ kind: "down", why });
    this.log.error(why);
    // Settings are written key by key, and each may be another that is wrong: the status bar says it.
    if (this.#told === trouble) return;
    this.#told = trouble;
    const remedies: Remedy[] =
      trouble === "dying" ? ["Show Log", "Start Again"] : ["Open Settings", "How to Install"];
    void window
      .showErrorMessage(why, ...remedies)
      .then((remedy) => (remedy === undefined ? undefined : this.#remedy(remedy)))
      .then(undefined, (fault: unknown) => this.log.error(`that could not be done: ${fault}`));
  }

  async #remedy(remedy: Remedy): Promise<void> {
    switch (remedy) {
      case "Open Settings":
        return commands.executeCommand("workbench.action.openSettings", "foretell.server.path");
      case "How to Install":
        return commands.executeCommand(
          "markdown.showPreview",
          Uri.joinPath(this.context.extensionUri, "README.md"),
        );
      case "Show Log":
        return this.log.show();
      case "Start Again":
        return this.restart();
    }
  }

  #be(life: Life): void {
    this.#life = life;
    this.#changed.fire(life);
  }
}

/** Which program settings want, and how. */
interface Wanted {
  readonly path: string;
  readonly args: readonly string[];
}

function wanted(): Wanted {
  const settings = workspace.getConfiguration("foretell.server");
  return { path: settings.get("path", ""), args: settings.get<string[]>("arguments", []) };
}

/** Why there is no server. */
type Trouble = "missing" | "misnamed" | "misfit" | "dying";

type Remedy = "Open Settings" | "How to Install" | "Show Log" | "Start Again";

function missing(named: string | undefined): string {
  return named === undefined
    ? "Foretell's server is missing: there is no program foretell on PATH. Install it, or name it in the setting foretell.server.path."
    : `Foretell's server is missing: the setting foretell.server.path names ${named}, which is not there or cannot be run.`;
}

function misfit(command: string, protocol: unknown): string {
  const theirs = typeof protocol === "number" ? `protocol ${protocol}` : "no protocol of ours";
  const older =
    typeof protocol === "number" && protocol > PROTOCOL ? "the extension" : "the server";
  return `${command} speaks ${theirs}, and this extension speaks ${PROTOCOL}: update ${older}.`;
}
