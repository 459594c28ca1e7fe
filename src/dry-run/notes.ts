/** What a reader has to know of a server before he believes it. */
import type { DryRun } from '../core/model.js';

export function notesFor(server: DryRun['server']): string[] {
  const both = 'a dry run does not show which fields Flux takes from kubectl (see kubectl-takeover)';
  const platform = 'it holds as much of the platform as the repository touches, as the facts above say';
  const notes: Record<DryRun['server'], string[]> = {
    envtest: [
      'no controller runs there: nothing is said of what webhooks, quotas and the platform’s policies refuse, nor of what becomes of an object',
      platform,
    ],
    kind: ['the platform does not run there: its webhooks and policies are not asked', platform],
    kubeconfig: [],
  };
  return [...notes[server], both];
}
