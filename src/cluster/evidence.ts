/**
 * What a repository shows of the release that its cluster has. The base branch has been applied: what the API server of a release
 * would have refused for certain tells that the cluster is not of that release.
 */

import type { Fact, RenderedObject } from '../core/model.js';
import { groupOf, label } from '../core/object.js';
import { once } from '../core/once.js';
import { isWrittenInPart } from '../cozystack/catalog.js';
import type { Contract } from '../cozystack/contract.js';
import { cozystackGroup, isPackage, isPackageSource } from '../cozystack/package.js';
import { lineName } from '../cozystack/releases.js';
import { type Applied, isEncrypted } from '../flux/applied.js';
import { validate } from '../schema/validate.js';
import { isClosedGroup, isDefinedHere } from './definitions.js';
import type { Evidence } from './facts.js';
import { statedRelease } from './platform-source.js';

/** A release that there is data for, and what it says of objects. */
export type Candidate = { release: string; contract: Pick<Contract, 'catalog' | 'schemas'> };

export type Witnesses = {
  /** What the base branch renders; none where there is nothing to compare with. */
  base: readonly Applied[];
  /** What a change of the repository's own renders. A fork's shows nothing. */
  head: readonly Applied[];
};

/** Nothing is looked at before it is asked for: where the release is known, nobody does. */
export function evidenceIn({ base, head }: Witnesses, candidates: () => readonly Candidate[]): Evidence {
  const said = statedRelease(head) ?? statedRelease(base);
  const found = once(() =>
    weigh(
      said,
      narrow(
        base.filter((object) => !isEncrypted(object)),
        candidates(),
      ),
      candidates(),
    ),
  );
  return {
    releases: () => found().releases,
    because: () => found().because,
    get stated() {
      return said && found().stated;
    },
  };
}

type Narrowed = { releases: readonly string[]; because?: Pick<Fact, 'file' | 'because'> };

/** A tag of a release without data says nothing; of two that contradict each other neither does. */
function weigh(
  said: Evidence['stated'],
  narrowed: Narrowed,
  candidates: readonly Candidate[],
): Narrowed & Pick<Evidence, 'stated'> {
  const all = candidates.map(({ release }) => release);
  const isOf = (releases: readonly string[]) => said && releases.map(lineName).includes(lineName(String(said.value)));
  if (!isOf(all)) return narrowed;
  return isOf(narrowed.releases) ? { ...narrowed, stated: said } : { releases: all };
}

function narrow(objects: readonly Applied[], candidates: readonly Candidate[]): Narrowed {
  const all = candidates.map(({ release }) => release);
  const ownSources = new Set(objects.filter(isPackageSource).map(({ ref }) => ref.name));
  let releases: readonly string[] = all;
  let shown: RenderedObject[] = [];
  for (const object of objects) {
    if ((isPackage(object) && ownSources.has(object.ref.name)) || isDefinedHere(object.ref, objects)) continue;
    const fitting = candidates.filter((one) => fits(object, one)).map(({ release }) => release);
    // What fits nowhere tells nothing of where the cluster is.
    if (fitting.length === 0 || fitting.length === all.length) continue;
    const left = releases.filter((release) => fitting.includes(release));
    if (left.length === 0) return { releases: all };
    if (left.length === releases.length) continue;
    releases = left;
    shown = left.length === fitting.length ? [object] : [...shown, object];
  }
  return { releases, ...(shown.length > 0 && { because: reason(shown) }) };
}

function reason(shown: readonly RenderedObject[]): Pick<Fact, 'file' | 'because'> {
  const [first] = shown;
  const names = shown.map(({ ref }) => label(ref)).join(' and ');
  return { because: `the base branch has ${names}`, ...(first?.source && { file: first.source.file }) };
}

/** Whether a cluster of the release may have accepted it. */
function fits(object: RenderedObject, { contract: { catalog, schemas } }: Candidate): boolean {
  const { ref, value } = object;
  if (isPackage(object) && catalog.releasesWith(ref.name).length > 0 && !catalog.source(ref.name)) return false;
  const { apiVersion, kind } = ref;
  const found = schemas.find(apiVersion, kind);
  if (found.known) {
    if (found.builtIn || schemas.isTheSameEverywhere(apiVersion, kind)) return true;
    return validate(value, found, { partial: isWrittenInPart(object, catalog) }).violations.every(
      ({ dropped }) => dropped === true,
    );
  }
  // A kind that a release does not bring somebody else may have brought, but for those of the platform itself.
  const group = groupOf(apiVersion);
  return found.why === 'unknown-kind' && !isClosedGroup(group) && !group.endsWith(`.${cozystackGroup}`);
}
