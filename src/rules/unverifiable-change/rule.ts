import { unknownFields } from '../../cluster/variables.js';
import { defined } from '../../core/defined.js';
import { isFluxKustomization } from '../../core/flux-api.js';
import type { FieldPath, Json, JsonObject, RenderedObject } from '../../core/model.js';
import { formatPath, getString, groupOf, inventoryId, isObject, lookUp } from '../../core/object.js';
import { oncePer } from '../../core/once.js';
import { isCustomizersSource } from '../../cozystack/customizer.js';
import { isPackageSource } from '../../cozystack/package.js';
import { appliesElsewhere } from '../../discover/assemble.js';
import { chartPathsOf } from '../../discover/chart-paths.js';
import { canBeThisRepository, isSource, isThisRepository, normalize, sourcesFor } from '../../discover/flux.js';
import { type Applied, isApplied } from '../../flux/applied.js';
import { copiedBy, isArtifactGenerator } from '../../flux/artifacts.js';
import { sourceRefAt } from '../../flux/flux-objects.js';
import { objectsNamed } from '../../flux/index-of.js';
import { mayReadOther } from '../../render/readable-files.js';
import { isSameAt } from '../../tree/tree.js';
import type { Rule, RuleContext } from '../rule.js';
import { mayHoldOther, openPrefix } from './open-path.js';

/** What of a revision decides whether something can be checked; `sources` are those that it renders. */
type Seen = Pick<RuleContext, 'remotes' | 'tree' | 'trust' | 'applied' | 'entrypoints'> & {
  sources: readonly JsonObject[];
};

/**
 * What cannot be checked, at which field, and what decides it: of the objects, and files of this repository. `folders` are those
 * that a Flux Kustomization applies: what else renders them has them checked. `prefix` begins the names of folders that it may apply.
 */
type Blind = {
  at: FieldPath;
  message: string;
  help: string;
  decides: Json;
  files?: readonly string[];
  folders?: readonly string[];
  prefix?: string;
};

const reviewed = 'review it by hand, and ignore this with a reason';

const messages = {
  otherCluster: (object: string) => `${object} applies to another cluster, so what it applies is not checked`,
  otherSource: (object: string) => `${object} applies another source, so what it applies is not checked`,
  artifact: (object: string, artifact: string) =>
    `${object} applies ${artifact}, which is made in the cluster, so what it applies is not checked`,
  variablePath: (object: string, path: string) =>
    `${object} has the path "${path}", whose variable is unknown, so what it applies is not checked`,
  noDirectory: (object: string, path: string) =>
    `${object} applies "${path}" (not in this repository) from a source not defined here, so it is not checked`,
  otherBranch: (object: string) => `${object} fetches another branch than before, not the one that is checked`,
  otherSignatures: (object: string) => `${object} trusts other signatures of commits than before`,
  otherRevision: (object: string) =>
    `${object} fetches another revision of this repository than the one that is checked`,
  onlyAPart: (object: string) =>
    `${object} fetches only a part of this repository; what is omitted is not applied, and pruned if it was before`,
  otherRepositories: (object: string) => `${object} includes files of other repositories, which are not checked`,
  ownChart: (object: string, chart: string) =>
    `${object} installs the chart "${chart}" of this repository, whose templates are not checked`,
  openVariable: (object: string, variable: string) =>
    `${object} has the variable ${variable} in a name, or in a field that decides what is applied, so that is unknown`,
  encrypted: (object: string, field: string) => `${object} has an encrypted ${field}, so it is unknown what is applied`,
  resumed: (object: string) =>
    `${object} is no longer suspended, so Flux also deletes what was removed from its directory in the meantime`,
  twofold: (object: string) =>
    `${object} is a duplicate of one that is applied, and not applied itself, so it is unknown which one the cluster has`,
  unbuilt: (path: string) =>
    `"${path}" cannot be built, as before, but this change alters files that it reads, and nothing in it is checked`,
  wasUnbuilt: (path: string) =>
    `"${path}" could not be built before this change, so it is unknown what the change deletes`,
  resourceSet: (object: string) => `${object} generates objects from templates, and what it generates is not checked`,
  inputProvider: (object: string) =>
    `${object} is the input from which a ResourceSet generates objects, and these are not checked`,
  fluxInstance: (object: string) => `${object} defines what Flux applies from where, and that is not checked`,
  artifactGenerator: (object: string) => `${object} makes artifacts of its sources, and what is in them is not checked`,
  argoCD: (object: string) => `${object} is applied by Argo CD, and its content is not checked`,
};

export default {
  id: 'unverifiable-change',
  group: 'configuration',
  severity: 'warning',
  summary: 'the change adds something that is applied, but that cannot be checked from this repository',
  messages,
  needsBase: true,
  check(context) {
    const { objects, base, tree, trust, remotes } = context;
    const { applied } = context;
    const { entrypoints } = context;
    const now = { remotes, tree, trust, applied, entrypoints, sources: sourcesAmong(applied) };
    const before = base?.applied ?? [];
    const then = {
      ...now,
      tree: base?.tree ?? tree,
      applied: before,
      entrypoints: base?.entrypoints ?? [],
      sources: sourcesAmong(before),
    };
    for (const object of objects) judge(object, now, then, context);
    judgeSubmodules(now, then, context);
    judgeBuilds(context);
    judgeNamesakes(context);
  },
} satisfies Rule;

function judge(object: RenderedObject, now: Seen, then: Seen, context: RuleContext): void {
  const olds = oldsOf(object, context);
  const known = olds.flatMap((old) => (isHeld(old) && !isHeld(object) ? [] : blindSpots(old, then)));
  const changed = olds.map((old) => changedSource(object, old, now, then));
  const spots = [...blindSpots(object, now), ...(changed.every((one) => one.length > 0) ? (changed[0] ?? []) : [])];
  for (const spot of spots) {
    const { at, message, help } = spot;
    const isOld = known.some((one) => JSON.stringify(one.decides) === JSON.stringify(spot.decides));
    if (!isOld || !areSame(spot, context))
      context.report({ message, help, severity: severityFor(context), at: { object, path: at } });
  }
  const isResumed = isFluxKustomization(object.value) && !isHeld(object) && olds.some(isSuspended);
  if (isResumed) {
    const severity = severityFor(context);
    context.report({
      message: messages.resumed(labelOf(object)),
      help: reviewed,
      severity,
      at: { object, path: ['spec'] },
    });
  }
}

function isSuspended({ value }: RenderedObject): boolean {
  return lookUp(value, ['spec', 'suspend']) === true;
}

/**
 * Directories that cannot be built, before or after the change. One that could be built before is an error by what keeps it from that;
 * one that could not is as before only while nothing differs that it reads.
 */
function judgeBuilds(context: RuleContext): void {
  const { base, entrypoints, tree, report } = context;
  if (!base) return;
  for (const rendered of entrypoints) {
    const { path } = rendered.entrypoint;
    const before = base.entrypoints.filter(({ entrypoint }) => entrypoint.path === path);
    if (before.length === 0 || before.some(({ ok }) => ok)) continue;
    if (rendered.ok) {
      if (rendered.entrypoint.prunes === false) continue;
      const at = rendered.entrypoint.declaredAt ?? { file: path };
      report({
        message: messages.wasUnbuilt(path),
        help: reviewed,
        severity: severityFor(context),
        at,
        entrypoint: path,
      });
    } else if (mayReadOther({ refused: rendered, before }, tree, base.tree))
      report({
        message: messages.unbuilt(path),
        help: rendered.problem.help ?? reviewed,
        severity: 'error',
        at: rendered.problem.at,
        entrypoint: path,
      });
  }
}

/** Objects of one name of which Flux applies one and leaves another alone, if the base has not the same. */
function judgeNamesakes(context: RuleContext): void {
  const { objects, base } = context;
  const known = new Set(base ? [...namesakesIn(base.objects, base.applied)].map(({ ref }) => inventoryId(ref)) : []);
  for (const object of namesakesIn(objects, context.applied))
    if (!known.has(inventoryId(object.ref)))
      context.report({
        message: messages.twofold(labelOf(object)),
        help: 'remove one of the two',
        severity: severityFor(context),
        at: { object, path: ['metadata', 'name'] },
      });
}

function* namesakesIn(objects: readonly RenderedObject[], applied: readonly Applied[]): Generator<RenderedObject> {
  const isIn = new Set<RenderedObject>(applied);
  const names = new Set(applied.map(({ ref }) => inventoryId(ref)));
  for (const object of objects) if (!isIn.has(object) && names.has(inventoryId(object.ref))) yield object;
}

/** The object before: of several clusters the one that is meant, where that can be told. */
function oldsOf({ ref, entrypoint }: RenderedObject, { base }: RuleContext): RenderedObject[] {
  const id = inventoryId(ref);
  const all = objectsNamed(base?.objects ?? [], ref.kind, ref.name).filter((one) => inventoryId(one.ref) === id);
  const here = all.filter((one) => one.entrypoint === entrypoint);
  return here.length > 0 ? here : all;
}

function judgeSubmodules(now: Seen, then: Seen, context: RuleContext): void {
  const { base, tree, report } = context;
  const fetched = fetchesSubmodules(now) ? tree.submodules : [];
  const wereFetched = fetched.length > 0 && fetchesSubmodules(then) && isSame('.gitmodules', context);
  for (const path of fetched) {
    const commit = tree.submoduleCommit(path);
    if (wereFetched && commit !== undefined && commit === base?.tree.submoduleCommit(path)) continue;
    report({
      // No fixture has one, as it would be a submodule of this project.
      message: `The submodule "${path}" is fetched by Flux, and its files are not in this repository`,
      help: reviewed,
      severity: severityFor(context),
      at: { file: path },
    });
  }
}

function severityFor({ trust, require }: RuleContext): 'error' | 'warning' {
  return trust === 'fork' || require.includes('judged') ? 'error' : 'warning';
}

/** Whether what decides it in files is as it was. */
function areSame({ files = [], folders = [], prefix }: Blind, context: RuleContext): boolean {
  return (
    (prefix === undefined || !mayHoldOther(prefix, context)) &&
    files.every((file) => isSame(file, context)) &&
    folders.every((folder) => isRendered(folder, context) || isSame(folder, context))
  );
}

function isSame(file: string, { tree, base }: RuleContext): boolean {
  return base !== undefined && isSameAt(file, tree, base.tree);
}

function isRendered(path: string, { everywhere, base }: RuleContext): boolean {
  const wasThere = base?.entrypoints.some(({ entrypoint }) => entrypoint.path === path) ?? false;
  return wasThere && pathsOf(everywhere).has(path);
}

/** Every cluster asks for them. */
const pathsOf = oncePer(
  (everywhere: RuleContext['everywhere']) => new Set(everywhere.map(({ entrypoint }) => entrypoint.path)),
);

function isHeld(object: RenderedObject): boolean {
  return lookUp(object.value, ['spec', 'suspend']) === true || !isApplied(object);
}

function sourcesAmong(objects: readonly Applied[]): JsonObject[] {
  return objects.map(({ value }) => value).filter(isSource);
}

/** Objects from which somebody makes others that are not in the repository, by group and kind. */
const makers: Record<string, (object: string) => string> = {
  'fluxcd.controlplane.io/ResourceSet': (object) => messages.resourceSet(object),
  'fluxcd.controlplane.io/ResourceSetInputProvider': (object) => messages.inputProvider(object),
  'fluxcd.controlplane.io/FluxInstance': (object) => messages.fluxInstance(object),
  'source.extensions.fluxcd.io/ArtifactGenerator': (object) => messages.artifactGenerator(object),
  'argoproj.io/Application': (object) => messages.argoCD(object),
  'argoproj.io/ApplicationSet': (object) => messages.argoCD(object),
};

function blindSpots(object: RenderedObject, seen: Seen): Blind[] {
  const { kind, apiVersion } = object.ref;
  if (isFluxKustomization(object.value)) return ofKustomization(object, seen);
  if (isSource(object.value)) return ofSource(object, seen);
  if (kind === 'HelmRelease' && groupOf(apiVersion) === 'helm.toolkit.fluxcd.io') return ofRelease(object, seen);
  if (isPackageSource(object)) return ofPackageSource(object, seen);
  const makes = makers[`${groupOf(apiVersion)}/${kind}`];
  if (makes === undefined) return ofUnknownFields(object, seen);
  return [
    {
      at: ['kind'],
      message: makes(labelOf(object)),
      help: `write the objects themselves, or ${reviewed}`,
      decides: object.value.spec ?? null,
      folders: isArtifactGenerator(object) ? foldersCopied(object, seen) : foldersIn(object.value.spec),
    },
  ];
}

/** Folders of this repository that Flux Kustomizations in a template may apply, up to the first variable. */
function foldersIn(spec: Json | undefined): string[] {
  const resources = isObject(spec) && Array.isArray(spec.resources) ? spec.resources : [];
  return resources
    .filter((one): one is JsonObject => isObject(one) && isFluxKustomization(one))
    .flatMap((one) => staticPart(getString(one, ['spec', 'path']) ?? '.'));
}

/** Folders and files of this repository that an ArtifactGenerator copies, up to the first wildcard. */
function foldersCopied(generator: RenderedObject, { sources: all, remotes }: Seen): string[] {
  const ours = copiedBy(generator).filter(({ referring }) => canBeThisRepository(referring, all, remotes));
  return [...new Set(ours.flatMap(({ pattern }) => staticPart(pattern, /[*?[{\\]/)))];
}

const variable = /<<|\$\{|\{\{/;

/** The folder above the first variable in a path; none where that is the repository. */
function staticPart(path: string, open = variable): string[] {
  const at = path.search(open);
  const folder = normalize(at < 0 ? path : path.slice(0, path.lastIndexOf('/', at) + 1));
  return folder === '.' ? [] : [folder];
}

/** What of a Flux Kustomization says when it is applied, and not what. */
const timing = new Set([
  'interval',
  'retryInterval',
  'timeout',
  'wait',
  'healthChecks',
  'healthCheckExprs',
  'dependsOn',
  'suspend',
]);

/** What of a source says when it is fetched; and which revision of it, which a stranger has no say in. */
const fetching = new Set(['interval', 'timeout', 'suspend']);
const revisions = new Set([...fetching, 'ref', 'ignore']);

/** What of a HelmRelease says when it is installed, and not what or where. */
const releasing = new Set([...fetching, 'maxHistory']);

function without(spec: Json | undefined, keys: ReadonlySet<string>): Json {
  if (!isObject(spec)) return spec ?? null;
  return Object.fromEntries(Object.entries(spec).filter(([key]) => !keys.has(key)));
}

function ofKustomization(object: RenderedObject, seen: Seen): Blind[] {
  const { sources: all, remotes, tree, trust } = seen;
  const { value } = object;
  const sources = sourcesFor(value, all);
  const decides = [
    without(value.spec, timing),
    ...sources.map(({ spec }) => without(spec, trust === 'fork' ? fetching : revisions)),
  ];
  const path = getString(value, ['spec', 'path']) ?? '.';
  const blind = (field: string, message: string, more: Pick<Blind, 'files' | 'folders'> = {}): Blind[] => [
    { at: ['spec', field], message, help: reviewed, decides, ...more },
  ];
  const label = labelOf(object);
  const isOther = sources.length > 0 && !sources.some((source) => isThisRepository(source, remotes));
  if (appliesElsewhere(value))
    return blind('kubeConfig', messages.otherCluster(label), { folders: isOther ? [] : staticPart(path) });
  const ref = sourceRefAt(value, sourceRef);
  if (ref?.kind === 'ExternalArtifact')
    return blind('sourceRef', messages.artifact(label, `${ref.kind} "${ref.namespace}/${ref.name}"`));
  if (isOther || ref?.kind === 'Bucket')
    return blind('sourceRef', messages.otherSource(label), {
      files: sources.flatMap((source) => includedIn(source, all, remotes)),
    });
  if (path.includes('${'))
    return [
      {
        at: ['spec', 'path'],
        message: messages.variablePath(label, path),
        help: reviewed,
        decides: [...decides, ...providersOf(object, seen)],
        folders: staticPart(path),
        ...defined({ prefix: openPrefix(path, path.search(variable)) }),
      },
    ];
  if (sources.length === 0 && !tree.isDirectory(normalize(path)))
    return blind('path', messages.noDirectory(label, path));
  return ofUnknownFields(object, seen);
}

/**
 * What a change of a source of this repository lets through: another branch, or commits that nobody has signed. A Flux Kustomization
 * may be told to take another such source.
 */
function changedSource(object: RenderedObject, old: RenderedObject, now: Seen, then: Seen): Blind[] {
  const isOurs = (source: JsonObject) => source.kind === 'GitRepository' && isThisRepository(source, now.remotes);
  const isReferring = isFluxKustomization(object.value);
  if (isReferring ? isSameField(object.value, old.value, sourceRef) : !isSource(object.value)) return [];
  const [source, before] = isReferring
    ? [sourcesFor(object.value, now.sources).find(isOurs), sourcesFor(old.value, then.sources).find(isOurs)]
    : [object.value, old.value].filter(isOurs);
  if (!source || !before) return [];
  const said = (path: FieldPath, message: string): Blind => ({
    at: isReferring ? sourceRef : lookUp(source, path) === undefined ? ['spec'] : path,
    message,
    help: reviewed,
    decides: [path.map(String), lookUp(source, path) ?? null],
  });
  const isTrusting = lookUp(before, verify) !== undefined && !isSameField(source, before, verify);
  return [
    ...(isSameField(source, before, branch) ? [] : [said(branch, messages.otherBranch(labelOf(object)))]),
    ...(isTrusting ? [said(verify, messages.otherSignatures(labelOf(object)))] : []),
  ];
}

const sourceRef = ['spec', 'sourceRef'];
const branch = ['spec', 'ref', 'branch'];
const verify = ['spec', 'verify'];

function isSameField(one: JsonObject, other: JsonObject, path: FieldPath): boolean {
  return JSON.stringify(lookUp(one, path)) === JSON.stringify(lookUp(other, path));
}

/** Fields by which a source of this repository gives Flux other files than those that are checked. */
function ofSource(object: RenderedObject, seen: Seen): Blind[] {
  const { value } = object;
  if (value.kind === 'HelmChart') return ofChart(object, ['spec'], seen);
  const { remotes, sources } = seen;
  const unknown = ofUnknownFields(object, seen);
  if (value.kind !== 'GitRepository' || !isThisRepository(value, remotes)) return unknown;
  const pinned = ['commit', 'name', 'tag', 'semver'].filter((key) => lookUp(value, ['spec', 'ref', key]) !== undefined);
  const [include, sparse] = [lookUp(value, ['spec', 'include']), lookUp(value, ['spec', 'sparseCheckout'])];
  return [
    ...unknown,
    ...pinned.map((key) => ({
      at: ['spec', 'ref', key],
      message: messages.otherRevision(labelOf(object)),
      help: `set a branch in spec.ref, or ${reviewed}`,
      decides: lookUp(value, ['spec', 'ref']) ?? null,
    })),
    ...(Array.isArray(sparse) && sparse.length > 0
      ? [
          {
            at: ['spec', 'sparseCheckout'],
            message: messages.onlyAPart(labelOf(object)),
            help: reviewed,
            decides: sparse,
          },
        ]
      : []),
    ...(Array.isArray(include) && include.length > 0
      ? [
          {
            at: ['spec', 'include'],
            message: messages.otherRepositories(labelOf(object)),
            help: reviewed,
            decides: include,
            files: includedIn(value, sources, remotes),
          },
        ]
      : []),
  ];
}

/** Folders of this repository that a source includes. */
function includedIn(source: JsonObject, all: readonly JsonObject[], remotes: readonly string[]): string[] {
  const include = lookUp(source, ['spec', 'include']);
  return (Array.isArray(include) ? include : []).flatMap((one) => {
    const sourceRef = { kind: 'GitRepository', name: getString(one, ['repository', 'name']) ?? '' };
    const reference = { metadata: source.metadata ?? {}, spec: { sourceRef } };
    const isOurs = sourcesFor(reference, all).some((other) => isThisRepository(other, remotes));
    return isOurs ? [normalize(getString(one, ['fromPath']) ?? '.')] : [];
  });
}

function fetchesSubmodules({ sources, remotes }: Seen): boolean {
  return sources.some(
    (source) => isThisRepository(source, remotes) && lookUp(source, ['spec', 'recurseSubmodules']) === true,
  );
}

/** A chart of this repository is a program that nothing here runs; what it makes depends on its values. */
function ofRelease(object: RenderedObject, seen: Seen): Blind[] {
  const values = seen.trust === 'fork' ? [without(object.value.spec, releasing)] : [];
  return ofChart(object, ['spec', 'chart', 'spec'], seen, values);
}

/** `path` is where chart and source are named: of a HelmRelease, or of a HelmChart, which a release may refer to. */
function ofChart(
  object: RenderedObject,
  path: FieldPath,
  seen: Seen,
  values: readonly (Json | undefined)[] = [],
): Blind[] {
  const { sources: all, remotes, tree } = seen;
  const { value } = object;
  const chart = normalize(getString(value, [...path, 'chart']) ?? '.');
  if (chart === '.' || getString(value, [...path, 'sourceRef', 'kind']) !== 'GitRepository')
    return ofUnknownFields(object, seen);
  const sources = sourcesFor({ metadata: value.metadata ?? {}, spec: lookUp(value, path) ?? {} }, all);
  const isOurs = sources.length === 0 || sources.some((source) => isThisRepository(source, remotes));
  if (!isOurs || !tree.isDirectory(chart)) return ofUnknownFields(object, seen);
  return [
    {
      at: [...path, 'chart'],
      message: messages.ownChart(labelOf(object), chart),
      help: reviewed,
      decides: [lookUp(value, path) ?? null, ...values.map((one) => one ?? null)],
      files: chartPathsOf(value, tree)?.paths ?? [chart],
    },
  ];
}

/** Charts of this repository that the platform installs, with all rights of its operator. */
function ofPackageSource(object: RenderedObject, seen: Seen): Blind[] {
  const { value } = object;
  const ref = sourceRefAt(value, sourceRef);
  const sources = sourcesFor({ metadata: value.metadata ?? {}, spec: value.spec ?? {} }, seen.sources);
  const isOurs =
    ref?.kind === 'GitRepository' &&
    (isCustomizersSource(ref) || sources.some((source) => isThisRepository(source, seen.remotes)));
  const paths = isOurs ? (chartPathsOf(value, seen.tree)?.paths ?? []) : [];
  const folders = paths.filter((folder) => seen.tree.isDirectory(folder));
  const unknown = ofUnknownFields(object, seen);
  if (folders.length === 0) return unknown;
  const message = messages.ownChart(labelOf(object), folders[0] as string);
  return [...unknown, { at: ['spec', 'variants'], message, help: reviewed, decides: null, files: paths }];
}

/** Fields that decide what is applied, and whose values are only in the cluster. */
function ofUnknownFields(object: RenderedObject, seen: Seen): Blind[] {
  return unknownFields(object).map(({ path, text }) => ({
    at: path,
    message:
      text === undefined
        ? messages.encrypted(labelOf(object), formatPath(path))
        : messages.openVariable(labelOf(object), text),
    help:
      text === undefined
        ? 'write it in plain text, and encrypt only what is secret'
        : 'write the name itself, or set the variable in postBuild.substitute',
    // As it is unknown which object it is, whatever changes in it may matter.
    decides: [path.map(String), text ?? null, object.value, ...providersOf(object, seen)],
  }));
}

/** The data of what this repository has of the variables of an object: with other data its variables have other values. */
function providersOf({ entrypoint: path }: RenderedObject, { applied, entrypoints }: Seen): Json[] {
  const unknown = entrypoints.flatMap(({ entrypoint }) =>
    entrypoint.path === path ? (entrypoint.kustomization.postBuild?.unknown ?? []) : [],
  );
  if (unknown.length === 0) return [];
  return applied
    .filter(({ ref }) => ref.apiVersion === 'v1' && (ref.kind === 'Secret' || ref.kind === 'ConfigMap'))
    .flatMap(({ value }) => [value.data, value.stringData].filter(isObject))
    .filter((data) => unknown.some((name) => Object.hasOwn(data, name)));
}

function labelOf({ ref }: RenderedObject): string {
  const name = ref.namespace ? `${ref.namespace}/${ref.name}` : ref.name;
  return `${isFluxName(ref.apiVersion) && ref.kind === 'Kustomization' ? 'Flux Kustomization' : ref.kind} "${name}"`;
}

function isFluxName(apiVersion: string): boolean {
  return groupOf(apiVersion) === 'kustomize.toolkit.fluxcd.io';
}
