/**
 * Patterns in schemas are Go's (RE2). Most mean the same in JavaScript; those that may not are left unjudged.
 */

/** A longer text is not matched: JavaScript's engine may take time that grows with a power of the length. */
const longest = 1024;

const compiled = new Map<string, RegExp | undefined>();

/** Whether a text matches, or undefined where only Go can say. */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  if (text.length > longest) return undefined;
  if (!compiled.has(pattern)) compiled.set(pattern, compile(pattern));
  return compiled.get(pattern)?.test(text);
}

/**
 * What JavaScript would read as something else: \A \z \Q \E \C \a, one-letter and named Unicode classes, POSIX classes,
 * groups with flags or Python's names, \x{…}.
 */
const foreign = /\\[AzQECapP]|\\x\{|\[\[:|\(\?P|\(\?[a-zA-Z-]+[:)]/;

/**
 * `([ ]?[a-z]+)*`: words with separators that may be missing can be cut up in exponentially many ways. Go's engine does not
 * mind. A test tries every shipped pattern on hostile texts.
 */
const explosive = /\((?:\?:)?(?:\[(?:\\.|[^\]])*\]|\\?.)\?(?:\[(?:\\.|[^\]])*\]|\\?.)[+*]\)[+*]/;

function compile(pattern: string): RegExp | undefined {
  const { flags, rest } = leadingFlags(pattern);
  if (foreign.test(rest) || explosive.test(rest)) return undefined;
  try {
    return new RegExp(rest, flags);
  } catch {
    return undefined;
  }
}

/** `(?i)` in front of everything is the one use of flags that JavaScript can express. */
function leadingFlags(pattern: string): { flags: string; rest: string } {
  const match = /^\(\?([is]+)\)/.exec(pattern);
  if (!match) return { flags: '', rest: pattern };
  return { flags: [...new Set(match[1])].join(''), rest: pattern.slice(match[0].length) };
}
