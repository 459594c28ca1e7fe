/**
 * The engine's modules as programs, in npm packages of their own, one a system: `node src/build/programs.mjs FOLDER [SYSTEM…]` makes them below
 * FOLDER, of this system or of those that are named, and prints their paths. package.json of the repository names none of them, as
 * they are published with a release only (pack.mjs).
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { importSource } from './source.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

const host = await importSource('src/engine/host/installed.ts');
export const { packageName: nameOf, programFile: fileOf, programs } = host;

/** Go's names, by those of Node (`process.platform`, `process.arch`), where they differ. */
const goNames = { win32: 'windows', x64: 'amd64' };
export const systems = Object.fromEntries(
  host.systems.map((system) => [system, system.split('-').map((name) => goNames[name] ?? name)]),
);
export const here = `${process.platform}-${process.arch}`;

/** Makes the package of a system, and gives its folder. */
export function packageOf(system, folder) {
  const engine = join(root, 'src/build/engine.mjs');
  const files = execFileSync(process.execPath, [engine, `--program=${system}`], { encoding: 'utf8' })
    .trim()
    .split('\n');
  const own = join(folder, nameOf(system));
  mkdirSync(own, { recursive: true });
  const { version, homepage, repository, bugs, license, engines } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const [os, cpu] = system.split('-');
  const text = {
    name: nameOf(system),
    version,
    description: `The engines of customizer-lint as programs for ${system}`,
    homepage,
    repository,
    bugs,
    license,
    engines,
    os: [os],
    cpu: [cpu],
    preferUnplugged: true,
  };
  writeFileSync(join(own, 'package.json'), `${JSON.stringify(text, undefined, 2)}\n`);
  for (const file of files) copyFileSync(file, join(own, basename(file)));
  copyFileSync(join(root, 'LICENSE'), join(own, 'LICENSE'));
  const licenses = execFileSync(process.execPath, [engine, `--licenses=${system}`], { maxBuffer: 1 << 28 });
  writeFileSync(join(own, 'licenses.txt'), licenses);
  const readme = `# ${nameOf(system)}\n\nThe engines of [customizer-lint](${homepage}) as programs. They are installed beside it where they fit, and are of no use alone.\n`;
  writeFileSync(join(own, 'README.md'), readme);
  return own;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, ...named] = process.argv.slice(2);
  for (const system of named.length > 0 ? named : [here]) process.stdout.write(`${packageOf(system, folder)}\n`);
}
