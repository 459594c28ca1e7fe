/** What a comment says, word for word. */
import { describe, expect, test } from '@jest/globals';
import type {
  Entrypoint,
  Fact,
  FieldDiff,
  Finding,
  Location,
  ObjectDiff,
  Revision,
  Run,
} from '../../src/core/model.js';
import type { Suggestion } from '../../src/fix/suggestion.js';
import type { Anchor } from '../../src/github/types.js';
import type { Topic } from '../../src/report/alike.js';
import { commentText, farewellText } from '../../src/review/comment.js';
import { runWith } from './run.js';
import { alone } from './topics.js';

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
  return commentText(run, alone(finding), 'anchor' in around ? around.anchor : onLine, options).text;
}

const wrong = '> [!CAUTION]\n> **It is wrong**';

describe('a comment', () => {
  test('on a line says how bad it is, what is wrong, and by which rule', () => {
    expect(said(found())).toBe(`${wrong}\n\n<sub>error · \`some-rule\`</sub>`);
  });

  test('says what to do about it, as a sentence of its own', () => {
    expect(said(found({ severity: 'warning', help: 'take it out' }))).toBe(
      '> [!WARNING]\n> **It is wrong**\n\nTake it out.\n\n<sub>warning · `some-rule`</sub>',
    );
  });

  test('counts the other objects of its finding, but not where it lists others that say the same', () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' };
    const first = found({ also: [object, object] });
    expect(said(first)).toContain('**It is wrong (and 2 more objects)**');
    const topic: Topic = { key: 'f', findings: [first, found()] };
    const { text } = commentText(runWith([]), topic, onLine, { url: () => undefined, suggestion: () => undefined });
    expect(text).toContain(`${wrong}\n\nThe same of 1 other:\n`);
  });

  test('begins with a capital letter, but for the name of its field', () => {
    const field = ['spec', 'replicas'];
    expect(said(found({ message: 'replicas is 3', field }))).toContain('> **replicas is 3**');
    expect(said(found({ message: 'the field is 3', field }))).toContain('> **The field is 3**');
    expect(said(found({ message: 'it is too much; replicas is 3', field }))).toContain('> replicas is 3.');
  });

  test('lists as many others as there is room for, however long what stands before them is', () => {
    const findings = Array.from({ length: 201 }, (_, index) =>
      found({ message: `it is wrong with "${'a'.repeat(240)}${index}"`, fingerprint: `f${index}` }),
    );
    const [{ at: place, ...rest }, ...others] = findings as [Finding, ...Finding[]];
    const first = { ...rest, at: { ...place, file: `${'folder/'.repeat(500)}a.yaml` } };
    const run = { ...runWith(findings), sources: { text: () => undefined, has: () => false, secrets: () => ({}) } };
    const files = { head: 'https://example.org/' };
    const options = { url: () => undefined, suggestion: () => undefined, files };
    const { text, named } = commentText(run, { key: 'k', findings: [first, ...others] }, onFile, options, 10_000);
    expect(text.length).toBeLessThanOrEqual(50_000);
    expect(text.split('\n').filter((line) => line.startsWith('- [`'))).toHaveLength(named.length - 1);
    expect(named.length).toBeGreaterThan(100);
  });

  test('links the rule where it has a page', () => {
    expect(said(found(), { url: 'https://example.org/r' })).toBe(
      `${wrong}\n\n<sub>error · [\`some-rule\`](https://example.org/r)</sub>`,
    );
  });

  test.each<[string, Partial<Finding>, string]>([
    ['its line', {}, 'At `a.yaml:2`'],
    ['its file alone, where no more is known', { precision: 'file' }, 'At `a.yaml`'],
    ['that it was there before', { at: at('a.yaml', 2, 'base') }, 'At `a.yaml:2` (before this change)'],
  ])('that does not stand on the line says %s', (_, more, place) => {
    const text = `${wrong}\n\n${place}\n\n<sub>error · \`some-rule\`</sub>`;
    expect(said(found(more), { anchor: onFile })).toBe(text);
    expect(said(found(more), { anchor: undefined })).toBe(text);
  });

  test('lists what is related, one to a line, and says of which side it is', () => {
    const related = [
      { message: 'set here', at: at('b.yaml', 7) },
      { message: 'was here', at: at('c.yaml', 9, 'base') },
    ];
    expect(said(found({ related }))).toBe(
      `${wrong}\n\n- \`b.yaml:7\`: set here\n- \`c.yaml:9\` (before this change): was here\n\n<sub>error · \`some-rule\`</sub>`,
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
      '<sub>error · `some-rule` · seen from `apps`, `infra`</sub>',
    );
    expect(said(found({ entrypoints: ['apps'] }), { entrypoints: ['apps', 'infra'] })).toContain(
      '<sub>error · `some-rule` · seen from `apps`</sub>',
    );
    expect(said(finding, { entrypoints: ['apps'] })).toContain('<sub>error · `some-rule`</sub>');
  });

  test('says what it assumes, five facts at most', () => {
    const assumes = ['a', 'b', 'c', 'd', 'e', 'f'].map(
      (value): Fact => ({ name: 'variant', value, source: 'assumed' }),
    );
    const words = (names: string[]) => names.map((name) => ` · assumes platform variant ${name}`).join('');
    expect(said(found({ assumes: assumes.slice(0, 1) }))).toContain(`<sub>error · \`some-rule\`${words(['a'])}</sub>`);
    expect(said(found({ assumes }))).toContain(`<sub>error · \`some-rule\`${words(['a', 'b', 'c', 'd', 'e'])}</sub>`);
  });
});

describe('the parts of a comment:', () => {
  const partsOf = (message: string, more: Partial<Finding> = {}) => said(found({ message, ...more })).split('\n\n');

  test.each([
    ['it is wrong; Flux drops it silently', 'It is wrong', 'Flux drops it silently.'],
    ['it is gone, so its values are ignored', 'It is gone', 'Its values are ignored.'],
    ['it is gone, but Flux may not delete it: it fails', 'It is gone', 'Flux may not delete it: it fails.'],
    ['"a; b, so c" is wrong; "d: e" becomes "f"', '`a; b, so c` is wrong', '`d: e` becomes `f`.'],
    ['it is not there: Flux waits, and then fails', 'It is not there', 'Flux waits, and then fails.'],
  ])('what, and what comes of it: %s', (message, what, outcome) => {
    expect(partsOf(message)[0]).toBe(`> [!CAUTION]\n> **${what}**\n>\n> ${outcome}`);
  });

  test.each([
    ...['it is wrong', 'it is wrong: no', 'it has "a; b as a name', '"a"; b and so on" is a name with a quote'],
    ...[
      'it has "a" and "b; Flux drops it silently',
      `it is longer than anybody reads; ${'Flux drops it silently, '.repeat(50)}`,
    ],
  ])('one alone: %.50s', (message) => {
    expect(partsOf(message)[0]?.split('\n')).toHaveLength(2);
  });

  test.each([
    ['Package "a" sets spec.variant', 'Package `a` sets `spec.variant`'],
    ['set below spec.components.*.values', 'Set below `spec.components.*.values`'],
    [
      'annotate it with kustomize.toolkit.fluxcd.io/ssa: Merge',
      'Annotate it with `kustomize.toolkit.fluxcd.io/ssa: Merge`',
    ],
    ['list it in .customizer-lint.yaml', 'List it in `.customizer-lint.yaml`'],
    ['a plain sentence. And more', 'A plain sentence. And more'],
  ])('names are code: %s', (message, words) => {
    expect(partsOf(message)[0]).toBe(`> [!CAUTION]\n> **${words}**`);
  });

  test('what to do, in as many steps as there are merges', () => {
    const help = 'to keep it, annotate it with "x", let Flux apply that, then remove it';
    expect(partsOf('it is wrong', { help })[1]).toBe(
      'To keep it, in two merges:\n1. annotate it with `x`, and let Flux apply that;\n2. remove it.',
    );
    expect(partsOf('it is wrong', { help: 'first commit it, let Flux apply that, then remove it' })[1]).toBe(
      'In two merges:\n1. commit it, and let Flux apply that;\n2. remove it.',
    );
  });

  test('no option of the command, which nobody has there', () => {
    const help = 'name one with --path, or list entrypoints in .customizer-lint.yaml';
    expect(partsOf('it is wrong', { help })[1]).toBe('List entrypoints in `.customizer-lint.yaml`.');
  });

  test('what Flux says stands folded, on lines of its own', () => {
    const text = said(found({ upstream: { program: 'flux', text: 'a: </details>\nb: ```' } }));
    expect(text).toContain(
      '<details><summary>What Flux says</summary>\n\n````text\na: </details>\nb: ```\n````\n\n</details>',
    );
  });

  test('links lead to the files, where they can be read', () => {
    const related = [{ message: 'set here', at: at('b c.yaml', 7) }];
    const options = { url: () => undefined, suggestion: () => undefined, files: { head: 'https://example.org/' } };
    const { text } = commentText(runWith([]), alone(found({ related })), onFile, options);
    expect(text).toContain('At [`a.yaml:2`](https://example.org/a.yaml#L2)');
    expect(text).toContain('- [`b c.yaml:7`](https://example.org/b%20c.yaml#L7): set here');
  });
});

describe('what the merge does to the field', () => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'x', name: 'a' };
  const field: FieldDiff = {
    path: ['data', 'a'],
    before: '1',
    after: '2',
    ownersBefore: ['helm'],
    ownersAfter: ['kustomize-controller'],
  };
  const sentences = (
    one: Partial<FieldDiff>,
    more: Partial<Finding> = {},
    action: ObjectDiff['action'] = 'changed',
  ) => {
    const changed = { ref: object, action, fields: [{ ...field, ...one }], dependents: [] };
    const run = { ...runWith([]), diffs: [{ reconciles: [], objects: [changed], notSimulated: [] }] };
    const finding = found({ object, field: ['data', 'a'], ...more });
    const options = { url: () => undefined, suggestion: () => undefined };
    return commentText(run, alone(finding), onLine, options).text.split('\n>\n> ').slice(1).join(' ').split('\n\n')[0];
  };

  test.each<[string, Partial<FieldDiff>, string]>([
    ['is changed', { ownersBefore: [] }, 'Merging changes `data.a` from `1` to `2`.'],
    ['is set', { before: undefined as never, ownersBefore: [] }, 'Merging sets `data.a` to `2`.'],
    ['is removed', { after: undefined as never, ownersAfter: [] }, 'Merging removes `data.a`, which was `1`.'],
    ['is taken', {}, 'Merging changes `data.a` from `1` to `2`. Flux takes the field from `helm`.'],
    ['is shared', { ownersAfter: ['helm', 'kustomize-controller'] }, 'Merging changes `data.a` from `1` to `2`.'],
    ['lies below it', { path: ['data', 'a', 'b'], ownersBefore: [] }, 'Merging changes `data.a.b` from `1` to `2`.'],
  ])('that %s', (_, one, words) => {
    expect(sentences(one)).toBe(words);
  });

  test.each<[string, string | undefined]>([
    ['another field', sentences({ path: ['data', 'b'] })],
    ['another object', sentences({}, { object: { ...object, name: 'b' } })],
    ['an object that is created', sentences({}, {}, 'created')],
    ['nothing in particular', sentences({}, { field: [] })],
  ])('is not said of %s', (_, words) => {
    expect(words).toBe('');
  });

  test('of several clusters names the one', () => {
    const changed = (after: string): ObjectDiff => ({
      ...{ ref: object, action: 'changed', dependents: [] },
      fields: [{ ...field, after, ownersBefore: [] }],
    });
    const diffs = ['prod', 'test'].map((cluster) => ({
      ...{ cluster, reconciles: [], notSimulated: [] },
      objects: cluster === 'test' ? [changed('3')] : [],
    }));
    const options = { url: () => undefined, suggestion: () => undefined };
    const one = found({ object, field: ['data', 'a'] });
    const { text } = commentText({ ...runWith([]), diffs }, alone(one), onLine, options);
    expect(text).toContain('Merging changes `data.a` from `1` to `3` in cluster `test`.');
  });

  test('is not said twice', () => {
    expect(sentences({}, { message: '"1" becomes "2" here, whatever' })).toBe('Merging it takes `data.a` from `helm`.');
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
      `${wrong}\n\nWrite two.\n\n${block('b: two')}\n\n<sub>error · \`some-rule\`</sub>`,
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
    expect(words).toBe(`${wrong}\n\nAt \`a.yaml:2\`\n\n<sub>error · \`some-rule\`</sub>`);
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
    // With the blank line before it.
    expect(withLine(59_998)).toContain('```suggestion');
    expect(withLine(59_999)).toBe(said(found()));
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

  test('repeats what was said, and no longer in red', () => {
    expect(farewellText('> [!CAUTION]\n> words\n\nmore', head)).toBe(`${begin}> words\n\nmore`);
  });

  test('is said once: a later commit does not change it', () => {
    const text = farewellText('words', head);
    expect(farewellText(text, 'beef'.repeat(10))).toBe(text);
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
