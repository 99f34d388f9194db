// Where things are: the package, the repository, and what the environment says of other programs.
//
// Tests are bundled into `dist/test`, so that where they stand is not where their source is.
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** `editors/vscode`. */
export const PACKAGE = resolve(__dirname, "../..");
export const CHROMIUM = process.env.TEST_FORETELL_CHROMIUM ?? "/usr/bin/chromium";

/** The program that `.ci/code-server` prints, or has left in the cache of `.ci/run`. */
export function codeServer(): string | undefined {
  if (process.env.TEST_FORETELL_CODE_SERVER) return process.env.TEST_FORETELL_CODE_SERVER;
  const caches = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
  const cache = join(
    process.env.TEST_FORETELL_CI_CACHE ?? join(caches, "foretell-ci"),
    "code-server",
  );
  if (!existsSync(cache)) return undefined;
  const unpacked = readdirSync(cache).filter((name) => name.startsWith("code-server-"));
  return unpacked.map((name) => join(cache, name, "code-server")).findLast(existsSync);
}

/** The extension under test: a package, or the folder of the extension as it was built. */
export function extensionUnderTest(): string {
  return process.env.TEST_FORETELL_VSIX ?? process.env.TEST_FORETELL_EXTENSION ?? PACKAGE;
}

/** The real server. */
export function serverBinary(): string {
  return process.env.TEST_FORETELL_BINARY ?? built("foretell", "-p foretell");
}

export function modelServerBinary(): string {
  return built("examples/model_server", "-p foretell-testkit --example model_server");
}

function built(name: string, what: string): string {
  const path = resolve(PACKAGE, "../../target/debug", name);
  if (!existsSync(path)) throw new Error(`there is no ${path}: run 'cargo build ${what}'`);
  return path;
}
