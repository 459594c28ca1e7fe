import { defined } from '../../core/defined.js';
import type { FieldPath, Json, JsonObject, Place, Rendered } from '../../core/model.js';
import { getString, groupOf, inventoryId, isObject, lookUp } from '../../core/object.js';
import { type FluxObject, fluxObjects, labelOf } from '../../flux/flux-objects.js';
import type { Rule, RuleContext } from '../rule.js';

const checks = ['spec', 'healthChecks'];
const exprs = ['spec', 'healthCheckExprs'];
const timeout = ['spec', 'timeout'];

const messages = {
  notWaitedFor: (object: string, missed: string) =>
    `${object} does not wait for ${missed}: with spec.wait: true Flux ignores healthChecks`,
  listIgnored: (object: string) => `${object} lists healthChecks, which Flux ignores because spec.wait is true`,
  waitsForItself: (object: string) => `${object} lists itself in healthChecks, which Flux ignores`,
  expressionsAlone: (object: string) =>
    `${object} has healthCheckExprs, which Flux evaluates only with spec.wait: true or with healthChecks`,
  expressionForNone: (object: string, kind: string | undefined) =>
    `${object} has a health expression for kind ${kind}, which healthChecks does not list, so Flux never evaluates it`,
  limitTooShort: (object: string, limit: string | undefined) =>
    `${object} limits its health checks to ${limit}, but Flux waits at least 30s`,
};

export default {
  id: 'ineffective-health-check',
  group: 'flux',
  severity: 'warning',
  summary: 'a Flux Kustomization has health checks that Flux ignores',
  messages,
  check(context) {
    const flux = fluxObjects(context.entrypoints, context.tree);
    for (const one of flux.filter(({ kind }) => kind === 'Kustomization')) {
      const listed = itemsAt(one.value, checks);
      const waits = lookUp(one.value, ['spec', 'wait']) === true;
      if (waits && listed.length > 0) passedOver(one, listed, context);
      if (!waits) itself(one, listed, context);
      if (!waits) judgeExpressions(one, listed, context);
      if (waits || listed.length > 0) judgeTimeout(one, context);
    }
  },
} satisfies Rule;

function passedOver(one: FluxObject, listed: Item[], { entrypoints, report }: RuleContext): void {
  const applied = appliedBy(one, entrypoints);
  const missed = applied && listed.find(({ item }) => !applied.has(idOf(item)));
  const name = missed && `${getString(missed.item, ['kind'])} "${getString(missed.item, ['name'])}"`;
  report({
    ...(applied && !missed && { severity: 'notice' as const }),
    message: name ? messages.notWaitedFor(labelOf(one), name) : messages.listIgnored(labelOf(one)),
    help: missed
      ? 'remove spec.wait and list every object to wait for; spec.wait covers only what the Flux Kustomization itself applies'
      : `remove healthChecks; spec.wait waits for all that it applies${applied ? '' : '; to wait for another object, remove spec.wait instead'}`,
    at: missed ? one.at([...missed.path, 'name']) : keyOf(one.at(checks)),
    related: [{ message: 'it waits for what it applies', at: one.at(['spec', 'wait']) }],
  });
}

function itself(one: FluxObject, listed: Item[], { report }: RuleContext): void {
  for (const { path } of listed.filter(({ item }) => isItself(item, one))) {
    report({
      message: messages.waitsForItself(labelOf(one)),
      help: 'list what it applies, or set spec.wait: true',
      at: one.at([...path, 'name']),
    });
  }
}

function judgeExpressions(one: FluxObject, listed: Item[], { report }: RuleContext): void {
  const expressions = itemsAt(one.value, exprs);
  if (expressions.length > 0 && listed.length === 0) {
    report({
      message: messages.expressionsAlone(labelOf(one)),
      help: 'set spec.wait: true, or list in spec.healthChecks what they are for',
      at: keyOf(one.at(exprs)),
    });
    return;
  }
  for (const { item, path } of expressions) {
    if (listed.some((other) => groupKind(other.item) === groupKind(item))) continue;
    report({
      message: messages.expressionForNone(labelOf(one), getString(item, ['kind'])),
      help: 'list in spec.healthChecks what it is for, or set spec.wait: true',
      at: one.at([...path, 'kind']),
    });
  }
}

function judgeTimeout(one: FluxObject, { report }: RuleContext): void {
  const written = getString(one.value, timeout);
  const limit = secondsOf(written);
  if (limit === undefined || limit >= 30) return;
  report({
    severity: 'notice',
    message: messages.limitTooShort(labelOf(one), written),
    help: 'set spec.timeout to 30s or more',
    at: one.at(timeout),
  });
}

type Item = { item: JsonObject; path: FieldPath };

function itemsAt(value: Json, path: FieldPath): Item[] {
  const list = lookUp(value, path);
  return (Array.isArray(list) ? list : []).flatMap((item, index) =>
    isObject(item) ? [{ item, path: [...path, index] }] : [],
  );
}

/** What it applies, by inventory; undefined where that is not rendered here. */
function appliedBy({ id }: FluxObject, entrypoints: readonly Rendered[]): Set<string> | undefined {
  const own = entrypoints.find(({ entrypoint: { kustomization: of } }) => `${of.namespace}/${of.name}` === id);
  return own?.ok ? new Set(own.objects.map(({ ref }) => inventoryId(ref))) : undefined;
}

function idOf(item: JsonObject): string {
  const namespace = getString(item, ['namespace']);
  return inventoryId({
    apiVersion: getString(item, ['apiVersion']) ?? '',
    kind: getString(item, ['kind']) ?? '',
    name: getString(item, ['name']) ?? '',
    ...defined({ namespace }),
  });
}

function isItself(item: JsonObject, { id }: FluxObject): boolean {
  return (
    getString(item, ['kind']) === 'Kustomization' &&
    `${getString(item, ['namespace'])}/${getString(item, ['name'])}` === id
  );
}

function groupKind(item: JsonObject): string {
  return `${groupOf(getString(item, ['apiVersion']) ?? '')}/${getString(item, ['kind'])}`;
}

const units: { [unit: string]: number } = { ms: 0.001, s: 1, m: 60, h: 3600 };

/** Undefined for what is no duration, or not here. */
function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/gy)];
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (units[unit ?? ''] ?? 0), 0);
}

function keyOf(place: Place): Place {
  return 'path' in place && !('removedBy' in place) ? { ...place, part: 'key' } : place;
}
