/**
 * However a Secret is written, and whatever is wrong with it, nothing that is printed holds a value of it. All cases are
 * entrypoints of one repository; each proves that something was said of it, and where its canaries stand.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Finding, Run } from '../../src/core/model.js';
import { differenceLines } from '../../src/report/fixes.js';
import { formats, report } from '../../src/report/index.js';
import { root } from '../support/cli.js';
import { inFormats } from '../support/formats.js';
import { runHere } from '../support/here.js';
import { run } from '../support/run.js';
import { isChosen, someOf } from '../support/sample.js';
import { createRepo, type Files, removeRepo } from '../support/trees.js';
import { Canaries } from './canaries/canary.js';
import { mistakes } from './canaries/mistakes.js';
import { spellings } from './canaries/spellings.js';

const canaries = new Canaries();
const remark = ' # customizer-lint ignore';

/** Every case below a folder of its own. */
function cases(of: Record<string, Record<string, string>>, into: string): Map<string, Record<string, string>> {
  return new Map(
    Object.entries(of).map(([name, texts], index) => {
      const files = { 'kustomization.yaml': 'resources: [s.yaml]\n', ...texts };
      const marked = Object.entries(files).map(([file, text]) => [
        `${into}/${index}/${file}`,
        canaries.seeded(named(text, `${into}${index}`).replaceAll('«!»', remark), name),
      ]);
      return [name, Object.fromEntries(marked)];
    }),
  );
}

/** Objects of all cases are applied to one cluster. */
function named(text: string, name: string): string {
  return text.replace(/(name["']?: ?["']?)x(?=[,}\n\r"'\x85\u2028])/g, `$1${name}`);
}

const written = cases(spellings, 'spelling');
const wrong = cases(mistakes, 'mistake');
/** Not all of these are text. */
const encodings = ['utf-16le', 'utf-16be'].map((encoding) => {
  const text = canaries.seeded(spellings['kind plain']?.['s.yaml']?.replaceAll('«!»', '') ?? '', encoding);
  const units = Buffer.from(`\ufeff${text}`, 'utf16le');
  return [`encoding/${encoding}/s.yaml`, encoding === 'utf-16be' ? units.swap16() : units] as const;
});
const files: Files = {
  ...Object.fromEntries([...written.values(), ...wrong.values()].flatMap((one) => Object.entries(one))),
  ...Object.fromEntries(encodings),
  ...Object.fromEntries(
    encodings.map(([file]) => [file.replace('s.yaml', 'kustomization.yaml'), 'resources: [s.yaml]\n']),
  ),
};
const folderOf = (one: Record<string, string>) => Object.keys(one)[0]?.split('/').slice(0, 2).join('/') ?? '';
const paths = [...new Set(Object.keys(files).map((file) => file.split('/').slice(0, 2).join('/')))];
const options = { color: false, quiet: false, width: 600 };

let folder: string;
let lint: Run;
beforeAll(async () => {
  folder = createRepo(files);
  lint = await run({ directory: folder, home: root, paths, remotes: [] });
});
afterAll(() => removeRepo(folder));

/** As if every line were wrong, and could be written anew. */
function everyLine(of: Record<string, string>): Finding[] {
  return Object.entries(of).flatMap(([file, text]) =>
    text.split(/\r?\n/).flatMap((line, index): Finding[] => {
      if (line.trim() === '') return [];
      const at = {
        revision: 'head' as const,
        file,
        range: { start: { line: index + 1, column: 1 }, end: { line: index + 1, column: line.length + 1 } },
      };
      const said = {
        rule: 'schema-violation',
        severity: 'error' as const,
        message: 'This is wrong',
        precision: 'exact' as const,
      };
      const rest = { field: [], related: [], entrypoints: ['.'], fingerprint: `${file} ${index}`, assumes: [] };
      return [
        {
          ...said,
          ...rest,
          at,
          fix: () => ({ title: 'write it anew', safe: true, edits: [{ at, text: `${line} ` }] }),
        },
      ];
    }),
  );
}

test('there are as many canaries and cases as promised', () => {
  expect(canaries.size).toBeGreaterThanOrEqual(400);
  expect(written.size + wrong.size).toBeGreaterThanOrEqual(60);
});

describe.each(someOf([...written], 1, ([name]) => name))('written: %s', (_, one) => {
  test('its lines are shown without what is secret in them', () => {
    for (const [file, text] of Object.entries(one)) {
      const framed = report('text', { ...lint, findings: everyLine({ [file]: text }) }, options);
      const shown = framed.split('\n').filter((line) => /^\s*\d+ \| /.test(line));
      const lines = new Map(shown.map((line) => [Number(/\d+/.exec(line)?.[0]), line]));
      expect(canaries.found(framed)).toEqual([]);
      for (const line of canaries.lines(text))
        expect([line, lines.get(line) ?? '']).toEqual([line, expect.stringContaining('••••••')]);
      expect(canaries.found(report('markdown', { ...lint, findings: everyLine({ [file]: text }) }, options))).toEqual(
        [],
      );
      const known = lint.sources.secrets?.('head', file);
      const changed = differenceLines(file, text, text.replace(/$/gm, ' '), known).join('\n');
      expect(canaries.found(changed)).toEqual([]);
    }
  });
});

describe.each(someOf([...wrong], 1, ([name]) => name))('wrong: %s', (_, one) => {
  test('something is said of it, and nothing secret', () => {
    const about = lint.findings.filter(({ at, entrypoints }) =>
      [at.file, ...entrypoints].some((path) => `${path}/`.startsWith(`${folderOf(one)}/`)),
    );
    expect(about.length).toBeGreaterThan(0);
    const result = { ...lint, findings: [...about, ...everyLine(one)] };
    const printed = formats.map((format) => report(format, result, options)).join('\n');
    expect(canaries.found(printed)).toEqual([]);
  });
});

test.each(someOf(formats, 1))('%s of all has no canary', (format) => {
  const all = [...written.values(), ...wrong.values()].flatMap(everyLine);
  expect(canaries.found(report(format, lint, options))).toEqual([]);
  expect(canaries.found(report(format, { ...lint, findings: all }, options))).toEqual([]);
});

test('most mistakes are refused, and those that can be commented on are', () => {
  const refused = new Set(lint.entrypoints.flatMap(({ path, rendered }) => (rendered ? [] : [path])));
  expect([...wrong.values()].filter((one) => refused.has(folderOf(one))).length).toBeGreaterThan(40);
  expect(lint.findings.filter(({ at }) => at.file.startsWith('spelling/')).length).toBeGreaterThan(100);
});

/** What is printed at all is what proves that the command has run. */
const commands: [string, string[], RegExp][] = [
  ['check', ['text', 'json', 'sarif'], /customizer-lint ignore ••••••|••••••.*customizer-lint ignore/],
  ['check', ['github', 'markdown', 'gitlab', 'junit', 'concise'], /••••••/],
  ['check', ['--simulate'], /••••••/],
  ['fix', ['--dry-run', '--unsafe'], /••••••/],
  ['diff', [], /Secret cozy-customizer\/spelling1 is (?:created|refused)/],
  ['diff', ['--format', 'json'], /"after": "••••••"/],
  ['graph', [], /^digraph /m],
  ['inventory', [], /_Secret/],
  ['render', ['--format', 'digest'], /error {2}mistake/],
];

test.each(commands.filter((one) => isChosen(one.join(' '), 6)))(
  '%s %j prints no canary',
  async (command, args, proof) => {
    const named = paths.flatMap((path) => ['--path', path]);
    const formats = args.filter((arg) => !arg.startsWith('--') && command === 'check');
    const more = args.filter((arg) => !formats.includes(arg));
    const { stdout, stderr, status } = await inFormats(runHere, formats, [command, folder, ...more, ...named]);
    // What stands in a ConfigMap besides is its own value there.
    const elsewhere = command === 'diff' ? 'replaced from a ConfigMap' : 'nowhere';
    expect(canaries.found(stdout + stderr).filter((one) => !one.startsWith(elsewhere))).toEqual([]);
    expect(stdout + stderr).toMatch(proof);
    expect([0, 1]).toContain(status);
  },
);

test('explain prints no canary', async () => {
  const one = written.get('kind as bytes') ?? {};
  const named = [
    '--path',
    folderOf(one),
    ...[...wrong.values()].slice(0, 40).flatMap((other) => ['--path', folderOf(other)]),
  ];
  for (const format of [[], ['--format', 'json']]) {
    const { stdout, stderr, status } = await runHere([
      'explain',
      '-C',
      folder,
      'Secret/cozy-customizer/spelling5',
      ...named,
      ...format,
    ]);
    expect(canaries.found(stdout + stderr)).toEqual([]);
    expect(stdout).toContain('••••••');
    expect(stderr).toContain('mistake/');
    expect(status).toBe(0);
  }
});

describe('of a live cluster', () => {
  const values = { password: '§', auth: { token: '§', list: ['§'] }, env: [{ name: 'DB_PASSWORD', value: '§' }] };
  const fields = { 'f:password': {}, 'f:auth': { 'f:token': {}, 'f:list': {} }, 'f:env': {} };
  const live = {
    apiVersion: 'v1',
    kind: 'List',
    items: [
      {
        apiVersion: 'cozystack.io/v1alpha1',
        kind: 'Package',
        metadata: {
          name: 'cozystack.keycloak',
          annotations: {
            'meta.helm.sh/release-name': 'cozystack-platform',
            'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ spec: { values } }),
          },
          managedFields: [
            {
              manager: 'kubectl-edit',
              operation: 'Update',
              apiVersion: 'cozystack.io/v1alpha1',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:spec': { 'f:variant': {}, 'f:components': { 'f:keycloak': { 'f:values': fields } } } },
            },
          ],
        },
        spec: { variant: 'default', components: { keycloak: { values } } },
      },
    ],
  };

  test.each([
    ['audit', ['--live', 'live.json'], /cozystack\.keycloak[\s\S]*variant/],
    [
      'audit',
      ['--live', 'live.json', '--format', 'json'],
      /"kind": "taken"[\s\S]*"variant"|"variant"[\s\S]*"kind": "taken"/,
    ],
    ['snapshot', ['live.json'], /cozystack\.keycloak[\s\S]*password/],
  ] as [string, string[], RegExp][])('%s %j prints no canary', async (command, args, proof) => {
    const folder = createRepo({ 'live.json': canaries.seeded(JSON.stringify(live), command) });
    try {
      const { stdout, stderr } = await runHere([command, ...args], { cwd: folder });
      expect(canaries.found(stdout + stderr)).toEqual([]);
      expect(stdout).toMatch(proof);
    } finally {
      removeRepo(folder);
    }
  });
});
