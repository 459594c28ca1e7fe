import { dirname } from 'node:path/posix';
import { isDeepStrictEqual } from 'node:util';
import { isApplied } from '../../facts/refusal.js';
import type { Entrypoint, RenderedObject } from '../../model.js';
import { inventoryId } from '../../object.js';
import type { Rule, RuleContext } from '../rule.js';

export default {
  id: 'shared-object',
  severity: 'error',
  summary: 'two Flux Kustomizations of one cluster apply the same object, and take it from each other',
  check(context) {
    const appliers = context.entrypoints.flatMap((one) => (one.ok && one.entrypoint.kustomization.name ? [one] : []));
    for (const [index, second] of appliers.entries()) {
      for (const first of appliers.slice(0, index)) {
        if (!isOneCluster(first.entrypoint, second.entrypoint, context)) continue;
        const known = new Map(first.objects.filter(isApplied).map((object) => [inventoryId(object.ref), object]));
        const pairs = second.objects.filter(isApplied).flatMap((object): Pair[] => {
          const other = known.get(inventoryId(object.ref));
          return other ? [[other, object]] : [];
        });
        reportPairs(pairs, first.entrypoint, second.entrypoint, context);
      }
    }
  },
} satisfies Rule;

type Pair = [RenderedObject, RenderedObject];

/** Where one directory lies in the other they share everything: that is said once, where the inner one is named. */
const most = 3;

function reportPairs(pairs: Pair[], first: Entrypoint, second: Entrypoint, { report }: RuleContext): void {
  const [a, b] = [nameOf(first), nameOf(second)];
  const isSame = ([one, other]: Pair) => isDeepStrictEqual(one.value, other.value);
  if (pairs.length > most && second.declaredAt) {
    const same = pairs.every(isSame);
    report({
      message: `Flux Kustomization "${b}" applies ${pairs.length} objects that "${a}" applies as well: ${same ? 'each labels them as its own, and what one of them drops is deleted though the other has it' : 'they take the fields of these from each other at every reconcile'}`,
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
      message: `${other.ref.kind} "${other.ref.name}" is applied by the Flux Kustomizations "${a}" and "${b}": ${isSame(pair) ? 'each labels it as its own, and if one of them drops it, it is deleted though the other has it' : 'they take its fields from each other at every reconcile'}`,
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
  const own = objects.filter(
    ({ ref }) =>
      ref.kind === 'Kustomization' &&
      ref.apiVersion.startsWith('kustomize.toolkit.fluxcd.io/') &&
      ref.name === name &&
      ref.namespace === namespace,
  );
  return new Set(own.map(({ entrypoint }) => entrypoint));
}
