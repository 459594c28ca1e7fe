import type { FieldPath, JsonObject, RenderedObject } from '../../core/model.js';
import { getString, groupOf, isObject, label } from '../../core/object.js';
import { oncePer } from '../../core/once.js';
import { rewritten } from '../../core/remedies.js';
import { nearest } from '../../core/suggest.js';
import type { Rule } from '../rule.js';

/** Fields that name an object of a kind, in the namespace of the one that has them unless they name another. */
const kindOf: { [field: string]: string } = {
  secretRef: 'Secret',
  secretKeyRef: 'Secret',
  certSecretRef: 'Secret',
  proxySecretRef: 'Secret',
  configMapRef: 'ConfigMap',
  configMapKeyRef: 'ConfigMap',
  providerRef: 'Provider',
  imageRepositoryRef: 'ImageRepository',
};

/** Lists whose items name a kind and an object of it. */
const lists = new Set(['valuesFrom', 'substituteFrom', 'eventSources']);

/** kustomize appends ten digits of a hash, some of them replaced by letters (sigs.k8s.io/kustomize/api 0.21.1, hasher/hasher.go). */
const hashed = /^(.+)-[2456789bcdfghkmt]{10}$/;

/** Where so many of one kind stand unused in one namespace, nobody means one of them. */
const most = 200;

/** Kinds of these groups are what the fields above name. */
const groups = new Set([
  '',
  ...['helm', 'image', 'kustomize', 'notification', 'source'].map((name) => `${name}.toolkit.fluxcd.io`),
]);

const messages = {
  notHere: (object: string, kind: string, name: string) =>
    `${object} refers to ${kind} "${name}", which does not exist in this repository`,
  renamed: (object: string, kind: string, name: string, now: string) =>
    `${object} refers to ${kind} "${name}", which kustomize has renamed to "${now}"`,
};

export default {
  id: 'unknown-reference',
  group: 'flux',
  severity: 'warning',
  summary:
    'a reference to a ConfigMap, a Secret or a Flux object has a misspelt name, or one without the hash that kustomize appends',
  messages,
  check({ objects, report }) {
    const references = objects.flatMap((object) => referencesOf(object));
    const there = new Set(objects.map(({ ref }) => keyOf(ref)));
    const unused = unusedIn(objects, new Set(references.map(({ target }) => keyOf(target))));
    for (const { object, path, target } of references) {
      if (there.has(keyOf(target))) continue;
      const { names = [], renamed: renames } = unused.get(placeOf(target)) ?? {};
      const renamed = renames?.get(target.name);
      const others = names.length > most ? [] : names.filter((name) => !isSibling(name, target.name));
      const meant = nearest(target.name, others);
      const at = { object, path };
      const words = [label(object.ref), target.kind, target.name] as const;
      if (renamed !== undefined)
        report({
          message: messages.renamed(...words, renamed),
          help: 'set disableNameSuffixHash: true in the options of the generator, or add a nameReference for the field',
          at,
        });
      else if (meant !== undefined)
        report({
          message: messages.notHere(...words),
          help: `did you mean "${meant}"?`,
          at,
          remedy: { ...rewritten(at, meant), safe: false },
        });
    }
  },
} satisfies Rule;

type Target = { kind: string; name: string; namespace: string };
type Reference = { object: RenderedObject; path: FieldPath; target: Target };

/** Kinds have one name each, so that their groups need not be compared. */
const placeOf = ({ kind, namespace = '' }: { kind: string; namespace?: string | undefined }) => `${kind} ${namespace}`;
const keyOf = (one: { kind: string; name: string; namespace?: string | undefined }) => `${placeOf(one)} ${one.name}`;

type Unused = { names: string[]; renamed: Map<string, string> };

/** What nothing refers to was most likely meant: by kind and namespace its names, and those that it had before kustomize renamed it. */
function unusedIn(objects: readonly RenderedObject[], used: ReadonlySet<string>): Map<string, Unused> {
  const found = new Map<string, Unused>();
  for (const { ref } of objects) {
    if (used.has(keyOf(ref)) || !groups.has(groupOf(ref.apiVersion))) continue;
    const place: Unused = found.get(placeOf(ref)) ?? { names: [], renamed: new Map() };
    found.set(placeOf(ref), place);
    place.names.push(ref.name);
    const [, before] = hashed.exec(ref.name) ?? [];
    if (before !== undefined) place.renamed.set(before, ref.name);
  }
  return found;
}

const referencesOf = oncePer((object: RenderedObject): readonly Reference[] => {
  const found: Reference[] = [];
  const add = (value: JsonObject, kind: string | undefined, path: FieldPath) => {
    const name = getString(value, ['name']);
    const namespace = getString(value, ['namespace']) ?? object.ref.namespace ?? '';
    if (kind !== undefined && name !== undefined && name !== '*')
      found.push({ object, path: [...path, 'name'], target: { kind, name, namespace } });
  };
  const walk = (value: unknown, path: FieldPath) => {
    if (Array.isArray(value)) {
      const isList = lists.has(String(path.at(-1)));
      for (const [index, item] of value.entries()) {
        if (isList && isObject(item)) add(item, getString(item, ['kind']), [...path, index]);
        walk(item, [...path, index]);
      }
    } else if (isObject(value as JsonObject))
      for (const [key, below] of Object.entries(value as JsonObject)) {
        if (Object.hasOwn(kindOf, key) && isObject(below)) add(below, kindOf[key], [...path, key]);
        walk(below, [...path, key]);
      }
  };
  walk(object.value, []);
  return found;
});

/** One of several that are told apart by numbers or short words (`db-1`, `db-2`; `web-app`, `web-api`) is not another one misspelt. */
function isSibling(one: string, other: string): boolean {
  const [a, b] = [one.split(/[-.]/), other.split(/[-.]/)];
  if (a.length !== b.length) return one.startsWith(other) || other.startsWith(one);
  const withoutDigits = (part = '') => part.replace(/\d/g, '');
  const isShort = (part = '') => part.length < 5;
  return a.every(
    (part, index) => withoutDigits(part) === withoutDigits(b[index]) || (isShort(part) && isShort(b[index])),
  );
}
