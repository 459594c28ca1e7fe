import { nearest } from '../../contract/nearest.js';
import { Page } from '../../fix/page.js';
import { rewritten } from '../../fix/remedies.js';
import type { Remedy, Step } from '../../model.js';
import { textAt } from '../../object.js';
import type { Rendered } from '../../render/render.js';
import type { Tree } from '../../tree.js';
import type { Rule } from '../rule.js';

export default {
  id: 'dead-patch',
  severity: 'warning',
  summary: 'a patch has a target that selects no object, so it does nothing',
  check({ everywhere: entrypoints, tree, report }) {
    const uses = new Map<string, { step: Step; entrypoints: string[]; selected: number }>();
    for (const rendered of entrypoints) {
      if (!rendered.ok) continue;
      for (const step of rendered.steps) {
        if (step.kind !== 'patch' || step.kustomization === '') continue;
        const key = `${step.kustomization} ${step.field.join('/')}`;
        const use = uses.get(key) ?? { step, entrypoints: [], selected: 0 };
        use.selected += step.selected;
        use.entrypoints.push(rendered.entrypoint.path);
        uses.set(key, use);
      }
    }
    for (const { step, entrypoints: seenFrom, selected } of uses.values()) {
      if (selected > 0) continue;
      for (const entrypoint of new Set(seenFrom)) {
        report({
          message: 'The target of this patch selects no object, so the patch does nothing',
          help: 'correct the target, or remove the patch; kustomize does not mention it',
          at: {
            file: step.kustomization,
            document: 0,
            path: [...step.field, 'target'],
            part: 'key',
          },
          entrypoint,
          remedy: remedy(step, tree, entrypoints),
        });
      }
    }
  },
} satisfies Rule;

/** A target that names an object nearly is corrected; any other patch does nothing, and may go. */
function remedy({ kustomization: file, field }: Step, tree: Tree, rendered: readonly Rendered[]): Remedy {
  const target = Page.read(tree.text(file) ?? '')?.at([...field, 'target']) ?? null;
  const [name, kind] = ['name', 'kind'].map((key) => textAt(target, [key]));
  const objects = rendered.flatMap((one) => (one.ok ? one.objects : []));
  const names = objects.filter(({ ref }) => kind === undefined || ref.kind === kind).map(({ ref }) => ref.name);
  const meant = name === undefined ? undefined : nearest(name, new Set(names));
  const at = { file, document: 0, path: [...field, 'target', 'name'] };
  if (meant !== undefined) return { ...rewritten(at, meant), safe: false };
  return { title: 'remove the patch', safe: true, changes: [{ do: 'remove', at: { ...at, path: field } }] };
}
