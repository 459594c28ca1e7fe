import { isDeepStrictEqual } from 'node:util';
import type { FieldPath, Json, RenderedObject, Tree } from '../../core/model.js';
import { formatPath, getString, groupOf, inventoryId, isObject, label, lookUp } from '../../core/object.js';
import { documentValue } from '../../yaml/documents.js';
import type { Rule, RuleContext } from '../rule.js';

const messages = {
  usedHasChanged: (realmImport: string, used: string) =>
    `${realmImport} uses ${used}, which changes, but an import only creates realms and never updates an existing one`,
  importHasChanged: (realmImport: string, field: string) =>
    `${realmImport} changes ${field}, but an import only creates realms and never updates an existing one`,
  renderedAsBefore: (realmImport: string) =>
    `${realmImport} changes in its manifest but is rendered as before, so the change has no effect`,
};

export default {
  id: 'realm-import-not-rerun',
  group: 'flux',
  severity: 'warning',
  summary: 'the content of a realm import changes, but an import never updates an existing realm',
  messages,
  needsBase: true,
  check(context) {
    const { objects, base } = context;
    if (!base) return;
    const before = new Map(base.objects.map((object) => [inventoryId(object.ref), object]));
    for (const object of objects.filter(isImport)) {
      const old = before.get(inventoryId(object.ref));
      // What bears another name is another realm, and that is created.
      if (!old || !isDeepStrictEqual(lookUp(object.value, realmName), lookUp(old.value, realmName))) continue;
      judgeUsed(object, base, context);
      if (isDeepStrictEqual(old.value, object.value)) judgeManifest(object, old, base, context);
      else judgeImport(object, old, context);
    }
  },
} satisfies Rule;

const realmName = ['spec', 'realm', 'realm'];
const help = 'change it in Keycloak, with its console or API, or import a realm of another name';

type Base = NonNullable<RuleContext['base']>;

function judgeUsed(object: RenderedObject, base: Base, { objects, report }: RuleContext): void {
  for (const { kind, name, path } of usedBy(object)) {
    const [now, then] = [objects, base.objects].map((all) => all.find((one) => isThat(one, kind, name, object)));
    if (!now || !then || isDeepStrictEqual(contentOf(now), contentOf(then))) continue;
    report({
      message: messages.usedHasChanged(label(object.ref), label({ kind, name })),
      help,
      at: { object, path },
      related: [{ message: 'changed here', at: { object: now, path: changedKey(now, then) } }],
    });
  }
}

function judgeImport(object: RenderedObject, old: RenderedObject, { report }: RuleContext): void {
  for (const field of ['realm', 'placeholders']) {
    const path = ['spec', field];
    const changed = firstChange(lookUp(object.value, path), lookUp(old.value, path), path);
    if (!changed) continue;
    report({
      message: messages.importHasChanged(label(object.ref), formatPath(changed)),
      help,
      at: { object, path: changed },
    });
  }
}

/** The field that is another, the first in the order of the new value; where something is only taken out, what had it. */
function firstChange(now: Json | undefined, then: Json | undefined, path: FieldPath): FieldPath | undefined {
  if (isDeepStrictEqual(now, then)) return undefined;
  if (!isObject(now) || !isObject(then)) return path;
  const added = Object.keys(now).find((key) => !isDeepStrictEqual(now[key], then[key]));
  return added === undefined ? path : firstChange(now[added], then[added], [...path, added]);
}

function judgeManifest(object: RenderedObject, old: RenderedObject, base: Base, { tree, report }: RuleContext): void {
  const [written, wrote] = [asWritten(object, tree), asWritten(old, base.tree)];
  if (written === null || wrote === null || isDeepStrictEqual(written, wrote)) return;
  report({
    message: messages.renderedAsBefore(label(object.ref)),
    help: 'find what overrides the change, and make the change there',
    at: { object, path: ['metadata', 'name'] },
  });
}

function isImport({ ref }: RenderedObject): boolean {
  return ref.kind === 'KeycloakRealmImport' && groupOf(ref.apiVersion) === 'k8s.keycloak.org';
}

type Used = { kind: 'Secret' | 'ConfigMap'; name: string; path: FieldPath };

/** Placeholders take their values from Secrets; a pod template may mount more. What is below `realm` is Keycloak's own. */
function usedBy({ value }: RenderedObject): Used[] {
  const spec = isObject(value.spec) ? value.spec : {};
  return Object.keys(spec)
    .filter((key) => key !== 'realm')
    .flatMap((key) => [...refsIn(spec[key] as Json, ['spec', key])]);
}

function* refsIn(value: Json, path: FieldPath): Generator<Used> {
  if (value === null || typeof value !== 'object') return;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const below = (value as { [key: string | number]: Json })[key] as Json;
    const kind = /^secret(Ref|KeyRef)?$/.test(String(key))
      ? 'Secret'
      : /^configMap(Ref|KeyRef)?$/.test(String(key))
        ? 'ConfigMap'
        : undefined;
    const field = kind && ['name', 'secretName'].find((one) => getString(below, [one]) !== undefined);
    if (kind && field) yield { kind, name: getString(below, [field]) as string, path: [...path, key, field] };
    else yield* refsIn(below, [...path, key]);
  }
}

function isThat({ ref }: RenderedObject, kind: string, name: string, by: RenderedObject): boolean {
  return ref.apiVersion === 'v1' && ref.kind === kind && ref.name === name && ref.namespace === by.ref.namespace;
}

function contentOf({ value }: RenderedObject): Json[] {
  return ['data', 'stringData', 'binaryData'].map((key) => value[key] ?? {});
}

function changedKey(now: RenderedObject, then: RenderedObject): FieldPath {
  for (const place of ['data', 'stringData', 'binaryData']) {
    const [after, before] = [now, then].map(({ value }) => (isObject(value[place]) ? value[place] : {})) as [
      { [key: string]: Json },
      { [key: string]: Json },
    ];
    const key = Object.keys(after).find((one) => !isDeepStrictEqual(after[one], before[one]));
    if (key !== undefined) return [place, key];
  }
  return ['metadata', 'name'];
}

/** As it is written, its comments left out; null where that cannot be told. */
function asWritten({ source }: RenderedObject, tree: Tree): Json {
  return source ? documentValue(source.file, source.document, tree) : null;
}
