/** What every format says besides the findings: the verdict, what was rendered, and what was not judged. */

import { shorten } from '../core/escape.js';
import type {
  DryRun,
  EffectKind,
  Effects,
  Fact,
  FactName,
  Finding,
  Json,
  ObjectRef,
  Run,
  StageOutcome,
} from '../core/model.js';
import { inWords } from '../core/text.js';

/** `title` is ours; `items` hold names from the repository, and each format escapes them for itself. */
export type Section = { title: string; items: string[] };

export type Counts = {
  errors: number;
  warnings: number;
  notices: number;
  new?: number;
};

export function countsOf(findings: Finding[]): Counts {
  const of = (severity: string) => findings.filter((finding) => finding.severity === severity).length;
  const counts = { errors: of('error'), warnings: of('warning'), notices: of('notice') };
  if (findings.every(({ isNew }) => isNew === undefined)) return counts;
  return { ...counts, new: findings.filter(({ isNew }) => isNew).length };
}

/** `2 errors, 1 warning (1 new)`, or, without findings, what was looked at. Never only "ok". */
export function headline(run: Run): string {
  const rendered = run.entrypoints.filter((entrypoint) => entrypoint.rendered);
  if (run.findings.length > 0) return countWords(run.findings) + withoutBase(run);
  if (run.untouched)
    return `Nothing that Flux applies is touched: ${plural(run.untouched.files, 'file')} changed since ${run.untouched.base}`;
  if (run.published) return 'No problems found by the run that is published';
  if (rendered.length === 0) return 'Nothing was checked: no entrypoint was rendered';
  const scope = `${plural(objectsOf(run), 'object')} from ${plural(rendered.length, 'entrypoint')}`;
  const partly = rendered.length < run.entrypoints.length || run.notChecked.length > 0 || missedStages(run).length > 0;
  return `No problems found in ${scope}${partly ? '; not everything could be checked' : ''}`;
}

/** The base was asked for, and could not be had. */
function withoutBase({ stages }: Run): string {
  const base = stages.find(({ name }) => name === 'base');
  return base && !base.ran && !base.optional ? '; the base could not be read, so old and new cannot be told apart' : '';
}

function countWords(findings: Finding[]): string {
  const counts = countsOf(findings);
  const words = [
    [counts.errors, 'error'],
    [counts.warnings, 'warning'],
    [counts.notices, 'notice'],
  ] as const;
  const text = words.flatMap(([count, word]) => (count > 0 ? [plural(count, word)] : [])).join(', ');
  return counts.new === undefined ? text : `${text} (${counts.new === 0 ? 'none' : counts.new} new)`;
}

/** The closing words, in the order of the work; sections with nothing to say are left out. */
export function sections(run: Run, { onWeb = false } = {}): Section[] {
  const assumed = assumedOnce(run.facts).map(factWords);
  const missing = notRun(run).filter(({ optional }) => !onWeb || !optional);
  const stages = missing.map((stage) => `${stage.name}: ${whyNotRun(stage)}`);
  const notChecked = run.notChecked.map(({ what, why, count }) => counted(count, `${what}: ${why}`));
  return [
    { title: 'Rendered', items: [...entrypointWords(run, true, onWeb), ...engineWords(run)] },
    { title: 'Not rendered', items: entrypointWords(run, false, onWeb) },
    { title: 'Compared', items: run.stages.flatMap((stage) => (stage.ran && stage.against ? [stage.against] : [])) },
    { title: 'Policy', items: run.policy },
    { title: 'Assumed', items: atMost(40, assumed, 'more') },
    { title: 'Dry run', items: (run.dryRun ?? []).flatMap(dryRunWords) },
    { title: 'Not checked', items: atMost(20, notChecked, 'more') },
    { title: 'Not run', items: stages },
    { title: 'Ignored', items: atMost(10, ignoredWords(run, false), 'more') },
    { title: 'Newly ignored', items: atMost(10, ignoredWords(run, true), 'more') },
  ].filter(({ items }) => items.length > 0);
}

/** The module is what is meant where nothing is said. */
function engineWords({ tool }: Run): string[] {
  return tool.engine === 'native' ? ['with the native engine (--engine)'] : [];
}

/** `57 objects rendered, 2 things assumed, 1 thing not checked, 3 findings ignored`: what the closing words are about. */
export function sectionsInWords(run: Run): string {
  const missing = unbuilt(run).length + missedStages(run).length + run.notChecked.length;
  const rendered = run.entrypoints.length > 0 ? [`${plural(objectsOf(run), 'object')} rendered`] : [];
  const of = (count: number, noun: string, what: string) => (count > 0 ? [`${plural(count, noun)} ${what}`] : []);
  return [
    ...rendered,
    ...of(assumedOnce(run.facts).length, 'thing', 'assumed'),
    ...of(missing, 'thing', 'not checked'),
    ...of(run.ignored.length, 'finding', 'ignored'),
  ].join(', ');
}

/** The same in four lines at most: what was rendered, what was assumed and what came of that, what was not checked, and that of charts. */
export function brief(run: Run): Section[] {
  const whole = run.published || run.untouched ? [] : [lookedAt(run)];
  return [
    { title: 'Rendered', items: whole },
    { title: 'Assumed', items: assumedBriefly(run) },
    { title: 'Not checked', items: uncheckedBriefly(run) },
    { title: 'Not run', items: withoutCharts(run) },
  ].filter(({ items }) => items.length > 0);
}

/** `3 objects from clusters/prod, compared with origin/main; 2 findings ignored` */
function lookedAt(run: Run): string {
  const paths = run.entrypoints.flatMap(({ path, rendered }) => (rendered ? [pathWords(path)] : []));
  const from = paths.length > 0 ? ` from ${atMost(4, paths, 'more').join(', ')}` : '';
  const against = run.stages.flatMap((stage) => (stage.ran && stage.against ? [`compared with ${stage.against}`] : []));
  const ignored = run.ignored.length > 0 ? [`${plural(run.ignored.length, 'finding')} ignored`] : [];
  const asked = (run.dryRun ?? []).flatMap((one) => dryRunWords(one).slice(0, 1)).map((words) => `dry run on ${words}`);
  return [`${plural(objectsOf(run), 'object')}${from}`, ...against, ...run.policy, ...asked, ...ignored].join('; ');
}

/** `Cozystack release v1.6, platform variant isp-full; 2 findings are warnings at most because of it` */
function assumedBriefly({ facts, findings }: Run): string[] {
  // What the repository itself shows is not assumed, unless it leaves a choice.
  const assumed = assumedOnce(facts).filter(({ because, possible }) => because === undefined || possible);
  if (assumed.length === 0) return [];
  const words = assumed.map((fact) => `${factNouns[fact.name]} ${whichWords(fact)}${dataWords(fact)}`);
  const weakened = findings.filter(({ assumes }) => assumes.length > 0).length;
  const effect =
    weakened === 0
      ? 'no finding depends on it'
      : `${plural(weakened, 'finding')} ${weakened === 1 ? 'is a warning' : 'are warnings'} at most because of it`;
  return [`${atMost(4, [...new Set(words)], 'more').join(', ')}; ${effect}`];
}

/** The first of what is missing, and how much more there is. */
function uncheckedBriefly(run: Run): string[] {
  const all = [
    ...unbuilt(run),
    ...missedStages(run),
    ...run.notChecked.map(({ what, why, count }) => counted(count, `${what}: ${why}`)),
  ];
  if (all.length === 0) return [];
  return [`${all[0]}${all.length > 1 ? `; and ${all.length - 1} more (--verbose lists them)` : ''}`];
}

/** What nobody asked for and most do not know of: a value that every schema accepts may still break its chart. */
export function withoutCharts(run: Run): string[] {
  return notRun(run).flatMap(({ name, why, optional }) => (optional && name === 'charts' ? [`${name}: ${why}`] : []));
}

/** What is behind a directory that cannot be built comes to light only once it can. */
function unbuilt({ entrypoints }: Run): string[] {
  const paths = entrypoints.flatMap(({ path, rendered }) => (rendered ? [] : [pathWords(path)]));
  if (paths.length === 0) return [];
  return [
    `${inWords(atMost(4, paths, 'more'))}: cannot be built, so nothing else in ${paths.length === 1 ? 'it' : 'them'} is checked yet`,
  ];
}

const servers: Record<DryRun['server'], string> = {
  kind: 'a cluster of kind',
  envtest: 'a bare API server',
  kubeconfig: 'the cluster of the kubeconfig',
};

function dryRunWords({ cluster, server, version, asked, refused, conflicts, disagreements, notes }: DryRun): string[] {
  const name = cluster === undefined ? '' : ` (cluster ${shorten(cluster, 60)})`;
  const expected = refused.filter((one) => one.expected).length;
  const share = expected === refused.length ? 'all' : expected || 'none';
  const known = refused.length === 0 ? '' : `, ${share} of them as the rules say`;
  const managers = [...new Set(conflicts.map(({ manager }) => shorten(manager, 60)))].sort();
  const taken = managers.length === 0 ? [] : [`takes ${plural(conflicts.length, 'field')} from ${managers.join(', ')}`];
  const differ =
    disagreements.length === 0 ? [] : [`not of one mind with the rules: ${plural(disagreements.length, 'time')}`];
  const where = `${servers[server]}, Kubernetes ${shorten(version, 40)}${name}`;
  return [
    `${where}: ${plural(asked, 'object')} asked, ${refused.length} refused${known}`,
    ...taken,
    ...differ,
    ...notes,
  ];
}

const maxNames = 25;

/** What the merge would do, worst first, with the sign of each kind; nothing where it does nothing. */
export function effectWords(effects: Effects): (Section & { sign: string })[] {
  const { created, changed, deleted, left, held, unknown } = effects;
  const named = (refs: ObjectRef[]) => atMost(maxNames, refs.map(refWords).sort(), 'more');
  return [
    { sign: '-', title: `deletes ${deleted.length}`, items: named(deleted) },
    { sign: '·', title: `leaves ${left.length} behind, which are in the repository no more`, items: named(left) },
    { sign: '~', title: `changes ${changed.length}`, items: named(changed) },
    { sign: '+', title: `creates ${created.length}, or takes over what has that name`, items: named(created) },
    { sign: '!', title: 'applies nothing from', items: atMost(10, held.map(heldWords), 'more') },
    { sign: '?', title: 'is not known of what nothing applies any more', items: atMost(10, unknown, 'more') },
  ].filter(({ items }) => items.length > 0);
}

/** What each kind of effect is called, the worst first. */
const effectTitles: { readonly [kind in EffectKind]: string } = {
  deletes: 'deletes',
  rights: 'runs with more rights',
  source: 'fetches from',
  sandbox: 'leaves the sandbox of a pod',
  access: 'changes who may do what',
  network: 'lets more traffic through',
  secret: 'reads another Secret',
  disables: 'disables',
};

/** The effects that are to be looked at before all else, by kind; nothing where there are none. */
export function sensitiveWords(effects: Effects): Section[] {
  return Object.entries(effectTitles).flatMap(([kind, title]) => {
    const found = effects.sensitive.filter((one) => one.kind === kind);
    const items = found.map(({ ref, what }) => (what ? `${refWords(ref)} (${shorten(what, 150)})` : refWords(ref)));
    return items.length > 0 ? [{ title, items: atMost(maxNames, [...new Set(items)], 'more') }] : [];
  });
}

function heldWords({ path, why }: Effects['held'][number]): string {
  return shorten(`${path === '.' ? 'the repository' : path}: ${why}`, 150);
}

export function refWords({ kind, namespace, name }: ObjectRef): string {
  return shorten(`${kind} ${namespace ? `${namespace}/` : ''}${name}`, 150);
}

/** What is assumed, or concluded, of every cluster is said once, without their names. */
function assumedOnce(facts: readonly Fact[]): Fact[] {
  const clusters = new Set(facts.map(({ cluster }) => cluster)).size;
  const groups = new Map<string, Fact[]>();
  for (const fact of facts) {
    if (fact.source !== 'assumed' && fact.because === undefined) continue;
    const key = JSON.stringify([fact.name, fact.value, fact.setBy, fact.because]);
    groups.set(key, [...(groups.get(key) ?? []), fact]);
  }
  return [...groups.values()].flatMap((group) => {
    const { cluster: _, ...fact } = group[0] as Fact;
    return group.length < clusters ? group : [fact];
  });
}

/** What was to be done and could not be: never what nobody asked for. */
export function missedStages(run: Run): string[] {
  return notRun(run).flatMap(({ name, why, optional }) => (optional ? [] : [`${name}: ${why}`]));
}

type NotRun = Extract<StageOutcome, { ran: false }>;

function notRun(run: Run): NotRun[] {
  return run.stages.flatMap((stage) => (stage.ran ? [] : [stage]));
}

/** With the rules that found nothing for it, by name: nobody should think that they had nothing to say. */
export function whyNotRun({ why, silent = [] }: NotRun): string {
  return silent.length > 0 ? `${why}, so these rules did not judge: ${silent.join(', ')}` : why;
}

/** An entrypoint's path, for people. */
export function pathWords(path: string): string {
  return path === '.' ? 'the root' : path;
}

function entrypointWords(run: Run, rendered: boolean, onWeb: boolean): string[] {
  const entrypoints = run.entrypoints.filter((entrypoint) => entrypoint.rendered === rendered);
  const words = entrypoints.map(({ path, why, objects }) => {
    const name = onWeb ? pathWords(path) : path;
    return rendered ? `${name}: ${plural(objects, 'object')} (${why})` : `${name} (${why})`;
  });
  return atMost(10, words, 'more');
}

function ignoredWords(run: Run, isNew: boolean): string[] {
  const groups = new Map<string, number>();
  for (const { finding, reason, expires, ...ignored } of run.ignored) {
    if ((ignored.isNew ?? false) !== isNew) continue;
    const key = `${finding.rule}: ${reason}${expires ? `, until ${expires}` : ''}`;
    groups.set(key, (groups.get(key) ?? 0) + 1);
  }
  return [...groups].map(([text, count]) => counted(count, text));
}

function counted(count: number, text: string): string {
  return `${count} × ${text}`;
}

function atMost(limit: number, items: string[], word: string): string[] {
  if (items.length <= limit) return items;
  return [...items.slice(0, limit - 1), `and ${items.length - limit + 1} ${word}`];
}

export function objectsOf(run: Run): number {
  return run.entrypoints.reduce((sum, { objects, rendered }) => sum + (rendered ? objects : 0), 0);
}

export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

const factNouns: Record<FactName, string> = {
  release: 'Cozystack release',
  variant: 'platform variant',
  kubernetes: 'Kubernetes',
  optionalPackages: 'optional packages',
  packages: 'existing Packages',
  ownedNamespaces: 'owned namespaces',
  roles: 'roles of other service accounts',
  decryption: 'decryption',
  substitution: 'substitution of variables',
  platformValues: 'other values of the platform',
};

/** `platform variant isp-full; set cluster.variant` */
export function factWords(fact: Fact): string {
  const cluster = fact.cluster === undefined ? '' : ` (cluster ${shorten(fact.cluster, 60)})`;
  const words = `${factNouns[fact.name]} ${whichWords(fact)}${cluster}${dataWords(fact)}${reasonWords(fact)}`;
  return fact.setBy ? `${words}; set ${fact.setBy}` : words;
}

/** ` (there is no data for it, so the data of v1.6.2 is used)` */
function dataWords({ dataOf, meant }: Fact): string {
  if (dataOf === undefined) return '';
  const hint = meant === undefined ? '' : `; did you mean "${shorten(meant, 100)}"?`;
  return ` (there is no data for it, so the data of ${shorten(dataOf, 100)} is used${hint})`;
}

/** `, as the base branch has Package "cozystack.hami" (packages/hami.yaml)`: not where a finding says on which values it rests. */
function reasonWords({ because, possible, file, only, except }: Fact): string {
  if (because === undefined || only || except) return '';
  const others = possible ? `, of ${possible.map((one) => shorten(one, 100)).join(' or ')}` : '';
  return `${others}, as ${shorten(because, 200)}${file === undefined ? '' : ` (${shorten(file, 150)})`}`;
}

function whichWords({ value, only, except }: Fact): string {
  const names = (list: string[]) => list.map((one) => shorten(one, 100)).join(' or ');
  if (only) return `${names(only)} only`;
  return except ? `other than ${names(except)}` : valueWords(value);
}

function valueWords(value: Json): string {
  if (typeof value === 'string') return shorten(value, 100);
  if (!Array.isArray(value)) return shorten(JSON.stringify(value), 100);
  if (value.length === 0) return '(none)';
  return atMost(
    6,
    value.map((item) => valueWords(item)),
    'more',
  ).join(', ');
}

/** The message, with how many other objects the same is true of. */
export function messageWords({ message, also = [] }: Finding): string {
  return also.length === 0 ? message : `${message} (and ${plural(also.length, 'more object')})`;
}

/** `flux: …`, where there is such a text: each format escapes it for itself. */
export function upstreamWords({ upstream }: Finding): string[] {
  return upstream ? [`${upstream.program}: ${upstream.text}`] : [];
}

/** More do not help anybody; it is a bound for what a repository can make long. */
const maxSeen = 50;

/** Where a finding was seen from, if that tells the reader anything. */
export function seenFrom(run: Run, finding: Finding): string[] {
  if (run.entrypoints.length < 2) return [];
  if (finding.entrypoints.length === run.entrypoints.length && finding.entrypoints.length > 3) {
    return [`all ${finding.entrypoints.length} entrypoints`];
  }
  return atMost(maxSeen, finding.entrypoints, 'more');
}

/** What a location alone does not say: which side it is on, and how exact it is. */
export function placeWords(run: Run, { at, precision }: Pick<Finding, 'at' | 'precision'>): string[] {
  const missing = !run.sources.has(at.revision, at.file);
  const exactness = {
    exact: [],
    parent: ['the nearest parent that is written'],
    file: [missing ? 'not there' : 'somewhere in this file'],
  };
  return [...exactness[precision], ...sideWords(at)];
}

/** The side of a location, unless it is the head. */
function sideWords({ revision }: Finding['at']): string[] {
  return { head: [], base: ['before this change'], merge: ['as merged with the base branch'] }[revision];
}

/** The same in parentheses, to follow a location. */
export function sideSuffix(at: Finding['at']): string {
  return sideWords(at)
    .map((words) => ` (${words})`)
    .join('');
}
