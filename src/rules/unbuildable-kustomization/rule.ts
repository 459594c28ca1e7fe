import { label } from '../../core/object.js';
import { isPackage } from '../../cozystack/package.js';
import { isSetTo } from '../../flux/settings.js';
import type { Rule, RuleContext } from '../rule.js';

/** Found by the render stage. */
export default {
  id: 'unbuildable-kustomization',
  group: 'kustomize',
  severity: 'error',
  summary: 'Flux cannot build the kustomization.yaml, so nothing of it is applied',
  wordsIn: ['src/render/error-messages.ts', 'src/render/build-failure.ts', 'src/discover/discover.ts'],
  reportsRefusals: true,
  check(context) {
    for (const rendered of context.entrypoints) {
      if (rendered.ok || rendered.problem.rule !== 'unbuildable-kustomization') continue;
      const { assumes: _, ...problem } = rendered.problem;
      const help = removedHere(rendered.entrypoint.path, problem.message, context) ?? problem.help;
      context.report(help === undefined ? problem : { ...problem, help });
    }
  },
} satisfies Rule;

/** Of a patch whose object was rendered before the change. */
function removedHere(entrypoint: string, message: string, { base }: RuleContext): string | undefined {
  const gone = base?.objects.find(
    ({ ref, entrypoint: from }) =>
      from === entrypoint &&
      [ref.name, `${ref.namespace}/${ref.name}`].some((name) => message.startsWith(patchFor(ref.kind, name))),
  );
  if (!gone) return undefined;
  const stays = isPackage(gone) && isSetTo(gone.value, 'prune', 'disabled');
  return `this change removes ${label(gone.ref)}: put it back, or remove the patch too${stays ? '; its values stay set' : ''}`;
}

function patchFor(kind: string, name: string): string {
  return `the patch is for ${label({ kind, name })}, which this kustomization.yaml does not render`;
}
