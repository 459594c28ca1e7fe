/**
 * Patterns in schemas are Go's (RE2). Most mean the same in JavaScript; those that may not are left unjudged. Go takes time
 * that grows with the text alone, so a pattern may be anything, `(a+)+` included: V8's own linear engine runs it, and one that
 * this engine does not take (long counted repeats, look-around) is stopped after a while.
 */
import v8 from 'node:v8';
import vm from 'node:vm';

/** A longer text is not matched: JavaScript's engine may take time that grows with a power of the length. */
const longest = 1024;

/** Milliseconds for one text, where a pattern is not run in linear time; the pattern is left unjudged after that. */
const patience = 100;

type Matcher = (text: string) => boolean | undefined;
const compiled = new Map<string, Matcher | undefined>();

/** Whether a text matches, or undefined where only Go can say. */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  if (text.length > longest) return undefined;
  if (!compiled.has(pattern)) compiled.set(pattern, compile(pattern));
  return compiled.get(pattern)?.(text);
}

/**
 * What JavaScript would read as something else: \A \z \Q \E \C \a, one-letter and named Unicode classes, POSIX classes,
 * groups with flags or Python's names, \x{…}.
 */
const foreign = /\\[AzQECapP]|\\x\{|\[\[:|\(\?P|\(\?[a-zA-Z-]+[:)]/;

function compile(pattern: string): Matcher | undefined {
  const { flags, rest } = leadingFlags(pattern);
  if (foreign.test(rest)) return undefined;
  try {
    return linear(rest, flags) ?? timed(new RegExp(rest, flags));
  } catch {
    return undefined;
  }
}

/** Undefined where the engine does not take the pattern, or V8 has no such engine. */
function linear(pattern: string, flags: string): Matcher | undefined {
  v8.setFlagsFromString('--enable-experimental-regexp-engine');
  try {
    const expression = new RegExp(pattern, `${flags}l`);
    return (text) => expression.test(text);
  } catch {
    return undefined;
  }
}

function timed(expression: RegExp): Matcher {
  const inside = vm.createContext(Object.assign(Object.create(null), { expression, text: '' })) as { text: string };
  const script = new vm.Script('expression.test(text)');
  let stopped = false;
  return (text) => {
    if (stopped) return undefined;
    try {
      inside.text = text;
      return script.runInContext(inside, { timeout: patience }) as boolean;
    } catch {
      stopped = true;
      return undefined;
    }
  };
}

/** `(?i)` in front of everything is the one use of flags that JavaScript can express. */
function leadingFlags(pattern: string): { flags: string; rest: string } {
  const match = /^\(\?([is]+)\)/.exec(pattern);
  if (!match) return { flags: '', rest: pattern };
  return { flags: [...new Set(match[1])].join(''), rest: pattern.slice(match[0].length) };
}
