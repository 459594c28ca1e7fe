import { dirname } from 'node:path/posix';
import { isDeepStrictEqual } from 'node:util';
import type { Entrypoint, RenderedObject } from '../../core/model.js';
import { inventoryId, label } from '../../core/object.js';
import { isApplied } from '../../flux/applied.js';
import { objectsNamed } from '../../flux/index-of.js';
import type { Rule, RuleContext } from '../rule.js';

const messages = {
  manyAlike: (applier: string, other: string, count: number) =>
    `Flux Kustomization "${applier}" applies ${count} objects that "${other}" applies as well: each labels them as its own, and what one of them drops is deleted though the other has it`,
  manyUnlike: (applier: string, other: string, count: number) =>
    `Flux Kustomization "${applier}" applies ${count} objects that "${other}" applies as well: they take the fields of these from each other at every reconcile`,
  alike: (object: string, one: string, other: string) =>
    `${object} is applied by the Flux Kustomizations "${one}" and "${other}": each labels it as its own, and if one of them drops it, it is deleted though the other has it`,
  unlike: (object: string, one: string, other: string) =>
    `${object} is applied by the Flux Kustomizations "${one}" and "${other}": they take its fields from each other at every reconcile`,
};

export default {
  id: 'shared-object',
  severity: 'error',
  summary: 'two Flux Kustomizations of one cluster apply the same object, and take it from each other',
  messages,
  check(context) {
    const appliers = context.entrypoints.flatMap((one) => (one.ok && one.entrypoint.kustomization.name ? [one] : []));
    const seen = new Map<string, Applied[]>();
    for (const second of appliers) {
      const isNear = remembered((first: Entrypoint) => isOneCluster(first, second.entrypoint, context));
      const shared = new Map<Entrypoint, Pair[]>();
      const applied = new Map(second.objects.filter(isApplied).map((object) => [inventoryId(object.ref), object]));
      for (const [id, object] of applied) {
        const before = seen.get(id) ?? [];
        for (const { by, object: other } of firstOf(before, ({ by }) => isNear(by), maxBefore))
          pairsOf(shared, by).push([other, object]);
        before.push({ by: second.entrypoint, object });
        seen.set(id, before);
      }
      for (const [first, pairs] of shared) reportPairs(pairs, first, second.entrypoint, context);
    }
  },
} satisfies Rule;

type Pair = [RenderedObject, RenderedObject];
type Applied = { by: Entrypoint; object: RenderedObject };

/** Of many that apply one object, a later one is held against this many before it. */
const maxBefore = 10;

function pairsOf(shared: Map<Entrypoint, Pair[]>, by: Entrypoint): Pair[] {
  const pairs = shared.get(by) ?? [];
  shared.set(by, pairs);
  return pairs;
}

function firstOf<Item>(items: readonly Item[], fits: (item: Item) => boolean, most: number): Item[] {
  const found: Item[] = [];
  for (const item of items) {
    if (found.length === most) break;
    if (fits(item)) found.push(item);
  }
  return found;
}

function remembered<Key, Value>(work: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    if (!known.has(key)) known.set(key, work(key));
    return known.get(key) as Value;
  };
}

/** Where one directory lies in the other they share everything: that is said once, where the inner one is named. */
const most = 3;

function reportPairs(pairs: Pair[], first: Entrypoint, second: Entrypoint, { report }: RuleContext): void {
  const [a, b] = [nameOf(first), nameOf(second)];
  const isSame = ([one, other]: Pair) => isDeepStrictEqual(one.value, other.value);
  if (pairs.length > most && second.declaredAt) {
    const same = pairs.every(isSame);
    report({
      message: (same ? messages.manyAlike : messages.manyUnlike)(b, a, pairs.length),
      help: 'let one of them leave them out; without a kustomization.yaml of its own a directory is all that is below it',
      at: second.declaredAt,
      entrypoint: second.path,
      ...(same && { severity: 'warning' as const }),
    });
    return;
  }
  for (const pair of pairs) {
    const [one, other] = pair;
    const place = (object: RenderedObject) => ({ object, path: ['metadata', 'name'] });
    report({
      message: (isSame(pair) ? messages.alike : messages.unlike)(label(other.ref), a, b),
      help: 'let one of them leave it out',
      at: place(other),
      ...(one.source?.file !== other.source?.file && {
        related: [{ message: 'applied from here too', at: place(one) }],
      }),
      ...(isSame(pair) && { severity: 'warning' as const }),
    });
  }
}

function nameOf({ kustomization: { namespace, name } }: Entrypoint): string {
  return namespace ? `${namespace}/${name}` : `${name}`;
}

/** Overlays of two clusters render the same objects, each for its own: what tells them apart is where Flux learns of them. */
function isOneCluster(first: Entrypoint, second: Entrypoint, { cluster, objects }: RuleContext): boolean {
  if (nameOf(first) === nameOf(second)) return false;
  if (cluster !== undefined) return true;
  const [one, other] = [first, second].map(({ declaredAt }) => declaredAt && dirname(declaredAt.file));
  if (one !== undefined && one === other) return true;
  const [above, beside] = [appliedFrom(first, objects), appliedFrom(second, objects)];
  return above.has(second.path) || beside.has(first.path) || [...above].some((path) => beside.has(path));
}

/** The entrypoints that apply the Flux Kustomization itself. */
function appliedFrom({ kustomization }: Entrypoint, objects: readonly RenderedObject[]): Set<string> {
  const { name, namespace } = kustomization;
  if (name === undefined) return new Set();
  const own = objectsNamed(objects, 'Kustomization', name).filter(
    ({ ref }) => ref.apiVersion.startsWith('kustomize.toolkit.fluxcd.io/') && ref.namespace === namespace,
  );
  return new Set(own.map(({ entrypoint }) => entrypoint));
}
