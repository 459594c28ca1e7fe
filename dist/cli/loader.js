// src/cli/loader.ts
import { join as join4 } from "node:path";
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
function builtFiles(dist2) {
  const known = lists.get(dist2);
  if (known) return known;
  const sums = /* @__PURE__ */ new Map();
  for (const line of textOf(dist2).split("\n")) {
    const at = line.indexOf("  ");
    if (at > 0) sums.set(line.slice(at + 2), line.slice(0, at));
  }
  lists.set(dist2, sums);
  return sums;
}
function textOf(dist2) {
  try {
    return readFileSync(join(dist2, checksumsFile), "utf8");
  } catch (error) {
    throw new ChangedFileError(checksumsFile, `cannot be read (${error.code})`);
  }
}
function readBuilt(dist2, file) {
  const bytes = readFileSync(join(dist2, file));
  compare(dist2, file, bytes);
  return bytes;
}
function compare(dist2, file, bytes) {
  const sum = createHash("sha256").update(bytes).digest("hex");
  if (builtFiles(dist2).get(file) !== sum) throw new ChangedFileError(file, "is not the file that was built");
}

// src/engine/host/begin.ts
import { dirname, join as join2 } from "node:path";
import { Worker } from "node:worker_threads";
function beginThread(home2, name) {
  const dist2 = dirname(home2);
  for (const file of ["worker.js", "package.json"]) readBuilt(dist2, `engine/${file}`);
  const worker = new Worker(join2(home2, "worker.js"), { env: {}, argv: [], execArgv: [], stdin: false });
  worker.unref();
  try {
    const packed = readBuilt(dist2, `engine/${name}.wasm.br`);
    const runtime = readBuilt(dist2, "engine/wasm_exec.js").toString("utf8");
    worker.postMessage({ packed, runtime });
  } catch (error) {
    void worker.terminate();
    throw error;
  }
  return worker;
}

// src/engine/host/installed.ts
import module from "node:module";
import { join as join3 } from "node:path";
var systems = ["linux-x64", "linux-arm64", "darwin-arm64", "win32-x64"];
var system = `${process.platform}-${process.arch}`;
var packageName = (system2) => `customizer-lint-${system2}`;
var programFile = (name, system2) => system2.startsWith("win32") ? `${name}.exe` : name;
var NoProgram = class extends Error {
};
var engineChoices = ["auto", "wasm", "native"];
var triesProgram = (choice) => choice === "native" || choice === "auto" && process.platform === "linux";
function choiceIn(args) {
  const at = args.findLastIndex((arg) => arg === "--engine" || arg.startsWith("--engine="));
  const word = args[at]?.split("=")[1] ?? args[at + 1];
  return at < 0 ? "auto" : engineChoices.find((choice) => choice === word) ?? "auto";
}
function findProgram(home2, name) {
  if (!systems.includes(system)) throw new NoProgram(`there is none for ${system}`);
  const own = packageName(system);
  try {
    return module.createRequire(join3(home2, "package.json")).resolve(`${own}/${programFile(name, system)}`);
  } catch {
    throw new NoProgram(`the package ${own} is not installed`);
  }
}
function programFor(home2, name, choice) {
  if (!triesProgram(choice)) return void 0;
  try {
    return findProgram(home2, name);
  } catch (error) {
    if (!(error instanceof NoProgram)) throw error;
    return void 0;
  }
}

// src/cli/early.ts
var others = ["rules", "snapshot", "audit", "charts", "help", "completion"];
function modulesFor(args) {
  if (others.includes(args[0] ?? "") || args.some((arg) => /^--(?:help$|version$|max-)/.test(arg))) return [];
  return args.some((arg) => arg === "--charts" || arg.startsWith("--charts=")) ? ["render", "helm"] : ["render"];
}

// src/cli/loader.ts
var home = fileURLToPath(new URL(["..", ".."].join("/"), import.meta.url));
var dist = join4(home, "dist");
function beginEarly(args) {
  const [first] = modulesFor(args);
  const engines = join4(dist, "engine");
  if (first === void 0 || programFor(engines, first, choiceIn(args)) !== void 0) return void 0;
  try {
    return beginThread(engines, first).on("error", () => {
    });
  } catch {
    return void 0;
  }
}
try {
  const args = process.argv.slice(2);
  const thread = beginEarly(args);
  for (const file of builtFiles(dist).keys()) if (file.startsWith("cli/")) readBuilt(dist, file);
  const command = await import(
    /* webpackIgnore: true */
    pathToFileURL(join4(home, "dist", "cli", "command.js")).href
  );
  await command.run(args, thread);
} catch (error) {
  const { message } = error;
  const said = error instanceof ChangedFileError ? error : new ChangedFileError("cli", `cannot be loaded (${message})`);
  process.stderr.write(`customizer-lint: ${said.message}
`);
  process.exitCode = 2;
}
