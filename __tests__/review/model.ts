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
  /** On the head, or (`LEFT`) on what was there before; without a line: somewhere in the file. */
  at: Place;
};
/** A file of the pull request, with the lines that its hunks show: all of the head, and what was taken away of the base. */
export type Changed = { path: string; previous?: string; LEFT: ReadonlySet<number>; RIGHT: ReadonlySet<number> };
/** A thread that the bot began. `comment`: its first comment. `fixed`: the commit at which its finding was gone. */
export type Own = {
  comment: number | 'new';
  id: string;
  words: string;
  at: Place;
  replied: boolean;
  resolved: boolean;
  fixed?: string | undefined;
  /** Its line had changed below an answer, so the finding was said anew: this one is left to people. */
  moved?: boolean;
};
export type Caps = { comments: number; files: number };
export type Situation = { findings: Wanted[]; diff: Changed[]; threads: Own[]; caps: Caps; head: string };

export function expected({ threads, ...situation }: Situation): Own[] {
  const left = threads.filter(({ moved }) => moved);
  return [...left, ...expectedOf({ ...situation, threads: threads.filter(({ moved }) => !moved) })];
}

function expectedOf({ findings, diff, threads, caps, head }: Situation): Own[] {
  const wanted = findings.filter(({ isNew }) => isNew !== false);
  const stands = once(threads, wanted, diff).flatMap((thread): Own[] => {
    const finding = wanted.find(({ id }) => id === thread.id);
    if (thread.resolved) return [thread];
    if (!finding) return thread.replied ? [{ ...thread, fixed: thread.fixed ?? head }] : [];
    const place = placeOf(finding, diff);
    const outdated = thread.at.side !== null && thread.at.line === null;
    if (place?.line && outdated && thread.replied)
      return [{ ...thread, moved: true, fixed: undefined }, fresh(finding, place)];
    const elsewhere = place?.line && !same(place, thread.at) && !thread.replied;
    return [elsewhere ? fresh(finding, place) : { ...thread, words: finding.words, fixed: undefined }];
  });
  const said = new Set(stands.map(({ id }) => id));
  const advised = new Set(wanted.filter(({ severity, id }) => severity === 'notice' && said.has(id)).map(ruleOf));
  for (const finding of inTurn(wanted.filter((one) => placeOf(one, diff)))) {
    const place = placeOf(finding, diff) as Place;
    const advice = finding.severity === 'notice';
    if (said.has(finding.id) || (advice && (!place.line || advised.has(finding.rule)))) continue;
    const open = stands.filter(({ resolved, fixed, moved }) => !resolved && !fixed && !moved);
    if (open.length >= caps.comments) break;
    if (!place.line && open.filter(({ at }) => !at.side).length >= caps.files) continue;
    stands.push(fresh(finding, place));
    if (advice) advised.add(finding.rule);
  }
  return stands;
}

/** Its line if the diff shows it, else its file if the diff has that. */
function placeOf({ at }: Wanted, diff: Changed[]): Place | undefined {
  const file = diff.find(({ path, previous }) => (at.side === 'LEFT' ? (previous ?? path) : path) === at.file);
  if (!file) return undefined;
  const shows = at.side && at.line && file[at.side].has(at.line);
  return shows ? { ...at, file: file.path } : { file: file.path, side: null, line: null };
}

/** The worst first; of equals the first of each file, then the second of each. */
function inTurn(findings: Wanted[]): Wanted[] {
  const turn = (one: Wanted) =>
    findings.filter(({ severity, at }) => severity === one.severity && at.file === one.at.file).indexOf(one);
  const rank = ({ severity }: Wanted) => ['error', 'warning', 'notice'].indexOf(severity);
  return [...findings].sort((a, b) => rank(a) - rank(b) || turn(a) - turn(b));
}

/** After a failure a finding may be told twice: what is settled stays, or answered, or on the line, or older. */
function once(threads: Own[], wanted: Wanted[], diff: Changed[]): Own[] {
  const right = ({ id, at }: Own) => wanted.some((one) => one.id === id && same(placeOf(one, diff), at));
  const rank = (one: Own) => (one.resolved ? 0 : one.replied ? 1 : right(one) ? 2 : 3);
  const ordered = [...threads].sort((a, b) => rank(a) - rank(b) || Number(a.comment) - Number(b.comment));
  return ordered.filter(
    (one, index) => one.resolved || one.replied || ordered.findIndex(({ id }) => id === one.id) === index,
  );
}

function fresh({ id, words }: Wanted, at: Place): Own {
  return { comment: 'new', id, words, at, replied: false, resolved: false };
}

const same = (a: Place | undefined, b: Place) => a?.file === b.file && a.side === b.side && a.line === b.line;
const ruleOf = ({ rule }: Wanted) => rule;
