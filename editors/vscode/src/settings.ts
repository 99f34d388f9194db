// The person's VS Code settings, as the one tree that the server wants.
//
// VS Code answers with the default of everything that is not set. The server must not hear those: a
// default that comes from the editor would beat the person's own config.toml. So only what was written
// into some settings.json is told.
import { type Extension, workspace } from "vscode";

type Tree = { [name: string]: unknown };

/** Settings of the client itself, of which the server hears nothing. */
const OURS = ["server.", "trace."];

export function explicitSettings(extension: Extension<unknown>): Tree {
  const configuration = workspace.getConfiguration("foretell");
  const tree: Tree = {};
  for (const name of names(extension)) {
    const set = configuration.inspect(name);
    const isSet =
      set?.globalValue !== undefined ||
      set?.workspaceValue !== undefined ||
      set?.workspaceFolderValue !== undefined;
    if (isSet) put(tree, name.split("."), configuration.get(name));
  }
  return tree;
}

/** The names of all settings of the table, without `foretell.`: they are in the manifest. */
function names(extension: Extension<unknown>): string[] {
  const manifest = extension.packageJSON as {
    contributes: { configuration: { properties: Tree }[] };
  };
  return manifest.contributes.configuration
    .flatMap((group) => Object.keys(group.properties))
    .map((name) => name.replace(/^foretell\./, ""))
    .filter((name) => !OURS.some((prefix) => name.startsWith(prefix)));
}

function put(tree: Tree, [head, ...rest]: readonly string[], value: unknown): void {
  if (head === undefined) return;
  if (rest.length === 0) {
    tree[head] = value;
    return;
  }
  const below = (tree[head] ?? {}) as Tree;
  tree[head] = below;
  put(below, rest, value);
}
