/** How many findings each rule has: the most first, of as many the worst. */
import { groupBy } from '../core/group.js';
import type { Run } from '../core/model.js';
import { worstFirst } from '../core/severity.js';
import { painter } from './paint.js';
import { headline } from './summary.js';

export function statistics(run: Run, color: boolean): string {
  const byName = run.findings.toSorted((a, b) => a.rule.localeCompare(b.rule, 'en'));
  const groups = groupBy(worstFirst(byName), ({ rule, severity }) => `${severity}  ${rule}`);
  const rows = [...groups].sort(([, one], [, other]) => other.length - one.length);
  const width = String(rows[0]?.[1].length ?? 0).length;
  const lines = rows.map(([words, { length }]) => `${String(length).padStart(width)}  ${words}`);
  return `${[...lines, ...(lines.length > 0 ? [''] : []), painter(color)(headline(run), 'bold')].join('\n')}\n`;
}
