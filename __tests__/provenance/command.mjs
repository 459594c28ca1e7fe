/** The command under test: `render --provenance`, once for many trees. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { env, execPath } from 'node:process';
import { root } from './engine.mjs';

/** `CUSTOMIZER_LINT_CLI` names another build than the committed one. */
const cli = () => env.CUSTOMIZER_LINT_CLI ?? join(root, 'dist/cli/index.js');

export function plant(folder, files) {
  for (const [name, text] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** Runs with the output in a file, as it can be larger than a pipe likes. Gives the status and what was said. */
export function run(args, folder) {
  return new Promise((resolve, reject) => {
    const child = spawn(execPath, [cli(), ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk));
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, said: Buffer.concat(said).toString() }));
  });
}

/** Every leaf of the render of some directories; all that are discovered, where none is named. */
export async function provenance(folder, paths = []) {
  const scratch = mkdtempSync(join(tmpdir(), 'provenance-'));
  const output = join(scratch, 'leaves.json');
  const named = paths.flatMap((path) => ['--path', path]);
  const args = ['render', '.', ...named, '--provenance', '--format', 'json', '--output', output];
  try {
    const { status, said } = await run(args, folder);
    if (status === 2) throw new Error(said);
    return JSON.parse(readFileSync(output, 'utf8'));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The leaves of every tree, by tree: one run for all that are built by path, one more for each that Flux objects lead to. */
export async function provenanceOf(trees) {
  const folder = mkdtempSync(join(tmpdir(), 'provenance-'));
  const found = new Map();
  try {
    const byPath = trees.filter(({ flux }) => !flux);
    for (const tree of trees) plant(join(folder, nameOf(tree)), tree.files);
    const paths = byPath.flatMap((tree) => tree.paths.map((path) => `${nameOf(tree)}/${path}`));
    const leaves = paths.length > 0 ? await provenance(folder, paths) : [];
    const groups = Map.groupBy ? Map.groupBy(leaves, prefixOf) : groupBy(leaves, prefixOf);
    for (const tree of byPath)
      found.set(
        tree,
        (groups.get(nameOf(tree)) ?? []).map((leaf) => relative(leaf, nameOf(tree))),
      );
    for (const tree of trees.filter(({ flux }) => flux)) found.set(tree, await provenance(join(folder, nameOf(tree))));
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const nameOf = (tree) => `t${tree.seed}`;
const prefixOf = (leaf) => leaf.entrypoint.split('/')[0];

/** Node 20 has no `Map.groupBy`. */
function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (groups.has(key)) groups.get(key).push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** As if the tree had been the whole repository. */
function relative(leaf, name) {
  const cut = (path) => (path.startsWith(`${name}/`) ? path.slice(name.length + 1) : path);
  const place = (at) => ({ ...at, file: cut(at.file) });
  const writers = leaf.writers.map(({ by, from }) => ({ by, from: from.map(place) }));
  return { ...place(leaf), entrypoint: cut(leaf.entrypoint), writers };
}
