import { basename, dirname, relative } from 'node:path/posix';
import { isKustomizationFile, kustomizationOf, kustomizationsIn } from '../../core/kustomization.js';
import type { FieldPath, Place, Tree } from '../../core/model.js';
import { isBelow } from '../../flux/generated-kustomization.js';
import { parseSyntax } from '../../yaml/syntax.js';
import type { Rule, RuleContext } from '../rule.js';
import { firstObjectIn } from '../support/manifests.js';

const messages = {
  notListed: (what: string) => `${what} is new, but no kustomization.yaml refers to it, so Flux does not apply it`,
};

export default {
  id: 'unreferenced-manifest',
  group: 'kustomize',
  severity: 'warning',
  summary: 'a manifest that this change adds next to a kustomization.yaml that does not list it, so it is not applied',
  messages,
  needsBase: true,
  check(context) {
    const { everywhere, tree, base } = context;
    if (!base) return;
    const read = new Set(everywhere.flatMap(({ files }) => files));
    const lost = new Set(everywhere.flatMap((one) => one.lost.map(({ path }) => path)));
    const unread = tree.files.filter((file) => isKustomizationFile(file) && !read.has(file));
    const seen = new Set<string>();
    for (const file of tree.files) {
      if (!/\.ya?ml$/.test(file) || base.tree.has(file) || read.has(file) || lost.has(file)) continue;
      const unit = unitOf(file, tree, base.tree);
      if (!unit || seen.has(unit.path) || isOnTrial(unit.path)) continue;
      const list = listFor(unit, read, context);
      if (!list || isNamed(unit, list.owner, unread, tree)) continue;
      seen.add(unit.path);
      reportUnit(unit, list, context);
    }
  },
} satisfies Rule;

/** What is to be listed: a file, or a folder. */
type Unit = { path: string; isFolder: boolean; at: Place };

/** Where it belongs: the kustomization, who reads it, its list, and an entry there of the same sort. */
type List = { owner: string; entrypoint: string; path: FieldPath; like: string };

function listFor(unit: Unit, read: ReadonlySet<string>, { entrypoints, tree }: RuleContext): List | undefined {
  const owner = kustomizationsIn(dirname(unit.path)).find((one) => read.has(one));
  if (!owner) return undefined;
  const reader = entrypoints.find((one) => one.files.includes(owner));
  const siblings = listedIn(owner, tree, unit.isFolder);
  return reader && siblings && { owner, entrypoint: reader.entrypoint.path, ...siblings };
}

/** A kustomization that nothing renders may be applied by hand, and one in a comment is left out on purpose. */
function isNamed({ path }: Unit, owner: string, unread: readonly string[], tree: Tree): boolean {
  const elsewhere = unread.filter((one) => !isBelow(one, path));
  return [owner, ...elsewhere].some((one) => tree.text(one)?.includes(basename(path)));
}

function reportUnit(unit: Unit, { owner, entrypoint, path, like }: List, { tree, report }: RuleContext): void {
  const at = { file: owner, document: 0, path };
  report({
    message: messages.notListed(unit.isFolder ? `Directory "${unit.path}"` : `"${unit.path}"`),
    help: `list "${basename(unit.path)}" next to "${like}" in ${owner}`,
    at: unit.at,
    related: [{ message: 'the list that Flux reads', at: { ...at, part: 'key' } }],
    entrypoint,
    ...(isReady(unit, tree) && {
      remedy: {
        title: `list it in ${owner}`,
        safe: false,
        changes: [{ do: 'insert', at, value: relative(dirname(owner), unit.path) }],
      },
    }),
  });
}

/** What the kustomization around it would have to list: the file, or the new folder that it came with. */
function unitOf(file: string, tree: Tree, before: Tree): Unit | undefined {
  const folder = dirname(file);
  const own = kustomizationOf(folder, tree);
  if (own === undefined || own === file) {
    if (folder === '.' || before.isDirectory(folder)) return undefined;
    if (own && /^kind:\s*Component\b/m.test(tree.text(own) ?? '')) return undefined;
    const at = own ? { file, document: 0, path: ['resources'], part: 'key' as const } : firstObjectIn(file, tree);
    return at && { path: folder, isFolder: true, at };
  }
  const at = firstObjectIn(file, tree);
  return at && { path: file, isFolder: false, at };
}

/** A folder without a kustomization cannot be listed. */
function isReady({ path, isFolder }: Unit, tree: Tree): boolean {
  return !isFolder || kustomizationOf(path, tree) !== undefined;
}

/** Named as something that is not to be applied. */
function isOnTrial(path: string): boolean {
  return /(^|[-._/])(examples?|samples?|templates?|tests?|testdata|docs?|disabled|drafts?|old|bak)([-._/]|$)/i.test(
    path,
  );
}

/** The list of resources, where it has an entry of the same sort: a file, or a folder. */
function listedIn(owner: string, tree: Tree, isFolder: boolean): { path: FieldPath; like: string } | undefined {
  const text = tree.text(owner) ?? '';
  const syntax = parseSyntax(text);
  for (let index = 0; ; index++) {
    const value = syntax?.find(['resources', index])?.value;
    if (!value) return undefined;
    const entry = text
      .slice(value.start, value.end)
      .replace(/^(["'])(.*)\1$/, '$2')
      .replace(/^\.\/|\/$/g, '');
    const path = dirname(owner) === '.' ? entry : `${dirname(owner)}/${entry}`;
    if (!entry.includes('/') && (isFolder ? tree.isDirectory(path) : tree.has(path) && isBelow(path, dirname(owner))))
      return { path: ['resources'], like: entry };
  }
}
