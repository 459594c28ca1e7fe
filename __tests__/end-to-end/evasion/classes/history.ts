/**
 * Pull requests whose head is not simply a commit on the base. Either the merge applies harm that neither side applies alone, or the
 * base has the harm already.
 */
import { stringify } from 'yaml';
import type { JsonObject } from '../../../../src/core/model.js';
import type { History, Tree } from '../generate.js';
import type { Harm } from '../harms.js';
import type { Random } from '../writing.js';
import { inUse, type Payload, payloads, rules } from './payloads.js';
import { clusterWide, type Draw, deleting, flux, listing, note, object, rootOf } from './site.js';

type Changes = Record<string, string | null>;
function altered(tree: Tree, ...all: Changes[]): Tree {
  const files: Tree = { ...tree };
  for (const changes of all)
    for (const [path, content] of Object.entries(changes)) {
      if (content === null) delete files[path];
      else files[path] = content;
    }
  return files;
}

const applying = (path: string, spec: JsonObject = {}) => ({ 'apps.yaml': stringify(flux('apps', path, spec)) });
const listed = (...names: string[]) => ({ 'apps/kustomization.yaml': listing(names) });
const calm: Tree = { 'calm/a.yaml': stringify(note('calm')), 'calm/job.yaml': stringify(inUse) };
/** The root applies `calm/` by a Flux object of its own, and `apps/` by another. */
const start = (apps: Tree = {}): Tree => ({
  ...rootOf({ calm: flux('calm', './calm') }),
  ...calm,
  'apps/a.yaml': stringify(note('of-apps')),
  ...apps,
});
const aside = (n: number): Changes => ({ [`docs/${n}.md`]: `# ${n}\n` });

/** The object as the topic branch has it: harmful, or in a control not. */
type Shape = (has: { bad: string; good: string; now: string }, random: Random) => Omit<History, 'hasMerge'>;

/** Base and head from one commit. */
function forked(first: Tree, main: Changes, topic: Changes): Omit<History, 'hasMerge'> {
  return {
    commits: {
      start: { parents: [], files: first },
      main: { parents: ['start'], files: altered(first, main, aside(1)) },
      topic: { parents: ['start'], files: altered(first, topic, aside(2)) },
    },
    base: 'main',
    head: 'topic',
  };
}

/** Two branches that have merged each other; `kept` is what the author makes of the merge. */
function crossed(first: Tree, fixed: Changes, kept: Changes, rounds: number): Omit<History, 'hasMerge'> {
  const mended = altered(first, fixed, aside(1));
  const both = altered(mended, aside(2));
  const commits: History['commits'] = {
    start: { parents: [], files: first },
    fixed: { parents: ['start'], files: mended },
    old: { parents: ['start'], files: altered(first, aside(2)) },
    main: { parents: ['fixed', 'old'], files: both },
    topic: { parents: ['old', 'fixed'], files: altered(both, kept) },
  };
  if (rounds > 1) {
    commits.main2 = { parents: ['main'], files: altered(both, aside(3)) };
    commits.topic2 = { parents: ['topic'], files: altered(both, kept, aside(4)) };
  }
  return { commits, base: rounds > 1 ? 'main2' : 'main', head: rounds > 1 ? 'topic2' : 'topic' };
}

const oldBranch: Record<string, Shape> = {
  'main applies the folder now': ({ now }, random) => {
    const first = altered(start(), { ...applying('./calm') });
    const isListed = random.chance(0.5);
    const more = isListed ? listed('a.yaml', 'x.yaml') : {};
    return forked(first, applying('./apps'), { 'apps/x.yaml': now, ...more });
  },
  'main has a new Flux object for the folder': ({ now }) => {
    const first = start();
    const list = { 'kustomization.yaml': listing(['note.yaml', 'apps.yaml', 'calm.yaml', 'more.yaml']) };
    return forked(first, { ...list, 'more.yaml': stringify(flux('more', './more')) }, { 'more/x.yaml': now });
  },
  'main resumes the Flux object': ({ now }) =>
    forked(altered(start(), applying('./apps', { suspend: true })), applying('./apps'), { 'apps/x.yaml': now }),
  'main moves the folder': ({ good, now }) =>
    forked(
      start({ 'apps/x.yaml': good }),
      {
        ...applying('./live'),
        'apps/x.yaml': null,
        'apps/a.yaml': null,
        'live/x.yaml': good,
        'live/a.yaml': stringify(note('of-apps')),
      },
      { 'apps/x.yaml': now },
    ),
  'main takes a guard away': ({ good, now }) => {
    const guard = { commonAnnotations: { 'kustomize.toolkit.fluxcd.io/reconcile': 'disabled' } };
    const files = ['a.yaml', 'x.yaml'];
    const first = start({ 'apps/kustomization.yaml': listing(files, guard), 'apps/x.yaml': good });
    return forked(first, listed(...files), { 'apps/x.yaml': now });
  },
  'main ignores the folder no longer': ({ now }) =>
    forked(start({ '.sourceignore': '/apps/x.yaml\n' }), { '.sourceignore': null }, { 'apps/x.yaml': now }),
  'main lists the file now': ({ good, now }) =>
    forked(start({ ...listed('a.yaml'), 'apps/x.yaml': good }), listed('a.yaml', 'x.yaml'), { 'apps/x.yaml': now }),
  'main has gained other objects': ({ now }) =>
    forked(
      start(),
      { 'apps/b.yaml': stringify(note('b')), 'apps/c.yaml': stringify(note('c')) },
      { 'apps/x.yaml': now },
    ),
  'the topic has merged main': ({ now }) => {
    const first = start();
    const main = altered(first, { 'apps/b.yaml': stringify(note('b')) });
    return {
      commits: {
        start: { parents: [], files: first },
        main: { parents: ['start'], files: main },
        first: { parents: ['start'], files: altered(first, { 'apps/x.yaml': now }) },
        topic: { parents: ['first', 'main'], files: altered(main, { 'apps/x.yaml': now }) },
      },
      base: 'main',
      head: 'topic',
    };
  },
};

const crissCross: Record<string, Shape> = {
  'keeps what main has corrected': ({ bad, good, now }, random) =>
    crossed(start({ 'apps/x.yaml': bad }), { 'apps/x.yaml': good }, { 'apps/x.yaml': now }, 1 + random.below(2)),
  'lists what main does not list any more': ({ bad, good, now }, random) =>
    crossed(
      start({ 'apps/x.yaml': bad, ...listed('a.yaml', 'x.yaml') }),
      listed('a.yaml'),
      now === good ? {} : listed('a.yaml', 'x.yaml'),
      1 + random.below(2),
    ),
  'retargeted from a branch that has it': ({ now }) => {
    const first = start();
    const old = altered(first, { 'apps/x.yaml': now });
    return {
      commits: {
        start: { parents: [], files: first },
        main: { parents: ['start'], files: altered(first, aside(1)) },
        release: { parents: ['start'], files: old },
        topic: { parents: ['release'], files: altered(old, aside(2)) },
      },
      base: 'main',
      head: 'topic',
      oldBase: 'release',
    };
  },
};

/** Harm that main has, so that the change is not at fault. */
const ofMain: Record<string, Shape> = {
  'main has gained it': ({ bad }) => forked(start(), { 'apps/x.yaml': bad }, { 'apps/b.yaml': stringify(note('b')) }),
  'main has corrected it': ({ bad, good }) =>
    forked(start({ 'apps/x.yaml': bad }), { 'apps/x.yaml': good }, { 'apps/b.yaml': stringify(note('b')) }),
  'main and the topic have corrected it': ({ bad, good }) =>
    forked(start({ 'apps/x.yaml': bad }), { 'apps/x.yaml': good }, { 'apps/x.yaml': good }),
  'main no longer lists it': ({ good, bad }) =>
    forked(start({ ...listed('a.yaml', 'x.yaml'), 'apps/x.yaml': good }), listed('a.yaml'), { 'apps/x.yaml': bad }),
  'main has the same': ({ bad }) => forked(start(), { 'apps/x.yaml': bad }, { 'apps/x.yaml': bad }),
};

type Loss = (there: string, isKept: boolean, random: Random) => Omit<History, 'hasMerge'>;
const losses: Record<string, Loss> = {
  'left out of a merge': (there, isKept, random) =>
    crossed(start(), { 'apps/x.yaml': there }, isKept ? {} : { 'apps/x.yaml': null }, 1 + random.below(2)),
  'not listed after a merge': (there, isKept, random) =>
    crossed(
      start(listed('a.yaml')),
      { 'apps/x.yaml': there, ...listed('a.yaml', 'x.yaml') },
      isKept ? {} : listed('a.yaml'),
      1 + random.below(2),
    ),
  'each side takes one of two': (there, isKept) => {
    const root = { 'kustomization.yaml': listing(['note.yaml', 'apps.yaml', 'calm.yaml', 'more.yaml']) };
    const first = altered(
      start({ 'apps/x.yaml': there, 'more/x.yaml': there, 'more/b.yaml': stringify(note('b')) }),
      root,
      {
        'more.yaml': stringify(flux('more', './more')),
      },
    );
    return forked(
      first,
      { 'more/x.yaml': null },
      isKept ? { 'apps/b.yaml': stringify(note('c')) } : { 'apps/x.yaml': null },
    );
  },
  'taken away on an old branch': (there, isKept) =>
    forked(
      start({ 'apps/x.yaml': there }),
      { 'apps/b.yaml': stringify(note('b')) },
      isKept ? { 'apps/c.yaml': stringify(note('c')) } : { 'apps/x.yaml': null },
    ),
};

const kept: Record<string, JsonObject> = {
  Namespace: clusterWide('v1', 'Namespace', 'cozy-customizer-more'),
  Tenant: object('apps.cozystack.io/v1alpha1', 'Tenant', 'team', { spec: {} }),
  ServiceAccount: object('v1', 'ServiceAccount', 'team'),
};

export const history: Draw = (random) => (random.chance(0.25) ? lossDraft(random) : gainDraft(random));

function lossDraft(random: Random) {
  const name = random.pick(Object.keys(losses));
  const kind = random.pick(Object.keys(kept));
  const value = kept[kind] as JsonObject;
  const isControl = random.chance(0.3);
  const made = (losses[name] as Loss)(stringify(value), isControl, random);
  return draftOf(random, made, deleting(rules, value), isControl, [`history: ${name}`, `deleted: ${kind}`]);
}

function gainDraft(random: Random) {
  const isOfMain = random.chance(0.2);
  const shapes = isOfMain ? ofMain : random.chance(0.7) ? oldBranch : crissCross;
  const name = random.pick(Object.keys(shapes));
  const what = random.pick(Object.keys(payloads));
  const { bad, good, harm } = payloads[what] as Payload;
  const isControl = isOfMain || random.chance(0.3);
  const texts = { bad: stringify(bad), good: stringify(good), now: stringify(isControl ? good : bad) };
  return draftOf(random, (shapes[name] as Shape)(texts, random), harm, isControl, [
    `history: ${name}`,
    `harm: ${what}`,
  ]);
}

function draftOf(random: Random, made: Omit<History, 'hasMerge'>, harm: Harm, isControl: boolean, labels: string[]) {
  const hasMerge = made.oldBase !== undefined || random.chance(0.5);
  const files = (name: string) => made.commits[name]?.files ?? {};
  const isStale = hasMerge && made.oldBase === undefined && random.chance(0.3);
  return {
    harm,
    base: files(made.base),
    head: files(made.head),
    isNew: true,
    isControl,
    history: { ...made, hasMerge, ...(isStale && { named: 'start' }) },
    labels: [...labels, hasMerge ? 'with the merge' : 'without the merge', ...(isStale ? ['old event'] : [])],
  };
}
