import type { Snapshot } from '../../cluster/snapshot.js';
import { settingPrefix } from '../../core/flux-api.js';
import type { Entrypoint, FieldPath, Json, Place, Rendered, RenderedObject } from '../../core/model.js';
import { formatPath, isObject } from '../../core/object.js';
import { platformName } from '../../cozystack/catalog.js';
import { isPackage } from '../../cozystack/package.js';
import { isSetTo, settingIn } from '../../flux/settings.js';
import type { Rule, RuleContext } from '../rule.js';

const annotation = `${settingPrefix}ssa`;

const messages = {
  takesOver: (name: string, lost: string) =>
    `Package "${name}" loses every field that kubectl set and this manifest lacks${lost}`,
  mayTakeOver: (name: string, lost: string) =>
    `Package "${name}" loses every field that kubectl set and this manifest lacks${lost}, unless that has happened already`,
  annotationDropped: (name: string, lost: string) =>
    `Package "${name}" loses every field that kubectl set and this manifest lacks${lost}, as ssa: Merge is removed`,
};

export default {
  id: 'kubectl-takeover',
  group: 'ownership',
  severity: 'error',
  summary: 'Flux takes over a Package that was created with kubectl and removes the fields that the manifest lacks',
  messages,
  check(context) {
    const { entrypoints, objects, base } = context;
    // A base that does not render says nothing of what was there before.
    const before = base?.entrypoints.every(({ ok }) => ok)
      ? appliedIn(base.entrypoints, entrypoints).filter(isPackage)
      : undefined;
    for (const object of objects.filter(isPackage)) if (!isLeftAlone(object)) judge(object, before, context);
  },
} satisfies Rule;

function judge(object: RenderedObject, before: RenderedObject[] | undefined, context: RuleContext): void {
  const { base, trust, report, known } = context;
  const { name } = object.ref;
  const lost = lostFields(object, known.snapshot);
  if (!lost) return;
  const earlier = before?.filter(({ ref }) => ref.name === name) ?? [];
  // Once it has been taken over, there is nothing left to lose.
  if (!earlier.every(isLeftAlone)) return;
  const [first] = earlier;
  const dropped = first && { object: first, path: settingIn(first.value, 'ssa')[0]?.path ?? ['metadata'] };
  const what = lost.length > 0 ? `, including ${shortList(lost)}` : '';
  report({
    message: (dropped ? messages.annotationDropped : before ? messages.takesOver : messages.mayTakeOver)(name, what),
    help: dropped
      ? 'keep it as long as kubectl owns fields of the Package'
      : `add the annotation ${annotation}: Merge in this commit; a later commit is too late`,
    at: removalOf(object) ?? dropped ?? { object, path: ['metadata', 'annotations', annotation] },
    ...(!before && !(base && trust === 'fork') && { severity: 'warning' as const }),
    remedy: {
      title: `annotate Package "${name}" with ssa: Merge`,
      safe: true,
      changes: [{ do: 'add', at: { object, path: ['metadata', 'annotations', annotation] }, value: 'Merge' }],
    },
  });
}

/** What a suspended Flux Kustomization renders has taken nothing over, nor has what may not have reached the cluster and does now. */
function appliedIn(before: readonly Rendered[], after: readonly Rendered[]): RenderedObject[] {
  const isSame = (then: Entrypoint) =>
    then.reach === undefined ||
    after.some(({ entrypoint }) => entrypoint.reach === then.reach && isIt(entrypoint, then));
  const isIn = ({ entrypoint }: Rendered) => entrypoint.reach !== 'suspended' && isSame(entrypoint);
  return before.filter(isIn).flatMap((one) => (one.ok ? one.objects : []));
}

/** By its name, as its directory may have been moved; what has none is its directory. */
function isIt(one: Entrypoint, other: Entrypoint): boolean {
  const [id, otherId] = [one, other].map(({ kustomization: { namespace, name } }) => name && `${namespace}/${name}`);
  return id === undefined || otherId === undefined ? one.path === other.path : id === otherId;
}

/** Flux leaves alone what kubectl has set, or the whole object (flux/FACTS.md, Takeover). */
function isLeftAlone({ value }: RenderedObject): boolean {
  const kept = (['Merge', 'IfNotPresent', 'Ignore'] as const).some((word) => isSetTo(value, 'ssa', word));
  return kept || isSetTo(value, 'reconcile', 'disabled');
}

function removalOf(object: RenderedObject): Place | undefined {
  const removal = object.removed().find(({ path }) => path[0] === 'metadata' && path.at(-1) === annotation);
  return removal && { object, path: removal.path, removedBy: removal.by };
}

/**
 * The fields that kubectl has set and the manifest has not; undefined where kubectl has not set any. Without a snapshot only
 * the platform's own Package is known to be made with kubectl: every documented way of installing does so.
 */
function lostFields({ ref, value }: RenderedObject, snapshot: Snapshot | undefined): string[] | undefined {
  const written = new Set(fieldsOf(value, []));
  const packages = snapshot?.packages ?? {};
  const managers = Object.hasOwn(packages, ref.name) ? packages[ref.name]?.managers : undefined;
  if (!managers) return ref.name === platformName ? ['spec.variant'].filter((field) => !written.has(field)) : undefined;
  const isTaken = ({ manager }: { manager: string }) => manager.startsWith('kubectl');
  const others = new Set(managers.filter((one) => !isTaken(one)).flatMap(({ fields }) => fields));
  const lost = managers
    .filter(isTaken)
    .flatMap(({ fields }) => fields)
    .filter((field) => !written.has(field) && !others.has(field) && !field.includes('last-applied-configuration'));
  return lost.length > 0 ? [...new Set(lost)] : undefined;
}

function* fieldsOf(value: Json, path: FieldPath): Generator<string> {
  yield formatPath(path);
  if (isObject(value)) for (const [key, inner] of Object.entries(value)) yield* fieldsOf(inner, [...path, key]);
}

function shortList(fields: readonly string[]): string {
  const worst = fields.find((field) => field === 'spec.variant') ?? fields[0] ?? '';
  return fields.length > 1 ? `${worst} and ${fields.length - 1} more` : worst;
}
