// Starts a program and ends it, with everything that it has started, when whoever started the guard is
// gone; then takes its directory away: `node guard.mjs DIRECTORY PROGRAM ARGUMENT…`.
//
// The tests hold the other end of the guard's input. However they end, it is closed then, even if they
// are killed and can clean nothing up. It is a program of its own for that reason.
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";

const [directory, program, ...rest] = process.argv.slice(2);
const child = spawn(program, rest, { detached: true, stdio: ["ignore", "inherit", "inherit"] });
let wanted = true;

function end() {
  wanted = false;
  try {
    // The group: code-server has started others, and they have too.
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It was gone already.
  }
}

child.on("error", (error) => {
  process.stderr.write(`${error}\n`);
  process.exit(127);
});
child.on("exit", (code) => {
  // If it ended by itself, what it wrote is still to be looked at.
  const ended = !wanted;
  end();
  // Those that it has started may write until they are gone too.
  if (ended) rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  process.exit(code ?? 1);
});
process.stdin.on("end", end).resume();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, end);
