import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type Fact, type FactName, UsageError } from '../../src/core/model.js';
import { loadContract } from '../../src/cozystack/contract.js';
import { dataOfRelease, lineName, lineOf, meantRelease, readTable, releases } from '../../src/cozystack/releases.js';
import { root } from '../support/cli.js';
import { all } from '../support/releases.js';

const data = join(root, 'schemas');
const scratch = mkdtempSync(join(tmpdir(), 'releases-'));
const extra = join(scratch, 'data');

function factsOf(release: string): Map<FactName, Fact> {
  return new Map([['release', { name: 'release', value: release, source: 'config' }]]);
}

/** Data as the generator writes it with `--out`: release 1.6.2 under other names, and a package more. */
beforeAll(() => {
  mkdirSync(join(extra, 'cozystack'), { recursive: true });
  for (const name of ['of-our-own', 'v1.6.2-acme.1']) {
    cpSync(join(data, 'cozystack/v1.6.2'), join(extra, 'cozystack', name), { recursive: true });
    const file = join(extra, 'cozystack', name, 'catalog.json');
    const catalog = JSON.parse(readFileSync(file, 'utf8'));
    catalog.sources['acme.portal'] = { variants: { default: { components: { portal: { path: 'system/portal' } } } } };
    writeFileSync(file, JSON.stringify(catalog));
  }
  symlinkSync(join(data, 'cozystack/crds'), join(extra, 'cozystack/crds'));
  symlinkSync(join(data, 'kubernetes'), join(extra, 'kubernetes'));
});

afterAll(() => rmSync(scratch, { recursive: true }));

test.each([
  ['v1.6.2', 'v1.6.2', true],
  ['1.6.2', 'v1.6.2', true],
  ['v1.6', 'v1.6.2', true],
  ['1.6', 'v1.6.2', true],
  ['v1.6.9', 'v1.6.2', false],
  ['v1.5.0-rc.1', 'v1.5.4', false],
  ['next', 'next', true],
])('%s stands for %s', (release, name, exact) => {
  expect(dataOfRelease(data, release)).toEqual({ name, exact, sameLine: true, directory: data });
});

test.each([
  ['v1.66', 'v1.6.2'],
  ['1.7', 'v1.6.2'],
  ['v2', 'v1.6.2'],
  ['v2.0.0', 'v1.6.2'],
  ['v1.4.9', 'v1.5.4'],
  ['v0.1', 'v1.5.4'],
  ['of-our-own', 'v1.6.2'],
  ['', 'v1.6.2'],
  ['__proto__', 'v1.6.2'],
  ['../v1.6.2', 'v1.6.2'],
])('there is no data for "%s", and that of %s is nearest', (release, name) => {
  expect(dataOfRelease(data, release)).toEqual({ name, exact: false, sameLine: false, directory: data });
});

test('between two lines with no data the newer one is the nearer, and without any data there is no answer', () => {
  const [gap, empty] = ['gap', 'empty'].map((name) => join(scratch, name)) as [string, string];
  for (const release of ['v1.4.0', 'v1.6.0', 'v1.6.3', 'v2.0.0', 'next']) {
    mkdirSync(join(gap, 'cozystack', release), { recursive: true });
    writeFileSync(join(gap, 'cozystack', release, 'catalog.json'), '{}');
  }
  expect(dataOfRelease(gap, 'v1.5').name).toBe('v1.6.3');
  expect(dataOfRelease(gap, 'v1.90').name).toBe('v1.6.3');
  expect(dataOfRelease(gap, 'v3.0').name).toBe('v2.0.0');
  expect(() => dataOfRelease(empty, 'v1.6')).toThrow(new UsageError(`there is no data for any release in ${empty}`));
});

test.each([
  ['v1.6.2', [1, 6]],
  ['v1.60', [1, 60]],
  ['v1.6.2-acme.1', [1, 6]],
  ['next', undefined],
  ['of-our-own', undefined],
])('the line of %s', (release, line) => {
  expect(lineOf(release)).toEqual(line);
});

test.each([
  ['v1.6.2', 'v1.6'],
  ['v1.60', 'v1.60'],
  ['v1.6.2-acme.1', 'v1.6'],
  ['acme-v1.6.2', 'acme-v1.6.2'],
  ['1.6.2', '1.6.2'],
  ['next', 'next'],
])('the name of the line of %s is %s', (release, line) => {
  expect(lineName(release)).toBe(line);
});

test('of two directories with the same release the first has it, and of a line the newest counts', () => {
  const [own, other] = ['own', 'other'].map((name) => join(scratch, name)) as [string, string];
  for (const [directory, release] of [
    [own, 'v1.5.9'],
    [own, 'v1.5.10'],
    [other, 'v1.5.10'],
  ] as const) {
    mkdirSync(join(directory, 'cozystack', release), { recursive: true });
    writeFileSync(join(directory, 'cozystack', release, 'catalog.json'), '{}');
  }
  expect(dataOfRelease([own, other], 'v1.5.10')).toEqual({
    name: 'v1.5.10',
    exact: true,
    sameLine: true,
    directory: own,
  });
  expect(dataOfRelease([other, own], 'v1.5.10').directory).toBe(other);
  expect(dataOfRelease([own, other], 'v1.5').name).toBe('v1.5.10');
});

describe('what the build makes of the tables', () => {
  const folder = join(scratch, 'tables');
  const [yaml, json] = ['ownership.yaml', 'tables.json'].map((name) => join(data, 'cozystack', name)) as [
    string,
    string,
  ];
  const text = readFileSync(yaml, 'utf8');
  const changed = (to: unknown) => {
    const tables = JSON.parse(readFileSync(json, 'utf8'));
    tables['ownership.yaml'].table = to;
    return JSON.stringify(tables);
  };
  // Each in a folder of its own, as a table is read once.
  const read = (name: string, table: string, made: string, others: string[] = []) => {
    mkdirSync(join(folder, name, 'cozystack'), { recursive: true });
    writeFileSync(join(folder, name, 'cozystack/ownership.yaml'), table);
    writeFileSync(join(folder, name, 'cozystack/tables.json'), made);
    return readTable([join(folder, name), ...others], 'ownership.yaml');
  };

  test('is what they say', () => expect(readTable(data, 'ownership.yaml')).toEqual(parse(text)));
  test('counts for the table that it was made of', () => expect(read('same', text, changed('made'))).toBe('made'));
  test('does not count for another one', () => {
    expect(read('edited', `${text}# more\n`, changed('made'))).toEqual(parse(text));
  });
  test('does not count where a repository brings it along', () => {
    expect(read('brought', text, changed('made'), [data])).toEqual(parse(text));
  });
});

describe('with a directory of its own', () => {
  test('all releases are known', () => {
    expect(releases([extra, data])).toEqual([
      'of-our-own',
      ...all.flatMap((name) => (name === 'v1.6.2' ? [name, 'v1.6.2-acme.1'] : [name])),
    ]);
  });

  test.each([
    ['of-our-own', 'of-our-own', true, extra],
    ['v1.6.2-acme.1', 'v1.6.2-acme.1', true, extra],
    ['v1.6', 'v1.6.2-acme.1', true, extra],
    ['v1.6.7', 'v1.6.2-acme.1', false, extra],
    ['v1.6.2', 'v1.6.2', true, data],
    ['v1.5', 'v1.5.4', true, data],
    ['next', 'next', true, data],
  ])('%s is %s', (release, name, exact, directory) => {
    expect(dataOfRelease([extra, data], release)).toEqual({ name, exact, sameLine: true, directory });
  });

  test('the contract comes from there, schemas and all', () => {
    const contract = loadContract(data, factsOf('of-our-own'), extra);
    expect(contract).toMatchObject({ release: 'of-our-own', exact: true });
    expect(contract.catalog.source('acme.portal')?.componentNames()).toEqual(['portal']);
    expect(contract.catalog.releasesWith('acme.portal')).toEqual(['of-our-own', 'v1.6.2-acme.1']);
    expect(contract.catalog.releasesWith('cozystack.kubernetes-nodes-application')).toHaveLength(4);
    expect(contract.schemas.find('cozystack.io/v1alpha1', 'Package').known).toBe(true);
    expect(contract.schemas.find('apps/v1', 'Deployment').known).toBe(true);
    expect(contract.ownedFields).toHaveLength(5);
    expect(contract.rbac.ownedNamespaces).toEqual(['cozy-customizer']);
    // What only a platform value brings is told by the table, for every release that it does not know as well.
    const owned = contract.catalog.ownedValues('cozystack.networking', { variant: 'isp-full' });
    const paths = owned.map(({ path }) => path.join('.'));
    expect(paths).toContain('kube-ovn.MASTER_NODES');
    expect(paths).not.toContain('kube-ovn.func.ENABLE_OVN_IPSEC');
  });

  test('a release in the box is still there', () => {
    const contract = loadContract(data, factsOf('v1.6.2'), extra);
    expect(contract.catalog.source('acme.portal')).toBeUndefined();
    expect(contract.catalog.releasesWith('acme.portal')).toEqual(['of-our-own', 'v1.6.2-acme.1']);
  });

  test('its own rights and fields stand for those in the box', () => {
    const rights = join(extra, 'cozystack/rbac.yaml');
    writeFileSync(
      rights,
      readFileSync(join(data, 'cozystack/rbac.yaml'), 'utf8').replace('[cozy-customizer]', '[ours]'),
    );
    const fields = join(extra, 'cozystack/ownership.yaml');
    writeFileSync(fields, 'fields: []\nvalues: []\n');
    const contract = loadContract(data, factsOf('of-our-own'), extra);
    expect(contract.rbac.ownedNamespaces).toEqual(['ours']);
    expect(contract.ownership.fields).toEqual([]);
    rmSync(rights);
    rmSync(fields);
  });

  test.each([
    ['that is not there', 'nowhere'],
    ['without data', '.'],
  ])('one %s is wrong usage', (_, path) => {
    expect(() => loadContract(data, factsOf('v1.6.2'), join(scratch, path))).toThrow(UsageError);
  });
});

test.each([
  ['v16.2', 'v1.6.2'],
  ['v.1.6.2', 'v1.6.2'],
  ['162', 'v1.6.2'],
  ['v1,6,2', 'v1.6.2'],
  ['nxt', 'next'],
  ['v1.9.0', undefined],
  ['1.7.2', undefined],
  ['v26.2', undefined],
  ['nonsense', undefined],
])('by "%s" is meant %s', (release, meant) => {
  expect(meantRelease(release, ['v1.5.4', 'v1.6.2', 'next'])).toBe(meant);
});
