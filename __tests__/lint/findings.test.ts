/** The funnel by itself: what is merged, weighed, left out and sorted. Places are of real files. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Config, defaults } from '../../src/config/config.js';
import type { Fact, FieldPath, Place, Problem, Severity } from '../../src/core/model.js';
import type { Fixer } from '../../src/fix/fixer.js';
import { collect } from '../../src/lint/findings.js';
import { Identities } from '../../src/lint/identity.js';
import { openWorkTree } from '../../src/tree/tree.js';
import { Locator } from '../../src/yaml/locator.js';
import { createRepo, removeRepo } from '../support/trees.js';

const files = {
  'a.yaml': 'a: 1\nb:\n  c: 2\n  d: 3\n',
  'b.yaml': 'a: 1\n',
};
let folder: string;
let locator: Locator;
beforeAll(async () => {
  folder = createRepo(files);
  locator = new Locator({ head: await openWorkTree(folder) });
});
afterAll(() => removeRepo(folder));

const place = (path: FieldPath, file = 'a.yaml'): Place => ({ file, document: 0, path });
const problem = (more: Partial<Problem> = {}): Problem => ({ rule: 'r', message: 'm', at: place(['a']), ...more });

type Options = { rules?: Config['rules']; severities?: Record<string, Severity>; fixer?: Fixer };
function collected(problems: Problem[], { rules = {}, severities = {}, fixer }: Options = {}) {
  return collect(problems, {
    locator,
    config: { ...defaults(), rules },
    severityOf: (rule) => severities[rule] ?? 'error',
    identities: new Identities(locator, () => 'scalar'),
    fixer,
  });
}

const variant: Fact = { name: 'variant', value: 'isp-full', source: 'assumed' };
const release: Fact = { name: 'release', value: 'v1.6.2', source: 'assumed' };
const settings = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'x', name });

describe('one line that several clusters render', () => {
  test('is one finding, seen from all of them', () => {
    const [one, ...others] = collected([
      problem({ entrypoint: 'clusters/b', object: settings('b') }),
      problem({ entrypoint: 'clusters/a', object: settings('a') }),
      problem({ entrypoint: 'clusters/b', object: settings('c') }),
    ]);
    expect([one?.entrypoints, one?.object?.name, one?.also?.map(({ name }) => name), others]).toEqual([
      ['clusters/a', 'clusters/b'],
      'b',
      ['a', 'c'],
      [],
    ]);
  });

  const sure = problem();
  const guessed = problem({ assumes: [variant] });
  test.each([
    ['the sure one first', [sure, guessed]],
    ['the guess first', [guessed, sure]],
  ])('is an error of one and a guess of another: an error that rests on nothing, %s', (_, problems) => {
    const [one, ...others] = collected(problems);
    expect([one?.severity, one?.assumes, others]).toEqual(['error', [], []]);
  });

  test('of equals the first says what it rests on', () => {
    const [one] = collected([guessed, problem({ assumes: [release] })]);
    expect([one?.severity, one?.assumes]).toEqual(['warning', [variant]]);
  });

  test('of another rule or at another field is another', () => {
    expect(collected([problem(), problem({ rule: 'q' }), problem({ at: place(['b', 'c']) })])).toHaveLength(3);
  });

  test('with other words at the exact place is the same; where only the file is known it is another', () => {
    const nowhere = (message: string) => problem({ message, at: { file: 'a.yaml' } });
    expect(collected([problem({ message: 'x' }), problem({ message: 'y' })])).toHaveLength(1);
    expect(collected([nowhere('x'), nowhere('y'), nowhere('y')]).map(({ message }) => message)).toEqual(['x', 'y']);
  });
});

describe('the severity', () => {
  const strict = { severity: 'error' as const };
  test.each<[string, Partial<Problem>, Config['rules'], Severity | undefined]>([
    ['of the rule', {}, {}, 'error'],
    ['that the problem says', { severity: 'notice' }, {}, 'notice'],
    ['of a guess is a warning at most', { assumes: [variant] }, {}, 'warning'],
    ['of a guess stays less', { assumes: [variant], severity: 'notice' }, {}, 'notice'],
    ['that the configuration says, of a guess too', { assumes: [variant] }, { r: strict }, 'error'],
    ['that the configuration says, above the problem', { severity: 'notice' }, { r: strict }, 'error'],
    ['off', {}, { r: { severity: 'off' } }, undefined],
    ['of another rule means nothing', {}, { q: { severity: 'off' } }, 'error'],
    ['of the path', {}, { r: { ...strict, paths: [{ paths: ['*.yaml'], severity: 'notice' }] } }, 'notice'],
    [
      'not of another path',
      {},
      { r: { severity: 'warning', paths: [{ paths: ['b.yaml'], severity: 'off' }] } },
      'warning',
    ],
    [
      'of the last path that fits',
      {},
      {
        r: {
          paths: [
            { paths: ['a.yaml'], severity: 'off' },
            { paths: ['*.yaml'], severity: 'notice' },
            { paths: ['b.yaml'], severity: 'error' },
          ],
        },
      },
      'notice',
    ],
    ['of one of several paths', {}, { r: { paths: [{ paths: ['x', 'a.*'], severity: 'notice' }] } }, 'notice'],
    ['of a path without a severity is that of the rule', {}, { r: { ...strict, paths: [] } }, 'error'],
  ])('%s', (_, more, rules, expected) => {
    expect(collected([problem(more)], { rules }).map(({ severity }) => severity)).toEqual(expected ? [expected] : []);
  });
});

describe('what says more of the same field', () => {
  const better = (path: FieldPath, name = 'a') =>
    problem({ rule: 'better', at: place(['b']), object: settings(name), insteadOf: [{ rules: ['r'], path }] });
  const worse = problem({ at: place(['b', 'c']), object: settings('a') });
  test.each<[string, Problem, string[]]>([
    ['leaves out what is below it', better(['b']), ['better']],
    ['leaves out what is there', better(['b', 'c']), ['better']],
    ['not what stands above', better(['b', 'c', 'd']), ['better', 'r']],
    ['not what stands beside', better(['b', 'd']), ['better', 'r']],
    ['not what is of another object', better(['b'], 'z'), ['better', 'r']],
  ])('%s', (_, first, expected) => {
    for (const problems of [
      [first, worse],
      [worse, first],
    ])
      expect(collected(problems).map(({ rule }) => rule)).toEqual(expected);
  });

  test('of several things one', () => {
    const insteadOf = [
      { rules: ['q'], path: ['b'] },
      { rules: ['r'], path: ['b'] },
    ];
    expect(collected([{ ...better(['b']), insteadOf }, worse]).map(({ rule }) => rule)).toEqual(['better']);
  });

  test('not what is of no object', () => {
    expect(collected([better(['b']), problem({ at: place(['b', 'c']) })]).map(({ rule }) => rule)).toEqual([
      'better',
      'r',
    ]);
  });

  test('not what another rule says', () => {
    expect(collected([better(['b']), { ...worse, rule: 'q' }]).map(({ rule }) => rule)).toEqual(['better', 'q']);
  });
});

describe('a fix', () => {
  const remedy = { title: 't', safe: true, changes: [] };
  const asked: number[] = [];
  const fixer = {
    fix: (problems: readonly Problem[]) => {
      asked.push(problems.length);
      return { title: 't', safe: true, edits: [] };
    },
  } as unknown as Fixer;

  test('is made when it is asked for, once, of all that is one finding', () => {
    const [one] = collected([problem({ remedy }), problem({ remedy, entrypoint: 'x' })], { fixer });
    expect(asked).toEqual([]);
    expect([one?.fix?.()?.safe, one?.fix?.()?.safe]).toEqual([true, true]);
    expect(asked).toEqual([2]);
  });

  test('of a guess is not safe', () => {
    expect(collected([problem({ remedy, assumes: [release] })], { fixer })[0]?.fix?.()?.safe).toBe(false);
  });

  test('is none where one of the problems has no remedy, or nothing can be edited', () => {
    expect(collected([problem({ remedy }), problem()], { fixer })[0]?.fix).toBeUndefined();
    expect(collected([problem({ remedy })])[0]?.fix).toBeUndefined();
  });
});

test('findings are in the order in which one reads: file, line, column, the worst first, rule, words', () => {
  const at = (line: number, column: number, file = 'a.yaml'): Place => {
    const point = { line, column };
    return { file, range: { start: point, end: { line, column: column + 1 } } };
  };
  const found = collected([
    problem({ message: '8', at: at(1, 1, 'b.yaml') }),
    problem({ message: '7', at: at(2, 1) }),
    problem({ message: '6', at: at(1, 4) }),
    problem({ rule: 'z', message: '4', at: at(1, 2) }),
    problem({ rule: 'y', message: '5', at: at(1, 2), severity: 'notice' }),
    problem({ rule: 'a', message: '2', at: at(1, 2) }),
    problem({ rule: 'b', message: '3', at: at(1, 2) }),
    problem({ message: '1', at: at(1, 1) }),
  ]);
  expect(found.map(({ message }) => message)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
});

test('a path that is hidden is one like others', () => {
  const rules: Config['rules'] = { r: { paths: [{ paths: ['**/*.yaml'], severity: 'notice' }] } };
  expect(collected([problem({ at: { file: '.github/a.yaml' } })], { rules })).toMatchObject([{ severity: 'notice' }]);
});

test('a finding has the words of its problem, and other places with theirs', () => {
  const [one] = collected([problem({ help: 'do so', related: [{ message: 'see', at: place(['b', 'd']) }] })]);
  expect(one).toMatchObject({
    ...{ rule: 'r', message: 'm', help: 'do so', precision: 'exact', field: ['a'], entrypoints: [] },
    related: [{ message: 'see', at: { file: 'a.yaml', range: { start: { line: 4, column: 6 } } } }],
  });
  expect(collected([problem()])[0]).not.toHaveProperty('help');
});

describe('of a rendered field', () => {
  const written = (file: string, line: number, column: number) => ({ from: [{ file, document: 0, line, column }] });
  const relatedTo = (...writers: ReturnType<typeof written>[]) => {
    const ref = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' };
    const object = { ref, value: { a: 1 }, revision: 'head', entrypoint: '.', writers: () => writers };
    const [one] = collected([problem({ at: { object, path: ['a'] } as unknown as Place })]);
    return one?.related.map(({ message, at }) => `${message}: ${at.file}:${at.range.start.line}`);
  };

  test('the lines that an other line overrides are told', () => {
    expect(relatedTo(written('a.yaml', 1, 4))).toEqual([]);
    expect(relatedTo(written('a.yaml', 1, 4), written('b.yaml', 1, 4), written('a.yaml', 3, 6))).toEqual([
      'overridden here: b.yaml:1',
      'overridden here: a.yaml:3',
    ]);
  });

  test('the alias that repeats it is told, where it is on another line', async () => {
    const repository = createRepo({ 'a.yaml': 'x: &x 1\ny: z\na: *x\n', 'b.yaml': '{x: &x 1, a: *x}\n' });
    try {
      locator = new Locator({ head: await openWorkTree(repository) });
      expect(relatedTo(written('a.yaml', 1, 7))).toEqual(['repeated here by an alias: a.yaml:3']);
      expect(relatedTo(written('b.yaml', 1, 8))).toEqual([]);
    } finally {
      removeRepo(repository);
      locator = new Locator({ head: await openWorkTree(folder) });
    }
  });
});

test('words without end are cut', () => {
  const [one] = collected([problem({ message: 'x'.repeat(1 << 20), help: 'y'.repeat(1 << 20) })]);
  expect([(one?.message.length ?? 0) <= 4000, (one?.help?.length ?? 0) <= 4000]).toEqual([true, true]);
});

describe('fingerprints', () => {
  const patches = (...targets: string[]) =>
    `patches:\n${targets.map((name) => `- target: {kind: ConfigMap, name: ${name}}\n  path: p.yaml\n`).join('')}`;
  const planted: string[] = [];
  afterAll(() => planted.forEach(removeRepo));
  async function printsOf(text: string, ...indices: number[]) {
    const repository = createRepo({ 'kustomization.yaml': text });
    planted.push(repository);
    locator = new Locator({ head: await openWorkTree(repository) });
    const at = (index: number): Place => ({
      file: 'kustomization.yaml',
      document: 0,
      path: ['patches', index, 'path'],
    });
    return collected(indices.map((index) => problem({ at: at(index) }))).map(({ fingerprint }) => fingerprint);
  }

  test('an item of a list keeps its own where another is put before it', async () => {
    const [before] = await printsOf(patches('a', 'b'), 1);
    const [other, after] = await printsOf(patches('z', 'a', 'b'), 0, 2);
    expect(after).toBe(before);
    expect(other).not.toBe(before);
  });

  test('an item of a rendered list is known by what it says of itself, and a scalar by its text', () => {
    const printOf = (value: object, path: FieldPath, kind = 'Deployment') => {
      const ref = { apiVersion: 'v1', kind, name: 'a' };
      const object = { ref, value, revision: 'head', entrypoint: '.', source: { file: 'a.yaml', document: 0 } };
      const at = { object: { ...object, writers: () => [] }, path } as unknown as Place;
      return collected([problem({ at })])[0]?.fingerprint;
    };
    const env = (...items: object[]) => ({ spec: { env: items } });
    const value = (index: number): FieldPath => ['spec', 'env', index, 'value'];
    const known = printOf(env({ name: 'A', value: 'x' }), value(0));
    expect(printOf(env({ name: 'Z' }, { name: 'A', value: 'y' }), value(1))).toBe(known);
    for (const other of ['name', 'key', 'path', 'target', 'kind'])
      expect(printOf(env({ name: 'A', [other]: 'B', value: 'x' }), value(0))).not.toBe(known);

    const args = (...items: unknown[]) => ({ spec: { args: items } });
    const first = printOf(args('one', 'two'), ['spec', 'args', 0]);
    expect(printOf(args('zero', 'one'), ['spec', 'args', 1])).toBe(first);
    expect(printOf(args('two'), ['spec', 'args', 0])).not.toBe(first);
    const nothing = printOf(args(), ['spec', 'args', 0]);
    expect(printOf(args(['one'], ['two']), ['spec', 'args', 1])).toBe(nothing);
    expect(printOf(args({ a: 'one' }), ['spec', 'args', 0])).not.toBe(nothing);

    const secret = (text: string, kind?: string) => printOf({ data: { a: [text] } }, ['data', 'a', 0], kind);
    expect(secret('one', 'Secret')).toBe(secret('two', 'Secret'));
    expect(secret('one', 'ConfigMap')).not.toBe(secret('two', 'ConfigMap'));
    const token = (text: string) => printOf(env({ name: 'TOKEN', token: text }), ['spec', 'env', 0, 'token']);
    expect(token('one')).toBe(token('two'));
  });

  test('equal ones are told apart by their order', async () => {
    const [first, second] = await printsOf(patches('a', 'a'), 0, 1);
    expect(first).not.toBe(second);
    expect(await printsOf(patches('a', 'b', 'a'), 0, 2)).toEqual([first, second]);
  });

  test('a literal of a secret generator is not in it, and one of another generator is', async () => {
    const printOf = async (field: string, literal: string) => {
      const repository = createRepo({ 'kustomization.yaml': `${field}:\n- name: a\n  literals: ['pin=${literal}']\n` });
      planted.push(repository);
      locator = new Locator({ head: await openWorkTree(repository) });
      const path = [field, 0, 'literals', 0];
      return collected([problem({ at: place(path, 'kustomization.yaml') })])[0]?.fingerprint;
    };
    expect(await printOf('secretGenerator', '1111')).toBe(await printOf('secretGenerator', '2222'));
    expect(await printOf('configMapGenerator', '1111')).not.toBe(await printOf('configMapGenerator', '2222'));
  });

  test('neither the line nor the words are in it, but the rule, the file and the field are', () => {
    const print = (more: Partial<Problem>) => collected([problem(more)])[0]?.fingerprint;
    const known = print({});
    expect(known).toMatch(/^[0-9a-f]{32}$/);
    expect(print({ message: 'other words' })).toBe(known);
    expect(
      new Set([known, print({ rule: 'q' }), print({ at: place(['b']) }), print({ at: place(['a'], 'b.yaml') })]).size,
    ).toBe(4);
    expect(print({ object: settings('a') })).not.toBe(known);
  });
});
