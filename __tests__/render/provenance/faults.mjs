/**
 * Faults seeded into repositories as people write them: `check` must report each on its own line and in no other file.
 *
 * Every fault carries a mark of its own (a key or a value that stands nowhere else), which the finding's message repeats, so
 * that hundreds of them are tried in one run. A seed counts if the render shows its mark, and the check finds fault with it in
 * the render as such, written out as one file for each directory: what no rule minds has no line to report. (The rules have
 * tests of their own; here it is the line that counts.)
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { env } from 'node:process';
import { plant, run } from './command.mjs';
import { root } from './engine.mjs';
import { apply } from './mutate.mjs';
import { scalarsOf } from './scalars.mjs';

/** `CUSTOMIZER_LINT_CORPUS` names another folder of repositories. */
export const corpus = env.CUSTOMIZER_LINT_CORPUS ?? join(root, '../shared/corpus');

/** The repositories that are there, the small ones first. */
export function corpusFolders() {
  if (!existsSync(corpus)) return [];
  const folders = readdirSync(corpus)
    .map((name) => join(corpus, name))
    .filter((path) => statSync(path).isDirectory());
  return folders
    .map((path) => ({ path, size: filesOf(path).size }))
    .sort((a, b) => a.size - b.size)
    .map(({ path }) => path);
}

/** Texts by path. */
export function filesOf(folder) {
  const files = new Map();
  const visit = (at) => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) visit(path);
      else if (entry.isFile()) files.set(relative(folder, path), readFileSync(path));
    }
  };
  visit(folder);
  return files;
}

export const kustomizationsOf = (files) => [
  ...new Set(
    [...files.keys()].filter((file) => /(^|\/)[Kk]ustomization(\.ya?ml)?$/.test(file)).map((file) => dirname(file)),
  ),
];

export class Faults {
  totals = { right: 0, elsewhere: 0, missing: 0 };
  rows = new Map();
  failures = [];
  /** Seeds that no rule minds, or that do not reach a render together with the others. */
  idle = 0;

  add(kind, verdict, detail) {
    this.totals[verdict]++;
    const row = this.rows.get(kind) ?? { right: 0, elsewhere: 0, missing: 0 };
    row[verdict]++;
    this.rows.set(kind, row);
    if (verdict !== 'right') this.failures.push({ verdict, kind, ...detail });
  }

  get count() {
    return this.totals.right + this.totals.elsewhere + this.totals.missing;
  }

  print() {
    const line = (name, row) =>
      `${name.padEnd(32)}${Object.values(row)
        .map((n) => String(n).padStart(10))
        .join('')}`;
    const head = `${'fault'.padEnd(32)}${Object.keys(this.totals)
      .map((name) => name.padStart(10))
      .join('')}`;
    const rows = [...this.rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, row]) => line(name, row));
    return [
      head,
      ...rows,
      line('all', this.totals),
      `${this.count} faults; ${this.idle} more seeds are no fault to any rule`,
    ].join('\n');
  }
}

/** Seeds up to `limit` faults into a repository, runs the check once, and looks for every one of them. */
export async function seedFaults(engine, files, limit, faults) {
  const paths = kustomizationsOf(files);
  const { users, building } = await usersOf(engine, files, paths);
  const seeds = spread(
    [...users.keys()].flatMap((file) => seedsOf(file, String(files.get(file)))),
    limit * 2,
  );
  const chosen = [];
  for (const [index, seed] of seeds.entries()) {
    if (chosen.length >= limit) break;
    const marked = { ...seed, mark: `zzFault${index}x`, number: 70_000_000 + index };
    if (await builds(engine, files, marked, users.get(seed.file)[0])) chosen.push(marked);
  }
  await checkAll(engine, files, chosen, building, faults);
}

/** Which directories build, and which of them read a file. */
async function usersOf(engine, files, paths) {
  const users = new Map();
  const building = [];
  await engine.load(files);
  for (const path of paths) {
    const answer = await engine.build(path);
    if (!answer.ok) continue;
    building.push(path);
    const read = answer.files.filter((file) => /\.ya?ml$/.test(file) && files.has(file));
    for (const file of read) users.set(file, [...(users.get(file) ?? []), { path, files: answer.files }]);
  }
  return { users, building };
}

/** Some of all, from every part. */
function spread(items, count) {
  const step = Math.max(1, items.length / count);
  return Array.from({ length: Math.min(count, items.length) }, (_, index) => items[Math.floor(index * step)]);
}

/** Every place of a file where a fault can be put: `{ kind, file, edit(mark, number) }`. */
function seedsOf(file, text) {
  if (/^\s*(sops|data|stringData):/m.test(text)) return [];
  const scalars = scalarsOf(file, text);
  const carrier = (one) => (one.within ? 'inline patch' : isKustomization(file) ? 'kustomization' : 'file');
  return scalars.flatMap((one) => {
    const seed = unknownField(one, text) ?? wrongType(one, text);
    if (!seed || (isKustomization(file) && !one.within)) return [];
    return [{ ...seed, kind: `${seed.what}, ${carrier(one)}`, file }];
  });
}

const isKustomization = (file) => /(^|\/)[Kk]ustomization(\.ya?ml)?$/.test(file);

/** A key that no schema has, behind `kind`, `name` or `replicas` in block style. */
function unknownField({ kind, path, start, end }, text) {
  const last = path.at(-1);
  const fits =
    (last === 'kind' && path.length === 1) || (last === 'name' && path[0] === 'metadata' && path.length === 2);
  const lineStart = text.lastIndexOf('\n', start) + 1;
  if (kind !== 'key' || !fits || text.slice(lineStart, start).trim() !== '') return undefined;
  const stop = text.indexOf('\n', end);
  if (stop < 0 || /[|>{[]/.test(text.slice(end, stop))) return undefined;
  const line = text.slice(0, stop).split('\n').length + 1;
  const indent = text.slice(lineStart, start);
  return {
    what: 'unknown field',
    line,
    edit: (mark) => ({ start: stop + 1, end: stop + 1, text: `${indent}${mark}: 1\n` }),
  };
}

const free =
  /^(metadata|status|data)\b|values|labels|annotations|matchLabels|limits|requests|[pP]ort$|max(Surge|Unavailable)|config|parameters|storage|selector|schema|openAPI/;

/** Text for a number or a truth value, a number for text. What may be anything is left out. */
function wrongType({ kind, path, start, end, value, within }, text) {
  const operation = path.length >= 2 && typeof path[0] === 'number' && path[1] === 'value' && within;
  if (kind !== 'value' || !(path[0] === 'spec' || operation) || free.test(path.join('.'))) return undefined;
  if (/[\n*&!|>]/.test(text.slice(start, end))) return undefined;
  const line = text.slice(0, start).split('\n').length;
  const what = typeof value === 'string' ? 'number for text' : 'text for another type';
  if (typeof value === 'string') {
    if (/[${}]/.test(value)) return undefined;
    return { what, line, edit: (_mark, number) => ({ start, end, text: String(number) }) };
  }
  if (typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  return { what, line, edit: (mark) => ({ start, end, text: mark }) };
}

/** Whether a build that reads the file takes the seed and shows its mark. */
async function builds(engine, files, seed, { path, files: read }) {
  const some = new Map(read.filter((name) => files.has(name)).map((name) => [name, files.get(name)]));
  some.set(seed.file, apply(String(files.get(seed.file)), seed.edit(seed.mark, seed.number)));
  const answer = await engine.render(some, path);
  return answer.ok && holds(JSON.stringify(answer.objects), seed);
}

const holds = (text, { mark, number }) => text.includes(mark) || text.includes(String(number));

/** All seeds in one repository, and one run. Edits of a file are made from its end, so that places stay as they are. */
async function checkAll(engine, files, seeds, paths, faults) {
  const changed = new Map(files);
  const lines = new Map();
  for (const [file, mine] of groups(seeds)) {
    const ordered = mine.toSorted((a, b) => b.edit(b.mark, b.number).start - a.edit(a.mark, a.number).start);
    changed.set(
      file,
      ordered.reduce((text, seed) => apply(text, seed.edit(seed.mark, seed.number)), String(files.get(file))),
    );
    for (const seed of mine) {
      const above = mine.filter((other) => other.line < seed.line && other.what === 'unknown field').length;
      const same = mine.filter(
        (other) => other !== seed && other.line === seed.line && other.what === 'unknown field',
      ).length;
      lines.set(seed, seed.line + above + (seed.what === 'unknown field' ? 0 : same));
    }
  }
  const minded = await findingsOf(await rendered(engine, changed, paths));
  const findings = await findingsOf(changed, paths);
  for (const seed of seeds) {
    if (minded.some((text) => holds(text.said, seed))) judge(seed, lines.get(seed), findings, faults);
    else faults.idle++;
  }
}

/** The renders as files: every directory's objects in one. */
async function rendered(engine, files, paths) {
  const flat = new Map();
  await engine.load(files);
  for (const [index, path] of paths.entries()) {
    const answer = await engine.build(path);
    if (!answer.ok) continue;
    const text = answer.objects.map((object) => `${JSON.stringify(object)}\n`).join('---\n');
    flat.set(`r${index}/all.yaml`, text);
  }
  return flat;
}

async function findingsOf(files, paths = [...files.keys()].map((file) => dirname(file))) {
  if (paths.length === 0) return [];
  const { findings } = await check(files, paths);
  return findings.map((finding) => ({ ...finding, said: `${finding.message} ${finding.help}` }));
}

function groups(seeds) {
  const byFile = new Map();
  for (const seed of seeds) byFile.set(seed.file, [...(byFile.get(seed.file) ?? []), seed]);
  return byFile;
}

export async function check(files, paths) {
  const folder = mkdtempSync(join(tmpdir(), 'provenance-'));
  try {
    plant(join(folder, 'tree'), files);
    const output = join(folder, 'report.json');
    const named = paths.flatMap((path) => ['--path', path]);
    const { said } = await run(
      ['check', '.', ...named, '--format', 'json', '--output', output, '--fail-on', 'never'],
      join(folder, 'tree'),
    );
    if (!existsSync(output)) throw new Error(said);
    return JSON.parse(readFileSync(output, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function judge(seed, line, findings, faults) {
  const mine = findings.filter(({ said }) => holds(said, seed));
  const places = mine.map(({ file, line: at }) => `${file}:${at}`);
  const verdict =
    mine.length === 0 ? 'missing' : places.every((at) => at === `${seed.file}:${line}`) ? 'right' : 'elsewhere';
  faults.add(seed.kind, verdict, {
    file: seed.file,
    line,
    mark: seed.mark,
    places,
    rules: mine.map(({ rule }) => rule),
  });
}
