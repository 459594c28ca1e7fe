/** Findings that an old repository begins with: a file lists them, and they do not count. What is not in it is new. */

import type { Finding, Json } from '../core/model.js';
import { formatPath, isObject, label } from '../core/object.js';

/** The file, as it is named in messages, and its text. */
export type BaselineFile = { file: string; text: string };

/** What a finding is known by in the file: one id for each object and directory that it is of. */
export type IdsOf = (finding: Finding) => readonly string[];

/** Goes up when an older file can no longer be read. */
const version = 1;
/** In UTF-16 units: some hundred thousand findings. */
const maxText = 1 << 25;

export class Baseline {
  private constructor(
    readonly file: string,
    private readonly ids: readonly string[],
  ) {}

  /** Throws an `Error` that says what is wrong with the text. */
  static read({ file, text }: BaselineFile): Baseline {
    return new Baseline(file, idsIn(text));
  }

  /** Says of findings, one after another, whether the file has all of it; each entry is taken once. */
  taker(idsOf: IdsOf): { take(finding: Finding): boolean; left(): number } {
    const left = new Map<string, number>();
    for (const id of this.ids) left.set(id, (left.get(id) ?? 0) + 1);
    const add = (id: string, count: number) => left.set(id, (left.get(id) ?? 0) + count);
    const take = (finding: Finding) => {
      const taken: string[] = [];
      for (const id of idsOf(finding)) {
        if ((left.get(id) ?? 0) > 0) {
          add(id, -1);
          taken.push(id);
          continue;
        }
        for (const one of taken) add(one, 1);
        return false;
      }
      return true;
    };
    return { take, left: () => [...left.values()].reduce((sum, count) => sum + count, 0) };
  }
}

/** A line for each entry, in reading order, so that a change of the file can be reviewed. `hide` leaves out what is secret. */
export function baselineText(
  findings: readonly Finding[],
  linter: { idsOf: IdsOf },
  hide: (finding: Finding) => Finding,
): string {
  const entries = findings.flatMap((finding) => {
    const { rule, at, object, field } = hide(finding);
    const words = {
      rule,
      file: at.file,
      ...(object && { object: label(object) }),
      ...(field.length > 0 && { field: formatPath(field) }),
    };
    return linter.idsOf(finding).map((id) => JSON.stringify({ ...words, id }));
  });
  const lines = entries.map((entry) => `    ${entry}`).join(',\n');
  return `{\n  "version": ${version},\n  "findings": [${entries.length > 0 ? `\n${lines}\n  ` : ''}]\n}\n`;
}

function idsIn(text: string): string[] {
  if (text.length > maxText) throw new Error('is larger than any baseline');
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('is not JSON');
  }
  if (!isObject(value) || !Array.isArray(value.findings)) throw new Error('is not a baseline');
  if (value.version !== version) throw new Error(`has version ${JSON.stringify(value.version)}, and not ${version}`);
  return value.findings.map((entry) => {
    const id = isObject(entry) ? entry.id : undefined;
    if (typeof id !== 'string') throw new Error('has an entry without an id');
    return id;
  });
}
