/**
 * Repositories of any size, the same for the same seed, in the shapes that administrators use.
 *
 * Every layout is built at `clusters/prod`. All but `workloads` and `definitions` hold Packages of Cozystack only: of names that no release has, or of
 * those of a catalog, and HelmReleases where it has no more.
 */

import { randomOf as chance } from '../support/random.mjs';

/** @typedef {'flat' | 'folders' | 'nested' | 'patched' | 'components' | 'workloads' | 'definitions'} Layout */

/** A number below another, the same for the same seed. */
export function randomOf(seed) {
  return chance(seed).below;
}

const parts = [
  'metallb',
  'ingress',
  'monitoring',
  'postgres',
  'kafka',
  'redis',
  'vm',
  'bucket',
  'keycloak',
  'seaweedfs',
];
const variants = ['default', 'noop', 'hosted', 'distributed'];

const kustomization = (body, kind = 'Kustomization') =>
  `apiVersion: kustomize.config.k8s.io/${kind === 'Component' ? 'v1alpha1' : 'v1beta1'}\nkind: ${kind}\n${body}`;
const list = (key, items) => (items.length > 0 ? `${key}:\n${items.map((item) => `- ${item}\n`).join('')}` : '');

/** Names of Packages, where they are not made up. */
let catalog = [];

function packageName(i) {
  if (i < catalog.length) return catalog[i];
  return `cozystack.${parts[i % parts.length]}-${String(i).padStart(5, '0')}`;
}

/** A Package of about 500 bytes, as a chart would render it: some values, some comments. */
function packageOf(i, random) {
  if (catalog.length > 0) return i < catalog.length ? cataloguedPackage(i, random) : releaseOf(i, random);
  const part = parts[i % parts.length];
  return `# Package ${i}
apiVersion: cozystack.io/v1alpha1
kind: Package
metadata:
  name: ${packageName(i)}
  annotations:
    kustomize.toolkit.fluxcd.io/ssa: Merge
spec:
  variant: ${variants[random(variants.length)]}
  components:
    ${part}:
      values:
        ${part}:
          replicas: ${1 + random(5)}
          enabled: ${random(2) === 0}
          resources: {cpu: ${100 + random(900)}m, memory: ${64 + random(512)}Mi}
          hosts:
          - name: host-${random(1000)}
            port: ${1024 + random(4096)}
          - name: "host-${random(1000)}"
`;
}

function cataloguedPackage(i, random) {
  return `apiVersion: cozystack.io/v1alpha1
kind: Package
metadata:
  name: ${catalog[i]}
  annotations:
    kustomize.toolkit.fluxcd.io/ssa: Merge
    kustomize.toolkit.fluxcd.io/prune: disabled
spec:
  components:
    ${catalog[i].replace(/^cozystack\./, '')}:
      values:
        replicas: ${1 + random(5)}
`;
}

function releaseOf(i, random) {
  return `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: ${parts[i % parts.length]}-${id(i)}
  namespace: apps
spec:
  interval: 5m
  chart:
    spec:
      chart: ${parts[i % parts.length]}
      version: 1.${random(9)}.0
      sourceRef: {kind: HelmRepository, name: charts}
  values:
    replicas: ${1 + random(5)}
    resources: {cpu: ${100 + random(900)}m, memory: ${64 + random(512)}Mi}
`;
}

function patchOf(i, random) {
  if (catalog.length > 0) return i < catalog.length ? cataloguedPackage(i, random) : releaseOf(i, random);
  const part = parts[i % parts.length];
  return `apiVersion: cozystack.io/v1alpha1
kind: Package
metadata:
  name: ${packageName(i)}
spec:
  components:
    ${part}:
      values:
        ${part}:
          region: eu-${random(9)}
`;
}

const id = (i) => String(i).padStart(5, '0');
const range = (n) => Array.from({ length: n }, (_, i) => i);

const layouts = {
  /** One directory, one file per Package. */
  flat(files, count, random) {
    for (const i of range(count)) files.set(`clusters/prod/p${id(i)}.yaml`, packageOf(i, random));
    files.set(
      'clusters/prod/kustomization.yaml',
      kustomization(
        list(
          'resources',
          range(count).map((i) => `p${id(i)}.yaml`),
        ),
      ),
    );
  },

  /** Every Package in a directory with a kustomization of its own. */
  folders(files, count, random) {
    for (const i of range(count)) {
      files.set(`packages/p${id(i)}/package.yaml`, packageOf(i, random));
      files.set(`packages/p${id(i)}/kustomization.yaml`, kustomization(list('resources', ['package.yaml'])));
    }
    files.set(
      'clusters/prod/kustomization.yaml',
      kustomization(
        list(
          'resources',
          range(count).map((i) => `../../packages/p${id(i)}`),
        ),
      ),
    );
  },

  /** Groups of a base, patched by a region, a component and the cluster. */
  nested(files, count, random) {
    const size = 50;
    const groups = range(Math.ceil(count / size));
    for (const g of groups) {
      const members = range(count).slice(g * size, (g + 1) * size);
      for (const i of members) files.set(`base/g${id(g)}/p${id(i)}.yaml`, packageOf(i, random));
      files.set(
        `base/g${id(g)}/kustomization.yaml`,
        kustomization(
          list(
            'resources',
            members.map((i) => `p${id(i)}.yaml`),
          ),
        ),
      );
    }
    files.set(
      'base/kustomization.yaml',
      kustomization(
        list(
          'resources',
          groups.map((g) => `g${id(g)}`),
        ),
      ),
    );
    const every = (n) => range(count).filter((i) => i % n === 0);
    for (const i of every(10)) files.set(`regions/eu/patches/p${id(i)}.yaml`, patchOf(i, random));
    files.set(
      'regions/eu/kustomization.yaml',
      kustomization(
        `${list('resources', ['../../base'])}${list(
          'patches',
          every(10).map((i) => `path: patches/p${id(i)}.yaml`),
        )}`,
      ),
    );
    files.set(
      'components/quiet/kustomization.yaml',
      kustomization(
        'patches:\n- target: {kind: Package, name: cozystack.monitoring-.*}\n  patch: |-\n    - op: add\n      path: /metadata/labels\n      value: {quiet: "yes"}\n',
        'Component',
      ),
    );
    for (const i of every(25)) files.set(`clusters/prod/patches/p${id(i)}.yaml`, patchOf(i, random));
    files.set(
      'clusters/prod/kustomization.yaml',
      kustomization(
        `${list('resources', ['../../regions/eu'])}${list('components', ['../../components/quiet'])}${list(
          'patches',
          every(25).map((i) => `path: patches/p${id(i)}.yaml`),
        )}`,
      ),
    );
  },

  /** A patch file for every Package. */
  patched(files, count, random) {
    layouts.flat(files, count, random);
    for (const i of range(count)) files.set(`clusters/prod/patches/p${id(i)}.yaml`, patchOf(i, random));
    const body = files.get('clusters/prod/kustomization.yaml');
    files.set(
      'clusters/prod/kustomization.yaml',
      body +
        list(
          'patches',
          range(count).map((i) => `path: patches/p${id(i)}.yaml`),
        ),
    );
  },

  /** Nothing but components, each with a Package. */
  components(files, count, random) {
    for (const i of range(count)) {
      files.set(`components/p${id(i)}/package.yaml`, packageOf(i, random));
      files.set(
        `components/p${id(i)}/kustomization.yaml`,
        kustomization(list('resources', ['package.yaml']), 'Component'),
      );
    }
    files.set(
      'clusters/prod/kustomization.yaml',
      kustomization(
        list(
          'components',
          range(count).map((i) => `../../components/p${id(i)}`),
        ),
      ),
    );
  },

  /** Deployments that refer to a ConfigMap and a ServiceAccount, moved by `namespace:` and `namePrefix:`. */
  workloads(files, count, random) {
    const apps = range(Math.ceil(count / 3));
    for (const i of apps) {
      files.set(
        `clusters/prod/a${id(i)}.yaml`,
        `apiVersion: apps/v1
kind: Deployment
metadata: {name: app${i}}
spec:
  selector: {matchLabels: {app: a${i}}}
  template:
    metadata: {labels: {app: a${i}}}
    spec:
      serviceAccountName: sa${i}
      containers:
      - name: main
        image: nginx:${1 + random(9)}
        envFrom: [{configMapRef: {name: cm${i}}}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: cm${i}}
data: {k: "${i}"}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: sa${i}}
`,
      );
    }
    const patched = apps.filter((i) => i % 10 === 0);
    for (const i of patched) {
      files.set(
        `clusters/prod/p${id(i)}.yaml`,
        `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: app${i}}\nspec:\n  replicas: 3\n  template:\n    spec:\n      containers:\n      - name: main\n        resources: {limits: {cpu: 1}}\n`,
      );
    }
    files.set(
      'clusters/prod/kustomization.yaml',
      kustomization(
        `namespace: web\nnamePrefix: x-\ncommonAnnotations: {a: b}\n${list(
          'resources',
          apps.map((i) => `a${id(i)}.yaml`),
        )}${list(
          'patches',
          patched.map((i) => `path: p${id(i)}.yaml`),
        )}configMapGenerator:\n- name: gen\n  literals: [a=b]\nimages:\n- name: nginx\n  newTag: "2"\n`,
      ),
    );
  },
};

/** Those that grow with the number of objects. */
export const layoutNames = /** @type {Layout[]} */ (Object.keys(layouts));

/** A schema as controller-gen writes it of types that hold pods: each field with its description. */
function schemaOf(depth, random, indent) {
  const space = ' '.repeat(indent);
  const lines = [];
  for (const i of range(4)) {
    lines.push(`${space}field${i}${parts[random(parts.length)]}:`);
    lines.push(
      `${space}  description: ${'what this field is for, and when it is looked at '.repeat(1 + random(2)).trim()}`,
    );
    if (depth > 0 && i < 3)
      lines.push(`${space}  properties:`, schemaOf(depth - 1, random, indent + 4), `${space}  type: object`);
    else if (i === 3) lines.push(`${space}  items:`, `${space}    type: string`, `${space}  type: array`);
    else lines.push(`${space}  type: ${['string', 'integer', 'boolean'][random(3)]}`);
  }
  return lines.join('\n');
}

/** As large as the full definitions of Argo Workflows: 5 MB in five, and fourteen ConfigMaps beside them. */
function definitions(files, count, random) {
  const large = range(Math.round(count * 0.26));
  for (const i of large)
    files.set(
      `clusters/prod/d${id(i)}.yaml`,
      `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: kind${i}s.bench.example.org
spec:
  group: bench.example.org
  names: {kind: Kind${i}, listKind: Kind${i}List, plural: kind${i}s, singular: kind${i}}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
${schemaOf(6, random, 10)}
`,
    );
  for (const i of range(count - large.length))
    files.set(
      `clusters/prod/c${id(i)}.yaml`,
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c${i}, namespace: default}\ndata: {k: "${i}"}\n`,
    );
  const names = [...files.keys()].map((file) => file.slice('clusters/prod/'.length));
  files.set('clusters/prod/kustomization.yaml', kustomization(list('resources', names)));
}

/**
 * @param {Layout} layout
 * @param {number} count of objects
 * @param {number} seed
 * @param {string[]} names of Packages, in place of names that are made up
 * @returns {Map<string, string>} texts by path
 */
export function generate(layout, count, seed = 1, names = []) {
  const files = new Map();
  catalog = names;
  ({ ...layouts, definitions })[layout](files, count, randomOf(seed));
  catalog = [];
  return files;
}
