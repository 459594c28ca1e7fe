import type { FieldPath, Json, PatchOutcome, Rendered, Tree } from '../../core/model.js';
import { lookUp } from '../../core/object.js';
import { oncePer } from '../../core/once.js';
import { documentValue } from '../../yaml/documents.js';

/** An entry of a kustomization, or of a Flux Kustomization, and what it did in all builds that read it. */
export type StepUse = { step: Step; entrypoints: Set<string>; selected: number; changed: number };

export type Step = Pick<PatchOutcome, 'kind'> & { at: { file: string; document: number; path: FieldPath } };

/** Those that stand in a file; every cluster asks for them. */
export const stepsIn = oncePer((entrypoints: readonly Rendered[]): StepUse[] => {
  const uses = new Map<string, StepUse>();
  for (const rendered of entrypoints) {
    if (!rendered.ok) continue;
    const { declaredAt } = rendered.entrypoint;
    for (const { kustomization, field, kind, selected, changed } of rendered.steps) {
      const isFluxs = kustomization === '';
      if (isFluxs && (declaredAt?.document === undefined || declaredAt.path[0] !== 'spec')) continue;
      const place = isFluxs ? (declaredAt as Step['at']) : { file: kustomization, document: 0 };
      const step: Step = { kind, at: { ...place, path: field } };
      const key = `${place.file} ${place.document} ${field.join('/')}`;
      const use = uses.get(key) ?? { step, entrypoints: new Set(), selected: 0, changed: 0 };
      use.selected += selected;
      use.changed += changed;
      use.entrypoints.add(rendered.entrypoint.path);
      uses.set(key, use);
    }
  }
  return [...uses.values()];
});

/** What an entry is in its file. */
export function entryOf({ at: { file, document, path } }: Step, tree: Tree): Json {
  return lookUp(documentValue(file, document, tree), path) ?? null;
}
