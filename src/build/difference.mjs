/** How a file of `dist/` differs from what the source builds, so that a person can review it. */
import { structuredPatch } from 'diff';

/** Lines that are shown of a difference, and characters of each. */
const maxLines = 60;
const width = 160;
/** Changed lines above which it is no edit by hand, but another source: how much differs then says nothing. */
const maxEdits = 2000;

/**
 * Code is shown with one statement a line. It is cut at every brace and semicolon, in a string too, and not parsed: a printer of code gives
 * other names to what an edit reaches, and so hides it among lines that only look changed.
 *
 * @param {string} file its path below `dist/`
 * @param {string | undefined} committed undefined where it is not there
 * @param {string | undefined} built
 * @returns {string} lines with `-` what is committed, with `+` what the source builds
 */
export function readableDifference(file, committed, built) {
  if (committed === undefined) return '  it is not committed';
  if (built === undefined) return '  the source does not build it';
  const [before, after] = [committed, built].map((text) => (file.endsWith('.js') ? statementsOf(text) : text));
  const patch = structuredPatch(file, file, before, after, '', '', { context: 2, maxEditLength: maxEdits });
  if (!patch) return `  more than ${maxEdits} lines of it differ`;
  const lines = patch.hunks.flatMap(({ oldStart, lines: changed }) => [`@@ statement ${oldStart} @@`, ...cut(changed)]);
  const left = lines.length - maxLines;
  return [...lines.slice(0, maxLines), ...(left > 0 ? [`… ${left} more lines`] : [])].join('\n');
}

function statementsOf(text) {
  return text.replace(/[;{}](?!\n)/g, '$&\n');
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

function commonStart(one, other) {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

function windowOf(text, from) {
  return `${from > 0 ? '…' : ''}${text.slice(from, from + width)}${from + width < text.length ? '…' : ''}`;
}
