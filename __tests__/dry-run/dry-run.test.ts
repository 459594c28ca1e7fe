/** A dry run on a server of our own, in whose place one answers as told: what is left there before it is asked, and what it says. */
import { Agent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Fake, type Recorded, startFake } from '../support/apiserver.js';
import { configMap, createRepo, type Files, kustomization, removeRepo } from '../support/trees.js';

let server: Fake;
let stopped = 0;
const envtest = await import('../../src/dry-run/envtest.js');
jest.unstable_mockModule('../../src/dry-run/envtest.js', () => ({ ...envtest, startEnvtest }));
const { runHere } = await import('../support/here.js');

async function startEnvtest() {
  const agent = new Agent() as unknown as HttpsAgent;
  const options = async () => ({ agent });
  const credentials = { server: `http://127.0.0.1:${server.port}`, options, close: () => {} };
  return {
    credentials,
    stop: async () => {
      stopped += 1;
    },
  };
}

const folders: string[] = [];
beforeEach(() => {
  stopped = 0;
});
afterEach(async () => {
  await server?.close();
  for (const folder of folders.splice(0)) removeRepo(folder);
});

const config = {
  '.customizer-lint.yaml': 'cluster: {release: v1.6.2, variant: isp-full, ownedNamespaces: [cozy-customizer]}\n',
};
const established = { status: { conditions: [{ type: 'Established', status: 'True' }] } };

function planted(...manifests: string[]): string {
  const names = manifests.map((_, index) => `m${index}.yaml`);
  const files: Files = { ...config, 'kustomization.yaml': kustomization({ resources: names }) };
  for (const [index, name] of names.entries()) files[name] = manifests[index] as string;
  const folder = createRepo(files);
  folders.push(folder);
  return folder;
}

type Write = { name: string; data?: Record<string, string>; url: URL; as: string | undefined };

/** What is asked of it about objects of the repository, in its order. */
async function asked(head: string, base: string | undefined, ...recorded: Recorded[]) {
  const definitions = 'GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions/';
  server = await startFake([...recorded, { to: definitions, status: 200, body: established }]);
  const args = ['check', head, '--format', 'json', '--dry-run=envtest', ...(base ? ['--base', base] : [])];
  const report = JSON.parse((await runHere(args)).stdout);
  const begin = server.heard.findLastIndex(({ url }) => url.endsWith('/subjectaccessreviews'));
  const writes = server.heard.slice(begin + 1).flatMap(({ method, url, body, headers }): Write[] => {
    if (method !== 'PATCH') return [];
    const { metadata, data } = JSON.parse(body);
    const as = headers['impersonate-user'] as string | undefined;
    return [{ name: metadata.name, data, url: new URL(url, 'http://x'), as }];
  });
  return { report, run: report.dryRun?.[0], writes };
}

const words = ({ name, data, url, as }: Write) =>
  [
    ...[name, ...(data?.a === undefined ? [] : [data.a]), url.searchParams.has('dryRun') ? 'asked' : 'written'],
    ...(url.searchParams.get('force') === 'true' ? ['with force'] : []),
    ...(as === undefined ? ['as nobody'] : []),
  ].join(' ');

const customized = (kind: string, name: string, more: object = {}, apiVersion = 'v1') =>
  JSON.stringify({ apiVersion, kind, metadata: { name, namespace: 'cozy-customizer' }, ...more });
const once = (name: string, a: string) => {
  const object = JSON.parse(configMap(name, { a }));
  object.metadata.annotations = { 'kustomize.toolkit.fluxcd.io/ssa': 'IfNotPresent' };
  return JSON.stringify(object);
};

describe('before it is asked', () => {
  test('what was applied before the change is left there, whoever else has a field of it', async () => {
    const [head, base] = [planted(configMap('a', { a: 'new' })), planted(configMap('a', { a: 'old' }))];
    const { run, writes } = await asked(head, base);
    expect(run).toMatchObject({ server: 'envtest', asked: 1, refused: [] });
    expect(writes.map(words)).toEqual(['a old written with force as nobody', 'a new asked']);
    expect(stopped).toBe(1);
  });

  test('nothing is left there where there is no base', async () => {
    const { writes } = await asked(planted(configMap('a', { a: 'new' })), undefined);
    expect(writes.map(words)).toEqual(['a new asked']);
  });

  test('what is there, and is only made where it is not, is left as it is', async () => {
    const [head, base] = [planted(once('a', 'new')), planted(once('a', 'old'))];
    const path = '/api/v1/namespaces/cozy-customizer/configmaps/a';
    expect((await asked(head, base, { to: `GET ${path}`, status: 200 })).writes.map(words)).toEqual([]);
    await server.close();
    expect((await asked(head, base)).writes.map(words)).toEqual(['a old written with force as nobody', 'a new asked']);
  });

  test('a Package that nobody has made is not made, and one that is there is changed', async () => {
    const metallb = (a: string) =>
      JSON.stringify({
        ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', metadata: { name: 'cozystack.metallb' } },
        spec: { components: { metallb: { values: { metallb: { a } } } } },
      });
    const [head, base] = [planted(metallb('new')), planted(metallb('old'))];
    const of = ({ writes }: { writes: Write[] }) => writes.map(({ url }) => url.searchParams.has('dryRun'));
    expect(of(await asked(head, base))).toEqual([true]);
    await server.close();
    const to = 'GET /apis/cozystack.io/v1alpha1/packages/cozystack.metallb';
    expect(of(await asked(head, base, { to, status: 200 }))).toEqual([false, true]);
  });

  test('what it does not serve, or refuses, was not there', async () => {
    const base = planted(configMap('a', { a: 'old' }), customized('Thing', 't', {}, 'example.org/v1'));
    const path = 'PATCH /api/v1/namespaces/cozy-customizer/configmaps/a';
    const { report, writes } = await asked(planted(configMap('a', { a: 'new' })), base, {
      ...{ to: path, status: 422, body: { message: 'no' }, times: 1 },
    });
    expect(writes.map(words)).toEqual(['a old written with force as nobody', 'a new asked']);
    expect(report.dryRun[0].refused).toEqual([]);
  });
});

describe('what the rest needs is applied, and not only asked', () => {
  const namespace = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tools' } });
  const path = 'PATCH /api/v1/namespaces/tools';

  test('a Namespace, where it is accepted', async () => {
    const { writes } = await asked(planted(namespace, configMap('a', { a: 'x' })), undefined);
    expect(writes.map(words)).toEqual([...['tools asked', 'tools written with force', 'a x asked']]);
  });

  test('a definition, so that objects of its kind can be asked, once it is served', async () => {
    const definition = JSON.stringify({
      ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
      metadata: { name: 'things.example.org' },
      spec: {
        ...{ group: 'example.org', scope: 'Namespaced', names: { kind: 'Thing', plural: 'things' } },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    });
    const thing = customized('Thing', 't', {}, 'example.org/v1');
    const resources = [{ name: 'things', kind: 'Thing', namespaced: true }];
    const group = 'GET /apis/example.org/v1';
    const until = 'GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.org';
    const answers: Recorded[] = [
      { to: until, status: 200, body: {}, times: 2 },
      { to: group, status: 200, body: { resources } },
    ];
    const { run, writes } = await asked(planted(definition, thing), undefined, ...answers);
    expect(run.refused).toEqual([]);
    expect(writes.map(words)).toEqual([
      ...['things.example.org asked', 'things.example.org written with force', 't asked'],
    ]);
    const asksForIt = server.heard.filter(({ method, url }) => `${method} ${url}`.startsWith(until));
    expect(asksForIt).toHaveLength(3);
    await server.close();
    // Its kind was looked for before, and was not there.
    const before = { to: group, status: 404, times: 1 };
    const again = await asked(planted(definition, thing), planted(thing), before, ...answers.slice(1), {
      ...{ to: until, status: 200, body: established },
    });
    expect(again.writes.map(words)).toEqual(writes.map(words));
  });

  test('but not where it is refused', async () => {
    const answer = { status: 422, body: { kind: 'Status', reason: 'Invalid', message: 'no' } };
    const { run, writes } = await asked(planted(namespace), undefined, { to: `${path}?`, ...answer });
    expect(writes.filter(({ url }) => !url.searchParams.has('dryRun'))).toEqual([]);
    expect(run.refused).toMatchObject([{ reason: 'invalid', object: { name: 'tools' } }]);
  });

  test('and where it is refused only then, that counts', async () => {
    const answer = { status: 422, body: { kind: 'Status', reason: 'Invalid', message: 'not after all' } };
    const to = `${path}?fieldManager=kustomize-controller&force=true`;
    const { run } = await asked(planted(namespace), undefined, { to, ...answer });
    expect(run.refused).toMatchObject([{ object: { name: 'tools' }, message: expect.stringContaining('not after') }]);
  });
});
