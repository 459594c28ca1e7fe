/** Which values the templates of a chart read: whether one of them can be read at all, by their text alone. */
import type { FieldPath } from '../core/model.js';

/** A file of a chart; `chart` are the names of the sub-charts that lead to its own. */
export type ChartText = { chart: readonly string[]; name: string; text: string };

/** `uses`: what stands behind each `.Values`; `asked`: where it is only asked whether that is there; `rest`: all else that is code. */
type Code = {
  chart: readonly string[];
  uses: readonly (readonly string[])[];
  asked: readonly (readonly string[])[];
  rest: string;
  defines: readonly string[];
};

/** Of all files: undefined where what is read cannot be told from them. */
export type ChartReads = { code: readonly Code[] } | undefined;

/** What passes values on under another name, or is not here to be read. */
const unclear = /(?:alias|import-values)["']?:/;

export function readsOf(files: readonly ChartText[]): ChartReads {
  const isUnclear = ({ chart, name, text }: ChartText) => {
    if (name.endsWith('.tgz')) return true;
    if (name !== 'Chart.yaml' && name !== 'requirements.yaml') return false;
    const own = /^name:[ \t]*["']?([\w.-]+)/m.exec(text)?.[1];
    return unclear.test(text) || (chart.length > 0 && name === 'Chart.yaml' && own !== chart.at(-1));
  };
  return files.some(isUnclear) ? undefined : { code: files.map(codeOf) };
}

/**
 * The fields, as paths from the values of the whole chart, that templates read under the last name of a path; undefined where one of them
 * may read the path itself: by it, by a map that it is in, or by its name alone.
 */
export function readElsewhere(path: readonly string[], reads: ChartReads): FieldPath[] | undefined {
  const key = path.at(-1) ?? '';
  if (!reads || ['global', 'tags'].some((name) => path.includes(name))) return undefined;
  const isSeen = ({ chart }: Code) => chart.length < path.length && chart.every((name, depth) => path[depth] === name);
  const seen = reads.code.filter(isSeen);
  const called = seen.map(({ rest }) => rest).join('\n');
  // A template with a name is run with the values of whoever calls it.
  const isCalled = ({ defines }: Code) => isDynamic.test(called) || defines.some((name) => called.includes(name));
  const others = reads.code.filter((one) => !isSeen(one) && one.defines.length > 0 && isCalled(one));
  if (
    others.some(
      ({ uses, asked, rest }) =>
        [...uses, ...asked].some((use) => use.length === 0 || use.includes(key)) || isNamed(key, rest),
    )
  )
    return undefined;
  const found = new Map<string, FieldPath>();
  for (const { chart, uses, asked, rest } of seen) {
    const own = path.slice(chart.length);
    // Of a map that is only asked for, what is in it is not read.
    if (isNamed(key, rest) || asked.some((use) => own.every((step, depth) => use[depth] === step))) return undefined;
    for (const use of uses) {
      if (own.every((step, depth) => depth >= use.length || use[depth] === step)) return undefined;
      if (use.at(-1) === key) found.set([...chart, ...use].join('.'), [...chart, ...use]);
    }
  }
  return [...found.values()];
}

/** Whether one is the other without one of its steps. */
export function isOneLevelOff(path: FieldPath, other: FieldPath): boolean {
  const [short, long] = path.length < other.length ? [path, other] : [other, path];
  if (long.length !== short.length + 1) return false;
  const at = long.findIndex((step, depth) => short[depth] !== step);
  return long.slice(at + 1).every((step, depth) => short[at + depth] === step);
}

/** As a word of its own: `limit` is not in `limits`. */
export function isNamed(key: string, text: string): boolean {
  if (key === '') return true;
  const isPartOf = (char: string | undefined) => char !== undefined && /\w/.test(char);
  for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + 1))
    if (!isPartOf(text[at - 1]) && !isPartOf(text[at + key.length])) return true;
  return false;
}

const isDynamic = /\b(?:include|template)\s+[^"\s]/;

/** A condition that only asks whether there is something. */
const isAsked = /^-?\s*(?:else )?if (?:not )?\$?\.Values[\w.]+\s*-?$/;

function codeOf({ chart, name, text }: ChartText): Code {
  const isTemplate = name.startsWith('templates/') || isOfValues.test(name);
  const actions = isTemplate ? actionsIn(text) : [text];
  const [uses, asked]: [string[][], string[][]] = [[], []];
  const rest: string[] = [];
  for (const action of actions) {
    let from = 0;
    for (let at = action.indexOf('.Values'); at >= 0; at = action.indexOf('.Values', from)) {
      rest.push(action.slice(from, at));
      const { steps, end } = stepsAt(action, at + '.Values'.length);
      (isAsked.test(action) ? asked : uses).push(steps);
      from = end;
    }
    rest.push(action.slice(from));
  }
  const defines = actions.flatMap((action) => /^-?\s*define\s+("[^"]+")/.exec(action)?.[1] ?? []);
  return { chart, uses, asked, rest: rest.join('\n'), defines };
}

const isOfValues = /^values[^/]*\.ya?ml$/;

/** What stands between braces, but for comments. */
function actionsIn(text: string): string[] {
  const found: string[] = [];
  for (let at = text.indexOf('{{'); at >= 0; ) {
    const end = text.indexOf('}}', at);
    if (end < 0) break;
    const action = text.slice(at + 2, end);
    if (!/^-?\s*\/\*/.test(action)) found.push(action);
    at = text.indexOf('{{', end);
  }
  return found;
}

/** `.a.b`, also with the parentheses that Helm's users put against what is not there: `(.Values.a).b`. */
function stepsAt(text: string, from: number): { steps: string[]; end: number } {
  const steps: string[] = [];
  const step = /\)*\.(\w+)/y;
  for (let end = from; ; end = step.lastIndex) {
    step.lastIndex = end;
    const name = step.exec(text)?.[1];
    if (name === undefined) return { steps, end };
    steps.push(name);
  }
}
