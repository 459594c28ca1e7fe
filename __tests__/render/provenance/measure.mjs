/** The property over many trees, as a table of verdicts by feature. */

import { randomOf } from '../../support/random.mjs';
import { Attribution, isPlain } from './attribute.mjs';
import { provenanceOf } from './command.mjs';
import { kustomizationsOf } from './faults.mjs';
import { features, generate } from './grammar/grammar.mjs';
import { Declared } from './leaves.mjs';
import { Property } from './property.mjs';

export const verdicts = [
  'exact',
  'identity',
  'parent',
  'file',
  'undeclared',
  'idle',
  'anchored',
  'silent',
  'refused',
  'wrong',
];

export class Table {
  rows = new Map();
  /** @type {Record<string, number>} */
  totals = {};
  leaves = 0;
  plain = 0;
  kustomizations = 0;
  /** Trees that kustomize refuses; they say nothing. */
  discarded = 0;
  failures = [];

  add(found, verdict) {
    this.leaves++;
    this.totals[verdict] = (this.totals[verdict] ?? 0) + 1;
    if (isPlain(found)) this.plain++;
    for (const feature of found) {
      const row = this.rows.get(feature) ?? {};
      row[verdict] = (row[verdict] ?? 0) + 1;
      this.rows.set(feature, row);
    }
  }

  /** Of the leaves that can be shown to be right or not, how many are. */
  share(row = this.totals) {
    const all = sum(row) - (row.silent ?? 0) - (row.refused ?? 0);
    return all === 0 ? 1 : ((row.exact ?? 0) + (row.identity ?? 0) + (row.undeclared ?? 0) + (row.idle ?? 0)) / all;
  }

  /** Features with fewer leaves than asked for. */
  thin(count) {
    const rows = [...this.rows].filter(([feature]) => !feature.startsWith('corpus'));
    return rows.filter(([, row]) => sum(row) < count).map(([feature, row]) => `${feature}: ${sum(row)}`);
  }

  print() {
    const width = Math.max(...[...this.rows.keys()].map((name) => name.length), 8) + 1;
    const line = (name, row) =>
      [
        name.padEnd(width),
        ...[...verdicts.map((verdict) => row[verdict] ?? 0), sum(row)].map((n) => String(n).padStart(10)),
      ]
        .concat(`${(100 * this.share(row)).toFixed(1)} %`.padStart(9))
        .join('');
    const head = [
      'feature'.padEnd(width),
      ...[...verdicts, 'leaves', 'exact'].map((name) => name.padStart(name === 'exact' ? 10 : 10)),
    ].join('');
    const names = [...this.rows.keys()].sort();
    return [
      head,
      ...names.map((name) => line(name, this.rows.get(name))),
      line('all', this.totals),
      this.summary(),
    ].join('\n');
  }

  summary() {
    const percent = ((100 * this.plain) / Math.max(this.leaves, 1)).toFixed(1);
    return `${this.leaves} leaves of ${this.kustomizations} kustomizations, ${percent} % from plain resource files; ${this.discarded} trees do not build`;
  }
}

const sum = (row) => Object.values(row).reduce((a, b) => a + b, 0);

/** Trees of some seeds, some at a time, as one run of the command serves many. */
export async function measure(engine, seeds, table = new Table()) {
  for (let at = 0; at < seeds.length; at += 25)
    await measureTrees(
      engine,
      seeds.slice(at, at + 25).map((seed) => generate(seed)),
      table,
    );
  return table;
}

/** They write no leaf: the one takes away, the other is the controller's to add after the render. */
const leafless = new Set(['json-remove', 'flux-metadata']);

/** Trees about each feature that has fewer leaves than wanted; of them only these leaves are looked at. */
export async function topUp(engine, wanted, table) {
  for (const [index, feature] of features.entries()) {
    if (leafless.has(feature)) continue;
    const few = () => sum(table.rows.get(feature) ?? {}) < wanted;
    for (let batch = 0; batch < 20 && few(); batch++) {
      const first = 100_000 + 1000 * index + 25 * batch;
      await measureTrees(
        engine,
        seedsOf(25, first).map((seed) => generate(seed, feature)),
        table,
        feature,
      );
    }
  }
}

async function measureTrees(engine, trees, table, only) {
  for (const [tree, leaves] of await provenanceOf(trees)) await measureTree(engine, tree, leaves, table, only);
}

async function measureTree(engine, tree, leaves, table, only) {
  for (const path of tree.paths) {
    const mine = leaves.filter(({ entrypoint }) => entrypoint === path);
    const property = new Property(engine, tree, path, new Declared(mine));
    if (mine.length === 0 || !(await property.start())) {
      table.discarded++;
      continue;
    }
    table.kustomizations++;
    await judgeAll(tree, path, property, table, only);
  }
}

async function judgeAll(tree, path, property, table, only) {
  const attribution = new Attribution(tree);
  const names = new Set(property.declared.leaves.map(({ object }) => object.name));
  const random = randomOf(tree.seed);
  for (const leaf of property.declared.leaves) {
    const found = attribution.of(leaf, names);
    // Most of any render comes from plain files; a fifth of that is enough to see that they work.
    if (only ? !found.has(only) : isPlain(found) && !random.chance(0.2)) continue;
    const { verdict, why } = await property.judge(leaf);
    table.add(found, verdict);
    if (why) table.failures.push({ seed: tree.seed, path, leaf, verdict, why, ...(only && { focus: only }) });
  }
}

/** Some leaves of every kustomization of a repository that builds. Nobody knows here which feature wrote a leaf but the command. */
export async function measureRepository(engine, files, leavesEach, table = new Table()) {
  await engine.load(files);
  const read = new Map();
  for (const path of kustomizationsOf(files)) {
    const answer = await engine.build(path);
    if (answer.ok && answer.objects.length > 0) read.set(path, answer.files);
  }
  const tree = { seed: 'corpus', files, paths: [...read.keys()] };
  const leaves = (await provenanceOf([tree])).get(tree);
  for (const [path, names] of read) {
    const some = new Map(names.filter((name) => files.has(name)).map((name) => [name, String(files.get(name))]));
    await judgeSome(engine, { files: some }, path, leaves, leavesEach, table);
  }
  return table;
}

async function judgeSome(engine, tree, path, leaves, leavesEach, table) {
  const declared = new Declared(leaves.filter(({ entrypoint }) => entrypoint === path));
  const property = new Property(engine, tree, path, declared);
  // What a build reads is not always all it needs: a directory that is only looked at.
  if (!(await property.start())) return;
  table.kustomizations++;
  const random = randomOf(declared.leaves.length);
  const plain = ({ by }) => by === 'resource';
  const ordinary = declared.leaves.filter(plain);
  const others = declared.leaves.filter((leaf) => !plain(leaf));
  for (const leaf of [...draw(random, ordinary, 2), ...draw(random, others, leavesEach)]) {
    const { verdict, why } = await property.judge(leaf);
    table.add(new Set([plain(leaf) ? 'corpus' : `corpus, ${leaf.by}`]), verdict);
    if (why) table.failures.push({ seed: 'corpus', path, leaf, verdict, why });
  }
}

/** Up to so many different items. */
const draw = (random, items, count) =>
  items.length <= count ? items : [...new Set(Array.from({ length: count }, () => random.pick(items)))];

export const seedsOf = (count, first = 0) => Array.from({ length: count }, (_, index) => first + index);
