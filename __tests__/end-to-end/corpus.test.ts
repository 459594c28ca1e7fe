/**
 * Public repositories that nobody wrote for this linter, beside a checkout of this project or at CUSTOMIZER_LINT_CORPUS:
 * corpus.yaml has every finding, by its rule, the SHA-256 of the file and the line, as the texts are not ours, and a reason for each why it is
 * true. What a release changes in them is a difference that somebody reads. UPDATE=1 writes the findings anew and keeps the reasons; a
 * finding without one fails all the same.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { root } from '../support/cli.js';
import { runHere } from '../support/here.js';
import { isChosen, isFull } from '../support/sample.js';

const corpus = process.env.CUSTOMIZER_LINT_CORPUS ?? join(root, '../shared/corpus');
const file = join(root, '__tests__', 'end-to-end', 'corpus.yaml');

/** `about` is a part of the message. */
type Reason = { rule: string; about?: string; reason: string };
type Known = { reasons: Reason[]; findings: string[] };
type Found = { rule: string; severity: string; file: string; line: number; message: string };

const text = readFileSync(file, 'utf8');
const known = parse(text) as { [repository: string]: Known };
const names = Object.keys(known);
const heading = text.slice(0, text.search(/^[^#\s]/m));

describe('every finding is known and true in', () => {
  // They are somebody else's, and lie beside a checkout of this project or nowhere.
  const [there, missing] = [true, false].map((isThere) =>
    names.filter((name) => existsSync(join(corpus, name)) === isThere),
  );
  if (missing?.length) test.skip.each(missing)('%s, which is not here', () => {});
  // In CI all.
  if (there?.length)
    test.each(there.filter((name) => isChosen(name, 12)))('%s', async (name) => {
      const folder = join(corpus, name);
      const { status, stdout } = await runHere(['check', folder, '--simulate', '--format', 'json']);
      const { findings } = JSON.parse(stdout) as { findings: Found[] };
      expect(status).toBe(findings.some(({ severity }) => severity === 'error') ? 1 : 0);
      const { reasons, findings: expected } = known[name] as Known;
      const lines = findings.map((one) => `${one.severity}[${one.rule}] ${hashOf(join(folder, one.file))}:${one.line}`);
      if (process.env.UPDATE) update(name, lines);
      else expect(lines).toEqual(expected);
      const fits = ({ rule, about = '' }: Reason, one: Found) => one.rule === rule && one.message.includes(about);
      expect(findings.filter((one) => !reasons.some((reason) => fits(reason, one)))).toEqual([]);
      expect(reasons.filter((reason) => !findings.some((one) => fits(reason, one)))).toEqual([]);
      // What the simulation says besides is nothing.
      const plain = isFull() ? await runHere(['check', folder, '--format', 'json']) : undefined;
      if (plain) expect((JSON.parse(plain.stdout) as { findings: Found[] }).findings).toEqual(findings);
    });

  (existsSync(corpus) ? test : test.skip)('as many repositories as there are', () => {
    const there = readdirSync(corpus, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(there.map(({ name }) => name).sort()).toEqual(Object.keys(known).sort());
  });
});

/** Enough of it to tell files apart; of what is no file that of its path. */
function hashOf(path: string): string {
  const text = existsSync(path) ? readFileSync(path) : path.slice(corpus.length);
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

function update(name: string, findings: string[]): void {
  known[name] = { reasons: known[name]?.reasons ?? [], findings };
  writeFileSync(file, heading + stringify(known, { lineWidth: 0 }));
}
