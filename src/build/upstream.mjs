/**
 * `npm run upstream [-- --output FILE]`: which releases of Cozystack, Flux, kustomize, Helm and Kubernetes are newer than what is rendered and
 * judged with, and what the helpers of .github/CONTRIBUTING.md print of them, as Markdown. FILE is empty where nothing is new. Versions come
 * from the Go module proxy, and those of Cozystack from the tags of its repository. What cannot be asked is said, and ends with status 1.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { goEnv } from './go.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const repository = 'https://github.com/cozystack/cozystack';
/** Of each helper; GitHub takes 65,536 characters of an issue. */
const longest = 9_000;

const textOf = (path) => readFileSync(join(root, path), 'utf8');

/** The version that a go.mod has, of a module or, in its comment, of the program whose pins it has. */
function usedIn(file, name) {
  const words = name.split('/').at(-1);
  const text = textOf(file);
  const line = text.split('\n').find((one) => one.includes(`${name} v`) || one.includes(` ${words} `));
  const version = line?.split(/[\s;,]+/).find((word) => /^v?\d+\.\d+\.\d+\.?$/.test(word));
  if (!version) throw new Error(`${file} names no version of ${name}`);
  return `v${version.replace(/^v|\.$/g, '')}`;
}

const difference = (module) => (version) =>
  output(process.execPath, [join(root, 'src/build/engine.mjs'), '--upstream-diff', `${module}@${version}`]);

/** Those of what the engines are made of; `helper` prints what changes with a version. */
const modules = [
  ...['api', 'kyaml'].map((name) => watchedModule(`sigs.k8s.io/kustomize/${name}`, 'src/engine/go.mod', difference)),
  watchedModule('k8s.io/apimachinery', 'src/engine/apply/go.mod', difference),
  watchedModule('helm.sh/helm/v4', 'src/engine/helm/go.mod', difference),
  watchedModule('github.com/fluxcd/kustomize-controller', 'src/engine/go.mod', pinsOf),
];

function watchedModule(module, file, helper) {
  return {
    name: module,
    used: usedIn(file, module),
    versions: () =>
      output('go', ['list', '-m', '-versions', module], goEnv({ GOFLAGS: '-mod=mod' }))
        .split(/\s+/)
        .slice(1),
    helper: helper(module),
  };
}

/** What a controller is linked with: that is what the engine's go.mod has to have. */
function pinsOf(module) {
  return (version) => {
    const asked = ['list', '-m', '-json', `${module}@${version}`];
    const { GoMod } = JSON.parse(output('go', asked, goEnv({ GOFLAGS: '-mod=mod' })));
    const lines = readFileSync(GoMod, 'utf8').split('\n');
    const isPin = (line) =>
      /(?:kustomize\/(?:api|kyaml)|fluxcd\/pkg\/(?:envsubst|sourceignore|ssa|kustomize)|go\.yaml\.in\/yaml\/v2) v|=> sigs\.k8s\.io/.test(
        line,
      );
    return lines.filter(isPin).join('\n');
  };
}

const cozystack = {
  name: 'Cozystack',
  used: readdirSync(join(root, 'schemas/cozystack'))
    .filter((name) => /^v\d/.test(name))
    .sort((one, other) => compared(one, other))
    .at(-1),
  versions: () =>
    output('git', ['ls-remote', '--tags', '--refs', repository])
      .split('\n')
      .map((line) => line.split('refs/tags/')[1] ?? ''),
  helper: generated,
};

/** The data of a release, and what is otherwise in them than in those of the newest that is known. */
function generated(version) {
  const folder = mkdtempSync(join(tmpdir(), 'upstream-'));
  try {
    const [checkout, data] = [join(folder, 'checkout'), join(folder, 'data')];
    output('git', ['clone', '--quiet', '--depth', '1', '--branch', version, repository, checkout]);
    const said = output(process.execPath, [
      ...[join(root, 'src/build/generate.mjs'), '--from', checkout],
      ...['--release', version, '--out', data],
    ]);
    const [before, after] = [join(root, 'schemas/cozystack', cozystack.used), join(data, 'cozystack', version)];
    const stat = spawnSync('git', ['diff', '--no-index', '--stat', before, after], { encoding: 'utf8' });
    return `${said}\n${stat.stdout.replaceAll(folder, '').replaceAll(root, '')}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Of semantic versions with or without `v`, as a sort wants it. */
function compared(one, other) {
  const [here, there] = [one, other].map((version) => version.replace(/^v/, '').split('.').map(Number));
  return here.map((number, index) => number - there[index]).find((apart) => apart !== 0) ?? 0;
}

/** The newest that is out, if it is newer: no candidate. */
export function newerThan(used, versions) {
  const out = versions.filter((version) => /^v\d+\.\d+\.\d+$/.test(version)).sort(compared);
  const newest = out.at(-1);
  return newest && compared(newest, used) > 0 ? newest : undefined;
}

function output(program, args, env = process.env) {
  const run = spawnSync(program, args, { cwd: root, env, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (run.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${run.error?.message ?? run.stderr.trim()}`);
  return run.stdout;
}

/** A fence that no text closes. */
function fenced(text) {
  const shown = text.length > longest ? `${text.slice(0, longest)}\n… ${text.length - longest} more characters` : text;
  const ticks = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length)) + 1;
  return `${'`'.repeat(ticks)}text\n${shown.trimEnd()}\n${'`'.repeat(ticks)}`;
}

/** What is to be said of one, or undefined; what cannot be asked is said as well. */
function section({ name, used, versions, helper }) {
  try {
    const newest = newerThan(used, versions());
    if (!newest) return undefined;
    const printed = orReason(() => helper(newest));
    return `## ${name} ${newest}\n\nIn use is ${used}.\n\n<details><summary>What the helper prints</summary>\n\n${fenced(printed)}\n\n</details>\n`;
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`upstream: ${name}: ${error.message}\n`);
    return undefined;
  }
}

function orReason(work) {
  try {
    return work();
  } catch (error) {
    return `The helper failed: ${error.message}`;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sections = [cozystack, ...modules].map(section).filter(Boolean);
  const steps =
    'The steps are in [CONTRIBUTING.md](.github/CONTRIBUTING.md) and [src/engine/README.md](src/engine/README.md).';
  const text = sections.length > 0 ? `${steps}\n\n${sections.join('\n')}` : '';
  const at = process.argv.indexOf('--output');
  if (at > 0) writeFileSync(process.argv[at + 1], text);
  else process.stdout.write(text);
}
