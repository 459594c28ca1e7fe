/** The object itself, in lists and among others, and patches of it. */
import { stringify } from 'yaml';
import type { Json, JsonObject } from '../../../../src/core/model.js';
import { shown, withField } from '../harms.js';
import {
  builtin,
  calm,
  type Delivery,
  isMergeable,
  merge,
  nameOf,
  operations,
  plugin,
  pointer,
  resource,
  selector,
  selectorOfName,
  valueSource,
} from './common.js';

export const patches: Record<string, Delivery> = {
  manifest: { deliver: (folder, target, active) => resource(folder, shown(target, active)) },
  list: {
    deliver(folder, target, active) {
      const random = folder.fork();
      const kind = random.pick(['List', `${target.object.kind}List`]);
      folder.label('list', kind === 'List' ? 'List' : 'list of the kind');
      const apiVersion = kind === 'List' ? 'v1' : (target.object.apiVersion as string);
      resource(folder, { apiVersion, kind, items: [shown(target, active)] });
    },
  },
  'two objects of one file': {
    deliver(folder, target, active) {
      const before = valueSource('beside', 'x');
      folder.add('resources', folder.raw(`${stringify(before)}---\n${folder.text(shown(target, active))}\n`));
    },
  },
  'crds field': {
    deliver: (folder, target, active) => {
      resource(folder, calm(target));
      folder.add('crds', folder.file(shown(target, active)));
    },
  },
  'patch in the kustomization': {
    fits: isMergeable,
    deliver(folder, target, active) {
      resource(folder, calm(target));
      const withTarget = folder.fork().chance(0.4);
      folder.add('patches', {
        patch: folder.text(merge(target, active)),
        ...(withTarget && { target: selector(folder, target) }),
      });
    },
  },
  'patch in a file': {
    fits: isMergeable,
    deliver(folder, target, active) {
      resource(folder, calm(target));
      const withTarget = folder.fork().chance(0.4);
      folder.add('patches', {
        path: folder.file(merge(target, active)),
        ...(withTarget && { target: selector(folder, target) }),
      });
    },
  },
  'JSON patch in the kustomization': {
    deliver(folder, target, active) {
      resource(folder, calm(target));
      folder.add('patches', {
        patch: folder.text(operations(target, active, folder.fork())),
        target: selector(folder, target),
      });
    },
  },
  'JSON patch in a file': {
    deliver(folder, target, active) {
      resource(folder, calm(target));
      folder.add('patches', {
        path: folder.file(operations(target, active, folder.fork())),
        target: selector(folder, target),
      });
    },
  },
  patchesStrategicMerge: {
    fits: isMergeable,
    deliver(folder, target, active) {
      resource(folder, calm(target));
      const patch = merge(target, active);
      folder.add('patchesStrategicMerge', folder.fork().chance(0.5) ? stringify(patch) : folder.file(patch));
    },
  },
  patchesJson6902: {
    deliver(folder, target, active) {
      resource(folder, calm(target));
      const [group = '', version] = `${target.object.apiVersion}`.includes('/')
        ? `${target.object.apiVersion}`.split('/')
        : ['', 'v1'];
      const patch = operations(target, active, folder.fork());
      folder.add('patchesJson6902', {
        target: {
          ...(group && { group }),
          version: version as string,
          kind: target.object.kind as string,
          name: nameOf(target.object),
        },
        ...(folder.fork().chance(0.5) ? { path: folder.file(patch) } : { patch: stringify(patch) }),
      });
    },
  },
  'patch of many documents': {
    fits: isMergeable,
    deliver(folder, target, active) {
      resource(folder, calm(target));
      resource(folder, valueSource('beside', 'x'));
      const beside = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'beside', namespace: 'cozy-customizer' },
        data: { y: 'z' },
      };
      folder.add('patches', { path: folder.raw(`${stringify(beside)}---\n${stringify(merge(target, active))}`) });
    },
  },
  'patch of the kind': {
    fits: isMergeable,
    deliver(folder, target, active) {
      const disguised = { ...shown(target, true), apiVersion: 'v1', kind: 'ConfigMap' };
      resource(folder, disguised);
      const patch: JsonObject[] = active
        ? [
            { op: 'replace', path: '/kind', value: target.object.kind as Json },
            { op: 'replace', path: '/apiVersion', value: target.object.apiVersion as Json },
          ]
        : [
            { op: 'remove', path: pointer(target.field) },
            { op: 'add', path: '/data', value: {} },
            ...(target.object.spec === undefined ? [] : [{ op: 'remove', path: '/spec' }]),
            { op: 'add', path: '/metadata/namespace', value: 'cozy-customizer' },
          ];
      folder.add('patches', {
        target: { kind: 'ConfigMap', name: nameOf(target.object) },
        options: { allowKindChange: true },
        ...(folder.fork().chance(0.5) ? { path: folder.file(patch) } : { patch: folder.text(patch) }),
      });
    },
  },
  'patch of the name': {
    fits: isMergeable,
    deliver(folder, target, active) {
      const other = withField(shown(target, active), ['metadata', 'name'], 'somebody');
      resource(folder, other);
      const patch = [{ op: 'replace', path: '/metadata/name', value: nameOf(target.object) }];
      folder.add('patches', {
        target: { name: 'some.*' },
        options: { allowNameChange: true },
        patch: folder.text(patch),
      });
    },
  },
  'guard that goes': {
    fits: isMergeable,
    deliver(folder, target, active) {
      resource(folder, shown(target, true));
      const undo: JsonObject =
        target.decoy === undefined
          ? { op: 'remove', path: pointer(target.field) }
          : { op: 'replace', path: pointer(target.field), value: target.decoy };
      const patch = active ? operations(target, false, folder.fork()) : [undo];
      folder.add('patches', { path: folder.file(patch), target: selectorOfName(target) });
    },
  },
  'guard in a transformer that goes': {
    fits: isMergeable,
    deliver(folder, target, active) {
      resource(folder, shown(target, true));
      const undo: JsonObject =
        target.decoy === undefined
          ? { op: 'remove', path: pointer(target.field) }
          : { op: 'replace', path: pointer(target.field), value: target.decoy };
      const patch = active ? operations(target, false, folder.fork()) : [undo];
      plugin(
        folder,
        'transformers',
        builtin('PatchTransformer', { target: selectorOfName(target), patch: JSON.stringify(patch) }),
      );
    },
  },
};
