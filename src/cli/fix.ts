/** `customizer-lint fix [DIR]`: makes the edits that findings come with, and says what is left. */

import { printable } from '../core/escape.js';
import { groupBy } from '../core/group.js';
import type { Finding, Run, Severity } from '../core/model.js';
import { inWords } from '../core/text.js';
import { type Fixed, fixAll } from '../fix/fix-all.js';
import { writeAll } from '../fix/write.js';
import { exitStatus } from '../lint/exit-status.js';
import { openHead } from '../lint/open.js';
import { run } from '../lint/run.js';
import { differenceLines } from '../report/fixes.js';
import { report } from '../report/index.js';
import { type Paint, painter, type Style } from '../report/paint.js';
import { plural } from '../report/summary.js';
import { reportOptions, workspaceOptions } from './common.js';
import { knownRule } from './narrow.js';
import type { Program } from './program.js';
import { startProgress } from './progress.js';
import type { Call } from './root.js';

export async function fix(args: Call, program: Program): Promise<number> {
  const { directory, values } = args;
  const only = values.rule ?? [];
  for (const id of only) knownRule(id);
  const isAsked = ({ rule }: Finding) => only.length === 0 || only.includes(rule);
  const isWanted = (finding: Finding) => {
    const found = isAsked(finding) ? finding.fix?.() : undefined;
    return found !== undefined && (found.safe || values.unsafe === true);
  };
  const progress = startProgress(program.stderr);
  const options = await workspaceOptions(args, program, progress);
  const tree = await openHead(options);
  const done = await fixAll(tree, (head) => run({ ...options, head }), isWanted).finally(progress.stop);
  if (!values['dry-run'])
    writeAll(
      directory,
      [...done.texts].map(([file, after]) => ({ file, before: tree.bytes(file), after })),
    );
  const shown = reportOptions(values, program, done.run.tool);
  const result = { ...done.run, findings: done.run.findings.filter(isAsked) };
  const text = report('text', result, { ...shown, lines: values.verbose !== true });
  const known = (file: string) => done.run.sources.secrets?.('head', file);
  const diffs = [...done.texts]
    .sort()
    .map(([file, after]) => differenceLines(file, tree.text(file), after, known(file)))
    .map((lines) => difference(lines, painter(shown.color)));
  const parts = [...diffs, summary({ ...done, run: result }, values), text, remainder(done.run, result, only)];
  program.stdout.write(parts.filter((part) => part !== '').join('\n'));
  return exitStatus(result, (values['fail-on'] ?? 'error') as Severity | 'never', values['only-new'] === true);
}

/** What is left of the rules that are asked for, and that there is more: a report of some rules is not one of the repository. */
function remainder(all: Run, { findings }: Run, only: readonly string[]): string {
  if (only.length === 0) return '';
  const others = all.findings.length - findings.length;
  const more = others === 0 ? '' : `; ${plural(others, 'finding')} of other rules not shown`;
  return `${only.join(', ')}: ${plural(findings.length, 'finding')} left${more}\n`;
}

/** The first that fits. */
const styles: readonly (readonly [start: string, style: Style])[] = [
  ['--- ', 'bold'],
  ['+++ ', 'bold'],
  ['-', 'red'],
  ['+', 'green'],
  ['@@', 'cyan'],
];

function difference(lines: readonly string[], paint: Paint): string {
  const styleOf = (line: string) => styles.filter(([start]) => line.startsWith(start)).map(([, style]) => style);
  return lines
    .map(
      (line) => `${paint(line, ...styleOf(line).slice(0, 1))}
`,
    )
    .join('');
}

function summary({ fixed, run: { findings } }: Fixed, values: Call['values']): string {
  const would = values['dry-run'] ? 'would fix' : 'fixed';
  const unsafe = values.unsafe ? 0 : findings.filter((one) => one.fix?.()?.safe === false).length;
  const lines = fixed.map(
    ({ rule, at, fix: made }) =>
      `${would} ${printable(rule)} in ${printable(at.file)}: ${printable(made?.()?.title ?? '')}`,
  );
  const nothing = unsafe > 0 ? 'nothing to fix without --unsafe' : 'nothing to fix';
  return [...(fixed.length > 0 ? lines : [nothing]), ...left(unsafe, fixed.length > 0), ...heldBack(findings)]
    .map((line) => `${line}\n`)
    .join('');
}

/** What a fix of it would do besides is the reader's to judge. */
function left(unsafe: number, isMore: boolean): string[] {
  if (unsafe === 0) return [];
  const findings = `${unsafe}${isMore ? ' more' : ''} ${unsafe === 1 ? 'finding has' : 'findings have'}`;
  const them = unsafe === 1 ? 'it' : 'them';
  return [`${findings} a fix that can change something else: fix --unsafe --dry-run shows ${them}`];
}

/** Why a fix is not made that there is, once for each reason. */
function heldBack(findings: readonly Finding[]): string[] {
  const all = findings.flatMap((finding) => finding.heldBack?.() ?? []);
  return [...groupBy(all, ({ why }) => why)].map(([why, held]) => {
    const names = [...new Set(held.flatMap(({ by }) => by))].sort().map((path) => (path === '.' ? 'the root' : path));
    const shown = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} more`] : names;
    const isOne = names.length === 1;
    const files = new Set(held.map(({ file }) => file)).size === 1 ? 'file' : 'files';
    const fate = why === 'unbuilt' ? 'cannot be built' : `${isOne ? 'has' : 'have'} no such finding`;
    return `${held.length === 1 ? '1 fix is' : `${held.length} fixes are`} held back: ${printable(inWords(shown))} ${isOne ? 'reads' : 'read'} the same ${files} and ${fate}`;
  });
}
