import type { Rule } from '../rule.js';

/** Reported by the render stage. */
export default {
  id: 'unbuildable-kustomization',
  group: 'kustomize',
  severity: 'error',
  summary: 'Flux cannot build the kustomization.yaml, so nothing of it is applied',
  wordsIn: ['src/render/error-messages.ts', 'src/render/build-failure.ts', 'src/discover/discover.ts'],
} satisfies Rule;
