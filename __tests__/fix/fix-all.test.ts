/** In which order fixes are made, and which are not: told from findings that are made up, by the texts that they are found in. */
import { describe, expect, test } from '@jest/globals';
import type { Finding, Run, Tree } from '../../src/core/model.js';
import { fixAll } from '../../src/fix/fix-all.js';
import { editsBetween } from '../../src/yaml/text-edits.js';
import { treeOf } from '../support/tree-of.js';

/** Where a text is found in a file, another one is to stand for it. */
type Mistake = {
  rule: string;
  file: string;
  is: string;
  instead: string;
  safe?: boolean;
  severity?: Finding['severity'];
  /** Whether it is a mistake, as another file has it. */
  unless?: [file: string, text: string];
};

const finding = (
  tree: Tree,
  { rule, file, is, instead, safe = false, severity = 'warning', unless }: Mistake,
  index: number,
) => {
  const text = tree.text(file) ?? '';
  if (!text.includes(is) || (unless && tree.text(unless[0])?.includes(unless[1]))) return [];
  const edits =
    is === instead
      ? [
          {
            at: { revision: 'head', file, range: { start: { line: 1, column: 1 }, end: { line: 1, column: 2 } } },
            text: text[0],
          },
        ]
      : editsBetween(file, text, text.replace(is, instead));
  const title = `${is} → ${instead}`;
  // What is found once more has another fingerprint, as where a name is part of it.
  const fingerprint = `${rule} ${index} ${text}`;
  return [{ rule, severity, fingerprint, at: { file }, fix: () => ({ title, safe, edits }) } as unknown as Finding];
};

async function fixed(files: Record<string, string>, mistakes: Mistake[]) {
  const rounds: string[][] = [];
  const lint = async (tree: Tree) => {
    const findings = mistakes.flatMap((one, index) => finding(tree, one, index));
    rounds.push(findings.map(({ rule }) => rule));
    return { findings } as unknown as Run;
  };
  const done = await fixAll(treeOf(files), lint, () => true);
  const made = done.fixed.map((one) => one.fix?.()?.title);
  return { made, texts: Object.fromEntries(done.texts), rounds, left: done.run.findings.map(({ rule }) => rule) };
}

test('what cannot change anything else comes first, all at once, then rule by rule, the worst first', async () => {
  const mistake = (rule: string, file: string, more: Partial<Mistake>): Mistake => ({
    ...{ rule, file, is: `${rule}1`, instead: `${rule}2` },
    ...more,
  });
  const { made, texts, rounds } = await fixed({ x: 'a1\n', y: 'b1\n\nc1\n', z: 'd1\n' }, [
    mistake('a', 'x', {}),
    mistake('b', 'y', { severity: 'error' }),
    mistake('c', 'y', { safe: true }),
    mistake('d', 'z', { safe: true, severity: 'notice' }),
  ]);
  expect(made).toEqual(['c1 → c2', 'd1 → d2', 'b1 → b2', 'a1 → a2']);
  expect(texts).toEqual({ x: 'a2\n', y: 'b2\n\nc2\n', z: 'd2\n' });
  expect(rounds).toEqual([['a', 'b', 'c', 'd'], ['a', 'b'], ['a'], []]);
});

test('what is no mistake any more once another is mended is left as it is', async () => {
  const files = { package: 'name: goldpingr\n', patch: 'target: goldpinger\n' };
  const { made, texts } = await fixed(files, [
    {
      ...{ rule: 'dead-patch', file: 'patch', is: 'goldpinger', instead: 'goldpingr' },
      unless: ['package', 'goldpinger'],
    },
    { rule: 'unknown-package', file: 'package', is: 'goldpingr', instead: 'goldpinger', severity: 'error' },
  ]);
  expect(made).toEqual(['goldpingr → goldpinger']);
  expect(texts).toEqual({ package: 'name: goldpinger\n' });
});

describe('a fix is not undone by a later one', () => {
  test.each([true, false])('be it safe: %s', async (safe) => {
    const { made, texts, left } = await fixed({ x: 'one\nname: a\n' }, [
      { rule: 'r', file: 'x', is: 'name: a\n', instead: 'name: b\n', safe: true },
      { rule: 's', file: 'x', is: 'name: b\n', instead: 'name: a\n', safe },
    ]);
    expect({ made, texts, left }).toEqual({
      made: ['name: a\n → name: b\n'],
      texts: { x: 'one\nname: b\n' },
      left: ['s'],
    });
  });

  test('not in part, and not by way of a third', async () => {
    const { made, texts } = await fixed({ x: 'a\n' }, [
      { rule: 'r', file: 'x', is: 'a\n', instead: 'b\nc\n' },
      { rule: 's', file: 'x', is: 'b\nc\n', instead: 'd\nc\n' },
      { rule: 't', file: 'x', is: 'd\nc\n', instead: 'b\nc\n' },
      { rule: 'u', file: 'x', is: 'd\nc\n', instead: 'd\n' },
    ]);
    expect(made).toEqual(['a\n → b\nc\n', 'b\nc\n → d\nc\n']);
    expect(texts).toEqual({ x: 'd\nc\n' });
  });

  test('what goes on from it is made', async () => {
    const { texts } = await fixed({ x: 'a: {metalb: {}}\nvariant: b\n' }, [
      { rule: 'r', file: 'x', is: 'metalb', instead: 'metallb', safe: true },
      { rule: 's', file: 'x', is: 'metallb: {}', instead: '' },
      { rule: 't', file: 'x', is: 'variant: b\n', instead: '' },
    ]);
    expect(texts).toEqual({ x: 'a: {}\n' });
  });
});

test('a file that stays as it was is not one that is written', async () => {
  const { made, texts } = await fixed({ x: 'a\n' }, [{ rule: 'r', file: 'x', is: 'a\n', instead: 'a\n' }]);
  expect({ made, texts }).toEqual({ made: ['a\n → a\n'], texts: {} });
});

test('it ends, whatever is found', async () => {
  let count = 0;
  const lint = async (tree: Tree) => {
    const mistake = { rule: 'r', file: 'x', is: tree.text('x') ?? '', instead: `${'a'.repeat(++count)}\n` };
    return { findings: finding(tree, mistake, count) } as unknown as Run;
  };
  const { fixed: made } = await fixAll(treeOf({ x: 'b\n' }), lint, () => true);
  expect(made).toHaveLength(30);
});
