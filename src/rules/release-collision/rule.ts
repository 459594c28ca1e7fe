import { type OwnComponent, type OwnSource, ownSources } from '../../cluster/own-sources.js';
import type { FieldPath, RenderedObject } from '../../core/model.js';
import { getString, label, lookUp } from '../../core/object.js';
import { oncePer } from '../../core/once.js';
import { appliedBy } from '../../flux/applied.js';
import type { Rule, RuleContext } from '../rule.js';
import { isRelease, isSuspended, nameOf, storageOf } from '../support/helm-release.js';
import { chartReleases } from '../support/made-releases.js';

const messages = {
  releaseOfPlatform: (id: string, source: string, platform: string) =>
    `HelmRelease "${id}" is written by Package "${source}" and by Package "${platform}", and each overwrites the other`,
  madeTwice: (id: string, component: string, source: string, other: string) =>
    `HelmRelease "${id}" is written by component "${component}" and by component "${other}" of PackageSource "${source}"; each overwrites the other`,
  oneRelease: (object: string, name: string, namespace: string, other: string) =>
    `${object} installs Helm release "${name}" in namespace "${namespace}", as ${other} does, so each upgrade undoes the other`,
  manifestAsWell: (id: string, component: string, source: string) =>
    `HelmRelease "${id}" is also written by component "${component}" of PackageSource "${source}", which overwrites what is set here`,
};

export default {
  id: 'release-collision',
  group: 'ownership',
  severity: 'error',
  summary:
    'two Packages, or a Package and a manifest, write the same HelmRelease, or two HelmReleases have the same release',
  messages,
  check(context) {
    for (const rendered of context.entrypoints.filter((one) => one.ok)) {
      const applied = appliedBy(rendered);
      const manifests = applied.filter(isRelease);
      judgeManifests(manifests, context);
      const first = new Map<string, Release>();
      for (const release of ownSources(applied, context.known.contract).flatMap(releasesOf)) {
        const other = first.get(release.id);
        first.set(release.id, other ?? release);
        judgePlatform(release, context);
        judgeOther(release, other, context);
        judgeManifest(release, manifests, context);
      }
    }
  },
} satisfies Rule;

function judgePlatform({ id, object, path, source }: Release, { report, known }: RuleContext): void {
  const platform = madeByPlatform(known).get(id);
  if (!platform) return;
  report({
    message: messages.releaseOfPlatform(id, source, platform.source),
    help,
    at: { object, path },
    ...(!platform.isSure && { severity: 'warning' as const }),
    assumes: platform.assumes,
  });
}

function judgeOther(release: Release, other: Release | undefined, { report }: RuleContext): void {
  if (!other || !collides(other, release)) return;
  report({
    message: messages.madeTwice(release.id, release.component, other.source, other.component),
    help,
    at: { object: release.object, path: release.path },
    related: [{ message: 'the other one', at: { object: other.object, path: other.path } }],
  });
}

function judgeManifest(release: Release, manifests: readonly RenderedObject[], { report }: RuleContext): void {
  const manifest = manifests.find(({ ref }) => `${ref.namespace}/${ref.name}` === release.id);
  if (!manifest) return;
  report({
    message: messages.manifestAsWell(release.id, release.component, release.source),
    help: 'remove one of the two',
    at: { object: manifest, path: ['metadata', 'name'] },
    related: [{ message: 'the component', at: { object: release.object, path: release.path } }],
  });
}

/** Of what is suspended nothing is upgraded. */
function judgeManifests(manifests: readonly RenderedObject[], { report }: RuleContext): void {
  const first = new Map<string, RenderedObject>();
  for (const object of manifests.filter((one) => !isSuspended(one))) {
    const [name, namespace] = [nameOf(object), storageOf(object)];
    // Another cluster has releases of its own.
    const key = JSON.stringify([namespace, name, lookUp(object.value, ['spec', 'kubeConfig']) ?? null]);
    const other = first.get(key);
    first.set(key, other ?? object);
    if (!other) continue;
    report({
      message: messages.oneRelease(label(object.ref), name, namespace, label(other.ref)),
      help: 'give one of them its own spec.releaseName',
      at: { object, path: releaseNamedAt(object) },
      related: [{ message: 'the other one', at: { object: other, path: releaseNamedAt(other) } }],
    });
  }
}

function releaseNamedAt({ value }: RenderedObject): FieldPath {
  const path = ['spec', 'releaseName'];
  return getString(value, path) ? path : ['metadata', 'name'];
}

const madeByPlatform = oncePer(chartReleases);

const help = 'give it its own releaseName, or another namespace';

type Release = {
  id: string;
  object: RenderedObject;
  path: FieldPath;
  variant: string;
  component: string;
  source: string;
};

/** The release is named where somebody would give it another name. */
function releasesOf({ name, object, variants }: OwnSource): Release[] {
  return variants.flatMap((variant) =>
    variant.components.flatMap((component): Release[] => {
      const { install } = component;
      if (!install?.namespace) return [];
      const id = `${install.namespace}/${install.releaseName}`;
      const path = namedAt(component, object);
      return [{ id, object, path, variant: variant.name, component: component.name, source: name }];
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
