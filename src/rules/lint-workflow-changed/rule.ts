import type { Tree } from '../../tree.js';
import type { Rule } from '../rule.js';

const folder = '.github/workflows/';

export default {
  id: 'lint-workflow-changed',
  severity: 'notice',
  summary: 'the change alters the workflow that runs this check',
  needsBase: true,
  check({ tree, base, report }) {
    if (!base) return;
    const files = new Set([...workflows(base.tree), ...workflows(tree)]);
    for (const file of [...files].sort()) {
      const [now, before] = [tree.text(file), base.tree.text(file)];
      if (now === before) continue;
      const change = now === undefined ? 'removes' : before === undefined ? 'adds' : 'alters';
      report({
        message: `The change ${change} the workflow "${file}", which runs this check`,
        help: 'review it by hand: a pull request runs the workflow as it changes it, unless a ruleset requires another',
        at: now === undefined ? { revision: 'base', file } : { file },
      });
    }
  },
} satisfies Rule;

/** Workflows that mention the linter, by its name as an action or as a command. */
function workflows(tree: Tree): string[] {
  return tree.files.filter((file) => file.startsWith(folder) && tree.text(file)?.includes('customizer-lint'));
}
