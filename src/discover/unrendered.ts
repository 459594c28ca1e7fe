/** Flux objects that no build reads, as `flux bootstrap` leaves them in a repository: they are validated as they are written. */
import { dirname } from 'node:path/posix';
import type { Entrypoint, Rendered, RenderedObject, Revision, Writer } from '../core/model.js';
import { getString } from '../core/object.js';
import type { Declared } from './declared.js';

/**
 * One result a file. Only folders count from which something is applied, and those of `clusters/`: a Flux object elsewhere may
 * be an example in the documentation.
 */
export function unrenderedOf(
  declared: readonly Declared[],
  entrypoints: readonly Entrypoint[],
  revision: Revision,
): Rendered[] {
  const files = new Set(declared.flatMap(({ file }) => file ?? []));
  const named = entrypoints.flatMap(({ declaredAt }) =>
    declaredAt && files.has(declaredAt.file) ? declaredAt.file : [],
  );
  const folders = new Set(named.map((file) => dirname(file)));
  const applied = [...files].filter((file) => folders.has(dirname(file)) || /^clusters\/[^/]+\//.test(file));
  return applied.map((file) => {
    const path = dirname(file);
    const objects = declared
      .filter((one) => one.file === file)
      .map((one, index) => objectOf(one, { file, document: one.document ?? 0 }, { path, index, revision }));
    return {
      entrypoint: { path, why: 'Flux objects that no build reads', kustomization: {}, account: 'flux', prunes: false },
      files: [file],
      lost: [],
      ok: true,
      objects,
      steps: [],
      dropped: [],
      undefinedVariables: [],
    };
  });
}

function objectOf(
  { value }: Declared,
  source: { file: string; document: number },
  { path, index, revision }: { path: string; index: number; revision: Revision },
): RenderedObject {
  const namespace = getString(value, ['metadata', 'namespace']);
  return {
    ref: {
      apiVersion: String(value.apiVersion),
      kind: String(value.kind),
      ...(namespace && { namespace }),
      name: getString(value, ['metadata', 'name']) ?? '',
    },
    value,
    revision,
    entrypoint: path,
    index,
    source,
    writers: (field, part): Writer[] => [{ by: 'resource', from: [{ ...source, path: field, part }] }],
    children: () => undefined,
    removed: () => [],
  };
}
