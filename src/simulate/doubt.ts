/** How sure a refusal is: as sure as what `check` says of it. */

import { compare } from '../apiserver/expected.js';
import { notKnown, problemsOf } from '../apiserver/refusals.js';
import { refusalIn } from '../apiserver/status.js';
import type { Cluster } from '../cluster/cluster.js';
import type { Finding, JsonObject, RenderedObject } from '../core/model.js';
import type { Built } from '../flux/prune.js';
import { isInNamespaces } from '../flux/request.js';
import { factWords } from '../report/summary.js';
import type { RefusedRequest } from './reconcile.js';
import { doubtIn } from './sources.js';

type About = {
  rendered: Built;
  /** What is applied together. */
  objects: readonly RenderedObject[];
  cluster: Cluster;
  said: readonly Finding[];
};

/** Why the cluster may accept it after all; undefined where it does not. */
export function doubtOf(one: RefusedRequest, object: RenderedObject, about: About): string | undefined {
  if (one.isSaid || one.unsure) return one.unsure;
  const { rendered, objects, cluster, said } = about;
  const isNamespaced = isInNamespaces(object.ref, cluster.contract.schemas);
  const refusal = refusalIn({ status: one.status, body: one.body as JsonObject }, object, isNamespaced);
  const { confirmed } = compare({ object, rendered, outcome: 'refused', refusal }, said, false);
  if (confirmed.length > 0) return doubtIn(confirmed).unsure;
  const why = notKnown({ object, rendered, refusal }, { cluster, ours: true, version: '', objects });
  if (why !== undefined) return why;
  const facts = problemsOf({ object, rendered, refusal }, cluster, true).flatMap(({ assumes = [] }) => assumes);
  const words = [...new Set(facts.map(factWords))];
  return words.length > 0 ? `as far as it rests on what is assumed: ${words.join('; ')}` : undefined;
}
