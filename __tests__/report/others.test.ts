/** The formats of other CI servers. */
import { expect, test } from '@jest/globals';
import { SaxesParser } from 'saxes';
import { type Format, report } from '../../src/report/index.js';
import { at, cleanRun, finding, richRun, sources } from './runs.js';

const print = (format: Format, run = richRun()) => report(format, run, { color: false, quiet: false });

test('GitLab gets what its schema of Code Quality asks for', () => {
  const entries = JSON.parse(print('gitlab')) as Record<string, unknown>[];
  expect(entries.length).toBe(richRun().findings.length);
  for (const entry of entries) {
    expect(entry).toEqual({
      description: expect.any(String),
      check_name: expect.any(String),
      fingerprint: expect.stringMatching(/./),
      severity: expect.stringMatching(/^(?:info|minor|major|critical|blocker)$/),
      location: {
        path: expect.not.stringMatching(/^\.?\//),
        lines: { begin: expect.any(Number), end: expect.any(Number) },
      },
    });
  }
  expect(new Set(entries.map(({ fingerprint }) => fingerprint)).size).toBe(entries.length);
  expect(JSON.parse(print('gitlab', cleanRun()))).toEqual([]);
});

type Element = { name: string; attributes: Record<string, string>; parent: string | undefined };

/** Throws where the text is no XML. */
function elements(xml: string): Element[] {
  const found: Element[] = [];
  const open: string[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    found.push({ name, attributes: attributes as Record<string, string>, parent: open.at(-1) });
    open.push(name);
  });
  parser.on('closetag', () => open.pop());
  parser.write(xml).close();
  return found;
}

test('JUnit counts what it lists, and is XML whatever the names are', () => {
  const run = richRun();
  const found = elements(print('junit'));
  const count = (name: string) => found.filter((element) => element.name === name).length;
  const suite = found.find(({ name }) => name === 'testsuite');
  expect(suite?.attributes).toMatchObject({ tests: String(count('testcase')), failures: String(count('failure')) });
  expect(count('failure')).toBe(run.findings.filter(({ severity }) => severity !== 'notice').length);
  expect(count('testcase')).toBe(run.findings.length + run.entrypoints.length);
  const hostile = richRun();
  for (const finding of hostile.findings) finding.message = '<![CDATA[ ]]> "&amp; \u0000\u001b\ud800 -->';
  expect(elements(print('junit', hostile)).length).toBe(found.length);
  expect(elements(print('junit', cleanRun())).some(({ name }) => name === 'failure')).toBe(false);
});

test('GitLab gets the place and the help in the words, and its own severities', () => {
  const findings = [
    finding({ message: 'wrong', help: 'mend it', precision: 'parent' }),
    finding({ message: 'wrong', severity: 'warning', fingerprint: 'b' }),
    finding({ message: 'wrong', severity: 'notice', fingerprint: 'c', at: at('a.yaml', 1, 1, 1, 'base') }),
  ];
  expect(JSON.parse(print('gitlab', cleanRun({ findings })))).toMatchObject([
    { description: 'wrong (the nearest parent that is written). Help: mend it', severity: 'critical' },
    {
      description: 'wrong',
      severity: 'major',
      location: { path: 'packages/metallb.yaml', lines: { begin: 7, end: 7 } },
    },
    { description: 'wrong (line 1 before this change)', severity: 'info' },
  ]);
});

test('JUnit has the place, the help and what is assumed in a failure', () => {
  const assumes = [{ name: 'variant', value: 'x', source: 'assumed' } as const];
  const one = finding({ message: 'a < b', help: "it's", assumes, precision: 'parent' });
  const xml = print('junit', cleanRun({ findings: [one, { ...one, severity: 'notice' }] }));
  const text = [
    'packages/metallb.yaml:7:3 the nearest parent that is written',
    'help: it&apos;s',
    'assumes: platform variant x',
  ].join('\n');
  expect(xml).toContain(`<failure type="error" message="a &lt; b">${text}</failure></testcase>`);
  expect(xml).toContain(`<system-out>a &lt; b\n${text}</system-out></testcase>`);
});

test('GitLab is led to a file that it has, for a finding of one that is gone', () => {
  const files = { 'apps/kustomization.yaml': 'resources: []\n' };
  const run = cleanRun({
    findings: [finding({ message: 'gone', at: at('apps/db.yaml', 7, 3, 4, 'base') })],
    sources: { ...sources(files), has: (_, file) => file in files },
  });
  expect(JSON.parse(print('gitlab', run))).toMatchObject([
    {
      description: 'gone (line 7 of apps/db.yaml before this change)',
      location: { path: 'apps/kustomization.yaml', lines: { begin: 1, end: 1 } },
    },
  ]);
});

/** What Jenkins' xUnit plugin takes of an element (its junit-10.xsd): a `!` marks what it asks for. */
const allowed: Record<string, { attributes: string[]; in?: string[] }> = {
  testsuites: { attributes: ['name', 'time', 'tests', 'failures', 'errors'] },
  testsuite: { attributes: ['name!', 'tests!', 'failures!', 'errors!', 'time', 'skipped', 'id'], in: ['testsuites'] },
  testcase: { attributes: ['name!', 'classname', 'time', 'group'], in: ['testsuite'] },
  failure: { attributes: ['type', 'message'], in: ['testcase'] },
  error: { attributes: ['type', 'message'], in: ['testcase'] },
  'system-out': { attributes: [], in: ['testsuite', 'testcase'] },
};

test.each([
  ['everything', richRun()],
  ['nothing', cleanRun({ entrypoints: [] })],
])('Jenkins takes a report of %s', (_, run) => {
  for (const { name, attributes, parent } of elements(print('junit', run))) {
    const known = allowed[name] ?? { attributes: [] };
    const may = known.attributes.map((one) => one.replace('!', ''));
    expect([name, parent, Object.keys(attributes).filter((one) => !may.includes(one))]).toEqual([name, parent, []]);
    expect(known.in ?? [undefined]).toContain(parent);
    for (const one of known.attributes.filter((one) => one.endsWith('!')))
      expect(Object.keys(attributes)).toContain(one.replace('!', ''));
  }
});

test('a directory that does not render is an error, and the suite has the same name whatever is found', () => {
  const entrypoints = [
    { path: '.', why: 'given with --path', objects: 0, rendered: false },
    { path: 'apps', why: 'given with --path', objects: 2, rendered: true },
  ];
  const xml = print('junit', cleanRun({ entrypoints, findings: [finding()] }));
  const counts = 'name="customizer-lint" tests="3" failures="1" errors="1"';
  expect(xml).toContain(`<testsuites ${counts}>\n  <testsuite ${counts}>`);
  expect(xml).toContain(
    '<testcase classname="the root" name="render"><error type="not-rendered" ' +
      'message="cannot be built, so nothing else in it is checked">given with --path</error></testcase>',
  );
  expect(xml).toContain('<testcase classname="apps" name="render"/>');
});

test('the name of a test is its own, and outlives a line that is written above', () => {
  const namesOf = (...findings: ReturnType<typeof finding>[]) =>
    elements(print('junit', cleanRun({ entrypoints: [], findings })))
      .filter(({ name }) => name === 'testcase')
      .map(({ attributes }) => attributes.name);
  const name = 'chart-owned-field: Package cozystack.metallb spec.variant';
  expect(namesOf(finding())).toEqual([name]);
  expect(namesOf(finding({ at: at('packages/metallb.yaml', 8, 3, 10) }))).toEqual([name]);
  expect(namesOf(finding(), finding(), finding({ at: at('b.yaml', 1, 1, 2) }))).toEqual([name, `${name} (2)`, name]);
  const { object: _, ...unnamed } = finding({ rule: 'broken-yaml', field: [] });
  expect(namesOf(unnamed)).toEqual(['broken-yaml']);
});
