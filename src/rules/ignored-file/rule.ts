import { join } from 'node:path/posix';
import { defined } from '../../core/defined.js';
import { groupBy } from '../../core/group.js';
import { isKustomizationFile, kustomizationsIn } from '../../core/kustomization.js';
import type { ExcludedFile, Place, Rendered, Tree } from '../../core/model.js';
import { isBelow, isGenerated, isListed } from '../../flux/generated-kustomization.js';
import { explainExcluded, explainPointer, isPointer, lostAt, patternAt } from '../../render/excluded-files.js';
import type { Rule, RuleContext } from '../rule.js';
import { firstObjectIn } from '../support/manifests.js';

const messages = {
  componentLeftOut: (why: string) => `${why} and ignores the component`,
  allTakenForManifests: (why: string) => `${why} and applies every YAML file of the folder`,
  patternKeepsManifests: (pattern: string | undefined, path: string, files: string) =>
    `pattern "${pattern}" excludes manifests that Flux would apply from "${path}": ${files}`,
};

/** What a kustomization names and Flux does not have is reported by the render stage, as the build is refused. */
export default {
  id: 'ignored-file',
  group: 'flux',
  severity: 'error',
  summary: 'a file that Flux does not fetch: excluded by .sourceignore or by default, in a submodule, or in Git LFS',
  messages,
  check(context) {
    const { entrypoints, tree, report } = context;
    for (const rendered of entrypoints) {
      if (!rendered.ok) continue;
      const entrypoint = rendered.entrypoint.path;
      for (const file of rendered.files.filter((one) => isPointer(tree.text(one)))) {
        report({ ...explainPointer(file), severity: 'warning', at: { file }, entrypoint });
      }
      reportComponents(rendered, context);
      if (isGenerated(rendered, tree)) reportUnlisted(rendered, context);
    }
  },
} satisfies Rule;

/** Components of the Flux Kustomization that may be missing are ignored silently. */
function reportComponents({ entrypoint, lost }: Rendered, { tree, report }: RuleContext): void {
  const { path, declaredAt, kustomization } = entrypoint;
  if (!kustomization.ignoreMissingComponents || !declaredAt) return;
  for (const [index, component] of (kustomization.components ?? []).entries()) {
    const folder = join(path, component);
    const one = lostAt(lost, kustomizationsIn(folder));
    if (!one) continue;
    const { message, help } = explainExcluded(one, tree);
    const at: Place = { ...declaredAt, path: ['spec', 'components', index] };
    report({
      message: messages.componentLeftOut(message),
      ...(help && { help }),
      at,
      entrypoint: path,
    });
  }
}

/** Without a kustomization in the folder, what Flux does not see is just not there. */
function reportUnlisted(rendered: Rendered, { tree, report }: RuleContext): void {
  const { entrypoint, lost } = rendered;
  const ignored = lost.filter(({ because, path }) => because === 'ignored' && isBelow(path, entrypoint.path));
  const unseen = ignored.find(({ path }) => kustomizationsIn(entrypoint.path).includes(path));
  if (unseen) {
    const { message, help, related } = explainExcluded(unseen, tree);
    report({
      message: messages.allTakenForManifests(message),
      ...(help && { help }),
      at: { file: unseen.path },
      ...defined({ related }),
      entrypoint: entrypoint.path,
    });
    return;
  }
  const manifests = ignored.filter(
    ({ path, from }) =>
      from !== undefined && isListed(path, rendered, tree) && !isKustomizationFile(path) && firstObjectIn(path, tree),
  );
  const groups = groupBy(manifests, ({ from, pattern }) => `${from}\n${pattern}`);
  for (const group of groups.values()) reportPattern(group, rendered, tree, report);
}

/** Somebody may well have meant it, so it is said once for a pattern. */
function reportPattern(
  group: ExcludedFile[],
  { entrypoint }: Rendered,
  tree: Tree,
  report: RuleContext['report'],
): void {
  const [first] = group;
  const at = first && patternAt(first, tree);
  if (!first || !at) return;
  report({
    message: messages.patternKeepsManifests(first.pattern?.trim(), entrypoint.path, listed(group)),
    help: 'narrow the pattern if they are to be applied',
    severity: 'notice',
    at,
    entrypoint: entrypoint.path,
  });
}

function listed(group: readonly ExcludedFile[]): string {
  const files = group.slice(0, 3).map(({ path }) => `"${path}"`);
  return `${files.join(', ')}${group.length > 3 ? ` and ${group.length - 3} more` : ''}`;
}
