/**
 * `npm run release -- --dry-run`: makes a release of the commit that is checked out, without publishing it. `dist/` is built from the source and compared;
 * the packages, what they are made of (CycloneDX), checksums, a statement of provenance and the notes are written to a folder. The same commit
 * gives the same bytes. The workflow release.yaml calls it, and attests and publishes what it makes.
 *
 *     --out DIR          where to (.cache/release)
 *     --version X.Y.Z    what the tag says: it has to be the version of package.json and to have a section in CHANGELOG.md
 *     --programs WHICH   all, or systems with commas between: the packages with the engines as programs
 *     --withdraw X.Y.Z   prints the commands that withdraw a release instead
 *     --first            prints the commands that a maintainer runs once, before the first release, instead
 *
 * Ends with 1 and a sentence where something is not as it has to be.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { changedFiles, sha256 } from './checksums.mjs';
import { hasGo } from './go.mjs';
import { packRelease } from './pack.mjs';
import { nameOf, systems } from './programs.mjs';
import { preparation } from './release/first.mjs';
import { notesOf, versionsIn } from './release/notes.mjs';
import { provenanceOf } from './release/provenance.mjs';
import { sbomOf } from './release/sbom.mjs';
import { withdrawal } from './release/withdraw.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file) => readFileSync(join(root, file), 'utf8');
const run = (command, ...args) => execFileSync(command, args, { cwd: root, encoding: 'utf8' }).trimEnd();
const own = JSON.parse(read('package.json'));
const repository = own.repository.url.replace(/^git\+|\.git$/g, '');
const ownerAndName = new URL(repository).pathname.slice(1);
/** The packages of a release. */
const names = [own.name, ...Object.keys(systems).map((system) => nameOf(system))];

/** Why there is no release, in a sentence. */
class Refused extends Error {}

function refuse(sentence) {
  throw new Refused(sentence);
}

async function main(argv) {
  const options = { out: { type: 'string' }, version: { type: 'string' }, programs: { type: 'string' } };
  const more = { 'dry-run': { type: 'boolean' }, withdraw: { type: 'string' }, first: { type: 'boolean' } };
  const { values } = parseArgs({ args: argv, options: { ...options, ...more } });
  if (!values['dry-run']) refuse('releases are published by the workflow release.yaml; here there is --dry-run');
  if (values.withdraw !== undefined) return process.stdout.write(withdraw(values.withdraw));
  if (values.first) return process.stdout.write(preparation({ ...own, names, repository: ownerAndName }));
  const named = systemsIn(values.programs);
  checkVersion(values.version);
  checkCheckout();
  checkBuild(named.length > 0);
  for (const line of await make(resolve(values.out ?? join(root, '.cache/release')), named, values.version))
    process.stdout.write(`${line}\n`);
}

function withdraw(version) {
  const versions = versionsIn(read('CHANGELOG.md'));
  if (!versions.includes(version)) refuse(`CHANGELOG.md has no release ${version}`);
  return withdrawal({ version, versions, names, repository: ownerAndName });
}

function systemsIn(text) {
  if (text === undefined) return [];
  const named = text === 'all' ? Object.keys(systems) : text.split(',');
  const unknown = named.find((system) => !(system in systems));
  if (unknown !== undefined) refuse(`--programs ${unknown}: there is ${Object.keys(systems).join(', ')}`);
  return named;
}

/** Of a tag more is asked than of what may still become one. */
function checkVersion(version) {
  const { version: locked } = JSON.parse(read('package-lock.json'));
  if (locked !== own.version) refuse(`package.json is ${own.version}, and package-lock.json ${locked}`);
  if (version === undefined) return;
  if (version !== own.version) refuse(`--version ${version}: package.json is ${own.version}`);
  if (!versionsIn(read('CHANGELOG.md')).includes(version)) refuse(`CHANGELOG.md has no section "## ${version}"`);
  const { sealed } = JSON.parse(read(promises));
  if (!(version in sealed)) refuse(`${promises} has no seal of ${version}: UPDATE=1 npm run jest -- project/stability`);
}

/** What was promised, and what the severities of each release were. */
const promises = '__tests__/project/promises.json';

/** What is released is a commit, and `dist/` is whole. */
function checkCheckout() {
  const [changed] = changedFiles(join(root, 'dist'));
  if (changed !== undefined) refuse(`dist/${changed} is not the file that was built: npm run build`);
  const [first, ...others] = run('git', 'status', '--porcelain', '-z').split('\0').filter(Boolean);
  const what = others.length > 0 ? `and ${others.length} more files are` : 'is';
  if (first !== undefined) refuse(`${first.slice(3)} ${what} not as in the commit`);
}

function checkBuild(isAll) {
  if (!hasGo()) refuse('the engines are built from their source to be compared, which needs Go 1.26');
  const steps = [
    ['dist/', 'src/build/dist.mjs', '--check'],
    ['dist/engine/', 'src/build/engine.mjs', '--check', ...(isAll ? ['--all'] : [])],
  ];
  for (const [what, ...args] of steps) {
    const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', process.stderr, 'inherit'] });
    if (status !== 0) refuse(`${what} is not what the source builds, as said above`);
  }
}

/** Writes all files, without comparing anything; gives their paths, and what a release would not accept. */
export async function make(out, named, version) {
  mkdirSync(out, { recursive: true });
  const commit = run('git', 'rev-parse', 'HEAD');
  const time = new Date(run('git', 'show', '--no-patch', '--format=%cI', 'HEAD'));
  const tarballs = packRelease(out, named);
  const sbom = write(out, `${own.name}.cdx.json`, await sbomOf(root, time));
  const subjects = [...tarballs, sbom].map((file) => ({ name: basename(file), sha256: sha256(readFileSync(file)) }));
  const sums = write(out, 'SHA256SUMS', subjects.map(({ name, sha256: sum }) => `${sum}  ${name}\n`).join(''));
  const tools = { node: process.versions.node, npm: run('npm', '--version'), go: run('go', 'env', 'GOVERSION') };
  const lock = sha256(readFileSync(join(root, 'package-lock.json')));
  const says = { subjects, repository, commit, version: own.version, systems: named, tools, lock };
  const provenance = write(out, 'provenance.json', provenanceOf(says));
  const { text, remark } = notes(version);
  return [...tarballs, sbom, sums, provenance, write(out, 'notes.md', text), ...remark];
}

/** Those of the version; before there are any, of what is not released yet. */
function notes(version) {
  const files = `${repository}/blob/v${own.version}`;
  const changelog = read('CHANGELOG.md');
  const text = notesOf(changelog, own.version, files);
  if (text !== undefined) return { text, remark: [] };
  if (version !== undefined || !changelog.includes('\n## Unreleased\n')) refuse('CHANGELOG.md has no notes');
  const remark = [`notes.md has the section "Unreleased": a release needs one of the name ${own.version}`];
  return { text: notesOf(changelog, 'Unreleased', files), remark };
}

function write(out, name, text) {
  const file = join(out, name);
  writeFileSync(file, text);
  return file;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof Refused) && !String(error.code).startsWith('ERR_PARSE_ARGS')) throw error;
    process.stderr.write(`release: ${error.message}\n`);
    process.exitCode = 1;
  }
}
