/**
 * Layouts that the documents of Flux and Cozystack show, each as it should be and with one mistake: layouts.yaml has every finding, by
 * its rule, file, the SHA-256 of the file and the line, a reason for each why it is true, and one for each mistake that is not found.
 * UPDATE=1 FULL=1 writes the findings anew and keeps the reasons.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { root } from '../support/cli.js';
import { runHere } from '../support/here.js';
import { type Case, casesOf, layouts, mistakes } from '../support/layouts.js';
import { isFull, someOf } from '../support/sample.js';
import { createRepo, removeRepo } from '../support/trees.js';

const file = join(root, '__tests__', 'end-to-end', 'layouts.yaml');

/** Of a rule in layouts and with mistakes, all that are not named; `about` is a part of the message. */
type Reason = { rule: string; layout?: string; mistake?: string; about?: string; reason: string };
/** Why nothing is said of a mistake in a layout. */
type Missed = { layout?: string; mistake: string; reason: string };
type Table = { reasons: Reason[]; missed: Missed[]; findings: { [layout: string]: { [mistake: string]: string[] } } };
type Found = { rule: string; severity: string; file: string; line: number; message: string };

const text = readFileSync(file, 'utf8');
const table = parse(text) as Table;
const heading = text.slice(0, text.search(/^[^#\s]/m));
const cases = layouts.flatMap(casesOf);

const isOf = (one: { layout?: string; mistake?: string }, { layout, mistake }: Case) =>
  (one.layout ?? layout) === layout && (one.mistake ?? mistake) === mistake;

async function findingsOf({ files }: Case): Promise<{ found: Found[]; lines: string[] }> {
  const folder = createRepo(files);
  try {
    const { stdout, stderr } = await runHere(['check', folder, '--format', 'json', '--quiet']);
    if (stdout === '') return { found: [], lines: [stderr.replaceAll(folder, 'FOLDER').trim()] };
    const { findings } = JSON.parse(stdout) as { findings: Found[] };
    const hash = (path: string) => createHash('sha256').update(String(files[path])).digest('hex').slice(0, 8);
    const lineOf = (one: Found) => `${one.severity}[${one.rule}] ${one.file}:${one.line} ${hash(one.file)}`;
    return { found: findings, lines: findings.map(lineOf) };
  } finally {
    removeRepo(folder);
  }
}

const some = someOf(cases, 6, ({ layout, mistake }) => `${layout}, ${mistake}`);

describe('every finding is known and true', () => {
  test.each(some)('$layout, mistake: $mistake', async (one) => {
    const { found, lines } = await findingsOf(one);
    const known = table.findings[one.layout]?.[one.mistake];
    if (process.env.UPDATE) {
      table.findings[one.layout] = { ...table.findings[one.layout], [one.mistake]: lines };
    } else expect(lines).toEqual(known);
    const reasons = table.reasons.filter((reason) => isOf(reason, one));
    const fits = ({ rule, about = '' }: Reason, { rule: id, message }: Found) => rule === id && message.includes(about);
    expect(found.filter((finding) => !reasons.some((reason) => fits(reason, finding)))).toEqual([]);
  });

  test('the table is of these cases, and no reason is without a finding', () => {
    if (process.env.UPDATE && isFull()) {
      table.findings = Object.fromEntries(layouts.map(({ name }) => [name, table.findings[name] ?? {}]));
      writeFileSync(file, heading + stringify(table, { lineWidth: 0 }));
    }
    const rows = Object.entries(table.findings).flatMap(([layout, of]) =>
      Object.keys(of).map((name) => [layout, name]),
    );
    expect(rows).toEqual(cases.map(({ layout, mistake }) => [layout, mistake]));
    const linesOf = ({ layout, mistake }: Case) => table.findings[layout]?.[mistake] ?? [];
    const isUsed = (reason: Reason) =>
      cases.some((one) => isOf(reason, one) && linesOf(one).some((line) => line.includes(`[${reason.rule}]`)));
    expect(table.reasons.filter((reason) => !isUsed(reason))).toEqual([]);
  });

  test('each mistake that is not found is known', () => {
    const linesOf = (layout: string, mistake: string) =>
      (table.findings[layout]?.[mistake] ?? []).map((line) => line.replace(/:\d+ \w+$/, '')).sort();
    const silent = cases.filter(
      ({ layout, mistake }) => mistake !== 'none' && linesOf(layout, mistake).join() === linesOf(layout, 'none').join(),
    );
    const named = ({ layout, mistake }: { layout: string; mistake: string }) => `${layout}, ${mistake}`;
    expect(silent.filter((one) => !table.missed.some((missed) => isOf(missed, one))).map(named)).toEqual([]);
    expect(table.missed.filter((missed) => !silent.some((one) => isOf(missed, one)))).toEqual([]);
  });

  test('every mistake is made in some layout', () => {
    const made = new Set(cases.map(({ mistake }) => mistake));
    expect(mistakes.filter(({ name }) => !made.has(name))).toEqual([]);
  });
});
