/** How many findings each rule has, with its group: the most first, of as many the worst. */
import { groupBy } from '../core/group.js';
import type { Run } from '../core/model.js';
import { worstFirst } from '../core/severity.js';
import type { ReportOptions } from './options.js';
import { painter } from './paint.js';
import { headline } from './summary.js';

export function statistics(run: Run, { color, rules = [] }: ReportOptions): string {
  const groupOf = new Map(rules.map(({ id, group }) => [id, group]));
  const byName = run.findings.toSorted((a, b) => a.rule.localeCompare(b.rule, 'en'));
  const groups = groupBy(worstFirst(byName), ({ rule, severity }) => `${severity}  ${rule}`);
  const rows = [...groups].sort(([, one], [, other]) => other.length - one.length);
  const width = String(rows[0]?.[1].length ?? 0).length;
  const row = ([, all]: (typeof rows)[number]) => [all[0]?.severity ?? '', groupOf.get(all[0]?.rule ?? '') ?? ''];
  const widths = [0, 1].map((column) => Math.max(0, ...rows.map((one) => row(one)[column]?.length ?? 0)));
  const lines = rows.map((one) => {
    const words = row(one).map((word, column) => word.padEnd(widths[column] ?? 0));
    return [String(one[1].length).padStart(width), ...words, one[1][0]?.rule].join('  ');
  });
  return `${[...lines, ...(lines.length > 0 ? [''] : []), painter(color)(headline(run), 'bold')].join('\n')}\n`;
}
