/** Which release a repository shows that its cluster has, and what becomes of findings that rest on it. */

import { afterEach, describe, expect, test } from '@jest/globals';
import { type Candidate, evidenceIn } from '../../src/cluster/evidence.js';
import type { RenderedObject } from '../../src/core/model.js';
import { presentObjects } from '../../src/flux/applied.js';
import { root } from '../support/cli.js';
import { inFormats } from '../support/formats.js';
import { runHere } from '../support/here.js';
import { createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

// After here.ts, which takes the place of the engines.
const { loadWorkspace } = await import('../../src/lint/load.js');

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) removeRepo(folder);
});

function repo(objects: { [file: string]: object }, more: Files = {}): string {
  const files = Object.entries(objects).map(([name, object]) => [name, `${JSON.stringify(object, null, 2)}\n`]);
  const folder = createRepo({
    'kustomization.yaml': kustomization({ resources: Object.keys(objects) }),
    ...Object.fromEntries(files),
    ...more,
  });
  folders.push(folder);
  return folder;
}

async function check(directory: string, base?: string, more: string[] = []) {
  const compared = base ? ['--base', base] : [];
  const { stdout } = await inFormats(
    runHere,
    ['json', 'text'],
    ['check', directory, '--verbose', ...compared, ...more],
  );
  const end = stdout.indexOf('\n}\n') + 3;
  const report = JSON.parse(stdout.slice(0, end));
  const release = report.facts.find(({ name }: { name: string }) => name === 'release');
  const worlds: string[] = report.worlds.map((one: { release: string }) => one.release);
  return { report, release, worlds: [...new Set(worlds)].sort(), text: stdout.slice(end).replace(/\s+/g, ' ') };
}

const annotations = { 'kustomize.toolkit.fluxcd.io/ssa': 'Merge', 'kustomize.toolkit.fluxcd.io/prune': 'disabled' };
const platformPackage = (name: string) => ({
  ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'Package' },
  metadata: { name: `cozystack.${name}`, annotations },
  spec: { components: {} },
});
const source = (ref: object, namespace = 'cozy-system') => ({
  ...{ apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'OCIRepository' },
  metadata: { name: 'cozystack-packages', namespace },
  spec: { interval: '5m', url: 'oci://registry.example/cozystack/packages', ref },
});
/** A Package of v1.6 and what comes after it, one of what comes after it alone, and one of every release. */
const [later, coming, any] = ['securitygroup-controller', 'computeplane-application', 'metallb'].map(
  platformPackage,
) as [object, object, object];

describe('what the base branch has', () => {
  test('says nothing where every release has it', async () => {
    const objects = { 'any.yaml': any };
    const { release } = await check(repo(objects), repo(objects));
    expect(release).toMatchObject({ value: 'v1.6', source: 'assumed' });
    expect(release).not.toHaveProperty('because');
  });

  test('leaves the releases that have it, the newest of them the likeliest', async () => {
    const base = repo({ 'later.yaml': later });
    const { release, worlds, text } = await check(repo({ 'later.yaml': later, 'coming.yaml': coming }), base);
    expect(release).toMatchObject({ value: 'v1.6', source: 'assumed', possible: ['v1.6', 'next'], file: 'later.yaml' });
    expect(worlds).toEqual(['next', 'v1.6.2']);
    expect(text).toContain(
      'release v1.6, of v1.6 or next, as the base branch has Package "cozystack.securitygroup-controller" (later.yaml); set cluster.release',
    );
  });

  const checked = (check: object) => ({
    ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'PackageSource', metadata: { name: 'own.portal' } },
    spec: {
      sourceRef: { kind: 'GitRepository', name: 'portal', namespace: 'cozy-customizer' },
      variants: [
        {
          name: 'default',
          components: [
            {
              ...{ name: 'portal', path: 'portal' },
              install: { namespace: 'cozy-customizer', releaseName: 'portal', healthCheckExprs: [check] },
            },
          ],
        },
      ],
    },
  });

  test('makes certain what holds in all that are left', async () => {
    const head = { 'later.yaml': later, 'source.yaml': checked({ kind: 'Portal', current: 'true' }) };
    const judged = async (base: object) => {
      const { report } = await check(repo(head), repo({ 'one.yaml': base }));
      return report.findings.filter(({ message }: { message: string }) => message.includes('apiVersion'));
    };
    expect(await judged(any)).toMatchObject([{ severity: 'warning', assumes: [{ only: ['v1.6', 'next'] }] }]);
    expect(await judged(later)).toMatchObject([{ severity: 'error', assumes: [] }]);
  });

  test('may be a field that some releases do not have', async () => {
    const objects = { 'source.yaml': checked({ apiVersion: 'a.example/v1', kind: 'Portal', current: 'true' }) };
    const { release } = await check(repo(objects), repo(objects));
    expect(release).toMatchObject({
      possible: ['v1.6', 'next'],
      because: 'the base branch has PackageSource "own.portal"',
    });
  });

  test('tells the release where one alone has it', async () => {
    const base = repo({ 'coming.yaml': coming });
    const { release, worlds, text } = await check(repo({ 'coming.yaml': coming, 'any.yaml': any }), base);
    expect(release).toMatchObject({ value: 'next', source: 'evidence', file: 'coming.yaml' });
    expect(release).not.toHaveProperty('possible');
    expect(worlds).toEqual(['next']);
    expect(text).toContain('release next, as the base branch has Package "cozystack.computeplane-application"');
  });

  test.each([
    [
      'a configuration that names another',
      { '.customizer-lint.yaml': 'cluster: {release: v1.5.4}\n' },
      'config',
      'v1.5.4',
    ],
    [
      'a configuration of no known release',
      { '.customizer-lint.yaml': 'cluster: {release: v9.9.9}\n' },
      'assumed',
      'v9.9.9',
    ],
  ])('counts less than %s', async (_, config, source, value) => {
    const objects = { 'coming.yaml': coming };
    const { release } = await check(repo(objects, config), repo(objects, config));
    expect(release).toMatchObject({ source, value });
    expect(release).not.toHaveProperty('because');
  });

  test('is not what the change brings', async () => {
    const { release } = await check(repo({ 'any.yaml': any, 'coming.yaml': coming }), repo({ 'any.yaml': any }));
    expect(release).toMatchObject({ value: 'v1.6', source: 'assumed' });
  });

  test.each([
    [
      'is disabled',
      {
        ...coming,
        metadata: {
          name: 'cozystack.computeplane-application',
          annotations: { 'kustomize.toolkit.fluxcd.io/reconcile': 'disabled' },
        },
      },
    ],
    ['is of no release', platformPackage('of-nobody')],
  ])('says nothing where it %s', async (_, object) => {
    const objects = { 'one.yaml': object };
    const { release } = await check(repo(objects), repo(objects));
    expect(release).not.toHaveProperty('because');
  });
});

describe('the tag of the platform', () => {
  test.each([
    ['in the base', undefined, { tag: 'v1.5.4' }, 'v1.5.4'],
    ['in the change, before that of the base', { tag: 'v1.6.2' }, { tag: 'v1.5.4' }, 'v1.6.2'],
    ['without its v', { tag: '1.5.2' }, undefined, 'v1.5.2'],
  ])('%s is the release', async (_, head, base, value) => {
    const of = (ref: object | undefined) => repo({ 'any.yaml': any, ...(ref && { 'source.yaml': source(ref) }) });
    const { release, text } = await check(of(head), of(base));
    expect(release).toMatchObject({ value, source: 'manifest', file: 'source.yaml' });
    expect(text).toContain(`release ${value}, as OCIRepository "cozystack-packages" has that tag (source.yaml)`);
  });

  test.each([
    ['beside a digest', { tag: 'v1.5.4', digest: `sha256:${'0'.repeat(64)}` }],
    ['beside a range', { tag: 'v1.5.4', semver: '>= 1.5' }],
    ['that is no release', { tag: 'latest' }],
    ['of a release without data', { tag: 'v9.9.9' }],
  ])('says nothing %s', async (_, ref) => {
    const { release } = await check(repo({ 'source.yaml': source(ref) }));
    expect(release).toMatchObject({ value: 'v1.6', source: 'assumed' });
  });

  test('says nothing where what is there contradicts it, and neither does that', async () => {
    const objects = { 'source.yaml': source({ tag: 'v1.5.4' }), 'coming.yaml': coming };
    const { release } = await check(repo(objects), repo(objects));
    expect(release).toMatchObject({ value: 'v1.6', source: 'assumed' });
    expect(release).not.toHaveProperty('because');
  });

  test.each(['fork', 'same-repository'] as const)(
    'is believed of a change of the own repository: %s',
    async (trust) => {
      const directory = repo({ 'source.yaml': source({ tag: 'v1.6.2' }) });
      const base = repo({ 'source.yaml': source({ tag: 'v1.5.4' }) });
      const options = { home: root, directory, base, paths: [], remotes: [], trust };
      const release = await loadWorkspace(options, ({ clusters: [only] }) => only?.facts.get('release').value);
      expect(release).toBe(trust === 'fork' ? 'v1.5.4' : 'v1.6.2');
    },
  );

  test('says nothing where the one that is there is kept', async () => {
    const kept = source({ tag: 'v1.5.4' });
    const annotations = { 'kustomize.toolkit.fluxcd.io/ssa': 'IfNotPresent' };
    const { release } = await check(repo({ 'source.yaml': { ...kept, metadata: { ...kept.metadata, annotations } } }));
    expect(release).toMatchObject({ value: 'v1.6', source: 'assumed' });
  });

  test('says nothing of a source somewhere else', async () => {
    const { release } = await check(repo({ 'source.yaml': source({ tag: 'v1.5.4' }, 'cozy-customizer') }));
    expect(release).toMatchObject({ source: 'assumed' });
  });
});

describe('of releases made up', () => {
  const kinds: { [release: string]: string[] } = { one: ['A', 'AB', 'AC'], two: ['B', 'AB'], three: ['C', 'AC'] };
  const candidates = Object.entries(kinds).map(([release, served]) => ({
    release,
    contract: {
      catalog: { releasesWith: () => [], source: () => undefined },
      schemas: {
        find: (_: string, kind: string) =>
          served.includes(kind)
            ? { known: true, builtIn: true }
            : { known: false, why: 'unserved-version', served: [] },
      },
    },
  })) as unknown as Candidate[];
  const object = (kind: string, more: object = {}) =>
    ({ ref: { apiVersion: 'a.example/v1', kind, name: 'x' }, value: { ...more } }) as unknown as RenderedObject;
  const left = (names: string[], wanted = candidates) => {
    const evidence = evidenceIn({ base: presentObjects(names.map((name) => object(name))), head: [] }, () => wanted);
    return { releases: evidence.releases(), because: evidence.because()?.because };
  };

  test.each([
    [['AB'], ['one', 'two']],
    [['AB', 'AC'], ['one']],
    [['nowhere', 'A'], ['one']],
    [['nowhere'], ['one', 'two', 'three']],
  ])('%j leaves %j', (names, expected) => {
    expect(left(names).releases).toEqual(expected);
    expect(left([...names].reverse()).releases).toEqual(expected);
    expect([...left(names, [...candidates].reverse()).releases].reverse()).toEqual(expected);
  });

  test.each([[['A', 'B']], [['AB', 'C', 'A']], [['B', 'AC', 'A']]])(
    '%j contradicts itself, and leaves all',
    (names) => {
      const all = { releases: ['one', 'two', 'three'], because: undefined };
      expect(left(names)).toEqual(all);
      expect(left([...names].reverse())).toEqual(all);
    },
  );

  test.each([
    ['of anybody’s group says nothing, as somebody else may have brought it', 'b.example', ['one', 'two']],
    ['of Cozystack’s own group leaves what brings it', 'cozystack.io', ['one']],
    ['of Flux leaves what brings it', 'source.toolkit.fluxcd.io', ['one']],
    ['of a group below Cozystack’s leaves what brings it', 'apps.cozystack.io', ['one']],
    ['of a group that only ends alike says nothing', 'notcozystack.io', ['one', 'two']],
  ])('a kind %s', (_, group, expected) => {
    const of = ['one', 'two'].map((release) => ({
      release,
      contract: {
        catalog: { releasesWith: () => [], source: () => undefined },
        schemas: {
          find: () => (release === 'one' ? { known: true, builtIn: true } : { known: false, why: 'unknown-kind' }),
        },
      },
    })) as unknown as Candidate[];
    const ref = { apiVersion: `${group}/v1`, kind: 'Thing', name: 'x' };
    const evidence = evidenceIn(
      { base: presentObjects([{ ref, value: {} } as unknown as RenderedObject]), head: [] },
      () => of,
    );
    expect(evidence.releases()).toEqual(expected);
  });

  test('what leaves fewer is what is told', () => {
    expect(left(['AB', 'A']).because).toBe('the base branch has A "x"');
    expect(left(['A', 'AB']).because).toBe('the base branch has A "x"');
  });

  test('of several that each leave some, all are told', () => {
    expect(left(['AB', 'AC']).because).toBe('the base branch has AB "x" and AC "x"');
  });

  test('nothing is looked at before it is asked for', () => {
    const never = () => {
      throw new Error('asked');
    };
    expect(evidenceIn({ base: presentObjects([object('A')]), head: [] }, never).stated).toBeUndefined();
  });
});
