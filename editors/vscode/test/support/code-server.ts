// Starts VS Code, as code-server has it, with settings, files and the extension under test, each in a
// directory that is gone afterwards.
//
// It is apart from the editor because it is about processes and files, and knows no page. What is a
// person's own stays out of it: home, settings and caches are directories of the test.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { codeServer, PACKAGE } from "./places";
import { until } from "./until";

export interface Setup {
  /** Settings of the person; what begins with `foretell.` is taken for this machine. */
  settings?: Record<string, unknown>;
  /** Files of the workspace by their names. */
  files?: Record<string, string>;
  /** The folder or the package of the extension; none is VS Code without it. */
  extension?: string;
  /** More of the environment, for code-server and all that it starts. */
  environment?: Record<string, string>;
}

/** Settings without animation, questions and network calls. */
const QUIET = {
  "workbench.startupEditor": "none",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.tips.enabled": false,
  "telemetry.telemetryLevel": "off",
  "chat.disableAIFeatures": true,
  "extensions.ignoreRecommendations": true,
  // It would look for types in the npm registry.
  "js/ts.tsserver.automaticTypeAcquisition.enabled": false,
  "git.enabled": false,
  "window.confirmBeforeClose": "never",
  "files.autoSave": "off",
  "editor.inlineSuggest.enabled": true,
  // VS Code rewrites shorter forms of this one at its start, and shows extensions the file then.
  "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
  "editor.cursorBlinking": "solid",
  "editor.minimap.enabled": false,
};

/** Settings of the machine that the extension is on, as opposed to the person's. */
const MACHINE = "data/Machine/settings.json";

/** Unused keys, for commands of stories that have none, and for the tests between two stories. */
export const KEYS = {
  askForSuggestion: "Control+Alt+Shift+F7",
  acceptLine: "Control+Alt+Shift+F8",
  revertAndClose: "Control+Alt+Shift+F9",
  clearNotifications: "Control+Alt+Shift+F10",
  pauseFile: "Control+Alt+Shift+F11",
  reload: "Control+Alt+Shift+F12",
};
const KEYBINDINGS = [
  { key: "ctrl+alt+shift+f7", command: "editor.action.inlineSuggest.trigger" },
  { key: "ctrl+alt+shift+f8", command: "foretell.acceptLine" },
  { key: "ctrl+alt+shift+f9", command: "workbench.action.revertAndCloseActiveEditor" },
  { key: "ctrl+alt+shift+f10", command: "notifications.clearAll" },
  { key: "ctrl+alt+shift+f11", command: "foretell.pauseFile" },
  { key: "ctrl+alt+shift+f12", command: "workbench.action.reloadWindow" },
];

export class CodeServer {
  private constructor(
    private readonly guard: ChildProcess,
    /** Everything of this one is in here. */
    readonly directory: string,
    readonly workspace: string,
    readonly address: string,
  ) {}

  /** A directory for one; `start` fills it and `stop` takes it away. */
  static directory(): string {
    return mkdtempSync(join(tmpdir(), "foretell-vscode-"));
  }

  static async start(directory: string, setup: Setup): Promise<CodeServer> {
    const program = codeServer();
    if (program === undefined) {
      throw new Error(
        "there is no code-server: put what .ci/code-server prints into TEST_FORETELL_CODE_SERVER",
      );
    }
    const workspace = lay(directory, setup);
    const data = join(directory, "data");
    const options = ["--user-data-dir", data, "--extensions-dir", join(directory, "extensions")];
    options.push("--config", join(data, "code-server.yaml"));
    const environment = environmentIn(directory, setup);
    install(program, options, environment, directory, setup.extension);

    const quiet = ["--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"];
    const guard = spawn(
      process.execPath,
      // The system picks the port, so that there is no race for it.
      [join(PACKAGE, "test/support/guard.mjs"), directory, program]
        .concat(["--auth", "none", "--bind-addr", "127.0.0.1:0"])
        .concat(options, quiet),
      { env: environment, stdio: ["pipe", "pipe", "pipe"] },
    );
    const log = join(directory, "code-server.log");
    const written = createWriteStream(log);
    guard.stdout?.pipe(written);
    guard.stderr?.pipe(written);
    try {
      const address = await until("address of code-server", () => {
        const said = existsSync(log) ? readFileSync(log, "utf8") : "";
        if (guard.exitCode !== null) throw new Error(`code-server does not start: ${said}`);
        return /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(said)?.[1];
      });
      return new CodeServer(guard, directory, workspace, address);
    } catch (error) {
      guard.kill("SIGTERM");
      throw error;
    }
  }

  /** Ends it with all that it has started, and takes its directory away. */
  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.guard.once("exit", resolve));
    if (this.guard.exitCode === null) {
      this.guard.stdin?.end();
      await ended;
    }
    // The guard has taken it away already, unless code-server ended by itself.
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 10 });
  }

  /** Takes the place of the settings of this machine; VS Code sees it by itself. */
  setMachine(settings: Record<string, unknown>): void {
    const written = write(this.directory, `${MACHINE}.new`, JSON.stringify(settings));
    // It is there at once, and whole: half of it would be other settings.
    renameSync(written, join(this.directory, MACHINE));
  }

  /** Keeps its log and those of its extensions, when a test has failed. */
  keepLogs(into: string): void {
    for (const name of ["code-server.log", "data/logs"]) {
      const from = join(this.directory, name);
      if (existsSync(from)) cpSync(from, join(into, basename(name)), { recursive: true });
    }
  }

  /** The logs of our extension so far, one text for each file. */
  logged(): string[] {
    const logs = join(this.directory, "data/logs");
    const names = readdirSync(logs, { recursive: true, encoding: "utf8" });
    const ours = names.filter((name) => /foretell[^/]*\.log$/i.test(name));
    return ours.map((name) => readFileSync(join(logs, name), "utf8"));
  }
}

/** Writes the settings and the files, and gives the folder that is opened. */
function lay(directory: string, setup: Setup): string {
  const settings = Object.entries(setup.settings ?? {});
  const ours = settings.filter(([name]) => name.startsWith("foretell."));
  const others = settings.filter(([name]) => !name.startsWith("foretell."));
  // The window is on another machine than the extension, as far as VS Code is concerned. So what has
  // the scope `machine` is taken from the settings of that machine, and not from the person's.
  write(directory, MACHINE, JSON.stringify(Object.fromEntries(ours)));
  const users = { ...QUIET, ...Object.fromEntries(others) };
  write(directory, "data/User/settings.json", JSON.stringify(users));
  write(directory, "data/User/keybindings.json", JSON.stringify(KEYBINDINGS));
  const workspace = join(directory, "workspace");
  mkdirSync(workspace);
  for (const [name, text] of Object.entries(setup.files ?? {})) write(workspace, name, text);
  mkdirSync(join(directory, "extensions"));
  return workspace;
}

export function write(directory: string, name: string, text: string): string {
  const path = join(directory, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function environmentIn(directory: string, setup: Setup): NodeJS.ProcessEnv {
  const home = join(directory, "home");
  mkdirSync(home);
  // The variables of node's test runner are not for the processes started here.
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...inherited } = process.env;
  return {
    ...inherited,
    HOME: home,
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_CACHE_HOME: join(home, "cache"),
    XDG_STATE_HOME: join(home, "state"),
    XDG_DATA_HOME: join(home, "data"),
    // There is nothing to look up outside.
    EXTENSIONS_GALLERY: '{"serviceUrl":""}',
    ...setup.environment,
  };
}

/** A package is installed as a person would; the folder of one that was built is copied. */
function install(
  program: string,
  options: string[],
  environment: NodeJS.ProcessEnv,
  directory: string,
  extension: string | undefined,
): void {
  if (extension === undefined) return;
  if (extension.endsWith(".vsix")) {
    const env = environment;
    execFileSync(program, [...options, "--install-extension", extension], { env, stdio: "pipe" });
    return;
  }
  const manifest = JSON.parse(readFileSync(join(extension, "package.json"), "utf8")) as {
    publisher: string;
    name: string;
    version: string;
  };
  const { publisher, name, version } = manifest;
  // A server that is left from making a package is none that the stories know of.
  const names = ["bin", "node_modules", "src", "test", "dist/test"];
  const absent = names.map((name) => join(extension, name));
  cpSync(extension, join(directory, "extensions", `${publisher}.${name}-${version}`), {
    recursive: true,
    filter: (path) => !absent.includes(path) && !path.endsWith(".vsix"),
  });
}
