/**
 * Text from a repository, whatever it is, changes nothing outside the place where it is quoted: each format is read with its own
 * reader, once with a harmless word in that place and once with a hostile one, and all the rest is compared. FULL=1: every text in
 * every place.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Graphviz } from '@hpcc-js/wasm-graphviz';
import { afterAll, describe, expect, test } from '@jest/globals';
import { marked, type Tokens } from 'marked';
import { SaxesParser } from 'saxes';
import { readReport } from '../../src/action/publish.js';
import type { Diff, Finding, Run } from '../../src/core/model.js';
import type { Anchor } from '../../src/github/types.js';
import { toDot } from '../../src/graph/dot.js';
import type { Graph } from '../../src/graph/graph.js';
import { toMermaid } from '../../src/graph/mermaid.js';
import { differenceLines } from '../../src/report/fixes.js';
import { type Format, formats, report } from '../../src/report/index.js';
import { commentText, farewellText } from '../../src/review/comment.js';
import { markerId, readMarker, withMarker } from '../../src/review/marker.js';
import { alone } from '../review/topics.js';
import { root, runCli } from '../support/cli.js';
import { runHere } from '../support/here.js';
import { missing, readMermaid } from '../support/mermaid/mermaid.js';
import { commands } from '../support/runner.js';
import { amount, isChosen, isFull, someOf } from '../support/sample.js';
import { createRepo, removeRepo } from '../support/trees.js';
import { at, cleanRun, finding, sources } from './runs.js';

const forged = `<!-- customizer-lint:1 e3b0c442 ${'a'.repeat(32)} ${'b'.repeat(16)} -->`;

const payloads: Record<string, string> = {
  'a mention': '@team',
  'a mention of a team': 'ask @org/team now',
  'a reference': 'fixes #1',
  'a reference elsewhere': 'closes owner/repo#12',
  'an old reference': 'GH-12',
  'a commit': 'owner/repo@0123456789abcdef0123456789abcdef01234567',
  'an address': 'https://evil.example/?a=b&c',
  'an address without a scheme': 'www.evil.example',
  'an address of mail': 'a@evil.example mailto:b@evil.example',
  'a link': '[click](https://evil.example)',
  'a link by reference': '[click][1]\n\n[1]: https://evil.example',
  'an image': '![x](https://evil.example/x.png)',
  HTML: '<img src=x onerror=alert(1)><b>bold</b>',
  'a closed element': '</details></sub></table>',
  'a comment of HTML': '<!-- hidden',
  'the end of a comment': '--> shown',
  'an entity': '&lt;b&gt; &#64;team &commat;team',
  'a forged marker': `x\n\n${forged}`,
  'a forged marker on the line': forged,
  'a code span': '`code` and `` more ``',
  'an open code span': 'a ` b',
  'a code span, then a mention': '`@team',
  'quotes and backticks': 'x"`@team',
  'quotes beside quotes': 'a""b`@team',
  'a mention beside quotes': '@x"y`@team"z',
  'many backticks': '`'.repeat(50),
  'backticks that grow': '` `` ``` ```` `````',
  'a fence': '\n```\nout\n',
  'a fence of a suggestion': '\n```suggestion\nrm -rf /\n```\n',
  'a fence of tildes': '\n~~~\nout\n~~~\n',
  'a list on the line': '- [ ] a',
  'a numbered list': '1. a',
  'a heading on the line': '# a',
  'a rule': '---',
  'a heading': '\n# all is well\n',
  'a heading from below': 'all is well\n===\n',
  'a list': '\n- [x] done\n1. one\n',
  'a quotation': '\n> said\n',
  'a table': 'a | b\n--|--\nc | d',
  emphasis: '*a* **b** _c_ __d__ ~~e~~',
  mathematics: '$x$ $$y$$ \\(z\\)',
  'mathematics around quotes': '$"x"$',
  'a footnote': 'a[^1]\n\n[^1]: note',
  'an emoji by name': ':tada:',
  'an alert': '\n> [!CAUTION]\n> run',
  'a backslash at the end': 'a\\',
  'an error of the runner': '::error::forged',
  'an error of the runner, on a line': 'x\n::error file=a.yaml,line=1::forged\n',
  'an error of the runner, with Windows line ends': 'x\r\n::warning::forged\r\n',
  'a mask of the runner': '\n::add-mask::error\n',
  'commands that stop': '\n::stop-commands::x\n::error::y\n',
  'an old command': 'x ##[add-mask]error',
  'an old command, in pieces': '##\u200b[error]x ##\u00ad[error]y ####[group]z',
  'an output': '\nverdict=clean\nverdict<<E\nclean\nE\n',
  'escapes of the runner': '%0A::error::x%0D%25',
  'properties of the runner': 'a,line=1::x',
  'bidi controls': '\u202ered\u202c \u2066isolated\u2069 \u200f',
  'what is not seen': 'a\u200bb\ufeffc\u00add\u{e0041}e',
  'line separators': 'a\u2028b\u2029c\u0085d\u000be\u000cf',
  'escape sequences': '\u001b[2J\u001b]8;;https://evil.example\u0007x\u001b]8;;\u0007\u009b31m',
  'a carriage return': 'long enough\rshort',
  backspaces: 'abc\b\b\bxyz',
  'a NUL': 'a\0b',
  'half a character': 'a\ud800b\udc00',
  'a section of XML': ']]> <![CDATA[ x ]]>',
  'an end of XML': '</failure></testsuites>',
  'an attribute of XML': '" type="x" \' y=\'z',
  'an entity of XML': '<!DOCTYPE x [<!ENTITY y "z">]>&y;',
  'an end of JSON': '"},{"rule":"x',
  'a link of SARIF': '[text](https://evil.example) {0}',
  'a prototype': '__proto__',
  'nothing but space': '   ',
  'a short text of many marks': `e${'\u0301'.repeat(200)}`,
};

test('the table is as long as promised', () => {
  expect(Object.keys(payloads).length).toBeGreaterThanOrEqual(45);
});

const fact = { name: 'variant', value: 'isp-full', source: 'assumed', setBy: 'cluster.variant' } as const;
const effects = { created: [], changed: [], deleted: [], left: [], held: [], unknown: [], sensitive: [] };
const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'a', name: 'b' };
const simulated = (text: string): Diff => ({
  cluster: text,
  objects: [
    { ref: { ...ref, name: text }, action: 'refused', why: text, fields: [], dependents: [text] },
    {
      ...{ ref: { ...ref, kind: text }, action: 'changed', dependents: [] },
      fields: [
        {
          ...{ path: ['data', 'a', text], before: text, after: [text], at: at(`a/${text}.yaml`, 1, 1, 2) },
          ...{ ownersBefore: [text], ownersAfter: [] },
        },
      ],
    },
  ],
  reconciles: [{ path: text, first: 'BuildFailed', second: 'BuildFailed', stopped: [], why: text }],
  notSimulated: [{ what: text, why: 'no schema' }],
});
const found = (change: Partial<Finding>, more: Partial<Run> = {}) => cleanRun({ findings: [finding(change)], ...more });

/** Every place of a run that holds words from a repository. */
const places: Record<string, (text: string) => Run> = {
  'a name in a message': (text) => found({ message: `Package "${text}" sets spec.variant, which is not "${text}"` }),
  'a message': (text) => found({ message: text }),
  'a name in a help': (text) => found({ help: `did you mean "${text}"?` }),
  'a help': (text) => found({ help: text }),
  'the words of Flux': (text) => found({ upstream: { program: 'flux', text } }),
  'a file': (text) =>
    found({ at: at(`a/${text}.yaml`, 1, 1, 2) }, { sources: sources({ [`a/${text}.yaml`]: 'kind: a\n' }) }),
  'a file as a whole': (text) => found({ at: at(`a/${text}.yaml`, 1, 1, 2), precision: 'file' }),
  'a file of the base': (text) => found({ at: at(`a/${text}.yaml`, 1, 1, 2, 'base') }),
  'a field': (text) => found({ field: ['data', text] }),
  'an object': (text) => found({ object: { apiVersion: text, kind: text, namespace: text, name: text } }),
  'an entrypoint of a finding': (text) => found({ entrypoints: [`a/${text}`] }),
  'a related message': (text) => found({ related: [{ message: text, at: at('a.yaml', 1, 1, 2) }] }),
  'a related file': (text) => found({ related: [{ message: 'here', at: at(`a/${text}.yaml`, 1, 1, 2) }] }),
  'a rule': (text) => found({ rule: text }),
  'a fingerprint': (text) => found({ fingerprint: text }),
  'the code': (text) =>
    found(
      { at: at('a.yaml', 1, 1, 3), related: [{ message: 'here', at: at('a.yaml', 1, 1, 3) }] },
      { sources: sources({ 'a.yaml': `k: ${text.replace(/\r?\n/g, ' ')} # x\n` }) },
    ),
  'a fact': (text) =>
    cleanRun({
      facts: [
        { ...fact, value: text },
        { ...fact, value: [text, 'a'] },
      ],
    }),
  'a cluster': (text) =>
    cleanRun({
      facts: [
        { ...fact, cluster: text },
        { ...fact, value: 'b' },
      ],
    }),
  'how a fact is set': (text) => cleanRun({ facts: [{ ...fact, setBy: text }] }),
  'what a finding assumes': (text) => found({ assumes: [{ ...fact, value: text, cluster: text }] }),
  'what was not checked': (text) => cleanRun({ notChecked: [{ what: text, why: text, count: 3 }] }),
  'a policy': (text) => cleanRun({ policy: [`the changes of "x" count: rules.${text}`] }),
  'a reason': (text) => cleanRun({ ignored: [{ finding: finding(), reason: text, expires: text, isNew: true }] }),
  'an ignored finding': (text) => cleanRun({ ignored: [{ finding: finding({ message: text }), reason: 'x' }] }),
  'why a stage did not run': (text) => cleanRun({ stages: [{ name: 'base', ran: false, why: text }] }),
  'what was compared with': (text) => cleanRun({ stages: [{ name: 'base', ran: true, against: text }] }),
  'an entrypoint': (text) =>
    cleanRun({ entrypoints: [{ path: `a/${text}`, why: `Flux Kustomization "${text}"`, objects: 1, rendered: true }] }),
  'an entrypoint that is not rendered': (text) =>
    cleanRun({ entrypoints: [{ path: `a/${text}`, why: text, objects: 1, rendered: false }] }),
  'what is created': (text) =>
    found({}, { effects: [{ ...effects, created: [{ apiVersion: text, kind: text, namespace: text, name: text }] }] }),
  'what is deleted, left and changed': (text) =>
    found(
      {},
      { effects: [{ ...effects, deleted: [{ ...ref, name: text }], left: [{ ...ref, name: text }], changed: [ref] }] },
    ),
  'what is held': (text) => cleanRun({ effects: [{ ...effects, held: [{ path: text, why: text }], cluster: text }] }),
  'what is to be looked at first': (text) =>
    cleanRun({
      effects: [
        { ...effects, sensitive: [{ kind: 'source', ref: { ...ref, name: text }, what: text }], cluster: text },
      ],
    }),
  'what is not known': (text) => cleanRun({ effects: [{ ...effects, unknown: [text], cluster: text }] }),
  'what a simulation does': (text) => found({}, { diffs: [simulated(text)] }),
  'what a long simulation does': (text) =>
    found(
      {},
      { diffs: [{ ...simulated(text), objects: Array.from({ length: 15 }, () => simulated(text).objects).flat() }] },
    ),
  'a finding that the base has too': (text) => found({ message: text, help: text, isNew: false }),
  'the base of an untouched run': (text) => cleanRun({ untouched: { files: 2, base: text }, entrypoints: [] }),
  'the title of a fix': (text) =>
    found({ fix: () => ({ title: text, safe: true, edits: [{ at: at('a.yaml', 1, 1, 2), text: 'x' }] }) }),
  'what a fix writes': (text) =>
    found({ fix: () => ({ title: 'x', safe: true, edits: [{ at: at('a.yaml', 1, 1, 2), text: `k: ${text}` }] }) }),
};

const harmless = 'Harmless';
const rules = [
  {
    id: 'chart-owned-field',
    group: 'ownership',
    summary: 's',
    severity: 'error',
    url: 'https://docs.example/a',
  } as const,
];
const options = { color: false, quiet: false, rules, files: { head: 'https://github.example/a/b/' } };
const print = (format: Format, run: Run) => report(format, run, options);

/** Very many are compared, and `expect` takes its time for each. */
function expectIs(actual: unknown, plain: unknown): void {
  if (actual !== plain) expect(actual).toBe(plain);
}

/** Compares what is the same in kind; where the harmless word stands, only what is around it. */
function expectAround(actual: string, plain: string): void {
  if (!plain.includes(harmless)) {
    expectIs(actual, plain);
    return;
  }
  const [before, after] = [plain.indexOf(harmless), plain.lastIndexOf(harmless) + harmless.length];
  expectIs(actual.slice(0, before), plain.slice(0, before));
  // A long line of code is cut.
  if (!/^\s*\d+ \| .*…$/.test(actual))
    expectIs(actual.slice(Math.max(before, actual.length - plain.length + after)), plain.slice(after));
}

function expectSame(actual: unknown, plain: unknown): void {
  if (typeof plain === 'string') expectAround(actual as string, plain);
  else if (plain === null || typeof plain !== 'object') expectIs(actual, plain);
  else {
    const keys = Object.keys(plain);
    if (!isDeepStrictEqual(Object.keys(actual as object), keys)) expect(Object.keys(actual as object)).toEqual(keys);
    for (const key of keys)
      expectSame((actual as Record<string, unknown>)[key], (plain as Record<string, unknown>)[key]);
  }
}

/** What would change the text around it on a screen or in a log, whatever the format. */
function expectSeen(text: string): void {
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\u200b\ufeff]|\u{e0041}/u);
  expect(text).not.toMatch(/\p{Cs}/u);
}

type Element = { name: string; attributes: Record<string, string>; text: string };
function elements(xml: string): Element[] {
  const all: Element[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) =>
    all.push({ name, attributes: attributes as Record<string, string>, text: '' }),
  );
  for (const event of ['comment', 'cdata', 'doctype', 'processinginstruction'] as const)
    parser.on(event, (text: unknown) => all.push({ name: event, attributes: {}, text: String(text) }));
  parser.on('text', (text) => {
    const last = all.at(-1);
    if (last && text.trim() !== '') last.text += text;
  });
  parser.write(xml).close();
  return all;
}

/** The tags of a page but those of code, and its text outside of code. */
function page(markdown: string): { tags: string[]; text: string } {
  const html = marked.parse(markdown, { gfm: true, async: false });
  // The marker's last word is a hash of the text.
  const outside = html.replace(/<code[^>]*>[\s\S]*?<\/code>/g, '').replace(/ [0-9a-f]{16} -->/g, ' -->');
  return { tags: outside.match(/<[^>]*>/g) ?? [], text: decoded(outside.replace(/<[^>]*>/g, '')) };
}

function decoded(html: string): string {
  const names: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return html.replace(/&(\w+|#39);/g, (entity, name: string) => names[name] ?? entity);
}

function expectSamePage(actual: string, plain: string): void {
  const [now, then] = [page(actual), page(plain)];
  expectSame(now.tags, then.tags);
  // GitHub finds these after Markdown has been read, but never in code.
  const live = /@|#\d|:\/\/|\bwww\.|\$|\bGH-\d|[0-9a-f]{40}|:\w+:/gi;
  expect(now.text.match(live) ?? []).toEqual(then.text.match(live) ?? []);
  expect(fencesOf(actual)).toEqual(fencesOf(plain));
}

function fencesOf(markdown: string): (string | undefined)[] {
  return marked.lexer(markdown).flatMap((token) => (token.type === 'code' ? [(token as Tokens.Code).lang] : []));
}

function expectSameLines(actual: string, plain: string): void {
  const [now, then] = [actual.split('\n'), plain.split('\n')];
  expect(now.length).toBe(then.length);
  for (const [index, line] of then.entries()) {
    // The mark below a line of code is as wide as what it marks.
    const mark = /^[\s|]*[-^]+(?: .*)?$/;
    if (mark.test(line)) expectIs(mark.test(now[index] ?? ''), true);
    else expectAround(now[index] as string, line);
  }
  expect(commands(actual).length).toBe(commands(plain).length);
}

const readers: Record<Format, (actual: string, plain: string) => void> = {
  text: expectSameLines,
  concise: expectSameLines,
  github: (actual, plain) => {
    // Where a name cannot be shown as it is, the place is said in words instead.
    const [now, then] = [commands(actual), commands(plain)];
    for (const [index, one] of now.entries()) {
      const other = then[index];
      if (!other || 'file' in one.properties || !('file' in other.properties)) continue;
      for (const key of ['file', 'line', 'endLine', 'col', 'endColumn']) delete other.properties[key];
      one.message = one.message
        .replace(/ \(a\/.*\.yaml:1(; )?/, (_, more) => (more ? ' (' : ''))
        .replace(/^([^(\n]*)\)/, '$1');
    }
    expectSame(now, then);
  },
  json: (actual, plain) => expectSame(JSON.parse(actual), JSON.parse(plain)),
  sarif: (actual, plain) => {
    // A hash of the line is another one for each text, or none where it looks secret.
    const withoutHash = (key: string, value: unknown) => (key === 'primaryLocationLineHash' ? undefined : value);
    expectSame(JSON.parse(actual, withoutHash), JSON.parse(plain, withoutHash));
  },
  gitlab: (actual, plain) => expectSame(JSON.parse(actual), JSON.parse(plain)),
  junit: (actual, plain) => expectSame(elements(actual), elements(plain)),
  markdown: expectSamePage,
};

/** Others in each place, so that every format gets each in some. */
function payloadsFor(place: string, shift: number): [string, string][] {
  const first = Object.keys(places).indexOf(place) + shift;
  return Object.entries(payloads).filter((_, index) => isFull() || (index + first) % 36 < amount(1, 36));
}

describe.each(formats)('%s', (format) => {
  test.each(someOf(Object.keys(places), 1, (place) => `${format} ${place}`))('%s', (place) => {
    const make = places[place] as (text: string) => Run;
    const plain = print(format, make(harmless));
    for (const [name, payload] of payloadsFor(place, formats.indexOf(format))) {
      const actual = print(format, make(payload));
      try {
        readers[format](actual, plain);
        expectSeen(actual);
        expect(commands(actual).length).toBe(commands(plain).length);
      } catch (error) {
        throw new Error(`${name}: ${error instanceof Error ? error.message : error}\n\n${actual}`);
      }
    }
  });
});

const anchors: Record<string, Anchor | undefined> = {
  'on a line': { kind: 'line', path: 'packages/metallb.yaml', side: 'RIGHT', line: 7 },
  'on a file': { kind: 'file', path: 'packages/metallb.yaml' },
  outdated: undefined,
};
const none = { url: () => 'https://docs.example/a', suggestion: () => undefined };

const marker = (text: string) => withMarker('', { id: markerId('', 'x'), text });

function comment(run: Run, anchor: Anchor | undefined): string {
  const [one = finding()] = run.findings;
  return marker(commentText(run, alone(one), anchor, none).text);
}

function isSamePage(actual: string, plain: string): boolean {
  try {
    expectSamePage(actual, plain);
    return true;
  } catch {
    return false;
  }
}

describe('a review comment', () => {
  const inFindings = Object.keys(places).filter((place) => (places[place] as (text: string) => Run)('x').findings[0]);

  test.each(Object.keys(anchors))('%s', (kind) => {
    const textOf = (body: string) => readMarker('', body)?.text ?? '';
    const farewells = (body: string) => marker(farewellText(textOf(body), 'c'.repeat(40)));
    for (const place of inFindings) {
      const make = places[place] as (text: string) => Run;
      // What stands in quotes is one clause; else a comment tells the first from what follows, as it does of any text.
      const plains = [harmless, `${harmless}: and so it is harmless`].map((text) => comment(make(text), anchors[kind]));
      for (const [name, payload] of payloadsFor(place, Object.keys(anchors).indexOf(kind))) {
        const actual = comment(make(payload), anchors[kind]);
        try {
          const plain = plains.find((one) => isSamePage(actual, one)) ?? (plains[0] as string);
          expectSamePage(actual, plain);
          expectSeen(actual);
          expect(readMarker('', actual)?.id).toBe(markerId('', 'x'));
          expectSamePage(farewells(actual), farewells(plain));
          expect(readMarker('', farewells(actual))?.id).toBe(markerId('', 'x'));
          expect(farewellText(textOf(farewells(actual)), 'd'.repeat(40))).toBe(textOf(farewells(actual)));
        } catch (error) {
          throw new Error(`${place}, ${name}: ${error instanceof Error ? error.message : error}\n\n${actual}`);
        }
      }
    }
  });

  test('a suggestion is one block that holds the lines and nothing else', () => {
    for (const [name, payload] of Object.entries(payloads)) {
      const line = `k: ${payload.replace(/\r?\n/g, ' ')}`;
      const found = finding({ at: at('a.yaml', 1, 1, 2) });
      const run = cleanRun({ findings: [found], sources: sources({ 'a.yaml': 'k: x\n' }) });
      const { text } = commentText(
        run,
        alone(found),
        { kind: 'line', path: 'a.yaml', side: 'RIGHT', line: 1 },
        {
          ...none,
          suggestion: () => ({ file: 'a.yaml', startLine: 1, endLine: 1, replacement: [line, '```'] }),
        },
      );
      const blocks = marked.lexer(marker(text)).filter(({ type }) => type === 'code') as Tokens.Code[];
      // What a person would not see is not suggested at all.
      expect(farewellText(text, 'c'.repeat(40))).not.toContain('```suggestion');
      const offered = /[^\P{C}\t]/u.test(line) ? [] : [['suggestion', `${line}\n\`\`\``]];
      expect([name, blocks.map(({ lang, text }) => [lang, text])]).toEqual([name, offered]);
      expect(readMarker('', marker(text))?.id).toBe(markerId('', 'x'));
    }
  });

  test('of a published report', () => {
    const folder = createRepo({});
    try {
      const read = (text: string) => {
        const file = join(folder, 'report.json');
        const run = places['an object']?.(text) as Run;
        const [one] = run.findings as [Finding];
        Object.assign(one, {
          message: text,
          help: text,
          field: [text],
          entrypoints: [text],
          fingerprint: 'a'.repeat(32),
        });
        writeFileSync(file, report('json', { ...run, notChecked: [{ what: text, why: text, count: 1 }] }, options));
        return readReport(file, root);
      };
      const [plain] = [read(harmless)];
      for (const [name, payload] of Object.entries(payloads)) {
        const run = read(payload);
        try {
          for (const anchor of Object.values(anchors)) expectSamePage(comment(run, anchor), comment(plain, anchor));
          for (const format of formats) readers[format](print(format, run), print(format, plain));
        } catch (error) {
          throw new Error(`${name}: ${error instanceof Error ? error.message : error}`);
        }
      }
    } finally {
      removeRepo(folder);
    }
  });
});

describe('a picture', () => {
  const nodeOf = (name: string, kind: 'package' | 'component') => ({ name, kind, missing: false, touched: false });
  const names = [...new Set(Object.values(payloads))];
  const graph: Graph = {
    release: 'v1.6',
    nodes: [
      nodeOf('root', 'package'),
      ...names.map((name, index) => nodeOf(name, index % 2 ? 'package' : 'component')),
    ],
    edges: names.map((name) => ({ from: name, to: 'root', variants: [name] })),
  };

  test('of Graphviz has a node and an arrow for each name, and nothing else', async () => {
    const text = toDot(graph, []);
    expectSeen(text);
    expect(commands(text)).toEqual([]);
    const drawn = JSON.parse((await Graphviz.load()).layout(text, 'json', 'dot'));
    expect(drawn.objects.length).toBe(graph.nodes.length);
    expect(drawn.edges.length).toBe(graph.edges.length);
  });

  test('of Mermaid is a flowchart of as many lines, in a fence that it cannot end', () => {
    const text = toMermaid(graph);
    const plain = toMermaid({
      ...graph,
      nodes: graph.nodes.map((node, index) => ({ ...node, name: `n${index}` })),
      edges: graph.edges.map((_, index) => ({ from: `n${index + 1}`, to: 'n0', variants: ['x'] })),
    });
    expectSeen(text);
    expect(text.split('\n').length).toBe(plain.split('\n').length);
    expect(commands(text)).toEqual([]);
    expectSamePage(
      print('markdown', found({}, { effects: [{ ...effects, created: [ref], graph: text }] })),
      print('markdown', found({}, { effects: [{ ...effects, created: [ref], graph: plain }] })),
    );
  });

  (missing ? test.skip : test)('of Mermaid is one that Mermaid reads', () => {
    expect(readMermaid(toMermaid(graph))).toBe('flowchart-v2');
  });
});

test('a difference has the lines that were written, each on one line', () => {
  for (const payload of Object.values(payloads)) {
    const line = payload.replace(/\r?\n/g, ' ');
    const made = (text: string) =>
      differenceLines(`a/${payload}.yaml`, `a: b\n${text}\nc: d\n`, `a: b\n${text} x\nc: d\n`);
    expect(made(line).length).toBe(made(harmless).length);
    expectSeen(made(line).join(' '));
    expect(commands(made(line).join('\n'))).toEqual([]);
  }
});

describe('100 kB', () => {
  const size = 100_000;
  const repeated = (part: string) => part.repeat(Math.ceil(size / part.length));
  const long: Record<string, string> = {
    letters: repeated('a'),
    words: repeated('word '),
    spaces: ` ${repeated(' ')}x`,
    'a space, then letters': ` ${repeated('a')}`,
    backticks: repeated('`'),
    'pairs of backticks': repeated('`a'),
    quotes: repeated('"'),
    'quoted names': repeated('"a"'),
    mentions: repeated('@a '),
    addresses: repeated('https://a '),
    lines: repeated('a\n'),
    'what is not seen': repeated('\u202e'),
    emoji: repeated('👩‍🚀'),
    marks: repeated('e\u0301'),
    braces: repeated('{a: '),
    'flow pairs': repeated('{password: a, '),
    'keys of secrets': repeated('password="'),
    assignments: repeated('a.b-c=d'),
    'begins of tokens': repeated('eyJaaaaaaaaa-'),
    'begins of keys': `${repeated('-----BEGIN A-----')}\n`,
    'begins of ciphertext': repeated('ENC['),
    'base64 and slashes': repeated('aB3/'),
    'begins of addresses': repeated('a://'),
    commands: repeated('##[error]'),
    escapes: repeated('\\'),
    tabs: repeated('\t'),
    anchors: repeated('&a '),
    hashes: repeated('# '),
    dashes: repeated('- '),
  };

  /** In every place of one finding and one run; several times where a list has no end of its own. */
  function everywhere(text: string): Run {
    const runs = Object.values(places).map((make) => make(text));
    const one: Partial<Finding> = {};
    for (const { findings } of runs) for (const found of findings) mixin(one, found);
    const part = text.slice(0, 3000);
    const related = Array.from({ length: 30 }, () => ({ message: part, at: at(`a/${part}.yaml`, 1, 1, 2) }));
    const run: Partial<Run> = {};
    for (const other of runs) mixin(run, other);
    const assumes = Array.from({ length: 20 }, (_, index) => ({ ...fact, value: part, cluster: `${index} ${part}` }));
    return {
      ...(run as Run),
      findings: [0, 1].map(() => finding({ ...one, at: at('a.yaml', 1, 1, 3), precision: 'exact', related, assumes })),
      effects: Array.from({ length: 40 }, () => ({
        ...effects,
        created: Array.from({ length: 30 }, () => ({ ...ref, name: part, kind: part })),
        cluster: part,
        graph: part,
      })),
      sources: sources({ 'a.yaml': `k: ${text.replaceAll('\n', ' ')} # x\n` }),
    };
  }

  function mixin(target: object, source: object): void {
    for (const [key, value] of Object.entries(source)) {
      const empty = Array.isArray(value) && value.length === 0;
      if (!empty && key !== 'untouched') (target as Record<string, unknown>)[key] = value;
    }
  }

  test.each(Object.keys(long).filter((name) => isChosen(name, 12)))('of %s, everywhere', (name) => {
    const run = everywhere(long[name] as string);
    for (const format of formats) {
      // What takes a square of the time does not come to its end before the test is killed.
      const printed = print(format, run);
      if (format === 'markdown') expect(Buffer.byteLength(printed)).toBeLessThan(1 << 20);
      if (format !== 'github') continue;
      for (const { message } of commands(printed)) expect(message.length).toBeLessThanOrEqual(4096);
    }
    for (const anchor of Object.values(anchors)) {
      const text = comment(run, anchor);
      expect(text.length).toBeLessThan(65_536);
      expect(farewellText(text, 'c'.repeat(40)).length).toBeLessThan(65_400);
    }
  });
});

describe('the commands print no command of the runner, and nothing that is not seen', () => {
  const all = Object.values(payloads).filter((payload) => payload.trim() !== '' && !/\p{Cs}/u.test(payload));
  /** What YAML may not hold as it is has its escape; the rest stays, as a key is 1,024 signs long at most. */
  const inYaml = (value: unknown) =>
    JSON.stringify(value).replace(
      /[\u007f-\u009f\u2028\u2029\ufeff]/g,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  const object = (name: string, data: object) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'cozy-customizer' },
    data,
  });
  // What Flux cannot build is in no manifest; it stands in names, below.
  const unsound = ['line separators', 'escape sequences', 'half a character'].map((name) => payloads[name]);
  const sound = all.filter((payload) => !unsound.includes(payload));
  const list = sound.map((payload, index) => object(`${index}${payload}`, { [payload]: payload, more: payload }));
  const folder = createRepo({
    'kustomization.yaml': JSON.stringify({
      resources: ['a.yaml', 'b.yaml'],
      patches: [{ target: { name: 'x"@team' }, patch: '[]' }],
    }),
    'a.yaml': list.map(inYaml).join('\n---\n'),
    'b.yaml': sound
      .map((name) =>
        inYaml({
          apiVersion: 'cozystack.io/v1alpha1',
          kind: 'Package',
          metadata: { name },
          spec: { variant: name },
        }),
      )
      .join('\n---\n'),
    'refused/kustomization.yaml': JSON.stringify({ resources: all.filter((name) => !name.includes('\0')) }),
  });
  afterAll(() => removeRepo(folder));
  const odd = 'x\n::error::forged\u001b[31m ##[add-mask]y';

  test('what is planted is rendered', async () => {
    const { stdout } = await runCli(['check', folder, '--format', 'json']);
    const [entrypoint] = JSON.parse(stdout).entrypoints;
    expect(entrypoint).toMatchObject({ rendered: true, objects: 2 * sound.length });
  });

  const shown: [string[], string][] = [
    [['check', folder], `${2 * sound.length} objects`],
    [['check', folder, '--format', 'markdown'], 'customizer-lint'],
    [['check', folder, '--path', 'refused'], 'cannot be built'],
    [['fix', folder, '--dry-run', '--unsafe'], '--- a/b.yaml'],
    [['explain', '-C', folder, `ConfigMap/${sound.indexOf('GH-12')}GH-12`], 'ConfigMap'],
    [['explain', '-C', folder, `ConfigMap/${odd}`], 'no entrypoint renders'],
    [['explain', '-C', folder, 'Package/www.evil.example', odd], 'Package'],
    [['render', folder, '--format', 'json'], '"kind": "Package"'],
    [['render', folder, '--format', 'json', '--provenance'], '"derivedFrom"'],
    [['render', folder, '--path', 'refused'], 'error  refused'],
    [['render', folder, '--format', 'digest', '--path', 'refused'], 'refused'],
    [['graph', folder], 'digraph'],
    [['graph', folder, '--format', 'json'], '"nodes"'],
    [['graph', folder, '--cluster', odd], 'does not tell clusters apart'],
    [['rules', odd], 'unknown rule'],
    [['check', folder, '--path', odd], 'no such directory'],
    [['check', folder, '--config', odd], 'no such file'],
    [['check', folder, '--release', odd], 'there is no data for it'],
    [['check', folder, '--base', odd], 'neither a revision'],
    [['check', odd], 'does not exist'],
    [[odd, odd], 'does not exist'],
    [['graph', odd, odd], 'one directory at a time'],
    [[`--${odd}`], 'unknown option'],
  ];
  test.each(someOf(shown, 6, JSON.stringify))('%j', async (args, words) => {
    // As a user runs it where most is printed; what else is printed comes the same way.
    const run = args.length === 2 && args[0] === 'check' ? runCli : runHere;
    const { stdout, stderr } = await run(args);
    expect(stdout + stderr).toContain(words);
    for (const text of [stdout, stderr]) {
      expectSeen(text);
      expect(commands(text)).toEqual([]);
    }
  });
});
