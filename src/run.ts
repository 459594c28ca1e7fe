/** The stages, top to bottom. Prints nothing and never exits: that is for the two edges. */
import { configFile } from './config/config.js';
import { effectsOf } from './effects.js';
import type { Cluster } from './facts/clusters.js';
import { compare, Judge } from './judge.js';
import type { EntrypointOutcome, Fact, NotChecked, Run } from './model.js';
import type { Rendered } from './render/render.js';
import { missing, stagesOf } from './stages.js';
import { type SurveyOptions, survey } from './survey.js';
import { changedFiles, touchesInput } from './untouched.js';
import { readTool } from './version.js';

export type RunOptions = SurveyOptions & {
  /** The day, as 2026-12-31, by which ignores expire. */
  today?: string;
  /** Where only what is new counts, a change that touches no input needs no rendering. */
  onlyNew?: boolean;
};

export function run(options: RunOptions): Promise<Run> {
  const { head, base } = options.change ?? {};
  if (options.onlyNew && head && base) {
    const changed = changedFiles(head, base);
    if (!touchesInput(changed, options.config ?? configFile, head, base))
      return Promise.resolve(untouched(changed, base.description, options));
  }
  return survey(options, ({ trees, policy, rendered, clusters, mistakes, skipped }) => {
    const judge = new Judge(trees, policy, clusters, options.today ?? new Date().toISOString().slice(0, 10));
    const stages = stagesOf(rendered.head, { tree: trees.base, missing: options.change?.why });
    const checked = judge.judge('head', rendered.head, [...mistakes.head, ...missing(policy.config, stages)]);
    const old = rendered.base && judge.judge('base', rendered.base, mistakes.base);
    const { findings, ignored } = compare(checked, old, policy);
    const effects = clusters.flatMap((cluster) => effectsOf(cluster) ?? []);
    return {
      findings,
      ignored,
      policy: policy.notes,
      entrypoints: rendered.head.map(outcome),
      facts: clusters.flatMap(({ name, facts }) =>
        facts.used().map((fact) => ({ ...fact, ...(name && { cluster: name }) })),
      ),
      stages,
      ...(rendered.base && { effects }),
      notChecked: [...clusters.flatMap(otherRelease), ...skipped.map(notOurs), ...checked.notChecked],
      sources: judge.sources,
      tool: readTool(options.home),
    };
  });
}

/** Nothing that Flux or the linter reads is changed, so nothing can be new. */
function untouched(changed: readonly string[], base: string, { home }: RunOptions): Run {
  const why = 'the change touches nothing that Flux applies';
  return {
    findings: [],
    ignored: [],
    policy: [],
    entrypoints: [],
    facts: [],
    stages: ['render', 'rules'].map((name) => ({ name, ran: false, why, optional: true })),
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
