// The messages of the extension and the server, as the stand-in wrote them down.
//
// It is apart from the stand-in's orders because tests read it all the time and give orders seldom. It
// reads a file and knows nothing of the editor.
import { closeSync, openSync, readSync } from "node:fs";
import { until } from "./until";

/** A JSON-RPC message; a test looks at the parts that it is about. */
export interface Message {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { code: number; message: string };
}

/** One message, who said it, and when. */
export interface Said {
  at: number;
  /** The process of the stand-in: one for each start of the server. */
  standIn: number;
  from: "client" | "server";
  message: Message;
}

/** One start of the server. */
export interface Run {
  at: number;
  standIn: number;
  /** The real server's process; absent if none was started. */
  pid?: number;
  arguments: string[];
  /** Absent while it runs. */
  ended?: { at: number; code: number | null; signal?: string | null };
}

interface Line extends Partial<Said> {
  at: number;
  standIn: number;
  pid?: number;
  event?: "start" | "end";
  arguments?: string[];
  code?: number | null;
  signal?: string | null;
}

export class Messages {
  /** Messages before this many lines are ignored. */
  private start = 0;
  /** The lines read so far: tests look many times a second, and a file that was opened is megabytes. */
  private readonly heard: Line[] = [];
  private offset = 0;
  /** The beginning of a line whose end is not written yet. */
  private rest = Buffer.alloc(0);

  constructor(private readonly transcript: string) {}

  /** From here on only what is said later is seen; runs of the server always are. */
  forget(): void {
    this.start = this.lines().length;
  }

  /** A place in the transcript, to be given to `all` and the others. */
  now(): number {
    return this.lines().length;
  }

  all(since = this.start): Said[] {
    return this.lines()
      .slice(since)
      .filter((line): line is Said & Line => line.message !== undefined);
  }

  /** Every request and notification of this method, from either side. */
  of(method: string, since = this.start): Said[] {
    return this.all(since).filter((said) => said.message.method === method);
  }

  /** Every request and notification of this method in front of a message, and behind it. */
  around(said: Said, method: string): { before: Said[]; behind: Said[] } {
    const all = this.all(0);
    const at = all.indexOf(said);
    const isOne = (it: Said) => it.message.method === method;
    return { before: all.slice(0, at).filter(isOne), behind: all.slice(at + 1).filter(isOne) };
  }

  /** How often each method was said, for an error message. */
  counts(since = this.start): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { message } of this.all(since)) {
      if (message.method !== undefined) counts[message.method] = (counts[message.method] ?? 0) + 1;
    }
    return counts;
  }

  /** Waits for a message of this method that fits; one that was said already will do. */
  async until(
    method: string,
    fits: (said: Said) => boolean = () => true,
    options: { since?: number; patienceMs?: number } = {},
  ): Promise<Said> {
    return until(`${method} that fits`, () => this.of(method, options.since).find(fits), {
      seen: () => this.counts(options.since),
      ...(options.patienceMs === undefined ? {} : { patienceMs: options.patienceMs }),
    });
  }

  /** The answer to a request, when it is there. */
  async answer(request: Said): Promise<Message> {
    const said = await until(`answer to ${request.message.method}`, () => this.answered(request));
    return said.message;
  }

  /** The answer to a request if it is there already. */
  answered(request: Said): Said | undefined {
    return this.all(0).find(
      (said) =>
        said.standIn === request.standIn &&
        said.from !== request.from &&
        said.message.method === undefined &&
        said.message.id === request.message.id,
    );
  }

  /** Every start of the server since the editor was started, in order. */
  runs(): Run[] {
    const runs: Run[] = [];
    for (const line of this.lines()) {
      if (line.event === "start") {
        const pid = line.pid === undefined ? {} : { pid: line.pid };
        const { at, standIn } = line;
        runs.push({ at, standIn, arguments: line.arguments ?? [], ...pid });
      } else if (line.event === "end") {
        const run = runs.find(({ standIn }) => standIn === line.standIn);
        if (run !== undefined) {
          run.ended = { at: line.at, code: line.code ?? null, signal: line.signal ?? null };
        }
      }
    }
    return runs;
  }

  private lines(): readonly Line[] {
    const unread = Buffer.concat([this.rest, this.appended()]);
    const end = unread.lastIndexOf("\n") + 1;
    this.rest = unread.subarray(end);
    for (const line of unread.toString("utf8", 0, end).split("\n")) {
      if (line !== "") this.heard.push(JSON.parse(line) as Line);
    }
    return this.heard;
  }

  /** The bytes written since the last time. */
  private appended(): Buffer {
    let file: number;
    try {
      file = openSync(this.transcript, "r");
    } catch {
      // Nothing was started yet.
      return Buffer.alloc(0);
    }
    try {
      const pieces: Buffer[] = [];
      for (;;) {
        const piece = Buffer.alloc(64 * 1024);
        const length = readSync(file, piece, 0, piece.length, this.offset);
        if (length === 0) return Buffer.concat(pieces);
        this.offset += length;
        pieces.push(piece.subarray(0, length));
      }
    } finally {
      closeSync(file);
    }
  }
}
