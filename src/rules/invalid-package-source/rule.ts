import { type OwnComponent, type OwnSource, type OwnVariant, ownSources } from '../../cluster/own-sources.js';
import { defined } from '../../core/defined.js';
import type { FieldPath, Problem, RenderedObject, Severity } from '../../core/model.js';
import { getString } from '../../core/object.js';
import { rewritten } from '../../core/remedies.js';
import { nearest } from '../../core/suggest.js';
import type { Rule, RuleContext } from '../rule.js';

/** The operator fails before it writes a condition. */
const unmade = 'so nothing is created and it has no condition';
const stuck = 'so its Package fails with DependsOnFailed';

const messages = {
  defect: (source: string, what: string) => `PackageSource "${source}": ${what}`,
  longName: (length: number) => `its name has ${length} characters, but at most 63 as a label, ${unmade}`,
  noSource: 'it has no spec.sourceRef for its charts, so nothing is created',
  dotInSource: (name: string) => `source name "${name}" has a dot, which an ArtifactGenerator refuses, ${unmade}`,
  longSource: (name: string) => `source name "${name}" has ${name.length} characters, at most 63, ${unmade}`,
  readFromPackages: (chart: string) =>
    `without sourceRef.path charts are read below "packages", so this one is expected in "packages/${chart}"`,
  sourceNotHere: (kind: string, id: string) =>
    `${kind} "${id}" is not in this repository, so its charts may be missing`,
  componentTwice: (variant: string, component: string) =>
    `duplicate component "${component}" in variant "${variant}", so the whole source is refused`,
  artifactTwice: ({ artifact, component, variant, other }: ArtifactTwice) =>
    `"${component}" of "${variant}" and ${other} share artifact "${artifact}", so the source is refused`,
  longArtifact: (artifact: string) => `artifact name "${artifact}" has more than 253 characters, ${unmade}`,
  unfitArtifact: (artifact: string) => `artifact name "${artifact}" is not only a-z, 0-9 and -, ${unmade}`,
  noChart: (component: string) =>
    `component "${component}" has no path to a chart, so its HelmRelease waits indefinitely`,
  noLibrary: (variant: string, library: string, component: string) =>
    `variant "${variant}" does not declare library "${library}", so the chart of component "${component}" is built without it`,
  noNamespace: (component: string, variant: string) =>
    `component "${component}" has no install.namespace, so no Package can use variant "${variant}", and no condition shows it`,
  waitsForNoInstall: (component: string, other: string) =>
    `component "${component}" waits for "${other}", which has no install, ${stuck}`,
  waitsForNone: (component: string, other: string, variant: string) =>
    `component "${component}" waits for "${other}", which is not in variant "${variant}", ${stuck}`,
};

export default {
  id: 'invalid-package-source',
  group: 'packages',
  severity: 'error',
  summary: 'a PackageSource is valid by its schema, but some or all of it is not installed',
  messages,
  check({ applied, report, known: { contract } }) {
    for (const source of ownSources(applied, contract)) {
      for (const { message, help, path, severity, related, instead } of defectsOf(source, applied)) {
        report({
          message: messages.defect(source.name, message),
          help,
          at: { object: source.object, path },
          ...(severity && { severity }),
          ...defined({ related }),
          ...(instead !== undefined && { remedy: rewritten({ object: source.object, path }, instead) }),
        });
      }
    }
  },
} satisfies Rule;

type Defect = {
  message: string;
  help: string;
  path: FieldPath;
  severity?: Severity;
  related?: NonNullable<Problem['related']>;
  /** What to write instead, where nothing else can be meant. */
  instead?: string;
};

function defectsOf(source: OwnSource, objects: RuleContext['applied']): Defect[] {
  return [
    ...ofNames(source),
    ...ofSourceRef(source, objects),
    ...ofArtifacts(source),
    ...source.variants.flatMap((variant) => variant.components.flatMap((one) => ofComponent(one, variant, source))),
  ];
}

function ofNames({ name }: OwnSource): Defect[] {
  if (name.length <= 63) return [];
  return [{ message: messages.longName(name.length), help: 'use a shorter name', path: ['metadata', 'name'] }];
}

function ofSourceRef({ object, variants }: OwnSource, objects: RuleContext['applied']): Defect[] {
  const path = ['spec', 'sourceRef'];
  const [kind, name, namespace, folder] = ['kind', 'name', 'namespace', 'path'].map((field) =>
    getString(object.value, [...path, field]),
  );
  const value = object.value.spec as { sourceRef?: unknown } | undefined;
  if (value?.sourceRef === undefined || value.sourceRef === null) {
    return [
      {
        message: messages.noSource,
        help: 'set spec.sourceRef to the GitRepository or OCIRepository with the charts',
        path,
      },
    ];
  }
  const found: Defect[] = [];
  if (name !== undefined && (name.includes('.') || name.length > 63)) {
    found.push({
      message: name.includes('.') ? messages.dotInSource(name) : messages.longSource(name),
      help: 'rename the source: at most 63 letters, digits and dashes',
      path: [...path, 'name'],
    });
  } else if (kind !== undefined && name !== undefined && namespace !== undefined) {
    found.push(...missedSource({ kind, name, namespace }, objects));
  }
  const isBare = kind === 'GitRepository' && (folder ?? '').replaceAll('/', '') === '';
  for (const { path, chart } of isBare ? variants.flatMap(({ components }) => components) : []) {
    if (!chart?.replace(/^\/+/, '').startsWith('packages/')) continue;
    found.push({
      message: messages.readFromPackages(chart),
      help: 'set the path below "packages", or set spec.sourceRef.path',
      path: [...path, 'path'],
      severity: 'warning',
    });
  }
  return found;
}

type SourceRef = { kind: string; name: string; namespace: string };

/** A source may come from elsewhere; one that is nearly it is taken for a mistake. */
function missedSource(wanted: SourceRef, objects: RuleContext['applied']): Defect[] {
  const isSource = ({ ref }: RenderedObject) => ref.apiVersion.startsWith('source.toolkit.fluxcd.io/');
  const sources = objects.filter(isSource).map(({ ref }) => ref);
  const { kind, name, namespace } = wanted;
  const beside = sources.filter((ref) => ref.namespace === namespace);
  if (beside.some((ref) => ref.kind === kind && ref.name === name)) return [];
  const meant = nearest(
    name,
    beside.filter((ref) => ref.kind === kind).map((ref) => ref.name),
  );
  const other =
    beside.find((ref) => ref.name === name) ?? sources.find((ref) => ref.kind === kind && ref.name === name);
  const found = meant !== undefined ? { kind, namespace, name: meant } : other;
  if (!found) return [];
  const field = found.name !== name ? 'name' : found.kind !== kind ? 'kind' : 'namespace';
  return [
    {
      message: messages.sourceNotHere(kind, `${namespace}/${name}`),
      help: `did you mean ${found.kind} "${found.namespace}/${found.name}"?`,
      ...defined({ instead: meant }),
      path: ['spec', 'sourceRef', field],
      severity: 'warning',
    },
  ];
}

/** One artifact for every component of every variant. */
function ofArtifacts({ name, object, variants }: OwnSource): Defect[] {
  const known = new Map<string, Artifact>();
  return variants.flatMap((variant) =>
    variant.components.flatMap((component) => {
      const artifact = {
        name: [name, variant.name, component.name].join('-').replaceAll('.', '-'),
        variant,
        component,
      };
      const first = known.get(artifact.name);
      known.set(artifact.name, first ?? artifact);
      return first ? [sameArtifact(artifact, first, object)] : ofArtifact(artifact);
    }),
  );
}

type ArtifactTwice = { artifact: string; component: string; variant: string; other: string };
type Artifact = { name: string; variant: OwnVariant; component: OwnComponent };

function sameArtifact({ name, variant, component }: Artifact, first: Artifact, object: RenderedObject): Defect {
  const isSame = first.component.name === component.name && first.variant.name === variant.name;
  return {
    message: isSame
      ? messages.componentTwice(variant.name, component.name)
      : messages.artifactTwice({
          artifact: name,
          component: component.name,
          variant: variant.name,
          other: `"${first.component.name}" of "${first.variant.name}"`,
        }),
    help: isSame ? 'rename or remove one of them' : 'rename one of them; a dot counts as a dash',
    path: [...component.path, 'name'],
    related: [{ message: 'the first one', at: { object, path: [...first.component.path, 'name'] } }],
  };
}

function ofArtifact({ name, variant, component }: Artifact): Defect[] {
  if (component.name === '' || (name.length <= 253 && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name))) return [];
  const isVariant = !/^[a-z0-9.-]*$/.test(variant.name);
  return [
    {
      message: (name.length > 253 ? messages.longArtifact : messages.unfitArtifact)(name),
      help: 'use lower-case letters, digits and dashes in names of variants and components',
      path: [...(isVariant ? variant : component).path, 'name'],
    },
  ];
}

function ofComponent(component: OwnComponent, variant: OwnVariant, source: OwnSource): Defect[] {
  const { name, path, chart, install } = component;
  const found: Defect[] = [];
  if (chart === '' && install)
    found.push({ message: messages.noChart(name), help: 'set path to its chart', path: [...path, 'path'] });
  found.push(...ofLibraries(component, variant));
  if (install && install.namespace === undefined) {
    found.push({
      message: messages.noNamespace(name, variant.name),
      help: 'set install.namespace',
      path: [...path, 'install', 'namespace'],
    });
  }
  return [...found, ...ofDependencies(component, variant, source)];
}

function ofLibraries({ name, libraries }: OwnComponent, variant: OwnVariant): Defect[] {
  return libraries
    .filter((one) => !variant.libraries.has(one.name))
    .map((library): Defect => {
      const meant = nearest(library.name, [...variant.libraries]);
      return {
        message: messages.noLibrary(variant.name, library.name, name),
        help: meant ? `did you mean "${meant}"?` : 'add it with its path to libraries of the variant',
        path: library.path,
        ...(meant && { instead: meant }),
        severity: 'warning',
      };
    });
}

function ofDependencies({ name, install }: OwnComponent, { name: of, components }: OwnVariant, source: OwnSource) {
  const found: Defect[] = [];
  for (const wanted of install?.dependsOn ?? []) {
    const target = components.find((one) => one.name === wanted.name);
    if (target?.install) continue;
    const meant = nearest(
      wanted.name,
      components.filter((one) => one.install && one.name !== name).map((one) => one.name),
    );
    found.push({
      message: target ? messages.waitsForNoInstall(name, wanted.name) : messages.waitsForNone(name, wanted.name, of),
      help: meant ? `did you mean "${meant}"?` : helpFor(wanted.name, target !== undefined, source),
      ...(meant && !target && { instead: meant }),
      path: wanted.path,
    });
  }
  return found;
}

function helpFor(name: string, isHere: boolean, { variants }: OwnSource): string {
  if (isHere) return 'add an install to it, or remove it from dependsOn';
  const elsewhere = variants.some(({ components }) => components.some((one) => one.name === name));
  return elsewhere
    ? 'name a component of the same variant'
    : 'name a component of the variant; for a Package, use dependsOn of the variant';
}
