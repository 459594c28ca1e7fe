/** The workflow that publishes: who may do what in it, and what its scripts do. GitHub and npm are programs of our own. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { root } from '../support/cli.js';
import { createRepo, removeRepo } from '../support/trees.js';

type Step = { name?: string; uses?: string; run?: string; with?: Record<string, unknown> };
type Job = { needs?: string; environment?: string; permissions: Record<string, string>; steps: Step[] };
const workflow = parse(readFileSync(join(root, '.github/workflows/release.yaml'), 'utf8')) as {
  on: object;
  defaults: object;
  permissions: object;
  jobs: { [id: string]: Job };
};
const { build, publish, release } = workflow.jobs as { [id: string]: Job };

const planted: string[] = [];
afterAll(() => planted.forEach(removeRepo));
const planting = (files: Parameters<typeof createRepo>[0]) => {
  const folder = createRepo(files);
  planted.push(folder);
  return folder;
};

/** A step as the runner runs it. `programs` are scripts for `sh`, found before those of the system. */
function runStep(job: Job | undefined, name: string, { cwd, env, programs = {} }: Stage) {
  const script = job?.steps.find((step) => step.name === name)?.run;
  if (script === undefined) throw new Error(`there is no step "${name}"`);
  const bin = planting({ ...programs, none: '' });
  for (const program of Object.keys(programs)) chmodSync(join(bin, program), 0o755);
  const all = { ...process.env, ...env, PATH: `${bin}:${process.env.PATH}` };
  const { status, stdout } = spawnSync('bash', ['-eo', 'pipefail', '-c', script], { cwd, env: all, encoding: 'utf8' });
  return { status, lines: stdout.trim().split('\n') };
}

type Stage = { cwd: string; env: Record<string, string>; programs?: Record<string, string> };

test('begins with the tag of a version alone, and each job may do no more than it needs', () => {
  expect(workflow.on).toEqual({ push: { tags: ['v[0-9]+.[0-9]+.[0-9]+'] } });
  expect(workflow.permissions).toEqual({});
  // The runner adds `-eo pipefail` then.
  expect(workflow.defaults).toEqual({ run: { shell: 'bash' } });
  expect([build, publish, release].map((job) => job?.permissions)).toEqual([
    { contents: 'read' },
    { 'id-token': 'write', attestations: 'write' },
    { contents: 'write' },
  ]);
  expect([build, publish, release].map((job) => job?.needs)).toEqual([undefined, 'build', 'publish']);
  expect(publish?.environment).toBe('release');
});

test('who may publish runs nothing of the repository, and what is built comes from no cache', () => {
  for (const job of [publish, release])
    expect(job?.steps.filter(({ uses = '' }) => uses.startsWith('actions/checkout@'))).toEqual([]);
  const caches = build?.steps.flatMap(({ with: inputs = {} }) =>
    Object.entries(inputs).filter(([name]) => /^(?:package-manager-)?cache$/.test(name)),
  );
  expect(caches).toEqual([
    ['package-manager-cache', false],
    ['cache', false],
  ]);
});

describe('the tag', () => {
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd, encoding: 'utf8' });
  const origin = planting({ 'package.json': '{"version":"1.2.3"}\n' });
  git(origin, 'init', '-q', '-b', 'main', '.');
  git(origin, 'add', '-A');
  git(origin, 'commit', '-q', '-m', 'on main');
  git(origin, 'checkout', '-q', '-b', 'other');
  git(origin, 'commit', '-q', '--allow-empty', '-m', 'on another branch');
  const clone = planting({});
  git(clone, 'clone', '-q', origin, '.');

  const check = (tag: string, branch: string) => {
    git(clone, 'checkout', '-q', `origin/${branch}`);
    const env = { GITHUB_REF_NAME: tag, GITHUB_SHA: git(clone, 'rev-parse', 'HEAD').trim() };
    return runStep(build, 'The tag is on main, and names the version', { cwd: clone, env });
  };

  test('of main with the version of package.json is built', () => {
    expect(check('v1.2.3', 'main')).toEqual({ status: 0, lines: [''] });
  });

  test('of another commit or another version is not', () => {
    expect(check('v1.2.3', 'other')).toEqual({ status: 1, lines: ['::error::v1.2.3 is not on main'] });
    expect(check('v1.2.4', 'main')).toEqual({
      status: 1,
      lines: ['::error::v1.2.4 is not v1.2.3, the version of package.json'],
    });
  });
});

describe('publishing', () => {
  const tarball = (name: string) => {
    const folder = planting({ 'package/package.json': JSON.stringify({ name, version: '1.2.3' }) });
    execFileSync('tar', ['-czf', `${name}-1.2.3.tgz`, 'package'], { cwd: folder });
    return readFileSync(join(folder, `${name}-1.2.3.tgz`));
  };
  const names = ['customizer-lint', 'customizer-lint-linux-x64', 'customizer-lint-darwin-arm64'];
  const cwd = planting(Object.fromEntries(names.map((name) => [`release/${name}-1.2.3.tgz`, tarball(name)])));
  /** A registry that has some of them. */
  const npm = (there: string) =>
    `#!/bin/sh\nif [ "$1" = view ]; then [ "$2" = "${there}@1.2.3" ] && echo 1.2.3 && exit 0; exit 1; fi\necho "$@"\n`;
  const publishing = (there: string) =>
    runStep(publish, 'Publish', { cwd, env: {}, programs: { npm: npm(there) } }).lines;

  test('takes the programs first, with provenance, and runs no script', () => {
    const how = '--provenance --access public --ignore-scripts';
    expect(publishing('nothing')).toEqual([
      `publish ./release/customizer-lint-darwin-arm64-1.2.3.tgz ${how}`,
      `publish ./release/customizer-lint-linux-x64-1.2.3.tgz ${how}`,
      `publish ./release/customizer-lint-1.2.3.tgz ${how}`,
    ]);
  });

  test('leaves out what is there when it is repeated', () => {
    const [, second, third] = publishing('customizer-lint-linux-x64');
    expect(second).toBe('customizer-lint-linux-x64@1.2.3 is there already');
    expect(third).toMatch(/^publish \.\/release\/customizer-lint-1\.2\.3\.tgz /);
  });
});

describe('who verifies a release', () => {
  const page = readFileSync(join(root, 'docs/releases.md'), 'utf8');
  const section = page.slice(page.indexOf('## Verify a release'), page.indexOf('## What runs is what was built'));
  const [first = '', second = ''] = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, script = '']) => script);
  /** Downloads what a test has made, and says of an attestation what it is asked. */
  const gh = [
    '#!/bin/sh',
    'case "$1 $2" in',
    '"release download") cp "$MADE"/* . ;;',
    '"attestation verify") [ -f "$3" ] && shift 2 && echo "$@" ;;',
    '*) exit 9 ;;',
    'esac',
    '',
  ].join('\n');
  const name = 'customizer-lint-0.1.0.tgz';
  const verify = (script: string, files: Record<string, string>) => {
    const steps = [{ name: 'Verify', run: script }];
    const env = { MADE: planting(files) };
    return runStep({ permissions: {}, steps }, 'Verify', { cwd: planting(files), env, programs: { gh } });
  };
  const sum = createHash('sha256').update('a').digest('hex');

  test('has the checksums compared, and asks for what this workflow attests', () => {
    const { status, lines } = verify(first, { [name]: 'a', SHA256SUMS: `${sum}  ${name}\n` });
    expect({ status, lines }).toEqual({
      status: 0,
      lines: [
        `${name}: OK`,
        `${name} --repo cozystack/customizer-lint --signer-workflow cozystack/customizer-lint/.github/workflows/release.yaml --source-ref refs/tags/v0.1.0`,
      ],
    });
    expect(existsSync(join(root, '.github/workflows/release.yaml'))).toBe(true);
    const attested = publish?.steps.filter(({ uses = '' }) => uses.startsWith('actions/attest@'));
    expect(attested?.map(({ with: inputs }) => inputs)).toEqual([
      { 'subject-checksums': 'release/SHA256SUMS' },
      { 'subject-path': 'release/*.tgz', 'sbom-path': 'release/customizer-lint.cdx.json' },
    ]);
  });

  test('ends there where a file is another', () => {
    const { status, lines } = verify(first, { [name]: 'b', SHA256SUMS: `${sum}  ${name}\n` });
    expect({ status, lines }).toEqual({ status: 1, lines: [`${name}: FAILED`] });
  });

  test('asks for the bill of materials as CycloneDX, which is what is attested', () => {
    const { status, lines } = verify(second, { [name]: 'a' });
    expect({ status, lines }).toEqual({
      status: 0,
      lines: [`${name} --repo cozystack/customizer-lint --predicate-type https://cyclonedx.org/bom`],
    });
  });
});

describe('the tag of the major version', () => {
  /** A repository with these tags. */
  const gh = (tags: readonly string[]) =>
    [
      '#!/bin/sh',
      'case "$*" in',
      `*matching-refs*) printf 'refs/tags/%s\\n' ${tags.filter((tag) => tag !== 'v0').join(' ')} ;;`,
      `*git/ref/tags/v0*) ${tags.includes('v0') ? 'exit 0' : 'exit 1'} ;;`,
      '*) echo "$@" ;;',
      'esac',
      '',
    ].join('\n');
  const move = (tag: string, tags: readonly string[]) =>
    runStep(release, 'Move the tag of the major version, unless a newer release has it', {
      cwd: root,
      env: { GITHUB_REF_NAME: tag, GITHUB_SHA: 'abc', GH_REPO: 'o/r', GH_TOKEN: 'x' },
      programs: { gh: gh(tags) },
    });

  test('moves to the newest release, and no tag of a release moves', () => {
    expect(move('v0.10.0', ['v0', 'v0.9.0', 'v0.10.0', 'v0.11.0-rc.1'])).toEqual({
      status: 0,
      lines: ['api --method PATCH repos/o/r/git/refs/tags/v0 -f sha=abc -F force=true --silent'],
    });
    const scripts = Object.values(workflow.jobs).flatMap(({ steps }) =>
      steps.flatMap(({ run = '' }) => run.split('\n')),
    );
    expect(scripts.filter((line) => /force/.test(line)).length).toBe(1);
  });

  test('is made with the first one', () => {
    expect(move('v0.1.0', ['v0.1.0']).lines).toEqual([
      'api --method POST repos/o/r/git/refs -f ref=refs/tags/v0 -f sha=abc --silent',
    ]);
  });

  test('stays where a correction of an older one is released', () => {
    expect(move('v0.9.1', ['v0', 'v0.9.1', 'v0.10.0'])).toEqual({
      status: 0,
      lines: ['v0 stays, as v0.10.0 is newer'],
    });
  });
});
