/** What an audit reports of values, for people and for programs. */
import { expect, test } from '@jest/globals';
import type { AuditFinding } from '../../src/audit/audit.js';
import { auditJson, auditText } from '../../src/audit/report.js';

const field = ['spec', 'components', 'platform', 'values', 'publishing', 'exposedServices'];
const finding = (now: string[], set: string[]): AuditFinding => ({
  ...{ package: 'cozystack.cozystack-platform', kind: 'taken', owner: 'administrator' },
  ...{ fields: [field], now: { value: now, path: field }, set, assumes: [] },
  by: [{ manager: 'kubectl-edit', operation: 'Update' }],
});

test('a list is shown as a list, without the secrets in it', () => {
  const findings = [finding(['api', 'https://me:hunter2@example.org'], ['api', 'dashboard'])];
  const report = { audit: { packages: 1, emitted: 0, findings }, recovery: [], facts: [] };
  const options = { color: false, locate: () => undefined };
  const [shown] = JSON.parse(auditJson(report, options)).findings;
  expect(shown).toMatchObject({ value: ['api', expect.stringContaining('••••••')], set: ['api', 'dashboard'] });
  const text = auditText(report, options);
  expect(text).toContain(`: ${JSON.stringify(shown.value)}, where the platform sets ["api","dashboard"]\n`);
  expect(text).not.toContain('hunter2');
});

test('a field that no manager is recorded for is said to be nobody’s, with whose it is', () => {
  const findings: AuditFinding[] = [{ ...finding(['api'], ['api', 'dashboard']), kind: 'odd', owner: 'helm', by: [] }];
  const report = { audit: { packages: 1, emitted: 0, findings }, recovery: [], facts: [] };
  expect(auditText(report, { color: false, locate: () => undefined })).toContain(
    'no manager is recorded for it, though it belongs to helm-controller\n',
  );
});

test('on a terminal the Package, the totals and the heading of the commands are bold, and what is taken is red', () => {
  const findings = [finding(['api'], ['api', 'dashboard'])];
  const recovery = [{ why: 'because', command: 'kubectl version' }];
  const report = { audit: { packages: 1, emitted: 0, findings }, recovery, facts: [] };
  const lines = auditText(report, { color: true, locate: () => undefined }).split('\n');
  const [bold, red, end] = ['\u001b[1m', '\u001b[31m', '\u001b[0m'];
  expect(lines.filter((line) => line.includes('\u001b'))).toEqual([
    `${bold}Package cozystack.cozystack-platform${end}`,
    expect.stringContaining(`  ${red}taken ${end}  spec.`),
    `${bold}1 taken, in 1 Package, 0 of them made by the platform chart${end}`,
    `${bold}To restore it, in this order:${end}`,
  ]);
});

test('of what nobody has set only null is explained', () => {
  const { owner: _, ...nobodys } = finding(['api'], []);
  const told = (value: AuditFinding['now']) => {
    const findings: AuditFinding[] = [{ ...nobodys, kind: 'odd', by: [], ...(value && { now: value }) }];
    const report = { audit: { packages: 1, emitted: 0, findings }, recovery: [], facts: [] };
    return auditText(report, { color: false, locate: () => undefined });
  };
  expect(told({ value: null, path: field })).toContain('nobody has set it: null is what is left of a map');
  expect(told({ value: 'api', path: field })).not.toContain('nobody has set it');
});
