/**
 * Histories of a pull request: after each run the bot's comments are those of `model.ts`, none twice, and nothing of anybody
 * else is touched; what was disturbed is made good by the next run. A fixed sample, the same every time; FULL=1: more.
 */
import { describe, expect, test } from '@jest/globals';
import type { Effect } from '../support/github/fake.js';
import { amount, someOf } from '../support/sample.js';
import { effects, play, shrunk, storyOf } from './story.js';
import { World } from './world.js';

const full = process.env.FULL !== undefined;
const stories = amount(5, 3000);
const first = Number(process.env.SEED ?? 1);
const groups = Math.min(10, stories);
const minutes = 60_000;

describe('random histories', () => {
  test.each(Array.from({ length: groups }, (_, index) => index))(
    `group %i of ${stories} histories`,
    async (group) => {
      for (let seed = first + group; seed < first + stories; seed += groups) {
        if ((await play(storyOf(seed))).problems.length === 0) continue;
        const { problems, done } = await play(await shrunk(storyOf(seed)));
        expect([`SEED=${seed}`, ...done, ...problems].join('\n')).toBe('');
      }
    },
    20 * minutes,
  );
});

describe('a failure at each request', () => {
  const people: [string, (world: World) => Effect][] = [
    ['a push', (world) => ({ before: () => world.fake.push(world.number, { 'a.yaml': text({ 5: bad('p50') }) }) })],
    ['closing', (world) => ({ before: () => world.fake.setState(world.number, 'closed') })],
    ['a deleted comment', (world) => ({ before: () => world.fake.delete(commentOn(world, 'p1')) })],
    ['an answer', (world) => ({ before: () => world.fake.reply(commentOn(world, 'p2'), 'alice', 'why?') })],
  ];
  const all: [string, number, (world: World) => Effect][] = [
    ...effects.map((effect): [string, (world: World) => Effect] => [JSON.stringify(effect), () => effect]),
    ...people,
  ].map(([name, effect], index) => [name, index, effect]);
  /** Of the requests one in so many: others for each effect. */
  const oneIn = 13 - amount(1, 12);

  test.each(someOf(all, 2, ([name]) => name))(
    '%s is made good by the next run',
    async (_, index, effectIn) => {
      for (const times of full ? [1, 2, 3, 4, 30] : [1, 4]) {
        for (let at = 1 + (index % oneIn); at <= 30; at += full ? 1 : times === 1 ? oneIn : Math.max(4, oneIn)) {
          const world = await muchToDo();
          const { problems, requests } = await world.disturbed('', { at, times, effect: effectIn(world) });
          world.pass(90);
          world.fake.setState(world.number, 'open');
          const after = await world.checked(['']);
          world.fake.close();
          expect(
            [`at request ${at}, ${times} times`, ...problems, ...after].slice(problems.length || after.length ? 0 : 1),
          ).toEqual([]);
          if (at > requests) break;
        }
      }
    },
    10 * minutes,
  );
});

/** A pull request on which a run has to post on lines and files, edit for each of the reasons, replace and delete. */
async function muchToDo(): Promise<World> {
  const old = { 2: 'keep: error rule9 p9 one' };
  const files = { 'a.yaml': text(old), 'b.yaml': text({}), 'c.yaml': text({}) };
  const world = await World.create(files, { comments: 20, files: 10 }, ['']);
  const { fake } = world;
  const now: Record<number, string> = Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7, 8].map((n) => [n * 2 + 3, bad(`p${n}`)]),
  );
  const push = () => fake.push(world.number, { 'a.yaml': text({ ...old, ...now }) });
  const run = async () => expect(await world.checked([''])).toEqual([]);
  world.number = await fake.open({ changes: { 'a.yaml': text({ ...old, ...now }), 'b.yaml': text({ 3: 'new' }) } });
  await run();
  for (const id of ['p3', 'p4']) fake.reply(commentOn(world, id), 'alice', 'why?');
  fake.resolve(
    fake.comments(world.number).find(({ id }) => id === commentOn(world, 'p5'))?.thread.nodeId ?? '',
    'alice',
  );
  await fake.comment(world.number, 'alice', { path: 'b.yaml', line: 3 }, fake.comments(world.number)[0]?.body ?? '');
  now[11] = 'fixed: p4';
  await push();
  await run();
  world.pass(90);
  // p1 is fixed, p2 stays, the answered p3 is fixed and p4 is back, p5 was settled, p6 has other words, p7 goes elsewhere.
  Object.assign(now, {
    5: 'fixed: p1',
    9: 'fixed: p3',
    11: bad('p4'),
    15: bad('p6', 'two'),
    17: 'gone',
    30: bad('p7'),
  });
  const other = text({ 3: bad('p20'), 4: bad('p21'), 30: 'bad: warning rule2 p22 file one' });
  const more = text({ 1: 'bad: error rule2 p23 at b.yaml:39 one' });
  await fake.push(world.number, { 'a.yaml': text(now), 'b.yaml': other, 'c.yaml': more });
  return world;
}

function commentOn(world: World, id: string): number {
  return Number(world.threads('').find((own) => own.id === id)?.comment);
}

function bad(id: string, words = 'one'): string {
  return `bad: error rule1 ${id} ${words}`;
}

function text(changes: Record<number, string>): string {
  return Array.from({ length: 40 }, (_, index) => `${changes[index + 1] ?? `line ${index + 1}`}\n`).join('');
}
