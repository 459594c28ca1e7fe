/**
 * The packages of a release: `node src/build/pack.mjs FOLDER [SYSTEM…]` packs customizer-lint, and the engines as programs for all
 * systems or for those that are named, and prints the paths of the tarballs. In its package.json customizer-lint names the programs as
 * `optionalDependencies`, so that npm installs the one that fits; scripts and what is only there for development are left out.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { filesBelow } from './checksums.mjs';
import { nameOf, packageOf, systems } from './programs.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The tarball of a folder, by its path. */
function pack(from, to) {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', to];
  const [{ filename }] = JSON.parse(execFileSync('npm', args, { cwd: from, encoding: 'utf8' }));
  return join(to, filename);
}

/** As it is published: with the programs, and without what nobody needs who installs it. */
function published(text) {
  const { scripts: _, devDependencies: __, jest: ___, ...rest } = JSON.parse(text);
  const programs = Object.keys(systems).map((system) => [nameOf(system), rest.version]);
  return `${JSON.stringify({ ...rest, optionalDependencies: Object.fromEntries(programs) }, undefined, 2)}\n`;
}

/** Gives the paths of the tarballs, that of customizer-lint first. Their bytes do not depend on the rights that this user gives files. */
export function packRelease(folder, names = Object.keys(systems)) {
  const to = resolve(folder);
  mkdirSync(to, { recursive: true });
  const stage = mkdtempSync(join(tmpdir(), 'pack-'));
  try {
    execFileSync('tar', ['-xzf', pack(root, stage), '-C', stage]);
    const own = join(stage, 'package');
    for (const name of filesBelow(own)) {
      const isProgram = (statSync(join(own, name)).mode & 0o100) !== 0;
      chmodSync(join(own, name), isProgram ? 0o755 : 0o644);
    }
    const file = join(own, 'package.json');
    writeFileSync(file, published(readFileSync(file, 'utf8')));
    return [pack(own, to), ...names.map((system) => pack(packageOf(system, stage), to))];
  } finally {
    rmSync(stage, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, ...named] = process.argv.slice(2);
  for (const file of packRelease(folder, named.length > 0 ? named : undefined)) process.stdout.write(`${file}\n`);
}
