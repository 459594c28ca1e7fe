/** The formats of other CI servers. */
import { expect, test } from '@jest/globals';
import { SaxesParser } from 'saxes';
import { type Format, report } from '../../src/report/index.js';
import { at, cleanRun, finding, richRun } from './runs.js';

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

/** Throws where the text is no XML. */
function elements(xml: string): { name: string; attributes: Record<string, string> }[] {
  const found: { name: string; attributes: Record<string, string> }[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) =>
    found.push({ name, attributes: attributes as Record<string, string> }),
  );
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
    { description: 'wrong (before this change)', severity: 'info' },
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
  const place = 'classname="packages/metallb.yaml" name="chart-owned-field:7" file="packages/metallb.yaml" line="7"';
  expect(xml.split(place)).toHaveLength(3);
});
