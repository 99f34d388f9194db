// Writes the server's standard error into the log, line by line, at the level that each line names.
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { LogOutputChannel } from "vscode";

/** The time, the level, and what is said. */
const LINE = /^\S+\s+(TRACE|DEBUG|INFO|WARN|ERROR) (.*)$/;

export function keepLog(said: Readable, log: LogOutputChannel): void {
  createInterface({ input: said }).on("line", (line) => {
    const [, level, words = line] = LINE.exec(line) ?? [];
    switch (level) {
      case "TRACE":
        return log.trace(words);
      case "DEBUG":
        return log.debug(words);
      case "WARN":
        return log.warn(words);
      case "ERROR":
        return log.error(words);
      default:
        return log.info(words);
    }
  });
}
