/** Ignore comments: found where they stand, and nothing but comments. */
import fc from 'fast-check';
import { parseAllDocuments } from 'yaml';
import type { Tree } from '../../src/core/model.js';
import { commentsOf, Suppressions } from '../../src/lint/suppressions.js';
import type { Target } from './target.js';

const words = [
  '# customizer-lint ignore dead-patch -- why',
  '# customizer-lint ignore',
  '#customizer-lint ignore chart-owned-field -- (until 2026-01-01)',
  ' -- ',
  '(until 2026-13-99)',
  '#',
  'a: b',
  'a: |',
  'a: >-',
  '"',
  "'",
  '- ',
  '  ',
  '\n',
  '\n  ',
  '\r\n',
  '\r',
  '\t',
  '---\n',
  '...\n',
  '? x\n: ',
  '[',
  ']',
  '{',
  '}',
  '&a ',
  '*a',
  '!!str ',
  '%YAML 1.2\n',
  '\u2028',
  '\u0085',
  '\uFEFF',
  '\u{1f600}',
  'x',
];
const text = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...words) },
      { weight: 1, arbitrary: fc.nat({ max: 200 }).map((n) => ' '.repeat(n)) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

export const comments: Target<string> = {
  name: 'ignore comments',
  inputs: text,
  runs: 400,
  check(input) {
    const lines = input.split('\n');
    const found = commentsOf(input);
    for (const { comment, line, column } of found) {
      const there = lines[line - 1]?.slice(column - 1, column - 1 + comment.length);
      if (!comment.startsWith('#') || there !== comment)
        throw new Error(`${JSON.stringify(comment)} is not at ${line}:${column}, but ${JSON.stringify(there)}`);
    }
    expectSameValues(input, found);
    const ignores = new Suppressions({
      config: { file: 'c', ignores: [] } as never,
      tree: { revision: 'head', text: () => input } as unknown as Tree,
      files: ['a.yaml'],
      today: '2026-01-01',
      rules: ['dead-patch', 'chart-owned-field'],
      isOfTree: true,
    });
    ignores.apply([]);
    ignores.problems();
  },
};

/** A comment that can be emptied without a change of any value is one; a `#` in a string is not. */
function expectSameValues(input: string, found: ReturnType<typeof commentsOf>) {
  const before = valuesOf(input);
  if (before === undefined) return;
  const lines = input.split('\n');
  for (const { comment, line, column } of found) {
    const there = lines[line - 1] ?? '';
    lines[line - 1] = `${there.slice(0, column - 1)}#${there.slice(column - 1 + comment.length)}`;
  }
  if (valuesOf(lines.join('\n')) !== before) throw new Error('without its comments the document has other values');
}

function valuesOf(input: string): string | undefined {
  const documents = parseAllDocuments(input, { logLevel: 'silent', uniqueKeys: false });
  const all = Array.isArray(documents) ? documents : [];
  if (all.some(({ errors }) => errors.length > 0)) return undefined;
  try {
    return JSON.stringify(all.map((document) => document.toJS({ maxAliasCount: 100 })));
  } catch {
    return undefined;
  }
}
