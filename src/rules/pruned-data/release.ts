/** A HelmRelease that comes to stand for another release: helm-controller uninstalls the one before it installs the other. */

import type { FieldPath, RenderedObject } from '../../core/model.js';
import { inventoryId, lookUp } from '../../core/object.js';
import type { RuleContext } from '../rule.js';
import { appliedIn } from '../support/applied.js';
import { isRelease, isSuspended, nameOf, namespaceOf, releaseOf, storageOf, textOf } from '../support/helm-release.js';

/** What helm-controller compares with the release that it has installed, in its order. */
const targets: readonly {
  /** In words. */
  field: string;
  path: FieldPath;
  of(object: RenderedObject): string | undefined;
}[] = [
  {
    field: 'storage namespace',
    path: ['spec', 'storageNamespace'],
    of: storageOf,
  },
  { field: 'target namespace', path: ['spec', 'targetNamespace'], of: namespaceOf },
  { field: 'release name', path: ['spec', 'releaseName'], of: nameOf },
  { field: 'chart', path: ['spec', 'chart', 'spec', 'chart'], of: chartOf },
];

/** By its name, which only a chart repository is asked for; elsewhere it is a path. */
function chartOf(object: RenderedObject): string | undefined {
  const isNamed = textOf(object, ['spec', 'chart', 'spec', 'sourceRef', 'kind']) === 'HelmRepository';
  return isNamed ? textOf(object, ['spec', 'chart', 'spec', 'chart']) : undefined;
}

export type ReleaseChange = { object: RenderedObject; field: string; path: FieldPath; release: string; help: string };

/** HelmReleases that stand for another release than before. */
export function* releaseChanges(context: RuleContext): Generator<ReleaseChange> {
  const { base, known } = context;
  if (!base) return;
  const before = new Map([...appliedIn(base)].map(([object]) => [keyOf(object), object]));
  for (const [object, { entrypoint }] of appliedIn(context)) {
    const old = isRelease(object) && !isSuspended(object) ? before.get(keyOf(object)) : undefined;
    // What the account may not write stays as it is.
    if (!old || known.permissions.access(entrypoint, 'patch', object.ref).allowed === false) continue;
    for (const { field, path, of } of targets) {
      const [was, is] = [of(old), of(object)];
      if (was === undefined || is === undefined || was === is) continue;
      yield { object, field, path: placeOf(object, path), release: releaseOf(old), help: helpFor(field, old) };
      break;
    }
  }
}

function keyOf({ entrypoint, ref }: RenderedObject): string {
  return JSON.stringify([entrypoint, inventoryId(ref)]);
}

/** The release name follows from the namespace where nobody writes it. */
function placeOf({ value }: RenderedObject, path: FieldPath): FieldPath {
  return lookUp(value, path) === undefined ? ['metadata', 'name'] : path;
}

function helpFor(field: string, old: RenderedObject): string {
  return field === 'release name'
    ? `to keep the release, set spec.releaseName: ${nameOf(old)}; otherwise save its data before this is merged`
    : 'to keep the release, undo the change; otherwise save its data before this is merged';
}
