/** What a change makes of the objects below the Packages, for people: counts first, then each component with its objects and fields. */
import { codeSpan, fence, printable, shorten } from '../core/escape.js';
import type { ChartDiff, ChartObjectDiff, Json } from '../core/model.js';
import { formatPath } from '../core/object.js';
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

/** Longer values are cut: a difference is read, not copied. */
const longest = 80;

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
    const block = folded(title(diff), [fence(objectLines(diff, line), 'diff')]);
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

function title(diff: ChartDiff): string {
  const { cluster, component, package: name, release } = diff;
  const where = cluster === undefined ? '' : `cluster ${cluster}: `;
  const what =
    name === undefined
      ? `HelmRelease ${release}`
      : `component ${component} of Package ${name} (HelmRelease ${release})`;
  return printable(`${where}${what}`);
}

function objectLines({ objects, notRendered }: ChartDiff, line: Line): string[] {
  if (notRendered) return [line(0, '!', 'red', 'its chart fails, so nothing is known of its objects')];
  return objects.flatMap(({ ref: { kind, namespace, name }, action, fields, restarts }) => {
    const [sign, color, words] = signs[action];
    const label = printable(`${kind} ${namespace ? `${namespace}/` : ''}${name}`);
    const restart = restarts === undefined ? '' : `, and its pods restart (${printable(restarts)})`;
    return [line(0, sign, color, `${label} ${words}${restart}`), ...fields.map((field) => fieldLine(field, line))];
  });
}

function fieldLine({ path, before, after }: ChartObjectDiff['fields'][number], line: Line): string {
  const name = printable(formatPath(path));
  if (before === undefined) return line(4, '+', 'green', `${name}: ${words(after)}`);
  if (after === undefined) return line(4, '-', 'red', `${name}: ${words(before)}`);
  return line(4, '~', 'yellow', `${name}: ${words(before)} → ${words(after)}`);
}

function words(value: Json | undefined): string {
  return printable(shorten(JSON.stringify(value ?? null), longest));
}

/** As `2 changed, 1 deleted; the pods of 1 workload restart; 1 chart fails`. */
function totals(diffs: readonly ChartDiff[]): string {
  const objects = diffs.flatMap(({ objects }) => objects);
  const counts = (['created', 'changed', 'deleted', 'left'] as const).flatMap((action) => {
    const count = objects.filter((object) => object.action === action).length;
    return count > 0 ? [`${count} ${action}`] : [];
  });
  const changed = objects.filter(({ ref, action }) => action === 'changed' && workloads.has(ref.kind));
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

const workloads = new Set(['Deployment', 'StatefulSet', 'DaemonSet']);

/** Of pods, each change once: `image nginx:1.27 → nginx:1.28`. */
function imagesOf(diffs: readonly ChartDiff[]): string[] {
  const changes = diffs.flatMap(({ objects }) =>
    objects.flatMap(({ fields }) =>
      fields.flatMap(({ path, before, after }) => {
        const isImage = path.at(-1) === 'image' && /^(?:init|ephemeral)?containers$/i.test(String(path.at(-3)));
        return isImage && before !== undefined && after !== undefined ? [`image ${told(before)} → ${told(after)}`] : [];
      }),
    ),
  );
  return [...new Set(changes)];
}

function told(value: Json): string {
  return printable(shorten(String(value), longest));
}
