/** A run of a directory of a repository, told with the paths of the whole repository: those that a git host knows. */
import { posix } from 'node:path';
import { defined } from '../core/defined.js';
import type { Diff, Finding, Fix, Location, Run } from '../core/model.js';
import { once } from '../core/once.js';

/** `prefix` is the directory's own path, with a slash at its end, or empty. */
export function relocated(run: Run, prefix: string): Run {
  if (prefix === '') return run;
  const at = (location: Location): Location => ({ ...location, file: posix.join(prefix, location.file) });
  const relocatedFix = (work: () => Fix | undefined) =>
    once(() => {
      const fix = work();
      return fix && { ...fix, edits: fix.edits.map((edit) => ({ ...edit, at: at(edit.at) })) };
    });
  const finding = (one: Finding): Finding => ({
    ...one,
    at: at(one.at),
    related: one.related.map((other) => ({ ...other, at: at(other.at) })),
    ...(one.fix && { fix: relocatedFix(one.fix) }),
  });
  const inside = (file: string) => (file.startsWith(prefix) ? file.slice(prefix.length) : undefined);
  return {
    ...run,
    findings: run.findings.map(finding),
    ignored: run.ignored.map((one) => ({ ...one, finding: finding(one.finding) })),
    notChecked: run.notChecked.map((one) => ({
      ...one,
      ...(one.file !== undefined && { file: posix.join(prefix, one.file) }),
    })),
    ...defined({ diffs: run.diffs && relocatedDiffs(run.diffs, prefix) }),
    sources: {
      text: (revision, file) => {
        const own = inside(file);
        return own === undefined ? undefined : run.sources.text(revision, own);
      },
      has: (revision, file) => {
        const own = inside(file);
        return own !== undefined && run.sources.has(revision, own);
      },
      secrets: (revision, file) => {
        const own = inside(file);
        return own === undefined ? {} : run.sources.secrets(revision, own);
      },
    },
  };
}

/** The same for what changes in a cluster. */
export function relocatedDiffs(diffs: readonly Diff[], prefix: string): Diff[] {
  const placed = <Part extends { at?: Location }>(part: Part): Part =>
    part.at ? { ...part, at: { ...part.at, file: posix.join(prefix, part.at.file) } } : part;
  return diffs.map((diff) => ({
    ...diff,
    objects: diff.objects.map((object) => ({ ...placed(object), fields: object.fields.map(placed) })),
  }));
}
