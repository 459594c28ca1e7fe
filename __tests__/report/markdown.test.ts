import { expect, test } from '@jest/globals';
import { marked } from 'marked';
import { report } from '../../src/report/index.js';
import { at, cleanRun, finding, hostile, richRun, sources } from './runs.js';

const options = { color: false, quiet: false };

/** What is left of the page outside of code, where GitHub looks for mentions, references and links. */
function outsideCode(markdown: string): string {
  const html = marked.parse(markdown, { gfm: true, async: false });
  return html.replace(/<code[^>]*>[\s\S]*?<\/code>/g, '');
}

const spots = {
  message: hostile,
  help: hostile,
  at: at(`${hostile}.yaml`, 1, 1, 2),
  related: [{ message: hostile, at: at(`${hostile}.yaml`, 1, 1, 2) }],
  entrypoints: [hostile],
};

test.each([
  ['a finding', cleanRun({ findings: [finding(spots)], sources: sources({ [`${hostile}.yaml`]: hostile }) })],
  [
    'its code',
    cleanRun({ findings: [finding()], sources: sources({ 'packages/metallb.yaml': '\n\n\n\n\n\n````: @team' }) }),
  ],
  ['an entrypoint', cleanRun({ entrypoints: [{ path: hostile, why: hostile, objects: 1, rendered: true }] })],
  ['what was not checked', cleanRun({ notChecked: [{ what: hostile, why: hostile, count: 1 }] })],
  ['a reason', cleanRun({ ignored: [{ finding: finding(), reason: hostile }] })],
  ['a fact', cleanRun({ facts: [{ name: 'variant', value: hostile, source: 'assumed' }] })],
  ['everything', richRun()],
])('%s can hold no mention, link, image or tag', (_, run) => {
  const page = outsideCode(report('markdown', run, options));
  expect(page).not.toMatch(/@|<img|<a |<script|<!--|https?:|#\d/);
  expect(page).toContain('<h2>customizer-lint');
});

test('a rule links to its page', () => {
  const rules = [{ id: 'chart-owned-field', summary: 's', severity: 'error' as const, url: 'https://x.example/a' }];
  const text = report('markdown', cleanRun({ findings: [finding()] }), { ...options, rules });
  expect(text).toContain('[`chart-owned-field`](https://x.example/a)');
});

test('a page stays below what GitHub drops, and says what it leaves out', () => {
  const findings = Array.from({ length: 20_000 }, (_, index) =>
    finding({ severity: index % 2 ? 'notice' : 'error', message: `日本 "${index}"` }),
  );
  const text = report('markdown', cleanRun({ findings }), options);
  const shown = text.split('`chart-owned-field`').length - 1;
  expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
  expect(shown).toBeGreaterThan(5000);
  expect(text).toContain(`**${20_000 - shown} more findings in the log.**`);
  expect(text).toContain('**Rendered**');
});
