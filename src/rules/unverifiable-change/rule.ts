import { appliesElsewhere } from '../../discover/assemble.js';
import { isFluxKustomization, isSource, isThisRepository, normalize, sourcesFor } from '../../discover/flux.js';
import { openVariables } from '../../facts/variables.js';
import type { FieldPath, Json, JsonObject, RenderedObject } from '../../model.js';
import { groupOf, inventoryId, isObject, lookUp, textAt } from '../../object.js';
import { isSameFolder, type Tree } from '../../tree.js';
import type { Rule, RuleContext } from '../rule.js';

/** What of a revision decides whether something can be checked; `sources` are those that it renders. */
type Seen = Pick<RuleContext, 'remotes' | 'tree'> & { sources: readonly JsonObject[] };

/** What cannot be checked, at which field, and what of the object decides it. */
type Blind = { at: FieldPath; message: string; help: string; decides: Json };

const reviewed = 'review it by hand, and ignore this with a reason';

export default {
  id: 'unverifiable-change',
  severity: 'warning',
  summary: 'the change adds something that is applied, but that nothing in the repository tells enough of to check it',
  needsBase: true,
  check(context) {
    const { objects, base, report, trust, tree, remotes } = context;
    const now = { remotes, tree, sources: sourcesAmong(objects) };
    const then = { ...now, sources: sourcesAmong(base?.objects ?? []) };
    const before = new Map((base?.objects ?? []).map((object) => [inventoryId(object.ref), object]));
    const severity = trust === 'fork' ? ('error' as const) : ('warning' as const);
    for (const object of objects) {
      const old = before.get(inventoryId(object.ref));
      const known = old ? blindSpots(old, then) : [];
      for (const { at, message, help, decides } of blindSpots(object, now)) {
        const isOld = known.some((one) => JSON.stringify(one.decides) === JSON.stringify(decides));
        if (!isOld || isChartChanged(object, now, base?.tree))
          report({ message, help, severity, at: { object, path: at } });
      }
    }
    const modules = tree.submodules.filter((path) => !base?.tree.submodules.includes(path));
    for (const path of fetchesSubmodules(now) ? modules : [])
      report({
        message: `The submodule "${path}" is fetched by Flux, and its files are not in this repository`,
        help: reviewed,
        severity,
        at: { file: path },
      });
  },
} satisfies Rule;

function sourcesAmong(objects: readonly RenderedObject[]): JsonObject[] {
  return objects.map(({ value }) => value).filter(isSource);
}

function blindSpots(object: RenderedObject, seen: Seen): Blind[] {
  const { kind, apiVersion } = object.ref;
  if (isFluxKustomization(object.value)) return ofKustomization(object, seen);
  if (isSource(object.value)) return ofSource(object, seen);
  if (kind === 'HelmRelease' && groupOf(apiVersion) === 'helm.toolkit.fluxcd.io') return ofRelease(object, seen);
  if (kind === 'ResourceSet' && groupOf(apiVersion) === 'fluxcd.controlplane.io')
    return [
      {
        at: ['kind'],
        message: `${labelOf(object)} makes objects from templates, and what it makes is not checked`,
        help: `write the objects themselves, or ${reviewed}`,
        decides: object.value.spec ?? null,
      },
    ];
  return ofVariables(object);
}

function ofKustomization(object: RenderedObject, { sources: all, remotes, tree }: Seen): Blind[] {
  const { value } = object;
  const spec = isObject(value.spec) ? value.spec : {};
  const decides = [spec.path ?? null, spec.sourceRef ?? null, spec.kubeConfig ?? null];
  const blind = (at: FieldPath, why: string): Blind[] => [
    { at, message: `${labelOf(object)} ${why}, so what it applies is not checked`, help: reviewed, decides },
  ];
  if (appliesElsewhere(value)) return blind(['spec', 'kubeConfig'], 'applies to another cluster');
  const kind = textAt(value, ['spec', 'sourceRef', 'kind']);
  const sources = sourcesFor(value, all);
  const isOther = sources.length > 0 && !sources.some((source) => isThisRepository(source, remotes));
  if (isOther || kind === 'Bucket' || kind === 'ExternalArtifact')
    return blind(['spec', 'sourceRef'], 'applies what another source holds');
  const path = textAt(value, ['spec', 'path']) ?? '.';
  if (path.includes('${')) return blind(['spec', 'path'], `names the path "${path}", whose variable is not known`);
  if (sources.length === 0 && !tree.isDirectory(normalize(path)))
    return blind(
      ['spec', 'path'],
      `applies "${path}", which is no directory of this repository, from a source that is not defined here`,
    );
  return ofVariables(object);
}

/** Fields by which a source of this repository gives Flux other files than those that are checked. */
function ofSource(object: RenderedObject, { remotes }: Seen): Blind[] {
  const { value } = object;
  if (value.kind !== 'GitRepository' || !isThisRepository(value, remotes)) return ofVariables(object);
  const pinned = ['commit', 'name', 'tag', 'semver'].filter((key) => lookUp(value, ['spec', 'ref', key]) !== undefined);
  const include = lookUp(value, ['spec', 'include']);
  return [
    ...pinned.map((key) => ({
      at: ['spec', 'ref', key],
      message: `${labelOf(object)} fetches another revision of this repository than the one that is checked`,
      help: `name a branch in spec.ref, or ${reviewed}`,
      decides: lookUp(value, ['spec', 'ref']) ?? null,
    })),
    ...(Array.isArray(include) && include.length > 0
      ? [
          {
            at: ['spec', 'include'],
            message: `${labelOf(object)} includes files of other repositories, which are not checked`,
            help: reviewed,
            decides: include,
          },
        ]
      : []),
  ];
}

function fetchesSubmodules({ sources, remotes }: Seen): boolean {
  return sources.some(
    (source) => isThisRepository(source, remotes) && lookUp(source, ['spec', 'recurseSubmodules']) === true,
  );
}

/** A chart of this repository is a program that nothing here runs. */
function ofRelease(object: RenderedObject, seen: Seen): Blind[] {
  const chart = chartOf(object, seen);
  if (chart === undefined) return ofVariables(object);
  return [
    {
      at: ['spec', 'chart', 'spec', 'chart'],
      message: `${labelOf(object)} installs the chart "${chart}" of this repository, whose templates are not checked`,
      help: reviewed,
      decides: lookUp(object.value, ['spec', 'chart', 'spec']) ?? null,
    },
  ];
}

function chartOf({ value }: RenderedObject, { sources: all, remotes, tree }: Seen): string | undefined {
  const path = ['spec', 'chart', 'spec'];
  const chart = textAt(value, [...path, 'chart']);
  if (chart === undefined || textAt(value, [...path, 'sourceRef', 'kind']) !== 'GitRepository') return undefined;
  const asKustomization = { metadata: value.metadata ?? {}, spec: lookUp(value, path) ?? {} };
  const sources = sourcesFor(asKustomization, all);
  const isOurs = sources.length === 0 || sources.some((source) => isThisRepository(source, remotes));
  return isOurs && tree.isDirectory(normalize(chart)) ? normalize(chart) : undefined;
}

function isChartChanged(object: RenderedObject, seen: Seen, before: Tree | undefined): boolean {
  const chart = object.ref.kind === 'HelmRelease' ? chartOf(object, seen) : undefined;
  return chart !== undefined && before !== undefined && !isSameFolder(chart, seen.tree, before);
}

/** Variables whose values are only in the cluster, where they decide which object or which field is meant. */
function ofVariables(object: RenderedObject): Blind[] {
  return openVariables(object).map(({ path, text }) => ({
    at: path,
    message: `${labelOf(object)} has the variable ${text} where an object or a field is named, so it is not known what is set`,
    help: 'write the name itself, or give the variable in postBuild.substitute',
    decides: [path.map(String), text],
  }));
}

function labelOf({ ref }: RenderedObject): string {
  const name = ref.namespace ? `${ref.namespace}/${ref.name}` : ref.name;
  return `${isFluxName(ref.apiVersion) && ref.kind === 'Kustomization' ? 'Flux Kustomization' : ref.kind} "${name}"`;
}

function isFluxName(apiVersion: string): boolean {
  return groupOf(apiVersion) === 'kustomize.toolkit.fluxcd.io';
}
