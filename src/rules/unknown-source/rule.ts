import { ownSources } from '../../cluster/own-sources.js';
import type { FieldPath, JsonObject, ObjectRef, Place, RenderedObject } from '../../core/model.js';
import { getString, groupOf } from '../../core/object.js';
import { once } from '../../core/once.js';
import { rewritten } from '../../core/remedies.js';
import { nearest, nearestOrPart } from '../../core/suggest.js';
import type { Variant } from '../../cozystack/catalog.js';
import { customizer, platformSources } from '../../cozystack/customizer.js';
import { artifactsOf, isArtifactGenerator } from '../../flux/artifacts.js';
import {
  type Beside,
  documentsBeside,
  fluxObjects,
  labelOf,
  type SourceRef,
  sourceKey,
  sourceRefAt,
} from '../../flux/flux-objects.js';
import { type Pruned, prunedObjects } from '../../flux/prune.js';
import type { ReportDescriptor, Rule, RuleContext } from '../rule.js';

/** Where kinds of Flux name a source. */
const fields: { [groupKind: string]: FieldPath[] } = {
  'kustomize.toolkit.fluxcd.io/Kustomization': [['spec', 'sourceRef']],
  'helm.toolkit.fluxcd.io/HelmRelease': [
    ['spec', 'chartRef'],
    ['spec', 'chart', 'spec', 'sourceRef'],
  ],
  'source.toolkit.fluxcd.io/HelmChart': [['spec', 'sourceRef']],
  'image.toolkit.fluxcd.io/ImageUpdateAutomation': [['spec', 'sourceRef']],
};

const messages = {
  fromSource: (object: string, what: string, source: string, why: string) =>
    `${object} takes its ${what} from ${source}, ${why}`,
  removed: 'which this change removes, so it gets no more updates',
  madeByNothing: 'which is neither here nor in the platform',
  notHere: 'which does not exist in this repository',
  notReferredToBefore: 'which is used for the first time and not created here',
};

export default {
  id: 'unknown-source',
  group: 'flux',
  severity: 'warning',
  summary: 'a Flux object takes its manifests or its chart from a source that does not exist',
  messages,
  check(context) {
    const all = referring(context);
    const sources = sourcesAround(context, all);
    for (const one of all) for (const ref of refsIn(one.value)) judge(one, ref, sources, context);
  },
} satisfies Rule;

/** What there is, by key; `before` is what was referred to before, which is there, whoever has made it. */
type Sources = {
  known: ReadonlySet<string>;
  meant(ref: SourceRef): Words | undefined;
  removed: readonly Pruned[];
  before: ReadonlySet<string> | undefined;
};

function sourcesAround(context: RuleContext, all: readonly Referring[]): Sources {
  const { base, entrypoints } = context;
  const known = knownSources(context);
  const used = new Set(all.flatMap(({ value }) => refsIn(value).map(sourceKey)));
  return {
    known,
    meant: meantAmong(known, (key) => !used.has(key)),
    removed: base ? prunedObjects(base.entrypoints, entrypoints) : [],
    before: base && new Set([...base.objects, ...referring(base)].flatMap(({ value }) => refsIn(value)).map(sourceKey)),
  };
}

function judge(one: Referring, ref: SourceRef, sources: Sources, context: RuleContext): void {
  const words = whatIsWrong(one, ref, sources, context);
  if (!words) return;
  const { message, meant, ...others } = words;
  const what = one.isChart ? 'chart' : 'manifests';
  context.report({
    message: messages.fromSource(one.label, what, `${ref.kind} "${ref.namespace}/${ref.name}"`, message),
    at: one.at(ref.path),
    ...(meant !== undefined && { remedy: { ...rewritten(one.at(ref.path), meant), safe: false } }),
    ...others,
  });
}

/** `meant` is the name to write instead. */
type Words = Pick<ReportDescriptor, 'message' | 'help' | 'severity' | 'assumes'> & { meant?: string };

function whatIsWrong(
  { value }: Referring,
  ref: SourceRef,
  { known, meant, removed, before }: Sources,
  context: RuleContext,
): Words | undefined {
  const key = sourceKey(ref);
  if (known.has(key) || ref.name.includes('${') || ref.namespace.includes('${')) return undefined;
  const gone = removed.find(({ object }) => isSource(object) && keyOf(object.ref) === key);
  if (gone) return gone.stays ? undefined : whatIsGone(ref);
  const isNew = before && !before.has(key) && context.objects.some((object) => object.value === value);
  return meant(ref) ?? (isNew ? whatIsNew(ref) : undefined);
}

function whatIsGone(ref: SourceRef): Words {
  return {
    severity: 'error',
    message: messages.removed,
    help: `keep the ${ref.kind} while something refers to it`,
  };
}

function whatIsNew(ref: SourceRef): Words {
  return {
    message: messages.notReferredToBefore,
    help: `commit the ${ref.kind}, or make sure that it exists before this is merged`,
  };
}

type Named = { kind: string; namespace: string; name: string };

/** Many objects may refer to one that is not there. */
function meantAmong(known: ReadonlySet<string>, isUnused: (key: string) => boolean): Sources['meant'] {
  const sources = once(() =>
    [...known].map((key): Named => {
      const [kind = '', namespace = '', name = ''] = key.split(/[ /]/);
      return { kind, namespace, name };
    }),
  );
  const found = new Map<string, Words | undefined>();
  return (ref) => {
    const key = sourceKey(ref);
    if (!found.has(key)) found.set(key, whatIsMeant(ref, sources(), isUnused));
    return found.get(key);
  };
}

/** Of another kind, in another namespace, or misspelt. */
function whatIsMeant(ref: SourceRef, sources: readonly Named[], isUnused: (key: string) => boolean): Words | undefined {
  const same = sources.filter(({ name }) => name === ref.name);
  const otherKind = same.find(({ namespace }) => namespace === ref.namespace);
  const elsewhere = same.find(({ kind }) => kind === ref.kind);
  const message = ref.kind === 'ExternalArtifact' ? messages.madeByNothing : messages.notHere;
  if (otherKind) return { message, help: `did you mean kind: ${otherKind.kind}?` };
  if (elsewhere) return { message, help: `did you mean namespace: ${elsewhere.namespace}?` };
  const beside = sources.filter(({ kind, namespace }) => kind === ref.kind && namespace === ref.namespace);
  // What nothing else refers to is there for something.
  const idle = beside.filter(({ name }) => isUnused(sourceKey({ ...ref, name })));
  const near = nearest(ref.name, namesOf(beside)) ?? nearestOrPart(ref.name, namesOf(idle));
  if (near === undefined) return undefined;
  return { message, help: `did you mean "${near}"?`, meant: near };
}

const namesOf = (all: readonly { name: string }[]) => all.map(({ name }) => name);

type Referring = { value: JsonObject; label: string; isChart: boolean; at(path: FieldPath): Place };

function referring({ entrypoints, objects, tree }: Pick<RuleContext, 'entrypoints' | 'objects' | 'tree'>): Referring[] {
  const flux = fluxObjects(entrypoints, tree).map((one) => ({
    ...one,
    label: labelOf(one),
    isChart: one.kind === 'HelmRelease',
  }));
  const others = objects.filter(({ ref }) => ref.kind === 'HelmChart' || ref.kind === 'ImageUpdateAutomation');
  return [
    ...flux,
    ...others.map((object) => ({
      value: object.value,
      label: labelOf({ kind: object.ref.kind, id: `${object.ref.namespace}/${object.ref.name}` }),
      isChart: object.ref.kind === 'HelmChart',
      at: (path: FieldPath) => ({ object, path }),
    })),
  ];
}

function refsIn(value: JsonObject): SourceRef[] {
  const paths = fields[`${groupOf(getString(value, ['apiVersion']) ?? '')}/${getString(value, ['kind'])}`] ?? [];
  return paths.flatMap((path) => sourceRefAt(value, path) ?? []);
}

/** What is rendered, what lies beside it, and what the platform makes. */
function knownSources(context: RuleContext): Set<string> {
  const { objects, entrypoints, tree } = context;
  const beside = documentsBeside(entrypoints, tree).filter(({ value }) =>
    isOfSources(getString(value, ['apiVersion']) ?? ''),
  );
  return new Set([
    ...objects.filter(isSource).map(({ ref }) => keyOf(ref)),
    ...objects.filter(isArtifactGenerator).flatMap(artifactsOf),
    ...beside.map(keyOfBeside),
    ...platformSources.names.map((name) =>
      sourceKey({ kind: 'OCIRepository', name, namespace: platformSources.namespace }),
    ),
    ...(customizer.objects.GitRepository ?? []).map((name) =>
      sourceKey({ kind: 'GitRepository', name, namespace: customizer.namespace }),
    ),
    ...platformArtifacts(context),
  ]);
}

/** Every component of every variant is an artifact of its own; dots become dashes. */
function platformArtifacts({ applied, known: { contract } }: RuleContext): string[] {
  const { catalog } = contract;
  const sources: { name: string; variants: readonly { name: string; components: readonly { name: string }[] }[] }[] = [
    ...catalog.names().map((name) => ({ name, variants: catalog.source(name)?.variants ?? ([] as Variant[]) })),
    ...ownSources(applied, contract),
  ];
  return sources.flatMap(({ name, variants }) =>
    variants.flatMap((variant) =>
      variant.components.map((component) =>
        sourceKey({
          kind: 'ExternalArtifact',
          namespace: platformSources.namespace,
          name: [name, variant.name, component.name].join('-').replaceAll('.', '-'),
        }),
      ),
    ),
  );
}

function isSource({ ref }: RenderedObject): boolean {
  return isOfSources(ref.apiVersion);
}

function isOfSources(apiVersion: string): boolean {
  return groupOf(apiVersion) === 'source.toolkit.fluxcd.io';
}

function keyOf({ kind, namespace = '', name }: Pick<ObjectRef, 'kind' | 'namespace' | 'name'>): string {
  return sourceKey({ kind, namespace, name });
}

function keyOfBeside({ value }: Beside): string {
  const [namespace, name] = [getString(value, ['metadata', 'namespace']), getString(value, ['metadata', 'name'])];
  return sourceKey({ kind: getString(value, ['kind']) ?? '', namespace: namespace ?? '', name: name ?? '' });
}
