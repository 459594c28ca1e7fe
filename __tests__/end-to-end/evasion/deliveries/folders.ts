/** Bases, components and what a kustomization says of all its objects. */
import { stringify } from 'yaml';
import type { Json, JsonObject } from '../../../../src/core/model.js';
import { shown, withField } from '../harms.js';
import { builtin, calm, type Delivery, isMergeable, merge, nameOf, plugin, resource } from './common.js';

export const folders: Record<string, Delivery> = {
  namePrefix: {
    fits: isMergeable,
    deliver(folder, target, active) {
      const name = nameOf(target.object);
      const cut = 1 + folder.fork().below(name.length - 2);
      const isPrefix = folder.fork().chance(0.5);
      const part = isPrefix ? name.slice(cut) : name.slice(0, cut);
      resource(folder, withField(shown(target, active), ['metadata', 'name'], part));
      if (isPrefix) folder.fields.namePrefix = name.slice(0, cut);
      else folder.fields.nameSuffix = name.slice(cut);
    },
  },
  'component that patches': {
    fits: isMergeable,
    deliver(folder, target, active) {
      resource(folder, calm(target));
      folder.named(
        'component/kustomization.yaml',
        stringify({ apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component', patches: [{ path: 'p.txt' }] }),
      );
      folder.named('component/p.txt', stringify(merge(target, active)));
      folder.add('components', folder.way(folder.below('component')));
    },
  },
  'base that is patched': {
    fits: isMergeable,
    deliver(folder, target, active) {
      folder.named('bottom/kustomization.yml', stringify({ resources: ['o.txt'] }));
      folder.named('bottom/o.txt', stringify(calm(target)));
      folder.add('resources', folder.way(folder.below('bottom')));
      folder.add('patches', { path: folder.file(merge(target, active)) });
    },
  },
  'base over several steps': {
    deliver(folder, target, active) {
      folder.named('x/y/z/Kustomization', stringify({ resources: ['../../o'] }));
      folder.named('x/o', stringify(shown(target, active)));
      folder.named('x/y/kustomization.yaml', stringify({ resources: ['z/'] }));
      folder.add('resources', './x/./y');
    },
  },
  'old field bases': {
    deliver(folder, target, active) {
      folder.named('bottom/kustomization.yaml', stringify({ resources: ['o.json'] }));
      folder.named('bottom/o.json', JSON.stringify(shown(target, active)));
      folder.add('bases', folder.way(folder.below('bottom')));
    },
  },
  namespace: {
    fits: ({ field }) => field[1] === 'namespace',
    deliver(folder, target, active) {
      resource(folder, shown(target, false));
      if (active) folder.fields.namespace = target.value;
      else folder.fields.namespace = target.decoy as Json;
    },
  },
  NamespaceTransformer: {
    fits: ({ field }) => field[1] === 'namespace',
    deliver(folder, target, active) {
      resource(folder, shown(target, false));
      const namespace = (active ? target.value : target.decoy) as Json;
      plugin(
        folder,
        'transformers',
        builtin('NamespaceTransformer', {
          metadata: { name: 'x', namespace },
          fieldSpecs: [{ path: 'metadata/namespace', create: true }],
        }),
      );
    },
  },
  annotations: {
    fits: ({ field }) => field[1] === 'annotations',
    deliver(folder, target, active) {
      resource(folder, shown(target, false));
      const [, , key] = target.field;
      if (active) folder.fields.commonAnnotations = { [String(key)]: target.value };
      else folder.fields.commonAnnotations = { other: 'x' };
    },
  },
  AnnotationsTransformer: {
    fits: ({ field }) => field[1] === 'annotations',
    deliver(folder, target, active) {
      resource(folder, shown(target, false));
      const annotations: JsonObject = active ? { [String(target.field[2])]: target.value } : { other: 'x' };
      plugin(
        folder,
        'transformers',
        builtin('AnnotationsTransformer', {
          annotations,
          fieldSpecs: [{ path: 'metadata/annotations', create: true }],
        }),
      );
    },
  },
};
