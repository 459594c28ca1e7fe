/** What a comment says, word for word. */
import { describe, expect, test } from '@jest/globals';
import type { Entrypoint, Fact, Finding, Location, Revision, Run } from '../../src/core/model.js';
import type { Suggestion } from '../../src/fix/suggestion.js';
import type { Anchor } from '../../src/github/types.js';
import { commentText, farewellText } from '../../src/review/comment.js';
import { runWith } from './run.js';

const onLine: Anchor = { kind: 'line', path: 'a.yaml', side: 'RIGHT', line: 2 };
const onFile: Anchor = { kind: 'file', path: 'a.yaml' };

const at = (file: string, line: number, revision: Revision = 'head'): Location => ({
  ...{ revision, file },
  range: { start: { line, column: 1 }, end: { line, column: 2 } },
});

function found(more: Partial<Finding> = {}): Finding {
  return {
    ...{ rule: 'some-rule', severity: 'error', message: 'it is wrong', at: at('a.yaml', 2), precision: 'exact' },
    ...{ field: [], related: [], entrypoints: [], fingerprint: 'f', assumes: [] },
    ...more,
  };
}

type Around = {
  anchor?: Anchor | undefined;
  url?: string;
  suggestion?: Suggestion;
  text?: string;
  entrypoints?: string[];
};
/** On line 2 of a.yaml, unless told. */
function said(finding: Finding, around: Around = {}): string {
  const { url, suggestion, text, entrypoints = [] } = around;
  const run: Run = {
    ...runWith([finding]),
    entrypoints: entrypoints.map((path) => ({ path }) as Entrypoint & Run['entrypoints'][number]),
    sources: { text: () => text, has: () => text !== undefined, secrets: () => ({}) },
  };
  const options = { url: () => url, suggestion: () => suggestion };
  return commentText(run, finding, 'anchor' in around ? around.anchor : onLine, options);
}

describe('a comment', () => {
  test('on a line says how bad it is, what is wrong, and by which rule', () => {
    expect(said(found())).toBe('**error:** it is wrong\n\n<sub>`some-rule`</sub>');
  });

  test('says what to do about it, as a sentence of its own', () => {
    expect(said(found({ severity: 'warning', help: 'take it out' }))).toBe(
      '**warning:** it is wrong\n\nTake it out\n\n<sub>`some-rule`</sub>',
    );
  });

  test('links the rule where it has a page', () => {
    expect(said(found(), { url: 'https://example.org/r' })).toBe(
      '**error:** it is wrong\n\n<sub>[`some-rule`](https://example.org/r)</sub>',
    );
  });

  test.each<[string, Partial<Finding>, string]>([
    ['its line', {}, 'At `a.yaml:2`'],
    ['its file alone, where no more is known', { precision: 'file' }, 'At `a.yaml`'],
    ['that it was there before', { at: at('a.yaml', 2, 'base') }, 'At `a.yaml:2` (before this change)'],
  ])('that does not stand on the line says %s', (_, more, place) => {
    const text = `**error:** it is wrong\n\n${place}\n\n<sub>\`some-rule\`</sub>`;
    expect(said(found(more), { anchor: onFile })).toBe(text);
    expect(said(found(more), { anchor: undefined })).toBe(text);
  });

  test('lists what is related, one to a line, and says of which side it is', () => {
    const related = [
      { message: 'set here', at: at('b.yaml', 7) },
      { message: 'was here', at: at('c.yaml', 9, 'base') },
    ];
    expect(said(found({ related }))).toBe(
      '**error:** it is wrong\n\n- `b.yaml:7`: set here\n- `c.yaml:9` (before this change): was here\n\n<sub>`some-rule`</sub>',
    );
  });

  test.each([
    [1, []],
    [8, []],
    [9, ['- and 1 more']],
    [11, ['- and 3 more']],
  ])('lists eight places of %i, and how many others there are', (count, rest) => {
    const all = Array.from({ length: count }, (_, index) => ({ message: 'see', at: at('b.yaml', index + 1) }));
    const listed = all.slice(0, 8).map((_, index) => `- \`b.yaml:${index + 1}\`: see`);
    const text = said(found({ related: all }));
    expect(text.split('\n').filter((line) => line.startsWith('- '))).toEqual([...listed, ...rest]);
  });

  test('says from which entrypoints it is seen, where there are several', () => {
    const finding = found({ entrypoints: ['apps', 'infra'] });
    expect(said(finding, { entrypoints: ['apps', 'infra', 'other'] })).toContain(
      '<sub>`some-rule` · seen from `apps`, `infra`</sub>',
    );
    expect(said(found({ entrypoints: ['apps'] }), { entrypoints: ['apps', 'infra'] })).toContain(
      '<sub>`some-rule` · seen from `apps`</sub>',
    );
    expect(said(finding, { entrypoints: ['apps'] })).toContain('<sub>`some-rule`</sub>');
  });

  test('says what it assumes, five facts at most', () => {
    const assumes = ['a', 'b', 'c', 'd', 'e', 'f'].map(
      (value): Fact => ({ name: 'variant', value, source: 'assumed' }),
    );
    const words = (names: string[]) => names.map((name) => ` · assumes platform variant ${name}`).join('');
    expect(said(found({ assumes: assumes.slice(0, 1) }))).toContain(`<sub>\`some-rule\`${words(['a'])}</sub>`);
    expect(said(found({ assumes }))).toContain(`<sub>\`some-rule\`${words(['a', 'b', 'c', 'd', 'e'])}</sub>`);
  });
});

describe('a suggestion', () => {
  const text = 'a: 1\nb: 2\nc: 3\nd: 4\n';
  const offer = (startLine: number, endLine: number, ...replacement: string[]): Suggestion => ({
    ...{ file: 'a.yaml', startLine, endLine },
    replacement,
  });
  const block = (...lines: string[]) => ['```suggestion', ...lines, '```'].join('\n');

  test('stands between the words and the rule', () => {
    expect(said(found({ help: 'write two' }), { text, suggestion: offer(2, 2, 'b: two') })).toBe(
      `**error:** it is wrong\n\nWrite two\n\n${block('b: two')}\n\n<sub>\`some-rule\`</sub>`,
    );
  });

  test('replaces the lines of the comment, from its first to its last', () => {
    const anchor = { ...onLine, line: 3, startLine: 2 };
    expect(said(found(), { text, anchor, suggestion: offer(2, 3, 'x') })).toContain(block('x'));
    expect(said(found(), { text, anchor, suggestion: offer(2, 3) })).toContain(block());
  });

  test.each<[string, Anchor, Suggestion]>([
    ['ends on another line', onLine, offer(2, 3, 'x')],
    ['begins on another line', onLine, offer(1, 2, 'x')],
    ['begins before the lines of the comment', { ...onLine, line: 3, startLine: 2 }, offer(1, 3, 'x')],
    ['begins behind the first line of the comment', { ...onLine, line: 3, startLine: 2 }, offer(3, 3, 'x')],
    ['is of another file', onLine, { ...offer(2, 2, 'x'), file: 'b.yaml' }],
    ['would stand on what was taken away', { ...onLine, side: 'LEFT' }, offer(2, 2, 'x')],
    ['would stand on a file', onFile, offer(2, 2, 'x')],
  ])('that %s is left out', (_, anchor, suggestion) => {
    expect(said(found(), { text, anchor, suggestion })).not.toContain('suggestion');
  });

  test('is left out where the comment does not stand on its line any more', () => {
    const words = said(found(), { text, anchor: undefined, suggestion: offer(2, 2, 'x') });
    expect(words).toBe('**error:** it is wrong\n\nAt `a.yaml:2`\n\n<sub>`some-rule`</sub>');
  });

  test('for a file of which nothing is shown is left out', () => {
    const finding = found({ at: at('a.env', 2) });
    const suggestion = { ...offer(2, 2, 'x'), file: 'a.env' };
    expect(said(finding, { text, suggestion, anchor: { ...onLine, path: 'a.env' } })).not.toContain('suggestion');
  });

  test('for a file that cannot be read is offered as it is', () => {
    expect(said(found(), { suggestion: offer(2, 2, 'b: two') })).toContain(block('b: two'));
  });

  test.each([
    ['that no person sees', 'b: \u200btwo'],
    ['that turns the direction of writing', 'b: \u202etwo'],
  ])('with a character %s is left out, whichever of its lines has it', (_, line) => {
    for (const replacement of [[line], [line, 'c: 3'], ['c: 3', line]])
      expect(said(found(), { text, suggestion: offer(2, 2, ...replacement) })).not.toContain('suggestion');
  });

  test('may have tabs', () => {
    expect(said(found(), { text, suggestion: offer(2, 2, 'b:\ttwo') })).toContain(block('b:\ttwo'));
  });

  test('is no longer than GitHub takes with the comment', () => {
    const plain = said(found()).length;
    const withLine = (length: number) =>
      said(found(), { text, suggestion: offer(2, 2, 'x'.repeat(length - plain - block('').length)) });
    expect(withLine(59_999)).toContain('```suggestion');
    expect(withLine(60_000)).toBe(said(found()));
  });

  describe('with a line that holds what looks secret is left out', () => {
    const secret =
      'apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\nstringData:\n  user: somebody\n  pass: hunter2hunter2\n';
    const given = (line: number, suggestion: Suggestion, content = secret) =>
      said(found({ at: at('a.yaml', line) }), {
        ...{ text: content, suggestion },
        anchor: { ...onLine, line: suggestion.endLine, startLine: suggestion.startLine },
      }).includes('```suggestion');

    test('in an object that is a Secret', () => {
      expect(given(7, offer(7, 7, '  pass: correcthorse'))).toBe(false);
      expect(given(4, offer(4, 4, '  name: y'))).toBe(true);
    });

    test('on its first line, on its last, and on one between', () => {
      expect(given(4, offer(4, 6, '  name: y', 'stringData:', '  user: other'))).toBe(false);
      expect(given(7, offer(6, 7, '  user: other', 'type: Opaque'))).toBe(false);
      expect(
        given(
          4,
          offer(3, 5, 'metadata: { name: x }', 'stringData:', '  user: other', '  more: other2', 'type: Opaque'),
        ),
      ).toBe(false);
    });

    test('where there was none before', () => {
      expect(given(2, offer(2, 2, 'password: hunter2hunter2'), 'a: 1\nb: 2\nc: 3\n')).toBe(false);
    });

    test('by what stands below, and only while that is not replaced as well', () => {
      const env = 'env:\n  - value: localhost\n    name: DB_PASSWORD\n';
      expect(given(2, offer(2, 2, '  - value: elsewhere'), env)).toBe(false);
      expect(given(2, offer(2, 3, '  - value: elsewhere', '    name: DB_HOST'), env)).toBe(true);
    });

    test('though the value stands in a block that begins above', () => {
      const block = 'kind: A\npassword: |\n  hunter2hunter2\n  hunter3hunter3\nname: x\nother: y\n';
      expect(given(4, offer(4, 4, '  correcthorse'), block)).toBe(false);
      expect(given(5, offer(5, 5, 'name: z'), block)).toBe(true);
      // What it takes out ends the block.
      expect(given(2, offer(2, 3, 'plain: |', '  words'), block)).toBe(true);
      expect(given(5, offer(5, 6, 'name: z', 'password: hunter2hunter2'), block)).toBe(false);
    });
  });
});

describe('a farewell', () => {
  const head = 'cafe'.repeat(10);
  const begin = '**No longer reported at cafecafecafe.** It was:\n\n';

  test('repeats what was said, without the marker', () => {
    const body = 'words\n\nmore\n\n<!-- customizer-lint:1 a b c -->';
    expect(farewellText(body, head)).toBe(`${begin}words\n\nmore`);
    expect(farewellText(body.replaceAll('\n', '\r\n'), head)).toBe(`${begin}words\n\nmore`);
  });

  test('is said once: a later commit does not change it', () => {
    const body = `${farewellText('words', head)}\n\n<!-- customizer-lint:1 a b c -->`;
    expect(farewellText(body, 'beef'.repeat(10))).toBe(body);
  });

  test.each([
    ['in the middle', 'words\n\n```suggestion\na\n```\n\nrule', 'words\n\nrule'],
    ['at the end', 'words\n\n```suggestion\na\n```', 'words'],
    ['of no line', 'words\n\n```suggestion\n```\n\nrule', 'words\n\nrule'],
    ['with a fence of its own', 'words\n\n````suggestion\n```\n````\n\nrule', 'words\n\nrule'],
    ['before another block', 'words\n\n```suggestion\na\n```\n\n```\nb\n```\n\nrule', 'words\n\n```\nb\n```\n\nrule'],
    [
      'before another suggestion, which a person wrote',
      'words\n\n```suggestion\na\n```\n\n```suggestion\nb\n```\n\nrule',
      'words\n\n```suggestion\nb\n```\n\nrule',
    ],
  ])('does not repeat a suggestion %s', (_, text, rest) => {
    expect(farewellText(text, head)).toBe(`${begin}${rest}`);
  });

  test.each([
    'words\n```suggestion\na\n```',
    'words\n\nsay ```suggestion\na\n```',
    'words\n\n```suggestions\na\n```',
    'words\n\n``suggestion\na\n``',
    'words\n\n```suggestion\na',
    '```\n\nwords\n\n```suggestion\na',
  ])('repeats what is no suggestion of ours: %j', (text) => {
    expect(farewellText(text, head)).toBe(`${begin}${text}`);
  });
});
