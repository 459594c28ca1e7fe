/** The funnel by itself: what is merged, weighed, left out and sorted. Places are of real files. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Config, defaults } from '../../src/config/config.js';
import type { Fact, FieldPath, Place, Problem, Severity } from '../../src/core/model.js';
import type { Fixer } from '../../src/fix/fixer.js';
import { collect } from '../../src/lint/findings.js';
import { Identities } from '../../src/lint/identity.js';
import { openWorkTree } from '../../src/tree/tree.js';
import { Locator } from '../../src/yaml/locator.js';
import { treeOf } from '../support/tree-of.js';
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

  test('names no others where none of them is known', () => {
    const [one] = collected([problem({ object: settings('a') }), problem()]);
    expect(one).toMatchObject({ object: { name: 'a' } });
    expect(one).not.toHaveProperty('also');
  });

  test('of the head and of the base are two', () => {
    const at = (revision: 'head' | 'base'): Place => ({ revision, file: 'gone.yaml' });
    expect(collected([problem({ at: at('head') }), problem({ at: at('base') })])).toHaveLength(2);
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
    const found = collected([problem(more)], { rules }).map(({ severity }) => severity);
    expect(found).toStrictEqual(expected ? [expected] : []);
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

  test('nor does what is of no object itself', () => {
    const { object: _, ...unknown } = better(['b']);
    expect(collected([unknown, worse]).map(({ rule }) => rule)).toEqual(['better', 'r']);
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
    offer: (problems: readonly Problem[]) => {
      asked.push(problems.length);
      return { fix: { title: 't', safe: true, edits: [] } };
    },
  } as unknown as Fixer;

  test('is made when it is asked for, once, of all that is one finding', () => {
    const [one] = collected([problem({ remedy }), problem({ remedy, entrypoint: 'x' })], { fixer });
    expect(asked).toEqual([]);
    expect([one?.fix?.()?.safe, one?.fix?.()?.safe]).toEqual([true, true]);
    expect(asked).toEqual([2]);
  });

  test('has the title and the edits of the fixer', () => {
    expect(collected([problem({ remedy })], { fixer })[0]?.fix?.()).toEqual({ title: 't', safe: true, edits: [] });
  });

  test('of a guess is not safe', () => {
    expect(collected([problem({ remedy, assumes: [release] })], { fixer })[0]?.fix?.()?.safe).toBe(false);
  });

  test('that the fixer calls unsafe stays so, and where it has none there is none', () => {
    const answers = (fix: ReturnType<Fixer['fix']>) => {
      const other = { offer: () => ({ fix }) } as unknown as Fixer;
      return collected([problem({ remedy })], { fixer: other })[0]?.fix?.();
    };
    expect(answers({ title: 't', safe: false, edits: [] })?.safe).toBe(false);
    expect(answers(undefined)).toBeUndefined();
  });

  test('that quotes what is written is safe only where all who see it know what was meant', () => {
    const isSafe = (...quotes: (number | undefined)[]) => {
      const problems = quotes.map((one) => problem({ remedy, at: place(['a']), ...(one && { quotes: one }) }));
      return collected(problems, { fixer })[0]?.fix?.()?.safe;
    };
    expect([isSafe(1), isSafe(1, undefined), isSafe(2), isSafe(1, 2)]).toEqual([true, true, false, false]);
  });

  test('that is held back is none, and says why', () => {
    const heldBack = { file: 'a.yaml', by: ['b'], why: 'unbuilt' } as const;
    const other = { offer: () => ({ heldBack }) } as unknown as Fixer;
    const [one] = collected([problem({ remedy })], { fixer: other });
    expect([one?.fix?.(), one?.heldBack?.()]).toEqual([undefined, heldBack]);
  });

  test('is none where one of the problems has no remedy, or nothing can be edited', () => {
    expect(collected([problem({ remedy }), problem()], { fixer })[0]?.fix).toBeUndefined();
    expect(collected([problem({ remedy })])[0]?.fix).toBeUndefined();
  });
});

describe('what is to be quoted', () => {
  const repository = treeOf({ 'v.yaml': 'a: 1.10\nb: 0o12\nc: 1_0\ntoken: 1.10\n' });
  const quoted = (field: string, quotes: number, at: Place = place([field], 'v.yaml')) =>
    collect([problem({ at, quotes, help: 'unused', remedy: { title: 't', safe: true, changes: [] } })], {
      locator: new Locator({ head: repository }),
      config: defaults(),
      severityOf: () => 'error',
      identities: new Identities(locator, () => 'field'),
      fixer: { offer: () => ({ fix: { title: 't', safe: true, edits: [] } }) } as unknown as Fixer,
    })[0];
  test.each<[string, string, number, string, boolean]>([
    ['is told as it is written', 'a', 1.1, 'quote it: "1.10"', true],
    ['is told in both ways where it is no plain number', 'b', 10, elsewise('0o12', '10'), false],
    ['is told in both ways where it has an underscore', 'c', 10, elsewise('1_0', '10'), false],
    ['is not told where it may be secret', 'token', 1.1, 'quote it', true],
    ['is not told where something else is written there', 'a', 3, 'quote it', false],
    ['is not told where nothing is written there', 'z', 1.1, 'quote it', false],
  ])('%s', (_, field, quotes, help, safe) => {
    const found = quoted(field, quotes);
    expect([found?.help, found?.fix?.()?.safe]).toEqual([help, safe]);
  });

  function elsewise(written: string, meant: string) {
    return `quote it: "${written}", or "${meant}" for the number that YAML reads`;
  }
});

test('findings are in the order in which one reads: file, line, column, the worst first, rule, words', () => {
  const at = (line: number, column: number, file = 'a.yaml'): Place => {
    const point = { line, column };
    return { file, range: { start: point, end: { line, column: column + 1 } } };
  };
  const problems = [
    problem({ message: '9', at: at(1, 1, 'b.yaml') }),
    problem({ message: '8', at: at(2, 1) }),
    problem({ message: '7', at: at(1, 4) }),
    problem({ rule: 'z', message: '5', at: at(1, 2) }),
    problem({ rule: 'y', message: '6', at: at(1, 2), severity: 'notice' }),
    problem({ rule: 'a', message: 'words', at: at(1, 2) }),
    problem({ rule: 'b', message: '4', at: { ...at(1, 2), file: 'a.yaml' } }),
    problem({ message: '1', at: at(1, 1) }),
  ];
  const numbers = ['1', 'words', '4', '5', '6', '7', '8', '9'];
  for (const given of [problems, problems.toReversed()])
    expect(collected(given).map(({ message }) => message)).toEqual(numbers);
  const words = ['x', 'z', 'y'].map((message) => problem({ message, at: { file: 'a.yaml' } }));
  for (const given of [words, words.toReversed()])
    expect(collected(given).map(({ message }) => message)).toEqual(['x', 'y', 'z']);
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
  expect(collected([problem()])[0]?.entrypoints).toStrictEqual([]);
  expect([collected([problem({ unsent: true })])[0]?.unsent, collected([problem()])[0]?.unsent]).toEqual([
    true,
    undefined,
  ]);
});

test('neither the line nor the words are in the fingerprint, but the rule, the file and the field are', () => {
  const print = (more: Partial<Problem>) => collected([problem(more)])[0]?.fingerprint;
  const known = print({});
  expect(known).toMatch(/^[0-9a-f]{32}$/);
  expect(print({ message: 'other words' })).toBe(known);
  expect(
    new Set([known, print({ rule: 'q' }), print({ at: place(['b']) }), print({ at: place(['a'], 'b.yaml') })]).size,
  ).toBe(4);
  expect(print({ object: settings('a') })).not.toBe(known);
});

test('what is found is known to those who compare it with the base', () => {
  const identities = new Identities(locator, () => 'scalar');
  const config = defaults();
  const find = () => collect([problem()], { locator, config, severityOf: () => 'error', identities });
  const [before, after] = [find(), find()].map((findings) => ({ findings, appliers: () => [] }));
  if (!before || !after) throw new Error('both are there');
  expect(after.findings.map(identities.taker(before, after, false))).toEqual([true]);
});

describe('of a rendered field', () => {
  const written = (file: string, line: number, column: number) => ({ from: [{ file, document: 0, line, column }] });
  const ref = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' };
  const foundAt = (more: object) => {
    const object = { ref, value: { a: 1 }, revision: 'head', entrypoint: 'apps', source: { file: 'a.yaml' }, ...more };
    return { object, path: ['a'] } as unknown as Extract<Place, { object: object }>;
  };
  const told = (at: Place) =>
    collected([problem({ at })])[0]?.related.map(({ message, at }) => `${message}: ${at.file}:${at.range.start.line}`);
  const relatedTo = (...writers: ReturnType<typeof written>[]) => told(foundAt({ writers: () => writers }));

  test('the object and its directory are those of the finding, but for what the problem says itself', () => {
    const at = foundAt({ writers: () => [] });
    expect(collected([problem({ at })])[0]).toMatchObject({ object: ref, entrypoints: ['apps'] });
    expect(collected([problem({ at, object: settings('b'), entrypoint: 'x' })])[0]).toMatchObject({
      ...{ object: settings('b'), entrypoints: ['x'] },
    });
  });

  test('nothing more is told of what was removed', () => {
    const writers = [written('a.yaml', 1, 4), written('b.yaml', 1, 4)];
    const at = foundAt({ writers: () => writers });
    expect(told(at)).toEqual(['overridden here: b.yaml:1']);
    expect(told({ ...at, removedBy: [{ transformer: 't', from: [] }] } as unknown as Place)).toEqual([]);
  });

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

  test('the alias is told where the key stands on the same line of another file', () => {
    locator = new Locator({ head: treeOf({ 'a.yaml': 'x: &x 1\na: *x\n', 'b.yaml': 'z: z\na: 2\n' }) });
    const writers = (_: FieldPath, part: string) => [
      part === 'key' ? written('b.yaml', 2, 1) : written('a.yaml', 1, 7),
    ];
    expect(told({ ...foundAt({ writers }), part: 'key' })).toEqual(['repeated here by an alias: a.yaml:2']);
  });
});

test('words without end are cut', () => {
  const [one] = collected([problem({ message: 'x'.repeat(1 << 20), help: 'y'.repeat(1 << 20) })]);
  expect([(one?.message.length ?? 0) <= 4000, (one?.help?.length ?? 0) <= 4000]).toEqual([true, true]);
});
