/**
 * A file that git has and Flux does not: source-controller leaves it out of the artifact that is built (flux/FACTS.md, Artifact).
 */
import { posix } from 'node:path';
import type { ExcludedFile, Place, Problem, Tree } from '../core/model.js';
import { SourceText } from '../yaml/source-text.js';

/** The first of them that a build would have found at one of the paths, or on the way to it, or below it. */
export function lostAt(lost: readonly ExcludedFile[], paths: readonly string[]): ExcludedFile | undefined {
  const isAt = (path: string, other: string) => path === other || path.startsWith(`${other}/`);
  return lost.find((one) => paths.some((path) => isAt(one.path, path) || (!isIgnored(one) && isAt(path, one.path))));
}

function isIgnored({ because }: ExcludedFile): boolean {
  return because === 'ignored';
}

/** The same from where an entry stands as well, as some errors name what the entry says. */
export function lostFrom(
  lost: readonly ExcludedFile[],
  paths: readonly string[],
  kustomization = '',
): ExcludedFile | undefined {
  const folder = posix.dirname(kustomization);
  return lostAt(
    lost,
    paths.flatMap((path) => [posix.normalize(path), posix.join(folder, path)]),
  );
}

/** What to say of it: the rule, why Flux does not have it, and what to do. */
export function explainExcluded(one: ExcludedFile, tree: Tree): Pick<Problem, 'rule' | 'message' | 'help' | 'related'> {
  const { path, because, from } = one;
  if (because === 'link') {
    return {
      rule: 'symlink',
      message: `"${path}" is a symbolic link, and Flux ignores symbolic links`,
      help: 'refer to the target of the link, or commit a copy of it',
    };
  }
  if (because === 'submodule') {
    return {
      rule: 'ignored-file',
      message: `"${path}" is a submodule, which Flux does not fetch unless the GitRepository has spec.recurseSubmodules`,
      help: 'apply it with a GitRepository and a Flux Kustomization of its own, or set spec.recurseSubmodules; the linter checks it in neither case',
    };
  }
  const pattern = one.pattern?.trim() ?? '';
  const at = patternAt(one, tree);
  return {
    rule: 'ignored-file',
    message: `"${path}" is excluded by ${from ? `pattern "${pattern}" of ${from}` : `Flux's default pattern "${pattern}"`}, so Flux does not have it`,
    help: from
      ? `narrow the pattern, or add "!${posix.relative(posix.dirname(from), path)}" below it`
      : `rename it, or add "!/${path}" to .sourceignore, which also disables Flux's default patterns except those for git's files`,
    ...(at && { related: [{ message: 'left out by this pattern', at }] }),
  };
}

/** The last line with the pattern is the one that decides. */
export function patternAt({ from, pattern = '' }: ExcludedFile, tree: Tree): Place | undefined {
  const source = from ? new SourceText(tree.text(from) ?? '') : undefined;
  if (!from || !source) return undefined;
  for (let number = source.lineCount; number > 0; number--) {
    const text = source.line(number);
    if (text.trimEnd() !== pattern.trimEnd()) continue;
    const [start, end] = [1, text.trimEnd().length + 1].map((column) => ({ line: number, column }));
    return start && end && { file: from, range: { start, end } };
  }
  return undefined;
}

/** Git LFS keeps the content elsewhere and leaves this in the repository, which is what Flux fetches. */
export function isPointer(text: string | undefined): boolean {
  return text?.startsWith('version https://git-lfs.github.com/spec/') ?? false;
}

export function explainPointer(file: string): Pick<Problem, 'rule' | 'message' | 'help'> {
  return {
    rule: 'ignored-file',
    message: `"${file}" is in Git LFS, which Flux does not fetch, so it builds with the pointer file instead`,
    help: 'commit the file itself',
  };
}
