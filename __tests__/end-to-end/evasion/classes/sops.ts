/** Values that the author encrypts with the public key of the repository; the reference renders the plain text. */
import { stringify } from 'yaml';
import type { Json, JsonObject } from '../../../../src/core/model.js';
import { lookUp } from '../../../../src/core/object.js';
import type { Folder } from '../folder.js';
import type { Tree } from '../generate.js';
import { type Harm, harms, type Path, shown, withField } from '../harms.js';
import { inUse, payloads, rules } from './payloads.js';
import { becoming, clusterWide, type Draw, flux, home, isSame, layoutOf, listing, note, object, site } from './site.js';

const variant = harms.variant as Harm;

/** A value in the format of sops. */
const cipher = (value: Json) => {
  const type = typeof value === 'boolean' ? 'bool' : typeof value === 'number' ? 'int' : 'str';
  const data = Buffer.from(String(value)).toString('base64');
  return `ENC[AES256_GCM,data:${data},iv:MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=,tag:MDEyMzQ1Njc4OTAxMjM0NQ==,type:${type}]`;
};
const sopsOf: JsonObject = {
  age: [
    {
      recipient: `age1${'q'.repeat(58)}`,
      enc: '-----BEGIN AGE ENCRYPTED FILE-----\nYQ==\n-----END AGE ENCRYPTED FILE-----\n',
    },
  ],
  lastmodified: '2026-01-01T00:00:00Z',
  mac: cipher('x'),
  version: '3.9.0',
};

/** An object with harm in a field that is encrypted. */
type Secretive = { object: JsonObject; field: Path; value: Json; decoy?: Json; harm?: Harm };
const owned = payloads.owner?.bad as JsonObject;
const own = flux('team', './calm', { serviceAccountName: 'team' });
const role = (name: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name });
const subjects = [{ kind: 'ServiceAccount', name: 'x', namespace: home }];
const release = object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'portal', {
  spec: {
    interval: '5m',
    serviceAccountName: 'installer',
    targetNamespace: home,
    chart: { spec: { chart: 'portal', version: '1.0.0', sourceRef: { kind: 'HelmRepository', name: 'charts' } } },
  },
});
const pod = { restartPolicy: 'Never', containers: [{ name: 'a', image: 'nginx:1' }] };
const job = (more: JsonObject) =>
  object('batch/v1', 'Job', 'once', { spec: { template: { spec: { ...pod, ...more } } } });
const kustomize = 'kustomize.toolkit.fluxcd.io';

const fields: Record<string, Secretive> = {
  'name of a Package': {
    object: shown(variant, true),
    field: ['metadata', 'name'],
    value: 'cozystack.metallb',
    harm: variant,
  },
  'variant of a Package': { object: shown(variant, false), field: ['spec', 'variant'], value: 'oidc', harm: variant },
  'kind of a Package': { object: shown(variant, true), field: ['kind'], value: 'Package', harm: variant },
  'API version of a Package': {
    object: shown(variant, true),
    field: ['apiVersion'],
    value: 'cozystack.io/v1alpha1',
    harm: variant,
  },
  'component of a Package': {
    object: withField(shown(variant, false), ['spec', 'components', 'metallb', 'enabled'], true),
    field: ['spec', 'components', 'metallb', 'enabled'],
    value: false,
    decoy: true,
  },
  'namespace of an object': {
    object: harms['forbidden namespace']?.object as JsonObject,
    field: ['metadata', 'namespace'],
    value: 'kube-system',
    decoy: home,
    harm: harms['forbidden namespace'] as Harm,
  },
  'target namespace of a release': {
    object: release,
    field: ['spec', 'targetNamespace'],
    value: 'kube-system',
    decoy: home,
  },
  'account of a release': {
    object: release,
    field: ['spec', 'serviceAccountName'],
    value: 'admin',
    decoy: 'installer',
  },
  'chart of a release': { object: release, field: ['spec', 'chart', 'spec', 'chart'], value: 'evil', decoy: 'portal' },
  'path of a Flux object': { object: own, field: ['spec', 'path'], value: './evil', decoy: './calm' },
  'account of a Flux object': { object: own, field: ['spec', 'serviceAccountName'], value: 'root', decoy: 'team' },
  'source of a Flux object': {
    object: own,
    field: ['spec', 'sourceRef', 'name'],
    value: 'evil',
    decoy: 'cozystack-customizer',
  },
  'address of a source': {
    object: object('source.toolkit.fluxcd.io/v1', 'HelmRepository', 'charts', {
      spec: { interval: '5m', url: 'https://a.example.org' },
    }),
    field: ['spec', 'url'],
    value: 'https://evil.example.org',
    decoy: 'https://a.example.org',
  },
  'role of a binding': {
    object: object('rbac.authorization.k8s.io/v1', 'RoleBinding', 'team', { roleRef: role('view'), subjects }),
    field: ['roleRef', 'name'],
    value: 'cluster-admin',
    decoy: 'view',
  },
  'level of a Namespace': {
    object: clusterWide('v1', 'Namespace', 'cozy-customizer-more'),
    field: ['metadata', 'labels', 'pod-security.kubernetes.io/enforce'],
    value: 'privileged',
    decoy: 'restricted',
  },
  'account of a pod': {
    object: job({}),
    field: ['spec', 'template', 'spec', 'serviceAccountName'],
    value: 'admin',
    decoy: 'default',
  },
  'network of a pod': {
    object: job({}),
    field: ['spec', 'template', 'spec', 'hostNetwork'],
    value: true,
    decoy: false,
  },
  'address of a Service': {
    object: object('v1', 'Service', 'out', { spec: { type: 'ExternalName', externalName: 'a.example.org' } }),
    field: ['spec', 'externalName'],
    value: 'evil.example.org',
    decoy: 'a.example.org',
  },
  'reconcile of an object': {
    object: owned,
    field: ['metadata', 'annotations', `${kustomize}/reconcile`],
    value: 'enabled',
    decoy: 'disabled',
    harm: payloads.owner?.harm as Harm,
  },
  'owner of an object': {
    object: note('owned'),
    field: ['metadata', 'ownerReferences'],
    value: [{ apiVersion: 'v1', kind: 'Node', name: 'gone', uid: 'x' }],
  },
};

/** Encrypted leaves that decide nothing. */
const leaves: Record<string, { object: JsonObject; field: Path; value: Json }> = {
  'text of a Secret': {
    object: object('v1', 'Secret', 'login', { stringData: {} }),
    field: ['stringData', 'p'],
    value: 'x',
  },
  'data of a Secret': { object: object('v1', 'Secret', 'login', { data: {} }), field: ['data', 'p'], value: 'eA==' },
  'data of a ConfigMap': { object: note('text'), field: ['data', 'p'], value: 'x' },
  'text of an annotation': { object: note('text'), field: ['metadata', 'annotations', 'example.org/x'], value: 'x' },
};

const encrypted = ({ object: value, field }: Pick<Secretive, 'object' | 'field'>, plain: Json) => {
  const written = Array.isArray(plain)
    ? plain.map((one) => Object.fromEntries(Object.entries(one as object).map(([key, text]) => [key, cipher(text)])))
    : cipher(plain);
  return { ...withField(value, field, written as Json), sops: sopsOf };
};

/** Places of the encrypted object. */
const places: Record<string, (folder: Folder, value: JsonObject) => void> = {
  file: (folder, value) => folder.add('resources', folder.file(value)),
  'among others': (folder, value) =>
    folder.add('resources', folder.raw(`${stringify(note('first'))}---\n${stringify(value)}`)),
  list: (folder, value) => folder.add('resources', folder.file({ apiVersion: 'v1', kind: 'List', items: [value] })),
  'inner folder': (folder, value) => {
    folder.named('deep/kustomization.yaml', listing(['o.yaml']));
    folder.named('deep/o.yaml', stringify(value));
    folder.add('resources', 'deep');
  },
};

export const sops: Draw = (random) => {
  const isControl = random.chance(0.2);
  const all: Record<string, Secretive> = isControl ? leaves : fields;
  const name = random.pick(Object.keys(all));
  const one = all[name] as Secretive;
  const before = one.decoy === undefined ? undefined : withField(one.object, one.field, one.decoy);
  // Before the change it is not there, or in plain text, or in ciphertext of something else.
  const state = before === undefined ? 'new' : random.pick(['new', 'plain', 'encrypted']);
  const then = state === 'encrypted' ? encrypted(one, one.decoy as Json) : before;
  const layout = layoutOf(random, isControl ? [0] : undefined);
  const place = random.pick(Object.keys(places));
  const tree = (value: JsonObject | undefined): Tree => {
    const { tree: files } = site(layout, (folder) => {
      folder.flux.spec.decryption = { provider: 'sops', secretRef: { name: 'sops-age' } };
      folder.add('resources', folder.named('inside.yaml', stringify(note('inside'))));
      if (value) places[place]?.(folder, value);
    });
    return {
      ...files,
      'kustomization.yaml': listing(['note.yaml', 'apps.yaml', 'calm.yaml']),
      'calm.yaml': stringify(flux('calm', './calm')),
      'calm/a.yaml': stringify(note('calm')),
      'calm/job.yaml': stringify(inUse),
      'evil/bad.yaml': stringify(shown(variant, true)),
    };
  };
  const plain = withField(one.object, one.field, one.value);
  const isBad = (value: JsonObject) => !isControl && isSame(lookUp(value, [...one.field]), one.value);
  const kept = state === 'new' ? undefined : then;
  return {
    harm: one.harm ?? becoming(rules, plain, isBad),
    base: tree(kept),
    head: tree(encrypted(one, one.value)),
    truth: { base: tree(state === 'new' ? undefined : before), head: tree(plain) },
    isNew: state === 'new',
    isControl,
    isRedIfUnknown: true,
    labels: [`encrypted: ${name}`, `before: ${state}`, `place: ${place}`, ...(isControl ? ['twin'] : [])],
  };
};
