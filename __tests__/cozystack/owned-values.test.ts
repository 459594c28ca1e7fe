/** Every value that the platform chart sets itself, in every release and variant of the platform, against the rule that guards it. */

import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject, RenderedObject } from '../../src/core/model.js';
import type { OwnedValue } from '../../src/cozystack/catalog.js';
import { covers } from '../../src/cozystack/ownership.js';
import { releases } from '../../src/cozystack/releases.js';
import chartOwnedValue from '../../src/rules/chart-owned-value/rule.js';
import type { ReportDescriptor, RuleContext } from '../../src/rules/rule.js';
import { knownOf } from '../support/known.js';
import { schemas as data } from '../support/releases.js';

const variants = ['isp-full', 'isp-full-generic', 'isp-hosted'] as const;
type Variant = (typeof variants)[number];
const never: Json = 'set by this repository';

function packageObject(name: string, components: JsonObject): RenderedObject {
  const ref = { apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', name };
  return {
    ref,
    value: { apiVersion: ref.apiVersion, kind: ref.kind, metadata: { name }, spec: { components } },
    revision: 'head',
    entrypoint: '.',
    index: 0,
    writers: () => [],
    children: () => undefined,
    removed: () => [],
  };
}

/** A map with one value at a path. */
function nested(path: readonly string[], value: Json): JsonObject {
  return path.reduceRight<Json>((inner, key) => ({ [key]: inner }), value) as JsonObject;
}

function findings(
  release: string,
  variant: Variant,
  name: string,
  components: JsonObject,
  platformValues?: JsonObject,
): ReportDescriptor[] {
  const objects = [packageObject(name, components)];
  const known = knownOf({ release, variant, ...(platformValues && { platformValues }) }, objects);
  const found: ReportDescriptor[] = [];
  chartOwnedValue.check({
    objects,
    known: { ...known, objects, snapshot: undefined },
    report: (said: ReportDescriptor) => found.push(said),
  } as unknown as RuleContext);
  return found;
}

type Row = { release: string; variant: Variant; name: string; row: OwnedValue };

const rows: Row[] = releases(data).flatMap((release) =>
  variants.flatMap((variant) => {
    const { catalog } = knownOf({ release, variant }).contract;
    return catalog
      .names()
      .flatMap((name) => catalog.ownedValues(name, { variant }).map((row) => ({ release, variant, name, row })));
  }),
);

test('there are values to guard in every release', () => {
  for (const release of releases(data)) {
    const count = rows.filter((row) => row.release === release).length;
    expect([release, count > 25]).toEqual([release, true]);
  }
});

test('every row of the table that a release has is one of them', () => {
  const { ownership } = knownOf({ release: 'next' }).contract;
  const released = ownership.values.filter(({ since, until }) => since !== 'proposed' && until === undefined);
  const unguarded = released.flatMap((tabled) =>
    tabled.paths
      .filter(
        (pattern) =>
          !rows.some(
            ({ name, row }) =>
              name === tabled.package && row.component === tabled.component && covers(pattern, row.path),
          ),
      )
      .map((pattern) => `${tabled.package} ${pattern.join('.')}`),
  );
  expect(unguarded).toEqual([]);
});

describe('in place of a map that the platform passes on', () => {
  const passedOn = { bucket: { name: 'backups', region: 'eu' } };
  test.each<[string, Json, number]>([
    ['the same map is not reported', passedOn, 0],
    ['a part of it is not reported', { bucket: { name: 'backups' } }, 0],
    ['another map is reported', { bucket: { name: 'elsewhere' } }, 1],
    ['a number is reported', 5, 1],
    ['a list is reported', [], 1],
  ])('%s', (_, value, count) => {
    const components = { 'backupstrategy-controller': { values: { backupStorage: value } } };
    const platformValues = { backupStorage: passedOn };
    const name = 'cozystack.backupstrategy-controller';
    expect(findings('v1.6.2', 'isp-full', name, components, platformValues)).toHaveLength(count);
  });
});

test('a value that the chart sets once another is set rests on the values of the platform, whatever stands in its place', () => {
  const components = { 'backupstrategy-controller': { values: 'text' } };
  const [found] = findings('v1.6.2', 'isp-full', 'cozystack.backupstrategy-controller', components);
  expect(found?.assumes).toEqual(['variant', 'platformValues']);
});

describe.each(rows.map((one) => [`${one.release} ${one.variant} ${one.name} ${one.row.path.join('.')}`, one] as const))(
  '%s',
  (_, { release, variant, name, row }) => {
    const set = (value: Json) => ({ [row.component]: { values: nested(row.path, value) } });
    const field = ['spec', 'components', row.component, 'values', ...row.path];

    test('another value is reported, at the value', () => {
      const [found, ...others] = findings(release, variant, name, set(never));
      expect(others).toEqual([]);
      expect(found?.at).toMatchObject({ path: field, part: 'key' });
      expect(found?.help).toContain(row.knob && !row.atInstall ? `set ${row.knob} in` : 'remove it');
      const certain = row.when === 'always' && row.knob === undefined && row.dead === undefined;
      expect(found?.severity).toBe(certain ? undefined : 'warning');
    });

    test('the chart’s own value and what lies beside it are not', () => {
      if (row.when === 'always' && row.value !== undefined)
        expect(findings(release, variant, name, set(row.value))).toEqual([]);
      const beside = nested([...row.path.slice(0, -1), 'another'], never);
      expect(findings(release, variant, name, { [row.component]: { values: beside } })).toEqual([]);
      expect(
        findings(release, variant, name, { [row.component]: { values: {} }, another: { values: beside } }),
      ).toEqual([]);
    });

    // Of a value that lies in no map there is nothing to say.
    if (row.path.length > 1)
      test('a text in place of the map around it is', () => {
        const values = nested(row.path.slice(0, 1), never);
        expect(findings(release, variant, name, { [row.component]: { values } }).length).toBe(1);
      });
  },
);
