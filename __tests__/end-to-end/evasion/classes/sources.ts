/** Sources that only seem to be the ones of a Flux object, and other files than those of the branch. */
import { stringify } from 'yaml';
import type { JsonObject } from '../../../../src/core/model.js';
import { otherUrls, ownUrls } from '../flux.js';
import type { Tree } from '../generate.js';
import { type Harm, harms, shown, withField } from '../harms.js';
import type { Random } from '../writing.js';
import { type Draw, flux, folderOf, gitRepository, note, rootOf } from './site.js';

const variant = harms.variant as Harm;
const sourceRef = { kind: 'GitRepository', name: 'source' };
type Parts = { root: Record<string, JsonObject>; tree: Tree };
const marked = (value: JsonObject, key: string, text: string) =>
  withField(value, ['metadata', 'annotations', `kustomize.toolkit.fluxcd.io/${key}`], text);

/** Places of a second source of the same name, which Flux never applies. */
const decoys: Record<string, (value: JsonObject) => Parts> = {
  'reconcile: disabled': (value) => ({
    root: { decoys: flux('decoys', './decoys') },
    tree: { 'decoys/s.yaml': stringify(marked(value, 'reconcile', 'disabled')) },
  }),
  'ssa: Ignore': (value) => ({
    root: { decoys: flux('decoys', './decoys') },
    tree: { 'decoys/s.yaml': stringify(marked(value, 'ssa', 'Ignore')) },
  }),
  'a suspended parent': (value) => ({
    root: { decoys: flux('decoys', './decoys', { suspend: true }) },
    tree: { 'decoys/s.yaml': stringify(value) },
  }),
  'nothing renders it': (value) => ({ root: {}, tree: { 'docs/s.yaml': stringify(value) } }),
  'the folder of another cluster': (value) => ({
    root: {},
    tree: {
      'clusters/other/s.yaml': stringify(value),
      'clusters/other/sync.yaml': stringify(flux('decoys', './clusters/other')),
    },
  }),
  'another namespace': (value) => ({
    root: { decoy: withField(value, ['metadata', 'namespace'], 'cozy-customizer-more') },
    tree: {},
  }),
  'another kind': (value) => ({
    root: { decoy: { ...value, kind: 'Bucket', spec: { interval: '5m', bucketName: 'x', endpoint: 'x.example.org' } } },
    tree: {},
  }),
  none: () => ({ root: {}, tree: {} }),
};

/** The applied source before the change: absent, or of other files. */
const befores: Record<string, (url: string, random: Random) => JsonObject | undefined> = {
  'no source': () => undefined,
  'another address': (_, random) => gitRepository('source', random.pick(otherUrls.slice(0, 2))),
  'another branch': (url) => gitRepository('source', url, { ref: { branch: 'old' } }),
  'without the folder': (url) => gitRepository('source', url, { ignore: '/evil/\n' }),
  'a tag': (url) => gitRepository('source', url, { ref: { tag: 'v1' } }),
};

export const sources: Draw = (random) => {
  const decoyName = random.pick(Object.keys(decoys));
  const urlName = random.pick(Object.keys(ownUrls));
  const url = ownUrls[urlName] ?? '';
  const beforeName = random.pick(Object.keys(befores));
  const source = gitRepository('source', url);
  const { root, tree } = (decoys[decoyName] as (value: JsonObject) => Parts)(
    gitRepository('source', otherUrls[0] as string),
  );
  const before = befores[beforeName]?.(url, random);
  const common: Tree = {
    ...folderOf('apps', { a: note('of-apps') }),
    'evil/bad.yaml': stringify(shown(variant, true)),
    'calm/a.yaml': stringify(note('calm')),
  };
  const team = flux('team', './evil', { sourceRef });
  const head = { ...rootOf({ source, team, ...root }), ...common, ...tree };
  const labels = [`decoy source: ${decoyName}`, `URL: ${urlName}`];
  if (random.chance(0.6)) {
    // The source is there before the change, which brings the content and the decoy.
    const base = { ...rootOf({ source, team }), ...common, 'evil/bad.yaml': stringify(note('content')) };
    return { harm: variant, base, head, isNew: true, labels: [...labels, 'change: content'] };
  }
  return {
    harm: variant,
    base: { ...rootOf(before ? { source: before, team } : {}), ...common },
    head,
    isNew: before === undefined,
    labels: [...labels, `source before: ${beforeName}`],
  };
};
