/** Values that change nothing of what a chart makes. */
import { isDeepStrictEqual } from 'node:util';
import type { FieldPath, Finding, Problem } from '../core/model.js';
import { formatPath, lookUp } from '../core/object.js';
import { isPackage } from '../cozystack/package.js';
import type { ChartObject, LoadedChart } from '../engine/host/helm-protocol.js';
import { type Judged, leavesOf, renderedWithout } from './fails.js';
import type { ChartRenderer } from './renderer.js';
import { componentLabel, emittedValue, valuesPath } from './side.js';

const messages = {
  isDefault: (field: string, component: string) =>
    `${component}: ${field} is the default of the chart, and changes nothing`,
  readByNone: (field: string, component: string) =>
    `${component}: ${field} changes nothing, as no template has a value of that name`,
};

/** What other rules say of a value says more. */
const saidByRules = new Set(['unknown-value', 'invalid-value', 'chart-owned-value', 'schema-violation']);

export async function valuesWithoutEffect(
  renderer: ChartRenderer,
  judged: Judged,
  objects: readonly ChartObject[],
  findings: readonly Finding[],
): Promise<Problem[]> {
  const chart = await renderer.load(judged.release.chart);
  if ('failed' in chart) return [];
  const problems: Problem[] = [];
  for (const path of leavesOf(judged)) {
    if (isSaid(judged, path, findings)) continue;
    const kind = kindOf(renderer, judged, path, chart);
    if (!kind) continue;
    const found = await renderedWithout(renderer, judged, [path]);
    if (!found || 'failed' in found || !isDeepStrictEqual(found.objects, objects)) continue;
    const field = formatPath(path.slice(valuesPath(judged.release.component).length));
    const isDefault = kind === 'default';
    problems.push({
      rule: 'value-without-effect',
      message: (isDefault ? messages.isDefault : messages.readByNone)(field, componentLabel(judged.release)),
      help: isDefault
        ? 'remove it, unless it is to stay when the default changes'
        : 'remove it, or correct its name or place',
      severity: isDefault ? 'notice' : 'warning',
      at: { object: judged.object, path, part: 'key' },
    });
  }
  return problems;
}

function isSaid({ object }: Judged, path: FieldPath, findings: readonly Finding[]): boolean {
  return findings.some(
    ({ rule, object: of, field }) =>
      saidByRules.has(rule) &&
      of !== undefined &&
      isPackage({ ref: of }) &&
      of.name === object.ref.name &&
      field.every((step, depth) => path[depth] === step),
  );
}

/** Why it may change nothing; undefined where a template may read it under another condition. */
function kindOf(
  renderer: ChartRenderer,
  { side, object, release }: Judged,
  path: FieldPath,
  { values }: LoadedChart,
): 'default' | 'unread' | undefined {
  const emitted = emittedValue(side, release.package, path);
  const own = path.slice(valuesPath(release.component).length);
  const standard = emitted ?? lookUp(values, own);
  if (standard !== undefined) return isDeepStrictEqual(standard, lookUp(object.value, path)) ? 'default' : undefined;
  const key = String(own.at(-1));
  return renderer.templatesOf(release.chart).some((text) => text.includes(key)) ? undefined : 'unread';
}
