/** The stages, top to bottom. Prints nothing and never exits: that is for the two edges. */
import { join } from 'node:path';
import { check } from './check.js';
import { configFile, readConfig } from './config.js';
import { type Contract, loadContract } from './contract/contract.js';
import { gatherFacts } from './contract/facts.js';
import { discover } from './discover/discover.js';
import { Engine } from './engine/engine.js';
import { collect } from './findings.js';
import { Locator } from './locate/locate.js';
import type { EntrypointOutcome, Fact, FactName, NotChecked, Problem, Run, StageOutcome } from './model.js';
import { type Progress, type Rendered, render } from './render/render.js';
import { rules } from './rules/index.js';
import { openWorkTree } from './tree.js';
import { readTool } from './version.js';

export type RunOptions = {
  /** The repository's root. */
  directory: string;
  /** The directory that holds `dist/` and `schemas/` of this package. */
  home: string;
  paths: readonly string[];
  config?: string;
  release?: string;
  base?: string;
  /** URLs under which the repository is known, to tell its own Flux sources from others. */
  remotes: readonly string[];
  progress?: Progress;
};

export async function run(options: RunOptions): Promise<Run> {
  const tree = await openWorkTree(options.directory);
  const engine = new Engine(join(options.home, 'dist', 'engine'), tree);
  try {
    engine.warm();
    const ids = rules.map(({ id }) => id);
    const { config, problems: mistakes } = readConfig(tree, ids, options.config);
    const { entrypoints, skipped } = await discover(tree, engine, config, options);
    const rendered = await render(tree, engine, entrypoints, options.progress);
    const objects = rendered.flatMap((result) => (result.ok ? result.objects : []));
    const facts = gatherFacts(config, objects, options.release);
    const contract = loadContract(join(options.home, 'schemas'), facts);
    const checked = check(rules, { tree, entrypoints: rendered, objects, contract, facts });
    const locator = new Locator({ head: tree });
    const problems = [...mistakes, ...nothingFound(rendered), ...refusals(rendered), ...checked.problems];
    return {
      findings: collect(problems, { locator, config, facts, severityOf }),
      ignored: [],
      entrypoints: rendered.map(outcome),
      facts: [...facts.values()],
      stages: stages(rendered, options),
      notChecked: [...otherRelease(contract, facts), ...skipped.map(notOurs), ...checked.notChecked],
      sources: {
        text: (revision, file) => locator.source(revision, file)?.text,
        has: (_, file) => tree.has(file) || tree.isDirectory(file),
      },
      tool: readTool(options.home),
    };
  } finally {
    await engine.close();
  }
}

function severityOf(id: string) {
  return rules.find((rule) => rule.id === id)?.severity ?? 'error';
}

function refusals(rendered: readonly Rendered[]): Problem[] {
  return rendered.flatMap((result) => (result.ok ? [] : [result.problem]));
}

/** A check that looked at nothing must not be green. */
function nothingFound(rendered: readonly Rendered[]): Problem[] {
  if (rendered.length > 0) return [];
  const message = 'There is nothing to check: no directory that Flux applies was found';
  const help = `name one with --path, or list entrypoints in ${configFile}`;
  return [{ rule: 'missing-entrypoint', message, help, at: { file: configFile } }];
}

function outcome(result: Rendered): EntrypointOutcome {
  const { path, why } = result.entrypoint;
  return { path, why, objects: result.ok ? result.objects.length : 0, rendered: result.ok };
}

/** Data of a neighbouring patch release is close, but not the same. */
function otherRelease({ release, exact }: Contract, facts: ReadonlyMap<FactName, Fact>): NotChecked[] {
  if (exact) return [];
  const why = `there is no data for it, so that of ${release} is used`;
  return [{ what: `release ${facts.get('release')?.value}`, why, count: 1 }];
}

function notOurs(what: string): NotChecked {
  return { what, why: 'not this repository’s to lint', count: 1 };
}

function stages(rendered: readonly Rendered[], options: RunOptions): StageOutcome[] {
  const built = rendered.some((result) => result.ok);
  return [
    { name: 'render', ran: true },
    built ? { name: 'rules', ran: true } : { name: 'rules', ran: false, why: 'nothing could be rendered' },
    options.base
      ? { name: 'base', ran: false, why: 'comparing with a base is not built yet' }
      : { name: 'base', ran: false, why: 'no base was given', optional: true },
  ];
}
