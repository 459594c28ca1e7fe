/** What a change may bring along so that the harm is not looked at: files beside it, and words in its files. */
import { stringify } from 'yaml';
import type { Tree } from './generate.js';
import type { Random } from './writing.js';

type Disguise = (head: Tree, base: Tree, random: Random) => Tree;

const isText = (content: Tree[string] | undefined): content is string => typeof content === 'string';
const changed = (head: Tree, base: Tree) => Object.keys(head).filter((path) => head[path] !== base[path]);
/** The name that a file would have in place of its last segment. */
const beside = (path: string, name: string) => [...path.split('/').slice(0, -1), name].join('/');
const config = '.customizer-lint.yaml';
const attributes =
  (text: string): Disguise =>
  (head) => ({ ...head, '.gitattributes': text });
const configured =
  (value: unknown): Disguise =>
  (head) => ({ ...head, [config]: stringify(value) });
/** A harmless twin under a name that something may take for the file's own. */
const twin =
  (name: (path: string) => string): Disguise =>
  (head, base) => {
    const files = changed(head, base).map((path) => [name(path), base[path] ?? 'a: b\n'] as const);
    return { ...head, ...Object.fromEntries(files.filter(([path]) => !(path in head))) };
  };
const ignoring = 'customizer-lint ignore';
const rules = ['chart-owned-field', 'chart-owned-value', 'forbidden-object', 'kubectl-takeover', 'shared-object'];

export const disguises: Record<string, Disguise> = {
  'twin behind a tab': twin((path) => `${path}\tz`),
  'twin behind a line break': twin((path) => `${path}\nz`),
  'twin behind a space': twin((path) => `${path} `),
  'twin behind a byte that is no UTF-8': twin((path) => `${path}\udcff`),
  'twin with another letter case': twin((path) => path.toUpperCase()),
  'twin that is quoted': twin((path) => `"${path}"`),
  'twin with the other form of a letter': twin((path) =>
    path.normalize(path.normalize('NFC') === path ? 'NFD' : 'NFC'),
  ),
  'twin in a folder of the name of the file': twin((path) => `${path}.d/${path.split('/').at(-1)}`),
  'ignored by a comment above': (head, base) => {
    const commented = changed(head, base).flatMap((path) => {
      const content = head[path];
      if (!isText(content) || /^(?:%|\uFEFF)/.test(content)) return [];
      return [[path, `${rules.map((rule) => `# ${ignoring} ${rule} -- fine\n`).join('')}${content}`] as const];
    });
    return { ...head, ...Object.fromEntries(commented) };
  },
  'ignored by a comment on every line': (head, base) => {
    const commented = changed(head, base).flatMap((path) => {
      const content = head[path];
      if (!isText(content) || /[\r"|>]/.test(content)) return [];
      const text = content.replace(/([^\n])\n/g, `$1 # ${ignoring} ${rules[0]} -- fine\n`);
      return [[path, text] as const];
    });
    return { ...head, ...Object.fromEntries(commented) };
  },
  'rules switched off': configured({ rules: Object.fromEntries(rules.map((rule) => [rule, 'off'])) }),
  'ignored in the configuration': configured({
    ignores: rules.map((rule) => ({ rule, paths: ['**'], reason: 'fine' })),
  }),
  'other entrypoints': configured({ entrypoints: ['calm'] }),
  'other facts': configured({ cluster: { release: 'v1.5.4', variant: 'default', ownedNamespaces: ['kube-system'] } }),
  'no configuration': ({ [config]: _, ...head }) => head,
  'configuration that cannot be read': (head) => ({ ...head, [config]: '{{' }),
  'nothing is exported': attributes('* export-ignore\n'),
  'everything is binary': attributes('* binary -diff\n'),
  'another encoding': attributes('*.yaml working-tree-encoding=UTF-16 text\n'),
  'a filter': attributes('* filter=lfs ident merge=ours\n'),
  'line ends': attributes('* text eol=crlf\n'),
  'generated code': attributes('* linguist-generated=true\n'),
  'folders named as submodules': (head, base) => {
    const folders = [...new Set(changed(head, base).map((path) => path.split('/')[0] as string))];
    const text = folders
      .map((path) => `[submodule "${path}"]\n\tpath = ${path}\n\turl = https://example.org/x\n`)
      .join('');
    return { ...head, '.gitmodules': text };
  },
  'ignored by git': (head) => ({ ...head, '.gitignore': '*\n' }),
  'ignored for Flux in vain': (head, base) => ({
    ...head,
    '.sourceignore': `${changed(head, base)
      .map((path) => `/${path}\n`)
      .join('')}!*\n!**\n`,
  }),
  'ignored for another program': (head) => ({
    ...head,
    '.krmignore': '*\n',
    '.helmignore': '*\n',
    '.prettierignore': '*\n',
  }),
  'a second kustomization beside': (head, base) => {
    const [path] = changed(head, base);
    return path === undefined ? head : { ...head, [beside(path, 'KUSTOMIZATION.YAML')]: stringify({ resources: [] }) };
  },
  'a workflow that does not run': (head) => ({ ...head, '.github/workflows/lint.yaml': 'on: []\njobs: {}\n' }),
  'what Flux itself would apply': (head) => ({
    ...head,
    'flux-system/gotk-sync.yaml': '# nothing\n',
    'clusters/x/flux-system/gotk-sync.yaml': '',
  }),
  'a snapshot of a cluster': (head) => ({
    ...head,
    'cluster.snapshot.yaml': '{}\n',
    [config]: stringify({ cluster: { snapshot: 'cluster.snapshot.yaml' } }),
  }),
};
