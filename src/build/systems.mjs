/**
 * `npm run test:systems`: the package as npm installs it, on the system and the Node that run this. It is packed, installed in a folder with a
 * space in its path, without network and without scripts of its own, and checks the examples: the reports are those that are committed,
 * also with line ends and paths as Windows has them. It needs no other package.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const examples = join('__tests__', 'examples');
const broken = readFileSync(join(root, examples, 'broken.txt'), 'utf8');

/** npm is a script for a shell on Windows, and a file for Node everywhere. */
const npm = process.env.npm_execpath;
if (!npm) throw new Error('npm run test:systems: it has to be started by npm');

function run(args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  if (error) throw error;
  return { status, stdout, stderr };
}

function inNpm(args, cwd) {
  const { status, stdout, stderr } = run([npm, ...args], cwd);
  if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** Gives the path of the installed command. */
function install(folder) {
  writeFileSync(join(folder, 'package.json'), '{}');
  const [{ filename }] = JSON.parse(inNpm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root));
  inNpm(['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', join(folder, filename)], folder);
  return join(folder, 'node_modules', 'customizer-lint', 'dist', 'cli', 'index.js');
}

/** Every file with the line ends of Windows, as `core.autocrlf` writes them. */
function copyWithCrlf(from, to) {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyWithCrlf(source, target);
    else writeFileSync(target, readFileSync(source, 'utf8').replace(/\r?\n/g, '\r\n'));
  }
}

/** Pairs of what is to be seen and what is: a name, then both. */
function* outcomes(command, folder) {
  const check = (args, cwd = root) => run([command, 'check', ...args], cwd);
  const ofBroken = { status: 1, stdout: broken, stderr: '' };
  yield ['the report on an example', ofBroken, check(['.'], join(root, examples, 'broken'))];
  cpSync(join(root, examples, 'broken'), join(folder, 'of a cluster'), { recursive: true });
  yield ['the same in a folder with a space', ofBroken, check([], join(folder, 'of a cluster'))];
  copyWithCrlf(join(root, examples, 'broken'), join(folder, 'crlf'));
  yield ['the same with other line ends', ofBroken, check([], join(folder, 'crlf'))];
  const compared = ['--base', join(examples, 'clean.base')];
  yield ['a right change', 0, check([join(examples, 'clean'), ...compared]).status];
  const wrong = check(['nowhere-at-all']);
  yield ['wrong usage', { status: 2, stdout: '' }, { status: wrong.status, stdout: wrong.stdout }];
  const path = join('clusters', 'prod');
  const files = {
    kind: 'Kustomization',
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    configMapGenerator: [{ name: 'a' }],
  };
  mkdirSync(join(folder, 'two', path), { recursive: true });
  writeFileSync(join(folder, 'two', path, 'kustomization.yaml'), JSON.stringify(files));
  const rendered = run([command, 'inventory', 'two', '--path', path], folder);
  yield ['a directory that is named as the system writes it', 0, rendered.status];
}

const folder = join(mkdtempSync(join(tmpdir(), 'systems-')), 'a folder');
mkdirSync(folder);
let failed = 0;
let passed = 0;
try {
  for (const [name, expected, seen] of outcomes(install(folder), folder)) {
    if (JSON.stringify(expected) === JSON.stringify(seen)) passed += 1;
    else {
      failed += 1;
      console.error(
        `${name}: expected\n${JSON.stringify(expected, undefined, 2)}\nand saw\n${JSON.stringify(seen, undefined, 2)}`,
      );
    }
  }
} finally {
  rmSync(join(folder, '..'), { recursive: true, force: true });
}
console.log(
  `${process.platform} ${process.arch}, Node ${process.versions.node}: ${passed} passed, ${failed} failed, 0 skipped`,
);
process.exitCode = failed > 0 ? 1 : 0;
