/** Strategic-merge and JSON 6902 patches, from files and inline. A feature takes a layer and adds to it, or gives false. */
import { leavesOf, setAt } from './objects.mjs';
import { patchable, sparse } from './resources.mjs';
import { plainStyle, write } from './write.mjs';

const some = { ...plainStyle, flow: 0.2, quote: 0.3 };

/** A new value of the same type. */
function like(tree, value, feature) {
  if (typeof value === 'number') return tree.number(feature);
  if (typeof value === 'boolean') return !value;
  return /\n/.test(value) ? `${tree.word(feature)}\n${tree.word(feature)}\n` : tree.word(feature);
}

/** A merge patch that sets some leaves anew and adds some. */
function overriding(layer, object, feature, count = 3) {
  const { tree } = layer;
  const patch = sparse(object);
  for (const { path, value } of tree.random.some(patchable(object), count))
    setAt(patch, path, like(tree, value, feature));
  setAt(patch, ['metadata', 'annotations', `example.org/${tree.word(feature)}`], tree.word(feature));
  if (object.value.data) setAt(patch, ['data', `k-${tree.word(feature)}`], tree.word(feature));
  return patch;
}

const textOf = (tree, value, style = some) => `${write(value, tree.random, style)}\n`;

/** Deployments and the like, whose lists merge by key. */
function byKey(layer, feature) {
  const object = layer.object('Deployment');
  if (!object) return undefined;
  const { tree } = layer;
  const [w, n] = tree.fresh(feature);
  const main = object.value.spec.template.spec.containers[0];
  const patch = sparse(object);
  const containers = [
    { name: 'side', image: `${w()}:${w()}` },
    { name: `new-${w()}`, image: `${w()}:${w()}`, env: [{ name: `N_${w()}`, value: w() }] },
    {
      name: main.name,
      env: [
        { name: main.env[1].name, value: w() },
        { name: `X_${w()}`, value: w() },
      ],
      ports: [
        { containerPort: main.ports[1].containerPort, name: w() },
        { containerPort: n(), name: w() },
      ],
      resources: { limits: { cpu: `${n()}m` } },
    },
  ];
  return setAt(patch, ['spec', 'template', 'spec', 'containers'], tree.random.shuffled(containers));
}

function nulls(layer, feature) {
  const object = layer.object();
  if (!object) return undefined;
  const { metadata, data, stringData, spec } = object.value;
  const patch = overriding(layer, object, feature, 1);
  const take = (...path) => {
    setAt(patch, path, null);
    removes(layer, feature, object, path);
  };
  for (const key of Object.keys(metadata.labels ?? {}).slice(0, 1)) take('metadata', 'labels', key);
  const key = Object.keys(data ?? stringData ?? {})[0];
  if (key) take(data ? 'data' : 'stringData', key);
  if (spec?.values) take('spec', 'values', 'nested');
  return patch;
}

const removes = ({ tree, dir }, feature, { value }, path) =>
  tree.removals.push({ feature, dir, name: value.metadata.name, path });

/** `$patch: delete` of list items and `$patch: replace` of a map. */
function directives(layer, feature) {
  const { tree } = layer;
  const object = layer.object('Deployment', 'ConfigMap');
  if (!object) return undefined;
  const patch = sparse(object);
  if (object.value.kind === 'ConfigMap') {
    for (const key of Object.keys(object.value.data ?? {})) removes(layer, feature, object, ['data', key]);
    return setAt(patch, ['data'], { $patch: 'replace', [`k-${tree.word(feature)}`]: tree.word(feature) });
  }
  removes(layer, feature, object, ['spec', 'template', 'spec', 'containers']);
  const main = object.value.spec.template.spec.containers[0];
  const env = [
    { name: main.env[0].name, $patch: 'delete' },
    { name: `D_${tree.word(feature)}`, value: tree.word(feature) },
  ];
  return setAt(
    patch,
    ['spec', 'template', 'spec', 'containers'],
    [
      { name: 'main', env },
      { name: 'side', $patch: 'delete' },
    ],
  );
}

/** How a merge patch reaches the kustomization. */
const carriers = {
  'patch-file': (layer, patch) =>
    layer.add('patches', { path: layer.text('patch', 'yaml', textOf(layer.tree, patch)) }),
  'patch-inline': (layer, patch) => layer.add('patches', { patch: textOf(layer.tree, patch) }),
  'patch-target': (layer, patch) => {
    const { kind, metadata } = patch;
    const target = layer.tree.random.chance(0.5) ? { kind, name: metadata.name } : { kind };
    layer.add('patches', { target, patch: textOf(layer.tree, { ...patch, metadata: { ...metadata, name: 'any' } }) });
  },
  'strategic-file': (layer, patch) =>
    layer.add('patchesStrategicMerge', layer.text('merge', 'yaml', textOf(layer.tree, patch))),
  'strategic-inline': (layer, patch) => layer.add('patchesStrategicMerge', textOf(layer.tree, patch)),
};
const carry = (layer, patch) =>
  carriers[layer.tree.random.pick(['patch-file', 'patch-inline', 'strategic-file'])](layer, patch);

const merges = Object.fromEntries(
  Object.entries(carriers).map(([feature, carrier]) => [
    feature,
    (layer) => {
      const object = layer.object();
      if (!object) return false;
      return carrier(layer, overriding(layer, object, feature));
    },
  ]),
);

const made = (feature, make) => (layer) => {
  const patch = make(layer, feature);
  if (!patch) return false;
  carry(layer, patch);
  return true;
};

const pointer = (path) => `/${path.map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;

/** Operations on one object, by their own name, so that each can be seen in the table. */
const operations = {
  'json-replace': (layer, { path, value }) => [
    { op: 'replace', path: pointer(path), value: like(layer.tree, value, 'json-replace') },
  ],
  'json-add': ({ tree }) => [
    { op: 'add', path: `/metadata/annotations/example.org~1${tree.word('json-add')}`, value: tree.word('json-add') },
    { op: 'add', path: '/metadata/labels', value: { a: tree.word('json-add'), b: tree.word('json-add') } },
  ],
  'json-remove': (_layer, { path }) => [{ op: 'remove', path: pointer(path) }],
  'json-move': ({ tree }, { path }) => [
    { op: 'move', from: pointer(path), path: `/metadata/annotations/moved-${tree.word('json-move')}` },
  ],
  'json-copy': ({ tree }, { path }) => [
    { op: 'copy', from: pointer(path), path: `/metadata/annotations/copied-${tree.word('json-copy')}` },
  ],
  'json-test': ({ tree }, { path, value }) => [
    { op: 'test', path: pointer(path), value },
    { op: 'add', path: `/metadata/annotations/tested-${tree.word('json-test')}`, value: tree.word('json-test') },
  ],
};

/** A JSON patch as YAML in block or flow style, or as JSON. */
function operationsAsText({ random }, ops) {
  const form = random.pick(['block', 'flow', 'json', 'pretty']);
  if (form === 'json') return JSON.stringify(ops);
  if (form === 'pretty') return `${JSON.stringify(ops, null, 2)}\n`;
  return `${write(ops, random, { ...plainStyle, flow: form === 'flow' ? 1 : 0.1, indentLists: 0 })}\n`;
}

const jsonCarriers = {
  'json-inline': (layer, target, text) => layer.add('patches', { target, patch: text }),
  'json-file': (layer, target, text) => layer.add('patches', { target, path: layer.text('operations', 'yaml', text) }),
  'json-6902': (layer, target, text) => {
    const { group, version, kind, name } = target;
    const full = { ...(group && { group }), version, kind, name };
    if (layer.tree.random.chance(0.5)) layer.add('patchesJson6902', { target: full, patch: text });
    else layer.add('patchesJson6902', { target: full, path: layer.text('operations', 'yaml', text) });
  },
};

function targetOf({ value }) {
  const [version, group] = value.apiVersion.split('/').reverse();
  return { ...(group && { group }), version, kind: value.kind, name: value.metadata.name };
}

/** A leaf to take away or replace; a list index may lead to it. */
function leafFor(layer, object) {
  const strings = leavesOf(object.value).filter(
    ({ path, value }) =>
      typeof value === 'string' &&
      /^(spec\.(values|components|variants)|data|stringData|metadata\.annotations|rules)/.test(path.join('.')),
  );
  return strings.length > 0 ? layer.tree.random.pick(strings) : undefined;
}

/** What an index counts changes when an item goes. */
const withoutIndex = (path) => (typeof path.at(-1) === 'number' ? path.slice(0, -1) : path);

function jsonPatch(layer, op, carrier) {
  const object = layer.object();
  const leaf = object && leafFor(layer, object);
  if (!leaf) return false;
  const ops = operations[op](layer, leaf);
  if (op === 'json-remove' || op === 'json-move') removes(layer, op, object, withoutIndex(leaf.path));
  if (op === 'json-add')
    for (const key of Object.keys(object.value.metadata.labels))
      removes(layer, op, object, ['metadata', 'labels', key]);
  jsonCarriers[carrier](layer, targetOf(object), operationsAsText(layer.tree, ops));
  return true;
}

const jsons = Object.fromEntries(
  Object.keys(operations).map((op) => [
    op,
    (layer) => jsonPatch(layer, op, layer.tree.random.pick(Object.keys(jsonCarriers))),
  ]),
);

/** A whole map added at once, and list items by index and at the end. */
function jsonSubtree(layer) {
  const object = layer.object('Deployment');
  if (!object) return false;
  const [w, n] = layer.tree.fresh('json-subtree');
  const ops = [
    {
      op: 'add',
      path: '/spec/template/spec/containers/-',
      value: { name: `j-${w()}`, image: `${w()}:${w()}`, args: [w(), w()] },
    },
    { op: 'add', path: '/spec/template/spec/containers/0/args/0', value: w() },
    {
      op: 'replace',
      path: '/spec/template/spec/containers/0/resources',
      value: { limits: { cpu: `${n()}m`, memory: `${n()}Mi` } },
    },
  ];
  const carrier = layer.tree.random.pick(Object.keys(jsonCarriers));
  jsonCarriers[carrier](layer, targetOf(object), operationsAsText(layer.tree, ops));
  return true;
}

export const patchFeatures = {
  ...merges,
  'merge-by-key': made('merge-by-key', byKey),
  'merge-null': made('merge-null', nulls),
  'merge-directive': made('merge-directive', directives),
  ...jsons,
  'json-subtree': jsonSubtree,
};
