/**
 * How good the tests are: plausible bugs are put into the product, one at a time, and those that no test sees are listed.
 *
 *     npm run test:mutants -- [--seed 1] [--count 400] [--only GROUP] [--resume | --again] [--jobs 2] [--seconds 60] [--cluster]
 *                              [--tests PATTERN]
 *
 * The mutants are chosen by a seed, from every folder of `src`. A copy of the checkout holds all of them, switched off. All tests run
 * once to learn which mutants each comes by; then each mutant runs against those tests until one fails: first those that bear the name
 * of its file, then those that caught others of it, then the quickest; for about --seconds of tests, of a suite that takes long a
 * sample. Results go to a file as they come, so that a run that was ended goes on with --resume. With --again those that survived
 * are judged once more, by the tests as they are now, and by another sample. With --tests only suites whose names fit a regular
 * expression are asked, as --only masking --tests '^secrets/': what a room's own tests do not see.
 *
 * `npm run test:mutants:known` runs those that somebody thought of (known.mjs).
 */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { randomOf } from '../../../__tests__/support/random.mjs';
import { bundle, copyCheckout, copyTests, jest, needsCluster, root } from './checkout.mjs';
import { mutationsOf } from './operators.mjs';
import { switchFile, switchSource, withMutants } from './schemata.mjs';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '400' },
    only: { type: 'string' },
    resume: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
    jobs: { type: 'string', default: String(Math.min(cpus().length, 4)) },
    seconds: { type: 'string', default: '60' },
    cluster: { type: 'boolean', default: false },
    tests: { type: 'string', default: '' },
  },
});
const [seed, count, jobs] = [Number(values.seed), Number(values.count), Number(values.jobs)];
// Where others can read it: some tests drop the rights of root.
const home = join(tmpdir(), 'customizer-lint-mutants', `${seed}-${count}${values.only ? `-${values.only}` : ''}`);
const copy = join(home, 'checkout');
const results = join(home, 'results.jsonl');
const seenFile = join(home, 'seen.json');
const chosen = join(home, 'mutants.json');

/** Of all mutants; a run that catches fewer ends with 1. */
const least = 0.85;

/** What the tests must hold best counts by itself; all else by its folder. */
const groups = [
  [
    'trust',
    /^action\/(main|action|token|event|inputs)\.ts$|^lint\/(load|listed)\.ts$|^config\/policy\.ts$|^cluster\/own-sources\.ts$/,
  ],
  ['review', /^review\/|^github\/client\.ts$|^action\/publish\.ts$/],
  ['masking', /^secrets\//],
  ['tree', /^tree\/(tree|names|repository|overlay)\.ts$|^core\/unreadable\.ts$|^github\/archive\.ts$/],
  ['git', /^tree\/git(-environment)?\.ts$|^action\/(fetch|checkout)\.ts$/],
  [
    'funnel',
    /^lint\/(findings|fingerprint|identity|lint-revision|changed-files|exit-status|stages|run-rules|run)\.ts$/,
  ],
];
const important = new Set(groups.map(([name]) => name));

/** No program: types, data, and what is made from data; and what runs in the thread of an engine, where nothing can be switched. */
const passedOver =
  /^core\/model\.ts$|^engine\/host\/(protocol|apply-protocol|worker|sandbox)\.ts$|^rules\/index\.ts$|^build\/|^generate\/|\.build\//;

function groupOf(file) {
  const named = groups.find(([, pattern]) => pattern.test(file))?.[0];
  return named ?? (file.includes('/') ? file.slice(0, file.indexOf('/')) : 'top');
}

/** Chosen by the seed: of each group as many as it is large, by half; twice as many of those that count most. */
function choose() {
  const random = randomOf(seed);
  const files = readdirSync(join(root, 'src'), { recursive: true })
    .filter((file) => file.endsWith('.ts') && !passedOver.test(file))
    .sort();
  const found = files.flatMap((file) => {
    const path = `src/${file}`;
    const parsed = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.ES2023, true);
    return mutationsOf(parsed).map((mutation) => ({ ...mutation, path, file: parsed, group: groupOf(file) }));
  });
  const byGroup = groupBy(found, ({ group }) => group);
  for (const group of important)
    if (!byGroup.has(group)) throw new Error(`No file is in ${group}: the groups name files that are not there`);
  const wanted = [...byGroup].filter(([group]) => values.only === undefined || values.only === group);
  const weight = ([group, all]) => Math.sqrt(all.length) * (important.has(group) ? 2 : 1);
  const sum = wanted.reduce((total, one) => total + weight(one), 0);
  return wanted
    .flatMap(([group, all]) =>
      oneOfEach(random, all, Math.ceil((count * weight([group, all])) / sum)).map((mutation) => ({
        ...mutation,
        group,
      })),
    )
    .map((mutation, id) => ({ ...mutation, id }));
}

/** No place twice, and no kind more often than others: there are many elements of tables, and few boundaries. */
function oneOfEach(random, all, wanted) {
  const byOperator = groupBy(random.shuffled(all), ({ operator }) => operator);
  const chosen = new Map();
  for (let left = true; left && chosen.size < wanted; ) {
    left = false;
    for (const rest of byOperator.values()) {
      const next = rest.pop();
      if (!next || chosen.size >= wanted) continue;
      left = true;
      const place = `${next.path}:${next.node.getStart(next.file)}`;
      if (!chosen.has(place)) chosen.set(place, next);
    }
  }
  return [...chosen.values()];
}

/** The checkout as it is, with every mutant in it, and dist/ built from that. */
function prepare(mutants) {
  copyCheckout(copy);
  writeFileSync(join(copy, switchFile), switchSource);
  for (const [path, own] of groupBy(mutants, (mutant) => mutant.path))
    writeFileSync(join(copy, path), withMutants(path, own[0].file, own));
  bundle(copy);
}

function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  return groups;
}

/** Work for several at a time. */
async function each(items, work) {
  const rest = [...items];
  await Promise.all(
    Array.from({ length: jobs }, async () => {
      for (let next = rest.shift(); next !== undefined; next = rest.shift()) await work(next);
    }),
  );
}

/** What looks at the source, which mutants make another, and does not run it. */
const ofSource = ['project/patterns.test.ts'];

function allSuites(folder) {
  return readdirSync(join(folder, '__tests__'), { recursive: true })
    .filter((file) => file.endsWith('.test.ts') && (values.cluster || !needsCluster(file)))
    .filter((file) => !ofSource.includes(file) && new RegExp(values.tests).test(file))
    .map((file) => `__tests__/${file}`);
}

/**
 * Which mutants each test comes by, and its seconds. What fails without any mutant says nothing, and is left out.
 *
 * @param {object} seen what is known of other suites; written to `seenFile` with these
 */
async function look(mutants, suites, seen) {
  let done = 0;
  await each(suites, async (suite) => {
    const file = join(home, 'seen', suite.replaceAll('/', '-'));
    rmSync(file, { force: true });
    rmSync(`${file}.log`, { recursive: true, force: true });
    mkdirSync(`${file}.log`, { recursive: true });
    // Some tests start processes of another user.
    chmodSync(`${file}.log`, 0o777);
    const start = Date.now();
    const { isLate } = await jest(copy, [suite], { env: { MUTANTS_SEEN: file }, seconds: 1800, bail: false });
    const found = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(JSON.parse) : [];
    const all = found.filter(({ index }) => index !== undefined);
    const tests = all.filter(({ ok }) => ok);
    const left = all.length - tests.length;
    const always = new Set(found.filter(({ index }) => index === undefined).flatMap(({ ids }) => ids));
    // What only the first test comes by may well be computed once for all of them.
    const later = new Set(tests.slice(1).flatMap(({ ids }) => ids));
    for (const id of tests[0]?.ids ?? []) if (tests.length > 1 && !later.has(id)) always.add(id);
    const ids = new Set([...always, ...tests.flatMap((test) => test.ids)]);
    const seconds = (Date.now() - start) / 1000;
    // What is done before the first test is done however few of them run.
    const overhead = seconds - all.reduce((sum, test) => sum + test.seconds, 0);
    done += 1;
    console.log(
      `${done}/${suites.length} ${suite}: ${seconds.toFixed(0)} s, ${ids.size} of ${mutants.length} mutants${left === 0 ? '' : `; left out: ${left} that fail`}${isLate ? '; left out: it does not end' : ''}`,
    );
    if (!isLate) seen[suite] = { tests, always: [...always], overhead };
  });
  writeFileSync(seenFile, JSON.stringify(seen));
  return seen;
}

/**
 * Of the tests of a suite that come by a mutant, some by chance where they take longer than `most` seconds together; first those with
 * its name.
 */
function testsOf([suite, { tests, always, overhead }], { id, place }, most, round) {
  const found = always.includes(id) ? tests : tests.filter(({ ids }) => ids.includes(id));
  const name = nameOf(place);
  const isOwn = isNamed(suite, name);
  const shuffled = randomOf(seed * 1000 + id + round * 1_000_003).shuffled(found);
  const [named, others] = [true, false].map((wanted) =>
    shuffled.filter(({ title }) => isNamed(title, name) === wanted),
  );
  const chosen = [];
  let seconds = overhead;
  for (const test of [...named, ...others]) {
    if (seconds - overhead + test.seconds > (isOwn ? 2 * most : most) && chosen.length > 0) continue;
    chosen.push(test.index);
    seconds += test.seconds;
  }
  return { suite, chosen, seconds, left: found.length - chosen.length, isNear: isOwn || named.length > 0 };
}

/** Of src/rules/dead-patch/rule.ts the name of the rule, of src/tree/git.ts "git". */
function nameOf(place) {
  return /^src\/rules\/([^/]+)\//.exec(place)?.[1] ?? /([^/]+)\.ts:\d+$/.exec(place)[1];
}

const isNamed = (text, name) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(text);

/** At first what takes a few seconds together, then twice as much, and so on; all of it at most `most`. */
function batches(suites, most) {
  const found = [];
  let [all, sum, room] = [0, 0, 0];
  for (const one of suites) {
    if (found.length > 0 && all + one.seconds > most) continue;
    if (sum + one.seconds > room) {
      found.push([]);
      sum = 0;
      room = room === 0 ? 7.5 : room * 2;
    }
    found.at(-1).push(one);
    sum += one.seconds;
    all += one.seconds;
  }
  return found;
}

/** Which suites caught mutants of a file. */
const caughtBy = new Map();

async function judge(mutant, seen, round) {
  const most = Number(values.seconds);
  const path = mutant.place.replace(/:\d+$/, '');
  const before = caughtBy.get(path) ?? new Set();
  const rank = ({ suite, isNear }) => (isNear ? 0 : before.has(suite) ? 1 : 2);
  const suites = Object.entries(seen)
    .map((suite) => testsOf(suite, mutant, most / 8, round))
    .filter(({ chosen }) => chosen.length > 0)
    .toSorted((a, b) => rank(a) - rank(b) || a.seconds - b.seconds);
  if (suites.length === 0) return { outcome: 'survived: no test comes by what is different' };
  const ran = batches(suites, most);
  for (const batch of ran) {
    const seconds = batch.reduce((sum, one) => sum + one.seconds, 0);
    const only = join(home, `only-${mutant.id}.json`);
    writeFileSync(only, JSON.stringify(Object.fromEntries(batch.map(({ suite, chosen }) => [suite, chosen]))));
    const { ok, isLate, by, suite } = await jest(
      copy,
      batch.map(({ suite }) => suite),
      { entry: join(home, `mutant-${mutant.id}`), env: { MUTANTS_ONLY: only }, seconds: 60 + 5 * seconds },
    );
    rmSync(only);
    if (!ok && suite) caughtBy.set(path, before.add(suite));
    if (!ok) return { outcome: isLate ? 'killed by the clock' : 'killed', by };
  }
  const count = (all) => all.reduce((sum, one) => sum + one.chosen.length, 0);
  const left = suites.reduce((sum, one) => sum + one.left, 0) + count(suites) - count(ran.flat());
  return { outcome: left === 0 ? 'survived' : `survived ${count(ran.flat())} of ${left + count(ran.flat())} tests` };
}

function describe({ path, file, node, replacement }) {
  const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
  const short = (text) => text.replace(/\s+/g, ' ').slice(0, 400);
  return {
    place: `${path}:${line + 1}`,
    line: short(file.text.split('\n')[line].trim()),
    was: short(node.getText(file)),
    is: short(replacement ?? '(left out)'),
  };
}

/** As it is kept. */
const toldOf = ({ id, group, place, line, operator, was, is }) => ({ id, group, place, line, operator, was, is });

/** Survivors that change nothing anybody could see, each with its reason; known by the text of their line, as lines move. */
function knownEquivalents() {
  const file = join(root, '__tests__', 'mutants', 'equivalent.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}

const isCaught = ({ outcome }) => outcome.startsWith('killed');

/** Gives the share of those that count that was caught. */
function report(judged) {
  const equivalents = knownEquivalents();
  const reasonOf = ({ place, line, was, is }) =>
    equivalents.find((one) => place.startsWith(`${one.file}:`) && one.line === line && one.was === was && one.is === is)
      ?.reason;
  const survivors = judged.filter((one) => !isCaught(one));
  for (const one of survivors) {
    const reason = reasonOf(one);
    console.log(
      `\n${one.id} ${one.place} [${one.group}] ${one.operator}: ${one.outcome}${reason ? `, equivalent: ${reason}` : ''}`,
    );
    console.log(`  - ${one.was}\n  + ${one.is}`);
  }
  console.log();
  const row = (name, all) => {
    const real = all.filter((one) => isCaught(one) || reasonOf(one) === undefined);
    const caught = real.filter(isCaught).length;
    const share = real.length === 0 ? '' : `${((100 * caught) / real.length).toFixed(0)} %`;
    console.log(
      `${name.padEnd(12)} ${String(caught).padStart(4)} of ${String(real.length).padStart(4)} ${share.padStart(6)}`,
    );
    return real.length === 0 ? 1 : caught / real.length;
  };
  for (const [group, all] of groupBy(judged, (one) => one.group)) row(group, all);
  return row('all', judged);
}

/** What the results say last of each. */
function resultsSoFar() {
  const lines = existsSync(results) ? readFileSync(results, 'utf8').trim().split('\n').filter(Boolean) : [];
  return new Map(lines.map((line) => JSON.parse(line)).map((one) => [one.id, one]));
}

/**
 * The tests as they are now, beside the mutants as they were. Gives the suites that are new or other, to be looked at: what fails on
 * the source as it was, without any mutant, says nothing. A helper that is other may change them all.
 */
function takeTests() {
  const isOther = (file) => {
    const [now, then] = [root, copy].map((folder) => join(folder, file));
    return !existsSync(then) || !readFileSync(now).equals(readFileSync(then));
  };
  const helpers = readdirSync(join(root, '__tests__'), { recursive: true })
    .filter((file) => /(?<!\.test)\.(ts|mjs)$/.test(file) && !file.includes('node_modules'))
    .map((file) => `__tests__/${file}`);
  const all = allSuites(root);
  const changed = helpers.some(isOther) ? all : all.filter(isOther);
  copyTests(copy);
  return changed;
}

mkdirSync(home, { recursive: true });
const isNew = !(values.resume || values.again) || !existsSync(seenFile);
// The source may have changed since: what is in the copy counts.
const mutants = isNew
  ? choose().map((one) => ({ ...one, ...describe(one) }))
  : JSON.parse(readFileSync(chosen, 'utf8'));
if (isNew) {
  writeFileSync(chosen, JSON.stringify(mutants.map(toldOf)));
  rmSync(results, { force: true });
  rmSync(join(home, 'seen'), { recursive: true, force: true });
  mkdirSync(join(home, 'seen'));
  console.log(`${mutants.length} mutants, seed ${seed}`);
  prepare(mutants);
  await look(mutants, allSuites(copy), {});
}
const seen = JSON.parse(readFileSync(seenFile, 'utf8'));
if (values.again) await look(mutants, takeTests(), seen);
const known = resultsSoFar();
const isLeft = ({ id }) => !known.has(id) || (values.again && !isCaught(known.get(id)));
const left = mutants.filter(isLeft);
let judged = 0;
await each(left, async (mutant) => {
  const round = values.again ? (known.get(mutant.id)?.round ?? 0) + 1 : 0;
  const one = { ...toldOf(mutant), ...(await judge(mutant, seen, round)), round };
  known.set(one.id, one);
  appendFileSync(results, `${JSON.stringify(one)}\n`);
  judged += 1;
  console.log(`${judged}/${left.length} ${one.outcome}: ${one.place} ${one.operator}`);
});
if (report([...known.values()]) < least) process.exitCode = 1;
