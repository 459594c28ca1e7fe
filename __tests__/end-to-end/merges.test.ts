/** Harm that only the merge of a pull request has, by the shape of the history that hides it from the head alone. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { Branches, type Changes } from '../support/branches.js';
import { runHere } from '../support/here.js';
import { runActionHere } from '../support/job.js'; // first: it takes the place of the engines
import type { ActionRun } from '../support/runner.js';
import { configMap, kustomization } from '../support/trees.js';
import { packageText, Site, wrong as wrongPackage } from './pull-requests/site.js';

let made: Branches | undefined;
afterEach(() => {
  made?.close();
  made = undefined;
});

const listed = (...resources: string[]) => kustomization({ resources });
const wrong = (name: string) => configMap(name).replace('"data"', '"datum"');
const namespace = (name: string) => `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${name}}\n`;
const packageOf = (spec: string) =>
  `apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata:\n  name: cozystack.metallb\n  annotations: {kustomize.toolkit.fluxcd.io/ssa: Merge, kustomize.toolkit.fluxcd.io/prune: disabled}\nspec:\n${spec}  components: {}\n`;
const flux = (name: string, path: string) =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}, namespace: flux-system}\nspec:\n  path: ${path}\n  prune: true\n  interval: 5m\n  sourceRef: {kind: GitRepository, name: flux-system}\n`;

const start: Changes = {
  '.customizer-lint.yaml':
    'cluster: {release: v1.6.2, variant: isp-full}\nrules: {schema-violation: error, pruned-namespace: error}\n',
  'kustomization.yaml': listed('a.yaml'),
  'a.yaml': configMap('a'),
};

/** The action on the merge of a branch into another, as GitHub starts it. */
async function judge(made: Branches): Promise<ActionRun> {
  const merge = made.checkOutMerge('topic');
  return runActionHere(made.folder, {}, made.event('topic'), { GITHUB_SHA: merge });
}

/** The exit status, and the files that new errors are in. */
function verdict({ status, annotations, outputs }: ActionRun) {
  const files = annotations.flatMap(({ command, properties, message }) =>
    command === 'error' ? [properties.file ?? message.split(':')[0]] : [],
  );
  return { status, verdict: outputs.verdict, files };
}
const red = (...files: unknown[]) => ({ status: 1, verdict: 'findings', files });
const green = { status: 0, verdict: 'clean', files: [] };

describe('a branch that is older than what applies its directory', () => {
  type Shape = [string, { before?: Changes; mine: (text: string) => Changes; theirs: Changes; file: string }];
  const shapes: Shape[] = [
    [
      'edits a file of a directory that the base branch lists now',
      {
        before: { 'apps/kustomization.yaml': listed('b.yaml'), 'apps/b.yaml': configMap('b') },
        mine: (text) => ({ 'apps/b.yaml': text }),
        theirs: { 'kustomization.yaml': listed('a.yaml', 'apps') },
        file: 'apps/b.yaml',
      },
    ],
    [
      'adds a directory that the base branch lists now',
      {
        mine: (text) => ({ 'apps/kustomization.yaml': listed('b.yaml'), 'apps/b.yaml': text }),
        theirs: { 'kustomization.yaml': listed('a.yaml', 'apps') },
        file: 'apps/b.yaml',
      },
    ],
    [
      'edits a file that the base branch lists now',
      {
        before: { 'docs/b.yaml': configMap('b') },
        mine: (text) => ({ 'docs/b.yaml': text }),
        theirs: { 'kustomization.yaml': listed('a.yaml', 'docs/b.yaml') },
        file: 'docs/b.yaml',
      },
    ],
    [
      'adds a file to a directory that a Flux Kustomization of the base branch applies now',
      {
        before: {
          'kustomization.yaml': null,
          'clusters/prod/a.yaml': flux('one', './one'),
          'one/a.yaml': configMap('a'),
        },
        mine: (text) => ({ 'two/b.yaml': text }),
        theirs: { 'clusters/prod/b.yaml': flux('two', './two') },
        file: 'two/b.yaml',
      },
    ],
  ];

  test.each(shapes.flatMap(([title, shape]) => [[title, 'harm', shape] as const, [title, 'no harm', shape] as const]))(
    '%s, with %s',
    async (_, what, { before = {}, mine, theirs, file }) => {
      made = new Branches({ ...start, ...before });
      made.branch('topic', 'main', mine(what === 'harm' ? wrong('b') : configMap('b', { c: 'd' })));
      made.on('main', theirs);
      expect(verdict(await judge(made))).toEqual(what === 'harm' ? red(file) : green);
    },
  );
});

describe('a criss-cross merge', () => {
  /** The base branch changes `fixed`; the author merges it with an older topic branch of it and makes `kept` of that. */
  type Shape = [string, { before: Changes; fixed: Changes; kept: Changes; harmless: Changes; file: unknown }];
  const shapes: Shape[] = [
    [
      'keeps the old text of a file that the base branch has corrected',
      {
        before: { 'a.yaml': wrong('a') },
        fixed: { 'a.yaml': configMap('a') },
        kept: { 'a.yaml': wrong('a') },
        harmless: { 'a.yaml': configMap('a', { c: 'd' }) },
        file: 'a.yaml',
      },
    ],
    [
      'leaves out an object that the base branch has added',
      {
        before: {},
        fixed: { 'kustomization.yaml': listed('a.yaml', 'n.yaml'), 'n.yaml': namespace('cozy-customizer') },
        kept: { 'kustomization.yaml': listed('a.yaml'), 'n.yaml': null },
        harmless: { 'kustomization.yaml': listed('n.yaml', 'a.yaml') },
        file: expect.stringContaining('Namespace "cozy-customizer"'),
      },
    ],
    [
      'keeps a variant that the base branch has removed',
      {
        before: { 'kustomization.yaml': listed('p.yaml'), 'p.yaml': packageOf('  variant: oidc\n') },
        fixed: { 'p.yaml': packageOf('') },
        kept: { 'p.yaml': packageOf('  variant: oidc\n') },
        harmless: { 'p.yaml': `# remark\n${packageOf('')}` },
        file: 'p.yaml',
      },
    ],
    [
      'lists a file again that the base branch does not list any more',
      {
        before: { 'kustomization.yaml': listed('a.yaml', 'b.yaml'), 'b.yaml': wrong('b') },
        fixed: { 'kustomization.yaml': listed('a.yaml') },
        kept: { 'kustomization.yaml': listed('a.yaml', 'b.yaml') },
        harmless: { 'b.yaml': configMap('b') },
        file: 'b.yaml',
      },
    ],
  ];

  test.each(shapes.flatMap(([title, shape]) => [[title, 'harm', shape] as const, [title, 'no harm', shape] as const]))(
    '%s, with %s',
    async (_, what, { before, fixed, kept, harmless, file }) => {
      made = new Branches({ ...start, ...before });
      const one = made.branch('other', 'main', { 'other.md': 'other\n' });
      const two = made.on('main', fixed);
      made.merge('main', one, { 'other.md': 'other\n' });
      made.git('checkout', '-q', '-b', 'topic', two);
      made.merge('topic', one, { 'other.md': 'other\n', ...(what === 'harm' ? kept : harmless) });
      expect(made.git('merge-base', '--all', 'main', 'topic').split('\n').sort()).toEqual([one, two].sort());
      expect(verdict(await judge(made))).toEqual(what === 'harm' ? red(file) : green);
    },
  );
});

describe('a deletion on one side and a use on the other', () => {
  const patchOf = (name: string) => configMap(name, { patched: 'yes' });
  type Shape = [
    string,
    { before: Changes; deletion: Changes; harmless: Changes; use: Changes; isMine: boolean; file: unknown },
  ];
  const folder = { 'part/kustomization.yaml': listed('p.yaml'), 'part/p.yaml': configMap('p') };
  const noFolder = { 'part/kustomization.yaml': null, 'part/p.yaml': null };
  const object = {
    'kustomization.yaml': listed('a.yaml', 'part'),
    'part/kustomization.yaml': listed('p.yaml', 'q.yaml'),
    'part/p.yaml': configMap('p'),
    'part/q.yaml': configMap('q'),
  };
  const noObject = { 'part/kustomization.yaml': listed('p.yaml'), 'part/q.yaml': null };
  const patched = {
    'kustomization.yaml': kustomization({ resources: ['a.yaml', 'part'], patches: [{ path: 'patch.yaml' }] }),
    'patch.yaml': patchOf('q'),
  };
  const shapes: Shape[] = [
    [
      'of a directory that the base branch lists now',
      {
        before: folder,
        deletion: noFolder,
        harmless: { 'note.md': 'x' },
        use: { 'kustomization.yaml': listed('a.yaml', 'part') },
        isMine: true,
        file: expect.stringContaining('"part" does not exist (kustomization.yaml'),
      },
    ],
    [
      'of a directory of the base branch that the head lists now',
      {
        before: folder,
        deletion: noFolder,
        harmless: { 'note.md': 'x' },
        use: { 'kustomization.yaml': listed('a.yaml', 'part') },
        isMine: false,
        file: 'kustomization.yaml',
      },
    ],
    [
      'of an object that the base branch patches now',
      {
        before: object,
        deletion: noObject,
        harmless: { 'part/q.yaml': configMap('q', { c: 'd' }) },
        use: patched,
        isMine: true,
        file: expect.stringContaining('which this kustomization.yaml does not render (kustomization.yaml'),
      },
    ],
    [
      'of an object of the base branch that the head patches now',
      {
        before: object,
        deletion: noObject,
        harmless: { 'part/q.yaml': configMap('q', { c: 'd' }) },
        use: patched,
        isMine: false,
        file: 'kustomization.yaml',
      },
    ],
  ];

  test.each(shapes.flatMap(([title, shape]) => [[title, 'harm', shape] as const, [title, 'no harm', shape] as const]))(
    '%s, with %s',
    async (_, what, { before, deletion, harmless, use, isMine, file }) => {
      made = new Branches({ ...start, ...before });
      const changed = what === 'harm' ? deletion : harmless;
      made.branch('topic', 'main', isMine ? changed : use);
      made.on('main', isMine ? use : changed);
      expect(verdict(await judge(made))).toEqual(what === 'harm' ? red(file) : green);
    },
  );
});

describe('a pull request that is retargeted', () => {
  type Shape = [string, { before?: Changes; harm: Changes; harmless: Changes; file: unknown }];
  const shapes: Shape[] = [
    [
      'brings a wrong object of the branch before',
      { harm: { 'a.yaml': wrong('a') }, harmless: { 'a.yaml': configMap('a', { c: 'd' }) }, file: 'a.yaml' },
    ],
    [
      'brings a wrong file of the branch before',
      {
        harm: { 'kustomization.yaml': listed('a.yaml', 'b.yaml'), 'b.yaml': wrong('b') },
        harmless: { 'kustomization.yaml': listed('a.yaml', 'b.yaml'), 'b.yaml': configMap('b') },
        file: 'b.yaml',
      },
    ],
    [
      'brings a variant of the branch before',
      {
        before: { 'kustomization.yaml': listed('p.yaml'), 'p.yaml': packageOf('') },
        harm: { 'p.yaml': packageOf('  variant: oidc\n') },
        harmless: { 'p.yaml': `# remark\n${packageOf('')}` },
        file: 'p.yaml',
      },
    ],
    [
      'brings a deletion of the branch before',
      {
        before: { 'kustomization.yaml': listed('a.yaml', 'n.yaml'), 'n.yaml': namespace('cozy-customizer') },
        harm: { 'kustomization.yaml': listed('a.yaml'), 'n.yaml': null },
        harmless: { 'kustomization.yaml': listed('n.yaml', 'a.yaml') },
        file: expect.stringContaining('Namespace "cozy-customizer"'),
      },
    ],
  ];

  test.each(shapes.flatMap(([title, shape]) => [[title, 'harm', shape] as const, [title, 'no harm', shape] as const]))(
    '%s, with %s',
    async (_, what, { before = {}, harm, harmless, file }) => {
      made = new Branches({ ...start, ...before });
      made.branch('old', 'main', what === 'harm' ? harm : harmless);
      made.branch('topic', 'old', { 'note.md': 'x' });
      made.on('main', { 'other.md': 'x' });
      // The event still names the merge with the branch before.
      const merge = made.checkOutMerge('topic', 'old');
      const more = { action: 'edited', changes: { base: { ref: { from: 'old' }, sha: { from: made.tip('old') } } } };
      const run = await runActionHere(made.folder, {}, made.event('topic', 'main', { more }), { GITHUB_SHA: merge });
      expect(verdict(run)).toEqual(what === 'harm' ? red(file) : green);
    },
  );
});

describe('a pull request without a merge', () => {
  /** Both sides change `conflict.md`. */
  async function judgeConflict(before: Changes, mine: Changes, theirs: Changes, from = 'main') {
    made = new Branches({ ...start, 'conflict.md': 'a\n', ...before });
    made.branch('topic', from, { 'conflict.md': 'mine\n', ...mine });
    made.on('main', { 'conflict.md': 'theirs\n', ...theirs });
    made.git('checkout', '-q', 'topic');
    return runActionHere(made.folder, {}, made.event('topic'), { GITHUB_SHA: made.tip('main') });
  }

  test('is compared with what both share, and the report names the head', async () => {
    const run = await judgeConflict({}, { 'a.yaml': wrong('a') }, {});
    expect(verdict(run)).toEqual(red('a.yaml'));
    expect(run.log).toContain(`without a merge: the head ${made?.tip('topic').slice(0, 12)} is judged`);
  });

  test('is red for a mistake that the base branch has corrected since', async () => {
    const run = await judgeConflict({ 'a.yaml': wrong('a') }, { 'note.md': 'x' }, { 'a.yaml': configMap('a') });
    expect(verdict(run)).toEqual(red('a.yaml'));
  });

  test('is green for a mistake that the base branch still has', async () => {
    const run = await judgeConflict({ 'a.yaml': wrong('a') }, { 'note.md': 'x' }, { 'other.md': 'x' });
    expect(verdict(run)).toMatchObject({ status: 0, verdict: 'clean' });
  });

  test('is not red for what the base branch has gained', async () => {
    const gained = { 'kustomization.yaml': listed('a.yaml', 'n.yaml'), 'n.yaml': namespace('cozy-customizer') };
    const run = await judgeConflict({ 'a.yaml': wrong('a') }, { 'note.md': 'x' }, gained);
    expect(verdict(run)).toMatchObject({ status: 0, verdict: 'clean' });
  });
});

describe('check --base', () => {
  const check = (folder: string) => runHere(['check', folder, '--base', 'main', '--only-new', '--simulate']);

  test('reports if the revision has moved on, and how many files both sides have changed', async () => {
    made = new Branches(start);
    made.branch('topic', 'main', { 'a.yaml': configMap('a', { c: 'd' }), 'note.md': 'x' });
    made.on('main', { 'a.yaml': configMap('a', { e: 'f' }), 'other.md': 'x' });
    made.git('checkout', '-q', 'topic');
    const { status, stdout } = await check(made.folder);
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining('not merged with main; 1 file changed on both sides'),
    ]);
    made.git('checkout', '-q', 'main');
    expect((await check(made.folder)).stdout).not.toContain('not merged');
  });

  test('ends with status 2 if neither side has anything that Flux applies', async () => {
    made = new Branches({ 'README.md': 'x' });
    made.branch('topic', 'main', { 'note.md': 'x' });
    const { status, stderr } = await check(made.folder);
    expect([status, stderr]).toEqual([2, expect.stringContaining('nothing that Flux applies was found')]);
  });

  test('is red for a mistake that the revision has corrected since the branch was cut', async () => {
    made = new Branches({ ...start, 'a.yaml': wrong('a') });
    made.branch('topic', 'main', { 'note.md': 'x' });
    made.on('main', { 'other.md': 'x' });
    made.git('checkout', '-q', 'topic');
    expect((await check(made.folder)).status).toBe(0);
    made.on('main', { 'a.yaml': configMap('a') });
    made.git('checkout', '-q', 'topic');
    expect((await check(made.folder)).status).toBe(1);
  });

  test.each([
    ['keeps a mistake that one merge base has', { 'a.yaml': wrong('a') }, {}, 1],
    [
      'leaves out an object that one merge base has',
      { 'kustomization.yaml': listed('a.yaml'), 'n.yaml': null },
      { 'kustomization.yaml': listed('a.yaml', 'n.yaml'), 'n.yaml': namespace('cozy-customizer') },
      1,
    ],
    ['changes nothing that counts', { 'note.md': 'x' }, {}, 0],
  ] as [string, Changes, Changes, number][])('a criss-cross merge that %s', async (_, kept, added, status) => {
    made = new Branches({ ...start, 'a.yaml': wrong('a') });
    const one = made.branch('other', 'main', { 'other.md': 'other\n' });
    const two = made.on('main', { 'a.yaml': configMap('a'), ...added });
    made.merge('main', one, { 'other.md': 'other\n' });
    made.git('checkout', '-q', '-b', 'topic', two);
    made.merge('topic', one, { 'other.md': 'other\n', ...kept });
    expect((await check(made.folder)).status).toBe(status);
  });
});

describe('a comment on a merge', () => {
  test('is on the line of the head, though the merge has more lines above it', async () => {
    const site = await Site.open();
    try {
      await site.fake.mergeBaseForward({ 'metallb.yaml': `# new\n# newer\n${packageText('metallb')}` });
      const run = await site.run('moved lines', { status: 1, comments: ['metallb.yaml:17'] });
      expect(run.log).toContain('metallb.yaml:17:');
      expect(run.log).not.toContain('metallb.yaml:19:');
      expect(wrongPackage('metallb').split('\n')[16]).toContain('variant: oidc');
      expect(site.problems()).toEqual([]);
    } finally {
      await site.close();
    }
  });

  test('is an annotation for a file that the pull request does not change', async () => {
    const site = await Site.open({ base: { 'more.yaml': packageText('linstor') }, changes: { 'more.yaml': null } });
    try {
      const resources = ['metallb.yaml', 'cert-manager.yaml', 'monitoring.yaml', 'more.yaml'];
      await site.fake.mergeBaseForward({ 'kustomization.yaml': kustomization({ resources }) });
      const run = await site.run('other file', { status: 1, comments: [] });
      const errors = run.annotations.filter(({ command }) => command === 'error');
      expect(errors.map(({ properties, message }) => [properties.file, message])).toEqual([
        [undefined, expect.stringContaining('(kustomization.yaml:1; as merged with the base branch)')],
      ]);
    } finally {
      await site.close();
    }
  });
});
