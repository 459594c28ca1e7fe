/** The commands that give fields back, and what has to be done in the repository, from what an audit has found. */
import { describe, expect, test } from '@jest/globals';
import type { Audit, AuditFinding } from '../../src/audit/audit.js';
import type { Live } from '../../src/audit/live.js';
import { recoveryOf } from '../../src/audit/recovery.js';
import type { Json, JsonObject } from '../../src/core/model.js';
import { knownOf } from '../support/known.js';
import { newest } from '../support/releases.js';

const { contract } = knownOf({ release: newest });

const flux = { manager: 'kustomize-controller', operation: 'Apply' };
const kubectl = { manager: 'kubectl-edit', operation: 'Update' };
const merge = { annotations: { 'kustomize.toolkit.fluxcd.io/ssa': 'Merge' } };
const platform = 'cozystack-platform';

/** A Package as the cluster has it: what Flux applies has an entry of Flux. */
function packageOf(name: string, spec: JsonObject = {}, { isFlux = false, ...metadata }: JsonObject = {}) {
  const managedFields = isFlux ? [{ ...flux, fieldsV1: { 'f:spec': { 'f:variant': {} } } }] : [];
  return { name: `cozystack.${name}`, value: { metadata: { name, managedFields, ...metadata }, spec } as JsonObject };
}

function finding(name: string, kind: AuditFinding['kind'], more: Partial<AuditFinding> = {}): AuditFinding {
  const fields = more.fields ?? [['spec', 'variant']];
  const now = { value: 'other' as Json, path: fields[0] ?? [] };
  const owner = name === platform ? 'administrator' : 'helm';
  return {
    package: `cozystack.${name}`,
    kind,
    fields,
    now,
    owner,
    set: 'default',
    by: [kubectl],
    assumes: [],
    ...more,
  };
}

/** Each step as it is run, or as it is said where there is nothing to run. */
function steps(packages: Live['packages'], findings: AuditFinding[], helm: Audit['helm'] = 'Update'): string[] {
  const audit = { packages: packages.length, emitted: 1, ...(helm && { helm }), findings };
  return recoveryOf(audit, { packages, contract } as Live).map(({ why, command }) => command ?? why);
}

const patch = (name: string, spec: object, more = '') =>
  `kubectl patch packages.cozystack.io cozystack.${name} --type merge --patch '${JSON.stringify({ spec })}'${more}`;
const asHelm = ' --field-manager=helm-controller';
const suspend = (isSuspended: boolean, name = 'cozystack-customizer', namespace = 'cozy-system') =>
  `kubectl --namespace ${namespace} patch kustomizations.kustomize.toolkit.fluxcd.io ${name} --type merge --patch '{"spec":{"suspend":${isSuspended}}}'`;
const annotate = (name: string) =>
  `kubectl annotate packages.cozystack.io cozystack.${name} --overwrite kustomize.toolkit.fluxcd.io/ssa=Merge`;
const keep = (name: string) =>
  `in the repository, give the manifest of cozystack.${name} the annotation kustomize.toolkit.fluxcd.io/ssa: Merge`;
const commit = 'commit that and push it';

test('there is nothing to do where nothing is taken, or that is only assumed', () => {
  const one = packageOf('metallb');
  expect(steps([one], [])).toEqual([]);
  expect(steps([one], [finding('metallb', 'shared'), finding('metallb', 'odd')])).toEqual([]);
  expect(steps([one], [finding('metallb', 'taken', { assumes: ['variant'] })])).toEqual([]);
});

describe('of a Package that the chart makes', () => {
  test('Helm applies its chart again, once for all of them', () => {
    const [first, ...others] = steps(
      [packageOf('metallb'), packageOf('linstor')],
      [finding('metallb', 'taken'), finding('linstor', 'lost')],
      'Apply',
    );
    expect(others).toEqual([]);
    const release = 'helmreleases.helm.toolkit.fluxcd.io cozystack-platform';
    expect(first?.split(' && ')).toEqual([
      'now=$(date +%s)',
      `kubectl --namespace cozy-system annotate ${release} --overwrite reconcile.fluxcd.io/requestedAt=$now reconcile.fluxcd.io/forceAt=$now`,
      `kubectl --namespace cozy-system wait ${release} --for=jsonpath='{.status.lastHandledForceAt}'=$now`,
      `kubectl --namespace cozy-system wait ${release} --for=condition=Ready --timeout=15m`,
    ]);
  });

  test('its own fields are written in the name of Helm where that does not apply it, and none of another Package', () => {
    const packages = [packageOf('metallb'), packageOf('linstor')];
    const field = ['spec', 'components', 'linstor', 'values', 'a'];
    const found = [finding('metallb', 'taken'), finding('linstor', 'taken', { fields: [field], set: { b: "it's" } })];
    expect(steps(packages, found)).toEqual([
      patch('metallb', { variant: 'default' }, asHelm),
      `kubectl patch packages.cozystack.io cozystack.linstor --type merge --patch '{"spec":{"components":{"linstor":{"values":{"a":{"b":"it'\\''s"}}}}}}'${asHelm}`,
    ]);
  });

  test('what has the right value is applied with all that Helm has applied before', () => {
    const fieldsV1 = { 'f:spec': { 'f:components': { 'f:a': { 'f:values': { 'f:b': {} } } } } };
    const managedFields = [{ manager: 'helm-controller', operation: 'Apply', fieldsV1 }];
    const one = packageOf(
      'metallb',
      { variant: 'default', components: { a: { values: { b: 1 } } } },
      { managedFields },
    );
    const now = { value: 'default', path: ['spec', 'variant'] };
    const whole = {
      ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', metadata: { name: 'cozystack.metallb' } },
      spec: { components: { a: { values: { b: 1 } } }, variant: 'default' },
    };
    expect(steps([one], [finding('metallb', 'taken', { now })])).toEqual([
      `printf %s '${JSON.stringify(whole)}' | kubectl apply --server-side --force-conflicts${asHelm} --filename -`,
    ]);
  });

  test('a value that is not known has to be looked up', () => {
    const { set: _, ...unknown } = finding('metallb', 'lost');
    expect(steps([packageOf('metallb')], [unknown])).toEqual([
      expect.stringMatching(
        /^write spec\.variant of cozystack\.metallb in the same way, .* get manifest cozystack-platform shows$/,
      ),
    ]);
  });
});

describe('of the platform itself', () => {
  const own = (kind: AuditFinding['kind'] = 'taken') => finding(platform, kind, { set: 'isp-full' });

  test('the administrator writes what it is, and the repository keeps Flux from taking it again', () => {
    expect(steps([packageOf(platform)], [own()])).toEqual([
      annotate(platform),
      patch(platform, { variant: 'isp-full' }),
      `kubectl get packages.cozystack.io cozystack.${platform} --output json | kubectl apply --server-side --force-conflicts --filename -`,
      ...[keep(platform), commit],
    ]);
  });

  test('what is gone comes back from the file that it was made from', () => {
    const [, , file] = steps([packageOf(platform)], [own('lost')]);
    expect(file).toMatch(/^bring back all else that Flux has removed: kubectl apply --server-side /);
  });

  test('a value that is not known is said', () => {
    const { set: _, ...unknown } = own();
    const [, open] = steps([packageOf(platform)], [unknown]);
    expect(open).toMatch(/^write spec\.variant as it was when the platform was installed; /);
  });

  test('is not annotated where it is already', () => {
    expect(steps([packageOf(platform, {}, merge)], [own()])[0]).toBe(patch(platform, { variant: 'isp-full' }));
  });
});

describe('while Flux applies a Package', () => {
  const byFlux = { by: [flux] };

  test('it is held, and goes on when the repository has let go', () => {
    expect(steps([packageOf('metallb', {}, { isFlux: true })], [finding('metallb', 'taken', byFlux)])).toEqual([
      suspend(true),
      patch('metallb', { variant: 'default' }, asHelm),
      'in the repository, take spec.variant out of the manifest of cozystack.metallb',
      commit,
      suspend(false),
    ]);
  });

  test('each Kustomization is held once, under the name that it has', () => {
    const labels = (name: string) => ({
      'kustomize.toolkit.fluxcd.io/name': name,
      'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
    });
    const of = (name: string, kustomization: string) =>
      packageOf(name, {}, { isFlux: true, labels: labels(kustomization) });
    const packages = [of('metallb', 'a'), of('linstor', 'b'), of('kubevirt', 'a')];
    const found = ['metallb', 'linstor', 'kubevirt'].map((name) => finding(name, 'taken', byFlux));
    const held = steps(packages, found).filter((command) => command.includes('"suspend":true'));
    expect(held).toEqual([suspend(true, 'a', 'flux-system'), suspend(true, 'b', 'flux-system')]);
  });

  test('what it is about to remove is kept by an annotation, at once and in the repository', () => {
    expect(steps([packageOf('metallb', {}, { isFlux: true })], [finding('metallb', 'doomed')])).toEqual([
      ...[suspend(true), annotate('metallb'), keep('metallb'), commit, suspend(false)],
    ]);
  });
});
