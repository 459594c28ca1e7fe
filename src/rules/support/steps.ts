import type { Json, PatchOutcome, Rendered, Tree } from '../../core/model.js';
import { oncePer } from '../../core/once.js';
import { YamlEditor } from '../../yaml/editor.js';

/** An entry of a kustomization, and what it did in all builds that read it. */
export type StepUse = { step: PatchOutcome; entrypoints: Set<string>; selected: number; changed: number };

/** Those that stand in a file; every cluster asks for them. */
export const stepsIn = oncePer((entrypoints: readonly Rendered[]): StepUse[] => {
  const uses = new Map<string, StepUse>();
  for (const rendered of entrypoints) {
    if (!rendered.ok) continue;
    for (const step of rendered.steps) {
      if (step.kustomization === '') continue;
      const key = `${step.kustomization} ${step.field.join('/')}`;
      const use = uses.get(key) ?? { step, entrypoints: new Set(), selected: 0, changed: 0 };
      use.selected += step.selected;
      use.changed += step.changed;
      use.entrypoints.add(rendered.entrypoint.path);
      uses.set(key, use);
    }
  }
  return [...uses.values()];
});

/** What an entry is in its file; each file is parsed once, however many entries it has. */
export function entryOf({ kustomization, field }: PatchOutcome, tree: Tree): Json {
  const pages = pagesOf(tree);
  if (!pages.has(kustomization)) pages.set(kustomization, YamlEditor.read(tree.text(kustomization) ?? ''));
  return pages.get(kustomization)?.at(field) ?? null;
}

const pagesOf = oncePer((_: Tree) => new Map<string, YamlEditor | undefined>());
