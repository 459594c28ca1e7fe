/** What the account that applies a directory may do. */
import { describe, expect, test } from '@jest/globals';
import { bothOf, type Permissions, permissionsOf } from '../../src/cluster/permissions.js';
import type { Entrypoint, JsonObject, ObjectRef } from '../../src/core/model.js';
import { knownOf } from '../support/known.js';
import { newest } from '../support/releases.js';

const { facts, contract } = knownOf({ release: newest });

const account = { namespace: 'n', name: 'x' };
const by = (one?: Entrypoint['account']): Entrypoint => ({
  ...{ path: '.', why: 'a test', kustomization: {} },
  ...(one && { account: one }),
});
const configMap = (namespace: string): ObjectRef => ({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'a' });

/** The role to write ConfigMaps, in one namespace or in all. */
function granted(namespace?: string): JsonObject[] {
  const [apiVersion, prefix] = ['rbac.authorization.k8s.io/v1', namespace === undefined ? 'Cluster' : ''];
  const metadata = { name: 'a', ...(namespace !== undefined && { namespace }) };
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['*'] }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: `${prefix}Role`, name: 'a' };
  const subjects = [{ kind: 'ServiceAccount', ...account }];
  return [
    { apiVersion, kind: `${prefix}Role`, metadata, rules },
    { apiVersion, kind: `${prefix}RoleBinding`, metadata, roleRef, subjects },
  ];
}

const of = (roles: JsonObject[] = []) => permissionsOf({ contract, facts, roles });
const may = (permissions: Permissions, one: Entrypoint['account'], object: ObjectRef) =>
  permissions.access(by(one), 'create', object).allowed;

describe('an account', () => {
  test('that is Flux itself may do all', () => {
    expect(may(of(), 'flux', configMap('anywhere'))).toBe(true);
  });

  test('that is the customizer’s may do what is documented, and is told what to do instead', () => {
    expect(may(of(), undefined, configMap('cozy-customizer'))).toBe(true);
    const refused = of().access(by(), 'create', configMap('anywhere'));
    expect(refused).toMatchObject({ allowed: false, missing: { namespace: 'anywhere' }, instead: expect.any(String) });
    expect(of().access(by(contract.rbac.account), 'create', configMap('anywhere'))).toEqual(refused);
  });

  test('of which no right is known may have any', () => {
    expect(of().access(by(account), 'create', configMap('n'))).toEqual({
      ...{ allowed: 'unknown', why: 'the roles of its service account are not known' },
    });
  });

  test('with rights in one namespace has them there, and nowhere else', () => {
    expect(may(of(granted('n')), account, configMap('n'))).toBe(true);
    expect(may(of(granted('n')), account, configMap('other'))).toBe(false);
  });

  test('with rights in the cluster has them everywhere, and no others', () => {
    expect(may(of(granted()), account, configMap('other'))).toBe(true);
    const secret = { apiVersion: 'v1', kind: 'Secret', namespace: 'other', name: 'a' };
    expect(may(of(granted()), account, secret)).toBe(false);
    expect(may(of([...granted(), ...granted('n')]), account, secret)).toBe(false);
  });

  test('is named as a message needs it', () => {
    expect([by(), by('flux'), by(account)].map((one) => of().accountName(one))).toEqual([
      ...['cozy-system/cozystack-customizer', 'Flux itself', 'n/x'],
    ]);
  });
});

test('of two answers a refusal counts, and an unknown one more than a right', () => {
  const [yes, no, unknown] = [of(granted()), of(granted('other')), of()];
  const both = (one: Permissions, other: Permissions) => may(bothOf(one, other), account, configMap('n'));
  expect(both(yes, yes)).toBe(true);
  expect([both(yes, no), both(no, yes), both(unknown, no), both(no, unknown)]).toEqual([false, false, false, false]);
  expect([both(yes, unknown), both(unknown, yes)]).toEqual(['unknown', 'unknown']);
});

test('a kind that nobody knows is served as nothing', () => {
  expect(of().resourceOf({ apiVersion: 'apps/v1', kind: 'Deployment' })).toEqual({
    ...{ group: 'apps', resource: 'deployments', namespaced: true },
  });
  expect(of().resourceOf({ apiVersion: 'example.org/v1', kind: 'Thing' })).toBeUndefined();
});
