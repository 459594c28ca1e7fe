/**
 * `node src/build/layers.mjs`, part of `npm run lint`: holds the TypeScript of `src/` against the map in `src/README.md`.
 *
 * - A room is a folder of `src/`. Its floor is the number in the map's table, from 1.
 * - An arrow goes from a room to another that one of its files imports something of, a type included. It goes up where the floor
 *   of the other is not below its own.
 * - A circle is a set of rooms, or of files, that import each other.
 * - A loose file is one that lies in `src/` itself.
 * - A function is whatever has a body in braces; its length is that of its lines, from the first of its head to the closing brace,
 *   those of functions inside it included. One that is a single `return` of a literal is a table, and not counted.
 *
 * - An export is unused where no other file that imports its module has its name, in `src/` or `__tests__/`. A type may also be
 *   exported for what is exported beside it.
 * - Homonyms are types that two modules export under one name.
 *
 * Ends with 1 where an arrow goes up, a circle or a loose file is there, a room is not in the map, an export is unused, a type has a
 * homonym, or a function is too long.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bars = { floors: 10, lines: 60, p95: 28 };

const files = filesIn('src').filter((file) => file.endsWith('.ts'));
const sources = new Map(
  files.map((file) => [
    file,
    ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true),
  ]),
);
const roomOf = (file) => file.split('/')[1];
const floors = floorsOf(readFileSync(join(root, 'src/README.md'), 'utf8'));
const imports = new Map(files.map((file) => [file, importsOf(file)]));
const problems = [];

const rooms = [...new Set(files.map(roomOf))].sort();
const loose = files.filter((file) => file.split('/').length === 2);
for (const file of loose) problems.push(`${file}: lies in no room`);
for (const room of rooms)
  if (!floors.has(room) && !room.endsWith('.ts')) problems.push(`src/${room}: is not in the map`);
for (const room of floors.keys()) if (!rooms.includes(room)) problems.push(`src/README.md: there is no room "${room}"`);

const arrows = new Map(rooms.map((room) => [room, new Set()]));
let up = 0;
for (const [file, targets] of imports)
  for (const target of targets) {
    const [from, to] = [roomOf(file), roomOf(target)];
    if (from === to) continue;
    arrows.get(from).add(to);
    if (floors.get(to) < floors.get(from)) continue;
    up++;
    problems.push(`${file}: imports ${target}, which is not below it`);
  }
const circles = [...circlesOf(arrows), ...circlesOf(imports)];
for (const circle of circles) problems.push(`a circle: ${circle.join(' → ')}`);
const chain = circles.length > 0 ? Number.NaN : chainOf(arrows);
if (chain > bars.floors) problems.push(`${chain} floors, ${bars.floors} at most`);

const functions = [...sources].flatMap(([file, source]) => functionsOf(file, source)).sort((a, b) => a.lines - b.lines);
const longest = functions.at(-1);
const p95 = functions[Math.ceil(0.95 * functions.length) - 1]?.lines;
for (const { name, place, lines } of functions)
  if (lines > bars.lines) problems.push(`${place}: ${name} has ${lines} lines, ${bars.lines} at most`);
if (p95 > bars.p95) problems.push(`p95 of the functions is ${p95} lines, ${bars.p95} at most`);

problems.push(...unusedExports());
problems.push(...homonyms());

const count = [...arrows.values()].reduce((sum, { size }) => sum + size, 0);
console.log(
  `${rooms.length} rooms on ${chain} floors, ${count} arrows, ${up} of them up, ${circles.length} circles, ${loose.length} loose files; ` +
    `${functions.length} functions, p95 ${p95} lines, the longest ${longest.lines} (${longest.name}, ${longest.place})`,
);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

/** From the table: `| 3 | \`yaml/\` | … |`. */
function floorsOf(map) {
  return new Map(
    [...map.matchAll(/^\|\s*(\d+)\s*\|\s*`([\w-]+)\/`/gm)].map(([, floor, room]) => [room, Number(floor)]),
  );
}

function importsOf(file) {
  const found = new Set();
  (function visit(node) {
    const word =
      ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
        ? node.arguments[0]
        : node.moduleSpecifier;
    if (word && ts.isStringLiteral(word) && word.text.startsWith('.')) {
      const target = moduleAt(file, word.text);
      if (sources.has(target)) found.add(target);
    }
    node.forEachChild(visit);
  })(sources.get(file));
  return found;
}

/** Strongly connected sets of more than one, after Tarjan. */
function circlesOf(graph) {
  const found = [];
  const state = new Map();
  const stack = [];
  const visit = (node) => {
    const own = { index: state.size, low: state.size, open: true };
    state.set(node, own);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      const other = state.get(next) ?? visit(next);
      if (other.open) own.low = Math.min(own.low, other.low);
    }
    if (own.low === own.index) {
      const set = stack.splice(stack.indexOf(node));
      for (const one of set) state.get(one).open = false;
      if (set.length > 1) found.push(set);
    }
    return own;
  };
  for (const node of graph.keys()) if (!state.has(node)) visit(node);
  return found;
}

/** The rooms of the longest chain of arrows. */
function chainOf(graph) {
  const known = new Map();
  const height = (room) => {
    if (!known.has(room)) known.set(room, 1 + Math.max(0, ...[...graph.get(room)].map(height)));
    return known.get(room);
  };
  return Math.max(...[...graph.keys()].map(height));
}

function functionsOf(file, source) {
  const found = [];
  (function visit(node) {
    if (ts.isFunctionLike(node) && node.body && ts.isBlock(node.body) && !isTable(node.body)) {
      const first = source.getLineAndCharacterOfPosition(node.getStart()).line;
      const lines = source.getLineAndCharacterOfPosition(node.end).line - first + 1;
      const name =
        node.name?.getText() ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name.getText() : 'a function');
      found.push({ name, place: `${file}:${first + 1}`, lines });
    }
    node.forEachChild(visit);
  })(source);
  return found;
}

function isTable({ statements: [only, ...others] }) {
  const returned = others.length === 0 && only && ts.isReturnStatement(only) ? only.expression : undefined;
  const value = returned && ts.isAsExpression(returned) ? returned.expression : returned;
  return value !== undefined && (ts.isObjectLiteralExpression(value) || ts.isArrayLiteralExpression(value));
}

function filesIn(folder) {
  const list = ['ls-files', '-co', '--exclude-standard', folder];
  return execFileSync('git', list, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })
    .split('\n')
    .filter((file) => /\.(?:ts|mjs)$/.test(file) && existsSync(join(root, file)));
}

function unusedExports() {
  // By module: all words of the files that import it.
  const words = new Map(files.map((file) => [file, new Set()]));
  for (const file of [...filesIn('src'), ...filesIn('__tests__')]) {
    const text = sources.get(file)?.text ?? readFileSync(join(root, file), 'utf8');
    for (const [, path] of text.matchAll(/(?:from|import\(|import|mockModule\()\s*'(\.[^'\n]+)'/g)) {
      const known = words.get(moduleAt(file, path));
      if (known) for (const word of text.match(/\w+/g)) known.add(word);
    }
  }
  // Rules are imported by their default; the entries of the bundles by nobody.
  return [...sources].flatMap(([file, source]) =>
    source.statements.flatMap((statement) => {
      const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
      const declared = statement.declarationList?.declarations ?? [statement];
      const names = isExported ? declared.map(({ name }) => name?.text).filter(Boolean) : [];
      return names
        .filter((name) => !words.get(file).has(name) && !(isType(statement) && isNamedTwice(name, source.text)))
        .map((name) => `${file}: nobody imports "${name}", which it exports`);
    }),
  );
}

/** Types that are exported by two modules under one name. */
function homonyms() {
  const homes = new Map();
  for (const [file, source] of sources)
    for (const statement of source.statements) {
      const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
      if (!isExported || !isType(statement)) continue;
      const name = statement.name.text;
      homes.set(name, [...(homes.get(name) ?? []), file]);
    }
  return [...homes].flatMap(([name, files]) =>
    files.length > 1 ? [`${files.join(' and ')} both export a type "${name}"`] : [],
  );
}

function isType(statement) {
  return ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement);
}

function isNamedTwice(name, text) {
  return text.split(new RegExp(`\\b${name}\\b`)).length > 2;
}

function moduleAt(file, path) {
  return posix.join(dirname(file), path).replace(/\.js$/, '.ts');
}
