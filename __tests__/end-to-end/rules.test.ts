/**
 * Every rule against its fixtures: `rules/<id>/<case>/` is a tiny repository and `<case>.txt` the report a person reads.
 * `<case>.base/` is the repository before the change, where the case needs one. Every case runs with the facts of the cluster
 * assumed (`<case>.answers.json` is what a server says that is asked besides, `<case>.live.yaml` what is in the cluster where
 * Flux is simulated on it); where that gives errors it runs again with other facts known, as a guess is never an error (without
 * FULL=1 a sample does).
 * What asks no server runs in this process, from the source; the failing case of each rule runs as a user runs it besides.
 * RULE=ID runs one rule, UPDATE=1 writes the reports anew: `npm run test:rules -- ID --update` shows the difference.
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { possibleReleases } from '../../src/cozystack/contract.js';
import { rules } from '../../src/rules/index.js';
import { startFake } from '../support/apiserver.js';
import { root, runCli } from '../support/cli.js';
import { inFormats } from '../support/formats.js';
import { runHere } from '../support/here.js';
import { all, schemas } from '../support/releases.js';
import { isChosen, isFull } from '../support/sample.js';

const folder = join(root, '__tests__', 'rules');
const ids = readdirSync(folder);
const wanted = ids.filter((id) => [undefined, id].includes(process.env.RULE));
const isFolder = (path: string) => statSync(path).isDirectory();

type Found = { rule: string; severity: string; fingerprint: string; message: string };
type Report = { findings: Found[] };

/** Rules whose errors may rest on an assumed fact, each with the reason. */
const guessing: Record<string, string> = {
  // The documentation gives the field to the platform on all of its Packages; only where the chart is known not to make one
  // is it free.
  'chart-owned-field': 'the contract forbids it whatever the cluster is',
};

/** What the failing case of a rule shows besides, each with the reason. */
const companions: Record<string, string[]> = {
  // The patch is right, and the Package that it is for is misspelt.
  'dead-patch': ['unknown-package'],
  // What was ignored until that day is back.
  'expired-ignore': ['chart-owned-field'],
  // The annotation is on the Flux Kustomization, where it does nothing for the Package.
  'kubectl-takeover': ['misplaced-flux-annotation'],
  // One of them applies a directory of another cluster's that is not there.
  'privileged-release': ['missing-path'],
  // Other findings about the same change.
  'deleted-object': ['missing-entrypoint', 'sensitive-change', 'shared-object'],
  'sensitive-change': [
    ...['uninstalled-component', 'release-collision', 'invalid-package-source', 'platform-object-edited'],
    ...['forbidden-object', 'suspended-object', 'forced-recreate', 'platform-value', 'unowned-namespace'],
  ],
  // What is not so.
  'accepted-by-server': ['forbidden-object'],
  // What the server and a rule both say, the rule says.
  'refused-by-server': ['forbidden-object', 'schema-violation', 'forced-recreate', 'sensitive-change'],
  // What these are about is in a Secret, and whether it can be read is another matter.
  'encrypted-without-decryption': ['plain-secret'],
  // Kinds of an operator that is there only with some settings of the platform; a namespace that the change itself gives up.
  'forbidden-object': ['plain-secret', 'kind-not-installed', 'unowned-namespace', 'sensitive-change'],
  // A directory that cannot be built, as before, and whose files change.
  'remote-base': ['unverifiable-change'],
  // The account may not bring the definition along.
  'kind-not-installed': ['forbidden-object'],
  // A definition that is held back defines nothing; a kind of the newest Kubernetes is none that the account may write.
  'unknown-kind': ['suspended-object', 'forbidden-object', 'held-definition'],
  // A kind that no Package installs makes objects that cannot be seen.
  'unverifiable-change': [
    'sensitive-change',
    ...['kind-not-installed', 'unbuildable-kustomization', 'encrypted-without-decryption', 'suspended-object'],
  ],
  'realm-import-not-rerun': ['plain-secret'],
  // What an entry with a typing error is, that rule says.
  'replaced-list': ['platform-value'],
  // A path that another repository has, as its URL is another one.
  'missing-path': ['customizer-source-changed'],
  // The operator’s kind is in none of the definitions that the snapshot has.
  'other-keycloak-operator': ['kind-not-installed'],
  // What is suspended fetches and upgrades nothing.
  'mismatched-repository-type': ['suspended-object'],
  'release-collision': ['suspended-object'],
  // A Package that somebody makes by hand.
  'unknown-package': ['package-not-created-here'],
};

/** Clusters that have little in common with each other and with what is assumed; with FULL all that an assumption leaves open. */
const otherClusters = isFull()
  ? possibleReleases(schemas).flatMap(({ release, variants }) => variants.map((variant) => ({ release, variant })))
  : [
      { release: all[0], variant: 'isp-hosted', optionalPackages: [] },
      {
        release: all.at(-1),
        variant: 'isp-full-generic',
        optionalPackages: ['cozystack.velero', 'cozystack.gpu-operator'],
      },
    ];

/** Of the failing cases three times as many as of the others, and where a single rule is tried all of them. */
function isTriedElsewhere(id: string, name: string): boolean {
  return process.env.RULE !== undefined || isChosen(`${id}/${name}`, name === 'bad' ? 12 : 36);
}

/** The failing case, by the command as it is installed, where that is built of what is tested. */
function isTriedAsProcess(id: string, name: string): boolean {
  return name === 'bad' && !process.env.STALE && (process.env.RULE !== undefined || isChosen(id, 12));
}

/** What the messages of a rule were made into so far, by `rule.name`; a rule that takes one from its table is seen. */
const made = new Map<string, Set<string>>();
for (const { id, messages = {} } of rules) {
  for (const [name, message] of Object.entries(messages)) {
    const texts = new Set<string>();
    made.set(`${id}.${name}`, texts);
    const seen = (text: string) => texts.add(text) && text;
    Object.defineProperty(
      messages,
      name,
      typeof message === 'string'
        ? { get: () => seen(message) }
        : { value: (...values: never[]) => seen(message(...values)) },
    );
  }
}

test.each(rules.map((rule) => [rule.id, rule] as const))(
  '%s has its words, or says who has',
  (id, { messages, wordsIn }) => {
    expect(messages !== undefined || wordsIn !== undefined).toBe(true);
    const texts = (wordsIn ?? []).map((path) => readFileSync(join(root, path), 'utf8'));
    if (wordsIn) expect(texts.some((text) => text.includes(`'${id}'`))).toBe(true);
  },
);

test('every rule has fixtures, and every fixture a rule', () => {
  expect(ids.sort()).toEqual(rules.map(({ id }) => id).sort());
  const reports = ids.flatMap((id) =>
    readdirSync(join(folder, id))
      .filter((name) => name.endsWith('.txt'))
      .map((name) => `${id}/${name}`),
  );
  expect(reports.filter((name) => !existsSync(join(folder, name.replace(/\.txt$/, ''))))).toEqual([]);
});

/** Rules that need the charts of the release, and a small imitation of them. */
const charted = rules.flatMap(({ id, stages }) => ((stages ?? []).some((one) => one === 'charts') ? [id] : []));
const charts = join(root, '__tests__/charts/packages');

/** The reports as JSON and as text. `repository` is absolute, or relative to the root of this project. */
async function check(
  repository: string,
  base: string | undefined,
  more: string[] = [],
  answers?: string,
  {
    original = repository,
    // What asks a server is loaded when it is needed, and jest lets no test load anything once one beside it has ended.
    run = answers === undefined ? runHere : runCli,
  }: { original?: string; run?: typeof runHere | typeof runCli } = {},
) {
  const server = answers === undefined ? undefined : await startFake(JSON.parse(readFileSync(answers, 'utf8')));
  const asking = server ? ['--dry-run', server.kubeconfig] : [];
  const live = join(root, `${original}.live.yaml`);
  const simulating = existsSync(live) ? ['--simulate', '--live', live] : [];
  // A case of that name is judged as a fork's pull request.
  const isOfFork = /[\\/]fork[^\\/]*$/.test(original);
  const compared = base ? ['--base', base, ...(isOfFork ? ['--fork'] : [])] : [];
  const charting = charted.some((id) => original.split(/[\\/]/).includes(id)) ? ['--charts', charts] : [];
  const args = ['check', repository, '--verbose', ...compared, ...more, ...simulating, ...charting, ...asking];
  const { stdout, stderr } = await inFormats(async (words) => run(words), ['json', 'text'], args).finally(
    server?.close,
  );
  expect(stderr.replace(/^(?:rendering|starting|asking|simulating)[ ,].*\n/gm, '')).toBe('');
  // A base is a folder of this checkout, wherever that lies; and which rules need one is not each fixture's to know. Only where the
  // stage is listed: what stands in a finding is measured (project/words).
  const words = stdout
    .replaceAll(root, '')
    // Paths begin at the current directory, and in JSON at the root of the repository.
    .replaceAll(`${repository}/`, '')
    .replace(/^( +(?:not run +)?base: no base was given), so these rules did not judge: [\w, -]+$/m, '$1')
    // Nor that no server is asked.
    .replace(/^ +(?:not run +)?dry-run: no cluster was given\n/m, '');
  const end = words.indexOf('\n}\n') + 3;
  // A process takes the program where `npm test` has installed it.
  const text = words.slice(end).replace(/^ +with the native engine \(--engine\)\n/m, '');
  return { report: JSON.parse(words.slice(0, end)) as Report, text };
}

/** The errors of a case in a cluster of which all is known. */
async function errorsIn(
  repository: string,
  base: string | undefined,
  cluster: object,
  answers?: string,
): Promise<string[]> {
  const copy = mkdtempSync(join(tmpdir(), 'facts-'));
  try {
    cpSync(join(root, repository), copy, { recursive: true });
    // A YAML file more would be a manifest to Flux where the root has no kustomization.
    const name = existsSync(join(copy, '.customizer-lint.yaml')) ? '.customizer-lint.yaml' : 'facts';
    const file = join(copy, name);
    const config = existsSync(file) ? (parse(readFileSync(file, 'utf8')) ?? {}) : {};
    writeFileSync(file, stringify({ ...config, cluster: { ...cluster, ...config.cluster } }));
    return errors((await check(copy, base, ['--config', name], answers, { original: repository })).report);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

const errors = ({ findings }: Report) =>
  findings.filter(({ severity }) => severity === 'error').map(({ rule, fingerprint }) => `${rule} ${fingerprint}`);

test('the rule that is asked for is there', () => {
  expect(wanted).not.toEqual([]);
});

describe.each(wanted)('%s', (id) => {
  const cases = readdirSync(join(folder, id)).filter(
    (name) => isFolder(join(folder, id, name)) && !name.endsWith('.base'),
  );
  const said: string[] = [];

  test('has a failing and a clean case', () => {
    expect(cases).toEqual(expect.arrayContaining(['bad', 'good']));
  });

  test.concurrent.each(cases)('%s', async (name) => {
    const repository = join('__tests__', 'rules', id, name);
    const base = existsSync(join(root, `${repository}.base`)) ? `${repository}.base` : undefined;
    const recorded = join(root, `${repository}.answers.json`);
    const answers = existsSync(recorded) ? recorded : undefined;
    const { report, text } = await check(repository, base, [], answers);
    said.push(...report.findings.map(({ message }) => message));
    const expected = join(root, `${repository}.txt`);
    if (process.env.UPDATE) writeFileSync(expected, text);
    if (!existsSync(expected))
      throw new Error(`there is no ${repository}.txt: npm run test:rules -- ${id} --update writes it`);
    expect(text).toBe(readFileSync(expected, 'utf8'));
    if (answers === undefined && isTriedAsProcess(id, name))
      expect((await check(repository, base, [], answers, { run: runCli })).text).toBe(text);
    const raised = [...new Set(report.findings.map(({ rule }) => rule))];
    // A release with the rights of Flux is worth a notice wherever it stands.
    const others = [...(companions[id] ?? []), 'privileged-release'];
    const own = raised.filter((rule) => rule === id || !others.includes(rule));
    expect(own).toEqual(name === 'good' ? [] : name === 'bad' ? [id] : own.filter((rule) => rule === id));

    const certain = errors(report).filter((error) => !guessing[error.split(' ')[0] ?? '']);
    const clusters = certain.length > 0 && id !== 'invalid-config' && isTriedElsewhere(id, name) ? otherClusters : [];
    for (const cluster of clusters)
      expect(await errorsIn(repository, base, cluster, answers)).toEqual(expect.arrayContaining(certain));
  });

  test('each of its messages is in a report', () => {
    const own = [...made].filter(([name]) => name.startsWith(`${id}.`));
    const isSaid = (text: string) => said.some((message) => message.includes(text));
    expect(own.filter(([, texts]) => ![...texts].some(isSaid)).map(([name]) => name)).toEqual([]);
  });
});
