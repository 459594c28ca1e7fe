import { type OwnComponent, type OwnSource, ownSources } from '../../cluster/own-sources.js';
import type { FieldPath, RenderedObject } from '../../core/model.js';
import { getString } from '../../core/object.js';
import { isApplied } from '../../flux/applied.js';
import type { Rule } from '../rule.js';
import { chartReleases } from '../support/made-releases.js';

export default {
  id: 'release-collision',
  severity: 'error',
  summary: 'two Packages, or a Package and a manifest, write the same HelmRelease and take it from each other',
  check(context) {
    const {
      entrypoints,
      report,
      known: { contract },
    } = context;
    let made: ReturnType<typeof chartReleases> | undefined;
    for (const { objects } of entrypoints.filter((one) => one.ok)) {
      const releases = objects.filter(isHelmRelease);
      const first = new Map<string, Release>();
      for (const release of ownSources(objects, contract).flatMap(releasesOf)) {
        const { id, object, path, owner } = release;
        made ??= chartReleases(context.known);
        const platform = made.get(id);
        if (platform) {
          report({
            message: `${owner} makes HelmRelease "${id}", which is that of component "${platform.component}" of Package "${platform.source}": both Packages write all of it, and each takes it from the other`,
            help,
            at: { object, path },
            ...(!platform.isSure && { severity: 'warning' as const }),
            assumes: platform.assumes,
          });
        }
        const other = first.get(`${id}`);
        first.set(id, other ?? release);
        if (other && collides(other, release)) {
          report({
            message: `${owner} makes HelmRelease "${id}", as ${lowerFirst(other.owner)} does, so the two write it over each other`,
            help,
            at: { object, path },
            related: [{ message: 'the other one', at: { object: other.object, path: other.path } }],
          });
        }
        const manifest = releases.find(({ ref }) => `${ref.namespace}/${ref.name}` === id);
        if (manifest) {
          report({
            message: `HelmRelease "${id}" is made by ${lowerFirst(owner)} as well, which writes all of it anew whenever it differs, so what is set here does not last`,
            help: 'remove one of the two',
            at: { object: manifest, path: ['metadata', 'name'] },
            related: [{ message: 'the component', at: { object, path } }],
          });
        }
      }
    }
  },
} satisfies Rule;

const help = 'give it a releaseName of its own, or another namespace';

type Release = { id: string; object: RenderedObject; path: FieldPath; variant: string; owner: string };

/** The release is named where somebody would give it another name. */
function releasesOf({ name, object, variants }: OwnSource): Release[] {
  return variants.flatMap((variant) =>
    variant.components.flatMap((component): Release[] => {
      const { install } = component;
      if (!install?.namespace) return [];
      const owner = `Component "${component.name}" of PackageSource "${name}"`;
      const id = `${install.namespace}/${install.releaseName}`;
      return [{ id, object, path: namedAt(component, object), variant: variant.name, owner }];
    }),
  );
}

function namedAt({ path }: OwnComponent, { value }: RenderedObject): FieldPath {
  const releaseName = [...path, 'install', 'releaseName'];
  return getString(value, releaseName) ? releaseName : [...path, 'name'];
}

/** A Package has one variant at a time. */
function collides(one: Release, other: Release): boolean {
  return one.object !== other.object || one.variant === other.variant;
}

function isHelmRelease(object: RenderedObject): boolean {
  const { kind, apiVersion } = object.ref;
  return kind === 'HelmRelease' && apiVersion.startsWith('helm.toolkit.fluxcd.io/') && isApplied(object);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
