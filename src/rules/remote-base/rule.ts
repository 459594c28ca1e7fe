import { isKustomizationFile } from '../../core/kustomization.js';
import type { FieldPath, Place, Problem, Tree } from '../../core/model.js';
import { parseSyntax } from '../../yaml/syntax.js';
import type { Rule, RuleContext } from '../rule.js';

type Reference = { file: string; path: FieldPath };

export default {
  id: 'remote-base',
  group: 'kustomize',
  severity: 'error',
  summary: 'a kustomization.yaml fetches a remote base at every build, which is neither reviewed nor checked here',
  wordsIn: ['src/render/error-messages.ts'],
  reportsRefusals: true,
  check(context) {
    for (const rendered of context.entrypoints) {
      if (rendered.ok || rendered.problem.rule !== 'remote-base') continue;
      const { entrypoint, files, problem } = rendered;
      context.notChecked(`all that "${entrypoint.path}" renders`, 'a remote base is not fetched');
      const { at } = problem;
      reportAt(problem, at, context);
      for (const { file, path } of referencesIn(files, context.tree)) {
        if ('path' in at && 'file' in at && at.file === file && `${at.path}` === `${path}`) continue;
        reportAt(problem, { file, document: 0, path, part: 'value' }, context);
      }
    }
  },
} satisfies Rule;

function reportAt(problem: Problem, at: Place, { report }: RuleContext): void {
  const { assumes: _, ...said } = problem;
  report({ ...said, at });
}

/** A build stops at the first one; the others stand in the same lists. */
function referencesIn(files: readonly string[], tree: Tree): Reference[] {
  return files
    .filter(isKustomizationFile)
    .flatMap((file) =>
      ['resources', 'bases', 'components'].flatMap((list) =>
        [...entries(tree.text(file) ?? '', list)].flatMap(({ path, text }) => (isRemote(text) ? [{ file, path }] : [])),
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

/** What kustomize never takes for a path of its own. */
function isRemote(text: string): boolean {
  return /^["']?(?:git::|(?:https?|ssh|git):\/\/|git@)/.test(text);
}
