import { type OwnComponent, type OwnSource, type OwnVariant, ownSources } from '../../cluster/own-sources.js';
import { defined } from '../../core/defined.js';
import type { FieldPath, Problem, RenderedObject, Severity } from '../../core/model.js';
import { getString } from '../../core/object.js';
import { rewritten } from '../../core/remedies.js';
import { nearest } from '../../core/suggest.js';
import type { Rule, RuleContext } from '../rule.js';

/** The operator fails before it writes a condition. */
const unmade = 'so nothing is made of it, and the PackageSource does not even show a condition';

export default {
  id: 'invalid-package-source',
  severity: 'error',
  summary: 'a PackageSource fits its schema, but nothing, or not all, comes of it',
  check({ objects, report, known: { contract } }) {
    for (const source of ownSources(objects, contract)) {
      const problems = [
        ...ofNames(source),
        ...ofSourceRef(source, objects),
        ...ofArtifacts(source),
        ...source.variants.flatMap((variant) => variant.components.flatMap((one) => ofComponent(one, variant, source))),
      ];
      for (const { message, help, path, severity, related, instead } of problems) {
        report({
          message: `PackageSource "${source.name}": ${message}`,
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
  /** What to write instead, where nobody else can be meant. */
  instead?: string;
};

function ofNames({ name }: OwnSource): Defect[] {
  if (name.length <= 63) return [];
  const message = `the name has ${name.length} characters, but is written as a label, which may have 63, ${unmade}`;
  return [{ message, help: 'give it a shorter name', path: ['metadata', 'name'] }];
}

function ofSourceRef({ object, variants }: OwnSource, objects: RuleContext['objects']): Defect[] {
  const path = ['spec', 'sourceRef'];
  const [kind, name, namespace, folder] = ['kind', 'name', 'namespace', 'path'].map((field) =>
    getString(object.value, [...path, field]),
  );
  const value = object.value.spec as { sourceRef?: unknown } | undefined;
  if (value?.sourceRef === undefined || value.sourceRef === null) {
    const message = 'there is no spec.sourceRef to take the charts from, so nothing is made of it';
    return [{ message, help: 'name the GitRepository or OCIRepository with the charts', path: ['spec', 'sourceRef'] }];
  }
  const found: Defect[] = [];
  if (name !== undefined && (name.includes('.') || name.length > 63)) {
    const what = name.includes('.') ? 'has a dot in it' : `has ${name.length} characters`;
    found.push({
      message: `the source's name "${name}" ${what}, which an ArtifactGenerator does not take, ${unmade}`,
      help: 'give the source a name of letters, digits and dashes, 63 of them at most',
      path: [...path, 'name'],
    });
  } else if (kind !== undefined && name !== undefined && namespace !== undefined) {
    found.push(...missedSource({ kind, name, namespace }, objects));
  }
  const isBare = kind === 'GitRepository' && (folder ?? '').replaceAll('/', '') === '';
  for (const { path, chart } of isBare ? variants.flatMap(({ components }) => components) : []) {
    if (!chart?.replace(/^\/+/, '').startsWith('packages/')) continue;
    found.push({
      message: `a GitRepository without sourceRef.path is read from "packages", so this chart is looked for in "packages/${chart}"`,
      help: 'write the path below "packages", or set spec.sourceRef.path',
      path: [...path, 'path'],
      severity: 'warning',
    });
  }
  return found;
}

type SourceRef = { kind: string; name: string; namespace: string };

/** A source may come from elsewhere; one that is nearly it is taken for a mistake. */
function missedSource(wanted: SourceRef, objects: RuleContext['objects']): Defect[] {
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
      message: `${kind} "${namespace}/${name}" is not in this repository, so its charts may be waited for in vain`,
      help: `did you mean ${found.kind} "${found.namespace}/${found.name}"?`,
      ...defined({ instead: meant }),
      path: ['spec', 'sourceRef', field],
      severity: 'warning',
    },
  ];
}

/** One artifact for every component of every variant. */
function ofArtifacts({ name, object, variants }: OwnSource): Defect[] {
  const known = new Map<string, { variant: OwnVariant; component: OwnComponent }>();
  return variants.flatMap((variant) =>
    variant.components.flatMap((component): Defect[] => {
      const path = [...component.path, 'name'];
      const artifact = [name, variant.name, component.name].join('-').replaceAll('.', '-');
      const first = known.get(artifact);
      known.set(artifact, first ?? { variant, component });
      if (first) {
        const same = first.component.name === component.name && first.variant.name === variant.name;
        const message = same
          ? `variant "${variant.name}" has two components "${component.name}"`
          : `component "${component.name}" of variant "${variant.name}" has the artifact "${artifact}", as has "${first.component.name}" of "${first.variant.name}"`;
        const at = { object, path: [...first.component.path, 'name'] };
        return [
          {
            message: `${message}, so the whole source is refused as invalid`,
            help: same ? 'name each of them once' : 'give it another name; a dot counts as a dash there',
            path,
            related: [{ message: 'the first one', at }],
          },
        ];
      }
      if (component.name === '' || (artifact.length <= 253 && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(artifact)))
        return [];
      const what = artifact.length > 253 ? 'is longer than 253 characters' : 'has other characters than a-z, 0-9 and -';
      const isVariant = !/^[a-z0-9.-]*$/.test(variant.name);
      return [
        {
          message: `the artifact "${artifact}" of component "${component.name}" ${what}, ${unmade}`,
          help: 'name variants and components with small letters, digits and dashes',
          path: isVariant ? [...variant.path, 'name'] : path,
        },
      ];
    }),
  );
}

function ofComponent(
  { name, path, chart, libraries, install }: OwnComponent,
  variant: OwnVariant,
  source: OwnSource,
): Defect[] {
  const found: Defect[] = [];
  if (chart === '' && install) {
    const message = `component "${name}" names no chart, so its HelmRelease waits for an artifact that is never made`;
    found.push({ message, help: 'write the path of its chart', path: [...path, 'path'] });
  }
  for (const library of libraries.filter((one) => !variant.libraries.has(one.name))) {
    const meant = nearest(library.name, [...variant.libraries]);
    found.push({
      message: `variant "${variant.name}" does not declare the library "${library.name}", so the chart of component "${name}" is made without it`,
      help: meant ? `did you mean "${meant}"?` : `list it with its path in libraries of the variant`,
      path: library.path,
      ...(meant && { instead: meant }),
      severity: 'warning',
    });
  }
  if (install && install.namespace === undefined) {
    found.push({
      message: `component "${name}" names no namespace to install into, so no Package can use variant "${variant.name}", and none says why`,
      help: 'write install.namespace',
      path: [...path, 'install', 'namespace'],
    });
  }
  for (const wanted of install?.dependsOn ?? []) {
    const target = variant.components.find((one) => one.name === wanted.name);
    if (target?.install) continue;
    const what = target ? 'has no install and so is never there' : `is not in variant "${variant.name}"`;
    const meant = nearest(
      wanted.name,
      variant.components.filter((one) => one.install && one.name !== name).map((one) => one.name),
    );
    found.push({
      message: `component "${name}" waits for "${wanted.name}", which ${what}, so its Package fails with DependsOnFailed and what comes after it is not installed`,
      help: meant ? `did you mean "${meant}"?` : helpFor(wanted.name, target !== undefined, source),
      ...(meant && !target && { instead: meant }),
      path: wanted.path,
    });
  }
  return found;
}

function helpFor(name: string, isHere: boolean, { variants }: OwnSource): string {
  if (isHere) return 'give it an install, or take it out of dependsOn';
  const elsewhere = variants.some(({ components }) => components.some((one) => one.name === name));
  return elsewhere
    ? 'only components of the same variant can be waited for'
    : 'name a component of the variant; Packages are waited for in dependsOn of the variant';
}
