/** What rules are given of each cluster, and what becomes of what they report. */
import { describe, expect, test } from '@jest/globals';
import type { Cluster } from '../../src/cluster/cluster.js';
import type { World } from '../../src/cluster/facts.js';
import { defaults } from '../../src/config/config.js';
import type { FactName, Place, RenderedObject } from '../../src/core/model.js';
import { inRevision, runRules, type Subject } from '../../src/lint/run-rules.js';
import type { Rule, RuleContext } from '../../src/rules/rule.js';
import { treeOf } from '../support/tree-of.js';

const [head, base] = [treeOf({ 'a.yaml': 'a: 1\n' }), treeOf({ 'a.yaml': 'a: 0\n' })];
const fact = (name: string) => ({
  name,
  value: 'x',
  source: name === 'substitution' ? 'config' : 'assumed',
});
const factNames = [
  'release',
  'variant',
  'kubernetes',
  'roles',
  'substitution',
  'packages',
  'optionalPackages',
  'platformValues',
];
const facts = { get: fact, all: new Map(factNames.map((name) => [name, fact(name)])), used: () => [] };
/** Deployments are not the same in every Kubernetes. */
const contractOf = (release: string) => ({
  release,
  schemas: { find: () => ({}), changesWithKubernetes: (_: string, kind: string) => kind === 'Deployment' },
});
const knowledge = { contract: contractOf('a release'), permissions: 'permissions', snapshot: 'a snapshot' };
const [likeliestWorld, otherWorld, otherMinor] = [
  { release: 'v1.6.2', variant: 'isp-full', kubernetes: 'v1.35' },
  { release: 'next', variant: 'isp-full', kubernetes: 'v1.35' },
  { release: 'v1.6.2', variant: 'isp-full', kubernetes: 'v1.36' },
] as const;
const elsewhere = { facts, ...knowledge, contract: contractOf('another release') };
/** What is known of the release is the same whichever Kubernetes it runs on. */
const inWorld = (one: World) => (one === otherMinor ? { facts, ...knowledge } : elsewhere);
const side = (name: string) => ({
  ...{
    entrypoints: [name],
    objects: [`${name} object`],
    applied: [`${name} object`],
    known: {
      ...{ facts, ...knowledge },
      ...{ world: likeliestWorld, others: () => [otherWorld, otherMinor], inWorld },
    },
  },
  unrendered: [{ ok: true, entrypoint: { reach: 'suspended' }, objects: [`${name} unrendered`] }, { ok: false }],
});
const cluster = (name: string, hasBase = true) =>
  ({ name, head: side(`head of ${name}`), ...(hasBase && { base: side(`base of ${name}`) }) }) as unknown as Cluster;
const unnamed = { head: { ...side('head'), unrendered: [] } } as unknown as Cluster;

function run(check: Rule['check'], { needsBase, ...subject }: Partial<Subject> & Pick<Rule, 'needsBase'> = {}) {
  const rule = {
    id: 'r',
    severity: 'error',
    ...(check && { check }),
    ...(needsBase && { needsBase }),
  } as unknown as Rule;
  const given = { ...{ config: defaults(), clusters: [unnamed], trees: { head }, remotes: [] }, ...subject };
  return runRules([rule], { today: '2026-12-31', trust: 'same-repository', revision: 'head', ...given });
}

function contexts(subject: Parameters<typeof run>[1]): RuleContext[] {
  const seen: RuleContext[] = [];
  run((context) => void seen.push(context), subject);
  return seen;
}

describe('a rule', () => {
  const clusters = [cluster('a'), cluster('b', false)];

  test('is asked for each cluster, with the objects of its own, rendered or not, and the entrypoints of all', () => {
    expect(contexts({ clusters })).toMatchObject(
      ['a', 'b'].map((name) => ({
        cluster: name,
        objects: [`head of ${name} object`, `head of ${name} unrendered`],
        known: {
          contract: { release: 'a release' },
          snapshot: 'a snapshot',
          objects: [`head of ${name} object`],
        },
        entrypoints: [`head of ${name}`],
        owners: defaults().ownership,
        everywhere: ['head of a', 'head of b'],
        ...{ tree: head, today: '2026-12-31', trust: 'same-repository', remotes: [] },
      })),
    );
    expect(contexts({})).toMatchObject([{ cluster: undefined, objects: ['head object'] }]);
    expect(contexts({ clusters })[0]?.objects).toStrictEqual(['head of a object', 'head of a unrendered']);
    const unrendered = [{ ok: true, entrypoint: { reach: 'suspended' }, objects: ['alone'] }];
    const one = { head: { ...side('head'), unrendered } } as unknown as Cluster;
    expect(contexts({ clusters: [one] })[0]?.objects).toEqual(['head object', 'alone']);
  });

  test('is told what follows from the facts, and a guess of the world as what is given', () => {
    const [known] = contexts({}).map((one) => one.known);
    const source = (name: FactName) => known?.facts.get(name).source;
    expect(known?.permissions).toBe('permissions');
    expect(['release', 'roles', 'substitution'].map((name) => source(name as FactName))).toEqual([
      ...['world', 'assumed', 'config'],
    ]);
    expect([...(known?.facts.all.values() ?? [])].map(({ name, source }) => `${name} ${source}`)).toEqual(
      factNames.map((name) => `${name} ${source(name as FactName)}`),
    );
    expect(known?.facts.all.get('release')).toEqual({ name: 'release', value: 'x', source: 'world' });
    expect(known?.facts.used()).toEqual([]);
    expect(known?.contract.schemas.changesWithKubernetes('apps/v1', 'Deployment')).toBe(true);
  });

  test('is told a fact of the world that somebody has said as it is', () => {
    const set = { name: 'release', value: 'x', source: 'config' };
    const head = { ...side('head'), known: { ...side('head').known, facts: { ...facts, get: () => set } } };
    const [one] = contexts({ clusters: [{ head } as unknown as Cluster] });
    expect(one?.known.facts.get('release')).toEqual(set);
  });

  test('knows what was there before, where a cluster and a tree were', () => {
    const before = { tree: base, objects: ['base of a object', 'base of a unrendered'] };
    expect(contexts({ clusters, trees: { head, base } }).map((one) => one.base)).toMatchObject([before, undefined]);
    expect(contexts({ clusters }).map((one) => one.base)).toEqual([undefined, undefined]);
  });

  test('that needs it is asked only then', () => {
    expect(contexts({ clusters, trees: { head, base }, needsBase: true }).map((one) => one.cluster)).toEqual(['a']);
    const { problems, worlds } = run(() => undefined, { needsBase: true });
    expect(problems).toStrictEqual([]);
    expect(worlds).toEqual([{ release: 'v1.6.2', variant: 'isp-full', likeliest: true }]);
  });

  test('judges the base by itself', () => {
    const [one, ...others] = contexts({ clusters, trees: { head, base }, revision: 'base' });
    expect([one, others]).toMatchObject([{ cluster: 'a', tree: base, everywhere: ['base of a'] }, []]);
    expect(one?.base).toBeUndefined();
    expect(one?.everywhere).toStrictEqual(['base of a']);
    expect(contexts({ clusters, revision: 'base' })).toEqual([]);
  });

  test('is told its options, and nothing of its severity', () => {
    const rules = { r: { severity: 'notice' as const, paths: [], most: 3 }, q: { least: 1 } };
    expect(contexts({ config: { ...defaults(), rules } })[0]?.options).toEqual({ most: 3 });
    expect(contexts({})[0]?.options).toEqual({});
  });

  test('may leave everything to a stage', () => {
    expect(run(undefined)).toMatchObject({ problems: [], notChecked: [] });
  });
});

describe('what it reports', () => {
  const at: Place = { file: 'a.yaml' };
  const reported = (assumes: FactName[], subject?: Partial<Subject>, isEverywhere = true) =>
    run(({ report, known }) => {
      if (isEverywhere || known.contract.release === 'a release') report({ message: 'm', at, assumes });
    }, subject).problems;

  test('has its id, and the revision at hand', () => {
    expect(reported([])).toEqual([{ rule: 'r', message: 'm', at: { ...at, revision: 'head' }, assumes: [] }]);
    expect(reported([], { clusters: [cluster('a')], trees: { head, base }, revision: 'base' })).toMatchObject([
      { at: { revision: 'base' } },
    ]);
  });

  test('rests on the facts that are assumed, each with its cluster', () => {
    const roles = { name: 'roles', value: 'x', source: 'assumed' };
    expect(reported(['substitution', 'roles'])[0]?.assumes).toEqual([roles]);
    expect(reported(['roles'], { clusters: [cluster('a')] })[0]?.assumes).toEqual([{ ...roles, cluster: 'a' }]);
  });

  test('rests on no cluster where there are no names', () => {
    expect(reported(['roles'])[0]?.assumes?.[0]).not.toHaveProperty('cluster');
  });

  test('rests on the world where another does not have it, whatever the rule says', () => {
    const release = { name: 'release', value: 'x', source: 'assumed', only: ['v1.6'] };
    expect(reported([], undefined, false)[0]?.assumes).toEqual([release]);
    expect(reported(['variant', 'release'], undefined, false)[0]?.assumes).toEqual([release]);
  });

  test('rests on no world where all have it, whatever the rule says', () => {
    expect(reported(['variant', 'roles'])[0]?.assumes).toMatchObject([{ name: 'roles' }]);
  });

  test('is asked of the other worlds only by what says that it is of one, or looks', () => {
    const worlds = (check: NonNullable<Rule['check']>) => {
      let asked = 0;
      run((context) => {
        asked += 1;
        check(context);
      });
      return asked;
    };
    const report = { message: 'm', at };
    expect(worlds((context) => context.report(report))).toBe(1);
    expect(worlds((context) => context.report({ ...report, assumes: ['roles'] }))).toBe(1);
    expect(worlds((context) => context.report({ ...report, assumes: ['release'] }))).toBe(2);
    // No world that is possible has another variant.
    expect(worlds((context) => context.report({ ...report, assumes: ['variant'] }))).toBe(1);
    expect(worlds(({ known }) => void known.contract)).toBe(1);
    const lookUp = (kind: string) => (context: RuleContext) => {
      context.known.contract.schemas.find('apps/v1', kind);
      context.report(report);
    };
    expect(worlds(lookUp('Deployment'))).toBe(3);
    expect(worlds(lookUp('ConfigMap'))).toBe(2);
    const looks: [(context: RuleContext) => unknown, number][] = [
      [({ known }) => known.contract, 2],
      [({ known }) => known.permissions, 2],
      [({ known }) => known.facts.get('variant'), 1],
      [({ known }) => [...known.facts.all], 3],
      [({ known }) => [...known.facts.all.values()], 3],
      [({ known }) => known.facts.all.forEach(() => {}), 3],
      [({ known }) => known.facts.all.get('platformValues'), 1],
      [({ known }) => known.facts.all.get('release'), 2],
      [({ known }) => known.facts.all.has('kubernetes'), 2],
      [({ known }) => known.facts.get('release'), 2],
    ];
    for (const [look, times] of looks)
      expect(
        worlds((context) => {
          look(context);
          context.report(report);
        }),
      ).toBe(times);
  });

  test('has its worlds named: the likeliest, and the others where one of its findings was asked there', () => {
    const asked = (check: NonNullable<Rule['check']>) => run(check).worlds;
    const likeliest = { release: 'v1.6.2', variant: 'isp-full', likeliest: true };
    expect(asked((context) => context.report({ message: 'm', at }))).toEqual([likeliest]);
    expect(asked(({ known }) => void known.contract)).toEqual([likeliest]);
    const both = asked((context) => context.report({ message: context.known.contract.release, at }));
    expect(both).toEqual([likeliest, { release: 'next', variant: 'isp-full', likeliest: false }]);
    const all = asked(({ known, report }) => {
      known.contract.schemas.find('apps/v1', 'Deployment');
      report({ message: 'm', at });
    });
    expect(all).toEqual([
      { ...likeliestWorld, likeliest: true },
      { ...otherWorld, likeliest: false },
      { ...otherMinor, likeliest: false },
    ]);
  });

  test('has the cluster of each world, and its Kubernetes where that is known', () => {
    const all = new Map([...facts.all, ['kubernetes', { ...fact('kubernetes'), source: 'config' }]]);
    const head = { ...side('head'), known: { ...side('head').known } };
    const one = { name: 'a', head: { ...head, known: { ...head.known, facts: { ...facts, all } } } };
    expect(run(() => undefined, { clusters: [one as unknown as Cluster] }).worlds).toEqual([
      { ...likeliestWorld, cluster: 'a', likeliest: true },
    ]);
  });

  test('has no other world named where what it rests on is of none', () => {
    const { worlds } = run((context) => context.report({ message: 'm', at, assumes: ['roles'] }));
    expect(worlds).toMatchObject([{ likeliest: true }]);
  });

  test('has the other worlds named that it was asked in, whatever else they differ in', () => {
    const { worlds } = run(({ known, report }) => {
      known.facts.get('variant');
      report({ message: 'm', at });
    });
    expect(worlds.map(({ release }) => release)).toEqual(['v1.6.2', 'next']);
  });

  test('is asked of one other world, and once of several that look the same', () => {
    const rests = (others: readonly World[], kind?: string) => {
      let asked = 0;
      const head = { ...side('head'), known: { ...side('head').known, others: () => others } };
      const { problems, worlds } = run(
        ({ known, report }) => {
          asked += 1;
          if (kind && known.contract.release === 'another release') known.contract.schemas.find('apps/v1', kind);
          if (known.contract.release === 'a release') report({ message: 'm', at });
        },
        { clusters: [{ head } as unknown as Cluster] },
      );
      return { asked, rests: problems[0]?.assumes?.map(({ name }) => name), worlds: worlds.length };
    };
    const next = { ...otherWorld, kubernetes: 'v1.36' };
    expect(rests([otherWorld])).toEqual({ asked: 2, rests: ['release'], worlds: 2 });
    expect(rests([otherWorld, next])).toEqual({ asked: 2, rests: ['release'], worlds: 2 });
    // What only the other one looks at counts as well.
    expect(rests([otherWorld, next], 'Deployment')).toEqual({ asked: 3, rests: ['release'], worlds: 3 });
  });

  test('of what was there before is of its own world where that of the head is not possible', () => {
    const befores = new Set<unknown>();
    const before = { ...side('base'), known: { ...side('base').known, others: () => [] } };
    run(
      ({ known, base, report }) => {
        befores.add([known.contract.release, base?.known.contract.release].join());
        report({ message: 'm', at });
      },
      { clusters: [{ head: side('head'), base: before } as unknown as Cluster], trees: { head, base } },
    );
    expect([...befores]).toEqual(['a release,a release', 'another release,a release']);
  });

  test('of the other worlds only what was there before is of the same', () => {
    const befores = new Set<unknown>();
    run(
      ({ known, base, report }) => {
        befores.add([known.contract.release, base?.known.contract.release].join());
        report({ message: 'm', at });
      },
      { clusters: [cluster('a')], trees: { head, base } },
    );
    expect([...befores]).toEqual(['a release,a release', 'another release,another release']);
  });

  test('of what could not be checked is said once, in however many worlds', () => {
    const { notChecked } = run((context) => {
      context.notChecked(context.known.contract.release, 'x');
      context.report({ message: 'm', at });
    });
    expect(notChecked).toEqual([{ what: 'a release', why: 'x', count: 1 }]);
  });

  test('of what could not be checked is added up, by what it is and why', () => {
    const { notChecked } = run(
      (context) => {
        context.notChecked('a', 'x');
        context.notChecked('a', 'x', { count: 3, object: { source: { file: 'a.yaml' } } as RenderedObject });
        context.notChecked('a', 'y', { count: 2, object: { source: { file: 'b.yaml' } } as RenderedObject });
      },
      { clusters: [cluster('a'), cluster('b')] },
    );
    expect(notChecked).toEqual([
      { what: 'a', why: 'x', count: 8 },
      { what: 'a', why: 'y', count: 4, file: 'b.yaml' },
    ]);
  });
});

test('a place keeps the revision that it has', () => {
  expect(inRevision({ file: 'a', revision: 'base' }, 'head')).toEqual({ file: 'a', revision: 'base' });
  expect(inRevision({ file: 'a' }, 'base')).toEqual({ file: 'a', revision: 'base' });
  const rendered = { object: {}, path: [] } as unknown as Place;
  expect(inRevision(rendered, 'base')).toBe(rendered);
});
