/** What a kustomization changes in every object: names, labels, images, replacements, variables, plugins by configuration. */
import { make } from './resources.mjs';

const builtin = (kind, name, fields) => ({ apiVersion: 'builtin', kind, metadata: { name }, ...fields });

const imageOf = (object) => {
  const containers =
    object.value.spec.template?.spec.containers ?? object.value.spec.jobTemplate.spec.template.spec.containers;
  return containers[0].image.split(':')[0];
};

function images(layer, feature, change) {
  const object = layer.object('Deployment', 'CronJob');
  if (!object) return false;
  layer.add('images', { name: imageOf(object), ...change(() => layer.tree.word(feature)) });
  return true;
}

const data = (object) => Object.keys(object.value.data ?? {})[0];

/** From a ConfigMap to a fresh object in this layer, so that nothing else depends on what is replaced. */
function replacement(layer, feature, build) {
  const source = layer.object('ConfigMap');
  if (!source || !data(source)) return false;
  const target = make(layer, 'Deployment', 'resource');
  layer.add('resources', layer.yaml('target', target));
  const entry = {
    source: { kind: 'ConfigMap', name: source.value.metadata.name, fieldPath: `data.${data(source)}` },
    targets: [{ select: { kind: 'Deployment', name: target.metadata.name }, ...build(layer.tree) }],
  };
  for (const field of entry.targets[0].fieldPaths) {
    const path = field.replace('[name=main]', '0');
    layer.tree.spots.push({ feature, name: target.metadata.name, path });
  }
  if (layer.tree.random.chance(0.6)) layer.add('replacements', entry);
  else layer.add('replacements', { path: layer.yaml('replacement', layer.tree.random.chance(0.5) ? entry : [entry]) });
  return true;
}

function variables(layer) {
  const source = layer.object('ConfigMap');
  const other = layer.object('Deployment', 'Service');
  if (!source || !other || (layer.fields.vars ?? []).length > 0) return false;
  const [w] = layer.tree.fresh('vars');
  const names = [`V_${w().toUpperCase()}`, `W_${w().toUpperCase()}`];
  const reference = ({ value }) => ({ apiVersion: value.apiVersion, kind: value.kind, name: value.metadata.name });
  layer.add('vars', {
    name: names[0],
    objref: reference(source),
    fieldref: { fieldpath: 'metadata.annotations.note' },
  });
  layer.add('vars', { name: names[1], objref: reference(other) });
  const user = make(layer, 'Deployment', 'resource');
  user.spec.template.spec.containers[0].args = [`$(${names[0]})`, `${w()}-$(${names[0]})-$(${names[1]})`];
  user.spec.template.spec.containers[0].env.push({ name: 'FROM_VARIABLE', value: `$(${names[1]})` });
  layer.add('resources', layer.yaml('user', user));
  for (const field of ['args.0', 'args.1', `env.${user.spec.template.spec.containers[0].env.length - 1}.value`]) {
    const path = `spec.template.spec.containers.0.${field}`;
    layer.tree.spots.push({ feature: 'vars', name: user.metadata.name, path });
  }
  return true;
}

/** Builtin transformers by their own configuration files. */
const configured = {
  'plugin-prefix': (w) =>
    builtin('PrefixTransformer', 'p', { prefix: `${w()}-`, fieldSpecs: [{ path: 'metadata/name' }] }),
  'plugin-labels': (w) =>
    builtin('LabelTransformer', 'l', {
      labels: { [`l-${w()}`]: w() },
      fieldSpecs: [{ path: 'metadata/labels', create: true }],
    }),
  'plugin-annotations': (w) =>
    builtin('AnnotationsTransformer', 'a', {
      annotations: { [`a-${w()}`]: w() },
      fieldSpecs: [{ path: 'metadata/annotations', create: true }],
    }),
  'plugin-namespace': (w) => ({
    ...builtin('NamespaceTransformer', 'n', { fieldSpecs: [{ path: 'metadata/namespace', create: true }] }),
    metadata: { name: 'n', namespace: w() },
  }),
};

const plugin = (feature, config) => (layer) => {
  layer.add(
    'transformers',
    layer.yaml(
      feature,
      config(() => layer.tree.word(feature)),
    ),
  );
  return true;
};

function pluginPatch(layer) {
  const object = layer.object();
  if (!object) return false;
  const w = () => layer.tree.word('plugin-patch');
  const { kind, metadata } = object.value;
  const patch = `[{"op": "add", "path": "/metadata/annotations/p-${w()}", "value": "${w()}"}]`;
  layer.add(
    'transformers',
    layer.yaml('plugin-patch', builtin('PatchTransformer', 'j', { patch, target: { kind, name: metadata.name } })),
  );
  return true;
}

function pluginGenerator(layer) {
  const w = () => layer.tree.word('plugin-generator');
  const literals = [`${w()}=${w()}`, `${w()}=${w()}`];
  const kind = layer.tree.random.pick(['ConfigMapGenerator', 'SecretGenerator']);
  layer.add('generators', layer.yaml('plugin-generator', builtin(kind, `gen-${w()}`, { literals })));
  return true;
}

/** Fields of an own kind that kustomize learns of by `configurations`. */
function configurations(layer) {
  const { tree } = layer;
  const w = () => tree.word('configurations');
  const configMap = layer.object('ConfigMap');
  const name = `thing-${w()}`;
  const thing = {
    apiVersion: 'example.org/v1',
    kind: 'Thing',
    metadata: { name },
    spec: {
      image: `${w()}:${w()}`,
      configRef: configMap?.value.metadata.name ?? w(),
      more: w(),
      count: tree.number('configurations'),
    },
  };
  layer.add('resources', layer.yaml('thing', thing));
  layer.add(
    'configurations',
    layer.yaml('configuration', {
      images: [{ path: 'spec/image', kind: 'Thing' }],
      nameReference: [{ kind: 'ConfigMap', version: 'v1', fieldSpecs: [{ path: 'spec/configRef', kind: 'Thing' }] }],
      commonAnnotations: [{ path: 'spec/annotations', create: true, kind: 'Thing' }],
    }),
  );
  layer.add('images', { name: thing.spec.image.split(':')[0], newTag: w() });
  layer.fields.commonAnnotations = { ...layer.fields.commonAnnotations, [`c-${w()}`]: w() };
  layer.fields.namePrefix ??= `${w()}-`;
  return true;
}

/** The same through the schema of a CRD. */
function crds(layer) {
  const { tree } = layer;
  const w = () => tree.word('crds');
  const configMap = layer.object('ConfigMap');
  if (!configMap) return false;
  const schema = {
    'org.example.v1.Gadget': {
      Schema: {
        properties: {
          apiVersion: { type: 'string' },
          kind: { type: 'string' },
          metadata: { type: 'object' },
          spec: {
            properties: {
              configRef: {
                'x-kubernetes-object-ref-api-version': 'v1',
                'x-kubernetes-object-ref-kind': 'ConfigMap',
                type: 'object',
              },
            },
          },
        },
      },
    },
  };
  layer.add('crds', layer.text('crd', 'json', `${JSON.stringify(schema, null, 2)}\n`));
  const spec = { configRef: { name: configMap.value.metadata.name }, more: w(), list: [w(), w()] };
  layer.add(
    'resources',
    layer.yaml('gadget', { apiVersion: 'example.org/v1', kind: 'Gadget', metadata: { name: `gadget-${w()}` }, spec }),
  );
  layer.fields.nameSuffix ??= `-${w()}`;
  return true;
}

/** An own schema that makes a list merge by key. Kustomize's own is replaced by it, so only one layer has it. */
function openapi(layer) {
  const { tree } = layer;
  if ([...tree.features].some((feature) => feature === 'openapi')) return false;
  const [w, n] = tree.fresh('openapi');
  const item = { type: 'object', properties: { name: { type: 'string' } } };
  const items = {
    type: 'array',
    items: item,
    'x-kubernetes-patch-merge-key': 'name',
    'x-kubernetes-patch-strategy': 'merge',
  };
  const spec = { type: 'object', properties: { items } };
  const group = [{ group: 'example.org', kind: 'Widget', version: 'v1' }];
  const schema = {
    definitions: { 'org.example.v1.Widget': { properties: { spec }, 'x-kubernetes-group-version-kind': group } },
  };
  layer.fields.openapi = { path: layer.text('schema', 'json', JSON.stringify(schema)) };
  const head = { apiVersion: 'example.org/v1', kind: 'Widget', metadata: { name: `widget-${w()}` } };
  const names = [w(), w(), w()];
  layer.add(
    'resources',
    layer.yaml('widget', { ...head, spec: { items: names.map((name) => ({ name, value: w(), size: n() })) } }),
  );
  const changed = [
    { name: names[2], value: w() },
    { name: names[0], size: n() },
    { name: `x-${w()}`, value: w() },
  ];
  layer.add('patches', { path: layer.yaml('patch', { ...head, spec: { items: changed } }) });
  return true;
}

const pairs = (layer, feature) => ({
  [`l-${layer.tree.word(feature)}`]: layer.tree.word(feature),
  [`m-${layer.tree.word(feature)}`]: layer.tree.word(feature),
});

/** A field of the kustomization that can stand there once. */
const once = (field, make) => (layer) => {
  if (layer.fields[field] !== undefined) return false;
  layer.fields[field] = make(layer);
  return true;
};

export const transformerFeatures = {
  namespace: once('namespace', ({ tree }) => `ns-${tree.word('namespace')}`),
  prefix: once('namePrefix', ({ tree }) => `${tree.word('prefix')}-`),
  suffix: once('nameSuffix', ({ tree }) => `-${tree.word('suffix')}`),
  labels: (layer) => layer.add('labels', { pairs: pairs(layer, 'labels') }),
  'labels-selectors': (layer) =>
    layer.add('labels', { pairs: pairs(layer, 'labels-selectors'), includeSelectors: true }),
  'labels-templates': (layer) =>
    layer.add('labels', { pairs: pairs(layer, 'labels-templates'), includeTemplates: true }),
  'common-labels': once('commonLabels', (layer) => pairs(layer, 'common-labels')),
  'common-annotations': once('commonAnnotations', (layer) => pairs(layer, 'common-annotations')),
  'images-tag': (layer) => images(layer, 'images-tag', (w) => ({ newTag: w() })),
  'images-name': (layer) => images(layer, 'images-name', (w) => ({ newName: `${w()}/${w()}`, newTag: w() })),
  'images-digest': (layer) => images(layer, 'images-digest', (w) => ({ digest: `sha256:${w()}` })),
  replicas(layer) {
    const object = layer.object('Deployment');
    if (!object) return false;
    layer.add('replicas', { name: object.value.metadata.name, count: layer.tree.number('replicas') });
    return true;
  },
  replacement: (layer) =>
    replacement(layer, 'replacement', () => ({
      fieldPaths: ['spec.template.spec.containers.[name=main].image', 'spec.template.spec.containers.0.args.1'],
    })),
  'replacement-part': (layer) =>
    replacement(layer, 'replacement-part', ({ random }) => ({
      fieldPaths: ['spec.template.spec.containers.[name=main].image'],
      options: { delimiter: ':', index: random.below(2) },
    })),
  'replacement-create': (layer) =>
    replacement(layer, 'replacement-create', () => ({
      fieldPaths: ['metadata.annotations.created', 'spec.template.metadata.annotations.created'],
      options: { create: true },
    })),
  vars: variables,
  ...Object.fromEntries(Object.entries(configured).map(([feature, config]) => [feature, plugin(feature, config)])),
  'plugin-patch': pluginPatch,
  'plugin-generator': pluginGenerator,
  configurations,
  crds,
  openapi,
};
