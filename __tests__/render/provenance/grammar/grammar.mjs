/**
 * Small kustomize trees that combine all the features by which kustomize and Flux write a field; the same for the same seed.
 *
 * A tree has a base, maybe a component, and one or two overlays of them. Seed n has feature n (of the list) for certain and
 * some more by chance, so that a few hundred seeds hold every feature many times and many pairs of features.
 */
import { addFlux, fluxFeatures } from './flux.mjs';
import { generatorFeatures } from './generators.mjs';
import { kinds } from './objects.mjs';
import { patchFeatures } from './patches.mjs';
import { addResources, styles } from './resources.mjs';
import { transformerFeatures } from './transformers.mjs';
import { Layer, Tree } from './tree.mjs';

const layered = { ...patchFeatures, ...generatorFeatures, ...transformerFeatures };
const whole = ['generated-root'];

/** What a seed can be about. Resource styles come along with everything, so they have few seeds of their own. */
export const features = [...Object.keys(layered), ...Object.keys(fluxFeatures), ...whole, ...Object.keys(styles)];

/** `focus` is the feature that the tree has for certain, if it can have it. */
export function generate(seed, focus = features[seed % features.length]) {
  const tree = new Tree(seed);
  if (focus === 'generated-root') generatedRoot(tree);
  else overlays(tree, focus);
  return tree;
}

/** No kustomization at the root of the build: Flux writes one that lists every manifest and every directory with one. */
function generatedRoot(tree) {
  const { random } = tree;
  tree.features.add('generated-root');
  const dir = 'clusters/a';
  const loose = new Layer(tree, dir);
  for (const style of random.some(Object.keys(styles), 3)) addResources(loose, style, [random.pick(kinds)]);
  const below = new Layer(tree, `${dir}/below`);
  addResources(below, 'resource', ['ConfigMap', 'Deployment']);
  for (const feature of random.some(Object.keys(layered), 4)) grow(below, feature);
  below.finish();
  tree.paths.push(dir);
}

function overlays(tree, focus) {
  const { random } = tree;
  const base = new Layer(tree, 'base');
  const style = styles[focus] ? focus : random.pick(Object.keys(styles));
  const others = kinds.filter((kind) => kind !== 'ConfigMap' && kind !== 'Deployment');
  addResources(base, style, random.shuffled(['ConfigMap', random.pick(others)]));
  // Most features need one of these two.
  addResources(base, 'resource', random.chance(0.8) ? ['Deployment'] : random.some(others, 1));
  const component = new Layer(tree, 'components/c', base.objects, 'Component');
  const tops = (random.chance(0.3) ? ['a', 'b'] : ['a']).map((name) => topOf(tree, base, name));
  const places = [...tops, ...tops, base, component];
  if (layered[focus]) grow(random.pick(places), focus);
  for (const feature of random.some(Object.keys(layered), 3 + random.below(4))) grow(random.pick(places), feature);
  if (fluxFeatures[focus]) addFlux(tops[0], [...new Set([focus, ...random.some(Object.keys(fluxFeatures), 2)])]);
  // An empty kustomization is an error.
  if (Object.keys(component.fields).length > 0) {
    for (const top of tops) top.add('components', '../../components/c');
    component.finish();
    tree.features.add('component');
  }
  for (const layer of [base, ...tops]) layer.finish();
}

function topOf(tree, base, name) {
  const layer = new Layer(tree, `clusters/${name}`, [...base.objects]);
  layer.add('resources', '../../base');
  if (name === 'b') tree.features.add('overlays');
  tree.paths.push(layer.dir);
  return layer;
}

function grow(layer, feature) {
  if (layered[feature](layer) !== false) layer.tree.features.add(feature);
}
