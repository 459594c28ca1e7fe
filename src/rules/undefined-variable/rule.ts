import type { Place, Tree } from '../../core/model.js';
import { SourceText } from '../../yaml/source-text.js';
import type { Rule } from '../rule.js';

const messages = {
  becomesEmpty: (variable: string) =>
    `variable "${variable}" is undefined and has no default, so Flux silently substitutes an empty string`,
};

export default {
  id: 'undefined-variable',
  group: 'flux',
  severity: 'warning',
  summary: 'a variable is undefined, so Flux silently substitutes an empty string',
  messages,
  check({ entrypoints, tree, report, notChecked }) {
    for (const rendered of entrypoints) {
      if (!rendered.ok) continue;
      const { entrypoint, undefinedVariables, files } = rendered;
      const { name, postBuild } = entrypoint.kustomization;
      for (const variable of undefinedVariables) {
        if ((postBuild?.substituteFrom ?? []).length > 0) {
          notChecked(`variable "${variable}"`, 'the cluster may define it (substituteFrom)');
          continue;
        }
        const found = files.flatMap((file) => placesOf(variable, file, tree));
        const [first = entrypoint.declaredAt ?? { file: files[0] ?? entrypoint.path }] = found;
        const owner = name === undefined ? 'the Flux Kustomization' : `Flux Kustomization "${name}"`;
        report({
          message: messages.becomesEmpty(variable),
          help: `set it in spec.postBuild.substitute of ${owner}, add a default ("\${${variable}:=…}"), or write "$\${${variable}}" for the literal text`,
          at: first,
          entrypoint: entrypoint.path,
        });
      }
    }
  },
} satisfies Rule;

/** Where a file uses it, comments left out. */
function placesOf(variable: string, file: string, tree: Tree): Place[] {
  const source = new SourceText(tree.text(file) ?? '');
  const uses = source.text.matchAll(
    new RegExp(`(?<!\\$)\\$\\{#?${variable.replace(/\W/g, '\\$&')}(?!\\w)[^}\\n]*\\}?`, 'g'),
  );
  return [...uses].flatMap(({ index, 0: text }) => {
    const { line, column } = source.position(index);
    if (/(^|\s)#/.test(source.line(line).slice(0, column - 1))) return [];
    return [{ file, range: source.firstLine(index, index + text.length) }];
  });
}
