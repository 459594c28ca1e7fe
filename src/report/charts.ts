/** What a change makes of the objects below the Packages, for people: counts first, then each component with its objects and fields. */
import { codeElement, codeSpan, fence, printable } from '../core/escape.js';
import type { ChartDiff, ChartObjectDiff } from '../core/model.js';
import { formatPath } from '../core/object.js';
import { isWorkload } from '../core/workloads.js';
import { nameInDiff, pairInDiff, textsInDiff, valueInDiff } from './diff-words.js';
import { folded } from './folded.js';
import { painter, type Style } from './paint.js';
import { plural } from './summary.js';

const signs: Record<ChartObjectDiff['action'], [sign: string, color: Style, words: string]> = {
  created: ['+', 'green', 'is created'],
  changed: ['~', 'yellow', 'is changed'],
  deleted: ['-', 'red', 'is deleted'],
  left: ['·', 'cyan', 'is no longer of the chart, and stays'],
};

/** In Markdown; all are in the differences below. */
const mostImages = 20;

export function chartsText(diffs: readonly ChartDiff[], { color }: { color: boolean }): string {
  const paint = painter(color);
  const line: Line = (depth, sign, style, text) => `${' '.repeat(depth)}${paint(sign, style)} ${text}`;
  const blocks = diffs.flatMap((diff) => [paint(title(diff), 'bold'), ...objectLines(diff, line), '']);
  return [paint(`Below the Packages: ${totals(diffs)}`, 'bold'), ...imagesOf(diffs), '', ...blocks].join('\n');
}

type Line = (depth: number, sign: string, color: Style, text: string) => string;

/** Blocks of Markdown, of about as many bytes at the most: the sum, and a folded difference for each component. */
export function chartsMarkdown(diffs: readonly ChartDiff[], maxBytes: number): string[] {
  if (diffs.length === 0) return [];
  // GitHub colours what begins with the sign.
  const line: Line = (depth, sign, _, text) => `${sign} ${' '.repeat(depth)}${text}`;
  const blocks: string[] = [];
  let left = maxBytes;
  for (const diff of diffs) {
    const block = folded(`${title(diff, codeElement)}: ${totals([diff])}`, [fence(objectLines(diff, line), 'diff')]);
    left -= Buffer.byteLength(block);
    if (left < 0) break;
    blocks.push(block);
  }
  const rest = diffs.length - blocks.length;
  const more = rest > 0 ? [`**${plural(rest, 'more component')}:** run \`customizer-lint diff --charts\`.`] : [];
  const images = imagesOf(diffs).slice(0, mostImages);
  const list = images.length > 0 ? [images.map((image) => `- ${codeSpan(image)}`).join('\n')] : [];
  return ['### Below the Packages', `${totals(diffs)}.`, ...list, ...blocks, ...more];
}

function title({ cluster, component, package: name, release }: ChartDiff, shown = printable): string {
  const where = cluster === undefined ? '' : `cluster ${shown(cluster)}: `;
  if (component === undefined || name === undefined) return `${where}HelmRelease ${shown(release)}`;
  return `${where}component ${shown(component)} of Package ${shown(name)} (HelmRelease ${shown(release)})`;
}

function objectLines({ objects, notRendered }: ChartDiff, line: Line): string[] {
  if (notRendered) return [line(0, '!', 'red', 'its chart fails, so nothing is known of its objects')];
  return objects.flatMap((object) => {
    const [sign, color, words] = signs[object.action];
    const head = `${nameInDiff(object.ref)} ${words}${restartWords(object)}`;
    return [line(0, sign, color, head), ...object.fields.map((field) => fieldLine(field, line))];
  });
}

function restartWords({ ref, action, restarts }: ChartObjectDiff): string {
  if (restarts !== undefined) return `, and its pods restart (${printable(restarts)})`;
  return action === 'changed' && isWorkload(ref.kind) ? ', and its pods do not restart' : '';
}

function fieldLine({ path, before, after }: ChartObjectDiff['fields'][number], line: Line): string {
  const name = printable(formatPath(path));
  if (before === undefined) return line(4, '+', 'green', `${name}: ${valueInDiff(after ?? null)}`);
  if (after === undefined) return line(4, '-', 'red', `${name}: ${valueInDiff(before ?? null)}`);
  return line(4, '~', 'yellow', `${name}: ${pairInDiff(before, after).join(' → ')}`);
}

/** As `2 changed, 1 deleted; the pods of 1 workload restart; 1 chart fails`. */
function totals(diffs: readonly ChartDiff[]): string {
  const objects = diffs.flatMap(({ objects }) => objects);
  const counts = (['created', 'changed', 'deleted', 'left'] as const).flatMap((action) => {
    const count = objects.filter((object) => object.action === action).length;
    return count > 0 ? [`${count} ${action}`] : [];
  });
  const changed = objects.filter(({ ref, action }) => action === 'changed' && isWorkload(ref.kind));
  const restarting = changed.filter(({ restarts }) => restarts !== undefined).length;
  const failing = diffs.filter(({ notRendered }) => notRendered).length;
  const all = [
    counts.join(', '),
    restarting > 0 ? `the pods of ${plural(restarting, 'workload')} restart` : '',
    changed.length > restarting ? `${plural(changed.length - restarting, 'workload')} without a restart` : '',
    failing > 0 ? (failing === 1 ? '1 chart fails' : `${failing} charts fail`) : '',
  ].filter((part) => part !== '');
  return all.join('; ') || 'nothing changes';
}

/** Each change once, first of the pods: `image nginx:1.27 → nginx:1.28`. What another field of that name is for, only its kind knows. */
function imagesOf(diffs: readonly ChartDiff[]): string[] {
  const changes = diffs.flatMap(({ objects }) =>
    objects.flatMap(({ ref, fields }) =>
      fields.flatMap(({ path, before, after }) => {
        if (path.at(-1) !== 'image' || typeof before !== 'string' || typeof after !== 'string') return [];
        const isSure = /^(?:init|ephemeral)?containers$/i.test(String(path.at(-3)));
        const words = `image ${textsInDiff(before, after).join(' → ')}`;
        return {
          isSure,
          words: isSure ? words : `perhaps ${words} (${printable(formatPath(path))} of ${nameInDiff(ref)})`,
        };
      }),
    ),
  );
  const named = (isWanted: boolean) => changes.flatMap(({ isSure, words }) => (isSure === isWanted ? [words] : []));
  return [...new Set([...named(true), ...named(false)])];
}
