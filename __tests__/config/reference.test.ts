/** docs/configuration.md has every key of the configuration, with a description and an example that the product reads. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { keysOf } from '../../src/build/keys.mjs';
import { type Config, defaults, readConfig } from '../../src/config/config.js';
import { decidePolicy } from '../../src/config/policy.js';
import { configSchema, schemaId } from '../../src/config/schema.js';
import { fluxMinor } from '../../src/cozystack/kubernetes.js';
import { rules } from '../../src/rules/index.js';
import { root } from '../support/cli.js';
import { treeOf } from '../support/tree-of.js';

type About = { default: string; example: string; about?: string; more?: string };

const file = '.customizer-lint.yaml';
const schema = configSchema(rules);
const keys = keysOf(schema);
const reference: Record<string, About> = parse(readFileSync(join(root, 'src/build/configuration.yaml'), 'utf8'));
const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8');
const reads = (text: string) => readConfig(treeOf({ [file]: text }), rules);

/** Every place of the schema where a map has a setting, as `rules.dead-patch.paths[].severity`. */
function placesIn(node: unknown, path: string): string[] {
  const { properties = {}, items, anyOf = [] } = node as { properties?: object; items?: unknown; anyOf?: unknown[] };
  return [
    ...Object.entries(properties).flatMap(([name, one]) => {
      const place = path === '' ? name : `${path}.${name}`;
      return [place, ...placesIn(one, place)];
    }),
    ...(items === undefined ? [] : placesIn(items, `${path}[]`)),
    ...anyOf.flatMap((one) => placesIn(one, path)),
  ];
}

test('every setting of the schema is a key of the page', () => {
  const own = new Set(
    rules.flatMap(({ id, options = {} }) => Object.keys(options).map((name) => `rules.${id}.${name}`)),
  );
  const known = placesIn(schema, '').map((place) => {
    if (own.has(place)) return place;
    if (place.startsWith('clusters[].') && Object.hasOwn(schema.properties.cluster.properties, place.slice(11)))
      return `cluster.${place.slice(11)}`;
    return place.replace(/^rules\.[a-z-]+/, 'rules.ID');
  });
  expect(keys.map(({ key }) => key).sort()).toEqual([...new Set(known)].sort());
  expect(keys.length).toBeGreaterThan(40);
});

test('the examples are those of the keys there are', () => {
  expect(Object.keys(reference).sort()).toEqual(keys.map(({ key }) => key).sort());
});

test('the version of Kubernetes that is assumed is the one that the page names', () => {
  expect(reference['cluster.kubernetes']?.default).toBe(`${fluxMinor} is assumed`);
});

describe.each(keys)('$key', ({ key, description, isRequired }) => {
  const { default: otherwise = '', example = '', about } = reference[key] ?? ({} as Partial<About>);

  test('has a description, a default and a heading', () => {
    expect(about ?? description ?? '').not.toBe('');
    expect(otherwise).not.toBe('');
    expect(otherwise.startsWith('required')).toBe(isRequired);
    expect(page).toMatch(new RegExp(`^####? \`${key.replace(/[[\].]/g, '\\$&')}\`$`, 'm'));
  });

  test('has an example that is a whole configuration without a mistake, and sets it', async () => {
    expect((await reads(example)).problems).toEqual([]);
    expect(page).toContain(`\`\`\`yaml\n${example.trimEnd()}\n\`\`\``);
    const parts = key.replaceAll('[]', '.[]').split('.');
    const found = parts.reduce<unknown[]>(
      (values, part) =>
        values.flatMap((value) => {
          if (part === '[]') return value as unknown[];
          const map = value as Record<string, unknown>;
          return (part === 'ID' ? Object.values(map) : [map[part]]).filter((one) => one !== undefined);
        }),
      [parse(example)],
    );
    expect(found).not.toEqual([]);
  });
});

describe('a key is a fact or policy as the page says', () => {
  const of = (release: string, reason: string): Config => ({
    ...defaults(),
    entrypoints: [reason],
    cluster: { release },
    clusters: [{ name: 'lab', paths: [reason], release }],
    rules: { 'dead-patch': { reason } },
    ignores: [{ rule: 'dead-patch', reason }],
    require: reason === 'head' ? ['base'] : [],
    baseline: reason,
    ownership: [{ field: 'spec', owner: reason }],
    dryRun: { name: reason },
    cozystack: { data: reason },
  });
  const head = of('v1.6.2', 'head');
  const base = of('v1.5.4', 'base');
  const { config } = decidePolicy({ head, base, with: 'base', trust: 'same-repository' });

  test.each(Object.keys(schema.properties) as (keyof typeof schema.properties)[])('%s', (key) => {
    const [, kind] = new RegExp(`^\\| \\[\`${key}\`\\].*\\| (fact|policy) \\|$`, 'm').exec(page) ?? [];
    // A deletion has no line for a comment, so the repository's own change accepts it in the configuration.
    expect(config[key]).toEqual((kind === 'fact' || key === 'ignores' ? head : base)[key]);
    expect(kind).toMatch(/^(fact|policy)$/);
    expect(head[key]).not.toEqual(base[key]);
  });
});

describe('an address of the schema', () => {
  const report = JSON.parse(readFileSync(join(root, 'schemas/report.schema.json'), 'utf8'));

  test('is that of the file in the repository, at the tag of the major version', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const folder = `https://raw.githubusercontent.com/cozystack/customizer-lint/v${version.split('.')[0]}/schemas`;
    expect([schema.$id, report.$id]).toEqual([`${folder}/config.schema.json`, `${folder}/report.schema.json`]);
  });

  test.each(['README.md', 'docs/configuration.md'])('is in %s as an editor reads it', (name) => {
    expect(readFileSync(join(root, name), 'utf8')).toContain(`# yaml-language-server: $schema=${schemaId}\n`);
  });
});

describe('a configuration in the documents has no mistake', () => {
  const pages = [
    'README.md',
    ...readdirSync(join(root, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];
  const isConfiguration = (text: string) => {
    const names = Object.keys(parse(text, { logLevel: 'silent' }) ?? {});
    return names.length > 0 && names.every((name) => Object.hasOwn(schema.properties, name));
  };
  const shown = pages.flatMap((name) =>
    [...readFileSync(join(root, name), 'utf8').matchAll(/^( *)```yaml\n([\s\S]*?)^ *```$/gm)]
      .map(([, indent = '', text = '']) => text.replace(new RegExp(`^${indent}`, 'gm'), ''))
      .filter(isConfiguration)
      .map((text) => ({ name, text })),
  );

  test('and there are some on these pages', () => {
    const found = [...new Set(shown.map(({ name }) => name))];
    expect(found).toEqual(expect.arrayContaining(['README.md', 'docs/adopting.md', 'docs/configuration.md']));
  });

  test.each(shown)('$name: $text', async ({ text }) => {
    expect((await reads(text)).problems).toEqual([]);
  });
});
