/**
 * `check`, `check --simulate`, `diff`, `explain` and the summary of the action about the same repositories: the fixtures of the
 * rules and the clean ones. What a rule says is refused the others show as refused, certain or not as the rule has it; of what
 * is held nothing is shown as applied; and nothing is refused of which no rule says so, but for what is said to be uncertain.
 *
 * A sample by name; `FULL=1` takes all, ONLY names some.
 */
import { describe, expect, test } from '@jest/globals';
import type { Cluster } from '../../src/cluster/cluster.js';
import type { Diff, Effects, Finding, ObjectRef } from '../../src/core/model.js';
import type { ObjectOutcome } from '../../src/simulate/outcome.js';
import type { Simulation } from '../../src/simulate/simulate.js';
import { allCases, type Case, optionsOf } from '../support/fixtures.js';
// It has the engines shared by all runs.
import '../support/here.js';
import { isChosen, isLong } from '../support/sample.js';

const { findingsAbout, isRefusal } = await import('../../src/apiserver/expected.js');
const { inventoryId } = await import('../../src/core/object.js');
const { isApplied } = await import('../../src/flux/applied.js');
const { loadWorkspace } = await import('../../src/lint/load.js');
const { run } = await import('../../src/lint/run.js');
const { saidOf } = await import('../../src/lint/said.js');
const { markdown } = await import('../../src/report/markdown.js');
const { diffText } = await import('../../src/report/diff.js');
const { fateOfObject } = await import('../../src/simulate/outcome.js');
const { diffOf, simulateAll } = await import('../../src/simulate/stage.js');
const { Locator } = await import('../../src/yaml/locator.js');

/** What the server refuses of which the rules say more, or another thing; each with the reason. */
const others: { [title: string]: string } = {
  'claimed-field-dropped/variant':
    'what the platform sets beside the variant of this Package is not known, so that its spec may be left empty',
  'unowned-namespace/annotated':
    'the change itself gives the rights up: the difference is of the first reconcile, which still has them, the rule of all that follow',
};

const only = process.env.ONLY?.split(' ');
/** Those of which one side once said another thing than the rest: they are not left to a sample. */
const always = ['schema-violation/empty-binding', 'kind-not-installed/bad', 'forbidden-object/never-granted'];
const cases = allCases().filter(({ title }) =>
  only ? only.includes(title) : always.includes(title) || isChosen(title, isLong() ? 24 : 96),
);

type Told = { cluster: Cluster; simulation: Simulation; diff: Diff; fates: Map<string, ObjectOutcome> };

async function told(one: Case) {
  const options = optionsOf(one);
  return loadWorkspace(options, async (workspace) => {
    const said = saidOf(workspace, options);
    const locator = new Locator(workspace.trees);
    const clusters = await simulateAll(
      workspace.clusters,
      { said },
      workspace.server,
      async (simulation, cluster): Promise<Told> => {
        const fates = new Map(cluster.head.objects.map((one) => [keyOf(one), fateOfObject(one, simulation)]));
        return { cluster, simulation, diff: await diffOf(simulation, cluster, locator), fates };
      },
    );
    return { said: said.head, clusters };
  });
}

function keyOf({ ref, entrypoint }: { ref: ObjectRef; entrypoint: string }): string {
  return `${entrypoint}: ${ref.apiVersion} ${inventoryId(ref)}`;
}

describe('all say the same', () => {
  test.each(cases.map((one) => [one.title, one] as const))('%s', async (title, one) => {
    const { said: byRules, clusters } = await told(one);
    const plain = await run(optionsOf(one));
    const said = [...byRules, ...plain.findings.filter(({ rule }) => rule === 'refused-by-server')];
    for (const about of clusters) {
      if (!others[title]) expect({ title, differ: rulesAgainstFates(said, about) }).toEqual({ title, differ: [] });
      expect({ title, differ: fatesAgainstDiff(about) }).toEqual({ title, differ: [] });
    }
    const options = optionsOf(one);
    const checked = await run({ ...options, simulate: {} });
    // The summary and the difference are one text, and no server is said to refuse what the difference does not.
    const isBuiltAnywhere = clusters.some(({ cluster }) => cluster.head.entrypoints.some(({ ok }) => ok));
    const text = diffText(checked.diffs ?? [], { color: false });
    expect(text).toBe(
      diffText(
        clusters.filter(isBuiltAnywhere ? () => true : hasAny).map(({ diff }) => diff),
        { color: false },
      ),
    );
    if (checked.diffs) expect(markdown(checked, { color: false, quiet: false })).toContain(text.split('\n')[0] ?? '');
    expect({ title, differ: findingsAgainstFates(checked.findings, clusters) }).toEqual({ title, differ: [] });
    for (const effects of checked.effects ?? []) {
      const about = clusters.find(({ cluster }) => cluster.name === effects.cluster);
      if (about) expect({ title, differ: effectsAgainstFates(effects, about) }).toEqual({ title, differ: [] });
    }
  });
});

const hasAny = ({ cluster }: Told) => cluster.head.entrypoints.length > 0;

/** What is certain is refused, and certainly; what is refused for certain, an error says. */
function rulesAgainstFates(said: readonly Finding[], { cluster, simulation, fates }: Told): string[] {
  const built = simulation.reconciles.filter(({ first }) => !['Suspended', 'NotThere'].includes(first.reason));
  return built.flatMap(({ rendered }) =>
    rendered.objects.filter(isApplied).flatMap((object) => {
      const fate = fates.get(keyOf(object)) as ObjectOutcome;
      const about = findingsAbout(object, said);
      const refusal = about.find(isRefusal);
      const isOfVersion = refusal?.object?.apiVersion === object.ref.apiVersion;
      const isSure = fate.action === 'refused' && fate.unsure === undefined;
      const name = `${cluster.name ?? ''} ${keyOf(object)}`;
      if (refusal && isOfVersion && !isSure)
        return [`${name}: ${refusal.rule} says refused, and it is ${wordsOf(fate)}`];
      if (
        isSure &&
        !about.some(({ severity }) => severity === 'error') &&
        !/namespaces? .* not found/.test(fate.why ?? '')
      )
        return [`${name}: refused for certain, and no rule says so: ${fate.why}`];
      return [];
    }),
  );
}

const wordsOf = ({ action, why = '', unsure = 'certain' }: ObjectOutcome) => `${action} (${why}; ${unsure})`;

/** The same word in the difference and in `explain`. */
function fatesAgainstDiff({ cluster, diff, fates }: Told): string[] {
  const shown = new Map(diff.objects.map(({ ref, action }) => [inventoryId(ref), action]));
  const ids = cluster.head.objects.map(({ ref }) => inventoryId(ref));
  return cluster.head.objects.flatMap((object) => {
    const id = inventoryId(object.ref);
    // What several apply, or in several versions, has a word of each.
    if (ids.filter((one) => one === id).length > 1) return [];
    const { action } = fates.get(keyOf(object)) as ObjectOutcome;
    const expected = { created: 'created', changed: 'changed', deleted: 'deleted', refused: 'refused' }[
      action as string
    ];
    const seen = shown.get(id);
    if (seen === expected || (expected === undefined && ['changed', 'deleted'].includes(seen ?? ''))) return [];
    return [`${id}: explain says ${action}, diff ${seen}`];
  });
}

/** `check --simulate` speaks of a refusal only where there is one. */
function findingsAgainstFates(findings: readonly Finding[], clusters: readonly Told[]): string[] {
  const refused = clusters.flatMap(({ fates }) => [...fates].filter(([, fate]) => fate.action === 'refused'));
  return findings
    .filter(({ rule, object }) => rule === 'refused-by-server' && object)
    .filter(({ object }) => !refused.some(([key]) => key.endsWith(` ${inventoryId(object as ObjectRef)}`)))
    .map(({ message }) => message);
}

/** Without a simulation the summary is told by the two renders; of what is held for certain it shows nothing either. */
function effectsAgainstFates({ created, changed, deleted, held }: Effects, { simulation, diff }: Told): string[] {
  const shown = [...created, ...changed].map(inventoryId);
  const refused = diff.objects.filter(({ action, unsure }) => action === 'refused' && !unsure).map(({ ref }) => ref);
  const left = diff.objects.filter(({ action }) => action === 'left').map(({ ref }) => inventoryId(ref));
  const unbuilt = simulation.applied.filter(({ first }) => ['BuildFailed', 'ArtifactFailed'].includes(first));
  return [
    ...refused.map(inventoryId).filter((id) => shown.includes(id)),
    ...deleted.map(inventoryId).filter((id) => left.includes(id)),
    ...unbuilt.filter(({ path }) => !held.some((one) => one.path === path)).map(({ path }) => path),
  ];
}
