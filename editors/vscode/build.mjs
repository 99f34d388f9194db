// Bundles the extension into one file, and with --tests the tests and the benchmark beside it.
//
// VS Code loads many small files slowly, and a package without node_modules is small. Licences of
// other people's code in that file are in dist/ThirdPartyNotices.txt.
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const shared = {
  bundle: true,
  platform: "node",
  format: "cjs",
  sourcemap: true,
  logLevel: "warning",
};

const { metafile } = await build({
  ...shared,
  metafile: true,
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  external: ["vscode"],
  target: "node20",
  minify: !process.argv.includes("--tests"),
});

const packages = new Set();
for (const input of Object.keys(metafile.inputs)) {
  const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
  if (name !== undefined) packages.add(name);
}
const notices = [...packages].sort().map(async (name) => {
  const files = await readdir(`node_modules/${name}`);
  const license = files.find((it) => /^licen[cs]e(\.|$)/i.test(it));
  if (license === undefined) throw new Error(`${name} has no licence`);
  return `${name}\n\n${await readFile(`node_modules/${name}/${license}`, "utf8")}`;
});
await writeFile("dist/ThirdPartyNotices.txt", (await Promise.all(notices)).join("\n\n---\n\n"));

if (process.argv.includes("--tests")) {
  // A test that is gone must not be run from what was built of it before.
  await rm("dist/test", { recursive: true, force: true });
  const tests = (await readdir("test")).filter((name) => name.endsWith(".ts"));
  await build({
    ...shared,
    entryPoints: tests.map((name) => `test/${name}`),
    outdir: "dist/test",
    external: ["playwright-core"],
    target: "node20",
  });
}
