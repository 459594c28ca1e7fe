/**
 * What the bot's comments are after a run, in the words of the promise to the user and not of the product: a second
 * opinion for the property tests.
 */
export type Place = { file: string; side: 'LEFT' | 'RIGHT' | null; line: number | null };
export type Wanted = {
  id: string;
  rule: string;
  severity: 'error' | 'warning' | 'notice';
  words: string;
  isNew?: boolean;
  /** Those of one name say the same of several names. */
  group?: string;
  /** On the head, or (`LEFT`) on what was there before; without a line: somewhere in the file. */
  at: Place;
};
/** A file of the pull request, with the lines that its hunks show: all of the head, and what was taken away of the base. */
export type Changed = { path: string; previous?: string; LEFT: ReadonlySet<number>; RIGHT: ReadonlySet<number> };
/** A thread that the bot began. `comment`: its first comment. `fixed`: the commit at which its finding was gone. */
export type Own = {
  comment: number | 'new';
  /** Of its finding, or of its group. */
  id: string;
  words: string;
  /** Each finding in it, as it says it. */
  says: string[];
  at: Place;
  replied: boolean;
  resolved: boolean;
  fixed?: string | undefined;
  /** Its line had changed below an answer, so the finding was said anew: this one is left to people. */
  moved?: boolean;
  /** A person has written below our words, or into them. */
  added?: boolean;
  reworded?: boolean;
};
export type Caps = { comments: number; files: number };
export type Situation = { findings: Wanted[]; diff: Changed[]; threads: Own[]; caps: Caps; head: string };
/** What one comment is about: the first of it stands for all. */
type Topic = { id: string; findings: Wanted[] };
/** `lead`: the finding that stands there. */
type Spot = { place: Place; lead: Wanted };

export function expected({ findings, diff, threads, caps, head }: Situation): Own[] {
  const wanted = findings.filter(({ isNew }) => isNew !== false);
  const open = threads.filter(({ resolved, moved }) => !resolved && !moved);
  const settled = wanted.filter((one) => isSettled(one, threads));
  const topics = topicsOf(
    wanted.filter((one) => !settled.includes(one)),
    open,
  );
  const topicOf = ({ id }: Own) => topics.find((topic) => topic.id === id);
  const spotsOf = (topic: Topic | undefined) => (topic ? spots(topic, diff) : []);
  const stands = once(open, (own) => spotsOf(topicOf(own)).map(({ place }) => place)).flatMap((thread): Own[] => {
    const topic = topicOf(thread);
    if (!topic) return isAnswered(thread) ? [{ ...thread, fixed: thread.fixed ?? head }] : [];
    const all = spotsOf(topic);
    const here = all.find(({ place }) => same(place, thread.at));
    const outdated = thread.at.side !== null && thread.at.line === null;
    const isTheirs = thread.reworded && thread.fixed;
    if (all[0]?.place.line && (isTheirs || (!here && (outdated || !isAnswered(thread))))) {
      const next = fresh(topic, all[0]);
      return isAnswered(thread) ? [{ ...thread, moved: true, fixed: undefined }, next] : [next];
    }
    if (thread.reworded && !thread.fixed) return [thread];
    return [{ ...thread, ...wordsOf(topic, here?.lead), fixed: undefined, reworded: false }];
  });
  const has = new Set(stands.filter(({ moved }) => !moved).map(({ id }) => id));
  const told = [...settled, ...topics.filter(({ id }) => has.has(id)).flatMap((topic) => topic.findings)];
  const advised = new Set(told.filter(({ severity }) => severity === 'notice').map(({ rule }) => rule));
  for (const topic of inTurn(topics.filter((one) => spots(one, diff).length > 0))) {
    if (has.has(topic.id)) continue;
    const best = spots(topic, diff)[0] as Spot;
    const [{ severity, rule }] = topic.findings as [Wanted];
    if (severity === 'notice' && (!best.place.line || advised.has(rule))) continue;
    const used = stands.filter(({ fixed, moved }) => !fixed && !moved);
    if (used.length >= caps.comments) break;
    if (!best.place.line && used.filter(({ at }) => !at.side).length >= caps.files) continue;
    stands.push(fresh(topic, best));
    if (severity === 'notice') advised.add(rule);
  }
  const left = threads.map((own) => leftOf(own, topics, head)).filter((own) => own !== undefined);
  return [...left, ...stands];
}

/** What people have settled stays as it is; what goes on in a newer comment says so until that is over. */
function leftOf(own: Own, topics: Topic[], head: string): Own | undefined {
  if (own.resolved) return own;
  if (!own.moved) return undefined;
  if (topics.some(({ id }) => id === own.id)) return own;
  return isAnswered(own) ? { ...own, fixed: own.fixed ?? head } : undefined;
}

/** By people, as it was then; what they still talk about elsewhere is not. */
function isSettled({ id, words }: Wanted, threads: Own[]): boolean {
  const talk = threads.some((own) => own.id === id && !own.resolved && !own.moved && isAnswered(own));
  return !talk && threads.some(({ resolved, fixed, says }) => resolved && !fixed && says.includes(words));
}

/** By a reply, or by words in the comment itself. */
function isAnswered({ replied, added, reworded }: Own): boolean {
  return replied || added === true || reworded === true;
}

/** More than three that say the same are one; what has a comment of its own keeps it, and a group that has one stays together. */
function topicsOf(wanted: Wanted[], open: Own[]): Topic[] {
  const isOpen = (name: string) => open.some(({ id }) => id === name);
  return wanted.flatMap((one): Topic[] => {
    const alike = wanted.filter((other) => one.group && other.group === one.group && !isOpen(other.id));
    const isTogether = alike.includes(one) && (alike.length > 3 || isOpen(one.group ?? ''));
    if (!isTogether) return [{ id: one.id, findings: [one] }];
    return alike[0] === one ? [{ id: one.group ?? '', findings: alike }] : [];
  });
}

/** The best first. */
function spots({ findings }: Topic, diff: Changed[]): Spot[] {
  const all = findings.flatMap((lead) => {
    const place = placeOf(lead, diff);
    return place ? [{ place, lead }] : [];
  });
  return [...all.filter(({ place }) => place.line), ...all.filter(({ place }) => !place.line)];
}

/** Its line if the diff shows it, else its file if the diff has that. */
function placeOf({ at }: Wanted, diff: Changed[]): Place | undefined {
  const file = diff.find(({ path, previous }) => (at.side === 'LEFT' ? (previous ?? path) : path) === at.file);
  if (!file) return undefined;
  const shows = at.side && at.line && file[at.side].has(at.line);
  return shows ? { ...at, file: file.path } : { file: file.path, side: null, line: null };
}

/** The worst first; of equals the first of each file, then the second of each. */
function inTurn(topics: Topic[]): Topic[] {
  const first = ({ findings }: Topic) => findings[0] as Wanted;
  const rank = (topic: Topic) => ['error', 'warning', 'notice'].indexOf(first(topic).severity);
  const turn = (topic: Topic) =>
    topics.filter((one) => rank(one) === rank(topic) && first(one).at.file === first(topic).at.file).indexOf(topic);
  return [...topics].sort((a, b) => rank(a) - rank(b) || turn(a) - turn(b));
}

/** After a failure a finding may be told twice: what is answered stays, or on the line, or older. */
function once(threads: Own[], placesOf: (own: Own) => Place[]): Own[] {
  const isRight = (own: Own) => placesOf(own).some((place) => same(place, own.at));
  const rank = (one: Own) => (isAnswered(one) ? 0 : isRight(one) ? 1 : 2);
  const ordered = [...threads].sort((a, b) => rank(a) - rank(b) || Number(a.comment) - Number(b.comment));
  return ordered.filter((one, index) => isAnswered(one) || ordered.findIndex(({ id }) => id === one.id) === index);
}

/** Of all of a topic, the one that stands there first. */
function wordsOf({ findings }: Topic, lead = findings[0]): Pick<Own, 'words' | 'says'> {
  const all = [lead as Wanted, ...findings.filter((one) => one !== lead)];
  const [{ words, id }] = all as [Wanted];
  return { words: words.replace(id, all.map((one) => one.id).join('+')), says: all.map((one) => one.words) };
}

function fresh(topic: Topic, { place, lead }: Spot): Own {
  return { comment: 'new', id: topic.id, ...wordsOf(topic, lead), at: place, replied: false, resolved: false };
}

const same = (a: Place | undefined, b: Place) => a?.file === b.file && a.side === b.side && a.line === b.line;
