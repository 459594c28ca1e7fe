import { ownSources } from '../../cluster/own-sources.js';
import { groupBy } from '../../core/group.js';
import type { Place } from '../../core/model.js';
import { getString, lookUp } from '../../core/object.js';
import { inWords } from '../../core/text.js';
import { isPackage } from '../../cozystack/package.js';
import { type Applied, appliedBy } from '../../flux/applied.js';
import { dependenciesOf, type FluxObject, fluxObjects } from '../../flux/flux-objects.js';
import { objectsNamed } from '../../flux/index-of.js';
import type { Rule, RuleContext } from '../rule.js';
import { cyclesIn, type Edge } from './cycles.js';

const messages = {
  waitsForItself: (kind: string, name: string) => `${kind} "${name}" waits for itself, so it never becomes ready`,
  waitForEachOther: (kind: string, name: string, others: readonly string[]) =>
    `${kind} "${name}" waits for itself through ${inWords(others.map((one) => `"${one}"`))}, so ${others.length > 1 ? 'none of them' : 'neither'} becomes ready`,
};

export default {
  id: 'dependency-cycle',
  group: 'flux',
  severity: 'error',
  summary: 'Packages, their components, HelmReleases or Flux Kustomizations wait for each other indefinitely',
  messages,
  check(context) {
    for (const rendered of context.entrypoints) {
      if (!rendered.ok) continue;
      tell(ofPackages(appliedBy(rendered), context), 'Package', context);
      for (const { edges, where } of ofComponents(appliedBy(rendered), context))
        tell(edges, `${where}: component`, context);
    }
    const flux = fluxObjects(context.entrypoints, context.tree);
    for (const kind of ['Kustomization', 'HelmRelease'] as const) {
      for (const set of together(flux.filter((one) => one.kind === kind)))
        tell(ofFlux(set, context), kind === 'Kustomization' ? 'Flux Kustomization' : kind, context);
    }
  },
} satisfies Rule;

/**
 * What may wait for each other: all that is rendered, where nothing is there twice; else that of another entrypoint, or in
 * another folder of declarations, may be of another cluster.
 */
function together(flux: FluxObject[]): FluxObject[][] {
  const byGroup = (some: FluxObject[]) => [...groupBy(some, ({ group }) => group).values()];
  const isRendered = (one: FluxObject) => 'object' in one.at([]);
  const rendered = flux.filter(isRendered);
  const isOnce = new Set(rendered.map(({ id }) => id)).size === rendered.length;
  return isOnce ? [rendered, ...byGroup(flux.filter((one) => !isRendered(one)))] : byGroup(flux);
}

function ofFlux(set: FluxObject[], { cluster }: RuleContext): Waiting[] {
  const groups = new Map(set.map(({ id, group }) => [id, group]));
  return set.flatMap((one) =>
    dependenciesOf(one)
      .filter(({ byExpression }) => !byExpression)
      .map(({ id, path }) => {
        const isSure = cluster !== undefined || groups.get(id) === one.group;
        return { from: one.id, to: id, at: one.at(path), isSure };
      }),
  );
}

type Waiting = Edge & { at: Place; isSure: boolean };

function tell(edges: Waiting[], kind: string, { report }: RuleContext): void {
  for (const [first, ...others] of cyclesIn(edges)) {
    if (!first) continue;
    const names = others.map(({ from }) => from);
    report({
      message:
        others.length > 0
          ? messages.waitForEachOther(kind, first.from, names)
          : messages.waitsForItself(kind, first.from),
      help: others.length > 0 ? 'remove one of these from dependsOn' : 'remove it from dependsOn',
      at: first.at,
      related: others.map(({ from, to, at }) => ({ message: `"${from}" waits for "${to}"`, at })),
      ...([first, ...others].some(({ isSure }) => !isSure) && { severity: 'warning' as const }),
    });
  }
}

/**
 * Packages of the platform wait for none of these. Which variant a Package has, and what it does not wait for, is in its
 * manifest; where that is not here it is sure only of what all variants wait for.
 */
function ofPackages(objects: readonly Applied[], { applied, known: { contract } }: RuleContext): Waiting[] {
  return ownSources(objects, contract).flatMap(({ object, name, variants }) => {
    const manifest = objectsNamed(applied, 'Package', name).find(isPackage);
    const variant = manifest && (getString(manifest.value, ['spec', 'variant']) || 'default');
    const ignored = manifest && lookUp(manifest.value, ['spec', 'ignoreDependencies']);
    return variants
      .filter((one) => variant === undefined || one.name === variant)
      .flatMap((one) => one.dependsOn)
      .filter((one) => !Array.isArray(ignored) || !ignored.includes(one.name))
      .map((one): Waiting => {
        const always = variants.every(({ dependsOn }) => dependsOn.some((other) => other.name === one.name));
        const isSure = manifest !== undefined || always;
        return { from: name, to: one.name, at: { object, path: one.path }, isSure };
      });
  });
}

/** Within a variant the HelmReleases wait for each other. */
function ofComponents(
  objects: readonly Applied[],
  { known: { contract } }: RuleContext,
): { where: string; edges: Waiting[] }[] {
  return ownSources(objects, contract).flatMap(({ object, name: source, variants }) =>
    variants.map(({ name: variant, components }) => ({
      where: `variant "${variant}" of PackageSource "${source}"`,
      edges: components.flatMap(({ name, install }) =>
        (install?.dependsOn ?? []).map((one) => ({
          from: name,
          to: one.name,
          at: { object, path: one.path },
          isSure: true,
        })),
      ),
    })),
  );
}
