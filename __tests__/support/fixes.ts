/** Fixes as the JSON report offers them, made by code that shares nothing with the product's. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { root } from './cli.js';
import { runHere } from './here.js';

type Edit = { file: string; line: number; column: number; endLine: number; endColumn: number; text: string };
export type Offered = { title: string; safe: boolean; edits: Edit[] };
export type Reported = {
  rule: string;
  severity: string;
  message: string;
  object?: { kind: string; name: string };
  fix?: Offered;
};

export async function findingsIn(repository: string, base: string | undefined): Promise<Reported[]> {
  const { stdout, stderr } = await runHere([
    'check',
    repository,
    '--format',
    'json',
    ...(base ? ['--base', base] : []),
  ]);
  if (stdout === '') throw new Error(stderr);
  // Files of a fixture are reported from the root of this repository.
  const inFixture = stdout.replaceAll(`"file": "${relative(root, repository).split(sep).join('/')}/`, '"file": "');
  return (JSON.parse(inFixture) as { findings: Reported[] }).findings;
}

/** A copy of the repository with the edits in it; gone when the work is done. */
export async function withEdits<Result>(
  repository: string,
  edits: readonly Edit[],
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'fixed-'));
  try {
    cpSync(repository, folder, { recursive: true });
    for (const file of new Set(edits.map((edit) => edit.file))) {
      const path = join(folder, file);
      const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(
        path,
        edited(
          text,
          edits.filter((edit) => edit.file === file),
        ),
      );
    }
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** From the end, so that what comes before stays where it is. */
export function edited(text: string, edits: readonly Edit[]): string {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const offset = (line: number, column: number) => {
    const start = starts[line - 1];
    if (start === undefined || start + column - 1 > text.length) throw new Error(`there is no ${line}:${column}`);
    return start + column - 1;
  };
  const spans = edits
    .map((edit) => ({ from: offset(edit.line, edit.column), to: offset(edit.endLine, edit.endColumn), put: edit.text }))
    .sort((a, b) => b.from - a.from);
  for (const [index, { to }] of spans.slice(1).entries())
    if (to > (spans[index]?.from ?? 0)) throw new Error('an edit lies over another');
  return spans.reduce((now, { from, to, put }) => now.slice(0, from) + put + now.slice(to), text);
}

/** What a finding says, whatever became of its line. */
export function identity({ rule, object, message }: Reported): string {
  return [rule, object?.kind, object?.name, message].join(' | ');
}

export function tally(findings: readonly Reported[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of findings.map(identity)) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}
