/** Directories that cannot be built here, or could not be before, with harm in them or beside them. */
import { stringify } from 'yaml';
import type { JsonObject } from '../../../../src/core/model.js';
import type { Tree } from '../generate.js';
import type { Random } from '../writing.js';
import { inUse, type Payload, payloads } from './payloads.js';
import { type Draw, flux, listing, note, rootOf } from './site.js';

const commit = '0123456789012345678901234567890123456789';
const remotes: Record<string, string> = {
  'a file at a commit': `https://evil.example/p.yaml?ref=${commit}`,
  'a file': 'https://evil.example/p.yaml',
  'a repository at a commit': `https://github.com/a/b//x?ref=${commit}`,
  'a repository at a tag': 'https://github.com/a/b//x?ref=v1.0.0',
  'a repository without a scheme': `github.com/a/b?ref=${commit}`,
  'a repository by ssh': `git@github.com:a/b.git//x?ref=${commit}`,
  'a repository by git': `git::https://example.org/a/b//x?ref=${commit}`,
  'a raw file': `https://raw.githubusercontent.com/a/b/${commit}/x.yaml`,
};

/** A kustomization, and the files that it needs. */
type Break = { more: JsonObject; files?: Tree };
type Flaw = (folder: string, random: Random) => Break;
const remote =
  (field: string): Flaw =>
  (_, random) => ({ more: { [field]: [remotes[random.pick(Object.keys(remotes))] as string] } });
const target = { kind: 'ConfigMap' };

const flaws: Record<string, Flaw> = {
  'remote resource': remote('resources'),
  'another remote resource': remote('resources'),
  'remote component': remote('components'),
  'remote base in the old field': remote('bases'),
  'remote transformer': remote('transformers'),
  'remote generator': remote('generators'),
  'remote patch': () => ({ more: { patches: [{ path: remotes['a file at a commit'] as string, target }] } }),
  'remote resource of an inner folder': (folder, random) => ({
    more: { resources: ['inner'] },
    files: { [`${folder}/inner/kustomization.yaml`]: listing([remotes[random.pick(Object.keys(remotes))] as string]) },
  }),
  'missing resource': () => ({ more: { resources: ['missing.yaml'] } }),
  'missing component': () => ({ more: { components: ['missing'] } }),
  'no YAML': (folder) => ({ more: { resources: ['broken.yaml'] }, files: { [`${folder}/broken.yaml`]: 'a: [b\n' } }),
  'no object': (folder) => ({ more: { resources: ['broken.yaml'] }, files: { [`${folder}/broken.yaml`]: 'a: b\n' } }),
  'twice the same object': (folder) => ({
    more: { resources: ['twice.yaml'] },
    files: { [`${folder}/twice.yaml`]: stringify(note('of-folder')) },
  }),
  'patch of nothing': () => ({ more: { patches: [{ patch: stringify(note('nobody')) }] } }),
  'two kustomizations': (folder) => ({ more: {}, files: { [`${folder}/kustomization.yml`]: '{}\n' } }),
  'unknown field': () => ({ more: { resource: ['a.yaml'] } }),
};

/** Exceeds the linter's limit for a file; Flux has no such limit. */
const long = (text: string) => `${text}# ${'x'.repeat(4 * 1024 * 1024)}\n`;
const limits: Record<string, Flaw> = {
  'long manifest': (folder) => ({
    more: { resources: ['long.yaml'] },
    files: { [`${folder}/long.yaml`]: long(stringify(note('long'))) },
  }),
  'long file of a generator': (folder) => ({
    more: { configMapGenerator: [{ name: 'long', files: ['long.txt'] }] },
    files: { [`${folder}/long.txt`]: long('x\n') },
  }),
};

/** A folder with an object in it, broken or not. */
function folderOf(folder: string, broken: Break | undefined, object?: string): Tree {
  const { resources = [], ...more } = broken?.more ?? {};
  const names = ['a.yaml', ...(object === undefined ? [] : ['x.yaml']), ...(resources as string[])];
  return {
    [`${folder}/a.yaml`]: stringify(note('of-folder')),
    ...(object !== undefined && { [`${folder}/x.yaml`]: object }),
    ...broken?.files,
    [`${folder}/kustomization.yaml`]: listing(names, more),
  };
}

/** Base and head with a flaw in a folder; the reference renders both without the flaw, as if it were corrected. */
type Shape = (flaw: Break | undefined, payload: Payload, isHarmful: boolean) => { base: Tree; head: Tree };
const text = ({ bad, good }: Payload, isHarmful: boolean) => stringify(isHarmful ? bad : good);
const elsewhere = (flaw: Break | undefined) => folderOf('other', flaw);

const inside: Record<string, Shape> = {
  'broken with the change': (flaw, payload, isHarmful) => ({
    base: folderOf('apps', undefined),
    head: folderOf('apps', flaw, text(payload, isHarmful)),
  }),
  'broken before and after': (flaw, payload, isHarmful) => ({
    base: folderOf('apps', flaw),
    head: folderOf('apps', flaw, text(payload, isHarmful)),
  }),
  'broken before and after, with the object': (flaw, payload, isHarmful) => ({
    base: folderOf('apps', flaw, text(payload, false)),
    head: folderOf('apps', flaw, text(payload, isHarmful)),
  }),
  'mended by the change': (flaw, payload, isHarmful) => ({
    base: folderOf('apps', flaw),
    head: folderOf('apps', undefined, text(payload, isHarmful)),
  }),
  'a folder that is new': (flaw, payload, isHarmful) => ({
    base: {},
    head: folderOf('apps', flaw, text(payload, isHarmful)),
  }),
};
const beside: Record<string, Shape> = {
  'broken elsewhere': (flaw, payload, isHarmful) => ({
    base: { ...folderOf('apps', undefined), ...elsewhere(flaw) },
    head: { ...folderOf('apps', undefined, text(payload, isHarmful)), ...elsewhere(flaw) },
  }),
  'broken elsewhere, with the object': (flaw, payload, isHarmful) => ({
    base: { ...folderOf('apps', undefined, text(payload, false)), ...elsewhere(flaw) },
    head: { ...folderOf('apps', undefined, text(payload, isHarmful)), ...elsewhere(flaw) },
  }),
};

export const unbuilt: Draw = (random) => {
  const isBeside = random.chance(0.3);
  const shapes = isBeside ? beside : inside;
  const shapeName = random.pick(Object.keys(shapes));
  const isLimit = random.chance(0.15);
  const all = isLimit ? limits : flaws;
  const flawName = random.pick(Object.keys(all));
  const broken = (all[flawName] as Flaw)(isBeside ? 'other' : 'apps', random);
  const name = random.pick(Object.keys(payloads));
  const payload = payloads[name] as Payload;
  // A folder that is broken and changes is an error whatever it holds.
  const isControl = isBeside && random.chance(0.4);
  const shape = shapes[shapeName] as Shape;
  const root: Tree = {
    ...rootOf(isBeside ? { other: flux('other', './other') } : {}),
    ...{ 'calm/a.yaml': stringify(note('calm')), 'calm/job.yaml': stringify(inUse) },
  };
  const use = rootOf({ calm: flux('calm', './calm'), ...(isBeside && { other: flux('other', './other') }) });
  const made = (flaw: Break | undefined) => {
    const { base, head } = shape(flaw, payload, !isControl);
    return { base: { ...root, ...use, ...base }, head: { ...root, ...use, ...head } };
  };
  return {
    ...made(broken),
    ...(!isLimit && { truth: made(undefined) }),
    harm: payload.harm,
    isNew: true,
    isControl,
    isRedIfUnknown: true,
    labels: [`unbuilt: ${shapeName}`, `flaw: ${flawName}`, `harm: ${name}`, ...(isControl ? ['twin'] : [])],
  };
};
