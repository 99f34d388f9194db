// The tests' side of the stand-in for the server's binary: gives it orders, and ends the real server.
//
// `messages.ts` reads the messages.
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Message, Messages, type Run } from "./messages";
import { PACKAGE, serverBinary } from "./places";
import { until } from "./until";

/** In what way the server misbehaves; from its next start on. */
export interface Orders {
  /** The number that it says its protocol has. */
  protocol?: number;
  /** It ends with this status and says nothing. */
  exitAtStart?: number;
  /** It is killed so long after its start. */
  exitAfterMs?: number;
}

/** A model's answer behind a text, and how long it thinks. */
export interface ScriptStep {
  after: string;
  insert: string;
  delayMs?: number;
}

export class StandIn {
  /** The value of `foretell.server.path`. */
  readonly program: string;
  readonly messages: Messages;
  readonly transcript: string;

  constructor(private readonly directory: string) {
    mkdirSync(directory, { recursive: true });
    this.program = join(directory, "stand-in.mjs");
    this.transcript = join(directory, "messages.jsonl");
    this.messages = new Messages(this.transcript);
    copyFileSync(join(PACKAGE, "test/support/stand-in.mjs"), this.program);
    chmodSync(this.program, 0o755);
    this.order({});
  }

  /** Takes the place of what was ordered before; no orders are good behaviour. */
  order(orders: Orders): void {
    const all = { binary: serverBinary(), transcript: this.transcript, ...orders };
    writeFileSync(join(this.directory, "orders.json"), JSON.stringify(all));
  }

  /** Writes a script for the FIM lane, and gives the arguments that make the server follow it. */
  script(steps: ScriptStep[]): string[] {
    const path = join(this.directory, "script.json");
    writeFileSync(path, JSON.stringify(steps));
    return ["--script", path];
  }

  /** The documents that the real server that runs was told are open; none if none runs. */
  documents(): string[] {
    const run = this.running();
    const open = new Set<string>();
    for (const { standIn, message } of this.messages.all(0)) {
      if (standIn !== run?.standIn) continue;
      const { uri } = (message.params?.textDocument ?? {}) as { uri?: string };
      if (message.method === "textDocument/didOpen") open.add(uri ?? "");
      if (message.method === "textDocument/didClose") open.delete(uri ?? "");
    }
    return [...open];
  }

  /** Kills the real server that runs, as a crash would, and gives its process. */
  async kill(): Promise<number> {
    const run = await until("server to kill", () => this.running());
    const pid = run.pid ?? 0;
    process.kill(pid, "SIGKILL");
    await until("end of the server", () =>
      this.messages.runs().find(({ standIn, ended }) => standIn === run.standIn && ended),
    );
    return pid;
  }

  /** Says something to the real server in the client's name. */
  async hears(message: Message): Promise<void> {
    const { standIn } = await until("server to tell", () => this.running());
    writeFileSync(join(this.directory, "said.json"), JSON.stringify(message));
    process.kill(standIn, "SIGUSR2");
  }

  /** Lets the real server answer nothing while something is done. */
  async silent<T>(act: () => Promise<T>): Promise<T> {
    const pid = (await until("server to stop", () => this.running())).pid ?? 0;
    process.kill(pid, "SIGSTOP");
    try {
      return await act();
    } finally {
      process.kill(pid, "SIGCONT");
    }
  }

  /** Waits for a server that was started after the given ones. */
  async next(known: number): Promise<number> {
    const run = await until(
      "server that was started anew",
      () => this.messages.runs().filter(({ pid }) => pid !== undefined)[known],
      { seen: () => this.messages.runs() },
    );
    return run.pid ?? 0;
  }

  private running(): Run | undefined {
    return this.messages
      .runs()
      .findLast(({ pid, ended }) => pid !== undefined && ended === undefined);
  }
}
