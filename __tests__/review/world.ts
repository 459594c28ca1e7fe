/**
 * A pull request whose findings are written in its files, so that they follow the text: each line `bad: error rule-a p7 one` is
 * a finding with the identity p7, each line `keep: …` is one where it was taken away.
 */

import type { Finding, Severity } from '../../src/core/model.js';
import { GitHub } from '../../src/github/client.js';
import { markerId } from '../../src/review/marker.js';
import { type Review, review } from '../../src/review/review.js';
import { type Effect, FakeGitHub, type Wishes } from '../support/github/fake.js';
import { patchLines } from '../support/github/lines.js';
import { type Caps, type Changed, expected, type Own, type Situation, type Wanted } from './model.js';
import { runWith } from './run.js';

/** What a line says. `file`: the finding is known no better than by its file. `at`: it points elsewhere. */
const written = /^(bad|keep): (error|warning|notice) (\S+) (p\d+)( file)?(?: at (\S+):(\d+))? (\w+)$/;
export const bot = 'github-actions[bot]';

export type Files = Record<string, string>;
export type Outcome = { review: Review; before: string[]; requests: number };

export class World {
  readonly instances: string[];
  number = 0;
  private constructor(
    readonly fake: FakeGitHub,
    private readonly clock: { time: number },
    readonly caps: Caps,
    instances: string[],
  ) {
    this.instances = instances;
  }

  static async create(files: Files, caps: Caps, instances: string[], wishes: Wishes = {}): Promise<World> {
    const clock = { time: Date.parse('2026-01-01T00:00:00Z') };
    const fake = await FakeGitHub.create({ files, ...wishes, now: () => clock.time });
    return new World(fake, clock, caps, instances);
  }

  pass(minutes: number): void {
    this.clock.time += minutes * 60_000;
  }

  get head(): string {
    return this.fake.pull(this.number).head.sha;
  }

  /** The files of a commit. */
  async read(commit: string): Promise<Files> {
    const { repository } = this.fake.state;
    const blobs = (await repository.tree(commit, true)).filter(({ type }) => type === 'blob');
    const texts = await Promise.all(blobs.map(async ({ path, sha }) => [path, String(await repository.blob(sha))]));
    return Object.fromEntries(texts);
  }

  async findings(instance: string): Promise<Wanted[]> {
    const { mergeBase } = await this.fake.state.view(this.fake.pull(this.number));
    const before = problemsIn(await this.read(mergeBase));
    const now = problemsIn(await this.read(this.head));
    const ids = (problems: Written[]) => new Set(problems.map(({ id }) => id));
    const [old, still] = [ids(before.filter(isBad)), ids(now)];
    const words = (said: string, severity: string, id: string) => `${severity} ${id} ${said} for job${instance}`;
    const wanted = (one: Written, side: 'LEFT' | 'RIGHT'): Wanted => ({
      id: one.id,
      rule: one.rule,
      severity: one.severity,
      words: words(one.said, one.severity, one.id),
      ...(isSame(one) && { group: `${one.rule} ${one.severity} ${one.said}` }),
      isNew: side === 'LEFT' || !old.has(one.id),
      at: one.inFile ? { file: one.file, side: null, line: null } : { file: one.file, side, line: one.line },
    });
    return [
      ...now.filter(isBad).map((one) => wanted(one, 'RIGHT')),
      ...before.filter((one) => !isBad(one) && !still.has(one.id)).map((one) => wanted(one, 'LEFT')),
    ];
  }

  /** The threads that the bot began, as they are. */
  threads(instance: string): Own[] {
    return threadsOf(this.fake, this.number, (body) => {
      const [, id = '', words, job] = /\*\*`?(p\d+)`? (\w+) for job(\w*)\*\*$/m.exec(body) ?? [];
      const [, severity, rule] = /<sub>(\w+) · \[`(\w+)`/.exec(body) ?? [];
      if (job !== instance) return undefined;
      const ids = [
        id,
        ...[...body.matchAll(/^- `[^`]+` (?:\(before this change\) )?`(p\d+)`$/gm)].map(([, other]) => String(other)),
      ];
      const alike = `alike ${JSON.stringify([rule, severity, `"…" ${words} for job${job}`])}`;
      const isAbout = (key: string) => body.includes(` ${markerId(instance, key)} `);
      const isOne = isAbout(fingerprintOf(id)) || isAbout(`left ${fingerprintOf(id)}`);
      const isLeft = !isAbout(fingerprintOf(id)) && !isAbout(alike);
      const said = (name: string) => `${severity} ${name} ${words} for job${job}`;
      return {
        isLeft,
        id: isOne ? id : `${rule} ${severity} ${words}`,
        words: said(ids.join('+')),
        says: ids.map(said),
      };
    });
  }

  /** Everything on the pull request that the bot's own run did not begin. */
  others(): string[] {
    const own = new Set(this.instances.flatMap((instance) => this.threads(instance)).map(({ comment }) => comment));
    return this.fake
      .comments(this.number)
      .filter(({ id }) => !own.has(id))
      .map(({ id, user, body }) => `${id} ${user} ${body}`);
  }

  async situation(instance: string): Promise<Situation> {
    const [findings, diff] = [await this.findings(instance), await diffOf(this.fake, this.number)];
    return { findings, diff, threads: this.threads(instance), caps: this.caps, head: this.head.slice(0, 12) };
  }

  async review(instance: string, token = this.fake.token('write'), timeout?: number): Promise<Review> {
    const { apiUrl, fetch } = this.fake;
    const sleep = async (milliseconds: number) => {
      this.clock.time += milliseconds;
    };
    const clock = { now: () => this.clock.time, sleep };
    const how = { clock, ...(timeout !== undefined && { timeout }) };
    const github = new GitHub({ token, repository: 'acme/platform', apiUrl, fetch: fetch as never, ...how });
    const [findings, head] = [await this.findings(instance), this.head];
    return review(runWith(findings.map(toFinding)), github, {
      instance,
      pull: { number: this.number, head },
      limits: { ...this.caps, notices: true },
      url: (rule) => `https://example.org/${rule}`,
      suggestion: () => undefined,
    });
  }

  /** A run that nothing disturbs: what is wrong afterwards, in words. */
  async checked(instances: string[]): Promise<string[]> {
    const open = this.fake.pull(this.number).state === 'open';
    const situations = await Promise.all(instances.map((instance) => this.situation(instance)));
    const others = this.others();
    const known = new Set(this.fake.comments(this.number).map(({ id }) => id));
    const reviews = await Promise.all(instances.map((instance) => this.review(instance)));
    return instances.flatMap((instance, index) => {
      const situation = situations[index] as Situation;
      const wanted = (open ? expected(situation) : situation.threads).map(told);
      const now = this.threads(instance);
      const live = now.map((own) => told({ ...own, comment: known.has(Number(own.comment)) ? own.comment : 'new' }));
      const says = new Set(now.filter(({ moved, fixed }) => !moved && !fixed).flatMap((own) => own.says));
      const ought = situation.findings.filter(({ isNew, words }) => isNew && says.has(words)).map(({ id }) => id);
      return [
        ...different(`comments of "${instance}"`, wanted, live),
        // Nobody looks for what is shown on one that is closed.
        ...(open ? different(`shown by "${instance}"`, ought, [...(reviews[index]?.shown ?? [])].map(named)) : []),
        ...different('what others wrote', others, this.others()),
        ...this.broken(),
      ];
    });
  }

  /** A run in which something goes wrong, from its `at`-th request on. */
  async disturbed(
    instance: string,
    { at, times = 1, effect, token }: { at: number; times?: number; effect: Effect; token?: string | undefined },
  ): Promise<{ problems: string[]; requests: number }> {
    const { log } = this.fake;
    const isQuiet = typeof effect === 'string' || !('before' in effect);
    const [start, from, others] = [log.length, this.head, this.others()];
    // What people take away meanwhile, nobody can know of.
    const unsure = new Set(isQuiet ? [] : this.threads(instance).flatMap(idsOf));
    this.fake.fault({ at, times, effect });
    // Nobody waits long for what never comes.
    const { shown } = await this.review(instance, token, 150);
    this.fake.clearFaults();
    const now = this.threads(instance);
    const requests = log.slice(start);
    const liars = [...shown]
      .map(named)
      .filter((id) => !unsure.has(id) && !now.some((own) => idsOf(own).includes(id) && !own.moved && !own.fixed));
    const places = now
      .filter(({ moved, resolved }) => !moved && !resolved)
      .map(({ id, at }) => `${id} ${JSON.stringify(at)}`);
    // A head that moves before the first write was to be seen; one that is read later ends the run as well.
    const moved = this.head === from ? undefined : requests[at - 1]?.number;
    const writes = requests.filter(({ method, operation }) => method !== 'GET' && operation !== 'graphql');
    const read = requests.find(({ number, operation }) => operation === 'pulls/get' && number >= (moved ?? Infinity));
    const early = moved !== undefined && moved < (writes[0]?.number ?? 0);
    const late = early ? writes : writes.filter(({ number }) => read && number > read.number);
    const problems = [
      ...different('findings said to be shown that are not', [], liars),
      ...different(
        'comments that are there twice',
        [],
        places.filter((place, index) => places.indexOf(place) !== index),
      ),
      ...different(
        'writes after the head had moved',
        [],
        late.map(({ operation }) => String(operation)),
      ),
      ...(isQuiet ? different('what others wrote', others, this.others()) : []),
      ...this.broken(),
    ];
    return { problems, requests: requests.length };
  }

  private broken(): string[] {
    const { violations, leaks, foreignActs } = this.fake;
    return [
      ...different('violations', [], violations),
      ...different(
        'leaks',
        [],
        leaks.map(({ host }) => host),
      ),
      ...different(
        'foreign acts',
        [],
        foreignActs.map(({ act, user }) => `${act} what ${user} wrote`),
      ),
    ];
  }
}

/** What the pull request changes, as GitHub shows it. */
export async function diffOf(fake: FakeGitHub, number: number): Promise<Changed[]> {
  const { files } = await fake.state.view(fake.pull(number));
  return [...files.values()].map(({ path, previous, patch = '' }) => {
    const lines = patchLines(patch);
    const shown = (side: 'LEFT' | 'RIGHT') =>
      Array.from({ length: 500 }, (_, index) => index + 1).filter((line) => {
        const text = lines.find(side, line)?.text;
        return text !== undefined && (side === 'RIGHT' || text.startsWith('-'));
      });
    return { path, ...(previous && { previous }), LEFT: new Set(shown('LEFT')), RIGHT: new Set(shown('RIGHT')) };
  });
}

/** The threads that the bot began, as they are. `read` gives what a comment is about; undefined: not about a finding. */
export function threadsOf(
  fake: FakeGitHub,
  number: number,
  read: (body: string) => (Pick<Own, 'id' | 'words' | 'says'> & { isLeft?: boolean }) | undefined,
): Own[] {
  const comments = fake.comments(number);
  return comments.flatMap((comment): Own[] => {
    const { thread, body, id, user } = comment;
    const first = comments.find((one) => one.thread === thread);
    const found = first === comment && user === bot ? read(body) : undefined;
    if (!found) return [];
    const { isLeft = false, ...said } = found;
    const onFile = thread.subject === 'file';
    return [
      {
        ...said,
        comment: id,
        at: { file: thread.path, side: onFile ? null : thread.side, line: onFile ? null : thread.line },
        replied: comments.some((one) => one.thread === thread && one !== comment),
        resolved: thread.resolvedBy !== null,
        moved: isLeft,
        added: body.endsWith(addedWords),
        reworded: body.includes(changedWords),
        fixed: /^\*\*No longer reported at ([0-9a-f]+)\./.exec(body)?.[1],
      },
    ];
  });
}

/** What a person writes below a comment, and into it. */
export const addedWords = '\n\nWe know.';
export const changedWords = '\n\nHm.\n\n';

const idsOf = ({ says }: Own) => says.map((words) => words.split(' ')[1] as string);

/** Rules whose findings are the same but for a name in quotes. */
const isSame = ({ rule }: { rule: string }) => rule.startsWith('same');

function fingerprintOf(id: string): string {
  return Buffer.from(id).toString('hex').padEnd(32, '0');
}

type Written = {
  kind: string;
  severity: Severity;
  rule: string;
  id: string;
  inFile: boolean;
  said: string;
  file: string;
  line: number;
};
const isBad = ({ kind }: Written) => kind === 'bad';

function problemsIn(files: Files): Written[] {
  const found = new Map<string, Written>();
  for (const [file, text] of Object.entries(files)) {
    text.split('\n').forEach((content, index) => {
      const [, kind = '', severity, rule = '', id = '', inFile, other, line, said = ''] = written.exec(content) ?? [];
      if (!severity || found.has(id)) return;
      const place = other ? { file: other, line: Number(line) } : { file, line: index + 1 };
      found.set(id, { kind, severity: severity as Severity, rule, id, inFile: inFile !== undefined, said, ...place });
    });
  }
  return [...found.values()];
}

function toFinding({ id, rule, severity, words, isNew, at: { file, side, line } }: Wanted): Finding {
  return {
    rule,
    severity,
    message: words.replace(/^\w+ /, '').replace(id, isSame({ rule }) ? `"${id}"` : id),
    at: {
      revision: side === 'LEFT' ? 'base' : 'head',
      file,
      range: { start: { line: line ?? 1, column: 1 }, end: { line: line ?? 1, column: 2 } },
    },
    precision: side === null ? 'file' : 'exact',
    field: ['a', id],
    related: [],
    entrypoints: [],
    fingerprint: fingerprintOf(id),
    ...(isNew !== undefined && { isNew }),
    assumes: [],
  };
}

const named = (fingerprint: string) => Buffer.from(fingerprint.replace(/(00)+$/, ''), 'hex').toString();

export function told({ comment, id, words, at, replied, resolved, fixed, moved, added, reworded }: Own): string {
  const place = at.side ? `${at.file}:${at.line ?? 'outdated'} ${at.side}` : at.file;
  const people = [replied && 'replied', added && 'added to', reworded && 'reworded', resolved && 'resolved'];
  const state = [...people, fixed && `fixed at ${fixed}`, moved && 'moved'].filter(Boolean);
  return [id, `"${words}"`, 'on', place, comment, ...state].join(' ');
}

export function different(what: string, wanted: string[], got: string[]): string[] {
  const lacks = (from: string[], of: string[]) =>
    from.filter((one, index) => from.indexOf(one) === index && !of.includes(one));
  const twice = got.filter((one, index) => got.indexOf(one) !== index && !wanted.includes(one));
  const lines = [
    ...lacks(wanted, got).map((one) => `  missing: ${one}`),
    ...lacks(got, wanted).map((one) => `  too much: ${one}`),
    ...twice.map((one) => `  twice: ${one}`),
    ...(wanted.length !== got.length ? [`  ${wanted.length} expected, ${got.length} there`] : []),
  ];
  return lines.length > 0 ? [`${what}:`, ...lines] : [];
}
