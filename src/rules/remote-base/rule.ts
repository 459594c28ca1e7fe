import { isKustomizationFile } from '../../core/kustomization.js';
import type { FieldPath, Place, Problem, Tree } from '../../core/model.js';
import { parseSyntax } from '../../yaml/syntax.js';
import type { Rule, RuleContext } from '../rule.js';

const messages = {
  pinned: 'A remote base is not rendered, so none of its objects are checked, although its commit cannot change',
};

type Reference = { file: string; path: FieldPath; text: string };

export default {
  id: 'remote-base',
  group: 'kustomize',
  severity: 'error',
  summary: 'a kustomization.yaml fetches a remote base at every build, which is neither reviewed nor checked here',
  messages,
  wordsIn: ['src/render/error-messages.ts'],
  reportsRefusals: true,
  check(context) {
    for (const rendered of context.entrypoints) {
      if (rendered.ok || rendered.problem.rule !== 'remote-base') continue;
      const { entrypoint, files, problem } = rendered;
      context.notChecked(`all that "${entrypoint.path}" renders`, 'a remote base is not fetched');
      const { at } = problem;
      say(problem, at, textAt(at, context.tree), context);
      for (const { file, path, text } of referencesIn(files, context.tree)) {
        if ('path' in at && 'file' in at && at.file === file && `${at.path}` === `${path}`) continue;
        say(problem, { file, document: 0, path, part: 'value' }, text, context);
      }
    }
  },
} satisfies Rule;

/** What the base has already is advice, and so is what can only change with a commit here. */
function say(problem: Problem, at: Place, text: string | undefined, { base, report }: RuleContext): void {
  const isOld = 'file' in at && text !== undefined && base?.tree.text(at.file)?.includes(text);
  const { assumes: _, ...said } = problem;
  const isPinned = text !== undefined && isCommit(refOf(text));
  report({
    ...said,
    at,
    ...(isPinned && {
      message: messages.pinned,
      help: 'copy it into the repository, where it is reviewed and checked',
    }),
    ...((isOld || isPinned) && { severity: 'warning' as const }),
  });
}

/** A build stops at the first one; the others stand in the same lists. */
function referencesIn(files: readonly string[], tree: Tree): Reference[] {
  return files
    .filter(isKustomizationFile)
    .flatMap((file) =>
      ['resources', 'bases', 'components'].flatMap((list) =>
        [...entries(tree.text(file) ?? '', list)].flatMap(({ path, text }) =>
          isRemote(text) ? [{ file, path, text }] : [],
        ),
      ),
    );
}

function* entries(content: string, list: string): Generator<{ path: FieldPath; text: string }> {
  const syntax = parseSyntax(content);
  for (let index = 0; ; index++) {
    const path = [list, index];
    const value = syntax?.find(path)?.value;
    if (!value) return;
    yield { path, text: content.slice(value.start, value.end) };
  }
}

/** The branch, tag or commit that kustomize asks for: `ref`, else `version` (its `api/internal/git`, repospec.go). */
function refOf(text: string): string {
  const [, query = ''] = text.replace(/["']/g, '').split('?');
  const parameters = new URLSearchParams(query);
  return parameters.get('ref') || parameters.get('version') || '';
}

/** A shorter one may come to stand for another commit, and may be the name of a branch. */
function isCommit(ref: string): boolean {
  return /^[\da-f]{40}$/i.test(ref);
}

/** What kustomize never takes for a path of its own. */
function isRemote(text: string): boolean {
  return /^["']?(?:git::|(?:https?|ssh|git):\/\/|git@)/.test(text);
}

/** As it is written, to look for in the base; undefined where only the file is known. */
function textAt(at: Place, tree: Tree): string | undefined {
  if (!('path' in at && 'file' in at)) return undefined;
  const content = tree.text(at.file) ?? '';
  const value = parseSyntax(content)?.find(at.path)?.value;
  return value && content.slice(value.start, value.end).trim();
}
