/**
 * How manifests are cut into files is nobody's concern. A repository that is only rearranged changes nothing in the cluster, and
 * nothing that is wrong with it is new; nor is it when something else is put before it. What is rearranged is taken by a
 * committed seed, of every third repository; FULL=1 takes all in all ways.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { type Document, isSeq, parseAllDocuments, parseDocument } from 'yaml';
import { isKustomizationFile } from '../../src/core/kustomization.js';
import { root } from '../support/cli.js';
import { runHere } from '../support/here.js';
import { randomOf } from '../support/random.mjs';
import { configMap, kustomization, removeRepo } from '../support/trees.js';

const random = randomOf(9);
const full = process.env.FULL !== undefined;
const copies: string[] = [];
afterAll(() => copies.forEach(removeRepo));

/** A kustomization, and the manifests beside it that it lists and that nothing has to be known of to move them. */
type Listing = { file: string; folder: string; document: Document; resources: string[]; manifests: string[] };

function listingsIn(folder: string): Listing[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));
  return files.filter(isKustomizationFile).flatMap((file) => {
    const document = parseDocument(readFileSync(file, 'utf8'));
    // One with a key twice cannot be written again.
    const resources = (document.errors.length === 0 && document.toJS()?.resources) || undefined;
    if (!Array.isArray(resources) || resources.some((entry) => typeof entry !== 'string')) return [];
    const folder = dirname(file);
    const isPlain = (entry: string) => entry === basename(entry) && isManifest(join(folder, entry));
    return [{ file, folder, document, resources, manifests: resources.filter(isPlain) }];
  });
}

/** Without a directive, or a byte order mark, which may stand at the very start only. */
function isManifest(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return /\.ya?ml$/.test(file) && stats?.isFile() === true && !/^(%|\uFEFF)/.test(readFileSync(file, 'utf8'));
}

/** Writes them where the first manifest was listed. */
function relist({ file, document, resources, manifests }: Listing, entries: readonly string[]) {
  const at = resources.indexOf(manifests[0] as string);
  const isOther = (entry: string) => !manifests.includes(entry);
  document.set('resources', [
    ...resources.slice(0, at).filter(isOther),
    ...entries,
    ...resources.slice(at).filter(isOther),
  ]);
  writeFileSync(file, document.toString());
}

const rearrangements: Record<string, (listing: Listing) => void> = {
  'in a folder of their own'(listing) {
    const parts = mkdtempSync(join(listing.folder, 'parts-'));
    for (const name of listing.manifests) renameSync(join(listing.folder, name), join(parts, name));
    writeFileSync(join(parts, 'kustomization.yaml'), kustomization({ resources: listing.manifests }));
    relist(listing, [basename(parts)]);
  },
  'in one file'(listing) {
    const paths = listing.manifests.map((name) => join(listing.folder, name));
    const texts = paths.map((path) =>
      readFileSync(path, 'utf8')
        .replace(/^---\n/, '')
        .replace(/\n*$/, '\n'),
    );
    for (const path of paths) rmSync(path);
    writeFileSync(join(listing.folder, 'everything.yaml'), texts.join('---\n'));
    relist(listing, ['everything.yaml']);
  },
  'under other names'(listing) {
    const renamed = listing.manifests.map((name) => {
      const other = name.replace(/\.ya?ml$/, '-too.yml');
      renameSync(join(listing.folder, name), join(listing.folder, other));
      return other;
    });
    relist(listing, renamed);
  },
  'some lines further down'(listing) {
    for (const name of listing.manifests) {
      const file = join(listing.folder, name);
      writeFileSync(file, `# One line,\n# and another.\n\n${readFileSync(file, 'utf8')}`);
    }
  },
  'as JSON'(listing) {
    const names = listing.manifests.map((name) => {
      const file = join(listing.folder, name);
      const documents = parseAllDocuments(readFileSync(file, 'utf8'), { merge: true });
      if (documents.length !== 1 || documents[0]?.errors.length !== 0) return name;
      rmSync(file);
      const renamed = name.replace(/\.ya?ml$/, '.json');
      writeFileSync(join(listing.folder, renamed), JSON.stringify(documents[0], null, 2));
      return renamed;
    });
    relist(listing, names);
  },
};

/** Where the file says something besides, the reason. */
const tied: Record<string, string> = {
  'namespace-over-all': 'kustomize is told to write the name of the file into every object (originAnnotations)',
};

function copyOf(repository: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'customizer-lint-'));
  copies.push(folder);
  cpSync(repository, folder, { recursive: true, verbatimSymlinks: true });
  return folder;
}

type Finding = { rule: string; message: string; isNew?: boolean };

async function newIn(folder: string, base: string): Promise<string[]> {
  const { stdout } = await runHere(['check', folder, '--base', base, '--format', 'json']);
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return findings.filter(({ isNew }) => isNew).map(({ rule, message }) => `${rule}: ${message}`);
}

describe('a clean repository says nothing, and nothing changes in the cluster, when its manifests stand', () => {
  const clean = join(root, '__tests__', 'clean');
  const ways = Object.keys(rearrangements);
  const cases = readdirSync(clean)
    .filter((name) => !name.endsWith('.base') && !tied[name])
    .flatMap((name) => ways.map((way) => ({ name, way, folder: join(clean, name) })))
    .filter(({ folder }) => listingsIn(folder).some(({ manifests }) => manifests.length > 0))
    // A Flux Kustomization in JSON is one, too.
    .filter(
      ({ name, way }) => full || random.below(3 * ways.length) === 0 || (name === 'flux-stages' && way === 'as JSON'),
    );

  test.concurrent.each(cases)('$way: $name', async ({ way, folder }) => {
    const copy = copyOf(folder);
    for (const listing of listingsIn(copy)) if (listing.manifests.length > 0) rearrangements[way]?.(listing);
    const { stdout, stderr } = await runHere(['diff', copy, '--base', folder, '--format', 'json']);
    if (stdout === '') throw new Error(stderr);
    const clusters = JSON.parse(stdout) as { objects: unknown[] }[];
    expect(clusters.flatMap(({ objects }) => objects)).toEqual([]);
    expect(await newIn(copy, folder)).toEqual([]);
  });
});

describe('what is wrong is not new when something else is put before it, in the lists of kustomizations', () => {
  const rules = join(root, '__tests__', 'rules');
  const cases = readdirSync(rules)
    .map((rule) => ({ rule, folder: join(rules, rule, 'bad') }))
    .filter(({ folder }) => listingsIn(folder).length > 0)
    .filter(({ rule }) => full || random.below(3) === 0 || rule === 'remote-base');

  test.concurrent.each(cases)('$rule', async ({ rule, folder }) => {
    const copy = copyOf(folder);
    for (const [index, { file, folder: beside, document, resources }] of listingsIn(copy).entries()) {
      const name = `before-all-${index}`;
      writeFileSync(join(beside, `${name}.yaml`), configMap(name));
      document.set('resources', [`${name}.yaml`, ...resources]);
      const patches = document.get('patches');
      const patch = { target: { kind: 'ConfigMap', name }, patch: '[{"op": "add", "path": "/data/b", "value": "c"}]' };
      if (isSeq(patches)) patches.items.unshift(document.createNode(patch));
      writeFileSync(file, document.toString());
    }
    const found = await newIn(copy, folder);
    // What is put into a directory that is not built is judged by nobody.
    const unjudged = rule === 'remote-base' ? [expect.stringMatching(/^unverifiable-change: /)] : [];
    expect(found).toEqual(unjudged);
  });
});
