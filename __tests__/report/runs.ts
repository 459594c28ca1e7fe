import type { Finding, Location, Revision, Run } from '../../src/core/model.js';

/** A run in which nothing was found and everything was looked at. */
export function cleanRun(change: Partial<Run> = {}): Run {
  return {
    findings: [],
    ignored: [],
    policy: [],
    entrypoints: [
      { path: 'clusters/prod', why: 'Flux Kustomization "flux-system/prod"', objects: 41, rendered: true },
      { path: 'clusters/staging', why: 'given with --path', objects: 16, rendered: true },
    ],
    facts: [{ name: 'release', value: 'v1.6.0', source: 'config', file: '.customizer-lint.yaml' }],
    worlds: [{ release: 'v1.6.2', variant: 'isp-full', likeliest: true }],
    stages: [
      { name: 'discover', ran: true },
      { name: 'render', ran: true },
    ],
    notChecked: [],
    sources: { text: () => undefined, has: () => true, secrets: () => ({}) },
    tool: { name: 'customizer-lint', version: '0.1.0' },
    ...change,
  };
}

/** `line` and columns as an editor shows them; `end` is exclusive. */
export function at(file: string, line: number, column: number, end: number, revision: Revision = 'head'): Location {
  return {
    revision,
    file,
    range: { start: { line, column }, end: { line, column: end } },
  };
}

export function finding(change: Partial<Finding> = {}): Finding {
  return {
    rule: 'chart-owned-field',
    severity: 'error',
    message: 'Package "cozystack.metallb" sets spec.variant, which the platform chart owns',
    at: at('packages/metallb.yaml', 7, 3, 10),
    precision: 'exact',
    field: ['spec', 'variant'],
    object: { apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', name: 'cozystack.metallb' },
    related: [],
    entrypoints: ['clusters/prod'],
    fingerprint: '4f1e',
    assumes: [],
    ...change,
  };
}

export function sources(files: Record<string, string>): Run['sources'] {
  return {
    has: () => true,
    secrets: () => ({}),
    text: (revision, file) => files[revision === 'base' ? `base:${file}` : file],
  };
}

export const hostile =
  'x\n::error::forged ##[add-mask]y @team #1 https://evil.example --> <img src=x> \u001b[31mred\u202egpj`` ![i](u)';

const metallb = `apiVersion: cozystack.io/v1alpha1
kind: Package
metadata:
  name: cozystack.metallb
spec:
  # ключ: variant
  variant: oidc
`;
const credentials = 'kind: Secret\r\nstringData:\r\n  password: hunter2\r\n  名前: 値\r\n';

/** Everything at once: several entrypoints, both sides, all precisions, wide characters, tabs, hostile names. */
export function richRun(): Run {
  const variant = { name: 'variant', value: 'isp-full', source: 'assumed', setBy: 'cluster.variant' } as const;
  return cleanRun({
    findings: [
      finding({
        help: 'remove it; tune the package through spec.components.*.values',
        entrypoints: ['clusters/prod', 'clusters/staging'],
        isNew: true,
        assumes: [variant],
        related: [{ message: 'the base sets it here', at: at('base/metallb.yaml', 2, 12, 19) }],
      }),
      finding({
        rule: 'plain-secret',
        message: 'Secret "db" holds password: "hunter2"',
        at: at('secrets/db.yaml', 3, 13, 20),
        field: ['stringData', 'password'],
        object: { apiVersion: 'v1', kind: 'Secret', namespace: 'cozy-customizer', name: 'db' },
        isNew: true,
        fingerprint: '77aa',
      }),
      finding({
        rule: 'unknown-field',
        severity: 'warning',
        message: `ConfigMap "${hostile}" has an unknown field "${hostile}"`,
        help: `did you mean "${hostile}"`,
        at: at('apps/ünï @team,a:b.yaml', 2, 9, 14),
        field: ['data', hostile],
        object: { apiVersion: 'v1', kind: 'ConfigMap', name: hostile },
        isNew: false,
        fingerprint: '90bc',
        related: [{ message: hostile, at: at('missing.yaml', 3, 1, 2) }],
      }),
      finding({
        rule: 'claimed-field-dropped',
        severity: 'warning',
        message: 'Package "cozystack.metallb" no longer sets spec.components',
        at: at('packages/metallb.yaml', 2, 3, 13, 'base'),
        field: ['spec', 'components'],
        isNew: true,
        fingerprint: '0c0c',
      }),
      finding({
        rule: 'missing-namespace',
        severity: 'notice',
        message: 'ConfigMap "motd" names no namespace',
        at: at('apps/motd.yaml', 3, 1, 9),
        precision: 'parent',
        isNew: true,
        fingerprint: 'd00d',
      }),
      finding({
        rule: 'broken-yaml',
        severity: 'notice',
        message: 'the file is not UTF-8',
        at: at('apps/latin1.yaml', 1, 1, 1),
        precision: 'file',
        isNew: true,
        fingerprint: 'beef',
      }),
    ],
    ignored: [
      {
        finding: finding({ fingerprint: '1234' }),
        reason: 'agreed with the platform team',
      },
    ],
    entrypoints: [
      ...cleanRun().entrypoints,
      { path: 'clusters/lab', why: 'given with --path', objects: 0, rendered: false },
    ],
    facts: [...cleanRun().facts, variant],
    stages: [...cleanRun().stages, { name: 'cluster', ran: false, why: 'no kubeconfig given' }],
    notChecked: [{ what: 'schema of kind "Widget"', why: 'no schema known', count: 12 }],
    sources: sources({
      'packages/metallb.yaml': metallb,
      'base:packages/metallb.yaml': 'spec:\n  components: {}\n',
      'base/metallb.yaml': 'spec:\n  variant: default\n',
      'secrets/db.yaml': credentials,
      'apps/ünï @team,a:b.yaml': 'data:\n\t"日本\u202e": bogus ##[add-mask] \u001b[31m ``` # 🎉\r\n',
      'apps/motd.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: motd\n',
    }),
  });
}
