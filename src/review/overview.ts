/** The words of a review itself, above its comments. */
import { type Finding, type Run, severities } from '../core/model.js';
import { plural } from '../report/summary.js';

/** `commented`: what comments show, those that were there before counted in. `page`: where all of it is. */
export function overview(run: Run, commented: ReadonlySet<Finding>, page: string | undefined): string {
  const fresh = run.findings.filter(({ isNew }) => isNew !== false);
  const old = run.findings.length - fresh.length;
  const counts = severities.flatMap((severity) => {
    const count = fresh.filter((one) => one.severity === severity).length;
    return count > 0 ? [plural(count, severity)] : [];
  });
  const isCompared = fresh.some(({ isNew }) => isNew);
  const news = !isCompared ? '' : old > 0 ? ` (${old} more, not new)` : ', all new';
  const shown = fresh.filter((one) => commented.has(one)).length;
  const link = (words: string) => (page === undefined ? words : `[${words}](${page})`);
  const rest = fresh.length - shown;
  return [
    `**${counts.join(', ')}${news}.**`,
    ...mergeWords(run, link),
    ...(rest > 0
      ? [
          `${shown} of ${plural(fresh.length, 'finding')} have a comment here, the worst first; all are in ${link('the summary')}.`,
        ]
      : []),
  ].join(' ');
}

function mergeWords({ diffs }: Run, link: (words: string) => string): string[] {
  if (!diffs) return [];
  const changed = diffs.flatMap(({ objects }) => objects).filter(({ action }) => action !== 'refused');
  if (changed.length === 0) return [`The merge changes nothing in the cluster (${link('why')}).`];
  return [`The merge changes ${plural(changed.length, 'object')} (${link('how')}).`];
}
