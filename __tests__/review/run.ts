import type { Finding, Run } from '../../src/core/model.js';

/** A run that found these, and has nothing else to say. */
export function runWith(findings: Finding[]): Run {
  return {
    findings,
    ignored: [],
    policy: [],
    entrypoints: [],
    facts: [],
    worlds: [],
    stages: [],
    notChecked: [],
    sources: { text: () => undefined, has: () => true, secrets: () => ({}) },
    tool: { name: 'customizer-lint', version: '0.1.0' },
  };
}
