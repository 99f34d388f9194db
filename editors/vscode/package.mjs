// Makes the .vsix for the platform it is run on, with the server inside.
//
//   npm run package                      with target/release/foretell of this checkout
//   npm run package -- --server PATH     with another one
//   npm run package -- --no-server       without: the server is then looked for on PATH
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = fileURLToPath(new URL("../../", import.meta.url));
const here = fileURLToPath(new URL("./", import.meta.url));
const name = process.platform === "win32" ? "foretell.exe" : "foretell";

const { values } = parseArgs({
  options: {
    server: { type: "string", default: `${root}target/release/${name}` },
    "no-server": { type: "boolean", default: false },
    out: { type: "string" },
  },
});

const fail = (words) => {
  console.error(`package: ${words}`);
  process.exit(2);
};

const { version } = JSON.parse(readFileSync(`${here}package.json`, "utf8"));
const platform = `${process.platform}-${process.arch}`;
rmSync(`${here}bin`, { recursive: true, force: true });
if (!values["no-server"]) {
  if (!existsSync(values.server)) {
    fail(
      `${values.server} is not there: run 'cargo build --release', or name a server by --server`,
    );
  }
  const said = spawnSync(values.server, ["--version"], { encoding: "utf8" }).stdout?.trim();
  if (said !== `foretell ${version}`) {
    fail(`${values.server} is '${said ?? "no program"}', and the extension is ${version}`);
  }
  mkdirSync(`${here}bin`);
  copyFileSync(values.server, `${here}bin/${name}`);
  chmodSync(`${here}bin/${name}`, 0o755);
}
for (const license of ["LICENSE-MIT", "LICENSE-APACHE"])
  copyFileSync(root + license, here + license);

const out = values.out ?? `foretell-${version}${values["no-server"] ? "" : `-${platform}`}.vsix`;
const target = values["no-server"] ? [] : ["--target", platform];
const options = ["--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links"];
const packed = spawnSync(
  process.execPath,
  [`${here}node_modules/@vscode/vsce/vsce`, "package", ...options, ...target, "--out", out],
  { cwd: here, stdio: "inherit" },
);
for (const license of ["LICENSE-MIT", "LICENSE-APACHE"]) rmSync(here + license);
process.exit(packed.status ?? 2);
