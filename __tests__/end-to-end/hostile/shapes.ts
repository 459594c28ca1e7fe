/** Repositories made to hurt by what they are: bombs, cycles, depth, links, broken text. */
import { join } from 'node:path';
import { configMap, type Files, kustomization } from '../../support/trees.js';

export const one = (content: string | Uint8Array, name = 'a.yaml'): Files => ({
  'kustomization.yaml': kustomization({ resources: [name] }),
  [name]: content,
});
export const patched = (patch: string): Files => ({
  'kustomization.yaml': kustomization({ resources: ['a.yaml'], patches: [{ path: 'patch.yaml' }] }),
  'a.yaml': configMap('a'),
  'patch.yaml': patch,
});
export const root = (fields: Record<string, unknown>): Files => ({
  'kustomization.yaml': kustomization(fields),
  'a.yaml': configMap('a'),
});
export const rawRoot = (text: string | Uint8Array): Files => ({ 'kustomization.yaml': text, 'a.yaml': configMap('a') });

export function bomb(levels: number, width: number): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level <= levels; level++) {
    lines.push(
      `a${level}: &a${level} [${Array(width)
        .fill(`*a${level - 1}`)
        .join(', ')}]`,
    );
  }
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bomb, namespace: x}\ndata:\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}

/** Every level includes the one below twice, so the number of objects doubles. */
export function doubling(levels: number): Files {
  const files: Files = { 'kustomization.yaml': kustomization({ resources: [`l${levels}`] }) };
  files['l0/kustomization.yaml'] = kustomization({ resources: ['a.yaml'] });
  files['l0/a.yaml'] = configMap('a');
  for (let level = 1; level <= levels; level++) {
    for (const side of ['x', 'y']) {
      files[`l${level}/${side}/kustomization.yaml`] = kustomization({
        resources: [`../../l${level - 1}`],
        namePrefix: `${side}${level}-`,
      });
    }
    files[`l${level}/kustomization.yaml`] = kustomization({ resources: ['x', 'y'] });
  }
  return files;
}

/** `outside` is a folder that no report may show anything of. */
export const oldTrees = (outside: () => string): Record<string, () => Files> => ({
  'an empty repository': () => ({ '.keep': '' }),
  'an empty kustomization': () => rawRoot(''),
  'a kustomization of white space': () => rawRoot('  \n\n \t'),
  'a kustomization that is a list': () => rawRoot('- a\n- b\n'),
  'a kustomization that is a scalar': () => rawRoot('hello'),
  'a kustomization that is null': () => rawRoot('null\n'),
  'billion laughs in a resource': () => one(bomb(9, 10)),
  'billion laughs in a kustomization': () => rawRoot(`resources: [a.yaml]\n${bomb(9, 10).split('data:\n')[1]}`),
  'billion laughs in a patch': () => patched(bomb(9, 10)),
  'wide aliases': () => one(bomb(1, 50_000)),
  'an alias of itself': () => one('a: &a\n  b: *a\n'),
  'an anchor that is not there': () => one('a: *nothing\n'),
  'merge keys that nest': () =>
    one(`apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  x: &x {a: b}\n  y: {<<: [*x, *x]}\n`),
  '1,000 open brackets': () => one('['.repeat(1000)),
  '100,000 open brackets': () => one('['.repeat(100_000)),
  '1,000 open braces in the root': () => rawRoot('{a: '.repeat(1000)),
  '100,000 brackets opened and closed': () => one('['.repeat(100_000) + ']'.repeat(100_000)),
  '500 explicit keys': () => one('? '.repeat(500)),
  '20,000 explicit keys': () => one('? '.repeat(20_000)),
  '5,000 nested lists on one line': () => one(`${'- '.repeat(5000)}x\n`),
  '2,000 levels of indentation': () =>
    one(Array.from({ length: 2000 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('')),
  'deep values of a Package': () =>
    one(
      `apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata: {name: cozystack.metallb}\nspec: {components: {metallb: {values: ${'{a: '.repeat(90)}1${'}'.repeat(90)}}}}\n`,
    ),
  'a file of 6 MB': () => one(configMap('a', { a: 'x'.repeat(6_000_000) })),
  'a file of 3 MB on one line': () => one(configMap('a', { a: 'x'.repeat(3_000_000) })),
  '200,000 keys in one map': () =>
    one(configMap('a', Object.fromEntries(Array.from({ length: 200_000 }, (_, n) => [`k${n}`, 'v'])))),
  '100,000 documents': () => one('---\n'.repeat(100_000)),
  '30,000 objects in one file': () => one(Array.from({ length: 30_000 }, (_, n) => configMap(`c${n}`)).join('\n---\n')),
  'objects that double at every level': () => doubling(24),
  'a chain of 300 folders': () =>
    Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => {
        const folder = 'd/'.repeat(n);
        return [`${folder}kustomization.yaml`, kustomization({ resources: n < 299 ? ['d'] : [] })];
      }),
    ),
  'a cycle of two': () => ({
    'kustomization.yaml': kustomization({ resources: ['b'] }),
    'b/kustomization.yaml': kustomization({ resources: ['../'] }),
  }),
  'a cycle with itself': () => root({ resources: ['.'] }),
  'an absolute path': () => root({ resources: ['/etc/passwd'] }),
  'a path above the repository': () => root({ resources: ['../../../../../../etc/passwd'] }),
  'a patch above the repository': () => root({ resources: ['a.yaml'], patches: [{ path: '../../etc/hostname' }] }),
  'a generator that reads above': () =>
    root({ configMapGenerator: [{ name: 'x', files: ['/etc/passwd', '../../../etc/hostname'] }] }),
  'an env file above': () => root({ configMapGenerator: [{ name: 'x', envs: ['../../../../proc/self/environ'] }] }),
  'a link to a file outside': () => ({
    'kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
    'a.yaml': { link: join(outside(), 'secret.yaml') },
  }),
  'a link to a folder outside': () => ({
    'kustomization.yaml': kustomization({ resources: ['out/secret.yaml'] }),
    out: { link: outside() },
  }),
  'a link to the environment': () => ({
    'kustomization.yaml': kustomization({ configMapGenerator: [{ name: 'x', files: ['environ'] }] }),
    environ: { link: '/proc/self/environ' },
  }),
  'a link as kustomization': () => ({ 'kustomization.yaml': { link: join(outside(), 'secret.yaml') } }),
  'a link that leads to itself': () => ({
    'kustomization.yaml': kustomization({ resources: ['loop'] }),
    loop: { link: 'loop' },
  }),
  'a configuration that is a link': () => ({
    '.customizer-lint.yaml': { link: join(outside(), 'secret.yaml') },
    ...one(configMap('a')),
  }),
  'NUL bytes': () => one('apiVersion: v1\0\nkind: \0ConfigMap\n'),
  'NUL bytes in the root': () => rawRoot(Buffer.from('resources:\0\n- a.yaml')),
  'invalid UTF-8': () => one(Buffer.from([0x61, 0x3a, 0x20, 0xff, 0xfe, 0xc3, 0x28, 0x0a])),
  'UTF-16 with a byte order mark': () => one(Buffer.from(`\uFEFF${configMap('a')}`, 'utf16le')),
  'a byte order mark and CRLF': () => one(`\uFEFF${configMap('a')}\r\n---\r\n${configMap('b')}\r\n`),
  'an exec plugin': () => ({
    'kustomization.yaml': kustomization({ generators: ['g.yaml'] }),
    'g.yaml':
      'apiVersion: x/v1\nkind: X\nmetadata:\n  name: x\n  annotations:\n    config.kubernetes.io/function: |\n      exec: {path: ./run.sh}\n',
    'run.sh': '#!/bin/sh\necho pwned\n',
  }),
  'a container plugin': () => ({
    'kustomization.yaml': kustomization({ resources: ['a.yaml'], transformers: ['g.yaml'] }),
    'a.yaml': configMap('a'),
    'g.yaml':
      'apiVersion: x/v1\nkind: X\nmetadata:\n  name: x\n  annotations:\n    config.kubernetes.io/function: |\n      container: {image: example/x}\n',
  }),
  'a Helm chart': () => root({ helmCharts: [{ name: 'x', repo: 'https://example.org/charts', version: '1.0.0' }] }),
  'remote bases': () => root({ resources: ['https://github.com/example/x//base?ref=main'] }),
  'a remote file': () => root({ resources: ['https://example.org/x.yaml'] }),
  'a remote base over SSH': () => root({ components: ['git@github.com:example/x.git'] }),
  'duplicate keys': () => one('apiVersion: v1\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, name: b}\n'),
  'duplicate keys in the root': () => rawRoot('resources: [a.yaml]\nresources: [b.yaml]\n'),
  'two kustomization files': () => ({ ...root({ resources: ['a.yaml'] }), 'kustomization.yml': kustomization({}) }),
  'a directory named like a file': () => ({
    'kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
    'a.yaml': { directory: true },
    'a.yaml/x.txt': 'x',
  }),
  'a directory named kustomization.yaml': () => ({ 'kustomization.yaml/x.yaml': configMap('a') }),
  'dangerous keys': () =>
    one(
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"__proto__","labels":{"constructor":"x","__proto__":"y"}},"data":{"__proto__":"x","hasOwnProperty":"y"}}',
    ),
  'regular expressions in selectors': () => ({
    'kustomization.yaml': kustomization({
      resources: ['a.yaml'],
      patches: [{ target: { kind: '(a+)+$', name: '(((((x*)*)*)*)*)*' }, patch: configMap('a') }],
    }),
    'a.yaml': configMap('a'.repeat(200)),
  }),
  'a broken regular expression': () =>
    root({ resources: ['a.yaml'], patches: [{ target: { name: '([' }, patch: '[]' }] }),
  'workflow commands in names': () => one(configMap('a\n::error::pwned\n##[add-mask]x')),
  'odd file names': () => ({
    'kustomization.yaml': kustomization({ resources: ['a\n::error::x.yaml', '-rf.yaml', 'ü …\u202e.yaml'] }),
    'a\n::error::x.yaml': configMap('a'),
    '-rf.yaml': configMap('b'),
    'ü …\u202e.yaml': configMap('c'),
  }),
  'a substitution that never closes': () => ({
    'flux.yaml': `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a, namespace: b}\nspec:\n  path: ./app\n  interval: 5m\n  prune: true\n  sourceRef: {kind: GitRepository, name: a}\n  postBuild: {substitute: {a: "\${a}\${a}"}}\n`,
    'app/kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
    'app/a.yaml': configMap('a', { x: `${'$'}{a:=${'$'}{a:=${'$'}{a` }),
  }),
  'replacements over many objects': () => ({
    'kustomization.yaml': kustomization({
      resources: ['a.yaml'],
      replacements: Array.from({ length: 200 }, () => ({
        source: { kind: 'ConfigMap', name: 'c0', fieldPath: 'data.a' },
        targets: [{ select: { kind: 'ConfigMap' }, fieldPaths: ['data.b'], options: { create: true } }],
      })),
    }),
    'a.yaml': Array.from({ length: 300 }, (_, n) => configMap(`c${n}`)).join('\n---\n'),
  }),
  'a schema of its own': () => ({
    'kustomization.yaml': kustomization({
      resources: ['a.yaml'],
      openapi: { path: 'schema.json' },
      crds: ['crd.json'],
    }),
    'a.yaml': configMap('a'),
    'schema.json': '{"definitions": {"x": {"$ref": "#/definitions/x"}}}',
    'crd.json': '{"x": {"Schema": {"$ref": "x"}}}',
  }),
  'a configuration that is a bomb': () => ({ '.customizer-lint.yaml': bomb(9, 10), ...one(configMap('a')) }),
  'a configuration that names what is not there': () => ({
    '.customizer-lint.yaml': 'entrypoints: ["../../etc", "/etc", "nowhere", ""]\n',
    ...one(configMap('a')),
  }),
  'many entrypoints that each refuse': () => ({
    '.customizer-lint.yaml': `entrypoints: [${Array.from({ length: 100 }, (_, n) => `e${n}`)}]\n`,
    ...Object.fromEntries(
      Array.from({ length: 100 }, (_, n) => [`e${n}/kustomization.yaml`, kustomization({ resources: ['x'] })]),
    ),
  }),
});
