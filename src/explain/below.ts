/** What a field decides of in the objects of its chart, in words and as data. */
import type { Below, BelowObject } from '../charts/below.js';
import { defined } from '../core/defined.js';
import { shorten } from '../core/escape.js';
import { formatPath } from '../core/object.js';
import { isChecksum } from '../core/workloads.js';
import { pairInDiff, valueInDiff } from '../report/diff-words.js';
import { maskText } from '../secrets/mask.js';

/** Characters of a reason. */
const longestReason = 160;
/** So many objects, and fields of each, are told. */
const most = { objects: 10, fields: 10 };

/** Counts first, then the objects with their fields, each line below the first one indented. */
export function belowLines(below: Below): string[] {
  const release = `HelmRelease ${below.release}`;
  switch (below.effect) {
    case 'none':
      return [`${release}: no object changes with it`];
    case 'unknown':
      return [`${release}: no object changes without it, and with another value the chart fails`];
    case 'fails':
      return [
        `${release}: its chart fails ${below.isCause ? 'with this value' : 'whatever it is'}: ${reasonIn(below)}`,
      ];
    case 'needed': {
      const rest = below.objects.length > 0 ? [`  ${counts(below.objects)}`] : [];
      return [`${release}: without it the chart fails: ${reasonIn(below)}`, ...rest, ...objectLines(below.objects)];
    }
    case 'decides': {
      const same = below.isDefault ? '; the chart has the same by default' : '';
      return [`${release}: ${counts(below.objects)}${same}`, ...objectLines(below.objects)];
    }
  }
}

function reasonIn({ why }: { why: string }): string {
  return shorten(maskText(why), longestReason);
}

/** `1 object and 2 fields of 2 others depend on it; the pods of 1 workload restart when it changes`. */
function counts(objects: readonly BelowObject[]): string {
  const changed = objects.filter(({ whole }) => !whole);
  const fields = changed.reduce((sum, one) => sum + one.fields.length, 0);
  const whole = objects.length - changed.length;
  const restarting = objects.filter(({ restarts }) => restarts !== undefined).length;
  const parts = [
    ...(whole > 0 ? [`${count(whole, 'object')} as a whole`] : []),
    ...(fields > 0 ? [`${count(fields, 'field')} of ${count(changed.length, 'object')}`] : []),
  ];
  const depend = `${parts.join(' and ')} ${whole + fields === 1 ? 'depends' : 'depend'} on it`;
  if (restarting === 0) return depend;
  return `${depend}; the pods of ${count(restarting, 'workload')} restart when it changes`;
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}

function objectLines(objects: readonly BelowObject[]): string[] {
  const shown = objects.slice(0, most.objects).flatMap(({ ref, whole, fields, restarts }) => {
    const name = `${ref.kind} ${ref.namespace ? `${ref.namespace}/` : ''}${ref.name}`;
    if (whole) return [`  ${name} is ${whole === 'there' ? '' : 'not '}made because of it`];
    const restart = restarts === undefined ? '' : `: its pods restart when it changes (${restarts})`;
    const told = fields.filter(({ path }) => !isChecksum(path));
    const lines = told.slice(0, most.fields).map((field) => `    ${fieldWords(field)}`);
    return [`  ${name}${restart}`, ...lines, ...more(told.length - most.fields, 'field', '    ')];
  });
  return [...shown, ...more(objects.length - most.objects, 'object', '  ')];
}

function more(number: number, word: string, indent: string): string[] {
  return number > 0 ? [`${indent}and ${count(number, `more ${word}`)}`] : [];
}

function fieldWords({ path, before, after }: BelowObject['fields'][number]): string {
  const name = formatPath(path);
  if (after === undefined)
    return `${name} is not set${before === undefined ? '' : `, without it ${valueInDiff(before)}`}`;
  if (before === undefined) return `${name} = ${valueInDiff(after)}`;
  const [without, value] = pairInDiff(before, after);
  return `${name} = ${value}, without it ${without}`;
}

export function belowData({ release, ...below }: Below) {
  const { effect } = below;
  return {
    release,
    effect,
    ...('why' in below && { why: maskText(below.why) }),
    ...('isCause' in below && { isCause: below.isCause }),
    ...('isDefault' in below && { isDefault: true }),
    ...('objects' in below && {
      objects: below.objects.map(({ ref, whole, restarts, fields }) => ({
        ...ref,
        ...defined({ whole, restarts }),
        fields: fields.map(({ path, before, after }) => ({ path, ...defined({ value: after, without: before }) })),
      })),
    }),
  };
}
