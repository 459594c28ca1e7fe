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

/** The leaves of every tree, by tree: one run for all that are built by path, one for all that Flux objects lead to. */
export async function provenanceOf(trees) {
  const found = new Map();
  const some = [trees.filter(({ flux }) => !flux), trees.filter(({ flux }) => flux)];
  for (const [index, group] of some.entries()) {
    if (group.length === 0) continue;
    const leaves = await together(group, index === 0);
    const groups = groupBy(leaves, prefixOf);
    for (const tree of group)
      found.set(
        tree,
        (groups.get(nameOf(tree)) ?? []).map((leaf) => relative(leaf, nameOf(tree))),
      );
  }
  return found;
}

async function together(trees, byPath) {
  const folder = mkdtempSync(join(tmpdir(), 'provenance-'));
  try {
    for (const tree of trees) plant(join(folder, nameOf(tree)), moved(tree));
    return await provenance(
      folder,
      byPath ? trees.flatMap((tree) => tree.paths.map((path) => `${nameOf(tree)}/${path}`)) : [],
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A Flux object names its path from the root; it stands on a line of its own, so that no other place moves. */
function moved(tree) {
  if (!tree.flux) return tree.files;
  const text = tree.files.get(tree.flux).replace(/^( +path: ['"]?)\.\/(?=clusters)/m, `$1./${nameOf(tree)}/`);
  return new Map(tree.files).set(tree.flux, text);
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
