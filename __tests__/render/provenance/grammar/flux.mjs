/** What only a Flux Kustomization can add. The object lies in `flux/`, so that the command discovers it. */
import { makers } from './objects.mjs';
import { plainStyle, write } from './write.mjs';

const namesOf = (layer) => layer.object().value;

function operation({ tree, word }) {
  const ops = [{ op: 'add', path: `/metadata/annotations/f-${word()}`, value: word() }];
  return `${write(ops, tree.random, plainStyle)}\n`;
}

export const fluxFeatures = {
  'flux-namespace': (spec, { word }) => {
    spec.targetNamespace = `ns-${word()}`;
  },
  'flux-patch': (spec, { layer, tree, word }) => {
    const { apiVersion, kind, metadata } = namesOf(layer);
    const merge = { apiVersion, kind, metadata: { name: metadata.name, annotations: { [`f-${word()}`]: word() } } };
    const target = { kind, name: metadata.name };
    spec.patches = [
      { patch: `${write(merge, tree.random, plainStyle)}\n`, target },
      { patch: operation({ tree, word }), target: { kind } },
    ];
  },
  'flux-images': (spec, { layer, word }) => {
    const object = layer.object('Deployment');
    if (!object) return false;
    const name = object.value.spec.template.spec.containers[0].image.split(':')[0];
    spec.images = [{ name, newName: `${word()}/${word()}`, newTag: word() }];
    return true;
  },
  'flux-component': (spec, { tree, word }) => {
    const fields = {
      apiVersion: 'kustomize.config.k8s.io/v1alpha1',
      kind: 'Component',
      commonAnnotations: { [`f-${word()}`]: word() },
    };
    tree.yaml('components/flux/kustomization.yaml', fields);
    spec.components = ['../../components/flux'];
  },
  'flux-metadata': (spec, { word }) => {
    spec.commonMetadata = { labels: { [`f-${word()}`]: word() }, annotations: { [`g-${word()}`]: word() } };
  },
  'flux-variables': (spec, { layer, word }) => {
    const w = () => word();
    const names = [w(), w(), w()].map((name) => `v_${name}`);
    spec.postBuild = { substitute: { [names[0]]: w(), [names[1]]: w() } };
    const user = makers.ConfigMap(`vars-${w()}`, w);
    user.data = {
      one: `\${${names[0]}}`,
      two: `${w()}-\${${names[0]}}-\${${names[1]}}`,
      three: `\${${names[2]}:=${w()}}`,
      none: w(),
    };
    layer.add('resources', layer.yaml('variables', user));
  },
};

/** Writes the Flux Kustomization of a layer with one of the features. */
export function addFlux(layer, features) {
  const { tree } = layer;
  const spec = {
    interval: '10m',
    path: `./${layer.dir}`,
    prune: true,
    sourceRef: { kind: 'GitRepository', name: 'flux-system' },
  };
  for (const feature of features) {
    if (fluxFeatures[feature](spec, { layer, tree, word: () => tree.word(feature) }) !== false)
      tree.features.add(feature);
  }
  const metadata = { name: 'apps', namespace: 'flux-system' };
  tree.flux = tree.yaml('flux/apps.yaml', {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata,
    spec,
  });
}
