/**
 * Ways in which a folder comes to render an object with a value in a field. Each writes the object as it is before (`active`
 * false) or after; what differs between the two is as little as the way allows.
 */
import { stringify } from 'yaml';
import type { Json, JsonObject } from '../../src/model.js';
import { lookUp } from '../../src/object.js';
import type { Folder } from './folder.js';
import { type Path, shown, type Target, withField } from './harms.js';

export type Delivery = {
  /** A folder that Flux applies with spec of its own can do more. */
  needsFlux?: true;
  /** Only for fields of this kind of path. */
  fits?: (target: Target) => boolean;
  deliver(folder: Folder, target: Target, active: boolean): void;
};

const nameOf = (object: JsonObject) => String(lookUp(object, ['metadata', 'name']));
const pointer = (field: Path) =>
  field.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
const dotted = (field: Path) =>
  field
    .map((step) => (String(step).includes('.') ? `[${step}]` : String(step).replaceAll('.', '\\.')))
    .join('.')
    .replaceAll('.[', '.[');
const identity = (object: JsonObject): JsonObject => {
  const { apiVersion, kind, metadata } = object as { apiVersion: string; kind: string; metadata: JsonObject };
  const namespace = metadata.namespace;
  return { apiVersion, kind, metadata: { name: metadata.name as Json, ...(namespace !== undefined && { namespace }) } };
};
/** As a strategic merge patch; of an object whose field is not to change it says nothing. */
function merge(target: Target, active: boolean): JsonObject {
  const value = active ? target.value : target.decoy;
  const known = identity(shown(target, false));
  return value === undefined ? known : withField(known, target.field, value);
}
function operations(target: Target, active: boolean, random: Folder['random']): JsonObject[] {
  const path = pointer(target.field);
  if (!active) return [{ op: 'test', path: '/kind', value: target.object.kind as Json }];
  if (target.decoy !== undefined && random.chance(0.5)) return [{ op: 'replace', path, value: target.value }];
  return [{ op: 'add', path, value: target.value }];
}
const isIdentity = ({ field }: Target) =>
  field.length === 1 || (field[0] === 'metadata' && ['name', 'namespace'].includes(String(field[1])));
const isText = ({ value }: Target) => typeof value === 'string';
const isMergeable = (target: Target) => !isIdentity(target);

/** Selects the object by one of the things that a selector knows. */
function selector(folder: Folder, target: Target): JsonObject {
  const { kind, apiVersion } = target.object as { kind: string; apiVersion: string };
  const name = nameOf(target.object);
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const ways: Record<string, JsonObject> = {
    kind: { kind },
    'kind and name': { kind, name },
    'regular expression of a name': { name: `${name.slice(0, 2)}.*` },
    'regular expression of a kind': { kind: `${kind.slice(0, 3)}\\w+` },
    'alternatives of a kind': { kind: `Nothing|${kind}` },
    group: { ...(group && { group }), version, kind },
    'everything named so': { name },
    label: { labelSelector: 'evasion=yes' },
    annotation: { annotationSelector: 'evasion in (yes)' },
  };
  const label = folder.fork().pick(Object.keys(ways));
  folder.label('selector', label);
  return ways[label] as JsonObject;
}
/** What labelSelector and annotationSelector look for. */
function marked(object: JsonObject): JsonObject {
  return withField(
    withField(object, ['metadata', 'labels', 'evasion'], 'yes'),
    ['metadata', 'annotations', 'evasion'],
    'yes',
  );
}
const calm = (target: Target) => marked(shown(target, false));
const resource = (folder: Folder, object: JsonObject) => folder.add('resources', folder.file(object));
const valueSource = (name: string, text: Json): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'cozy-customizer' },
  data: { x: text },
});
function replacement(target: Target, active: boolean, from: string): JsonObject {
  const note = active || target.decoy !== undefined ? dotted(target.field) : 'metadata.annotations.note';
  const kind = target.object.kind as string;
  return {
    source: { kind: 'ConfigMap', name: from, fieldPath: 'data.x' },
    targets: [{ select: { kind, name: nameOf(target.object) }, fieldPaths: [note], options: { create: true } }],
  };
}
const sourced = ({ value, decoy }: Target, active: boolean): Json => (active || decoy === undefined ? value : decoy);
const builtin = (kind: string, rest: JsonObject): JsonObject => ({
  apiVersion: 'builtin',
  kind,
  metadata: { name: `my-${kind.toLowerCase()}` },
  ...rest,
});
/** A builtin plugin may be written in a file, in the list itself, or be rendered by a folder. */
function plugin(folder: Folder, field: 'transformers' | 'generators' | 'validators', value: JsonObject) {
  const random = folder.fork();
  const way = random.pick(['file', 'inline', 'folder']);
  folder.label(field, way);
  if (way === 'inline') return folder.add(field, stringify(value));
  if (way === 'file') return folder.add(field, folder.file(value));
  const name = `plugins-${random.below(1000)}`;
  folder.named(`${name}/kustomization.yaml`, stringify({ resources: ['p.yaml'] }));
  folder.named(`${name}/p.yaml`, stringify(value));
  folder.add(field, name);
}

export const deliveries: Record<string, Delivery> = {
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
  'value as a variable': {
    needsFlux: true,
    fits: isText,
    deliver(folder, target, active) {
      const text = String(target.value);
      const ways: Record<string, [string, { [name: string]: string }]> = {
        inline: [`\${EVIL}`, { EVIL: text }],
        default: [`\${EVIL:=${text}}`, { OTHER: 'x' }],
        'another default': [`\${EVIL:-${text}}`, { OTHER: 'x' }],
        'nested default': [`\${A:=\${B:=${text}}}`, { OTHER: 'x' }],
        'part of a text': [`${text.slice(0, 2)}\${EVIL}`, { EVIL: text.slice(2) }],
        'cut out': [`\${EVIL:2:${text.length}}`, { EVIL: `xx${text}yy` }],
        replaced: [`\${EVIL/QQ/}`, { EVIL: `${text.slice(0, 1)}QQ${text.slice(1)}` }],
        'lower case': [`\${EVIL,,}`, { EVIL: text.toUpperCase() }],
        trimmed: [`\${EVIL#zz}`, { EVIL: `zz${text}` }],
        'a line break in it': [`\${EVIL}`, { EVIL: `${text.slice(0, 1)}\n${text.slice(1)}` }],
        'two variables': [`\${A}\${B}`, { A: text.slice(0, 1), B: text.slice(1) }],
      };
      const way = folder.fork().pick(Object.keys(ways));
      const [spelled, variables] = ways[way] as [string, { [name: string]: string }];
      folder.label('substitution', way);
      resource(folder, active ? withField(target.object, target.field, spelled) : shown(target, false));
      Object.assign(folder.flux.variables, variables);
    },
  },
  'key as a variable': {
    needsFlux: true,
    fits: ({ field }) => field.length > 1,
    deliver(folder, target, active) {
      const at = folder.fork().below(2) === 0 ? target.field.length - 1 : 0;
      const step = String(target.field[at]);
      const field = target.field.map((one, index) => (index === at ? `\${KEY}` : one));
      folder.label('substitution', at === 0 ? 'first key' : 'last key');
      const { [step]: below, ...rest } = target.object;
      const object = at === 0 ? withField(rest, [`\${KEY}`], below as Json) : target.object;
      resource(folder, active ? withField(object, field, target.value) : shown(target, false));
      folder.flux.variables.KEY = step;
    },
  },
  'name as a variable': {
    needsFlux: true,
    deliver(folder, target, active) {
      const part = folder.fork().pick(['name', 'kind', 'apiVersion']);
      folder.label('substitution', part);
      const field = part === 'name' ? ['metadata', 'name'] : [part];
      const before = String(lookUp(target.object, field));
      const cut = folder.fork().pick([0, before.length >> 1]);
      resource(folder, withField(shown(target, active), field, `${before.slice(0, cut)}\${ID}`));
      folder.flux.variables.ID = before.slice(cut);
    },
  },
  'text as a variable': {
    needsFlux: true,
    fits: isText,
    deliver(folder, target, active) {
      // A variable may hold a whole map in flow style: substitution works on the text.
      const [last] = target.field.slice(-1);
      const parent = target.field.slice(0, -1);
      if (parent.length === 0 || parent[0] === 'metadata') return resource(folder, shown(target, active));
      const there = (lookUp(target.object, parent.map(String)) as JsonObject | undefined) ?? {};
      const map = {
        ...there,
        ...(active ? { [String(last)]: target.value } : target.decoy !== undefined && { [String(last)]: target.decoy }),
      };
      resource(folder, withField(target.object, parent, `\${MAP}`));
      folder.flux.variables.MAP = JSON.stringify(map);
    },
  },
  'patch of the Flux object': {
    needsFlux: true,
    deliver(folder, target, active) {
      resource(folder, calm(target));
      const isJson = !isMergeable(target) || folder.fork().chance(0.5);
      const patch: JsonObject = isJson
        ? { patch: JSON.stringify(operations(target, active, folder.fork())), target: selectorOfName(target) }
        : { patch: stringify(merge(target, active)) };
      folder.flux.spec.patches = [patch];
    },
  },
  'component of the Flux object': {
    needsFlux: true,
    fits: isMergeable,
    deliver(folder, target, active) {
      resource(folder, calm(target));
      folder.named(
        '../fluxcomponent/kustomization.yaml',
        stringify({ apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component', patches: [{ path: 'p' }] }),
      );
      folder.named('../fluxcomponent/p', stringify(merge(target, active)));
      folder.flux.spec.components = ['../fluxcomponent'];
    },
  },
  'name prefix of the Flux object': {
    needsFlux: true,
    fits: isMergeable,
    deliver(folder, target, active) {
      const name = nameOf(target.object);
      resource(folder, withField(shown(target, active), ['metadata', 'name'], name.slice(4)));
      folder.flux.spec.namePrefix = name.slice(0, 4);
    },
  },
  'target namespace': {
    needsFlux: true,
    fits: ({ field }) => field[1] === 'namespace',
    deliver(folder, target, active) {
      resource(folder, shown(target, false));
      folder.flux.spec.targetNamespace = (active ? target.value : target.decoy) as Json;
    },
  },
  'common metadata': {
    needsFlux: true,
    fits: ({ field }) => field[1] === 'annotations',
    deliver(folder, target, active) {
      resource(folder, shown(target, false));
      const annotations: JsonObject = active ? { [String(target.field[2])]: target.value } : { other: 'x' };
      folder.flux.spec.commonMetadata = { annotations };
    },
  },
};

function selectorOfName(target: Target): JsonObject {
  return { kind: target.object.kind as string, name: nameOf(target.object) };
}
