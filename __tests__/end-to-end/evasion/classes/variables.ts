/** Variables that decide what is applied: their order, their defaults, and objects that only seem to define them. */
import { stringify } from 'yaml';
import type { JsonObject } from '../../../../src/core/model.js';
import type { Tree } from '../generate.js';
import { type Harm, harms, shown, withField } from '../harms.js';
import type { Random } from '../writing.js';
import { type Draw, flux, folderOf, note, object, rootOf } from './site.js';

const variant = harms.variant as Harm;
/** Any variant of that Package is an error, so that a red one is no false alarm. */
const another: Harm = { ...(harms['another variant'] as Harm), rules: [] };
const bad = stringify(shown(variant, true));

/** A use of the variable that decides what is applied. */
type Use = { good: string; evil: string; harm: Harm; files(text: string): Tree };

const uses: Record<string, Use> = {
  'path of a Flux object': {
    good: 'calm',
    evil: 'evil',
    harm: variant,
    files: (text) => ({ 'sets/child.yaml': stringify(flux('child', `./${text}`)) }),
  },
  'part of a path': {
    good: 'alm',
    evil: 'vil',
    harm: variant,
    files: (text) => ({
      'sets/child.yaml': stringify(flux('child', `./x${text}`)),
      'xalm/a.yaml': stringify(note('xalm')),
      'xvil/bad.yaml': bad,
    }),
  },
  'source of a Flux object': {
    good: 'nobody',
    evil: 'cozystack-customizer',
    harm: variant,
    files: (text) => ({
      'sets/child.yaml': stringify(
        flux('child', './evil', { sourceRef: { kind: 'GitRepository', name: text, namespace: 'cozy-system' } }),
      ),
    }),
  },
  'name of a Package': {
    good: 'cozystack.nobody',
    evil: 'cozystack.metallb',
    harm: variant,
    files: (text) => ({
      'sets/package.yaml': stringify(withField(shown(variant, true), ['metadata', 'name'], text)),
    }),
  },
  'variant of a Package': {
    good: 'default',
    evil: 'oidc',
    harm: another,
    files: (text) => ({ 'sets/package.yaml': stringify(withField(shown(variant, true), ['spec', 'variant'], text)) }),
  },
};

/** An object that defines the variables, and where it stands. */
type Provider = { kind: string; name: string; values: Record<string, string> };
const provider = ({ kind, name, values }: Provider): JsonObject => {
  if (kind === 'ConfigMap') return note(name, values);
  const encoded = Object.entries(values).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  return object('v1', 'Secret', name, kind === 'data' ? { data: Object.fromEntries(encoded) } : { stringData: values });
};
const kindOf = (kind: string) => (kind === 'ConfigMap' ? 'ConfigMap' : 'Secret');

/** Definition of the variable: providers that are applied, entries of `substituteFrom`, and own values. */
type Way = (
  good: string,
  evil: string,
  random: Random,
) => {
  applied: Provider[];
  from: { name: string; kind: string; optional?: boolean }[];
  own?: Record<string, string>;
  text?: string;
};

const plainly = `\${V}`;
const one = (kind: string, name: string, value: string): Provider => ({ kind, name, values: { V: value } });
const ref = ({ kind, name }: Provider) => ({ kind: kindOf(kind), name });
const anyKind = (random: Random) => random.pick(['ConfigMap', 'ConfigMap', 'stringData', 'data']);

const ways: Record<string, Way> = {
  'the later wins': (good, evil, random) => {
    const all = [one(anyKind(random), 'first', good), one(anyKind(random), 'second', evil)];
    return { applied: all, from: all.map(ref) };
  },
  'the last of three wins': (good, evil, random) => {
    const all = [
      one(anyKind(random), 'first', good),
      one('ConfigMap', 'second', good),
      one(anyKind(random), 'third', evil),
    ];
    return { applied: random.shuffled(all), from: all.map(ref) };
  },
  'twice in the list': (good, evil) => {
    const [first, second] = [one('ConfigMap', 'first', evil), one('ConfigMap', 'second', good)];
    return { applied: [first, second], from: [first, second, first].map(ref) };
  },
  'its own value wins': (good, evil, random) => {
    const all = [one(anyKind(random), 'first', good)];
    return { applied: all, from: all.map(ref), own: { V: evil } };
  },
  'a value in a Secret, and a default': (good, evil, random) => {
    const all = [one(random.pick(['data', 'stringData']), 'first', evil)];
    return { applied: all, from: all.map(ref), text: `\${V:=${good}}` };
  },
  'a default of what nothing defines': (_, evil) => {
    const all = [{ kind: 'ConfigMap', name: 'first', values: { OTHER: 'x' } }];
    return { applied: all, from: all.map(ref), text: `\${V:=${evil}}` };
  },
  'a default beside an empty value': (_, evil) => {
    const all = [{ kind: 'ConfigMap', name: 'first', values: { V: '' } }];
    return { applied: all, from: all.map(ref), text: `\${V:-${evil}}` };
  },
  'a default, as an optional object is missing': (_, evil) => ({
    applied: [one('ConfigMap', 'present', evil)],
    from: [
      { kind: 'ConfigMap', name: 'missing', optional: true },
      { kind: 'ConfigMap', name: 'present' },
    ],
    text: `\${V:=${evil}}`,
  }),
  'of one ConfigMap': (_, evil) => {
    const all = [one('ConfigMap', 'first', evil)];
    return { applied: all, from: all.map(ref) };
  },
};

/** Objects that say the opposite and that are never applied; each is of the name of a provider. */
type Decoy = (value: JsonObject, at: string) => { tree: Tree; listed: string[]; root: Record<string, JsonObject> };
const marked = (key: string, text: string, kind: 'annotations' | 'labels' = 'annotations'): Decoy => {
  return (value, at) => ({
    tree: {
      [`decoys/${at}.yaml`]: stringify(
        withField(value, ['metadata', kind, `kustomize.toolkit.fluxcd.io/${key}`], text),
      ),
    },
    listed: [],
    root: { decoys: flux('decoys', './decoys') },
  });
};
const unlisted =
  (path: string, more: (value: JsonObject) => Tree = () => ({})): Decoy =>
  (value, at) => ({ tree: { [`${path}/${at}.yaml`]: stringify(value), ...more(value) }, listed: [], root: {} });
const decoys: Record<string, Decoy> = {
  'reconcile: disabled': marked('reconcile', 'disabled'),
  'reconcile: disabled as a label': marked('reconcile', 'disabled', 'labels'),
  'ssa: Ignore': marked('ssa', 'Ignore'),
  'a suspended parent': (value, at) => ({
    tree: { [`decoys/${at}.yaml`]: stringify(value) },
    listed: [],
    root: { decoys: flux('decoys', './decoys', { suspend: true }) },
  }),
  'nothing renders it': unlisted('docs'),
  'a folder with a kustomization that nothing renders': unlisted('docs', () => ({ 'docs/kustomization.yaml': '{}\n' })),
  'a folder of another cluster': unlisted('clusters/other', () => ({
    'clusters/other/sync.yaml': stringify(flux('decoys', './clusters/other')),
  })),
  'another source': (value, at) => ({
    tree: { [`decoys/${at}.yaml`]: stringify(value) },
    listed: [],
    root: { decoys: flux('decoys', './decoys', { sourceRef: { kind: 'GitRepository', name: 'nobody' } }) },
  }),
  'a local-config object': (value, at) => ({
    tree: {
      [`sets/decoy-${at}.yaml`]: stringify(
        withField(value, ['metadata', 'annotations', 'config.kubernetes.io/local-config'], 'true'),
      ),
    },
    listed: [],
    root: {},
  }),
};

export const variables: Draw = (random) => {
  const useName = random.pick(Object.keys(uses));
  const use = uses[useName] as Use;
  const wayName = random.pick(Object.keys(ways));
  const isReversed = random.chance(0.2);
  const [good, evil] = isReversed ? [use.evil, use.good] : [use.good, use.evil];
  const way = (ways[wayName] as Way)(good, evil, random);
  const decoyName = random.chance(0.6) ? random.pick(Object.keys(decoys)) : undefined;
  const decoy = decoyName ? (decoys[decoyName] as Decoy) : undefined;
  const target = way.from[random.below(way.from.length)] as { kind: string; name: string };
  const opposite = provider({
    kind: target.kind === 'Secret' ? 'stringData' : 'ConfigMap',
    name: target.name,
    values: { V: good },
  });
  const pretended = decoy?.(opposite, target.name);
  const postBuild = { substituteFrom: way.from, ...(way.own && { substitute: way.own }) };
  const providers = Object.fromEntries(way.applied.map((each) => [`v-${each.name}`, provider(each)]));
  const head: Tree = {
    ...rootOf({ ...providers, ...pretended?.root, sets: flux('sets', './sets', { postBuild }) }),
    ...common,
    ...use.files(way.text ?? plainly),
    ...pretended?.tree,
  };
  const isOfPath = !head['sets/package.yaml'];
  const state = random.pick(['new', 'values', ...(isOfPath ? ['content', 'content'] : [])]);
  const bases: Record<string, () => Tree> = {
    new: () => ({ ...rootOf(), ...common }),
    values: () => before(head, way, use, good),
    // All that decides is there before the change, which brings the content and the decoy.
    content: () => ({
      ...head,
      ...rootOf({ ...providers, sets: flux('sets', './sets', { postBuild }) }),
      ...harmless(head),
      ...Object.fromEntries(Object.keys(pretended?.tree ?? {}).map((path) => [path, '# nothing\n'])),
    }),
  };
  return {
    harm: use.harm,
    base: (bases[state] as () => Tree)(),
    head,
    isNew: state !== 'values',
    labels: [
      `variable: ${useName}`,
      `value: ${wayName}`,
      `change: ${state}`,
      ...(decoyName ? [`decoy: ${decoyName}`] : []),
      ...(isReversed ? ['reversed'] : []),
    ],
  };
};

const harmless = (head: Tree): Tree =>
  Object.fromEntries(
    Object.keys(head)
      .filter((path) => path.endsWith('/bad.yaml'))
      .map((path) => [path, stringify(note('content'))]),
  );

const common: Tree = {
  ...folderOf('apps', { a: note('of-apps') }),
  'calm/note.yaml': stringify(note('calm')),
  'evil/bad.yaml': bad,
  'sets/note.yaml': stringify(note('of-sets')),
};

/** The same with harmless values in every provider: the change alters values alone. */
function before(head: Tree, way: ReturnType<Way>, use: Use, good: string): Tree {
  const calm = Object.fromEntries(
    way.applied.map((each) => [
      `v-${each.name}`,
      provider({ ...each, values: Object.hasOwn(each.values, 'V') ? { V: good } : each.values }),
    ]),
  );
  const postBuild = { substituteFrom: way.from, ...(way.own && { substitute: { V: good } }) };
  const text = /:[=-]/.test(way.text ?? '') ? `\${V:=${good}}` : (way.text ?? plainly);
  return { ...head, ...rootOf({ ...calm, sets: flux('sets', './sets', { postBuild }) }), ...use.files(text) };
}
