import { shorten } from '../../core/escape.js';
import type { FixProposal, Rendered, Tree } from '../../core/model.js';
import { getString } from '../../core/object.js';
import { oncePer } from '../../core/once.js';
import { rewritten } from '../../core/remedies.js';
import { nearest } from '../../core/suggest.js';
import type { Rule } from '../rule.js';
import { entryOf, type Step, stepsIn } from '../support/steps.js';

const messages = {
  noObject: (target: string) => `patch target${target} selects no object, so kustomize ignores the patch silently`,
};

export default {
  id: 'dead-patch',
  group: 'kustomize',
  severity: 'warning',
  summary: 'a patch has a target that selects no object, so kustomize ignores it silently',
  messages,
  check({ everywhere: entrypoints, tree, known, report }) {
    for (const { step, entrypoints: seenFrom, selected } of stepsIn(entrypoints)) {
      if (step.kind !== 'patch' || selected > 0 || isDefault(step, tree)) continue;
      const near = meantBy(step, tree, entrypoints);
      // Then the Package is misspelt, and not the target.
      const isRight = known.contract.catalog.isManaged(getString(entryOf(step, tree), ['target', 'name']) ?? '');
      const meant = isRight ? undefined : near;
      for (const entrypoint of seenFrom) {
        report({
          message: messages.noObject(targetOf(step, tree)),
          help: helpOf(near, isRight),
          at: { ...step.at, path: [...step.at.path, 'target'], part: 'key' },
          entrypoint,
          ...(!(isRight && near) && { remedy: remedy(step, meant) }),
        });
      }
    }
  },
} satisfies Rule;

function helpOf(near: string | undefined, isRight: boolean): string {
  if (near === undefined) return 'correct the target, or remove the patch';
  return isRight ? `correct the name of "${near}", which the patch seems to be for` : `did you mean "${near}"?`;
}

/** A Flux Kustomization patches all of a kind, often from above, should there be any; one that names an object means it. */
function isDefault(step: Step, tree: Tree): boolean {
  return step.at.path[0] === 'spec' && getString(entryOf(step, tree), ['target', 'name']) === undefined;
}

/** By kind, with all of them where none is said. */
const namesByKind = oncePer((entrypoints: readonly Rendered[]) => {
  const names = new Map<string | undefined, Set<string>>([[undefined, new Set()]]);
  for (const { ref } of entrypoints.flatMap((one) => (one.ok ? one.objects : [])))
    for (const kind of [ref.kind, undefined]) names.set(kind, (names.get(kind) ?? new Set()).add(ref.name));
  return names;
});

/** ` kind "ConfigMap", name "portal"`: what it has of these. */
function targetOf(step: Step, tree: Tree): string {
  const entry = entryOf(step, tree);
  const parts = selectors.flatMap((key) => {
    const value = getString(entry, ['target', key]);
    return value === undefined ? [] : [` ${key} "${shorten(value, 60)}"`];
  });
  return parts.slice(0, 3).join(',');
}

const selectors = ['kind', 'name', 'namespace', 'labelSelector', 'annotationSelector', 'group', 'version'];

function meantBy(step: Step, tree: Tree, rendered: readonly Rendered[]): string | undefined {
  const entry = entryOf(step, tree);
  const [name, kind] = ['name', 'kind'].map((key) => getString(entry, ['target', key]));
  return name === undefined ? undefined : nearest(name, namesByKind(rendered).get(kind) ?? new Set());
}

/** A target that names an object nearly is corrected; any other patch does nothing, and may go. */
function remedy(step: Step, meant: string | undefined): FixProposal {
  const at = { ...step.at, path: [...step.at.path, 'target', 'name'] };
  if (meant !== undefined) return { ...rewritten(at, meant), safe: false };
  return { title: 'remove the patch', safe: true, changes: [{ do: 'remove', at: step.at }] };
}
