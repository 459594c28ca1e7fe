/** Flux Kustomizations as they reach the cluster: a base has one, and each cluster patches it or fills in its variables. */
import { basename } from 'node:path/posix';
import type { Engine } from '../engine/engine.js';
import type { Entrypoint, JsonObject } from '../model.js';
import { textAt } from '../object.js';
import type { Tree } from '../tree.js';

/** One as a document has it, or as an entrypoint renders that document: `appliedFrom` is its path. */
export type Declared = { value: JsonObject; file: string; document: number; appliedFrom?: string };

/** A patch of one looks the same, but has no source. */
export function isFluxKustomization(value: JsonObject): boolean {
  return isPartOfOne(value) && textAt(value, ['spec', 'sourceRef', 'kind']) !== undefined;
}

function isPartOfOne(value: JsonObject): boolean {
  return String(value.apiVersion).startsWith('kustomize.toolkit.fluxcd.io/') && value.kind === 'Kustomization';
}

/** Whether anything in the repository may change one; else there is no need to build before it is known what. */
export function mayBeChanged(tree: Tree, documents: readonly JsonObject[]): boolean {
  const ofFlux = documents.filter(isPartOfOne);
  if (ofFlux.length === 0) return false;
  if (ofFlux.some((value) => !isFluxKustomization(value) || JSON.stringify(value).includes('${'))) return true;
  return tree.files.some(
    (file) => /\.ya?ml$|^Kustomization$/.test(basename(file)) && isPatching(tree.text(file) ?? '', file),
  );
}

/** A patch that stands in a kustomization, or one whose target is of the kind. */
function isPatching(text: string, file: string): boolean {
  if (/^kustomization\.ya?ml$/i.test(basename(file)) && text.includes('kustomize.toolkit.fluxcd.io/')) return true;
  const targets = text.split('target:').slice(1);
  return targets.some((rest) => /\bkind:\s*["']?Kustomization\b/.test(rest.slice(0, 200)));
}

/** More often than that no sane repository has one apply another that it patches. */
const rounds = 5;

/**
 * The entrypoints that come of Flux Kustomizations once each that another entrypoint renders counts as it is rendered, and
 * not as it stands in its file. `assemble` makes entrypoints of them.
 */
export async function follow<Found extends { entrypoints: Entrypoint[] }>(
  declared: readonly Declared[],
  assemble: (declared: readonly Declared[]) => Found,
  engine: Engine,
): Promise<Found> {
  const built = new Map<string, Declared[]>();
  let found = assemble(declared);
  for (let round = 0; round < rounds; round++) {
    const rendered = new Map<string, Declared[]>();
    for (const entrypoint of found.entrypoints) {
      const key = JSON.stringify(entrypoint);
      if (!built.has(key)) built.set(key, await renderedBy(entrypoint, engine));
      for (const one of built.get(key) ?? []) rendered.set(placeOf(one), [...(rendered.get(placeOf(one)) ?? []), one]);
    }
    const next = assemble(declared.flatMap((one) => rendered.get(placeOf(one)) ?? [one]));
    if (JSON.stringify(next.entrypoints) === JSON.stringify(found.entrypoints)) break;
    found = next;
  }
  return found;
}

/** What applies itself says nothing of how it gets to the cluster. */
async function renderedBy(entrypoint: Entrypoint, engine: Engine): Promise<Declared[]> {
  const response = await engine.keep(entrypoint);
  const own = entrypoint.declaredAt && placeOf(entrypoint.declaredAt);
  const appliedFrom = entrypoint.appliedFrom ?? entrypoint.path;
  return (response.ok ? (response.objects ?? []) : []).flatMap(({ value, source }) => {
    const from = response.ok ? response.sources[source] : undefined;
    if (!from || from.inside || !isFluxKustomization(value) || placeOf(from) === own) return [];
    return [{ value, file: from.file, document: from.document, appliedFrom }];
  });
}

function placeOf({ file, document }: { file: string; document: number }): string {
  return `${file}\n${document}`;
}
