/** How a file of `dist/` differs from what the source builds, so that a person can review it. */
import { structuredPatch } from 'diff';
import esbuild from 'esbuild';

/** Lines that are shown of a difference, and characters of each. */
const maxLines = 60;
const width = 160;
/** Changed lines above which it is no edit by hand, but another source: how much differs then says nothing. */
const maxEdits = 2000;

/**
 * Code is printed one statement a line, with the names that the bundler gave; what is no JavaScript any more, around its first difference.
 *
 * @param {string} file its path below `dist/`
 * @param {string | undefined} committed undefined where it is not there
 * @param {string | undefined} built
 * @returns {Promise<string>} lines with `-` what is committed, with `+` what the source builds
 */
export async function readableDifference(file, committed, built) {
  if (committed === undefined) return '  it is not committed';
  if (built === undefined) return '  the source does not build it';
  const [before, after] = await Promise.all([committed, built].map((text) => printed(file, text)));
  if (before === undefined || after === undefined) return aroundDifference(committed, built);
  const patch = structuredPatch(file, file, before, after, '', '', { context: 2, maxEditLength: maxEdits });
  if (!patch) return `  more than ${maxEdits} lines of it differ`;
  const lines = patch.hunks.flatMap(({ oldStart, lines: changed }) => [`@@ line ${oldStart} @@`, ...cut(changed)]);
  if (lines.length === 0) return `  it differs in white space alone\n${aroundDifference(committed, built)}`;
  const left = lines.length - maxLines;
  return [...lines.slice(0, maxLines), ...(left > 0 ? [`… ${left} more lines`] : [])].join('\n');
}

/** Undefined where it cannot be parsed. */
async function printed(file, text) {
  if (!file.endsWith('.js')) return text;
  try {
    return (await esbuild.transform(text, { minify: false, logLevel: 'silent', charset: 'utf8' })).code;
  } catch {
    return undefined;
  }
}

/** Long lines without what they have in common with the line of the other side in the same place. */
function cut(lines) {
  const sides = { '-': lines.filter((line) => line[0] === '-'), '+': lines.filter((line) => line[0] === '+') };
  return lines.map((line) => {
    const own = sides[line[0]];
    const other = own && sides[line[0] === '-' ? '+' : '-'][own.indexOf(line)];
    const from = other === undefined ? 0 : Math.max(0, commonStart(line.slice(1), other.slice(1)) - width / 2);
    return line[0] + windowOf(line.slice(1), from);
  });
}

function aroundDifference(committed, built) {
  const at = commonStart(committed, built);
  const from = Math.max(0, at - width / 2);
  return [
    `@@ byte ${Buffer.byteLength(committed.slice(0, at))} @@`,
    `-${windowOf(committed, from)}`,
    `+${windowOf(built, from)}`,
  ].join('\n');
}

function commonStart(one, other) {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

function windowOf(text, from) {
  const shown = text.slice(from, from + width).replaceAll('\n', '⏎');
  return `${from > 0 ? '…' : ''}${shown}${from + width < text.length ? '…' : ''}`;
}
