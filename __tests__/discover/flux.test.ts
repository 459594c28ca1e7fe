/** What a Flux Kustomization says of its build, and whether its source may be this repository. */
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/core/model.js';
import {
  accountOf,
  canBeThisRepository,
  fluxKustomization,
  isThisRepository,
  normalize,
  sourcesFor,
} from '../../src/discover/flux.js';

test.each([
  ['./apps/', 'apps'],
  ['apps//a/./b', 'apps/a/b'],
  ['/apps', 'apps'],
  ['apps/../other', 'other'],
  ['../../apps', 'apps'],
  ['./', '.'],
  ['', '.'],
  ['apps/..', '.'],
])('the path %j is %s', (path, expected) => {
  expect(normalize(path)).toBe(expected);
});

describe('of what a Flux Kustomization says', () => {
  const metadata = { name: 'a', namespace: 'n' };

  test('all that changes the build counts', () => {
    const spec = {
      ...{ targetNamespace: 'x', namePrefix: 'p-', nameSuffix: '-s', components: ['c'], ignoreMissingComponents: true },
      patches: [{ patch: '[]', target: { kind: 'ConfigMap' } }],
      images: [{ name: 'a', newTag: 'b' }],
      commonMetadata: { labels: { a: 'b' }, annotations: { c: 'd' } },
      postBuild: { substitute: { A: 'b' }, substituteFrom: [{ kind: 'ConfigMap', name: 'a', optional: true }] },
    };
    expect(fluxKustomization({ metadata, spec: { ...spec, path: './apps', prune: true } })).toEqual({
      ...metadata,
      ...spec,
    });
  });

  test('a field of another type than that of the API is left out', () => {
    const spec = { targetNamespace: 'x', namePrefix: 5, nameSuffix: ['-a'], ignoreMissingComponents: 'true' };
    expect(fluxKustomization({ metadata: { name: 'a' }, spec })).toEqual({ name: 'a', targetNamespace: 'x' });
    expect(fluxKustomization({ metadata: { name: 1 }, spec: [] as never })).toEqual({});
  });

  test('so is what is of another type in a list or in a map', () => {
    const spec = {
      ...{ patches: ['x', { patch: 1 }, { patch: 'p', target: 'x' }], images: ['x', { name: 'a', newTag: 1 }] },
      ...{ components: ['c', 1], commonMetadata: { labels: { a: 'b', c: 1 }, annotations: 'x' } },
      postBuild: { substitute: { A: 'b', B: null } },
    };
    expect(fluxKustomization({ spec } as JsonObject)).toEqual({
      ...{ patches: [{ patch: '' }, { patch: 'p' }], images: [{ name: 'a' }], components: ['c'] },
      ...{ commonMetadata: { labels: { a: 'b' } }, postBuild: { substitute: { A: 'b' } } },
    });
  });

  test('a source of variables without a kind or a name is none', () => {
    const substituteFrom = [{ kind: 'ConfigMap' }, { name: 'a' }, {}, { kind: 'Secret', name: 'a', optional: false }];
    expect(fluxKustomization({ spec: { postBuild: { substituteFrom } } })).toEqual({
      postBuild: { substituteFrom: [{ kind: 'Secret', name: 'a' }] },
    });
  });

  test('its account is that of its namespace, else Flux itself', () => {
    expect(accountOf({ metadata, spec: { serviceAccountName: 'x' } })).toEqual({ namespace: 'n', name: 'x' });
    expect(accountOf({ spec: { serviceAccountName: 'x' } })).toEqual({ namespace: '', name: 'x' });
    expect(accountOf({ metadata, spec: {} })).toBe('flux');
    expect(accountOf({ metadata, spec: { serviceAccountName: '' } })).toBe('flux');
  });
});

const kustomizationOf = (sourceRef: JsonObject): JsonObject => ({
  ...{ metadata: { name: 'apps', namespace: 'flux-system' }, spec: { sourceRef } },
});
const source = (kind: string, url?: string, namespace?: string): JsonObject => ({
  ...{ kind, apiVersion: 'source.toolkit.fluxcd.io/v1' },
  metadata: { name: 'a', ...(namespace && { namespace }) },
  spec: { ...(url !== undefined && { url }) },
});

test('a source is found by its kind, its name and its namespace, where these are known', () => {
  const sources = [source('GitRepository', 'x'), source('GitRepository', 'y', 'flux-system'), source('Bucket')];
  const urlsOf = (sourceRef: JsonObject) =>
    sourcesFor(kustomizationOf(sourceRef), sources).map(({ spec }) => (spec as JsonObject).url);
  expect(urlsOf({ kind: 'GitRepository', name: 'a' })).toEqual(['x', 'y']);
  expect(urlsOf({ kind: 'GitRepository', name: 'a', namespace: 'other' })).toEqual(['x']);
  expect(urlsOf({ kind: 'GitRepository', name: 'b' })).toEqual([]);
});

describe('what a directory is applied from', () => {
  test('may be a source that is not defined here, but no chart or artifact of another kind', () => {
    const can = (kind: string, ...sources: JsonObject[]) =>
      canBeThisRepository(kustomizationOf({ kind, name: 'a' }), sources, []);
    expect(can('GitRepository')).toBe(true);
    expect(can('GitRepository', source('GitRepository', 'https://git.example/a'))).toBe(true);
    expect(can('OCIRepository')).toBe(true);
    expect(can('OCIRepository', source('OCIRepository', 'oci://r.example/a'))).toBe(false);
    expect([can('Bucket'), can('ExternalArtifact')]).toEqual([false, false]);
  });

  test('is another repository only where all sources of that name are', () => {
    const can = (...urls: string[]) =>
      canBeThisRepository(
        kustomizationOf({ kind: 'GitRepository', name: 'a' }),
        urls.map((url) => source('GitRepository', url)),
        ['https://git.example/o/r'],
      );
    expect(can('https://git.example/o/other')).toBe(false);
    expect(can('https://git.example/o/other', 'https://git.example/o/r')).toBe(true);
  });

  const isThis = (url: string | undefined, ...remotes: string[]) =>
    isThisRepository(source('GitRepository', url), remotes);

  test('may be any where no remote is known, or the source names none', () => {
    expect([isThis('https://git.example/o/r'), isThis(undefined, 'https://git.example/o/r')]).toEqual([true, true]);
    expect(isThisRepository(source('OCIRepository', 'https://git.example/o/r'), [])).toBe(false);
  });

  test.each([
    'https://git.example/o/r.git',
    'https://git.example/o/r/',
    'https://www.git.example/o/r',
    'https://git.example./o/r',
    'HTTPS://Git.Example/O/R',
    'https://user:token@git.example/o/r',
    'https://git.example:8443/o/r',
    'https://git.example/o/r?a=b#c',
    'https://git.example/o/%72',
    'ssh://git@git.example/o/r.git',
    'ssh://git@git.example:22/o/r.git',
    'git@git.example:o/r.git',
    ' https://git.example//o/./r ',
  ])('is the same repository as %s', (url) => {
    expect(isThis(url, 'https://git.example/o/r')).toBe(true);
    expect(isThis('https://git.example/o/r', 'https://git.example/x', url)).toBe(true);
  });

  test.each([
    'https://git.example/o/other',
    'https://git.example/o/r/other',
    'https://git.example/o/fork@r',
    'https://other.example/o/r',
    'https://git.example/o/r.github',
    'https://git.example/o/%',
    'https://git.example/o:r',
  ])('is another repository than %s', (url) => {
    expect(isThis(url, 'https://git.example/o/r')).toBe(false);
  });

  test('is a forge by SSH over the port of HTTPS', () => {
    expect(isThis('ssh://git@ssh.github.com:443/o/r.git', 'https://github.com/o/r')).toBe(true);
    expect(isThis('ssh://git@altssh.gitlab.com:443/o/r.git', 'git@gitlab.com:o/r')).toBe(true);
    expect(isThis('ssh://git@altssh.bitbucket.org:443/o/r', 'https://bitbucket.org/o/r')).toBe(true);
  });

  test('has only .git at its very end as a second name', () => {
    expect(isThis('https://git.example/o/o.github.io.git', 'git@git.example:o/o.github.io')).toBe(true);
    expect(isThis('https://git.example/o/o.github.io', 'https://git.example/o/ohub.io')).toBe(false);
  });

  test('has only www. at its very begin as a second name', () => {
    expect(isThis('https://git.www.example/o/r', 'https://git.example/o/r')).toBe(false);
    expect(isThis('https://awww.example/o/r', 'https://aexample/o/r')).toBe(false);
  });
});
