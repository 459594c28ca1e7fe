import { formatPath } from '../../core/object.js';
import { removed, renamed } from '../../core/remedies.js';
import { nearest } from '../../core/suggest.js';
import type { Rule } from '../rule.js';

/** Fields of kustomize's `Kustomization` and `Component` (api/types/kustomization.go, v0.21.1), deprecated ones included. */
const fields = [
  'apiVersion bases buildMetadata commonAnnotations commonLabels components configMapGenerator configurations crds',
  'generatorOptions generators helmCharts helmChartInflationGenerator helmGlobals images imageTags kind labels metadata',
  'namePrefix nameSuffix namespace openapi patches patchesJson6902 patchesStrategicMerge replacements replicas resources',
  'secretGenerator sortOptions transformers validators vars',
].flatMap((line) => line.split(' '));

const messages = {
  dropped: (field: string) =>
    `unknown field "${field}" in kustomization.yaml; Flux drops it silently and prunes what it applied because of it`,
};

export default {
  id: 'unknown-kustomization-field',
  group: 'kustomize',
  severity: 'error',
  summary: 'Flux silently drops an unknown field of a root kustomization.yaml, and prunes what it would have listed',
  messages,
  check({ entrypoints, report }) {
    for (const rendered of entrypoints) {
      if (!rendered.ok) continue;
      for (const { file, path } of rendered.dropped) {
        const key = String(path.at(-1));
        const meant = path.length === 1 ? nearest(key, fields) : undefined;
        report({
          message: messages.dropped(formatPath(path)),
          help: meant ? `did you mean "${meant}"?` : 'remove it',
          at: { file, document: 0, path, part: 'key' },
          remedy: meant ? renamed({ file, document: 0, path }, meant) : removed({ file, document: 0, path }, true),
          entrypoint: rendered.entrypoint.path,
        });
      }
    }
  },
} satisfies Rule;
