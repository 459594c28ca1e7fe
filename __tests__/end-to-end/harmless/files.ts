/** Changes of files after which the same objects are applied. */
import { type Document, isMap, parseDocument } from 'yaml';
import { kustomization } from '../../support/trees.js';
import {
  added,
  editableIn,
  folderOf,
  kustomizationsOf,
  listedIn,
  manifestsIn,
  relisted,
  resolved,
  type Tree,
  without,
  written,
} from './repository.js';

export type Random = {
  below(n: number): number;
  pick<T>(items: readonly T[]): T;
  shuffled<T>(items: readonly T[]): T[];
};
/** Undefined if the repository has nothing that it could be done to. */
export type Change = (files: Tree, random: Random) => Tree | undefined;

/** `pick` of nothing is nothing. */
export const oneOf = <T>(items: readonly T[], random: Random): T | undefined =>
  items.length > 0 ? random.pick(items) : undefined;

/** The lines at which another one may be inserted: those that begin a key of the top level. */
function withLine(text: string, line: string, random: Random): string {
  const lines = text.split('\n');
  const starts = lines.flatMap((one, index) => (/^[A-Za-z]+:/.test(one) ? [index] : []));
  lines.splice(oneOf(starts, random) ?? 0, 0, line);
  return lines.join('\n');
}

const ofManifest = (edit: (text: string, random: Random) => string | undefined): Change =>
  function change(files, random) {
    const one = oneOf(editableIn(files), random);
    const text = one && edit(files[one.file] as string, random);
    return one && text !== undefined ? { ...files, [one.file]: text } : undefined;
  };

const ofDocuments = (edit: (document: Document) => void): Change =>
  ofManifest((text) => {
    const manifests = manifestsIn(text);
    for (const { document } of manifests) edit(document);
    return written(manifests);
  });

/** The folders that hold a kustomization that another one lists. */
function foldersIn(files: Tree) {
  return kustomizationsOf(files).flatMap((by) => {
    const { resources } = parseDocument(files[by] as string).toJS() as { resources: unknown[] };
    return resources.flatMap((entry) =>
      typeof entry === 'string' && /^[\w-]+$/.test(entry) && files[`${resolved(by, entry)}/kustomization.yaml`]
        ? [{ by, entry, folder: resolved(by, entry) }]
        : [],
    );
  });
}

export const changesOfFiles: { [title: string]: Change } = {
  'a comment': ofManifest((text, random) => withLine(text, '# See the runbook.', random)),
  'a comment after a line': ofManifest((text) => text.replace(/^(kind: \w+)$/m, '$1 # as agreed')),
  'an empty line': ofManifest((text, random) => withLine(text, '', random)),
  'a document start': ofManifest((text) => (/^---/.test(text) ? undefined : `---\n${text}`)),
  'other indentation': ofManifest((text) => {
    const manifests = manifestsIn(text);
    return manifests.map(({ document }) => document.toString({ indent: 4, indentSeq: false })).join('---\n');
  }),
  'other order of keys': ofDocuments((document) => {
    if (isMap(document.contents)) document.contents.items.reverse();
  }),
  'other quotes': ofManifest((text) => text.replace(/^( {2}name: )([\w-]+)$/m, '$1"$2"')),
  'an anchor': ofManifest((text) => {
    const manifests = manifestsIn(text);
    const labels = manifests[0]?.document.getIn(['spec', 'selector', 'matchLabels'], true);
    if (!isMap(labels) || labels.items.length === 0) return undefined;
    labels.anchor = 'labels';
    return written(manifests);
  }),
  'JSON in place of YAML'(files, random) {
    const one = oneOf(
      editableIn(files).filter(({ manifests }) => manifests.length === 1),
      random,
    );
    if (!one) return undefined;
    const entry = one.entry.replace(/\.ya?ml$/, '.json');
    const text = JSON.stringify(one.manifests[0]?.value, null, 2);
    return { ...without(relisted(files, one, [entry]), one.file), [resolved(one.by, entry)]: text };
  },
  'a file split'(files, random) {
    const one = oneOf(
      editableIn(files).filter(({ manifests }) => manifests.length > 1),
      random,
    );
    if (!one) return undefined;
    const names = one.manifests.map((_, index) => one.entry.replace(/\.ya?ml$/, `-${index}.yaml`));
    const parts = names.map((name, index) => [resolved(one.by, name), written(one.manifests.slice(index, index + 1))]);
    return { ...without(relisted(files, one, names), one.file), ...Object.fromEntries(parts) };
  },
  'files merged'(files, random) {
    const [one, other] = random.shuffled(editableIn(files));
    if (!one || !other || one.by !== other.by) return undefined;
    const text = written([...one.manifests, ...other.manifests]);
    return { ...without(relisted(files, other, []), other.file), [one.file]: text };
  },
  'a file renamed'(files, random) {
    const one = oneOf(listedIn(files), random);
    if (!one) return undefined;
    const entry = one.entry.replace(/\.ya?ml$/, '-settings.yml');
    return {
      ...without(relisted(files, one, [entry]), one.file),
      [resolved(one.by, entry)]: files[one.file] as string,
    };
  },
  'a file moved into a folder'(files, random) {
    const one = oneOf(listedIn(files), random);
    if (!one || one.entry.includes('/')) return undefined;
    const moved = without(relisted(files, one, ['parts']), one.file);
    return {
      ...moved,
      [`${folderOf(one.by)}parts/${one.entry}`]: files[one.file] as string,
      [`${folderOf(one.by)}parts/kustomization.yaml`]: kustomization({ resources: [one.entry] }),
    };
  },
  'a folder renamed'(files, random) {
    const one = oneOf(foldersIn(files), random);
    if (!one || Object.entries(files).some(([file, text]) => file !== one.by && text.includes(`${one.entry}/`)))
      return undefined;
    const moved = Object.entries(relisted(files, one, [`${one.entry}-parts`])).map(([file, text]) => [
      file.startsWith(`${one.folder}/`) ? file.replace(one.folder, `${one.folder}-parts`) : file,
      text,
    ]);
    return Object.fromEntries(moved);
  },
  'other order of resources'(files, random) {
    const by = oneOf(kustomizationsOf(files), random);
    if (!by) return undefined;
    const document = parseDocument(files[by] as string);
    document.set('resources', random.shuffled((document.toJS() as { resources: unknown[] }).resources));
    return { ...files, [by]: String(document) };
  },
  'a path written otherwise'(files, random) {
    const one = oneOf(listedIn(files), random);
    return one && relisted(files, one, [`./${one.entry}`]);
  },
  'a README': (files) => ({ ...files, 'README.md': `${files['README.md'] ?? ''}\nHow this is laid out.\n` }),
  'pages of documentation': (files) => ({ ...files, 'docs/how-to.md': '# How to\n', LICENSE: 'As you like.\n' }),
  'settings of tools': (files) => ({
    ...files,
    '.gitignore': '*.tmp\n',
    '.github/dependabot.yml': 'version: 2\nupdates: []\n',
    'renovate.json': '{"extends": ["config:recommended"]}\n',
  }),
  'a script': (files) => ({ ...files, 'hack/apply.sh': '#!/bin/sh\nexec kubectl apply -k "$1"\n' }),
  'a README removed'(files) {
    return files['README.md'] === undefined ? undefined : without(files, 'README.md');
  },
  'a kustomization of nothing'(files, random) {
    const by = oneOf(kustomizationsOf(files), random);
    return by === undefined ? undefined : added(files, by, 'empty.yaml', '# Nothing yet.\n');
  },
};
