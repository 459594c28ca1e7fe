// src/cli/loader.ts
import { join as join2 } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

// src/core/built.ts
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
var checksumsFile = "checksums.sha256";
var ChangedFileError = class extends Error {
  name = "ChangedFileError";
  constructor(file, why) {
    super(
      `dist/${file} ${why}; install customizer-lint again, or in a clone run "git checkout -- dist" or "npm run build"`
    );
  }
};
var lists = /* @__PURE__ */ new Map();
function builtFiles(dist) {
  const known = lists.get(dist);
  if (known) return known;
  const sums = /* @__PURE__ */ new Map();
  for (const line of textOf(dist).split("\n")) {
    const at = line.indexOf("  ");
    if (at > 0) sums.set(line.slice(at + 2), line.slice(0, at));
  }
  lists.set(dist, sums);
  return sums;
}
function textOf(dist) {
  try {
    return readFileSync(join(dist, checksumsFile), "utf8");
  } catch (error) {
    throw new ChangedFileError(checksumsFile, `cannot be read (${error.code})`);
  }
}
function readBuilt(dist, file) {
  const bytes = readFileSync(join(dist, file));
  compare(dist, file, bytes);
  return bytes;
}
function compare(dist, file, bytes) {
  const sum = createHash("sha256").update(bytes).digest("hex");
  if (builtFiles(dist).get(file) !== sum) throw new ChangedFileError(file, "is not the file that was built");
}

// src/cli/loader.ts
var home = fileURLToPath(new URL(["..", ".."].join("/"), import.meta.url));
try {
  const dist = join2(home, "dist");
  for (const file of builtFiles(dist).keys()) if (file.startsWith("cli/")) readBuilt(dist, file);
  await import(
    /* webpackIgnore: true */
    pathToFileURL(join2(home, "dist", "cli", "command.js")).href
  );
} catch (error) {
  const { message } = error;
  const said = error instanceof ChangedFileError ? error : new ChangedFileError("cli", `cannot be loaded (${message})`);
  process.stderr.write(`customizer-lint: ${said.message}
`);
  process.exitCode = 2;
}
