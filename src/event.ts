/** The event that the action runs for: what to compare with, and whose change it is. */
import { readFileSync } from 'node:fs';
import type { Trust } from './config/policy.js';
import type { Json } from './model.js';
import { textAt } from './object.js';

export type Event = {
  /** The commit before the change; undefined where an event has none, as a push. */
  base?: string;
  trust: Trust;
};

/** `name` and `file` are GITHUB_EVENT_NAME and GITHUB_EVENT_PATH. An event that cannot be read is like none. */
export function readEvent(name: string | undefined, file: string | undefined): Event {
  const payload = read(file);
  if (name === 'merge_group') return { ...commit(payload, ['merge_group', 'base_sha']), trust: 'same-repository' };
  if (name !== 'pull_request' && name !== 'pull_request_target') return { trust: 'same-repository' };
  // A fork that was deleted is null here.
  const head = textAt(payload, ['pull_request', 'head', 'repo', 'full_name']);
  const ours = head !== undefined && head === textAt(payload, ['pull_request', 'base', 'repo', 'full_name']);
  return { ...commit(payload, ['pull_request', 'base', 'sha']), trust: ours ? 'same-repository' : 'fork' };
}

function commit(payload: Json, path: string[]): Pick<Event, 'base'> {
  const base = textAt(payload, path);
  return base !== undefined && /^[0-9a-f]{40,64}$/.test(base) ? { base } : {};
}

function read(file: string | undefined): Json {
  try {
    return file === undefined ? null : (JSON.parse(readFileSync(file, 'utf8')) as Json);
  } catch {
    return null;
  }
}
