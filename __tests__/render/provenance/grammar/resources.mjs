/** Resource files, in every way of writing them. Each style is a feature of its own. */
import { leavesOf, makers } from './objects.mjs';
import { Alias, Anchored, byteOrderMark, crlf, plainStyle, write } from './write.mjs';

const written = (tree, style) => (objects) =>
  objects.map((object) => `${write(object, tree.random, { ...plainStyle, ...style })}\n`).join('---\n');

/** From a list of objects to the text of the file. */
export const styles = {
  resource: (tree) => written(tree, { comment: 0.1 }),
  flow: (tree) => written(tree, { flow: 0.5 }),
  quoted: (tree) => written(tree, { quote: 0.8, keyQuote: 0.6 }),
  'block-scalars': (tree) => written(tree, { block: 0.4 }),
  crlf: (tree) => (objects) => crlf(written(tree, { quote: 0.3 })(objects)),
  'byte-order-mark': (tree) => (objects) => byteOrderMark + written(tree, {})(objects),
  'multi-byte': (tree) => (objects) => written(tree, { flow: 0.3, keyQuote: 0.3 })(objects.map(multiByte)),
  'list-items': (tree) => (objects) =>
    written(tree, { flow: 0.1 })([{ apiVersion: 'v1', kind: 'List', items: objects }]),
  anchors: (tree) => (objects) => written(tree, {})(objects.map((object) => anchored(tree, object))),
  'merge-keys': (tree) => (objects) => written(tree, {})(objects.map((object) => mergeKeys(tree, object))),
  separators: (tree) => (objects) =>
    `# nothing\n---\n${objects.map((o) => written(tree, {})([o])).join('--- # next\n---\n')}`,
};

function multiByte(object) {
  const copy = structuredClone(object);
  copy.metadata.annotations = Object.fromEntries(
    Object.entries(copy.metadata.annotations).flatMap(([key, value]) => [
      ['example.org/ключ', `日本 ${value}`],
      ['example.org/𝒳', `😀${value}`],
      [key, `${value} é`],
    ]),
  );
  if (copy.data) copy.data = { ...copy.data, '😀 key': `😀😀 ${copy.data.mode}` };
  return copy;
}

/** Labels as an anchor that annotations repeat, and one scalar that another one is. The object itself gets the labels too. */
function anchored(tree, object) {
  const [w] = tree.fresh('anchors');
  object.metadata.labels = { one: w(), two: w(), three: w() };
  const copy = structuredClone(object);
  const { one, ...more } = object.metadata.labels;
  copy.metadata.labels = new Anchored('pairs', { one: new Anchored('one', one), ...more });
  copy.metadata.annotations = new Alias('pairs');
  if (copy.data) copy.data = { ...copy.data, again: new Alias('one') };
  return copy;
}

function mergeKeys(tree, object) {
  const [w] = tree.fresh('merge-keys');
  object.metadata.labels = { one: w(), two: w(), three: w() };
  const copy = structuredClone(object);
  copy.metadata.labels = new Anchored('shared', object.metadata.labels);
  copy.metadata.annotations = { '<<': new Alias('shared'), two: w(), four: w() };
  return copy;
}

/** Files of resources for a layer, in one style; gives what it made. */
export function addResources(layer, feature, kinds) {
  const { tree } = layer;
  const made = kinds.map((kind) => make(layer, kind, feature));
  tree.features.add(feature);
  const name = layer.text(feature, 'yaml', styles[feature](tree)(made));
  layer.add('resources', name);
  const objects = made.map((value) => ({ value }));
  layer.objects.push(...objects);
  return objects;
}

/** One object; it refers to objects that are there already by their names. */
export function make(layer, kind, feature) {
  const nameOf = (...of) => layer.object(...of)?.value.metadata.name;
  const references = {
    configMap: nameOf('ConfigMap'),
    secret: nameOf('Secret'),
    service: nameOf('Service'),
    role: nameOf('Role'),
  };
  return makers[kind](`app-${layer.tree.word(feature)}`, ...layer.tree.fresh(feature), references);
}

/** A leaf that a patch may set: no identity, and in a list only where the list is replaced as a whole. */
export function patchable(object, wanted = () => true) {
  const identity = /^(apiVersion|kind|metadata\.name|spec\.selector|spec\.template\.metadata|roleRef|type)/;
  return leavesOf(object.value).filter(
    ({ path, value }) =>
      !identity.test(path.join('.')) && !path.some((step) => typeof step === 'number') && wanted(value, path),
  );
}

/** The least of an object that a merge patch needs. */
export function sparse({ value }) {
  return { apiVersion: value.apiVersion, kind: value.kind, metadata: { name: value.metadata.name } };
}
