/** `check --watch` as a process: what it says after each change is what a cold check says of the same files. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cli, runCli } from '../support/cli.js';
import { randomOf } from '../support/random.mjs';
import { amount } from '../support/sample.js';
import { configMap, createRepo, kustomization, removeRepo } from '../support/trees.js';

const packageOf = (name: string, spec: string) =>
  `apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata: {name: cozystack.${name}}\nspec:\n  ${spec}\n`;
const files = {
  'clusters/a/kustomization.yaml': kustomization({ resources: ['metallb.yaml', 'note.yaml'] }),
  'clusters/a/metallb.yaml': packageOf('metallb', 'components: {}'),
  'clusters/a/note.yaml': configMap('note'),
  'clusters/b/kustomization.yaml': kustomization({ resources: ['keycloak.yaml'] }),
  'clusters/b/keycloak.yaml': packageOf('keycloak', 'components: {}'),
};

let folder: string;
let watching: Watching | undefined;
beforeEach(() => {
  folder = createRepo(files);
});
afterEach(() => {
  watching?.child.kill('SIGKILL');
  watching = undefined;
  removeRepo(folder);
});

/** The process, and what it says of each round. */
class Watching {
  readonly child: ChildProcess;
  #stdout = '';
  #stderr = '';
  #rounds = 0;
  #seen = 0;
  #wake: () => void = () => {};

  constructor(...args: string[]) {
    this.child = spawn(process.execPath, [cli, 'check', folder, '--watch', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
      this.#rounds = this.#stderr.split('waiting for a change').length - 1;
      this.#wake();
    });
  }

  /** Once another round is over, and nothing more follows: what was said since the last one. */
  async round(patience = 60_000): Promise<{ stdout: string; stderr: string }> {
    while (this.#rounds === this.#seen)
      await new Promise<void>((resolve, reject) => {
        const isLost = () => reject(new Error(`no round for ${patience} ms, after:\n${this.#stdout}${this.#stderr}`));
        const limit = setTimeout(isLost, patience);
        this.#wake = () => {
          clearTimeout(limit);
          resolve();
        };
      });
    // The two streams are two pipes, and a slow machine may see one change as two.
    for (let rounds = -1; rounds !== this.#rounds; ) {
      rounds = this.#rounds;
      await new Promise((resolve) => setTimeout(resolve, 120));
    }
    this.#seen = this.#rounds;
    const said = { stdout: this.#stdout, stderr: this.#stderr };
    [this.#stdout, this.#stderr, this.#rounds, this.#seen] = ['', '', 0, 0];
    return said;
  }
}

const put = (file: string, text: string) => writeFileSync(join(folder, file), text);
/** The last report of a round, without the line that says what has changed. */
const reportIn = ({ stdout }: { stdout: string }) => stdout.split(/^.* changed\n\n/m).at(-1);
const cold = async (...args: string[]) => (await runCli(['check', folder, ...args])).stdout;

test('each change is checked, and its file is named', async () => {
  watching = new Watching('-q');
  const first = await watching.round();
  expect(first.stdout).toBe(await cold('-q'));
  expect(first.stdout).not.toContain('error[');
  put('clusters/a/metallb.yaml', packageOf('metallb', 'variant: other'));
  const changed = await watching.round();
  expect(changed.stdout).toMatch(/^\nclusters\/a\/metallb\.yaml changed\n\n/);
  expect(changed.stdout).toContain('error[chart-owned-field]');
  put('clusters/a/metallb.yaml', packageOf('metallb', 'components: {}'));
  expect(reportIn(await watching.round())).toBe(first.stdout);
});

test('what a folder that is new holds is checked, and what one that is gone held no longer', async () => {
  watching = new Watching('-q');
  await watching.round();
  mkdirSync(join(folder, 'clusters/c'));
  put('clusters/c/kustomization.yaml', kustomization({ resources: ['nowhere.yaml'] }));
  let said = await watching.round();
  // The folder may be seen before its file, and is watched only then.
  if (!said.stdout.includes('nowhere')) {
    put('clusters/c/other.yaml', configMap('other'));
    said = await watching.round();
  }
  expect(said.stdout).toContain('nowhere.yaml');
  rmSync(join(folder, 'clusters/c'), { recursive: true });
  expect(reportIn(await watching.round())).toBe(await cold('-q'));
});

test('what cannot be checked is said, and the next change is checked', async () => {
  put('lint.yaml', '{}\n');
  watching = new Watching('-q', '--config', 'lint.yaml');
  await watching.round();
  rmSync(join(folder, 'lint.yaml'));
  expect((await watching.round()).stderr).toMatch(/^customizer-lint: .*lint\.yaml/m);
  put('lint.yaml', '{}\n');
  expect(reportIn(await watching.round())).toBe(await cold('-q', '--config', 'lint.yaml'));
});

test('a folder that is removed and made anew between two rounds is watched', async () => {
  watching = new Watching('-q');
  const first = await watching.round();
  rmSync(join(folder, 'clusters/a'), { recursive: true });
  mkdirSync(join(folder, 'clusters/a'));
  for (const name of ['kustomization.yaml', 'metallb.yaml', 'note.yaml'] as const)
    put(`clusters/a/${name}`, files[`clusters/a/${name}`]);
  expect(reportIn(await watching.round())).toBe(first.stdout);
  put('clusters/a/metallb.yaml', packageOf('metallb', 'variant: other'));
  expect((await watching.round()).stdout).toContain('error[chart-owned-field]');
});

test('where the first round cannot be done it ends, as a check does', async () => {
  const { status, stderr } = await runCli(['check', folder, '--watch', '--base', 'nowhere']);
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: 'customizer-lint: --base nowhere: neither a revision that git has here, nor a directory\n',
  });
});

test('a full disk ends it, and is said', async () => {
  const child = spawn('bash', [
    '-c',
    'exec "$@" > /dev/full',
    'bash',
    process.execPath,
    cli,
    'check',
    folder,
    '--watch',
  ]);
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(2);
  expect(stderr).toContain('ENOSPC: no space left on device');
});

test('its own report is no change', async () => {
  watching = new Watching('--format', `json=${join(folder, 'report.json')}`, '--output', join(folder, 'report.txt'));
  await watching.round();
  await new Promise((resolve) => setTimeout(resolve, 200));
  put('clusters/a/note.yaml', configMap('note', { a: 'c' }));
  const { stderr } = await watching.round();
  expect(stderr.split('waiting for a change')).toHaveLength(2);
});

test('a signal ends it', async () => {
  watching = new Watching('-q');
  await watching.round();
  const ended = new Promise((resolve) => watching?.child.on('exit', (_, signal) => resolve(signal)));
  watching.child.kill('SIGINT');
  expect(await ended).toBe('SIGINT');
});

test.each(['--write-baseline', '--dry-run=kind'])('is refused with %s', async (option) => {
  const { status, stderr } = await runCli(['check', folder, '--watch', option]);
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: `customizer-lint: --watch cannot be used with ${option.split('=')[0]}\n`,
  });
});

describe('random edits', () => {
  const texts: [file: string, text: string | undefined][] = [
    ['clusters/a/metallb.yaml', packageOf('metallb', 'variant: other')],
    ['clusters/a/metallb.yaml', `# above\n${packageOf('metallb', 'variant: other')}`],
    ['clusters/a/metallb.yaml', packageOf('metallb', 'components: {metallb: {values: {a: 1}}}')],
    ['clusters/a/kustomization.yaml', kustomization({ resources: ['metallb.yaml'], namePrefix: 'x-' })],
    ['clusters/a/kustomization.yaml', 'resources: [metallb.yaml, gone.yaml]\n'],
    ['clusters/a/kustomization.yaml', files['clusters/a/kustomization.yaml']],
    ['clusters/b/keycloak.yaml', packageOf('keycloak', 'variant: x')],
    ['clusters/b/keycloak.yaml', undefined],
    ['clusters/b/keycloak.yaml', files['clusters/b/keycloak.yaml']],
    ['clusters/b/more.yaml', configMap('more')],
    ['clusters/b/more.yaml', undefined],
    ['.customizer-lint.yaml', 'cluster: {release: v1.5.4}\n'],
    ['.customizer-lint.yaml', undefined],
    ['flux.yaml', 'not: {yaml'],
    ['flux.yaml', undefined],
  ];

  test('are reported as a cold check reports them', async () => {
    const random = randomOf(7);
    const there = new Map<string, string>(Object.entries(files));
    watching = new Watching();
    await watching.round();
    for (let step = 0; step < amount(6, 200); step += 1) {
      const [file, text] = random.pick(texts) as (typeof texts)[number];
      if (there.get(file) === text) continue;
      if (text === undefined) there.delete(file);
      else there.set(file, text);
      if (text === undefined) rmSync(join(folder, file));
      else put(file, text);
      const said = await watching.round();
      expect({ step, file, said: reportIn(said) }).toEqual({ step, file, said: await cold() });
    }
  }, 300_000);
});

/** Of a path of a repository: what can be there, which is nothing, a text, a link or what nobody can read. */
type Entry = string | undefined | { link: string } | 'pipe' | 'closed';

describe('random edits of all that a check reads', () => {
  const flux = (path: string) =>
    `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: more, namespace: flux-system}\nspec: {path: ./${path}, prune: true, interval: 1m, sourceRef: {kind: GitRepository, name: x}}\n---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: x, namespace: flux-system}\nspec: {url: https://example.com/x.git, interval: 1m}\n`;
  const merge = (name: string, spec: string) =>
    `${packageOf(name, spec)}`.replace('metadata: {', 'metadata: {annotations: {a: b}, ');
  const ignore = '# customizer-lint ignore chart-owned-field -- agreed';
  const entries: Record<string, Entry[]> = {
    'clusters/a/kustomization.yaml': [
      kustomization({ resources: ['metallb.yaml', 'note.yaml', '../../base'] }),
      kustomization({ resources: ['../../base', 'note.yaml'], patches: [{ path: 'patch.yaml' }] }),
      kustomization({
        resources: ['metallb.yaml', '../../base'],
        patches: [{ path: 'patch.yaml', target: { kind: 'Package' } }],
      }),
      kustomization({ resources: ['metallb.yaml', 'gone.yaml'] }),
      'resources: [metallb.yaml]\nresources: [note.yaml, ../../base]\n',
      'resources: [metallb.yaml',
    ],
    'clusters/a/metallb.yaml': [
      packageOf('metallb', 'components: {}'),
      packageOf('metallb', 'variant: other'),
      packageOf('metallb', `variant: other ${ignore}`),
      `# above\n${packageOf('metallb', 'variant: other')}`,
      packageOf('metalb', 'components: {metallb: {values: {a: $' + '{b}, token: abcdefgh}}}'),
      `${packageOf('metallb', 'components: {}')}---\n${packageOf('monitoring', 'variant: other')}`,
      'kind: [broken',
      { link: 'note.yaml' },
      'pipe',
      'closed',
      undefined,
    ],
    'clusters/a/note.yaml': [configMap('note'), configMap('note', { a: 'c' }), configMap('other'), undefined],
    'clusters/a/patch.yaml': [
      merge('metallb', 'variant: patched'),
      merge('ingress', 'components: {ingress: {values: {b: 1}}}'),
      '[{op: add, path: /spec/variant, value: patched}]',
      undefined,
    ],
    'base/kustomization.yaml': [
      kustomization({ resources: ['one.yaml'] }),
      kustomization({ resources: ['one.yaml', 'two.yaml'] }),
      kustomization({ resources: ['two.yaml', 'one.yaml'], namePrefix: 'x-' }),
      kustomization({ resources: ['three.yaml'] }),
    ],
    'base/one.yaml': [packageOf('ingress', 'components: {}'), packageOf('ingress', 'variant: y'), configMap('one')],
    'base/two.yaml': [packageOf('postgres', 'components: {}'), configMap('note'), { link: '../flux.yaml' }, undefined],
    'base/three.yaml': [configMap('three'), undefined],
    'flux.yaml': [flux('more'), flux('base'), `${flux('more')}: {`, undefined],
    'more/kustomization.yaml': [kustomization({ resources: ['../base/one.yaml'] }), undefined],
    '.customizer-lint.yaml': [
      'cluster: {release: v1.5.4}\n',
      'rules: {chart-owned-field: warning}\n',
      'rules: {unknown-package: off}\nentrypoints: [base]\n',
      'rules: [',
      undefined,
    ],
    '.gitignore': ['base/two.yaml\n', '*.yaml\n!metallb.yaml\n', 'clusters/a/patch.yaml\nmore\n', undefined],
    '.sourceignore': ['flux.yaml\nbase/one.yaml\n', 'clusters/a/note.yaml\n', undefined],
  };
  const there = new Map<string, Entry>();
  const place = (file: string, entry: Entry) => {
    const path = join(folder, file);
    const old = there.get(file);
    there.set(file, entry);
    // What is written is written in place, as an editor may.
    const isText = (one: Entry) => typeof one === 'string' && one !== 'pipe' && one !== 'closed';
    if (!isText(old) || !isText(entry)) rmSync(path, { force: true });
    if (entry === undefined) return;
    mkdirSync(dirname(path), { recursive: true });
    if (entry === 'pipe') execFileSync('mkfifo', [path]);
    else if (typeof entry === 'object') symlinkSync(entry.link, path);
    else writeFileSync(path, entry === 'closed' ? '' : entry);
    if (entry === 'closed') chmodSync(path, 0);
  };
  type Random = ReturnType<typeof randomOf>;
  /** What was edited; nothing where it would have been no edit. */
  const edit = (random: Random): string[] => {
    const file = random.pick(Object.keys(entries)) as string;
    if (random.chance(0.1) && typeof there.get(file) === 'string' && !there.has('base/renamed.yaml')) {
      renameSync(join(folder, file), join(folder, 'base/renamed.yaml'));
      there.delete(file);
      there.set('base/renamed.yaml', 'renamed');
      return [`${file} is renamed`];
    }
    const entry = random.pick(entries[file] as Entry[]) as Entry;
    if (there.get(file) === entry) return [];
    place(file, entry);
    return [`${file}: ${JSON.stringify(entry)}`];
  };

  test.each([1, 2, 3].slice(0, amount(0.2, 3)))(
    'are reported as a cold check reports them, seed %i',
    async (seed) => {
      const random = randomOf(seed);
      there.clear();
      for (const file of Object.keys(files)) rmSync(join(folder, file));
      for (const [file, [first]] of Object.entries(entries).slice(0, 9)) place(file, first);
      execFileSync('git', ['init', '-q'], { cwd: folder });
      execFileSync('git', ['add', 'clusters', 'base/kustomization.yaml'], { cwd: folder });
      watching = new Watching('-v');
      let last = reportIn(await watching.round());
      const edits: string[] = [];
      for (let step = 0; step < amount(8, 150); step += 1) {
        const made = [...edit(random), ...(random.chance(0.3) ? edit(random) : [])];
        if (made.length === 0) continue;
        edits.push(...made);
        const { stdout: now, stderr, signal } = await runCli(['check', folder, '-v'], { seconds: 120 });
        // What git ignores may wake nobody, and need not.
        const round = now === last ? watching.round(3_000).catch(() => undefined) : watching.round();
        const said = await round;
        if (said) last = reportIn(said);
        const isSame = signal === null && last === now;
        expect({ edits, said: last }).toEqual({ edits, said: now, ...(!isSame && { signal, stderr }) });
      }
    },
    600_000,
  );
});
