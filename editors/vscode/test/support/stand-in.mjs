#!/usr/bin/env node
// Stands in for the server's binary: it starts the real one, passes everything on as it is, and writes
// every message down.
//
// A test copies it into a directory of its own and names the copy in `foretell.server.path`. Beside it
// is `orders.json`, which is read at every start: which binary to start, where to write, and in what
// way to misbehave. It is a program of its own, so it shares no module with the tests; `stand-in.ts`
// is their side of it. It decides nothing about what is said.
import { spawn } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const orders = JSON.parse(readFileSync(join(HERE, "orders.json"), "utf8"));
const started = { standIn: process.pid };

function note(entry) {
  appendFileSync(
    orders.transcript,
    `${JSON.stringify({ at: Date.now(), ...started, ...entry })}\n`,
  );
}

// Cuts a stream into messages. Bytes without LSP's frames are passed on all the same, and are not
// written down.
function messagesOf(hear) {
  let held = Buffer.alloc(0);
  return (chunk) => {
    held = Buffer.concat([held, chunk]);
    for (;;) {
      const end = held.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = /content-length: *(\d+)/i.exec(held.toString("latin1", 0, end));
      if (length === null) return;
      const next = end + 4 + Number(length[1]);
      if (held.length < next) return;
      const body = held.subarray(end + 4, next);
      held = held.subarray(next);
      hear(JSON.parse(body.toString("utf8")));
    }
  };
}

function framed(message) {
  const body = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}

if (orders.exitAtStart !== undefined) {
  note({ event: "start", arguments: process.argv.slice(2) });
  note({ event: "end", code: orders.exitAtStart });
  process.exit(orders.exitAtStart);
}

const server = spawn(orders.binary, process.argv.slice(2), { stdio: ["pipe", "pipe", "inherit"] });
server.on("error", (error) => {
  note({ event: "end", code: 127, error: String(error) });
  process.exit(127);
});
started.pid = server.pid;
note({ event: "start", arguments: process.argv.slice(2) });

process.stdin.pipe(server.stdin);
process.stdin.on(
  "data",
  messagesOf((message) => note({ from: "client", message })),
);

if (orders.protocol === undefined) {
  server.stdout.pipe(process.stdout);
  server.stdout.on(
    "data",
    messagesOf((message) => note({ from: "server", message })),
  );
} else {
  server.stdout.on(
    "data",
    messagesOf((message) => {
      if (message.result?.serverInfo) message.result.serverInfo.protocol = orders.protocol;
      note({ from: "server", message });
      process.stdout.write(framed(message));
    }),
  );
}

// A test says something in the client's name.
process.on("SIGUSR2", () => {
  const message = JSON.parse(readFileSync(join(HERE, "said.json"), "utf8"));
  note({ from: "client", message });
  server.stdin.write(framed({ jsonrpc: "2.0", ...message }));
});

// Either side may go first, and neither is told that the other is gone by an error here.
server.stdin.on("error", () => {});
process.stdout.on("error", () => {});
process.on("SIGTERM", () => server.kill("SIGTERM"));
process.on("SIGINT", () => server.kill("SIGINT"));
if (orders.exitAfterMs !== undefined) setTimeout(() => server.kill("SIGKILL"), orders.exitAfterMs);
server.on("close", (code, signal) => {
  note({ event: "end", code, signal });
  process.exit(code ?? 137);
});
