import { dirname } from 'node:path/posix';
import { isDeepStrictEqual } from 'node:util';
import type { Entrypoint, RenderedObject } from '../../core/model.js';
import { inventoryId, label } from '../../core/object.js';
import { customizer } from '../../cozystack/customizer.js';
import { isApplied } from '../../flux/applied.js';
import { sourceRefAt } from '../../flux/flux-objects.js';
import { objectsNamed } from '../../flux/index-of.js';
import { type Built, isBuilt } from '../../flux/prune.js';
import type { Rule, RuleContext } from '../rule.js';

const messages = {
  manyAlike: (applier: string, other: string, count: number) =>
    `Flux Kustomization "${applier}" applies ${count} objects that ${other} applies too; if one drops an object, it is deleted for both`,
  manyUnlike: (applier: string, other: string, count: number) =>
    `Flux Kustomization "${applier}" applies ${count} objects that ${other} applies too; they overwrite each other at every reconcile`,
  itself: (applier: string, prunes: boolean) =>
    `Flux Kustomization "${applier}" applies its own directory, as the customizer does; ${prunes ? 'if it is removed, Flux deletes what it labelled last' : 'each labels all objects there as its own'}`,
  alike: (object: string, both: string) => `${object} is applied by ${both}; if one drops it, it is deleted for both`,
  unlike: (object: string, both: string) =>
    `${object} is applied by ${both}; they overwrite each other at every reconcile`,
};

export default {
  id: 'shared-object',
  group: 'ownership',
  severity: 'error',
  summary: 'two Flux Kustomizations of one cluster apply the same object and overwrite each other',
  messages,
  check(context) {
    const appliers = appliersIn(context);
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
      reportItself(second.entrypoint, context);
    }
  },
} satisfies Rule;

/**
 * Those that have no name come first: nothing here says that Flux applies them, but where they render a Flux Kustomization somebody
 * does, as that is applied.
 */
function appliersIn({ entrypoints }: RuleContext): Built[] {
  const isNamed = ({ entrypoint }: Built) => entrypoint.kustomization.name !== undefined;
  const built = entrypoints.filter(isBuilt);
  return [...built.filter((one) => !isNamed(one)), ...built.filter(isNamed)];
}

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

function reportPairs(pairs: Pair[], first: Entrypoint, second: Entrypoint, context: RuleContext): void {
  const { permissions } = context.known;
  const { report } = context;
  const [a, b] = [nameOf(first), nameOf(second)];
  const isNamed = first.kustomization.name !== undefined;
  const other = isNamed
    ? `"${a}"`
    : permissions.isCustomizer(first)
      ? 'the customizer'
      : `what applies "${first.path}"`;
  const both = isNamed ? `Flux Kustomizations "${a}" and "${b}"` : `${other} and by Flux Kustomization "${b}"`;
  const isSame = ([one, other]: Pair) => isDeepStrictEqual(one.value, other.value);
  if (pairs.length > most && second.declaredAt) {
    const same = pairs.every(isSame);
    report({
      message: (same ? messages.manyAlike : messages.manyUnlike)(b, other, pairs.length),
      help: 'remove them from one; a directory without a kustomization.yaml includes all directories below it',
      at: second.declaredAt,
      entrypoint: second.path,
      ...(same && { severity: 'warning' as const }),
    });
    return;
  }
  for (const pair of pairs) {
    const [then, now] = pair;
    const place = (object: RenderedObject) => ({ object, path: ['metadata', 'name'] });
    report({
      message: (isSame(pair) ? messages.alike : messages.unlike)(label(now.ref), both),
      help: 'remove it from one of them',
      at: place(now),
      ...(then.source?.file !== now.source?.file && {
        related: [{ message: 'also applied from here', at: place(then) }],
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
  if (second.kustomization.name === undefined || nameOf(first) === nameOf(second)) return false;
  // The one directory is said at once, where it is known who applies it.
  if (first.kustomization.name === undefined) return first.path !== second.path && leadsTo(first, second, objects);
  if (cluster !== undefined) return true;
  const [one, other] = [first, second].map(({ declaredAt }) => declaredAt && dirname(declaredAt.file));
  if (one !== undefined && one === other) return true;
  const [above, beside] = [appliedFrom(first, objects), appliedFrom(second, objects)];
  return above.has(second.path) || beside.has(first.path) || [...above].some((path) => beside.has(path));
}

/** Whether the second one's Flux Kustomization is applied from there, or what applies that. */
function leadsTo({ path }: Entrypoint, second: Entrypoint, objects: readonly RenderedObject[]): boolean {
  return second.appliedFrom === path || appliedFrom(second, objects).has(path);
}

/** A directory that holds the Flux Kustomization that applies it, though the customizer is the one who has applied that. */
function reportItself(entrypoint: Entrypoint, { entrypoints, objects, report, known }: RuleContext): void {
  const { name, namespace } = entrypoint.kustomization;
  const at = entrypoint.declaredAt;
  if (name === undefined || !at || !appliedFrom(entrypoint, objects).has(entrypoint.path)) return;
  const isFromCustomizer = kustomizationsNamed(name, namespace, objects).some(({ value }) => {
    const source = sourceRefAt(value, ['spec', 'sourceRef']);
    return source?.namespace === customizer.namespace && customizer.objects[source.kind]?.includes(source.name);
  });
  const isItself = namespace === customizer.namespace && customizer.objects.Kustomization?.includes(name);
  // Where the customizer is known to apply another directory, this one was begun by hand.
  const isElsewhere = entrypoints.some(
    ({ entrypoint: one }) =>
      one.kustomization.name === undefined && known.permissions.isCustomizer(one) && one.path !== entrypoint.path,
  );
  if (!isFromCustomizer || isItself || isElsewhere) return;
  report({
    severity: 'warning',
    message: messages.itself(nameOf(entrypoint), entrypoint.prunes !== false),
    help: 'remove it, or give it its own directory, which the customizer does not apply',
    at,
    entrypoint: entrypoint.path,
  });
}

/** The entrypoints that apply the Flux Kustomization itself. */
function appliedFrom({ kustomization }: Entrypoint, objects: readonly RenderedObject[]): Set<string> {
  const { name, namespace } = kustomization;
  if (name === undefined) return new Set();
  return new Set(kustomizationsNamed(name, namespace, objects).map(({ entrypoint }) => entrypoint));
}

function kustomizationsNamed(name: string, namespace: string | undefined, objects: readonly RenderedObject[]) {
  return objectsNamed(objects, 'Kustomization', name).filter(
    ({ ref }) => ref.apiVersion.startsWith('kustomize.toolkit.fluxcd.io/') && ref.namespace === namespace,
  );
}
