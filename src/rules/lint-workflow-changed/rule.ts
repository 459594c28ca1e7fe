import type { Tree } from '../../core/model.js';
import { workflows as folder } from '../../tree/tree.js';
import type { Rule } from '../rule.js';

const messages = {
  changed: (change: string, file: string) => `workflow "${file}", which runs this check, is ${change} by this change`,
};

export default {
  id: 'lint-workflow-changed',
  group: 'configuration',
  severity: 'notice',
  summary: 'the change modifies the workflow that runs this check',
  messages,
  needsBase: true,
  check({ tree, base, report }) {
    if (!base) return;
    const isKnownAbove = tree.workflowsAbove !== undefined && base.tree.workflowsAbove !== undefined;
    const [after, earlier] = [workflows(tree, isKnownAbove), workflows(base.tree, isKnownAbove)];
    const isOfLinter = (file: string) => [after, earlier].some((of) => of.get(file)?.includes('customizer-lint'));
    for (const file of [...new Set([...earlier.keys(), ...after.keys()])].filter(isOfLinter).sort()) {
      const [now, before] = [after.get(file), earlier.get(file)];
      if (now === before) continue;
      const change = now === undefined ? 'removed' : before === undefined ? 'added' : 'modified';
      report({
        message: messages.changed(change, file.slice(file.indexOf(folder))),
        help: 'review it by hand; a pull request runs its own version of it, unless a ruleset requires another',
        at: now === undefined ? { revision: 'base', file } : { file },
      });
    }
  },
} satisfies Rule;

/** Those that mention the linter, by its name as an action or as a command, in either revision are its own. */
function workflows(tree: Tree, isKnownAbove: boolean): ReadonlyMap<string, string> {
  const below = tree.files
    .filter((file) => file.startsWith(folder))
    .map((file) => [file, tree.text(file) ?? ''] as const);
  return new Map([...(isKnownAbove ? (tree.workflowsAbove ?? []) : []), ...below]);
}
