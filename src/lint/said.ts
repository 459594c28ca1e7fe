/** What the rules say of refusals, for whoever only wants to know what becomes of a change. */

import type { Said } from '../simulate/types.js';
import { RevisionLinter } from './lint-revision.js';
import type { Workspace, WorkspaceOptions } from './load.js';

export function saidOf(
  { trees, policy, clusters }: Workspace,
  { remotes, trust = 'same-repository' }: WorkspaceOptions,
): Said {
  const today = new Date().toISOString().slice(0, 10);
  const judge = new RevisionLinter(trees, policy, clusters, { today, trust, remotes });
  return saidBy(judge);
}

/** Worked out when it is asked for, as where no server is asked nobody does. */
export function saidBy(judge: RevisionLinter): Said {
  return {
    get head() {
      return judge.said('head');
    },
    get base() {
      return judge.said('base');
    },
  };
}
