/**
 * Every rule in every world by brute force. A run that knows neither the release nor the variant of the platform, nor the Kubernetes,
 * says of each finding where it holds; the same repository is run with each release and each variant configured, and two of them on
 * each Kubernetes, which is a way of its own through the code, and every claim is held against that: over all fixtures and clean
 * repositories (without FULL=1 over a sample).
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { isMap, parse, parseDocument, stringify } from 'yaml';
import { possibleReleases } from '../../src/cozystack/contract.js';
import { fluxMinor, isKnownKubernetes, minors } from '../../src/cozystack/kubernetes.js';
import { lineName, lineOf } from '../../src/cozystack/releases.js';
import { root } from '../support/cli.js';
import { runHere } from '../support/here.js';
import { schemas } from '../support/releases.js';
import { sampleOf } from '../support/sample.js';

type World = { release: string; variant: string; kubernetes: string };
type Assumed = { name: string; only?: string[]; except?: string[] };
type Found = { rule: string; severity: string; fingerprint: string; message: string; assumes: Assumed[] };
type Report = { findings: Found[]; facts: { name: string; value: unknown; source: string; because?: string }[] };
type Case = { title: string; directory: string; base?: string };

const platforms = possibleReleases(schemas).flatMap(({ release, variants }) =>
  variants.map((variant) => ({ release, variant })),
);
const worlds: World[] = [
  ...platforms.map((one) => ({ ...one, kubernetes: fluxMinor })),
  ...minors(schemas)
    .filter((minor) => minor !== fluxMinor)
    .flatMap((kubernetes) =>
      platforms
        .filter(({ release, variant }) => variant === 'isp-full' && release !== 'next')
        .map((one) => ({ ...one, kubernetes })),
    ),
];

/** Rules that say otherwise where the variant is configured, not only possible, each with the reason. */
const certainty: { [rule: string]: string } = {
  'chart-owned-field':
    'the contract forbids it whatever the cluster is; only a cluster that is known not to make the Package frees it',
  'expired-ignore': 'in its fixtures it is that rule that is ignored',
};

const tests = join(root, '__tests__');
const foldersIn = (folder: string) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && !entry.name.endsWith('.base') ? [join(folder, entry.name)] : [],
  );

/** What a server or a simulation says has tests of its own, and of two configuration files none may be named: one is the test's own. */
const asksMore = (directory: string) =>
  ['answers.json', 'live.yaml'].some((end) => existsSync(`${directory}.${end}`)) ||
  existsSync(join(directory, '.customizer-lint.yml')) ||
  ['.customizer-lint.yaml', 'customizer-lint.yaml'].every((name) => existsSync(join(directory, name)));

const cases: Case[] = [
  ...foldersIn(join(tests, 'rules')).flatMap(foldersIn),
  ...foldersIn(join(tests, 'clean')),
  ...foldersIn(join(tests, 'examples')),
]
  .filter((directory) => !asksMore(directory))
  .map((directory) => ({
    title: directory.slice(tests.length + 1),
    directory,
    ...(existsSync(`${directory}.base`) && { base: `${directory}.base` }),
  }));

const { rows, description, passed } = sampleOf(cases, {
  ...{ name: 'worlds', seed: 21, size: 15 },
  key: ({ title }) => title,
});

const counts = { cases: 0, findings: 0, errors: 0, 'in some worlds': 0, runs: 0 };
afterAll(() => {
  process.stderr.write(`worlds: ${JSON.stringify(counts)}\n`);
});

async function check({ directory, base }: Case, world?: World): Promise<Report> {
  const copy = mkdtempSync(join(tmpdir(), 'world-'));
  try {
    cpSync(directory, copy, { recursive: true });
    const name = existsSync(join(copy, '.customizer-lint.yaml')) ? '.customizer-lint.yaml' : 'facts';
    if (world) writeFileSync(join(copy, name), configWith(world, directory));
    const configured = world ? ['--config', name] : [];
    const compared = base ? ['--base', base] : [];
    const { stdout, stderr } = await runHere(['check', copy, ...configured, ...compared, '--format', 'json']);
    if (stdout === '') throw new Error(stderr);
    counts.runs += 1;
    return JSON.parse(stdout);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** All else stays as it is written: a finding is known by its line. */
function configWith(world: World, directory: string): string {
  const { cluster } = configOf(directory);
  const file = join(directory, '.customizer-lint.yaml');
  const document = parseDocument(existsSync(file) ? readFileSync(file, 'utf8') : '');
  const own = document.errors.length === 0 && (document.contents === null || isMap(document.contents));
  if (!own) return stringify({ cluster: { ...world, ...cluster } });
  document.set('cluster', { ...world, ...cluster });
  return String(document);
}

function configOf(directory: string): { cluster?: Partial<World> } {
  const file = join(directory, '.customizer-lint.yaml');
  try {
    return (existsSync(file) && parse(readFileSync(file, 'utf8'))) || {};
  } catch {
    return {};
  }
}

const keyOf = ({ rule, fingerprint }: Found) => `${rule} ${fingerprint}`;
const nameOf = ({ release, variant }: World) => `${lineName(release)} with ${variant}`;
/** All that a claim may call it by. */
const namesOf = (world: World) => [
  lineName(world.release),
  world.variant,
  world.kubernetes,
  nameOf(world),
  `${nameOf(world)} on Kubernetes ${world.kubernetes}`,
];
const order = ['notice', 'warning', 'error'];

const isSame = (one: World, other: World) => namesOf(one).join() === namesOf(other).join();

/** What is assumed: the newest release that is out, with all that there is. */
function likeliestOf(possible: readonly World[]): World {
  const newest = (possible.findLast(({ release }) => lineOf(release) !== undefined) ?? possible.at(-1)) as World;
  const { release } = newest;
  return possible.find((one) => isSame(one, { release, variant: 'isp-full', kubernetes: fluxMinor })) ?? newest;
}

/** Whether the finding says of itself that it holds there. */
function isClaimed({ assumes }: Found, world: World): boolean {
  const values = namesOf(world);
  return assumes.every(({ only, except }) => {
    const has = (list: string[]) => values.some((value) => list.includes(value));
    return only ? has(only) : except ? !has(except) : true;
  });
}

function differences(likeliest: Report, elsewhere: readonly { world: World; report: Report }[]): string[] {
  const wrong: string[] = [];
  const claims = likeliest.findings.filter(({ rule }) => !(rule in certainty));
  for (const one of claims) {
    const held = elsewhere.map(({ world, report }) => {
      const same = report.findings.filter((other) => keyOf(other) === keyOf(one));
      const severity = Math.max(-1, ...same.map((other) => order.indexOf(other.severity)));
      return { world, severity };
    });
    counts.findings += 1;
    const complain = (what: string) => wrong.push(`${one.rule}: ${one.message}: ${what}`);
    const rests = one.assumes.filter(({ only, except }) => only || except);
    // What rests on the world is a warning here; what it would be where the likeliest is known is what others are held against.
    const atHome = held.find(({ world }) => isSame(world, likeliestOf(elsewhere.map((other) => other.world))));
    const wanted = rests.length > 0 ? (atHome?.severity ?? -1) : order.indexOf(one.severity);
    const least = Math.min(...held.map(({ severity }) => severity));
    if (wanted < 0) complain('not there with the likeliest');
    if (rests.length > 0) counts['in some worlds'] += 1;
    if (one.severity === 'error') counts.errors += 1;
    if (one.severity === 'error' && least < wanted) complain('an error, and none with some');
    if (rests.length === 0 && least > wanted) complain('weakened, and worse in all');
    if (rests.length === 0 && least < 0) complain('of all, and not there in some');
    if (rests.length > 0 && least === order.length - 1) complain('of some, and an error in all');
    for (const { world, severity } of rests.length > 0 ? held : [])
      if (severity >= wanted && !isClaimed(one, world)) complain(`there with ${nameOf(world)}, and does not say so`);
    const isIdle = (values: string[], isThere: boolean) =>
      values.filter(
        (value) =>
          !held.some(({ world, severity }) => namesOf(world).includes(value) && severity >= wanted === isThere),
      );
    for (const { only = [], except = [] } of rests)
      for (const value of [...isIdle(only, true), ...isIdle(except, false)]) complain(`names ${value} for nothing`);
  }
  // What all find is told without anybody knowing the cluster.
  const known = new Set(likeliest.findings.map(keyOf));
  const [first, ...others] = elsewhere.map(({ report }) =>
    report.findings.filter(({ severity }) => severity === 'error'),
  );
  for (const one of first ?? [])
    if (!known.has(keyOf(one)) && others.every((list) => list.some((other) => keyOf(other) === keyOf(one))))
      wrong.push(`${one.rule}: ${one.message}: an error in all, and not told`);
  return wrong;
}

test.concurrent.each(rows.map((row) => [row.title, row] as const))(
  `%s, of ${description}`,
  async (_, row) => {
    const likeliest = await check(row);
    const evidence = likeliest.facts.find(({ name, because }) => name === 'release' && because);
    const given = configOf(row.directory).cluster ?? {};
    const possible = worlds.filter(
      ({ release, variant, kubernetes }) =>
        // What is configured counts, and asking the same twice tells nothing.
        (given.release === undefined || release === (worlds[0] as World).release) &&
        (given.variant === undefined || variant === 'isp-full') &&
        // One that there is no data for is asked with each that there is, which no configuration can say.
        (given.kubernetes === undefined ||
          (isKnownKubernetes(schemas, given.kubernetes) && kubernetes === fluxMinor)) &&
        !evidence,
    );
    const elsewhere: { world: World; report: Report }[] = [];
    for (const world of possible) elsewhere.push({ world: { ...world, ...given }, report: await check(row, world) });
    counts.cases += 1;
    expect(elsewhere.length > 0 ? differences(likeliest, elsewhere) : []).toEqual([]);
    passed(row);
  },
  300_000,
);

test('there are several releases and variants to tell apart', () => {
  expect(new Set(worlds.map(({ release }) => release)).size).toBeGreaterThan(2);
  expect(worlds.some(({ release }) => lineOf(release) === undefined)).toBe(true);
  expect(new Set(worlds.map(({ variant }) => variant)).size).toBeGreaterThan(2);
  expect(new Set(worlds.map(({ kubernetes }) => kubernetes)).size).toBeGreaterThan(2);
});
