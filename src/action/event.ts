/** The event that the action runs for: what changed, and whose change it is. */
import { readFileSync } from 'node:fs';
import type { Trust } from '../config/policy.js';
import type { Json } from '../core/model.js';
import { getString, lookUp } from '../core/object.js';
import { commitIn } from '../tree/git.js';

export type Event = {
  trust: Trust;
  /** The commit before the change; undefined where an event has none, as a push. */
  base?: string;
  /** The name of the branch that the change is to be merged into. */
  branch?: string;
  /** A pull request's own commit: what is checked out is its merge with the base. */
  pull?: { number: number; head: string };
  /** The base branch was changed by this very event: the merge that it names may still be that with the branch before. */
  isRetargeted?: true;
  /** Whether the token may write whoever opened the pull request: the workflow is that of the base. */
  isOfTarget?: true;
  /** Another workflow's run, whose report is to be published; null where its fork is gone. */
  run?: { head: string; branch: string } | null;
};

/** `name` and `file` are GITHUB_EVENT_NAME and GITHUB_EVENT_PATH. An event that cannot be read is like none. */
export function readEvent(name: string | undefined, file: string | undefined): Event {
  const payload = read(file);
  if (name === 'merge_group')
    return { ...named('base', commitAt(payload, ['merge_group', 'base_sha'])), trust: 'same-repository' };
  if (name === 'workflow_run') return { ...runOf(payload), trust: 'fork' };
  if (name !== 'pull_request' && name !== 'pull_request_target') return { trust: 'same-repository' };
  // A fork that was deleted is null here.
  const head = getString(payload, ['pull_request', 'head', 'repo', 'full_name']);
  const ours = head !== undefined && head === getString(payload, ['pull_request', 'base', 'repo', 'full_name']);
  const number = lookUp(payload, ['pull_request', 'number']);
  const commit = commitAt(payload, ['pull_request', 'head', 'sha']);
  return {
    ...named('base', commitAt(payload, ['pull_request', 'base', 'sha'])),
    ...named('branch', getString(payload, ['pull_request', 'base', 'ref'])),
    ...(commit && typeof number === 'number' && { pull: { number, head: commit } }),
    ...(lookUp(payload, ['changes', 'base']) !== undefined && { isRetargeted: true as const }),
    ...(name === 'pull_request_target' && { isOfTarget: true as const }),
    trust: ours ? 'same-repository' : 'fork',
  };
}

/** `pull_requests` of such a run is empty for forks, so the pull request has to be looked for (github/FACTS.md, Events). */
function runOf(payload: Json): Pick<Event, 'run'> {
  const head = commitAt(payload, ['workflow_run', 'head_sha']);
  const owner = getString(payload, ['workflow_run', 'head_repository', 'owner', 'login']);
  const branch = getString(payload, ['workflow_run', 'head_branch']);
  if (head && branch && lookUp(payload, ['workflow_run', 'head_repository']) === null) return { run: null };
  return head && owner && branch ? { run: { head, branch: `${owner}:${branch}` } } : {};
}

function commitAt(payload: Json, path: string[]): string | undefined {
  return commitIn(getString(payload, path));
}

function named<Name extends string>(name: Name, value: string | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [name in Name]?: string };
}

function read(file: string | undefined): Json {
  try {
    return file === undefined ? null : (JSON.parse(readFileSync(file, 'utf8')) as Json);
  } catch {
    return null;
  }
}
