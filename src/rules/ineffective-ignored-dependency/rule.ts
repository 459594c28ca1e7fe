import { possibleVariants, sourceOf } from '../../cluster/package-sources.js';
import type { FieldPath, RenderedObject } from '../../core/model.js';
import { lookUp } from '../../core/object.js';
import { removed, rewritten } from '../../core/remedies.js';
import { nearest } from '../../core/suggest.js';
import { isPackage } from '../../cozystack/package.js';
import { isApplied } from '../../flux/applied.js';
import type { Rule, RuleContext } from '../rule.js';

const field = ['spec', 'ignoreDependencies'];

const messages = {
  noDependency: (name: string, ignored: string) =>
    `Package "${name}" ignores dependency "${ignored}", which it does not have, so the entry does nothing`,
};

export default {
  id: 'ineffective-ignored-dependency',
  group: 'packages',
  severity: 'warning',
  summary: 'a Package ignores a dependency that it does not have, so it still waits for the one that was meant',
  messages,
  check(context) {
    for (const object of context.objects.filter(isPackage).filter(isApplied)) judge(object, context);
  },
} satisfies Rule;

function judge(object: RenderedObject, context: RuleContext) {
  const written = lookUp(object.value, field);
  const source = sourceOf(object.ref.name, context.known);
  if (!Array.isArray(written) || !source) return;
  const variants = possibleVariants(object, source, context.known);
  // A variant that is not there has been reported.
  if (variants.length === 0) return;
  const known = [...new Set(variants.flatMap(({ dependsOn }) => dependsOn))];
  for (const [index, name] of written.entries()) {
    if (typeof name !== 'string' || name.includes('${') || known.includes(name)) continue;
    const meant = nearest(name, known);
    const remedy = (at: { object: RenderedObject; path: FieldPath }) =>
      meant && !written.includes(meant) ? rewritten(at, meant) : removed(at, true);
    const dependsOn = known.map((one) => `"${one}"`).join(', ');
    context.report({
      message: messages.noDependency(object.ref.name, name),
      help: meant ? `did you mean "${meant}"?` : known.length > 0 ? `it depends on ${dependsOn}` : 'remove it',
      at: { object, path: [...field, index] },
      remedy: remedy({ object, path: [...field, index] }),
      assumes: source.own ? [] : ['release'],
    });
  }
}
