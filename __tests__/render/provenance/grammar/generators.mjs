/** ConfigMap and Secret generators, with what refers to them. */
import { make } from './resources.mjs';

const options = (random) => (random.chance(0.4) ? { disableNameSuffixHash: true } : undefined);

/** The three kinds of input of a generator. */
const inputs = {
  literals: (_layer, w) => ({ literals: [`k-${w()}=${w()}`, `l-${w()}=${w()} ${w()}`, `m-${w()}="${w()}"`] }),
  files: (layer, w) => ({
    files: [
      layer.text('data', 'properties', `${w()}=${w()}\n# why\n${w()}=${w()}\n`),
      `own-${w()}=${layer.text('plain', 'txt', `${w()} ${w()}`)}`,
    ],
  }),
  envs: (layer, w) => ({ envs: [layer.text('values', 'env', `# why\nE_${w()}=${w()}\n\nF_${w()}=${w()} ${w()}\n`)] }),
};

function generator(input, field) {
  const feature = `${field === 'secretGenerator' ? 'secret' : 'configmap'}-${input}`;
  const generate = (layer) => {
    const { tree } = layer;
    const w = () => tree.word(feature);
    const name = `gen-${w()}`;
    const entry = { name, ...inputs[input](layer, w) };
    const more = options(tree.random);
    if (more) entry.options = { ...more, labels: { [`l-${w()}`]: w() }, annotations: { note: w() } };
    layer.add(field, entry);
    const kind = field === 'secretGenerator' ? 'Secret' : 'ConfigMap';
    const value = { apiVersion: 'v1', kind, metadata: { name }, generated: true };
    referTo(layer, value);
    return true;
  };
  return [feature, generate];
}

/** A Deployment whose references follow the generated name. */
function referTo(layer, value) {
  const before = layer.objects;
  layer.objects = [{ value }];
  const user = make(layer, 'Deployment', 'resource');
  layer.objects = before;
  const spec = user.spec.template.spec;
  const reference =
    value.kind === 'Secret'
      ? { secretRef: { name: value.metadata.name } }
      : { configMapRef: { name: value.metadata.name } };
  spec.containers[0].envFrom = [reference];
  layer.add('resources', layer.yaml('user', user));
  layer.objects.push({ value: user });
}

/** A base generates; this layer merges into it, or replaces it. */
function behavior(kind) {
  const feature = `generator-${kind}`;
  return (layer) => {
    const { tree } = layer;
    const w = () => tree.word(feature);
    const name = `gen-${w()}`;
    const same = w();
    const base = layer.base('gen');
    const other = `b-${w()}`;
    base.add('configMapGenerator', { name, literals: [`a-${same}=${w()}`, `${other}=${w()}`] });
    if (kind === 'replace') tree.removals.push({ feature, dir: layer.dir, name, path: ['data', other] });
    base.finish();
    layer.add('resources', base.relative);
    layer.add('configMapGenerator', { name, behavior: kind, literals: [`a-${same}=${w()}`, `c-${w()}=${w()}`] });
    return true;
  };
}

export const generatorFeatures = {
  ...Object.fromEntries(
    ['configMapGenerator', 'secretGenerator'].flatMap((field) =>
      Object.keys(inputs).map((input) => generator(input, field)),
    ),
  ),
  'generator-merge': behavior('merge'),
  'generator-replace': behavior('replace'),
};
