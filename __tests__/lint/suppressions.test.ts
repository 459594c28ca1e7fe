/** What an ignore hides: in the configuration, and as a comment. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { defaults } from '../../src/config/config.js';
import type { Finding, ObjectRef } from '../../src/core/model.js';
import { commentsOf, Suppressions } from '../../src/lint/suppressions.js';
import { openWorkTree } from '../../src/tree/tree.js';
import { createRepo, type Files, removeRepo } from '../support/trees.js';

const planted: string[] = [];
afterAll(() => planted.forEach(removeRepo));

const today = '2026-11-23';
const rules = ['dead-patch', 'duplicate-key'];

type Seen = { file?: string; line?: number; rule?: string; object?: ObjectRef; revision?: 'head' | 'base' };
function finding({ file = 'a.yaml', line = 1, rule = 'dead-patch', object, revision = 'head' }: Seen): Finding {
  const at = { line, column: 1 };
  return {
    ...{ rule, severity: 'error', message: '', precision: 'exact', field: [], related: [], entrypoints: [] },
    ...{ at: { revision, file, range: { start: at, end: at } }, fingerprint: '', assumes: [] },
    ...(object && { object }),
  };
}

type Configured = { rule: string; reason?: string; paths?: string[]; object?: string; expires?: string };
async function ignores(files: Files, configured: Configured[] = []) {
  const folder = createRepo(files);
  planted.push(folder);
  const tree = await openWorkTree(folder);
  const all = configured.map(({ reason = 'because', ...one }) => ({ ...one, reason }));
  const config = { ...defaults(), ignores: all };
  return new Suppressions({ config, tree, files: new Set(tree.files), today, rules, isOfTree: true });
}

const comment = '# customizer-lint ignore dead-patch -- tried out\n';

describe('a comment hides', () => {
  test.each<[string, Files, Seen, boolean]>([
    ['its own line', { 'a.yaml': comment }, { line: 1 }, true],
    ['the line below', { 'a.yaml': comment }, { line: 2 }, true],
    ['not the second line below', { 'a.yaml': comment }, { line: 3 }, false],
    ['not the line above', { 'a.yaml': `a: b\n${comment}` }, { line: 1 }, false],
    ['not that line of another file', { 'b.yaml': comment, 'a.yaml': 'a: b\n' }, { line: 2 }, false],
    ['not another rule', { 'a.yaml': comment }, { line: 2, rule: 'duplicate-key' }, false],
    ['nothing of another revision', { 'a.yaml': comment }, { line: 2, revision: 'base' }, false],
    ['nothing after its day', { 'a.yaml': comment.replace('out', 'out (until 2026-11-22)') }, { line: 2 }, false],
    ['all on its last day', { 'a.yaml': comment.replace('out', 'out (until 2026-11-23)') }, { line: 2 }, true],
  ])('%s', async (_, files, seen, expected) => {
    const { findings, ignored } = (await ignores(files)).apply([finding(seen)]);
    expect({ kept: findings.length, ignored: ignored.map(({ reason }) => reason) }).toEqual(
      expected ? { kept: 0, ignored: ['tried out'] } : { kept: 1, ignored: [] },
    );
  });
});

describe('an entry of the configuration hides', () => {
  const portal = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'portal', name: 'settings' };
  test.each<[string, Configured, Seen, boolean]>([
    ['its rule', { rule: 'dead-patch' }, {}, true],
    ['no other', { rule: 'duplicate-key' }, {}, false],
    ['its file', { rule: 'dead-patch', paths: ['b.yaml', 'apps/**'] }, { file: 'apps/x/a.yaml' }, true],
    ['a file with a dot', { rule: 'dead-patch', paths: ['apps/*'] }, { file: 'apps/.a.yaml' }, true],
    ['no other file', { rule: 'dead-patch', paths: ['apps/**'] }, { file: 'infra/apps/a.yaml' }, false],
    ['its object', { rule: 'dead-patch', object: 'ConfigMap/settings' }, { object: portal }, true],
    [
      'its object of a namespace',
      { rule: 'dead-patch', object: 'ConfigMap/portal/settings' },
      { object: portal },
      true,
    ],
    ['not that of another', { rule: 'dead-patch', object: 'ConfigMap/shop/settings' }, { object: portal }, false],
    ['not another kind', { rule: 'dead-patch', object: 'Secret/settings' }, { object: portal }, false],
    ['nothing that is of no object', { rule: 'dead-patch', object: 'ConfigMap/settings' }, {}, false],
    [
      'one object in one file',
      { rule: 'dead-patch', object: 'ConfigMap/settings', paths: ['b.yaml'] },
      { object: portal },
      false,
    ],
    ['all on its last day', { rule: 'dead-patch', expires: today }, {}, true],
    ['nothing after that', { rule: 'dead-patch', expires: '2026-11-22' }, {}, false],
    ['what is of the base', { rule: 'dead-patch' }, { revision: 'base' }, true],
  ])('%s', async (_, configured, seen, expected) => {
    const all = await ignores({ 'a.yaml': 'a: b\n' }, [configured]);
    const { findings, ignored } = all.apply([finding(seen)]);
    expect([findings.length, ignored.length]).toEqual(expected ? [0, 1] : [1, 0]);
  });

  test('the first entry that fits says why, and the day', async () => {
    const all = await ignores({ 'a.yaml': comment }, [
      { rule: 'dead-patch', reason: 'not this one', paths: ['b.yaml'] },
      { rule: 'dead-patch', reason: 'this one', expires: '2027-01-01' },
      { rule: 'dead-patch', reason: 'too late' },
    ]);
    const { ignored } = all.apply([finding({ line: 2 })]);
    expect(ignored.map(({ reason, expires }) => [reason, expires])).toEqual([['this one', '2027-01-01']]);
  });
});

describe('what is wrong with ignores', () => {
  test('one that hides nothing, one that has expired, and none that is used', async () => {
    const all = await ignores({ 'a.yaml': `${comment}a: b\n# customizer-lint ignore duplicate-key -- no\n` }, [
      { rule: 'dead-patch', paths: ['nowhere.yaml'] },
    ]);
    all.apply([finding({ line: 2 })]);
    expect(all.problems().map(({ rule, at }) => [rule, 'path' in at ? at.path : at.range?.start.line])).toEqual([
      ['unused-ignore', ['ignores', 0, 'rule']],
      ['unused-ignore', 3],
    ]);
  });

  test('an expired one that still has something to hide is that, and not unused', async () => {
    const all = await ignores({ 'a.yaml': comment.replace('out', 'out (until 2026-11-22)') });
    const { findings } = all.apply([{ ...finding({ line: 2 }), fix: () => undefined }]);
    expect(findings.map(({ fix }) => fix)).toEqual([undefined]);
    expect(all.problems().map(({ rule, message }) => `${rule}: ${message}`)).toEqual([
      'expired-ignore: the ignore of "dead-patch" ended on 2026-11-22',
    ]);
  });

  test.each([
    ['# customizer-lint ignore', 'this comment does not say which rule it ignores'],
    ['# customizer-lint ignore-dead-patch -- x', 'this comment does not say which rule it ignores'],
    ['# customizer-lint ignore nothing -- x', 'this comment ignores "nothing", which is no rule'],
    ['# customizer-lint ignore dead-patch', 'this comment ignores "dead-patch" without a reason'],
    ['# customizer-lint ignore dead-patch --', 'this comment ignores "dead-patch" without a reason'],
    ['# customizer-lint ignore dead-patch -- (until 2027-01-01)', 'this comment ignores "dead-patch" without a reason'],
  ])('%s', async (text, message) => {
    const all = await ignores({ 'a.yaml': `${text}\n` });
    const { findings } = all.apply([finding({ line: 2 })]);
    expect([findings.length, all.problems().map((one) => `${one.rule}: ${one.message}`)]).toEqual([
      1,
      [`invalid-config: ${message}`],
    ]);
  });
});

describe('a comment that was meant as an ignore and is written otherwise', () => {
  const form = '# customizer-lint ignore dead-patch -- the reason';
  const mistakes = async (text: string) => {
    const all = await ignores({ 'a.yaml': `${text}\n` });
    const { findings, ignored } = all.apply([finding({ line: 2 }), finding({ line: 2, rule: 'duplicate-key' })]);
    return { hidden: ignored.length, kept: findings.length, problems: all.problems() };
  };

  test.each([
    ['(until 31.12.2025)'],
    ['until 2025-12-31'],
    ['(Until 2025-12-31)'],
    ['(UNTIL 2030-12-31)'],
    ['(until 2025-12-31), see ticket', '(until 2025-12-31)'],
    ['(until 2030-12-31).', '(until 2030-12-31)'],
    ['(until 2026-13-01)'],
    ['(until 2026-02-30)'],
    ['(until 2026-02-29)'],
    ['(until 2026-00-10)'],
    ['(until 2026-12-32)'],
    ['(until  2026-12-31)'],
    ['(until 2026-12-31 )'],
    ['( until 2026-12-31)'],
    ['(until: 2026-12-31)'],
    ['(until 2026/12/31)'],
    ['(until 12/31/2026)'],
    ['(until 26-12-31)'],
    ['(until 2026-12)'],
    ['(until 2026)'],
    ['(until December 2026)'],
    ['(until the next release)'],
    ['(until )'],
    ['(until 2026\u201112\u201131)', '(until 2026-12-31)'],
    ['[until 2026-12-31]'],
    ['（until 2026-12-31）'],
    ['(untill 2026-12-31)'],
    ['(unitl 2026-12-31)'],
    ['(till 2026-12-31)'],
    ['(expires 2026-12-31)'],
    ['(expires: 31.12.2026)'],
    ['(by 2026-12-31)'],
    ['(to 31.12.2026)'],
    ['until 31.12.25'],
    ['Until 31 Dec 2026'],
    ['until the end of 2026'],
    ['until end of Q3 2026'],
    ['till 2026-12-31'],
    ['until 20261231'],
    ['until: 2026-12-31'],
    ['expires 2026-12-31'],
    ['(valid until 2026-12-31)', 'until 2026-12-31'],
  ])('has no valid last day: %s', async (day, shown = day) => {
    const { hidden, kept, problems } = await mistakes(`# customizer-lint ignore dead-patch -- agreed ${day}`);
    expect([hidden, kept]).toEqual([0, 2]);
    expect(problems.map(({ rule, message, help }) => [rule, message, help])).toEqual([
      [
        'invalid-config',
        `the ignore of "dead-patch" has no valid last day: "${shown}"`,
        `end the comment with the day: ${form} (until 2026-12-31)`,
      ],
    ]);
  });

  test.each([
    '# customizer-lint: ignore dead-patch -- x',
    '# customizer-lint:ignore dead-patch -- x',
    '# customizer-lint-ignore dead-patch',
    '# customizer-lint-ignore: dead-patch',
    '# customizer-lint-disable dead-patch -- x',
    '# customizer-lint disable dead-patch -- x',
    '# customizer-lint disable=dead-patch',
    '# customizer-lint ignores dead-patch -- x',
    '# customizer-lint ignored: dead-patch',
    '# customizer-lint  ignore dead-patch -- x',
    '# customizer-lint\tignore dead-patch -- x',
    '# Customizer-Lint ignore dead-patch -- x',
    '# CUSTOMIZER-LINT IGNORE dead-patch -- x',
    '# customizer-lint Ignore dead-patch -- x',
    '# customizer_lint ignore dead-patch -- x',
    '# customizerlint ignore dead-patch -- x',
    '# customizer lint ignore dead-patch -- x',
    '# customiser-lint ignore dead-patch -- x',
    '# customizer-linter ignore dead-patch -- x',
    '# customizer-lint ignore-next-line dead-patch -- x',
    '# customizer-lint-disable-next-line dead-patch -- x',
    '# customizer-lint disable-line dead-patch',
    '# customizer-lint noqa dead-patch',
    '# customizer-lint allow dead-patch because of x',
    '# customizer-lint skip dead-patch',
    '# customizer-lint suppress(dead-patch)',
    '#customizer-lint-ignore dead-patch',
    '# @customizer-lint ignore dead-patch -- x',
    '# ! customizer-lint ignore dead-patch -- x',
    '# customizer-lint ignore dead-patch: the reason',
    '# customizer-lint ignore dead-patch – the reason',
    '# customizer-lint ignore: dead-patch -- x',
    '# customizer-lint ignore(dead-patch)',
  ])('%s', async (text) => {
    const { hidden, kept, problems } = await mistakes(text);
    expect([hidden, kept, problems.map(({ rule, help }) => [rule, help])]).toEqual([
      0,
      2,
      [['invalid-config', `write: ${form}`]],
    ]);
  });

  test.each([
    '# customizer-lint: ignore',
    '# customizer-lint-ignore',
    '# customizer-lint disable',
    '# customizer-lint:ignore all',
  ])('%s names no rule', async (text) => {
    const { hidden, problems } = await mistakes(text);
    expect([hidden, problems.map(({ rule, help }) => [rule, help])]).toEqual([
      0,
      [['invalid-config', 'write: # customizer-lint ignore RULE -- the reason']],
    ]);
  });

  test.each(['dead-patch, duplicate-key -- x', 'dead-patch,duplicate-key -- x', 'dead-patch duplicate-key -- x'])(
    'names several rules: %s',
    async (words) => {
      const { hidden, kept, problems } = await mistakes(`# customizer-lint ignore ${words}`);
      expect([hidden, kept, problems.map(({ rule, message, help }) => [rule, message, help])]).toEqual([
        0,
        2,
        [
          [
            'invalid-config',
            'this comment ignores several rules, and only one is allowed',
            `write: ${form}, and the other rules under ignores in the configuration`,
          ],
        ],
      ]);
    },
  );
});

describe('prose', () => {
  test.each([
    '# checked by customizer-lint',
    '# customizer-lint is a required check here',
    '# customizer-lint: see docs/lint.md',
    '# customizer-lint reports dead-patch here',
    '# customizer-lint ignores comments',
    '# customizer-lint/README.md says more',
    '# Customizer-lint ignore comments are listed in the wiki',
    '# see the customizer-lint ignore comment below',
    '#   variant: oidc # customizer-lint ignore dead-patch -- a line that is commented out',
    '# customizer-lint v1.2',
    '# customizer-lint allowed this until 2025',
    '# https://github.com/cozystack/customizer-lint',
  ])('is no ignore and no mistake: %s', async (text) => {
    const all = await ignores({ 'a.yaml': `${text}\n` });
    expect([all.apply([finding({ line: 2 })]).ignored, all.problems()]).toEqual([[], []]);
  });

  test.each([
    'tolerated until the next release',
    'needed until v1.7.2 of the chart',
    'needed until 1.16.10',
    'see ticket 2026',
    'agreed on 2026-01-31',
    'updated 2026-01-31 (ops, 2026-01-31)',
    'the certificate expired on 2025-01-01 and is renewed by hand',
    'from 10.0.0.1 to 10.0.0.9',
    'not before the migration (by ops)',
  ])('is a reason without a last day: %s', async (reason) => {
    const all = await ignores({ 'a.yaml': `# customizer-lint ignore dead-patch -- ${reason}\n` });
    const { ignored } = all.apply([finding({ line: 2 })]);
    expect([ignored.map((one) => [one.reason, one.expires]), all.problems()]).toEqual([[[reason, undefined]], []]);
  });
});

test('what is said of ignores is not ignored', async () => {
  const all = await ignores({ 'a.yaml': 'a: b\n' }, [{ rule: 'unused-ignore' }]);
  expect(all.apply([finding({ rule: 'unused-ignore' })]).ignored).toEqual([]);
});

describe('the comments of a file', () => {
  test('stand where they are', () => {
    expect(commentsOf('# a\nb: "# c" # d\ne: |\n  # f\n')).toEqual([
      { comment: '# a', line: 1, column: 1 },
      { comment: '# d', line: 2, column: 10 },
    ]);
  });

  // They are those by which the lexer itself marks what it has found.
  test.each(['\u0002', '\u0018', '\u001f'])('are not looked for beside the character %j', (character) => {
    expect(commentsOf(`# a\nb: "${character}"\n`)).toEqual([]);
  });
});
