// The stand-ins for the server's binary and for a model, without an editor: the other tests rely on what
// they pass on and on what they write down.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { ModelServer } from "./support/model-server";
import { StandIn } from "./support/stand-in";
import { until } from "./support/until";

let directory = "";
let standIn: StandIn;
let started: ChildProcess[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "foretell-stand-in-"));
  standIn = new StandIn(directory);
  started = [];
});

afterEach(() => {
  for (const child of started) child.kill("SIGKILL");
  rmSync(directory, { recursive: true, force: true });
});

/** Starts it as the extension does, and gives what has come from it so far. */
function start(): { child: ChildProcess; heard: () => string } {
  const child = spawn(standIn.program, ["lsp"], { stdio: ["pipe", "pipe", "ignore"] });
  started.push(child);
  let heard = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    heard += chunk.toString("utf8");
  });
  return { child, heard: () => heard };
}

function say(child: ChildProcess, message: object): void {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  child.stdin?.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function initialize(child: ChildProcess): void {
  say(child, { id: 1, method: "initialize", params: { capabilities: {} } });
}

async function protocolSaid(): Promise<unknown> {
  const request = await standIn.messages.until("initialize");
  const { result } = await standIn.messages.answer(request);
  return (result as { serverInfo: { protocol: unknown } }).serverInfo.protocol;
}

test("what the real server says arrives, and is written down", async () => {
  const { child, heard } = start();
  initialize(child);
  assert.equal(await protocolSaid(), 1);
  await until("answer", () => heard().includes('"protocol":1'));
  say(child, { id: 2, method: "shutdown" });
  say(child, { method: "exit" });
  const [code] = await once(child, "exit");
  assert.equal(code, 0);
  assert.equal(standIn.messages.of("exit").length, 1);
  assert.equal(standIn.messages.runs()[0]?.ended?.code, 0);
});

test("on order it says that its protocol is another", async () => {
  standIn.order({ protocol: 7 });
  const { child, heard } = start();
  initialize(child);
  assert.equal(await protocolSaid(), 7);
  await until("answer", () => heard().includes('"protocol":7'));
});

test("on order it ends at its start, or a while later", async () => {
  standIn.order({ exitAtStart: 1 });
  const [code] = await once(start().child, "exit");
  assert.equal(code, 1);
  standIn.order({ exitAfterMs: 50 });
  const [later] = await once(start().child, "exit");
  assert.equal(later, 137);
  assert.deepEqual(
    standIn.messages.runs().map(({ ended }) => ended?.code ?? ended?.signal),
    [1, "SIGKILL"],
  );
});

test("the real server is gone when it is killed, and when its client is gone", async () => {
  const { child } = start();
  initialize(child);
  await protocolSaid();
  const pid = await standIn.kill();
  assert.throws(() => process.kill(pid, 0), "it runs on");
  const second = start();
  initialize(second.child);
  const next = await standIn.next(1);
  assert.notEqual(next, pid);
  second.child.stdin?.end();
  await once(second.child, "exit");
  assert.throws(() => process.kill(next, 0), "it runs on");
});

test("what is half written is read when it is whole, and nothing is read twice", () => {
  const said = (method: string) => ({ at: 0, standIn: 1, from: "client", message: { method } });
  const written = Buffer.from(`${JSON.stringify(said("one"))}\n${JSON.stringify(said("😀"))}\n`);
  // It is cut in the middle of the emoji.
  const cut = written.indexOf("😀") + 2;
  appendFileSync(standIn.transcript, written.subarray(0, cut));
  assert.deepEqual(standIn.messages.counts(), { one: 1 });
  appendFileSync(standIn.transcript, written.subarray(cut));
  assert.deepEqual(standIn.messages.counts(), { one: 1, "😀": 1 });
  standIn.messages.forget();
  assert.deepEqual(standIn.messages.counts(), {});
  appendFileSync(standIn.transcript, `${JSON.stringify(said("three"))}\n`);
  assert.deepEqual(standIn.messages.counts(), { three: 1 });
});

test("a model says what the script says, and is down when it was stopped", async () => {
  const model = await ModelServer.start([{ after: "let x", insert: " = 1;" }]);
  try {
    const body = JSON.stringify({ input_prefix: "let x", input_suffix: "", stream: false });
    const answer = await fetch(`${model.url}/infill`, { method: "POST", body });
    // It comes in pieces.
    assert.match(await answer.text(), /"content":" =/);
    await until("request that was told", () => model.requests()[0]?.includes("let x"));
  } finally {
    await model.stop();
  }
  await assert.rejects(fetch(`${model.url}/health`));
});
