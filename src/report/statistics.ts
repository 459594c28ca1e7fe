/** How many findings each rule has, the most first. */
import { groupBy } from '../core/group.js';
import { type Run, severities } from '../core/model.js';
import { painter } from './paint.js';
import { headline } from './summary.js';

export function statistics({ findings, ...run }: Run, color: boolean): string {
  const paint = painter(color);
  const rows = [...groupBy(findings, ({ rule, severity }) => `${severity} ${rule}`)]
    .map(([key, found]) => ({ key: key ?? '', count: found.length, level: levelOf(key ?? '') }))
    .sort((a, b) => b.count - a.count || a.level - b.level || a.key.localeCompare(b.key, 'en'));
  const width = Math.max(0, ...rows.map(({ count }) => String(count).length));
  const lines = rows.map(({ key, count }) => `${String(count).padStart(width)}  ${key.replace(' ', '  ')}`);
  return `${[...lines, ...(lines.length > 0 ? [''] : []), paint(headline({ ...run, findings }), 'bold')].join('\n')}\n`;
}

function levelOf(key: string): number {
  return severities.findIndex((one) => key.startsWith(one));
}
