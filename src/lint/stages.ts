/** Which stages ran, and what is missing where one did not: a check that did not run is never taken for a clean one. */
import type { Config } from '../config/config.js';
import type { Trust } from '../config/policy.js';
import type { Problem, Rendered, StageOutcome, Tree } from '../core/model.js';
import { rules } from '../rules/index.js';

/** What was found to compare with; else, where somebody wanted to, why not. */
type Base = { tree: Tree | undefined; missing: readonly string[] | undefined };

export function stagesOf(rendered: readonly Rendered[], base: Base): StageOutcome[] {
  const built = rendered.some((result) => result.ok);
  return [
    { name: 'render', ran: true },
    built ? { name: 'rules', ran: true } : { name: 'rules', ran: false, why: 'nothing could be rendered' },
    base.tree ? { name: 'base', ran: true, against: base.tree.description } : withoutBase(base),
  ];
}

/** The rules that judge by what changed are named: nobody should think that they had nothing to say. */
function withoutBase({ missing }: Base): StageOutcome {
  const silent = rules.filter(({ needsBase }) => needsBase).map(({ id }) => id);
  if (!missing) return { name: 'base', ran: false, why: 'no base was given', silent, optional: true };
  return { name: 'base', ran: false, why: missing.join('; ') || 'there is nothing to compare with', silent };
}

/** Why the dry run that was asked for did not happen; undefined where it did, or had nothing to do. */
export function missedDryRun(stages: readonly StageOutcome[]): string | undefined {
  const asked = stages.find((one) => one.name === 'dry-run');
  return asked && !asked.ran && !asked.optional ? `the dry run could not be done: ${asked.why}` : undefined;
}

/** Stages that the configuration asks for, and that did not run; and those that were cut short. `excused` had nothing to do. */
export function stageProblems(
  config: Config,
  { stages, excused = [] }: { stages: readonly StageOutcome[]; excused?: readonly StageOutcome[] },
  trust: Trust = 'same-repository',
): Problem[] {
  return [...missing(config, stages, excused), ...cutShort(config, stages, trust)];
}

/** The configuration may ask for stages that are otherwise optional; `excused` are those that had nothing to do. */
function missing(
  { require, file }: Config,
  stages: readonly StageOutcome[],
  excused: readonly StageOutcome[] = [],
): Problem[] {
  return require.flatMap((name, index) => {
    // What it asks for, the rule `unverifiable-change` reports.
    if (name === 'judged') return [];
    if (excused.some((stage) => stage.name === name)) return [];
    const stage = stages.find((one) => one.name === name);
    if (stage?.ran) return [];
    const { why, silent = [] } = stage ?? { why: 'it is not part of this run' };
    // `--verbose` and the JSON report name them.
    const loss = silent.length > 0 ? `, so ${silent.length} rules did not judge` : '';
    const at = { file, document: 0, path: ['require', index] };
    return [{ rule: 'skipped-stage', message: `Stage "${name}" is required, but did not run: ${why}${loss}`, at }];
  });
}

/** Stages without which nobody knows what a change does: that one was cut short is never silent, and an error for a fork. */
function cutShort({ file, require }: Config, stages: readonly StageOutcome[], trust: Trust): Problem[] {
  return stages.flatMap((stage) => {
    const counts =
      ['base', 'simulation', 'charts'].includes(stage.name) && !require.some((name) => name === stage.name);
    if (stage.ran || stage.optional || !counts) return [];
    // Without a build there is nothing to simulate, and the refusal of each is reported.
    if (stage.why === nothingRendered) return [];
    const message = `Stage "${stage.name}" did not run to its end: ${stage.why}`;
    const severity = trust === 'fork' ? ('error' as const) : ('warning' as const);
    return [{ rule: 'skipped-stage', severity, message, at: { file } }];
  });
}

/** Why stages do not run if no entrypoint can be built. */
const nothingRendered = 'nothing could be rendered';
