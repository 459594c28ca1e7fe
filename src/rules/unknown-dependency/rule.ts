import { type Entry, type OwnSource, ownSources } from '../../cluster/own-sources.js';
import { isEmittedByPlatform } from '../../cluster/platform.js';
import { defined } from '../../core/defined.js';
import type { Place, Problem, RenderedObject } from '../../core/model.js';
import { groupOf } from '../../core/object.js';
import { rewritten } from '../../core/remedies.js';
import { nearest } from '../../core/suggest.js';
import { customizerName, reservedPrefix } from '../../cozystack/customizer.js';
import { isPackage } from '../../cozystack/package.js';
import { dependenciesOf, type FluxObject, fluxObjects, labelOf } from '../../flux/flux-objects.js';
import { prunedObjects } from '../../flux/prune.js';
import type { ReportDescriptor, Rule, RuleContext } from '../rule.js';
import { chartReleases } from '../support/made-releases.js';

const messages = {
  sourceWaits: (source: string, wanted: string, why: string) =>
    `PackageSource "${source}" waits for Package "${wanted}", ${why}, so its own Package is never installed`,
  notInRelease: (release: string) => `which is not in release ${release}`,
  inNoRelease: 'which no known release of Cozystack has',
  notHere: 'which is not in this repository',
  notMade: 'which the platform does not create here',
  waitsForRemoved: (object: string, wanted: string) =>
    `${object} waits for "${wanted}", which this change removes, so it waits indefinitely`,
  waitsForUnknown: (object: string, wanted: string) =>
    `${object} waits for "${wanted}", which is not in this repository, so it may wait indefinitely`,
};

export default {
  id: 'unknown-dependency',
  group: 'flux',
  severity: 'error',
  summary: 'a PackageSource, HelmRelease or Flux Kustomization waits for something that does not exist',
  messages,
  check(context) {
    judgeSources(context);
    judgeFlux(context);
  },
} satisfies Rule;

function judgeSources(context: RuleContext): void {
  const {
    applied,
    notChecked,
    known: { contract, snapshot },
  } = context;
  const sources = ownSources(applied, contract);
  const known = new Set([
    customizerName,
    ...sources.map(({ name }) => name),
    ...(snapshot?.packageSources ?? []),
    ...Object.keys(snapshot?.packages ?? {}),
  ]);
  for (const source of sources)
    for (const wanted of source.variants.flatMap(({ dependsOn }) => dependsOn)) {
      if (known.has(wanted.name)) continue;
      const isOfPlatform = contract.catalog.source(wanted.name) !== undefined;
      const said = isOfPlatform ? notMade(wanted.name, context) : notKnown(wanted.name, known, context);
      if (said) tell(source, wanted, said, context);
      else if (!isOfPlatform) notChecked(`Package "${wanted.name}"`, 'its PackageSource is not in this repository');
    }
}

function tell(
  { object, name }: OwnSource,
  { name: wanted, path }: Entry,
  said: Verdict,
  { report }: RuleContext,
): void {
  const { message, meant, ...rest } = said;
  report({
    message: messages.sourceWaits(name, wanted, message),
    at: { object, path },
    ...(meant !== undefined && { remedy: rewritten({ object, path }, meant) }),
    ...rest,
  });
}

/** A name of the platform's is in the catalog of some release; of others nobody knows. */
function notKnown(name: string, known: ReadonlySet<string>, { known: { contract } }: RuleContext): Verdict | undefined {
  const { catalog } = contract;
  const releases = catalog.releasesWith(name);
  if (releases.length > 0)
    return {
      message: messages.notInRelease(contract.release),
      help: `remove it until the cluster has a release with it (${releases.join(', ')})`,
    };
  const meant = nearest(
    name,
    [nearest(name, known), catalog.nearest(name)].filter((one) => one !== undefined),
  );
  const owner = catalog.sourceWithComponent(name.slice(reservedPrefix.length));
  if (name.startsWith(reservedPrefix))
    return {
      message: messages.inNoRelease,
      help: owner
        ? `write "${owner}", of which it is a component`
        : meant
          ? `did you mean "${meant}"?`
          : 'correct the name',
      ...(!owner && meant && { meant }),
    };
  return meant === undefined
    ? undefined
    : { message: messages.notHere, help: `did you mean "${meant}"?`, severity: 'warning', meant };
}

function judgeFlux(context: RuleContext): void {
  const flux = fluxObjects(context.entrypoints, context.tree);
  const made = chartReleases(context.known);
  const removed = context.base ? prunedObjects(context.base.entrypoints, context.entrypoints) : [];
  const idsOf = (wanted: FluxObject['kind']) => flux.filter(({ kind }) => kind === wanted).map(({ id }) => id);
  const ids = { Kustomization: new Set(idsOf('Kustomization')), HelmRelease: new Set(idsOf('HelmRelease')) };
  const known = { ...ids, HelmRelease: new Set([...ids.HelmRelease, ...made.keys()]) };
  for (const one of flux) {
    const others = known[one.kind];
    for (const wanted of dependenciesOf(one)) {
      if (others.has(wanted.id)) continue;
      const gone = removed.find(({ object }) => isOf(one.kind, wanted.id, object));
      if (gone?.stays) continue;
      const meant = nearestId(wanted.id, [...others]);
      if (!gone && meant === undefined) continue;
      const assumes = meant !== undefined && !ids[one.kind].has(meant) ? made.get(meant)?.assumes : undefined;
      context.report({
        message: (gone ? messages.waitsForRemoved : messages.waitsForUnknown)(labelOf(one), wanted.id),
        help: meant === undefined ? 'remove it from dependsOn' : `did you mean "${meant}"?`,
        at: one.at(wanted.path),
        ...(!gone && { severity: 'warning' as const }),
        ...defined({ assumes }),
        ...(meant !== undefined && remedy(one.at(wanted.path), wanted.id, meant)),
      });
    }
  }
}

/** `meant` is what to write instead. */
type Verdict = Omit<ReportDescriptor, 'at'> & { meant?: string };

/** A Package that the platform does not make here may still have been made by hand. */
function notMade(name: string, context: RuleContext): Omit<ReportDescriptor, 'at'> | undefined {
  const {
    objects,
    known: { contract, facts, snapshot },
  } = context;
  if (snapshot || isEmittedByPlatform(name, context.known) !== false) return undefined;
  if (objects.some((object) => isPackage(object) && object.ref.name === name)) return undefined;
  const variant = String(facts.get('variant').value);
  const isOptional = contract.catalog.enabledBy(name, variant).length > 0;
  return {
    message: messages.notMade,
    help: isOptional ? 'add it to bundles.enabledPackages of the platform' : 'have an administrator create it',
    severity: 'warning',
  };
}

function isOf(kind: FluxObject['kind'], id: string, { ref }: RenderedObject): boolean {
  const isFlux = ref.kind === kind && groupOf(ref.apiVersion).endsWith('.toolkit.fluxcd.io');
  return isFlux && `${ref.namespace}/${ref.name}` === id;
}

/** Where no more than the name is wrong. */
function remedy(at: Place, id: string, meant: string): Pick<Problem, 'remedy'> {
  const [[namespace], [other, name]] = [id.split('/'), meant.split('/')];
  if (namespace !== other || name === undefined || !('path' in at)) return {};
  return { remedy: { ...rewritten(at, name), safe: false } };
}

/** Misspelt, or in another namespace. */
function nearestId(id: string, ids: readonly string[]): string | undefined {
  const [namespace, name] = id.split('/');
  return (
    ids.find((other) => other.split('/')[1] === name) ??
    nearest(
      id,
      ids.filter((other) => other.split('/')[0] === namespace),
    )
  );
}
