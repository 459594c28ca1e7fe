/** `customizer-lint fix [DIR]`: makes the edits that findings come with, and says what is left. */

import { printable } from '../core/escape.js';
import { type Finding, type Severity, UsageError } from '../core/model.js';
import { type Fixed, fixAll } from '../fix/fix-all.js';
import { writeAll } from '../fix/write.js';
import { exitStatus } from '../lint/exit-status.js';
import { openHead } from '../lint/open.js';
import { run } from '../lint/run.js';
import { differenceLines } from '../report/fixes.js';
import { report } from '../report/index.js';
import { type Paint, painter, type Style } from '../report/paint.js';
import { rules } from '../rules/index.js';
import { reportOptions, workspaceOptions } from './common.js';
import type { Program } from './program.js';
import { startProgress } from './progress.js';
import type { Call } from './root.js';

export async function fix(args: Call, program: Program): Promise<number> {
  const { directory, values } = args;
  const only = values.rule ?? [];
  const unknown = only.find((id) => !rules.some((rule) => rule.id === id));
  if (unknown !== undefined) throw new UsageError(`there is no rule "${unknown}"; customizer-lint rules lists them`);
  const isWanted = ({ rule, fix: work }: Finding) => {
    const found = only.length === 0 || only.includes(rule) ? work?.() : undefined;
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
  const text = report('text', done.run, shown);
  const known = (file: string) => done.run.sources.secrets?.('head', file);
  const diffs = [...done.texts]
    .sort()
    .map(([file, after]) => differenceLines(file, tree.text(file), after, known(file)))
    .map((lines) => difference(lines, painter(shown.color)));
  program.stdout.write([...diffs, summary(done, values), text].filter((part) => part !== '').join('\n'));
  return exitStatus(done.run, (values['fail-on'] ?? 'error') as Severity | 'never', values['only-new'] === true);
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
  const more = values.unsafe ? 0 : findings.filter((one) => one.fix?.()?.safe === false).length;
  if (fixed.length === 0) return more > 0 ? `nothing to fix without --unsafe\n` : 'nothing to fix\n';
  const lines = fixed.map(
    ({ rule, at, fix: made }) =>
      `${would} ${printable(rule)} in ${printable(at.file)}: ${printable(made?.()?.title ?? '')}`,
  );
  return `${lines.join('\n')}\n`;
}
