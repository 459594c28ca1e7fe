/** Values that are copied from elsewhere, generators, transformers and validators. */
import { stringify } from 'yaml';
import type { JsonObject } from '../../../../src/core/model.js';
import { withField } from '../harms.js';
import {
  builtin,
  calm,
  type Delivery,
  isMergeable,
  isText,
  merge,
  operations,
  plugin,
  pointer,
  replacement,
  resource,
  selectorOfName,
  sourced,
  valueSource,
} from './common.js';

export const plugins: Record<string, Delivery> = {
  replacement: {
    fits: isText,
    deliver(folder, target, active) {
      resource(folder, calm(target));
      resource(folder, valueSource('source', sourced(target, active)));
      folder.add('replacements', replacement(target, active, 'source'));
    },
  },
  'replacement in a file': {
    fits: isText,
    deliver(folder, target, active) {
      resource(folder, calm(target));
      resource(folder, valueSource('source', sourced(target, active)));
      folder.add('replacements', { path: folder.file(replacement(target, active, 'source')) });
    },
  },
  'replacement from a generator': {
    fits: isText,
    deliver(folder, target, active) {
      resource(folder, calm(target));
      const random = folder.fork();
      const text = String(sourced(target, active));
      const ways: Record<string, JsonObject> = {
        literals: { literals: [`x=${text}`] },
        files: { files: [`x=${folder.raw(text, ['txt', 'another extension', 'no extension', 'tab', 'json'])}`] },
        envs: { envs: [folder.raw(`# env\nx=${text}\n`, ['another extension', 'no extension', 'dot file'])] },
      };
      const way = random.pick(Object.keys(ways));
      folder.label('generator', way);
      const kind = random.pick(['configMapGenerator', 'secretGenerator']);
      folder.add(kind, {
        name: 'source',
        namespace: 'cozy-customizer',
        options: { disableNameSuffixHash: random.chance(0.5) },
        ...ways[way],
      });
      const made = replacement(target, active, 'source');
      if (kind === 'secretGenerator') {
        // A Secret's data is encoded, so its value cannot be the name of anything; the reference says what comes of it.
        (made.source as JsonObject).kind = 'Secret';
      }
      folder.add('replacements', made);
    },
  },
  'generator in a file': {
    fits: isText,
    deliver(folder, target, active) {
      resource(folder, calm(target));
      const text = String(sourced(target, active));
      const file = folder.raw(text, ['another extension', 'txt', 'no extension']);
      plugin(
        folder,
        'generators',
        builtin('ConfigMapGenerator', {
          name: 'source',
          namespace: 'cozy-customizer',
          files: [`x=${file}`],
          options: { disableNameSuffixHash: true },
        }),
      );
      folder.add('replacements', replacement(target, active, 'source'));
    },
  },
  'transformer with a patch': {
    deliver(folder, target, active) {
      resource(folder, calm(target));
      const patch = operations(target, active, folder.fork());
      plugin(
        folder,
        'transformers',
        builtin('PatchTransformer', { target: selectorOfName(target), patch: JSON.stringify(patch) }),
      );
    },
  },
  'transformer with a file': {
    deliver(folder, target, active) {
      resource(folder, calm(target));
      const path = folder.file(operations(target, active, folder.fork()), [
        'another extension',
        'txt',
        'no extension',
        'yaml',
        'upper case',
      ]);
      folder.add('transformers', folder.file(builtin('PatchTransformer', { target: selectorOfName(target), path })));
    },
  },
  PatchStrategicMergeTransformer: {
    fits: isMergeable,
    deliver(folder, target, active) {
      resource(folder, calm(target));
      const patch = merge(target, active);
      const how: JsonObject = folder.fork().chance(0.5)
        ? { paths: [folder.file(patch)] }
        : { patches: stringify(patch) };
      folder.add('transformers', folder.file(builtin('PatchStrategicMergeTransformer', how)));
    },
  },
  PatchJson6902Transformer: {
    deliver(folder, target, active) {
      resource(folder, calm(target));
      const patch = operations(target, active, folder.fork());
      const how: JsonObject = folder.fork().chance(0.5)
        ? { path: folder.file(patch) }
        : { jsonOp: JSON.stringify(patch) };
      folder.add(
        'transformers',
        folder.file(builtin('PatchJson6902Transformer', { target: selectorOfName(target), ...how })),
      );
    },
  },
  ReplacementTransformer: {
    fits: isText,
    deliver(folder, target, active) {
      resource(folder, calm(target));
      resource(folder, valueSource('source', sourced(target, active)));
      const made = replacement(target, active, 'source');
      const how: JsonObject = folder.fork().chance(0.5) ? { path: folder.file(made) } : made;
      plugin(folder, 'transformers', builtin('ReplacementTransformer', { replacements: [how] }));
    },
  },
  ValueAddTransformer: {
    fits: isText,
    deliver(folder, target, active) {
      resource(folder, calm(target));
      const field = active ? pointer(target.field) : '/metadata/annotations/note';
      plugin(
        folder,
        'transformers',
        builtin('ValueAddTransformer', {
          value: target.value,
          targets: [{ fieldPath: field.slice(1), selector: selectorOfName(target) }],
        }),
      );
    },
  },
  'patch as a validator': {
    deliver(folder, target, active) {
      resource(folder, calm(target));
      plugin(
        folder,
        'validators',
        builtin('PatchTransformer', {
          target: selectorOfName(target),
          patch: JSON.stringify(operations(target, active, folder.fork())),
        }),
      );
    },
  },
  variables: {
    fits: isText,
    deliver(folder, target, active) {
      const value = active || target.decoy !== undefined ? '$(EVIL)' : undefined;
      resource(folder, withField(calm(target), target.field, value));
      resource(folder, valueSource('source', sourced(target, active)));
      folder.add('vars', {
        name: 'EVIL',
        objref: { apiVersion: 'v1', kind: 'ConfigMap', name: 'source' },
        fieldref: { fieldpath: 'data.x' },
      });
      const path = target.field.map((step) => String(step).replaceAll('/', '\\/')).join('/');
      folder.add('configurations', folder.file({ varReference: [{ path, kind: target.object.kind as string }] }));
    },
  },
};
