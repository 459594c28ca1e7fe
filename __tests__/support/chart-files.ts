/** The files of a chart as Flux packs them for a component. */
import type { ChartPlace } from '../../src/charts/renderer.js';
import type { ChartStore } from '../../src/charts/store.js';
import type { ChartFile } from '../../src/engine/host/helm-engine.js';

/** Several values files are merged by the module, which the small charts hold. */
export function packedFiles(store: ChartStore, { path, libraries, valuesFiles }: ChartPlace): ChartFile[] {
  const own = store.files(path);
  const [only, ...others] = valuesFiles.filter((file) => file !== 'values.yaml');
  if (others.length > 0 || (only !== undefined && valuesFiles.length > 1)) {
    // Helm merges nothing but YAML documents of one file.
    const joined = valuesFiles.map((name) =>
      Buffer.from(own.find((file) => file.path === name)?.bytes ?? []).toString(),
    );
    return withFile(own, libraries, store, Buffer.from(joined.join('\n---\n')));
  }
  return withFile(
    own,
    libraries,
    store,
    only === undefined ? undefined : own.find((file) => file.path === only)?.bytes,
  );
}

function withFile(
  own: readonly ChartFile[],
  libraries: ChartPlace['libraries'],
  store: ChartStore,
  values?: Uint8Array,
): ChartFile[] {
  const kept = own.filter((file) => values === undefined || file.path !== 'values.yaml');
  const below = libraries.flatMap((library) =>
    store.files(library.path).map(({ path, bytes }) => ({ path: `charts/${library.name}/${path}`, bytes })),
  );
  return [...kept, ...below, ...(values ? [{ path: 'values.yaml', bytes: values }] : [])];
}
