/** The changes that must be red: what is written, what it looks like while it is harmless, and how it is told once applied. */
import type { Json, JsonObject } from '../../../src/core/model.js';
import { lookUp } from '../../../src/core/object.js';

export type Path = readonly (string | number)[];

/** An object that is one thing with `value` in `field`, and another with `decoy` (without the field, where that is undefined). */
export type Target = { object: JsonObject; field: Path; value: Json; decoy?: Json };

export type Harm = Target & {
  /** The rules that say so, and what such a message names besides: the same patch may do other harm. */
  rules: readonly string[];
  names?: readonly string[];
  /** Whether an object that Flux applies does it. */
  isIn(object: JsonObject): boolean;
  /** True if the change does the harm, for harm that only both revisions together show. */
  happens?(after: readonly JsonObject[], before: readonly JsonObject[]): boolean;
};

const flux = 'kustomize.toolkit.fluxcd.io';
const kept = { [`${flux}/ssa`]: 'Merge', [`${flux}/prune`]: 'disabled' };
const packageOf = (name: string, spec: JsonObject, annotations: JsonObject = kept): JsonObject => ({
  apiVersion: 'cozystack.io/v1alpha1',
  kind: 'Package',
  metadata: { name, annotations },
  spec,
});
const isPackage = (object: JsonObject, name: string) =>
  object.kind === 'Package' &&
  String(object.apiVersion).startsWith('cozystack.io/') &&
  lookUp(object, ['metadata', 'name']) === name;

export const tuned = packageOf('cozystack.metallb', {
  components: { metallb: { values: { metallb: { speaker: { logLevel: 'debug' } } } } },
});
const variant: Harm = {
  object: tuned,
  field: ['spec', 'variant'],
  value: 'oidc',
  rules: ['chart-owned-field'],
  isIn: (object) => isPackage(object, 'cozystack.metallb') && lookUp(object, ['spec', 'variant']) !== undefined,
};
const address: Path = ['spec', 'components', 'cilium', 'values', 'cilium', 'k8sServiceHost'];

export const harms: Record<string, Harm> = {
  variant,
  'another variant': {
    ...variant,
    decoy: 'default',
    isIn: (object) => variant.isIn(object) && lookUp(object, ['spec', 'variant']) !== 'default',
  },
  'chart value': {
    object: packageOf('cozystack.networking', {
      components: { cilium: { values: { cilium: { debug: { enabled: true } } } } },
    }),
    field: address,
    value: '192.0.2.1',
    rules: ['chart-owned-value'],
    isIn: (object) => isPackage(object, 'cozystack.networking') && lookUp(object, [...address]) !== undefined,
  },
  'forbidden namespace': {
    object: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings', namespace: 'cozy-customizer' },
      data: { greeting: 'hello' },
    },
    field: ['metadata', 'namespace'],
    value: 'kube-system',
    decoy: 'cozy-customizer',
    rules: ['forbidden-object', 'shared-object'],
    names: ['"settings"', '"kube-system"'],
    isIn: (object) =>
      object.kind === 'ConfigMap' &&
      lookUp(object, ['metadata', 'name']) === 'settings' &&
      lookUp(object, ['metadata', 'namespace']) === 'kube-system',
  },
  takeover: {
    object: packageOf('cozystack.cozystack-platform', {
      components: { platform: { values: { publishing: { host: 'example.org' } } } },
    }),
    field: ['metadata', 'annotations', `${flux}/ssa`],
    value: 'Override',
    decoy: 'Merge',
    rules: ['kubectl-takeover'],
    isIn: (object) =>
      isPackage(object, 'cozystack.cozystack-platform') &&
      !['annotations', 'labels'].some((key) =>
        /^merge$/i.test(String(lookUp(object, ['metadata', key, `${flux}/ssa`]))),
      ),
  },
};

/** A copy with the value in the field; undefined takes the field out. */
export function withField(object: JsonObject, [step, ...rest]: Path, value: Json | undefined): JsonObject {
  const copy: JsonObject = { ...object };
  const key = String(step);
  if (rest.length > 0) copy[key] = withField((copy[key] as JsonObject | undefined) ?? {}, rest, value);
  else if (value === undefined) delete copy[key];
  else copy[key] = value;
  return copy;
}

/** The object as it is when the harm is done, or as it is before. */
export function shown({ object, field, value, decoy }: Target, isHarmful: boolean): JsonObject {
  return withField(object, field, isHarmful ? value : decoy);
}
