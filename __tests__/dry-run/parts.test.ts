/** Parts of a dry run that no server can be brought to show at will. */
import { existsSync, rmSync } from 'node:fs';
import type { Agent } from 'node:https';
import { describe, expect, jest, test } from '@jest/globals';
import { notKnown, type RefusedObject, type There } from '../../src/apiserver/refusals.js';
import type { RefusalReason } from '../../src/core/model.js';
import { untilEstablished } from '../../src/dry-run/apply.js';
import { ProcessGroup } from '../../src/dry-run/cleanup.js';
import { Client } from '../../src/dry-run/client.js';
import { startFake } from '../support/apiserver.js';

describe('a refusal by a cluster of our own', () => {
  /** Its platform is told with this change to own the namespace "tools". */
  const there = {
    ...{ ours: true, version: 'v1.35.4', objects: [] },
    cluster: {
      facts: { get: () => ({ name: 'ownedNamespaces', source: 'manifest', value: ['cozy-customizer', 'tools'] }) },
      contract: { rbac: { ownedNamespaces: ['cozy-customizer'] } },
      permissions: { access: () => ({ allowed: false }) },
      base: { objects: [], applied: [] },
    },
  } as unknown as There;
  const refused = (ref: object, message: string, reason: RefusalReason = 'forbidden') =>
    ({
      object: { ref, value: {} },
      rendered: { entrypoint: {} },
      refusal: { reason, causes: [{ path: ['metadata', 'name'], message }] },
    }) as unknown as RefusedObject;
  const metallb = { apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', name: 'cozystack.metallb' };
  const configMap = (namespace: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', namespace });

  test.each([
    [
      'that a Package may not be created says nothing',
      refused(metallb, 'User "x" cannot create resource "packages"'),
      'without a snapshot it is unknown whether such a Package exists',
    ],
    [
      'that a Package may not be patched counts',
      refused(metallb, 'User "x" cannot patch resource "packages"'),
      undefined,
    ],
    [
      'in a namespace that is only owned from now on says nothing',
      refused(configMap('tools'), 'User "x" cannot patch resource "configmaps"'),
      'their namespace is owned only once another part of the change is applied',
    ],
    [
      'in a namespace that is owned already counts',
      refused(configMap('cozy-customizer'), 'User "x" cannot patch resource "configmaps"'),
      undefined,
    ],
  ])('%s', (_, one, expected) => {
    expect(notKnown(one, there)).toBe(expected);
  });
});

test.each([
  [
    'why it is refused',
    [{ type: 'NamesAccepted', status: 'False', message: 'the name is taken' }],
    5,
    ': the name is taken',
  ],
  ['how long was waited for it', [{ type: 'NamesAccepted', status: 'True' }], -1, ' after -1 s'],
])('of a definition that is not served is said %s', async (_, conditions, seconds, words) => {
  const client = { ask: async () => ({ status: 200, body: { status: { conditions } } }) } as unknown as Client;
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.org';
  await expect(untilEstablished(client, path, seconds)).rejects.toThrow(
    `the definition things.example.org is not served${words}`,
  );
});

test('credentials that never come are not waited for once the time is up', async () => {
  const controller = new AbortController();
  const never = { server: 'http://127.0.0.1:1', options: () => new Promise<never>(() => {}), close: () => {} };
  const client = new Client(never, { writes: false, signal: controller.signal });
  const answer = client.ask({ method: 'GET', path: '/version' });
  controller.abort(new Error('it took longer than 2s'));
  await expect(answer).rejects.toThrow('it took longer than 2s');
}, 5000);

test('credentials are asked for anew after a minute', async () => {
  const server = await startFake();
  const now = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
  let asked = 0;
  const options = async () => {
    asked += 1;
    return { agent: undefined as unknown as Agent };
  };
  const credentials = { server: `http://127.0.0.1:${server.port}`, options, close: () => {} };
  const client = new Client(credentials, { writes: false, signal: new AbortController().signal });
  try {
    const counts: number[] = [];
    for (const after of [0, 59_999, 60_000]) {
      now.mockReturnValue(1_000_000 + after);
      await client.ask({ method: 'GET', path: '/version' });
      counts.push(asked);
    }
    expect(counts).toEqual([1, 1, 2]);
  } finally {
    now.mockRestore();
    await server.close();
  }
});

describe('the directory of what a run starts', () => {
  test('goes with the run', async () => {
    const den = new ProcessGroup();
    expect(existsSync(den.directory)).toBe(true);
    await den.close();
    expect(existsSync(den.directory)).toBe(false);
  });

  test('is watched by a process that keeps nobody waiting', async () => {
    const waited = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;
    const before = waited();
    const den = new ProcessGroup();
    expect(waited()).toBe(before);
    await den.close();
  });

  test('may be gone already', async () => {
    const den = new ProcessGroup();
    rmSync(den.directory, { recursive: true });
    await expect(den.close()).resolves.toBeUndefined();
  });
});

test('of a program what it prints is told apart from all that it says', async () => {
  const den = new ProcessGroup();
  try {
    const child = den.start('/bin/sh', ['-c', 'echo printed; echo wrong >&2']);
    expect(await child.ended).toBe(0);
    expect(child.output).toBe('printed\n');
    expect(child.said.split('\n').sort()).toEqual(['', 'printed', 'wrong']);
  } finally {
    await den.close();
  }
});
