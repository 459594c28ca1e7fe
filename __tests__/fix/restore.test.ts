/** An object that a change has taken out comes back: its manifest as it was, and the entry that lists it. */
import { describe, expect, test } from '@jest/globals';
import type { FixStep, Rendered } from '../../src/core/model.js';
import { restored } from '../../src/fix/restore.js';
import { treeOf } from '../support/tree-of.js';

type Texts = { [file: string]: string | Uint8Array };
type Restore = Extract<FixStep, { do: 'restore' }>;

const manifest = 'kind: ConfigMap\nmetadata:\n  name: a\n';
const other = 'kind: ConfigMap\nmetadata:\n  name: b\n';
const object = {
  ...{ ref: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }, revision: 'base', entrypoint: 'apps' },
  source: { file: 'apps/a.yaml', document: 0 },
};
const list = (...resources: string[]) => `resources:\n${resources.map((one) => `- ${one}\n`).join('')}`;
const kustomization = 'apps/kustomization.yaml';

type More = Partial<Omit<Restore, 'object'>> & {
  object?: object;
  ok?: { head?: boolean; base?: boolean };
  at?: string;
  reads?: string[];
};

/** The files that are written; a build reads all that there is, unless it is said what. */
function back(base: Texts, head: Texts, { ok = {}, at = 'apps', reads, ...more }: More = {}): Texts | undefined {
  const side = (files: Texts, isBuilt = true) => ({
    tree: treeOf(files),
    rendered: [
      { ok: true, entrypoint: { path: 'other' }, files: [] },
      { ok: isBuilt, entrypoint: { path: at }, files: reads ?? Object.keys(files) },
    ] as unknown as Rendered[],
  });
  const change = { do: 'restore', without: [], add: [], object, ...more } as unknown as Restore;
  const files = restored(change, side(head, ok.head), side(base, ok.base));
  return files && Object.fromEntries(files);
}

const before = { 'apps/a.yaml': manifest };

describe('the manifest', () => {
  test('comes back as a file of its own', () => {
    expect(back(before, {})).toEqual({ 'apps/a.yaml': manifest });
    expect(back({ 'apps/a.yaml': manifest.trimEnd() }, {})).toEqual({ 'apps/a.yaml': manifest });
  });

  test('comes back as the last document of a file that is there', () => {
    const both = { 'apps/a.yaml': `${other}---\n${manifest}` };
    const second = { object: { ...object, source: { ...object.source, document: 1 } } };
    expect(back(both, { 'apps/a.yaml': other }, second)).toEqual(both);
    expect(back(both, { 'apps/a.yaml': other.trimEnd() }, second)).toEqual(both);
    expect(back({ 'apps/a.yaml': `---\n${manifest}` }, { 'apps/a.yaml': other })).toEqual(both);
    const ruled = `${manifest}# ---\ndata: {}\n`;
    expect(back({ 'apps/a.yaml': ruled }, { 'apps/a.yaml': other })).toEqual({
      'apps/a.yaml': `${other}---\n${ruled}`,
    });
  });

  test('does not where the file that is there cannot be read', () => {
    expect(back(before, { 'apps/a.yaml': `${other}---\na: [\n` })).toBeUndefined();
    expect(back({ 'apps/a.yaml': 'kind: [\n' }, {})).toBeUndefined();
    expect(back({ 'apps/a.yaml': `${manifest}# \uFFFD\n` }, {})).toBeUndefined();
  });

  test('does not where a file of its name is there that is too large to be read', () => {
    expect(back(before, { 'apps/a.yaml': new Uint8Array(5 << 20) })).toBeUndefined();
    expect(back({ 'apps/a.yaml': new Uint8Array(5 << 20) }, {})).toBeUndefined();
  });

  test('does not where it is of another object', () => {
    expect(back({}, {})).toBeUndefined();
    expect(back({ 'apps/a.yaml': other }, {})).toBeUndefined();
    expect(back({ 'apps/a.yaml': manifest.replace('ConfigMap', 'Secret') }, {})).toBeUndefined();
    expect(back(before, {}, { object: { ...object, source: { ...object.source, document: 1 } } })).toBeUndefined();
  });

  test('does not where it stands as before and is not left out by its list', () => {
    expect(back(before, before)).toBeUndefined();
    const listed = { ...before, [kustomization]: list('a.yaml') };
    expect(back(listed, listed)).toBeUndefined();
  });

  test('has what is added to it, and not what is left out', () => {
    const text = `${manifest}data: {x: 1}\n`;
    const without = [['data'], ['gone']];
    expect(back({ 'apps/a.yaml': text }, {}, { without })).toEqual({ 'apps/a.yaml': manifest });
    const add = (value: string) => ({ add: [{ path: ['metadata', 'namespace'], value }] });
    const set = `${manifest}  namespace: x\n`;
    expect(back(before, {}, add('x'))).toEqual({ 'apps/a.yaml': set });
    expect(back({ 'apps/a.yaml': set }, {}, add('x'))).toEqual({ 'apps/a.yaml': set });
    const quoted = { 'apps/a.yaml': set.replace(': x', ": 'x'") };
    expect(back(quoted, {}, add('x'))).toEqual(quoted);
    expect(back({ 'apps/a.yaml': set }, {}, add('z'))).toEqual({ 'apps/a.yaml': set.replace(': x', ': z') });
  });
});

describe('the entry of the list', () => {
  const listed = { ...before, [kustomization]: list('z.yaml', 'a.yaml', 'b.yaml') };

  test('comes back where it was, with the manifest where that is gone', () => {
    const text = listed[kustomization];
    const only = list('z.yaml', 'b.yaml');
    expect(back(listed, { [kustomization]: only })).toEqual({ ...before, [kustomization]: text });
    expect(back(listed, { ...before, [kustomization]: only })).toEqual({ ...before, [kustomization]: text });
    expect(back(listed, { [kustomization]: text })).toEqual(before);
  });

  test('comes at the end of a list that is shorter now, and makes one where there is none', () => {
    expect(back(listed, { [kustomization]: list('q.yaml').replace('q.yaml', 'z.yaml') })?.[kustomization]).toBe(
      list('z.yaml', 'a.yaml'),
    );
    const last = { ...before, [kustomization]: list('x.yaml', 'y.yaml', 'a.yaml') };
    expect(back(last, { [kustomization]: list('x.yaml') })?.[kustomization]).toBe(list('x.yaml', 'a.yaml'));
    expect(back(listed, { [kustomization]: 'namePrefix: x\n' })?.[kustomization]).toContain('- a.yaml');
  });

  test('is not asked for where Flux made the list, and none is read that no build reads', () => {
    expect(back(before, {}, { reads: [kustomization] })).toEqual(before);
    expect(
      back({ ...listed, 'x/kustomization.yaml': '' }, { [kustomization]: list() }, { reads: ['apps/a.yaml'] }),
    ).toEqual(before);
    const mixed = { ...before, [kustomization]: 'resources: [{a: 1}, a.yaml]\n' };
    expect(back(mixed, mixed)).toBeUndefined();
    expect(back(mixed, { [kustomization]: mixed[kustomization] })).toEqual(before);
  });

  test('does not where the list is gone, or it is not clear which it was', () => {
    expect(back(listed, {})).toBeUndefined();
    expect(back({ ...before, [kustomization]: list('b.yaml') }, { [kustomization]: list('b.yaml') })).toBeUndefined();
    const twice = { ...listed, 'apps/x/kustomization.yaml': list('../a.yaml') };
    expect(back(twice, { ...twice, [kustomization]: list('b.yaml') })).toBeUndefined();
    expect(back({ ...before, [kustomization]: 'resources: {a: 1}\n' }, { [kustomization]: '' })).toBeUndefined();
    expect(back(listed, { [kustomization]: 'a: [\n' })).toBeUndefined();
  });
});

test('nothing comes back that no build had, or that none would have', () => {
  expect(back(before, {}, { ok: { base: false } })).toBeUndefined();
  expect(back(before, {}, { ok: { head: false } })).toBeUndefined();
  expect(back(before, {}, { at: 'elsewhere' })).toBeUndefined();
  expect(back(before, {}, { object: { ...object, source: undefined } })).toBeUndefined();
  expect(back(before, {}, { object: { ...object, revision: 'head' } })).toBeUndefined();
});
