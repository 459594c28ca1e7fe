/** Random histories of a pull request. A history is a list of numbers: each step draws what it does from its own alone. */
import type { Effect } from '../support/github/fake.js';
import { addedWords, bot, changedWords, type Files, World } from './world.js';

export type Story = { seed: number; steps: number[] };
type Draw = {
  number(below: number): number;
  one<T>(choices: readonly T[]): T;
  chance(percent: number): boolean;
};

/** Mulberry32: small, and the same everywhere. */
function draws(seed: number): Draw {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  next();
  const number = (below: number) => Math.floor(next() * below);
  return {
    number,
    one: (choices) => choices[number(choices.length)] as (typeof choices)[number],
    chance: (percent) => number(100) < percent,
  };
}

export function storyOf(seed: number): Story {
  const draw = draws(seed);
  return { seed, steps: Array.from({ length: 6 + draw.number(10) }, () => draw.number(2 ** 31)) };
}

/** What goes wrong, and what was done until then. */
export async function play({ seed, steps }: Story): Promise<{ problems: string[]; done: string[]; runs: number }> {
  const world = await begin(seed);
  const done: string[] = [];
  let runs = 0;
  try {
    for (const step of steps) {
      const draw = draws(step);
      world.pass(90);
      const act = draw.one(acts);
      done.push(await act(world, draw));
      if (draw.chance(25)) continue;
      runs += 1;
      const { words, problems } = await (draw.chance(30) ? disturb : look)(world, draw);
      done.push(`  ${words}`);
      if (problems.length > 0) return { problems, done, runs };
    }
    world.pass(90);
    world.fake.setState(world.number, 'open');
    const problems = await world.checked(world.instances);
    if (problems.length > 0) return { problems, done: [...done, '  the last run'], runs };
    const before = world.fake.log.length;
    const again = await world.checked(world.instances);
    const writes = world.fake.log
      .slice(before)
      .filter(({ method, operation }) => method !== 'GET' && operation !== 'graphql');
    const idle = writes.map(({ method, path }) => `a second run does ${method} ${path}`);
    return { problems: [...again, ...idle], done: [...done, '  the last run, twice'], runs: runs + 2 };
  } finally {
    world.fake.close();
  }
}

/** Without the steps that a failure does not need. */
export async function shrunk(story: Story): Promise<Story> {
  let steps = [...story.steps];
  for (let index = steps.length - 1; index >= 0; index--) {
    const fewer = steps.filter((_, at) => at !== index);
    if ((await play({ ...story, steps: fewer })).problems.length > 0) steps = fewer;
  }
  return { ...story, steps };
}

async function begin(seed: number): Promise<World> {
  const draw = draws(seed ^ 0x5eed);
  const files: Files = {};
  lastProblem = 0;
  for (const path of ['a.yaml', 'b.yaml', 'c/d.yaml', 'e.yaml']) {
    const lines = Array.from({ length: 12 + draw.number(30) }, (_, index) => {
      if (draw.chance(88)) return `line ${index + 1} of ${path}`;
      return draw.chance(40) ? problemLine(draw, 'keep') : problemLine(draw, 'bad');
    });
    files[path] = text(lines);
  }
  const caps = draw.one([
    { comments: 20, files: 10 },
    { comments: 3, files: 2 },
    { comments: 4, files: 4 },
    { comments: 6, files: 1 },
    { comments: 5, files: 0 },
  ]);
  const world = await World.create(files, caps, draw.chance(25) ? ['', 'b'] : [''], {
    outdatedReturns: draw.chance(30),
    fileCommentLine: draw.chance(30) ? 1 : null,
    enterprise: draw.chance(20),
    errors: draw.one([undefined, 'words', 'objects'] as const),
    wording: draw.one(['old', 'new'] as const),
  });
  const changes = draw.chance(6) ? crowdOfFiles() : {};
  world.number = await world.fake.open({ changes: { ...changes, 'new.yaml': 'new\n' } });
  await edit(world, draw);
  await edit(world, draw);
  if (draw.chance(6)) await crowd(world);
  return world;
}

/** More than a page of files before the ones that count. */
function crowdOfFiles(): Files {
  return Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`0/${index}.txt`, `${index}\n`]));
}

/** More than a page of threads before those of the bot. */
async function crowd({ fake, number }: World): Promise<void> {
  for (let index = 0; index < 105; index++) await fake.comment(number, 'alice', { path: 'new.yaml' }, `talk ${index}`);
}

type Act = (world: World, draw: Draw) => Promise<string>;

const acts: readonly Act[] = [
  ...Array<Act>(9).fill(edit),
  ...Array<Act>(3).fill(reply),
  ...Array<Act>(2).fill(resolve),
  reword,
  rename,
  remove,
  forcePush,
  rebase,
  updateBranch,
  moveBase,
  unresolve,
  talk,
  forge,
  otherBot,
  deleteComment,
  closeOrOpen,
];

let lastProblem = 0;

function problemLine(draw: Draw, kind: 'bad' | 'keep'): string {
  const severity = draw.one(['error', 'error', 'warning', 'notice']);
  const place = draw.one(['', '', '', '', '', ' file', ' at a.yaml:3', ' at nowhere.yaml:1', ' at b.yaml:30']);
  const rule = draw.chance(35) ? `same${draw.number(2)}` : `rule${draw.number(4)}`;
  return `${kind}: ${severity} ${rule} p${++lastProblem}${place} ${draw.one(['one', 'two'])}`;
}

/** Some lines of some files of the head are written anew. */
async function edit(world: World, draw: Draw): Promise<string> {
  const files = await world.read(world.head);
  const paths = Object.keys(files).filter((path) => !path.startsWith('0/'));
  const changes: Files = {};
  const said: string[] = [];
  for (let count = 1 + draw.number(3); count > 0; count--) {
    const path = draw.one(paths);
    const lines = (changes[path] ?? files[path] ?? '').split('\n').slice(0, -1);
    said.push(`${changeLines(lines, draw)} in ${path}`);
    changes[path] = text(lines);
  }
  await world.fake.push(world.number, changes);
  return `push: ${said.join(', ')}`;
}

function changeLines(lines: string[], draw: Draw): string {
  const at = draw.number(lines.length + 1);
  const marked = lines.flatMap((line, index) => (/^(bad|keep): /.test(line) ? [index] : []));
  const mark = draw.one(marked);
  const changes: (() => string)[] = [
    () => {
      lines.splice(at, 0, problemLine(draw, 'bad'));
      return `a problem at ${at + 1}`;
    },
    () => {
      const more = Array.from({ length: 1 + draw.number(3) }, () => problemLine(draw, 'bad'));
      lines.splice(at, 0, ...more);
      return `${more.length} problems from ${at + 1}`;
    },
    ...Array<() => string>(2).fill(() => {
      const severity = draw.one(['error', 'error', 'warning']);
      const rule = `same${draw.number(2)}`;
      const more = Array.from({ length: 2 + draw.number(5) }, () => `bad: ${severity} ${rule} p${++lastProblem} one`);
      lines.splice(at, 0, ...more);
      return `${more.length} equal problems from ${at + 1}`;
    }),
    () => {
      const more = Array.from({ length: 1 + draw.number(8) }, (_, index) => `more ${draw.number(1000)} ${index}`);
      lines.splice(at, 0, ...more);
      return `${more.length} lines from ${at + 1}`;
    },
    () => {
      const gone = lines.splice(at, 1 + draw.number(4));
      return `without ${gone.length} lines from ${at + 1}`;
    },
  ];
  const onMark: (() => string)[] = [
    () => {
      lines.splice(mark, 1);
      return `without the mark at ${mark + 1}`;
    },
    () => {
      const [line = ''] = lines.splice(mark, 1);
      lines.splice(at, 0, line);
      return `the mark from ${mark + 1} to ${at + 1}`;
    },
    () => {
      lines[mark] = (lines[mark] as string).replace(/\w+$/, draw.one(['three', 'four', 'five']));
      return `other words at ${mark + 1}`;
    },
    () => {
      lines[mark] = (lines[mark] as string).replace(/(error|warning|notice)/, draw.one(['error', 'warning', 'notice']));
      return `another severity at ${mark + 1}`;
    },
    () => {
      lines[mark] = (lines[mark] as string).replace(/ (file|at \S+)(?= \w+$)/, '');
      return `the finding comes to its line at ${mark + 1}`;
    },
    () => {
      lines.splice(mark, 0, `above ${draw.number(1000)}`);
      return `a line above ${mark + 1}`;
    },
  ];
  return draw.one(mark === undefined ? changes : [...changes, ...onMark])();
}

async function rename(world: World, draw: Draw): Promise<string> {
  const paths = Object.keys(await world.read(world.head)).filter((path) => !path.startsWith('0/'));
  const from = draw.one(paths);
  const to = draw.one(['a.yaml', 'b.yaml', 'moved/f.yaml', 'g.yaml']);
  if (from === to || paths.includes(to)) return 'nothing is renamed';
  await world.fake.rename(world.number, from, to);
  return `rename ${from} to ${to}`;
}

async function remove(world: World, draw: Draw): Promise<string> {
  const path = draw.one(Object.keys(await world.read(world.head)).filter((one) => !/^0\/|^new/.test(one)));
  if (path === undefined) return 'nothing to remove';
  await world.fake.push(world.number, { [path]: null });
  return `remove ${path}`;
}

/** One commit in place of all, some of the files as they were. */
async function forcePush(world: World, draw: Draw): Promise<string> {
  const { mergeBase } = await world.fake.state.view(world.fake.pull(world.number));
  const [before, now] = [await world.read(mergeBase), await world.read(world.head)];
  const changed = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
    (path) => before[path] !== now[path],
  );
  const taken = changed.filter((path) => path === 'new.yaml' || draw.chance(70));
  await world.fake.forcePush(world.number, Object.fromEntries(taken.map((path) => [path, now[path] ?? null])));
  return `force-push ${taken.length} of ${changed.length} files`;
}

async function rebase(world: World): Promise<string> {
  return (await world.fake.rebase(world.number)) ? 'rebase' : 'a rebase that conflicts';
}

async function updateBranch(world: World): Promise<string> {
  return (await world.fake.updateBranch(world.number)) ? 'update the branch' : 'an update that conflicts';
}

async function moveBase(world: World, draw: Draw): Promise<string> {
  const files = await world.read(world.fake.state.branchHead('main'));
  const path = draw.one(Object.keys(files));
  const lines = (files[path] ?? '').split('\n').slice(0, -1);
  const said = changeLines(lines, draw);
  await world.fake.mergeBaseForward({ [path]: text(lines) });
  return `the base: ${said} in ${path}`;
}

/** One of the threads that the bot began. */
function ownOf(world: World, draw: Draw) {
  const own = world.threads(draw.one(world.instances));
  return draw.one(own);
}

async function reply(world: World, draw: Draw): Promise<string> {
  const own = ownOf(world, draw);
  if (!own) return 'nothing to answer';
  world.fake.reply(Number(own.comment), draw.one(['alice', 'bob']), 'why?');
  return `a reply on ${own.id}`;
}

async function resolve(world: World, draw: Draw): Promise<string> {
  const own = ownOf(world, draw);
  const thread = own && world.fake.comments(world.number).find(({ id }) => id === own.comment)?.thread;
  if (!thread) return 'nothing to resolve';
  world.fake.resolve(thread.nodeId, 'alice');
  return `${own.id} is resolved`;
}

/** A person who may write edits a comment of the bot, below its words or in them. */
async function reword(world: World, draw: Draw): Promise<string> {
  const own = ownOf(world, draw);
  const comment = own && world.fake.comments(world.number).find(({ id }) => id === own.comment);
  if (!own || !comment || own.moved || own.added || own.reworded) return 'nothing to edit';
  const isBelow = draw.chance(50);
  const { body } = comment;
  world.fake.edit(comment.id, isBelow ? `${body}${addedWords}` : body.replace('\n\n<sub>', `${changedWords}<sub>`));
  return `somebody writes ${isBelow ? 'below' : 'into'} the comment on ${own.id}`;
}

async function unresolve(world: World, draw: Draw): Promise<string> {
  const thread = draw.one(world.fake.threads(world.number).filter(({ resolvedBy }) => resolvedBy !== null));
  if (!thread) return 'nothing to unresolve';
  world.fake.unresolve(thread.nodeId);
  return 'a thread is opened again';
}

async function talk(world: World, draw: Draw): Promise<string> {
  const place = { path: 'new.yaml', ...(draw.chance(50) && { line: 1 }) };
  await world.fake.comment(world.number, 'alice', place, 'nice');
  return 'somebody talks';
}

/** A person repeats a comment of the bot, marker and all. */
async function forge(world: World, draw: Draw): Promise<string> {
  const comment = draw.one(world.fake.comments(world.number).filter(({ user, replyTo }) => user === bot && !replyTo));
  if (!comment) return 'nothing to forge';
  if (draw.chance(40)) {
    world.fake.reply(comment.id, 'mallory', comment.body);
    return 'a forged reply';
  }
  const at = comment.thread.line === null ? {} : { line: comment.thread.line, side: comment.thread.side };
  await world.fake.comment(world.number, 'mallory', { path: comment.thread.path, ...at }, comment.body);
  if (draw.chance(50)) return 'a forged comment';
  world.fake.delete(comment.id);
  return 'a forged comment in place of the true one';
}

/** Another workflow writes with the same account. */
async function otherBot(world: World): Promise<string> {
  await world.fake.comment(world.number, bot, { path: 'new.yaml' }, 'coverage went down');
  return 'another workflow comments';
}

async function deleteComment(world: World, draw: Draw): Promise<string> {
  const own = ownOf(world, draw);
  if (!own) return 'nothing to delete';
  world.fake.delete(Number(own.comment));
  return `somebody deletes the comment on ${own.id}`;
}

async function closeOrOpen(world: World): Promise<string> {
  const { state } = world.fake.pull(world.number);
  world.fake.setState(world.number, state === 'open' ? 'closed' : 'open');
  return state === 'open' ? 'close' : 'reopen';
}

type Told = { words: string; problems: string[] };

async function look(world: World, draw: Draw): Promise<Told> {
  const both = world.instances.length > 1 && draw.chance(60);
  const instances = both ? world.instances : [draw.one(world.instances)];
  return { words: `run ${JSON.stringify(instances)}`, problems: await world.checked(instances) };
}

export const effects: readonly Effect[] = [
  'bad-gateway',
  'server-error',
  'unavailable',
  'secondary-limit',
  'too-many-requests',
  'rate-limit',
  'too-quickly',
  'abuse',
  'invalid-threads',
  'unresolved',
  'reset',
  'lost-reset',
  'lost',
  'truncated',
  'hang',
  'lost-hang',
  'stale',
  { slow: 1 },
  { status: 403, body: { message: 'Resource not accessible by integration' } },
  { status: 404, body: { message: 'Not Found' } },
];

/** A run with a failure somewhere in it, and then one without. */
async function disturb(world: World, draw: Draw): Promise<Told> {
  const instance = draw.one(world.instances);
  const [at, times] = [1 + draw.number(12), 1 + draw.number(4)];
  const meddle = draw.one([edit, edit, reply, resolve, deleteComment, closeOrOpen, forcePush, moveBase]);
  let met = '';
  const before = async () => {
    met = await meddle(world, draw);
  };
  const effect = draw.chance(35) ? { before } : draw.one(effects);
  const token = draw.chance(10) ? world.fake.token(draw.one(['dependabot', 'no-pulls', 'expired'])) : undefined;
  const fault = { at, times: typeof effect === 'object' && 'before' in effect ? 1 : times, effect, token };
  const { problems } = await world.disturbed(instance, fault);
  const name = typeof effect === 'string' ? effect : met || JSON.stringify(effect);
  const words = `run "${instance}" with ${name} at request ${at}, ${times} times`;
  if (problems.length > 0) return { words, problems };
  world.pass(90);
  return { words: `${words}, then undisturbed`, problems: await world.checked([instance]) };
}

function text(lines: string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
