/** Much beside the harm, so that it is not reached, or drowned: sized so that a run ends in seconds. */
import { stringify } from 'yaml';
import type { JsonObject } from '../../../../src/core/model.js';
import type { Tree } from '../generate.js';
import type { Random } from '../writing.js';
import { inUse, type Payload, payloads } from './payloads.js';
import { type Draw, flux, listing, note, object, rootOf } from './site.js';

/** Files beside the harm, what the kustomization lists of them, and the text before and after the object in its own file. */
type Flood = { files: Tree; listed: string[]; above?: string; below?: string };
const many = <Value>(count: number, make: (n: number) => Value) => Array.from({ length: count }, (_, n) => make(n));
const documents = (objects: JsonObject[]) => objects.map((one) => stringify(one)).join('---\n');
const inFile = (objects: JsonObject[]): Flood => ({
  files: { 'apps/flood.yaml': documents(objects) },
  listed: ['flood.yaml'],
});
const packageOf = (name: string, components: JsonObject): JsonObject => ({
  apiVersion: 'cozystack.io/v1alpha1',
  kind: 'Package',
  metadata: { name },
  spec: { components },
});
const match = (n: number): JsonObject => ({ path: { type: 'PathPrefix', value: `/${n}` } });
const route = (n: number) =>
  object('gateway.networking.k8s.io/v1', 'HTTPRoute', `route-${n}`, {
    spec: {
      parentRefs: [{ name: 'gateway' }],
      rules: many(8, (rule) => ({ matches: many(8, (m) => match(8 * rule + m)) })),
    },
  });

const heaps: Record<string, (random: Random) => Flood> = {
  'many objects': (random) => inFile(many(300 + random.below(300), (n) => note(`flood-${n}`))),
  'many files': (random) => {
    const files = many(150 + random.below(150), (n) => [`flood-${n}.yaml`, stringify(note(`flood-${n}`))] as const);
    return {
      files: Object.fromEntries(files.map(([name, content]) => [`apps/${name}`, content])),
      listed: files.map(([name]) => name),
    };
  },
  'files that nothing lists': (random) => ({
    files: Object.fromEntries(many(300 + random.below(300), (n) => [`docs/${n}.yaml`, stringify(note(`flood-${n}`))])),
    listed: [],
  }),
  'near names': () =>
    inFile([packageOf('cozystack.linstor', Object.fromEntries(many(400, (n) => [`linstorr${n}`, {}])))]),
  'routes of many matches': (random) => inFile(many(20 + random.below(20), route)),
  'many findings': () => inFile(many(250, (n) => packageOf(`cozystack.nobody-${n}`, {}))),
  'a long comment': () => ({ files: {}, listed: [], above: `# ${'x'.repeat(200)}\n`.repeat(4000) }),
  'a long line': () => ({ files: {}, listed: [], above: `# ${'x'.repeat(1_000_000)}\n` }),
  'many documents': () => ({
    files: {},
    listed: [],
    above: `${documents(many(200, (n) => note(`above-${n}`)))}---\n`,
    below: `---\n${documents(many(200, (n) => note(`below-${n}`)))}`,
  }),
  'empty documents': () => ({ files: {}, listed: [], above: '---\n'.repeat(3000) }),
  'a long value': () => inFile([note('flood', { x: 'y'.repeat(800_000) })]),
  'many keys': () => inFile([note('flood', Object.fromEntries(many(5000, (n) => [`k${n}`, 'v'])))]),
  'deep values': () => {
    let value: JsonObject = { a: 'b' };
    for (let depth = 0; depth < 200; depth++) value = { a: value };
    return inFile([object('example.org/v1', 'Deep', 'deep', { spec: value })]);
  },
  'many labels': () =>
    inFile(
      many(100, (n) => ({
        ...note(`flood-${n}`),
        metadata: {
          name: `flood-${n}`,
          namespace: 'cozy-customizer',
          labels: Object.fromEntries(many(60, (m) => [`l${m}`, `v${n}`])),
        },
      })),
    ),
  'patches of nothing': () => ({
    files: Object.fromEntries(many(200, (n) => [`docs/p${n}.yaml`, '- {op: add, path: /x, value: y}\n'])),
    listed: [],
  }),
};

export const floods: Draw = (random) => {
  const name = random.pick(Object.keys(heaps));
  const flood = (heaps[name] as (random: Random) => Flood)(random);
  const what = random.pick(Object.keys(payloads));
  const { bad, good, harm } = payloads[what] as Payload;
  // Some floods are wrong in themselves.
  const isControl = random.chance(0.2) && !['near names', 'many findings', 'deep values'].includes(name);
  const isBefore = random.chance(0.5);
  const root: Tree = {
    ...rootOf({ calm: flux('calm', './calm') }),
    'calm/a.yaml': stringify(note('calm')),
    'calm/job.yaml': stringify(inUse),
  };
  const apps = (files: Tree, listed: string[]): Tree => ({
    ...root,
    ...files,
    'apps/a.yaml': stringify(note('of-apps')),
    'apps/kustomization.yaml': listing(['a.yaml', ...listed]),
  });
  const text = `${flood.above ?? ''}${stringify(isControl ? good : bad)}${flood.below ?? ''}`;
  return {
    harm,
    base: isBefore ? apps(flood.files, flood.listed) : apps({}, []),
    head: apps({ ...flood.files, 'apps/x.yaml': text }, [...flood.listed, 'x.yaml']),
    isNew: true,
    isControl,
    labels: [
      `flood: ${name}`,
      `harm: ${what}`,
      isBefore ? 'flood before' : 'flood with the change',
      ...(isControl ? ['twin'] : []),
    ],
  };
};
