/** Patterns of SOPS are Go's (RE2) and come from the pull request: only those are tried that cannot take long in JavaScript. */
import { matchesPattern } from '../schema/pattern.js';

/** Characters: of a pattern, and of a key that a pattern with repetitions is tried on. `ways`: of trying one, at most. */
const longest = { pattern: 500, key: 100 };
const maxWays = 1e6;

/** Says of a key whether it matches, or undefined where only Go can say; undefined in place of all of it likewise. */
export function matcherOf(pattern: string): ((key: string) => boolean | undefined) | undefined {
  if (pattern.length > longest.pattern) return undefined;
  const bare = pattern
    .replace(/^\(\?i\)/, '')
    .replace(/\\./g, 'x')
    .replace(/\[[^\]]*\]/g, 'x');
  // A repeated group, or a count, is what makes trying expensive; Go has no look-around and no references.
  if (/\)[*+{]|\{\d|\(\?[^:]/.test(bare) || /\\[1-9k]/.test(pattern) || ways(bare) > maxWays) return undefined;
  const repeats = /[*+]/.test(bare);
  return (key) => (key.length > longest.key && repeats ? undefined : matchesPattern(pattern, key));
}

/** How often a backtracking matcher may turn back at most, each choice being one more in a row. */
function ways(bare: string): number {
  const count = (sign: RegExp) => bare.split(sign).length - 1;
  const choices = (count(/\|/) + 1) ** Math.max(1, count(/\((?!\?)/) + count(/\(\?:/));
  return choices * 2 ** count(/(?<!\()\?/) * longest.key ** count(/[*+]/);
}
