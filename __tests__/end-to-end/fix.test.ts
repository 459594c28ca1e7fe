/**
 * Fixes: those that are offered for the fixtures of all rules, each made alone in a copy and checked again; and the command that
 * makes them. `fixes.json` lists them by fixture; UPDATE=1 with FULL=1 writes it anew.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { type Rewrite, writeAll } from '../../src/fix/write.js';
import { root } from '../support/cli.js';
import { edited, findingsIn, identity, type Reported, tally, withEdits } from '../support/fixes.js';
import { runHere } from '../support/here.js';
import { someOf } from '../support/sample.js';
import { configMap, createRepo, kustomization, removeRepo } from '../support/trees.js';

const full = process.env.FULL !== undefined;
const listing = join(root, '__tests__', 'end-to-end', 'fixes.json');
const listed = JSON.parse(readFileSync(listing, 'utf8')) as Record<string, string[]>;
const fixtures = join(root, '__tests__', 'rules');
const all = readdirSync(fixtures).flatMap((rule) =>
  readdirSync(join(fixtures, rule))
    .filter((name) => statSync(join(fixtures, rule, name)).isDirectory() && !name.endsWith('.base'))
    .map((name) => `${rule}/${name}`),
);
/** Without FULL a sample of those that have a fix, and whole rules that are what people meet first. */
const first = [
  ...['chart-owned-field/bad', 'kubectl-takeover/bad', 'unprotected-package/several', 'pruned-package/bad'],
  ...['ineffective-bundle-entry/not-optional', 'unreferenced-manifest/bad'],
];
const others = Object.keys(listed).filter((name) => !first.includes(name));
const cases = full ? all : [...first, ...someOf(others, 60)];
const offered = new Map<string, string[]>();

describe('every fix that is offered', () => {
  test.concurrent.each(cases)('%s', async (name) => {
    const repository = join(fixtures, name);
    const base = existsSync(`${repository}.base`) ? `${repository}.base` : undefined;
    const before = await findingsIn(repository, base);
    const fixable = before.filter((finding) => finding.fix);
    offered.set(
      name,
      fixable.map(({ rule, fix }) => `${rule}: ${fix?.title} (${fix?.safe ? 'safe' : 'unsafe'})`),
    );
    if (!process.env.UPDATE) expect(offered.get(name)).toEqual(listed[name] ?? []);
    for (const finding of fixable) await judge(repository, base, before, finding);
  });

  afterAll(() => {
    const lists = Object.fromEntries([...offered].filter(([, fixes]) => fixes.length > 0).sort());
    if (process.env.UPDATE && full) writeFileSync(listing, `${JSON.stringify(lists, null, 2)}\n`);
  });
});

/** git reads the difference as the command wrote it. */
describe('the difference that is printed is one that git applies', () => {
  const alone = cases.filter((name) => listed[name] && !existsSync(join(fixtures, `${name}.base`)));
  test.concurrent.each(alone)('%s', async (name) => {
    const [patched, written] = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'fixed-'))) as [string, string];
    try {
      for (const folder of [patched, written]) cpSync(join(fixtures, name), folder, { recursive: true });
      const { stdout } = await runHere(['fix', written, '--unsafe', '--no-color', '--quiet']);
      // Behind it stands what was done.
      const difference = stdout.replace(/^(?:fixed|nothing to fix|not fixed)\b[\s\S]*/m, '');
      execFileSync('git', ['apply', '-'], { cwd: patched, input: difference, stdio: 'pipe' });
      expect(filesIn(patched)).toEqual(filesIn(written));
      expect(filesIn(written)).not.toEqual(filesIn(join(fixtures, name)));
    } finally {
      for (const folder of [patched, written]) rmSync(folder, { recursive: true });
    }
  });
});

function filesIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    statSync(join(folder, file)).isFile(),
  );
  return Object.fromEntries(files.sort().map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

/** What can be said of an object only once it is of a version that is known. */
const uncovered: { readonly [rule: string]: readonly string[] } = { 'unserved-version': ['kind-not-installed'] };

/** The finding is gone, nothing worse than advice has come, and every file is still YAML. */
async function judge(repository: string, base: string | undefined, before: Reported[], finding: Reported) {
  const { title, edits } = finding.fix as NonNullable<Reported['fix']>;
  await withEdits(repository, edits, async (folder) => {
    for (const { file } of edits)
      for (const document of parseAllDocuments(readFileSync(join(folder, file), 'utf8')))
        expect((document as { errors: unknown[] }).errors).toEqual([]);
    const after = await findingsIn(folder, base);
    const [then, now] = [tally(before), tally(after)];
    const left = now.get(identity(finding)) ?? 0;
    const come = after.filter(
      (one) =>
        !(uncovered[finding.rule] ?? []).includes(one.rule) &&
        one.severity !== 'notice' &&
        (now.get(identity(one)) ?? 0) > (then.get(identity(one)) ?? 0),
    );
    expect({ title, left: left < (then.get(identity(finding)) ?? 0), come }).toEqual({ title, left: true, come: [] });
  });
}

const platform = (spec: string, annotations = '') => `apiVersion: cozystack.io/v1alpha1
kind: Package
metadata:
  name: cozystack.metallb
  annotations:
    kustomize.toolkit.fluxcd.io/prune: disabled${annotations}
spec:
${spec}`;

const listOf = (...resources: string[]) => kustomization({ resources });

async function fixed(files: Record<string, string>, ...args: string[]) {
  const folder = createRepo(files);
  try {
    const outcome = await runHere(['fix', folder, '--no-color', '--quiet', ...args]);
    return { ...outcome, after: filesIn(folder) };
  } finally {
    removeRepo(folder);
  }
}

describe('the command', () => {
  const misspelt = platform('  components:\n    metalb: # of ours\n      values: {}   # nothing yet\n');
  const owned = platform('  # asked for by the team\n  variant: oidc # for the dashboard\n  components: {}\n');

  test('makes what is safe, and leaves everything else as it is', async () => {
    const files = { 'kustomization.yaml': listOf('metallb.yaml'), 'metallb.yaml': misspelt };
    const { after, stdout, status } = await fixed(files);
    expect(after['metallb.yaml']).toBe(misspelt.replace('metalb:', 'metallb:'));
    expect(after['kustomization.yaml']).toBe(files['kustomization.yaml']);
    expect(stdout).toBe(
      [
        '--- a/metallb.yaml',
        '+++ b/metallb.yaml',
        '@@ -6,5 +6,5 @@',
        '     kustomize.toolkit.fluxcd.io/prune: disabled',
        ' spec:',
        '   components:',
        '-    metalb: # of ours',
        '+    metallb: # of ours',
        '       values: {}   # nothing yet',
        '',
        'fixed unknown-component in metallb.yaml: rename "metalb" to "metallb"',
        '',
      ].join('\n'),
    );
    expect(status).toBe(0);
  });

  test('gives a HelmRepository its type, which is safe', async () => {
    const repository =
      'apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\nmetadata: {name: charts, namespace: cozy-customizer}\n' +
      'spec:\n  interval: 10m\n  url: oci://registry.example.org/charts\n';
    const { after } = await fixed({ 'kustomization.yaml': listOf('charts.yaml'), 'charts.yaml': repository });
    expect(after['charts.yaml']).toBe(`${repository}  type: oci\n`);
  });

  test('colours the difference on a terminal', async () => {
    const folder = createRepo({ 'kustomization.yaml': listOf('metallb.yaml'), 'metallb.yaml': misspelt });
    const { stdout } = await runHere(['fix', folder, '--dry-run', '--quiet'], { isTTY: true });
    removeRepo(folder);
    const inColour = (code: number, line: string) => `\u001b[${code}m${line}\u001b[0m`;
    expect(stdout.split('\n').slice(0, 8)).toEqual([
      inColour(1, '--- a/metallb.yaml'),
      inColour(1, '+++ b/metallb.yaml'),
      inColour(36, '@@ -6,5 +6,5 @@'),
      '     kustomize.toolkit.fluxcd.io/prune: disabled',
      ' spec:',
      '   components:',
      inColour(31, '-    metalb: # of ours'),
      inColour(32, '+    metallb: # of ours'),
    ]);
  });

  test('does what is not safe only when it is asked to', async () => {
    const files = { 'kustomization.yaml': listOf('metallb.yaml'), 'metallb.yaml': owned };
    const careful = await fixed(files);
    expect(careful.stdout).toContain('nothing to fix without --unsafe');
    expect(careful.after['metallb.yaml']).toBe(owned);
    expect(careful.status).toBe(1);
    const { after, status } = await fixed(files, '--unsafe');
    expect(after['metallb.yaml']).toBe(owned.replace('  variant: oidc # for the dashboard\n', ''));
    expect(status).toBe(0);
  });

  test('writes nothing in a dry run, and says the same', async () => {
    const files = { 'kustomization.yaml': listOf('metallb.yaml'), 'metallb.yaml': misspelt };
    const { after, stdout, status } = await fixed(files, '--dry-run');
    expect(after['metallb.yaml']).toBe(misspelt);
    expect(stdout).toContain('+    metallb: # of ours\n');
    expect(stdout).toContain('would fix unknown-component in metallb.yaml');
    expect(status).toBe(0);
  });

  test('keeps the line ends of Windows, and a byte order mark', async () => {
    const windows = `\uFEFF${misspelt.replaceAll('\n', '\r\n')}`;
    const files = { 'kustomization.yaml': listOf('metallb.yaml'), 'metallb.yaml': windows };
    const { after } = await fixed(files);
    expect(after['metallb.yaml']).toBe(windows.replace('metalb:', 'metallb:'));
  });

  test('fixes one thing after the other where they are in each other’s way', async () => {
    const text = platform('  components: { metalb: { values: {} } }\n  variant: oidc\n').replace(
      'kustomize.toolkit.fluxcd.io/prune: disabled',
      'kustomize.toolkit.fluxcd.io/prun: disabled',
    );
    const files = { 'kustomization.yaml': listOf('metallb.yaml'), 'metallb.yaml': text };
    const { after, status } = await fixed(files, '--unsafe');
    expect(after['metallb.yaml']).toBe(platform('  components: { metallb: { values: {} } }\n'));
    expect(status).toBe(0);
  });

  test('is confined to the rules that are named', async () => {
    const text = owned.replace('components: {}', 'components: { metalb: {} }');
    const files = { 'kustomization.yaml': listOf('metallb.yaml'), 'metallb.yaml': text };
    const { after } = await fixed(files, '--unsafe', '--rule', 'unknown-component');
    expect(after['metallb.yaml']).toBe(text.replace('metalb:', 'metallb:'));
  });

  describe('with --rule reports those rules alone', () => {
    const text = owned.replace('components: {}', 'components: { metalb: {} }');
    const files = { 'kustomization.yaml': listOf('metallb.yaml'), 'metallb.yaml': text };
    const rulesIn = (stdout: string) =>
      [...stdout.matchAll(/^\S+: (?:error|warning|notice) ([a-z-]+) /gm)].map(([, id]) => id);

    test('of which nothing is left', async () => {
      const { stdout, status } = await fixed(files, '--rule', 'unknown-component');
      expect(rulesIn(stdout)).toEqual([]);
      expect(stdout).toMatch(/\nunknown-component: 0 findings left; 1 finding of other rules not shown\n$/);
      expect(status).toBe(0);
    });

    test('of which some are left', async () => {
      const { stdout, status } = await fixed(files, '--rule', 'chart-owned-field');
      expect(rulesIn(stdout)).toEqual(['chart-owned-field']);
      expect(stdout).toMatch(/^nothing to fix without --unsafe\n/);
      expect(stdout).toMatch(/\nchart-owned-field: 1 finding left; 1 finding of other rules not shown\n$/);
      expect(status).toBe(1);
    });

    test('of which there are several', async () => {
      const { stdout } = await fixed(files, '--unsafe', '--rule', 'chart-owned-field', '--rule', 'unknown-component');
      expect(stdout).toMatch(/\nchart-owned-field, unknown-component: 0 findings left\n$/);
    });

    test('and the fixes of others are not what needs --unsafe', async () => {
      const { stdout } = await fixed(files, '--rule', 'dead-patch');
      expect(stdout).toBe('nothing to fix\n\ndead-patch: 0 findings left; 2 findings of other rules not shown\n');
    });

    test.each([
      ['unknown-componet', 'unknown rule "unknown-componet"; did you mean "unknown-component"?'],
      ['nothing-like-any', 'unknown rule "nothing-like-any"; customizer-lint rules lists them'],
    ])('%s is no rule', async (id, words) => {
      const { status, stderr } = await fixed(files, '--rule', id);
      expect({ status, stderr }).toEqual({ status: 2, stderr: `customizer-lint: ${words}\n` });
    });
  });

  describe('says what it leaves', () => {
    const list = { 'kustomization.yaml': listOf('metallb.yaml') };
    const both = owned.replace('components: {}', 'components: { metalb: {} }');

    test('for --unsafe', async () => {
      const { stdout } = await fixed({ ...list, 'metallb.yaml': both });
      expect(stdout).toContain(
        '\nfixed unknown-component in metallb.yaml: rename "metalb" to "metallb"\n1 more finding has a fix that can change something else: fix --unsafe --dry-run shows it\n',
      );
      expect((await fixed({ ...list, 'metallb.yaml': both }, '--unsafe')).stdout).not.toContain(
        'can change something else',
      );
    });

    test('where that is all', async () => {
      const more = owned.replaceAll('metallb', 'reloader').replace('variant: oidc', 'variant: default');
      const files = {
        'kustomization.yaml': listOf('metallb.yaml', 'more.yaml'),
        'metallb.yaml': owned,
        'more.yaml': more,
      };
      const { stdout } = await fixed(files);
      expect(stdout.split('\n').slice(0, 3)).toEqual([
        'nothing to fix without --unsafe',
        '2 findings have a fix that can change something else: fix --unsafe --dry-run shows them',
        '',
      ]);
    });

    test('in a line for each finding, and all of it with --verbose', async () => {
      const folder = createRepo({ ...list, 'metallb.yaml': both });
      const brief = await runHere(['fix', folder, '--no-color', '--dry-run']);
      const full = await runHere(['fix', folder, '--no-color', '--dry-run', '--verbose']);
      removeRepo(folder);
      expect(brief.stdout).toMatch(/\nmetallb\.yaml:9:3: error chart-owned-field Package "cozystack\.metallb" sets /);
      expect(brief.stdout).toMatch(/\n\n1 error; customizer-lint rules ID explains a rule\n\n {2}rendered {2}1 object/);
      expect(brief.stdout).not.toContain('help:');
      expect(full.stdout).toMatch(/\nerror\[chart-owned-field\]: Package "cozystack\.metallb" sets [\s\S]*= help: /);
      expect(full.stdout).toContain('not run');
    });

    const shared = {
      'base/kustomization.yaml': listOf('metallb.yaml', 'more.yaml'),
      'base/metallb.yaml': misspelt,
      'base/more.yaml': misspelt.replaceAll('metallb', 'reloader').replace('metalb', 'reloadr'),
      'a/kustomization.yaml': kustomization({ resources: ['../base'] }),
    };
    const broken = kustomization({ resources: ['../base', 'missing.yaml'] });
    const without = kustomization({
      resources: ['../base'],
      patches: [{ patch: '[{"op":"remove","path":"/spec/components"}]', target: { kind: 'Package' } }],
    });
    const pathsOf = (...names: string[]) => names.flatMap((name) => ['--path', name]);

    test.each<[string, Record<string, string>, string[], string]>([
      [
        'what a directory reads that cannot be built',
        { ...shared, 'b/kustomization.yaml': broken },
        ['a', 'b'],
        '2 fixes are held back: b reads the same files and cannot be built',
      ],
      [
        'what several read',
        Object.assign({}, shared, ...['b', 'c', 'd', 'e'].map((name) => ({ [`${name}/kustomization.yaml`]: broken }))),
        ['a', 'b', 'c', 'd', 'e'],
        '2 fixes are held back: b, c and 2 more read the same files and cannot be built',
      ],
      [
        'what is right elsewhere',
        { ...shared, 'base/kustomization.yaml': listOf('metallb.yaml'), 'b/kustomization.yaml': without },
        ['a', 'b'],
        '1 fix is held back: b reads the same file and has no such finding',
      ],
      [
        'what is right in two others',
        { ...shared, 'b/kustomization.yaml': without, 'c/kustomization.yaml': without },
        ['a', 'b', 'c'],
        '2 fixes are held back: b and c read the same files and have no such finding',
      ],
    ])('because of others: %s', async (_, files, names, words) => {
      const { stdout, after } = await fixed(files, ...pathsOf(...names));
      expect(stdout.split('\n').slice(0, 2)).toEqual(['nothing to fix', words]);
      expect(after).toEqual(files);
    });
  });

  test('corrects a Package that is misspelt, and not the target that is right', async () => {
    const goldpinger = (name: string) =>
      platform('  components: {}\n').replace('cozystack.metallb', `cozystack.${name}`);
    const files = {
      'kustomization.yaml': kustomization({
        resources: ['goldpinger.yaml'],
        patches: [
          {
            patch: '[{"op":"add","path":"/spec/components","value":{}}]',
            target: { kind: 'Package', name: 'cozystack.goldpinger' },
          },
        ],
      }),
      'goldpinger.yaml': goldpinger('goldpingr'),
    };
    const { after, stdout } = await fixed(files, '--unsafe');
    expect(after).toEqual({ ...files, 'goldpinger.yaml': goldpinger('goldpinger') });
    expect(stdout.match(/^\+\+\+ .*/gm)).toEqual(['+++ b/goldpinger.yaml']);
  });

  test('leaves alone what somebody ignores', async () => {
    const text = owned.replace('# for the dashboard', '# customizer-lint ignore chart-owned-field -- agreed');
    const files = { 'kustomization.yaml': listOf('metallb.yaml'), 'metallb.yaml': text };
    const { after, stdout } = await fixed(files, '--unsafe');
    expect(after['metallb.yaml']).toBe(text);
    expect(stdout).toBe('nothing to fix\n');
  });

  test('hides in the difference what looks secret, not in the file', async () => {
    const secret = 'hunter2hunter2';
    const text = platform(`  components:\n    metalb:\n      values:\n        password: ${secret}\n`);
    const files = { 'kustomization.yaml': listOf('metallb.yaml'), 'metallb.yaml': text };
    const { after, stdout } = await fixed(files);
    expect(stdout).not.toContain(secret);
    expect(stdout).toContain('password: ');
    expect(after['metallb.yaml']).toBe(text.replace('metalb:', 'metallb:'));
  });

  test('names another component in the path of a JSON patch', async () => {
    const patched = (component: string) =>
      `resources: [metallb.yaml]\npatches:\n  - target: { kind: Package }\n    patch: |-\n      - op: add\n        path: /spec/components/${component}\n        value: {}\n`;
    const metallb = platform('  components: {}\n');
    const { after } = await fixed({ 'kustomization.yaml': patched('metalb'), 'metallb.yaml': metallb });
    expect(after).toEqual({ 'kustomization.yaml': patched('metallb'), 'metallb.yaml': metallb });
  });

  test('takes a value out of every file that writes it', async () => {
    const patch = (spec: string) =>
      `apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata:\n  name: cozystack.metallb\nspec:\n${spec}`;
    const files = {
      'kustomization.yaml': kustomization({ resources: ['metallb.yaml'], patches: [{ path: 'patch.yaml' }] }),
      'metallb.yaml': platform('  variant: default\n  components: {}\n'),
      'patch.yaml': patch('  variant: oidc\n  components: {}\n'),
    };
    const { after } = await fixed(files, '--unsafe');
    expect(after['metallb.yaml']).toBe(platform('  components: {}\n'));
    expect(after['patch.yaml']).toBe(patch('  components: {}\n'));
  });

  describe('brings back what a change has taken out', () => {
    const text = platform('  components: {}\n');
    const note = { 'note.yaml': configMap('note') };
    const since = async (base: Record<string, string>, head: Record<string, string>) => {
      const folder = createRepo(base);
      try {
        return (await fixed(head, '--unsafe', '--base', folder)).after;
      } finally {
        removeRepo(folder);
      }
    };

    test('of a folder that Flux takes all files of', async () => {
      const apply = [
        ...['apiVersion: kustomize.toolkit.fluxcd.io/v1', 'kind: Kustomization'],
        'metadata: {name: apps, namespace: cozy-system}',
        'spec: {interval: 5m, path: ./apps, prune: true, sourceRef: {kind: GitRepository, name: fleet}}',
      ];
      const head = { 'flux/apps.yaml': `${apply.join('\n')}\n`, 'apps/note.yaml': configMap('note') };
      const base = { ...head, 'apps/metallb.yaml': text.replace('prune: disabled', 'ssa: Merge') };
      expect(await since(base, head)).toEqual({
        ...base,
        'apps/metallb.yaml': text.replace(
          'prune: disabled',
          'ssa: Merge\n    kustomize.toolkit.fluxcd.io/prune: disabled',
        ),
      });
    });

    test('as the last document of a file that has others', async () => {
      const list = { 'kustomization.yaml': listOf('all.yaml') };
      const [own, other] = [platform('  variant: oidc\n'), `${configMap('a')}\n`];
      const head = { ...list, 'all.yaml': other };
      expect(await since({ ...list, 'all.yaml': `${own}---\n${other}` }, head)).toEqual({
        ...list,
        'all.yaml': `${other}---\n${own.slice(0, own.indexOf('spec:'))}`,
      });
    });

    test('in its place, where the manifest is still there and nobody lists it', async () => {
      const tuned = text.replace('components: {}', 'components: { metallb: { values: { a: 1 } } }');
      const base = {
        ...note,
        'kustomization.yaml': 'resources:\n- note.yaml\n- metallb.yaml\n',
        'metallb.yaml': tuned,
      };
      expect(await since(base, { ...base, 'kustomization.yaml': 'resources:\n- note.yaml\n' })).toEqual({
        ...base,
        'metallb.yaml': tuned.slice(0, tuned.indexOf('spec:')),
      });
    });
  });

  test('is in the help, and refuses what is not its own', async () => {
    expect((await runHere(['fix', '--help'])).stdout).toContain('Usage: customizer-lint fix [DIR] [options]');
    const { status, stderr } = await runHere(['fix', '--format', 'json']);
    expect([status, stderr]).toEqual([2, 'customizer-lint: --format is not an option of fix\n']);
    expect((await runHere(['check', '--unsafe'])).stderr).toBe('customizer-lint: --unsafe is not an option of check\n');
  });
});

describe('what is shared, or not certain, is left alone', () => {
  const both = { 'a/kustomization.yaml': kustomization({ resources: ['../base'] }) };
  const base = { 'base/kustomization.yaml': listOf('metallb.yaml') };
  const owned = platform('  variant: oidc\n  components: {}\n');

  test.each([
    [
      'a base that another entrypoint reads, where the finding is not',
      {
        ...both,
        ...base,
        'base/metallb.yaml': owned,
        'b/kustomization.yaml': kustomization({
          resources: ['../base'],
          patches: [{ patch: '[{"op":"remove","path":"/spec/variant"}]', target: { kind: 'Package' } }],
        }),
      },
      ['--path', 'a', '--path', 'b'],
    ],
    [
      'an anchor',
      {
        'kustomization.yaml': listOf('metallb.yaml'),
        'metallb.yaml': platform('  variant: &same oidc\n  components:\n    metallb:\n      values: { of: *same }\n'),
      },
      [],
    ],
    [
      'a value that a patch overrides from another file, with a prefix of kustomize',
      {
        'kustomization.yaml': kustomization({ resources: ['metallb.yaml'], namePrefix: 'edge-' }),
        'metallb.yaml': platform('  components: {}\n'),
      },
      [],
    ],
    [
      'a file that is longer than a fix is worth',
      {
        'kustomization.yaml': listOf('metallb.yaml'),
        'metallb.yaml': `${platform('  variant: oidc\n  components: {}\n')}#${' '.repeat(2 << 20)}\n`,
      },
      [],
    ],
    [
      'a manifest without a namespace that is deployed twice, once into one',
      {
        '.customizer-lint.yaml': 'cluster: {release: v1.6.2, variant: isp-full, ownedNamespaces: [mine]}\n',
        'kustomization.yaml': kustomization({ resources: ['one', 'two'] }),
        'one/kustomization.yaml': kustomization({ resources: ['../base'], nameSuffix: '-one' }),
        'two/kustomization.yaml': kustomization({ resources: ['../base'], nameSuffix: '-two', namespace: 'mine' }),
        'base/kustomization.yaml': listOf('a.yaml'),
        'base/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n',
      },
      [],
    ],
  ])('%s', async (_, files, args) => {
    const { after, stdout } = await fixed(files, '--unsafe', ...args);
    expect(stdout).toContain('nothing to fix');
    expect(after).toEqual(files);
  });

  test('a base that another entrypoint reads, whichever of them is the first', async () => {
    const files = {
      ...base,
      'a/kustomization.yaml': kustomization({
        resources: ['../base'],
        patches: [{ patch: '[{"op":"remove","path":"/spec/variant"}]', target: { kind: 'Package' } }],
      }),
      'b/kustomization.yaml': kustomization({ resources: ['../base'] }),
      'base/metallb.yaml': owned,
    };
    const { after, stdout } = await fixed(files, '--unsafe', '--path', 'a', '--path', 'b');
    expect(stdout).toContain('nothing to fix');
    expect(after).toEqual(files);
  });

  test('a base that every reader has the finding in is edited', async () => {
    const files = {
      ...both,
      ...base,
      'base/metallb.yaml': owned,
      'b/kustomization.yaml': kustomization({ resources: ['../base'] }),
    };
    const { after } = await fixed(files, '--unsafe', '--path', 'a', '--path', 'b');
    expect(after['base/metallb.yaml']).toBe(platform('  components: {}\n'));
  });

  test('an edit in the text of a patch keeps its block', async () => {
    const patch = (line: string) =>
      `resources: [metallb.yaml]\npatches:\n  - target: { kind: Package }\n    patch: |-\n      # ours\n      apiVersion: cozystack.io/v1alpha1\n      kind: Package\n      metadata:\n        name: cozystack.metallb\n      spec:\n${line}        components: {}\n`;
    const files = {
      'kustomization.yaml': patch('        variant: oidc\n'),
      'metallb.yaml': platform('  components: {}\n'),
    };
    const { after } = await fixed(files, '--unsafe');
    expect(after['kustomization.yaml']).toBe(patch(''));
    // A line break of old Macs within a line is one to the engine, and to nobody else: such a file is left alone.
    const comment = '        # one\r        # two\n';
    const odd = { ...files, 'kustomization.yaml': patch(`        variant: oidc\n${comment}`) };
    expect((await fixed(odd, '--unsafe')).after['kustomization.yaml']).toBe(odd['kustomization.yaml']);
  });
});

describe('writing', () => {
  const folders: string[] = [];
  afterAll(() => folders.forEach(removeRepo));
  const repository = (files: Parameters<typeof createRepo>[0]) => {
    const folder = createRepo(files);
    folders.push(folder);
    return folder;
  };
  const bytes = (text: string) => new TextEncoder().encode(text);
  const rewrite = (file: string, before: string | undefined, after: string): Rewrite => ({
    file,
    before: before === undefined ? undefined : bytes(before),
    after,
  });

  test('keeps the permissions, and makes what is new', () => {
    const folder = repository({ 'a.yaml': 'a' });
    chmodSync(join(folder, 'a.yaml'), 0o640);
    writeAll(folder, [rewrite('a.yaml', 'a', 'b'), rewrite('new/c.yaml', undefined, 'c')]);
    expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toBe('b');
    expect(statSync(join(folder, 'a.yaml')).mode & 0o777).toBe(0o640);
    expect(readFileSync(join(folder, 'new/c.yaml'), 'utf8')).toBe('c');
    expect(readdirSync(folder).sort()).toEqual(['a.yaml', 'new']);
  });

  test.each<[string, Parameters<typeof createRepo>[0], Rewrite, string]>([
    [
      'a file that was changed meanwhile',
      { 'b.yaml': 'theirs' },
      rewrite('b.yaml', 'b', 'c'),
      'changed by somebody else',
    ],
    ['a file that is gone', {}, rewrite('b.yaml', 'b', 'c'), 'changed by somebody else'],
    [
      'a new file that is there already',
      { 'b.yaml': 'x' },
      rewrite('b.yaml', undefined, 'c'),
      'changed by somebody else',
    ],
    ['a link', { 'b.yaml': { link: 'a.yaml' } }, rewrite('b.yaml', 'a', 'c'), 'changed by somebody else'],
    ['a folder', { 'b.yaml': { directory: true } }, rewrite('b.yaml', 'a', 'c'), 'changed by somebody else'],
  ])('refuses %s, and then writes nothing at all', (_, files, second, words) => {
    const folder = repository({ 'a.yaml': 'a', ...files });
    expect(() => writeAll(folder, [rewrite('a.yaml', 'a', 'changed'), second])).toThrow(words);
    expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toBe('a');
  });

  test('refuses a folder that has become a link', () => {
    const [folder, outside] = [repository({ 'a.yaml': 'a' }), repository({ 'b.yaml': 'b' })];
    symlinkSync(outside, join(folder, 'more'));
    for (const before of ['b', undefined])
      expect(() => writeAll(folder, [rewrite('more/b.yaml', before, 'c')])).toThrow('behind a symbolic link');
    expect(readFileSync(join(outside, 'b.yaml'), 'utf8')).toBe('b');
    mkdirSync(join(folder, 'kept'));
    expect(() => writeAll(folder, [rewrite('../b.yaml', undefined, 'c')])).toThrow();
  });
});

test('the code that tests make fixes with does as it says', () => {
  const at = (line: number, column: number, endLine: number, endColumn: number, text: string) => ({
    ...{ file: 'a', line, column, endLine, endColumn },
    text,
  });
  expect(edited('a\nb\nc\n', [at(2, 1, 3, 1, ''), at(1, 1, 1, 2, 'x')])).toBe('x\nc\n');
  expect(edited('a', [at(1, 2, 1, 2, '\nb')])).toBe('a\nb');
  expect(() => edited('abc', [at(1, 1, 1, 3, ''), at(1, 2, 1, 3, '')])).toThrow('over another');
});
