/** The stages, top to bottom. Prints nothing and never exits: that is for the two edges. */
import { join } from 'node:path';
import { readConfig } from './config.js';
import { type Contract, loadContract } from './contract/contract.js';
import { gatherFacts } from './contract/facts.js';
import { discover } from './discover/discover.js';
import { Engine } from './engine/engine.js';
import { collect } from './findings.js';
import { Locator } from './locate/locate.js';
import type { Fact, FactName, NotChecked, Problem, Run, StageOutcome } from './model.js';
import { type Progress, type Rendered, render } from './render/render.js';
import { rules } from './rules/index.js';
import { openWorkTree, type Tree } from './tree.js';
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
    const { config, problems: mistakes } = readConfig(
      tree,
      rules.map(({ id }) => id),
      options.config,
    );
    const { entrypoints, skipped } = await discover(tree, engine, config, options);
    const rendered = await render(tree, engine, entrypoints, options.progress);
    const objects = rendered.flatMap((result) => (result.ok ? result.objects : []));
    const facts = gatherFacts(config, objects, options.release);
    const contract = loadContract(join(options.home, 'schemas'), facts);
    const checked = check(tree, rendered, contract, facts);
    const problems = [...mistakes, ...nothingFound(rendered), ...refusals(rendered), ...checked.problems];
    const locator = new Locator({ head: tree });
    const severityOf = (id: string) => rules.find((rule) => rule.id === id)?.severity ?? 'error';
    return {
      findings: collect(problems, { locator, config, facts, severityOf }),
      ignored: [],
      entrypoints: rendered.map(({ entrypoint, ...result }) => ({
        path: entrypoint.path,
        why: entrypoint.why,
        objects: 'objects' in result ? result.objects.length : 0,
        rendered: result.ok,
      })),
      facts: [...facts.values()],
      stages: stages(rendered, options),
      notChecked: [
        ...skipped.map((what) => ({
          what,
          why: 'not this repository’s to lint',
          count: 1,
        })),
        ...checked.notChecked,
      ],
      sources: {
        text: (revision, file) => locator.source(revision, file)?.text,
      },
      tool: readTool(options.home),
    };
  } finally {
    await engine.close();
  }
}

function check(tree: Tree, entrypoints: readonly Rendered[], contract: Contract, facts: ReadonlyMap<FactName, Fact>) {
  const problems: Problem[] = [];
  const skipped = new Map<string, NotChecked>();
  const objects = entrypoints.flatMap((result) => (result.ok ? result.objects : []));
  for (const rule of rules) {
    rule.check?.({
      tree,
      entrypoints,
      objects,
      contract,
      fact: (name) => facts.get(name),
      report: (problem) => problems.push({ rule: rule.id, ...problem }),
      notChecked: (what, why, count = 1) => {
        const known = skipped.get(`${what}\n${why}`);
        if (known) known.count += count;
        else skipped.set(`${what}\n${why}`, { what, why, count });
      },
    });
  }
  return { problems, notChecked: [...skipped.values()] };
}

function refusals(rendered: readonly Rendered[]): Problem[] {
  return rendered.flatMap((result) => (result.ok ? [] : [result.problem]));
}

function nothingFound(rendered: readonly Rendered[]): Problem[] {
  if (rendered.length > 0) return [];
  const message = 'There is nothing to check: no directory that Flux applies was found';
  return [
    {
      rule: 'missing-entrypoint',
      message,
      help: 'name one with --path, or list entrypoints in .customizer-lint.yaml',
      at: { file: '.' },
    },
  ];
}

function stages(rendered: readonly Rendered[], options: RunOptions): StageOutcome[] {
  const built = rendered.some((result) => result.ok);
  return [
    { name: 'render', ran: true },
    built ? { name: 'rules', ran: true } : { name: 'rules', ran: false, why: 'nothing could be rendered' },
    {
      name: 'base',
      ran: false,
      why: options.base ? 'comparing with a base is not built yet' : 'no base was given',
    },
  ];
}
