/** Which findings are listed one by one: a file that repeats one mistake many times must not fill every report with it. */

import { createHash } from 'node:crypto';
import { defined } from '../core/defined.js';
import type { Finding } from '../core/model.js';

/** How many findings of one rule and severity are listed for a file, the old ones apart from the new. */
export const maxListed = 200;

/**
 * What is beyond the limit is counted in one finding of the same rule and severity in the place of the first that is left
 * out, new where those are: the verdict is the same as with all of them. `findings` are compared with the base already.
 */
export function listed(findings: readonly Finding[]): Finding[] {
  const counts = new Map<string, number>();
  for (const finding of findings) counts.set(keyOf(finding), (counts.get(keyOf(finding)) ?? 0) + 1);
  const seen = new Map<string, number>();
  return findings.flatMap((finding) => {
    const key = keyOf(finding);
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    if (before < maxListed) return [finding];
    return before === maxListed ? [rest(finding, (counts.get(key) ?? 0) - maxListed)] : [];
  });
}

function rest({ rule, severity, at, isNew, entrypoints }: Finding, count: number): Finding {
  const identity = JSON.stringify([rule, severity, at.revision, at.file, 'more']);
  return {
    rule,
    severity,
    message: `This file has ${count} more of these, from here on, which are not listed`,
    help: 'correct those that are listed first',
    at,
    precision: 'file',
    field: [],
    related: [],
    entrypoints,
    fingerprint: createHash('sha256').update(identity).digest('hex').slice(0, 32),
    ...defined({ isNew }),
    assumes: [],
  };
}

function keyOf({ rule, severity, at, isNew }: Finding): string {
  return JSON.stringify([rule, severity, at.revision, at.file, isNew]);
}
