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
