/**
 * Repositories in the layouts that the documents of Flux and Cozystack show, each as it should be and with one mistake seeded. The
 * layouts are theirs, every text is ours.
 */
import { stringify } from 'yaml';
import type { Files } from './trees.js';

type Texts = { [path: string]: string };
type Fields = { [field: string]: unknown };

export type Layout = { name: string; source: string; files: Texts };
export type Mistake = { name: string; in: RegExp; from: RegExp; to: string };

const flux = 'https://fluxcd.io/flux';
const cozystack = 'https://cozystack.io/docs';
const environments = ['production', 'staging'];

const yaml = (...objects: object[]) => objects.map((one) => stringify(one, { lineWidth: 0 })).join('---\n');
const each = (names: readonly string[], made: (name: string) => Texts): Texts =>
  Object.assign({}, ...names.map((name) => made(name)));

const object = (apiVersion: string, kind: string, metadata: Fields, rest: Fields) => ({
  ...{ apiVersion, kind, metadata },
  ...rest,
});
const listed = (resources: string[], rest: Fields = {}) =>
  yaml({ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources, ...rest });

const namespace = (name: string) => object('v1', 'Namespace', { name }, {});
const fluxSource = (kind: string, name: string, url: string, rest: Fields = {}, ns = 'flux-system') =>
  object('source.toolkit.fluxcd.io/v1', kind, { name, namespace: ns }, { spec: { interval: '5m', url, ...rest } });
const git = (name: string, ns = 'flux-system') =>
  fluxSource('GitRepository', name, `https://git.example.net/platform/${name}`, { ref: { branch: 'main' } }, ns);
const charts = (name: string, ns = 'flux-system') =>
  fluxSource('HelmRepository', name, `https://charts.example.net/${name}`, {}, ns);

function stage(name: string, path: string, rest: Fields = {}, ns = 'flux-system') {
  const sourceRef = { kind: 'GitRepository', name: 'flux-system' };
  const spec = { interval: '10m', path, prune: true, sourceRef, ...rest };
  return object('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', { name, namespace: ns }, { spec });
}

function release(name: string, repository: string, values: Fields, ns: string, rest: Fields = {}) {
  const sourceRef = { kind: 'HelmRepository', name: repository, namespace: 'flux-system' };
  const chart = { spec: { chart: name, version: '2.x', sourceRef } };
  const spec = { interval: '30m', chart, values, ...rest };
  return object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', { name, namespace: ns }, { spec });
}

function workload(name: string, ns?: string, image = `registry.example.net/${name}:1.4.0`) {
  const labels = { app: name };
  const metadata = { name, ...(ns !== undefined && { namespace: ns }), labels };
  const containers = [{ name, image, ports: [{ name: 'http', containerPort: 8080 }] }];
  const template = { metadata: { labels }, spec: { containers } };
  return [
    object('apps/v1', 'Deployment', metadata, { spec: { replicas: 2, selector: { matchLabels: labels }, template } }),
    object('v1', 'Service', metadata, {
      spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
    }),
  ];
}

/** What `flux bootstrap` writes, its controllers left out. */
function bootstrapped(cluster: string, patches?: object[]): Texts {
  const folder = `clusters/${cluster}/flux-system`;
  return {
    [`${folder}/gotk-components.yaml`]: yaml(namespace('flux-system'), ...workload('source-controller', 'flux-system')),
    [`${folder}/gotk-sync.yaml`]: yaml(git('flux-system'), stage('flux-system', `./clusters/${cluster}`)),
    [`${folder}/kustomization.yaml`]: listed(['gotk-components.yaml', 'gotk-sync.yaml'], patches ? { patches } : {}),
  };
}

const infrastructure: Texts = {
  'infrastructure/controllers/kustomization.yaml': listed(['ingress.yaml']),
  'infrastructure/controllers/ingress.yaml': yaml(
    namespace('edge'),
    charts('edge'),
    release('edge', 'edge', { controller: { replicas: 2 } }, 'edge'),
  ),
  'infrastructure/configs/kustomization.yaml': listed(['limits.yaml']),
  'infrastructure/configs/limits.yaml': yaml(
    object(
      'v1',
      'LimitRange',
      { name: 'limits', namespace: 'edge' },
      {
        spec: { limits: [{ type: 'Container', default: { memory: '256Mi' } }] },
      },
    ),
  ),
};

const replicas = (name: string, count: number) => ({
  target: { kind: 'Deployment', name },
  patch: stringify([{ op: 'replace', path: '/spec/replicas', value: count }]),
});

function apps(names: readonly string[] = environments, folder = 'apps'): Texts {
  return {
    [`${folder}/base/kustomization.yaml`]: listed(['namespace.yaml', 'shop.yaml']),
    [`${folder}/base/namespace.yaml`]: yaml(namespace('shop')),
    [`${folder}/base/shop.yaml`]: yaml(...workload('shop', 'shop')),
    ...each(names, (name) => ({
      [`${folder}/${name}/kustomization.yaml`]: listed(['../base'], {
        patches: [replicas('shop', name === 'production' ? 3 : 1)],
      }),
    })),
  };
}

/** The stages of a cluster, one after the other. */
const stagesOf = (cluster: string): Texts => ({
  [`clusters/${cluster}/infrastructure.yaml`]: yaml(
    stage('controllers', './infrastructure/controllers', { wait: true, timeout: '5m' }),
    stage('configs', './infrastructure/configs', { dependsOn: [{ name: 'controllers' }] }),
  ),
  [`clusters/${cluster}/apps.yaml`]: yaml(stage('apps', `./apps/${cluster}`, { dependsOn: [{ name: 'configs' }] })),
});

const account = (name: string, ns: string) => [
  object('v1', 'ServiceAccount', { name, namespace: ns }, {}),
  object(
    'rbac.authorization.k8s.io/v1',
    'RoleBinding',
    { name, namespace: ns },
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', name, namespace: ns }],
    },
  ),
];

/** A team with its namespace, rights and repository. */
function team(name: string, folder: string): Texts {
  const sourceRef = { kind: 'GitRepository', name };
  return {
    [`${folder}/kustomization.yaml`]: listed(['rbac.yaml', 'sync.yaml']),
    [`${folder}/rbac.yaml`]: yaml(namespace(name), ...account(name, name)),
    [`${folder}/sync.yaml`]: yaml(
      git(name, name),
      stage(name, './', { serviceAccountName: name, targetNamespace: name, sourceRef }, name),
    ),
  };
}

function chart(folder: string, name: string): Texts {
  return {
    [`${folder}/Chart.yaml`]: yaml({ apiVersion: 'v2', name, version: '0.0.0', type: 'application' }),
    [`${folder}/values.yaml`]: yaml({ replicas: 1 }),
    [`${folder}/templates/config.yaml`]: `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
data:
  replicas: {{ .Values.replicas | quote }}
`,
  };
}

const encrypted = 'ENC[AES256_GCM,data:9aYd3uQ=,iv:0Z6ZsY0uC3nFqHkXvPqk1w==,tag:3rWmC7dY1oYb0dU2m0Xk9g==,type:str]';
const age = 'age1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0snwrp4h';
const sopsSecret = (name: string, ns: string) =>
  object(
    'v1',
    'Secret',
    { name, namespace: ns },
    {
      stringData: { password: encrypted },
      sops: {
        age: [
          {
            recipient: age,
            enc: '-----BEGIN AGE ENCRYPTED FILE-----\nbm90IGEgcmVhbA==\n-----END AGE ENCRYPTED FILE-----\n',
          },
        ],
        lastmodified: '2026-01-09T10:11:12Z',
        ...{ mac: encrypted, encrypted_regex: '^(data|stringData)$', version: '3.11.0' },
      },
    },
  );

const merged = {
  'kustomize.toolkit.fluxcd.io/ssa': 'Merge',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
};
const override = (name: string, components: Fields) =>
  object(
    'cozystack.io/v1alpha1',
    'Package',
    { name: `cozystack.${name}`, annotations: merged },
    { spec: { components } },
  );
const metallb = override('metallb', { metallb: { values: { metallb: { speaker: { logLevel: 'warn' } } } } });

const packageSource = (name: string, sourceRef: Fields, components: object[]) =>
  object(
    'cozystack.io/v1alpha1',
    'PackageSource',
    { name },
    { spec: { sourceRef, variants: [{ name: 'default', components }] } },
  );

const fluxLayouts: Layout[] = [
  {
    name: 'monorepo',
    source: `${flux}/guides/repository-structure`,
    files: {
      ...each(environments, (name) => ({ ...bootstrapped(name), ...stagesOf(name) })),
      ...infrastructure,
      ...apps(),
    },
  },
  {
    name: 'a repository for an environment',
    source: `${flux}/guides/repository-structure`,
    files: { ...bootstrapped('production'), ...stagesOf('production'), ...infrastructure, ...apps(['production']) },
  },
  {
    name: 'a repository for a team: that of the platform',
    source: `${flux}/guides/repository-structure`,
    files: {
      ...each(environments, (name) => ({
        ...bootstrapped(name),
        [`clusters/${name}/teams.yaml`]: yaml(stage('teams', './teams', { dependsOn: [{ name: 'controllers' }] })),
        [`clusters/${name}/infrastructure.yaml`]: yaml(
          stage('controllers', './infrastructure/controllers', { wait: true }),
          stage('configs', './infrastructure/configs', { dependsOn: [{ name: 'controllers' }] }),
        ),
      })),
      ...infrastructure,
      'teams/kustomization.yaml': listed(['red', 'blue']),
      ...team('red', 'teams/red'),
      ...team('blue', 'teams/blue'),
    },
  },
  { name: 'a repository for a team: that of the team', source: `${flux}/guides/repository-structure`, files: apps() },
  {
    name: 'a repository for an app: manifests',
    source: `${flux}/guides/repository-structure`,
    files: {
      'src/main.go': 'package main\n',
      'deploy/manifests/shop.yaml': yaml(...workload('shop', 'cozy-customizer')),
    },
  },
  {
    name: 'a repository for an app: overlays',
    source: `${flux}/guides/repository-structure`,
    files: { 'src/main.go': 'package main\n', ...apps(environments, 'deploy') },
  },
  {
    name: 'a repository for an app: a chart',
    source: `${flux}/guides/repository-structure`,
    files: {
      'src/main.go': 'package main\n',
      ...chart('chart', 'shop'),
      'chart/values-prod.yaml': yaml({ replicas: 3 }),
    },
  },
  {
    name: 'pointers to repositories of apps',
    source: `${flux}/guides/repository-structure`,
    files: {
      ...bootstrapped('production'),
      'clusters/production/shop.yaml': yaml(
        fluxSource('GitRepository', 'shop', 'https://git.example.net/team/shop', { ref: { semver: '1.x' } }),
        stage('shop', './deploy/manifests', {
          sourceRef: { kind: 'GitRepository', name: 'shop' },
          patches: [replicas('shop', 2)],
        }),
      ),
      'clusters/production/wiki.yaml': yaml(charts('apps'), release('wiki', 'apps', { replicas: 2 }, 'flux-system')),
    },
  },
  {
    name: 'multi-tenancy',
    source: 'https://github.com/fluxcd/flux2-multi-tenancy',
    files: {
      ...each(environments, (name) => ({
        ...bootstrapped(name, [
          {
            target: { kind: 'Deployment', name: 'source-controller' },
            patch: stringify([
              { op: 'add', path: '/spec/template/spec/containers/0/args', value: ['--no-cross-namespace-refs=true'] },
            ]),
          },
          {
            target: { kind: 'Kustomization' },
            patch: stringify([{ op: 'add', path: '/spec/serviceAccountName', value: 'kustomize-controller' }]),
          },
        ]),
        [`clusters/${name}/infrastructure.yaml`]: yaml(
          stage('policies', './infrastructure/policies', { serviceAccountName: 'kustomize-controller', wait: true }),
        ),
        [`clusters/${name}/tenants.yaml`]: yaml(
          stage('tenants', `./tenants/${name}`, {
            ...{ dependsOn: [{ name: 'policies' }], serviceAccountName: 'kustomize-controller' },
          }),
        ),
        [`tenants/${name}/kustomization.yaml`]: listed(['../base/dev-team'], { patches: [{ path: 'dev-team.yaml' }] }),
        [`tenants/${name}/dev-team.yaml`]: yaml(
          object(
            'kustomize.toolkit.fluxcd.io/v1',
            'Kustomization',
            { name: 'dev-team', namespace: 'dev-team' },
            {
              spec: { path: `./${name}` },
            },
          ),
        ),
      })),
      'infrastructure/policies/kustomization.yaml': listed(['quota.yaml']),
      'infrastructure/policies/quota.yaml': yaml(
        object(
          'v1',
          'ResourceQuota',
          { name: 'objects', namespace: 'flux-system' },
          { spec: { hard: { pods: '50' } } },
        ),
      ),
      ...team('dev-team', 'tenants/base/dev-team'),
    },
  },
  {
    name: 'bootstrap with patches',
    source: `${flux}/installation/configuration/boostrap-customization`,
    files: {
      ...bootstrapped('production', [
        {
          target: { kind: 'Deployment', labelSelector: 'app=source-controller' },
          patch: stringify([{ op: 'add', path: '/spec/replicas', value: 1 }]),
        },
        {
          target: { kind: 'Deployment', name: '(source-controller|helm-controller)' },
          patch: yaml(object('apps/v1', 'Deployment', { name: 'all' }, { spec: { revisionHistoryLimit: 2 } })),
        },
      ]),
      'clusters/production/settings.yaml': yaml(
        object('v1', 'ConfigMap', { name: 'settings', namespace: 'flux-system' }, { data: { level: 'info' } }),
      ),
    },
  },
  {
    name: 'variables of a cluster',
    source: `${flux}/components/kustomize/kustomizations`,
    files: {
      ...bootstrapped('production'),
      'clusters/production/settings.yaml': yaml(
        object('v1', 'ConfigMap', { name: 'settings', namespace: 'flux-system' }, { data: { region: 'north' } }),
      ),
      'clusters/production/apps.yaml': yaml(
        stage('apps', './apps/base', {
          postBuild: {
            substitute: { domain: 'example.net' },
            substituteFrom: [{ kind: 'ConfigMap', name: 'settings' }],
          },
        }),
      ),
      ...apps([]),
      'apps/base/shop.yaml': yaml(
        ...workload('shop', 'shop'),
        object(
          'v1',
          'ConfigMap',
          { name: 'shop', namespace: 'shop' },
          {
            data: { host: `shop.\${domain}`, region: `\${region}`, colour: `\${colour:=blue}` },
          },
        ),
      ),
    },
  },
  {
    name: 'image automation',
    source: `${flux}/guides/image-update`,
    files: {
      ...bootstrapped('production'),
      'clusters/production/shop.yaml': yaml(namespace('shop'), ...workload('shop', 'shop')).replace(
        'shop:1.4.0',
        'shop:1.4.0 # {"$imagepolicy": "flux-system:shop"}',
      ),
      'clusters/production/automation.yaml': yaml(
        object(
          'image.toolkit.fluxcd.io/v1',
          'ImageRepository',
          { name: 'shop', namespace: 'flux-system' },
          {
            spec: { image: 'registry.example.net/shop', interval: '5m' },
          },
        ),
        object(
          'image.toolkit.fluxcd.io/v1',
          'ImagePolicy',
          { name: 'shop', namespace: 'flux-system' },
          {
            spec: { imageRepositoryRef: { name: 'shop' }, policy: { semver: { range: '1.x' } } },
          },
        ),
        object(
          'image.toolkit.fluxcd.io/v1',
          'ImageUpdateAutomation',
          { name: 'flux-system', namespace: 'flux-system' },
          {
            spec: {
              interval: '30m',
              sourceRef: { kind: 'GitRepository', name: 'flux-system' },
              git: {
                checkout: { ref: { branch: 'main' } },
                commit: { author: { name: 'fluxbot', email: 'fluxbot@example.net' } },
                push: { branch: 'main' },
              },
              update: { path: './clusters/production', strategy: 'Setters' },
            },
          },
        ),
      ),
    },
  },
  {
    name: 'artifacts made of a folder',
    source: `${flux}/cheatsheets/oci-artifacts`,
    files: {
      ...bootstrapped('production'),
      'clusters/production/shop.yaml': yaml(
        fluxSource('OCIRepository', 'shop', 'oci://registry.example.net/manifests/shop', { ref: { tag: 'latest' } }),
        stage('shop', './', { sourceRef: { kind: 'OCIRepository', name: 'shop' }, targetNamespace: 'flux-system' }),
      ),
      'deploy/kustomization.yaml': listed(['shop.yaml']),
      'deploy/shop.yaml': yaml(...workload('shop')),
    },
  },
  {
    name: 'a monorepo taken apart',
    source: 'https://github.com/fluxcd/flux2-kustomize-helm-example',
    files: {
      ...bootstrapped('production'),
      'clusters/production/artifacts.yaml': yaml(
        object(
          'source.extensions.fluxcd.io/v1beta1',
          'ArtifactGenerator',
          { name: 'parts', namespace: 'flux-system' },
          {
            spec: {
              sources: [{ alias: 'repo', kind: 'GitRepository', name: 'flux-system' }],
              artifacts: [{ name: 'shop', copy: [{ from: '@repo/apps/**', to: '@artifact/' }] }],
            },
          },
        ),
      ),
      'clusters/production/apps.yaml': yaml(
        stage('apps', './production', { sourceRef: { kind: 'ExternalArtifact', name: 'shop' } }),
      ),
      ...apps(['production']),
    },
  },
  {
    name: 'a repository of releases',
    source: `${flux}/guides/helmreleases`,
    files: {
      ...bootstrapped('production'),
      'clusters/production/releases.yaml': yaml(stage('releases', './releases')),
      'releases/kustomization.yaml': listed(['namespace.yaml', 'repository.yaml', 'wiki.yaml'], {
        configMapGenerator: [{ name: 'wiki-values', namespace: 'wiki', files: ['values.yaml=wiki-values.yaml'] }],
        configurations: ['names.yaml'],
      }),
      'releases/names.yaml': yaml({
        nameReference: [
          { kind: 'ConfigMap', version: 'v1', fieldSpecs: [{ path: 'spec/valuesFrom/name', kind: 'HelmRelease' }] },
        ],
      }),
      'releases/namespace.yaml': yaml(namespace('wiki')),
      'releases/repository.yaml': yaml(charts('apps')),
      'releases/wiki.yaml': yaml(
        release('wiki', 'apps', { replicas: 2 }, 'wiki', { valuesFrom: [{ kind: 'ConfigMap', name: 'wiki-values' }] }),
      ),
      'releases/wiki-values.yaml': yaml({ ingress: { enabled: true } }),
    },
  },
  {
    name: 'SOPS',
    source: `${flux}/guides/mozilla-sops`,
    files: {
      '.sops.yaml': yaml({ creation_rules: [{ path_regex: '.*.yaml', encrypted_regex: '^(data|stringData)$', age }] }),
      ...bootstrapped('production'),
      'clusters/production/secrets.yaml': yaml(
        stage('secrets', './secrets', { decryption: { provider: 'sops', secretRef: { name: 'sops-age' } } }),
      ),
      'secrets/database.yaml': yaml(sopsSecret('database', 'flux-system')),
    },
  },
  {
    name: 'sealed secrets',
    source: `${flux}/guides/sealed-secrets`,
    files: {
      ...bootstrapped('production'),
      'clusters/production/controller.yaml': yaml(
        charts('sealed-secrets'),
        release('sealed-secrets', 'sealed-secrets', { keyrenewperiod: '720h' }, 'flux-system'),
      ),
      'clusters/production/database.yaml': yaml(
        object(
          'bitnami.com/v1alpha1',
          'SealedSecret',
          { name: 'database', namespace: 'flux-system' },
          {
            spec: { encryptedData: { password: 'AgBy3i4OJSWK' }, template: { metadata: { name: 'database' } } },
          },
        ),
      ),
      'pub-sealed-secrets.pem': '-----BEGIN CERTIFICATE-----\nbm90IGEgcmVhbA==\n-----END CERTIFICATE-----\n',
    },
  },
  {
    name: 'notifications and receivers',
    source: `${flux}/guides/notifications`,
    files: {
      ...bootstrapped('production'),
      'clusters/production/notifications.yaml': yaml(
        object(
          'notification.toolkit.fluxcd.io/v1beta3',
          'Provider',
          { name: 'chat', namespace: 'flux-system' },
          {
            spec: { type: 'slack', channel: 'platform', secretRef: { name: 'chat' } },
          },
        ),
        object(
          'notification.toolkit.fluxcd.io/v1beta3',
          'Alert',
          { name: 'chat', namespace: 'flux-system' },
          {
            spec: { providerRef: { name: 'chat' }, eventSources: [{ kind: 'Kustomization', name: '*' }] },
          },
        ),
        object(
          'notification.toolkit.fluxcd.io/v1',
          'Receiver',
          { name: 'pushes', namespace: 'flux-system' },
          {
            spec: {
              ...{ type: 'github', events: ['ping', 'push'], secretRef: { name: 'receiver' } },
              resources: [{ kind: 'GitRepository', name: 'flux-system' }],
            },
          },
        ),
      ),
    },
  },
];

const cozystackLayouts: Layout[] = [
  {
    name: 'customizer: overrides at the root',
    source: `${cozystack}/next/operations`,
    files: { 'kustomization.yaml': listed(['packages/metallb.yaml']), 'packages/metallb.yaml': yaml(metallb) },
  },
  {
    name: 'customizer: a folder for a cluster',
    source: `${cozystack}/next/operations`,
    files: each(['north', 'south'], (name) => ({
      'base/kustomization.yaml': listed(['metallb.yaml']),
      'base/metallb.yaml': yaml(metallb),
      [`clusters/${name}/kustomization.yaml`]: listed(['../../base', 'settings.yaml']),
      [`clusters/${name}/settings.yaml`]: yaml(
        object('v1', 'ConfigMap', { name: 'cluster', namespace: 'cozy-customizer' }, { data: { name } }),
      ),
    })),
  },
  {
    name: 'customizer: stages',
    source: `${cozystack}/next/operations`,
    files: {
      'kustomization.yaml': listed(['metallb.yaml', 'stages.yaml']),
      'metallb.yaml': yaml(metallb),
      'stages.yaml': yaml(
        ...account('stages', 'cozy-customizer'),
        ...['settings', 'shop'].map((name, index) =>
          stage(
            name,
            `./stages/${name}`,
            {
              ...(index > 0 && { dependsOn: [{ name: 'settings' }] }),
              ...{ serviceAccountName: 'stages', targetNamespace: 'cozy-customizer', wait: true },
              sourceRef: { kind: 'GitRepository', name: 'cozystack-customizer-config', namespace: 'cozy-system' },
            },
            'cozy-customizer',
          ),
        ),
      ),
      'stages/settings/kustomization.yaml': listed(['settings.yaml']),
      'stages/settings/settings.yaml': yaml(
        object('v1', 'ConfigMap', { name: 'settings' }, { data: { level: 'info' } }),
      ),
      'stages/shop/kustomization.yaml': listed(['shop.yaml']),
      'stages/shop/shop.yaml': yaml(...workload('shop')),
    },
  },
  {
    name: 'customizer: a PackageSource and its charts',
    source: `${cozystack}/next/marketplace/publishing`,
    files: {
      'kustomization.yaml': listed(['hello.yaml']),
      'hello.yaml': yaml(
        packageSource(
          'acme.hello',
          { kind: 'GitRepository', name: 'cozystack-customizer-config', namespace: 'cozy-system', path: 'packages' },
          [{ name: 'hello', path: 'system/hello', install: { namespace: 'acme-hello' } }],
        ),
        object(
          'cozystack.io/v1alpha1',
          'Package',
          { name: 'acme.hello' },
          {
            spec: { variant: 'default', components: { hello: { values: { replicas: 2 } } } },
          },
        ),
      ),
      ...chart('packages/system/hello', 'hello'),
    },
  },
  {
    name: 'a repository of the marketplace',
    source: `${cozystack}/next/marketplace/publishing`,
    files: {
      'packages/core/platform/sources/hello.yaml': yaml(
        packageSource('acme.hello', { kind: 'OCIRepository', name: 'hello', namespace: 'cozy-system', path: '/' }, [
          { name: 'hello', path: 'apps/hello' },
          { name: 'hello-rd', path: 'system/hello-rd', install: { namespace: 'cozy-system' } },
        ]),
      ),
      ...chart('packages/apps/hello', 'hello'),
      ...chart('packages/system/hello-rd', 'hello-rd'),
      'README.md': '# hello\n',
    },
  },
  {
    name: 'external apps',
    source: `${cozystack}/next/applications/external`,
    files: {
      'init.yaml': yaml(
        git('external-apps', 'cozy-public'),
        object(
          'helm.toolkit.fluxcd.io/v2',
          'HelmRelease',
          { name: 'external-apps', namespace: 'cozy-system' },
          {
            spec: {
              ...{ interval: '5m', targetNamespace: 'cozy-system' },
              chart: {
                spec: {
                  chart: './packages/core/platform',
                  sourceRef: { kind: 'GitRepository', name: 'external-apps', namespace: 'cozy-public' },
                  reconcileStrategy: 'Revision',
                },
              },
            },
          },
        ),
      ),
      'scripts/package.mk': 'generate:\n',
      ...chart('packages/core/platform', 'platform'),
      ...chart('packages/apps/hello', 'hello'),
    },
  },
  {
    name: 'tenants and their applications',
    source: `${cozystack}/next/applications/tenant`,
    files: {
      '.customizer-lint.yaml': yaml({
        cluster: { ownedNamespaces: ['cozy-customizer', 'tenant-root', 'tenant-shop'] },
      }),
      'kustomization.yaml': listed(['tenants']),
      'tenants/kustomization.yaml': listed(['shop.yaml', 'orders.yaml']),
      'tenants/shop.yaml': yaml(
        object(
          'apps.cozystack.io/v1alpha1',
          'Tenant',
          { name: 'shop', namespace: 'tenant-root' },
          {
            spec: { host: 'shop.example.net', ingress: true, monitoring: false },
          },
        ),
      ),
      'tenants/orders.yaml': yaml(
        object(
          'apps.cozystack.io/v1alpha1',
          'Postgres',
          { name: 'orders', namespace: 'tenant-shop' },
          {
            spec: { replicas: 2, size: '10Gi', users: { orders: {} } },
          },
        ),
      ),
    },
  },
];

export const layouts: Layout[] = [...fluxLayouts, ...cozystackLayouts];

/** Each changes the first file in which it can be made, in the order of their names. */
export const mistakes: Mistake[] = [
  {
    name: 'a path without a folder',
    in: /^kind: Kustomization$/m,
    from: /^( {2}path: \.\/(?!clusters)\w.*)$/m,
    to: '$1-gone',
  },
  {
    name: 'a stage that waits for a misspelt one',
    in: /toolkit/,
    from: /^( {2}dependsOn:\n {4}- name: .*)$/m,
    to: '$1s',
  },
  {
    name: 'a source that is misspelt',
    in: /^kind: (?:Kustomization|HelmRelease)$/m,
    from: /^( +sourceRef:\n +kind: \w+\n +name: .*)$/m,
    to: '$1s',
  },
  { name: 'a listed file that is not there', in: /^resources:$/m, from: /^( {2}- [\w.-]+)\.yaml$/m, to: '$1s.yaml' },
  { name: 'a field that is misspelt', in: /toolkit/, from: /^( {2})interval:/m, to: '$1intervall:' },
  { name: 'a value of another type', in: /^kind: Deployment$/m, from: /^( {2}replicas:) \d+$/m, to: '$1 two' },
  {
    name: 'a version of before',
    in: /toolkit/,
    from: /^(apiVersion: kustomize\.toolkit\.fluxcd\.io\/)v1$/m,
    to: '$1v1beta1',
  },
  { name: 'a patch for nothing', in: /^patches:$/m, from: /^( {6}name: .*)$/m, to: '$1-gone' },
  { name: 'an object twice', in: /^resources:$/m, from: /^( {2}- (\S+))$/m, to: '$1\n  - $2' },
  {
    name: 'a document that is no YAML',
    in: /^kind: (?:Deployment|Package|Namespace)$/m,
    from: /^(metadata:)$/m,
    to: '$1 {',
  },
  {
    name: 'an override that is no merge',
    in: /^kind: Package$/m,
    from: /^ {4}kustomize\.toolkit\.fluxcd\.io\/ssa: Merge\n/m,
    to: '',
  },
  { name: 'a component that is misspelt', in: /^kind: Package$/m, from: /^ {4}(metallb|hello):$/m, to: '    $1s:' },
  {
    name: 'a password in the open',
    in: /ENC\[/,
    from: /^ {2}password: ENC.*$/m,
    to: '  password: correct-horse-battery',
  },
];

export type Case = { layout: string; mistake: string; files: Files };

/** Of each layout the one as it should be, and one with each mistake that it can have. */
export function casesOf({ name: layout, files }: Layout): Case[] {
  const wrong = mistakes.flatMap((mistake) => {
    const path = Object.keys(files)
      .sort()
      .find((one) => mistake.in.test(files[one] as string) && mistake.from.test(files[one] as string));
    if (path === undefined) return [];
    const text = (files[path] as string).replace(mistake.from, mistake.to);
    return [{ layout, mistake: mistake.name, files: { ...files, [path]: text } }];
  });
  return [{ layout, mistake: 'none', files }, ...wrong];
}
