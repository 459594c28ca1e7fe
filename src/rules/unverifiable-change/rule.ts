import { appliesElsewhere } from '../../discover/assemble.js';
import { isFluxKustomization, isSource, isThisRepository, normalize, sourcesFor } from '../../discover/flux.js';
import { openVariables } from '../../facts/variables.js';
import type { FieldPath, Json, RenderedObject } from '../../model.js';
import { groupOf, inventoryId, isObject, lookUp, textAt } from '../../object.js';
import { isSameFolder } from '../../tree.js';
import type { Rule, RuleContext } from '../rule.js';

/** What cannot be checked, at which field, and what of the object decides it. */
type Blind = { at: FieldPath; message: string; help: string; decides: Json };

const reviewed = 'review it by hand, and ignore this with a reason';

export default {
  id: 'unverifiable-change',
  severity: 'warning',
  summary: 'the change adds something that is applied, but that nothing in the repository tells enough of to check it',
  needsBase: true,
  check(context) {
    const { objects, base, report, trust, tree } = context;
    const before = new Map((base?.objects ?? []).map((object) => [inventoryId(object.ref), object]));
    const severity = trust === 'fork' ? ('error' as const) : ('warning' as const);
    for (const object of objects) {
      const old = before.get(inventoryId(object.ref));
      const known = old ? blindSpots(old, { ...context, objects: base?.objects ?? [] }) : [];
      for (const { at, message, help, decides } of blindSpots(object, context)) {
        const isOld = known.some((one) => JSON.stringify(one.decides) === JSON.stringify(decides));
        if (!isOld || isChartChanged(object, context)) report({ message, help, severity, at: { object, path: at } });
      }
    }
    const modules = tree.submodules.filter((path) => !base?.tree.submodules.includes(path));
    for (const path of modules.filter(() => fetchesSubmodules(context)))
      report({
        message: `The submodule "${path}" is fetched by Flux, and its files are not in this repository`,
        help: reviewed,
        severity,
        at: { file: path },
      });
  },
} satisfies Rule;

function blindSpots(object: RenderedObject, context: RuleContext): Blind[] {
  const { kind, apiVersion } = object.ref;
  if (isFluxKustomization(object.value)) return ofKustomization(object, context);
  if (isSource(object.value)) return ofSource(object, context);
  if (kind === 'HelmRelease' && groupOf(apiVersion) === 'helm.toolkit.fluxcd.io') return ofRelease(object, context);
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

function ofKustomization(object: RenderedObject, { objects, remotes, tree }: RuleContext): Blind[] {
  const { value } = object;
  const spec = isObject(value.spec) ? value.spec : {};
  const decides = [spec.path ?? null, spec.sourceRef ?? null, spec.kubeConfig ?? null];
  const blind = (at: FieldPath, why: string): Blind[] => [
    { at, message: `${labelOf(object)} ${why}, so what it applies is not checked`, help: reviewed, decides },
  ];
  if (appliesElsewhere(value)) return blind(['spec', 'kubeConfig'], 'applies to another cluster');
  const kind = textAt(value, ['spec', 'sourceRef', 'kind']);
  const sources = sourcesFor(
    value,
    objects.map((one) => one.value).filter((one) => isSource(one)),
  );
  const isOther = sources.length > 0 && !sources.some((source) => isThisRepository(source, remotes));
  if (isOther || kind === 'Bucket' || kind === 'ExternalArtifact')
    return blind(['spec', 'sourceRef'], 'applies what another source holds');
  const path = textAt(value, ['spec', 'path']) ?? '.';
  if (path.includes('${')) return blind(['spec', 'path'], `names the path "${path}", whose variable is not known`);
  if (sources.length === 0 && !tree.isDirectory(normalize(path)))
    return blind(['spec', 'path'], `names "${path}", which is not here, and a source that is not defined here`);
  return ofVariables(object);
}

/** Fields by which a source of this repository gives Flux other files than those that are checked. */
function ofSource(object: RenderedObject, { remotes }: RuleContext): Blind[] {
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

function fetchesSubmodules({ objects, remotes }: RuleContext): boolean {
  return objects.some(
    ({ value }) =>
      value.kind === 'GitRepository' &&
      isSource(value) &&
      isThisRepository(value, remotes) &&
      lookUp(value, ['spec', 'recurseSubmodules']) === true,
  );
}

/** A chart of this repository is a program that nothing here runs. */
function ofRelease(object: RenderedObject, context: RuleContext): Blind[] {
  const chart = chartOf(object, context);
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

function chartOf({ value }: RenderedObject, { objects, remotes, tree }: RuleContext): string | undefined {
  const path = ['spec', 'chart', 'spec'];
  const chart = textAt(value, [...path, 'chart']);
  if (chart === undefined || textAt(value, [...path, 'sourceRef', 'kind']) !== 'GitRepository') return undefined;
  const asKustomization = { metadata: value.metadata ?? {}, spec: lookUp(value, path) ?? {} };
  const sources = sourcesFor(
    asKustomization,
    objects.map((one) => one.value).filter((one) => isSource(one)),
  );
  const isOurs = sources.length === 0 || sources.some((source) => isThisRepository(source, remotes));
  return isOurs && tree.isDirectory(normalize(chart)) ? normalize(chart) : undefined;
}

function isChartChanged(object: RenderedObject, context: RuleContext): boolean {
  const { tree, base } = context;
  const chart = object.ref.kind === 'HelmRelease' ? chartOf(object, context) : undefined;
  return chart !== undefined && base !== undefined && !isSameFolder(chart, tree, base.tree);
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
