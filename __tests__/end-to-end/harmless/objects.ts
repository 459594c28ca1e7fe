/** Changes of objects that the table of effects (docs/trust.md) calls no effect. */
import { type Document, isMap, isScalar, parseDocument, type Scalar, visit } from 'yaml';
import type { Change, Random } from './files.js';
import { oneOf } from './files.js';
import {
  added,
  editableIn,
  kustomizationsOf,
  type Manifest,
  relisted,
  type Tree,
  without,
  written,
} from './repository.js';

type Path = (string | number)[];
const workloads = ['Deployment', 'StatefulSet', 'DaemonSet', 'CronJob'];
/** Whose removal is no error as long as nothing refers to them. */
const disposable = [
  'HorizontalPodAutoscaler',
  'PodDisruptionBudget',
  'ServiceMonitor',
  'PrometheusRule',
  'GrafanaDashboard',
  'ConfigMap',
];

const ofObject = (
  isOf: (one: Manifest, files: Tree) => boolean,
  edit: (one: Manifest, random: Random) => unknown,
): Change =>
  function change(files, random) {
    const found = editableIn(files).flatMap(({ file, manifests }) =>
      manifests.filter((one) => isOf(one, files)).map((one) => ({ file, manifests, one })),
    );
    const chosen = oneOf(found, random);
    if (!chosen || edit(chosen.one, random) === false) return undefined;
    return { ...files, [chosen.file]: written(chosen.manifests) };
  };

const isKind =
  (...kinds: string[]) =>
  ({ kind }: Manifest) =>
    kinds.includes(kind);

function set(document: Document, path: Path, value: unknown): void {
  document.setIn(path, document.createNode(value));
}

const containersAt = ({ kind }: Manifest): Path => [
  ...(kind === 'CronJob' ? ['spec', 'jobTemplate'] : []),
  ...['spec', 'template', 'spec', 'containers', 0],
];

/** Of a workload its first container. */
const ofContainer = (field: string, value: unknown): Change =>
  ofObject(isKind(...workloads), (one) => {
    const path = [...containersAt(one), field];
    if (one.document.hasIn(path)) return false;
    set(one.document, path, value);
    return true;
  });

/** The numbers below a path. */
function numbersBelow(document: Document, path: Path): Scalar<number>[] {
  const found: Scalar<number>[] = [];
  const node = document.getIn(path, true);
  if (isMap(node))
    visit(node, {
      Scalar(key, scalar) {
        if (key !== 'key' && typeof scalar.value === 'number' && scalar.source && /^\d{1,4}$/.test(scalar.source))
          found.push(scalar as Scalar<number>);
      },
    });
  return found;
}

function bump({ document }: Manifest, path: Path, random: Random): boolean {
  const number = oneOf(numbersBelow(document, path), random);
  if (!number) return false;
  number.value += 1;
  delete number.source;
  return true;
}

/** Whether another file, or another manifest, has the name. */
function isReferred({ name, kind }: Manifest, files: Tree): boolean {
  const uses =
    Object.values(files)
      .join('\n')
      .split(new RegExp(`(?<![\\w-])${name}(?![\\w-])`)).length - 1;
  return uses > 1 || kind === '';
}

/** Beside what is there, in its namespace. */
const withNew = (name: string, make: (namespace: object, image: string) => object | undefined): Change =>
  function change(files, random) {
    const places = kustomizationsOf(files).filter((by) => namespaceIn(files, by) !== undefined);
    const by = oneOf(places, random);
    if (!by) return undefined;
    const image = imagesIn(files)[0] ?? '';
    const object = make(namespaceIn(files, by) as object, image);
    return object && added(files, by, `${name}.yaml`, String(parseDocument(JSON.stringify(object))));
  };

/** The namespace that the objects beside it have, if they have the same. */
function namespaceIn(files: Tree, by: string): object | undefined {
  if ((parseDocument(files[by] as string).toJS() as { namespace?: string }).namespace) return {};
  const beside = editableIn(files).filter((one) => one.by === by);
  const names = new Set(
    beside.flatMap(({ manifests }) =>
      manifests.map(({ value }) => (value.metadata as { namespace?: string }).namespace),
    ),
  );
  const [namespace] = names;
  return names.size === 1 && namespace ? { namespace } : undefined;
}

function imagesIn(files: Tree): string[] {
  return editableIn(files).flatMap(({ manifests }) =>
    manifests.filter(isKind(...workloads)).flatMap((one) => {
      const image = one.document.getIn([...containersAt(one), 'image']);
      return typeof image === 'string' ? [image] : [];
    }),
  );
}

/** One that has a namespace, or whose objects have one. */
const ofKustomization = (edit: (document: Document, random: Random, namespace: object) => void): Change =>
  function change(files, random) {
    const places = kustomizationsOf(files).filter((by) => namespaceIn(files, by) !== undefined);
    const by = oneOf(places, random);
    if (!by) return undefined;
    const document = parseDocument(files[by] as string);
    edit(document, random, namespaceIn(files, by) as object);
    return { ...files, [by]: String(document) };
  };

/** To a list, which is not there or has others. */
function adds(document: Document, field: string, entry: object): void {
  if (!document.has(field)) document.set(field, document.createNode([]));
  document.addIn([field], document.createNode(entry));
}

const labels = { app: 'added' };
export const changesOfObjects: { [title: string]: Change } = {
  'a label': ofObject(
    () => true,
    ({ document }) => set(document, ['metadata', 'labels', 'team'], 'platform'),
  ),
  'an annotation': ofObject(
    () => true,
    ({ document }) => set(document, ['metadata', 'annotations', 'example.net/owner'], 'platform'),
  ),
  // Of a Deployment without any an autoscaler may set them.
  'other replicas': ofObject(
    ({ kind, document }) => kind === 'StatefulSet' || (kind === 'Deployment' && document.hasIn(['spec', 'replicas'])),
    ({ document }, random) => set(document, ['spec', 'replicas'], 2 + random.below(3)),
  ),
  'another tag': ofObject(isKind(...workloads), (one, random) => {
    const image = one.document.getIn([...containersAt(one), 'image'], true);
    if (!isScalar(image) || typeof image.value !== 'string' || !/:[\w.-]+$/.test(image.value)) return false;
    image.value = image.value.replace(/:[\w.-]+$/, `:1.${5 + random.below(9)}.0`);
    return true;
  }),
  'resources of a container': ofContainer('resources', { requests: { cpu: '50m' }, limits: { memory: '128Mi' } }),
  'a probe': ofContainer('readinessProbe', { httpGet: { path: '/ready', port: 8080 } }),
  'a plain variable of a container': ofContainer('env', [{ name: 'LOG_LEVEL', value: 'debug' }]),
  'arguments of a container': ofContainer('args', ['--verbose']),
  'a schedule': ofObject(isKind('CronJob'), ({ document }, random) =>
    set(document, ['spec', 'schedule'], `${random.below(60)} 3 * * *`),
  ),
  'a value of a Package': ofObject(isKind('Package'), (one, random) => bump(one, ['spec', 'components'], random)),
  'a value of a release': ofObject(isKind('HelmRelease'), (one, random) => bump(one, ['spec', 'values'], random)),
  'when a release is reconciled': ofObject(isKind('HelmRelease'), ({ document }, random) =>
    set(document, ['spec', 'interval'], `${15 + random.below(30)}m`),
  ),
  'when a source is fetched': ofObject(
    isKind('HelmRepository', 'OCIRepository', 'GitRepository'),
    ({ document }, random) => set(document, ['spec', 'interval'], `${15 + random.below(30)}m`),
  ),
  'when a stage is reconciled': ofObject(
    ({ kind, value }) => kind === 'Kustomization' && String(value.apiVersion).includes('toolkit'),
    ({ document }, random) => set(document, ['spec', 'interval'], `${15 + random.below(30)}m`),
  ),
  'a port of a Service': ofObject(isKind('Service'), ({ document }) => {
    const ports = (document.toJS().spec.ports ?? []) as { name?: string }[];
    if (ports.length === 0 || ports.some(({ name }) => name === undefined)) return false;
    document.addIn(['spec', 'ports'], document.createNode({ name: 'metrics', port: 9090 }));
    return true;
  }),
  'a key of a ConfigMap': ofObject(
    (one, files) => one.kind === 'ConfigMap' && !isReferred(one, files),
    ({ document }) => set(document, ['data', 'more.conf'], 'level = info\n'),
  ),
  'rules of alerts': ofObject(isKind('PrometheusRule', 'VMRule'), (one) => {
    const group = { name: 'more', rules: [{ alert: 'Down', expr: 'up == 0', for: '10m' }] };
    one.document.addIn(['spec', 'groups'], one.document.createNode(group));
    return true;
  }),
  'one that nothing refers to is removed'(files, random) {
    const found = editableIn(files).filter(
      ({ manifests: [one, ...others] }) =>
        one && others.length === 0 && disposable.includes(one.kind) && !isReferred(one, files),
    );
    const chosen = oneOf(found, random);
    return chosen && without(relisted(files, chosen, []), chosen.file);
  },
  'a ConfigMap': withNew('settings-added', (namespace) => ({
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings-added', ...namespace } },
    data: { 'app.conf': 'level = info\n' },
  })),
  'a workload of an image in use': withNew('workload-added', (namespace, image) =>
    image === ''
      ? undefined
      : {
          ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'added', labels, ...namespace } },
          spec: {
            ...{ replicas: 2, selector: { matchLabels: labels } },
            template: {
              metadata: { labels },
              spec: { containers: [{ name: 'main', image, ports: [{ containerPort: 8080 }] }] },
            },
          },
        },
  ),
  'a Service': withNew('service-added', (namespace) => ({
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'added', ...namespace } },
    spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
  })),
  'a budget for disruptions': withNew('budget-added', (namespace) => ({
    ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'added', ...namespace } },
    spec: { minAvailable: 1, selector: { matchLabels: labels } },
  })),
  'an autoscaler': withNew('autoscaler-added', (namespace) => ({
    ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name: 'added', ...namespace } },
    spec: {
      minReplicas: 2,
      maxReplicas: 4,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'added' },
    },
  })),
  'a policy that lets nothing in': withNew('policy-added', (namespace) => ({
    ...{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: 'added', ...namespace } },
    spec: { podSelector: { matchLabels: labels }, policyTypes: ['Ingress'] },
  })),
  'labels of all': ofKustomization((document) =>
    adds(document, 'labels', { pairs: { 'example.net/part-of': 'house' } }),
  ),
  'a generated ConfigMap': ofKustomization((document, _, namespace) =>
    adds(document, 'configMapGenerator', { name: 'generated', ...namespace, literals: ['level=info'] }),
  ),
  'a patch of annotations': ofKustomization((document, random) =>
    adds(document, 'patches', {
      target: { kind: random.pick(['ConfigMap', 'Deployment', 'Service', 'Package']) },
      patch: JSON.stringify({
        ...{ apiVersion: 'v1', kind: 'Any', metadata: { name: 'any', annotations: { 'example.net/owner': 'house' } } },
      }),
    }),
  ),
  'a tag in a kustomization'(files, random) {
    const name = oneOf(imagesIn(files), random)?.replace(/:[^:/]+$/, '');
    const edit = ofKustomization((document) => adds(document, 'images', { name, newTag: '9.1.0' }));
    return name === undefined ? undefined : edit(files, random);
  },
};
