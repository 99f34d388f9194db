// Which `foretell` is started: the one that settings name, else the one that came with the extension,
// else the one on PATH.
//
// If settings name a program that does not exist, no other one replaces it: the person wants that one, or
// wants to know.
import { access, constants, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, delimiter, isAbsolute, join } from "node:path";

export type Program =
  | { readonly found: string }
  /** There is none; `named` is what settings name, if they do. */
  | { readonly found: undefined; readonly named: string | undefined };

const NAME = process.platform === "win32" ? "foretell.exe" : "foretell";

export async function findProgram(setting: string, extensionPath: string): Promise<Program> {
  const named = setting.trim();
  if (named !== "") {
    const path = /^~[\\/]/.test(named) ? join(homedir(), named.slice(2)) : named;
    const places = isAbsolute(path) ? [path] : onPath(path);
    return { found: await firstOf(places), named };
  }
  const places = [join(extensionPath, "bin", NAME), ...onPath(NAME)];
  return { found: await firstOf(places), named: undefined };
}

/** Where a name can be on PATH. A place that depends on the folder that is open may be a stranger's. */
function onPath(name: string): string[] {
  if (basename(name) !== name) return [];
  const directories = (process.env.PATH ?? "").split(delimiter).filter((it) => isAbsolute(it));
  const names = process.platform === "win32" ? [name, `${name}.exe`] : [name];
  return directories.flatMap((directory) => names.map((it) => join(directory, it)));
}

async function firstOf(places: readonly string[]): Promise<string | undefined> {
  for (const place of places) {
    try {
      await access(place, constants.X_OK);
      // One may enter most directories, which is not to run them.
      if ((await stat(place)).isFile()) return place;
    } catch {
      // It is not there, or cannot be run: the next one may be.
    }
  }
  return undefined;
}
