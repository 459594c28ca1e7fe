/** What becomes of a Flux Kustomization as a whole: the one word that `diff`, `explain` and the summary have for it. */

import { defined } from '../core/defined.js';
import type { ObjectRef, Rendered } from '../core/model.js';
import { inventoryId, label } from '../core/object.js';
import type { Reconciled } from './reconcile.js';
import type { Source } from './sources.js';

export type ReconcileOutcome = {
  path: string;
  /** The reason of the Ready condition after each of two reconciles; see `Reconciled` for what is none. */
  first: Reconciled['reason'] | 'ArtifactFailed' | 'BuildFailed';
  second: Reconciled['reason'] | 'ArtifactFailed' | 'BuildFailed';
  /** What is not applied, though it is not refused itself. */
  stopped: ObjectRef[];
  /** Why nothing can be built. */
  why?: string;
  /** Why it may come otherwise. */
  unsure?: string;
};

type Reconciles = { first: Reconciled; second: Reconciled };

/** `source` and `reconciles` are absent where it cannot be built. */
export function appliedOf(
  rendered: Rendered,
  source: Source | undefined,
  reconciles: Reconciles | undefined,
  doubts: ReadonlyMap<string, string>,
  /** As the commit before had it. */
  before?: Source,
): ReconcileOutcome {
  if (!rendered.ok) return unbuilt(rendered);
  const { path } = rendered.entrypoint;
  const { first, second } = reconciles as Reconciles;
  const unsure = unsureOf([source as Source, ...(before ? [before] : [])], reconciles as Reconciles, doubts);
  return { path, first: first.reason, second: second.reason, stopped: second.stopped, ...defined({ unsure }) };
}

/** A directory that is not there fails before the build. */
export function unbuilt({ entrypoint: { path }, problem }: Extract<Rendered, { ok: false }>): ReconcileOutcome {
  const reason = problem.rule === 'missing-path' ? ('ArtifactFailed' as const) : ('BuildFailed' as const);
  return { path, first: reason, second: reason, stopped: [], why: problem.message };
}

/** A refusal that is sure is enough; else what is only suspected counts. */
function unsureOf(
  [source, ...before]: [Source, ...Source[]],
  { first, second }: Reconciles,
  doubts: ReadonlyMap<string, string>,
) {
  const refused = [...first.refused, ...second.refused].map(({ ref }) => ref);
  const isSure = (ref: ObjectRef) => !doubts.has(inventoryId(ref));
  if (source.isDenied) return source.unsure;
  if (first.reason === 'ReconciliationFailed' && first.refused.some(({ ref }) => isSure(ref))) return undefined;
  const [doubted] = refused.filter((ref) => !isSure(ref));
  if (doubted) return `${label(doubted)} may be accepted: ${doubts.get(inventoryId(doubted))}`;
  return [source, ...before].flatMap((one) =>
    [one.unsure, ...one.unknown.map(({ unsure }) => unsure)].flatMap((why) => why ?? []),
  )[0];
}
