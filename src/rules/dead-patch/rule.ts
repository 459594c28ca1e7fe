import type { Step } from '../../model.js';
import type { Rule } from '../rule.js';

export default {
  id: 'dead-patch',
  severity: 'warning',
  summary: 'a patch has a target that selects no object, so it does nothing',
  check({ everywhere: entrypoints, report }) {
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
        });
      }
    }
  },
} satisfies Rule;
