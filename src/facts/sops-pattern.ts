/** Patterns of SOPS are Go's (RE2) and come from the pull request: only those are tried that cannot take long in JavaScript. */
import { matchesPattern } from '../contract/pattern.js';

/** Characters: of a pattern, and of a key that a pattern with repetitions is tried on. */
const longest = { pattern: 500, key: 100 };
const mostRepetitions = 2;

/** Says of a key whether it matches, or undefined where only Go can say; undefined in place of all of it likewise. */
export function matcherOf(pattern: string): ((key: string) => boolean | undefined) | undefined {
  const classes = pattern.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
  // A repeated group, or a count, is what makes trying expensive; Go has no look-around and no references.
  if (pattern.length > longest.pattern || /\)[*+{]|\{\d|\(\?[^:i]/.test(classes) || /\\[1-9k]/.test(pattern))
    return undefined;
  const repetitions = classes.split(/[*+]/).length - 1;
  if (repetitions > mostRepetitions) return undefined;
  return (key) => (key.length > longest.key && repetitions > 0 ? undefined : matchesPattern(pattern, key));
}
