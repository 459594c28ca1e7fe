/** Which stages ran, and what is said where one did not. */
import { describe, expect, test } from '@jest/globals';
import { defaults } from '../../src/config/config.js';
import type { Rendered, StageOutcome } from '../../src/core/model.js';
import { missedDryRun, stageProblems, stagesOf } from '../../src/lint/stages.js';
import { rules } from '../../src/rules/index.js';
import { treeOf } from '../support/tree-of.js';

const [built, refused] = [{ ok: true }, { ok: false }] as unknown as [Rendered, Rendered];
const none = { tree: undefined, missing: undefined };

describe('the rules', () => {
  test.each<[string, Rendered[], boolean]>([
    ['ran where all was rendered', [built, built], true],
    ['ran where something was', [refused, built], true],
    ['did not where nothing could be', [refused, refused], false],
    ['did not where there is nothing', [], false],
  ])('%s', (_, rendered, ran) => {
    expect(stagesOf(rendered, none).slice(0, 2)).toEqual([
      { name: 'render', ran: true },
      ran ? { name: 'rules', ran } : { name: 'rules', ran, why: 'nothing could be rendered' },
    ]);
  });
});

describe('the base', () => {
  const base = (given: Parameters<typeof stagesOf>[1]) => stagesOf([built], given).at(-1);
  const silent = rules.filter(({ needsBase }) => needsBase).map(({ id }) => id);

  test('is missed by the rules that need it, and by no other', () => {
    expect(silent).toContain('claimed-field-dropped');
    expect(silent).not.toContain('dead-patch');
  });

  test('is named where there is one', () => {
    expect(base({ tree: treeOf({}), missing: ['unused'] })).toEqual({ name: 'base', ran: true, against: 'a test' });
  });

  test('is nothing that is missing where nobody gave one, but its rules are named', () => {
    expect(base(none)).toEqual({ name: 'base', ran: false, optional: true, why: 'no base was given', silent });
  });

  test.each([
    [['there is no token', 'the clone is shallow'], 'there is no token; the clone is shallow'],
    [[], 'there is nothing to compare with'],
  ])('that was wanted is missing: %j', (reasons, words) => {
    expect(base({ tree: undefined, missing: reasons })).toEqual({ name: 'base', ran: false, why: words, silent });
  });
});

const ran = (name: string): StageOutcome => ({ name, ran: true });
const not = (name: string, optional?: true): StageOutcome => ({
  ...{ name, ran: false, why: 'no server' },
  ...(optional && { optional }),
});

test.each<[string, StageOutcome[], string | undefined]>([
  ['that was not asked for', [ran('render')], undefined],
  ['that ran', [ran('dry-run')], undefined],
  ['that nobody needs', [not('dry-run', true)], undefined],
  ['that failed', [ran('render'), not('dry-run')], 'the dry run could not be done: no server'],
  ['beside another stage that failed', [not('base'), ran('dry-run')], undefined],
])('a dry run %s', (_, stages, expected) => {
  expect(missedDryRun(stages)).toBe(expected);
});

describe('a stage that the configuration requires', () => {
  const config = {
    ...defaults(),
    file: 'c.yaml',
    require: ['base', 'dry-run'] as ReturnType<typeof defaults>['require'],
  };
  const words = (stages: StageOutcome[], excused?: StageOutcome[]) =>
    stageProblems(config, { stages, ...(excused && { excused }) }).map(({ rule, message, at }) => ({
      rule,
      message,
      at,
    }));
  const problem = (name: string, index: number, why: string) => ({
    rule: 'skipped-stage',
    message: `Stage "${name}" is required, but did not run: ${why}`,
    at: { file: 'c.yaml', document: 0, path: ['require', index] },
  });

  test('ran', () => {
    expect(words([ran('base'), ran('dry-run')])).toEqual([]);
  });

  test('did not run, whether it is optional or not', () => {
    expect(words([not('base', true), not('dry-run')])).toEqual([
      problem('base', 0, 'no server'),
      problem('dry-run', 1, 'no server'),
    ]);
  });

  test('counts the rules that did not judge, and names none', () => {
    const [base] = stagesOf([built], none).slice(-1);
    const count = rules.filter(({ needsBase }) => needsBase).length;
    expect(words([base as StageOutcome, ran('dry-run')])).toEqual([
      problem('base', 0, `no base was given, so ${count} rules did not judge`),
    ]);
  });

  test('is not part of the run', () => {
    expect(words([ran('base')])).toEqual([problem('dry-run', 1, 'it is not part of this run')]);
  });

  test('had nothing to do', () => {
    expect(words([ran('base')], [not('dry-run')])).toEqual([]);
    expect(words([not('base'), not('dry-run')], [not('dry-run')])).toEqual([problem('base', 0, 'no server')]);
  });
});
