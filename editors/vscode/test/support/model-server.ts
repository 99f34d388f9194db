// A model server that says what a script says, for stories in which the server asks a real address.
//
// It is the example `model_server` of the test kit. It ends when its input is closed, and so with the
// test. Most stories do without it: `StandIn.script` scripts the lane inside of the server.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { modelServerBinary } from "./places";
import type { ScriptStep } from "./stand-in";
import { until } from "./until";

/** A step that a server with a socket takes. */
export interface ServedStep extends ScriptStep {
  /** For next edits: what `insert` takes the place of, in the lines that are to be rewritten. */
  replace?: string;
  /** So many tokens are read in the delay, and the server says how far it is. */
  readTokens?: number;
}

export class ModelServer {
  private constructor(
    private readonly process: ChildProcess,
    private readonly lines: () => string[],
    /** For `lanes.fim.url`, with the kind `llama-cpp`. */
    readonly url: string,
  ) {}

  static async start(script: ServedStep[]): Promise<ModelServer> {
    const directory = mkdtempSync(join(tmpdir(), "foretell-model-"));
    const path = join(directory, "script.json");
    writeFileSync(path, JSON.stringify(script));
    const child = spawn(modelServerBinary(), [path], { stdio: ["pipe", "pipe", "inherit"] });
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      said += chunk;
    });
    const lines = () => said.split("\n").slice(0, -1);
    try {
      return new ModelServer(
        child,
        lines,
        await until("address of the model server", () => lines()[0]),
      );
    } catch (error) {
      child.kill("SIGKILL");
      throw error;
    } finally {
      // It has read the script before it says its address.
      rmSync(directory, { recursive: true, force: true });
    }
  }

  /** A line for each request so far: its method, its path, and the end of the text as JSON. */
  requests(): string[] {
    return this.lines().slice(1);
  }

  /** Ends it: from now on the model is down. */
  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = once(this.process, "exit");
    this.process.stdin?.end();
    await ended;
  }
}
