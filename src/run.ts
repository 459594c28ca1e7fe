/** The stages, top to bottom. Prints nothing and never exits: that is for the two edges. */
import { type DryRunOptions, dryRun, notAsked } from './cluster/dryrun.js';
import { configFile } from './config/config.js';
import { effectsOf } from './effects.js';
import type { Cluster } from './facts/clusters.js';
import { compare, Judge } from './judge.js';
import { listed } from './listed.js';
import type { EntrypointOutcome, Fact, NotChecked, Problem, Run } from './model.js';
import { once } from './once.js';
import type { Rendered } from './render/render.js';
import { type Options as SimulateOptions, simulation } from './simulate/stage.js';
import { missing, stagesOf } from './stages.js';
import { type SurveyOptions, survey } from './survey.js';
import { changedFiles, touchesInput } from './untouched.js';
import { readTool } from './version.js';

export type RunOptions = SurveyOptions & {
  /** The day, as 2026-12-31, by which ignores expire. */
  today?: string;
  /** Where only what is new counts, a change that touches no input needs no rendering. */
  onlyNew?: boolean;
  /** Whether, and how, to simulate what Flux does. */
  simulate?: SimulateOptions;
  /** A server to ask. */
  dryRun?: DryRunOptions;
};

export function run(options: RunOptions): Promise<Run> {
  const { head, base } = options.change ?? {};
  if (options.onlyNew && head && base) {
    const changed = changedFiles(head, base);
    if (!touchesInput(changed, options.config ?? configFile, head, base))
      return Promise.resolve(untouched(changed, base.description, options));
  }
  return survey(options, async ({ trees, policy, budget, rendered, clusters, mistakes, skipped }) => {
    const judge = new Judge(trees, policy, clusters, options.today ?? new Date().toISOString().slice(0, 10));
    // What the rules say is held against what a server says, be it one that is asked or one that is simulated.
    const predicted = once(() => {
      const { findings, ignored } = judge.judge('head', rendered.head, mistakes.head);
      return { home: options.home, findings: [...findings, ...ignored.map(({ finding }) => finding)] };
    });
    const offline = stagesOf(rendered.head, { tree: trees.base, missing: options.change?.why });
    const simulated =
      options.simulate &&
      (await simulation(clusters, { ...options.simulate, budget }, { ...predicted(), locator: judge.locator }));
    const asked = options.dryRun && (await dryRun(clusters, options.dryRun, { ...predicted(), config: policy.config }));
    const stages = [...offline, ...(simulated ? [simulated.stage] : []), asked?.stage ?? notAsked];
    const ran = stages.filter((stage) => stage.ran).map(({ name }) => name);
    const [said, before] = (['head', 'base'] as const).map((side) =>
      [simulated, asked].flatMap((one) => one?.problems[side] ?? []),
    ) as [Problem[], Problem[]];
    const own = [...mistakes.head, ...missing(policy.config, stages), ...said];
    const checked = judge.judge('head', rendered.head, own, ran);
    const old = rendered.base && judge.judge('base', rendered.base, [...mistakes.base, ...before], ran);
    const { findings, ignored } = compare(checked, old, policy);
    const effects = clusters.flatMap((cluster) => effectsOf(cluster) ?? []);
    return {
      findings: listed(findings),
      ignored,
      policy: policy.notes,
      entrypoints: rendered.head.map(outcome),
      facts: clusters.flatMap(({ name, facts }) =>
        facts.used().map((fact) => ({ ...fact, ...(name && { cluster: name }) })),
      ),
      stages,
      ...(rendered.base && { effects }),
      ...(simulated?.stage.ran && { diffs: simulated.diffs }),
      ...(asked && asked.runs.length > 0 && { dryRun: asked.runs }),
      notChecked: [
        ...clusters.flatMap(otherRelease),
        ...skipped.map(notOurs),
        ...checked.notChecked,
        ...(asked?.notChecked ?? []),
      ],
      sources: judge.sources,
      tool: readTool(options.home),
    };
  });
}

/** Nothing that Flux or the linter reads is changed, so nothing can be new. */
function untouched(changed: readonly string[], base: string, { home, simulate, dryRun }: RunOptions): Run {
  const why = 'the change touches nothing that Flux applies';
  return {
    findings: [],
    ignored: [],
    policy: [],
    entrypoints: [],
    facts: [],
    stages: ['render', 'rules', ...(simulate ? ['simulation'] : []), ...(dryRun ? ['dry-run'] : [])].map((name) => ({
      name,
      ran: false,
      why,
      optional: true,
    })),
    notChecked: [],
    untouched: { files: changed.length, base },
    sources: { text: () => undefined, has: () => false },
    tool: readTool(home),
  };
}

function outcome(result: Rendered): EntrypointOutcome {
  const { path, why } = result.entrypoint;
  return { path, why, objects: result.ok ? result.objects.length : 0, rendered: result.ok };
}

/** Data of a neighbouring patch release is close, but not the same. */
function otherRelease({ contract, facts }: Cluster): NotChecked[] {
  if (contract.exact) return [];
  const asked: Fact = facts.get('release');
  const why = `there is no data for it, so that of ${contract.release} is used`;
  return [{ what: `release ${asked.value}`, why, count: 1 }];
}

function notOurs(what: string): NotChecked {
  return { what, why: 'not this repository’s to lint', count: 1 };
}
