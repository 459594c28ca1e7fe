/** Durations, which definitions of kinds have as patterns: what a message says of them, and what a person meant who wrote one out. */
import { matchesPattern } from './pattern.js';

/** Flux', in some fields without hours. */
const ofFlux = /^\^\(\[0-9\]\+\(\\\.\[0-9\]\+\)\?\(ms\|s\|m(\|h)?\)\)\+\$$/;

/** An example of what a pattern takes, where it is one of durations: nothing but numbers and units of time (`[0-9]+(ms|s|m|h)`). */
export function exampleOf(pattern: string): string | undefined {
  const found = ofFlux.exec(pattern);
  if (found) return `10m or ${found[1] ? '1h30m' : '1m30s'}`;
  const words = pattern.split(/[^\p{L}]+/u).filter((word) => word !== '');
  const isOfUnits = words.length > 0 && words.every((word) => /^(?:ns|[uµ]s|ms|[ywdhms])$/.test(word));
  return isOfUnits && matchesPattern(pattern, '5m') === true && !matchesPattern(pattern, 'm') ? '5m' : undefined;
}

/** Milliseconds, by the letters that durations have, the longest first. */
const lengths = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;

type Unit = keyof typeof lengths;

const units: { readonly [word: string]: Unit } = {
  ...{ w: 'w', week: 'w', weeks: 'w' },
  ...{ d: 'd', day: 'd', days: 'd' },
  ...{ h: 'h', hr: 'h', hrs: 'h', hour: 'h', hours: 'h' },
  ...{ m: 'm', min: 'm', mins: 'm', minute: 'm', minutes: 'm' },
  ...{ s: 's', sec: 's', secs: 's', second: 's', seconds: 's' },
  ...{ ms: 'ms', msec: 'ms', millisecond: 'ms', milliseconds: 'ms' },
};

/** `30m` for `30 minutes`, as the pattern takes it; undefined where nobody can tell. */
export function durationMeant(text: string, pattern: string): string | undefined {
  const parts = text.length > 60 ? undefined : partsOf(text);
  if (!parts) return undefined;
  const total = parts.reduce((sum, { count, unit }) => sum + Number(count) * lengths[unit], 0);
  const asOne = (Object.keys(lengths) as Unit[]).map((unit) => ({ count: String(total / lengths[unit]), unit }));
  const forms = [parts, ...asOne.filter(({ count }) => /^\d+$/.test(count)).map((part) => [part])];
  return forms
    .map((form) => form.map(({ count, unit }) => count + unit).join(''))
    .find((form) => matchesPattern(pattern, form) === true);
}

function partsOf(text: string): { count: string; unit: Unit }[] | undefined {
  const apart = text.replace(/(\d)([a-z])/gi, '$1 $2').replace(/([a-z])(\d)/gi, '$1 $2');
  const words = apart.split(/[\s,]+/).filter((word) => word !== '' && word !== 'and');
  const parts = words.flatMap((count, index) => {
    const unit = unitOf(words[index + 1] ?? '');
    return index % 2 === 0 && /^\d{1,6}(?:\.\d{1,3})?$/.test(count) && unit ? [{ count, unit }] : [];
  });
  return parts.length > 0 && parts.length * 2 === words.length ? parts : undefined;
}

/** A single letter has to be a small one: `M` is a month elsewhere. */
function unitOf(word: string): Unit | undefined {
  const name = word.length > 1 ? word.toLowerCase() : word;
  return Object.hasOwn(units, name) ? units[name] : undefined;
}
